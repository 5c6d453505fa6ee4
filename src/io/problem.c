// io/problem.c - PROBLEM files: which numbers of a scene may be chosen, and what should become small.
#include "base/memory.h"
#include "io/choice.h"
#include "io/path.h"
#include "io/scene_internal.h"

#include <trammel/problem.h>
#include <trammel/recording.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_FILE = 1 << 28,
    MAX_VARIABLES = 20000,
    MAX_TERMS = 200000,
    MAX_STEPS = 1000000,
    MAX_MEGABYTES = 1 << 20
};

typedef struct problem_memory {
    pool scratch;
    json_document document;
} problem_memory;

// What is read, while it grows.
typedef struct lists {
    reader* r;
    const tml_model* model;
    double step;
    int steps;
    tml_variable* variables;
    int variable_count;
    tml_term* terms;
    int term_count;
} lists;

// ---- variables

static void add_variable(lists* l, const json* at, const tml_variable* v)
{
    if (l->r->status != TML_OK) return;
    if (l->variable_count == MAX_VARIABLES) {
        tml__refuse(l->r, at, TML_BAD_ARGUMENT, "more than %d variables", (int)MAX_VARIABLES);
        return;
    }
    l->variables[l->variable_count++] = *v;
}

static void read_variable(lists* l, const json* value, int index)
{
    static const char* const keys[] = {"parameter", "of",    "component", "knots", "start",
                                       "lower",     "upper", "scale",     NULL};
    reader* r = l->r;
    const element e = tml__open(r, value, "variable", index, keys);
    const char* name = tml__read_text(&e, "parameter");
    tml_parameter_kind kind = TML_PARAMETER_KINDS;
    if (r->status == TML_OK && (name == NULL || !tml_parameter_kind_find(name, &kind))) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: 'parameter' is not one of docs/problem.md",
                    e.label);
    }
    if (r->status != TML_OK) return;
    const bool is_every = kind == TML_PARAMETER_VELOCITY && tml__names_every_body(&e);
    const int of =
        is_every ? TML_EVERY_BODY : tml__read_of(&e, l->model, tml__parameter_subject(kind));
    int count = 1;
    const int first = tml__read_component(&e, tml__parameter_words(kind), &count);
    int knots = 1;
    tml__read_integer(&e, "knots", 1, MAX_STEPS, &knots);
    tml_variable v = {.lower = -(double)INFINITY, .upper = (double)INFINITY, .scale = 1.0};
    tml__read_number(&e, "lower", ANY_NUMBER, &v.lower);
    tml__read_number(&e, "upper", ANY_NUMBER, &v.upper);
    tml__read_number(&e, "scale", POSITIVE, &v.scale);
    for (int c = first; c < first + count && r->status == TML_OK; c++) {
        const bool is_control = kind == TML_PARAMETER_CONTROL;
        if (is_control && count > 1) {
            tml__refuse(r, value, TML_BAD_ARGUMENT,
                        "%s: name the axis of the control in 'component'", e.label);
            return;
        }
        v.parameter = (tml_parameter){kind, of, c, 0};
        if (is_control)
            v.parameter = (tml_parameter){kind, tml__read_control(&e, l->model, of, c), 0, 0};
        v.knot_count = is_control ? knots : 0;
        v.start = is_control || is_every ? 0.0 : tml_parameter_value(l->model, &v.parameter);
        tml__read_number(&e, "start", ANY_NUMBER, &v.start);
        for (int k = 0; k < (is_control ? knots : 1); k++) {
            v.knot = k;
            add_variable(l, value, &v);
        }
    }
}

// ---- the objective

static int step_at(const lists* l, double time)
{
    const double step = floor(time / l->step + 0.5);
    return step < 0.0 ? 0 : step > l->steps ? l->steps : (int)step;
}

// The steps that a term looks at: the last, one time, or the whole run.
static void read_times(const lists* l, const element* e, tml_term* t)
{
    static const char* const whole[] = {"run", NULL};
    double time = l->steps * l->step;
    const bool is_whole = tml__read_word(e, "over", whole) == 0;
    tml__read_number(e, "time", NOT_NEGATIVE, &time);
    if (time > (l->steps + 0.5) * l->step) {
        tml__refuse(e->r, tml__find(e, "time"), TML_BAD_ARGUMENT, "%s: the run ends at %g s",
                    e->label, l->steps * l->step);
    }
    t->first = is_whole ? 1 : step_at(l, time);
    t->last = is_whole ? l->steps : t->first;
}

