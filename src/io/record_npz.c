// io/record_npz.c - recordings for numpy: a ZIP archive with one array a column.
//
// An array is stored in one piece, so the states are kept in memory and the archive is written anew now
// and then, and when the recording is closed (record_whole.c). Arrays are deflated one by one, little-endian doubles. More
// than 65535 columns need the ZIP64 directory, which numpy reads too. Contacts are arrays of their
// own, contacts.t, contacts.a, ..., one item a contact; names are text of four bytes a character.
#include "io/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    ZIP_VERSION = 20,      // deflate
    ZIP64_VERSION = 45,    //
    ZIP_UTF8 = 0x0800,     // names are UTF-8
    ZIP_DATE = 0x0021,     // 1 January 1980, so that equal recordings are equal files
    NPY_HEADER = 128,      // bytes, a multiple of 64
    LEVEL = Z_BEST_SPEED,  // doubles of a trajectory hardly shrink further at higher ones
    NAME_MOST = 60000,     // bytes of a column's name; ZIP has room for 65535
};

typedef struct zip_entry {
    uint32_t crc, packed, plain, offset;
    uint16_t name_length;
    char* name;
} zip_entry;

typedef struct archive {
    tml_recorder* r;
    int count;
    zip_entry* entries;
    unsigned char* plain;  // an array with its header
    size_t plain_bytes;    // of the array at hand
    unsigned char* packed;
    size_t packed_capacity;
    size_t name_width;  // characters of the longest name of a contact
} archive;

static bool fail(tml_recorder* r, int error)
{
    if (r->error == 0) r->error = error;
    return false;
}

// The header of an array ("f8": doubles): a Python dictionary, padded with blanks.
static void put_array_header(archive* a, const char* type, size_t rows)
{
    char text[NPY_HEADER + 1];
    const int length = snprintf(text, sizeof text,
                                "\x93NUMPY%c%c%c%c"
                                "{'descr': '<%s', 'fortran_order': False, 'shape': (%zu,), }",
                                1, 1, NPY_HEADER - 10, 1, type, rows);
    memset(a->plain, ' ', NPY_HEADER);
    memcpy(a->plain, text, (size_t)length);
    a->plain[7] = 0;  // version 1.0; snprintf would have stopped at these zeros
    a->plain[9] = 0;
    a->plain[NPY_HEADER - 1] = '\n';
}

// Deflate a->plain; the length of a->packed, 0 when it failed.
static size_t deflate_array(archive* a)
{
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    z.next_in = a->plain;
    z.avail_in = (uInt)a->plain_bytes;
    z.next_out = a->packed;
    z.avail_out = (uInt)a->packed_capacity;
    const int status = deflate(&z, Z_FINISH);
    const size_t length = (size_t)z.total_out;
    deflateEnd(&z);
    return status == Z_STREAM_END ? length : 0;
}

static void put_entry_fields(tml_recorder* r, const zip_entry* e)
{
    record_put_u16(r, ZIP_VERSION);
    record_put_u16(r, ZIP_UTF8);
    record_put_u16(r, Z_DEFLATED);
    record_put_u16(r, 0);  // time of day
    record_put_u16(r, ZIP_DATE);
    record_put_u32(r, e->crc);
    record_put_u32(r, e->packed);
    record_put_u32(r, e->plain);
    record_put_u16(r, e->name_length);
    record_put_u16(r, 0);  // no extra field
}

// The array in a->plain as an entry of the archive.
static bool put_plain(archive* a, zip_entry* e)
{
    tml_recorder* r = a->r;
    const size_t packed = deflate_array(a);
    if (packed == 0) return fail(r, ENOMEM);
    // offsets have 32 bits
    if (r->bytes + (long long)packed + e->name_length + 64 > (long long)UINT32_MAX) {
        return fail(r, EFBIG);
    }
    e->crc = (uint32_t)crc32(0, a->plain, (uInt)a->plain_bytes);
    e->packed = (uint32_t)packed;
    e->plain = (uint32_t)a->plain_bytes;
    e->offset = (uint32_t)r->bytes;
    tml__record_put(r, "PK\3\4", 4);
    put_entry_fields(r, e);
    tml__record_put(r, e->name, e->name_length);
    tml__record_put(r, a->packed, packed);
    return r->error == 0;
}

