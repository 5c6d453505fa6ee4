// io/tetrahedra.c - meshes of tetrahedra from Gmsh and TetGen files.
#include "io/tetrahedra.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/mesh_internal.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// ---- what is being read

// Vertices go by tags in both formats; they may come in any order and with holes.
typedef struct vertex_tag {
    long long tag;
    int vertex;
} vertex_tag;

typedef struct builder {
    mesh_builder mesh;  // its vertices
    vertex_tag* tags;
    int tag_count, tag_capacity;
    long long* corners;  // tags, 4 per tetrahedron
    int corner_count, corner_capacity;
} builder;

static void release(builder* b)
{
    tml__release(NULL, b->mesh.vertices);
    tml__release(NULL, b->tags);
    tml__release(NULL, b->corners);
}

// The status of a list that grew, as a sentence.
static tml_status said(const mesh_text* t, tml_status status)
{
    if (status == TML_BAD_FILE) return tml__mesh_fail(t, "the mesh is too large");
    return status == TML_NO_MEMORY ? tml__fail(t->why, status, "out of memory") : status;
}

static tml_status add_vertex(mesh_text* t, builder* b, long long tag, vec3 x)
{
    void* list = b->tags;
    tml_status status = tml__mesh_grow(&list, b->tag_count, &b->tag_capacity, sizeof *b->tags);
    b->tags = list;
    if (status == TML_OK) {
        b->tags[b->tag_count++] = (vertex_tag){tag, b->mesh.vertex_count};
        status = tml__mesh_add_vertex(&b->mesh, x);
    }
    return said(t, status);
}

static tml_status add_corner(mesh_text* t, builder* b, long long tag)
{
    void* list = b->corners;
    const tml_status status =
        tml__mesh_grow(&list, b->corner_count, &b->corner_capacity, sizeof *b->corners);
    b->corners = list;
    if (status == TML_OK) b->corners[b->corner_count++] = tag;
    return said(t, status);
}

// ---- words

// The next word, on this line or one after it; '#' starts a comment.
static bool next_word(mesh_text* t, char word[WORD_CHARS])
{
    for (;;) {
        if (tml__mesh_word(t, word) && word[0] != '#') return true;
        if (!tml__mesh_next_line(t)) return false;
    }
}

static tml_status next_integer(mesh_text* t, const char* what, long long* out)
{
    char word[WORD_CHARS];
    if (!next_word(t, word)) return tml__mesh_fail(t, "the file ends where %s should be", what);
    const char* p = word;
    const bool is_negative = *p == '-';
    long long value = 0;
    if (is_negative) p++;
    bool is_number = *p != '\0';
    for (; *p != '\0' && is_number; p++) {
        is_number = *p >= '0' && *p <= '9' && value < 100000000000000000LL;
        if (is_number) value = 10 * value + (*p - '0');
    }
    if (!is_number) return tml__mesh_fail(t, "%s: '%.40s' is no whole number", what, word);
    *out = is_negative ? -value : value;
    return TML_OK;
}

// A number of things that follow: between 0 and what a mesh may have.
static tml_status next_count(mesh_text* t, const char* what, long long* out)
{
    const tml_status status = next_integer(t, what, out);
    if (status != TML_OK) return status;
    if (*out < 0 || *out > MESH_MOST) {
        return tml__mesh_fail(t, "%s is %lld: it must be from 0 to %d", what, *out, MESH_MOST);
    }
    return TML_OK;
}

static tml_status next_point(mesh_text* t, vec3* out)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char word[WORD_CHARS];
        if (!next_word(t, word)) return tml__mesh_fail(t, "the file ends within a vertex");
        const tml_status status = tml__mesh_number(t, word, "a coordinate", &x[k]);
        if (status != TML_OK) return status;
    }
    *out = v3_load(x);
    return TML_OK;
}

