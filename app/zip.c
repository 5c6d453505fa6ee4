// app/zip.c - local headers with their data, then the directory [PKWARE APPNOTE 6.3.9]; files up to 4 GB.
#include "app/zip.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    VERSION = 20,
    DEFLATED = 8,
    FIRST_DATE = 0x21,  // 1980-01-01: equal files are equal archives
    MOST_FILES = 16
};

typedef struct zip_entry {
    uint32_t crc, packed, plain, at;
} zip_entry;

static void put_16(FILE* to, unsigned x)
{
    const uint16_t value = (uint16_t)x;
    fwrite(&value, sizeof value, 1, to);
}

static void put_32(FILE* to, uint32_t x) { fwrite(&x, sizeof x, 1, to); }

static void put_fields(FILE* to, const zip_entry* e, const char* name)
{
    put_16(to, VERSION);
    put_16(to, 0);
    put_16(to, DEFLATED);
    put_16(to, 0);
    put_16(to, FIRST_DATE);
    put_32(to, e->crc);
    put_32(to, e->packed);
    put_32(to, e->plain);
    put_16(to, (unsigned)strlen(name));
    put_16(to, 0);
}

// The bytes as a bare deflate stream; NULL without memory.
static unsigned char* deflate_all(const zip_file* file, uint32_t* length)
{
    z_stream z = {0};
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        return NULL;
    }
    const uLong most = deflateBound(&z, (uLong)file->size);
    unsigned char* out = malloc(most);
    union {
        const void* given;
        Bytef* bytes;
    } in = {.given = file->data};
    z.next_in = in.bytes;
    z.avail_in = (uInt)file->size;
    z.next_out = out;
    z.avail_out = (uInt)most;
    const bool is_whole = out != NULL && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *length = (uint32_t)z.total_out;
    deflateEnd(&z);
    if (is_whole) return out;
    free(out);
    return NULL;
}

static int put_file(FILE* to, const zip_file* file, zip_entry* e)
{
    unsigned char* packed = deflate_all(file, &e->packed);
    if (packed == NULL) return ENOMEM;
    e->plain = (uint32_t)file->size;
    e->crc = (uint32_t)crc32_z(0, file->data, file->size);
    e->at = (uint32_t)ftell(to);
    fwrite("PK\3\4", 4, 1, to);
    put_fields(to, e, file->name);
    fwrite(file->name, strlen(file->name), 1, to);
    fwrite(packed, e->packed, 1, to);
    free(packed);
    return ferror(to) ? EIO : 0;
}

static void put_directory(FILE* to, const zip_file* files, const zip_entry* entries, int count)
{
    const uint32_t start = (uint32_t)ftell(to);
    for (int i = 0; i < count; i++) {
        fwrite("PK\1\2", 4, 1, to);
        put_16(to, VERSION);
        put_fields(to, &entries[i], files[i].name);
        put_16(to, 0);
        put_16(to, 0);
        put_16(to, 0);
        put_32(to, 0);
        put_32(to, entries[i].at);
        fwrite(files[i].name, strlen(files[i].name), 1, to);
    }
    const uint32_t end = (uint32_t)ftell(to);
    fwrite("PK\5\6", 4, 1, to);
    put_16(to, 0);
    put_16(to, 0);
    put_16(to, (unsigned)count);
    put_16(to, (unsigned)count);
    put_32(to, end - start);
    put_32(to, start);
    put_16(to, 0);
}

int zip_write(const char* path, const zip_file* files, int count)
{
    zip_entry entries[MOST_FILES] = {0};
    char part[4096];
    const int length = snprintf(part, sizeof part, "%s.part", path);
    if (count > MOST_FILES || length < 1 || (size_t)length >= sizeof part) return ENAMETOOLONG;
    FILE* to = fopen(part, "wb");
    if (to == NULL) return errno;
    int error = 0;
    errno = 0;
    for (int i = 0; i < count && error == 0; i++) {
        error = files[i].size > UINT32_MAX / 2 ? EFBIG : put_file(to, &files[i], &entries[i]);
    }
    if (error == 0) put_directory(to, files, entries, count);
    if (error == 0 && ferror(to)) error = EIO;
    if (fclose(to) != 0 && error == 0) error = errno;
    if (error == 0 && rename(part, path) != 0) error = errno;
    if (error != 0) (void)remove(part);
    return error;
}
