// What a browser may say to the server: heads and frames pass whole, in any pieces, and nothing of a
// frame that breaks the protocol does.                                        [RFC 6455 Sec 5]
#include "viewer/guard.h"

#include "test/check.h"

typedef struct heard {
    guard guard;
    unsigned char bytes[1 << 18];
    size_t length, taken;
} heard;

// Say bytes in pieces; what passes is kept in order.
static void say(heard* h, const unsigned char* bytes, size_t length, size_t piece)
{
    unsigned char out[4096 + GUARD_HEADER_MOST];
    for (size_t at = 0; at < length;) {
        const size_t part = length - at < piece ? length - at : piece;
        size_t passed = 0;
        const size_t taken = guard_take(&h->guard, bytes + at, part, out, &passed);
        CHECK(passed <= part + GUARD_HEADER_MOST);
        memcpy(h->bytes + h->length, out, passed);
        h->length += passed;
        h->taken += taken;
        at += taken;
        if (taken < part) return;
    }
}

static heard* fresh(guard_state state)
{
    heard* h = calloc(1, sizeof *h);
    h->guard.state = state;
    return h;
}

static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
static const size_t pieces[] = {1, 2, 3, 5, 7, 4096};

enum {
    PIECES = sizeof pieces / sizeof pieces[0]
};

TEST(a_head_passes_in_any_pieces_and_nothing_behind_it)
{
    const size_t length = sizeof request - 1;
    unsigned char bytes[64];
    memcpy(bytes, request, length);
    memcpy(bytes + length, "\x81\x00", 2);
    for (int k = 0; k < PIECES; k++) {
        heard* h = fresh(GUARD_HEAD);
        say(h, bytes, length + 2, pieces[k]);
        CHECK(h->guard.state == GUARD_WAITING && h->taken == length);
        CHECK(h->length == length && memcmp(h->bytes, request, length) == 0);
        guard_expect(&h->guard, GUARD_HEAD);
        say(h, bytes, length, pieces[k]);
        CHECK(h->guard.state == GUARD_WAITING && h->length == 2 * length);
        free(h);
    }
}

TEST(only_a_guard_that_waits_can_be_told_what_comes_next)
{
    heard* h = fresh(GUARD_HEAD);
    guard_expect(&h->guard, GUARD_FRAMES);
    CHECK(h->guard.state == GUARD_HEAD);
    h->guard.state = GUARD_REFUSED;
    guard_expect(&h->guard, GUARD_FRAMES);
    CHECK(h->guard.state == GUARD_REFUSED);
    free(h);
}

TEST(heads_that_two_readers_could_read_differently_are_refused)
{
    static const char* const heads[] = {
        "\r\nGET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\n\n",         "GET / HTTP/1.1\r\nA: b\n\r\n",
        "GET / HTTP/1.1\rA\r\n\r\n",  "GET / HTTP/1.1\r\r\n\r\n",   "GET /\x01 HTTP/1.1\r\n\r\n",
        "GET /\x7f HTTP/1.1\r\n\r\n", "GET /\x81 HTTP/1.1\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        heard* h = fresh(GUARD_HEAD);
        say(h, (const unsigned char*)heads[i], strlen(heads[i]), 3);
        CHECK(h->guard.state == GUARD_REFUSED);
        free(h);
    }
}

TEST(a_head_is_bounded)
{
    heard* h = fresh(GUARD_HEAD);
    unsigned char a[4096];
    memset(a, 'a', sizeof a);
    say(h, a, sizeof a, 4096);
    say(h, a, sizeof a, 4096);
    CHECK(h->guard.state == GUARD_HEAD && h->length == GUARD_HEAD_MOST);
    say(h, a, 1, 1);
    CHECK(h->guard.state == GUARD_REFUSED && h->length == GUARD_HEAD_MOST);
    free(h);
}

