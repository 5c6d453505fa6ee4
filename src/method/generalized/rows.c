// method/generalized/rows.c - rows over the columns of a tree.
#include "method/generalized/rows.h"

#include "linalg/block_kernels.h"
#include "math/small.h"

#include <string.h>

// A row depends on others where less than this is left of A_ii after they have been taken out, and
// nothing can move it where A_ii is less than this part of what it would be if nothing cancelled.
// A is quadratic in the geometry: rounding leaves 1e-15 or so, a joint that is 1e-10 off leaves 1e-20.
static const double dependence = 1e-12;
static const double opened = 1e-3;  // and of poses that stages have opened

// ---- which rows

static void list_candidates(const gen_tree* t, const maximal_system* s, bool* is_candidate)
{
    const tml_model* m = s->model;
    memset(is_candidate, 0, (size_t)s->row_count * sizeof *is_candidate);
    for (int j = 0; j < m->all.joint_count; j++) {
        if (tml__maximal_is_idle(s, j)) continue;
        for (int r = 0; r < s->rows[j].count; r++) {
            const bool is_driven = m->joints[j].axis[s->rows[j].row[r].axis].is_free;
            is_candidate[s->first_row[j] + r] = !t->is_held[j] || is_driven;
        }
    }
    for (int row = s->first_coupling; row < s->row_count; row++) is_candidate[row] = true;
}

bool tml__gen_has_rows(const gen_tree* t, const maximal_system* s)
{
    const tml_model* m = s->model;
    if (m->all.coupling_count > 0 || s->limit_count > 0) return true;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!t->is_held[j] && !tml__maximal_is_idle(s, j)) return true;
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (a->is_free && a->actuation == TML_POSITION) return true;
        }
    }
    return false;
}

// Columns inwards of a body of the model.
static size_t path_length(const gen_tree* t, int body)
{
    const int last = gen_last_column(t, t->index[body]);
    return last >= 0 ? (size_t)t->depth[last] + 1 : 0;
}

static size_t joint_paths(const gen_tree* t, int joint)
{
    const joint_data* j = &t->model->joints[joint];
    return path_length(t, j->follower) + path_length(t, j->base);
}

static void count_room(gen_rows* r)
{
    const gen_tree* t = r->tree;
    const maximal_system* s = r->s;
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            if (!r->is_candidate[row]) continue;
            r->capacity++;
            r->entry_limit += joint_paths(t, j);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        r->capacity++;
        for (int k = 0; k < c->term_count; k++) {
            r->entry_limit += joint_paths(t, c->terms[k].joint.index);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        r->capacity++;
        r->entry_limit += joint_paths(t, s->limits[i].joint);
    }
}

static void count_stiff(gen_rows* r)
{
    const maximal_system* s = r->s;
    const tml_model* m = s->model;
    r->capacity += s->forced_count + m->all.spring_count;
    for (int i = 0; i < s->forced_count; i++) {
        r->entry_limit += joint_paths(r->tree, s->forced[i].joint);
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        for (int p = 0; p < spring->point_count; p++) {
            r->entry_limit += path_length(r->tree, spring->body[p]);
        }
    }
}

// Rows between any two bodies reach at most twice the deepest path.
static void count_extra(gen_rows* r, int extra)
{
    size_t longest = 0;
    for (int k = 0; k < r->tree->column_count; k++) {
        const size_t length = (size_t)r->tree->depth[k] + 1;
        if (length > longest) longest = length;
    }
    r->full_capacity = r->capacity;
    r->capacity += extra;
    r->entry_limit += 2 * longest * (size_t)extra;
}

// ---- memory

typedef struct request {
    void* where;
    size_t count, size;
} request;

enum {
    REQUESTS = 26
};

