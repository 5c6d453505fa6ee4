// method/generalized/tree.c - choosing links and columns, and putting bodies where they say.
#include "method/generalized/tree.h"

#include "joint/tree.h"

#include <string.h>

// ---- layout

static void add_link(gen_tree* t, link_kind kind, const int* letters, int count, double sign)
{
    gen_link* link = &t->links[t->link_count++];
    *link = (gen_link){.kind = kind,
                       .count = count,
                       .column = t->column_count,
                       .number = t->number_count,
                       .sign = sign};
    for (int k = 0; k < count; k++) link->letter[k] = letters[k];
    t->column_count += count;
    t->number_count += kind == LINK_BALL ? 4 : count;
}

static const int all_letters[3] = {0, 1, 2};

static void add_slides(gen_tree* t, const joint_data* j, double sign)
{
    int letters[3];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (j->axis[k].is_free) letters[count++] = k;
    }
    if (count > 0) add_link(t, LINK_SLIDE, letters, count, sign);
}

// Turns in the order in which they are met from the parent.
static void add_turns(gen_tree* t, const joint_data* j, double sign)
{
    if (j->turn_count == 3 && !gen_has_rotor(j)) {
        add_link(t, LINK_BALL, all_letters, 3, 1.0);
        return;
    }
    for (int n = 0; n < j->turn_count; n++) {
        const int which = sign > 0.0 ? n : j->turn_count - 1 - n;
        add_link(t, LINK_TURN, &j->turn[which], 1, sign);
    }
}

static gen_marker marker_of(vec3 point, mat3 axes)
{
    return (gen_marker){point, tml__q_from_matrix(axes)};
}

static void add_joint(gen_tree* t, gen_body* b)
{
    const joint_data* j = &t->model->joints[b->joint];
    const gen_marker base = marker_of(j->point_B, j->axes_B);
    const gen_marker follower = marker_of(j->point_F, j->axes_F);

    if (j->follower == b->body) {
        b->inner = base;
        b->outer = follower;
        add_slides(t, j, 1.0);
        add_turns(t, j, 1.0);
    } else {
        // the slides are along the axes of the base, which is the outer body here
        b->inner = follower;
        b->outer = base;
        add_turns(t, j, -1.0);
        add_slides(t, j, -1.0);
    }
}

static void add_body(gen_tree* t, const joint_tree* joints, int body)
{
    const tml_model* m = t->model;
    const int at = t->body_count++;
    gen_body* b = &t->bodies[at];

    *b = (gen_body){.body = body, .parent = -1, .parent_body = tml__world(m), .joint = -1};
    b->mass = m->bodies[body].mass;
    b->inertia = m->bodies[body].inertia;
    b->link = t->link_count;
    b->column = t->column_count;
    t->index[body] = at;
    if (joints->parent_joint[body] >= 0) {
        b->joint = joints->parent_joint[body];
        b->parent_body = joints->parent[body];
        b->parent = t->index[b->parent_body];
        add_joint(t, b);
    } else {
        b->inner = (gen_marker){v3_zero(), q_identity()};
        b->outer = (gen_marker){v3_zero(), q_identity()};
        add_link(t, LINK_SLIDE, all_letters, 3, 1.0);
        add_link(t, LINK_BALL, all_letters, 3, 1.0);
    }
    b->root = b->parent >= 0 ? t->bodies[b->parent].root : at;
    b->link_count = t->link_count - b->link;
    b->column_count = t->column_count - b->column;
    b->last_column = gen_last_column(t, b->parent);
    for (int k = b->column; k < t->column_count; k++) {
        t->column_body[k] = at;
        t->column_parent[k] = b->last_column;
        t->depth[k] = b->last_column >= 0 ? t->depth[b->last_column] + 1 : 0;
        b->last_column = k;
    }
}

// ---- memory

typedef struct request {
    void* where;
    size_t count, size;
} request;

enum {
    REQUESTS = 32
};

