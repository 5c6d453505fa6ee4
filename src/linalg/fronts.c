// linalg/fronts.c - which nodes share a front, and where everything is.
//
// Two orders of elimination are tried, minimum degree and nested dissection, and the one with less work
// is taken. Then columns of the factor whose rows are nearly the same are put together: from the leaves
// upwards a set of columns joins the column it hangs on if the zeros this stores are few, or the set
// small [notes 9.7]; wide sets are fast as they are and may store next to none. Positions are numbered again so that every front follows its children.
#include "base/request.h"
#include "linalg/dissect.h"
#include "linalg/fronts_internal.h"
#include "math/scalar.h"

#include <limits.h>
#include <string.h>

// Sets are merged if zeros are at most this share of the panel, or it has so few nodes. From a width on products
// keep the registers full and zeros are only work: then the share is another.
static const double most_zeros = 0.2;
static const double most_zeros_wide = 0.02;
enum {
    SMALL_FRONT = 2,
    WIDE_FRONT = 16,
};

enum {
    REQUESTS = 18
};

// ---- the order

typedef struct plan {
    elimination e;
    int* first_child;  // per position, later per front
    int* next_child;
    int* set;       // per position: its set, the position of its last column
    int* own;       // per set: columns
    double* zeros;  // per set: stored in vain
    int* member;    // the columns of sets, as lists: the next one, -1: the last
    int* head;      // per set: its first column
    int* place;     // per old position: the new one
    int* mark;      // per old position: a place in the front at hand
    int* stack;
    int* front_of;  // per set
} plan;

static tml_status dissected(const graph* g, const tml_allocator* allocator, int* order,
                            elimination* e, message* why)
{
    const size_t n = (size_t)g->node_count;
    int* place = NULL;
    int* pair = NULL;
    const request list[] = {
        {&place, n, sizeof(int)},
        {&pair, 2 * (size_t)g->pair_count, sizeof(int)},
    };
    tml_status status = tml__take_all(allocator, list, 2);
    if (status == TML_OK) status = tml__dissect(g, allocator, order);
    if (status == TML_OK) {
        for (int i = 0; i < g->node_count; i++) place[order[i]] = i;
        for (int p = 0; p < 2 * g->pair_count; p++) pair[p] = place[g->pair_node[p]];
        const graph same = {.node_count = g->node_count,
                            .pair_count = g->pair_count,
                            .pair_node = pair,
                            .last_count = g->node_count};
        status = tml__elimination_create(e, &same, allocator, why);
    } else {
        status = tml__fail(why, status, "no memory for a graph of %d nodes", g->node_count);
    }
    // its nodes are the places of the order: name them again
    for (int i = 0; i < g->node_count && status == TML_OK; i++) {
        e->node[i] = order[i];
        e->position[order[i]] = i;
    }
    tml__release_all(allocator, list, 2);
    return status;
}

static tml_status find_order(fronts* f, const graph* g, bool is_dissected, elimination* e,
                             message* why)
{
    if (is_dissected) {
        f->statistics.is_dissected = true;
        return dissected(g, &f->allocator, f->node, e, why);
    }
    tml_status status = tml__elimination_create(e, g, &f->allocator, why);
    if (status != TML_OK) return status;
    // a tree has no block beyond its edges: no order is better
    if (e->block_count < g->node_count) return TML_OK;
    elimination other;
    status = dissected(g, &f->allocator, f->node, &other, why);
    if (status != TML_OK) return status;
    f->statistics.is_dissected = other.products < e->products;
    if (f->statistics.is_dissected) {
        const elimination swap = *e;
        *e = other;
        other = swap;
    }
    tml__elimination_destroy(&other, &f->allocator);
    return TML_OK;
}

// ---- sets of columns

static int parent_of(const elimination* e, int position)
{
    const int at = e->column_start[position];
    return at < e->column_start[position + 1] ? e->row[at] : -1;
}

static int length_of(const elimination* e, int position)
{
    return e->column_start[position + 1] - e->column_start[position];
}

