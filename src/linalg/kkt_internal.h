// linalg/kkt_internal.h - what the front of the KKT solver (kkt.c) and its engines share.
#ifndef TML_LINALG_KKT_INTERNAL_H
#define TML_LINALG_KKT_INTERNAL_H

#include "base/memory.h"
#include "linalg/kkt.h"

enum {
    KKT_WIDTH = 6,
    KKT_BLOCK = KKT_WIDTH * KKT_WIDTH
};

typedef enum kkt_side {
    KKT_PLAIN,
    KKT_TRANSPOSED,
} kkt_side;

// One method. The matrix is frozen by `factor`: `solve` must not look at the values again, because
// the caller may have begun to write the next ones.
typedef struct kkt_engine {
    tml_status (*create)(kkt* k, message* why);
    void (*destroy)(kkt* k);
    bool checks_values;  // `factor` itself refuses what is not finite
    tml_status (*factor)(kkt* k, int* bad_row);
    tml_status (*solve)(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl);
    // both at less than their cost; NULL: there is nothing to gain
    tml_status (*factor_solve)(kkt* k, const kkt_sides* sides, int* bad_row);
    kkt_statistics (*statistics)(const kkt* k);
    void (*forget)(kkt* k);  // NULL where nothing is remembered
    // NULL in engines that refuse redundant rows: nothing is left over, nothing is to choose
    double (*row_residual)(const kkt* k, int* row);
    tml_status (*least_norm)(kkt* k, const double* weights, double* lambda);
    void (*relax)(kkt* k, double* lambda, double* force);
} kkt_engine;

struct kkt {
    tml_allocator allocator;
    kkt_method method;
    const kkt_engine* engine;
    void* state;  // of the engine

    // the pattern, copied
    int node_count;
    int row_count;
    int pair_count;
    int entry_count;  // row_start[row_count]
    int* row_start;
    int* row_node;
    int* pair_node;

    kkt_values values;
    int max_passes;  // of iterative solves
    bool is_factored;
};

extern const kkt_engine tml__kkt_dense;
extern const kkt_engine tml__kkt_klu;
extern const kkt_engine tml__kkt_augmented;
extern const kkt_engine tml__kkt_nodes;
extern const kkt_engine tml__kkt_two_step;

// Powers of two close to 1 / sqrt(x) and 1 / x: scaling by them rounds nothing.
double tml__kkt_inverse_root(double x);
double tml__kkt_inverse(double x);

// What multipliers push with: `push` of a two-sided system, else `row`.
const double* tml__kkt_push(const kkt* k);

// False when a value is infinite or not a number; *row is the row it belongs to, or -1.
bool tml__kkt_is_finite(const kkt* k, int* row);

#endif
