// The complementarity solver against the enumeration of all label sets, against closed forms, and on
// problems that have no unique forces.                                        [DCON (4) (6) (19) App A]
#include "solve/lcp.h"

#include "test/check.h"
#include "test/random.h"

enum {
    MOST = 180
};

typedef struct sample {
    int n;
    double A[MOST * MOST];
    double b[MOST];
    lcp_row rows[MOST];
    double f[MOST], w[MOST];
    unsigned char label[MOST], is_independent[MOST];
} sample;

static const lcp_row normal_row = {.kind = LCP_UNILATERAL};

static lcp_row friction_row(int normal, double mu)
{
    return (lcp_row){.kind = LCP_FRICTION, .normal = normal, .mu = mu};
}

static lcp_problem problem_of(const sample* s)
{
    return (lcp_problem){.count = s->n, .A = s->A, .ld = s->n, .b = s->b, .rows = s->rows};
}

static lcp* make(int rows)
{
    message why;
    lcp* s = NULL;
    CHECK(tml__lcp_create(rows, rows, NULL, &why, &s) == TML_OK);
    return s;
}

// A = J J^T with J of `freedoms` columns, b in its range so that velocities stay finite.
static void fill_random(sample* s, random_source* r, int freedoms)
{
    static double J[MOST][MOST];
    double v[MOST];
    for (int k = 0; k < freedoms; k++) v[k] = random_between(r, -1.0, 1.0);
    for (int i = 0; i < s->n; i++) {
        s->b[i] = 0.0;
        for (int k = 0; k < freedoms; k++) {
            J[i][k] = random_between(r, -1.0, 1.0);
            s->b[i] += J[i][k] * v[k];
        }
    }
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < freedoms; k++) sum += J[i][k] * J[j][k];
            s->A[i * s->n + j] = sum;
        }
        s->label[i] = LCP_UNKNOWN;
    }
}

