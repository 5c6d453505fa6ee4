// method/affine/system.c - which unknowns sit in which block of the matrix, and all memory.
//
// A node of the block matrix is a body with the rows of the joint that carries it: joints chosen
// from the world outwards span all bodies, and every body but the root of a floating mechanism has
// one. So a node has a regular diagonal block of its own, in any order of elimination. The rows of
// the remaining joints close loops; they, couplings and limits are nodes of their own. A loop's rows
// are held by the freedoms of all joints around the loop, so they come after all its bodies: every
// one of these is a neighbour, as elimination would make it anyway.
// A body of finite stiffness is a regular block by itself. Rows of all its joints are nodes of their own
// that come after the two bodies they tie.
#include "base/request.h"
#include "joint/lead.h"
#include "joint/tree.h"
#include "method/affine/flex.h"

#include <limits.h>
#include <string.h>

enum {
    REQUESTS = 40
};

// Multiplications of a factorisation for each number of the factor, from which on the factor is used again:
// a solve goes over each number once, so that several of them are then cheaper than another factor. Chains
// and trees have a dozen, a net of a thousand links two hundred.
#define DEAR 60.0

typedef struct counts {
    size_t points;       // of the longest spring
    size_t point_pairs;  // of all springs
    size_t terms;        // of all couplings
    size_t block_nodes;  // at most
} counts;

static counts count_all(const maximal_system* s)
{
    const tml_model* m = s->model;
    counts n = {0};
    for (int i = 0; i < m->all.spring_count; i++) {
        const size_t points = (size_t)m->springs[i].point_count;
        if (points > n.points) n.points = points;
        n.point_pairs += points * points;
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        n.terms += (size_t)m->all.couplings[i].term_count;
    }
    n.block_nodes = (size_t)m->node_count + (size_t)m->all.joint_count +
                    (size_t)m->all.coupling_count + (size_t)m->all.nonholonomic_count +
                    (size_t)s->limit_count;
    return n;
}

