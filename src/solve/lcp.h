// solve/lcp.h - forces of contacts and limits: the coupled complementarity problem of a step.
//
//     w = A f + b        A symmetric, positive semidefinite: J M^-1 J^T and a compliance >= 0
//
// w is the velocity a row will have (restitution and the share of a gap that may close are in b),
// f its impulse. Every row obeys the law of its kind:
//
//     LCP_FREE          w = 0
//     LCP_UNILATERAL    f >= 0,  w >= 0,  f w = 0
//     LCP_BOX           lower <= f <= upper; w = 0 inside, w >= 0 at lower, w <= 0 at upper
//     LCP_FRICTION      the same with -mu f_n and +mu f_n, f_n the *final* force of its normal row
//
// The answer is always finished by solving the rows that hold exactly, with the bounds tied to the
// final normal forces, so that complementarity holds to rounding and derivatives agree with it. Where
// rows nearly depend on each other no labels may stand that test; forces that break no law by more
// than LCP_UNPOLISHED (of the largest |b|, of the largest |f|) are then taken, and the report says so.
// Labels are tried in this order: those of the caller (the last step's), those that a few sweeps of
// projected Gauss-Seidel suggest, principal pivoting with a least-index rule against cycling,
// Lemke's method, and proximal points; large islands go from the caller's labels to Newton's method where
// that is quick, then to interior points and from there to proximal points. Nothing is added to A: a
// problem that none of them solves is reported. A caller for whom that is too dear asks for a number
// of sweeps instead: larger islands then have the forces that so many sweeps of projected Gauss-Seidel
// find from the guess, always within their bounds, and the report tells what they leave.
//
// Where rows that hold depend on each other (a box on four corners) the velocities are still
// unique when nothing slides; the forces are then those of least norm or, where these break a law
// (a stack may need pulling corners for it), those nearest to the guess or to the sweeps.
#ifndef TML_SOLVE_LCP_H
#define TML_SOLVE_LCP_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum lcp_kind {
    LCP_FREE,
    LCP_UNILATERAL,
    LCP_BOX,
    LCP_FRICTION,
} lcp_kind;

typedef struct lcp_row {
    lcp_kind kind;
    int normal;           // LCP_FRICTION: the row of its normal force, LCP_UNILATERAL
    double mu;            // LCP_FRICTION: >= 0
    double lower, upper;  // LCP_BOX: lower <= 0 <= upper, finite
} lcp_row;

// Does a row carry nothing, whatever happens? Boxes without width say so.
static inline bool lcp_row_is_off(const lcp_row* row)
{
    return row->kind == LCP_BOX && !(row->upper > row->lower);
}

// What a row does. A friction row whose normal is off is off too.
typedef enum lcp_label {
    LCP_UNKNOWN,  // in: nothing is known
    LCP_OFF,      // f = 0
    LCP_HELD,     // w = 0
    LCP_LOWER,    // f at its lower bound
    LCP_UPPER,    // f at its upper bound
} lcp_label;

// Which method found the labels of an island.
typedef enum lcp_method {
    LCP_BY_PREVIOUS,
    LCP_BY_SWEEPS,
    LCP_BY_PIVOTING,
    LCP_BY_LEMKE,
    LCP_BY_NEWTON,
    LCP_BY_INTERIOR,
    LCP_BY_PROXIMAL,
    LCP_BY_RELAXATION,  // nothing but sweeps, because the caller wants no more
    LCP_METHODS,
} lcp_method;

#define LCP_UNPOLISHED 1e-4

// A = Y Y^T + diag(give), by the rows of Y: what a row moves, in columns whose mass is one.
typedef struct lcp_lifted {
    int columns;
    const size_t* start;  // count + 1
    const int* column;    // per entry
    const double* y;      // per entry
    const double* give;   // count, >= 0
    const int* pick;      // row i of the problem is row pick[i] of these; NULL: all as they stand
    int checked;          // so many of them were part of a problem before: their numbers are finite
    bool is_together;     // friction that follows its normal moves the same columns
    const int*
        place;  // per column: where sweeps put it, so that those that are mostly moved together are
    int places;  // side by side in few groups of four; at most 4 columns. NULL: as they are met
} lcp_lifted;

