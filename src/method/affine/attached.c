// method/affine/attached.c - deformables within the steps of the affine formulation.
//
// Vertices take the step of the bodies: M (x' - x_hat) = beta F at the places (1 - phi) x + phi x'. A
// carried vertex at r pulls its body by the arm A r, A = (1 - phi) R + phi R', as a point of its mass
// would whose second moments are among S: with phi = 1/2, R' - R = [k] A, so that what it does along
// the step is what the body feels.                                              [notes 9.2 9.3]
// Where velocities end, the nearest rigid ones in the mass of bodies and vertices together are taken,
// which only lowers the energy.
#include "method/affine/attached.h"

#include "sim/soft_contact.h"

#include <math.h>
#include <string.h>

struct soft_affine {
    sim_soft* soft;
    affine_system* system;
    spot* places;  // per block of soft->own: where it is added in the matrix
    soft_step step;
    double* room;  // right-hand sides of the matrix, as many as come at once; NULL: nothing touches
};

// ---- the guest

static double evaluate(void* self, double* residual)
{
    soft_affine* w = self;
    return sqrt(tml__soft_evaluate(w->soft, 1.0 / w->step.beta, residual));
}

// Row-major 6 x 6 into a block stored by columns.
static void add_block(spot to, const double own[36])
{
    for (int i = 0; i < 36; i++) to.at[(ptrdiff_t)(i % 6) * to.stride + i / 6] += own[i];
}

static tml_status fill(void* self)
{
    soft_affine* w = self;
    sim_soft* f = w->soft;
    const tml_status status = tml__soft_factor(f);
    if (status != TML_OK) return status;
    for (int k = 0; k < f->block_count; k++) add_block(w->places[k], &f->own[36 * k]);
    for (int i = 0; i < f->carried_count; i++) {
        const spot to = w->places[f->pair[f->carrier[i] * (f->by.count + 1)]];
        double D[9];
        tml__soft_bend(f, i, D);
        for (int k = 0; k < 9; k++) to.at[(ptrdiff_t)(3 + k % 3) * to.stride + 3 + k / 3] += D[k];
    }
    return TML_OK;
}

static void correct(void* self, double* side)
{
    soft_affine* w = self;
    sim_soft* f = w->soft;
    const int count = 6 * f->system->node_count;
    memset(f->kept, 0, (size_t)count * sizeof(double));
    tml__soft_eliminate(f, f->step, f->kept);
    for (int i = 0; i < count; i++) side[i] -= f->kept[i];
}

static double move(void* self, const double* dx)
{
    soft_affine* w = self;
    sim_soft* f = w->soft;
    const double largest = tml__soft_follow_step(f, dx, 1.0, f->step);
    for (int i = 0; i < f->free_width; i++) f->x[i] += f->step[i];
    return largest;
}

