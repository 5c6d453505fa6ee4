// test/agreement/joints.c - every joint, every way to drive it, every integrator.
//
// A table of joints times a list of drives times the integrators of the build, each between the
// world and a body and between two bodies that fly freely. Nothing is special: centres of mass
// lie off the frames, inertias are full, axes oblique, bodies already moving.
//
// What must hold, whatever the joint:
//   rows       the gap is at the tolerance
//   targets    driven coordinates read back as commanded; forces along free axes are the commanded
//   power      energy changes by the work that the joint's load does, at the order of the method
//   momentum   two free bodies gain m g t and nothing else
//   agreement  all integrators approach one trajectory, each at its order
#include "test/agreement/joint_cases.h"
#include "test/check.h"

// ---- looking at a run

static const tml_joint only = {0};

static tml_body follower_of(const run* r) { return tml_model_joint(r->model, only).follower; }

typedef struct sight {
    vec3 momentum;
    double energy, power;  // power: of the joint's load on the relative motion of its bodies
    tml_load load;
    double multiplier[TML_AXES];
    double coordinate[TML_AXES];  // by axis; zero where held
    double command[TML_AXES];
} sight;

// The joint's axes fixed to the base, in world axes now.
static mat3 base_axes(const run* r)
{
    const tml_joint_def joint = tml_model_joint(r->model, only);
    mat3 axes;
    const quat load = joint.base.index < 0 ? q_identity() : heavy_body().pose.q;
    const quat now = joint.base.index < 0 ? q_identity() : tml_sim_pose(r->sim, joint.base).q;
    for (int k = 0; k < 3; k++) {
        const vec3 a = q_rotate(now, q_rotate(q_conj(load), joint.axes[k]));
        for (int i = 0; i < 3; i++) axes.m[i][k] = v3_at(a, i);
    }
    return axes;
}

// Velocity of the material point of a body that stands at x.
static vec3 point_velocity(const run* r, tml_body body, vec3 x)
{
    if (body.index < 0) return v3_zero();
    const tml_velocity v = tml_sim_velocity(r->sim, body);
    return v3_add(v.linear, v3_cross(v.angular, v3_sub(x, tml_sim_pose(r->sim, body).p)));
}

static double joint_power(const run* r, const tml_load* load)
{
    const tml_joint_def joint = tml_model_joint(r->model, only);
    const tml_body_def light = light_body();
    const tml_pose pose = tml_sim_pose(r->sim, joint.follower);
    const vec3 arm = q_rotate(q_conj(light.pose.q), v3_sub(joint.position, light.pose.p));
    const vec3 x = v3_add(pose.p, q_rotate(pose.q, arm));
    const mat3 axes = base_axes(r);
    const vec3 force = m3_apply(axes, load->force);
    const vec3 moment = m3_apply(axes, load->moment);
    const vec3 slide =
        v3_sub(point_velocity(r, joint.follower, x), point_velocity(r, joint.base, x));
    vec3 turn = tml_sim_velocity(r->sim, joint.follower).angular;
    if (joint.base.index >= 0) turn = v3_sub(turn, tml_sim_velocity(r->sim, joint.base).angular);
    return v3_dot(force, slide) + v3_dot(moment, turn);
}

static vec3 momentum_of(const run* r, tml_body body)
{
    const tml_body_def* def = tml_model_body(r->model, body);
    const tml_velocity v = tml_sim_velocity(r->sim, body);
    const vec3 arm = q_rotate(tml_sim_pose(r->sim, body).q, def->com);
    return v3_scale(def->mass, v3_add(v.linear, v3_cross(v.angular, arm)));
}

static double sine_at(const tml_control* c, double t)
{
    return c->kind == TML_CONTROL_SINE
               ? c->value + c->amplitude * sin(2.0 * pi * c->frequency * t + c->phase)
               : 0.0;
}

