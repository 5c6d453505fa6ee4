// test/joint/rows.c - the rows of every joint: where they vanish, their gradients, their forces.
#include "math/small.h"
#include "test/difference.h"
#include "test/joint/sample.h"

// Difference quotients of a row at the steps e and e / 2.
static const double step = 0x1p-8;

// C is a sum of a dozen products of numbers around 1: 1e-15, over a step of 0x1p-8, 12 entries.
static const double noise = 2e-12;

// e^4 / 480 = 5e-13 times the fifth derivative: about 1 for dots and gaps, and up to 2000 for the
// angles of three rotations, 1 / cos^5 with the middle one at most 1.15 rad off.
static double rest_of(const joint_row* row) { return row->kind == ROW_ANGLE ? 2e-9 : 1e-11; }

static void rows_at(const joint_sample* s, const rigid* F, const rigid* B, double C[6])
{
    joint_frame frame;
    sample_frame(s, F, B, &frame);
    for (int i = 0; i < s->rows.count; i++) C[i] = sample_row(s, i, &frame).C;
}

// dC/d(motion) by central differences: row by row, twelve numbers each.
typedef struct jacobian {
    double d[6][MOTION];
} jacobian;

static void difference_rows(const joint_sample* s, double e, jacobian* out)
{
    for (int k = 0; k < MOTION; k++) {
        rigid F;
        rigid B;
        double plus[6];
        double minus[6];
        sample_displaced(s, k, e, &F, &B);
        rows_at(s, &F, &B, plus);
        sample_displaced(s, k, -e, &F, &B);
        rows_at(s, &F, &B, minus);
        for (int i = 0; i < s->rows.count; i++) out->d[i][k] = (plus[i] - minus[i]) / (2.0 * e);
    }
}

static void gradients_at(const joint_sample* s, jacobian* out)
{
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    for (int i = 0; i < s->rows.count; i++) {
        const row_value value = sample_row(s, i, &frame);
        gradient_flat(&value.g, out->d[i]);
    }
}

// ---- values

static void check_vanishing(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);

    double C[6];
    rows_at(&s, &s.F, &s.B, C);
    // rotations and points built twice from numbers around 1; angles of up to 9 rad lose a digit
    for (int i = 0; i < s.rows.count; i++) CHECK_NEAR(C[i], 0.0, 1e-14);
    sample_destroy(&s);
}

TEST(rows_vanish_where_the_coordinates_put_the_bodies)
{
    random_source r = random_start(1);
    // 934 named joints with their mixes, and (sum over slides 3^k) (sum over turns 3^k) = 64 * 226
    CHECK(visit_all_joints(check_vanishing, &r) == 934 + 64 * 226);
}

// ---- gradients

static void check_slopes(const joint_sample* s)
{
    jacobian exact;
    jacobian coarse;
    jacobian fine;
    gradients_at(s, &exact);
    difference_rows(s, step, &coarse);
    difference_rows(s, 0.5 * step, &fine);
    for (int i = 0; i < s->rows.count; i++) {
        slope row = {0};
        for (int k = 0; k < MOTION; k++) {
            slope_add(&row, exact.d[i][k], coarse.d[i][k], fine.d[i][k]);
        }
        CHECK_SLOPE(tml_axis_name(s->rows.row[i].axis), &row, noise, rest_of(&s->rows.row[i]));
    }
}

static void check_gradients(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    check_slopes(&s);
    sample_open(&s, r);
    check_slopes(&s);
    sample_destroy(&s);
}

TEST(row_gradients_match_differences_on_and_off_the_manifold)  // [QRBD (17) (18) (20)]
{
    random_source r = random_start(2);
    visit_all_joints(check_gradients, &r);
}

// ---- how many there are

// Rank of rows over the motions of the follower alone: relative motion is all a joint can hold.
static int rank_of(const jacobian* rows, int count)
{
    double a[6 * 6];
    double tau[6];
    int column[6];
    double scratch[6];
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 6; k++) a[6 * i + k] = rows->d[i][k];
    }
    pivoted_qr qr = {.m = count, .n = 6, .ld = 6, .a = a, .tau = tau, .column = column};
    tml__qr_factor(&qr, scratch);
    return count == 0 ? 0 : tml__qr_rank(&qr, 1e-6);  // the angles of three turns are the flattest
}

static void check_count(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);

    int freedoms = 0;
    int driven = 0;
    for (int k = 0; k < TML_AXES; k++) {
        freedoms += case_is_free(c, k);
        driven += c->actuation[k] == TML_POSITION;
    }
    jacobian all;
    jacobian held = {{{0}}};
    int held_count = 0;
    gradients_at(&s, &all);
    for (int i = 0; i < s.rows.count; i++) {
        if (case_is_free(c, (int)s.rows.row[i].axis)) continue;
        memcpy(held.d[held_count++], all.d[i], sizeof held.d[0]);
    }
    CHECK(held_count == 6 - freedoms);
    CHECK(s.rows.count == 6 - freedoms + driven);
    CHECK(rank_of(&held, held_count) == 6 - freedoms);
    CHECK(rank_of(&all, s.rows.count) == s.rows.count);
    CHECK(tml_model_row_count(s.model) == s.rows.count);
    sample_destroy(&s);
}