// Does the set that ends at `child` join the one that ends at `top`?
static bool joins(const plan* p, int child, int top, double* zeros)
{
    const double own = p->own[child];
    const double columns = own + p->own[top];
    const double below = length_of(&p->e, top);
    *zeros =
        p->zeros[child] + p->zeros[top] + own * (p->own[top] + below - length_of(&p->e, child));
    const double share = columns <= WIDE_FRONT ? most_zeros : most_zeros_wide;
    return columns <= SMALL_FRONT || *zeros <= share * columns * (columns + below);
}

static void merge(plan* p, int child, int top, double zeros)
{
    // its columns come first
    int last = p->head[child];
    while (p->member[last] >= 0) last = p->member[last];
    p->member[last] = p->head[top];
    p->head[top] = p->head[child];
    p->own[top] += p->own[child];
    p->own[child] = 0;
    p->zeros[top] = zeros;
    for (int c = p->first_child[child]; c >= 0;) {
        const int next = p->next_child[c];
        p->next_child[c] = p->first_child[top];
        p->first_child[top] = c;
        c = next;
    }
}

static void find_sets(plan* p)
{
    const int n = p->e.node_count;
    for (int j = 0; j < n; j++) {
        p->first_child[j] = -1;
        p->own[j] = 1;
        p->member[j] = -1;
        p->head[j] = j;
        p->zeros[j] = 0.0;
    }
    for (int j = 0; j < n; j++) {
        // children have come before; those that join leave the list
        int kept = -1;
        int c = p->first_child[j];
        p->first_child[j] = -1;
        while (c >= 0) {
            const int next = p->next_child[c];
            double zeros = 0.0;
            if (joins(p, c, j, &zeros)) {
                merge(p, c, j, zeros);
            } else {
                p->next_child[c] = kept;
                kept = c;
            }
            c = next;
        }
        while (kept >= 0) {
            const int next = p->next_child[kept];
            p->next_child[kept] = p->first_child[j];
            p->first_child[j] = kept;
            kept = next;
        }
        const int parent = parent_of(&p->e, j);
        if (parent < 0) continue;
        p->next_child[j] = p->first_child[parent];
        p->first_child[parent] = j;
    }
}

// ---- fronts in the order of their elimination

static void add_front(fronts* f, plan* p, int set)
{
    const int k = f->front_count++;
    front* at = &f->all[k];
    p->front_of[set] = k;
    *at = (front){.own = p->own[set],
                  .below = length_of(&p->e, set),
                  .first = k > 0 ? f->all[k - 1].first + f->all[k - 1].own : 0,
                  .parent = -1,
                  .child = -1,
                  .next = -1};
    int position = at->first;
    for (int c = p->head[set]; c >= 0; c = p->member[c]) {
        p->place[c] = position;
        position++;
    }
    at->own_rows = padded(NODE * at->own);
    at->below_rows = padded(NODE * at->below);
    for (int c = p->first_child[set]; c >= 0; c = p->next_child[c]) {
        const int child = p->front_of[c];
        f->all[child].parent = k;
        f->all[child].next = at->child;
        at->child = child;
    }
}

// Depth first, so that what a front leaves is wanted soon.
static void number_fronts(fronts* f, plan* p)
{
    const int n = p->e.node_count;
    for (int root = 0; root < n; root++) {
        if (p->own[root] == 0 || parent_of(&p->e, root) >= 0) continue;
        int depth = 0;
        p->stack[depth++] = root;
        while (depth > 0) {
            const int top = p->stack[depth - 1];
            if (top < 0) {
                depth--;
                add_front(f, p, -1 - top);
                continue;
            }
            p->stack[depth - 1] = -1 - top;
            for (int c = p->first_child[top]; c >= 0; c = p->next_child[c]) p->stack[depth++] = c;
        }
    }
}

static void sort(int* list, int count)
{
    // nearly sorted already
    for (int i = 1; i < count; i++) {
        const int value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; k--) list[k] = list[k - 1];
        list[k] = value;
    }
}

static void list_below(fronts* f, const plan* p)
{
    int at = 0;
    for (int set = 0; set < p->e.node_count; set++) {
        if (p->own[set] == 0) continue;
        front* k = &f->all[p->front_of[set]];
        k->rows_at = k->map_at = at;
        for (int b = p->e.column_start[set]; b < p->e.column_start[set + 1]; b++) {
            f->below[at++] = p->place[p->e.row[b]];
        }
        sort(&f->below[k->rows_at], k->below);
    }
}

