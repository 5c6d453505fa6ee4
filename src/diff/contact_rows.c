// diff/contact_rows.c - rows of contacts in a linearised step, by where it starts and where it ends.
#include "diff/contact.h"
#include "sim/sim_internal.h"

#include <string.h>

static tml_status unfit(const instant* i, const contact* k)
{
    const definitions* all = &i->sim->model->all;
    const int a = k->body_a;
    const int b = k->body_b;
    return tml__fail(&i->sim->why, TML_SINGULAR,
                     "the contact of '%s' and '%s' has no unique derivative: its features are "
                     "degenerate",
                     a < all->body_count ? all->bodies[a].name : "world",
                     b < all->body_count ? all->bodies[b].name : "world");
}

static bool counts(const instant* i, int c)
{
    const sim_touch* w = i->sim->touch;
    const touch_set* t = w->rows;
    const int at = t->contact_row[c];
    // a row may hold at the end alone, and push nothing there
    const bool has_met =
        w->has_end && t->labels_other[at] == LCP_HELD && t->kinds_other[at].kind != LCP_BOX;
    const bool is_aware = i->x->slopes == TML_SLOPES_COMPLEMENTARITY_AWARE;
    return is_aware || t->labels[at] == LCP_HELD || w->total[at] != 0.0 || has_met ||
           (w->is_moved && w->shift_labels[at] == LCP_HELD);
}

// The same where it ends, of those that could be followed there.
static tml_status note_bends_end(const instant* i)
{
    tml_sim* sim = i->sim;
    const sim_touch* w = sim->touch;
    touch_linear* t = i->work->touch;
    tml__maximal_place(sim->system, t->q1, NULL);
    for (int c = 0; c < w->rows->contact_count; c++) {
        if (!counts(i, c) || !w->is_followed[c]) continue;
        if (tml__touch_bend(sim->system, &w->ends[c], &t->bends_end[c]) != TML_OK) {
            return unfit(i, &w->ends[c]);
        }
    }
    return TML_OK;
}

// Contacts where the step starts, as they bend.
tml_status tml__touch_note_bends(const instant* i)
{
    tml_sim* sim = i->sim;
    const touch_set* t = sim->touch->rows;
    tml__maximal_place(sim->system, step_q(sim), NULL);
    for (int c = 0; c < t->contact_count; c++) {
        const contact* k = &sim->contacts->found[c];
        if (!counts(i, c)) continue;
        if (tml__touch_bend(sim->system, k, &i->work->touch->bends[c]) != TML_OK) {
            return unfit(i, k);
        }
    }
    return note_bends_end(i);
}

// ---- rows by where they start and where they end

// Gaps within the slop are none: bodies that touch keep what is left of them.
static bool keeps_gap(const tml_sim* sim, int row)
{
    return sim->touch->rows->stiffness == 0.0 && sim->touch->opening[row] <= sim->touch->rows->slop;
}

// What each row looks at where the step ends.
void tml__touch_note_ends(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    touch_linear* t = i->work->touch;
    const touch_set* set = w->rows;
    for (int k = 0; k < t->step.count; k++) {
        border_row* row = &t->step.rows[k];
        row->is_end = row->r == 0 && set->give[row->row] == 0.0 && w->is_followed[row->contact];
        row->end = row->is_end ? &t->bends_end[row->contact] : NULL;
        if (row->is_end) continue;
        // the way turns by log(q1 q0^-1)
        const touch_row* g = &set->rows[row->row];
        row->N = row->here.J;
        for (int side = 0; side < 2; side++) {
            if (g->node[side] < 0) continue;
            const vec3 turn = v3_load(&t->way[6 * g->node[side] + 3]);
            const vec3 about = v3_load(&g->g[side][3]);
            v3_store(&row->N.g[side][3], tml__q_log_rate(v3_neg(turn), about));
        }
    }
}

// A row at the end of the step by poses there.
double tml__touch_end_forward(const touch_border* b, int k, const double* pose1, const double* com)
{
    const border_row* row = &b->rows[k];
    double z[TWIST_COLUMNS];
    if (!row->is_end) return tml__border_along(b, k, &row->N, pose1);
    tml__touch_spread(row->end, pose1, com, z);
    return contact_bend_along(row->end->bend.gap, z);
}

void tml__touch_end_backward(const touch_border* b, int k, double g, double* pose1, double* com)
{
    const border_row* row = &b->rows[k];
    double z[TWIST_COLUMNS];
    if (!row->is_end) {
        tml__border_add(b, k, &row->N, g, pose1);
        return;
    }
    for (int n = 0; n < TWIST_COLUMNS; n++) z[n] = g * row->end->bend.gap[n];
    tml__touch_gather(row->end, z, pose1, com);
}

// The part of the way along a row that its start turns: -J dq_start in the frame of log(q1 q0^-1).
static row_pair start_gradient(const instant* i, const border_row* row)
{
    const touch_linear* t = i->work->touch;
    const touch_row* g = &i->sim->touch->rows->rows[row->row];
    row_pair out;
    for (int side = 0; side < 2; side++) {
        const vec3 turn = g->node[side] >= 0 ? v3_load(&t->way[6 * g->node[side] + 3]) : v3_zero();
        v3_store(out.g[side], v3_neg(v3_load(g->g[side])));
        v3_store(out.g[side] + 3, v3_neg(tml__q_log_rate(turn, v3_load(&g->g[side][3]))));
    }
    return out;
}

// Does the offset of a row follow its gap where the step starts, and with which sign?
static double gap_share(const tml_sim* sim, const border_row* row)
{
    if (row->r > 0) return 0.0;
    if (row->is_end) return keeps_gap(sim, row->row) ? -1.0 : 0.0;
    return keeps_gap(sim, row->row) ? 0.0 : 1.0;
}

