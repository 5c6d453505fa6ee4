// base/memory.h - memory with checked sizes, and the arena a simulation takes its scratch from.
#ifndef TML_BASE_MEMORY_H
#define TML_BASE_MEMORY_H

#include <trammel/base.h>

#include <stdbool.h>
#include <stddef.h>

// count * size bytes, zeroed, aligned to 64; NULL when it overflows or there is none.
// A count of 0 gives a valid pointer to nothing.
void* tml__allocate(const tml_allocator* allocator, size_t count, size_t size);
void tml__release(const tml_allocator* allocator, void* memory);  // NULL is fine

// a * b and a + b; false when the result does not fit.
bool tml__size_mul(size_t a, size_t b, size_t* product);
bool tml__size_add(size_t a, size_t b, size_t* sum);

// A stack of scratch memory of fixed size. `enter` marks, `take` grows, `leave` drops.
typedef struct arena {
    unsigned char* memory;
    size_t capacity;
    size_t used;
    size_t peak;  // largest `used` ever, to size the next arena
} arena;

typedef size_t arena_mark;

tml_status tml__arena_create(arena* a, const tml_allocator* allocator, size_t capacity);
void tml__arena_destroy(arena* a, const tml_allocator* allocator);
arena_mark tml__arena_enter(arena* a);
void* tml__arena_take(arena* a, size_t count, size_t size);  // 64-byte aligned; NULL when full
void tml__arena_leave(arena* a, arena_mark mark);

// What tml__arena_take(count, size) needs at most, alignment included; SIZE_MAX when that
// does not fit.
size_t tml__arena_bytes(size_t count, size_t size);

#endif
