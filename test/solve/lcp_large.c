// Complementarity problems given by their rows over columns: islands that are too large for a full
// matrix, against the laws themselves and against the full matrix.             [DCON (4) (6)]
#include "solve/lcp.h"
#include "test/check.h"
#include "test/random.h"

static const lcp_row normal_row = {.kind = LCP_UNILATERAL};

static lcp_row friction_row(int normal, double mu)
{
    return (lcp_row){.kind = LCP_FRICTION, .normal = normal, .mu = mu};
}

enum {
    MOST = 180,
    BODIES = 120,
    LINKS = 3,  // rows of a contact
    LONG = 4 * BODIES * LINKS
};

typedef struct long_sample {
    int n;
    size_t start[LONG + 1];
    int column[LONG * 12];
    double y[LONG * 12];
    double give[LONG];
    double b[LONG], guess[LONG], f[LONG], w[LONG];
    lcp_row rows[LONG];
    unsigned char label[LONG];
} long_sample;

static void add_long_row(long_sample* s, random_source* r, int body, int below, lcp_row row,
                         double b)
{
    size_t end = s->start[s->n];
    for (int side = 0; side < 2; side++) {
        const int at = side == 0 ? body : below;
        for (int k = 0; at >= 0 && k < 6; k++) {
            s->column[end] = 6 * at + k;
            s->y[end++] = random_between(r, -1.0, 1.0);
        }
    }
    s->rows[s->n] = row;
    s->b[s->n] = b;
    s->label[s->n] = LCP_UNKNOWN;
    s->start[++s->n] = end;
}

// A chain of bodies of six columns, each on the one below with `contacts` contacts: with four of
// them, twelve rows for six relative motions.
static void fill_long(long_sample* s, random_source* r, int bodies, int contacts)
{
    memset(s, 0, sizeof *s);
    for (int body = 0; body < bodies; body++) {
        for (int c = 0; c < contacts; c++) {
            const int normal = s->n;
            add_long_row(s, r, body, body - 1, normal_row, random_between(r, -1.0, 0.3));
            for (int t = 0; t < 2; t++) {
                add_long_row(s, r, body, body - 1, friction_row(normal, 0.3),
                             random_between(r, -0.2, 0.2));
            }
        }
    }
}

static lcp_lifted lifted_of(const long_sample* s)
{
    return (lcp_lifted){
        .columns = 6 * BODIES, .start = s->start, .column = s->column, .y = s->y, .give = s->give};
}

// By how much the answer breaks the laws, from the definition.
static double long_broken_by(const long_sample* s)
{
    static double u[6 * BODIES];
    double worst = 0.0;
    memset(u, 0, sizeof u);
    for (int i = 0; i < s->n; i++) {
        for (size_t e = s->start[i]; e < s->start[i + 1]; e++) u[s->column[e]] += s->y[e] * s->f[i];
    }
    for (int i = 0; i < s->n; i++) {
        double w = s->b[i] + s->give[i] * s->f[i];
        for (size_t e = s->start[i]; e < s->start[i + 1]; e++) w += s->y[e] * u[s->column[e]];
        const double f = s->f[i];
        double off = 0.0;
        if (s->rows[i].kind == LCP_UNILATERAL) {
            off = fmax(-f, fabs(fmin(f, w)));
        } else {
            const double bound = s->rows[i].mu * s->f[s->rows[i].normal];
            off = fabs(fmin(fmax(f - w, -bound), bound) - f);
        }
        worst = fmax(worst, off);
    }
    return worst;
}

static lcp* make_long(void)
{
    const lcp_room room = {
        .rows = LONG, .columns = 6 * BODIES, .lemke_rows = 30, .entries = (size_t)LONG * 12};
    message why;
    lcp* s = NULL;
    CHECK(tml__lcp_create_lifted(&room, NULL, &why, &s) == TML_OK);
    return s;
}

