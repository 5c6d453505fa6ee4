// fmi/unit.c - a scene as a co-simulation unit of FMI 3.0: what is inside of an exported .fmu.
//
// An instance is a run that remembers its last communication step (tml_derivatives), where the steps of
// the scene have derivatives; else a plain simulation. Variables are numbered: 0 is the time, then
// inputs, then outputs, in the order of resources/unit.json.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "fmi/fmi3.h"
#include "fmi/variables.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum unit_mode {
    MODE_INSTANTIATED,
    MODE_INITIALIZATION,
    MODE_STEP,
    MODE_TERMINATED,
    MODE_FAILED,
} unit_mode;

static const char* const mode_names[] = {"instantiated", "in initialization mode", "in step mode",
                                         "terminated", "stopped by an error"};

typedef struct unit {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    bool is_logging;
    unit_mode mode;
    tml_scene* scene;
    tml_model* model;
    tml_derivatives* d;  // NULL: its steps have no derivatives, or something is pushed
    tml_sim* sim;        // own, without d
    bool has_derivatives;
    unit_variable* variables;  // inputs first
    int input_count, count;
    double* values;    // of inputs
    double* controls;  // of a step
    int control_count;
    double step;
    double start;      // of the master's time, where the scene begins
    double time;       // of the master's, where the last communication step ended
    double last_size;  // of it
} unit;

// A state of a unit: this, its inputs, and what tml_sim_save gives.
typedef struct unit_state {
    uint64_t size;  // of everything
    uint64_t mark;  // a checksum of what follows it
    double start;
    double time;
    double mode;
} unit_state;

__attribute__((format(printf, 3, 4))) static fmi3Status tell(const unit* u, fmi3Status status,
                                                             const char* format, ...)
{
    char text[1600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (u->log != NULL) {
        u->log(u->environment, status,
               status >= fmi3Error     ? "logStatusError"
               : status == fmi3Discard ? "logStatusDiscard"
                                       : "logStatusWarning",
               text);
    }
    return status;
}

static fmi3Status refuse_mode(const unit* u, const char* function)
{
    return tell(u, fmi3Error, "%s: not allowed while the instance is %s", function,
                mode_names[u->mode]);
}

static const tml_sim* sim_of(const unit* u)
{
    return u->d != NULL ? tml_derivatives_sim(u->d) : u->sim;
}

// ---- resources

static char* read_file(const char* folder, const char* name)
{
    char path[4096];
    const size_t length = strlen(folder);
    const bool has_slash = length > 0 && folder[length - 1] == '/';
    snprintf(path, sizeof path, "%s%s%s", folder, has_slash ? "" : "/", name);
    FILE* file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char* text = NULL;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) text = malloc((size_t)size + 1);
    if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    fclose(file);
    if (text != NULL) text[size] = '\0';
    return text;
}

// Lines "token TOKEN", "input NAME" and "output NAME", as `trammel export` wrote them.
static bool read_variables(unit* u, char* text, fmi3String token)
{
    int lines = 0;
    bool is_ours = false;
    for (const char* p = text; *p != '\0'; p++) lines += *p == '\n';
    u->variables = calloc((size_t)lines + 1, sizeof *u->variables);
    u->values = calloc((size_t)lines + 1, sizeof *u->values);
    if (u->variables == NULL || u->values == NULL) {
        tell(u, fmi3Error, "out of memory");
        return false;
    }
    char* rest = NULL;
    for (char* line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        unit_variable* v = &u->variables[u->count];
        bool is_known = true;
        if (strncmp(line, "token ", 6) == 0) {
            is_ours = token != NULL && strcmp(line + 6, token) == 0;
        } else if (strncmp(line, "input ", 6) == 0) {
            is_known = u->input_count == u->count && unit_find_input(u->model, line + 6, v);
            u->values[u->input_count++] = v->start;
            u->count++;
        } else if (strncmp(line, "output ", 7) == 0) {
            is_known = unit_find_output(u->model, line + 7, v);
            u->count++;
        } else {
            is_known = false;
        }
        if (is_known) continue;
        tell(u, fmi3Error, "resources/unit.txt: '%s' is not of this scene", line);
        return false;
    }
    if (!is_ours) tell(u, fmi3Error, "the instantiation token is not the one of this unit");
    return is_ours;
}

