// method/generalized/step_slope.c - right-hand sides of the bordered derivative, and its solution.
//
//   in the notes   here          meaning
//   dID/dq         id_q          of inverse dynamics at (u+ - u)/h, contact impulses/h fixed in the world
//   dw             bent          how the wrench of a row changes with the poses of its two bodies
//   r_x, g_x       r_q, g        what is varied, in the equations of motion and in the rows that hold
#include "method/generalized/step_slope.h"

#include "base/request.h"
#include "math/small.h"
#include "method/generalized/stiff.h"
#include "method/generalized/tangent.h"

#include <math.h>
#include <string.h>

// ---- memory

enum {
    REQUESTS = 20
};

static int list_requests(gen_step_slope* s, request list[REQUESTS])
{
    const gen_tree* t = s->touch->motion->tree;
    const size_t n = (size_t)t->column_count;
    const size_t links = (size_t)t->link_count;
    const request all[] = {
        {&s->v_q, n * n, sizeof(double)},
        {&s->v_v, n * n, sizeof(double)},
        {&s->v_f, n * n, sizeof(double)},
        {&s->q_q, n * n, sizeof(double)},
        {&s->q_v, n * n, sizeof(double)},
        {&s->q_f, n * n, sizeof(double)},
        {&s->id_q, n * n, sizeof(double)},
        {&s->id_v, n * n, sizeof(double)},
        {&s->mass, n * n, sizeof(double)},
        {&s->r_q, n * n, sizeof(double)},
        {&s->before, links, sizeof(twist)},
        {&s->after, links, sizeof(twist)},
        {&s->fixed, (size_t)t->body_count, sizeof(wrench)},
        {&s->S, n, sizeof(twist)},
        {&s->column, n, sizeof(double)},
        {&s->path, n, sizeof(int)},
        {&s->moves_a, n, sizeof(bool)},
        {&s->moves_b, n, sizeof(bool)},
        {&s->wide, 3 * n * n, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}

tml_status tml__gen_step_slope_create(gen_touch* c, const tml_allocator* allocator, message* why,
                                      gen_step_slope** out)
{
    *out = NULL;
    gen_step_slope* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->touch = c;
    s->n = c->motion->tree->column_count;
    s->wants = SLOPE_BY_ALL;
    if (allocator != NULL) s->allocator = *allocator;
    tml_status status = tml__gen_slope_create(c->motion->tree, allocator, why, &s->inverse);
    request list[REQUESTS];
    const int count = list_requests(s, list);
    if (status == TML_OK && tml__take_all(allocator, list, count) != TML_OK) {
        status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (status != TML_OK) {
        tml__gen_step_slope_destroy(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

void tml__gen_step_slope_destroy(gen_step_slope* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    tml__release_all(&allocator, list, count);
    tml__gen_slope_destroy(s->inverse);
    tml__release(&allocator, s);
}

// ---- what is covered

static tml_status check(const gen_step_slope* s, message* why)
{
    const gen_touch* c = s->touch;
    const tml_model* model = c->motion->s->model;
    const gen_tree* t = c->motion->tree;
    const definitions* all = &model->all;
    if (c->left_out > 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%d contacts that the sweeps of a step left out: its forces are too rough "
                         "for derivatives",
                         c->left_out);
    }
    if (c->equal_count > 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%d rows of loops, drives or couplings: their derivatives in generalized "
                         "coordinates are not written",
                         c->equal_count);
    }
    if (all->spring_count + all->wrench_count + all->drag_count > 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "springs between points, wrenches and drag have no derivatives in "
                         "generalized coordinates yet");
    }
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (link->kind != LINK_BALL || joint < 0) continue;
        for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
            const axis_data* a = &model->joints[joint].axis[k];
            const bool acts = a->stiffness > 0.0 || a->damping > 0.0 || a->spin_damping > 0.0 ||
                              a->has_servo || a->has_limits || a->actuation == TML_FORCE;
            if (!acts) continue;
            return tml__fail(why, TML_UNSUPPORTED,
                             "joint '%s': what acts along one of three turns has no derivatives in "
                             "generalized coordinates yet",
                             all->joints[joint].name);
        }
    }
    return TML_OK;
}

// ---- motions about the world's origin

static twist about_world(twist a, vec3 origin)
{
    return (twist){a.omega, v3_sub(a.v, v3_cross(a.omega, origin))};
}

static void list_motions(gen_step_slope* s, const double* rates, twist* in)
{
    const gen_tree* t = s->touch->motion->tree;
    tml__gen_link_motions(s->inverse, rates);
    for (int i = 0; i < t->link_count; i++) {
        const vec3 origin = t->origin[t->column_body[t->links[i].column]];
        in[i] = about_world(s->inverse->v_in[i], origin);
    }
}

// The motion of a body of the model at given rates.
static twist motion_of(const gen_step_slope* s, int body, const double* rates)
{
    const gen_tree* t = s->touch->motion->tree;
    twist sum = tw_zero();
    for (int k = gen_last_column(t, t->index[body]); k >= 0; k = t->column_parent[k]) {
        sum = tw_axpy(sum, rates[k], s->S[k]);
    }
    return sum;
}

// ---- one contact

typedef struct path_bend {
    contact_bend bend;
    int last_a, last_b;   // columns
    twist before, after;  // of a against b
    twist a_before, a_after, b_before, b_after;
} path_bend;

static tml_status bend_of(const gen_step_slope* s, const contact* k, const double* rates_after,
                          path_bend* out)
{
    const gen_tree* t = s->touch->motion->tree;
    *out = (path_bend){.last_a = gen_last_column(t, t->index[k->body_a]),
                       .last_b = gen_last_column(t, t->index[k->body_b])};
    const tml_status status = tml__contact_bend(k, &out->bend);
    if (status != TML_OK) return status;
    out->a_before = motion_of(s, k->body_a, s->touch->rates_start);
    out->b_before = motion_of(s, k->body_b, s->touch->rates_start);
    out->a_after = motion_of(s, k->body_a, rates_after);
    out->b_after = motion_of(s, k->body_b, rates_after);
    out->before = tw_axpy(out->a_before, -1.0, out->b_before);
    out->after = tw_axpy(out->a_after, -1.0, out->b_after);
    return TML_OK;
}

// The columns that move a contact's bodies, and which of the two each moves.
static int list_path(gen_step_slope* s, const path_bend* b)
{
    const gen_tree* t = s->touch->motion->tree;
    int count = 0;
    for (int j = b->last_a; j >= 0; j = t->column_parent[j]) {
        s->moves_a[j] = true;
        s->path[count++] = j;
    }
    for (int j = b->last_b; j >= 0; j = t->column_parent[j]) {
        s->moves_b[j] = true;
        if (!s->moves_a[j]) s->path[count++] = j;
    }
    return count;
}

static void forget_path(gen_step_slope* s, int count)
{
    for (int k = 0; k < count; k++) s->moves_a[s->path[k]] = s->moves_b[s->path[k]] = false;
}

// What twelve numbers of a gradient say about a motion along a column.
static double along_column(const gen_step_slope* s, const double g[TWIST_COLUMNS], int j)
{
    const twist S = s->S[j];
    double sum = 0.0;
    if (s->moves_a[j]) sum += v3_dot(S.omega, v3_load(g)) + v3_dot(S.v, v3_load(g + 3));
    if (s->moves_b[j]) sum += v3_dot(S.omega, v3_load(g + 6)) + v3_dot(S.v, v3_load(g + 9));
    return sum;
}

// w . d(v_a - v_b)/dq_j at fixed rates: d(motion of a body)/dq_j = S_j x (v - v_in(j)) inwards of it.
static double carried_rate(const gen_step_slope* s, const path_bend* b, wrench w, int j,
                           bool is_after)
{
    const twist in = (is_after ? s->after : s->before)[s->inverse->link_of[j]];
    // (S x m) . w = S . (m x* w)
    twist m = tw_zero();
    if (s->moves_a[j]) m = tw_axpy(is_after ? b->a_after : b->a_before, -1.0, in);
    if (s->moves_b[j]) {
        const twist other = tw_axpy(is_after ? b->b_after : b->b_before, -1.0, in);
        m = tw_axpy(m, -1.0, other);
    }
    return sv_dot(s->S[j], tw_cross_wrench(m, w));
}

// ---- right-hand sides

// The impulses of a contact bend with the poses: r_q += (J_a - J_b)^T sum_r f_r dw_r. The sum is one
// block of 6 x 12, whose rows are taken one by one.
static void add_bent_forces(gen_step_slope* s, const path_bend* b, const double* f, int rows,
                            int path)
{
    const size_t n = (size_t)s->n;
    double G[6][TWIST_COLUMNS] = {{0.0}};
    for (int k = 0; k < 6; k++) {
        const vec3 unit = v3_unit(k % 3);
        const twist row = k < 3 ? (twist){unit, v3_zero()} : (twist){v3_zero(), unit};
        for (int r = 0; r < rows; r++) {
            tml__contact_bent_transposed(&b->bend, r, tw_axpy(tw_zero(), f[r], row), G[k]);
        }
    }
    for (int c = 0; c < path; c++) {
        const int j = s->path[c];
        double sum[6];
        for (int k = 0; k < 6; k++) sum[k] = along_column(s, G[k], j);
        const wrench w = {v3_load(sum), v3_load(sum + 3)};
        for (int r = 0; r < path; r++) {
            const int i = s->path[r];
            // what moves both bodies alike feels nothing
            if (s->moves_a[i] && s->moves_b[i]) continue;
            const double sign = s->moves_a[i] ? 1.0 : -1.0;
            s->r_q[(size_t)i * n + (size_t)j] += sign * sv_dot(s->S[i], w);
        }
    }
}

static void add_fixed(gen_step_slope* s, int body, vec3 point, vec3 force)
{
    const gen_tree* t = s->touch->motion->tree;
    const int at = t->index[body];
    if (at < 0) return;
    const vec3 arm = v3_sub(point, t->origin[at]);
    s->fixed[at] = wr_add(s->fixed[at], (wrench){v3_cross(arm, force), force});
}

static void copy_mass(gen_step_slope* s)
{
    const gen_tree* t = s->touch->motion->tree;
    const size_t n = (size_t)s->n;
    memset(s->mass, 0, n * n * sizeof *s->mass);
    for (int i = 0; i < s->n; i++) {
        const double* row = gen_mass_row(t, i);
        for (int j = i; j >= 0; j = t->column_parent[j]) {
            s->mass[(size_t)i * n + (size_t)j] = row[t->depth[j]];
            s->mass[(size_t)j * n + (size_t)i] = row[t->depth[j]];
        }
    }
}

static void add_springs(gen_step_slope* s, double h)
{
    const gen_tree* t = s->touch->motion->tree;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (link->kind == LINK_BALL || joint < 0) continue;
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
            const axis_data* a = &t->model->joints[joint].axis[axis];
            const double whole = a->stiffness + (a->has_servo ? a->servo_stiffness : 0.0);
            const double stiffness =
                a->has_force_limits
                    ? tml__gen_axis_stiffness(s->touch->motion, joint, (tml_axis)axis)
                    : whole;
            const size_t at = (size_t)(link->column + k);
            s->r_q[at * (size_t)s->n + at] -= h * stiffness;
        }
    }
}

