"""Gymnasium environments: five tasks, single and in batches.

    import gymnasium, trammel.gym

    env = gymnasium.make("trammel/HalfCheetah-v0")
    envs = gymnasium.make_vec("trammel/HalfCheetah-v0", num_envs=256, vectorization_mode="vector_entry_point")

A task is a few functions on arrays of rows; `Env` runs one row of a batch, `VectorEnv` all of them. Write a
task of your own by deriving from Task, and give it to either.
"""


import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from ._library import lib
from .batch import Batch
from .model import Model
from .scenes import load


class Task:
    """What is learned: a model, what is seen of it, what counts. All functions take and answer rows."""

    #: steps of the simulation with one action
    frame_skip = 5
    #: of an episode, in actions
    horizon = 1000
    #: settings of the simulation, as Model.settings
    settings = {}

    def model(self):
        """The model; made once an environment."""
        raise NotImplementedError

    def prepare(self, model):
        """Look at the model once; sets self.action_size."""
        self.action_size = model.nu

    def start(self, model, rng, rows):
        """(coordinates, rates) of an episode's first states."""
        noise = 0.005
        return (
            self.home + rng.uniform(-noise, noise, (rows, model.ncoordinate)),
            rng.normal(0.0, noise, (rows, model.ncoordinate)),
        )

    def act(self, batch, actions, mask):
        """Take frame_skip steps with actions in [-1, 1]; answers a status a row."""
        return batch.step(actions * self.strength, steps=self.frame_skip, mask=mask)

    def observe(self, batch):
        """rows x numbers"""
        return np.concatenate([batch.coordinates, batch.rates], axis=1)

    def reward(self, batch, actions, before):
        """One number a row; `before` is what `note` answered before the action."""
        raise NotImplementedError

    def note(self, batch):
        """What `reward` compares with."""
        return None

    def has_fallen(self, batch):
        """True where an episode ends."""
        return np.zeros(batch.count, dtype=bool)


class CartPole(Task):
    """Hold a pole upright on a cart."""

    frame_skip = 4
    horizon = 500
    strength = 10.0
    settings = {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.005}

    def model(self):
        return load("cart-pole")

    def start(self, model, rng, rows):
        return rng.uniform(-0.05, 0.05, (rows, 2)), rng.uniform(-0.05, 0.05, (rows, 2))

    def reward(self, batch, actions, before):
        return np.where(self.has_fallen(batch), 0.0, 1.0)

    def has_fallen(self, batch):
        q = batch.coordinates
        return (np.abs(q[:, 0]) > 2.4) | (np.abs(q[:, 1]) > 0.2)


class HalfCheetah(Task):
    """Run in a plane, forwards."""

    frame_skip = 5
    settings = {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.01, "contact": True}
    strength = np.array([120.0, 90.0, 60.0, 120.0, 60.0, 30.0])

    def model(self):
        return load("half-cheetah")

    def observe(self, batch):
        return np.concatenate([batch.coordinates[:, 1:], batch.rates], axis=1)

    def note(self, batch):
        return batch.coordinates[:, 0]

    def reward(self, batch, actions, before):
        speed = (batch.coordinates[:, 0] - before) / (self.frame_skip * batch.dt)
        return speed - 0.1 * np.sum(actions**2, axis=1)


class Humanoid(Task):
    """Stay on two feet: actions move the targets of all servos of a humanoid."""

    frame_skip = 5
    settings = {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.002, "contact": True}
    reach = 0.3  # rad

    def model(self):
        return load("atlas")

    def prepare(self, model):
        self.action_size = model.ninput
        self.pelvis = model.body("pelvis")
        self.targets = np.array([lib.tml_model_input_value(model._model, i, 0.0) for i in range(model.ninput)])

    def act(self, batch, actions, mask):
        batch.set_inputs(self.targets + self.reach * actions)
        return batch.step(steps=self.frame_skip, mask=mask)

    def observe(self, batch):
        poses, velocities = batch.poses[:, self.pelvis], batch.velocities[:, self.pelvis]
        return np.concatenate([poses[:, 2:], velocities, batch.coordinates, batch.rates], axis=1)

    def note(self, batch):
        return batch.poses[:, self.pelvis, 0]

    def reward(self, batch, actions, before):
        forwards = (batch.poses[:, self.pelvis, 0] - before) / (self.frame_skip * batch.dt)
        return 1.0 + 0.5 * np.clip(forwards, -1.0, 1.0) - 0.01 * np.sum(actions**2, axis=1)

    def has_fallen(self, batch):
        return batch.poses[:, self.pelvis, 2] < 0.6


class LoopedLeg(Task):
    """Hop along with a leg of five bars: two motors at the hip, both thighs lead to one foot."""

    frame_skip = 5
    settings = {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.002, "contact": True}
    strength = 60.0

    def model(self):
        return load("looped-leg")

    def observe(self, batch):
        return np.concatenate([batch.coordinates[:, 1:], batch.rates], axis=1)

    def note(self, batch):
        return batch.coordinates[:, 0]

    def reward(self, batch, actions, before):
        speed = (batch.coordinates[:, 0] - before) / (self.frame_skip * batch.dt)
        height = batch.coordinates[:, 1]
        return speed + 0.5 + 0.5 * np.minimum(height, 0.0) - 0.05 * np.sum(actions**2, axis=1)

    def has_fallen(self, batch):
        return batch.coordinates[:, 1] < -0.45


