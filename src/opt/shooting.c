// opt/shooting.c - multiple shooting: controls together with the states where stretches of the run begin.
//
// The run is cut into stretches. Each starts from a state of its own, which is a variable; that a stretch ends
// where the next begins is a row. So no slope is carried through more than one stretch, which tames runs whose
// end follows their beginning too closely, and the rows' slopes are sparse: those of a stretch follow its own
// controls and the states at its two ends.
//
//     y        scaled variables of the problem, then a motion delta of n numbers for every later stretch
//     x_i      state where stretch i begins: a point of the first run, moved by delta_i
//     row      (way from that point to the end of the stretch before) - delta_i
//     A, B     slopes of one step by state and controls; T slopes of a state by its motion (diff/points.h)
//     z, S     what a stretch follows: its knots, and the motion where it begins; the slopes of its states by z
//
// Curvature is that of the squared terms (Gauss-Newton) and a bound for that of the rows.
#include "diff/derivatives.h"
#include "diff/points.h"
#include "opt/nlp.h"
#include "opt/problem.h"

#include <math.h>
#include <string.h>

typedef struct shooting {
    tml_problem* p;
    tml_derivatives* d;
    size_t n;      // numbers in a state
    size_t point;  // numbers in a point
    int count;     // variables of the problem
    int stretches;
    int* first;    // stretches + 1: steps before each
    int* knots;    // per stretch, `count` places: the variables that it follows
    int* reached;  // per stretch: how many
    int* start;    // per step, one more: where its quantities are in
    int* quantity;
    int* places;  // rows and columns of entries, then of curvature
    nlp problem;
    double* memory;
    double* points;  // one a later stretch
    double* ends;    // where the stretch before ended, as a motion
    double* y;
    double* at;      // y of the run that stands
    double* sloped;  // y of the last gradient
    double* best;    // variables of the best run
    double* bounds;  // lower, then upper
    double *gradient, *entries, *curvature;
    double *A, *B;       // of one step
    double *S, *S_next;  // columns
    double *v, *g;       // scratch: n, and as long as z
    double value;        // of the run that stands
    bool has_run, has_slopes;
    tml_optimize_report* report;
    bool is_stopped;
} shooting;

// ---- memory

static size_t take(double** base, double** to, size_t count)
{
    if (*base != NULL) {
        *to = *base;
        *base += count;
    }
    return count;
}

static size_t longest_z(const shooting* s)
{
    int longest = 0;
    for (int i = 0; i < s->stretches; i++) {
        longest = s->reached[i] > longest ? s->reached[i] : longest;
    }
    return (size_t)longest + s->n;
}

static size_t lay_out(shooting* s, double* base)
{
    const size_t n = s->n;
    const size_t nodes = (size_t)s->stretches - 1;
    const size_t unknowns = (size_t)s->problem.count;
    const size_t z = longest_z(s);
    size_t sum = 0;
    sum += take(&base, &s->points, nodes * s->point);
    sum += take(&base, &s->ends, nodes * n);
    double** const lists[4] = {&s->y, &s->at, &s->sloped, &s->gradient};
    for (int k = 0; k < 4; k++) sum += take(&base, lists[k], unknowns);
    sum += take(&base, &s->best, (size_t)s->count);
    sum += take(&base, &s->bounds, 2 * unknowns);
    sum += take(&base, &s->entries, (size_t)s->problem.entry_count);
    sum += take(&base, &s->curvature, (size_t)s->problem.curve_count);
    sum += take(&base, &s->A, n * n);
    sum += take(&base, &s->B, n * (size_t)s->p->control_count);
    sum += take(&base, &s->S, n * z);
    sum += take(&base, &s->S_next, n * z);
    sum += take(&base, &s->v, n);
    sum += take(&base, &s->g, z);
    return sum;
}

// Which knots the steps of which stretch follow.
static void note_reach(const shooting* s)
{
    for (int i = 0; i < s->stretches; i++) {
        s->reached[i] = 0;
        for (int j = 0; j < s->count; j++) {
            const tml_variable* v = &s->p->variables[j];
            bool is_reached = false;
            for (int k = s->first[i] + 1; k <= s->first[i + 1] && !is_reached; k++) {
                is_reached = tml__problem_share(s->p, v, k) != 0.0;
            }
            if (is_reached) s->knots[(size_t)i * (size_t)s->count + (size_t)s->reached[i]++] = j;
        }
    }
}

