// io/recording_csv.c - recordings and contacts read from text.
//
// A line of names, then lines of as many cells. Cells may stand in quotation marks, doubled inside.
// What follows the last line end is what a crash left of a line and is dropped.
#include "io/number.h"
#include "io/recording.h"

#include <math.h>
#include <string.h>

typedef struct cursor {
    const recording_text* from;
    char* at;
    char* end;  // behind the last whole line
    size_t line;
} cursor;

static tml_status refuse(const cursor* c, const char* what)
{
    return tml__fail(c->from->why, TML_BAD_FILE, "%.300s:%zu: %s", c->from->path, c->line, what);
}

static cursor start(const recording_text* from)
{
    // spreadsheets put a byte order mark in front
    const bool has_mark = from->length >= 3 && memcmp(from->bytes, "\xef\xbb\xbf", 3) == 0;
    char* first = from->bytes + (has_mark ? 3 : 0);
    cursor c = {from, first, first, 1};
    for (size_t i = from->length; i > (has_mark ? 3 : 0); i--) {
        if (from->bytes[i - 1] != '\n') continue;
        c.end = from->bytes + i;
        break;
    }
    return c;
}

typedef enum cell_end {
    CELL_MORE,  // a comma follows
    CELL_LAST,  // the line ends
    CELL_BAD,
} cell_end;

// The next cell, cut out of the text in place: *cell is terminated.
static cell_end next_cell(cursor* c, char** cell)
{
    char* to = c->at;
    *cell = to;
    if (c->at < c->end && *c->at == '"') {
        for (c->at++;; c->at++) {
            if (c->at >= c->end) return CELL_BAD;
            if (*c->at == '"' && *++c->at != '"') break;
            if (*c->at == '\n') c->line++;
            *to++ = *c->at;
        }
    } else {
        while (c->at < c->end && *c->at != ',' && *c->at != '\n' && *c->at != '\r') c->at++;
        to = c->at;
    }
    if (c->at < c->end && *c->at == '\r') c->at++;
    if (c->at >= c->end || (*c->at != ',' && *c->at != '\n')) return CELL_BAD;
    const cell_end result = *c->at == ',' ? CELL_MORE : CELL_LAST;
    c->at++;
    *to = '\0';
    return result;
}

static bool read_number(const char* text, double* out)
{
    const char* stop = NULL;
    if (strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *out = text[0] == 'n' ? (double)NAN : text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    return tml__number_read(text, out, &stop) == NUMBER_OK && *stop == '\0';
}

// ---- the table

// How many cells the first line has at most: commas inside quotation marks count too.
static size_t count_commas(const cursor* c)
{
    size_t count = 1;
    for (const char* p = c->at; p < c->end && *p != '\n'; p++) count += *p == ',';
    return count;
}

static tml_status read_names(tml_recording* r, cursor* c)
{
    const size_t most = count_commas(c);
    if (c->at == c->end) return refuse(c, "there is no line of column names");
    if (most > RECORDING_MAX_COLUMNS) return refuse(c, "there are too many columns");
    r->names = tml__pool_take(&r->memory, most, sizeof *r->names);
    cell_end end = CELL_MORE;
    while (end == CELL_MORE && r->names != NULL) {
        char* cell = NULL;
        end = next_cell(c, &cell);
        if (end == CELL_BAD) return refuse(c, "a name in quotation marks does not end");
        if ((size_t)r->column_count == most) return refuse(c, "the column names are not regular");
        const char* name = tml__pool_text(&r->memory, cell);
        if (name == NULL) break;
        r->names[r->column_count++] = name;
    }
    if (r->names == NULL || end == CELL_MORE) {
        return tml__fail(c->from->why, TML_NO_MEMORY, "%.300s: out of memory", c->from->path);
    }
    c->line++;
    if (strcmp(r->names[0], "t") != 0) return refuse(c, "the first column is not 't'");
    return TML_OK;
}

static tml_status read_line(tml_recording* r, cursor* c, size_t row, size_t rows)
{
    for (int i = 0; i < r->column_count; i++) {
        char* cell = NULL;
        const cell_end end = next_cell(c, &cell);
        const bool is_last = i == r->column_count - 1;
        if (end == CELL_BAD || (end == CELL_LAST) != is_last) {
            return tml__fail(c->from->why, TML_BAD_FILE,
                             "%.300s:%zu: the line has %s than the %d cells of the first",
                             c->from->path, c->line, end == CELL_MORE ? "more" : "fewer",
                             r->column_count);
        }
        if (!read_number(cell, &r->values[(size_t)i * rows + row])) {
            return tml__fail(c->from->why, TML_BAD_FILE,
                             "%.300s:%zu: '%.40s' in column '%.100s' is no number", c->from->path,
                             c->line, cell, r->names[i]);
        }
    }
    c->line++;
    return TML_OK;
}

static size_t count_lines(const cursor* c)
{
    size_t count = 0;
    for (const char* p = c->at; p < c->end; p++) count += *p == '\n';
    return count;
}

tml_status tml__recording_read_csv(tml_recording* r, const recording_text* from)
{
    cursor c = start(from);
    tml_status status = read_names(r, &c);
    const size_t rows = status == TML_OK ? count_lines(&c) : 0;
    if (status == TML_OK) status = tml__recording_take_table(r, from, rows);
    for (size_t row = 0; row < rows && status == TML_OK; row++) {
        status = read_line(r, &c, row, rows);
    }
    return status;
}

// ---- contacts

static tml_status read_contact(tml_recording* r, cursor* c, tml_recorded_contact* out)
{
    double values[CONTACT_NUMBERS];
    int count = 0;
    for (int i = 0; i < CONTACT_NUMBERS + 2; i++) {
        char* cell = NULL;
        const cell_end end = next_cell(c, &cell);
        if (end == CELL_BAD || (end == CELL_LAST) != (i == CONTACT_NUMBERS + 1)) {
            return refuse(c, "a contact has 13 cells: t a b px py pz nx ny nz gap fx fy fz");
        }
        if (i == 1 || i == 2) {
            const char* name = tml__pool_text(&r->memory, cell);
            if (name == NULL) return refuse(c, "out of memory");
            *(i == 1 ? &out->a : &out->b) = name;
        } else if (!read_number(cell, &values[count++])) {
            return refuse(c, "a cell of a contact is no number");
        }
    }
    tml__recording_set_contact(out, values);
    c->line++;
    return TML_OK;
}

tml_status tml__recording_read_contacts(tml_recording* r, const recording_text* from)
{
    static const char header[] = "t,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz\n";
    cursor c = start(from);
    if (strncmp(c.at, header, sizeof header - 1) != 0) {
        return refuse(&c, "the first line is not 't,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz'");
    }
    c.at += sizeof header - 1;
    c.line++;
    const size_t count = count_lines(&c);
    if (count > RECORDING_MAX_CONTACTS) return refuse(&c, "there are too many contacts");
    r->contacts = tml__pool_take(&r->memory, count, sizeof *r->contacts);
    if (r->contacts == NULL) {
        return tml__fail(from->why, TML_NO_MEMORY, "%.300s: out of memory", from->path);
    }
    tml_status status = TML_OK;
    for (size_t i = 0; i < count && status == TML_OK; i++) {
        status = read_contact(r, &c, &r->contacts[i]);
        if (status == TML_OK) r->contact_count++;
    }
    return status;
}
