// sim/account.c - the energy account of a run.
#include "sim/account.h"

#include "method/power.h"
#include "sim/lean.h"

#include <math.h>

// Of the largest kinetic energy that is explained: up to here a method's own error is none of our business; from here
// on steps that win more than a trace are divided (the shortest substeps may win as much as is free); and beyond the
// last nothing is accepted.
static const double free_gain = 1e-2;
static const double trace_gain = 1e-3;
static const double most_gain = 5e-2;

// Of the work of what is driven: what multipliers of a formula and those of an instant differ by.
static const double doubtful_work = 0.05;

// What was lost may not all be won back: the account follows a loss down to this.
static const double forgotten = 0.5;

// Does a spring pull something to and fro faster than steps follow: h^2 k / m beyond 1?
bool tml__account_is_stiff(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    const tml_integrator integrator = sim->settings.integrator;
    const bool is_symplectic = integrator == TML_TIME_VARIATIONAL ||
                               integrator == TML_TIME_VARIATIONAL4 || integrator == TML_TIME_SHAKE;
    double mass = HUGE_VAL;
    double inertia = HUGE_VAL;
    double push = 0.0;
    double turn = 0.0;
    if (!is_symplectic) return false;
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        mass = fmin(mass, b->mass);
        for (int k = 0; k < 3; k++) inertia = fmin(inertia, b->inertia.m[k][k]);
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        // a table may be as steep as it likes
        const bool has_table = m->springs[i].law != TML_SPRING_LINEAR;
        push = fmax(push, has_table ? HUGE_VAL : m->springs[i].stiffness);
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            double stiffness = a->stiffness + (a->has_servo ? a->servo_stiffness : 0.0);
            if (a->compliance > 0.0) stiffness = fmax(stiffness, 1.0 / a->compliance);
            double* most = k < TML_AXIS_RX ? &push : &turn;
            *most = fmax(*most, stiffness);
        }
    }
    const double h = sim->settings.step;
    return h * h * push > mass || h * h * turn > inertia;
}

bool tml__account_is_kept(const tml_sim* sim)
{
    // drives push loops through singular poses with forces that no multiplier at an instant tells
    if (sim->has_drives && sim->whole_q != NULL) return false;
    // the paper's start is a baseline too
    if (sim->form->is_multistep && sim->settings.implicit.start == TML_START_SDIRK2) return false;
    if (sim->is_stiff) return false;
    return sim->pairing != NULL && !sim->is_driven && !sim->pairing->is_baseline &&
           sim->soft == NULL && !tml__is_lean(sim) && sim->form->shape == NULL &&
           sim->sub_q != NULL;
}

// What compliant contacts have stored.
static double stored_in(const contact_set* set, double stiffness)
{
    double sum = 0.0;
    if (!(stiffness > 0.0)) return 0.0;
    for (int64_t i = 0; i < set->count; i++) {
        const double push = set->list[i].push;
        sum += 0.5 * push * push / stiffness;
    }
    return sum;
}

// What can be told of placed bodies.
typedef struct standing {
    double kinetic, total;
    double power;
    double floor;  // J: what rounding and the tolerance of rows make of it
} standing;

static standing look(tml_sim* sim, const contact_set* contacts, const double* lambda)
{
    maximal_system* s = sim->system;
    const tml_model* m = sim->model;
    standing at = {.kinetic = 0.0};
    double potential = 0.0;
    tml__maximal_energy(s, &at.kinetic, &potential);
    potential += tml__maximal_row_energy(s);
    const power_flow flow = tml__maximal_power(s, lambda);
    if (contacts != NULL) potential += stored_in(contacts, sim->settings.contact.stiffness);
    at.total = at.kinetic + potential + flow.servo;
    at.power = flow.active;
    double weight = 0.0;
    double size = at.kinetic + flow.servo;
    double inertia = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        const double force = b->mass * v3_norm(m->all.gravity);
        weight += force;
        inertia += b->mass + b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2];
        size += force * v3_norm(s->bodies[m->node_body[n]].c);
    }
    at.floor = 1e2 * sim->settings.tolerance * weight + 1e-9 * (size + fabs(potential));
    // bodies at rest without weight: rows that are closed to the tolerance leave speeds of it by the step
    const double speed = sim->settings.tolerance / sim->settings.step;
    at.floor += 0.5 * inertia * speed * speed;
    return at;
}

// Rates of the targets of position drives as they were evaluated last.
static void note_rates(const tml_sim* sim, double* out)
{
    const tml_model* m = sim->model;
    for (int j = 0; j < m->all.joint_count && m->control_count > 0; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (a->actuation != TML_POSITION || a->control_index < 0) continue;
            out[a->control_index] = sim->system->targets.axis[j * TML_AXES + k].rate;
        }
    }
}

// By how much of itself the motion of drives jumps where a step starts: what that takes is a blow, which multipliers of
// the formula need not tell.
static double kink_of(tml_sim* sim, const step_ask* ask)
{
    double jump = 0.0;
    double speed = 0.0;
    if (sim->model->control_count == 0 || ask->offset > 0.0) return 0.0;
    if (sim->account->is_open == 0.0) return 0.0;
    tml__sim_time(sim, 0.0, ask->controls);
    note_rates(sim, sim->next_rates);
    for (int i = 0; i < sim->model->control_count; i++) {
        jump += fabs(sim->next_rates[i] - sim->drive_rates[i]);
        speed += fabs(sim->next_rates[i]) + fabs(sim->drive_rates[i]);
    }
    return speed > 0.0 ? jump / speed : 0.0;
}

