// method/variational/linear.c - steps of the variational formulation as linear maps.   [VMAX (26)-(34)]
//
// A step is one piece, or several where it was divided or composed. A piece is a balance of momenta
// with the Newton matrix A of its solution, rates handed to its end, and what the rows there make of
// them; between pieces only poses and velocities are carried (6 numbers a node each):
//     forwards    A (dx, c_q dlambda) = -(dE, dC),   then the rates
//     backwards   the rates,   A^T z = (g_x, g_lambda / c_q),   g_E = -z_E,   g_C = -z_C
// The multipliers of a state are those of its accelerations; limits are averaged over the step.
#include "diff/contact.h"
#include "diff/start.h"
#include "diff/work.h"
#include "method/variational/method.h"
#include "method/variational/partials.h"

#include <string.h>

enum {
    EXACT_PASSES = 30
};

typedef struct own_work {
    var_tangent tangent;
    double *pose, *velocity;  // 6 a node: what goes from piece to piece
    double *end, *raw;  // 6 a node: at the end of a piece, velocities before the rows had their say
    double* dlambda;    // per row: multipliers of a piece
    double* impulse;    // per row: what settles the rates of its end
    double* handed;     // flat rates that the piece hands to its end
    double* rates;      // flat rates of the finished state
} own_work;

// ---- memory

static void destroy(tml_sim* sim, linear_work* work)
{
    if (work == NULL) return;
    const tml_allocator* allocator = &sim->settings.allocator;
    own_work* own = work->own;
    if (own != NULL) {
        double* const all[] = {own->pose,    own->velocity, own->end,    own->raw,
                               own->dlambda, own->impulse,  own->handed, own->rates};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) tml__release(allocator, all[i]);
        tml__var_tangent_destroy(sim->system, &own->tangent);
        tml__release(allocator, own);
    }
    tml__linear_work_destroy(sim, work);
}

static tml_status create(tml_sim* sim, linear_work** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t six = 6 * (size_t)sim->system->node_count;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t width = (size_t)sim->width;
    const tml_status status = tml__linear_work_create(sim, out);
    if (status != TML_OK) return status;
    own_work* own = tml__allocate(allocator, 1, sizeof *own);
    if (own == NULL) return TML_NO_MEMORY;
    (*out)->own = own;
    double** const all[] = {&own->pose,    &own->velocity, &own->end,    &own->raw,
                            &own->dlambda, &own->impulse,  &own->handed, &own->rates};
    const size_t counts[] = {six, six, six, six, rows, rows, width, width};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = tml__allocate(allocator, counts[i], sizeof(double));
        if (*all[i] == NULL) return TML_NO_MEMORY;
    }
    return tml__var_tangent_create(sim->system, &own->tangent);
}

// ---- one piece

// A piece of the step, as everybody below sees it.
typedef struct piece_point {
    instant at;  // at its end
    const var_piece* piece;
    var_step step;
    own_work* own;
} piece_point;

static void put_solution(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    memcpy(s->x, p->piece->x, (size_t)p->at.sim->width * sizeof(double));
    if (s->row_count == 0) return;
    memcpy(s->lambda, p->piece->lambda, (size_t)s->row_count * sizeof(double));
}

// Targets of an instant of the piece: before a product, and after it.
static instant targets_at(const piece_point* p, double dt)
{
    instant i = p->at;
    i.dt = p->piece->from + dt;
    tml__instant_targets(&i);
    return i;
}

static void start_product(const piece_point* p, double* pose, double* velocity)
{
    const instant i = targets_at(p, 0.0);
    tml__var_start_product(i.sim->work, &p->step, i.way, &i.x->inputs.form, &p->own->tangent, pose,
                           velocity);
    tml__instant_controls(&i);
    // a jolt is a momentum more
    for (int k = 0; k < 6 * i.sim->system->node_count && i.push != NULL; k++) {
        if (i.way == PARTIAL_FORWARD) {
            p->own->tangent.start[k] -= 2.0 / p->piece->h * i.push[k];
        } else {
            i.push[k] -= 2.0 / p->piece->h * p->own->tangent.start[k];
        }
    }
}

