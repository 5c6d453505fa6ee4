"""One step as a function of a state and controls, with its derivatives."""

import numpy as np

from ._library import check, ffi, lib, numbers, pointer, text


class Step:
    """Steps of formulation `generalized` from states that the caller gives.

        step = Step(model, step=0.002)
        q, v = step.initial
        q, v = step(q, v, controls)
        A, B = step.jacobian()                 # of the step taken last

    Derivatives are by 2 nv numbers of a state, a motion of q (`model.dynamics.move`) and a change of v, and by controls.
    """

    def __init__(self, model, **settings):
        self.model = model
        settings.setdefault("formulation", "generalized")
        made = model.settings(**settings)
        #: the step, s
        self.dt = made.step
        out = ffi.new("tml_step**")
        status = lib.tml_step_create(model._model, made, out)
        self._step = ffi.gc(out[0], lib.tml_step_destroy)
        self._check(status)
        #: position numbers, rates and controls
        self.nq = lib.tml_step_position_count(self._step)
        self.nv = lib.tml_step_rate_count(self._step)
        self.nu = lib.tml_step_control_count(self._step)
        self._balls = self._find_balls()

    def _check(self, status):
        check(status, lambda: text(lib.tml_step_message(self._step)))

    @property
    def initial(self):
        """(q, v) of the model."""
        q, v = np.empty(self.nq), np.empty(self.nv)
        lib.tml_step_initial(self._step, pointer(q), pointer(v))
        return q, v

    def __call__(self, q, v, controls=None, time=0.0):
        """(q, v) one step later."""
        q, v = numbers(q, (self.nq,), "q"), numbers(v, (self.nv,), "v")
        if controls is not None:
            controls = numbers(controls, (self.nu,), "controls")
        q1, v1 = np.empty(self.nq), np.empty(self.nv)
        self._check(
            lib.tml_step_take(self._step, time, pointer(q), pointer(v), pointer(controls), pointer(q1), pointer(v1))
        )
        return q1, v1

    def jacobian(self):
        """(A, B) of the step taken last: 2 nv x 2 nv by the state, 2 nv x nu by controls."""
        A, B = np.empty((2 * self.nv, 2 * self.nv)), np.empty((2 * self.nv, self.nu))
        self._check(lib.tml_step_jacobian(self._step, pointer(A), pointer(B)))
        return A, B

    def jvp(self, state=None, controls=None):
        """A state + B controls, one row a direction."""
        rows = [np.atleast_2d(x) for x in (state, controls) if x is not None]
        count = max(len(r) for r in rows)
        state = None if state is None else numbers(np.atleast_2d(state), (count, 2 * self.nv), "state")
        controls = None if controls is None else numbers(np.atleast_2d(controls), (count, self.nu), "controls")
        out = np.empty((count, 2 * self.nv))
        self._check(lib.tml_step_jvp(self._step, count, pointer(state), pointer(controls), pointer(out)))
        return out

    def vjp(self, weights):
        """(A' weights, B' weights), one row a weight of the new state."""
        weights = np.atleast_2d(weights)
        weights = numbers(weights, (len(weights), 2 * self.nv), "weights")
        state, controls = np.empty((len(weights), 2 * self.nv)), np.empty((len(weights), self.nu))
        self._check(
            lib.tml_step_vjp(self._step, len(weights), pointer(weights), pointer(state), pointer(controls))
        )
        return state, controls

    # ---- plain numbers instead of motions: what automatic differentiation asks

    def _find_balls(self):
        """Where states have quaternions: their first numbers by their first rates. Numbers and rates go side by side;
        a slide or a turn moves its own number by as much, a ball does not."""
        d, (q, _) = self.model.dynamics, self.initial
        balls, number, rate = {}, 0, 0
        while rate < self.nv:
            motion = np.zeros(self.nv)
            motion[rate] = 0.25
            moved = d.move(q, motion) - q
            is_plain = abs(moved[number] - 0.25) < 1e-12 and np.count_nonzero(moved) == 1
            if not is_plain:
                balls[rate] = number
            number, rate = (number + 1, rate + 1) if is_plain else (number + 4, rate + 3)
        return balls

    def _spread(self, q):
        """dq of a motion: nq x nv, at q."""
        out = np.zeros((self.nq, self.nv))
        number = rate = 0
        while rate < self.nv:
            if rate in self._balls:
                w, x, y, z = q[number : number + 4]
                # q times half the rotation vector, in the outer axes
                out[number : number + 4, rate : rate + 3] = 0.5 * np.array(
                    [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]
                )
                number, rate = number + 4, rate + 3
            else:
                out[number, rate] = 1.0
                number, rate = number + 1, rate + 1
        return out

    def pull(self, q, q1, by_q1, by_v1):
        """Gradients by (q, v, controls) of the step taken last, from (q) to (q1), all as plain numbers; what
        changes the length of a quaternion changes nothing."""
        weights = np.concatenate([self._spread(q1).T @ by_q1, by_v1])
        state, controls = self.vjp(weights)
        spread = self._spread(q)
        # a motion changes a quaternion by half of it: the way back is four times the transposed one
        back = spread.copy()
        for rate, number in self._balls.items():
            back[number : number + 4, rate : rate + 3] *= 4.0
        return back @ state[0, : self.nv], state[0, self.nv :], controls[0]

    def __repr__(self):
        return f"<trammel.Step of '{self.model.name}': nq {self.nq}, nv {self.nv}, nu {self.nu}, {self.dt:g} s>"
