// io/scene_forces.c - couplings, ties between velocities, springs, tendons, wrenches and drag.
#include "io/scene_internal.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- couplings

// "joint.axis": the axis stands behind the last dot, since names may hold dots themselves.
static void read_coordinate(const element* e, const json* value, tml_coupling_term* term)
{
    reader* r = e->r;
    char what[220];
    snprintf(what, sizeof what, "a term of %s", e->label);
    const char* text = tml__text(r, value, what);
    if (text == NULL) return;

    const char* dot = strrchr(text, '.');
    int axis = -1;
    for (int k = 0; dot != NULL && k < TML_AXES; k++) {
        if (strcmp(dot + 1, tml_axis_name((tml_axis)k)) == 0) axis = k;
    }
    if (axis < 0) {
        tml__refuse(r, value, TML_BAD_ARGUMENT,
                    "%s must name a coordinate like \"joint.rx\", not \"%.60s\"", what, text);
        return;
    }
    const size_t length = (size_t)(dot - text);
    char* name = tml__take(r, (int)length + 1, 1);
    if (name == NULL) return;
    memcpy(name, text, length);

    term->axis = (tml_axis)axis;
    term->joint = tml_spec_find_joint(r->spec, name);
    if (term->joint.index < 0) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: there is no joint '%.60s'", what, name);
    }
}

// ["joint.rx", c1] or ["joint.rx", [c1, c2, ...]]
static void read_term(const element* e, const json* value, tml_coupling_term* term)
{
    reader* r = e->r;
    char what[220];
    snprintf(what, sizeof what, "each of the terms of %s", e->label);
    if (!tml__is_list(r, value, what)) return;
    if (tml__json_count(value) != 2) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be [\"joint.axis\", coefficient]", what);
        return;
    }
    read_coordinate(e, value->first, term);

    const json* factor = value->first->next;
    snprintf(what, sizeof what, "the coefficient of a term of %s", e->label);
    if (factor->kind != JSON_ARRAY) {
        term->degree = 1;
        term->coefficient[0] = tml__number(r, factor, what, ANY_NUMBER);
        return;
    }
    term->degree = tml__json_count(factor);
    if (term->degree < 1 || term->degree > TML_COUPLING_DEGREE) {
        tml__refuse(r, factor, TML_BAD_ARGUMENT, "%s must be 1 to %d numbers, not %d", what,
                    (int)TML_COUPLING_DEGREE, term->degree);
        return;
    }
    tml__numbers(r, factor, what, term->degree, term->coefficient);
}

static void read_coupling(reader* r, const json* value, int index)
{
    static const char* const keys[] = {"name", "terms", "offset", "compliance", "weight", NULL};
    const element e = tml__open(r, value, "coupling", index, keys);
    tml_coupling_def def = tml_coupling_def_default();

    def.name = tml__read_name(&e);
    tml__read_number(&e, "offset", ANY_NUMBER, &def.offset);
    tml__read_number(&e, "compliance", NOT_NEGATIVE, &def.compliance);
    tml__read_number(&e, "weight", POSITIVE, &def.weight);

    char what[200];
    snprintf(what, sizeof what, "terms of %s", e.label);
    const json* list = tml__need(&e, "terms");
    if (list == NULL || !tml__is_list(r, list, what)) return;
    tml_coupling_term* terms = tml__take(r, tml__json_count(list), sizeof *terms);
    if (terms == NULL) return;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_term(&e, item, &terms[def.term_count++]);
    }
    def.terms = terms;
    if (r->status != TML_OK) return;
    tml_spec_add_coupling(r->spec, &def);
    tml__take_refusal(r, value);
}

void tml__read_couplings(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'couplings'")) return;

    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_coupling(r, item, index++);
    }
}

// ---- springs and tendons

// ["deformable", vertex] or ["deformable", [x, y, z]], a place of its rest shape.
static bool read_soft_point(const element* e, const json* value, const char* what, tml_point* out)
{
    reader* r = e->r;
    const definitions* all = &r->spec->all;
    const json* name = value->first;
    const json* place = name->next;
    if (name->kind != JSON_TEXT || tml_spec_find_body(r->spec, name->text).index != -2)
        return false;
    int i = 0;
    while (i < all->deformable_count && strcmp(all->deformables[i].name, name->text) != 0) i++;
    if (i == all->deformable_count) return false;
    const tml_deformable_def* def = &all->deformables[i];
    out->body = tml_deformable_handle(i);
    if (place->kind == JSON_ARRAY) {
        double x[3] = {0.0, 0.0, 0.0};
        tml__numbers(r, place, what, 3, x);
        out->position = v3_load(x);
        return true;
    }
    const double vertex = tml__number(r, place, what, NOT_NEGATIVE);
    if (r->status != TML_OK) return true;
    if (!(vertex < def->vertex_count) || floor(vertex) < vertex) {
        tml__refuse(r, place, TML_BAD_ARGUMENT, "%s: '%.60s' has no vertex %g, but %d of them",
                    what, def->name, vertex, def->vertex_count);
        return true;
    }
    out->position = def->vertices[(int)vertex];
    return true;
}

