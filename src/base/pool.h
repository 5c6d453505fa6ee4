// base/pool.h - memory that is only ever freed all together: names, tables, definitions.
#ifndef TML_BASE_POOL_H
#define TML_BASE_POOL_H

#include <trammel/base.h>

#include <stddef.h>

typedef struct pool {
    struct pool_block* first;
    const tml_allocator* allocator;  // borrowed; NULL: malloc
} pool;

void* tml__pool_take(pool* p, size_t count, size_t size);  // zeroed; NULL without memory
void* tml__pool_copy(pool* p, const void* data, size_t count, size_t size);
char* tml__pool_text(pool* p, const char* text);
void tml__pool_destroy(pool* p);

#endif