// The law of every row, from the definition and not from labels.
static double broken_by(const sample* s)
{
    double worst = 0.0;
    for (int i = 0; i < s->n; i++) {
        double w = s->b[i];
        for (int j = 0; j < s->n; j++) w += s->A[i * s->n + j] * s->f[j];
        const lcp_row* row = &s->rows[i];
        const double f = s->f[i];
        double off = fabs(w - s->w[i]);
        if (row->kind == LCP_FREE) off = fmax(off, fabs(w));
        if (row->kind == LCP_UNILATERAL) off = fmax(fmax(off, -f), fmax(-w, fabs(fmin(f, w))));
        if (row->kind == LCP_BOX || row->kind == LCP_FRICTION) {
            const double bound = row->kind == LCP_FRICTION ? row->mu * s->f[row->normal] : 0.0;
            const double low = row->kind == LCP_FRICTION ? -bound : row->lower;
            const double high = row->kind == LCP_FRICTION ? bound : row->upper;
            // the projection of f - w on [low, high] is f
            off = fmax(off, fabs(fmin(fmax(f - w, low), high) - f));
        }
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

// ---- enumeration

// Gauss with full pivoting on at most 6 unknowns; 0 when singular.
static int dense_solve(int n, double a[6][6], double x[6])
{
    int used[6] = {0};
    int order[6];
    for (int k = 0; k < n; k++) {
        int row = -1;
        int column = -1;
        double best = 1e-9;
        for (int i = 0; i < n; i++) {
            if (used[i]) continue;
            for (int j = 0; j < n; j++) {
                if (fabs(a[i][j]) > best) {
                    best = fabs(a[i][j]);
                    row = i;
                    column = j;
                }
            }
        }
        if (row < 0) return 0;
        used[row] = 1;
        order[row] = column;
        for (int i = 0; i < n; i++) {
            if (i == row) continue;
            const double factor = a[i][column] / a[row][column];
            for (int j = 0; j < n; j++) a[i][j] -= factor * a[row][j];
            a[i][column] = 0.0;
            x[i] -= factor * x[row];
        }
    }
    double y[6] = {0};
    for (int i = 0; i < n; i++) y[order[i]] = x[i] / a[i][order[i]];
    memcpy(x, y, sizeof y);
    return 1;
}

// Solve for one label set by the definition; 1 when it obeys every law to 1e-9.
static int labels_hold(const sample* s, const int* label, double* f)
{
    double a[6][6] = {{0}};
    double x[6] = {0};
    for (int i = 0; i < s->n; i++) {
        const lcp_row* row = &s->rows[i];
        if (label[i] == LCP_HELD) {
            for (int j = 0; j < s->n; j++) a[i][j] = s->A[i * s->n + j];
            x[i] = -s->b[i];
        } else {
            a[i][i] = 1.0;
            const double sign = label[i] == LCP_UPPER ? 1.0 : -1.0;
            if (label[i] != LCP_OFF) a[i][row->normal] = -sign * row->mu;
        }
    }
    if (!dense_solve(s->n, a, x)) return 0;
    sample t = *s;
    memcpy(t.f, x, sizeof x);
    for (int i = 0; i < s->n; i++) {
        t.w[i] = s->b[i];
        for (int j = 0; j < s->n; j++) t.w[i] += s->A[i * s->n + j] * x[j];
    }
    memcpy(f, x, sizeof x);
    return broken_by(&t) < 1e-9;
}

// Every label set of up to two contacts of three rows; returns how many different solutions there
// are and keeps the first few.
static int enumerate(const sample* s, double found[10][6])
{
    int count = 0;
    int label[6];
    const int contacts = s->n / 3;
    const int sets = contacts == 1 ? 10 : 100;
    for (int set = 0; set < sets; set++) {
        int code = set;
        for (int c = 0; c < contacts; c++) {
            const int part = code % 10;
            code /= 10;
            label[3 * c] = part == 9 ? LCP_OFF : LCP_HELD;
            label[3 * c + 1] = part == 9 ? LCP_OFF : LCP_HELD + part % 3;
            label[3 * c + 2] = part == 9 ? LCP_OFF : LCP_HELD + part / 3;
        }
        double f[6];
        if (!labels_hold(s, label, f)) continue;
        int is_new = count < 10;
        for (int k = 0; k < count && is_new; k++) {
            double distance = 0.0;
            for (int i = 0; i < s->n; i++) distance = fmax(distance, fabs(found[k][i] - f[i]));
            if (distance < 1e-7) is_new = 0;
        }
        if (is_new) memcpy(found[count++], f, sizeof f);
    }
    return count;
}

TEST(the_solution_is_one_that_enumeration_finds)
{
    random_source r = random_start(71);
    lcp* solver = make(6);
    static const double frictions[] = {0.0, 0.3, 1.0, 2.0};
    int several = 0;

    for (int k = 0; k < 4000; k++) {
        const int contacts = 1 + k % 2;
        const double mu = frictions[k / 2 % 4];
        sample s = {.n = 3 * contacts};
        for (int i = 0; i < s.n; i++) s.rows[i] = i % 3 ? friction_row(i - i % 3, mu) : normal_row;
        fill_random(&s, &r, 7);

        double found[10][6];
        const int count = enumerate(&s, found);
        several += count > 1;
        const lcp_problem problem = problem_of(&s);
        lcp_report report;
        message why = {{0}};
        const tml_status status =
            tml__lcp_solve(solver, &problem, s.label, s.f, s.w, s.is_independent, &report, &why);
        CHECK(count > 0 && status == TML_OK);
        if (status != TML_OK) {
            printf("problem %d: %s\n", k, why.text);
            continue;
        }
        double nearest = HUGE_VAL;
        for (int m = 0; m < count; m++) {
            double distance = 0.0;
            for (int i = 0; i < s.n; i++) distance = fmax(distance, fabs(found[m][i] - s.f[i]));
            nearest = fmin(nearest, distance);
        }
        CHECK(nearest < 1e-6);  // A may have condition numbers of 1e8 or so
        // forces of up to 1e3 times entries of order one, to rounding
        CHECK(broken_by(&s) < 1e-9);
        CHECK(report.residual <= 1e-11);
    }
    printf("problems with several solutions: %d of 4000\n", several);
    tml__lcp_destroy(solver);
}

TEST(bounded_friction_is_tied_to_the_final_normal_force)
{
    random_source r = random_start(72);
    lcp* solver = make(60);
    int bounded = 0;
    for (int k = 0; k < 300; k++) {
        sample s = {.n = 3 * (1 + k % 12)};
        for (int i = 0; i < s.n; i++) s.rows[i] = i % 3 ? friction_row(i - i % 3, 0.4) : normal_row;
        fill_random(&s, &r, s.n + 4);
        const lcp_problem problem = problem_of(&s);
        lcp_report report;
        message why = {{0}};
        CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
        double largest = 0.0;
        for (int i = 0; i < s.n; i++) largest = fmax(largest, fabs(s.f[i]));
        for (int i = 0; i < s.n; i++) {
            if (s.label[i] != LCP_UPPER && s.label[i] != LCP_LOWER) continue;
            bounded++;
            // one product: rounding only                                       [DCON App A]
            CHECK_NEAR(fabs(s.f[i]), 0.4 * s.f[s.rows[i].normal], 1e-15 * largest);
        }
        CHECK(broken_by(&s) < 1e-9 * (1.0 + largest));

        // the labels that came out are accepted as they are, and give the same bits
        double again[MOST];
        double speeds[MOST];
        CHECK(tml__lcp_solve(solver, &problem, s.label, again, speeds, NULL, &report, &why) ==
              TML_OK);
        CHECK(report.solved_by[LCP_BY_PREVIOUS] == report.islands);
        CHECK(memcmp(again, s.f, (size_t)s.n * sizeof *again) == 0);
    }
    CHECK(bounded > 100);
    tml__lcp_destroy(solver);
}

// ---- a box on four corners

// Rows of a unit box of mass m resting on z = 0 with its corners, as rows over (v, omega) of its
// centre: normal, then x and y of each corner.
static void fill_box(sample* s, double mu, const double velocity[6], double half_x, double half_y)
{
    const double inverse[6] = {1.0, 1.0, 1.0, 6.0, 6.0, 6.0};  // 1 kg, I = 1/6
    double J[12][6];
    s->n = mu > 0.0 ? 12 : 4;
    const int rows = mu > 0.0 ? 3 : 1;
    for (int c = 0; c < 4; c++) {
        const vec3 arm = v3(c & 1 ? half_x : -half_x, c & 2 ? half_y : -half_y, -0.5);
        for (int k = 0; k < rows; k++) {
            const vec3 d = v3_unit((k + 2) % 3);
            const vec3 turn = v3_cross(arm, d);
            const int i = rows * c + k;
            const double row[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
            memcpy(J[i], row, sizeof row);
            s->rows[i] = k ? friction_row(rows * c, mu) : normal_row;
            s->label[i] = LCP_UNKNOWN;
        }
    }
    for (int i = 0; i < s->n; i++) {
        s->b[i] = 0.0;
        for (int k = 0; k < 6; k++) s->b[i] += J[i][k] * velocity[k];
        for (int j = 0; j < s->n; j++) {
            s->A[i * s->n + j] = 0.0;
            for (int k = 0; k < 6; k++) s->A[i * s->n + j] += J[i][k] * inverse[k] * J[j][k];
        }
    }
}

TEST(a_box_on_four_corners_has_rank_three_and_shares_its_weight_equally)
{
    lcp* solver = make(12);
    sample s;
    const double falling[6] = {0.0, 0.0, -0.0981, 0.0, 0.0, 0.0};
    fill_box(&s, 0.0, falling, 0.5, 0.5);
    const lcp_problem problem = problem_of(&s);
    lcp_report report;
    message why;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, s.is_independent, &report, &why) ==
          TML_OK);
    CHECK(report.dependent_rows == 1 && report.islands == 1);
    CHECK(report.kept_pivot > 0.01 && report.dropped_pivot < 1e-14);
    int independent = 0;
    for (int i = 0; i < 4; i++) {
        independent += s.is_independent[i];
        CHECK_NEAR(s.f[i], 0.0981 / 4.0, 1e-16);  // least norm: equal shares
        CHECK_NEAR(s.w[i], 0.0, 1e-16);
    }
    CHECK(independent == 3);
    tml__lcp_destroy(solver);
}

TEST(a_sticking_box_has_rank_six_of_twelve)
{
    lcp* solver = make(12);
    sample s;
    const double sliding[6] = {0.01, -0.005, -0.0981, 0.001, 0.002, 0.003};
    fill_box(&s, 1.0, sliding, 0.5, 0.5);
    const lcp_problem problem = problem_of(&s);
    lcp_report report;
    message why;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, s.is_independent, &report, &why) ==
          TML_OK);
    CHECK(report.dependent_rows == 6);
    CHECK(broken_by(&s) < 1e-15);
    // the box stops: total impulse is -m v
    double total[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 12; i++) total[(i % 3 + 2) % 3] += s.f[i];
    CHECK_NEAR(total[0], -0.01, 1e-15);
    CHECK_NEAR(total[1], 0.005, 1e-15);
    CHECK_NEAR(total[2], 0.0981, 1e-15);
    tml__lcp_destroy(solver);
}

