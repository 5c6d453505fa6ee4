// test/golden/hashes.c - did a stored trajectory move?
//
//   golden_hashes            compare with test/golden/hashes.txt
//   golden_hashes --print    print what this build computes
//   golden_hashes --write    store it; a commit that does so says which trajectories moved and why
//
// A hash covers the bits of every pose, velocity, joint load, coordinate, multiplier, energy and gap
// of every step. It is the same under gcc and clang at every optimisation (tools/check_determinism).
// The solver is always one of ours: KLU is a library of the machine, and its bits may differ there.
#include "test/sim/everything.h"
#include "test/sim/world.h"

#include <inttypes.h>
#include <stdint.h>

static const char* const path = "test/golden/hashes.txt";

typedef struct golden {
    const char* scene;
    world_builder build;  // NULL: a built-in scene
    int steps;
    double step;       // s; 0: the scene's
    int is_large;      // few integrators are enough
    int is_redundant;  // for the augmented solver only
} golden;

// The steps are chosen so that something happens: stops are met, controls turn round.
static const golden goldens[] = {
    {"pendulum", NULL, 200, 0.0, 0, 0},
    {"double-pendulum", NULL, 200, 0.0, 0, 0},
    {"universal-pendulum", NULL, 200, 0.0, 0, 0},
    {"free-pendulum", NULL, 100, 0.0, 0, 0},
    {"t-handle", NULL, 200, 0.0, 0, 0},
    {"heavy-top", NULL, 200, 0.0, 0, 0},
    {"heavy-top-150", NULL, 200, 0.0, 0, 0},
    {"gears", NULL, 200, 0.0, 0, 0},
    {"flap", NULL, 200, 0.0, 0, 0},
    {"flyball-governor", NULL, 60, 2e-5, 0, 0},
    {"robot-arm", NULL, 40, 0.0, 0, 0},
    {"everything", build_everything, 40, 0.0, 0, 0},
    {"showcase", NULL, 10, 0.0, 1, 0},
    {"joint-zoo", NULL, 10, 0.0, 1, 0},
    {"spring-net", NULL, 8, 0.0, 1, 0},
    {"spherical-chain", NULL, 5, 0.0, 1, 0},
    {"four-bar", NULL, 40, 0.0, 0, 1},
    {"bricard", NULL, 20, 0.0, 0, 1},
    {"two-hinge-door", NULL, 40, 0.0, 0, 1},
    {"scissor-lift", NULL, 10, 0.0, 1, 1},
};

static const tml_integrator integrators[] = {
    TML_TIME_BDF2, TML_TIME_SDIRK2, TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_SDIRK2_PARESCHI_RUSSO,
    TML_TIME_BDF5,
};

enum {
    GOLDENS = sizeof goldens / sizeof *goldens,
    INTEGRATORS = sizeof integrators / sizeof *integrators,
    FOR_LARGE = 3
};

// FNV-1a, 64 bits.
static uint64_t hash(uint64_t h, const unsigned char* data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) h = (h ^ data[i]) * 0x100000001b3u;
    return h;
}

// The hash of a run, or a word that says why there is none.
static void run(const golden* g, tml_solver solver, tml_integrator integrator, char text[64])
{
    world w = world_build(g->build != NULL ? g->build : scenes_find(g->scene)->build);
    w.settings.integrator = integrator;
    w.settings.solver = solver;
    if (g->step > 0.0) w.settings.step = g->step;

    uint64_t h = 0xcbf29ce484222325u;
    blob answers = {0};
    tml_status status = world_start(&w);
    for (int k = 0; k <= g->steps && status == TML_OK; k++) {
        if (k > 0) status = tml_sim_step(w.sim, NULL);
        answers.used = 0;
        blob_add_answers(&answers, w.sim);
        h = hash(h, answers.data, answers.used);
    }
    if (status == TML_OK) {
        snprintf(text, 64, "%016" PRIx64, h);
    } else {
        snprintf(text, 64, "%s", tml_status_name(status));
    }
    blob_free(&answers);
    world_end(&w);
}

static void describe(const golden* g, tml_solver solver, tml_integrator integrator, char line[200])
{
    char text[64];
    run(g, solver, integrator, text);
    snprintf(line, 200, "%s %s %s %d %s", g->scene, tml_integrator_name(integrator),
             tml_solver_name(solver), g->steps, text);
}

// ---- comparing

typedef struct tally {
    FILE* stored;  // to read from, or NULL
    FILE* out;     // to write to, or NULL
    int passed, failed;
} tally;

// The stored line that begins like this one, up to its hash; 0 when there is none.
static int find_stored(FILE* stored, const char* line, char found[200])
{
    const size_t head = (size_t)(strrchr(line, ' ') - line) + 1;
    rewind(stored);
    while (fgets(found, 200, stored) != NULL) {
        found[strcspn(found, "\n")] = '\0';
        if (strncmp(found, line, head) == 0) return 1;
    }
    return 0;
}

static void handle(tally* t, const char* line)
{
    char stored[200];
    if (t->out != NULL) {
        fprintf(t->out, "%s\n", line);
        return;
    }
    if (!find_stored(t->stored, line, stored)) {
        printf("not stored: %s\n", line);
        t->failed++;
    } else if (strcmp(stored, line) != 0) {
        printf("moved: %s\n  stored %s\n", line, stored);
        t->failed++;
    } else {
        t->passed++;
    }
}

static void handle_scene(tally* t, const golden* g)
{
    const int count = g->is_large ? FOR_LARGE : INTEGRATORS;
    char line[200];
    for (int n = 0; n < count && !g->is_redundant; n++) {
        describe(g, TML_SOLVER_DENSE, integrators[n], line);
        handle(t, line);
    }
    for (int n = 0; n < FOR_LARGE; n++) {
        describe(g, TML_SOLVER_AUGMENTED, integrators[n], line);
        handle(t, line);
    }
}

static int open_files(tally* t, const char* option)
{
    if (strcmp(option, "--print") == 0) {
        t->out = stdout;
    } else if (strcmp(option, "--write") == 0) {
        t->out = fopen(path, "w");
    } else {
        t->stored = fopen(path, "r");
    }
    return t->out != NULL || t->stored != NULL;
}

int main(int argc, char** argv)
{
    tally t = {0};
    if (!open_files(&t, argc > 1 ? argv[1] : "")) {
        printf("%s cannot be opened; run from the root of the project\n", path);
        printf("0 passed, 1 failed, 0 skipped\n");
        return 1;
    }
    for (int i = 0; i < GOLDENS; i++) handle_scene(&t, &goldens[i]);
    if (t.stored != NULL) {
        fclose(t.stored);
        printf("%d passed, %d failed, 0 skipped\n", t.passed, t.failed);
    } else if (t.out != stdout) {
        fclose(t.out);
    }
    return t.failed > 0;
}
