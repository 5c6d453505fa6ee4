// io/record.h - what the formats of recordings share: the columns, the values of a state, and a
// buffered file whose first error is kept.
#ifndef TML_IO_RECORD_H
#define TML_IO_RECORD_H

#include "base/message.h"
#include "io/spool.h"

#include <trammel/record.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "NPZ and GLB are written as they stand in memory");

enum {
    RECORD_BUFFER = 1 << 20
};

typedef struct record_format {
    const char* ending;
    // any of these may be NULL; they answer false when memory or the file ends
    bool (*open)(tml_recorder* r);
    bool (*write)(tml_recorder* r);  // r->values and r->count hold the state
    bool (*close)(
        tml_recorder* r);  // of what is written in one piece: all of it, any number of times
    // of what grows and has no lines: a state, its end, and r->log
    bool (*log)(tml_recorder* r, const tml_sim* sim);
    bool (*finish)(tml_recorder* r);
    void (*free)(tml_recorder* r);
} record_format;

// A contact that waits for the end of a recording: t, point, normal, gap and force, and its bodies.
enum {
    RECORD_CONTACT_NUMBERS = 11,
    RECORD_NAME = 512,  // characters of a side at most
};
typedef struct record_contact {
    double numbers[RECORD_CONTACT_NUMBERS];
    tml_body a, b;
    int deformable, vertex, surface_point;  // what touches b; -1: body a
} record_contact;

struct tml_recorder {
    const record_format* format;
    FILE* stream;
    FILE* contacts;          // beside it; NULL: not asked for
    const tml_model* model;  // borrowed
    int wanted;              // TML_RECORD_..., as asked for
    int columns;             // those of the table
    int count;               // columns of the table, the time included
    double* values;          // of the state to be written, one a column
    int error;               // the first one, as errno has it; 0: none
    bool is_finished;
    long long bytes;  // put so far

    struct mcap_log* log;  // of MCAP

    // of a table of lines: what a reader finds in the file, and where its last whole line ends
    long long lines, file_bytes, line_end;

    // formats that are written in one piece keep the states until then, on disk
    spool states, touches;
    bool keeps_contacts;
    const double* kept;  // all of them, while a piece is written
    size_t kept_rows;
    const record_contact* kept_contacts;
    size_t contact_count;

    char* path;  // of a file that is written in one piece; NULL: at the end only
    char* part;  // where it grows
    size_t whole_rows;
    double whole_cost;  // s, of the last time
    FILE* next;         // `part`, open, with room for the next time; NULL: none
    long long reserved, first_bytes;

    double flushed;  // s, when something last went to the file
    size_t used;
    char buffer[RECORD_BUFFER];
};

// ---- bytes of the file

void tml__record_put(tml_recorder* r, const void* bytes, size_t length);
void tml__record_flush(tml_recorder* r);
// Write over bytes that were put before, in a file that can be gone back in.
void tml__record_patch(tml_recorder* r, long long at, const void* bytes, size_t length);
static inline void record_put_u16(tml_recorder* r, uint16_t x) { tml__record_put(r, &x, 2); }
static inline void record_put_u32(tml_recorder* r, uint32_t x) { tml__record_put(r, &x, 4); }
static inline void record_put_u64(tml_recorder* r, uint64_t x) { tml__record_put(r, &x, 8); }

// ---- columns

// Each column in turn, as its element ("" for the time and the gap) and what follows the point.
typedef void (*record_name)(void* to, const char* element, const char* suffix);
void tml__record_names(const tml_model* model, int columns, record_name put, void* to);

// Keep r->values until the file is written.
bool tml__record_keep(tml_recorder* r);

// ---- files that are written in one piece (record_whole.c)

bool tml__record_whole_begin(tml_recorder* r, const char* path);  // false without memory or room
void tml__record_whole_write(tml_recorder* r);                    // when it is due
void tml__record_whole_end(tml_recorder* r);

// ---- contacts (record_contacts.c)

// Take away what an older recording of that name left beside it.
void tml__record_contacts_forget(const tml_recorder* r, const char* path);
tml_status tml__record_contacts_open(tml_recorder* r, const char* path, message* why);
void tml__record_contacts_write(tml_recorder* r, const tml_sim* sim);
// The name of a side, a (0) or b (1), as the columns of a recording have it; `room` for that of a vertex.
const char* tml__record_contact_name(const tml_model* model, const record_contact* c, int side,
                                     char room[RECORD_NAME]);
void tml__record_contacts_keep(tml_recorder* r, const tml_sim* sim);
int tml__record_contacts_close(tml_recorder* r);  // the error, as errno has it; 0: none

extern const record_format tml__record_csv;
extern const record_format tml__record_npz;
extern const record_format tml__record_glb;
extern const record_format tml__record_mcap;

#endif
