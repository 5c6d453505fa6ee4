// diff/work.h - scratch and small maps that the linearised steps of rigid bodies share.
#ifndef TML_DIFF_WORK_H
#define TML_DIFF_WORK_H

#include "sim/linear.h"

#include <string.h>

// ---- lists of numbers, of which there may be none

static inline void clear(double* x, int count)
{
    if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

static inline void copy(double* to, const double* from, int count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

static inline bool is_zero(const double* x, int count)
{
    for (int i = 0; i < count; i++) {
        if (x[i] != 0.0) return false;
    }
    return true;
}

// ---- what a step's linear maps work with

// Accelerations and multipliers of a state where a formulation finds them by other means than
// sim->system->matrix, and solves with their matrix [M -C^T; C 0], plain (forwards) or transposed.
typedef struct accelerator {
    tml_status (*accelerate)(tml_sim* sim, const double* q, const double* v, double* acceleration,
                             double* lambda);
    tml_status (*solve)(tml_sim* sim, partial_direction way, const double* r, const double* c,
                        double* x, double* l);
} accelerator;

struct linear_work {
    tml_allocator allocator;
    void* own;                       // of a formulation that needs more
    struct touch_linear* touch;      // steps that touch (diff/contact.h); NULL: none did so far
    const accelerator* accelerator;  // NULL: by sim->system->matrix
    bool leaves_multipliers;         // of the first state: the formulation finds its own
    double conflict;   // largest part of a change of rows that nothing can follow, forwards
    int conflict_row;  //
    double* memory;    // all of the below
    // 6 a node
    double *E, *dx, *pose, *raw, *velocity, *impulse, *acceleration, *acceleration_d;
    // one a row
    double *rows, *dl, *lambda, *lambda_d, *push, *spring;
    // sim->width
    double *q_hat, *v_hat, *dq_hat, *dv_hat, *q, *v, *dx7;
    double *k_q[2], *k_v[2], *dk_q[2], *dk_v[2];
};

tml_status tml__linear_work_create(tml_sim* sim, linear_work** out);
void tml__linear_work_destroy(tml_sim* sim, linear_work* work);

// Everything a product of one instant of a step needs to know.
typedef struct instant {
    tml_sim* sim;
    linear_work* work;
    partial_direction way;
    const step_trace* trace;  // NULL at the start of a run
    const double* controls;   // as given to the step
    double dt;                // from the start of the step
    bool
        is_answer;  // the finished state as it is told: targets are where controls stand, at rest or as the
                    // model's own controls move
    const step_numbers* x;
    double*
        push;  // 6 a node: forces (N, N m) or jolts (N s, N m s) of contacts; NULL: they are held
    bool is_push_alone;  // nothing else changes, and the factor of the last answer is at hand
    bool is_touching;    // multipliers are left to whoever knows the contacts
} instant;

// Targets of the instant, and how they follow the controls: forwards before a parameter product
// (fills the targets of the inputs), backwards before (clears them) and after it (hands them on).
void tml__instant_targets(const instant* i);
void tml__instant_controls(const instant* i);

// ---- small maps; forwards they overwrite the output, backwards the input grows

// (dc, dphi) of a node and the flat change of its pose, both ways of looking at it.
void tml__pose_to_flat(partial_direction way, const double* q, int nodes, double* pose,
                       double* flat);
void tml__flat_to_pose(partial_direction way, const double* q, int nodes, double* flat,
                       double* pose);

// Linear and angular velocity of a node by its flat pose and rate, and back.
void tml__rate_to_velocity(partial_direction way, const double* q, const double* v, int nodes,
                           double* dq, double* dv, double* velocity);
void tml__velocity_to_rate(partial_direction way, const double* q, const double* omega, int nodes,
                           double* dq, double* velocity, double* dv);

// output += M input, or input += M^T output; M has `outputs` rows.
void tml__carry(partial_direction way, const double* M, int inputs, int outputs, double* input,
                double* output);

// ---- the equations of an instant at level 0, 1 and 2 (diff/instant.c). Poses and velocities are 6
// numbers a node.

// How bodies are to move in the first step of closing, and the change of that; NULL, NULL: not at all.
typedef struct closing_wish {
    const double* motion;
    double* change;
} closing_wish;

// Poses q brought back onto the rows, to `closed`: out by raw, the wish and the parameters. Backwards
// `out` is lost.
tml_status tml__linear_close(const instant* i, const double* q, const double* closed,
                             closing_wish wish, double* raw, double* out);

// Velocities that the rows allow, at the pose q with the flat rates v before; out by pose and raw. And
// the impulses of the rows that make them so, one a row; NULL: nobody asks.
tml_status tml__linear_settle(const instant* i, const double* q, const double* v, double* pose,
                              double* raw, double* out, double* push);

// Impulses at the pose q that change velocities by `delta`, those of rows among them:
//     M delta - C^T push = w,   C delta = 0
// by pose and parameters: E and rows of the work, as tml__parameter_product has them.
void tml__linear_kick_product(const instant* i, const double* q, const double* delta,
                              const double* push, double* pose);

// Rows themselves, where bodies and rows stand, by pose (NULL: parameters alone).
void tml__linear_rows(tml_sim* sim, linear_work* work, partial_direction way,
                      const parameter_set* in, double* pose, double* rows);

// Accelerations (6 a node) and multipliers at q, v by pose, velocity and i->push.
tml_status tml__linear_accelerate(const instant* i, const double* q, const double* v, double* pose,
                                  double* velocity, double* acceleration, double* lambda);

// A pose that was turned by theta and then by `more`: the turn after it by both, 3 numbers each. Grows what it
// gives.
void tml__turn_product(partial_direction way, vec3 theta, double* before, double* more,
                       double* after);

// Energies of bodies as placed, kinetic and of weight and springs, added up in slots; rows that give way store more.
typedef struct energy_slots {
    const int* slot;          // per node, as tml__maximal_add_energy has them
    double *pose, *velocity;  // 6 a node: changes, or gradients that grow
} energy_slots;

// Forwards value (one a slot) grows by their changes; backwards it holds gradients.
void tml__linear_energy(const instant* i, const energy_slots* of, double* value);

// The multipliers of the finished state x->next by its positions and velocities, and by i->push.
tml_status tml__linear_multipliers(const instant* i, const double* q, const double* v);

#endif
