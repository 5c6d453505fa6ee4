// bench/scenes/affine.c - what chains and trees of affine links cost, beside what they must cost.
//
//     bench/affine [LINKS [THREADS [FROM]]]   chains and trees of FROM (0) up to so many links, 100000
//                                             by default, with 1 to THREADS (2) threads
//
// First what the machine does in this run on one core: a triad, an update in place, and products
// and sums of vectors that do not wait for each other, without fused ones. Then, as CSV,
//
//   iteration   one Newton iteration in which every link takes part: the best of a few, and the
//               floor: its bytes at the rate of an update in place, its flops at the peak
//   step        converged steps of whole scenes: processor and wall time, iterations, the share of
//               links that took part in them, substeps, the largest gap and rise of the energy
//               between two steps, bytes of model and simulation a body (of glibc's malloc)
//
// Nets are in bench/scenes/affine_nets.c, one body in bench/scenes/affine_single.c. Take it on a quiet machine: with others around, wall time is
// theirs too, and processor time grows with what they do to the caches.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "linalg/lanes.h"
#include "method/links/links.h"
#include "sim/sim_internal.h"

#include <trammel/trammel.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
static double wall_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

static double bytes_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

// ---- the machine

typedef struct machine {
    double triad;     // bytes/s, read and written
    double in_place;  // bytes/s, read and written
    double flops;     // products and sums a second
} machine;

enum {
    ENTRIES = 8 << 20,  // of an array: 64 MiB
    TRIES = 4,
    CHAINS = 8,  // products, and as many sums, under way at once
};

// Both passes by vectors of eight, so that rates do not depend on what a compiler makes of loops.
static void measure_memory(machine* m)
{
    lanes* a = aligned_alloc(64, ENTRIES * sizeof(double));
    lanes* b = aligned_alloc(64, ENTRIES * sizeof(double));
    lanes* c = aligned_alloc(64, ENTRIES * sizeof(double));
    const int rows = ENTRIES / LANES;
    for (int k = 0; k < rows && a != NULL && b != NULL && c != NULL; k++) {
        a[k] = b[k] = c[k] = LANES_OF(1.0);
    }
    for (int k = 0; k < TRIES && a != NULL && b != NULL && c != NULL; k++) {
        const double before = cpu_seconds();
        for (int i = 0; i < rows; i++) a[i] = b[i] + LANES_OF(0.5) * c[i];
        const double between = cpu_seconds();
        for (int i = 0; i < rows; i++) b[i] = LANES_OF(0.999) * b[i] + LANES_OF(0.001);
        const double after = cpu_seconds();
        const double triad = 3.0 * ENTRIES * sizeof(double) / (between - before);
        const double in_place = 2.0 * ENTRIES * sizeof(double) / (after - between);
        if (triad > m->triad && a[k][0] > 0.0) m->triad = triad;
        if (in_place > m->in_place && b[k][0] > 0.0) m->in_place = in_place;
    }
    free(a);
    free(b);
    free(c);
}

LANE_CODE double spin(int rounds)
{
    lanes product[CHAINS], sum[CHAINS];
    for (int k = 0; k < CHAINS; k++) product[k] = sum[k] = LANES_OF(1.0 + k);
    for (int i = 0; i < rounds; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < CHAINS; k++) {
            product[k] *= LANES_OF(1.0000001);
            sum[k] += LANES_OF(1e-9);
        }
    }
    double all = 0.0;
    for (int k = 0; k < CHAINS; k++) all += product[k][0] + sum[k][1];
    return all;
}

static double spin_plain(int rounds) { return spin(rounds); }
#if defined(__x86_64__)
__attribute__((target("avx2"))) static double spin_avx2(int rounds) { return spin(rounds); }
__attribute__((target("avx512f"))) static double spin_avx512(int rounds) { return spin(rounds); }
#endif

static void measure_flops(machine* m)
{
    enum {
        ROUNDS = 2000000
    };
    double (*spin_best)(int) = spin_plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) spin_best = spin_avx2;
    if (__builtin_cpu_supports("avx512f")) spin_best = spin_avx512;
