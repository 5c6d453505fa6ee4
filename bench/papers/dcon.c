// bench/papers/dcon.c - Tables II and III of DCON: Jacobians of one step with contact, analytic against
// central differences.
//
//     bench/dcon [ROBOT...]      atlas, half-cheetah, jump-worm and catapult by default
//
// A robot is brought into contact, then its next step is differentiated by positions, rates and forces.
// Printed: the time of the step, of all Jacobians from its record, of each of the paper's five alone, of
// central differences of the same step, five blocks taken one by one as in the paper and three that share
// their steps, the ratios, and the largest distance from Ridders' extrapolated differences. The same
// robots in MuJoCo's mjd_transitionFD where that was found (bench/peers/README.md).
#include "base/clock.h"
#include "bench/peers/peer.h"
#include "method/generalized/method.h"
#include "method/generalized/step_slope.h"
#include "scenes/scenes.h"
#include "sim/linear.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 64,
    MOST_NUMBERS = 80,
    RIDDERS = 6
};

typedef struct robot {
    const char* name;
    double paper;    // ratio of the paper's Table II
    double settled;  // s: when it stands or lies on something
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    gen_step_slope* slope;
    void* state;
    int n;
    double numbers[MOST_NUMBERS], rates[MOST_COLUMNS];
    double after[MOST_NUMBERS], rates_after[MOST_COLUMNS];  // of the step itself
    unsigned char labels[512];
    touch_offset offsets[128];
    int rows;
} robot;

// ---- one step from a state nearby

typedef enum varied {
    BY_POSITION,
    BY_RATE,
    BY_FORCE,
} varied;

// Positions as a motion from the step's own end; false: other labels.
static bool vary(robot* r, varied by, int column, double e, double* dq, double* v)
{
    tml_sim* sim = r->sim;
    gen_motion* m = tml__generalized_motion(sim);
    gen_tree* t = m->tree;
    const generalized_kept now = tml__generalized_parts_of(sim, sim->own);
    const generalized_kept next = tml__generalized_parts_of(sim, sim->next.own);
    double motion[MOST_COLUMNS] = {0};
    double force[MOST_COLUMNS] = {0};
    if (by == BY_POSITION) motion[column] = e;
    tml__gen_move(t, r->numbers, motion, 1.0, now.numbers);
    memcpy(now.rates, r->rates, (size_t)r->n * sizeof(double));
    if (by == BY_RATE) now.rates[column] += e;
    if (by == BY_FORCE) force[column] = e;
    m->pushed = force;
    tml__gen_place(t, now.numbers, now.rates);
    tml__gen_flatten(t, sim->past_q[0], sim->past_v[0]);
    const tml_status status = sim->pairing->advance(sim, NULL);
    m->pushed = NULL;
    if (status != TML_OK) return false;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const double* a = &r->after[link->number];
        const double* b = &next.numbers[link->number];
        if (link->kind != LINK_BALL) {
            for (int k = 0; k < link->count; k++) dq[link->column + k] = b[k] - a[k];
            continue;
        }
        const quat d =
            q_mul(q_conj((quat){a[0], a[1], a[2], a[3]}), (quat){b[0], b[1], b[2], b[3]});
        v3_store(&dq[link->column], v3(2.0 * d.x, 2.0 * d.y, 2.0 * d.z));
    }
    memcpy(v, next.rates, (size_t)r->n * sizeof *v);
    const gen_touch* c = tml__generalized_touch(sim);
    const size_t contacts = (size_t)c->contact_count * sizeof *c->offset_of;
    return c->rows->count == r->rows && memcmp(c->labels, r->labels, (size_t)r->rows) == 0 &&
           memcmp(c->offset_of, r->offsets, contacts) == 0;
}

