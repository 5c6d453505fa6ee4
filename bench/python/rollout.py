"""Steps a second of many rows: Trammel's Batch beside MuJoCo's rollout, the same file, step and controls.

    PYTHONPATH=python python bench/python/rollout.py MODEL.xml [...] [--rows 64] [--steps 100] [--step 0.002]

Prints CSV: model, engine, method, threads, rows x steps a second, and how far the loops of the model are open at the end
(largest gap of equality rows, m; 0 where there are none). Needs the packages trammel and mujoco.
"""

import argparse
import concurrent.futures
import pathlib
import time

import numpy as np

import trammel


def best_of(times, run):
    return min(run() for _ in range(times))


def ours(path, a, threads):
    model = trammel.Model.from_file(path, assemble=True)
    settings = {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": a.step, "contact": True}
    batch = model.batch(a.rows, threads=threads, **settings)
    controls = np.random.default_rng(0).uniform(-0.1, 0.1, (a.steps, a.rows, model.nu))
    failed = 0

    def run():
        nonlocal failed
        batch.reset()
        start = time.perf_counter()
        for k in range(a.steps):
            failed = int((batch.step(controls[k]) != 0).sum())
        return time.perf_counter() - start

    seconds = best_of(3, run)
    sim = model.sim(**settings)
    gap = max(batch.read(i, sim).gap for i in range(min(a.rows, 8))) if model.loops else 0.0
    return a.rows * a.steps / seconds, gap, failed


def theirs(path, a, threads):
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = a.step
    datas = [mujoco.MjData(model) for _ in range(threads)]
    start = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, start, 0)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, start, state, kind)
    controls = np.random.default_rng(0).uniform(-0.1, 0.1, (a.rows, a.steps, model.nu))

    def run():
        begun = time.perf_counter()
        rollout.rollout(model, datas, np.tile(state, (a.rows, 1)), controls)
        return time.perf_counter() - begun

    seconds = best_of(3, run)
    gap = 0.0
    if model.neq:
        for k in range(a.steps):
            start.ctrl[:] = controls[0, k]
            mujoco.mj_step(model, start)
        mujoco.mj_forward(model, start)
        rows = start.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        gap = float(np.abs(start.efc_pos[rows]).max()) if rows.any() else 0.0
    return a.rows * a.steps / seconds, gap, 0


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("models", nargs="+", type=pathlib.Path)
    words.add_argument("--rows", type=int, default=64)
    words.add_argument("--steps", type=int, default=100)
    words.add_argument("--step", type=float, default=0.002)
    a = words.parse_args()
    print("model,engine,threads,row_steps_per_second,gap,failed_rows")
    for path in a.models:
        for threads in (1, 2):
            for engine, run in (("trammel", ours), ("mujoco", theirs)):
                rate, gap, failed = run(path, a, threads)
                print(f"{path.parent.name}/{path.stem},{engine},{threads},{rate:.0f},{gap:.2g},{failed}", flush=True)


if __name__ == "__main__":
    main()