// ["body", [x, y, z]], or a point of a deformable
static void read_point(const element* e, const json* value, const char* key, tml_point* out)
{
    reader* r = e->r;
    char what[220];
    snprintf(what, sizeof what, "%s of %s", key, e->label);
    if (value->kind != JSON_ARRAY || tml__json_count(value) != 2) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s must be [\"body\", [x, y, z]]", what);
        return;
    }
    if (read_soft_point(e, value, what, out)) return;
    double x[3] = {0.0, 0.0, 0.0};
    out->body = tml__body(e, value->first, key);
    tml__numbers(r, value->first->next, what, 3, x);
    out->position = v3_load(x);
}

static const tml_point* read_ends(const element* e, int* count)
{
    tml_point* points = tml__take(e->r, 2, sizeof *points);
    const json* a = tml__need(e, "a");
    const json* b = tml__need(e, "b");
    if (points == NULL || a == NULL || b == NULL) return NULL;

    read_point(e, a, "a", &points[0]);
    read_point(e, b, "b", &points[1]);
    *count = 2;
    return points;
}

static const tml_point* read_points(const element* e, int* count)
{
    char what[220];
    snprintf(what, sizeof what, "points of %s", e->label);
    const json* list = tml__need(e, "points");
    if (list == NULL || !tml__is_list(e->r, list, what)) return NULL;

    const int given = tml__json_count(list);
    if (given < 2) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT, "%s must be two or more, not %d", what, given);
    }
    tml_point* points = tml__take(e->r, given, sizeof *points);
    if (points == NULL) return NULL;
    for (const json* item = list->first; item != NULL; item = item->next) {
        read_point(e, item, "points", &points[(*count)++]);
    }
    return points;
}

static void read_law_table(const element* e, const json* value, tml_spring_def* def)
{
    static const char* const keys[] = {"table", NULL};
    reader* r = e->r;
    char what[220];
    snprintf(what, sizeof what, "law of %.150s", e->label);
    const element law = tml__open(r, value, what, -1, keys);
    const json* list = tml__need(&law, "table");
    if (list == NULL || !tml__is_list(r, list, what)) return;

    const int count = tml__json_count(list);
    double* extensions = tml__take(r, count, sizeof *extensions);
    double* forces = tml__take(r, count, sizeof *forces);
    if (extensions == NULL || forces == NULL) return;

    int i = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        double pair[2] = {0.0, 0.0};
        tml__numbers(r, item, "each point in the table of a spring's law", 2, pair);
        extensions[i] = pair[0];
        forces[i] = pair[1];
        i++;
    }
    def->law = TML_SPRING_TABLE;
    def->table_count = count;
    def->table_extensions = extensions;
    def->table_forces = forces;
}

static void read_law(const element* e, tml_spring_def* def)
{
    static const char* const words[] = {"linear", "quadratic", NULL};
    const json* value = tml__find(e, "law");
    if (value == NULL) return;
    if (value->kind != JSON_OBJECT) {
        if (tml__read_word(e, "law", words) == 1) def->law = TML_SPRING_QUADRATIC;
        return;
    }
    read_law_table(e, value, def);
    if (tml__find(e, "stiffness") != NULL) {
        tml__refuse(e->r, tml__find(e, "stiffness"), TML_BAD_ARGUMENT,
                    "%s has a table, which says all about its force: leave out 'stiffness'",
                    e->label);
    }
}

static void read_muscle(const element* e, tml_muscle* muscle)
{
    static const char* const keys[] = {
        "force", "optimal_length", "tendon_length", "lmin",       "lmax",
        "vmax",  "fpmax",          "fvmax",         "activation", NULL};
    const json* value = tml__find(e, "muscle");
    char what[220];
    if (value == NULL) return;
    snprintf(what, sizeof what, "muscle of %.150s", e->label);
    const element m = tml__open(e->r, value, what, -1, keys);
    tml__need(&m, "force");
    tml__need(&m, "optimal_length");
    tml__read_number(&m, "force", POSITIVE, &muscle->force);
    tml__read_number(&m, "optimal_length", POSITIVE, &muscle->optimal_length);
    tml__read_number(&m, "tendon_length", ANY_NUMBER, &muscle->tendon_length);
    tml__read_number(&m, "lmin", NOT_NEGATIVE, &muscle->lmin);
    tml__read_number(&m, "lmax", POSITIVE, &muscle->lmax);
    tml__read_number(&m, "vmax", POSITIVE, &muscle->vmax);
    tml__read_number(&m, "fpmax", NOT_NEGATIVE, &muscle->fpmax);
    tml__read_number(&m, "fvmax", POSITIVE, &muscle->fvmax);
    const json* activation = tml__find(&m, "activation");
    snprintf(what, sizeof what, "activation of the muscle of %.150s", e->label);
    if (activation != NULL) muscle->activation = tml__control(e->r, activation, what);
}

