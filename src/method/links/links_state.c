// method/links/links_state.c - states of links: in, out, on, and what the end of a step shows.
#include "method/links/contact.h"
#include "method/links/links_pose.h"
#include "method/links/net.h"

#include <string.h>

double* tml__links_lane(const link_system* l, int place)
{
    return l->state + (size_t)(place / LANES) * LINK_STATE * LANES + place % LANES;
}

static void get(const double* lane, int row, int count, double* values)
{
    for (int k = 0; k < count; k++) values[k] = lane[(row + k) * LANES];
}

static vec3 get3(const double* lane, int row)
{
    return v3(lane[row * LANES], lane[(row + 1) * LANES], lane[(row + 2) * LANES]);
}

static mat3 get33(const double* lane, int row)
{
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = lane[(row + k) * LANES];
    return a;
}

// ---- threads

typedef struct kernel_run {
    const links_call* call;
    links_kernel* kernel;
} kernel_run;

static void run_item(void* context, int item, int thread)
{
    const kernel_run* r = context;
    const link_system* l = r->call->l;
    if (!l->is_chain || thread == 0) {
        r->kernel(r->call, item);
        return;
    }
    links_call own = *r->call;
    own.scratch = l->scratch + (size_t)thread * (size_t)l->length * CHAIN_KEPT * LANES;
    r->kernel(&own, item);
}

void tml__links_run(const links_call* call, links_kernel* kernel, int first, int count)
{
    kernel_run r = {call, kernel};
    tml__team_run(call->l->team, first, count, run_item, &r);
}

// ---- in and out

int tml__chain_place(const link_system* l, int k)
{
    const int segment = k / l->length;
    return (segment / LANES * l->length + k % l->length) * LANES + segment % LANES;
}

// Forces of the first joints of segments, where neighbours read them.
static void show_forces(link_system* l)
{
    for (int k = 0; l->is_chain && k < l->segment_count; k++) {
        v3_store(&l->head_force[3 * k],
                 get3(tml__links_lane(l, tml__chain_place(l, k * l->length)), LINK_FORCE));
    }
}

// Where no link is, the identity at rest stays as it is.
LANE_CODE void load(const links_call* call, int row)
{
    static const double nothing[POSE_WIDTH] = {0.0};
    static const double identity[POSE_WIDTH] = {[3] = 1.0};
    const link_system* l = call->l;
    double* state = state_of(l, row);
    const double *q[LANES], *v[LANES], *force[LANES];
    lanes_pose pose, rate;
    lanes3 f;

    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        const int joint = l->joint[row * LANES + i];
        q[i] = node < 0 ? identity : call->q_in + (size_t)node * POSE_WIDTH;
        v[i] = node < 0 ? nothing : call->v_in + (size_t)node * POSE_WIDTH;
        force[i] = node < 0 || joint < 0 ? nothing : call->lambda_in + (size_t)joint * 3;
    }
    gather_pose(q, &pose);
    gather_pose(v, &rate);
    take_pose(&pose, &rate, state);
    gather(force, 0, &f.x);
    gather(force, 1, &f.y);
    gather(force, 2, &f.z);
    l3_store(&f, ROW(state, LINK_FORCE));
}

static void load_roots(link_system* l, const double* q)
{
    for (int place = 0; place < l->root_places; place++) {
        if (l->node[place] < 0) continue;
        memcpy(&l->x[3 * place], &q[l->node[place] * POSE_WIDTH], 3 * sizeof(double));
    }
}

void tml__links_load(link_system* l, const double* q, const double* v, const double* lambda)
{
    const links_call call = {.l = l, .q_in = q, .v_in = v, .lambda_in = lambda};
    tml__links_run(&call, l->kernels.load, 0, l->row_count);
    load_roots(l, q);
    show_forces(l);
    if (l->net != NULL) tml__net_put_forces(l->net, lambda);
}

