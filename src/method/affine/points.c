// method/affine/points.c - the dual of joints that hold points, of joint springs and of contacts. (points.h)
#include "method/affine/points.h"

#include "base/request.h"
#include "method/affine/equations.h"
#include "method/affine/six.h"

#include <limits.h>
#include <string.h>

enum {
    REQUESTS = 20,
    PAIRS_A_CONTACT =
        64,  // of ports that it adds to its two bodies; more on average have not been seen
    ROOM_OF_PATTERN = 4,   // memory for patterns, as a multiple of that of the joints alone,
    ROOM_A_CONTACT = 8192  // and bytes for each contact
};

// What a joint was when the matrix was factored.
typedef struct point_joint {
    int F, B;               // nodes, -1: never moves
    vec3 force, force_end;  // on the follower: where forces act, and by the axes of the end
    mat3 axes_inverse;      // of the rows' directions where forces act
    mat3 axes_end;          // columns: the rows' directions at the end
} point_joint;

struct affine_points {
    affine_system* a;  // borrowed
    message* why;      // of the step, borrowed
    tml_allocator allocator;
    int joint_count, spring_count, cord_count;
    int contact_room, pair_room;
    point_joint* joints;
    int* spring_joint;   // per spring: its joint
    double* cross;       // per spring: the blocks FB and BF, 36 numbers each
    int* cord;           // per cord: its spring of the model
    spot* bodies;        // where the blocks of bodies are added up,
    joint_spots* spots;  // those of joints,
    spot* springs;       // and those of springs that pull one body only

    // of the pattern
    fronts_statistics alone;  // of the pattern without contacts
    int node_count;    // joints, springs of joints, cords, contacts between two bodies that move
    int port_count;    // a node on a body
    int* first_port;   // per body and one more
    int* port_node;    // per port
    int* port_at;      // 2 per node: its ports on its two bodies, -1: none
    int* end;          // 2 per node: its two bodies
    double** pair_at;  // per body and pair of its ports: the block of the dual
    int* pair_node;    // 2 per pair: for the analysis
    int posed_count;   // contacts of the pattern
    int* posed;        // 2 per contact of the pattern: bodies
    fronts* dual;
    arena memory;  // of the dual

    // of the factor
    double* block;      // 36 per body, by columns
    double* inverse;    // the same, inverted
    double* push;       // 18 per port: how its node pushes the body, by columns
    double* move;       // 18 per port: how the body moves its node, by columns of three
    double* answer;     // 18 per port: inverse times push
    double* x;          // 3 per node
    double turn_share;  // beta phi
};

// ---- does it fit?

static bool holds_a_point(const maximal_system* s, int j)
{
    const joint_rows* rows = &s->rows[j];
    bool has[3] = {false, false, false};
    if (rows->count != 3 || tml__maximal_is_idle(s, j)) return false;
    for (int r = 0; r < 3; r++) {
        if (rows->row[r].kind != ROW_GAP) return false;
        has[rows->row[r].a.b] = true;
    }
    return has[0] && has[1] && has[2];
}

bool tml__points_fit(const affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;
    if (a->flex != NULL || m->all.coupling_count > 0 || s->tie_count > 0 || s->limit_count > 0 ||
        m->all.deformable_count > 0 || tml__maximal_has_compliance(s)) {
        return false;
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        if (m->springs[i].point_count != 2) return false;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!holds_a_point(s, j)) return false;
    }
    for (int i = 0; i < s->forced_count; i++) {
        if ((int)s->forced[i].axis < 3) return false;
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->is_redundant[row]) return false;
    }
    return true;
}

// ---- the pattern

static int node_of(const affine_system* a, int body) { return a->s->model->bodies[body].node; }

static int add_node(affine_points* p, int F, int B)
{
    p->end[2 * p->node_count] = F;
    p->end[2 * p->node_count + 1] = B;
    return p->node_count++;
}

// Contacts that the velocities of the start do not bring to touch are left out of the pattern: of a thousand
// that are seen most stay apart. Those that push all the same are taken in when they do.
static bool comes_near(const affine_system* a, const affine_contact* c, double h)
{
    const affine_body* own = &a->body[c->node];
    const affine_body* other = &a->body[c->other];
    const vec3 u = v3_sub(v3_add(own->v, v3_cross(own->omega, c->arm)),
                          v3_add(other->v, v3_cross(other->omega, c->arm_other)));
    const double way = h * v3_dot(c->axis[0], u);
    return c->gap < 2.0 * fabs(way);
}

