// contact/problem.c - rows of contacts in maximal coordinates, and the problems they pose.
#include "contact/problem.h"

#include "base/request.h"
#include "base/sets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_PER_CONTACT = 3,
    MOST_TOUCHED = 600,  // nodes of one mechanism: what they answer is a full matrix
    MOST_WIDTH = 1200,   // entries of a row, on average
    LEMKE_ROWS = 60      // the last resort is for small islands
};

// ---- memory

enum {
    REQUESTS = 49
};

// clang-format off
static int list_requests(touch_set* t, request list[REQUESTS])
{
    const size_t rows = (size_t)t->capacity;
    const size_t contacts = (size_t)t->max_contacts;
    const size_t nodes = (size_t)t->s->node_count;
    const size_t held = (size_t)t->s->row_count;
    const request all[] = {
        {&t->contact_row,   contacts, sizeof *t->contact_row},
        {&t->friction_rows, contacts, sizeof *t->friction_rows},
        {&t->rows,          rows, sizeof *t->rows},
        {&t->rows_ahead,    rows, sizeof *t->rows_ahead},
        {&t->kinds,         rows, sizeof *t->kinds},
        {&t->gap,           rows, sizeof *t->gap},
        {&t->give,          rows, sizeof *t->give},
        {&t->creep,         rows, sizeof *t->creep},
        {&t->f,             rows, sizeof *t->f},
        {&t->w,             rows, sizeof *t->w},
        {&t->b,             rows, sizeof *t->b},
        {&t->guess,         rows, sizeof *t->guess},
        {&t->labels,        rows, sizeof *t->labels},
        {&t->labels_before, rows, sizeof *t->labels_before},
        {&t->kinds_other,   rows, sizeof *t->kinds_other},
        {&t->labels_other,  rows, sizeof *t->labels_other},
        {&t->f_other,       rows, sizeof *t->f_other},
        {&t->w_other,       rows, sizeof *t->w_other},
        {&t->f_start,       rows, sizeof *t->f_start},
        {&t->node_slot,     nodes, sizeof *t->node_slot},
        {&t->touched,       nodes, sizeof *t->touched},
        {&t->part_first,    nodes + 1, sizeof *t->part_first},
        {&t->part_order,    nodes, sizeof *t->part_order},
        {&t->start,         rows + 1, sizeof *t->start},
        {&t->column,        t->entry_limit, sizeof *t->column},
        {&t->y,             t->entry_limit, sizeof *t->y},
        {&t->answer,        t->answer_limit, sizeof *t->answer},
        {&t->answer_first,  nodes, sizeof *t->answer_first},
        {&t->part_rank,     nodes, sizeof *t->part_rank},
        {&t->part_column,   nodes, sizeof *t->part_column},
        {&t->local,         nodes, sizeof *t->local},
        {&t->pivot_place,   6 * nodes, sizeof *t->pivot_place},
        {&t->coordinate,    6 * nodes, sizeof *t->coordinate},
        {&t->pivot_order,   6 * (size_t)t->most_touched, sizeof *t->pivot_order},
        {&t->wide,          6 * nodes, sizeof *t->wide},
        {&t->response,      rows, sizeof *t->response},
        {&t->rhs,           6 * nodes, sizeof *t->rhs},
        {&t->none,          held, sizeof *t->none},
        {&t->dx,            6 * nodes, sizeof *t->dx},
        {&t->dl,            held, sizeof *t->dl},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

void tml__touch_destroy(touch_set* t)
{
    if (t == NULL) return;
    const tml_allocator allocator = t->allocator;
    request list[REQUESTS];
    const int count = list_requests(t, list);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, t->part);
    tml__lcp_destroy(t->solver);
    tml__release(&allocator, t);
}

// ---- parts: nodes that joints, springs and couplings tie together

int tml__touch_list_parts(const maximal_system* s, int* part)
{
    const kkt_pattern p = tml__kkt_pattern(s->matrix);
    sets_clear(part, p.node_count);
    for (int row = 0; row < p.row_count; row++) {
        for (int e = p.row_start[row] + 1; e < p.row_start[row + 1]; e++) {
            sets_join(part, p.row_node[e - 1], p.row_node[e]);
        }
    }
    for (int i = 0; i < p.pair_count; i++) {
        sets_join(part, p.pair_node[2 * i], p.pair_node[2 * i + 1]);
    }
    return sets_number(part, p.node_count);
}

// t->part: the part of every node; in sizes (one a part): its nodes.
static void find_parts(touch_set* t, int* sizes)
{
    t->part_count = tml__touch_list_parts(t->s, t->part);
    for (int n = 0; n < t->s->node_count; n++) sizes[n] = 0;
    for (int n = 0; n < t->s->node_count; n++) sizes[t->part[n]]++;
}

// Room for what parts answer, and for rows over their columns.
static void find_room(touch_set* t, const int* sizes)
{
    const size_t touched = 2 * (size_t)t->max_contacts;
    const size_t nodes = (size_t)t->s->node_count;
    size_t all = 0;
    t->most_touched = 0;
    for (int p = 0; p < t->part_count; p++) {
        size_t most = (size_t)sizes[p] < touched ? (size_t)sizes[p] : touched;
        if (most > MOST_TOUCHED) most = MOST_TOUCHED;
        if ((int)most > t->most_touched) t->most_touched = (int)most;
        all += 36 * most * most;
    }
    const size_t largest = (size_t)t->most_touched;
    const size_t spread = 36 * largest * (nodes < touched ? nodes : touched);
    t->answer_limit = all < spread ? all : spread;
    const size_t width = 12 * largest < MOST_WIDTH ? 12 * largest : MOST_WIDTH;
    t->entry_limit = (size_t)t->capacity * width;
}

static tml_status measure(touch_set* t)
{
    const size_t nodes = (size_t)t->s->node_count;
    int* sizes = tml__allocate(&t->allocator, nodes, sizeof *sizes);
    t->part = tml__allocate(&t->allocator, nodes, sizeof *t->part);
    const bool has_room = sizes != NULL && t->part != NULL;
    if (has_room) {
        find_parts(t, sizes);
        find_room(t, sizes);
    }
    tml__release(&t->allocator, sizes);
    return has_room ? TML_OK : TML_NO_MEMORY;
}

tml_status tml__touch_create(maximal_system* s, const touch_settings* settings,
                             const tml_allocator* allocator, message* why, touch_set** out)
{
    *out = NULL;
    touch_set* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    t->s = s;
    t->allocator = *allocator;
    t->max_contacts = settings->max_contacts;
    t->capacity = ROWS_PER_CONTACT * settings->max_contacts;
    t->stiffness = settings->stiffness;
    t->slop = 1e-4 * settings->margin;
    t->sweeps = settings->sweeps;

    tml_status status = measure(t);
    request list[REQUESTS];
    const int count = list_requests(t, list);
    if (status == TML_OK) status = tml__take_all(allocator, list, count);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    if (status == TML_OK) {
        const int touched = 2 * t->max_contacts;
        const lcp_room room = {.rows = t->capacity,
                               .columns = 6 * (s->node_count < touched ? s->node_count : touched),
                               .lemke_rows = LEMKE_ROWS,
                               .entries = t->entry_limit,
                               .is_swept = t->sweeps > 0};
        status = tml__lcp_create_lifted(&room, allocator, why, &t->solver);
    }
    if (status != TML_OK) {
        tml__touch_destroy(t);
        return status;
    }
    *out = t;
    return TML_OK;
}

// ---- rows

// A row along d at the contact's point, of bodies as placed.
static touch_row row_along(const touch_set* t, const contact* k, vec3 d)
{
    const maximal_system* s = t->s;
    const vec3 arm_a = v3_sub(k->point, s->bodies[k->body_a].c);
    const vec3 arm_b = v3_sub(k->point, s->bodies[k->body_b].c);
    touch_row row;
    row.node[0] = s->model->bodies[k->body_a].node;
    row.node[1] = s->model->bodies[k->body_b].node;
    v3_store(row.g[0], d);
    v3_store(row.g[0] + 3, v3_cross(arm_a, d));
    v3_store(row.g[1], v3_neg(d));
    v3_store(row.g[1] + 3, v3_neg(v3_cross(arm_b, d)));
    return row;
}

static void append(touch_set* t, const contact* k, vec3 d)
{
    t->rows[t->row_count] = row_along(t, k, d);
    t->gap[t->row_count] = 0.0;
    t->give[t->row_count] = 0.0;
    t->creep[t->row_count] = 0.0;
    t->f[t->row_count] = 0.0;
    t->row_count++;
}

void tml__touch_pose(touch_set* t, const contact* contacts, int count, double h,
                     const unsigned char* labels)
{
    t->h = h;
    t->row_count = 0;
    t->contact_count = count;
    for (int i = 0; i < count; i++) {
        const contact* k = &contacts[i];
        const int at = t->row_count;
        t->contact_row[i] = at;
        t->friction_rows[i] = k->friction > 0.0 ? 2 : 0;
        append(t, k, k->normal);
        t->gap[at] = k->gap;
        if (t->stiffness > 0.0) t->give[at] = 1.0 / (t->stiffness * h * h);
        t->kinds[at] = (lcp_row){.kind = LCP_UNILATERAL};
        for (int n = 0; n < t->friction_rows[i]; n++) {
            append(t, k, k->tangent[n]);
            t->kinds[at + 1 + n] = (lcp_row){.kind = LCP_FRICTION, .normal = at, .mu = k->friction};
        }
        for (int n = 0; n <= t->friction_rows[i]; n++) {
            t->labels_before[at + n] = labels[3 * i + n];
            t->labels[at + n] = labels[3 * i + n];
        }
    }
}

void tml__touch_pose_ahead(touch_set* t, int i, const contact* there)
{
    const int at = t->contact_row[i];
    t->rows_ahead[at] = row_along(t, there, there->normal);
    for (int n = 0; n < t->friction_rows[i]; n++) {
        t->rows_ahead[at + 1 + n] = row_along(t, there, there->tangent[n]);
    }
}

void tml__touch_swap_ends(touch_set* t)
{
    touch_row* other = t->rows;
    t->rows = t->rows_ahead;
    t->rows_ahead = other;
}

static void rates(const touch_set* t, const touch_row* rows, const double* motion, double* out)
{
    for (int i = 0; i < t->row_count; i++) {
        const touch_row* row = &rows[i];
        double sum = 0.0;
        for (int side = 0; side < 2; side++) {
            if (row->node[side] < 0) continue;
            const double* u = &motion[6 * row->node[side]];
            for (int k = 0; k < 6; k++) sum += row->g[side][k] * u[k];
        }
        out[i] = sum;
    }
}

void tml__touch_rates(const touch_set* t, const double* motion, double* out)
{
    rates(t, t->rows, motion, out);
}

void tml__touch_rates_ahead(const touch_set* t, const double* motion, double* out)
{
    rates(t, t->rows_ahead, motion, out);
}

void tml__touch_push(const touch_set* t, const double* f, double* wrench)
{
    memset(wrench, 0, 6 * (size_t)t->s->node_count * sizeof *wrench);
    for (int i = 0; i < t->row_count; i++) {
        const touch_row* row = &t->rows[i];
        for (int side = 0; side < 2; side++) {
            if (row->node[side] < 0 || f[i] == 0.0) continue;
            double* to = &wrench[6 * row->node[side]];
            for (int k = 0; k < 6; k++) to[k] += f[i] * row->g[side][k];
        }
    }
}

// ---- problems

static lcp_lifted lifted_of(const touch_set* t)
{
    return (lcp_lifted){.columns = t->column_count,
                        .start = t->start,
                        .column = t->column,
                        .y = t->y,
                        .give = t->give};
}

static lcp_problem problem_of(const touch_set* t, const lcp_lifted* lifted, const lcp_row* kinds,
                              const double* guess)
{
    return (lcp_problem){.count = t->row_count,
                         .lifted = lifted,
                         .b = t->b,
                         .rows = kinds,
                         .guess = guess,
                         .sweeps = t->sweeps,
                         .creep = t->creep};
}

// Rows at the ends of a chord contradict each other by what the motion turns in the step: a share of what moves, and
// what counts as none.
void tml__touch_let_creep(touch_set* t, const double* motion)
{
    static const double share = 0.01;
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        if (t->friction_rows[i] == 0) continue;
        double speed = 0.0;
        for (int side = 0; side < 2; side++) {
            if (t->rows[at].node[side] < 0) continue;
            const double* u = &motion[6 * t->rows[at].node[side]];
            double sum = 0.0;
            for (int n = 0; n < 3; n++) {
                double rate = 0.0;
                for (int k = 0; k < 6; k++) rate += t->rows[at + n].g[side][k] * u[k];
                sum += rate * rate;
            }
            speed = fmax(speed, sqrt(sum));
        }
        for (int n = 1; n <= t->friction_rows[i]; n++) {
            t->creep[at + n] = t->slop / t->h + share * speed;
        }
    }
}

