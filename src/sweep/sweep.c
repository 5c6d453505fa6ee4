// sweep/sweep.c - the table of a sweep: how many rows, which numbers in each, which columns.
#include "sweep/sweep.h"

#include "base/memory.h"
#include "diff/changed.h"
#include "math/scalar.h"
#include "opt/throw.h"
#include "sweep/random.h"

#include <string.h>

enum {
    NUMBERS_AT_ONCE = 1 << 21  // that a thread keeps: 16 MB
};

static const char* const spread_names[TML_SPREADS] = {"grid",        "list",   "uniform",
                                                      "log_uniform", "normal", "log_normal"};
static const char* const take_names[TML_TAKES] = {"final", "max", "min", "mean", "series"};

static const long long most_rows = 1LL << 40;     // of a table
static const long long most_numbers = 1LL << 28;  // of a row
static const int most_values = 1 << 22;           // of a grid or a list

const char* tml_spread_name(tml_spread spread)
{
    return (unsigned)spread < TML_SPREADS ? spread_names[spread] : "?";
}

const char* tml_take_name(tml_take take)
{
    return (unsigned)take < TML_TAKES ? take_names[take] : "?";
}

// ---- numbers of a row

static bool is_control(const tml_parameter* p) { return p->kind == TML_PARAMETER_CONTROL; }

// The last parameter of the grid goes through its values first.
static double choose(const tml_sweep* s, long long row, int index)
{
    const tml_sweep_parameter* p = &s->def.parameters[index];
    long long point = row / s->def.samples;
    double u[2];

    switch (p->spread) {
    case TML_SPREAD_GRID:
        for (int i = s->def.parameter_count - 1; i > index; i--) {
            const tml_sweep_parameter* later = &s->def.parameters[i];
            if (later->spread == TML_SPREAD_GRID) point /= later->value_count;
        }
        return p->values[point % p->value_count];
    case TML_SPREAD_LIST: return p->values[point / (s->grid / s->list_count)];
    case TML_SPREAD_UNIFORM:
        tml__uniform_pair(s->def.seed, (unsigned long long)row, (unsigned)index, u);
        return p->a + u[0] * (p->b - p->a);
    case TML_SPREAD_LOG_UNIFORM:
        tml__uniform_pair(s->def.seed, (unsigned long long)row, (unsigned)index, u);
        return p->a * tml__exp(u[0] * tml__log(p->b / p->a));
    case TML_SPREAD_NORMAL:
        return p->a + p->b * tml__normal(s->def.seed, (unsigned long long)row, (unsigned)index);
    case TML_SPREAD_LOG_NORMAL:
        return p->a *
               tml__exp(p->b * tml__normal(s->def.seed, (unsigned long long)row, (unsigned)index));
    case TML_SPREADS: break;
    }
    return 0.0;
}

double tml__sweep_value(const tml_sweep* s, long long row, int parameter)
{
    const double chosen = choose(s, row, parameter);
    return s->def.parameters[parameter].is_relative ? s->given[parameter] * chosen : chosen;
}

void tml_sweep_values(const tml_sweep* s, long long row, double* values)
{
    if (values == NULL) return;
    if (s == NULL || row < 0 || row >= s->rows) return;
    for (int i = 0; i < s->def.parameter_count; i++) values[i] = tml__sweep_value(s, row, i);
}

// ---- creation

static tml_status no_memory(tml_sweep* s)
{
    return tml__fail(&s->why, TML_NO_MEMORY, "out of memory");
}

