// test/method/links/roll.c - rods that no force rolls: which links are some, and how their roll is found.
#include "linalg/lanes.h"
#include "method/links/links.h"
#include "sim/sim_internal.h"
#include "test/scenario/affine.h"

static mat3 matrix_at(const link_system* l, int place, int row)
{
    const double* lane = tml__links_lane(l, place);
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = lane[(row + k) * LANES];
    return a;
}

static vec3 column(mat3 a, int k) { return v3(a.m[0][k], a.m[1][k], a.m[2][k]); }

// What is left of the balance of torques about the mean axis of a rod, over the inertia of a roll: rad. Written
// from tau((R+ - R - h U) S A^T), column by column.                                     [notes 9.2]
static double roll_left(const link_system* l, int place, double h)
{
    const double* type = l->types + (size_t)l->row_type[place / LANES] * LINK_CONSTANTS * LANES;
    const double* lane = tml__links_lane(l, place);
    const int axis = l->row_axis[place / LANES];
    const vec3 omega = v3(lane[LINK_OMEGA * LANES], lane[(LINK_OMEGA + 1) * LANES],
                          lane[(LINK_OMEGA + 2) * LANES]);
    const mat3 R = matrix_at(l, place, LINK_R);
    const mat3 end = matrix_at(l, place, LINK_END);
    vec3 torque = v3_zero();
    double inertia = 0.0;
    for (int k = 0; k < 3; k++) {
        const double s = type[(LINK_S + k) * LANES + place % LANES];
        const vec3 from = column(R, k);
        const vec3 to = column(end, k);
        const vec3 way = v3_axpy(v3_sub(to, from), -h, v3_cross(omega, from));
        torque = v3_axpy(torque, s, v3_cross(v3_scale(0.5, v3_add(from, to)), way));
        if (k != axis) inertia += s;
    }
    const vec3 mean = v3_scale(0.5, v3_add(column(R, axis), column(end, axis)));
    return v3_dot(mean, torque) / inertia;
}

static double turn_between(mat3 a, mat3 b)
{
    double size = 0.0;
    for (int k = 0; k < 9; k++) size = larger_of(size, fabs(a.m[k / 3][k % 3] - b.m[k / 3][k % 3]));
    return size;
}

// After an iteration that swings rods by up to a radian their rolls leave next to nothing: two steps of Newton
// on the quadratic for tan(phi/2). Left to the linear equations they would leave 0.1 rad and more.
TEST(a_roll_follows_from_the_swing)
{
    static const char* const texts[] = {
        CHAIN_TEXT(100, "spherical", "zigzag", ", \"end_mass\": 100"),
        CHAIN_TEXT(64, "spherical", "coil", ""),
    };
    const double h = 0.01;
    for (int i = 0; i < 2; i++) {
        run r;
        CHECK(run_text(&r, texts[i]) == TML_OK);
        r.settings.integrator = TML_TIME_ENERGY_DAMPED;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 60) == TML_OK);
        message why = {""};
        link_system* l = NULL;
        CHECK(tml__links_create(r.sim->system, LINKS_CHAIN_OR_TREE, NULL, &why, &l) == TML_OK);
        tml__links_load(l, r.sim->past_q[0], r.sim->past_v[0], r.sim->lambda);
        links_call call = {
            .l = l,
            .mode = LINKS_STEP,
            .stage = {.h = h, .theta = 1.0, .beta = h * h, .phi = 0.5},
            .gravity = r.model->all.gravity,
            .scratch = l->scratch,
            .heads = l->head_force,
        };
        CHECK(tml__chain_start(&call) == TML_OK);
        mat3 before[128];
        for (int p = 0; p < l->row_count * LANES; p++) before[p] = matrix_at(l, p, LINK_END);
        double update = 0.0;
        CHECK(tml__chain_iterate(&call, &update) == TML_OK);
        int rods = 0;
        double left = 0.0;
        double swing = 0.0;
        for (int p = 0; p < l->row_count * LANES; p++) {
            const double turned = turn_between(before[p], matrix_at(l, p, LINK_END));
            if (l->node[p] < 0 || l->row_axis[p / LANES] < 0 || turned < 0.02) continue;
            rods++;
            left = larger_of(left, fabs(roll_left(l, p, h)));
            swing = larger_of(swing, turned);
        }
        printf("%d rods swing by up to %.2f; rolls leave %.1e rad\n", rods, swing, left);
        CHECK(rods > 0 && swing > 0.05);
        CHECK(left < 1e-6);
        tml__links_destroy(l);
        run_close(&r);
    }
}

// A thousandfold mass on a hundred rods: at 10 ms they whip, and every step converges as a whole.
TEST(rods_that_whip_do_not_roll_to_and_fro)
{
    run r;
    CHECK(run_text(&r, CHAIN_TEXT(100, "spherical", "zigzag", ", \"end_mass\": 100")) == TML_OK);
    r.settings.integrator = TML_TIME_ENERGY_DAMPED;
    r.settings.step = 0.01;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 300) == TML_OK);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%.2f iterations a step, %lld substeps\n", (double)report.newton_iterations / 300.0,
           report.substeps);
    CHECK(report.substeps == 0);
    run_close(&r);
}

// All joints of a rod are on its axis, also far from the origin and turned; a hub, a link in air that
// resists turning and one with a joint beside its axis are no rods.
TEST(rods_are_told_from_other_links)
{
    static const struct {
        const char* text;
        int axis;
    } cases[] = {
        {CHAIN_TEXT(300, "spherical", "coil", ", \"start\": [1000, -700, 300]"), 0},
        {"{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [2, 1, 2], "
         "\"position\": [0, 1, 0]}], \"joints\": [{\"name\": \"j\", \"type\": \"spherical\", "
         "\"base\": \"world\", \"follower\": \"a\"}]}",
         1},
        {"{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [2, 1, 2], "
         "\"position\": [0, 1, 0]}], \"joints\": [{\"name\": \"j\", \"type\": \"spherical\", "
         "\"base\": \"world\", \"follower\": \"a\", \"position\": [0, 0, 1e-6]}]}",
         -1},
        {"{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [2, 1, 2, 0.1, "
         "0, 0], \"position\": [0, 1, 0]}], \"joints\": [{\"name\": \"j\", \"type\": "
         "\"spherical\", \"base\": \"world\", \"follower\": \"a\"}]}",
         -1},
        {"{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [2, 1, 2], "
         "\"position\": [0, 1, 0]}], \"joints\": [{\"name\": \"j\", \"type\": \"spherical\", "
         "\"base\": \"world\", \"follower\": \"a\"}], \"forces\": [{\"type\": \"drag\", "
         "\"body\": \"a\", \"linear\": 0, \"angular\": 0.1}]}",
         -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r;
        message why = {""};
        link_system* l = NULL;
        CHECK(run_text(&r, cases[i].text) == TML_OK);
        CHECK(run_start(&r) == TML_OK);
        CHECK(tml__links_create(r.sim->system, LINKS_CHAIN_OR_TREE, NULL, &why, &l) == TML_OK);
        for (int row = 0; row < l->row_count; row++) CHECK(l->row_axis[row] == cases[i].axis);
        tml__links_destroy(l);
        run_close(&r);
    }
}
