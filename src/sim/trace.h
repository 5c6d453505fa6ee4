// sim/trace.h - how an accepted step went: which formula, at which inner solutions. Kept only while
// derivatives are asked for (sim->trace is NULL otherwise).
#ifndef TML_SIM_TRACE_H
#define TML_SIM_TRACE_H

#include "method/maximal.h"

typedef enum trace_kind {
    TRACE_UNKNOWN,      // a way of stepping that leaves no trace: it has no derivative
    TRACE_BDF,          // one stage by backward differences of order `order`
    TRACE_DIRK,         // two stages; `order` is 1 where the last one is the step
    TRACE_ACCURATE,     // extrapolated start, projected on the rows
    TRACE_VARIATIONAL,  // the `order` parts of a composition; the solution of the last one is kept
    TRACE_AFFINE,  // with what it ended at; `order` is 1 where a limit or a contact has changed
} trace_kind;

enum {
    TRACE_STAGES = 2,
    TRACE_PIECES = 4
};

enum {
    SUBSTEP_LEVELS = 9,  // how often a step may be halved
    SUBSTEP_UNITS = 1 << SUBSTEP_LEVELS
};

// How a step was divided: substeps of 2^-level of it, one after the other.
typedef struct step_division {
    int count;                           // 1: the step was not
    bool is_forced;                      // what costs order was allowed from the first of them on
    unsigned char level[SUBSTEP_UNITS];  // of the one that starts after so many units
} step_division;

typedef struct step_trace {
    step_division division;  // the rest tells of the last substep
    trace_kind kind;
    int order;                   // TRACE_BDF, TRACE_DIRK, TRACE_VARIATIONAL
    int pieces;                  // TRACE_ACCURATE
    int columns[TRACE_PIECES];   // rows of the extrapolation table that each piece used
    bool has_state_multipliers;  // multipliers are those of the state's accelerations
    bool has_restarted;          // velocities were projected in the end: a new history began
    bool has_touched;            // contacts pushed or parted bodies beside the formula;
    bool was_impact;             // such a step began where a limit had just changed
    int width, rows, limits;
    int stages;  // that are kept; none where a step's only one is the state that it ends at
    double* x[TRACE_STAGES];  // positions of the stages' solutions
    double* lambda[TRACE_STAGES];
    limit_side* sides;  // of the accepted step
} step_trace;

tml_status tml__trace_create(const tml_allocator* allocator, const maximal_system* s, int width,
                             int stages, step_trace* out);
void tml__trace_destroy(const tml_allocator* allocator, step_trace* trace);
void tml__trace_copy(step_trace* to, const step_trace* from);

// Where a step begins, and again when it is repeated.
void tml__trace_begin(step_trace* trace);

// The solution of a stage. NULL traces are fine, here and above.
void tml__trace_stage(step_trace* trace, int stage, const maximal_system* s);

#endif
