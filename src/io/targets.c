// io/targets.c - TARGETS files: what points and orientations of bodies should reach, and when.
#include "base/memory.h"
#include "io/scene_internal.h"

#include <trammel/assemble.h>

#include <stdio.h>
#include <string.h>

enum {
    MAX_TARGETS = 10000,
    MAX_FILE = 1 << 28,
    MAX_STEPS = 1000000
};

// What a list of targets lives in.
typedef struct target_memory {
    pool scratch;
    json_document document;
} target_memory;

static void read_position(reader* r, const json* value, tml_target* out)
{
    if (!tml__is_list(r, value, "position of a target")) return;
    if (tml__json_count(value) != 3) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "position of a target must be a list of 3, not %d",
                    tml__json_count(value));
        return;
    }
    int k = 0;
    for (const json* item = value->first; item != NULL; item = item->next) {
        out->position[k++] = tml__control(r, item, "position of a target");
    }
    out->has_position = 1;
}

static tml_target read_target(reader* r, const json* value, int index)
{
    static const char* const keys[] = {"body", "point", "position", "orientation", "weight", NULL};
    const element e = tml__open(r, value, "target", index, keys);
    tml_target out = tml_target_default();

    const json* body = tml__need(&e, "body");
    if (body != NULL) out.body = tml__body(&e, body, "body");
    if (r->status == TML_OK && out.body.index < 0) {
        tml__refuse(r, body, TML_BAD_ARGUMENT,
                    "a target cannot be on the world, which never moves");
    }
    tml__read_vector(&e, "point", &out.point);
    tml__read_number(&e, "weight", POSITIVE, &out.weight);
    const json* position = tml__find(&e, "position");
    const json* orientation = tml__find(&e, "orientation");
    if (position != NULL) read_position(r, position, &out);
    if (orientation != NULL) {
        tml__read_orientation(&e, "orientation", &out.orientation);
        out.has_orientation = 1;
    }
    if (position == NULL && orientation == NULL) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s needs a position or an orientation", e.label);
    }
    return out;
}

static void read_targets(reader* r, const json* root, tml_targets* out)
{
    static const char* const keys[] = {"targets", "duration", "step", NULL};
    const element top = tml__open(r, root, "targets file", -1, keys);
    const json* list = tml__need(&top, "targets");
    if (list == NULL || !tml__is_list(r, list, "targets")) return;

    const int count = tml__json_count(list);
    if (count < 1 || count > MAX_TARGETS) {
        tml__refuse(r, list, TML_BAD_ARGUMENT, "targets must hold 1 to %d targets, not %d",
                    (int)MAX_TARGETS, count);
    }
    tml_target* targets = r->status == TML_OK ? tml__take(r, count, sizeof *targets) : NULL;
    int i = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        targets[i] = read_target(r, item, i);
        i++;
    }
    out->duration = 0.0;
    out->step = 0.01;
    tml__read_number(&top, "duration", NOT_NEGATIVE, &out->duration);
    tml__read_number(&top, "step", POSITIVE, &out->step);
    if (r->status == TML_OK && !(out->duration / out->step <= MAX_STEPS)) {
        tml__refuse(r, root, TML_BAD_ARGUMENT, "%g s in steps of %g s are too many steps",
                    out->duration, out->step);
    }
    out->list = targets;
    out->count = count;
}

static tml_status read_file(const char* path, tml_spec* spec, tml_targets* out, message* why)
{
    target_memory* memory = tml__allocate(NULL, 1, sizeof *memory);
    if (memory == NULL) return tml__fail(why, TML_NO_MEMORY, "%.300s: out of memory", path);
    out->memory = memory;
    const tml_status status = tml__json_open(path, MAX_FILE, &memory->document, why);
    if (status != TML_OK) return status;

    reader r = {.file = path, .spec = spec, .status = TML_OK};
    read_targets(&r, memory->document.root, out);
    tml__forget_recording(&r);
    memory->scratch = r.scratch;
    *why = r.why;
    return r.status;
}

tml_status tml_targets_read_file(const char* path, tml_spec* spec, tml_targets* out, char* why,
                                 size_t capacity)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    message text = {{0}};
    *out = (tml_targets){0};
    if (path == NULL || spec == NULL) return TML_BAD_ARGUMENT;
    const tml_status status = read_file(path, spec, out, &text);
    if (status != TML_OK) tml_targets_destroy(out);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

void tml_targets_destroy(tml_targets* targets)
{
    if (targets == NULL) return;
    target_memory* memory = targets->memory;
    if (memory != NULL) {
        tml__pool_destroy(&memory->scratch);
        tml__json_destroy(&memory->document);
        tml__release(NULL, memory);
    }
    *targets = (tml_targets){0};
}
