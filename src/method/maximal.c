// method/maximal.c - laying out rows, coupling blocks and scratch, once per simulation.
#include "force/axis.h"
#include "method/jump.h"

#include <limits.h>
#include <string.h>

// Lists that are built before the matrix exists.
typedef struct layout {
    int* row_start;
    int* row_node;
    int* pair_node;
    int* last_entry;  // per node: where a coupling last met it
    int entry_count, pair_count, row_count;
} layout;

static int node_of(const tml_model* m, int body) { return m->bodies[body].node; }

// ---- counting what will be needed

// The first point of a path that sits on the same body.
static int first_on_body(const spring_data* spring, int point)
{
    int first = 0;
    while (spring->body[first] != spring->body[point]) first++;
    return first;
}

// How many bodies a path passes, the world among them.
static int bodies_on(const spring_data* spring)
{
    int count = 0;
    for (int p = 0; p < spring->point_count; p++) count += first_on_body(spring, p) == p;
    return count;
}

typedef struct counts {
    int rows, entries, pairs, limits, forced, terms, ties, points, point_pairs;
} counts;

// The tables of tendons grow with the square of their points, those of deformables with the square of
// the bodies that carry them: do their sizes fit an int?
static bool fits(const tml_model* m)
{
    long long total = m->all.joint_count;
    for (int i = 0; i < m->all.spring_count && total <= INT_MAX / 2; i++) {
        total += (long long)m->springs[i].point_count * m->springs[i].point_count;
    }
    for (int i = 0; i < m->all.deformable_count && total <= INT_MAX / 2; i++) {
        total += (long long)m->soft[i].carrier_count * m->soft[i].carrier_count;
    }
    return total <= INT_MAX / 2;
}

// The limits of an axis: one of three turns has a measure for each bound that it can reach.
static int limits_of(const tml_model* m, int joint, int axis, limit_row out[2])
{
    const joint_data* j = &m->joints[joint];
    const axis_data* a = &j->axis[axis];
    int count = 0;
    if (!a->is_free || !a->has_limits) return 0;
    if (j->turn_count < 3 || axis < TML_AXIS_RX) {
        out[0] = (limit_row){.joint = joint, .axis = (tml_axis)axis, .of = (tml_axis)axis};
        return 1;
    }
    const int letter = axis - TML_AXIS_RX;
    const double most = j->turn[1] == letter ? 0.5 * TML_PI : HUGE_VAL;
    if (a->lower > -most) {
        out[count++] = (limit_row){.joint = joint,
                                   .axis = (tml_axis)axis,
                                   .of = (tml_axis)(MEASURE_LOWER + letter),
                                   .side = LIMIT_LOWER};
    }
    if (a->upper < most) {
        out[count++] = (limit_row){.joint = joint,
                                   .axis = (tml_axis)axis,
                                   .of = (tml_axis)(MEASURE_UPPER + letter),
                                   .side = LIMIT_UPPER};
    }
    return count;
}

static counts count_all(const tml_model* m)
{
    counts n = {0};
    for (int j = 0; j < m->all.joint_count; j++) {
        joint_rows rows;
        tml__joint_rows(&m->joints[j], &rows);
        n.rows += rows.count;
        n.pairs++;
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            limit_row limits[2];
            n.limits += limits_of(m, j, k, limits);
            if (tml__axis_is_forced(a)) n.forced++;
        }
        if (m->joints[j].dots != NULL) n.forced += 9;
    }
    n.entries = 2 * (n.rows + n.limits);
    for (int i = 0; i < m->all.coupling_count; i++) {
        n.terms += m->all.couplings[i].term_count;
        n.entries += 2 * m->all.couplings[i].term_count;
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        const int points = m->springs[i].point_count;
        if (points > n.points) n.points = points;
        const int bodies = bodies_on(&m->springs[i]);
        n.point_pairs += 1 + points + bodies * bodies;
        n.pairs += bodies * (bodies - 1) / 2;
    }
    for (int i = 0; i < m->all.deformable_count; i++) {
        n.pairs += m->soft[i].carrier_count * (m->soft[i].carrier_count - 1) / 2;
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        n.ties += tml__nonholonomic_rows(&m->nonholonomics[i]);
    }
    n.entries += n.ties;
    n.rows += n.limits + n.ties + m->all.coupling_count;
    return n;
}

