// viewer/relay.c - carries bytes between browsers and the library, both ways, in bounded memory.
#define _GNU_SOURCE  // NOLINT: ppoll and accept4

#include "viewer/relay.h"

#include "viewer/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    UP_ROOM = 4096,       // bytes read from a browser at once
    DOWN_ROOM = 1 << 16,  // bytes on their way to a browser
    TURN_MOST = 1 << 20,  // bytes carried for one connection before the others have their turn
    BACKLOG = 64,
};

static const double linger_time = 2.0;  // s for a browser to hang up after we did

// Bytes on their way: those between `at` and `end` are still to go.
typedef struct stretch {
    size_t at, end;
} stretch;

typedef struct link_ends {
    int outer;   // the browser's socket
    int inner;   // our end of the pair, -1 when the library is gone
    int theirs;  // the library's end, its name only; -1 when the library is gone
    guard guard;
    bool is_outer_done;  // the browser will say nothing more
    bool is_inner_done;  // nor will the library
    bool is_broken;      // a socket failed: nothing more can be carried
    double deadline;     // > 0: everything is said; hang up by then
    stretch raw, up, down;
    unsigned char raw_bytes[UP_ROOM];
    unsigned char up_bytes[UP_ROOM + GUARD_HEADER_MOST];
    unsigned char down_bytes[DOWN_ROOM];
} link_ends;

struct relay {
    int listener, port;
    relay_hooks hooks;
    link_ends** links;
    struct pollfd* polls;  // the listener, then two a link
    int count, most;
};

static bool is_empty(stretch s) { return s.at == s.end; }