// Positions are rebuilt from the root, so that no gap opens in however many steps: segments first,
// then the links of each.
void tml__chain_store(links_call* call)
{
    link_system* l = call->l;
    const bool is_free = l->joint[0] < 0;
    vec3 at = is_free ? v3_add(v3_load(l->x), l->root_move) : l->anchor.to;
    tml__links_run(call, l->kernels.chord, 0, l->item_count);
    for (int k = 0; k < l->segment_count; k++) {
        const vec3 chord_of = v3_load(&l->start[3 * k]);
        v3_store(&l->start[3 * k], at);
        at = v3_add(at, chord_of);
    }
    tml__links_run(call, l->kernels.store_chain, 0, l->item_count);
}

void tml__links_show(link_system* l, double* q, double* v, double* lambda)
{
    links_call call = {.l = l, .q = q, .v = v, .lambda = lambda};
    if (l->net != NULL)
        tml__net_store(&call);
    else if (l->is_chain)
        tml__chain_store(&call);
    else
        tml__tree_store(&call);
}

void tml__links_store(link_system* l, double* q, double* v, double* lambda)
{
    tml__links_show(l, q, v, lambda);
    load_roots(l, q);
}

static void copy_rows(const link_system* l, int from, int to, int count)
{
    for (int row = 0; row < l->row_count; row++) {
        double* state = state_of(l, row);
        memcpy(state + to * LANES, state + from * LANES, (size_t)count * LANES * sizeof(double));
    }
}

void tml__links_go_on(link_system* l)
{
    if (links_are_touched(l)) tml__links_touch_go_on(l);
    for (int place = 0; place < l->root_places; place++) {
        const double* lane = tml__links_lane(l, place);
        const vec3 move = l->is_chain ? l->root_move : get3(lane, LINK_MOVE);
        v3_store(&l->x[3 * place], v3_add(v3_load(&l->x[3 * place]), move));
    }
    copy_rows(l, LINK_V_END, LINK_V, 3);
    copy_rows(l, LINK_OMEGA_END, LINK_OMEGA, 3);
    copy_rows(l, LINK_END, LINK_R, 9);
}

void tml__links_rest(link_system* l)
{
    copy_rows(l, LINK_R, LINK_END, 9);
    copy_rows(l, LINK_V, LINK_V_END, 3);
    copy_rows(l, LINK_OMEGA, LINK_OMEGA_END, 3);
    for (int row = 0; row < l->row_count; row++) {
        memset(ROW(state_of(l, row), LINK_MOVE), 0, 3 * LANES * sizeof(double));
    }
    l->root_move = v3_zero();
}

void tml__links_forget_forces(link_system* l)
{
    for (int row = 0; row < l->row_count; row++) {
        memset(ROW(state_of(l, row), LINK_FORCE), 0, 3 * LANES * sizeof(double));
    }
    show_forces(l);
    if (l->net != NULL) tml__net_put_forces(l->net, NULL);
}

void tml__links_put_forces(link_system* l, const double* lambda)
{
    for (int place = 0; place < l->row_count * LANES; place++) {
        if (l->node[place] < 0 || l->joint[place] < 0) continue;
        double* lane = tml__links_lane(l, place);
        for (int k = 0; k < 3; k++) {
            lane[(LINK_FORCE + k) * LANES] = lambda[3 * l->joint[place] + k];
        }
    }
    show_forces(l);
    if (l->net != NULL) tml__net_put_forces(l->net, lambda);
}

void tml__links_forces_out(const link_system* l, double* lambda)
{
    for (int place = 0; place < l->row_count * LANES; place++) {
        if (l->node[place] < 0 || l->joint[place] < 0) continue;
        get(tml__links_lane(l, place), LINK_FORCE, 3, &lambda[3 * l->joint[place]]);
    }
    if (l->net != NULL) tml__net_get_forces(l->net, lambda);
}

int tml__links_worst(const link_system* l)
{
    int worst = 0;
    for (int item = 1; item < l->item_count; item++) {
        const bool is_worse = !(l->largest[item] <= l->largest[worst]);
        if (is_worse && !isnan(l->largest[worst])) worst = item;
    }
    const int place = worst * (l->is_chain ? l->length : 1) * LANES;
    return l->s->model->node_body[l->node[place]];
}

