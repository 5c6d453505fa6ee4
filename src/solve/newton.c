// solve/newton.c - Newton with Armijo backtracking and flip prevention.  [QRBD (29) Sec 4 Sec 6]
//
// The merit is a sum of squares, for which the full Newton direction promises a relative decrease
// of 2 per unit of fraction; we ask for 1e-4 of that. Once the residual is below a tenth of the
// tolerance rounding decides, and full steps are taken without asking.
//
// Forces and lengths do not compare well: near a singular pose multipliers soar, and a step that
// halves the way to go may raise the sum of squares. Where the merit refuses, the natural test
// decides: is the correction that the old matrix makes of the new residual smaller than the step?
//
// Near the solution that correction is nearly the next Newton step, and much cheaper, because the
// matrix is neither filled nor factored. It is taken where it proves to be short.
#include "solve/newton.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum {
    MAX_HALVINGS = 30,
    MANY_STEPS = 20  // Newton is quick or has stalled
};

// A step with the last factor is tried after one of at most this length (m, rad): the matrix has then
// hardly changed. It is taken when it is this much shorter than the one before,
static const double longest_step = 1e-3;
static const double slowest_rate = 0.05;
static const double slowest_noise =
    0.2;  // where rounding is longer than the tolerance: it shrinks little
// and when so many of its kind, each as much shorter again, would be enough.
enum {
    LONGEST_ROW = 4
};
// Of the tolerance, what a further step may still change: as little as rounding, because multipliers
// feel it divided by the square of the time step.
static const double leftover = 1e-6;
// Of the tolerance, a step that is rounding itself.
static const double rounding = 1e-5;
// Of what rounding may make of an update, a step that it surely has made: the estimate is on the safe side.
static const double certain = 0.1;
// Of the tolerance, a step so short that rounding may have made it longer than it should be.
static const double short_step = 1e-3;
// Of the tolerance, a step that rounding may make again and again.
static const double still = 0.01;
// The second step with a factor shrinks twice as slowly as the first, which had half the way between the
// factor's iterate and the solution to bend; as much again to be on the safe side.
static const double first_rate = 4.0;

// Of the tolerance, the longest update of a solution next to a singular pose.
static const double loosest = 1e3;

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
    return update <= fmax(settings->tolerance, settings->rounding) &&
           now->row <= settings->tolerance && isfinite(now->merit) &&
           now->consistency >= settings->min_consistency;
}

// Next to a singular pose a motion hardly changes any equation, and what rounding makes of it is longer than the
// tolerance. Everything that should be zero is, to the tolerance: that is a solution, and is told.
static bool is_loose(const newton_merit* now, double update, const newton_settings* settings)
{
    return now->merit <= settings->tolerance * settings->tolerance &&
           now->row <= settings->tolerance && update <= loosest * settings->tolerance &&
           now->consistency >= settings->min_consistency;
}

// The iterate and what is known about it.
typedef struct progress {
    newton_merit now;
    newton_merit before;  // the last step
    double last_update;   // of the step before the last; 0: there was none
    double rate;  // how much shorter a step with this factor was than the one before, at best
} progress;

// Go along the step as far as it helps.
static tml_status search(const newton_problem* problem, const newton_settings* settings,
                         progress* p, newton_report* report, double* fraction)
{
    p->before = p->now;
    *fraction = 1.0;
    for (int halvings = 0; halvings <= MAX_HALVINGS; halvings++) {
        problem->move(problem->self, *fraction);
        problem->evaluate(problem->self, &p->now);
        if (problem->is_changing) return isfinite(p->now.merit) ? TML_OK : TML_NOT_CONVERGED;
        if (is_acceptable(&p->now, &p->before, *fraction, settings) ||
            is_shorter(problem, &p->now, report->update, *fraction, settings)) {
            return TML_OK;
        }
        // a full step this short moves nothing that matters: what is left is rounding
        if (*fraction == 1.0 && is_settled(&p->now, report->update, settings)) return TML_OK;
        if (halvings == MAX_HALVINGS) break;
        *fraction *= 0.5;
        report->backtracks++;
    }
    return TML_NOT_CONVERGED;
}

// What a further step may still change.
static double enough_of(const newton_settings* settings)
{
    return fmax(leftover * settings->tolerance, certain * settings->rounding);
}

// Has the last step left less than rounding? How the steps shrink tells; one step alone tells nothing.
// Steps with one factor shrink at one rate, but for the first, which came from further away; when
// they shrink more slowly than before, they have come to rounding.
static bool is_exact(const progress* p, double update, const newton_settings* settings)
{
    const double enough = enough_of(settings);

    return update <= fmax(rounding * settings->tolerance, certain * settings->rounding) ||
           update * update <= enough * p->last_update ||
           (update <= short_step * settings->tolerance && first_rate * p->rate * update <= enough);
}

