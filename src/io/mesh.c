// io/mesh.c - meshes from files: by their ending, then welded and cleaned.
#include "io/mesh.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/mesh_internal.h"
#include "io/number.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// ---- growing lists

tml_status tml__mesh_grow(void** list, int count, int* capacity, size_t size)
{
    if (count < *capacity) return TML_OK;
    if (count >= MESH_MOST * 3) return TML_BAD_FILE;
    const int wide = *capacity == 0 ? 256 : 2 * *capacity;
    void* memory = tml__allocate(NULL, (size_t)wide, size);
    if (memory == NULL) return TML_NO_MEMORY;
    if (count > 0) memcpy(memory, *list, (size_t)count * size);
    tml__release(NULL, *list);
    *list = memory;
    *capacity = wide;
    return TML_OK;
}

tml_status tml__mesh_add_vertex(mesh_builder* b, tml_vec3 x)
{
    void* list = b->vertices;
    const tml_status status = tml__mesh_grow(&list, b->vertex_count, &b->vertex_capacity, sizeof x);
    b->vertices = list;
    if (status == TML_OK) b->vertices[b->vertex_count++] = x;
    return status;
}

tml_status tml__mesh_add_triangle(mesh_builder* b, int i, int j, int k)
{
    if (b->triangle_count >= MESH_MOST) return TML_BAD_FILE;
    void* list = b->triangles;
    const tml_status status =
        tml__mesh_grow(&list, b->triangle_count, &b->triangle_capacity, 3 * sizeof(int));
    b->triangles = list;
    if (status != TML_OK) return status;
    const int corners[3] = {i, j, k};
    memcpy(&b->triangles[3 * b->triangle_count++], corners, sizeof corners);
    return TML_OK;
}

// ---- words and numbers

tml_status tml__mesh_fail(const mesh_text* t, const char* format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tml__fail(t->why, TML_BAD_FILE, "%.200s:%d: %s", t->name, t->line, text);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool tml__mesh_word(mesh_text* t, char out[WORD_CHARS])
{
    while (t->at < t->end && is_space(*t->at)) t->at++;
    int length = 0;
    for (; t->at < t->end && !is_space(*t->at) && *t->at != '\n'; t->at++) {
        // bytes that are no text must not reach a message
        const char c = *t->at >= 32 && *t->at < 127 ? *t->at : '?';
        if (length < WORD_CHARS - 1) out[length++] = c;
    }
    out[length] = '\0';
    return length > 0;
}

bool tml__mesh_next_line(mesh_text* t)
{
    while (t->at < t->end && *t->at != '\n') t->at++;
    if (t->at >= t->end) return false;
    t->at++;
    t->line++;
    return t->at < t->end;
}

// Write a number as JSON does: no plus, a digit on both sides of the point.
static bool to_json(const char* word, char out[WORD_CHARS + 4])
{
    int n = 0;
    const char* p = word;
    if (*p == '-') out[n++] = *p;
    if (*p == '-' || *p == '+') p++;
    while (p[0] == '0' && p[1] >= '0' && p[1] <= '9') p++;  // 007
    if (*p == '.') out[n++] = '0';
    for (; *p != '\0'; p++) {
        const bool is_bare = *p == '.' && (p[1] < '0' || p[1] > '9');
        if (is_bare && p == word) return false;
        if (!is_bare) out[n++] = *p;
        if (n >= WORD_CHARS + 2) return false;
    }
    out[n] = '\0';
    return n > 0;
}

tml_status tml__mesh_number(mesh_text* t, const char* word, const char* what, double* out)
{
    char text[WORD_CHARS + 4];
    const char* stop = NULL;
    const bool is_whole = strlen(word) < WORD_CHARS - 1 && to_json(word, text);
    const number_result result = is_whole ? tml__number_read(text, out, &stop) : NUMBER_MALFORMED;
    if (result == NUMBER_OK && *stop == '\0' && fabs(*out) <= 1e30) return TML_OK;
    return tml__mesh_fail(t, "%s: '%.40s' is no number between -1e30 and 1e30", what, word);
}

tml_status tml__mesh_vector(mesh_text* t, const char* what, tml_vec3* out)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char word[WORD_CHARS];
        if (!tml__mesh_word(t, word)) return tml__mesh_fail(t, "%s needs three numbers", what);
        const tml_status status = tml__mesh_number(t, word, what, &x[k]);
        if (status != TML_OK) return status;
    }
    *out = v3_load(x);
    return TML_OK;
}

// ---- welding

static uint64_t hash_of(vec3 x)
{
    uint64_t bits[3];
    memcpy(bits, &x, sizeof bits);
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 3; k++) {
        h ^= bits[k];
        h *= 0xbf58476d1ce4e5b9u;
        h ^= h >> 29;
    }
    return h;
}

// Give equal vertices the number of the first of them; place[i] is the new number of vertex i.
static tml_status weld(mesh_builder* b, int* place, int* used)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)b->vertex_count) slots *= 2;
    int* table = tml__allocate(NULL, slots, sizeof *table);
    if (table == NULL) return TML_NO_MEMORY;
    *used = 0;
    for (int i = 0; i < b->vertex_count; i++) {
        // -0 is 0
        const vec3 x = v3_add(b->vertices[i], v3_zero());
        size_t slot = (size_t)hash_of(x) & (slots - 1);
        while (table[slot] != 0 && memcmp(&b->vertices[table[slot] - 1], &x, sizeof x) != 0) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == 0) {
            b->vertices[*used] = x;  // never behind i
            table[slot] = ++*used;
        }
        place[i] = table[slot] - 1;
    }
    tml__release(NULL, table);
    return TML_OK;
}