static bool would_wait(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static void close_socket(int* socket)
{
    if (*socket >= 0) close(*socket);
    *socket = -1;
}

// ---- one connection

// Write what can be written; false when the socket takes no more for now.
static bool flush(link_ends* l, int socket, const unsigned char* bytes, stretch* s)
{
    while (!is_empty(*s)) {
        const ssize_t n = send(socket, bytes + s->at, s->end - s->at, MSG_NOSIGNAL);
        if (n < 0) {
            if (!would_wait()) l->is_broken = true;
            return false;
        }
        s->at += (size_t)n;
    }
    *s = (stretch){0};
    return true;
}

// Read into an empty stretch: true when there are bytes.
static bool fill(link_ends* l, int socket, unsigned char* bytes, size_t room, stretch* s,
                 bool* is_done)
{
    const ssize_t n = recv(socket, bytes, room, 0);
    if (n == 0) *is_done = true;
    if (n < 0 && !would_wait()) l->is_broken = true;
    *s = (stretch){0, n > 0 ? (size_t)n : 0};
    return n > 0;
}

// The library is gone: whatever the browser still says is for nobody.
static void drop_inner(link_ends* l)
{
    close_socket(&l->inner);
    l->is_inner_done = true;
    l->theirs = -1;
    l->guard.state = GUARD_REFUSED;
    l->raw = (stretch){0};
    l->up = (stretch){0};
}

// A head that is none gets the answer that every server would give.
static void refuse_head(link_ends* l)
{
    static const char answer[] = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
                                 "Content-Length: 0\r\n\r\n";
    drop_inner(l);
    if (!is_empty(l->down)) return;  // an answer is on its way already
    l->down = (stretch){0, sizeof answer - 1};
    memcpy(l->down_bytes, answer, sizeof answer - 1);
}

static void pass_guard(relay* r, link_ends* l)
{
    const bool was_head = l->guard.state == GUARD_HEAD;
    size_t passed = 0;

    l->raw.at += guard_take(&l->guard, l->raw_bytes + l->raw.at, l->raw.end - l->raw.at,
                            l->up_bytes, &passed);
    if (l->guard.state != GUARD_REFUSED) {
        l->up = (stretch){0, passed};
        return;
    }
    // whole frames before the bad one go on, so that what was said properly is heard
    l->up = (stretch){0, was_head ? 0 : passed};
    l->raw = (stretch){0};
    if (was_head) refuse_head(l);
    if (!was_head) r->hooks.refuse(r->hooks.context, l->theirs);
}

// From the browser to the library.
static void carry_up(relay* r, link_ends* l)
{
    for (size_t carried = 0; carried < TURN_MOST && !l->is_broken; carried += UP_ROOM) {
        if (l->inner >= 0 && !flush(l, l->inner, l->up_bytes, &l->up)) return;
        if (!is_empty(l->raw)) {
            if (l->guard.state == GUARD_WAITING) return;
            pass_guard(r, l);
            continue;
        }
        if (l->is_outer_done || l->guard.state == GUARD_WAITING) break;
        if (!fill(l, l->outer, l->raw_bytes, UP_ROOM, &l->raw, &l->is_outer_done)) break;
        // what follows a refusal is read, so that hanging up is polite, and forgotten
        if (l->guard.state == GUARD_REFUSED) l->raw = (stretch){0};
    }
    if (l->is_outer_done && is_empty(l->raw) && l->inner >= 0) shutdown(l->inner, SHUT_WR);
}

// From the library to the browser.
static void carry_down(link_ends* l)
{
    for (size_t carried = 0; carried < TURN_MOST && !l->is_broken; carried += DOWN_ROOM) {
        if (!flush(l, l->outer, l->down_bytes, &l->down) || l->is_inner_done) break;
        if (!fill(l, l->inner, l->down_bytes, DOWN_ROOM, &l->down, &l->is_inner_done)) break;
    }
    if (l->is_inner_done && is_empty(l->down) && l->deadline <= 0.0) {
        shutdown(l->outer, SHUT_WR);
        drop_inner(l);
        l->deadline = stage_clock() + linger_time;
    }
}

static bool is_over(const link_ends* l)
{
    if (l->is_broken) return true;
    return l->deadline > 0.0 && (l->is_outer_done || stage_clock() > l->deadline);
}

static void free_link(link_ends* l)
{
    close_socket(&l->inner);
    close_socket(&l->outer);
    free(l);
}

// ---- the door

static int listen_on(int port)
{
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s < 0) return -1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s, (const struct sockaddr*)&address, sizeof address) == 0 && listen(s, BACKLOG) == 0) {
        return s;
    }
    close(s);
    return -1;
}

static int port_of(int socket)
{
    struct sockaddr_in address = {0};
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr*)&address, &length) != 0) return 0;
    return ntohs(address.sin_port);
}

relay* relay_open(int port, int connections_most, const relay_hooks* hooks)
{
    relay* r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->hooks = *hooks;
    r->most = connections_most;
    r->links = calloc((size_t)connections_most, sizeof(link_ends*));
    r->polls = calloc(2 * (size_t)connections_most + 1, sizeof *r->polls);
    r->listener = listen_on(port);
    if (r->links == NULL || r->polls == NULL || r->listener < 0) {
        relay_close(r);
        return NULL;
    }
    r->port = port_of(r->listener);
    return r;
}

void relay_close(relay* r)
{
    if (r == NULL) return;
    for (int i = 0; i < r->count; i++) free_link(r->links[i]);
    close_socket(&r->listener);
    free(r->links);
    free(r->polls);
    free(r);
}

int relay_port(const relay* r) { return r->port; }

static void forget_name(relay* r, int socket)
{
    for (int i = 0; i < r->count; i++) {
        if (r->links[i]->theirs == socket) r->links[i]->theirs = -1;
    }
}

// Where all places are taken, whoever has waited longest without a request on its way gives way: somebody who
// only holds connections open keeps nobody out. Viewers stay.
static void make_place(relay* r)
{
    if (r->count < r->most) return;
    for (int i = 0; i < r->count; i++) {  // in the order they came
        link_ends* l = r->links[i];
        const bool is_idle = l->guard.state == GUARD_HEAD && is_empty(l->down);
        if (!is_idle && l->guard.state != GUARD_REFUSED) continue;
        free_link(l);
        memmove(&r->links[i], &r->links[i + 1], (size_t)(r->count - i - 1) * sizeof *r->links);
        r->count--;
        return;
    }
}

