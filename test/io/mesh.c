// STL and OBJ files: what they hold, what is refused and with which words, and files with a few bytes
// changed.
#include "io/mesh.h"

#include "test/check.h"
#include "test/random.h"

#include <float.h>

static tml_status read_text(const char* text, const char* name, mesh_data* out, pool* memory,
                            message* why)
{
    return tml__mesh_read(text, strlen(text), name, memory, out, why);
}

static void check_refused(const char* text, const char* name, const char* piece)
{
    pool memory = {.first = NULL};
    mesh_data mesh;
    message why = {{0}};
    CHECK(read_text(text, name, &mesh, &memory, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, piece);
    CHECK(mesh.triangle_count == 0);
    tml__pool_destroy(&memory);
}

static const char* const cube_obj = "# a unit cube\n"
                                    "mtllib cube.mtl\no cube\n"
                                    "v 0 0 0\nv +1. 0 0\nv 1 1 0 1.0\nv .0 1e0 -0\r\n"
                                    "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                    "vn 0 0 1\nvt 0 0\n"
                                    "s off\nusemtl red\n"
                                    "f 1 4 3 2\nf 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\n"
                                    "f -6 -5 -1 -2\n\nf 2 3 7 6\nf 1 5 8 4";

TEST(an_obj_is_vertices_and_polygons)
{
    pool memory = {.first = NULL};
    mesh_data mesh;
    message why = {{0}};
    CHECK(read_text(cube_obj, "cube.OBJ", &mesh, &memory, &why) == TML_OK);
    CHECK(mesh.vertex_count == 8 && mesh.triangle_count == 12);
    double volume = 0.0;
    for (int t = 0; t < mesh.triangle_count; t++) {
        const int* v = &mesh.triangles[3 * t];
        volume +=
            v3_dot(mesh.vertices[v[0]], v3_cross(mesh.vertices[v[1]], mesh.vertices[v[2]])) / 6.0;
    }
    CHECK_NEAR(fabs(volume), 1.0, 1e-15);
    tml__pool_destroy(&memory);
}

static const char* const corner_stl = "solid corner of something\n"
                                      "  facet normal 0 0 nonsense\n    outer loop\n"
                                      "      vertex 0 0 0\n      vertex 0 1 0\n      vertex 1 0 0\n"
                                      "    endloop\n  endfacet\n"
                                      "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0\n"
                                      "vertex 0 0 1 endloop endfacet\n"
                                      "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 2 0 0\n"
                                      "vertex 1.0 -0.0 0e5\nendloop\nendfacet\n"
                                      "endsolid corner\n";

TEST(a_text_stl_is_welded_and_loses_triangles_without_area)
{
    pool memory = {.first = NULL};
    mesh_data mesh;
    message why = {{0}};
    CHECK(read_text(corner_stl, "corner.stl", &mesh, &memory, &why) == TML_OK);
    // 0, y, x, z and the far end of the flat one
    CHECK(mesh.vertex_count == 5 && mesh.triangle_count == 2);
    CHECK(mesh.triangles[3] == mesh.triangles[0] && mesh.triangles[4] == mesh.triangles[2]);
    tml__pool_destroy(&memory);
}

// A tetrahedron with float coordinates.
static size_t make_binary(unsigned char* out, unsigned count)
{
    static const float corners[4][3] = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.2F, 0}, {0, 0, 0.3F}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(out, 0, 84);
    memcpy(out, "solid but binary", 16);
    for (int k = 0; k < 4; k++) out[80 + k] = (unsigned char)(count >> 8 * k & 255);
    unsigned char* p = out + 84;
    for (int f = 0; f < 4; f++) {
        memset(p, 0, 50);
        for (int k = 0; k < 3; k++) memcpy(p + 12 + 12 * k, corners[faces[f][k]], 12);
        p += 50;
    }
    return (size_t)(p - out);
}

TEST(a_binary_stl_is_known_by_its_length)
{
    unsigned char bytes[400];
    const size_t length = make_binary(bytes, 4);
    pool memory = {.first = NULL};
    mesh_data mesh;
    message why = {{0}};
    CHECK(tml__mesh_read((const char*)bytes, length, "t.stl", &memory, &mesh, &why) == TML_OK);
    CHECK(mesh.vertex_count == 4 && mesh.triangle_count == 4);
    CHECK(mesh.vertices[1].y == (double)0.2F);
    // cut off, too long, and a count that asks for 200 GB
    static const char* const wrong[] = {"4 triangles need 284 bytes", "4 triangles need 284 bytes",
                                        "4294967295 triangles need"};
    for (int k = 0; k < 3; k++) {
        make_binary(bytes, k == 2 ? 0xffffffffu : 4);
        bytes[0] = 'x';
        const size_t cut = k == 0 ? length - 7 : k == 1 ? length + 1 : length;
        CHECK(tml__mesh_read((const char*)bytes, cut, "t.stl", &memory, &mesh, &why) ==
              TML_BAD_FILE);
        CHECK_CONTAINS(why.text, wrong[k]);
    }
    make_binary(bytes, 4);
    const float none = (float)nan("");
    memcpy(bytes + 84 + 2 * 50 + 16, &none, sizeof none);
    CHECK(tml__mesh_read((const char*)bytes, length, "t.stl", &memory, &mesh, &why) ==
          TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "t.stl: triangle 2: a coordinate is not finite");
    tml__pool_destroy(&memory);
}

