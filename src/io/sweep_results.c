// io/sweep_results.c - the archive of a sweep read back: stored members, found by the directory at its end.
#include "base/memory.h"
#include "io/file.h"

#include <trammel/sweep_results.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define MOST_BYTES ((size_t)(sizeof(size_t) > 4 ? 1ull << 40 : SIZE_MAX))

enum {
    LINE = 46,    // of the directory, before the name
    HEADER = 30,  // of a member, before its name
    END = 22,
    END_64 = 56,
    LOCATOR = 20
};

typedef struct member {
    char* name;
    char type[16];
    const unsigned char* data;
    size_t size;
    bool is_array;
    tml_sweep_array array;
} member;

struct tml_sweep_results {
    char* bytes;
    size_t length;
    member* members;
    int count;
    long long rows;
    uint64_t packed;  // bytes of the members so far
    message why;
};

// ---- bytes

static uint64_t number_at(const tml_sweep_results* r, size_t at, int width)
{
    uint64_t x = 0;
    for (int i = width - 1; i >= 0; i--) x = x << 8 | (unsigned char)r->bytes[at + (size_t)i];
    return x;
}

static bool is_inside(const tml_sweep_results* r, uint64_t at, uint64_t length)
{
    return at <= r->length && length <= r->length - at;
}

static tml_status refuse(tml_sweep_results* r, const char* what)
{
    return tml__fail(&r->why, TML_BAD_FILE, "not a finished sweep: %s", what);
}

// ---- the directory

typedef struct directory {
    uint64_t at, size, count;
} directory;

static bool find_directory(const tml_sweep_results* r, directory* out)
{
    if (r->length < END) return false;
    const size_t end = r->length - END;  // ours have no comment
    if (memcmp(r->bytes + end, "PK\5\6", 4) != 0) return false;
    *out = (directory){number_at(r, end + 16, 4), number_at(r, end + 12, 4),
                       number_at(r, end + 10, 2)};
    if (end >= LOCATOR + END_64 && memcmp(r->bytes + end - LOCATOR, "PK\6\7", 4) == 0) {
        const uint64_t at = number_at(r, end - LOCATOR + 8, 8);
        if (!is_inside(r, at, END_64) || memcmp(r->bytes + (size_t)at, "PK\6\6", 4) != 0)
            return false;
        const size_t from = (size_t)at;
        *out = (directory){number_at(r, from + 48, 8), number_at(r, from + 40, 8),
                           number_at(r, from + 32, 8)};
    }
    return is_inside(r, out->at, out->size) && out->count <= out->size / LINE;
}

// ---- an array

// The value behind 'KEY': in an NPY header.
static const char* value_of(const char* head, const char* key)
{
    const char* at = strstr(head, key);
    if (at == NULL) return NULL;
    at += strlen(key);
    while (*at == ' ' || *at == ':' || *at == '\'') at++;
    return at;
}

static bool read_head(member* m)
{
    char head[512];
    if (m->size < 10 || memcmp(m->data, "\x93NUMPY\1\0", 8) != 0) return false;
    const size_t length = (size_t)m->data[8] | (size_t)m->data[9] << 8;
    if (length + 10 > m->size || length >= sizeof head) return false;
    memcpy(head, m->data + 10, length);
    head[length] = '\0';
    const char* type = value_of(head, "'descr'");
    const char* shape = value_of(head, "'shape'");
    const char* order = value_of(head, "'fortran_order'");
    if (type == NULL || shape == NULL || order == NULL || strncmp(order, "False", 5) != 0) {
        return false;
    }
    const size_t type_length = strcspn(type, "'");
    if (type_length < 3 || type_length >= sizeof m->type) return false;
    memcpy(m->type, type, type_length);
    m->type[type_length] = '\0';
    unsigned item = 0;
    long long rows = 0;
    int width = 1;
    if (sscanf(m->type + 2, "%u", &item) != 1 || item == 0) return false;
    if (sscanf(shape, "(%lld, %d", &rows, &width) < 1 || rows < 0 || width < 1) return false;
    size_t bytes = 0;
    if (!tml__size_mul((size_t)rows, (size_t)width, &bytes) ||
        !tml__size_mul(bytes, item, &bytes) || bytes != m->size - length - 10) {
        return false;
    }
    m->array = (tml_sweep_array){m->name, m->type, rows, width, item, m->data + 10 + length};
    return true;
}

// ---- a member