static tml_status skip_integers(mesh_text* t, long long count)
{
    tml_status status = TML_OK;
    long long ignored = 0;
    for (long long i = 0; i < count && status == TML_OK; i++) {
        status = next_integer(t, "an element's number", &ignored);
    }
    return status;
}

// ---- finishing

static int compare_tags(const void* a, const void* b)
{
    const vertex_tag* s = a;
    const vertex_tag* u = b;
    if (s->tag != u->tag) return s->tag < u->tag ? -1 : 1;
    return s->vertex < u->vertex ? -1 : s->vertex > u->vertex;
}

static int find_tag(const builder* b, long long tag)
{
    int low = 0;
    int high = b->tag_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (b->tags[middle].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < b->tag_count && b->tags[low].tag == tag ? b->tags[low].vertex : -1;
}

// Tags become indices, and vertices without a tetrahedron go.
static tml_status finish(const mesh_text* t, builder* b, pool* memory, tetrahedra_data* out)
{
    if (b->corner_count == 0) return tml__mesh_fail(t, "there are no tetrahedra in this file");
    if (b->tag_count > 0) qsort(b->tags, (size_t)b->tag_count, sizeof *b->tags, compare_tags);
    for (int i = 1; i < b->tag_count; i++) {
        if (b->tags[i].tag != b->tags[i - 1].tag) continue;
        return tml__mesh_fail(t, "vertex %lld is there twice", b->tags[i].tag);
    }
    const size_t count = (size_t)b->mesh.vertex_count;
    out->tetrahedra = tml__pool_take(memory, (size_t)b->corner_count, sizeof *out->tetrahedra);
    out->vertices = tml__pool_take(memory, count, sizeof *out->vertices);
    int* index = tml__pool_take(memory, count, sizeof *index);
    if (out->tetrahedra == NULL || out->vertices == NULL || index == NULL) {
        return said(t, TML_NO_MEMORY);
    }
    for (int i = 0; i < b->corner_count; i++) {
        const int vertex = find_tag(b, b->corners[i]);
        if (vertex < 0) {
            return tml__mesh_fail(t, "tetrahedron %d names vertex %lld, which is not there", i / 4,
                                  b->corners[i]);
        }
        out->tetrahedra[i] = vertex;
        index[vertex] = 1;
    }
    out->vertex_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (index[i] == 0) continue;
        index[i] = out->vertex_count;
        out->vertices[out->vertex_count++] = b->mesh.vertices[i];
    }
    for (int i = 0; i < b->corner_count; i++) out->tetrahedra[i] = index[out->tetrahedra[i]];
    out->tetrahedron_count = b->corner_count / 4;
    return TML_OK;
}

// ---- Gmsh

// How many nodes an element of a Gmsh type has; 0: a type that this reader does not know.
static int gmsh_nodes(long long type)
{
    static const int nodes[] = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
    return type >= 1 && type < (long long)(sizeof nodes / sizeof *nodes) ? nodes[type] : 0;
}

enum {
    GMSH_TETRAHEDRON = 4,
    GMSH_TETRAHEDRON_10 = 11
};

static tml_status check_type(const mesh_text* t, long long type)
{
    if (type == GMSH_TETRAHEDRON_10) {
        return tml__mesh_fail(t, "tetrahedra of 10 nodes: only those of 4 are read");
    }
    return gmsh_nodes(type) > 0
               ? TML_OK
               : tml__mesh_fail(t, "element type %lld is none that this reader knows", type);
}

static tml_status read_nodes_2(mesh_text* t, builder* b)
{
    long long count = 0;
    tml_status status = next_count(t, "the number of nodes", &count);
    for (long long i = 0; i < count && status == TML_OK; i++) {
        long long tag = 0;
        vec3 x = v3_zero();
        status = next_integer(t, "a node's number", &tag);
        if (status == TML_OK) status = next_point(t, &x);
        if (status == TML_OK) status = add_vertex(t, b, tag, x);
    }
    return status;
}

