// opt/minimise.h - minimisers of a function of many variables, with bounds.
#ifndef TML_OPT_MINIMISE_H
#define TML_OPT_MINIMISE_H

#include "base/memory.h"

#include <trammel/problem.h>

// What is minimised. Variables are scaled: a change of 1 is a typical one.
typedef struct objective {
    void* self;
    int count;
    const double* lower;
    const double* upper;
    // false: no value there (a run that failed, numbers that are not finite). gradient may be NULL.
    bool (*evaluate)(void* self, const double* x, double* value, double* gradient);
    bool (*progress)(void* self, const tml_optimize_report* report, const double* x);  // true: stop
} objective;

typedef struct minimise_settings {
    int iterations;
    double tolerance;
    unsigned seed;
} minimise_settings;

// x in place: the best point found.
tml_status tml__minimise_lbfgs(const objective* f, const minimise_settings* settings,
                               const tml_allocator* allocator, double* x,
                               tml_optimize_report* report);
tml_status tml__minimise_random(const objective* f, const minimise_settings* settings,
                                const tml_allocator* allocator, double* x,
                                tml_optimize_report* report);
tml_status tml__minimise_adam(const objective* f, const minimise_settings* settings,
                              const tml_allocator* allocator, double* x,
                              tml_optimize_report* report);

// A method of NLopt (nlopt.c). At most `iterations` evaluations. TML_UNSUPPORTED: built without NLopt.
tml_status tml__minimise_nlopt(const objective* f, const minimise_settings* settings,
                               tml_method method, const tml_allocator* allocator, double* x,
                               tml_optimize_report* report);

// ---- what minimisers share

// The largest slope of a variable that is not held at its bound.
double tml__projected_norm(const objective* f, const double* x, const double* g);
bool tml__is_held(const objective* f, int i, double x, double g);  // at a bound, by its slope
double tml__clamp(const objective* f, int i, double x);

static inline double dot(int n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

#endif