// ---- memory: one list, so that a failure is one test

// `where` is the address of a pointer of any type; memcpy keeps the aliasing rules.
typedef struct request {
    void* where;
    size_t count, size;
} request;

// Which of a list: of a lean system the parts that grow with the model are made when they are needed.
typedef enum request_share {
    ALL_OF_THEM,
    EMPTY_ONES,
    FILLED_ONES,
} request_share;

static bool is_shared(const request* r, request_share share)
{
    return share == ALL_OF_THEM || (share == EMPTY_ONES) == (r->count == 0);
}

static tml_status take_all(const tml_allocator* allocator, const request* list, int count,
                           request_share share)
{
    for (int i = 0; i < count; i++) {
        if (!is_shared(&list[i], share)) continue;
        void* memory = tml__allocate(allocator, list[i].count, list[i].size);
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static void release_all(const tml_allocator* allocator, const request* list, int count,
                        request_share share)
{
    void* const none = NULL;
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        if (!is_shared(&list[i], share)) continue;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(allocator, memory);
        memcpy(list[i].where, &none, sizeof none);
    }
}

enum {
    REQUESTS = 64
};

// clang-format off
static int list_requests(maximal_system* s, const counts* n, request list[REQUESTS])
{
    const tml_model* m = s->model;
    const size_t joints = (size_t)m->all.joint_count;
    const size_t bodies = (size_t)m->all.body_count + 1;
    const size_t nodes = (size_t)m->node_count;
    const size_t rows = (size_t)n->rows;
    const size_t terms = (size_t)n->terms;
    const size_t points = (size_t)n->points;
    const request all[] = {
        {&s->rows,          joints, sizeof *s->rows},
        {&s->first_row,     joints + 1, sizeof *s->first_row},
        {&s->joint_pair,    joints, sizeof *s->joint_pair},
        {&s->joint_entry,   rows, sizeof *s->joint_entry},
        {&s->term_entry,    2 * terms, sizeof *s->term_entry},
        {&s->first_term,    (size_t)m->all.coupling_count + 1, sizeof *s->first_term},
        {&s->tie_of,        (size_t)n->ties, sizeof *s->tie_of},
        {&s->ties,          (size_t)n->ties, sizeof *s->ties},
        {&s->limits,        (size_t)n->limits, sizeof *s->limits},
        {&s->forced,        (size_t)n->forced, sizeof *s->forced},
        {&s->spring_pair,   (size_t)m->all.spring_count, sizeof *s->spring_pair},
        {&s->point_pair,    (size_t)n->point_pairs, sizeof *s->point_pair},
        {&s->targets.axis,  joints * TML_AXES, sizeof *s->targets.axis},
        {&s->targets.servo, joints * TML_AXES, sizeof *s->targets.servo},
        {&s->turns,         joints, sizeof *s->turns},
        {&s->bodies,        bodies, sizeof *s->bodies},
        {&s->lifts,         bodies, sizeof *s->lifts},
        {&s->frames,        joints, sizeof *s->frames},
        {&s->weight,        rows, sizeof *s->weight},
        {&s->compliance,    rows, sizeof *s->compliance},
        {&s->hints,         joints * TML_AXES, sizeof *s->hints},
        {&s->sides,         (size_t)n->limits, sizeof *s->sides},
        {&s->C,             rows, sizeof *s->C},
        {&s->gradient,      rows, sizeof *s->gradient},
        {&s->term_gradient, terms, sizeof *s->term_gradient},
        {&s->term_slope,    terms, sizeof *s->term_slope},
        {&s->term_bend,     terms, sizeof *s->term_bend},
        {&s->spring.r,      points, sizeof *s->spring.r},
        {&s->spring.u,      points, sizeof *s->spring.u},
        {&s->spring.g,      points, sizeof *s->spring.g},
        {&s->spring.e,      points, sizeof *s->spring.e},
        {&s->spring.inverse, points, sizeof *s->spring.inverse},
        {&s->force,         bodies, sizeof *s->force},
        {&s->torque,        bodies, sizeof *s->torque},
        {&s->x,             nodes * POSE_WIDTH, sizeof(double)},
        {&s->x_start,       nodes * POSE_WIDTH, sizeof(double)},
        {&s->dx,            nodes * 6, sizeof(double)},
        {&s->residual,      nodes * 6, sizeof(double)},
        {&s->inertia,       nodes, sizeof *s->inertia},
        {&s->ahead,         joints * TML_AXES, sizeof *s->ahead},
        {&s->dl,            rows, sizeof(double)},
        {&s->lambda,        rows, sizeof(double)},
        {&s->lambda_start,  rows, sizeof(double)},
        {&s->ahead_dx,      nodes * 6, sizeof(double)},
        {&s->ahead_dl,      rows, sizeof(double)},
        {&s->level_rate,    rows, sizeof(double)},
        {&s->level_bias,    rows, sizeof(double)},
        {&s->mechanism,     nodes, sizeof *s->mechanism},
        {&s->jumps,         nodes, sizeof *s->jumps},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

// ---- the pattern of the matrix

// A row on the follower and the base of a joint; returns its first entry.
static int add_joint_row(const tml_model* m, const joint_data* j, layout* to)
{
    const int first = to->entry_count;
    const int follower = node_of(m, j->follower);
    const int base = node_of(m, j->base);

    to->row_start[to->row_count++] = first;
    if (follower >= 0) to->row_node[to->entry_count++] = follower;
    if (base >= 0) to->row_node[to->entry_count++] = base;
    return first;
}

static int add_pair(int a, int b, layout* to)
{
    if (a < 0 || b < 0 || a == b) return -1;
    to->pair_node[2 * to->pair_count] = a;
    to->pair_node[2 * to->pair_count + 1] = b;
    return to->pair_count++;
}

static void lay_joints(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        tml__joint_rows(j, &s->rows[i]);
        s->first_row[i] = to->row_count;
        for (int r = 0; r < s->rows[i].count; r++) {
            const int row = to->row_count;
            s->joint_entry[row] = add_joint_row(m, j, to);
        }
        s->joint_pair[i] = add_pair(node_of(m, j->follower), node_of(m, j->base), to);
        for (int k = 0; k < TML_AXES; k++) {
            if (tml__axis_is_forced(&j->axis[k])) {
                s->forced[s->forced_count++] = (joint_axis_id){i, (tml_axis)k};
            }
        }
        for (int k = DOT_FIRST; k < COORDINATES && j->dots != NULL; k++) {
            s->forced[s->forced_count++] = (joint_axis_id){i, (tml_axis)k};
        }
    }
    s->first_row[m->all.joint_count] = to->row_count;
}

// The entry of a node in the row that starts at `first`, made when it is new.
static int entry_of(int node, int first, layout* to)
{
    if (node < 0) return -1;
    const int last = to->last_entry[node];
    if (last >= first && last < to->entry_count && to->row_node[last] == node) return last;
    to->row_node[to->entry_count] = node;
    to->last_entry[node] = to->entry_count;
    return to->entry_count++;
}

static void lay_couplings(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    int term = 0;

    s->first_coupling = to->row_count;
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        const int first = to->entry_count;
        to->row_start[to->row_count++] = first;
        s->first_term[i] = term;
        for (int k = 0; k < c->term_count; k++, term++) {
            const joint_data* j = &m->joints[c->terms[k].joint.index];
            s->term_entry[2 * term] = entry_of(node_of(m, j->follower), first, to);
            s->term_entry[2 * term + 1] = entry_of(node_of(m, j->base), first, to);
        }
    }
    s->first_term[m->all.coupling_count] = term;
}

static void lay_ties(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    s->first_tie = to->row_count;
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        const int node = node_of(m, m->nonholonomics[i].body);
        for (int k = 0; k < tml__nonholonomic_rows(&m->nonholonomics[i]); k++) {
            const int row = to->row_count;
            s->tie_of[s->tie_count++] = i;
            s->joint_entry[row] = to->entry_count;
            to->row_start[to->row_count++] = to->entry_count;
            if (node >= 0) to->row_node[to->entry_count++] = node;
        }
    }
}

