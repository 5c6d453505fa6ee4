// form/nodal/stage.c - one implicit stage, and statics: residual, matrix, Newton.
//
//   M a = F(q, v),  a = (q - q_hat)/c_q,  v = v_hat + (c_v/c_q)(q - q_hat)
//   (M - c_v B - c_q K) dq = c_q (F - M a),  K = dF/dq,  B = dF/dv = -alpha M + beta K
//                                                          [COOK (116) (127) (148)]
// The change of K itself in the damping force beta K v is left out of the matrix [COOK (123)]: with
// beta > 0 and large motions Newton converges linearly, the solution is the same.
#include "form/nodal/nodal_internal.h"

#include <math.h>
#include <string.h>

static void evaluate(void* self, newton_merit* out)
{
    nodal_system* s = self;
    const nodal_stage* stage = s->stage;
    const int width = tml__nodal_width(s);

    if (stage == NULL) {
        tml__nodal_forces(s, s->q, NULL, s->residual);
    } else {
        const double g = stage->c_v / stage->c_q;
        for (int i = 0; i < width; i++) {
            s->scratch[i] = (s->q[i] - stage->q_hat[i]) / stage->c_q;
            s->v[i] = stage->v_hat[i] + g * (s->q[i] - stage->q_hat[i]);
        }
        tml__nodal_mass(s, s->scratch, s->force);
        tml__nodal_forces(s, s->q, s->v, s->residual);
        for (int i = 0; i < width; i++)
            s->residual[i] = stage->c_q * (s->residual[i] - s->force[i]);
    }
    // forces over the masses at hand, so that the sum is in metres (statics: metres a square second)
    double sum = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const vec3 r = v3_load(&s->residual[3 * n]);
        const double mass = s->lump[n] > 0.0 ? s->lump[n] : 1.0;
        sum += v3_dot(r, r) / (mass * mass);
    }
    *out = (newton_merit){.merit = sum, .row = 0.0, .consistency = 1.0};
}

static tml_status factor_with(nodal_system* s, nodal_matrix* m)
{
    const nodal_stage* stage = s->stage;
    const double mass = stage != NULL ? 1.0 + stage->c_v * s->alpha : s->shift;
    const double stiffness = stage != NULL ? stage->c_q + stage->c_v * s->beta : 1.0;
    tml__nodal_fill(s, m, s->q, mass, stiffness);
    s->last = m;
    return tml__block_factor(m->block, &s->bad_node);
}

static tml_status direct(void* self, double* update)
{
    nodal_system* s = self;
    const size_t bytes = (size_t)tml__nodal_width(s) * sizeof(double);

    // a shape squeezed hard enough has directions of negative stiffness: the general factor
    tml_status status = factor_with(s, &s->definite);
    if (status == TML_SINGULAR && s->general.block != NULL) status = factor_with(s, &s->general);
    if (status != TML_OK) return status;
    memcpy(s->step, s->residual, bytes);
    tml__block_solve(s->last->block, 1, s->step);
    memcpy(s->q_start, s->q, bytes);
    *update = 0.0;
    for (int i = 0; i < tml__nodal_width(s); i++) {
        if (!(fabs(s->step[i]) <= *update)) *update = fabs(s->step[i]);
    }
    return isfinite(*update) ? TML_OK : TML_SINGULAR;
}

static tml_status look_ahead(void* self, double* update)
{
    nodal_system* s = self;
    const int width = tml__nodal_width(s);
    memcpy(s->scratch, s->residual, (size_t)width * sizeof(double));
    tml__block_solve(s->last->block, 1, s->scratch);
    *update = 0.0;
    for (int i = 0; i < width; i++) {
        if (!(fabs(s->scratch[i]) <= *update)) *update = fabs(s->scratch[i]);
    }
    return TML_OK;
}

static void move(void* self, double fraction)
{
    nodal_system* s = self;
    for (int i = 0; i < tml__nodal_width(s); i++) s->q[i] = s->q_start[i] + fraction * s->step[i];
}

static newton_problem problem_of(nodal_system* s)
{
    return (newton_problem){
        .self = s, .evaluate = evaluate, .direct = direct, .look_ahead = look_ahead, .move = move};
}

tml_status tml__nodal_solve_stage(nodal_system* s, const nodal_stage* stage,
                                  const newton_settings* settings, bool is_linearised, double* q,
                                  newton_report* report)
{
    const newton_problem problem = problem_of(s);
    tml_status status = TML_OK;
    *report = (newton_report){0};
    if (s->node_count == 0) return TML_OK;
    s->stage = stage;
    s->q = q;
    if (is_linearised) {
        evaluate(s, &report->last);
        status = direct(s, &report->update);
        if (status == TML_OK) move(s, 1.0);
        report->iterations = 1;
    } else {
        status = tml__newton(&problem, settings, report);
    }
    s->stage = NULL;
    s->q = NULL;
    return status;
}

// Statics: mass is added to the stiffness and taken away again as the forces fade, so that the first
// steps go downhill like a damped motion and the last ones are Newton's.
tml_status tml__nodal_settle(nodal_system* s, const newton_settings* settings, double load,
                             double* q, newton_report* report)
{
    newton_merit now;
    *report = (newton_report){0};
    if (s->node_count == 0) return TML_OK;
    s->stage = NULL;
    s->q = q;
    s->load = load;
    evaluate(s, &now);
    const double first = sqrt(now.merit);
    tml_status status = isfinite(now.merit) ? TML_OK : TML_NOT_CONVERGED;
    double trust = 1.0;  // shift relative to what the forces ask for
    while (status == TML_OK) {
        const newton_merit before = now;
        if (report->iterations++ >= settings->max_iterations) {
            status = TML_NOT_CONVERGED;
            break;
        }
        s->shift = first > 0.0 && trust > 1e-12 ? trust * sqrt(now.merit) : 0.0;
        status = direct(s, &report->update);
        if (status != TML_OK) break;
        move(s, 1.0);
        evaluate(s, &now);
        if (report->update <= settings->tolerance && s->shift <= 1e-6 * (1.0 + first)) break;
        if (now.merit < before.merit || report->update <= settings->tolerance) {
            trust *= 0.1;
            continue;
        }
        memcpy(q, s->q_start, (size_t)tml__nodal_width(s) * sizeof(double));
        evaluate(s, &now);
        report->backtracks++;
        trust = trust > 1e-12 ? 10.0 * trust : 1e-6;
        if (trust > 1e12) status = TML_NOT_CONVERGED;
    }
    report->last = now;
    s->load = 1.0;
    s->q = NULL;
    return status;
}
