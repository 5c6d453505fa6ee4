// io/record_whole.c - formats that can only be written in one piece, kept safe while a run goes on.
//
// An archive and an animation say at their start how long they are, so no line can be added to them.
// States go to a file without a name as they come (spool.h). From there the recording is written anew,
// under another name beside the old one, whose place it takes once it is whole: whatever kills the run,
// the file at hand can be read. It is due when a second has passed and either a quarter of the states is
// new, so that all of it together costs four times the last time, or thirty times the last time has
// passed, so that of a long run little is lost.
//
// Room for it is reserved on the disk as the states come: when the disk is full, what was kept can still
// be written.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; stat, realpath

#include "base/clock.h"
#include "io/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double between = 1.0;      // s between two times
static const double cost_share = 30.0;  // of the last time that may pass

static bool fail(tml_recorder* r, int error)
{
    r->error = error;
    return false;
}

// Only a plain file may be replaced: behind a device lies what the name stands for. A link leads to the
// file that is replaced.
static bool name_part(tml_recorder* r, const char* path)
{
    static const char ending[] = ".part";
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return true;
    r->path = realpath(path, NULL);
    if (r->path == NULL) return fail(r, errno);
    const size_t length = strlen(r->path);
    r->part = malloc(length + sizeof ending);
    if (r->part == NULL) return fail(r, ENOMEM);
    memcpy(r->part, r->path, length);
    memcpy(r->part + length, ending, sizeof ending);
    return true;
}

bool tml__record_whole_begin(tml_recorder* r, const char* path)
{
    if (!name_part(r, path)) return false;
    const size_t state = (size_t)r->count * sizeof(double);
    int error = tml__spool_open(&r->states, r->path, state);
    if (error == 0 && r->keeps_contacts) {
        error = tml__spool_open(&r->touches, r->path, sizeof(record_contact));
    }
    return error == 0 || fail(r, error);
}

static bool take_kept(tml_recorder* r)
{
    int error = 0;
    r->kept = tml__spool_map(&r->states, &error);
    r->kept_rows = r->states.count;
    if (r->keeps_contacts && error == 0) {
        r->kept_contacts = tml__spool_map(&r->touches, &error);
        r->contact_count = r->touches.count;
    }
    return error == 0 || fail(r, error);
}

// All of it into a stream that can be gone back in.
static void write_into(tml_recorder* r, FILE* whole)
{
    FILE* old = r->stream;
    setvbuf(whole, NULL, _IONBF, 0);
    r->stream = whole;
    r->bytes = 0;
    r->used = 0;
    r->format->close(r);
    tml__record_flush(r);
    r->stream = old;
}

// What the states that wait in memory take too, and what packing adds to numbers that do not shrink.
static long long room_needed(const tml_recorder* r)
{
    const size_t states = r->states.count * r->states.item;
    const size_t touches = r->touches.count * r->touches.item;
    const size_t bytes = states + touches + 3 * SPOOL_BUFFER;
    return r->first_bytes + (long long)(bytes + bytes / 100);
}

// The file that the next piece goes to, with room for what is kept.
static bool reserve(tml_recorder* r)
{
    if (r->next == NULL) {
        r->next = fopen(r->part, "wb");
        r->reserved = 0;
        if (r->next == NULL) return fail(r, errno);
    }
    const long long bytes = room_needed(r);
    if (bytes <= r->reserved) return true;
    const int error = posix_fallocate(fileno(r->next), 0, (off_t)bytes);
    r->reserved = bytes;
    // a file system that cannot reserve can still write
    const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return !is_full || fail(r, error);
}

static void give_up_part(tml_recorder* r)
{
    if (r->next != NULL) (void)fclose(r->next);
    r->next = NULL;
    remove(r->part);
}

static void write_anew(tml_recorder* r)
{
    if (!take_kept(r)) return;
    if (r->next == NULL && !reserve(r)) {
        give_up_part(r);
        return;
    }
    write_into(r, r->next);
    if (r->error == 0 && ftruncate(fileno(r->next), (off_t)r->bytes) != 0) r->error = errno;
    if (fclose(r->next) != 0 && r->error == 0) r->error = errno;
    r->next = NULL;
    if (r->error == 0 && rename(r->part, r->path) != 0) r->error = errno;
    if (r->error != 0) {
        remove(r->part);
        return;
    }
    if (r->whole_rows == 0) r->first_bytes = r->bytes;
    r->whole_rows = r->kept_rows;
}

// For a device or a pipe, which take bytes in their order only: through a file without a name.
static void write_through(tml_recorder* r)
{
    char bytes[1 << 14];
    if (!take_kept(r)) return;
    FILE* whole = tmpfile();
    if (whole == NULL) {
        r->error = errno;
        return;
    }
    write_into(r, whole);
    rewind(whole);
    size_t length = 0;
    while (r->error == 0 && (length = fread(bytes, 1, sizeof bytes, whole)) > 0) {
        tml__record_put(r, bytes, length);
    }
    tml__record_flush(r);
    if (ferror(whole) && r->error == 0) r->error = EIO;
    fclose(whole);
    if (r->error == 0) r->whole_rows = r->kept_rows;
}

static bool is_due(const tml_recorder* r)
{
    const size_t rows = r->states.count;
    const double passed = tml__clock() - r->flushed;
    if (r->whole_rows == 0) return true;
    if (passed < between) return false;
    return rows - r->whole_rows >= (r->whole_rows + 3) / 4 || passed >= cost_share * r->whole_cost;
}

void tml__record_whole_write(tml_recorder* r)
{
    if (r->path == NULL || r->error != 0) return;
    if (is_due(r)) {
        const double start = tml__clock();
        write_anew(r);
        r->flushed = tml__clock();
        r->whole_cost = r->flushed - start;
    }
    if (r->error == 0) reserve(r);
}

// Where the disk was too full to keep a state, those that were kept may still find room.
void tml__record_whole_end(tml_recorder* r)
{
    const int error = r->error;
    const bool is_new = r->whole_rows != r->states.count || r->states.count == 0;
    r->error = 0;
    if (is_new && r->path != NULL) write_anew(r);
    if (is_new && r->path == NULL) write_through(r);
    if (r->path != NULL) give_up_part(r);
    if (error != 0) r->error = error;
}