// Islands beyond LCP_FULL_ROWS have no full matrix; with one and two contacts a body the rows are
// independent, with four they are not.
TEST(large_islands_obey_their_laws)
{
    static long_sample s;
    random_source r = random_start(21);
    lcp* solver = make_long();
    for (int contacts = 1; contacts <= 4; contacts++) {
        for (int trial = 0; trial < 3; trial++) {
            fill_long(&s, &r, BODIES, contacts);
            const lcp_lifted lifted = lifted_of(&s);
            const lcp_problem problem = {.count = s.n, .lifted = &lifted, .b = s.b, .rows = s.rows};
            lcp_report report;
            message why;
            CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) ==
                  TML_OK);
            CHECK(report.islands == 1);
            CHECK(report.unpolished == 0);
            CHECK(long_broken_by(&s) < 1e-9);  // 1e-11 of |A||f|, which is near 100
        }
    }
    tml__lcp_destroy(solver);
}

// A heap that moves almost as it did: from the forces of the step before Newton's method in the columns
// ends in the laws.
TEST(newton_goes_on_from_the_forces_of_the_step_before)
{
    static long_sample s;
    random_source r = random_start(22);
    lcp* solver = make_long();
    int by_newton = 0;
    for (int trial = 0; trial < 8; trial++) {
        fill_long(&s, &r, BODIES, 1 + trial % 2);  // more of them may have no answer at all
        for (int step = 0; step < 4; step++) {
            const lcp_lifted lifted = lifted_of(&s);
            const lcp_problem problem = {.count = s.n,
                                         .lifted = &lifted,
                                         .b = s.b,
                                         .rows = s.rows,
                                         .guess = step > 0 ? s.guess : NULL};
            lcp_report report;
            message why;
            CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) ==
                  TML_OK);
            CHECK(report.unpolished == 0);
            CHECK(long_broken_by(&s) < 1e-9);  // 1e-11 of |A||f|, which is near 100
            by_newton += report.solved_by[LCP_BY_NEWTON];
            for (int i = 0; i < s.n; i++) {
                s.guess[i] = s.f[i];
                s.b[i] += random_between(&r, -0.01, 0.01);
                s.label[i] = LCP_UNKNOWN;
            }
        }
    }
    printf("Newton's method solved %d of 32 islands\n", by_newton);
    CHECK(by_newton > 0);
    tml__lcp_destroy(solver);
}

// The same problem as rows over columns and as a full matrix; without friction and with independent
// rows there is one answer.
TEST(rows_over_columns_and_the_full_matrix_give_one_answer)
{
    static long_sample s;
    static double A[MOST * MOST];
    random_source r = random_start(22);
    lcp* lifted_solver = make_long();
    lcp* full_solver = NULL;
    message why;
    CHECK(tml__lcp_create(MOST, 0, NULL, &why, &full_solver) == TML_OK);
    for (int bodies = 5; bodies <= 60; bodies += 55) {
        fill_long(&s, &r, bodies, 1);
        const int n = s.n;
        for (int i = 0; i < n; i++) {
            if (s.rows[i].kind == LCP_FRICTION) s.rows[i] = normal_row;
            s.give[i] = i % 7 == 0 ? 0.05 : 0.0;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = i == j ? s.give[i] : 0.0;
                for (size_t e = s.start[i]; e < s.start[i + 1]; e++) {
                    for (size_t k = s.start[j]; k < s.start[j + 1]; k++) {
                        if (s.column[e] == s.column[k]) sum += s.y[e] * s.y[k];
                    }
                }
                A[i * n + j] = sum;
            }
        }
        double f[MOST];
        double w[MOST];
        unsigned char label[MOST] = {0};
        const lcp_lifted lifted = lifted_of(&s);
        const lcp_problem by_columns = {.count = n, .lifted = &lifted, .b = s.b, .rows = s.rows};
        const lcp_problem full = {.count = n, .A = A, .ld = n, .b = s.b, .rows = s.rows};
        CHECK(tml__lcp_solve(lifted_solver, &by_columns, s.label, s.f, s.w, NULL, NULL, &why) ==
              TML_OK);
        CHECK(tml__lcp_solve(full_solver, &full, label, f, w, NULL, NULL, &why) == TML_OK);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(s.f[i], f[i], 1e-9);  // the condition of A times rounding
            CHECK(s.label[i] == label[i]);
        }
        CHECK(tml__lcp_solve(full_solver, &by_columns, label, f, w, NULL, NULL, &why) ==
              TML_BAD_ARGUMENT);
    }
    tml__lcp_destroy(lifted_solver);
    tml__lcp_destroy(full_solver);
}