static int first_contact(const affine_points* p)
{
    return p->joint_count + p->spring_count + p->cord_count;
}

// Contacts as they stand: nodes for those between two bodies that move.
static void list_nodes(affine_points* p)
{
    affine_system* a = p->a;
    p->node_count = 0;
    for (int j = 0; j < p->joint_count; j++) add_node(p, p->joints[j].F, p->joints[j].B);
    for (int i = 0; i < p->spring_count; i++) {
        const point_joint* j = &p->joints[p->spring_joint[i]];
        add_node(p, j->F, j->B);
    }
    for (int i = 0; i < p->cord_count; i++) {
        const spring_data* spring = &a->s->model->springs[p->cord[i]];
        add_node(p, node_of(a, spring->body[0]), node_of(a, spring->body[1]));
    }
    p->posed_count = 0;
    for (int i = 0; i < a->contact_count; i++) {
        affine_contact* c = &a->touch.contacts[i];
        c->dual = -1;
        if (!c->is_near) continue;
        c->dual = add_node(p, c->node, c->other);
        p->posed[2 * p->posed_count] = c->node;
        p->posed[2 * p->posed_count + 1] = c->other;
        p->posed_count++;
    }
}

static void list_ports(affine_points* p)
{
    const int bodies = p->a->s->node_count;
    int* first = p->first_port;
    memset(first, 0, ((size_t)bodies + 1) * sizeof *first);
    for (int e = 0; e < 2 * p->node_count; e++) {
        if (p->end[e] >= 0) first[p->end[e]]++;
    }
    for (int b = 1; b <= bodies; b++) first[b] += first[b - 1];
    p->port_count = first[bodies];
    // backwards, so that ends become starts and nodes ascend
    for (int e = 2 * p->node_count - 1; e >= 0; e--) {
        p->port_at[e] = -1;
        if (p->end[e] < 0) continue;
        const int port = --first[p->end[e]];
        p->port_node[port] = e / 2;
        p->port_at[e] = port;
    }
}

static long long count_pairs(const affine_points* p)
{
    long long count = 0;
    for (int b = 0; b < p->a->s->node_count; b++) {
        const long long ports = p->first_port[b + 1] - p->first_port[b];
        count += ports * ports;
    }
    return count;
}

static int list_pairs(affine_points* p)
{
    int count = 0;
    for (int b = 0; b < p->a->s->node_count; b++) {
        for (int i = p->first_port[b]; i < p->first_port[b + 1]; i++) {
            for (int k = i + 1; k < p->first_port[b + 1]; k++) {
                if (p->port_node[i] == p->port_node[k]) continue;
                p->pair_node[2 * count] = p->port_node[i];
                p->pair_node[2 * count + 1] = p->port_node[k];
                count++;
            }
        }
    }
    return count;
}

// Row node: that which the body moves; column node: that which pushes it.
static void find_pairs(affine_points* p)
{
    double** at = p->pair_at;
    for (int b = 0; b < p->a->s->node_count; b++) {
        for (int i = p->first_port[b]; i < p->first_port[b + 1]; i++) {
            for (int k = p->first_port[b]; k < p->first_port[b + 1]; k++) {
                *at++ = tml__fronts_at(p->dual, p->port_node[k], p->port_node[i]);
            }
        }
    }
}

static void* take_from_arena(void* context, size_t bytes)
{
    return tml__arena_take(context, 1, bytes);
}

// All of it goes at once, with the next pattern.
static void leave_in_arena(void* context, void* memory)
{
    (void)context;
    (void)memory;
}

static bool is_posed(const affine_points* p)
{
    const affine_system* a = p->a;
    int count = 0;
    if (p->dual == NULL) return false;
    for (int i = 0; i < a->contact_count; i++) {
        const affine_contact* c = &a->touch.contacts[i];
        if (!c->is_near) continue;
        if (count == p->posed_count || p->posed[2 * count] != c->node ||
            p->posed[2 * count + 1] != c->other) {
            return false;
        }
        count++;
    }
    return count == p->posed_count;
}