// ---- children within their parents

// Row of the panel of a place among the nodes of a front.
static int row_of(const front* at, int place)
{
    return place < at->own ? NODE * place : at->own_rows + NODE * (place - at->own);
}

static void mark_front(const fronts* f, const front* at, int* mark)
{
    for (int i = 0; i < at->own; i++) mark[at->first + i] = i;
    for (int i = 0; i < at->below; i++) mark[f->below[at->rows_at + i]] = at->own + i;
}

// Without `runs` they are only counted.
static int find_runs(const front* at, const front* child, const int* map, front_run* runs)
{
    int count = 0;
    int last = 0;
    for (int i = 0; i < child->below; i++) {
        const bool goes_on = i > 0 && map[i] == map[i - 1] + 1 && map[i] != at->own;
        if (goes_on) {
            last += NODE;
        } else {
            count++;
            last = NODE;
        }
        if (runs == NULL) continue;
        if (!goes_on) runs[count - 1] = (front_run){NODE * i, row_of(at, map[i]), 0};
        runs[count - 1].count = last;
    }
    return count;
}

// Nodes keep their order: those that the parent eliminates come first.
static void count_taken(const fronts* f, const front* at, front* child)
{
    const int* map = &f->map[child->map_at];
    const front_run* runs = &f->runs[child->run_at];
    child->taken = child->runs_taken = 0;
    while (child->taken < child->below && map[child->taken] < at->own) child->taken++;
    while (child->runs_taken < child->runs && runs[child->runs_taken].to < at->own_rows) {
        child->runs_taken++;
    }
}

static void map_children(fronts* f, int* mark, bool is_counted)
{
    int at = 0;
    for (int k = 0; k < f->front_count; k++) {
        mark_front(f, &f->all[k], mark);
        for (int c = f->all[k].child; c >= 0; c = f->all[c].next) {
            front* child = &f->all[c];
            int* map = &f->map[child->map_at];
            for (int i = 0; i < child->below; i++) map[i] = mark[f->below[child->rows_at + i]];
            child->run_at = at;
            child->runs = find_runs(&f->all[k], child, map, is_counted ? &f->runs[at] : NULL);
            if (is_counted) count_taken(f, &f->all[k], child);
            at += child->runs;
        }
    }
}

static int count_runs(const fronts* f)
{
    int count = 0;
    for (int k = 0; k < f->front_count; k++) count += f->all[k].runs;
    return count;
}

// ---- memory

// The rest of a front lives until its parent has taken it: the first gap between those alive.
size_t tml__fronts_place_rests(fronts* f, const front_branch* within, size_t base, int* alive)
{
    const int last = within != NULL ? within->last : f->front_count;
    size_t most = base;
    int count = 0;  // alive, by their places
    int branch = 0;
    for (int k = within != NULL ? within->first : 0; k < last; k++) {
        if (within == NULL && branch < f->branch_count && f->branches[branch].first == k) {
            k = f->branches[branch++].last - 1;
            continue;
        }
        front* at = &f->all[k];
        const size_t size = (size_t)(NODE * at->below) * (size_t)at->below_rows;
        size_t from = base;
        int slot = 0;
        for (; slot < count; slot++) {
            const front* other = &f->all[alive[slot]];
            if (from + size <= other->rest) break;
            from = other->rest + (size_t)(NODE * other->below) * (size_t)other->below_rows;
        }
        at->rest = from;
        if (from + size > most) most = from + size;
        for (int i = count; i > slot; i--) alive[i] = alive[i - 1];
        alive[slot] = k;
        count++;
        // the children are done with
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (f->all[alive[i]].parent != k && (alive[i] != k || at->parent >= 0)) {
                alive[kept++] = alive[i];
            }
        }
        count = kept;
    }
    return most;
}

