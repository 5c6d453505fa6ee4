// app/scene.c - `trammel scene`: the built-in scenes, as files to run, read and change.
#include "app/app.h"
#include "scenes/scenes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const option scene_options[] = {
    {"list", OPTION_FLAG, NULL, "name them all", 0, 0},
    {"out", OPTION_TEXT, "FILE", "write into FILE instead of standard output", 0, 0},
};

static int list_scenes(void)
{
    for (int i = 0; i < scenes_count(); i++) {
        printf("%-20s %s\n", scenes_at(i)->name, scenes_at(i)->description);
    }
    return app_finish_output();
}

static int refuse(const char* name)
{
    char hint[80];
    nearest best = nearest_to(name);

    for (int i = 0; i < scenes_count(); i++) nearest_offer(&best, scenes_at(i)->name);
    app_error("no built-in scene '%s'%s ('trammel scene --list' names them)", name,
              nearest_hint(&best, "", hint, sizeof hint));
    return APP_BAD_INPUT;
}

// A scene of generators as it was written: a line for a million links.
static int print_text(const char* text, const char* path)
{
    FILE* to = path != NULL ? fopen(path, "wb") : stdout;
    bool is_fine = to != NULL && fputs(text, to) >= 0;
    if (path == NULL) return app_finish_output();
    if (to != NULL && fclose(to) != 0) is_fine = false;
    if (!is_fine) {
        app_error("%s: %s", path, strerror(errno));
        app_discard(path);
    }
    return is_fine ? APP_DONE : APP_BAD_INPUT;
}

static int print_scene(const char* name, const char* path)
{
    const scene_entry* entry = scenes_find(name);
    if (entry == NULL) return refuse(name);
    if (scenes_text(entry) != NULL) return print_text(scenes_text(entry), path);

    tml_scene* scene = tml_scene_create();
    if (scene == NULL) {
        app_error("no memory");
        return APP_FAILED;
    }
    tml_status status = scenes_fill(scene, entry);
    if (status != TML_OK) {
        app_error("%s: %s", name, tml_spec_message(tml_scene_spec(scene)));
    } else {
        status = app_write_scene(scene, path != NULL ? path : "-");
        if (status != TML_OK) app_error("%s", tml_scene_message(scene));
    }
    tml_scene_destroy(scene);
    return status == TML_OK ? app_finish_output() : app_exit_code(status);
}

static int show_scene(const arguments* given)
{
    if (option_is_given(given, "list")) return list_scenes();
    if (given->positional_count == 0) {
        app_error("'scene' takes the name of a built-in scene; 'trammel scene --list' names them");
        return APP_BAD_INPUT;
    }
    return print_scene(given->positionals[0], option_text(given, "out"));
}

const command command_scene = {
    "scene",
    "NAME",
    "print a built-in scene (--list names them)",
    "Prints a built-in scene as JSON, ready for 'trammel run'.",
    {{sizeof scene_options / sizeof scene_options[0], scene_options}, {0, NULL}},
    0,
    1,
    show_scene,
};
