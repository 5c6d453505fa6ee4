// io/record_glb.c - recordings as a glTF 2.0 animation in one binary file, for any 3D viewer.
//
// Every body is a node that moves by one translation and one rotation channel; its shapes are
// children that share three unit meshes (sphere, box, cylinder) by scale. A capsule is a cylinder
// and two spheres; meshes and height fields are what they are (record_glb_mesh.c); a body that shows
// nothing else shows the box that has its inertia; deformables are meshes whose points move
// (record_glb_soft.c). glTF's up is y, so the root turns z up. Numbers are floats: a picture, not data to compute with.
#include "io/record_glb.h"

#include "base/memory.h"
#include "math/quat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPHERE,
    BOX,
    CYLINDER,
    SOLIDS,

    ROUND = 24,  // edges around
    RINGS = 12,  // of a sphere
    SOLID_VERTICES = (ROUND + 1) * (RINGS + 1),
    SOLID_INDICES = 6 * ROUND * RINGS,
    POSE_WIDTH = 7,  // columns of a body in the kept states
};

static const double plane_extent = 40.0;  // m: a plane has no end, its picture has
static const double plane_depth = 0.002;  // m

// ---- the three solids

typedef struct solid {
    int vertices, indices;
    float position[3 * SOLID_VERTICES];
    float normal[3 * SOLID_VERTICES];
    uint16_t index[SOLID_INDICES];
} solid;

static int add_vertex(solid* s, vec3 p, vec3 n)
{
    const int i = 3 * s->vertices;
    s->position[i] = (float)p.x;
    s->position[i + 1] = (float)p.y;
    s->position[i + 2] = (float)p.z;
    s->normal[i] = (float)n.x;
    s->normal[i + 1] = (float)n.y;
    s->normal[i + 2] = (float)n.z;
    return s->vertices++;
}

static void add_triangle(solid* s, int a, int b, int c)
{
    s->index[s->indices++] = (uint16_t)a;
    s->index[s->indices++] = (uint16_t)b;
    s->index[s->indices++] = (uint16_t)c;
}

static vec3 on_circle(int k)
{
    const double angle = 2.0 * 3.14159265358979323846 * k / ROUND;
    return (vec3){tml__cos(angle), tml__sin(angle), 0.0};
}

static void make_sphere(solid* s)
{
    for (int i = 0; i <= RINGS; i++) {
        const double polar = 3.14159265358979323846 * i / RINGS;
        for (int k = 0; k <= ROUND; k++) {
            vec3 p = v3_scale(tml__sin(polar), on_circle(k));
            p.z = tml__cos(polar);
            add_vertex(s, p, p);
        }
    }
    for (int i = 0; i < RINGS; i++) {
        for (int k = 0; k < ROUND; k++) {
            const int a = i * (ROUND + 1) + k;
            const int b = a + ROUND + 1;
            add_triangle(s, a, b, a + 1);
            add_triangle(s, a + 1, b, b + 1);
        }
    }
}

static void make_box(solid* s)
{
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2;
        const double side = face % 2 ? 0.5 : -0.5;
        vec3 n = v3_zero();
        v3_set(&n, axis, 2.0 * side);
        for (int corner = 0; corner < 4; corner++) {
            vec3 p = v3_zero();
            v3_set(&p, axis, side);
            v3_set(&p, (axis + 1) % 3, corner == 1 || corner == 2 ? side : -side);
            v3_set(&p, (axis + 2) % 3, corner >= 2 ? 0.5 : -0.5);
            add_vertex(s, p, n);
        }
        add_triangle(s, 4 * face, 4 * face + 1, 4 * face + 2);
        add_triangle(s, 4 * face, 4 * face + 2, 4 * face + 3);
    }
}

