// scenes/hoberman.c - Hoberman's ring and sphere: scissors of bent bars that open as one.
//
// A ring is 20 scissor units, each alpha = 18 degrees wide, between radial lines k alpha and
// (k + 1) alpha. A unit is two congruent bars with two legs of length p and the angle pi - alpha
// between them, joined at their bends. For the opening angle theta
//
//     R = p sin(theta) / sin(alpha/2)                  the bend, on the line (k + 1/2) alpha
//     r_out, r_in = p sin(theta +- alpha/2) / sin(alpha/2)    the ends
//
// the bar of type 0 goes from (line k, r_out) through the bend to (line k + 1, r_in), that of type 1
// from (line k, r_in) to (line k + 1, r_out). All ends stay on their lines whatever theta, so theta
// is the freedom. At theta = pi/2 everything lies on one circle and all loops are singular.
//
// The sphere has six such rings on the great circles through the 30 vertices of an
// icosidodecahedron; even lines pass through vertices, where two rings cross. 240 bars, 360
// revolutes about the normals of the rings, and 60 sphericals between rings: 1980 rows, of which 547
// are redundant; 7 freedoms, 6 of them rigid.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <math.h>
#include <stdio.h>

enum {
    UNITS = 20,  // of a ring
    RINGS = 6,
    VERTICES = 30,
};

static const double leg = 0.1;        // p, m
static const double bar_mass = 0.02;  // kg

// sines and cosines, written out so that the scene is the same bits everywhere
static const double sin_9 = 0.15643446504023086901;          // of alpha/2
static const double cos_9 = 0.98768834059513772619;          //
static const double sin_open = 0.717356090899522761627;      // of theta = 0.8
static const double sin_open_out = 0.817513188403027854281;  // of 0.8 + alpha/2
static const double sin_open_in = 0.59953530566970097778;    // of 0.8 - alpha/2
static const double cosine[UNITS + 1] = {                    // of k alpha; k - 5 gives the sines
    1.0,
    0.951056516295153572116,
    0.809016994374947424102,
    0.587785252292473129169,
    0.309016994374947424102,
    0.0,
    -0.309016994374947424102,
    -0.587785252292473129169,
    -0.809016994374947424102,
    -0.951056516295153572116,
    -1.0,
    -0.951056516295153572116,
    -0.809016994374947424102,
    -0.587785252292473129169,
    -0.309016994374947424102,
    0.0,
    0.309016994374947424102,
    0.587785252292473129169,
    0.809016994374947424102,
    0.951056516295153572116,
    1.0};

// A ring: line 0 along u, counter-clockwise about the normal.
typedef struct ring {
    int index;
    tml_vec3 normal, u;
    tml_velocity motion;     // of all its bars, as one rigid body, about the origin
    tml_body bar[UNITS][2];  // by unit and type
} ring;

// Unit vector along the line k alpha.
static tml_vec3 line(const ring* r, int k)
{
    const int i = k % UNITS;
    const tml_vec3 v = cross(r->normal, r->u);

    return sum(scaled_by(cosine[i], r->u), scaled_by(cosine[(i + UNITS - 5) % UNITS], v));
}

static tml_vec3 outer(const ring* r, int k)
{
    return scaled_by(leg * sin_open_out / sin_9, line(r, k));
}

static tml_vec3 inner(const ring* r, int k)
{
    return scaled_by(leg * sin_open_in / sin_9, line(r, k));
}

// On the line halfway between two others, whose unit vectors sum up to 2 cos(alpha/2).
static tml_vec3 bend(const ring* r, int unit)
{
    const tml_vec3 both = sum(line(r, unit), line(r, unit + 1));
    return scaled_by(leg * sin_open / (2.0 * sin_9 * cos_9), both);
}

// ---- bars and joints of a ring