// Quantities by their steps.
static void sort_quantities(const shooting* s)
{
    const tml_problem* p = s->p;
    int at = 0;
    for (int k = 0; k <= p->def.steps; k++) {
        s->start[k] = at;
        for (int i = 0; i < p->quantity_count; i++) {
            if (p->quantities[i].step == k) s->quantity[at++] = i;
        }
    }
    s->start[p->def.steps + 1] = at;
}

// Numbers in z of a stretch, and which unknown the k-th of them is.
static int z_count(const shooting* s, int stretch)
{
    return s->reached[stretch] + (stretch > 0 ? (int)s->n : 0);
}

static int z_place(const shooting* s, int stretch, int k)
{
    const int knots = s->reached[stretch];
    if (k < knots) return s->knots[(size_t)stretch * (size_t)s->count + (size_t)k];
    return s->count + (stretch - 1) * (int)s->n + k - knots;
}

// The places of what is not zero: rows of a stretch by its z and by the next motion; curvature by pairs of z.
static void count_places(shooting* s)
{
    const int n = (int)s->n;
    s->problem.entry_count = s->problem.curve_count = 0;
    for (int i = 0; i < s->stretches; i++) {
        const int z = z_count(s, i);
        s->problem.curve_count += z * (z + 1) / 2;
        if (i + 1 < s->stretches) s->problem.entry_count += n * (z + 1);
    }
}

static void list_places(shooting* s)
{
    const int n = (int)s->n;
    int* row = s->places;
    int* column = row + s->problem.entry_count;
    int* curve_row = column + s->problem.entry_count;
    int* curve_column = curve_row + s->problem.curve_count;
    s->problem.row = row;
    s->problem.column = column;
    s->problem.curve_row = curve_row;
    s->problem.curve_column = curve_column;
    for (int i = 0; i < s->stretches; i++) {
        const int z = z_count(s, i);
        for (int k = 0; k < z; k++) {
            for (int j = 0; j <= k; j++) {
                *curve_row++ = z_place(s, i, k);
                *curve_column++ = z_place(s, i, j);
            }
        }
        for (int k = 0; k <= z && i + 1 < s->stretches; k++) {
            for (int r = 0; r < n; r++) {
                *row++ = i * n + r;
                *column++ = k < z ? z_place(s, i, k) : s->count + i * n + r;
            }
        }
    }
}

static tml_status check(tml_problem* p)
{
    const int stretches = p->def.intervals;
    if (p->d->linear->way == NULL) {
        return tml__fail(&p->why, TML_UNSUPPORTED,
                         "method 'shooting' works on formulation 'generalized', this is '%s'",
                         tml_formulation_name(p->d->sim->settings.formulation));
    }
    for (int i = 0; i < p->def.variable_count; i++) {
        if (is_control(&p->variables[i])) continue;
        return tml__fail(&p->why, TML_BAD_ARGUMENT,
                         "method 'shooting' chooses controls: variable %d is none", i);
    }
    if (p->def.slopes == TML_SLOPES_COMPLEMENTARITY_AWARE) {
        return tml__fail(
            &p->why, TML_BAD_ARGUMENT,
            "method 'shooting' needs forward slopes, which are not complementarity-aware");
    }
    if (stretches < 0 || stretches > p->def.steps) {
        return tml__fail(&p->why, TML_BAD_ARGUMENT, "%d intervals in %d steps", stretches,
                         p->def.steps);
    }
    return TML_OK;
}

static tml_status take_lists(shooting* s)
{
    const tml_problem* p = s->p;
    const tml_allocator* allocator = &p->allocator;
    const size_t stretches = (size_t)s->stretches;
    s->first = tml__allocate(allocator, stretches + 1, sizeof *s->first);
    s->reached = tml__allocate(allocator, stretches, sizeof *s->reached);
    s->knots = tml__allocate(allocator, stretches * (size_t)s->count, sizeof *s->knots);
    s->start = tml__allocate(allocator, (size_t)p->def.steps + 2, sizeof *s->start);
    s->quantity = tml__allocate(allocator, (size_t)p->quantity_count + 1, sizeof *s->quantity);
    const bool is_whole = s->first && s->reached && s->knots && s->start && s->quantity;
    return is_whole ? TML_OK : TML_NO_MEMORY;
}

