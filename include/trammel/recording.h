// trammel/recording.h - recordings read back: a table of numbers by column name, and contacts.
//
// Whatever the file says is checked: sizes before memory is taken, names, numbers, archives. A file
// that ends in the middle of a line, as after a crash, gives the lines before it.
#ifndef TRAMMEL_RECORDING_H
#define TRAMMEL_RECORDING_H

#include <trammel/model.h>

TML_BEGIN_C

typedef struct tml_recording tml_recording;  // opaque

// Read X.csv or X.npz, and the contacts of X.contacts.csv where it is there (in an NPZ they are
// arrays). TML_BAD_FILE with one line "FILE:LINE: what is wrong" in `why`, or TML_NO_MEMORY.
TML_API tml_status tml_recording_read_file(const char* path, char* why, size_t capacity,
                                           tml_recording** out);
TML_API void tml_recording_destroy(tml_recording* recording);  // NULL is fine

TML_API int tml_recording_column_count(const tml_recording* recording);
TML_API int tml_recording_row_count(const tml_recording* recording);
TML_API const char* tml_recording_column_name(const tml_recording* recording, int column);
// The column of that name, -1: none. Free coordinates were once JOINT.q0, JOINT.q1, ... in the order
// tx ty tz rx ry rz: asked for by these names they are found as JOINT.rx and so on.
TML_API int tml_recording_find(const tml_recording* recording, const char* name);

// The values of a column, row_count of them; NULL when there is no such column. Borrowed.
TML_API const double* tml_recording_column(const tml_recording* recording, int column);

// A line of X.contacts.csv. Names are borrowed from the recording.
typedef struct tml_recorded_contact {
    double time;
    const char* a;
    const char* b;
    tml_vec3 position;  // m, world axes, as all below
    tml_vec3 normal;    // from b to a
    double gap;         // m
    tml_vec3 force;     // on a, N
} tml_recorded_contact;

TML_API int tml_recording_contact_count(const tml_recording* recording);
TML_API const tml_recorded_contact* tml_recording_contacts(const tml_recording* recording);

TML_END_C

#endif