// ---- one island of 40 jointed pairs of boxes that settle in a shaft (step 399 of `pair-pile`),
// whose rows all but depend on each other: 1221 rows for 360 columns. Label by label it was left with a
// residual of 2.9e-7 after 1412 factorisations; from inside it is exact.

enum {
    HEAP_ROWS = 1221,
    HEAP_COLUMNS = 360,
    HEAP_ENTRIES = 17370
};

typedef struct heap {
    int head[4];  // rows, columns, entries
    int first[HEAP_ROWS + 1];
    int column[HEAP_ENTRIES];
    double y[HEAP_ENTRIES];
    double b[HEAP_ROWS], guess[HEAP_ROWS];
    int normal[HEAP_ROWS];  // -1: it is one
    unsigned char label[HEAP_ROWS];
} heap;

static bool read_part(FILE* file, void* to, size_t size, size_t count)
{
    return fread(to, size, count, file) == count;
}

static bool read_heap(heap* h)
{
    FILE* file = fopen("test/solve/heap.bin", "rb");
    if (file == NULL) return false;
    const bool is_whole = read_part(file, h->head, sizeof(int), 4) && h->head[0] == HEAP_ROWS &&
                          h->head[1] == HEAP_COLUMNS && h->head[2] == HEAP_ENTRIES &&
                          read_part(file, h->first, sizeof(int), HEAP_ROWS + 1) &&
                          read_part(file, h->column, sizeof(int), HEAP_ENTRIES) &&
                          read_part(file, h->y, sizeof(double), HEAP_ENTRIES) &&
                          read_part(file, h->b, sizeof(double), HEAP_ROWS) &&
                          read_part(file, h->guess, sizeof(double), HEAP_ROWS) &&
                          read_part(file, h->normal, sizeof(int), HEAP_ROWS) &&
                          read_part(file, h->label, 1, HEAP_ROWS);
    fclose(file);
    return is_whole;
}

// By how much the forces break the laws, from the definition: forces in units of the largest, velocities
// in units of the largest |b|.
static double heap_broken_by(const heap* h, const double* f, double mu)
{
    static double u[HEAP_COLUMNS];
    double force = 0.0;
    double speed = 0.0;
    double worst = 0.0;
    memset(u, 0, sizeof u);
    for (int i = 0; i < HEAP_ROWS; i++) {
        for (int e = h->first[i]; e < h->first[i + 1]; e++) u[h->column[e]] += h->y[e] * f[i];
        force = fmax(force, fabs(f[i]));
        speed = fmax(speed, fabs(h->b[i]));
    }
    for (int i = 0; i < HEAP_ROWS; i++) {
        double w = h->b[i];
        for (int e = h->first[i]; e < h->first[i + 1]; e++) w += h->y[e] * u[h->column[e]];
        const double x = f[i] / force;
        const double bound = h->normal[i] < 0 ? (double)HUGE_VAL : mu * f[h->normal[i]] / force;
        const double low = h->normal[i] < 0 ? 0.0 : -bound;
        worst = fmax(worst, fabs(fmin(fmax(x - w / speed, low), bound) - x));
    }
    return worst;
}

