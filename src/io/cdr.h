// io/cdr.h - messages as ROS 2 sends them: CDR, little-endian, every number at a multiple of its size.
#ifndef TML_IO_CDR_H
#define TML_IO_CDR_H

#include "io/mcap.h"

#include <trammel/base.h>

#include <string.h>

enum {
    CDR_HEADER = 4  // places are counted from behind it
};

static inline void cdr_begin(byte_list* b)
{
    static const unsigned char little_endian[CDR_HEADER] = {0, 1, 0, 0};
    b->count = 0;
    tml__bytes_put(b, little_endian, sizeof little_endian);
}

static inline void cdr_put(byte_list* b, const void* from, size_t size)
{
    static const unsigned char zeros[8] = {0};
    tml__bytes_put(b, zeros, (size - (b->count - CDR_HEADER) % size) % size);
    tml__bytes_put(b, from, size);
}

static inline void cdr_u8(byte_list* b, unsigned x)
{
    const unsigned char value = (unsigned char)x;
    cdr_put(b, &value, 1);
}

static inline void cdr_u32(byte_list* b, uint32_t x) { cdr_put(b, &x, sizeof x); }
static inline void cdr_i32(byte_list* b, int32_t x) { cdr_put(b, &x, sizeof x); }
static inline void cdr_f32(byte_list* b, float x) { cdr_put(b, &x, sizeof x); }
static inline void cdr_f64(byte_list* b, double x) { cdr_put(b, &x, sizeof x); }

static inline void cdr_text(byte_list* b, const char* text)
{
    cdr_u32(b, (uint32_t)strlen(text) + 1);
    tml__bytes_put(b, text, strlen(text) + 1);
}

static inline void cdr_vector(byte_list* b, tml_vec3 a)
{
    cdr_f64(b, a.x);
    cdr_f64(b, a.y);
    cdr_f64(b, a.z);
}

static inline void cdr_rotation(byte_list* b, tml_quat q)  // the scalar last
{
    cdr_f64(b, q.x);
    cdr_f64(b, q.y);
    cdr_f64(b, q.z);
    cdr_f64(b, q.w);
}

#endif
