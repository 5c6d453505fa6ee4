// method/generalized/method.c - steps in joint coordinates.                             [DCON Sec III]
//
// What is kept beside poses and rates of the bodies: the position numbers of the tree, its rates,
// and the accelerations of the last step, from which the loads of the tree's joints follow when
// somebody asks for them.
#include "method/generalized/method.h"

#include "method/generalized/tangent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    RK_STAGES = 4
};

typedef struct generalized {
    gen_motion* motion;
    gen_touch* touch;            // NULL: nothing touches
    double* numbers;             // of a stage
    double* rates;               //
    double* slope_q[RK_STAGES];  // time derivatives of the numbers at the stages
    double* slope_v[RK_STAGES];  // and of the rates
    double* lambda;              // of a stage
    double* won;                 // rates before anything was taken off them (sim/island.h)
    generalized_record record;   // of the last step
    tml_allocator allocator;
} generalized;

typedef generalized_kept kept;

static kept parts_of(const generalized* g, double* own)
{
    const gen_tree* t = g->motion->tree;
    double* rates = own + t->number_count;
    return (kept){own, rates, rates + t->column_count};
}

gen_motion* tml__generalized_motion(const tml_sim* sim)
{
    return ((const generalized*)sim->work)->motion;
}

gen_touch* tml__generalized_touch(const tml_sim* sim)
{
    return ((const generalized*)sim->work)->touch;
}

double* tml__generalized_won(const tml_sim* sim) { return ((const generalized*)sim->work)->won; }

generalized_kept tml__generalized_parts_of(const tml_sim* sim, double* own)
{
    return parts_of(sim->work, own);
}

generalized_record tml__generalized_record_of(const tml_sim* sim)
{
    const generalized* g = sim->work;
    generalized_record out = g->record;
    out.settled = g->lambda;
    for (int k = 0; k < RK_STAGES; k++) {
        out.slope_q[k] = g->slope_q[k];
        out.slope_v[k] = g->slope_v[k];
    }
    return out;
}

static size_t own_width(const tml_sim* sim)
{
    const generalized* g = sim->work;
    return (size_t)g->motion->tree->number_count + 2 * (size_t)g->motion->tree->column_count;
}

// ---- creation

typedef struct request {
    void* where;
    size_t count;
} request;

enum {
    REQUESTS = 2 * RK_STAGES + 7
};

static int list_requests(generalized* g, size_t rows, request list[REQUESTS])
{
    const gen_tree* t = g->motion != NULL ? g->motion->tree : NULL;
    const size_t numbers = t != NULL ? (size_t)t->number_count : 0;
    const size_t columns = t != NULL ? (size_t)t->column_count : 0;
    int count = 0;
    list[count++] = (request){&g->numbers, numbers};
    list[count++] = (request){&g->rates, columns};
    list[count++] = (request){&g->lambda, rows};
    list[count++] = (request){&g->won, columns};
    list[count++] = (request){&g->record.numbers, numbers};
    list[count++] = (request){&g->record.rates, columns};
    list[count++] = (request){&g->record.impulse, rows};
    for (int k = 0; k < RK_STAGES; k++) {
        list[count++] = (request){&g->slope_q[k], numbers};
        list[count++] = (request){&g->slope_v[k], columns};
    }
    return count;
}

static tml_status check_settings(tml_sim* sim)
{
    if (sim->settings.solver != TML_SOLVER_AUTO) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "solver '%s' is not one of formulation 'generalized', which brings its "
                         "own: leave it at 'auto'",
                         tml_solver_name(sim->settings.solver));
    }
    if (sim->settings.implicit.baumgarte > 0.0) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "baumgarte is not honoured by formulation 'generalized', whose joints do "
                         "not drift");
    }
    return TML_OK;
}

static tml_status create_touch(tml_sim* sim, int max_contacts, gen_touch** out)
{
    const generalized* g = sim->work;
    const gen_touch_settings settings = {.max_contacts = max_contacts,
                                         .stiffness = sim->settings.contact.stiffness,
                                         .margin = sim->contacts->margin,
                                         .sweeps = sim->settings.contact.pgs_iterations};
    return tml__gen_touch_create(g->motion, &settings, &sim->settings.allocator, &sim->why, out);
}

