// method/variational/method.c - steps of the variational formulation, their fourth-order composition, and
// the drifting baseline that its paper compares with.                        [VMAX Sec 3, Sec 5]
//
// Beside poses and rates a state keeps the accelerations that go with it (6 a node): they make the
// first guess of the next step third-order, which saves Newton an iteration.
#include "method/variational/method.h"

#include "sim/soft_contact.h"

#include <math.h>
#include <string.h>

// ---- what the formulation brings

static size_t own_width(const tml_sim* sim) { return 6 * (size_t)sim->system->node_count; }

static tml_status create(tml_sim* sim)
{
    const maximal_system* s = sim->system;
    if (sim->settings.integrator == TML_TIME_HEUN && s->limit_count > 0) {
        const limit_row* limit = &s->limits[0];
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "joint '%s': integrator 'heun' cannot honour the limits of %s",
                         sim->model->all.joints[limit->joint].name, tml_axis_name(limit->axis));
    }
    variational* work = NULL;
    const tml_status status = tml__var_create(sim->system, &sim->why, &work);
    sim->work = work;
    return status;
}

static void destroy(tml_sim* sim) { tml__var_destroy(sim->work); }

// Accelerations of a state whose rates the rows allow.
static tml_status begin(tml_sim* sim, const sim_state* from, double* own)
{
    const tml_status status =
        tml__maximal_accelerate(sim->system, from->q, from->v, own, from->lambda);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
}

// Accelerations and multipliers at an instant of the step, with the mean forces of its contacts.
static tml_status touched_at(tml_sim* sim, double dt, const double* controls)
{
    sim_state* next = &sim->next;
    maximal_system* s = sim->system;
    const double* of_bodies = s->touching;
    tml__sim_time(sim, dt, controls);
    s->touching = tml__soft_touch_wrench(sim->soft, of_bodies);
    const tml_status status = tml__maximal_accelerate(s, next->q, next->v, next->own, next->lambda);
    s->touching = of_bodies;
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &sim->why);
}

static tml_status touched(tml_sim* sim, const double* controls)
{
    return touched_at(sim, step_h(sim), controls);
}

const form_parts tml__variational_parts = {
    .past_kept = 1,
    .has_matrix = true,
    .has_ties = true,
    .prefers_nodes = true,
    .notes_start = true,
    .own_width = own_width,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .keeps_branch = true,
    .can_be_forced = true,
    .takes_contacts = true,
    .contact = FORM_CONTACT_JOLT,
    .touched = touched,
    .judges_limits_by_step = true,
    .touches_in_parts = true,
    .linear = &tml__variational_linear,
};

// ---- one step

// An instant counted from the start of a piece.
static void set_time(void* clock, double dt)
{
    const var_clock* at = clock;
    tml__sim_time(at->sim, at->from + dt, at->controls);
}

enum {
    GUESSES = 3
};

// The first guesses of a step, best first: along velocities and accelerations, along velocities, at
// rest.
static void guess(const tml_sim* sim, const state_view* now, int which, double h)
{
    maximal_system* s = sim->system;

    for (int n = 0; n < s->node_count; n++) {
        const double* q = &now->q[n * POSE_WIDTH];
        const double* v = &now->v[n * POSE_WIDTH];
        const double bend = which == 0 ? 0.5 * h : 0.0;
        double motion[6];
        v3_store(motion, v3_axpy(v3_load(v), bend, v3_load(&now->own[6 * n])));
        v3_store(motion + 3, v3_axpy(tml__maximal_spin(q, v), bend, v3_load(&now->own[6 * n + 3])));
        tml__maximal_displace(&s->x[n * POSE_WIDTH], q, motion, which < 2 ? h : 0.0);
    }
    const sim_soft* f = sim->soft;
    for (int i = 0; f != NULL && i < f->width; i++) {
        f->x[i] = now->q[f->first + i] + (which < 2 ? h : 0.0) * now->v[f->first + i];
    }
    memcpy(s->lambda, now->lambda, (size_t)s->row_count * sizeof(double));
}

// The momentum that a turn of a radian a step carries is the largest there is.
static tml_status describe(tml_sim* sim, const state_view* now, tml_status status,
                           const newton_report* report, double h)
{
    double fastest = 0.0;
    int body = -1;
    for (int n = 0; n < sim->system->node_count; n++) {
        const double turn =
            fabs(h) * v3_norm(tml__maximal_spin(&now->q[n * POSE_WIDTH], &now->v[n * POSE_WIDTH]));
        if (turn <= fastest) continue;
        fastest = turn;
        body = sim->model->node_body[n];
    }
    const bool is_soft = sim->soft != NULL && report->last.row <= sim->settings.tolerance;
    status = is_soft ? tml__soft_describe(sim->soft, status, report, &sim->why)
                     : tml__sim_describe_stall(sim, status, report);
    if (status != TML_NOT_CONVERGED || fastest <= 1.0) return status;
    return tml__fail(&sim->why, TML_NOT_CONVERGED,
                     "body '%s' turns by %.3g rad within a step of %g s; a variational step can "
                     "carry 1 rad at most: take a smaller step",
                     sim->model->all.bodies[body].name, fastest, fabs(h));
}

