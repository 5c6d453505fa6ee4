// form/touch.c - rows of contacts in maximal coordinates, their matrix, and the problems they pose.
#include "form/touch.h"

#include "base/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS_PER_CONTACT = 3,
    LEMKE_ROWS = 60  // the last resort is for small islands
};

// ---- memory

enum {
    REQUESTS = 40
};

// clang-format off
static int list_requests(touch_set* t, request list[REQUESTS])
{
    const size_t rows = (size_t)t->capacity;
    const size_t contacts = (size_t)t->max_contacts;
    const size_t nodes = (size_t)t->s->node_count;
    const size_t held = (size_t)t->s->row_count;
    const request all[] = {
        {&t->part,          nodes, sizeof *t->part},
        {&t->contact_row,   contacts, sizeof *t->contact_row},
        {&t->friction_rows, contacts, sizeof *t->friction_rows},
        {&t->rows,          rows, sizeof *t->rows},
        {&t->kinds,         rows, sizeof *t->kinds},
        {&t->gap,           rows, sizeof *t->gap},
        {&t->give,          rows, sizeof *t->give},
        {&t->A,             rows * rows, sizeof *t->A},
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
        {&t->node_first,    nodes + 1, sizeof *t->node_first},
        {&t->node_slot,     nodes, sizeof *t->node_slot},
        {&t->touched,       nodes, sizeof *t->touched},
        {&t->entry_row,     2 * rows, sizeof *t->entry_row},
        {&t->entry_side,    2 * rows, sizeof *t->entry_side},
        {&t->part_first,    nodes + 1, sizeof *t->part_first},
        {&t->part_order,    nodes, sizeof *t->part_order},
        {&t->stamp,         rows, sizeof *t->stamp},
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
    tml__lcp_destroy(t->solver);
    tml__release(&allocator, t);
}

// ---- parts: nodes that joints, springs and couplings tie together

static int root_of(const int* part, int node)
{
    while (part[node] != node) node = part[node];
    return node;
}

static void join(int* part, int a, int b)
{
    a = root_of(part, a);
    b = root_of(part, b);
    // the smaller index is the root, so that trees stay as shallow as their order allows
    if (a < b)
        part[b] = a;
    else
        part[a] = b;
}

static void find_parts(touch_set* t)
{
    const kkt_pattern p = tml__kkt_pattern(t->s->matrix);
    for (int n = 0; n < p.node_count; n++) t->part[n] = n;
    for (int row = 0; row < p.row_count; row++) {
        for (int e = p.row_start[row] + 1; e < p.row_start[row + 1]; e++) {
            join(t->part, p.row_node[e - 1], p.row_node[e]);
        }
    }
    for (int i = 0; i < p.pair_count; i++) {
        join(t->part, p.pair_node[2 * i], p.pair_node[2 * i + 1]);
    }
    // roots come before what hangs on them, so that one pass finds them and one numbers them
    for (int n = 0; n < p.node_count; n++) t->part[n] = t->part[t->part[n]];
    t->part_count = 0;
    for (int n = 0; n < p.node_count; n++) {
        if (t->part[n] == n) t->node_slot[n] = t->part_count++;
        t->part[n] = t->node_slot[t->part[n]];
    }
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

    request list[REQUESTS];
    const int count = list_requests(t, list);
    tml_status status = TML_OK;
    if (status == TML_OK && tml__take_all(allocator, list, count) != TML_OK) {
        status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (status == TML_OK) {
        const int lemke = t->capacity < LEMKE_ROWS ? t->capacity : LEMKE_ROWS;
        status = tml__lcp_create(t->capacity, lemke, allocator, why, &t->solver);
    }
    if (status != TML_OK) {
        tml__touch_destroy(t);
        return status;
    }
    find_parts(t);
    *out = t;
    return TML_OK;
}

// ---- rows

static void append(touch_set* t, const contact* k, vec3 d)
{
    const maximal_system* s = t->s;
    const vec3 arm_a = v3_sub(k->point, s->bodies[k->body_a].c);
    const vec3 arm_b = v3_sub(k->point, s->bodies[k->body_b].c);
    touch_row* row = &t->rows[t->row_count];
    row->node[0] = s->model->bodies[k->body_a].node;
    row->node[1] = s->model->bodies[k->body_b].node;
    v3_store(row->g[0], d);
    v3_store(row->g[0] + 3, v3_cross(arm_a, d));
    v3_store(row->g[1], v3_neg(d));
    v3_store(row->g[1] + 3, v3_neg(v3_cross(arm_b, d)));
    t->gap[t->row_count] = 0.0;
    t->give[t->row_count] = 0.0;
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

void tml__touch_rates(const touch_set* t, const double* motion, double* out)
{
    for (int i = 0; i < t->row_count; i++) {
        const touch_row* row = &t->rows[i];
        double sum = 0.0;
        for (int side = 0; side < 2; side++) {
            if (row->node[side] < 0) continue;
            const double* u = &motion[6 * row->node[side]];
            for (int k = 0; k < 6; k++) sum += row->g[side][k] * u[k];
        }
        out[i] = sum;
    }
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

// ---- the matrix

// Touched nodes in rising order, the rows on each, and the nodes of each part.
static void list_nodes(touch_set* t)
{
    const int nodes = t->s->node_count;
    for (int n = 0; n < nodes; n++) t->node_slot[n] = 0;
    for (int i = 0; i < t->row_count; i++) {
        for (int side = 0; side < 2; side++) {
            if (t->rows[i].node[side] >= 0) t->node_slot[t->rows[i].node[side]]++;
        }
    }
    t->touched_count = 0;
    t->node_first[0] = 0;
    for (int n = 0; n < nodes; n++) {
        const int count = t->node_slot[n];
        t->node_slot[n] = count > 0 ? t->touched_count : -1;
        if (count == 0) continue;
        t->touched[t->touched_count] = n;
        t->node_first[t->touched_count + 1] = t->node_first[t->touched_count] + count;
        t->touched_count++;
    }
    // fill from the back, so that the first index of a node ends where it began
    for (int i = t->touched_count; i > 0; i--) t->node_first[i] = t->node_first[i - 1];
    for (int i = 0; i < t->row_count; i++) {
        for (int side = 0; side < 2; side++) {
            if (t->rows[i].node[side] < 0) continue;
            const int at = t->node_first[t->node_slot[t->rows[i].node[side]] + 1]++;
            t->entry_row[at] = i;
            t->entry_side[at] = side;
        }
    }
}

static int list_parts(touch_set* t)
{
    int most = 0;
    memset(t->part_first, 0, ((size_t)t->part_count + 1) * sizeof *t->part_first);
    for (int i = 0; i < t->touched_count; i++) t->part_first[t->part[t->touched[i]] + 1]++;
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p + 1] > most) most = t->part_first[p + 1];
        t->part_first[p + 1] += t->part_first[p];
    }
    for (int i = t->touched_count - 1; i >= 0; i--) {
        t->part_order[--t->part_first[t->part[t->touched[i]] + 1]] = i;
    }
    // the loop above moved every end to its start: put the ends back
    for (int p = 0; p < t->part_count; p++) t->part_first[p] = t->part_first[p + 1];
    t->part_first[t->part_count] = t->touched_count;
    return most;
}

// The rows of part p answer a unit push along `axis` on touched node `slot`.
static void gather(touch_set* t, int p, int slot, int axis, int stamp)
{
    for (int k = t->part_first[p]; k < t->part_first[p + 1]; k++) {
        const int i = t->part_order[k];
        const double* u = &t->dx[6 * t->touched[i]];
        for (int e = t->node_first[i]; e < t->node_first[i + 1]; e++) {
            const int row = t->entry_row[e];
            const double* g = t->rows[row].g[t->entry_side[e]];
            double sum = 0.0;
            for (int c = 0; c < 6; c++) sum += g[c] * u[c];
            if (t->stamp[row] != stamp) t->response[row] = 0.0;
            t->stamp[row] = stamp;
            t->response[row] += sum;
        }
    }
    for (int k = t->part_first[p]; k < t->part_first[p + 1]; k++) {
        const int i = t->part_order[k];
        for (int e = t->node_first[i]; e < t->node_first[i + 1]; e++) {
            const int row = t->entry_row[e];
            if (t->stamp[row] != stamp) continue;  // a row with both nodes in this part comes twice
            t->stamp[row] = stamp - 1;
            double* line = &t->A[(size_t)row * (size_t)t->capacity];
            for (int j = t->node_first[slot]; j < t->node_first[slot + 1]; j++) {
                const int column = t->entry_row[j];
                line[column] += t->response[row] * t->rows[column].g[t->entry_side[j]][axis];
            }
        }
    }
}

// Push the node number `round` of every part along one axis, all at once.
static tml_status push_round(touch_set* t, int round, int axis, int* stamp)
{
    memset(t->rhs, 0, 6 * (size_t)t->s->node_count * sizeof *t->rhs);
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p] + round >= t->part_first[p + 1]) continue;
        t->rhs[6 * t->touched[t->part_order[t->part_first[p] + round]] + axis] = 1.0;
    }
    const tml_status status = tml__kkt_solve(t->s->matrix, t->rhs, t->none, t->dx, t->dl);
    if (status != TML_OK) return status;
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p] + round >= t->part_first[p + 1]) continue;
        gather(t, p, t->part_order[t->part_first[p] + round], axis, *stamp);
        *stamp += 2;
    }
    return TML_OK;
}

