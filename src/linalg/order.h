// linalg/order.h - in which order the nodes of a graph are eliminated, and which blocks that fills.
//
// Found once per pattern. Positions are places in the elimination order; L has one block for every
// pair of positions i > j that are neighbours in the graph or become so by elimination. A tree is
// eliminated from its leaves and gets no block beyond its edges.
#ifndef TML_LINALG_ORDER_H
#define TML_LINALG_ORDER_H

#include "base/memory.h"
#include "base/message.h"

typedef struct elimination {
    int node_count;
    int block_count;    // blocks of L below the diagonal
    int* node;          // at each position
    int* position;      // of each node
    int* column_start;  // node_count + 1: the blocks of column j, their rows ascending
    int* row;           // of each block
    int* row_start;     // node_count + 1: the blocks of row i, their columns ascending
    int* row_block;     // the block
    int* row_column;    // and its column
    int* turn;          // the columns again, those that wait for none first, and so on
    double products;    // block products of one factorisation of a symmetric matrix
} elimination;

typedef struct graph {
    int node_count;
    int pair_count;
    const int* pair_node;  // two different nodes per pair; repeats are fine
    int last_count;        // that many nodes at the end are eliminated last, in their order
    // per node: such a one comes after all its neighbours that are not. Rows without a diagonal of
    // their own, which only the elimination of their bodies gives one. NULL: none.
    const bool* is_late;
} graph;

// Time and memory grow with the number of pairs and blocks. On failure there is nothing to destroy.
tml_status tml__elimination_create(elimination* e, const graph* g, const tml_allocator* allocator,
                                   message* why);
void tml__elimination_destroy(elimination* e, const tml_allocator* allocator);

// The block at two positions i > j, or -1.
int tml__elimination_find(const elimination* e, int i, int j);

#endif
