// sweep/layout.c - the places of everything in the file: ZIP [PKWARE APPNOTE 6.3.9] around NPY arrays.
#include "sweep/layout.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they stand");

enum {
    LOCAL_EXTRA = 20,    // sizes in 64 bits
    CENTRAL_EXTRA = 28,  // and the place
    END_64 = 56,
    VERSION = 20,
    VERSION_64 = 45,
    NAMES_ARE_UTF8 = 0x800,
    FIRST_DATE = 0x21,  // 1980-01-01: files of the same sweep are the same bytes
};

// ---- bytes

typedef struct bytes {
    unsigned char* at;  // NULL: only counted
    size_t count;
} bytes;

static void put(bytes* b, const void* from, size_t count)
{
    if (b->at != NULL) memcpy(b->at + b->count, from, count);
    b->count += count;
}

static void put_16(bytes* b, unsigned x)
{
    const uint16_t value = (uint16_t)x;
    put(b, &value, sizeof value);
}

static void put_32(bytes* b, uint32_t x) { put(b, &x, sizeof x); }
static void put_64(bytes* b, uint64_t x) { put(b, &x, sizeof x); }

// ---- headers

// What a header and its line of the directory have in common.
static void put_fields(bytes* b, const layout* l, const layout_member* m, size_t extra)
{
    const uint32_t size = l->is_large ? UINT32_MAX : (uint32_t)m->size;
    put_16(b, l->is_large ? VERSION_64 : VERSION);
    put_16(b, NAMES_ARE_UTF8);
    put_16(b, 0);  // stored
    put_16(b, 0);  // time
    put_16(b, FIRST_DATE);
    put_32(b, m->crc);
    put_32(b, size);
    put_32(b, size);
    put_16(b, (unsigned)m->name_length);
    put_16(b, (unsigned)extra);
}

static void put_sizes(bytes* b, const layout_member* m, bool has_place)
{
    put_16(b, 1);  // sizes in 64 bits
    put_16(b, has_place ? 24 : 16);
    put_64(b, m->size);
    put_64(b, m->size);
    if (has_place) put_64(b, m->header);
}

size_t tml__layout_header(const layout* l, int index, unsigned char* out)
{
    const layout_member* m = &l->members[index];
    bytes b = {out, 0};
    put(&b, "PK\3\4", 4);
    put_fields(&b, l, m, l->is_large ? LOCAL_EXTRA : 0);
    put(&b, m->name, m->name_length);
    if (l->is_large) put_sizes(&b, m, false);
    put(&b, m->head, m->head_length);
    return b.count;
}

static void put_end_64(bytes* b, const layout* l, uint64_t size)
{
    put(b, "PK\6\6", 4);
    put_64(b, END_64 - 12);  // that follow
    put_16(b, VERSION_64);
    put_16(b, VERSION_64);
    put_32(b, 0);
    put_32(b, 0);
    put_64(b, (uint64_t)l->count);
    put_64(b, (uint64_t)l->count);
    put_64(b, size);
    put_64(b, l->directory);
    put(b, "PK\6\7", 4);
    put_32(b, 0);
    put_64(b, l->directory + size);
    put_32(b, 1);
}

size_t tml__layout_directory(const layout* l, unsigned char* out)
{
    bytes b = {out, 0};
    for (int i = 0; i < l->count; i++) {
        const layout_member* m = &l->members[i];
        put(&b, "PK\1\2", 4);
        put_16(&b, l->is_large ? VERSION_64 : VERSION);
        put_fields(&b, l, m, l->is_large ? CENTRAL_EXTRA : 0);
        put_16(&b, 0);  // no comment
        put_16(&b, 0);  // disk
        put_16(&b, 0);  // attributes
        put_32(&b, 0);
        put_32(&b, l->is_large ? UINT32_MAX : (uint32_t)m->header);
        put(&b, m->name, m->name_length);
        if (l->is_large) put_sizes(&b, m, true);
    }
    const size_t size = b.count;
    const unsigned count = l->is_large ? UINT16_MAX : (unsigned)l->count;
    if (l->is_large) put_end_64(&b, l, size);
    put(&b, "PK\5\6", 4);
    put_16(&b, 0);
    put_16(&b, 0);
    put_16(&b, count);
    put_16(&b, count);
    put_32(&b, l->is_large ? UINT32_MAX : (uint32_t)size);
    put_32(&b, l->is_large ? UINT32_MAX : (uint32_t)l->directory);
    put_16(&b, 0);
    return b.count;
}

// ---- members

