// test/joint/bend.c - how the wrenches of rows and coordinates turn as the bodies move.
//
// The blocks of tml__bend_blocks are the derivative of the gradient along motions of the two
// bodies; here they are compared with differences of the gradients themselves, which
// test/joint/rows.c has compared with differences of the rows.
#include "test/difference.h"
#include "test/joint/sample.h"

static const double step = 0x1p-8;

// gradients are sums of a dozen products around 1 (1e-15), over 0x1p-8, 144 entries
static const double noise = 1e-11;

// e^4 / 480 = 5e-13 times the fifth derivative of a gradient: about 1 for dots and gaps, some 1e4
// for angles of three rotations with the middle one at most 1.15 rad off
static double rest_of_angle(int turns) { return turns == 3 ? 2e-8 : 1e-10; }

// d(wrench)/d(motion), wrench and motion as twelve numbers.
typedef struct stiffness {
    double k[MOTION][MOTION];
} stiffness;

static void place_block(const double block[36], int row, int column, stiffness* out)
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) out->k[row + i][column + k] = block[6 * i + k];
    }
}

static void blocks_of(const joint_frame* frame, const rigid_bend* bend, double scale,
                      stiffness* out)
{
    double FF[36] = {0};
    double FB[36] = {0};
    double BF[36] = {0};
    double BB[36] = {0};
    tml__bend_blocks(frame, bend, scale, FF, FB, BF, BB);
    place_block(FF, 0, 0, out);
    place_block(FB, 0, 6, out);
    place_block(BF, 6, 0, out);
    place_block(BB, 6, 6, out);
}

// Differences of whatever gradient `g` answers.
typedef rigid_gradient gradient_of(const joint_sample* s, int which, const joint_frame* frame);

static void difference(const joint_sample* s, gradient_of* g, int which, double e, stiffness* out)
{
    for (int k = 0; k < MOTION; k++) {
        double wrench[2][MOTION];
        for (int side = 0; side < 2; side++) {
            rigid F;
            rigid B;
            joint_frame frame;
            sample_displaced(s, k, side == 0 ? e : -e, &F, &B);
            sample_frame(s, &F, &B, &frame);
            const rigid_gradient at = g(s, which, &frame);
            gradient_flat(&at, wrench[side]);
        }
        for (int i = 0; i < MOTION; i++) {
            out->k[i][k] = (wrench[0][i] - wrench[1][i]) / (2.0 * e);
        }
    }
}

static slope compare(const joint_sample* s, gradient_of* g, int which, const stiffness* exact)
{
    stiffness coarse;
    stiffness fine;
    slope all = {0};
    difference(s, g, which, step, &coarse);
    difference(s, g, which, 0.5 * step, &fine);
    for (int i = 0; i < MOTION; i++) {
        for (int k = 0; k < MOTION; k++) {
            slope_add(&all, exact->k[i][k], coarse.k[i][k], fine.k[i][k]);
        }
    }
    return all;
}

// ---- rows

static rigid_gradient row_gradient(const joint_sample* s, int row, const joint_frame* frame)
{
    return sample_row(s, row, frame).g;
}

static void check_row_bends(const joint_sample* s)
{
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    for (int i = 0; i < s->rows.count; i++) {
        const joint_row* row = &s->rows.row[i];
        rigid_bend bend = {.force = v3_zero()};
        stiffness exact;
        tml__bend_row(s->j, row, &frame, &s->targets[row->axis], 1.0, &bend);
        blocks_of(&frame, &bend, 1.0, &exact);
        const slope all = compare(s, row_gradient, i, &exact);
        CHECK_SLOPE(tml_axis_name(row->axis), &all, noise,
                    row->kind == ROW_ANGLE ? rest_of_angle(3) : 1e-11);
    }
}

static void check_rows(const joint_case* c, random_source* r)
{
    if (case_has_force(c)) return;
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    check_row_bends(&s);
    sample_open(&s, r);
    check_row_bends(&s);
    sample_destroy(&s);
}

TEST(row_wrenches_turn_as_their_blocks_say)
{
    random_source r = random_start(11);
    visit_all_joints(check_rows, &r);
}

// Several rows at once, with multipliers: the forces of gaps add up before they are carried.
static void check_sum(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    sample_open(&s, r);

    joint_frame frame;
    stiffness sum = {{{0}}};
    stiffness all;
    rigid_bend total = {.force = v3_zero()};
    sample_frame(&s, &s.F, &s.B, &frame);
    for (int i = 0; i < s.rows.count; i++) {
        const joint_row* row = &s.rows.row[i];
        const double lambda = random_between(r, -1.0, 1.0);
        rigid_bend one = {.force = v3_zero()};
        stiffness part;
        tml__bend_row(s.j, row, &frame, &s.targets[row->axis], lambda, &total);
        tml__bend_row(s.j, row, &frame, &s.targets[row->axis], 1.0, &one);
        blocks_of(&frame, &one, lambda, &part);
        for (int a = 0; a < MOTION; a++) {
            for (int b = 0; b < MOTION; b++) sum.k[a][b] += part.k[a][b];
        }
    }
    blocks_of(&frame, &total, 1.0, &all);
    for (int i = 0; i < MOTION; i++) {
        for (int k = 0; k < MOTION; k++) {
            CHECK_NEAR(all.k[i][k], sum.k[i][k], 2e-14);  // the same sums in another order
        }
    }
    sample_destroy(&s);
}