static tml_status create(tml_sim* sim)
{
    const tml_status checked = check_settings(sim);
    if (checked != TML_OK) return checked;
    const tml_allocator* allocator = &sim->settings.allocator;
    generalized* g = tml__allocate(allocator, 1, sizeof *g);
    if (g == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    g->allocator = *allocator;
    sim->work = g;

    const tml_integrator integrator = sim->settings.integrator;
    const bool is_carried = integrator == TML_TIME_PROJECTED;
    const gen_motion_settings settings = {.has_contact = sim->contacts != NULL,
                                          .is_implicit = integrator == TML_TIME_BDF1 || is_carried,
                                          .is_carried = is_carried,
                                          .step = sim->settings.step};
    tml_status status =
        tml__gen_motion_create(sim->system, &settings, allocator, &sim->why, &g->motion);
    if (status == TML_OK && sim->contacts != NULL) {
        sim->owns_limits = true;
        status = create_touch(sim, sim->contacts->capacity, &g->touch);
    }
    if (status != TML_OK) return status;
    request list[REQUESTS];
    const int count = list_requests(g, (size_t)sim->system->row_count, list);
    for (int i = 0; i < count; i++) {
        void* memory = tml__allocate(allocator, list[i].count, sizeof(double));
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    return TML_OK;
}

static void destroy(tml_sim* sim)
{
    generalized* g = sim->work;
    if (g == NULL) return;
    const tml_allocator allocator = g->allocator;
    request list[REQUESTS];
    const int count = list_requests(g, 0, list);
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(&allocator, memory);
    }
    tml__gen_touch_destroy(g->touch);
    tml__gen_motion_destroy(g->motion);
    tml__release(&allocator, g);
    sim->work = NULL;
}

// ---- a history begins

// After an impact the accelerations are those of the step that met it; elsewhere those of the
// state.
static tml_status begin(tml_sim* sim, const sim_state* from, double* own)
{
    generalized* g = sim->work;
    const gen_tree* t = g->motion->tree;
    const kept to = parts_of(g, own);

    tml__maximal_place(sim->system, from->q, from->v);
    tml__gen_read(t, sim->system, to.numbers, to.rates);
    if (from->q == sim->next.q) {
        const kept before = parts_of(g, step_own(sim));
        for (int k = 0; k < t->column_count; k++) {
            to.accelerations[k] = (to.rates[k] - before.rates[k]) / step_h(sim);
        }
        return TML_OK;
    }
    const tml_status status =
        tml__gen_accelerate(g->motion, to.numbers, to.rates, to.accelerations, g->lambda);
    return tml__gen_describe_failure(g->motion, status, &sim->why);
}

// Stages of rk4 need no accelerations at the end of the step, and a tree without rows has no
// multipliers to keep: who asks for loads has them found then.
static bool finds_accelerations_late(const tml_sim* sim)
{
    const generalized* g = sim->work;
    return sim->settings.integrator == TML_TIME_RK4 && g->touch == NULL && g->motion->rows == NULL;
}

// Those of the tree's own rows follow from what its joints transmit.
static tml_status multipliers(tml_sim* sim, double* lambda)
{
    generalized* g = sim->work;
    const kept now = parts_of(g, step_own(sim));
    const double* accelerations = now.accelerations;
    if (finds_accelerations_late(sim)) {
        double* found = g->slope_v[0];
        const tml_status status =
            tml__gen_accelerate(g->motion, now.numbers, now.rates, found, g->lambda);
        if (status != TML_OK) return tml__gen_describe_failure(g->motion, status, &sim->why);
        accelerations = found;
    }
    tml__gen_complete(g->motion, now.numbers, now.rates, accelerations, lambda);
    return TML_OK;
}

static const char* solver_name(const tml_sim* sim)
{
    const generalized* g = sim->work;
    return g->motion->rows != NULL ? "tree_rows" : "tree";
}

static const char* time_of(tml_integrator integrator)
{
    if (integrator == TML_TIME_RK4)
        return "four accelerations a step, and one at its end where rows or loads ask for it";
    return "one impulse a step, by the forces at its start and the targets at its end";
}

static void explain(const tml_sim* sim, char* text, size_t capacity)
{
    const gen_motion* m = ((const generalized*)sim->work)->motion;
    const gen_tree* t = m->tree;
    int depth = 0;
    int roots = 0;
    for (int k = 0; k < t->column_count; k++) depth = t->depth[k] > depth ? t->depth[k] : depth;
    for (int b = 0; b < t->body_count; b++) roots += t->bodies[b].joint < 0;

    int used = snprintf(text, capacity,
                        "unknowns  generalized: %d rates of joint coordinates in a tree of %d "
                        "bodies, at most %d deep, %d of them flying roots\n"
                        "time      %s, step %g s: %s\n",
                        t->column_count, t->body_count, t->column_count > 0 ? depth + 1 : 0, roots,
                        tml_integrator_name(sim->settings.integrator), step_h(sim),
                        time_of(sim->settings.integrator));
    if (used < 0 || (size_t)used >= capacity) return;
    if (sim->contacts != NULL) {
        used += snprintf(text + used, capacity - (size_t)used,
                         "contact   room for %d, seen from %g m; one complementarity problem with "
                         "loops, drives and limits, solved exactly\n",
                         sim->contacts->capacity, sim->contacts->margin);
        if ((size_t)used >= capacity) return;
    }
    if (m->rows == NULL) {
        snprintf(text + used, capacity - (size_t)used,
                 "solver    tree: articulated bodies, leaf to root and back, no matrix\n");
        return;
    }
    snprintf(text + used, capacity - (size_t)used,
             "rows      at most %d that the tree does not hold by itself: loops, drives, couplings "
             "and limits; closed to %g (m, rad) every step, at most %d iterations\n"
             "solver    tree_rows: mass matrix of %zu entries factored without fill, then a "
             "pivoted Cholesky of the rows\n",
             m->rows->capacity, sim->settings.tolerance, sim->settings.max_iterations,
             t->mass_entries);
}

static tml_status reserve(tml_sim* sim, int max_contacts)
{
    generalized* g = sim->work;
    gen_touch* larger = NULL;
    tml_status status = create_touch(sim, max_contacts, &larger);
    if (status == TML_OK) {
        status = tml__contacts_reserve(sim->contacts, max_contacts, &sim->why);
    }
    if (status != TML_OK) {
        tml__gen_touch_destroy(larger);
        return status;
    }
    tml__gen_touch_destroy(g->touch);
    g->touch = larger;
    return TML_OK;
}

const form_parts tml__generalized_parts = {
    .past_kept = 1,
    .has_matrix = true,
    .contact = FORM_CONTACT_OWN,
    .judges_limits_by_step = true,
    .own_width = own_width,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .multipliers = multipliers,
    .solver_name = solver_name,
    .explain = explain,
    .reserve = reserve,
    .linear = &tml__generalized_linear,
};

// ---- steps

// Close the rows at the end of the step and tell the state.
static tml_status finish(tml_sim* sim, const kept* next, double* impulse)
{
    generalized* g = sim->work;
    const newton_settings settings = {.tolerance = sim->settings.tolerance,
                                      .max_iterations = sim->settings.max_iterations,
                                      .min_consistency = 0.1};
    newton_report report;
    if (g->motion->rows != NULL || g->motion->carry != NULL) {
        const gen_tree* t = g->motion->tree;
        memcpy(g->record.numbers, next->numbers, (size_t)t->number_count * sizeof(double));
        memcpy(g->record.rates, next->rates, (size_t)t->column_count * sizeof(double));
        memcpy(g->record.impulse, impulse, (size_t)sim->system->row_count * sizeof(double));
    }
    const bool is_carried = g->motion->carry != NULL;
    tml_status status =
        is_carried
            ? tml__gen_settle_numbers(g->motion, &settings, next->numbers, &report)
            : tml__gen_settle(g->motion, &settings, next->numbers, next->rates, impulse, &report);
    tml__sim_count_newton(sim, &report);
    if (status != TML_OK) return tml__sim_describe_stall(sim, status, &report);
    if (is_carried) {
        status = tml__gen_carry_end(g->motion, next->numbers, next->rates, impulse);
        if (status != TML_OK) return tml__gen_describe_failure(g->motion, status, &sim->why);
    }

    if (is_carried) {
        tml__gen_set_rates(g->motion->tree, next->rates);  // it has been put there
    } else {
        tml__gen_place(g->motion->tree, next->numbers, next->rates);
    }
    tml__gen_flatten(g->motion->tree, sim->next.q, sim->next.v);
    return TML_OK;
}

static int node_of(const tml_sim* sim, int body) { return sim->model->bodies[body].node; }

// Which contacts push: rates, or positions out of overlaps.
static void note_pushes(tml_sim* sim)
{
    const sim_contacts* c = sim->contacts;
    const gen_touch* touch = ((const generalized*)sim->work)->touch;
    bool is_shifted = false;
    for (int k = 0; k < touch->motion->tree->column_count && !is_shifted; k++) {
        is_shifted = touch->shift[k] != 0.0;
    }
    tml__islands_clear(sim->islands);
    for (int i = 0; i < c->found_count; i++) {
        const contact* k = &c->found[i];
        const int row = touch->contact_row[i];
        if (row < 0 || (touch->f[row] == 0.0 && !(is_shifted && touch->f_shift[row] != 0.0))) {
            continue;
        }
        tml__islands_push(sim->islands, node_of(sim, k->body_a), node_of(sim, k->body_b));
    }
}

// Contacts at the start of the step, and the impulses that they, limits and rows make.
static tml_status touch(tml_sim* sim, const kept* now, const kept* next, double* impulse)
{
    generalized* g = sim->work;
    sim_contacts* c = sim->contacts;
    const maximal_system* s = sim->system;
    const double h = step_h(sim);
    const gen_touch_past past = {.labels = c->labels,
                                 .sides = sim->sides,
                                 .impulses = c->forces,
                                 .multipliers = step_lambda(sim)};

    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    tml_status status = tml__contacts_detect(c, s->bodies, &sim->why);
    if (status != TML_OK) return status;
    if (c->found_count > 0) tml__islands_note(sim);
    for (int i = 0; i < 3 * c->found_count; i++) c->forces[i] *= h;
    status = tml__gen_touch_impulse(g->touch, c->found, c->found_count, h, c->margin, &past,
                                    now->numbers, next->rates, impulse, &sim->why);
    if (status != TML_OK) return status;
    note_pushes(sim);

    static const unsigned char off[3] = {LCP_OFF, LCP_OFF, LCP_OFF};
    tml__contacts_clear_next(c);
    for (int i = 0; i < c->found_count; i++) {
        contact_fetch(c->found, i, c->found_count);
        const vec3 force = v3_scale(1.0 / h, tml__gen_touch_force(g->touch, c->found, i));
        const int row = g->touch->contact_row[i];
        const unsigned char* labels = row >= 0 ? &g->touch->labels[row] : off;
        tml__contacts_keep(c, i, force, s->bodies, labels, 1 + g->touch->friction_rows[i]);
        sim->report.max_penetration = fmax(sim->report.max_penetration, -c->found[i].gap);
    }
    const lcp_report* report = &g->touch->report;
    sim->report.contact_problems += report->islands;
    sim->report.contact_hits += report->solved_by[LCP_BY_PREVIOUS];
    sim->report.contact_unpolished += report->unpolished;
    sim->report.fast_contacts += g->touch->fast_contacts;
    tml__contacts_note_fast(c, &sim->report);
    sim->report.max_complementarity = fmax(sim->report.max_complementarity, report->residual);
    return TML_OK;
}

static tml_status push(tml_sim* sim, const kept* now, const kept* next, double* impulse)
{
    generalized* g = sim->work;
    if (g->touch != NULL) return touch(sim, now, next, impulse);
    const tml_status status =
        tml__gen_impulse(g->motion, step_h(sim), now->numbers, next->rates, impulse);
    return tml__gen_describe_failure(g->motion, status, &sim->why);
}

// The rows that the impulse went through; NULL: the tree holds everything by itself.
static gen_rows* rows_of(const generalized* g)
{
    return g->touch != NULL ? g->touch->rows : g->motion->rows;
}

static tml_status move(tml_sim* sim, const kept* now, const kept* next, bool has_new_rates,
                       double* impulse)
{
    generalized* g = sim->work;
    const double h = step_h(sim);
    gen_rows* rows = rows_of(g);
    if (g->motion->carry != NULL) {
        const tml_status status =
            tml__gen_carry_move(g->motion, h, now->numbers, next->rates, next->numbers);
        return tml__gen_describe_failure(g->motion, status, &sim->why);
    }
    if (has_new_rates && rows != NULL && rows->count > 0) {
        tml__gen_close(g->motion, rows, h, sim->settings.tolerance, now->numbers, next->rates,
                       next->numbers, impulse);
        return TML_OK;
    }
    tml__gen_move(g->motion->tree, now->numbers, has_new_rates ? next->rates : now->rates, h,
                  next->numbers);
    return TML_OK;
}

// Limits are judged by what moved the numbers: what stops rates at the end keeps all at rest that has met its limit,
// and may pull at one of several.
static void note_limits(tml_sim* sim, const double* pushes)
{
    const maximal_system* s = sim->system;
    for (int i = 0; i < s->limit_count; i++) sim->limit_push[i] = pushes[s->limits[i].row];
}

// What a body's velocity changes by where its island gives back what it has won, about the tree's origin.
static twist taken(const tml_sim* sim, int at)
{
    const gen_tree* t = ((const generalized*)sim->work)->motion->tree;
    const int node = node_of(sim, t->bodies[at].body);
    const touch_island* of = tml__island_of(sim->islands, node);
    if (of == NULL) return tw_zero();
    const double* within = &sim->islands->within[6 * node];
    const vec3 omega = v3_scale(of->share - 1.0, v3_load(within + 3));
    const vec3 v = v3_scale(of->share - 1.0, v3_load(within));
    return (twist){omega, v3_sub(v, v3_cross(omega, v3_sub(t->c[at], t->origin[at])))};
}

// The same in rates. Joints within an island keep its share of theirs, and so do those that ground it; what floats
// keeps its motion as one body, which is told by the columns between it and the world, or another island.
static void withhold(tml_sim* sim, const kept* next)
{
    generalized* g = sim->work;
    gen_tree* t = g->motion->tree;
    memcpy(g->won, next->rates, (size_t)t->column_count * sizeof *g->won);
    if (!tml__islands_withhold(sim)) return;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const touch_island* of = tml__island_of(sim->islands, node_of(sim, b->body));
        const touch_island* in =
            b->parent >= 0 ? tml__island_of(sim->islands, node_of(sim, t->bodies[b->parent].body))
                           : NULL;
        double* rates = next->rates + b->column;
        double change[6];
        if (of == in || (b->parent < 0 && of->is_grounded)) {
            for (int k = 0; k < b->column_count && of != NULL; k++) rates[k] *= of->share;
            continue;
        }
        const twist inwards = b->parent >= 0 ? taken(sim, b->parent) : tw_zero();
        tml__gen_column_rates(t, at, tw_axpy(taken(sim, at), -1.0, inwards), change);
        for (int k = 0; k < b->column_count; k++) rates[k] += change[k];
    }
    tml__gen_place(t, next->numbers, next->rates);
    tml__gen_flatten(t, sim->next.q, sim->next.v);
}

