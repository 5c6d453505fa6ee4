// STL files: what they weigh against closed forms, and what is wrong with broken ones.
#include "geom/stl.h"

#include "test/check.h"

static void put_whole(unsigned char* p, unsigned value)
{
    for (int k = 0; k < 4; k++) p[k] = (unsigned char)(value >> (8 * k));
}

static void put_float(unsigned char* p, float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(p, bits);
}

// A box of edges 1, 2, 3 with a corner in the origin, as twelve triangles; bytes of the file.
static size_t make_box(unsigned char* out)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    memset(out, 0, 84 + 12 * 50);
    put_whole(out + 80, 12);
    for (int f = 0; f < 12; f++) {
        for (int k = 0; k < 3; k++) {
            const int v = faces[f][k];
            unsigned char* p = out + 84 + 50 * f + 12 + 12 * k;
            put_float(p, (v & 1) ? 1.0f : 0.0f);
            put_float(p + 4, (v & 2) ? 2.0f : 0.0f);
            put_float(p + 8, (v & 4) ? 3.0f : 0.0f);
        }
    }
    return 84 + 12 * 50;
}

TEST(a_box_of_triangles_weighs_what_a_box_does)
{
    unsigned char file[700];
    pool memory = {0};
    triangle_soup soup;
    message why;
    double volume = 0.0;
    vec3 com;
    mat3 J;
    const size_t length = make_box(file);
    CHECK(tml__stl_read(&memory, (const char*)file, length, &soup, &why) == TML_OK);
    CHECK(soup.count == 12);
    CHECK(tml__soup_weigh(&soup, &volume, &com, &J));
    CHECK_NEAR(volume, 6.0, 1e-14);
    CHECK_NEAR(v3_max(v3_sub(com, v3(0.5, 1.0, 1.5))), 0.0, 1e-15);
    // m (b^2 + c^2)/12; a few roundings of twelve pyramids
    const mat3 box = m3_diagonal(6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0);
    for (int k = 0; k < 9; k++) CHECK_NEAR(J.m[k / 3][k % 3], box.m[k / 3][k % 3], 1e-13);
    tml__pool_destroy(&memory);
}

TEST(broken_files_are_refused_before_anything_is_taken)
{
    unsigned char file[700];
    pool memory = {0};
    triangle_soup soup;
    message why;
    const size_t length = make_box(file);
    for (size_t cut = 0; cut < length; cut++) {
        CHECK(tml__stl_read(&memory, (const char*)file, cut, &soup, &why) == TML_BAD_FILE);
        CHECK(soup.count == 0);
    }
    put_whole(file + 80, 0xffffffffu);
    CHECK(tml__stl_read(&memory, (const char*)file, 84, &soup, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "says that it has 4294967295 triangles, but there is room for 0");
    put_whole(file + 80, 12);
    put_float(file + 84 + 12, (float)NAN);
    CHECK(tml__stl_read(&memory, (const char*)file, length, &soup, &why) == TML_BAD_FILE);
    CHECK_CONTAINS(why.text, "triangle 0 of the STL file is not finite");
    memcpy(file, "solid text", 10);
    CHECK(tml__stl_read(&memory, (const char*)file, length - 1, &soup, &why) == TML_UNSUPPORTED);
    tml__pool_destroy(&memory);
}