// clang-format off
static int list_requests(gen_rows* r, request list[REQUESTS])
{
    const size_t rows = (size_t)r->capacity;
    const size_t columns = (size_t)r->tree->column_count;
    const size_t full = (size_t)r->full_capacity;
    const request all[] = {
        {&r->row,        rows, sizeof *r->row},
        {&r->give,       rows, sizeof *r->give},
        {&r->offset,     rows, sizeof *r->offset},
        {&r->start,      rows + 1, sizeof *r->start},
        {&r->column,     r->entry_limit, sizeof *r->column},
        {&r->j,          r->entry_limit, sizeof *r->j},
        {&r->size,       r->entry_limit, sizeof *r->size},
        {&r->y,          r->entry_limit, sizeof *r->y},
        {&r->A,          full, full * sizeof *r->A},
        {&r->factor,     full, full * sizeof *r->factor},
        {&r->is_sure,    rows, sizeof *r->is_sure},
        {&r->together,   rows, sizeof *r->together},
        {&r->natural,    rows, sizeof *r->natural},
        {&r->scale,      rows, sizeof *r->scale},
        {&r->compliance, rows, sizeof *r->compliance},
        {&r->order,      rows, sizeof *r->order},
        {&r->side,       rows, sizeof *r->side},
        {&r->scratch,    rows, sizeof *r->scratch},
        {&r->wide,       columns, sizeof *r->wide},
        {&r->wide_size,  columns, sizeof *r->wide_size},
        {&r->wide_many,  ROW_LANES * columns, sizeof *r->wide_many},
        {&r->place,      columns, sizeof *r->place},
        {&r->is_straight, columns, sizeof *r->is_straight},
        {&r->length,     2 * columns, sizeof *r->length},
        {&r->mark,       columns, sizeof *r->mark},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

// Which columns follow each other inwards, and places for all: those that follow each other side by side.
static void find_straight(gen_rows* r)
{
    enum {
        FOUR = 4
    };
    const gen_tree* t = r->tree;
    for (int k = 0; k < t->column_count; k++) {
        const int inwards = t->column_parent[k];
        const bool goes_on = inwards >= 0 && inwards == k - 1;
        r->is_straight[k] = inwards < 0 || (goes_on && r->is_straight[inwards]);
        if (!goes_on) r->places = (r->places + FOUR - 1) / FOUR * FOUR;
        r->place[k] = r->places++;
    }
}

tml_status tml__gen_rows_create(gen_tree* t, maximal_system* s, int extra, bool has_stiff,
                                const tml_allocator* allocator, message* why, gen_rows** out)
{
    *out = NULL;
    gen_rows* r = tml__allocate(allocator, 1, sizeof *r);
    if (r == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    r->tree = t;
    r->s = s;
    r->closed_rank = -1;
    r->allocator = *allocator;
    r->is_candidate = tml__allocate(allocator, (size_t)s->row_count, sizeof *r->is_candidate);
    bool is_taken = r->is_candidate != NULL;
    if (is_taken) {
        list_candidates(t, s, r->is_candidate);
        count_room(r);
        if (has_stiff) count_stiff(r);
        count_extra(r, extra);
        request list[REQUESTS];
        const int count = list_requests(r, list);
        for (int i = 0; i < count && is_taken; i++) {
            void* memory = tml__allocate(allocator, list[i].count, list[i].size);
            memcpy(list[i].where, &memory, sizeof memory);
            is_taken = memory != NULL;
        }
    }
    if (!is_taken) {
        const int rows = r->capacity;
        tml__gen_rows_destroy(r);
        return tml__fail(why, TML_NO_MEMORY,
                         "out of memory: %d rows of loops, drives, couplings, limits and contacts "
                         "in generalized "
                         "coordinates",
                         rows);
    }
    find_straight(r);
    *out = r;
    return TML_OK;
}

void tml__gen_rows_destroy(gen_rows* r)
{
    if (r == NULL) return;
    const tml_allocator allocator = r->allocator;
    request list[REQUESTS];
    const int count = list_requests(r, list);
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(&allocator, memory);
    }
    tml__release(&allocator, r->is_candidate);
    tml__release(&allocator, r);
}

// ---- entries

static void mark_path(gen_rows* r, int body)
{
    const gen_tree* t = r->tree;
    size_t* end = &r->start[r->count + 1];
    for (int k = gen_last_column(t, t->index[body]); k >= 0; k = t->column_parent[k]) {
        if (r->mark[k]) return;
        r->mark[k] = 1;
        r->column[(*end)++] = k;
    }
}

static wrench wrench_on(const gen_tree* t, int body, vec3 force, vec3 torque)
{
    const int at = t->index[body];
    if (at < 0) return wr_zero();
    const vec3 arm = v3_sub(t->c[at], t->origin[at]);
    return (wrench){v3_add(torque, v3_cross(arm, force)), force};
}

// A wrench and the lengths of its parts.
typedef struct push {
    wrench f;
    double moment, force;
} push;

static push push_of(wrench f) { return (push){f, v3_norm(f.moment), v3_norm(f.force)}; }

// What a push does to one column, and what it would do at most.
static inline double along_column(const gen_rows* r, int k, const push* p)
{
    return sv_dot(r->tree->S[k], p->f);
}

static inline double most_along(const gen_rows* r, int k, const push* p)
{
    return r->length[2 * k] * p->moment + r->length[2 * k + 1] * p->force;
}

// One column of a row.
static void add_entry(gen_rows* r, int k, const push* p, double scale)
{
    r->wide[k] += scale * along_column(r, k, p);
    r->wide_size[k] += fabs(scale) * most_along(r, k, p);
}

// Add scale times a gradient on the two bodies: only columns that move one of them and
// not the other count.
static void add_gradient(gen_rows* r, int follower, int base, const rigid_gradient* g, double scale)
{
    const gen_tree* t = r->tree;
    const push on_F = push_of(wrench_on(t, follower, g->n, g->t_F));
    const push on_B = push_of(wrench_on(t, base, v3_neg(g->n), g->t_B));
    int F = gen_last_column(t, t->index[follower]);
    int B = gen_last_column(t, t->index[base]);

    mark_path(r, follower);
    mark_path(r, base);
    while (F != B) {
        if (F > B) {
            add_entry(r, F, &on_F, scale);
            F = t->column_parent[F];
        } else {
            add_entry(r, B, &on_B, scale);
            B = t->column_parent[B];
        }
    }
}

// Outer columns first, so that one pass over a row is a solve with L^T.
static void sort_columns(int* column, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const int value = column[i];
        size_t k = i;
        while (k > 0 && column[k - 1] < value) {
            column[k] = column[k - 1];
            k--;
        }
        column[k] = value;
    }
}

static void begin_row(gen_rows* r, int row, double give)
{
    r->row[r->count] = row;
    r->give[r->count] = give;
    r->offset[r->count] = 0.0;
    r->is_sure[r->count] = false;
    r->together[r->count] = 1;
    r->start[r->count + 1] = r->start[r->count];
}

static void end_row(gen_rows* r)
{
    const size_t first = r->start[r->count];
    const size_t end = r->start[r->count + 1];
    sort_columns(&r->column[first], end - first);
    for (size_t e = first; e < end; e++) {
        const int k = r->column[e];
        r->j[e] = r->wide[k];
        r->size[e] = r->wide_size[k];
        r->wide[k] = 0.0;
        r->wide_size[k] = 0.0;
        r->mark[k] = 0;
    }
    r->count++;
}

// Paths inwards are merged, outer columns first, and need no marks and no sorting. Columns that move both
// bodies keep their place, with nothing in it.
void tml__gen_rows_append_together(gen_rows* r, int follower, int base, int count,
                                   const rigid_gradient g[ROWS_TOGETHER], double give)
{
    const gen_tree* t = r->tree;
    push on_F[ROWS_TOGETHER];
    push on_B[ROWS_TOGETHER];
    int F = gen_last_column(t, t->index[follower]);
    int B = gen_last_column(t, t->index[base]);
    size_t columns = 0;
    for (int f = F, b = B; f >= 0 || b >= 0; columns++) {
        const int k = f > b ? f : b;
        if (f == k) f = t->column_parent[f];
        if (b == k) b = t->column_parent[b];
    }
    const size_t start = r->start[r->count];
    for (int i = 0; i < count; i++) {
        on_F[i] = push_of(wrench_on(t, follower, g[i].n, g[i].t_F));
        on_B[i] = push_of(wrench_on(t, base, v3_neg(g[i].n), g[i].t_B));
        begin_row(r, -1, i == 0 ? give : 0.0);
        r->together[r->count] = (unsigned char)(i == 0 ? count : 0);
        r->start[++r->count] = start + (size_t)(i + 1) * columns;
    }
    for (size_t e = start; F >= 0 || B >= 0; e++) {
        const int k = F > B ? F : B;
        const push* p = F > B ? on_F : on_B;
        const bool is_both = F == B;
        if (F == k) F = t->column_parent[F];
        if (B == k) B = t->column_parent[B];
        for (int i = 0; i < count; i++) {
            const size_t at = e + (size_t)i * columns;
            r->column[at] = k;
            r->j[at] = is_both ? 0.0 : along_column(r, k, &p[i]);
            r->size[at] = is_both ? 0.0 : most_along(r, k, &p[i]);
        }
    }
}

void tml__gen_rows_append(gen_rows* r, int row, int follower, int base, const rigid_gradient* g,
                          double give)
{
    tml__gen_rows_append_together(r, follower, base, 1, g, give);
    r->row[r->count - 1] = row;
}

void tml__gen_rows_append_path(gen_rows* r, const spring_data* spring, const spring_state* state,
                               double give)
{
    const int world = r->s->model->all.body_count;
    begin_row(r, -1, give);
    for (int p = 0; p < spring->point_count; p++) {
        const rigid_gradient g = {state->g[p], v3_cross(state->r[p], state->g[p]), v3_zero()};
        add_gradient(r, spring->body[p], world, &g, 1.0);
    }
    end_row(r);
}

static void collect_joints(gen_rows* r, bool has_compliant)
{
    const maximal_system* s = r->s;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        const joint_data* joint = &s->model->joints[j];
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            if (!r->is_candidate[row]) continue;
            if (s->compliance[row] > 0.0 && !has_compliant) continue;
            tml__gen_rows_append(r, row, joint->follower, joint->base, &s->gradient[row],
                                 s->compliance[row]);
        }
    }
}

