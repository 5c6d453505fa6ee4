// app/modules.c - looks beside the program, and at the place the build says it is installed to.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/modules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool tool_folder(char* out, size_t capacity)
{
    const ssize_t length = readlink("/proc/self/exe", out, capacity - 1);
    if (length <= 0) return false;
    out[length] = '\0';
    char* slash = strrchr(out, '/');
    if (slash != NULL) *slash = '\0';
    return slash != NULL;
}

bool module_find(const char* name, char* path, size_t capacity)
{
    static const char* const places[] = {"", "/" TRAMMEL_MODULE_DIR};
    char folder[3072];
    if (!tool_folder(folder, sizeof folder)) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const int length =
            snprintf(path, capacity, "%s%s/libtrammel_%s.so", folder, places[i], name);
        if (length > 0 && (size_t)length < capacity && access(path, R_OK) == 0) return true;
    }
    return false;
}