static void middle_product(const piece_point* p, const parameter_set* in)
{
    const instant i = targets_at(p, 0.5 * p->piece->h);
    tml__var_middle_product(i.sim->work, &p->step, i.way, in, &p->own->tangent);
    tml__instant_controls(&i);
}

static void row_product(const piece_point* p)
{
    const instant i = targets_at(p, p->piece->h);
    tml__var_row_product(i.sim->work, &p->step, i.way, &i.x->inputs.form, &p->own->tangent,
                         i.work->rows);
    tml__instant_controls(&i);
}

static void hand_product(const piece_point* p, double* pose, double* raw)
{
    double* const motion[3] = {
        [VAR_HAND_POSE] = pose, [VAR_HAND_LAMBDA] = p->own->dlambda, [VAR_HAND_VELOCITY] = raw};
    tml__var_hand_product(p->at.sim->work, &p->step, p->at.way, &p->at.x->inputs.form,
                          &p->own->tangent, p->own->handed, motion);
}

// The solution at hand, its turns and wrenches, and the rates that it hands to its end.
static void look_again(const piece_point* p)
{
    put_solution(p);
    tml__var_end(p->at.sim->work, &p->step, p->own->handed);
}

static tml_status factor(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    put_solution(p);
    tml__var_fill(p->at.sim->work, &p->step);
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    const tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &p->at.sim->why);
}

static tml_status unsolved(const piece_point* p, tml_status status)
{
    if (status == TML_OK) return TML_OK;
    return tml__fail(&p->at.sim->why, status, "a linearised step has no solution");
}

static void clear_tangent(const piece_point* p)
{
    const int six = 6 * p->at.sim->system->node_count;
    const var_tangent* t = &p->own->tangent;
    clear(t->start, six);
    clear(t->middle, six);
    clear(t->middle_pose, six);
    clear(t->middle_rate, six);
}

// pose and velocity in place, from the start of the piece to its end.
static tml_status piece_forward(const piece_point* p, double* pose, double* velocity)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    own_work* own = p->own;
    variational* form = p->at.sim->work;
    const parameter_set* in = &p->at.x->inputs.form;
    const int six = 6 * s->node_count;
    const double c_q = 0.5 * p->piece->h * p->piece->h;

    look_again(p);
    clear_tangent(p);
    clear(w->E, six);
    clear(w->rows, s->row_count);
    start_product(p, pose, velocity);
    tml__var_motion_product(form, &p->step, p->at.way, pose, NULL, &own->tangent);
    middle_product(p, in);
    tml__var_balance_product(form, &p->step, p->at.way, in, &own->tangent, pose, w->E);
    row_product(p);
    tml_status status = factor(p);
    if (status != TML_OK) return status;
    for (int k = 0; k < six; k++) w->E[k] = -w->E[k];
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];
    status = unsolved(p, tml__kkt_solve(s->matrix, w->E, w->rows, own->end, w->dl));
    if (status != TML_OK) return status;
    for (int k = 0; k < s->row_count; k++) own->dlambda[k] = w->dl[k] / c_q;

    // the rest of the middle's motion is that of the end
    clear(own->tangent.middle_pose, six);
    clear(own->tangent.middle_rate, six);
    tml__var_motion_product(form, &p->step, p->at.way, NULL, own->end, &own->tangent);
    middle_product(p, NULL);
    clear(own->raw, six);
    hand_product(p, own->end, own->raw);
    memcpy(pose, own->end, (size_t)six * sizeof *pose);
    return tml__linear_settle(&p->at, p->piece->x, own->handed, pose, own->raw, velocity,
                              own->impulse);
}