void tml__account_open(tml_sim* sim, const double* controls, energy_account* out)
{
    *out = *sim->account;
    if (out->is_open != 0.0) return;
    const step_ask ask = tml__step_ask(sim, controls);
    const step_ask* outer = tml__ask_stand(sim, &ask);
    tml__sim_time(sim, 0.0, controls);
    tml__sim_stand(sim, sim->past_q[0], sim->past_v[0], sim->own);
    const contact_set* contacts = sim->contacts != NULL ? &sim->contacts->now : NULL;
    const standing at = look(sim, contacts, sim->lambda);
    tml__ask_stand(sim, outer);
    sim->placed = -1;
    *out = (energy_account){.is_open = 1.0,
                            .start = at.total,
                            .energy = at.total,
                            .power = at.power,
                            .swing = at.kinetic,
                            .floor = at.floor};
}

// What stands above what is explained.
static double gain_of(const energy_account* a) { return a->energy - a->start - a->work - a->slack; }

void tml__account_tell(const tml_sim* sim, tml_sim_report* report)
{
    const energy_account* a = sim->account;
    if (a->is_open == 0.0) return;
    report->energy_work = a->work;
    report->energy_unexplained = a->energy - a->start - a->work;
}

static double limit_of(const energy_account* a, double share)
{
    return share * a->swing + a->floor;
}

// What lay in something where the step starts was lifted out of it: a matter of positions, not of forces.
static double lift_of(const tml_sim* sim)
{
    const sim_contacts* c = sim->contacts;
    const double slop = 1e-6;  // m; what contacts may keep
    double depth = 0.0;
    double weight = 0.0;
    for (int i = 0; c != NULL && i < c->found_count; i++) depth = fmax(depth, -c->found[i].gap);
    if (depth <= slop) return 0.0;
    for (int n = 0; n < sim->model->node_count; n++) {
        weight += sim->model->bodies[sim->model->node_body[n]].mass;
    }
    return depth * weight * v3_norm(sim->model->all.gravity);
}

void tml__account_add(tml_sim* sim, const step_ask* ask, const energy_account* from,
                      energy_account* to, double* gap)
{
    const step_ask* outer = tml__ask_stand(sim, ask);
    const double kink_of_drives = kink_of(sim, ask);
    tml__sim_time(sim, ask->h, ask->controls);
    note_rates(sim, sim->next_rates);
    *gap = tml__sim_stand(sim, sim->next.q, sim->next.v, sim->next.own);
    const contact_set* contacts = sim->contacts != NULL ? &sim->contacts->next : NULL;
    const standing at = look(sim, contacts, sim->next.lambda);
    tml__ask_stand(sim, outer);

    *to = *from;
    to->energy = at.total;
    to->power = at.power;
    // the trapezoidal rule, and what it may be off
    to->work += 0.5 * ask->h * (from->power + at.power);
    const double most = fmax(fabs(at.power), fabs(from->power));
    to->slack += ask->h * (0.5 * fabs(at.power - from->power) + doubtful_work * most);
    to->slack += lift_of(sim);
    // drives that jump may do any work, and so may whoever sets controls from step to step
    if (kink_of_drives > 1e-3 || ask->controls != NULL)
        to->slack += fmax(0.0, gain_of(to) - gain_of(from));
    to->floor = fmax(from->floor, at.floor);
    const double explained = at.kinetic - fmax(gain_of(to), 0.0);
    to->swing = fmax(from->swing, explained);
    const double least = -forgotten * to->swing;
    if (gain_of(to) < least) to->start += gain_of(to) - least;
}

bool tml__account_allows(const energy_account* from, const energy_account* to, bool is_last)
{
    const double gain = gain_of(to);
    const double most = limit_of(to, most_gain);
    if (gain <= limit_of(to, free_gain)) return true;
    if (!(gain <= most)) return false;
    const double share = is_last ? free_gain : trace_gain * (1.0 - gain / most);
    return gain - gain_of(from) <= limit_of(to, share);
}

// The body whose kinetic energy has grown most.
static int find_body(const tml_sim* sim, const step_ask* ask)
{
    const tml_model* m = sim->model;
    double most = -1.0;
    int body = -1;
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        double kinetic[2];
        for (int k = 0; k < 2; k++) {
            const double* q = (k == 0 ? ask->from.q : sim->next.q) + (size_t)n * POSE_WIDTH;
            const double* v = (k == 0 ? ask->from.v : sim->next.v) + (size_t)n * POSE_WIDTH;
            const vec3 spin = m3_apply_t(q_matrix(q_normalize((quat){q[3], q[4], q[5], q[6]})),
                                         tml__maximal_spin(q, v));
            kinetic[k] = 0.5 * b->mass * v3_dot(v3_load(v), v3_load(v)) +
                         0.5 * v3_dot(spin, m3_apply(b->inertia, spin));
        }
        if (kinetic[1] - kinetic[0] <= most) continue;
        most = kinetic[1] - kinetic[0];
        body = m->node_body[n];
    }
    return body;
}

tml_status tml__account_describe(tml_sim* sim, const step_ask* ask, const energy_account* from,
                                 const energy_account* to)
{
    const int body = find_body(sim, ask);
    return tml__fail(
        &sim->why, TML_NOT_CONVERGED,
        "%s, %s: energy rose from %.4g J to %.4g J in %.3g s, %.3g J of it unexplained by motors "
        "and "
        "forces (%.3g J in this run; kinetic energy %.3g J), most of it in body '%.200s'; use a "
        "smaller step or another integrator",
        tml_formulation_name(sim->settings.formulation),
        tml_integrator_name(sim->settings.integrator), from->energy, to->energy, ask->h,
        gain_of(to) - gain_of(from), gain_of(to), to->swing,
        body >= 0 ? sim->model->all.bodies[body].name : "?");
}