TEST(what_is_wrong_is_said_with_its_line)
{
    check_refused("v 0 0 0\nv 1 0\n", "m.obj", "m.obj:2: v needs three numbers");
    check_refused("v 0 0 0\nv 1 0 nan\n", "m.obj", "m.obj:2: v: 'nan' is no number");
    check_refused("v 0 0 1e99\n", "m.obj", "m.obj:1: v: '1e99' is no number");
    check_refused("v 0 0 .\n", "m.obj", "m.obj:1: v: '.' is no number");
    check_refused("v 0 0 0x10\n", "m.obj", "m.obj:1: v: '0x10' is no number");
    check_refused("v 0 0 0\nf 1 2 3\n", "m.obj", "m.obj:2: corner '2', but there are 1 vertices");
    check_refused("v 0 0 0\n\nf 1 1 0\n", "m.obj", "m.obj:3: corner '0'");
    check_refused("v 0 0 0\nf 1 -2 1\n", "m.obj", "m.obj:2: corner '-2'");
    check_refused("v 0 0 0\nf 1 99999999999999999999 1\n", "m.obj", "m.obj:2: corner '9");
    check_refused("v 0 0 0\nf 1 1x 1\n", "m.obj", "'1x' is no corner");
    check_refused("v 0 0 0\nf 1 1\n", "m.obj", "a face of 2 corners");
    check_refused("v 0 0 0\nwarp 1\n", "m.obj", "m.obj:2: 'warp' is nothing");
    check_refused("v 0 0 0\nf 1 1 1\n", "m.obj", "no triangle in it has an area");
    check_refused("", "m.obj", "no triangle");
    check_refused("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n", "m.stl",
                  "the file ends inside a facet");
    check_refused("solid x\nfacet normal 0 0 1\nouter lop\n", "m.stl",
                  "m.stl:3: 'loop' was expected, not 'lop'");
    check_refused("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", "m.stl",
                  "m.stl:4: vertex: 'zero' is no number");
    check_refused("nothing", "m.stl", "neither 'solid'");
    check_refused("solid x\nendsolid\n", "m.stl", "no triangle");
    check_refused("anything", "m.ply", "ends in .stl or .obj");
    message why;
    mesh_data mesh;
    pool memory = {.first = NULL};
    CHECK(tml__mesh_read_file("no/such/file.stl", &memory, &mesh, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "no/such/file.stl");
    tml__pool_destroy(&memory);
}

// ---- files with a few bytes changed

static void check_mesh(const mesh_data* m)
{
    CHECK(m->vertex_count >= 3 && m->triangle_count >= 1);
    for (int i = 0; i < 3 * m->triangle_count; i++) {
        CHECK(m->triangles[i] >= 0 && m->triangles[i] < m->vertex_count);
    }
    for (int i = 0; i < m->vertex_count; i++) CHECK(v3_is_finite(m->vertices[i]));
}

// Change, drop or double a few bytes.
static size_t mutate(random_source* r, char* bytes, size_t length)
{
    const int changes = 1 + random_below(r, 4);
    for (int k = 0; k < changes && length > 1; k++) {
        const size_t at = (size_t)random_below(r, (int)length);
        static const char letters[] = "0123456789.-+eE/ \nvfnast#\0\xff";
        switch (random_below(r, 4)) {
        case 0: bytes[at] = letters[random_below(r, (int)sizeof letters)]; break;
        case 1: bytes[at] = (char)random_below(r, 256); break;
        case 2:
            memmove(bytes + at, bytes + at + 1, length - at - 1);
            length--;
            break;
        default:
            memmove(bytes + at + 1, bytes + at, length - at);
            length++;
            break;
        }
    }
    return random_below(r, 10) == 0 ? (size_t)random_below(r, (int)length + 1) : length;
}

TEST(damaged_files_are_read_or_refused_with_a_reason)
{
    random_source r = random_start(151);
    unsigned char binary[400];
    const size_t binary_length = make_binary(binary, 4);
    int accepted = 0;
    for (int k = 0; k < 30000; k++) {
        char bytes[1200];
        const int which = k % 3;
        const char* text = which == 0 ? cube_obj : corner_stl;
        size_t length = which == 2 ? binary_length : strlen(text);
        memcpy(bytes, which == 2 ? (const char*)binary : text, length);
        length = mutate(&r, bytes, length);
        // exactly as long as it is, so that reading beyond is seen by the sanitizers
        char* exact = malloc(length > 0 ? length : 1);
        memcpy(exact, bytes, length);
        pool memory = {.first = NULL};
        mesh_data mesh;
        message why = {{0}};
        const tml_status status =
            tml__mesh_read(exact, length, which == 0 ? "m.obj" : "m.stl", &memory, &mesh, &why);
        CHECK(status == TML_OK || status == TML_BAD_FILE);
        if (status == TML_OK) check_mesh(&mesh);
        if (status != TML_OK) CHECK(strncmp(why.text, "m.", 2) == 0 && strlen(why.text) > 8);
        accepted += status == TML_OK;
        tml__pool_destroy(&memory);
        free(exact);
    }
    printf("%d of 30000 accepted\n", accepted);
    CHECK(accepted > 1000 && accepted < 29000);
}
