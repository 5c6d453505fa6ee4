// io/mesh_stl.c - STL: a list of triangles, as text or as 50 bytes each.
//
// A file is binary when its length is what the number of triangles behind the 80 bytes of its head
// asks for; many binary files begin with "solid" like a text. Normals are not read: the order of the
// corners says where the outside is.
#include "io/mesh_internal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    TRIANGLE_BYTES = 50
};

static uint32_t read_u32(const unsigned char* p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double read_float(const unsigned char* p)
{
    const uint32_t bits = read_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool has_finite(const unsigned char* p)
{
    return isfinite(read_float(p)) && isfinite(read_float(p + 4)) && isfinite(read_float(p + 8));
}

// `count` triangles, the first of them number `number` of the file.
static tml_status read_binary(const unsigned char* bytes, uint32_t count, uint32_t number,
                              const char* name, mesh_builder* b, message* why)
{
    for (uint32_t t = 0; t < count; t++) {
        const unsigned char* p = bytes + (size_t)t * TRIANGLE_BYTES + 12;
        const int first = b->vertex_count;
        for (int k = 0; k < 3; k++) {
            if (has_finite(p + 12 * (size_t)k)) continue;
            return tml__fail(why, TML_BAD_FILE, "%.200s: triangle %u: a coordinate is not finite",
                             name, number + t);
        }
        // without an area, as in the holes of a sparse file: no room is taken for it
        if (memcmp(p, p + 12, 12) == 0 && memcmp(p, p + 24, 12) == 0) continue;
        for (int k = 0; k < 3; k++, p += 12) {
            const tml_vec3 x = {read_float(p), read_float(p + 4), read_float(p + 8)};
            const tml_status status = tml__mesh_add_vertex(b, x);
            if (status != TML_OK) return status;
        }
        const tml_status status = tml__mesh_add_triangle(b, first, first + 1, first + 2);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

tml_status tml__mesh_read_stl_file(FILE* stream, const char* head, const char* name,
                                   mesh_builder* b, message* why)
{
    enum {
        TRIANGLES = 1024  // at once
    };
    unsigned char bytes[TRIANGLES * TRIANGLE_BYTES];
    const uint32_t count = read_u32((const unsigned char*)head + 80);
    tml_status status = TML_OK;
    for (uint32_t done = 0; done < count && status == TML_OK;) {
        const uint32_t part = count - done < TRIANGLES ? count - done : TRIANGLES;
        if (fread(bytes, TRIANGLE_BYTES, part, stream) != part) {
            return tml__fail(why, TML_BAD_FILE, "%.200s: it ends too early", name);
        }
        status = read_binary(bytes, part, done, name, b, why);
        done += part;
    }
    return status;
}

// ---- text

static tml_status expect(mesh_text* t, const char* word, const char* expected)
{
    if (strcmp(word, expected) == 0) return TML_OK;
    return tml__mesh_fail(t, "'%s' was expected, not '%.40s'", expected, word);
}

// The next word of the file, whatever line it is on.
static tml_status need_word(mesh_text* t, char word[WORD_CHARS])
{
    while (!tml__mesh_word(t, word)) {
        if (!tml__mesh_next_line(t)) return tml__mesh_fail(t, "the file ends inside a facet");
    }
    return TML_OK;
}

static tml_status need(mesh_text* t, const char* expected)
{
    char word[WORD_CHARS];
    const tml_status status = need_word(t, word);
    return status == TML_OK ? expect(t, word, expected) : status;
}

static tml_status read_facet(mesh_text* t, mesh_builder* b)
{
    char word[WORD_CHARS];
    tml_status status = need(t, "normal");
    for (int k = 0; k < 3 && status == TML_OK; k++) status = need_word(t, word);
    if (status == TML_OK) status = need(t, "outer");
    if (status == TML_OK) status = need(t, "loop");
    const int first = b->vertex_count;
    for (int k = 0; k < 3 && status == TML_OK; k++) {
        tml_vec3 x = {0.0, 0.0, 0.0};
        status = need(t, "vertex");
        if (status == TML_OK) status = tml__mesh_vector(t, "vertex", &x);
        if (status == TML_OK) status = tml__mesh_add_vertex(b, x);
    }
    if (status == TML_OK) status = need(t, "endloop");
    if (status == TML_OK) status = need(t, "endfacet");
    return status == TML_OK ? tml__mesh_add_triangle(b, first, first + 1, first + 2) : status;
}

static tml_status read_text(mesh_text* t, mesh_builder* b)
{
    char word[WORD_CHARS];
    tml_status status = need(t, "solid");
    tml__mesh_next_line(t);  // what follows on the line is a name
    while (status == TML_OK) {
        status = need_word(t, word);
        if (status != TML_OK || strcmp(word, "endsolid") == 0) break;
        status = expect(t, word, "facet");
        if (status == TML_OK) status = read_facet(t, b);
    }
    return status;
}

static uint64_t bytes_of(const char* head)
{
    return STL_HEAD_BYTES + (uint64_t)read_u32((const unsigned char*)head + 80) * TRIANGLE_BYTES;
}

bool tml__mesh_is_binary_stl(const char* head, size_t length, size_t size)
{
    return length >= STL_HEAD_BYTES && bytes_of(head) == size;
}

tml_status tml__mesh_refuse_stl(const char* head, size_t length, size_t size, const char* name,
                                message* why)
{
    if (length < STL_HEAD_BYTES) {
        return tml__fail(why, TML_BAD_FILE,
                         "%.200s: neither 'solid' at its start nor the 84 bytes of a binary head",
                         name);
    }
    return tml__fail(
        why, TML_BAD_FILE, "%.200s: %u triangles need %llu bytes, but the file has %zu", name,
        read_u32((const unsigned char*)head + 80), (unsigned long long)bytes_of(head), size);
}

tml_status tml__mesh_read_stl(const char* bytes, size_t length, const char* name, mesh_builder* b,
                              message* why)
{
    const unsigned char* raw = (const unsigned char*)bytes;
    if (tml__mesh_is_binary_stl(bytes, length, length)) {
        return read_binary(raw + STL_HEAD_BYTES, read_u32(raw + 80), 0, name, b, why);
    }
    mesh_text t = {.name = name, .at = bytes, .end = bytes + length, .line = 1, .why = why};
    const bool is_text = length >= 5 && memcmp(bytes, "solid", 5) == 0;
    return is_text ? read_text(&t, b) : tml__mesh_refuse_stl(bytes, length, length, name, why);
}