// Is a step of this length, by the last factor, worth taking after one of length `last`?
static bool is_quick(double ahead, double last, const newton_settings* settings)
{
    const double rate = ahead / last;
    double rest = ahead;
    for (int k = 0; k < LONGEST_ROW; k++) rest *= rate;
    if (settings->rounding > settings->tolerance) {
        return rate <= slowest_noise && rest <= settings->rounding;
    }
    return rate <= slowest_rate && rest <= enough_of(settings);
}

// Is this step the last, whatever the equations say after it? Rows are closed already, it moves them by
// less than a tenth of the tolerance, towards zero, and it leaves nothing to do.
static bool is_last(const progress* p, double update, const newton_settings* settings)
{
    const double little = 0.1 * settings->tolerance;

    return update <= little && p->now.row <= little && is_exact(p, update, settings) &&
           p->now.consistency >= settings->min_consistency;
}

// Steps with the factor at hand, as long as they are quick enough. True: nothing is left to do.
static bool reuse(const newton_problem* problem, const newton_settings* settings, progress* p,
                  newton_report* report)
{
    p->rate = DBL_MAX;
    while (report->iterations < settings->max_iterations) {
        const bool is_done = is_settled(&p->now, report->update, settings);
        if (is_done && is_exact(p, report->update, settings)) return true;
        if (!(report->update <= longest_step)) return false;

        double ahead = 0.0;
        if (problem->look_ahead(problem->self, &ahead) != TML_OK) return is_done;
        // a settled iterate goes on as long as it comes closer at all
        const bool is_closing = is_done && ahead <= 0.5 * report->update;
        if (!is_closing && !is_quick(ahead, report->update, settings)) {
            // one that hardly moves any more has come to rounding, or its factor is a poor one:
            // another matrix decides
            return is_done &&
                   (report->update <= still * settings->tolerance || report->factorisations > 1);
        }
        problem->adopt(problem->self);
        problem->move(problem->self, 1.0);
        p->before = p->now;
        p->last_update = report->update;
        p->rate = fmin(p->rate, ahead / report->update);
        report->iterations++;
        report->update = ahead;
        if (problem->ends_unseen && is_last(p, ahead, settings)) return true;
        problem->evaluate(problem->self, &p->now);
        report->last = p->now;
        if (!is_acceptable(&p->now, &p->before, 1.0, settings)) {
            return is_settled(&p->now, ahead, settings);
        }
    }
    return is_settled(&p->now, report->update, settings);
}

// Where equations change, updates need not shrink by squares, and what the last one leaves is a force divided by the
// square of the time step.
static bool has_found_forces(const progress* p, double update, const newton_settings* settings)
{
    return update <= rounding * settings->tolerance || !(update < 0.5 * p->last_update);
}

static tml_status iterate(const newton_problem* problem, const newton_settings* settings,
                          newton_report* report)
{
    progress p = {.rate = DBL_MAX};
    *report = (newton_report){0};
    problem->evaluate(problem->self, &p.now);
    report->last = p.now;
    if (!isfinite(p.now.merit)) return TML_NOT_CONVERGED;  // nothing to go on from

    while (report->iterations < settings->max_iterations) {
        p.last_update = report->update;
        tml_status status = problem->direct(problem->self, &report->update);
        if (status != TML_OK) return status;
        report->iterations++;
        report->factorisations++;

        double fraction = 1.0;
        status = search(problem, settings, &p, report, &fraction);
        report->last = status == TML_OK ? p.now : p.before;
        if (status != TML_OK) return status;
        if (fraction < 1.0) continue;
        bool is_done = problem->adopt != NULL ? reuse(problem, settings, &p, report)
                                              : is_settled(&p.now, report->update, settings);
        if (problem->is_changing)
            is_done = is_done && has_found_forces(&p, report->update, settings);
        if (is_done) return TML_OK;
    }
    const bool is_enough = problem->is_changing && is_settled(&p.now, report->update, settings);
    return is_enough ? TML_OK : TML_NOT_CONVERGED;
}

tml_status tml__newton(const newton_problem* problem, const newton_settings* settings,
                       newton_report* report)
{
    const tml_status status = iterate(problem, settings, report);
    // a search that failed has left its last trial where the iterate should be, and few steps tell nothing
    const bool has_stalled =
        report->iterations >= settings->max_iterations && report->iterations >= MANY_STEPS;
    if (status != TML_NOT_CONVERGED || !has_stalled) return status;
    report->is_loose = is_loose(&report->last, report->update, settings);
    return report->is_loose ? TML_OK : status;
}
