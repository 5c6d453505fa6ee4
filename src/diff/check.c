// diff/check.c - derivatives against differences of whole runs, and forwards against backwards.
//
// Differences are taken at steps e, e/2 and e/4 on both sides and extrapolated (Ridders), which
// leaves an error of e^6, so that e can be large and rounding stays small. A changed model is built from the frozen one, closed where a change opened a joint, and run through
// the same public steps, so that nothing of the derivative's own code is used.
//
// Errors are relative to the largest derivative by the same parameter among quantities of the same
// kind; where all of those are (nearly) zero, to a thousandth of the quantities themselves (of 1e-3 in
// SI units where these are zero too) over the parameter's size, below which differences see only rounding.
#include "diff/derivatives.h"
#include "diff/perturb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct check_lists {
    tml_derivatives* d;
    int parameter_count, quantity_count;
    const tml_parameter* parameters;
    const tml_quantity* quantities;
} check_lists;

// How large a parameter is, so that steps are in proportion.
static double size_of(const tml_derivatives* d, const tml_parameter* p)
{
    const tml_model* m = d->sim->model;
    const axis_data* axis =
        p->kind >= TML_PARAMETER_JOINT_STIFFNESS && p->kind <= TML_PARAMETER_JOINT_WEIGHT
            ? &m->joints[p->index].axis[p->component]
            : NULL;
    const spring_data* spring =
        p->kind >= TML_PARAMETER_SPRING_STIFFNESS && p->kind <= TML_PARAMETER_SPRING_REST
            ? &m->springs[p->index]
            : NULL;
    double size = 1.0;
    switch (p->kind) {
    case TML_PARAMETER_GRAVITY: size = 10.0; break;
    case TML_PARAMETER_MASS: size = m->bodies[p->index].mass; break;
    case TML_PARAMETER_INERTIA: {
        const mat3* J = &m->bodies[p->index].inertia;
        size = fmin(J->m[0][0], fmin(J->m[1][1], J->m[2][2]));
        break;
    }
    case TML_PARAMETER_JOINT_STIFFNESS: size = axis->stiffness; break;
    case TML_PARAMETER_JOINT_DAMPING: size = axis->damping; break;
    case TML_PARAMETER_SERVO_STIFFNESS: size = axis->servo_stiffness; break;
    case TML_PARAMETER_SERVO_DAMPING: size = axis->servo_damping; break;
    case TML_PARAMETER_JOINT_WEIGHT: size = axis->weight; break;
    case TML_PARAMETER_SPRING_STIFFNESS: size = spring->stiffness; break;
    case TML_PARAMETER_SPRING_DAMPING: size = spring->damping; break;
    case TML_PARAMETER_COM:
    case TML_PARAMETER_JOINT_POSITION: size = 0.1; break;
    case TML_PARAMETER_FRICTION:
    case TML_PARAMETER_RESTITUTION: size = 0.1; break;
    case TML_PARAMETER_POSE:
    case TML_PARAMETER_VELOCITY:
    case TML_PARAMETER_JOINT_TURN:
    case TML_PARAMETER_JOINT_REST:
    case TML_PARAMETER_SPRING_REST:
    case TML_PARAMETER_CONTROL:
    case TML_PARAMETER_KINDS: break;
    }
    return size > 0.0 ? size : 1.0;
}

// ---- a changed run

static tml_status run_steps(const check_lists* l, tml_sim* sim, const tml_parameter* p, double e,
                            double* values)
{
    tml_derivatives* d = l->d;
    const int controls = d->sim->model->control_count;
    double* given = d->change;  // free between passes
    tml_status status = TML_OK;

    for (int k = 0; k <= d->steps && status == TML_OK; k++) {
        if (k > 0 && d->has_controls[k]) {
            memcpy(given, &d->controls[(size_t)k * (size_t)controls],
                   (size_t)controls * sizeof *given);
            if (p->kind == TML_PARAMETER_CONTROL && (p->step == 0 || p->step == k)) {
                given[p->index] += e;
            }
        }
        if (k > 0) status = tml_sim_step(sim, d->has_controls[k] ? given : NULL);
        for (int i = 0; i < l->quantity_count && status == TML_OK; i++) {
            if (l->quantities[i].step != k) continue;
            status = tml__quantity_value(sim, &l->quantities[i], &values[i]);
        }
    }
    if (status != TML_OK) tml__fail(&d->why, status, "%s", tml_sim_message(sim));
    return status;
}

