// viewer/text.h - text that grows, and the JSON in it.
#ifndef TRAMMEL_VIEWER_TEXT_H
#define TRAMMEL_VIEWER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    char* data;  // zero behind the last byte; NULL while empty
    size_t length, capacity;
    bool is_broken;  // memory ran out
} text;

void text_free(text* t);
void text_put(text* t, const char* words);
void text_put_bytes(text* t, const void* bytes, size_t length);
__attribute__((format(printf, 2, 3))) void text_format(text* t, const char* format, ...);

// JSON: a string in quotation marks (safe inside a script element too), a number (null when it is
// not finite), a comma when i > 0.
void text_string(text* t, const char* words);
void text_number(text* t, double value);
void text_comma(text* t, long long i);
void text_pose(text* t, const double pose[7], long long i);

void text_base64(text* t, const void* bytes, size_t length);

#endif
