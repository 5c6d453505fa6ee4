"""Trammel: the dynamics of jointed bodies, without drift.

    import trammel

    model = trammel.Model.from_file("robot.xml")
    sim = model.sim(step=0.002)
    sim.step(controls)
    sim.qpos, sim.poses, sim.loads

`Model` is what exists, `Sim` moves it, `Batch` moves many copies, `Dynamics` answers in joint coordinates,
`Step` has its
derivatives, `Derivatives` those of whole runs, `Recording` and `Recorder` are files, `View` shows them in a notebook, `Query` answers rays and distances, `Events` what begins and ends, `Problem` optimises, `Sweep` and `sweep` run a model many times.
`trammel.rollout`, `trammel.gym`, `trammel.torch`, `trammel.jax`: learning. Units are
SI and radians; quaternions are w x y z.
"""

from ._library import (
    BadArgument,
    BadFile,
    Cancelled,
    Error,
    Infeasible,
    NoMemory,
    NotConverged,
    Singular,
    TooManyContacts,
    Unsupported,
    ffi,
    lib,
    text as _text,
)
from .batch import Batch
from .derivatives import Backward, Derivatives
from .dynamics import Dynamics
from .model import Model
from .page import View
from .problem import Problem
from .query import Events, Query
from .recording import Recording
from .rollout import rollout
from .sim import CONTACT, Recorder, Sim
from .step import Step
from .sweeps import Sweep, join, sweep, to_frame

__version__ = _text(lib.tml_version())


def remark(function):
    """What the headers of the C library say about one of its functions: remark("tml_sim_step")."""
    from ._declarations import REMARKS

    return REMARKS[function]


__all__ = [
    "BadArgument",
    "Backward",
    "BadFile",
    "Batch",
    "CONTACT",
    "Cancelled",
    "Derivatives",
    "Dynamics",
    "Error",
    "Events",
    "Infeasible",
    "Model",
    "NoMemory",
    "NotConverged",
    "Problem",
    "Query",
    "Recorder",
    "Recording",
    "Sim",
    "Singular",
    "Step",
    "Sweep",
    "TooManyContacts",
    "Unsupported",
    "View",
    "ffi",
    "join",
    "lib",
    "remark",
    "rollout",
    "sweep",
    "to_frame",
]
