// app/json.c - prints one flat JSON object.
#include "app/json.h"

#include <math.h>
#include <stdio.h>

static void print_text(const char* text)
{
    putchar('"');
    for (const char* p = text; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_key(json_object* o, const char* key)
{
    printf(o->count++ > 0 ? ",\n  " : "\n  ");
    print_text(key);
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
    print_text(value);
}

void json_number(json_object* o, const char* key, double value)
{
    print_key(o, key);
    if (isfinite(value))
        printf("%.17g", value);
    else
        printf("null");
}

void json_whole(json_object* o, const char* key, long long value)
{
    print_key(o, key);
    printf("%lld", value);
}

void json_close(json_object* o) { printf(o->count > 0 ? "\n}\n" : "}\n"); }
