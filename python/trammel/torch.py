"""Steps and rollouts as differentiable functions of PyTorch.

    step = trammel.torch.Step(model, step=0.005)
    q, v = step.initial()
    for _ in range(100):
        q, v = step(q, v, policy(q, v))
    loss(q, v).backward()

All tensors are doubles on the processor; leading dimensions are rows. Every step keeps what it needs to be
differentiated later by taking it again, with the same bits.
"""

import numpy as np
import torch

from .step import Step as _Step


class _Take(torch.autograd.Function):
    @staticmethod
    def forward(ctx, step, time, q, v, controls):
        ctx.step, ctx.time = step, time
        ctx.save_for_backward(q, v, controls)
        rows = q.reshape(-1, step.nq).shape[0]
        out_q, out_v = np.empty((rows, step.nq)), np.empty((rows, step.nv))
        for i, (a, b, c) in enumerate(_rows(step, q, v, controls)):
            out_q[i], out_v[i] = step(a, b, c, time)
        return (
            torch.from_numpy(out_q.reshape(*q.shape[:-1], step.nq)),
            torch.from_numpy(out_v.reshape(*q.shape[:-1], step.nv)),
        )

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_q, by_v):
        step = ctx.step
        q, v, controls = ctx.saved_tensors
        by_q, by_v = by_q.reshape(-1, step.nq).numpy(), by_v.reshape(-1, step.nv).numpy()
        grads = [np.empty((len(by_q), n)) for n in (step.nq, step.nv, step.nu)]
        for i, (a, b, c) in enumerate(_rows(step, q, v, controls)):
            a1, _ = step(a, b, c, ctx.time)
            for grad, own in zip(grads, step.pull(a, a1, by_q[i], by_v[i])):
                grad[i] = own
        shaped = [torch.from_numpy(g.reshape(x.shape)) for g, x in zip(grads, (q, v, controls))]
        return None, None, *shaped


def _rows(step, q, v, controls):
    return zip(
        q.detach().reshape(-1, step.nq).numpy(),
        v.detach().reshape(-1, step.nv).numpy(),
        controls.detach().reshape(-1, step.nu).numpy(),
    )


class Step:
    """`step(q, v, controls, time=0.0)` answers (q, v) one step later; see trammel.Step for its numbers."""

    def __init__(self, model, **settings):
        self._step = _Step(model, **settings)
        self.nq, self.nv, self.nu, self.dt = self._step.nq, self._step.nv, self._step.nu, self._step.dt

    def initial(self, *rows):
        """(q, v) of the model, repeated over leading dimensions."""
        return tuple(torch.from_numpy(np.broadcast_to(x, (*rows, len(x))).copy()) for x in self._step.initial)

    def __call__(self, q, v, controls, time=0.0):
        q, v, controls = (x.to(torch.float64) for x in (q, v, controls))
        rows = torch.broadcast_shapes(q.shape[:-1], v.shape[:-1], controls.shape[:-1])
        q, v, controls = (x.expand(*rows, x.shape[-1]).contiguous() for x in (q, v, controls))
        return _Take.apply(self._step, time, q, v, controls)


def rollout(step, q, v, controls, time=0.0):
    """States after each of controls' steps: (T, ..., nq) and (T, ..., nv) for controls of (T, ..., nu)."""
    seen = []
    for k, u in enumerate(controls):
        q, v = step(q, v, u, time + k * step.dt)
        seen.append((q, v))
    return torch.stack([s[0] for s in seen]), torch.stack([s[1] for s in seen])
