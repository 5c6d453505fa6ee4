// viewer/guard.h - what a browser may say, byte by byte, before anybody acts on it.
//
// The library behind the server executes a frame that is not masked and shows no trace of it, so
// every byte from outside passes here first: the head of a request, line by line, then, once the
// server says that the connection is a WebSocket, the header of every frame [RFC 6455 Sec 5.2].
// A header is handed on only when it is complete and right. Nothing here knows about sockets.
#ifndef TRAMMEL_VIEWER_GUARD_H
#define TRAMMEL_VIEWER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GUARD_HEAD_MOST = 8192,  // bytes of a request's head
    GUARD_HEADER_MOST = 14,  // bytes of a frame's header: 2, 8 of length, 4 of mask
};

typedef enum guard_state {
    GUARD_HEAD,     // inside the head of a request
    GUARD_WAITING,  // the head is complete: nothing passes until guard_expect
    GUARD_FRAMES,
    GUARD_REFUSED,  // nothing passes any more
} guard_state;

typedef struct guard {
    guard_state state;
    // head
    size_t head_length;
    int line_length;  // bytes of this line
    bool has_cr;      // its last byte was a carriage return
    // frames
    unsigned char header[GUARD_HEADER_MOST];
    int header_length;
    uint64_t payload_left;
    bool is_in_message;  // the last data frame was not final
} guard;

// Take up to `length` bytes; those that may go on are written to `out` (room for length +
// GUARD_HEADER_MOST), their number to *passed. Answers how many were taken: fewer than `length`
// where the state became GUARD_WAITING or GUARD_REFUSED.
size_t guard_take(guard* g, const unsigned char* bytes, size_t length, unsigned char* out,
                  size_t* passed);

// What follows a complete head: the head of the next request, or frames.
void guard_expect(guard* g, guard_state next);

#endif
