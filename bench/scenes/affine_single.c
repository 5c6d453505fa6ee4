// bench/scenes/affine_single.c - one free body by rigid and affine steps: Fig. 2 of the paper. [MABD]
//
//     bench/affine_single
//
// A cylinder that rolls without touching anything, 10 000 steps of 10 ms, in the ways that the paper
// compares, each written here as plainly as its equations, and in ours. As CSV: processor time of the
// whole run, the best of a few, and of one step; Newton iterations a step; how far the body is turned
// from the closed form of a symmetric top after one second; its energy at the end over that at the
// start. The affine ones let stress act at the end of the step, so they damp turning. [notes 1 2]
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "math/quat.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum {
    STEPS = 10000,
    SECOND = 100,  // steps
    TRIES = 3,
};

static const double h = 0.01;
static const double mass = 1.0;
static const double S[3] = {0.0625, 0.0625, 1.0 / 12.0};  // radius 0.5, length 1, axis z
static const double stiff = 1e6;                          // mu V, J

static double inertia(int k) { return S[0] + S[1] + S[2] - S[k]; }

typedef struct body {
    vec3 x, v;
    quat q;      // rigid steps
    vec3 omega;  // in body axes
    mat3 A, U;   // affine ones: A and its rate
    long long iterations;
} body;

static const vec3 spin = {0.6, 0.0, 3.0};  // rad/s at the start, body axes

static body begin(void)
{
    body b = {.v = v3(1.5, 0.0, 0.0), .q = q_identity(), .omega = spin, .A = m3_identity()};
    b.U = m3_skew(spin);
    return b;
}

static vec3 momentum(vec3 omega)
{
    return v3(inertia(0) * omega.x, inertia(1) * omega.y, inertia(2) * omega.z);
}

// ---- rigid

static void turn(body* b)
{
    b->x = v3_axpy(b->x, h, b->v);
    b->q = q_normalize(q_mul(b->q, q_exp(v3_scale(h, b->omega))));
}

static void rigid_explicit(body* b)
{
    const vec3 torque = v3_cross(momentum(b->omega), b->omega);
    b->omega = v3_add(b->omega, v3(h * torque.x / inertia(0), h * torque.y / inertia(1),
                                   h * torque.z / inertia(2)));
    turn(b);
}

// J (w+ - w) + h w+ x J w+ = 0 by Newton.
static void rigid_implicit(body* b)
{
    const vec3 before = momentum(b->omega);
    for (int k = 0; k < 20; k++) {
        const vec3 L = momentum(b->omega);
        const vec3 r = v3_axpy(v3_sub(L, before), h, v3_cross(b->omega, L));
        const mat3 J = m3_diagonal(inertia(0), inertia(1), inertia(2));
        const mat3 gyro = m3_sub(m3_mul(m3_skew(b->omega), J), m3_skew(L));
        const vec3 dw = m3_apply(m3_inverse(m3_add(J, m3_scale(h, gyro))), r);
        b->omega = v3_sub(b->omega, dw);
        b->iterations++;
        if (v3_max(dw) < 1e-9) break;
    }
    turn(b);
}

// ---- affine

static void accept(body* b, const mat3* A)
{
    b->U = m3_scale(1.0 / h, m3_sub(*A, b->A));
    b->A = *A;
    b->x = v3_axpy(b->x, h, b->v);
}

enum {
    N = 12
};

// Solves H x = r, H positive definite, in place.
static void solve_cholesky(double H[N][N], double r[N])
{
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++) H[j][j] -= H[j][k] * H[j][k];
        H[j][j] = sqrt(H[j][j]);
        for (int i = j + 1; i < N; i++) {
            for (int k = 0; k < j; k++) H[i][j] -= H[i][k] * H[j][k];
            H[i][j] /= H[j][j];
        }
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++) r[i] -= H[i][k] * r[k];
        r[i] /= H[i][i];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++) r[i] -= H[k][i] * r[k];
        r[i] /= H[i][i];
    }
}