static bool has_area(const mesh_builder* b, const int* t)
{
    const vec3 u = v3_sub(b->vertices[t[1]], b->vertices[t[0]]);
    const vec3 v = v3_sub(b->vertices[t[2]], b->vertices[t[0]]);
    const vec3 n = v3_cross(u, v);
    return v3_dot(n, n) > 0.0;
}

static tml_status finish(mesh_builder* b, const char* name, pool* memory, mesh_data* out,
                         message* why)
{
    int* place = tml__allocate(NULL, (size_t)b->vertex_count, sizeof *place);
    int used = 0;
    tml_status status = place == NULL ? TML_NO_MEMORY : weld(b, place, &used);
    int kept = 0;
    for (int t = 0; t < b->triangle_count && status == TML_OK; t++) {
        const int corners[3] = {place[b->triangles[3 * t]], place[b->triangles[3 * t + 1]],
                                place[b->triangles[3 * t + 2]]};
        if (has_area(b, corners)) memcpy(&b->triangles[3 * kept++], corners, sizeof corners);
    }
    tml__release(NULL, place);
    if (status != TML_OK) return tml__fail(why, status, "%.200s: out of memory", name);
    if (kept == 0) {
        return tml__fail(why, TML_BAD_FILE, "%.200s: no triangle in it has an area", name);
    }
    *out = (mesh_data){.vertex_count = used, .triangle_count = kept};
    out->vertices = tml__pool_copy(memory, b->vertices, (size_t)used, sizeof *b->vertices);
    out->triangles = tml__pool_copy(memory, b->triangles, 3 * (size_t)kept, sizeof *b->triangles);
    if (out->vertices != NULL && out->triangles != NULL) return TML_OK;
    return tml__fail(why, TML_NO_MEMORY, "%.200s: out of memory", name);
}

// ---- files

static bool ends_with(const char* name, const char* ending)
{
    const size_t n = strlen(name);
    const size_t m = strlen(ending);
    if (n < m) return false;
    for (size_t i = 0; i < m; i++) {
        const char c = name[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) return false;
    }
    return true;
}

// An STL file is looked at first: a binary one whose size is not what its head asks for is refused before it
// is read, and is read piece by piece. False: it is a text.
static bool read_as_binary(const char* path, mesh_builder* b, tml_status* status, message* why)
{
    char head[STL_HEAD_BYTES];
    size_t size = 0;
    if (!ends_with(path, ".stl")) return false;
    FILE* stream = tml__file_open(path, MESH_MAX_BYTES, &size, status, why);
    if (stream == NULL) return true;
    const size_t length = fread(head, 1, sizeof head, stream);
    const bool is_binary = tml__mesh_is_binary_stl(head, length, size);
    const bool is_text = !is_binary && length >= 5 && memcmp(head, "solid", 5) == 0;
    if (is_binary) {
        *status = tml__mesh_read_stl_file(stream, head, path, b, why);
    } else if (!is_text) {
        *status = tml__mesh_refuse_stl(head, length, size, path, why);
    }
    fclose(stream);
    return !is_text;
}

static tml_status close_mesh(mesh_builder* b, tml_status status, const char* name, pool* memory,
                             mesh_data* out, message* why)
{
    if (status == TML_NO_MEMORY) tml__fail(why, status, "%.200s: out of memory", name);
    if (status == TML_OK) status = finish(b, name, memory, out, why);
    tml__release(NULL, b->vertices);
    tml__release(NULL, b->triangles);
    return status;
}

tml_status tml__mesh_read(const char* bytes, size_t length, const char* name, pool* memory,
                          mesh_data* out, message* why)
{
    mesh_builder b = {0};
    tml_status status = TML_BAD_FILE;
    tml__fail(why, status, "%.200s: more than %d vertices or triangles", name, MESH_MOST);
    *out = (mesh_data){0};
    if (ends_with(name, ".stl")) {
        status = tml__mesh_read_stl(bytes, length, name, &b, why);
    } else if (ends_with(name, ".obj")) {
        status = tml__mesh_read_obj(bytes, length, name, &b, why);
    } else {
        tml__fail(why, status, "%.200s: a mesh is a file that ends in .stl or .obj", name);
    }
    return close_mesh(&b, status, name, memory, out, why);
}

tml_status tml__mesh_read_file(const char* path, pool* memory, mesh_data* out, message* why)
{
    char* bytes = NULL;
    size_t length = 0;
    mesh_builder b = {0};
    tml_status status = TML_BAD_FILE;
    *out = (mesh_data){0};
    tml__fail(why, status, "%.200s: more than %d vertices or triangles", path, MESH_MOST);
    if (read_as_binary(path, &b, &status, why)) {
        return close_mesh(&b, status, path, memory, out, why);
    }
    status = tml__file_read(path, MESH_MAX_BYTES, &bytes, &length, why);
    if (status != TML_OK) return status;
    status = tml__mesh_read(bytes, length, path, memory, out, why);
    tml__release(NULL, bytes);
    return status;
}
