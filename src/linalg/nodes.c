// linalg/nodes.c - KKT systems with the rows as unknowns of the block matrix.      [VMAX Alg 1-4]
//
// The graph of a mechanism is bodies joined by rows. A row alone has nothing on its diagonal, so it
// can only be eliminated after one of its bodies has given it something. Therefore the rows of a
// joint of the spanning tree share a node with their outer body, [ K -D^T ; C E ], which is regular
// whatever order the bodies are eliminated in; a tree then has no fill at all, and its cost is linear.
// Rows that close loops are nodes of their own and come last, with fill along the paths of their
// loops: fine while loops are few. Redundant rows are singular here and are refused.
//
// The matrix is scaled by powers of two (which round nothing), so that K is about 1 on every body and
// every row is about 1: a small pivot then means dependent rows and not a small mass.
#include "base/request.h"
#include "linalg/block_internal.h"
#include "linalg/kkt_internal.h"
#include "linalg/sweep.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Pivots of the scaled matrix below this are dependent rows. A row that carries a long chain divides
// by the inertia of all of it, so what counts is the pivot times the growth of the bodies' pivots.
static const double least_pivot = 1e-12;

enum {
    MOST_ROWS = BLOCK_MAX_WIDTH - KKT_WIDTH,  // that join a body
    EXACT_PASSES = 30                         // whoever asks for these corrects nothing himself
};

typedef struct nodes {
    sweep* tree;  // NULL: not a tree with few loops, then:
    block* a;
    int* owner;         // per row: its node of the block matrix
    int* offset;        // per row: its place there
    int* width;         // per node of the block matrix
    double** diagonal;  // per node of the block matrix
    double** pair_at;   // 2 per pair
    double** row_at;    // per entry: block of (owner, body); NULL: they are one node
    double** push_at;   // per entry: block of (body, owner)
    double* scale;      // 6 per body, then 1 per row
    double* vector;     // unknowns in the order of the block matrix
    int* first;         // per node of the block matrix: its first unknown

    kkt frozen;         // the pattern with the values as they were when factored,
    const kkt* matrix;  // which is that, or the caller's own where it is kept,
    bool is_frozen;     // if refinement was asked for
    double* rest_r;
    double* rest_c;
} nodes;

// ---- which node a row belongs to

// Rows that follow each other and touch the same bodies.
typedef struct row_set {
    int row, count;
} row_set;

typedef struct plan {
    int set_count;
    row_set* set;
    int* first_of_body;  // node_count + 1
    int* set_of_body;    // sets of one or two bodies, by body
    int* tree_set;       // per body: the set that joined it, -1: none
    int* parent;         // per body: the one it was met from, -1: none
    int* rows_of_body;   // per body: how many rows have joined it
    int* queue;
    bool* is_met;
} plan;

static int bodies_of(const kkt* k, const row_set* s)
{
    return k->row_start[s->row + 1] - k->row_start[s->row];
}

static bool has_same_bodies(const kkt* k, int i, int j)
{
    const int count = k->row_start[i + 1] - k->row_start[i];
    if (k->row_start[j + 1] - k->row_start[j] != count) return false;
    return memcmp(k->row_node + k->row_start[i], k->row_node + k->row_start[j],
                  (size_t)count * sizeof(int)) == 0;
}

static void find_sets(const kkt* k, plan* p)
{
    for (int i = 0; i < k->row_count; i++) {
        row_set* last = p->set_count > 0 ? &p->set[p->set_count - 1] : NULL;
        if (last != NULL && last->count < MOST_ROWS && has_same_bodies(k, last->row, i)) {
            last->count++;
        } else {
            p->set[p->set_count++] = (row_set){i, 1};
        }
    }
    // sets of each body: count, sum up, write
    for (int pass = 0; pass < 2; pass++) {
        for (int s = 0; s < p->set_count; s++) {
            if (bodies_of(k, &p->set[s]) > 2) continue;
            for (int e = k->row_start[p->set[s].row]; e < k->row_start[p->set[s].row + 1]; e++) {
                const int body = k->row_node[e];
                if (pass == 0)
                    p->first_of_body[body + 1]++;
                else
                    p->set_of_body[p->first_of_body[body]++] = s;
            }
        }
        for (int b = 0; pass == 0 && b < k->node_count; b++) {
            p->first_of_body[b + 1] += p->first_of_body[b];
        }
    }
    // writing has moved every start to its end
    for (int b = k->node_count; b > 0; b--) p->first_of_body[b] = p->first_of_body[b - 1];
    p->first_of_body[0] = 0;
}

