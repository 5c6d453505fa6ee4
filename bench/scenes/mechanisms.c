// bench/scenes/mechanisms.c - what a step of the paper's mechanisms costs, beside the paper's own
// figures and beside sparse LU of the same Newton matrices.                          [QRBD Tab 6]
//
//     bench/mechanisms [WORD]      only the cases whose name contains the word; all by default
//
// Three tables, as CSV. The first: time of a step with everything in it (assembly, Newton, factor, flip
// checks), and of a step after which the least-norm multipliers are asked for, both averaged over
// the run without its first step, which starts the time formula and is listed apart (timed once). The
// goal is meant for the step with multipliers. The second table: the same step if it went through KLU: factor
// and solve at the states of the same run, in each iteration of plain Newton from the velocities of the
// step before to the same tolerance (newton_per_step: unknowns that follow from others change no iterate,
// so 6 and 14 a body take equally many; algebra_ms), and the equations and matrices of these iterations, by our own code
// (assembly_ms). LU of the independent rows does not know how redundant ones share the load: that takes
// a factor of one more matrix and two passes (multipliers_ms). `times_ours` is algebra and assembly over our step without multipliers,
// `with_multipliers` both sides with them; `algebra_over_ours` leaves KLU's assembly out though ours is in, and `sharing` is
// that if KLU's factors served as many iterations as ours do. The third
// table: the parts of our own step, counted and measured (step_parts.h).
//
// Times are processor time of the thread. A run is cut into pieces and taken several times over, from
// a saved state, so that each repeat does the same work; of each piece the fastest counts. KLU is analysed once and its factors are timed in the same way.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "bench/scenes/sparse_route.h"
#include "bench/scenes/step_parts.h"
#include "method/quaternion/stage.h"
#include "scenes/scenes.h"

#include <time.h>

#ifdef TRAMMEL_KLU
#include <klu.h>
#endif

enum {
    PIECES = 40,
    REPEATS = 3,
    STATES = 8,      // at which KLU is timed
    KLU_REPEATS = 2  // of each factorisation
};

typedef struct bench_case {
    const char* name;
    const char* scene;
    tml_solver solver;
    int is_forced;        // by the torques of the position run, and servos
    double step, length;  // s
    double paper;         // ms a step
    double goal;          // ms a step; 0: none
} bench_case;

// Steps as in the paper. Lengths too, but for the iron man, whose motion repeats every two seconds:
// 10 s instead of 138.5 s.
static const bench_case cases[] = {
    {"t-handle", "t-handle", TML_SOLVER_AUTO, 0, 1e-3, 10.0, 0.037, 0.0},
    {"heavy-top", "heavy-top", TML_SOLVER_AUTO, 0, 1e-4, 1.0, 0.045, 0.0},
    {"hoberman-sphere", "hoberman-sphere", TML_SOLVER_AUGMENTED, 0, 0.01, 4.0, 1138.03, 2.5},
    {"satellite-like", "satellite-like", TML_SOLVER_AUGMENTED, 0, 0.033, 10.0, 7.75, 0.1},
    {"iron-man-like", "iron-man-like", TML_SOLVER_AUGMENTED, 0, 0.033, 10.0, 26.89, 0.5},
    {"iron-man-like", "iron-man-like", TML_SOLVER_TWO_STEP, 0, 0.033, 10.0, 4.19, 0.5},
    {"gazelle-like", "gazelle-like", TML_SOLVER_AUGMENTED, 0, 0.01, 9.82, 3.55, 0.12},
    {"gazelle-like", "gazelle-like", TML_SOLVER_TWO_STEP, 0, 0.01, 9.82, 0.84, 0.12},
    {"gazelle-like by force", "gazelle-like", TML_SOLVER_AUGMENTED, 1, 0.01, 9.82, 6.11, 0.0},
};

enum {
    CASES = sizeof cases / sizeof *cases
};

// What a step of a case costs.
typedef struct cost {
    int is_known;
    double milliseconds;  // a step
    double with_loads;    // and the multipliers
    double iterations;
    double factorisations;
} cost;

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- models

static tml_model* scene_model(const char* name, tml_sim_settings* settings)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;

    if (scene == NULL || scenes_fill(scene, scenes_find(name)) != TML_OK ||
        tml_scene_build(scene, &model) != TML_OK) {
        leave(name, "cannot be built");
    }
    *settings = tml_scene_settings(scene)->sim;
    tml_scene_destroy(scene);
    return model;
}

