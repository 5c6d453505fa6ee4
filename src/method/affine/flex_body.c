// method/affine/flex_body.c - one body of finite stiffness: stress, rates and energy.        [notes 9.6]
//
// With phi = 1/2 and A_mean = (A + A+)/2 the force A_mean Sigma on A does the work Sigma : (G+ - G). For
//
//     Sigma = C : (G + G+)/2 + C_r : (G+ - G)/2
//
// the energy stored changes by that work plus |G+ - G|^2 in C_r / 2, which is lost. C_r is C with
// every mode weighted by r = min(1, (h w)^4): vibrations that the step follows lose next to nothing, and the
// order stays 2; the others are damped as by b = 1 in the notes, where they would ring. With theta = 1 that is r = 1.
//
// Rates that a step does not follow are no rates of the motion: of a stiff body that turns, the secant
// (A+ - A)/h has a strain in it. At the end of each step U becomes the least of
//     |U* - U|^2_M + h^2 |sym(A^T U*)|^2_Cr
// which leaves 1/(1 + (h w)^2 r) of each strain: all but (h w)^6 of what is followed, nothing of the rest, as
// rigid links do. No part of it can raise the energy, and turns of the whole feel none of it.
#include "math/scalar.h"
#include "math/small.h"
#include "math/svd.h"
#include "method/affine/flex.h"

#include <trammel/shape.h>

#include <string.h>

static mat3 symmetric(mat3 a) { return m3_scale(0.5, m3_add(a, m3_transpose(a))); }

static double double_dot(mat3 a, mat3 b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) sum += a.m[i][j] * b.m[i][j];
    }
    return sum;
}

static double trace(mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static mat3 green(mat3 A)
{
    return m3_scale(0.5, m3_sub(m3_mul(m3_transpose(A), A), m3_identity()));
}

// C : G, times the volume.
static mat3 stress(const affine_flex* f, const flex_body* b, mat3 G)
{
    const double pressure = f->material.lambda * trace(G);
    const mat3 sum =
        m3_add(m3_scale(2.0 * f->material.mu, G), m3_diagonal(pressure, pressure, pressure));
    return m3_scale(b->volume, sum);
}

// C_r : G, times the volume: positive semidefinite, as it is C between square roots.
static mat3 damped_stress(const affine_flex* f, const flex_body* b, mat3 G)
{
    const double root[3] = {b->root.x, b->root.y, b->root.z};
    const double shear[3] = {b->shear.x, b->shear.y, b->shear.z};
    const mat3 g = m3_mul(m3_transpose(b->axes), m3_mul(G, b->axes));
    mat3 out = m3_zero();
    double swell = 0.0;
    for (int i = 0; i < 3; i++) swell += root[i] * g.m[i][i];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (j != i) out.m[i][j] = 2.0 * f->material.mu * shear[3 - i - j] * g.m[i][j];
        }
        out.m[i][i] =
            root[i] * (2.0 * f->material.mu * root[i] * g.m[i][i] + f->material.lambda * swell);
    }
    return m3_scale(b->volume, m3_mul(b->axes, m3_mul_bt(out, b->axes)));
}

void tml__flex_stage(affine_system* a, const affine_stage* stage)
{
    const affine_flex* f = a->flex;
    const double hh = stage->h * stage->h;
    for (int n = 0; n < a->s->node_count; n++) {
        flex_body* b = &f->body[n];
        const double by[3] = {1.0 / b->moments.x, 1.0 / b->moments.y, 1.0 / b->moments.z};
        double r[3];
        double shear[3];
        for (int k = 0; k < 3; k++) {
            const double along = (2.0 * f->material.mu + f->material.lambda) * by[k];
            const double across = f->material.mu * (by[(k + 1) % 3] + by[(k + 2) % 3]);
            r[k] = tml__smaller(1.0, hh * b->volume * along);  // (h w)^2
            shear[k] = tml__smaller(1.0, hh * b->volume * across);
        }
        b->root = v3(r[0], r[1], r[2]);
        b->shear = v3(shear[0] * shear[0], shear[1] * shear[1], shear[2] * shear[2]);
    }
}

// ---- creation

