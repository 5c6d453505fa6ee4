// app/json.c - prints JSON, an object with a member a line.
#include "app/json.h"

#include <math.h>
#include <stdio.h>

void json_quoted(const char* text)
{
    putchar('"');
    for (const char* p = text; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            printf("\\u%04x", c);
        } else if (c == 0xc2 && (unsigned char)p[1] >= 0x80 && (unsigned char)p[1] < 0xa0) {
            // control characters beyond ASCII
            printf("\\u%04x", (unsigned char)*++p);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void print_key(json_object* o, const char* key)
{
    printf(o->count++ > 0 ? ",\n  " : "\n  ");
    json_quoted(key);
    printf(": ");
}

json_object json_open(void)
{
    putchar('{');
    return (json_object){0};
}

void json_text(json_object* o, const char* key, const char* value)
{
    print_key(o, key);
    json_quoted(value);
}

void json_number(json_object* o, const char* key, double value)
{
    print_key(o, key);
    if (isfinite(value)) {
        printf("%.17g", value);
    } else {
        printf("null");
    }
}

void json_whole(json_object* o, const char* key, long long value)
{
    print_key(o, key);
    printf("%lld", value);
}

void json_truth(json_object* o, const char* key, int is_true)
{
    print_key(o, key);
    printf("%s", is_true ? "true" : "false");
}

void json_null(json_object* o, const char* key)
{
    print_key(o, key);
    printf("null");
}

void json_list_begin(json_object* o, const char* key)
{
    print_key(o, key);
    putchar('[');
}

void json_list_item(int index) { printf(index > 0 ? ",\n    " : "\n    "); }

void json_list_end(int count) { printf(count > 0 ? "\n  ]" : "]"); }

void json_close(json_object* o) { printf(o->count > 0 ? "\n}\n" : "}\n"); }
