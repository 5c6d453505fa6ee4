// sweep/store.c - one file that many write: created in one piece, then every row in its own place.
//
// The file is made under a name of its own and linked to PATH.part when it is whole, so several programs may
// begin the same sweep at once. A row's mark is written after its numbers: a program that is killed
// loses the rows in its hands, never one that is marked. (A machine that loses power may keep marks and lose
// numbers; delete the file then.)
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "sweep/store.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    BLOCK = 1 << 20
};

// ---- bytes

static tml_status fail_file(store* f, const char* path, int error)
{
    return tml__fail(f->why, TML_BAD_FILE, "%.400s: %s", path,
                     error != 0 ? strerror(error) : "ends too early");
}

// 0 or an errno; -1: the file ended.
static int read_at(int file, uint64_t at, void* out, size_t length)
{
    unsigned char* to = out;
    while (length > 0) {
        const ssize_t got = pread(file, to, length, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) return -1;
        to += got;
        at += (uint64_t)got;
        length -= (size_t)got;
    }
    return 0;
}

static int write_at(int file, uint64_t at, const void* bytes, size_t length)
{
    const unsigned char* from = bytes;
    while (length > 0) {
        const ssize_t put = pwrite(file, from, length, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? errno : EIO;
        from += put;
        at += (uint64_t)put;
        length -= (size_t)put;
    }
    return 0;
}

static int write_shared(store* f, uint64_t at, const void* bytes, size_t length)
{
    if (f->ranks != NULL) {
        return f->ranks->write(f->ranks->self, (long long)at, bytes, length);
    }
    return write_at(f->file, at, bytes, length);
}

// ---- the parts that no row changes

typedef int (*piece_work)(int file, uint64_t at, const unsigned char* bytes, size_t length,
                          bool has_crc);

static int write_piece(int file, uint64_t at, const unsigned char* bytes, size_t length,
                       bool has_crc)
{
    (void)has_crc;
    return write_at(file, at, bytes, length);
}

enum {
    OTHER = -2  // the file is of another sweep
};

// Checksums of rows come last, so they are passed over.
static int compare_piece(int file, uint64_t at, const unsigned char* bytes, size_t length,
                         bool has_crc)
{
    unsigned char block[4096];
    size_t done = 0;
    while (done < length) {
        const size_t part = length - done < sizeof block ? length - done : sizeof block;
        const int error = read_at(file, at + done, block, part);
        if (error != 0) return error == -1 ? OTHER : error;
        if (has_crc && done == 0 && part > HEADER_CRC + 4) {
            memcpy(block + HEADER_CRC, bytes + HEADER_CRC, 4);
        }
        if (memcmp(block, bytes + done, part) != 0) return OTHER;
        done += part;
    }
    return 0;
}

// Headers and what is the same in every row. 0, an errno, -1 or OTHER.
static int for_pieces(store* f, int file, piece_work work)
{
    const layout* l = f->l;
    for (int i = 0; i < l->count; i++) {
        const layout_member* m = &l->members[i];
        const size_t length = tml__layout_header(l, i, NULL);
        unsigned char* header = malloc(length);
        if (header == NULL) return ENOMEM;
        tml__layout_header(l, i, header);
        int error = work(file, m->header, header, length, m->data == NULL);
        free(header);
        if (error == 0 && m->data != NULL) {
            error = work(file, m->start, m->data, (size_t)m->size - m->head_length, false);
        }
        if (error != 0) return error;
    }
    return 0;
}

static int write_directory(store* f, int file)
{
    const size_t length = tml__layout_directory(f->l, NULL);
    unsigned char* directory = malloc(length);
    if (directory == NULL) return ENOMEM;
    tml__layout_directory(f->l, directory);
    const int error = write_at(file, f->l->directory, directory, length);
    free(directory);
    return error;
}

// ---- which file

static tml_status recognise(store* f, const char* path, int file)
{
    struct stat about;
    int error = fstat(file, &about) == 0 ? 0 : errno;
    if (error == 0 && (uint64_t)about.st_size != f->l->total) error = OTHER;
    if (error == 0) error = for_pieces(f, file, compare_piece);
    if (error == OTHER) {
        return tml__fail(f->why, TML_BAD_FILE,
                         "%.400s is of another sweep, scene, setting or version: remove it, or "
                         "name another file",
                         path);
    }
    return error == 0 ? TML_OK : fail_file(f, path, error);
}

static int fill(store* f, int file)
{
    // room for all of it, so that a full disk is told before the first run; not every system can
    int error = posix_fallocate(file, 0, (off_t)f->l->total);
    if (error == EINVAL || error == EOPNOTSUPP) {
        error = ftruncate(file, (off_t)f->l->total) == 0 ? 0 : errno;
    }
    if (error == 0) error = for_pieces(f, file, write_piece);
    if (error == 0) error = write_directory(f, file);
    if (error == 0 && fsync(file) != 0) error = errno;
    return error;
}

// A new file, whole before it has its name. Somebody else may have made one meanwhile.
static tml_status make(store* f)
{
    const size_t room = strlen(f->part) + 32;
    char* name = malloc(room);
    if (name == NULL) return tml__fail(f->why, TML_NO_MEMORY, "out of memory");
    snprintf(name, room, "%s.%ld", f->part, (long)getpid());
    (void)unlink(name);  // of a process that was killed
    const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int error = file >= 0 ? fill(f, file) : errno;
    if (file >= 0 && close(file) != 0 && error == 0) error = errno;
    if (error == 0 && link(name, f->part) != 0) {
        if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) {
            error = rename(name, f->part) == 0 ? 0 : errno;  // without links
        } else if (errno != EEXIST) {
            error = errno;
        }
    }
    (void)unlink(name);
    free(name);
    return error == 0 ? TML_OK : fail_file(f, f->part, error);
}

