// method/links/links_net.c - eight bodies of a net: what they tell their joints, and how they follow.
#include "method/links/contact.h"
#include "method/links/links_pose.h"
#include "method/links/net.h"

LANE_CODE const double* port_of(const net* n, int port)
{
    return n->port + (size_t)port * PORT_ROWS * LANES;
}

LANE_CODE void gather3(const double* from, const int joint[LANES], lanes3* out)
{
    double rows[3 * LANES] __attribute__((aligned(64)));
    for (int i = 0; i < LANES; i++) {
        const double* f = from + 3 * (size_t)joint[i];
        for (int k = 0; k < 3; k++) rows[k * LANES + i] = f[k];
    }
    l3_load(rows, out);
}

// Subtract eight vectors, one after the other: two may belong to one joint.
LANE_CODE void scatter3(const lanes3* a, const int joint[LANES], double* to)
{
    for (int i = 0; i < LANES; i++) {
        double* f = to + 3 * (size_t)joint[i];
        f[0] -= a->x[i];
        f[1] -= a->y[i];
        f[2] -= a->z[i];
    }
}

// Forces of the joints on eight bodies.
LANE_CODE void pull_of(const net* n, int row, link_pull* pull)
{
    zero33(&pull->Q);
    zero3(&pull->out);
    zero3(&pull->torque);
    for (int p = n->first_port[row]; p < n->first_port[row + 1]; p++) {
        const double* port = port_of(n, p);
        const lanes side = row_of(port, PORT_SIDE);
        lanes3 f, point;
        gather3(n->force, n->port_joint + (size_t)LANES * (size_t)p, &f);
        l3_load(ROW(port, PORT_POINT), &point);
        l33_add_outer(&pull->Q, -side, &f, &point);
        l3_axpy(&pull->out, -side, &f, &pull->out);
    }
}

// Where eight bodies are at the end of the step.
LANE_CODE void position_of(const link_system* l, int row, lanes3* out)
{
    const double* x = l->x + 3 * LANES * (size_t)row;
    l3_load(ROW(state_of(l, row), LINK_MOVE), out);
    for (int i = 0; i < LANES; i++) {
        out->x[i] += x[3 * i];
        out->y[i] += x[3 * i + 1];
        out->z[i] += x[3 * i + 2];
    }
}

// Side by side, W = (beta/m) I - [r_p] K^-1 [d_q] is added to the blocks of a pair of ports.
LANE_CODE void add_pair(const link_body* b, const lanes33* rK, const lanes3* d, lanes sides,
                        double* const* to)
{
    typedef double loose __attribute__((vector_size(64), aligned(8), may_alias));
    lanes33 W;
    lanes out[9];
    times_skew(rK, d, &W);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) out[3 * c + r] = -sides * W.m[r][c];
        out[3 * c + c] += sides * b->mobility;
    }
    lanes_transpose(out);  // the first eight numbers of each block are a vector then
    for (int i = 0; i < LANES; i++) {
        double* sum = to[i];
        if (sum == NULL) continue;
        *(loose*)sum += out[i];
        sum[8] += out[8][i];
    }
}

LANE_CODE bool is_touched(const links_call* call, int row)
{
    const link_system* l = call->l;
    return call->mode == LINKS_STEP && links_are_touched(l) && l->touch->in_row[row] != 0;
}

// 1 for links that nothing touches: the others tell by themselves.
LANE_CODE lanes untouched(const links_call* call, int row)
{
    lanes out = LANES_OF(1.0);
    for (int i = 0; i < LANES; i++) {
        if (call->l->touch->of_place[row * LANES + i] != 0) out[i] = 0.0;
    }
    return out;
}

LANE_CODE void tell_touched(const links_call* call, int row, const link_body* b)
{
    double body[TOUCH_ROWS * LANES] __attribute__((aligned(64)));
    l33_store(&b->K, ROW(body, TOUCH_K));
    l33_store(&b->R, ROW(body, TOUCH_R));
    l33_store(&b->A, ROW(body, TOUCH_A));
    l3_store(&b->Ex, ROW(body, TOUCH_EX));
    l3_store(&b->Ew, ROW(body, TOUCH_EW));
    *(lanes*)ROW(body, TOUCH_INERTIA) = b->inertia;
    tml__net_touch_tell(call->l, row, body);
}

