// base/request.h - many arrays at once: a list of what is wanted, taken and given back by one call, so
// that a failure is one test.
#ifndef TML_BASE_REQUEST_H
#define TML_BASE_REQUEST_H

#include "base/memory.h"

#include <string.h>

// `where` is the address of a pointer of any type; memcpy keeps the aliasing rules.
typedef struct request {
    void* where;
    size_t count, size;
} request;

// What was taken before a failure stays for tml__release_all.
static inline tml_status tml__take_all(const tml_allocator* allocator, const request* list,
                                       int count)
{
    for (int i = 0; i < count; i++) {
        void* memory = tml__allocate(allocator, list[i].count, list[i].size);
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static inline void tml__release_all(const tml_allocator* allocator, const request* list, int count)
{
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(allocator, memory);
    }
}

#endif
