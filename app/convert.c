// app/convert.c - a scene or a robot model in another format.
#include "app/load.h"

#include <stdio.h>

// What the model uses and we do not simulate is lost on the way: it is said here, on stderr, so that
// the file is all that comes out.
static void say_lint(const loaded* l)
{
    const int count = tml_scene_lint_count(l->scene);
    if (count == 0) return;
    fprintf(stderr, "not carried over, or taken otherwise than written:\n");
    for (int i = 0; i < count; i++) {
        const char* sentence = tml_scene_lint(l->scene, i);
        fprintf(stderr, "  %s\n", sentence != NULL ? sentence : "no memory");
    }
}

static int convert(const arguments* given)
{
    loaded l;
    int code = load(given, &l);
    if (code == APP_DONE) {
        const tml_status status = tml_scene_write_file(l.scene, given->positionals[1]);
        say_lint(&l);
        if (status != TML_OK) {
            app_error("%s", tml_scene_message(l.scene));
            code = app_exit_code(status);
        }
    }
    unload(&l);
    return code;
}

const command command_convert = {
    "convert",
    "IN OUT",
    "between scenes and robot models",
    "Reads a scene (JSON) or a robot model (MJCF, URDF, SDF) and writes it in the format that the\n"
    "ending of OUT names: .json a scene, .xml MJCF, .urdf URDF. What the format of OUT cannot say "
    "is\n"
    "refused by name; what IN uses and is not simulated is listed on standard error.",
    {{0, NULL}, {OVERRIDES, override_options}},
    2,
    2,
    convert,
};