// Pushed down outside the middle, the forces of least norm of all four corners would pull at one of
// them; the answer must not.
TEST(corners_never_pull_where_least_norm_would)
{
    lcp* solver = make(12);
    random_source r = random_start(73);
    for (int k = 0; k < 500; k++) {
        sample s;
        double velocity[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
        velocity[3] = random_between(&r, -3.0, 3.0);
        velocity[4] = random_between(&r, -3.0, 3.0);
        if (k % 2) velocity[0] = 5.0;
        fill_box(&s, k % 2 ? 0.2 : 0.0, velocity, 0.5, random_between(&r, 0.1, 0.7));
        const lcp_problem problem = problem_of(&s);
        lcp_report report;
        message why = {{0}};
        const tml_status status =
            tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why);
        CHECK(status == TML_OK);
        if (status != TML_OK) printf("%d: %s\n", k, why.text);
        CHECK(broken_by(&s) < 1e-12);  // forces and speeds of order 10, to rounding
    }
    tml__lcp_destroy(solver);
}

// A sliding block: friction takes exactly mu m g h from its momentum, against the motion.
TEST(a_sliding_box_is_slowed_by_mu_times_its_weight)
{
    lcp* solver = make(12);
    sample s;
    const double sliding[6] = {2.0, 0.0, -0.0981, 0.0, 0.0, 0.0};
    fill_box(&s, 0.3, sliding, 5.0, 5.0);  // so wide that it does not tip
    const lcp_problem problem = problem_of(&s);
    lcp_report report;
    message why;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
    double along = 0.0;
    for (int i = 0; i < 12; i++) along += i % 3 == 1 ? s.f[i] : 0.0;
    CHECK_NEAR(along, -0.3 * 0.0981, 1e-15);
    // it slows down and friction does no work on it: f . w <= 0 row by row
    for (int i = 0; i < 12; i++) CHECK(s.f[i] * s.w[i] <= 1e-15);
    tml__lcp_destroy(solver);
}

