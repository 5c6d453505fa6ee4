// force/spring.c - tension along a path, with its exact derivatives.             [COOK (39)-(53)]
//
//   L = sum |x_{i+1} - x_i|        g_i = dL/dx_i = e_{i-1} - e_i
//   T = law(L - L0) + (damping + rayleigh law') L' + force(t) + muscle(L, L', t)      f_i = -T g_i
//   df_i = -g_i dT - T sum_k H_ik dx_k,  H = d2L/dx2: (I - e e^T)/l per segment
//
// differs: [COOK (48) (49)] have the sign of the n n^T term wrong; H below is the derivative.
#include "force/spring.h"

#include <string.h>

// The force of the law at an extension, its slope, the energy from zero extension, and how the slope
// bends.
typedef struct law_value {
    double force, slope, energy, bend;
} law_value;

static law_value table_law(const spring_data* s, double x)
{
    const double* X = s->table_extensions;
    const double* Y = s->table_forces;
    const int last = s->table_count - 1;
    int i = 0;
    while (i < last - 1 && X[i + 1] <= x) i++;

    const double slope = (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]);
    return (law_value){.force = Y[i] + slope * (x - X[i]), .slope = slope};
}

// The area under the table between zero and x, piece by piece.
static double table_energy(const spring_data* s, double x)
{
    const double low = x < 0.0 ? x : 0.0;
    const double high = x < 0.0 ? 0.0 : x;
    double area = 0.0;
    double from = low;
    for (int i = 0; i < s->table_count && from < high; i++) {
        const double knot = s->table_extensions[i];
        if (knot <= from) continue;
        const double to = knot < high ? knot : high;
        area += 0.5 * (to - from) * (table_law(s, from).force + table_law(s, to).force);
        from = to;
    }
    area += 0.5 * (high - from) * (table_law(s, from).force + table_law(s, high).force);
    return x < 0.0 ? -area : area;
}

// What the spring itself does.
static law_value elastic(const spring_data* s, double x)
{
    switch (s->law) {
    case TML_SPRING_LINEAR:
        return (law_value){s->stiffness * x, s->stiffness, 0.5 * s->stiffness * x * x, 0.0};
    case TML_SPRING_QUADRATIC:
        // odd, so that it also pushes back in compression; differs from [COOK (51)]
        return (law_value){s->stiffness * x * fabs(x), 2.0 * s->stiffness * fabs(x),
                           s->stiffness * x * x * fabs(x) / 3.0,
                           x < 0.0 ? -2.0 * s->stiffness : 2.0 * s->stiffness};
    case TML_SPRING_TABLE: return table_law(s, x);
    }
    return (law_value){0.0, 0.0, 0.0, 0.0};
}

static bool has_muscle(const spring_data* s) { return s->muscle.force > 0.0; }

// The spring, and what stretching adds in a muscle along the same path.
static law_value law(const spring_data* s, double x)
{
    law_value value = elastic(s, x);
    if (!has_muscle(s)) return value;
    const muscle_stretch more = tml__muscle_passive(&s->muscle, x + s->rest_length);
    value.force += more.force;
    value.slope += more.slope;
    value.energy += more.energy;
    value.bend += more.bend;
    return value;
}

static double energy_at(const spring_data* s, double x)
{
    if (s->law != TML_SPRING_TABLE) return law(s, x).energy;
    return table_energy(s, x) + law(s, x).energy;
}

muscle_pull tml__spring_muscle(const spring_data* s, double length, double rate, double t)
{
    if (!has_muscle(s)) return (muscle_pull){0.0, 0.0, 0.0};
    return tml__muscle_active(&s->muscle, tml__control_eval(&s->activation, t).value, length, rate);
}

void tml__spring_eval(const spring_data* s, const rigid* bodies, double t, spring_state* out)
{
    const int n = s->point_count;
    vec3 last = v3_zero();

    out->length = 0.0;
    out->rate = 0.0;
    for (int i = 0; i < n; i++) {
        const rigid* b = &bodies[s->body[i]];
        out->r[i] = m3_apply(b->R, s->point[i]);
        out->u[i] = v3_add(b->v, v3_cross(b->omega, out->r[i]));
        out->g[i] = v3_zero();
        out->e[i] = v3_zero();
        out->inverse[i] = 0.0;
        const vec3 x = v3_add(b->c, out->r[i]);
        if (i > 0) {
            const vec3 d = v3_sub(x, last);
            const double length = v3_norm(d);
            out->length += length;
            // < 1e-12 m: no direction, so this segment neither pulls nor turns
            if (length > 1e-12) {
                out->inverse[i - 1] = 1.0 / length;
                out->e[i - 1] = v3_scale(1.0 / length, d);
            }
            out->g[i - 1] = v3_sub(out->g[i - 1], out->e[i - 1]);
            out->g[i] = out->e[i - 1];
        }
        last = x;
    }
    for (int i = 0; i < n; i++) out->rate += v3_dot(out->g[i], out->u[i]);

    const law_value value = law(s, out->length - s->rest_length);
    const law_value own = elastic(s, out->length - s->rest_length);
    out->dT_drest = -(own.slope + s->rayleigh * own.bend * out->rate);
    out->dT_drate = s->damping + s->rayleigh * value.slope;
    out->tension = value.force + out->dT_drate * out->rate + tml__control_eval(&s->force, t).value;
    out->dT_dL = value.slope + s->rayleigh * value.bend * out->rate;
    if (!has_muscle(s)) return;
    const muscle_pull pull = tml__spring_muscle(s, out->length, out->rate, t);
    out->tension += pull.force;
    out->dT_dL += pull.by_length;
    out->dT_drate += pull.by_rate;
}