static void add_term(lists* l, const json* at, const tml_term* t)
{
    if (l->r->status != TML_OK) return;
    if (l->term_count == MAX_TERMS) {
        tml__refuse(l->r, at, TML_BAD_ARGUMENT, "more than %d terms", (int)MAX_TERMS);
        return;
    }
    l->terms[l->term_count++] = *t;
}

// Columns of a recording are named "NAME.px", ...
static const char* column_letters(tml_quantity_kind kind)
{
    return kind == TML_QUANTITY_POSITION           ? "p"
           : kind == TML_QUANTITY_QUATERNION       ? "q"
           : kind == TML_QUANTITY_VELOCITY         ? "v"
           : kind == TML_QUANTITY_ANGULAR_VELOCITY ? "w"
           : kind == TML_QUANTITY_FORCE            ? "f"
           : kind == TML_QUANTITY_MOMENT           ? "m"
                                                   : NULL;
}

// One component of a quantity at every recorded time within the run; weights add up to `weight`.
static void track(lists* l, const json* at, const tml_recording* recording, const tml_term* like,
                  const char* component)
{
    const tml_quantity* q = &like->quantity;
    const char* letters = column_letters(q->kind);
    const bool is_body = tml__quantity_subject(q->kind) == OF_BODY;
    char column[320];
    if (letters == NULL) {
        tml__refuse(l->r, at, TML_BAD_ARGUMENT, "a recording has no columns of '%s'",
                    tml_quantity_kind_name(q->kind));
        return;
    }
    snprintf(column, sizeof column, "%s.%s%s",
             is_body ? tml_model_body_name(l->model, (tml_body){q->index})
                     : tml_model_joint_name(l->model, (tml_joint){q->index}),
             letters, component);
    const double* time = tml__recording_column(l->r, at, recording, "t");
    const double* values = tml__recording_column(l->r, at, recording, column);
    if (time == NULL || values == NULL) return;
    int rows = 0;
    const double end = (l->steps + 0.5) * l->step;
    while (rows < tml_recording_row_count(recording) && time[rows] < end) rows++;
    for (int k = 0; k < rows; k++) {
        tml_term t = *like;
        t.has_target = 1;
        t.target = values[k];
        t.weight = like->weight / rows;
        t.first = t.last = step_at(l, time[k]);
        add_term(l, at, &t);
    }
}

static void read_effort(lists* l, const element* e, tml_term* t)
{
    const json* name = tml__find(e, "effort");
    const char* joint = tml__text(l->r, name, "effort");
    int count = 1;
    if (l->r->status != TML_OK) return;
    const int index = tml_model_find_joint(l->model, joint).index;
    if (index < 0) {
        tml__refuse(l->r, name, TML_BAD_ARGUMENT, "there is no joint '%.100s'", joint);
        return;
    }
    const int axis = tml__read_component(e, &tml__axis_words, &count);
    t->is_effort = 1;
    t->quantity.index = tml__read_control(e, l->model, index, axis);
    t->first = 1;
    t->last = l->steps;
    add_term(l, e->object, t);
}

static void read_quantity(lists* l, const element* e, tml_term* t)
{
    reader* r = l->r;
    const char* name = tml__read_text(e, "quantity");
    tml_quantity_kind kind = TML_QUANTITY_KINDS;
    if (r->status == TML_OK && (name == NULL || !tml_quantity_kind_find(name, &kind))) {
        tml__refuse(r, e->object, TML_BAD_ARGUMENT, "%s: 'quantity' is not one of docs/problem.md",
                    e->label);
    }
    if (r->status != TML_OK) return;
    t->quantity = (tml_quantity){.kind = kind,
                                 .index = tml__read_of(e, l->model, tml__quantity_subject(kind))};
    const words* w = tml__quantity_words(kind);
    int count = 1;
    const int first = tml__read_component(e, w, &count);
    const json* target = tml__find(e, "target");
    double targets[8] = {0.0};
    if (target != NULL && count > 1) tml__numbers(r, target, "target", count, targets);
    if (target != NULL && count == 1) targets[0] = tml__number(r, target, "target", ANY_NUMBER);
    t->has_target = target != NULL;
    const tml_recording* recording = tml__read_recording(e, "track");
    for (int c = 0; c < count && r->status == TML_OK; c++) {
        t->quantity.component = first + c;
        t->target = targets[c];
        if (recording != NULL) {
            track(l, e->object, recording, t, w->list[first + c] != NULL ? w->list[first + c] : "");
        } else {
            add_term(l, e->object, t);
        }
    }
}

