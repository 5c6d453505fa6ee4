// io/recording_npz.c - recordings read from a ZIP archive of numpy arrays.
//
// Only what a recording needs is understood: entries that are stored or deflated, arrays of one
// dimension with little-endian doubles, floats or, for the names of contacts, characters. Every
// number of the archive is checked against the bytes that are there before it is used.
#include "base/memory.h"
#include "io/recording.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END_RECORD = 22,
    ENTRY_RECORD = 46,
    LOCAL_RECORD = 30,
    END64_LOCATOR = 20,
    END64_RECORD = 56,
};

typedef struct zip {
    const recording_text* from;
    const unsigned char* bytes;
    size_t length;
    size_t directory;      // where it starts
    size_t count;          // entries that it promises
    unsigned char* plain;  // the entry being read
    size_t plain_capacity;
} zip;

typedef struct zip_entry {
    int method;
    uint32_t crc;
    size_t packed, plain, offset;
    const char* name;  // not terminated
    size_t name_length;
} zip_entry;

// An array inside zip.plain.
typedef struct array {
    char kind;     // 'd', 'f' or 'U'
    size_t width;  // bytes of an item
    size_t count;
    const unsigned char* data;
} array;

static tml_status refuse(const zip* z, const char* what)
{
    return tml__fail(z->from->why, TML_BAD_FILE, "%.300s: %s", z->from->path, what);
}

static tml_status refuse_entry(const zip* z, const zip_entry* e, const char* what)
{
    const int shown = e->name_length < 200 ? (int)e->name_length : 200;
    return tml__fail(z->from->why, TML_BAD_FILE, "%.300s: array '%.*s': %s", z->from->path, shown,
                     e->name, what);
}

static uint64_t read_le(const unsigned char* p, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes - 1; i >= 0; i--) x = x << 8 | p[i];
    return x;
}

// ---- the directory

static bool is_mark(const zip* z, size_t at, char c3, char c4)
{
    const unsigned char* p = z->bytes + at;
    return p[0] == 'P' && p[1] == 'K' && p[2] == (unsigned char)c3 && p[3] == (unsigned char)c4;
}

// Where the record stands that ends an archive.
static tml_status find_end(const zip* z, size_t* end)
{
    if (z->length < END_RECORD) return refuse(z, "this is no NPZ archive");
    size_t at = z->length - END_RECORD;
    const size_t lowest = at > 0xffff ? at - 0xffff : 0;
    while (!is_mark(z, at, 5, 6)) {
        if (at == lowest) return refuse(z, "this is no NPZ archive, or it is cut short");
        at--;
    }
    *end = at;
    return TML_OK;
}

static tml_status find_directory(zip* z)
{
    size_t at = 0;
    const tml_status status = find_end(z, &at);
    if (status != TML_OK) return status;
    uint64_t count = read_le(z->bytes + at + 10, 2);
    uint64_t size = read_le(z->bytes + at + 12, 4);
    uint64_t start = read_le(z->bytes + at + 16, 4);
    if (count == 0xffff && at >= END64_LOCATOR && is_mark(z, at - END64_LOCATOR, 6, 7)) {
        const uint64_t record = read_le(z->bytes + at - END64_LOCATOR + 8, 8);
        if (z->length < END64_RECORD || record > z->length - END64_RECORD ||
            !is_mark(z, (size_t)record, 6, 6)) {
            return refuse(z, "its ZIP64 directory is damaged");
        }
        count = read_le(z->bytes + record + 32, 8);
        size = read_le(z->bytes + record + 40, 8);
        start = read_le(z->bytes + record + 48, 8);
    }
    const bool fits = start <= z->length && size <= z->length - start &&
                      count <= size / ENTRY_RECORD && count <= RECORDING_MAX_COLUMNS;
    if (!fits) return refuse(z, "its directory is damaged");
    z->directory = (size_t)start;
    z->count = (size_t)count;
    return TML_OK;
}

