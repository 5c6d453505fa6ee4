// app/view.c - `trammel view`: a scene or a recording in the browser.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/load.h"
#include "app/recorded.h"
#include "app/shown.h"
#include "viewer/stage.h"
#ifdef TRAMMEL_VIEWER
#include "viewer/server.h"
#endif

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
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

// Start the user's browser, and do not wait for it.
static void open_browser(const char* address)
{
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            (void)!freopen("/dev/null", "w", stderr);
            (void)!freopen("/dev/null", "w", stdout);
            execlp("xdg-open", "xdg-open", address, (char*)NULL);
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
    if (!option_is_given(given, "no-browser") && has_display) open_browser(address);
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
    if (server_run(s, &settings, why, sizeof why) != TML_OK) {
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

static int view_scene(const arguments* given)
{
    loaded l;
    stage s = {0};
    int code = load_closed(given, &l);
    if (code == APP_DONE) {
        const tml_status status =
            stage_open_live(&s, l.model, &loaded_settings(&l)->sim, budget_of(given));
        if (status == TML_OK) {
            code = serve(&s, l.name, "", given);
        } else {
            app_error("%s: %s", l.name, s.message[0] != '\0' ? s.message : tml_status_name(status));
            code = app_exit_code(status);
        }
        stage_close(&s);
    }
    unload(&l);
    return code;
}

static int view_recording(const arguments* given)
{
    shown_recording shown;
    int code =
        shown_open(given->positionals[0], option_text(given, "scene"), budget_of(given), &shown);
    if (code == APP_DONE) code = serve(&shown.stage, shown.recorded.path, shown.note, given);
    shown_close(&shown);
    return code;
}

static int view(const arguments* given)
{
    return is_recording(given->positionals[0]) ? view_recording(given) : view_scene(given);
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
    "Shows a scene, live, or a recording (.csv, .npz) in the browser, and prints the address. The\n"
    "page plays, steps back, scrubs, plots, shows joint forces, and lets you push a live scene,\n"
    "move its actuators and switch the method. Press ? in it for the keys.",
    {{sizeof view_options / sizeof view_options[0], view_options}, {OVERRIDES, override_options}},
    1,
    1,
    view,
};
