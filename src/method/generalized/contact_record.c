// method/generalized/contact_record.c - the record of a step that touches, into bytes and back.
#include "method/generalized/contact_record.h"

#include <string.h>

typedef struct header {
    int rows, equal, limits, dry, contacts, left_out;
    size_t entries;
    bool has_shift;
    lcp_report report;
} header;

typedef struct part {
    void* data;
    size_t bytes;
} part;

enum {
    MAX_PARTS = 21
};

static header header_of(const gen_touch* c)
{
    header h;
    memset(&h, 0, sizeof h);  // padding is copied with it
    h.rows = c->rows->count;
    h.equal = c->equal_count;
    h.limits = c->limit_count;
    h.dry = c->dry_count;
    h.contacts = c->contact_count;
    h.left_out = c->left_out;
    h.entries = c->rows->count > 0 ? c->rows->start[c->rows->count] : 0;
    for (int k = 0; k < c->motion->tree->column_count; k++) {
        h.has_shift = h.has_shift || c->shift[k] != 0.0;
    }
    h.report = c->report;
    return h;
}

// clang-format off
static int list_parts(const header* h, gen_touch* c, contact* contacts, part list[MAX_PARTS])
{
    gen_rows* r = c->rows;
    const size_t rows = (size_t)h->rows;
    const size_t count = (size_t)h->contacts;
    const size_t columns = (size_t)c->motion->tree->column_count;
    const part all[MAX_PARTS] = {
        {contacts,          count * sizeof *contacts},
        {r->start,          (rows + 1) * sizeof *r->start},
        {r->j,              h->entries * sizeof *r->j},
        {r->y,              h->entries * sizeof *r->y},
        {r->scale,          rows * sizeof *r->scale},
        {r->compliance,     rows * sizeof *r->compliance},
        {c->kinds,          rows * sizeof *c->kinds},
        {c->f,              rows * sizeof *c->f},
        {c->gap,            rows * sizeof *c->gap},
        {c->shift,          columns * sizeof *c->shift},
        {r->column,         h->entries * sizeof *r->column},
        {r->row,            rows * sizeof *r->row},
        {c->limit_side_of,  (size_t)h->limits * sizeof *c->limit_side_of},
        {c->contact_row,    count * sizeof *c->contact_row},
        {c->friction_rows,  count * sizeof *c->friction_rows},
        {c->offset_of,      count * sizeof *c->offset_of},
        {c->labels,         rows * sizeof *c->labels},
        {c->is_independent, rows * sizeof *c->is_independent},
        {c->f_shift,        h->has_shift ? rows * sizeof *c->f_shift : 0},
        {c->labels_shift,   h->has_shift ? rows * sizeof *c->labels_shift : 0},
        {c->kinds_shift,    h->has_shift ? rows * sizeof *c->kinds_shift : 0},
    };
    for (int i = 0; i < MAX_PARTS; i++) list[i] = all[i];
    return MAX_PARTS;
}
// clang-format on

size_t tml__gen_touch_record_bytes(const gen_touch* c)
{
    const header h = header_of(c);
    size_t bytes = sizeof h;
    part list[MAX_PARTS];
    gen_touch here = *c;
    const int count = list_parts(&h, &here, NULL, list);
    for (int i = 0; i < count; i++) bytes += list[i].bytes;
    return bytes;
}

void tml__gen_touch_record_take(gen_touch* c, contact* contacts, void* bytes)
{
    const header h = header_of(c);
    unsigned char* to = bytes;
    part list[MAX_PARTS];
    const int count = list_parts(&h, c, contacts, list);
    memcpy(to, &h, sizeof h);
    to += sizeof h;
    for (int i = 0; i < count; i++) {
        if (list[i].bytes > 0) memcpy(to, list[i].data, list[i].bytes);
        to += list[i].bytes;
    }
}

int tml__gen_touch_record_put(gen_touch* c, contact* contacts, const void* bytes)
{
    const unsigned char* from = bytes;
    header h;
    part list[MAX_PARTS];
    memcpy(&h, from, sizeof h);
    from += sizeof h;
    c->rows->count = h.rows;
    c->equal_count = h.equal;
    c->limit_count = h.limits;
    c->dry_count = h.dry;
    c->contact_count = h.contacts;
    c->left_out = h.left_out;
    c->report = h.report;
    const int count = list_parts(&h, c, contacts, list);
    for (int i = 0; i < count; i++) {
        if (list[i].bytes > 0) memcpy(list[i].data, from, list[i].bytes);
        from += list[i].bytes;
    }
    return h.contacts;
}