// clang-format off
static int list_requests(affine_system* a, const counts* n, request list[REQUESTS])
{
    const maximal_system* s = a->s;
    const size_t joints = (size_t)s->model->all.joint_count;
    const size_t bodies = (size_t)s->model->all.body_count + 1;
    const size_t nodes = (size_t)s->node_count;
    const size_t rows = (size_t)s->row_count;
    const request all[] = {
        {&a->body_first,     nodes, sizeof *a->body_first},
        {&a->row_first,      rows, sizeof *a->row_first},
        {&a->node_row,       n->block_nodes, sizeof *a->node_row},
        {&a->node_first,     n->block_nodes + 1, sizeof *a->node_first},
        {&a->is_dropped,     rows, sizeof *a->is_dropped},
        {&a->is_redundant,   rows, sizeof *a->is_redundant},
        {&a->was_dropped,    rows, sizeof *a->was_dropped},
        {&a->trial,          rows, sizeof *a->trial},
        {&a->bodies,         nodes, sizeof *a->bodies},
        {&a->joints,         joints, sizeof *a->joints},
        {&a->limits,         (size_t)s->limit_count, sizeof *a->limits},
        {&a->terms,          n->terms, sizeof *a->terms},
        {&a->tie_spots,      (size_t)s->model->all.nonholonomic_count, sizeof *a->tie_spots},
        {&a->tie_node,       (size_t)s->model->all.nonholonomic_count, sizeof *a->tie_node},
        {&a->ties,           (size_t)s->tie_count, sizeof *a->ties},
        {&a->tie_torque,     (size_t)s->tie_count, sizeof *a->tie_torque},
        {&a->springs,        n->point_pairs, sizeof *a->springs},
        {&a->spring_first,   (size_t)s->model->all.spring_count, sizeof *a->spring_first},
        {&a->path,           n->points, sizeof *a->path},
        {&a->unknowns,       (size_t)a->width * nodes + rows, sizeof *a->unknowns},
        {&a->body,           nodes, sizeof *a->body},
        {&a->S,              nodes, sizeof *a->S},
        {&a->force_bodies,   bodies, sizeof *a->force_bodies},
        {&a->start_frames,   joints, sizeof *a->start_frames},
        {&a->force_frames,   joints, sizeof *a->force_frames},
        {&a->force_turns,    joints, sizeof *a->force_turns},
        {&a->force_targets.axis,  joints * TML_AXES, sizeof *a->force_targets.axis},
        {&a->force_targets.servo, joints * TML_AXES, sizeof *a->force_targets.servo},
        {&a->force_gradient, rows, sizeof *a->force_gradient},
        {&a->force_terms,    n->terms, sizeof *a->force_terms},
        {&a->term_slope,     n->terms, sizeof *a->term_slope},
        {&a->term_bend,      n->terms, sizeof *a->term_bend},
        {&a->C_start,        rows, sizeof *a->C_start},
        {&a->axis_before,    (size_t)s->forced_count, sizeof *a->axis_before},
        {&a->length_before,  (size_t)s->model->all.spring_count, sizeof *a->length_before},
        {&a->lambda,         rows, sizeof *a->lambda},
        {&a->residual,       (size_t)a->width * nodes, sizeof *a->residual},
        {&a->is_led,         bodies, sizeof *a->is_led},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

// ---- the pattern

typedef struct layout {
    int* width;      // per block node
    bool* is_late;   //
    int* row_node;   // per joint: the block node of its rows
    int* row_shift;  // and where in it they begin
    int* depth;      // per body: joints to its root
    int* pair;
    int node_count;
    size_t pair_count, pair_room;
    const joint_tree* tree;
    bool has_own_rows;  // rows of joints are nodes beside their bodies
} layout;

// Without room, pairs are only counted.
static void add_pair(layout* to, int a, int b)
{
    if (a < 0 || b < 0 || a == b) return;
    if (to->pair_count < to->pair_room) {
        to->pair[2 * to->pair_count] = a;
        to->pair[2 * to->pair_count + 1] = b;
    }
    to->pair_count++;
}

static int add_late(layout* to, int width)
{
    to->width[to->node_count] = width;
    to->is_late[to->node_count] = true;
    return to->node_count++;
}

static int node_of(const tml_model* m, int body) { return m->bodies[body].node; }

// A row of a joint with both its bodies and, where the joint closes a loop, all around it.
static void link_row(const tml_model* m, layout* to, int row_node, int joint)
{
    int a = m->joints[joint].follower;
    int b = m->joints[joint].base;
    add_pair(to, row_node, node_of(m, a));
    add_pair(to, row_node, node_of(m, b));
    if (to->tree->is_in_tree[joint] || to->has_own_rows) return;
    while (a != b && (node_of(m, a) >= 0 || node_of(m, b) >= 0)) {
        const bool is_a = node_of(m, b) < 0 || (node_of(m, a) >= 0 && to->depth[a] >= to->depth[b]);
        int* up = is_a ? &a : &b;
        add_pair(to, row_node, node_of(m, *up));
        if (to->tree->parent[*up] < 0) return;
        *up = to->tree->parent[*up];
    }
}

static void find_depths(const layout* to)
{
    const joint_tree* tree = to->tree;
    for (int i = 0; i < tree->order_count; i++) {
        const int b = tree->order[i];
        to->depth[b] = tree->parent[b] >= 0 ? to->depth[tree->parent[b]] + 1 : 0;
    }
}

static void lay_joints(const affine_system* a, layout* to)
{
    const joint_tree* tree = to->tree;
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int joint = tree->parent_joint[m->node_body[n]];
        const bool has_rows = !to->has_own_rows && joint >= 0 && s->rows[joint].count > 0;
        to->width[n] = a->width + (has_rows ? s->rows[joint].count : 0);
        a->node_row[n] = has_rows ? s->first_row[joint] : -1;
    }
    to->node_count = s->node_count;
    for (int j = 0; j < m->all.joint_count; j++) {
        const int F = node_of(m, m->joints[j].follower);
        const int B = node_of(m, m->joints[j].base);
        to->row_node[j] = -1;
        add_pair(to, F, B);
        if (s->rows[j].count == 0 || (F < 0 && B < 0)) continue;
        const bool joins = !to->has_own_rows;
        if (joins && F >= 0 && tree->parent_joint[m->node_body[F]] == j) {
            to->row_node[j] = F;
            to->row_shift[j] = 6;
        } else if (joins && B >= 0 && tree->parent_joint[m->node_body[B]] == j) {
            to->row_node[j] = B;
            to->row_shift[j] = 6;
        } else {
            to->row_node[j] = add_late(to, s->rows[j].count);
            to->row_shift[j] = 0;
            a->node_row[to->row_node[j]] = s->first_row[j];
            link_row(m, to, to->row_node[j], j);
        }
    }
}

static void lay_rows(const affine_system* a, layout* to)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        const int node = add_late(to, 1);
        a->node_row[node] = s->first_coupling + i;
        for (int k = 0; k < c->term_count; k++) link_row(m, to, node, c->terms[k].joint.index);
    }
    int row = s->first_tie;
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        const nonholonomic_data* tie = &m->nonholonomics[i];
        a->tie_node[i] = add_late(to, tml__nonholonomic_rows(tie));
        a->node_row[a->tie_node[i]] = row;
        row += to->width[a->tie_node[i]];
        // held by the freedoms of all joints between the body and its root
        for (int b = tie->body; b >= 0 && node_of(m, b) >= 0; b = to->tree->parent[b]) {
            add_pair(to, a->tie_node[i], node_of(m, b));
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const int node = add_late(to, 1);
        a->node_row[node] = s->limits[i].row;
        link_row(m, to, node, s->limits[i].joint);
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        for (int p = 0; p < spring->point_count; p++) {
            for (int q = p + 1; q < spring->point_count; q++) {
                add_pair(to, node_of(m, spring->body[p]), node_of(m, spring->body[q]));
            }
        }
    }
    for (int i = 0; i < m->all.deformable_count; i++) {
        const soft_data* soft = &m->soft[i];
        for (int k = 0; k < soft->carrier_count; k++) {
            for (int l = k + 1; l < soft->carrier_count; l++) {
                add_pair(to, node_of(m, soft->carriers[k]), node_of(m, soft->carriers[l]));
            }
        }
    }
}

