// diff/contact_bounce.c - steps that bounce by the limit of short ones, and labels that a gradient chooses.
//
// A step ends where bodies meet and turns their velocities round there: that the impact comes earlier or later
// is lost. As events see it the bodies fly on to the impact and part from there:      [notes, section 1.6]
//     dt = -(d gap + t d(J u)) / (J u),   dq_i = dq + t du + u dt,   du_i = du + a dt
//     du+ = (slopes of the step at dq_i, du_i) - a+ dt,   dq+ = dq_i + (h - t) du+ - u+ dt
// a and a+: accelerations before and after, without what bounces. dq_i and dq+ are brought back onto the rows of joints.
#include "diff/contact.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

double tml__touch_bounce_of(const instant* i, int which)
{
    const sim_touch* w = i->sim->touch;
    const touch_set* set = w->rows;
    const int at = set->contact_row[which];
    if (!w->has_end || set->labels_other[at] != LCP_HELD) return 0.0;
    if (set->kinds_other[at].kind == LCP_BOX || !(w->after[at] > 0.0)) return 0.0;
    return i->sim->contacts->found[which].restitution;
}

// ---- one bounce

// Accelerations at a state, with the rows that hold beside the bounce.
static tml_status accelerate(const instant* i, const double* q, const double* v, double* a)
{
    const maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    touch_border* b = &w->touch->rest;
    tml__instant_targets(i);
    const tml_status status = tml__maximal_accelerate(i->sim->system, q, v, a, w->lambda_d);
    if (status != TML_OK) {
        return tml__maximal_describe_failure(i->sim->system, status, NULL, &i->sim->why);
    }
    for (int k = 0; k < b->count; k++) b->f[k] = tml__border_along(b, k, &b->rows[k].here.J, a);
    tml__border_solve(b, PARTIAL_FORWARD);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < 6 * s->node_count; n++) a[n] += b->f[k] * Z[n];
    }
    return TML_OK;
}

static tml_status list_rest(const instant* i, int which)
{
    touch_linear* t = i->work->touch;
    const touch_set* set = i->sim->touch->rows;
    const int at = set->contact_row[which];
    memcpy(t->labels, set->labels, (size_t)set->row_count);
    memset(t->labels + at, LCP_OFF, 1 + (size_t)set->friction_rows[which]);
    const tml_status status = tml__border_list(&t->rest, t->labels, set->kinds, &i->sim->why);
    return status == TML_OK ? tml__touch_fill_border(i, t->q1, &t->rest) : status;
}

tml_status tml__touch_find_impact(const instant* i)
{
    touch_linear* t = i->work->touch;
    const touch_set* set = i->sim->touch->rows;
    touch_impact* to = &t->impact;
    int which = -1;
    *to = (touch_impact){.row = -1};
    for (int c = 0; c < set->contact_count; c++) {
        if (!(tml__touch_bounce_of(i, c) > 0.0)) continue;
        which = c;
        to->count++;
    }
    if (to->count != 1) return TML_OK;
    for (int k = 0; k < t->end.count; k++) {
        if (t->end.rows[k].row == set->contact_row[which]) to->row = k;
    }
    const double speed =
        to->row >= 0 ? tml__border_along(&t->end, to->row, &t->end.rows[to->row].there.J, t->before)
                     : 0.0;
    if (!(speed < 0.0)) {
        to->count = 2;  // implied by others: together with them
        return TML_OK;
    }
    instant start = *i;
    start.dt = 0.0;
    tml_status status = list_rest(i, which);
    if (status == TML_OK) status = accelerate(&start, t->q0, step_v(i->sim), t->a_in);
    if (status == TML_OK) status = accelerate(i, t->q1, t->v1, t->a_out);
    to->t = fmin(set->h, fmax(0.0, -i->sim->contacts->found[which].gap / speed));
    for (int n = 0; n < 6 * i->sim->model->node_count; n++) {
        t->u_in[n] = t->before[n] + to->t * t->a_in[n];
    }
    to->speed = tml__border_along(&t->end, to->row, &t->end.rows[to->row].there.J, t->u_in);
    if (!(to->speed < 0.0)) to->speed = speed;  // so slow that forces turn it round
    return status;
}

