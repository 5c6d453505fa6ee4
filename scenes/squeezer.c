// scenes/squeezer.c - Andrews' squeezing mechanism, of the test set for initial value problems.
//
// Seven plane bodies, ten hinges, a spring and a constant motor torque of 0.033 N m; no gravity.
// 50 rows, rank 41. Body k is the k-th of the test set, its frame at its centre of mass.
//
//   in the test set   here        meaning
//   beta ... epsilon  turn[]      angles at load; cosines and sines are written out
//   ra, da, sa ...    in place    distances, m, with their names beside them
#include "scenes/builders.h"
#include "scenes/links.h"

#include <stdio.h>

enum {
    SQUEEZER_BODIES = 7
};

static const tml_vec3 normal = {0.0, 0.0, 1.0};

// Cosine and sine of each body's angle at load: beta, beta + theta, gamma, phi + delta, delta,
// omega + epsilon, epsilon.
typedef struct angle {
    double c, s;
} angle;

static const angle turn[SQUEEZER_BODIES] = {
    {0.998096302207349386954, -0.0616747235098422089037},
    {0.998096302207349386954, -0.0616747235098422089037},
    {0.898138023036951817606, 0.439713647247018939028},
    {0.758340124064549819471, 0.651859076974282216516},
    {0.883569902854000463736, 0.468299291874942069262},
    {0.533655608052728147794, 0.845701893100561169873},
    {0.333721716707613428351, 0.942671637314777498314},
};

// Steps along the three directions of the test set.
static tml_vec3 along(tml_vec3 from, double distance, angle a)  // c(a)
{
    return sum(from, vec(distance * a.c, distance * a.s, 0.0));
}

static tml_vec3 aside(tml_vec3 from, double distance, angle a)  // s(a)
{
    return sum(from, vec(distance * a.s, -distance * a.c, 0.0));
}

// The points of the mechanism at load.
typedef struct squeezer {
    tml_vec3 O, A, B, C;                  // on the ground
    tml_vec3 F, E, D, G, H;               // joints; D: the spring on body 3
    tml_vec3 centre[SQUEEZER_BODIES];     // centres of mass
    tml_vec3 corner[SQUEEZER_BODIES][3];  // what is drawn
} squeezer;

static squeezer place_points(void)
{
    squeezer p = {
        .A = {-0.06934, -0.00227, 0.0}, .B = {-0.03635, 0.03273, 0.0}, .C = {0.014, 0.072, 0.0}};

    p.F = along(p.O, 0.007, turn[0]);                                      // rr
    p.E = along(p.F, -0.028, turn[1]);                                     // d
    p.D = aside(along(p.B, 0.02, turn[2]), 0.018, turn[2]);                // sd, sc
    p.G = along(p.A, 0.04, turn[4]);                                       // zt
    p.H = aside(p.A, 0.04, turn[6]);                                       // u
    p.centre[0] = along(p.O, 0.00092, turn[0]);                            // ra
    p.centre[1] = along(p.F, -0.0115, turn[1]);                            // da
    p.centre[2] = along(aside(p.B, 0.01874, turn[2]), 0.01043, turn[2]);   // sa, sb
    p.centre[3] = aside(p.G, 0.02 - 0.01421, turn[3]);                     // e - ea
    p.centre[4] = aside(along(p.A, 0.02308, turn[4]), -0.00916, turn[4]);  // ta, tb
    p.centre[5] = along(p.H, 0.02 - 0.01421, turn[5]);                     // zf - fa
    p.centre[6] = along(aside(p.A, 0.01228, turn[6]), 0.00449, turn[6]);   // ua, ub

    const tml_vec3 corners[SQUEEZER_BODIES][3] = {
        {p.O, p.F, p.O},         {p.F, p.E, p.F}, {p.B, p.E, p.D},         {p.G, p.E, p.G},
        {p.A, p.G, p.centre[4]}, {p.H, p.E, p.H}, {p.A, p.H, p.centre[6]},
    };
    for (int k = 0; k < SQUEEZER_BODIES; k++) {
        for (int i = 0; i < 3; i++) p.corner[k][i] = corners[k][i];
    }
    return p;
}

