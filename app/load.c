// app/load.c - reads a scene, applies the overrides of the command line, builds the model.
#include "app/load.h"

#include "app/recorded.h"
#include "scenes/scenes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

const option override_options[OVERRIDES] = {
    {"formulation", OPTION_TEXT, "NAME", "which unknowns (quaternion; 'trammel list')", 0, 0},
    {"integrator", OPTION_TEXT, "NAME", "which time formula (* in 'trammel list')", 0, 0},
    {"step", OPTION_NUMBER, "SECONDS", "length of a step (the scene's, else 0.01)", 1e-12, 1e3},
    {"duration", OPTION_NUMBER, "SECONDS", "how long to simulate (the scene's)", 0.0, 1e12},
    {"tolerance", OPTION_NUMBER, "LENGTH", "largest row and last update, m and rad (1e-10)", 1e-15,
     1e-2},
    {"solver", OPTION_TEXT, "NAME", "of the linear systems (auto; 'trammel list')", 0, 0},
    {"threads", OPTION_WHOLE, "N", "the result does not depend on it (1)", 1, 1024},
    {"floating", OPTION_FLAG, NULL, "a URDF or SDF root is free, not welded to the world", 0, 0},
    {"closures", OPTION_TEXT, "FILE", "loops of a URDF model (else NAME.yaml beside it)", 0, 0},
    {"keyframe", OPTION_TEXT, "NAME", "where an MJCF model starts ('' for its zero pose)", 0, 0},
    {"package", OPTION_TEXT, "NAME=DIR", "where meshes of package://NAME are (A=DIR,B=DIR)", 0, 0},
    {"contact", OPTION_FLAG, NULL, "bodies touch (robot models do, where their shapes can)", 0, 0},
    {"no-contact", OPTION_FLAG, NULL, "bodies pass through each other", 0, 0},
    {"assemble", OPTION_FLAG, NULL, "close open joints first (done for robot models)", 0, 0},
    {"no-armature", OPTION_FLAG, NULL, "leave rotors of a robot model out", 0, 0},
    {"no-joint-friction", OPTION_FLAG, NULL, "leave dry friction of joints of a robot out", 0, 0},
    {"no-assemble", OPTION_FLAG, NULL, "refuse open joints of a robot model too", 0, 0},
    {"allow-outside", OPTION_TEXT, "DIR",
     "files that a scene names may lie below DIR too (DIR,DIR)", 0, 0},
};

// ---- what is said on the way