// The problem is posed for what the impulses do to the step, `reach` times what they do to velocities.
tml_status tml__touch_solve(touch_set* t, const double* w_seen, double reach, const double* guess,
                            message* why)
{
    static const double parting = 1e-9;  // m/s
    tml__touch_respond(t, t->f, t->response);
    for (int i = 0; i < t->row_count; i++) {
        t->b[i] = w_seen[i] / reach - t->response[i];
        t->guess[i] = guess != NULL ? guess[i] : t->f[i];
    }
    for (int i = 0; i < t->row_count; i++) {
        if (t->labels[i] != LCP_UNKNOWN) continue;
        const int normal = t->kinds[i].kind == LCP_FRICTION ? t->kinds[i].normal : i;
        // what touches and does not part holds, whoever pushes it
        t->labels[i] = t->b[normal] < parting ? LCP_HELD : LCP_OFF;
    }
    const lcp_lifted lifted = lifted_of(t);
    const lcp_problem problem = problem_of(t, &lifted, t->kinds, t->guess);
    return tml__lcp_solve(t->solver, &problem, t->labels, t->f, t->w, NULL, &t->report, why);
}

double tml__touch_violation(const touch_set* t, const double* w, double reach, int* row)
{
    double worst = 0.0;
    *row = -1;
    for (int i = 0; i < t->row_count; i++) {
        double v = 0.0;
        if (t->kinds[i].kind == LCP_BOX) continue;
        switch ((lcp_label)t->labels[i]) {
        // friction may be left creeping
        case LCP_HELD: v = fabs(w[i] - (t->creep[i] > 0.0 ? reach * t->w[i] : 0.0)); break;
        case LCP_UNKNOWN:
        case LCP_OFF: v = t->kinds[i].kind == LCP_UNILATERAL ? -w[i] : 0.0; break;
        case LCP_LOWER: v = -w[i]; break;  // a push back, so the row must slide forwards
        case LCP_UPPER: v = w[i]; break;
        }
        if (!(v > worst)) continue;
        worst = v;
        *row = i;
    }
    return worst;
}