// Does a column stand at a limit? Then it has a kink there: positions are free on one side only.
static bool is_at_limit(const robot* r, int column)
{
    const gen_touch* c = tml__generalized_touch(r->sim);
    for (int row = c->equal_count; row < c->equal_count + c->limit_count; row++) {
        if (r->labels[row] != LCP_HELD) continue;
        for (size_t e = c->rows->start[row]; e < c->rows->start[row + 1]; e++) {
            if (c->rows->column[e] == column && fabs(c->rows->j[e]) > 1e-9) return true;
        }
    }
    return false;
}

// ---- opening

static bool open_robot(robot* r)
{
    message why = {""};
    r->scene = tml_scene_create();
    if (scenes_fill(r->scene, scenes_find(r->name)) != TML_OK ||
        tml_spec_build(tml_scene_spec(r->scene), &r->model) != TML_OK) {
        return false;
    }
    tml_sim_settings settings = tml_scene_settings(r->scene)->sim;
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    if (tml_sim_create(r->model, &settings, &r->sim) != TML_OK) return false;
    const int steps = (int)(r->settled / settings.step);
    for (int k = 0; k < steps; k++) {
        if (tml_sim_step(r->sim, NULL) != TML_OK) {
            printf("%s: %s\n", r->name, tml_sim_message(r->sim));
            return false;
        }
    }
    gen_touch* c = tml__generalized_touch(r->sim);
    const generalized_kept now = tml__generalized_parts_of(r->sim, r->sim->own);
    const generalized_kept next = tml__generalized_parts_of(r->sim, r->sim->next.own);
    const gen_tree* t = tml__generalized_motion(r->sim)->tree;
    r->n = t->column_count;
    r->state = malloc(tml__sim_bytes(r->sim));
    tml__sim_take(r->sim, r->state);
    memcpy(r->numbers, now.numbers, (size_t)t->number_count * sizeof(double));
    memcpy(r->rates, now.rates, (size_t)r->n * sizeof(double));
    double dq[MOST_COLUMNS];
    double v[MOST_COLUMNS];
    (void)vary(r, BY_FORCE, 0, 0.0, dq, v);
    r->rows = c->rows->count;
    memcpy(r->labels, c->labels, (size_t)r->rows);
    memcpy(r->offsets, c->offset_of, (size_t)c->contact_count * sizeof *c->offset_of);
    memcpy(r->after, next.numbers, (size_t)t->number_count * sizeof(double));
    memcpy(r->rates_after, next.rates, (size_t)r->n * sizeof(double));
    return tml__gen_step_slope_create(c, NULL, &why, &r->slope) == TML_OK;
}