// What a row would answer if its bodies were free: what is far below it is rounding.
static double free_response(const touch_set* t, int i)
{
    const tml_model* m = t->s->model;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const int node = t->rows[i].node[side];
        if (node < 0) continue;
        const body_data* body = &m->bodies[m->node_body[node]];
        const mat3 R = t->s->bodies[m->node_body[node]].R;
        const vec3 force = v3_load(t->rows[i].g[side]);
        const vec3 torque = m3_apply_t(R, v3_load(t->rows[i].g[side] + 3));
        sum += v3_dot(force, force) / body->mass +
               v3_dot(torque, m3_apply(m3_inverse(body->inertia), torque));
    }
    return sum;
}

// Rows that nothing can move (both bodies are held or driven) carry nothing.
static void switch_off_fixed(touch_set* t)
{
    static const double rounding = 1e-10;
    for (int i = 0; i < t->row_count; i++) {
        double* own = &t->A[(size_t)i * (size_t)t->capacity + (size_t)i];
        if (*own > rounding * free_response(t, i)) continue;
        for (int j = 0; j < t->row_count; j++) {
            t->A[(size_t)i * (size_t)t->capacity + (size_t)j] = 0.0;
            t->A[(size_t)j * (size_t)t->capacity + (size_t)i] = 0.0;
        }
        if (t->kinds[i].kind == LCP_FRICTION) continue;  // off with its normal row, or held at once
        t->kinds[i] = (lcp_row){.kind = LCP_BOX};
        t->labels[i] = LCP_LOWER;
    }
    for (int i = 0; i < t->row_count; i++) {
        const bool is_loose =
            t->kinds[i].kind == LCP_FRICTION && t->kinds[t->kinds[i].normal].kind == LCP_BOX;
        if (!is_loose) continue;
        t->kinds[i] = (lcp_row){.kind = LCP_BOX};
        t->labels[i] = LCP_LOWER;
    }
}