static void number_contacts(affine_points* p)
{
    int node = first_contact(p);
    for (int i = 0; i < p->a->contact_count; i++) {
        affine_contact* c = &p->a->touch.contacts[i];
        c->dual = c->is_near ? node++ : -1;
    }
}

// The pattern of the contacts that are near.
static tml_status pose(affine_points* p)
{
    message* why = p->why;
    const tml_allocator inside = {take_from_arena, leave_in_arena, &p->memory};
    if (is_posed(p)) {
        number_contacts(p);
        return TML_OK;
    }
    p->dual = NULL;
    tml__arena_leave(&p->memory, 0);
    list_nodes(p);
    list_ports(p);
    if (count_pairs(p) > p->pair_room) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "%d contacts make %lld pairs of forces on one body, more than there is "
                         "room for; reserve more than %d contacts",
                         p->posed_count, count_pairs(p), p->contact_room);
    }
    const block_pattern pattern = {
        .node_count = p->node_count, .pair_count = list_pairs(p), .pair_node = p->pair_node};
    if (p->node_count == 0) return TML_OK;
    message no_room = {""};
    if (tml__fronts_create_dissected(&pattern, BLOCK_LU, &inside, &no_room, &p->dual) != TML_OK) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "the factor with %d contacts needs more memory than was reserved; reserve "
                         "more than %d contacts",
                         p->posed_count, p->contact_room);
    }
    find_pairs(p);
    return TML_OK;
}

tml_status tml__points_pose(affine_points* p, double h, message* why)
{
    affine_system* a = p->a;
    p->why = why;
    for (int i = 0; i < a->contact_count; i++) {
        affine_contact* c = &a->touch.contacts[i];
        c->is_near = c->is_coupled && comes_near(a, c, h);
    }
    return pose(p);
}

// Contacts that have come to push without a node.
static tml_status take_in(affine_points* p)
{
    affine_system* a = p->a;
    bool has_any = false;
    for (int i = 0; i < a->contact_count; i++) {
        affine_contact* c = &a->touch.contacts[i];
        if (!c->is_coupled || c->is_near || !(c->f[0] > 0.0)) continue;
        c->is_near = has_any = true;
    }
    return has_any ? pose(p) : TML_OK;
}

// ---- the matrix

static void store3(double* to, double scale, mat3 m)
{
    for (int k = 0; k < 9; k++) to[k] = scale * m.m[k % 3][k / 3];
}

// The push of a port from two 3 x 3 matrices one below the other: force and torque.
static void set_push(double* to, double scale, mat3 force, mat3 torque)
{
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            to[6 * c + r] = scale * force.m[r][c];
            to[6 * c + 3 + r] = scale * torque.m[r][c];
        }
    }
}

static void set_move(double* to, double scale, mat3 shift, mat3 turn)
{
    store3(to, scale, shift);
    store3(to + 9, scale, turn);
}

static void fill_joint(affine_points* p, int j)
{
    const affine_system* a = p->a;
    const maximal_system* s = a->s;
    const joint_frame* at = &a->force_frames[j];
    const joint_frame* end = &s->frames[j];
    const double* lambda = &a->lambda[s->first_row[j]];
    const mat3 one = m3_identity();
    point_joint* to = &p->joints[j];
    mat3 axes;
    to->force = to->force_end = v3_zero();
    for (int r = 0; r < 3; r++) {
        const int axis = s->rows[j].row[r].a.b;
        const vec3 b = at->B.axis[axis];
        const vec3 b_end = end->B.axis[axis];
        to->force = v3_axpy(to->force, lambda[r], b);
        to->force_end = v3_axpy(to->force_end, lambda[r], b_end);
        for (int k = 0; k < 3; k++) {
            axes.m[k][r] = v3_at(b, k);
            to->axes_end.m[k][r] = v3_at(b_end, k);
        }
    }
    to->axes_inverse = m3_inverse(axes);
    if (to->F >= 0) {
        const int port = p->port_at[2 * j];
        set_push(&p->push[18 * port], -1.0, one, m3_skew(at->r_F));
        set_move(&p->move[18 * port], 1.0, one, m3_scale(-1.0, m3_skew(end->r_F)));
        tml__affine_add3(p->bodies[to->F], 3, 3, -p->turn_share, m3_skew_skew(to->force, end->r_F));
    }
    if (to->B >= 0) {
        const int port = p->port_at[2 * j + 1];
        set_push(&p->push[18 * port], 1.0, one, m3_skew(at->arm_B));
        set_move(&p->move[18 * port], -1.0, one, m3_scale(-1.0, m3_skew(end->arm_B)));
        tml__affine_add3(p->bodies[to->B], 3, 3, p->turn_share,
                         m3_skew_skew(to->force, end->arm_B));
    }
}

