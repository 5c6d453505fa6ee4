// test/joint/motion.c - how rows move in time, by the targets and by velocities alone.
//
// Bodies follow c(t) = c + v t + a t^2 / 2 and q(t) = exp(omega t + alpha t^2 / 2) q, whose velocity
// and acceleration at t = 0 are v, omega, a and alpha. Along it
//     dC/dt = g.V + rate             d2C/dt2 = g.A + bias
// with targets that move too: sines and splines.
#include "joint/tangent.h"
#include "test/difference.h"
#include "test/joint/sample.h"

#include <stddef.h>

static const double step = 0x1p-8;

typedef struct path_data {
    vec3 a_F, alpha_F, a_B, alpha_B;
} path_data;

static rigid rigid_after(const rigid* b, vec3 a, vec3 alpha, double t)
{
    const vec3 dc = v3_axpy(v3_scale(t, b->v), 0.5 * t * t, a);
    const vec3 dphi = v3_axpy(v3_scale(t, b->omega), 0.5 * t * t, alpha);
    return rigid_moved(b, dc, dphi);
}

// Each driven axis gets a control that moves: sines and splines in turn. Passive axes take what
// the other axes do not.
enum {
    KNOTS = 5
};

typedef struct moving_joint {
    joint_sample s;
    double times[TML_AXES][KNOTS], samples[TML_AXES][KNOTS];
    pool memory;
    control_data control[TML_AXES];
    double t;
} moving_joint;

static void set_controls(moving_joint* m, random_source* r)
{
    for (int k = 0; k < TML_AXES; k++) {
        const double middle = m->s.targets[k].value;
        tml_control c = tml_control_sine(middle, random_between(r, 0.1, 0.2),
                                         random_between(r, 0.1, 0.3), random_between(r, -3.0, 3.0));
        if (random_below(r, 2) == 0) {
            c = (tml_control){.kind = TML_CONTROL_CUBIC, .count = KNOTS};
            for (int i = 0; i < KNOTS; i++) {
                m->times[k][i] = i - 2.5;  // t = 0 lies in the middle of an interval
                m->samples[k][i] = middle + random_between(r, -0.15, 0.15);
            }
            c.times = m->times[k];
            c.samples = m->samples[k];
        }
        CHECK(tml__control_prepare(&c, &m->memory, &m->control[k]) == TML_OK);
    }
}

// Put the targets of time t into the sample.
static void targets_at(moving_joint* m, double t)
{
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &m->s.j->axis[k];
        const bool is_driven = a->is_free && a->actuation == TML_POSITION;
        m->s.targets[k] = is_driven ? tml__control_eval(&m->control[k], t) : (drive){0};
    }
    sample_turn(&m->s);
}

static void rows_after(moving_joint* m, const path_data* path, double t, double C[6])
{
    const rigid F = rigid_after(&m->s.F, path->a_F, path->alpha_F, t);
    const rigid B = rigid_after(&m->s.B, path->a_B, path->alpha_B, t);
    joint_frame frame;
    targets_at(m, t);
    sample_frame(&m->s, &F, &B, &frame);
    for (int i = 0; i < m->s.rows.count; i++) C[i] = sample_row(&m->s, i, &frame).C;
}

// First and second difference quotients of every row at t = 0.
static void quotients(moving_joint* m, const path_data* path, double e, double first[6],
                      double second[6])
{
    double minus[6];
    double zero[6];
    double plus[6];
    rows_after(m, path, -e, minus);
    rows_after(m, path, 0.0, zero);
    rows_after(m, path, e, plus);
    for (int i = 0; i < m->s.rows.count; i++) {
        first[i] = (plus[i] - minus[i]) / (2.0 * e);
        second[i] = (plus[i] - 2.0 * zero[i] + minus[i]) / (e * e);
    }
}

static void check_motions(moving_joint* m, const path_data* path)
{
    double first[2][6];
    double second[2][6];
    quotients(m, path, step, first[0], second[0]);
    quotients(m, path, 0.5 * step, first[1], second[1]);
    targets_at(m, 0.0);

    joint_sample* s = &m->s;
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    rigid acceleration_F = {.v = path->a_F, .omega = path->alpha_F};
    rigid acceleration_B = {.v = path->a_B, .omega = path->alpha_B};
    slope rates = {0};
    slope biases = {0};
    for (int i = 0; i < s->rows.count; i++) {
        const joint_row* row = &s->rows.row[i];
        const rigid_gradient g = sample_row(s, i, &frame).g;
        const row_motion own =
            tml__row_motion(s->j, row, &s->turn, &frame, &s->F, &s->B, &s->targets[row->axis]);
        const double rate = rigid_rate(&g, &s->F, &s->B) + own.rate;
        const double change = rigid_rate(&g, &acceleration_F, &acceleration_B) + own.bias;
        slope_add(&rates, rate, first[0][i], first[1][i]);
        slope_add(&biases, change, second[0][i], second[1][i]);
    }
    if (s->rows.count == 0) return;
    // values around 1: 1e-15 over 0x1p-8, and over its square; e^4 = 2e-10 times derivatives of
    // order 5 (over 480) and 6 (over 1440): relative spins of up to 2 rad/s to these powers, and
    // 1 / cos^5 more for the angles of three rotations, the middle one at most 1.4 rad off
    const bool has_angles = s->j->turn_count == 3 && !s->rows.turns_all;
    CHECK_SLOPE("rate", &rates, 2e-12, has_angles ? 1e-7 : 1e-10);
    CHECK_SLOPE("bias", &biases, 1e-9, has_angles ? 1e-6 : 1e-9);
}

