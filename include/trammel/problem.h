// trammel/problem.h - a run with numbers to choose and something to be made small.
//
// Variables are parameters of the model (masses, joint positions, initial velocities, ...) or controls
// over time. The objective is a sum of terms: squared distances of quantities from targets, quantities
// themselves, and the effort of controls. docs/problem.md describes the files.
#ifndef TRAMMEL_PROBLEM_H
#define TRAMMEL_PROBLEM_H

#include <trammel/derivatives.h>
#include <trammel/ranks.h>

TML_BEGIN_C

// As the index of a velocity: that of all bodies as if they were one rigid body, added to what each has; angular
// velocity is about their common centre of mass. Variables of a problem only.
enum {
    TML_EVERY_BODY = -1
};

// One number to choose. A control is a broken line over the run: each of its knots is a variable.
typedef struct tml_variable {
    tml_parameter parameter;
    int knot, knot_count;  // of a control; 0 of 0 elsewhere
    double start;          // first guess, in the parameter's own unit
    double lower, upper;   // infinite: no bound
    double scale;          // typical size of a change; steps are measured in it
} tml_variable;

// weight/2 (quantity - target)^2, or weight times the quantity, at each step from `first` to `last`,
// divided by their number.
typedef struct tml_term {
    tml_quantity quantity;  // its step is not used
    bool has_target;
    double target;
    bool is_effort;  // weight/2 control^2 of control `quantity.index` instead
    double weight;
    int first, last;
} tml_term;

typedef enum tml_method {
    TML_METHOD_LBFGS,   // limited-memory quasi-Newton on the adjoint gradient, bounds by projection
    TML_METHOD_RANDOM,  // random steps that grow when they help and shrink when not: a baseline
    TML_METHOD_DDP,  // one control a step, by step Jacobians and feedback; formulation generalized
    TML_METHOD_SHOOTING,  // controls, and states between stretches of the run, by IPOPT; likewise
    TML_METHOD_NLOPT_LBFGS,  // NLopt's quasi-Newton method with bounds
    TML_METHOD_NLOPT_SLSQP,  // sequential quadratic programming, dense: some hundred variables
    TML_METHOD_NLOPT_MMA,    // moving asymptotes
    TML_METHOD_ADAM,  // gradient steps that do not ask whether they help: for heuristic slopes
    TML_METHODS,
} tml_method;

TML_API const char* tml_method_name(tml_method method);
TML_API bool tml_method_find(const char* name, tml_method* out);

typedef struct tml_problem_def {
    int steps;
    int variable_count, term_count;
    const tml_variable* variables;
    const tml_term* terms;
    tml_method method;
    int iterations;             // at most
    int polish;                 // iterations of lbfgs by exact slopes after another method; 0: none
    double tolerance;           // stop when the scaled gradient, bounds counted, is at most this
    unsigned seed;              // of random steps
    int intervals;              // of shooting: stretches of the run; 0: 10
    tml_contact_slopes slopes;  // of steps that touch
    size_t run_bytes;           // kept of a run at most (tml_derivatives_create); 0: 256 MB
    // paths of other problems whose objectives are added at the same variables (tml_problem_join); whoever
    // reads the file opens them
    const char* const* trajectories;
    int trajectory_count;
    void* memory;  // what a file was read into
} tml_problem_def;

// Read a PROBLEM file. The first call tells which scene it is about (its path as seen from here), the
// second reads the rest for the model of that scene. Errors are one line "FILE:LINE: ..." in `why`.
TML_API tml_status tml_problem_read_scene(const char* path, char* scene, size_t scene_capacity,
                                          char* why, size_t capacity);
TML_API tml_status tml_problem_read_file(const char* path, const tml_model* model, double step,
                                         double duration, tml_problem_def* out, char* why,
                                         size_t capacity);
TML_API void tml_problem_def_destroy(tml_problem_def* def);

// ---- solving

typedef struct tml_problem tml_problem;  // opaque

// The definition's lists are copied; the model is borrowed.
TML_API tml_status tml_problem_create(const tml_model* model, const tml_sim_settings* settings,
                                      const tml_problem_def* def, tml_problem** out);
TML_API void tml_problem_destroy(tml_problem* p);
TML_API const char* tml_problem_message(const tml_problem* p);

// From now on the objective of `p` is its own and those of the others, at the same variables: as many, in the
// same order; bounds, scales and method are those of p. Threads share the others and, with `ranks` (NULL: there are none),
// so do the processes, all of which make the same calls; sums are made in order, so that
// neither shows in the bits. The others are borrowed. TML_BAD_ARGUMENT: one has other variables.
// Methods ddp and shooting, and `tml_problem_last_flags`, are about p alone: the first two are refused.
TML_API tml_status tml_problem_join(tml_problem* p, int count, tml_problem* const* others,
                                    int threads, const tml_ranks* ranks);

// The objective at x (one number a variable) and, unless NULL, its gradient.
TML_API tml_status tml_problem_evaluate(tml_problem* p, const double* x, double* value,
                                        double* gradient);

// What the last gradient met: steps whose slopes hold on one side only, or less exactly.
TML_API tml_derivatives_flags tml_problem_last_flags(const tml_problem* p);

typedef struct tml_optimize_report {
    int iterations;
    int evaluations;      // of objective and gradient, or of the objective alone
    double first, value;  // objective at the start and at the best point
    double gradient;      // scaled, bounds counted, at the best point
    bool has_converged;   // the gradient is small; else iterations ran out or no step helps
    double defect;        // of shooting, not polished: largest jump between stretches; else 0
} tml_optimize_report;

// Called after every iteration, and for every slope gathered at a kink; answering 1 ends the search, the best point so
// far being kept.
typedef int (*tml_optimize_progress)(void* self, const tml_optimize_report* report,
                                     const double* x);

// From x (in place: the best point found). A run that fails counts as infinitely bad. Same input, same
// bits; of shooting on the same machine (IPOPT's linear algebra differs between processors).
// TML_UNSUPPORTED: this build, or this machine, lacks the library of the method.
TML_API tml_status tml_problem_optimize(tml_problem* p, double* x, tml_optimize_progress progress,
                                        void* self, tml_optimize_report* report);

// The run at x once more: `watch` sees its initial state and the state after every step, to record it.
// Ends with the status of the first step, or of the first watch, that is not TML_OK.
typedef tml_status (*tml_problem_watch)(void* self, const tml_sim* sim);
TML_API tml_status tml_problem_replay(tml_problem* p, const double* x, tml_problem_watch watch,
                                      void* self);

TML_END_C

#endif