static tml_status read_corners(mesh_text* t, builder* b, long long type)
{
    const int nodes = gmsh_nodes(type);
    if (type != GMSH_TETRAHEDRON) return skip_integers(t, nodes);
    tml_status status = TML_OK;
    for (int k = 0; k < nodes && status == TML_OK; k++) {
        long long tag = 0;
        status = next_integer(t, "a corner", &tag);
        if (status == TML_OK) status = add_corner(t, b, tag);
    }
    return status;
}

static tml_status read_elements_2(mesh_text* t, builder* b)
{
    long long count = 0;
    tml_status status = next_count(t, "the number of elements", &count);
    for (long long i = 0; i < count && status == TML_OK; i++) {
        long long head[3] = {0, 0, 0};  // number, type, how many tags
        for (int k = 0; k < 3 && status == TML_OK; k++) {
            status = next_integer(t, "an element's number, type and tags", &head[k]);
        }
        if (status == TML_OK) status = check_type(t, head[1]);
        if (status == TML_OK && (head[2] < 0 || head[2] > 64)) {
            status = tml__mesh_fail(t, "an element with %lld tags", head[2]);
        }
        if (status == TML_OK) status = skip_integers(t, head[2]);
        if (status == TML_OK) status = read_corners(t, b, head[1]);
    }
    return status;
}

// The nodes of one entity: their tags, then their places. `first` is the tag list in b->corners' room.
static tml_status read_block_4(mesh_text* t, builder* b)
{
    long long head[4] = {0, 0, 0, 0};  // dimension, entity, has parameters, count
    tml_status status = TML_OK;
    for (int k = 0; k < 3 && status == TML_OK; k++) {
        status = next_integer(t, "a block of nodes", &head[k]);
    }
    if (status == TML_OK) status = next_count(t, "the number of nodes in a block", &head[3]);
    if (status == TML_OK && head[2] != 0) {
        status = tml__mesh_fail(t, "nodes with parameters: save the mesh without them");
    }
    const int first = b->tag_count;
    for (long long i = 0; i < head[3] && status == TML_OK; i++) {
        long long tag = 0;
        status = next_integer(t, "a node's number", &tag);
        if (status == TML_OK) status = add_vertex(t, b, tag, v3_zero());
    }
    for (long long i = 0; i < head[3] && status == TML_OK; i++) {
        status = next_point(t, &b->mesh.vertices[b->tags[first + i].vertex]);
    }
    return status;
}

static tml_status read_nodes_4(mesh_text* t, builder* b)
{
    long long blocks = 0;
    tml_status status = next_count(t, "the number of blocks of nodes", &blocks);
    if (status == TML_OK) status = skip_integers(t, 3);
    for (long long i = 0; i < blocks && status == TML_OK; i++) status = read_block_4(t, b);
    return status;
}

static tml_status read_elements_4(mesh_text* t, builder* b)
{
    long long blocks = 0;
    tml_status status = next_count(t, "the number of blocks of elements", &blocks);
    if (status == TML_OK) status = skip_integers(t, 3);
    for (long long i = 0; i < blocks && status == TML_OK; i++) {
        long long type = 0;
        long long count = 0;
        status = skip_integers(t, 2);
        if (status == TML_OK) status = next_integer(t, "an element type", &type);
        if (status == TML_OK) status = next_count(t, "the number of elements in a block", &count);
        if (status == TML_OK) status = check_type(t, type);
        for (long long k = 0; k < count && status == TML_OK; k++) {
            status = skip_integers(t, 1);
            if (status == TML_OK) status = read_corners(t, b, type);
        }
    }
    return status;
}