TEST(a_heap_whose_rows_all_but_depend_on_each_other)
{
    static heap h;
    static size_t start[HEAP_ROWS + 1];
    static lcp_row rows[HEAP_ROWS];
    static double give[HEAP_ROWS], f[HEAP_ROWS], w[HEAP_ROWS];
    static const double mu = 0.5;
    CHECK(read_heap(&h));
    for (int i = 0; i < HEAP_ROWS; i++) {
        start[i + 1] = (size_t)h.first[i + 1];
        rows[i] = h.normal[i] < 0 ? normal_row : friction_row(h.normal[i], mu);
    }
    const lcp_room room = {
        .rows = HEAP_ROWS, .columns = HEAP_COLUMNS, .lemke_rows = 60, .entries = HEAP_ENTRIES};
    const lcp_lifted lifted = {
        .columns = HEAP_COLUMNS, .start = start, .column = h.column, .y = h.y, .give = give};
    const lcp_problem problem = {
        .count = HEAP_ROWS, .lifted = &lifted, .b = h.b, .rows = rows, .guess = h.guess};
    lcp* solver = NULL;
    lcp_report report;
    message why;
    CHECK(tml__lcp_create_lifted(&room, NULL, &why, &solver) == TML_OK);
    CHECK(tml__lcp_solve(solver, &problem, h.label, f, w, NULL, &report, &why) == TML_OK);
    const double broken = heap_broken_by(&h, f, mu);
    printf("%d rows over %d columns: %d factorisations, residual %.1e, laws broken by %.1e\n",
           HEAP_ROWS, HEAP_COLUMNS, report.pivots, report.residual, broken);
    CHECK(report.islands == 1);
    CHECK(report.unpolished == 0);
    CHECK(report.solved_by[LCP_BY_INTERIOR] == 1);
    // the solver's 1e-11 is of |A||f|, which is some hundred times |b| in a heap
    CHECK(broken < 1e-9);
    tml__lcp_destroy(solver);
}

// Sweeps alone: the laws of force hold after each of them, and what is left of the velocities goes to
// nothing with their number; rows that are independent, one contact a body.
TEST(sweeps_lead_to_the_laws)
{
    static long_sample s;
    const lcp_room room = {.rows = LONG,
                           .columns = 6 * BODIES,
                           .lemke_rows = 30,
                           .entries = (size_t)LONG * 12,
                           .is_swept = true};
    message why;
    lcp* solver = NULL;
    CHECK(tml__lcp_create_lifted(&room, NULL, &why, &solver) == TML_OK);
    double left[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        random_source r = random_start(23);
        fill_long(&s, &r, BODIES, 1);
        const lcp_lifted lifted = lifted_of(&s);
        const lcp_problem problem = {.count = s.n,
                                     .lifted = &lifted,
                                     .b = s.b,
                                     .rows = s.rows,
                                     .sweeps = k == 0   ? 5
                                               : k == 1 ? 50
                                                        : 10000};
        lcp_report report;
        CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, &report, &why) == TML_OK);
        CHECK(report.solved_by[LCP_BY_RELAXATION] == report.islands);
        for (int i = 0; i < s.n; i++) {
            const lcp_row* row = &s.rows[i];
            if (row->kind == LCP_UNILATERAL) CHECK(s.f[i] >= 0.0);
            if (row->kind == LCP_FRICTION)
                CHECK(fabs(s.f[i]) <= row->mu * s.f[row->normal] + 1e-12);
        }
        left[k] = long_broken_by(&s);
    }
    printf("what sweeps leave: %.1e after 5, %.1e after 50, %.1e at the end\n", left[0], left[1],
           left[2]);
    CHECK(left[1] < left[0]);
    CHECK(left[2] < 1e-9);  // a sweep that changes less than 1e-12 of |b| is the last one
    // a solver made for sweeps takes nothing else
    const lcp_lifted lifted = lifted_of(&s);
    const lcp_problem exact = {.count = s.n, .lifted = &lifted, .b = s.b, .rows = s.rows};
    CHECK(tml__lcp_solve(solver, &exact, s.label, s.f, s.w, NULL, NULL, &why) == TML_BAD_ARGUMENT);
    tml__lcp_destroy(solver);
}

