// fuzz/recording.c - any bytes as a recording: libFuzzer looks for those that crash.
//
// An archive starts with PK; everything else is read as a table, and as a table of contacts.
#include "base/memory.h"
#include "io/recording.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef tml_status (*read_recording)(tml_recording* r, const recording_text* from);

// The readers change the bytes, so each has its own.
static void read_as(const uint8_t* data, size_t size, const char* name, read_recording read)
{
    message why = {{0}};
    tml_recording* r = tml__allocate(NULL, 1, sizeof *r);
    char* bytes = tml__allocate(NULL, size + 1, 1);
    if (r != NULL && bytes != NULL) {
        const recording_text from = {name, bytes, size, &why};
        memcpy(bytes, data, size);
        (void)read(r, &from);
    }
    tml__release(NULL, bytes);
    tml_recording_destroy(r);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size > 1 && data[0] == 'P' && data[1] == 'K') {
        read_as(data, size, "fuzz.npz", tml__recording_read_npz);
        return 0;
    }
    read_as(data, size, "fuzz.csv", tml__recording_read_csv);
    read_as(data, size, "fuzz.contacts.csv", tml__recording_read_contacts);
    return 0;
}