tml_status tml__soft_affine_create(tml_sim* sim, affine_system* a, soft_affine** out)
{
    sim_soft* f = sim->soft;
    soft_affine* w = tml__pool_take(&f->memory, 1, sizeof *w);
    *out = w;
    if (w == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    w->soft = f;
    w->system = a;
    w->places = tml__pool_take(&f->memory, (size_t)f->block_count, sizeof *w->places);
    const size_t unknowns = (size_t)a->node_first[a->matrix_nodes];
    if (f->touch != NULL) {
        w->room = tml__pool_take(&f->memory, SOFT_BATCH * unknowns, sizeof(double));
    }
    if (w->places == NULL || (f->touch != NULL && w->room == NULL)) {
        return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < f->by.count * f->by.count; i++) {
        const int row = f->carrier_node[i / f->by.count];
        const int column = f->carrier_node[i % f->by.count];
        if (f->pair[i] < 0) continue;
        w->places[f->pair[i]] =
            (spot){tml__block_at(a->matrix, row, column), a->bodies[row].stride};
    }
    a->guest = (affine_guest){.self = w,
                              .evaluate = evaluate,
                              .fill = fill,
                              .correct = correct,
                              .move = move,
                              .shares_momentum = f->by.count > 0};
    return TML_OK;
}

// ---- one part of a step

void tml__soft_affine_load(tml_sim* sim)
{
    const size_t bytes = (size_t)sim->soft->width * sizeof(double);
    const int first = sim->soft->first;
    memcpy(sim->next.q + first, step_q(sim) + first, bytes);
    memcpy(sim->next.v + first, step_v(sim) + first, bytes);
}

// What the past says about the places where forces act, and the first guess.
static void pose(tml_sim* sim, soft_affine* w, const affine_stage* stage, double t)
{
    sim_soft* f = w->soft;
    const double h = stage->h;
    const double* x = sim->next.q + f->first;
    const double* v = sim->next.v + f->first;
    w->step = (soft_step){.nodal = {stage->theta * h, stage->phi * stage->beta, v, f->hat},
                          .beta = stage->beta,
                          .phi = stage->phi,
                          .reach = stage->phi,
                          .kick = 1.0,
                          .start = x,
                          .t = t};
    for (int i = 0; i < f->width; i++) {
        f->x[i] = x[i] + h * v[i];
        f->hat[i] = x[i] + stage->phi * h * v[i];
    }
    if (stage->rule != AFFINE_BDF2) return;
    const double* x_before = sim->past_q[1] + f->first;
    const double* v_before = sim->past_v[1] + f->first;
    w->step.nodal.c_v = 2.0 / 3.0 * h;
    w->step.nodal.v_hat = f->momentum;  // free until the end
    for (int i = 0; i < f->width; i++) {
        f->momentum[i] = (4.0 * v[i] - v_before[i]) / 3.0;
        f->hat[i] = (4.0 * x[i] - x_before[i]) / 3.0 + 2.0 / 3.0 * h * f->momentum[i];
    }
}

// Bodies placed where the part starts: soft.h measures its first arms there.
static void place_start(const soft_affine* w)
{
    maximal_system* s = w->system->s;
    s->placements++;  // joints do not stand there yet
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[s->model->node_body[n]];
        b->c = w->system->body[n].x;
        b->R = w->system->body[n].R;
    }
}

// Velocities of all nodes by the formula of the step, into f->work.
static void velocities(const soft_affine* w, const affine_stage* stage)
{
    const sim_soft* f = w->soft;
    const nodal_stage* n = &w->step.nodal;
    const double* x = w->step.start;
    for (int i = 0; i < f->width; i++) {
        f->work[i] =
            stage->rule == AFFINE_BDF2
                ? n->v_hat[i] + n->c_v / n->c_q * (f->x[i] - n->q_hat[i])
                : ((f->x[i] - x[i]) / stage->h - (1.0 - stage->theta) * n->v_hat[i]) / stage->theta;
    }
}

// The end of the part becomes the start of the next one.
static tml_status finish(tml_sim* sim, soft_affine* w, const affine_stage* stage)
{
    sim_soft* f = w->soft;
    affine_system* a = w->system;
    maximal_system* s = a->s;
    velocities(w, stage);
    memcpy(sim->next.q + f->first, f->x, (size_t)f->width * sizeof(double));
    if (f->by.count == 0) {
        memcpy(sim->next.v + f->first, f->work, (size_t)f->width * sizeof(double));
        return TML_OK;
    }
    double change = 0.0;
    tml__affine_store(a, sim->next.q, sim->next.v);
    tml__soft_bring(f, f->work, NULL, 0.0);
    const tml_status status = tml__maximal_project_velocity(s, sim->next.q, sim->next.v, &change);
    f->has_momentum = false;  // also where nobody has shared it
    for (int n = 0; n < s->node_count && status == TML_OK; n++) {
        const double* q = &sim->next.q[n * POSE_WIDTH];
        const double* v = &sim->next.v[n * POSE_WIDTH];
        const quat raw = {q[3], q[4], q[5], q[6]};
        a->body[n].v_end = v3_load(v);
        a->body[n].omega_end =
            v3_scale(2.0 / q_dot(raw, raw), q_G(raw, (quat){v[3], v[4], v[5], v[6]}));
    }
    return status;
}