static void join(const plan* p, nodes* n, int s, int body)
{
    for (int i = 0; i < p->set[s].count; i++) {
        n->owner[p->set[s].row + i] = body;
        n->offset[p->set[s].row + i] = KKT_WIDTH + p->rows_of_body[body]++;
    }
}

// Walk on from the bodies in the queue, from *head to the end.
static void walk(const kkt* k, plan* p, nodes* n, int* head, int* tail)
{
    while (*head < *tail) {
        const int body = p->queue[(*head)++];
        for (int t = p->first_of_body[body]; t < p->first_of_body[body + 1]; t++) {
            const row_set* set = &p->set[p->set_of_body[t]];
            const int* pair = k->row_node + k->row_start[set->row];
            if (bodies_of(k, set) != 2) continue;
            const int other = pair[0] == body ? pair[1] : pair[0];
            if (p->is_met[other]) continue;
            p->is_met[other] = true;
            p->tree_set[other] = p->set_of_body[t];
            p->parent[other] = body;
            join(p, n, p->set_of_body[t], other);
            p->queue[(*tail)++] = other;
        }
    }
}

// Walk the mechanism from the world, then from the first body of whatever floats. What is tied to the
// world twice is walked from the first tie: the other closes a loop, and is a row of one body there.
static void grow_tree(const kkt* k, plan* p, nodes* n)
{
    int head = 0;
    int tail = 0;

    for (int s = 0; s < p->set_count; s++) {
        const int body = k->entry_count > 0 ? k->row_node[k->row_start[p->set[s].row]] : -1;
        if (bodies_of(k, &p->set[s]) != 1 || p->is_met[body]) continue;
        p->is_met[body] = true;
        p->tree_set[body] = s;
        join(p, n, s, body);
        p->queue[tail++] = body;
        walk(k, p, n, &head, &tail);
    }
    for (int root = 0; root < k->node_count; root++) {
        if (p->is_met[root]) continue;
        p->is_met[root] = true;
        p->queue[tail++] = root;
        walk(k, p, n, &head, &tail);
    }
}

// More rows of a tree joint (its limits) where there is room beside the first ones; the rest are
// nodes of their own. Answers how many.
static int place_others(const kkt* k, plan* p, nodes* n)
{
    int loops = 0;
    for (int s = 0; s < p->set_count; s++) {
        const row_set* set = &p->set[s];
        if (n->owner[set->row] >= 0) continue;
        for (int e = k->row_start[set->row]; e < k->row_start[set->row + 1]; e++) {
            const int body = k->row_node[e];
            const int tree = p->tree_set[body];
            if (tree < 0 || !has_same_bodies(k, p->set[tree].row, set->row)) continue;
            if (p->rows_of_body[body] + set->count > MOST_ROWS) continue;
            join(p, n, s, body);
            break;
        }
        if (n->owner[set->row] >= 0) continue;
        for (int i = 0; i < set->count; i++) {
            n->owner[set->row + i] = k->node_count + loops;
            n->offset[set->row + i] = i;
        }
        n->width[k->node_count + loops++] = set->count;
    }
    for (int b = 0; b < k->node_count; b++) n->width[b] = KKT_WIDTH + p->rows_of_body[b];
    return loops;
}

static void release_plan(const kkt* k, plan* p)
{
    tml__release(&k->allocator, p->set);
    tml__release(&k->allocator, p->first_of_body);
    tml__release(&k->allocator, p->set_of_body);
    tml__release(&k->allocator, p->tree_set);
    tml__release(&k->allocator, p->parent);
    tml__release(&k->allocator, p->rows_of_body);
    tml__release(&k->allocator, p->queue);
    tml__release(&k->allocator, p->is_met);
}