static void make_cylinder(solid* s)
{
    for (int k = 0; k <= ROUND; k++) {
        const vec3 n = on_circle(k);
        add_vertex(s, (vec3){n.x, n.y, -0.5}, n);
        add_vertex(s, (vec3){n.x, n.y, 0.5}, n);
    }
    for (int k = 0; k < ROUND; k++) {
        add_triangle(s, 2 * k, 2 * k + 2, 2 * k + 1);
        add_triangle(s, 2 * k + 1, 2 * k + 2, 2 * k + 3);
    }
    for (int end = 0; end < 2; end++) {
        const vec3 n = {0.0, 0.0, end ? 1.0 : -1.0};
        const int middle = add_vertex(s, v3_scale(0.5, n), n);
        for (int k = 0; k <= ROUND; k++) {
            add_vertex(s, v3_add(on_circle(end ? k : -k), v3_scale(0.5, n)), n);
        }
        for (int k = 0; k < ROUND; k++) add_triangle(s, middle, middle + 1 + k, middle + 2 + k);
    }
}

// ---- the file being written

typedef struct glb {
    tml_recorder* r;
    solid* solids;
    writer json;
    int node_count;
    int color_count;
    uint32_t* colors;  // sorted, each once
    int shape_nodes;   // nodes before the bodies: the root and all shapes
    writer nodes;      // the nodes of shapes, in order
    glb_meshes meshes;
    int uses;  // shapes with triangles of their own that have a node already
    glb_soft soft;
} glb;

static const uint32_t plain_color = 0x8d99a6;  // of bodies without shapes
static const uint32_t soft_color = 0xc8875a;   // of deformables

