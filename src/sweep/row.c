// sweep/row.c - one row of a sweep: a changed model, its run, and what is taken of it.
//
// Every row begins with a simulation of its own, so what came before on the same thread leaves no
// trace in it. Where slopes are wanted the run is one that remembers itself (tml_derivatives).
#include "base/memory.h"
#include "diff/changed.h"
#include "diff/derivatives.h"
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

struct worker {
    const tml_sweep* s;
    changer* changer;  // without slopes
    tml_parameter* parameters;
    double *values, *change, *controls;  // of parameters, of parts, of a step
    // with slopes
    tml_quantity* quantities;
    double *weights, *slope;
    int* at;  // the step that a record's largest or smallest value is from
};

// A run in progress.
typedef struct row_run {
    tml_sim* sim;
    tml_derivatives* d;  // NULL: without slopes
    double step;
    int stride;  // steps of it that make one of the sweep's
} row_run;

// ---- creation

static void* take(worker* w, size_t count, size_t size, bool* is_whole)
{
    void* memory = tml__allocate(&w->s->settings.allocator, count, size);
    *is_whole = *is_whole && memory != NULL;
    return memory;
}

tml_status tml__worker_create(const tml_sweep* s, message* why, worker** out)
{
    const size_t changes = (size_t)s->change_count;
    const size_t steps = s->has_gradients ? (size_t)s->def.steps + 1 : 1;
    bool is_whole = true;

    *out = NULL;
    worker* w = tml__allocate(&s->settings.allocator, 1, sizeof *w);
    if (w == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    w->s = s;
    w->parameters = take(w, (size_t)s->part_count, sizeof *w->parameters, &is_whole);
    w->values = take(w, (size_t)s->def.parameter_count, sizeof(double), &is_whole);
    w->change = take(w, changes, sizeof(double), &is_whole);
    w->controls = take(w, (size_t)tml_model_control_count(s->model), sizeof(double), &is_whole);
    w->quantities = take(w, steps, sizeof *w->quantities, &is_whole);
    w->weights = take(w, steps, sizeof(double), &is_whole);
    w->slope = take(w, (size_t)s->part_count, sizeof(double), &is_whole);
    w->at = take(w, (size_t)s->def.record_count, sizeof *w->at, &is_whole);
    tml_status status = is_whole ? TML_OK : tml__fail(why, TML_NO_MEMORY, "out of memory");
    if (status == TML_OK) {
        for (int i = 0; i < s->part_count; i++) w->parameters[i] = s->parts[i].parameter;
        status = tml__changer_create(s->model, &s->settings, why, &w->changer);
    }
    if (status == TML_OK) {
        *out = w;
    } else {
        tml__worker_destroy(w);
    }
    return status;
}

void tml__worker_destroy(worker* w)
{
    if (w == NULL) return;
    const tml_allocator* a = &w->s->settings.allocator;
    void* const lists[] = {w->parameters, w->values,  w->change, w->controls,
                           w->quantities, w->weights, w->slope,  w->at};
    tml__changer_destroy(w->changer);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) tml__release(a, lists[i]);
    tml__release(a, w);
}

// ---- the run

static void end_run(row_run* run)
{
    if (run->d == NULL) tml_sim_destroy(run->sim);
    tml_derivatives_destroy(run->d);
    *run = (row_run){.sim = NULL};
}

static tml_status begin_derivatives(worker* w, const tml_sim_settings* settings, row_run* run,
                                    message* why)
{
    const tml_sweep* s = w->s;
    tml_status status = tml_derivatives_create(s->model, settings, s->def.run_bytes, &run->d);
    if (status == TML_OK) {
        status = tml_derivatives_change(run->d, s->change_count, w->parameters, w->change);
    }
    if (status != TML_OK) {
        return tml__fail(why, status, "%s",
                         run->d != NULL ? tml_derivatives_message(run->d) : "out of memory");
    }
    run->sim = run->d->sim;
    return TML_OK;
}

static tml_status begin_plain(worker* w, const tml_sim_settings* settings, row_run* run,
                              message* why)
{
    const tml_model* model = NULL;
    tml_status status =
        tml__changer_make(w->changer, w->s->change_count, w->parameters, w->change, why, &model);
    if (status != TML_OK) return status;
    status = tml_sim_create(model, settings, &run->sim);
    if (status == TML_OK) return TML_OK;
    return tml__fail(why, status, "%s",
                     run->sim != NULL ? tml_sim_message(run->sim) : "out of memory");
}