static bool take_plan(const kkt* k, plan* p)
{
    const tml_allocator* memory = &k->allocator;
    const size_t bodies = (size_t)k->node_count;
    const request list[] = {{&p->set, (size_t)k->row_count, sizeof *p->set},
                            {&p->first_of_body, bodies + 1, sizeof(int)},
                            {&p->set_of_body, (size_t)k->entry_count, sizeof(int)},
                            {&p->tree_set, bodies, sizeof(int)},
                            {&p->parent, bodies, sizeof(int)},
                            {&p->rows_of_body, bodies, sizeof(int)},
                            {&p->queue, bodies, sizeof(int)},
                            {&p->is_met, bodies, sizeof(bool)}};
    return tml__take_all(memory, list, (int)(sizeof list / sizeof *list)) == TML_OK;
}

// Which rows go with which bodies; the number of nodes that close loops.
static int make_plan(kkt* k, plan* p)
{
    nodes* n = k->state;
    for (int b = 0; b < k->node_count; b++) {
        p->tree_set[b] = -1;
        p->parent[b] = -1;
    }
    for (int i = 0; i < k->row_count; i++) n->owner[i] = -1;
    find_sets(k, p);
    grow_tree(k, p, n);
    return place_others(k, p, n);
}

// Children first: bodies backwards if every parent comes before its children, as scenes are mostly
// written, else as they were met, backwards. In place of the queue.
static void order_tree(const kkt* k, plan* p)
{
    const int last = k->node_count - 1;
    bool is_sorted = true;
    for (int b = 0; b < k->node_count; b++) is_sorted = is_sorted && p->parent[b] < b;
    for (int b = 0; b <= last && is_sorted; b++) p->queue[b] = b;
    for (int b = 0; b < k->node_count / 2; b++) {
        const int body = p->queue[b];
        p->queue[b] = p->queue[last - b];
        p->queue[last - b] = body;
    }
}

// ---- creation

static void destroy(kkt* k)
{
    nodes* n = k->state;
    if (n == NULL) return;

    const tml_allocator* memory = &k->allocator;
    void* const arrays[] = {n->owner,
                            n->offset,
                            n->width,
                            n->first,
                            (void*)n->diagonal,
                            (void*)n->pair_at,
                            (void*)n->row_at,
                            (void*)n->push_at,
                            n->scale,
                            n->vector,
                            n->rest_r,
                            n->rest_c,
                            n->frozen.values.node,
                            n->frozen.values.pair,
                            n->frozen.values.row,
                            n->frozen.values.push,
                            n->frozen.values.compliance};
    tml__block_destroy(n->a);
    tml__sweep_destroy(n->tree, memory);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) tml__release(memory, arrays[i]);
    tml__release(memory, n);
    k->state = NULL;
}

static bool take_arrays(kkt* k)
{
    nodes* n = k->state;
    const size_t bodies = (size_t)k->node_count;
    const size_t rows = (size_t)k->row_count;
    const size_t pairs = (size_t)k->pair_count;
    const size_t entries = (size_t)k->entry_count;
    kkt_values* v = &n->frozen.values;
    const request list[] = {{&n->owner, rows, sizeof(int)},
                            {&n->offset, rows, sizeof(int)},
                            {&n->width, bodies + rows, sizeof(int)},
                            {&n->vector, KKT_WIDTH * bodies + rows, sizeof(double)},
                            {&n->rest_r, KKT_WIDTH * bodies, sizeof(double)},
                            {&n->rest_c, rows, sizeof(double)},
                            {&v->node, KKT_BLOCK * bodies, sizeof(double)},
                            {&v->pair, 2 * KKT_BLOCK * pairs, sizeof(double)},
                            {&v->row, KKT_WIDTH * entries, sizeof(double)},
                            {&v->push, KKT_WIDTH * entries, sizeof(double)},
                            {&v->compliance, rows, sizeof(double)}};
    return tml__take_all(&k->allocator, list, (int)(sizeof list / sizeof *list)) == TML_OK;
}