class StewartPlatform(Task):
    """Bring a platform on six pushed legs to a place, and keep it there."""

    frame_skip = 5
    horizon = 300
    settings = {"formulation": "quaternion", "integrator": "bdf1", "step": 0.004}
    strength = 120.0

    def model(self):
        return load("stewart")

    def prepare(self, model):
        self.action_size = model.nu
        self.plate = model.body("plate")
        self.legs = [i for i, name in enumerate(model.coordinates) if name.endswith(".tx")]
        self.goal = np.array([0.1, -0.05, 1.1])

    def start(self, model, rng, rows):
        return np.repeat(self.home[None], rows, axis=0), None

    def act(self, batch, actions, mask):
        # the weight of the platform is held
        lift = 9.81 * 30.0 / 6.0
        return batch.step(lift + self.strength * actions, steps=self.frame_skip, mask=mask)

    def observe(self, batch):
        poses, velocities = batch.poses[:, self.plate], batch.velocities[:, self.plate]
        legs = batch.coordinates[:, self.legs]
        return np.concatenate([poses, velocities, legs, self.goal - poses[:, :3]], axis=1)

    def reward(self, batch, actions, before):
        poses, velocities = batch.poses[:, self.plate], batch.velocities[:, self.plate]
        off = np.linalg.norm(self.goal - poses[:, :3], axis=1)
        tilt = 1.0 - poses[:, 3] ** 2
        rest = np.linalg.norm(velocities[:, :3], axis=1)
        return np.exp(-20.0 * off**2) - tilt - 0.02 * rest - 0.005 * np.sum(actions**2, axis=1)

    def has_fallen(self, batch):
        poses = batch.poses[:, self.plate]
        return (poses[:, 2] < 0.5) | (poses[:, 2] > 1.6)


class _Rows:
    """What both kinds of environment share: a batch, a task, spaces."""

    def __init__(self, task, count, threads=1):
        self.task = task() if isinstance(task, type) else task
        self.model = self.task.model()
        settings = {**self.task.settings, "threads": threads}
        self.batch = Batch(self.model, count, **settings)
        self.task.home = self.batch.coordinates[0]
        self.task.prepare(self.model)
        seen = self.task.observe(self.batch).shape[1]
        self.observation_space = spaces.Box(-np.inf, np.inf, (seen,), np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (self.task.action_size,), np.float64)
        self.elapsed = np.zeros(count, dtype=np.int64)

    def reset(self, rng, mask):
        # all rows draw, so that the numbers of one do not depend on which others are reset
        start, rates = self.task.start(self.model, rng, self.batch.count)
        self.batch.reset(mask)
        failed = self.batch.set_coordinates(start, rates, mask=mask)
        if failed.any():
            # a start that joints cannot take, such as beyond a limit: the model's own is one that they can
            self.batch.reset(failed != 0)
        self.elapsed[mask] = 0

    def step(self, actions, mask):
        actions = np.clip(np.asarray(actions, dtype=np.float64), -1.0, 1.0)
        before = self.task.note(self.batch)
        status = self.task.act(self.batch, actions, mask)
        reward = np.where(mask, self.task.reward(self.batch, actions, before), 0.0)
        terminated = mask & (self.task.has_fallen(self.batch) | (status != 0))
        self.elapsed[mask] += 1
        truncated = mask & (self.elapsed >= self.task.horizon) & ~terminated
        return self.task.observe(self.batch), reward, terminated, truncated, status


class Env(gymnasium.Env):
    """One row."""

    metadata = {"render_modes": []}

    def __init__(self, task, render_mode=None):
        if render_mode is not None:
            raise ValueError("there is no rendering here: write a recording and 'trammel view' it")
        self._rows = _Rows(task, 1)
        self.observation_space = self._rows.observation_space
        self.action_space = self._rows.action_space
        self.render_mode = None

    @property
    def model(self):
        """The model behind it."""
        return self._rows.model

    @property
    def batch(self):
        """The batch of one row behind it."""
        return self._rows.batch

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._rows.reset(self.np_random, np.ones(1, dtype=bool))
        return self._rows.task.observe(self.batch)[0], {}

    def step(self, action):
        seen, reward, terminated, truncated, status = self._rows.step(
            np.asarray(action)[None], np.ones(1, dtype=bool)
        )
        info = {"error": self.batch.message(0)} if status[0] != 0 else {}
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many rows; one whose episode has ended begins anew with the next step."""

    metadata = {"render_modes": [], "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, task, num_envs=1, threads=1, render_mode=None):
        self._rows = _Rows(task, num_envs, threads)
        self.num_envs = num_envs
        self.single_observation_space = self._rows.observation_space
        self.single_action_space = self._rows.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = None
        self._has_ended = np.zeros(num_envs, dtype=bool)

    @property
    def model(self):
        """The model behind it."""
        return self._rows.model

    @property
    def batch(self):
        """The batch behind it."""
        return self._rows.batch

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._rows.reset(self.np_random, np.ones(self.num_envs, dtype=bool))
        self._has_ended[:] = False
        return self._rows.task.observe(self.batch), {}

    def step(self, actions):
        begun = self._has_ended.copy()
        if begun.any():
            self._rows.reset(self.np_random, begun)
        seen, reward, terminated, truncated, status = self._rows.step(actions, ~begun)
        self._has_ended = terminated | truncated
        info = {}
        if status.any():
            info = {
                "error": np.array([self.batch.message(i) for i in range(self.num_envs)], dtype=object),
                "_error": status != 0,
            }
        return seen, reward, terminated, truncated, info


TASKS = {
    "CartPole": CartPole,
    "HalfCheetah": HalfCheetah,
    "Humanoid": Humanoid,
    "LoopedLeg": LoopedLeg,
    "StewartPlatform": StewartPlatform,
}


def _register():
    for name, task in TASKS.items():
        if f"trammel/{name}-v0" in gymnasium.registry:
            continue
        gymnasium.register(
            f"trammel/{name}-v0",
            entry_point=Env,
            vector_entry_point=VectorEnv,
            kwargs={"task": task},
        )


_register()