static int step_count(const bench_case* c) { return (int)(c->length / c->step + 0.5); }

static tml_model* case_model(const bench_case* c, tml_sim_settings* settings)
{
    tml_model* model = scene_model(c->scene, settings);

    settings->integrator = TML_TIME_BDF2;
    settings->step = c->step;
    settings->solver = c->solver;
    if (!c->is_forced) return model;
    motion m = motion_of(model, settings, step_count(c));
    const drive_plan plan = {.forced = &m, .stiffness = 100.0, .damping = 5.0};
    tml_model* forced = driven_model(model, &plan);
    motion_destroy(&m);
    tml_model_destroy(model);
    return forced;
}

typedef enum asked {
    ASK_NOTHING,
    ASK_LOADS,  // the multipliers of a joint, and with it of all, after every step
} asked;

static void steps(tml_sim* sim, int count, asked what)
{
    double rows[TML_AXES];

    for (int k = 0; k < count; k++) {
        if (tml_sim_step(sim, NULL) != TML_OK) leave("step", tml_sim_message(sim));
        if (what == ASK_LOADS) tml_sim_joint_multipliers(sim, (tml_joint){0}, rows);
    }
}

// A case that has taken its first step, and the state to come back to.
typedef struct bench_run {
    const bench_case* c;
    tml_model* model;
    tml_sim* sim;
    tml_sim_settings settings;
    double first;  // s: the first step
    void* state;
    int count;  // steps after the first
} bench_run;

static bench_run open_run(const bench_case* c)
{
    bench_run r = {.c = c, .count = step_count(c) - 1};

    r.model = case_model(c, &r.settings);
    if (tml_sim_create(r.model, &r.settings, &r.sim) != TML_OK) {
        leave("start", tml_sim_message(r.sim));
    }
    const double before = cpu_seconds();
    steps(r.sim, 1, ASK_NOTHING);
    r.first = cpu_seconds() - before;
    r.state = claim(tml_sim_state_size(r.sim), 1);
    if (tml_sim_save(r.sim, r.state) != TML_OK) leave("save", tml_sim_message(r.sim));
    return r;
}

static void rewind_run(bench_run* r)
{
    if (tml_sim_restore(r->sim, r->state, tml_sim_state_size(r->sim)) != TML_OK) {
        leave("restore", tml_sim_message(r->sim));
    }
}

static void close_run(bench_run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    free(r->state);
}

// ---- the first table

// Seconds of a whole run, the fastest of each piece.
static double best_run(bench_run* r, asked what)
{
    double best[PIECES];
    double total = 0.0;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        rewind_run(r);
        for (int p = 0; p < PIECES; p++) {
            const int some = r->count * (p + 1) / PIECES - r->count * p / PIECES;
            const double before = cpu_seconds();
            steps(r->sim, some, what);
            const double spent = cpu_seconds() - before;
            if (repeat == 0 || spent < best[p]) best[p] = spent;
        }
    }
    for (int p = 0; p < PIECES; p++) total += best[p];
    return total;
}

static cost print_case(bench_run* r)
{
    const bench_case* c = r->c;
    const double spent = best_run(r, ASK_NOTHING);
    const double spent_with_loads = best_run(r, ASK_LOADS);
    // the shares from a run of their own: the clocks cost something themselves
    rewind_run(r);
    tml_sim_measure(r->sim, 1);
    const tml_sim_report from = tml_sim_get_report(r->sim);
    const double before = cpu_seconds();
    steps(r->sim, r->count, ASK_NOTHING);
    const double measured = cpu_seconds() - before;
    tml_sim_measure(r->sim, 0);
    const tml_sim_report report = tml_sim_get_report(r->sim);
    const double assembly = report.assembly_seconds - from.assembly_seconds;
    const double solver = report.solver_seconds - from.solver_seconds;
    const long long iterations = report.newton_iterations - from.newton_iterations;
    const cost out = {1, 1e3 * spent / r->count, 1e3 * spent_with_loads / r->count,
                      (double)iterations / r->count,
                      (double)(report.factorisations - from.factorisations) / r->count};

    printf("%s,%d,%d,%g,%d,%s,%.4f,%.4f,%.3f,%.1f,%.2f,%.2f,%.0f,%.0f,%.1e,%.3f,", c->name,
           tml_model_body_count(r->model), tml_model_row_count(r->model), c->step, r->count,
           report.solver, out.milliseconds, out.with_loads, c->paper, c->paper / out.with_loads,
           out.iterations, out.factorisations, 100.0 * assembly / measured,
           100.0 * solver / measured, report.max_gap, 1e3 * r->first);
    if (c->goal > 0.0) {
        printf("%g,%s\n", c->goal, out.with_loads <= c->goal ? "reached" : "missed");
    } else {
        printf(",\n");
    }
    return out;
}

