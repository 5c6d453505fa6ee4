// app/swept.h - the results of a sweep and, from the texts in them, the sweep itself: rows can be run again.
#ifndef TRAMMEL_APP_SWEPT_H
#define TRAMMEL_APP_SWEPT_H

#include "app/app.h"

#include <stdio.h>

typedef struct swept {
    const char* path;  // borrowed
    tml_sweep_results* results;
    tml_scene* scene;
    tml_model* model;
    tml_sweep_def def;
    tml_sweep* sweep;
} swept;

// Is it one? Whatever else may keep a reader waiting for ever.
bool is_plain_file(const char* path);

// Whether a file is what `trammel sweep` writes, as its first bytes say.
bool is_swept(const char* path);

// An exit code; when it is not APP_DONE the error line is out. swept_close is always safe.
int swept_open(const char* path, swept* out);
void swept_close(swept* s);

// One page with the table of the results, surfaces, histograms and failures. `is_served`: rows are links to row/N.
void swept_put_page(FILE* to, const swept* s, bool is_served);

// `trammel report` and `trammel view` of a sweep.
int swept_report(const char* path, const char* out);
int swept_serve(const char* path, int port, void (*announce)(void* context, const char* address),
                void* context, volatile int* stop);

// Run a row again and record it into a file that `path` (4096 bytes) receives; swept_forget_row removes it. An exit code.
int swept_record_row(const swept* s, long long row, char path[4096]);
void swept_forget_row(const char* path);

#endif
