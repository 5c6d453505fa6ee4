// solve/lcp_proximal.c - forces by proximal points: for rows that depend on each other, and for heaps.
//
// With the bounds of friction fixed at those of the forces so far, the problem is convex but its
// forces need not be unique. One step of the proximal point method asks instead for
//
//     f_i = the nearest to  a_i - w_i(f)/s_i  within the bounds of row i
//
// with a the forces so far and s_i a small share of A_ii: a problem with one answer, which is found
// by a Newton method on its labels whose every step is a minimum along a line, so it always ends.
// Where f stays (f = a) the laws of the problem itself hold: the shifts s are not added to A, they
// only measure the distance from a. Bounds and a then follow f until every law holds to rounding. As
// long as no label changes, such a round is one solve with the same factor.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROUNDS = 120,
    PATIENCE = 15,     // rounds with the same shifts
    MOST_NEWTON = 30,  // of one round
    MOST_COUPLED = 12,
    MOST_CUTS = 40,      // of the search along a line
    MOST_EXCHANGES = 12  // of labels, in the exact solve that ends a round
};

// Labels need no more of a solve than this.
#define LABEL_DROP 1e-5

// Shares of A_ii: wide shifts are easy to solve and find most labels, narrow ones leave little to
#define WIDEST_SHIFT 1e-1
// do in further rounds. Narrower still, rounding of b moves forces that depend on each other.
#define NARROWEST_SHIFT 1e-5

typedef struct rounds {
    lcp_island* p;
    double *anchor, *low, *high;  // a; bounds
    double* shift;
    double* g;       // forces of the iterate
    double* w;       // their velocities
    double* step;    // Newton's
    double* step_w;  // A step
    double* side;
    int* rows;  // those that hold
    int count;
    unsigned char* was_held;  // of the last factor
    int newtons;
    double least;  // residual so far
    bool is_near;  // the last round ended with coupled bounds
} rounds;

static double clamp(double x, double low, double high)
{
    if (x < low) return low;
    return x > high ? high : x;
}

static void set_bounds(rounds* s, const double* from)
{
    const lcp_island* p = s->p;
    for (int i = 0; i < p->n; i++) {
        const lcp_row* row = &p->rows[i];
        double low = -HUGE_VAL;
        double high = HUGE_VAL;
        if (row->kind == LCP_UNILATERAL) low = 0.0;
        if (row->kind == LCP_BOX) {
            low = row->lower;
            high = row->upper;
        }
        if (row->kind == LCP_FRICTION) {
            high = row->mu * clamp(from[row->normal], 0.0, HUGE_VAL);
            low = -high;
        }
        s->low[i] = low;
        s->high[i] = high;
    }
}

// The label of a force that wants to be x.
static unsigned char label_of(const rounds* s, int i, double x)
{
    const lcp_kind kind = s->p->rows[i].kind;
    if (kind == LCP_FREE) return LCP_HELD;
    if (kind == LCP_UNILATERAL) return x > 0.0 ? LCP_HELD : LCP_OFF;
    // between bounds that coincide: the sign of what it wants says the side
    if (x >= s->high[i]) return LCP_UPPER;
    return x <= s->low[i] ? LCP_LOWER : LCP_HELD;
}

static double wanted(const rounds* s, int i, double w) { return s->anchor[i] - w / s->shift[i]; }

// Which rows hold at the velocities of the iterate; a factor is made when they are not those of
// the last one. False: no factor.
static bool hold(rounds* s)
{
    lcp_island* p = s->p;
    bool is_same = p->factored_count >= 0;
    s->count = 0;
    for (int i = 0; i < p->n; i++) {
        const unsigned char is_held = p->label[i] == LCP_HELD;
        if (is_held) s->rows[s->count++] = i;
        if (s->was_held[i] != is_held) is_same = false;
        s->was_held[i] = is_held;
    }
    if (is_same) return true;
    s->newtons++;
    p->factored_count = s->count;
    if (tml__lcp_shifted_factor(p, s->rows, s->count, s->shift)) return true;
    p->factored_count = -1;
    return false;
}

