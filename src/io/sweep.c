// io/sweep.c - SWEEP files: which numbers of a scene vary, and what is kept of every run.
#include "base/memory.h"
#include "io/choice.h"
#include "io/file.h"
#include "math/scalar.h"

#include <trammel/sweep.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_FILE = 1 << 28,
    MAX_PARAMETERS = 10000,
    MAX_RECORDS = 10000,
    MAX_VALUES = 1 << 22,
    MAX_STEPS = 1000000000,
    MAX_SAMPLES = 1000000000,
    MAX_MEGABYTES = 1 << 20,
    USUAL_HALVINGS = 3
};

typedef struct sweep_memory {
    pool scratch;
    json_document document;
} sweep_memory;

// What is read, while it grows.
typedef struct lists {
    reader* r;
    const tml_model* model;
    tml_sweep_parameter* parameters;
    int parameter_count;
    tml_sweep_record* records;
    int record_count;
} lists;

// ---- names

// OF.KIND.COMPONENT, or what "name" says, with the component where there are several.
static const char* name_column(const element* e, const char* kind, const char* component,
                               bool has_several, const char* suffix)
{
    const char* given = tml__read_text(e, "name");
    const char* of = tml__find(e, "of") != NULL ? tml__read_text(e, "of") : NULL;
    char text[1024];
    if (given != NULL) {
        snprintf(text, sizeof text, "%.500s%s%s", given, has_several ? "." : "",
                 has_several ? component : "");
    } else {
        snprintf(text, sizeof text, "%.500s%s%s%s%s%s", of != NULL ? of : "", of != NULL ? "." : "",
                 kind, component[0] != '\0' ? "." : "", component, suffix);
    }
    char* name = tml__pool_text(&e->r->scratch, text);
    if (name == NULL && e->r->status == TML_OK) e->r->status = TML_NO_MEMORY;
    return name;
}

static const char* component_word(const words* w, int index)
{
    return w->list[0] != NULL ? w->list[index] : "";
}

// ---- parameters

static double* read_values(const element* e, const json* list, int* count)
{
    reader* r = e->r;
    if (!tml__is_list(r, list, list->key)) return NULL;
    *count = tml__json_count(list);
    if (*count < 1 || *count > MAX_VALUES) {
        tml__refuse(r, list, TML_BAD_ARGUMENT, "%s: '%s' needs 1 to %d values", e->label, list->key,
                    (int)MAX_VALUES);
        return NULL;
    }
    double* values = tml__take(r, *count, sizeof *values);
    int i = 0;
    for (const json* v = list->first; values != NULL && v != NULL; v = v->next) {
        values[i++] = tml__number(r, v, list->key, ANY_NUMBER);
    }
    return values;
}

// {"from", "to", "count", "spacing"}: evenly spread, ends included.
static double* spread_values(const element* e, const json* object, int* count)
{
    static const char* const keys[] = {"from", "to", "count", "spacing", NULL};
    static const char* const spacings[] = {"linear", "log", NULL};
    reader* r = e->r;
    const element g = tml__open(r, object, "grid", -1, keys);
    double from = 0.0;
    double to = 0.0;
    int n = 0;
    if (tml__need(&g, "from") == NULL || tml__need(&g, "to") == NULL ||
        tml__need(&g, "count") == NULL) {
        return NULL;
    }
    tml__read_number(&g, "from", ANY_NUMBER, &from);
    tml__read_number(&g, "to", ANY_NUMBER, &to);
    tml__read_integer(&g, "count", 1, MAX_VALUES, &n);
    const bool is_log = tml__read_word(&g, "spacing", spacings) == 1;
    if (r->status == TML_OK && is_log && !(from > 0.0 && to > 0.0)) {
        tml__refuse(r, object, TML_BAD_ARGUMENT,
                    "%s: 'spacing' \"log\" needs 'from' and 'to' above 0", e->label);
    }
    if (r->status != TML_OK) return NULL;
    double* values = tml__take(r, n, sizeof *values);
    for (int i = 0; values != NULL && i < n; i++) {
        const double share = n > 1 ? (double)i / (n - 1) : 0.0;
        values[i] =
            is_log ? from * tml__exp(share * tml__log(to / from)) : from + share * (to - from);
        if (i == n - 1 && n > 1) values[i] = to;
    }
    *count = n;
    return values;
}