// Of limits the mean over the step is told, the stop at its end included: an instant says nothing about an
// impact.
static void average_limits(tml_sim* sim, const double* impulse, double h)
{
    const maximal_system* s = sim->system;
    for (int i = 0; i < s->limit_count; i++) {
        const int row = s->limits[i].row;
        sim->limit_push[i] = s->lambda[row];
        sim->next.lambda[row] = 0.5 * s->lambda[row] + impulse[row] / h;
    }
}

// The rows at the end of a step have their say: rates, accelerations and multipliers there. Where these would jump,
// next to a singular pose, rates stay those of the motion: what the rows push there is shared with the step that
// follows anyway, and it takes the whole.
static tml_status settle(tml_sim* sim, double h)
{
    maximal_system* s = sim->system;
    sim_state* next = &sim->next;
    double* impulse = s->limit_count > 0 ? s->ahead_dl : NULL;
    const maximal_past past = {sim->q_hat, sim->v_hat, h, sim->settings.tolerance};
    bool is_left = false;
    const tml_status status =
        tml__maximal_settle(s, &past, next->q, next->v, next->own, next->lambda, impulse, &is_left);

    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    if (is_left) {
        sim->report.fallback_steps++;
        memset(next->own, 0, sim->own_width * sizeof(double));
        memcpy(next->lambda, s->lambda, (size_t)s->row_count * sizeof(double));
    }
    average_limits(sim, impulse, h);
    return TML_OK;
}

// Deformables take the same step: momenta at the nodes of time, forces at the middle of the chord. With
// q = (x + x') / 2 and v = (x' - x) / h that is the stage q = x + (h/2) v_0 + (h^2/4) a; vertices that
// bodies carry add their momenta to those of the bodies, by the arms of either end.   [VMAX (26) (33)]
static tml_status solve_soft(tml_sim* sim, const var_step* step, const newton_settings* settings,
                             newton_report* report)
{
    const double h = step->h;
    sim_soft* f = sim->soft;
    const double* x = step->q + f->first;
    const double* v = step->v + f->first;
    const var_clock* at = step->clock;
    const soft_step soft = {.bodies = {sim->work, tml__var_evaluate, tml__var_matrix},
                            .nodal = {0.5 * h, 0.25 * h * h, v, f->hat},
                            .beta = 0.5 * h * h,
                            .phi = 0.5,
                            .reach = 0.0,
                            .kick = 2.0,
                            .start = x,
                            .t = sim->time + at->from + 0.5 * h};
    for (int i = 0; i < f->width; i++) f->hat[i] = x[i] + 0.5 * h * v[i];
    tml__var_open(sim->work, step);
    const tml_status status = tml__soft_solve(f, &soft, settings, report);
    if (status == TML_OK) {
        for (int i = 0; i < f->width; i++) f->hat[i] = 2.0 / h * (f->x[i] - x[i]) - v[i];
        tml__soft_bring(f, f->hat, f->residual, 1.0 / h);  // (h / 2) (F - M a), a residual h^2 / 2
        if (tml__soft_touch_rows(f) > 0) tml__soft_touch_take(f, h, f->momentum);
    }
    tml__var_close(sim->work, status == TML_OK ? sim->next.v : NULL);
    return status;
}

static double merit_of(tml_sim* sim, const state_view* now, const var_step* step, int which)
{
    newton_merit at;
    guess(sim, now, which, step->h);
    tml__var_residual(sim->work, step, &at);
    return at.merit;
}

// Where forces at the middle are stiff, accelerations, and velocities too, lead far beyond where a step can
// end: past the other end of a spring, where the equations have another root, and energy comes from
// nowhere. There the best guess is to stay.
static bool is_stiff(tml_sim* sim, const state_view* now, const var_step* step)
{
    if (sim->soft != NULL || !tml__var_looks_at_middle(sim->work)) return false;
    return merit_of(sim, now, step, GUESSES - 1) < merit_of(sim, now, step, 0);
}

// A step from one guess after the other.
static tml_status solve(tml_sim* sim, const state_view* now, const var_step* step,
                        newton_report* report)
{
    const newton_settings settings = tml__sim_newton(sim);
    tml_status status = TML_NOT_CONVERGED;

    // where none is better than to stay, a shorter step is better than the others; contacts have another way
    const int first = is_stiff(sim, now, step) ? GUESSES - 1 : 0;
    const int last = sim->system->partner == NULL ? GUESSES - 1 : first;
    for (int which = first; which <= last && status == TML_NOT_CONVERGED; which++) {
        guess(sim, now, which, step->h);
        status = sim->soft != NULL
                     ? solve_soft(sim, step, &settings, report)
                     : tml__var_solve(sim->work, step, &settings, report, sim->next.v);
        tml__sim_count_newton(sim, report);
    }
    return status;
}

