"""Runs that remember how they went, and their derivatives: forwards, backwards, and back step by step."""

import numpy as np

from ._library import BadArgument, check, ffi, lib, numbers, pointer, text
from .sim import Sim

_XYZ, _AXES = "x y z", "tx ty tz rx ry rz"
_PARAMETER_KINDS = {  # what they are of, and the names of their components
    "gravity": (None, _XYZ),
    "mass": ("body", ""),
    "inertia": ("body", "xx yy zz xy xz yz"),
    "com": ("body", _XYZ),
    "pose": ("body", _AXES),
    "velocity": ("body", _AXES),
    "joint_position": ("joint", _XYZ),
    "joint_turn": ("joint", _XYZ),
    "joint_stiffness": ("joint", _AXES),
    "joint_damping": ("joint", _AXES),
    "joint_rest": ("joint", _AXES),
    "servo_stiffness": ("joint", _AXES),
    "servo_damping": ("joint", _AXES),
    "joint_weight": ("joint", _AXES),
    "spring_stiffness": ("spring", ""),
    "spring_damping": ("spring", ""),
    "spring_rest": ("spring", ""),
    "friction": ("body", ""),
    "restitution": ("body", ""),
    "control": ("control", ""),
}
_QUANTITY_KINDS = {
    "position": ("body", _XYZ),
    "quaternion": ("body", "w x y z"),
    "velocity": ("body", _XYZ),
    "angular_velocity": ("body", _XYZ),
    "contact_force": ("body", _XYZ),
    "coordinate": ("joint", _AXES),
    "rate": ("joint", _AXES),
    "force": ("joint", _XYZ),
    "moment": ("joint", _XYZ),
    "kinetic": (None, ""),
    "potential": (None, ""),
}


def _spring(model, name):
    names = [text(lib.tml_model_spring(model._model, i).name) for i in range(lib.tml_model_spring_count(model._model))]
    if name not in names:
        raise BadArgument(f"there is no spring '{name}'")
    return names.index(name)


def _control(model, name):
    names = model.controls
    if name not in names:
        raise BadArgument(f"there is no control '{name}'; there are {', '.join(names)}")
    return names.index(name)


_FIND = {
    None: lambda model, name: 0,
    "body": lambda model, name: model.body(name),
    "joint": lambda model, name: model.joint(name),
    "spring": _spring,
    "control": _control,
}


def _resolve(model, given, table, find, kind, what):
    """(kind, index, component) of "mass rod", "position hand x", ("coordinate", "pin", "rx")."""
    words = given.split() if isinstance(given, str) else list(given)
    if not words or words[0] not in table:
        raise BadArgument(f"there is no {what} '{given}'; there are {', '.join(table)}")
    of, labels = table[words[0]]
    labels = labels.split()
    wanted = 1 + (of is not None) + bool(labels)
    if len(words) != wanted:
        form = " ".join([words[0], *([of.upper()] if of else []), *(["|".join(labels)] if labels else [])])
        raise BadArgument(f"{what} '{given}' is told as '{form}'")
    component = 0
    if labels:
        if words[-1] not in labels:
            raise BadArgument(f"{what} '{given}' has no component '{words[-1]}'; there are {', '.join(labels)}")
        component = labels.index(words[-1])
    out = ffi.new(f"{kind}*")
    find(words[0].encode(), out)
    return out[0], _FIND[of](model, words[1] if of else None), component


def _parameters(model, listed):
    """An array of tml_parameter; controls are those of all steps."""
    out = ffi.new("tml_parameter[]", max(len(listed), 1))
    for p, given in zip(out, listed):
        p.kind, p.index, p.component = _resolve(
            model, given, _PARAMETER_KINDS, lib.tml_parameter_kind_find, "tml_parameter_kind", "parameter"
        )
    return out