// What only a block matrix needs.
static bool take_places(kkt* k)
{
    nodes* n = k->state;
    const size_t bodies = (size_t)k->node_count;
    const size_t rows = (size_t)k->row_count;
    const request list[] = {{&n->first, bodies + rows + 1, sizeof(int)},
                            {&n->diagonal, bodies + rows, sizeof(double*)},
                            {&n->pair_at, 2 * (size_t)k->pair_count, sizeof(double*)},
                            {&n->row_at, (size_t)k->entry_count, sizeof(double*)},
                            {&n->push_at, (size_t)k->entry_count, sizeof(double*)},
                            {&n->scale, KKT_WIDTH * bodies + rows, sizeof(double)}};
    return tml__take_all(&k->allocator, list, (int)(sizeof list / sizeof *list)) == TML_OK;
}

static tml_status create_block(kkt* k, int loops, message* why)
{
    nodes* n = k->state;
    const long long most = (long long)k->pair_count + k->entry_count;
    if (most > INT_MAX / 2) {
        return tml__fail(why, TML_UNSUPPORTED, "rows couple %lld pairs of nodes", most);
    }
    int* pair_node = tml__allocate(&k->allocator, 2 * (size_t)most, sizeof(int));
    if (pair_node == NULL) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %lld coupled nodes", most);
    }
    int count = k->pair_count;
    for (int i = 0; i < 2 * k->pair_count; i++) pair_node[i] = k->pair_node[i];
    for (int i = 0; i < k->row_count; i++) {
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            if (k->row_node[e] == n->owner[i]) continue;
            pair_node[2 * count] = n->owner[i];
            pair_node[2 * count++ + 1] = k->row_node[e];
        }
    }
    const block_pattern pattern = {.node_count = k->node_count + loops,
                                   .width = n->width,
                                   .pair_count = count,
                                   .pair_node = pair_node};
    const tml_status status =
        tml__block_create_last(&pattern, loops, BLOCK_LU, &k->allocator, why, &n->a);
    tml__release(&k->allocator, pair_node);
    return status;
}

static void find_places(kkt* k, int loops)
{
    nodes* n = k->state;
    for (int a = 0; a < k->node_count + loops; a++) {
        n->diagonal[a] = tml__block_at(n->a, a, a);
        n->first[a + 1] = n->first[a] + n->width[a];
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        n->pair_at[2 * p] = tml__block_at(n->a, a, b);
        n->pair_at[2 * p + 1] = tml__block_at(n->a, b, a);
    }
    for (int i = 0; i < k->row_count; i++) {
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            n->row_at[e] = tml__block_at(n->a, n->owner[i], k->row_node[e]);
            n->push_at[e] = tml__block_at(n->a, k->row_node[e], n->owner[i]);
        }
    }
}

// The frozen system borrows the pattern.
static void freeze_pattern(kkt* k)
{
    nodes* n = k->state;
    n->frozen.node_count = k->node_count;
    n->frozen.row_count = k->row_count;
    n->frozen.pair_count = k->pair_count;
    n->frozen.entry_count = k->entry_count;
    n->frozen.row_start = k->row_start;
    n->frozen.row_node = k->row_node;
    n->frozen.pair_node = k->pair_node;
}

static tml_status no_memory(const kkt* k, message* why)
{
    return tml__fail(why, TML_NO_MEMORY, "no memory for %d nodes and %d rows", k->node_count,
                     k->row_count);
}

// A sweep where there is a tree, else a block matrix.
static tml_status create_matrix(kkt* k, plan* p, message* why)
{
    nodes* n = k->state;
    const int loops = make_plan(k, p);
    const sweep_tree tree = {p->parent, p->queue, n->owner, n->offset};

    order_tree(k, p);
    if (tml__sweep_fits(k, &tree)) return tml__sweep_create(k, &tree, why, &n->tree);
    if (!take_places(k)) return no_memory(k, why);
    const tml_status status = create_block(k, loops, why);
    if (status == TML_OK) find_places(k, loops);
    return status;
}

