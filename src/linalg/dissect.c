// linalg/dissect.c - nested dissection by coordinates.
//
// Neighbours are known, so that a cut takes only the nodes of one half that touch the other: the half
// with fewer of them. Halves are told apart by marks that name the cut, so nothing is ever cleared.
#include "linalg/dissect.h"

#include <string.h>

enum {
    LEAF = 8  // fewer nodes are not worth a cut
};

typedef struct dissection {
    const vec3* place;
    int* first;      // per node and one more: its neighbours
    int* neighbour;  //
    int* mark;       // per node: which half of which cut
    int* other;      // scratch of a set
    int cuts;
} dissection;

static tml_status list_neighbours(const graph* g, const tml_allocator* allocator, dissection* d)
{
    const size_t nodes = (size_t)g->node_count;
    d->first = tml__allocate(allocator, nodes + 2, sizeof *d->first);
    d->neighbour = tml__allocate(allocator, 2 * (size_t)g->pair_count, sizeof *d->neighbour);
    d->mark = tml__allocate(allocator, nodes, sizeof *d->mark);
    d->other = tml__allocate(allocator, nodes, sizeof *d->other);
    if (!d->first || !d->neighbour || !d->mark || !d->other) return TML_NO_MEMORY;
    for (int i = 0; i < 2 * g->pair_count; i++) d->first[g->pair_node[i] + 2]++;
    for (size_t n = 0; n < nodes; n++) d->first[n + 2] += d->first[n + 1];
    for (int i = 0; i < 2 * g->pair_count; i++) {
        d->neighbour[d->first[g->pair_node[i] + 1]++] = g->pair_node[i ^ 1];
    }
    return TML_OK;
}

// Which axis the set is longest along.
static int longest_axis(const dissection* d, const int* set, int count)
{
    vec3 low = d->place[set[0]];
    vec3 high = low;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const double x = v3_at(d->place[set[i]], k);
            if (x < v3_at(low, k)) v3_set(&low, k, x);
            if (x > v3_at(high, k)) v3_set(&high, k, x);
        }
    }
    const vec3 size = v3_sub(high, low);
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

static bool is_before(const dissection* d, int axis, int a, int b)
{
    const double x = v3_at(d->place[a], axis);
    const double y = v3_at(d->place[b], axis);
    return x < y || (x <= y && a < b);
}

// Move the first `half` along an axis to the front: quickselect with the middle of three.
static void split(const dissection* d, int axis, int* set, int count, int half)
{
    int low = 0;
    int high = count - 1;
    while (low < high) {
        const int a = set[low];
        const int b = set[low + (high - low) / 2];
        const int c = set[high];
        const bool ab = is_before(d, axis, a, b);
        const bool bc = is_before(d, axis, b, c);
        const bool ac = is_before(d, axis, a, c);
        const int pivot = ab == bc ? b : ab == ac ? c : a;
        int i = low;
        int k = high;
        while (i <= k) {
            while (is_before(d, axis, set[i], pivot)) i++;
            while (is_before(d, axis, pivot, set[k])) k--;
            if (i > k) break;
            const int moved = set[i];
            set[i++] = set[k];
            set[k--] = moved;
        }
        if (half <= k) {
            high = k;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

// How many of a half have a neighbour with this mark.
static bool touches(const dissection* d, int node, int mark)
{
    for (int e = d->first[node]; e < d->first[node + 1]; e++) {
        if (d->mark[d->neighbour[e]] == mark) return true;
    }
    return false;
}

static int count_touching(const dissection* d, const int* set, int count, int mark)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += touches(d, set[i], mark);
    return sum;
}

// The half's nodes that touch the other behind those that do not; how many do not.
static int part_half(const dissection* d, int* half, int count, int mark)
{
    int inner = 0;
    int cut = 0;
    for (int i = 0; i < count; i++) {
        if (touches(d, half[i], mark)) {
            d->other[cut++] = half[i];
        } else {
            half[inner++] = half[i];
        }
    }
    memcpy(&half[inner], d->other, (size_t)cut * sizeof *half);
    return inner;
}

// Put a set into its order of elimination, in place. As deep as the logarithm of its size.
static void dissect(dissection* d, int* set, int count)
{
    if (count <= LEAF) return;
    const int half = count / 2;
    split(d, longest_axis(d, set, count), set, count, half);
    const int mark = 2 * ++d->cuts;
    for (int i = 0; i < count; i++) d->mark[set[i]] = i < half ? mark : mark + 1;
    const int below = count_touching(d, set, half, mark + 1);
    const int above = count_touching(d, set + half, count - half, mark);
    if (above <= below) {
        const int inner = part_half(d, set + half, count - half, mark);
        dissect(d, set, half);
        dissect(d, set + half, inner);
        return;
    }
    // the cut is in the first half: behind both halves with it
    const int inner = part_half(d, set, half, mark + 1);
    const int cut = half - inner;
    memcpy(d->other, &set[inner], (size_t)cut * sizeof *set);
    memmove(&set[inner], &set[half], (size_t)(count - half) * sizeof *set);
    memcpy(&set[count - cut], d->other, (size_t)cut * sizeof *set);
    dissect(d, set, inner);
    dissect(d, set + inner, count - half);
}

tml_status tml__dissect(const graph* g, const vec3* place, const tml_allocator* allocator,
                        int* order)
{
    dissection d = {.place = place};
    const tml_status status = list_neighbours(g, allocator, &d);
    if (status == TML_OK) {
        for (int n = 0; n < g->node_count; n++) order[n] = n;
        dissect(&d, order, g->node_count);
    }
    tml__release(allocator, d.first);
    tml__release(allocator, d.neighbour);
    tml__release(allocator, d.mark);
    tml__release(allocator, d.other);
    return status;
}
