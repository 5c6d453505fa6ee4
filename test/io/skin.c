// test/io/skin.c - what is drawn of deformables: the outside of tetrahedra, and surfaces from files.
#include "test/check.h"
#include "test/scenario/soft.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#define PATH TEST_BINARY_DIR "/io_skin"

static soft_box box;

static tml_deformable_def cube_def(int cells)
{
    soft_fill(&box, (const int[3]){cells, cells, cells}, (tml_vec3){0.0, 0.0, 0.0},
              (tml_vec3){1.0, 1.0, 1.0});
    return soft_def(&box);
}

static double volume_of(const tml_skin* skin, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < skin->triangle_count; i++) {
        const double* a = &x[3 * skin->triangles[3 * i]];
        const double* b = &x[3 * skin->triangles[3 * i + 1]];
        const double* c = &x[3 * skin->triangles[3 * i + 2]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6.0;
}

// A scene text with a cube of 6 tetrahedra and a surface.
static void write_file(const char* path, const char* text)
{
    FILE* f = fopen(path, "wb");
    CHECK(f != NULL);
    if (f == NULL) return;
    CHECK(fputs(text, f) >= 0);
    CHECK(fclose(f) == 0);
}

#define CUBE                                                                                       \
    "\"vertices\": [[0,0,0],[0,0,1],[0,1,0],[0,1,1],[1,0,0],[1,0,1],[1,1,0],[1,1,1]], "            \
    "\"tetrahedra\": [[0,1,3,7],[0,1,5,7],[0,2,3,7],[0,2,6,7],[0,4,5,7],[0,4,6,7]]"
#define SCENE(surface)                                                                             \
    "{\"trammel\": 1, \"bodies\": [], \"deformables\": [{\"name\": \"jelly\", " CUBE               \
    ", \"surface\": " surface "}]}"

static const char* const pyramid = "v 0.1 0.1 0.1\nv 0.9 0.1 0.1\nv 0.5 0.9 0.1\nv 0.5 0.5 0.9\nf "
                                   "1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

TEST(the_skin_of_a_cube_is_its_closed_outside)
{
    const tml_deformable_def def = cube_def(3);
    tml_spec* spec = tml_spec_create();
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    const tml_skin skin = tml_model_skin(model, 0);
    // 4^3 vertices less the 2^3 inner ones; 9 squares a face
    CHECK(skin.point_count == 56 && skin.triangle_count == 6 * 9 * 2);
    double points[3 * 56];
    tml_model_skin_places(model, 0, &box.vertices[0].x, points);
    // outwards all around: its volume is that of the cube, to a few roundings
    CHECK_NEAR(volume_of(&skin, points), 1.0, 1e-14);
    tml_model_destroy(model);
}

TEST(particles_are_all_seen_and_have_no_triangles)
{
    tml_deformable_def def = cube_def(2);
    def.tetrahedron_count = 0;
    def.vertex_mass = 1.0;
    tml_spec* spec = tml_spec_create();
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    CHECK(tml_model_skin(model, 0).point_count == 27);
    CHECK(tml_model_skin(model, 0).triangle_count == 0);
    CHECK(tml_model_skin(model, 7).point_count == 0);  // there is no such deformable
    tml_model_destroy(model);
}

TEST(a_surface_from_a_file_moves_with_the_tetrahedra)
{
    write_file(PATH ".obj", pyramid);
    write_file(PATH ".json", SCENE("\"io_skin.obj\""));
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    CHECK(tml_scene_read_file(scene, PATH ".json") == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    const tml_skin skin = tml_model_skin(model, 0);
    CHECK(skin.point_count == 4 && skin.triangle_count == 4);
    // all vertices sheared and stretched: so are the points
    double vertices[24];
    double points[12];
    for (int i = 0; i < 8; i++) {
        const tml_vec3 x = tml_model_deformable(model, 0)->vertices[i];
        vertices[3 * i] = 2.0 * x.x + 0.5 * x.z;
        vertices[3 * i + 1] = x.y - 1.0;
        vertices[3 * i + 2] = 3.0 * x.z;
    }
    tml_model_skin_places(model, 0, vertices, points);
    CHECK_NEAR(points[9], 2.0 * 0.5 + 0.5 * 0.9, 1e-15);
    CHECK_NEAR(points[10], 0.5 - 1.0, 1e-15);
    CHECK_NEAR(points[11], 3.0 * 0.9, 1e-15);

    // written with its lists it comes back as it is, without the file
    CHECK(tml_scene_write_file(scene, PATH ".copy.json") == TML_OK);
    tml_scene* again = tml_scene_create();
    tml_model* copy = NULL;
    CHECK(tml_scene_read_file(again, PATH ".copy.json") == TML_OK);
    CHECK(tml_scene_build(again, &copy) == TML_OK);
    double same[12];
    tml_model_skin_places(copy, 0, vertices, same);
    CHECK(memcmp(points, same, sizeof same) == 0);
    tml_model_destroy(copy);
    tml_scene_destroy(again);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(surfaces_that_cannot_be_are_refused_in_words)
{
    static const struct {
        const char* scene;
        const char* words;
    } cases[] = {
        {SCENE("\"missing.obj\""), "missing.obj"},
        {SCENE("7"), "surface"},
        {SCENE("{\"vertices\": [[0.5, 0.5, 0.5], [9, 9, 9], [0.2, 0.2, 0.2]], "
               "\"triangles\": [[0, 1, 2]]}"),
         "point 1 of its surface, at (9, 9, 9), lies outside"},
        {SCENE("{\"vertices\": [[0.5, 0.5, 0.5], [0, 0, 0]], \"triangles\": []}"), "3 and 1"},
        {SCENE("{\"vertices\": [[0.5, 0.5, 0.5]], \"triangles\": [[0, 0, 1]]}"),
         "names vertex 1, but there are 1"},
        {SCENE("{\"points\": []}"), "unknown key 'points'"},
        {"{\"trammel\": 1, \"bodies\": [], \"deformables\": [{\"vertices\": [[0,0,0]], "
         "\"vertex_mass\": 1, \"surface\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], "
         "\"triangles\": [[0,1,2]]}}]}",
         "a surface follows tetrahedra, but there are none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(PATH ".bad.json", cases[i].scene);
        tml_scene* scene = tml_scene_create();
        CHECK(tml_scene_read_file(scene, PATH ".bad.json") != TML_OK);
        const bool is_told = strstr(tml_scene_message(scene), cases[i].words) != NULL;
        if (!is_told) printf("case %d: %s\n", (int)i, tml_scene_message(scene));
        CHECK(is_told);
        tml_scene_destroy(scene);
    }
}
