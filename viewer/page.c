// viewer/page.c - finds a file of the page.
#include "viewer/page.h"

#include <string.h>

const page_file* page_find(const char* name)
{
    for (int i = 0; i < page_files_count; i++) {
        if (strcmp(page_files[i].name, name) == 0) return &page_files[i];
    }
    return NULL;
}
