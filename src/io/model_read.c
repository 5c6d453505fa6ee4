// io/model_read.c - a robot model, whichever of the four formats it is in, into a spec.
#include "base/memory.h"
#include "io/path.h"
#include "io/robot.h"
#include "io/scene_internal.h"
#include "io/usd.h"
#include "io/usd_text.h"
#include "io/xml_comments.h"

#include <string.h>

// The first byte that is not white space; a byte order mark is skipped.
bool tml__is_model(const char* text, size_t length)
{
    size_t i = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < length && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0') i++;
    return i < length && (text[i] == '<' || tml__usd_is_text(text + i, length - i));
}

static void read_root(robot* r, xml* root, const robot_source* source)
{
    if (tml__xml_is(root, "mujoco")) {
        tml__mjcf_read(r, root, source);
    } else if (tml__xml_is(root, "robot")) {
        tml__urdf_read(r, root, source);
    } else if (tml__xml_is(root, "sdf")) {
        tml__sdf_read(r, root, source);
    } else {
        tml__robot_refuse(r, root, TML_BAD_FILE,
                          "the root element is '%.60s', not 'mujoco', 'robot' or 'sdf'",
                          root->name);
    }
}

// The messages of the robot and of the reader are of one shape already.
static void take_error(reader* into, const robot* r)
{
    if (into->status != TML_OK || r->status == TML_OK) return;
    into->status = r->status;
    into->why = r->why;
}

void tml__robot_read(robot* r, const char* text, size_t length, const char* path,
                     const tml_load_options* options)
{
    char folder[PATH_CHARS];
    tml__path_folder(path != NULL ? path : "", folder);
    const robot_source source = {path, folder, options};
    xml* root = NULL;

    r->gravity = v3(0.0, 0.0, -9.81);
    r->source = &source;
    r->is_as_written = options->as_written;
    r->is_without_armature = options->without_armature;
    r->is_without_friction = options->without_joint_friction;
    char* copy = tml__pool_take(&r->memory, length + 1, 1);
    if (copy == NULL) {
        tml__robot_refuse(r, NULL, TML_NO_MEMORY, "out of memory");
        return;
    }
    memcpy(copy, text, length);
    if (tml__usd_is_text(copy, length)) {
        r->status = tml__usd_read(copy, length, r->file, &r->memory, &root, &r->why);
        if (r->status == TML_OK && root != NULL) tml__usd_lower(r, root);
        r->source = NULL;
        return;
    }
    tml__xml_blank_comments(copy, length);
    r->status = tml__xml_read(copy, length, r->file, &r->memory, &root, &r->why);
    if (r->status == TML_OK && root != NULL) read_root(r, root, &source);
    r->source = NULL;
}

void tml__read_model(reader* into, const char* text, size_t length, const char* path,
                     const tml_load_options* options)
{
    robot r = {.file = into->file, .lint = &into->lint, .status = TML_OK};
    tml__robot_read(&r, text, length, path, options);
    if (r.status == TML_OK) tml__robot_lower(&r, into);
    take_error(into, &r);
    tml__robot_destroy(&r);
}