// ---- stacks

enum {
    STACK = 15
};

// Boxes of 1 kg on each other, each resting on four corners with friction; they fall with g h, and the
// whole stack may be pushed sideways.
static void fill_stack(sample* s, int boxes, double mu, double push)
{
    static double J[MOST][6 * STACK];
    s->n = 12 * boxes;
    for (int i = 0; i < s->n; i++) {
        const int box = i / 12;
        const int c = i % 12 / 3;
        const int k = i % 3;
        const vec3 d = v3_unit((k + 2) % 3);
        memset(J[i], 0, sizeof J[i]);
        for (int side = 0; side < 2 && box - side >= 0; side++) {
            const vec3 arm = v3(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, side ? 0.5 : -0.5);
            const vec3 turn = v3_cross(arm, d);
            const double sign = side ? -1.0 : 1.0;
            double* row = &J[i][6 * (box - side)];
            v3_store(row, v3_scale(sign, d));
            v3_store(row + 3, v3_scale(sign * sqrt(6.0), turn));  // scaled by M^-1/2
        }
        s->rows[i] = k ? friction_row(i - k, mu) : normal_row;
        s->label[i] = LCP_UNKNOWN;
        // a free fall changes the relative speed of the lowest corners only
        s->b[i] = box == 0 ? (k == 0 ? -0.0981 : k == 1 ? push : 0.0) : 0.0;
    }
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6 * boxes; k++) sum += J[i][k] * J[j][k];
            s->A[i * s->n + j] = sum;
        }
    }
}

