// method/links/net.c - the joints of a net: their ports on bodies, and one iteration.
#include "method/links/net.h"

#include "base/request.h"
#include "linalg/lanes.h"
#include "method/links/contact.h"
#include "method/links/prescribed.h"

#include <limits.h>
#include <string.h>

enum {
    REQUESTS = 12,
    MOST_JOINTS = 64,  // of one body: all of its pairs are kept
};

// ---- ports

typedef struct joint_list {
    int* start;  // per body and one more
    int* list;   // joints, ascending
} joint_list;

static void list_joints(const tml_model* m, joint_list* j)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = m->all.joint_count - 1; i >= 0; i--) {
            const int ends[2] = {m->joints[i].base, m->joints[i].follower};
            for (int e = 0; e < 2; e++) {
                if (pass == 0)
                    j->start[ends[e]]++;
                else
                    j->list[--j->start[ends[e]]] = i;
            }
        }
        // counts become ends, which the second pass turns into starts
        for (int b = 1; pass == 0 && b <= m->all.body_count + 1; b++) {
            j->start[b] += j->start[b - 1];
        }
    }
}

static int body_at(const link_system* l, int place)
{
    return l->node[place] >= 0 ? l->s->model->node_body[l->node[place]] : -1;
}

static int joints_of(const joint_list* j, int body)
{
    return body >= 0 ? j->start[body + 1] - j->start[body] : 0;
}

// Ports and pairs of ports of each row.
static tml_status count_ports(const link_system* l, const joint_list* j, net* n, message* why)
{
    for (int row = 0; row < l->row_count; row++) {
        int most = 0;
        for (int i = 0; i < LANES; i++) {
            const int body = body_at(l, row * LANES + i);
            const int count = joints_of(j, body);
            if (count > most) most = count;
            if (count <= MOST_JOINTS) continue;
            return tml__fail(why, TML_UNSUPPORTED,
                             "body '%s' has %d joints; 'dual' takes %d on a body, 'nodes' any "
                             "number",
                             l->s->model->all.bodies[body].name, count, MOST_JOINTS);
        }
        n->first_port[row + 1] = n->first_port[row] + most;
        n->first_pair[row + 1] = n->first_pair[row] + most * most;
    }
    return TML_OK;
}

static void fill_port(const link_system* l, int place, int joint, int port, net* n)
{
    const int body = body_at(l, place);
    const bool is_follower = l->s->model->joints[joint].follower == body;
    const vec3 point = tml__links_point(l->s->model, joint, body);
    double* lane = n->port + (size_t)port * PORT_ROWS * LANES + place % LANES;
    n->port_joint[port * LANES + place % LANES] = joint;
    for (int k = 0; k < 3; k++) lane[(PORT_POINT + k) * LANES] = v3_at(point, k);
    lane[PORT_SIDE * LANES] = is_follower ? 1.0 : -1.0;
}

static void fill_ports(const link_system* l, const joint_list* j, net* n)
{
    for (int row = 0; row < l->row_count; row++) {
        const int first = n->first_port[row];
        const int count = n->first_port[row + 1] - first;
        for (int i = 0; i < LANES; i++) {
            const int body = body_at(l, row * LANES + i);
            const int joints = joints_of(j, body);
            for (int p = 0; p < count; p++) {
                if (p < joints)
                    fill_port(l, row * LANES + i, j->list[j->start[body] + p], first + p, n);
                else
                    n->port_joint[(first + p) * LANES + i] = n->joint_count;
            }
        }
    }
}

static void fill_pairs(const link_system* l, net* n)
{
    for (int row = 0; row < l->row_count; row++) {
        const int first = n->first_port[row];
        const int count = n->first_port[row + 1] - first;
        for (int k = 0; k < count * count * LANES; k++) {
            const int lane = k % LANES;
            const int a = n->port_joint[(first + k / LANES / count) * LANES + lane];
            const int b = n->port_joint[(first + k / LANES % count) * LANES + lane];
            const bool is_there = a < n->joint_count && b < n->joint_count;
            double** to = &n->pair[n->first_pair[row] * LANES + k];
            *to = NULL;
            if (!is_there) continue;
            *to = n->dual != NULL ? tml__fronts_at(n->dual, a, b) : tml__krylov_at(n->large, a, b);
        }
    }
}

// Points of the world, which never move. Joints of bodies that are led hold nothing here.
static void find_grounds(const link_system* l, net* n)
{
    const tml_model* m = l->s->model;
    for (int i = 0; i < n->joint_count; i++) {
        const joint_data* j = &m->joints[i];
        if (links_is_led(l->led, j->follower)) continue;
        const body_data* F = &m->bodies[j->follower];
        const body_data* B = &m->bodies[j->base];
        vec3 at = v3_zero();
        if (F->node < 0) at = v3_add(at, v3_add(F->c, m3_apply(q_matrix(F->q), j->point_F)));
        if (B->node < 0) at = v3_sub(at, v3_add(B->c, m3_apply(q_matrix(B->q), j->point_B)));
        v3_store(&n->grounded[3 * i], at);
    }
}

