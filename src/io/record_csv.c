// io/record_csv.c - recordings as text: a line of column names, then a line a recorded step.
//
// Lines gather in a buffer that goes to the file when a line has filled half of it or a quarter of a
// second of work has passed. So a run that is killed loses that much at most, and its file ends, as a
// rule, at the end of a line.
#include "base/clock.h"
#include "io/number.h"
#include "io/record.h"

#include <math.h>
#include <string.h>

static const double flush_time = 0.25;  // s

static void end_line(tml_recorder* r)
{
    tml__record_put(r, "\n", 1);
    const double now = tml__clock();
    if (r->used <= RECORD_BUFFER / 2 && now - r->flushed < flush_time) return;
    tml__record_flush(r);
    r->flushed = now;
}

// "NAME.suffix", in quotation marks where the name holds a comma or quotation marks itself.
static void put_name(void* to, const char* element, const char* suffix)
{
    tml_recorder* r = to;
    const bool is_plain = strpbrk(element, ",\"\r\n") == NULL;

    if (r->bytes > 0) tml__record_put(r, ",", 1);
    if (!is_plain) tml__record_put(r, "\"", 1);
    for (const char* p = element; *p != '\0'; p++) {
        tml__record_put(r, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
    }
    if (element[0] != '\0') tml__record_put(r, ".", 1);
    tml__record_put(r, suffix, strlen(suffix));
    if (!is_plain) tml__record_put(r, "\"", 1);
}

static bool write_header(tml_recorder* r)
{
    tml__record_names(r->model, r->columns, put_name, r);
    end_line(r);
    return r->error == 0;
}

static void put_number(tml_recorder* r, double value)
{
    char digits[NUMBER_CHARS] = "nan";
    int length = 3;
    if (isfinite(value)) {
        length = tml__number_write17(digits, value);
    } else if (isinf(value)) {
        length = snprintf(digits, sizeof digits, "%s", value < 0.0 ? "-inf" : "inf");
    }
    tml__record_put(r, digits, (size_t)length);
}

static bool write_line(tml_recorder* r)
{
    for (int i = 0; i < r->count; i++) {
        if (i > 0) tml__record_put(r, ",", 1);
        put_number(r, r->values[i]);
    }
    end_line(r);
    return r->error == 0;
}

const record_format tml__record_csv = {.ending = ".csv", .open = write_header, .write = write_line};
