// app/swept_serve.c - the page of a sweep in the browser, whose rows run again when they are clicked.
//
// A server for one person: it listens on 127.0.0.1 alone, answers GET one after another, and only under a
// path that nobody can guess. A row's page is that of `trammel report` for a recording made at that moment.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/swept.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    HEAD_MOST = 8192,
    SECRET_BYTES = 16,
    PATIENCE = 5000,  // ms for a request to arrive, and for a reader to take bytes
};

typedef struct swept_server {
    const swept* s;
    char secret[2 * SECRET_BYTES + 1];
    volatile int* stop;
} swept_server;

// ---- bytes

static bool wait_for(int socket, short what, int milliseconds)
{
    struct pollfd p = {socket, what, 0};
    return poll(&p, 1, milliseconds) > 0;
}

static void send_all(int socket, const char* bytes, size_t length)
{
    while (length > 0 && wait_for(socket, POLLOUT, PATIENCE)) {
        const ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void answer(int socket, const char* status, const char* body, size_t length)
{
    char head[512];
    const int count = snprintf(head, sizeof head,
                               "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n"
                               "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                               "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                               "X-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
                               status, length);
    send_all(socket, head, (size_t)count);
    send_all(socket, body, length);
}

static void answer_text(int socket, const char* status, const char* text)
{
    answer(socket, status, text, strlen(text));
}

// The head of a request, up to its empty line. False: none came.
static bool read_head(int socket, char head[HEAD_MOST])
{
    size_t length = 0;
    while (length + 1 < HEAD_MOST && wait_for(socket, POLLIN, PATIENCE)) {
        const ssize_t got = recv(socket, head + length, HEAD_MOST - 1 - length, 0);
        if (got <= 0) return false;
        length += (size_t)got;
        head[length] = '\0';
        if (strlen(head) != length) return false;  // a zero byte
        if (strstr(head, "\r\n\r\n") != NULL) return true;
    }
    return false;
}

// ---- pages

static void send_table(const swept_server* v, int socket)
{
    char* text = NULL;
    size_t length = 0;
    FILE* to = open_memstream(&text, &length);
    if (to != NULL) {
        swept_put_page(to, v->s, true);
        if (fclose(to) == 0) answer(socket, "200 OK", text, length);
    }
    free(text);
}

// `trammel report` of a recording.
static int report_recording(const char* path, const char* out, long long row)
{
    char title[64];
    char option_out[8] = "--out";
    char option_title[8] = "--title";
    union {
        const char* given;
        char* word;
    } words[5] = {{.given = path},
                  {.word = option_out},
                  {.given = out},
                  {.word = option_title},
                  {.word = title}};
    char* list[5];
    arguments given;
    for (int i = 0; i < 5; i++) list[i] = words[i].word;
    snprintf(title, sizeof title, "row %lld", row);
    if (!options_parse(command_report.tables, 5, list, &given)) return APP_BAD_INPUT;
    return command_report.run(&given);
}

static bool send_file(int socket, const char* path)
{
    FILE* file = fopen(path, "rb");
    char* text = NULL;
    long length = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0) text = malloc((size_t)length);
    const bool is_read = text != NULL && fread(text, 1, (size_t)length, file) == (size_t)length;
    if (file != NULL) fclose(file);
    if (is_read) answer(socket, "200 OK", text, (size_t)length);
    free(text);
    return is_read;
}

static void send_row(const swept_server* v, int socket, long long row)
{
    char path[4096];
    char page[4200];
    int code = swept_record_row(v->s, row, path);
    if (code == APP_DONE) {
        snprintf(page, sizeof page, "%.*s.html", (int)(strlen(path) - 4), path);
        code = report_recording(path, page, row);
    }
    if (code != APP_DONE || !send_file(socket, page)) {
        answer_text(socket, "500 Internal Server Error",
                    "the run could not be made; the terminal says why\n");
    }
    swept_forget_row(path);
}

// "GET /SECRET/" and "GET /SECRET/row/N", for a browser that asks for this address and no other.
static void serve_request(const swept_server* v, int socket, int port)
{
    char head[HEAD_MOST];
    char host[64];
    char end = '\0';
    long long row = -1;
    if (!read_head(socket, head)) return;
    snprintf(host, sizeof host, "\r\nHost: 127.0.0.1:%d\r\n", port);
    if (strstr(head, host) == NULL) {
        answer_text(socket, "403 Forbidden", "not the address that was printed\n");
        return;
    }
    const size_t secret = strlen(v->secret);
    const bool is_ours = strncmp(head, "GET /", 5) == 0 &&
                         strncmp(head + 5, v->secret, secret) == 0 && head[5 + secret] == '/';
    const char* rest = is_ours ? head + 5 + secret + 1 : "";
    if (is_ours && strncmp(rest, " HTTP/1.", 8) == 0) {
        send_table(v, socket);
    } else if (is_ours && sscanf(rest, "row/%18lld%c", &row, &end) == 2 && end == ' ' && row >= 0 &&
               row < tml_sweep_row_count(v->s->sweep)) {
        send_row(v, socket, row);
    } else {
        answer_text(socket, "404 Not Found", "nothing is here\n");
    }
}

// ---- the server

static bool make_secret(char out[2 * SECRET_BYTES + 1])
{
    unsigned char bytes[SECRET_BYTES];
    FILE* random = fopen("/dev/urandom", "rb");
    const bool is_good = random != NULL && fread(bytes, sizeof bytes, 1, random) == 1;
    if (random != NULL) fclose(random);
    for (int i = 0; i < SECRET_BYTES && is_good; i++) snprintf(&out[2 * i], 3, "%02x", bytes[i]);
    return is_good;
}

// Listening on a port of this machine alone; -1 with errno.
static int listen_on(int* port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof at;
    const int one = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0) return -1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(s, (struct sockaddr*)&at, sizeof at) == 0 && listen(s, 8) == 0 &&
        getsockname(s, (struct sockaddr*)&at, &size) == 0) {
        *port = ntohs(at.sin_port);
        return s;
    }
    close(s);
    return -1;
}

int swept_serve(const char* path, int port, void (*announce)(void* context, const char* address),
                void* context, volatile int* stop)
{
    swept s;
    swept_server v = {.s = &s, .stop = stop};
    char address[128];
    int code = swept_open(path, &s);
    int door = -1;
    if (code == APP_DONE) {
        door = make_secret(v.secret) ? listen_on(&port) : -1;
        if (door < 0) {
            app_error("port %d: %s", port, strerror(errno));
            code = APP_FAILED;
        }
    }
    if (code == APP_DONE) {
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", port, v.secret);
        announce(context, address);
    }
    while (code == APP_DONE && !*stop) {
        if (!wait_for(door, POLLIN, 200)) continue;
        const int guest = accept(door, NULL, NULL);
        if (guest < 0) continue;
        serve_request(&v, guest, port);
        close(guest);
    }
    if (door >= 0) close(door);
    swept_close(&s);
    return code;
}
