// bench/scenes/affine_nets.c - nets of affine links: what a factor, a step and a run cost, and what they keep.
//
//     bench/affine_nets [SECONDS [ROWS [FROM]]]   nets of FROM (10) to ROWS (50) rows, so long (1 s)
//     bench/affine_nets factor [ROWS]             factor and solve alone
//
// First the factor of the dual at the initial pose: processor time of the best of a few, beside the flops
// it takes and the rate of products and sums that this core reaches in registers. Then runs as CSV:
// processor time of a step, Newton iterations and substeps, the largest gap, the largest rise of the energy
// between two steps, and the energy. Nets are those of the notes, section 9.5, by nested dissection and
// fronts; 10 x 10 at 1/30 s, the others at 10 ms, from flat.                       [notes 9.5 9.7]
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "bench/scenes/net_bench.h"
#include "method/links/net.h"

#include <trammel/trammel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the factor alone

enum {
    CHAINS = 16,  // independent sums: as many as hide the latency of one
    ROUNDS = 20000000,
    REPEATS = 8,
};

typedef double eight __attribute__((vector_size(64)));

// Flops a second of products and sums in registers, never fused, with the widest vectors there are.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static double
count_products(double seed)
{
    eight sum[CHAINS];
    eight by;
    for (int i = 0; i < 8; i++) by[i] = 1.0 + seed;
#pragma GCC unroll 16
    for (int k = 0; k < CHAINS; k++) sum[k] = by * (double)k;
    for (int r = 0; r < ROUNDS / CHAINS; r++) {
#pragma GCC unroll 16
        for (int k = 0; k < CHAINS; k++) sum[k] = sum[k] - sum[k] * by;
    }
    double all = 0.0;
#pragma GCC unroll 16
    for (int k = 0; k < CHAINS; k++) all += sum[k][k % 8];
    return all;
}

static double peak_rate(void)
{
    double best = 0.0;
    for (int k = 0; k < 3; k++) {
        const double before = cpu_seconds();
        const double left = count_products(1e-9 * k);
        const double rate = 16.0 * ROUNDS / (cpu_seconds() - before);
        if (rate > best && left < 1e30) best = rate;
    }
    return best;
}

// The matrix of the first Newton iteration of a step.
static tml_status first_matrix(const tml_model* m, link_system* l)
{
    const size_t width = (size_t)m->node_count * POSE_WIDTH;
    const affine_stage stage = {0.01, 1.0, 1e-4, 0.5, AFFINE_MEAN};
    links_call call = {.l = l, .mode = LINKS_STEP, .stage = stage};
    double* q = calloc(width, sizeof *q);
    double* v = calloc(width, sizeof *v);
    double update = 0.0;
    tml_status status = q != NULL && v != NULL ? TML_OK : TML_NO_MEMORY;
    if (status == TML_OK) {
        call.gravity = m->all.gravity;
        for (int n = 0; n < m->node_count; n++) {
            const body_data* b = &m->bodies[m->node_body[n]];
            const double pose[POSE_WIDTH] = {b->c.x, b->c.y, b->c.z, b->q.w,
                                             b->q.x, b->q.y, b->q.z};
            memcpy(&q[n * POSE_WIDTH], pose, sizeof pose);
        }
        tml__links_load(l, q, v, l->net->force);
        (void)tml__net_start(&call);
        status = tml__net_iterate(&call, &update);
    }
    free(q);
    free(v);
    return status;
}

