// bench/kernels/rigid.c - what the recursions over a tree cost, and how far they agree.
//
//     bench/rigid [MODELS]      robots are read from MODELS (../shared/models by default) where there
//
// One line a tree, as CSV: microseconds of placing (positions and velocities), inverse dynamics,
// mass matrix, its factor, and articulated bodies; and beside them the largest difference between
// the accelerations of the two forward ways, relative to the largest. Times are processor time of the
// thread, the best of several repetitions. Below each line the same tree in the engines of bench/peers
// that offer such recursions: inverse and forward dynamics with placing, as these engines count, and
// how many times our time they take.
#include "base/clock.h"
#include "bench/peers/peer.h"
#include "method/generalized/dynamics.h"
#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case {
    const char* name;
    const char* file;  // below MODELS; NULL: a chain
    int links;
} bench_case;

static const bench_case cases[] = {
    {"atlas", "urdf/atlas/atlas_minimal_contact.urdf", 0},
    {"humanoid", "mjcf/dm_control_suite/humanoid.xml", 0},
    {"half-cheetah", "mjcf/gymnasium/half_cheetah.xml", 0},
    {"revolute chain", NULL, 20},
    {"revolute chain", NULL, 100},
    {"revolute chain", NULL, 1000},
};

enum {
    REPEATS = 25
};

typedef struct bench {
    tml_scene* scene;
    tml_model* model;
    maximal_system* system;
    gen_tree* tree;
    double* numbers;
    double* rates;
    double* tau;
    double* a;
    double* b;
} bench;

static tml_status open_case(const bench_case* c, const char* models, bench* to)
{
    const tml_allocator heap = {0};
    message why = {""};
    char path[1024];
    *to = (bench){.scene = tml_scene_create()};
    tml_status status = TML_OK;
    if (c->file != NULL) {
        tml_load_options options = tml_load_options_default();
        options.float_base = 1;  // as a walking robot is
        tml_scene_set_load_options(to->scene, &options);
        snprintf(path, sizeof path, "%s/%s", models, c->file);
        status = tml_scene_read_file(to->scene, path);
    } else {
        const scene_chain chain = {"link",    c->links,        TML_JOINT_REVOLUTE, 0.1, 0.012, 0.1,
                                   TML_WORLD, {0.0, 0.0, 0.0}, CHAIN_HORIZONTAL};
        scenes_add_chain(tml_scene_spec(to->scene), &chain);
    }
    if (status == TML_OK) status = tml_scene_build(to->scene, &to->model);
    if (status != TML_OK) return status;
    status = tml__maximal_create(to->model, KKT_NONE, &heap, &why, &to->system);
    if (status == TML_OK) status = tml__gen_create(to->model, true, &heap, &why, &to->tree);
    if (status != TML_OK) return status;
    const size_t room = 8 * (size_t)to->model->node_count + 8;
    double** lists[] = {&to->numbers, &to->rates, &to->tau, &to->a, &to->b};
    for (int i = 0; i < 5; i++) {
        *lists[i] = calloc(room, sizeof(double));
        if (*lists[i] == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static void close_case(bench* b)
{
    free(b->numbers);
    free(b->rates);
    free(b->tau);
    free(b->a);
    free(b->b);
    tml__gen_destroy(b->tree);
    tml__maximal_destroy(b->system);
    tml_model_destroy(b->model);
    tml_scene_destroy(b->scene);
}

// A state that is anywhere.
static void scatter(bench* b)
{
    const gen_tree* t = b->tree;
    for (int k = 0; k < t->column_count; k++) b->rates[k] = 0.1 * (k % 7 - 3);
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        for (int k = 0; k < link->count; k++) {
            b->numbers[link->number + k] = 0.1 * ((link->number + k) % 5 - 2);
        }
        if (link->kind == LINK_BALL) b->numbers[link->number + 3] = 0.9;
    }
}

// The best time of a piece of work, us.
#define TIME(best, work)                                                                           \
    do {                                                                                           \
        (best) = 1e30;                                                                             \
        for (int repeat = 0; repeat < REPEATS; repeat++) {                                         \
            const double start = tml__clock();                                                     \
            for (int k = 0; k < inner; k++) {                                                      \
                work;                                                                              \
            }                                                                                      \
            const double spent = 1e6 * (tml__clock() - start) / inner;                             \
            if (spent < (best)) (best) = spent;                                                    \
        }                                                                                          \
    } while (0)

// Ours and theirs, us.
static void beside(const tml_model* model, double inverse, double mass, double forward)
{
    static const char* const names[] = {"inverse", "mass", "forward"};
    const double ours[] = {inverse, mass, forward};
    char why[PEER_WHY];
    peer_scene* scene = peer_scene_create(model, 0, why);
    if (scene == NULL) {
        printf("#   other engines: %s\n", why);
        return;
    }
    for (int e = 0; e < peer_engine_count(); e++) {
        const peer_engine* engine = peer_engine_at(e);
        // one way of running each engine: integrators do not matter here
        if (engine->kernel == NULL || (e > 0 && peer_engine_at(e - 1)->kernel == engine->kernel)) {
            continue;
        }
        printf("#   %s:", engine->engine);
        for (int k = 0; k < 3; k++) {
            const double us = peer_time_kernel(engine, scene, (peer_kernel)k, why);
            if (us < 0.0) {
                printf(" %s: %.60s;", names[k], why);
            } else {
                printf(" %s %.2f us, ours %.2f, ratio %.2f;", names[k], us, ours[k], us / ours[k]);
            }
        }
        printf("\n");
    }
    peer_scene_destroy(scene);
}

static void measure(const char* name, bench* b)
{
    gen_tree* t = b->tree;
    const int n = t->column_count;
    const int inner = n > 500 ? 2 : 50;
    double place;
    double inverse;
    double mass;
    double both;
    double forward;

    scatter(b);
    TIME(place, tml__gen_place(t, b->numbers, b->rates));
    for (int at = 0; at < t->body_count; at++) {
        t->applied[at] = (wrench){v3_zero(), v3_scale(-9.81 * t->bodies[at].mass, v3_unit(2))};
    }
    TIME(inverse, tml__gen_inverse(t, NULL, b->tau));
    TIME(mass, tml__gen_mass(t, NULL));
    TIME(both, tml__gen_mass(t, NULL); (void)tml__gen_factor(t, NULL));
    TIME(forward, (void)tml__gen_forward(t, NULL, NULL, b->a, NULL));
    for (int k = 0; k < n; k++) b->b[k] = -b->tau[k];
    tml__gen_solve(t, b->b);
    double difference = 0.0;
    double size = 0.0;
    for (int k = 0; k < n; k++) {
        difference = tml__larger(difference, b->a[k] - b->b[k]);
        size = tml__larger(size, b->a[k]);
    }
    printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.1e\n", name, t->body_count, n, place, inverse, mass,
           both - mass, forward, difference / size);
    if (t->body_count <= 100) beside(b->model, place + inverse, mass, place + forward);
}

int main(int argc, char** argv)
{
    const char* models = argc > 1 ? argv[1] : "../shared/models";
    printf("tree,bodies,columns,place_us,inverse_us,mass_us,factor_us,articulated_us,"
           "difference\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        if (open_case(&cases[i], models, &b) == TML_OK) {
            measure(cases[i].name, &b);
        } else {
            printf("# %s: not there: %s\n", cases[i].name, tml_scene_message(b.scene));
        }
        close_case(&b);
    }
    return 0;
}
