// io/robot_mesh.c - the meshes of robot models: found below the model's folder or a given package, read
// once, and put into shapes.
//
// A mesh that cannot be had is never a reason to refuse a robot: it moves without. The list of what is
// not simulated says which, and why.
#include "io/robot_mesh.h"

#include "io/file.h"
#include "io/path.h"
#include "io/scene_internal.h"

#include <stdio.h>
#include <string.h>

// ---- where

typedef struct named_file {
    const char* root;  // it must lie below; not ended by a zero where `root_length` says so
    size_t root_length;
    const char* name;  // as seen from the root
} named_file;

// The folder of a package in "NAME=DIR,NAME=DIR"; NULL when it has none.
static const char* package_folder(const char* list, const char* name, size_t name_length,
                                  size_t* length)
{
    while (list != NULL && *list != '\0') {
        const char* end = strchr(list, ',');
        const size_t whole = end != NULL ? (size_t)(end - list) : strlen(list);
        const char* equals = memchr(list, '=', whole);
        if (equals != NULL && (size_t)(equals - list) == name_length &&
            memcmp(list, name, name_length) == 0) {
            *length = whole - name_length - 1;
            return equals + 1;
        }
        list = end != NULL ? end + 1 : NULL;
    }
    return NULL;
}

// "package://NAME/FILE" is FILE in the folder of NAME; a package without a name is the model's own.
static bool find_package(const robot* r, const char* address, named_file* out)
{
    const char* name = address + strlen("package://");
    const char* slash = strchr(name, '/');
    if (slash == NULL) return false;
    const size_t length = (size_t)(slash - name);
    out->name = slash + 1;
    out->root = package_folder(r->source->options->packages, name, length, &out->root_length);
    if (out->root == NULL && length == 0) {
        out->root = r->source->folder;
        out->root_length = strlen(out->root);
    }
    return out->root != NULL;
}

static bool is_there(const char* folder, const char* name)
{
    char path[PATH_CHARS];
    return tml__path_join(folder, name, path) && tml__file_is_there(path);
}

// The name below the folder of meshes.
static bool join_folder(const char* folder, const char* name, char out[PATH_CHARS])
{
    if (folder[0] != '\0') return tml__path_join(folder, name, out);
    if (strlen(name) >= PATH_CHARS) return false;
    memcpy(out, name, strlen(name) + 1);
    return true;
}

// A plain name, seen from the model: below its own folder, or below one of the packages.
static bool find_plain(const robot* r, const char* name, char path[PATH_CHARS])
{
    const char* own = r->source->folder;
    message why;
    const char* outside = r->source->options->allow_outside;
    if (tml__path_allowed(own, own, name, outside, path, &why) == TML_OK) return true;
    for (const char* list = r->source->options->packages; list != NULL && *list != '\0';) {
        const char* end = strchr(list, ',');
        const char* equals = strchr(list, '=');
        const size_t whole = end != NULL ? (size_t)(end - list) : strlen(list);
        char root[PATH_CHARS];
        if (equals != NULL && equals < list + whole && whole < PATH_CHARS) {
            const size_t length = whole - (size_t)(equals + 1 - list);
            memcpy(root, equals + 1, length);
            root[length] = '\0';
            if (tml__path_below(root, own, name, path, &why) == TML_OK) return true;
        }
        list = end != NULL ? end + 1 : NULL;
    }
    return false;
}

static bool find_file(robot* r, const xml* at, const char* name, const char* folder,
                      char path[PATH_CHARS])
{
    static const char outside[] =
        "it leads out of the model's folder (--package and --allow-outside name others): "
        "neither drawn nor touched";
    static const char missing[] = "the file is not there: neither drawn nor touched";
    char joined[PATH_CHARS];
    if (r->source == NULL || r->source->path == NULL) {
        tml__robot_lint(r, at, "mesh of a model without a folder", "neither drawn nor touched");
        return false;
    }
    if (strncmp(name, "package://", 10) == 0) {
        named_file f;
        message why;
        if (!find_package(r, name, &f) || f.root_length >= PATH_CHARS) {
            tml__robot_lint(r, at, "mesh of an unknown package",
                            "--package NAME=DIR says where it is: neither drawn nor touched");
            return false;
        }
        memcpy(joined, f.root, f.root_length);
        joined[f.root_length] = '\0';
        if (tml__path_below(joined, joined, f.name, path, &why) == TML_OK) return true;
        const bool leads_out = f.name[0] == '/' || is_there(joined, f.name);
        tml__robot_lint(r, at, leads_out ? "mesh outside of the model" : "mesh file",
                        leads_out ? outside : missing);
        return false;
    }
    const bool is_absolute = name[0] == '/' || name[0] == '\\' || strchr(name, ':') != NULL;
    if (!is_absolute && join_folder(folder, name, joined)) {
        if (find_plain(r, joined, path)) return true;
        if (!is_there(r->source->folder, joined)) {
            tml__robot_lint(r, at, "mesh file", missing);
            return false;
        }
    }
    if (name[0] == '/' && find_plain(r, name, path)) return true;
    tml__robot_lint(r, at, "mesh outside of the model", outside);
    return false;
}