static int order_colors(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a;
    const uint32_t y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static bool collect_colors(glb* g)
{
    const tml_model* model = g->r->model;
    size_t total = 2;
    for (int b = -1; b < tml_model_body_count(model); b++) {
        int count = 0;
        (void)tml__glb_shapes(model, b, &count);
        total += (size_t)count;
    }
    g->colors = malloc(total * sizeof *g->colors);
    if (g->colors == NULL) return false;
    size_t n = 0;
    g->colors[n++] = plain_color;
    if (tml_model_deformable_count(model) > 0) g->colors[n++] = soft_color;
    for (int b = -1; b < tml_model_body_count(model); b++) {
        int count = 0;
        const tml_shape_def* shapes = tml__glb_shapes(model, b, &count);
        for (int i = 0; i < count; i++) g->colors[n++] = glb_color(&shapes[i]);
    }
    qsort(g->colors, n, sizeof *g->colors, order_colors);
    for (size_t i = 0; i < n; i++) {
        const bool is_new = i == 0 || g->colors[i] != g->colors[i - 1];
        if (is_new) g->colors[g->color_count++] = g->colors[i];
    }
    return true;
}

// ---- nodes

static void put_numbers(writer* w, const char* key, const double* values, int count)
{
    tml__put_key(w, key);
    tml__put_numbers(w, values, count);
}

static int material_of(const glb* g, uint32_t color)
{
    const uint32_t* found =
        bsearch(&color, g->colors, (size_t)g->color_count, sizeof color, order_colors);
    return (int)(found - g->colors);
}

static void put_node(glb* g, int mesh, const tml_pose* pose, vec3 scale)
{
    writer* w = &g->nodes;
    const double position[3] = {pose->p.x, pose->p.y, pose->p.z};
    const double turn[4] = {pose->q.x, pose->q.y, pose->q.z, pose->q.w};
    const double size[3] = {scale.x, scale.y, scale.z};

    tml__put(w, ",");
    tml__put_open(w, "{");
    tml__write_number(w, "mesh", mesh);
    put_numbers(w, "translation", position, 3);
    put_numbers(w, "rotation", turn, 4);
    put_numbers(w, "scale", size, 3);
    tml__put_close(w, "}");
    g->node_count++;
}

static void put_solid(glb* g, int kind, uint32_t color, const tml_pose* pose, vec3 scale)
{
    put_node(g, kind * g->color_count + material_of(g, color), pose, scale);
}

static void put_shape(glb* g, const tml_shape_def* s)
{
    const uint32_t color = glb_color(s);
    const double r = s->size.x;

    switch (s->kind) {
    case TML_SHAPE_SPHERE: put_solid(g, SPHERE, color, &s->pose, (vec3){r, r, r}); break;
    case TML_SHAPE_ELLIPSOID: put_solid(g, SPHERE, color, &s->pose, s->size); break;
    case TML_SHAPE_BOX: put_solid(g, BOX, color, &s->pose, s->size); break;
    case TML_SHAPE_CYLINDER:
        put_solid(g, CYLINDER, color, &s->pose, (vec3){r, r, s->size.z});
        break;
    case TML_SHAPE_CAPSULE:
        put_solid(g, CYLINDER, color, &s->pose, (vec3){r, r, s->size.z});
        for (int end = -1; end <= 1; end += 2) {
            tml_pose cap = s->pose;
            const vec3 along = {0.0, 0.0, 0.5 * end * s->size.z};
            cap.p = v3_add(cap.p, q_rotate(cap.q, along));
            put_solid(g, SPHERE, color, &cap, (vec3){r, r, r});
        }
        break;
    case TML_SHAPE_PLANE:
        put_solid(g, BOX, color, &s->pose, (vec3){plane_extent, plane_extent, plane_depth});
        break;
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_MESH:
        put_node(g, SOLIDS * g->color_count + g->meshes.uses[g->uses++], &s->pose,
                 (vec3){1.0, 1.0, 1.0});
        break;
    case TML_SHAPE_KINDS:
    default: break;
    }
}

// The edges of the solid box with this mass and moments of inertia (about its own axes).
static vec3 inertia_box(const tml_body_def* def)
{
    const double* I = def->inertia;
    const double half = 0.5 * (I[0] + I[1] + I[2]);
    vec3 size = v3_zero();
    for (int k = 0; k < 3; k++) {
        const double square = def->mass > 0.0 ? 12.0 * (half - I[k]) / def->mass : 0.0;
        v3_set(&size, k, square > 1e-6 ? sqrt(square) : 1e-3);
    }
    return size;
}

// The nodes of a body's shapes; answers the first, their number in *count.
static int put_shapes_of(glb* g, int body, int* count)
{
    const int first = g->node_count;
    int shape_count = 0;
    const tml_shape_def* shapes = tml__glb_shapes(g->r->model, body, &shape_count);
    for (int i = 0; i < shape_count; i++) {
        if (!shapes[i].hidden) put_shape(g, &shapes[i]);
    }
    if (g->node_count == first && body >= 0) {
        const tml_body_def* def = tml_model_body(g->r->model, (tml_body){body});
        const tml_pose at = {def->com, q_identity()};
        put_solid(g, BOX, plain_color, &at, inertia_box(def));
    }
    *count = g->node_count - first;
    return first;
}

static void put_children(writer* w, int first, int count)
{
    if (count == 0) return;
    tml__put_key(w, "children");
    tml__put(w, "[");
    for (int i = 0; i < count; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s%d", i > 0 ? "," : "", first + i);
        tml__put(w, text);
    }
    tml__put(w, "]");
}

static void put_soft_nodes(const glb* g, writer* w)
{
    for (int i = 0; i < g->soft.count; i++) {
        tml__put(w, ",");
        tml__put_open(w, "{");
        tml__write_text(w, "name", tml_model_deformable(g->r->model, i)->name);
        tml__write_number(w, "mesh", SOLIDS * g->color_count + g->meshes.mesh_count + i);
        tml__put_close(w, "}");
    }
}

// All nodes: the root, the shapes in order, the bodies, which name their shapes, the deformables.
static void put_nodes(glb* g)
{
    const tml_model* model = g->r->model;
    const int bodies = tml_model_body_count(model);
    writer body_nodes = {.is_first = true};
    int world_count = 0;

    g->node_count = 1;
    const int world_first = put_shapes_of(g, -1, &world_count);
    for (int b = 0; b < bodies; b++) {
        int count = 0;
        const int first = put_shapes_of(g, b, &count);
        tml__put(&body_nodes, ",");
        tml__put_open(&body_nodes, "{");
        tml__write_text(&body_nodes, "name", tml_model_body_name(model, (tml_body){b}));
        put_children(&body_nodes, first, count);
        tml__put_close(&body_nodes, "}");
    }
    g->shape_nodes = g->node_count;
    put_soft_nodes(g, &body_nodes);

    writer* w = &g->json;
    static const double z_up[4] = {-0.70710678118654757, 0.0, 0.0, 0.70710678118654757};
    tml__put(w, "\"nodes\":[");
    tml__put_open(w, "{");
    put_numbers(w, "rotation", z_up, 4);
    tml__put_key(w, "children");
    tml__put(w, "[");
    for (int i = 0; i < world_count + bodies + g->soft.count; i++) {
        char text[16];
        const int node = i < world_count ? world_first + i : g->shape_nodes + (i - world_count);
        snprintf(text, sizeof text, "%s%d", i > 0 ? "," : "", node);
        tml__put(w, text);
    }
    tml__put(w, "]");
    tml__put_close(w, "}");
    if (g->nodes.length > 0) tml__put(w, g->nodes.data);
    if (body_nodes.length > 0) tml__put(w, body_nodes.data);
    tml__put(w, "]");
    if (body_nodes.status != TML_OK) w->status = body_nodes.status;
    if (g->nodes.status != TML_OK) w->status = g->nodes.status;
    free(body_nodes.data);
}

// ---- meshes, accessors, animation

// Accessors: per solid positions, normals, indices; per surface positions, indices; the times; per
// body translations, rotations; those of deformables. Views of the buffer: vertices and indices of the
// solids, positions and indices of surfaces where there are any, the motion where a state was kept,
// three of deformables.
enum {
    SOLID_ACCESSORS = 3
};

// Where the accessors of the motion begin, and those of deformables behind them.
static size_t motion_at(const glb* g)
{
    return SOLID_ACCESSORS * SOLIDS + 2 * (size_t)g->meshes.surface_count;
}

static size_t soft_at(const glb* g)
{
    const size_t motions = 1 + 2 * (size_t)tml_model_body_count(g->r->model);
    return motion_at(g) + (g->r->kept_rows > 0 ? motions : 0);
}

static void put_meshes(glb* g)
{
    writer* w = &g->json;
    tml__put(w, ",\"materials\":[");
    for (int c = 0; c < g->color_count; c++) {
        const uint32_t color = g->colors[c];
        double linear[3];
        for (int k = 0; k < 3; k++) {
            // sRGB to linear light, near enough by a square
            const double x = (double)(color >> (16 - 8 * k) & 0xff) / 255.0;
            linear[k] = x * x;
        }
        tml__glb_format(w, "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[", c > 0 ? "," : "");
        for (int k = 0; k < 3; k++) {
            tml__put_number(w, linear[k]);
            tml__put(w, ",");
        }
        tml__put(w, "1],\"metallicFactor\":0,\"roughnessFactor\":0.7}}");
    }
    tml__put(w, "],\"meshes\":[");
    for (int i = 0; i < SOLIDS * g->color_count; i++) {
        const int first = SOLID_ACCESSORS * (i / g->color_count);
        tml__glb_format(w,
                        "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                        "\"indices\":%d,\"material\":%d}]}",
                        i > 0 ? "," : "", first, first + 1, first + 2, i % g->color_count);
    }
    for (int i = 0; i < g->meshes.mesh_count; i++) {
        const int first = SOLID_ACCESSORS * SOLIDS + 2 * g->meshes.meshes[i].surface;
        tml__glb_format(w,
                        ",{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,"
                        "\"material\":%d}]}",
                        first, first + 1, material_of(g, g->meshes.meshes[i].color));
    }
    if (g->soft.count > 0) {
        tml__glb_soft_meshes(&g->soft, soft_at(g), material_of(g, soft_color), w);
    }
    tml__put(w, "]");
}

static size_t put_solid_accessors(glb* g)
{
    writer* w = &g->json;
    size_t offset = 0;
    for (int k = 0; k < SOLIDS; k++) {
        const solid* s = &g->solids[k];
        const size_t vectors = 3 * sizeof(float) * (size_t)s->vertices;
        tml__glb_format(
            w,
            "%s{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,"
            "\"type\":\"VEC3\",\"min\":[%s],\"max\":[%s]},",
            k > 0 ? "," : "", offset, s->vertices,
            k == BOX      ? "-0.5,-0.5,-0.5"
            : k == SPHERE ? "-1,-1,-1"
                          : "-1,-1,-0.5",
            k == BOX      ? "0.5,0.5,0.5"
            : k == SPHERE ? "1,1,1"
                          : "1,1,0.5");
        tml__glb_format(w,
                        "{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,"
                        "\"type\":\"VEC3\"},",
                        offset + vectors, s->vertices);
        tml__glb_format(w,
                        "{\"bufferView\":1,\"byteOffset\":%zu,\"componentType\":5123,\"count\":%d,"
                        "\"type\":\"SCALAR\"}",
                        (size_t)k * sizeof s->index, s->indices);
        offset += 2 * vectors;
    }
    return offset;
}

static void put_animation(glb* g, size_t bodies)
{
    writer* w = &g->json;
    const size_t times = motion_at(g);

    tml__put(w, ",\"animations\":[{\"samplers\":[");
    for (size_t i = 0; i < 2 * bodies; i++) {
        tml__glb_format(w, "%s{\"input\":%zu,\"output\":%zu}", i > 0 ? "," : "", times,
                        times + 1 + i);
    }
    tml__glb_soft_samplers(&g->soft, soft_at(g), bodies == 0, w);
    tml__put(w, "],\"channels\":[");
    for (size_t i = 0; i < 2 * bodies; i++) {
        tml__glb_format(w, "%s{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}",
                        i > 0 ? "," : "", i, (size_t)g->shape_nodes + i / 2,
                        i % 2 ? "rotation" : "translation");
    }
    tml__glb_soft_channels(&g->soft, 2 * bodies, (size_t)g->shape_nodes + bodies, bodies == 0, w);
    tml__put(w, "]}]");
}

static void put_motion_accessors(glb* g, int view)
{
    writer* w = &g->json;
    const tml_recorder* r = g->r;
    const size_t bodies = (size_t)tml_model_body_count(r->model);
    const size_t rows = r->kept_rows;

    // the bounds must be those of the floats
    const float first = (float)r->kept[0];
    const float last = (float)r->kept[(rows - 1) * (size_t)r->count];
    tml__glb_format(w,
                    ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%zu,"
                    "\"type\":\"SCALAR\",\"min\":[%.9g],\"max\":[%.9g]}",
                    view, rows, (double)first, (double)last);
    for (size_t b = 0; b < bodies; b++) {
        const size_t at = rows * sizeof(float) * (1 + POSE_WIDTH * b);
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,"
                        "\"count\":%zu,\"type\":\"VEC3\"}",
                        view, at, rows);
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,"
                        "\"count\":%zu,\"type\":\"VEC4\"}",
                        view, at + 3 * rows * sizeof(float), rows);
    }
}

