// solve/lcp.c - islands of a complementarity problem, and the order in which they are solved.
#include "solve/lcp.h"

#include "base/memory.h"
#include "solve/lcp_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char* const method_names[LCP_METHODS] = {"previous labels", "sweeps", "pivoting",
                                                      "Lemke's method"};

struct lcp {
    int max_rows;
    int max_lemke_rows;
    tml_allocator allocator;
    lcp_island island;
    int* parent;  // max_rows: sets of coupled rows
    int* order;   // max_rows: rows, island by island
    // results until every island is solved
    double* f;
    double* w;
    unsigned char* label;
    unsigned char* is_independent;
    void* numbers;  // one block for each type
    void* integers;
    void* bytes;
};

// ---- life

static double* cut_numbers(double** at, size_t count)
{
    double* p = *at;
    *at += count;
    return p;
}

// Every list of the island and of the results is a piece of three blocks.
static tml_status reserve(lcp* s)
{
    const size_t n = (size_t)s->max_rows;
    const size_t lemke = tml__lcp_lemke_size(s->max_lemke_rows);
    const size_t tableau = lemke > n * n ? lemke : n * n;
    s->numbers = tml__allocate(&s->allocator, 3 * n * n + 12 * n + tableau, sizeof(double));
    s->integers = tml__allocate(&s->allocator, 11 * n, sizeof(int));
    s->bytes = tml__allocate(&s->allocator, 5 * n + n * sizeof(lcp_row), 1);
    if (s->numbers == NULL || s->integers == NULL || s->bytes == NULL) return TML_NO_MEMORY;

    lcp_island* p = &s->island;
    double* at = s->numbers;
    p->A = cut_numbers(&at, n * n);
    p->matrix = cut_numbers(&at, n * n);
    p->copy = cut_numbers(&at, n * n);
    p->b = cut_numbers(&at, n);
    p->f = cut_numbers(&at, n);
    p->w = cut_numbers(&at, n);
    p->side = cut_numbers(&at, n);
    p->part = cut_numbers(&at, n);
    p->tau = cut_numbers(&at, n);
    p->spare = cut_numbers(&at, n);
    p->base = cut_numbers(&at, n);
    p->guess = cut_numbers(&at, n);
    s->f = cut_numbers(&at, n);
    s->w = cut_numbers(&at, n);
    p->tableau = at;

    int* integer = s->integers;
    p->global = integer;
    p->held = integer + n;  // 2 n
    p->pivot = integer + 3 * n;
    s->parent = integer + 4 * n;
    s->order = integer + 5 * n;
    p->lemke_list = integer + 6 * n;  // 5 n

    p->rows = s->bytes;
    unsigned char* byte = (unsigned char*)s->bytes + n * sizeof(lcp_row);
    p->label = byte;
    p->is_independent = byte + n;
    p->kept_label = byte + 2 * n;
    s->label = byte + 3 * n;
    s->is_independent = byte + 4 * n;
    p->max_lemke_rows = s->max_lemke_rows;
    return TML_OK;
}

tml_status tml__lcp_create(int max_rows, int max_lemke_rows, const tml_allocator* allocator,
                           message* why, lcp** out)
{
    *out = NULL;
    if (max_rows < 0 || max_rows > 20000 || max_lemke_rows < 0 || max_lemke_rows > 2000) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "room for %d contact rows (%d for Lemke's method) was asked for; at most "
                         "20000 (2000) are possible",
                         max_rows, max_lemke_rows);
    }
    lcp* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    if (allocator != NULL) s->allocator = *allocator;
    s->max_rows = max_rows;
    s->max_lemke_rows = max_lemke_rows < max_rows ? max_lemke_rows : max_rows;
    if (reserve(s) != TML_OK) {
        tml__lcp_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory for %d contact rows", max_rows);
    }
    *out = s;
    return TML_OK;
}

void tml__lcp_destroy(lcp* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    tml__release(&allocator, s->numbers);
    tml__release(&allocator, s->integers);
    tml__release(&allocator, s->bytes);
    tml__release(&allocator, s);
}

// ---- checks

