// app/view.c - `trammel view`: a scene or a recording in the browser.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own; mkstemps

#include "app/load.h"
#include "app/recorded.h"
#include "app/shown.h"
#include "app/swept.h"
#include "viewer/stage.h"
#include "viewer/text.h"
#ifdef TRAMMEL_VIEWER
#include "viewer/server.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const option view_options[] = {
    {"port", OPTION_WHOLE, "N", "listen on this port of 127.0.0.1 (0: any free one)", 0, 65535},
    {"no-browser", OPTION_FLAG, NULL, "print the address, open nothing", 0, 0},
    {"paused", OPTION_FLAG, NULL, "do not start to play", 0, 0},
    {"scene", OPTION_TEXT, "SCENE", "of a recording, where X.scene.json is not beside it", 0, 0},
    {"memory", OPTION_WHOLE, "MB", "for the history (512)", 1, 1 << 20},
    {"row", OPTION_WHOLE, "N", "of a sweep: run that row again and show it", 0, 9e15},
};

#ifdef TRAMMEL_VIEWER

static volatile int stop;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static void listen_for_signals(void)
{
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

// A page that leads to the address, which nobody else may read: the words of a process, a browser's among
// them, are for everybody to see, and the address holds the secret.
static char lead_page[4200];

static bool write_lead(const char* address)
{
    const char* folder = getenv("XDG_RUNTIME_DIR");
    if (folder == NULL || folder[0] != '/') folder = "/tmp";
    const int length = snprintf(lead_page, sizeof lead_page, "%s/trammel-XXXXXX.html", folder);
    const int file = (size_t)length < sizeof lead_page ? mkstemps(lead_page, 5) : -1;
    FILE* to = file >= 0 ? fdopen(file, "w") : NULL;
    if (to == NULL) {
        if (file >= 0) close(file);
        lead_page[0] = '\0';
        return false;
    }
    fprintf(to,
            "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" "
            "content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0; url=%s\">"
            "<title>trammel</title><a href=\"%s\">trammel</a>\n",
            address, address);
    return fclose(to) == 0;
}

static void forget_lead(void)
{
    if (lead_page[0] != '\0') unlink(lead_page);
}

// Start the user's browser, and do not wait for it.
static void open_browser(const char* page)
{
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            const int nowhere = open("/dev/null", O_WRONLY);
            if (nowhere >= 0) {
                dup2(nowhere, STDOUT_FILENO);
                dup2(nowhere, STDERR_FILENO);
            }
            execlp("xdg-open", "xdg-open", page, (char*)NULL);
            _exit(127);
        }
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static void announce(void* context, const char* address)
{
    const arguments* given = context;
    const bool has_display = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;

    printf("%s\n", address);
    printf(
        "the address holds a secret: whoever has it can watch and push. Ctrl-C ends the show.\n");
    fflush(stdout);
    if (option_is_given(given, "no-browser") || !has_display) return;
    if (write_lead(address)) {
        open_browser(lead_page);
    } else {
        app_error("no browser is opened: %s", strerror(errno));
    }
}

static int serve(stage* s, const char* name, const char* note, const arguments* given)
{
    char why[400];
    const server_settings settings = {
        .port = (int)option_whole(given, "port"),
        .note = note,
        .opened = announce,
        .context = (void*)(uintptr_t)given,
        .stop = &stop,
    };
    if (!option_is_given(given, "paused")) stage_play(s, true);
    listen_for_signals();
    const tml_status status = server_run(s, &settings, why, sizeof why);
    forget_lead();
    if (status != TML_OK) {
        app_error("%s: %s", name, why);
        return APP_FAILED;
    }
    return APP_DONE;
}

static size_t budget_of(const arguments* given)
{
    const long long mb = option_is_given(given, "memory") ? option_whole(given, "memory") : 512;
    return (size_t)mb << 20;
}

// What the file asks for and is not simulated, a line each: the page lists it. NULL: nothing, or no memory.
static char* notes_of(const loaded* l)
{
    const int count = tml_scene_lint_count(l->scene);
    text notes = {0};
    for (int i = 0; i < count; i++) {
        const char* sentence = tml_scene_lint(l->scene, i);
        if (i == 0) text_format(&notes, "%d not simulated, or taken otherwise than written", count);
        text_format(&notes, "\n%s", sentence != NULL ? sentence : "");
    }
    if (!notes.is_broken) return notes.data;
    text_free(&notes);
    return NULL;
}

static int view_scene(const arguments* given)
{
    loaded l;
    stage s = {0};
    int code = load_closed(given, &l);
    if (code == APP_DONE) {
        const tml_status status =
            stage_open_live(&s, l.model, &loaded_settings(&l)->sim, budget_of(given));
        if (status == TML_OK) {
            char* notes = notes_of(&l);
            code = serve(&s, l.name, notes != NULL ? notes : "", given);
            free(notes);
        } else {
            app_error("%s: %s", l.name, s.message[0] != '\0' ? s.message : tml_status_name(status));
            code = app_exit_code(status);
        }
        stage_close(&s);
    }
    unload(&l);
    return code;
}

static int show_recording(const char* path, const arguments* given)
{
    shown_recording shown;
    int code = shown_open(path, option_text(given, "scene"), budget_of(given), &shown);
    if (code == APP_DONE) code = serve(&shown.stage, shown.recorded.path, shown.note, given);
    shown_close(&shown);
    return code;
}

// A sweep: its page, or one of its runs, made again.
static int view_swept(const arguments* given)
{
    char path[4096] = "";
    swept s;
    if (!option_is_given(given, "row")) {
        listen_for_signals();
        const int code = swept_serve(given->positionals[0], (int)option_whole(given, "port"),
                                     announce, (void*)(uintptr_t)given, &stop);
        forget_lead();
        return code;
    }
    int code = swept_open(given->positionals[0], &s);
    if (code == APP_DONE) code = swept_record_row(&s, option_whole(given, "row"), path);
    swept_close(&s);
    if (code == APP_DONE) code = show_recording(path, given);
    swept_forget_row(path);
    return code;
}

static int view(const arguments* given)
{
    const char* path = given->positionals[0];
    if (is_swept(path)) return view_swept(given);
    if (option_is_given(given, "row")) {
        app_error("--row %lld: %s is no sweep", option_whole(given, "row"), path);
        return APP_BAD_INPUT;
    }
    return is_recording(path) ? show_recording(path, given) : view_scene(given);
}

#else

static int view(const arguments* given)
{
    (void)given;
    app_error("this trammel was built without libwebsockets, so it has no viewer; 'make deps' "
              "installs it, and 'trammel report' needs none");
    return APP_BAD_INPUT;
}

#endif

const command command_view = {
    "view",
    "FILE",
    "a scene, live, or a recording in the browser",
    "Shows a scene (JSON, robot model, scene:NAME), live, a recording (.csv, .npz) or the results "
    "of a\n"
    "sweep in the browser, and prints the address. The page plays, steps back, scrubs, plots, "
    "shows\n"
    "joint forces, and lets you push a live scene, move its actuators and switch the method. Press "
    "?\n"
    "in it for the keys.",
    {{sizeof view_options / sizeof view_options[0], view_options}, {OVERRIDES, override_options}},
    1,
    1,
    view,
};