// ---- addresses

static spot spot_at(affine_system* a, const layout* from, int row, int column)
{
    if (row < 0 || column < 0) return (spot){NULL, 0};
    return (spot){tml__block_at(a->matrix, row, column), tml__block_stride(from->width[row])};
}

static spot shift(spot s, int row, int column)
{
    if (s.at != NULL) s.at += (ptrdiff_t)column * s.stride + row;
    return s;
}

static joint_spots find_spots(affine_system* a, const layout* from, int joint, int row_node,
                              int row_shift)
{
    const tml_model* m = a->s->model;
    const int F = node_of(m, m->joints[joint].follower);
    const int B = node_of(m, m->joints[joint].base);
    joint_spots out = {
        .FF = spot_at(a, from, F, F),
        .FB = spot_at(a, from, F, B),
        .BF = spot_at(a, from, B, F),
        .BB = spot_at(a, from, B, B),
    };
    if (row_node < 0) return out;
    out.rF = shift(spot_at(a, from, row_node, F), row_shift, 0);
    out.rB = shift(spot_at(a, from, row_node, B), row_shift, 0);
    out.Fr = shift(spot_at(a, from, F, row_node), 0, row_shift);
    out.Br = shift(spot_at(a, from, B, row_node), 0, row_shift);
    out.rr = shift(spot_at(a, from, row_node, row_node), row_shift, row_shift);
    return out;
}