tml_status tml__touch_matrix(touch_set* t)
{
    const size_t ld = (size_t)t->capacity;
    int stamp = 1;

    list_nodes(t);
    const int rounds = list_parts(t);
    for (int i = 0; i < t->row_count; i++) {
        memset(&t->A[(size_t)i * ld], 0, (size_t)t->row_count * sizeof *t->A);
        t->stamp[i] = -1;
    }
    for (int round = 0; round < rounds; round++) {
        for (int axis = 0; axis < 6; axis++) {
            const tml_status status = push_round(t, round, axis, &stamp);
            if (status != TML_OK) return status;
        }
    }
    for (int i = 0; i < t->row_count; i++) {
        for (int j = 0; j < i; j++) {
            double* low = &t->A[(size_t)i * ld + (size_t)j];
            double* high = &t->A[(size_t)j * ld + (size_t)i];
            *low = *high = 0.5 * (*low + *high);
        }
    }
    switch_off_fixed(t);
    for (int i = 0; i < t->row_count; i++) t->A[(size_t)i * ld + (size_t)i] += t->give[i];
    return TML_OK;
}

// ---- problems

static lcp_problem problem_of(const touch_set* t, const lcp_row* kinds, const double* guess)
{
    return (lcp_problem){.count = t->row_count,
                         .A = t->A,
                         .ld = t->capacity,
                         .b = t->b,
                         .rows = kinds,
                         .guess = guess};
}

