// io/scene_control.c - a CONTROL of the scene format: a number, a sine or a table.
#include "io/scene_internal.h"

#include <stdio.h>

bool tml__is_control(const json* value)
{
    return value->kind == JSON_NUMBER || tml__json_find(value, "sine") != NULL ||
           tml__json_find(value, "table") != NULL;
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

static tml_control read_table(const element* e, const json* list, const char* what)
{
    reader* r = e->r;
    tml_control control = {.kind = TML_CONTROL_TABLE};
    static const char* const words[] = {"linear", "cubic", NULL};
    if (tml__read_word(e, "interpolation", words) == 1) control.kind = TML_CONTROL_CUBIC;

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
        if (i > 0 && !(pair[0] > times[i - 1])) {
            tml__refuse(
                r, item, TML_BAD_ARGUMENT,
                "the times in the table of %s must increase strictly, but %g s follows %g s", what,
                pair[0], times[i - 1]);
        }
        times[i] = pair[0];
        samples[i] = pair[1];
        i++;
    }
    control.count = count;
    control.times = times;
    control.samples = samples;
    return control;
}

tml_control tml__control(reader* r, const json* value, const char* what)
{
    static const char* const sine_keys[] = {"sine", NULL};
    static const char* const table_keys[] = {"table", "interpolation", NULL};

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
    tml__refuse(r, value, TML_BAD_ARGUMENT,
                "%s must be a number, a {\"sine\": ...} or a {\"table\": ...}, not %s", what,
                tml__json_kind_name(value));
    return (tml_control){.kind = TML_CONTROL_NONE};
}