static tml_status begin_run(worker* w, long long index, int halvings, row_run* run, message* why)
{
    const tml_sweep* s = w->s;
    tml_sim_settings settings = s->settings;

    tml_sweep_values(s, index, w->values);
    for (int i = 0; i < s->change_count; i++) {
        const sweep_part* part = &s->parts[i];
        w->change[i] = part->factor * (w->values[part->owner] - s->given[part->owner]);
    }
    settings.step = s->settings.step / (double)(1 << halvings);
    *run = (row_run){.step = settings.step, .stride = 1 << halvings};
    return s->has_gradients ? begin_derivatives(w, &settings, run, why)
                            : begin_plain(w, &settings, run, why);
}

// The model's controls, but for those that are parameters. NULL: all are the model's.
static const double* controls_of(worker* w, double time)
{
    const tml_sweep* s = w->s;
    if (!s->has_controls) return NULL;
    for (int c = 0; c < tml_model_control_count(s->model); c++) {
        w->controls[c] = tml_model_control_value(s->model, c, time);
    }
    for (int i = s->change_count; i < s->part_count; i++) {
        w->controls[s->parts[i].parameter.index] = w->values[s->parts[i].owner];
    }
    return w->controls;
}

// From the state after `step` of the sweep's steps to the next one.
static tml_status advance(worker* w, row_run* run, int step, message* why)
{
    tml_status status = TML_OK;
    for (int k = 1; k <= run->stride && status == TML_OK; k++) {
        const long long taken = (long long)step * run->stride + k;
        const double* controls = controls_of(w, (double)taken * run->step);
        status = run->d != NULL ? tml_derivatives_step(run->d, controls)
                                : tml_sim_step(run->sim, controls);
        if (status == TML_OK) continue;
        tml__fail(why, status, "t = %.6g s: %s", tml_sim_time(run->sim),
                  run->d != NULL ? tml_derivatives_message(run->d) : tml_sim_message(run->sim));
    }
    return status;
}

// ---- what is taken

static void begin_numbers(const tml_sweep* s, double* numbers)
{
    for (int i = 0; i < s->number_count; i++) numbers[i] = (double)NAN;
}

// What one state adds to one record. A mean is a sum until the end.
static void take_value(worker* w, int record, int step, double value, double* to)
{
    const tml_sweep_record* r = &w->s->def.records[record];
    const bool is_first = step == 0;
    switch (r->take) {
    case TML_TAKE_FINAL: *to = value; return;
    case TML_TAKE_MEAN: *to = is_first ? value : *to + value; return;
    case TML_TAKE_SERIES:
        if (step % r->every == 0) to[step / r->every] = value;
        return;
    case TML_TAKE_MAX:
    case TML_TAKE_MIN:
    case TML_TAKES: break;
    }
    const bool is_better = r->take == TML_TAKE_MAX ? value > *to : value < *to;
    if (!is_first && !is_better) return;
    *to = value;
    w->at[record] = step;
}

static tml_status take_state(worker* w, row_run* run, int step, double* numbers, message* why)
{
    const tml_sweep* s = w->s;
    for (int i = 0; i < s->column_count; i++) {
        const tml_sweep_column* column = &s->columns[i];
        const tml_sweep_record* r = &s->def.records[column->record];
        if (column->is_gradient) continue;
        if (r->take == TML_TAKE_FINAL && step < s->def.steps) continue;
        if (r->take == TML_TAKE_SERIES && step % r->every != 0) continue;
        tml_quantity q = r->quantity;
        double value = 0.0;
        q.step = step * run->stride;
        const tml_status status = tml__quantity_value(run->sim, &q, &value);
        if (status != TML_OK) return tml__fail(why, status, "%s", run->sim->why.text);
        take_value(w, column->record, step, value, &numbers[column->offset]);
    }
    return TML_OK;
}

// The slope of a record by every parameter of the sweep.
static tml_status take_slopes(worker* w, row_run* run, int record, double* out, message* why)
{
    const tml_sweep* s = w->s;
    const tml_sweep_record* r = &s->def.records[record];
    const bool is_mean = r->take == TML_TAKE_MEAN;
    const int count = is_mean ? s->def.steps + 1 : 1;
    for (int k = 0; k < count; k++) {
        const int step = is_mean ? k : r->take == TML_TAKE_FINAL ? s->def.steps : w->at[record];
        w->quantities[k] = r->quantity;
        w->quantities[k].step = step * run->stride;
        w->weights[k] = 1.0 / count;
    }
    const tml_status status = tml_derivatives_gradient(run->d, count, w->quantities, w->weights,
                                                       s->part_count, w->parameters, w->slope);
    if (status != TML_OK) {
        return tml__fail(why, status, "gradient of '%.100s': %s", r->name,
                         tml_derivatives_message(run->d));
    }
    for (int i = 0; i < s->def.parameter_count; i++) out[i] = 0.0;
    for (int i = 0; i < s->part_count; i++) {
        const double factor = i < s->change_count ? s->parts[i].factor : 1.0;
        out[s->parts[i].owner] += factor * w->slope[i];
    }
    return TML_OK;
}

