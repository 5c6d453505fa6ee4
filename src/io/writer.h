// io/writer.h - JSON being written: a growing text and the pieces it is made of.
//
// Errors are sticky, as in the reader: after the first one nothing more is written.
#ifndef TML_IO_WRITER_H
#define TML_IO_WRITER_H

#include "base/message.h"
#include "model/spec.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct writer {
    const definitions* all;  // borrowed
    char* data;              // from malloc, zero behind the last byte
    size_t length;
    size_t capacity;
    bool is_first;  // no member of the innermost object or list has been written
    tml_status status;
    message why;
} writer;

void tml__put(writer* w, const char* text);
void tml__put_escaped(writer* w, const char* text);  // refuses invalid UTF-8
void tml__put_string(writer* w, const char* text);   // the same in quotation marks
void tml__put_number(writer* w, double value);       // refuses what is not finite
void tml__put_numbers(writer* w, const double* values, int count);
void tml__put_vector(writer* w, tml_vec3 a);
void tml__put_table(writer* w, const double* x, const double* y, int count);  // [[x, y], ...]
void tml__put_control(writer* w, const tml_control* c);

// Brackets, and what stands between the members: ", " or a new line with its indent.
void tml__put_open(writer* w, const char* bracket);
void tml__put_close(writer* w, const char* bracket);
void tml__put_comma(writer* w);
void tml__put_line(writer* w, const char* indent);

// A key, or a key and its value, as the next member of an object.
void tml__put_key(writer* w, const char* key);
void tml__write_text(writer* w, const char* key, const char* text);
void tml__write_number(writer* w, const char* key, double value);
void tml__write_vector(writer* w, const char* key, tml_vec3 a);
void tml__write_true(writer* w, const char* key);
void tml__write_unless(writer* w, const char* key, double value, double usual);
void tml__write_vector_unless_zero(writer* w, const char* key, tml_vec3 a);

const char* tml__body_name(const writer* w, tml_body body);

void tml__write_joint(writer* w, int index);     // write_joints.c
void tml__write_coupling(writer* w, int index);  // write_forces.c
void tml__write_nonholonomic(writer* w, int index);
void tml__write_spring(writer* w, int index);
void tml__write_wrench(writer* w, int index);
void tml__write_drag(writer* w, int index);
void tml__write_sensor(writer* w, int index);      // scene_sensors.c
void tml__write_deformable(writer* w, int index);  // write_deformables.c

#endif