class Derivatives:
    """A run of a model, with the exact derivatives of its discrete steps.

        run = trammel.Derivatives(model, step=0.002)
        for u in controls:
            run.step(u)
        run.values(["position hand x"])                       # of all states: (steps + 1) x 1
        run.gradient(["position hand x"], weights, parameters=["mass rod", "velocity rod tz"])
        run.control_gradient(["position hand x"], weights)    # steps x nu

    Quantities and parameters are words: "position BODY x|y|z", "coordinate JOINT tx|...|rz", "kinetic"; "mass BODY",
    "joint_stiffness JOINT rx", "control JOINT.AXIS" (docs/problem.md lists them); a name that has a blank is given as
    ("mass", "the rod"). Weights have a row a state, the initial one first, and a column a quantity: the loss is the sum of their products
    with `values`. `backward` goes back step by step, for policies in the loop.
    """

    def __init__(self, model, memory=0, **settings):
        self.model = model
        made = model.settings(**settings)
        out = ffi.new("tml_derivatives**")
        status = lib.tml_derivatives_create(model._model, made, memory, out)
        self._d = ffi.gc(out[0], lib.tml_derivatives_destroy)
        self._check(status)
        #: the step, s
        self.dt = made.step

    def _check(self, status):
        check(status, lambda: text(lib.tml_derivatives_message(self._d)))

    def step(self, controls=None, steps=1):
        """Take steps. Controls are parameters where they are given."""
        if controls is not None:
            controls = numbers(controls, (self.model.nu,), "controls")
        for _ in range(steps):
            self._check(lib.tml_derivatives_step(self._d, pointer(controls)))
        return self

    @property
    def steps(self):
        """How many were taken."""
        return lib.tml_derivatives_steps(self._d)

    @property
    def sim(self):
        """Where the run stands, a Sim to be read, not moved; good until the run is changed."""
        return Sim._borrowed(self.model, lib.tml_derivatives_sim(self._d), self)

    def restart(self):
        """Forget the run: back to the initial state."""
        lib.tml_derivatives_restart(self._d)
        return self

    def change(self, changes):
        """Run with other numbers from the start: {"mass rod": 0.2} adds 0.2 kg to the model as given; {}: as given."""
        listed = _parameters(self.model, list(changes))
        by = np.array(list(changes.values()), dtype=np.float64)
        self._check(lib.tml_derivatives_change(self._d, len(changes), listed, pointer(by)))
        return self

    def slopes(self, name):
        """Of steps that touch, for passes from now on: "exact", "continuous_bounce" or "complementarity_aware"."""
        names = [text(lib.tml_contact_slopes_name(i)) for i in range(lib.TML_SLOPES)]
        if name not in names:
            raise BadArgument(f"there are no slopes '{name}'; there are {', '.join(names)}")
        self._check(lib.tml_derivatives_set_contact_slopes(self._d, names.index(name)))
        return self

    @property
    def flags(self):
        """What the last pass met, as a dictionary: steps whose slopes hold on one side only and the like."""
        flags = lib.tml_derivatives_last_flags(self._d)
        return {name: getattr(flags, name) for name, _ in ffi.typeof(flags).fields}

    # ---- asking

    def _quantities(self, listed, steps):
        kinds = [
            _resolve(self.model, q, _QUANTITY_KINDS, lib.tml_quantity_kind_find, "tml_quantity_kind", "quantity")
            for q in listed
        ]
        out = ffi.new("tml_quantity[]", max(len(listed) * len(steps), 1))
        at = 0
        for step in steps:
            for kind, index, component in kinds:
                out[at].kind, out[at].index, out[at].component, out[at].step = kind, index, component, step
                at += 1
        return out

    def _weighted(self, listed, weights):
        """The quantities that have a weight, and these."""
        weights = numbers(weights, (self.steps + 1, len(listed)), "weights")
        steps = np.flatnonzero(weights.any(axis=1))
        return self._quantities(listed, [int(k) for k in steps]), np.ascontiguousarray(weights[steps]).ravel()

    def values(self, quantities, steps=None):
        """Of the states after these steps, a row each (None: all of them, the initial one first)."""
        steps = range(self.steps + 1) if steps is None else list(steps)
        out = np.empty((len(steps), len(quantities)))
        listed = self._quantities(quantities, steps)
        self._check(lib.tml_derivatives_values(self._d, out.size, listed, pointer(out)))
        return out

    def forward(self, changes, quantities, steps=None):
        """How the quantities change when parameters do, {"mass rod": 1.0}, in the shape of `values`."""
        steps = range(self.steps + 1) if steps is None else list(steps)
        out, by = np.empty((len(steps), len(quantities))), np.array(list(changes.values()), dtype=np.float64)
        self._check(
            lib.tml_derivatives_forward(
                self._d,
                len(changes),
                _parameters(self.model, list(changes)),
                pointer(by),
                out.size,
                self._quantities(quantities, steps),
                pointer(out),
            )
        )
        return out

    def gradient(self, quantities, weights, parameters):
        """Of the weighted sum, by each parameter, in one pass backwards. A control counts in all steps."""
        listed, weights = self._weighted(quantities, weights)
        out = np.empty(len(parameters))
        self._check(
            lib.tml_derivatives_gradient(
                self._d, weights.size, listed, pointer(weights), len(parameters), _parameters(self.model, parameters), pointer(out)
            )
        )
        return out

    def control_gradient(self, quantities, weights):
        """Of the weighted sum, by the controls of each step: steps x nu, in one pass backwards."""
        weights = numbers(weights, (self.steps + 1, len(quantities)), "weights")
        out = np.empty((self.steps, self.model.nu))
        back = self.backward()
        for k in range(self.steps, 0, -1):
            out[k - 1] = back.seed(quantities, weights[k]).step()
        back.seed(quantities, weights[0]).end()
        return out

    def backward(self, parameters=()):
        """Begin to go back, see Backward. `parameters`: whose gradient its end answers."""
        return Backward(self, list(parameters))

    def __repr__(self):
        return f"<trammel.Derivatives of '{self.model.name}': {self.steps} steps of {self.dt:g} s>"