// Everything at the start of the step, with H + h D factored; r_q without contacts, and H.
static tml_status look(gen_step_slope* s, const contact* contacts, double h, const double* numbers,
                       const double* rates_after, message* why)
{
    const gen_touch* c = s->touch;
    gen_motion* m = c->motion;
    gen_tree* t = m->tree;
    const size_t n = (size_t)s->n;
    tml__gen_look(m, numbers, c->rates_start);
    tml__gen_list_saturated(m);
    for (int k = 0; k < s->n; k++) {
        s->S[k] = about_world(t->S[k], t->origin[t->column_body[k]]);
        s->column[k] = (rates_after[k] - c->rates_start[k]) / h;
        m->added[k] = h * m->damping[k];
    }
    memset(s->fixed, 0, (size_t)t->body_count * sizeof *s->fixed);
    for (int i = 0; i < c->contact_count; i++) {
        const vec3 force = v3_scale(1.0 / h, tml__gen_touch_force(c, contacts, i));
        add_fixed(s, contacts[i].body_a, contacts[i].point, force);
        add_fixed(s, contacts[i].body_b, contacts[i].point, v3_neg(force));
    }
    tml__gen_inverse_slope(s->inverse, c->rates_start, s->column, t->model->all.gravity, s->fixed,
                           s->id_q, s->id_v);
    for (size_t e = 0; e < n * n; e++) s->r_q[e] = -h * s->id_q[e];
    add_springs(s, h);
    list_motions(s, c->rates_start, s->before);
    list_motions(s, rates_after, s->after);
    tml__gen_mass(t, NULL);
    copy_mass(s);
    tml__gen_mass(t, m->added);
    const tml_status status = tml__gen_factor(t, &m->bad_column);
    return tml__gen_describe_failure(m, status, why);
}

