// io/recording.c - recordings read back: which format, the table, and questions about it.
#include "io/recording.h"

#include "base/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

// ---- the table

tml_status tml__recording_take_table(tml_recording* r, const recording_text* from, size_t rows)
{
    const size_t columns = (size_t)r->column_count;
    size_t count = 0;

    if (!tml__size_mul(rows, columns, &count) || count > RECORDING_MAX_VALUES) {
        return tml__fail(from->why, TML_BAD_FILE,
                         "%.300s: %zu rows of %zu columns are more than %zu numbers", from->path,
                         rows, columns, RECORDING_MAX_VALUES);
    }
    r->values = tml__allocate(NULL, count, sizeof *r->values);
    r->index = tml__names_create();
    if (r->values == NULL || r->index == NULL) {
        return tml__fail(from->why, TML_NO_MEMORY, "%.300s: out of memory", from->path);
    }
    r->row_count = (int)rows;
    for (int i = 0; i < r->column_count; i++) {
        if (tml__names_find(r->index, r->names[i]) >= 0) {
            return tml__fail(from->why, TML_BAD_FILE, "%.300s: column '%.200s' is there twice",
                             from->path, r->names[i]);
        }
        if (!tml__names_add(r->index, r->names[i], i)) {
            return tml__fail(from->why, TML_NO_MEMORY, "%.300s: out of memory", from->path);
        }
    }
    return TML_OK;
}

void tml__recording_set_contact(tml_recorded_contact* c, const double values[CONTACT_NUMBERS])
{
    c->time = values[0];
    c->position = (tml_vec3){values[1], values[2], values[3]};
    c->normal = (tml_vec3){values[4], values[5], values[6]};
    c->gap = values[7];
    c->force = (tml_vec3){values[8], values[9], values[10]};
}

// ---- files

static bool ends_with(const char* path, const char* ending)
{
    const size_t n = strlen(path);
    const size_t m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

// X.contacts.csv beside X.csv, where it is there.
static tml_status read_contacts_beside(tml_recording* r, const char* path, message* why)
{
    char beside[4096];
    const int stem = (int)strlen(path) - 4;
    const int length = snprintf(beside, sizeof beside, "%.*s.contacts.csv", stem, path);
    if (length >= (int)sizeof beside || !tml__file_is_there(beside)) return TML_OK;

    recording_text from = {beside, NULL, 0, why};
    tml_status status = tml__file_read(beside, RECORDING_MAX_BYTES, &from.bytes, &from.length, why);
    if (status == TML_OK) status = tml__recording_read_contacts(r, &from);
    tml__release(NULL, from.bytes);
    return status;
}

// An archive says at its end what is in it: a file without that is refused before it is read.
static tml_status read_archive(const char* path, recording_text* from)
{
    enum {
        TAIL = (1 << 16) + 22
    };
    size_t size = 0;
    tml_status status = TML_OK;
    FILE* stream = tml__file_open(path, RECORDING_MAX_BYTES, &size, &status, from->why);
    if (stream == NULL) return status;
    char* tail = tml__allocate(NULL, TAIL, 1);
    if (tail == NULL) status = tml__fail(from->why, TML_NO_MEMORY, "%.300s: out of memory", path);
    if (status == TML_OK && size > TAIL) (void)fseek(stream, -(long)TAIL, SEEK_END);
    const size_t length = status == TML_OK ? fread(tail, 1, TAIL, stream) : 0;
    fclose(stream);
    if (status == TML_OK) {
        status = tml__recording_check_npz(tail, length, size, path, from->why);
    }
    tml__release(NULL, tail);
    if (status != TML_OK) return status;
    return tml__file_read_bytes(path, RECORDING_MAX_BYTES, &from->bytes, &from->length, from->why);
}

static tml_status read_file(tml_recording* r, const char* path, message* why)
{
    const bool is_csv = ends_with(path, ".csv");
    if (!is_csv && !ends_with(path, ".npz")) {
        return tml__fail(why, TML_BAD_FILE,
                         "%.300s: recordings end with .csv or .npz; this is neither", path);
    }
    recording_text from = {path, NULL, 0, why};
    tml_status status =
        is_csv ? tml__file_read(path, RECORDING_MAX_BYTES, &from.bytes, &from.length, why)
               : read_archive(path, &from);
    if (status == TML_OK) {
        status = is_csv ? tml__recording_read_csv(r, &from) : tml__recording_read_npz(r, &from);
    }
    tml__release(NULL, from.bytes);
    if (status == TML_OK && is_csv) status = read_contacts_beside(r, path, why);
    return status;
}

tml_status tml_recording_read_file(const char* path, char* why, size_t capacity,
                                   tml_recording** out)
{
    if (path == NULL || out == NULL) return TML_BAD_ARGUMENT;
    message text = {{0}};
    tml_recording* r = tml__allocate(NULL, 1, sizeof *r);
    tml_status status = TML_OK;

    *out = NULL;
    if (r == NULL) {
        status = tml__fail(&text, TML_NO_MEMORY, "%.300s: out of memory", path);
    } else {
        status = read_file(r, path, &text);
    }
    if (status == TML_OK) {
        *out = r;
    } else {
        tml_recording_destroy(r);
    }
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}

void tml_recording_destroy(tml_recording* recording)
{
    if (recording == NULL) return;
    tml__names_destroy(recording->index);
    tml__release(NULL, recording->values);
    tml__pool_destroy(&recording->memory);
    tml__release(NULL, recording);
}

// ---- asking

int tml_recording_column_count(const tml_recording* recording)
{
    return recording != NULL ? recording->column_count : 0;
}
int tml_recording_row_count(const tml_recording* recording)
{
    return recording != NULL ? recording->row_count : 0;
}

const char* tml_recording_column_name(const tml_recording* recording, int column)
{
    if (recording == NULL) return "";
    const bool exists = column >= 0 && column < recording->column_count;
    return exists ? recording->names[column] : "";
}

// JOINT.q1, as recordings once had it: the second of the free coordinates that are there.
static int find_by_number(const tml_recording* recording, const char* name)
{
    const size_t length = strlen(name);
    const bool is_numbered = length > 3 && name[length - 3] == '.' && name[length - 2] == 'q' &&
                             name[length - 1] >= '0' && name[length - 1] <= '5';
    char column[1024];
    if (!is_numbered || length >= sizeof column) return -1;
    int left = name[length - 1] - '0';
    for (int k = 0; k < TML_AXES; k++) {
        snprintf(column, sizeof column, "%.*s%s", (int)length - 2, name,
                 tml_axis_name((tml_axis)k));
        const int found = tml__names_find(recording->index, column);
        if (found >= 0 && left-- == 0) return found;
    }
    return -1;
}

int tml_recording_find(const tml_recording* recording, const char* name)
{
    if (recording == NULL || name == NULL) return -1;
    const int found = tml__names_find(recording->index, name);
    return found >= 0 ? found : find_by_number(recording, name);
}

const double* tml_recording_column(const tml_recording* recording, int column)
{
    if (recording == NULL) return NULL;
    const bool exists = column >= 0 && column < recording->column_count;
    return exists ? recording->values + (size_t)column * (size_t)recording->row_count : NULL;
}

int tml_recording_contact_count(const tml_recording* recording)
{
    return recording != NULL ? recording->contact_count : 0;
}

const tml_recorded_contact* tml_recording_contacts(const tml_recording* recording)
{
    if (recording == NULL) return NULL;
    return recording->contacts;
}
