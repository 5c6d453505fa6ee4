// io/write_deformables.c - deformables as JSON, their vertices, tetrahedra and surfaces listed.
#include "io/writer.h"

static void write_points(writer* w, const tml_vec3* points, int count)
{
    tml__put_key(w, "vertices");
    tml__put_open(w, "[");
    for (int i = 0; i < count; i++) {
        tml__put_comma(w);
        tml__put_vector(w, points[i]);
    }
    tml__put_close(w, "]");
}

// `width` corners an item.
static void write_corners(writer* w, const char* key, const int* list, int count, int width)
{
    tml__put_key(w, key);
    tml__put_open(w, "[");
    for (int i = 0; i < count; i++) {
        double corners[4] = {0.0};
        for (int a = 0; a < width; a++) corners[a] = list[(size_t)i * (size_t)width + (size_t)a];
        tml__put_comma(w);
        tml__put_numbers(w, corners, width);
    }
    tml__put_close(w, "]");
}

static void write_lists(writer* w, const tml_deformable_def* d)
{
    write_points(w, d->vertices, d->vertex_count);
    if (d->tetrahedron_count == 0) return;
    write_corners(w, "tetrahedra", d->tetrahedra, d->tetrahedron_count, 4);
}

static void write_surface(writer* w, const tml_deformable_def* d)
{
    if (d->surface_vertex_count == 0) return;
    tml__put_key(w, "surface");
    tml__put_open(w, "{");
    write_points(w, d->surface_vertices, d->surface_vertex_count);
    write_corners(w, "triangles", d->surface_triangles, d->surface_triangle_count, 3);
    tml__put_close(w, "}");
}

static void write_fixed(writer* w, const tml_deformable_def* d)
{
    if (d->fixed_count == 0) return;
    tml__put_key(w, "fixed");
    tml__put_open(w, "[");
    for (int i = 0; i < d->fixed_count; i++) {
        tml__put_comma(w);
        tml__put_number(w, d->fixed[i]);
    }
    tml__put_close(w, "]");
}

static void write_attachments(writer* w, const tml_deformable_def* d)
{
    if (d->attachment_count == 0) return;
    tml__put_key(w, "attachments");
    tml__put_open(w, "[");
    for (int i = 0; i < d->attachment_count; i++) {
        tml__put_comma(w);
        tml__put_open(w, "{");
        const tml_attachment* a = &d->attachments[i];
        if (a->vertex == TML_EMBEDDED) {
            tml__put_key(w, "point");
            tml__put_vector(w, a->position);
        } else {
            tml__write_number(w, "vertex", a->vertex);
        }
        tml__write_text(w, "body", tml__body_name(w, a->body));
        tml__put_close(w, "}");
    }
    tml__put_close(w, "]");
}

void tml__write_deformable(writer* w, int index)
{
    const tml_deformable_def* d = &w->all->deformables[index];
    tml__put_open(w, "{");
    tml__write_text(w, "name", d->name);
    write_lists(w, d);
    write_surface(w, d);
    tml__write_number(w, "young", d->young);
    tml__write_number(w, "poisson", d->poisson);
    tml__write_number(w, "density", d->density);
    tml__write_text(w, "material", tml_material_name(d->material));
    if (d->is_consistent) tml__write_text(w, "mass", "consistent");
    tml__write_unless(w, "friction", d->friction, 0.5);
    tml__write_unless(w, "thickness", d->thickness, 0.0);
    if (d->touches_by_surface) tml__write_text(w, "collide", "surface");
    tml__write_unless(w, "vertex_mass", d->vertex_mass, 0.0);
    tml__write_vector_unless_zero(w, "velocity", d->velocity);
    write_fixed(w, d);
    write_attachments(w, d);
    tml__put_close(w, "}");
}
