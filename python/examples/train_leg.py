"""A leg of five bars learns to keep its hip over its foot, by analytic gradients of its steps.

    PYTHONPATH=python python python/examples/train_leg.py [--iterations 60] [--seed 0]

The hip slides in a plane on a closed loop of four bars that stands on one ball; two motors turn the thighs against soft
springs. Left alone it sags, and drifts when it is pushed. The policy is a small network of (q, v); its gradient goes backwards through every step, loop and contact
(trammel.jax). Prints the loss as it falls, then how far untrained and trained legs drift in a second. Needs jax.
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

import trammel.jax as tj  # noqa: E402
from trammel.scenes import load  # noqa: E402

SETTINGS = {"integrator": "semi_implicit_euler", "step": 0.002, "contact": True}
HOLD = 5  # steps with one action
REACH = 40.0  # N m


def network(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [
        (jax.random.normal(k, (a, b)) * (0.1 if i == len(sizes) - 2 else 1.0) / np.sqrt(a), jnp.zeros(b))
        for i, (k, a, b) in enumerate(zip(keys, sizes[:-1], sizes[1:]))
    ]


def act(policy, q, v):
    x = jnp.concatenate([10.0 * q, v])
    for w, b in policy[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = policy[-1]
    return REACH * jnp.tanh(x @ w + b)


def episode(step, policy, q, v, actions):
    """Loss and states of so many actions."""

    def one(state, _):
        q, v = state
        u = act(policy, q, v)
        for _ in range(HOLD):
            q, v = step(q, v, u)
        # the hip's slides are the first two numbers: how far it has drifted and sunk
        cost = 20.0 * q[0] ** 2 + 20.0 * q[1] ** 2 + 0.1 * (v[0] ** 2 + v[1] ** 2) + 1e-5 * jnp.sum(u**2)
        return (q, v), (cost, q)

    _, (cost, seen) = jax.lax.scan(one, (q, v), None, length=actions)
    return jnp.mean(cost), seen


def train(step, iterations, seed, told=print):
    rng = np.random.default_rng(seed)
    policy = network(jax.random.PRNGKey(seed), [step.nq + step.nv, 32, step.nu])
    q, v = step.initial()

    def loss(policy, speeds, actions):
        costs = [episode(step, policy, q, v.at[:2].set(s), actions)[0] for s in speeds]
        return sum(costs) / len(costs)

    slope = jax.jit(jax.value_and_grad(loss), static_argnums=2)
    m = jax.tree_util.tree_map(jnp.zeros_like, policy)
    s = jax.tree_util.tree_map(jnp.zeros_like, policy)
    losses = []
    for k in range(1, iterations + 1):
        speeds = jnp.asarray(rng.uniform(-0.2, 0.2, (2, 2)) * [1.0, 0.0])
        value, g = slope(policy, speeds, 15 if k <= iterations // 2 else 30)
        norm = jnp.sqrt(sum(jnp.sum(x**2) for x in jax.tree_util.tree_leaves(g)))
        g = jax.tree_util.tree_map(lambda x: x * jnp.minimum(1.0, 1.0 / norm), g)
        m = jax.tree_util.tree_map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        s = jax.tree_util.tree_map(lambda a, b: 0.99 * a + 0.01 * b * b, s, g)
        policy = jax.tree_util.tree_map(
            lambda p, a, b: p - 0.02 * (a / (1 - 0.9**k)) / (jnp.sqrt(b / (1 - 0.99**k)) + 1e-8), policy, m, s
        )
        losses.append(float(value))
        if k % 10 == 0:
            told(f"iteration {k}: loss {np.mean(losses[-10:]):.5f}")
    return policy, losses


def drift(step, policy, speed, actions=100):
    """How far the hip ends from where it stood, m, in `actions` actions."""
    q, v = step.initial()
    run = jax.jit(lambda v: episode(step, policy, q, v, actions)[1])
    seen = run(v.at[0].set(speed))
    return float(jnp.max(jnp.linalg.norm(seen[:, :2], axis=1)))


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--iterations", type=int, default=60)
    words.add_argument("--seed", type=int, default=0)
    a = words.parse_args()
    step = tj.Step(load("looped-leg"), **SETTINGS)
    start = time.perf_counter()
    policy, losses = train(step, a.iterations, a.seed)
    print(f"{a.iterations} iterations in {time.perf_counter() - start:.0f} s")
    still = jax.tree_util.tree_map(jnp.zeros_like, policy)
    for speed in (-0.15, 0.0, 0.15):
        print(f"pushed at {speed:+.2f} m/s: {drift(step, still, speed):.3f} m without, {drift(step, policy, speed):.3f} m with the policy")


if __name__ == "__main__":
    main()
