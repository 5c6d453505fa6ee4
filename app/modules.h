// app/modules.h - files that belong to the tool: beside it, or where it is installed.
#ifndef TRAMMEL_APP_MODULES_H
#define TRAMMEL_APP_MODULES_H

#include <stdbool.h>
#include <stddef.h>

// Where "libtrammel_NAME.so" is; false: nowhere.
bool module_find(const char* name, char* path, size_t capacity);

#endif