static tml_status open_shooting(tml_problem* p, shooting* s)
{
    enum {
        USUAL = 10
    };
    *s = (shooting){.p = p, .d = p->d, .n = p->d->state_count, .count = p->def.variable_count};
    s->point = p->d->linear->point_count(p->d->sim);
    s->stretches = p->def.intervals > 0 ? p->def.intervals : USUAL;
    if (s->stretches > p->def.steps) s->stretches = p->def.steps;
    tml_status status = take_lists(s);
    if (status != TML_OK) return tml__fail(&p->why, status, "out of memory");
    for (int i = 0; i <= s->stretches; i++) {
        s->first[i] = (int)((long long)i * p->def.steps / s->stretches);
    }
    note_reach(s);
    sort_quantities(s);
    s->problem.row_count = (s->stretches - 1) * (int)s->n;
    s->problem.count = s->count + s->problem.row_count;
    count_places(s);
    const size_t places = 2 * ((size_t)s->problem.entry_count + (size_t)s->problem.curve_count);
    s->places = tml__allocate(&p->allocator, places, sizeof *s->places);
    s->memory = tml__allocate(&p->allocator, lay_out(s, NULL), sizeof(double));
    if (s->places == NULL || s->memory == NULL) {
        return tml__fail(&p->why, TML_NO_MEMORY, "out of memory");
    }
    lay_out(s, s->memory);
    list_places(s);
    return TML_OK;
}

static void close_shooting(shooting* s)
{
    void* const lists[] = {s->first,    s->reached, s->knots, s->start,
                           s->quantity, s->places,  s->memory};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        tml__release(&s->p->allocator, lists[i]);
    }
}

// ---- running

static const double* delta_of(const shooting* s, const double* y, int node)
{
    return y + s->count + (size_t)node * s->n;
}

static void unscale(const shooting* s, const double* y, double* x)
{
    for (int i = 0; i < s->count; i++) {
        const tml_variable* v = &s->p->variables[i];
        x[i] = fmin(v->upper, fmax(v->lower, v->start + v->scale * y[i]));
    }
}

// At the end of a stretch: note where it ended, go where the next begins.
static tml_status jump(shooting* s, const double* y, int node)
{
    tml_derivatives* d = s->d;
    const double* point = s->points + (size_t)node * s->point;
    d->linear->way(d->sim, point, s->ends + (size_t)node * s->n);
    const tml_status status = tml__sim_go(d->sim, point, delta_of(s, y, node));
    if (status != TML_OK) return status;
    return tml__moments_retake(d);
}

// The stretches of y, one after the other, unless they stand already.
static bool run(shooting* s, const double* y)
{
    tml_problem* p = s->p;
    const size_t bytes = (size_t)s->problem.count * sizeof *y;
    if (s->has_run && memcmp(s->at, y, bytes) == 0) return true;
    s->has_run = s->has_slopes = false;
    memcpy(s->at, y, bytes);
    unscale(s, y, p->raw);
    tml__problem_controls(p, p->raw);
    tml_derivatives_restart(s->d);
    s->report->evaluations++;
    for (int i = 0; i < s->stretches; i++) {
        for (int k = s->first[i] + 1; k <= s->first[i + 1]; k++) {
            const double* controls = &p->controls[k * p->control_count];
            if (tml_derivatives_step(s->d, controls) != TML_OK) return false;
        }
        // states that are run again could not be put elsewhere
        if (s->d->stride > 1) return false;
        if (i + 1 < s->stretches && jump(s, y, i) != TML_OK) return false;
    }
    if (tml_derivatives_values(s->d, p->quantity_count, p->quantities, p->values) != TML_OK) {
        return false;
    }
    s->value = tml__problem_sum(p);
    s->has_run = isfinite(s->value);
    return s->has_run;
}

// ---- slopes

// A term by its slope and curvature along g, which has one number for each of z.
static void add_term(shooting* s, int stretch, double slope, double bend, double* curvature)
{
    const int z = z_count(s, stretch);
    for (int k = 0; k < z; k++) s->gradient[z_place(s, stretch, k)] += slope * s->g[k];
    if (bend == 0.0) return;
    for (int k = 0; k < z; k++) {
        for (int j = 0; j <= k; j++) *curvature++ += bend * s->g[k] * s->g[j];
    }
}