// ---- contact

// Pushes become motions by the matrix that was factored last.
static tml_status respond(sim_soft* f, int count, double* vertices, double* bodies)
{
    const size_t width = (size_t)f->free_width;
    const soft_affine* w = f->host;
    affine_system* a = w->system;
    const size_t body_width = 6 * (size_t)f->system->node_count;
    tml__nodal_back(f->nodes, count, vertices);
    for (int j = 0; j < count; j++) {
        tml__soft_pull_free(f, &vertices[(size_t)j * width], &bodies[(size_t)j * body_width]);
    }
    tml__affine_respond(a, count, w->room, bodies);
    for (int j = 0; j < count; j++) {
        tml__soft_follow_step(f, &bodies[(size_t)j * body_width], 1.0,
                              &vertices[(size_t)j * width]);
    }
    return TML_OK;
}

// A part of a step whose contacts are corrected.
typedef struct touching {
    soft_affine* work;
    const affine_stage* stage;
    newton_settings settings;
    affine_report* report;
} touching;

static tml_status solve_again(void* self, double tolerance)
{
    touching* t = self;
    const int before = t->report->iterations;
    newton_settings settings = t->settings;
    settings.tolerance = tolerance;
    const tml_status status = tml__affine_repeat(t->work->system, t->stage, &settings, t->report);
    t->report->iterations += before;
    return status;
}

static tml_status factor_again(void* self)
{
    touching* t = self;
    return tml__affine_factor(t->work->system, t->stage);
}

static tml_status solve_touching(soft_affine* w, const affine_stage* stage,
                                 const newton_settings* settings, affine_report* report)
{
    touching t = {w, stage, *settings, report};
    const soft_again again = {.self = &t,
                              .solve = solve_again,
                              .factor = factor_again,
                              .respond = respond,
                              .beta = stage->beta,
                              .tolerance = settings->tolerance};
    return tml__soft_touch_correct(w->soft, &again);
}

// Is anything inside at the end of a free motion?
static bool is_clear(sim_soft* f, double tolerance)
{
    int row = -1;
    return tml__soft_touch_see(f, &row) <= 10.0 * tolerance;
}

static tml_status solve(tml_sim* sim, soft_affine* w, affine_stage* stage, double t,
                        const newton_settings* settings, affine_report* report)
{
    sim_soft* f = w->soft;
    const bool may_touch = tml__soft_touch_rows(f) > 0;
    pose(sim, w, stage, t);
    place_start(w);
    tml__soft_open(f, &w->step);
    if (may_touch) tml__soft_touch_clear(f);
    tml_status status = tml__affine_step(w->system, stage, settings, report);
    if (status != TML_OK || !may_touch || is_clear(f, settings->tolerance)) return status;
    if (stage->theta < 1.0) {
        // what is stopped must stay stopped: a mean of velocities would throw it back
        const int before = report->iterations;
        stage->theta = 1.0;
        stage->beta = stage->h * stage->h;
        pose(sim, w, stage, t);
        status = tml__affine_step(w->system, stage, settings, report);
        report->iterations += before;
    }
    return status == TML_OK ? solve_touching(w, stage, settings, report) : status;
}

tml_status tml__soft_affine_step(tml_sim* sim, soft_affine* w, const affine_stage* stage, double t,
                                 const newton_settings* settings, affine_report* report)
{
    affine_stage taken = *stage;
    w->soft->host = w;
    const tml_status status = solve(sim, w, &taken, t, settings, report);
    tml__soft_close(w->soft);
    return status == TML_OK ? finish(sim, w, &taken) : status;
}