static void lay_limits(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    s->first_limit = to->row_count;
    for (int i = 0; i < m->all.joint_count; i++) {
        for (int k = 0; k < TML_AXES; k++) {
            limit_row rows[2];
            const int count = limits_of(m, i, k, rows);
            for (int r = 0; r < count; r++) {
                rows[r].row = to->row_count;
                s->joint_entry[rows[r].row] = add_joint_row(m, &m->joints[i], to);
                s->limits[s->limit_count++] = rows[r];
            }
        }
    }
}

// A tendon's table: how many bodies it passes, which of them each point is on, then the block that couples
// each two bodies, lower node first, -1 on the diagonal. Tendons have many points on few bodies.
static int lay_spring(const tml_model* m, const spring_data* spring, int* table, layout* to)
{
    const int n = spring->point_count;
    int* on = table + 1;
    int* block = on + n;
    int bodies = 0;
    for (int a = 0; a < n; a++) {
        const int first = first_on_body(spring, a);
        on[a] = first == a ? bodies++ : on[first];
    }
    table[0] = bodies;
    for (int i = 0; i < bodies; i++) block[i * bodies + i] = -1;
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n && first_on_body(spring, a) == a; b++) {
            if (first_on_body(spring, b) != b) continue;
            const int node_a = node_of(m, spring->body[a]);
            const int node_b = node_of(m, spring->body[b]);
            const int pair =
                add_pair(node_a < node_b ? node_a : node_b, node_a < node_b ? node_b : node_a, to);
            block[on[a] * bodies + on[b]] = pair;
            block[on[b] * bodies + on[a]] = pair;
        }
    }
    return 1 + n + bodies * bodies;
}

