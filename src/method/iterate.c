// method/iterate.c - what the Newton iterations of all formulations of rigid bodies share: the merit,
// the step that the filled matrix makes of the residual, and moving along it.
#include "base/clock.h"
#include "method/maximal.h"

#include <math.h>
#include <string.h>

// Newton corrects what a linear solve leaves: one inner correction is the best bargain, until slow
// progress (a singular pose nearby) asks for more.
enum {
    NEWTON_PASSES = 2,
    PATIENT_ITERATIONS = 6,
    PATIENT_PASSES = 30
};

static double clock_if(const maximal_system* s) { return s->is_measured ? tml__clock() : 0.0; }

void tml__maximal_give_way(maximal_system* s)
{
    for (int row = 0; row < s->row_count; row++) s->C[row] += s->compliance[row] * s->lambda[row];
    for (int j = 0; j < s->model->all.joint_count; j++) {
        if (!tml__maximal_is_idle(s, j)) continue;
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) s->C[row] = 0.0;
    }
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        if (tml__maximal_is_idle_coupling(s, i)) s->C[s->first_coupling + i] = 0.0;
    }
    for (int i = 0; i < s->tie_count; i++) {
        if (tml__maximal_is_idle_tie(s, i)) s->C[s->first_tie + i] = 0.0;
    }
}

double tml__maximal_merit(const maximal_system* s)
{
    const tml_model* m = s->model;
    double sum = 0.0;

    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3* J = &body->inertia;
        const double moment = (J->m[0][0] + J->m[1][1] + J->m[2][2]) / 3.0;
        const vec3 f = v3_scale(1.0 / body->mass, v3_load(&s->residual[6 * n]));
        const vec3 t = v3_scale(1.0 / moment, v3_load(&s->residual[6 * n + 3]));
        sum += v3_dot(f, f) + v3_dot(t, t);
    }
    for (int row = 0; row < s->row_count; row++) sum += s->C[row] * s->C[row];
    return sum;
}

// The longest shift and the largest turn of a body. Squares are compared: roots take their time.
typedef struct motion_size {
    double shift, turn;
} motion_size;

static motion_size largest_motion(const maximal_system* s, const double* dx)
{
    double shift = 0.0;
    double turn = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const vec3 c = v3_load(&dx[6 * n]);
        const vec3 phi = v3_load(&dx[6 * n + 3]);
        const double c2 = v3_dot(c, c);
        const double phi2 = v3_dot(phi, phi);
        if (!(c2 <= shift)) shift = c2;
        if (!(phi2 <= turn)) turn = phi2;
    }
    return (motion_size){sqrt(shift), sqrt(turn)};
}

// A turn of more than 2 rad is beyond what the linearisation knows: shorten the whole step.
static double limit_turn(maximal_system* s)
{
    const motion_size size = largest_motion(s, s->dx);
    const double turn = size.turn;
    const double update = size.shift;
    s->shortened = turn > 2.0 ? 2.0 / turn : 1.0;
    if (turn > 2.0) {
        const double factor = s->shortened;
        for (int i = 0; i < 6 * s->node_count; i++) s->dx[i] *= factor;
        for (int i = 0; i < s->row_count; i++) s->dl[i] *= factor;
    }
    return turn > update ? turn : update;
}

static void start_here(maximal_system* s)
{
    memcpy(s->x_start, s->x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    memcpy(s->lambda_start, s->lambda, (size_t)s->row_count * sizeof(double));
}

// Multipliers that redundant rows hold against each other push nothing where they were found, but they
// do after the next step: taken along from step to step they would grow and spoil its matrix.
static void relax_multipliers(maximal_system* s, double c_q)
{
    double* force = s->ahead_dx;

    tml__kkt_relax(s->matrix, s->lambda, force);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] -= c_q * force[i];
}

static void place(void* self, const double* dx, double* q)
{
    const maximal_system* s = self;
    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_displace(&q[n * POSE_WIDTH], &s->x[n * POSE_WIDTH], &dx[6 * n], 1.0);
    }
}

static void add(void* self, const double* impulses)
{
    const maximal_system* s = self;
    for (int i = 0; s->momentum != NULL && i < 6 * s->node_count; i++)
        s->momentum[i] += impulses[i];
}

static tml_status answer(void* self, const double* push, double* dx, double* dl)
{
    maximal_system* s = self;
    memset(dl, 0, (size_t)s->row_count * sizeof *dl);
    return tml__kkt_solve(s->matrix, push, dl, dx, dl);
}

tml_status tml__maximal_direct(maximal_system* s, double c_q, double* update)
{
    const double begin = clock_if(s);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] = -s->residual[i];
    for (int i = 0; i < s->row_count; i++) s->dl[i] = -s->C[i];

    const int iteration = s->iterations++;
    const bool is_slow = iteration >= PATIENT_ITERATIONS;
    const bool is_two_sided = tml__kkt_values(s->matrix)->is_two_sided;
    tml__kkt_set_passes(s->matrix, is_slow ? PATIENT_PASSES : NEWTON_PASSES);
    tml_status status = TML_OK;
    if (iteration == 0 && s->may_be_redundant && !is_two_sided) {
        status = tml__kkt_factor(s->matrix, &s->bad_row);
        if (status == TML_OK) relax_multipliers(s, c_q);
        if (status == TML_OK) status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);
    } else {
        const kkt_sides sides = {s->residual, s->dl, s->dx, s->dl};
        status = tml__kkt_factor_solve(s->matrix, &sides, &s->bad_row);
    }
    s->solver_seconds += clock_if(s) - begin;
    if (status == TML_OK && s->partner != NULL) {
        const maximal_answer by = {s, place, answer, add};
        status = s->partner->correct(s->partner->self, &by, s->dx, s->dl);
    }
    if (status != TML_OK) return status;

    for (int i = 0; i < s->row_count; i++) s->dl[i] /= c_q;
    start_here(s);
    *update = limit_turn(s);
    return TML_OK;
}

tml_status tml__maximal_look_ahead(void* self, double* update)
{
    maximal_system* s = self;
    const double begin = clock_if(s);

    for (int i = 0; i < 6 * s->node_count; i++) s->ahead_dx[i] = -s->residual[i];
    for (int i = 0; i < s->row_count; i++) s->ahead_dl[i] = -s->C[i];
    const tml_status status =
        tml__kkt_solve(s->matrix, s->ahead_dx, s->ahead_dl, s->ahead_dx, s->ahead_dl);
    const motion_size size = largest_motion(s, s->ahead_dx);
    *update = size.turn <= size.shift ? size.shift : size.turn;
    s->solver_seconds += clock_if(s) - begin;
    return status;
}

void tml__maximal_adopt(maximal_system* s, double c_q)
{
    double* dx = s->dx;
    double* dl = s->dl;

    s->dx = s->ahead_dx;
    s->dl = s->ahead_dl;
    s->ahead_dx = dx;
    s->ahead_dl = dl;
    for (int i = 0; i < s->row_count; i++) s->dl[i] /= c_q;
    start_here(s);
}

void tml__maximal_move(void* self, double fraction)
{
    maximal_system* s = self;
    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_displace(&s->x[n * POSE_WIDTH], &s->x_start[n * POSE_WIDTH], &s->dx[6 * n],
                              fraction);
    }
    for (int i = 0; i < s->row_count; i++) {
        s->lambda[i] = s->lambda_start[i] + fraction * s->dl[i];
    }
}
