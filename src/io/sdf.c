// io/sdf.c - SDF: links by their poses in the model, joints that hang them on each other.
//
// The first joint of a child makes the tree; further ones close loops. A link that no joint holds is
// free, as SDF has it, unless its model is static. Poses may be relative to any link, joint or frame.
//
// Names belong to their model: those of a model within a model are "INNER::NAME" to the outer one. A world of several
// models is the outer one of them all, so a body there is called "MODEL::LINK".
#include "io/path.h"
#include "io/robot_mesh.h"
#include "math/scalar.h"
#include "model/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CHAIN = 1000,  // poses relative to poses that are not placed yet
    CONE_CORNERS = 32  // of the circle of a cone
};

typedef struct sdf_frame {
    const xml* at;     // <link>, <joint>, <frame>, or the <model> within the model
    const char* name;  // as the outermost model knows it
    int scope;         // the model that it stands in
    bool is_placed;
    pose world;  // once it is placed
} sdf_frame;

// The outermost model, or one within it.
typedef struct sdf_scope {
    const xml* model;
    const char* prefix;  // of its names: "", "INNER::", ...
    int frame;           // that the model itself is; -1: the outermost
    bool is_static;
    bool is_measured;  // places in it are asked from its own frame for a while
} sdf_scope;

typedef struct sdf {
    robot* r;
    const xml* model;  // the outermost one: a <model>, or the <world> of several
    pose base;         // where it stands
    int scope_count, scope_capacity;
    sdf_scope* scopes;
    int measured_count;  // scopes that are measured
    name_table* names;   // -> frames
    int frame_count, frame_capacity;
    sdf_frame* frames;
    int* link_of;  // per frame that is a link: its index in the robot, -1: not placed
    int joint_count;
    int* joints;  // frames that are joints
} sdf;

// ---- values

static const char* text_of(const xml* e, const char* child)
{
    const xml* c = e != NULL ? tml__xml_child(e, child) : NULL;
    return c != NULL ? c->text : NULL;
}

static bool number_of(sdf* s, const xml* e, const char* child, double* out)
{
    const xml* c = e != NULL ? tml__xml_child(e, child) : NULL;
    return c != NULL && tml__numbers_in(s->r, c, child, c->text, 1, out);
}

