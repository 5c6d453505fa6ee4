// solve/lcp_internal.h - one island of a complementarity problem, and the methods that label it.
#ifndef TML_SOLVE_LCP_INTERNAL_H
#define TML_SOLVE_LCP_INTERNAL_H

#include "math/small.h"
#include "solve/lcp.h"

#include <stdbool.h>

enum {
    LCP_TOGETHER = 3,  // rows of a contact
    LCP_SPACING = 4,   // columns that sweeps take at once
};

// Rows that follow each other and move the same columns, those of a contact: what sweeps know of them.
typedef struct lcp_block {
    int row;  // the first
    int count;
    int groups;                    // of columns that they move
    bool is_idle, is_contact;      // never moves; a normal row, and its friction if there is any
    bool is_whole;                 // a contact with two friction rows or none, in fours: most are
    size_t at;                     // of its groups in lcp_island.group
    size_t y, y_rest;              // of its first row and of the others in lcp_island.packed
    double own[LCP_TOGETHER];      // A_ii
    double inverse[LCP_TOGETHER];  // its inverse; 0: nothing moves the row
    double below[LCP_TOGETHER];    // A_10, A_20, A_21
    double mu[LCP_TOGETHER - 1];   // of its friction
} lcp_block;

// An island, gathered: its rows are numbered 0 .. n - 1 and `normal` refers to these numbers.
typedef struct lcp_island {
    int n;
    double* A;  // n x n
    double* b;
    lcp_row* rows;
    int* global;           // the caller's row
    unsigned char* label;  // lcp_label
    double* f;
    double* w;

    // what the last exact solve found
    int held_count;
    int* held;                         // rows with w = 0
    int rank;                          // of the matrix of these rows
    unsigned char* is_independent;     // n
    double kept_pivot, dropped_pivot;  // see lcp_report
    double velocity_scale;             // largest |b_i| + sum_j |A_ij f_j|
    double force_scale;                // largest |f|
    double residual;
    int worst;  // row of the residual; -1: none

    // scratch
    double* matrix;             // n x n: the rows that hold; its factor
    double* copy;               // n x n
    double* side;               // n
    double* part;               // n
    double dependence;          // of the problem
    double* creep;              // n: how fast friction that holds may creep,
    double* creeping;           // n: and how fast that of the last exact solve does
    double* tau;                // n
    double* spare;              // n
    int* pivot;                 // n
    unsigned char* kept_label;  // n
    double* guess;              // n: the caller's
    bool has_guess;             //
    double* base;               // n: forces of the sweeps, or the guess
    bool has_base;              // the exact solve starts from them

    double* tableau;  // of Lemke's method; n x n at least
    int* lemke_list;  // 5 n
    int max_lemke_rows;

    double* proximal;            // 9 n: lists of the proximal point method
    unsigned char* round_label;  // n
    double* good;                // n: forces of the last round that ended
    double* best;                // n: forces and labels that broke the laws least
    unsigned char* best_label;   // n

    // rows over columns instead of the matrix A: islands that are too large for a full one
    bool is_lifted;
    int columns;
    size_t* start;  // n + 1
    int* column;    // numbered for a narrow profile
    double* y;
    double* give;              // n
    const lcp_lifted* source;  // sweeps read the caller's rows themselves; NULL: those above
    int* local;                // with it: the island's number of each column, -1: none yet
    lcp_block* blocks;         // n: the layout of sweeps, see lcp_relax.c
    int block_count;
    int* moving;  // n: blocks that the last whole sweep did not find open
    int moving_count;
    bool in_fours;   // groups are four columns, else one
    int* group;      // per entry: the first column of a group
    int* spot;       // columns: where the entries of a row stand in its groups, scratch
    double* packed;  // packed_room
    size_t packed_room;
    double* u;            // columns, and room for a group: scratch
    double* u_size;       // columns: scratch
    double* newton;       // 4 columns: lists of Newton's method
    size_t* touch_start;  // columns + 1: rows of each column
    int* touch;           // per entry
    int* place;           // columns
    int* rank_order;      // columns
    unsigned char* row_seen;
    int* first;             // columns: the first entry of each row of the profile
    size_t* profile_row;    // columns
    double* profile;        // its lower factor and diagonal
    double* profile_upper;  // its upper one, by columns
    size_t profile_limit;
} lcp_island;

// Relative to velocity_scale and force_scale: what rounding may leave of an exact solve.
#define LCP_TOLERANCE 1e-11

// Of the largest |b|: what a row that holds may move. Rounding of |A||f| stays far below it: loads of a
// heap are some thousand times what a step adds to them.
#define LCP_RUNAWAY 1e-6

// Solve w = 0 for the rows labelled LCP_HELD with the others at their bounds, then w everywhere.
// Where forces are not unique: those of least norm, or nearest to `base`.
void tml__lcp_exact(lcp_island* p);

// The same for lifted islands.
void tml__lcp_exact_coupled(lcp_island* p);

// Whether the last exact solve obeys the law of every row; fills residual and worst.
bool tml__lcp_verify(lcp_island* p);

// Labels from a few sweeps of projected Gauss-Seidel, from the guess where there is one; the forces
// are kept in `base`.
void tml__lcp_sweep(lcp_island* p);

// w at the present forces, and the scales of the island.
void tml__lcp_velocities(lcp_island* p);