// Gradient and Hessian of sum s_j |a_j - ahat_j|^2 / 2h^2 + (mu V/4) |A^T A - I|^2, with the shift, which
// is at rest where it was predicted: H_jk = mu V ((a_k . a_j - d_jk) I + a_k a_j^T + d_jk A A^T).
static void assemble_vanilla(const mat3* A, const mat3* predicted, double H[N][N], double r[N])
{
    const mat3 square = m3_mul(m3_transpose(*A), *A);
    const mat3 sum = m3_mul_bt(*A, *A);
    memset(H, 0, sizeof(double) * N * N);
    for (int j = 0; j < 3; j++) {
        const double alpha = S[j] / (h * h);
        for (int i = 0; i < 3; i++) {
            double force = -A->m[i][j];
            for (int k = 0; k < 3; k++) force += A->m[i][k] * square.m[k][j];
            r[3 * j + i] = alpha * (A->m[i][j] - predicted->m[i][j]) + stiff * force;
            H[3 * j + i][3 * j + i] = alpha;
        }
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 9; i++) {
                const int row = i / 3;
                const int column = i % 3;
                double entry = A->m[row][k] * A->m[column][j];
                if (row == column) entry += square.m[k][j] - (j == k ? 1.0 : 0.0);
                if (j == k) entry += sum.m[row][column];
                H[3 * j + row][3 * k + column] += stiff * entry;
            }
        }
        H[9 + j][9 + j] = mass / (h * h);
        r[9 + j] = 0.0;
    }
}

static void affine_vanilla(body* b)
{
    const mat3 predicted = m3_add(b->A, m3_scale(h, b->U));
    mat3 A = predicted;
    for (int k = 0; k < 20; k++) {
        double H[N][N];
        double r[N];
        double largest = 0.0;
        assemble_vanilla(&A, &predicted, H, r);
        solve_cholesky(H, r);
        for (int i = 0; i < 9; i++) {
            A.m[i % 3][i / 3] -= r[i];
            largest = tml__larger(largest, r[i]);
        }
        b->iterations++;
        if (largest < 1e-9) break;
    }
    accept(b, &A);
}

// One step of Newton-Schulz towards the nearest rotation.
static mat3 straighten(mat3 R)
{
    const mat3 square = m3_mul(m3_transpose(R), R);
    return m3_mul(R, m3_sub(m3_scale(1.5, m3_identity()), m3_scale(0.5, square)));
}

// A = R (I + H^-1 (M/h^2) (R^T Ahat - I)): one iteration of the co-rotated energy, whose matrix is
// three pairs and a diagonal.                                                          [notes 1]
static void affine_corotated(body* b, int polar_steps)
{
    const mat3 predicted = m3_add(b->A, m3_scale(h, b->U));
    mat3 R = predicted;
    for (int k = 0; k < polar_steps; k++) R = straighten(R);
    const mat3 p = m3_sub(m3_mul(m3_transpose(R), predicted), m3_identity());
    mat3 strained = m3_identity();
    for (int i = 0; i < 3; i++) {
        const double a = S[i] / (h * h);
        strained.m[i][i] += a * p.m[i][i] / (a + 2.0 * stiff);
        for (int j = i + 1; j < 3; j++) {
            const double c = S[j] / (h * h);
            const double den = a * c / stiff + a + c;
            const double ij = c * p.m[i][j];
            const double ji = a * p.m[j][i];
            strained.m[i][j] += ((a / stiff + 1.0) * ij - ji) / den;
            strained.m[j][i] += ((c / stiff + 1.0) * ji - ij) / den;
        }
    }
    const mat3 A = m3_mul(R, strained);
    b->iterations++;
    accept(b, &A);
}

static void affine_polar(body* b) { affine_corotated(b, 4); }
static void affine_short(body* b) { affine_corotated(b, 1); }

// ---- what is measured

// A symmetric top turns about its momentum and about its own axis, both evenly.
static mat3 exact(double t)
{
    const vec3 L = momentum(spin);
    const quat about_L = q_exp(v3_scale(t / inertia(0), L));
    const quat about_z = q_exp(v3(0.0, 0.0, t * spin.z * (1.0 - inertia(2) / inertia(0))));
    return q_matrix(q_mul(about_L, about_z));
}

static double angle_between(mat3 R, mat3 Q)
{
    for (int k = 0; k < 6; k++) R = straighten(R);
    return v3_norm(tml__q_log(tml__q_from_matrix(m3_mul_bt(R, Q))));
}