// ---- the rows that hold

// The rows, and how what they ask for changes: count x n.
typedef struct border {
    gen_border held;
    double *g_q, *g_v;
} border;

// g of the rows of one contact that hold.
static void fill_contact(const gen_step_slope* s, const path_bend* b, int i, double h, int path,
                         border* to)
{
    const gen_touch* c = s->touch;
    const gen_border* held = &to->held;
    const size_t n = (size_t)s->n;
    for (int k = 0; k < held->count; k++) {
        const int r = held->row[k] - c->contact_row[i];
        if (r < 0 || r > c->friction_rows[i]) continue;
        const wrench w = tml__contact_wrench(&b->bend, r);
        const bool bounces = r == 0 && c->offset_of[i] == OFFSET_BOUNCE;
        const double e = bounces ? b->bend.k->restitution : 0.0;
        double z[TWIST_COLUMNS] = {0.0};
        tml__contact_bent_transposed(&b->bend, r, tw_axpy(b->after, e, b->before), z);
        for (int p = 0; p < TWIST_COLUMNS && r == 0 && c->offset_of[i] == OFFSET_GAP; p++) {
            z[p] += b->bend.gap[p] / h;
        }
        for (int p = 0; p < path; p++) {
            const int j = s->path[p];
            const size_t at = (size_t)k * n + (size_t)j;
            to->g_q[at] = along_column(s, z, j) + carried_rate(s, b, w, j, true);
            if (!bounces) continue;
            to->g_q[at] += e * carried_rate(s, b, w, j, false);
            to->g_v[at] = e * held->J[at];
        }
    }
}