TEST(a_stack_of_boxes_carries_the_weight_above)
{
    lcp* solver = make(MOST);
    static sample s;
    for (int boxes = 1; boxes <= STACK; boxes += 7) {
        for (int k = 0; k < 2; k++) {
            const double push = k == 0 ? 0.0 : 0.2;
            fill_stack(&s, boxes, 0.5, push);
            const lcp_problem problem = problem_of(&s);
            lcp_report report;
            message why = {{0}};
            const tml_status status =
                tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why);
            CHECK(status == TML_OK);
            if (status != TML_OK) {
                printf("%d boxes: %s\n", boxes, why.text);
                continue;
            }
            // impulses of 0.1 each, sums of a hundred of them; pushed, the stack tips and a few
            // corners carry it all
            CHECK(broken_by(&s) < 1e-11);
            for (int box = 0; box < boxes && k == 0; box++) {
                double weight = 0.0;
                for (int c = 0; c < 4; c++) weight += s.f[12 * box + 3 * c];
                CHECK_NEAR(weight, 0.0981 * (boxes - box), 1e-12);
            }
            printf("%2d boxes, push %.2f: by %s, %d exact solves\n", boxes, push,
                   report.solved_by[LCP_BY_SWEEPS]     ? "sweeps"
                   : report.solved_by[LCP_BY_PIVOTING] ? "pivoting"
                                                       : "Lemke",
                   report.pivots);
        }
    }
    tml__lcp_destroy(solver);
}

// ---- restitution

// With b = (1 + e) v the row asks for v+ >= -e v. The work of the impulses is f . (v + v+)/2, and no
// restitution between 0 and 1 makes it positive without friction; with 1 nothing is lost.
TEST(restitution_never_adds_energy_and_one_keeps_it)
{
    lcp* solver = make(24);
    random_source r = random_start(76);
    for (int k = 0; k < 600; k++) {
        sample s = {.n = 1 + k % 12};
        for (int i = 0; i < s.n; i++) s.rows[i] = normal_row;
        fill_random(&s, &r, s.n + 3);
        double v[MOST];
        const double e = k % 3 == 0 ? 1.0 : random_between(&r, 0.0, 1.0);
        for (int i = 0; i < s.n; i++) {
            v[i] = s.b[i];
            s.b[i] *= 1.0 + e;
        }
        const lcp_problem problem = problem_of(&s);
        lcp_report report;
        message why;
        CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
        double work = 0.0;
        double size = 0.0;
        for (int i = 0; i < s.n; i++) {
            const double after = s.w[i] - e * v[i];
            work += 0.5 * s.f[i] * (v[i] + after);
            size += fabs(s.f[i] * v[i]);
        }
        CHECK(work <= 1e-12 * size);
        if (k % 3 == 0) CHECK_NEAR(work, 0.0, 1e-12 * size);
    }
    tml__lcp_destroy(solver);
}

// Two balls head on: equal ones with e = 1 change velocities; 1 kg and 3 kg with e = 0.8 leave with
// -0.35 and 0.45 of the first one's.                                          [DCON App E]
TEST(two_balls_bounce_by_the_closed_form)
{
    lcp* solver = make(1);
    static const double cases[2][4] = {{1.0, 1.0, 0.0, 1.0}, {3.0, 0.8, -0.35, 0.45}};
    for (int k = 0; k < 2; k++) {
        const double m = cases[k][0];
        sample s = {.n = 1, .A = {1.0 + 1.0 / m}, .b = {-(1.0 + cases[k][1])}};
        s.rows[0] = normal_row;
        const lcp_problem problem = problem_of(&s);
        message why;
        CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) == TML_OK);
        CHECK_NEAR(1.0 - s.f[0], cases[k][2], 1e-15);
        CHECK_NEAR(s.f[0] / m, cases[k][3], 1e-15);
    }
    tml__lcp_destroy(solver);
}

// ---- other kinds of rows, islands, failures

