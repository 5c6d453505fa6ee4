// method/generalized/step_stages.c - four instants and their sum, forwards and backwards.
#include "method/generalized/step_stages.h"

#include <string.h>

static const double weight[GEN_STAGES] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
static const double share[GEN_STAGES] = {0.0, 0.5, 0.5, 1.0};  // of the step, where a stage stands

// ---- memory

// Hands out one array after the other; NULL: counts.
static double* cut(double** at, size_t* total, size_t count)
{
    double* out = *at;
    *total += count;
    if (*at != NULL) *at += count;
    return out;
}

static size_t lay_out(gen_step_stages* s, double* memory)
{
    const gen_tree* t = s->settle->motion->tree;
    const size_t numbers = (size_t)t->number_count;
    const size_t columns = (size_t)t->column_count;
    const size_t rows = (size_t)s->settle->motion->s->row_count;
    size_t total = 0;
    for (int k = 0; k <= GEN_STAGES; k++) {
        s->numbers[k] = cut(&memory, &total, numbers);
        s->dN[k] = cut(&memory, &total, numbers);
        if (k == GEN_STAGES) break;
        s->dS[k] = cut(&memory, &total, numbers);
        s->rates[k] = cut(&memory, &total, columns);
        s->dU[k] = cut(&memory, &total, columns);
        s->dA[k] = cut(&memory, &total, columns);
        s->lambda[k] = cut(&memory, &total, rows);
    }
    s->dn = cut(&memory, &total, numbers);
    s->end_lambda = cut(&memory, &total, rows);
    s->end_a = cut(&memory, &total, columns);
    s->a = cut(&memory, &total, columns);
    s->dq = cut(&memory, &total, columns);
    s->du = cut(&memory, &total, columns);
    s->q3 = cut(&memory, &total, columns);
    return total;
}

tml_status tml__gen_step_stages_create(gen_step_rows* settle, const tml_allocator* allocator,
                                       message* why, gen_step_stages** out)
{
    *out = NULL;
    gen_step_stages* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->settle = settle;
    if (allocator != NULL) s->allocator = *allocator;
    s->memory = tml__allocate(allocator, lay_out(s, NULL), sizeof(double));
    if (s->memory == NULL) {
        tml__gen_step_stages_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    lay_out(s, s->memory);
    *out = s;
    return TML_OK;
}

void tml__gen_step_stages_destroy(gen_step_stages* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    tml__release(&allocator, s->memory);
    tml__release(&allocator, s);
}

// ---- position numbers and columns

static quat quat_at(const double* p) { return (quat){p[0], p[1], p[2], p[3]}; }

static void add_quat(double* to, double scale, quat q)
{
    to[0] += scale * q.w;
    to[1] += scale * q.x;
    to[2] += scale * q.y;
    to[3] += scale * q.z;
}

static quat pure(vec3 u) { return (quat){0.0, u.x, u.y, u.z}; }

// Columns by changes of position numbers, 2 (conj(N) dN)_xyz / |N|^2 for a ball; numbers grow backwards.
static void to_columns(const gen_tree* t, partial_direction way, const double* N, double* dN,
                       double* columns)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        double* n = &dN[link->number];
        double* c = &columns[link->column];
        if (link->kind == LINK_BALL) {
            const quat P = quat_at(&N[link->number]);
            const double scale = 2.0 / q_dot(P, P);
            if (way == PARTIAL_FORWARD) {
                const quat d = q_mul(q_conj(P), quat_at(n));
                v3_store(c, v3_scale(scale, (vec3){d.x, d.y, d.z}));
            } else {
                add_quat(n, scale, q_mul(P, pure(v3_load(c))));
            }
            continue;
        }
        for (int k = 0; k < link->count; k++) {
            if (way == PARTIAL_FORWARD) {
                c[k] = n[k];
            } else {
                n[k] += c[k];
            }
        }
    }
}

