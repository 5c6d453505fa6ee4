// io/scene_bodies.c - bodies, and the inertia that their shapes give.
//
// Mass properties come from what the body says, in this order:
//   mass and inertia        as given; shapes are only looked at and touched
//   mass, no inertia        the shapes, their densities scaled to give the mass (uniform where
//                           no shape has a density)
//   no mass                 the shapes that have a density
// Where the shapes give the inertia they also give the centre of mass. A `com` beside them must say
// the same: an inertia about one point and a mass centred at another is no body at all.
#include "io/scene_internal.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

// ---- mass properties

static void read_inertia(const element* e, const json* value, double inertia[6])
{
    char what[200];
    snprintf(what, sizeof what, "inertia of %s", e->label);
    if (!tml__is_list(e->r, value, what)) return;

    const int count = tml__json_count(value);
    if (count != 3 && count != 6) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT,
                    "%s must be 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, yz), not %d", what,
                    count);
        return;
    }
    for (int k = 0; k < 6; k++) inertia[k] = 0.0;
    tml__numbers(e->r, value, what, count, inertia);
}

// The shapes that weigh something. Without any density and with a mass to share out, every shape
// that has a volume counts alike; planes and points are only there to be touched.
static int weighing_shapes(const tml_body_def* def, bool has_mass, tml_shape_def* out)
{
    int count = 0;
    for (int i = 0; i < def->shape_count; i++) {
        if (def->shapes[i].density > 0.0) out[count++] = def->shapes[i];
    }
    if (count > 0 || !has_mass) return count;

    for (int i = 0; i < def->shape_count; i++) {
        tml_mass_properties alone;
        tml_shape_def shape = def->shapes[i];
        shape.density = 1.0;
        if (tml_shapes_mass(&shape, 1, &alone) == TML_OK) out[count++] = shape;
    }
    return count;
}

static void check_com(const element* e, tml_vec3 com, tml_vec3 given)
{
    // a few digits less than written files keep, on the scale of the body's size or offset
    const double scale = 1.0 + v3_max(com);
    if (v3_max(v3_sub(com, given)) <= 1e-9 * scale) return;
    tml__refuse(e->r, tml__find(e, "com"), TML_BAD_ARGUMENT,
                "com of %s is (%g, %g, %g), but its shapes, which give the inertia, have theirs at "
                "(%g, %g, %g): leave com out or give the inertia",
                e->label, given.x, given.y, given.z, com.x, com.y, com.z);
}

// Mass and, where it was not given, inertia and centre of mass from the shapes.
static void weigh_shapes(const element* e, tml_body_def* def, bool has_mass, bool has_inertia)
{
    tml_shape_def* shapes = tml__take(e->r, def->shape_count, sizeof *shapes);
    if (shapes == NULL) return;

    tml_mass_properties sum;
    const int count = weighing_shapes(def, has_mass, shapes);
    if (tml_shapes_mass(shapes, count, &sum) != TML_OK) {
        tml__refuse(e->r, e->object, TML_BAD_ARGUMENT,
                    has_mass ? "%s has a mass but neither inertia nor shapes that could give it"
                             : "%s has no mass: give mass and inertia, or shapes with a density",
                    e->label);
        return;
    }
    const double scale = has_mass ? def->mass / sum.mass : 1.0;
    if (!has_mass) def->mass = sum.mass;
    if (has_inertia) return;

    for (int k = 0; k < 6; k++) def->inertia[k] = scale * sum.inertia[k];
    if (tml__find(e, "com") != NULL) {
        check_com(e, sum.com, def->com);
    } else {
        def->com = sum.com;
    }
}

static void read_mass(const element* e, tml_body_def* def)
{
    const json* inertia = tml__find(e, "inertia");
    const bool has_mass = tml__find(e, "mass") != NULL;

    tml__read_number(e, "mass", POSITIVE, &def->mass);
    tml__read_vector(e, "com", &def->com);
    if (inertia != NULL) read_inertia(e, inertia, def->inertia);

    // a body that never moves needs no weight
    const bool is_weightless = def->is_fixed && !has_mass && inertia == NULL;
    if (is_weightless || (has_mass && inertia != NULL) || e->r->status != TML_OK) return;
    weigh_shapes(e, def, has_mass, inertia != NULL);
}

// ---- bodies

// The body named `world` carries shapes and nothing else.
static void read_world(reader* r, const json* value)
{
    static const char* const keys[] = {"name", "shapes", NULL};
    const element e = tml__open(r, value, "body", -1, keys);

    int count = 0;
    const tml_shape_def* shapes = tml__read_shapes(&e, &count);
    for (int i = 0; i < count && r->status == TML_OK; i++) {
        tml_spec_add_world_shape(r->spec, &shapes[i]);
        tml__take_refusal(r, value);
    }
}

static void read_body(reader* r, const json* value, int index)
{
    static const char* const keys[] = {
        "name", "mass",  "inertia", "position", "orientation", "velocity", "angular_velocity",
        "com",  "fixed", "shapes",  NULL};
    const element e = tml__open(r, value, "body", index, keys);
    tml_body_def def = tml_body_def_default();

    def.name = tml__read_name(&e);
    tml__read_vector(&e, "position", &def.pose.p);
    tml__read_orientation(&e, "orientation", &def.pose.q);
    tml__read_vector(&e, "velocity", &def.velocity.linear);
    tml__read_vector(&e, "angular_velocity", &def.velocity.angular);
    tml__read_bool(&e, "fixed", &def.is_fixed);
    def.shapes = tml__read_shapes(&e, &def.shape_count);
    read_mass(&e, &def);

    const bool is_moving = v3_max(def.velocity.linear) > 0.0 || v3_max(def.velocity.angular) > 0.0;
    if (def.is_fixed && is_moving) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s is fixed, so it cannot have a velocity",
                    e.label);
    }
    tml__add_body(r, value, &def);
}

void tml__read_bodies(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'bodies'")) return;

    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        const json* name = tml__json_find(item, "name");
        const bool is_world =
            name != NULL && name->kind == JSON_TEXT && strcmp(name->text, "world") == 0;
        if (is_world) {
            read_world(r, item);
        } else {
            read_body(r, item, index++);
        }
    }
}