class Backward:
    """A pass that goes back step by step, for runs whose controls follow their states: what a policy saw of state
    k - 1 gets its share of the gradient by the controls of step k. The whole takes time in proportion to the steps.

        back = run.backward()
        for k in range(run.steps, 0, -1):
            back.seed(quantities, weights_of_state_k)
            by_controls = back.step()             # of step k
            ...                                   # by the policy: weights of what it saw of state k - 1
        back.seed(quantities, weights_of_state_0)
        gradient = back.end()
    """

    def __init__(self, run, parameters):
        self._run = run
        self._count = len(parameters)
        self._listed = _parameters(run.model, parameters)
        run._check(lib.tml_derivatives_back_begin(run._d, self._count, self._listed))

    @property
    def at(self):
        """The step whose state is seeded next; -1: the pass is over."""
        return lib.tml_derivatives_back_at(self._run._d)

    def seed(self, quantities, weights):
        """Add weights of quantities of the state where the pass stands."""
        weights = numbers(weights, (len(quantities),), "weights")
        listed = self._run._quantities(quantities, [max(self.at, 0)])
        self._run._check(lib.tml_derivatives_back_seed(self._run._d, len(quantities), listed, pointer(weights)))
        return self

    def step(self):
        """Go over one step; answers the gradient by its controls."""
        out = np.zeros(self._run.model.nu)
        self._run._check(lib.tml_derivatives_back_step(self._run._d, pointer(out)))
        return out

    def end(self):
        """Go over all that is left; answers the gradient by the parameters that the pass began with."""
        out = np.empty(self._count)
        self._run._check(lib.tml_derivatives_back_end(self._run._d, self._count, self._listed, pointer(out)))
        return out
