// opt/problem.c - the objective of a problem and its gradient, and the search for its minimum.
#include "opt/problem.h"

#include "opt/throw.h"

#include <math.h>
#include <string.h>

static const char* const method_names[TML_METHODS] = {
    "lbfgs", "random", "ddp", "shooting", "nlopt_lbfgs", "nlopt_slsqp", "nlopt_mma", "adam"};

const char* tml_method_name(tml_method method)
{
    return (unsigned)method < TML_METHODS ? method_names[method] : "?";
}

bool tml_method_find(const char* name, tml_method* out)
{
    if (name == NULL) return false;
    for (int i = 0; i < TML_METHODS; i++) {
        if (strcmp(method_names[i], name) != 0) continue;
        *out = (tml_method)i;
        return 1;
    }
    return 0;
}

// ---- creation

static tml_status check_def(tml_problem* p)
{
    const tml_problem_def* def = &p->def;
    if (def->steps < 1 || def->variable_count < 1 || def->term_count < 1) {
        return tml__fail(
            &p->why, TML_BAD_ARGUMENT,
            "a problem needs at least one step (%d), one variable (%d) and one term of "
            "its objective (%d)",
            def->steps, def->variable_count, def->term_count);
    }
    for (int i = 0; i < def->variable_count; i++) {
        const tml_variable* v = &def->variables[i];
        if (v->lower <= v->upper && v->scale > 0.0 &&
            (!is_control(v) || (v->knot_count >= 1 && v->knot >= 0 && v->knot < v->knot_count))) {
            continue;
        }
        return tml__fail(&p->why, TML_BAD_ARGUMENT,
                         "variable %d: bounds [%g, %g], scale %g, knot %d of %d", i, v->lower,
                         v->upper, v->scale, v->knot, v->knot_count);
    }
    bool has_controls = false;
    for (int i = 0; i < def->variable_count; i++) {
        has_controls = has_controls || is_control(&def->variables[i]);
    }
    for (int i = 0; i < def->term_count; i++) {
        const tml_term* t = &def->terms[i];
        if (t->is_effort && !has_controls) {
            return tml__fail(&p->why, TML_BAD_ARGUMENT,
                             "term %d of the objective is an effort, but no control is a variable",
                             i);
        }
        if (t->first >= 0 && t->first <= t->last && t->last <= def->steps && isfinite(t->weight)) {
            continue;
        }
        return tml__fail(&p->why, TML_BAD_ARGUMENT,
                         "term %d of the objective: steps %d to %d of %d, weight %g", i, t->first,
                         t->last, def->steps, t->weight);
    }
    return TML_OK;
}

static void* take(tml_problem* p, size_t count, size_t size, bool* is_whole)
{
    void* memory = tml__allocate(&p->allocator, count, size);
    *is_whole = *is_whole && memory != NULL;
    return memory;
}

static bool is_throw(const tml_variable* v) { return is_throw_parameter(&v->parameter); }

// How many parameters the variables that are not controls make at most: a throw moves every body, and turning
// it along two axes.
static size_t count_changes(const tml_problem* p)
{
    size_t count = 0;
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->def.variables[i];
        count += is_throw(v) ? 3 * (size_t)tml_model_body_count(p->model) : 1;
    }
    return count;
}

static tml_status take_memory(tml_problem* p)
{
    const size_t n = (size_t)p->def.variable_count;
    const size_t changes = count_changes(p);
    const size_t terms = (size_t)p->def.term_count;
    const size_t steps = (size_t)p->def.steps;
    const size_t controls = (size_t)p->control_count;
    size_t quantities = 0;
    bool is_whole = true;

    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->def.terms[i];
        if (!t->is_effort) quantities += (size_t)(t->last - t->first + 1);
    }
    p->variables = take(p, n, sizeof *p->variables, &is_whole);
    p->terms = take(p, terms, sizeof *p->terms, &is_whole);
    p->parameters = take(p, changes + controls * steps, sizeof *p->parameters, &is_whole);
    p->owner = take(p, changes, sizeof *p->owner, &is_whole);
    p->factor = take(p, changes, sizeof(double), &is_whole);
    p->change = take(p, changes, sizeof(double), &is_whole);
    p->slope = take(p, changes + controls * steps, sizeof(double), &is_whole);
    p->controls = take(p, controls * (steps + 1), sizeof(double), &is_whole);
    p->quantities = take(p, quantities, sizeof *p->quantities, &is_whole);
    p->values = take(p, quantities, sizeof(double), &is_whole);
    p->weights = take(p, quantities, sizeof(double), &is_whole);
    p->bends = take(p, quantities, sizeof(double), &is_whole);
    double** const lists[5] = {&p->scaled, &p->raw, &p->lower, &p->upper, &p->gradient};
    for (int k = 0; k < 5; k++) *lists[k] = take(p, n, sizeof(double), &is_whole);
    return is_whole ? TML_OK : tml__fail(&p->why, TML_NO_MEMORY, "out of memory");
}