TEST(box_rows_and_free_rows_obey_their_laws)
{
    lcp* solver = make(40);
    random_source r = random_start(74);
    for (int k = 0; k < 1000; k++) {
        sample s = {.n = 2 + k % 9};
        for (int i = 0; i < s.n; i++) {
            s.rows[i] = (lcp_row){.kind = (lcp_kind)random_below(&r, 3),
                                  .lower = -random_between(&r, 0.0, 0.5),
                                  .upper = random_between(&r, 0.0, 0.5)};
        }
        fill_random(&s, &r, s.n + 2);
        const lcp_problem problem = problem_of(&s);
        lcp_report report;
        message why = {{0}};
        CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
        CHECK(broken_by(&s) < 1e-9);  // condition numbers up to 1e6
    }
    tml__lcp_destroy(solver);
}

TEST(islands_are_solved_apart_and_give_the_bits_they_give_alone)
{
    lcp* solver = make(24);
    random_source r = random_start(75);
    sample one = {.n = 9};
    for (int i = 0; i < 9; i++) one.rows[i] = i % 3 ? friction_row(i - i % 3, 0.5) : normal_row;
    fill_random(&one, &r, 11);
    sample both = {.n = 18};
    for (int i = 0; i < 18; i++) {
        // the rows of the two copies take turns
        const int local = i / 2;
        both.rows[i] = one.rows[local];
        if (both.rows[i].kind == LCP_FRICTION)
            both.rows[i].normal = 2 * one.rows[local].normal + i % 2;
        both.b[i] = one.b[local];
        for (int j = 0; j < 18; j++) {
            both.A[i * 18 + j] = i % 2 == j % 2 ? one.A[local * 9 + j / 2] : 0.0;
        }
    }
    lcp_report report;
    message why;
    lcp_problem problem = problem_of(&one);
    CHECK(tml__lcp_solve(solver, &problem, one.label, one.f, one.w, NULL, &report, &why) == TML_OK);
    CHECK(report.islands == 1);
    problem = problem_of(&both);
    CHECK(tml__lcp_solve(solver, &problem, both.label, both.f, both.w, NULL, &report, &why) ==
          TML_OK);
    CHECK(report.islands == 2);
    for (int i = 0; i < 18; i++) {
        CHECK(memcmp(&both.f[i], &one.f[i / 2], sizeof(double)) == 0);
        CHECK(both.label[i] == one.label[i / 2]);
    }
    tml__lcp_destroy(solver);
}

// Two rows that A ties together and that ask for opposite things: w_0 + w_1 = b_0 + b_1 < 0 whatever
// the forces, so no answer exists.
// Rows 2 and 4 push the same freedom and are asked for different speeds: what both can do is the mean, by equal shares. Where
// they may creep by less than half of what is between them, no forces hold both.
TEST(friction_that_contradicts_itself_creeps_by_the_least)
{
    static sample s = {.n = 4};
    static const double J[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {0.0, 1.0}};
    const double b[4] = {-10.0, 1.0, -10.0, 1.4};
    double creep[4] = {0.0, 0.3, 0.0, 0.3};
    lcp* solver = make(4);
    lcp_report report;
    message why;
    for (int i = 0; i < 4; i++) {
        s.b[i] = b[i];
        s.rows[i] = i % 2 == 0 ? normal_row : friction_row(i - 1, 1.0);
        for (int j = 0; j < 4; j++) s.A[4 * i + j] = J[i][0] * J[j][0] + J[i][1] * J[j][1];
        s.label[i] = LCP_HELD;
    }
    lcp_problem problem = problem_of(&s);
    problem.creep = creep;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
    CHECK(report.solved_by[LCP_BY_PREVIOUS] == 1);
    CHECK_NEAR(s.w[1], -0.2, 1e-12);
    CHECK_NEAR(s.w[3], 0.2, 1e-12);
    CHECK_NEAR(s.f[1] + s.f[3], -1.2, 1e-12);
    CHECK_NEAR(s.f[0] + s.f[2], 10.0, 1e-12);
    CHECK_NEAR(s.f[1], s.f[3], 1e-12);

    // with less to creep by, one of them slips at its bound and the other holds
    creep[1] = creep[3] = 0.1;
    for (int i = 0; i < 4; i++) s.label[i] = LCP_HELD;
    const tml_status status =
        tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why);
    CHECK(status == TML_OK);
    CHECK(fabs(s.w[1]) < 1e-9 || fabs(s.w[3]) < 1e-9);
    CHECK_NEAR(fabs(s.w[1]) + fabs(s.w[3]), 0.4, 1e-9);
    tml__lcp_destroy(solver);
}