static tml_vec3 in_body(const squeezer* p, int body, tml_vec3 point)
{
    const tml_vec3 d = minus(point, p->centre[body]);
    const angle a = turn[body];

    return vec(a.c * d.x + a.s * d.y, a.c * d.y - a.s * d.x, 0.0);
}

static tml_body add_plate(tml_spec* spec, const squeezer* p, int k)
{
    static const double masses[SQUEEZER_BODIES] = {0.04325, 0.00365, 0.02373, 0.00706,
                                                   0.07050, 0.00706, 0.05498};
    static const double inertias[SQUEEZER_BODIES] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                                     1.169e-5, 5.667e-7, 1.912e-5};
    static const int colors[SQUEEZER_BODIES] = {COLOR_RED,   COLOR_STEEL, COLOR_BLUE, COLOR_GREEN,
                                                COLOR_BRASS, COLOR_GREEN, COLOR_BRASS};
    const double I = inertias[k];
    char name[24];
    tml_shape_def shapes[2];
    int count = 0;

    for (int i = 0; i < 2; i++) {
        const tml_vec3 a = in_body(p, k, p->corner[k][i]);
        const tml_vec3 b = in_body(p, k, p->corner[k][i + 1]);
        if (i == 0 || p->corner[k][2].x != p->corner[k][0].x) {
            shapes[count++] = shape_strut(0.001, a, b, colors[k]);
        }
    }
    snprintf(name, sizeof name, "body.%d", k + 1);
    // a flat plate: what it has about the axes in its plane plays no part
    tml_body_def body = body_at(name, masses[k], vec(0.5 * I, 0.5 * I, I), p->centre[k]);
    body.pose.q = turn_axes(vec(turn[k].c, turn[k].s, 0.0), normal);
    body.shapes = shapes;
    body.shape_count = count;
    return tml_spec_add_body(spec, &body);
}

static void add_spring(tml_spec* spec, const squeezer* p, tml_body body)
{
    const tml_point ends[2] = {{body, in_body(p, 2, p->D)}, {TML_WORLD, p->C}};
    tml_spring_def spring = tml_spring_def_default();

    spring.point_count = 2;
    spring.points = ends;
    spring.stiffness = 4530.0;
    spring.rest_length = 0.07785;
    tml_spec_add_spring(spec, &spring);
}

void scene_andrews(tml_spec* spec, tml_run_settings* settings)
{
    const squeezer p = place_points();
    tml_body k[SQUEEZER_BODIES];

    tml_spec_set_gravity(spec, vec(0.0, 0.0, 0.0));
    for (int i = 0; i < SQUEEZER_BODIES; i++) k[i] = add_plate(spec, &p, i);

    tml_joint_def motor = joint_of("motor", TML_JOINT_REVOLUTE, TML_WORLD, k[0], p.O, normal);
    motor.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    motor.axis_of[TML_AXIS_RX].control = tml_control_constant(0.033);
    tml_spec_add_joint(spec, &motor);
    add_hinge(spec, "F", k[0], k[1], p.F, normal);
    add_hinge(spec, "E.3", k[1], k[2], p.E, normal);
    add_hinge(spec, "E.4", k[1], k[3], p.E, normal);
    add_hinge(spec, "E.6", k[1], k[5], p.E, normal);
    add_hinge(spec, "B", TML_WORLD, k[2], p.B, normal);
    add_hinge(spec, "G", k[3], k[4], p.G, normal);
    add_hinge(spec, "A.5", TML_WORLD, k[4], p.A, normal);
    add_hinge(spec, "H", k[5], k[6], p.H, normal);
    add_hinge(spec, "A.7", TML_WORLD, k[6], p.A, normal);
    add_spring(spec, &p, k[2]);
    run_for(settings, 1e-5, 0.03);
}
