"""Units of FMI 3.0 that `trammel export` writes, judged and simulated by FMPy.

    check.py TRAMMEL FOLDER
"""

import csv
import json
import shutil
import subprocess
import sys
from ctypes import c_double, c_uint32
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)

# Two links on a slide, a motor on each: what every formulation runs.
SCENE = {
    "trammel": 1,
    "name": "cart & links <1>",
    "bodies": [
        {"name": "cart", "mass": 2, "inertia": [0.1, 0.1, 0.1]},
        {"name": "rod", "mass": 1, "inertia": [0.01, 0.083, 0.083], "position": [0.5, 0, 0]},
        {"name": "tip.1", "mass": 0.5, "inertia": [0.01, 0.04, 0.04], "position": [1.4, 0, 0]},
    ],
    "joints": [
        {"name": "slide", "type": "prismatic", "base": "world", "follower": "cart",
         "axis": [1, 0, 0], "actuation": "force"},
        {"name": "pin", "type": "revolute", "base": "cart", "follower": "rod", "axis": [0, 1, 0],
         "actuation": "force", "control": 2.5},
        {"name": "elbow", "type": "revolute", "base": "rod", "follower": "tip.1",
         "position": [1, 0, 0], "axis": [0, 1, 0], "damping": {"rx": 0.2}},
    ],
    "simulation": {"step": 0.005, "duration": 0.5},
}
(FOLDER / "cart.json").write_text(json.dumps(SCENE))


def trammel(*words):
    return subprocess.run([TOOL, *map(str, words)], check=True, capture_output=True, text=True).stdout


def export(scene, name, *words):
    path = FOLDER / name
    trammel("export", scene, path, *words)
    assert validate_fmu(str(path)) == [], (name, validate_fmu(str(path)))
    return path


