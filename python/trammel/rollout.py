"""Open-loop rollouts of many rows, with the shapes of MuJoCo's rollout."""

import numpy as np

from ._library import BadArgument
from .batch import Batch


def rollout(model, control, initial=None, nstep=None, batch=None, skip=1, **settings):
    """Run rows open loop and return what they did.

    control: nrow x nstep x nu (leading ones are repeated; with nu 0 or None pass nstep). initial: None, or
    (coordinates, rates) with nrow x ncoordinate each. Answers a dictionary of arrays of nrow x nstep x ...: `time`, `poses`,
    `velocities`, `coordinates`, `rates`, and `status` (nrow): 0, or why a row stopped; the states behind its last
    step repeat it. `batch`: one to use again, of so many rows. `skip`: steps taken with each control.
    """
    nu = model.nu
    if control is None:
        if nstep is None:
            raise BadArgument("a rollout without controls needs nstep")
        control = None
        rows = 1 if initial is None else np.atleast_2d(initial[0]).shape[0]
    else:
        control = np.asarray(control, dtype=np.float64)
        control = control.reshape((1,) * (3 - control.ndim) + control.shape)
        if control.ndim != 3 or control.shape[2] != nu:
            raise BadArgument(f"control must be nrow x nstep x {nu}, but has shape {control.shape}")
        rows, nstep = control.shape[:2]
        if initial is not None:
            rows = max(rows, np.atleast_2d(initial[0]).shape[0])
    if batch is None:
        batch = Batch(model, rows, **settings)
    rows = batch.count
    if control is not None:
        control = np.broadcast_to(control, (rows, nstep, nu))
    batch.reset()
    if initial is not None:
        start, rates = initial if isinstance(initial, tuple) else (initial, None)
        failed = batch.set_coordinates(np.atleast_2d(start), None if rates is None else np.atleast_2d(rates))
        if failed.any():
            row = int(np.flatnonzero(failed)[0])
            raise BadArgument(f"row {row}: {batch.message(row)}")
    out = {
        "time": np.empty((rows, nstep)),
        "poses": np.empty((rows, nstep, model.nbody, 7)),
        "velocities": np.empty((rows, nstep, model.nbody, 6)),
        "coordinates": np.empty((rows, nstep, model.ncoordinate)),
        "rates": np.empty((rows, nstep, model.ncoordinate)),
        "status": np.zeros(rows, dtype=np.int32),
    }
    alive = np.ones(rows, dtype=bool)
    for k in range(nstep):
        status = batch.step(None if control is None else control[:, k], steps=skip, mask=alive)
        fresh = alive & (status != 0)
        out["status"][fresh] = status[fresh]
        alive &= ~fresh
        out["time"][:, k] = batch.times
        out["poses"][:, k] = batch.poses
        out["velocities"][:, k] = batch.velocities
        out["coordinates"][:, k] = batch.coordinates
        out["rates"][:, k] = batch.rates
    return out
