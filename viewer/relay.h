// viewer/relay.h - the door of the server: listens, and stands between a browser and the library.
//
// Each connection is a browser's socket and one end of a socket pair; the library has the other
// end. What the browser says passes the guard; what the library answers passes as it is. Buffers
// are of fixed size, and whoever does not read stops the one who writes: nothing is queued.
#ifndef TRAMMEL_VIEWER_RELAY_H
#define TRAMMEL_VIEWER_RELAY_H

#include "viewer/guard.h"

typedef struct relay relay;

typedef struct relay_hooks {
    void* context;
    // a new connection: take this socket, and own it; false: hang up (the socket is taken anyway)
    bool (*adopt)(void* context, int socket);
    // the WebSocket behind this socket broke the protocol: close it with 1002. Nothing more of
    // what it says will arrive.
    void (*refuse)(void* context, int socket);
} relay_hooks;

// Listen on 127.0.0.1; port 0 takes a free one. NULL when that fails.
relay* relay_open(int port, int connections_most, const relay_hooks* hooks);
void relay_close(relay* r);

int relay_port(const relay* r);

// Wait until there is something to carry, at most `seconds`, and carry it.
void relay_wait(relay* r, double seconds);

// The library has understood the request on `socket`: what comes next, a head or frames?
void relay_expect(relay* r, int socket, guard_state next);

#endif