static bool put_column(archive* a, zip_entry* e, int column)
{
    const tml_recorder* r = a->r;
    for (size_t row = 0; row < r->kept_rows; row++) {
        memcpy(a->plain + NPY_HEADER + row * sizeof(double),
               &r->kept[row * (size_t)r->count + (size_t)column], sizeof(double));
    }
    return put_plain(a, e);
}

static void put_directory(archive* a)
{
    tml_recorder* r = a->r;
    const uint64_t start = (uint64_t)r->bytes;
    const bool is_large = a->count > 0xfffe;

    for (int i = 0; i < a->count; i++) {
        const zip_entry* e = &a->entries[i];
        tml__record_put(r, "PK\1\2", 4);
        record_put_u16(r, ZIP_VERSION);
        put_entry_fields(r, e);
        record_put_u16(r, 0);  // no comment
        record_put_u16(r, 0);  // disk
        record_put_u16(r, 0);  // attributes
        record_put_u32(r, 0);
        record_put_u32(r, e->offset);
        tml__record_put(r, e->name, e->name_length);
    }
    const uint64_t end = (uint64_t)r->bytes;
    if (is_large) {
        tml__record_put(r, "PK\6\6", 4);
        record_put_u64(r, 44);  // bytes of this record that follow
        record_put_u16(r, ZIP64_VERSION);
        record_put_u16(r, ZIP64_VERSION);
        record_put_u32(r, 0);
        record_put_u32(r, 0);
        record_put_u64(r, (uint64_t)a->count);
        record_put_u64(r, (uint64_t)a->count);
        record_put_u64(r, end - start);
        record_put_u64(r, start);
        tml__record_put(r, "PK\6\7", 4);
        record_put_u32(r, 0);
        record_put_u64(r, end);
        record_put_u32(r, 1);
    }
    const uint16_t shown = is_large ? 0xffff : (uint16_t)a->count;
    tml__record_put(r, "PK\5\6", 4);
    record_put_u16(r, 0);
    record_put_u16(r, 0);
    record_put_u16(r, shown);
    record_put_u16(r, shown);
    record_put_u32(r, (uint32_t)(end - start));
    record_put_u32(r, (uint32_t)start);
    record_put_u16(r, 0);
}

static void take_name(void* to, const char* element, const char* suffix)
{
    archive* a = to;
    zip_entry* e = &a->entries[a->count++];
    const size_t length = strlen(element);
    if (length > NAME_MOST) {
        fail(a->r, ENAMETOOLONG);
        return;
    }
    const size_t room = length + strlen(suffix) + 6;
    e->name = malloc(room);
    if (e->name == NULL) {
        fail(a->r, ENOMEM);
        return;
    }
    snprintf(e->name, room, "%s%s%s.npy", element, length > 0 ? "." : "", suffix);
    e->name_length = (uint16_t)strlen(e->name);
}

// ---- contacts

static const char* const contact_names[RECORD_CONTACT_NUMBERS + 2] = {
    "t", "px", "py", "pz", "nx", "ny", "nz", "gap", "fx", "fy", "fz", "a", "b",
};

static void put_contact_numbers(archive* a, int which)
{
    const tml_recorder* r = a->r;
    put_array_header(a, "f8", r->contact_count);
    a->plain_bytes = NPY_HEADER + r->contact_count * sizeof(double);
    for (size_t i = 0; i < r->contact_count; i++) {
        memcpy(a->plain + NPY_HEADER + i * sizeof(double), &r->kept_contacts[i].numbers[which],
               sizeof(double));
    }
}