// Quantities of the state after step k.
static tml_status add_quantities(shooting* s, int stretch, int step, double* curvature)
{
    const tml_problem* p = s->p;
    const int z = z_count(s, stretch);
    for (int i = s->start[step]; i < s->start[step + 1]; i++) {
        const int which = s->quantity[i];
        const tml_status status = tml__quantity_row(s->d, &p->quantities[which], s->v);
        if (status != TML_OK) return status;
        for (int k = 0; k < z; k++) s->g[k] = dot((int)s->n, s->S + (size_t)k * s->n, s->v);
        add_term(s, stretch, p->weights[which], p->bends[which], curvature);
    }
    return TML_OK;
}

static void add_efforts(shooting* s, int stretch, int step, double* curvature)
{
    const tml_problem* p = s->p;
    const int z = z_count(s, stretch);
    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->terms[i];
        const int first = t->first > 0 ? t->first : 1;
        if (!t->is_effort || step < first || step > t->last) continue;
        // a term from step 0 on counts the first control twice
        const double weight =
            (t->first == 0 && step == 1 ? 2.0 : 1.0) * t->weight / (t->last - t->first + 1);
        for (int k = 0; k < z; k++) {
            s->g[k] = 0.0;
            if (k >= s->reached[stretch]) continue;
            const tml_variable* v = &p->variables[z_place(s, stretch, k)];
            if (v->parameter.index != t->quantity.index) continue;
            s->g[k] = v->scale * tml__problem_share(p, v, step);
        }
        const double control = p->controls[step * p->control_count + t->quantity.index];
        add_term(s, stretch, weight * control, weight, curvature);
    }
}

// S at the start of a stretch: only its own motion counts there.
static void begin_stretch(shooting* s, const double* y, int stretch)
{
    const size_t n = s->n;
    const size_t knots = (size_t)s->reached[stretch];
    memset(s->S, 0, n * (knots + n) * sizeof *s->S);
    for (size_t r = 0; r < n && stretch > 0; r++) {
        memset(s->v, 0, n * sizeof *s->v);
        s->v[r] = 1.0;
        tml__chart_transposed(s->d->sim, delta_of(s, y, stretch - 1), s->v);
        for (size_t c = 0; c < n; c++) s->S[(knots + c) * n + r] = s->v[c];
    }
}

// S after a step: A S, and B where knots drive it.
static tml_status advance(shooting* s, int stretch, int step)
{
    const tml_problem* p = s->p;
    const size_t n = s->n;
    const int z = z_count(s, stretch);
    const tml_status status = tml__step_matrix(s->d, step, s->A, s->B);
    if (status != TML_OK) return status;
    for (int k = 0; k < z; k++) {
        const double* from = s->S + (size_t)k * n;
        double* to = s->S_next + (size_t)k * n;
        memset(to, 0, n * sizeof *to);
        for (size_t c = 0; c < n; c++) {
            if (from[c] == 0.0) continue;
            for (size_t r = 0; r < n; r++) to[r] += s->A[c * n + r] * from[c];
        }
        if (k >= s->reached[stretch]) continue;
        const tml_variable* v = &p->variables[z_place(s, stretch, k)];
        const double share = v->scale * tml__problem_share(p, v, step);
        const double* B = s->B + (size_t)v->parameter.index * n;
        for (size_t r = 0; r < n; r++) to[r] += share * B[r];
    }
    double* kept = s->S;
    s->S = s->S_next;
    s->S_next = kept;
    return TML_OK;
}

// One stretch: its part of the gradient, its curvature, and the slopes of the rows at its end.
static tml_status sweep(shooting* s, const double* y, int stretch, double* curvature,
                        double* entries)
{
    const size_t n = s->n;
    const int last = s->first[stretch + 1];
    const bool is_last = stretch + 1 == s->stretches;
    tml_status status = TML_OK;
    begin_stretch(s, y, stretch);
    if (stretch > 0) status = add_quantities(s, stretch, s->first[stretch], curvature);
    for (int k = s->first[stretch] + 1; k <= last && status == TML_OK; k++) {
        status = advance(s, stretch, k);
        if (status == TML_OK) add_efforts(s, stretch, k, curvature);
        // where the next stretch begins the state is its own
        if (status == TML_OK && (k < last || is_last)) {
            status = add_quantities(s, stretch, k, curvature);
        }
    }
    if (status != TML_OK || is_last) return status;
    for (int k = 0; k < z_count(s, stretch); k++, entries += n) {
        memcpy(entries, s->S + (size_t)k * n, n * sizeof *entries);
        tml__chart_inverse(s->d->sim, s->ends + (size_t)stretch * n, entries);
    }
    for (size_t r = 0; r < n; r++) entries[r] = -1.0;
    return TML_OK;
}