class Unit:
    """An instance, its variables by name."""

    def __init__(self, path, token=None):
        self.description = read_model_description(str(path), validate=True)
        self.folder = extract(str(path))
        self.said = []
        self.slave = FMU3Slave(
            guid=token or self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.slave.instantiate(logMessage=lambda _e, _s, _c, text: self.said.append(text.decode()))

    def start(self):
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()
        self.time = 0.0
        return self

    def set(self, **values):
        for name, value in values.items():
            name = name.replace("__", ".")
            name = name + ".input" if name + ".input" in self.references else name
            self.slave.setFloat64([self.references[name]], [value])

    def get(self, *names):
        return np.array(self.slave.getFloat64([self.references[n] for n in names]))

    def step(self, size):
        self.slave.doStep(self.time, size)
        self.time += size

    def adjoint(self, outputs, inputs, seed):
        out = (c_double * len(inputs))()
        self.slave.fmi3GetAdjointDerivative(
            self.slave.component,
            (c_uint32 * len(outputs))(*[self.references[n] for n in outputs]), len(outputs),
            (c_uint32 * len(inputs))(*[self.references[n] for n in inputs]), len(inputs),
            (c_double * len(seed))(*seed), len(seed), out, len(inputs),
        )
        return np.array(out)

    def directional(self, outputs, inputs, seed):
        return np.array(self.slave.getDirectionalDerivative(
            [self.references[n] for n in outputs], [self.references[n] for n in inputs], seed))

    def close(self, terminate=True):
        if terminate:
            self.slave.terminate()
        self.slave.freeInstance()


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {k: np.array([float(r[k]) for r in rows]) for k in rows[0]}


def fails(call, unit, sentence):
    before = len(unit.said)
    try:
        call()
    except Exception:
        pass
    else:
        raise AssertionError(f"no error: {sentence}")
    assert any(sentence in text for text in unit.said[before:]), (sentence, unit.said[before:])


OUTPUTS = ["cart.px", "tip.1.pz", "tip.1.qy", "tip.1.vx", "rod.wy", "slide.tx", "pin.rx",
           "elbow.rx.rate", "pin.fz", "energy.total", "gap"]


def same_as_a_run(formulation):
    """FMPy's own master gives what `trammel run` records; steps that keep what derivatives need may round otherwise."""
    words = ["--formulation", formulation]
    path = export(FOLDER / "cart.json", f"run_{formulation}.fmu", *words, "--outputs",
                  ",".join(OUTPUTS))
    recording = FOLDER / f"{formulation}.csv"
    trammel("run", FOLDER / "cart.json", *words, "--out", recording, "--record",
            "pose,velocity,joints,energy,gap")
    expected = table(recording)
    got = simulate_fmu(str(path), output_interval=0.005)
    assert len(got) == len(expected["t"]) == 101
    for name in OUTPUTS:
        a, b = got[name], expected[name]
        if ".q" in name:  # a recording chooses the sign that the state before had
            a, b = np.abs(a), np.abs(b)
        assert np.array_equal(a, b), (formulation, name)
    assert np.ptp(got["pin.rx"]) > 0.1
    return path


def states_return(path):
    unit = Unit(path).start()
    for _ in range(7):
        unit.step(0.005)
    unit.set(slide__tx=3.0)
    state = unit.slave.getFMUState()
    unit.step(0.01)
    first = unit.get(*OUTPUTS)
    unit.set(slide__tx=-1.0)
    unit.step(0.01)
    unit.slave.setFMUState(state)
    unit.time = 0.035
    assert unit.get("slide.tx.input") == [3.0]
    unit.step(0.01)
    assert np.array_equal(unit.get(*OUTPUTS), first)
    # as bytes, in another instance
    raw = unit.slave.serializeFMUState(state)
    other = Unit(path).start()
    back = other.slave.deserializeFMUState(raw)
    other.slave.setFMUState(back)
    other.time = 0.035
    other.step(0.01)
    assert np.array_equal(other.get(*OUTPUTS), first)
    # bytes that were spoilt are no state, wherever; and leave the instance as it was
    before = other.get(*OUTPUTS)
    for at in [0, 9, 20, 30, 41, *range(48, len(raw), max(1, len(raw) // 40))]:
        spoilt = bytearray(raw)
        spoilt[at] ^= 1
        def put(spoilt=spoilt):
            other.slave.setFMUState(other.slave.deserializeFMUState(bytes(spoilt)))
        fails(put, other, "not a state of this unit")
    fails(lambda: other.slave.deserializeFMUState(raw[:5]), other, "not a state of this unit")
    assert np.array_equal(other.get(*OUTPUTS), before)
    # and reset: from the beginning, with the inputs of the beginning
    other.slave.reset()
    other.start()
    fresh = Unit(path).start()
    for u in (other, fresh):
        u.step(0.05)
    assert np.array_equal(other.get(*OUTPUTS), fresh.get(*OUTPUTS))
    unit.slave.freeFMUState(state)
    other.slave.freeFMUState(back)
    for u in (unit, other, fresh):
        u.close()


def derivatives_are_those_of_differences(formulation):
    outputs = ["tip.1.pz", "tip.1.vx", "rod.wy", "elbow.rx.rate", "energy.total", "tip.1.qy"]
    path = export(FOLDER / "cart.json", f"slopes_{formulation}.fmu", "--formulation", formulation,
                  "--inputs", "slide.tx,pin.rx", "--outputs", ",".join(outputs))
    inputs = ["slide.tx.input", "pin.rx.input"]
    unit = Unit(path).start()
    values = np.array([1.5, -0.7])
    unit.set(slide__tx=values[0], pin__rx=values[1])
    assert np.array_equal(unit.adjoint(outputs, inputs, [1.0] * len(outputs)), [0.0, 0.0])
    for _ in range(9):
        unit.step(0.005)
    state = unit.slave.getFMUState()

    def after(inputs_now):
        unit.slave.setFMUState(state)
        unit.time = 0.045
        unit.set(slide__tx=inputs_now[0], pin__rx=inputs_now[1])
        unit.step(0.02)
        return unit.get(*outputs)

    # central differences at two steps, extrapolated
    jacobian = np.empty((len(outputs), 2))
    for k in range(2):
        e = np.eye(2)[k]
        wide, near = (
            (after(values + h * e) - after(values - h * e)) / (2 * h) for h in (0.2, 0.1)
        )
        jacobian[:, k] = (4 * near - wide) / 3
    after(values)
    rng = np.random.default_rng(1)
    seed = rng.normal(size=len(outputs))
    adjoint = unit.adjoint(outputs, inputs, seed)
    scale = np.abs(seed[:, None] * jacobian).max()
    assert np.abs(adjoint - seed @ jacobian).max() < 1e-8 * scale, (adjoint, seed @ jacobian)
    along = rng.normal(size=2)
    forward = unit.directional(outputs, inputs, along)
    assert np.abs(forward - jacobian @ along).max() < 1e-8 * np.abs(jacobian).max()
    assert abs(forward @ seed - adjoint @ along) < 1e-12 * max(1.0, abs(adjoint @ along))
    assert np.abs(jacobian).max() > 1e-3
    unit.slave.freeFMUState(state)
    unit.close()


def pushes_push():
    scene = {"trammel": 1, "gravity": [0, 0, 0],
             "bodies": [{"name": "ball", "mass": 2, "inertia": [0.1, 0.1, 0.1]}],
             "simulation": {"step": 0.01}}
    (FOLDER / "ball.json").write_text(json.dumps(scene))
    # a formula of one step: those of several smear a push that ends
    path = export(FOLDER / "ball.json", "ball.fmu", "--integrator", "sdirk2", "--inputs", "ball.fx,ball.mz", "--outputs",
                  "ball.vx,ball.wz,ball.px")
    unit = Unit(path).start()
    unit.set(ball__fx=4.0, ball__mz=0.3)
    for _ in range(10):
        unit.step(0.01)
    # F/m t and F/m t^2/2 by any formula; M/J t but for the turn's own error, h^2
    pushed = unit.get("ball.vx", "ball.px", "ball.wz")
    assert np.abs(pushed[:2] - [0.2, 0.01]).max() < 1e-12 and abs(pushed[2] - 0.3) < 1e-5
    unit.set(ball__fx=0.0, ball__mz=0.0)
    unit.step(0.5)
    assert abs(unit.get("ball.vx")[0] - 0.2) < 1e-12 and abs(unit.get("ball.wz")[0] - 0.3) < 1e-4
    fails(lambda: unit.adjoint(["ball.vx"], ["ball.fx"], [1.0]), unit, "have no derivatives")
    unit.close()


def wrong_calls_are_told(path):
    unit = Unit(path)
    assert unit.slave.fmi3GetVersion() == b"3.0"
    fails(lambda: unit.slave.doStep(0.0, 0.005), unit, "not allowed while the instance is instantiated")
    fails(lambda: unit.slave.enterInitializationMode(startTime=float("nan")), unit, "a start at nan s")
    unit.start()
    fails(lambda: unit.slave.doStep(0.0, 0.007), unit, "no multiple of the scene's step")
    fails(lambda: unit.slave.doStep(0.1, 0.005), unit, "the unit is at 0 s, not at 0.1 s")
    fails(lambda: unit.slave.setFloat64([unit.references["gap"]], [1.0]), unit, "is no input")
    fails(lambda: unit.slave.getFloat64([999]), unit, "there is no variable 999")
    fails(lambda: unit.set(pin__rx=float("nan")), unit, "'pin.rx.input' is not finite")
    fails(lambda: unit.adjoint(["gap"], ["pin.rx.input"], [1.0]), unit, "no output that has derivatives")
    # none of that has hurt it
    unit.step(0.005)
    unit.close()
    try:
        Unit(path, token="{another}")
    except Exception:
        pass
    else:
        raise AssertionError("a wrong token was taken")


def reference_checks(path):
    """What the Reference FMUs are asked by their own tests, where it is about co-simulation of Float64 variables."""
    plain = simulate_fmu(str(path), output_interval=0.005)
    # an experiment of the description's; a start and a stop of the user's: the scene begins where the run does
    default = simulate_fmu(str(path))
    assert default["time"][0] == 0.0 and abs(default["time"][-1] - 0.5) < 1e-12
    later = simulate_fmu(str(path), start_time=0.5, stop_time=1.0, output_interval=0.005)
    assert later["time"][0] == 0.5 and abs(later["time"][-1] - 1.0) < 1e-12
    far = simulate_fmu(str(path), start_time=1e6, stop_time=1e6 + 0.5, output_interval=0.005)
    for name in OUTPUTS:
        assert np.array_equal(later[name], plain[name]) and np.array_equal(far[name], plain[name]), name
    # intervals, chosen outputs
    coarse = simulate_fmu(str(path), output_interval=0.125)
    assert np.allclose(np.diff(coarse["time"]), 0.125, atol=1e-12)
    assert coarse["tip.1.pz"][-1] == plain["tip.1.pz"][-1]
    some = simulate_fmu(str(path), output=["pin.rx", "gap"])
    assert set(some.dtype.names) == {"time", "pin.rx", "gap"}
    # start values; inputs of a table, which the master interpolates and holds where the table ends
    pushed = simulate_fmu(str(path), start_values={"slide.tx.input": 4.0}, output=["slide.tx.input", "cart.px"])
    assert (pushed["slide.tx.input"] == 4.0).all() and pushed["cart.px"][-1] > coarse["cart.px"][-1] + 0.1
    table_in = np.array([(0.0, 0.0), (0.2, 2.0), (0.3, 1.0)], dtype=[("time", float), ("slide.tx.input", float)])
    driven = simulate_fmu(str(path), input=table_in, output_interval=0.05, output=["slide.tx.input"])
    # what was held in the step that ends there
    assert np.allclose(driven["slide.tx.input"], [0, 0, 0.5, 1, 1.5, 2, 1.5, 1, 1, 1, 1], atol=1e-9)
    # early return and events may be allowed: there are none
    calm = simulate_fmu(str(path), output_interval=0.005, early_return_allowed=True, use_event_mode=False)
    assert np.array_equal(calm["tip.1.pz"], plain["tip.1.pz"])
    # a state that another instance left, as bytes: the run goes on, without an initialization of its own
    first = Unit(path).start()
    for _ in range(50):
        first.step(0.005)
    raw = first.slave.serializeFMUState(first.slave.getFMUState())
    second = Unit(path)
    second.slave.setFMUState(second.slave.deserializeFMUState(raw))
    second.time = first.time
    assert np.array_equal(second.get(*OUTPUTS), first.get(*OUTPUTS))
    for _ in range(50):
        second.step(0.005)
    assert np.array_equal(second.get(*OUTPUTS), [plain[n][-1] for n in OUTPUTS])
    for u in (first, second):
        u.close()
    # every call is logged and answered
    calls = []
    simulate_fmu(str(path), debug_logging=True, fmi_call_logger=calls.append)
    assert any("DoStep" in c for c in calls) and not any("fmi3Error" in c for c in calls)


def export_tells_what_is_wrong():
    for words, sentence in [
        ((FOLDER / "cart.json", FOLDER / "x.zip"), "ends with .fmu"),
        ((FOLDER / "cart.json", FOLDER / "x.fmu", "--inputs", "elbow.rx"), "'elbow.rx' that could be an input"),
        ((FOLDER / "cart.json", FOLDER / "x.fmu", "--outputs", "pin.ty"), "'pin.ty' that could be an output"),
        ((FOLDER / "cart.json", FOLDER / "x.fmu", "--outputs", "gap,gap"), "'gap' is there twice"),
    ]:
        r = subprocess.run([TOOL, "export", *map(str, words)], capture_output=True, text=True)
        assert r.returncode == 2 and sentence in r.stderr, (words, r.stderr)
    assert not (FOLDER / "x.fmu").exists()


for formulation in ("quaternion", "variational", "affine", "generalized"):
    path = same_as_a_run(formulation)
    states_return(path)
    derivatives_are_those_of_differences(formulation)
    print(f"{formulation}: as a run, states, derivatives")
pushes_push()
wrong_calls_are_told(path)
reference_checks(path)
export_tells_what_is_wrong()
# larger units of the tool's own scenes: a loop, position drives, contact, a robot of 33 freedoms
for scene, words in [("scene:showcase", []), ("scene:robot-arm", []), ("scene:gripper", []),
                     ("scene:atlas", ["--duration", "0.05"]), ("scene:bouncing-balls", ["--outputs", "gap"])]:
    path = export(scene, f"{scene[6:].replace('-', '_')}.fmu", "--duration", "0.1", *words)
    result = simulate_fmu(str(path))
    assert len(result) > 5 and all(np.isfinite(result[n]).all() for n in result.dtype.names), scene
print("pushes, wrong calls, the checks of the Reference FMUs, five scenes of the tool")