LANE_CODE void tell(const links_call* call, int row, const link_body* b)
{
    const link_system* l = call->l;
    net* n = l->net;
    const int first = n->first_port[row];
    const int count = n->first_port[row + 1] - first;
    double* kept = n->kept + (size_t)row * NET_KEPT * LANES;
    lanes3 x, w, at;
    free_motion(call, row, b, &x, &w);
    l33_store(&b->Kinv, ROW(kept, NET_KINV));
    l3_store(&w, ROW(kept, NET_W));
    l3_store(&x, ROW(kept, NET_X));
    *(lanes*)ROW(kept, NET_MOBILITY) = b->mobility;
    lanes loose = LANES_OF(1.0);
    zero3(&at);
    if (call->mode == LINKS_STEP) position_of(l, row, &at);
    if (is_touched(call, row)) {
        tell_touched(call, row, b);
        loose = untouched(call, row);
    }
    for (int p = 0; p < count; p++) {
        const double* port = port_of(n, first + p);
        const lanes side = loose * row_of(port, PORT_SIDE);
        lanes3 point, r, u, there;
        lanes33 rK;
        l3_load(ROW(port, PORT_POINT), &point);
        l33_apply(&b->R, &point, &r);
        motion_of(call, row, &x, &w, &r, &u);
        if (call->mode == LINKS_STEP) {
            l3_axpy(&at, LANES_OF(1.0), &r, &there);
            l3_axpy(&u, LANES_OF(1.0), &there, &u);
        }
        u = (lanes3){side * u.x, side * u.y, side * u.z};
        scatter3(&u, n->port_joint + (size_t)LANES * (size_t)(first + p), n->change);
        if (n->is_kept) continue;
        skew_times_matrix(&r, &b->Kinv, &rK);
        for (int q = 0; q < count; q++) {
            const double* other = port_of(n, first + q);
            lanes3 d;
            l3_load(ROW(other, PORT_POINT), &point);
            l33_apply(&b->A, &point, &d);
            add_pair(b, &rK, &d, side * row_of(other, PORT_SIDE),
                     n->pair + (size_t)LANES * (size_t)(n->first_pair[row] + p * count + q));
        }
    }
}

LANE_CODE void open_net(const links_call* call, int row)
{
    link_pull pull;
    link_body b;
    pull_of(call->l->net, row, &pull);
    assemble(call, row, &pull, &b);
    tell(call, row, &b);
}

// The arms of forces: at the mean of both ends of a step, or where velocities and accelerations are.
LANE_CODE void arms_of(const links_call* call, int row, lanes33* A)
{
    const double* state = state_of(call->l, row);
    lanes33 end;
    l33_load(ROW(state, call->mode == LINKS_PROJECT ? LINK_END : LINK_R), A);
    if (call->mode != LINKS_STEP) return;
    l33_load(ROW(state, LINK_END), &end);
    for (int k = 0; k < 9; k++) {
        A->m[k / 3][k % 3] = LANES_OF(0.5) * (A->m[k / 3][k % 3] + end.m[k / 3][k % 3]);
    }
}

// `touched`: force and torque by the changes at the joints, rows of eight.
LANE_CODE void follow_touched(const links_call* call, int row, double* touched, lanes3* x,
                              lanes3* w)
{
    lanes3 shift, turn;
    tml__net_touch_follow(call->l, row, touched);
    l3_load(ROW(touched, 0), &shift);
    l3_load(ROW(touched, 3), &turn);
    const lane_mask is_free = untouched(call, row) > LANES_OF(0.5);
    *x = (lanes3){lanes_pick(is_free, x->x, shift.x), lanes_pick(is_free, x->y, shift.y),
                  lanes_pick(is_free, x->z, shift.z)};
    *w = (lanes3){lanes_pick(is_free, w->x, turn.x), lanes_pick(is_free, w->y, turn.y),
                  lanes_pick(is_free, w->z, turn.z)};
}