static tml_status check_parameter(tml_sweep* s, changer* c, const tml_sweep_parameter* p)
{
    const bool is_table = p->spread == TML_SPREAD_GRID || p->spread == TML_SPREAD_LIST;
    const bool is_log = p->spread == TML_SPREAD_LOG_UNIFORM || p->spread == TML_SPREAD_LOG_NORMAL;
    bool is_good = (unsigned)p->spread < TML_SPREADS && p->name != NULL && p->name[0] != '\0';

    if (is_table) {
        is_good =
            is_good && p->value_count > 0 && p->value_count <= most_values && p->values != NULL;
    }
    for (int i = 0; is_good && is_table && i < p->value_count; i++) {
        is_good = isfinite(p->values[i]);
    }
    if (!is_table) is_good = is_good && isfinite(p->a) && isfinite(p->b);
    if (is_log) is_good = is_good && p->a > 0.0 && p->b > 0.0;
    if (!is_good) {
        return tml__fail(&s->why, TML_BAD_ARGUMENT, "parameter '%.100s': %s needs %s",
                         p->name != NULL ? p->name : "", tml_spread_name(p->spread),
                         is_table ? "finite values, at most 4194304"
                         : is_log ? "two positive numbers"
                                  : "two finite numbers");
    }
    if (is_throw_parameter(&p->parameter)) {
        if ((unsigned)p->parameter.component < TML_AXES) return TML_OK;
        return tml__fail(&s->why, TML_BAD_ARGUMENT, "parameter '%.100s': component %d", p->name,
                         p->parameter.component);
    }
    return tml__changer_check(c, &p->parameter, &s->why);
}

static tml_status check_record(tml_sweep* s, changer* c, const tml_sweep_record* r)
{
    const bool is_series = r->take == TML_TAKE_SERIES;
    if ((unsigned)r->take >= TML_TAKES || r->name == NULL || r->name[0] == '\0' ||
        (is_series && (r->every < 1 || r->has_gradient))) {
        return tml__fail(&s->why, TML_BAD_ARGUMENT,
                         "record '%.100s': a series takes every Nth step and has no gradient",
                         r->name != NULL ? r->name : "");
    }
    tml_quantity q = r->quantity;
    q.step = 0;
    return tml__changer_check_quantity(c, &q, &s->why);
}

static tml_status check_def(tml_sweep* s)
{
    const tml_sweep_def* def = &s->def;
    changer* c = NULL;
    if (def->steps < 1 || def->samples < 1 || def->parameter_count < 1 || def->record_count < 1 ||
        (unsigned)def->failure >= TML_FAILURES || def->halvings < 0 || def->halvings > 20) {
        return tml__fail(&s->why, TML_BAD_ARGUMENT,
                         "a sweep needs at least one step (%d), sample (%d), parameter (%d) and "
                         "record (%d), and at most 20 halvings (%d)",
                         def->steps, def->samples, def->parameter_count, def->record_count,
                         def->halvings);
    }
    tml_status status = tml__changer_create(s->model, &s->settings, &s->why, &c);
    for (int i = 0; i < def->parameter_count && status == TML_OK; i++) {
        status = check_parameter(s, c, &def->parameters[i]);
    }
    for (int i = 0; i < def->record_count && status == TML_OK; i++) {
        status = check_record(s, c, &def->records[i]);
    }
    tml__changer_destroy(c);
    return status;
}

// Lists and names become the sweep's own.
static tml_status copy_def(tml_sweep* s, const tml_sweep_def* from)
{
    const size_t count = (size_t)from->parameter_count;
    tml_sweep_parameter* p = tml__pool_copy(&s->memory, from->parameters, count, sizeof *p);
    tml_sweep_record* r =
        tml__pool_copy(&s->memory, from->records, (size_t)from->record_count, sizeof *r);
    s->given = tml__pool_take(&s->memory, count, sizeof(double));
    if (p == NULL || r == NULL || s->given == NULL) return no_memory(s);
    for (size_t i = 0; i < count; i++) {
        p[i].name = tml__pool_text(&s->memory, p[i].name);
        if (p[i].value_count > 0) {
            p[i].values =
                tml__pool_copy(&s->memory, p[i].values, (size_t)p[i].value_count, sizeof(double));
        }
        if (p[i].name == NULL || (p[i].value_count > 0 && p[i].values == NULL)) {
            return no_memory(s);
        }
        if (!is_throw_parameter(&p[i].parameter)) {
            s->given[i] = tml_parameter_value(s->model, &p[i].parameter);
        }
        s->has_controls = s->has_controls || is_control(&p[i].parameter);
    }
    for (int i = 0; i < from->record_count; i++) {
        r[i].name = tml__pool_text(&s->memory, r[i].name);
        if (r[i].name == NULL) return no_memory(s);
        s->has_gradients = s->has_gradients || r[i].has_gradient;
    }
    s->def.parameters = p;
    s->def.records = r;
    s->def.memory = NULL;
    return TML_OK;
}

