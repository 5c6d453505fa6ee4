// io/record_npz.c - recordings for numpy: a ZIP archive with one array a column.
//
// An array is stored in one piece, so the states are kept on disk and the archive is written anew now
// and then, and when the recording is closed (record_whole.c). Arrays are deflated one by one, little-endian
// doubles, through buffers of a fixed size: columns are turned out of rows a block of them at a time.
// More than 65535 columns need the ZIP64 directory, which numpy reads too. Contacts are arrays of their
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
    PIECE = 1 << 16,       // bytes that are deflated at once
    BLOCK = 1 << 25,  // bytes of the columns that are turned out of rows at once, or one column
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
    z_stream z;
    unsigned char* packed;  // what comes out of z, PIECE bytes
    unsigned char* plain;   // what goes in, PIECE bytes
    size_t filled;          // of them
    double* block;          // columns `first` to `first + width`, one behind the other
    int first, width;
    size_t name_width;  // characters of the longest name of a contact
    uint32_t* name;     // one of them
} archive;

static bool fail(tml_recorder* r, int error)
{
    if (r->error == 0) r->error = error;
    return false;
}

// ---- bytes of an array, deflated as they come

// Everything that z gives for what is in a->plain.
static void deflate_piece(archive* a, zip_entry* e, int mode)
{
    tml_recorder* r = a->r;
    e->crc = (uint32_t)crc32(e->crc, a->plain, (uInt)a->filled);
    a->z.next_in = a->plain;
    a->z.avail_in = (uInt)a->filled;
    a->filled = 0;
    do {
        a->z.next_out = a->packed;
        a->z.avail_out = PIECE;
        if (deflate(&a->z, mode) == Z_STREAM_ERROR) {
            fail(r, EINVAL);
            return;
        }
        tml__record_put(r, a->packed, PIECE - a->z.avail_out);
    } while (a->z.avail_out == 0 && r->error == 0);
}

static void put_plain(archive* a, zip_entry* e, const void* bytes, size_t length)
{
    const unsigned char* from = bytes;
    while (length > 0 && a->r->error == 0) {
        const size_t room = PIECE - a->filled;
        const size_t part = length < room ? length : room;
        memcpy(a->plain + a->filled, from, part);
        a->filled += part;
        from += part;
        length -= part;
        if (a->filled == PIECE) deflate_piece(a, e, Z_NO_FLUSH);
    }
}