// The header of an NPY array [NEP 1], padded so that it is a multiple of 64.
static void write_head(layout_member* m, const char* type, long long rows, int width)
{
    char shape[64];
    char text[MEMBER_HEAD];
    if (width > 0) {
        snprintf(shape, sizeof shape, "(%lld, %d)", rows, width);
    } else {
        snprintf(shape, sizeof shape, "(%lld,)", rows);
    }
    const int length = snprintf(
        text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    m->head_length = ((size_t)length + 10 + 1 + 63) / 64 * 64;
    const uint16_t rest = (uint16_t)(m->head_length - 10);
    memset(m->head, ' ', m->head_length);
    memcpy(m->head, "\x93NUMPY\1\0", 8);
    memcpy(m->head + 8, &rest, sizeof rest);
    memcpy(m->head + 10, text, (size_t)length);
    m->head[m->head_length - 1] = '\n';
}

typedef struct builder {
    layout* l;
    const tml_sweep* s;
    bool is_whole;
} builder;

static layout_member* add(builder* b, const char* name, const char* suffix)
{
    layout_member* m = &b->l->members[b->l->count++];
    const size_t length = strlen(name) + strlen(suffix);
    char* text = tml__pool_take(&b->l->memory, length + 1, 1);
    if (text == NULL) {
        b->is_whole = false;
        m->name = "";
        return m;
    }
    snprintf(text, length + 1, "%s%s", name, suffix);
    m->name = text;
    m->name_length = length;
    return m;
}

static void add_rows(builder* b, const char* name, const char* type, size_t bytes_of_one, int width)
{
    layout_member* m = add(b, name, ".npy");
    const size_t rows = (size_t)b->s->rows;
    size_t size = 0;
    write_head(m, type, b->s->rows, width);
    m->row_bytes = bytes_of_one * (size_t)(width > 0 ? width : 1);
    if (!tml__size_mul(rows, m->row_bytes, &size) || size > SIZE_MAX / 4) b->is_whole = false;
    m->size = m->head_length + size;
}

static void add_text(builder* b, const char* name, const char* text)
{
    if (text == NULL) return;
    layout_member* m = add(b, name, "");
    const size_t length = strlen(text);
    m->data = tml__pool_copy(&b->l->memory, text, length + 1, 1);
    if (m->data == NULL) b->is_whole = false;
    m->size = length;
}

// The times of a series.
static void add_times(builder* b, const tml_sweep_record* r)
{
    layout_member* m = add(b, r->name, ".time.npy");
    const int count = b->s->def.steps / r->every + 1;
    double* times = tml__pool_take(&b->l->memory, (size_t)count, sizeof *times);
    if (times == NULL) {
        b->is_whole = false;
        return;
    }
    for (int i = 0; i < count; i++) times[i] = (double)i * r->every * b->s->settings.step;
    write_head(m, "<f8", count, 0);
    m->data = times;
    m->size = m->head_length + (size_t)count * sizeof *times;
}

static void add_members(builder* b, const char* scene, const char* sweep)
{
    const tml_sweep* s = b->s;
    char reason[16];
    snprintf(reason, sizeof reason, "|S%d", (int)TML_SWEEP_REASON);
    add_rows(b, "status", "|i1", 1, 0);
    add_rows(b, "halvings", "|i1", 1, 0);
    add_rows(b, "end", "<f8", sizeof(double), 0);
    add_rows(b, "reason", reason, TML_SWEEP_REASON, 0);
    for (int i = 0; i < s->def.parameter_count; i++) {
        add_rows(b, s->def.parameters[i].name, "<f8", sizeof(double), 0);
    }
    b->l->results = b->l->count;
    for (int i = 0; i < s->column_count; i++) {
        const tml_sweep_column* c = &s->columns[i];
        const bool is_list = c->is_gradient || s->def.records[c->record].take == TML_TAKE_SERIES;
        add_rows(b, c->name, "<f8", sizeof(double), is_list ? c->width : 0);
    }
    for (int i = 0; i < s->def.record_count; i++) {
        if (s->def.records[i].take == TML_TAKE_SERIES) add_times(b, &s->def.records[i]);
    }
    add_text(b, "trammel.version", tml_version());
    add_text(b, "scene.json", scene);
    add_text(b, "sweep.json", sweep);
}

static void set_places(layout* l)
{
    uint64_t at = 0;
    for (int i = 0; i < l->count; i++) {
        layout_member* m = &l->members[i];
        m->header = at;
        m->start = at + tml__layout_header(l, i, NULL);
        at = m->start - m->head_length + m->size;
    }
    l->directory = at;
    l->total = at + tml__layout_directory(l, NULL);
}

static uint32_t checksum(const layout_member* m)
{
    const uLong crc = crc32(0, m->head, (uInt)m->head_length);
    return (uint32_t)crc32_z(crc, m->data, (size_t)m->size - m->head_length);
}

tml_status tml__layout_create(const tml_sweep* s, const char* scene, const char* sweep,
                              message* why, layout* out)
{
    const size_t most = (size_t)MEMBER_PARAMETERS + (size_t)s->def.parameter_count +
                        (size_t)s->column_count + (size_t)s->def.record_count + 3;
    *out = (layout){.count = 0};
    builder b = {out, s, true};
    out->members = tml__pool_take(&out->memory, most, sizeof *out->members);
    if (out->members == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    add_members(&b, scene, sweep);
    if (!b.is_whole) {
        tml__layout_destroy(out);
        return tml__fail(why, TML_NO_MEMORY, "the table of results is too large");
    }
    set_places(out);
    if (out->total > UINT32_MAX || out->count >= UINT16_MAX) {
        out->is_large = true;
        set_places(out);
    }
    for (int i = 0; i < out->count; i++) {
        if (out->members[i].data != NULL) out->members[i].crc = checksum(&out->members[i]);
    }
    return TML_OK;
}

void tml__layout_destroy(layout* l)
{
    tml__pool_destroy(&l->memory);
    *l = (layout){.count = 0};
}
