// method/generalized/dynamics.c - the recursions over a tree, in world axes.        [DCON Sec III]
//
//   in the notes   here           meaning
//   S_i            t->S           how a column moves everything beyond it
//   v_i, a_i       velocity, acceleration
//   I_i, I^C_i     I, composite   inertia of a body, of it and all beyond it
//   lambda(i)      parent         the body next inwards
// Everything is about one point, so nothing is transformed from body to body.
#include "method/generalized/dynamics.h"

#include "math/mat6.h"
#include "math/small.h"

#include <math.h>
#include <string.h>

void tml__gen_apply(gen_tree* t, const vec3* force, const vec3* torque)
{
    for (int at = 0; at < t->body_count; at++) {
        const int body = t->bodies[at].body;
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        t->applied[at] = (wrench){v3_add(torque[body], v3_cross(arm, force[body])), force[body]};
    }
}

// What it takes to keep a body moving as it moves without accelerations, less what is applied.
static inline wrench bias(const gen_tree* t, int at)
{
    if (t->is_still) return wr_scale(-1.0, t->applied[at]);
    const wrench momentum = si_apply(&t->I[at], t->velocity[at]);
    return wr_sub(tw_cross_wrench(t->velocity[at], momentum), t->applied[at]);
}

static inline twist drift(const gen_tree* t, int at)
{
    return t->is_still ? tw_zero() : t->drift[at];
}

// f_i = I a + v x* I v - applied;  tau_i = S_i . sum of f beyond i       (recursive Newton-Euler)
void tml__gen_inverse(gen_tree* t, const double* a, double* tau)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist acceleration = drift(t, at);
        if (b->parent >= 0) acceleration = tw_add(t->acceleration[b->parent], acceleration);
        for (int k = b->column; a != NULL && k < b->column + b->column_count; k++) {
            acceleration = tw_axpy(acceleration, a[k], t->S[k]);
        }
        t->acceleration[at] = acceleration;
        t->carried[at] = wr_add(si_apply(&t->I[at], acceleration), bias(t, at));
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const gen_body* b = &t->bodies[at];
        for (int k = b->column; k < b->column + b->column_count; k++) {
            tau[k] = sv_dot(t->S[k], t->carried[at]);
            if (a != NULL && t->armature[k] > 0.0) tau[k] += t->armature[k] * a[k];
        }
        if (b->parent >= 0) {
            t->carried[b->parent] = wr_add(t->carried[b->parent], t->carried[at]);
        }
    }
}

// H_ij = S_j . I^C_i S_i for every column j inwards of i             (composite rigid bodies)
void tml__gen_mass(gen_tree* t, const double* added)
{
    const bool has_drag = t->has_drag && added != NULL;
    for (int at = 0; at < t->body_count; at++) {
        t->composite[at] = has_drag ? si_add(t->I[at], t->drag[at]) : t->I[at];
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const int parent = t->bodies[at].parent;
        if (parent >= 0) t->composite[parent] = si_add(t->composite[parent], t->composite[at]);
    }
    for (int i = 0; i < t->column_count; i++) {
        const wrench force = si_apply(&t->composite[t->column_body[i]], t->S[i]);
        double* row = gen_mass_row(t, i);
        for (int j = i; j >= 0; j = t->column_parent[j]) row[t->depth[j]] = sv_dot(t->S[j], force);
        row[t->depth[i]] += t->armature[i];
        if (added == NULL) continue;
        row[t->depth[i]] += added[i];
        for (int n = 0; n < 2 && n < t->depth[i]; n++) {
            row[t->depth[i] - 1 - n] += t->beside[2 * i + n];
        }
    }
}

// Columns from the leaves inwards; eliminating one touches only the columns inwards of it.
tml_status tml__gen_factor(gen_tree* t, int* bad_column)
{
    for (int k = t->column_count - 1; k >= 0; k--) {
        double* row = gen_mass_row(t, k);
        const int depth = t->depth[k];
        if (!(row[depth] > 0.0) || !isfinite(row[depth])) {
            if (bad_column != NULL) *bad_column = k;
            return TML_SINGULAR;
        }
        row[depth] = sqrt(row[depth]);
        const double inverse = 1.0 / row[depth];
        for (int d = 0; d < depth; d++) row[d] *= inverse;
        for (int i = t->column_parent[k]; i >= 0; i = t->column_parent[i]) {
            double* to = gen_mass_row(t, i);
            const double factor = row[t->depth[i]];
            for (int d = 0; d <= t->depth[i]; d++) to[d] -= factor * row[d];
        }
    }
    return TML_OK;
}

