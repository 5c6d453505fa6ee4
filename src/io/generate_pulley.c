// io/generate_pulley.c - a chain over and under sheaves, a weight at its end, drawn in at its start.
//
// The chain begins at `start`, climbs to the first sheave, runs over it, down, under the second, up, and
// so on; it hangs from the last. Neighbouring sheaves stand so that every straight piece is upright.
// Sheaves are cylinders of the world. Links on a sheave are chords whose middles touch it:
//
//   L, r   length and radius of a link, m       S     radius of a sheave, m
//   R      sqrt((S + r)^2 + (L/2)^2): of the circle that the joints lie on
//
// Sheaves may be larger than the path knows, so that the chain lies in them as deep as a stiffness gives way
// under its tension: from the first to the last the depth changes evenly.
//
// Joint k + 1 lies where the path leaves the ball of radius L about joint k: found by bisection, and
// shifted along that line until the distance is exact.
#include "io/generate.h"
#include "math/quat.h"

typedef struct path {
    double R;
    double height;
    int sheaves;
    vec3 start;
} path;

static path path_of(const generator* g)
{
    const double reach = g->sheave_radius + g->link.radius;
    const double half = 0.5 * g->link.length;
    return (path){sqrt(reach * reach + half * half), g->height, g->sheaves, g->start};
}

static vec3 sheave(const path* p, int k)
{
    const double z = k % 2 == 0 ? p->height : 0.0;
    return v3_add(p->start, v3(p->R * (2 * k + 1), 0.0, z));
}

// Is the path straight from this length to the next link's end?
static bool is_straight(const path* p, double s, double length)
{
    const double round = TML_PI * p->R + p->height;
    const int k = (int)(s / round);
    // an upright piece comes before each sheave, the last one after them all
    const double rest = s - k * round;
    return k >= p->sheaves || rest + length < p->height;
}

// The place at a length along the path.
static vec3 along(const path* p, double s)
{
    const double arc = TML_PI * p->R;
    if (s < p->height) return v3_add(p->start, v3(0.0, 0.0, s));
    const double round = arc + p->height;
    int k = (int)((s - p->height) / round);
    if (k > p->sheaves - 1) k = p->sheaves - 1;
    const double rest = s - p->height - k * round;
    const vec3 c = sheave(p, k);
    const double up = k % 2 == 0 ? 1.0 : -1.0;
    if (rest >= arc) return v3_add(c, v3(p->R, 0.0, -up * (rest - arc)));
    const double angle = rest / p->R;
    return v3_add(c, v3(-p->R * tml__cos(angle), 0.0, up * p->R * tml__sin(angle)));
}

static bool place_joints(reader* r, generator* g)
{
    enum {
        HALVINGS = 60  // of an interval of a hundredth of a link: below rounding
    };
    const path p = path_of(g);
    const double L = g->link.length;
    vec3* points = tml__take(r, g->links + 1, sizeof *points);
    if (points == NULL) return false;
    points[0] = g->start;
    double s = 0.0;
    for (int k = 0; k < g->links; k++) {
        // an arc of this length has a chord that is shorter by L^3 / (24 R^2), R > 2 L
        double near = s;
        double far = is_straight(&p, s, L) ? s + L : s + 1.02 * L;
        for (int i = 0; i < HALVINGS && far > s + L; i++) {
            const double middle = 0.5 * (near + far);
            if (v3_norm(v3_sub(along(&p, middle), points[k])) < L) {
                near = middle;
            } else {
                far = middle;
            }
        }
        s = far;
        const vec3 d = v3_sub(along(&p, s), points[k]);
        points[k + 1] = v3_axpy(points[k], L / v3_norm(d), d);
    }
    g->points = points;
    return true;
}

static void add_sheaves(reader* r, const generator* g)
{
    const path p = path_of(g);
    for (int k = 0; k < g->sheaves && r->status == TML_OK; k++) {
        tml_shape_def shape = tml_shape_def_default();
        shape.kind = TML_SHAPE_CYLINDER;
        const double share = g->sheaves > 1 ? (double)k / (g->sheaves - 1) : 1.0;
        const double sink = g->start_sink + share * (g->sink - g->start_sink);
        shape.size = v3(g->sheave_radius + sink, 0.0, 20.0 * g->link.radius);
        shape.pose = (tml_pose){sheave(&p, k), q_about(0, TML_PI / 2.0)};
        shape.friction = g->friction;
        tml_spec_add_world_shape(r->spec, &shape);
        tml__take_refusal(r, g->at);
    }
}

