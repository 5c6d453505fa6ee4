// opt/minimise.c - limited-memory quasi-Newton with bounds, gradient steps, and random search to compare
// with.
//
// The direction is that of L-BFGS (two loops over the last changes of x and of the gradient) on the
// variables that are not held at a bound by the gradient; steps are projected onto the bounds. Where none
// helps the slope may jump: kink.c knows a way, or tells that there is none. Random search: a step in a random direction is kept when it helps,
// steps grow by 1.5 then and shrink by 1.5^(1/4) else, which keeps about one success in five; where they
// have become tiny they begin anew. Gradient steps (Adam: each variable by the mean of its slopes over the root
// of their mean square) do not ask whether they help: where slopes are heuristic, on a plateau, nothing would.
#include "opt/kink.h"

#include <math.h>
#include <string.h>

enum {
    MEMORY = 30,  // changes remembered
    HALVINGS = 25,
    LONGEST = 64  // of a direction, at most so often
};

typedef struct lbfgs {
    const objective* f;
    int n;
    double *x, *g, *d, *trial, *trial_g;
    double* s[MEMORY];  // changes of x, the newest last
    double* y[MEMORY];  // and of the gradient
    double rho[MEMORY];
    int kept;
    double* memory;
} lbfgs;

// What is known of the trial point.
typedef struct trial_run {
    bool is_known, is_there;
    double value;
    double promised;  // by the slope at x
} trial_run;

bool tml__is_held(const objective* f, int i, double x, double g)
{
    return (x <= f->lower[i] && g > 0.0) || (x >= f->upper[i] && g < 0.0);
}

double tml__projected_norm(const objective* f, const double* x, const double* g)
{
    double largest = 0.0;
    for (int i = 0; i < f->count; i++) {
        if (!tml__is_held(f, i, x[i], g[i])) largest = fmax(largest, fabs(g[i]));
    }
    return largest;
}

double tml__clamp(const objective* f, int i, double x)
{
    return x < f->lower[i] ? f->lower[i] : x > f->upper[i] ? f->upper[i] : x;
}

// d = -H g on the free variables.
static void find_direction(lbfgs* b)
{
    double alpha[MEMORY];
    for (int i = 0; i < b->n; i++)
        b->d[i] = tml__is_held(b->f, i, b->x[i], b->g[i]) ? 0.0 : -b->g[i];
    for (int k = b->kept - 1; k >= 0; k--) {
        alpha[k] = b->rho[k] * dot(b->n, b->s[k], b->d);
        for (int i = 0; i < b->n; i++) b->d[i] -= alpha[k] * b->y[k][i];
    }
    if (b->kept > 0) {
        const int k = b->kept - 1;
        const double scale = 1.0 / (b->rho[k] * dot(b->n, b->y[k], b->y[k]));
        for (int i = 0; i < b->n; i++) b->d[i] *= scale;
    }
    for (int k = 0; k < b->kept; k++) {
        const double beta = b->rho[k] * dot(b->n, b->y[k], b->d);
        for (int i = 0; i < b->n; i++) b->d[i] += (alpha[k] - beta) * b->s[k][i];
    }
    for (int i = 0; i < b->n; i++) {
        if (tml__is_held(b->f, i, b->x[i], b->g[i])) b->d[i] = 0.0;
    }
    // uphill after all (bounds have changed the variables that count): straight down
    if (dot(b->n, b->d, b->g) >= 0.0) {
        b->kept = 0;
        for (int i = 0; i < b->n; i++) {
            b->d[i] = tml__is_held(b->f, i, b->x[i], b->g[i]) ? 0.0 : -b->g[i];
        }
    }
    // the first step knows no scale but that of the variables
    const double longest = b->kept == 0 ? sqrt(dot(b->n, b->d, b->d)) : 0.0;
    if (longest > 1.0) {
        for (int i = 0; i < b->n; i++) b->d[i] /= longest;
    }
}

// The change of the step just taken, from (x, g) to (trial, trial_g).
static void remember(lbfgs* b)
{
    if (b->kept == MEMORY) {
        double* s = b->s[0];
        double* y = b->y[0];
        for (int k = 1; k < MEMORY; k++) {
            b->s[k - 1] = b->s[k];
            b->y[k - 1] = b->y[k];
            b->rho[k - 1] = b->rho[k];
        }
        b->s[MEMORY - 1] = s;
        b->y[MEMORY - 1] = y;
        b->kept--;
    }
    double* s = b->s[b->kept];
    double* y = b->y[b->kept];
    for (int i = 0; i < b->n; i++) {
        s[i] = b->trial[i] - b->x[i];
        y[i] = b->trial_g[i] - b->g[i];
    }
    const double curvature = dot(b->n, s, y);
    // flat or bent the wrong way: nothing is learnt
    if (!(curvature > 1e-12 * sqrt(dot(b->n, s, s) * dot(b->n, y, y)))) return;
    b->rho[b->kept++] = 1.0 / curvature;
}

