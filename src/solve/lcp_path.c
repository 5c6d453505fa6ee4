// solve/lcp_path.c - from one proximal point to the next, a label at a time.
//
// Along a(t) = (1 - t) a_0 + t a_1 the forces of a round are linear in t as long as no label changes.
// So the path goes on to the next t where a row would leave its label, changes that label, and
// continues. Forces do not jump there. Where the new label would break at once the path turns back in
// t with the labels it now has, below 0 where it must, as Lemke's does: with friction a round may
// have several answers, and the path passes through them. It cannot come by the same labels twice,
// but rows that tie to rounding can make it seem so: the number of labels is bounded.
#include "solve/lcp_rounds.h"

#include <math.h>
#include <string.h>

// In t: what a row that has just changed its label has to last, for its other bound to be met.
#define LEAST_WAY 1e-9

// What must not fall below zero for the label of a row to last: value and slope in t.
typedef struct room {
    double value, slope;
} room;

typedef struct event {
    double after;  // t until then, along the way of the path
    int row;       // -1: none before its end
    unsigned char label;
} event;

// How fast the path changes, so that slopes of mere rounding can be told. What a row wants is its
// velocity over its shift: rounding is larger there.
typedef struct speed {
    double force, wish;
} speed;

static double slope_of_bound(const lcp_rounds* s, int i)
{
    const lcp_row* row = &s->p->rows[i];
    return row->kind == LCP_FRICTION ? row->mu * s->slope[row->normal] : 0.0;
}

static room above_lower(const lcp_rounds* s, int i)
{
    return (room){s->g[i] - lcp_round_lower(s, i), s->slope[i] + slope_of_bound(s, i)};
}

static room below_upper(const lcp_rounds* s, int i)
{
    return (room){lcp_round_upper(s, i) - s->g[i], slope_of_bound(s, i) - s->slope[i]};
}

// Of a row that does not hold: how far beyond its bound it wants to be. s->step holds the slope of a.
static room beyond_bound(const lcp_rounds* s, int i)
{
    const double wanted = lcp_wanted(s, i);
    const double slope = s->step[i] - s->slope_w[i] / s->shift[i];
    if (s->p->rows[i].kind == LCP_UNILATERAL) return (room){-wanted, -slope};
    if (s->p->label[i] == LCP_UPPER) {
        return (room){wanted - lcp_round_upper(s, i), slope - slope_of_bound(s, i)};
    }
    return (room){lcp_round_lower(s, i) - wanted, -slope_of_bound(s, i) - slope};
}

static void meet(room r, double least_slope, int way, int i, unsigned char label, event* next)
{
    const double fall = -way * r.slope;
    if (!(fall > least_slope)) return;
    const double after = r.value > 0.0 ? r.value / fall : 0.0;
    if (after < next->after) *next = (event){after, i, label};
}

// A friction row whose normal is off says nothing until the normal holds.
static bool is_idle(const lcp_island* p, int i)
{
    return p->rows[i].kind == LCP_FREE || lcp_normal_is_off(p, i);
}

static void meet_row(const lcp_rounds* s, const speed* v, int way, int i, event* next)
{
    const lcp_island* p = s->p;
    if (is_idle(p, i)) return;
    if (p->label[i] != LCP_HELD) {
        meet(beyond_bound(s, i), v->wish, way, i, LCP_HELD, next);
        return;
    }
    const unsigned char low = p->rows[i].kind == LCP_UNILATERAL ? LCP_OFF : LCP_LOWER;
    meet(above_lower(s, i), v->force, way, i, low, next);
    if (low == LCP_LOWER) meet(below_upper(s, i), v->force, way, i, LCP_UPPER, next);
}

// Forces and velocities per t. False: no factor.
static bool find_slopes(lcp_rounds* s, speed* v)
{
    lcp_island* p = s->p;
    if (!tml__lcp_round_hold(s)) return false;
    for (int k = 0; k < p->held_count; k++) {
        const int i = p->held[k];
        s->side[k] = s->shift[i] * (s->anchor[i] - s->from[i]);
    }
    if (!tml__lcp_coupled_solve(p, s->shift, 1e-9, s->side, s->step)) return false;
    tml__lcp_spread(p, s->step, s->slope);
    tml__lcp_product(p, s->slope, s->slope_w);
    double largest = 0.0;
    for (int i = 0; i < p->n; i++) largest = fmax(largest, fabs(s->slope[i]));
    v->force = 1e-10 * largest;
    v->wish = (1e-10 + 1e-14 / s->share) * largest;
    return true;
}

// Does the row that has changed its label last want it back at once? Then the path turns.
static bool breaks(const lcp_rounds* s, const speed* v, int way, int row)
{
    event back = {.after = (double)HUGE_VAL, .row = -1};
    meet_row(s, v, way, row, &back);
    const double size = fabs(s->g[row]) + fabs(lcp_wanted(s, row));
    room r = s->p->label[row] == LCP_HELD ? above_lower(s, row) : beyond_bound(s, row);
    if (s->p->label[row] == LCP_HELD && s->p->rows[row].kind != LCP_UNILATERAL) {
        const room up = below_upper(s, row);
        if (up.value < r.value) r = up;
    }
    return back.row >= 0 && r.value <= 1e-6 * size && way * r.slope < 0.0;
}

static void change(lcp_rounds* s, const event* e)
{
    lcp_island* p = s->p;
    p->label[e->row] = e->label;
    if (p->rows[e->row].kind != LCP_UNILATERAL || e->label != LCP_HELD) return;
    // friction begins at its bound, on the side that it wants
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind != LCP_FRICTION || p->rows[i].normal != e->row) continue;
        p->label[i] = lcp_wanted(s, i) >= 0.0 ? LCP_UPPER : LCP_LOWER;
    }
}

static void go(lcp_rounds* s, double by)
{
    for (int i = 0; i < s->p->n; i++) {
        s->g[i] += by * s->slope[i];
        s->w[i] += by * s->slope_w[i];
    }
}

bool tml__lcp_round_path(lcp_rounds* s)
{
    lcp_island* p = s->p;
    const size_t bytes = (size_t)p->n * sizeof(double);
    double* end = p->base;  // a_1: wishes are read at the a of the present t
    double t = 0.0;
    int way = 1;
    int last = -1;
    memcpy(end, s->anchor, bytes);
    for (int k = 0; k < s->most_labels; k++) {
        speed v;
        memcpy(s->anchor, end, bytes);
        if (!find_slopes(s, &v)) return false;
        for (int i = 0; i < p->n; i++) {
            s->step[i] = end[i] - s->from[i];
            s->anchor[i] = s->from[i] + t * s->step[i];
        }
        if (last >= 0 && breaks(s, &v, way, last)) way = -way;
        event again = {.after = (double)HUGE_VAL, .row = -1};  // of the row that has just changed
        event next = {.after = way > 0 ? 1.0 - t : (double)HUGE_VAL, .row = -1};
        for (int i = 0; i < p->n; i++) meet_row(s, &v, way, i, i == last ? &again : &next);
        if (again.after > LEAST_WAY && again.after < next.after) next = again;
        if (next.row < 0 && way < 0) return false;
        go(s, way * next.after);
        t += way * next.after;
        for (int i = 0; i < p->n; i++) s->anchor[i] = s->from[i] + t * s->step[i];
        if (next.row < 0) {
            memcpy(s->anchor, end, bytes);
            return tml__lcp_round_couple(s);
        }
        change(s, &next);
        last = next.row;
    }
    return false;
}
