// io/write_forces.c - couplings, springs, tendons, wrenches and drag as JSON.
#include "io/writer.h"
#include "model/model.h"

// ["joint.rx", c] or ["joint.rx", [c1, c2, ...]]
static void put_term(writer* w, const tml_coupling_term* term)
{
    tml__put_open(w, "[\"");
    tml__put_escaped(w, w->all->joints[term->joint.index].name);
    tml__put(w, ".");
    tml__put(w, tml_axis_name(term->axis));
    tml__put(w, "\", ");
    if (term->degree == 1) {
        tml__put_number(w, term->coefficient[0]);
    } else {
        tml__put_numbers(w, term->coefficient, term->degree);
    }
    tml__put_close(w, "]");
}

void tml__write_coupling(writer* w, int index)
{
    const tml_coupling_def* c = &w->all->couplings[index];

    tml__put_open(w, "{");
    tml__write_text(w, "name", c->name);
    tml__put_key(w, "terms");
    tml__put_open(w, "[");
    for (int i = 0; i < c->term_count; i++) {
        tml__put_comma(w);
        put_term(w, &c->terms[i]);
    }
    tml__put_close(w, "]");
    tml__write_unless(w, "offset", c->offset, 0.0);
    tml__write_unless(w, "compliance", c->compliance, 0.0);
    tml__write_unless(w, "weight", c->weight, 1.0);
    tml__put_close(w, "}");
}

void tml__write_nonholonomic(writer* w, int index)
{
    const tml_nonholonomic_def* n = &w->all->nonholonomics[index];
    const bool is_rolling = n->kind == TML_ROLLING;
    const bool is_sphere = n->axis.x == 0.0 && n->axis.y == 0.0 && n->axis.z == 0.0;

    tml__put_open(w, "{");
    tml__write_text(w, "name", n->name);
    tml__write_text(w, "type", is_rolling ? "rolling" : "knife_edge");
    tml__write_text(w, "body", tml__body_name(w, n->body));
    tml__write_vector(w, "point", n->point);
    if (!is_sphere) tml__write_vector(w, "axis", n->axis);
    if (is_rolling) {
        const double plane[4] = {n->plane_normal.x, n->plane_normal.y, n->plane_normal.z,
                                 n->plane_offset};
        tml__write_number(w, "radius", n->radius);
        tml__put_key(w, "plane");
        tml__put_numbers(w, plane, 4);
    }
    tml__put_close(w, "}");
}

static void put_point(writer* w, const tml_point* p)
{
    tml__put(w, "[");
    const int deformable = tml__handle_deformable(p->body);
    tml__put_string(w, deformable >= 0 ? w->all->deformables[deformable].name
                                       : tml__body_name(w, p->body));
    tml__put(w, ", ");
    tml__put_vector(w, p->position);
    tml__put_close(w, "]");
}

static void write_points(writer* w, const tml_spring_def* s, bool is_spring)
{
    if (is_spring) {
        tml__put_key(w, "a");
        put_point(w, &s->points[0]);
        tml__put_key(w, "b");
        put_point(w, &s->points[1]);
        return;
    }
    tml__put_key(w, "points");
    tml__put_open(w, "[");
    for (int i = 0; i < s->point_count; i++) {
        tml__put_comma(w);
        put_point(w, &s->points[i]);
    }
    tml__put_close(w, "]");
}

static void write_law(writer* w, const tml_spring_def* s)
{
    if (s->law == TML_SPRING_QUADRATIC) tml__write_text(w, "law", "quadratic");
    if (s->law != TML_SPRING_TABLE) return;
    tml__put_key(w, "law");
    tml__put(w, "{\"table\": ");
    tml__put_table(w, s->table_extensions, s->table_forces, s->table_count);
    tml__put_close(w, "}");
}

static void write_muscle(writer* w, const tml_muscle* m)
{
    const tml_muscle usual = tml_muscle_default();
    tml__put_key(w, "muscle");
    tml__put_open(w, "{");
    tml__write_number(w, "force", m->force);
    tml__write_number(w, "optimal_length", m->optimal_length);
    tml__write_unless(w, "tendon_length", m->tendon_length, 0.0);
    tml__write_unless(w, "lmin", m->lmin, usual.lmin);
    tml__write_unless(w, "lmax", m->lmax, usual.lmax);
    tml__write_unless(w, "vmax", m->vmax, usual.vmax);
    tml__write_unless(w, "fpmax", m->fpmax, usual.fpmax);
    tml__write_unless(w, "fvmax", m->fvmax, usual.fvmax);
    if (m->activation.kind != TML_CONTROL_NONE) {
        tml__put_key(w, "activation");
        tml__put_control(w, &m->activation);
    }
    tml__put_close(w, "}");
}

// A spring is a tendon through two points that nobody pulls.
void tml__write_spring(writer* w, int index)
{
    const tml_spring_def* s = &w->all->springs[index];
    const bool has_muscle = s->muscle.force > 0.0;
    const bool is_spring = s->point_count == 2 && s->force.kind == TML_CONTROL_NONE && !has_muscle;

    tml__put_open(w, "{");
    tml__write_text(w, "type", is_spring ? "spring" : "tendon");
    tml__write_text(w, "name", s->name);
    write_points(w, s, is_spring);
    if (s->law != TML_SPRING_TABLE) tml__write_number(w, "stiffness", s->stiffness);
    tml__write_unless(w, "damping", s->damping, 0.0);
    if (s->rest_length >= 0.0) tml__write_number(w, "rest_length", s->rest_length);
    write_law(w, s);
    if (!is_spring && s->force.kind != TML_CONTROL_NONE) {
        tml__put_key(w, "force");
        tml__put_control(w, &s->force);
    }
    if (has_muscle) write_muscle(w, &s->muscle);
    tml__put_close(w, "}");
}

static void write_three(writer* w, const char* key, const tml_control c[3])
{
    tml__put_key(w, key);
    tml__put_open(w, "[");
    for (int k = 0; k < 3; k++) {
        tml__put_comma(w);
        tml__put_control(w, &c[k]);
    }
    tml__put_close(w, "]");
}

void tml__write_wrench(writer* w, int index)
{
    const tml_wrench_def* f = &w->all->wrenches[index];

    tml__put_open(w, "{");
    tml__write_text(w, "type", "wrench");
    tml__write_text(w, "name", f->name);
    tml__write_text(w, "body", tml__body_name(w, f->body));
    tml__write_vector_unless_zero(w, "point", f->point);
    write_three(w, "force", f->force);
    write_three(w, "torque", f->torque);
    tml__put_close(w, "}");
}

void tml__write_drag(writer* w, int index)
{
    const tml_drag_def* d = &w->all->drags[index];

    tml__put_open(w, "{");
    tml__write_text(w, "type", "drag");
    tml__write_text(w, "name", d->name);
    tml__write_text(w, "body", tml__body_name(w, d->body));
    tml__write_number(w, "linear", d->linear);
    tml__write_number(w, "angular", d->angular);
    tml__write_vector_unless_zero(w, "wind", d->wind);
    tml__put_close(w, "}");
}