// A masked frame of `length` bytes behind `bytes`; answers its size.
static size_t put_frame(unsigned char* bytes, int flags, size_t length)
{
    size_t n = 0;
    bytes[n++] = (unsigned char)flags;
    if (length < 126) {
        bytes[n++] = (unsigned char)(0x80 | length);
    } else {
        const int wide = length > 0xffff ? 8 : 2;
        bytes[n++] = wide == 8 ? 0xff : 0xfe;
        for (int i = wide - 1; i >= 0; i--) bytes[n++] = (unsigned char)(length >> (8 * i));
    }
    for (size_t i = 0; i < 4 + length; i++) bytes[n++] = (unsigned char)(i * 37 + length);
    return n;
}

TEST(good_frames_pass_byte_for_byte_in_any_pieces)
{
    // text, ping, a message in three fragments with a pong between, lengths at every border, close
    static const int flags[] = {0x81, 0x89, 0x01, 0x00, 0x8a, 0x80, 0x82, 0x81, 0x81, 0x81, 0x88};
    static const size_t lengths[] = {7, 125, 3, 0, 0, 5, 125, 126, 65535, 65536, 2};
    static unsigned char bytes[1 << 18];
    size_t total = 0;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        total += put_frame(bytes + total, flags[i], lengths[i]);
    }
    for (int k = 0; k < PIECES; k++) {
        heard* h = fresh(GUARD_FRAMES);
        say(h, bytes, total, pieces[k]);
        CHECK(h->guard.state == GUARD_FRAMES && h->taken == total && h->length == total);
        CHECK(memcmp(h->bytes, bytes, total) == 0);
        free(h);
    }
}

TEST(of_a_bad_frame_not_one_byte_passes)
{
    static const struct {
        const char* bytes;
        size_t length;
    } bad[] = {
        {"\x81\x07step 50", 9},                                    // no mask
        {"\x01\x07step 50", 9},                                    // nor in a fragment
        {"\x89\x00", 2},                                           // nor in a ping
        {"\x88\x02\x03\xe8", 4},                                   // nor in a close
        {"\xc1\x80\0\0\0\0", 6},                                   // reserved bits
        {"\xa1\x80\0\0\0\0", 6},                                   //
        {"\x91\x80\0\0\0\0", 6},                                   //
        {"\x83\x80\0\0\0\0", 6},                                   // unknown kinds
        {"\x8b\x80\0\0\0\0", 6},                                   //
        {"\x80\x80\0\0\0\0", 6},                                   // goes on with nothing
        {"\x09\x80\0\0\0\0", 6},                                   // a ping in fragments
        {"\x89\xfe\x00\x7e\0\0\0\0", 8},                           // a long ping
        {"\x81\xfe\x00\x7d\0\0\0\0", 8},                           // a short length in 16 bits
        {"\x81\xff\0\0\0\0\0\0\xff\xff\0\0\0\0", 14},              // and in 64
        {"\x81\xff\x80\0\0\0\0\x01\0\0\0\0\0\0", 14},              // 2^63
        {"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14},  // -1
    };
    unsigned char good[64];
    const size_t before = put_frame(good, 0x81, 5);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int k = 0; k < PIECES; k++) {
            heard* h = fresh(GUARD_FRAMES);
            unsigned char all[128];
            memcpy(all, good, before);
            memcpy(all + before, bad[i].bytes, bad[i].length);
            say(h, all, before + bad[i].length, pieces[k]);
            CHECK(h->guard.state == GUARD_REFUSED && h->length == before);
            const size_t length = h->length;
            say(h, good, before, 4096);  // and it stays so
            CHECK(h->length == length);
            free(h);
        }
    }
}

TEST(a_message_cannot_begin_inside_another)
{
    heard* h = fresh(GUARD_FRAMES);
    unsigned char bytes[64];
    size_t n = put_frame(bytes, 0x01, 3);
    const size_t first = n;
    n += put_frame(bytes + n, 0x81, 3);
    say(h, bytes, n, 4096);
    CHECK(h->guard.state == GUARD_REFUSED && h->length == first);
    free(h);
}