void tml__gen_rows_collect(gen_rows* r, bool has_compliant)
{
    const maximal_system* s = r->s;
    const tml_model* m = s->model;

    r->count = 0;
    r->start[0] = 0;
    for (int k = 0; k < r->tree->column_count; k++) {
        r->length[2 * k] = v3_norm(r->tree->S[k].omega);
        r->length[2 * k + 1] = v3_norm(r->tree->S[k].v);
    }
    collect_joints(r, has_compliant);
    for (int i = 0; i < m->all.coupling_count; i++) {
        const int row = s->first_coupling + i;
        if (s->compliance[row] > 0.0 && !has_compliant) continue;
        begin_row(r, row, s->compliance[row]);
        for (int k = s->first_term[i]; k < s->first_term[i + 1]; k++) {
            const int joint = m->all.couplings[i].terms[k - s->first_term[i]].joint.index;
            add_gradient(r, m->joints[joint].follower, m->joints[joint].base, &s->term_gradient[k],
                         s->term_slope[k]);
        }
        end_row(r);
    }
    for (int i = 0; i < s->limit_count; i++) {
        if (s->sides[i] == LIMIT_OFF) continue;
        const joint_data* joint = &m->joints[s->limits[i].joint];
        const int row = s->limits[i].row;
        tml__gen_rows_append(r, row, joint->follower, joint->base, &s->gradient[row], 0.0);
    }
}