// `raw` onto the rows of joints at the closed pose q, as `out`; or the gradient the other way.
static tml_status close_onto_rows(const instant* i, const double* q, double* raw, double* out)
{
    const closing_wish none = {NULL, NULL};
    if (i->sim->system->row_count > 0) return tml__linear_close(i, q, q, none, raw, out);
    for (int n = 0; n < 6 * i->sim->model->node_count; n++) {
        if (i->way == PARTIAL_FORWARD) {
            out[n] = raw[n];
        } else {
            raw[n] += out[n];
        }
    }
    return TML_OK;
}

// Velocities of implicit formulas are chords, a little off the rows; what that leaves of poses would be a
// velocity a step later.
tml_status tml__touch_impact_forward(const instant* i)
{
    touch_linear* t = i->work->touch;
    touch_impact* at = &t->impact;
    const border_row* row = &t->end.rows[at->row];
    const touch_bend* bend = &t->bends[row->contact];
    const int nodes = i->sim->model->node_count;
    double z[TWIST_COLUMNS];
    tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
    const double rate = tml__touch_bent_rate(bend, 0, t->before, t->pose0, z) +
                        tml__border_along(&t->end, at->row, &row->there.J, t->u0);
    at->change = -(contact_bend_along(bend->bend.gap, z) + at->t * rate) / at->speed;
    for (int n = 0; n < 6 * nodes; n++) {
        t->late[n] = t->pose0[n] + at->t * t->u0[n] + at->change * t->u_in[n];
        t->u0[n] += at->change * t->a_in[n];
    }
    instant start = *i;
    start.dt = 0.0;
    const tml_status status = close_onto_rows(&start, t->q0, t->late, t->pose0);
    copy(t->moved, i->x->past[0], (int)tml__flat_count(i->sim));
    tml__pose_to_flat(i->way, t->q0, nodes, t->pose0, t->moved);
    tml__velocity_to_rate(i->way, t->q0, t->before, nodes, t->moved, t->u0,
                          t->moved + i->sim->width);
    return status;
}

// Gradients by t->pose0, u0, moved, late and by the time of the impact become those by x->past[0].
tml_status tml__touch_impact_backward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const touch_impact* at = &t->impact;
    const border_row* row = &t->end.rows[at->row];
    const touch_bend* bend = &t->bends[row->contact];
    const int nodes = sim->model->node_count;
    const int n = sim->width;
    double* past = i->x->past[0];
    double by_time = at->change;
    double z[TWIST_COLUMNS];
    tml__velocity_to_rate(i->way, t->q0, t->before, nodes, t->moved, t->u0, t->moved + n);
    tml__pose_to_flat(i->way, t->q0, nodes, t->pose0, t->moved);
    for (int k = 0; k < 6 * nodes; k++) t->late[k] += t->pose0[k];
    instant start = *i;
    start.dt = 0.0;
    clear(t->pose0, 6 * nodes);
    const tml_status status = close_onto_rows(&start, t->q0, t->pose0, t->late);
    for (int k = 0; k < 6 * nodes; k++) {
        by_time += t->pose0[k] * t->u_in[k] + t->u0[k] * t->a_in[k];
        t->u0[k] += at->t * t->pose0[k];
    }
    const double g = -by_time / at->speed;
    for (int k = 0; k < TWIST_COLUMNS; k++) z[k] = g * bend->bend.gap[k];
    tml__touch_bent_rate_transposed(bend, 0, t->before, g * at->t, t->pose0, z);
    tml__border_add(&t->end, at->row, &row->there.J, g * at->t, t->u0);
    tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
    tml__rate_to_velocity(i->way, t->q0, step_v(sim), nodes, past, past + n, t->u0);
    tml__flat_to_pose(i->way, t->q0, nodes, past, t->pose0);
    for (int k = 2 * n; k < (int)tml__flat_count(sim); k++) past[k] += t->moved[k];
    return status;
}

