"""Derivatives of steps in Python: against differences, and by the checkers of PyTorch and JAX."""

import numpy as np
import pytest
import trammel

ARM = {
    "name": "arm",
    "bodies": [
        {"name": "a", "mass": 1.0, "inertia": [0.1, 0.2, 0.25], "position": [0.5, 0, 0], "com": [0.1, 0, 0.05]},
        {"name": "b", "mass": 1.0, "inertia": [0.1, 0.15, 0.1], "position": [1.5, 0, 0]},
        {"name": "free", "mass": 2.0, "inertia": [0.1, 0.2, 0.25], "position": [0, 0, 3]},
    ],
    "joints": [
        {"name": "shoulder", "type": "spherical", "base": "world", "follower": "a", "position": [0, 0, 0]},
        {
            "name": "elbow",
            "type": "universal",
            "base": "a",
            "follower": "b",
            "position": [1, 0, 0],
            "actuation": "force",
            "damping": {"rx": 0.1},
        },
    ],
}


@pytest.fixture
def model():
    return trammel.Model.from_dict(ARM)


def moving(step):
    q, v = step.initial
    v = np.sin(1.0 + 2.0 * np.arange(step.nv))
    for _ in range(10):
        q, v = step(q, v, [0.5, -1.0])
    return q, v


def test_a_step_and_its_jacobian(model):
    step = trammel.Step(model, integrator="semi_implicit_euler", step=0.01)
    assert (step.nq, step.nv, step.nu) == (13, 11, 2) and "nq 13" in repr(step)
    q, v = moving(step)
    q1, v1 = step(q, v, [0.5, -1.0])
    A, B = step.jacobian()
    u = np.array([0.5, -1.0])
    h = 1e-6
    d = model.dynamics
    for k in range(2):
        e = np.zeros(2)
        e[k] = h
        (qa, va), (qb, vb) = step(q, v, u - e), step(q, v, u + e)
        np.testing.assert_allclose(B[:, k], np.concatenate([d.difference(qa, qb), vb - va]) / (2 * h), atol=1e-7)
    step(q, v, u)
    w = np.cos(np.arange(2 * step.nv))
    np.testing.assert_allclose(step.vjp(w)[0][0], A.T @ w, atol=1e-10)
    np.testing.assert_allclose(step.vjp(w)[1][0], B.T @ w, atol=1e-10)
    np.testing.assert_allclose(step.jvp(w, u)[0], A @ w + B @ u, atol=1e-10)
    with pytest.raises(trammel.Unsupported, match="quaternion"):
        trammel.Step(model, formulation="quaternion", integrator="bdf2")


def test_plain_gradients_are_those_of_motions(model):
    step = trammel.Step(model, integrator="rk4", step=0.01)
    q, v = moving(step)
    u = np.array([0.5, -1.0])
    rng = np.random.default_rng(2)
    by_q, by_v = rng.normal(size=step.nq), rng.normal(size=step.nv)
    q1, v1 = step(q, v, u)
    grad_q, grad_v, grad_u = step.pull(q, q1, by_q, by_v)

    def value(q, v, u):
        a, b = step(q, v, u)
        return by_q @ a + by_v @ b

    h = 1e-6
    for k in range(step.nv):
        e = np.zeros(step.nv)
        e[k] = h
        slope = (value(q, v + e, u) - value(q, v - e, u)) / (2 * h)
        assert grad_v[k] == pytest.approx(slope, abs=1e-7)
        a, b = model.dynamics.move(q, -e), model.dynamics.move(q, e)
        slope = (value(b, v, u) - value(a, v, u)) / (2 * h)
        assert grad_q @ (b - a) / (2 * h) == pytest.approx(slope, abs=1e-7)


def test_torch_gradients_pass_gradcheck(model):
    torch = pytest.importorskip("torch")
    import trammel.torch as tt

    step = tt.Step(model, integrator="semi_implicit_euler", step=0.01)
    q, v = (torch.from_numpy(x) for x in moving(step._step))
    q = q.expand(2, -1).clone()
    v = torch.stack([v, 0.5 * v]).requires_grad_()
    u = torch.tensor([[0.5, -1.0], [1.0, 0.3]], dtype=torch.float64, requires_grad=True)

    def two(v, u):
        q1, v1 = step(q, v, u)
        return step(q1, v1, u)

    assert torch.autograd.gradcheck(two, (v, u), atol=1e-6)
    # a policy in the loop
    policy = torch.nn.Linear(step.nv, step.nu, dtype=torch.float64)
    a, b = step.initial(3)
    for _ in range(5):
        a, b = step(a, b, policy(b))
    b.square().sum().backward()
    assert torch.isfinite(policy.weight.grad).all() and policy.bias.grad.abs().max() > 0
    seen_q, seen_v = tt.rollout(step, *step.initial(), torch.zeros(4, 2, dtype=torch.float64))
    assert seen_q.shape == (4, 13) and seen_v.shape == (4, 11)


def test_jax_gradients_pass_check_grads(model):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import trammel.jax as tj
    from jax.test_util import check_grads

    step = tj.Step(model, integrator="semi_implicit_euler", step=0.01)
    q, v = (jnp.asarray(x) for x in moving(step._step))

    def after(v, controls):
        return tj.rollout(step, q, v, controls)[1]

    controls = jnp.array([[0.5, -1.0], [1.0, 0.3], [0.0, 0.2]])
    check_grads(after, (v, controls), order=1, modes=["rev"], atol=1e-5, rtol=1e-5)
    fast = jax.jit(jax.grad(lambda u: jnp.sum(after(v, u) ** 2)))
    assert jnp.isfinite(fast(controls)).all() and jnp.abs(fast(controls)).max() > 0
    many = jax.vmap(lambda u: step(q, v, u)[1])(controls)
    np.testing.assert_allclose(many[1], step(q, v, controls[1])[1], atol=0)


def test_gradients_go_through_a_closed_leg_on_the_ground():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import importlib.util
    import pathlib

    import trammel.jax as tj
    from trammel.scenes import load

    path = pathlib.Path(__file__).resolve().parents[1] / "examples" / "train_leg.py"
    spec = importlib.util.spec_from_file_location("train_leg", path)
    leg = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(leg)
    step = tj.Step(load("looped-leg"), **leg.SETTINGS)
    policy = leg.network(jax.random.PRNGKey(1), [step.nq + step.nv, 8, step.nu])
    q, v = step.initial()

    def loss(bias):
        changed = policy[:-1] + [(policy[-1][0], bias)]
        return leg.episode(step, changed, q, v.at[0].set(0.1), 6)[0]

    bias = jax.numpy.array([0.01, -0.02])
    grad = jax.grad(loss)(bias)
    for k in range(2):
        e = np.zeros(2)
        e[k] = 1e-5
        slope = float((loss(bias + e) - loss(bias - e)) / 2e-5)
        assert float(grad[k]) == pytest.approx(slope, rel=1e-4, abs=1e-9)
    assert np.abs(np.asarray(grad)).max() > 1e-7
    _, losses = leg.train(step, 6, 0, told=lambda line: None)
    assert np.isfinite(losses).all()
