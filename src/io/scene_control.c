// io/scene_control.c - a CONTROL of the scene format: a number, a sine, a table or a column of a recording.
#include "io/scene_internal.h"

#include <math.h>
#include <stdio.h>

bool tml__is_control(const json* value)
{
    return value->kind == JSON_NUMBER || tml__json_find(value, "sine") != NULL ||
           tml__json_find(value, "table") != NULL || tml__json_find(value, "recording") != NULL;
}

static tml_control read_sine(reader* r, const json* value, const char* what)
{
    static const char* const keys[] = {"offset", "amplitude", "frequency", "phase", NULL};
    char kind[180];
    snprintf(kind, sizeof kind, "sine of %.150s", what);
    const element e = tml__open(r, value, kind, -1, keys);

    tml_control control = tml_control_sine(0.0, 0.0, 0.0, 0.0);
    tml__read_number(&e, "offset", ANY_NUMBER, &control.value);
    if (tml__need(&e, "amplitude") != NULL) {
        tml__read_number(&e, "amplitude", ANY_NUMBER, &control.amplitude);
    }
    if (tml__need(&e, "frequency") != NULL) {
        tml__read_number(&e, "frequency", ANY_NUMBER, &control.frequency);
    }
    tml__read_number(&e, "phase", ANY_NUMBER, &control.phase);
    return control;
}

static tml_control_kind table_kind(const element* e)
{
    static const char* const words[] = {"linear", "cubic", NULL};
    return tml__read_word(e, "interpolation", words) == 1 ? TML_CONTROL_CUBIC : TML_CONTROL_TABLE;
}

static void refuse_time(reader* r, const json* at, const char* what, double time, double before)
{
    tml__refuse(r, at, TML_BAD_ARGUMENT,
                "the times in the table of %s must increase strictly, but %g s follows %g s", what,
                time, before);
}

static tml_control read_table(const element* e, const json* list, const char* what)
{
    reader* r = e->r;
    tml_control control = {.kind = table_kind(e)};

    char point[200];
    snprintf(point, sizeof point, "table of %.150s", what);
    if (!tml__is_list(r, list, point)) return control;
    const int count = tml__json_count(list);
    double* times = tml__take(r, count, sizeof *times);
    double* samples = tml__take(r, count, sizeof *samples);
    if (times == NULL || samples == NULL) return control;
    if (count == 0) tml__refuse(r, list, TML_BAD_ARGUMENT, "%s is empty", point);

    snprintf(point, sizeof point, "each point in the table of %.150s", what);
    int i = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        double pair[2] = {0.0, 0.0};
        tml__numbers(r, item, point, 2, pair);
        if (i > 0 && !(pair[0] > times[i - 1])) refuse_time(r, item, what, pair[0], times[i - 1]);
        times[i] = pair[0];
        samples[i] = pair[1];
        i++;
    }
    control.count = count;
    control.times = times;
    control.samples = samples;
    return control;
}

// A column of a recording, by its own times.
static tml_control read_column(const element* e, const char* what, const char* const own[2])
{
    reader* r = e->r;
    const json* at = tml__find(e, "recording");
    tml_control control = {.kind = table_kind(e)};
    const char* name = tml__read_text(e, "column");
    if (name == NULL && own == NULL) {
        tml__need(e, "column");
        return control;
    }
    const tml_recording* recording = tml__read_recording(e, "recording");
    if (recording == NULL) return control;
    if (name == NULL) name = tml_recording_find(recording, own[0]) >= 0 ? own[0] : NULL;
    if (name == NULL) name = tml_recording_find(recording, own[1]) >= 0 ? own[1] : own[0];
    const double* from_times = tml__recording_column(r, at, recording, "t");
    const double* from_samples = tml__recording_column(r, at, recording, name);
    const int count = tml_recording_row_count(recording);
    if (from_times == NULL || from_samples == NULL) return control;
    if (count == 0) tml__refuse(r, at, TML_BAD_ARGUMENT, "the recording of %s is empty", what);
    double* times = tml__take(r, count, sizeof *times);
    double* samples = tml__take(r, count, sizeof *samples);
    if (times == NULL || samples == NULL) return control;
    for (int i = 0; i < count && r->status == TML_OK; i++) {
        times[i] = from_times[i];
        samples[i] = from_samples[i];
        if (i > 0 && !(times[i] > times[i - 1])) refuse_time(r, at, what, times[i], times[i - 1]);
        if (!isfinite(times[i]) || !isfinite(samples[i])) {
            tml__refuse(r, at, TML_BAD_ARGUMENT, "row %d of '%.200s' in the recording is no number",
                        i + 1, name);
        }
    }
    control.count = count;
    control.times = times;
    control.samples = samples;
    return control;
}

tml_control tml__control(reader* r, const json* value, const char* what)
{
    return tml__control_of(r, value, what, NULL);
}

tml_control tml__control_of(reader* r, const json* value, const char* what,
                            const char* const own[2])
{
    static const char* const sine_keys[] = {"sine", NULL};
    static const char* const table_keys[] = {"table", "interpolation", NULL};
    static const char* const column_keys[] = {"recording", "column", "interpolation", NULL};

    if (value->kind == JSON_NUMBER) return tml_control_constant(value->number);

    const json* sine = tml__json_find(value, "sine");
    const json* table = tml__json_find(value, "table");
    if (sine != NULL) {
        tml__open(r, value, what, -1, sine_keys);
        return read_sine(r, sine, what);
    }
    if (table != NULL) {
        const element e = tml__open(r, value, what, -1, table_keys);
        return read_table(&e, table, what);
    }
    if (tml__json_find(value, "recording") != NULL) {
        const element e = tml__open(r, value, what, -1, column_keys);
        return read_column(&e, what, own);
    }
    tml__refuse(r, value, TML_BAD_ARGUMENT,
                "%s must be a number, a {\"sine\": ...}, a {\"table\": ...} or a "
                "{\"recording\": ...}, not %s",
                what, tml__json_kind_name(value));
    return (tml_control){.kind = TML_CONTROL_NONE};
}
