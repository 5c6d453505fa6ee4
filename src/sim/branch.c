// sim/branch.c - a step in parts, where a branch might have been left.
#include "sim/branch.h"

#include "method/jump.h"

#include <string.h>

enum {
    MOST_PARTS = 64  // a power of two, so that parts add up to the step
};

static const double suspicious = 0.1;  // change of velocities in a step, of the speed
static const double turning = 1.0;     // and this by every radian of the step
static const double smooth = 0.75;     // of that change, in half the step
static const double explained = 0.25;  // by forces or motors, of that change
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

// A limit that holds would be struck by other parts than the step's.
static bool is_limited(const tml_sim* sim)
{
    const maximal_system* s = sim->system;
    for (int i = 0; i < s->limit_count; i++) {
        if (sim->owns_limits || s->sides[i] != LIMIT_OFF || sim->sides[i] != LIMIT_OFF) return true;
    }
    return false;
}

bool tml__branch_is_watched(const tml_sim* sim)
{
    const bool may_touch = sim->contacts != NULL && sim->contacts->found_count > 0;
    return sim->part_q != NULL && is_instantaneous(sim) && !may_touch && sim->soft == NULL &&
           !is_limited(sim);
}

// ---- how fast, and how much faster

// Velocities of a node in two states.
static jump_body between(const sim_state* a, const sim_state* b, int node)
{
    const int at = node * POSE_WIDTH;
    return (jump_body){.v = v3_load(a->v + at),
                       .omega = tml__maximal_spin(a->q + at, a->v + at),
                       .v_end = v3_load(b->v + at),
                       .omega_end = tml__maximal_spin(b->q + at, b->v + at)};
}

// How much the velocities of a mechanism differ between two states, m/s (jump.h).
static double difference(const tml_sim* sim, int mechanism, const sim_state* a, const sim_state* b)
{
    maximal_system* s = sim->system;
    s->jumps[mechanism].change = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        if (s->mechanism[n] != mechanism) continue;
        const jump_body body = between(a, b, n);
        tml__jump_add(s, n, &body);
    }
    return s->jumps[mechanism].change;
}

static sim_state accepted(const tml_sim* sim)
{
    return (sim_state){.q = sim->past_q[0], .v = sim->past_v[0]};
}

// What the step has changed, of all mechanisms.
static void add_bodies(tml_sim* sim)
{
    const sim_state now = accepted(sim);
    for (int n = 0; n < sim->system->node_count; n++) {
        const jump_body body = between(&now, &sim->next, n);
        tml__jump_add(sim->system, n, &body);
    }
}

// The change of velocities over what may be; above 1 it is suspicious.
static double suspicion(const jump_sizes* j, double h, double tolerance)
{
    const double speed = tml__larger(j->first, j->speed);
    const double expected = (suspicious + turning * h * j->spin) * speed + tolerance / h;
    return j->first > 0.0 ? j->change / expected : 0.0;
}

static bool is_any_suspicious(const maximal_system* s, double h, double tolerance)
{
    for (int k = 0; k < s->mechanism_count; k++) {
        if (suspicion(&s->jumps[k], h, tolerance) > 1.0) return true;
    }
    return false;
}

// ---- what explains a change

// Springs, motors and dampers: what they do within the step, where it starts and where it ends.
static void add_pushes(tml_sim* sim)
{
    maximal_system* s = sim->system;
    tml__sim_place(sim, sim->past_q[0], sim->past_v[0], sim->own);
    tml__maximal_forces(s);
    tml__jump_add_push(s, sim->settings.step, false);
    tml__sim_place(sim, sim->next.q, sim->next.v, sim->next.own);
    tml__maximal_forces(s);
    tml__jump_add_push(s, sim->settings.step, false);
}

// Rates of rows that motors let jump where the step starts.
static void add_kinks(tml_sim* sim, const double* controls)
{
    maximal_system* s = sim->system;
    if (!s->has_targets) return;
    tml__sim_time(sim, 0.0, controls);
    tml__sim_stand(sim, sim->past_q[0], sim->past_v[0], sim->own);
    tml__maximal_row_motions(s, s->dl, s->lambda_start);
    tml__maximal_row_rates(s, s->lambda_start);
    for (int row = 0; row < s->row_count; row++) s->dl[row] += s->lambda_start[row];
    tml__jump_add_rates(s, s->dl);
}

