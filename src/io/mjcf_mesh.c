// io/mjcf_mesh.c - mesh geoms of MJCF: from STL and OBJ files, or from points in the model itself.
//
// What a mesh weighs counts where its body has no inertia of its own: points weigh what their hull
// does, files by the rule of MuJoCo (geom/soup.h).
#include "geom/hull.h"
#include "geom/soup.h"
#include "io/mjcf.h"
#include "io/robot_mesh.h"

#include <string.h>

// Its name, or that of its file without folder and ending.
static bool is_called(const xml* e, const char* name)
{
    const char* own = tml__xml_attribute(e, "name");
    const char* file = tml__xml_attribute(e, "file");
    if (own != NULL) return strcmp(own, name) == 0;
    if (file == NULL) return false;
    const char* slash = strrchr(file, '/');
    const char* start = slash != NULL ? slash + 1 : file;
    const char* dot = strrchr(start, '.');
    const size_t length = dot != NULL ? (size_t)(dot - start) : strlen(start);
    return strlen(name) == length && strncmp(start, name, length) == 0;
}

static const xml* find_mesh(mjcf* m, const char* name)
{
    for (const xml* a = m->root->first; a != NULL; a = a->next) {
        if (!tml__xml_is(a, "asset")) continue;
        for (const xml* e = a->first; e != NULL; e = e->next) {
            if (tml__xml_is(e, "mesh") && is_called(e, name)) return e;
        }
    }
    return NULL;
}

// All points of a mesh, scaled; their number, 0 when it has none in the file.
static int read_points(mjcf* m, const xml* mesh, vec3** out)
{
    const mjcf_element e = tml__mjcf_open(m, mesh, NULL, "mesh");
    const char* text = tml__xml_attribute(mesh, "vertex");
    if (text == NULL) return 0;
    vec3 scale = v3(1.0, 1.0, 1.0);
    tml__mjcf_vector(&e, "scale", &scale);

    const size_t most = strlen(text) / 2 + 3;  // a number takes a digit and a space
    double* numbers = tml__robot_take(m->r, most, sizeof *numbers);
    if (numbers == NULL) return 0;
    xml_attribute one = {"vertex", text, NULL};
    xml view = *mesh;
    view.attributes = &one;
    const int count = tml__attribute_list(m->r, &view, "vertex", (int)most, numbers);
    vec3* points = tml__robot_take(m->r, (size_t)count / 3 + 1, sizeof *points);
    if (points == NULL) return 0;
    for (int i = 0; i < count / 3; i++) {
        points[i] = v3(scale.x * numbers[3 * i], scale.y * numbers[3 * i + 1],
                       scale.z * numbers[3 * i + 2]);
    }
    *out = points;
    return count / 3;
}

// Mass properties of a polytope of density 1, from tetrahedra to the origin: each face is a fan.
//   volume  a.(b x c)/6      first moment  V (a + b + c)/4
//   second  V/20 (s s^T + a a^T + b b^T + c c^T),  s = a + b + c
static solid weigh(const polytope* p)
{
    double volume = 0.0;
    vec3 first = v3_zero();
    mat3 second = m3_zero();
    for (int f = 0; f < p->face_count; f++) {
        const int* loop = &p->face_vertex[p->face_start[f]];
        const int count = p->face_start[f + 1] - p->face_start[f];
        for (int k = 1; k + 1 < count; k++) {
            const vec3 a = p->vertices[loop[0]];
            const vec3 b = p->vertices[loop[k]];
            const vec3 c = p->vertices[loop[k + 1]];
            const vec3 s = v3_add(a, v3_add(b, c));
            const double V = v3_dot(a, v3_cross(b, c)) / 6.0;
            volume += V;
            first = v3_axpy(first, V / 4.0, s);
            const mat3 products = m3_add(m3_add(m3_outer(s, s), m3_outer(a, a)),
                                         m3_add(m3_outer(b, b), m3_outer(c, c)));
            second = m3_add(second, m3_scale(V / 20.0, products));
        }
    }
    if (!(volume > 0.0)) return (solid){0.0, v3_zero(), m3_zero()};
    const vec3 com = v3_scale(1.0 / volume, first);
    second = m3_sub(second, m3_scale(volume, m3_outer(com, com)));
    const double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    return (solid){volume, com, m3_sub(m3_diagonal(trace, trace, trace), second)};
}

static void add_weight(mjcf* m, const mjcf_element* g, const solid* one, pose at, geom_sum* sum)
{
    double density = 1000.0;
    double mass = -1.0;
    tml__mjcf_number(g, "density", &density);
    tml__mjcf_number(g, "mass", &mass);
    const double scale = mass >= 0.0 ? mass / one->mass : density;
    if (!(one->mass > 0.0) || !(scale > 0.0)) return;
    const mat3 R = q_matrix(at.q);
    tml__mjcf_add_solid(m, sum,
                        &(solid){scale * one->mass, pose_apply(at, one->com),
                                 m3_scale(scale, m3_mul_bt(m3_mul(R, one->inertia), R))});
}

// The folder of meshes below that of the model.
static const char* mesh_folder(const mjcf* m)
{
    const char* folder = "";
    for (const xml* c = m->root->first; c != NULL; c = c->next) {
        if (!tml__xml_is(c, "compiler")) continue;
        const char* all = tml__xml_attribute(c, "assetdir");
        const char* own = tml__xml_attribute(c, "meshdir");
        if (all != NULL) folder = all;
        if (own != NULL) folder = own;
    }
    return folder;
}