typedef struct addition {
    tml_problem* p;
    int variable;
} addition;

static void add_change(void* self, tml_parameter parameter, double factor)
{
    const addition* to = self;
    tml_problem* p = to->p;
    if (factor == 0.0) return;
    p->parameters[p->change_count] = parameter;
    p->owner[p->change_count] = to->variable;
    p->factor[p->change_count++] = factor;
}

static void copy_lists(tml_problem* p)
{
    memcpy(p->variables, p->def.variables, (size_t)p->def.variable_count * sizeof *p->variables);
    memcpy(p->terms, p->def.terms, (size_t)p->def.term_count * sizeof *p->terms);
    p->def.variables = p->variables;
    p->def.terms = p->terms;
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        addition to = {p, i};
        if (is_throw(v)) tml__throw_parts(p->model, v->parameter.component, add_change, &to);
        if (!is_throw(v) && !is_control(v)) add_change(&to, v->parameter, 1.0);
        p->has_controls = p->has_controls || is_control(v);
    }
    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->terms[i];
        for (int k = t->first; k <= t->last && !t->is_effort; k++) {
            tml_quantity* q = &p->quantities[p->quantity_count++];
            *q = t->quantity;
            q->step = k;
        }
    }
}

static tml_status set_slopes(tml_problem* p, tml_contact_slopes slopes)
{
    const tml_status status = tml_derivatives_set_contact_slopes(p->d, slopes);
    if (status == TML_OK) return TML_OK;
    return tml__fail(&p->why, status, "slopes of contacts cannot be set to kind %d", (int)slopes);
}

tml_status tml_problem_create(const tml_model* model, const tml_sim_settings* settings,
                              const tml_problem_def* def, tml_problem** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL || def == NULL) return TML_BAD_ARGUMENT;
    tml_problem* p = tml__allocate(&settings->allocator, 1, sizeof *p);
    if (p == NULL) return TML_NO_MEMORY;
    *out = p;
    p->model = model;
    p->def = *def;
    p->def.memory = NULL;
    p->allocator = settings->allocator;
    p->step = settings->step;
    p->control_count = tml_model_control_count(model);
    tml_status status = check_def(p);
    if (status == TML_OK) status = take_memory(p);
    if (status != TML_OK) return status;
    copy_lists(p);
    status = tml_derivatives_create(model, settings, def->run_bytes, &p->d);
    if (status != TML_OK) tml__fail(&p->why, status, "%s", tml_derivatives_message(p->d));
    return status == TML_OK ? set_slopes(p, def->slopes) : status;
}

void tml_problem_destroy(tml_problem* p)
{
    if (p == NULL) return;
    void* const lists[] = {p->variables, p->terms,  p->parameters, p->change,     p->slope,
                           p->controls,  p->values, p->weights,    p->scaled,     p->raw,
                           p->lower,     p->upper,  p->gradient,   p->quantities, p->bends,
                           p->owner,     p->factor};
    const tml_allocator allocator = p->allocator;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) tml__release(&allocator, lists[i]);
    tml_derivatives_destroy(p->d);
    tml__group_destroy(p);
    tml__release(&allocator, p);
}

const char* tml_problem_message(const tml_problem* p)
{
    return p != NULL ? p->why.text : TML__NO_OBJECT;
}