// ---- the second table

#ifdef TRAMMEL_KLU

// A mechanism at several states of its run, in both forms, with a load and the motion it makes.
typedef struct route_data {
    int bodies, rows;
    sparse_states wide, narrow;
    sparse_states least;  // of the least-norm multipliers
    double* load;         // 6 a body and state
    double* gap;          // 1 an independent row and state
    double* answer;       // 6 a body and state, by the library's solver
    double* poses;        // 7 a body and state: turns q into rotations
    double newton;        // iterations of a step with a new matrix in each
    double assembly;      // s a step: equations and matrices of those iterations, by our own code
} route_data;

// A push on every body, in no special direction, that accelerates it by about 1.
static void fill_load(const maximal_system* s, double* load)
{
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const vec3 push = {1.0, 0.7 - 0.01 * (n % 13), -0.4 + 0.02 * (n % 7)};
        const vec3 turn = {-0.5 + 0.03 * (n % 5), 0.9, 0.3 - 0.02 * (n % 11)};
        v3_store(&load[6 * n], v3_scale(body->mass, push));
        v3_store(&load[6 * n + 3],
                 m3_apply(s->bodies[m->node_body[n]].R, m3_apply(body->inertia, turn)));
    }
}

// The motion that the library makes of the load, with rows that ask for the motion `load` as well,
// so that redundant rows ask for the same and mechanisms without a freedom move, too.
static void fill_answer(maximal_system* s, const int* place, const double* load, double* gap,
                        double* answer)
{
    double* rows = claim((size_t)s->row_count, sizeof *rows);
    int bad_row = -1;

    tml__kkt_apply(s->matrix, load, rows, answer, rows);
    for (int i = 0; i < s->row_count; i++) {
        if (place[i] >= 0) gap[place[i]] = rows[i];
    }
    tml__kkt_set_passes(s->matrix, 30);
    if (tml__kkt_factor(s->matrix, &bad_row) != TML_OK ||
        tml__kkt_solve(s->matrix, load, rows, answer, rows) != TML_OK) {
        leave("library", "cannot solve");
    }
    free(rows);
}

// The matrix of the accepted state: Newton may have ended with one of an earlier iterate, where
// redundant rows do not agree and the independent ones do not speak for all.
static void fill_accepted(tml_sim* sim, double c)
{
    maximal_system* s = sim->system;
    const form_stage stage = {c, c * c, sim->v_hat, sim->q_hat};
    newton_merit merit;

    memcpy(s->x, sim->past_q[0], (size_t)sim->width * sizeof(double));
    memcpy(s->lambda, sim->lambda, (size_t)s->row_count * sizeof(double));
    tml__quat_residual(s, &stage, &merit);
    tml__quat_matrix(s, &stage);
}

