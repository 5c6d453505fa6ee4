// test/joint/tie.c - rows that tie velocities: how they turn with their body, and what the height of a
// rolling body has to do with them.
#include "joint/tie.h"

#include "test/difference.h"
#include "test/joint/sample.h"

static vec3 unit(vec3 a) { return v3_scale(1.0 / v3_norm(a), a); }

static nonholonomic_data random_tie(random_source* r, int what)
{
    nonholonomic_data tie = {.kind = what == 0 ? TML_KNIFE_EDGE : TML_ROLLING,
                             .point = random_vec3(r, 0.5),
                             .is_sphere = what == 2,
                             .radius = random_between(r, 0.2, 1.0),
                             .offset = random_between(r, -1.0, 1.0)};
    tie.axis = unit(random_vec3(r, 1.0));
    tie.normal = unit(random_vec3(r, 1.0));
    tie.across[0] = unit(v3_cross(tie.normal, random_vec3(r, 1.0)));
    tie.across[1] = v3_cross(tie.normal, tie.across[0]);
    return tie;
}

static rigid random_rigid(random_source* r)
{
    rigid b = rigid_at(random_vec3(r, 1.0), random_quat(r));
    b.v = random_vec3(r, 1.0);
    b.omega = random_vec3(r, 1.0);
    return b;
}

// Everything that has a slope, as numbers: n, r x n, the rate and the height.
enum {
    VALUES = 8
};

static void values_at(const nonholonomic_data* tie, const rigid* b, int k, double out[VALUES])
{
    tie_row rows[TIE_ROWS];
    tml__tie_rows(tie, b, rows);
    v3_store(out, rows[k].n);
    v3_store(out + 3, v3_cross(rows[k].r, rows[k].n));
    out[6] = tie_rate(&rows[k], b);
    out[7] = rows[k].C;
}

static rigid turned(const rigid* b, vec3 along, double by)
{
    rigid moved = rigid_moved(b, v3_zero(), v3_scale(by, along));
    moved.v = b->v;
    moved.omega = b->omega;
    return moved;
}

static void check_row(const nonholonomic_data* tie, const rigid* b, int k, vec3 along)
{
    const double e = 0x1p-9;
    const double amounts[4] = {e, -e, 0.5 * e, -0.5 * e};
    double value[4][VALUES];
    tie_row rows[TIE_ROWS];
    tml__tie_rows(tie, b, rows);
    const tie_bend bend = tml__tie_bend(&rows[k]);
    double exact[VALUES];
    v3_store(exact, m3_apply(bend.force, along));
    v3_store(exact + 3, m3_apply(bend.torque, along));
    exact[6] = v3_dot(tml__tie_rate_slope(&rows[k], b), along);
    // the height's gradient is what its multiplier pushes along
    exact[7] = rows[k].is_velocity ? 0.0 : v3_dot(v3_cross(rows[k].r, rows[k].n), along);
    for (int side = 0; side < 4; side++) {
        const rigid moved = turned(b, along, amounts[side]);
        values_at(tie, &moved, k, value[side]);
    }
    slope all = {0};
    for (int i = 0; i < VALUES; i++) {
        slope_add(&all, exact[i], (value[0][i] - value[1][i]) / (2.0 * e),
                  (value[2][i] - value[3][i]) / e);
    }
    // rounding of 1e-15 over e; e^4 times fifth derivatives, a thousand where a disc is nearly flat
    CHECK_SLOPE("row of a tie", &all, 1e-11, 1e-8);
}

TEST(rows_turn_with_their_body_as_differences_say)
{
    random_source r = random_start(4711);
    for (int i = 0; i < 300; i++) {
        const nonholonomic_data tie = random_tie(&r, i % 3);
        const rigid b = random_rigid(&r);
        const vec3 axis = m3_apply(b.R, tie.axis);
        if (v3_norm(v3_cross(axis, tie.normal)) < 0.3) continue;  // fifth derivatives of 1 / sin
        for (int k = 0; k < tml__nonholonomic_rows(&tie); k++) {
            check_row(&tie, &b, k, random_vec3(&r, 1.0));
        }
    }
}

// No point of the rim, or of the sphere, lies lower than the one that rolls.
TEST(the_point_that_rolls_is_the_lowest)
{
    random_source r = random_start(11);
    for (int i = 0; i < 60; i++) {
        const nonholonomic_data tie = random_tie(&r, 1 + i % 2);
        const rigid b = random_rigid(&r);
        tie_row rows[TIE_ROWS];
        CHECK(tml__tie_rows(&tie, &b, rows) == 3);
        const vec3 centre = v3_add(b.c, m3_apply(b.R, tie.point));
        const vec3 lowest = v3_add(b.c, rows[0].r);
        CHECK_NEAR(v3_norm(v3_sub(lowest, centre)), tie.radius, 1e-14);
        CHECK_NEAR(rows[0].C, v3_dot(tie.normal, lowest) - tie.offset, 1e-14);
        for (int k = 0; k < 50; k++) {
            const vec3 axis = m3_apply(b.R, tie.axis);
            vec3 d = random_vec3(&r, 1.0);
            if (!tie.is_sphere) d = v3_cross(axis, d);
            const vec3 other = v3_axpy(centre, tie.radius, unit(d));
            CHECK(v3_dot(tie.normal, other) >= v3_dot(tie.normal, lowest) - 1e-14);
        }
    }
}

TEST(a_flat_disc_is_told)
{
    const nonholonomic_data tie = {.kind = TML_ROLLING,
                                   .axis = {0.0, 0.0, 1.0},
                                   .radius = 0.1,
                                   .normal = {0.0, 0.0, 1.0},
                                   .across = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
    const rigid flat = rigid_at(v3_zero(), (quat){1.0, 0.0, 0.0, 0.0});
    tie_row rows[TIE_ROWS];
    CHECK(tml__tie_is_flat(&tie, &flat));
    CHECK(tml__tie_rows(&tie, &flat, rows) == 3);
    CHECK(isfinite(rows[0].C) && isfinite(rows[1].Q.m[0][0]));
    const rigid tilted = rigid_moved(&flat, v3_zero(), (vec3){1e-3, 0.0, 0.0});
    CHECK(!tml__tie_is_flat(&tie, &tilted));
}
