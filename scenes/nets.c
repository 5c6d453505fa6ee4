// scenes/nets.c - nets of jointed links that fall onto things.                           [MABD Sec 6]
//
// A net is balls at the points of a grid, joined by rods through ball joints at the surface of the balls:
// n^2 + 2 n (n - 1) links for n points a side.
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <stdio.h>

static const tml_vec3 origin = {0.0, 0.0, 0.0};

typedef struct net_def {
    const char* name;
    int rows, columns;  // along y and x
    tml_vec3 corner;    // of point (0, 0)
    double pitch;       // m, between points
    double ball, rod;   // radii, m
    double density;     // kg/m^3
    double friction;
    int group;  // of its shapes: they do not touch each other; 0: they do
} net_def;

static tml_vec3 point_of(const net_def* n, int i, int j)
{
    return sum(n->corner, vec(n->pitch * j, n->pitch * i, 0.0));
}

static tml_shape_def material(const net_def* n, tml_shape_def shape)
{
    shape = rough(shape, n->friction, 0.0);
    shape.group = n->group;
    return shape;
}

// The rod from a point to the next one along x or y, with its two joints.
static void add_rod(tml_spec* spec, const net_def* n, int number, const tml_body ends[2],
                    const tml_vec3 points[2])
{
    char name[48];
    const tml_vec3 along = unit_of(minus(points[1], points[0]));
    const double length = n->pitch - 2.0 * n->ball;
    // capsules end where the balls begin
    const tml_shape_def shape = material(
        n, shape_capsule(n->rod, length - 2.0 * n->rod, origin, turn_z_along(along), COLOR_BRASS));
    snprintf(name, sizeof name, "%s.rod.%d", n->name, number);
    const tml_body rod =
        add_resting_body(spec, name, shape, n->density, middle_of(points[0], points[1]));
    for (int k = 0; k < 2; k++) {
        const double side = k == 0 ? 1.0 : -1.0;
        snprintf(name, sizeof name, "%s.joint.%d", n->name, 2 * number + k);
        add_joint(spec, name, TML_JOINT_SPHERICAL, ends[k], rod,
                  sum(points[k], scaled_by(side * n->ball, along)), vec(1.0, 0.0, 0.0));
    }
}

static tml_body ball_at(tml_body first, const net_def* n, int i, int j)
{
    return (tml_body){first.index + i * n->columns + j};
}

// Answers its first ball; point (i, j) is ball i * columns + j from there.
static tml_body add_net(tml_spec* spec, const net_def* n)
{
    tml_body first = {0};
    for (int k = 0; k < n->rows * n->columns; k++) {
        char name[48];
        snprintf(name, sizeof name, "%s.ball.%d", n->name, k);
        const tml_body ball =
            add_resting_body(spec, name, material(n, shape_sphere(n->ball, origin, COLOR_STEEL)),
                             n->density, point_of(n, k / n->columns, k % n->columns));
        if (k == 0) first = ball;
    }
    int number = 0;
    for (int way = 0; way < 2; way++) {
        const int di = way;
        const int dj = 1 - way;
        for (int i = 0; i + di < n->rows; i++) {
            for (int j = 0; j + dj < n->columns; j++) {
                const tml_body ends[2] = {ball_at(first, n, i, j),
                                          ball_at(first, n, i + di, j + dj)};
                const tml_vec3 points[2] = {point_of(n, i, j), point_of(n, i + di, j + dj)};
                add_rod(spec, n, number++, ends, points);
            }
        }
    }
    return first;
}

// Contacts of nets give way and belong to the equations of the links.      [docs/contact.md]
static void touch_softly(tml_run_settings* settings, double stiffness, double step, double duration)
{
    settings->sim.formulation = TML_FORM_AFFINE;
    settings->sim.integrator = TML_TIME_ENERGY_DAMPED;
    settings->sim.has_contact = 1;
    settings->sim.contact_stiffness = stiffness;
    run_for(settings, step, duration);
}

// A net of 10 x 10 falls over a level cylinder and slides off one side. [MABD Fig 13]
void scene_net_on_cylinder(tml_spec* spec, tml_run_settings* settings)
{
    const net_def net = {.name = "net",
                         .rows = 10,
                         .columns = 10,
                         .corner = {-0.4, -0.45, 0.45},
                         .pitch = 0.1,
                         .ball = 0.01,
                         .rod = 0.008,
                         .density = 1000.0,
                         .friction = 0.2,
                         .group = 1};
    tml_shape_def cylinder =
        rough(shape_cylinder(0.2, 1.6, vec(0.0, 0.0, 0.0), turn_z_to_y(), COLOR_BLUE), 0.2, 0.0);
    tml_spec_add_world_shape(spec, &cylinder);
    add_net(spec, &net);
    touch_softly(settings, 2e4, 0.01, 5.0);
}