vec3 tml__spring_force(const spring_state* state, int i)
{
    return v3_scale(-state->tension, state->g[i]);
}

// H_ik: only neighbours along the path couple.
static mat3 hessian(const spring_state* state, int i, int k)
{
    mat3 H = m3_zero();
    const int first = i < k ? i : k;
    // segments that touch both i and k: first (when |i - k| <= 1) and, for i = k, the one before
    for (int segment = i == k ? i - 1 : first; segment <= first; segment++) {
        if (segment < 0) continue;
        const vec3 e = state->e[segment];
        const mat3 P = m3_sub(m3_identity(), m3_outer(e, e));
        H = m3_add(H, m3_scale((i == k ? 1.0 : -1.0) * state->inverse[segment], P));
    }
    return H;
}

static bool are_neighbours(int i, int k) { return i - k <= 1 && k - i <= 1; }

// dT / d(motion of the body of point k): force part and torque part.
static void tension_gradient(const spring_data* s, const spring_state* state, const rigid* bodies,
                             const lift* lifts, int k, vec3* force, vec3* torque)
{
    const rigid* b = &bodies[s->body[k]];
    const lift* up = &lifts[s->body[k]];
    const vec3 g = state->g[k];
    const vec3 r = state->r[k];

    // sum_i H_ki u_i: how the directions turn as point k moves
    vec3 turn = v3_zero();
    for (int i = k > 0 ? k - 1 : 0; i < s->point_count && i <= k + 1; i++) {
        turn = v3_add(turn, m3_apply(hessian(state, k, i), state->u[i]));
    }
    const vec3 move = v3_axpy(v3_scale(state->dT_dL, g), state->dT_drate, turn);

    // u = v + omega x r: by the turning arm, g . omega x (dphi x r), and by the lifted velocities
    const vec3 arm = v3_cross(r, v3_cross(g, b->omega));
    const vec3 lifted = m3_apply_t(up->W, v3_cross(r, g));
    *force = v3_axpy(move, state->dT_drate * up->g, g);
    *torque = v3_axpy(v3_cross(r, move), state->dT_drate, v3_add(arm, lifted));
}

static void add3(double* block, int row, int column, mat3 a)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) block[(row + i) * 6 + column + k] += a.m[i][k];
    }
}

void tml__spring_block(const spring_data* s, const spring_state* state, const rigid* bodies,
                       const lift* lifts, int i, int k, double block[36])
{
    const vec3 g = state->g[i];
    const vec3 rg = v3_cross(state->r[i], g);
    vec3 dT_force;
    vec3 dT_torque;
    tension_gradient(s, state, bodies, lifts, k, &dT_force, &dT_torque);

    memset(block, 0, 36 * sizeof *block);
    add3(block, 0, 0, m3_scale(-1.0, m3_outer(g, dT_force)));
    add3(block, 0, 3, m3_scale(-1.0, m3_outer(g, dT_torque)));
    add3(block, 3, 0, m3_scale(-1.0, m3_outer(rg, dT_force)));
    add3(block, 3, 3, m3_scale(-1.0, m3_outer(rg, dT_torque)));

    if (are_neighbours(i, k)) {
        // -T J_i^T H J_k with J = [I, -[r]]
        const mat3 H = m3_scale(-state->tension, hessian(state, i, k));
        const mat3 Hr = m3_mul(H, m3_skew(state->r[k]));
        add3(block, 0, 0, H);
        add3(block, 0, 3, m3_scale(-1.0, Hr));
        add3(block, 3, 0, m3_mul(m3_skew(state->r[i]), H));
        add3(block, 3, 3, m3_scale(-1.0, m3_mul(m3_skew(state->r[i]), Hr)));
    }
    // the arm of the torque turns with the body
    if (i == k) add3(block, 3, 3, m3_skew_skew(tml__spring_force(state, i), state->r[i]));
}

double tml__spring_energy(const spring_data* s, const rigid* bodies)
{
    double length = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < s->point_count; i++) {
        const rigid* b = &bodies[s->body[i]];
        const vec3 x = v3_add(b->c, m3_apply(b->R, s->point[i]));
        if (i > 0) length += v3_norm(v3_sub(x, last));
        last = x;
    }
    return energy_at(s, length - s->rest_length);
}

spring_mean tml__spring_elastic(const spring_data* s, double extension)
{
    const law_value value = elastic(s, extension);
    return (spring_mean){value.force, value.slope};
}

spring_mean tml__spring_law(const spring_data* s, double extension)
{
    const law_value value = law(s, extension);
    return (spring_mean){value.force, value.slope};
}

spring_mean tml__spring_mean(const spring_data* s, double from, double to)
{
    const law_value a = law(s, from);
    const law_value b = law(s, to);
    const double step = to - from;

    // a straight law, and one that is so over a distance of 1e-5: the mean of both ends
    if ((s->law == TML_SPRING_LINEAR && !has_muscle(s)) ||
        fabs(step) <= 1e-5 * (fabs(from) + fabs(to))) {
        return (spring_mean){0.5 * (a.force + b.force), 0.5 * b.slope};
    }
    const double force = (energy_at(s, to) - energy_at(s, from)) / step;
    return (spring_mean){force, (b.force - force) / step};
}
