// trammel/ranks.h - other processes that work on the same thing, as the library sees them.
//
// The tool's MPI module makes one of these; so may anybody who has processes of another kind.
#ifndef TRAMMEL_RANKS_H
#define TRAMMEL_RANKS_H

#include <trammel/base.h>

TML_BEGIN_C

// Functions answer 0 or an errno. open, close, wait and add are called by all ranks together, the
// others by any thread, one at a time.
typedef struct tml_ranks {
    void* self;
    int rank, count;
    int (*take)(void* self, long long amount, long long* before);  // from one counter, atomically
    int (*open)(void* self, const char* path);                     // the file, and the counter at 0
    int (*read)(void* self, long long offset, void* bytes, size_t length);
    int (*write)(void* self, long long offset, const void* bytes, size_t length);
    int (*close)(void* self);  // everything that anyone wrote is in the file
    int (*wait)(void* self);
    int (*add)(void* self, double* values, int count);  // each the sum over all ranks, everywhere
} tml_ranks;

TML_END_C

#endif
