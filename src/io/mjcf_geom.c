// io/mjcf_geom.c - geoms of MJCF: what they look like, and what they weigh.
//
// Sizes are halves in MJCF and whole here. A geom weighs its mass, or its density (1000 by default)
// times its volume.
#include "io/mjcf.h"
#include "model/names.h"

#include <string.h>

static const struct {
    const char* name;
    tml_shape_kind kind;
    int sizes;  // that the file gives
} kinds[] = {{"sphere", TML_SHAPE_SPHERE, 1},       {"capsule", TML_SHAPE_CAPSULE, 2},
             {"cylinder", TML_SHAPE_CYLINDER, 2},   {"box", TML_SHAPE_BOX, 3},
             {"ellipsoid", TML_SHAPE_ELLIPSOID, 3}, {"plane", TML_SHAPE_PLANE, 0}};

// The color of the geom, or of the material that it names.
static void read_color(mjcf* m, const mjcf_element* g, tml_shape_def* shape)
{
    memset(shape->color, 128, sizeof shape->color);
    const char* material = tml__mjcf_get(g, "material");
    for (const xml* a = m->root->first; a != NULL && material != NULL; a = a->next) {
        if (!tml__xml_is(a, "asset")) continue;
        for (const xml* e = tml__xml_child(a, "material"); e != NULL;
             e = tml__xml_next(e, "material")) {
            const char* name = tml__xml_attribute(e, "name");
            if (name == NULL || strcmp(name, material) != 0) continue;
            const mjcf_element of = tml__mjcf_open(m, e, NULL, "material");
            tml__robot_color(m->r, e, tml__mjcf_get(&of, "rgba"), shape->color);
        }
    }
    tml__robot_color(m->r, g->e, tml__mjcf_get(g, "rgba"), shape->color);
}

// Between two points: the long axis from the second to the first.
static bool read_fromto(const mjcf_element* g, tml_shape_def* shape, double half[3])
{
    double ends[6];
    if (!tml__mjcf_numbers(g, "fromto", 6, ends)) return false;
    const vec3 a = v3_load(ends);
    const vec3 b = v3_load(ends + 3);
    vec3 axis = v3_sub(a, b);
    half[1] = 0.5 * v3_norm(axis);
    if (!tml__robot_unit(g->m->r, g->e, "fromto of a geom", &axis)) return false;
    if (shape->kind == TML_SHAPE_BOX || shape->kind == TML_SHAPE_ELLIPSOID) {
        half[2] = half[1];
        half[1] = half[0];
    }
    shape->pose.p = v3_scale(0.5, v3_add(a, b));
    shape->pose.q = tml__quat_from_z(axis);
    return true;
}

static void set_size(tml_shape_def* shape, const double half[3])
{
    switch (shape->kind) {
    case TML_SHAPE_SPHERE: shape->size = v3(half[0], 0.0, 0.0); break;
    case TML_SHAPE_CAPSULE:
    case TML_SHAPE_CYLINDER: shape->size = v3(half[0], 0.0, 2.0 * half[1]); break;
    case TML_SHAPE_BOX: shape->size = v3(2.0 * half[0], 2.0 * half[1], 2.0 * half[2]); break;
    case TML_SHAPE_ELLIPSOID: shape->size = v3_load(half); break;
    case TML_SHAPE_PLANE:
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_MESH:
    case TML_SHAPE_KINDS:
    default: shape->size = v3_zero(); break;
    }
}

// The shape in the frame of the link; false when it is none that we have.
static bool read_shape(mjcf* m, const mjcf_element* g, tml_shape_def* shape)
{
    const char* type = tml__mjcf_get(g, "type");
    int kind = -1;
    if (type == NULL) type = "sphere";
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(type, kinds[k].name) == 0) kind = (int)k;
    }
    if (kind < 0 || tml__mjcf_get(g, "mesh") != NULL) return false;
    shape->kind = kinds[kind].kind;
    double half[3] = {0.0};
    const int given = tml__mjcf_list(g, "size", 0, 3, half);
    shape->pose = tml__mjcf_pose(g);
    const bool is_between = read_fromto(g, shape, half);
    const int needed = is_between ? 1 : kinds[kind].sizes;
    for (int k = 0; k < needed; k++) {
        if (given > k && half[k] > 0.0) continue;
        tml__robot_refuse(m->r, g->e, TML_BAD_ARGUMENT,
                          "a %s needs %d positive size%s, but number %d is %g", type, needed,
                          needed == 1 ? "" : "s", k + 1, given > k ? half[k] : 0.0);
        return false;
    }
    set_size(shape, half);
    return true;
}