static tml_status read_member(tml_sweep_results* r, member* m, size_t line, size_t end,
                              size_t* next)
{
    if (end - line < LINE || memcmp(r->bytes + line, "PK\1\2", 4) != 0) {
        return refuse(r, "its directory is damaged");
    }
    const size_t name = (size_t)number_at(r, line + 28, 2);
    const size_t extra = (size_t)number_at(r, line + 30, 2);
    const size_t comment = (size_t)number_at(r, line + 32, 2);
    if (end - line - LINE < name + extra + comment) return refuse(r, "its directory is damaged");
    *next = line + LINE + name + extra + comment;
    uint64_t size = number_at(r, line + 24, 4);
    uint64_t at = number_at(r, line + 42, 4);
    if (size == UINT32_MAX && at == UINT32_MAX) {
        if (extra < 28) return refuse(r, "its directory is damaged");
        size = number_at(r, line + LINE + name + 4, 8);
        at = number_at(r, line + LINE + name + 20, 8);
    }
    if (number_at(r, line + 10, 2) != 0) return refuse(r, "its members are packed");
    if (!is_inside(r, at, HEADER) || memcmp(r->bytes + at, "PK\3\4", 4) != 0) {
        return refuse(r, "a member is not where the directory says");
    }
    const uint64_t start =
        at + HEADER + number_at(r, (size_t)at + 26, 2) + number_at(r, (size_t)at + 28, 2);
    if (!is_inside(r, start, size)) return refuse(r, "a member ends outside of the file");
    r->packed += size;  // each is inside of the file
    if (r->packed > r->length) return refuse(r, "its members overlap");
    m->name = tml__allocate(NULL, name + 1, 1);
    if (m->name == NULL) return tml__fail(&r->why, TML_NO_MEMORY, "out of memory");
    memcpy(m->name, r->bytes + line + LINE, name);
    m->data = (const unsigned char*)r->bytes + start;
    m->size = (size_t)size;
    if (crc32_z(0, m->data, m->size) != number_at(r, line + 16, 4)) {
        return refuse(r, "a checksum is wrong");
    }
    m->is_array = name > 4 && strcmp(m->name + name - 4, ".npy") == 0;
    if (!m->is_array) return TML_OK;
    m->name[name - 4] = '\0';
    return read_head(m) ? TML_OK : refuse(r, "an array is none");
}

// All arrays have a line for each row, but for the times of series.
static bool has_all_rows(const member* m, long long rows)
{
    const size_t length = strlen(m->name);
    const bool is_time = length > 5 && strcmp(m->name + length - 5, ".time") == 0;
    return !m->is_array || is_time || m->array.rows == rows;
}

static tml_status read_members(tml_sweep_results* r)
{
    directory d;
    if (!find_directory(r, &d)) return refuse(r, "it has no directory");
    r->members = tml__allocate(NULL, (size_t)d.count, sizeof *r->members);
    if (r->members == NULL) return tml__fail(&r->why, TML_NO_MEMORY, "out of memory");
    size_t line = (size_t)d.at;
    tml_status status = TML_OK;
    for (uint64_t i = 0; i < d.count && status == TML_OK; i++) {
        status = read_member(r, &r->members[r->count++], line, (size_t)(d.at + d.size), &line);
    }
    if (status != TML_OK) return status;
    const int marks = tml_sweep_results_find(r, "status");
    if (marks < 0 || strcmp(tml_sweep_results_array(r, marks).type, "|i1") != 0) {
        return refuse(r, "it has no 'status'");
    }
    r->rows = tml_sweep_results_array(r, marks).rows;
    for (int i = 0; i < r->count; i++) {
        if (!has_all_rows(&r->members[i], r->rows)) {
            return refuse(r, "its arrays differ in length");
        }
    }
    return TML_OK;
}

// ---- opening and asking

tml_status tml_sweep_results_read(const char* path, char* why, size_t capacity,
                                  tml_sweep_results** out)
{
    message text = {{0}};
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (path == NULL) return TML_BAD_ARGUMENT;
    tml_sweep_results* r = tml__allocate(NULL, 1, sizeof *r);
    tml_status status = r != NULL
                            ? tml__file_read_bytes(path, MOST_BYTES, &r->bytes, &r->length, &text)
                            : TML_NO_MEMORY;
    if (status == TML_OK) {
        status = read_members(r);
        if (status != TML_OK) tml__fail(&text, status, "%.300s: %.600s", path, r->why.text);
    }
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    if (status == TML_OK) {
        *out = r;
    } else {
        tml_sweep_results_destroy(r);
    }
    return status;
}

void tml_sweep_results_destroy(tml_sweep_results* r)
{
    if (r == NULL) return;
    for (int i = 0; i < r->count; i++) tml__release(NULL, r->members[i].name);
    tml__release(NULL, r->members);
    tml__release(NULL, r->bytes);
    tml__release(NULL, r);
}

long long tml_sweep_results_row_count(const tml_sweep_results* r)
{
    return r != NULL ? r->rows : 0;
}

// Arrays only: texts have names of their own.
int tml_sweep_results_count(const tml_sweep_results* r) { return r != NULL ? r->count : 0; }

tml_sweep_array tml_sweep_results_array(const tml_sweep_results* r, int index)
{
    static const tml_sweep_array none = {"", "", 0, 1, 0, NULL};
    if (r == NULL || index < 0 || index >= r->count || !r->members[index].is_array) return none;
    return r->members[index].array;
}

int tml_sweep_results_find(const tml_sweep_results* r, const char* name)
{
    for (int i = 0; r != NULL && name != NULL && i < r->count; i++) {
        if (r->members[i].is_array && strcmp(r->members[i].name, name) == 0) return i;
    }
    return -1;
}

double tml_sweep_results_number(const tml_sweep_results* r, int array, long long row, int k)
{
    const tml_sweep_array a = tml_sweep_results_array(r, array);
    double x = (double)NAN;
    if (row < 0 || row >= a.rows || k < 0 || k >= a.width || strcmp(a.type, "<f8") != 0) return x;
    const size_t at = (size_t)row * (size_t)a.width + (size_t)k;
    memcpy(&x, (const unsigned char*)a.data + at * sizeof x, sizeof x);
    return x;
}

const char* tml_sweep_results_text(const tml_sweep_results* r, const char* name, size_t* length)
{
    for (int i = 0; r != NULL && name != NULL && i < r->count; i++) {
        if (r->members[i].is_array || strcmp(r->members[i].name, name) != 0) continue;
        if (length != NULL) *length = r->members[i].size;
        return (const char*)r->members[i].data;
    }
    return NULL;
}
