// io/spool.c - an unlinked file with a buffer in front, mapped when it is read.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; mkstemp, mmap

#include "io/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int tml__spool_open(spool* s, const char* beside, size_t item)
{
    static const char ending[] = ".XXXXXX";
    const char* stem = beside != NULL ? beside : "/tmp/trammel";
    const size_t length = strlen(stem);
    char* name = malloc(length + sizeof ending);

    *s = (spool){.file = -1, .item = item};
    s->buffer = malloc(SPOOL_BUFFER);
    if (name == NULL || s->buffer == NULL) {
        free(name);
        return ENOMEM;
    }
    memcpy(name, stem, length);
    memcpy(name + length, ending, sizeof ending);
    s->file = mkstemp(name);
    const int error = s->file < 0 ? errno : 0;
    if (s->file >= 0) unlink(name);
    free(name);
    return error;
}

// What does not fit the disk is taken back, so that the file holds whole items.
static int flush(spool* s)
{
    const size_t before = s->written;
    size_t at = 0;
    while (at < s->used) {
        const ssize_t n = write(s->file, s->buffer + at, s->used - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int error = n < 0 ? errno : ENOSPC;
            s->written = (before + at) / s->item * s->item;
            s->count = s->written / s->item;
            s->used = 0;
            (void)!ftruncate(s->file, (off_t)s->written);
            (void)lseek(s->file, (off_t)s->written, SEEK_SET);
            return error;
        }
        at += (size_t)n;
    }
    s->written += s->used;
    s->used = 0;
    return 0;
}

int tml__spool_add(spool* s, const void* item)
{
    const unsigned char* from = item;
    size_t left = s->item;
    if (s->file < 0) return EBADF;

    while (left > 0) {
        if (s->used == SPOOL_BUFFER) {
            const int error = flush(s);
            if (error != 0) return error;
        }
        const size_t room = SPOOL_BUFFER - s->used;
        const size_t part = left < room ? left : room;
        memcpy(s->buffer + s->used, from, part);
        s->used += part;
        from += part;
        left -= part;
    }
    s->count++;
    return 0;
}

static void unmap(spool* s)
{
    if (s->map != NULL) munmap(s->map, s->map_bytes);
    s->map = NULL;
}

const void* tml__spool_map(spool* s, int* error)
{
    static const double nothing = 0.0;
    unmap(s);
    *error = s->used > 0 ? flush(s) : 0;
    if (*error != 0) return NULL;
    if (s->count == 0) return &nothing;
    s->map_bytes = s->count * s->item;
    void* map = mmap(NULL, s->map_bytes, PROT_READ, MAP_SHARED, s->file, 0);
    if (map == MAP_FAILED) {
        *error = errno;
        return NULL;
    }
    s->map = map;
    return map;
}

void tml__spool_close(spool* s)
{
    unmap(s);
    if (s->item > 0 && s->file >= 0) close(s->file);
    free(s->buffer);
    *s = (spool){.file = -1};
}