static sight look(const run* r)
{
    sight s = {.momentum = {0.0, 0.0, 0.0}};
    const tml_joint_def joint = tml_model_joint(r->model, only);
    double values[TML_AXES];
    tml_axis axes[TML_AXES];
    const int free_count = tml_model_joint_axes(r->model, only, axes);

    CHECK(tml_sim_joint_coordinates(r->sim, only, values) == free_count);
    for (int i = 0; i < free_count; i++) s.coordinate[axes[i]] = values[i];
    tml_sim_joint_multipliers(r->sim, only, s.multiplier);
    for (int k = 0; k < TML_AXES; k++) {
        s.command[k] = sine_at(&joint.axis_of[k].control, tml_sim_time(r->sim));
    }
    s.load = tml_sim_joint_load(r->sim, only);
    s.energy = run_energy(r);
    s.power = joint_power(r, &s.load);
    for (int b = 0; b < tml_model_body_count(r->model); b++) {
        s.momentum = v3_add(s.momentum, momentum_of(r, (tml_body){b}));
    }
    return s;
}

// ---- what must hold at every step

// The axis about which a turn acts, in the base's joint axes: the first letter is fixed there, the
// second one has been turned by the first, the third by both.
static vec3 turn_axis(const joint_case* c, const sight* s, int axis)
{
    mat3 R = m3_identity();
    for (const char* p = turns_of(c); *p != '\0'; p++) {
        const int letter = *p - 'x';
        if (3 + letter == axis) return m3_column(R, letter);
        R = m3_mul(R, q_matrix(q_about(letter, s->coordinate[3 + letter])));
    }
    return v3_zero();
}

// Three turns driven alike: motors act along the base's axes, rows are those of a fixed joint.
static int is_along_base(const joint_case* c, drive_mode mode)
{
    return (mode == DRIVE_FORCE || mode == DRIVE_POSITION) && strlen(turns_of(c)) == 3;
}

// The load along the axis of a coordinate.
static double load_along(const joint_case* c, drive_mode mode, const sight* s, int axis)
{
    if (axis < 3) return v3_at(s->load.force, axis);
    if (is_along_base(c, mode)) return v3_at(s->load.moment, axis - 3);
    return v3_dot(s->load.moment, turn_axis(c, s, axis));
}

static void check_targets(const joint_case* c, drive_mode mode, const run* r, const sight* s)
{
    const tml_joint_def joint = tml_model_joint(r->model, only);
    tml_axis axes[TML_AXES];
    const int free_count = tml_model_joint_axes(r->model, only, axes);
    const int is_held = holds_rows(r->settings.integrator);

    for (int i = 0; i < free_count; i++) {
        const int k = (int)axes[i];
        const double load = load_along(c, mode, s, k);
        switch (joint.axis_of[k].actuation) {
        case TML_POSITION:
            if (is_held) CHECK_NEAR(s->coordinate[k], s->command[k], 1e-10);  // the tolerance
            // a multiplier is the load along its axis; where a row is a dot between turned axes
            // that holds only as far as the row does, which drifting methods leave at 1e-2
            if (is_held) CHECK_NEAR(load, s->multiplier[k], 1e-8 * (1.0 + fabs(load)));
            break;
        case TML_FORCE:
            if (is_held) CHECK_NEAR(load, s->command[k], 1e-8 * (1.0 + fabs(s->command[k])));
            break;
        case TML_PASSIVE:
            if (is_held) CHECK_NEAR(load, 0.0, 1e-8);
            break;
        }
    }
}

typedef struct outcome {
    double imbalance;  // largest |energy - work - initial energy|, J
    double work_gap;   // largest difference of the two accounts of the work, J
    double momentum;   // largest |momentum - m g t - initial momentum|, kg m/s
    tml_pose pose;     // of the follower at the end
} outcome;

