// method/generalized/border.h - the rows of a step that hold, as the border of its mass matrix.
//
//     M x - K f = r,     J x + E f = -g,      K = J^T + (friction at its bounds)      [DCON (6)-(16)]
//
// Rows that others imply are left out; with all of them taken out the system has one solution, forwards
// and transposed, by one factor of A = J M^-1 K + E.
#ifndef TML_METHOD_GENERALIZED_BORDER_H
#define TML_METHOD_GENERALIZED_BORDER_H

#include "method/generalized/contact.h"

typedef struct gen_border {
    const gen_touch* touch;  // borrowed; NULL: nothing holds
    const gen_tree* tree;    // borrowed, with its mass matrix factored
    tml_allocator allocator;
    size_t n;       // columns
    int held;       // rows that hold
    int count;      // of them: those that count
    int* row;       // of the touch
    double *J, *K;  // count x n
    double*
        MK;  // count x n: M^-1 K, a row each; only where it is wanted, or the caller has filled K
    double* A;     // count x count, factored unless it is deficient
    double* rest;  // count: f after tml__gen_border_solve
    double* give;  // count: E
    int* pivot;
    bool is_tied;           // some row neither pushes nor parts: the other side has other slopes
    bool is_rank_doubtful;  // a row was nearly taken for the other kind
    bool wants_MK;          // set by the caller
    double *space, *more;   // J .. rest; lifted rows and a second matrix, then scratch

    // Rows that slide and depend on each other: their forces are the least that solve the step, f = -A^+ b.
    bool may_be_deficient;  // set by the caller: he knows what to do
    bool is_deficient;
    double* spare;   // memory of the below
    int spare_room;  // rows there is room for
    int rank;        // of A
    double* Q;       // count x count: A by reflections, its columns in the order of `pivot`
    double* gram;    // rank x rank: R R^T, factored
    double* tau;     // count, and as many numbers of scratch
    int capacity;    // rows there is room for
} gen_border;

// `labels`: one per row of the touch; those of its step, or others to be tried. The tree is factored, and the rows
// are lifted by that factor.
// TML_SINGULAR: contacts that slide have no unique forces. `why` says so.
tml_status tml__gen_border_fill(gen_border* b, const gen_touch* touch, const gen_tree* tree,
                                const unsigned char* labels, message* why);
void tml__gen_border_release(gen_border* b);

// The same for rows that somebody else chooses: room for so many of them; then J, K, give and count, which
// the caller fills, as a system to be solved.
tml_status tml__gen_border_open(gen_border* b, const gen_tree* tree, int rows, message* why);
tml_status tml__gen_border_close(gen_border* b, message* why);

// x from r, in place, f into b->rest; g: `stride` apart, NULL: zero.
void tml__gen_border_solve(gen_border* b, double* x, const double* g, size_t stride);

// The same for many: x has a row of `wide` per column of the tree, g one per row of the border, lost.
void tml__gen_border_solve_many(const gen_border* b, size_t wide, double* x, double* g);

// Transposed: gradients y by r from those by x, in place, and by f (NULL: none); b->rest receives those by g.
void tml__gen_border_solve_transposed(gen_border* b, double* x, const double* f);

// K^T M^-1 x, a number a row, and x + M^-1 K f in place, whatever is wanted.
void tml__gen_border_weigh(const gen_border* b, const double* x, double* out);
void tml__gen_border_push(const gen_border* b, const double* f, double* x);

// Where the border is deficient: x = A^+ x, and x = (1 - A^+ A) x; or with the transposed. `scratch`: count.
void tml__gen_border_least(const gen_border* b, bool is_transposed, double* x);
void tml__gen_border_project(const gen_border* b, bool is_transposed, double* x, double* scratch);

#endif
