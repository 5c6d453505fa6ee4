// app/run.h - one run from its first to its last step: what run.c keeps, progress.c shows and
// summary.c tells.
#ifndef TRAMMEL_APP_RUN_H
#define TRAMMEL_APP_RUN_H

#include "app/load.h"

typedef enum run_outcome {
    RUN_OK,
    RUN_FAILED,
    RUN_INTERRUPTED,
} run_outcome;

// The line that grows on a terminal while a run goes on.
typedef struct progress {
    bool is_on;    // stderr is a terminal
    double start;  // s, of the monotonic clock
    double shown;  // when the line was last drawn
} progress;

typedef struct run {
    loaded input;
    tml_sim* sim;          // NULL: could not be created
    long long step_count;  // wanted

    const char* out;  // NULL: no recording
    char scene_out[4096];
    tml_recorder* recorder;
    long long every;
    long long recorded;       // states that a reader finds in the recording
    long long last_recorded;  // the step of the newest one

    bool is_assembled;  // open joints were closed first
    tml_assemble_report assembly;

    tml_energy first;    // of the initial state
    double energy_rise;  // J, the largest from one step to the next; 0: it never rose
    double turn;  // rad, the most that a body turned in a step; asked for by newmark with joints
    double wall;  // s, in tml_sim_step alone
    run_outcome outcome;
    char why[640];  // when it failed
} run;

double clock_seconds(void);   // monotonic
double peak_megabytes(void);  // of memory in use at most so far

progress progress_start(void);
void progress_show(progress* p, const run* r, long long done);  // now and then
void progress_end(const progress* p);                           // clears the line

// A rate for people: "2210" or "3.14", into a small buffer of the caller.
enum {
    RATE_CHARS = 32
};
const char* rate_text(double rate, char text[RATE_CHARS]);

// Newmark's formulas, the trapezoidal rule among them, with joints: how far bodies may turn in a step, rad,
// before errors of joint forces grow; -1: others have no such bound (docs/deformables.md).
double stable_turn(const tml_sim* sim);

void summary_print(const run* r);
void summary_print_json(const run* r);

#endif