static void read_spring(reader* r, const json* value, const char* type, int index)
{
    static const char* const spring_keys[] = {"type",        "name",    "a",   "b", "stiffness",
                                              "rest_length", "damping", "law", NULL};
    static const char* const tendon_keys[] = {"type",        "name",    "points", "stiffness",
                                              "rest_length", "damping", "law",    "force",
                                              "muscle",      NULL};
    const bool is_spring = strcmp(type, "spring") == 0;
    const element e = tml__open(r, value, type, index, is_spring ? spring_keys : tendon_keys);
    tml_spring_def def = tml_spring_def_default();

    def.name = tml__read_name(&e);
    def.points = is_spring ? read_ends(&e, &def.point_count) : read_points(&e, &def.point_count);
    tml__read_number(&e, "stiffness", NOT_NEGATIVE, &def.stiffness);
    tml__read_number(&e, "damping", NOT_NEGATIVE, &def.damping);
    tml__read_number(&e, "rest_length", NOT_NEGATIVE, &def.rest_length);
    read_law(&e, &def);
    if (!is_spring) read_muscle(&e, &def.muscle);

    const json* force = tml__find(&e, "force");
    char what[220];
    snprintf(what, sizeof what, "force of %s", e.label);
    if (force != NULL) def.force = tml__control(r, force, what);

    const bool does_nothing = tml__find(&e, "stiffness") == NULL && force == NULL &&
                              tml__find(&e, "damping") == NULL && def.law != TML_SPRING_TABLE &&
                              !(def.muscle.force > 0.0);
    if (does_nothing) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s needs 'stiffness' or 'damping'%s", e.label,
                    is_spring ? "" : " or 'force' or 'muscle'");
    }
    if (r->status != TML_OK) return;
    tml_spec_add_spring(r->spec, &def);
    tml__take_refusal(r, value);
}

// ---- wrenches and drag

static tml_body read_body(const element* e)
{
    char what[220];
    snprintf(what, sizeof what, "body of %s", e->label);
    const json* value = tml__need(e, "body");
    if (value == NULL) return TML_WORLD;

    const tml_body body = tml__body(e, value, "body");
    if (body.index < 0) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "%s must be one that moves, not the world",
                    what);
    }
    return body;
}

// Three numbers or controls along the world axes.
static void read_three(const element* e, const char* key, tml_control out[3])
{
    const json* list = tml__find(e, key);
    char what[220];
    snprintf(what, sizeof what, "%s of %s", key, e->label);
    if (list == NULL || !tml__is_list(e->r, list, what)) return;
    if (tml__json_count(list) != 3) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT, "%s must be three numbers or controls, not %d",
                    what, tml__json_count(list));
        return;
    }
    for (const json* item = list->first; item != NULL; item = item->next) {
        *out++ = tml__control(e->r, item, what);
    }
}

static void read_wrench(reader* r, const json* value, int index)
{
    static const char* const keys[] = {"type", "name", "body", "point", "force", "torque", NULL};
    const element e = tml__open(r, value, "wrench", index, keys);
    tml_wrench_def def = tml_wrench_def_default();

    def.name = tml__read_name(&e);
    def.body = read_body(&e);
    tml__read_vector(&e, "point", &def.point);
    read_three(&e, "force", def.force);
    read_three(&e, "torque", def.torque);
    if (tml__find(&e, "force") == NULL && tml__find(&e, "torque") == NULL) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s needs 'force' or 'torque'", e.label);
    }
    if (r->status != TML_OK) return;
    tml_spec_add_wrench(r->spec, &def);
    tml__take_refusal(r, value);
}

// The length of what names must begin with, where a body is given as "chain.*" or "*"; -1: it is one name.
static int group_of(const reader* r, const json* body)
{
    if (body == NULL || body->kind != JSON_TEXT) return -1;
    const size_t length = strlen(body->text);
    const bool is_group = length > 0 && body->text[length - 1] == '*';
    // a body may have such a name
    if (!is_group || tml_spec_find_body(r->spec, body->text).index != -2) return -1;
    return (int)length - 1;
}