// And by how much they differ between both ends of it.
static void add_kinks_within(tml_sim* sim, const double* controls)
{
    maximal_system* s = sim->system;
    const tml_model* m = sim->model;
    if (!s->has_targets) return;
    memcpy(s->ahead, s->targets.axis, (size_t)m->all.joint_count * TML_AXES * sizeof *s->ahead);
    tml__sim_time(sim, sim->settings.step, controls);
    for (int j = 0; j < m->all.joint_count; j++) {
        const int follower = m->bodies[m->joints[j].follower].node;
        const int node = follower >= 0 ? follower : m->bodies[m->joints[j].base].node;
        for (int k = 0; k < TML_AXES && node >= 0; k++) {
            const int i = j * TML_AXES + k;
            jump_sizes* to = &s->jumps[s->mechanism[node]];
            if (m->joints[j].axis[k].actuation != TML_POSITION) continue;
            const double arm = k < TML_AXIS_RX ? 1.0 : to->radius;
            to->rate = tml__larger(to->rate, arm * (s->targets.axis[i].rate - s->ahead[i].rate));
        }
    }
}

// The mechanism whose velocities change most for no reason; -1: there is none. What is at rest has no branch of its
// own. sim->system->jumps tells how much.
static int find_suspect(tml_sim* sim, const double* controls)
{
    maximal_system* s = sim->system;
    const double h = sim->settings.step;
    double most = 1.0;
    int suspect = -1;
    tml__jump_clear(s);
    add_bodies(sim);
    if (!is_any_suspicious(s, h, sim->settings.tolerance)) return -1;
    add_pushes(sim);
    add_kinks(sim, controls);
    add_kinks_within(sim, controls);
    for (int k = 0; k < s->mechanism_count; k++) {
        const jump_sizes* j = &s->jumps[k];
        const bool is_explained = tml__larger(j->push, j->rate) > explained * j->change;
        const double share = suspicion(j, h, sim->settings.tolerance);
        if (is_explained || !(share > most)) continue;
        most = share;
        suspect = k;
    }
    return suspect;
}

// ---- parts

typedef struct suspect {
    int mechanism;
    double change, speed;  // m/s
} suspect;

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
static tml_status advance_parts(tml_sim* sim, const double* controls, const suspect* which,
                                int parts, double* worst)
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
            *worst = tml__larger(*worst, difference(sim, which->mechanism, &before, &sim->next));
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

// In more and more parts, until none of them jumps. True: they go another way than the whole step did, and are to be
// kept; false: they go the same way.
static bool leads_elsewhere(tml_sim* sim, const double* controls, const suspect* which, int* parts)
{
    const sim_state whole = {.q = sim->whole_q, .v = sim->whole_v};
    memcpy(whole.q, sim->next.q, (size_t)sim->width * sizeof(double));
    memcpy(whole.v, sim->next.v, (size_t)sim->width * sizeof(double));
    for (*parts = 2; *parts <= MOST_PARTS; *parts *= 2) {
        double worst;
        if (advance_parts(sim, controls, which, *parts, &worst) != TML_OK) continue;
        const double apart = difference(sim, which->mechanism, &whole, &sim->next);
        const bool is_same = apart <= same * which->change;
        const bool is_last = *parts == MOST_PARTS;
        if (is_same && worst <= smooth * which->change) return false;
        if (!is_same && worst <= (is_last ? smooth * which->change : suspicious * which->speed))
            return true;
    }
    return false;
}

tml_status tml__branch_follow(tml_sim* sim, const double* controls)
{
    const int mechanism = find_suspect(sim, controls);
    if (mechanism < 0) return TML_OK;

    const jump_sizes* j = &sim->system->jumps[mechanism];
    const suspect which = {mechanism, j->change, tml__larger(j->first, j->speed)};
    const tml_sim_report before = sim->report;
    int parts;
    if (leads_elsewhere(sim, controls, &which, &parts)) {
        keep_parts(sim, parts);
        return TML_OK;
    }
    const tml_status status = take_whole(sim, controls);
    sim->report = before;  // it was counted
    return status;
}