// ---- one evaluation

// A broken line over the run, knots evenly spread from its first step to its last; one is a constant.
double tml__problem_share(const tml_problem* p, const tml_variable* v, int step)
{
    if (v->knot_count == 1) return 1.0;
    const double span = p->def.steps > 1 ? (double)(p->def.steps - 1) : 1.0;
    const double at = (step - 1) / span * (v->knot_count - 1);
    const double distance = fabs(at - v->knot);
    return distance < 1.0 ? 1.0 - distance : 0.0;
}

void tml__problem_controls(tml_problem* p, const double* x)
{
    for (int k = 1; k <= p->def.steps; k++) {
        double* u = &p->controls[k * p->control_count];
        for (int c = 0; c < p->control_count; c++) {
            u[c] = tml_model_control_value(p->model, c, k * p->step);
        }
        for (int i = 0; i < p->def.variable_count; i++) {
            if (is_control(&p->variables[i])) u[p->variables[i].parameter.index] = 0.0;
        }
        for (int i = 0; i < p->def.variable_count; i++) {
            const tml_variable* v = &p->variables[i];
            if (is_control(v)) u[v->parameter.index] += tml__problem_share(p, v, k) * x[i];
        }
    }
}

static tml_status begin(tml_problem* p, const double* x)
{
    for (int i = 0; i < p->change_count; i++) {
        const tml_variable* v = &p->variables[p->owner[i]];
        const double given = is_throw(v) ? 0.0 : tml_parameter_value(p->model, &v->parameter);
        p->change[i] = p->factor[i] * (x[p->owner[i]] - given);
    }
    if (p->has_controls) tml__problem_controls(p, x);
    return tml_derivatives_change(p->d, p->change_count, p->parameters, p->change);
}

static tml_status take_step(tml_problem* p, int step)
{
    const bool is_given = p->has_controls;
    return tml_derivatives_step(p->d, is_given ? &p->controls[step * p->control_count] : NULL);
}

static tml_status run(tml_problem* p, const double* x)
{
    tml_status status = begin(p, x);
    for (int k = 1; k <= p->def.steps && status == TML_OK; k++) status = take_step(p, k);
    return status;
}

tml_status tml_problem_replay(tml_problem* p, const double* x, tml_problem_watch watch, void* self)
{
    if (p == NULL || p->d == NULL || x == NULL || watch == NULL) return TML_BAD_ARGUMENT;
    tml_status status = begin(p, x);
    if (status == TML_OK) {
        status = watch(self, tml_derivatives_sim(p->d));
        if (status != TML_OK) return status;
    }
    for (int k = 1; k <= p->def.steps && status == TML_OK; k++) {
        status = take_step(p, k);
        if (status != TML_OK) break;
        const tml_status seen = watch(self, tml_derivatives_sim(p->d));
        if (seen != TML_OK) return seen;
    }
    if (status != TML_OK) tml__fail(&p->why, status, "%s", tml_derivatives_message(p->d));
    return status;
}

double tml__problem_sum(tml_problem* p)
{
    double sum = 0.0;
    int at = 0;
    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->terms[i];
        const double weight = t->weight / (t->last - t->first + 1);
        for (int k = t->first; k <= t->last; k++) {
            if (t->is_effort) {
                const int first = k > 0 ? k : 1;
                const double u = p->controls[first * p->control_count + t->quantity.index];
                sum += 0.5 * weight * u * u;
                continue;
            }
            const double off = p->values[at] - (t->has_target ? t->target : 0.0);
            sum += t->has_target ? 0.5 * weight * off * off : weight * off;
            p->bends[at] = t->has_target ? weight : 0.0;
            p->weights[at++] = t->has_target ? weight * off : weight;
        }
    }
    return sum;
}

// Slopes by the controls themselves, of the effort terms.
static void add_effort(tml_problem* p)
{
    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->terms[i];
        const double weight = t->weight / (t->last - t->first + 1);
        for (int k = t->first; k <= t->last && t->is_effort; k++) {
            const int step = k > 0 ? k : 1;
            const int at = p->change_count + (step - 1) * p->control_count + t->quantity.index;
            p->slope[at] += weight * p->controls[step * p->control_count + t->quantity.index];
        }
    }
}

