// model/names.c - open addressing with linear probing; a million names load in a second.
#include "model/names.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

typedef struct entry {
    const char* name;  // NULL: empty
    int index;
} entry;

struct name_table {
    entry* entries;
    size_t capacity;  // a power of two
    size_t count;
};

// FNV-1a: the table's order never shows, so any good hash does.
static uint64_t hash(const char* text)
{
    uint64_t h = 1469598103934665603U;
    for (; *text != '\0'; text++) h = (h ^ (unsigned char)*text) * 1099511628211U;
    return h;
}

static size_t slot_of(const name_table* t, const char* name)
{
    size_t i = (size_t)hash(name) & (t->capacity - 1);
    while (t->entries[i].name != NULL && strcmp(t->entries[i].name, name) != 0) {
        i = (i + 1) & (t->capacity - 1);
    }
    return i;
}

name_table* tml__names_create(void)
{
    name_table* t = tml__allocate(NULL, 1, sizeof *t);
    if (t == NULL) return NULL;
    t->capacity = 16;
    t->entries = tml__allocate(NULL, t->capacity, sizeof *t->entries);
    if (t->entries == NULL) {
        tml__release(NULL, t);
        return NULL;
    }
    return t;
}

void tml__names_destroy(name_table* t)
{
    if (t == NULL) return;
    tml__release(NULL, t->entries);
    tml__release(NULL, t);
}

int tml__names_find(const name_table* t, const char* name)
{
    const entry* e = &t->entries[slot_of(t, name)];
    return e->name != NULL ? e->index : -1;
}

static int grow(name_table* t)
{
    name_table wide = {.capacity = t->capacity * 2, .count = t->count};
    wide.entries = tml__allocate(NULL, wide.capacity, sizeof *wide.entries);
    if (wide.entries == NULL) return 0;
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->entries[i].name != NULL) {
            wide.entries[slot_of(&wide, t->entries[i].name)] = t->entries[i];
        }
    }
    tml__release(NULL, t->entries);
    *t = wide;
    return 1;
}

int tml__names_add(name_table* t, const char* name, int index)
{
    // three quarters full at most: probing stays short, and a million names take half the memory
    if (4 * (t->count + 1) > 3 * t->capacity && !grow(t)) return 0;
    entry* e = &t->entries[slot_of(t, name)];
    if (e->name == NULL) t->count++;
    *e = (entry){name, index};
    return 1;
}
