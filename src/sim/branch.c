// sim/branch.c - a step in parts, where a branch might have been left.
#include "sim/branch.h"

#include "form/jump.h"

#include <string.h>

enum {
    MOST_PARTS = 64  // a power of two, so that parts add up to the step
};

static const double suspicious = 0.2;  // change of velocities in a step, of the speed
static const double turning = 1.0;     // and this by every radian of the step
static const double smooth = 0.75;     // of that change, in half the step
static const double same = 0.25;       // difference of velocities in the end, of that change

// Of formulas whose velocities at the end of a step are those of that instant. Backward differences tell velocities half a
// step late, which differs from part to part; next to a singular pose they rather find no solution.
static bool is_instantaneous(const tml_sim* sim)
{
    const tml_integrator i = sim->settings.integrator;
    switch (sim->settings.formulation) {
    case TML_FORM_AFFINE: return i == TML_TIME_ENERGY || i == TML_TIME_SHAKE;
    case TML_FORM_VARIATIONAL: return i != TML_TIME_HEUN;
    case TML_FORM_GENERALIZED: return i != TML_TIME_BDF1;
    case TML_FORM_QUATERNION: return i == TML_TIME_ENERGY;
    case TML_FORMULATIONS: break;
    }
    return false;
}

bool tml__branch_is_watched(const tml_sim* sim)
{
    return sim->part_q != NULL && is_instantaneous(sim) && sim->system->limit_count == 0 &&
           sim->contacts == NULL && sim->soft == NULL;
}

// ---- how fast, and how much faster

static vec3 spin_of(const double* q, const double* v)
{
    const quat raw = {q[3], q[4], q[5], q[6]};
    return v3_scale(2.0 / q_dot(raw, raw), q_G(raw, (quat){v[3], v[4], v[5], v[6]}));
}

// The largest of all bodies between two states.
typedef struct comparison {
    double change;  // of velocities, m/s (jump.h)
    double first;   // speed at the first, m/s
    double speed;   // at either, m/s
    double spin;    // at the first, rad/s
} comparison;

static comparison compare(const tml_sim* sim, const sim_state* a, const sim_state* b)
{
    const tml_model* m = sim->model;
    comparison most = {0.0, 0.0, 0.0, 0.0};
    for (int n = 0; n < m->node_count; n++) {
        const int at = n * POSE_WIDTH;
        const double radius = tml__jump_radius(&m->bodies[m->node_body[n]]);
        const vec3 v[2] = {v3_load(a->v + at), v3_load(b->v + at)};
        const vec3 omega[2] = {spin_of(a->q + at, a->v + at), spin_of(b->q + at, b->v + at)};
        const double spin = v3_norm(omega[0]);
        const double change =
            v3_norm(v3_sub(v[1], v[0])) + radius * v3_norm(v3_sub(omega[1], omega[0]));
        most.change = tml__larger(most.change, change);
        most.first = tml__larger(most.first, v3_norm(v[0]) + radius * spin);
        most.speed = tml__larger(most.speed, v3_norm(v[1]) + radius * v3_norm(omega[1]));
        most.spin = tml__larger(most.spin, spin);
    }
    most.speed = tml__larger(most.speed, most.first);
    return most;
}

static sim_state accepted(const tml_sim* sim)
{
    return (sim_state){.q = sim->past_q[0], .v = sim->past_v[0]};
}

// ---- motors

static double largest_radius(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    double radius = 0.0;
    for (int n = 0; n < m->node_count; n++) {
        radius = tml__larger(radius, tml__jump_radius(&m->bodies[m->node_body[n]]));
    }
    return radius;
}

// By how much the rates of motors differ between both ends of the step, m/s.
static double kink_within(tml_sim* sim, const double* controls, double radius)
{
    maximal_system* s = sim->system;
    const tml_model* m = sim->model;
    double kink = 0.0;
    memcpy(s->ahead, s->targets.axis, (size_t)m->all.joint_count * TML_AXES * sizeof *s->ahead);
    tml__sim_time(sim, sim->settings.step, controls);
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const int i = j * TML_AXES + k;
            if (m->joints[j].axis[k].actuation != TML_POSITION) continue;
            const double arm = k < TML_AXIS_RX ? 1.0 : radius;
            kink = tml__larger(kink, arm * (s->targets.axis[i].rate - s->ahead[i].rate));
        }
    }
    return kink;
}