// ---- the matrix

// y of `count` rows over the same columns, outer columns first: what is found for one of them is taken
// out of those inwards. Every row goes through the numbers it would meet alone, in the same order.
KERNEL void lift_together(gen_rows* r, int i, int count)
{
    const gen_tree* t = r->tree;
    const size_t first = r->start[i];
    const size_t n = r->start[i + 1] - first;
    for (size_t e = 0; e < n; e++) {
        double* own = &r->wide_many[ROW_LANES * r->column[first + e]];
        for (int l = 0; l < count; l++) own[l] = r->j[first + (size_t)l * n + e];
    }
    for (size_t e = 0; e < n; e++) {
        const int k = r->column[first + e];
        const double* row = gen_mass_row(t, k);
        const double diagonal = row[t->depth[k]];
        double* own = &r->wide_many[ROW_LANES * k];
        double value[ROW_LANES];
        for (int l = 0; l < ROW_LANES; l++) {
            value[l] = own[l] / diagonal;
            own[l] = 0.0;
        }
        for (int l = 0; l < count; l++) r->y[first + (size_t)l * n + e] = value[l];
        for (int c = t->column_parent[k]; c >= 0; c = t->column_parent[c]) {
            const double m = row[t->depth[c]];
            double* to = &r->wide_many[ROW_LANES * c];
            for (int l = 0; l < ROW_LANES; l++) to[l] -= m * value[l];
        }
    }
}

static void lift_all_plain(gen_rows* r, int first)
{
    for (int i = first; i < r->count; i += r->together[i]) {
        if (!r->is_sure[i]) lift_together(r, i, r->together[i]);
    }
}

#if defined(__x86_64__)
FOR_AVX2 static void lift_all_avx2(gen_rows* r, int first)
{
    for (int i = first; i < r->count; i += r->together[i]) {
        if (!r->is_sure[i]) lift_together(r, i, r->together[i]);
    }
}
#endif

static void lift_all(gen_rows* r, int first)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        lift_all_avx2(r, first);
        return;
    }
#endif
    lift_all_plain(r, first);
}

