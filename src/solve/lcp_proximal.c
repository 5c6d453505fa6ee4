// solve/lcp_proximal.c - forces by proximal points: for rows that depend on each other, and for heaps.
//
// The forces of contacts need not be unique. One step of the proximal point method asks instead for
//
//     f_i = the nearest to  a_i - w_i(f)/s_i  within the bounds of row i
//
// with a the forces so far and s_i a share of A_ii. Where f stays (f = a) the laws of the problem
// itself hold: the shifts s are not added to A, they only measure the distance from a. Wide shifts
// make rows nearly independent, so that labels are found from any start by solving for those at hand
// and reading new ones off; narrow ones leave little to do in further rounds, even along rows that
// all but depend on each other. So the shares fall from round to round, each starting from the forces
// and labels of the one before. Where reading labels off goes in circles, the path between the two
// rounds is followed from label to label (lcp_path.c).
#include "solve/lcp_rounds.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROUNDS = 60,
    MOST_STARTS = 4,
    SWEEPS = 300,          // of a large island, to begin with
    MOST_READ = 8,         // labels read off in a round that starts near
    MOST_READ_FIRST = 30,  // and in one that starts anywhere
    MOST_LABELS = 400,     // changed on a path between rounds
    MOST_LABELS_NEAR = 40,
    MOST_ROUNDS_NEAR = 12
};

// Shares of A_ii: the first, the last, and how they fall.
#define WIDEST    1.0
#define NARROWEST 1e-10
#define NEAR      1e-3
#define FALL      0.1

// What a solve may leave of its right side: labels need little of it, forces along rows that all but
// depend on each other need the more the narrower the shifts are.
static double drop_of(const lcp_rounds* s) { return s->share > 1e-4 ? 1e-5 : 1e-9; }

// ---- one solve

// The part of a label that the matrix depends on.
static unsigned char effect(const lcp_island* p, int i)
{
    if (p->label[i] == LCP_HELD) return LCP_HELD;
    return lcp_share(p, i) != 0.0 ? p->label[i] : LCP_OFF;
}

bool tml__lcp_round_hold(lcp_rounds* s)
{
    lcp_island* p = s->p;
    bool is_same = s->has_factor;
    for (int i = 0; i < p->n; i++) {
        const unsigned char e = effect(p, i);
        if (s->factored[i] != e) is_same = false;
        s->factored[i] = e;
    }
    if (is_same) return true;
    s->factors++;
    tml__lcp_list_held(p);
    s->has_factor = tml__lcp_shifted_factor(p, s->shift);
    return s->has_factor;
}

bool tml__lcp_round_couple(lcp_rounds* s)
{
    lcp_island* p = s->p;
    if (!tml__lcp_round_hold(s)) return false;
    for (int i = 0; i < p->n; i++) p->f[i] = p->label[i] == LCP_HELD ? s->g[i] : 0.0;
    tml__lcp_set_bounded(p);
    tml__lcp_product(p, p->f, s->w);
    for (int k = 0; k < p->held_count; k++) {
        const int i = p->held[k];
        s->side[k] = s->shift[i] * (s->anchor[i] - p->f[i]) - (s->w[i] + p->b[i]);
    }
    if (!tml__lcp_coupled_solve(p, s->shift, drop_of(s), s->side, s->step)) return false;
    for (int k = 0; k < p->held_count; k++) p->f[p->held[k]] += s->step[k];
    tml__lcp_set_bounded(p);
    memcpy(s->g, p->f, (size_t)p->n * sizeof *s->g);
    tml__lcp_product(p, s->g, s->w);
    for (int i = 0; i < p->n; i++) s->w[i] += p->b[i];
    return true;
}

// The label of a force that wants to be x.
static unsigned char label_of(const lcp_rounds* s, int i, double x)
{
    const lcp_kind kind = s->p->rows[i].kind;
    if (kind == LCP_FREE) return LCP_HELD;
    if (kind == LCP_UNILATERAL) return x > 0.0 ? LCP_HELD : LCP_OFF;
    // between bounds that coincide: the sign of what it wants says the side
    if (x >= lcp_round_upper(s, i)) return LCP_UPPER;
    return x <= lcp_round_lower(s, i) ? LCP_LOWER : LCP_HELD;
}

bool tml__lcp_round_relabel(lcp_rounds* s)
{
    lcp_island* p = s->p;
    bool is_same = true;
    for (int i = 0; i < p->n; i++) {
        const unsigned char label = label_of(s, i, lcp_wanted(s, i));
        if (label != p->label[i]) is_same = false;
        p->label[i] = label;
    }
    return is_same;
}

// Nothing makes it end but that labels near the right ones lead there.
static bool read_labels(lcp_rounds* s, int most)
{
    for (int k = 0; k < most; k++) {
        if (!tml__lcp_round_couple(s)) return false;
        if (tml__lcp_round_relabel(s)) return true;
    }
    return false;
}

// ---- rounds

static void set_share(lcp_rounds* s, double share)
{
    s->share = share;
    s->has_factor = false;
    tml__lcp_set_shifts(s->p, share, s->shift);
}

