// linalg/rank.h - which rows of a large sparse matrix follow from others.
//
// J W J^T by blocks of rows, W a positive scale of each node, is eliminated in an order that fills little. What is left
// of a row's diagonal entry once all rows before it are eliminated is the square of the part of the row that they do
// not say. Where that vanishes the row is left out and elimination goes on without it, so that the rows that
// remain say what all of them said. Squares: parts below about 1e-7 of a row cannot be told from rounding.
#ifndef TML_LINALG_RANK_H
#define TML_LINALG_RANK_H

#include "base/memory.h"
#include "base/message.h"

#include <stdbool.h>

enum {
    RANK_MAX_WIDTH = 6  // rows of one group
};

// Rows on nodes of six unknowns, as in kkt_pattern. Rows of a group are neighbours and are eliminated
// together; groups are numbered from 0 in the order of their rows, -1: the row does not count.
typedef struct rank_rows {
    int node_count;
    int row_count;
    const int* row_start;  // row_count + 1
    const int* row_node;   // per entry
    const double* value;   // 6 per entry
    int group_count;
    const int* group;  // per row
    const bool*
        is_late;  // per group: after its neighbours that are not, so that it is left out rather than they; NULL: none
} rank_rows;

typedef struct rank_report {
    int implied;     // rows that were left out
    double kept;     // the smallest part of a row that was kept, squared and relative to the row,
    double dropped;  // and the largest of one that was not: `kept` over `dropped` is the gap
    double flops;
} rank_report;

// A row is implied where its squared part is at most `tolerance` of its square. is_implied: per row; false
// where it does not count. TML_UNSUPPORTED: some node has too many groups, or the work is beyond `most_flops`.
tml_status tml__rank_find(const rank_rows* rows, double tolerance, double most_flops,
                          const tml_allocator* allocator, bool* is_implied, rank_report* report);

#endif