static void find_all_spots(affine_system* a, const layout* from)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;
    int node =
        from->node_count - m->all.coupling_count - m->all.nonholonomic_count - s->limit_count;

    for (int n = 0; n < s->node_count; n++) a->bodies[n] = spot_at(a, from, n, n);
    for (int j = 0; j < m->all.joint_count; j++) {
        a->joints[j] = find_spots(a, from, j, from->row_node[j], from->row_shift[j]);
    }
    for (int i = 0; i < m->all.coupling_count; i++, node++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        for (int k = 0; k < c->term_count; k++) {
            a->terms[s->first_term[i] + k] = find_spots(a, from, c->terms[k].joint.index, node, 0);
        }
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++, node++) {
        const int F = node_of(m, m->nonholonomics[i].body);
        a->tie_spots[i] = (joint_spots){
            .FF = spot_at(a, from, F, F),
            .rF = spot_at(a, from, node, F),
            .Fr = spot_at(a, from, F, node),
            .rr = spot_at(a, from, node, node),
        };
    }
    for (int i = 0; i < s->limit_count; i++, node++) {
        a->limits[i] = find_spots(a, from, s->limits[i].joint, node, 0);
    }
    int at = 0;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const int n = spring->point_count;
        a->spring_first[i] = at;
        for (int p = 0; p < n * n; p++) {
            a->springs[at++] =
                spot_at(a, from, node_of(m, spring->body[p / n]), node_of(m, spring->body[p % n]));
        }
    }
}

// Numbers of the unknowns: the nodes of the matrix one after the other.
static void number(affine_system* a, const layout* from)
{
    const maximal_system* s = a->s;
    int* first = a->node_first;

    for (int k = 0; k < from->node_count; k++) first[k + 1] = first[k] + from->width[k];
    a->matrix_nodes = from->node_count;
    for (int n = 0; n < s->node_count; n++) a->body_first[n] = first[n];
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            a->row_first[s->first_row[j] + r] =
                from->row_node[j] >= 0 ? first[from->row_node[j]] + from->row_shift[j] + r : -1;
        }
    }
    const tml_model* m = s->model;
    const int own = m->all.coupling_count + m->all.nonholonomic_count + s->limit_count;
    int row = s->first_coupling;
    for (int node = from->node_count - own; node < from->node_count; node++) {
        for (int k = 0; k < from->width[node]; k++) a->row_first[row++] = first[node] + k;
    }
}

static void lay_out(const affine_system* a, layout* to)
{
    to->node_count = 0;
    to->pair_count = 0;
    lay_joints(a, to);
    lay_rows(a, to);
}

// Lay out twice: to count the pairs, and to list them.
static tml_status find_pattern(const affine_system* a, layout* to, message* why)
{
    find_depths(to);
    lay_out(a, to);
    if (to->pair_count > INT_MAX / 2) {
        return tml__fail(why, TML_UNSUPPORTED, "the loops are too long for this solver");
    }
    to->pair_room = to->pair_count;
    to->pair = tml__allocate(&a->s->allocator, 2 * to->pair_room, sizeof(int));
    if (to->pair == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    lay_out(a, to);
    return TML_OK;
}

static tml_status create_matrix(affine_system* a, const counts* n, message* why)
{
    const maximal_system* s = a->s;
    const tml_allocator* memory = &s->allocator;
    const size_t joints = (size_t)s->model->all.joint_count;
    joint_tree tree = {0};
    layout to = {
        .tree = &tree,
        .has_own_rows = a->has_own_rows,
        .width = tml__allocate(memory, n->block_nodes, sizeof(int)),
        .is_late = tml__allocate(memory, n->block_nodes, sizeof(bool)),
        .row_node = tml__allocate(memory, joints, sizeof(int)),
        .row_shift = tml__allocate(memory, joints, sizeof(int)),
        .depth = tml__allocate(memory, (size_t)s->model->all.body_count + 1, sizeof(int)),
    };
    tml_status status = TML_NO_MEMORY;
    if (to.width && to.is_late && to.row_node && to.row_shift && to.depth) {
        status = tml__tree_create(s->model, NULL, memory, &tree);
    }
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK) status = find_pattern(a, &to, why);
    if (status == TML_OK) {
        const block_pattern pattern = {to.node_count, to.width, (int)to.pair_count, to.pair,
                                       to.is_late};
        status = tml__block_create(&pattern, BLOCK_LU, memory, why, &a->matrix);
    }
    if (status == TML_OK) {
        const block_statistics matrix = tml__block_statistics(a->matrix);
        a->shares_factors = matrix.flops > DEAR * (double)matrix.entries;
        find_all_spots(a, &to);
        number(a, &to);
    }
    tml__tree_destroy(&tree);
    tml__release(memory, to.width);
    tml__release(memory, to.is_late);
    tml__release(memory, to.row_node);
    tml__release(memory, to.row_shift);
    tml__release(memory, to.depth);
    tml__release(memory, to.pair);
    return status;
}

