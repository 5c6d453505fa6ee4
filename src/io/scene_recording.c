// io/scene_recording.c - recordings that a scene, targets or a problem name: what one run wrote, another follows.
#include "io/scene_internal.h"

#include <trammel/recording.h>

#include <string.h>

const tml_recording* tml__read_recording(const element* e, const char* key)
{
    reader* r = e->r;
    const char* path = tml__read_path(e, key);
    char why[512];
    if (path == NULL || r->status != TML_OK) return NULL;
    // the columns of a figure are asked for one after the other
    if (r->recording != NULL && strcmp(r->recording_path, path) == 0) return r->recording;
    tml__forget_recording(r);
    const tml_status status = tml_recording_read_file(path, why, sizeof why, &r->recording);
    if (status != TML_OK) tml__refuse(r, tml__find(e, key), status, "%.400s", why);
    r->recording_path = path;
    return r->recording;
}

void tml__forget_recording(reader* r)
{
    tml_recording_destroy(r->recording);
    r->recording = NULL;
}

const double* tml__recording_column(reader* r, const json* at, const tml_recording* recording,
                                    const char* name)
{
    const double* values = tml_recording_column(recording, tml_recording_find(recording, name));
    if (values == NULL && r->status == TML_OK) {
        tml__refuse(r, at, TML_BAD_ARGUMENT, "the recording has no column '%.200s'", name);
    }
    return values;
}