// Plain Newton for the step that was just accepted: how many matrices it takes from where the state
// before leads, until rows and update are within the tolerance.
static int plain_newton(tml_sim* sim, double c, double h)
{
    maximal_system* s = sim->system;
    const form_stage stage = {c, c * c, sim->v_hat, sim->q_hat};
    const double tolerance = sim->settings.tolerance;
    double update = 1.0;
    newton_merit merit;
    int count = 0;

    for (int n = 0; n < s->node_count; n++) {
        const double* at = &sim->past_q[1][n * POSE_WIDTH];
        const double* u = &sim->past_v[1][n * POSE_WIDTH];
        double moved[6];
        memcpy(moved, u, 3 * sizeof *u);
        v3_store(moved + 3, v3_scale(2.0, q_G(quat_at(at + 3), quat_at(u + 3))));
        tml__maximal_displace(&s->x[n * POSE_WIDTH], at, moved, h);
    }
    memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
    tml__quat_residual(s, &stage, &merit);
    // as in the library's own iterations: redundant rows ask for different things until the last one
    tml__kkt_set_passes(s->matrix, 2);
    while (count < 30 && !(update <= tolerance && merit.row <= tolerance)) {
        tml__quat_matrix(s, &stage);
        for (int i = 0; i < 6 * s->node_count; i++) s->dx[i] = -s->residual[i];
        for (int i = 0; i < s->row_count; i++) s->dl[i] = -s->C[i];
        if (tml__kkt_factor(s->matrix, NULL) != TML_OK ||
            tml__kkt_solve(s->matrix, s->dx, s->dl, s->dx, s->dl) != TML_OK) {
            leave("plain Newton", "cannot solve");
        }
        update = 0.0;
        for (int n = 0; n < s->node_count; n++) {
            double* x = &s->x[n * POSE_WIDTH];
            update = fmax(update, v3_norm(v3_load(&s->dx[6 * n])));
            update = fmax(update, v3_norm(v3_load(&s->dx[6 * n + 3])));
            tml__maximal_displace(x, x, &s->dx[6 * n], 1.0);
        }
        for (int i = 0; i < s->row_count; i++) s->lambda[i] += s->dl[i] / (c * c);
        tml__quat_residual(s, &stage, &merit);
        count++;
    }
    return count;
}

// Equations and matrices of a step by plain Newton. A route would do the same and put the numbers in its own
// places besides; that is not counted.
static double assembly_seconds(maximal_system* s, const form_stage* stage, double newton)
{
    double best[2] = {1e9, 1e9};
    newton_merit merit;

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const double start = cpu_seconds();
        tml__quat_residual(s, stage, &merit);
        const double middle = cpu_seconds();
        tml__quat_matrix(s, stage);
        best[0] = fmin(best[0], middle - start);
        best[1] = fmin(best[1], cpu_seconds() - middle);
    }
    return (newton + 1.0) * best[0] + newton * best[1];
}

static route_data collect(bench_run* r)
{
    tml_sim* sim = r->sim;
    maximal_system* s = sim->system;
    const size_t bodies = (size_t)s->node_count;
    route_data out = {.bodies = s->node_count};
    int* place = independent_rows(r->model, s, &out.rows);
    entry_list wide[STATES] = {{0}};
    entry_list narrow[STATES] = {{0}};
    entry_list least[STATES] = {{0}};
    const double c = r->settings.step * 2.0 / 3.0;
    const form_stage stage = {c, c * c, sim->v_hat, sim->q_hat};

    out.load = claim(6 * bodies * STATES, sizeof(double));
    out.gap = claim((size_t)out.rows * STATES, sizeof(double));
    out.answer = claim(6 * bodies * STATES, sizeof(double));
    out.poses = claim(POSE_WIDTH * bodies * STATES, sizeof(double));
    rewind_run(r);
    for (int k = 0; k < STATES; k++) {
        steps(sim, r->count / STATES, ASK_NOTHING);
        const size_t at = 6 * bodies * (size_t)k;
        const double newton = plain_newton(sim, c, r->settings.step);
        out.newton += newton / STATES;
        out.assembly += assembly_seconds(s, &stage, newton) / STATES;
        fill_accepted(sim, c);
        list_six(s->matrix, place, out.rows, &narrow[k]);
        list_fourteen(sim, c, place, out.rows, &wide[k]);
        list_least_norm(s->matrix, &least[k]);
        fill_load(s, &out.load[at]);
        fill_answer(s, place, &out.load[at], &out.gap[out.rows * k], &out.answer[at]);
        memcpy(&out.poses[POSE_WIDTH * bodies * (size_t)k], s->x,
               POSE_WIDTH * bodies * sizeof(double));
    }
    out.wide = compress_states(wide, STATES);
    out.narrow = compress_states(narrow, STATES);
    out.least = compress_states(least, STATES);
    for (int k = 0; k < STATES; k++) {
        destroy_entries(&wide[k]);
        destroy_entries(&narrow[k]);
        destroy_entries(&least[k]);
    }
    free(place);
    return out;
}

static void destroy_data(route_data* d)
{
    destroy_states(&d->wide);
    destroy_states(&d->narrow);
    destroy_states(&d->least);
    free(d->load);
    free(d->gap);
    free(d->answer);
    free(d->poses);
}

