// io/write_deformables.c - deformables as JSON, their vertices and tetrahedra listed.
#include "io/writer.h"

static void write_lists(writer* w, const tml_deformable_def* d)
{
    tml__put_key(w, "vertices");
    tml__put_open(w, "[");
    for (int i = 0; i < d->vertex_count; i++) {
        tml__put_comma(w);
        tml__put_vector(w, d->vertices[i]);
    }
    tml__put_close(w, "]");
    if (d->tetrahedron_count == 0) return;
    tml__put_key(w, "tetrahedra");
    tml__put_open(w, "[");
    for (int i = 0; i < d->tetrahedron_count; i++) {
        const int* c = &d->tetrahedra[4 * (size_t)i];
        const double corners[4] = {c[0], c[1], c[2], c[3]};
        tml__put_comma(w);
        tml__put_numbers(w, corners, 4);
    }
    tml__put_close(w, "]");
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
        tml__write_number(w, "vertex", d->attachments[i].vertex);
        tml__write_text(w, "body", tml__body_name(w, d->attachments[i].body));
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
    tml__write_number(w, "young", d->young);
    tml__write_number(w, "poisson", d->poisson);
    tml__write_number(w, "density", d->density);
    tml__write_text(w, "material", tml_material_name(d->material));
    if (d->is_consistent) tml__write_text(w, "mass", "consistent");
    tml__write_unless(w, "vertex_mass", d->vertex_mass, 0.0);
    tml__write_vector_unless_zero(w, "velocity", d->velocity);
    write_fixed(w, d);
    write_attachments(w, d);
    tml__put_close(w, "}");
}
