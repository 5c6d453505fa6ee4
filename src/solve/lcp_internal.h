// solve/lcp_internal.h - one island of a complementarity problem, and the methods that label it.
#ifndef TML_SOLVE_LCP_INTERNAL_H
#define TML_SOLVE_LCP_INTERNAL_H

#include "solve/lcp.h"

#include <stdbool.h>

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
} lcp_island;

// Relative to velocity_scale and force_scale: what rounding may leave of an exact solve.
#define LCP_TOLERANCE 1e-11

// Solve w = 0 for the rows labelled LCP_HELD with the others at their bounds, then w everywhere.
// Where forces are not unique: those of least norm, or nearest to `base`.
void tml__lcp_exact(lcp_island* p);

// Whether the last exact solve obeys the law of every row; fills residual and worst.
bool tml__lcp_verify(lcp_island* p);

// Labels from a few sweeps of projected Gauss-Seidel, from the guess where there is one; the forces
// are kept in `base`.
void tml__lcp_sweep(lcp_island* p);

// Sweeps until their labels and forces stand an exact solve: where rows depend on each other the
// forces of least norm may break a law that others, next to those of the sweeps, obey. Returns
// whether one does; `solves` counts.
bool tml__lcp_settle(lcp_island* p, int* solves);

// Take the forces of those sweeps as they are; false when they leave more than LCP_UNPOLISHED of the
// largest |b|.
bool tml__lcp_take_sweeps(lcp_island* p);

// w at the present forces, and the scales of the island.
void tml__lcp_velocities(lcp_island* p);

// Exchange labels until the exact solve obeys every law. Returns whether it does; `solves` counts.
bool tml__lcp_pivot(lcp_island* p, int* solves);

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

static inline bool lcp_normal_is_off(const lcp_island* p, int i)
{
    return p->rows[i].kind == LCP_FRICTION && p->label[p->rows[i].normal] == LCP_OFF;
}

#endif
