// io/urdf_link.c - the inertia and the shapes of a URDF link.
//
// What a link looks like and what it touches with are separate lists in URDF. A collision shape that
// equals a visual one makes that one touchable; any other is a shape of its own.
#include "io/robot_mesh.h"
#include "io/urdf.h"

#include <string.h>

// ---- inertia

static void read_inertial(robot* r, const xml* e, int of)
{
    const pose origin = tml__robot_origin(r, tml__xml_child(e, "origin"));
    const xml* mass = tml__xml_child(e, "mass");
    const xml* inertia = tml__xml_child(e, "inertia");
    double m = 0.0;
    double i[6] = {0.0};
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};

    if (mass != NULL) tml__attribute_number(r, mass, "value", &m);
    for (int k = 0; k < 6 && inertia != NULL; k++) {
        tml__attribute_number(r, inertia, names[k], &i[k]);
    }
    if (m < 0.0) {
        tml__robot_refuse(r, mass, TML_BAD_ARGUMENT,
                          "link '%.120s': mass must not be negative (%g)", r->links[of].name, m);
        return;
    }
    const mat3 R = q_matrix(origin.q);
    tml__robot_add_mass(r, of, m, origin.p, m3_mul_bt(m3_mul(R, m3_symmetric(i)), R));
    if (!(m > 0.0)) r->links[of].com = origin.p;
    if (m > 1e5) {
        tml__robot_lint(r, mass, "mass above 100 t", "taken as written; is the unit right?");
    }
}

// ---- shapes

static void read_size(robot* r, const xml* e, tml_shape_def* shape)
{
    double radius = 0.0;
    double length = 0.0;
    vec3 size = v3_zero();
    tml__attribute_number(r, e, "radius", &radius);
    tml__attribute_number(r, e, "length", &length);
    tml__attribute_vector(r, e, "size", &size);
    shape->size = shape->kind == TML_SHAPE_BOX ? size : v3(radius, 0.0, length);
    if (shape->kind == TML_SHAPE_SPHERE) shape->size = v3(radius, 0.0, 0.0);
}

// The shape of a <geometry>; false when there is none that we have.
static bool read_geometry(robot* r, const xml* e, tml_shape_def* shape)
{
    static const struct {
        const char* name;
        tml_shape_kind kind;
    } kinds[] = {{"box", TML_SHAPE_BOX},
                 {"sphere", TML_SHAPE_SPHERE},
                 {"cylinder", TML_SHAPE_CYLINDER},
                 {"capsule", TML_SHAPE_CAPSULE},
                 {"drake:capsule", TML_SHAPE_CAPSULE}};
    const xml* geometry = tml__xml_child(e, "geometry");
    const xml* child = geometry != NULL ? geometry->first : NULL;
    if (child == NULL) return false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!tml__xml_is(child, kinds[k].name)) continue;
        shape->kind = kinds[k].kind;
        read_size(r, child, shape);
        return true;
    }
    if (tml__xml_is(child, "mesh")) {
        mesh_frame frame = mesh_frame_plain();
        const char* file = tml__attribute_need(r, child, "filename");
        double scale[3];
        const int given = tml__attribute_list(r, child, "scale", 3, scale);
        if (given > 0) frame.scale = given == 3 ? v3_load(scale) : v3(scale[0], scale[0], scale[0]);
        return tml__robot_mesh(r, child, file, &frame, shape);
    }
    tml__robot_lint(r, child, "unknown geometry", "left out");
    return false;
}

// The color of a <material>, or of the one of that name at the top of the file.
static void read_color(robot* r, const xml* root, const xml* visual, tml_shape_def* shape)
{
    const xml* material = tml__xml_child(visual, "material");
    if (material == NULL) return;
    const xml* color = tml__xml_child(material, "color");
    const char* name = tml__xml_attribute(material, "name");
    for (const xml* m = tml__xml_child(root, "material");
         color == NULL && name != NULL && m != NULL; m = tml__xml_next(m, "material")) {
        const char* its = tml__xml_attribute(m, "name");
        if (its != NULL && strcmp(its, name) == 0) color = tml__xml_child(m, "color");
    }
    if (color == NULL) return;
    tml__robot_color(r, color, tml__xml_attribute(color, "rgba"), shape->color);
}

static bool is_same_shape(const tml_shape_def* a, const tml_shape_def* b)
{
    return a->kind == b->kind && memcmp(&a->size, &b->size, sizeof a->size) == 0 &&
           memcmp(&a->pose, &b->pose, sizeof a->pose) == 0 && a->vertices == b->vertices;
}

static void add_collision(robot* r, int of, const tml_shape_def* shape)
{
    robot_link* l = &r->links[of];
    for (int k = 0; k < l->shape_count; k++) {
        if (!is_same_shape(&l->shapes[k], shape)) continue;
        l->shapes[k].collide = 1;
        return;
    }
    tml__robot_add_shape(r, of, of, shape);
}

static void read_shapes(robot* r, const xml* root, const xml* e, int of)
{
    for (const xml* v = tml__xml_child(e, "visual"); v != NULL; v = tml__xml_next(v, "visual")) {
        tml_shape_def shape = tml_shape_def_default();
        shape.collide = 0;
        if (!read_geometry(r, v, &shape)) continue;
        shape.pose = tml__robot_origin(r, tml__xml_child(v, "origin"));
        read_color(r, root, v, &shape);
        tml__robot_add_shape(r, of, of, &shape);
    }
    for (const xml* c = tml__xml_child(e, "collision"); c != NULL;
         c = tml__xml_next(c, "collision")) {
        tml_shape_def shape = tml_shape_def_default();
        shape.hidden = 1;
        if (!read_geometry(r, c, &shape)) continue;
        shape.pose = tml__robot_origin(r, tml__xml_child(c, "origin"));
        add_collision(r, of, &shape);
    }
}

void tml__urdf_link(robot* r, const xml* root, const xml* e, int of)
{
    const xml* inertial = tml__xml_child(e, "inertial");
    if (inertial != NULL) read_inertial(r, inertial, of);
    read_shapes(r, root, e, of);
    if (r->status == TML_OK) {
        // a shape that the spec would refuse is refused here, with its line
        for (int k = 0; k < r->links[of].shape_count; k++) {
            const vec3 s = r->links[of].shapes[k].size;
            if (s.x < 0.0 || s.y < 0.0 || s.z < 0.0) {
                tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                                  "link '%.120s': a shape has a negative size", r->links[of].name);
            }
        }
    }
}