static bool find_slopes(shooting* s, const double* y)
{
    double* curvature = s->curvature;
    double* entries = s->entries;
    tml_status status = TML_OK;
    if (!run(s, y)) return false;
    if (s->has_slopes) return true;
    memset(s->gradient, 0, (size_t)s->problem.count * sizeof *s->gradient);
    memset(s->curvature, 0, (size_t)s->problem.curve_count * sizeof *s->curvature);
    for (int i = 0; i < s->stretches && status == TML_OK; i++) {
        const int z = z_count(s, i);
        status = sweep(s, y, i, curvature, entries);
        curvature += z * (z + 1) / 2;
        entries += (int)s->n * (z + 1);
    }
    tml__moments_leave(s->d);
    s->has_slopes = status == TML_OK;
    return s->has_slopes;
}

// ---- what is asked

// A point without slopes (contacts whose forces are not unique) is no good either: IPOPT would take it and
// then be at a loss. Most points that are tried are taken, so little is found in vain.
static bool tell_value(void* self, const double* y, double* value)
{
    shooting* s = self;
    if (!find_slopes(s, y)) return false;
    *value = s->value;
    return true;
}

static bool tell_rows(void* self, const double* y, double* rows)
{
    shooting* s = self;
    if (!run(s, y)) return false;
    for (int i = 0; i < s->problem.row_count; i++) rows[i] = s->ends[i] - y[s->count + i];
    return true;
}

static bool tell_gradient(void* self, const double* y, double* gradient)
{
    shooting* s = self;
    const size_t bytes = (size_t)s->problem.count * sizeof *gradient;
    if (!find_slopes(s, y)) return false;
    memcpy(gradient, s->gradient, bytes);
    memcpy(s->sloped, y, bytes);
    return true;
}

static bool tell_entries(void* self, const double* y, double* entries)
{
    shooting* s = self;
    if (!find_slopes(s, y)) return false;
    memcpy(entries, s->entries, (size_t)s->problem.entry_count * sizeof *entries);
    return true;
}

// How strongly rows bend along motions is not known; in the model of the function that a step is found with it
// is taken as this share of the largest multiplier. Where the search ends does not depend on it: it goes
// to zero with the multipliers. Of 0.01, 0.03, 0.1, 0.3 and 1 the middle ones solve both cartpoles fastest.
static const double bend_of_rows = 0.05;

static bool tell_curvature(void* self, const double* y, double factor, const double* multipliers,
                           double* curvature)
{
    shooting* s = self;
    double largest = 0.0;
    if (!find_slopes(s, y)) return false;
    for (int i = 0; i < s->problem.curve_count; i++) curvature[i] = factor * s->curvature[i];
    for (int i = 0; i < s->problem.row_count; i++) largest = fmax(largest, fabs(multipliers[i]));
    for (int i = 0; i < s->stretches; i++) {
        const int z = z_count(s, i);
        for (int k = s->reached[i]; k < z; k++) {
            curvature[k * (k + 1) / 2 + k] += bend_of_rows * largest;
        }
        curvature += z * (z + 1) / 2;
    }
    return true;
}

// ---- the search

static double scaled_slope(const tml_problem* p, const double* x, const double* gradient)
{
    double largest = 0.0;
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        const bool is_held =
            (x[i] <= v->lower && gradient[i] > 0.0) || (x[i] >= v->upper && gradient[i] < 0.0);
        if (!is_held) largest = fmax(largest, v->scale * fabs(gradient[i]));
    }
    return largest;
}

