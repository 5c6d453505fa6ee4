// test/linalg/sample.h - random KKT systems for the tests and benchmarks of linalg/.
#ifndef TRAMMEL_TEST_LINALG_SAMPLE_H
#define TRAMMEL_TEST_LINALG_SAMPLE_H

#include "linalg/kkt.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A small generator (SplitMix64), so that every machine sees the same numbers.
typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_next(dice* d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double dice_unit(dice* d) { return (double)(dice_next(d) >> 11) * 0x1p-53; }
static inline double dice_range(dice* d, double lo, double hi)
{
    return lo + (hi - lo) * dice_unit(d);
}
static inline int dice_below(dice* d, int n) { return (int)(dice_next(d) % (uint64_t)n); }

// A pattern under construction and the masses behind its values.
typedef struct sample {
    int node_count, row_count, entry_count, pair_count;
    int* row_start;
    int* row_node;
    int* pair_node;
    double* mass;
} sample;

static inline void* sample_take(size_t count, size_t size)
{
    void* memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) abort();
    return memory;
}

static inline sample sample_make(int nodes, int max_rows, int max_pairs)
{
    sample s = {.node_count = nodes};
    s.row_start = sample_take((size_t)max_rows + 1, sizeof(int));
    s.row_node = sample_take(4 * (size_t)max_rows, sizeof(int));
    s.pair_node = sample_take(2 * (size_t)max_pairs, sizeof(int));
    s.mass = sample_take((size_t)nodes, sizeof(double));
    for (int a = 0; a < nodes; a++) s.mass[a] = 1.0;
    return s;
}

static inline void sample_free(sample* s)
{
    free(s->row_start);
    free(s->row_node);
    free(s->pair_node);
    free(s->mass);
}

// One row on up to three nodes; negative nodes are left out (the world).
static inline void sample_row(sample* s, int a, int b, int c)
{
    const int nodes[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (nodes[i] >= 0) s->row_node[s->entry_count++] = nodes[i];
    }
    s->row_start[++s->row_count] = s->entry_count;
}

static inline void sample_joint(sample* s, int a, int b, int rows)
{
    for (int i = 0; i < rows; i++) sample_row(s, a, b, -1);
}

static inline void sample_pair(sample* s, int a, int b)
{
    s->pair_node[2 * s->pair_count] = a;
    s->pair_node[2 * s->pair_count + 1] = b;
    s->pair_count++;
}

static inline kkt_pattern sample_pattern(const sample* s)
{
    return (kkt_pattern){.node_count = s->node_count,
                         .row_count = s->row_count,
                         .row_start = s->row_start,
                         .row_node = s->row_node,
                         .pair_count = s->pair_count,
                         .pair_node = s->pair_node};
}

// Masses between 1 and 1/ratio, evenly spread over the powers of ten.
static inline void sample_spread_masses(sample* s, double ratio, dice* d)
{
    for (int a = 0; a < s->node_count; a++) s->mass[a] = exp(-log(ratio) * dice_unit(d));
}

// A chain of nodes hanging from the world, `rows` rows a joint.
static inline sample sample_chain(int nodes, int rows)
{
    sample s = sample_make(nodes, nodes * rows, nodes);
    for (int a = 0; a < nodes; a++) sample_joint(&s, a, a - 1, rows);
    return s;
}

// A random tree with chords, as in a Hoberman sphere: more joints than nodes, no two on one pair
// of nodes unless by a rare chance. Three rows a joint stay independent.
static inline sample sample_loops(int nodes, int joints, int rows, dice* d)
{
    sample s = sample_make(nodes, joints * rows, joints);
    for (int a = 1; a < nodes; a++) {
        const int reach = a < 12 ? a : 12;
        sample_joint(&s, a, a - 1 - dice_below(d, reach), rows);
    }
    for (int j = nodes - 1; j < joints; j++) {
        const int a = dice_below(d, nodes);
        const int b = (a + 2 + dice_below(d, 18)) % nodes;
        if (a != b) sample_joint(&s, a, b, rows);
    }
    return s;
}

// K: mass and inertia with a small gyroscopic part; pairs: soft springs; rows: random directions
// with lever arms of a few tenths. Rows are independent with probability one as long as no node
// set carries more rows than it has unknowns.
static inline void sample_fill(const sample* s, kkt_values* v, dice* d)
{
    for (int a = 0; a < s->node_count; a++) {
        double* k = v->node + 36 * (size_t)a;
        for (int i = 0; i < 36; i++) k[i] = 0.0;
        for (int i = 0; i < 3; i++) {
            k[7 * i] = s->mass[a];
            k[7 * (i + 3)] = s->mass[a] * dice_range(d, 0.01, 0.1);
            for (int j = 0; j < 3; j++) {
                k[6 * (i + 3) + j + 3] += s->mass[a] * dice_range(d, -0.001, 0.001);
            }
        }
    }
    for (int p = 0; p < s->pair_count; p++) {
        const double stiff =
            0.05 * fmin(s->mass[s->pair_node[2 * p]], s->mass[s->pair_node[2 * p + 1]]);
        for (int i = 0; i < 72; i++)
            v->pair[72 * (size_t)p + (size_t)i] = stiff * dice_range(d, -0.1, 0.1);
    }
    for (int e = 0; e < s->entry_count; e++) {
        for (int i = 0; i < 6; i++) {
            v->row[6 * (size_t)e + (size_t)i] = dice_range(d, -1.0, 1.0) * (i < 3 ? 1.0 : 0.3);
        }
    }
    for (int i = 0; i < s->row_count; i++) v->compliance[i] = 0.0;
}

// The right-hand side of a solution whose parts have the size they have in a step.
static inline void sample_random(double* x, size_t count, double size, dice* d)
{
    for (size_t i = 0; i < count; i++) x[i] = size * dice_range(d, -1.0, 1.0);
}

static inline double largest(const double* x, size_t count)
{
    double value = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(x[i]) <= value)) value = fabs(x[i]);  // a NaN stays
        if (isnan(x[i])) return x[i];
    }
    return value;
}

// An allocator that counts, and fails at one chosen call.
typedef struct counting {
    int calls;
    int fail_at;  // -1: never
    int live;
} counting;

static inline void* counted_allocate(void* context, size_t bytes)
{
    counting* c = context;
    if (c->calls++ == c->fail_at) return NULL;
    void* memory = malloc(bytes);
    if (memory != NULL) c->live++;
    return memory;
}

static inline void counted_release(void* context, void* memory)
{
    counting* c = context;
    c->live--;
    free(memory);
}

#endif