static void lay_springs(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    int at = 0;
    for (int i = 0; i < m->all.spring_count; i++) {
        s->spring_pair[i] = at;
        at += lay_spring(m, &m->springs[i], &s->point_pair[at], to);
    }
}

static void lay_softs(maximal_system* s, layout* to)
{
    const tml_model* m = s->model;
    s->first_soft_pair = to->pair_count;
    for (int i = 0; i < m->all.deformable_count; i++) {
        const soft_data* soft = &m->soft[i];
        for (int a = 0; a < soft->carrier_count; a++) {
            for (int b = a + 1; b < soft->carrier_count; b++) {
                add_pair(node_of(m, soft->carriers[a]), node_of(m, soft->carriers[b]), to);
            }
        }
    }
}

static tml_status create_matrix(maximal_system* s, const counts* n, kkt_method method, message* why)
{
    layout to = {0};
    const request list[] = {
        {&to.row_start, (size_t)n->rows + 1, sizeof(int)},
        {&to.row_node, (size_t)n->entries, sizeof(int)},
        {&to.pair_node, 2 * (size_t)n->pairs, sizeof(int)},
        {&to.last_entry, (size_t)s->model->node_count, sizeof(int)},
    };
    tml_status status = take_all(&s->allocator, list, 4, ALL_OF_THEM);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK) {
        lay_joints(s, &to);
        lay_couplings(s, &to);
        lay_ties(s, &to);
        lay_limits(s, &to);
        lay_springs(s, &to);
        lay_softs(s, &to);
        to.row_start[to.row_count] = to.entry_count;
        s->row_count = to.row_count;
        s->node_count = s->model->node_count;

        const kkt_pattern pattern = {.node_count = s->node_count,
                                     .row_count = to.row_count,
                                     .row_start = to.row_start,
                                     .row_node = to.row_node,
                                     .pair_count = to.pair_count,
                                     .pair_node = to.pair_node};
        if (method != KKT_NONE) {
            status = tml__kkt_create(&pattern, method, &s->allocator, why, &s->matrix);
        }
    }
    release_all(&s->allocator, list, 4, ALL_OF_THEM);
    return status;
}

