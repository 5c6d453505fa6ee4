// viewer/text.c - text that grows.
#include "viewer/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(text* t)
{
    free(t->data);
    *t = (text){0};
}

static bool reserve(text* t, size_t more)
{
    if (t->is_broken) return false;
    if (t->capacity - t->length > more) return true;
    size_t capacity = t->capacity > 0 ? 2 * t->capacity : 4096;
    while (capacity - t->length <= more) capacity *= 2;
    char* larger = realloc(t->data, capacity);
    if (larger == NULL) {
        t->is_broken = true;
        return false;
    }
    t->data = larger;
    t->capacity = capacity;
    return true;
}

void text_put_bytes(text* t, const void* bytes, size_t length)
{
    if (!reserve(t, length)) return;
    memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_put(text* t, const char* words) { text_put_bytes(t, words, strlen(words)); }

void text_format(text* t, const char* format, ...)
{
    char room[1024];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(room, sizeof room, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < sizeof room) {
        text_put_bytes(t, room, (size_t)length);
    } else {
        t->is_broken = true;
    }
}

void text_string(text* t, const char* words)
{
    text_put_bytes(t, "\"", 1);
    for (const char* p = words; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        // '<' and '&' too: the text may stand inside a page
        const bool is_special =
            c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&';
        if (is_special) {
            text_format(t, "\\u%04x", c);
        } else {
            text_put_bytes(t, p, 1);
        }
    }
    text_put_bytes(t, "\"", 1);
}

void text_number(text* t, double value)
{
    if (!isfinite(value)) {
        text_put(t, "null");
    } else if (value == 0.0) {
        text_put(t, "0");
    } else {
        text_format(t, "%.9g", value);
    }
}

void text_comma(text* t, long long i)
{
    if (i > 0) text_put_bytes(t, ",", 1);
}

void text_pose(text* t, const double pose[7], long long i)
{
    text_comma(t, i);
    for (int k = 0; k < 7; k++) {
        text_comma(t, k);
        text_number(t, pose[k]);
    }
}

void text_base64(text* t, const void* bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* p = bytes;

    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const unsigned b1 = left > 1 ? p[i + 1] : 0;
        const unsigned b2 = left > 2 ? p[i + 2] : 0;
        const unsigned x = (unsigned)p[i] << 16 | b1 << 8 | b2;
        const char four[4] = {digits[x >> 18], digits[x >> 12 & 63],
                              left > 1 ? digits[x >> 6 & 63] : '=',
                              left > 2 ? digits[x & 63] : '='};
        text_put_bytes(t, four, 4);
    }
}