static bool load(unit* u, fmi3String folder, fmi3String token)
{
    char* scene = read_file(folder, "scene.json");
    char* list = read_file(folder, "unit.txt");
    bool is_good = scene != NULL && list != NULL;
    if (!is_good) tell(u, fmi3Error, "%s: no scene.json or unit.txt: %s", folder, strerror(errno));
    u->scene = tml_scene_create();
    if (is_good && (u->scene == NULL ||
                    tml_scene_read_text(u->scene, scene, strlen(scene), "scene.json") != TML_OK ||
                    tml_scene_build(u->scene, &u->model) != TML_OK)) {
        tell(u, fmi3Error, "%s", u->scene != NULL ? tml_scene_message(u->scene) : "out of memory");
        is_good = false;
    }
    is_good = is_good && read_variables(u, list, token);
    free(scene);
    free(list);
    return is_good;
}

// ---- the simulation

static void forget_sim(unit* u)
{
    tml_derivatives_destroy(u->d);
    tml_sim_destroy(u->sim);
    u->d = NULL;
    u->sim = NULL;
}

// What is pushed acts on a simulation of one's own; derivatives would not see it.
static bool has_pushes(const unit* u)
{
    for (int i = 0; i < u->input_count; i++) {
        if (u->variables[i].kind == UNIT_PUSH) return true;
    }
    return false;
}

static bool make_sim(unit* u)
{
    const tml_sim_settings* settings = &tml_scene_settings(u->scene)->sim;
    forget_sim(u);
    u->step = settings->step;
    u->start = 0.0;
    u->time = 0.0;
    u->last_size = 0.0;
    u->control_count = tml_model_control_count(u->model);
    if (!has_pushes(u) && tml_derivatives_create(u->model, settings, 0, &u->d) == TML_OK) {
        u->has_derivatives = true;
        return true;
    }
    tml_derivatives_destroy(u->d);
    u->d = NULL;
    if (tml_sim_create(u->model, settings, &u->sim) == TML_OK) return true;
    tell(u, fmi3Error, "%s", u->sim != NULL ? tml_sim_message(u->sim) : "out of memory");
    forget_sim(u);
    return false;
}

static void take_starts(unit* u)
{
    for (int i = 0; i < u->input_count; i++) u->values[i] = u->variables[i].start;
}

static void destroy(unit* u)
{
    if (u == NULL) return;
    forget_sim(u);
    tml_model_destroy(u->model);
    tml_scene_destroy(u->scene);
    free(u->variables);
    free(u->values);
    free(u->controls);
    free(u);
}

// ---- life

FMI3_API const char* fmi3GetVersion(void);
const char* fmi3GetVersion(void) { return "3.0"; }

FMI3_API fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean is_on, size_t count,
                                        const fmi3String categories[]);
fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean is_on, size_t count,
                               const fmi3String categories[])
{
    unit* u = instance;
    (void)count;
    (void)categories;
    u->is_logging = is_on;
    return fmi3OK;
}

FMI3_API fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean is_visible,
    fmi3Boolean is_logging, fmi3Boolean uses_events, fmi3Boolean may_return_early,
    const fmi3ValueReference required[], size_t required_count, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean is_visible, fmi3Boolean is_logging,
                                         fmi3Boolean uses_events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference required[], size_t required_count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)name;
    (void)is_visible;
    (void)uses_events;
    (void)may_return_early;
    (void)required;
    (void)update;
    unit* u = calloc(1, sizeof *u);
    if (u == NULL) return NULL;
    u->environment = environment;
    u->log = log;
    u->is_logging = is_logging;
    bool is_good = required_count == 0;
    if (!is_good) tell(u, fmi3Error, "there are no intermediate variables");
    if (is_good && resources == NULL) {
        tell(u, fmi3Error, "the path of the resources is missing");
        is_good = false;
    }
    is_good = is_good && load(u, resources, token) && make_sim(u);
    if (is_good) {
        u->controls = calloc((size_t)u->control_count + 1, sizeof *u->controls);
        is_good = u->controls != NULL;
    }
    if (is_good) return u;
    destroy(u);
    return NULL;
}

FMI3_API void fmi3FreeInstance(fmi3Instance instance);
void fmi3FreeInstance(fmi3Instance instance) { destroy(instance); }