// The point a fraction of the way along d. Where bounds hold all that moves it is the one before: no need to ask again.
static void try_step(lbfgs* b, double fraction, trial_run* run, tml_optimize_report* report)
{
    bool is_same = run->is_known;
    run->promised = 0.0;
    for (int i = 0; i < b->n; i++) {
        const double at = tml__clamp(b->f, i, b->x[i] + fraction * b->d[i]);
        is_same = is_same && at == b->trial[i];
        b->trial[i] = at;
        run->promised += b->g[i] * (at - b->x[i]);
    }
    if (is_same) return;
    report->evaluations++;
    run->is_known = true;
    run->is_there =
        b->f->evaluate(b->f->self, b->trial, &run->value, b->trial_g) && isfinite(run->value);
}

// Is the slope at the trial point, along the way to it, still nearly as steep as at x?
static bool is_steep(const lbfgs* b, double promised)
{
    double there = 0.0;
    for (int i = 0; i < b->n; i++) there += b->trial_g[i] * (b->trial[i] - b->x[i]);
    return there < 0.9 * promised;
}

// Along d until the objective falls enough and bends: longer steps where it is as steep as before, shorter ones where
// it does not fall (weak Wolfe conditions by bisection, which find their way across kinks too [Lewis and Overton,
// nonsmooth optimization via quasi-Newton methods, 2013]). False: no step helps.
static bool search(lbfgs* b, double* value, tml_optimize_report* report)
{
    double low = 0.0;
    double high = (double)INFINITY;
    double fraction = 1.0;
    double low_value = *value;
    trial_run run = {0};
    for (int k = 0; k < HALVINGS; k++) {
        try_step(b, fraction, &run, report);
        if (!run.is_there || !(run.value <= *value + 1e-4 * run.promised)) {
            high = fraction;
        } else if (is_steep(b, run.promised) && fraction < LONGEST) {
            low = fraction;
            low_value = run.value;
        } else {
            *value = run.value;
            return true;
        }
        // the fall is had, only the bend is not: a few tries more
        if (low > 0.0 && high - low < 0.1 * low) break;
        fraction = isinf(high) ? 2.0 * low : 0.5 * (low + high);
    }
    if (low == 0.0) return false;
    try_step(b, low, &run, report);
    if (!run.is_there) return false;
    *value = low_value;
    return true;
}

static tml_status take_memory(lbfgs* b, const tml_allocator* allocator, int n)
{
    const size_t count = (size_t)n;
    b->memory = tml__allocate(allocator, (5 + 2 * MEMORY) * count, sizeof(double));
    if (b->memory == NULL) return TML_NO_MEMORY;
    double* at = b->memory;
    double** const lists[5] = {&b->x, &b->g, &b->d, &b->trial, &b->trial_g};
    for (int k = 0; k < 5; k++, at += n) *lists[k] = at;
    for (int k = 0; k < MEMORY; k++, at += n) b->s[k] = at;
    for (int k = 0; k < MEMORY; k++, at += n) b->y[k] = at;
    return TML_OK;
}

tml_status tml__minimise_lbfgs(const objective* f, const minimise_settings* settings,
                               const tml_allocator* allocator, double* x,
                               tml_optimize_report* report)
{
    lbfgs b = {.f = f, .n = f->count};
    const size_t bytes = (size_t)f->count * sizeof(double);
    tml_status status = take_memory(&b, allocator, f->count);
    if (status != TML_OK) return status;

    *report = (tml_optimize_report){.evaluations = 1};
    for (int i = 0; i < b.n; i++) b.x[i] = tml__clamp(f, i, x[i]);
    if (!f->evaluate(f->self, b.x, &report->value, b.g)) status = TML_NOT_CONVERGED;
    report->first = report->value;
    while (status == TML_OK) {
        report->gradient = tml__projected_norm(f, b.x, b.g);
        report->has_converged = report->gradient <= settings->tolerance;
        if (report->has_converged) break;
        if (f->progress != NULL && f->progress(f->self, report, b.x)) break;
        if (report->iterations == settings->iterations) break;
        find_direction(&b);
        if (search(&b, &report->value, report)) {
            report->iterations++;
            remember(&b);
            memcpy(b.x, b.trial, bytes);
            memcpy(b.g, b.trial_g, bytes);
            continue;
        }
        const bool is_straight = b.kept == 0;
        b.kept = 0;  // once more, straight down
        if (!is_straight) continue;
        const kink_answer answer = tml__leave_kink(f, settings->tolerance, allocator, b.x,
                                                   &report->value, b.g, &report->gradient, report);
        report->has_converged = answer == KINK_STATIONARY;
        if (answer == KINK_NO_MEMORY) status = TML_NO_MEMORY;
        if (answer != KINK_LEFT) break;
        report->iterations++;
    }
    if (status == TML_OK) memcpy(x, b.x, bytes);
    tml__release(allocator, b.memory);
    return status;
}

// ---- random search

