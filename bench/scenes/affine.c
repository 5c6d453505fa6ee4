// bench/scenes/affine.c - what a step of affine links costs, beside what it must cost.
//
//     bench/affine [LINKS]      chains of up to so many links, 100000 by default
//
// One line a case, as CSV: processor time of one Newton iteration and of a converged step for each
// body, iterations and substeps, the largest gap, the largest rise of the energy between two steps,
// bytes of model and simulation for each body (of glibc's malloc), and the floor: bytes that one
// iteration of `chain` has to move, over the rate at which this machine, in this run, copies memory.
// Take it on a quiet machine: processor time grows with what others do to the caches.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include <trammel/trammel.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// An iteration reads R, R+, omega, v, move and the force of a link and writes what the way back
// needs (K^-1, residuals, L, y), then reads that and writes R+, move and force: 33 + 27 + 60 + 18.
static const double bytes_a_link = 138.0 * 8.0;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double bytes_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

// Bytes read and written a second, the best of a few copies of 64 MiB.
static double copy_rate(void)
{
    const size_t bytes = (size_t)64 << 20;
    char* from = malloc(bytes);
    char* to = malloc(bytes);
    double best = 0.0;
    if (from == NULL || to == NULL) {
        free(from);
        free(to);
        return 0.0;
    }
    memset(from, 1, bytes);
    for (int k = 0; k < 6; k++) {
        const double before = cpu_seconds();
        memcpy(to, from, bytes);
        const double rate = 2.0 * (double)bytes / (cpu_seconds() - before);
        if (rate > best && to[k] == 1) best = rate;
    }
    free(from);
    free(to);
    return best;
}

typedef enum bench_kind {
    CHAIN,
    TREE,
    NET,
} bench_kind;

static const char* const kind_names[] = {"chain", "tree", "net"};

typedef struct bench_case {
    bench_kind kind;
    int size;  // links, or rows of a net
    double step;
    int steps;
} bench_case;

static const bench_case cases[] = {
    {CHAIN, 1000, 0.01, 20},   {CHAIN, 10000, 0.01, 10},  {CHAIN, 100000, 0.01, 5},
    {CHAIN, 1076748, 0.01, 3}, {TREE, 2000, 0.01, 10},    {TREE, 21000, 0.01, 5},
    {TREE, 29000, 0.01, 5},    {NET, 10, 1.0 / 30.0, 10}, {NET, 20, 0.01, 5},
};

// Links as in the notes: 5 cm and 0.1 kg, in nets 8 cm and 8 g.
#define LINK  "\"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": 0.1}"
#define BEGIN "{\"trammel\": 1, \"bodies\": [], \"generate\": [{"

static void write_scene(const bench_case* c, char* text, size_t capacity)
{
    switch (c->kind) {
    case CHAIN:
        snprintf(text, capacity,
                 BEGIN "\"type\": \"chain\", \"name\": \"c\", \"links\": %d, \"joint\": "
                       "\"spherical\", \"pose\": \"horizontal\", " LINK "}]}",
                 c->size);
        break;
    case TREE:
        snprintf(text, capacity,
                 BEGIN "\"type\": \"tree\", \"name\": \"t\", \"links\": %d, \"seed\": 7, " LINK
                       "}]}",
                 c->size);
        break;
    case NET:
        snprintf(text, capacity,
                 BEGIN "\"type\": \"net\", \"name\": \"n\", \"rows\": %d, \"columns\": %d, "
                       "\"pitch\": 0.1, \"link\": {\"length\": 0.08, \"radius\": 0.005, "
                       "\"mass\": 0.008}, \"pinned\": \"edge\"}]}",
                 c->size, c->size);
        break;
    }
}

static double energy_of(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

static tml_status run_case(const bench_case* c, tml_integrator integrator, double rate)
{
    char text[768];
    write_scene(c, text, sizeof text);
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_AFFINE;
    settings.integrator = integrator;
    settings.step = c->step;

    const double empty = bytes_in_use();
    tml_status status = tml_scene_read_text(scene, text, strlen(text), "bench");
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    tml_scene_destroy(scene);
    if (status == TML_OK) status = tml_sim_create(model, &settings, &sim);
    const double bytes = bytes_in_use() - empty;
    double rise = 0.0;
    double energy = status == TML_OK ? energy_of(sim) : 0.0;
    double seconds = 0.0;
    for (int k = 0; k < c->steps && status == TML_OK; k++) {
        const double before = cpu_seconds();
        status = tml_sim_step(sim, NULL);
        seconds += cpu_seconds() - before;
        const double now = energy_of(sim);
        if (now - energy > rise) rise = now - energy;
        energy = now;
    }
    if (status != TML_OK) printf("%s,%d: %s\n", kind_names[c->kind], c->size, tml_sim_message(sim));
    const tml_sim_report r = tml_sim_get_report(sim);
    const double bodies = model != NULL ? tml_model_body_count(model) : 1.0;
    if (r.steps > 0) {
        printf("%s,%s,%s,%.0f,%.1f,%.3f,%.2f,%lld,%.1e,%.1e,%.0f,%.1f\n", kind_names[c->kind],
               tml_integrator_name(integrator), r.solver, bodies,
               1e9 * seconds / (double)r.newton_iterations / bodies,
               1e3 * seconds / (double)r.steps, (double)r.newton_iterations / (double)r.steps,
               r.substeps, r.max_gap, rise, bytes / bodies,
               rate > 0.0 ? 1e9 * bytes_a_link / rate : 0.0);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status;
}

int main(int argc, char** argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 100000;
    const double rate = copy_rate();
    int failed = 0;
    printf("# copies %.1f GB/s, read and written\n", 1e-9 * rate);
    printf("scene,integrator,solver,bodies,ns a body and iteration,ms a step,iterations,substeps,"
           "gap (m),rise (J),bytes a body,floor (ns a link and iteration)\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].size > most) continue;
        failed |= run_case(&cases[i], TML_TIME_ENERGY_DAMPED, rate) != TML_OK;
        failed |= run_case(&cases[i], TML_TIME_ENERGY, rate) != TML_OK;
    }
    return failed;
}