// clang-format off
static int list_requests(gen_tree* t, size_t nodes, request list[REQUESTS])
{
    const size_t columns = 6 * nodes;
    const request all[] = {
        {&t->bodies,        nodes, sizeof *t->bodies},
        {&t->index,         (size_t)t->model->all.body_count + 1, sizeof *t->index},
        {&t->is_held,       (size_t)t->model->all.joint_count, sizeof *t->is_held},
        {&t->links,         4 * nodes, sizeof *t->links},
        {&t->column_parent, columns, sizeof *t->column_parent},
        {&t->column_body,   columns, sizeof *t->column_body},
        {&t->depth,         columns, sizeof *t->depth},
        {&t->armature,      columns, sizeof *t->armature},
        {&t->c,             nodes, sizeof *t->c},
        {&t->turn,          nodes, sizeof *t->turn},
        {&t->R,             nodes, sizeof *t->R},
        {&t->origin,        nodes, sizeof *t->origin},
        {&t->S,             columns, sizeof *t->S},
        {&t->velocity,      nodes, sizeof *t->velocity},
        {&t->drift,         nodes, sizeof *t->drift},
        {&t->I,             nodes, sizeof *t->I},
        {&t->applied,       nodes, sizeof *t->applied},
        {&t->carried,       nodes, sizeof *t->carried},
        {&t->acceleration,  nodes, sizeof *t->acceleration},
        {&t->composite,     nodes, sizeof *t->composite},
        {&t->drag,          nodes, sizeof *t->drag},
        {&t->articulated,   36 * nodes, sizeof(double)},
        {&t->U,             36 * nodes, sizeof(double)},
        {&t->D,             36 * nodes, sizeof(double)},
        {&t->u,             columns, sizeof(double)},
        {&t->beside,        2 * columns, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

static tml_status take(gen_tree* t)
{
    request list[REQUESTS];
    const int count = list_requests(t, (size_t)t->model->node_count, list);
    for (int i = 0; i < count; i++) {
        void* memory = tml__allocate(&t->allocator, list[i].count, list[i].size);
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

void tml__gen_destroy(gen_tree* t)
{
    if (t == NULL) return;
    const tml_allocator allocator = t->allocator;
    request list[REQUESTS];
    const int count = list_requests(t, 0, list);

    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(&allocator, memory);
    }
    tml__release(&allocator, t->row_start);
    tml__release(&allocator, t->mass_matrix);
    tml__release(&allocator, t);
}

// ---- creation

// Rows that give way leave more free than a joint's axes say: such a joint is held by rows alone.
static bool gives_way(const joint_data* j)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (!j->axis[k].is_free && j->axis[k].compliance > 0.0) return true;
    }
    return false;
}

static tml_status lay_out(gen_tree* t)
{
    const tml_model* m = t->model;
    bool* may_hold = t->is_held;  // overwritten by the answer below
    joint_tree joints;

    for (int j = 0; j < m->all.joint_count; j++) may_hold[j] = !gives_way(&m->joints[j]);
    const tml_status status = tml__tree_create(m, may_hold, &t->allocator, &joints);
    if (status != TML_OK) return status;
    for (int b = 0; b <= m->all.body_count; b++) t->index[b] = -1;
    for (int j = 0; j < m->all.joint_count; j++) t->is_held[j] = false;
    for (int i = 0; i < joints.order_count; i++) add_body(t, &joints, joints.order[i]);
    for (int k = 0; k < t->body_count; k++) {
        if (t->bodies[k].joint >= 0) t->is_held[t->bodies[k].joint] = true;
    }
    tml__tree_destroy(&joints);
    return TML_OK;
}

// Rotors stand beside H on its diagonal: their energy is a sum over the squares of the rates, which are
// those of the columns.
static tml_status arm_columns(gen_tree* t, message* why)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        for (int k = 0; k < link->count && joint >= 0 && link->kind != LINK_BALL; k++) {
            const int axis = (link->kind == LINK_SLIDE ? 0 : 3) + link->letter[k];
            t->armature[link->column + k] = t->model->joints[joint].axis[axis].armature;
        }
    }
    for (int j = 0; j < t->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES && !t->is_held[j]; k++) {
            if (!(t->model->joints[j].axis[k].armature > 0.0)) continue;
            return tml__fail(why, TML_UNSUPPORTED,
                             "joint '%s' closes a loop and has an armature: put it on another "
                             "joint of the loop",
                             t->model->all.joints[j].name);
        }
    }
    return TML_OK;
}

tml_status tml__gen_take_mass_matrix(gen_tree* t)
{
    if (t->mass_matrix != NULL) return TML_OK;
    const size_t columns = (size_t)t->column_count;
    t->row_start = tml__allocate(&t->allocator, columns + 1, sizeof *t->row_start);
    if (t->row_start == NULL) return TML_NO_MEMORY;
    for (size_t i = 0; i < columns; i++) {
        t->row_start[i + 1] = t->row_start[i] + (size_t)t->depth[i] + 1;
    }
    t->mass_entries = t->row_start[columns];
    t->mass_matrix = tml__allocate(&t->allocator, t->mass_entries, sizeof(double));
    return t->mass_matrix != NULL ? TML_OK : TML_NO_MEMORY;
}

tml_status tml__gen_create(const tml_model* model, bool has_mass_matrix,
                           const tml_allocator* allocator, message* why, gen_tree** out)
{
    *out = NULL;
    gen_tree* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    t->model = model;
    t->allocator = *allocator;

    tml_status status = take(t);
    if (status == TML_OK) status = lay_out(t);
    if (status == TML_OK && has_mass_matrix) status = tml__gen_take_mass_matrix(t);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK && model->has_armature) status = arm_columns(t, why);
    if (status != TML_OK) {
        tml__gen_destroy(t);
        return status;
    }
    *out = t;
    return TML_OK;
}