tml_status tml__store_prepare(store* f, bool* is_complete)
{
    *is_complete = false;
    for (int attempt = 0; attempt < 3; attempt++) {
        const char* const names[2] = {f->path, f->part};
        for (int k = 0; k < 2; k++) {
            // a pipe would wait for somebody to write
            const int file = open(names[k], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
            struct stat about;
            if (file < 0 && errno == ENOENT) continue;
            if (file < 0) return fail_file(f, names[k], errno);
            const bool is_plain = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
            const tml_status status =
                is_plain ? recognise(f, names[k], file)
                         : tml__fail(f->why, TML_BAD_FILE, "%.400s: it is no plain file", names[k]);
            close(file);
            *is_complete = k == 0;
            return status;
        }
        const tml_status status = make(f);
        if (status != TML_OK) return status;
    }
    return fail_file(f, f->part, EBUSY);
}

tml_status tml__store_open(store* f)
{
    f->buffer = malloc((size_t)ROWS_AT_ONCE * TML_SWEEP_REASON +
                       (size_t)f->s->at_once * (size_t)f->s->number_count * sizeof(double));
    if (f->buffer == NULL) return tml__fail(f->why, TML_NO_MEMORY, "out of memory");
    if (f->ranks != NULL) {
        const int error = f->ranks->open(f->ranks->self, f->part);
        return error == 0 ? TML_OK : fail_file(f, f->part, error);
    }
    f->file = open(f->part, O_RDWR | O_CLOEXEC);
    return f->file >= 0 ? TML_OK : fail_file(f, f->part, errno);
}

tml_status tml__store_close(store* f)
{
    int error = 0;
    free(f->buffer);
    f->buffer = NULL;
    if (f->ranks != NULL) {
        error = f->ranks->close(f->ranks->self);
    } else if (f->file >= 0) {
        error = close(f->file) == 0 ? 0 : errno;
        f->file = -1;
    }
    return error == 0 ? TML_OK : fail_file(f, f->part, error);
}

tml_status tml__store_statuses(store* f, long long first, long long count, unsigned char* out)
{
    const uint64_t at = f->l->members[MEMBER_STATUS].start + (uint64_t)first;
    const int error = f->ranks != NULL
                          ? f->ranks->read(f->ranks->self, (long long)at, out, (size_t)count)
                          : read_at(f->file, at, out, (size_t)count);
    return error == 0 ? TML_OK : fail_file(f, f->part, error);
}

// ---- rows

static void gather(const store* f, int member, long long first, int count, const tml_row* rows,
                   const double* numbers)
{
    const tml_sweep* s = f->s;
    const layout* l = f->l;
    unsigned char* to = f->buffer;
    double* values = (double*)(void*)f->buffer;
    if (member >= l->results) {
        const tml_sweep_column* c = &s->columns[member - l->results];
        for (int i = 0; i < count; i++) {
            memcpy(&values[(size_t)i * (size_t)c->width],
                   &numbers[(size_t)i * (size_t)s->number_count + (size_t)c->offset],
                   (size_t)c->width * sizeof(double));
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        switch (member) {
        case MEMBER_STATUS: to[i] = (unsigned char)rows[i].status; break;
        case MEMBER_HALVINGS: to[i] = (unsigned char)rows[i].halvings; break;
        case MEMBER_END: values[i] = rows[i].end; break;
        case MEMBER_REASON:
            memcpy(to + (size_t)i * TML_SWEEP_REASON, rows[i].reason, TML_SWEEP_REASON);
            break;
        default: values[i] = tml__sweep_value(s, first + i, member - MEMBER_PARAMETERS); break;
        }
    }
}

tml_status tml__store_put(store* f, long long first, int count, const tml_row* rows,
                          const double* numbers)
{
    const layout* l = f->l;
    for (int k = 1; k <= l->count; k++) {
        const int i = k % l->count;  // marks last
        const layout_member* m = &l->members[i];
        if (m->data != NULL) continue;
        gather(f, i, first, count, rows, numbers);
        const int error = write_shared(f, m->start + (uint64_t)first * m->row_bytes, f->buffer,
                                       (size_t)count * m->row_bytes);
        if (error != 0) return fail_file(f, f->part, error);
    }
    return TML_OK;
}

// ---- the end

static int checksum(int file, const layout_member* m, uint32_t* out)
{
    const uint64_t begin = m->start - m->head_length;
    unsigned char* block = malloc(BLOCK);
    uLong crc = 0;
    int error = block != NULL ? 0 : ENOMEM;
    for (uint64_t done = 0; done < m->size && error == 0;) {
        const uint64_t left = m->size - done;
        const size_t part = left < BLOCK ? (size_t)left : BLOCK;
        error = read_at(file, begin + done, block, part);
        if (error == 0) crc = crc32_z(crc, block, part);
        done += part;
    }
    free(block);
    *out = (uint32_t)crc;
    return error;
}

static int write_checksums(store* f, int file)
{
    int error = 0;
    for (int i = 0; i < f->l->count && error == 0; i++) {
        layout_member* m = &f->l->members[i];
        if (m->data == NULL) error = checksum(file, m, &m->crc);
        if (error == 0) error = write_at(file, m->header + HEADER_CRC, &m->crc, sizeof m->crc);
    }
    return error != 0 ? error : write_directory(f, file);
}

tml_status tml__store_finish(store* f)
{
    const int file = open(f->part, O_RDWR | O_CLOEXEC);
    int error = file >= 0 ? write_checksums(f, file) : errno;
    if (error == 0 && fsync(file) != 0) error = errno;
    if (file >= 0 && close(file) != 0 && error == 0) error = errno;
    if (error == 0 && rename(f->part, f->path) != 0) error = errno;
    // whoever shares the file may have been first
    if (error == ENOENT && access(f->path, F_OK) == 0) error = 0;
    return error == 0 ? TML_OK : fail_file(f, f->part, error);
}