// Version 2 or 4 into *version.
static tml_status read_format(mesh_text* t, int* version)
{
    char word[WORD_CHARS];
    long long is_binary = 0;
    if (!next_word(t, word)) return tml__mesh_fail(t, "the file ends where its version should be");
    if (strcmp(word, "2.2") == 0 || strcmp(word, "2.1") == 0 || strcmp(word, "2") == 0) {
        *version = 2;
    } else if (strcmp(word, "4.1") == 0) {
        *version = 4;
    } else {
        return tml__mesh_fail(t, "version '%.20s' of the format: 2.2 and 4.1 are read", word);
    }
    const tml_status status = next_integer(t, "the file type", &is_binary);
    if (status != TML_OK) return status;
    if (is_binary != 0) return tml__mesh_fail(t, "the file is binary: save it as ASCII");
    return skip_integers(t, 1);
}

static bool skip_section(mesh_text* t, const char* name)
{
    char word[WORD_CHARS];
    while (tml__mesh_next_line(t)) {
        const bool is_end = tml__mesh_word(t, word) && strncmp(word, "$End", 4) == 0 &&
                            strcmp(word + 4, name + 1) == 0;
        if (is_end) return true;
    }
    return false;
}

static tml_status end_section(mesh_text* t, const char* name)
{
    char word[WORD_CHARS];
    const bool is_end =
        next_word(t, word) && strncmp(word, "$End", 4) == 0 && strcmp(word + 4, name + 1) == 0;
    return is_end ? TML_OK : tml__mesh_fail(t, "$End%s should stand here", name + 1);
}

