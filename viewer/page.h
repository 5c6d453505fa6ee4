// viewer/page.h - the files of the page, compiled in: nothing is ever read from disk to be served.
#ifndef TRAMMEL_VIEWER_PAGE_H
#define TRAMMEL_VIEWER_PAGE_H

#include <stddef.h>

typedef struct page_file {
    const char* name;           // "view.js"
    const char* type;           // media type
    const unsigned char* data;  // a zero byte follows
    size_t length;
} page_file;

extern const page_file page_files[];
extern const int page_files_count;

const page_file* page_find(const char* name);  // NULL when there is none

#endif