static void close_robot(robot* r)
{
    tml__gen_step_slope_destroy(r->slope);
    free(r->state);
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

// ---- the two ways

static tml_status analytic(robot* r, unsigned wants, message* why)
{
    r->slope->wants = wants;
    return tml__gen_step_slope(r->slope, SLOPE_EXACT, r->sim->contacts->found,
                               r->sim->settings.step, r->numbers, r->rates_after, why);
}

// Central differences of one kind of column. The answers are added up so that nobody leaves them out.
static double differences(robot* r, varied by)
{
    const double e = 1e-7;
    double q[2][MOST_COLUMNS];
    double v[2][MOST_COLUMNS];
    double sum = 0.0;
    for (int k = 0; k < r->n; k++) {
        (void)vary(r, by, k, e, q[0], v[0]);
        (void)vary(r, by, k, -e, q[1], v[1]);
        for (int i = 0; i < r->n; i++) {
            sum += (q[0][i] - q[1][i]) / (2.0 * e) + (v[0][i] - v[1][i]) / (2.0 * e);
        }
    }
    return sum;
}

// Ridders' extrapolation of one entry: the value whose own error estimate is smallest.
static double ridders(const double* table)
{
    double a[RIDDERS][RIDDERS];
    double best = table[0];
    double least = HUGE_VAL;
    for (int i = 0; i < RIDDERS; i++) {
        double factor = 2.0;
        a[0][i] = table[i];
        for (int j = 1; j <= i; j++, factor *= 2.0) {
            a[j][i] = (a[j - 1][i] * factor - a[j - 1][i - 1]) / (factor - 1.0);
            const double error = fmax(fabs(a[j][i] - a[j - 1][i]), fabs(a[j][i] - a[j - 1][i - 1]));
            if (error >= least) continue;
            least = error;
            best = a[j][i];
        }
    }
    return best;
}

// The largest distance from Ridders' answer over the largest entry of the block; columns whose labels
// changed on the way, or that stand at a limit, are counted in *skipped.
static double accuracy(robot* r, varied by, int* skipped)
{
    double worst = 0.0;
    double scale = 0.0;
    const double* const blocks[3][2] = {{r->slope->q_q, r->slope->v_q},
                                        {r->slope->q_v, r->slope->v_v},
                                        {r->slope->q_f, r->slope->v_f}};
    for (int k = 0; k < r->n; k++) {
        double table[2][MOST_COLUMNS][RIDDERS];
        // what rests within the slop of contacts, a few micrometres, must go on resting
        double e = by == BY_FORCE ? 1e-3 : by == BY_RATE ? 1e-5 : 4e-7;
        bool is_frozen = true;
        for (int level = 0; level < RIDDERS; level++, e /= sqrt(2.0)) {
            double q[2][MOST_COLUMNS];
            double v[2][MOST_COLUMNS];
            is_frozen = vary(r, by, k, e, q[0], v[0]) && is_frozen;
            is_frozen = vary(r, by, k, -e, q[1], v[1]) && is_frozen;
            for (int i = 0; i < r->n; i++) {
                table[0][i][level] = (q[0][i] - q[1][i]) / (2.0 * e);
                table[1][i][level] = (v[0][i] - v[1][i]) / (2.0 * e);
            }
        }
        if (!is_frozen || (by == BY_POSITION && is_at_limit(r, k))) {
            ++*skipped;
            continue;
        }
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < r->n; i++) {
                const double exact = blocks[by][b][i * r->n + k];
                worst = fmax(worst, fabs(ridders(table[b][i]) - exact));
                scale = fmax(scale, fabs(exact));
            }
        }
    }
    return worst / scale;
}

// ---- timing: the best of several, us a call

static double best_time(robot* r, int what, unsigned wants, varied by)
{
    enum {
        REPEATS = 7
    };
    double best = HUGE_VAL;
    double q[MOST_COLUMNS];
    double v[MOST_COLUMNS];
    message why = {""};
    volatile double sink = 0.0;
    int inner = 1;
    for (int repeat = 0; repeat < REPEATS;) {
        const double begin = tml__clock();
        for (int k = 0; k < inner; k++) {
            if (what == 0) (void)vary(r, BY_FORCE, 0, 0.0, q, v);
            if (what == 1) (void)analytic(r, wants, &why);
            if (what == 2) sink = sink + differences(r, by);
        }
        const double taken = tml__clock() - begin;
        if (taken < 2e-3) {
            inner *= 2;
            continue;
        }
        best = fmin(best, taken / inner);
        repeat++;
    }
    return 1e6 * best;
}

// The same robot in the same pose, after a few of its own steps, which make its contacts. Springs, servos and limits
// are not among what the engines share.
static void beside_mujoco(const robot* r, double jacobians)
{
    char why[PEER_WHY] = "no MuJoCo";
    double us = -1.0;
    tml_pose* now = calloc((size_t)tml_model_body_count(r->model) + 1, sizeof *now);
    peer_scene* scene = peer_scene_create_mixed(r->model, 1, why);
    if (scene != NULL && now != NULL) {
        tml__sim_put(r->sim, r->state);
        for (int i = 0; i < tml_model_body_count(r->model); i++) {
            now[i] = tml_sim_pose(r->sim, (tml_body){i});
        }
        peer_scene_follow(scene, r->model, now);
        scene->has_motors = 1;
        scene->settle_steps = 30;
        for (int e = 0; e < peer_engine_count(); e++) {
            const peer_engine* engine = peer_engine_at(e);
            if (strcmp(engine->name, "mujoco euler") != 0) continue;
            us = peer_time_kernel(engine, scene, PEER_TRANSITION, why);
        }
    }
    if (us < 0.0) {
        printf("  mjd_transitionFD: %s\n", why);
    } else {
        printf("  mjd_transitionFD, centred, by state and controls: %.1f us, %.1f times our step "
               "and Jacobians (%s)\n",
               us, us / jacobians, why);
    }
    peer_scene_destroy(scene);
    free(now);
}

