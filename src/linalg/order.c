// linalg/order.c - fill-reducing order (the one wrapper of AMD) and the pattern of the factor.
//
// AMD orders the nodes. The elimination tree then gives the pattern of L row by row: the blocks
// of row i are the nodes on the tree's paths from the neighbours k < i of i up towards i. Writing
// rows in ascending order makes every column sorted without sorting.
#include "linalg/order.h"

#include <amd.h>

#include <limits.h>
#include <string.h>

enum {
    MOST_IN_TURN = 512  // columns: their factor still fits a second-level cache
};

// What only the analysis needs.
typedef struct analysis {
    int* start;     // node_count + 1: lower neighbours of each position, repeats included
    int* lower;     // pair_count
    int* parent;    // in the elimination tree, -1 at a root
    int* ancestor;  // a shortcut upwards; later the next free place of a column
    int* visitor;   // the last row that passed here
} analysis;

void tml__elimination_destroy(elimination* e, const tml_allocator* allocator)
{
    tml__release(allocator, e->node);
    tml__release(allocator, e->position);
    tml__release(allocator, e->column_start);
    tml__release(allocator, e->row);
    tml__release(allocator, e->row_start);
    tml__release(allocator, e->row_block);
    tml__release(allocator, e->row_column);
    tml__release(allocator, e->turn);
    *e = (elimination){0};
}

static void analysis_destroy(analysis* a, const tml_allocator* allocator)
{
    tml__release(allocator, a->start);
    tml__release(allocator, a->lower);
    tml__release(allocator, a->parent);
    tml__release(allocator, a->ancestor);
    tml__release(allocator, a->visitor);
}

static int* take(const tml_allocator* allocator, int count)
{
    return tml__allocate(allocator, (size_t)count, sizeof(int));
}

static bool analysis_create(analysis* a, int n, int pairs, const tml_allocator* allocator)
{
    *a = (analysis){.start = take(allocator, n + 1),
                    .lower = take(allocator, pairs),
                    .parent = take(allocator, n),
                    .ancestor = take(allocator, n),
                    .visitor = take(allocator, n)};
    return a->start && a->lower && a->parent && a->ancestor && a->visitor;
}

// List, for the higher position of every pair, the lower one. Without positions: by node number,
// and only pairs of the first n nodes.
static void list_neighbours(analysis* a, const int* position, int n, int pairs,
                            const int* pair_node)
{
    memset(a->start, 0, ((size_t)n + 1) * sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < pairs; p++) {
            const int i = position ? position[pair_node[2 * p]] : pair_node[2 * p];
            const int j = position ? position[pair_node[2 * p + 1]] : pair_node[2 * p + 1];
            const int high = i > j ? i : j;
            if (high >= n) continue;
            if (pass == 0)
                a->start[high]++;
            else
                a->lower[--a->start[high]] = i > j ? j : i;
        }
        // counts become ends, which the second pass turns into starts
        for (int i = 1; pass == 0 && i <= n; i++) a->start[i] += a->start[i - 1];
    }
}

// Put every late node off until the last of its early neighbours has come, and no longer.
static void put_off(elimination* e, analysis* a, const graph* g)
{
    const int n = e->node_count;
    int* due = a->parent;     // of a late node: the place after which it may come
    int* first = a->visitor;  // the late nodes due after a place, as a list
    int* next = a->ancestor;
    int* wanted = a->start;  // AMD's order

    memcpy(wanted, e->node, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        due[i] = e->position[i];
        first[i] = -1;
    }
    for (int p = 0; p < 2 * g->pair_count; p++) {
        const int late = g->pair_node[p];
        const int early = g->pair_node[p ^ 1];
        if (!g->is_late[late] || g->is_late[early]) continue;
        if (e->position[early] > due[late]) due[late] = e->position[early];
    }
    for (int i = n - 1; i >= 0; i--) {
        const int node = wanted[i];
        if (due[node] == i) continue;
        next[node] = first[due[node]];
        first[due[node]] = node;
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (due[wanted[i]] == i) e->node[count++] = wanted[i];
        for (int node = first[i]; node >= 0; node = next[node]) e->node[count++] = node;
    }
}

static tml_status find_order(elimination* e, analysis* a, const graph* g, message* why)
{
    const int n = g->node_count;
    const int free = n - g->last_count;

    list_neighbours(a, NULL, free, g->pair_count, g->pair_node);
    if (free > 0 && amd_order(free, a->start, a->lower, e->node, NULL, NULL) < 0) {
        return tml__fail(why, TML_NO_MEMORY, "no memory to order %d nodes", n);
    }
    for (int i = free; i < n; i++) e->node[i] = i;
    for (int i = 0; i < n; i++) e->position[e->node[i]] = i;
    if (g->is_late != NULL) {
        put_off(e, a, g);
        for (int i = 0; i < n; i++) e->position[e->node[i]] = i;
    }
    list_neighbours(a, e->position, n, g->pair_count, g->pair_node);
    return TML_OK;
}