static bool is_true(const char* text)
{
    return text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

// The numbers of <pose>; the identity when there is none.
static pose read_pose(sdf* s, const xml* e)
{
    const xml* p = e != NULL ? tml__xml_child(e, "pose") : NULL;
    double x[7];
    if (p == NULL || p->text[0] == '\0') return pose_identity();
    const char* format = tml__xml_attribute(p, "rotation_format");
    if (format != NULL && strcmp(format, "quat_xyzw") == 0) {
        if (!tml__numbers_in(s->r, p, "pose", p->text, 7, x)) return pose_identity();
        return (pose){v3_load(x), q_normalize((quat){x[6], x[3], x[4], x[5]})};
    }
    if (!tml__numbers_in(s->r, p, "pose", p->text, 6, x)) return pose_identity();
    for (int k = 3; k < 6 && is_true(tml__xml_attribute(p, "degrees")); k++) x[k] *= TML_PI / 180.0;
    return (pose){v3_load(x), q_normalize(q_from_rpy(x + 3))};
}

// A text of the robot: both parts, one behind the other.
static const char* joined(robot* r, const char* a, const char* b)
{
    char* text = tml__robot_take(r, strlen(a) + strlen(b) + 1, 1);
    if (text == NULL) return "";
    memcpy(text, a, strlen(a));
    memcpy(text + strlen(a), b, strlen(b) + 1);
    return text;
}

// A name as a model says it; -1: none.
static int find_frame(sdf* s, int scope, const char* name)
{
    const char* prefix = s->scopes[scope].prefix;
    if (s->names == NULL) return -1;
    return tml__names_find(s->names, prefix[0] != '\0' ? joined(s->r, prefix, name) : name);
}

// What a frame's pose is measured from, when it does not say: a joint's child, what a frame is
// attached to, else the model.
static const char* usual_base(const xml* e)
{
    if (tml__xml_is(e, "joint")) return text_of(e, "child");
    if (tml__xml_is(e, "frame")) return tml__xml_attribute(e, "attached_to");
    return NULL;
}

static pose world_of(sdf* s, int frame, int depth);

// A model stands by its own frame, or by the one that it names as its placement frame.
static pose world_of_scope(sdf* s, int scope, int depth)
{
    sdf_scope* own = &s->scopes[scope];
    if (own->is_measured) return pose_identity();
    const int frame = own->frame;
    const pose at = frame < 0 ? s->base : world_of(s, frame, depth + 1);
    const char* by = tml__xml_attribute(own->model, "placement_frame");
    if (by == NULL || by[0] == '\0' || strcmp(by, "__model__") == 0) return at;
    const int placed = find_frame(s, scope, by);
    if (placed < 0) {
        tml__robot_refuse(s->r, own->model, TML_BAD_ARGUMENT,
                          "there is no link, joint or frame '%.120s'", by);
        return at;
    }
    own->is_measured = true;
    s->measured_count++;
    const pose inner = world_of(s, placed, depth + 1);
    s->measured_count--;
    own->is_measured = false;
    return pose_mul(at, pose_inverse(inner));
}

// Where a frame stands in the world, found by what its pose is relative to.
static pose place_frame(sdf* s, int frame, int depth)
{
    const xml* e = s->frames[frame].at;
    const int scope = s->frames[frame].scope;
    const xml* p = tml__xml_child(e, "pose");
    const char* from = p != NULL ? tml__xml_attribute(p, "relative_to") : NULL;
    if (from == NULL || from[0] == '\0') from = usual_base(e);
    const pose own = read_pose(s, e);
    if (s->r->status != TML_OK) return own;
    if (depth > MAX_CHAIN) {
        tml__robot_refuse(s->r, e, TML_BAD_ARGUMENT,
                          "the pose of '%.120s' is relative to itself, or to more than %d others "
                          "that come later",
                          s->frames[frame].name, MAX_CHAIN);
        return own;
    }
    if (from == NULL || from[0] == '\0' || strcmp(from, "__model__") == 0) {
        return pose_mul(world_of_scope(s, scope, depth), own);
    }
    if (strcmp(from, "world") == 0) return own;
    const int base = find_frame(s, scope, from);
    if (base < 0) {
        tml__robot_refuse(s->r, e, TML_BAD_ARGUMENT, "there is no link, joint or frame '%.120s'",
                          from);
        return own;
    }
    return pose_mul(world_of(s, base, depth + 1), own);
}

// The same, found once; while a model is measured its frames stand elsewhere.
static pose world_of(sdf* s, int frame, int depth)
{
    sdf_frame* f = &s->frames[frame];
    if (s->measured_count > 0) return place_frame(s, frame, depth);
    if (!f->is_placed) f->world = place_frame(s, frame, depth);
    f->is_placed = true;
    return f->world;
}

// ---- lists

static int add_scope(sdf* s, const xml* model, const char* prefix, int frame)
{
    sdf_scope* list =
        tml__robot_grow(s->r, s->scopes, s->scope_count, &s->scope_capacity, sizeof *list);
    if (list == NULL) return -1;
    s->scopes = list;
    const xml* fixed = tml__xml_child(model, "static");
    const bool is_static = (fixed != NULL && is_true(fixed->text)) ||
                           (frame >= 0 && list[s->frames[frame].scope].is_static);
    list[s->scope_count] = (sdf_scope){model, prefix, frame, is_static, false};
    return s->scope_count++;
}

static int add_frame(sdf* s, const xml* e, int scope)
{
    const char* own = tml__attribute_need(s->r, e, "name");
    const char* name = joined(s->r, s->scopes[scope].prefix, own);
    sdf_frame* list =
        tml__robot_grow(s->r, s->frames, s->frame_count, &s->frame_capacity, sizeof *list);
    if (list == NULL) return -1;
    s->frames = list;
    list[s->frame_count] = (sdf_frame){.at = e, .name = name, .scope = scope};
    if (s->names != NULL && tml__names_find(s->names, name) >= 0) {
        tml__robot_refuse(s->r, e, TML_BAD_ARGUMENT,
                          "there are two links, joints or frames '%.120s'", name);
    } else if (s->names == NULL || !tml__names_add(s->names, name, s->frame_count)) {
        tml__robot_refuse(s->r, NULL, TML_NO_MEMORY, "out of memory");
    }
    return s->frame_count++;
}

static void list_scope(sdf* s, int scope, int depth)
{
    const xml* model = s->scopes[scope].model;
    for (const xml* e = model->first; e != NULL && s->r->status == TML_OK; e = e->next) {
        const bool is_model = tml__xml_is(e, "model");
        if (!is_model && !tml__xml_is(e, "link") && !tml__xml_is(e, "joint") &&
            !tml__xml_is(e, "frame")) {
            continue;
        }
        const int frame = add_frame(s, e, scope);
        if (!is_model || frame < 0) continue;
        if (depth >= MAX_CHAIN) {
            tml__robot_refuse(s->r, e, TML_BAD_ARGUMENT, "models stand in each other too deep");
            return;
        }
        const int inner = add_scope(s, e, joined(s->r, s->frames[frame].name, "::"), frame);
        if (inner >= 0) list_scope(s, inner, depth + 1);
    }
}

static void list_frames(sdf* s)
{
    s->names = tml__names_create();
    const int outermost = add_scope(s, s->model, "", -1);
    if (outermost >= 0) list_scope(s, outermost, 0);
    s->link_of = tml__robot_take(s->r, (size_t)s->frame_count + 1, sizeof(int));
    s->joints = tml__robot_take(s->r, (size_t)s->frame_count + 1, sizeof(int));
    for (int i = 0; i < s->frame_count && s->r->status == TML_OK; i++) {
        s->link_of[i] = -1;
        if (tml__xml_is(s->frames[i].at, "joint")) s->joints[s->joint_count++] = i;
    }
}

// ---- links

// Masses of the shapes that touch, each by its density, which weighs nothing beyond this.
static void weigh_shapes(sdf* s, const xml* inertial, int of)
{
    robot* r = s->r;
    robot_link* l = &r->links[of];
    tml_mass_properties p;
    int count = 0;
    tml_shape_def* shapes = tml__robot_take(r, (size_t)l->shape_count + 1, sizeof *shapes);
    if (shapes == NULL) return;
    for (int i = 0; i < l->shape_count; i++) {
        if (l->shapes[i].density > 0.0) shapes[count++] = l->shapes[i];
        l->shapes[i].density = 0.0;
    }
    if (count == 0 || tml_shapes_mass(shapes, count, &p) != TML_OK || !(p.mass > 0.0)) {
        tml__robot_refuse(r, inertial, TML_BAD_ARGUMENT,
                          "link '%.120s': its mass is to be that of its collision shapes, which "
                          "have no volume that is known",
                          l->name);
        return;
    }
    tml__robot_add_mass(r, of, p.mass, p.com, m3_symmetric(p.inertia));
}

static void read_inertial(sdf* s, const xml* link, int of)
{
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const xml* e = tml__xml_child(link, "inertial");
    const xml* inertia = e != NULL ? tml__xml_child(e, "inertia") : NULL;
    double i[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};  // what SDF says where a link says nothing
    double mass = 1.0;
    if (e != NULL && is_true(tml__xml_attribute(e, "auto"))) {
        weigh_shapes(s, e, of);
        return;
    }
    number_of(s, e, "mass", &mass);
    for (int k = 0; k < 6; k++) number_of(s, inertia, names[k], &i[k]);
    if (!(mass > 0.0)) {
        tml__robot_refuse(s->r, e != NULL ? e : link, TML_BAD_ARGUMENT,
                          "link '%.120s': mass must be positive, but is %g", s->r->links[of].name,
                          mass);
        return;
    }
    const pose at = read_pose(s, e);
    const mat3 R = q_matrix(at.q);
    tml__robot_add_mass(s->r, of, mass, at.p, m3_mul_bt(m3_mul(R, m3_symmetric(i)), R));
}

// "model://NAME/FILE" is "package://NAME/FILE" by another word.
static bool read_mesh(sdf* s, const xml* g, tml_shape_def* shape)
{
    mesh_frame frame = mesh_frame_plain();
    const char* uri = text_of(g, "uri");
    const xml* scale = tml__xml_child(g, "scale");
    double size[3];
    char name[PATH_CHARS + 16];
    if (uri == NULL || strlen(uri) >= PATH_CHARS) {
        tml__robot_lint(s->r, g, "mesh without a file", "left out");
        return false;
    }
    const bool is_package = strncmp(uri, "model://", 8) == 0;
    snprintf(name, sizeof name, "%s%s", is_package ? "package://" : "", uri + (is_package ? 8 : 0));
    if (scale != NULL && tml__numbers_in(s->r, scale, "scale", scale->text, 3, size)) {
        frame.scale = v3_load(size);
    }
    return tml__robot_mesh(s->r, g, name, &frame, shape);
}

// Its normal is z where nothing else is said.
static bool read_plane(sdf* s, const xml* g, tml_shape_def* shape)
{
    const xml* e = tml__xml_child(g, "normal");
    double x[3] = {0.0, 0.0, 1.0};
    if (e != NULL) tml__numbers_in(s->r, e, "normal", e->text, 3, x);
    vec3 normal = v3_load(x);
    if (!tml__robot_unit(s->r, e != NULL ? e : g, "the normal of a plane", &normal)) return false;
    shape->kind = TML_SHAPE_PLANE;
    shape->pose.q = tml__quat_from_z(normal);
    return true;
}

// The hull of a circle of corners and a tip above it; the origin is halfway up.
static bool make_cone(sdf* s, double radius, double length, tml_shape_def* shape)
{
    tml_vec3* v = tml__robot_take(s->r, CONE_CORNERS + 1, sizeof *v);
    int* t = tml__robot_take(s->r, (size_t)3 * (2 * CONE_CORNERS - 2), sizeof *t);
    if (v == NULL || t == NULL) return false;
    int at = 0;
    for (int i = 0; i < CONE_CORNERS; i++) {
        const double angle = 2.0 * TML_PI * i / CONE_CORNERS;
        const int next = (i + 1) % CONE_CORNERS;
        v[i] = v3(radius * tml__cos(angle), radius * tml__sin(angle), -0.5 * length);
        t[at++] = i, t[at++] = next, t[at++] = CONE_CORNERS;
        if (i == 0 || next == 0) continue;
        t[at++] = 0, t[at++] = next, t[at++] = i;
    }
    v[CONE_CORNERS] = v3(0.0, 0.0, 0.5 * length);
    shape->kind = TML_SHAPE_MESH;
    shape->hull = true;
    shape->vertices = v;
    shape->vertex_count = CONE_CORNERS + 1;
    shape->triangles = t;
    shape->triangle_count = at / 3;
    return true;
}

static bool read_geometry(sdf* s, const xml* e, tml_shape_def* shape)
{
    const xml* geometry = tml__xml_child(e, "geometry");
    const xml* g = geometry != NULL ? geometry->first : NULL;
    double radius = 0.0;
    double length = 0.0;
    double size[3] = {0.0};
    if (g == NULL) return false;
    number_of(s, g, "radius", &radius);
    number_of(s, g, "length", &length);
    const xml* box = tml__xml_child(g, "size");
    if (tml__xml_is(g, "box") && box != NULL) {
        shape->kind = TML_SHAPE_BOX;
        tml__numbers_in(s->r, box, "size", box->text, 3, size);
        shape->size = v3_load(size);
    } else if (tml__xml_is(g, "sphere")) {
        shape->kind = TML_SHAPE_SPHERE;
        shape->size = v3(radius, 0.0, 0.0);
    } else if (tml__xml_is(g, "cylinder") || tml__xml_is(g, "capsule")) {
        shape->kind = tml__xml_is(g, "capsule") ? TML_SHAPE_CAPSULE : TML_SHAPE_CYLINDER;
        shape->size = v3(radius, 0.0, length);
    } else if (tml__xml_is(g, "plane")) {
        return read_plane(s, g, shape);
    } else if (tml__xml_is(g, "ellipsoid")) {
        const xml* radii = tml__xml_child(g, "radii");
        if (radii != NULL) tml__numbers_in(s->r, radii, "radii", radii->text, 3, size);
        shape->kind = TML_SHAPE_ELLIPSOID;
        shape->size = v3_load(size);
    } else if (tml__xml_is(g, "cone")) {
        return make_cone(s, radius, length, shape);
    } else if (tml__xml_is(g, "mesh")) {
        return read_mesh(s, g, shape);
    } else if (tml__xml_is(g, "empty")) {
        return false;
    } else {
        char feature[100];
        snprintf(feature, sizeof feature, "shape '%.60s'", g->name);
        tml__robot_lint(s->r, g, feature, "left out");
        return false;
    }
    return true;
}

// How it touches: friction and bounce, and whom (two shapes touch where their bit masks share a bit).
static void read_surface(sdf* s, const xml* collision, tml_shape_def* shape)
{
    const xml* surface = tml__xml_child(collision, "surface");
    const xml* friction = surface != NULL ? tml__xml_child(surface, "friction") : NULL;
    const xml* ode = friction != NULL ? tml__xml_child(friction, "ode") : NULL;
    const xml* bounce = surface != NULL ? tml__xml_child(surface, "bounce") : NULL;
    const xml* contact = surface != NULL ? tml__xml_child(surface, "contact") : NULL;
    const char* bits = text_of(contact, "collide_bitmask");
    double mu2 = 0.0;
    shape->friction = 1.0;
    number_of(s, ode, "mu", &shape->friction);
    if (number_of(s, ode, "mu2", &mu2) && mu2 != shape->friction) {
        tml__robot_lint(s->r, collision, "friction that differs with the direction",
                        "that of the first direction (mu) counts in both");
    }
    if (!(shape->friction >= 0.0)) shape->friction = 0.0;
    number_of(s, bounce, "restitution_coefficient", &shape->restitution);
    shape->restitution = fmin(fmax(shape->restitution, 0.0), 1.0);
    if (bits != NULL) {
        shape->mask = shape->groups = (unsigned)strtoul(bits, NULL, 0);
        shape->collide = shape->mask != 0;
    }
}

static void read_shapes(sdf* s, const xml* link, int of)
{
    const xml* inertial = tml__xml_child(link, "inertial");
    const bool weighs = inertial != NULL && is_true(tml__xml_attribute(inertial, "auto"));
    double density = 1000.0;
    if (weighs) number_of(s, inertial, "density", &density);
    for (const xml* e = link->first; e != NULL && s->r->status == TML_OK; e = e->next) {
        const bool is_visual = tml__xml_is(e, "visual");
        tml_shape_def shape = tml_shape_def_default();
        if ((!is_visual && !tml__xml_is(e, "collision")) || !read_geometry(s, e, &shape)) continue;
        shape.pose = pose_mul(read_pose(s, e), shape.pose);
        shape.collide = !is_visual;
        shape.hidden = !is_visual;
        if (!is_visual) read_surface(s, e, &shape);
        if (!is_visual && weighs && shape.kind != TML_SHAPE_PLANE) {
            shape.density = density;
            number_of(s, e, "density", &shape.density);
        }
        const xml* material = tml__xml_child(e, "material");
        tml__robot_color(s->r, material, text_of(material, "diffuse"), shape.color);
        tml__robot_add_shape(s->r, of, of, &shape);
    }
}

static int place_link(sdf* s, int frame, int parent)
{
    robot* r = s->r;
    const xml* e = s->frames[frame].at;
    const pose world = world_of(s, frame, 0);
    const pose outer = parent >= 0 ? r->links[parent].world : pose_identity();
    robot_link* l = tml__robot_add_link(r, e, s->frames[frame].name, parent,
                                        pose_mul(pose_inverse(outer), world));
    if (l == NULL) return -1;
    l->world = world;
    s->link_of[frame] = r->link_count - 1;
    const int of = r->link_count - 1;
    const char* falls = text_of(e, "gravity");
    if (falls != NULL && falls[0] != '\0' && !is_true(falls)) l->gravity_compensation = 1.0;
    read_shapes(s, e, of);  // first: a link may weigh what they do
    read_inertial(s, e, of);
    return of;
}

// ---- joints

// The axis of a joint in the world.
static vec3 read_axis(sdf* s, int at, const char* name, pose frame)
{
    const xml* joint = s->frames[at].at;
    const int scope = s->frames[at].scope;
    const xml* axis = tml__xml_child(joint, name);
    const xml* xyz = axis != NULL ? tml__xml_child(axis, "xyz") : NULL;
    double x[3] = {0.0, 0.0, 1.0};
    if (xyz != NULL) tml__numbers_in(s->r, xyz, "xyz", xyz->text, 3, x);
    vec3 a = v3_load(x);
    tml__robot_unit(s->r, xyz != NULL ? xyz : joint, "the axis of a joint", &a);
    const char* in = xyz != NULL ? tml__xml_attribute(xyz, "expressed_in") : NULL;
    const char* old = text_of(axis, "use_parent_model_frame");
    quat q = frame.q;
    const bool is_old = old != NULL && (strcmp(old, "1") == 0 || strcmp(old, "true") == 0);
    if (is_old || (in != NULL && strcmp(in, "__model__") == 0)) {
        q = world_of_scope(s, scope, 0).q;
    } else if (in != NULL && in[0] != '\0') {
        const int base = find_frame(s, scope, in);
        if (base < 0) {
            tml__robot_refuse(s->r, xyz, TML_BAD_ARGUMENT, "there is no frame '%.120s'", in);
            return a;
        }
        q = world_of(s, base, 0).q;
    }
    return q_rotate(q, a);
}

// A bound, which may be infinite; false: it says nothing.
static bool limit_of(sdf* s, const xml* e, const char* child, double* out)
{
    const char* text = text_of(e, child);
    if (text != NULL && strstr(text, "inf") != NULL) return false;
    return number_of(s, e, child, out);
}

static void read_drive(sdf* s, const xml* joint, tml_joint_axis* drive)
{
    const xml* axis = tml__xml_child(joint, "axis");
    const xml* limit = axis != NULL ? tml__xml_child(axis, "limit") : NULL;
    const xml* dynamics = axis != NULL ? tml__xml_child(axis, "dynamics") : NULL;
    double lower = -1e16;
    double upper = 1e16;
    double effort = -1.0;
    double velocity = -1.0;
    limit_of(s, limit, "lower", &lower);
    limit_of(s, limit, "upper", &upper);
    number_of(s, dynamics, "damping", &drive->damping);
    number_of(s, dynamics, "spring_stiffness", &drive->stiffness);
    number_of(s, dynamics, "spring_reference", &drive->rest);
    number_of(s, dynamics, "friction", &drive->friction);
    tml__robot_keep_friction(s->r, joint, drive);
    if (limit_of(s, limit, "effort", &effort) && effort >= 0.0 && effort < 1e15) {
        tml__robot_limit_force(s->r, joint, drive, -effort, effort);
    }
    if (limit_of(s, limit, "velocity", &velocity) && velocity > 0.0 && velocity < 1e15) {
        tml__robot_lint(s->r, joint, "velocity limits of joints", "not enforced");
    }
    // SDF writes 1e16 for "no limit"
    if ((lower > -1e15 || upper < 1e15) && lower < upper) {
        drive->has_limits = 1;
        drive->lower = fmax(lower, -1e9);
        drive->upper = fmin(upper, 1e9);
    }
}

static void add_movement(sdf* s, int at, int of, movement_kind kind, const char* axis, pose frame)
{
    const xml* e = s->frames[at].at;
    const bool is_first = strcmp(axis, "axis") == 0;
    const pose back = pose_inverse(s->r->links[of].world);
    const vec3 direction = read_axis(s, at, axis, frame);
    movement* m = tml__robot_add_movement(s->r, e, is_first ? s->frames[at].name : NULL, of, kind);
    if (m == NULL) return;
    m->point = pose_apply(back, frame.p);
    m->axis = q_rotate(back.q, direction);
    if (is_first && kind != MOVE_BALL) read_drive(s, e, &m->drive);
}

// A turn that slides: `screw_thread_pitch` metres a turn; the older `thread_pitch` is turns a metre, the other way round.
static void add_screw(sdf* s, int at, int of, pose frame)
{
    robot* r = s->r;
    const xml* e = s->frames[at].at;
    double pitch = 1.0;
    double old = 0.0;
    const bool is_said = number_of(s, e, "screw_thread_pitch", &pitch);
    if (!is_said && number_of(s, e, "thread_pitch", &old) && old != 0.0) {
        pitch = -2.0 * TML_PI / old;
    }
    const vec3 direction = read_axis(s, at, "axis", frame);
    const pose back = pose_inverse(r->links[of].world);
    movement* slide = tml__robot_add_movement(r, e, NULL, of, MOVE_SLIDE);
    if (slide == NULL) return;
    slide->axis = q_rotate(back.q, direction);
    add_movement(s, at, of, MOVE_HINGE, "axis", frame);
    tie* t = tml__robot_add_tie(r, e, NULL, 2);
    if (t == NULL) return;
    t->terms[0] = (tie_term){r->movement_count - 2, 1, {1.0}};
    t->terms[1] = (tie_term){r->movement_count - 1, 1, {-pitch / (2.0 * TML_PI)}};
}

static void add_movements(sdf* s, int at, const char* type, int of, pose frame)
{
    const bool is_hinge = strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0;
    const bool is_two = strcmp(type, "universal") == 0 || strcmp(type, "revolute2") == 0;
    if (is_hinge || is_two) add_movement(s, at, of, MOVE_HINGE, "axis", frame);
    if (is_two) add_movement(s, at, of, MOVE_HINGE, "axis2", frame);
    if (strcmp(type, "prismatic") == 0) add_movement(s, at, of, MOVE_SLIDE, "axis", frame);
    if (strcmp(type, "ball") == 0) add_movement(s, at, of, MOVE_BALL, "axis", frame);
    if (strcmp(type, "screw") == 0) add_screw(s, at, of, frame);
}

// A joint whose child already hangs on another.
static void add_loop(sdf* s, int joint, const char* type, int parent, int child, pose frame)
{
    const xml* e = s->frames[joint].at;
    closure* c = tml__robot_add_closure(s->r, e, s->frames[joint].name);
    if (c == NULL) return;
    const bool is_hinge = strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0;
    c->kind = is_hinge                         ? TML_JOINT_REVOLUTE
              : strcmp(type, "prismatic") == 0 ? TML_JOINT_PRISMATIC
              : strcmp(type, "ball") == 0      ? TML_JOINT_SPHERICAL
                                               : TML_JOINT_FIXED;
    if (strcmp(type, "universal") == 0 || strcmp(type, "revolute2") == 0 ||
        strcmp(type, "screw") == 0) {
        tml__robot_refuse(s->r, e, TML_UNSUPPORTED, "a loop cannot be closed by a '%s' joint",
                          type);
        return;
    }
    pose at = {frame.p, frame.q};
    if (is_hinge || c->kind == TML_JOINT_PRISMATIC) {
        at.q = tml__frame_about(read_axis(s, joint, "axis", frame));
    }
    const pose outer = parent >= 0 ? s->r->links[parent].world : pose_identity();
    c->base = parent;
    c->follower = child;
    c->frame_base = pose_mul(pose_inverse(outer), at);
    c->frame_follower = pose_mul(pose_inverse(s->r->links[child].world), at);
    if (is_hinge) read_drive(s, e, &c->turn);
    c->turn.has_limits = 0;
}

// The link that stands for a model in joints; -1: it has none.
static int canonical_link(sdf* s, int frame)
{
    const char* chosen = tml__xml_attribute(s->frames[frame].at, "canonical_link");
    for (int k = 0; k < s->scope_count; k++) {
        if (s->scopes[k].frame != frame) continue;
        if (chosen != NULL) return find_frame(s, k, chosen);
        for (int i = 0; i < s->frame_count; i++) {
            if (s->frames[i].scope == k && tml__xml_is(s->frames[i].at, "link")) return i;
        }
    }
    return -1;
}

// The link that a joint names, through frames attached to it; -1 the world, -2 refused.
static int end_of(sdf* s, int joint, const char* role)
{
    const char* name = text_of(s->frames[joint].at, role);
    int scope = s->frames[joint].scope;
    for (int depth = 0; name != NULL && depth < MAX_CHAIN; depth++) {
        if (strcmp(name, "world") == 0) return -1;
        int frame = find_frame(s, scope, name);
        if (frame >= 0 && tml__xml_is(s->frames[frame].at, "model")) {
            frame = canonical_link(s, frame);
        }
        if (frame >= 0 && tml__xml_is(s->frames[frame].at, "link")) return frame;
        name = frame >= 0 ? tml__xml_attribute(s->frames[frame].at, "attached_to") : NULL;
        if (frame >= 0) scope = s->frames[frame].scope;
    }
    tml__robot_refuse(s->r, s->frames[joint].at, TML_BAD_ARGUMENT,
                      "joint '%.120s': its %s is no link", s->frames[joint].name, role);
    return -2;
}

static void add_joint(sdf* s, int joint, bool is_loop)
{
    const xml* e = s->frames[joint].at;
    static const char* const known[] = {"revolute",  "continuous", "prismatic", "fixed",
                                        "universal", "revolute2",  "ball",      "screw"};
    const char* type = tml__attribute_need(s->r, e, "type");
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(type, known[i]) == 0) is_known = true;
    }
    if (!is_known) {
        tml__robot_refuse(s->r, e, TML_UNSUPPORTED, "joint '%.120s': type '%.60s' is not read",
                          tml__attribute_need(s->r, e, "name"), type);
        return;
    }
    const int parent = end_of(s, joint, "parent");
    const int child = end_of(s, joint, "child");
    if (s->r->status != TML_OK) return;
    if (child < 0) {
        tml__robot_refuse(s->r, e, TML_BAD_ARGUMENT, "joint '%.120s': the world is no child",
                          tml__attribute_need(s->r, e, "name"));
        return;
    }
    const pose frame = world_of(s, joint, 0);
    const int base = parent >= 0 ? s->link_of[parent] : -1;
    if (is_loop) {
        add_loop(s, joint, type, base, s->link_of[child], frame);
    } else {
        const int of = place_link(s, child, base);
        if (of >= 0) add_movements(s, joint, type, of, frame);
    }
}

