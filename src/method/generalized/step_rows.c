// method/generalized/step_rows.c - push, close and settle as linear maps.
#include "method/generalized/step_rows.h"

#include "base/request.h"
#include "math/small.h"
#include "method/generalized/carry_product.h"
#include "method/generalized/dampers.h"
#include "method/generalized/stiff.h"

#include <math.h>
#include <string.h>

// ---- memory

enum {
    REQUESTS = 16
};

// clang-format off
static int list_requests(gen_step_rows* s, request list[REQUESTS])
{
    const size_t columns = (size_t)s->motion->tree->column_count;
    const size_t numbers = (size_t)s->motion->tree->number_count;
    const size_t rows = (size_t)s->motion->s->row_count;
    const size_t axes = TML_AXES * (size_t)s->motion->s->model->all.joint_count;
    const request all[] = {
        {&s->closing_numbers, GEN_CLOSINGS * (numbers + columns + rows), sizeof(double)},
        {&s->zero,            columns, sizeof(double)},
        {&s->r,               columns, sizeof(double)},
        {&s->tau,             columns, sizeof(double)},
        {&s->w,               columns, sizeof(double)},
        {&s->flow,            columns, sizeof(double)},
        {&s->q1,              columns, sizeof(double)},
        {&s->u1,              columns, sizeof(double)},
        {&s->q2,              columns, sizeof(double)},
        {&s->g,               rows, sizeof(double)},
        {&s->multipliers,     rows, sizeof(double)},
        {&s->lambda,          rows, sizeof(double)},
        {&s->kept_rates,      2 * axes, sizeof(double)},
        {&s->kept_parameters, 2 * axes, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

tml_status tml__gen_step_rows_create(gen_motion* m, gen_product* p, const tml_allocator* allocator,
                                     message* why, gen_step_rows** out)
{
    *out = NULL;
    gen_step_rows* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->motion = m;
    s->product = p;
    s->has_dampers = tml__gen_has_dampers(m);
    if (allocator != NULL) s->allocator = *allocator;
    s->border.allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    if (tml__take_all(allocator, list, count) != TML_OK ||
        tml__gen_take_mass_matrix(m->tree) != TML_OK) {
        tml__gen_step_rows_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (m->carry != NULL) {
        const tml_status status = tml__gen_carry_product_create(s, allocator, why, &s->carry);
        if (status != TML_OK) {
            tml__gen_step_rows_destroy(s);
            return status;
        }
    }
    const size_t columns = (size_t)m->tree->column_count;
    const size_t numbers = (size_t)m->tree->number_count;
    for (size_t k = 0; k < GEN_CLOSINGS; k++) {
        double* at = s->closing_numbers + k * (numbers + columns + (size_t)m->s->row_count);
        s->closing[k] = (gen_closing){at, at + numbers, at + numbers + columns};
    }
    *out = s;
    return TML_OK;
}

void tml__gen_step_rows_destroy(gen_step_rows* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    tml__release_all(&allocator, list, count);
    tml__gen_carry_product_destroy(s->carry);
    tml__gen_border_release(&s->border);
    tml__release(&allocator, s);
}

// ---- targets that stand still

static double* parameter_rates(const parameter_set* in, int axis)
{
    return &in->axis[(size_t)axis * AXIS_PARAMETERS + AXIS_TARGET_RATE];
}

static void turn_joints(maximal_system* s)
{
    for (int j = 0; j < s->model->all.joint_count; j++) {
        tml__joint_turn(&s->model->joints[j], &s->rows[j], &s->targets.axis[j * TML_AXES],
                        &s->turns[j]);
    }
}

// Rates of targets have no part in how a motion moves rows: they are put aside, and so are the changes of
// them, or the gradients that have been gathered by them.
static void hold_targets(gen_step_rows* s, const parameter_set* in)
{
    maximal_system* m = s->motion->s;
    for (int k = 0; k < TML_AXES * m->model->all.joint_count; k++) {
        drive* target = &m->targets.axis[k];
        s->kept_rates[2 * k] = target->rate;
        s->kept_rates[2 * k + 1] = target->acceleration;
        target->rate = target->acceleration = 0.0;
        if (in == NULL) continue;
        double* mine = parameter_rates(in, k);
        for (int i = 0; i < 2; i++) {
            s->kept_parameters[2 * k + i] = mine[i];
            mine[i] = 0.0;
        }
    }
    turn_joints(m);
}

static void free_targets(gen_step_rows* s, const parameter_set* in)
{
    maximal_system* m = s->motion->s;
    for (int k = 0; k < TML_AXES * m->model->all.joint_count; k++) {
        m->targets.axis[k].rate = s->kept_rates[2 * k];
        m->targets.axis[k].acceleration = s->kept_rates[2 * k + 1];
        if (in == NULL) continue;
        for (int i = 0; i < 2; i++) parameter_rates(in, k)[i] = s->kept_parameters[2 * k + i];
    }
    turn_joints(m);
}

// ---- products at the points of a step

void tml__gen_rows_carry(gen_step_rows* s, partial_direction way, const gen_rows_point* at,
                         const gen_column_change* change, const parameter_set* in, double sign,
                         double* r)
{
    gen_product* p = s->product;
    const int n = s->motion->tree->column_count;
    if (at->is_held) hold_targets(s, in);
    tml__gen_look(s->motion, at->numbers, at->rates);
    tml__gen_product_view(p, at->rates, at->accelerations, NULL, &at->view);
    if (way == PARTIAL_FORWARD) {
        tml__gen_product_move(p, change, in);
        tml__gen_product_forward(p, in, s->tau);
        for (int k = 0; k < n; k++) r[k] += sign * s->tau[k];
    } else {
        for (int k = 0; k < n; k++) s->tau[k] = sign * r[k];
        tml__gen_product_pull(p, s->tau);
        tml__gen_product_backward(p, change, in);
    }
    if (at->is_held) free_targets(s, in);
}

// The rows of the border among all rows, and back.
static void gather(gen_step_rows* s)
{
    const gen_border* b = &s->border;
    for (int k = 0; k < b->count; k++) s->g[k] = s->product->rows[b->row[k]];
}

static void scatter(gen_step_rows* s, const double* g)
{
    const gen_border* b = &s->border;
    memset(s->product->rows, 0, (size_t)s->motion->s->row_count * sizeof *s->product->rows);
    for (int k = 0; k < b->count; k++) s->product->rows[b->row[k]] = g[k];
}

// -(dM) w, M the matrix of the start of the step: r by positions there; or that of the middle, without dampers,
// where velocities were carried.
static void metric(gen_step_rows* s, partial_direction way, const double* w, double* positions,
                   const parameter_set* in, double* r)
{
    const bool is_carried = s->carry != NULL;
    const double h = s->record.is_undamped || is_carried ? 0.0 : s->record.h;
    const gen_column_change change = {.positions =
                                          is_carried ? s->carry->mid_positions : positions};
    const gen_rows_point at = {.numbers =
                                   is_carried ? tml__gen_carry_mid(s->carry) : s->record.numbers,
                               .rates = s->zero,
                               .accelerations = w,
                               .view = {.has_inertia = true}};
    tml__gen_rows_carry(s, way, &at, &change, in, -1.0, r);
    const gen_column_scales beside = {
        .damping = h, .spring = s->motion->is_implicit ? h * h : 0.0, .w = w, .w_spring = w};
    if (is_carried) return;
    tml__gen_column_product(s->motion, &beside, way, in, r);
    if (!s->has_dampers || h == 0.0) return;
    const gen_rows_point dampers = {
        .numbers = s->record.numbers, .rates = w, .view = {.damping = h}};
    tml__gen_rows_carry(s, way, &dampers, &change, in, -1.0, r);
}

// ---- rows of a solution

// The independent rows at a state, in the order in which the step chose them.
static tml_status choose(gen_step_rows* s, const double* numbers, const double* rates,
                         bool has_compliant, double scale, message* why)
{
    gen_border* b = &s->border;
    gen_rows* r = s->motion->rows;
    tml__gen_look(s->motion, numbers, rates);
    if (r == NULL) return tml__gen_border_open(b, s->motion->tree, 0, why);
    tml__gen_rows_collect(r, has_compliant);
    tml__gen_rows_lift(r, scale);
    tml__gen_rows_factor(r, r->count);
    const tml_status status = tml__gen_border_open(b, s->motion->tree, r->count, why);
    if (status != TML_OK) return status;
    for (int k = 0; k < r->rank; k++) {
        b->row[k] = r->order[k];
        b->give[k] = r->compliance[r->order[k]];
    }
    b->count = r->rank;
    return TML_OK;
}

// The chosen rows as they were last collected.
static void fill(const gen_step_rows* s, double* to)
{
    const gen_border* b = &s->border;
    const gen_rows* r = s->motion->rows;
    for (int k = 0; k < b->count; k++) {
        const int i = b->row[k];
        double* row = to + (size_t)k * b->n;
        memset(row, 0, b->n * sizeof *row);
        for (size_t e = r->start[i]; e < r->start[i + 1]; e++) row[r->column[e]] = r->j[e];
    }
}

// Rows by the rates that make a move instead of by the positions after it.
static void fill_by_rates(const gen_step_rows* s, const double* rates, double h)
{
    const gen_tree* t = s->motion->tree;
    const gen_border* b = &s->border;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        if (link->kind != LINK_BALL) continue;
        const mat3 J = tml__right_jacobian(v3_scale(h, v3_load(&rates[link->column])));
        for (int k = 0; k < b->count; k++) {
            double* row = b->J + (size_t)k * b->n + link->column;
            v3_store(row, m3_apply_t(J, v3_load(row)));
        }
    }
}

// From here on rows are known by their place in the maximal system.
static tml_status finish_border(gen_step_rows* s, message* why)
{
    gen_border* b = &s->border;
    for (int k = 0; k < b->count; k++) b->row[k] = s->motion->rows->row[b->row[k]];
    return tml__gen_border_close(b, why);
}

// Rows that are pushed along and closed at the same pose.
static tml_status open_rows(gen_step_rows* s, const double* numbers, const double* rates,
                            bool has_compliant, double scale, message* why)
{
    gen_border* b = &s->border;
    const tml_status status = choose(s, numbers, rates, has_compliant, scale, why);
    if (status != TML_OK) return status;
    fill(s, b->J);
    fill(s, b->K);
    return finish_border(s, why);
}

static const double* pushed_numbers(const gen_rows_record* record)
{
    return record->numbers_pushed != NULL ? record->numbers_pushed : record->numbers_moved;
}

// Those of the push.
static tml_status open_push(gen_step_rows* s, message* why)
{
    const gen_rows_record* record = &s->record;
    const double scale = 1.0 / (record->h * record->h);
    if (!record->has_new_rates) {
        return open_rows(s, record->numbers, record->rates, true, scale, why);
    }
    const tml_status status = choose(s, record->numbers, record->rates, true, scale, why);
    if (status != TML_OK) return status;
    fill(s, s->border.K);
    tml__gen_look(s->motion, pushed_numbers(record), record->rates_pushed);
    tml__gen_rows_collect(s->motion->rows, true);
    fill(s, s->border.J);
    fill_by_rates(s, record->rates_pushed, record->h);
    return finish_border(s, why);
}

// ---- where it stands

static tml_status factor(gen_step_rows* s, message* why)
{
    gen_motion* m = s->motion;
    tml__gen_look(m, s->record.numbers, s->record.rates);
    tml__gen_list_added(m, s->record.h);
    if (m->is_implicit) tml__gen_stiffen(m, s->record.h, s->record.rates);
    tml__gen_mass(m->tree, m->added);
    return tml__gen_describe_failure(m, tml__gen_factor(m->tree, &m->bad_column), why);
}

// The largest row that is open at a pose and should not be.
static double open_row(gen_step_rows* s, const double* numbers)
{
    const gen_rows* r = s->motion->rows;
    double worst = 0.0;
    tml__gen_look(s->motion, numbers, s->zero);
    tml__gen_rows_collect(s->motion->rows, false);
    for (int i = 0; i < r->count; i++) worst = fmax(worst, fabs(s->motion->s->C[r->row[i]]));
    return worst;
}

// The way of the positions back onto the rows, once more. Where the push has closed them there is none.
static tml_status list_closings(gen_step_rows* s, message* why)
{
    const gen_tree* t = s->motion->tree;
    gen_rows* r = s->motion->rows;
    const double* from = s->record.numbers_moved;
    s->closing_count = 0;
    if (s->carry != NULL) {
        const tml_status status = tml__gen_carry_stand(s->carry, why);
        if (status != TML_OK) return status;
    }
    while (open_row(s, from) > s->record.tolerance) {
        // what parts overlaps, and limits that touch has met, leave rows open
        const bool is_closed = s->record.has_new_rates && s->record.rates_touched == NULL;
        if (is_closed || s->closing_count == GEN_CLOSINGS) {
            return tml__fail(why, TML_UNSUPPORTED,
                             "rows stayed open by %g where a step should have closed them: such a "
                             "step has no derivative",
                             open_row(s, from));
        }
        gen_closing* c = &s->closing[s->closing_count++];
        if (from != c->x) memcpy(c->x, from, (size_t)t->number_count * sizeof *from);
        tml__gen_rows_lift(r, 0.0);
        tml__gen_rows_factor(r, r->count);
        for (int i = 0; i < r->count; i++) r->side[i] = -s->motion->s->C[r->row[i]];
        tml__gen_rows_solve(r);
        memset(c->w, 0, (size_t)t->column_count * sizeof *c->w);
        memset(c->push, 0, (size_t)s->motion->s->row_count * sizeof *c->push);
        tml__gen_rows_push(r, r->side, c->w);
        for (int i = 0; i < r->count; i++) c->push[r->row[i]] = r->side[i];
        double* to = s->closing_count < GEN_CLOSINGS ? s->closing[s->closing_count].x : c->x;
        tml__gen_move(t, c->x, c->w, 1.0, to);
        from = to;
    }
    return TML_OK;
}

// Springs that are taken at the end of the step as rows of their own.
static tml_status check_springs(gen_step_rows* s, message* why)
{
    gen_rows* r = s->motion->rows;
    if (!s->motion->is_implicit) return TML_OK;
    tml__gen_rows_collect(r, true);
    const int count = r->count;
    tml__gen_append_stiff(s->motion, r, s->record.h, s->record.rates);
    const int springs = r->count - count;
    r->count = count;
    if (springs == 0) return TML_OK;
    return tml__fail(why, TML_UNSUPPORTED,
                     "%d springs along paths, at balls or across loops: taken at the end of a step "
                     "they have no derivatives in generalized coordinates yet (they have in "
                     "'semi_implicit_euler')",
                     springs);
}

tml_status tml__gen_step_rows_at(gen_step_rows* s, const gen_rows_record* record, message* why)
{
    s->record = *record;
    tml_status status = factor(s, why);
    if (status == TML_OK) status = check_springs(s, why);
    return status == TML_OK ? list_closings(s, why) : status;
}

// ---- push

static gen_rows_point forces_point(gen_step_rows* s)
{
    const gen_rows_record* record = &s->record;
    for (int k = 0; k < s->motion->tree->column_count; k++) {
        s->w[k] = record->rates_pushed[k] - record->rates[k];
        s->flow[k] = s->w[k] / record->h;
    }
    for (int i = 0; i < s->motion->s->row_count; i++) s->lambda[i] = record->impulse[i] / record->h;
    return (gen_rows_point){.numbers = record->numbers,
                            .rates = record->rates,
                            .accelerations = s->flow,
                            .view = {.has_inertia = true,
                                     .is_still = s->carry != NULL,
                                     .is_forced = true,
                                     .lambda = s->lambda}};
}

// The rows of the push: at the end of the move, or at its start along the new rates.
static gen_rows_point rows_of_push(const gen_step_rows* s)
{
    const gen_rows_record* record = &s->record;
    gen_rows_point at = {.numbers = pushed_numbers(record),
                         .rates = s->zero,
                         .view = {.level = {1.0 / record->h, 0.0, 0.0}}};
    if (!record->has_new_rates) {
        at.numbers = record->numbers;
        at.rates = record->rates_pushed;
        at.view.level[1] = 1.0;
        at.is_held = true;
    }
    return at;
}

// What dampers and springs at the end of the step say beside the forces at its start.
static void beside_forces(gen_step_rows* s, partial_direction way, const gen_rows_numbers* x,
                          double* r)
{
    const double h = s->record.h;
    const int n = s->motion->tree->column_count;
    const gen_column_scales beside = {.damping = h,
                                      .spring = s->motion->is_implicit ? h * h : 0.0,
                                      .w = s->w,
                                      .w_spring = s->record.rates_pushed};
    tml__gen_column_product(s->motion, &beside, way, &x->in, r);
    for (int k = 0; k < n; k++) {
        const double slope = h * s->motion->damping[k];
        if (way == PARTIAL_FORWARD) {
            r[k] += slope * x->rates[k];
        } else {
            x->rates[k] += slope * r[k];
        }
    }
    if (s->motion->is_carried) {
        const gen_column_change change = {.positions = x->positions};
        const gen_rows_point springs = {.numbers = s->record.numbers,
                                        .rates = s->record.rates_pushed,
                                        .view = {.springing = h}};
        tml__gen_rows_carry(s, way, &springs, &change, &x->in, -1.0, r);
    }
    if (!s->has_dampers) return;
    const gen_rows_point dampers = {
        .numbers = s->record.numbers, .rates = s->w, .view = {.damping = h}};
    double* rates = s->flow;
    for (int k = 0; k < n; k++) rates[k] = way == PARTIAL_FORWARD ? -x->rates[k] : 0.0;
    const gen_column_change change = {.positions = x->positions, .rates = rates};
    tml__gen_rows_carry(s, way, &dampers, &change, &x->in, -1.0, r);
    for (int k = 0; k < n && way == PARTIAL_BACKWARD; k++) x->rates[k] -= rates[k];
}

static void push_forward(gen_step_rows* s, const gen_rows_numbers* x)
{
    const gen_rows_record* record = &s->record;
    const gen_tree* t = s->motion->tree;
    const int n = t->column_count;
    const double h = record->h;
    const gen_rows_point forces = forces_point(s);
    const gen_rows_point rows = rows_of_push(s);
    double* back = s->q1;  // free until the push has been made
    for (int k = 0; k < n; k++) back[k] = -x->rates[k] / h;
    memset(s->r, 0, (size_t)n * sizeof *s->r);
    const gen_column_change change = {
        .positions = x->positions, .rates = x->rates, .accelerations = back};
    tml__gen_rows_carry(s, PARTIAL_FORWARD, &forces, &change, &x->in, -h, s->r);
    beside_forces(s, PARTIAL_FORWARD, x, s->r);

    gen_column_change moved = {.positions = x->positions};
    if (record->has_new_rates) {
        memset(s->u1, 0, (size_t)n * sizeof *s->u1);
        tml__gen_move_product(t, true, record->rates_pushed, h, x->positions, s->u1, s->q1);
        moved.positions = s->q1;
    }
    tml__gen_rows_carry(s, PARTIAL_FORWARD, &rows, &moved, &x->in, 0.0, s->u1);
    gather(s);
    tml__gen_border_solve(&s->border, s->r, s->g, 1);
    memcpy(s->u1, s->r, (size_t)n * sizeof *s->r);
    if (s->carry != NULL) return;
    tml__gen_move_product(t, true, record->has_new_rates ? record->rates_pushed : record->rates, h,
                          x->positions, record->has_new_rates ? s->u1 : x->rates, s->q1);
}

static void add_multipliers(const gen_step_rows* s)
{
    const gen_border* b = &s->border;
    for (int k = 0; k < b->count; k++) s->multipliers[b->row[k]] += b->rest[k];
}

// Gradients by the impulses of the border's rows, as those by another right-hand side: with y the solution
// for l alone, f = -A^-1 (g + J M^-1 r) gives l += -J^T A^-T p and rest -= A^-T p, done in one solve.
static void solve_back(gen_step_rows* s, double* x, bool has_multipliers)
{
    gen_border* b = &s->border;
    if (!has_multipliers || b->count == 0) {
        tml__gen_border_solve_transposed(b, x, NULL);
        return;
    }
    // nu = A^-T (K^T M^-1 l + p)
    for (int k = 0; k < b->count; k++) {
        const double* MK = b->MK + (size_t)k * b->n;
        b->rest[k] = s->multipliers[b->row[k]];
        for (size_t j = 0; j < b->n; j++) b->rest[k] += MK[j] * x[j];
    }
    tml__lu_solve_transposed(b->count, b->A, b->count, b->pivot, b->rest);
    for (int k = 0; k < b->count; k++) {
        for (size_t j = 0; j < b->n; j++) x[j] -= b->rest[k] * b->J[(size_t)k * b->n + j];
        b->rest[k] = -b->rest[k];
    }
    tml__gen_solve(b->tree, x);
}

// What the border was left with; a border without rows has no place for it.
static void take_rest(gen_step_rows* s)
{
    for (int k = 0; k < s->border.count; k++) s->g[k] = s->border.rest[k];
}

// Gradients by q1 and u1 are used up.
static void push_backward(gen_step_rows* s, const gen_rows_numbers* x)
{
    const gen_rows_record* record = &s->record;
    const gen_tree* t = s->motion->tree;
    const int n = t->column_count;
    const double h = record->h;
    if (s->carry == NULL) {
        tml__gen_move_product(t, false,
                              record->has_new_rates ? record->rates_pushed : record->rates, h,
                              x->positions, record->has_new_rates ? s->u1 : x->rates, s->q1);
    }
    memcpy(s->r, s->u1, (size_t)n * sizeof *s->r);
    solve_back(s, s->r, x->multipliers != NULL);
    take_rest(s);

    const gen_rows_point rows = rows_of_push(s);
    gen_column_change moved = {.positions = x->positions};
    memset(s->q1, 0, (size_t)n * sizeof *s->q1);
    if (record->has_new_rates) moved.positions = s->q1;
    scatter(s, s->g);
    tml__gen_rows_carry(s, PARTIAL_BACKWARD, &rows, &moved, &x->in, 0.0, s->r);
    if (record->has_new_rates) {
        memset(s->u1, 0, (size_t)n * sizeof *s->u1);
        tml__gen_move_product(t, false, record->rates_pushed, h, x->positions, s->u1, s->q1);
    }
    const gen_rows_point forces = forces_point(s);
    memset(s->q1, 0, (size_t)n * sizeof *s->q1);
    const gen_column_change gradient = {
        .positions = x->positions, .rates = x->rates, .accelerations = s->q1};
    tml__gen_rows_carry(s, PARTIAL_BACKWARD, &forces, &gradient, &x->in, -h, s->r);
    for (int k = 0; k < n; k++) x->rates[k] -= s->q1[k] / h;
    beside_forces(s, PARTIAL_BACKWARD, x, s->r);
}

// ---- the push of a step that touches, closed

// The rows push with what they add, at the start.
static gen_rows_point added_point(gen_step_rows* s)
{
    const gen_rows_record* record = &s->record;
    for (int k = 0; k < s->motion->tree->column_count; k++) {
        s->w[k] = record->rates_pushed[k] - record->rates_touched[k];
    }
    for (int i = 0; i < s->motion->s->row_count; i++) {
        s->lambda[i] = record->impulse[i] - record->impulse_touched[i];
    }
    return (gen_rows_point){
        .numbers = record->numbers, .rates = s->zero, .view = {.lambda = s->lambda}};
}

static void close_push_forward(gen_step_rows* s, const gen_rows_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    const gen_rows_record* record = &s->record;
    const gen_border* b = &s->border;
    const gen_rows_point rows = rows_of_push(s);
    const gen_rows_point added = added_point(s);
    const gen_column_change change = {.positions = x->positions};
    const gen_column_change moved = {.positions = s->q1};
    memset(s->r, 0, (size_t)t->column_count * sizeof *s->r);
    metric(s, PARTIAL_FORWARD, s->w, x->positions, &x->in, s->r);
    tml__gen_rows_carry(s, PARTIAL_FORWARD, &added, &change, &x->in, -1.0, s->r);
    tml__gen_move_product(t, true, record->rates_pushed, record->h, x->positions, s->u1, s->q1);
    tml__gen_rows_carry(s, PARTIAL_FORWARD, &rows, &moved, &x->in, 0.0, s->flow);
    gather(s);
    for (int k = 0; k < b->count; k++) s->g[k] += b->give[k] * s->multipliers[b->row[k]];
    tml__gen_border_solve(&s->border, s->r, s->g, 1);
    add_multipliers(s);
    for (int k = 0; k < t->column_count; k++) s->u1[k] += s->r[k];
    tml__gen_move_product(t, true, record->rates_pushed, record->h, x->positions, s->u1, s->q1);
}

static void close_push_backward(gen_step_rows* s, const gen_rows_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    const gen_rows_record* record = &s->record;
    const gen_border* b = &s->border;
    const size_t bytes = (size_t)t->column_count * sizeof(double);
    const gen_rows_point rows = rows_of_push(s);
    const gen_column_change change = {.positions = x->positions};
    const gen_column_change moved = {.positions = s->q1};
    tml__gen_move_product(t, false, record->rates_pushed, record->h, x->positions, s->u1, s->q1);
    memcpy(s->r, s->u1, bytes);
    solve_back(s, s->r, true);
    take_rest(s);
    for (int k = 0; k < b->count; k++) s->multipliers[b->row[k]] += b->give[k] * s->g[k];
    scatter(s, s->g);
    memset(s->q1, 0, bytes);
    tml__gen_rows_carry(s, PARTIAL_BACKWARD, &rows, &moved, &x->in, 0.0, s->r);
    tml__gen_move_product(t, false, record->rates_pushed, record->h, x->positions, s->u1, s->q1);
    const gen_rows_point added = added_point(s);
    tml__gen_rows_carry(s, PARTIAL_BACKWARD, &added, &change, &x->in, -1.0, s->r);
    metric(s, PARTIAL_BACKWARD, s->w, x->positions, &x->in, s->r);
}

tml_status tml__gen_close_product(gen_step_rows* s, partial_direction way,
                                  const gen_rows_record* record, const gen_rows_numbers* x,
                                  message* why)
{
    s->record = *record;
    const tml_status status = open_push(s, why);
    if (status != TML_OK) return status;
    if (way == PARTIAL_FORWARD) {
        close_push_forward(s, x);
    } else {
        close_push_backward(s, x);
    }
    return TML_OK;
}

// ---- close

static gen_rows_point closing_point(const gen_closing* c)
{
    return (gen_rows_point){.numbers = c->x,
                            .rates = c->w,
                            .view = {.lambda = c->push, .level = {1.0, 1.0, 0.0}},
                            .is_held = true};
}

// Positions `at` in place; `start`: those before the step.
static tml_status close_one(gen_step_rows* s, partial_direction way, const gen_closing* c,
                            const gen_rows_numbers* x, double* at, message* why)
{
    const gen_tree* t = s->motion->tree;
    const size_t bytes = (size_t)t->column_count * sizeof(double);
    const gen_rows_point rows = closing_point(c);
    const gen_column_change change = {.positions = at};
    const tml_status status = open_rows(s, c->x, s->zero, false, 0.0, why);
    if (status != TML_OK) return status;
    if (way == PARTIAL_FORWARD) {
        memset(s->r, 0, bytes);
        metric(s, way, c->w, x->positions, &x->in, s->r);
        tml__gen_rows_carry(s, way, &rows, &change, &x->in, -1.0, s->r);
        gather(s);
        tml__gen_border_solve(&s->border, s->r, s->g, 1);
        tml__gen_move_product(t, true, c->w, 1.0, at, s->r, s->flow);
        memcpy(at, s->flow, bytes);
        return TML_OK;
    }
    memcpy(s->flow, at, bytes);
    memset(at, 0, bytes);
    memset(s->r, 0, bytes);
    tml__gen_move_product(t, false, c->w, 1.0, at, s->r, s->flow);
    tml__gen_border_solve_transposed(&s->border, s->r, NULL);
    take_rest(s);
    scatter(s, s->g);
    tml__gen_rows_carry(s, way, &rows, &change, &x->in, -1.0, s->r);
    metric(s, way, c->w, x->positions, &x->in, s->r);
    return TML_OK;
}

// ---- settle

static gen_rows_point settled_point(const gen_step_rows* s)
{
    return (gen_rows_point){
        .numbers = s->record.numbers_after,
        .rates = s->record.rates_after,
        .view = {.lambda = s->record.impulse_settled, .level = {0.0, 1.0, 0.0}}};
}

static tml_status open_settled(gen_step_rows* s, message* why)
{
    for (int k = 0; k < s->motion->tree->column_count; k++) {
        s->w[k] = s->record.rates_after[k] - s->record.rates_pushed[k];
    }
    return open_rows(s, s->record.numbers_after, s->record.rates_after, false, 0.0, why);
}

// Rates after the step, by q2, u1 and what is before it.
static tml_status settle_forward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    const int n = s->motion->tree->column_count;
    const gen_rows_point rows = settled_point(s);
    const tml_status status = open_settled(s, why);
    if (status != TML_OK) return status;
    memset(s->r, 0, (size_t)n * sizeof *s->r);
    metric(s, PARTIAL_FORWARD, s->w, x->positions, &x->in, s->r);
    const gen_column_change change = {.positions = s->q2, .rates = s->u1};
    tml__gen_rows_carry(s, PARTIAL_FORWARD, &rows, &change, &x->in, -1.0, s->r);
    gather(s);
    tml__gen_border_solve(&s->border, s->r, s->g, 1);
    add_multipliers(s);
    for (int k = 0; k < n; k++) x->rates_after[k] = s->u1[k] + s->r[k];
    return TML_OK;
}

static tml_status settle_backward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    const int n = s->motion->tree->column_count;
    const gen_rows_point rows = settled_point(s);
    const tml_status status = open_settled(s, why);
    if (status != TML_OK) return status;
    memcpy(s->r, x->rates_after, (size_t)n * sizeof *s->r);
    for (int k = 0; k < n; k++) s->u1[k] += x->rates_after[k];
    solve_back(s, s->r, x->multipliers != NULL);
    take_rest(s);
    scatter(s, s->g);
    const gen_column_change gradient = {.positions = s->q2, .rates = s->u1};
    tml__gen_rows_carry(s, PARTIAL_BACKWARD, &rows, &gradient, &x->in, -1.0, s->r);
    metric(s, PARTIAL_BACKWARD, s->w, x->positions, &x->in, s->r);
    return TML_OK;
}

// ---- a step

void tml__gen_rows_forward(gen_step_rows* s, double* r)
{
    gather(s);
    tml__gen_border_solve(&s->border, r, s->g, 1);
    add_multipliers(s);
}

void tml__gen_rows_backward(gen_step_rows* s, double* r, bool has_multipliers)
{
    solve_back(s, r, has_multipliers);
    if (s->border.count > 0) {
        take_rest(s);
    }
    scatter(s, s->g);
}

tml_status tml__gen_rows_open(gen_step_rows* s, const double* numbers, const double* rates,
                              message* why)
{
    return open_rows(s, numbers, rates, false, 0.0, why);
}

// From q1, u1 to positions and rates after the step.
static tml_status end_forward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    const size_t bytes = (size_t)s->motion->tree->column_count * sizeof(double);
    tml_status status = TML_OK;
    memcpy(s->q2, s->q1, bytes);
    for (int k = 0; k < s->closing_count && status == TML_OK; k++) {
        status = close_one(s, PARTIAL_FORWARD, &s->closing[k], x, s->q2, why);
    }
    if (status == TML_OK && s->carry != NULL) {
        status = tml__gen_carry_end_product(s->carry, PARTIAL_FORWARD, &x->in,
                                            s->record.numbers_after, s->q2, x->rates_after, why);
    } else if (status == TML_OK) {
        status = settle_forward(s, x, why);
    }
    if (status == TML_OK) memcpy(x->positions_after, s->q2, bytes);
    return status;
}