static void read_term(lists* l, const json* value, int index)
{
    static const char* const keys[] = {"quantity", "of",   "component", "target", "weight",
                                       "time",     "over", "track",     "effort", NULL};
    const element e = tml__open(l->r, value, "term", index, keys);
    tml_term t = {.weight = 1.0};
    tml__read_number(&e, "weight", ANY_NUMBER, &t.weight);
    if (l->r->status != TML_OK) return;
    if (tml__find(&e, "effort") != NULL) {
        read_effort(l, &e, &t);
        return;
    }
    read_times(l, &e, &t);
    read_quantity(l, &e, &t);
}

// ---- the file

static const char* const top_keys[] = {
    "scene", "duration",       "variables", "objective", "method", "iterations",   "tolerance",
    "seed",  "contact_slopes", "intervals", "memory",    "polish", "trajectories", NULL};

static void read_lists(lists* l, const element* top)
{
    reader* r = l->r;
    const json* variables = tml__need(top, "variables");
    const json* terms = tml__need(top, "objective");
    if (variables == NULL || !tml__is_list(r, variables, "variables")) return;
    if (terms == NULL || !tml__is_list(r, terms, "objective")) return;
    l->variables = tml__take(r, MAX_VARIABLES, sizeof *l->variables);
    l->terms = tml__take(r, MAX_TERMS, sizeof *l->terms);
    int i = 0;
    for (const json* v = variables->first; v != NULL && r->status == TML_OK; v = v->next) {
        read_variable(l, v, i++);
    }
    i = 0;
    for (const json* v = terms->first; v != NULL && r->status == TML_OK; v = v->next) {
        read_term(l, v, i++);
    }
}

// Paths of other problems, as seen from this one's folder.
static void read_trajectories(reader* r, const element* top, tml_problem_def* out)
{
    const json* list = tml__find(top, "trajectories");
    char folder[PATH_CHARS];
    char joined[PATH_CHARS];
    if (list == NULL || !tml__is_list(r, list, "trajectories")) return;
    const char** paths = tml__take(r, tml__json_count(list), sizeof *paths);
    int count = 0;
    tml__path_folder(r->file, folder);
    for (const json* v = list->first; v != NULL && r->status == TML_OK; v = v->next) {
        const char* name = tml__text(r, v, "trajectories");
        if (r->status != TML_OK) return;
        const bool is_whole = name[0] == '/';
        if (!is_whole && !tml__path_join(folder, name, joined)) {
            tml__refuse(r, v, TML_BAD_FILE, "the path of a trajectory is too long");
            return;
        }
        paths[count] = tml__pool_text(&r->scratch, is_whole ? name : joined);
        if (paths[count++] == NULL) r->status = TML_NO_MEMORY;
    }
    out->trajectories = paths;
    out->trajectory_count = count;
}

