"""Simulations: models that move."""

import os

import numpy as np

from ._library import BadArgument, check, ffi, lib, numbers, pointer, text

#: what a row of Sim.contacts holds: bodies a and b (-1: the world), point, normal from b to a, gap, force on a
CONTACT = np.dtype(
    [
        ("a", np.int32),
        ("b", np.int32),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("gap", np.float64),
        ("force", np.float64, 3),
        ("deformable", np.int32),
        ("vertex", np.int32),
        ("surface_point", np.int32),
        ("_", np.int32),
    ]
)


class Sim:
    """One model moving in time by one formulation and one integrator.

        sim = model.sim(formulation="generalized", step=0.002)
        for _ in range(500):
            sim.step(controls)
        sim.poses[model.body("hand")]

    Arrays are copies of the last accepted state: `poses` (position, quaternion w x y z), `velocities` (linear,
    angular), `coordinates`, `rates`, `loads`, and `qpos`, `qvel` in joint coordinates (see Dynamics).
    A step that fails raises and leaves the state as it was.
    """

    def __init__(self, model, **settings):
        self.model = model
        made = model.settings(**settings)
        out = ffi.new("tml_sim**")
        status = lib.tml_sim_create(model._model, made, out)
        self._sim = ffi.gc(out[0], lib.tml_sim_destroy)
        self._check(status)

    @classmethod
    def _borrowed(cls, model, sim, owner):
        """One that belongs to something else, which lives as long."""
        made = cls.__new__(cls)
        made.model, made._sim, made._owner = model, ffi.cast("tml_sim*", sim), owner
        return made

    def _check(self, status):
        check(status, lambda: text(lib.tml_sim_message(self._sim)))

    # ---- moving

    def step(self, controls=None, steps=1):
        """Take steps. `controls`: one number per actuated axis; None: those of the model."""
        if controls is not None:
            controls = numbers(controls, (self.model.nu,), "controls")
        given = pointer(controls)
        for _ in range(steps):
            status = lib.tml_sim_step(self._sim, given)
            if status != 0:
                self._check(status)
        return self

    def reset(self):
        """Back to where it began, bit for bit."""
        self._check(lib.tml_sim_reset(self._sim))
        return self

    def reserve(self, contacts):
        """Make room for so many contacts."""
        self._check(lib.tml_sim_reserve(self._sim, contacts))

    # ---- asking

    @property
    def time(self):
        """s"""
        return lib.tml_sim_time(self._sim)

    @property
    def dt(self):
        """The step, s."""
        return lib.tml_sim_get_settings(self._sim).step

    def _all(self, call, kind, *shape):
        out = np.empty(shape)
        call(self._sim, pointer(out, kind))
        return out

    @property
    def poses(self):
        """Body frames: nbody x (x y z, w x y z)."""
        return self._all(lib.tml_sim_poses, "tml_pose*", self.model.nbody, 7)

    @property
    def velocities(self):
        """Of body frames, world axes: nbody x (linear, angular)."""
        return self._all(lib.tml_sim_velocities, "tml_velocity*", self.model.nbody, 6)

    @property
    def coordinates(self):
        """Of all free axes, angles unwrapped; model.coordinates has their names."""
        return self._all(lib.tml_sim_coordinates, "double*", self.model.ncoordinate)

    @property
    def rates(self):
        """Of the coordinates."""
        return self._all(lib.tml_sim_rates, "double*", self.model.ncoordinate)

    @property
    def loads(self):
        """What joints transmit: njoint x (force, moment) on the follower, in the base's joint axes."""
        return self._all(lib.tml_sim_loads, "tml_load*", self.model.njoint, 6)

    @property
    def controls(self):
        """As they acted last."""
        return self._all(lib.tml_sim_controls, "double*", self.model.nu)

    @property
    def qpos(self):
        """The position numbers in joint coordinates."""
        return self.model.dynamics.follow(self).state()[0]

    @property
    def qvel(self):
        """The rates in joint coordinates."""
        return self.model.dynamics.follow(self).state()[1]

    @property
    def contacts(self):
        """The contacts of the last step, as a structured array (trammel.CONTACT)."""
        out = np.empty(lib.tml_sim_contact_count(self._sim), dtype=CONTACT)
        lib.tml_sim_contacts(self._sim, pointer(out, "tml_contact*"), len(out))
        return out

    @property
    def sensors(self):
        """What every sensor of the model says, by name: a float, or an array of three or four."""
        out = {}
        said = ffi.new("double[4]")
        for i in range(lib.tml_model_sensor_count(self.model._model)):
            count = lib.tml_sim_sensor(self._sim, i, said)
            name = ffi.string(lib.tml_model_sensor(self.model._model, i).name).decode()
            out[name] = said[0] if count == 1 else np.array(list(said[0:count]))
        return out

    @property
    def energy(self):
        """(kinetic, potential), J."""
        energy = lib.tml_sim_energy(self._sim)
        return energy.kinetic, energy.potential

    @property
    def gap(self):
        """The largest |row|, m or rad."""
        return lib.tml_sim_gap(self._sim)

    @property
    def report(self):
        """Counts of steps, iterations, restarts and the like, as a dictionary."""
        report = lib.tml_sim_get_report(self._sim)
        out = {}
        for name, field in ffi.typeof(report).fields:
            value = getattr(report, name)
            if field.type.kind == "pointer":
                value = text(value)
            elif field.type.kind == "struct":
                value = value.index
            out[name] = value
        return out

    def pose(self, body):
        """(position, quaternion) of one body."""
        p = lib.tml_sim_pose(self._sim, [self.model.body(body)])
        return np.array([p.p.x, p.p.y, p.p.z]), np.array([p.q.w, p.q.x, p.q.y, p.q.z])

    def explain(self):
        """A paragraph about unknowns, sizes and solvers."""
        size = lib.tml_sim_explain(self._sim, ffi.NULL, 0) + 1
        out = ffi.new("char[]", size)
        lib.tml_sim_explain(self._sim, out, size)
        return text(out)

    # ---- setting

    def set_state(self, poses, velocities=None, nearest=False, time=None):
        """Poses and velocities of all bodies. nearest: assemble them first; time: at another time, with the model's
        controls there."""
        poses = numbers(poses, (self.model.nbody, 7), "poses")
        if velocities is not None:
            velocities = numbers(velocities, (self.model.nbody, 6), "velocities")
        p, v = pointer(poses, "tml_pose*"), pointer(velocities, "tml_velocity*")
        if time is not None:
            self._check(lib.tml_sim_set_state_at(self._sim, time, p, v))
        elif nearest:
            self._check(lib.tml_sim_set_nearest_state(self._sim, p, v))
        else:
            self._check(lib.tml_sim_set_state(self._sim, p, v))
        return self

    def set_coordinates(self, coordinates, rates=None):
        """All free axes at once; loops close at the nearest poses."""
        count = (self.model.ncoordinate,)
        coordinates = numbers(coordinates, count, "coordinates")
        rates = None if rates is None else numbers(rates, count, "rates")
        self._check(lib.tml_sim_set_coordinates(self._sim, pointer(coordinates), pointer(rates)))
        return self

    def set_qpos(self, qpos, qvel=None):
        """A state in joint coordinates; loops close at the nearest poses."""
        poses, velocities = self.model.dynamics.set(qpos, qvel, self.time).poses()
        return self.set_state(poses, velocities, nearest=self.model.loops > 0)

    def set_joint(self, joint, axis, value):
        """Move one axis; the mechanism follows."""
        names = ("tx", "ty", "tz", "rx", "ry", "rz")
        if axis not in names:
            raise BadArgument(f"there is no axis '{axis}'; there are {', '.join(names)}")
        self._check(lib.tml_sim_set_joint(self._sim, [self.model.joint(joint)], names.index(axis), value))
        return self

    def save(self):
        """All that the next step depends on, as bytes."""
        size = lib.tml_sim_state_size(self._sim)
        out = bytearray(size)
        self._check(lib.tml_sim_save(self._sim, ffi.from_buffer(out)))
        return bytes(out)

    def restore(self, state):
        """Go on from saved bytes, with the same bits."""
        self._check(lib.tml_sim_restore(self._sim, ffi.from_buffer(state), len(state)))
        return self

    def copy_from(self, other):
        """Go on from the state of another simulation of the same model and settings."""
        self._check(lib.tml_sim_copy(self._sim, other._sim))
        return self

    # ---- hands

    def push(self, body, force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0), point=(0.0, 0.0, 0.0), add=False):
        """Let a force at a point of a body (body frame) and a torque act from now on, world axes. It replaces what
        acted on the body, unless add."""
        call = lib.tml_sim_add_push if add else lib.tml_sim_push
        vectors = [list(map(float, v)) for v in (point, force, torque)]
        self._check(call(self._sim, [self.model.body(body)], *vectors))
        return self

    def let_go(self):
        """End all pushes."""
        zero = [0.0, 0.0, 0.0]
        self._check(lib.tml_sim_push(self._sim, [-1], zero, zero, zero))
        return self

    def set_wrenches(self, wrenches):
        """Force at the centre of mass and torque of every body, nbody x 6, in place of all pushes; None: none."""
        if wrenches is not None:
            wrenches = numbers(wrenches, (self.model.nbody, 6), "wrenches")
        self._check(lib.tml_sim_set_wrenches(self._sim, pointer(wrenches, "tml_load*")))
        return self

    def set_inputs(self, inputs):
        """Hold all inputs (model.inputs) at these values; None: what the model says."""
        if inputs is not None:
            inputs = numbers(inputs, (self.model.ninput,), "inputs")
        self._check(lib.tml_sim_set_inputs(self._sim, pointer(inputs)))
        return self

    @property
    def gravity(self):
        """That acts here, m/s2; can be set."""
        g = lib.tml_sim_gravity(self._sim)
        return np.array([g.x, g.y, g.z])

    @gravity.setter
    def gravity(self, value):
        self._check(lib.tml_sim_set_gravity(self._sim, list(map(float, value))))

    def _repr_html_(self):
        from .page import shown

        return shown(self.model, self)

    def __repr__(self):
        settings = lib.tml_sim_get_settings(self._sim)
        method = text(lib.tml_formulation_name(settings.formulation))
        method += "/" + text(lib.tml_integrator_name(settings.integrator))
        return f"<trammel.Sim of '{self.model.name}': t = {self.time:.6g} s, step {settings.step:g} s, {method}>"


class Recorder:
    """Writes a recording while a simulation runs: CSV, NPZ or GLB by the file's ending.

    with Recorder(sim, "run.csv", "pose,velocity") as recorder:
        for _ in range(100):
            sim.step()
            recorder.write()
    """

    def __init__(self, sim, path, columns="pose,energy,gap"):
        self.sim = sim
        found, bad = ffi.new("int*"), ffi.new("const char**")
        if not lib.tml_record_find(columns.encode(), found, bad):
            raise BadArgument(f"there are no columns '{columns}'")
        why, out = ffi.new("char[512]"), ffi.new("tml_recorder**")
        check(
            lib.tml_recorder_create(sim._sim, os.fsencode(path), found[0], why, 512, out),
            lambda: text(why),
        )
        self._recorder = out[0]
        self.write()

    def write(self):
        """Append the state where the simulation stands."""
        check(lib.tml_recorder_write(self._recorder, self.sim._sim), lambda: "the recording cannot be written")

    def close(self):
        """Finish the file."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            check(lib.tml_recorder_close(recorder), lambda: "the recording could not be finished")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
