// bench/scenes/chains.c - chains let go, by every formulation and every engine: cost, energy, gap.
//
//     bench/chains [PART] [LINKS] [KIND] [ENGINE]
//                                          PART: a word of a title below; LINKS: only this length, 0 all;
//                                          KIND, ENGINE: only those whose name contains it
//
// Links are cylinders of 1 m and 1 kg. Energy errors are stated over m g L n^2 / 2, the drop of an open
// chain from the horizontal to hanging, and a quarter of m g L n^2 for chains pinned at both ends.
// Times are the processor's, of the engines' own step call alone; energy and gap come from the
// poses and velocities that each engine answers, by the same code for all (bench/peers/measure.c).
#include "bench/peers/peer.h"
#include "bench/peers/scenes.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain_kind {
    const char* name;
    tml_joint_kind kind;
    int is_closed;
} chain_kind;

static const chain_kind kinds[] = {
    {"hinges, open", TML_JOINT_REVOLUTE, 0},
    {"balls, open", TML_JOINT_SPHERICAL, 0},
    {"hinges, pinned at both ends", TML_JOINT_REVOLUTE, 1},
    {"balls, pinned at both ends", TML_JOINT_SPHERICAL, 1},
};

enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static double energy_scale(const chain_kind* kind, int links)
{
    return (kind->is_closed ? 0.25 : 0.5) * 9.81 * links * links;
}

static void leave(const char* why)
{
    fprintf(stderr, "chains: %s\n", why);
    exit(1);
}

static peer_scene* open_chain(const chain_kind* kind, int links)
{
    char why[PEER_WHY];
    tml_model* model = NULL;
    tml_spec* spec = tml_spec_create();
    if (spec == NULL) leave("no memory");
    peer_add_chain(spec, kind->kind, links, kind->is_closed);
    if (tml_spec_build(spec, &model) != TML_OK) leave(tml_spec_message(spec));
    peer_scene* out = peer_scene_create(model, 0, why);
    if (out == NULL) leave(why);
    out->name = kind->name;
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return out;
}

static void print_result(const peer_engine* e, const peer_result* r, int links)
{
    printf("  %-26s", e->name);
    if (r->verdict == PEER_REFUSED) {
        printf(" %.90s\n", r->why);
        return;
    }
    printf(" %10.4f ms %8.3f us/link  gap %8.1e m  dE %+9.1e  %s", r->step_ms,
           1e3 * r->step_ms / links, r->gap, r->energy, peer_verdict_name(r->verdict));
    if (r->verdict != PEER_RAN) printf(" at %.2f s", r->reached);
    if (r->verdict == PEER_STOPPED) printf(": %.60s", r->why);
    printf("\n");
    fflush(stdout);
}

// Engines that were not asked for are left out of every table.
static const peer_engine* asked_engine(int e, const char* name)
{
    const peer_engine* engine = peer_engine_at(e);
    return strstr(engine->name, name) != NULL ? engine : NULL;
}

// What of all there is was asked for.
typedef struct choice {
    int links;  // 0: all
    const char* kind;
    const char* engine;
} choice;

// ---- a step of 10 ms

static void part_step(const choice* asked)
{
    static const int sizes[] = {1, 10, 100, 1000, 10000};
    for (int k = 0; k < KINDS; k++) {
        if (strstr(kinds[k].name, asked->kind) == NULL) continue;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (asked->links > 0 && sizes[i] != asked->links) continue;
            if (kinds[k].is_closed && sizes[i] < 10) continue;
            peer_scene* scene = open_chain(&kinds[k], sizes[i]);
            const peer_run run = {.step = 0.01,
                                  .duration = 10.0,
                                  .budget = 1.5,
                                  .scale = energy_scale(&kinds[k], sizes[i])};
            printf("%d links, %s\n", sizes[i], kinds[k].name);
            for (int e = 0; e < peer_engine_count(); e++) {
                const peer_engine* engine = asked_engine(e, asked->engine);
                if (engine == NULL) continue;
                const peer_result r = peer_measure(engine, scene, &run);
                print_result(engine, &r, sizes[i]);
            }
            peer_scene_destroy(scene);
        }
    }
}

// ---- the largest stable step, and the cost of an accuracy

enum {
    GRADES = 4,
    LADDER = 11
};

static const double grades[GRADES] = {1e-1, 1e-2, 1e-3, 1e-4};
static const double ladder[LADDER] = {0.1,  0.05, 0.02, 0.01, 0.005, 0.002,
                                      1e-3, 5e-4, 2e-4, 1e-4, 5e-5};

typedef struct standing {
    double stable;        // s; 0: none
    double cost[GRADES];  // ms of processor time for a second of simulated time; 0: not reached
    double at[GRADES];    // s, the step it took
} standing;

