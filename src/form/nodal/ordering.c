// form/nodal/ordering.c - in which order the free vertices are eliminated.
//
// Small systems leave that to the block engine (minimum degree). Larger ones are also dissected by where
// their vertices are at rest, both ways are counted, and where dissection takes fewer operations the
// nodes are numbered by it.
#include "base/memory.h"
#include "form/nodal/nodal_internal.h"
#include "linalg/dissect.h"

enum {
    DISSECT_LEAST = 400  // free vertices
};

typedef struct ordering {
    int* pair;      // 2 a pair of free nodes
    int* order;     // nodes by elimination
    int* position;  // of each node
} ordering;

static int list_pairs(const nodal_system* s, int* pair)
{
    int count = 0;
    for (int i = 0; i < s->element_count; i++) {
        for (int k = 0; k < 16; k++) {
            const int a = s->elements[i].node[k / 4];
            const int b = s->elements[i].node[k % 4];
            if (k / 4 >= k % 4 || a < 0 || b < 0) continue;
            if (a >= s->free_count || b >= s->free_count) continue;
            pair[2 * (size_t)count] = a;
            pair[2 * (size_t)count++ + 1] = b;
        }
    }
    return count;
}

static tml_status count_products(const nodal_system* s, const graph* g, message* why,
                                 double* products)
{
    elimination e = {0};
    const tml_status status = tml__elimination_create(&e, g, &s->allocator, why);
    if (status != TML_OK) return status;
    *products = e.products;
    tml__elimination_destroy(&e, &s->allocator);
    return TML_OK;
}

// Node k becomes the one that is eliminated in the k-th place.
static tml_status renumber(nodal_system* s, const ordering* o, pool* scratch)
{
    const size_t nodes = (size_t)s->free_count;
    int* vertex = tml__pool_copy(scratch, s->vertex, nodes, sizeof *vertex);
    double* lump = tml__pool_copy(scratch, s->lump, nodes, sizeof *lump);
    double* share = tml__pool_copy(scratch, s->share, nodes, sizeof *share);
    if (vertex == NULL || lump == NULL || share == NULL) return TML_NO_MEMORY;
    for (int k = 0; k < s->free_count; k++) {
        s->vertex[k] = vertex[o->order[k]];
        s->lump[k] = lump[o->order[k]];
        s->share[k] = share[o->order[k]];
        s->node[s->vertex[k]] = k;
    }
    for (int i = 0; i < s->element_count; i++) {
        nodal_element* e = &s->elements[i];
        for (int a = 0; a < 4; a++) e->node[a] = s->node[e->corner[a]];
    }
    s->is_dissected = true;
    return TML_OK;
}

static tml_status choose(nodal_system* s, ordering* o, pool* scratch, message* why)
{
    const int pairs = list_pairs(s, o->pair);
    graph g = {.node_count = s->free_count, .pair_count = pairs, .pair_node = o->pair};
    double by_degree = 0.0;
    double by_cuts = 0.0;
    tml_status status = count_products(s, &g, why, &by_degree);
    if (status != TML_OK) return status;
    if (tml__dissect(&g, &s->allocator, o->order) != TML_OK) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    for (int k = 0; k < s->free_count; k++) o->position[o->order[k]] = k;
    for (int i = 0; i < 2 * pairs; i++) o->pair[i] = o->position[o->pair[i]];
    g.last_count = s->free_count;
    status = count_products(s, &g, why, &by_cuts);
    if (status != TML_OK || by_cuts >= by_degree) return status;
    if (renumber(s, o, scratch) == TML_OK) return TML_OK;
    return tml__fail(why, TML_NO_MEMORY, "out of memory");
}

tml_status tml__nodal_order(nodal_system* s, message* why)
{
    if (s->free_count < DISSECT_LEAST) return TML_OK;
    const size_t nodes = (size_t)s->free_count;
    pool scratch = {.allocator = &s->allocator};
    ordering o = {.pair = tml__pool_take(&scratch, 12 * (size_t)s->element_count, sizeof *o.pair),
                  .order = tml__pool_take(&scratch, nodes, sizeof *o.order),
                  .position = tml__pool_take(&scratch, nodes, sizeof *o.position)};
    const bool is_complete = o.pair && o.order && o.position;
    const tml_status status =
        is_complete ? choose(s, &o, &scratch, why) : tml__fail(why, TML_NO_MEMORY, "out of memory");
    tml__pool_destroy(&scratch);
    return status;
}
