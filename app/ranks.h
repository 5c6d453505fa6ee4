// app/ranks.h - the other processes that mpirun started, by a module that is loaded when they are wanted.
//
// The tool itself knows nothing of MPI and needs none of its libraries.
#ifndef TRAMMEL_APP_RANKS_H
#define TRAMMEL_APP_RANKS_H

#include "app/app.h"

// What the module gives. `end` leaves MPI; with a code that is not 0 it ends the other processes too.
typedef struct ranks_module {
    int version;
    int (*begin)(tml_ranks* out, char* why, size_t capacity);  // 0, or a sentence in `why`
    void (*end)(tml_ranks* ranks, int code);
} ranks_module;

enum {
    RANKS_VERSION = 1
};

typedef struct rank_group {
    tml_ranks of;  // self: NULL without MPI
    int rank, count;
    const ranks_module* module;
} rank_group;

// Whether a launcher of MPI started this process, with others.
bool ranks_are_wanted(void);

// Load the module and join the others. An exit code, with an error line.
int ranks_begin(rank_group* r);
void ranks_end(rank_group* r, int code);

#endif
