// test/preload/starve.c - in front of the C library's allocator: one chosen allocation of a program fails.
//
// Loaded by LD_PRELOAD (test/app/starve.c). STARVE_AT=N fails the Nth allocation of the program, from 1, and
// STARVE_EVERY=N every Nth one; the number of all of them is written to the file that STARVE_COUNT names when the program ends.
#define _GNU_SOURCE  // NOLINT: the name is glibc's own; program_invocation_short_name

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes);
void* calloc(size_t count, size_t size);
void* realloc(void* memory, size_t bytes);
void* aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void** out, size_t alignment, size_t bytes);

static atomic_long taken;
static long fatal = -1;
static long every;

__attribute__((constructor)) static void begin(void)
{
    const char* at = getenv("STARVE_AT");
    atomic_store(&taken, 0);
    const char* turns = getenv("STARVE_EVERY");
    if (at != NULL) fatal = strtol(at, NULL, 10);
    if (turns != NULL) every = strtol(turns, NULL, 10);
}

__attribute__((destructor)) static void end(void)
{
    const char* name = getenv("STARVE_COUNT");
    char text[32];
    int at = (int)sizeof text;
    const int file = name != NULL ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0) return;
    long count = atomic_load(&taken);
    do {
        text[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    (void)!write(file, text + at, sizeof text - (size_t)at);
    close(file);
}

static int fails(void)
{
    const long number = atomic_fetch_add(&taken, 1) + 1;
    if (number != fatal && (every < 1 || number % every != 0)) return 0;
    errno = ENOMEM;
    return 1;
}

void* malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t bytes) { return fails() ? NULL : __libc_realloc(memory, bytes); }

void* aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** out, size_t alignment, size_t bytes)
{
    if (fails()) return ENOMEM;
    *out = __libc_memalign(alignment, bytes);
    return *out != NULL ? 0 : ENOMEM;
}