// Bodies that never move are placed once and for all.
static void place_fixed(maximal_system* s)
{
    const tml_model* m = s->model;
    for (int b = 0; b <= m->all.body_count; b++) {
        const body_data* body = &m->bodies[b];
        s->bodies[b] = (rigid){.c = body->c, .q = body->q, .R = q_matrix(body->q)};
    }
}

static bool has_targets(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (a->control_index >= 0 || a->has_servo) return true;
        }
    }
    return false;
}

// Loops, couplings and limits may say the same thing twice; the rows of a tree are independent.
// Bodies welded to the world close loops that the count of joints does not know.
static bool may_be_redundant(const tml_model* m, const counts* n)
{
    const bool has_welds = m->node_count < m->all.body_count;
    return m->loops > 0 || has_welds || m->all.coupling_count > 0 || n->limits > 0 || n->ties > 0;
}

// Weights and compliances of the rows.
static void weigh_rows(maximal_system* s)
{
    const tml_model* m = s->model;
    for (int row = 0; row < s->row_count; row++) s->weight[row] = 1.0;
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const axis_data* axis = &m->joints[j].axis[s->rows[j].row[r].axis];
            s->weight[s->first_row[j] + r] = axis->weight;
            s->compliance[s->first_row[j] + r] = axis->compliance;
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        s->weight[s->first_coupling + i] = m->all.couplings[i].weight;
        s->compliance[s->first_coupling + i] = m->all.couplings[i].compliance;
    }
}

bool tml__maximal_has_compliance(const maximal_system* s)
{
    for (int row = 0; row < s->row_count; row++) {
        if (s->compliance[row] > 0.0) return true;
    }
    return false;
}

// Rigid rows of joints between bodies of which one moves, and nothing else: no side of a limit, hint of a
// coupling or force of a compliant row is part of them.
static bool is_plain(const maximal_system* s)
{
    const tml_model* m = s->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (tml__maximal_is_idle(s, j)) return false;
    }
    return !tml__maximal_has_compliance(s) && m->all.coupling_count == 0 && s->tie_count == 0 &&
           s->limit_count == 0;
}

static maximal_system* begin(const tml_model* model, const tml_allocator* allocator,
                             const counts* n)
{
    maximal_system* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return NULL;
    s->model = model;
    s->allocator = *allocator;
    s->load = 1.0;
    s->may_be_redundant = may_be_redundant(model, n);
    s->has_targets = has_targets(model);
    return s;
}

