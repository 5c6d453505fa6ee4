// scenes/walking.c - legs: Theo Jansen's, driven by one crank, and one with more motors than it has
// freedoms.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <stdio.h>

static const double density = 2000.0;  // kg/m^3

// ---- Jansen's leg, with his thirteen numbers, one of them a centimetre. It stands in the plane of
//      x and z and turns about -y, so that angles count from x to z.
//
//   a 38, l 7.8   from the crank's centre to the frame's pivot, back and down
//   m 15          crank
//   j 50, k 61.9  rods from the crank to the upper and the lower part
//   b 41.5, d 40.1, e 55.8   upper triangle
//   c 39.3        lower arm
//   f 39.4        rod between the triangles
//   g 36.7, h 65.7, i 49     lower triangle, its corner the foot

static const tml_vec3 jansen_axis = {0.0, -1.0, 0.0};
static const double jansen_radius = 0.012;  // of the rods, m

// The points of the leg at load.
typedef struct jansen_points {
    tml_vec3 centre, pivot;  // on the frame
    tml_vec3 tip;            // of the crank
    tml_vec3 upper, outer;   // on the upper triangle: rod j, rod f
    tml_vec3 lower, knee;    // on the lower triangle: rods k and c, rod f
    tml_vec3 foot;
} jansen_points;

static jansen_points jansen_place(void)
{
    jansen_points p = {.pivot = {-0.38, 0.0, -0.078}, .tip = {0.15, 0.0, 0.0}};

    p.upper = meet(p.pivot, 0.415, p.tip, 0.50, jansen_axis);
    p.lower = meet(p.tip, 0.619, p.pivot, 0.393, jansen_axis);
    p.outer = meet(p.pivot, 0.401, p.upper, 0.558, jansen_axis);
    p.knee = meet(p.lower, 0.367, p.outer, 0.394, jansen_axis);
    p.foot = meet(p.lower, 0.49, p.knee, 0.657, jansen_axis);
    return p;
}

static tml_body add_jansen_rod(tml_spec* spec, const char* name, tml_vec3 a, tml_vec3 b, int color)
{
    link_def rod = link_between(name, a, b, jansen_radius, color);

    rod.normal = jansen_axis;
    return add_link(spec, &rod);
}

// Three rods welded together; the frame at the first corner, not turned.
static tml_body add_triangle(tml_spec* spec, const char* name, tml_vec3 a, tml_vec3 b, tml_vec3 c)
{
    const tml_vec3 here = vec(0.0, 0.0, 0.0);
    const tml_vec3 ab = minus(b, a);
    const tml_vec3 ac = minus(c, a);
    tml_shape_def shapes[3] = {shape_strut(jansen_radius, here, ab, COLOR_BRASS),
                               shape_strut(jansen_radius, ab, ac, COLOR_BRASS),
                               shape_strut(jansen_radius, ac, here, COLOR_BRASS)};
    const tml_body_def body = body_of(name, shapes, 3, density, a);

    return tml_spec_add_body(spec, &body);
}

// Two seconds from rest to half a turn a second: a natural spline whose second derivatives at the
// points are 0, a, 0, 0 has no slope at its start and the constant slope a T from 2 T on, T = 1 s.
static tml_control spin_up(void)
{
    static const double times[4] = {0.0, 1.0, 2.0, 1000.0};
    static const double samples[4] = {0.0, 0.52359877559829887308, 3.14159265358979323846,
                                      999.0 * 3.14159265358979323846};  // pi / 6, pi, 999 pi

    return (tml_control){TML_CONTROL_CUBIC, 0.0, 0.0, 0.0, 0.0, 4, times, samples};
}

void scene_jansen_leg(tml_spec* spec, tml_run_settings* settings)
{
    const jansen_points p = jansen_place();
    const tml_vec3 axis = jansen_axis;
    const tml_shape_def frame = shape_strut(0.02, p.centre, p.pivot, COLOR_DARK);
    const tml_body crank = add_jansen_rod(spec, "crank", p.centre, p.tip, COLOR_RED);
    const tml_body j = add_jansen_rod(spec, "rod.j", p.tip, p.upper, COLOR_STEEL);
    const tml_body k = add_jansen_rod(spec, "rod.k", p.tip, p.lower, COLOR_STEEL);
    const tml_body c = add_jansen_rod(spec, "rod.c", p.pivot, p.lower, COLOR_BLUE);
    const tml_body f = add_jansen_rod(spec, "rod.f", p.outer, p.knee, COLOR_BLUE);
    const tml_body thigh = add_triangle(spec, "upper", p.pivot, p.upper, p.outer);
    const tml_body shin = add_triangle(spec, "lower", p.lower, p.knee, p.foot);

    add_motor(spec, "motor", TML_WORLD, crank, p.centre, axis, spin_up());
    add_hinge(spec, "crank.j", crank, j, p.tip, axis);
    add_hinge(spec, "crank.k", crank, k, p.tip, axis);
    add_hinge(spec, "upper.pivot", TML_WORLD, thigh, p.pivot, axis);
    add_hinge(spec, "upper.j", j, thigh, p.upper, axis);
    add_hinge(spec, "c.pivot", TML_WORLD, c, p.pivot, axis);
    add_hinge(spec, "lower.k", k, shin, p.lower, axis);
    add_hinge(spec, "lower.c", c, shin, p.lower, axis);
    add_hinge(spec, "upper.f", thigh, f, p.outer, axis);
    add_hinge(spec, "lower.f", f, shin, p.knee, axis);
    tml_spec_add_world_shape(spec, &frame);
    run_for(settings, 0.01, 10.0);
}