// A limit stands along one column; it may close the room it has.
static void fill_limits(const gen_step_slope* s, double h, const double* rates_after, border* b)
{
    const gen_touch* c = s->touch;
    const size_t n = (size_t)s->n;
    for (int k = 0; k < b->held.count; k++) {
        const int limit = b->held.row[k] - c->equal_count;
        if (limit < 0 || limit >= c->limit_count) continue;
        // the touch has gone on to the room at the end of the step
        const double moved = h * tml__gen_rows_rate(c->rows, b->held.row[k], rates_after);
        const double room = c->gap[b->held.row[k]] - moved;
        if (!(room > 0.0)) continue;
        for (size_t j = 0; j < n; j++) b->g_q[(size_t)k * n + j] = b->held.J[(size_t)k * n + j] / h;
    }
}

static tml_status fill_border(gen_step_slope* s, const contact* contacts, double h,
                              const double* rates_after, border* b, message* why)
{
    const gen_touch* c = s->touch;
    const gen_tree* t = c->motion->tree;
    const tml_status filled = tml__gen_border_fill(&b->held, c, t, c->labels, why);
    s->held = b->held.held;
    s->independent = b->held.count;
    s->is_tied = b->held.is_tied;
    s->is_rank_doubtful = b->held.is_rank_doubtful;
    if (filled != TML_OK) return filled;
    const size_t wide = (size_t)b->held.count * (size_t)s->n;
    b->g_q = tml__allocate(&s->allocator, 2 * wide, sizeof *b->g_q);
    if (b->g_q == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    b->g_v = b->g_q + wide;
    fill_limits(s, h, rates_after, b);
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (c->labels[at] != LCP_HELD) continue;
        path_bend bend;
        const tml_status status = bend_of(s, &contacts[i], rates_after, &bend);
        if (status != TML_OK) {
            return tml__fail(why, status,
                             "contact %d has no derivative: its features are degenerate", i);
        }
        const int path = list_path(s, &bend);
        add_bent_forces(s, &bend, &c->f[at], 1 + c->friction_rows[i], path);
        fill_contact(s, &bend, i, h, path, b);
        forget_path(s, path);
    }
    return TML_OK;
}