// ---- bodies of finite stiffness

enum {
    FLEX_REQUESTS = 6
};

static void list_flex(affine_system* a, size_t terms, request list[FLEX_REQUESTS])
{
    affine_flex* f = a->flex;
    const size_t nodes = (size_t)a->s->node_count;
    const size_t rows = (size_t)a->s->row_count;
    const request all[FLEX_REQUESTS] = {
        {&f->body, nodes, sizeof *f->body},
        {&f->push, rows, sizeof *f->push},
        {&f->move, rows, sizeof *f->move},
        {&f->push_term, terms, sizeof *f->push_term},
        {&f->move_term, terms, sizeof *f->move_term},
        {&f->dx, FLEX_WIDTH * nodes, sizeof *f->dx},
    };
    for (int i = 0; i < FLEX_REQUESTS; i++) list[i] = all[i];
}

static tml_status create_flex(affine_system* a, const flex_material* material, message* why)
{
    const tml_allocator* memory = &a->s->allocator;
    const counts n = count_all(a->s);
    request list[FLEX_REQUESTS];
    a->width = FLEX_WIDTH;
    a->flex = tml__allocate(memory, 1, sizeof *a->flex);
    if (a->flex == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    list_flex(a, n.terms, list);
    if (tml__take_all(memory, list, FLEX_REQUESTS) != TML_OK) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    return tml__flex_measure(a, material, why);
}

static void destroy_flex(affine_system* a)
{
    request list[FLEX_REQUESTS];
    if (a->flex == NULL) return;
    list_flex(a, 0, list);
    tml__release_all(&a->s->allocator, list, FLEX_REQUESTS);
    tml__release(&a->s->allocator, a->flex);
}

static tml_status create(maximal_system* s, const flex_material* material, bool is_regular,
                         message* why, affine_system** out)
{
    *out = NULL;
    affine_system* a = tml__allocate(&s->allocator, 1, sizeof *a);
    if (a == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    a->s = s;
    a->width = 6;
    a->has_own_rows = is_regular || material != NULL;
    if (material != NULL) {
        const tml_status made = create_flex(a, material, why);
        if (made != TML_OK) {
            tml__affine_destroy(a);
            return made;
        }
    }
    const counts n = count_all(s);
    request list[REQUESTS];
    const int count = list_requests(a, &n, list);
    tml_status status = tml__take_all(&s->allocator, list, count);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK) status = create_matrix(a, &n, why);
    if (status != TML_OK) {
        tml__affine_destroy(a);
        return status;
    }
    for (int b = 0; b <= s->model->all.body_count; b++) a->force_bodies[b] = s->bodies[b];
    for (int i = 0; i < s->node_count; i++) {
        a->S[i] = affine_second_moments(s->model->bodies[s->model->node_body[i]].inertia);
    }
    for (int row = 0; row < s->row_count; row++) a->is_dropped[row] = a->row_first[row] < 0;
    tml__find_led(a->s->model, a->is_led);
    *out = a;
    return TML_OK;
}

tml_status tml__affine_create(maximal_system* s, message* why, affine_system** out)
{
    return create(s, NULL, false, why, out);
}

tml_status tml__affine_create_regular(maximal_system* s, message* why, affine_system** out)
{
    return create(s, NULL, true, why, out);
}

tml_status tml__flex_create(maximal_system* s, const flex_material* material, message* why,
                            affine_system** out)
{
    return create(s, material, false, why, out);
}

void tml__affine_destroy(affine_system* a)
{
    if (a == NULL) return;
    const tml_allocator allocator = a->s->allocator;
    const counts none = {0};
    request list[REQUESTS];
    const int count = list_requests(a, &none, list);

    tml__block_destroy(a->matrix);
    destroy_flex(a);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, a);
}
