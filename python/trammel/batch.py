"""Batches: many copies of one model, stepped together."""

import numpy as np

from ._library import check, ffi, lib, numbers, pointer, text


class Batch:
    """`count` rows, each the state of a simulation of its own; `threads` of them are stepped side by side.

        batch = model.batch(1024, threads=2)
        status = batch.step(controls)        # controls: 1024 x nu
        batch.poses                           # 1024 x nbody x 7

    A row that fails keeps its state; `status` has one number a row, 0 where all is well, and `message(row)` the
    sentence.
    """

    def __init__(self, model, count, **settings):
        self.model = model
        made = model.settings(**settings)
        out = ffi.new("tml_batch**")
        status = lib.tml_batch_create(model._model, made, count, out)
        self._batch = ffi.gc(out[0], lib.tml_batch_destroy)
        self._check(status)
        #: how many rows there are
        self.count = count
        self._step = made.step

    def _check(self, status):
        check(status, lambda: self.message(-1))

    def message(self, row):
        """Why a row failed last; "" where it did not."""
        return text(lib.tml_batch_message(self._batch, row))

    def __len__(self):
        return self.count

    @property
    def dt(self):
        """The step, s."""
        return self._step

    @property
    def nbytes(self):
        """That the states of all rows take."""
        return lib.tml_batch_bytes(self._batch)

    def _mask(self, mask):
        if mask is None:
            return None
        mask = np.asarray(mask)
        if mask.dtype != bool:
            picked = np.zeros(self.count, dtype=bool)
            picked[mask] = True
            mask = picked
        return np.ascontiguousarray(np.broadcast_to(mask, (self.count,)), dtype=np.uint8)

    def step(self, controls=None, steps=1, mask=None):
        """Take steps with these controls held (count x nu; one row: for all). Answers a status a row."""
        if controls is not None:
            controls = numbers(controls, (self.count, self.model.nu), "controls")
        mask = self._mask(mask)
        status = np.zeros(self.count, dtype=np.int32)
        lib.tml_batch_step(
            self._batch, pointer(mask, "unsigned char*"), pointer(controls), steps, pointer(status, "tml_status*")
        )
        return status

    def reset(self, mask=None):
        """Rows of the mask (booleans or indices; None: all) back to where they start."""
        mask = self._mask(mask)
        lib.tml_batch_reset(self._batch, pointer(mask, "unsigned char*"))
        return self

    def set_start(self, sim):
        """Where rows are reset to from now on."""
        self._check(lib.tml_batch_set_start(self._batch, sim._sim))
        return self

    def read(self, row, sim):
        """A row into a simulation of the same model and settings."""
        self._check(lib.tml_batch_read(self._batch, row, sim._sim))
        return sim

    def write(self, row, sim):
        """The state of a simulation into a row."""
        self._check(lib.tml_batch_write(self._batch, row, sim._sim))
        return self

    def copy_row(self, start, end):
        """One row becomes another."""
        self._check(lib.tml_batch_copy_row(self._batch, start, end))
        return self

    def set_coordinates(self, coordinates, rates=None, mask=None):
        """All free axes of each row. Answers a status a row."""
        shape = (self.count, self.model.ncoordinate)
        coordinates = numbers(coordinates, shape, "coordinates")
        rates = None if rates is None else numbers(rates, shape, "rates")
        mask = self._mask(mask)
        status = np.zeros(self.count, dtype=np.int32)
        lib.tml_batch_set_coordinates(
            self._batch,
            pointer(mask, "unsigned char*"),
            pointer(coordinates),
            pointer(rates),
            pointer(status, "tml_status*"),
        )
        return status

    def set_states(self, poses, velocities=None, mask=None):
        """Poses and velocities of all bodies of each row. Answers a status a row."""
        poses = numbers(poses, (self.count, self.model.nbody, 7), "poses")
        if velocities is not None:
            velocities = numbers(velocities, (self.count, self.model.nbody, 6), "velocities")
        mask = self._mask(mask)
        status = np.zeros(self.count, dtype=np.int32)
        lib.tml_batch_set_states(
            self._batch,
            pointer(mask, "unsigned char*"),
            pointer(poses, "tml_pose*"),
            pointer(velocities, "tml_velocity*"),
            pointer(status, "tml_status*"),
        )
        return status

    def set_inputs(self, inputs):
        """Of each row, count x ninput; None: what the model says."""
        if inputs is not None:
            inputs = numbers(inputs, (self.count, self.model.ninput), "inputs")
        self._check(lib.tml_batch_set_inputs(self._batch, pointer(inputs)))
        return self

    def set_wrenches(self, wrenches):
        """Force and torque on each body of each row, count x nbody x 6; None: none."""
        if wrenches is not None:
            wrenches = numbers(wrenches, (self.count, self.model.nbody, 6), "wrenches")
        self._check(lib.tml_batch_set_wrenches(self._batch, pointer(wrenches, "tml_load*")))
        return self

    def set_gravity(self, gravity):
        """Of each row, count x 3; None: that of the model."""
        if gravity is not None:
            gravity = numbers(gravity, (self.count, 3), "gravity")
        self._check(lib.tml_batch_set_gravity(self._batch, pointer(gravity, "tml_vec3*")))
        return self

    def set_contact_shift(self, shift):
        """Added to friction and restitution of each body's contacts, count x nbody x 2; None: nothing."""
        if shift is not None:
            shift = numbers(shift, (self.count, self.model.nbody, 2), "shift")
        self._check(lib.tml_batch_set_contact_shift(self._batch, pointer(shift)))
        return self

    # ---- reading

    def get(self, kind, shape, out=None):
        """An array of all rows; `out`: where to write it, a contiguous array of doubles."""
        shape = (self.count, *shape)
        if out is None:
            out = np.empty(shape)
        elif out.shape != shape or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of doubles of shape {shape}")
        self._check(lib.tml_batch_get(self._batch, kind, pointer(out)))
        return out

    @property
    def times(self):
        """Of each row, s."""
        return self.get(lib.TML_BATCH_TIME, ())

    @property
    def poses(self):
        """count x nbody x (x y z, w x y z)"""
        return self.get(lib.TML_BATCH_POSES, (self.model.nbody, 7))

    @property
    def velocities(self):
        """count x nbody x (linear, angular)"""
        return self.get(lib.TML_BATCH_VELOCITIES, (self.model.nbody, 6))

    @property
    def coordinates(self):
        """count x ncoordinate"""
        return self.get(lib.TML_BATCH_COORDINATES, (self.model.ncoordinate,))

    @property
    def rates(self):
        """count x ncoordinate"""
        return self.get(lib.TML_BATCH_RATES, (self.model.ncoordinate,))

    @property
    def loads(self):
        """count x njoint x (force, moment)"""
        return self.get(lib.TML_BATCH_LOADS, (self.model.njoint, 6))

    @property
    def controls(self):
        """As they acted last, count x nu"""
        return self.get(lib.TML_BATCH_CONTROLS, (self.model.nu,))

    @property
    def energies(self):
        """count x (kinetic, potential)"""
        return self.get(lib.TML_BATCH_ENERGY, (2,))

    @property
    def contact_forces(self):
        """Of all contacts on each body over the last step, count x nbody x 3, world axes."""
        return self.get(lib.TML_BATCH_FORCES, (self.model.nbody, 3))

    def __repr__(self):
        return f"<trammel.Batch of '{self.model.name}': {self.count} rows, {self.nbytes / 1e6:.3g} MB>"
