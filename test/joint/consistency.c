// test/joint/consistency.c - rows vanish in flipped positions too; consistency values tell.
//                                                                            [QRBD Sec 4 Tab 7]
#include "test/joint/sample.h"

// The 24 rotations that carry the coordinate axes onto themselves: signed permutations.
typedef struct cube {
    int count;
    mat3 R[24];
} cube;

static cube cube_rotations(void)
{
    cube out = {0};
    for (int code = 0; code < 6 * 8; code++) {
        const int x = code / 8 % 3;
        const int y = code / 8 < 3 ? (x + 1) % 3 : (x + 2) % 3;
        const int z = 3 - x - y;
        mat3 R = m3_zero();
        R.m[x][0] = code & 1 ? -1.0 : 1.0;
        R.m[y][1] = code & 2 ? -1.0 : 1.0;
        R.m[z][2] = code & 4 ? -1.0 : 1.0;
        if (m3_determinant(R) > 0.0) out.R[out.count++] = R;
    }
    return out;
}

// Turn the follower until its turned axes are the base's turned axes times D.
static void place_turned(joint_sample* s, const mat3* D)
{
    const mat3 axes_B = m3_mul(s->B.R, s->j->axes_B);
    const mat3 turned_B = s->turn.has_base ? m3_mul(axes_B, s->turn.base) : axes_B;
    mat3 axes_F = m3_mul(turned_B, *D);
    if (s->turn.has_follower) axes_F = m3_mul_bt(axes_F, s->turn.follower);
    s->F.R = m3_mul_bt(axes_F, s->j->axes_F);
    s->F.q = tml__q_from_matrix(s->F.R);
}

// Largest rotational row.
static double largest_row(const joint_sample* s, const joint_frame* frame)
{
    double largest = 0.0;
    for (int i = 0; i < s->rows.count; i++) {
        if ((int)s->rows.row[i].axis < 3) continue;
        const double C = fabs(sample_row(s, i, frame).C);
        if (!(C <= largest)) largest = C;
    }
    return largest;
}

static void check_assembled(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    joint_frame frame;
    sample_frame(&s, &s.F, &s.B, &frame);
    CHECK_NEAR(tml__joint_consistency(&s.rows, &frame), 1.0, 4e-15);  // a few roundings
    sample_destroy(&s);
}

TEST(an_assembled_joint_has_consistency_one)
{
    random_source r = random_start(41);
    visit_all_joints(check_assembled, &r);
}

// The eight roots of the fixed joint: the right one, three half turns (two values are -1), and four
// signed cyclic permutations (all values 0).
TEST(the_fixed_joint_has_eight_roots_and_one_is_consistent)
{
    random_source r = random_start(42);
    const joint_case c = {.kind = TML_JOINT_FIXED, .slides = "", .turns = ""};
    const cube all = cube_rotations();
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    sample_any_targets(&s, &r);
    sample_assemble(&s, &r);
    CHECK(all.count == 24);

    int roots = 0;
    int right = 0;
    int half_turns = 0;
    int permuted = 0;
    for (int i = 0; i < all.count; i++) {
        joint_frame frame;
        place_turned(&s, &all.R[i]);
        sample_frame(&s, &s.F, &s.B, &frame);
        if (largest_row(&s, &frame) > 1e-12) continue;  // not a root: then a row is 1 or -1
        roots++;
        const double value = tml__joint_consistency(&s.rows, &frame);
        const double trace = all.R[i].m[0][0] + all.R[i].m[1][1] + all.R[i].m[2][2];
        if (trace == 3.0) {
            right++;
            CHECK_NEAR(value, 1.0, 1e-14);
        } else if (trace == -1.0) {
            half_turns++;
            CHECK_NEAR(value, -1.0, 1e-14);
        } else {
            permuted++;
            CHECK_NEAR(value, 0.0, 1e-14);
        }
    }
    CHECK(roots == 8 && right == 1 && half_turns == 3 && permuted == 4);
    sample_destroy(&s);
}

// Is D a position the joint can really take, its driven rotations at their targets? Dots turn the
// targets away, so what remains is made of the passive rotations alone.
static bool is_reachable(const joint_case* c, const joint_sample* s, const mat3* D)
{
    int passive[3];
    int count = 0;
    for (int n = 0; n < s->j->turn_count; n++) {
        const int letter = s->j->turn[n];
        if (c->actuation[3 + letter] != TML_POSITION) passive[count++] = letter;
    }
    if (count == 0) return D->m[0][0] + D->m[1][1] + D->m[2][2] == 3.0;
    if (count == 1) return D->m[passive[0]][passive[0]] == 1.0;
    return D->m[passive[0]][passive[1]] == 0.0;  // two passive rotations: one dot vanishes
}

static void check_flips(const joint_case* c, random_source* r)
{
    joint_sample s;
    if (!sample_create(c, r, &s)) return;
    sample_any_targets(&s, r);
    sample_assemble(&s, r);
    const bool has_dots = s.j->turn_count < 3 || s.rows.turns_all;
    const cube all = cube_rotations();
    for (int i = 0; i < all.count; i++) {
        joint_frame frame;
        place_turned(&s, &all.R[i]);
        sample_frame(&s, &s.F, &s.B, &frame);
        const double value = tml__joint_consistency(&s.rows, &frame);
        if (!has_dots) {
            // angles have no flipped roots, so nothing is watched
            CHECK(value == 1.0);
            continue;
        }
        if (largest_row(&s, &frame) > 1e-12) continue;
        if (is_reachable(c, &s, &all.R[i])) {
            CHECK_NEAR(value, 1.0, 1e-14);  // roundings
        } else {
            CHECK(value <= 1e-14);
        }
    }
    sample_destroy(&s);
}

TEST(flipped_roots_of_every_joint_are_told_from_right_ones)
{
    random_source r = random_start(43);
    for (int t = 0; t < 16; t++) {
        joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "", .turns = all_turns[t]};
        visit_mixes(&c, check_flips, &r);
    }
}

TEST(a_pose_that_is_no_number_is_not_consistent)
{
    random_source r = random_start(44);
    const joint_case c = {.kind = TML_JOINT_FIXED, .slides = "", .turns = ""};
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    sample_any_targets(&s, &r);
    sample_assemble(&s, &r);
    s.F.R.m[1][1] = (double)NAN;
    joint_frame frame;
    sample_frame(&s, &s.F, &s.B, &frame);
    CHECK(!(tml__joint_consistency(&s.rows, &frame) >= 0.1));
    sample_destroy(&s);
}
