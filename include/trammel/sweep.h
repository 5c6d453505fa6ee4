// trammel/sweep.h - one model run many times with other numbers: grids, lists, Monte Carlo.
//
// A sweep is a table. Its rows are runs; what a row varies depends on its index alone, so rows may be
// made in any order, by any number of threads and processes, and the results are the same bytes.
// docs/scale.md describes the files.
#ifndef TRAMMEL_SWEEP_H
#define TRAMMEL_SWEEP_H

#include <trammel/problem.h>
#include <trammel/ranks.h>

TML_BEGIN_C

// How a number is chosen for a row.
typedef enum tml_spread {
    TML_SPREAD_GRID,         // each value with each value of every other grid
    TML_SPREAD_LIST,         // lists advance together: they are the columns of one table
    TML_SPREAD_UNIFORM,      // between a and b
    TML_SPREAD_LOG_UNIFORM,  // the same of its logarithm
    TML_SPREAD_NORMAL,       // mean a, standard deviation b
    TML_SPREAD_LOG_NORMAL,   // median a, standard deviation b of its logarithm
    TML_SPREADS,
} tml_spread;

typedef struct tml_sweep_parameter {
    const char* name;  // of its column
    tml_parameter
        parameter;  // TML_EVERY_BODY and controls as in a problem; a control holds all the run
    tml_spread spread;
    const double* values;  // of a grid or a list
    int value_count;
    double a, b;      // of the others
    int is_relative;  // the model's number is multiplied by what is chosen
} tml_sweep_parameter;

typedef enum tml_take {
    TML_TAKE_FINAL,
    TML_TAKE_MAX,  // over the initial state and the state after every step, as below
    TML_TAKE_MIN,
    TML_TAKE_MEAN,
    TML_TAKE_SERIES,
    TML_TAKES,
} tml_take;

typedef struct tml_sweep_record {
    const char* name;       // of its column
    tml_quantity quantity;  // its step is not used
    tml_take take;
    int every;         // of a series: every Nth step, from the initial state on
    int has_gradient;  // and its slope by every parameter; not of a series
} tml_sweep_record;

typedef enum tml_sweep_failure {
    TML_FAILURE_RECORD,  // the row is marked, its numbers are not numbers, and the sweep goes on
    TML_FAILURE_RETRY,   // the same after up to `halvings` runs with half the step each
    TML_FAILURE_STOP,    // the sweep ends
    TML_FAILURES,
} tml_sweep_failure;

typedef struct tml_sweep_def {
    const tml_sweep_parameter* parameters;
    int parameter_count;
    const tml_sweep_record* records;
    int record_count;
    int samples;              // rows at each point of the grid
    unsigned long long seed;  // of the random numbers
    int steps;                // of a run
    tml_sweep_failure failure;
    int halvings;
    size_t run_bytes;  // kept of a run for gradients (tml_derivatives_create); 0: 256 MB
    void* memory;      // what a file was read into
} tml_sweep_def;

TML_API const char* tml_spread_name(tml_spread spread);  // "grid"
TML_API const char* tml_take_name(tml_take take);        // "final"

// Read a SWEEP file for a model. Errors are one line "FILE:LINE: ..." in `why`.
TML_API tml_status tml_sweep_read_file(const char* path, const tml_model* model, double step,
                                       double duration, tml_sweep_def* out, char* why,
                                       size_t capacity);
// The same from memory; messages call it `name`.
TML_API tml_status tml_sweep_read_text(const char* text, size_t length, const char* name,
                                       const tml_model* model, double step, double duration,
                                       tml_sweep_def* out, char* why, size_t capacity);
TML_API void tml_sweep_def_destroy(tml_sweep_def* def);

// ---- the table

typedef struct tml_sweep tml_sweep;  // opaque

// The model is borrowed; the definition's lists are copied. When the call fails, *out is NULL or an
// object good only for tml_sweep_message and tml_sweep_destroy.
TML_API tml_status tml_sweep_create(const tml_model* model, const tml_sim_settings* settings,
                                    const tml_sweep_def* def, tml_sweep** out);
TML_API void tml_sweep_destroy(tml_sweep* s);  // NULL is fine
TML_API const char* tml_sweep_message(const tml_sweep* s);

TML_API long long tml_sweep_row_count(const tml_sweep* s);
TML_API void tml_sweep_values(const tml_sweep* s, long long row,
                              double* values);  // one a parameter

// Columns of results: `width` numbers a row, at `offset` of the numbers of a row.
typedef struct tml_sweep_column {
    const char* name;  // of the record, or NAME.gradient
    int record;
    int is_gradient;
    int offset, width;
} tml_sweep_column;

TML_API int tml_sweep_column_count(const tml_sweep* s);
TML_API tml_sweep_column tml_sweep_get_column(const tml_sweep* s, int index);
TML_API int tml_sweep_number_count(const tml_sweep* s);  // results of a row

// ---- running

enum {
    TML_SWEEP_REASON = 200
};

typedef enum tml_row_status {
    TML_ROW_MISSING,  // not run yet
    TML_ROW_DONE,
    TML_ROW_FAILED,
} tml_row_status;

typedef struct tml_row {
    tml_row_status status;
    tml_status why;  // of one that failed
    int halvings;    // of the step, that it took
    double end;      // s, the last accepted state
    char reason[TML_SWEEP_REASON];
} tml_row;

// Run rows first .. first + count - 1 on so many threads; `rows` has count entries and `numbers`
// count times tml_sweep_number_count. A row that fails is no error, unless the definition says stop.
TML_API tml_status tml_sweep_run(tml_sweep* s, long long first, long long count, int threads,
                                 tml_row* rows, double* numbers);

// One row once more, watched (tml_problem_watch), with the step that it took at last. In the end `watch` is
// called with NULL: the run is over, and its model, which a recorder needs, still there.
TML_API tml_status tml_sweep_replay(tml_sweep* s, long long row, tml_problem_watch watch,
                                    void* self);

typedef struct tml_sweep_report {
    long long rows;                   // of the whole sweep
    long long wanted;                 // of them, in the range that was asked for
    long long found;                  // were in the file already
    long long computed;               // by this call, all ranks
    long long done, failed, missing;  // of the range, in the file as it is now
    int is_complete;                  // the whole file: it has its final name
    int workers;                      // threads of all ranks
    double seconds;                   // by the clock, of the rows alone
    double busy;                      // share of it in which workers were at rows
} tml_sweep_report;

// From time to time, of rank 0; answering 1 ends the sweep, what is done being kept.
typedef int (*tml_sweep_progress)(void* self, const tml_sweep_report* so_far, double seconds);

typedef struct tml_sweep_options {
    long long first, count;  // rows; a count of 0: all from the first on
    int threads;             // of this process
    const tml_ranks* ranks;  // NULL: there is this process only
    const char* scene;       // texts that go into the file as scene.json and sweep.json, so that it
    const char* sweep;       //   says what it is; NULL: none
    tml_sweep_progress progress;
    void* self;
} tml_sweep_options;

TML_API tml_sweep_options tml_sweep_options_default(void);

// Run the rows that the file lacks. It grows as PATH.part, every row marked once it is there, and
// becomes PATH (an NPZ) when no row is missing; whatever ends the program, the next call goes on.
// Callers may share one file, each with a range of its own.
// TML_BAD_FILE: it cannot be written, or is of another sweep. TML_CANCELLED: progress said so.
TML_API tml_status tml_sweep_run_file(tml_sweep* s, const char* path,
                                      const tml_sweep_options* options, tml_sweep_report* report);

TML_END_C

#endif