static void add_solid(mjcf* m, const mjcf_element* g, const tml_shape_def* shape, geom_sum* sum)
{
    tml_shape_def one = *shape;
    tml_mass_properties p;
    double mass = -1.0;
    one.density = 1000.0;
    tml__mjcf_number(g, "density", &one.density);
    tml__mjcf_number(g, "mass", &mass);
    const double density = one.density;
    if (!sum->weighs || one.kind == TML_SHAPE_PLANE || (mass < 0.0 && !(density > 0.0))) return;
    if (!(mass > 0.0) && mass >= 0.0) return;
    one.density = 1.0;
    if (tml_shapes_mass(&one, 1, &p) != TML_OK) return;  // no volume: nothing to weigh
    const double scale = mass > 0.0 ? mass / p.mass : density;
    tml__mjcf_add_solid(m, sum,
                        &(solid){scale * p.mass, p.com, m3_scale(scale, m3_symmetric(p.inertia))});
}

void tml__mjcf_add_solid(mjcf* m, geom_sum* sum, const solid* s)
{
    solid* list = tml__robot_grow(m->r, sum->solids, sum->count, &sum->capacity, sizeof *list);
    if (list == NULL) return;
    sum->solids = list;
    list[sum->count++] = *s;
    sum->mass += s->mass;
    sum->moment = v3_axpy(sum->moment, s->mass, s->com);
}

static unsigned bits(const mjcf_element* g, const char* name)
{
    double x = 1.0;
    tml__mjcf_number(g, name, &x);
    return x > 0.0 && x < 4294967296.0    ? (unsigned)x
           : x < 0.0 && x > -2147483649.0 ? (unsigned)(int)x
                                          : 0u;
}

static int whole(const mjcf_element* g, const char* name, int usual)
{
    double x = usual;
    tml__mjcf_number(g, name, &x);
    return x > -1e9 && x < 1e9 ? (int)x : usual;
}

// Whom it touches, and how.
static void read_touch(const mjcf_element* g, tml_shape_def* shape)
{
    double friction[3] = {1.0, 0.005, 0.0001};
    tml__mjcf_list(g, "friction", 0, 3, friction);
    shape->friction = friction[0] > 0.0 ? friction[0] : 0.0;
    shape->torsion = friction[1] > 0.0 ? friction[1] : 0.0;
    shape->rolling = friction[2] > 0.0 ? friction[2] : 0.0;
    shape->mask = bits(g, "contype");
    shape->groups = bits(g, "conaffinity");
    shape->collide = shape->mask != 0 || shape->groups != 0;
    shape->priority = whole(g, "priority", 0);
    shape->dimensions = whole(g, "condim", 3);
    if (!shape->collide) return;
    const int d = shape->dimensions;
    if (d != 1 && d != 3 && d != 4 && d != 6) {
        tml__robot_refuse(g->m->r, g->e, TML_BAD_ARGUMENT, "condim must be 1, 3, 4 or 6, not %d",
                          d);
    }
    if (d > 3) {
        tml__robot_lint(g->m->r, g->e, "torsional or rolling friction (condim 4 or 6)",
                        "not simulated: sliding friction is");
    }
    tml__mjcf_number(g, "margin", &shape->margin);
    if (!(shape->margin > 0.0)) shape->margin = 0.0;
}

// MuJoCo draws the groups 0 to 2; models keep what is only there to touch in the others.
static int is_hidden(const mjcf_element* g)
{
    double group = 0.0;
    tml__mjcf_number(g, "group", &group);
    return group > 2.0;
}

// Which body a geom belongs to, for those who name it; the first of a name counts.
static void keep_name(mjcf* m, const xml* e, int of)
{
    const char* name = tml__xml_attribute(e, "name");
    if (name == NULL) return;
    if (m->geom_names == NULL) m->geom_names = tml__names_create();
    if (m->geom_names == NULL || (tml__names_find(m->geom_names, name) < 0 &&
                                  !tml__names_add(m->geom_names, name, of + 1))) {
        tml__robot_refuse(m->r, NULL, TML_NO_MEMORY, "out of memory");
    }
}

void tml__mjcf_geom(mjcf* m, const xml* e, const xml* scope, pose frame, geom_sum* sum)
{
    const mjcf_element g = tml__mjcf_open(m, e, scope, "geom");
    tml_shape_def shape = tml_shape_def_default();

    keep_name(m, e, sum->link);
    shape.name = tml__xml_attribute(e, "name");
    read_touch(&g, &shape);
    shape.hidden = is_hidden(&g);
    read_color(m, &g, &shape);
    if (!read_shape(m, &g, &shape)) {
        tml__mjcf_mesh_geom(m, &g, frame, &shape, sum);
        return;
    }
    shape.pose = pose_mul(frame, shape.pose);
    add_solid(m, &g, &shape, sum);
    tml__robot_add_shape(m->r, sum->link, sum->link, &shape);
}
