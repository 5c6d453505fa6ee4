"""Environments pass Gymnasium's own checker, and rows of vectors are single environments."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import trammel.gym  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402


@pytest.mark.parametrize("name", list(trammel.gym.TASKS))
def test_tasks_pass_the_checker(name):
    env = gymnasium.make(f"trammel/{name}-v0").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*observation space m..imum value is.*")  # rates have no bounds
        check_env(env, skip_render_check=True)
    first, _ = env.reset(seed=4)
    again, _ = env.reset(seed=4)
    np.testing.assert_array_equal(first, again)
    other, _ = env.reset(seed=5)
    assert name == "StewartPlatform" or not np.array_equal(first, other)


@pytest.mark.parametrize("name", ["CartPole", "HalfCheetah", "LoopedLeg", "StewartPlatform"])
def test_actions_matter_and_episodes_end(name):
    env = trammel.gym.Env(trammel.gym.TASKS[name])
    seen = []
    for sign in (-0.5, 0.5):
        env.reset(seed=1)
        for _ in range(3):
            obs, reward, terminated, truncated, info = env.step(sign * np.ones(env.action_space.shape))
            assert np.isfinite(reward) and np.isfinite(obs).all() and not info
        seen.append(obs)
    assert np.abs(seen[0] - seen[1]).max() > 1e-3


def test_a_looped_leg_stays_closed_and_stands_up():
    env = trammel.gym.Env(trammel.gym.LoopedLeg)
    env.reset(seed=0)
    sim = env.model.sim(**trammel.gym.LoopedLeg.settings)
    for _ in range(100):
        env.step(np.zeros(2))
        env.batch.read(0, sim)
        assert sim.gap < 1e-8
    assert env.model.loops == 1 and env.batch.coordinates[0, 1] > -0.2


def test_episodes_are_cut_at_the_horizon():
    env = trammel.gym.Env(trammel.gym.StewartPlatform)
    env.reset(seed=0)
    env._rows.elapsed[:] = env._rows.task.horizon - 1
    _, _, terminated, truncated, _ = env.step(np.zeros(6))
    assert truncated and not terminated


def test_rows_of_a_vector_are_single_environments():
    envs = gymnasium.make_vec("trammel/CartPole-v0", num_envs=3, vectorization_mode="vector_entry_point", threads=2)
    seen, _ = envs.reset(seed=3)
    assert seen.shape == (3, 4) and envs.single_action_space.shape == (1,)
    single = trammel.gym.Env(trammel.gym.CartPole)
    single.reset(seed=0)
    single.batch.set_coordinates(envs.unwrapped.batch.coordinates[1:2], envs.unwrapped.batch.rates[1:2])
    ended = None
    for k in range(200):
        actions = np.array([[1.0], [0.3 * (-1) ** k], [-1.0]])
        seen, reward, terminated, truncated, info = envs.step(actions)
        if ended is None:
            one, r, over, _, _ = single.step(actions[1])
            np.testing.assert_allclose(seen[1], one, atol=1e-12)
            assert reward[1] == r and terminated[1] == over
            if over:
                ended = k
        elif k == ended + 1:
            assert not terminated[1] and reward[1] == 0.0 and np.abs(seen[1]).max() < 0.06  # a new episode
    assert ended is not None


def test_a_row_that_fails_ends_its_episode():
    class Broken(trammel.gym.CartPole):
        def act(self, batch, actions, mask):
            actions = np.where(actions > 0.9, np.nan, actions)
            return super().act(batch, actions, mask)

    envs = trammel.gym.VectorEnv(Broken, 2)
    envs.reset(seed=0)
    _, _, terminated, _, info = envs.step(np.array([[0.0], [1.0]]))
    assert list(terminated) == [False, True] and "finite" in info["error"][1] and info["error"][0] == ""
    seen, _, terminated, _, _ = envs.step(np.array([[0.0], [0.0]]))
    assert not terminated.any() and np.isfinite(seen).all()