#endif
    for (int k = 0; k < TRIES; k++) {
        const double before = cpu_seconds();
        const double sum = spin_best(ROUNDS);
        const double rate = 2.0 * CHAINS * LANES * ROUNDS / (cpu_seconds() - before);
        if (rate > m->flops && sum > 0.0) m->flops = rate;
    }
}

// ---- scenes

typedef enum bench_kind {
    COIL,
    HORIZONTAL,
    TREE,
} bench_kind;

static const char* const kind_names[] = {"chain, coiled", "chain, horizontal", "tree"};

typedef struct bench_case {
    bench_kind kind;
    int links;
    int steps;
} bench_case;

static const bench_case cases[] = {
    {COIL, 1000, 100},  {HORIZONTAL, 1000, 100},  {COIL, 10000, 40},   {HORIZONTAL, 10000, 40},
    {COIL, 100000, 10}, {HORIZONTAL, 100000, 10}, {COIL, 1076748, 10}, {HORIZONTAL, 1076748, 10},
    {TREE, 2000, 100},  {TREE, 21000, 20},        {TREE, 29000, 20},
};

// Links as in the notes: 5 cm and 0.1 kg.
#define LINK  "\"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": 0.1}"
#define BEGIN "{\"trammel\": 1, \"bodies\": [], \"generate\": [{"

static void write_scene(const bench_case* c, char* text, size_t capacity)
{
    if (c->kind == TREE) {
        snprintf(text, capacity,
                 BEGIN "\"type\": \"tree\", \"name\": \"t\", \"links\": %d, \"seed\": 7, " LINK
                       "}]}",
                 c->links);
        return;
    }
    snprintf(text, capacity,
             BEGIN "\"type\": \"chain\", \"name\": \"c\", \"links\": %d, \"joint\": \"spherical\", "
                   "\"pose\": \"%s\", " LINK "}]}",
             c->links, c->kind == COIL ? "coil" : "horizontal");
}

static tml_status build(const bench_case* c, tml_model** model)
{
    char text[768];
    write_scene(c, text, sizeof text);
    tml_scene* scene = tml_scene_create();
    tml_status status = tml_scene_read_text(scene, text, strlen(text), "bench");
    if (status == TML_OK) status = tml_scene_build(scene, model);
    tml_scene_destroy(scene);
    return status;
}

// ---- one iteration

// Sums and products of one link and iteration by hand, symmetric links with principal axes. Chain:
// reduced (528 + 447) and resolved (528 + 294 + 194). Tree: a link (pull 24, body 300, balance 87,
// inverse and what follows from it 183, outwards 172) and a joint outwards (186 + 45), of which there is
// one a link (method/links/links_tree.c).
static const double chain_flops = 1991.0;
static const double tree_flops = 766.0 + 231.0;

// Read, and written: of a chain R+, move and force; of a tree also what is told inwards and outwards.
static const double chain_bytes = 8.0 * (30.0 + 15.0);
static const double tree_bytes = 8.0 * (69.0 + 51.0);

// Every block, as if none of them had settled.
static tml_status iterate_all(links_call* call)
{
    double update = 0.0;
    if (!call->l->is_chain) {
        call->last_update = 1.0;  // far from settled: branches go on into the next iteration
        return tml__tree_iterate(call, &update);
    }
    tml__chain_wake(call);
    return tml__chain_iterate(call, &update);
}