// parent[j] is the first row below the diagonal of column j of L.
static void find_tree(const elimination* e, analysis* a)
{
    for (int i = 0; i < e->node_count; i++) {
        a->parent[i] = -1;
        a->ancestor[i] = -1;
        for (int p = a->start[i]; p < a->start[i + 1]; p++) {
            int k = a->lower[p];
            while (k != -1 && k < i) {
                const int next = a->ancestor[k];
                a->ancestor[k] = i;
                if (next == -1) a->parent[k] = i;
                k = next;
            }
        }
    }
}

// Visit every block of L, rows ascending, calling it once: count it, or write its row.
static long long visit_blocks(const elimination* e, analysis* a, int* count, int* row)
{
    long long blocks = 0;

    for (int i = 0; i < e->node_count; i++) a->visitor[i] = -1;
    for (int i = 0; i < e->node_count; i++) {
        a->visitor[i] = i;
        for (int p = a->start[i]; p < a->start[i + 1]; p++) {
            for (int k = a->lower[p]; a->visitor[k] != i; k = a->parent[k]) {
                a->visitor[k] = i;
                if (row != NULL) row[count[k]] = i;
                count[k]++;
                blocks++;
            }
        }
    }
    return blocks;
}

static void list_rows(elimination* e, int* next)
{
    const int n = e->node_count;

    memset(e->row_start, 0, ((size_t)n + 1) * sizeof(int));
    for (int b = 0; b < e->block_count; b++) e->row_start[e->row[b] + 1]++;
    for (int i = 0; i < n; i++) e->row_start[i + 1] += e->row_start[i];
    for (int i = 0; i < n; i++) next[i] = e->row_start[i];
    for (int j = 0; j < n; j++) {
        for (int b = e->column_start[j]; b < e->column_start[j + 1]; b++) {
            const int place = next[e->row[b]]++;
            e->row_block[place] = b;
            e->row_column[place] = j;
        }
    }
}

// Columns by how many others must come before them, one after the other: neighbours in this order do not
// wait for each other, so that a processor works on several at once. What a column is made of, and in which
// order, stays the same. Where there are many columns, what follows each other in memory counts for more.
static void find_turns(elimination* e, int* level, int* next)
{
    const int n = e->node_count;
    int levels = 0;

    for (int j = 0; j < n; j++) {
        level[j] = 0;
        for (int p = e->row_start[j]; p < e->row_start[j + 1] && n <= MOST_IN_TURN; p++) {
            const int after = level[e->row_column[p]] + 1;
            if (after > level[j]) level[j] = after;
        }
        if (level[j] >= levels) levels = level[j] + 1;
    }
    int first = 0;
    for (int l = 0; l < levels; l++) {
        next[l] = first;
        for (int j = 0; j < n; j++) first += level[j] == l ? 1 : 0;
    }
    for (int j = 0; j < n; j++) e->turn[next[level[j]]++] = j;
}

static tml_status find_blocks(elimination* e, analysis* a, const tml_allocator* allocator,
                              message* why)
{
    const int n = e->node_count;
    int* count = a->ancestor;  // no longer needed as such

    memset(count, 0, (size_t)n * sizeof(int));
    const long long blocks = visit_blocks(e, a, count, NULL);
    if (blocks > INT_MAX / 2) {
        return tml__fail(why, TML_UNSUPPORTED, "the factor would have %lld blocks", blocks);
    }
    e->block_count = (int)blocks;
    e->row = take(allocator, e->block_count);
    e->row_block = take(allocator, e->block_count);
    e->row_column = take(allocator, e->block_count);
    if (!e->row || !e->row_block || !e->row_column) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %d blocks", e->block_count);
    }
    int first = 0;
    for (int j = 0; j < n; j++) {
        const double length = count[j];
        e->products += 0.5 * length * (length + 1.0);
        e->column_start[j] = first;
        first += count[j];
        count[j] = e->column_start[j];
    }
    e->column_start[n] = first;
    visit_blocks(e, a, count, e->row);
    list_rows(e, count);
    find_turns(e, a->visitor, count);
    return TML_OK;
}

tml_status tml__elimination_create(elimination* e, const graph* g, const tml_allocator* allocator,
                                   message* why)
{
    const int node_count = g->node_count;
    analysis a = {0};
    tml_status status = TML_OK;

    *e = (elimination){.node_count = node_count,
                       .node = take(allocator, node_count),
                       .position = take(allocator, node_count),
                       .column_start = take(allocator, node_count + 1),
                       .row_start = take(allocator, node_count + 1),
                       .turn = take(allocator, node_count)};
    if (!analysis_create(&a, node_count, g->pair_count, allocator) || !e->node || !e->position ||
        !e->column_start || !e->row_start || !e->turn) {
        status = tml__fail(why, TML_NO_MEMORY, "no memory for a graph of %d nodes", node_count);
    }
    if (status == TML_OK) status = find_order(e, &a, g, why);
    if (status == TML_OK) {
        find_tree(e, &a);
        status = find_blocks(e, &a, allocator, why);
    }
    analysis_destroy(&a, allocator);
    if (status != TML_OK) tml__elimination_destroy(e, allocator);
    return status;
}

int tml__elimination_find(const elimination* e, int i, int j)
{
    int low = e->column_start[j];
    int high = e->column_start[j + 1] - 1;

    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (e->row[middle] == i) return middle;
        if (e->row[middle] < i)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