static void read_spread(const element* e, tml_sweep_parameter* p)
{
    reader* r = e->r;
    int found = 0;
    for (int k = 0; k < TML_SPREADS && r->status == TML_OK; k++) {
        const json* value = tml__find(e, tml_spread_name((tml_spread)k));
        if (value == NULL) continue;
        found++;
        p->spread = (tml_spread)k;
        if (k == TML_SPREAD_GRID && value->kind == JSON_OBJECT) {
            p->values = spread_values(e, value, &p->value_count);
        } else if (k == TML_SPREAD_GRID || k == TML_SPREAD_LIST) {
            p->values = read_values(e, value, &p->value_count);
        } else {
            double pair[2] = {0.0, 0.0};
            tml__numbers(r, value, value->key, 2, pair);
            p->a = pair[0];
            p->b = pair[1];
        }
    }
    if (r->status == TML_OK && found != 1) {
        tml__refuse(r, e->object, TML_BAD_ARGUMENT,
                    "%s needs one of 'grid', 'list', 'uniform', 'log_uniform', 'normal' and "
                    "'log_normal'",
                    e->label);
    }
    const bool is_log = p->spread == TML_SPREAD_LOG_UNIFORM || p->spread == TML_SPREAD_LOG_NORMAL;
    if (r->status == TML_OK && is_log && !(p->a > 0.0 && p->b > 0.0)) {
        tml__refuse(r, e->object, TML_BAD_ARGUMENT, "%s: '%s' needs two numbers above 0", e->label,
                    tml_spread_name(p->spread));
    }
}

static void read_parameter(lists* l, const json* value, int index)
{
    static const char* const keys[] = {"parameter",   "of",     "component",  "name",
                                       "relative",    "grid",   "list",       "uniform",
                                       "log_uniform", "normal", "log_normal", NULL};
    reader* r = l->r;
    const element e = tml__open(r, value, "parameter", index, keys);
    const char* kind_name = tml__read_text(&e, "parameter");
    tml_parameter_kind kind = TML_PARAMETER_KINDS;
    if (r->status == TML_OK && (kind_name == NULL || !tml_parameter_kind_find(kind_name, &kind))) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: 'parameter' is not one of docs/problem.md",
                    e.label);
    }
    if (r->status != TML_OK) return;
    const bool is_every = kind == TML_PARAMETER_VELOCITY && tml__names_every_body(&e);
    const int of =
        is_every ? TML_EVERY_BODY : tml__read_of(&e, l->model, tml__parameter_subject(kind));
    const words* w = tml__parameter_words(kind);
    int count = 1;
    const int first = tml__read_component(&e, w, &count);
    tml_sweep_parameter p = {.name = NULL};
    bool is_relative = false;
    tml__read_bool(&e, "relative", &is_relative);
    p.is_relative = is_relative;
    read_spread(&e, &p);
    if (kind == TML_PARAMETER_CONTROL && count > 1 && r->status == TML_OK) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: name the axis of the control in 'component'",
                    e.label);
    }
    for (int c = first; c < first + count && r->status == TML_OK; c++) {
        p.parameter = (tml_parameter){kind, of, c, 0};
        if (kind == TML_PARAMETER_CONTROL) {
            p.parameter = (tml_parameter){kind, tml__read_control(&e, l->model, of, c), 0, 0};
        }
        p.name = name_column(&e, kind_name, component_word(w, c), count > 1, "");
        if (l->parameter_count == MAX_PARAMETERS) {
            tml__refuse(r, value, TML_BAD_ARGUMENT, "more than %d parameters", (int)MAX_PARAMETERS);
        }
        if (r->status == TML_OK) l->parameters[l->parameter_count++] = p;
    }
    // a number that is not there cannot be multiplied
    const tml_sweep_parameter* last = &l->parameters[l->parameter_count - 1];
    if (r->status == TML_OK && p.is_relative &&
        (is_every || tml_parameter_value(l->model, &last->parameter) == 0.0)) {
        tml__refuse(r, value, TML_BAD_ARGUMENT,
                    "%s: 'relative' multiplies the number of the scene, which is 0", e.label);
    }
}

// ---- records

