// scenes/nets.c - nets of jointed links that fall onto things.                           [MABD Sec 6]
//
// A net is balls at the points of a grid, joined by rods through ball joints at the surface of the balls:
// n^2 + 2 n (n - 1) links for n points a side.
#include "scenes/nets.h"

#include "scenes/builders.h"
#include "scenes/touching.h"

#include <stdio.h>

static const tml_vec3 origin = {0.0, 0.0, 0.0};

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

tml_body add_net(tml_spec* spec, const net_def* n)
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

void touch_softly(tml_run_settings* settings, double stiffness, double step, double duration)
{
    settings->sim.formulation = TML_FORM_AFFINE;
    settings->sim.integrator = TML_TIME_ENERGY_DAMPED;
    settings->sim.contact.is_on = 1;
    settings->sim.contact.stiffness = stiffness;
    run_for(settings, step, duration);
}

// A net of 10 x 10 falls over a level cylinder and hangs on it. [MABD Fig 13]
void scene_net_on_cylinder(tml_spec* spec, tml_run_settings* settings)
{
    const net_def net = {.name = "net",
                         .rows = 10,
                         .columns = 10,
                         .corner = {-0.45, -0.45, 0.25},
                         .pitch = 0.1,
                         .ball = 0.01,
                         .rod = 0.008,
                         .density = 1000.0,
                         .friction = 0.5,
                         .group = 1};
    tml_shape_def cylinder =
        rough(shape_cylinder(0.2, 1.6, vec(0.0, 0.0, 0.0), turn_z_to_y(), COLOR_BLUE), 0.5, 0.0);
    tml_spec_add_world_shape(spec, &cylinder);
    add_net(spec, &net);
    touch_softly(settings, 1e3, 0.01, 5.0);
}

// ---- ragdolls

// A link of a figure; its frame has the axes of the world.
typedef struct doll_part {
    tml_body body;
    tml_vec3 middle;
} doll_part;

static doll_part add_part(tml_spec* spec, int doll, const char* what, tml_vec3 from, tml_vec3 to,
                          double radius)
{
    char name[48];
    static const int colors[3] = {COLOR_RED, COLOR_GREEN, COLOR_BLUE};
    const tml_vec3 along = unit_of(minus(to, from));
    const tml_vec3 middle = middle_of(from, to);
    tml_shape_def shape = rough(shape_capsule(radius, length_of(minus(to, from)), origin,
                                              turn_z_along(along), colors[doll % 3]),
                                0.4, 0.0);
    shape.group = 100 + doll;  // the parts of one figure do not touch each other
    snprintf(name, sizeof name, "doll.%d.%s", doll, what);
    return (doll_part){add_resting_body(spec, name, shape, 300.0, middle), middle};
}

// A joint of a figure: a ball, and a spring under pressure that straightens it, from a point of the base before
// the joint to one of the limb beyond it; 0.05 N m at a right angle. Springs along the three angles of a ball have no
// answer where the middle one is a right angle, and figures that fall are bent so far.
static void add_sprung(tml_spec* spec, int doll, const char* what, const doll_part* base,
                       const doll_part* limb, tml_vec3 at, tml_vec3 along)
{
    const double reach = 0.02;  // m
    char name[48];
    snprintf(name, sizeof name, "doll.%d.%s", doll, what);
    const tml_joint_def joint =
        joint_of(name, TML_JOINT_SPHERICAL, base->body, limb->body, at, vec(0.0, 0.0, 1.0));
    tml_spec_add_joint(spec, &joint);
    const tml_point points[2] = {
        {base->body, minus(sum(at, scaled_by(-reach, along)), base->middle)},
        {limb->body, minus(sum(at, scaled_by(reach, along)), limb->middle)},
    };
    tml_spring_def spring = tml_spring_def_default();
    snprintf(name, sizeof name, "doll.%d.%s.spring", doll, what);
    spring.name = name;
    spring.point_count = 2;
    spring.points = points;
    spring.stiffness = 70.0;
    spring.damping = 1.0;
    spring.rest_length = 4.0 * reach;
    tml_spec_add_spring(spec, &spring);
}