static mesh_frame frame_of(mjcf* m, const xml* mesh)
{
    const mjcf_element e = tml__mjcf_open(m, mesh, NULL, "mesh");
    mesh_frame frame = mesh_frame_plain();
    double q[4];
    frame.folder = mesh_folder(m);
    tml__mjcf_vector(&e, "scale", &frame.scale);
    tml__mjcf_vector(&e, "refpos", &frame.origin.p);
    if (tml__mjcf_numbers(&e, "refquat", 4, q)) {
        frame.origin.q = q_normalize((quat){q[0], q[1], q[2], q[3]});
    }
    return frame;
}

// The faces of a hull as triangles of a shape.
static bool hull_shape(mjcf* m, const polytope* hull, tml_shape_def* shape)
{
    const int corners = hull->face_start[hull->face_count];
    const int count = corners - 2 * hull->face_count;
    int* triangles = tml__robot_take(m->r, 3 * (size_t)count, sizeof *triangles);
    if (triangles == NULL) return false;
    int at = 0;
    for (int f = 0; f < hull->face_count; f++) {
        const int* loop = &hull->face_vertex[hull->face_start[f]];
        for (int k = 1; k + 1 < hull->face_start[f + 1] - hull->face_start[f]; k++) {
            triangles[at++] = loop[0];
            triangles[at++] = loop[k];
            triangles[at++] = loop[k + 1];
        }
    }
    shape->kind = TML_SHAPE_MESH;
    shape->vertex_count = hull->vertex_count;
    shape->vertices = hull->vertices;
    shape->triangle_count = count;
    shape->triangles = triangles;
    return true;
}

// Points in the model itself: their hull.
static bool read_hull(mjcf* m, const xml* mesh, tml_shape_def* shape, solid* one)
{
    vec3* points = NULL;
    message why;
    polytope hull;
    const int count = read_points(m, mesh, &points);
    if (count == 0 || m->r->status != TML_OK) return false;
    const tml_status status = tml__hull(&m->r->memory, count, points, "a mesh", &why, &hull);
    if (status != TML_OK) {
        tml__robot_refuse(m->r, mesh, status, "%.300s", why.text);
        return false;
    }
    *one = weigh(&hull);
    return hull_shape(m, &hull, shape);
}

static bool weigh_file(mjcf* m, const tml_shape_def* shape, solid* out)
{
    triangle_soup soup = {.count = shape->triangle_count};
    soup.corners = tml__robot_take(m->r, 3 * (size_t)soup.count, sizeof *soup.corners);
    if (soup.corners == NULL) return false;
    for (int i = 0; i < 3 * soup.count; i++) {
        soup.corners[i] = shape->vertices[shape->triangles[i]];
    }
    return tml__soup_weigh(&soup, &out->mass, &out->com, &out->inertia);
}

static bool does_weigh(const mjcf_element* g, const geom_sum* sum)
{
    double mass = -1.0;
    double density = 1000.0;
    tml__mjcf_number(g, "mass", &mass);
    tml__mjcf_number(g, "density", &density);
    return sum->weighs && (mass > 0.0 || (mass < 0.0 && density > 0.0));
}

// The mesh that a geom names, into its shape, and what it weighs at density 1.
static bool read_mesh(mjcf* m, const mjcf_element* g, const char* name, bool weighs,
                      tml_shape_def* shape, solid* one)
{
    const xml* mesh = find_mesh(m, name);
    if (mesh == NULL) {
        tml__robot_refuse(m->r, g->e, TML_BAD_ARGUMENT, "there is no mesh '%.120s'", name);
        return false;
    }
    if (tml__xml_attribute(mesh, "vertex") != NULL) return read_hull(m, mesh, shape, one);
    const char* file = tml__xml_attribute(mesh, "file");
    if (file == NULL) {
        tml__robot_lint(m->r, mesh, "mesh that MuJoCo would make", "left out");
        return false;
    }
    const mesh_frame frame = frame_of(m, mesh);
    if (!tml__robot_mesh(m->r, mesh, file, &frame, shape)) return false;
    return !weighs || weigh_file(m, shape, one);
}

static void without_mesh(mjcf* m, const mjcf_element* g)
{
    const char* type = tml__mjcf_get(g, "type");
    const bool is_known = type != NULL && (strcmp(type, "hfield") == 0 || strcmp(type, "sdf") == 0);
    if (is_known) {
        tml__robot_lint(m->r, g->e, "height field or distance field", "left out");
    } else {
        tml__robot_refuse(m->r, g->e, TML_BAD_ARGUMENT, "unknown type of geom '%.60s'",
                          type != NULL ? type : "");
    }
}

void tml__mjcf_mesh_geom(mjcf* m, const mjcf_element* g, pose frame, tml_shape_def* shape,
                         geom_sum* sum)
{
    const char* name = tml__mjcf_get(g, "mesh");
    const char* type = tml__mjcf_get(g, "type");
    if (m->r->status != TML_OK) return;
    if (name == NULL) {
        without_mesh(m, g);
        return;
    }
    if (type != NULL && strcmp(type, "mesh") != 0) {
        tml__robot_lint(m->r, g->e, "geom fitted to a mesh", "the mesh itself is taken");
    }
    const bool weighs = does_weigh(g, sum);
    const pose at = pose_mul(frame, tml__mjcf_pose(g));
    solid one = {0};
    if (read_mesh(m, g, name, weighs, shape, &one)) {
        shape->pose = at;
        shape->hull = true;
        tml__robot_add_shape(m->r, sum->link, sum->link, shape);
        if (weighs) add_weight(m, g, &one, at, sum);
    } else if (weighs && m->r->status == TML_OK) {
        tml__robot_lint(m->r, g->e, "mesh geom that weighs something",
                        "its mass and inertia are missing from its body");
    }
}