static void read_record(lists* l, const json* value, int index)
{
    static const char* const keys[] = {"quantity", "of",    "component", "name",
                                       "take",     "every", "gradient",  NULL};
    const char* takes[TML_TAKES + 1] = {NULL};
    for (int i = 0; i < TML_TAKES; i++) takes[i] = tml_take_name((tml_take)i);
    reader* r = l->r;
    const element e = tml__open(r, value, "record", index, keys);
    const char* kind_name = tml__read_text(&e, "quantity");
    tml_quantity_kind kind = TML_QUANTITY_KINDS;
    if (r->status == TML_OK && (kind_name == NULL || !tml_quantity_kind_find(kind_name, &kind))) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: 'quantity' is not one of docs/problem.md",
                    e.label);
    }
    if (r->status != TML_OK) return;
    tml_sweep_record record = {.every = 1};
    record.quantity.kind = kind;
    record.quantity.index = tml__read_of(&e, l->model, tml__quantity_subject(kind));
    const words* w = tml__quantity_words(kind);
    int count = 1;
    const int first = tml__read_component(&e, w, &count);
    const int take = tml__read_word(&e, "take", takes);
    record.take = take >= 0 ? (tml_take)take : TML_TAKE_FINAL;
    tml__read_integer(&e, "every", 1, MAX_STEPS, &record.every);
    bool has_gradient = false;
    tml__read_bool(&e, "gradient", &has_gradient);
    record.has_gradient = has_gradient;
    if (r->status == TML_OK && tml__find(&e, "every") != NULL && record.take != TML_TAKE_SERIES) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: 'every' is for \"take\": \"series\"", e.label);
    }
    if (r->status == TML_OK && record.has_gradient && record.take == TML_TAKE_SERIES) {
        tml__refuse(r, value, TML_BAD_ARGUMENT,
                    "%s: a series has no gradient; take final, max, min or mean", e.label);
    }
    char suffix[32];
    snprintf(suffix, sizeof suffix, ".%s", tml_take_name(record.take));
    for (int c = first; c < first + count && r->status == TML_OK; c++) {
        record.quantity.component = c;
        record.name = name_column(&e, kind_name, component_word(w, c), count > 1, suffix);
        if (l->record_count == MAX_RECORDS) {
            tml__refuse(r, value, TML_BAD_ARGUMENT, "more than %d records", (int)MAX_RECORDS);
        }
        if (r->status == TML_OK) l->records[l->record_count++] = record;
    }
}

// ---- the file

static void read_lists(lists* l, const element* top)
{
    reader* r = l->r;
    const json* parameters = tml__need(top, "parameters");
    const json* records = tml__need(top, "record");
    if (parameters == NULL || !tml__is_list(r, parameters, "parameters")) return;
    if (records == NULL || !tml__is_list(r, records, "record")) return;
    l->parameters = tml__take(r, MAX_PARAMETERS, sizeof *l->parameters);
    l->records = tml__take(r, MAX_RECORDS, sizeof *l->records);
    int i = 0;
    for (const json* v = parameters->first; v != NULL && r->status == TML_OK; v = v->next) {
        read_parameter(l, v, i++);
    }
    i = 0;
    for (const json* v = records->first; v != NULL && r->status == TML_OK; v = v->next) {
        read_record(l, v, i++);
    }
    if (r->status == TML_OK && (l->parameter_count == 0 || l->record_count == 0)) {
        tml__refuse(r, top->object, TML_BAD_ARGUMENT,
                    "a sweep needs at least one parameter and one record");
    }
}

// Up to 2^53, which JSON's numbers hold exactly.
static unsigned long long read_seed(const element* top)
{
    double seed = 1.0;
    tml__read_number(top, "seed", NOT_NEGATIVE, &seed);
    if (seed <= 0x1p53 && seed == floor(seed)) return (unsigned long long)seed;
    tml__refuse(top->r, tml__find(top, "seed"), TML_BAD_ARGUMENT,
                "sweep: 'seed' must be a whole number up to 2^53");
    return 0;
}

