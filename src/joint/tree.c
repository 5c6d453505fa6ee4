// joint/tree.c - Kruskal in file order, then parents outwards from the world.
#include "joint/tree.h"

#include <string.h>

// ---- choosing the tree

static int find_root(int* group, int a)
{
    while (group[a] != a) {
        group[a] = group[group[a]];
        a = group[a];
    }
    return a;
}

static void choose_joints(joint_tree* t, const bool* may_hold, int* group)
{
    const tml_model* m = t->model;
    const int world = tml__world(m);

    for (int b = 0; b <= world; b++) group[b] = m->bodies[b].node >= 0 ? b : world;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (may_hold != NULL && !may_hold[j]) continue;
        const int F = find_root(group, m->joints[j].follower);
        const int B = find_root(group, m->joints[j].base);
        t->is_in_tree[j] = F != B;
        // the world stays the root of its group
        if (F == B) continue;
        if (F == find_root(group, world))
            group[B] = F;
        else
            group[F] = B;
    }
}

// ---- orienting it

typedef struct neighbours {
    int* start;  // per body and one more
    int* joint;
} neighbours;

static void collect(const joint_tree* t, neighbours* n)
{
    const tml_model* m = t->model;
    const int bodies = m->all.body_count + 1;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!t->is_in_tree[j]) continue;
        n->start[m->joints[j].base]++;
        n->start[m->joints[j].follower]++;
    }
    int sum = 0;
    for (int b = 0; b <= bodies; b++) {
        const int count = b < bodies ? n->start[b] : 0;
        n->start[b] = sum;
        sum += count;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!t->is_in_tree[j]) continue;
        n->joint[n->start[m->joints[j].base]++] = j;
        n->joint[n->start[m->joints[j].follower]++] = j;
    }
    for (int b = bodies; b > 0; b--) n->start[b] = n->start[b - 1];
    n->start[0] = 0;
}

// Take everything that hangs on `from`, appending to the order.
static void grow_from(joint_tree* t, const neighbours* n, int from, bool* is_done)
{
    const tml_model* m = t->model;
    for (int i = n->start[from]; i < n->start[from + 1]; i++) {
        const joint_data* j = &m->joints[n->joint[i]];
        const int other = j->base == from ? j->follower : j->base;
        if (is_done[other] || m->bodies[other].node < 0) continue;
        is_done[other] = true;
        t->parent_joint[other] = n->joint[i];
        t->parent[other] = from;
        t->order[t->order_count++] = other;
    }
}

static void orient(joint_tree* t, const neighbours* n, bool* is_done)
{
    const tml_model* m = t->model;
    int next = 0;

    for (int b = 0; b <= m->all.body_count; b++) {
        t->parent[b] = -1;
        t->parent_joint[b] = -1;
    }
    // everything grounded first: the world and bodies welded to it
    for (int b = m->all.body_count; b >= 0; b--) {
        if (m->bodies[b].node < 0) grow_from(t, n, b, is_done);
    }
    for (int b = 0; b <= m->all.body_count; b++) {
        while (next < t->order_count) grow_from(t, n, t->order[next++], is_done);
        if (b == m->all.body_count) break;
        if (is_done[b] || m->bodies[b].node < 0) continue;
        is_done[b] = true;
        t->order[t->order_count++] = b;  // a floating root
    }
}

// ---- its free motions

static twist turning(vec3 axis, vec3 point)
{
    return (twist){.omega = axis, .v = v3_cross(point, axis)};
}

// The free motions of the follower relative to the base, in the order tx ... rz.
static int free_motions(const joint_tree* t, int joint, twist out[6])
{
    const joint_data* j = &t->model->joints[joint];
    const joint_frame* f = &t->frames[joint];
    int count = 0;

    for (int k = 0; k < 3; k++) {
        if (j->axis[k].is_free) out[count++] = (twist){.v = f->B.axis[k]};
    }
    // the first letter turns about the base's axis, the last about the follower's, the middle one
    // of three about the direction perpendicular to both
    vec3 axis[3] = {f->B.axis[j->turn[0]], f->F.axis[j->turn[1]], f->F.axis[j->turn[2]]};
    if (j->turn_count == 3) {
        const vec3 middle = v3_scale(j->parity, v3_cross(axis[2], axis[0]));
        const double length = v3_norm(middle);
        // at gimbal lock any direction completes the set of all rotations
        axis[1] = length > 1e-9 ? v3_scale(1.0 / length, middle) : f->B.axis[j->turn[1]];
    }
    for (int n = 0; n < j->turn_count; n++) {
        out[count++] = turning(axis[n], f->F.point);
    }
    return count;
}

static void list_motions(joint_tree* t)
{
    t->coordinate_count = 0;
    for (int i = 0; i < t->order_count; i++) {
        const int b = t->order[i];
        const int joint = t->parent_joint[b];
        twist* to = &t->motion[t->coordinate_count];

        t->first[b] = t->coordinate_count;
        if (joint < 0) {
            // floating: all six, about the centre of mass
            for (int k = 0; k < 3; k++) {
                to[k] = (twist){.v = v3_unit(k)};
                to[3 + k] = turning(v3_unit(k), t->bodies[b].c);
            }
            t->count[b] = 6;
        } else {
            const double sign = t->model->joints[joint].follower == b ? 1.0 : -1.0;
            t->count[b] = free_motions(t, joint, to);
            for (int k = 0; k < t->count[b]; k++) {
                to[k] = (twist){v3_scale(sign, to[k].omega), v3_scale(sign, to[k].v)};
            }
        }
        t->coordinate_count += t->count[b];
    }
}