// How far the motion of a route is from the library's, relative to the largest.
static double motion_error(const route_data* d, int width, int state, const double* x)
{
    double error = 0.0;
    double largest = 0.0;

    for (int n = 0; n < d->bodies; n++) {
        const size_t body = (size_t)state * (size_t)d->bodies + (size_t)n;
        double moved[6];
        route_motion(&d->poses[POSE_WIDTH * body], width, n, x, moved);
        for (int i = 0; i < 6; i++) {
            largest = fmax(largest, fabs(d->answer[6 * body + (size_t)i]));
            error = fmax(error, fabs(d->answer[6 * body + (size_t)i] - moved[i]));
        }
    }
    return largest > 0.0 ? error / largest : error;
}

enum {
    LEAST_NORM = 0  // in place of a width: the matrix of the multipliers
};

static const sparse_states* states_of(const route_data* d, int width)
{
    if (width == LEAST_NORM) return &d->least;
    return width == WIDE ? &d->wide : &d->narrow;
}

typedef struct klu_cost {
    double analyse, factor, refactor, solve;  // s, the last three averaged over states
    double error;                             // largest of motion_error
    double entries;                           // of the factors
} klu_cost;

typedef struct klu_run {
    const sparse_states* m;
    klu_common common;
    klu_symbolic* symbolic;
    klu_numeric* numeric;
    double* x;
} klu_run;

static void load_state(const route_data* d, const klu_run* r, int width, int state)
{
    const int stride = width == WIDE ? WIDE : 6;

    memset(r->x, 0, (size_t)r->m->size * sizeof *r->x);
    for (int n = 0; n < d->bodies; n++) {
        const size_t body = (size_t)state * (size_t)d->bodies + (size_t)n;
        memcpy(&r->x[stride * n + (width == WIDE ? WIDE_FORCE : 0)], &d->load[6 * body],
               6 * sizeof *r->x);
    }
    if (width == LEAST_NORM) return;
    memcpy(&r->x[r->m->size - d->rows], &d->gap[d->rows * state], (size_t)d->rows * sizeof *r->x);
}

static void time_state(const route_data* d, klu_run* r, int width, int state, klu_cost* out)
{
    const sparse_states* m = r->m;
    double* value = &m->value[(size_t)state * (size_t)m->nonzeros];
    double best[3] = {1e9, 1e9, 1e9};

    for (int repeat = 0; repeat < KLU_REPEATS; repeat++) {
        if (r->numeric != NULL) klu_free_numeric(&r->numeric, &r->common);
        double before = cpu_seconds();
        r->numeric = klu_factor(m->column_start, m->row, value, r->symbolic, &r->common);
        best[0] = fmin(best[0], cpu_seconds() - before);
        if (r->numeric == NULL) leave("KLU", "cannot factor");
        load_state(d, r, width, state);
        before = cpu_seconds();
        klu_solve(r->symbolic, r->numeric, m->size, 1, r->x, &r->common);
        best[2] = fmin(best[2], cpu_seconds() - before);
        if (width != LEAST_NORM) {
            out->error = fmax(out->error, motion_error(d, width, state, r->x));
        }
        before = cpu_seconds();
        klu_refactor(m->column_start, m->row, value, r->symbolic, r->numeric, &r->common);
        best[1] = fmin(best[1], cpu_seconds() - before);
    }
    out->factor += best[0] / STATES;
    out->refactor += best[1] / STATES;
    out->solve += best[2] / STATES;
    out->entries = (double)r->numeric->lnz + (double)r->numeric->unz;
}

static klu_cost time_klu(const route_data* d, int width, int ordering)
{
    klu_run r = {.m = states_of(d, width)};
    klu_cost out = {0};

    klu_defaults(&r.common);
    r.common.ordering = ordering;
    r.x = claim((size_t)r.m->size, sizeof *r.x);
    const double before = cpu_seconds();
    r.symbolic = klu_analyze(r.m->size, r.m->column_start, r.m->row, &r.common);
    out.analyse = cpu_seconds() - before;
    if (r.symbolic == NULL) leave("KLU", "cannot analyse");
    for (int state = 0; state < STATES; state++) time_state(d, &r, width, state, &out);
    klu_free_numeric(&r.numeric, &r.common);
    klu_free_symbolic(&r.symbolic, &r.common);
    free(r.x);
    return out;
}

