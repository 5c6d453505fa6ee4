// opt/problem.h - the inside of a problem, for its methods.
#ifndef TML_OPT_PROBLEM_H
#define TML_OPT_PROBLEM_H

#include "base/message.h"
#include "opt/minimise.h"

struct tml_problem {
    tml_derivatives* d;
    const tml_model* model;  // borrowed
    tml_problem_def def;
    tml_allocator allocator;
    double step;
    message why;
    int control_count;
    int change_count;   // parameters of variables that are not controls
    bool has_controls;  // among the variables
    int quantity_count;
    tml_variable* variables;
    tml_term* terms;
    tml_parameter* parameters;  // of the pass: changes, then controls step by step
    int* owner;                 // of the changes: which variable
    double* factor;             // and how much of it each takes
    double* change;             // of the model
    double* slope;              // one a parameter of the pass
    double* controls;           // control_count a step, from step 1 on
    tml_quantity* quantities;   // every term at every step
    double *values, *weights;   // of quantities
    double* bends;              // curvature of the objective by each of them
    double *scaled, *raw, *lower, *upper, *gradient;  // one a variable
    tml_optimize_progress progress;                   // what methods call: relays to `watch`
    void* self;
    tml_optimize_progress watch;  // the caller's; NULL: none
    void* watch_self;
    tml_optimize_report before;   // what the search had done before it was polished
    bool lacks_memory;            // a run of the search at hand did
    bool is_stopped;              // by the caller
    struct problem_group* group;  // NULL: alone
};

// p alone, its group aside.
tml_status tml__problem_evaluate_own(tml_problem* p, const double* x, double* value,
                                     double* gradient);

// All of a group (group.c).
tml_status tml__group_evaluate(tml_problem* p, const double* x, double* value, double* gradient);
// Whether any process wants to stop.
bool tml__group_agree(const tml_problem* p, bool is_stopped);
void tml__group_destroy(tml_problem* p);

static inline bool is_control(const tml_variable* v)
{
    return v->parameter.kind == TML_PARAMETER_CONTROL;
}

// The share of a control's knot in the control of a step.
double tml__problem_share(const tml_problem* p, const tml_variable* v, int step);

// Controls of every step: the model's own, but where a variable drives the axis.
void tml__problem_controls(tml_problem* p, const double* x);

// The sum of all terms from p->values and p->controls, and the weight of each quantity in its gradient.
double tml__problem_sum(tml_problem* p);

// Sums and passes may overflow; comparisons with what is not a number would call it a minimum. False: a sentence tells
// which number. gradient may be NULL.
bool tml__is_finite(tml_problem* p, double value, const double* gradient);

// Iterative linear-quadratic regulator (ddp.c): x in place.
tml_status tml__minimise_ddp(tml_problem* p, double* x, tml_optimize_report* report);

// Multiple shooting (shooting.c): x in place.
tml_status tml__minimise_shooting(tml_problem* p, double* x, tml_optimize_report* report);

#endif