// The entry at *at of the directory; moves *at behind it.
static tml_status read_entry(const zip* z, size_t* at, zip_entry* e)
{
    if (z->length - *at < ENTRY_RECORD || !is_mark(z, *at, 1, 2)) {
        return refuse(z, "its directory is damaged");
    }
    const unsigned char* p = z->bytes + *at;
    const size_t name = (size_t)read_le(p + 28, 2);
    const size_t rest = name + (size_t)read_le(p + 30, 2) + (size_t)read_le(p + 32, 2);
    if (z->length - *at - ENTRY_RECORD < rest) return refuse(z, "its directory is damaged");
    *e = (zip_entry){
        .method = (int)read_le(p + 10, 2),
        .crc = (uint32_t)read_le(p + 16, 4),
        .packed = (size_t)read_le(p + 20, 4),
        .plain = (size_t)read_le(p + 24, 4),
        .offset = (size_t)read_le(p + 42, 4),
        .name = (const char*)p + ENTRY_RECORD,
        .name_length = name,
    };
    *at += ENTRY_RECORD + rest;
    if (name < 5 || memcmp(e->name + name - 4, ".npy", 4) != 0) {
        return refuse_entry(z, e, "its name does not end with .npy");
    }
    e->name_length -= 4;
    if (memchr(e->name, '\0', e->name_length) != NULL) return refuse(z, "a name holds a zero byte");
    return TML_OK;
}

// ---- an array

static tml_status inflate_entry(zip* z, const zip_entry* e, const unsigned char* data)
{
    z_stream s = {0};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK) {
        return tml__fail(z->from->why, TML_NO_MEMORY, "%.300s: out of memory", z->from->path);
    }
    // zlib reads through a pointer that is not const
    memcpy(&s.next_in, &data, sizeof data);
    s.avail_in = (uInt)e->packed;
    s.next_out = z->plain;
    s.avail_out = (uInt)e->plain;
    const int status = inflate(&s, Z_FINISH);
    const size_t total = (size_t)s.total_out;
    inflateEnd(&s);
    if (status != Z_STREAM_END || total != e->plain) {
        return refuse_entry(z, e, "its bytes do not unpack");
    }
    return TML_OK;
}

static tml_status unpack(zip* z, const zip_entry* e)
{
    if (z->length < LOCAL_RECORD || e->offset > z->length - LOCAL_RECORD ||
        !is_mark(z, e->offset, 3, 4)) {
        return refuse_entry(z, e, "it is not where the directory says");
    }
    const unsigned char* p = z->bytes + e->offset;
    const size_t skip = LOCAL_RECORD + (size_t)read_le(p + 26, 2) + (size_t)read_le(p + 28, 2);
    const size_t left = z->length - e->offset;
    if (left < skip || left - skip < e->packed) return refuse_entry(z, e, "it is cut short");
    // deflate shrinks at most about a thousandfold: a larger promise is a trap
    if (e->plain / 1100 > e->packed + 64) return refuse_entry(z, e, "its size cannot be true");
    if (e->plain > z->plain_capacity) {
        tml__release(NULL, z->plain);
        z->plain_capacity = 0;
        z->plain = tml__allocate(NULL, e->plain, 1);
        if (z->plain == NULL) return refuse_entry(z, e, "out of memory");
        z->plain_capacity = e->plain;
    }
    tml_status status = TML_OK;
    if (e->method == 0 && e->packed == e->plain) {
        memcpy(z->plain, p + skip, e->plain);
    } else if (e->method == Z_DEFLATED) {
        status = inflate_entry(z, e, p + skip);
    } else {
        status = refuse_entry(z, e, "it is packed in a way that is not read here");
    }
    if (status == TML_OK && (uint32_t)crc32(0, z->plain, (uInt)e->plain) != e->crc) {
        status = refuse_entry(z, e, "its checksum is wrong");
    }
    return status;
}

// The value behind 'key': of the Python dictionary that an array opens with.
static const char* find_key(const char* header, const char* key)
{
    const char* p = strstr(header, key);
    if (p == NULL) return NULL;
    p += strlen(key);
    while (*p == ' ' || *p == ':') p++;
    return p;
}

static bool read_kind(const char* p, array* out)
{
    if (p == NULL || (*p != '\'' && *p != '"') || (p[1] != '<' && p[1] != '|')) return false;
    char* end = NULL;
    const unsigned long width = strtoul(p + 3, &end, 10);
    if (end == p + 3 || width > 4096) return false;
    if (p[2] == 'f' && (width == 8 || width == 4)) {
        out->kind = width == 8 ? 'd' : 'f';
        out->width = width;
        return true;
    }
    out->kind = 'U';
    out->width = 4 * width;
    return p[2] == 'U' && width > 0;
}

