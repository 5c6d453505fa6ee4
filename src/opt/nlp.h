// opt/nlp.h - a large sparse problem: make a function small where rows are zero, within bounds.
#ifndef TML_OPT_NLP_H
#define TML_OPT_NLP_H

#include "base/message.h"

#include <stdbool.h>

// Functions answer false where there is no value (a run that failed).
typedef struct nlp {
    void* self;
    int count, row_count;
    int entry_count;          // of the rows' slopes
    double *lower, *upper;    // of variables; infinite: none
    const int *row, *column;  // of every entry
    int curve_count;          // of the curvature: a lower triangle, places may come more than once
    const int *curve_row, *curve_column;
    bool (*value)(void* self, const double* x, double* value);
    bool (*gradient)(void* self, const double* x, double* gradient);
    bool (*rows)(void* self, const double* x, double* rows);
    bool (*entries)(void* self, const double* x, double* entries);
    // of the function times `factor` and of the rows times their multipliers
    bool (*curvature)(void* self, const double* x, double factor, const double* multipliers,
                      double* values);
    // after every iteration, at the point of the last gradient; true: stop
    bool (*progress)(void* self, int iteration);
} nlp;

typedef struct nlp_settings {
    int iterations;
    double tolerance;
} nlp_settings;

// By IPOPT (ipopt.c); x in place. *has_converged: to the tolerance.
// TML_UNSUPPORTED with a sentence: built without, or the machine has none.
tml_status tml__nlp_solve(const nlp* problem, const nlp_settings* settings, double* x,
                          bool* has_converged, message* why);

#endif