static int time_iteration(const bench_case* c, int threads, const machine* m)
{
    enum {
        REPEATS = 6
    };
    const double h = 0.01;
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    link_system* l = NULL;
    team* all = NULL;
    message why = {""};
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_AFFINE;
    settings.integrator = TML_TIME_ENERGY_DAMPED;
    tml_status status = build(c, &model);
    if (status == TML_OK) status = tml_sim_create(model, &settings, &sim);
    if (status == TML_OK) status = tml__team_create(threads, NULL, &all);
    if (status == TML_OK) {
        status = tml__links_create(sim->system, LINKS_CHAIN_OR_TREE, all, &why, &l);
    }
    double best = 1e300;
    if (status == TML_OK) {
        links_call call = {
            .l = l,
            .mode = LINKS_STEP,
            .stage = {.h = h, .theta = 1.0, .beta = h * h, .phi = 0.5},
            .gravity = model->all.gravity,
            .scratch = l->scratch,
            .heads = l->head_force,
        };
        tml__links_load(l, sim->past_q[0], sim->past_v[0], sim->lambda);
        if (l->is_chain)
            tml__chain_start(&call);
        else
            tml__tree_start(&call);
        for (int k = 0; k < REPEATS && status == TML_OK; k++) {
            const double before = wall_seconds();
            status = iterate_all(&call);
            const double seconds = wall_seconds() - before;
            if (seconds < best) best = seconds;
        }
    }
    if (status == TML_OK) {
        printf("iteration,%s,%d,%d,%.2f,%.1f,%.1f,%.1f\n", c->kind == TREE ? "tree" : "chain",
               c->links, threads, 1e3 * best, 1e9 * best / c->links,
               1e9 * (c->kind == TREE ? tree_bytes : chain_bytes) / m->in_place,
               1e9 * (c->kind == TREE ? tree_flops : chain_flops) / m->flops);
    }
    tml__links_destroy(l);
    tml__team_destroy(all);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status != TML_OK;
}

// ---- whole steps

static double energy_of(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

static int time_steps(const bench_case* c, tml_integrator integrator, int threads)
{
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_AFFINE;
    settings.integrator = integrator;
    settings.threads = threads;

    const double empty = bytes_in_use();
    tml_status status = build(c, &model);
    if (status == TML_OK) status = tml_sim_create(model, &settings, &sim);
    const double bytes = bytes_in_use() - empty;
    double rise = 0.0;
    double energy = status == TML_OK ? energy_of(sim) : 0.0;
    double cpu = 0.0;
    double wall = 0.0;
    for (int k = 0; k < c->steps && status == TML_OK; k++) {
        const double cpu_before = cpu_seconds();
        const double wall_before = wall_seconds();
        status = tml_sim_step(sim, NULL);
        cpu += cpu_seconds() - cpu_before;
        wall += wall_seconds() - wall_before;
        const double now = energy_of(sim);
        if (now - energy > rise) rise = now - energy;
        energy = now;
    }
    if (status != TML_OK) {
        printf("# %s, %d links: %s\n", kind_names[c->kind], c->links, tml_sim_message(sim));
    } else {
        const tml_sim_report r = tml_sim_get_report(sim);
        const double steps = (double)r.steps;
        printf("step,\"%s\",%s,%d,%d,%.2f,%.2f,%.2f,%.3f,%lld,%.1e,%.1e,%.0f\n",
               kind_names[c->kind], tml_integrator_name(integrator), c->links, threads,
               1e3 * cpu / steps, 1e3 * wall / steps, (double)r.newton_iterations / steps,
               (double)r.newton_bodies / ((double)r.newton_iterations * c->links), r.substeps,
               r.max_gap, rise, bytes / c->links);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status != TML_OK;
}

int main(int argc, char** argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 100000;
    const int threads = argc > 2 ? atoi(argv[2]) : 2;
    const int from = argc > 3 ? atoi(argv[3]) : 0;
    machine m = {0.0, 0.0, 0.0};
    int failed = 0;
    measure_memory(&m);
    measure_flops(&m);
    printf("# one core: triad %.1f GB/s, in place %.1f GB/s (read and written), products and sums "
           "%.1f GFlop/s\n",
           1e-9 * m.triad, 1e-9 * m.in_place, 1e-9 * m.flops);
    printf("iteration,solver,links,threads,ms,ns a link,floor by bytes (ns a link),floor by flops "
           "(ns a link)\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool is_asked = cases[i].links >= from && cases[i].links <= most;
        if (!is_asked || cases[i].kind == HORIZONTAL) continue;
        for (int t = 1; t <= threads; t++) failed |= time_iteration(&cases[i], t, &m);
    }
    printf("step,scene,integrator,links,threads,ms (processor),ms (wall),iterations,share of "
           "links,substeps,gap (m),rise (J),bytes a link\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].links > most || cases[i].links < from) continue;
        for (int t = 1; t <= threads; t++) {
            failed |= time_steps(&cases[i], TML_TIME_ENERGY_DAMPED, t);
            failed |= time_steps(&cases[i], TML_TIME_ENERGY, t);
        }
    }
    return failed;
}