typedef struct lcp_problem {
    int count;
    const double* A;  // count x ld, row-major
    ptrdiff_t ld;
    const double* b;
    const lcp_row* rows;
    const double* guess;       // forces near the answer, those of the last step; NULL: none
    const lcp_lifted* lifted;  // instead of A; NULL: A
    int sweeps;  // > 0: islands of more than LCP_SWEPT_ROWS rows are only swept so often
    // Per row: how fast friction that holds may creep where rows that hold depend on each other and contradict each
    // other (a belt that sticks to a wheel along its length: chords of a step are no arcs). All of them then creep as
    // little as they can, in the sense of least squares, and w says how fast. NULL: none does.
    const double* creep;
    // A of a Newton iteration: it need not be symmetric, and rows that depend on each other where all of them are met
    // depend on each other only so far, as a share of the largest. 0: A is symmetric, and they do but for rounding.
    double dependence;
} lcp_problem;

typedef struct lcp_report {
    int islands;                 // sets of rows that A or friction couples
    int solved_by[LCP_METHODS];  // islands
    int unpolished;              // islands whose forces obey their laws only to `residual`
    int pivots;                  // exact solves, all islands together
    int dependent_rows;          // rows that hold and depend on others
    double kept_pivot;  // smallest pivot of a row taken as independent, relative to the largest
    double
        dropped_pivot;  // largest of a row taken as dependent; near each other: the rank is in doubt
    int tied_rows;      // rows with f and w both zero up to rounding: either label is right
    double residual;    // largest violation, w in units of the island's largest |b| + |A||f|, f in
                        // units of its largest |f|
    int worst_row;      // where; -1: nowhere
} lcp_report;

typedef struct lcp lcp;  // opaque; owns all workspace

// Room for problems of up to `max_rows` rows. Lemke's method needs up to 32 n^2 doubles for an
// island of n rows; `max_lemke_rows` bounds the islands it may be asked for.
tml_status tml__lcp_create(int max_rows, int max_lemke_rows, const tml_allocator* allocator,
                           message* why, lcp** out);

// The same for lifted problems only. Islands of up to LCP_FULL_ROWS rows have a full matrix; larger
// ones are solved over the columns, so room grows with the entries and the profile of the columns.
#define LCP_FULL_ROWS 150
// A solver that is swept takes problems with `sweeps` only and needs no room for a factor.
#define LCP_SWEPT_ROWS 36
typedef struct lcp_room {
    int rows, columns, lemke_rows;
    size_t entries;
    bool is_swept;
} lcp_room;
tml_status tml__lcp_create_lifted(const lcp_room* room, const tml_allocator* allocator,
                                  message* why, lcp** out);
void tml__lcp_destroy(lcp* s);

// Solve. labels: count, in and out. f, w: count, out. is_independent: count, out, may be NULL: the
// rows that hold and do not depend on those before them. Nothing is allocated.
// TML_TOO_MANY_CONTACTS: more rows than reserved. TML_BAD_ARGUMENT: a row or a number makes no
// sense. TML_NOT_CONVERGED: an island has no solution that any method found; `why` names its worst
// row and residual; labels, f and w are untouched.
tml_status tml__lcp_solve(lcp* s, const lcp_problem* problem, unsigned char* labels, double* f,
                          double* w, unsigned char* is_independent, lcp_report* report,
                          message* why);

// Each x[i] (count of them) becomes the sum of x over the island of row i, added in the order of the
// rows: what a problem that the solver has taken did, judged for one island without what others do.
void tml__lcp_sum_islands(lcp* s, const lcp_problem* problem, double* x);

#endif