// The work of the drives over a step by the trapezoidal rule: force times change of coordinate.
static double work_of_drives(const run* r, const sight* from, const sight* to)
{
    const tml_joint_def joint = tml_model_joint(r->model, only);
    double work = 0.0;
    for (int k = 0; k < TML_AXES; k++) {
        const tml_actuation how = joint.axis_of[k].actuation;
        const double before = how == TML_POSITION ? from->multiplier[k] : from->command[k];
        const double after = how == TML_POSITION ? to->multiplier[k] : to->command[k];
        if (how == TML_PASSIVE) continue;
        work += 0.5 * (before + after) * (to->coordinate[k] - from->coordinate[k]);
    }
    return work;
}

static const double duration = 0.2;

static outcome follow(const joint_case* c, drive_mode mode, int has_base, tml_integrator integrator,
                      int steps)
{
    outcome out = {0.0, 0.0, 0.0, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    run r;
    CHECK(run_freeze(&r, spec_of(c, mode, has_base)) == TML_OK);
    run_integrate(&r, integrator);
    r.settings.step = duration / steps;
    CHECK(run_start(&r) == TML_OK);

    const sight first = look(&r);
    sight last = first;
    double work = 0.0;        // of the load on the motion
    double drive_work = 0.0;  // of the commands on the coordinates
    check_targets(c, mode, &r, &first);
    for (int k = 0; k < steps; k++) {
        if (run_step(&r) != TML_OK) {
            CHECK(0);
            break;
        }
        const sight now = look(&r);
        const double t = tml_sim_time(r.sim);
        const vec3 gained = v3_scale(-9.81 * 3.7 * t, v3_unit(2));
        work += 0.5 * r.settings.step * (last.power + now.power);
        drive_work += work_of_drives(&r, &last, &now);
        check_targets(c, mode, &r, &now);
        out.imbalance = larger_of(fabs(now.energy - first.energy - work), out.imbalance);
        out.work_gap = larger_of(fabs(work - drive_work), out.work_gap);
        out.momentum =
            larger_of(v3_max(v3_sub(v3_sub(now.momentum, first.momentum), gained)), out.momentum);
        last = now;
    }
    if (holds_rows(integrator)) CHECK_NEAR(tml_sim_get_report(r.sim).max_gap, 0.0, 1e-10);
    out.pose = tml_sim_pose(r.sim, follower_of(&r));
    run_close(&r);
    return out;
}

// ---- the sweep

// Orders that Runge-Kutta keeps on constrained motion are those of test/time/order.c. Work is
// summed by the trapezoidal rule, so the energy balance cannot show more than 2.
typedef struct method_row {
    tml_integrator integrator;
    double pose_order, energy_order;  // 0: not promised
} method_row;

static const method_row method_rows[] = {
    {TML_TIME_BDF1, 1.0, 1.0},
    {TML_TIME_BDF2, 2.0, 2.0},
    {TML_TIME_BDF3, 3.0, 2.0},
    {TML_TIME_BDF4, 4.0, 2.0},
    {TML_TIME_BDF5, 5.0, 2.0},
    {TML_TIME_BDF6, 6.0, 2.0},
    {TML_TIME_SDIRK2, 1.0, 1.0},
    {TML_TIME_SDIRK2_PARESCHI_RUSSO, 2.0, 0.0},
    {TML_TIME_SEMI_IMPLICIT_EULER, 1.0, 0.0},
    {TML_TIME_CRANK_NICOLSON, 2.0, 0.0},    // loads swing: see time/order
    {TML_TIME_NEWMARK, 1.0, 1.0},           // gamma = 0.6
    {TML_TIME_LINEAR_MULTISTEP, 3.0, 2.0},  // that of run_multistep
};

enum {
    METHODS = sizeof method_rows / sizeof *method_rows
};

typedef struct extremes {
    double pose_order, energy_order;  // the smallest measured, errors above rounding
    double pose, energy, momentum;    // the largest errors of the finer run
} extremes;

// Is `fine` smaller than `coarse` as the order asks? Half an order may hide where two terms of the
// expansion, or the error of the method and that of the trapezoidal rule, have opposite signs.
static int falls(double coarse, double fine, double order, double floor, double* least)
{
    const double measured = log2(coarse / fine);
    if (fine <= floor) return 1;
    if (measured < *least) *least = measured;
    return measured > order - 0.5;
}

static int check_method(const method_row* m, const outcome* coarse, const outcome* fine,
                        const tml_pose* truth, extremes* e)
{
    const double error[2] = {pose_distance(&coarse->pose, truth),
                             pose_distance(&fine->pose, truth)};
    // the truth is good to 1e-11, and a pose to 120 roundings
    int is_good = falls(error[0], error[1], m->pose_order, 1e-10, &e->pose_order);
    if (m->energy_order > 0.0) {
        // joules: noise of multipliers of 1e-9 N over the motion
        is_good &=
            falls(coarse->imbalance, fine->imbalance, m->energy_order, 1e-8, &e->energy_order);
        e->energy = larger_of(fine->imbalance, e->energy);
    }
    e->pose = larger_of(error[1], e->pose);
    return is_good;
}

static void check_case(const joint_case* c, drive_mode mode, int has_base, extremes all[METHODS])
{
    const tml_pose truth = follow(c, mode, has_base, TML_TIME_BDF6, 320).pose;
    for (int i = 0; i < METHODS; i++) {
        const method_row* m = &method_rows[i];
        const outcome coarse = follow(c, mode, has_base, m->integrator, 60);
        const outcome fine = follow(c, mode, has_base, m->integrator, 120);
        const int is_good = check_method(m, &coarse, &fine, &truth, &all[i]);
        CHECK(is_good);
        if (!is_good) {
            printf("  %s '%s' '%s', %s, %s, %s: pose %.2e %.2e, energy %.2e %.2e\n",
                   c->kind == TML_JOINT_CUSTOM ? "custom" : tml_joint_kind_name(c->kind),
                   slides_of(c), turns_of(c), drive_names[mode], has_base ? "two bodies" : "world",
                   tml_integrator_name(m->integrator), pose_distance(&coarse.pose, &truth),
                   pose_distance(&fine.pose, &truth), coarse.imbalance, fine.imbalance);
        }
        // the commands' work on the coordinates is the load's work on the bodies, except where
        // three turns are driven along the base's axes, which are no coordinates
        if (m->energy_order == 2.0 && !is_along_base(c, mode)) {
            CHECK_NEAR(fine.work_gap, 0.0,
                       2e-4);  // both trapezoidal, h = 1.7 ms: (2 pi h f)^2 of 1 J
        }
        // velocities are differences of positions over h: 120 steps of 1e-16 / 1.7e-3 times 3.7 kg
        if (has_base) CHECK_NEAR(fine.momentum, 0.0, 4e-11);
        all[i].momentum = larger_of(fine.momentum, all[i].momentum);
    }
}

TEST(every_joint_every_drive_every_integrator)
{
    extremes all[METHODS];
    for (int i = 0; i < METHODS; i++) all[i] = (extremes){99.0, 99.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < JOINTS; j++) {
        for (int mode = 0; mode < DRIVES; mode++) {
            for (int has_base = 0; has_base < 2; has_base++) {
                check_case(&joint_cases[j], (drive_mode)mode, has_base, all);
            }
        }
    }
    for (int i = 0; i < METHODS; i++) {
        printf("%-22s poses: order %.2f or more, %.1e; energy: order %.2f or more, %.1e J\n",
               tml_integrator_name(method_rows[i].integrator), all[i].pose_order, all[i].pose,
               all[i].energy_order, all[i].energy);
    }
}

TEST(every_integrator_of_the_formulation_is_in_the_table)
{
    int count = 0;
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        // those that 'affine' carries out are measured there
        if (i == TML_TIME_ENERGY || i == TML_TIME_ENERGY_DAMPED) continue;
        if (tml_pairing_exists(TML_FORM_QUATERNION, (tml_integrator)i)) count++;
    }
    CHECK(count == METHODS);
    for (int i = 0; i < METHODS; i++) {
        CHECK(tml_pairing_exists(TML_FORM_QUATERNION, method_rows[i].integrator));
    }
}
