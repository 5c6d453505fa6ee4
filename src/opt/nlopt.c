// opt/nlopt.c - the one wrapper of NLopt: quasi-Newton methods with bounds by other hands.
//
// NLopt knows evaluations, not iterations: `iterations` bounds them, and progress is told whenever one
// is better than all before. The search ends when the slopes at the best point are small, which NLopt
// does not ask for itself, or when NLopt finds no better point.
#include "opt/minimise.h"

#ifdef TRAMMEL_NLOPT

#include <math.h>
#include <nlopt.h>
#include <string.h>

typedef struct search {
    const objective* f;
    const minimise_settings* settings;
    nlopt_opt own;
    tml_optimize_report* report;
    double* best;  // scaled variables
    double* slopes;
    bool has_started;
} search;

// NLopt's objective. A run that fails is as bad as can be, and flat.
static double evaluate(unsigned count, const double* x, double* gradient, void* self)
{
    search* s = self;
    tml_optimize_report* r = s->report;
    const size_t bytes = count * sizeof(double);
    double value = 0.0;

    r->evaluations++;
    const bool is_known = s->f->evaluate(s->f->self, x, &value, s->slopes) && isfinite(value);
    if (gradient != NULL && is_known) memcpy(gradient, s->slopes, bytes);
    if (gradient != NULL && !is_known) memset(gradient, 0, bytes);
    if (!is_known && !s->has_started) nlopt_force_stop(s->own);
    if (!is_known) return HUGE_VAL;
    if (s->has_started && !(value < r->value)) return value;

    if (!s->has_started) r->first = value;
    if (s->has_started) r->iterations++;
    s->has_started = true;
    r->value = value;
    memcpy(s->best, x, bytes);
    r->gradient = tml__projected_norm(s->f, x, s->slopes);
    r->has_converged = r->gradient <= s->settings->tolerance;
    const bool is_stopped = s->f->progress != NULL && s->f->progress(s->f->self, r, x);
    if (r->has_converged || is_stopped) nlopt_force_stop(s->own);
    return value;
}

static nlopt_algorithm algorithm_of(tml_method method)
{
    switch (method) {
    case TML_METHOD_NLOPT_SLSQP: return NLOPT_LD_SLSQP;
    case TML_METHOD_NLOPT_MMA: return NLOPT_LD_MMA;
    case TML_METHOD_NLOPT_LBFGS:
    case TML_METHOD_LBFGS:
    case TML_METHOD_RANDOM:
    case TML_METHOD_DDP:
    case TML_METHOD_SHOOTING:
    case TML_METHOD_ADAM:
    case TML_METHODS: break;
    }
    return NLOPT_LD_LBFGS;
}

tml_status tml__minimise_nlopt(const objective* f, const minimise_settings* settings,
                               tml_method method, const tml_allocator* allocator, double* x,
                               tml_optimize_report* report)
{
    const size_t n = (size_t)f->count;
    double value = 0.0;
    search s = {.f = f, .settings = settings, .report = report};
    s.best = tml__allocate(allocator, 2 * n, sizeof(double));
    s.own = nlopt_create(algorithm_of(method), (unsigned)f->count);
    tml_status status = s.best != NULL && s.own != NULL ? TML_OK : TML_NO_MEMORY;

    *report = (tml_optimize_report){.evaluations = 0};
    if (status == TML_OK) {
        s.slopes = s.best + n;
        for (int i = 0; i < f->count; i++) x[i] = s.best[i] = tml__clamp(f, i, x[i]);
        nlopt_set_lower_bounds(s.own, f->lower);
        nlopt_set_upper_bounds(s.own, f->upper);
        nlopt_set_min_objective(s.own, evaluate, &s);
        // one more than asked for: the first only tells where the search begins; 0 would be no bound
        nlopt_set_maxeval(s.own, settings->iterations < 2147483647 ? settings->iterations + 1
                                                                   : settings->iterations);
        const nlopt_result result = nlopt_optimize(s.own, x, &value);
        // other failures than these end a search that has a best point: no step helps
        if (result == NLOPT_OUT_OF_MEMORY) status = TML_NO_MEMORY;
        if (result == NLOPT_INVALID_ARGS) status = TML_BAD_ARGUMENT;
        if (!s.has_started && status == TML_OK) status = TML_NOT_CONVERGED;
        memcpy(x, s.best, n * sizeof *x);
    }
    nlopt_destroy(s.own);
    tml__release(allocator, s.best);
    return status;
}

#else

tml_status tml__minimise_nlopt(const objective* f, const minimise_settings* settings,
                               tml_method method, const tml_allocator* allocator, double* x,
                               tml_optimize_report* report)
{
    (void)f, (void)settings, (void)method, (void)allocator, (void)x;
    *report = (tml_optimize_report){.evaluations = 0};
    return TML_UNSUPPORTED;
}

#endif
