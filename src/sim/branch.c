// sim/branch.c - has a step left its branch?
#include "sim/branch.h"

#include "method/jump.h"

#include <string.h>

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

bool tml__branch_may_be_left(const tml_sim* sim)
{
    const bool may_touch = sim->contacts != NULL && sim->contacts->found_count > 0;
    return sim->whole_q != NULL && !may_touch && sim->soft == NULL && !is_limited(sim);
}

bool tml__branch_is_watched(const tml_sim* sim)
{
    return is_instantaneous(sim) && tml__branch_may_be_left(sim);
}

// ---- how fast, and how much faster

// Velocities of a node in a state and in sim->next.
static jump_body since(const tml_sim* sim, const double* q, const double* v, int node)
{
    const int at = node * POSE_WIDTH;
    const sim_state* to = &sim->next;
    return (jump_body){.v = v3_load(v + at),
                       .omega = tml__maximal_spin(q + at, v + at),
                       .v_end = v3_load(to->v + at),
                       .omega_end = tml__maximal_spin(to->q + at, to->v + at)};
}

double tml__branch_change(tml_sim* sim, int mechanism, const double* q, const double* v)
{
    maximal_system* s = sim->system;
    s->jumps[mechanism].change = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        if (s->mechanism[n] != mechanism) continue;
        const jump_body body = since(sim, q, v, n);
        tml__jump_add(s, n, &body);
    }
    return s->jumps[mechanism].change;
}

// What the step has changed, of all mechanisms.
static void add_bodies(tml_sim* sim)
{
    for (int n = 0; n < sim->system->node_count; n++) {
        const jump_body body = since(sim, step_q(sim), step_v(sim), n);
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
    tml__sim_place(sim, step_q(sim), step_v(sim), step_own(sim));
    tml__maximal_forces(s);
    tml__jump_add_push(s, step_h(sim), false);
    tml__sim_place(sim, sim->next.q, sim->next.v, sim->next.own);
    tml__maximal_forces(s);
    tml__jump_add_push(s, step_h(sim), false);
}

// Rates of rows that motors let jump where the step starts.
static void add_kinks(tml_sim* sim, const double* controls)
{
    maximal_system* s = sim->system;
    if (!s->has_targets) return;
    tml__sim_time(sim, 0.0, controls);
    tml__sim_stand(sim, step_q(sim), step_v(sim), step_own(sim));
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
    tml__sim_time(sim, step_h(sim), controls);
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
    const double h = step_h(sim);
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

bool tml__branch_find(tml_sim* sim, const double* controls, branch_suspect* out)
{
    const int mechanism = find_suspect(sim, controls);
    if (mechanism < 0) return false;
    const jump_sizes* j = &sim->system->jumps[mechanism];
    *out = (branch_suspect){mechanism, j->change, tml__larger(j->first, j->speed)};
    return true;
}

branch_way tml__branch_judge(const branch_suspect* which, double apart, double worst, bool is_last)
{
    const bool is_same = apart <= same * which->change;
    if (is_same) return worst <= smooth * which->change ? BRANCH_SAME : BRANCH_UNKNOWN;
    const double most = is_last ? smooth * which->change : suspicious * which->speed;
    return worst <= most ? BRANCH_ELSEWHERE : BRANCH_UNKNOWN;
}