// The matrix of an iteration: what one row's push does to another is not what that one's does to it.
TEST(an_unsymmetric_matrix_is_solved_as_it_is)
{
    static sample s = {.n = 2, .A = {2.0, 0.5, -0.3, 1.0}, .b = {-1.0, -2.0}};
    lcp* solver = make(2);
    lcp_report report;
    message why;
    s.rows[0] = s.rows[1] = normal_row;
    s.label[0] = s.label[1] = LCP_HELD;
    lcp_problem problem = problem_of(&s);
    problem.dependence = 1e-9;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
    // f_0 = 0: b_0 + 0.5 f_1 = 0 and b_1 + f_1 = 0 hold at once
    CHECK_NEAR(s.f[0], 0.0, 1e-12);
    CHECK_NEAR(s.f[1], 2.0, 1e-12);
    tml__lcp_destroy(solver);
}

TEST(a_problem_without_solution_is_reported_with_its_residual)
{
    lcp* solver = make(4);
    sample s = {.n = 2, .A = {1.0, -1.0, -1.0, 1.0}, .b = {-1.0, -1.0}};
    s.rows[0] = s.rows[1] = normal_row;
    s.f[0] = 7.0;
    s.w[0] = 8.0;
    s.label[0] = LCP_OFF;
    const lcp_problem problem = problem_of(&s);
    lcp_report report;
    message why;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) ==
          TML_NOT_CONVERGED);
    CHECK_CONTAINS(why.text, "residual");
    CHECK(report.residual > 0.1);
    CHECK(s.f[0] == 7.0 && s.w[0] == 8.0 && s.label[0] == LCP_OFF);
    tml__lcp_destroy(solver);
}

TEST(hostile_problems_are_refused)
{
    lcp* solver = make(3);
    sample s = {.n = 2, .A = {1.0, 0.0, 0.0, 1.0}, .b = {-1.0, nan("")}};
    s.rows[0] = s.rows[1] = normal_row;
    lcp_problem problem = problem_of(&s);
    message why;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) ==
          TML_BAD_ARGUMENT);
    s.b[1] = 0.0;
    s.rows[1] = friction_row(1, 0.5);
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) ==
          TML_BAD_ARGUMENT);
    s.rows[1] = friction_row(0, -0.5);
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) ==
          TML_BAD_ARGUMENT);
    problem.count = 4;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) ==
          TML_TOO_MANY_CONTACTS);
    problem.count = 0;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) == TML_OK);
    lcp* none = NULL;
    CHECK(tml__lcp_create(-1, 0, NULL, &why, &none) == TML_BAD_ARGUMENT && none == NULL);
    tml__lcp_destroy(NULL);
    tml__lcp_destroy(solver);
}

// An allocator that fails after a number of calls, and counts what is out.
typedef struct counter {
    int left;
    int out;
} counter;

static void* count_allocate(void* context, size_t bytes)
{
    counter* c = context;
    if (c->left-- <= 0) return NULL;
    c->out++;
    return malloc(bytes);
}

static void count_release(void* context, void* memory)
{
    ((counter*)context)->out--;
    free(memory);
}

TEST(each_allocation_may_fail)
{
    int tries = 0;
    for (tml_status status = TML_NO_MEMORY; status != TML_OK; tries++) {
        counter c = {.left = tries};
        const tml_allocator allocator = {count_allocate, count_release, &c};
        message why;
        lcp* s = NULL;
        status = tml__lcp_create(12, 12, &allocator, &why, &s);
        CHECK(status == TML_OK || (status == TML_NO_MEMORY && s == NULL && c.out == 0));
        tml__lcp_destroy(s);
        CHECK(c.out == 0);
    }
    CHECK(tries == 4);  // the object and its two blocks, then success
}