FMI3_API fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                fmi3Float64 tolerance, fmi3Float64 start,
                                                fmi3Boolean has_stop, fmi3Float64 stop);
fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    unit* u = instance;
    (void)has_tolerance;  // the scene's holds
    (void)tolerance;
    (void)has_stop;
    (void)stop;
    if (u->mode != MODE_INSTANTIATED) return refuse_mode(u, "fmi3EnterInitializationMode");
    if (!isfinite(start)) return tell(u, fmi3Error, "a start at %g s", start);
    u->start = start;
    u->time = start;
    u->mode = MODE_INITIALIZATION;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    unit* u = instance;
    if (u->mode != MODE_INITIALIZATION) return refuse_mode(u, "fmi3ExitInitializationMode");
    u->mode = MODE_STEP;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3EnterStepMode(fmi3Instance instance);
fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    return refuse_mode(instance, "fmi3EnterStepMode (there are no events)");
}

FMI3_API fmi3Status fmi3Terminate(fmi3Instance instance);
fmi3Status fmi3Terminate(fmi3Instance instance)
{
    unit* u = instance;
    if (u->mode != MODE_STEP) return refuse_mode(u, "fmi3Terminate");
    u->mode = MODE_TERMINATED;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3Reset(fmi3Instance instance);
fmi3Status fmi3Reset(fmi3Instance instance)
{
    unit* u = instance;
    if (!make_sim(u)) {
        u->mode = MODE_FAILED;
        return fmi3Error;
    }
    take_starts(u);
    u->mode = MODE_INSTANTIATED;
    return fmi3OK;
}

// ---- values

FMI3_API fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                   size_t count, fmi3Float64 values[], size_t value_count);
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t count, fmi3Float64 values[], size_t value_count)
{
    const unit* u = instance;
    if (value_count != count) {
        return tell(u, fmi3Error, "fmi3GetFloat64: %zu values for %zu variables", value_count,
                    count);
    }
    for (size_t i = 0; i < count; i++) {
        const fmi3ValueReference r = references[i];
        if (r > (unsigned)u->count) {
            return tell(u, fmi3Error, "fmi3GetFloat64: there is no variable %u", r);
        }
        const int v = (int)r - 1;
        values[i] = v < 0                ? u->time
                    : v < u->input_count ? u->values[v]
                                         : unit_value(sim_of(u), &u->variables[v]);
    }
    return fmi3OK;
}

FMI3_API fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                   size_t count, const fmi3Float64 values[], size_t value_count);
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t count, const fmi3Float64 values[], size_t value_count)
{
    unit* u = instance;
    if (value_count != count) {
        return tell(u, fmi3Error, "fmi3SetFloat64: %zu values for %zu variables", value_count,
                    count);
    }
    if (u->mode > MODE_STEP) return refuse_mode(u, "fmi3SetFloat64");
    for (size_t i = 0; i < count; i++) {
        const fmi3ValueReference r = references[i];
        if (r < 1 || r > (unsigned)u->input_count) {
            return tell(u, fmi3Error, "fmi3SetFloat64: variable %u is no input", r);
        }
        if (!isfinite(values[i])) {
            return tell(u, fmi3Error, "fmi3SetFloat64: '%s' is not finite",
                        u->variables[r - 1].name);
        }
    }
    for (size_t i = 0; i < count; i++) u->values[references[i] - 1] = values[i];
    return fmi3OK;
}

// ---- steps

static bool push(unit* u)
{
    bool has_some = false;
    for (int b = 0; b < tml_model_body_count(u->model); b++) {
        double w[6] = {0.0};
        bool is_pushed = false;
        for (int i = 0; i < u->input_count; i++) {
            const unit_variable* v = &u->variables[i];
            if (v->kind != UNIT_PUSH || v->index != b) continue;
            w[v->component] = u->values[i];
            is_pushed = true;
        }
        if (!is_pushed) continue;
        if (!has_some)
            tml_sim_push(u->sim, (tml_body){-1}, (tml_vec3){0}, (tml_vec3){0}, (tml_vec3){0});
        has_some = true;
        if (tml_sim_push(u->sim, (tml_body){b}, (tml_vec3){0, 0, 0}, (tml_vec3){w[0], w[1], w[2]},
                         (tml_vec3){w[3], w[4], w[5]}) != TML_OK) {
            return false;
        }
    }
    return true;
}