// ---- a leg with eight motors on six freedoms: yaw, roll and pitch of the hip, knee, pitch and roll
//      of the ankle. Knee and ankle are driven twice, at the joint and through a crank, a rod and
//      the lever of a parallelogram, so that both motors have the same angle. 10 bodies, 68 rows,
//      rank 60.

static const tml_vec3 yaw_axis = {0.0, 0.0, 1.0};
static const tml_vec3 roll_axis = {1.0, 0.0, 0.0};
static const tml_vec3 pitch_axis = {0.0, 1.0, 0.0};
static const tml_vec3 lever = {0.06, 0.0, 0.0};  // of crank and driven link, forwards

typedef struct limb {
    const char* name;
    tml_vec3 from, to;
    double radius;
    int color;
    int levers;  // 1: it has the lever of a parallelogram
} limb;

// The frame at the joint that it hangs on, not turned.
static tml_body add_limb(tml_spec* spec, limb l)
{
    const tml_vec3 here = vec(0.0, 0.0, 0.0);
    tml_shape_def shapes[3] = {shape_strut(l.radius, here, minus(l.to, l.from), l.color),
                               shape_sphere(1.2 * l.radius, here, COLOR_DARK),
                               shape_strut(0.01, here, lever, COLOR_RED)};
    const tml_body_def body = body_of(l.name, shapes, 2 + l.levers, density, l.from);

    return tml_spec_add_body(spec, &body);
}

// The second motor of a joint: a crank at `pivot` on the base of the joint, and a rod to the lever
// of its follower.
typedef struct second_drive {
    const char* name;
    tml_body base, follower;
    tml_vec3 pivot, joint;
    tml_control control;
} second_drive;

static void add_second_drive(tml_spec* spec, const second_drive* d)
{
    const tml_vec3 crank_tip = sum(d->pivot, lever);
    const tml_vec3 lever_tip = sum(d->joint, lever);
    char names[6][48];
    static const char* const parts[6] = {"crank", "rod",       "lever",
                                         "motor", "rod_crank", "rod_lever"};

    for (int i = 0; i < 6; i++) snprintf(names[i], sizeof names[i], "%s.%s", d->name, parts[i]);
    link_def crank = link_between(names[0], d->pivot, crank_tip, 0.01, COLOR_RED);
    link_def rod = link_between(names[1], crank_tip, lever_tip, 0.008, COLOR_BRASS);
    crank.normal = rod.normal = pitch_axis;
    const tml_body crank_body = add_link(spec, &crank);
    const tml_body rod_body = add_link(spec, &rod);
    add_motor(spec, names[3], d->base, crank_body, d->pivot, pitch_axis, d->control);
    add_hinge(spec, names[4], crank_body, rod_body, crank_tip, pitch_axis);
    add_hinge(spec, names[5], rod_body, d->follower, lever_tip, pitch_axis);
}

void scene_overactuated_leg(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 hip = vec(0.0, 0.0, 1.0);
    const tml_vec3 hip_roll = vec(0.0, 0.0, 0.92);
    const tml_vec3 hip_pitch = vec(0.0, 0.06, 0.92);
    const tml_vec3 knee = vec(0.0, 0.06, 0.52);
    const tml_vec3 ankle = vec(0.0, 0.06, 0.12);
    const tml_vec3 sole = vec(0.0, 0.06, 0.08);
    const tml_control bend = swing(0.25, 0.5);
    const tml_control tilt = swing(-0.12, 0.5);
    const tml_shape_def stand = shape_box(vec(0.2, 0.2, 0.1), vec(0.0, 0.0, 1.06), COLOR_DARK);
    tml_shape_def plate = shape_box(vec(0.22, 0.1, 0.02), vec(0.04, 0.0, -0.06), COLOR_DARK);

    const tml_body yaw = add_limb(spec, (limb){"hip_yaw", hip, hip_roll, 0.03, COLOR_STEEL, 0});
    const tml_body roll =
        add_limb(spec, (limb){"hip_roll", hip_roll, hip_pitch, 0.03, COLOR_BLUE, 0});
    const tml_body thigh = add_limb(spec, (limb){"thigh", hip_pitch, knee, 0.035, COLOR_LIGHT, 0});
    const tml_body shin = add_limb(spec, (limb){"shin", knee, ankle, 0.03, COLOR_LIGHT, 1});
    const tml_body cardan = add_limb(spec, (limb){"ankle", ankle, sole, 0.02, COLOR_STEEL, 1});
    const tml_body_def foot_def = body_of("foot", &plate, 1, density, sole);
    const tml_body foot = tml_spec_add_body(spec, &foot_def);

    add_motor(spec, "yaw", TML_WORLD, yaw, hip, yaw_axis, swing(0.15, 0.5));
    add_motor(spec, "roll", yaw, roll, hip_roll, roll_axis, swing(0.08, 0.5));
    add_motor(spec, "pitch", roll, thigh, hip_pitch, pitch_axis, tilt);
    add_motor(spec, "knee", thigh, shin, knee, pitch_axis, bend);
    add_motor(spec, "ankle_pitch", shin, cardan, ankle, pitch_axis, tilt);
    add_motor(spec, "ankle_roll", cardan, foot, sole, roll_axis, swing(-0.08, 0.5));

    // both cranks stand below the joint above, inside of their limb
    const second_drive knee_drive = {"knee_drive", thigh, shin, vec(0.0, 0.06, 0.8), knee, bend};
    const second_drive ankle_drive = {"ankle_drive",       shin,  cardan,
                                      vec(0.0, 0.06, 0.4), ankle, tilt};
    add_second_drive(spec, &knee_drive);
    add_second_drive(spec, &ankle_drive);
    tml_spec_add_world_shape(spec, &stand);
    run_for(settings, 0.01, 10.0);
}
