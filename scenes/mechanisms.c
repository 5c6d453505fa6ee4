// scenes/mechanisms.c - everyday mechanisms that are held more often than they need to be: a door,
// a table, parallelograms, a scissor lift, a walking leg.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <math.h>
#include <stdio.h>

static const double density = 600.0;  // kg/m^3, wood
static const tml_vec3 y_axis = {0.0, 1.0, 0.0};
static const tml_vec3 z_axis = {0.0, 0.0, 1.0};

// ---- a door on two hinges: 10 rows, rank 5. Pushed open, it comes to rest by the hinges' friction.

static void add_door_hinge(tml_spec* spec, const char* name, tml_body door, double height)
{
    const tml_vec3 point = vec(0.0, 0.0, height);
    const tml_shape_def knuckle = shape_cylinder(0.02, 0.12, point, turn_none(), COLOR_DARK);
    tml_joint_def hinge = joint_of(name, TML_JOINT_REVOLUTE, TML_WORLD, door, point, z_axis);

    hinge.axis_of[TML_AXIS_RX].damping = 4.0;
    tml_spec_add_joint(spec, &hinge);
    tml_spec_add_world_shape(spec, &knuckle);
}

void scene_two_hinge_door(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 centre = vec(0.45, 0.0, 1.0);
    const tml_vec3 omega = vec(0.0, 0.0, 1.0);
    const tml_shape_def post = shape_box(vec(0.08, 0.08, 2.1), vec(-0.06, 0.0, 1.05), COLOR_DARK);
    tml_shape_def leaf = shape_box(vec(0.9, 0.04, 2.0), vec(0.0, 0.0, 0.0), COLOR_BRASS);
    tml_body_def door = body_of("door", &leaf, 1, density, centre);

    door.velocity = spin_about(vec(0.0, 0.0, 0.0), omega, centre);
    const tml_body body = tml_spec_add_body(spec, &door);
    add_door_hinge(spec, "lower", body, 0.25);
    add_door_hinge(spec, "upper", body, 1.75);
    tml_spec_add_world_shape(spec, &post);
    run_for(settings, 0.01, 10.0);
}

// ---- a table on four ball feet, with a weight near one corner: 12 rows hold what 6 could. A push
//      along x comes and goes, so that the loads change while nothing moves.

void scene_four_legged_table(tml_spec* spec, tml_run_settings* settings)
{
    static const double feet[4][2] = {{-0.7, -0.4}, {0.7, -0.4}, {0.7, 0.4}, {-0.7, 0.4}};
    const tml_vec3 none = vec(0.0, 0.0, 0.0);
    tml_shape_def shapes[5] = {shape_box(vec(1.6, 1.0, 0.04), vec(0.0, 0.0, 0.72), COLOR_BRASS)};
    tml_shape_def block = shape_box(vec(0.2, 0.2, 0.3), none, COLOR_RED);

    for (int i = 0; i < 4; i++) {
        shapes[i + 1] =
            shape_box(vec(0.06, 0.06, 0.7), vec(feet[i][0], feet[i][1], 0.35), COLOR_STEEL);
    }
    const tml_body_def top = body_of("table", shapes, 5, density, none);
    const tml_body_def load = body_of("weight", &block, 1, 2500.0, vec(0.5, 0.2, 0.89));
    const tml_body table = tml_spec_add_body(spec, &top);
    const tml_body weight = tml_spec_add_body(spec, &load);
    for (int i = 0; i < 4; i++) {
        char name[24];
        snprintf(name, sizeof name, "foot.%d", i + 1);
        add_joint(spec, name, TML_JOINT_SPHERICAL, TML_WORLD, table,
                  vec(feet[i][0], feet[i][1], 0.0), none);
    }
    add_joint(spec, "glue", TML_JOINT_FIXED, table, weight, vec(0.5, 0.2, 0.74), none);

    tml_wrench_def push = tml_wrench_def_default();
    push.name = "push";
    push.body = table;
    push.point = vec(-0.8, 0.0, 0.72);
    push.force[0] = tml_control_sine(0.0, 100.0, 0.5, 0.0);
    tml_spec_add_wrench(spec, &push);
    run_for(settings, 0.01, 4.0);
}

