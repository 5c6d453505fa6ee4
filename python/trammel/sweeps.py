"""Sweeps: one model run many times with other numbers."""

import json
import os

import numpy as np

from ._library import check, ffi, lib, pointer, text
from .model import Model

_ROW = np.dtype(
    [
        ("status", np.int32),
        ("why", np.int32),
        ("halvings", np.int32),
        ("padding", np.int32),
        ("end", np.float64),
        ("reason", "S200"),
    ]
)


_MOST_BYTES = 1 << 28


def _read_text(path):
    """As the library reads files: plain ones, that are looked at before they are opened."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(f"{os.fspath(path)}: cannot be read: it is not a plain file")
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size > _MOST_BYTES:
            raise OSError(f"{os.fspath(path)}: cannot be read: it is larger than 256 MiB")
        return file.read().decode("utf-8")


class Sweep:
    """A table of runs (docs/scale.md): a scene, and a SWEEP as a dict or the path of a file.

    sweep = Sweep("four-bar.json", {"samples": 100, "parameters": [...], "record": [...]})
    results = sweep.run(threads=2)        # a dict of arrays, a row each
    """

    def __init__(self, scene, sweep, **settings):
        #: the model that is run
        self.model = scene if isinstance(scene, Model) else Model.from_file(scene)
        is_file = isinstance(sweep, (str, os.PathLike))
        if is_file:
            self._text = _read_text(sweep)
        else:
            self._text = json.dumps(sweep)
        name = os.fsencode(sweep) if is_file else b"sweep"
        why = ffi.new("char[1024]")
        chosen = self.model.settings(**settings)
        source = self._text.encode()
        self._def = ffi.gc(ffi.new("tml_sweep_def*"), lib.tml_sweep_def_destroy)
        check(
            lib.tml_sweep_read_text(
                source, len(source), name, self.model._model, chosen.step, self.model.duration, self._def, why, 1024
            ),
            lambda: text(why),
        )
        out = ffi.new("tml_sweep**")
        status = lib.tml_sweep_create(self.model._model, chosen, self._def, out)
        self._sweep = ffi.gc(out[0], lib.tml_sweep_destroy)
        self._check(status)

    def _check(self, status):
        check(status, lambda: text(lib.tml_sweep_message(self._sweep)))

    def __len__(self):
        """How many rows there are."""
        return lib.tml_sweep_row_count(self._sweep)

    @property
    def parameters(self):
        """Names of the columns that vary."""
        return [text(self._def.parameters[i].name) for i in range(self._def.parameter_count)]

    @property
    def columns(self):
        """Names of the columns of results."""
        return [column for column, _, _ in self._columns()]

    def _columns(self):
        for i in range(lib.tml_sweep_column_count(self._sweep)):
            column = lib.tml_sweep_get_column(self._sweep, i)
            is_list = column.is_gradient or self._def.records[column.record].take == lib.TML_TAKE_SERIES
            width = column.width if is_list else None
            yield text(column.name), column.offset, width

    def values(self, row):
        """The numbers of a row, one a parameter."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        values = np.empty(self._def.parameter_count)
        lib.tml_sweep_values(self._sweep, row, pointer(values))
        return values

    def run(self, first=0, count=None, threads=1):
        """Rows first .. first + count - 1: a dict of arrays by the names that a file has, `row` among them."""
        count = len(self) - first if count is None else count
        rows = np.zeros(max(count, 0), _ROW)
        assert ffi.sizeof("tml_row") == _ROW.itemsize
        numbers = np.empty((max(count, 0), lib.tml_sweep_number_count(self._sweep)))
        self._check(
            lib.tml_sweep_run(
                self._sweep, first, count, threads, pointer(rows, "tml_row*"), pointer(numbers)
            )
        )
        results = {"row": np.arange(first, first + count)}
        results["status"] = rows["status"].astype(np.int8)
        results["halvings"] = rows["halvings"].astype(np.int8)
        results["end"] = rows["end"].copy()
        results["reason"] = rows["reason"].copy()
        chosen = np.array([self.values(row) for row in results["row"]]).reshape(count, -1)
        for i, name in enumerate(self.parameters):
            results[name] = chosen[:, i]
        for name, offset, width in self._columns():
            results[name] = numbers[:, offset].copy() if width is None else numbers[:, offset : offset + width].copy()
        return results

    def run_file(self, path, threads=1, first=0, count=0, scene=None):
        """Into an NPZ that goes on where it was, as `trammel sweep` does; a dict of what came of it. `scene` is the
        text that the file keeps of it; the model's by default."""
        options = lib.tml_sweep_options_default()
        kept = [ffi.new("char[]", (scene or self.model.to_json()).encode()), ffi.new("char[]", self._text.encode())]
        options.first, options.count, options.threads = first, count, threads
        options.scene, options.sweep = kept
        report = ffi.new("tml_sweep_report*")
        self._check(
            lib.tml_sweep_run_file(self._sweep, os.fsencode(path), ffi.new("tml_sweep_options*", options), report)
        )
        return {name: getattr(report, name) for name, _ in ffi.typeof("tml_sweep_report").fields}

    def __repr__(self):
        return f"<trammel.Sweep of '{self.model.name}': {len(self)} rows, {len(self.parameters)} parameters>"


def sweep(scene, definition, threads=1, frame=False, **settings):
    """All rows of a sweep: a dict of arrays, or with frame=True a pandas.DataFrame of the columns that are one
    number a row."""
    results = Sweep(scene, definition, **settings).run(threads=threads)
    return to_frame(results) if frame else results


def join(parts):
    """Results of several runs, rows behind each other."""
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def to_frame(results):
    """A pandas.DataFrame of the columns that are one number a row, indexed by `row` where there is one. Takes what `run`
    answers and what numpy.load reads."""
    import pandas

    names = results.files if hasattr(results, "files") else list(results)
    count = len(results["status"])
    arrays = {}
    for name in names:
        if name.endswith((".json", ".version", ".time")) or name == "row":
            continue
        array = results[name]
        if array.shape == (count,):
            arrays[name] = np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array
    index = pandas.Index(results["row"] if "row" in names else np.arange(count), name="row")
    return pandas.DataFrame(arrays, index=index)