tml_status tml__maximal_create_lean(const tml_model* model, const tml_allocator* allocator,
                                    message* why, maximal_system** out)
{
    *out = NULL;
    const counts n = count_all(model);
    maximal_system* s = begin(model, allocator, &n);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    request list[REQUESTS];
    const int count = list_requests(s, &n, list);
    s->is_lean = true;
    s->row_count = n.rows;
    s->node_count = model->node_count;
    s->first_coupling = n.rows - n.limits - model->all.coupling_count;
    s->first_limit = n.rows - n.limits;
    if (take_all(allocator, list, count, EMPTY_ONES) != TML_OK) {
        tml__maximal_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    *out = s;
    return TML_OK;
}

tml_status tml__maximal_unfold(maximal_system* s, message* why)
{
    const counts n = count_all(s->model);
    request list[REQUESTS];
    const int count = list_requests(s, &n, list);
    tml_status status = take_all(&s->allocator, list, count, FILLED_ONES);
    if (status == TML_OK)
        status = create_matrix(s, &n, KKT_NONE, why);
    else
        tml__fail(why, status, "out of memory");
    if (status != TML_OK) {
        tml__maximal_fold(s);
        return status;
    }
    place_fixed(s);
    weigh_rows(s);
    tml__jump_find_mechanisms(s);
    s->is_plain = is_plain(s);
    s->stood = -1;
    s->framed = -1;
    s->filled = -1;
    s->is_aimed = false;
    tml__maximal_time(s, s->t, NULL);
    return TML_OK;
}

void tml__maximal_fold(maximal_system* s)
{
    const counts n = count_all(s->model);
    request list[REQUESTS];
    const int count = list_requests(s, &n, list);
    release_all(&s->allocator, list, count, FILLED_ONES);
}

tml_status tml__maximal_add_matrix(maximal_system* s, message* why)
{
    const counts n = count_all(s->model);
    if (s->matrix != NULL) return TML_OK;
    const int forced = s->forced_count;
    const int ties = s->tie_count;
    const int limits = s->limit_count;
    s->forced_count = s->tie_count = s->limit_count = 0;  // laid out again, as they were
    const tml_status status =
        create_matrix(s, &n, s->may_be_redundant ? KKT_AUGMENTED : KKT_AUTO_NODES, why);
    if (status != TML_OK) {
        s->forced_count = forced;
        s->tie_count = ties;
        s->limit_count = limits;
    }
    return status;
}

tml_status tml__maximal_create(const tml_model* model, kkt_method method,
                               const tml_allocator* allocator, message* why, maximal_system** out)
{
    *out = NULL;
    if (!fits(model)) {
        return tml__fail(why, TML_NO_MEMORY,
                         "the tendons have too many points, or deformables are attached to too "
                         "many bodies, for this version");
    }
    const counts n = count_all(model);
    maximal_system* s = begin(model, allocator, &n);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    request list[REQUESTS];
    const int count = list_requests(s, &n, list);
    const bool is_auto = method == KKT_AUTO || method == KKT_AUTO_NODES;
    if (is_auto && s->may_be_redundant) method = KKT_AUGMENTED;
    tml_status status = take_all(allocator, list, count, ALL_OF_THEM);
    if (status == TML_OK)
        status = create_matrix(s, &n, method, why);
    else
        tml__fail(why, status, "out of memory");
    if (status != TML_OK) {
        tml__maximal_destroy(s);
        return status;
    }
    place_fixed(s);
    weigh_rows(s);
    tml__jump_find_mechanisms(s);
    s->is_plain = is_plain(s);
    s->stood = -1;
    s->framed = -1;
    s->filled = -1;
    status = tml__maximal_find_loops(s, why);
    if (status != TML_OK) {
        tml__maximal_destroy(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

tml_status tml__maximal_reserve_pushes(maximal_system* s, int count)
{
    if (count <= s->push_room) return TML_OK;
    const int room = count > 2 * s->push_room ? count : 2 * s->push_room;
    hand_push* larger = tml__allocate(&s->allocator, (size_t)room, sizeof *larger);
    if (larger == NULL) return TML_NO_MEMORY;
    if (s->push_count > 0) memcpy(larger, s->pushes, (size_t)s->push_count * sizeof *larger);
    tml__release(&s->allocator, s->pushes);
    s->pushes = larger;
    s->push_room = room;
    return TML_OK;
}

void tml__maximal_destroy(maximal_system* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const counts none = {0};
    const int count = list_requests(s, &none, list);

    tml__kkt_destroy(s->matrix);
    tml__maximal_release_loops(s->loops);
    tml__release(&allocator, s->pushes);
    release_all(&allocator, list, count, ALL_OF_THEM);
    tml__release(&allocator, s);
}