static tml_status read_array(zip* z, const zip_entry* e, array* out)
{
    tml_status status = unpack(z, e);
    if (status != TML_OK) return status;

    const unsigned char* p = z->plain;
    const bool is_array = e->plain > 12 && memcmp(p, "\x93NUMPY", 6) == 0 && p[6] >= 1 && p[6] <= 3;
    if (!is_array) return refuse_entry(z, e, "it is no numpy array");
    const size_t lead = p[6] == 1 ? 10 : 12;
    const size_t header_length = (size_t)read_le(p + 8, p[6] == 1 ? 2 : 4);
    char header[1024];
    if (header_length >= sizeof header || header_length > e->plain - lead) {
        return refuse_entry(z, e, "its header is too long");
    }
    memcpy(header, p + lead, header_length);
    header[header_length] = '\0';

    const char* shape = find_key(header, "'shape'");
    char* end = NULL;
    if (!read_kind(find_key(header, "'descr'"), out)) {
        return refuse_entry(z, e, "it holds neither little-endian floats nor text");
    }
    if (shape == NULL || *shape != '(' || shape[1] < '0' || shape[1] > '9') {
        return refuse_entry(z, e, "it is not a list of numbers");
    }
    out->count = (size_t)strtoull(shape + 1, &end, 10);
    if (strncmp(end, ",)", 2) != 0) return refuse_entry(z, e, "it has more than one dimension");
    out->data = p + lead + header_length;
    const size_t room = e->plain - lead - header_length;
    if (out->count > INT32_MAX || room / out->width < out->count ||
        room != out->count * out->width) {
        return refuse_entry(z, e, "its shape and its bytes differ");
    }
    return TML_OK;
}

static void copy_numbers(const array* a, double* to, size_t stride)
{
    for (size_t i = 0; i < a->count; i++) {
        float x = 0.0f;
        if (a->kind == 'd') {
            memcpy(&to[i * stride], a->data + 8 * i, 8);
        } else {
            memcpy(&x, a->data + 4 * i, 4);
            to[i * stride] = (double)x;
        }
    }
}

// ---- contacts: arrays contacts.t, contacts.a, ...

static const char* const contact_columns[CONTACT_NUMBERS + 2] = {
    "t", "px", "py", "pz", "nx", "ny", "nz", "gap", "fx", "fy", "fz", "a", "b",
};

// Which of them a name is; -1: none.
static int contact_column(const zip_entry* e)
{
    static const char lead[] = "contacts.";
    const size_t n = sizeof lead - 1;
    if (e->name_length <= n || memcmp(e->name, lead, n) != 0) return -1;
    for (int i = 0; i < CONTACT_NUMBERS + 2; i++) {
        const size_t length = strlen(contact_columns[i]);
        if (e->name_length - n == length && memcmp(e->name + n, contact_columns[i], length) == 0) {
            return i;
        }
    }
    return -1;
}

// UTF-8 of an item of a text array: numpy keeps four bytes a character, padded with zeros.
static const char* copy_text(tml_recording* r, const array* a, size_t i)
{
    char text[4 * 4096 + 1];
    size_t used = 0;
    for (size_t k = 0; k < a->width / 4; k++) {
        const uint32_t c = (uint32_t)read_le(a->data + i * a->width + 4 * k, 4);
        if (c == 0) break;
        if (c < 0x80) {
            text[used++] = (char)c;
        } else if (c < 0x800) {
            text[used++] = (char)(0xc0 | c >> 6);
            text[used++] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            text[used++] = (char)(0xe0 | c >> 12);
            text[used++] = (char)(0x80 | (c >> 6 & 0x3f));
            text[used++] = (char)(0x80 | (c & 0x3f));
        } else {
            text[used++] = (char)(0xf0 | (c >> 18 & 7));
            text[used++] = (char)(0x80 | (c >> 12 & 0x3f));
            text[used++] = (char)(0x80 | (c >> 6 & 0x3f));
            text[used++] = (char)(0x80 | (c & 0x3f));
        }
    }
    text[used] = '\0';
    return tml__pool_text(&r->memory, text);
}

typedef struct contact_table {
    double* values;  // CONTACT_NUMBERS a contact
    unsigned seen;   // columns that are there
} contact_table;

static tml_status take_contacts(tml_recording* r, const zip* z, const array* a, contact_table* t)
{
    if (t->seen == 0) {
        if (a->count > RECORDING_MAX_CONTACTS) return refuse(z, "there are too many contacts");
        r->contact_count = (int)a->count;
        r->contacts = tml__pool_take(&r->memory, a->count, sizeof *r->contacts);
        t->values = tml__pool_take(&r->memory, a->count, CONTACT_NUMBERS * sizeof *t->values);
    }
    if (r->contacts == NULL || t->values == NULL) return refuse(z, "out of memory");
    if (a->count != (size_t)r->contact_count) {
        return refuse(z, "the arrays of its contacts differ in length");
    }
    return TML_OK;
}

