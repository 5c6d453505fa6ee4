// geom/aabb_tree.c - insertion by least surface, rotations, queries. Nothing is allocated after creation.
#include "geom/aabb_tree.h"

#include "base/memory.h"

enum {
    NONE = -1
};

// Leaf i is node i; inner nodes follow.
typedef struct tree_node {
    aabb box;
    int parent;
    int child[2];  // NONE: a leaf
    int height;    // 0: a leaf
    int highest;   // number among its leaves
} tree_node;

struct aabb_tree {
    tml_allocator allocator;
    int capacity;
    int root;
    int first_free;  // inner nodes, linked by `parent`
    tree_node* nodes;
    bool* is_placed;  // per leaf
    int* stack;       // of queries: one per node is enough
};

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

aabb tml__aabb_union(const aabb* a, const aabb* b)
{
    return (aabb){
        {least(a->low.x, b->low.x), least(a->low.y, b->low.y), least(a->low.z, b->low.z)},
        {most(a->high.x, b->high.x), most(a->high.y, b->high.y), most(a->high.z, b->high.z)}};
}

static double surface(const aabb* a)
{
    const vec3 d = v3_sub(a->high, a->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double joint_surface(const aabb* a, const aabb* b)
{
    const aabb both = tml__aabb_union(a, b);
    return surface(&both);
}

// ---- life

tml_status tml__aabb_tree_create(int capacity, const tml_allocator* allocator, aabb_tree** out)
{
    *out = NULL;
    aabb_tree* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return TML_NO_MEMORY;
    if (allocator != NULL) t->allocator = *allocator;
    const size_t nodes = 2 * (size_t)capacity + 1;
    t->capacity = capacity;
    t->nodes = tml__allocate(&t->allocator, nodes, sizeof *t->nodes);
    t->is_placed = tml__allocate(&t->allocator, (size_t)capacity + 1, sizeof *t->is_placed);
    t->stack = tml__allocate(&t->allocator, nodes, sizeof *t->stack);
    if (t->nodes == NULL || t->is_placed == NULL || t->stack == NULL) {
        tml__aabb_tree_destroy(t);
        return TML_NO_MEMORY;
    }
    t->root = NONE;
    t->first_free = NONE;
    for (int i = 2 * capacity; i >= capacity; i--) {
        t->nodes[i].parent = t->first_free;
        t->first_free = i;
    }
    *out = t;
    return TML_OK;
}

void tml__aabb_tree_destroy(aabb_tree* t)
{
    if (t == NULL) return;
    const tml_allocator allocator = t->allocator;
    tml__release(&allocator, t->nodes);
    tml__release(&allocator, t->is_placed);
    tml__release(&allocator, t->stack);
    tml__release(&allocator, t);
}

int tml__aabb_tree_height(const aabb_tree* t)
{
    return t->root == NONE ? -1 : t->nodes[t->root].height;
}

// ---- shape of the tree

static void refit(aabb_tree* t, int i)
{
    tree_node* n = &t->nodes[i];
    const tree_node* a = &t->nodes[n->child[0]];
    const tree_node* b = &t->nodes[n->child[1]];
    n->box = tml__aabb_union(&a->box, &b->box);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
    n->highest = a->highest > b->highest ? a->highest : b->highest;
}

static void replace_child(aabb_tree* t, int parent, int old, int new)
{
    t->nodes[new].parent = parent;
    if (parent == NONE) {
        t->root = new;
    } else {
        t->nodes[parent].child[t->nodes[parent].child[0] == old ? 0 : 1] = new;
    }
}

// Lift the taller child c of a: it takes a's place, a goes below it with c's lower child.
static int lift(aabb_tree* t, int a, int side)
{
    const int c = t->nodes[a].child[side];
    const int f = t->nodes[c].child[0];
    const int g = t->nodes[c].child[1];
    const int high = t->nodes[f].height > t->nodes[g].height ? f : g;
    const int low = high == f ? g : f;

    replace_child(t, t->nodes[a].parent, a, c);
    t->nodes[c].child[0] = a;
    t->nodes[c].child[1] = high;
    t->nodes[a].parent = c;
    t->nodes[high].parent = c;
    t->nodes[a].child[side] = low;
    t->nodes[low].parent = a;
    refit(t, a);
    refit(t, c);
    return c;
}

static int balance(aabb_tree* t, int i)
{
    const tree_node* n = &t->nodes[i];
    if (n->height < 2) return i;
    const int difference = t->nodes[n->child[1]].height - t->nodes[n->child[0]].height;
    if (difference > 1) return lift(t, i, 1);
    return difference < -1 ? lift(t, i, 0) : i;
}

static void mend_upwards(aabb_tree* t, int i)
{
    while (i != NONE) {
        i = balance(t, i);
        refit(t, i);
        i = t->nodes[i].parent;
    }
}

// The node beside which a box enlarges the tree least.
static int best_sibling(const aabb_tree* t, const aabb* box)
{
    int i = t->root;
    while (t->nodes[i].child[0] != NONE) {
        const tree_node* n = &t->nodes[i];
        const double whole = joint_surface(&n->box, box);
        const double here = 2.0 * whole;
        const double inherited = 2.0 * (whole - surface(&n->box));
        double cost[2];
        for (int k = 0; k < 2; k++) {
            const tree_node* c = &t->nodes[n->child[k]];
            const double grown = joint_surface(&c->box, box);
            cost[k] = inherited + (c->child[0] == NONE ? grown : grown - surface(&c->box));
        }
        if (here < cost[0] && here < cost[1]) break;
        i = n->child[cost[0] <= cost[1] ? 0 : 1];
    }
    return i;
}

static void insert(aabb_tree* t, int leaf)
{
    t->nodes[leaf].child[0] = t->nodes[leaf].child[1] = NONE;
    t->nodes[leaf].height = 0;
    t->nodes[leaf].highest = leaf;
    t->nodes[leaf].parent = NONE;
    if (t->root == NONE) {
        t->root = leaf;
        return;
    }
    const int sibling = best_sibling(t, &t->nodes[leaf].box);
    const int inner = t->first_free;
    t->first_free = t->nodes[inner].parent;
    replace_child(t, t->nodes[sibling].parent, sibling, inner);
    t->nodes[inner].child[0] = sibling;
    t->nodes[inner].child[1] = leaf;
    t->nodes[sibling].parent = inner;
    t->nodes[leaf].parent = inner;
    mend_upwards(t, inner);
}

static void take_out(aabb_tree* t, int leaf)
{
    const int parent = t->nodes[leaf].parent;
    if (parent == NONE) {
        t->root = NONE;
        return;
    }
    const int sibling = t->nodes[parent].child[t->nodes[parent].child[0] == leaf ? 1 : 0];
    const int above = t->nodes[parent].parent;
    replace_child(t, above, parent, sibling);
    t->nodes[parent].parent = t->first_free;
    t->first_free = parent;
    mend_upwards(t, above);
}

void tml__aabb_tree_place(aabb_tree* t, int leaf, const aabb* box, double fat)
{
    if (t->is_placed[leaf] && aabb_holds(&t->nodes[leaf].box, box)) return;
    if (t->is_placed[leaf]) take_out(t, leaf);
    t->nodes[leaf].box = aabb_grown(*box, fat);
    t->is_placed[leaf] = true;
    insert(t, leaf);
}

int tml__aabb_tree_query(aabb_tree* t, const aabb* box, int above, int* found, int room)
{
    int count = 0;
    int top = 0;
    if (t->root != NONE) t->stack[top++] = t->root;
    while (top > 0) {
        const int i = t->stack[--top];
        const tree_node* n = &t->nodes[i];
        if (n->highest <= above || !aabb_overlap(&n->box, box)) continue;
        if (n->child[0] == NONE) {
            if (count < room) found[count] = i;
            count++;
        } else {
            t->stack[top++] = n->child[1];
            t->stack[top++] = n->child[0];
        }
    }
    return count;
}

void tml__aabb_tree_walk(aabb_tree* t, const aabb_walk* walk)
{
    int top = 0;
    if (t->root != NONE) t->stack[top++] = t->root;
    while (top > 0) {
        const int i = t->stack[--top];
        const tree_node* n = &t->nodes[i];
        if (!walk->meets(walk->context, &n->box)) continue;
        if (n->child[0] == NONE) {
            walk->look(walk->context, i);
        } else {
            t->stack[top++] = n->child[1];
            t->stack[top++] = n->child[0];
        }
    }
}
