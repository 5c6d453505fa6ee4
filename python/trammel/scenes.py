"""Scenes that come with the package."""

import math
import pathlib

from ._library import BadArgument
from .model import Model

_here = pathlib.Path(__file__).resolve().parent


def _file(name):
    for folder in (_here / "data", _here.parent.parent / "scenes" / "data"):
        if (folder / f"{name}.json").exists():
            return folder / f"{name}.json"
    raise BadArgument(f"the scene '{name}' is not there")


def _turn(axis, angle):
    half = 0.5 * angle
    return [math.cos(half), *(math.sin(half) * a for a in axis)]


def cart_pole():
    """A cart on a rail that a force pushes, and a pole on it."""
    return {
        "name": "cart-pole",
        "bodies": [
            {"name": "cart", "mass": 1.0, "inertia": [0.01, 0.01, 0.01], "shapes": [{"type": "box", "size": [0.3, 0.2, 0.1]}]},
            {
                "name": "pole",
                "mass": 0.1,
                "inertia": [0.0084, 0.0084, 0.00002],
                "position": [0, 0, 0.5],
                "shapes": [{"type": "capsule", "radius": 0.02, "length": 0.96}],
            },
        ],
        "joints": [
            {
                "name": "rail",
                "type": "prismatic",
                "base": "world",
                "follower": "cart",
                "axis": [1, 0, 0],
                "actuation": "force",
            },
            {"name": "pin", "type": "revolute", "base": "cart", "follower": "pole", "axis": [0, 1, 0]},
        ],
    }


def looped_leg():
    """A hip that slides in a plane on a leg of five bars: both thighs have a motor, both shins share the foot."""
    thigh, shin, spread = 0.25, 0.4, math.radians(50.0)
    knee = (thigh * math.sin(spread), -thigh * math.cos(spread))
    foot = knee[1] - math.sqrt(shin**2 - knee[0] ** 2)
    hip = -foot + 0.03  # the foot is a ball of 3 cm

    def bar(name, start, end, mass):
        dx, dz = end[0] - start[0], end[1] - start[1]
        length = math.hypot(dx, dz)
        side = mass * length**2 / 12.0
        return {
            "name": name,
            "mass": mass,
            "inertia": [side, side, 0.01 * side],
            "position": [0.5 * (start[0] + end[0]), 0, hip + 0.5 * (start[1] + end[1])],
            "orientation": _turn((0, 1, 0), math.atan2(dx, dz)),
            "shapes": [{"type": "capsule", "radius": 0.015, "length": length, "collide": False}],
        }

    bodies = [
        {"name": "world", "shapes": [{"type": "plane", "friction": 0.9}]},
        {
            "name": "hip",
            "mass": 4.0,
            "inertia": [0.05, 0.05, 0.05],
            "position": [0, 0, hip],
            "shapes": [{"type": "sphere", "radius": 0.08, "collide": False}],
        },
    ]
    joints = [
        {
            "name": "plane",
            "free": {"translation": "xz", "rotation": ""},
            "base": "world",
            "follower": "hip",
            "position": [0, 0, hip],
        }
    ]
    for name, side in (("front", 1.0), ("back", -1.0)):
        at = (side * knee[0], knee[1])
        bodies.append(bar(f"{name}_thigh", (0.0, 0.0), at, 0.4))
        bodies.append(bar(f"{name}_shin", at, (0.0, foot), 0.3))
        joints.append(
            {
                "name": f"{name}_motor",
                "type": "revolute",
                "base": "hip",
                "follower": f"{name}_thigh",
                "position": [0, 0, hip],
                "axis": [0, 1, 0],
                "actuation": "force",
                "stiffness": {"rx": 120},
                "damping": {"rx": 1.5},
            }
        )
        joints.append(
            {
                "name": f"{name}_knee",
                "type": "revolute",
                "base": f"{name}_thigh",
                "follower": f"{name}_shin",
                "position": [at[0], 0, hip + at[1]],
                "axis": [0, 1, 0],
                "damping": {"rx": 0.05},
            }
        )
    # the ball of the foot, at the end of the front shin
    end = bodies[3]
    turned = 0.5 * math.hypot(knee[0], foot - knee[1])
    end["shapes"].append({"type": "sphere", "radius": 0.03, "position": [0, 0, turned], "friction": 0.9})
    joints.append(
        {
            "name": "foot",
            "type": "revolute",
            "base": "front_shin",
            "follower": "back_shin",
            "position": [0, 0, hip + foot],
            "axis": [0, 1, 0],
        }
    )
    return {"name": "looped-leg", "bodies": bodies, "joints": joints}


def stewart():
    """A platform of 30 kg on six legs that are pushed: universal joints below, balls above."""
    low, high, floor, top = 1.0, 0.6, 0.0, 1.0
    bodies = [
        {
            "name": "plate",
            "mass": 30.0,
            "inertia": [3.0, 3.0, 6.0],
            "position": [0, 0, top],
            "shapes": [{"type": "cylinder", "radius": 0.6, "length": 0.05}],
        }
    ]
    joints = []
    for i in range(6):
        pair = math.radians(120.0 * (i // 2))
        below = pair + math.radians(10.0 if i % 2 == 0 else -10.0)
        above = pair + math.radians(50.0 if i % 2 == 0 else -50.0)
        a = [low * math.cos(below), low * math.sin(below), floor]
        b = [high * math.cos(above), high * math.sin(above), top]
        way = [q - p for p, q in zip(a, b)]
        length = math.sqrt(sum(w * w for w in way))
        way = [w / length for w in way]
        across = math.hypot(way[0], way[1])
        turn = _turn((-way[1] / across, way[0] / across, 0.0), math.acos(way[2]))
        side = [-way[1] / across, way[0] / across, 0.0]
        third = [way[1] * side[2] - way[2] * side[1], way[2] * side[0] - way[0] * side[2], way[0] * side[1] - way[1] * side[0]]
        for name, share in ((f"tube{i}", 0.3), (f"rod{i}", 0.7)):
            bodies.append(
                {
                    "name": name,
                    "mass": 0.5,
                    "inertia": [0.02, 0.02, 0.002],
                    "position": [p + share * length * w for p, w in zip(a, way)],
                    "orientation": turn,
                    "shapes": [{"type": "capsule", "radius": 0.03, "length": 0.5 * length}],
                }
            )
        axes = [side, third, [side[1] * third[2] - side[2] * third[1], side[2] * third[0] - side[0] * third[2], side[0] * third[1] - side[1] * third[0]]]
        joints.append(
            {"name": f"low{i}", "type": "universal", "base": "world", "follower": f"tube{i}", "position": a, "axes": axes}
        )
        joints.append(
            {
                "name": f"leg{i}",
                "type": "prismatic",
                "base": f"tube{i}",
                "follower": f"rod{i}",
                "position": [p + 0.5 * length * w for p, w in zip(a, way)],
                "axis": way,
                "actuation": "force",
                "damping": {"tx": 20},
            }
        )
        joints.append({"name": f"high{i}", "type": "spherical", "base": f"rod{i}", "follower": "plate", "position": b})
    return {"name": "stewart", "bodies": bodies, "joints": joints}


_made = {"cart-pole": cart_pole, "looped-leg": looped_leg, "stewart": stewart}


def load(name):
    """A model by its name: cart-pole, looped-leg, stewart, half-cheetah, atlas."""
    if name in _made:
        return Model.from_dict(_made[name](), name)
    return Model.from_file(_file(name))