static tml_status count_rows(tml_sweep* s)
{
    s->grid = 1;
    for (int i = 0; i < s->def.parameter_count; i++) {
        const tml_sweep_parameter* p = &s->def.parameters[i];
        if (p->spread == TML_SPREAD_GRID) s->grid *= p->value_count;
        if (p->spread == TML_SPREAD_LIST && s->list_count != 0 && p->value_count != s->list_count) {
            return tml__fail(&s->why, TML_BAD_ARGUMENT,
                             "parameter '%.100s': its list has %d values, the list before it %d; "
                             "lists advance together",
                             p->name, p->value_count, s->list_count);
        }
        if (p->spread == TML_SPREAD_LIST && s->list_count == 0) {
            s->list_count = p->value_count;
            s->grid *= p->value_count;
        }
        if (s->grid > most_rows) break;
    }
    if (s->grid > most_rows / s->def.samples) {
        return tml__fail(&s->why, TML_BAD_ARGUMENT, "more than %lld rows", most_rows);
    }
    s->rows = s->grid * s->def.samples;
    return TML_OK;
}

typedef struct addition {
    tml_sweep* s;
    int owner;
} addition;

static void add_part(void* self, tml_parameter parameter, double factor)
{
    const addition* to = self;
    if (factor == 0.0) return;
    to->s->parts[to->s->part_count++] = (sweep_part){parameter, to->owner, factor};
}

static tml_status list_parts(tml_sweep* s)
{
    const size_t each = 3 * (size_t)tml_model_body_count(s->model) + 1;
    const int count = s->def.parameter_count;
    size_t most = 0;
    for (int i = 0; i < count; i++) {
        most += is_throw_parameter(&s->def.parameters[i].parameter) ? each : 1;
    }
    s->parts = tml__pool_take(&s->memory, most, sizeof *s->parts);
    if (s->parts == NULL) return no_memory(s);
    for (int i = 0; i < count; i++) {
        const tml_parameter* p = &s->def.parameters[i].parameter;
        addition to = {s, i};
        if (is_throw_parameter(p)) {
            tml__throw_parts(s->model, p->component, add_part, &to);
        } else if (!is_control(p)) {
            add_part(&to, *p, 1.0);
        }
    }
    s->change_count = s->part_count;
    for (int i = 0; i < count; i++) {
        const tml_parameter* p = &s->def.parameters[i].parameter;
        if (is_control(p)) s->parts[s->part_count++] = (sweep_part){*p, i, 0.0};
    }
    return TML_OK;
}

static tml_status add_column(tml_sweep* s, int record, bool is_gradient, long long width)
{
    const char* name = s->def.records[record].name;
    char* whole = NULL;
    if (width > most_numbers || s->number_count + width > most_numbers) {
        return tml__fail(&s->why, TML_BAD_ARGUMENT, "record '%.100s': more than %lld numbers a row",
                         name, most_numbers);
    }
    if (is_gradient) {
        const size_t length = strlen(name) + sizeof ".gradient";
        whole = tml__pool_take(&s->memory, length, 1);
        if (whole == NULL) return no_memory(s);
        memcpy(whole, name, strlen(name));
        memcpy(whole + strlen(name), ".gradient", sizeof ".gradient");
    }
    s->columns[s->column_count++] = (tml_sweep_column){is_gradient ? whole : name, record,
                                                       is_gradient, s->number_count, (int)width};
    s->number_count += (int)width;
    return TML_OK;
}

