// test/redundant/references.c - stored solutions of closed loops: errors fall at order 2.
//
// Each file was computed by formulations that share no equations with the library. All of these
// loops have redundant rows, which stay in the step.
#include "test/redundant/windows.h"

enum {
    MAX_ERRORS = 32
};

// Signed differences from one row of the file: places first, then rates.
typedef struct differences {
    int places, rates;
    double place[MAX_ERRORS];
    double rate[MAX_ERRORS];
} differences;

typedef void (*compare_function)(const run* r, const table* t, int row, differences* out);

static void note_place(differences* d, double actual, double expected)
{
    if (d->places < MAX_ERRORS) d->place[d->places++] = actual - expected;
}

static void note_rate(differences* d, double actual, double expected)
{
    if (d->rates < MAX_ERRORS) d->rate[d->rates++] = actual - expected;
}

// Centres of mass of bodies 1 ... count in columns x1, y1, ...; nothing may leave the plane.
static void note_centres(const run* r, const table* t, int row, int count, differences* out)
{
    for (int b = 0; b < count; b++) {
        const vec3 p = tml_sim_pose(r->sim, (tml_body){b}).p;
        char name[2][16];
        snprintf(name[0], sizeof name[0], "x%d", b + 1);
        snprintf(name[1], sizeof name[1], "y%d", b + 1);
        note_place(out, p.x, table_at(t, row, name[0]));
        note_place(out, p.y, table_at(t, row, name[1]));
        CHECK_NEAR(p.z, 0.0, 1e-10);  // what a gap may be
    }
}

static void compare_four_bar(const run* r, const table* t, int row, differences* out)
{
    note_centres(r, t, row, 3, out);
    note_rate(out, tml_sim_velocity(r->sim, (tml_body){0}).angular.z, table_at(t, row, "thetadot"));
}

static void compare_andrews(const run* r, const table* t, int row, differences* out)
{
    static const char* const parts[7][2] = {
        {"dbeta", NULL},  {"dbeta", "dtheta"},    {"dgamma", NULL},  {"dphi", "ddelta"},
        {"ddelta", NULL}, {"domega", "depsilon"}, {"depsilon", NULL}};
    note_centres(r, t, row, 7, out);
    for (int b = 0; b < 7; b++) {
        double rate = table_at(t, row, parts[b][0]);
        if (parts[b][1] != NULL) rate += table_at(t, row, parts[b][1]);
        note_rate(out, tml_sim_velocity(r->sim, (tml_body){b}).angular.z, rate);
    }
}

// The third joint point is the end of the second rod, half a metre from its middle.
static void compare_bricard(const run* r, const table* t, int row, differences* out)
{
    static const char* const names[3] = {"P3x", "P3y", "P3z"};
    const tml_pose start = tml_model_body(r->model, (tml_body){1})->pose;
    const tml_pose pose = tml_sim_pose(r->sim, (tml_body){1});
    const vec3 arm = q_rotate(q_conj(start.q), v3_sub((vec3){1.0, -1.0, 0.0}, start.p));
    const vec3 P = v3_add(pose.p, q_rotate(pose.q, arm));
    double turned[TML_AXES] = {0.0};

    for (int k = 0; k < 3; k++) note_place(out, v3_at(P, k), table_at(t, row, names[k]));
    CHECK(tml_sim_joint_coordinates(r->sim, (tml_joint){0}, turned) == 1);
    note_place(out, turned[0], table_at(t, row, "theta1"));
    note_rate(out, tml_sim_velocity(r->sim, (tml_body){0}).angular.y,
              table_at(t, row, "theta1dot"));
}

// ---- the order

typedef struct reference_case {
    const char* scene;
    const char* file;
    compare_function compare;
    double spacing;   // s, between two rows of the file
    double duration;  // s
    int rate;         // steps a second of the coarse run
} reference_case;

// Durations and steps are chosen so that the leading term of the error rules.
static const reference_case cases[] = {
    {"four-bar", "fourbar", compare_four_bar, 0.01, 1.0, 1000},
    {"bricard", "bricard", compare_bricard, 0.01, 2.0, 200},
    {"andrews", "andrews", compare_andrews, 1e-4, 0.01, 50000},
};

typedef struct largest_errors {
    double place, rate, gap;
} largest_errors;

static largest_errors follow(const reference_case* c, const table* t, int rate)
{
    const int stride = (int)(c->spacing * rate + 0.5);
    const int rows = (int)(c->duration / c->spacing + 0.5) + 1;
    largest_errors worst = {0.0, 0.0, 0.0};
    run r;

    CHECK(rows <= t->rows);
    CHECK_NEAR(stride, c->spacing * rate, 1e-9);
    CHECK(run_begin(&r, c->scene, TML_TIME_BDF2, c->spacing / stride) == TML_OK);
    for (int row = 0; row < rows && check_failures == 0; row++) {
        differences d = {0};
        CHECK_NEAR(tml_sim_time(r.sim), table_at(t, row, "t"), 1e-12);
        c->compare(&r, t, row, &d);
        for (int i = 0; i < d.places; i++) worst.place = larger_of(fabs(d.place[i]), worst.place);
        for (int i = 0; i < d.rates; i++) worst.rate = larger_of(fabs(d.rate[i]), worst.rate);
        if (row + 1 < rows) CHECK(run_steps(&r, stride) == TML_OK);
    }
    worst.gap = tml_sim_get_report(r.sim).max_gap;
    run_close(&r);
    return worst;
}

TEST(errors_of_redundant_loops_fall_at_order_two)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const reference_case* c = &cases[i];
        char path[64];
        table t;
        snprintf(path, sizeof path, "../shared/reference/%s.csv", c->file);
        if (!table_open(&t, path)) SKIP("no ../shared/reference beside the project");
        const largest_errors coarse = follow(c, &t, c->rate);
        const largest_errors fine = follow(c, &t, 2 * c->rate);
        const double place = log2(coarse.place / fine.place);
        const double rate = log2(coarse.rate / fine.rate);
        printf("%-10s %6d steps/s: place %.1e order %.2f, rate %.1e order %.2f, gap %.1e\n",
               c->scene, 2 * c->rate, fine.place, place, fine.rate, rate, fine.gap);
        // the next term of the expansion adds or takes a few percent
        CHECK(place > 1.9 && place < 2.3);
        CHECK(rate > 1.9 && rate < 2.3);
        CHECK(fine.gap <= 1e-10);
        table_close(&t);
    }
}

// ---- N windows

TEST(windows_before_their_singular_pose_converge_at_order_two)
{
    static const int counts[] = {1, 2, 10};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        // links are in line at 0.62 s or later
        check_windows_order(counts[i], 0.4, 500);
        if (check_is_skipped) return;
    }
}

// All links in line: each window could become an antiparallelogram there.
TEST(windows_pass_their_singular_poses_as_parallelograms)
{
    static const int counts[] = {1, 2, 10};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_windows_order(counts[i], counts[i] == 10 ? 1.0 : 2.0, 500);
        if (check_is_skipped) return;
    }
}
