// scenes/files.h - the built-in scenes that are JSON (scenes/data), compiled in by tools/embed.
#ifndef TRAMMEL_SCENES_FILES_H
#define TRAMMEL_SCENES_FILES_H

#include <stddef.h>

typedef struct scene_file {
    const char* name;           // "atlas.json"
    const char* type;           // media type
    const unsigned char* data;  // a zero byte follows
    size_t length;
} scene_file;

extern const scene_file scene_files[];
extern const int scene_files_count;

#endif