static int measure(robot* r)
{
    message why = {""};
    if (!open_robot(r)) {
        printf("%s: cannot be opened\n", r->name);
        return 1;
    }
    double q[MOST_COLUMNS];
    double v[MOST_COLUMNS];
    (void)vary(r, BY_FORCE, 0, 0.0, q, v);
    if (analytic(r, SLOPE_BY_ALL, &why) != TML_OK) {
        printf("%s: %s\n", r->name, why.text);
        return 1;
    }
    int skipped = 0;
    double error[3];
    for (int by = 0; by < 3; by++) error[by] = accuracy(r, (varied)by, &skipped);
    (void)vary(r, BY_FORCE, 0, 0.0, q, v);
    const double step = best_time(r, 0, 0, BY_POSITION);
    const double jacobians = best_time(r, 1, SLOPE_BY_ALL, BY_POSITION);
    const double alone[3] = {best_time(r, 1, SLOPE_BY_POSITIONS, BY_POSITION),
                             best_time(r, 1, SLOPE_BY_RATES, BY_POSITION),
                             best_time(r, 1, SLOPE_BY_FORCES, BY_POSITION)};
    double fd[3];
    for (int by = 0; by < 3; by++) fd[by] = best_time(r, 2, 0, (varied)by);
    const double shared = fd[0] + fd[1] + fd[2];
    const double separate = shared + fd[0] + fd[1];
    printf("%s: %d freedoms, %d rows hold, %d count\n", r->name, r->n, r->slope->held,
           r->slope->independent);
    printf("  step %.1f us, all Jacobians %.1f us\n", step, jacobians);
    printf("  analytic alone, us: dq+/dq and dv+/dq %.1f, dq+/dv and dv+/dv %.1f, dv+/dtau %.1f\n",
           alone[0], alone[1], alone[2]);
    printf(
        "  central differences, us: dq+/dq %.0f, dv+/dq %.0f, dq+/dv %.0f, dv+/dv %.0f, dv+/dtau "
        "%.0f\n",
        fd[0], fd[0], fd[1], fd[1], fd[2]);
    printf("  five blocks %.0f us: %.1f times the Jacobians (%.1f with the step; paper %.2f)\n",
           separate, separate / jacobians, separate / (step + jacobians), r->paper);
    printf("  three blocks %.0f us: %.1f times the Jacobians (%.1f with the step)\n", shared,
           shared / jacobians, shared / (step + jacobians));
    printf("  against Ridders: by q %.1e, by v %.1e, by tau %.1e; %d columns left out\n", error[0],
           error[1], error[2], skipped);
    beside_mujoco(r, step + jacobians);
    close_robot(r);
    return 0;
}

int main(int argc, char** argv)
{
    robot robots[] = {{.name = "atlas", .paper = 45.8, .settled = 0.5},
                      {.name = "half-cheetah", .paper = 8.64, .settled = 0.6},
                      {.name = "jump-worm", .paper = 6.36, .settled = 0.5},
                      {.name = "catapult", .paper = 6.40, .settled = 0.4}};
    int failures = 0;
    peer_print_engines();
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        bool is_wanted = argc < 2;
        for (int k = 1; k < argc; k++)
            is_wanted = is_wanted || strcmp(argv[k], robots[i].name) == 0;
        if (is_wanted) failures += measure(&robots[i]);
    }
    return failures > 0;
}
