// sweep/layout.h - the file of a sweep: an NPZ archive whose every byte has its place before the first run.
//
// Arrays are stored as they are, one entry a row, so that a row is written where it belongs by whoever
// made it, and the file needs no memory and no order. Only checksums are missing until all rows are there.
#ifndef TML_SWEEP_LAYOUT_H
#define TML_SWEEP_LAYOUT_H

#include "sweep/sweep.h"

#include <stdint.h>

enum {
    MEMBER_HEAD = 256  // bytes before the numbers of an array at most
};

typedef struct layout_member {
    const char* name;
    size_t name_length;
    unsigned char head[MEMBER_HEAD];  // of the array; texts have none
    size_t head_length;
    const void* data;  // of what is the same in every row; NULL: rows
    size_t row_bytes;  // of rows
    uint64_t size;     // head and data
    uint64_t header;   // where its header begins in the file
    uint64_t start;    // where its data begin
    uint32_t crc;      // of head and data; 0: not known yet
} layout_member;

// The first members of every file, in this order.
typedef enum layout_place {
    MEMBER_STATUS,
    MEMBER_HALVINGS,
    MEMBER_END,
    MEMBER_REASON,
    MEMBER_PARAMETERS,  // from here on, then results
} layout_place;

typedef struct layout {
    pool memory;
    layout_member* members;
    int count;
    int results;  // the first member of results
    bool is_large;
    uint64_t directory;  // where it begins
    uint64_t total;      // bytes of the file
} layout;

tml_status tml__layout_create(const tml_sweep* s, const char* scene, const char* sweep,
                              message* why, layout* out);
void tml__layout_destroy(layout* l);

// The header of a member, and the directory at the end. Answers the bytes there are, written where `out` is not NULL.
size_t tml__layout_header(const layout* l, int index, unsigned char* out);
size_t tml__layout_directory(const layout* l, unsigned char* out);

// Where the checksum of a member stands in its header.
enum {
    HEADER_CRC = 14
};

#endif
