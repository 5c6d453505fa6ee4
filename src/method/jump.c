// method/jump.c - is a change of velocities a jump to another branch?
#include "method/jump.h"

#include "base/sets.h"
#include "math/scalar.h"

#include <string.h>

static const double jump_over_expected = 4.0;
static const double jump_over_rate =
    20.0;  // where rates ask for it, it is about as large as they are

// ---- mechanisms

static int node_of(const tml_model* m, int joint, bool is_base)
{
    const joint_data* j = &m->joints[joint];
    return m->bodies[is_base ? j->base : j->follower].node;
}

void tml__jump_find_mechanisms(maximal_system* s)
{
    const tml_model* m = s->model;
    sets_clear(s->mechanism, s->node_count);
    for (int j = 0; j < m->all.joint_count; j++) {
        if (s->rows[j].count == 0) continue;
        sets_join(s->mechanism, node_of(m, j, true), node_of(m, j, false));
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_term* terms = m->all.couplings[i].terms;
        for (int t = 1; t < s->first_term[i + 1] - s->first_term[i]; t++) {
            sets_join(s->mechanism, node_of(m, terms[t - 1].joint.index, false),
                      node_of(m, terms[t].joint.index, false));
        }
    }
    s->mechanism_count = sets_number(s->mechanism, s->node_count);
}

// ---- sizes

static double radius_of(const body_data* data)
{
    double trace = 0.0;
    for (int k = 0; k < 3; k++) trace += data->inertia.m[k][k];
    return sqrt(0.5 * trace / data->mass);
}

void tml__jump_clear(maximal_system* s)
{
    memset(s->jumps, 0, (size_t)s->mechanism_count * sizeof *s->jumps);
}

static void raise(double* largest, double radius, vec3 v, vec3 omega)
{
    *largest = tml__larger(*largest, v3_norm(v) + radius * v3_norm(omega));
}

void tml__jump_add(maximal_system* s, int node, const jump_body* b)
{
    const double radius = radius_of(&s->model->bodies[s->model->node_body[node]]);
    jump_sizes* to = &s->jumps[s->mechanism[node]];
    raise(&to->first, radius, b->v, b->omega);
    raise(&to->speed, radius, b->v_end, b->omega_end);
    raise(&to->change, radius, v3_sub(b->v_end, b->v), v3_sub(b->omega_end, b->omega));
    raise(&to->jump, radius, b->dv, b->domega);
    to->spin = tml__larger(to->spin, v3_norm(b->omega_end));
    to->radius = tml__larger(to->radius, radius);
}

static void add_rate(maximal_system* s, int joint, double rate, bool is_angle)
{
    const tml_model* m = s->model;
    const int follower = node_of(m, joint, false);
    const int node = follower >= 0 ? follower : node_of(m, joint, true);
    if (node < 0) return;
    jump_sizes* to = &s->jumps[s->mechanism[node]];
    to->rate = tml__larger(to->rate, is_angle ? to->radius * rate : rate);
}

void tml__jump_add_rates(maximal_system* s, const double* rates)
{
    const tml_model* m = s->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            add_rate(s, j, rates[s->first_row[j] + r], s->rows[j].row[r].kind != ROW_GAP);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        add_rate(s, m->all.couplings[i].terms[0].joint.index, rates[s->first_coupling + i], true);
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        add_rate(s, limit->joint, rates[limit->row], limit->axis >= TML_AXIS_RX);
    }
}

void tml__jump_add_push(maximal_system* s, double h, bool has_weight)
{
    const tml_model* m = s->model;
    for (int n = 0; n < s->node_count; n++) {
        const int i = m->node_body[n];
        const body_data* data = &m->bodies[i];
        const double radius = radius_of(data);
        const vec3 weight = v3_scale(data->mass, m->all.gravity);
        const vec3 force = has_weight ? s->force[i] : v3_sub(s->force[i], weight);
        const double pushed = v3_norm(force) / data->mass;
        const double turned = v3_norm(s->torque[i]) / (data->mass * radius);
        jump_sizes* to = &s->jumps[s->mechanism[n]];
        to->push = tml__larger(to->push, h * (pushed + turned));
    }
}

// ---- the answer

// What the step may change: accelerations may happen to vanish; the error of second order does not.
static double expected_of(const jump_sizes* j, const jump_step* step)
{
    const double turn = step->h * j->spin;
    const double change = j->change + turn * turn * j->speed + step->tolerance / step->h;
    return jump_over_expected * (change + j->push);
}

bool tml__jump_is(maximal_system* s, const jump_step* step)
{
    bool is_suspicious = false;
    for (int k = 0; k < s->mechanism_count; k++) {
        is_suspicious |= s->jumps[k].jump > expected_of(&s->jumps[k], step);
    }
    if (!is_suspicious) return false;
    if (step->is_half) {
        tml__maximal_forces(s);
        tml__jump_add_push(s, step->h, true);
    }
    tml__jump_add_rates(s, step->rates);
    for (int k = 0; k < s->mechanism_count; k++) {
        const jump_sizes* j = &s->jumps[k];
        if (j->jump > expected_of(j, step) && j->jump > jump_over_rate * j->rate) return true;
    }
    return false;
}