static tml_status check_row(const lcp_problem* problem, int i, message* why)
{
    const lcp_row* row = &problem->rows[i];
    switch (row->kind) {
    case LCP_FREE:
    case LCP_UNILATERAL: return TML_OK;
    case LCP_BOX:
        if (isfinite(row->lower) && isfinite(row->upper) && row->lower <= 0.0 &&
            row->upper >= 0.0) {
            return TML_OK;
        }
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "row %d: the bounds %g and %g are not finite or do not enclose 0", i,
                         row->lower, row->upper);
    case LCP_FRICTION:
        if (row->normal < 0 || row->normal >= problem->count ||
            problem->rows[row->normal].kind != LCP_UNILATERAL) {
            return tml__fail(why, TML_BAD_ARGUMENT, "row %d: %d is not the row of a normal force",
                             i, row->normal);
        }
        if (isfinite(row->mu) && row->mu >= 0.0) return TML_OK;
        return tml__fail(why, TML_BAD_ARGUMENT, "row %d: friction %g", i, row->mu);
    }
    return tml__fail(why, TML_BAD_ARGUMENT, "row %d: unknown kind %d", i, (int)row->kind);
}

static tml_status check(const lcp* s, const lcp_problem* problem, message* why)
{
    if (problem->count < 0 || problem->count > s->max_rows) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "%d contact rows, but room was reserved for %d", problem->count,
                         s->max_rows);
    }
    for (int i = 0; i < problem->count; i++) {
        const tml_status status = check_row(problem, i, why);
        if (status != TML_OK) return status;
        const double* row = &problem->A[i * problem->ld];
        bool is_finite = isfinite(problem->b[i]);
        for (int j = 0; j < problem->count; j++) is_finite = is_finite && isfinite(row[j]);
        if (!is_finite || row[i] < 0.0) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "row %d: its numbers are not finite or its diagonal is negative (%g)",
                             i, row[i]);
        }
    }
    return TML_OK;
}

// ---- islands

static int root_of(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// The root of a set is its smallest row, so islands come in the order of their first rows.
static void join(int* parent, int i, int j)
{
    const int a = root_of(parent, i);
    const int b = root_of(parent, j);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

static void find_islands(lcp* s, const lcp_problem* problem)
{
    const int n = problem->count;
    for (int i = 0; i < n; i++) s->parent[i] = i;
    for (int i = 0; i < n; i++) {
        const double* row = &problem->A[i * problem->ld];
        for (int j = 0; j < i; j++) {
            if (row[j] < 0.0 || row[j] > 0.0) join(s->parent, i, j);
        }
        if (problem->rows[i].kind == LCP_FRICTION) join(s->parent, i, problem->rows[i].normal);
    }
}

// Copy the rows of the set `root` into the island.
static void gather(lcp* s, const lcp_problem* problem, const unsigned char* labels, int root)
{
    lcp_island* p = &s->island;
    int* place = s->order;
    p->n = 0;
    for (int i = root; i < problem->count; i++) {
        if (root_of(s->parent, i) != root) continue;
        place[i] = p->n;
        p->global[p->n++] = i;
    }
    for (int i = 0; i < p->n; i++) {
        const int g = p->global[i];
        const double* row = &problem->A[g * problem->ld];
        for (int j = 0; j < p->n; j++)
            p->A[(size_t)i * (size_t)p->n + (size_t)j] = row[p->global[j]];
        p->b[i] = problem->b[g];
        p->rows[i] = problem->rows[g];
        if (p->rows[i].kind == LCP_FRICTION) p->rows[i].normal = place[p->rows[i].normal];
        p->label[i] = labels[g];
        p->guess[i] = problem->guess != NULL ? problem->guess[g] : 0.0;
    }
    p->has_guess = problem->guess != NULL;
}

// Make the caller's labels fit the kinds of the rows; false when none of them says anything. A
// contact that is new beside known ones holds when it would otherwise close.
static bool complete_labels(lcp_island* p)
{
    bool is_known = false;
    for (int i = 0; i < p->n; i++) {
        unsigned char* label = &p->label[i];
        const lcp_kind kind = p->rows[i].kind;
        const bool is_bound = *label == LCP_LOWER || *label == LCP_UPPER;
        const bool fits = *label == LCP_HELD ||
                          (*label == LCP_OFF && kind != LCP_BOX && kind != LCP_FREE) ||
                          (is_bound && (kind == LCP_BOX || kind == LCP_FRICTION));
        if (fits && kind != LCP_FREE) is_known = true;
        if (kind == LCP_FREE || (!fits && kind != LCP_UNILATERAL)) {
            *label = LCP_HELD;
        } else if (!fits) {
            *label = p->b[i] < 0.0 ? LCP_HELD : LCP_OFF;
        }
    }
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind != LCP_FRICTION) continue;
        if (lcp_normal_is_off(p, i)) {
            p->label[i] = LCP_OFF;
        } else if (p->label[i] == LCP_OFF) {
            p->label[i] = LCP_HELD;
        }
    }
    return is_known;
}

static bool try_labels(lcp_island* p, lcp_report* report)
{
    tml__lcp_exact(p);
    report->pivots++;
    return tml__lcp_verify(p);
}