// Motors whose rates jump, where the step starts or within it, make velocities jump.
static bool is_driven_to(tml_sim* sim, const double* controls, double change)
{
    maximal_system* s = sim->system;
    if (!s->has_targets) return false;
    const double radius = largest_radius(sim);
    tml__sim_time(sim, 0.0, controls);
    tml__sim_stand(sim, sim->past_q[0], sim->past_v[0], sim->own);
    tml__maximal_row_motions(s, s->dl, s->lambda_start);
    tml__maximal_row_rates(s, s->lambda_start);
    for (int row = 0; row < s->row_count; row++) s->dl[row] += s->lambda_start[row];
    const double kink = tml__jump_fastest_row(s, s->dl, radius);
    return tml__larger(kink, kink_within(sim, controls, radius)) > 0.25 * change;
}

// ---- parts

// The state that a part has ended at is where the next one starts.
static void go_on(tml_sim* sim)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    memcpy(sim->part_q, sim->next.q, bytes);
    memcpy(sim->part_v, sim->next.v, bytes);
    memcpy(sim->part_own, sim->next.own, sim->own_width * sizeof(double));
    memcpy(sim->part_lambda, sim->next.lambda, (size_t)sim->system->row_count * sizeof(double));
    sim->past_q[0] = sim->part_q;
    sim->past_v[0] = sim->part_v;
    sim->own = sim->part_own;
    sim->lambda = sim->part_lambda;
}

// *worst: the largest change of velocities in one of them.
static tml_status advance_parts(tml_sim* sim, const double* controls, int parts, double* worst)
{
    double* const q = sim->past_q[0];
    double* const v = sim->past_v[0];
    double* const own = sim->own;
    double* const lambda = sim->lambda;
    const double h = sim->settings.step;
    tml_status status = TML_OK;

    *worst = 0.0;
    tml__trace_begin(sim->trace);
    sim->settings.step = h / parts;
    sim->part_count = parts;
    for (int k = 0; k < parts && status == TML_OK; k++) {
        sim->part = k;
        if (k > 0) go_on(sim);
        const sim_state before = accepted(sim);
        tml__kkt_forget(sim->system->matrix);
        status = sim->pairing->advance(sim, controls);
        if (status == TML_OK)
            *worst = tml__larger(*worst, compare(sim, &before, &sim->next).change);
    }
    sim->settings.step = h;
    sim->part_count = 1;
    sim->part = 0;
    sim->past_q[0] = q;
    sim->past_v[0] = v;
    sim->own = own;
    sim->lambda = lambda;
    return status;
}

static void keep_parts(tml_sim* sim, int parts)
{
    sim->report.substeps += parts;
    if (sim->trace == NULL) return;
    sim->trace->kind = TRACE_UNKNOWN;
    sim->trace->pieces = parts;
}

static tml_status take_whole(tml_sim* sim, const double* controls)
{
    tml__trace_begin(sim->trace);
    tml__kkt_forget(sim->system->matrix);
    return sim->pairing->advance(sim, controls);
}

// A step that would change velocities by this. What is at rest has no branch of its own.
static bool is_suspicious(const tml_sim* sim, const comparison* c)
{
    const double h = sim->settings.step;
    if (c->first == 0.0) return false;
    return c->change >
           (suspicious + turning * h * c->spin) * c->speed + sim->settings.tolerance / h;
}

// In more and more parts, until none of them jumps. True: they go another way than the whole step did, and are to be kept;
// false: they go the same way.
static bool leads_elsewhere(tml_sim* sim, const double* controls, const comparison* c, int* parts)
{
    const sim_state whole = {.q = sim->whole_q, .v = sim->whole_v};
    memcpy(whole.q, sim->next.q, (size_t)sim->width * sizeof(double));
    memcpy(whole.v, sim->next.v, (size_t)sim->width * sizeof(double));
    for (*parts = 2; *parts <= MOST_PARTS; *parts *= 2) {
        double worst;
        if (advance_parts(sim, controls, *parts, &worst) != TML_OK) continue;
        const bool is_same = compare(sim, &whole, &sim->next).change <= same * c->change;
        const bool is_last = *parts == MOST_PARTS;
        if (is_same && worst <= smooth * c->change) return false;
        if (!is_same && worst <= (is_last ? smooth * c->change : suspicious * c->speed))
            return true;
    }
    return false;
}

tml_status tml__branch_follow(tml_sim* sim, const double* controls)
{
    const sim_state now = accepted(sim);
    const comparison c = compare(sim, &now, &sim->next);
    if (!is_suspicious(sim, &c) || is_driven_to(sim, controls, c.change)) return TML_OK;

    const tml_sim_report before = sim->report;
    int parts;
    if (leads_elsewhere(sim, controls, &c, &parts)) {
        keep_parts(sim, parts);
        return TML_OK;
    }
    const tml_status status = take_whole(sim, controls);
    sim->report = before;  // it was counted
    return status;
}