static double natural_of(const gen_rows* r, int i)
{
    const gen_tree* t = r->tree;
    double sum = 0.0;
    for (size_t e = r->start[i]; e < r->start[i + 1]; e++) {
        const int k = r->column[e];
        const double size = r->size[e] / gen_mass_row(t, k)[t->depth[k]];
        sum += size * size;
    }
    return sum;
}

void tml__gen_rows_lift_from(gen_rows* r, int first, double compliance_scale)
{
    lift_all(r, first);
    for (int i = first; i < r->count; i++) {
        r->compliance[i] = compliance_scale * r->give[i];
        r->natural[i] = 0.0;
        r->scale[i] = 1.0;
        if (r->is_sure[i]) continue;
        r->natural[i] = natural_of(r, i);
        double size = r->compliance[i];
        for (size_t e = r->start[i]; e < r->start[i + 1]; e++) size += r->y[e] * r->y[e];
        const bool is_movable = size > dependence * (r->natural[i] + r->compliance[i]);
        r->scale[i] = is_movable ? 1.0 / sqrt(size) : 0.0;
    }
}

void tml__gen_rows_lift(gen_rows* r, double compliance_scale)
{
    tml__gen_rows_lift_from(r, 0, compliance_scale);
}

static void multiply_out(gen_rows* r, int leading)
{
    const ptrdiff_t ld = r->full_capacity;
    for (int k = 0; k < leading; k++) {
        for (size_t e = r->start[k]; e < r->start[k + 1]; e++) r->wide[r->column[e]] = r->y[e];
        for (int i = k; i < leading; i++) {
            double sum = 0.0;
            for (size_t e = r->start[i]; e < r->start[i + 1]; e++) {
                sum += r->y[e] * r->wide[r->column[e]];
            }
            if (i == k) sum += r->compliance[k];
            r->A[i * ld + k] = sum;
            r->A[k * ld + i] = sum;
        }
        for (size_t e = r->start[k]; e < r->start[k + 1]; e++) r->wide[r->column[e]] = 0.0;
    }
}

void tml__gen_rows_factor(gen_rows* r, int leading)
{
    const ptrdiff_t ld = r->full_capacity;
    multiply_out(r, leading);
    for (int i = 0; i < leading; i++) {
        for (int k = 0; k <= i; k++) {
            r->factor[i * ld + k] = r->scale[i] * r->A[i * ld + k] * r->scale[k];
        }
    }
    r->leading = leading;
    r->rank = tml__cholesky_pivoted(leading, r->factor, ld, dependence, r->order);
    // Off the manifold, rows that depend on each other there seem not to by what they are open, squared. A pivot that
    // is more than that is a pose which has left a singular one.
    while (r->closed_rank >= 0 && r->rank > r->closed_rank) {
        const double last = r->factor[(r->rank - 1) * ld + r->rank - 1];
        if (last * last > opened) break;
        r->rank--;
    }
}

void tml__gen_rows_solve(gen_rows* r)
{
    const int n = r->leading;
    for (int i = 0; i < n; i++) r->side[i] *= r->scale[i];
    tml__cholesky_solve(n, r->rank, r->factor, r->full_capacity, r->order, r->side, r->scratch);
    for (int i = 0; i < n; i++) r->side[i] *= r->scale[i];
}

double tml__gen_rows_rate(const gen_rows* r, int i, const double* rates)
{
    double sum = 0.0;
    for (size_t e = r->start[i]; e < r->start[i + 1]; e++) sum += r->j[e] * rates[r->column[e]];
    return sum;
}

void tml__gen_rows_pull(const gen_rows* r, const double* f, double* out)
{
    for (int i = 0; i < r->count; i++) {
        for (size_t e = r->start[i]; e < r->start[i + 1]; e++) out[r->column[e]] += f[i] * r->j[e];
    }
}

void tml__gen_rows_spread(const gen_rows* r, const double* f, double* out)
{
    for (int i = 0; i < r->count; i++) {
        if (f[i] == 0.0) continue;  // most contacts of a heap are open
        for (size_t e = r->start[i]; e < r->start[i + 1]; e++) out[r->column[e]] += f[i] * r->y[e];
    }
}

// H^-1 J^T f = L^-1 (Y f)
void tml__gen_rows_push(gen_rows* r, const double* f, double* out)
{
    const gen_tree* t = r->tree;
    tml__gen_rows_spread(r, f, r->wide);
    tml__gen_solve_inner(t, r->wide);
    for (int k = 0; k < t->column_count; k++) {
        out[k] += r->wide[k];
        r->wide[k] = 0.0;
    }
}

// ---- accelerations of rows