static void begin_link(relay* r, int outer)
{
    const int yes = 1;
    int pair[2] = {-1, -1};
    make_place(r);
    link_ends* l = r->count < r->most ? calloc(1, sizeof *l) : NULL;

    if (l == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0) {
        free(l);
        close(outer);
        return;
    }
    setsockopt(outer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    forget_name(r, pair[1]);  // the library may have closed a socket of that name just now
    l->outer = outer;
    l->inner = pair[0];
    l->theirs = pair[1];
    if (!r->hooks.adopt(r->hooks.context, pair[1])) {
        free_link(l);
        return;
    }
    r->links[r->count++] = l;
}

static void accept_all(relay* r)
{
    for (int i = 0; i < BACKLOG; i++) {
        const int outer = accept4(r->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (outer < 0) return;
        begin_link(r, outer);
    }
}

// ---- waiting

static short outer_events(const link_ends* l)
{
    short events = 0;
    const bool can_take = is_empty(l->raw) && is_empty(l->up) && l->guard.state != GUARD_WAITING;
    if (can_take && !l->is_outer_done) events |= POLLIN;
    if (!is_empty(l->down)) events |= POLLOUT;
    return events;
}

static short inner_events(const link_ends* l)
{
    short events = 0;
    if (is_empty(l->down) && !l->is_inner_done) events |= POLLIN;
    if (!is_empty(l->up)) events |= POLLOUT;
    return events;
}

static int list_polls(relay* r)
{
    r->polls[0] = (struct pollfd){.fd = r->listener, .events = POLLIN};
    for (int i = 0; i < r->count; i++) {
        const link_ends* l = r->links[i];
        r->polls[2 * i + 1] = (struct pollfd){.fd = l->outer, .events = outer_events(l)};
        // a hung-up end would wake us without pause while nobody can take what it still holds
        const bool is_waiting = inner_events(l) != 0;
        r->polls[2 * i + 2] =
            (struct pollfd){.fd = is_waiting ? l->inner : -1, .events = inner_events(l)};
    }
    return 2 * r->count + 1;
}

static void serve_link(relay* r, link_ends* l, short outer)
{
    // a browser that is gone altogether hears nothing any more
    if ((outer & (POLLERR | POLLHUP)) != 0) l->is_broken = true;
    carry_up(r, l);
    if (!l->is_broken) carry_down(l);
}

void relay_wait(relay* r, double seconds)
{
    const double bounded = seconds > 0.0 ? seconds : 0.0;
    const time_t whole = (time_t)bounded;
    const struct timespec timeout = {whole, (long)(1e9 * (bounded - (double)whole))};
    const int polls = list_polls(r);
    int kept = 0;

    const int ready = ppoll(r->polls, (nfds_t)polls, &timeout, NULL);
    const int known = r->count;
    for (int i = 0; i < known; i++) {
        link_ends* l = r->links[i];
        const short outer = ready > 0 ? r->polls[2 * i + 1].revents : 0;
        const short inner = ready > 0 ? r->polls[2 * i + 2].revents : 0;
        if (outer != 0 || inner != 0) serve_link(r, l, outer);
        if (is_over(l)) {
            free_link(l);
        } else {
            r->links[kept++] = l;
        }
    }
    r->count = kept;
    if (ready > 0 && (r->polls[0].revents & POLLIN) != 0) accept_all(r);
}

void relay_expect(relay* r, int socket, guard_state next)
{
    for (int i = 0; i < r->count; i++) {
        link_ends* l = r->links[i];
        if (l->theirs != socket) continue;
        guard_expect(&l->guard, next);
        carry_up(r, l);  // what was said already is heard now
        return;
    }
}
