// io/record_whole.c - formats that can only be written in one piece, kept safe while a run goes on.
//
// An archive and an animation say at their start how long they are, so no line can be added to them.
// The file is written anew instead, under another name beside it, and takes the old one's place once
// it is whole: whatever kills the run, the file at hand can be read. It is due when a second has
// passed and a quarter of the states is new, so all of it together costs four times the last time.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; lstat

#include "base/clock.h"
#include "io/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double pause = 1.0;  // s between two times

// Only a plain file may be replaced: behind a link or a device lies what the name stands for.
bool tml__record_whole_begin(tml_recorder* r, const char* path)
{
    static const char ending[] = ".part";
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) return true;
    const size_t length = strlen(path);
    r->path = malloc(length + 1);
    r->part = malloc(length + sizeof ending);
    if (r->path == NULL || r->part == NULL) {
        r->error = ENOMEM;
        return false;
    }
    memcpy(r->path, path, length + 1);
    memcpy(r->part, path, length);
    memcpy(r->part + length, ending, sizeof ending);
    return true;
}

static void write_anew(tml_recorder* r)
{
    FILE* old = r->stream;
    FILE* whole = fopen(r->part, "wb");
    if (whole == NULL) {
        r->error = errno;
        return;
    }
    setvbuf(whole, NULL, _IONBF, 0);
    r->stream = whole;
    r->bytes = 0;
    r->used = 0;
    r->format->close(r);
    tml__record_flush(r);
    r->stream = old;
    if (fclose(whole) != 0 && r->error == 0) r->error = errno;
    if (r->error == 0 && rename(r->part, r->path) != 0) r->error = errno;
    if (r->error != 0) {
        remove(r->part);
        return;
    }
    r->whole_rows = r->kept_rows;
}

void tml__record_whole_write(tml_recorder* r)
{
    if (r->path == NULL || r->error != 0) return;
    const bool is_first = r->whole_rows == 0;
    if (!is_first && r->kept_rows - r->whole_rows < (r->whole_rows + 3) / 4) return;
    if (!is_first && tml__clock() - r->flushed < pause) return;
    write_anew(r);
    r->flushed = tml__clock();
}

void tml__record_whole_end(tml_recorder* r)
{
    if (r->error != 0) return;
    if (r->path == NULL) {
        r->format->close(r);
    } else if (r->whole_rows != r->kept_rows || r->kept_rows == 0) {
        write_anew(r);
    }
}