// ---- parallelograms hung below each other: every plate stays level. 20 rows a cell, 3 of them
//      redundant.

enum {
    CELLS = 6
};

typedef struct cell_ends {
    tml_body body;  // the plate above, or the world
    tml_vec3 left;  // where its left arm hangs
} cell_ends;

static const double cell_width = 0.2;  // m

static tml_body add_cell_link(tml_spec* spec, const char* what, int cell, link_def link)
{
    char name[32];

    snprintf(name, sizeof name, "%s.%d", what, cell);
    link.name = name;
    link.normal = y_axis;
    return add_link(spec, &link);
}

static void add_cell_hinge(tml_spec* spec, const char* what, int cell, tml_body base,
                           tml_body follower, tml_vec3 point)
{
    char name[32];

    snprintf(name, sizeof name, "%s.%d", what, cell);
    add_hinge(spec, name, base, follower, point, y_axis);
}

static cell_ends add_cell(tml_spec* spec, int cell, cell_ends above)
{
    const tml_vec3 arm = vec(0.07, 0.0, -0.24);  // 0.25 m long, leaning by 16 degrees
    const tml_vec3 width = vec(cell_width, 0.0, 0.0);
    const tml_vec3 right = sum(above.left, width);
    const cell_ends below = {{0}, sum(above.left, arm)};
    // a heavy plate at the end calms the chain
    const link_def plate = link_between("", below.left, sum(below.left, width),
                                        cell == CELLS - 1 ? 0.04 : 0.012, COLOR_BRASS);
    const tml_body a = add_cell_link(spec, "left", cell,
                                     link_between("", above.left, below.left, 0.008, COLOR_BLUE));
    const tml_body b = add_cell_link(spec, "right", cell,
                                     link_between("", right, sum(right, arm), 0.008, COLOR_BLUE));
    const tml_body c = add_cell_link(spec, "plate", cell, plate);
    add_cell_hinge(spec, "upper_left", cell, above.body, a, above.left);
    add_cell_hinge(spec, "upper_right", cell, above.body, b, right);
    add_cell_hinge(spec, "lower_left", cell, a, c, below.left);
    add_cell_hinge(spec, "lower_right", cell, b, c, sum(right, arm));
    return (cell_ends){c, below.left};
}

void scene_parallelogram_chain(tml_spec* spec, tml_run_settings* settings)
{
    const tml_shape_def beam =
        shape_box(vec(0.4, 0.06, 0.04), vec(0.5 * cell_width, 0.0, 0.03), COLOR_DARK);
    cell_ends ends = {TML_WORLD, vec(0.0, 0.0, 0.0)};

    tml_spec_add_world_shape(spec, &beam);
    for (int i = 0; i < CELLS; i++) ends = add_cell(spec, i, ends);
    run_for(settings, 0.005, 10.0);
}

// ---- a scissor lift: two stacks of crossed bars under one platform, driven by one foot. Bars are
//      1 m long; the feet stand 0.9 m apart at load. 17 bodies, 137 rows, rank 102.

enum {
    LIFT_STAGES = 4
};

static const double lift_width = 0.9;  // m
static const double lift_depth = 0.3;  // m, from the middle to each stack

// The bars of one stage: rising from x = 0, and falling back to it. The ground and the platform
// stand for both bars below and above a stack.
typedef struct lift_bars {
    tml_body rising, falling;
} lift_bars;

typedef struct lift_stack {
    const char* side;   // first part of the names
    double y;           // where it stands
    double rise;        // of one stage, m
    tml_control drive;  // of the sliding foot; none: it follows the platform
} lift_stack;

static void add_lift_joint(tml_spec* spec, const lift_stack* s, const char* what, int level,
                           tml_joint_def joint)
{
    char name[48];

    snprintf(name, sizeof name, "%s.%s.%d", s->side, what, level);
    joint.name = name;
    tml_spec_add_joint(spec, &joint);
}

