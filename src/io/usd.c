// io/usd.c - USD stages with UsdPhysics: rigid bodies, shapes, joints and drives into a robot.
//
// Lengths are scaled to meters, masses to kilograms, degrees to radians. A body stands where its transform puts it;
// its scale goes into its shapes and the places of its joints. Joints hang bodies on each other from the world
// outwards; those that are left close loops.
#include "io/usd.h"

#include "io/usd_text.h"
#include "math/quat.h"
#include "math/scalar.h"
#include "model/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CIRCLE_CORNERS = 32
};

#define DEGREE (TML_PI / 180.0)

typedef struct usd_body {
    const xml* at;
    const char* path;
    pose world;
    vec3 scale;
    bool is_still;  // kinematic, or its body is switched off
    int link;       // -1: not placed
} usd_body;

typedef struct usd_joint {
    const xml* at;
    int body[2];  // -1: the world
    pose frame[2];
    bool is_done;
    bool is_loop;
} usd_joint;

typedef struct usd_shape {
    const xml* at;
    int body;  // -1: the world
    tml_shape_def def;
} usd_shape;

typedef struct usd {
    robot* r;
    const xml* root;
    double length;  // m per unit
    double mass;    // kg per unit
    int body_count, body_capacity;
    usd_body* bodies;
    int joint_count, joint_capacity;
    usd_joint* joints;
    int shape_count, shape_capacity;
    usd_shape* shapes;
} usd;

// An affine map: x -> linear x + p.
typedef struct affine {
    mat3 linear;
    vec3 p;
} affine;

// ---- values

// Words as numbers, "inf" and truths too; how many of them, at most `most`.
static int numbers(const char* text, int most, double* out)
{
    int count = 0;
    for (const char* p = text; p != NULL && count < most;) {
        while (*p == ' ') p++;
        if (*p == '\0') break;
        const char* stop = p;
        double x = 0.0;
        if (strncmp(p, "inf", 3) == 0 || strncmp(p, "-inf", 4) == 0) {
            x = *p == '-' ? -HUGE_VAL : HUGE_VAL;
        } else if (strncmp(p, "true", 4) == 0) {
            x = 1.0;
        } else if (strncmp(p, "false", 5) != 0 && !tml__xml_number(p, &x, &stop)) {
            break;
        }
        out[count++] = x;
        p += strcspn(p, " ");
    }
    return count;
}

static bool number_of(const xml* e, const char* name, double* out)
{
    return numbers(tml__xml_attribute(e, name), 1, out) == 1;
}

// The first of several names that somebody gives.
static double first_of(const xml* e, const char* const* names, double otherwise)
{
    double x = otherwise;
    for (; *names != NULL; names++) {
        if (number_of(e, *names, &x)) return x;
    }
    return otherwise;
}

static bool vector_of(const xml* e, const char* name, vec3* out)
{
    double x[3];
    if (numbers(tml__xml_attribute(e, name), 3, x) != 3) return false;
    *out = v3(x[0], x[1], x[2]);
    return v3_is_finite(*out);
}

static quat turn_of(const xml* e, const char* name)
{
    double q[4];
    if (numbers(tml__xml_attribute(e, name), 4, q) != 4) return q_identity();
    const quat out = {q[0], q[1], q[2], q[3]};
    return q_dot(out, out) > 0.0 ? q_normalize(out) : q_identity();
}

static bool has_word(const char* list, const char* word)
{
    const size_t length = strlen(word);
    for (const char* p = list; p != NULL && (p = strstr(p, word)) != NULL; p += length) {
        const bool begins = p == list || p[-1] == ' ';
        if (begins && (p[length] == '\0' || p[length] == ' ')) return true;
    }
    return false;
}

static bool has_schema(const xml* e, const char* schema)
{
    return has_word(tml__xml_attribute(e, "apiSchemas"), schema);
}

static bool is_off(const xml* e, const char* name)
{
    double x = 1.0;
    return number_of(e, name, &x) && x == 0.0;
}

static bool is_inactive(const xml* e)
{
    const char* active = tml__xml_attribute(e, "active");
    return active != NULL && strcmp(active, "false") == 0;
}

// ---- transforms

static affine affine_mul(affine a, affine b)
{
    return (affine){m3_mul(a.linear, b.linear), v3_add(a.p, m3_apply(a.linear, b.p))};
}

static affine affine_inverse(affine a)
{
    const mat3 inverse = m3_inverse(a.linear);
    return (affine){inverse, v3_neg(m3_apply(inverse, a.p))};
}

static mat3 turns_about(const char* letters, const double* angles)
{
    quat q = q_identity();
    for (int k = 0; letters[k] >= 'X' && letters[k] <= 'Z'; k++) {  // the first acts first
        q = q_mul(q_about(letters[k] - 'X', angles[k] * DEGREE), q);
    }
    return q_matrix(q);
}