// ---- gradients by markers and motions in closed form, against the same direction by direction

static double along_unit(const joint_motion* m, const joint_row* row, int level, size_t part, int k)
{
    joint_tangent d = {.F = {.c = v3_zero()}};
    vec3* changed = (vec3*)((char*)&d + part);
    *changed = v3_unit(k);
    return tml__row_tangent(m, row, &d).at[level];
}

static void check_slope(const joint_motion* m, const joint_row* row, int level, size_t part,
                        vec3 gradient)
{
    for (int k = 0; k < 3; k++) {
        const double direct = along_unit(m, row, level, part, k);
        CHECK_NEAR(v3_at(gradient, k), direct, 2e-14 * (1.0 + fabs(direct)));
    }
}

static void check_slopes(const joint_motion* m, const joint_row* row, int level)
{
    marker_change markers;
    motion_slopes F;
    motion_slopes B;
    const bool has_slopes = tml__row_marker_slopes(m, row, level, &markers);

    CHECK(has_slopes == tml__row_motion_slopes(m, row, level, &F, &B));
    CHECK(has_slopes == (row->kind != ROW_ANGLE));
    if (!has_slopes) return;
    check_slope(m, row, level, offsetof(joint_tangent, F.point), markers.point_F);
    check_slope(m, row, level, offsetof(joint_tangent, B.point), markers.point_B);
    check_slope(m, row, level, offsetof(joint_tangent, F.turning), markers.turning_F);
    check_slope(m, row, level, offsetof(joint_tangent, B.turning), markers.turning_B);
    check_slope(m, row, level, offsetof(joint_tangent, F.c), F.c);
    check_slope(m, row, level, offsetof(joint_tangent, B.c), B.c);
    check_slope(m, row, level, offsetof(joint_tangent, F.phi), F.phi);
    check_slope(m, row, level, offsetof(joint_tangent, B.phi), B.phi);
    check_slope(m, row, level, offsetof(joint_tangent, F.v), F.v);
    check_slope(m, row, level, offsetof(joint_tangent, B.v), B.v);
    check_slope(m, row, level, offsetof(joint_tangent, F.omega), F.omega);
    check_slope(m, row, level, offsetof(joint_tangent, B.omega), B.omega);
}

static void check_gradients(moving_joint* m, const path_data* path)
{
    joint_sample* s = &m->s;
    joint_frame frame;
    targets_at(m, 0.0);
    sample_frame(s, &s->F, &s->B, &frame);
    const joint_motion motion = {.joint = s->j,
                                 .rows = &s->rows,
                                 .turn = &s->turn,
                                 .frame = &frame,
                                 .F = &s->F,
                                 .B = &s->B,
                                 .a_F = path->a_F,
                                 .alpha_F = path->alpha_F,
                                 .a_B = path->a_B,
                                 .alpha_B = path->alpha_B,
                                 .targets = s->targets};
    for (int i = 0; i < s->rows.count; i++) {
        for (int level = 0; level < 3; level++) check_slopes(&motion, &s->rows.row[i], level);
    }
}

static void check_case(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    moving_joint m = {.t = 0.0};
    if (!sample_create(c, r, &m.s)) return;
    for (int open = 0; open < 2; open++) {
        sample_any_targets(&m.s, r);
        set_controls(&m, r);
        // assemble where the controls stand now, so that angles are on their branch
        targets_at(&m, 0.0);
        for (int k = 0; k < TML_AXES; k++) {
            if (c->actuation[k] == TML_POSITION) m.s.coordinates[k] = m.s.targets[k].value;
        }
        sample_assemble(&m.s, r);
        if (open) sample_open(&m.s, r);
        m.s.F.v = random_vec3(r, 1.0);
        m.s.F.omega = random_vec3(r, 0.5);
        m.s.B.v = random_vec3(r, 1.0);
        m.s.B.omega = random_vec3(r, 0.5);
        const path_data path = {random_vec3(r, 1.0), random_vec3(r, 1.0), random_vec3(r, 1.0),
                                random_vec3(r, 1.0)};
        check_motions(&m, &path);
        check_gradients(&m, &path);
        tml__pool_destroy(&m.memory);
    }
    sample_destroy(&m.s);
}