// A field of wind: the same drag for every body of a group that moves.
static void add_drags(const element* e, const json* group, int length, tml_drag_def* def)
{
    reader* r = e->r;
    const definitions* all = &r->spec->all;
    const int before = all->drag_count;
    if (def->name != NULL) {
        tml__refuse(r, group, TML_BAD_ARGUMENT, "%s stands for many: it cannot have a name",
                    e->label);
    }
    for (int b = 0; b < all->body_count && r->status == TML_OK; b++) {
        const tml_body_def* body = &all->bodies[b];
        if (body->is_fixed || strncmp(body->name, group->text, (size_t)length) != 0) continue;
        def->body = (tml_body){b};
        tml_spec_add_drag(r->spec, def);
        tml__take_refusal(r, group);
    }
    if (r->status != TML_OK || all->drag_count > before) return;
    tml__refuse(r, group, TML_BAD_ARGUMENT, "%s: no body that moves has a name like '%.60s'",
                e->label, group->text);
}

static void read_drag(reader* r, const json* value, int index)
{
    static const char* const keys[] = {"type", "name", "body", "linear", "angular", "wind", NULL};
    const element e = tml__open(r, value, "drag", index, keys);
    tml_drag_def def = tml_drag_def_default();

    const json* body = tml__find(&e, "body");
    const int group = group_of(r, body);
    def.name = tml__read_name(&e);
    if (group < 0) def.body = read_body(&e);
    tml__read_number(&e, "linear", NOT_NEGATIVE, &def.linear);
    tml__read_number(&e, "angular", NOT_NEGATIVE, &def.angular);
    tml__read_vector(&e, "wind", &def.wind);
    if (r->status != TML_OK) return;
    if (group >= 0) {
        add_drags(&e, body, group, &def);
        return;
    }
    tml_spec_add_drag(r->spec, &def);
    tml__take_refusal(r, value);
}

static void read_force(reader* r, const json* value, int index)
{
    static const char* const types[] = {"spring", "tendon", "wrench", "drag", NULL};
    const element e = tml__open(r, value, "force", index, NULL);
    if (tml__need(&e, "type") == NULL) return;

    const int type = tml__read_word(&e, "type", types);
    if (type < 0) return;
    if (type == 2) {
        read_wrench(r, value, index);
    } else if (type == 3) {
        read_drag(r, value, index);
    } else {
        read_spring(r, value, types[type], index);
    }
}

// ---- ties between velocities

static void read_plane(const element* e, tml_nonholonomic_def* def)
{
    double plane[4] = {0.0, 0.0, 1.0, 0.0};
    char what[220];
    snprintf(what, sizeof what, "plane of %s", e->label);
    const json* value = tml__need(e, "plane");
    if (value == NULL) return;
    tml__numbers(e->r, value, what, 4, plane);
    def->plane_normal = v3_load(plane);
    def->plane_offset = plane[3];
}

static void read_nonholonomic(reader* r, const json* value, int index)
{
    static const char* const types[] = {"knife_edge", "rolling", NULL};
    static const char* const edge_keys[] = {"name", "type", "body", "point", "axis", NULL};
    static const char* const rolling_keys[] = {"name", "type",   "body",  "point",
                                               "axis", "radius", "plane", NULL};
    const element any = tml__open(r, value, "nonholonomic", index, NULL);
    if (tml__need(&any, "type") == NULL) return;
    const int type = tml__read_word(&any, "type", types);
    if (type < 0) return;
    const element e =
        tml__open(r, value, "nonholonomic", index, type == 0 ? edge_keys : rolling_keys);
    tml_nonholonomic_def def = tml_nonholonomic_def_default();

    def.kind = type == 0 ? TML_KNIFE_EDGE : TML_ROLLING;
    def.name = tml__read_name(&e);
    def.body = read_body(&e);
    tml__read_vector(&e, "point", &def.point);
    tml__read_vector(&e, "axis", &def.axis);
    if (type == 0) {
        tml__need(&e, "axis");
    } else {
        tml__need(&e, "radius");
        tml__read_number(&e, "radius", POSITIVE, &def.radius);
        read_plane(&e, &def);
    }
    if (r->status != TML_OK) return;
    tml_spec_add_nonholonomic(r->spec, &def);
    tml__take_refusal(r, value);
}

void tml__read_nonholonomics(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'nonholonomic'")) return;

    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_nonholonomic(r, item, index++);
    }
}

void tml__read_forces(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'forces'")) return;

    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_force(r, item, index++);
    }
}