static void add_link(reader* r, const generator* g, int k)
{
    const vec3 a = g->points[k];
    const vec3 b = g->points[k + 1];
    const double angle = tml__atan2(a.z - b.z, b.x - a.x);  // about y, which takes x to -z
    const double rr = g->link.radius * g->link.radius;
    const double LL = g->link.length * g->link.length;
    tml_shape_def shape = tml_shape_def_default();
    shape.kind = TML_SHAPE_CAPSULE;
    shape.size = v3(g->link.radius, 0.0, g->link.length - 2.0 * g->link.radius);
    shape.pose.q = q_about(1, TML_PI / 2.0);
    shape.friction = g->friction;
    shape.group = 1;
    tml_body_def def = tml_body_def_default();
    def.mass = k == 0 && g->start_mass > 0.0 ? g->start_mass : g->link.mass;
    def.inertia[0] = 0.5 * def.mass * rr;
    def.inertia[1] = def.inertia[2] = def.mass * (3.0 * rr + LL) / 12.0;
    def.pose = (tml_pose){v3_scale(0.5, v3_add(a, b)), q_about(1, angle)};
    def.shape_count = 1;
    def.shapes = &shape;
    tml__add_generated_body(r, g, k, &def);
}

// A ball of steel that hangs from the last joint.
static void add_anchor(reader* r, const generator* g)
{
    const double radius = 0.031 * tml__exp(tml__log(g->end_mass) / 3.0);  // 7900 kg/m^3
    tml_shape_def shape = tml_shape_def_default();
    shape.size = v3(radius, 0.0, 0.0);
    shape.collide = 0;
    tml_body_def def = tml_body_def_default();
    def.mass = g->end_mass;
    for (int k = 0; k < 3; k++) def.inertia[k] = 0.4 * g->end_mass * radius * radius;
    def.pose.p = v3_sub(g->points[g->links], v3(0.0, 0.0, radius));
    def.shape_count = 1;
    def.shapes = &shape;
    tml__add_generated_body(r, g, g->links, &def);
}

void tml__pulley_bodies(reader* r, generator* g)
{
    const path p = path_of(g);
    const double least = p.height + g->sheaves * TML_PI * p.R + (g->sheaves - 1) * p.height;
    if (!(g->link.length > 2.0 * g->link.radius) || !(p.R > 2.0 * g->link.length)) {
        tml__refuse(r, g->at, TML_BAD_ARGUMENT,
                    "generator '%s': links of length %g need a radius below half of it (not %g), "
                    "and sheaves of more than twice it (not %g)",
                    g->name, g->link.length, g->link.radius, g->sheave_radius);
        return;
    }
    if (!(g->links * g->link.length > least)) {
        tml__refuse(r, g->at, TML_BAD_ARGUMENT,
                    "generator '%s': %d links are %g m, but the way over %d sheaves is %g m",
                    g->name, g->links, g->links * g->link.length, g->sheaves, least);
        return;
    }
    if (!place_joints(r, g)) return;
    add_sheaves(r, g);
    for (int k = 0; k < g->links && r->status == TML_OK; k++) add_link(r, g, k);
    if (r->status == TML_OK) add_anchor(r, g);
}

// The first is drawn downwards by the drive; all others are balls. A first link with a weight of its own has
// none.
void tml__pulley_joints(reader* r, const generator* g)
{
    for (int k = g->start_mass > 0.0 ? 1 : 0; k <= g->links && r->status == TML_OK; k++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_SPHERICAL;
        def.base = k > 0 ? (tml_body){g->first_body + k - 1} : TML_WORLD;
        def.follower = (tml_body){g->first_body + k};
        def.position = g->points[k];
        if (k == 0 && g->drive.kind != TML_CONTROL_NONE) {
            def.kind = TML_JOINT_SLOT;
            def.axis = v3(0.0, 0.0, -1.0);
            def.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
            def.axis_of[TML_AXIS_TX].control = g->drive;
        }
        tml__add_generated_joint(r, g, k, &def);
    }
}
