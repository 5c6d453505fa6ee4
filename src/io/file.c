// io/file.c - whole files into memory, and paths that must not leave a folder.
//
// A model names other files: includes and meshes. It may name what lies below its own folder and
// nothing else, whatever dots and symbolic links it uses, so that a model from a stranger cannot
// read the files of whoever loads it.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; realpath

#include "io/file.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Read to the end, in memory that doubles; works for pipes too. One byte is kept for the zero.
static tml_status read_stream(FILE* stream, size_t most, char** text, size_t* length,
                              const char** why)
{
    size_t capacity = (size_t)1 << 16;
    char* buffer = tml__allocate(NULL, capacity, 1);
    size_t used = 0;

    *why = "out of memory";
    while (buffer != NULL) {
        used += fread(buffer + used, 1, capacity - 1 - used, stream);
        if (used < capacity - 1 || used > most) break;
        char* wide = tml__allocate(NULL, 2 * capacity, 1);
        if (wide != NULL) memcpy(wide, buffer, used);
        tml__release(NULL, buffer);
        buffer = wide;
        capacity *= 2;
    }
    if (buffer == NULL) return TML_NO_MEMORY;

    const bool is_bad = ferror(stream) != 0;
    if (is_bad || used > most) {
        *why = is_bad ? strerror(errno) : "it is too large";
        tml__release(NULL, buffer);
        return TML_BAD_FILE;
    }
    *text = buffer;
    *length = used;
    return TML_OK;
}

tml_status tml__file_read(const char* path, size_t most, char** text, size_t* length, message* why)
{
    FILE* stream = fopen(path, "rb");
    if (stream == NULL) {
        return tml__fail(why, TML_BAD_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
    }
    const char* reason = "";
    const tml_status status = read_stream(stream, most, text, length, &reason);
    if (status != TML_OK) {
        if (strcmp(reason, "it is too large") == 0) {
            tml__fail(why, status, "%.300s: cannot be read: it is larger than %zu MiB", path,
                      most >> 20);
        } else {
            tml__fail(why, status, "%.300s: cannot be read: %s", path, reason);
        }
    }
    fclose(stream);
    return status;
}

// ---- paths

void tml__path_folder(const char* path, char out[PATH_CHARS])
{
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;

    if (slash == path) length = 1;  // the root itself
    if (slash == NULL || length >= PATH_CHARS) {
        memcpy(out, ".", 2);
        return;
    }
    memcpy(out, path, length);
    out[length] = '\0';
}

bool tml__path_join(const char* folder, const char* name, char out[PATH_CHARS])
{
    const int n = snprintf(out, PATH_CHARS, "%s/%s", folder, name);
    return n >= 0 && n < PATH_CHARS;
}

// Both without links and dots: does the file lie below the folder?
static bool is_below(const char* root, const char* file)
{
    const size_t length = strlen(root);
    if (strcmp(root, "/") == 0) return true;
    return strncmp(root, file, length) == 0 && file[length] == '/';
}

tml_status tml__path_below(const char* root, const char* folder, const char* name,
                           char out[PATH_CHARS], message* why)
{
    if (name[0] == '\0' || name[0] == '/' || name[0] == '\\' || strchr(name, ':') != NULL) {
        return tml__fail(why, TML_BAD_FILE,
                         "'%.200s' must be a path inside the model's folder, not an absolute one",
                         name);
    }
    if (!tml__path_join(folder, name, out)) {
        return tml__fail(why, TML_BAD_FILE, "'%.200s' is too long a path", name);
    }
    char* real_root = realpath(root, NULL);
    char* real_file = real_root != NULL ? realpath(out, NULL) : NULL;
    tml_status status = TML_OK;
    if (real_file == NULL) {
        status =
            tml__fail(why, TML_BAD_FILE, "'%.200s' cannot be found: %s", name, strerror(errno));
    } else if (!is_below(real_root, real_file)) {
        status = tml__fail(why, TML_BAD_FILE, "'%.200s' leads out of the model's folder", name);
    }
    free(real_file);
    free(real_root);
    return status;
}