// A fixed generator (splitmix64), so that the same seed gives the same search everywhere.
static double uniform(unsigned long long* state)
{
    unsigned long long z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1.0p-52 - 1.0;  // in [-1, 1)
}

tml_status tml__minimise_random(const objective* f, const minimise_settings* settings,
                                const tml_allocator* allocator, double* x,
                                tml_optimize_report* report)
{
    const int n = f->count;
    double* trial = tml__allocate(allocator, (size_t)n, sizeof *trial);
    unsigned long long state = settings->seed;
    static const double first = 0.3;
    static const double least = 1e-6;
    double step = first;
    if (trial == NULL) return TML_NO_MEMORY;

    *report = (tml_optimize_report){.evaluations = 1, .gradient = (double)NAN};
    for (int i = 0; i < n; i++) x[i] = tml__clamp(f, i, x[i]);
    tml_status status = f->evaluate(f->self, x, &report->value, NULL) ? TML_OK : TML_NOT_CONVERGED;
    report->first = report->value;
    while (status == TML_OK && report->iterations < settings->iterations) {
        double value = 0.0;
        for (int i = 0; i < n; i++) trial[i] = tml__clamp(f, i, x[i] + step * uniform(&state));
        report->evaluations++;
        report->iterations++;
        const bool helps =
            f->evaluate(f->self, trial, &value, NULL) && isfinite(value) && value < report->value;
        if (helps) {
            memcpy(x, trial, (size_t)n * sizeof *x);
            report->value = value;
        }
        step *= helps ? 1.5 : 0.9036;    // 1.5^(-1/4)
        if (step < least) step = first;  // a corner: look further away again
        if (f->progress != NULL && f->progress(f->self, report, x)) break;
    }
    tml__release(allocator, trial);
    return status;
}

// ---- gradient steps

// A start that has no value: the caller's sentence says why.
static tml_status begin(const objective* f, const double* x, double* gradient,
                        tml_optimize_report* report)
{
    *report = (tml_optimize_report){.evaluations = 1};
    if (!f->evaluate(f->self, x, &report->value, gradient)) return TML_NOT_CONVERGED;
    report->first = report->value;
    report->gradient = tml__projected_norm(f, x, gradient);
    return TML_OK;
}

// One step: means of gradients and of their squares, both freed of their start at zero.
static void step_adam(const objective* f, int count, double length, const double* g,
                      double* const lists[3])
{
    static const double keep_mean = 0.9;
    static const double keep_square = 0.99;
    double* x = lists[0];
    double* mean = lists[1];
    double* square = lists[2];
    double of_mean = 1.0;
    double of_square = 1.0;
    for (int k = 0; k < count; k++) {
        of_mean *= keep_mean;
        of_square *= keep_square;
    }
    for (int i = 0; i < f->count; i++) {
        mean[i] = keep_mean * mean[i] + (1.0 - keep_mean) * g[i];
        square[i] = keep_square * square[i] + (1.0 - keep_square) * g[i] * g[i];
        const double size = sqrt(square[i] / (1.0 - of_square));
        const double along = mean[i] / (1.0 - of_mean);
        if (size > 0.0) x[i] = tml__clamp(f, i, x[i] - length * along / size);
    }
}

tml_status tml__minimise_adam(const objective* f, const minimise_settings* settings,
                              const tml_allocator* allocator, double* x,
                              tml_optimize_report* report)
{
    static const double longest = 0.1;  // of a typical change; shrinks to nothing towards the end
    const size_t n = (size_t)f->count;
    double* memory = tml__allocate(allocator, 4 * n, sizeof *memory);
    if (memory == NULL) return TML_NO_MEMORY;
    double* g = memory;
    double* const lists[3] = {memory + n, memory + 2 * n, memory + 3 * n};
    double* at = lists[0];
    double factor = 1.0;
    int count = 0;

    for (int i = 0; i < f->count; i++) at[i] = x[i] = tml__clamp(f, i, x[i]);
    const tml_status status = begin(f, at, g, report);
    while (status == TML_OK && report->iterations < settings->iterations) {
        report->has_converged = report->gradient <= settings->tolerance;
        if (report->has_converged) break;
        if (f->progress != NULL && f->progress(f->self, report, x)) break;
        const double left = 1.0 - (double)report->iterations / settings->iterations;
        double value = 0.0;
        step_adam(f, ++count, longest * factor * left, g, lists);
        report->iterations++;
        report->evaluations++;
        if (!f->evaluate(f->self, at, &value, g) || !isfinite(value)) {
            // nothing is known here: back to the best point, with shorter steps from now on
            memcpy(at, x, n * sizeof *x);
            memset(lists[1], 0, 2 * n * sizeof *x);
            factor *= 0.5;
            count = 0;
            report->evaluations++;
            if (!f->evaluate(f->self, at, &value, g)) break;
            continue;
        }
        if (!(value < report->value)) continue;
        memcpy(x, at, n * sizeof *x);
        report->value = value;
        report->gradient = tml__projected_norm(f, x, g);
    }
    tml__release(allocator, memory);
    return status;
}
