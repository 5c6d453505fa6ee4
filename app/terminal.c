// app/terminal.c - two streams in front of the process's own.
//
// stdout and stderr can be replaced in the GNU C library, which is the one that names every function that
// prints. With others they stay as they are, and SECURITY.md says so.
#define _GNU_SOURCE  // NOLINT: the name is glibc's own; fopencookie

#include "app/terminal.h"

#include <unistd.h>

static FILE* raw_errors;

FILE* terminal_raw(void) { return raw_errors != NULL ? raw_errors : stderr; }

#if defined(__GLIBC__)

// A stream behind the filter; `has_lead`: the byte 0xc2 waits for what follows it.
typedef struct screen {
    FILE* to;
    bool has_lead;
} screen;

static screen screens[2];

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

static void put_byte(screen* s, unsigned char c)
{
    // U+0080 to U+009F, two bytes each, mean to many terminals what ESC and a letter do
    if (s->has_lead) {
        s->has_lead = false;
        if (c >= 0x80 && c < 0xa0) {
            fprintf(s->to, "\\x%02x", c);
            return;
        }
        putc(0xc2, s->to);
    }
    if (c == 0xc2) {
        s->has_lead = true;
    } else if (is_control(c)) {
        fprintf(s->to, "\\x%02x", c);
    } else {
        putc(c, s->to);
    }
}

static ssize_t put(void* self, const char* bytes, size_t length)
{
    screen* s = self;
    for (size_t i = 0; i < length; i++) put_byte(s, (unsigned char)bytes[i]);
    return fflush(s->to) == 0 && !ferror(s->to) ? (ssize_t)length : 0;
}

static FILE* guarded(FILE* to, screen* s, int mode)
{
    const cookie_io_functions_t functions = {.write = put};
    s->to = to;
    FILE* stream = fopencookie(s, "w", functions);
    if (stream != NULL) setvbuf(stream, NULL, mode, BUFSIZ);
    return stream;
}

bool terminal_guard(void)
{
    raw_errors = stderr;
    // one error is one write, also where several processes share the stream
    setvbuf(raw_errors, NULL, _IOFBF, BUFSIZ);
    FILE* out = guarded(stdout, &screens[0], isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF);
    FILE* errors = guarded(raw_errors, &screens[1], _IOLBF);
    if (out == NULL || errors == NULL) {
        fputs("trammel: no memory\n", raw_errors);
        fflush(raw_errors);
        return false;
    }
    stdout = out;
    stderr = errors;
    return true;
}

#else

bool terminal_guard(void)
{
    raw_errors = stderr;
    return true;
}

#endif
