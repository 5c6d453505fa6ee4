// io/mesh_internal.h - what the readers of meshes share: growing lists, lines and numbers.
#ifndef TML_IO_MESH_INTERNAL_H
#define TML_IO_MESH_INTERNAL_H

#include "io/mesh.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct mesh_builder {
    int vertex_count, vertex_capacity;
    tml_vec3* vertices;
    int triangle_count, triangle_capacity;
    int* triangles;
} mesh_builder;

// Room for one more item of a list from tml__allocate; TML_NO_MEMORY, or TML_BAD_FILE when it is far
// beyond MESH_MOST.
tml_status tml__mesh_grow(void** list, int count, int* capacity, size_t size);

// TML_NO_MEMORY, or TML_BAD_FILE beyond MESH_MOST.
tml_status tml__mesh_add_vertex(mesh_builder* b, tml_vec3 x);
tml_status tml__mesh_add_triangle(mesh_builder* b, int i, int j, int k);

// A text, word by word.
typedef struct mesh_text {
    const char* name;
    const char* at;
    const char* end;
    int line;
    message* why;
} mesh_text;

enum {
    WORD_CHARS = 64
};

// "NAME:LINE: ..."
__attribute__((format(printf, 2, 3))) tml_status tml__mesh_fail(const mesh_text* t,
                                                                const char* format, ...);

// The next word of the line; false at its end. Longer words are cut, and are no number then.
bool tml__mesh_word(mesh_text* t, char out[WORD_CHARS]);
bool tml__mesh_next_line(mesh_text* t);  // false at the end of the text

// A finite number in any of the usual forms (+1, .5, 5., 1e+3).
tml_status tml__mesh_number(mesh_text* t, const char* word, const char* what, double* out);
tml_status tml__mesh_vector(mesh_text* t, const char* what, tml_vec3* out);  // the next three words

// Binary files by their head, whose room is STL_HEAD_BYTES: whether `size` bytes is what it asks for, the
// sentence when that is not so, and the triangles of a stream that stands behind the head.
enum {
    STL_HEAD_BYTES = 84
};
bool tml__mesh_is_binary_stl(const char* head, size_t length, size_t size);
tml_status tml__mesh_refuse_stl(const char* head, size_t length, size_t size, const char* name,
                                message* why);
tml_status tml__mesh_read_stl_file(FILE* stream, const char* head, const char* name,
                                   mesh_builder* b, message* why);

tml_status tml__mesh_read_stl(const char* bytes, size_t length, const char* name, mesh_builder* b,
                              message* why);
tml_status tml__mesh_read_obj(const char* bytes, size_t length, const char* name, mesh_builder* b,
                              message* why);

#endif