// The forces and labels of the last round solve this one too for a suitable anchor: the path starts
// there.
static void note_start(lcp_rounds* s)
{
    lcp_island* p = s->p;
    for (int i = 0; i < p->n; i++) {
        const unsigned char label = p->label[i];
        const bool is_normal = p->rows[i].kind == LCP_UNILATERAL;
        const bool is_wrong = (is_normal && label == LCP_OFF && p->w[i] < 0.0) ||
                              (label == LCP_LOWER && p->w[i] < 0.0) ||
                              (label == LCP_UPPER && p->w[i] > 0.0);
        s->g[i] = p->f[i];
        s->w[i] = p->w[i];
        s->anchor[i] = p->f[i];
        s->from[i] = p->f[i];
        if (label == LCP_HELD || is_wrong) s->from[i] += p->w[i] / s->shift[i];
    }
}

static bool do_round(lcp_rounds* s)
{
    lcp_island* p = s->p;
    const size_t bytes = (size_t)p->n * sizeof *s->g;
    note_start(s);
    memcpy(p->base, s->g, bytes);
    memcpy(s->slope_w, s->w, bytes);
    memcpy(p->round_label, p->label, (size_t)p->n);
    if (read_labels(s, MOST_READ)) return true;
    memcpy(s->g, p->base, bytes);
    memcpy(s->w, s->slope_w, bytes);
    memcpy(p->label, p->round_label, (size_t)p->n);
    return tml__lcp_round_path(s);
}

// The forces of the round obey every law of the problem itself: then they are the answer.
static bool is_answer(lcp_rounds* s)
{
    lcp_island* p = s->p;
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind == LCP_FRICTION && lcp_normal_is_off(p, i)) p->label[i] = LCP_OFF;
        p->f[i] = p->label[i] == LCP_OFF ? 0.0 : s->g[i];
    }
    tml__lcp_list_held(p);
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
    return tml__lcp_verify(p);
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
static void keep_best(lcp_rounds* s)
{
    lcp_island* p = s->p;
    weigh(p);
    if (!(p->residual < s->least)) return;
    s->least = p->residual;
    memcpy(p->best, p->f, (size_t)p->n * sizeof *p->best);
    memcpy(p->best_label, p->label, (size_t)p->n);
}

static void take_best(lcp_rounds* s)
{
    lcp_island* p = s->p;
    if (!(s->least < (double)HUGE_VAL)) return;
    memcpy(p->f, p->best, (size_t)p->n * sizeof *p->f);
    memcpy(p->label, p->best_label, (size_t)p->n);
    tml__lcp_list_held(p);
    tml__lcp_velocities(p);
    weigh(p);
}

static void cut(lcp_rounds* s, lcp_island* p)
{
    const size_t n = (size_t)p->n;
    double** lists[] = {&s->anchor, &s->shift, &s->g,     &s->w,      &s->side,
                        &s->step,   &s->from,  &s->slope, &s->slope_w};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = p->proximal + k * n;
    s->factored = p->kept_label;
}

// A first round of wide shifts from the anchor; wider ones where that has no end.
static bool begin(lcp_rounds* s)
{
    double share = WIDEST;
    for (int k = 0; k < MOST_STARTS; k++, share *= 10.0) {
        set_share(s, share);
        memcpy(s->g, s->anchor, (size_t)s->p->n * sizeof *s->g);
        if (read_labels(s, MOST_READ_FIRST)) return true;
    }
    return false;
}

bool tml__lcp_proximal(lcp_island* p, bool starts_near, int* solves)
{
    const size_t bytes = (size_t)p->n * sizeof(double);
    lcp_rounds s = {.p = p,
                    .least = (double)HUGE_VAL,
                    .share = NEAR,
                    .most_labels = starts_near ? MOST_LABELS_NEAR : MOST_LABELS};
    bool is_solved = false;
    const int most = starts_near ? MOST_ROUNDS_NEAR : MOST_ROUNDS;
    bool is_near = starts_near;
    double fall = FALL;
    cut(&s, p);
    for (int i = 0; i < p->n; i++) s.anchor[i] = p->has_guess ? p->guess[i] : 0.0;
    if (starts_near) {
        memcpy(s.anchor, p->f, bytes);
    } else if (p->is_lifted) {  // smaller islands come from sweeps
        tml__lcp_relax(p, SWEEPS);
        memcpy(s.anchor, p->f, bytes);
    }
    memcpy(p->good, s.anchor, bytes);
    for (int k = 0; k < most && !is_solved; k++) {
        if (starts_near && !is_near) break;
        if (is_near) {
            memcpy(p->good, p->f, bytes);
            set_share(&s, fmax(fall * s.share, NARROWEST));
            is_near = do_round(&s);
            // another way: from where the last round that ended has led, in smaller steps
            if (!is_near) fall = sqrt(fall);
        } else {
            is_near = begin(&s);
        }
        is_solved = is_answer(&s);
        if (is_solved) break;
        keep_best(&s);
        memcpy(s.anchor, is_near ? p->f : p->good, bytes);
    }
    *solves += s.factors;
    if (!is_solved) take_best(&s);
    return is_solved;
}
