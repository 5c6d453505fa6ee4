"""Derivatives of whole runs in Python: against differences, forwards against backwards, and policies in the loop."""

import numpy as np
import pytest
import trammel

CART = {
    "name": "cart",
    "bodies": [
        {"name": "cart", "mass": 1.2, "inertia": [0.1, 0.1, 0.1]},
        {"name": "pole", "mass": 0.7, "inertia": [0.05, 0.06, 0.01], "position": [0, 0, 0.5]},
        {"name": "the ball", "mass": 0.3, "inertia": [0.01, 0.01, 0.01], "position": [0, 0, 1.2]},
    ],
    "joints": [
        {"name": "rail", "type": "prismatic", "base": "world", "follower": "cart", "axis": [1, 0, 0], "actuation": "force"},
        {"name": "pin", "type": "revolute", "base": "cart", "follower": "pole", "axis": [0, 1, 0], "actuation": "force"},
    ],
    "forces": [
        {"type": "spring", "name": "wire", "a": ["pole", [0, 0, 0.5]], "b": ["the ball", [0, 0, 0]], "stiffness": 40, "damping": 1}
    ],
}
METHODS = [("quaternion", "bdf2"), ("variational", "variational"), ("affine", "energy"), ("generalized", "projected")]
LOSS = ["position pole x", "rate pin rx", ("velocity", "the ball", "z"), "kinetic"]


def run_of(method, changes=None, controls=None):
    model = trammel.Model.from_dict(CART)
    run = trammel.Derivatives(model, formulation=method[0], integrator=method[1], step=0.01)
    if changes:
        run.change(changes)
    controls = np.sin(np.arange(24)).reshape(12, 2) if controls is None else controls
    for u in controls:
        run.step(u)
    return run


@pytest.mark.parametrize("method", METHODS)
def test_gradients_by_parameters_and_controls(method):
    weights = np.cos(np.arange(13 * 4)).reshape(13, 4)
    weights[5] = 0.0
    names = ["mass pole", "velocity cart tx", "spring_stiffness wire", "joint_damping pin rx", ("mass", "the ball"), "gravity z"]
    run = run_of(method)
    gradient = run.gradient(LOSS, weights, names)

    def loss(changes=None, controls=None):
        return float((run_of(method, changes, controls).values(LOSS) * weights).sum())

    h = 1e-5
    for name, slope in zip(names, gradient):
        assert slope == pytest.approx((loss({name: h}) - loss({name: -h})) / (2 * h), rel=1e-5, abs=1e-7), name
    forward = run.forward({names[0]: 1.0, names[4]: -2.0}, LOSS)
    assert (forward * weights).sum() == pytest.approx(gradient[0] - 2 * gradient[4], rel=1e-9)
    by_controls = run.control_gradient(LOSS, weights)
    assert by_controls.shape == (12, 2)
    u = np.sin(np.arange(24)).reshape(12, 2)
    for k, i in ((0, 0), (6, 1), (11, 0)):
        e = np.zeros_like(u)
        e[k, i] = 1e-5
        slope = (loss(None, u + e) - loss(None, u - e)) / 2e-5
        assert by_controls[k, i] == pytest.approx(slope, rel=1e-5, abs=1e-8)
    assert run.gradient(LOSS, weights, ["control pin.rx"])[0] == pytest.approx(by_controls[:, 1].sum(), rel=1e-10)
    last = run.values(["position pole x"], [12])[0, 0]
    assert run.sim.poses[1, 0] == pytest.approx(last, abs=1e-15) and run.sim.time == pytest.approx(0.12)
    assert run.restart().steps == 0


def test_a_policy_in_the_loop_takes_one_pass(pendulum):
    see = ["coordinate pin rx", "rate pin rx"]

    def episode(gain, steps=40):
        run = trammel.Derivatives(pendulum, step=0.01, formulation="variational", integrator="variational")
        loss = 0.0
        for _ in range(steps):
            seen = run.values(see, [run.steps])[0]
            u = -gain @ np.tanh(seen)
            run.step([u])
            loss += 0.5 * 0.01 * u**2
        return run, loss + run.values(see, [steps])[0] @ [3.0, 1.0]

    gain = np.array([2.0, 0.7])
    run, _ = episode(gain)
    seen = run.values(see)
    back, slope, weights = run.backward(["mass rod"]), np.zeros(2), np.array([3.0, 1.0])
    for k in range(run.steps, 0, -1):
        assert back.at == k
        by_u = back.seed(see, weights).step()[0]
        x = np.tanh(seen[k - 1])
        by_u += 0.01 * (-gain @ x)
        slope -= by_u * x
        weights = -by_u * gain * (1 - x**2)
    assert back.seed(see, weights).end().shape == (1,) and back.at == -1
    for i in range(2):
        e = np.zeros(2)
        e[i] = 1e-6
        assert slope[i] == pytest.approx((episode(gain + e)[1] - episode(gain - e)[1]) / 2e-6, rel=1e-6)
    with pytest.raises(trammel.BadArgument):
        back.step()  # the pass is over


def test_words_that_mean_nothing_are_refused(pendulum):
    run = trammel.Derivatives(pendulum)
    for words, sentence in [
        ("positon rod x", "no quantity 'positon rod x'; there are position,"),
        ("position rod", r"is told as 'position BODY x\|y\|z'"),
        ("position rod w", "no component 'w'; there are x, y, z"),
        ("position bar x", "no body 'bar'"),
        ("coordinate pin tx", "held"),
    ]:
        with pytest.raises(trammel.BadArgument, match=sentence):
            run.values([words])
    with pytest.raises(trammel.BadArgument, match="no control 'pin.ry'; there are pin.rx"):
        run.gradient(["kinetic"], np.ones((1, 1)), ["control pin.ry"])
    with pytest.raises(trammel.BadArgument, match="no slopes 'steep'"):
        run.slopes("steep")
    assert run.slopes("exact").flags["tied_steps"] == 0 and "0 steps" in repr(run)


def test_every_kind_is_known_by_its_components():
    """The tables of the module are those of the library: each sentence names what was asked for."""
    from trammel import derivatives

    model = trammel.Model.from_dict(CART)
    names = {"body": "pole", "joint": "pin", "spring": "wire", "control": "pin.rx", None: None}
    room = trammel.ffi.new("char[256]")
    lib = trammel.lib
    for table, count, name_of, call in (
        (derivatives._PARAMETER_KINDS, lib.TML_PARAMETER_KINDS, lib.tml_parameter_kind_name, "parameter"),
        (derivatives._QUANTITY_KINDS, lib.TML_QUANTITY_KINDS, lib.tml_quantity_kind_name, "quantity"),
    ):
        assert list(table) == [trammel.ffi.string(name_of(i)).decode() for i in range(count)]
        for kind, (of, labels) in table.items():
            for label in labels.split() or [""]:
                words = [w for w in (kind, names[of], label) if w]
                find = getattr(lib, f"tml_{call}_kind_find")
                made = trammel.ffi.new(f"tml_{call}*")
                made.kind, made.index, made.component = derivatives._resolve(
                    model, words, table, find, f"tml_{call}_kind", call
                )
                getattr(lib, f"tml_{call}_describe")(model._model, made, room, 256)
                said = trammel.ffi.string(room).decode()
                assert said.startswith(" ".join(w for w in (kind, label) if w)) and (of is None or "'p" in said or "wire" in said)
