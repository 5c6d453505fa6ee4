// geom/stl.c - triangles of STL files, binary or text, and what a body bounded by them weighs.
//
// A binary file is 80 bytes of anything, a count, and 50 bytes a triangle: a normal, which is not
// used, three corners and two bytes. Files that start with "solid" are text unless their length is
// exactly that of a binary file, because some programs write that word into the 80 bytes.
#include "geom/stl.h"

#include <string.h>

enum {
    HEADER = 84,
    RECORD = 50,
};

static unsigned read_whole(const unsigned char* p)
{
    return p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24;
}

static double read_float(const unsigned char* p)
{
    const unsigned bits = read_whole(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static tml_status read_binary(pool* memory, const unsigned char* bytes, size_t length,
                              triangle_soup* out, message* why)
{
    const size_t count = read_whole(bytes + 80);
    const size_t there = (length - HEADER) / RECORD;
    if (count > there) {
        return tml__fail(why, TML_BAD_FILE,
                         "the STL file says that it has %zu triangles, but there is room for %zu",
                         count, there);
    }
    if (count > 1u << 24) {
        return tml__fail(why, TML_BAD_FILE, "the STL file has more than 16 million triangles");
    }
    out->corners = tml__pool_take(memory, 3 * count, sizeof *out->corners);
    if (out->corners == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < 3 * count; i++) {
        const unsigned char* p = bytes + HEADER + i / 3 * RECORD + 12 + i % 3 * 12;
        out->corners[i] = v3(read_float(p), read_float(p + 4), read_float(p + 8));
        if (!v3_is_finite(out->corners[i])) {
            return tml__fail(why, TML_BAD_FILE, "triangle %zu of the STL file is not finite",
                             i / 3);
        }
    }
    out->count = (int)count;
    return TML_OK;
}

tml_status tml__stl_read(pool* memory, const char* text, size_t length, triangle_soup* out,
                         message* why)
{
    const unsigned char* bytes = (const unsigned char*)text;
    *out = (triangle_soup){0};
    if (length < HEADER) {
        return tml__fail(why, TML_BAD_FILE, "the file is too short (%zu bytes) for STL", length);
    }
    const size_t whole = HEADER + (size_t)read_whole(bytes + 80) * RECORD;
    if (memcmp(text, "solid", 5) == 0 && whole != length) {
        return tml__fail(why, TML_UNSUPPORTED, "STL files that are text are not read");
    }
    return read_binary(memory, bytes, length, out, why);
}

// ---- weight

typedef struct face {
    vec3 a, b, c;
    vec3 normal;    // twice the area long
    vec3 centroid;  // of the corners
} face;

static face face_of(const triangle_soup* s, int i)
{
    const vec3* p = &s->corners[3 * i];
    return (face){p[0], p[1], p[2], v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])),
                  v3_scale(1.0 / 3.0, v3_add(p[0], v3_add(p[1], p[2])))};
}

// The pyramid over a face with its tip at `from`, always positive.
static double pyramid(const face* f, vec3 from)
{
    return fabs(v3_dot(v3_sub(f->centroid, from), f->normal)) / 6.0;
}

// The centre of the surface.
static vec3 surface_centre(const triangle_soup* s)
{
    double area = 0.0;
    vec3 sum = v3_zero();
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double twice = v3_norm(f.normal);
        area += twice;
        sum = v3_axpy(sum, twice, f.centroid);
    }
    return area > 0.0 ? v3_scale(1.0 / area, sum) : v3_zero();
}

// Second moments of a pyramid with its tip in the origin:
//   V/20 (s s^T + a a^T + b b^T + c c^T),  s = a + b + c
bool tml__soup_weigh(const triangle_soup* s, double* volume, vec3* com, mat3* inertia)
{
    const vec3 tip = surface_centre(s);
    vec3 first = v3_zero();
    *volume = 0.0;
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double V = pyramid(&f, tip);
        const vec3 centre = v3_add(v3_scale(0.75, f.centroid), v3_scale(0.25, tip));
        *volume += V;
        first = v3_axpy(first, V, centre);
    }
    if (!(*volume > 0.0) || !isfinite(*volume)) return false;
    *com = v3_scale(1.0 / *volume, first);

    // once more about the centre of mass: pyramids that count as positive weigh differently from there
    mat3 second = m3_zero();
    *volume = 0.0;
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double V = pyramid(&f, *com);
        *volume += V;
        const vec3 a = v3_sub(f.a, *com);
        const vec3 b = v3_sub(f.b, *com);
        const vec3 c = v3_sub(f.c, *com);
        const vec3 sum = v3_add(a, v3_add(b, c));
        const mat3 products = m3_add(m3_add(m3_outer(sum, sum), m3_outer(a, a)),
                                     m3_add(m3_outer(b, b), m3_outer(c, c)));
        second = m3_add(second, m3_scale(V / 20.0, products));
    }
    const double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    *inertia = m3_sub(m3_diagonal(trace, trace, trace), second);
    return true;
}