// On stderr, so that what a command prints is its answer alone.
__attribute__((format(printf, 2, 3))) static void note(const loaded* l, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "trammel: %s: ", l->name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

static void say_lint(const loaded* l)
{
    const int count = tml_scene_lint_count(l->scene);
    if (count > 0) note(l, "not simulated, or taken otherwise than written:");
    for (int i = 0; i < count; i++) {
        const char* sentence = tml_scene_lint(l->scene, i);
        fprintf(stderr, "  %s\n", sentence != NULL ? sentence : "no memory");
    }
}

// ---- overrides

// Names of formulations, integrators and solvers share one shape: an index below a count.
typedef const char* (*name_of)(int index);

static const char* formulation_name(int i) { return tml_formulation_name((tml_formulation)i); }
static const char* integrator_name(int i) { return tml_integrator_name((tml_integrator)i); }
static const char* solver_name(int i) { return tml_solver_name((tml_solver)i); }

// The index of the name an option gives: -1 when the option is not given, -2 when it is wrong.
static int find_name(const arguments* given, const char* option_name, int count, name_of name)
{
    const char* word = option_text(given, option_name);
    char hint[80];

    if (word == NULL) return -1;
    nearest best = nearest_to(word);
    for (int i = 0; i < count; i++) {
        if (strcmp(name(i), word) == 0) return i;
        nearest_offer(&best, name(i));
    }
    app_error("--%s: unknown name '%s'%s", option_name, word,
              nearest_hint(&best, "", hint, sizeof hint));
    return -2;
}

// What a model asks for by itself gives way to a method that the user has named.
static void apply_contact(const arguments* given, const loaded* l, bool has_bodies,
                          tml_run_settings* s)
{
    const bool is_asked = option_is_given(given, "contact");
    if (is_asked) s->sim.contact.is_on = true;
    if (option_is_given(given, "no-contact")) s->sim.contact.is_on = false;
    if (!s->sim.contact.is_on || is_asked || !tml_scene_is_model(l->scene) || !has_bodies) return;
    if (tml_pairing_has_contact(s->sim.formulation, s->sim.integrator)) return;
    s->sim.contact.is_on = false;
    note(l, "%s with %s has no contact: bodies pass through each other",
         tml_formulation_name(s->sim.formulation), tml_integrator_name(s->sim.integrator));
}

static int apply_overrides(const arguments* given, const loaded* l, bool has_bodies,
                           tml_run_settings* s)
{
    const int formulation = find_name(given, "formulation", TML_FORMULATIONS, formulation_name);
    const int integrator = find_name(given, "integrator", TML_INTEGRATORS, integrator_name);
    const int solver = find_name(given, "solver", TML_SOLVERS, solver_name);

    if (formulation == -2 || integrator == -2 || solver == -2) return APP_BAD_INPUT;
    if (formulation >= 0) {
        s->sim.formulation = (tml_formulation)formulation;
        // the integrator was chosen for the old formulation: keep it only where it was asked for
        // and still makes sense
        const bool is_kept = tml_pairing_exists(s->sim.formulation, s->sim.integrator) &&
                             (!s->sim.contact.is_on ||
                              tml_pairing_has_contact(s->sim.formulation, s->sim.integrator));
        if (has_bodies && (!s->has_integrator || !is_kept)) {
            s->sim.integrator = tml_formulation_default_integrator(s->sim.formulation);
        }
    }
    if (integrator >= 0) {
        s->sim.integrator = (tml_integrator)integrator;
        s->has_integrator = 1;
    }
    apply_contact(given, l, has_bodies, s);
    if (solver >= 0) s->sim.solver = (tml_solver)solver;
    if (option_is_given(given, "step")) s->sim.step = option_number(given, "step");
    if (option_is_given(given, "duration")) s->duration = option_number(given, "duration");
    if (option_is_given(given, "tolerance")) s->sim.tolerance = option_number(given, "tolerance");
    if (option_is_given(given, "threads")) s->sim.threads = (int)option_whole(given, "threads");
    return APP_DONE;
}

// ---- reading

enum {
    FIRST_CAPACITY = 1 << 16,
    INPUT_MOST = 1 << 30  // bytes: as of a file
};

// All of standard input; NULL without memory or when reading fails (errno says why).
static char* read_standard_input(size_t* length)
{
    size_t capacity = FIRST_CAPACITY;
    size_t used = 0;
    char* text = malloc(capacity);

    while (text != NULL) {
        const size_t part = fread(text + used, 1, capacity - used, stdin);
        const bool is_text = memchr(text + used, 0, part) == NULL;
        used += part;
        if (ferror(stdin) || !is_text || used > INPUT_MOST) {
            if (!ferror(stdin)) errno = is_text ? EFBIG : EILSEQ;
            free(text);
            return NULL;
        }
        if (used < capacity) break;
        capacity *= 2;
        char* larger = realloc(text, capacity);
        if (larger == NULL) free(text);
        text = larger;
    }
    *length = used;
    return text;
}

// "scene:NAME": a built-in scene.
static const char built_in[] = "scene:";

static tml_status fill_scene(const loaded* l)
{
    const scene_entry* entry = scenes_find(l->path + strlen(built_in));
    if (entry == NULL) {
        app_error("no built-in scene '%s' ('trammel scene --list' names them)",
                  l->path + strlen(built_in));
        return TML_BAD_ARGUMENT;
    }
    const tml_status status = scenes_fill(l->scene, entry);
    if (status != TML_OK) {
        app_error("%s: %s", l->path, tml_spec_message(tml_scene_spec(l->scene)));
    }
    return status;
}

static tml_status read_scene(const loaded* l)
{
    if (strncmp(l->path, built_in, strlen(built_in)) == 0) return fill_scene(l);
    if (strcmp(l->path, "-") != 0) return tml_scene_read_file(l->scene, l->path);

    size_t length = 0;
    char* text = read_standard_input(&length);
    if (text == NULL) {
        const int error = errno;
        app_error("%s: %s", l->name, error == EILSEQ ? "it is no text" : strerror(error));
        return error == ENOMEM ? TML_NO_MEMORY : TML_BAD_FILE;
    }
    const tml_status status = tml_scene_read_text(l->scene, text, length, l->name);
    free(text);
    return status;
}

static void complain(const loaded* l)
{
    const char* message = tml_scene_message(l->scene);

    // a name of ours where a file is wanted is an easy slip
    if (scenes_find(l->path) != NULL && !file_exists(l->path)) {
        app_error("%s ('trammel scene %s' prints the built-in scene)", message, l->path);
    } else if (message[0] != '\0') {
        app_error("%s", message);
    }
}

static bool are_opposite(const arguments* given, const char* a, const char* b)
{
    if (!option_is_given(given, a) || !option_is_given(given, b)) return false;
    app_error("--%s and --%s ask for opposites: give one of them", a, b);
    return true;
}

// Does what the command names simulate dry friction in joints? Unnamed, a model asks for what does.
static bool simulates_joint_friction(const char* form, const char* integrator)
{
    tml_integrator is = TML_TIME_SEMI_IMPLICIT_EULER;
    if (form != NULL && strcmp(form, "generalized") != 0) return false;
    if (integrator == NULL || !tml_integrator_find(integrator, &is)) return true;
    return tml_pairing_has_contact(TML_FORM_GENERALIZED, is);
}

int load(const arguments* given, loaded* out)
{
    const char* path = given->positionals[0];

    if (is_recording(path)) {
        app_error("%s: this is a recording, not a scene; 'trammel view' and 'report' show it",
                  path);
        return APP_BAD_INPUT;
    }
    *out = (loaded){.path = path, .name = strcmp(path, "-") == 0 ? "standard input" : path};
    if (are_opposite(given, "contact", "no-contact") ||
        are_opposite(given, "assemble", "no-assemble")) {
        return APP_BAD_INPUT;
    }
    out->scene = tml_scene_create();
    if (out->scene == NULL) {
        app_error("%s: no memory", out->name);
        return APP_FAILED;
    }
    tml_load_options options = tml_load_options_default();
    options.float_base = option_is_given(given, "floating");
    options.closures = option_text(given, "closures");
    options.keyframe = option_text(given, "keyframe");
    // a formulation that is named gets what it can simulate, and the list says what was left out
    const char* form = option_text(given, "formulation");
    options.without_armature =
        option_is_given(given, "no-armature") || (form != NULL && strcmp(form, "generalized") != 0);
    options.without_joint_friction =
        option_is_given(given, "no-joint-friction") ||
        !simulates_joint_friction(form, option_text(given, "integrator"));
    options.packages = option_text(given, "package");
    options.allow_outside = option_text(given, "allow-outside");
    tml_status status = tml_scene_set_load_options(out->scene, &options);
    if (status == TML_OK) status = read_scene(out);
    if (status == TML_OK) {
        const bool has_bodies = tml_spec_body_count(tml_scene_spec(out->scene)) > 0;
        const int code = apply_overrides(given, out, has_bodies, tml_scene_settings(out->scene));
        if (code != APP_DONE) return code;
        status = tml_scene_build(out->scene, &out->model);
    }
    if (status == TML_OK) return APP_DONE;

    complain(out);
    return app_exit_code(status);
}

void unload(loaded* l)
{
    tml_model_destroy(l->model);
    tml_scene_destroy(l->scene);
    l->model = NULL;
    l->scene = NULL;
}

void print_lint(const loaded* l)
{
    const int count = tml_scene_lint_count(l->scene);
    if (count > 0) printf("\nnot simulated, or taken otherwise than written:\n");
    for (int i = 0; i < count; i++) {
        const char* sentence = tml_scene_lint(l->scene, i);
        printf("  %s\n", sentence != NULL ? sentence : "no memory");
    }
}

void forget_scene(loaded* l)
{
    // without memory for an empty scene the full one stays: nothing else changes
    if (tml_scene_forget(l->scene) != TML_OK) return;
#if defined(__GLIBC__)
    malloc_trim(0);  // small blocks: the allocator would keep them
#endif
}

const tml_run_settings* loaded_settings(const loaded* l) { return tml_scene_settings(l->scene); }

int assemble_loaded(const loaded* l, tml_pose* poses, tml_assemble_report* report, char* why,
                    size_t capacity)
{
    tml_assemble_settings settings = tml_assemble_settings_default();
    settings.tolerance = loaded_settings(l)->sim.tolerance;
    const tml_status status = tml_model_assemble(l->model, &settings, poses, report, why, capacity);
    if (status == TML_OK) return APP_DONE;
    app_error("%s: %s", l->name, why);
    return app_exit_code(status);
}

int assemble_in_place(loaded* l, tml_assemble_report* report, char* why, size_t capacity)
{
    tml_pose* poses = calloc((size_t)tml_model_body_count(l->model) + 1, sizeof *poses);
    if (poses == NULL) {
        app_error("%s: no memory", l->name);
        return APP_FAILED;
    }
    int code = assemble_loaded(l, poses, report, why, capacity);
    if (code == APP_DONE) {
        tml_model* closed = NULL;
        tml_status status = tml_spec_set_poses(tml_scene_spec(l->scene), poses);
        if (status == TML_OK) status = tml_scene_build(l->scene, &closed);
        if (status == TML_OK) {
            tml_model_destroy(l->model);
            l->model = closed;
        } else {
            app_error("%s: %s", l->name, tml_scene_message(l->scene));
            code = app_exit_code(status);
        }
    }
    free(poses);
    return code;
}

int load_told(const arguments* given, loaded* out)
{
    const int code = load(given, out);
    if (code == APP_DONE) say_lint(out);
    return code;
}

int load_closed(const arguments* given, loaded* out)
{
    char why[1024];
    int code = load_told(given, out);
    if (code != APP_DONE) return code;
    const double tolerance = loaded_settings(out)->sim.tolerance;
    const bool is_asked = option_is_given(given, "assemble");
    const bool is_usual = tml_scene_is_model(out->scene) && !option_is_given(given, "no-assemble");
    const double gap = tml_model_summarise(out->model).max_gap;
    if (!is_asked && !(is_usual && gap > tolerance)) return APP_DONE;
    out->is_assembled = true;
    code = assemble_in_place(out, &out->assembly, why, sizeof why);
    if (code == APP_DONE && !is_asked) {
        note(out,
             "joints were open by up to %.3g: closed, bodies moved by up to %.3g m and %.3g rad "
             "(--no-assemble refuses them)",
             gap, out->assembly.moved, out->assembly.turned);
    }
    return code;
}

int create_sim(const loaded* l, tml_sim** sim, char* why, size_t capacity)
{
    *sim = NULL;
    const tml_status status = tml_sim_create(l->model, &loaded_settings(l)->sim, sim);
    if (status == TML_OK) return APP_DONE;

    // a refused simulation is good for its message only
    snprintf(why, capacity, "%s", *sim != NULL ? tml_sim_message(*sim) : tml_status_name(status));
    const bool is_open = status == TML_BAD_ARGUMENT &&
                         tml_model_summarise(l->model).max_gap > loaded_settings(l)->sim.tolerance;
    app_error("%s: %s%s", l->name, why,
              is_open ? "; 'run --assemble' and 'trammel assemble' close them" : "");
    tml_sim_destroy(*sim);
    *sim = NULL;
    return app_exit_code(status);
}
