"""Simulations, batches and rollouts, dynamics, recordings."""

import numpy as np
import pytest
import trammel


def test_a_pendulum_keeps_its_energy_and_its_period(pendulum):
    sim = pendulum.sim(formulation="generalized", integrator="rk4", step=1e-3)
    start = sum(sim.energy)
    sim.set_coordinates([1.5707963267948966 - 1e-3])  # nearly hanging
    times, last = [], sim.coordinates[0] - np.pi / 2
    for _ in range(4000):
        sim.step()
        now = sim.coordinates[0] - np.pi / 2
        if last < 0 <= now or now < 0 <= last:
            times.append(sim.time - now / sim.rates[0])
        last = now
    period = 2 * np.pi * np.sqrt((0.083 + 0.25) / (9.81 * 0.5))
    np.testing.assert_allclose(np.diff(times)[::1] * 2, period, rtol=1e-6)
    sim.reset()
    assert sum(sim.step(steps=500).energy) == pytest.approx(start, abs=1e-9)


def test_state_goes_round(pendulum):
    sim = pendulum.sim(step=0.01)
    sim.step([0.3], steps=20)
    saved, poses = sim.save(), sim.poses
    other = pendulum.sim(step=0.01).copy_from(sim)
    sim.step([0.3], steps=20)
    after = sim.poses
    np.testing.assert_array_equal(other.step([0.3], steps=20).poses, after)
    np.testing.assert_array_equal(sim.restore(saved).poses, poses)
    np.testing.assert_array_equal(sim.step([0.3], steps=20).poses, after)
    fresh = pendulum.sim(step=0.01)
    np.testing.assert_array_equal(sim.reset().poses, fresh.poses)
    sim.set_qpos([0.3], [1.5])
    assert sim.qpos[0] == pytest.approx(0.3, abs=1e-14) and sim.qvel[0] == pytest.approx(1.5, abs=1e-12)
    sim.set_state(poses, time=0.25)
    assert sim.time == 0.25
    assert sim.set_joint("pin", "rx", 0.4).coordinates[0] == pytest.approx(0.4)
    with pytest.raises(trammel.BadArgument, match="no axis"):
        sim.set_joint("pin", "up", 0.4)


def test_a_failed_step_raises_and_changes_nothing(pendulum):
    sim = pendulum.sim(step=0.01)
    sim.step([0.1], steps=3)
    before = sim.poses
    with pytest.raises(trammel.BadArgument, match="'pin', must be finite") as raised:
        sim.step([float("nan")])
    assert raised.value.status == -1
    np.testing.assert_array_equal(sim.poses, before)
    with pytest.raises(trammel.BadArgument, match="controls must have shape"):
        sim.step([1.0, 2.0])


def test_forces_gravity_and_contacts(box):
    sim = box.sim()
    sim.step(steps=40)
    contacts = sim.contacts
    assert contacts["force"][:, 2].sum() == pytest.approx(2.0 * 9.81, rel=1e-6)
    assert set(contacts["b"]) | set(contacts["a"]) == {-1, 0}
    np.testing.assert_allclose(np.abs(contacts["normal"][:, 2]), 1.0, atol=1e-12)
    sim.push("box", force=(15.0, 0, 0))  # more than friction holds
    sim.step(steps=40)
    assert sim.velocities[0, 0] == pytest.approx(40 * 0.005 * (15.0 / 2 - 0.5 * 9.81), rel=0.02)
    sim.let_go()
    sim.gravity = (0, 0, 9.81)
    assert sim.step(steps=10).velocities[0, 2] > 0.4
    assert sim.report["steps"] == 90
    assert "generalized" in repr(sim) and sim.explain()


def test_batches_are_single_runs_bit_for_bit(box):
    batch = box.batch(5, threads=2)
    wrenches = np.zeros((5, 1, 6))
    wrenches[:, 0, 0] = np.arange(5) * 4.0
    batch.set_wrenches(wrenches)
    assert not batch.step(steps=60).any()
    for i in range(5):
        sim = box.sim()
        sim.set_wrenches(wrenches[i])
        sim.step(steps=60)
        np.testing.assert_array_equal(batch.poses[i], sim.poses)
        np.testing.assert_array_equal(batch.velocities[i], sim.velocities)
    assert batch.contact_forces[0, 0, 2] == pytest.approx(2.0 * 9.81, rel=1e-6)
    np.testing.assert_allclose(batch.times, 0.3)
    batch.reset([1, 3])
    np.testing.assert_allclose(batch.times, [0.3, 0, 0.3, 0, 0.3])
    batch.reset(np.array([True, False, False, False, False]))
    assert batch.times[0] == 0 and len(batch) == 5 and "5 rows" in repr(batch)
    out = np.empty((5, 1, 7))
    assert batch.get(trammel.lib.TML_BATCH_POSES, (1, 7), out=out) is out
    np.testing.assert_array_equal(out, batch.poses)


