// io/spool.h - items of one size that grow on disk instead of in memory, in a file without a name.
//
// What must wait for the end of a recording waits here: the file is unlinked as soon as it is open, so
// whatever ends the program leaves nothing behind, and a disk that is full says so while items are
// added, not when all of them are to be written.
#ifndef TML_IO_SPOOL_H
#define TML_IO_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SPOOL_BUFFER = 1 << 16
};

typedef struct spool {
    int file;          // -1: not open
    size_t item;       // bytes of one
    size_t count;      // items that were added
    size_t used;       // bytes that wait in the buffer
    size_t written;    // bytes in the file
    void* map;         // all of it as memory; NULL: not mapped
    size_t map_bytes;  //
    unsigned char* buffer;
} spool;

// Errors are what errno says; 0: none. A spool of zeros may be closed; one that failed to open too.

// A file in the folder of `beside`; where that is NULL, in the folder of temporary files.
int tml__spool_open(spool* s, const char* beside, size_t item);
int tml__spool_add(spool* s, const void* item);  // an item that fails is not counted
// All items as an array, until the next call; NULL with *error when that fails.
const void* tml__spool_map(spool* s, int* error);
void tml__spool_close(spool* s);

#endif