// One stretch of the buffer; `more` is its target and stride.
static void put_view(glb* g, size_t* at, size_t bytes, const char* more)
{
    tml__glb_format(&g->json, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}",
                    *at > 0 ? "," : "", *at, bytes, more);
    *at += bytes;
}

static void put_soft_views(glb* g, size_t* at, const char* vertices_of, const char* indices_of)
{
    if (g->soft.count == 0) return;
    put_view(g, at, tml__glb_soft_position_bytes(&g->soft), vertices_of);
    // no view may be empty
    if (g->soft.keys > 0) put_view(g, at, tml__glb_soft_weight_bytes(&g->soft), "");
    if (g->soft.triangles > 0) put_view(g, at, tml__glb_soft_index_bytes(&g->soft), indices_of);
}

// Describes the binary part; answers how many bytes it has.
static size_t put_buffers(glb* g)
{
    static const char vertices_of[] = ",\"byteStride\":12,\"target\":34962";
    static const char indices_of[] = ",\"target\":34963";
    writer* w = &g->json;
    const size_t bodies = (size_t)tml_model_body_count(g->r->model);
    const size_t rows = g->r->kept_rows;
    const bool has_surfaces = g->meshes.surface_count > 0;
    size_t at = 0;

    tml__put(w, ",\"accessors\":[");
    const size_t vertices = put_solid_accessors(g);
    tml__glb_accessors(&g->meshes, 2, w);
    const int motion_view = has_surfaces ? 4 : 2;
    if (rows > 0) put_motion_accessors(g, motion_view);
    tml__glb_soft_accessors(&g->soft, motion_view + (rows > 0), w);
    tml__put(w, "],\"bufferViews\":[");
    put_view(g, &at, vertices, vertices_of);
    put_view(g, &at, SOLIDS * sizeof g->solids->index, indices_of);
    if (has_surfaces) {
        put_view(g, &at, tml__glb_vertex_bytes(&g->meshes), vertices_of);
        put_view(g, &at, tml__glb_index_bytes(&g->meshes), indices_of);
    }
    if (rows > 0) put_view(g, &at, rows * sizeof(float) * (1 + POSE_WIDTH * bodies), "");
    put_soft_views(g, &at, vertices_of, indices_of);
    tml__glb_format(w, "],\"buffers\":[{\"byteLength\":%zu}]", at);
    if (rows > 0 && (bodies > 0 || g->soft.keys > 0)) put_animation(g, bodies);
    return at;
}

