// io/scene_read.c - a scene from a file or a text: the top level, and what it hands on.
//
// Everything is read into a fresh spec that takes the place of the scene's own only when nothing
// was wrong, so a failed read leaves the scene empty.
#include "base/memory.h"
#include "io/file.h"
#include "io/scene_internal.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

// ---- the top level

static void check_version(const element* top)
{
    const json* version = tml__need(top, "trammel");
    if (version == NULL) return;
    if (version->kind != JSON_NUMBER || !(version->number >= 1.0 && version->number <= 1.0)) {
        tml__refuse(top->r, version, TML_BAD_ARGUMENT,
                    "'trammel' must be 1, the version of the scene format that this build reads");
    }
}

static void read_rayleigh(const element* top)
{
    static const char* const keys[] = {"mass", "stiffness", NULL};
    const json* value = tml__find(top, "rayleigh");
    if (value == NULL) return;
    const element e = tml__open(top->r, value, "rayleigh", -1, keys);
    double mass = 0.0;
    double stiffness = 0.0;
    tml__read_number(&e, "mass", NOT_NEGATIVE, &mass);
    tml__read_number(&e, "stiffness", NOT_NEGATIVE, &stiffness);
    tml_spec_set_rayleigh(top->r->spec, mass, stiffness);
}

static void read_friction_rule(const element* top)
{
    static const char* const words[] = {"min", "max", NULL};
    if (tml__find(top, "friction_rule") == NULL) return;
    const bool is_larger = tml__read_word(top, "friction_rule", words) == 1;
    tml_spec_set_friction_rule(top->r->spec,
                               is_larger ? TML_FRICTION_LARGER : TML_FRICTION_SMALLER);
}

static void read_scene(reader* r, const json* root)
{
    static const char* const keys[] = {"trammel",    "name",          "gravity",      "bodies",
                                       "joints",     "couplings",     "nonholonomic", "collision",
                                       "forces",     "deformables",   "rayleigh",     "generate",
                                       "simulation", "friction_rule", "sensors",      NULL};
    element top = tml__open(r, root, "the scene", -1, NULL);
    snprintf(top.label, sizeof top.label, "the scene");
    tml__check_keys(&top, keys);
    check_version(&top);

    const char* name = tml__read_text(&top, "name");
    if (name != NULL) tml_spec_set_name(r->spec, name);
    tml_vec3 gravity = r->spec->all.gravity;
    tml__read_vector(&top, "gravity", &gravity);
    tml_spec_set_gravity(r->spec, gravity);

    read_rayleigh(&top);
    read_friction_rule(&top);

    // bodies first, because joints and forces name them; generated joints come behind the others
    const json* bodies = tml__need(&top, "bodies");
    const json* generate = tml__find(&top, "generate");
    if (bodies != NULL) tml__read_bodies(r, bodies);
    struct generator* generators = generate != NULL ? tml__read_generators(r, generate) : NULL;
    const json* deformables = tml__find(&top, "deformables");
    if (deformables != NULL) tml__read_deformables(r, deformables);
    const definitions* all = &r->spec->all;
    const int things = all->body_count + all->deformable_count + all->world_shape_count;
    if (r->status == TML_OK && things == 0) {
        tml__refuse(r, bodies, TML_BAD_ARGUMENT, "the scene has no bodies and no deformables");
    }
    const json* joints = tml__find(&top, "joints");
    if (joints != NULL) tml__read_joints(r, joints);
    tml__generate_joints(r, generators);

    const json* couplings = tml__find(&top, "couplings");
    if (couplings != NULL) tml__read_couplings(r, couplings);
    const json* nonholonomic = tml__find(&top, "nonholonomic");
    if (nonholonomic != NULL) tml__read_nonholonomics(r, nonholonomic);
    const json* forces = tml__find(&top, "forces");
    if (forces != NULL) tml__read_forces(r, forces);
    const json* sensors = tml__find(&top, "sensors");
    if (sensors != NULL) tml__read_sensors(r, sensors);
    const json* collision = tml__find(&top, "collision");
    if (collision != NULL) tml__read_collision(r, collision);
    const json* simulation = tml__find(&top, "simulation");
    if (simulation != NULL) tml__read_simulation(r, simulation);
    // deformables alone belong to no formulation: their default is the same in all of them
    if (!r->settings.has_integrator && all->body_count == 0) {
        r->settings.sim.integrator = TML_TIME_BDF2;
    }
    if (r->status == TML_OK) tml__take_refusal(r, root);
}

// ---- into the scene

static void destroy_lines(line_list* list)
{
    tml__release(NULL, list->lines);
    *list = (line_list){0};
}

