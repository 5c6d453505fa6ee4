// viewer/guard.c - reads requests and frame headers as strictly as the standards allow.
//
// Strict matters more than complete: where this reader and the library behind it could disagree on
// where a head ends, a frame could hide in it. So a head holds printable bytes, tabs and whole
// line ends only, and starts with a line that is not empty.
#include "viewer/guard.h"

#include <string.h>

static bool is_head_byte_good(guard* g, unsigned char byte)
{
    if (g->has_cr) return byte == '\n';
    if (byte == '\r' || byte == '\t') return true;
    return byte >= 0x20 && byte < 0x7f;
}

static void take_head_byte(guard* g, unsigned char byte)
{
    if (++g->head_length > GUARD_HEAD_MOST || !is_head_byte_good(g, byte)) {
        g->state = GUARD_REFUSED;
    } else if (byte == '\r') {
        g->has_cr = true;
    } else if (byte == '\n') {
        const bool is_first = g->head_length == 2;
        if (g->line_length == 0) g->state = is_first ? GUARD_REFUSED : GUARD_WAITING;
        g->has_cr = false;
        g->line_length = 0;
    } else {
        g->line_length++;
    }
}

// The first two bytes of a frame: flags, kind, mask, short length.      [RFC 6455 Sec 5.2 5.4 5.5]
static bool is_start_good(const guard* g)
{
    const int opcode = g->header[0] & 15;
    const bool is_final = (g->header[0] & 0x80) != 0;
    const bool has_reserved = (g->header[0] & 0x70) != 0;
    const bool is_masked = (g->header[1] & 0x80) != 0;
    const int length = g->header[1] & 127;

    if (has_reserved || !is_masked) return false;
    switch (opcode) {
    case 0: return g->is_in_message;
    case 1:
    case 2: return !g->is_in_message;
    case 8:
    case 9:
    case 10: return is_final && length <= 125;
    default: return false;
    }
}

static int header_bytes(const guard* g)
{
    const int length = g->header[1] & 127;
    return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4;
}

// The length, which must be written in the fewest bytes and below 2^63.      [RFC 6455 Sec 5.2]
static bool read_length(guard* g)
{
    const int code = g->header[1] & 127;
    const int bytes = code == 126 ? 2 : code == 127 ? 8 : 0;
    uint64_t length = bytes == 0 ? (uint64_t)code : 0;

    for (int i = 0; i < bytes; i++) length = length << 8 | g->header[2 + i];
    g->payload_left = length;
    if (bytes == 2) return length > 125;
    if (bytes == 8) return length > 0xffff && length >> 63 == 0;
    return true;
}

static void take_header_byte(guard* g, unsigned char byte)
{
    g->header[g->header_length++] = byte;
    if (g->header_length < 2) return;
    if (g->header_length == 2 && !is_start_good(g)) g->state = GUARD_REFUSED;
    if (g->header_length == header_bytes(g) && !read_length(g)) g->state = GUARD_REFUSED;
}

static size_t pass_header(guard* g, unsigned char* out)
{
    const size_t length = (size_t)g->header_length;
    const int opcode = g->header[0] & 15;
    memcpy(out, g->header, length);
    if (opcode < 8) g->is_in_message = (g->header[0] & 0x80) == 0;
    g->header_length = 0;
    return length;
}

static size_t take_frames(guard* g, const unsigned char* bytes, size_t length, unsigned char* out,
                          size_t* passed)
{
    size_t at = 0;
    while (at < length && g->state == GUARD_FRAMES) {
        if (g->payload_left > 0) {
            const size_t left = length - at;
            const size_t part = g->payload_left < left ? (size_t)g->payload_left : left;
            memcpy(out + *passed, bytes + at, part);
            *passed += part;
            at += part;
            g->payload_left -= part;
            continue;
        }
        take_header_byte(g, bytes[at++]);
        const bool is_whole = g->header_length >= 2 && g->header_length == header_bytes(g);
        if (g->state == GUARD_FRAMES && is_whole) *passed += pass_header(g, out + *passed);
    }
    return at;
}

size_t guard_take(guard* g, const unsigned char* bytes, size_t length, unsigned char* out,
                  size_t* passed)
{
    size_t at = 0;

    *passed = 0;
    if (g->state == GUARD_FRAMES) return take_frames(g, bytes, length, out, passed);
    while (at < length && g->state == GUARD_HEAD) {
        take_head_byte(g, bytes[at]);
        if (g->state != GUARD_REFUSED) out[(*passed)++] = bytes[at];
        at++;
    }
    return at;
}

void guard_expect(guard* g, guard_state next)
{
    if (g->state == GUARD_WAITING) *g = (guard){.state = next};
}