// ---- the model

// Joints whose parent is placed and whose child is not make the tree; repeated until none is left.
static void grow_tree(sdf* s, bool* is_done)
{
    bool has_grown = true;
    while (has_grown && s->r->status == TML_OK) {
        has_grown = false;
        for (int k = 0; k < s->joint_count && s->r->status == TML_OK; k++) {
            const int i = s->joints[k];
            if (is_done[i]) continue;
            const int parent = end_of(s, i, "parent");
            const int child = end_of(s, i, "child");
            if (child < 0 || (parent >= 0 && s->link_of[parent] < 0) || s->link_of[child] >= 0) {
                continue;
            }
            add_joint(s, i, false);
            is_done[i] = true;
            has_grown = true;
        }
    }
}

// Whether some joint still waits to hang this link on another.
static bool is_child(sdf* s, int frame, const bool* is_done)
{
    for (int k = 0; k < s->joint_count; k++) {
        const int i = s->joints[k];
        if (is_done[i]) continue;
        if (end_of(s, i, "child") == frame && end_of(s, i, "parent") != frame) return true;
    }
    return false;
}

static void place_roots(sdf* s, bool* is_done)
{
    grow_tree(s, is_done);
    // links that nobody hangs first; a ring of links starts at its first one
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->frame_count && s->r->status == TML_OK; i++) {
            const xml* e = s->frames[i].at;
            if (!tml__xml_is(e, "link") || s->link_of[i] >= 0) continue;
            if (pass == 0 && is_child(s, i, is_done)) continue;
            const int of = place_link(s, i, -1);
            if (of < 0) return;
            if (!s->scopes[s->frames[i].scope].is_static) {
                const pose world = s->r->links[of].world;
                movement* m = tml__robot_add_movement(s->r, e, NULL, of, MOVE_FREE);
                if (m != NULL) m->place = world;
            }
            grow_tree(s, is_done);
        }
    }
}