static tml_status time_factor(int rows, double peak)
{
    tml_model* model = NULL;
    maximal_system* s = NULL;
    link_system* l = NULL;
    message why = {""};
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_status status = build_net(rows, &model);
    if (status == TML_OK) status = tml__maximal_create_lean(model, &settings.allocator, &why, &s);
    if (status == TML_OK) status = tml__links_create(s, LINKS_NET, NULL, &why, &l);
    if (status == TML_OK) status = first_matrix(model, l);
    if (status == TML_OK) {
        const fronts_statistics f = tml__fronts_statistics(l->net->dual);
        double factor = 1e30;
        double solve = 1e30;
        for (int k = 0; k < REPEATS && status == TML_OK; k++) {
            const double start = cpu_seconds();
            status = tml__fronts_factor(l->net->dual, 0.0, NULL);
            const double middle = cpu_seconds();
            tml__fronts_solve(l->net->dual, 1, l->net->change);
            const double end = cpu_seconds();
            if (middle - start < factor) factor = middle - start;
            if (end - middle < solve) solve = end - middle;
        }
        printf("factor,%d,%d,%s,%d,%d,%lld,%.3g,%.3f,%.3f,%.1f,%.3f\n", rows, l->net->joint_count,
               f.is_dissected ? "dissection" : "minimum degree", f.fronts, f.largest, f.entries,
               f.flops, 1e3 * factor, 1e3 * solve, 1e-9 * f.flops / factor, 1e3 * f.flops / peak);
    }
    if (status != TML_OK) printf("factor,%d: %s\n", rows, why.text);
    tml__links_destroy(l);
    tml__maximal_destroy(s);
    tml_model_destroy(model);
    return status;
}

// ---- runs

typedef struct method {
    tml_formulation formulation;
    tml_integrator integrator;
} method;

static double energy_of(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

static tml_status run(int rows, const method* with, double seconds)
{
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = with->formulation;
    settings.integrator = with->integrator;
    settings.step = rows == 10 ? 1.0 / 30.0 : 0.01;
    tml_status status = build_net(rows, &model);
    if (status == TML_OK) status = tml_sim_create(model, &settings, &sim);
    const double first = status == TML_OK ? energy_of(sim) : 0.0;
    double energy = first;
    double rise = 0.0;
    double used = 0.0;
    while (status == TML_OK && tml_sim_time(sim) < seconds - 0.5 * settings.step) {
        const double before = cpu_seconds();
        status = tml_sim_step(sim, NULL);
        used += cpu_seconds() - before;
        const double now = energy_of(sim);
        if (now - energy > rise) rise = now - energy;
        energy = now;
    }
    if (status != TML_OK && sim != NULL) printf("net,%d: %s\n", rows, tml_sim_message(sim));
    const tml_sim_report r = tml_sim_get_report(sim);
    if (r.steps > 0) {
        printf("run,%d,%s,%s,%s,%g,%.2f,%lld,%.3f,%.2f,%lld,%.1e,%.1e,%.6g,%.6g\n", rows,
               tml_formulation_name(with->formulation), tml_integrator_name(with->integrator),
               r.solver, settings.step, tml_sim_time(sim), r.steps, 1e3 * used / (double)r.steps,
               (double)r.newton_iterations / (double)r.steps, r.substeps, r.max_gap, rise, first,
               energy);
        fflush(stdout);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status;
}

int main(int argc, char** argv)
{
    static const int sizes[] = {10, 20, 50, 100};
    static const method methods[] = {
        {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
        {TML_FORM_AFFINE, TML_TIME_ENERGY},
        {TML_FORM_QUATERNION, TML_TIME_BDF2},
    };
    const bool is_factor = argc > 1 && strcmp(argv[1], "factor") == 0;
    const double seconds = argc > 1 && !is_factor ? atof(argv[1]) : 1.0;
    const int most = argc > 2 ? atoi(argv[2]) : is_factor ? 100 : 50;
    const int least = argc > 3 ? atoi(argv[3]) : 10;
    const double peak = peak_rate();
    int failed = 0;
    printf("# products and sums in registers, not fused: %.1f Gflop/s\n", 1e-9 * peak);
    printf("factor,rows,joints,order,fronts,largest,numbers,flops,factor (ms),solve (ms),Gflop/s,"
           "floor of the factor (ms)\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] >= least && sizes[i] <= most) failed |= time_factor(sizes[i], peak) != TML_OK;
    }
    if (is_factor) return failed;
    printf("run,rows,formulation,integrator,solver,step (s),time (s),steps,ms a step,iterations,"
           "substeps,gap (m),rise (J),energy at the start (J),at the end\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] < least || sizes[i] > most) continue;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            // Fig. 12 is of the smallest net
            if (methods[k].formulation == TML_FORM_QUATERNION && sizes[i] > 10) continue;
            failed |= run(sizes[i], &methods[k], seconds) != TML_OK;
        }
    }
    return failed;
}