static double energy_of(const body* b, bool is_affine)
{
    double sum = mass * v3_dot(b->v, b->v);
    if (!is_affine) return 0.5 * (sum + v3_dot(b->omega, momentum(b->omega)));
    for (int k = 0; k < 9; k++) sum += S[k % 3] * b->U.m[k / 3][k % 3] * b->U.m[k / 3][k % 3];
    return 0.5 * sum;
}

static const struct {
    const char* name;
    void (*step)(body*);
    bool is_affine;
} ways[] = {
    {"vanilla ABD (12 x 12 by Newton)", affine_vanilla, true},
    {"implicit RBD", rigid_implicit, false},
    {"explicit RBD", rigid_explicit, false},
    {"co-rotated ABD, 4 steps of Newton-Schulz", affine_polar, true},
    {"co-rotated ABD, 1 step of Newton-Schulz", affine_short, true},
};

static void time_way(int i)
{
    double best = 1e300;
    double error = 0.0;
    body b = begin();
    const double first = energy_of(&b, ways[i].is_affine);
    for (int try = 0; try < TRIES; try++) {
        b = begin();
        const double before = cpu_seconds();
        for (int k = 0; k < STEPS; k++) ways[i].step(&b);
        best = fmin(best, cpu_seconds() - before);
    }
    const double last = energy_of(&b, ways[i].is_affine);
    const double iterations = (double)b.iterations / STEPS;
    b = begin();
    for (int k = 0; k < SECOND; k++) ways[i].step(&b);
    error = angle_between(ways[i].is_affine ? b.A : q_matrix(b.q), exact(SECOND * h));
    printf("\"%s\",%.2f,%.0f,%.2f,%.1e,%.4f\n", ways[i].name, 1e3 * best, 1e9 * best / STEPS,
           iterations, error, last / first);
}

static tml_sim* start(tml_model** model, tml_formulation formulation, tml_integrator integrator)
{
    static const char text[] =
        "{\"trammel\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"roll\", \"mass\": 1, "
        "\"inertia\": [0.14583333333333334, 0.14583333333333334, 0.125], \"velocity\": [1.5, 0, "
        "0], "
        "\"angular_velocity\": [0.6, 0, 3]}]}";
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = formulation;
    settings.integrator = integrator;
    tml_scene* scene = tml_scene_create();
    tml_sim* sim = NULL;
    if (tml_scene_read_text(scene, text, sizeof text - 1, "bench") == TML_OK &&
        tml_scene_build(scene, model) == TML_OK) {
        tml_sim_create(*model, &settings, &sim);
    }
    tml_scene_destroy(scene);
    return sim;
}

// The same through tml_sim_step, with all that it checks and answers.
static void time_ours(tml_formulation formulation, tml_integrator integrator)
{
    tml_model* model = NULL;
    tml_sim* sim = start(&model, formulation, integrator);
    double error = -1.0;
    const double first = sim != NULL ? tml_sim_energy(sim).kinetic : 0.0;
    const double before = cpu_seconds();
    for (int k = 0; k < STEPS && sim != NULL; k++) {
        if (tml_sim_step(sim, NULL) != TML_OK) break;
        if (k + 1 != SECOND) continue;
        error = angle_between(q_matrix(tml_sim_pose(sim, (tml_body){0}).q), exact(SECOND * h));
    }
    const double seconds = cpu_seconds() - before;
    if (sim != NULL) {
        const tml_sim_report r = tml_sim_get_report(sim);
        printf("\"ours: %s, %s\",%.2f,%.0f,%.2f,%.1e,%.4f\n", tml_formulation_name(formulation),
               tml_integrator_name(integrator), 1e3 * seconds, 1e9 * seconds / STEPS,
               (double)r.newton_iterations / (double)r.steps, error,
               tml_sim_energy(sim).kinetic / first);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

int main(void)
{
    printf("way,ms (10000 steps),ns a step,iterations,error after 1 s (rad),energy kept\n");
    for (int i = 0; i < (int)(sizeof ways / sizeof *ways); i++) time_way(i);
    time_ours(TML_FORM_AFFINE, TML_TIME_ENERGY);
    time_ours(TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED);
    time_ours(TML_FORM_QUATERNION, TML_TIME_BDF2);
    return 0;
}