// A frame of the file as a link without mass: a place that closures may name.
static void add_place(sdf* s, int i)
{
    robot* r = s->r;
    const xml* e = s->frames[i].at;
    const pose world = world_of(s, i, 0);
    const char* on = tml__xml_attribute(e, "attached_to");
    const int frame = on != NULL ? find_frame(s, s->frames[i].scope, on) : -1;
    const int of = frame >= 0 ? s->link_of[frame] : -1;
    const pose outer = of >= 0 ? r->links[of].world : pose_identity();
    tml__robot_add_link(r, e, s->frames[i].name, of, pose_mul(pose_inverse(outer), world));
}

// q = multiplier (q_other - reference) + offset
static void add_mimic(sdf* s, int joint)
{
    robot* r = s->r;
    const xml* axis = tml__xml_child(s->frames[joint].at, "axis");
    const xml* e = axis != NULL ? tml__xml_child(axis, "mimic") : NULL;
    if (e == NULL) return;
    double multiplier = 1.0;
    double offset = 0.0;
    double reference = 0.0;
    number_of(s, e, "multiplier", &multiplier);
    number_of(s, e, "offset", &offset);
    number_of(s, e, "reference", &reference);
    const char* name = tml__attribute_need(r, e, "joint");
    const int other = find_frame(s, s->frames[joint].scope, name);
    const int follower = tml__robot_find_movement(r, s->frames[joint].name);
    const int leader = other >= 0 ? tml__robot_find_movement(r, s->frames[other].name) : -1;
    if (follower < 0 || leader < 0 || follower == leader) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                          "joint '%.120s' mimics '%.120s', which is no other joint that moves",
                          s->frames[joint].name, name);
        return;
    }
    tie* t = tml__robot_add_tie(r, e, NULL, 2);
    if (t == NULL) return;
    t->terms[0] = (tie_term){follower, 1, {1.0}};
    t->terms[1] = (tie_term){leader, 1, {-multiplier}};
    t->offset = multiplier * reference - offset;
}