static tml_status read_contact_column(tml_recording* r, zip* z, const zip_entry* e, int column,
                                      contact_table* t)
{
    array a = {0};
    tml_status status = read_array(z, e, &a);
    const bool is_name = column >= CONTACT_NUMBERS;
    if (status == TML_OK && is_name != (a.kind == 'U')) {
        status = refuse_entry(z, e, is_name ? "it holds no names" : "it holds no numbers");
    }
    if (status == TML_OK) status = take_contacts(r, z, &a, t);
    if (status != TML_OK) return status;
    t->seen |= 1u << column;
    if (!is_name) {
        copy_numbers(&a, t->values + column, CONTACT_NUMBERS);
        return TML_OK;
    }
    for (size_t i = 0; i < a.count; i++) {
        const char* name = copy_text(r, &a, i);
        if (name == NULL) return refuse(z, "out of memory");
        *(column == CONTACT_NUMBERS ? &r->contacts[i].a : &r->contacts[i].b) = name;
    }
    return TML_OK;
}

// ---- the table

// Members that share bytes would cost their sum again and again.
static tml_status take_names(tml_recording* r, zip* z)
{
    size_t at = z->directory;
    size_t packed = 0;
    r->names = tml__pool_take(&r->memory, z->count + 1, sizeof *r->names);
    for (size_t i = 0; i < z->count; i++) {
        zip_entry e;
        const tml_status status = read_entry(z, &at, &e);
        if (status != TML_OK) return status;
        packed += e.packed;  // at most 2^32 each
        if (packed > z->length) return refuse(z, "its arrays overlap");
        if (contact_column(&e) >= 0) continue;
        char* name = tml__pool_take(&r->memory, e.name_length + 1, 1);
        if (name == NULL || r->names == NULL) return refuse(z, "out of memory");
        memcpy(name, e.name, e.name_length);
        r->names[r->column_count++] = name;
    }
    return r->column_count > 0 ? TML_OK : refuse(z, "it has no column");
}

static tml_status read_column(tml_recording* r, zip* z, const zip_entry* e, int column)
{
    array a = {0};
    tml_status status = read_array(z, e, &a);
    if (status == TML_OK && a.kind == 'U') status = refuse_entry(z, e, "it holds no numbers");
    if (status == TML_OK && column == 0) status = tml__recording_take_table(r, z->from, a.count);
    if (status == TML_OK && a.count != (size_t)r->row_count) {
        status = refuse_entry(z, e, "it is not as long as the others");
    }
    if (status == TML_OK) {
        copy_numbers(&a, r->values + (size_t)column * (size_t)r->row_count, 1);
    }
    return status;
}

static tml_status read_all(tml_recording* r, zip* z)
{
    contact_table contacts = {0};
    size_t at = z->directory;
    int column = 0;
    tml_status status = take_names(r, z);

    for (size_t i = 0; i < z->count && status == TML_OK; i++) {
        zip_entry e;
        status = read_entry(z, &at, &e);
        if (status != TML_OK) break;
        const int of_contact = contact_column(&e);
        status = of_contact >= 0 ? read_contact_column(r, z, &e, of_contact, &contacts)
                                 : read_column(r, z, &e, column++);
    }
    if (status != TML_OK) return status;
    if (tml_recording_find(r, "t") < 0) return refuse(z, "it has no column 't'");
    const unsigned all = (1u << (CONTACT_NUMBERS + 2)) - 1;
    if (contacts.seen != 0 && contacts.seen != all) {
        return refuse(z, "some arrays of its contacts are missing");
    }
    for (int i = 0; i < r->contact_count; i++) {
        tml__recording_set_contact(&r->contacts[i], contacts.values + (size_t)i * CONTACT_NUMBERS);
    }
    return TML_OK;
}

tml_status tml__recording_check_npz(const char* tail, size_t length, size_t size, const char* path,
                                    message* why)
{
    const recording_text from = {path, NULL, 0, why};
    const zip z = {.from = &from, .bytes = (const unsigned char*)tail, .length = length};
    size_t end = 0;
    const tml_status status = find_end(&z, &end);
    if (status != TML_OK) return status;
    const uint64_t bytes = read_le(z.bytes + end + 12, 4);
    const uint64_t start = read_le(z.bytes + end + 16, 4);
    const bool is_large = read_le(z.bytes + end + 10, 2) == 0xffff;
    return is_large || start + bytes <= size ? TML_OK : refuse(&z, "its directory is damaged");
}

tml_status tml__recording_read_npz(tml_recording* r, const recording_text* from)
{
    zip z = {.from = from, .bytes = (const unsigned char*)from->bytes, .length = from->length};
    tml_status status = find_directory(&z);
    if (status == TML_OK) status = read_all(r, &z);
    tml__release(NULL, z.plain);
    return status;
}