// ---- the binary part

static void put_float(tml_recorder* r, double value)
{
    const float x = (float)value;
    tml__record_put(r, &x, sizeof x);
}

static void put_motion(tml_recorder* r)
{
    const size_t stride = (size_t)r->count;
    const int bodies = tml_model_body_count(r->model);

    for (size_t row = 0; row < r->kept_rows; row++) put_float(r, r->kept[row * stride]);
    for (int b = 0; b < bodies; b++) {
        const double* pose = r->kept + 1 + (size_t)b * POSE_WIDTH;
        for (size_t row = 0; row < r->kept_rows; row++) {
            for (int k = 0; k < 3; k++) put_float(r, pose[row * stride + (size_t)k]);
        }
        // glTF writes the scalar last
        static const int order[4] = {4, 5, 6, 3};
        for (size_t row = 0; row < r->kept_rows; row++) {
            for (int k = 0; k < 4; k++) put_float(r, pose[row * stride + (size_t)order[k]]);
        }
    }
}

static void put_file(glb* g, size_t binary)
{
    tml_recorder* r = g->r;
    while (g->json.length % 4 != 0) tml__put(&g->json, " ");
    const size_t total = 12 + 8 + g->json.length + 8 + binary;
    if (total > UINT32_MAX) {
        r->error = EFBIG;
        return;
    }
    tml__record_put(r, "glTF", 4);
    record_put_u32(r, 2);
    record_put_u32(r, (uint32_t)total);
    record_put_u32(r, (uint32_t)g->json.length);
    tml__record_put(r, "JSON", 4);
    tml__record_put(r, g->json.data, g->json.length);
    record_put_u32(r, (uint32_t)binary);
    tml__record_put(r, "BIN\0", 4);
    for (int k = 0; k < SOLIDS; k++) {
        const solid* s = &g->solids[k];
        tml__record_put(r, s->position, 3 * sizeof(float) * (size_t)s->vertices);
        tml__record_put(r, s->normal, 3 * sizeof(float) * (size_t)s->vertices);
    }
    for (int k = 0; k < SOLIDS; k++) {
        tml__record_put(r, g->solids[k].index, sizeof g->solids[k].index);
    }
    tml__glb_write(&g->meshes, r);
    put_motion(r);
    tml__glb_soft_write(&g->soft, r);
}