// Time derivatives of position numbers, P u / 2 for a ball, by the numbers and by the rates. Forwards dS is
// overwritten; backwards dN (NULL: not asked for) and du grow.
static void rate_product(const gen_tree* t, partial_direction way, const double* N, const double* u,
                         double* dN, double* du, double* dS)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        double* d = &du[link->column];
        double* to = &dS[link->number];
        if (link->kind != LINK_BALL) {
            for (int k = 0; k < link->count; k++) {
                if (way == PARTIAL_FORWARD) {
                    to[k] = d[k];
                } else {
                    d[k] += to[k];
                }
            }
            continue;
        }
        const quat P = quat_at(&N[link->number]);
        const quat U = u != NULL ? pure(v3_load(&u[link->column])) : pure(v3_zero());
        if (way == PARTIAL_FORWARD) {
            memset(to, 0, 4 * sizeof *to);
            add_quat(to, 0.5, q_mul(P, pure(v3_load(d))));
            if (dN != NULL) add_quat(to, 0.5, q_mul(quat_at(&dN[link->number]), U));
            continue;
        }
        const quat g = q_mul(q_conj(P), quat_at(to));
        v3_store(d, v3_axpy(v3_load(d), 0.5, (vec3){g.x, g.y, g.z}));
        if (dN != NULL) add_quat(&dN[link->number], 0.5, q_mul(quat_at(to), q_conj(U)));
    }
}

// ---- one instant

// Rows that give way are springs in an instant: lambda = -C / compliance. Forwards r grows by what their changes push
// with, and s->multipliers receives those; backwards gradients y by r, and by s->multipliers on wish, go on to poses and
// parameters.
static void spring_rows(gen_step_rows* s, partial_direction way, const gen_instant* at,
                        const gen_column_change* change, const parameter_set* in, double* r)
{
    const maximal_system* m = s->motion->s;
    gen_rows* rows = s->motion->rows;
    const gen_rows_point point = {
        .numbers = at->numbers, .rates = s->zero, .view = {.level = {1.0, 0.0, 0.0}}};
    const gen_column_change moved = {.positions = change->positions};
    const size_t bytes = (size_t)m->row_count * sizeof(double);
    if (rows == NULL) return;
    tml__gen_look(s->motion, at->numbers, at->rates);
    tml__gen_rows_collect(rows, true);
    memset(s->flow, 0, (size_t)s->motion->tree->column_count * sizeof *s->flow);
    if (way == PARTIAL_FORWARD) {
        tml__gen_rows_carry(s, way, &point, &moved, in, 0.0, s->flow);
    } else {
        memset(s->product->rows, 0, bytes);
    }
    bool is_any = false;
    for (int i = 0; i < rows->count; i++) {
        const int row = rows->row[i];
        const double give = m->compliance[row];
        double* C = &s->product->rows[row];
        if (!(give > 0.0)) continue;
        is_any = true;
        if (way == PARTIAL_FORWARD) s->multipliers[row] = -*C / give;
        if (way == PARTIAL_BACKWARD) *C = -s->multipliers[row] / give;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            if (way == PARTIAL_FORWARD) {
                r[rows->column[e]] += s->multipliers[row] * rows->j[e];
            } else {
                *C -= r[rows->column[e]] * rows->j[e] / give;
            }
        }
    }
    if (!is_any || way == PARTIAL_FORWARD) return;
    tml__gen_rows_carry(s, way, &point, &moved, in, 0.0, s->flow);
}

static bool has_spring_rows(const maximal_system* s)
{
    for (int row = 0; row < s->row_count; row++) {
        if (s->compliance[row] > 0.0) return true;
    }
    return false;
}

tml_status tml__gen_instant_at(gen_step_rows* s, const gen_instant* at, message* why)
{
    gen_motion* m = s->motion;
    memset(at->multipliers, 0, (size_t)m->s->row_count * sizeof *at->multipliers);
    const tml_status found =
        tml__gen_accelerate(m, at->numbers, at->rates, at->accelerations, at->multipliers);
    return tml__gen_describe_failure(m, found, why);
}

// The mass matrix of an instant, factored, without dampers.
static tml_status factor(gen_step_rows* s, const double* numbers, const double* rates, message* why)
{
    gen_motion* m = s->motion;
    tml__gen_look(m, numbers, rates);
    tml__gen_mass(m->tree, NULL);
    return tml__gen_describe_failure(m, tml__gen_factor(m->tree, &m->bad_column), why);
}

