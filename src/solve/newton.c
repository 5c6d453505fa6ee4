// solve/newton.c - Newton with Armijo backtracking and flip prevention.  [QRBD (29) Sec 4 Sec 6]
//
// The merit is a sum of squares, for which the full Newton direction promises a relative decrease
// of 2 per unit of fraction; we ask for 1e-4 of that. Once the residual is below a tenth of the
// tolerance rounding decides, and full steps are taken without asking.
//
// Forces and lengths do not compare well: near a singular pose multipliers soar, and a step that
// halves the way to go may raise the sum of squares. Where the merit refuses, the natural test
// decides: is the correction that the old matrix makes of the new residual smaller than the step?
#include "solve/newton.h"

#include <math.h>
#include <stdbool.h>

enum {
    MAX_HALVINGS = 30
};

static bool is_acceptable(const newton_merit* now, const newton_merit* before, double fraction,
                          const newton_settings* settings)
{
    const double floor = 0.01 * settings->tolerance * settings->tolerance;

    if (!isfinite(now->merit)) return false;
    if (now->consistency < settings->min_consistency) return false;
    return now->merit <= before->merit * (1.0 - 2e-4 * fraction) || now->merit <= floor;
}

static bool is_shorter(const newton_problem* problem, const newton_merit* now, double update,
                       double fraction, const newton_settings* settings)
{
    double ahead = 0.0;
    if (problem->look_ahead == NULL || !isfinite(now->merit)) return false;
    if (now->consistency < settings->min_consistency) return false;
    return problem->look_ahead(problem->self, &ahead) == TML_OK &&
           ahead <= (1.0 - 0.25 * fraction) * update;
}

// What a step is accepted by: the rows, and the last update.
static bool is_settled(const newton_merit* now, double update, const newton_settings* settings)
{
    return update <= settings->tolerance && now->row <= settings->tolerance &&
           isfinite(now->merit) && now->consistency >= settings->min_consistency;
}

tml_status tml__newton(const newton_problem* problem, const newton_settings* settings,
                       newton_report* report)
{
    newton_merit now;
    *report = (newton_report){0};
    problem->evaluate(problem->self, &now);
    report->last = now;
    if (!isfinite(now.merit)) return TML_NOT_CONVERGED;  // nothing to go on from

    while (report->iterations < settings->max_iterations) {
        const tml_status status = problem->direct(problem->self, &report->update);
        if (status != TML_OK) return status;
        report->iterations++;

        const newton_merit before = now;
        double fraction = 1.0;
        for (int halvings = 0;; halvings++) {
            problem->move(problem->self, fraction);
            problem->evaluate(problem->self, &now);
            if (is_acceptable(&now, &before, fraction, settings)) break;
            if (is_shorter(problem, &now, report->update, fraction, settings)) break;
            // a full step this short moves nothing that matters: what is left is rounding
            if (fraction == 1.0 && is_settled(&now, report->update, settings)) break;
            if (halvings == MAX_HALVINGS) {
                report->last = before;
                return TML_NOT_CONVERGED;
            }
            fraction *= 0.5;
            report->backtracks++;
        }
        report->last = now;
        if (fraction == 1.0 && is_settled(&now, report->update, settings)) return TML_OK;
    }
    return TML_NOT_CONVERGED;
}