// One column of a solve with L^T.
static void eliminate(const gen_tree* t, int k, double* b)
{
    const double* row = gen_mass_row(t, k);
    b[k] /= row[t->depth[k]];
    for (int i = t->column_parent[k]; i >= 0; i = t->column_parent[i]) {
        b[i] -= row[t->depth[i]] * b[k];
    }
}

void tml__gen_solve_outer(const gen_tree* t, double* b)
{
    for (int k = t->column_count - 1; k >= 0; k--) eliminate(t, k, b);
}

void tml__gen_solve_path(const gen_tree* t, int from, double* b)
{
    for (int k = from; k >= 0; k = t->column_parent[k]) eliminate(t, k, b);
}

void tml__gen_solve_inner(const gen_tree* t, double* b)
{
    for (int k = 0; k < t->column_count; k++) {
        const double* row = gen_mass_row(t, k);
        double sum = b[k];
        for (int i = t->column_parent[k]; i >= 0; i = t->column_parent[i]) {
            sum -= row[t->depth[i]] * b[i];
        }
        b[k] = sum / row[t->depth[k]];
    }
}

void tml__gen_solve(const gen_tree* t, double* b)
{
    tml__gen_solve_outer(t, b);
    tml__gen_solve_inner(t, b);
}

// to -= factor from, and to *= factor, over rows
static void subtract(size_t wide, double factor, const double* restrict from, double* restrict to)
{
    for (size_t i = 0; i < wide; i++) to[i] -= factor * from[i];
}

static void scale(size_t wide, double factor, double* to)
{
    for (size_t i = 0; i < wide; i++) to[i] *= factor;
}

void tml__gen_solve_many(const gen_tree* t, size_t wide, double* b)
{
    for (int k = t->column_count - 1; k >= 0; k--) {
        const double* row = gen_mass_row(t, k);
        double* own = b + (size_t)k * wide;
        scale(wide, 1.0 / row[t->depth[k]], own);
        for (int i = t->column_parent[k]; i >= 0; i = t->column_parent[i]) {
            subtract(wide, row[t->depth[i]], own, b + (size_t)i * wide);
        }
    }
    for (int k = 0; k < t->column_count; k++) {
        const double* row = gen_mass_row(t, k);
        double* own = b + (size_t)k * wide;
        for (int i = t->column_parent[k]; i >= 0; i = t->column_parent[i]) {
            subtract(wide, row[t->depth[i]], b + (size_t)i * wide, own);
        }
        scale(wide, 1.0 / row[t->depth[k]], own);
    }
}

// ---- articulated bodies

static void store_twist(twist a, double out[6])
{
    v3_store(out, a.omega);
    v3_store(out + 3, a.v);
}

static void store_wrench(wrench f, double out[6])
{
    v3_store(out, f.moment);
    v3_store(out + 3, f.force);
}

static wrench load_wrench(const double* f) { return (wrench){v3_load(f), v3_load(f + 3)}; }

static void store_inertia(const spatial_inertia* I, double* out)
{
    const mat3 first = m3_skew(I->first);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out[6 * i + k] = I->second.m[i][k];
            out[6 * i + 3 + k] = first.m[i][k];
            out[6 * (3 + i) + k] = -first.m[i][k];
            out[6 * (3 + i) + 3 + k] = i == k ? I->mass : 0.0;
        }
    }
}