tml_status tml__gen_instant_product(gen_step_rows* s, partial_direction way, const gen_instant* at,
                                    const gen_instant_numbers* x, message* why)
{
    const size_t columns = (size_t)s->motion->tree->column_count * sizeof(double);
    const size_t rows = (size_t)s->motion->s->row_count * sizeof(double);
    const gen_column_change change = {.positions = x->positions, .rates = x->rates};
    gen_rows_point point = {.numbers = at->numbers,
                            .rates = at->rates,
                            .accelerations = at->accelerations,
                            .view = {.has_inertia = true,
                                     .is_forced = true,
                                     .lambda = at->multipliers,
                                     .level = {0.0, 0.0, 1.0}}};
    tml_status status = factor(s, at->numbers, at->rates, why);
    if (status == TML_OK) status = tml__gen_rows_open(s, at->numbers, at->rates, why);
    if (status != TML_OK) return status;
    if (s->border.count == 0) point.view.level[2] = 0.0;  // nobody asks for rows
    memset(s->multipliers, 0, rows);
    const bool gives_way = has_spring_rows(s->motion->s);
    if (way == PARTIAL_FORWARD) {
        memset(s->r, 0, columns);
        if (gives_way) spring_rows(s, way, at, &change, x->in, s->r);
        tml__gen_rows_carry(s, way, &point, &change, x->in, -1.0, s->r);
        tml__gen_rows_forward(s, s->r);
        memcpy(x->accelerations, s->r, columns);
        if (x->multipliers != NULL) memcpy(x->multipliers, s->multipliers, rows);
        return TML_OK;
    }
    memcpy(s->r, x->accelerations, columns);
    if (x->multipliers != NULL) memcpy(s->multipliers, x->multipliers, rows);
    tml__gen_rows_backward(s, s->r, x->multipliers != NULL);
    tml__gen_rows_carry(s, way, &point, &change, x->in, -1.0, s->r);
    if (gives_way) spring_rows(s, way, at, &change, x->in, s->r);
    return TML_OK;
}

// ---- where it stands

static void combine(int count, const double* from, double h, const double* slope, double* to)
{
    for (int i = 0; i < count; i++) to[i] = from[i] + h * slope[i];
}

static tml_status look_at_end(gen_step_stages* s, message* why)
{
    const gen_stages_record* r = &s->record;
    const gen_instant end = {r->numbers_after, r->rates_after, s->end_a, s->end_lambda};
    return tml__gen_instant_at(s->settle, &end, why);
}

// As many rows count at a stage as at the first one (tml__gen_accelerate_stage).
static void hold_rank(const gen_step_stages* s, int stage)
{
    gen_rows* rows = s->settle->motion->rows;
    if (rows != NULL) rows->closed_rank = stage > 0 ? s->closed_rank : -1;
}

tml_status tml__gen_step_stages_at(gen_step_stages* s, const gen_stages_record* record,
                                   message* why)
{
    const gen_tree* t = s->settle->motion->tree;
    const gen_rows* rows = s->settle->motion->rows;
    const double h = record->h;
    tml_status status = TML_OK;
    s->record = *record;
    memcpy(s->numbers[GEN_STAGES], record->numbers, (size_t)t->number_count * sizeof(double));
    for (int k = 0; k < GEN_STAGES && status == TML_OK; k++) {
        const int last = k > 0 ? k - 1 : 0;
        combine(t->number_count, record->numbers, share[k] * h, record->slope_q[last],
                s->numbers[k]);
        combine(t->column_count, record->rates, share[k] * h, record->slope_v[last], s->rates[k]);
        combine(t->number_count, s->numbers[GEN_STAGES], weight[k] * h, record->slope_q[k],
                s->numbers[GEN_STAGES]);
        record->aim.begin(record->aim.self, share[k] * h);
        const gen_instant at = {s->numbers[k], s->rates[k], s->a, s->lambda[k]};
        hold_rank(s, k);
        status = tml__gen_instant_at(s->settle, &at, why);
        if (rows != NULL && k == 0) s->closed_rank = rows->count > 0 ? rows->rank : -1;
        hold_rank(s, 0);
    }
    if (status == TML_OK) status = look_at_end(s, why);
    return status;
}

// ---- stages

