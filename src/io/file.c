// io/file.c - a whole file in memory that doubles, so that pipes work too.
#include "io/file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static tml_status read_stream(FILE* stream, size_t most, char** text, size_t* length, char* why,
                              size_t room)
{
    size_t capacity = (size_t)1 << 16;
    char* buffer = tml__allocate(NULL, capacity, 1);
    size_t used = 0;

    // one byte is kept for the zero
    while (buffer != NULL) {
        used += fread(buffer + used, 1, capacity - 1 - used, stream);
        if (used < capacity - 1 || used > most) break;
        char* wide = tml__allocate(NULL, 2 * capacity, 1);
        if (wide != NULL) memcpy(wide, buffer, used);
        tml__release(NULL, buffer);
        buffer = wide;
        capacity *= 2;
    }
    snprintf(why, room, "out of memory");
    if (buffer == NULL) return TML_NO_MEMORY;

    if (ferror(stream) != 0 || used > most) {
        if (ferror(stream) != 0) {
            snprintf(why, room, "%s", strerror(errno));
        } else if (most >> 30 > 0) {
            snprintf(why, room, "it is larger than %zu GiB", most >> 30);
        } else {
            snprintf(why, room, "it is larger than %zu MiB", most >> 20);
        }
        tml__release(NULL, buffer);
        return TML_BAD_FILE;
    }
    *text = buffer;
    *length = used;
    return TML_OK;
}

tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why)
{
    char reason[160];
    FILE* stream = fopen(path, "rb");
    if (stream == NULL) {
        return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
    }
    const tml_status status = read_stream(stream, most, text, length, reason, sizeof reason);
    fclose(stream);
    if (status == TML_OK) return TML_OK;
    return tml__fail(why, status, "%.300s: cannot be read: %s", path, reason);
}