static affine op_of(const xml* e, const char* name)
{
    affine out = {m3_identity(), v3_zero()};
    double x[16] = {0.0};
    const int count = numbers(tml__xml_attribute(e, name), 16, x);
    const char* op = name + strlen("xformOp:");
    if (strncmp(op, "translate", 9) == 0 && count == 3) {
        out.p = v3(x[0], x[1], x[2]);
    } else if (strncmp(op, "scale", 5) == 0 && count == 3) {
        out.linear = m3_diagonal(x[0], x[1], x[2]);
    } else if (strncmp(op, "orient", 6) == 0) {
        out.linear = q_matrix(turn_of(e, name));
    } else if (strncmp(op, "rotateXYZ", 9) == 0 || (strncmp(op, "rotate", 6) == 0 && count == 3)) {
        // the letters stand in the order of the angles' meaning; angles always are x, y, z
        double by[3];
        for (int k = 0; k < 3; k++) by[k] = x[(op[6 + k] - 'X' + 3) % 3];
        out.linear = turns_about(op + 6, by);
    } else if (strncmp(op, "rotate", 6) == 0 && count == 1) {
        out.linear = turns_about((const char[]){op[6], '\0'}, x);
    } else if (strncmp(op, "transform", 9) == 0 && count == 16) {
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) out.linear.m[i][k] = x[4 * k + i];  // rows act on the left
        }
        out.p = v3(x[12], x[13], x[14]);
    }
    return out;
}

// What a prim does to what stands in it.
static affine own_transform(const xml* e, bool* is_reset)
{
    affine out = {m3_identity(), v3_zero()};
    const char* order = tml__xml_attribute(e, "xformOpOrder");
    *is_reset = false;
    for (const char* p = order; p != NULL && *p != '\0';) {
        const size_t length = strcspn(p, " ");
        char name[160];
        snprintf(name, sizeof name, "%.*s", (int)(length < 159 ? length : 159), p);
        const bool is_inverse = strncmp(name, "!invert!", 8) == 0;
        const char* op = is_inverse ? name + 8 : name;
        if (strcmp(name, "!resetXformStack!") == 0) {
            *is_reset = true;
        } else if (strncmp(op, "xformOp:", 8) == 0) {
            const affine one = op_of(e, op);
            out = affine_mul(out, is_inverse ? affine_inverse(one) : one);
        }
        p += length;
        while (*p == ' ') p++;
    }
    return out;
}

// A frame and the scale along its axes; a mirrored one scales by less than zero along x.
static pose take_pose(affine a, vec3* scale)
{
    vec3 c[3];
    double size[3];
    for (int k = 0; k < 3; k++) {
        c[k] = m3_column(a.linear, k);
        size[k] = v3_norm(c[k]);
        c[k] = size[k] > 0.0 ? v3_scale(1.0 / size[k], c[k]) : v3_unit(k);
    }
    if (v3_dot(v3_cross(c[0], c[1]), c[2]) < 0.0) {
        c[0] = v3_neg(c[0]);
        size[0] = -size[0];
    }
    *scale = v3(size[0], size[1], size[2]);
    return (pose){a.p, q_normalize(tml__q_from_matrix(m3_columns(c[0], c[1], c[2])))};
}

// ---- shapes

static const xml* find_prim(const usd* u, const xml* e, const char* relation)
{
    const char* path = tml__xml_attribute(e, relation);
    return path != NULL && path[0] == '/' ? tml__usd_find(u->root, path) : NULL;
}

// The material of a prim, or of what it stands in.
static const xml* material_of(const usd* u, const xml* e)
{
    for (; e != NULL; e = e->parent) {
        const xml* found = find_prim(u, e, "material:binding:physics");
        if (found == NULL) found = find_prim(u, e, "material:binding");
        if (found != NULL) return has_schema(found, "PhysicsMaterialAPI") ? found : NULL;
    }
    return NULL;
}