static gen_instant instant_of(const gen_step_stages* s, int k)
{
    // accelerations are only read from here on
    gen_instant at = {s->numbers[k], s->rates[k], s->a, s->lambda[k]};
    memcpy(s->a, s->record.slope_v[k],
           (size_t)s->settle->motion->tree->column_count * sizeof *s->a);
    return at;
}

static tml_status stage_product(gen_step_stages* s, partial_direction way, int k, double* positions,
                                const parameter_set* in, message* why)
{
    const double dt = share[k] * s->record.h;
    const gen_instant at = instant_of(s, k);
    const gen_instant_numbers x = {
        .positions = positions, .rates = s->dU[k], .accelerations = s->dA[k], .in = in};
    s->record.aim.begin(s->record.aim.self, dt);
    hold_rank(s, k);
    const tml_status status = tml__gen_instant_product(s->settle, way, &at, &x, why);
    hold_rank(s, 0);
    s->record.aim.end(s->record.aim.self, dt);
    return status;
}

static tml_status end_product(gen_step_stages* s, partial_direction way, double* positions,
                              double* rates, const gen_stages_numbers* x, message* why)
{
    const gen_stages_record* r = &s->record;
    const gen_instant end = {r->numbers_after, r->rates_after, s->end_a, s->end_lambda};
    const gen_instant_numbers all = {.positions = positions,
                                     .rates = rates,
                                     .accelerations = x->accelerations,
                                     .multipliers = x->multipliers,
                                     .in = &x->in};
    if (x->accelerations == NULL) return TML_OK;
    r->aim.begin(r->aim.self, r->h);
    const tml_status status = tml__gen_instant_product(s->settle, way, &end, &all, why);
    r->aim.end(r->aim.self, r->h);
    return status;
}

// Positions and rates settle on the rows in the metric of the last stage, whose positions are q3.
static tml_status settle_product(gen_step_stages* s, partial_direction way, double* positions,
                                 double* rates, const gen_stages_numbers* x, message* why)
{
    const gen_stages_record* r = &s->record;
    const gen_rows_record record = {.h = r->h,
                                    .tolerance = r->tolerance,
                                    .is_undamped = true,
                                    .numbers = s->numbers[GEN_STAGES - 1],
                                    .rates = s->rates[GEN_STAGES - 1],
                                    .numbers_moved = r->numbers_moved,
                                    .rates_pushed = r->rates_pushed,
                                    .numbers_after = r->numbers_after,
                                    .rates_after = r->rates_after,
                                    .impulse_settled = r->impulse_settled};
    const gen_rows_numbers numbers = {
        .positions = s->q3, .positions_after = positions, .rates_after = rates, .in = x->in};
    if (s->settle->motion->rows == NULL) return TML_OK;
    r->aim.begin(r->aim.self, r->h);
    tml_status status = factor(s->settle, record.numbers, record.rates, why);
    if (status == TML_OK) {
        status = tml__gen_settle_product(s->settle, way, &record, &numbers, why);
    }
    r->aim.end(r->aim.self, r->h);
    return status;
}

tml_status tml__gen_step_stages_forward(gen_step_stages* s, const gen_stages_numbers* x,
                                        message* why)
{
    const gen_tree* t = s->settle->motion->tree;
    const double h = s->record.h;
    const size_t columns = (size_t)t->column_count * sizeof(double);
    double* sum_n = s->dN[GEN_STAGES];
    tml_status status = TML_OK;
    rate_product(t, PARTIAL_FORWARD, s->record.numbers, NULL, NULL, x->positions, s->dn);
    memcpy(sum_n, s->dn, (size_t)t->number_count * sizeof *sum_n);
    memcpy(s->du, x->rates, columns);
    for (int k = 0; k < GEN_STAGES && status == TML_OK; k++) {
        const int last = k > 0 ? k - 1 : 0;
        const double dt = share[k] * h;
        combine(t->number_count, s->dn, dt, s->dS[last], s->dN[k]);
        combine(t->column_count, x->rates, dt, s->dA[last], s->dU[k]);
        if (k == 0) {
            memcpy(s->dN[0], s->dn, (size_t)t->number_count * sizeof *s->dn);
            memcpy(s->dU[0], x->rates, columns);
        }
        to_columns(t, PARTIAL_FORWARD, s->numbers[k], s->dN[k], s->q3);
        status = stage_product(s, PARTIAL_FORWARD, k, s->q3, &x->in, why);
        rate_product(t, PARTIAL_FORWARD, s->numbers[k], s->rates[k], s->dN[k], s->dU[k], s->dS[k]);
        combine(t->number_count, sum_n, weight[k] * h, s->dS[k], sum_n);
        combine(t->column_count, s->du, weight[k] * h, s->dA[k], s->du);
    }
    if (status != TML_OK) return status;
    to_columns(t, PARTIAL_FORWARD, s->numbers[GEN_STAGES], sum_n, x->positions_after);
    memcpy(x->rates_after, s->du, columns);
    status = settle_product(s, PARTIAL_FORWARD, x->positions_after, x->rates_after, x, why);
    if (status != TML_OK) return status;
    return end_product(s, PARTIAL_FORWARD, x->positions_after, x->rates_after, x, why);
}

