// app/recorded.h - a recording and, where it can be found, the scene it was made from.
#ifndef TRAMMEL_APP_RECORDED_H
#define TRAMMEL_APP_RECORDED_H

#include "app/app.h"
#include "app/chart.h"

typedef struct recorded {
    const char* path;  // borrowed
    tml_recording* table;
    const double* times;
    char scene_path[4096];
    tml_scene* scene;  // NULL: not found
    tml_model* model;
} recorded;

// Whether a word of the command line names a recording, by its ending.
bool is_recording(const char* path);

// Read the recording and the scene of --scene or X.scene.json. An exit code; when it is not APP_DONE
// the error line is out. recorded_free is always safe.
int recorded_load(const char* path, const char* scene_path, recorded* out);
void recorded_free(recorded* r);

// The unit of a column by what stands behind its last point; "" when it has none.
const char* column_unit(const recorded* r, const char* name);

// Columns by a list of names with commas, '*' standing for anything; at most CHART_SERIES of them.
// -1, with an error line, when a name is unknown. Labels and values are borrowed from the recording.
int columns_find(const recorded* r, const char* list, chart_series out[CHART_SERIES]);

#endif
