"""A model in joint coordinates: mass matrix, bias, inverse and forward dynamics, Jacobians."""

import numpy as np

from ._library import check, ffi, lib, numbers, pointer, text


class Dynamics:
    """Stands at a state (q, v) in joint coordinates and answers what controllers ask.

    q has nq position numbers: coordinates of slides and turns, a unit quaternion (w x y z) where three turns
    meet or a body flies; v has nv rates. M(q) a + bias = applied + tau + J' multipliers.
    """

    def __init__(self, model):
        self.model = model
        out = ffi.new("tml_dynamics**")
        status = lib.tml_dynamics_create(model._model, ffi.NULL, out)
        self._d = ffi.gc(out[0], lib.tml_dynamics_destroy)
        self._check(status)
        #: position numbers of a state
        self.nq = lib.tml_dynamics_position_count(self._d)
        #: rates of a state
        self.nv = lib.tml_dynamics_rate_count(self._d)

    def _check(self, status):
        check(status, lambda: text(lib.tml_dynamics_message(self._d)))

    def _array(self, *shape):
        return np.empty(shape)

    def set(self, q, v=None, time=0.0):
        """Stand at a state and an instant."""
        q = numbers(q, (self.nq,), "q")
        v = None if v is None else numbers(v, (self.nv,), "v")
        self._check(lib.tml_dynamics_set(self._d, time, pointer(q), pointer(v)))
        return self

    def follow(self, sim):
        """Stand where a simulation of the model stands."""
        self._check(lib.tml_dynamics_follow(self._d, sim._sim))
        return self

    def state(self):
        """(q, v) where it stands."""
        q, v = self._array(self.nq), self._array(self.nv)
        lib.tml_dynamics_state(self._d, pointer(q), pointer(v), ffi.NULL, ffi.NULL)
        return q, v

    def poses(self):
        """(poses, velocities) of all bodies where it stands."""
        poses, velocities = self._array(self.model.nbody, 7), self._array(self.model.nbody, 6)
        lib.tml_dynamics_state(
            self._d, ffi.NULL, ffi.NULL, pointer(poses, "tml_pose*"), pointer(velocities, "tml_velocity*")
        )
        return poses, velocities

    def joint(self, name):
        """(slice of q, slice of v) of a joint; empty where the tree leaves it out."""
        place = lib.tml_dynamics_joint(self._d, [self.model.joint(name)])
        return _slices(place)

    def body(self, name):
        """(slice of q, slice of v) of a body that flies; empty for others."""
        return _slices(lib.tml_dynamics_body(self._d, [self.model.body(name)]))

    def move(self, q, motion):
        """q moved along nv numbers, quaternions on their sphere."""
        q, motion, out = numbers(q, (self.nq,), "q"), numbers(motion, (self.nv,), "motion"), self._array(self.nq)
        lib.tml_dynamics_move(self._d, pointer(q), pointer(motion), pointer(out))
        return out

    def difference(self, start, end):
        """The motion of nv numbers that leads from one q to another."""
        start, end = numbers(start, (self.nq,), "start"), numbers(end, (self.nq,), "end")
        out = self._array(self.nv)
        lib.tml_dynamics_difference(self._d, pointer(start), pointer(end), pointer(out))
        return out

    @property
    def mass_matrix(self):
        """M, nv x nv."""
        out = self._array(self.nv, self.nv)
        lib.tml_dynamics_mass_matrix(self._d, pointer(out))
        return out

    @property
    def bias(self):
        """Coriolis and centrifugal forces, less gravity's."""
        out = self._array(self.nv)
        lib.tml_dynamics_bias(self._d, pointer(out))
        return out

    @property
    def applied(self):
        """What all other forces of the model do: springs, servos, dampers, wrenches, motors."""
        out = self._array(self.nv)
        lib.tml_dynamics_applied(self._d, pointer(out))
        return out

    def inverse(self, a):
        """tau = M a + bias."""
        a, out = numbers(a, (self.nv,), "a"), self._array(self.nv)
        lib.tml_dynamics_inverse(self._d, pointer(a), pointer(out))
        return out

    def forward(self, tau=None):
        """Accelerations under tau beside what the model applies, with all rows held."""
        tau = None if tau is None else numbers(tau, (self.nv,), "tau")
        out = self._array(self.nv)
        self._check(lib.tml_dynamics_forward(self._d, pointer(tau), pointer(out), ffi.NULL))
        return out

    def jacobian(self, body, point=(0.0, 0.0, 0.0)):
        """6 x nv: velocity of a point of a body (body frame), then angular velocity, world axes."""
        out = self._array(6, self.nv)
        self._check(lib.tml_dynamics_jacobian(self._d, [self.model.body(body)], list(map(float, point)), pointer(out)))
        return out

    @property
    def rows(self):
        """J of the rows that hold: joints that close loops, couplings, position actuators."""
        out = self._array(lib.tml_dynamics_row_count(self._d), self.nv)
        lib.tml_dynamics_rows(self._d, pointer(out))
        return out

    def __repr__(self):
        return f"<trammel.Dynamics of '{self.model.name}': nq {self.nq}, nv {self.nv}>"


def _slices(place):
    return (
        slice(place.position, place.position + place.position_count),
        slice(place.rate, place.rate + place.rate_count),
    )
