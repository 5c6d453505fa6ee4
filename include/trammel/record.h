// trammel/record.h - recordings: one line a step, columns as design.md section 6 names them.
#ifndef TRAMMEL_RECORD_H
#define TRAMMEL_RECORD_H

#include <trammel/sim.h>

TML_BEGIN_C

typedef struct tml_recorder tml_recorder;  // opaque

enum {
    TML_RECORD_POSE = 1,
    TML_RECORD_VELOCITY = 2,
    TML_RECORD_JOINTS = 4,  // loads, free coordinates (hinge.rx) and their rates (hinge.rx.rate)
    TML_RECORD_ENERGY = 8,
    TML_RECORD_GAP = 16,
    TML_RECORD_SENSORS = 64,   // NAME, or NAME.x, .y, .z, or NAME.w to .z (trammel/sensor.h)
    TML_RECORD_CONTACTS = 32,  // X.contacts.csv beside X.csv; arrays contacts.t, ... in X.npz
};

// Parse "pose,velocity,gap"; 0 when a word is unknown (then *bad points at it).
TML_API int tml_record_find(const char* list, int* columns, const char** bad);

// The columns of a file of this name where nobody says: pose and velocity; of .mcap, which is for
// other tools to look at, all of them.
TML_API int tml_record_usual(const char* path);

// Create the file. The format follows the ending: .csv, .npz, .glb or .mcap. From the first state on what is
// there can be read, whatever ends the program; docs/view.md says how much of it.
// The message goes to `why` (capacity bytes) when it fails.
TML_API tml_status tml_recorder_create(const tml_sim* sim, const char* path, int columns, char* why,
                                       size_t capacity, tml_recorder** out);

// Append the current state of the simulation (of the same model).
TML_API tml_status tml_recorder_write(tml_recorder* recorder, const tml_sim* sim);

// Before a run: whether the disk has room for so many states. TML_BAD_FILE with a sentence in `why`
// when not even the fewest bytes that they can take would fit; TML_OK promises nothing.
TML_API tml_status tml_recorder_expect(const tml_recorder* recorder, long long states, char* why,
                                       size_t capacity);

// Finish the file, after which no state can be written: the status says whether everything reached it,
// tml_recorder_states how much did.
TML_API tml_status tml_recorder_finish(tml_recorder* recorder);

// States that a reader finds in the file at this moment.
TML_API long long tml_recorder_states(const tml_recorder* recorder);

// Finish the file where that is not done yet, with the same status. The recorder is gone.
TML_API tml_status tml_recorder_close(tml_recorder* recorder);

TML_END_C

#endif
