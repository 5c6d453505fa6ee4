// app/main.c - the `trammel` tool: finds the command, reads its words, runs it.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own; SIGXFSZ

#include "app/app.h"
#include "app/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const command* const commands[] = {
    &command_run,      &command_info,   &command_explain, &command_scene,    &command_list,
    &command_assemble, &command_ik,     &command_statics, &command_convert,  &command_view,
    &command_plot,     &command_report, &command_compare, &command_gradient, &command_optimize,
    &command_sweep,    &command_export,
};

enum {
    COMMANDS = sizeof commands / sizeof commands[0]
};

// Promised by the command line contract, not in this version: a script that uses one should hear
// that rather than "unknown command".
static const char* const later[] = {
    "reproduce",
};

// ---- what the commands share

void app_error(const char* format, ...)
{
    va_list arguments_of_format;

    fflush(stdout);  // so that the two streams keep their order in a log
    fputs("trammel: ", stderr);
    va_start(arguments_of_format, format);
    vfprintf(stderr, format, arguments_of_format);
    va_end(arguments_of_format);
    fputc('\n', stderr);
}

int app_exit_code(tml_status status)
{
    return status > 0 || status == TML_NO_MEMORY ? APP_FAILED : APP_BAD_INPUT;
}

tml_status app_write_scene(tml_scene* scene, const char* path)
{
    char* text = NULL;
    size_t length = 0;

    if (strcmp(path, "-") != 0) return tml_scene_write_file(scene, path);
    const tml_status status = tml_scene_write_text(scene, &text, &length);
    if (status == TML_OK) fwrite(text, 1, length, stdout);
    tml_text_free(text);
    return status;
}

bool file_exists(const char* path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

void app_discard(const char* path)
{
    const int error = errno;
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
    errno = error;
}

int app_finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return APP_DONE;
    app_error("standard output: %s", strerror(errno));
    return APP_BAD_INPUT;
}

// ---- help

static const char about_scenes[] = "A SCENE is a JSON file, a robot model (MJCF, URDF, SDF), "
                                   "scene:NAME for a built-in one, or '-'\n"
                                   "for standard input.\n";

static void print_overview(void)
{
    printf("trammel %s: dynamics of jointed bodies\n\n"
           "  trammel COMMAND ...          trammel COMMAND --help          trammel --version\n\n",
           tml_version());
    for (int i = 0; i < COMMANDS; i++) {
        char call[40];
        snprintf(call, sizeof call, "%s %s", commands[i]->name, commands[i]->positionals);
        printf("  %-21s %s\n", call, commands[i]->summary);
    }
    printf("\n%s"
           "To see something move:\n\n"
           "  trammel scene pendulum --out pendulum.json\n"
           "  trammel view pendulum.json\n"
           "  trammel run pendulum.json --out pendulum.csv && trammel report pendulum.csv\n\n"
           "Exit status: 0 done, 1 the simulation failed, 2 bad usage or input, 130 interrupted.\n",
           about_scenes);
}

static void print_options(const option_table* table)
{
    for (int i = 0; i < table->count; i++) {
        const option* o = &table->options[i];
        char call[40];
        if (o->help == NULL) continue;
        snprintf(call, sizeof call, "--%s %s", o->name, o->value != NULL ? o->value : "");
        printf("  %-24s %s\n", call, o->help);
    }
}

static void print_help(const command* c)
{
    printf("trammel %s%s%s\n\n%s\n", c->name, c->positionals[0] != '\0' ? " " : "", c->positionals,
           c->text);
    if (strncmp(c->positionals, "SCENE", 5) == 0) printf("\n%s", about_scenes);
    for (int k = 0; k < 2; k++) {
        if (c->tables[k].count > 0) printf("\n");
        print_options(&c->tables[k]);
    }
}

// ---- dispatch

static const command* find_command(const char* name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static void refuse_command(const char* name)
{
    char hint[80];
    nearest best = nearest_to(name);

    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strcmp(later[i], name) == 0) {
            app_error("'%s' is planned, but not part of version %s", name, tml_version());
            return;
        }
    }
    for (int i = 0; i < COMMANDS; i++) nearest_offer(&best, commands[i]->name);
    app_error("unknown command '%s'%s", name, nearest_hint(&best, "", hint, sizeof hint));
}

static int help(const char* name)
{
    const command* c = name != NULL ? find_command(name) : NULL;

    if (name != NULL && c == NULL) {
        refuse_command(name);
        return APP_BAD_INPUT;
    }
    if (c != NULL) {
        print_help(c);
    } else {
        print_overview();
    }
    return app_finish_output();
}

static int run_command(const command* c, int word_count, char* const* words)
{
    arguments given;

    if (!options_parse(c->tables, word_count, words, &given)) return APP_BAD_INPUT;
    if (given.wants_help) return help(c->name);
    if (given.positional_count < c->least || given.positional_count > c->most) {
        app_error("'%s' takes %s%s; see 'trammel %s --help'", c->name,
                  c->most == 0 ? "no argument" : c->positionals,
                  given.positional_count < c->least ? ", which is missing" : "", c->name);
        return APP_BAD_INPUT;
    }
    return c->run(&given);
}

int main(int argc, char** argv)
{
    if (!terminal_guard()) return APP_FAILED;
    if (argc < 2) {  // a script that forgot its command must notice
        help(NULL);
        return APP_BAD_INPUT;
    }
    const char* word = argv[1];

    // a file that may not grow is an error of the call that writes it, as a full disk is
    signal(SIGXFSZ, SIG_IGN);
    if (strcmp(word, "--version") == 0) {
        printf("trammel %s\n", tml_version());
        return app_finish_output();
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return help(argc > 2 ? argv[2] : NULL);
    }
    const command* c = find_command(word);
    if (c == NULL) {
        refuse_command(word);
        return APP_BAD_INPUT;
    }
    return run_command(c, argc - 2, argv + 2);
}