static mat3 turn_block(const double* six)
{
    mat3 out;
    for (int k = 0; k < 9; k++) out.m[k % 3][k / 3] = six[6 * (3 + k / 3) + 3 + k % 3];
    return out;
}

static void fill_spring(affine_points* p, int i)
{
    const int node = p->joint_count + i;
    const mat3 none = m3_scale(0.0, m3_identity());
    const mat3 one = m3_identity();
    const mat3 cross[2] = {turn_block(&p->cross[72 * i]), turn_block(&p->cross[72 * i + 36])};
    for (int side = 0; side < 2; side++) {
        const int port = p->port_at[2 * node + side];
        const double sign = side == 0 ? 1.0 : -1.0;
        tml__affine_add3(p->bodies[p->end[2 * node + side]], 3, 3, 1.0, cross[side]);
        set_push(&p->push[18 * port], sign, none, cross[side]);
        set_move(&p->move[18 * port], sign, none, one);
    }
}

static void fill_cord(affine_points* p, const affine_stage* stage, int i)
{
    const affine_system* a = p->a;
    const int node = p->joint_count + p->spring_count + i;
    const spring_mean T = tml__affine_spring_path(a, stage, &a->s->model->springs[p->cord[i]]);
    for (int side = 0; side < 2; side++) {
        const int port = p->port_at[2 * node + side];
        const path_point* at = &a->path[side];
        const mat3 H = tml__affine_spring_slope(a->path, 2, T, side, 1);
        const vec3 f = v3_scale(-T.force, tml__affine_spring_pull(a->path, 2, side));
        set_push(&p->push[18 * port], -stage->beta, H, m3_mul(m3_skew(at->r), H));
        set_move(&p->move[18 * port], side == 0 ? 1.0 : -1.0, m3_identity(),
                 m3_scale(-1.0, m3_skew(at->r_end)));
        // the arm turns with the body
        tml__affine_add3(p->bodies[p->end[2 * node + side]], 3, 3, -p->turn_share,
                         m3_skew_skew(f, at->r_end));
    }
}

// Nodes of contacts that do not push stay alone.
static void fill_contacts(affine_points* p)
{
    const affine_system* a = p->a;
    const int first = first_contact(p);
    for (int e = 2 * first; e < 2 * p->node_count; e++) {
        memset(&p->push[18 * p->port_at[e]], 0, 18 * sizeof(double));
        memset(&p->move[18 * p->port_at[e]], 0, 18 * sizeof(double));
    }
    for (int i = 0; i < a->coupling_count; i++) {
        const affine_coupling* k = &a->touch.couplings[i];
        const int node = a->touch.contacts[k->contact].dual;
        for (int side = 0; side < 2; side++) {
            double* push = &p->push[18 * p->port_at[2 * node + side] + 6 * k->axis];
            double* move = &p->move[18 * p->port_at[2 * node + side] + k->axis];
            for (int c = 0; c < 6; c++) {
                push[c] = k->push[side][c];
                move[3 * c] = -k->scale * k->slope[side][c];
            }
        }
    }
}

// What each body leaves for the nodes on it.
static tml_status eliminate(affine_points* p)
{
    double** at = p->pair_at;
    for (int b = 0; b < p->a->s->node_count; b++) {
        const int first = p->first_port[b];
        const int last = p->first_port[b + 1];
        const double* inverse = &p->inverse[36 * b];
        if (!six_invert(&p->block[36 * b], &p->inverse[36 * b])) return TML_SINGULAR;
        for (int i = first; i < last; i++) {
            double* answer = &p->answer[18 * i];
            for (int c = 0; c < 3; c++)
                six_apply(inverse, &p->push[18 * i + 6 * c], answer + 6 * c);
            for (int k = first; k < last; k++, at++) {
                for (int c = 0; c < 3; c++) {
                    six_take_move(&p->move[18 * k], answer + 6 * c, *at + 3 * c);
                }
            }
        }
    }
    return TML_OK;
}