// Of the shapes that have one; without any, of the ellipsoid with the same second moments.
static double volume_of(const affine_system* a, int body, vec3 moments)
{
    const tml_body_def* def = &a->s->model->all.bodies[body];
    const double mass = a->s->model->bodies[body].mass;
    double sum = 0.0;
    for (int i = 0; i < def->shape_count; i++) {
        tml_shape_def one = def->shapes[i];
        tml_mass_properties weighed;
        one.density = 1.0;
        if (tml_shapes_mass(&one, 1, &weighed) == TML_OK) sum += weighed.mass;
    }
    if (sum > 0.0) return sum;
    // s = m r^2 / 5 along each radius r
    const double radii =
        sqrt(moments.x * moments.y * moments.z) * sqrt(125.0 / (mass * mass * mass));
    return 4.0 / 3.0 * TML_PI * radii;
}

tml_status tml__flex_measure(affine_system* a, const flex_material* material, message* why)
{
    const tml_model* m = a->s->model;
    a->flex->is_corotated = material->is_corotated;
    a->flex->material = tml__elastic(TML_MATERIAL_COROTATED, material->young, material->poisson);
    for (int n = 0; n < a->s->node_count; n++) {
        const int i = m->node_body[n];
        flex_body* b = &a->flex->body[n];
        const mat3_svd d = tml__m3_svd(affine_second_moments(m->bodies[i].inertia));
        b->axes = d.V;
        b->moments = d.s;
        // a plate or a rod without thickness has no volume to be stiff
        if (!(b->moments.z > 1e-12 * b->moments.x)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "body '%s': young needs a body with volume, but its second moments "
                             "are %g, %g and %g kg m^2",
                             m->all.bodies[i].name, d.s.x, d.s.y, d.s.z);
        }
        b->volume = volume_of(a, i, d.s);
    }
    return TML_OK;
}

// ---- forces of the stress

// slope += derivative of direction * law(sym(by^T dA)) along each entry of dA
typedef mat3 (*stress_law)(const affine_flex* f, const flex_body* b, mat3 G);

static void add_slope(const affine_flex* f, const flex_body* b, stress_law law, double scale,
                      mat3 direction, mat3 by, double* slope)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            mat3 dA = m3_zero();
            dA.m[i][k] = scale;
            const mat3 dG = symmetric(m3_mul(m3_transpose(by), dA));
            const mat3 dP = m3_mul(direction, law(f, b, dG));
            double* column = &slope[9 * (3 * k + i)];
            for (int c = 0; c < 9; c++) column[c] += dP.m[c % 3][c / 3];
        }
    }
}

// slope += d(dA Sigma): what the direction of the force adds as A turns.
static void add_turning(mat3 Sigma, double scale, double* slope)
{
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            for (int i = 0; i < 3; i++) slope[9 * (3 * k + i) + 3 * l + i] += scale * Sigma.m[k][l];
        }
    }
}

static mat3 corotated(const affine_flex* f, const flex_body* b, mat3 A, double* slope)
{
    double by[81];
    const mat3 P = tml__elastic_stress(&f->material, A, slope != NULL ? by : NULL);
    for (int c = 0; slope != NULL && c < 81; c++) {
        const int i = c / 27;  // P_ij by A_kl
        const int j = c / 9 % 3;
        const int k = c % 9 / 3;
        const int l = c % 3;
        slope[9 * (3 * l + k) + 3 * j + i] += b->volume * by[c];
    }
    return m3_scale(b->volume, P);
}

mat3 tml__flex_stress(const affine_system* a, const affine_stage* stage, int node, double* slope)
{
    const affine_flex* f = a->flex;
    const flex_body* b = &f->body[node];
    const affine_body* at = &a->body[node];
    const affine_rate rate = affine_rate_of(stage);
    const double phi = stage->phi;
    const double lag = a->s->model->all.rayleigh_stiffness;
    const mat3 A = m3_add(m3_scale(1.0 - phi, at->R), m3_scale(phi, at->R_end));
    const mat3 G = green(at->R);
    const mat3 G_end = green(at->R_end);
    const mat3 change = m3_sub(G_end, G);
    mat3 Sigma = m3_zero();
    mat3 P = m3_zero();

    if (lag > 0.0) {  // [COOK Sec 4]: beta C : G'
        mat3 speed = m3_scale(1.0 / rate.span, change);
        if (rate.lag > 0.0) {
            const mat3 before = m3_sub(G, green(at->R_before));
            speed = m3_sub(speed, m3_scale(1.0 / rate.lag, before));
        }
        Sigma = m3_scale(lag, stress(f, b, speed));
        if (slope != NULL) add_slope(f, b, stress, lag / rate.span, A, at->R_end, slope);
    }
    if (f->is_corotated) {
        P = corotated(f, b, at->R_end, slope);
    } else if (stage->theta == 0.5) {
        Sigma = m3_add(Sigma, stress(f, b, m3_add(G, m3_scale(0.5, change))));
        Sigma = m3_add(Sigma, m3_scale(0.5, damped_stress(f, b, change)));
        if (slope != NULL) add_slope(f, b, stress, 0.5, A, at->R_end, slope);
        if (slope != NULL) add_slope(f, b, damped_stress, 0.5, A, at->R_end, slope);
    } else {
        Sigma = m3_add(Sigma, stress(f, b, G_end));
        if (slope != NULL) add_slope(f, b, stress, 1.0, A, at->R_end, slope);
    }
    if (slope != NULL) add_turning(Sigma, phi, slope);
    return m3_add(P, m3_mul(A, Sigma));
}