// Two thin legs. The frame is at the centre of mass, halfway between the middles of the legs; body x
// runs from end to end, body z along the normal, and the bend points to -y, outwards. The inertia is
// that of a straight rod of 2 p, with a radius of gyration of 1 cm about its own axis.
static tml_body add_bar(tml_spec* spec, const ring* r, int unit, int type)
{
    const tml_vec3 a = type == 0 ? outer(r, unit) : inner(r, unit);
    const tml_vec3 b = type == 0 ? inner(r, unit + 1) : outer(r, unit + 1);
    const tml_vec3 centre = middle_of(middle_of(a, b), bend(r, unit));
    const double across = bar_mass * 4.0 * leg * leg / 12.0;
    const double depth = 0.5 * leg * sin_9;
    const tml_vec3 corner = vec(0.0, -depth, 0.0);
    const int color = type == 0 ? COLOR_BLUE : COLOR_BRASS;
    const tml_shape_def shapes[2] = {
        shape_strut(0.004, vec(-leg * cos_9, depth, 0.0), corner, color),
        shape_strut(0.004, corner, vec(leg * cos_9, depth, 0.0), color)};
    char name[32];

    snprintf(name, sizeof name, "bar.%d.%d.%d", r->index, unit, type);
    tml_body_def bar = body_at(name, bar_mass, vec(bar_mass * 1e-4, across, across), centre);
    bar.pose.q = turn_axes(across_of(r->normal, minus(b, a)), r->normal);
    bar.velocity = spin_about(vec(0.0, 0.0, 0.0), r->motion.angular, centre);
    bar.velocity.linear = sum(bar.velocity.linear, r->motion.linear);
    bar.shapes = shapes;
    bar.shape_count = 2;
    return tml_spec_add_body(spec, &bar);
}

static void add_pivot(tml_spec* spec, const ring* r, const char* what, int index,
                      tml_joint_def joint)
{
    char name[32];

    snprintf(name, sizeof name, "%s.%d.%d", what, r->index, index);
    joint.name = name;
    joint.kind = TML_JOINT_REVOLUTE;
    joint.axis = r->normal;
    tml_spec_add_joint(spec, &joint);
}

// 40 bars, 60 revolutes. The control, when there is one, opens unit 0.
static void add_ring(tml_spec* spec, ring* r, tml_control control)
{
    const tml_vec3 axis = r->normal;

    for (int k = 0; k < UNITS; k++) {
        for (int type = 0; type < 2; type++) r->bar[k][type] = add_bar(spec, r, k, type);
    }
    for (int k = 0; k < UNITS; k++) {
        const tml_body* here = r->bar[k];
        const tml_body* before = r->bar[(k + UNITS - 1) % UNITS];
        tml_joint_def scissor =
            joint_of("", TML_JOINT_REVOLUTE, here[0], here[1], bend(r, k), axis);

        if (k == 0 && control.kind != TML_CONTROL_NONE) {
            scissor.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
            scissor.axis_of[TML_AXIS_RX].control = control;
        }
        add_pivot(spec, r, "scissor", k, scissor);
        add_pivot(spec, r, "outer", k,
                  joint_of("", TML_JOINT_REVOLUTE, before[1], here[0], outer(r, k), axis));
        add_pivot(spec, r, "inner", k,
                  joint_of("", TML_JOINT_REVOLUTE, before[0], here[1], inner(r, k), axis));
    }
}

// ---- one ring, upright, hung on its topmost joint. Its first scissor opens from theta = 0.8 to 1.2,
//      and with it all the others. 40 bars, 306 rows, rank 239.

void scene_hoberman_ring(tml_spec* spec, tml_run_settings* settings)
{
    ring r = {.normal = {0.0, 1.0, 0.0}, .u = {0.0, 0.0, 1.0}};

    add_ring(spec, &r, swing(0.4, 0.25));
    add_hinge(spec, "hook", TML_WORLD, r.bar[UNITS - 1][1], outer(&r, 0), r.normal);
    run_for(settings, 0.01, 8.0);
}

// ---- the sphere