// The rates at the end by the forces at the start; then the numbers, by the new rates (semi-implicit)
// or the old ones.                                                          [DCON (1) Sec IV]
static tml_status euler(tml_sim* sim, const double* controls, bool has_new_rates)
{
    generalized* g = sim->work;
    const gen_tree* t = g->motion->tree;
    const double h = step_h(sim);
    const kept now = parts_of(g, step_own(sim));
    const kept next = parts_of(g, sim->next.own);
    double* impulse = sim->next.lambda;
    g->motion->step = h;

    memset(impulse, 0, (size_t)sim->system->row_count * sizeof(double));
    memcpy(next.rates, now.rates, (size_t)t->column_count * sizeof(double));
    tml__sim_time(sim, h, controls);
    tml_status status = push(sim, &now, &next, impulse);
    if (status != TML_OK) return status;
    note_limits(sim, impulse);
    status = move(sim, &now, &next, has_new_rates, impulse);
    if (status != TML_OK) return status;
    if (g->touch != NULL) tml__gen_move(t, next.numbers, g->touch->shift, 1.0, next.numbers);
    sim->report.newton_iterations++;
    status = finish(sim, &next, impulse);
    if (status != TML_OK) return status;

    for (int row = 0; row < sim->system->row_count; row++) impulse[row] /= h;
    for (int k = 0; k < t->column_count; k++) {
        next.accelerations[k] = (next.rates[k] - now.rates[k]) / h;
    }
    if (g->touch != NULL) withhold(sim, &next);
    return TML_OK;
}

