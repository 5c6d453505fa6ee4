// io/writer.c - growing the text, and the pieces of JSON.
#include "io/writer.h"

#include "io/json.h"
#include "io/number.h"
#include "math/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(writer* w, const char* bytes, size_t length)
{
    if (w->status != TML_OK) return;
    if (w->capacity - w->length <= length) {
        size_t capacity = w->capacity == 0 ? 4096 : 2 * w->capacity;
        while (capacity - w->length <= length) capacity *= 2;
        char* wide = realloc(w->data, capacity);
        if (wide == NULL) {
            w->status = tml__fail(&w->why, TML_NO_MEMORY, "out of memory");
            return;
        }
        w->data = wide;
        w->capacity = capacity;
    }
    memcpy(w->data + w->length, bytes, length);
    w->length += length;
    w->data[w->length] = '\0';
}

static void refuse(writer* w, const char* why)
{
    if (w->status == TML_OK) w->status = tml__fail(&w->why, TML_BAD_ARGUMENT, "%s", why);
}

void tml__put(writer* w, const char* text) { append(w, text, strlen(text)); }

void tml__put_number(writer* w, double value)
{
    if (!isfinite(value)) {
        refuse(w, "a number of the scene is not finite");
        return;
    }
    char digits[NUMBER_CHARS];
    append(w, digits, (size_t)tml__number_write(digits, value));
}

void tml__put_escaped(writer* w, const char* text)
{
    while (*text != '\0' && w->status == TML_OK) {
        const int length = tml__utf8_length(text);
        const unsigned char c = (unsigned char)*text;
        if (length == 0) refuse(w, "a name of the scene is not valid UTF-8");
        // U+0080 to U+009F steer terminals too
        const unsigned char next = length == 2 ? (unsigned char)text[1] : 0;
        const bool is_beyond = c == 0xc2 && next < 0xa0;
        if (c < ' ' || c == 0x7f || is_beyond) {
            char escape[8];
            const unsigned code = is_beyond ? next : c;
            append(w, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", code));
        } else {
            if (c == '"' || c == '\\') append(w, "\\", 1);
            append(w, text, (size_t)length);
        }
        text += length;
    }
}

void tml__put_string(writer* w, const char* text)
{
    tml__put(w, "\"");
    tml__put_escaped(w, text);
    tml__put(w, "\"");
}

void tml__put_open(writer* w, const char* bracket)
{
    tml__put(w, bracket);
    w->is_first = true;
}

void tml__put_close(writer* w, const char* bracket)
{
    tml__put(w, bracket);
    w->is_first = false;
}

void tml__put_comma(writer* w)
{
    if (!w->is_first) tml__put(w, ", ");
    w->is_first = false;
}

void tml__put_line(writer* w, const char* indent)
{
    tml__put(w, w->is_first ? "\n" : ",\n");
    tml__put(w, indent);
    w->is_first = false;
}

void tml__put_numbers(writer* w, const double* values, int count)
{
    tml__put_open(w, "[");
    for (int i = 0; i < count; i++) {
        tml__put_comma(w);
        tml__put_number(w, values[i]);
    }
    tml__put_close(w, "]");
}

void tml__put_vector(writer* w, tml_vec3 a)
{
    const double x[3] = {a.x, a.y, a.z};
    tml__put_numbers(w, x, 3);
}

void tml__put_table(writer* w, const double* x, const double* y, int count)
{
    tml__put_open(w, "[");
    for (int i = 0; i < count; i++) {
        const double pair[2] = {x[i], y[i]};
        tml__put_comma(w);
        tml__put_numbers(w, pair, 2);
    }
    tml__put_close(w, "]");
}

void tml__put_control(writer* w, const tml_control* c)
{
    switch (c->kind) {
    case TML_CONTROL_NONE: tml__put(w, "0"); break;
    case TML_CONTROL_CONSTANT: tml__put_number(w, c->value); break;
    case TML_CONTROL_SINE:
        tml__put(w, "{\"sine\": ");
        tml__put_open(w, "{");
        tml__write_number(w, "offset", c->value);
        tml__write_number(w, "amplitude", c->amplitude);
        tml__write_number(w, "frequency", c->frequency);
        tml__write_number(w, "phase", c->phase);
        tml__put_close(w, "}}");
        break;
    case TML_CONTROL_TABLE:
    case TML_CONTROL_CUBIC:
        tml__put(w, "{\"table\": ");
        tml__put_table(w, c->times, c->samples, c->count);
        if (c->kind == TML_CONTROL_CUBIC) tml__write_text(w, "interpolation", "cubic");
        tml__put_close(w, "}");
        break;
    }
}

void tml__put_key(writer* w, const char* key)
{
    tml__put_comma(w);
    tml__put(w, "\"");
    tml__put(w, key);
    tml__put(w, "\": ");
}

void tml__write_text(writer* w, const char* key, const char* text)
{
    tml__put_key(w, key);
    tml__put_string(w, text);
}

void tml__write_number(writer* w, const char* key, double value)
{
    tml__put_key(w, key);
    tml__put_number(w, value);
}

void tml__write_vector(writer* w, const char* key, tml_vec3 a)
{
    tml__put_key(w, key);
    tml__put_vector(w, a);
}

void tml__write_true(writer* w, const char* key)
{
    tml__put_key(w, key);
    tml__put(w, "true");
}

void tml__write_unless(writer* w, const char* key, double value, double usual)
{
    const bool is_usual = value >= usual && value <= usual;
    if (!is_usual) tml__write_number(w, key, value);
}

void tml__write_vector_unless_zero(writer* w, const char* key, tml_vec3 a)
{
    const bool is_zero = v3_max(a) <= 0.0;
    if (!is_zero) tml__write_vector(w, key, a);
}

const char* tml__body_name(const writer* w, tml_body body)
{
    return body.index < 0 ? "world" : w->all->bodies[body.index].name;
}