TEST(held_rows_have_the_rank_six_minus_the_freedoms)  // [QRBD Tab 3]
{
    random_source r = random_start(3);
    visit_all_joints(check_count, &r);
}

static void check_axes_are_distinct(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    int seen[TML_AXES] = {0};
    for (int i = 0; i < s.rows.count; i++) seen[s.rows.row[i].axis]++;
    for (int k = 0; k < TML_AXES; k++) {
        const bool has_row = !case_is_free(c, k) || c->actuation[k] == TML_POSITION;
        CHECK(seen[k] == (has_row ? 1 : 0));
    }
    sample_destroy(&s);
}

TEST(each_held_or_driven_axis_names_one_row)
{
    random_source r = random_start(4);
    visit_all_joints(check_axes_are_distinct, &r);
}

// ---- forces

static void check_cancelling(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    sample_open(&s, r);

    jacobian rows;
    gradients_at(&s, &rows);
    for (int i = 0; i < s.rows.count; i++) {
        const double* g = rows.d[i];
        const vec3 force = v3_add(v3_load(g), v3_load(g + 6));
        const vec3 arm_F = v3_cross(s.F.c, v3_load(g));
        const vec3 arm_B = v3_cross(s.B.c, v3_load(g + 6));
        const vec3 own = v3_add(v3_load(g + 3), v3_load(g + 9));
        CHECK(v3_max(force) == 0.0);
        // a few products of numbers around 1, larger by 1 / cos(0.8 + 0.35) for three angles
        CHECK_NEAR(v3_max(v3_add(own, v3_add(arm_F, arm_B))), 0.0, 4e-15);
    }
    sample_destroy(&s);
}

TEST(the_wrenches_on_the_two_bodies_cancel_about_one_point)
{
    random_source r = random_start(5);
    visit_all_joints(check_cancelling, &r);
}

// Row i against the motion of free axis k: held rows feel none of it; a driven row feels its own
// at unit rate, so that its multiplier is the force or torque of the coordinate. Three driven
// rotations are held by torques along the base's axes instead: row x feels the x of each spin.
static double expected_rate(const joint_sample* s, const joint_frame* frame, int i, int axis,
                            const double motion[MOTION])
{
    const int own = (int)s->rows.row[i].axis;
    if (s->rows.turns_all && own >= 3 && axis >= 3) {
        return v3_dot(frame->B.axis[own - 3], v3_load(motion + 3));
    }
    return own == axis ? 1.0 : 0.0;
}

static void check_free_motions(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);

    jacobian rows;
    joint_frame frame;
    double motion[MOTION];
    gradients_at(&s, &rows);
    sample_frame(&s, &s.F, &s.B, &frame);
    for (int i = 0; i < s.rows.count; i++) {
        for (int k = 0; k < 6; k++) {
            common_motion(&s, k, motion);
            CHECK_NEAR(along(rows.d[i], motion), 0.0, 1e-14);  // a few roundings
        }
        for (int k = 0; k < TML_AXES; k++) {
            if (!case_is_free(c, k)) continue;
            free_motion(&s, &frame, k, motion);
            const double expected = expected_rate(&s, &frame, i, k, motion);
            // roundings, and those of the angles up to 9 rad
            CHECK_NEAR(along(rows.d[i], motion), expected, 2e-14);
        }
    }
    sample_destroy(&s);
}

TEST(held_rows_do_no_work_on_free_motions_and_driven_rows_only_on_their_own)
{
    random_source r = random_start(6);
    visit_all_joints(check_free_motions, &r);
}

// Remove from `motion` its part along the rows, by Gram-Schmidt with a second pass.
static void project(const jacobian* rows, int count, double motion[MOTION])
{
    double basis[6][MOTION];
    for (int i = 0; i < count; i++) {
        memcpy(basis[i], rows->d[i], sizeof basis[i]);
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < i; k++) {
                const double part = along(basis[i], basis[k]);
                for (int m = 0; m < MOTION; m++) basis[i][m] -= part * basis[k][m];
            }
        }
        const double length = sqrt(along(basis[i], basis[i]));
        for (int m = 0; m < MOTION; m++) basis[i][m] /= length;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const double part = along(motion, basis[i]);
            for (int m = 0; m < MOTION; m++) motion[m] -= part * basis[i][m];
        }
    }
}