// And back.
static tml_status end_backward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    const size_t bytes = (size_t)s->motion->tree->column_count * sizeof(double);
    memcpy(s->q2, x->positions_after, bytes);
    memset(s->u1, 0, bytes);
    tml_status status = TML_OK;
    if (s->carry == NULL) {
        status = settle_backward(s, x, why);
    } else {
        status = tml__gen_carry_end_product(s->carry, PARTIAL_BACKWARD, &x->in,
                                            s->record.numbers_after, s->q2, x->rates_after, why);
        if (status == TML_OK) status = tml__gen_carry_stand(s->carry, why);
    }
    for (int k = s->closing_count - 1; k >= 0 && status == TML_OK; k--) {
        status = close_one(s, PARTIAL_BACKWARD, &s->closing[k], x, s->q2, why);
    }
    memcpy(s->q1, s->q2, bytes);
    return status;
}

tml_status tml__gen_settle_product(gen_step_rows* s, partial_direction way,
                                   const gen_rows_record* record, const gen_rows_numbers* x,
                                   message* why)
{
    const size_t bytes = (size_t)s->motion->tree->column_count * sizeof(double);
    s->record = *record;
    tml_status status = list_closings(s, why);
    if (status != TML_OK) return status;
    if (way == PARTIAL_FORWARD) {
        memcpy(s->q1, x->positions_after, bytes);
        memcpy(s->u1, x->rates_after, bytes);
        return end_forward(s, x, why);
    }
    status = end_backward(s, x, why);
    memcpy(x->positions_after, s->q1, bytes);
    memcpy(x->rates_after, s->u1, bytes);
    return status;
}

