// method/ties.c - rows that tie velocities: knife edges and rolling.                   [COOK (196)]
//
// At one instant (accelerations, velocity projections) such a row is like any other: a . V = 0. In a
// stage, where velocities follow positions by dv = g dc, domega = W dphi, it reads a . V / g = 0, and
// its gradient by the pose
//
//     (n,  W^T (r x n) / g  +  d(a . V)/dphi / g)
//
// differs from a, along which its multiplier pushes. Where only positions count it is switched off.
#include "method/maximal.h"

#include <string.h>

static int body_of(const maximal_system* s, int tie)
{
    return s->model->nonholonomics[s->tie_of[tie]].body;
}

static int node_of(const maximal_system* s, int tie)
{
    return s->model->bodies[body_of(s, tie)].node;
}

bool tml__maximal_is_idle_tie(const maximal_system* s, int tie) { return node_of(s, tie) < 0; }

double tml__maximal_tie_rows(maximal_system* s)
{
    double largest = 0.0;
    int at = 0;

    for (int i = 0; i < s->model->all.nonholonomic_count; i++) {
        const nonholonomic_data* tie = &s->model->nonholonomics[i];
        const rigid* body = &s->bodies[tie->body];
        const int count = tml__tie_rows(tie, body, &s->ties[at]);
        for (int k = 0; k < count; k++, at++) {
            const tie_row* t = &s->ties[at];
            double* C = &s->C[s->first_tie + at];
            *C = t->C;
            if (t->is_velocity && s->stage != NULL) {
                *C = tie_rate(t, body) * s->stage->c_q / s->stage->c_v;
            }
            largest = tml__larger(largest, *C);
        }
    }
    return largest;
}

void tml__maximal_tie_forces(const maximal_system* s, const double* lambda, double* residual)
{
    for (int i = 0; i < s->tie_count; i++) {
        const tie_row* t = &s->ties[i];
        const int node = node_of(s, i);
        const double f = lambda[s->first_tie + i];
        if (node < 0 || (t->is_velocity && s->is_still)) continue;
        double* r = &residual[6 * node];
        v3_store(r, v3_axpy(v3_load(r), -f, t->n));
        v3_store(r + 3, v3_axpy(v3_load(r + 3), -f, v3_cross(t->r, t->n)));
    }
}

// d/dt (a . V) without accelerations is its slope along omega, for heights as well.
void tml__maximal_tie_motions(const maximal_system* s, double* rate, double* bias)
{
    for (int i = 0; i < s->tie_count; i++) {
        const rigid* body = &s->bodies[body_of(s, i)];
        rate[s->first_tie + i] = 0.0;
        bias[s->first_tie + i] = v3_dot(tml__tie_rate_slope(&s->ties[i], body), body->omega);
    }
}

void tml__maximal_tie_rates(const maximal_system* s, double* out)
{
    for (int i = 0; i < s->tie_count; i++) {
        out[s->first_tie + i] = tie_rate(&s->ties[i], &s->bodies[body_of(s, i)]);
    }
}

static void store(double out[6], vec3 force, vec3 torque)
{
    v3_store(out, force);
    v3_store(out + 3, torque);
}

void tml__maximal_tie_gradient(const maximal_system* s, int tie, double out[6])
{
    const tie_row* t = &s->ties[tie];
    const int body = body_of(s, tie);
    const lift* up = &s->lifts[body];
    const vec3 lever = m3_apply_t(up->W, v3_cross(t->r, t->n));
    const vec3 slope = tml__tie_rate_slope(t, &s->bodies[body]);
    store(out, t->n, v3_scale(1.0 / up->g, v3_add(lever, slope)));
}

// Every other row pushes along its own gradient.
static void make_two_sided(maximal_system* s)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    const kkt_pattern p = tml__kkt_pattern(s->matrix);
    values->is_two_sided = true;
    memcpy(values->push, values->row, 6 * (size_t)p.row_start[s->row_count] * sizeof(double));
}

void tml__maximal_fill_ties(maximal_system* s)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    bool has_velocities = false;

    for (int i = 0; i < s->tie_count; i++) {
        const tie_row* t = &s->ties[i];
        const int row = s->first_tie + i;
        const bool is_off = tml__maximal_is_idle_tie(s, i) || (t->is_velocity && s->is_still);
        double* to = &values->row[6 * s->joint_entry[row]];
        values->compliance[row] = is_off ? 1.0 : 0.0;
        has_velocities = has_velocities || t->is_velocity;
        if (tml__maximal_is_idle_tie(s, i)) continue;  // it has no entry
        store(to, t->n, v3_cross(t->r, t->n));
        if (is_off) memset(to, 0, 6 * sizeof(double));
    }
    if (!has_velocities || s->stage == NULL) return;

    make_two_sided(s);
    for (int i = 0; i < s->tie_count; i++) {
        if (!s->ties[i].is_velocity || tml__maximal_is_idle_tie(s, i)) continue;
        tml__maximal_tie_gradient(s, i, &values->row[6 * s->joint_entry[s->first_tie + i]]);
    }
}

void tml__maximal_fill_tie_bending(maximal_system* s, const double* lambda, double c_q)
{
    for (int i = 0; i < s->tie_count; i++) {
        const int node = node_of(s, i);
        const double f = c_q * lambda[s->first_tie + i];
        if (node < 0) continue;
        const tie_bend bend = tml__tie_bend(&s->ties[i]);
        double* block = &tml__kkt_values(s->matrix)->node[36 * node];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                block[6 * a + 3 + b] -= f * bend.force.m[a][b];
                block[6 * (3 + a) + 3 + b] -= f * bend.torque.m[a][b];
            }
        }
    }
}