// ---- what

static bool is_readable(const char* path)
{
    static const char* const endings[] = {".stl", ".STL", ".Stl", ".obj", ".OBJ", ".Obj"};
    const char* ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(ending, endings[i]) == 0) return true;
    }
    return false;
}

// The triangles of a file as they stand in it; each file is read once.
static const mesh_data* read_once(robot* r, const xml* at, const char* path)
{
    for (int i = 0; i < r->mesh_count; i++) {
        if (strcmp(r->meshes[i].path, path) == 0) return &r->meshes[i].data;
    }
    struct robot_mesh* list =
        tml__robot_grow(r, r->meshes, r->mesh_count, &r->mesh_capacity, sizeof *list);
    char* kept = list != NULL ? tml__robot_take(r, strlen(path) + 1, 1) : NULL;
    if (kept == NULL) return NULL;
    memcpy(kept, path, strlen(path) + 1);
    r->meshes = list;
    struct robot_mesh* one = &list[r->mesh_count];
    message why;
    one->path = kept;
    const tml_status status = tml__mesh_read_file(path, &r->memory, &one->data, &why);
    if (status != TML_OK) {
        tml__robot_refuse(r, at, status, "%.400s", why.text);
        return NULL;
    }
    r->mesh_count++;
    return &one->data;
}

static bool is_identity(const mesh_frame* f)
{
    const vec3 s = f->scale;
    return s.x == 1.0 && s.y == 1.0 && s.z == 1.0 && v3_max(f->origin.p) == 0.0 &&
           f->origin.q.w == 1.0;
}

bool tml__robot_mesh_place(robot* r, const mesh_data* data, const mesh_frame* frame,
                           tml_shape_def* shape)
{
    const vec3 s = frame->scale;
    shape->kind = TML_SHAPE_MESH;
    shape->vertex_count = data->vertex_count;
    shape->triangle_count = data->triangle_count;
    shape->vertices = data->vertices;
    shape->triangles = data->triangles;
    if (is_identity(frame)) return true;

    vec3* vertices = tml__robot_take(r, (size_t)data->vertex_count, sizeof *vertices);
    if (vertices == NULL) return false;
    const pose back = pose_inverse(frame->origin);
    for (int i = 0; i < data->vertex_count; i++) {
        const vec3 x = pose_apply(back, data->vertices[i]);
        vertices[i] = v3(s.x * x.x, s.y * x.y, s.z * x.z);
    }
    shape->vertices = vertices;
    if (s.x * s.y * s.z > 0.0) return true;

    // a mirror turns the triangles inside out
    int* triangles = tml__robot_take(r, 3 * (size_t)data->triangle_count, sizeof *triangles);
    if (triangles == NULL) return false;
    for (int i = 0; i < data->triangle_count; i++) {
        const int* t = &data->triangles[3 * i];
        const int turned[3] = {t[0], t[2], t[1]};
        memcpy(&triangles[3 * i], turned, sizeof turned);
    }
    shape->triangles = triangles;
    return true;
}

bool tml__robot_mesh(robot* r, const xml* at, const char* name, const mesh_frame* frame,
                     tml_shape_def* shape)
{
    char path[PATH_CHARS];
    if (r->status != TML_OK || !find_file(r, at, name, frame->folder, path)) return false;
    if (!is_readable(path)) {
        tml__robot_lint(r, at, "mesh that is neither STL nor OBJ", "neither drawn nor touched");
        return false;
    }
    if (!(frame->scale.x * frame->scale.y * frame->scale.z != 0.0)) {
        tml__robot_refuse(r, at, TML_BAD_ARGUMENT, "a mesh cannot be scaled by zero");
        return false;
    }
    const mesh_data* data = read_once(r, at, path);
    return data != NULL && tml__robot_mesh_place(r, data, frame, shape);
}
