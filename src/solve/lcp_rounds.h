// solve/lcp_rounds.h - what the proximal point method and the path between its points share.
#ifndef TML_SOLVE_LCP_ROUNDS_H
#define TML_SOLVE_LCP_ROUNDS_H

#include "solve/lcp_internal.h"

#include <math.h>

// One round asks for forces f with
//
//     f_i = the nearest to  x_i = a_i - w_i(f)/s_i  within the bounds of row i
//
// where the bounds of friction follow f. Labels say which of it is which: HELD rows have f = x.
typedef struct lcp_rounds {
    lcp_island* p;
    double* anchor;  // a
    double* shift;   // s
    double share;    // s of A_ii
    double* g;       // forces of the iterate
    double* w;       // their velocities
    double* side;
    double* step;     // a correction of the rows that hold
    double* from;     // the path: a where it starts
    double* slope;    // the path: of the forces
    double* slope_w;  // and of their velocities
    bool has_factor;
    unsigned char* factored;  // the labels of the factor, as far as it depends on them
    int factors;
    double least;     // residual so far
    int most_labels;  // changed on one path
} lcp_rounds;

// x_i
static inline double lcp_wanted(const lcp_rounds* s, int i)
{
    return s->anchor[i] - s->w[i] / s->shift[i];
}

// The bound of a row at the forces of the iterate.
static inline double lcp_round_upper(const lcp_rounds* s, int i)
{
    const lcp_row* row = &s->p->rows[i];
    if (row->kind == LCP_BOX) return row->upper;
    if (row->kind != LCP_FRICTION) return (double)HUGE_VAL;
    return s->g[row->normal] > 0.0 ? row->mu * s->g[row->normal] : 0.0;
}

static inline double lcp_round_lower(const lcp_rounds* s, int i)
{
    const lcp_row* row = &s->p->rows[i];
    if (row->kind == LCP_UNILATERAL) return 0.0;
    return row->kind == LCP_BOX ? row->lower : -lcp_round_upper(s, i);
}

// A factor for the present labels and shifts, unless it is at hand. False: there is none.
bool tml__lcp_round_hold(lcp_rounds* s);

// The forces of the present labels in s->g, their velocities in s->w. False: no factor.
bool tml__lcp_round_couple(lcp_rounds* s);

// Labels as the iterate suggests them; true when none has changed.
bool tml__lcp_round_relabel(lcp_rounds* s);

// From the iterate, which solves the round of the anchor s->from with its labels, to the one of
// s->anchor, a label at a time. False: it cannot be had.
bool tml__lcp_round_path(lcp_rounds* s);

#endif