static tml_status run_changed(const check_lists* l, const tml_parameter* p, double e,
                              double* values)
{
    tml_derivatives* d = l->d;
    tml_sim* sim = NULL;
    tml_model* model = NULL;
    const run_inputs in = tml__run_inputs(d->sim, d->inputs);

    memset(d->inputs, 0, d->input_count * sizeof(double));
    const parameter_slots slots = tml__parameter_slots(d, &in, p);
    for (int k = 0; k < slots.count; k++) *slots.at[k] += slots.factor[k] * e;
    tml__spread_com(d->sim, PARTIAL_FORWARD, &in);
    closed_from from;
    tml_status status = tml__perturb(d->sim, &in, &d->why, &from, &model);
    tml__closed_from_release(d->sim, &from);
    if (status == TML_OK) {
        status = tml_sim_create(model, &d->sim->settings, &sim);
        if (status != TML_OK) {
            tml__fail(&d->why, status, "%s", sim != NULL ? tml_sim_message(sim) : "out of memory");
        }
    }
    if (status == TML_OK) status = run_steps(l, sim, p, e, values);
    tml_sim_destroy(sim);
    tml__perturb_destroy(d->sim, model);
    return status;
}

// Ridders: central differences at e, e/2 and e/4, extrapolated. scratch: 4 numbers a quantity
static tml_status difference(const check_lists* l, const tml_parameter* p, double e,
                             double* scratch, double* out)
{
    const int n = l->quantity_count;
    double* up = scratch;
    double* down = scratch + n;
    double* first = scratch + 2 * n;   // D(e), then its extrapolation with D(e/2)
    double* second = scratch + 3 * n;  // D(e/2)
    tml_status status = TML_OK;

    for (int k = 0; k < 3 && status == TML_OK; k++) {
        const double step = k == 0 ? e : k == 1 ? 0.5 * e : 0.25 * e;
        status = run_changed(l, p, step, up);
        if (status == TML_OK) status = run_changed(l, p, -step, down);
        for (int i = 0; i < n && status == TML_OK; i++) {
            const double slope = (up[i] - down[i]) / (2.0 * step);
            if (k == 0) first[i] = slope;
            if (k == 1) first[i] = (4.0 * slope - first[i]) / 3.0;
            if (k == 1) second[i] = slope;
            if (k == 2) out[i] = (16.0 * (4.0 * slope - second[i]) / 3.0 - first[i]) / 15.0;
        }
    }
    return status;
}

// ---- the report

typedef struct writer {
    char* text;
    size_t capacity, used;
} writer;

static void put(writer* w, const char* line)
{
    const size_t length = strlen(line);
    if (w->text == NULL || w->used + length + 1 > w->capacity) return;
    memcpy(w->text + w->used, line, length + 1);
    w->used += length;
}

// The largest |exact| among quantities of one kind, or `seen` of their values over the parameter's size: what
// can still be told from rounding.
static double scale_of(const check_lists* l, tml_quantity_kind kind, double seen,
                       const double* exact, const double* values)
{
    double largest = 0.0;
    for (int i = 0; i < l->quantity_count; i++) {
        if (l->quantities[i].kind != kind) continue;
        largest = fmax(largest, fabs(exact[i]));
        largest = fmax(largest, seen * fmax(fabs(values[i]), 1e-3));
    }
    return largest > 0.0 ? largest : 1.0;
}

static void compare(const check_lists* l, int parameter, const double* exact, const double* slopes,
                    const double* values, tml_derivatives_report* report, writer* w)
{
    const double size = size_of(l->d, &l->parameters[parameter]);
    double worst = -1.0;
    int which = 0;

    for (int i = 0; i < l->quantity_count; i++) {
        const double scale = scale_of(l, l->quantities[i].kind, 1e-3 / size, exact, values);
        const double error = fabs(exact[i] - slopes[i]) / scale;
        report->pair_count++;
        if (error <= worst) continue;  // a NaN wins: no comparison with it holds
        worst = error;
        which = i;
        if (error <= report->largest_error) continue;
        report->largest_error = error;
        report->scale = scale;
        report->worst_parameter = parameter;
        report->worst_quantity = i;
        report->exact = exact[i];
        report->difference = slopes[i];
    }
    if (w->text == NULL || l->quantity_count == 0) return;
    char name[128];
    char quantity[128];
    char line[400];
    tml_parameter_describe(l->d->sim->model, &l->parameters[parameter], name, sizeof name);
    tml_quantity_describe(l->d->sim->model, &l->quantities[which], quantity, sizeof quantity);
    snprintf(line, sizeof line, "%-44s %9.2e  %22.15g %22.15g  %s\n", name, worst, exact[which],
             slopes[which], quantity);
    put(w, line);
}