mat3 tml__flex_drag(const affine_system* a, int node, mat3 U, double* slope)
{
    const affine_flex* f = a->flex;
    const flex_body* b = &f->body[node];
    const mat3 A = a->body[node].R_end;
    if (slope != NULL) add_slope(f, b, damped_stress, 1.0, A, A, slope);
    return m3_mul(A, damped_stress(f, b, symmetric(m3_mul(m3_transpose(A), U))));
}

static double stored(const affine_flex* f, const flex_body* b, mat3 A)
{
    if (f->is_corotated) return b->volume * tml__elastic_density(&f->material, A);
    const mat3 G = green(A);
    return 0.5 * double_dot(stress(f, b, G), G);
}

// ---- a step

mat3 tml__flex_rotation(mat3 A)
{
    const mat3_svd d = tml__m3_svd(A);
    return m3_svd_rotation(&d);
}

void tml__flex_predict(affine_system* a, const affine_stage* stage, int node)
{
    affine_body* b = &a->body[node];
    const flex_body* f = &a->flex->body[node];
    b->x_hat = v3_scale(stage->h, b->v);
    b->R_hat = m3_add(b->R, m3_scale(stage->h, f->U));
    b->move = b->x_hat;
    // turned as its rates say, strained as it was
    const mat3 strained = m3_mul(m3_transpose(tml__flex_rotation(b->R)), b->R);
    b->R_end = m3_mul(tml__flex_rotation(b->R_hat), strained);
    if (stage->rule != AFFINE_BDF2) return;

    // q_hat = (4 q - q-)/3 + c (4 u - u-)/3, c = 2h/3                                [notes 2]
    const double c = 2.0 / 3.0 * stage->h;
    const vec3 dx = v3_scale(1.0 / 3.0, v3_sub(b->x, b->x_before));
    const vec3 dv = v3_scale(c / 3.0, v3_sub(v3_scale(4.0, b->v), b->v_before));
    const mat3 dU = m3_scale(c / 3.0, m3_sub(m3_scale(4.0, f->U), f->U_before));
    b->x_hat = v3_add(dx, dv);
    b->R_hat = m3_add(tml__affine_past(b, stage), dU);
}

// The angular velocity with the angular momentum of U.                               [notes 9.2]
vec3 tml__flex_spin(const affine_system* a, int node, mat3 A, mat3 U)
{
    const mat3 S = a->S[node];
    const mat3 inertia = affine_lever(m3_mul_bt(m3_mul(A, S), A));
    return m3_apply(m3_inverse(inertia), affine_tau(m3_mul_bt(m3_mul(U, S), A)));
}

void tml__flex_close(affine_system* a, const affine_stage* stage, int node)
{
    affine_body* b = &a->body[node];
    flex_body* f = &a->flex->body[node];
    if (stage->rule == AFFINE_BDF2) {
        const double by_c = 1.5 / stage->h;
        const vec3 dx = v3_scale(1.0 / 3.0, v3_sub(b->x, b->x_before));
        b->v_end = v3_scale(by_c, v3_sub(b->move, dx));
        f->U_end = m3_scale(by_c, m3_sub(b->R_end, tml__affine_past(b, stage)));
    } else {
        const double past = (1.0 - stage->theta) / stage->theta;
        const double now = 1.0 / (stage->theta * stage->h);
        b->v_end = v3_sub(v3_scale(now, b->move), v3_scale(past, b->v));
        f->U_end = m3_sub(m3_scale(now, m3_sub(b->R_end, b->R)), m3_scale(past, f->U));
    }
}