// The three cyclic permutations of a vector.
static tml_vec3 cycled(tml_vec3 a, int times)
{
    switch (times % 3) {
    case 0: return a;
    case 1: return vec(a.z, a.x, a.y);
    default: return vec(a.y, a.z, a.x);
    }
}

// Directions of the vertices of an icosidodecahedron.
static void place_vertices(tml_vec3 vertices[VERTICES])
{
    const double phi = 0.5 * (1.0 + sqrt(5.0));
    int count = 0;

    for (int k = 0; k < 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            vertices[count++] = cycled(vec(sign, 0.0, 0.0), k);
        }
        for (int signs = 0; signs < 8; signs++) {
            const tml_vec3 corner = vec(signs & 1 ? 0.5 : -0.5, (signs & 2 ? 0.5 : -0.5) * phi,
                                        (signs & 4 ? 0.5 : -0.5) * phi * phi);
            vertices[count++] = unit_of(cycled(corner, k));
        }
    }
}

static void place_rings(const tml_vec3 vertices[VERTICES], ring rings[RINGS])
{
    const double phi = 0.5 * (1.0 + sqrt(5.0));

    for (int i = 0; i < RINGS; i++) {
        const tml_vec3 normal = unit_of(cycled(vec(0.0, phi, i % 2 ? 1.0 : -1.0), i / 2));
        int first = 0;
        while (fabs(dot_of(vertices[first], normal)) > 1e-9) first++;  // one of ten lies on it
        rings[i] = (ring){.index = i, .normal = normal, .u = vertices[first]};
    }
}

// The line of a ring that passes through a vertex; -1 when there is none.
static int line_through(const ring* r, tml_vec3 vertex)
{
    for (int k = 0; k < UNITS; k += 2) {
        if (length_of(minus(line(r, k), vertex)) < 1e-9) return k;
    }
    return -1;
}

// Where two rings cross, the first bar of one holds the first bar of the other, outside and inside.
static void add_crossing(tml_spec* spec, int vertex, const ring* a, int line_a, const ring* b,
                         int line_b)
{
    const tml_body* bar_a = a->bar[(line_a + UNITS - 1) % UNITS];
    const tml_body* bar_b = b->bar[(line_b + UNITS - 1) % UNITS];
    const tml_vec3 none = vec(0.0, 0.0, 0.0);
    char name[32];

    snprintf(name, sizeof name, "vertex.%d.outer", vertex);
    add_joint(spec, name, TML_JOINT_SPHERICAL, bar_a[1], bar_b[1], outer(a, line_a), none);
    snprintf(name, sizeof name, "vertex.%d.inner", vertex);
    add_joint(spec, name, TML_JOINT_SPHERICAL, bar_a[0], bar_b[0], inner(a, line_a), none);
}

// Thrown upwards, turning with 6 rad/s about z: after four seconds it is back where it started.
void scene_hoberman_sphere(tml_spec* spec, tml_run_settings* settings)
{
    const tml_velocity thrown = {vec(0.0, 0.0, 0.5 * 4.0 * 9.81), vec(0.0, 0.0, 6.0)};
    tml_vec3 vertices[VERTICES];
    ring rings[RINGS];

    place_vertices(vertices);
    place_rings(vertices, rings);
    for (int i = 0; i < RINGS; i++) {
        rings[i].motion = thrown;
        add_ring(spec, &rings[i], (tml_control){0});
    }
    for (int v = 0; v < VERTICES; v++) {
        const ring* found[2] = {NULL, NULL};
        int at[2] = {0, 0};
        int count = 0;
        for (int i = 0; i < RINGS && count < 2; i++) {
            const int k = line_through(&rings[i], vertices[v]);
            if (k < 0) continue;
            found[count] = &rings[i];
            at[count++] = k;
        }
        if (count == 2) add_crossing(spec, v, found[0], at[0], found[1], at[1]);
    }
    run_for(settings, 0.01, 4.0);
}