// U = IA S, D = S^T U + added, factored, and u = tau - S . p.
static tml_status condense(gen_tree* t, int at, const double* added, const double* tau,
                           int* bad_column)
{
    const gen_body* b = &t->bodies[at];
    double* U = &t->U[36 * at];
    double* D = &t->D[36 * at];

    for (int k = 0; k < b->column_count; k++) {
        double S[6];
        store_twist(t->S[b->column + k], S);
        m6_apply(&t->articulated[36 * at], S, &U[6 * k]);
    }
    for (int k = 0; k < b->column_count; k++) {
        const int column = b->column + k;
        for (int n = 0; n <= k; n++) {
            D[6 * k + n] = sv_dot(t->S[column], load_wrench(&U[6 * n]));
        }
        D[7 * k] += t->armature[column];
        if (added != NULL) {
            D[7 * k] += added[column];
            for (int n = 0; n < 2 && n < k; n++) D[7 * k - 1 - n] += t->beside[2 * column + n];
        }
        t->u[column] = (tau != NULL ? tau[column] : 0.0) - sv_dot(t->S[column], t->carried[at]);
    }
    const tml_status status = tml__ldlt_factor(b->column_count, D, 6);
    if (status != TML_OK && bad_column != NULL) *bad_column = b->column;
    return status;
}

// W = U D^-1, column by column as U is kept.
static void divide(const gen_tree* t, int at, double W[36])
{
    const int count = t->bodies[at].column_count;
    const double* U = &t->U[36 * at];
    const double* D = &t->D[36 * at];
    if (count == 1) {
        const double inverse = 1.0 / D[0];
        for (int i = 0; i < 6; i++) W[i] = inverse * U[i];
        return;
    }
    for (int i = 0; i < 6; i++) {
        double x[6];
        for (int k = 0; k < count; k++) x[k] = U[6 * k + i];
        tml__ldlt_solve(count, D, 6, x);
        for (int k = 0; k < count; k++) W[6 * k + i] = x[k];
    }
}

// Hand the condensed inertia and force on to the parent:
//   Ia = IA - U D^-1 U^T,   pa = p + Ia drift + U D^-1 u
static void hand_on(gen_tree* t, int at)
{
    const gen_body* b = &t->bodies[at];
    const double* U = &t->U[36 * at];
    double* IA = &t->articulated[36 * at];
    double* to = &t->articulated[36 * b->parent];
    double W[36];
    double pa[6];

    store_wrench(t->carried[at], pa);
    divide(t, at, W);
    for (int k = 0; k < b->column_count; k++) {
        const double* w = &W[6 * k];
        for (int i = 0; i < 6; i++) {
            for (int n = 0; n < 6; n++) IA[6 * i + n] -= w[i] * U[6 * k + n];
            pa[i] += w[i] * t->u[b->column + k];
        }
    }
    if (!t->is_still) {
        double own[6];
        double moved[6];
        store_twist(t->drift[at], own);
        m6_apply(IA, own, moved);
        for (int i = 0; i < 6; i++) pa[i] += moved[i];
    }
    m6_add(IA, to);
    t->carried[b->parent] = wr_add(t->carried[b->parent], load_wrench(pa));
}

tml_status tml__gen_forward(gen_tree* t, const double* added, const double* tau, double* a,
                            int* bad_column)
{
    const bool has_drag = t->has_drag && added != NULL;
    for (int at = 0; at < t->body_count; at++) {
        const spatial_inertia I = has_drag ? si_add(t->I[at], t->drag[at]) : t->I[at];
        store_inertia(&I, &t->articulated[36 * at]);
        t->carried[at] = bias(t, at);
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const tml_status status = condense(t, at, added, tau, bad_column);
        if (status != TML_OK) return status;
        if (t->bodies[at].parent >= 0) hand_on(t, at);
    }
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist acceleration = drift(t, at);
        if (b->parent >= 0) acceleration = tw_add(t->acceleration[b->parent], acceleration);
        for (int k = 0; k < b->column_count; k++) {
            const wrench U = load_wrench(&t->U[36 * at + 6 * k]);
            a[b->column + k] = t->u[b->column + k] - sv_dot(acceleration, U);
        }
        tml__ldlt_solve(b->column_count, &t->D[36 * at], 6, &a[b->column]);
        for (int k = b->column; k < b->column + b->column_count; k++) {
            acceleration = tw_axpy(acceleration, a[k], t->S[k]);
        }
        t->acceleration[at] = acceleration;
    }
    return TML_OK;
}