tml_status tml__flex_settle(affine_system* a, const affine_stage* stage, int node)
{
    affine_body* b = &a->body[node];
    flex_body* f = &a->flex->body[node];
    const double hh = stage->h * stage->h;
    double K[81] = {0.0};
    double rate[9];
    int pivot[9];
    const mat3 P = tml__flex_drag(a, node, f->U_end, K);
    for (int c = 0; c < 81; c++) K[c] *= hh;
    for (int c = 0; c < 9; c++) {
        rate[c] = -hh * P.m[c % 3][c / 3];
        for (int l = 0; l < 3; l++) K[9 * c + 3 * l + c % 3] += a->S[node].m[c / 3][l];
    }
    const tml_status status = tml__lu_factor(9, K, 9, pivot);  // symmetric: rows are columns
    if (status != TML_OK) return status;
    tml__lu_solve(9, K, 9, pivot, rate);
    for (int c = 0; c < 9; c++) f->U_end.m[c % 3][c / 3] += rate[c];
    b->omega_end = tml__flex_spin(a, node, b->R_end, f->U_end);
    return TML_OK;
}

// ---- what is accepted

bool tml__flex_has_turned(const affine_system* a)
{
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const mat3 turn = m3_mul_bt(tml__flex_rotation(b->R_end), tml__flex_rotation(b->R));
        a->flex->turned = a->s->model->node_body[n];
        if (!(trace(turn) > affine_least_trace) || !(m3_determinant(b->R_end) > 0.0)) return true;
    }
    return false;
}

static double kinetic(const affine_system* a, int node, vec3 v, mat3 U)
{
    const double mass = a->s->model->bodies[a->s->model->node_body[node]].mass;
    return 0.5 * (mass * v3_dot(v, v) + double_dot(m3_mul(U, a->S[node]), U));
}

double tml__flex_gain(const affine_system* a)
{
    const affine_flex* f = a->flex;
    double before = 0.0;
    double after = 0.0;
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const flex_body* e = &f->body[n];
        before += kinetic(a, n, b->v, e->U) + stored(f, e, b->R);
        after += kinetic(a, n, b->v_end, e->U_end) + stored(f, e, b->R_end);
    }
    return (after - (before + a->work)) / (1e-3 + before + a->work_size);
}

// ---- numbers kept: A, U, and both one step before, by rows

static void store9(double* to, mat3 a)
{
    for (int k = 0; k < 9; k++) to[k] = a.m[k / 3][k % 3];
}

static mat3 load9(const double* from)
{
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = from[k];
    return a;
}

void tml__flex_load(affine_system* a, const double* kept)
{
    for (int n = 0; n < a->s->node_count; n++) {
        const double* from = &kept[FLEX_STATE * n];
        a->body[n].R = load9(from);
        a->flex->body[n].U = load9(from + 9);
        a->body[n].R_before = load9(from + 18);
        a->flex->body[n].U_before = load9(from + 27);
    }
}

void tml__flex_store(const affine_system* a, const double* start, double* kept)
{
    for (int n = 0; n < a->s->node_count; n++) {
        double* to = &kept[FLEX_STATE * n];
        memcpy(to + 18, &start[FLEX_STATE * n], 18 * sizeof(double));
        store9(to, a->body[n].R_end);
        store9(to + 9, a->flex->body[n].U_end);
    }
}

void tml__flex_begin(maximal_system* s, const double* q, const double* v, double* kept)
{
    tml__maximal_place(s, q, v);
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        double* to = &kept[FLEX_STATE * n];
        store9(to, b->R);
        store9(to + 9, m3_mul(m3_skew(b->omega), b->R));
        memcpy(to + 18, to, 18 * sizeof(double));
    }
}

void tml__flex_shape(maximal_system* s, const double* kept)
{
    for (int n = 0; n < s->node_count; n++) {
        s->bodies[s->model->node_body[n]].R = load9(&kept[FLEX_STATE * n]);
    }
    tml__maximal_frames(s);
}

void tml__flex_energy(const affine_system* a, const double* kept, double* moving, double* held)
{
    const maximal_system* s = a->s;
    *moving = 0.0;
    *held = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const double* from = &kept[FLEX_STATE * n];
        const vec3 v = s->bodies[s->model->node_body[n]].v;
        *moving += kinetic(a, n, v, load9(from + 9));
        *held += stored(a->flex, &a->flex->body[n], load9(from));
    }
}