// Contacts of deformables where a part of the composition starts.
static tml_status look_for_contacts(tml_sim* sim, double h)
{
    int count = 0;
    if (sim->soft == NULL || sim->soft->touch == NULL) return TML_OK;
    return tml__soft_touch_begin(sim->soft, sim->next.q, sim->next.v, h, &count, &sim->why);
}

// Move `now`, the instant `from` after the step has begun, by h to sim->next, which it may be; along the
// rows at the end where those at the start have no answer, if that is allowed: of first order, and it costs energy.
static tml_status advance(tml_sim* sim, const double* controls, const state_view* now, double from,
                          double h)
{
    maximal_system* s = sim->system;
    sim_state* next = &sim->next;
    var_clock clock = {sim, controls, from};
    var_step step = {.h = h, .q = now->q, .v = now->v, .set_time = set_time, .clock = &clock};
    if (from == 0.0) step.jolt = s->jolt;
    newton_report report = {0};
    tml_status status = look_for_contacts(sim, h);
    if (status != TML_OK) return status;

    if (s->may_be_redundant) {  // `settle` looks back, and `now` may be `next`
        memcpy(sim->q_hat, now->q, (size_t)sim->width * sizeof(double));
        memcpy(sim->v_hat, now->v, (size_t)sim->width * sizeof(double));
    }
    status = solve(sim, now, &step, &report);
    if (status > TML_OK && sim->ask->is_forced) {
        step.push = VAR_PUSH_END;
        status = solve(sim, now, &step, &report);
        if (status == TML_OK) sim->report.fallback_steps++;
    }
    if (status != TML_OK) return describe(sim, now, status, &report, h);
    memcpy(next->q, s->x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    if (sim->soft == NULL) return settle(sim, h);
    memcpy(next->q + sim->soft->first, sim->soft->x, (size_t)sim->soft->width * sizeof(double));
    status = settle(sim, h);
    sim->soft->has_momentum = false;  // also where nobody has shared it
    if (status != TML_OK || tml__soft_touch_rows(sim->soft) == 0) return status;
    status = tml__soft_touch_stop(sim->soft, h, next->q, next->v, &sim->why);
    if (status == TML_OK) {
        status = tml__soft_touch_keep_part(sim->soft, h / sim->ask->whole, &sim->why);
    }
    return status == TML_OK ? touched_at(sim, from + h, controls) : status;
}

static void copy_start(tml_sim* sim)
{
    memcpy(sim->next.q, step_q(sim), (size_t)sim->width * sizeof(double));
    memcpy(sim->next.v, step_v(sim), (size_t)sim->width * sizeof(double));
    memcpy(sim->next.lambda, step_lambda(sim), (size_t)sim->system->row_count * sizeof(double));
    memcpy(sim->next.own, step_own(sim), sim->own_width * sizeof(double));
}

// The parts of a step, one after the other.
typedef struct composition {
    int count;
    double part[5];  // of the step
} composition;

// The solution of the last part is at hand.
static void note_parts(tml_sim* sim, int parts, bool was_forced)
{
    step_trace* trace = sim->trace;
    if (trace == NULL) return;
    tml__trace_stage(trace, 0, sim->system);
    trace->kind = was_forced ? TRACE_UNKNOWN : TRACE_VARIATIONAL;
    trace->order = parts;
}

static tml_status compose(tml_sim* sim, const double* controls, const composition* c)
{
    const double h = step_h(sim);
    const long long forced = sim->report.fallback_steps;
    const state_view next = {sim->next.q, sim->next.v, sim->next.lambda, sim->next.own};
    // bodies begin where the step does, and nothing is copied; what deformables need looks at `next`
    const state_view* now = sim->soft == NULL ? &sim->ask->from : &next;
    double from = 0.0;

    if (sim->soft != NULL) copy_start(sim);
    for (int i = 0; i < c->count; i++) {
        const tml_status status = advance(sim, controls, now, from, c->part[i] * h);
        if (status != TML_OK) return status;
        from += c->part[i] * h;
        now = &next;
    }
    note_parts(sim, c->count, sim->report.fallback_steps > forced);
    return TML_OK;
}

static const composition one_step = {1, {1.0}};

// Five symmetric steps of order 2, a h each but the middle one, which goes back: with
// 4 a^3 + (1 - 4 a)^3 = 0 the error of third order cancels (Suzuki 1990).
static composition five_steps(void)
{
    static const double a = 0.41449077179437573714;  // 1 / (4 - 4^(1/3))
    return (composition){5, {a, a, 1.0 - 4.0 * a, a, a}};
}

tml_status tml__advance_variational(tml_sim* sim, const double* controls)
{
    return compose(sim, controls, &one_step);
}

// A step that meets a limit, or in which deformables may touch, is not smooth, so nothing would cancel:
// it is taken whole.
tml_status tml__advance_variational4(tml_sim* sim, const double* controls)
{
    const composition five = five_steps();
    copy_start(sim);
    const tml_status status = look_for_contacts(sim, step_h(sim));
    if (status != TML_OK) return status;
    const bool may_touch = sim->soft != NULL && tml__soft_touch_rows(sim->soft) > 0;
    return compose(sim, controls, step_is_impact(sim) || may_touch ? &one_step : &five);
}

// ---- the parts of a step again

var_step tml__variational_step(const var_piece* piece, var_clock* clock)
{
    return (var_step){
        .h = piece->h, .q = piece->q, .v = piece->v, .set_time = set_time, .clock = clock};
}

tml_status tml__variational_again(tml_sim* sim, const double* controls, const step_trace* trace,
                                  var_piece* pieces)
{
    const composition c = trace->order == 1 ? one_step : five_steps();
    const double h = step_h(sim);
    const size_t width = (size_t)sim->width * sizeof(double);
    const tml_sim_report before = sim->report;
    const state_view next = {sim->next.q, sim->next.v, sim->next.lambda, sim->next.own};
    tml_status status = TML_OK;
    double from = 0.0;

    tml__kkt_forget(sim->system->matrix);
    copy_start(sim);
    for (int i = 0; i < c.count && status == TML_OK; i++) {
        var_piece* piece = &pieces[i];
        piece->from = from;
        piece->h = c.part[i] * h;
        memcpy(piece->start, sim->next.q, width);
        memcpy(piece->start + sim->width, sim->next.v, width);
        status = advance(sim, controls, &next, from, piece->h);
        memcpy(piece->x, sim->next.q, width);
        memcpy(piece->lambda, sim->system->lambda, (size_t)sim->system->row_count * sizeof(double));
        from += piece->h;
    }
    sim->report = before;
    return status;
}

// ---- the baseline

// Poses from `q` along the mean of two rates, and rates from `v` along the mean of two
// accelerations; b may be a.
typedef struct slopes {
    const double* v[2];
    const double* q[2];  // where they were taken
    const double* acceleration[2];
} slopes;

static void explicit_step(const tml_sim* sim, const state_view* from, const slopes* k, double* q,
                          double* v)
{
    const double h = step_h(sim);
    for (int n = 0; n < sim->system->node_count; n++) {
        const int at = n * POSE_WIDTH;
        double motion[6];
        double gain[6];
        v3_store(motion, v3_scale(0.5, v3_add(v3_load(k->v[0] + at), v3_load(k->v[1] + at))));
        v3_store(motion + 3, v3_scale(0.5, v3_add(tml__maximal_spin(k->q[0] + at, k->v[0] + at),
                                                  tml__maximal_spin(k->q[1] + at, k->v[1] + at))));
        for (int i = 0; i < 6; i++) {
            gain[i] = 0.5 * (k->acceleration[0][6 * n + i] + k->acceleration[1][6 * n + i]);
        }
        const vec3 linear = v3_axpy(v3_load(from->v + at), h, v3_load(gain));
        const vec3 spin =
            v3_axpy(tml__maximal_spin(from->q + at, from->v + at), h, v3_load(gain + 3));
        tml__maximal_displace(q + at, from->q + at, motion, h);
        tml__maximal_store_velocity(q + at, linear, spin, v + at);
    }
}

// Two slopes of the acceleration-level equations: joints drift open, energy drifts away. [VMAX Sec 5]
tml_status tml__advance_heun(tml_sim* sim, const double* controls)
{
    maximal_system* s = sim->system;
    sim_state* next = &sim->next;
    const state_view now = {.q = step_q(sim), .v = step_v(sim), .own = step_own(sim)};
    const slopes first = {{now.v, now.v}, {now.q, now.q}, {now.own, now.own}};
    double* acceleration = s->ahead_dx;

    copy_start(sim);
    explicit_step(sim, &now, &first, s->x, s->x_start);
    tml__sim_time(sim, step_h(sim), controls);
    tml_status status = tml__maximal_accelerate(s, s->x, s->x_start, acceleration, next->lambda);
    if (status == TML_OK) {
        const slopes both = {{now.v, s->x_start}, {now.q, s->x}, {now.own, acceleration}};
        explicit_step(sim, &now, &both, next->q, next->v);
        status = tml__maximal_accelerate(s, next->q, next->v, next->own, next->lambda);
    }
    sim->report.newton_iterations++;
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &sim->why);
}