// Inputs are held from the beginning of a communication step to its end.
static const double* controls_of(unit* u, double time)
{
    for (int c = 0; c < u->control_count; c++) {
        u->controls[c] = tml_model_control_value(u->model, c, time);
    }
    for (int i = 0; i < u->input_count; i++) {
        const unit_variable* v = &u->variables[i];
        if (v->kind == UNIT_CONTROL) u->controls[v->index] = u->values[i];
    }
    return u->control_count > 0 ? u->controls : NULL;
}

static fmi3Status advance(unit* u, int steps)
{
    tml_status status = u->d != NULL ? tml_derivatives_begin(u->d) : TML_OK;
    if (status == TML_OK && u->d == NULL && !push(u)) status = TML_NO_MEMORY;
    for (int k = 0; k < steps && status == TML_OK; k++) {
        const double* controls = controls_of(u, tml_sim_time(sim_of(u)) + u->step);
        status =
            u->d != NULL ? tml_derivatives_step(u->d, controls) : tml_sim_step(u->sim, controls);
    }
    if (status == TML_OK) return fmi3OK;
    return tell(u, fmi3Error, "t = %g s: %s", u->start + tml_sim_time(sim_of(u)),
                u->d != NULL ? tml_derivatives_message(u->d) : tml_sim_message(u->sim));
}

FMI3_API fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 size,
                               fmi3Boolean keeps_state, fmi3Boolean* needs_event,
                               fmi3Boolean* terminates, fmi3Boolean* returned_early,
                               fmi3Float64* last_time);
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 size,
                      fmi3Boolean keeps_state, fmi3Boolean* needs_event, fmi3Boolean* terminates,
                      fmi3Boolean* returned_early, fmi3Float64* last_time)
{
    unit* u = instance;
    (void)keeps_state;
    *needs_event = *terminates = *returned_early = false;
    *last_time = u->time;
    if (u->mode != MODE_STEP) return refuse_mode(u, "fmi3DoStep");
    // times that a master adds up are rounded
    const double slack = 1e-6 * u->step + 8.0 * DBL_EPSILON * fabs(u->time);
    const double steps = floor(size / u->step + 0.5);
    if (!(fabs(point - u->time) <= slack)) {
        return tell(u, fmi3Error, "fmi3DoStep: the unit is at %.9g s, not at %.9g s", u->time,
                    point);
    }
    if (!(size > 0.0) || steps > 1e9 || fabs(size - steps * u->step) > slack) {
        return tell(u, fmi3Error,
                    "fmi3DoStep: %.9g s is no multiple of the scene's step, %.9g s; export it with "
                    "another --step",
                    size, u->step);
    }
    const fmi3Status status = advance(u, (int)steps);
    u->time = status == fmi3OK ? point + size : u->start + tml_sim_time(sim_of(u));
    u->last_size = size;
    *last_time = u->time;
    if (status != fmi3OK) u->mode = MODE_FAILED;
    return status;
}

FMI3_API fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                             const fmi3ValueReference references[], size_t count,
                                             const fmi3Int32 orders[], fmi3Float64 values[],
                                             size_t value_count);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[],
                                    size_t count, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t value_count)
{
    (void)references;
    (void)orders;
    (void)values;
    (void)value_count;
    return count == 0 ? fmi3OK : tell(instance, fmi3Error, "fmi3GetOutputDerivatives: not offered");
}

// ---- states

static size_t state_bytes(const unit* u)
{
    return sizeof(unit_state) + (size_t)u->input_count * sizeof(double) +
           tml_sim_state_size(sim_of(u));
}

// FNV-1a of everything behind the mark: bytes that were spoilt on their way are no state.
static uint64_t mark_of(const unsigned char* state, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = offsetof(unit_state, start); i < size; i++) {
        h = (h ^ state[i]) * 0x100000001b3u;
    }
    return h;
}

static bool save(const unit* u, unsigned char* to)
{
    unit_state head = {.size = state_bytes(u), .start = u->start, .time = u->time, .mode = u->mode};
    const size_t inputs = (size_t)u->input_count * sizeof(double);
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, u->values, inputs);
    if (tml_sim_save(sim_of(u), to + sizeof head + inputs) != TML_OK) return false;
    head.mark = mark_of(to, (size_t)head.size);
    memcpy(to, &head, sizeof head);
    return true;
}