// The same rows behind one open row for each column, so that no two columns stand side by side: sweeps
// take them column by column and come to the same forces. Picked out of them, they are the problem itself.
TEST(scattered_rows_and_picked_rows_are_swept_alike)
{
    static long_sample s;
    static long_sample scattered;
    static int pick[LONG];
    const lcp_room room = {.rows = LONG,
                           .columns = 6 * BODIES,
                           .lemke_rows = 30,
                           .entries = (size_t)LONG * 12,
                           .is_swept = true};
    message why;
    lcp* solver = NULL;
    CHECK(tml__lcp_create_lifted(&room, NULL, &why, &solver) == TML_OK);
    random_source r = random_start(29);
    fill_long(&s, &r, BODIES, 1);
    const int lead = 6 * BODIES;
    memset(&scattered, 0, sizeof scattered);
    for (int c = 0; c < lead; c++) {
        scattered.column[c] = c;
        scattered.y[c] = 1.0;
        scattered.b[c] = 1000.0;
        scattered.rows[c] = normal_row;
        scattered.start[c + 1] = (size_t)c + 1;
    }
    for (int i = 0; i < s.n; i++) {
        const size_t from = s.start[i];
        const size_t count = s.start[i + 1] - from;
        const size_t to = scattered.start[lead + i];
        memcpy(&scattered.column[to], &s.column[from], count * sizeof *s.column);
        memcpy(&scattered.y[to], &s.y[from], count * sizeof *s.y);
        scattered.start[lead + i + 1] = to + count;
        scattered.b[lead + i] = s.b[i];
        scattered.rows[lead + i] = s.rows[i];
        if (s.rows[i].kind == LCP_FRICTION) scattered.rows[lead + i].normal += lead;
        pick[i] = lead + i;
    }
    scattered.n = lead + s.n;
    const lcp_lifted lifted = lifted_of(&s);
    const lcp_lifted wide = lifted_of(&scattered);
    lcp_lifted picked = wide;
    picked.pick = pick;
    lcp_problem problem = {
        .count = s.n, .lifted = &lifted, .b = s.b, .rows = s.rows, .sweeps = 10000};
    lcp_problem whole = {.count = scattered.n,
                         .lifted = &wide,
                         .b = scattered.b,
                         .rows = scattered.rows,
                         .sweeps = 10000};
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) == TML_OK);
    CHECK(tml__lcp_solve(solver, &whole, scattered.label, scattered.f, scattered.w, NULL, NULL,
                         &why) == TML_OK);
    double worst = 0.0;
    for (int i = 0; i < s.n; i++) worst = fmax(worst, fabs(s.f[i] - scattered.f[lead + i]));
    printf("forces of scattered rows differ by %.1e\n", worst);
    CHECK(worst <
          1e-8);  // both stop at changes of 1e-12 of |b|, and forces are up to some hundred |b|

    problem.sweeps = 7;
    CHECK(tml__lcp_solve(solver, &problem, s.label, s.f, s.w, NULL, NULL, &why) == TML_OK);
    problem.lifted = &picked;
    static double f[LONG];
    static double w[LONG];
    CHECK(tml__lcp_solve(solver, &problem, s.label, f, w, NULL, NULL, &why) == TML_OK);
    CHECK(memcmp(f, s.f, (size_t)s.n * sizeof *f) == 0);
    CHECK(memcmp(w, s.w, (size_t)s.n * sizeof *w) == 0);
    tml__lcp_destroy(solver);
}

// Two bodies that a row ties together, a third one alone, and friction whose columns are its own: it counts
// to the island of its normal.
TEST(sums_go_over_islands)
{
    static const size_t start[] = {0, 1, 2, 4, 5, 6};
    static const int column[] = {0, 1, 0, 1, 2, 3};
    static const double y[] = {1.0, 1.0, 0.5, -0.5, 1.0, 1.0};
    static const double none[5] = {0.0};
    const lcp_lifted lifted = {
        .columns = 4, .start = start, .column = column, .y = y, .give = none};
    const lcp_row rows[] = {
        normal_row, normal_row, {.kind = LCP_FREE}, normal_row, friction_row(3, 0.5)};
    const lcp_problem problem = {.count = 5, .lifted = &lifted, .b = none, .rows = rows};
    double x[] = {1.0, 2.0, 4.0, 8.0, 16.0};
    lcp* solver = make_long();
    tml__lcp_sum_islands(solver, &problem, x);
    for (int i = 0; i < 5; i++) CHECK(fabs(x[i] - (i < 3 ? 7.0 : 24.0)) < 1e-15);
    tml__lcp_destroy(solver);
}
