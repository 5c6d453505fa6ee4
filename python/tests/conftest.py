"""Scenes that tests share."""

import pytest
import trammel

PENDULUM = {
    "name": "pendulum",
    "bodies": [{"name": "rod", "mass": 1.0, "inertia": [0.01, 0.083, 0.083], "position": [0.5, 0, 0]}],
    "joints": [
        {
            "name": "pin",
            "type": "revolute",
            "base": "world",
            "follower": "rod",
            "axis": [0, 1, 0],
            "actuation": "force",
        }
    ],
}

BOX = {
    "name": "box",
    "bodies": [
        {"name": "world", "shapes": [{"type": "plane", "friction": 0.5}]},
        {
            "name": "box",
            "mass": 2.0,
            "position": [0, 0, 0.1],
            "shapes": [{"type": "box", "size": [0.2, 0.2, 0.2], "friction": 0.5}],
        },
    ],
    "simulation": {"formulation": "generalized", "integrator": "semi_implicit_euler", "step": 0.005, "contact": True},
}


@pytest.fixture
def pendulum():
    return trammel.Model.from_dict(PENDULUM)


@pytest.fixture
def box():
    return trammel.Model.from_dict(BOX)
