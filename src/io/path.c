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

// Is what `path` leads to below one of the folders?
static bool is_below_any(const char* list, const char* path)
{
    char* file = realpath(path, NULL);
    bool is_found = false;
    while (file != NULL && !is_found && *list != '\0') {
        char folder[PATH_CHARS];
        const size_t length = strcspn(list, ",");
        if (length > 0 && length < PATH_CHARS) {
            memcpy(folder, list, length);
            folder[length] = '\0';
            char* root = realpath(folder, NULL);
            is_found = root != NULL && is_below(root, file);
            free(root);
        }
        list += length + (list[length] == ',');
    }
    free(file);
    return is_found;
}

tml_status tml__path_allowed(const char* root, const char* folder, const char* name,
                             const char* outside, char out[PATH_CHARS], message* why)
{
    message own;
    const tml_status status = tml__path_below(root, folder, name, out, &own);
    if (status == TML_OK) return TML_OK;
    const bool fits = name[0] == '/' ? snprintf(out, PATH_CHARS, "%s", name) < PATH_CHARS
                                     : tml__path_join(folder, name, out);
    if (outside != NULL && name[0] != '\0' && fits && is_below_any(outside, out)) return TML_OK;
    return tml__fail(why, status, "%.500s; --allow-outside DIR lets files below DIR be read",
                     own.text);
}