tml_status tml__points_factor(affine_points* p, const affine_stage* stage)
{
    affine_system* a = p->a;
    spot* const bodies = a->bodies;
    joint_spots* const joints = a->joints;
    spot* const springs = a->springs;
    tml_status status = take_in(p);
    if (status != TML_OK) return status;
    memset(p->block, 0, 36 * (size_t)a->s->node_count * sizeof(double));
    memset(p->cross, 0, 72 * (size_t)p->spring_count * sizeof(double));
    p->turn_share = stage->beta * stage->phi;
    // what bodies are made of and what acts on them is added up here instead of in the matrix
    a->bodies = p->bodies;
    a->joints = p->spots;
    a->springs = p->springs;
    a->couples_apart = true;
    tml__affine_fill_bodies(a, stage);
    a->couples_apart = false;
    a->bodies = bodies;
    a->joints = joints;
    a->springs = springs;
    for (int j = 0; j < p->joint_count; j++) fill_joint(p, j);
    for (int i = 0; i < p->spring_count; i++) fill_spring(p, i);
    for (int i = 0; i < p->cord_count; i++) fill_cord(p, stage, i);
    fill_contacts(p);
    if (p->node_count == 0) return eliminate(p);
    tml__fronts_clear(p->dual);
    for (int n = p->joint_count; n < p->node_count; n++) {
        double* own = tml__fronts_at(p->dual, n, n);
        own[0] = own[4] = own[8] = 1.0;
    }
    int bad = -1;
    a->s->bad_row = -1;
    status = eliminate(p);
    if (status == TML_OK) status = tml__fronts_factor(p->dual, 0.0, &bad);
    if (bad >= 0 && bad < p->joint_count) a->s->bad_row = a->s->first_row[bad];
    return status;
}

// ---- solving

// Right-hand sides of the rows in world axes, and what they take off the base's torque.
static void pose_sides(affine_points* p)
{
    maximal_system* s = p->a->s;
    memset(p->x, 0, 3 * (size_t)p->node_count * sizeof(double));
    for (int j = 0; j < p->joint_count; j++) {
        const point_joint* at = &p->joints[j];
        const vec3 rho = m3_apply(at->axes_end, v3_load(&s->dl[s->first_row[j]]));
        v3_store(&p->x[3 * j], rho);
        if (at->B < 0) continue;
        double* torque = &s->dx[6 * at->B + 3];
        v3_store(torque, v3_axpy(v3_load(torque), p->turn_share, v3_cross(at->force, rho)));
    }
}

void tml__points_solve(affine_points* p)
{
    maximal_system* s = p->a->s;
    pose_sides(p);
    for (int b = 0; b < s->node_count; b++) {
        double y[6];
        six_apply(&p->inverse[36 * b], &s->dx[6 * b], y);
        for (int i = p->first_port[b]; i < p->first_port[b + 1]; i++) {
            six_take_move(&p->move[18 * i], y, &p->x[3 * p->port_node[i]]);
        }
        memcpy(&s->dx[6 * b], y, sizeof y);
    }
    if (p->node_count > 0) tml__fronts_solve(p->dual, 1, p->x);
    for (int b = 0; b < s->node_count; b++) {
        double* y = &s->dx[6 * b];
        for (int i = p->first_port[b]; i < p->first_port[b + 1]; i++) {
            const double* g = &p->x[3 * p->port_node[i]];
            const double* answer = &p->answer[18 * i];
            for (int c = 0; c < 3; c++) {
                for (int r = 0; r < 6; r++) y[r] -= answer[6 * c + r] * g[c];
            }
        }
    }
    for (int j = 0; j < p->joint_count; j++) {
        const point_joint* at = &p->joints[j];
        vec3 g = v3_load(&p->x[3 * j]);
        if (at->B >= 0) {
            const vec3 turn = v3_load(&s->dx[6 * at->B + 3]);
            g = v3_axpy(g, p->turn_share, v3_cross(at->force_end, turn));
        }
        v3_store(&s->dl[s->first_row[j]], m3_apply(at->axes_inverse, g));
    }
}

// ---- creation