static double push_work(const link_system* l, const hand_push* push)
{
    const int place = l->place_of[l->s->model->bodies[push->body].node];
    const double* lane = tml__links_lane(l, place);
    const affine_body b = {.R = get33(lane, LINK_R), .R_end = get33(lane, LINK_END)};
    const vec3 turned = m3_apply(m3_sub(b.R_end, b.R), push->point);
    vec3 move = get3(lane, LINK_MOVE);
    if (l->is_chain) {
        const int segment = place / LANES / l->length * LANES + place % LANES;
        move = v3_add(move, v3_load(&l->offset[3 * segment]));
    }
    return v3_dot(push->force, v3_add(move, turned)) + v3_dot(push->torque, tml__affine_cayley(&b));
}

double tml__links_push_work(const link_system* l)
{
    double sum = 0.0;
    for (int i = 0; i < l->s->push_count; i++) sum += push_work(l, &l->s->pushes[i]);
    return sum;
}

// The point of the first link that hangs on the anchor goes as far as it does.
double tml__links_anchor_work(const link_system* l)
{
    if (!l->is_chain || l->joint[0] < 0) return 0.0;
    return v3_dot(get3(tml__links_lane(l, 0), LINK_FORCE), l->root_move);
}

// ---- the end of a step, eight links at once

typedef struct lane_sums {
    lanes before, after, work, work_size, trace;
} lane_sums;

// Twice the kinetic energy.
LANE_CODE lanes energy_of(lanes mass, const lanes33* K, const lanes3* v, const lanes3* omega)
{
    lanes3 momentum;
    l33_apply(K, omega, &momentum);
    return mass * l3_dot(v, v) + l3_dot(omega, &momentum);
}

// One step of Newton-Schulz: a (3 I - a^T a)/2.
LANE_CODE void straighten(const lanes33* a, lanes33* out)
{
    lanes33 square;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            square.m[i][j] = LANES_OF(-0.5) * (a->m[0][i] * a->m[0][j] + a->m[1][i] * a->m[1][j] +
                                               a->m[2][i] * a->m[2][j]);
        }
        square.m[i][i] += LANES_OF(1.5);
    }
    l33_mul(a, &square, out);
}

// The work of gravity and of the air; joints do none.
LANE_CODE lanes work_of(const links_call* call, const double* type, const lanes3* move,
                        const lanes3* turn, lanes trace)
{
    const lanes h = LANES_OF(call->stage.h);
    const lanes mass = row_of(type, LINK_MASS);
    const lanes drag = row_of(type, LINK_DRAG) / h;
    const lanes spin = row_of(type, LINK_SPIN) / h;
    lanes3 wind;
    l3_load(ROW(type, LINK_WIND), &wind);
    const lanes3 f = {mass * LANES_OF(call->gravity.x) - drag * (move->x - h * wind.x),
                      mass * LANES_OF(call->gravity.y) - drag * (move->y - h * wind.y),
                      mass * LANES_OF(call->gravity.z) - drag * (move->z - h * wind.z)};
    return l3_dot(&f, move) - spin * l3_dot(turn, turn) / (LANES_OF(1.0) + trace);
}

// What damping by mass takes from a link that turns, by the inertia at one end: it sees the mean of both.
LANE_CODE lanes damped(const links_call* call, const lanes33* K, const lanes3* turn, lanes trace)
{
    lanes3 by;
    l33_apply(K, turn, &by);
    return LANES_OF(call->l->damping / call->stage.h) * l3_dot(turn, &by) / (LANES_OF(1.0) + trace);
}

LANE_CODE void add_sums(const link_system* l, int row, lanes before, lanes after, lanes work,
                        lanes trace, lane_sums* sums)
{
    lanes there;
    for (int i = 0; i < LANES; i++) there[i] = l->node[row * LANES + i] < 0 ? 0.0 : 1.0;
    work *= there;
    sums->before += LANES_OF(0.5) * there * before;
    sums->after += LANES_OF(0.5) * there * after;
    sums->work += work;
    for (int i = 0; i < LANES; i++) {
        sums->work_size[i] += fabs(work[i]);
        sums->trace[i] = tml__smaller(sums->trace[i], trace[i]);
    }
}