// The least-norm multipliers by the better order: one factor and, as here, two passes.
static double multiplier_seconds(const route_data* d)
{
    double best = 1e9;

    for (int ordering = 0; ordering < 2; ordering++) {
        const klu_cost k = time_klu(d, LEAST_NORM, ordering);
        best = fmin(best, k.factor + 2.0 * k.solve);
    }
    return best;
}

static void print_route(const bench_run* r, const route_data* d, int width, int ordering,
                        double multipliers, cost ours)
{
    static const char* const orders[2] = {"AMD", "COLAMD"};
    const sparse_states* m = states_of(d, width);
    const klu_cost k = time_klu(d, width, ordering);
    const double again = 1e3 * d->newton * (k.factor + k.solve);
    const double reused = 1e3 * d->newton * (k.refactor + k.solve);
    const double shared = 1e3 * (ours.factorisations * k.factor + ours.iterations * k.solve);
    const double whole = again + 1e3 * d->assembly;

    printf("%s,%d,%s,%d,%d,%.0f,%.3f,%.4f,%.4f,%.4f,%.2f,%.3f,%.3f,%.3f,%.3f,", r->c->name, width,
           orders[ordering], m->size, m->nonzeros, k.entries, 1e3 * k.analyse, 1e3 * k.factor,
           1e3 * k.refactor, 1e3 * k.solve, d->newton, again, reused, 1e3 * d->assembly,
           1e3 * multipliers);
    printf("%.1f,%.1f,%.1f,%.1f,%.1f,%.1e\n", whole / ours.milliseconds,
           (whole + 1e3 * multipliers) / ours.with_loads, again / ours.milliseconds,
           reused / ours.milliseconds, shared / ours.milliseconds, k.error);
    fflush(stdout);
}

static void print_routes(bench_run* r, cost ours)
{
    route_data d = collect(r);
    const double multipliers = multiplier_seconds(&d);

    for (int ordering = 0; ordering < 2; ordering++) {
        print_route(r, &d, WIDE, ordering, multipliers, ours);
    }
    for (int ordering = 0; ordering < 2; ordering++) {
        print_route(r, &d, 6, ordering, multipliers, ours);
    }
    destroy_data(&d);
}

static void print_title(void)
{
    printf("case,unknowns_a_body,ordering,unknowns,entries,factor_entries,analyse_ms,factor_ms,"
           "refactor_ms,solve_ms,newton_per_step,algebra_ms,algebra_ms_refactor,assembly_ms,"
           "multipliers_ms,times_ours,times_ours_with_multipliers,algebra_over_ours,"
           "algebra_over_ours_refactor,algebra_over_ours_sharing,motion_error\n");
}

#else

static void print_routes(bench_run* r, cost ours)
{
    (void)r;
    (void)ours;
}

static void print_title(void) { printf("this build has no KLU (TRAMMEL_KLU is off)\n"); }

#endif

int main(int argc, char** argv)
{
    const char* word = argc > 1 ? argv[1] : "";
    bench_run runs[CASES];
    cost costs[CASES] = {{0}};

    printf("case,bodies,rows,step,steps,solver,ms_per_step,ms_with_multipliers,paper_ms,paper_over_"
           "ours,"
           "newton_per_step,matrices_per_step,assembly_percent,solver_percent,max_gap,first_step_"
           "ms,goal_ms,goal\n");
    for (int i = 0; i < CASES; i++) {
        if (strstr(cases[i].name, word) == NULL) continue;
        runs[i] = open_run(&cases[i]);
        costs[i] = print_case(&runs[i]);
        fflush(stdout);
    }
    printf("\n");
    print_title();
    for (int i = 0; i < CASES; i++) {
        if (!costs[i].is_known) continue;
        if (cases[i].solver != TML_SOLVER_TWO_STEP) print_routes(&runs[i], costs[i]);
    }
    printf("\n");
    print_parts_title();
    for (int i = 0; i < CASES; i++) {
        if (!costs[i].is_known) continue;
        if (cases[i].solver == TML_SOLVER_AUGMENTED) {
            rewind_run(&runs[i]);
            steps(runs[i].sim, 10, ASK_NOTHING);
            print_parts(cases[i].name, runs[i].sim, costs[i].iterations, costs[i].factorisations,
                        1e-3 * costs[i].milliseconds);
        }
        close_run(&runs[i]);
    }
    return 0;
}