static vec3 times(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static vec3 size_of(vec3 a) { return v3(fabs(a.x), fabs(a.y), fabs(a.z)); }

// A turn that takes the z axis to the axis that a shape names.
static quat axis_turn(const xml* e)
{
    const char* axis = tml__xml_attribute(e, "axis");
    const int k = axis != NULL && axis[0] >= 'X' && axis[0] <= 'Z' ? axis[0] - 'X' : 2;
    return tml__quat_from_z(v3_unit(k));
}

static bool make_mesh(usd* u, int vertices, int triangles, tml_shape_def* s)
{
    tml_vec3* v = tml__robot_take(u->r, (size_t)vertices, sizeof *v);
    int* t = tml__robot_take(u->r, 3 * (size_t)triangles, sizeof *t);
    if (v == NULL || t == NULL) return false;
    s->kind = TML_SHAPE_MESH;
    s->vertices = v;
    s->triangles = t;
    s->vertex_count = vertices;
    s->triangle_count = triangles;
    return true;
}

static tml_vec3* vertices_of(tml_shape_def* s)
{
    union {
        const tml_vec3* kept;
        tml_vec3* own;
    } cast = {.kept = s->vertices};
    return cast.own;
}

static int* triangles_of(tml_shape_def* s)
{
    union {
        const int* kept;
        int* own;
    } cast = {.kept = s->triangles};
    return cast.own;
}

static bool read_cone(usd* u, const xml* e, vec3 scale, tml_shape_def* s)
{
    double radius = 1.0;
    double height = 2.0;
    number_of(e, "radius", &radius);
    number_of(e, "height", &height);
    if (!make_mesh(u, CIRCLE_CORNERS + 1, 2 * CIRCLE_CORNERS - 2, s)) return false;
    tml_vec3* v = vertices_of(s);
    int* t = triangles_of(s);
    int at = 0;
    for (int i = 0; i < CIRCLE_CORNERS; i++) {
        const double angle = 2.0 * TML_PI * i / CIRCLE_CORNERS;
        const int next = (i + 1) % CIRCLE_CORNERS;
        v[i] = v3(radius * tml__cos(angle), radius * tml__sin(angle), -0.5 * height);
        t[at++] = i, t[at++] = next, t[at++] = CIRCLE_CORNERS;
        if (i == 0 || next == 0) continue;
        t[at++] = 0, t[at++] = next, t[at++] = i;
    }
    v[CIRCLE_CORNERS] = v3(0.0, 0.0, 0.5 * height);
    const quat turn = axis_turn(e);
    for (int i = 0; i <= CIRCLE_CORNERS; i++) v[i] = times(size_of(scale), q_rotate(turn, v[i]));
    s->hull = true;
    return true;
}

static int count_words(const char* text)
{
    int count = 0;
    for (const char* p = text; p != NULL && *p != '\0'; p += strspn(p, " ")) {
        p += strcspn(p, " ");
        count++;
    }
    return count;
}

static double* list_of(usd* u, const xml* e, const char* name, int* count)
{
    const char* text = tml__xml_attribute(e, name);
    const int words = count_words(text);
    double* out = tml__robot_take(u->r, (size_t)words + 1, sizeof *out);
    *count = out != NULL ? numbers(text, words, out) : 0;
    return out;
}

static bool read_mesh(usd* u, const xml* e, vec3 scale, tml_shape_def* s)
{
    int points = 0;
    int faces = 0;
    int corners = 0;
    const double* at = list_of(u, e, "points", &points);
    const double* sides = list_of(u, e, "faceVertexCounts", &faces);
    const double* index = list_of(u, e, "faceVertexIndices", &corners);
    int triangles = 0;
    int used = 0;
    for (int i = 0; i < faces; i++) {
        if (!(sides[i] >= 3.0 && sides[i] <= corners - used)) break;
        used += (int)sides[i];
        triangles += (int)sides[i] - 2;
    }
    points /= 3;
    bool is_sound = triangles > 0 && used == corners && points > 2 && triangles <= TML_MESH_MOST &&
                    points <= TML_MESH_MOST;
    for (int i = 0; i < corners && is_sound; i++) is_sound = index[i] >= 0.0 && index[i] < points;
    if (!is_sound || !make_mesh(u, points, triangles, s)) {
        tml__robot_lint(u->r, e, "mesh without faces that make sense", "left out");
        return false;
    }
    tml_vec3* v = vertices_of(s);
    int* t = triangles_of(s);
    for (int i = 0; i < points; i++) {
        v[i] = times(scale, v3(at[3 * i], at[3 * i + 1], at[3 * i + 2]));
    }
    const char* hand = tml__xml_attribute(e, "orientation");
    const bool is_mirrored = scale.x * scale.y * scale.z < 0.0;
    const bool is_left = hand != NULL && strcmp(hand, "leftHanded") == 0;
    const bool is_turned = is_mirrored != is_left;
    int n = 0;
    for (int i = 0, first = 0; i < faces; first += (int)sides[i++]) {
        for (int k = 2; k < (int)sides[i]; k++) {
            t[n++] = (int)index[first];
            t[n++] = (int)index[first + (is_turned ? k : k - 1)];
            t[n++] = (int)index[first + (is_turned ? k - 1 : k)];
        }
    }
    return true;
}

// A round shape along an axis, scaled along and across it.
static void read_round(const xml* e, tml_shape_kind kind, double radius, double height, vec3 scale,
                       tml_shape_def* s)
{
    number_of(e, "radius", &radius);
    number_of(e, "height", &height);
    const quat turn = axis_turn(e);
    const vec3 by = size_of(q_rotate(q_conj(turn), scale));
    s->kind = kind;
    s->size = v3(radius * fmax(by.x, by.y), 0.0, height * by.z);
    s->pose.q = q_mul(s->pose.q, turn);
}

// The form of a geometry in its own frame, scaled; false: it is none.
static bool read_form(usd* u, const xml* e, vec3 scale, tml_shape_def* s)
{
    double x = 0.0;
    if (tml__xml_is(e, "Cube")) {
        x = 2.0;
        number_of(e, "size", &x);
        s->kind = TML_SHAPE_BOX;
        s->size = v3_scale(x, size_of(scale));
    } else if (tml__xml_is(e, "Sphere")) {
        x = 1.0;
        number_of(e, "radius", &x);
        const vec3 by = size_of(scale);
        const double most = fmax(by.x, fmax(by.y, by.z));
        const double least = fmin(by.x, fmin(by.y, by.z));
        s->kind = most - least <= 1e-6 * most ? TML_SHAPE_SPHERE : TML_SHAPE_ELLIPSOID;
        s->size = v3_scale(x, by);
    } else if (tml__xml_is(e, "Capsule")) {
        read_round(e, TML_SHAPE_CAPSULE, 0.5, 1.0, scale, s);
    } else if (tml__xml_is(e, "Cylinder")) {
        read_round(e, TML_SHAPE_CYLINDER, 1.0, 2.0, scale, s);
    } else if (tml__xml_is(e, "Plane")) {
        s->kind = TML_SHAPE_PLANE;
        s->pose.q = q_mul(s->pose.q, axis_turn(e));
    } else if (tml__xml_is(e, "Cone")) {
        return read_cone(u, e, scale, s);
    } else if (tml__xml_is(e, "Mesh")) {
        return read_mesh(u, e, scale, s);
    } else {
        return false;
    }
    return true;
}

static void read_surface(usd* u, const xml* e, tml_shape_def* s)
{
    double density = 0.0;
    const xml* m = material_of(u, e);
    s->friction = 0.5;
    s->density = 0.0;
    if (m != NULL) {
        number_of(m, "physics:dynamicFriction", &s->friction);
        number_of(m, "physics:restitution", &s->restitution);
        number_of(m, "physics:density", &density);
    }
    number_of(e, "physics:density", &density);
    if (!(s->friction >= 0.0 && s->friction < 1e6)) s->friction = 0.0;
    s->restitution = fmin(fmax(s->restitution, 0.0), 1.0);
    // 0 says nothing
    if (density > 0.0) s->density = density * u->mass / (u->length * u->length * u->length);
}

static void add_shape(usd* u, const xml* e, int body, pose local, vec3 scale)
{
    usd_shape one = {.at = e, .body = body, .def = tml_shape_def_default()};
    double color[3];
    const char* purpose = tml__xml_attribute(e, "purpose");
    one.def.pose = local;
    if (!read_form(u, e, v3_scale(u->length, scale), &one.def)) return;
    one.def.collide =
        has_schema(e, "PhysicsCollisionAPI") && !is_off(e, "physics:collisionEnabled");
    one.def.hidden = purpose != NULL && strcmp(purpose, "guide") == 0;
    read_surface(u, e, &one.def);
    if (numbers(tml__xml_attribute(e, "primvars:displayColor"), 3, color) == 3) {
        for (int k = 0; k < 3; k++) {
            one.def.color[k] = (unsigned char)lround(255.0 * fmin(fmax(color[k], 0.0), 1.0));
        }
    }
    usd_shape* list =
        tml__robot_grow(u->r, u->shapes, u->shape_count, &u->shape_capacity, sizeof *list);
    if (list == NULL) return;
    u->shapes = list;
    list[u->shape_count++] = one;
}

// ---- prims

static int add_body(usd* u, const xml* e, pose world, vec3 scale)
{
    usd_body* list =
        tml__robot_grow(u->r, u->bodies, u->body_count, &u->body_capacity, sizeof *list);
    if (list == NULL) return -1;
    double kinematic = 0.0;
    number_of(e, "physics:kinematicEnabled", &kinematic);
    u->bodies = list;
    list[u->body_count] =
        (usd_body){.at = e,
                   .path = tml__xml_attribute(e, "path"),
                   .world = {v3_scale(u->length, world.p), world.q},
                   .scale = scale,
                   .is_still = kinematic != 0.0 || is_off(e, "physics:rigidBodyEnabled"),
                   .link = -1};
    return u->body_count++;
}

static bool is_joint(const xml* e)
{
    const size_t length = strlen(e->name);
    return strncmp(e->name, "Physics", 7) == 0 && length >= 5 &&
           strcmp(e->name + length - 5, "Joint") == 0;
}

static void add_joint(usd* u, const xml* e)
{
    if (is_off(e, "physics:jointEnabled")) return;
    usd_joint* list =
        tml__robot_grow(u->r, u->joints, u->joint_count, &u->joint_capacity, sizeof *list);
    if (list == NULL) return;
    u->joints = list;
    list[u->joint_count++] = (usd_joint){.at = e, .body = {-1, -1}};
}

static void walk(usd* u, const xml* e, affine outer, int body)
{
    bool is_reset = false;
    if (is_inactive(e) || u->r->status != TML_OK) return;
    affine here = own_transform(e, &is_reset);
    if (!is_reset) here = affine_mul(outer, here);
    vec3 scale;
    const pose world = take_pose(here, &scale);
    if (has_schema(e, "PhysicsRigidBodyAPI")) body = add_body(u, e, world, scale);
    if (is_joint(e)) {
        add_joint(u, e);
    } else {
        const pose meters = {v3_scale(u->length, world.p), world.q};
        const pose of = body >= 0 ? u->bodies[body].world : pose_identity();
        add_shape(u, e, body, pose_mul(pose_inverse(of), meters), scale);
    }
    for (const xml* c = e->first; c != NULL; c = c->next) walk(u, c, here, body);
}

static int find_body(const usd* u, const char* path)
{
    // a place within a body is that body
    int found = -1;
    size_t longest = 0;
    for (int i = 0; path != NULL && i < u->body_count; i++) {
        const size_t length = strlen(u->bodies[i].path);
        const bool is_its = strncmp(u->bodies[i].path, path, length) == 0 &&
                            (path[length] == '\0' || path[length] == '/' || path[length] == ' ');
        if (!is_its || length < longest) continue;
        longest = length;
        found = i;
    }
    return found;
}

static void place_joints(usd* u)
{
    static const char* const bodies[2] = {"physics:body0", "physics:body1"};
    static const char* const places[2] = {"physics:localPos0", "physics:localPos1"};
    static const char* const turns[2] = {"physics:localRot0", "physics:localRot1"};
    for (int j = 0; j < u->joint_count; j++) {
        usd_joint* joint = &u->joints[j];
        for (int k = 0; k < 2; k++) {
            const int of = find_body(u, tml__xml_attribute(joint->at, bodies[k]));
            vec3 p = v3_zero();
            vector_of(joint->at, places[k], &p);
            if (of >= 0) p = times(u->bodies[of].scale, p);
            joint->body[k] = of;
            joint->frame[k] = (pose){v3_scale(u->length, p), turn_of(joint->at, turns[k])};
        }
        double is_loop = 0.0;
        number_of(joint->at, "physics:excludeFromArticulation", &is_loop);
        joint->is_loop = is_loop != 0.0;
        joint->is_done = joint->body[0] == joint->body[1];
    }
}

// ---- masses

static void shapes_into(usd* u, int body, int link)
{
    for (int i = 0; i < u->shape_count; i++) {
        if (u->shapes[i].body != body) continue;
        tml_shape_def s = u->shapes[i].def;
        s.density = 0.0;
        tml__robot_add_shape(u->r, link, link, &s);
    }
}

// What the shapes of a body weigh, those that touch.
static bool weigh(usd* u, int body, double density, tml_mass_properties* out)
{
    int count = 0;
    tml_shape_def* list = tml__robot_take(u->r, (size_t)u->shape_count + 1, sizeof *list);
    for (int i = 0; i < u->shape_count && list != NULL; i++) {
        const usd_shape* s = &u->shapes[i];
        if (s->body != body || !has_schema(s->at, "PhysicsCollisionAPI")) continue;
        if (s->def.kind == TML_SHAPE_PLANE) continue;
        list[count] = s->def;
        double mass = 0.0;
        tml_mass_properties one;
        if (!(list[count].density > 0.0)) list[count].density = density;
        if (number_of(s->at, "physics:mass", &mass) && mass > 0.0 &&
            tml_shapes_mass(&list[count], 1, &one) == TML_OK && one.mass > 0.0) {
            list[count].density *= mass * u->mass / one.mass;
        }
        count++;
    }
    return count > 0 && tml_shapes_mass(list, count, out) == TML_OK && out->mass > 0.0;
}

static void add_mass(usd* u, int body, int link)
{
    const usd_body* b = &u->bodies[body];
    double mass = 0.0;
    double density = 0.0;
    vec3 diagonal = v3_zero();
    tml_mass_properties p = {0};
    number_of(b->at, "physics:mass", &mass);
    number_of(b->at, "physics:density", &density);
    const double water = 1000.0;
    const double usual =
        density > 0.0 ? density * u->mass / (u->length * u->length * u->length) : water;
    const bool has_shapes = weigh(u, body, usual, &p);
    mass *= u->mass;
    vec3 com = p.com;
    mat3 inertia = m3_symmetric(p.inertia);
    if (mass > 0.0 && has_shapes) inertia = m3_scale(mass / p.mass, inertia);
    if (!(mass > 0.0)) mass = p.mass;
    if (vector_of(b->at, "physics:centerOfMass", &com)) {
        com = v3_scale(u->length, times(b->scale, com));
    }
    if (vector_of(b->at, "physics:diagonalInertia", &diagonal) && v3_norm(diagonal) > 0.0) {
        const mat3 R = q_matrix(turn_of(b->at, "physics:principalAxes"));
        const double unit = u->mass * u->length * u->length;
        const mat3 D = m3_diagonal(unit * diagonal.x, unit * diagonal.y, unit * diagonal.z);
        inertia = m3_mul_bt(m3_mul(R, D), R);
    } else if (!has_shapes && mass > 0.0) {
        const double radius = 0.1;
        const double I = 0.4 * mass * radius * radius;
        inertia = m3_diagonal(I, I, I);
        tml__robot_lint(u->r, b->at, "mass without inertia or shapes",
                        "taken as a ball with a radius of 0.1 m");
    }
    if (mass > 0.0) tml__robot_add_mass(u->r, link, mass, com, inertia);
}

// ---- links

static const char* path_of(const xml* e)
{
    const char* path = tml__xml_attribute(e, "path");
    return path[0] == '/' ? path + 1 : path;
}

// Prims in different places may have the same name.
static const char* link_name(const usd* u, const xml* e)
{
    const char* name = tml__xml_attribute(e, "name");
    return tml__robot_find_link(u->r, name) == -2 ? name : path_of(e);
}

static int place(usd* u, int body, int parent, pose local)
{
    usd_body* b = &u->bodies[body];
    robot_link* l = tml__robot_add_link(u->r, b->at, link_name(u, b->at), parent, local);
    if (l == NULL) return -1;
    b->link = u->r->link_count - 1;
    double falls = 0.0;
    number_of(b->at, "physxRigidBody:disableGravity", &falls);
    if (falls != 0.0) l->gravity_compensation = 1.0;
    shapes_into(u, body, b->link);
    add_mass(u, body, b->link);
    return b->link;
}

static const char* name_of(const xml* e) { return tml__xml_attribute(e, "name"); }

// The same of joints: the name that another one has is not taken.
static const char* free_name(const usd* u, const xml* e)
{
    for (int k = 0; k < u->joint_count; k++) {
        const xml* other = u->joints[k].at;
        if (other != e && strcmp(name_of(other), name_of(e)) == 0) return path_of(e);
    }
    return name_of(e);
}

// ---- joints

// An axis that a joint leaves free: its limits, and what drives it.
static void read_axis(usd* u, const xml* e, const char* which, bool is_turn, tml_joint_axis* d)
{
    char name[8][80];
    static const char* const keys[8] = {"stiffness", "damping", "targetPosition", "targetVelocity",
                                        "maxForce",  "low",     "high",           "type"};
    for (int k = 0; k < 8; k++) {
        const bool is_limit = k == 5 || k == 6;
        snprintf(name[k], sizeof name[k], "%s:%s:physics:%s", is_limit ? "limit" : "drive", which,
                 keys[k]);
    }
    const double unit = is_turn ? DEGREE : u->length;
    // moments per degree, or forces per unit
    const double force = is_turn ? u->mass * u->length * u->length : u->mass * u->length;
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    if (!number_of(e, name[5], &low)) number_of(e, "physics:lowerLimit", &low);
    if (!number_of(e, name[6], &high)) number_of(e, "physics:upperLimit", &high);
    const double most = 1e30;
    if (low < high && (low > -most || high < most)) {
        const double far = is_turn ? 1e6 : 1e9;
        d->has_limits = 1;
        d->lower = unit * fmax(low, -far);
        d->upper = unit * fmin(high, far);
    }
    static const char* const armature[] = {"newton:armature", "mjc:armature", "physxJoint:armature",
                                           NULL};
    static const char* const friction[] = {"newton:friction", "mjc:frictionloss", NULL};
    static const char* const damping[] = {"mjc:damping", NULL};
    d->armature = fmax(0.0, first_of(e, armature, 0.0));
    d->friction = fmax(0.0, first_of(e, friction, 0.0));
    d->damping = fmax(0.0, first_of(e, damping, 0.0));
    if (u->r->is_without_armature) d->armature = 0.0;
    tml__robot_keep_friction(u->r, e, d);
    double drive[5] = {0.0, 0.0, 0.0, 0.0, HUGE_VAL};
    bool is_driven = false;
    for (int k = 0; k < 5; k++) is_driven = number_of(e, name[k], &drive[k]) || is_driven;
    if (!is_driven) return;
    const char* type = tml__xml_attribute(e, name[7]);
    if (type != NULL && strcmp(type, "acceleration") == 0) {
        tml__robot_lint(u->r, e, "drive by accelerations", "taken as one by forces");
    }
    d->servo_stiffness = fmax(0.0, drive[0]) * force / unit;
    d->servo_damping = fmax(0.0, drive[1]) * force / unit;
    d->has_servo = 1;
    d->servo_target = tml_control_constant(unit * drive[2]);
    if (drive[3] != 0.0 && d->servo_stiffness == 0.0) {
        // a target that moves on at that speed
        double* t = tml__robot_take(u->r, 4, sizeof *t);
        if (t == NULL) return;
        t[1] = 1e6;
        t[3] = unit * drive[3] * t[1];
        d->servo_target =
            (tml_control){.kind = TML_CONTROL_TABLE, .count = 2, .times = t, .samples = t + 2};
    } else if (drive[3] != 0.0) {
        tml__robot_lint(u->r, e, "target velocity of a drive that has a target position",
                        "left out");
    }
    if (drive[4] > 0.0 && drive[4] < most) {
        tml__robot_limit_force(u->r, e, d, -force * drive[4], force * drive[4]);
    }
    if (d->servo_stiffness == 0.0 && d->servo_damping == 0.0) {
        d->has_servo = 0;
        d->actuation = TML_FORCE;
        d->control = tml_control_constant(0.0);
    }
}

static const char* const letters[6] = {"transX", "transY", "transZ", "rotX", "rotY", "rotZ"};

// Which of the six directions a joint leaves free.
static int freedoms_of(usd* u, const xml* e, bool is_free[6])
{
    const char* axis = tml__xml_attribute(e, "physics:axis");
    const int k = axis != NULL && axis[0] >= 'X' && axis[0] <= 'Z' ? axis[0] - 'X' : 0;
    int count = 0;
    memset(is_free, 0, 6 * sizeof *is_free);
    if (tml__xml_is(e, "PhysicsRevoluteJoint")) {
        is_free[3 + k] = true;
    } else if (tml__xml_is(e, "PhysicsPrismaticJoint")) {
        is_free[k] = true;
    } else if (tml__xml_is(e, "PhysicsSphericalJoint")) {
        for (int i = 3; i < 6; i++) is_free[i] = true;
    } else if (tml__xml_is(e, "PhysicsJoint")) {
        for (int i = 0; i < 6; i++) {
            char name[2][80];
            double range[2] = {-HUGE_VAL, HUGE_VAL};
            snprintf(name[0], sizeof name[0], "limit:%s:physics:low", letters[i]);
            snprintf(name[1], sizeof name[1], "limit:%s:physics:high", letters[i]);
            number_of(e, name[0], &range[0]);
            number_of(e, name[1], &range[1]);
            is_free[i] = range[0] < range[1];
        }
    } else if (!tml__xml_is(e, "PhysicsFixedJoint")) {
        tml__robot_refuse(u->r, e, TML_UNSUPPORTED, "joint '%.120s': '%.60s' is not read",
                          name_of(e), e->name);
    }
    for (int i = 0; i < 6; i++) count += is_free[i];
    return count;
}

// The coordinates of a joint: those of frame 1 in frame 0, along x y z and about x, y, z in turn.
static void coordinates_of(pose between, double out[6])
{
    const mat3 R = q_matrix(between.q);
    v3_store(out, between.p);
    out[3] = tml__atan2(-R.m[1][2], R.m[2][2]);
    out[4] = tml__asin(R.m[0][2]);
    out[5] = tml__atan2(-R.m[0][1], R.m[0][0]);
}

static const char* axis_name_of(int i, const xml* e)
{
    if (tml__xml_is(e, "PhysicsRevoluteJoint")) return "angular";
    if (tml__xml_is(e, "PhysicsPrismaticJoint")) return "linear";
    return letters[i];
}

static const char* joint_name(usd* u, const xml* e, int i, int count)
{
    const char* own = free_name(u, e);
    if (count < 2) return own;
    const size_t length = strlen(own) + 10;
    char* name = tml__robot_take(u->r, length, 1);
    if (name == NULL) return NULL;
    snprintf(name, length, "%s_%s", own, letters[i]);
    return name;
}

// Hang the body on side 1 - `outer` of a joint on that of side `outer`.
static void hang(usd* u, usd_joint* j, int outer)
{
    robot* r = u->r;
    bool is_free[6];
    const int count = freedoms_of(u, j->at, is_free);
    const int base = j->body[outer];
    const int body = j->body[1 - outer];
    const pose F0 = j->frame[outer];
    const pose F1 = j->frame[1 - outer];
    const pose base_world = base >= 0 ? u->bodies[base].world : pose_identity();
    const pose between =
        pose_mul(pose_inverse(pose_mul(base_world, F0)), pose_mul(u->bodies[body].world, F1));
    // what the second body does on the first, the first does backwards on the second
    const double sign = outer == 1 ? -1.0 : 1.0;
    double q[6];
    coordinates_of(between, q);
    j->is_done = true;
    const int of =
        place(u, body, base >= 0 ? u->bodies[base].link : -1, pose_mul(F0, pose_inverse(F1)));
    if (of < 0 || r->status != TML_OK) return;
    const bool is_ball = is_free[3] && is_free[4] && is_free[5];
    // the turns of a joint that is looked at from its other side come in the other order
    if (outer == 1 && count > 1 && !is_ball) {
        tml__robot_refuse(
            r, j->at, TML_UNSUPPORTED,
            "joint '%.120s' has several freedoms and hangs its first body on its second",
            name_of(j->at));
        return;
    }
    for (int i = 0; i < 6; i++) {
        if (!is_free[i] || (is_ball && i > 3)) continue;
        const bool is_turn = i >= 3;
        movement* m = tml__robot_add_movement(r, j->at, joint_name(u, j->at, i, count), of,
                                              is_ball && is_turn ? MOVE_BALL
                                              : is_turn          ? MOVE_HINGE
                                                                 : MOVE_SLIDE);
        if (m == NULL) return;
        m->point = F1.p;
        m->axis = v3_scale(sign, q_rotate(F1.q, v3_unit(i % 3)));
        if (m->kind == MOVE_BALL) {
            m->place.q = q_mul(F1.q, q_mul(between.q, q_conj(F1.q)));  // in the axes of the link
            continue;
        }
        m->value = sign * q[i];
        read_axis(u, j->at, axis_name_of(i, j->at), is_turn, &m->drive);
    }
}

static void close_loop(usd* u, usd_joint* j)
{
    bool is_free[6];
    const int count = freedoms_of(u, j->at, is_free);
    j->is_done = true;
    int k = 0;
    while (k < 5 && !is_free[k]) k++;
    const bool is_ball = count == 3 && is_free[3] && is_free[4] && is_free[5];
    if (u->r->status != TML_OK) return;
    if (count > 1 && !is_ball) {
        tml__robot_lint(u->r, j->at, "joint of several freedoms that closes a loop", "left out");
        return;
    }
    closure* c = tml__robot_add_closure(u->r, j->at, free_name(u, j->at));
    if (c == NULL) return;
    c->kind = is_ball      ? TML_JOINT_SPHERICAL
              : count == 0 ? TML_JOINT_FIXED
              : k < 3      ? TML_JOINT_PRISMATIC
                           : TML_JOINT_REVOLUTE;
    const pose along = {v3_zero(), count == 1 ? tml__frame_about(v3_unit(k % 3)) : q_identity()};
    c->base = j->body[0] >= 0 ? u->bodies[j->body[0]].link : -1;
    c->follower = j->body[1] >= 0 ? u->bodies[j->body[1]].link : -1;
    c->frame_base = pose_mul(j->frame[0], along);
    c->frame_follower = pose_mul(j->frame[1], along);
    if (c->follower < 0) {
        c->follower = c->base;
        c->base = -1;
        const pose kept = c->frame_base;
        c->frame_base = c->frame_follower;
        c->frame_follower = kept;
    }
}

static void grow(usd* u)
{
    bool has_grown = true;
    while (has_grown && u->r->status == TML_OK) {
        has_grown = false;
        for (int k = 0; k < u->joint_count && u->r->status == TML_OK; k++) {
            usd_joint* j = &u->joints[k];
            if (j->is_done || j->is_loop) continue;
            bool is_placed[2];
            for (int s = 0; s < 2; s++) {
                is_placed[s] = j->body[s] < 0 || u->bodies[j->body[s]].link >= 0;
            }
            if (is_placed[0] == is_placed[1]) continue;
            hang(u, j, is_placed[0] ? 0 : 1);
            has_grown = true;
        }
    }
}

// Whether some joint waits to hang this body on another.
static bool is_second(const usd* u, int body)
{
    for (int k = 0; k < u->joint_count; k++) {
        const usd_joint* j = &u->joints[k];
        if (!j->is_done && !j->is_loop && j->body[1] == body) return true;
    }
    return false;
}

static void add_root(usd* u, int i)
{
    usd_body* b = &u->bodies[i];
    const int of = place(u, i, -1, b->world);
    if (of < 0 || b->is_still) return;
    movement* m = tml__robot_add_movement(u->r, b->at, NULL, of, MOVE_FREE);
    if (m == NULL) return;
    vec3 v = v3_zero();
    vec3 omega = v3_zero();
    m->place = b->world;
    vector_of(b->at, "physics:velocity", &v);
    vector_of(b->at, "physics:angularVelocity", &omega);
    if (v3_norm(v) + v3_norm(omega) == 0.0) return;
    u->r->has_rates = true;
    // of a free movement: world axes, and the link's own
    m->rates.v = v3_scale(u->length, q_rotate(b->world.q, v));
    m->rates.omega = v3_scale(DEGREE, omega);
}

static void add_links(usd* u)
{
    for (int i = 0; i < u->body_count && u->r->status == TML_OK; i++) {
        if (u->bodies[i].is_still) add_root(u, i);
    }
    grow(u);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < u->body_count && u->r->status == TML_OK; i++) {
            if (u->bodies[i].link >= 0 || (pass == 0 && is_second(u, i))) continue;
            add_root(u, i);
            grow(u);
        }
    }
    for (int k = 0; k < u->joint_count && u->r->status == TML_OK; k++) {
        if (!u->joints[k].is_done) close_loop(u, &u->joints[k]);
    }
}