// The acceleration of a body's centre of mass, its spin's in *angular.
static vec3 acceleration_of(const gen_tree* t, int body, vec3* angular)
{
    const int at = t->index[body];
    *angular = v3_zero();
    if (at < 0) return v3_zero();
    const twist u = t->velocity[at];
    const twist a = t->acceleration[at];
    const vec3 arm = v3_sub(t->c[at], t->origin[at]);
    const vec3 speed = v3_add(u.v, v3_cross(u.omega, arm));
    *angular = a.omega;
    return v3_add(v3_add(a.v, v3_cross(a.omega, arm)), v3_cross(u.omega, speed));
}

static double gradient_acceleration(const gen_tree* t, int joint, const rigid_gradient* g)
{
    const joint_data* j = &t->model->joints[joint];
    vec3 spin_F;
    vec3 spin_B;
    const vec3 F = acceleration_of(t, j->follower, &spin_F);
    const vec3 B = acceleration_of(t, j->base, &spin_B);
    return v3_dot(g->n, v3_sub(F, B)) + v3_dot(g->t_F, spin_F) + v3_dot(g->t_B, spin_B);
}

static int joint_of(const maximal_system* s, int row)
{
    if (row >= s->first_limit) return s->limits[row - s->first_limit].joint;
    int low = 0;
    int high = s->model->all.joint_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s->first_row[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void tml__gen_rows_curve(gen_rows* r, double* scratch)
{
    const maximal_system* s = r->s;
    double* rate = scratch;
    double* bias = scratch + s->row_count;

    tml__maximal_row_motions(s, rate, bias);
    for (int i = 0; i < r->count; i++) {
        const int row = r->row[i];
        r->side[i] = bias[row];
        if (row < s->first_coupling || row >= s->first_limit) {
            r->side[i] += gradient_acceleration(r->tree, joint_of(s, row), &s->gradient[row]);
            continue;
        }
        const int coupling = row - s->first_coupling;
        for (int k = s->first_term[coupling]; k < s->first_term[coupling + 1]; k++) {
            const int term = k - s->first_term[coupling];
            const int joint = s->model->all.couplings[coupling].terms[term].joint.index;
            r->side[i] +=
                s->term_slope[k] * gradient_acceleration(r->tree, joint, &s->term_gradient[k]);
        }
    }
}

// ---- what tree joints carry

// Multipliers of the rows of one joint that make a wrench on its follower: forces along the base's
// axes, then the moments about the joint point, whose directions are independent.
static void split(const maximal_system* s, int joint, vec3 force, vec3 moment, double* lambda)
{
    const joint_rows* rows = &s->rows[joint];
    const joint_frame* frame = &s->frames[joint];
    double* to = &lambda[s->first_row[joint]];
    double gram[9];
    vec3 about[3];
    int which[3];
    int pivot[3];
    int count = 0;

    for (int r = 0; r < rows->count; r++) {
        const rigid_gradient* g = &s->gradient[s->first_row[joint] + r];
        if (s->model->joints[joint].axis[rows->row[r].axis].is_free) continue;
        if (rows->row[r].kind == ROW_GAP) {
            to[r] = v3_dot(g->n, force);
            continue;
        }
        about[count] = v3_sub(g->t_F, v3_cross(frame->r_F, g->n));
        which[count++] = r;
    }
    double side[3];
    for (int i = 0; i < count; i++) {
        side[i] = v3_dot(about[i], moment);
        for (int k = 0; k < count; k++) gram[3 * i + k] = v3_dot(about[i], about[k]);
    }
    // directions of the rows of a closed joint are perpendicular: the factor exists
    if (count == 0 || tml__lu_factor(count, gram, 3, pivot) != TML_OK) return;
    tml__lu_solve(count, gram, 3, pivot, side);
    for (int i = 0; i < count; i++) to[which[i]] = side[i];
}

void tml__gen_tree_multipliers(const gen_tree* t, const maximal_system* s, double* lambda)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        if (b->joint < 0) continue;
        const joint_data* j = &t->model->joints[b->joint];
        // on the follower: what the tree transmits to the body, or the reaction to it
        const double sign = j->follower == b->body ? 1.0 : -1.0;
        const vec3 force = v3_scale(sign, t->carried[at].force);
        const vec3 arm = v3_sub(s->frames[b->joint].F.point, t->origin[at]);
        const vec3 moment = v3_sub(v3_scale(sign, t->carried[at].moment), v3_cross(arm, force));
        split(s, b->joint, force, moment, lambda);
    }
}
