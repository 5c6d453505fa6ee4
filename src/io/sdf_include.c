// io/sdf_include.c - models of other files, put where <include> stands.
//
// "model://NAME" is the folder of that package, or NAME below the model's own folder; a folder stands for its model.sdf.
// What must be fetched from a server is left out, which is said: nothing here opens a connection.
#include "base/memory.h"
#include "io/file.h"
#include "io/path.h"
#include "io/robot.h"
#include "io/scene_internal.h"
#include "io/xml_comments.h"

#include <string.h>

enum {
    MAX_DEPTH = 16  // includes within includes
};

// The folder that the options name for a package; false: none.
static bool package_folder(const char* list, const char* name, size_t length, char out[PATH_CHARS])
{
    while (list != NULL && *list != '\0') {
        const char* end = strchr(list, ',');
        const size_t whole = end != NULL ? (size_t)(end - list) : strlen(list);
        const bool is_it =
            whole > length && strncmp(list, name, length) == 0 && list[length] == '=';
        if (is_it && whole - length - 1 < PATH_CHARS) {
            memcpy(out, list + length + 1, whole - length - 1);
            out[whole - length - 1] = '\0';
            return true;
        }
        list = end != NULL ? end + 1 : NULL;
    }
    return false;
}

// A file, or the model.sdf in a folder, below `root`.
static bool find_below(const char* root, const char* name, char path[PATH_CHARS])
{
    char inner[PATH_CHARS];
    message why;
    if (tml__path_join(name[0] != '\0' ? name : ".", "model.sdf", inner) &&
        tml__path_below(root, root, inner, path, &why) == TML_OK && tml__file_is_there(path)) {
        return true;
    }
    return name[0] != '\0' && tml__path_below(root, root, name, path, &why) == TML_OK &&
           tml__file_is_there(path);
}

static bool find_file(const robot_source* source, const char* uri, char path[PATH_CHARS])
{
    static const char scheme[] = "model://";
    const bool is_model = strncmp(uri, scheme, strlen(scheme)) == 0;
    const char* name = is_model ? uri + strlen(scheme) : uri;
    const size_t length = strcspn(name, "/");
    char root[PATH_CHARS];
    if (is_model && package_folder(source->options->packages, name, length, root)) {
        return find_below(root, name[length] == '/' ? name + length + 1 : "", path);
    }
    return source->path != NULL && strstr(name, "://") == NULL && name[0] != '/' &&
           find_below(source->folder, name, path);
}

static xml* read_document(robot* r, const char* path)
{
    char* text = NULL;
    size_t length = 0;
    message why;
    xml* root = NULL;
    const char* kept = tml__pool_text(&r->memory, path);
    tml_status status = tml__file_read_to_zero(path, XML_MAX_BYTES, &text, &length, &why);
    if (status == TML_OK) {
        tml__xml_blank_comments(text, length);
        status = tml__xml_read(text, length, kept, &r->memory, &root, &why);
        tml__release(NULL, text);
    }
    if (status != TML_OK && r->status == TML_OK) {
        r->status = tml__fail(&r->why, status, "%s", why.text);
    }
    return r->status == TML_OK ? root : NULL;
}

// An <include> says these in place of the model itself.
static void take_over(robot* r, xml* model, const xml* include)
{
    static const char* const names[] = {"pose", "static"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const xml* said = tml__xml_child(include, names[i]);
        xml* copy = said != NULL ? tml__xml_copy(&r->memory, said) : NULL;
        if (copy == NULL) continue;
        copy->parent = model;
        copy->next = model->first;
        model->first = copy;
        if (model->last == NULL) model->last = copy;
    }
    const xml* name = tml__xml_child(include, "name");
    xml_attribute* own = name != NULL ? tml__robot_take(r, 1, sizeof *own) : NULL;
    if (own != NULL) {
        *own = (xml_attribute){"name", name->text, model->attributes};
        model->attributes = own;
    }
    const xml* by = tml__xml_child(include, "placement_frame");
    xml_attribute* frame = by != NULL ? tml__robot_take(r, 1, sizeof *frame) : NULL;
    if (frame == NULL) return;
    *frame = (xml_attribute){"placement_frame", by->text, model->attributes};
    model->attributes = frame;
}

static void include_all(robot* r, xml* parent, const robot_source* source, int depth);

// The model in place of the element; false: there is none, and the element stays.
static bool include_one(robot* r, xml* e, const robot_source* source, int depth)
{
    const xml* uri = tml__xml_child(e, "uri");
    char path[PATH_CHARS];
    char folder[PATH_CHARS];
    if (uri == NULL || !find_file(source, uri->text, path)) {
        tml__robot_lint(r, e, "included model",
                        "not found below the model's folder or in a --package: left out");
        return false;
    }
    if (depth >= MAX_DEPTH) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "models include each other too deep");
        return false;
    }
    xml* root = read_document(r, path);
    xml* model = root != NULL ? tml__xml_child(root, "model") : NULL;
    if (model == NULL) {
        if (root != NULL) tml__robot_lint(r, e, "included file without a model", "left out");
        return false;
    }
    tml__path_folder(path, folder);
    const robot_source inner = {path, folder, source->options};
    include_all(r, model, &inner, depth + 1);
    take_over(r, model, e);
    xml* after = e->next;
    xml* parent = e->parent;
    *e = *model;  // in its place: the element that points here stays good
    e->next = after;
    e->parent = parent;
    return true;
}

static void include_all(robot* r, xml* parent, const robot_source* source, int depth)
{
    for (xml* e = parent->first; e != NULL && r->status == TML_OK; e = e->next) {
        if (tml__xml_is(e, "include")) {
            include_one(r, e, source, depth);
        } else if (tml__xml_is(e, "model")) {
            include_all(r, e, source, depth);
        }
    }
}

void tml__sdf_include(robot* r, xml* parent, const robot_source* source)
{
    include_all(r, parent, source, 0);
}