TEST(rows_move_as_their_rate_and_bias_say_and_gradients_agree_with_directions)
{
    random_source r = random_start(31);
    visit_all_joints(check_case, &r);
}

// ---- the turning of the targets by itself

// Angular velocity and acceleration of a turning matrix, from differences of the matrix:
// dR/dt R^T = [spin] and its own derivative.
static vec3 spin_of(const mat3* minus, const mat3* plus, const mat3* at, double e)
{
    const mat3 rate = m3_scale(0.5 / e, m3_sub(*plus, *minus));
    const mat3 S = m3_mul_bt(rate, *at);
    return v3(S.m[2][1], S.m[0][2], S.m[1][0]);
}

static mat3 turn_at(moving_joint* m, double t, bool is_base)
{
    targets_at(m, t);
    return is_base ? m->s.turn.base : m3_transpose(m->s.turn.follower);
}

static void check_spins(const joint_case* c, random_source* r)
{
    moving_joint m = {.t = 0.0};
    if (!sample_create(c, r, &m.s)) return;
    sample_any_targets(&m.s, r);
    set_controls(&m, r);
    targets_at(&m, 0.0);
    const double e = 0x1p-12;
    for (int side = 0; side < 2; side++) {
        const bool is_base = side == 0;
        if (!(is_base ? m.s.turn.has_base : m.s.turn.has_follower)) continue;
        vec3 spins[3];
        for (int k = -1; k <= 1; k++) {
            const mat3 minus = turn_at(&m, k * e - e, is_base);
            const mat3 plus = turn_at(&m, k * e + e, is_base);
            const mat3 at = turn_at(&m, k * e, is_base);
            spins[k + 1] = spin_of(&minus, &plus, &at, e);
        }
        targets_at(&m, 0.0);
        const vec3 spin = is_base ? m.s.turn.base_spin : m.s.turn.follower_spin;
        const vec3 change = is_base ? m.s.turn.base_change : m.s.turn.follower_change;
        const vec3 difference = v3_scale(0.5 / e, v3_sub(spins[2], spins[0]));
        // e^2 / 6 = 1e-8 times the third power of rates up to 2; rounding 1e-16 / e and / e^2
        CHECK_NEAR(v3_max(v3_sub(spins[1], spin)), 0.0, 2e-7);
        CHECK_NEAR(v3_max(v3_sub(difference, change)), 0.0, 1e-6);
    }
    tml__pool_destroy(&m.memory);
    sample_destroy(&m.s);
}

TEST(targets_spin_the_axes_they_turn)  // [QRBD (22) (23)]
{
    random_source r = random_start(32);
    for (int t = 0; t < 16; t++) {
        joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "", .turns = all_turns[t]};
        visit_mixes(&c, check_spins, &r);
    }
}

// ---- drives: what the caller gives replaces what the model says, axis by axis

TEST(given_controls_replace_those_of_actuated_axes_only)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    const tml_body b = tml_spec_add_body(spec, &body);
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_CYLINDRICAL;
    def.follower = b;
    def.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    def.axis_of[TML_AXIS_TX].control = tml_control_constant(0.25);
    def.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    def.axis_of[TML_AXIS_RX].control = tml_control_sine(1.0, 2.0, 0.5, 0.0);
    def.axis_of[TML_AXIS_RX].has_servo = 1;
    def.axis_of[TML_AXIS_RX].servo_target = tml_control_constant(3.0);
    tml_spec_add_joint(spec, &def);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    if (model == NULL) return;

    drive axis[TML_AXES];
    drive servo[TML_AXES];
    drives out = {axis, servo};
    const drive given[2] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    tml__drives_eval(model, 0.5, NULL, &out);
    CHECK(axis[TML_AXIS_TX].value == 0.25 && axis[TML_AXIS_TX].rate == 0.0);
    CHECK_NEAR(axis[TML_AXIS_RX].value, 3.0, 1e-15);  // 1 + 2 sin(pi / 2)
    CHECK(servo[TML_AXIS_RX].value == 3.0);
    CHECK(axis[TML_AXIS_TY].value == 0.0);
    tml__drives_eval(model, 0.5, given, &out);
    CHECK(axis[TML_AXIS_TX].value == 1.0 && axis[TML_AXIS_TX].acceleration == 3.0);
    CHECK(axis[TML_AXIS_RX].value == 4.0 && axis[TML_AXIS_RX].rate == 5.0);
    CHECK(servo[TML_AXIS_RX].value == 3.0);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
