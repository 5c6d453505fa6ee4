// musl_shim.c - what Debian's archives of Qhull, zlib and expat, which were compiled against glibc, ask of the
// C library under names that musl does not have (tools/check_musl).
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The parameter that is left alone in each of these is how carefully, or how much room there is.
int __fprintf_chk(FILE* to, int care, const char* format, ...);
int __fprintf_chk(FILE* to, int care, const char* format, ...)
{
    (void)care;
    va_list list;
    va_start(list, format);
    const int count = vfprintf(to, format, list);
    va_end(list);
    return count;
}

int __vfprintf_chk(FILE* to, int care, const char* format, va_list list);
int __vfprintf_chk(FILE* to, int care, const char* format, va_list list)
{
    (void)care;
    return vfprintf(to, format, list);
}

int __sprintf_chk(char* to, int care, size_t room, const char* format, ...);
int __sprintf_chk(char* to, int care, size_t room, const char* format, ...)
{
    (void)care;
    va_list list;
    va_start(list, format);
    const int count = vsnprintf(to, room, format, list);
    va_end(list);
    return count;
}

int __snprintf_chk(char* to, size_t most, int care, size_t room, const char* format, ...);
int __snprintf_chk(char* to, size_t most, int care, size_t room, const char* format, ...)
{
    (void)care;
    (void)room;
    va_list list;
    va_start(list, format);
    const int count = vsnprintf(to, most, format, list);
    va_end(list);
    return count;
}

int __vsnprintf_chk(char* to, size_t most, int care, size_t room, const char* format, va_list list);
int __vsnprintf_chk(char* to, size_t most, int care, size_t room, const char* format, va_list list)
{
    (void)care;
    (void)room;
    return vsnprintf(to, most, format, list);
}

char* __strcat_chk(char* to, const char* from, size_t room);
char* __strcat_chk(char* to, const char* from, size_t room)
{
    (void)room;
    return strcat(to, from);
}

char* __strncat_chk(char* to, const char* from, size_t most, size_t room);
char* __strncat_chk(char* to, const char* from, size_t most, size_t room)
{
    (void)room;
    return strncat(to, from, most);
}

_Noreturn void __longjmp_chk(jmp_buf where, int value);
_Noreturn void __longjmp_chk(jmp_buf where, int value) { longjmp(where, value); }

// expat's salt for its tables.
void arc4random_buf(void* to, size_t count);
void arc4random_buf(void* to, size_t count)
{
    if (getentropy(to, count) != 0) abort();
}

// Kinds of characters, in the bits that glibc's isspace and its like look at.
const unsigned short** __ctype_b_loc(void);
const unsigned short** __ctype_b_loc(void)
{
    static unsigned short kinds[384];
    static const unsigned short* from = kinds + 128;
    for (int c = 0; c < 128; c++) {
        const int is_upper = c >= 'A' && c <= 'Z';
        const int is_lower = c >= 'a' && c <= 'z';
        const int is_digit = c >= '0' && c <= '9';
        const int is_hex = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        const int is_space = c == ' ' || (c >= '\t' && c <= '\r');
        kinds[128 + c] =
            (unsigned short)(is_upper << 8 | is_lower << 9 | (is_upper || is_lower) << 10 |
                             is_digit << 11 | is_hex << 12 | is_space << 13);
    }
    return &from;
}

const int** __ctype_toupper_loc(void);
const int** __ctype_toupper_loc(void)
{
    static int upper[384];
    static const int* from = upper + 128;
    for (int c = 0; c < 256; c++) upper[128 + c] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    return &from;
}
