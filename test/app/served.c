// The viewer's server: its secret stays out of sight, and nobody can lock its viewer out.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own; setenv
#include "test/app/tool.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum {
    IDLE = 300,
    TOKEN = 32
};

static void wait_seconds(double seconds)
{
    const struct timespec pause = {(time_t)seconds,
                                   (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&pause, NULL);
}

typedef struct server {
    pid_t child;
    int port;
    char token[TOKEN + 1];
} server;

static int has_viewer(void)
{
    return strstr(tool("view none.csv")->err, "without libwebsockets") == NULL;
}

static void enter(void)
{
    enter_folder("app_served");
    if (access("p.json", R_OK) != 0) CHECK(tool("scene pendulum --out p.json")->code == 0);
}

static server start(const char* line)
{
    server s = {0};
    char text[2000] = "";
    remove("view.txt");
    s.child = start_program(TOOL, line, (streams){"/dev/null", "view.txt"});
    const char* at = NULL;
    for (int i = 0; i < 1000 && at == NULL; i++) {
        wait_seconds(0.01);
        read_text("view.txt", text, sizeof text);
        at = strchr(text, '\n') != NULL ? strstr(text, "http://127.0.0.1:") : NULL;
    }
    CHECK(at != NULL);
    if (at == NULL) return s;
    s.port = (int)strtol(at + 17, NULL, 10);
    const char* secret = strstr(at, "?t=");
    CHECK(secret != NULL && strspn(secret + 3, "0123456789abcdef") == TOKEN);
    if (secret != NULL) memcpy(s.token, secret + 3, TOKEN);
    return s;
}

static void stop(server s)
{
    tool_result* r = malloc(sizeof *r);
    kill(s.child, SIGTERM);
    finish_program(s.child, r);
    CHECK(r->code == 0);
    free(r);
}

// ---- sockets

static int dial(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s >= 0 && connect(s, (const struct sockaddr*)&to, sizeof to) == 0) return s;
    if (s >= 0) close(s);
    return -1;
}

// The start of the answer, within three seconds.
static int hear(int s, char* text, size_t capacity)
{
    struct pollfd p = {.fd = s, .events = POLLIN};
    text[0] = '\0';
    if (s < 0 || poll(&p, 1, 3000) != 1) return 0;
    const ssize_t n = recv(s, text, capacity - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static int say(int s, const char* text)
{
    return s >= 0 && send(s, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

static int asks_page(const server* v)
{
    char text[4000];
    const int s = dial(v->port);
    snprintf(text, sizeof text, "GET /?t=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", v->token,
             v->port);
    const int is_said = say(s, text);
    const int is_heard = hear(s, text, sizeof text);
    if (s >= 0) close(s);
    return is_said && is_heard && strncmp(text, "HTTP/1.1 200", 12) == 0;
}

static int becomes_viewer(const server* v)
{
    char text[4000];
    const int s = dial(v->port);
    snprintf(text, sizeof text,
             "GET /ws?t=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
             "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: "
             "trammel\r\n\r\n",
             v->token, v->port, v->port);
    CHECK(say(s, text));
    CHECK(hear(s, text, sizeof text));
    CHECK(strncmp(text, "HTTP/1.1 101", 12) == 0);
    return s;
}

// ---- tests

// Three hundred connections that say nothing, or only half of something: the next browser is served, and a
// viewer that is there goes on being sent frames.
static void hold_open(const char* words)
{
    static int held[IDLE];
    char text[1 << 16];
    enter();
    if (!has_viewer()) SKIP("built without libwebsockets");
    const server v = start("view p.json --no-browser --port 0");
    CHECK(asks_page(&v));
    const int viewer = becomes_viewer(&v);
    for (int i = 0; i < IDLE; i++) {
        held[i] = dial(v.port);
        if (words != NULL && held[i] >= 0) (void)say(held[i], words);
    }
    for (int i = 0; i < 3; i++) CHECK(asks_page(&v));
    // whatever was on its way to the viewer is read, and then more comes
    for (int i = 0; i < 20; i++) CHECK(hear(viewer, text, sizeof text));
    for (int i = 0; i < IDLE; i++) {
        if (held[i] >= 0) close(held[i]);
    }
    CHECK(asks_page(&v));
    close(viewer);
    stop(v);
}

TEST(idle_connections_do_not_lock_a_viewer_out) { hold_open(NULL); }

TEST(half_requests_do_not_either) { hold_open("GET / HTTP/1.1\r\nHost: 127.0.0.1"); }

// A browser of the test's own writes down how it was called.
TEST(the_secret_stands_in_no_word_of_a_process)
{
    char text[5000] = "";
    char path[4200];
    char page[5000] = "";
    struct stat about;
    enter();
    if (!has_viewer()) SKIP("built without libwebsockets");
    remove("called.txt");
    write_text("xdg-open", "#!/bin/sh\necho \"$@\" > called.tmp\nmv called.tmp called.txt\n");
    CHECK(chmod("xdg-open", 0755) == 0);
    const char* before = getenv("PATH");
    snprintf(path, sizeof path, ".:%.4000s", before != NULL ? before : "/usr/bin:/bin");
    setenv("PATH", path, 1);
    setenv("DISPLAY", ":0", 1);
    setenv("XDG_RUNTIME_DIR", "/tmp", 1);
    const server v = start("view p.json --port 0 --paused");
    for (int i = 0; i < 500 && text[0] == '\0'; i++) {
        wait_seconds(0.01);
        read_text("called.txt", text, sizeof text);
    }
    CHECK(v.token[0] != '\0' && strstr(text, v.token) == NULL);
    CHECK_CONTAINS(text, "/tmp/trammel-");
    text[strcspn(text, "\n")] = '\0';
    CHECK(stat(text, &about) == 0 && (about.st_mode & 0777) == 0600);
    read_text(text, page, sizeof page);
    CHECK(strstr(page, v.token) != NULL);
    // nor in those of the tool itself
    char name[60];
    snprintf(name, sizeof name, "/proc/%d/cmdline", (int)v.child);
    read_text(name, page, sizeof page);
    CHECK(page[0] != '\0' && strstr(page, v.token) == NULL);
    stop(v);
    CHECK(access(text, F_OK) != 0);
}