// The motions that keep C are found from values of C alone; the forces come from the gradients.
static void check_virtual_power(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    sample_open(&s, r);

    jacobian forces;
    jacobian coarse;
    jacobian values;
    gradients_at(&s, &forces);
    difference_rows(&s, step, &coarse);
    difference_rows(&s, 0.5 * step, &values);
    for (int i = 0; i < s.rows.count; i++) {
        for (int k = 0; k < MOTION; k++) {
            values.d[i][k] = (4.0 * values.d[i][k] - coarse.d[i][k]) / 3.0;
        }
    }
    double motion[MOTION];
    for (int k = 0; k < MOTION; k++) motion[k] = random_between(r, -1.0, 1.0);
    project(&values, s.rows.count, motion);
    for (int i = 0; i < s.rows.count; i++) {
        // the 2e-9 that extrapolated differences may be off, in up to six rows at an angle
        CHECK_NEAR(along(forces.d[i], motion), 0.0, 1e-8);
    }
    sample_destroy(&s);
}

TEST(joint_forces_have_no_power_on_motions_that_keep_the_rows)
{
    random_source r = random_start(7);
    visit_all_joints(check_virtual_power, &r);
}

// ---- signs                                                                        [QRBD Tab 7]

// On the manifold, with up to two rotations free, the torque of each row is a unit vector: the
// axis of the rotation it drives, or the held axis of the base after the first rotation.
static vec3 expected_torque(const joint_sample* s, const joint_frame* frame, int axis)
{
    const joint_data* j = s->j;
    const int letter = axis - 3;
    double motion[MOTION];
    if (j->axis[axis].is_free && j->turn_count < 3) {
        free_motion(s, frame, axis, motion);
        return v3_load(motion + 3);
    }
    if (j->turn_count < 2 || j->turn_count == 3) return frame->B.axis[letter];
    const mat3 first = q_matrix(q_about(j->turn[0], s->coordinates[3 + j->turn[0]]));
    return m3_apply(m3_mul(m3_mul(s->B.R, j->axes_B), first), v3_unit(letter));
}

static void check_signs(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);

    joint_frame frame;
    sample_frame(&s, &s.F, &s.B, &frame);
    for (int i = 0; i < s.rows.count; i++) {
        const int axis = (int)s.rows.row[i].axis;
        const row_value value = sample_row(&s, i, &frame);
        if (axis < 3) {
            CHECK_NEAR(v3_max(v3_sub(value.g.n, frame.B.axis[axis])), 0.0, 0.0);
            continue;
        }
        if (s.rows.row[i].kind == ROW_ANGLE) continue;  // power-conjugate: tested above
        const vec3 expected = expected_torque(&s, &frame, axis);
        CHECK_NEAR(v3_max(v3_sub(value.g.t_F, expected)), 0.0, 1e-14);  // a few roundings
        CHECK_NEAR(v3_max(value.g.n), 0.0, 0.0);
    }
    sample_destroy(&s);
}

TEST(a_positive_multiplier_pushes_the_follower_along_and_about_the_axis)
{
    random_source r = random_start(8);
    visit_all_joints(check_signs, &r);
}

// The corrected entries of Table 7 for a universal joint with both rotations driven, written out:
// C1 = r_y^F . Gamma_z^B(p_x), C2 = Gamma_z^F(p_y) . r_x^B, C3 = -r_y^F . r_x^B.
TEST(two_driven_rotations_follow_the_corrected_table)  // [QRBD Tab 7]
{
    random_source r = random_start(9);
    const joint_case c = {
        .kind = TML_JOINT_UNIVERSAL,
        .slides = "",
        .turns = "xy",
        .actuation = {[TML_AXIS_RX] = TML_POSITION, [TML_AXIS_RY] = TML_POSITION}};
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    sample_any_targets(&s, &r);
    sample_assemble(&s, &r);
    sample_open(&s, &r);

    joint_frame frame;
    sample_frame(&s, &s.F, &s.B, &frame);
    const double p_x = s.targets[TML_AXIS_RX].value;
    const double p_y = s.targets[TML_AXIS_RY].value;
    const vec3* F = frame.F.axis;
    const vec3* B = frame.B.axis;
    // R[p, a_x] a_z = -sin a_y + cos a_z;   R[p, a_y]^T a_z = -sin a_x + cos a_z
    const vec3 gamma_B = v3_axpy(v3_scale(-sin(p_x), B[1]), cos(p_x), B[2]);
    const vec3 gamma_F = v3_axpy(v3_scale(-sin(p_y), F[0]), cos(p_y), F[2]);
    const double expected[TML_AXES] = {
        [TML_AXIS_RX] = v3_dot(F[1], gamma_B),
        [TML_AXIS_RY] = v3_dot(gamma_F, B[0]),
        [TML_AXIS_RZ] = -v3_dot(F[1], B[0]),
    };
    CHECK(s.rows.count == 6);
    for (int i = 0; i < s.rows.count; i++) {
        const int axis = (int)s.rows.row[i].axis;
        if (axis >= 3) CHECK_NEAR(sample_row(&s, i, &frame).C, expected[axis], 2e-15);
    }
    sample_destroy(&s);
}
