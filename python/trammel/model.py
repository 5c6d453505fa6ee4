"""Models: what exists."""

import json
import os

import numpy as np

from ._library import BadArgument, check, enum, ffi, lib, text

AXES = ("tx", "ty", "tz", "rx", "ry", "rz")


class Model:
    """A frozen model of bodies and joints, with the settings that its file asks for.

    Make one with `Model.from_file` (a scene in JSON; MJCF, URDF or SDF), `Model.from_dict`, `Model.from_xml` or
    `Model.from_json`. Bodies and joints are numbered as in the file; `model.body("rod")` is an index.
    """

    def __init__(self, scene, assemble=False):
        """Of a scene of the C library, which the model then owns; use the from_... functions."""
        self._scene = scene
        self._build()
        if assemble:
            self._assemble()
        run = lib.tml_scene_settings(scene)
        self._settings = ffi.new("tml_sim_settings*", run.sim)
        #: seconds that the file asks to be run
        self.duration = run.duration
        self._dynamics = None

    def _build(self):
        out = ffi.new("tml_model**")
        check(lib.tml_scene_build(self._scene, out), lambda: text(lib.tml_scene_message(self._scene)))
        self._model = ffi.gc(out[0], lib.tml_model_destroy)

    def _assemble(self):
        """Close joints that the file leaves open, at the nearest poses."""
        settings = ffi.new("tml_assemble_settings*", lib.tml_assemble_settings_default())
        poses, report, why = np.empty((self.nbody, 7)), ffi.new("tml_assemble_report*"), ffi.new("char[512]")
        at = ffi.cast("tml_pose*", poses.ctypes.data)
        check(lib.tml_model_assemble(self._model, settings, at, report, why, 512), lambda: text(why))
        spec = lib.tml_scene_spec(self._scene)
        check(lib.tml_spec_set_poses(spec, at), lambda: text(lib.tml_spec_message(spec)))
        self._build()

    @staticmethod
    def _empty(float_base=False, closures=None, keyframe=None, packages=None):
        scene = ffi.gc(lib.tml_scene_create(), lib.tml_scene_destroy)
        options = ffi.new("tml_load_options*", lib.tml_load_options_default())
        options.float_base = float_base
        kept = [ffi.new("char[]", s.encode()) if s is not None else ffi.NULL for s in (closures, keyframe, packages)]
        options.closures, options.keyframe, options.packages = kept
        check(lib.tml_scene_set_load_options(scene, options), lambda: text(lib.tml_scene_message(scene)))
        return scene

    @classmethod
    def from_file(cls, path, assemble=False, **options):
        """Read a scene (.json) or a robot (MJCF, URDF, SDF). assemble: joints that it leaves open, as robots with loops
        often do, are closed at the nearest poses; a simulation refuses open ones.

        Options of robots: float_base (URDF, SDF: the root link is free), closures (file of loop closures), keyframe (MJCF),
        packages ("NAME=DIR,...").
        """
        scene = cls._empty(**options)
        check(lib.tml_scene_read_file(scene, os.fsencode(path)), lambda: text(lib.tml_scene_message(scene)))
        return cls(scene, assemble)

    @classmethod
    def _from_text(cls, source, name, assemble=False, **options):
        scene = cls._empty(**options)
        data = source.encode() if isinstance(source, str) else bytes(source)
        check(
            lib.tml_scene_read_text(scene, data, len(data), name.encode()),
            lambda: text(lib.tml_scene_message(scene)),
        )
        return cls(scene, assemble)

    @classmethod
    def from_json(cls, source, name="scene", assemble=False):
        """Read a scene from JSON text."""
        return cls._from_text(source, name, assemble)

    @classmethod
    def from_dict(cls, scene, name="scene", assemble=False):
        """Read a scene from a dictionary with the keys of the scene format."""
        return cls._from_text(json.dumps({"trammel": 1, **scene}), name, assemble)

    @classmethod
    def from_xml(cls, source, name="model", **options):
        """Read a robot from XML text: MJCF, URDF or SDF. Options as in from_file."""
        return cls._from_text(source, name, **options)

    # ---- asking

    @property
    def name(self):
        """The name of the scene."""
        return text(lib.tml_model_name(self._model))

    @property
    def nbody(self):
        """How many bodies there are, the world not counted."""
        return lib.tml_model_body_count(self._model)

    @property
    def njoint(self):
        """How many joints there are."""
        return lib.tml_model_joint_count(self._model)

    @property
    def nu(self):
        """How many controls a step takes: actuated axes."""
        return lib.tml_model_control_count(self._model)

    @property
    def ninput(self):
        """How many inputs can be set: servo targets, tendon forces, activations, wrenches."""
        return lib.tml_model_input_count(self._model)

    @property
    def ncoordinate(self):
        """How many free axes all joints have together."""
        return lib.tml_model_coordinate_count(self._model)

    @property
    def nq(self):
        """How many position numbers a state has in joint coordinates (see Dynamics)."""
        return self.dynamics.nq

    @property
    def nv(self):
        """How many rates a state has in joint coordinates."""
        return self.dynamics.nv

    @property
    def dynamics(self):
        """A Dynamics of this model, made when first asked for."""
        from .dynamics import Dynamics

        if self._dynamics is None:
            self._dynamics = Dynamics(self)
        return self._dynamics

    @property
    def bodies(self):
        """The names of all bodies."""
        return [text(lib.tml_model_body_name(self._model, [i])) for i in range(self.nbody)]

    @property
    def joints(self):
        """The names of all joints."""
        return [text(lib.tml_model_joint_name(self._model, [i])) for i in range(self.njoint)]

    @property
    def coordinates(self):
        """The names of all free axes, "hinge.rx"."""
        joint, axis = ffi.new("tml_joint*"), ffi.new("tml_axis*")
        names = []
        for i in range(self.ncoordinate):
            lib.tml_model_coordinate(self._model, i, joint, axis)
            names.append(text(lib.tml_model_joint_name(self._model, joint[0])) + "." + AXES[axis[0]])
        return names

    @property
    def controls(self):
        """The names of all actuated axes, in the order in which a step takes them."""
        joint, axis, actuation = ffi.new("tml_joint*"), ffi.new("tml_axis*"), ffi.new("tml_actuation*")
        names = []
        for i in range(self.nu):
            lib.tml_model_control(self._model, i, joint, axis, actuation)
            names.append(text(lib.tml_model_joint_name(self._model, joint[0])) + "." + AXES[axis[0]])
        return names

    @property
    def inputs(self):
        """The names of all inputs: "shoulder.rx" of a servo, "rope" of a tendon, "wind.force.x" of a wrench."""
        out = ffi.new("tml_input*")
        names = []
        for i in range(self.ninput):
            lib.tml_model_input(self._model, i, out)
            name = text(out.name)
            if out.kind == lib.TML_INPUT_SERVO:
                name += "." + AXES[out.component]
            elif out.kind == lib.TML_INPUT_ACTIVATION:
                name += ".activation"
            elif out.kind == lib.TML_INPUT_FORCE:
                name += ".force." + "xyz"[out.component]
            elif out.kind == lib.TML_INPUT_TORQUE:
                name += ".torque." + "xyz"[out.component]
            names.append(name)
        return names

    def _index(self, what, given, count, find):
        if isinstance(given, str):
            index = find(self._model, given.encode()).index
            if index < 0 and not (what == "body" and given == "world"):
                raise BadArgument(f"there is no {what} '{given}'")
            return index
        index = int(given)
        if not 0 <= index < count:
            raise BadArgument(f"there is no {what} {index}; there are {count}")
        return index

    def body(self, name):
        """The index of a body by its name (an index answers itself); -1 for "world"."""
        return self._index("body", name, self.nbody, lib.tml_model_find_body)

    def joint(self, name):
        """The index of a joint by its name."""
        return self._index("joint", name, self.njoint, lib.tml_model_find_joint)

    @property
    def mass(self):
        """Of all bodies that can move, kg."""
        return lib.tml_model_summarise(self._model).mass

    @property
    def gravity(self):
        """Of the model, m/s2."""
        g = lib.tml_model_gravity(self._model)
        return np.array([g.x, g.y, g.z])

    @property
    def loops(self):
        """How many independent loops the joints close."""
        return lib.tml_model_summarise(self._model).loops

    @property
    def step(self):
        """The step that the file asks for, s."""
        return self._settings.step

    @property
    def lint(self):
        """Sentences about what a robot file uses and is not simulated."""
        return [text(lib.tml_scene_lint(self._scene, i)) for i in range(lib.tml_scene_lint_count(self._scene))]

    def to_json(self):
        """The resolved scene as text."""
        out, length = ffi.new("char**"), ffi.new("size_t*")
        check(
            lib.tml_scene_write_text(self._scene, out, length),
            lambda: text(lib.tml_scene_message(self._scene)),
        )
        try:
            return ffi.buffer(out[0], length[0])[:].decode()
        finally:
            lib.tml_text_free(out[0])

    def to_file(self, path):
        """Write the resolved scene: JSON, or MJCF (.xml) or URDF (.urdf) where that format can say it."""
        check(
            lib.tml_scene_write_file(self._scene, os.fsencode(path)),
            lambda: text(lib.tml_scene_message(self._scene)),
        )

    def settings(self, **changes):
        """The settings of a simulation as the file has them, with changes: formulation, integrator, step, tolerance,
        max_iterations, solver, threads, contact (True, False or a dictionary), implicit and affine (dictionaries)."""
        made = ffi.new("tml_sim_settings*", self._settings[0])
        if "formulation" in changes:
            name = changes["formulation"]
            made.formulation = enum(lib.tml_formulation_find, "tml_formulation", name, "formulation")
            if "integrator" not in changes and not lib.tml_pairing_exists(made.formulation, made.integrator):
                made.integrator = lib.tml_formulation_default_integrator(made.formulation)
        for key, value in changes.items():
            if key == "formulation":
                continue
            if key == "integrator":
                made.integrator = enum(lib.tml_integrator_find, "tml_integrator", value, "integrator")
            elif key == "solver":
                made.solver = enum(lib.tml_solver_find, "tml_solver", value, "solver")
            elif key == "contact" and not isinstance(value, dict):
                made.contact.is_on = bool(value)
            elif key in ("contact", "implicit", "affine"):
                part = getattr(made, key)
                for inner, number in value.items():
                    _assign(part, inner, number, f"{key}.")
            else:
                _assign(made, key, value, "")
        return made

    def sim(self, **settings):
        """A simulation of this model; settings as in Model.settings."""
        from .sim import Sim

        return Sim(self, **settings)

    def query(self):
        """Rays and distances among the shapes of this model."""
        from .query import Query

        return Query(self)

    def batch(self, count, **settings):
        """So many copies of this model, stepped together."""
        from .batch import Batch

        return Batch(self, count, **settings)

    def _repr_html_(self):
        from .page import shown

        return shown(self)

    def __repr__(self):
        parts = [f"{self.nbody} bodies", f"{self.njoint} joints", f"{self.nu} controls"]
        if self.loops:
            parts.append(f"{self.loops} loops")
        return f"<trammel.Model '{self.name}': {', '.join(parts)}, {self.mass:.4g} kg>"


def _assign(struct, key, value, where):
    known = [name for name, _ in ffi.typeof(struct).fields] if ffi.typeof(struct).kind == "struct" else []
    if ffi.typeof(struct).kind == "pointer":
        known = [name for name, _ in ffi.typeof(struct).item.fields]
    if key not in known or key == "allocator":
        known = ", ".join(k for k in known if k != "allocator")
        raise BadArgument(f"there is no setting '{where}{key}'; there are {known}")
    setattr(struct, key, value)