def test_a_row_that_fails_tells_why(pendulum):
    batch = pendulum.batch(3)
    status = batch.step([[0.0], [float("inf")], [0.0]])
    assert list(status) == [0, -1, 0] and "finite" in batch.message(1) and batch.message(0) == ""
    np.testing.assert_allclose(batch.times, [0.01, 0.0, 0.01])


def test_rollouts_have_the_shapes_of_their_rows(pendulum):
    control = np.random.default_rng(0).normal(size=(3, 20, 1))
    done = trammel.rollout(pendulum, control, ([[0.1], [0.2], [0.3]], None), step=0.002)
    assert done["poses"].shape == (3, 20, 1, 7) and done["coordinates"].shape == (3, 20, 1)
    sim = pendulum.sim(step=0.002)
    sim.set_coordinates([0.2])
    for k in range(20):
        sim.step(control[1, k])
        np.testing.assert_array_equal(done["coordinates"][1, k], sim.coordinates)
    assert not done["status"].any()
    control[2, 5] = np.nan
    done = trammel.rollout(pendulum, control, step=0.002)
    assert list(done["status"]) == [0, 0, -1]
    np.testing.assert_array_equal(done["time"][2, 4:], done["time"][2, 4])
    with pytest.raises(trammel.BadArgument, match="nrow x nstep x 1"):
        trammel.rollout(pendulum, np.zeros((3, 20, 2)))


def test_dynamics_belong_together(pendulum):
    d = pendulum.dynamics.set([0.7], [1.0])
    assert d.mass_matrix[0, 0] == pytest.approx(0.083 + 0.25)
    assert d.bias[0] == pytest.approx(-9.81 * 0.5 * np.cos(0.7))
    tau = d.inverse([2.0])
    assert d.forward(tau)[0] == pytest.approx(2.0)
    J = d.jacobian("rod", (0.5, 0, 0))
    np.testing.assert_allclose(J[:, 0], [-np.sin(0.7), 0, -np.cos(0.7), 0, 1, 0], atol=1e-14)
    assert d.joint("pin") == (slice(0, 1), slice(0, 1)) and d.rows.shape == (0, 1)
    poses, velocities = d.poses()
    np.testing.assert_allclose(poses[0, :3], [0.5 * np.cos(0.7), 0, -0.5 * np.sin(0.7)], atol=1e-15)
    moved = d.move([0.7], [0.2])
    assert moved[0] == pytest.approx(0.9) and d.difference([0.7], moved)[0] == pytest.approx(0.2)
    with pytest.raises(trammel.BadArgument, match="must be finite"):
        d.set([np.nan])


def test_recordings_are_views(pendulum, tmp_path):
    sim = pendulum.sim(step=0.01)
    seen = [sim.poses[0, 0]]
    with trammel.Recorder(sim, tmp_path / "run.csv", "pose,joints") as recorder:
        for _ in range(10):
            sim.step()
            recorder.write()
            seen.append(sim.poses[0, 0])
    recording = trammel.Recording(tmp_path / "run.csv")
    assert len(recording) == 11 and "rod.px" in recording and "pin.rx.rate" in recording
    column = recording["rod.px"]
    np.testing.assert_array_equal(column, seen)
    assert not column.flags.owndata and not column.flags.writeable
    np.testing.assert_array_equal(recording["pin.q0"], recording["pin.rx"])  # the name of version 0.1
    del recording
    np.testing.assert_array_equal(column, seen)  # the view keeps its memory
    with pytest.raises(KeyError):
        trammel.Recording.from_file(tmp_path / "run.csv")["nothing"]
    with pytest.raises(trammel.BadArgument, match="no columns 'poses'"):
        trammel.Recorder(sim, tmp_path / "run.csv", "poses")


def test_problems_have_gradients_and_optima(pendulum, tmp_path):
    pendulum.to_file(tmp_path / "pendulum.json")
    (tmp_path / "problem.json").write_text(PROBLEM)
    problem = trammel.Problem(tmp_path / "problem.json")
    assert problem.count == 1 and "pin" in problem.names[0]
    value, gradient = problem.evaluate(problem.start)
    h = 1e-5
    slope = (problem(problem.start + h) - problem(problem.start - h)) / (2 * h)
    assert gradient[0] == pytest.approx(slope, rel=1e-5)
    told = []
    best, report = problem.optimize(progress=lambda so_far, x: told.append(x[0]) and False)
    assert report["value"] < 1e-8 * max(value, 1.0) and told
    with pytest.raises(ZeroDivisionError):
        problem.optimize(progress=lambda so_far, x: 1 / 0)


PROBLEM = """{
  "scene": "pendulum.json", "duration": 0.5,
  "variables": [{"parameter": "control", "of": "pin", "component": "rx", "knots": 1, "start": 0.5}],
  "objective": [{"quantity": "coordinate", "of": "pin", "component": "rx", "target": 1.0, "weight": 1}],
  "tolerance": 1e-8
}"""
