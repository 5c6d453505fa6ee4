// io/mesh_obj.c - OBJ: vertices and polygons, one a line.
#include "io/mesh_internal.h"

#include <string.h>

// Lines about looks, groups and curves: none of them is a surface to touch.
static bool is_skipped(const char* word)
{
    static const char* const skipped[] = {"vt",       "vn",       "vp",         "g",        "o",
                                          "s",        "usemtl",   "mtllib",     "l",        "p",
                                          "mg",       "usemap",   "maplib",     "lod",      "bevel",
                                          "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) {
        if (strcmp(word, skipped[i]) == 0) return true;
    }
    return word[0] == '#';
}

// "7", "7/1", "7/1/3" or "7//3": the vertex is the first number; negative ones count from the last.
static tml_status read_corner(mesh_text* t, const char* word, int vertex_count, int* out)
{
    const char* p = word;
    const bool is_negative = *p == '-';
    long long value = 0;
    if (is_negative) p++;
    if (*p < '0' || *p > '9') return tml__mesh_fail(t, "'%.40s' is no corner of a face", word);
    for (; *p >= '0' && *p <= '9'; p++) {
        value = 10 * value + (*p - '0');
        if (value > MESH_MOST) break;
    }
    if (value <= MESH_MOST && *p != '\0' && *p != '/') {
        return tml__mesh_fail(t, "'%.40s' is no corner of a face", word);
    }
    const long long index = is_negative ? vertex_count - value : value - 1;
    if (value == 0 || index < 0 || index >= vertex_count) {
        return tml__mesh_fail(t, "corner '%.40s', but there are %d vertices so far", word,
                              vertex_count);
    }
    *out = (int)index;
    return TML_OK;
}

static tml_status read_face(mesh_text* t, mesh_builder* b)
{
    char word[WORD_CHARS];
    int first = 0;
    int last = 0;
    int count = 0;
    while (tml__mesh_word(t, word)) {
        int corner = 0;
        tml_status status = read_corner(t, word, b->vertex_count, &corner);
        if (status == TML_OK && count >= 2) {
            status = tml__mesh_add_triangle(b, first, last, corner);
        }
        if (status != TML_OK) return status;
        if (count == 0) first = corner;
        last = corner;
        count++;
    }
    return count < 3 ? tml__mesh_fail(t, "a face of %d corners", count) : TML_OK;
}

tml_status tml__mesh_read_obj(const char* bytes, size_t length, const char* name, mesh_builder* b,
                              message* why)
{
    mesh_text t = {.name = name, .at = bytes, .end = bytes + length, .line = 1, .why = why};
    do {
        char word[WORD_CHARS];
        tml_status status = TML_OK;
        if (!tml__mesh_word(&t, word) || is_skipped(word)) continue;
        if (strcmp(word, "v") == 0) {
            tml_vec3 x = {0.0, 0.0, 0.0};
            status = tml__mesh_vector(&t, "v", &x);
            if (status == TML_OK) status = tml__mesh_add_vertex(b, x);
        } else if (strcmp(word, "f") == 0) {
            status = read_face(&t, b);
        } else {
            status = tml__mesh_fail(&t, "'%.40s' is nothing that this reader knows", word);
        }
        if (status != TML_OK) return status;
    } while (tml__mesh_next_line(&t));
    return TML_OK;
}