// Of a world: those that only show, record or step are no loss.
static bool is_harmless(const xml* plugin)
{
    static const char* const parts[] = {
        "physics", "scene-broadcaster", "user-commands", "contact", "log", "sensors"};
    const char* file = tml__xml_attribute(plugin, "filename");
    for (size_t i = 0; file != NULL && i < sizeof parts / sizeof *parts; i++) {
        if (strstr(file, parts[i]) != NULL) return true;
    }
    return false;
}

static void note_plugins(sdf* s)
{
    const xml* world = tml__xml_is(s->model, "world") ? s->model : s->model->parent;
    for (const xml* e = world != NULL ? world->first : NULL; e != NULL; e = e->next) {
        if (tml__xml_is(e, "plugin") && !is_harmless(e)) {
            tml__robot_lint(s->r, e, "'plugin' in a world", "not read");
        }
    }
    for (int k = 0; k < s->scope_count; k++) {
        if (!tml__xml_is(s->scopes[k].model, "model")) continue;
        for (const xml* e = s->scopes[k].model->first; e != NULL; e = e->next) {
            if (tml__xml_is(e, "plugin")) {
                tml__robot_lint(s->r, e, "'plugin' in a model", "not read");
            }
        }
    }
}

// A <model>, or a <world>, whose models are then models within a model.
static void read_model(robot* r, const xml* model)
{
    sdf s = {.r = r, .model = model, .base = pose_identity()};
    if (tml__xml_is(model, "model")) s.base = read_pose(&s, model);
    list_frames(&s);
    bool* is_done = tml__robot_take(r, (size_t)s.frame_count + 1, sizeof *is_done);
    if (r->status == TML_OK) place_roots(&s, is_done);
    for (int i = 0; i < s.frame_count && r->status == TML_OK; i++) {
        const xml* e = s.frames[i].at;
        if (tml__xml_is(e, "joint") && !is_done[i]) add_joint(&s, i, true);
        if (tml__xml_is(e, "frame")) add_place(&s, i);
    }
    for (int k = 0; k < s.joint_count && r->status == TML_OK; k++) add_mimic(&s, s.joints[k]);
    if (s.names != NULL) tml__names_destroy(s.names);
    if (r->status == TML_OK) note_plugins(&s);
}

