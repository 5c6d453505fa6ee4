// io/scene.c - the scene object: a spec, how to run it, and where its elements stood in the file.
#include "base/memory.h"
#include "io/scene_internal.h"

#include <stdio.h>
#include <string.h>

tml_scene* tml_scene_create(void)
{
    tml_scene* scene = tml__allocate(NULL, 1, sizeof *scene);
    if (scene == NULL) return NULL;

    scene->spec = tml_spec_create();
    scene->settings = tml__run_settings_default();
    if (scene->spec == NULL) {
        tml_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

void tml_scene_destroy(tml_scene* scene)
{
    if (scene == NULL) return;
    tml_spec_destroy(scene->spec);
    tml__release(NULL, scene->body_lines.lines);
    tml__release(NULL, scene->joint_lines.lines);
    tml__release(NULL, scene->file);
    tml__pool_destroy(&scene->option_texts);
    tml__lint_destroy(&scene->lint);
    tml__release(NULL, scene);
}

const char* tml_scene_message(const tml_scene* scene)
{
    return scene != NULL ? scene->why.text : TML__NO_OBJECT;
}
tml_status tml_scene_forget(tml_scene* scene)
{
    if (scene == NULL) return TML_BAD_ARGUMENT;
    tml_spec* empty = tml_spec_create();
    if (empty == NULL) return TML_NO_MEMORY;
    tml_spec_destroy(scene->spec);
    scene->spec = empty;
    return TML_OK;
}

tml_spec* tml_scene_spec(tml_scene* scene) { return scene != NULL ? scene->spec : NULL; }
tml_run_settings* tml_scene_settings(tml_scene* scene)
{
    return scene != NULL ? &scene->settings : NULL;
}

// The name between quotation marks at the start of a message like "joint 'knee': ..."; false when
// the message does not start that way.
static bool named_in(const char* text, const char* kind, char* name, size_t capacity)
{
    const size_t length = strlen(kind);
    if (strncmp(text, kind, length) != 0 || strncmp(text + length, " '", 2) != 0) return false;

    const char* start = text + length + 2;
    const char* end = strstr(start, "':");
    if (end == NULL || (size_t)(end - start) >= capacity) return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    return true;
}

// The line of the element that a message of the spec is about; 0 when it cannot be told.
static unsigned line_of(const tml_scene* scene, const char* text)
{
    char name[256];
    int index = -1;
    const line_list* lines = NULL;
    if (named_in(text, "body", name, sizeof name)) {
        index = tml_spec_find_body(scene->spec, name).index;
        lines = &scene->body_lines;
    } else if (named_in(text, "joint", name, sizeof name)) {
        index = tml_spec_find_joint(scene->spec, name).index;
        lines = &scene->joint_lines;
    }
    return lines != NULL && index >= 0 && index < lines->count ? lines->lines[index] : 0;
}

tml_status tml_scene_build(tml_scene* scene, tml_model** model)
{
    if (scene == NULL || model == NULL) return TML_BAD_ARGUMENT;
    const tml_status status = tml_spec_build(scene->spec, model);
    if (status == TML_OK) return status;

    const char* text = tml_spec_message(scene->spec);
    const unsigned line = line_of(scene, text);
    if (scene->file == NULL) return tml__fail(&scene->why, status, "%s", text);
    if (line == 0) return tml__fail(&scene->why, status, "%.200s: %.300s", scene->file, text);
    return tml__fail(&scene->why, status, "%.200s:%u: %.280s", scene->file, line, text);
}

tml_load_options tml_load_options_default(void) { return (tml_load_options){0}; }

tml_status tml_scene_set_load_options(tml_scene* scene, const tml_load_options* options)
{
    if (scene == NULL || options == NULL) return TML_BAD_ARGUMENT;
    tml_load_options copy = *options;
    pool* memory = &scene->option_texts;
    if (copy.closures != NULL) copy.closures = tml__pool_text(memory, copy.closures);
    if (copy.keyframe != NULL) copy.keyframe = tml__pool_text(memory, copy.keyframe);
    if (copy.packages != NULL) copy.packages = tml__pool_text(memory, copy.packages);
    if (copy.allow_outside != NULL) {
        copy.allow_outside = tml__pool_text(memory, copy.allow_outside);
    }
    const bool is_kept = (options->allow_outside == NULL || copy.allow_outside != NULL) &&
                         (options->closures == NULL || copy.closures != NULL) &&
                         (options->packages == NULL || copy.packages != NULL) &&
                         (options->keyframe == NULL || copy.keyframe != NULL);
    if (!is_kept) return tml__fail(&scene->why, TML_NO_MEMORY, "out of memory");
    scene->options = copy;
    return TML_OK;
}

bool tml_scene_is_model(const tml_scene* scene) { return scene != NULL ? scene->is_model : false; }

void tml_scene_masses(const tml_scene* scene, double* all, double* moving)
{
    if (all == NULL || moving == NULL) return;
    *all = scene != NULL ? scene->mass_all : 0.0;
    *moving = scene != NULL ? scene->mass_moving : 0.0;
}

int tml_scene_lint_count(const tml_scene* scene) { return scene != NULL ? scene->lint.count : 0; }

const char* tml_scene_lint(tml_scene* scene, int index)
{
    if (scene == NULL) return NULL;
    return tml__lint_sentence(&scene->lint, index);
}