// The two specs change places, inside and out: pointers that the caller holds stay good.
static void keep(tml_scene* scene, reader* r, char* file)
{
    const tml_spec emptied = *scene->spec;
    *scene->spec = *r->spec;
    *r->spec = emptied;
    scene->settings = r->settings;
    scene->body_lines = r->body_lines;
    scene->joint_lines = r->joint_lines;
    r->body_lines = r->joint_lines = (line_list){0};
    scene->lint = r->lint;
    r->lint = (lint_list){0};
    scene->file = file;
}

static bool is_empty(const tml_scene* scene)
{
    const definitions* all = &scene->spec->all;
    return scene->file == NULL && scene->spec->status == TML_OK &&
           all->body_count + all->world_shape_count + all->joint_count + all->coupling_count +
                   all->nonholonomic_count + all->spring_count + all->wrench_count +
                   all->drag_count + all->exclude_count + all->pair_count + all->deformable_count ==
               0;
}

// The text as JSON; the document takes it over.
static void read_json(reader* r, char* text, size_t length)
{
    json_document document;
    json_error error;
    const tml_status parsed = tml__json_read(text, length, &document, &error);

    if (parsed == TML_NO_MEMORY) {
        tml__refuse(r, NULL, TML_NO_MEMORY, "out of memory");
    } else if (parsed != TML_OK) {
        const json place = {.line = error.line};
        tml__refuse(r, &place, parsed, "%s (column %u)", error.text, error.column);
    } else {
        read_scene(r, document.root);
    }
    tml__json_destroy(&document);
}

// Read `text`, which came from tml__allocate and is released here. `path` is NULL for a text that
// is in no file.
static tml_status read_owned(tml_scene* scene, char* text, size_t length, const char* name,
                             const char* path)
{
    reader r = {.file = name,
                .spec = tml_spec_create(),
                .settings = tml__run_settings_default(),
                .outside = scene->options.allow_outside,
                .status = TML_OK};
    char* file = tml__allocate(NULL, strlen(name) + 1, 1);
    bool is_model = false;

    if (r.spec == NULL || file == NULL) {
        tml__refuse(&r, NULL, TML_NO_MEMORY, "out of memory");
        tml__release(NULL, text);
    } else if (tml__is_model(text, length)) {
        tml__read_model(&r, text, length, path, &scene->options);
        tml__release(NULL, text);
        is_model = true;
    } else {
        read_json(&r, text, length);
    }
    const tml_status status = r.status;
    if (status == TML_OK && file != NULL) {
        memcpy(file, name, strlen(name) + 1);
        keep(scene, &r, file);
        scene->is_model = is_model;
        scene->mass_all = r.mass_all;
        scene->mass_moving = r.mass_moving;
    } else {
        scene->why = r.why;
        tml__release(NULL, file);
    }
    destroy_lines(&r.body_lines);
    destroy_lines(&r.joint_lines);
    tml__lint_destroy(&r.lint);
    tml__forget_recording(&r);
    tml__pool_destroy(&r.scratch);
    tml_spec_destroy(r.spec);
    return status;
}

tml_status tml_scene_read_text(tml_scene* scene, const char* text, size_t length, const char* name)
{
    if (scene == NULL) return TML_BAD_ARGUMENT;
    if (name == NULL) name = "scene";
    if (!is_empty(scene)) {
        return tml__fail(&scene->why, TML_BAD_ARGUMENT, "%.200s: the scene already holds something",
                         name);
    }
    if (length > JSON_MAX_BYTES) {
        return tml__fail(&scene->why, TML_BAD_FILE, "%.200s: the text is larger than 1 GiB", name);
    }
    char* copy = tml__allocate(NULL, length + 1, 1);
    if (copy == NULL) {
        return tml__fail(&scene->why, TML_NO_MEMORY, "%.200s: out of memory", name);
    }
    if (length > 0) memcpy(copy, text, length);
    return read_owned(scene, copy, length, name, NULL);
}

// ---- files

tml_status tml_scene_read_file(tml_scene* scene, const char* path)
{
    if (scene == NULL) return TML_BAD_ARGUMENT;
    if (!is_empty(scene)) {
        return tml__fail(&scene->why, TML_BAD_ARGUMENT, "%.200s: the scene already holds something",
                         path);
    }
    char* text = NULL;
    size_t length = 0;
    const tml_status status =
        tml__file_read_to_zero(path, JSON_MAX_BYTES, &text, &length, &scene->why);
    return status == TML_OK ? read_owned(scene, text, length, path, path) : status;
}