static tml_status list_columns(tml_sweep* s)
{
    const int count = s->def.record_count;
    s->columns = tml__pool_take(&s->memory, 2 * (size_t)count, sizeof *s->columns);
    if (s->columns == NULL) return no_memory(s);
    tml_status status = TML_OK;
    for (int i = 0; i < count && status == TML_OK; i++) {
        const tml_sweep_record* r = &s->def.records[i];
        const bool is_series = r->take == TML_TAKE_SERIES;
        status = add_column(s, i, false, is_series ? s->def.steps / r->every + 1 : 1);
        if (status == TML_OK && r->has_gradient) {
            status = add_column(s, i, true, s->def.parameter_count);
        }
    }
    return status;
}

static tml_status refuse_name(tml_sweep* s, const char* name)
{
    return tml__fail(&s->why, TML_BAD_ARGUMENT,
                     "two columns would be called '%.100s': give one of them another 'name'", name);
}

// Names of columns are files in an archive.
static tml_status check_names(tml_sweep* s)
{
    static const char* const ours[] = {"row", "status", "halvings", "end", "reason"};
    const int parameters = s->def.parameter_count;
    const int count = parameters + s->column_count;
    for (int i = 0; i < count; i++) {
        const char* name =
            i < parameters ? s->def.parameters[i].name : s->columns[i - parameters].name;
        for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
            if (strcmp(name, ours[k]) == 0) return refuse_name(s, name);
        }
        const size_t length = strlen(name);
        if (length > 5 && strcmp(name + length - 5, ".time") == 0) return refuse_name(s, name);
        if (strlen(name) > 4096) {
            return tml__fail(&s->why, TML_BAD_ARGUMENT, "the name '%.40s...' is too long", name);
        }
        for (int k = 0; k < i; k++) {
            const char* other =
                k < parameters ? s->def.parameters[k].name : s->columns[k - parameters].name;
            if (strcmp(name, other) == 0) return refuse_name(s, name);
        }
    }
    return TML_OK;
}

tml_status tml_sweep_create(const tml_model* model, const tml_sim_settings* settings,
                            const tml_sweep_def* def, tml_sweep** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL || def == NULL) return TML_BAD_ARGUMENT;
    tml_sweep* s = tml__allocate(&settings->allocator, 1, sizeof *s);
    if (s == NULL) return TML_NO_MEMORY;
    *out = s;
    s->model = model;
    s->settings = *settings;
    s->settings.threads = 1;  // rows share the threads, not steps
    s->def = *def;
    s->memory.allocator = &s->settings.allocator;
    tml_status status = check_def(s);
    if (status == TML_OK) status = copy_def(s, def);
    if (status == TML_OK) status = count_rows(s);
    if (status == TML_OK) status = list_parts(s);
    if (status == TML_OK) status = list_columns(s);
    if (status == TML_OK) status = check_names(s);
    if (status != TML_OK) s->rows = 0;
    const int room = s->number_count > 0 ? NUMBERS_AT_ONCE / s->number_count : 1;
    s->at_once = room < 1 ? 1 : room > ROWS_AT_ONCE ? ROWS_AT_ONCE : room;
    return status;
}

void tml_sweep_destroy(tml_sweep* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->settings.allocator;
    tml__pool_destroy(&s->memory);
    tml__release(&allocator, s);
}

const char* tml_sweep_message(const tml_sweep* s)
{
    return s != NULL ? s->why.text : TML__NO_OBJECT;
}
long long tml_sweep_row_count(const tml_sweep* s) { return s != NULL ? s->rows : 0; }
int tml_sweep_column_count(const tml_sweep* s) { return s != NULL ? s->column_count : 0; }
int tml_sweep_number_count(const tml_sweep* s) { return s != NULL ? s->number_count : 0; }

tml_sweep_column tml_sweep_get_column(const tml_sweep* s, int index)
{
    if (s == NULL || index < 0 || index >= s->column_count) return (tml_sweep_column){.name = ""};
    return s->columns[index];
}
