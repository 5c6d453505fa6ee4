// sweep/sweep.h - the inside of a sweep: its table, the worker that makes rows, the file.
#ifndef TML_SWEEP_SWEEP_H
#define TML_SWEEP_SWEEP_H

#include "base/message.h"
#include "base/pool.h"

#include <trammel/sweep.h>

#include <stdbool.h>

// What changing a parameter of the sweep means to the model: a weighted sum of its parameters. Controls
// are no part of the model.
typedef struct sweep_part {
    tml_parameter parameter;
    int owner;      // index among the parameters of the sweep
    double factor;  // 0: a control, given to the steps
} sweep_part;

struct tml_sweep {
    const tml_model* model;  // borrowed
    tml_sim_settings settings;
    tml_sweep_def def;  // its lists are in `memory`
    pool memory;
    message why;
    long long rows;
    long long grid;  // points of it
    int list_count;  // values of each list; 0: there is none
    sweep_part* parts;
    int part_count, change_count;  // the first of them change the model
    double* given;                 // the model's number of each parameter
    tml_sweep_column* columns;
    int column_count, number_count;
    int at_once;  // rows that a thread takes at most
    bool has_gradients, has_controls;
};

double tml__sweep_value(const tml_sweep* s, long long row, int parameter);

// ---- one row (row.c)

typedef struct worker worker;  // belongs to one thread

tml_status tml__worker_create(const tml_sweep* s, message* why, worker** out);
void tml__worker_destroy(worker* w);  // NULL is fine

// Make a row. Not TML_OK only where no row can be made: memory; a failure of the run is in *row.
tml_status tml__worker_run(worker* w, long long index, tml_row* row, double* numbers, message* why);
tml_status tml__worker_watch(worker* w, long long index, tml_problem_watch watch, void* self,
                             message* why);

// ---- rows on threads (run.c)

// Where rows come from and go to. Called by one thread at a time.
typedef struct row_source {
    void* self;
    // the next rows; *count 0: there are no more. Rows of one call follow each other.
    tml_status (*take)(void* self, double seconds_a_row, long long* first, int* count);
    tml_status (*put)(void* self, long long first, int count, const tml_row* rows,
                      const double* numbers);
} row_source;

enum {
    ROWS_AT_ONCE = 64
};

// Rows that take longer are taken and handed over one by one: whatever kills the program loses no more.
#define LONG_ROW 0.05  // s

// How many rows a thread takes of what is left: fewer towards the end, so that all end together.
int tml__rows_to_take(const tml_sweep* s, long long left, long long workers, double a_row);

typedef struct run_totals {
    long long computed;
    double busy;  // s, all threads
    int threads;
} run_totals;

tml_status tml__run_rows(tml_sweep* s, int threads, const row_source* source, message* why,
                         run_totals* totals);

#endif