// ---- the stage

static void read_gravity(usd* u, const xml* e)
{
    double size = -HUGE_VAL;
    vec3 down = v3_zero();
    number_of(e, "physics:gravityMagnitude", &size);
    if (vector_of(e, "physics:gravityDirection", &down) && v3_norm(down) > 0.0) {
        down = v3_scale(1.0 / v3_norm(down), down);
    } else {
        down = v3_scale(1.0 / 9.81, u->r->gravity);
    }
    u->r->gravity = v3_scale(size >= 0.0 && size < 1e9 ? size * u->length : 9.81, down);
}

static void read_scenes(usd* u, const xml* e)
{
    if (is_inactive(e)) return;
    if (tml__xml_is(e, "PhysicsScene")) read_gravity(u, e);
    for (const xml* c = e->first; c != NULL; c = c->next) read_scenes(u, c);
}

// Prims that mean something elsewhere and nothing here.
static void note(usd* u, const xml* e)
{
    static const char* const types[] = {"TetMesh", "BasisCurves", "PhysicsCollisionGroup",
                                        "PointInstancer"};
    const char* references = tml__xml_attribute(e, "references");
    if (is_inactive(e)) return;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (tml__xml_is(e, types[k])) tml__robot_lint(u->r, e, types[k], "left out");
    }
    if (references == NULL) references = tml__xml_attribute(e, "payload");
    if (references != NULL && references[0] != '/' && references[0] != '\0') {
        tml__robot_lint(u->r, e, "reference to another file", "left out");
    }
    for (const xml* c = e->first; c != NULL; c = c->next) note(u, c);
}