// pose and velocity in place, from gradients at the end of the piece to those at its start; own->dlambda
// and own->impulse are gradients that the end has asked for.
static tml_status piece_backward(const piece_point* p, double* pose, double* velocity)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    own_work* own = p->own;
    variational* form = p->at.sim->work;
    const parameter_set* in = &p->at.x->inputs.form;
    const int six = 6 * s->node_count;
    const double c_q = 0.5 * p->piece->h * p->piece->h;

    look_again(p);
    clear(own->raw, six);
    tml_status status = tml__linear_settle(&p->at, p->piece->x, own->handed, pose, own->raw,
                                           velocity, own->impulse);
    if (status != TML_OK) return status;
    clear_tangent(p);
    hand_product(p, pose, own->raw);
    middle_product(p, NULL);
    tml__var_motion_product(form, &p->step, p->at.way, NULL, pose, &own->tangent);

    status = factor(p);
    if (status != TML_OK) return status;
    for (int k = 0; k < s->row_count; k++) w->dl[k] = own->dlambda[k] / c_q;
    status = unsolved(p, tml__kkt_solve_transposed(s->matrix, pose, w->dl, w->E, w->rows));
    if (status != TML_OK) return status;
    for (int k = 0; k < six; k++) w->E[k] = -w->E[k];
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];

    row_product(p);
    clear(pose, six);
    clear(velocity, six);
    tml__var_balance_product(form, &p->step, p->at.way, in, &own->tangent, pose, w->E);
    clear(own->tangent.middle_pose, six);
    clear(own->tangent.middle_rate, six);
    middle_product(p, in);
    tml__var_motion_product(form, &p->step, p->at.way, pose, NULL, &own->tangent);
    start_product(p, pose, velocity);
    return TML_OK;
}

// ---- a whole step

// The pieces of the step, in one block of memory.
typedef struct piece_list {
    int count;
    var_piece* list;
    double* memory;
} piece_list;

static void release_pieces(tml_sim* sim, piece_list* pieces)
{
    tml__release(&sim->settings.allocator, pieces->list);
    tml__release(&sim->settings.allocator, pieces->memory);
}