// A f by rows, in the fixed order of the columns.
static double product(const touch_set* t, int row, const double* f)
{
    const double* line = &t->A[(size_t)row * (size_t)t->capacity];
    double sum = 0.0;
    for (int j = 0; j < t->row_count; j++) sum += line[j] * f[j];
    return sum;
}

// The problem is posed for what the impulses do to the step, `reach` times what they do to velocities.
tml_status tml__touch_solve(touch_set* t, const double* w_seen, double reach, message* why)
{
    static const double parting = 1e-9;  // m/s
    for (int i = 0; i < t->row_count; i++) {
        t->b[i] = w_seen[i] / reach - product(t, i, t->f);
        t->guess[i] = t->f[i];
    }
    for (int i = 0; i < t->row_count; i++) {
        if (t->labels[i] != LCP_UNKNOWN) continue;
        const int normal = t->kinds[i].kind == LCP_FRICTION ? t->kinds[i].normal : i;
        // what touches and does not part holds, whoever pushes it
        t->labels[i] = t->b[normal] < parting ? LCP_HELD : LCP_OFF;
    }
    const lcp_problem problem = problem_of(t, t->kinds, t->guess);
    return tml__lcp_solve(t->solver, &problem, t->labels, t->f, t->w, NULL, &t->report, why);
}

double tml__touch_violation(const touch_set* t, const double* w, int* row)
{
    double worst = 0.0;
    *row = -1;
    for (int i = 0; i < t->row_count; i++) {
        double v = 0.0;
        if (t->kinds[i].kind == LCP_BOX) continue;
        switch ((lcp_label)t->labels[i]) {
        case LCP_HELD: v = fabs(w[i]); break;
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

tml_status tml__touch_bounce(touch_set* t, const double* rate, const double* after,
                             const unsigned char* is_closed, message* why)
{
    for (int i = 0; i < t->row_count; i++) {
        const int normal = t->kinds[i].kind == LCP_FRICTION ? t->kinds[i].normal : i;
        const bool is_on = t->kinds[i].kind != LCP_BOX && is_closed[normal];
        t->kinds_other[i] = is_on ? t->kinds[i] : (lcp_row){.kind = LCP_BOX};
        t->b[i] = rate[i] - after[i] - product(t, i, t->f_other);
        t->guess[i] = t->f_other[i];
        if (!is_on) t->labels_other[i] = LCP_LOWER;
    }
    const lcp_problem problem = problem_of(t, t->kinds_other, t->guess);
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
    const lcp_problem problem = problem_of(t, t->kinds_other, NULL);
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