// The forces of the present labels, less the iterate's.
static void newton_step(rounds* s)
{
    lcp_island* p = s->p;
    // the iterate with the rows at their bounds put there
    for (int i = 0; i < p->n; i++) {
        double to = s->g[i];
        if (p->label[i] == LCP_OFF) to = 0.0;
        if (p->label[i] == LCP_LOWER) to = s->low[i];
        if (p->label[i] == LCP_UPPER) to = s->high[i];
        s->step[i] = to - s->g[i];
    }
    tml__lcp_product(p, s->step, s->step_w);
    for (int k = 0; k < s->count; k++) {
        const int i = s->rows[k];
        s->side[k] = (s->anchor[i] - s->g[i]) * s->shift[i] - (s->w[i] + s->step_w[i]);
    }
    tml__lcp_shifted_solve(p, s->rows, s->count, s->shift, s->side);
    for (int k = 0; k < s->count; k++) s->step[s->rows[k]] = s->side[k];
    tml__lcp_product(p, s->step, s->step_w);
}

// The slope of the merit at fraction t of the step; it rises with t.
static double slope(const rounds* s, double t)
{
    double sum = 0.0;
    for (int i = 0; i < s->p->n; i++) {
        const double w = s->w[i] + t * s->step_w[i];
        const double to = clamp(wanted(s, i, w), s->low[i], s->high[i]);
        sum += s->step_w[i] * (s->g[i] + t * s->step[i] - to);
    }
    return sum;
}

// Where the merit is least along the step, at most at its end.
static double best_fraction(const rounds* s)
{
    const double start = slope(s, 0.0);
    if (!(slope(s, 1.0) > 1e-3 * fabs(start))) return 1.0;
    double low = 0.0;
    double high = 1.0;
    for (int k = 0; k < MOST_CUTS; k++) {
        const double middle = 0.5 * (low + high);
        if (slope(s, middle) > 0.0)
            high = middle;
        else
            low = middle;
        if (low > 0.0 && high - low < 0.1 * low) break;
    }
    return low > 0.0 ? low : high;
}

// Labels as the iterate suggests them; true when none has changed.
static bool relabel(rounds* s)
{
    lcp_island* p = s->p;
    bool is_same = true;
    for (int i = 0; i < p->n; i++) {
        const unsigned char label = label_of(s, i, wanted(s, i, s->w[i]));
        if (label != p->label[i]) is_same = false;
        p->label[i] = label;
    }
    return is_same;
}

// One round: the problem with shifts, from the labels of the island. False: it did not end.
static bool run_round(rounds* s)
{
    lcp_island* p = s->p;
    for (int k = 0; k < MOST_NEWTON; k++) {
        if (!hold(s)) return false;
        newton_step(s);
        const double t = best_fraction(s);
        for (int i = 0; i < p->n; i++) s->g[i] += t * s->step[i];
        tml__lcp_product(p, s->g, s->w);
        for (int i = 0; i < p->n; i++) s->w[i] += p->b[i];
        if (relabel(s) && t >= 1.0) return true;
    }
    return false;
}

// The forces of the round obey every law of the problem itself: then they are the answer.
static bool is_answer(rounds* s)
{
    lcp_island* p = s->p;
    // what the exact solve tells of the rows that hold; nothing is said about their rank
    p->held_count = s->count;
    memcpy(p->held, s->rows, (size_t)s->count * sizeof *p->held);
    p->rank = s->count;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    for (int i = 0; i < p->n; i++) p->is_independent[i] = p->label[i] == LCP_HELD;
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind == LCP_FRICTION && lcp_normal_is_off(p, i)) p->label[i] = LCP_OFF;
        p->f[i] = p->label[i] == LCP_OFF ? 0.0 : s->g[i];
    }
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
    return tml__lcp_verify(p);
}