static void read_sweep(reader* r, const json* root, const tml_model* model, double step,
                       double duration, tml_sweep_def* out)
{
    static const char* const keys[] = {"parameters", "record",   "samples", "seed", "duration",
                                       "on_failure", "halvings", "memory",  NULL};
    static const char* const failures[] = {"record", "retry", "stop", NULL};
    const element top = tml__open(r, root, "sweep", -1, keys);

    tml__read_number(&top, "duration", POSITIVE, &duration);
    if (r->status == TML_OK && !(duration / step <= MAX_STEPS)) {
        tml__refuse(r, root, TML_BAD_ARGUMENT, "%g s in steps of %g s are too many steps", duration,
                    step);
    }
    if (r->status != TML_OK) return;
    out->samples = 1;
    out->steps = (int)fmax(1.0, floor(duration / step + 0.5));
    tml__read_integer(&top, "samples", 1, MAX_SAMPLES, &out->samples);
    out->seed = read_seed(&top);
    const int failure = tml__read_word(&top, "on_failure", failures);
    out->failure = failure >= 0 ? (tml_sweep_failure)failure : TML_FAILURE_RECORD;
    out->halvings = USUAL_HALVINGS;
    tml__read_integer(&top, "halvings", 1, 20, &out->halvings);
    int megabytes = 0;
    tml__read_integer(&top, "memory", 1, MAX_MEGABYTES, &megabytes);
    out->run_bytes = (size_t)megabytes <= SIZE_MAX >> 20 ? (size_t)megabytes << 20 : SIZE_MAX;
    lists l = {.r = r, .model = model};
    read_lists(&l, &top);
    out->parameters = l.parameters;
    out->parameter_count = l.parameter_count;
    out->records = l.records;
    out->record_count = l.record_count;
}

void tml_sweep_def_destroy(tml_sweep_def* def)
{
    if (def == NULL) return;
    sweep_memory* memory = def->memory;
    if (memory != NULL) {
        tml__pool_destroy(&memory->scratch);
        tml__json_destroy(&memory->document);
        tml__release(NULL, memory);
    }
    *def = (tml_sweep_def){.parameters = NULL};
}

// Takes the text.
static tml_status read_text(char* text, size_t length, const char* name, const tml_model* model,
                            double step, double duration, tml_sweep_def* out, message* why)
{
    json_error error;
    sweep_memory* memory = tml__allocate(NULL, 1, sizeof *memory);
    if (memory == NULL) {
        tml__release(NULL, text);
        return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", name);
    }
    out->memory = memory;
    tml_status status = tml__json_read(text, length, &memory->document, &error);
    if (status == TML_BAD_FILE) {
        return tml__fail(why, status, "%.300s:%u: %s (column %u)", name, error.line, error.text,
                         error.column);
    }
    if (status != TML_OK) return tml__fail(why, status, "%.300s: out of memory", name);
    reader r = {.file = name, .status = TML_OK};
    read_sweep(&r, memory->document.root, model, step, duration, out);
    memory->scratch = r.scratch;
    *why = r.why;
    if (r.status == TML_NO_MEMORY) tml__fail(why, r.status, "%.300s: out of memory", name);
    return r.status;
}

static tml_status tell(tml_status status, const message* from, tml_sweep_def* out, char* why,
                       size_t capacity)
{
    if (status != TML_OK) tml_sweep_def_destroy(out);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", from->text);
    return status;
}

tml_status tml_sweep_read_text(const char* text, size_t length, const char* name,
                               const tml_model* model, double step, double duration,
                               tml_sweep_def* out, char* why, size_t capacity)
{
    message said = {{0}};
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = (tml_sweep_def){.parameters = NULL};
    if (text == NULL || name == NULL || model == NULL || !(step > 0.0)) return TML_BAD_ARGUMENT;
    if (length > MAX_FILE) {
        tml__fail(&said, TML_BAD_FILE, "%.300s: cannot be read: it is larger than 256 MiB", name);
        return tell(TML_BAD_FILE, &said, out, why, capacity);
    }
    char* copy = tml__allocate(NULL, length + 1, 1);
    tml_status status = copy != NULL ? TML_OK : TML_NO_MEMORY;
    if (status == TML_OK) {
        memcpy(copy, text, length);
        status = read_text(copy, length, name, model, step, duration, out, &said);
    }
    return tell(status, &said, out, why, capacity);
}

tml_status tml_sweep_read_file(const char* path, const tml_model* model, double step,
                               double duration, tml_sweep_def* out, char* why, size_t capacity)
{
    message said = {{0}};
    char* text = NULL;
    size_t length = 0;
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = (tml_sweep_def){.parameters = NULL};
    if (path == NULL || model == NULL || !(step > 0.0)) return TML_BAD_ARGUMENT;
    tml_status status = tml__file_read(path, MAX_FILE, &text, &length, &said);
    if (status == TML_OK) {
        status = read_text(text, length, path, model, step, duration, out, &said);
    }
    return tell(status, &said, out, why, capacity);
}
