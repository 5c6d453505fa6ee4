// app/zip.h - a ZIP archive of a few files in memory.
#ifndef TRAMMEL_APP_ZIP_H
#define TRAMMEL_APP_ZIP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zip_file {
    const char* name;
    const void* data;
    size_t size;
} zip_file;

// Write it, deflated; 0 or an errno. What stood there stays where this fails.
int zip_write(const char* path, const zip_file* files, int count);

#endif