// A row of the step by poses where it starts.
double tml__touch_start_forward(const instant* i, int k)
{
    const touch_linear* t = i->work->touch;
    const border_row* row = &t->step.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const double share = gap_share(i->sim, row);
    double z[TWIST_COLUMNS];
    double sum = 0.0;
    tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
    if (share != 0.0) {
        // the gap after the shift
        sum = contact_bend_along(bend->bend.gap, z) +
              tml__border_along(&t->step, k, &row->here.J, t->move);
        if (i->sim->touch->is_moved) {
            sum += tml__touch_bent_rate(bend, 0, i->sim->touch->shift, t->pose0, z);
        }
        sum *= share;
    }
    if (row->is_end) return sum;
    const row_pair by_start = start_gradient(i, row);
    sum += tml__touch_bent_rate(bend, row->r, t->way, t->pose0, z);
    return sum + tml__border_along(&t->step, k, &by_start, t->pose_start);
}

// Gradients by pose0, pose_start and move grow.
void tml__touch_start_backward(const instant* i, int k, double g)
{
    touch_linear* t = i->work->touch;
    const border_row* row = &t->step.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const double share = g * gap_share(i->sim, row);
    double z[TWIST_COLUMNS];
    for (int n = 0; n < TWIST_COLUMNS; n++) z[n] = share * bend->bend.gap[n];
    if (share != 0.0) {
        tml__border_add(&t->step, k, &row->here.J, share, t->move);
    }
    if (share != 0.0 && i->sim->touch->is_moved) {
        tml__touch_bent_rate_transposed(bend, 0, i->sim->touch->shift, share, t->pose0, z);
    }
    if (!row->is_end) {
        const row_pair by_start = start_gradient(i, row);
        tml__border_add(&t->step, k, &by_start, g, t->pose_start);
        tml__touch_bent_rate_transposed(bend, row->r, t->way, g, t->pose0, z);
    }
    tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
}

// ---- pushes by where the step starts

// Friction and restitution of a pair are changed by either body.
double tml__touch_pair_forward(const tml_sim* sim, const contact* k, const double* in, int which)
{
    const int world = sim->model->all.body_count;
    double sum = 0.0;
    if (k->body_a < world) sum += in[2 * k->body_a + which];
    if (k->body_b < world) sum += in[2 * k->body_b + which];
    return sum;
}

void tml__touch_pair_backward(const tml_sim* sim, const contact* k, double g, int which, double* in)
{
    const int world = sim->model->all.body_count;
    if (k->body_a < world) in[2 * k->body_a + which] += g;
    if (k->body_b < world) in[2 * k->body_b + which] += g;
}

static double bound_sign(unsigned char label)
{
    return label == LCP_UPPER ? 1.0 : label == LCP_LOWER ? -1.0 : 0.0;
}

touch_view tml__touch_view(const instant* i, int which, touch_end end)
{
    touch_linear* t = i->work->touch;
    if (end == AT_END && i->sim->touch->is_turned[which]) {
        return (touch_view){&t->bends_end[which], t->pose1};
    }
    return (touch_view){&t->bends[which], t->pose0};
}

// What friction at its bound pushes as the coefficient changes, or the gradient by that.
static void friction_product(const instant* i, const contact* k, const touch_row* row, double own,
                             double* out)
{
    double slope = 0.0;
    if (own == 0.0) return;
    if (i->way == PARTIAL_FORWARD) {
        slope = own * tml__touch_pair_forward(i->sim, k, i->x->inputs.contact, 0);
    }
    for (int side = 0; side < 2; side++) {
        if (row->node[side] < 0) continue;
        double* to = &out[6 * row->node[side]];
        for (int n = 0; n < 6; n++) {
            if (i->way == PARTIAL_FORWARD) {
                to[n] += slope * row->g[side][n];
            } else {
                slope += own * row->g[side][n] * to[n];
            }
        }
    }
    if (i->way == PARTIAL_FORWARD) return;
    tml__touch_pair_backward(i->sim, k, slope, 0, i->x->inputs.contact);
}

// wrench += scale (dJ^T f + friction's own change), or gradients from those by the wrench.
void tml__touch_push_product(const instant* i, const touch_push* push, double scale, double* out)
{
    const touch_set* set = i->sim->touch->rows;
    const touch_row* rows = push->end == AT_END ? set->rows_ahead : set->rows;
    for (int c = 0; c < set->contact_count; c++) {
        const int at = set->contact_row[c];
        const touch_view view = tml__touch_view(i, c, push->end);
        const contact* k = &i->sim->contacts->found[c];
        double z[TWIST_COLUMNS] = {0};
        if (push->f[at] == 0.0) continue;
        if (i->way == PARTIAL_FORWARD) {
            tml__touch_spread(view.bend, view.pose, i->x->inputs.com, z);
        }
        for (int r = 0; r <= (push->labels != NULL ? set->friction_rows[c] : 0); r++) {
            const double f = scale * push->f[at + r];
            const double bound = bound_sign(r > 0 ? push->labels[at + r] : LCP_HELD);
            if (i->way == PARTIAL_FORWARD) {
                tml__touch_bent_push(view.bend, r, f, view.pose, z, out);
            } else {
                tml__touch_bent_rate_transposed(view.bend, r, out, f, view.pose, z);
            }
            friction_product(i, k, &rows[at + r], scale * bound * push->f[at], out);
        }
        if (i->way == PARTIAL_BACKWARD) {
            tml__touch_gather(view.bend, z, view.pose, i->x->inputs.com);
        }
    }
}