LANE_CODE void follow_net(const links_call* call, int row)
{
    const link_system* l = call->l;
    const net* n = l->net;
    const double* kept = n->kept + (size_t)row * NET_KEPT * LANES;
    const lanes one = LANES_OF(1.0);
    const lanes mobility = row_of(kept, NET_MOBILITY);
    double* state = state_of(l, row);
    lane_peak peak = {LANES_OF(0.0), LANES_OF(0.0)};
    lanes33 A, Kinv, moved;
    lanes3 sum, torque, w, x, move;
    zero3(&sum);
    zero3(&torque);
    arms_of(call, row, &A);
    for (int p = n->first_port[row]; p < n->first_port[row + 1]; p++) {
        const double* port = port_of(n, p);
        const lanes side = row_of(port, PORT_SIDE);
        lanes3 f, point, d, turn;
        gather3(n->change, n->port_joint + (size_t)LANES * (size_t)p, &f);
        l3_load(ROW(port, PORT_POINT), &point);
        l33_apply(&A, &point, &d);
        l3_cross(&d, &f, &turn);
        l3_axpy(&sum, side, &f, &sum);
        l3_axpy(&torque, side, &turn, &torque);
    }
    double touched[6 * LANES] __attribute__((aligned(64)));
    if (is_touched(call, row)) {
        l3_store(&sum, ROW(touched, 0));
        l3_store(&torque, ROW(touched, 3));
    }
    l33_load(ROW(kept, NET_KINV), &Kinv);
    l33_apply(&Kinv, &torque, &torque);
    sum = (lanes3){mobility * sum.x, mobility * sum.y, mobility * sum.z};
    l3_load(ROW(kept, NET_W), &w);
    l3_load(ROW(kept, NET_X), &x);
    l3_axpy(&w, one, &torque, &w);
    l3_axpy(&x, one, &sum, &x);
    if (is_touched(call, row)) follow_touched(call, row, touched, &x, &w);
    if (call->mode == LINKS_PROJECT) {
        raise_peak(&peak, &sum);
        raise_peak(&peak, &torque);
        l3_store(&x, ROW(state, LINK_V_END));
        l3_store(&w, ROW(state, LINK_OMEGA_END));
    }
    if (call->mode == LINKS_STEP) {
        // rolls of their own pay where contacts spin the links beside
        const bool is_rolled = l->touch != NULL && drop_roll(call, row, &w);
        if (is_held(l)) {
            const lanes held = held_of(l, row);
            const lanes3 shifted = {held * x.x, held * x.y, held * x.z};
            raise_peak(&peak, &shifted);
            hold(l, row, &w, &peak);
        } else {
            raise_peak(&peak, &x);
            raise_peak(&peak, &w);
        }
        l3_load(ROW(state, LINK_MOVE), &move);
        l3_axpy(&move, one, &x, &move);
        l3_store(&move, ROW(state, LINK_MOVE));
        turn_end(call, row, is_rolled, &w, &moved);
    }
    l->largest[row] = size_of_peak(&peak);
}

LANE_CODE void predict_net(const links_call* call, int row)
{
    double* state = state_of(call->l, row);
    const lanes h = LANES_OF(call->stage.h);
    lanes33 moved;
    lanes3 v;
    predict_end(call, row, &moved);
    l3_load(ROW(state, LINK_V), &v);
    v = (lanes3){h * v.x, h * v.y, h * v.z};
    l3_store(&v, ROW(state, LINK_MOVE));
}

LANE_CODE void gaps_net(const links_call* call, int row)
{
    const link_system* l = call->l;
    const net* n = l->net;
    lanes33 end;
    lanes3 at;
    l33_load(ROW(state_of(l, row), LINK_END), &end);
    position_of(l, row, &at);
    for (int p = n->first_port[row]; p < n->first_port[row + 1]; p++) {
        const double* port = port_of(n, p);
        const lanes side = -row_of(port, PORT_SIDE);
        lanes3 point, r;
        l3_load(ROW(port, PORT_POINT), &point);
        l33_apply(&end, &point, &r);
        l3_axpy(&r, LANES_OF(1.0), &at, &r);
        r = (lanes3){side * r.x, side * r.y, side * r.z};
        scatter3(&r, n->port_joint + (size_t)LANES * (size_t)p, n->rest);
    }
}

// Every body by itself: gaps are what Newton leaves of them.
LANE_CODE void store_net(const links_call* call, int row)
{
    lanes3 x;
    position_of(call->l, row, &x);
    put_row(call, row, &x);
}

KERNEL(open_net)
KERNEL(store_net)
KERNEL(gaps_net)
KERNEL(follow_net)
KERNEL(predict_net)

void tml__net_kernels(block_isa isa, links_kernels* out)
{
    out->open_net = PICK(open_net, isa);
    out->follow_net = PICK(follow_net, isa);
    out->store_net = PICK(store_net, isa);
    out->gaps_net = PICK(gaps_net, isa);
    out->predict_net = PICK(predict_net, isa);
}