void tml__touch_sum_islands(touch_set* t, double* x)
{
    const lcp_lifted lifted = lifted_of(t);
    const lcp_problem problem = problem_of(t, &lifted, t->kinds, NULL);
    tml__lcp_sum_islands(t->solver, &problem, x);
}

void tml__touch_close(touch_set* t, const unsigned char* is_closed)
{
    for (int i = 0; i < t->row_count; i++) {
        const int normal = t->kinds[i].kind == LCP_FRICTION ? t->kinds[i].normal : i;
        // nothing can move a row without columns
        const bool is_loose = t->start[normal] < t->start[normal + 1] || t->give[normal] > 0.0;
        const bool is_on = t->kinds[i].kind != LCP_BOX && is_closed[normal] && is_loose;
        t->kinds_other[i] = is_on ? t->kinds[i] : (lcp_row){.kind = LCP_BOX};
        t->labels_other[i] = is_on ? t->labels[i] : LCP_LOWER;
    }
}

tml_status tml__touch_bounce(touch_set* t, const double* rate, const double* after, message* why)
{
    tml__touch_respond(t, t->f_other, t->response);
    for (int i = 0; i < t->row_count; i++) {
        t->b[i] = rate[i] - after[i] - t->response[i];
        t->guess[i] = t->f_other[i];
    }
    const lcp_lifted lifted = lifted_of(t);
    const lcp_problem problem = problem_of(t, &lifted, t->kinds_other, t->guess);
    lcp_report report;
    return tml__lcp_solve(t->solver, &problem, t->labels_other, t->f_other, t->w_other, NULL,
                          &report, why);
}