static void cut(rounds* s, lcp_island* p)
{
    const size_t n = (size_t)p->n;
    double** lists[] = {&s->anchor, &s->low,  &s->high,   &s->shift, &s->g,
                        &s->w,      &s->step, &s->step_w, &s->side};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = p->proximal + k * n;
    s->rows = p->held + p->n;
    s->was_held = p->kept_label;
}

static void set_shifts(rounds* s, double share)
{
    const lcp_island* p = s->p;
    double largest = 0.0;
    for (int i = 0; i < p->n; i++) {
        s->shift[i] = share * tml__lcp_diagonal(p, i);
        if (s->shift[i] > largest) largest = s->shift[i];
    }
    // a row that moves nothing has no scale of its own
    for (int i = 0; i < p->n; i++) {
        if (!(s->shift[i] > 1e-12 * largest)) s->shift[i] = largest > 0.0 ? largest : 1.0;
    }
    s->p->factored_count = -1;
}

// With the bounds of the forces so far; true when it ended.
static bool fixed_round(rounds* s)
{
    lcp_island* p = s->p;
    set_bounds(s, s->anchor);
    for (int i = 0; i < p->n; i++) s->g[i] = clamp(s->anchor[i], s->low[i], s->high[i]);
    tml__lcp_product(p, s->g, s->w);
    for (int i = 0; i < p->n; i++) s->w[i] += p->b[i];
    return run_round(s);
}

// Forces of the labels with bounds that follow the normal forces; in s->g.
static void couple(rounds* s)
{
    lcp_island* p = s->p;
    p->held_count = s->count;
    memcpy(p->held, s->rows, (size_t)s->count * sizeof *p->held);
    for (int i = 0; i < p->n; i++) p->f[i] = p->label[i] == LCP_HELD ? s->g[i] : 0.0;
    tml__lcp_set_bounded(p);
    tml__lcp_product(p, p->f, s->w);
    for (int k = 0; k < s->count; k++) {
        const int i = s->rows[k];
        s->side[k] = s->shift[i] * (s->anchor[i] - p->f[i]) - (s->w[i] + p->b[i]);
    }
    tml__lcp_coupled_solve(p, s->shift, LABEL_DROP, s->side, s->step);
    for (int k = 0; k < s->count; k++) p->f[s->rows[k]] += s->step[k];
    tml__lcp_set_bounded(p);
    memcpy(s->g, p->f, (size_t)p->n * sizeof *s->g);
    tml__lcp_product(p, s->g, s->w);
    for (int i = 0; i < p->n; i++) s->w[i] += p->b[i];
    set_bounds(s, s->g);
}

// Labels with bounds that follow the normal forces, from the present ones. Nothing makes it end but
// that labels near the right ones lead there: false after a few tries.
static bool coupled_round(rounds* s)
{
    for (int k = 0; k < MOST_COUPLED; k++) {
        if (!hold(s)) return false;
        couple(s);
        if (relabel(s)) return true;
    }
    return false;
}

// One round. Coupled bounds alone from labels that are near; else fixed ones first.
static bool do_round(rounds* s)
{
    lcp_island* p = s->p;
    const size_t bytes = (size_t)p->n * sizeof *s->g;
    memcpy(s->g, s->anchor, bytes);
    if (s->is_near && coupled_round(s)) return true;
    const bool has_ended = fixed_round(s);
    memcpy(p->best_label + p->n, p->label, (size_t)p->n);
    memcpy(p->base, s->g, bytes);
    s->is_near = has_ended && coupled_round(s);
    if (s->is_near) return true;
    memcpy(p->label, p->best_label + p->n, (size_t)p->n);
    memcpy(s->g, p->base, bytes);
    set_bounds(s, s->anchor);
    return has_ended;
}