// Velocities at the end, the nearest rigid ones; R+ orthonormal to the last bit; energies.
LANE_CODE void close_row(const links_call* call, int row, const lanes3* offset, lane_sums* sums)
{
    const link_system* l = call->l;
    double* state = state_of(l, row);
    const double* type = type_of(l, row);
    const bool is_principal = l->traits[l->row_type[row]].is_principal;
    const double theta = call->stage.theta;
    const lanes past = LANES_OF((1.0 - theta) / theta);
    const lanes now = LANES_OF(1.0 / (theta * call->stage.h));
    const lanes mass = row_of(type, LINK_MASS);
    lanes33 R, end, U, US, K, Kinv, fixed;
    lanes3 omega, v, move, momentum, v_end, omega_end, turn;

    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &end);
    straighten(&end, &fixed);
    l33_store(&fixed, ROW(state, LINK_END));

    l3_load(ROW(state, LINK_OMEGA), &omega);
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(state, LINK_MOVE), &move);
    l3_axpy(&move, LANES_OF(1.0), offset, &move);
    world_inertia(type, is_principal, &R, &K);
    const lanes before = energy_of(mass, &K, &v, &omega);
    skew_times(&omega, &R, &U);
    lanes trace = LANES_OF(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            trace += R.m[i][j] * fixed.m[i][j];
            U.m[i][j] = now * (fixed.m[i][j] - R.m[i][j]) - past * U.m[i][j];
        }
    }
    times_S(type, is_principal, &U, &US);
    tau_bt(&US, &fixed, &momentum);
    tau_bt(&fixed, &R, &turn);
    const bool is_damped = l->damping > 0.0;
    lanes lost = is_damped ? damped(call, &K, &turn, trace) : LANES_OF(0.0);
    world_inertia(type, is_principal, &fixed, &K);
    if (is_damped) lost = LANES_OF(0.5) * (lost + damped(call, &K, &turn, trace));
    l33_inverse(&K, &Kinv);
    l33_apply(&Kinv, &momentum, &omega_end);
    v_end.x = now * move.x - past * v.x;
    v_end.y = now * move.y - past * v.y;
    v_end.z = now * move.z - past * v.z;
    l3_store(&v_end, ROW(state, LINK_V_END));
    l3_store(&omega_end, ROW(state, LINK_OMEGA_END));
    const lanes after = energy_of(mass, &K, &v_end, &omega_end);
    const lanes work = work_of(call, type, &move, &turn, trace) - lost;
    add_sums(l, row, before, after, work, trace, sums);
}

LANE_CODE void store_sums(const lane_sums* sums, links_sums* out)
{
    *out = (links_sums){.trace = 3.0};
    for (int i = 0; i < LANES; i++) {
        out->before += sums->before[i];
        out->after += sums->after[i];
        out->work += sums->work[i];
        out->work_size += sums->work_size[i];
        out->trace = tml__smaller(out->trace, sums->trace[i]);
    }
}

#define NO_SUMS                                                                                    \
    {                                                                                              \
        LANES_OF(0.0), LANES_OF(0.0), LANES_OF(0.0), LANES_OF(0.0), LANES_OF(3.0)                  \
    }

LANE_CODE void close_chain(const links_call* call, int item)
{
    const link_system* l = call->l;
    const double* offsets = l->offset + (size_t)3 * LANES * (size_t)item;
    lane_sums sums = NO_SUMS;
    lanes3 offset;
    for (int i = 0; i < LANES; i++) {
        offset.x[i] = offsets[3 * i];
        offset.y[i] = offsets[3 * i + 1];
        offset.z[i] = offsets[3 * i + 2];
    }
    for (int at = 0; at < l->length; at++) {
        close_row(call, item * l->length + at, &offset, &sums);
    }
    store_sums(&sums, &l->sums[item]);
}

LANE_CODE void close_tree(const links_call* call, int row)
{
    lane_sums sums = NO_SUMS;
    lanes3 offset;
    zero3(&offset);
    close_row(call, row, &offset, &sums);
    store_sums(&sums, &call->l->sums[row]);
}

KERNEL(close_chain)
KERNEL(close_tree)
KERNEL(load)

void tml__body_kernels(block_isa isa, links_kernels* out)
{
    out->close_chain = PICK(close_chain, isa);
    out->close_tree = PICK(close_tree, isa);
    out->load = PICK(load, isa);
}
