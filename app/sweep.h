// app/sweep.h - what other commands do with the rows of a sweep.
#ifndef TRAMMEL_APP_SWEEP_H
#define TRAMMEL_APP_SWEEP_H

#include "app/app.h"

// Run one row once more and record it, the scene beside the recording. An exit code, with an error line.
int sweep_record_row(tml_sweep* sweep, tml_scene* scene, long long row, const char* path,
                     int columns);

#endif
