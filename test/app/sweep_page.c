// test/app/sweep_page.c - the page of a sweep, and its rows in the viewer.
#include "test/app/tool.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static const char sweep_text[] =
    "{\"duration\": 0.02, \"parameters\": [{\"parameter\": \"mass\", \"of\": \"crank\", \"list\": "
    "[0.3, 0.4, -1, 0.5, -2]}], \"record\": [{\"quantity\": \"kinetic\"}]}";

static void enter(void)
{
    enter_folder("app_sweep_page");
    write_text("sweep.json", sweep_text);
    remove("a.npz");
    remove("a.npz.part");
    CHECK(tool("sweep scene:four-bar sweep.json --out a.npz --json")->code == 0);
}

TEST(a_report_counts_failures_by_reason)
{
    static char page[TOOL_TEXT];
    enter();
    const tool_result* r = tool("report a.npz");
    CHECK(r->code == 0);
    read_text("a.html", page, sizeof page);
    CHECK_CONTAINS(page, "5 rows of 1 parameters; 3 done, 2 failed");
    // -1 kg and -2 kg are one reason
    CHECK_CONTAINS(page, "body 'crank' would have a mass of -# kg</td><td>2</td><td>2</td>");
    CHECK_CONTAINS(page, "\"names\":[\"crank.mass\",\"kinetic.final\"]");
    CHECK_CONTAINS(page, "\"columns\":[[0.3,0.4,-1,0.5,-2]");
    CHECK_CONTAINS(page, "default-src 'none'");
}

static void ask(int port, const char* request, char* out, size_t capacity)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    size_t length = 0;
    CHECK(connect(s, (struct sockaddr*)&at, sizeof at) == 0);
    CHECK(send(s, request, strlen(request), 0) == (ssize_t)strlen(request));
    for (ssize_t got = 1; got > 0 && length + 1 < capacity; length += (size_t)got) {
        got = recv(s, out + length, capacity - 1 - length, 0);
        if (got <= 0) break;
    }
    out[length] = '\0';
    close(s);
}

static void sleep_ms(long ms)
{
    const struct timespec pause = {0, ms * 1000000L};
    nanosleep(&pause, NULL);
}

TEST(a_served_page_runs_its_rows_again)
{
    enum {
        ANSWER = 1 << 21
    };
    static char answer[ANSWER];
    char said[400] = "";
    char secret[64] = "";
    char request[300];
    int port = 0;
    enter();
    remove("out.txt");
    const pid_t child =
        start_program(TOOL, "view a.npz --no-browser", (streams){"/dev/null", "out.txt"});
    for (int i = 0; i < 200 && strchr(said, '\n') == NULL; i++) {
        sleep_ms(50);
        read_text("out.txt", said, sizeof said);
    }
    CHECK(sscanf(said, "http://127.0.0.1:%d/%60[0-9a-f]/", &port, secret) == 2);
    if (port == 0) {  // built without the viewer
        waitpid(child, NULL, 0);
        SKIP("this build has no viewer");
    }
    snprintf(request, sizeof request, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", secret,
             port);
    ask(port, request, answer, sizeof answer);
    CHECK_CONTAINS(answer, "HTTP/1.1 200 OK");
    CHECK_CONTAINS(answer, "\"served\":true");
    snprintf(request, sizeof request, "GET /%s/row/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
             secret, port);
    ask(port, request, answer, sizeof answer);
    CHECK_CONTAINS(answer, "HTTP/1.1 200 OK");
    CHECK_CONTAINS(answer, "<title>row 1</title>");
    CHECK_CONTAINS(answer, "id=\"trammel-data\"");
    // without the secret, for another host, a row that is not there
    snprintf(request, sizeof request, "GET /row/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port);
    ask(port, request, answer, sizeof answer);
    CHECK_CONTAINS(answer, "HTTP/1.1 404");
    snprintf(request, sizeof request, "GET /%s/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", secret);
    ask(port, request, answer, sizeof answer);
    CHECK_CONTAINS(answer, "HTTP/1.1 403");
    snprintf(request, sizeof request, "GET /%s/row/5 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
             secret, port);
    ask(port, request, answer, sizeof answer);
    CHECK_CONTAINS(answer, "HTTP/1.1 404");
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