// ---- placing

// A marker on its way from the parent to the body.
typedef struct walker {
    vec3 point;
    quat turn;
} walker;

// Where a column turns about, or the direction it slides along.
typedef struct axis_line {
    vec3 axis, point;
    bool is_turn;
} axis_line;

static void walk_slide(const gen_link* link, const double* numbers, walker* w, axis_line* lines)
{
    const mat3 axes = q_matrix(w->turn);
    vec3 shift = v3_zero();
    for (int k = 0; k < link->count; k++) {
        const vec3 axis = v3_scale(link->sign, m3_column(axes, link->letter[k]));
        lines[k] = (axis_line){.axis = axis};
        shift = v3_axpy(shift, numbers[link->number + k], axis);
    }
    w->point = v3_add(w->point, shift);
}

static void walk_turn(const gen_link* link, const double* numbers, walker* w, axis_line* lines)
{
    const int letter = link->letter[0];
    const vec3 axis = q_column(w->turn, letter);
    lines[0] = (axis_line){v3_scale(link->sign, axis), w->point, true};
    w->turn = q_mul_about(w->turn, letter, link->sign * numbers[link->number]);
}

static quat ball_of(const double* n) { return q_normalize((quat){n[0], n[1], n[2], n[3]}); }

static void walk_ball(const gen_link* link, const double* numbers, walker* w, axis_line* lines)
{
    w->turn = q_mul(w->turn, ball_of(&numbers[link->number]));
    const mat3 axes = q_matrix(w->turn);
    for (int k = 0; k < 3; k++) lines[k] = (axis_line){m3_column(axes, k), w->point, true};
}

static void walk(const gen_link* link, const double* numbers, walker* w, axis_line* lines)
{
    switch (link->kind) {
    case LINK_SLIDE: walk_slide(link, numbers, w, lines); break;
    case LINK_TURN: walk_turn(link, numbers, w, lines); break;
    case LINK_BALL: walk_ball(link, numbers, w, lines); break;
    }
}

// From the marker on the parent along the links to the body: its pose and the lines of its columns.
static void place_body(gen_tree* t, int at, const double* numbers, axis_line lines[6])
{
    const gen_body* b = &t->bodies[at];
    const body_data* fixed = &t->model->bodies[b->parent_body];
    const vec3 c = b->parent >= 0 ? t->c[b->parent] : fixed->c;
    const quat turn = b->parent >= 0 ? t->turn[b->parent] : fixed->q;
    const vec3 arm =
        b->parent >= 0 ? m3_apply(t->R[b->parent], b->inner.point) : q_rotate(turn, b->inner.point);
    walker w = {v3_add(c, arm), q_mul(turn, b->inner.turn)};

    for (int i = 0; i < b->link_count; i++) {
        const gen_link* link = &t->links[b->link + i];
        walk(link, numbers, &w, &lines[link->column - b->column]);
    }
    t->turn[at] = q_normalize(q_mul(w.turn, q_conj(b->outer.turn)));
    t->R[at] = q_matrix(t->turn[at]);
    t->c[at] = v3_sub(w.point, m3_apply(t->R[at], b->outer.point));
    t->origin[at] = b->parent >= 0 ? t->origin[b->parent] : t->c[at];
}

// Velocity and drift along the links, one link after the other: the columns of a link are carried
// along by everything inwards of it.
static void move_body(gen_tree* t, int at, const double* rates)
{
    const gen_body* b = &t->bodies[at];
    twist velocity = b->parent >= 0 ? t->velocity[b->parent] : tw_zero();
    twist drift = tw_zero();

    for (int i = 0; i < b->link_count && rates != NULL; i++) {
        const gen_link* link = &t->links[b->link + i];
        twist own = tw_zero();
        for (int k = link->column; k < link->column + link->count; k++) {
            own = tw_axpy(own, rates[k], t->S[k]);
        }
        drift = tw_add(drift, tw_cross(velocity, own));
        velocity = tw_add(velocity, own);
    }
    t->velocity[at] = velocity;
    t->drift[at] = drift;
}

void tml__gen_place(gen_tree* t, const double* numbers, const double* rates)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        axis_line lines[6];
        place_body(t, at, numbers, lines);

        const vec3 origin = t->origin[at];
        for (int k = 0; k < b->column_count; k++) {
            const axis_line* l = &lines[k];
            t->S[b->column + k] =
                l->is_turn ? (twist){l->axis, v3_cross(v3_sub(l->point, origin), l->axis)}
                           : (twist){v3_zero(), l->axis};
        }
        move_body(t, at, rates);
        const mat3 J = m3_congruence(t->R[at], b->inertia);
        t->I[at] = si_of(b->mass, v3_sub(t->c[at], origin), J);
    }
}