// Down the ladder until the finest grade is met or the runs take too long.
static standing climb(const peer_engine* e, const peer_scene* scene, peer_run run)
{
    standing out = {0};
    for (int k = 0; k < LADDER; k++) {
        run.step = ladder[k];
        const peer_result r = peer_measure(e, scene, &run);
        // a step that has to be divided may take longer than a shorter one
        if (r.verdict == PEER_CUT && out.stable == 0.0) continue;
        if (r.verdict == PEER_REFUSED || r.verdict == PEER_CUT) break;
        if (r.verdict != PEER_RAN || fabs(r.energy) > 1.0) continue;
        if (out.stable == 0.0) out.stable = ladder[k];
        for (int g = 0; g < GRADES; g++) {
            const double cost = r.mean_ms / ladder[k];
            if (fabs(r.energy) > grades[g] || (out.cost[g] > 0.0 && out.cost[g] <= cost)) continue;
            out.cost[g] = cost;
            out.at[g] = ladder[k];
        }
        if (out.cost[GRADES - 1] > 0.0) break;
    }
    return out;
}

static void print_standing(const peer_engine* e, const standing* s)
{
    printf("  %-26s", e->name);
    if (s->stable > 0.0) {
        printf(" %7.4g", s->stable);
    } else {
        printf(" %7s", "none");
    }
    for (int g = 0; g < GRADES; g++) {
        if (s->cost[g] > 0.0) {
            printf(" %9.2f (%6.4g)", s->cost[g], s->at[g]);
        } else {
            printf(" %18s", "-");
        }
    }
    printf("\n");
    fflush(stdout);
}

// The cheapest of ours over the cheapest of theirs, grade by grade.
static void print_ratios(const standing* all)
{
    printf("  %-26s %7s", "ours over theirs, best", "");
    for (int g = 0; g < GRADES; g++) {
        double best[2] = {0.0, 0.0};
        for (int e = 0; e < peer_engine_count(); e++) {
            const int is_peer = strcmp(peer_engine_at(e)->engine, "Trammel") != 0;
            const double cost = all[e].cost[g];
            if (cost > 0.0 && (best[is_peer] == 0.0 || cost < best[is_peer])) best[is_peer] = cost;
        }
        if (best[0] > 0.0 && best[1] > 0.0) {
            printf(" %18.2f", best[0] / best[1]);
        } else {
            printf(" %18s", best[0] > 0.0 ? "only ours" : best[1] > 0.0 ? "only theirs" : "-");
        }
    }
    printf("\n");
}

// Long chains are followed for a shorter while: a second of theirs is a minute of work.
typedef struct length {
    int links;
    double duration, budget;  // s; of processor time
} length;

static void compare_engines(const chain_kind* kind, const length* l, const char* name)
{
    const peer_run run = {
        .duration = l->duration, .budget = l->budget, .scale = energy_scale(kind, l->links)};
    peer_scene* scene = open_chain(kind, l->links);
    standing* all = calloc((size_t)peer_engine_count(), sizeof *all);
    if (all == NULL) leave("no memory");
    printf("%d links, %s, %g s: largest stable step (s); ms a simulated second (step) at energy "
           "errors of 1e-1, 1e-2, 1e-3, 1e-4\n",
           l->links, kind->name, l->duration);
    for (int e = 0; e < peer_engine_count(); e++) {
        const peer_engine* engine = asked_engine(e, name);
        if (engine == NULL) continue;
        all[e] = climb(engine, scene, run);
        print_standing(engine, &all[e]);
    }
    print_ratios(all);
    free(all);
    peer_scene_destroy(scene);
}

static void part_accuracy(const choice* asked)
{
    static const length lengths[] = {{10, 5.0, 4.0}, {100, 5.0, 4.0}, {1000, 1.0, 8.0}};
    for (int k = 0; k < KINDS; k++) {
        if (strstr(kinds[k].name, asked->kind) == NULL) continue;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            if (asked->links > 0 && lengths[i].links != asked->links) continue;
            compare_engines(&kinds[k], &lengths[i], asked->engine);
        }
    }
}

typedef struct part {
    const char* title;
    void (*run)(const choice* asked);
} part;

static const part parts[] = {
    {"step: 10 ms, 10 s or a second and a half of work", part_step},
    {"accuracy: what a simulated second costs", part_accuracy},
};

int main(int argc, char** argv)
{
    const choice asked = {.links = argc > 2 ? atoi(argv[2]) : 0,
                          .kind = argc > 3 ? argv[3] : "",
                          .engine = argc > 4 ? argv[4] : ""};
    peer_print_engines();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc > 1 && strstr(parts[i].title, argv[1]) == NULL) continue;
        printf("%s\n", parts[i].title);
        parts[i].run(&asked);
    }
    return 0;
}