static tml_status take_pieces(const instant* i, piece_list* out)
{
    tml_sim* sim = i->sim;
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t width = (size_t)sim->width;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t each = 3 * width + rows;
    *out = (piece_list){.count = i->trace->order};
    out->list = tml__allocate(allocator, (size_t)out->count, sizeof *out->list);
    if (out->list == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    if (out->count == 1) {
        out->list[0] = (var_piece){.h = step_h(sim),
                                   .q = step_q(sim),
                                   .v = step_v(sim),
                                   .x = i->trace->x[0],
                                   .lambda = i->trace->lambda[0]};
        return TML_OK;
    }
    out->memory = tml__allocate(allocator, (size_t)out->count * each, sizeof(double));
    if (out->memory == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    for (int k = 0; k < out->count; k++) {
        double* at = out->memory + (size_t)k * each;
        out->list[k] = (var_piece){
            .q = at, .v = at + width, .start = at, .x = at + 2 * width, .lambda = at + 3 * width};
    }
    return tml__variational_again(sim, i->controls, i->trace, out->list);
}

static piece_point point_of(const instant* i, const var_piece* piece, var_clock* clock)
{
    piece_point p = {.at = *i, .piece = piece, .own = i->work->own};
    p.at.dt = piece->from + piece->h;
    p.step = tml__variational_step(piece, clock);
    // contacts push where the step starts
    if (piece->from == 0.0) p.step.jolt = i->sim->system->jolt;
    if (piece->from != 0.0) p.at.push = NULL;
    return p;
}

static tml_status piece_product(const instant* i, const var_piece* piece)
{
    own_work* own = i->work->own;
    var_clock clock = {i->sim, i->controls, piece->from};
    const piece_point p = point_of(i, piece, &clock);
    return i->way == PARTIAL_FORWARD ? piece_forward(&p, own->pose, own->velocity)
                                     : piece_backward(&p, own->pose, own->velocity);
}

// Limits that have not changed in the step are told by what they pushed on average: half of it by the
// multipliers of its last piece, half by the impulse at its end.
static void average_limits(const instant* i, double h, double* dlambda)
{
    const maximal_system* s = i->sim->system;
    own_work* own = i->work->own;
    for (int k = 0; k < s->limit_count && !i->trace->has_restarted; k++) {
        const int row = s->limits[k].row;
        if (i->way == PARTIAL_FORWARD) {
            dlambda[row] = 0.5 * own->dlambda[row] + own->impulse[row] / h;
        } else {
            own->dlambda[row] = 0.5 * dlambda[row];
            own->impulse[row] = dlambda[row] / h;
            dlambda[row] = 0.0;
        }
    }
}

static tml_status step_forward(const instant* i, const piece_list* pieces)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    own_work* own = w->own;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    const var_piece* last = &pieces->list[pieces->count - 1];
    double* past = i->x->past[0];
    double* next = i->x->next;

    tml__flat_to_pose(i->way, step_q(sim), nodes, past, own->pose);
    tml__rate_to_velocity(i->way, step_q(sim), step_v(sim), nodes, past, past + n, own->velocity);
    for (int k = 0; k < pieces->count; k++) {
        const tml_status status = piece_product(i, &pieces->list[k]);
        if (status != TML_OK) return status;
    }
    // the last projection has left the bodies at the finished state
    memcpy(own->rates, w->v, (size_t)n * sizeof *own->rates);
    tml__linear_velocities(sim->system, own->end);
    tml__pose_to_flat(i->way, last->x, nodes, own->pose, next);
    tml__velocity_to_rate(i->way, last->x, own->end, nodes, next, own->velocity, next + n);
    if (i->is_touching) {
        clear(next + 2 * n, sim->system->row_count);
        return TML_OK;
    }
    const tml_status status = tml__linear_accelerate(
        i, last->x, own->rates, own->pose, own->velocity, w->acceleration_d, next + 2 * n);
    average_limits(i, last->h, next + 2 * n);
    return status;
}

// Settled velocities and rates of the finished state.
static tml_status finished_state(const instant* i, const var_piece* last)
{
    own_work* own = i->work->own;
    var_clock clock = {i->sim, i->controls, last->from};
    const piece_point p = point_of(i, last, &clock);
    look_again(&p);
    const tml_status status = tml__linear_settled(i, last->x, own->handed, own->end);
    memcpy(own->rates, i->work->v, (size_t)i->sim->width * sizeof *own->rates);
    return status;
}

static tml_status step_backward(const instant* i, const piece_list* pieces)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    own_work* own = w->own;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    const int rows = sim->system->row_count;
    const var_piece* last = &pieces->list[pieces->count - 1];
    double* past = i->x->past[0];
    double* next = i->x->next;

    tml_status status = finished_state(i, last);
    if (status != TML_OK) return status;
    clear(own->pose, 6 * nodes);
    clear(own->velocity, 6 * nodes);
    clear(own->dlambda, rows);
    clear(own->impulse, rows);
    tml__velocity_to_rate(i->way, last->x, own->end, nodes, next, own->velocity, next + n);
    tml__pose_to_flat(i->way, last->x, nodes, own->pose, next);
    if (!i->is_touching) average_limits(i, last->h, next + 2 * n);
    if (!i->is_touching && !is_zero(next + 2 * n, rows)) {
        clear(w->acceleration_d, 6 * nodes);
        status = tml__linear_accelerate(i, last->x, own->rates, own->pose, own->velocity,
                                        w->acceleration_d, next + 2 * n);
    }
    for (int k = pieces->count - 1; k >= 0 && status == TML_OK; k--) {
        status = piece_product(i, &pieces->list[k]);
        clear(own->dlambda, rows);
        clear(own->impulse, rows);
    }
    if (status != TML_OK) return status;
    tml__rate_to_velocity(i->way, step_q(sim), step_v(sim), nodes, past, past + n, own->velocity);
    tml__flat_to_pose(i->way, step_q(sim), nodes, past, own->pose);
    return TML_OK;
}

// ---- a step that touches

static tml_status touching_body(const instant* i)
{
    tml_sim* sim = i->sim;
    piece_list pieces;
    sim->system->jolt = tml__touch_jolt(sim);
    tml_status status = take_pieces(i, &pieces);
    if (status == TML_OK) {
        status = i->way == PARTIAL_FORWARD ? step_forward(i, &pieces) : step_backward(i, &pieces);
    }
    sim->system->jolt = NULL;
    release_pieces(sim, &pieces);
    return status;
}

