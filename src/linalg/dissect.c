// linalg/dissect.c - nested dissection by distances from landmarks.
//
// Of a connected part, landmarks are taken one after the other, each as far from the others as
// possible: on a net they are its corners. The difference of the distances from two of them orders the
// part along a direction (two corners of one side of a net: along that side). For every place at which that order may be
// cut, the separator is the nodes behind the cut with a neighbour before it, or those before it with
// one behind; one pass over the edges counts them for all places. The smallest separator that leaves a
// quarter of the nodes on each side is taken.
#include "linalg/dissect.h"

#include "base/request.h"

#include <string.h>

enum {
    LANDMARKS = 4,
    LEAF = 3,    // parts of so many nodes are not cut
    FEW = 32,    // smaller ones by two landmarks only
    LISTS = 14,  // arrays of the work below
};

typedef struct dissection {
    int* start;  // per node, and one more: its neighbours
    int* list;
    int* part;                 // per node: the first place of its part
    int* order;                // of the caller
    int* queue;                // breadth first
    int* distance[LANDMARKS];  // per node
    int* key;                  // per node: where a cut may part it from others
    int* before;               // per key: nodes with a smaller one
    int* behind;               // per key: separator behind a cut there,
    int* ahead;                // and before it
    int* swap;
    int* stack;  // parts that remain, as first and last place
} dissection;

static int list_all(dissection* d, const graph* g, request list[LISTS])
{
    const size_t n = (size_t)g->node_count;
    const request all[LISTS] = {
        {&d->start, n + 1, sizeof(int)},
        {&d->list, 2 * (size_t)g->pair_count, sizeof(int)},
        {&d->part, n, sizeof(int)},
        {&d->queue, n, sizeof(int)},
        {&d->distance[0], n, sizeof(int)},
        {&d->distance[1], n, sizeof(int)},
        {&d->distance[2], n, sizeof(int)},
        {&d->distance[3], n, sizeof(int)},
        {&d->key, n, sizeof(int)},
        {&d->before, 2 * n + 2, sizeof(int)},
        {&d->behind, 2 * n + 2, sizeof(int)},
        {&d->ahead, 2 * n + 2, sizeof(int)},
        {&d->swap, n, sizeof(int)},
        {&d->stack, 2 * n + 4, sizeof(int)},
    };
    memcpy(list, all, sizeof all);
    return LISTS;
}

static void list_neighbours(dissection* d, const graph* g)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < 2 * g->pair_count; p++) {
            const int node = g->pair_node[p];
            if (pass == 0)
                d->start[node]++;
            else
                d->list[--d->start[node]] = g->pair_node[p ^ 1];
        }
        // counts become ends, which the second pass turns into starts
        for (int i = 1; pass == 0 && i <= g->node_count; i++) d->start[i] += d->start[i - 1];
    }
}

// Distances within a part from one of its nodes; how many nodes it reaches, which the queue lists.
static int measure(dissection* d, int from, int part, int* distance)
{
    int count = 1;
    d->queue[0] = from;
    distance[from] = 0;
    d->part[from] = -1 - part;  // seen
    for (int next = 0; next < count; next++) {
        const int node = d->queue[next];
        for (int e = d->start[node]; e < d->start[node + 1]; e++) {
            const int other = d->list[e];
            if (d->part[other] != part) continue;
            d->part[other] = -1 - part;
            distance[other] = distance[node] + 1;
            d->queue[count++] = other;
        }
    }
    for (int i = 0; i < count; i++) d->part[d->queue[i]] = part;
    return count;
}

// The node whose distance to the landmarks so far is largest, the first of equals.
static int find_farthest(const dissection* d, int first, int last, int landmarks)
{
    int best = d->order[first];
    int most = -1;
    for (int i = first; i < last; i++) {
        const int node = d->order[i];
        int nearest = d->distance[0][node];
        for (int k = 1; k < landmarks; k++) {
            if (d->distance[k][node] < nearest) nearest = d->distance[k][node];
        }
        if (nearest <= most) continue;
        most = nearest;
        best = node;
    }
    return best;
}

typedef struct cut {
    int a, b;         // landmarks
    int key;          // nodes with smaller keys are on one side
    bool is_behind;   // where the separator is
    int size, apart;  // of the separator, and by how much the sides differ
} cut;

// Keys are differences of distances, from zero on; how many values they may have.
static int find_keys(dissection* d, int first, int last, int a, int b)
{
    int lowest = 0;
    int highest = 0;
    for (int i = first; i < last; i++) {
        const int node = d->order[i];
        const int key = d->distance[a][node] - d->distance[b][node];
        d->key[node] = key;
        if (i == first || key < lowest) lowest = key;
        if (i == first || key > highest) highest = key;
    }
    for (int i = first; i < last; i++) d->key[d->order[i]] -= lowest;
    return highest - lowest + 1;
}

// For a cut before each key: nodes before it, and the separators on both of its sides.
static void count_cuts(dissection* d, int first, int last, int keys)
{
    const size_t bytes = ((size_t)keys + 1) * sizeof(int);
    memset(d->before, 0, bytes);
    memset(d->behind, 0, bytes);
    memset(d->ahead, 0, bytes);
    for (int i = first; i < last; i++) {
        const int node = d->order[i];
        const int own = d->key[node];
        int lowest = own;
        int highest = own;
        for (int e = d->start[node]; e < d->start[node + 1]; e++) {
            const int other = d->list[e];
            if (d->part[other] != d->part[node]) continue;
            if (d->key[other] < lowest) lowest = d->key[other];
            if (d->key[other] > highest) highest = d->key[other];
        }
        d->before[own + 1]++;
        // behind every cut in (lowest, own], before every cut in (own, highest]
        d->behind[lowest + 1]++;
        d->behind[own + 1]--;
        d->ahead[own + 1]++;
        d->ahead[highest + 1]--;
    }
    for (int k = 1; k <= keys; k++) {
        d->before[k] += d->before[k - 1];
        d->behind[k] += d->behind[k - 1];
        d->ahead[k] += d->ahead[k - 1];
    }
}

