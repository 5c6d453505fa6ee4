// Trammel in JavaScript. What stands in declarations.d.mts is made from the C headers.
import type { Library, Pointer, tml_contact, tml_energy, tml_sim_settings } from "./declarations.mjs";
export type * from "./declarations.mjs";

export interface SimOptions {
  formulation?: "quaternion" | "variational" | "affine" | "generalized";
  /** Of the scene where it goes with the formulation, else the formulation's own. */
  integrator?: string;
  /** s */
  step?: number;
  tolerance?: number;
  max_iterations?: number;
  contact?: boolean;
}

export declare class TrammelError extends Error {
  readonly status: number;
  readonly statusName: string;
}

/** Bodies and joints, frozen. */
export interface Model {
  readonly address: Pointer;
  readonly name: string;
  readonly bodies: string[];
  readonly joints: string[];
  readonly controlCount: number;
  /** How the file asks to be run. */
  readonly settings: tml_sim_settings;
  /** s */
  readonly duration: number;
  /** What the file asks for and is not simulated, or not as written: a sentence each. */
  readonly remarks: string[];
  sim(options?: SimOptions): Sim;
  free(): void;
}

/** One run. */
export interface Sim {
  readonly address: Pointer;
  readonly model: Model;
  /** So many steps, with one number per actuated axis. The state stays where a step fails, which throws. */
  step(controls?: ArrayLike<number> | null, steps?: number): this;
  /** s */
  readonly time: number;
  /** 7 a body: position, quaternion w x y z. */
  readonly poses: Float64Array;
  /** 6 a body: linear and angular, world axes. */
  readonly velocities: Float64Array;
  /** Free coordinates of all joints, in their order. */
  readonly coordinates: Float64Array;
  readonly rates: Float64Array;
  /** 6 a joint: force and moment on its follower, the base's joint axes. */
  readonly loads: Float64Array;
  readonly contacts: tml_contact[];
  readonly energy: tml_energy;
  /** Largest row of all joints. */
  readonly gap: number;
  reset(): this;
  save(): Uint8Array;
  restore(state: Uint8Array): this;
  free(): void;
}

export interface Trammel {
  readonly version: string;
  readonly Model: {
    fromText(text: string, name?: string): Model;
    fromObject(scene: object, name?: string): Model;
    fromFile(path: string): Model;
  };
  /** The C interface. Objects are addresses, structs are plain objects. */
  readonly lib: Library;
  writeFile(path: string, bytes: Uint8Array | string): void;
  readFile(path: string): Uint8Array;
}

export declare function load(options?: { wasm?: ArrayBuffer | Uint8Array }): Promise<Trammel>;