// What the forces leave, in units of b alone: where nothing can obey every law, ever larger forces
// make any velocity small beside |A||f|.
static void weigh(lcp_island* p)
{
    double size = 0.0;
    for (int i = 0; i < p->n; i++) {
        if (fabs(p->b[i]) > size) size = fabs(p->b[i]);
    }
    if (size > 0.0) p->velocity_scale = size;
    tml__lcp_verify(p);
}

// Remember the forces of the island when they are the best so far.
static void keep_best(rounds* s)
{
    lcp_island* p = s->p;
    weigh(p);
    if (!(p->residual < s->least)) return;
    s->least = p->residual;
    memcpy(p->best, p->f, (size_t)p->n * sizeof *p->best);
    memcpy(p->best_label, p->label, (size_t)p->n);
}

static void take_best(rounds* s)
{
    lcp_island* p = s->p;
    if (!(s->least < HUGE_VAL)) return;
    memcpy(p->f, p->best, (size_t)p->n * sizeof *p->f);
    memcpy(p->label, p->best_label, (size_t)p->n);
    tml__lcp_velocities(p);
    weigh(p);
}

// The exact solve with the labels of the round, next to its forces, and a few exchanges. Forces and
// labels stay those of the round where that fails.
static bool polish(rounds* s, int* solves)
{
    lcp_island* p = s->p;
    memcpy(p->base, p->f, (size_t)p->n * sizeof *p->base);
    memcpy(p->round_label, p->label, (size_t)p->n);
    p->has_base = true;
    const bool is_solved = tml__lcp_pivot(p, MOST_EXCHANGES, solves);
    p->has_base = false;
    if (is_solved) return true;
    keep_best(s);
    memcpy(p->label, p->round_label, (size_t)p->n);
    memcpy(p->f, p->base, (size_t)p->n * sizeof *p->f);
    return false;
}

// The next round starts from the forces of this one; where it left as much as the last one, from
// where its push leads.
static void keep_forces(rounds* s, bool is_steady)
{
    lcp_island* p = s->p;
    for (int i = 0; i < p->n; i++) s->step[i] = p->f[i] - s->anchor[i];
    if (is_steady) tml__lcp_run_along(p, s->step);
    memcpy(s->anchor, p->f, (size_t)p->n * sizeof *s->anchor);
}

bool tml__lcp_proximal(lcp_island* p, int* solves)
{
    rounds s = {.p = p, .least = HUGE_VAL};
    cut(&s, p);
    for (int i = 0; i < p->n; i++) s.anchor[i] = p->has_guess ? p->guess[i] : 0.0;
    bool is_solved = false;
    double share = WIDEST_SHIFT;
    double before = HUGE_VAL;
    int patience = PATIENCE;
    set_shifts(&s, share);
    memset(p->round_label, LCP_UNKNOWN, (size_t)p->n);
    for (int k = 0; k < MOST_ROUNDS; k++) {
        const bool has_ended = do_round(&s);
        const bool is_narrow = share <= 2.0 * NARROWEST_SHIFT;
        is_solved = is_answer(&s);
        if (is_solved) break;
        keep_best(&s);
        is_solved = has_ended && is_narrow && polish(&s, solves);
        if (is_solved) break;
        const bool is_steady = s.is_near && fabs(p->residual - before) < 0.02 * before;
        before = s.is_near ? p->residual : HUGE_VAL;
        keep_forces(&s, is_steady);
        // labels that still change are not worth narrower shifts
        const bool is_settled = memcmp(p->round_label, p->label, (size_t)p->n) == 0;
        memcpy(p->round_label, p->label, (size_t)p->n);
        patience = has_ended && !is_settled && !is_narrow ? patience - 1 : PATIENCE;
        if (!has_ended) {
            share = share < 1e-3 ? 1e-2 : WIDEST_SHIFT;
        } else if (!is_narrow && (is_settled || patience == 0)) {
            share *= 0.1;
            patience = PATIENCE;
        }
        set_shifts(&s, share);
    }
    *solves += s.newtons;
    if (!is_solved) take_best(&s);
    return is_solved;
}
