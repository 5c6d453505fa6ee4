// io/xml_comments.c - comments that XML forbids and people write.
#include "io/xml_comments.h"

#include <stdbool.h>
#include <string.h>

static bool starts(const char* text, size_t left, const char* with)
{
    const size_t length = strlen(with);
    return left >= length && memcmp(text, with, length) == 0;
}

// Where a mark stands behind `from`; `length` where it does not.
static size_t find(const char* text, size_t from, size_t length, const char* mark)
{
    while (from < length && !starts(text + from, length - from, mark)) from++;
    return from;
}

void tml__xml_blank_comments(char* text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '<') continue;
        if (starts(text + i, length - i, "<![CDATA[")) {
            i = find(text, i, length, "]]>");
        } else if (starts(text + i, length - i, "<!--")) {
            const size_t end = find(text, i + 4, length, "-->");
            if (end == length) return;  // never closed: the reader says so
            for (size_t k = i + 4; k < end; k++) {
                if (text[k] != '\n' && text[k] != '\r') text[k] = ' ';
            }
            i = end;
        }
    }
}
