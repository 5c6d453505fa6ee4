// viewer/server.h - a stage on a local address, for browsers.
//
// The server listens on 127.0.0.1 only. Every request must name this host and port; pages of other
// origins, and whoever does not know the random token in the address, are refused. Files come from
// a table that is compiled in.
#ifndef TRAMMEL_VIEWER_SERVER_H
#define TRAMMEL_VIEWER_SERVER_H

#include "viewer/stage.h"

typedef struct server_settings {
    int port;          // 0: any free one
    const char* note;  // shown in the page; "" for none
    // called once, when the address is known
    void (*opened)(void* context, const char* address);
    void* context;
    const volatile int* stop;  // not 0: leave
} server_settings;

// Serve until *stop. TML_BAD_FILE with a sentence in `why` when it cannot listen.
tml_status server_run(stage* s, const server_settings* settings, char* why, size_t capacity);

#endif