static tml_status create(kkt* k, message* why)
{
    plan p = {0};
    k->state = tml__allocate(&k->allocator, 1, sizeof(nodes));
    const bool is_taken = k->state != NULL && take_arrays(k) && take_plan(k, &p);
    const tml_status status = is_taken ? create_matrix(k, &p, why) : no_memory(k, why);

    if (status == TML_OK) freeze_pattern(k);
    release_plan(k, &p);
    return status;
}

// ---- factoring

static double larger(double a, double b) { return a > b ? a : b; }

// K about 1: by the trace of its two halves, which does not care how the world is turned.
static void scale_bodies(kkt* k)
{
    nodes* n = k->state;
    for (int a = 0; a < k->node_count; a++) {
        const double* K = k->values.node + KKT_BLOCK * (size_t)a;
        for (int half = 0; half < 2; half++) {
            double trace = 0.0;
            for (int i = 3 * half; i < 3 * half + 3; i++) trace += K[(KKT_WIDTH + 1) * i];
            const double size = fabs(trace) / 3.0;
            // a body without inertia: any scale will do
            const double scale = size > 1e-200 ? tml__kkt_inverse_root(size) : 1.0;
            for (int i = 3 * half; i < 3 * half + 3; i++) n->scale[KKT_WIDTH * a + i] = scale;
        }
    }
}

static void scale_rows(kkt* k)
{
    nodes* n = k->state;
    for (int i = 0; i < k->row_count; i++) {
        double size = sqrt(fabs(k->values.compliance[i]));
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* s = n->scale + KKT_WIDTH * (size_t)k->row_node[e];
            for (int j = 0; j < KKT_WIDTH; j++) {
                size = larger(size, s[j] * fabs(k->values.row[KKT_WIDTH * e + j]));
            }
        }
        n->scale[KKT_WIDTH * k->node_count + i] = size > 1e-200 ? tml__kkt_inverse(size) : 1.0;
    }
}

// A row-major 6 x 6 block, scaled, to where the block matrix keeps it.
static void add_block(double* to, int stride, const double* from, const double* s_row,
                      const double* s_column)
{
    for (int j = 0; j < KKT_WIDTH; j++) {
        for (int i = 0; i < KKT_WIDTH; i++) {
            to[stride * j + i] += s_row[i] * from[KKT_WIDTH * i + j] * s_column[j];
        }
    }
}

static void add_bodies(kkt* k)
{
    nodes* n = k->state;
    for (int a = 0; a < k->node_count; a++) {
        const double* s = n->scale + KKT_WIDTH * (size_t)a;
        add_block(n->diagonal[a], tml__block_stride(n->width[a]),
                  k->values.node + KKT_BLOCK * (size_t)a, s, s);
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        const double* s_a = n->scale + KKT_WIDTH * (size_t)a;
        const double* s_b = n->scale + KKT_WIDTH * (size_t)b;
        const double* value = k->values.pair + 2 * KKT_BLOCK * (size_t)p;
        add_block(n->pair_at[2 * p], tml__block_stride(n->width[a]), value, s_a, s_b);
        add_block(n->pair_at[2 * p + 1], tml__block_stride(n->width[b]), value + KKT_BLOCK, s_b,
                  s_a);
    }
}

static void add_rows(kkt* k)
{
    nodes* n = k->state;
    const double* push = tml__kkt_push(k);

    for (int i = 0; i < k->row_count; i++) {
        const int owner = n->owner[i];
        const int at = n->offset[i];
        const int stride = tml__block_stride(n->width[owner]);
        const double s = n->scale[KKT_WIDTH * k->node_count + i];
        n->diagonal[owner][(stride + 1) * at] += s * k->values.compliance[i] * s;
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* s_body = n->scale + KKT_WIDTH * (size_t)k->row_node[e];
            const int other = tml__block_stride(n->width[k->row_node[e]]);
            for (int j = 0; j < KKT_WIDTH; j++) {
                n->row_at[e][stride * j + at] += s * k->values.row[KKT_WIDTH * e + j] * s_body[j];
                n->push_at[e][other * at + j] -= s * push[KKT_WIDTH * e + j] * s_body[j];
            }
        }
    }
}

static void copy(double* to, const double* from, size_t count)
{
    if (count > 0) memcpy(to, from, count * sizeof(double));
}

