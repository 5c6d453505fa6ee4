"""Sweeps: the arrays of Python, the file of C, numpy and pandas and dask."""

import json
import os

import numpy as np
import pytest
import trammel

SWEEP = {
    "samples": 12,
    "seed": 5,
    "duration": 0.1,
    "parameters": [
        {"parameter": "mass", "of": "rod", "uniform": [0.5, 2]},
        {"parameter": "control", "of": "pin", "component": "rx", "normal": [0, 1]},
    ],
    "record": [
        {"quantity": "rate", "of": "pin", "component": "rx", "gradient": True},
        {"quantity": "coordinate", "of": "pin", "component": "rx", "take": "series", "every": 5},
    ],
}


def test_rows_are_runs(pendulum):
    sweep = trammel.Sweep(pendulum, SWEEP)
    assert len(sweep) == 12
    results = sweep.run(threads=2)
    assert results["pin.coordinate.rx.series"].shape == (12, 3)
    assert results["pin.rate.rx.final.gradient"].shape == (12, 2)
    assert (results["status"] == 1).all()
    # one of them the other way: a model of that mass, that torque
    scene = json.loads(pendulum.to_json())
    scene["bodies"][0]["mass"] = float(results["rod.mass"][4])
    sim = trammel.Model.from_dict(scene).sim()
    sim.step([results["pin.control.rx"][4]], steps=10)
    assert abs(sim.rates[0] - results["pin.rate.rx.final"][4]) < 1e-11


def test_pieces_are_the_whole(pendulum):
    sweep = trammel.Sweep(pendulum, SWEEP)
    whole = sweep.run()
    pieces = trammel.join(sweep.run(first, 4) for first in (0, 4, 8))
    for name, values in whole.items():
        assert np.array_equal(values, pieces[name]), name


def test_a_file_holds_the_same(pendulum, tmp_path):
    sweep = trammel.Sweep(pendulum, SWEEP)
    whole = sweep.run()
    report = sweep.run_file(tmp_path / "a.npz", first=0, count=5)
    assert report["computed"] == 5 and not report["is_complete"]
    report = sweep.run_file(tmp_path / "a.npz", threads=2)
    assert report["found"] == 5 and report["computed"] == 7 and report["is_complete"]
    with np.load(tmp_path / "a.npz") as file:
        for name, values in whole.items():
            assert name == "row" or np.array_equal(values, file[name]), name


def test_a_frame(pendulum, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = trammel.sweep(pendulum, SWEEP, frame=True)
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 12
    assert {"rod.mass", "pin.rate.rx.final", "status", "reason"} <= set(frame.columns)
    assert frame["rod.mass"].between(0.5, 2).all()


def test_failures_are_rows(pendulum):
    results = trammel.sweep(
        pendulum,
        {"parameters": [{"parameter": "mass", "of": "rod", "list": [1, -1]}], "record": [{"quantity": "kinetic"}], "duration": 0.01},
    )
    assert list(results["status"]) == [1, 2]
    assert b"mass of -1 kg" in results["reason"][1]
    with pytest.raises(trammel.BadArgument, match="no body 'stone'"):
        trammel.Sweep(pendulum, {"parameters": [{"parameter": "mass", "of": "stone", "grid": [1]}], "record": []})


# The recipe of docs/scale.md.
def test_what_is_no_plain_file_is_not_opened(pendulum, tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", tmp_path):
        with pytest.raises(OSError, match="not a plain file"):
            trammel.Sweep(pendulum, path)
    sweep = trammel.Sweep(pendulum, SWEEP)
    with pytest.raises(trammel.BadFile, match="no plain file"):
        sweep.run_file(pipe)
    with pytest.raises(IndexError):
        sweep.values(len(sweep))


def test_dask(pendulum, tmp_path):
    dask = pytest.importorskip("dask")
    scene = tmp_path / "scene.json"
    scene.write_text(pendulum.to_json())

    @dask.delayed
    def rows(first, count):
        return trammel.Sweep(scene, SWEEP).run(first, count)

    parts = dask.compute(*[rows(first, 4) for first in range(0, 12, 4)], scheduler="processes", num_workers=2)
    table = trammel.join(parts)
    whole = trammel.Sweep(scene, SWEEP).run()
    for name, values in whole.items():
        assert np.array_equal(values, table[name]), name
