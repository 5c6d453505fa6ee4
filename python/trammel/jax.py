"""Steps as differentiable functions of JAX, also under jit, scan and vmap.

    jax.config.update("jax_enable_x64", True)
    step = trammel.jax.Step(model, step=0.005)
    q, v = step.initial()
    q, v = step(q, v, controls)

A step is a callback to the library: it runs on the processor, in doubles, one row after the other.
"""

import jax
import jax.numpy as jnp
import numpy as np

from .step import Step as _Step


class Step:
    """`step(q, v, controls, time=0.0)` answers (q, v) one step later; see trammel.Step for its numbers."""

    def __init__(self, model, **settings):
        if not jax.config.jax_enable_x64:
            raise RuntimeError('steps are of doubles: jax.config.update("jax_enable_x64", True) first')
        own = _Step(model, **settings)
        self._step = own
        self.nq, self.nv, self.nu, self.dt = own.nq, own.nv, own.nu, own.dt

        def take(q, v, controls, time):
            return own(np.asarray(q), np.asarray(v), np.asarray(controls), float(time))

        def pull(q, v, controls, time, by_q, by_v):
            q = np.asarray(q)
            q1, _ = own(q, np.asarray(v), np.asarray(controls), float(time))
            return own.pull(q, q1, np.asarray(by_q), np.asarray(by_v))

        def shapes(*sizes):
            return tuple(jax.ShapeDtypeStruct((n,), jnp.float64) for n in sizes)

        @jax.custom_vjp
        def step(q, v, controls, time):
            return jax.pure_callback(
                take, shapes(own.nq, own.nv), q, v, controls, time, vmap_method="sequential"
            )

        def forwards(q, v, controls, time):
            return step(q, v, controls, time), (q, v, controls, time)

        def backwards(kept, by):
            grads = jax.pure_callback(
                pull, shapes(own.nq, own.nv, own.nu), *kept, *by, vmap_method="sequential"
            )
            return *grads, jnp.zeros_like(kept[3])

        step.defvjp(forwards, backwards)
        self._call = step

    def initial(self):
        """(q, v) of the model."""
        return tuple(jnp.asarray(x) for x in self._step.initial)

    def __call__(self, q, v, controls, time=0.0):
        return self._call(*(jnp.asarray(x, dtype=jnp.float64) for x in (q, v, controls, time)))


def rollout(step, q, v, controls, time=0.0):
    """States after each of controls' steps: (T, nq) and (T, nv) for controls of (T, nu)."""

    def one(state, u):
        q, v, t = state
        q, v = step(q, v, u, t)
        return (q, v, t + step.dt), (q, v)

    start = (jnp.asarray(q), jnp.asarray(v), jnp.asarray(time, dtype=jnp.float64))
    return jax.lax.scan(one, start, jnp.asarray(controls))[1]
