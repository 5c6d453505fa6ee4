// test/io/tetrahedra.c - Gmsh and TetGen files: what they hold, what is refused and with which words,
// and files with a few bytes changed or cut off.
#include "io/tetrahedra.h"

#include "math/vec3.h"
#include "test/check.h"
#include "test/random.h"

// Two tetrahedra on a common face, with a point and a triangle that do not count; tags with holes.
static const char* const msh_2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n3 1 \"all of it\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n40 0 0 1\n7 1 1 1\n9 5 5 5\n"
    "$EndNodes\n"
    "$Elements\n4\n1 15 2 0 1 9\n2 2 2 0 1 1 2 3\n"
    "3 4 2 0 1 1 2 3 40\n4 4 0 2 3 40 7\n$EndElements\n";

static const char* const msh_4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 6 1 40\n0 1 0 1\n9\n5 5 5\n3 1 0 5\n1\n2\n3\n40\n7\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 "
    "1\n"
    "$EndNodes\n"
    "$Elements\n2 3 1 3\n0 1 15 1\n1 9\n3 1 4 2\n2 1 2 3 40\n3 2 3 40 7\n$EndElements\n";

static const char* const node = "# vertices\n5 3 1 1\n"
                                "1 0 0 0 0.5 1\n2 1 0 0 0.5 0\n3 0 1 0 1 0 # on the face\n"
                                "4 0 0 1 2 0\n5 1 1 1 3 -1\n";
static const char* const ele = "2 4 1\n1 1 2 3 4 7\n2  2 3 4 5 7\n";

static named_text text(const char* name, const char* bytes)
{
    return (named_text){name, bytes, strlen(bytes)};
}

static tml_status read_it(int format, named_text file, pool* memory, tetrahedra_data* out,
                          message* why)
{
    if (format < 2) return tml__tetrahedra_read_msh(file, memory, out, why);
    if (format == 2) {
        return tml__tetrahedra_read_tetgen(file, text("a.ele", ele), memory, out, why);
    }
    return tml__tetrahedra_read_tetgen(text("a.node", node), file, memory, out, why);
}

static const char* text_of(int format)
{
    const char* const all[4] = {msh_2, msh_4, node, ele};
    return all[format];
}

TEST(all_formats_give_the_same_two_tetrahedra)
{
    for (int format = 0; format < 4; format++) {
        pool memory = {.first = NULL};
        tetrahedra_data mesh;
        message why = {{0}};
        CHECK(read_it(format, text("a", text_of(format)), &memory, &mesh, &why) == TML_OK);
        CHECK_TEXT(why.text, "");
        CHECK(mesh.vertex_count == 5 && mesh.tetrahedron_count == 2);
        double volume = 0.0;
        for (int i = 0; i < mesh.tetrahedron_count; i++) {
            const int* c = &mesh.tetrahedra[4 * i];
            const vec3 x = mesh.vertices[c[0]];
            volume += fabs(v3_dot(
                          v3_cross(v3_sub(mesh.vertices[c[1]], x), v3_sub(mesh.vertices[c[2]], x)),
                          v3_sub(mesh.vertices[c[3]], x))) /
                      6.0;
        }
        CHECK_NEAR(volume, 1.0 / 6 + 1.0 / 3, 1e-15);  // by hand
        CHECK(mesh.tetrahedra[4] == 1 && mesh.tetrahedra[7] == 4);
        tml__pool_destroy(&memory);
    }
}

typedef struct broken {
    int format;
    const char* text;
    const char* piece;
} broken;

TEST(broken_files_are_refused_with_their_line)
{
    static const broken table[] = {
        {0, "", "a:1: there are no tetrahedra"},
        {0, "$Nodes\n", "a:1: $MeshFormat must come first"},
        {0, "hello\n", "a:1: a section should begin, not 'hello'"},
        {0, "$MeshFormat\n3.0 0 8\n", "a:2: version '3.0'"},
        {0, "$MeshFormat\n2.2 1 8\n", "a:2: the file is binary"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n-1\n", "a:5: the number of nodes is -1"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999999999\n",
         "a:5: the number of nodes"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n", "the file ends where"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "'nan'"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 11 0 1 2 3 4\n", "of 10 nodes"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 77 0 1\n", "element type 77"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n",
         "names vertex 1, which is not there"},
        {0,
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n"
         "$Elements\n1\n1 4 0 1 1 1 1\n$EndElements\n",
         "vertex 1 is there twice"},
        {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nfor ever\n",
         "$Comments does not end"},
        {0, "$MeshFormat\n2.2 0 8\n$EndNodes\n", "a:3: $EndMeshFormat should stand here"},
        {1, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n3 1 1 1\n1\n0 0 0\n",
         "nodes with parameters"},
        {2, "1 2 0 0\n1 0 0\n", "a:1: vertices of 2 dimensions"},
        {2, "3 3 0 0\n1 0 0 0\n", "the file ends after 1 of 3 vertices"},
        {3, "1 10 0\n", "a:1: tetrahedra of 10 nodes"},
        {3, "1 4 0\n1 1 2 3 six\n", "a:2: a corner: 'six' is no whole number"},
        {3, "1 4 0\n1 1 2 3 6\n", "names vertex 6, which is not there"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pool memory = {.first = NULL};
        tetrahedra_data mesh;
        message why = {{0}};
        CHECK(read_it(table[i].format, text("a", table[i].text), &memory, &mesh, &why) ==
              TML_BAD_FILE);
        CHECK_CONTAINS(why.text, table[i].piece);
        tml__pool_destroy(&memory);
    }
}

// Whatever a few changed bytes make of a file, it is read or refused with a sentence.
TEST(changed_and_cut_files_never_do_harm)
{
    random_source r = random_start(77);
    int refused = 0;
    for (int k = 0; k < 20000; k++) {
        const int format = k % 4;
        char bytes[1024];
        size_t length = strlen(text_of(format));
        memcpy(bytes, text_of(format), length);
        for (int change = 0; change < 1 + k % 3; change++) {
            const size_t at = (size_t)random_between(&r, 0.0, (double)length - 0.5);
            bytes[at] = (char)(int)random_between(&r, 0.0, 255.0);
        }
        if (k % 5 == 0) length = (size_t)random_between(&r, 0.0, (double)length);
        pool memory = {.first = NULL};
        tetrahedra_data mesh;
        message why = {{0}};
        const named_text file = {"a", bytes, length};
        const tml_status status = read_it(format, file, &memory, &mesh, &why);
        CHECK(status == TML_OK || status == TML_BAD_FILE);
        if (status != TML_OK) {
            refused++;
            CHECK(strlen(why.text) > 0);
        } else {
            for (int i = 0; i < 4 * mesh.tetrahedron_count; i++) {
                CHECK(mesh.tetrahedra[i] >= 0 && mesh.tetrahedra[i] < mesh.vertex_count);
            }
        }
        tml__pool_destroy(&memory);
    }
    CHECK(refused > 5000);
}

TEST(files_are_told_by_their_ending)
{
    pool memory = {.first = NULL};
    tetrahedra_data mesh;
    message why = {{0}};
    CHECK(tml__tetrahedra_read_file("mesh.obj", &memory, &mesh, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, ".msh, .node and .ele");
    CHECK(tml__tetrahedra_read_file("nowhere.msh", &memory, &mesh, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "nowhere.msh");
    CHECK(tml__tetrahedra_read_file("nowhere.ele", &memory, &mesh, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "nowhere.node");
    tml__pool_destroy(&memory);
}