// One stage backwards: gradients by what is made of it are there, those by what it is made of come.
static tml_status stage_backward(gen_step_stages* s, int k, const gen_stages_numbers* x,
                                 message* why)
{
    const gen_tree* t = s->settle->motion->tree;
    const double dt = share[k] * s->record.h;
    rate_product(t, PARTIAL_BACKWARD, s->numbers[k], s->rates[k], s->dN[k], s->dU[k], s->dS[k]);
    // the last stage lends its positions to the metric that positions and rates settle in
    double* q = s->q3;
    if (k < GEN_STAGES - 1) memset(q, 0, (size_t)t->column_count * sizeof *q);
    const tml_status status = stage_product(s, PARTIAL_BACKWARD, k, q, &x->in, why);
    if (status != TML_OK) return status;
    to_columns(t, PARTIAL_BACKWARD, s->numbers[k], s->dN[k], q);
    combine(t->number_count, s->dn, 1.0, s->dN[k], s->dn);
    combine(t->column_count, x->rates, 1.0, s->dU[k], x->rates);
    if (k == 0) return TML_OK;
    combine(t->number_count, s->dS[k - 1], dt, s->dN[k], s->dS[k - 1]);
    combine(t->column_count, s->dA[k - 1], dt, s->dU[k], s->dA[k - 1]);
    return TML_OK;
}

tml_status tml__gen_step_stages_backward(gen_step_stages* s, const gen_stages_numbers* x,
                                         message* why)
{
    const gen_tree* t = s->settle->motion->tree;
    const size_t columns = (size_t)t->column_count * sizeof(double);
    const size_t numbers = (size_t)t->number_count * sizeof(double);
    const double h = s->record.h;
    double* sum_n = s->dN[GEN_STAGES];
    memset(s->q3, 0, columns);
    tml_status status =
        end_product(s, PARTIAL_BACKWARD, x->positions_after, x->rates_after, x, why);
    if (status != TML_OK) return status;
    status = settle_product(s, PARTIAL_BACKWARD, x->positions_after, x->rates_after, x, why);
    if (status != TML_OK) return status;
    memset(sum_n, 0, numbers);
    to_columns(t, PARTIAL_BACKWARD, s->numbers[GEN_STAGES], sum_n, x->positions_after);
    memcpy(s->dn, sum_n, numbers);
    combine(t->column_count, x->rates, 1.0, x->rates_after, x->rates);
    for (int k = 0; k < GEN_STAGES; k++) {
        memset(s->dN[k], 0, numbers);
        memset(s->dU[k], 0, columns);
        for (int i = 0; i < t->number_count; i++) s->dS[k][i] = weight[k] * h * sum_n[i];
        for (int i = 0; i < t->column_count; i++) s->dA[k][i] = weight[k] * h * x->rates_after[i];
    }
    for (int k = GEN_STAGES - 1; k >= 0 && status == TML_OK; k--) {
        status = stage_backward(s, k, x, why);
    }
    if (status != TML_OK) return status;
    rate_product(t, PARTIAL_BACKWARD, s->record.numbers, NULL, NULL, x->positions, s->dn);
    return TML_OK;
}
