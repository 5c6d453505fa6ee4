// linalg/row_kernels.h - products with scalar rows and with 6 x 6 blocks, on padded vectors.
//
// A row touches a few nodes; its gradient takes 8 doubles a node, the last two of them zero, and so
// do the vectors it is multiplied with. Rows of a joint touch the same nodes: they form a group, and
// a kernel keeps what the group adds to a node in registers. Every instruction set gives the
// same bits.
#ifndef TML_LINALG_ROW_KERNELS_H
#define TML_LINALG_ROW_KERNELS_H

#include "linalg/block.h"

// Rows that follow each other and touch the same nodes, like those of a joint.
typedef struct row_group {
    int row;  // the first
    int row_count;
    int node_count;
    int entry;  // its first gradient; row by row, and in a row node by node
    int place;  // of its node_count^2 blocks in augmented.place
} row_group;

typedef struct row_set {
    int group_count;
    const row_group* group;
    const double* gradient;  // 8 per entry
    const int* at;           // of each entry: where its node starts in a padded vector
    bool is_long;            // more than the next cache holds: gradients are asked for early
} row_set;

// What one correction pass does with the rows; see augmented.c.
typedef struct row_pass {
    const double* push;  // gradients that multipliers push along; those of the set close the rows
    const double* dx;
    const double* weight;      // P
    const double* delta;       // extra compliance
    const double* compliance;  // E
    double* rest;              // what the rows lack: read, then written
    double* l;                 // += step
    double* step;              // P (rest - C dx)
    double* change;            // C dx + E step; scratch where no force is asked for
    double* pull;              // P rest, the new one
    double* force;             // += D^T step, D the pushing gradients; NULL: not asked for
    double* next;              // += D^T pull
} row_pass;

// What a pass of the least norm does with the rows; see least_norm.c.
typedef struct row_projection {
    const double* x;
    const double* q;
    double* mu;     // += q C x
    double* step;   // what is taken from it: -q C x
    double* force;  // += C^T step
} row_projection;

// to -= block * from, both 8 doubles of a vector
typedef struct block_product {
    const double* block;
    int from;
    int to;
} block_product;

// One instruction set.
typedef struct row_kernels {
    void (*scatter)(const row_set* s, const double* y, double* v);        // v += C^T y
    void (*gather)(const row_set* s, const double* v, double* products);  // C v
    void (*pass)(const row_set* s, const row_pass* p);
    void (*project)(const row_set* s, const row_projection* p);
    void (*subtract)(const block_product* product, int count, const double* x, double* y);
} row_kernels;

// NULL when the machine lacks it.
const row_kernels* tml__row_kernels(block_isa isa);

#endif