static void find_frames(joint_tree* t)
{
    const tml_model* m = t->model;
    const joint_turn none = {.has_base = false};
    for (int j = 0; j < m->all.joint_count; j++) {
        tml__joint_frame(&m->joints[j], &none, &t->bodies[m->joints[j].follower],
                         &t->bodies[m->joints[j].base], &t->frames[j]);
    }
}

static void place(joint_tree* t)
{
    const tml_model* m = t->model;
    for (int b = 0; b <= m->all.body_count; b++) {
        const body_data* body = &m->bodies[b];
        t->bodies[b] = (rigid){.c = body->c, .q = body->q, .R = q_matrix(body->q)};
    }
    find_frames(t);
}

void tml__tree_place(joint_tree* tree, const rigid* bodies)
{
    const size_t count = (size_t)tree->model->all.body_count + 1;
    memcpy(tree->bodies, bodies, count * sizeof *bodies);
    find_frames(tree);
    list_motions(tree);
}

tml_status tml__tree_create(const tml_model* m, const bool* may_hold,
                            const tml_allocator* allocator, joint_tree* out)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    const size_t joints = (size_t)m->all.joint_count;
    *out = (joint_tree){.model = m, .memory = {.allocator = allocator}};
    pool* p = &out->memory;

    out->bodies = tml__pool_take(p, bodies, sizeof *out->bodies);
    out->frames = tml__pool_take(p, joints, sizeof *out->frames);
    out->is_in_tree = tml__pool_take(p, joints, sizeof *out->is_in_tree);
    out->parent_joint = tml__pool_take(p, bodies, sizeof(int));
    out->parent = tml__pool_take(p, bodies, sizeof(int));
    out->order = tml__pool_take(p, bodies, sizeof(int));
    out->first = tml__pool_take(p, bodies, sizeof(int));
    out->count = tml__pool_take(p, bodies, sizeof(int));
    out->motion = tml__pool_take(p, 6 * bodies, sizeof *out->motion);
    int* group = tml__pool_take(p, bodies, sizeof(int));
    bool* is_done = tml__pool_take(p, bodies, sizeof(bool));
    neighbours n = {tml__pool_take(p, bodies + 1, sizeof(int)),
                    tml__pool_take(p, 2 * joints, sizeof(int))};
    if (!out->bodies || !out->frames || !out->is_in_tree || !out->parent_joint || !out->parent ||
        !out->order || !out->first || !out->count || !out->motion || !group || !is_done ||
        !n.start || !n.joint) {
        tml__tree_destroy(out);
        return TML_NO_MEMORY;
    }
    place(out);
    choose_joints(out, may_hold, group);
    collect(out, &n);
    orient(out, &n, is_done);
    list_motions(out);
    return TML_OK;
}

void tml__tree_destroy(joint_tree* tree)
{
    tml__pool_destroy(&tree->memory);
    *tree = (joint_tree){0};
}

// ---- using it

// The rate that a gradient on one body gives for each coordinate between the body and its root.
static void project_body(const joint_tree* t, int body, vec3 force, vec3 torque, double* out)
{
    // about the world's origin: the velocity there and the spin are what a twist holds
    const vec3 moment = v3_add(torque, v3_cross(t->bodies[body].c, force));
    for (int b = body; b >= 0 && t->model->bodies[b].node >= 0; b = t->parent[b]) {
        for (int k = t->first[b]; k < t->first[b] + t->count[b]; k++) {
            out[k] += v3_dot(force, t->motion[k].v) + v3_dot(moment, t->motion[k].omega);
        }
    }
}

void tml__tree_project(const joint_tree* tree, const joint_data* j, const rigid_gradient* g,
                       double scale, double* out)
{
    project_body(tree, j->follower, v3_scale(scale, g->n), v3_scale(scale, g->t_F), out);
    project_body(tree, j->base, v3_scale(-scale, g->n), v3_scale(scale, g->t_B), out);
}

static int depth(const joint_tree* t, int body)
{
    int d = 0;
    for (int b = body; b >= 0 && t->model->bodies[b].node >= 0; b = t->parent[b]) d++;
    return d;
}

int tml__tree_path(const joint_tree* tree, int body_a, int body_b, int* out)
{
    int count = 0;
    int a = body_a;
    int b = body_b;
    int depth_a = depth(tree, a);
    int depth_b = depth(tree, b);

    while (depth_a > 0 || depth_b > 0) {
        if (depth_a == depth_b && a == b) break;
        int* deeper = depth_a >= depth_b ? &a : &b;
        for (int k = 0; k < tree->count[*deeper]; k++) out[count++] = tree->first[*deeper] + k;
        *deeper = tree->parent[*deeper];
        if (deeper == &a)
            depth_a--;
        else
            depth_b--;
    }
    return count;
}