// What counts is the run in one piece: is it the best so far?
static bool look(shooting* s, const double* y)
{
    tml_problem* p = s->p;
    double value = 0.0;
    s->has_run = s->has_slopes;  // what is known of the stretches stays, their run does not
    unscale(s, y, p->raw);
    s->report->evaluations++;
    if (tml_problem_evaluate(p, p->raw, &value, p->gradient) != TML_OK) return false;
    if (!(value < s->report->value) || !tml__is_finite(p, value, p->gradient)) return false;
    s->report->value = value;
    s->report->gradient = scaled_slope(p, p->raw, p->gradient);
    memcpy(s->best, p->raw, (size_t)s->count * sizeof *s->best);
    return true;
}

static bool tell_progress(void* self, int iteration)
{
    shooting* s = self;
    s->report->iterations = iteration;
    if (iteration > 0) look(s, s->sloped);
    s->is_stopped = s->p->progress != NULL && s->p->progress(s->p->self, s->report, s->best) != 0;
    return s->is_stopped;
}

// The first run: its states are the points that motions are measured from.
static tml_status start(shooting* s, const double* x)
{
    tml_problem* p = s->p;
    tml_derivatives* d = s->d;
    for (int i = 0; i < s->count; i++) {
        const tml_variable* v = &p->variables[i];
        s->y[i] = (fmin(v->upper, fmax(v->lower, x[i])) - v->start) / v->scale;
        s->bounds[i] = (v->lower - v->start) / v->scale;
        s->bounds[s->problem.count + i] = (v->upper - v->start) / v->scale;
    }
    tml__chart_reach(d->sim, s->v);
    for (int i = s->count; i < s->problem.count; i++) {
        const double reach = s->v[(size_t)(i - s->count) % s->n];
        s->y[i] = 0.0;
        s->bounds[i] = -reach;
        s->bounds[s->problem.count + i] = reach;
    }
    unscale(s, s->y, p->raw);
    *s->report = (tml_optimize_report){.evaluations = 1};
    const tml_status status = tml_problem_evaluate(p, p->raw, &s->report->first, p->gradient);
    if (status != TML_OK) return status;
    s->report->value = s->report->first;
    s->report->gradient = scaled_slope(p, p->raw, p->gradient);
    memcpy(s->best, p->raw, (size_t)s->count * sizeof *s->best);
    for (int i = 0; i + 1 < s->stretches; i++) {
        const tml_status there = tml__moments_visit(d, s->first[i + 1]);
        if (there != TML_OK) return tml__fail(&p->why, there, "%s", tml_derivatives_message(d));
        d->linear->note(d->sim, s->points + (size_t)i * s->point);
    }
    tml__moments_leave(d);
    if (d->stride == 1) return TML_OK;
    return tml__fail(&p->why, TML_NO_MEMORY,
                     "method 'shooting' keeps the whole run, and %d steps do not fit into %zu MB",
                     p->def.steps, d->limit >> 20);
}

static tml_status search(shooting* s, double* x)
{
    const nlp_settings settings = {s->p->def.iterations, s->p->def.tolerance};
    bool has_converged = false;
    tml_status status = start(s, x);
    if (status != TML_OK) return status;
    s->problem.self = s;
    s->problem.lower = s->bounds;
    s->problem.upper = s->bounds + s->problem.count;
    s->problem.value = tell_value;
    s->problem.gradient = tell_gradient;
    s->problem.rows = tell_rows;
    s->problem.entries = tell_entries;
    s->problem.curvature = tell_curvature;
    s->problem.progress = tell_progress;
    status = tml__nlp_solve(&s->problem, &settings, s->y, &has_converged, &s->p->why);
    if (status != TML_OK) return status;
    if (run(s, s->y)) {
        for (int i = 0; i < s->problem.row_count; i++) {
            s->report->defect = fmax(s->report->defect, fabs(s->ends[i] - s->y[s->count + i]));
        }
    }
    if (!s->is_stopped) look(s, s->y);
    s->report->has_converged = has_converged;
    memcpy(x, s->best, (size_t)s->count * sizeof *x);
    return TML_OK;
}

tml_status tml__minimise_shooting(tml_problem* p, double* x, tml_optimize_report* report)
{
    shooting s;
    tml_status status = check(p);
    if (status != TML_OK) return status;
    status = open_shooting(p, &s);
    s.report = report;
    if (status == TML_OK) status = search(&s, x);
    close_shooting(&s);
    return status;
}
