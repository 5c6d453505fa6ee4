"""Rays, distances, what is near; events."""

import numpy as np
import pytest
import trammel

SCENE = {
    "bodies": [
        {"name": "world", "shapes": [{"type": "plane"}]},
        {"name": "ball", "mass": 1, "position": [0, 0, 2], "shapes": [{"type": "sphere", "radius": 0.5, "restitution": 0.5}]},
        {"name": "box", "mass": 1, "position": [3, 0, 1], "shapes": [{"type": "box", "size": [1, 2, 2]}]},
    ],
    "simulation": {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.005, "contact": True},
}


def test_rays_and_distances_of_a_scene():
    model = trammel.Model.from_dict(SCENE)
    query = model.query()
    down = np.zeros((2, 3, 3))
    down[..., 0] = [[0, 0.3, 1], [3, 3.4, 4]]
    down[..., 2] = 5
    distance, body = query.rays(down, [0, 0, -2], reach=10)
    np.testing.assert_allclose(distance, [[2.5, 3 - 0.4, 5], [3, 3, 5]], atol=1e-14)
    assert body.tolist() == [[0, 0, -1], [1, 1, -1]]
    distance, body = query.rays([0, 0, 5], [0, 0, -1], reach=1)
    assert distance == 1 and body == -2
    hit = query.rays([0, 0, 5], [0, 0, -1], ignored="ball", all=True)
    assert hit["body"] == -1 and hit["point"].tolist() == [0, 0, 0] and hit["normal"].tolist() == [0, 0, 1]
    near = query.distance("ball", "box")
    assert near["distance"] == pytest.approx(2.0, abs=1e-12) and near["on_b"][0] == pytest.approx(2.5)
    assert query.distance("ball", "world")["distance"] == pytest.approx(1.5)
    assert np.isinf(query.distance("ball", "box", reach=1)["distance"])
    assert query.near("sphere", 0.4, position=[2.2, 0, 1])["b"].tolist() == [1]
    assert query.near("capsule", [0.2, 0, 1], position=[0, 0, 1], reach=0.4)["b"].tolist() == [0, -1]
    query.place(np.array([[0, 0, 9, 1, 0, 0, 0], [3, 0, 1, 1, 0, 0, 0.0]]))
    assert query.rays([0, 0, 5], [0, 0, -1])[1] == -1
    with pytest.raises(trammel.BadArgument, match="ray 0"):
        query.rays([0, 0, 0], [0, 0, 0])
    with pytest.raises(trammel.BadArgument, match="no shape 'ring'"):
        query.near("ring", 1)


def test_events_tell_of_touches():
    model = trammel.Model.from_dict(SCENE)
    sim, events, told = model.sim(), trammel.Events(model), []
    for _ in range(400):
        told += events.look(sim.step())
    ball = [e for e in told if "ball" in (e["a"], e["b"])]
    assert [e["kind"] for e in ball[:3]] == ["touch", "part", "touch"]
    assert ball[0]["time"] == pytest.approx(np.sqrt(2 * 1.5 / 9.81), abs=0.011) and ball[0]["strength"] > 100
    assert [e for e in told if e["kind"] == "touch" and e["a"] == "box"][0]["b"] == "world"
