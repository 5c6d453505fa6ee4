// sweep/store.h - the file of a sweep while it grows: made, recognised, written to, finished.
#ifndef TML_SWEEP_STORE_H
#define TML_SWEEP_STORE_H

#include "sweep/layout.h"

typedef struct store {
    const tml_sweep* s;
    const layout* l;
    const tml_ranks* ranks;  // NULL: this process only
    const char* path;        // its final name
    char* part;              // its name until then
    int file;                // of this process; -1: closed
    unsigned char* buffer;   // a batch of one member
    message* why;
} store;

// What stands at the path: a file of this sweep that is whole, or one that grows (made now, where there is none).
tml_status tml__store_prepare(store* f, bool* is_complete);

// After tml__store_prepare has succeeded somewhere. The others are called in between.
tml_status tml__store_open(store* f);
tml_status tml__store_close(store* f);

// Which rows are there: one byte each, a tml_row_status.
tml_status tml__store_statuses(store* f, long long first, long long count, unsigned char* out);

// Rows that follow each other. They count once they are marked, which is written last.
tml_status tml__store_put(store* f, long long first, int count, const tml_row* rows,
                          const double* numbers);

// No row is missing: the checksums, and its final name.
tml_status tml__store_finish(store* f);

#endif