static tml_status finish_numbers(worker* w, row_run* run, double* numbers, message* why)
{
    const tml_sweep* s = w->s;
    tml_status status = TML_OK;
    for (int i = 0; i < s->column_count && status == TML_OK; i++) {
        const tml_sweep_column* column = &s->columns[i];
        double* to = &numbers[column->offset];
        if (column->is_gradient) {
            status = take_slopes(w, run, column->record, to, why);
        } else if (s->def.records[column->record].take == TML_TAKE_MEAN) {
            *to /= s->def.steps + 1;
        }
    }
    return status;
}

static tml_status run_once(worker* w, long long index, int halvings, tml_row* row, double* numbers,
                           message* why)
{
    row_run run;
    begin_numbers(w->s, numbers);
    row->halvings = halvings;
    row->end = 0.0;
    tml_status status = begin_run(w, index, halvings, &run, why);
    if (status == TML_OK) status = take_state(w, &run, 0, numbers, why);
    for (int step = 0; step < w->s->def.steps && status == TML_OK; step++) {
        status = advance(w, &run, step, why);
        if (status == TML_OK) status = take_state(w, &run, step + 1, numbers, why);
    }
    if (run.sim != NULL) row->end = tml_sim_time(run.sim);
    if (status == TML_OK) status = finish_numbers(w, &run, numbers, why);
    end_run(&run);
    return status;
}

// A series is what was recorded; everything else of a run that failed is no number.
static void forget_numbers(const tml_sweep* s, double* numbers)
{
    for (int i = 0; i < s->column_count; i++) {
        const tml_sweep_column* column = &s->columns[i];
        if (s->def.records[column->record].take == TML_TAKE_SERIES) continue;
        for (int k = 0; k < column->width; k++) numbers[column->offset + k] = (double)NAN;
    }
}

// The sentence, cut at the end of a character.
static void keep_reason(tml_row* row, const message* why)
{
    size_t length = strlen(why->text);
    if (length >= sizeof row->reason) {
        length = sizeof row->reason - 1;
        while (length > 0 && ((unsigned char)why->text[length] & 0xc0u) == 0x80u) length--;
    }
    memset(row->reason, 0, sizeof row->reason);
    memcpy(row->reason, why->text, length);
}

tml_status tml__worker_run(worker* w, long long index, tml_row* row, double* numbers, message* why)
{
    const tml_sweep_def* def = &w->s->def;
    const int most = def->failure == TML_FAILURE_RETRY ? def->halvings : 0;
    tml_status status = TML_OK;

    *row = (tml_row){.status = TML_ROW_MISSING};
    for (int halvings = 0; halvings <= most; halvings++) {
        *why = (message){{0}};
        status = run_once(w, index, halvings, row, numbers, why);
        // a smaller step helps only where numbers are at fault
        if (status == TML_NO_MEMORY) return status;
        if (status <= TML_OK) break;
    }
    row->status = status == TML_OK ? TML_ROW_DONE : TML_ROW_FAILED;
    row->why = status;
    if (status != TML_OK) {
        forget_numbers(w->s, numbers);
        keep_reason(row, why);
    }
    return TML_OK;
}

// ---- once more

static tml_status watch_once(worker* w, long long index, int halvings, tml_problem_watch watch,
                             void* self, message* why)
{
    row_run run;
    tml_status status = begin_run(w, index, halvings, &run, why);
    tml_status seen = status == TML_OK && watch != NULL ? watch(self, run.sim) : TML_OK;
    for (int step = 0; step < w->s->def.steps && status == TML_OK && seen == TML_OK; step++) {
        status = advance(w, &run, step, why);
        if (status == TML_OK && watch != NULL) seen = watch(self, run.sim);
    }
    end_run(&run);
    return status != TML_OK ? status : seen;
}

// The step that works is found first, so that what is watched is one run.
tml_status tml__worker_watch(worker* w, long long index, tml_problem_watch watch, void* self,
                             message* why)
{
    const tml_sweep_def* def = &w->s->def;
    int halvings = 0;
    if (def->failure == TML_FAILURE_RETRY) {
        while (halvings < def->halvings &&
               watch_once(w, index, halvings, NULL, NULL, why) > TML_OK) {
            halvings++;
        }
    }
    return watch_once(w, index, halvings, watch, self, why);
}
