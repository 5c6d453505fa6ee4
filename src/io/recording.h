// io/recording.h - the inside of a recording that was read.
#ifndef TML_IO_RECORDING_H
#define TML_IO_RECORDING_H

#include "base/message.h"
#include "base/pool.h"
#include "model/names.h"

#include <trammel/recording.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Beyond these a file is refused rather than read: it would not fit most machines anyway.
#define RECORDING_MAX_BYTES  ((size_t)(sizeof(size_t) > 4 ? 1ull << 32 : SIZE_MAX))  // of the file
#define RECORDING_MAX_VALUES ((size_t)1 << 29)  // rows x columns
enum {
    RECORDING_MAX_COLUMNS = 1 << 24,
    RECORDING_MAX_CONTACTS = 1 << 24,
};

struct tml_recording {
    pool memory;  // names, contacts
    int column_count, row_count;
    const char** names;
    double* values;     // column by column
    name_table* index;  // columns by name
    int contact_count;
    tml_recorded_contact* contacts;
};

// A name of the file, which is where `why` places the blame, and its bytes with a zero behind them.
typedef struct recording_text {
    const char* path;
    char* bytes;
    size_t length;
    message* why;
} recording_text;

// Take memory for the table once its size is known, and index the names, which are in the recording.
tml_status tml__recording_take_table(tml_recording* r, const recording_text* from, size_t rows);

tml_status tml__recording_read_csv(tml_recording* r, const recording_text* from);
tml_status tml__recording_read_contacts(tml_recording* r, const recording_text* from);
// Whether the last bytes of an archive of `size` bytes can be the end of one.
tml_status tml__recording_check_npz(const char* tail, size_t length, size_t size, const char* path,
                                    message* why);
tml_status tml__recording_read_npz(tml_recording* r, const recording_text* from);

// The numbers of a contact after its names, in the order of the file.
enum {
    CONTACT_NUMBERS = 11  // t, then px to fz
};
void tml__recording_set_contact(tml_recorded_contact* c, const double values[CONTACT_NUMBERS]);

#endif
