// app/shown.h - a recording on a stage, for `view` and `report`.
#ifndef TRAMMEL_APP_SHOWN_H
#define TRAMMEL_APP_SHOWN_H

#include "app/recorded.h"
#include "viewer/stage.h"

typedef struct shown_recording {
    recorded recorded;
    tml_spec* plain_spec;  // where no scene was found: bodies with nothing but their names
    tml_model* plain;
    stage stage;
    char note[1024];  // what a viewer should know; "" for nothing
} shown_recording;

// Read the recording and put it on the stage. An exit code; when it is not APP_DONE the error line is
// out. shown_close is always safe.
int shown_open(const char* path, const char* scene_path, size_t budget, shown_recording* out);
void shown_close(shown_recording* s);

#endif