TEST(bends_of_several_rows_add_up)
{
    random_source r = random_start(12);
    for (int t = 0; t < 16; t++) {
        joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "y", .turns = all_turns[t]};
        visit_mixes(&c, check_sum, &r);
    }
}

// ---- coordinates

static rigid_gradient coordinate_gradient(const joint_sample* s, int axis, const joint_frame* frame)
{
    return tml__coordinate_rigid(s->j, (tml_axis)axis, s->coordinates[axis], frame).g;
}

static void check_coordinate_bends(const joint_sample* s, const joint_case* c)
{
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    for (int k = 0; k < TML_AXES; k++) {
        if (!case_is_free(c, k)) continue;
        rigid_bend bend = {.force = v3_zero()};
        stiffness exact;
        tml__bend_coordinate(s->j, (tml_axis)k, s->coordinates[k], &frame, 1.0, &bend);
        blocks_of(&frame, &bend, 1.0, &exact);
        const slope all = compare(s, coordinate_gradient, k, &exact);
        CHECK_SLOPE(tml_axis_name((tml_axis)k), &all, noise, rest_of_angle(s->j->turn_count));
    }
}

static void check_coordinates(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    for (int repeat = 0; repeat < 10; repeat++) {
        sample_any_targets(&s, r);
        sample_assemble(&s, r);
        check_coordinate_bends(&s, c);
        sample_open(&s, r);
        check_coordinate_bends(&s, c);
    }
    sample_destroy(&s);
}

TEST(coordinate_wrenches_turn_as_their_curvature_says)
{
    random_source r = random_start(13);
    for (int t = 0; t < 16; t++) {
        joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "xyz", .turns = all_turns[t]};
        check_coordinates(&c, &r);
    }
}

// V^T (d wrench / dx) V: the blocks, contracted by hand.
TEST(bend_velocity_is_the_blocks_contracted_with_velocities)
{
    random_source r = random_start(14);
    const joint_case c = {.kind = TML_JOINT_FREE, .slides = "xyz", .turns = "xyz"};
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    for (int repeat = 0; repeat < 100; repeat++) {
        sample_any_targets(&s, &r);
        sample_assemble(&s, &r);
        sample_open(&s, &r);
        s.F.v = random_vec3(&r, 1.0);
        s.F.omega = random_vec3(&r, 1.0);
        s.B.v = random_vec3(&r, 1.0);
        s.B.omega = random_vec3(&r, 1.0);
        double V[MOTION];
        v3_store(V, s.F.v);
        v3_store(V + 3, s.F.omega);
        v3_store(V + 6, s.B.v);
        v3_store(V + 9, s.B.omega);

        joint_frame frame;
        rigid_bend bend = {.force = v3_zero()};
        stiffness blocks;
        sample_frame(&s, &s.F, &s.B, &frame);
        for (int k = 0; k < TML_AXES; k++) {
            tml__bend_coordinate(s.j, (tml_axis)k, s.coordinates[k], &frame,
                                 random_between(&r, -1.0, 1.0), &bend);
        }
        blocks_of(&frame, &bend, 1.0, &blocks);
        double expected = 0.0;
        for (int i = 0; i < MOTION; i++) expected += V[i] * along(blocks.k[i], V);
        // 144 products, the largest around 1 / cos^3(1.15) = 15
        CHECK_NEAR(tml__bend_velocity(&frame, &bend, &s.F, &s.B), expected, 2e-13);
    }
    sample_destroy(&s);
}

// A body that does not move has no blocks; the others must not notice.
TEST(a_body_that_never_moves_gets_no_block)
{
    random_source r = random_start(15);
    const joint_case c = {.kind = TML_JOINT_REVOLUTE, .slides = "", .turns = "x"};
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    sample_any_targets(&s, &r);
    sample_assemble(&s, &r);

    joint_frame frame;
    rigid_bend bend = {.force = v3(0.3, -0.5, 0.7)};
    double with[36] = {0};
    double other[108] = {0};
    double alone[36] = {0};
    sample_frame(&s, &s.F, &s.B, &frame);
    tml__bend_row(s.j, &s.rows.row[4], &frame, &s.targets[s.rows.row[4].axis], 2.0, &bend);
    tml__bend_blocks(&frame, &bend, 1.5, with, other, other + 36, other + 72);
    tml__bend_blocks(&frame, &bend, 1.5, alone, NULL, NULL, NULL);
    CHECK(memcmp(with, alone, sizeof with) == 0);
    CHECK(with[21] != 0.0);
    sample_destroy(&s);
}
