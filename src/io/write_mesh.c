// io/write_mesh.c - the meshes of a written robot model: OBJ files beside it, each mesh once.
//
// MJCF and URDF name meshes by files. They are called after the model, robot.mesh0.obj beside
// robot.xml, in the order of their first use; numbers are written so that they are read back as they
// were.
#include "io/file.h"
#include "io/write_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_equal(const tml_shape_def* a, const tml_shape_def* b)
{
    if (a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count) return false;
    const size_t vertices = (size_t)a->vertex_count * sizeof *a->vertices;
    const size_t triangles = 3 * (size_t)a->triangle_count * sizeof *a->triangles;
    return memcmp(a->vertices, b->vertices, vertices) == 0 &&
           memcmp(a->triangles, b->triangles, triangles) == 0;
}

int tml__tree_mesh(robot_writer* t, const tml_shape_def* s)
{
    for (int i = 0; i < t->mesh_count; i++) {
        if (is_equal(t->meshes[i], s)) return i;
    }
    t->meshes[t->mesh_count] = s;
    return t->mesh_count++;
}

static int count_meshes(const tml_shape_def* shapes, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++) found += shapes[i].kind == TML_SHAPE_MESH;
    return found;
}

// Room for as many as there can be, so that the list never moves.
bool tml__tree_mesh_room(robot_writer* t)
{
    size_t most = (size_t)count_meshes(t->all->world_shapes, t->all->world_shape_count);
    for (int b = 0; b < t->all->body_count; b++) {
        most += (size_t)count_meshes(t->all->bodies[b].shapes, t->all->bodies[b].shape_count);
    }
    t->meshes = tml__pool_take(&t->memory, most + 1, sizeof(tml_shape_def*));
    return t->meshes != NULL;
}

// "PATH without its ending.meshN.obj"
static void put_path(writer* w, const char* path, int index)
{
    const char* dot = strrchr(path, '.');
    char ending[40];
    for (const char* p = path; *p != '\0' && p != dot; p++) tml__put(w, (const char[]){*p, '\0'});
    snprintf(ending, sizeof ending, ".mesh%d.obj", index);
    tml__put(w, ending);
}

void tml__xml_attribute_mesh(robot_writer* t, const char* name, int index)
{
    const char* slash = strrchr(t->file, '/');
    writer path = {.is_first = true};
    put_path(&path, slash != NULL ? slash + 1 : t->file, index);
    if (path.status == TML_OK) {
        tml__xml_attribute_text(&t->w, name, path.data);
    } else {
        t->w.status = path.status;
        t->w.why = path.why;
    }
    free(path.data);
}

static void put_mesh(writer* w, const tml_shape_def* s)
{
    for (int i = 0; i < s->vertex_count; i++) {
        tml__put(w, "v ");
        for (int k = 0; k < 3; k++) {
            tml__put_number(w, v3_at(s->vertices[i], k));
            tml__put(w, k < 2 ? " " : "\n");
        }
    }
    for (int i = 0; i < s->triangle_count; i++) {
        tml__put(w, "f ");
        for (int k = 0; k < 3; k++) {
            tml__put_number(w, s->triangles[3 * i + k] + 1);
            tml__put(w, k < 2 ? " " : "\n");
        }
    }
}

void tml__tree_write_meshes(robot_writer* t)
{
    for (int i = 0; i < t->mesh_count && t->w.status == TML_OK; i++) {
        writer path = {.is_first = true};
        writer text = {.is_first = true};
        put_path(&path, t->file, i);
        put_mesh(&text, t->meshes[i]);
        if (path.status != TML_OK || text.status != TML_OK) {
            t->w.status = tml__fail(&t->w.why, TML_NO_MEMORY, "out of memory");
        } else {
            const int error = tml__write_bytes(path.data, text.data, text.length);
            if (error != 0) {
                t->w.status = tml__fail(&t->w.why, TML_BAD_FILE, "%.300s cannot be written: %s",
                                        path.data, strerror(error));
            }
        }
        free(path.data);
        free(text.data);
    }
}