// ---- solution

// Which columns are wanted, side by side: positions, rates, forces.
typedef struct layout {
    size_t wide;
    size_t at[3];
    bool is_wanted[3];
} layout;

static layout layout_of(const gen_step_slope* s)
{
    static const unsigned bits[3] = {SLOPE_BY_POSITIONS, SLOPE_BY_RATES, SLOPE_BY_FORCES};
    layout l = {.wide = 0};
    for (int k = 0; k < 3; k++) {
        l.at[k] = l.wide;
        l.is_wanted[k] = (s->wants & bits[k]) != 0;
        if (l.is_wanted[k]) l.wide += (size_t)s->n;
    }
    return l;
}

static void fill_sides(const gen_step_slope* s, double h, const layout* l)
{
    const size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++) {
        double* row = s->wide + i * l->wide;
        if (l->is_wanted[0]) memcpy(row, s->r_q + i * n, n * sizeof *row);
        for (size_t j = 0; j < n && l->is_wanted[1]; j++) {
            row[l->at[1] + j] = s->mass[i * n + j] - h * s->id_v[i * n + j];
        }
        if (!l->is_wanted[2]) continue;
        memset(row + l->at[2], 0, n * sizeof *row);
        row[l->at[2] + i] = h;
    }
}

static tml_status solve_rates(gen_step_slope* s, double h, const border* b, message* why)
{
    const size_t n = (size_t)s->n;
    const layout l = layout_of(s);
    double* g = tml__allocate(&s->allocator, (size_t)b->held.count * l.wide, sizeof *g);
    if (g == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    fill_sides(s, h, &l);
    for (size_t k = 0; k < (size_t)b->held.count; k++) {
        double* row = g + k * l.wide;
        if (l.is_wanted[0]) memcpy(row, b->g_q + k * n, n * sizeof *row);
        if (l.is_wanted[1]) memcpy(row + l.at[1], b->g_v + k * n, n * sizeof *row);
    }
    tml__gen_border_solve_many(&b->held, l.wide, s->wide, g);
    double* const to[3] = {s->v_q, s->v_v, s->v_f};
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            const double* from = s->wide + i * l.wide + l.at[k];
            if (l.is_wanted[k]) memcpy(to[k] + i * n, from, n * sizeof *from);
        }
    }
    tml__release(&s->allocator, g);
    return TML_OK;
}