static void freeze(kkt* k)
{
    nodes* n = k->state;
    kkt_values* v = &n->frozen.values;
    copy(v->node, k->values.node, KKT_BLOCK * (size_t)k->node_count);
    copy(v->pair, k->values.pair, 2 * KKT_BLOCK * (size_t)k->pair_count);
    copy(v->row, k->values.row, KKT_WIDTH * (size_t)k->entry_count);
    copy(v->push, tml__kkt_push(k), KKT_WIDTH * (size_t)k->entry_count);
    copy(v->compliance, k->values.compliance, (size_t)k->row_count);
    v->is_pairless = k->values.is_pairless;
    v->is_two_sided = true;
}

// A row of the node, -1 when it has none, or when it is the body that lacks something.
static int row_of(const kkt* k, int node)
{
    const nodes* n = k->state;
    if (node < k->node_count && n->scale[KKT_WIDTH * node] == 1.0) {
        double size = 0.0;
        for (int i = 0; i < KKT_BLOCK; i++) {
            size = larger(size, fabs(k->values.node[KKT_BLOCK * (size_t)node + (size_t)i]));
        }
        if (size < 1e-200) return -1;
    }
    for (int i = 0; i < k->row_count; i++) {
        if (n->owner[i] == node) return i;
    }
    return -1;
}

static tml_status factor_block(kkt* k, int* bad_row)
{
    nodes* n = k->state;
    int bad = -1;

    if (!tml__kkt_is_finite(k, bad_row)) return TML_SINGULAR;
    if (n->is_frozen && n->matrix == &n->frozen) freeze(k);
    scale_bodies(k);
    scale_rows(k);
    tml__block_clear(n->a);
    add_bodies(k);
    add_rows(k);
    tml_status status = tml__block_factor(n->a, &bad);
    // a light body that carries heavy ones grows to their weight: no digits are lost by that
    if (bad < 0) status = TML_OK;
    const double most = larger(n->a->quality.growth, 1.0) / least_pivot;
    for (int j = 0; j < n->a->e.node_count && status == TML_OK; j++) {
        for (int i = 0; i < n->a->width[j]; i++) {
            const double reciprocal = n->a->reciprocal[n->a->at_vector[j] + (size_t)i];
            if (fabs(reciprocal) <= most) continue;
            status = TML_SINGULAR;
            bad = n->a->e.node[j];
        }
    }
    if (status != TML_OK && bad >= 0) *bad_row = row_of(k, bad);
    return status;
}

// Values are kept for refinement only where it is asked for, and copied where nobody else keeps them.
static kkt_values* plan_refinement(kkt* k)
{
    nodes* n = k->state;
    n->is_frozen = k->max_passes >= EXACT_PASSES;
    n->matrix = k->values.is_kept ? k : &n->frozen;
    return n->is_frozen && n->matrix == &n->frozen ? &n->frozen.values : NULL;
}

static tml_status factor(kkt* k, int* bad_row)
{
    const nodes* n = k->state;
    kkt_values* frozen = plan_refinement(k);
    return n->tree == NULL ? factor_block(k, bad_row)
                           : tml__sweep_factor(n->tree, k, frozen, bad_row);
}

// ---- solving

static void solve_block(kkt* k, kkt_side side, const double* r, const double* c)
{
    nodes* n = k->state;
    const double* s_row = n->scale + KKT_WIDTH * (size_t)k->node_count;

    for (int a = 0; a < k->node_count; a++) {
        for (int j = 0; j < KKT_WIDTH; j++) {
            n->vector[n->first[a] + j] = n->scale[KKT_WIDTH * a + j] * r[KKT_WIDTH * a + j];
        }
    }
    for (int i = 0; i < k->row_count; i++) {
        n->vector[n->first[n->owner[i]] + n->offset[i]] = s_row[i] * c[i];
    }
    if (side == KKT_PLAIN)
        tml__block_solve(n->a, 1, n->vector);
    else
        tml__block_solve_transposed(n->a, 1, n->vector);
}