static tml_status read_sections(mesh_text* t, builder* b)
{
    int version = 0;
    char name[WORD_CHARS];
    while (next_word(t, name)) {
        tml_status status = TML_OK;
        if (name[0] != '$') return tml__mesh_fail(t, "a section should begin, not '%.40s'", name);
        if (strcmp(name, "$MeshFormat") == 0) {
            status = read_format(t, &version);
        } else if (version == 0) {
            return tml__mesh_fail(t, "$MeshFormat must come first");
        } else if (strcmp(name, "$Nodes") == 0) {
            status = version == 2 ? read_nodes_2(t, b) : read_nodes_4(t, b);
        } else if (strcmp(name, "$Elements") == 0) {
            status = version == 2 ? read_elements_2(t, b) : read_elements_4(t, b);
        } else {
            if (!skip_section(t, name)) return tml__mesh_fail(t, "%.40s does not end", name);
            continue;
        }
        if (status == TML_OK) status = end_section(t, name);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

static mesh_text text_of(named_text file, message* why)
{
    return (mesh_text){.name = file.name,
                       .at = file.bytes,
                       .end = file.bytes + file.length,
                       .line = 1,
                       .why = why};
}

tml_status tml__tetrahedra_read_msh(named_text file, pool* memory, tetrahedra_data* out,
                                    message* why)
{
    builder b = {.tag_count = 0};
    mesh_text t = text_of(file, why);
    *out = (tetrahedra_data){0};
    tml_status status = read_sections(&t, &b);
    if (status == TML_OK) status = finish(&t, &b, memory, out);
    release(&b);
    return status;
}

// ---- TetGen

static tml_status read_node(mesh_text* t, builder* b)
{
    long long head[4] = {0, 0, 0, 0};  // vertices, dimension, attributes, has markers
    tml_status status = next_count(t, "the number of vertices", &head[0]);
    for (int k = 1; k < 4 && status == TML_OK; k++) {
        status = next_integer(t, "the first line's numbers", &head[k]);
    }
    if (status == TML_OK && head[1] != 3) {
        status = tml__mesh_fail(t, "vertices of %lld dimensions, not 3", head[1]);
    }
    for (long long i = 0; i < head[0] && status == TML_OK; i++) {
        long long tag = 0;
        vec3 x = v3_zero();
        status = next_integer(t, "a vertex' number", &tag);
        if (status == TML_OK) status = next_point(t, &x);
        if (status == TML_OK) status = add_vertex(t, b, tag, x);
        // attributes and markers stand on the rest of the line
        if (status == TML_OK && !tml__mesh_next_line(t) && i + 1 < head[0]) {
            status = tml__mesh_fail(t, "the file ends after %lld of %lld vertices", i + 1, head[0]);
        }
    }
    return status;
}

static tml_status read_ele(mesh_text* t, builder* b)
{
    long long head[3] = {0, 0, 0};  // tetrahedra, corners, has attributes
    tml_status status = next_count(t, "the number of tetrahedra", &head[0]);
    for (int k = 1; k < 3 && status == TML_OK; k++) {
        status = next_integer(t, "the first line's numbers", &head[k]);
    }
    if (status == TML_OK && head[1] != 4) {
        status = tml__mesh_fail(t, "tetrahedra of %lld nodes: only those of 4 are read", head[1]);
    }
    for (long long i = 0; i < head[0] && status == TML_OK; i++) {
        status = skip_integers(t, 1);
        if (status == TML_OK) status = read_corners(t, b, GMSH_TETRAHEDRON);
        if (status == TML_OK && !tml__mesh_next_line(t) && i + 1 < head[0]) {
            status =
                tml__mesh_fail(t, "the file ends after %lld of %lld tetrahedra", i + 1, head[0]);
        }
    }
    return status;
}

tml_status tml__tetrahedra_read_tetgen(named_text node, named_text ele, pool* memory,
                                       tetrahedra_data* out, message* why)
{
    builder b = {.tag_count = 0};
    mesh_text t = text_of(node, why);
    *out = (tetrahedra_data){0};
    tml_status status = read_node(&t, &b);
    t = text_of(ele, why);
    if (status == TML_OK) status = read_ele(&t, &b);
    if (status == TML_OK) status = finish(&t, &b, memory, out);
    release(&b);
    return status;
}

// ---- files

static bool ends_with(const char* path, const char* ending)
{
    const size_t length = strlen(path);
    const size_t tail = strlen(ending);
    for (size_t i = 0; length > tail && i < tail; i++) {
        const char c = path[length - tail + i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != ending[i]) return false;
    }
    return length > tail;
}

enum {
    FILE_MOST = 1 << 30
};

static tml_status read_pair(const char* path, size_t stem, pool* memory, tetrahedra_data* out,
                            message* why)
{
    static const char* const endings[2] = {".node", ".ele"};
    named_text files[2] = {{0}};
    char* bytes[2] = {NULL, NULL};
    tml_status status = TML_OK;
    for (int k = 0; k < 2 && status == TML_OK; k++) {
        char* name = tml__pool_take(memory, stem + 8, 1);
        if (name == NULL) {
            status = tml__fail(why, TML_NO_MEMORY, "out of memory");
            break;
        }
        memcpy(name, path, stem);
        memcpy(name + stem, endings[k], strlen(endings[k]) + 1);
        files[k].name = name;
        status = tml__file_read(name, FILE_MOST, &bytes[k], &files[k].length, why);
        files[k].bytes = bytes[k];
    }
    if (status == TML_OK) {
        status = tml__tetrahedra_read_tetgen(files[0], files[1], memory, out, why);
    }
    tml__release(NULL, bytes[0]);
    tml__release(NULL, bytes[1]);
    return status;
}

tml_status tml__tetrahedra_read_file(const char* path, pool* memory, tetrahedra_data* out,
                                     message* why)
{
    *out = (tetrahedra_data){0};
    if (ends_with(path, ".node")) return read_pair(path, strlen(path) - 5, memory, out, why);
    if (ends_with(path, ".ele")) return read_pair(path, strlen(path) - 4, memory, out, why);
    if (!ends_with(path, ".msh")) {
        return tml__fail(why, TML_BAD_FILE,
                         "%.300s: tetrahedra are read from .msh, .node and .ele files", path);
    }
    named_text file = {.name = path};
    char* bytes = NULL;
    tml_status status = tml__file_read(path, FILE_MOST, &bytes, &file.length, why);
    file.bytes = bytes;
    if (status == TML_OK) status = tml__tetrahedra_read_msh(file, memory, out, why);
    tml__release(NULL, bytes);
    return status;
}