tml_status tml__gen_step_rows_forward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    const int rows = s->motion->s->row_count;
    memset(s->multipliers, 0, (size_t)rows * sizeof *s->multipliers);
    tml_status status = s->carry != NULL ? factor(s, why) : TML_OK;
    if (status == TML_OK) status = open_push(s, why);
    if (status != TML_OK) return status;
    push_forward(s, x);
    add_multipliers(s);
    if (s->carry != NULL) {
        status = tml__gen_carry_move_product(s->carry, PARTIAL_FORWARD, &x->in, x->positions, s->u1,
                                             s->q1, why);
    }
    if (status == TML_OK) status = end_forward(s, x, why);
    for (int i = 0; i < rows && x->multipliers != NULL; i++) {
        x->multipliers[i] = s->multipliers[i] / s->record.h;
    }
    return status;
}

tml_status tml__gen_step_rows_backward(gen_step_rows* s, const gen_rows_numbers* x, message* why)
{
    for (int i = 0; i < s->motion->s->row_count; i++) {
        s->multipliers[i] = x->multipliers != NULL ? x->multipliers[i] / s->record.h : 0.0;
    }
    tml_status status = end_backward(s, x, why);
    if (status == TML_OK && s->carry != NULL) {
        status = tml__gen_carry_move_product(s->carry, PARTIAL_BACKWARD, &x->in, x->positions,
                                             s->u1, s->q1, why);
        if (status == TML_OK) status = factor(s, why);
    }
    if (status == TML_OK) status = open_push(s, why);
    if (status == TML_OK) push_backward(s, x);
    return status;
}
