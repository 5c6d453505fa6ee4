// io/file.c - whole files: read into memory, and written so that the old one stays until the new one is
// whole.
//
// What is read is looked at before it is opened: a folder, a device or a pipe that nobody writes to would
// otherwise answer late, never, or without end.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; realpath, strdup

#include "io/file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FIRST_BYTES = 1 << 16
};

static const char* kind_of(mode_t mode)
{
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "no plain file";
}

static tml_status refuse_size(const char* path, size_t most, message* why)
{
    const bool is_huge = most >> 30 > 0;
    return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: it is larger than %zu %s", path,
                     is_huge ? most >> 30 : most >> 20, is_huge ? "GiB" : "MiB");
}

FILE* tml__file_open(const char* path, size_t most, size_t* size, tml_status* status, message* why)
{
    struct stat about;
    FILE* stream = NULL;
    *status = TML_BAD_FILE;
    if (stat(path, &about) != 0) {
        tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: %s", path, strerror(EISDIR));
    } else if (!S_ISREG(about.st_mode)) {
        tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: it is %s, not a plain file", path,
                  kind_of(about.st_mode));
    } else if ((unsigned long long)about.st_size > most) {
        refuse_size(path, most, why);
    } else {
        stream = fopen(path, "rb");
        if (stream == NULL) {
            tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
        }
    }
    if (stream != NULL) *status = TML_OK;
    if (stream != NULL && size != NULL) *size = (size_t)about.st_size;
    return stream;
}

// What a byte of zero means: no text; the end, for readers that refuse it with its line; nothing.
typedef enum zeros {
    ZERO_REFUSED,
    ZERO_ENDS,
    ZERO_FINE,
} zeros;

typedef struct taken {
    char* bytes;
    size_t used, capacity;
} taken;

static bool widen(taken* t, size_t capacity)
{
    char* wide = tml__allocate(NULL, capacity, 1);
    if (wide != NULL && t->used > 0) memcpy(wide, t->bytes, t->used);
    tml__release(NULL, t->bytes);
    t->bytes = wide;
    t->capacity = capacity;
    return wide != NULL;
}

static size_t next_capacity(const taken* t, size_t size)
{
    const size_t twice = 2 * t->capacity;
    return t->capacity < size + 2 && size + 2 < twice ? size + 2 : twice;
}

// Memory follows what was read, not what the file is said to have: holes of a sparse text are met before
// there is room for them. But it is never more than that: a byte for the zero, and one to see the end. What is no text is
// read whole.
static tml_status take_all(FILE* stream, size_t size, size_t most, zeros zero, taken* t,
                           const char** problem)
{
    size_t part = 1;
    *problem = "out of memory";
    const bool is_whole = zero == ZERO_FINE && size > FIRST_BYTES;
    if (!widen(t, is_whole ? size + 2 : FIRST_BYTES)) return TML_NO_MEMORY;
    while (part > 0) {
        if (t->used + 1 == t->capacity && !widen(t, next_capacity(t, size))) return TML_NO_MEMORY;
        size_t room = t->capacity - 1 - t->used;
        if (room > FIRST_BYTES) room = FIRST_BYTES;
        part = fread(t->bytes + t->used, 1, room, stream);
        const bool is_hole = zero != ZERO_FINE && memchr(t->bytes + t->used, 0, part) != NULL;
        *problem = "it holds a byte of zero: it is no text";
        if (is_hole && zero == ZERO_REFUSED) return TML_BAD_FILE;
        t->used += part;
        if (is_hole) return TML_OK;
        *problem = NULL;
        if (t->used > most) return TML_BAD_FILE;
    }
    if (ferror(stream) == 0) return TML_OK;
    *problem = strerror(errno);
    return TML_BAD_FILE;
}

static tml_status read_file(const char* path, size_t most, zeros zero, char** text, size_t* length,
                            message* why)
{
    taken all = {0};
    const char* problem = NULL;
    tml_status status = TML_OK;
    size_t size = 0;
    FILE* stream = tml__file_open(path, most, &size, &status, why);
    *text = NULL;
    if (stream == NULL) return status;

    errno = 0;
    status = take_all(stream, size, most, zero, &all, &problem);
    fclose(stream);
    *text = all.bytes;
    *length = all.used;
    if (status == TML_OK) return TML_OK;
    tml__release(NULL, all.bytes);
    *text = NULL;
    if (problem == NULL) return refuse_size(path, most, why);
    return tml__fail(why, status, "%.300s: cannot be read: %s", path, problem);
}

tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why)
{
    return read_file(path, most, ZERO_REFUSED, text, length, why);
}

tml_status tml__file_read_to_zero(const char* path, size_t most, char** text, size_t* length,
                                  message* why)
{
    return read_file(path, most, ZERO_ENDS, text, length, why);
}

tml_status tml__file_read_bytes(const char* path, size_t most, char** bytes, size_t* length,
                                message* why)
{
    return read_file(path, most, ZERO_FINE, bytes, length, why);
}

bool tml__file_is_there(const char* path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static int write_stream(FILE* stream, const char* bytes, size_t length)
{
    if (stream == NULL) return errno;
    const int error = fwrite(bytes, 1, length, stream) == length ? 0 : errno;
    // what the buffer still holds is written now, and may fail only now
    const int late_error = fclose(stream) == 0 ? 0 : errno;
    return error != 0 ? error : late_error;
}

// A plain file is written under another name and takes the old one's place once it is whole: a disk that is
// full costs neither the old file nor a reader's time with half of the new one.
int tml__write_bytes(const char* path, const char* bytes, size_t length)
{
    struct stat about;
    const bool is_there = stat(path, &about) == 0;
    if (is_there && !S_ISREG(about.st_mode)) {
        return write_stream(fopen(path, "wb"), bytes, length);
    }
    char* real = is_there ? realpath(path, NULL) : strdup(path);
    char* part = real != NULL ? malloc(strlen(real) + 6) : NULL;
    if (part != NULL) sprintf(part, "%s.part", real);
    FILE* stream = part != NULL ? fopen(part, "wb") : NULL;
    int error = 0;
    if (stream == NULL && is_there) {  // a folder in which nothing new may stand
        error = write_stream(fopen(path, "wb"), bytes, length);
    } else {
        error = write_stream(stream, bytes, length);
        if (error == 0 && is_there && chmod(part, about.st_mode & 07777) != 0) error = errno;
        if (error == 0 && rename(part, real) != 0) error = errno;
        if (error != 0 && stream != NULL) remove(part);
    }
    free(part);
    free(real);
    return error;
}