// The same with the forces nearest to p->base, where the caller has an idea of them.
static bool try_near_base(lcp_island* p, lcp_report* report)
{
    if (!p->has_guess) return false;
    p->has_base = true;
    const bool is_solved = try_labels(p, report);
    p->has_base = false;
    return is_solved;
}

// Which method solved the island; LCP_METHODS: none.
static lcp_method solve_island(lcp_island* p, lcp_report* report)
{
    if (complete_labels(p)) {
        memcpy(p->base, p->guess, (size_t)p->n * sizeof *p->base);
        if (try_labels(p, report) || try_near_base(p, report)) return LCP_BY_PREVIOUS;
    }
    tml__lcp_sweep(p);
    if (try_labels(p, report) || try_near_base(p, report)) return LCP_BY_SWEEPS;
    if (tml__lcp_pivot(p, &report->pivots)) return LCP_BY_PIVOTING;
    if (tml__lcp_lemke(p)) {
        if (try_labels(p, report) || tml__lcp_pivot(p, &report->pivots)) return LCP_BY_LEMKE;
    }
    const double residual = p->residual;
    const int worst = p->worst;
    if (tml__lcp_settle(p, &report->pivots)) return LCP_BY_SWEEPS;
    if (tml__lcp_take_sweeps(p)) {
        report->unpolished++;
        return LCP_BY_SWEEPS;
    }
    p->residual = residual;
    p->worst = worst;
    return LCP_METHODS;
}

static void count_ties(const lcp_island* p, lcp_report* report)
{
    for (int i = 0; i < p->n; i++) {
        const bool is_normal = p->rows[i].kind == LCP_UNILATERAL;
        const bool is_tied = is_normal && fabs(p->w[i]) <= LCP_TOLERANCE * p->velocity_scale &&
                             fabs(p->f[i]) <= LCP_TOLERANCE * p->force_scale;
        report->tied_rows += is_tied ? 1 : 0;
    }
}

static void keep_island(lcp* s, lcp_report* report)
{
    const lcp_island* p = &s->island;
    report->dependent_rows += p->held_count - p->rank;
    if (p->kept_pivot < report->kept_pivot) report->kept_pivot = p->kept_pivot;
    if (p->dropped_pivot > report->dropped_pivot) report->dropped_pivot = p->dropped_pivot;
    count_ties(p, report);
    if (p->worst >= 0 && p->residual > report->residual) {
        report->residual = p->residual;
        report->worst_row = p->global[p->worst];
    }
    for (int i = 0; i < p->n; i++) {
        const int g = p->global[i];
        s->f[g] = p->f[i];
        s->w[g] = p->w[i];
        s->label[g] = p->label[i];
        s->is_independent[g] = p->is_independent[i];
    }
}

static tml_status fail_island(const lcp_island* p, lcp_report* report, message* why)
{
    const int worst = p->worst >= 0 ? p->global[p->worst] : -1;
    report->residual = p->residual;
    report->worst_row = worst;
    return tml__fail(why, TML_NOT_CONVERGED,
                     "no forces satisfy the %d contact rows that start with row %d: %s, %s, %s%s "
                     "were tried; the last left a residual of %.3g in row %d",
                     p->n, p->global[0], method_names[LCP_BY_PREVIOUS], method_names[LCP_BY_SWEEPS],
                     method_names[LCP_BY_PIVOTING],
                     p->n <= p->max_lemke_rows ? " and Lemke's method" : "", p->residual, worst);
}

tml_status tml__lcp_solve(lcp* s, const lcp_problem* problem, unsigned char* labels, double* f,
                          double* w, unsigned char* is_independent, lcp_report* report,
                          message* why)
{
    lcp_report unused;
    if (report == NULL) report = &unused;
    *report = (lcp_report){.worst_row = -1, .kept_pivot = 1.0};
    const tml_status status = check(s, problem, why);
    if (status != TML_OK) return status;

    find_islands(s, problem);
    for (int root = 0; root < problem->count; root++) {
        if (s->parent[root] != root) continue;
        gather(s, problem, labels, root);
        const lcp_method method = solve_island(&s->island, report);
        if (method == LCP_METHODS) return fail_island(&s->island, report, why);
        report->islands++;
        report->solved_by[method]++;
        keep_island(s, report);
    }
    const size_t n = (size_t)problem->count;
    if (n == 0) return TML_OK;
    memcpy(f, s->f, n * sizeof *f);
    memcpy(w, s->w, n * sizeof *w);
    memcpy(labels, s->label, n);
    if (is_independent != NULL) memcpy(is_independent, s->is_independent, n);
    return TML_OK;
}
