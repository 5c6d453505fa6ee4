// app/app.h - what the commands of the tool share: exit codes, error lines and their shape.
#ifndef TRAMMEL_APP_APP_H
#define TRAMMEL_APP_APP_H

#include "app/options.h"

#include <trammel/trammel.h>

// What the process answers to its caller.
enum {
    APP_DONE = 0,
    APP_FAILED = 1,         // the simulation failed; what was recorded until then is kept
    APP_BAD_INPUT = 2,      // bad usage or bad input
    APP_INTERRUPTED = 130,  // as shells count Ctrl-C
};

typedef struct command {
    const char* name;
    const char* positionals;  // how its help writes them, "SCENE"
    const char* summary;      // one line for the list of commands
    const char* text;         // a paragraph for its own help
    option_table tables[2];   // its options, and those it shares with other commands
    int least, most;          // how many positional arguments it takes
    int (*run)(const arguments* given);
} command;

extern const command command_run;
extern const command command_info;
extern const command command_explain;
extern const command command_scene;
extern const command command_list;
extern const command command_assemble;
extern const command command_ik;
extern const command command_convert;
extern const command command_view;
extern const command command_plot;
extern const command command_report;
extern const command command_statics;
extern const command command_compare;
extern const command command_gradient;
extern const command command_optimize;
extern const command command_sweep;
extern const command command_export;

// One line on stderr, "trammel: " first and the line's end last.
__attribute__((format(printf, 1, 2))) void app_error(const char* format, ...);

// The exit code for a status that is not TML_OK: positive ones are about numbers (the simulation
// failed), negative ones about what was asked.
int app_exit_code(tml_status status);

// Write a scene into a file, or to standard output where the path is "-".
tml_status app_write_scene(tml_scene* scene, const char* path);

bool file_exists(const char* path);  // whatever it is

// Remove what a failed write has left, where that is a plain file; errno stays.
void app_discard(const char* path);

// Write out what stdout still holds; APP_BAD_INPUT, with an error line, when it cannot be written.
int app_finish_output(void);

#endif