tml_status tml__advance_generalized_semi_implicit(tml_sim* sim, const double* controls)
{
    return euler(sim, controls, true);
}

// A step that meets a limit ends on it, which the old rates cannot do.
tml_status tml__advance_generalized_forward(tml_sim* sim, const double* controls)
{
    return euler(sim, controls, step_is_impact(sim) != 0);
}

static tml_status stage(tml_sim* sim, int k, double dt, const double* controls)
{
    generalized* g = sim->work;
    tml__sim_time(sim, dt, controls);
    const tml_status status =
        tml__gen_accelerate_stage(g->motion, k, g->numbers, g->rates, g->slope_v[k], g->lambda);
    tml__gen_number_rates(g->motion->tree, g->numbers, g->rates, g->slope_q[k]);
    return tml__gen_describe_failure(g->motion, status, &sim->why);
}

static void combine(int count, const double* from, double h, const double* slope, double* to)
{
    for (int i = 0; i < count; i++) to[i] = from[i] + h * slope[i];
}

// Next to a singular pose of a loop the accelerations of one stage may be beyond those of all others: rows do not tell
// them there. They would carry the step to another branch.
static bool has_strayed(const tml_sim* sim)
{
    const generalized* g = sim->work;
    const double outlier = 10.0;
    double largest = 0.0;
    double second = 0.0;
    for (int k = 0; k < RK_STAGES && sim->system->may_be_redundant; k++) {
        double size = 0.0;
        for (int i = 0; i < g->motion->tree->column_count; i++) {
            size = tml__larger(size, g->slope_v[k][i]);
        }
        second = size > largest ? largest : tml__larger(second, size);
        largest = tml__larger(largest, size);
    }
    double fastest = 0.0;
    for (int i = 0; i < g->motion->tree->column_count; i++)
        fastest = tml__larger(fastest, g->rates[i]);
    return largest > outlier * second && step_h(sim) * largest > 0.1 * fastest;
}

