"""Questions about shapes at given poses: rays, distances, what is near."""

import numpy as np

from ._library import BadArgument, check, ffi, lib, numbers, pointer, text

_NOTHING = -2

RAY = np.dtype(
    {"names": ["from", "direction", "reach", "ignored"], "formats": ["3f8", "3f8", "f8", "i4"], "itemsize": 64}
)
#: what a row of Query.rays(all=True) holds
HIT = np.dtype([("body", "i4"), ("shape", "i4"), ("distance", "f8"), ("point", "3f8"), ("normal", "3f8")])
#: what Query.distance and Query.near answer
NEAR = np.dtype(
    [
        ("a", "i4"),
        ("b", "i4"),
        ("shape_a", "i4"),
        ("shape_b", "i4"),
        ("distance", "f8"),
        ("on_a", "3f8"),
        ("on_b", "3f8"),
        ("normal", "3f8"),
    ]
)
assert RAY.itemsize == ffi.sizeof("tml_ray")
assert HIT.itemsize == ffi.sizeof("tml_hit")
assert NEAR.itemsize == ffi.sizeof("tml_near")


class Query:
    """Rays and distances among the shapes of a model: what contact sees, deformables excepted.

        query = model.query()
        query.place(sim)
        distance, body = query.rays(origins, directions, reach=10.0, ignored="robot")
        query.distance("left foot", "right foot")["distance"]
    """

    def __init__(self, model):
        self.model = model
        out = ffi.new("tml_query**")
        status = lib.tml_query_create(model._model, ffi.NULL, out)
        self._query = ffi.gc(out[0], lib.tml_query_destroy)
        self._check(status)

    def _check(self, status):
        check(status, lambda: text(lib.tml_query_message(self._query)))

    def place(self, where):
        """Bodies stand where those of a Sim do, or at poses (nbody x 7)."""
        poses = numbers(getattr(where, "poses", where), (self.model.nbody, 7), "poses")
        self._check(lib.tml_query_place(self._query, pointer(poses, "tml_pose*")))
        return self

    def rays(self, origins, directions, reach=100.0, ignored=None, all=False):
        """Where rays first enter a shape: (distances, bodies), `reach` and -2 where they meet nothing, -1 for the world.
        `ignored` is a body that they pass through. all: a structured array with shape, point and normal too."""
        origins, directions = np.broadcast_arrays(np.asarray(origins, float), np.asarray(directions, float))
        rays = np.empty(origins.shape[:-1], RAY)
        rays["from"], rays["direction"], rays["reach"] = origins, directions, reach
        rays["ignored"] = _NOTHING if ignored is None else self.model.body(ignored)
        hits = np.empty(rays.shape, HIT)
        self._check(
            lib.tml_query_rays(self._query, rays.size, pointer(rays, "tml_ray*"), pointer(hits, "tml_hit*"))
        )
        return hits if all else (hits["distance"].copy(), hits["body"].copy())

    def distance(self, a, b, reach=1e6):
        """The nearest points of two bodies ("world" is one): a record with distance, on_a, on_b, normal, shape_a,
        shape_b. The distance is infinite beyond `reach`, negative where they overlap."""
        out = np.empty(1, NEAR)
        bodies = [[self._body(a)], [self._body(b)]]
        self._check(lib.tml_query_distance(self._query, *bodies, reach, pointer(out, "tml_near*")))
        return out[0]

    def near(self, kind, size, position=(0.0, 0.0, 0.0), orientation=(1.0, 0.0, 0.0, 0.0), reach=0.0):
        """All shapes that overlap this one (or are within `reach` of it): kind is "sphere", "box", "capsule", ...,
        size as in trammel/shape.h. An array of records, b the body that is near."""
        shape = ffi.new("tml_shape_def*", lib.tml_shape_def_default())
        found = ffi.new("tml_shape_kind*")
        if not lib.tml_shape_kind_find(kind.encode(), found):
            raise BadArgument(f"there is no shape '{kind}'")
        shape.kind = found[0]
        size = np.zeros(3) + np.r_[np.atleast_1d(size), np.zeros(3)][:3]
        shape.size = dict(zip("xyz", size.tolist()))
        shape.pose.p = dict(zip("xyz", map(float, position)))
        shape.pose.q = dict(zip("wxyz", map(float, orientation)))
        count, room = ffi.new("int*"), 64
        while True:
            out = np.empty(room, NEAR)
            self._check(lib.tml_query_near(self._query, shape, reach, pointer(out, "tml_near*"), room, count))
            if count[0] <= room:
                return out[: count[0]]
            room = count[0]

    def _body(self, body):
        return -1 if body == "world" or body == -1 else self.model.body(body)

    def __repr__(self):
        return f"<trammel.Query of '{self.model.name}'>"


class Events:
    """What has begun and ended between two looks at a simulation: bodies that touch, joints at their limits.

        events = trammel.Events(model)
        for event in events.look(sim.step()):
            event["kind"], event["a"], event["b"]       # "touch", "part"; bodies by name
            event["joint"], event["axis"], event["side"]  # "limit", "leave"
    """

    _kinds = ("touch", "part", "limit", "leave")
    _axes = ("tx", "ty", "tz", "rx", "ry", "rz")

    def __init__(self, model, tolerance=0.0):
        self.model = model
        self._names = [*model.bodies, "world"]
        self._joints = model.joints
        out = ffi.new("tml_events**")
        check(lib.tml_events_create(model._model, tolerance, ffi.NULL, out), lambda: "a tolerance that is not negative is wanted")
        self._events = ffi.gc(out[0], lib.tml_events_destroy)

    def look(self, sim):
        """The events since the last look, a list of dictionaries."""
        check(lib.tml_events_look(self._events, sim._sim), lambda: "the simulation is of another model")
        return [self._read(lib.tml_events_at(self._events, i)) for i in range(lib.tml_events_count(self._events))]

    def _read(self, e):
        kind = self._kinds[e.kind]
        out = {"kind": kind, "time": e.time}
        if kind in ("touch", "part"):
            out["a"] = self._names[e.a.index] if e.deformable < 0 else f"deformable {e.deformable}"
            out["b"] = self._names[e.b.index]
        else:
            out.update(joint=self._joints[e.joint.index], axis=self._axes[e.axis], side=("lower", "upper")[e.side > 0])
        if kind in ("touch", "limit"):
            out["strength"] = e.strength
        return out

    def forget(self):
        """The next look is the first again."""
        lib.tml_events_forget(self._events)
        return self