// dq+ = Ad(exp(-x)) dq + h J_r(x) du+, x = h u+ of a ball; 1 and 1 elsewhere.
static void move_positions(const gen_step_slope* s, double h, const double* rates_after)
{
    const gen_tree* t = s->touch->motion->tree;
    const size_t n = (size_t)s->n;
    for (size_t e = 0; e < n * n; e++) {
        s->q_q[e] = h * s->v_q[e] + (e % (n + 1) == 0 ? 1.0 : 0.0);
        s->q_v[e] = h * s->v_v[e];
        s->q_f[e] = h * s->v_f[e];
    }
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        if (link->kind != LINK_BALL) continue;
        const size_t at = (size_t)link->column;
        const vec3 x = v3_scale(h, v3_load(&rates_after[link->column]));
        const mat3 back = m3_transpose(q_matrix(q_exp(x)));
        const mat3 J = tml__right_jacobian(x);
        for (size_t j = 0; j < n; j++) {
            double* const to[3] = {s->q_q, s->q_v, s->q_f};
            const double* const from[3] = {s->v_q, s->v_v, s->v_f};
            for (int w = 0; w < 3; w++) {
                const vec3 du =
                    v3(from[w][at * n + j], from[w][(at + 1) * n + j], from[w][(at + 2) * n + j]);
                vec3 dq = v3_scale(h, m3_apply(J, du));
                if (w == 0 && j >= at && j < at + 3) {
                    dq = v3_add(dq, m3_column(back, (int)(j - at)));
                }
                for (size_t r = 0; r < 3; r++) to[w][(at + r) * n + j] = v3_at(dq, (int)r);
            }
        }
    }
}

// What bounces, bounces within the step: positions change as by short steps about the impact,
// P = 1 - M^-1 J^T A^-1 diag(1 + e) J.                      [DCON App E, the saltation projector instead]
static void bounce_positions(gen_step_slope* s, const contact* contacts, double h, border* b)
{
    const gen_touch* c = s->touch;
    const size_t n = (size_t)s->n;
    bool has_bounce = false;
    for (int i = 0; i < c->contact_count; i++) {
        has_bounce |= c->offset_of[i] == OFFSET_BOUNCE && c->labels[c->contact_row[i]] == LCP_HELD;
    }
    if (!has_bounce) return;
    for (size_t j = 0; j < n; j++) {
        for (int k = 0; k < b->held.count; k++) {
            double e = 0.0;
            for (int i = 0; i < c->contact_count; i++) {
                const bool is_it = c->contact_row[i] == b->held.row[k];
                if (is_it && c->offset_of[i] == OFFSET_BOUNCE) e = contacts[i].restitution;
            }
            b->held.rest[k] = -(1.0 + e) * b->held.J[(size_t)k * n + j];
        }
        tml__lu_solve(b->held.count, b->held.A, b->held.count, b->held.pivot, b->held.rest);
        for (size_t i = 0; i < n; i++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < b->held.count; k++)
                sum += b->held.rest[k] * b->held.MK[(size_t)k * n + i];
            s->q_q[i * n + j] = sum;
            s->q_v[i * n + j] = h * sum;
        }
    }
}

tml_status tml__gen_step_slope(gen_step_slope* s, slope_mode mode, const contact* contacts,
                               double h, const double* numbers, const double* rates_after,
                               message* why)
{
    tml_status status = check(s, why);
    if (status == TML_OK) status = look(s, contacts, h, numbers, rates_after, why);
    if (status != TML_OK) return status;
    border b = {.held = {.allocator = s->allocator, .wants_MK = true}};
    status = fill_border(s, contacts, h, rates_after, &b, why);
    if (status == TML_OK) status = solve_rates(s, h, &b, why);
    if (status == TML_OK) {
        move_positions(s, h, rates_after);
        if (mode == SLOPE_CONTINUOUS_BOUNCE) bounce_positions(s, contacts, h, &b);
    }
    tml__release(&s->allocator, b.g_q);
    tml__gen_border_release(&b.held);
    return status;
}
