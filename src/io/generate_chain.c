// io/generate_chain.c - chains of links: straight, zigzag or coiled.
//
// Joint k is at point(k); link k reaches from point(k) to point(k + 1), its body frame in the
// middle. Points are computed from k, not by adding up, so that the millionth is as exact as the
// first. A heavy last body is a ball of the links' density that touches the last point.
//
//   L      length of a link, m          r      radius of a link, m
//   rise   along z per link of a coil   R      radius of the coil, m
#include "io/generate.h"
#include "math/quat.h"

enum {
    LINKS_A_TURN = 20
};

// A coil has 20 links a turn and climbs 3 r in it. Seen from above, a link is a chord of the circle:
//     L^2 = (2 R sin(pi/20))^2 + rise^2
typedef struct coil {
    double rise;
    double chord;  // of the circle, m
    double R;
} coil;

static coil coil_of(const generator* g)
{
    const double rise = 3.0 * g->link.radius / LINKS_A_TURN;
    const double chord = sqrt(g->link.length * g->link.length - rise * rise);
    return (coil){rise, chord, chord / (2.0 * tml__sin(TML_PI / LINKS_A_TURN))};
}

// On the circle, link k leaves point k at this angle to the x axis; the first along x.
static double coil_angle(int k) { return 2.0 * TML_PI * (k % LINKS_A_TURN) / LINKS_A_TURN; }

// Points on the circle lie behind the chord's direction by a quarter turn and half a link; the
// first is at the origin.
static vec3 coil_point(const generator* g, int k)
{
    const coil c = coil_of(g);
    const double half = TML_PI / LINKS_A_TURN;
    const double a = coil_angle(k) - half;

    return v3(c.R * (tml__sin(a) + tml__sin(half)), c.R * (tml__cos(half) - tml__cos(a)),
              c.rise * k);
}

static vec3 point(const generator* g, int k)
{
    const double L = g->link.length;
    const double diagonal = L * sqrt(0.5);

    switch (g->pose) {
    case POSE_HORIZONTAL: return v3_add(g->start, v3(L * k, 0.0, 0.0));
    case POSE_HANGING: return v3_add(g->start, v3(0.0, 0.0, -L * k));
    case POSE_ZIGZAG: return v3_add(g->start, v3(diagonal * k, k % 2 == 1 ? diagonal : 0.0, 0.0));
    case POSE_COIL: return v3_add(g->start, coil_point(g, k));
    }
    return g->start;
}

// The rotation that takes body x to the direction of link k.
static quat orientation(const generator* g, int k)
{
    switch (g->pose) {
    case POSE_HORIZONTAL: break;
    case POSE_HANGING: return q_about(1, TML_PI / 2.0);
    case POSE_ZIGZAG: return q_about(2, k % 2 == 0 ? TML_PI / 4.0 : -TML_PI / 4.0);
    case POSE_COIL: {
        const coil c = coil_of(g);
        return q_mul(q_about(2, coil_angle(k)), q_about(1, -tml__atan2(c.rise, c.chord)));
    }
    }
    return q_identity();
}

// Newton's iteration falls from above until rounding stops it.
static double cube_root(double a)
{
    double x = a > 1.0 ? a : 1.0;
    for (;;) {
        const double next = (2.0 * x + a / (x * x)) / 3.0;
        if (!(next < x)) return x;
        x = next;
    }
}

// The ball weighs as much per volume as a link: (4/3) pi b^3 / (pi r^2 L) = end_mass / mass.
static double ball_radius(const generator* g)
{
    const double rr = g->link.radius * g->link.radius;
    return cube_root(0.75 * rr * g->link.length * g->end_mass / g->link.mass);
}

static void add_ball(reader* r, const generator* g)
{
    const double b = ball_radius(g);
    const double moment = 0.4 * g->end_mass * b * b;
    const quat q = orientation(g, g->links - 1);

    tml_shape_def shape = tml_shape_def_default();
    shape.size = v3(b, 0.0, 0.0);
    tml_body_def def = tml_body_def_default();
    def.mass = g->end_mass;
    for (int k = 0; k < 3; k++) def.inertia[k] = moment;
    def.pose.p = v3_add(point(g, g->links), q_rotate(q, v3(b, 0.0, 0.0)));
    def.pose.q = q;
    def.shape_count = 1;
    def.shapes = &shape;
    tml__add_generated_body(r, g, g->links, &def);
}

void tml__chain_bodies(reader* r, generator* g)
{
    if (g->pose == POSE_COIL && !(coil_of(g).chord > 0.0)) {
        tml__refuse(r, g->at, TML_BAD_ARGUMENT,
                    "generator '%s': links of length %g and radius %g are too thick for a coil",
                    g->name, g->link.length, g->link.radius);
        return;
    }
    vec3 from = point(g, 0);
    for (int k = 0; k < g->links && r->status == TML_OK; k++) {
        const vec3 to = point(g, k + 1);
        const vec3 middle = v3_scale(0.5, v3_add(from, to));
        tml__add_link(r, g, k, g->link.mass, (tml_pose){middle, orientation(g, k)});
        from = to;
    }
    if (g->end_mass > 0.0) add_ball(r, g);
}

// Joint k at point(k) between two bodies; a revolute turns about y of link k, or of the last link
// where there is no link k.
static void add_joint(reader* r, const generator* g, int k, tml_body base, tml_body follower,
                      vec3 position)
{
    const quat q = orientation(g, k < g->links ? k : g->links - 1);
    tml_joint_def def = tml_joint_def_default();
    def.kind = g->joint;
    def.base = base;
    def.follower = follower;
    def.position = position;
    if (g->joint == TML_JOINT_REVOLUTE) def.axis = q_rotate(q, v3(0.0, 1.0, 0.0));
    tml__add_generated_joint(r, g, k, &def);
}

void tml__chain_joints(reader* r, const generator* g)
{
    const int count = g->links + (g->end_mass > 0.0 ? 1 : 0);
    for (int k = g->is_anchored ? 0 : 1; k < count && r->status == TML_OK; k++) {
        const tml_body base = k > 0 ? (tml_body){g->first_body + k - 1} : TML_WORLD;
        add_joint(r, g, k, base, (tml_body){g->first_body + k}, point(g, k));
    }
    if (!g->is_closed) return;

    // the far side of the ball where there is one
    vec3 end = point(g, g->links);
    if (g->end_mass > 0.0) {
        const quat q = orientation(g, g->links - 1);
        end = v3_add(end, q_rotate(q, v3(2.0 * ball_radius(g), 0.0, 0.0)));
    }
    add_joint(r, g, count, TML_WORLD, (tml_body){g->first_body + count - 1}, end);
}