static void consider(cut* best, int left, int right, const cut* c, int least)
{
    if (left < least || right < least) return;
    const int apart = left > right ? left - right : right - left;
    const bool is_better =
        best->size < 0 || c->size < best->size || (c->size == best->size && apart < best->apart);
    if (!is_better) return;
    *best = *c;
    best->apart = apart;
}

static void find_cuts(dissection* d, int first, int last, int a, int b, cut* best)
{
    const int count = last - first;
    const int least = count >= 8 ? count / 4 : 1;
    const int keys = find_keys(d, first, last, a, b);
    count_cuts(d, first, last, keys);
    for (int k = 1; k < keys; k++) {
        const int before = d->before[k];
        const cut behind = {a, b, k, true, d->behind[k], 0};
        const cut ahead = {a, b, k, false, d->ahead[k], 0};
        consider(best, before, count - before - behind.size, &behind, least);
        consider(best, before - ahead.size, count - before, &ahead, least);
    }
}

// 0: before the cut, 1: behind it, 2: in the separator.
static int side_of(const dissection* d, int node, const cut* c)
{
    const bool is_behind = d->key[node] >= c->key;
    if (is_behind == c->is_behind) {
        for (int e = d->start[node]; e < d->start[node + 1]; e++) {
            const int other = d->list[e];
            if (d->part[other] != d->part[node]) continue;
            if ((d->key[other] >= c->key) != is_behind) return 2;
        }
    }
    return is_behind ? 1 : 0;
}

// Both sides, then the separator; the parts that remain are put on the stack.
static void split(dissection* d, int first, int last, const cut* c, int* depth)
{
    int ends[3] = {0, 0, 0};
    int at = 0;
    find_keys(d, first, last, c->a, c->b);
    for (int side = 0; side < 3; side++) {
        for (int i = first; i < last; i++) {
            if (side_of(d, d->order[i], c) == side) d->swap[at++] = d->order[i];
        }
        ends[side] = first + at;
    }
    memcpy(&d->order[first], d->swap, (size_t)(last - first) * sizeof(int));
    // an order of their own marks the sides; the separator belongs to no part any more
    for (int i = first; i < last; i++) d->part[d->order[i]] = i < ends[0] ? first : ends[0];
    for (int i = ends[1]; i < last; i++) d->part[d->order[i]] = -1;
    d->stack[(*depth)++] = first;
    d->stack[(*depth)++] = ends[0];
    d->stack[(*depth)++] = ends[0];
    d->stack[(*depth)++] = ends[1];
}

// What is not connected is parted first.
static void part_components(dissection* d, int first, int last, int* depth)
{
    const int part = d->part[d->order[first]];
    int at = first;
    for (int i = first; i < last; i++) {
        if (d->part[d->order[i]] != part) continue;
        const int count = measure(d, d->order[i], part, d->distance[0]);
        for (int k = 0; k < count; k++) {
            d->swap[at - first + k] = d->queue[k];
            d->part[d->queue[k]] = -1;
        }
        d->stack[(*depth)++] = at;
        at += count;
        d->stack[(*depth)++] = at;
    }
    memcpy(&d->order[first], d->swap, (size_t)(last - first) * sizeof(int));
    for (int s = *depth; at > first; s -= 2) {
        const int from = d->stack[s - 2];
        for (int i = from; i < at; i++) d->part[d->order[i]] = from;
        at = from;
    }
}

static void dissect_part(dissection* d, int first, int last, int* depth)
{
    const int count = last - first;
    const int landmarks = count < FEW ? 2 : LANDMARKS;
    const int part = d->part[d->order[first]];
    const int reached = measure(d, d->order[first], part, d->distance[0]);
    if (reached < count) {
        part_components(d, first, last, depth);
        return;
    }
    measure(d, d->queue[reached - 1], part, d->distance[0]);
    for (int k = 1; k < landmarks; k++) {
        measure(d, find_farthest(d, first, last, k), part, d->distance[k]);
    }
    cut best = {.size = -1};
    for (int a = 0; a < landmarks; a++) {
        for (int b = a + 1; b < landmarks; b++) find_cuts(d, first, last, a, b, &best);
    }
    if (best.size >= 0) split(d, first, last, &best, depth);
}

tml_status tml__dissect(const graph* g, const tml_allocator* allocator, int* order)
{
    dissection d = {.order = order};
    request list[LISTS];
    const int lists = list_all(&d, g, list);
    const tml_status status = tml__take_all(allocator, list, lists);
    if (status == TML_OK) {
        int depth = 2;
        list_neighbours(&d, g);
        for (int i = 0; i < g->node_count; i++) order[i] = i;
        d.stack[0] = 0;
        d.stack[1] = g->node_count;
        while (depth > 0) {
            const int last = d.stack[--depth];
            const int first = d.stack[--depth];
            if (last - first > LEAF) dissect_part(&d, first, last, &depth);
        }
    }
    tml__release_all(allocator, list, lists);
    return status;
}
