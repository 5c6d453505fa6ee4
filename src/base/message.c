// base/message.c - formatting the one sentence an object keeps.
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

tml_status tml__fail(message* m, tml_status status, const char* format, ...)
{
    if (m == NULL) return status;

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->text, sizeof m->text, format, arguments);
    va_end(arguments);
    return status;
}

void tml__one_line(char* text)
{
    for (char* p = text; *p != '\0'; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f) *p = '?';
    }
}