FMI3_API fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state);
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state)
{
    (void)instance;
    if (state == NULL) return fmi3OK;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state);
fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state)
{
    const unit* u = instance;
    unsigned char* bytes = malloc(state_bytes(u));
    if (bytes == NULL || !save(u, bytes)) {
        free(bytes);
        return tell(u, fmi3Error, "fmi3GetFMUState: out of memory");
    }
    free(*state);
    *state = bytes;
    return fmi3OK;
}

static fmi3Status restore(unit* u, const unsigned char* bytes, size_t size)
{
    unit_state head;
    const size_t inputs = (size_t)u->input_count * sizeof(double);
    if (size < sizeof head + inputs) return tell(u, fmi3Error, "not a state of this unit");
    memcpy(&head, bytes, sizeof head);
    if (head.size != size || head.size != state_bytes(u) || head.mark != mark_of(bytes, size) ||
        !(head.mode >= MODE_INSTANTIATED && head.mode <= MODE_FAILED)) {
        return tell(u, fmi3Error, "not a state of this unit");
    }
    const unsigned char* rest = bytes + sizeof head + inputs;
    const size_t length = size - sizeof head - inputs;
    const tml_status status = u->d != NULL ? tml_derivatives_restore(u->d, rest, length)
                                           : tml_sim_restore(u->sim, rest, length);
    if (status != TML_OK) {
        return tell(u, fmi3Error, "%s",
                    u->d != NULL ? tml_derivatives_message(u->d) : tml_sim_message(u->sim));
    }
    memcpy(u->values, bytes + sizeof head, inputs);
    u->start = head.start;
    u->time = head.time;
    u->mode = (unit_mode)head.mode;
    u->last_size = 0.0;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state);
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    unit_state head;
    if (state == NULL) return tell(instance, fmi3Error, "fmi3SetFMUState: there is no state");
    memcpy(&head, state, sizeof head);
    return restore(instance, state, (size_t)head.size);
}

FMI3_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                               size_t* size);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size)
{
    unit_state head;
    if (state == NULL) return tell(instance, fmi3Error, "there is no state");
    memcpy(&head, state, sizeof head);
    *size = (size_t)head.size;
    return fmi3OK;
}

FMI3_API fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state,
                                          fmi3Byte bytes[], size_t size);
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size)
{
    unit_state head;
    if (state == NULL) return tell(instance, fmi3Error, "there is no state");
    memcpy(&head, state, sizeof head);
    if (size < head.size)
        return tell(instance, fmi3Error, "a state takes %zu bytes", (size_t)head.size);
    memcpy(bytes, state, (size_t)head.size);
    return fmi3OK;
}

// Checked when it is set.
FMI3_API fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[],
                                            size_t size, fmi3FMUState* state);
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState* state)
{
    unit_state head;
    if (size < sizeof head) return tell(instance, fmi3Error, "not a state of this unit");
    memcpy(&head, bytes, sizeof head);
    if (head.size != size) return tell(instance, fmi3Error, "not a state of this unit");
    unsigned char* copy = malloc(size);
    if (copy == NULL) return tell(instance, fmi3Error, "out of memory");
    memcpy(copy, bytes, size);
    free(*state);
    *state = copy;
    return fmi3OK;
}

// ---- derivatives: of outputs after the last communication step by inputs, which were held in it

static fmi3Status check_partial(const unit* u, const char* function,
                                const fmi3ValueReference unknowns[], size_t unknown_count,
                                const fmi3ValueReference knowns[], size_t known_count)
{
    if (!u->has_derivatives) {
        return tell(u, fmi3Error, "%s: steps of this scene have no derivatives", function);
    }
    if (u->mode != MODE_STEP && u->mode != MODE_INITIALIZATION) return refuse_mode(u, function);
    for (size_t i = 0; i < known_count; i++) {
        if (knowns[i] >= 1 && knowns[i] <= (unsigned)u->input_count) continue;
        return tell(u, fmi3Error, "%s: variable %u is no input", function, knowns[i]);
    }
    for (size_t i = 0; i < unknown_count; i++) {
        const bool is_output =
            unknowns[i] > (unsigned)u->input_count && unknowns[i] <= (unsigned)u->count;
        if (is_output && u->variables[unknowns[i] - 1].kind != UNIT_GAP) continue;
        return tell(u, fmi3Error, "%s: variable %u is no output that has derivatives", function,
                    unknowns[i]);
    }
    return fmi3OK;
}

