// io/path.c - paths that must not leave a folder.
//
// A model names other files: includes and meshes. It may name what lies below its own folder and
// nothing else, whatever dots and symbolic links it uses, so that a model from a stranger cannot
// read the files of whoever loads it.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; realpath

#include "io/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