// A fixed sequence in (-1, 1), no two alike.
static double spread(int i) { return 2.0 * fmod(0.6180339887498949 * (i + 1), 1.0) - 1.0; }

static tml_status dot_product(const check_lists* l, const double* values, double* scratch,
                              tml_derivatives_report* report)
{
    double* change = scratch;
    double* gradient = change + l->parameter_count;
    double* weight = gradient + l->parameter_count;
    double* slope = weight + l->quantity_count;

    for (int i = 0; i < l->parameter_count; i++) {
        change[i] = spread(i) * size_of(l->d, &l->parameters[i]);
    }
    tml_status status = tml_derivatives_forward(l->d, l->parameter_count, l->parameters, change,
                                                l->quantity_count, l->quantities, slope);
    // weights that give every kind of quantity the same say, unless its slopes are nothing but rounding
    for (int i = 0; i < l->quantity_count; i++) {
        weight[i] = spread(3 * i + 1) / scale_of(l, l->quantities[i].kind, 1e-3, slope, values);
    }
    if (status == TML_OK) {
        status = tml_derivatives_gradient(l->d, l->quantity_count, l->quantities, weight,
                                          l->parameter_count, l->parameters, gradient);
    }
    if (status != TML_OK) return status;
    double forward = 0.0;
    double backward = 0.0;
    double size = 0.0;
    for (int i = 0; i < l->quantity_count; i++) {
        forward += weight[i] * slope[i];
        size += fabs(weight[i] * slope[i]);
    }
    for (int i = 0; i < l->parameter_count; i++) backward += gradient[i] * change[i];
    report->dot_product = fabs(forward - backward) / (size > 0.0 ? size : 1.0);
    return TML_OK;
}

tml_status tml_derivatives_check(tml_derivatives* d, double step, int parameter_count,
                                 const tml_parameter* parameters, int quantity_count,
                                 const tml_quantity* quantities, tml_derivatives_report* report,
                                 char* text, size_t capacity)
{
    if ((parameters == NULL && parameter_count > 0) || (quantities == NULL && quantity_count > 0)) {
        return TML_BAD_ARGUMENT;
    }
    if (d == NULL || d->is_dead || report == NULL || parameter_count < 0 || quantity_count < 0) {
        return TML_BAD_ARGUMENT;
    }
    *report = (tml_derivatives_report){.largest_error = 0.0};
    const check_lists l = {d, parameter_count, quantity_count, parameters, quantities};
    const size_t numbers = 7 * (size_t)quantity_count + 2 * (size_t)parameter_count + 2;
    const double relative = step > 0.0 ? step : 1e-2;
    writer w = {.text = text, .capacity = capacity};
    double* memory = tml__allocate(&d->allocator, numbers, sizeof *memory);
    if (memory == NULL) return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
    double* exact = memory;
    double* slopes = exact + quantity_count;
    double* values = slopes + quantity_count;
    double* scratch = values + quantity_count;

    if (text != NULL && capacity > 0) text[0] = '\0';
    put(&w, "parameter                                        error                   exact"
            "            differences  worst quantity\n");
    // differences close joints from the poses as they are now
    const closed_from from = d->from;
    d->from = (closed_from){NULL, NULL};
    tml_status status = tml_derivatives_values(d, quantity_count, quantities, values);
    for (int i = 0; i < parameter_count && status == TML_OK; i++) {
        const double one = 1.0;
        status =
            tml_derivatives_forward(d, 1, &parameters[i], &one, quantity_count, quantities, exact);
        if (status == TML_OK) {
            status = difference(&l, &parameters[i], relative * size_of(d, &parameters[i]), scratch,
                                slopes);
        }
        if (status == TML_OK) compare(&l, i, exact, slopes, values, report, &w);
    }
    if (status == TML_OK) status = dot_product(&l, values, scratch, report);
    if (status == TML_OK) {
        char line[160];
        snprintf(line, sizeof line,
                 "largest error %.2e over %d pairs; forwards against backwards %.2e\n",
                 report->largest_error, report->pair_count, report->dot_product);
        put(&w, line);
    }
    d->from = from;
    tml__release(&d->allocator, memory);
    return status;
}