// Scaled back; false when something is not finite.
static bool unscale(const kkt* k, double* dx, double* dl)
{
    const nodes* n = k->state;
    const double* s_row = n->scale + KKT_WIDTH * (size_t)k->node_count;
    double check = 0.0;

    for (int a = 0; a < k->node_count; a++) {
        for (int j = 0; j < KKT_WIDTH; j++) {
            dx[KKT_WIDTH * a + j] = n->scale[KKT_WIDTH * a + j] * n->vector[n->first[a] + j];
            check += 0.0 * dx[KKT_WIDTH * a + j];
        }
    }
    for (int i = 0; i < k->row_count; i++) {
        dl[i] = s_row[i] * n->vector[n->first[n->owner[i]] + n->offset[i]];
        check += 0.0 * dl[i];
    }
    return check == 0.0;
}

// False when something is not finite.
static bool solve_once(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                       double* dl)
{
    nodes* n = k->state;
    if (n->tree != NULL) return tml__sweep_solve(n->tree, k, side, r, c, dx, dl);
    solve_block(k, side, r, c);
    return unscale(k, dx, dl);
}

static bool is_refined(const kkt* k)
{
    const nodes* n = k->state;
    return n->is_frozen && k->max_passes >= EXACT_PASSES;
}

static void keep_sides(kkt* k, const double* r, const double* c)
{
    nodes* n = k->state;
    copy(n->rest_r, r, (size_t)(KKT_WIDTH * k->node_count));
    copy(n->rest_c, c, (size_t)k->row_count);
}

// Whoever does not correct the rest himself gets one step of refinement, from the sides that were kept.
static tml_status refine(kkt* k, double* dx, double* dl)
{
    nodes* n = k->state;
    const int unknowns = KKT_WIDTH * k->node_count;
    double* reached = n->vector;

    tml__kkt_apply(n->matrix, dx, dl, reached, reached + unknowns);
    for (int i = 0; i < unknowns; i++) n->rest_r[i] -= reached[i];
    for (int i = 0; i < k->row_count; i++) n->rest_c[i] -= reached[unknowns + i];
    if (!solve_once(k, KKT_PLAIN, n->rest_r, n->rest_c, n->rest_r, n->rest_c)) return TML_SINGULAR;
    for (int i = 0; i < unknowns; i++) dx[i] += n->rest_r[i];
    for (int i = 0; i < k->row_count; i++) dl[i] += n->rest_c[i];
    return TML_OK;
}

static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    const bool is_corrected = side == KKT_PLAIN && is_refined(k);
    if (is_corrected) keep_sides(k, r, c);
    if (!solve_once(k, side, r, c, dx, dl)) return TML_SINGULAR;
    return is_corrected ? refine(k, dx, dl) : TML_OK;
}

static tml_status factor_solve(kkt* k, const kkt_sides* to, int* bad_row)
{
    nodes* n = k->state;
    if (n->tree == NULL) {
        const tml_status status = factor(k, bad_row);
        return status == TML_OK ? solve(k, KKT_PLAIN, to->r, to->c, to->dx, to->dl) : status;
    }
    kkt_values* frozen = plan_refinement(k);
    if (n->is_frozen) keep_sides(k, to->r, to->c);
    const sweep_sides sides = {
        .k = k, .frozen = frozen, .r = to->r, .c = to->c, .dx = to->dx, .dl = to->dl};
    const tml_status status = tml__sweep_factor_solve(n->tree, &sides, bad_row);
    return status == TML_OK && n->is_frozen ? refine(k, to->dx, to->dl) : status;
}

static kkt_statistics statistics(const kkt* k)
{
    const nodes* n = k->state;
    if (n->tree != NULL) return tml__sweep_statistics(n->tree);
    const block_statistics s = tml__block_statistics(n->a);

    return (kkt_statistics){
        .unknowns = s.unknowns, .factor_entries = s.entries, .factor_flops = s.flops, .passes = 1};
}

const kkt_engine tml__kkt_nodes = {.create = create,
                                   .destroy = destroy,
                                   .checks_values = true,
                                   .factor = factor,
                                   .solve = solve,
                                   .factor_solve = factor_solve,
                                   .statistics = statistics};