// The header of an array ("f8": doubles): a Python dictionary, padded with blanks.
static void put_array_header(archive* a, zip_entry* e, const char* type, size_t rows)
{
    char text[NPY_HEADER + 1];
    const int length = snprintf(text, sizeof text,
                                "\x93NUMPY%c%c%c%c"
                                "{'descr': '<%s', 'fortran_order': False, 'shape': (%zu,), }",
                                1, 1, NPY_HEADER - 10, 1, type, rows);
    memset(text + length, ' ', (size_t)(NPY_HEADER - length));
    text[7] = 0;  // version 1.0; snprintf would have stopped at these zeros
    text[9] = 0;
    text[NPY_HEADER - 1] = '\n';
    put_plain(a, e, text, NPY_HEADER);
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

// An entry of items of `width` bytes: its bytes follow, then it is ended, which fills in what only then is
// known.
static bool begin_entry(archive* a, zip_entry* e, const char* type, size_t rows, size_t width)
{
    tml_recorder* r = a->r;
    const size_t bytes = NPY_HEADER + rows * width;
    // offsets and sizes have 32 bits
    if (r->error != 0) return false;
    if (rows > UINT32_MAX / width || bytes > UINT32_MAX || r->bytes > (long long)UINT32_MAX) {
        return fail(r, EFBIG);
    }
    e->offset = (uint32_t)r->bytes;
    e->plain = (uint32_t)bytes;
    tml__record_put(r, "PK\3\4", 4);
    put_entry_fields(r, e);
    tml__record_put(r, e->name, e->name_length);
    deflateReset(&a->z);
    e->crc = (uint32_t)crc32(0, NULL, 0);
    put_array_header(a, e, type, rows);
    return r->error == 0;
}

static void end_entry(archive* a, zip_entry* e)
{
    enum {
        CRC_AT = 14  // of the local header; the packed size follows
    };
    tml_recorder* r = a->r;
    const long long start = (long long)e->offset + 30 + e->name_length;
    if (r->error != 0) return;
    deflate_piece(a, e, Z_FINISH);
    const long long packed = r->bytes - start;
    if (r->bytes > (long long)UINT32_MAX) {
        fail(r, EFBIG);
        return;
    }
    e->packed = (uint32_t)packed;
    const uint32_t known[2] = {e->crc, e->packed};
    tml__record_patch(r, (long long)e->offset + CRC_AT, known, sizeof known);
}

// Turn columns from `first` on out of the rows, as many as fit.
static void fill_block(archive* a, int first)
{
    const tml_recorder* r = a->r;
    const size_t columns = (size_t)r->count;
    const int left = r->count - first;
    a->first = first;
    if (a->width > left) a->width = left;
    const size_t width = (size_t)a->width;
    for (size_t row = 0; row < r->kept_rows; row++) {
        const double* from = r->kept + row * columns + (size_t)first;
        for (size_t k = 0; k < width; k++) a->block[k * r->kept_rows + row] = from[k];
    }
}

static void put_column(archive* a, zip_entry* e, int column)
{
    const size_t rows = a->r->kept_rows;
    if (column >= a->first + a->width) fill_block(a, column);
    if (!begin_entry(a, e, "f8", rows, sizeof(double))) return;
    put_plain(a, e, a->block + (size_t)(column - a->first) * rows, rows * sizeof(double));
    end_entry(a, e);
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

static void put_contact_numbers(archive* a, zip_entry* e, int which)
{
    const tml_recorder* r = a->r;
    if (!begin_entry(a, e, "f8", r->contact_count, sizeof(double))) return;
    for (size_t i = 0; i < r->contact_count; i++) {
        put_plain(a, e, &r->kept_contacts[i].numbers[which], sizeof(double));
    }
    end_entry(a, e);
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

static void put_contact_bodies(archive* a, zip_entry* e, int which)
{
    const tml_recorder* r = a->r;
    const size_t width = a->name_width;
    char type[32];
    snprintf(type, sizeof type, "U%zu", width);
    if (!begin_entry(a, e, type, r->contact_count, width * sizeof *a->name)) return;
    for (size_t i = 0; i < r->contact_count; i++) {
        memset(a->name, 0, width * sizeof *a->name);
        decode_name(a, i, which, width, a->name);
        put_plain(a, e, a->name, width * sizeof *a->name);
    }
    end_entry(a, e);
}

static void put_contacts(archive* a)
{
    for (int k = 0; a->r->error == 0 && k < RECORD_CONTACT_NUMBERS + 2; k++) {
        take_name(a, "contacts", contact_names[k]);
        if (a->r->error != 0) return;
        zip_entry* e = &a->entries[a->count - 1];
        if (k < RECORD_CONTACT_NUMBERS) {
            put_contact_numbers(a, e, k);
        } else {
            put_contact_bodies(a, e, k - RECORD_CONTACT_NUMBERS);
        }
    }
}

// ---- the archive

// Characters of the longest name of a contact.
static size_t longest_name(archive* a)
{
    size_t width = 1;
    for (size_t i = 0; i < a->r->contact_count; i++) {
        for (int which = 0; which < 2; which++) {
            const size_t length = decode_name(a, i, which, 0, NULL);
            if (length > width) width = length;
        }
    }
    return width;
}

static bool take_memory(archive* a)
{
    const tml_recorder* r = a->r;
    const size_t column = r->kept_rows > 0 ? r->kept_rows * sizeof(double) : sizeof(double);
    const size_t width = BLOCK / column > 0 ? BLOCK / column : 1;
    const int extra = r->keeps_contacts ? RECORD_CONTACT_NUMBERS + 2 : 0;

    a->width = width < (size_t)r->count ? (int)width : r->count;
    a->entries = calloc((size_t)(r->count + extra), sizeof *a->entries);
    a->block = malloc((size_t)a->width * column);
    a->plain = malloc(PIECE);
    a->name = malloc(a->name_width * sizeof *a->name);
    a->packed = malloc(PIECE);
    return a->entries != NULL && a->block != NULL && a->name != NULL && a->plain != NULL &&
           a->packed != NULL;
}

static void put_archive(archive* a)
{
    tml_recorder* r = a->r;
    tml__record_names(r->model, r->columns, take_name, a);
    if (r->error == 0) fill_block(a, 0);
    for (int i = 0; r->error == 0 && i < r->count; i++) put_column(a, &a->entries[i], i);
    if (r->error == 0 && r->keeps_contacts) put_contacts(a);
    if (r->error == 0) put_directory(a);
}

static bool write_archive(tml_recorder* r)
{
    archive a = {.r = r};
    a.name_width = longest_name(&a);
    if (!take_memory(&a) ||
        deflateInit2(&a.z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        fail(r, ENOMEM);
    } else {
        put_archive(&a);
        deflateEnd(&a.z);
    }
    for (int i = 0; i < a.count; i++) free(a.entries[i].name);
    free(a.entries);
    free(a.block);
    free(a.plain);
    free(a.name);
    free(a.packed);
    return r->error == 0;
}

const record_format tml__record_npz = {
    .ending = ".npz", .write = tml__record_keep, .close = write_archive};