static void exclude(usd* u, const xml* e)
{
    const char* list = tml__xml_attribute(e, "physics:filteredPairs");
    const int a = list != NULL ? find_body(u, tml__xml_attribute(e, "path")) : -1;
    for (const char* p = list; a >= 0 && p != NULL && *p != '\0'; p += strspn(p, " ")) {
        const int b = find_body(u, p);
        if (b >= 0 && a != b) {
            tml__robot_add_exclusion(
                u->r, &(exclusion){.a = u->bodies[a].link, .b = u->bodies[b].link, .at = e});
        }
        p += strcspn(p, " ");
    }
    for (const xml* c = e->first; c != NULL; c = c->next) exclude(u, c);
}

void tml__usd_lower(robot* r, const xml* root)
{
    usd u = {.r = r, .root = root, .length = 0.01, .mass = 1.0};
    const char* up = tml__xml_attribute(root, "upAxis");
    number_of(root, "metersPerUnit", &u.length);
    number_of(root, "kilogramsPerUnit", &u.mass);
    if (!(u.length > 0.0 && u.length < 1e6 && u.mass > 0.0 && u.mass < 1e9)) {
        tml__robot_refuse(r, root, TML_BAD_ARGUMENT,
                          "metersPerUnit and kilogramsPerUnit must be positive");
        return;
    }
    r->name = tml__xml_attribute(root, "defaultPrim");
    r->gravity = up != NULL && up[0] == 'Z' ? v3(0.0, 0.0, -9.81) : v3(0.0, -9.81, 0.0);
    read_scenes(&u, root);
    note(&u, root);
    for (const xml* c = root->first; c != NULL; c = c->next) {
        walk(&u, c, (affine){m3_identity(), v3_zero()}, -1);
    }
    place_joints(&u);
    add_links(&u);
    if (r->status == TML_OK) exclude(&u, root);
    for (int i = 0; i < u.shape_count && r->status == TML_OK; i++) {
        tml_shape_def s = u.shapes[i].def;
        s.density = 0.0;
        if (u.shapes[i].body < 0) tml__robot_add_shape(r, -1, -1, &s);
    }
}