static bool write_animation(tml_recorder* r)
{
    glb g = {.r = r, .json = {.is_first = true}, .nodes = {.is_first = true}};

    g.solids = calloc(SOLIDS, sizeof *g.solids);
    if (g.solids == NULL || !collect_colors(&g) || !tml__glb_collect(r->model, &g.meshes) ||
        !tml__glb_soft_prepare(r, &g.soft)) {
        r->error = ENOMEM;
    } else {
        make_sphere(&g.solids[SPHERE]);
        make_box(&g.solids[BOX]);
        make_cylinder(&g.solids[CYLINDER]);
        tml__put(&g.json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"trammel\"},"
                          "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
        put_nodes(&g);
        put_meshes(&g);
        const size_t binary = put_buffers(&g);
        tml__put(&g.json, "}");
        if (g.json.status != TML_OK) r->error = g.json.status == TML_NO_MEMORY ? ENOMEM : EINVAL;
        if (r->error == 0) put_file(&g, binary);
    }
    free(g.solids);
    free(g.colors);
    tml__glb_free(&g.meshes);
    tml__glb_soft_free(&g.soft);
    free(g.json.data);
    free(g.nodes.data);
    return r->error == 0;
}

const record_format tml__record_glb = {
    .ending = ".glb", .write = tml__record_keep, .close = write_animation};