static void read_problem(reader* r, const json* root, const tml_model* model, double step,
                         double duration, tml_problem_def* out)
{
    const char* methods[TML_METHODS + 1] = {NULL};
    for (int i = 0; i < TML_METHODS; i++) methods[i] = tml_method_name((tml_method)i);
    const element top = tml__open(r, root, "problem", -1, top_keys);
    int seed = 1;

    tml__read_number(&top, "duration", POSITIVE, &duration);
    if (r->status == TML_OK && !(duration / step <= MAX_STEPS)) {
        tml__refuse(r, root, TML_BAD_ARGUMENT, "%g s in steps of %g s are too many steps", duration,
                    step);
    }
    if (r->status != TML_OK) return;
    *out = (tml_problem_def){.iterations = 100, .tolerance = 1e-6, .memory = out->memory};
    lists l = {.r = r, .model = model, .step = step, .steps = (int)floor(duration / step + 0.5)};
    read_lists(&l, &top);
    read_trajectories(r, &top, out);
    const int method = tml__read_word(&top, "method", methods);
    out->method = method >= 0 ? (tml_method)method : TML_METHOD_LBFGS;
    tml__read_integer(&top, "iterations", 0, 1000000000, &out->iterations);
    tml__read_integer(&top, "polish", 0, 1000000000, &out->polish);
    tml__read_number(&top, "tolerance", NOT_NEGATIVE, &out->tolerance);
    tml__read_integer(&top, "seed", 0, 2147483647, &seed);
    out->intervals = 10;
    tml__read_integer(&top, "intervals", 1, MAX_STEPS, &out->intervals);
    out->seed = (unsigned)seed;
    int megabytes = 0;
    tml__read_integer(&top, "memory", 1, MAX_MEGABYTES, &megabytes);
    // more than can be addressed is no bound
    out->run_bytes = (size_t)megabytes <= SIZE_MAX >> 20 ? (size_t)megabytes << 20 : SIZE_MAX;
    const char* const slopes[] = {tml_contact_slopes_name(TML_SLOPES_EXACT),
                                  tml_contact_slopes_name(TML_SLOPES_CONTINUOUS_BOUNCE),
                                  tml_contact_slopes_name(TML_SLOPES_COMPLEMENTARITY_AWARE), NULL};
    const int which = tml__read_word(&top, "contact_slopes", slopes);
    if (which > 0) out->slopes = (tml_contact_slopes)which;
    out->steps = l.steps;
    out->variables = l.variables;
    out->variable_count = l.variable_count;
    out->terms = l.terms;
    out->term_count = l.term_count;
}

// Open the file; the tree is in the memory of *out.
static tml_status open_file(const char* path, tml_problem_def* out, message* why)
{
    problem_memory* memory = tml__allocate(NULL, 1, sizeof *memory);
    if (memory == NULL) return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", path);
    out->memory = memory;
    return tml__json_open(path, MAX_FILE, &memory->document, why);
}

void tml_problem_def_destroy(tml_problem_def* def)
{
    if (def == NULL) return;
    problem_memory* memory = def->memory;
    if (memory != NULL) {
        tml__pool_destroy(&memory->scratch);
        tml__json_destroy(&memory->document);
        tml__release(NULL, memory);
    }
    *def = (tml_problem_def){0};
}

tml_status tml_problem_read_scene(const char* path, char* scene, size_t scene_capacity, char* why,
                                  size_t capacity)
{
    message text = {{0}};
    tml_problem_def def = {0};
    char folder[PATH_CHARS];
    char joined[PATH_CHARS];
    if (path == NULL || scene == NULL) return TML_BAD_ARGUMENT;
    tml_status status = open_file(path, &def, &text);
    if (status == TML_OK) {
        problem_memory* memory = def.memory;
        reader r = {.file = path, .status = TML_OK};
        const element top = tml__open(&r, memory->document.root, "problem", -1, top_keys);
        const json* value = tml__need(&top, "scene");
        const char* name = value != NULL ? tml__text(&r, value, "scene") : NULL;
        tml__path_folder(path, folder);
        // "scene:NAME" is a built-in one, which whoever asks knows
        if (r.status == TML_OK && (name[0] == '/' || strncmp(name, "scene:", 6) == 0)) {
            snprintf(joined, sizeof joined, "%s", name);
        } else if (r.status == TML_OK && !tml__path_join(folder, name, joined)) {
            tml__refuse(&r, value, TML_BAD_FILE, "the path of the scene is too long");
        }
        if (r.status == TML_OK && strlen(joined) >= scene_capacity) {
            tml__refuse(&r, value, TML_BAD_FILE, "the path of the scene is too long");
        }
        if (r.status == TML_OK) snprintf(scene, scene_capacity, "%s", joined);
        status = r.status;
        text = r.why;
        tml__pool_destroy(&r.scratch);
    }
    tml_problem_def_destroy(&def);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

tml_status tml_problem_read_file(const char* path, const tml_model* model, double step,
                                 double duration, tml_problem_def* out, char* why, size_t capacity)
{
    message text = {{0}};
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = (tml_problem_def){0};
    if (path == NULL || model == NULL || !(step > 0.0)) return TML_BAD_ARGUMENT;
    tml_status status = open_file(path, out, &text);
    if (status == TML_OK) {
        problem_memory* memory = out->memory;
        reader r = {.file = path, .status = TML_OK};
        read_problem(&r, memory->document.root, model, step, duration, out);
        tml__forget_recording(&r);
        memory->scratch = r.scratch;
        status = r.status;
        text = r.why;
    }
    if (status != TML_OK) tml_problem_def_destroy(out);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}
