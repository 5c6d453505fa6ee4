// app/swept_script.h - the script of a sweep's page, compiled in from app/swept_page.js.
#ifndef TRAMMEL_APP_SWEPT_SCRIPT_H
#define TRAMMEL_APP_SWEPT_SCRIPT_H

#include <stddef.h>

typedef struct swept_file {
    const char* name;
    const char* type;
    const unsigned char* data;  // a zero byte follows
    size_t length;
} swept_file;

extern const swept_file swept_files[];
extern const int swept_files_count;

#endif