// The end of several pieces by a push at the start of the first.
static tml_status divided_answer(const instant* i, double* pose)
{
    const tml_status status = touching_body(i);
    tml__flat_to_pose(i->way, i->work->touch->q1, i->sim->model->node_count, i->x->next, pose);
    return status;
}

// With the factor of the only piece: E = -h push.
static tml_status touching_answer(const instant* i, bool is_first, double* pose)
{
    if (i->trace->order > 1) return divided_answer(i, pose);
    tml_sim* sim = i->sim;
    maximal_system* s = sim->system;
    linear_work* w = i->work;
    const double h = step_h(sim);
    const var_piece piece = {.h = h,
                             .q = step_q(sim),
                             .v = step_v(sim),
                             .x = i->trace->x[0],
                             .lambda = i->trace->lambda[0]};
    if (is_first) {
        var_clock clock = {sim, i->controls, 0.0};
        s->jolt = tml__touch_jolt(sim);
        const piece_point p = point_of(i, &piece, &clock);
        tml__instant_targets(&p.at);
        const tml_status status = factor(&p);
        s->jolt = NULL;
        if (status != TML_OK) return status;
    }
    for (int k = 0; k < 6 * s->node_count; k++) w->E[k] = h * i->push[k];
    clear(w->rows, s->row_count);
    const tml_status status = tml__kkt_solve(s->matrix, w->E, w->rows, pose, w->dl);
    if (status == TML_OK) return TML_OK;
    return tml__fail(&sim->why, status, "a push of contacts has no answer");
}

// Multipliers of the state that has been touched.
static tml_status touching_multipliers(const instant* i, const double* q, const double* v)
{
    tml_sim* sim = i->sim;
    sim->system->touching = sim->contacts->next.wrenches;
    const tml_status status = tml__linear_multipliers(i, q, v);
    sim->system->touching = NULL;
    return status;
}

static const touch_formula touching = {
    .body = touching_body,
    .respond = touching_answer,
    .after = touching_multipliers,
};

// Rows that give way are potentials at the middle of a step: not linearised here.
static tml_status refuse_compliance(tml_sim* sim)
{
    const maximal_system* s = sim->system;
    for (int row = 0; row < s->row_count; row++) {
        char name[256];
        if (!(s->compliance[row] > 0.0)) continue;
        tml__maximal_row_name(s, row, name, sizeof name);
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "%s is compliant: such rows of formulation 'variational' have no "
                         "derivatives in this version",
                         name);
    }
    return TML_OK;
}

static tml_status step(tml_sim* sim, linear_work* w, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x)
{
    const instant i = {.sim = sim,
                       .work = w,
                       .way = way,
                       .trace = trace,
                       .controls = controls,
                       .dt = step_h(sim),
                       .x = x};
    piece_list pieces;

    sim->why.text[0] = '\0';
    tml_status status = refuse_compliance(sim);
    if (status != TML_OK) return status;
    if (trace->kind != TRACE_VARIATIONAL) {
        const bool is_heun = sim->settings.integrator == TML_TIME_HEUN;
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         is_heun ? "steps by 'heun' have no derivatives in this version"
                                 : "a step passed a singular pose along the rows at its end: such "
                                   "steps have no derivatives in this version");
    }
    memcpy(sim->system->sides, trace->sides, (size_t)trace->limits * sizeof *trace->sides);
    const bool is_aware = trace->order == 1 && tml__touch_is_aware(&i);
    if (trace->has_touched || is_aware) return tml__linear_touch(&i, &touching);
    tml__touch_forget_forces(sim, way, x->next);
    status = take_pieces(&i, &pieces);
    if (status == TML_OK) {
        status = way == PARTIAL_FORWARD ? step_forward(&i, &pieces) : step_backward(&i, &pieces);
    }
    release_pieces(sim, &pieces);
    return status;
}

const step_linear tml__variational_linear = {
    .create = create,
    .destroy = destroy,
    .extra_count = tml__touch_force_count,
    .has_contact_forces = true,
    .start = tml__linear_begin,
    .step = step,
};