// ---- creation

// Joints that share a body are coupled. Without room, pairs are only counted.
static size_t list_pairs(const link_system* l, const joint_list* j, int* pair)
{
    size_t count = 0;
    for (int b = 0; b < l->s->model->all.body_count; b++) {
        for (int p = j->start[b]; p < j->start[b + 1]; p++) {
            for (int q = j->start[b]; q < p; q++, count++) {
                if (pair == NULL) continue;
                pair[2 * count] = j->list[p];
                pair[2 * count + 1] = j->list[q];
            }
        }
    }
    return count;
}

static tml_status create_dual(const link_system* l, const joint_list* j, bool is_iterated, net* n,
                              message* why)
{
    const size_t count = list_pairs(l, j, NULL);
    if (count > INT_MAX / 4) {
        return tml__fail(why, TML_UNSUPPORTED, "too many joints share bodies for 'dual'");
    }
    int* pair = tml__allocate(&l->allocator, 2 * count, sizeof(int));
    if (pair == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    list_pairs(l, j, pair);
    const block_pattern pattern = {
        .node_count = n->joint_count, .pair_count = (int)count, .pair_node = pair};
    const tml_status status =
        is_iterated ? tml__krylov_create(&pattern, &l->allocator, why, &n->large)
                    : tml__fronts_create(&pattern, BLOCK_LU, &l->allocator, why, &n->dual);
    tml__release(&l->allocator, pair);
    if (status != TML_OK || is_iterated) return status;
    const tml_status shared = tml__fronts_share(n->dual, l->team);
    return shared == TML_OK ? TML_OK : tml__fail(why, shared, "out of memory");
}

typedef struct counts {
    size_t rows, ports, pairs;
} counts;

static int list_ports(net* n, const counts* of, request list[REQUESTS])
{
    const size_t joints = (size_t)n->joint_count;
    const request all[] = {
        {&n->port_joint, of->ports * LANES, sizeof(int)},
        {&n->port, of->ports * PORT_ROWS * LANES, sizeof(double)},
        {&n->pair, of->pairs * LANES, sizeof(double*)},
        {&n->kept, of->rows * NET_KEPT * LANES, sizeof(double)},
        {&n->force, 3 * (joints + 1), sizeof(double)},
        {&n->change, 3 * (joints + 1), sizeof(double)},
        {&n->rest, 3 * (joints + 1), sizeof(double)},
        {&n->solution, 3 * joints, sizeof(double)},
        {&n->grounded, 3 * joints, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

static tml_status fill(link_system* l, const joint_list* j, bool is_iterated, net* n, message* why)
{
    request list[REQUESTS];
    tml_status status = count_ports(l, j, n, why);
    if (status != TML_OK) return status;
    const counts of = {(size_t)l->row_count, (size_t)n->first_port[l->row_count],
                       (size_t)n->first_pair[l->row_count]};
    status = tml__take_all(&l->allocator, list, list_ports(n, &of, list));
    if (status != TML_OK) return tml__fail(why, status, "out of memory");
    status = create_dual(l, j, is_iterated, n, why);
    if (status != TML_OK) return status;
    // rods in nets roll as Newton has it: from 0.01 rad on the factor is kept, and updates that are smaller from the
    // first would only be taken by an older one; measured on 10 x 10, a twentieth slower
    for (int row = 0; row < l->row_count; row++) l->row_axis[row] = -1;
    fill_ports(l, j, n);
    fill_pairs(l, n);
    find_grounds(l, n);
    return TML_OK;
}

tml_status tml__net_create(link_system* l, bool is_iterated, message* why)
{
    const tml_model* m = l->s->model;
    const size_t bodies = (size_t)m->all.body_count + 1;
    const size_t rows = (size_t)l->row_count;
    net* n = tml__allocate(&l->allocator, 1, sizeof *n);
    if (n == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    l->net = n;
    n->joint_count = m->all.joint_count;
    joint_list j = {0};
    const request list[] = {
        {&j.start, bodies + 1, sizeof(int)},
        {&j.list, 2 * (size_t)n->joint_count, sizeof(int)},
        {&n->first_port, rows + 1, sizeof(int)},
        {&n->first_pair, rows + 1, sizeof(int)},
    };
    tml_status status = tml__take_all(&l->allocator, list, 4);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK) {
        list_joints(m, &j);
        status = fill(l, &j, is_iterated, n, why);
    }
    tml__release_all(&l->allocator, list, 2);
    return status;
}

void tml__net_destroy(net* n, const tml_allocator* allocator)
{
    if (n == NULL) return;
    const counts none = {0};
    request list[REQUESTS];
    tml__release_all(allocator, list, list_ports(n, &none, list));
    tml__release(allocator, n->first_port);
    tml__release(allocator, n->first_pair);
    tml__fronts_destroy(n->dual);
    tml__krylov_destroy(n->large);
    tml__release(allocator, n);
}

// ---- forces

void tml__net_put_forces(net* n, const double* lambda)
{
    const size_t bytes = 3 * (size_t)n->joint_count * sizeof(double);
    if (lambda != NULL)
        memcpy(n->force, lambda, bytes);
    else
        memset(n->force, 0, bytes);
}

void tml__net_get_forces(const net* n, double* lambda)
{
    memcpy(lambda, n->force, 3 * (size_t)n->joint_count * sizeof(double));
}

// ---- one iteration

// Once an update was this small, rad or m, the factor is good for what is left; as long as each solve leaves
// a tenth at most. A factor costs as much as several solves.
static const double net_close = 1e-2;
static const double net_gain = 0.1;

// With contacts in it a factor is good for less: what is just apart comes and goes within a micrometre.
static const double net_close_touched = 1e-3;

// Beyond this, m or rad, no iteration comes back.
static const double net_lost = 300.0;

bool tml__net_is_settled(const net* n, double update)
{
    // the next update would be below rounding: its square, or as much less as this one was
    const bool is_linear = n->is_kept || n->large != NULL;
    return is_linear ? update * n->gain <= 1e-12 : update <= 1e-7;
}

tml_status tml__net_start(links_call* call)
{
    net* n = call->l->net;
    n->is_kept = false;
    n->update = 1.0;
    n->gain = 1.0;
    tml__links_let_go(call->l);
    tml__links_run(call, call->l->kernels.predict_net, 0, call->l->row_count);
    if (!links_are_touched(call->l)) return TML_OK;
    // from here on what is just apart may part: with it in the derivative it would creep away
    call->l->touch->is_loose = false;
    const tml_status status = tml__links_touch_evaluate(call->l);
    call->l->touch->is_loose = true;
    return status;
}

// Joints of bodies that are led have no forces here: each answers for itself.
static void fill_led(const link_system* l, const net* n)
{
    for (int i = 0; l->led != NULL && i < l->led->count; i++) {
        const int j = l->led->list[i].joint;
        double* own =
            n->dual != NULL ? tml__fronts_at(n->dual, j, j) : tml__krylov_at(n->large, j, j);
        for (int k = 0; k < 3; k++) own[4 * k] = 1.0;
    }
}

// D, and what opens the joints without further forces: bodies one after the other, since they add to
// the blocks of joints they share.
static void open_all(const links_call* call)
{
    const link_system* l = call->l;
    net* n = l->net;
    if (n->large != NULL)
        tml__krylov_clear(n->large);
    else if (!n->is_kept)
        tml__fronts_clear(n->dual);
    if (!n->is_kept) fill_led(l, n);
    memset(n->change, 0, 3 * ((size_t)n->joint_count + 1) * sizeof(double));
    for (int i = 0; i < 3 * n->joint_count && call->mode == LINKS_STEP; i++) {
        n->change[i] = -n->grounded[i];
    }
    for (int row = 0; row < l->row_count; row++) l->kernels.open_net(call, row);
}

// Rows that imply each other: with (D + shift) what is left of D x = b after one solve is the part that
// no force can close, and the shift's own share, which refinements take away.
enum {
    REFINEMENTS = 2
};
static const double net_shift = 1e-10;

static tml_status factor(net* n)
{
    const tml_status status = tml__fronts_factor(n->dual, 0.0, NULL);
    n->is_redundant = status != TML_OK || tml__fronts_pivot(n->dual) < net_regular;
    return n->is_redundant ? tml__fronts_factor(n->dual, net_shift, NULL) : TML_OK;
}

static void solve(net* n)
{
    const size_t count = 3 * (size_t)n->joint_count;
    if (!n->is_redundant) {
        tml__fronts_solve(n->dual, 1, n->change);
        return;
    }
    double* b = n->rest;
    double* x = n->solution;
    memcpy(b, n->change, count * sizeof(double));
    memset(x, 0, count * sizeof(double));
    for (int k = 0; k <= REFINEMENTS; k++) {
        memcpy(n->change, b, count * sizeof(double));
        tml__fronts_subtract_product(n->dual, x, n->change);
        tml__fronts_solve(n->dual, 1, n->change);
        for (size_t i = 0; i < count; i++) x[i] += n->change[i];
    }
    memcpy(n->change, x, count * sizeof(double));
}

// What a solve by conjugate gradients may leave of its right-hand side: Newton goes on from there. Velocities
// and accelerations are solved for once.
static const double net_left = 1e-4;
static const double net_left_once = 1e-12;

enum {
    MOST_GRADIENTS = 5000
};

static tml_status iterate_large(net* n, links_mode mode)
{
    const tml_status status = tml__krylov_prepare(n->large, NULL);
    if (status != TML_OK) return status;
    const double left = mode == LINKS_STEP ? net_left : net_left_once;
    const tml_status solved =
        tml__krylov_solve(n->large, left, MOST_GRADIENTS, n->change, &n->solved);
    n->gradients += n->solved.iterations;
    return solved;
}

static tml_status solve_dual(net* n)
{
    const tml_status status = n->is_kept ? TML_OK : factor(n);
    if (status == TML_OK) solve(n);
    return status;
}

tml_status tml__net_iterate(links_call* call, double* update)
{
    link_system* l = call->l;
    net* n = l->net;
    const bool is_touched = call->mode == LINKS_STEP && links_are_touched(l);
    const bool has_turned = is_touched && l->touch->corners > 0;
    // past a corner of a contact's force another factor is needed
    n->is_kept = n->large == NULL && call->mode == LINKS_STEP && n->gain <= net_gain &&
                 n->update <= (is_touched ? net_close_touched : net_close) && !has_turned;
    open_all(call);
    const tml_status status = n->large != NULL ? iterate_large(n, call->mode) : solve_dual(n);
    if (status != TML_OK) return status;
    tml__links_run(call, l->kernels.follow_net, 0, l->row_count);
    for (int i = 0; i < 3 * n->joint_count && call->mode != LINKS_PROJECT; i++) {
        n->force[i] += n->change[i];
    }
    *update = 0.0;
    for (int row = 0; row < l->row_count; row++) *update = tml__larger(*update, l->largest[row]);
    l->last_bodies = l->count;
    n->gain = *update / n->update;
    n->update = *update;
    if (!isfinite(*update) || (is_touched && *update > net_lost)) return TML_NOT_CONVERGED;
    return is_touched ? tml__links_touch_evaluate(l) : TML_OK;
}

void tml__net_store(links_call* call)
{
    const link_system* l = call->l;
    tml__links_run(call, l->kernels.store_net, 0, l->row_count);
    tml__net_get_forces(l->net, call->lambda);
}

double tml__net_gap(links_call* call)
{
    const link_system* l = call->l;
    net* n = l->net;
    double* gap = n->rest;
    memcpy(gap, n->grounded, 3 * (size_t)n->joint_count * sizeof(double));
    for (int row = 0; row < l->row_count; row++) l->kernels.gaps_net(call, row);
    double largest = 0.0;
    for (int i = 0; i < 3 * n->joint_count; i++) largest = tml__larger(largest, gap[i]);
    return largest;
}

// ---- is it regular?

bool tml__net_is_regular(const tml_model* m, const tml_allocator* allocator)
{
    const size_t width = (size_t)m->node_count * POSE_WIDTH;
    maximal_system* s = NULL;
    link_system* l = NULL;
    double* q = NULL;
    double* v = NULL;
    const request list[] = {{&q, width, sizeof(double)}, {&v, width, sizeof(double)}};
    message why = {""};
    bool is_regular = false;
    links_extras extras;
    const bool fits =
        tml__links_hold_points(m) || (tml__links_fit(m, allocator, &extras) && !extras.is_moored);
    if (m->loops == 0 || !fits) return false;
    tml_status status = tml__take_all(allocator, list, 2);
    if (status == TML_OK) status = tml__maximal_create_lean(m, allocator, &why, &s);
    if (status == TML_OK) status = tml__links_create(s, LINKS_NET, NULL, &why, &l);
    if (status == TML_OK) {
        const affine_stage none = {.h = 1.0, .theta = 1.0, .beta = 1.0, .phi = 0.5};
        links_call call = {.l = l, .mode = LINKS_FORCES, .stage = none};
        for (int n = 0; n < m->node_count; n++) {
            const body_data* b = &m->bodies[m->node_body[n]];
            const double pose[POSE_WIDTH] = {b->c.x, b->c.y, b->c.z, b->q.w,
                                             b->q.x, b->q.y, b->q.z};
            memcpy(&q[n * POSE_WIDTH], pose, sizeof pose);
        }
        tml__links_load(l, q, v, l->net->force);
        open_all(&call);
        is_regular = tml__fronts_factor(l->net->dual, 0.0, NULL) == TML_OK &&
                     tml__fronts_pivot(l->net->dual) >= net_regular;
    }
    tml__links_destroy(l);
    tml__maximal_destroy(s);
    tml__release_all(allocator, list, 2);
    return is_regular;
}