// clang-format off
static int list_requests(affine_points* p, request list[REQUESTS])
{
    const size_t bodies = (size_t)p->a->s->node_count;
    const size_t joints = (size_t)p->joint_count;
    const size_t springs = (size_t)p->spring_count;
    const size_t contacts = (size_t)p->contact_room;
    const size_t cords = (size_t)p->cord_count;
    const size_t all_springs = (size_t)p->a->s->model->all.spring_count;
    const size_t nodes = joints + springs + cords + contacts;
    const size_t pairs = (size_t)p->pair_room;
    const request all[] = {
        {&p->joints,       joints, sizeof *p->joints},
        {&p->spring_joint, springs, sizeof *p->spring_joint},
        {&p->cross,        72 * springs, sizeof(double)},
        {&p->bodies,       bodies, sizeof *p->bodies},
        {&p->spots,        joints, sizeof *p->spots},
        {&p->springs,      4 * all_springs, sizeof *p->springs},
        {&p->cord,         cords, sizeof *p->cord},
        {&p->first_port,   bodies + 1, sizeof(int)},
        {&p->port_node,    2 * nodes, sizeof(int)},
        {&p->port_at,      2 * nodes, sizeof(int)},
        {&p->end,          2 * nodes, sizeof(int)},
        {&p->pair_at,      pairs, sizeof *p->pair_at},
        {&p->pair_node,    2 * pairs, sizeof(int)},
        {&p->posed,        2 * contacts, sizeof(int)},
        {&p->block,        36 * bodies, sizeof(double)},
        {&p->inverse,      36 * bodies, sizeof(double)},
        {&p->push,         36 * nodes, sizeof(double)},
        {&p->move,         36 * nodes, sizeof(double)},
        {&p->answer,       36 * nodes, sizeof(double)},
        {&p->x,            3 * nodes, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}
// clang-format on

// Joints with forces along their axes that couple two bodies which move; without `list` they are counted.
static int find_sprung(const maximal_system* s, int* list)
{
    const tml_model* m = s->model;
    int count = 0;
    for (int i = 0; i < s->forced_count; i++) {
        const int j = s->forced[i].joint;
        if (i > 0 && s->forced[i - 1].joint == j) continue;  // all axes of a joint together
        if (m->bodies[m->joints[j].follower].node < 0) continue;
        if (m->bodies[m->joints[j].base].node < 0) continue;
        if (list != NULL) list[count] = j;
        count++;
    }
    return count;
}

// Springs between two bodies that move; without `list` they are counted.
static int find_cords(const affine_system* a, int* list)
{
    const tml_model* m = a->s->model;
    int count = 0;
    for (int i = 0; i < m->all.spring_count; i++) {
        const int first = node_of(a, m->springs[i].body[0]);
        const int last = node_of(a, m->springs[i].body[1]);
        if (first < 0 || last < 0 || first == last) continue;
        if (list != NULL) list[count] = i;
        count++;
    }
    return count;
}

// Room for pairs of ports: those of joints and springs, squared, of each body, and what contacts add.
static tml_status measure(affine_points* p)
{
    const maximal_system* s = p->a->s;
    const tml_model* m = s->model;
    int* ports = tml__allocate(&p->allocator, (size_t)s->node_count, sizeof(int));
    if (ports == NULL) return TML_NO_MEMORY;
    p->spring_count = find_sprung(s, NULL);
    p->cord_count = find_cords(p->a, NULL);
    long long pairs = (long long)PAIRS_A_CONTACT * p->contact_room;
    for (int j = 0; j < m->all.joint_count; j++) {
        const int ends[2] = {m->bodies[m->joints[j].follower].node,
                             m->bodies[m->joints[j].base].node};
        for (int e = 0; e < 2; e++) {
            if (ends[e] >= 0) ports[ends[e]] += p->spring_count > 0 ? 2 : 1;
        }
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        for (int e = 0; e < 2; e++) {
            const int node = node_of(p->a, m->springs[i].body[e]);
            if (node >= 0) ports[node]++;
        }
    }
    for (int n = 0; n < s->node_count; n++) pairs += (long long)ports[n] * ports[n];
    tml__release(&p->allocator, ports);
    if (pairs > INT_MAX / 2) return TML_NO_MEMORY;
    p->pair_room = (int)pairs;
    return TML_OK;
}

// What a spring does to one body stays in its block; of cords nothing does.
static void begin_spring(affine_points* p, int i)
{
    const spring_data* spring = &p->a->s->model->springs[i];
    const int end[2] = {node_of(p->a, spring->body[0]), node_of(p->a, spring->body[1])};
    const bool is_own = end[0] == end[1];
    spot* to = &p->springs[p->a->spring_first[i]];
    if (end[0] >= 0 && end[1] >= 0 && !is_own) return;
    for (int k = 0; k < 4; k++) {
        if ((is_own || k / 2 == k % 2) && end[k / 2] >= 0) to[k] = p->bodies[end[k / 2]];
    }
}

static void begin(affine_points* p)
{
    const maximal_system* s = p->a->s;
    const tml_model* m = s->model;
    for (int b = 0; b < s->node_count; b++) p->bodies[b] = (spot){&p->block[36 * b], 6};
    for (int j = 0; j < p->joint_count; j++) {
        point_joint* to = &p->joints[j];
        to->F = m->bodies[m->joints[j].follower].node;
        to->B = m->bodies[m->joints[j].base].node;
        const spot none = {NULL, 0};
        joint_spots* at = &p->spots[j];
        at->FF = to->F >= 0 ? p->bodies[to->F] : none;
        at->BB = to->B >= 0 ? p->bodies[to->B] : none;
    }
    find_cords(p->a, p->cord);
    for (int i = 0; i < m->all.spring_count; i++) begin_spring(p, i);
    find_sprung(s, p->spring_joint);
    for (int i = 0; i < p->spring_count; i++) {
        joint_spots* at = &p->spots[p->spring_joint[i]];
        at->FB = (spot){&p->cross[72 * i], 6};
        at->BF = (spot){&p->cross[72 * i + 36], 6};
    }
}

typedef struct counted {
    const tml_allocator* from;
    size_t bytes;
} counted;

static void* take_counted(void* context, size_t bytes)
{
    counted* c = context;
    c->bytes += tml__arena_bytes(bytes, 1);
    return tml__allocate(c->from, bytes, 1);
}

static void release_counted(void* context, void* memory)
{
    const counted* c = context;
    tml__release(c->from, memory);
}

// Memory for patterns: the one of the joints alone tells how much a pattern takes.
static tml_status reserve(affine_points* p, message* why)
{
    fronts* alone = NULL;
    counted count = {.from = &p->allocator};
    const tml_allocator counting = {take_counted, release_counted, &count};
    const int contacts = p->a->contact_count;
    p->a->contact_count = 0;  // those of the last step, if more room is made
    list_nodes(p);
    list_ports(p);
    p->a->contact_count = contacts;
    const block_pattern pattern = {
        .node_count = p->node_count, .pair_count = list_pairs(p), .pair_node = p->pair_node};
    if (p->node_count == 0) {
        return tml__arena_create(&p->memory, &p->allocator,
                                 ROOM_A_CONTACT * (size_t)p->contact_room);
    }
    const tml_status status =
        tml__fronts_create_dissected(&pattern, BLOCK_LU, &counting, why, &alone);
    if (status != TML_OK) return status;
    p->alone = tml__fronts_statistics(alone);
    tml__fronts_destroy(alone);
    return tml__arena_create(&p->memory, &p->allocator,
                             ROOM_OF_PATTERN * count.bytes +
                                 ROOM_A_CONTACT * (size_t)p->contact_room);
}

tml_status tml__points_create(affine_system* a, int contacts, message* why, affine_points** out)
{
    *out = NULL;
    affine_points* p = tml__allocate(&a->s->allocator, 1, sizeof *p);
    if (p == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    p->a = a;
    p->allocator = a->s->allocator;
    p->joint_count = a->s->model->all.joint_count;
    p->contact_room = contacts;
    request list[REQUESTS];
    tml_status status = measure(p);
    if (status == TML_OK) status = tml__take_all(&p->allocator, list, list_requests(p, list));
    if (status == TML_OK) {
        begin(p);
        status = reserve(p, why);
    }
    if (status != TML_OK) {
        tml__points_destroy(p);
        return tml__fail(why, status, "out of memory");
    }
    *out = p;
    return TML_OK;
}

void tml__points_destroy(affine_points* p)
{
    if (p == NULL) return;
    const tml_allocator allocator = p->allocator;
    request list[REQUESTS];
    const int count = list_requests(p, list);
    tml__release_all(&allocator, list, count);
    tml__arena_destroy(&p->memory, &allocator);
    tml__release(&allocator, p);
}

fronts_statistics tml__points_statistics(const affine_points* p) { return p->alone; }
