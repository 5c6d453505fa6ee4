// io/lint.h - the one list of what a model uses and we do not simulate.
//
// Each feature is one entry, however many elements use it: the first of them, and how many.
#ifndef TML_IO_LINT_H
#define TML_IO_LINT_H

#include "base/pool.h"

#include <stdbool.h>

typedef struct lint_entry {
    const char* feature;  // "joint armature"
    const char* what;     // what happens to it: "not simulated"
    const char* file;
    unsigned line;
    const char* element;  // the first: its name, "" when it has none
    int count;
    char* sentence;  // made when it is asked for
} lint_entry;

typedef struct lint_list {
    int count;
    int capacity;
    lint_entry* entries;
    pool memory;
} lint_list;

// False without memory.
bool tml__lint_add(lint_list* list, const char* feature, const char* what, const char* file,
                   unsigned line, const char* element);
void tml__lint_destroy(lint_list* list);

// "FILE:LINE: joint armature (20 times, first 'hip'): not simulated"; NULL without memory.
const char* tml__lint_sentence(lint_list* list, int index);

#endif