static tml_status find_gradient(tml_problem* p, double* gradient)
{
    int count = p->change_count;
    if (p->has_controls) {
        for (int k = 1; k <= p->def.steps; k++) {
            for (int c = 0; c < p->control_count; c++) {
                p->parameters[count++] = (tml_parameter){TML_PARAMETER_CONTROL, c, 0, k};
            }
        }
    }
    const tml_status status = tml_derivatives_gradient(p->d, p->quantity_count, p->quantities,
                                                       p->weights, count, p->parameters, p->slope);
    if (status != TML_OK) return status;
    if (tml_derivatives_last_flags(p->d).broken_parameters > 0) return TML_INFEASIBLE;
    if (p->has_controls) add_effort(p);
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        gradient[i] = 0.0;
        for (int k = 1; k <= p->def.steps && is_control(v); k++) {
            const int at = p->change_count + (k - 1) * p->control_count + v->parameter.index;
            gradient[i] += tml__problem_share(p, v, k) * p->slope[at];
        }
    }
    for (int i = 0; i < p->change_count; i++) gradient[p->owner[i]] += p->factor[i] * p->slope[i];
    return TML_OK;
}

tml_derivatives_flags tml_problem_last_flags(const tml_problem* p)
{
    return tml_derivatives_last_flags(p != NULL ? p->d : NULL);
}

tml_status tml__problem_evaluate_own(tml_problem* p, const double* x, double* value,
                                     double* gradient)
{
    tml_status status = run(p, x);
    if (status == TML_OK) {
        status = tml_derivatives_values(p->d, p->quantity_count, p->quantities, p->values);
    }
    if (status == TML_OK) *value = tml__problem_sum(p);
    if (status == TML_OK && gradient != NULL) status = find_gradient(p, gradient);
    // to a search a run that fails is a bad place, but one that lacks memory is no place
    if (status == TML_NO_MEMORY) p->lacks_memory = true;
    if (status != TML_OK) tml__fail(&p->why, status, "%s", tml_derivatives_message(p->d));
    return status;
}

tml_status tml_problem_evaluate(tml_problem* p, const double* x, double* value, double* gradient)
{
    if (p == NULL || p->d == NULL || x == NULL || value == NULL) return TML_BAD_ARGUMENT;
    return p->group != NULL ? tml__group_evaluate(p, x, value, gradient)
                            : tml__problem_evaluate_own(p, x, value, gradient);
}

// ---- searching

static void unscale(const tml_problem* p, const double* scaled, double* x)
{
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        x[i] = v->start + v->scale * scaled[i];
    }
}

bool tml__is_finite(tml_problem* p, double value, const double* gradient)
{
    if (!isfinite(value)) {
        tml__fail(&p->why, TML_NOT_CONVERGED, "the objective is %g", value);
        return false;
    }
    for (int i = 0; i < p->def.variable_count && gradient != NULL; i++) {
        if (isfinite(gradient[i])) continue;
        tml__fail(&p->why, TML_NOT_CONVERGED, "the slope of the objective by variable %d is %g", i,
                  gradient[i]);
        return false;
    }
    return true;
}

static bool evaluate_scaled(void* self, const double* scaled, double* value, double* gradient)
{
    tml_problem* p = self;
    unscale(p, scaled, p->raw);
    if (tml_problem_evaluate(p, p->raw, value, gradient) != TML_OK) return false;
    for (int i = 0; i < p->def.variable_count && gradient != NULL; i++) {
        gradient[i] *= p->variables[i].scale;
    }
    return tml__is_finite(p, *value, gradient);
}

static bool tell_progress(void* self, const tml_optimize_report* report, const double* scaled)
{
    tml_problem* p = self;
    if (p->lacks_memory) return true;
    if (p->progress == NULL) return false;
    unscale(p, scaled, p->raw);
    return p->progress(p->self, report, p->raw) != 0;
}

