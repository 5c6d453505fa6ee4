// viewer/packets.c - a frame: magic, serial, index, count, time, floats, contacts, flags, 0, then the floats.
// A series: magic, the request's number, points, lists, then times and the lists.
#include "viewer/packets.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    FRAME_MAGIC = 0x464c4d54,
    SERIES_MAGIC = 0x534c4d54,
};

static void put_u32(text* t, uint32_t x) { text_put_bytes(t, &x, sizeof x); }

void packet_frame(const stage* s, unsigned serial, text* out)
{
    const stage_frame* f = s->frames[s->shown];
    const size_t floats = (size_t)s->width + STAGE_CONTACT * (size_t)f->contact_count;
    put_u32(out, FRAME_MAGIC);
    put_u32(out, serial);
    put_u32(out, (uint32_t)s->shown);
    put_u32(out, (uint32_t)s->frame_count);
    text_put_bytes(out, &f->time, sizeof f->time);
    put_u32(out, (uint32_t)s->width);
    put_u32(out, (uint32_t)f->contact_count);
    put_u32(out, s->ghost != NULL ? 1 : 0);
    put_u32(out, 0);
    text_put_bytes(out, f->values, floats * sizeof(float));
}

void packet_series(const stage* s, const command_request* wanted, text* out)
{
    const size_t lists = (size_t)wanted->count + 1;
    float* values = malloc(lists * SERIES_POINTS * sizeof *values);
    if (values == NULL) {
        out->is_broken = true;
        return;
    }
    const int points = stage_series(s, wanted->offsets, wanted->count, SERIES_POINTS, values);
    put_u32(out, SERIES_MAGIC);
    put_u32(out, wanted->id);
    put_u32(out, (uint32_t)points);
    put_u32(out, (uint32_t)wanted->count);
    text_put_bytes(out, values, lists * (size_t)points * sizeof *values);
    free(values);
}