// Exchange labels until the exact solve obeys every law, `most` times. Returns whether it does;
// `solves` counts.
// An exact solve each: of ten thousand problems that exchanges solved, 99 in 100 took no more. In an iteration of Newton's
// method, which will ask again, fewer are tried.
#define LCP_EXCHANGES      16
#define LCP_EXCHANGES_NEAR 8
bool tml__lcp_pivot(lcp_island* p, int most, int* solves);

// Proximal points from the guess and the present labels until every law holds; false: not within a
// bounded number of rounds, and the island is left with what breaks the laws least. starts_near: from
// the forces, labels and velocities at hand, with narrow shifts, and only a few rounds. `solves` counts
// factorisations. Says nothing about rank.
bool tml__lcp_proximal(lcp_island* p, bool starts_near, int* solves);

// The rows that hold into p->held; nothing is said about their rank.
void tml__lcp_list_held(lcp_island* p);

// A share of the diagonal for every row, > 0.
void tml__lcp_set_shifts(const lcp_island* p, double share, double* shift);

// x = (A_CC + A_CB E + shift)^-1 r for the rows C = p->held that hold, E by the labels; the factor of
// tml__lcp_shifted_factor for the same labels and shifts is at hand. `drop` of the residual is left.
// False: x is not worth having.
bool tml__lcp_coupled_solve(lcp_island* p, const double* shift, double drop, const double* r,
                            double* x);

// f = forces that x over the rows that hold means: friction at its bound follows its normal.
void tml__lcp_spread(const lcp_island* p, const double* x, double* f);

// Sweeps of projected Gauss-Seidel over the rows of a lifted island, from the guess; forces, labels and
// velocities are those of the last one.
void tml__lcp_relax(lcp_island* p, int sweeps);

// How many rows from i on are one contact that moves the same columns with each of them, at most
// LCP_TOGETHER.
int tml__lcp_together(const lcp_island* p, int i);

// Forces of the rows at their bounds, from the present normal forces.
void tml__lcp_set_bounded(lcp_island* p);

// ---- the matrix of an island, full or by its rows over columns

// Number the columns of a lifted island and lay out its profile; false: there is no room for it.
bool tml__lcp_number_columns(lcp_island* p);

void tml__lcp_product(const lcp_island* p, const double* f, double* out);  // A f
double tml__lcp_diagonal(const lcp_island* p, int i);
void tml__lcp_lift(const lcp_island* p, const double* f, double* u);  // Y^T f
void tml__lcp_lifted_velocities(lcp_island* p);

// A_CC + A_CB E + diag(shift_C) for the rows C of p->held: factor; then solve in place, `f` being room
// for n numbers. shift > 0. False: a pivot vanishes.
bool tml__lcp_shifted_factor(lcp_island* p, const double* shift);
void tml__lcp_shifted_solve(const lcp_island* p, const double* shift, double* f, double* r);

// ---- lifted islands, in their columns

// P = 1 + sum_i own_i y_i y_i^T + cross_i y_i y_n^T, n the normal of row i: factor, then solve in place.
// False: a pivot vanishes.
bool tml__lcp_columns_factor(lcp_island* p, const double* own, const double* cross);

// The same for P = 1 + Z^T diag(stiffness) Y_C of the present labels, Z = Y_C + E^T Y_B. stiffness: n, > 0.
bool tml__lcp_columns_labelled(lcp_island* p, const double* stiffness);
void tml__lcp_columns_solve(const lcp_island* p, double* x);
void tml__lcp_columns_rate(const lcp_island* p, const double* u, double* out);  // Y u

// Forces of a lifted island by Newton's method from those at hand, over at most so many proximal points;
// false: the laws do not hold, and the island has the forces and labels of the last point that was tried.
// `solves` counts factorisations. Says nothing about rank.
bool tml__lcp_newton(lcp_island* p, int most, int* solves);

// Forces near an answer of a lifted island, from those at hand; the first products are `width` times their
// mean product. False: it did not come near. Labels and velocities are left as they were.
bool tml__lcp_interior(lcp_island* p, double width, int* solves);

// Labels from Lemke's method; false when it ends on a ray or the island is too large for it.
bool tml__lcp_lemke(lcp_island* p);

// How many doubles Lemke's method needs for an island of n rows.
size_t tml__lcp_lemke_size(int n);

// The bounds of row i at the present forces.
static inline double lcp_lower(const lcp_island* p, int i)
{
    const lcp_row* row = &p->rows[i];
    return row->kind == LCP_FRICTION ? -row->mu * p->f[row->normal] : row->lower;
}

static inline double lcp_upper(const lcp_island* p, int i)
{
    const lcp_row* row = &p->rows[i];
    return row->kind == LCP_FRICTION ? row->mu * p->f[row->normal] : row->upper;
}

// The entry of E: how much of its normal's force a friction row at its bound has; 0: it is not at its
// bound, or its normal does not hold.
static inline double lcp_share(const lcp_island* p, int i)
{
    const lcp_row* row = &p->rows[i];
    if (row->kind != LCP_FRICTION || p->label[row->normal] != LCP_HELD) return 0.0;
    if (p->label[i] == LCP_UPPER) return row->mu;
    return p->label[i] == LCP_LOWER ? -row->mu : 0.0;
}

static inline bool lcp_normal_is_off(const lcp_island* p, int i)
{
    return p->rows[i].kind == LCP_FRICTION && p->label[p->rows[i].normal] == LCP_OFF;
}

#endif