// Friction and whatever carries nothing stay out of the problem that parts overlaps.
tml_status tml__touch_part(touch_set* t, bool* is_needed, message* why)
{
    *is_needed = false;
    for (int i = 0; i < t->row_count; i++) {
        const bool is_normal = t->kinds[i].kind == LCP_UNILATERAL && t->give[i] == 0.0;
        t->kinds_other[i] = (lcp_row){.kind = is_normal ? LCP_UNILATERAL : LCP_BOX};
        t->b[i] = is_normal ? t->gap[i] : 0.0;
        t->labels_other[i] = LCP_LOWER;
        t->f_other[i] = 0.0;
        if (is_normal) t->labels_other[i] = t->gap[i] < 0.0 ? LCP_HELD : LCP_OFF;
        *is_needed |= is_normal && t->gap[i] < -t->slop;
    }
    if (!*is_needed) return TML_OK;
    const lcp_lifted lifted = lifted_of(t);
    const lcp_problem problem = problem_of(t, &lifted, t->kinds_other, NULL);
    lcp_report report;
    return tml__lcp_solve(t->solver, &problem, t->labels_other, t->f_other, t->w_other, NULL,
                          &report, why);
}

// ---- answers

vec3 tml__touch_force(const touch_set* t, const contact* contacts, int i, const double* f)
{
    const int at = t->contact_row[i];
    vec3 force = v3_scale(f[at], contacts[i].normal);
    for (int k = 0; k < t->friction_rows[i]; k++) {
        force = v3_axpy(force, f[at + 1 + k], contacts[i].tangent[k]);
    }
    return force;
}

void tml__touch_name(const touch_set* t, const contact* contacts, int row, char* text,
                     size_t capacity)
{
    const definitions* all = &t->s->model->all;
    for (int i = 0; i < t->contact_count; i++) {
        if (row < t->contact_row[i] || row > t->contact_row[i] + t->friction_rows[i]) continue;
        const int a = contacts[i].body_a;
        const int b = contacts[i].body_b;
        snprintf(text, capacity, "'%s' and '%s' (%s)",
                 a < all->body_count ? all->bodies[a].name : "world",
                 b < all->body_count ? all->bodies[b].name : "world",
                 row == t->contact_row[i] ? "normal" : "friction");
        return;
    }
    snprintf(text, capacity, "no bodies");
}