static tml_status minimise(tml_problem* p, tml_method method, const objective* f,
                           const minimise_settings* settings, tml_optimize_report* report)
{
    switch (method) {
    case TML_METHOD_RANDOM:
        return tml__minimise_random(f, settings, &p->allocator, p->scaled, report);
    case TML_METHOD_ADAM: return tml__minimise_adam(f, settings, &p->allocator, p->scaled, report);
    case TML_METHOD_NLOPT_LBFGS:
    case TML_METHOD_NLOPT_SLSQP:
    case TML_METHOD_NLOPT_MMA: break;
    case TML_METHOD_LBFGS:
    case TML_METHOD_DDP:
    case TML_METHOD_SHOOTING:
    case TML_METHODS: return tml__minimise_lbfgs(f, settings, &p->allocator, p->scaled, report);
    }
    const tml_status status =
        tml__minimise_nlopt(f, settings, method, &p->allocator, p->scaled, report);
    if (status == TML_UNSUPPORTED) {
        tml__fail(&p->why, status, "method '%s': this build has no NLopt", tml_method_name(method));
    }
    return status;
}

// Reports of a second search count on from those of the first.
static int relay(void* self, const tml_optimize_report* report, const double* x)
{
    tml_problem* p = self;
    tml_optimize_report sum = *report;
    sum.iterations += p->before.iterations;
    sum.evaluations += p->before.evaluations;
    p->is_stopped = p->watch != NULL && p->watch(p->watch_self, &sum, x) != 0;
    p->is_stopped = tml__group_agree(p, p->is_stopped);
    return p->is_stopped;
}

static tml_status search(tml_problem* p, tml_method method, int iterations, double* x,
                         tml_optimize_report* report)
{
    const int n = p->def.variable_count;
    const minimise_settings settings = {iterations, p->def.tolerance, p->def.seed};
    const objective f = {.self = p,
                         .count = n,
                         .lower = p->lower,
                         .upper = p->upper,
                         .evaluate = evaluate_scaled,
                         .progress = tell_progress};

    p->lacks_memory = false;
    if (method == TML_METHOD_DDP || method == TML_METHOD_SHOOTING) {
        const tml_status status = method == TML_METHOD_DDP ? tml__minimise_ddp(p, x, report)
                                                           : tml__minimise_shooting(p, x, report);
        if (status != TML_OK || !p->lacks_memory) return status;
        return tml__fail(&p->why, TML_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < n; i++) {
        const tml_variable* v = &p->variables[i];
        p->lower[i] = (v->lower - v->start) / v->scale;
        p->upper[i] = (v->upper - v->start) / v->scale;
        p->scaled[i] = (x[i] - v->start) / v->scale;
    }
    tml_status status = minimise(p, method, &f, &settings, report);
    if (p->lacks_memory) status = TML_NO_MEMORY;
    if (status == TML_NO_MEMORY) tml__fail(&p->why, status, "out of memory");
    if (status == TML_OK) unscale(p, p->scaled, x);
    return status;
}

// On from the best point of another method, by the slopes of the steps as they are.
static tml_status polish(tml_problem* p, double* x, tml_optimize_report* report)
{
    tml_status status = set_slopes(p, TML_SLOPES_EXACT);
    if (status != TML_OK) return status;
    p->before = *report;
    status = search(p, TML_METHOD_LBFGS, p->def.polish, x, report);  // one piece: no defect
    const tml_status back = set_slopes(p, p->def.slopes);
    if (status == TML_OK) status = back;
    report->iterations += p->before.iterations;
    report->evaluations += p->before.evaluations;
    report->first = p->before.first;
    p->before = (tml_optimize_report){0};
    return status;
}

tml_status tml_problem_optimize(tml_problem* p, double* x, tml_optimize_progress progress,
                                void* self, tml_optimize_report* report)
{
    if (p == NULL || p->d == NULL || x == NULL || report == NULL) return TML_BAD_ARGUMENT;
    p->watch = progress;
    p->watch_self = self;
    p->progress = relay;
    p->self = p;
    p->is_stopped = false;
    const tml_status status = search(p, p->def.method, p->def.iterations, x, report);
    if (status != TML_OK || p->def.polish == 0 || p->is_stopped) return status;
    return polish(p, x, report);
}
