// linalg/kkt.h - the one linear system of every implicit step, and the solvers behind it.
//
//     [ K  -C^T ] [dx]   [r]        K: 6 x 6 node blocks, and blocks that couple pairs of nodes
//     [ C   E   ] [dl] = [c]        C: rows on nodes;  E >= 0: diagonal, compliance of rows
//
// Where multipliers push along other gradients than those that the rows are closed by (those of
// the state before, in the variational formulation) C^T is D^T: the system is two-sided.
//
// A formulation states the *pattern* once (which nodes a row or a pair touches), then rewrites
// the *values* each Newton iteration. It knows neither the ordering nor the method. A row that is
// switched off (a limit nobody touches) has zero gradients and E = 1, so the pattern never changes
// inside a step.
#ifndef TML_LINALG_KKT_H
#define TML_LINALG_KKT_H

#include "base/message.h"

#include <stdbool.h>

typedef enum kkt_method {
    KKT_AUTO,        // by size
    KKT_AUTO_NODES,  // the same, with KKT_NODES for large systems
    KKT_DENSE,       // LU with partial pivoting of the whole matrix
    KKT_KLU,         // sparse LU with pivoting of the whole matrix
    KKT_AUGMENTED,   // block factor of K + C^T P C on the node graph; keeps redundant rows
    KKT_NODES,       // block LU with the rows as unknowns: trees in linear time, loops when few
    KKT_TWO_STEP,    // K alone, then the full compliance matrix of the rows: few independent rows
    KKT_NONE,        // no matrix at all (NULL): the formulation brings its own solver
} kkt_method;

// Which blocks exist. Copied by tml__kkt_create.
typedef struct kkt_pattern {
    int node_count;        // nodes of 6 unknowns
    int row_count;         // scalar rows
    const int* row_start;  // row_count + 1: entries of row i are row_start[i] .. row_start[i+1]-1
    const int* row_node;   // the node of each entry; the nodes of one row are distinct
    int pair_count;        // couplings K_ab, K_ba between two different nodes; repeats allowed
    const int* pair_node;  // 2 per pair: a, b
} kkt_pattern;

// Where a formulation writes. All row-major, all owned by the kkt object.
typedef struct kkt_values {
    double* node;        // 36 per node: K_aa
    double* pair;        // 72 per pair: K_ab (36) then K_ba (36)
    double* row;         // 6 per entry: dC_i/d(node)
    double* push;        // 6 per entry: D, what a unit multiplier pushes the node with
    bool is_two_sided;   // `push` counts; false, and after tml__kkt_clear: it is `row`
    double* compliance;  // 1 per row: E_ii
    bool is_pairless;    // all `pair` are zero, says who filled; false after tml__kkt_clear
    bool
        is_kept;  // nobody writes here before the last solve with their factor, says who filled; so no
                  // copy is needed for refinement; false after tml__kkt_clear
    bool has_rows;  // `row` and `compliance` are filled, says who did; false after tml__kkt_clear
} kkt_values;

typedef struct kkt kkt;  // opaque

tml_status tml__kkt_create(const kkt_pattern* pattern, kkt_method method,
                           const tml_allocator* allocator, message* why, kkt** out);
void tml__kkt_destroy(kkt* k);

kkt_method tml__kkt_method(const kkt* k);  // what KKT_AUTO became
kkt_values* tml__kkt_values(kkt* k);
kkt_pattern tml__kkt_pattern(const kkt* k);  // as given; borrowed
void tml__kkt_clear(kkt* k);                 // all values to zero
void tml__kkt_clear_blocks(kkt* k);          // for callers that write every row
void tml__kkt_clear_pairs(kkt* k);           // and every node

// `push` becomes what `row` is, which is then to be filled again: the two change places, so that pointers
// to either are to be asked for again.
void tml__kkt_push_rows(kkt* k);

// Factor the values as they stand. TML_SINGULAR: no unique solution; *bad_row is a row whose
// elimination failed, or -1 when it was a node (or nothing certain is known).
tml_status tml__kkt_factor(kkt* k, int* bad_row);

// Forget what earlier factorisations taught (pivots that were kept for the next one), so that the
// bits of what follows depend on the values alone. Called where a step begins: a simulation that
// was restored, or that has seen a failed step, must go on like one that was not.
void tml__kkt_forget(kkt* k);

// Solve with the last factor: r (6 per node) and c (1 per row) in, dx and dl out; in place is fine.
tml_status tml__kkt_solve(kkt* k, const double* r, const double* c, double* dx, double* dl);

// Factor the values as they stand and solve: the bits of the two calls, and their statuses.
typedef struct kkt_sides {
    const double *r, *c;
    double *dx, *dl;  // in place is fine
} kkt_sides;

tml_status tml__kkt_factor_solve(kkt* k, const kkt_sides* sides, int* bad_row);

// How many correction passes a solve of KKT_AUGMENTED may take: 30 unless said, fewer when nothing
// is left to correct. A Newton iteration corrects itself: two do. The other methods are direct;
// KKT_NODES refines once if 30 are asked for before factoring and solving.
void tml__kkt_set_passes(kkt* k, int passes);

// Solve with the transposed matrix [ K^T C^T ; -C E ], two-sided [ K^T C^T ; -D E ].
tml_status tml__kkt_solve_transposed(kkt* k, const double* r, const double* c, double* dx,
                                     double* dl);

// The largest |c - C dx - E dl| that the last solve left, and its row (-1: none). Zero up to rounding
// unless redundant rows of KKT_AUGMENTED ask for different things: then dx satisfies them as well as
// possible and this tells by how much they contradict each other. The other methods refuse such rows.
double tml__kkt_row_residual(const kkt* k, int* row);

// Among all multipliers with the same force C^T lambda, the ones with the smallest sum of
// weight_i lambda_i^2; in place, for the rows as they stand (one-sided); the last factor is lost. NULL: all weights 1. Rows with
// compliance keep their multipliers: these are physical, not a choice. Where rows are
// independent nothing changes. TML_NOT_CONVERGED: lambda is untouched.
tml_status tml__kkt_least_norm(kkt* k, const double* weights, double* lambda);

// Take out of multipliers what rows push against each other, with the last factor and to its
// accuracy only: a first guess for a solve that goes on from there. In *force (6 per node) comes
// C^T (lambda before - lambda after), exactly. Nothing changes where rows cannot be redundant.
void tml__kkt_relax(kkt* k, double* lambda, double* force);

// y = matrix * x with the values as they stand, for residual checks and tests.
void tml__kkt_apply(const kkt* k, const double* dx, const double* dl, double* r, double* c);

// r += K x, and r += K^T x: the node and pair blocks alone, with the values as they stand.
void tml__kkt_add_blocks(const kkt* k, const double* x, double* r);
void tml__kkt_add_blocks_transposed(const kkt* k, const double* x, double* r);

// Sizes for `explain`: unknowns, stored blocks or entries of the factor, flops of one
// factorisation (0 where unknown), and how often the last solve went through the factor.
typedef struct kkt_statistics {
    int unknowns;
    long long factor_entries;
    double factor_flops;
    int passes;
    bool is_symmetric;  // the last factor is that of the symmetric part (KKT_AUGMENTED)
    double penalty[2];  // KKT_AUGMENTED: of rows that shift and that turn, over the heaviest node,
    double full_penalty;  // and what they are unless light nodes would lose their digits
} kkt_statistics;

kkt_statistics tml__kkt_statistics(const kkt* k);

#endif
