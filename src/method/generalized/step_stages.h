// method/generalized/step_stages.h - a step by accelerations at four instants (rk4) as a linear map, and one
// instant by itself.
//
//     H a + c - tau - J^T lambda = 0,    J a + bias = 0          at every instant
//
// Positions are carried as position numbers, as the step adds them: quaternions are four numbers within it.
// In the end positions and rates settle on the rows in the metric of the last instant (step_rows.h).
#ifndef TML_METHOD_GENERALIZED_STEP_STAGES_H
#define TML_METHOD_GENERALIZED_STEP_STAGES_H

#include "method/generalized/step_rows.h"

enum {
    GEN_STAGES = 4
};

// Puts targets where they are `dt` after the start of the step, and changes of them among the parameters;
// backwards it is told too when a product has been made, and takes the gradients by targets away.
typedef struct gen_aim {
    void* self;
    void (*begin)(void* self, double dt);
    void (*end)(void* self, double dt);
} gen_aim;

// What a step was made of.
typedef struct gen_stages_record {
    double h;
    double tolerance;
    const double *numbers, *rates;               // before
    const double* slope_q[GEN_STAGES];           // time derivatives of position numbers
    const double* slope_v[GEN_STAGES];           // accelerations
    const double *numbers_moved, *rates_pushed;  // before they settled
    const double *numbers_after, *rates_after;
    const double* impulse_settled;  // per row
    gen_aim aim;
} gen_stages_record;

typedef struct gen_stages_numbers {
    double *positions, *rates;              // before, per column
    double *positions_after, *rates_after;  // after
    double *accelerations, *multipliers;    // of the state after the step; NULL: nobody asks
    parameter_set in;
} gen_stages_numbers;

typedef struct gen_step_stages {
    gen_step_rows* settle;  // borrowed
    tml_allocator allocator;
    gen_stages_record record;
    int closed_rank;  // rows that count at the first stage, and so at all
    double* memory;   // all of the below
    double *numbers[GEN_STAGES + 1],
        *rates[GEN_STAGES];                            // of the stages; the last numbers: their sum
    double *lambda[GEN_STAGES], *end_lambda;           // per row
    double *end_a, *a;                                 // per column
    double *dN[GEN_STAGES + 1], *dS[GEN_STAGES], *dn;  // per number
    double *dU[GEN_STAGES], *dA[GEN_STAGES];           // per column
    double *dq, *du, *q3;                              //
} gen_step_stages;

tml_status tml__gen_step_stages_create(gen_step_rows* settle, const tml_allocator* allocator,
                                       message* why, gen_step_stages** out);
void tml__gen_step_stages_destroy(gen_step_stages* s);  // NULL is fine

// Stand at a step that was just taken. TML_UNSUPPORTED: rows that give way.
tml_status tml__gen_step_stages_at(gen_step_stages* s, const gen_stages_record* record,
                                   message* why);
tml_status tml__gen_step_stages_forward(gen_step_stages* s, const gen_stages_numbers* x,
                                        message* why);
tml_status tml__gen_step_stages_backward(gen_step_stages* s, const gen_stages_numbers* x,
                                         message* why);

// One instant by itself: accelerations and multipliers (NULL: nobody asks) by the state.
typedef struct gen_instant {
    const double *numbers, *rates;
    double *accelerations, *multipliers;  // at it: per column, per row
} gen_instant;
typedef struct gen_instant_numbers {
    double *positions, *rates;            // per column
    double *accelerations, *multipliers;  // forwards overwritten, backwards given
    const parameter_set* in;
} gen_instant_numbers;

// Finds accelerations and multipliers of the state. TML_UNSUPPORTED: rows that give way.
tml_status tml__gen_instant_at(gen_step_rows* s, const gen_instant* at, message* why);
tml_status tml__gen_instant_product(gen_step_rows* s, partial_direction way, const gen_instant* at,
                                    const gen_instant_numbers* x, message* why);

#endif