// The slope of a weighted sum of outputs by inputs.
static fmi3Status sum_slopes(unit* u, const fmi3ValueReference unknowns[], const double weights[],
                             size_t unknown_count, const fmi3ValueReference knowns[],
                             size_t known_count, double* out)
{
    const int steps = tml_derivatives_steps(u->d);
    for (size_t i = 0; i < known_count; i++) out[i] = 0.0;
    if (steps == 0) return fmi3OK;  // no step has been made with them
    tml_quantity* quantities = calloc(2 * unknown_count + 1, sizeof *quantities);
    double* weight = calloc(2 * unknown_count + 1, sizeof *weight);
    tml_parameter* parameters = calloc(known_count + 1, sizeof *parameters);
    tml_status status =
        quantities != NULL && weight != NULL && parameters != NULL ? TML_OK : TML_NO_MEMORY;
    int count = 0;
    for (size_t i = 0; i < unknown_count && status == TML_OK; i++) {
        const unit_variable* v = &u->variables[unknowns[i] - 1];
        weight[count] = weights[i];
        quantities[count] = v->quantity;
        if (v->kind == UNIT_TOTAL) {
            quantities[count].kind = TML_QUANTITY_KINETIC;
            quantities[count++].step = steps;
            weight[count] = weights[i];
            quantities[count].kind = TML_QUANTITY_POTENTIAL;
        }
        quantities[count++].step = steps;
    }
    for (size_t i = 0; i < known_count && status == TML_OK; i++) {
        parameters[i] =
            (tml_parameter){TML_PARAMETER_CONTROL, u->variables[knowns[i] - 1].index, 0, 0};
    }
    if (status == TML_OK) {
        status = tml_derivatives_gradient(u->d, count, quantities, weight, (int)known_count,
                                          parameters, out);
    }
    free(quantities);
    free(weight);
    free(parameters);
    if (status == TML_OK) return fmi3OK;
    return tell(u, fmi3Error, "%s",
                status == TML_NO_MEMORY ? "out of memory" : tml_derivatives_message(u->d));
}

FMI3_API fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance,
                                             const fmi3ValueReference unknowns[],
                                             size_t unknown_count,
                                             const fmi3ValueReference knowns[], size_t known_count,
                                             const fmi3Float64 seed[], size_t seed_count,
                                             fmi3Float64 sensitivity[], size_t sensitivity_count);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t unknown_count, const fmi3ValueReference knowns[],
                                    size_t known_count, const fmi3Float64 seed[], size_t seed_count,
                                    fmi3Float64 sensitivity[], size_t sensitivity_count)
{
    unit* u = instance;
    const fmi3Status status =
        check_partial(u, "fmi3GetAdjointDerivative", unknowns, unknown_count, knowns, known_count);
    if (status != fmi3OK) return status;
    if (seed_count != unknown_count || sensitivity_count != known_count) {
        return tell(u, fmi3Error, "fmi3GetAdjointDerivative: lists of different lengths");
    }
    return sum_slopes(u, unknowns, seed, unknown_count, knowns, known_count, sensitivity);
}

FMI3_API fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknown_count,
    const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],
    size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count);
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[],
                                        size_t known_count, const fmi3Float64 seed[],
                                        size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count)
{
    unit* u = instance;
    const double one = 1.0;
    fmi3Status status = check_partial(u, "fmi3GetDirectionalDerivative", unknowns, unknown_count,
                                      knowns, known_count);
    if (status != fmi3OK) return status;
    if (seed_count != known_count || sensitivity_count != unknown_count) {
        return tell(u, fmi3Error, "fmi3GetDirectionalDerivative: lists of different lengths");
    }
    double* row = calloc(known_count + 1, sizeof *row);
    if (row == NULL) return tell(u, fmi3Error, "out of memory");
    for (size_t i = 0; i < unknown_count && status == fmi3OK; i++) {
        status = sum_slopes(u, &unknowns[i], &one, 1, knowns, known_count, row);
        sensitivity[i] = 0.0;
        for (size_t k = 0; k < known_count; k++) sensitivity[i] += row[k] * seed[k];
    }
    free(row);
    return status;
}
