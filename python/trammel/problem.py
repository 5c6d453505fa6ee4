"""Problems: numbers to choose and something to be made small."""

import os

import numpy as np

from ._library import check, ffi, lib, numbers, pointer, text
from .model import Model


class Problem:
    """A PROBLEM file (docs/problem.md) and its scene.

    problem = Problem("throw.problem.json")
    value, gradient = problem.evaluate(problem.start)
    best = problem.optimize()
    """

    def __init__(self, path):
        why, scene = ffi.new("char[512]"), ffi.new("char[4096]")
        path = os.fsencode(path)
        check(lib.tml_problem_read_scene(path, scene, 4096, why, 512), lambda: text(why))
        #: the model of its scene
        self.model = Model.from_file(text(scene))
        self._def = ffi.gc(ffi.new("tml_problem_def*"), _forget)
        settings = self.model.settings()
        check(
            lib.tml_problem_read_file(
                path, self.model._model, settings.step, self.model.duration, self._def, why, 512
            ),
            lambda: text(why),
        )
        out = ffi.new("tml_problem**")
        status = lib.tml_problem_create(self.model._model, settings, self._def, out)
        self._problem = ffi.gc(out[0], lib.tml_problem_destroy)
        self._check(status)

    @classmethod
    def from_file(cls, path):
        """The same as Problem(path)."""
        return cls(path)

    def _check(self, status):
        check(status, lambda: text(lib.tml_problem_message(self._problem)))

    @property
    def count(self):
        """How many variables there are."""
        return self._def.variable_count

    @property
    def start(self):
        """The first guess."""
        return np.array([self._def.variables[i].start for i in range(self.count)])

    @property
    def bounds(self):
        """(lower, upper)"""
        listed = self._def.variables
        return (
            np.array([listed[i].lower for i in range(self.count)]),
            np.array([listed[i].upper for i in range(self.count)]),
        )

    @property
    def names(self):
        """A part of a sentence a variable: "mass of body 'rod'"."""
        room, names = ffi.new("char[256]"), []
        for i in range(self.count):
            lib.tml_parameter_describe(
                self.model._model, ffi.addressof(self._def.variables[i], "parameter"), room, 256
            )
            names.append(text(room))
        return names

    def evaluate(self, x):
        """(objective, gradient) at x."""
        x, gradient, value = numbers(x, (self.count,), "x"), np.empty(self.count), ffi.new("double*")
        self._check(lib.tml_problem_evaluate(self._problem, pointer(x), value, pointer(gradient)))
        return value[0], gradient

    def __call__(self, x):
        """The objective at x."""
        x, value = numbers(x, (self.count,), "x"), ffi.new("double*")
        self._check(lib.tml_problem_evaluate(self._problem, pointer(x), value, ffi.NULL))
        return value[0]

    def optimize(self, x=None, progress=None):
        """(best x, report). `progress(report, x)` is called after every iteration; answering True ends the search."""
        x = np.array(self.start if x is None else numbers(x, (self.count,), "x"))
        report = ffi.new("tml_optimize_report*")
        raised = []

        @ffi.callback("tml_optimize_progress")
        def tell(_, so_far, at):
            try:
                here = np.frombuffer(ffi.buffer(at, 8 * self.count), dtype=np.float64).copy()
                return 1 if progress(_fields(so_far[0]), here) else 0
            except BaseException as problem:  # an exception must not pass through C
                raised.append(problem)
                return 1

        status = lib.tml_problem_optimize(
            self._problem, pointer(x), ffi.NULL if progress is None else tell, ffi.NULL, report
        )
        if raised:
            raise raised[0]
        self._check(status)
        return x, _fields(report[0])

    def __repr__(self):
        method = text(lib.tml_method_name(self._def.method))
        return f"<trammel.Problem on '{self.model.name}': {self.count} variables, {self._def.steps} steps, {method}>"


def _fields(struct):
    return {name: getattr(struct, name) for name, _ in ffi.typeof(struct).fields}


def _forget(definition):
    lib.tml_problem_def_destroy(definition)