// The characters of a name, up to `width`; returns how many there are. Names are valid UTF-8.
static size_t decode(const char* name, size_t width, uint32_t* out)
{
    size_t count = 0;
    const unsigned char* p = (const unsigned char*)name;
    while (*p != '\0') {
        const int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
        uint32_t c = more == 0 ? *p : *p & (0x3fu >> more);
        p++;
        for (int k = 0; k < more && *p != '\0'; k++) c = c << 6 | (*p++ & 0x3fu);
        if (count < width) out[count] = c;
        count++;
    }
    return count;
}

static size_t decode_name(const archive* a, size_t i, int which, size_t width, uint32_t* out)
{
    char room[RECORD_NAME];
    return decode(tml__record_contact_name(a->r->model, &a->r->kept_contacts[i], which, room),
                  width, out);
}

static void put_contact_bodies(archive* a, int which)
{
    const tml_recorder* r = a->r;
    const size_t width = a->name_width;
    char type[32];
    snprintf(type, sizeof type, "U%zu", width);
    put_array_header(a, type, r->contact_count);
    a->plain_bytes = NPY_HEADER + r->contact_count * width * sizeof(uint32_t);
    memset(a->plain + NPY_HEADER, 0, a->plain_bytes - NPY_HEADER);
    for (size_t i = 0; i < r->contact_count; i++) {
        unsigned char* to = a->plain + NPY_HEADER + i * width * sizeof(uint32_t);
        decode_name(a, i, which, width, (uint32_t*)(void*)to);
    }
}

static void put_contacts(archive* a)
{
    for (int k = 0; a->r->error == 0 && k < RECORD_CONTACT_NUMBERS + 2; k++) {
        take_name(a, "contacts", contact_names[k]);
        if (a->r->error != 0) return;
        if (k < RECORD_CONTACT_NUMBERS) {
            put_contact_numbers(a, k);
        } else {
            put_contact_bodies(a, k - RECORD_CONTACT_NUMBERS);
        }
        put_plain(a, &a->entries[a->count - 1]);
    }
}

// ---- the archive

// Bytes of the largest array.
static size_t largest_array(archive* a)
{
    const tml_recorder* r = a->r;
    size_t width = 1;
    for (size_t i = 0; i < r->contact_count; i++) {
        for (int which = 0; which < 2; which++) {
            const size_t length = decode_name(a, i, which, 0, NULL);
            if (length > width) width = length;
        }
    }
    a->name_width = width;
    const size_t item =
        width * sizeof(uint32_t) > sizeof(double) ? width * sizeof(uint32_t) : sizeof(double);
    const size_t rows = r->kept_rows * sizeof(double);
    const size_t contacts = r->contact_count * item;
    return NPY_HEADER + (rows > contacts ? rows : contacts);
}

static bool write_archive(tml_recorder* r)
{
    archive a = {.r = r};
    const size_t most = largest_array(&a);
    const int extra = r->keeps_contacts ? RECORD_CONTACT_NUMBERS + 2 : 0;

    if (most > UINT32_MAX / 2) return fail(r, EFBIG);
    a.packed_capacity = compressBound((uLong)most) + 64;
    a.entries = calloc((size_t)(r->count + extra), sizeof *a.entries);
    a.plain = malloc(most);
    a.packed = malloc(a.packed_capacity);
    if (a.entries == NULL || a.plain == NULL || a.packed == NULL) fail(r, ENOMEM);
    if (r->error == 0) {
        put_array_header(&a, "f8", r->kept_rows);
        a.plain_bytes = NPY_HEADER + r->kept_rows * sizeof(double);
        tml__record_names(r->model, r->columns, take_name, &a);
    }
    for (int i = 0; r->error == 0 && i < r->count; i++) put_column(&a, &a.entries[i], i);
    if (r->error == 0 && r->keeps_contacts) put_contacts(&a);
    if (r->error == 0) put_directory(&a);

    for (int i = 0; i < a.count; i++) free(a.entries[i].name);
    free(a.entries);
    free(a.plain);
    free(a.packed);
    return r->error == 0;
}

const record_format tml__record_npz = {".npz", NULL, tml__record_keep, write_archive};