// By Euler's method, which looks at the accelerations of one instant, held by the rows of the step.
static tml_status stray_back(tml_sim* sim, const double* controls)
{
    sim->report.fallback_steps++;
    return euler(sim, controls, true);
}

// The classical method of order 4. Quaternions are added like numbers within the step and brought
// back to unit length by whoever places them.
tml_status tml__advance_generalized_rk4(tml_sim* sim, const double* controls)
{
    if (step_is_impact(sim)) return euler(sim, controls, true);
    generalized* g = sim->work;
    const gen_tree* t = g->motion->tree;
    const double h = step_h(sim);
    const double time[RK_STAGES] = {0.0, 0.5 * h, 0.5 * h, h};
    const kept now = parts_of(g, step_own(sim));
    const kept next = parts_of(g, sim->next.own);

    for (int k = 0; k < RK_STAGES; k++) {
        const int last = k > 0 ? k - 1 : 0;
        const double dt = k > 0 ? time[k] : 0.0;
        combine(t->number_count, now.numbers, dt, g->slope_q[last], g->numbers);
        combine(t->column_count, now.rates, dt, g->slope_v[last], g->rates);
        const tml_status status = stage(sim, k, time[k], controls);
        if (status != TML_OK) return status;
    }
    if (has_strayed(sim)) return stray_back(sim, controls);
    static const double weight[RK_STAGES] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    memcpy(next.numbers, now.numbers, (size_t)t->number_count * sizeof(double));
    memcpy(next.rates, now.rates, (size_t)t->column_count * sizeof(double));
    for (int k = 0; k < RK_STAGES; k++) {
        combine(t->number_count, next.numbers, h * weight[k], g->slope_q[k], next.numbers);
        combine(t->column_count, next.rates, h * weight[k], g->slope_v[k], next.rates);
    }
    memset(g->rates, 0, (size_t)t->column_count * sizeof(double));
    tml__gen_move(t, next.numbers, g->rates, 0.0, next.numbers);  // quaternions to unit length
    sim->report.newton_iterations += RK_STAGES;
    memset(g->lambda, 0, (size_t)sim->system->row_count * sizeof(double));
    tml_status status = finish(sim, &next, g->lambda);
    if (status != TML_OK) return status;

    memset(sim->next.lambda, 0, (size_t)sim->system->row_count * sizeof(double));
    memset(next.accelerations, 0, (size_t)t->column_count * sizeof(double));
    note_limits(sim, sim->next.lambda);
    if (finds_accelerations_late(sim)) return TML_OK;

    // multipliers and accelerations of the new state
    status = tml__gen_accelerate(g->motion, next.numbers, next.rates, next.accelerations,
                                 sim->next.lambda);
    note_limits(sim, sim->next.lambda);
    return tml__gen_describe_failure(g->motion, status, &sim->why);
}