// Eleven links: pelvis, chest, head, two upper and two lower arms, two upper and two lower legs.
static void add_doll(tml_spec* spec, int doll, tml_vec3 at)
{
    const double u = 0.1;  // m: a tenth of a metre is the unit of a figure of 0.45 m
    const tml_vec3 up = vec(0.0, 0.0, 1.0);
    const tml_vec3 hip = at;
    const tml_vec3 waist = sum(at, vec(0.0, 0.0, 0.6 * u));
    const tml_vec3 neck = sum(at, vec(0.0, 0.0, 1.6 * u));
    const doll_part pelvis = add_part(spec, doll, "pelvis", hip, waist, 0.3 * u);
    const doll_part chest = add_part(spec, doll, "chest", waist, neck, 0.4 * u);
    add_sprung(spec, doll, "waist", &pelvis, &chest, waist, up);
    const doll_part head = add_part(spec, doll, "head", sum(neck, vec(0.0, 0.0, 0.4 * u)),
                                    sum(neck, vec(0.0, 0.0, 0.6 * u)), 0.35 * u);
    add_sprung(spec, doll, "neck", &chest, &head, neck, up);
    for (int k = 0; k < 4; k++) {
        static const char* const what[4][2] = {{"upper_arm.left", "lower_arm.left"},
                                               {"upper_arm.right", "lower_arm.right"},
                                               {"upper_leg.left", "lower_leg.left"},
                                               {"upper_leg.right", "lower_leg.right"}};
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        const int is_leg = k > 1;
        tml_vec3 from = is_leg ? sum(hip, vec(0.0, 0.25 * u * side, -0.1 * u))
                               : sum(neck, vec(0.0, 0.5 * u * side, 0.0));
        const tml_vec3 step =
            is_leg ? vec(0.0, 0.1 * u * side, -1.0 * u) : vec(0.0, 0.9 * u * side, 0.0);
        doll_part base = is_leg ? pelvis : chest;
        for (int n = 0; n < 2; n++) {
            char joint[16];
            const tml_vec3 to = sum(from, step);
            const doll_part part = add_part(spec, doll, what[k][n], from, to, 0.2 * u);
            snprintf(joint, sizeof joint, "joint.%d", 2 * k + n);
            add_sprung(spec, doll, joint, &base, &part, from, unit_of(step));
            base = part;
            from = to;
        }
    }
}

// 27 figures of 11 links fall on a net of 20 x 20 points, 1160 links, that hangs on its corners. [MABD Fig 19]
void scene_ragdolls(tml_spec* spec, tml_run_settings* settings)
{
    const net_def net = {.name = "net",
                         .rows = 20,
                         .columns = 20,
                         .corner = {-0.95, -0.95, 1.0},
                         .pitch = 0.1,
                         .ball = 0.012,
                         .rod = 0.01,
                         .density = 1000.0,
                         .friction = 0.4,
                         .group = 1};
    const tml_body first = add_net(spec, &net);
    for (int k = 0; k < 4; k++) {
        char name[48];
        const int i = k / 2 * (net.rows - 1);
        const int j = k % 2 * (net.columns - 1);
        snprintf(name, sizeof name, "pin.%d", k);
        // above the balls: pins in line with the rods could hold the flat net by no finite force
        add_joint(spec, name, TML_JOINT_SPHERICAL, TML_WORLD, ball_at(first, &net, i, j),
                  sum(point_of(&net, i, j), vec(0.0, 0.0, net.ball)), vec(1.0, 0.0, 0.0));
    }
    for (int k = 0; k < 27; k++) {
        add_doll(
            spec, k,
            vec(0.45 * (k % 3 - 1) + 0.02 * (k / 9), 0.5 * (k / 3 % 3 - 1), 1.25 + 0.5 * (k / 9)));
    }
    settings->sim.contact.max_contacts = 4000;
    settings->sim.contact.margin = 0.01;
    touch_softly(settings, 5e3, 0.005, 5.0);
}