tml_status tml__touch_fly_forward(const instant* i)
{
    touch_linear* t = i->work->touch;
    const touch_impact* at = &t->impact;
    const double left = i->sim->touch->rows->h - at->t;
    for (int n = 0; n < 6 * i->sim->model->node_count; n++) {
        t->late[n] = t->pose0[n] + left * t->u1[n] - at->change * t->after[n];
        t->u1[n] -= at->change * t->a_out[n];
    }
    return close_onto_rows(i, t->q1, t->late, t->pose1);
}

tml_status tml__touch_fly_backward(const instant* i)
{
    touch_linear* t = i->work->touch;
    touch_impact* at = &t->impact;
    const int nodes = i->sim->model->node_count;
    const double left = i->sim->touch->rows->h - at->t;
    tml__pose_to_flat(i->way, t->q1, nodes, t->pose1, i->x->next);
    clear(i->x->next, i->sim->width);
    const tml_status status = close_onto_rows(i, t->q1, t->late, t->pose1);
    at->change = 0.0;
    for (int n = 0; n < 6 * nodes; n++) {
        at->change -= t->late[n] * t->after[n] + t->u1[n] * t->a_out[n];
        t->u1[n] += left * t->late[n];
    }
    clear(t->pose1, 6 * nodes);
    return status;
}

// ---- labels

// What the gradient of the step asks of velocities: along a row that should push, it is positive.
static void wish(const instant* i, double* out)
{
    tml_sim* sim = i->sim;
    const touch_linear* t = i->work->touch;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    double* next = t->trial;
    double* pose = t->late;
    copy(next, i->x->next, 2 * n);
    clear(out, 6 * nodes);
    clear(pose, 6 * nodes);
    tml__velocity_to_rate(i->way, t->q1, t->last, nodes, next, out, next + n);
    tml__pose_to_flat(i->way, t->q1, nodes, pose, next);
    for (int k = 0; k < 6 * nodes; k++) out[k] += sim->touch->rows->h * pose[k];
}

static double along(const touch_set* set, int row, const double* motion)
{
    const touch_row* r = &set->rows[row];
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        for (int n = 0; n < 6 && r->node[side] >= 0; n++) {
            sum += r->g[side][n] * motion[6 * r->node[side] + n];
        }
    }
    return sum;
}

// Contacts that hold anew have no friction: nobody knows which way.
static void propose(const instant* i, int which)
{
    touch_linear* t = i->work->touch;
    const touch_set* set = i->sim->touch->rows;
    if (which == 1) wish(i, t->more);
    for (int c = 0; c < set->contact_count; c++) {
        const int at = set->contact_row[c];
        const bool was_held = set->labels[at] == LCP_HELD;
        const double asked = which == 1 ? along(set, at, t->more) : 0.0;
        const bool holds = which == 2 || asked > 0.0 || (which == 1 && asked == 0.0 && was_held);
        if (set->kinds[at].kind == LCP_BOX) continue;
        t->labels[at] = holds ? LCP_HELD : LCP_OFF;
        for (int r = 1; r <= set->friction_rows[c] && !(holds && was_held); r++) {
            t->labels[at + r] = LCP_OFF;
        }
        for (int r = 0; r <= set->friction_rows[c] && !holds; r++) t->labels_end[at + r] = LCP_OFF;
    }
}

// Rows as they stand, over their columns, and those that hold.
static tml_status list_at(touch_border* b, const unsigned char* labels, const lcp_row* kinds,
                          message* why)
{
    const tml_status status = tml__touch_lift(b->touch, why);
    return status == TML_OK ? tml__border_list(b, labels, kinds, why) : status;
}

tml_status tml__touch_use_labels(const instant* i, int which)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    touch_set* set = sim->touch->rows;
    memcpy(t->labels, set->labels, (size_t)set->row_count);
    memcpy(t->labels_end, set->labels_other, (size_t)set->row_count);
    if (which > 0) propose(i, which);
    t->end.count = 0;
    t->end.has_free_split = false;
    tml_status status = TML_OK;
    if (sim->touch->has_end) {
        tml__touch_swap_ends(set);
        status = list_at(&t->end, t->labels_end, set->kinds_other, &sim->why);
        tml__touch_swap_ends(set);
    }
    if (status == TML_OK) status = list_at(&t->step, t->labels, set->kinds, &sim->why);
    if (status == TML_OK) tml__touch_note_ends(i);
    return status;
}
