// app/load.h - from the words of a command to a model that can be run.
#ifndef TRAMMEL_APP_LOAD_H
#define TRAMMEL_APP_LOAD_H

#include "app/app.h"

// The options that change how a scene asks to be run.
enum {
    OVERRIDES = 18
};
extern const option override_options[OVERRIDES];

typedef struct loaded {
    const char* path;  // as the user wrote it, "-" included
    const char* name;  // how error lines call it
    tml_scene* scene;
    tml_model* model;
    bool is_assembled;  // by load_closed
    tml_assemble_report assembly;
} loaded;

// Read the scene named by the first positional argument, apply the overrides to its settings and
// build the model. The answer is an exit code; when it is not APP_DONE the error line is out.
// unload is always safe.
int load(const arguments* given, loaded* out);
void unload(loaded* l);

// The same, and what the model uses and is not simulated is said on stderr.
int load_told(const arguments* given, loaded* out);

// The same, and open joints are closed: where --assemble asks for it, and those of a robot model unless
// --no-assemble forbids it, which is said on stderr.
int load_closed(const arguments* given, loaded* out);

// Say what a model uses and is not simulated, a line each, behind a heading; nothing when all is.
void print_lint(const loaded* l);

// Settings of a loaded scene, overrides applied. Borrowed.
const tml_run_settings* loaded_settings(const loaded* l);

// The elements of the scene, once its model is built and nobody will write it: memory.
void forget_scene(loaded* l);

// The nearest poses that close the open joints, one per body, to the scene's tolerance. An exit code;
// when it is not APP_DONE the error line is out and its sentence is in `why`.
int assemble_loaded(const loaded* l, tml_pose* poses, tml_assemble_report* report, char* why,
                    size_t capacity);

// The same, and the scene and its model take these poses.
int assemble_in_place(loaded* l, tml_assemble_report* report, char* why, size_t capacity);

// Create a simulation; when it is refused the error line is out, its sentence is in `why`, and *sim
// is NULL. The caller owns *sim.
int create_sim(const loaded* l, tml_sim** sim, char* why, size_t capacity);

#endif