static size_t place_panels(fronts* f)
{
    fronts_statistics* s = &f->statistics;
    size_t at = 0;
    for (int k = 0; k < f->front_count; k++) {
        front* one = &f->all[k];
        const int size = NODE * (one->own + one->below);
        one->panel = at;
        at += (size_t)(NODE * one->own) * (size_t)(one->own_rows + one->below_rows);
        one->right = at;
        const double flops = front_flops(one);
        if (f->kind == BLOCK_LU) at += (size_t)(NODE * one->below) * (size_t)one->own_rows;
        s->flops += f->kind == BLOCK_LU ? flops : 0.5 * flops;
        if (size > s->largest) s->largest = size;
    }
    s->fronts = f->front_count;
    s->entries = (long long)at;
    return at;
}

// ---- the matrix

static int find_block(const fronts* f, int a, int c)
{
    int low = f->column_start[c];
    int high = f->column_start[c + 1] - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (f->row[middle] == a) return middle;
        if (f->row[middle] < a)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

// All pairs both ways and the diagonal, repeats left out; of a symmetric matrix the side that is
// eliminated first.
static void list_blocks(fronts* f, const graph* g)
{
    int* start = f->column_start;
    for (int i = 0; i < g->node_count; i++) start[i] = 1;
    for (int p = 0; p < 2 * g->pair_count; p++) start[g->pair_node[p]]++;
    for (int i = 1; i <= g->node_count; i++) start[i] += start[i - 1];
    for (int i = 0; i < g->node_count; i++) f->row[--start[i]] = i;
    for (int p = 0; p < 2 * g->pair_count; p++) {
        f->row[--start[g->pair_node[p]]] = g->pair_node[p ^ 1];
    }
    int kept = 0;
    for (int i = 0; i < g->node_count; i++) {
        const int first = start[i];
        const int last = start[i + 1];
        sort(&f->row[first], last - first);
        int before = -1;
        start[i] = kept;
        for (int b = first; b < last; b++) {
            const int row = f->row[b];
            const bool is_other_side = f->kind != BLOCK_LU && f->position[row] < f->position[i];
            if (row == before || is_other_side) continue;
            f->row[kept++] = before = row;
        }
    }
    start[g->node_count] = kept;
    f->block_count = kept;
}

static int front_at(const fronts* f, int position)
{
    int low = 0;
    int high = f->front_count - 1;
    while (low < high) {
        const int middle = high - (high - low) / 2;
        if (f->all[middle].first <= position)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// The front that eliminates the earlier of two nodes.
static int front_of_block(const fronts* f, int a, int c)
{
    const int i = f->position[a];
    const int j = f->position[c];
    return front_at(f, i < j ? i : j);
}

static int place_in(const fronts* f, const front* at, int position)
{
    if (position < at->first + at->own) return position - at->first;
    int low = 0;
    int high = at->below - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (f->below[at->rows_at + middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return at->own + low;
}

static void list_loads(fronts* f)
{
    for (int c = 0; c < f->node_count; c++) {
        for (int b = f->column_start[c]; b < f->column_start[c + 1]; b++) {
            f->all[front_of_block(f, f->row[b], c)].value_at++;
        }
    }
    int sum = 0;
    for (int k = 0; k < f->front_count; k++) sum = f->all[k].value_at += sum;
    f->all[f->front_count].value_at = sum;
    // backwards, so that starts are left
    for (int c = f->node_count - 1; c >= 0; c--) {
        for (int b = f->column_start[c + 1] - 1; b >= f->column_start[c]; b--) {
            front* at = &f->all[front_of_block(f, f->row[b], c)];
            const int row = place_in(f, at, f->position[f->row[b]]);
            const int column = place_in(f, at, f->position[c]);
            const bool is_right = column >= at->own;
            f->load[--at->value_at] = (front_load){
                .value = b,
                .is_right = is_right,
                .row = row_of(at, row),
                .column = NODE * (is_right ? column - at->own : column),
            };
        }
    }
}

// ---- creation

static int list_plan(plan* p, int n, request list[REQUESTS])
{
    const size_t nodes = (size_t)n;
    const request all[] = {
        {&p->first_child, nodes, sizeof(int)}, {&p->next_child, nodes, sizeof(int)},
        {&p->own, nodes, sizeof(int)},         {&p->zeros, nodes, sizeof(double)},
        {&p->member, nodes, sizeof(int)},      {&p->head, nodes, sizeof(int)},
        {&p->place, nodes, sizeof(int)},       {&p->mark, nodes, sizeof(int)},
        {&p->stack, 2 * nodes, sizeof(int)},   {&p->front_of, nodes, sizeof(int)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

// First what depends on the graph alone, then what the fronts need.
static int list_graph(fronts* f, const graph* g, request list[REQUESTS])
{
    const size_t n = (size_t)g->node_count;
    const request all[] = {
        {&f->position, n, sizeof(int)},
        {&f->node, n, sizeof(int)},
        {&f->all, n + 1, sizeof(front)},
        {&f->column_start, n + 1, sizeof(int)},
        {&f->row, n + 2 * (size_t)g->pair_count, sizeof(int)},
        {&f->inverse, NODE_SIZE * n, sizeof(double)},
        {&f->x, NODE * n, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

typedef struct amounts {
    size_t below, blocks, runs, factor, scratch, column;
} amounts;

static int list_fronts(fronts* f, const amounts* n, request list[REQUESTS])
{
    const request all[] = {
        {&f->runs, n->runs, sizeof(front_run)},
        {&f->load, n->blocks, sizeof(front_load)},
        {&f->value, NODE_SIZE * n->blocks, sizeof(double)},
        {&f->factor, n->factor + ROOM, sizeof(double)},
        {&f->scratch, n->scratch + ROOM, sizeof(double)},
        {&f->vector, STRIP_SIZE + PACK_SIZE + n->column, sizeof(double)},
        {&f->turned, f->kind == BLOCK_LU ? 0 : DEPTH * n->column, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

static int list_rows(fronts* f, const amounts* n, request list[REQUESTS])
{
    const request all[] = {
        {&f->below, n->below, sizeof(int)},
        {&f->map, n->below, sizeof(int)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

static tml_status lay_out(fronts* f, const graph* g, plan* p)
{
    request list[REQUESTS];
    find_sets(p);
    number_fronts(f, p);
    amounts n = {0};
    for (int k = 0; k < f->front_count; k++) {
        const size_t column = (size_t)(f->all[k].own_rows + f->all[k].below_rows);
        n.below += (size_t)f->all[k].below;
        if (column > n.column) n.column = column;
    }
    tml_status status = tml__take_all(&f->allocator, list, list_rows(f, &n, list));
    if (status != TML_OK) return status;

    list_below(f, p);
    for (int i = 0; i < g->node_count; i++) {
        f->position[p->e.node[i]] = p->place[i];
        f->node[p->place[i]] = p->e.node[i];
    }
    map_children(f, p->mark, false);
    list_blocks(f, g);
    n.runs = (size_t)count_runs(f);
    n.blocks = (size_t)f->block_count;
    n.factor = place_panels(f);
    n.scratch = tml__fronts_place_rests(f, NULL, 0, p->stack);
    f->vector_size = STRIP_SIZE + PACK_SIZE + n.column;
    status = tml__take_all(&f->allocator, list, list_fronts(f, &n, list));
    if (status != TML_OK) return status;
    map_children(f, p->mark, true);
    list_loads(f);
    return TML_OK;
}

static tml_status create(const block_pattern* pattern, block_kind kind, bool is_dissected,
                         const tml_allocator* allocator, message* why, fronts** out)
{
    *out = NULL;
    fronts* f = tml__allocate(allocator, 1, sizeof *f);
    if (f == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    f->allocator = *allocator;
    f->kind = kind;
    f->node_count = pattern->node_count;
    const graph g = {.node_count = pattern->node_count,
                     .pair_count = pattern->pair_count,
                     .pair_node = pattern->pair_node};
    plan p = {0};
    request list[REQUESTS];
    tml_status status = tml__take_all(allocator, list, list_graph(f, &g, list));
    if (status != TML_OK) {
        status = tml__fail(why, status, "no memory for a graph of %d nodes", g.node_count);
    }
    if (status == TML_OK) status = find_order(f, &g, is_dissected, &p.e, why);
    const int lists = list_plan(&p, g.node_count, list);
    if (status == TML_OK) {
        status = tml__take_all(allocator, list, lists);
        if (status == TML_OK) status = lay_out(f, &g, &p);
        if (status != TML_OK) tml__fail(why, status, "no memory for the fronts of a factor");
    }
    tml__release_all(allocator, list, lists);
    tml__elimination_destroy(&p.e, allocator);
    if (status != TML_OK) {
        tml__fronts_destroy(f);
        return status;
    }
    for (int isa = BLOCK_AVX512; !tml__fronts_use(f, (block_isa)isa); isa--) {
    }
    *out = f;
    return TML_OK;
}

tml_status tml__fronts_create(const block_pattern* pattern, block_kind kind,
                              const tml_allocator* allocator, message* why, fronts** out)
{
    return create(pattern, kind, false, allocator, why, out);
}

tml_status tml__fronts_create_dissected(const block_pattern* pattern, block_kind kind,
                                        const tml_allocator* allocator, message* why, fronts** out)
{
    return create(pattern, kind, true, allocator, why, out);
}

void tml__fronts_destroy(fronts* f)
{
    if (f == NULL) return;
    const tml_allocator allocator = f->allocator;
    const graph none = {0};
    const amounts nothing = {0};
    request list[REQUESTS];
    tml__release_all(&allocator, list, list_graph(f, &none, list));
    tml__release_all(&allocator, list, list_rows(f, &nothing, list));
    tml__release_all(&allocator, list, list_fronts(f, &nothing, list));
    tml__fronts_unshare(f);
    tml__release(&allocator, f);
}

// ---- use

bool tml__fronts_use(fronts* f, block_isa isa)
{
    const fronts_kernels* kernels =
        f->kind == BLOCK_LU ? tml__fronts_kernels(isa) : tml__fronts_symmetric(isa);
    if (kernels == NULL) return false;
    f->kernels = kernels;
    return true;
}

void tml__fronts_clear(fronts* f)
{
    memset(f->value, 0, NODE_SIZE * (size_t)f->block_count * sizeof(double));
}

double* tml__fronts_at(fronts* f, int a, int c)
{
    const int at = find_block(f, a, c);
    return at >= 0 ? f->value + NODE_SIZE * (size_t)at : NULL;
}

tml_status tml__fronts_factor(fronts* f, double shift, int* bad_node)
{
    double largest = 0.0;
    for (int i = 0; i < f->node_count && shift > 0.0; i++) {
        const double* own = f->value + NODE_SIZE * (size_t)find_block(f, i, i);
        for (int k = 0; k < NODE; k++) largest = tml__larger(largest, own[(NODE + 1) * k]);
    }
    const int bad = tml__fronts_factor_all(f, shift * largest);
    if (bad_node != NULL) *bad_node = bad >= 0 ? f->node[bad] : -1;
    return bad < 0 ? TML_OK : TML_SINGULAR;
}

double tml__fronts_pivot(const fronts* f) { return f->pivot; }

bool tml__fronts_is_definite(const fronts* f) { return f->is_definite; }

void tml__fronts_solve(fronts* f, int count, double* x)
{
    for (int k = 0; k < count; k++, x += NODE * (size_t)f->node_count) f->kernels->solve(f, x);
}

void tml__fronts_subtract_product(const fronts* f, const double* x, double* y)
{
    for (int c = 0; c < f->node_count; c++) {
        const double* from = x + NODE * (size_t)c;
        for (int b = f->column_start[c]; b < f->column_start[c + 1]; b++) {
            const double* v = f->value + NODE_SIZE * (size_t)b;
            double* to = y + NODE * (size_t)f->row[b];
            for (int r = 0; r < NODE; r++) {
                to[r] = ((to[r] - v[r] * from[0]) - v[3 + r] * from[1]) - v[6 + r] * from[2];
            }
            if (f->kind == BLOCK_LU || f->row[b] == c) continue;
            const double* other = x + NODE * (size_t)f->row[b];
            double* back = y + NODE * (size_t)c;
            for (int k = 0; k < NODE; k++, v += NODE) {
                back[k] = ((back[k] - v[0] * other[0]) - v[1] * other[1]) - v[2] * other[2];
            }
        }
    }
}

fronts_statistics tml__fronts_statistics(const fronts* f) { return f->statistics; }