static tml_body add_lift_bar(tml_spec* spec, const lift_stack* s, const char* what, int stage,
                             double from, double to)
{
    const tml_vec3 foot = vec(from, s->y, stage * s->rise);
    const tml_vec3 head = vec(to, s->y, (stage + 1) * s->rise);
    char name[48];

    snprintf(name, sizeof name, "%s.%s.%d", s->side, what, stage);
    link_def bar = link_between(name, foot, head, 0.02, to > from ? COLOR_BLUE : COLOR_STEEL);
    bar.normal = y_axis;
    return add_link(spec, &bar);
}

static lift_bars add_lift_stage(tml_spec* spec, const lift_stack* s, int stage)
{
    const tml_vec3 centre = vec(0.5 * lift_width, s->y, (stage + 0.5) * s->rise);
    const lift_bars bars = {add_lift_bar(spec, s, "rising", stage, 0.0, lift_width),
                            add_lift_bar(spec, s, "falling", stage, lift_width, 0.0)};

    add_lift_joint(spec, s, "cross", stage,
                   joint_of("", TML_JOINT_REVOLUTE, bars.rising, bars.falling, centre, y_axis));
    return bars;
}

// Where two stages meet: hinges at both sides. On the ground and under the platform the side away
// from x = 0 is a pin in a slot along x.
static void add_lift_level(tml_spec* spec, const lift_stack* s, int level, lift_bars below,
                           lift_bars above)
{
    const tml_vec3 left = vec(0.0, s->y, level * s->rise);
    const tml_vec3 right = vec(lift_width, s->y, level * s->rise);
    tml_joint_def end =
        joint_of("", TML_JOINT_REVOLUTE, below.rising, above.falling, right, y_axis);

    if (level == 0 || level == LIFT_STAGES) {
        end.kind = TML_JOINT_PIN_IN_SLOT;
        end.axis = vec(0.0, 0.0, 0.0);  // slides along x and turns about y of the world
    }
    if (level == LIFT_STAGES) {
        end.base = above.falling;
        end.follower = below.rising;
    }
    if (level == 0 && s->drive.kind != TML_CONTROL_NONE) {
        end.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
        end.axis_of[TML_AXIS_TX].control = s->drive;
    }
    add_lift_joint(spec, s, "hinge", level,
                   joint_of("", TML_JOINT_REVOLUTE, below.falling, above.rising, left, y_axis));
    add_lift_joint(spec, s, "end", level, end);
}

static void add_lift_stack(tml_spec* spec, const lift_stack* s, tml_body platform)
{
    lift_bars below = {TML_WORLD, TML_WORLD};

    for (int k = 0; k < LIFT_STAGES; k++) {
        const lift_bars bars = add_lift_stage(spec, s, k);
        add_lift_level(spec, s, k, below, bars);
        below = bars;
    }
    add_lift_level(spec, s, LIFT_STAGES, below, (lift_bars){platform, platform});
}

void scene_scissor_lift(tml_spec* spec, tml_run_settings* settings)
{
    const double rise = sqrt(1.0 - lift_width * lift_width);
    const tml_vec3 top = vec(0.45, 0.0, LIFT_STAGES * rise);
    const tml_shape_def ground = shape_box(vec(1.2, 0.9, 0.04), vec(0.45, 0.0, -0.05), COLOR_DARK);
    tml_shape_def shapes[2] = {shape_box(vec(1.1, 0.8, 0.04), vec(0.0, 0.0, 0.05), COLOR_LIGHT),
                               shape_box(vec(0.3, 0.3, 0.3), vec(0.1, 0.1, 0.22), COLOR_RED)};
    const tml_body_def def = body_of("platform", shapes, 2, 500.0, top);
    const tml_body platform = tml_spec_add_body(spec, &def);
    const lift_stack front = {"front", -lift_depth, rise, swing(-0.15, 0.1)};
    const lift_stack back = {"back", lift_depth, rise, {0}};

    add_lift_stack(spec, &front, platform);
    add_lift_stack(spec, &back, platform);
    tml_spec_add_world_shape(spec, &ground);
    run_for(settings, 0.01, 10.0);
}
