// scenes/contact.c - bodies that touch: closed forms, toys, and two heaps.
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <stdio.h>

static const tml_vec3 origin = {0.0, 0.0, 0.0};

// A ball thrown without spin slides, then rolls at 5/7 of its speed.
void scene_rolling_ball(tml_spec* spec, tml_run_settings* settings)
{
    const tml_velocity throw = {{2.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    add_floor(spec, 0.3);
    add_solid_body(spec, "ball", rough(shape_sphere(0.1, origin, COLOR_RED), 0.3, 0.0), 500.0,
                   (tml_pose){vec(0.0, 0.0, 0.1), turn_none()}, throw);
    touch_for(settings, 1e-3, 2.0);
}

// Heights of bounces fall by the square of the restitution.
void scene_bouncing_balls(tml_spec* spec, tml_run_settings* settings)
{
    static const double restitution[4] = {1.0, 0.9, 0.6, 0.0};
    add_floor(spec, 0.5);
    for (int i = 0; i < 4; i++) {
        char name[24];
        snprintf(name, sizeof name, "ball.%d", i);
        add_resting_body(spec, name,
                         rough(shape_sphere(0.1, origin, COLOR_BLUE), 0.5, restitution[i]), 500.0,
                         vec(0.4 * i, 0.0, 1.1));
    }
    touch_for(settings, 1e-3, 3.0);
}

void scene_box_stack(tml_spec* spec, tml_run_settings* settings)
{
    add_floor(spec, 0.5);
    for (int i = 0; i < 10; i++) {
        char name[24];
        snprintf(name, sizeof name, "box.%d", i);
        add_resting_body(spec, name,
                         rough(shape_box(vec(0.2, 0.2, 0.2), origin, COLOR_BRASS), 0.5, 0.0), 500.0,
                         vec(0.0, 0.0, 0.1 + 0.2 * i));
    }
    touch_for(settings, 5e-3, 5.0);
}

// A slope that falls by 1 in 2: of three boxes only the one with friction above 0.5 holds.
void scene_slope(tml_spec* spec, tml_run_settings* settings)
{
    static const double friction[3] = {0.3, 0.48, 0.52};
    const tml_vec3 down = unit_of(vec(2.0, 0.0, -1.0));
    const tml_vec3 up = unit_of(vec(1.0, 0.0, 2.0));
    const tml_quat turn = turn_axes(down, up);

    add_floor(spec, 1.0);
    add_wall(spec, vec(3.0, 2.0, 0.2), vec(0.0, 0.0, 1.0), turn, 1.0);
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "box.%d", i);
        const tml_vec3 at =
            sum(sum(vec(0.0, 0.5 * (i - 1), 1.0), scaled_by(0.2, up)), scaled_by(-1.0, down));
        add_solid_body(
            spec, name, rough(shape_box(vec(0.3, 0.2, 0.2), origin, COLOR_GREEN), friction[i], 0.0),
            500.0, (tml_pose){at, turn}, (tml_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    }
    touch_for(settings, 2e-3, 2.0);
}

void scene_dominoes(tml_spec* spec, tml_run_settings* settings)
{
    add_floor(spec, 0.6);
    for (int i = 0; i < 16; i++) {
        char name[24];
        snprintf(name, sizeof name, "domino.%d", i);
        const tml_vec3 at = vec(0.12 * i, 0.0, 0.15);
        const tml_vec3 foot = vec(at.x + 0.02, 0.0, 0.0);
        const tml_velocity push = i == 0 ? spin_about(foot, vec(0.0, 1.5, 0.0), at)
                                         : (tml_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        add_solid_body(spec, name,
                       rough(shape_box(vec(0.04, 0.15, 0.3), origin, COLOR_DARK), 0.4, 0.0), 500.0,
                       (tml_pose){at, turn_none()}, push);
    }
    touch_for(settings, 2e-3, 3.0);
}

// Five balls on rods, a hair apart; the first is lifted.
void scene_newtons_cradle(tml_spec* spec, tml_run_settings* settings)
{
    for (int i = 0; i < 5; i++) {
        char name[24];
        const tml_vec3 pivot = vec(0.202 * i, 0.0, 1.2);
        const tml_vec3 along = i == 0 ? vec(-0.6, 0.0, -0.8) : vec(0.0, 0.0, -1.0);
        snprintf(name, sizeof name, "ball.%d", i);
        const tml_body ball =
            add_resting_body(spec, name, rough(shape_sphere(0.1, origin, COLOR_STEEL), 0.0, 1.0),
                             2000.0, sum(pivot, along));
        snprintf(name, sizeof name, "rod.%d", i);
        add_hinge(spec, name, TML_WORLD, ball, pivot, vec(0.0, 1.0, 0.0));
    }
    touch_for(settings, 5e-4, 4.0);
}

// A box that slides and turns on its four corners at once.
void scene_spinning_box(tml_spec* spec, tml_run_settings* settings)
{
    const tml_velocity throw = {{1.5, 0.3, 0.0}, {0.0, 0.0, 8.0}};
    add_floor(spec, 0.4);
    add_solid_body(spec, "box", rough(shape_box(vec(0.3, 0.3, 0.1), origin, COLOR_RED), 0.4, 0.0),
                   500.0, (tml_pose){vec(0.0, 0.0, 0.05), turn_none()}, throw);
    touch_for(settings, 1e-3, 1.5);
}

// Two jaws close on a box and lift it.
void scene_gripper(tml_spec* spec, tml_run_settings* settings)
{
    static const double lift_times[4] = {0.0, 0.8, 2.0, 4.0};
    static const double lift_heights[4] = {0.0, 0.0, 0.4, 0.4};
    tml_shape_def palm_shape = shape_box(vec(0.4, 0.1, 0.05), origin, COLOR_DARK);
    palm_shape.collide = 0;
    add_floor(spec, 0.8);
    add_resting_body(spec, "box",
                     rough(shape_box(vec(0.1, 0.1, 0.1), origin, COLOR_BRASS), 0.8, 0.0), 500.0,
                     vec(0.0, 0.0, 0.05));
    const tml_body palm = add_resting_body(spec, "palm", palm_shape, 500.0, vec(0.0, 0.0, 0.3));
    tml_joint_def lift = joint_of("lift", TML_JOINT_PRISMATIC, TML_WORLD, palm, vec(0.0, 0.0, 0.3),
                                  vec(0.0, 0.0, 1.0));
    lift.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    lift.axis_of[TML_AXIS_TX].control = (tml_control){
        .kind = TML_CONTROL_TABLE, .count = 4, .times = lift_times, .samples = lift_heights};
    tml_spec_add_joint(spec, &lift);
    for (int i = 0; i < 2; i++) {
        const double side = i == 0 ? -1.0 : 1.0;
        const tml_vec3 at = vec(0.12 * side, 0.0, 0.15);
        const tml_body jaw = add_resting_body(
            spec, i == 0 ? "jaw.left" : "jaw.right",
            rough(shape_box(vec(0.04, 0.08, 0.25), origin, COLOR_STEEL), 0.8, 0.0), 1000.0, at);
        tml_joint_def slide = joint_of(i == 0 ? "slide.left" : "slide.right", TML_JOINT_PRISMATIC,
                                       palm, jaw, at, vec(-side, 0.0, 0.0));
        slide.axis_of[TML_AXIS_TX].actuation = TML_FORCE;
        slide.axis_of[TML_AXIS_TX].control = tml_control_constant(20.0);
        slide.axis_of[TML_AXIS_TX].damping = 20.0;
        tml_spec_add_joint(spec, &slide);
    }
    touch_for(settings, 2e-3, 4.0);
}

// Pairs of boxes on ball joints fall into a container.
void scenes_add_pairs(tml_spec* spec, int pairs)
{
    add_floor(spec, 0.5);
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        const int is_x = k < 2;
        add_wall(spec, is_x ? vec(0.1, 1.2, 0.8) : vec(1.2, 0.1, 0.8),
                 is_x ? vec(0.55 * side, 0.0, 0.4) : vec(0.0, 0.55 * side, 0.4), turn_none(), 0.5);
    }
    // a few pairs stand wide apart, many close to each other; layers are a little shifted
    const int is_large = pairs > 50;
    const int across = is_large ? 4 : 3;
    const int along = is_large ? 5 : 3;
    const double pitch_x = is_large ? 0.245 : 0.3;
    const double pitch_y = is_large ? 0.19 : 0.3;
    for (int i = 0; i < pairs; i++) {
        char name[24];
        const int layer = i / (across * along);
        const double x = pitch_x * (i % across - 0.5 * (across - 1)) + 0.01 * (layer % 3 - 1);
        const double y = pitch_y * (i / across % along - 0.5 * (along - 1)) + 0.01 * (layer % 2);
        const double z = 0.3 + 0.25 * layer;
        tml_body half[2];
        for (int n = 0; n < 2; n++) {
            snprintf(name, sizeof name, "box.%d", 2 * i + n);
            half[n] = add_resting_body(
                spec, name,
                rough(shape_box(vec(0.1, 0.1, 0.1), origin, n == 0 ? COLOR_BLUE : COLOR_RED), 0.5,
                      0.0),
                500.0, vec(x + 0.12 * n - 0.06, y, z + 0.03 * n));
        }
        snprintf(name, sizeof name, "pair.%d", i);
        add_joint(spec, name, TML_JOINT_SPHERICAL, half[0], half[1], vec(x, y, z + 0.015),
                  vec(1.0, 0.0, 0.0));
    }
}

void scene_jointed_pairs(tml_spec* spec, tml_run_settings* settings)
{
    scenes_add_pairs(spec, 18);
    touch_for(settings, 2e-3, 2.0);
}

// The heap that engines are compared on.
void scene_pair_pile(tml_spec* spec, tml_run_settings* settings)
{
    scenes_add_pairs(spec, 200);
    settings->sim.contact.max_contacts = 4000;
    touch_for(settings, 2e-3, 3.0);
}