void tml__gen_set_rates(gen_tree* t, const double* rates)
{
    for (int at = 0; at < t->body_count; at++) move_body(t, at, rates);
}

void tml__gen_flatten(const gen_tree* t, double* x, double* v)
{
    for (int at = 0; at < t->body_count; at++) {
        const int node = t->model->bodies[t->bodies[at].body].node;
        double* to = &x[node * POSE_WIDTH];
        v3_store(to, t->c[at]);
        to[3] = t->turn[at].w;
        to[4] = t->turn[at].x;
        to[5] = t->turn[at].y;
        to[6] = t->turn[at].z;
        if (v == NULL) continue;
        const twist u = t->velocity[at];
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        tml__maximal_store_velocity(to, v3_add(u.v, v3_cross(u.omega, arm)), u.omega,
                                    &v[node * POSE_WIDTH]);
    }
}

// ---- position numbers

static void read_ball(const gen_body* b, const maximal_system* s, const gen_link* link,
                      double* numbers, double* rates)
{
    const rigid* body = &s->bodies[b->body];
    const rigid* parent = &s->bodies[b->parent_body];
    const quat inner = q_mul(parent->q, b->inner.turn);
    const quat outer = q_mul(body->q, b->outer.turn);
    const quat P = q_normalize(q_mul(q_conj(inner), outer));
    const vec3 omega = v3_sub(body->omega, parent->omega);
    const vec3 local = m3_apply_t(q_matrix(q_normalize(outer)), omega);

    numbers[link->number] = P.w;
    numbers[link->number + 1] = P.x;
    numbers[link->number + 2] = P.y;
    numbers[link->number + 3] = P.z;
    v3_store(&rates[link->column], local);
}

void tml__gen_read(const gen_tree* t, const maximal_system* s, double* numbers, double* rates)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const gen_body* b = &t->bodies[t->column_body[link->column]];
        if (link->kind == LINK_BALL) {
            read_ball(b, s, link, numbers, rates);
            continue;
        }
        if (b->joint < 0) {
            v3_store(&numbers[link->number], s->bodies[b->body].c);
            v3_store(&rates[link->column], s->bodies[b->body].v);
            continue;
        }
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
            numbers[link->number + k] = tml__maximal_coordinate(s, b->joint, (tml_axis)axis);
            rates[link->column + k] = tml__maximal_coordinate_rate(s, b->joint, (tml_axis)axis);
        }
    }
}

void tml__gen_move(const gen_tree* t, const double* from, const double* motion, double fraction,
                   double* to)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const double* d = &motion[link->column];
        if (link->kind == LINK_BALL) {
            const double* p = &from[link->number];
            const quat P = {p[0], p[1], p[2], p[3]};
            const quat moved = q_normalize(q_mul(P, q_exp(v3_scale(fraction, v3_load(d)))));
            to[link->number] = moved.w;
            to[link->number + 1] = moved.x;
            to[link->number + 2] = moved.y;
            to[link->number + 3] = moved.z;
            continue;
        }
        for (int k = 0; k < link->count; k++) {
            to[link->number + k] = from[link->number + k] + fraction * d[k];
        }
    }
}

void tml__gen_way(const gen_tree* t, const double* from, const double* to, double* motion)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const double* a = &from[link->number];
        const double* b = &to[link->number];
        if (link->kind == LINK_BALL) {
            const quat turn = q_mul(q_conj(ball_of(a)), ball_of(b));
            v3_store(&motion[link->column], tml__q_log(turn));
            continue;
        }
        for (int k = 0; k < link->count; k++) motion[link->column + k] = b[k] - a[k];
    }
}

void tml__gen_number_rates(const gen_tree* t, const double* numbers, const double* rates,
                           double* out)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const double* u = &rates[link->column];
        if (link->kind == LINK_BALL) {
            const double* p = &numbers[link->number];
            const quat w = q_scale(0.5, q_Ht((quat){p[0], p[1], p[2], p[3]}, v3_load(u)));
            out[link->number] = w.w;
            out[link->number + 1] = w.x;
            out[link->number + 2] = w.y;
            out[link->number + 3] = w.z;
            continue;
        }
        for (int k = 0; k < link->count; k++) out[link->number + k] = u[k];
    }
}

void tml__gen_motions(const gen_tree* t, const double* rates, twist* out)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist v = b->parent >= 0 ? out[b->parent] : tw_zero();
        for (int k = b->column; k < b->column + b->column_count; k++) {
            v = tw_axpy(v, rates[k], t->S[k]);
        }
        out[at] = v;
    }
}