// The physics that counts: the one marked as default, or the first.
static void read_physics(robot* r, const xml* world)
{
    const xml* chosen = tml__xml_child(world, "physics");
    for (const xml* e = chosen; e != NULL; e = tml__xml_next(e, "physics")) {
        if (is_true(tml__xml_attribute(e, "default"))) chosen = e;
    }
    const xml* step = chosen != NULL ? tml__xml_child(chosen, "max_step_size") : NULL;
    double h = 0.0;
    if (step != NULL && tml__numbers_in(r, step, "max_step_size", step->text, 1, &h) && h > 0.0) {
        r->step = h;
    }
}

// Several models, or what the world itself says about places and joints.
static bool is_world_of_its_own(const xml* world)
{
    const xml* first = tml__xml_child(world, "model");
    return tml__xml_child(world, "joint") != NULL || tml__xml_child(world, "frame") != NULL ||
           (first != NULL && tml__xml_next(first, "model") != NULL);
}

void tml__sdf_read(robot* r, xml* root, const robot_source* source)
{
    xml* world = tml__xml_child(root, "world");
    xml* from = world != NULL ? world : root;
    const xml* gravity = tml__xml_child(from, "gravity");
    double g[3];
    if (gravity != NULL && tml__numbers_in(r, gravity, "gravity", gravity->text, 3, g)) {
        r->gravity = v3_load(g);
    }
    read_physics(r, from);
    tml__sdf_include(r, from, source);
    const xml* model = tml__xml_child(from, "model");
    if (model == NULL && r->status == TML_OK) {
        const xml* include = tml__xml_child(from, "include");
        tml__robot_refuse(
            r, include != NULL ? include : root, TML_BAD_ARGUMENT,
            include != NULL ? "there is no model in it but those that it includes, "
                              "which are not below its folder nor in a --package "
                              "('%.200s')"
                            : "there is no model in it%.0s",
            include != NULL && text_of(include, "uri") != NULL ? text_of(include, "uri") : "");
    }
    if (model == NULL) return;
    const bool is_world = is_world_of_its_own(from);
    r->name = tml__xml_attribute(is_world ? from : model, "name");
    read_model(r, is_world ? from : model);
    tml__closures_beside(r, source);
}
