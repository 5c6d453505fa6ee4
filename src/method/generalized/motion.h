// method/generalized/motion.h - a tree with its rows in motion: impulses over a step, accelerations at
// an instant, and the way back onto the rows.
//
// Time does not pass here: the targets of the maximal system stand at the instant that the caller
// has chosen.
#ifndef TML_METHOD_GENERALIZED_MOTION_H
#define TML_METHOD_GENERALIZED_MOTION_H

#include "method/generalized/carry.h"

typedef struct gen_motion_settings {
    bool has_contact;  // the mass matrix is wanted whether there are rows or not
    bool is_implicit;  // springs are taken where a step ends (stiff.h)
    bool
        is_carried;  // impulses know no Coriolis forces: velocities are carried from pose to pose (carry.h)
    double step;  // and only what is stiff over this is a row of its own
} gen_motion_settings;

struct gen_motion {
    gen_tree* tree;
    gen_rows* rows;     // NULL: the tree holds everything by itself
    maximal_system* s;  // borrowed
    tml_allocator allocator;
    double* x;         // flat poses and rates of the placed tree
    double* v;         //
    double* damping;   // per column: what acts against its rate, N s/m or N m s
    double* added;     // per column: damping times the step
    double* force;     // per column
    double* move;      // per column
    double* curve;     // 2 per row of the maximal system
    double* wrenches;  // 6 a node
    double* numbers;   // the iterate of tml__gen_settle
    double* numbers_start;
    bool is_implicit;
    bool is_carried;
    gen_carry* carry;    // NULL: impulses have Coriolis forces in them
    double step;         // of carried motions
    int closed_rank;     // of the rows at the first stage of the step; -1: not known
    int* forced_column;  // per forced axis of the maximal system: its column, -1: it is none
    int bad_column;      // of the last failed factorisation
    const double*
        pushed;  // borrowed, per column: forces beside all others in steps that touch; NULL: none
};

tml_status tml__gen_motion_create(maximal_system* s, const gen_motion_settings* settings,
                                  const tml_allocator* allocator, message* why, gen_motion** out);
void tml__gen_motion_destroy(gen_motion* m);  // NULL is fine

// Put everything at a state: tree, bodies, rows and applied forces.
void tml__gen_look(gen_motion* m, const double* numbers, const double* rates);

// What the dampers at the end of the step add to H (m->added, t->beside), with everything looked at.
void tml__gen_list_added(gen_motion* m, double h);

// Rates after h of the tree alone, in place, with H + h D factored.
tml_status tml__gen_free_rates(gen_motion* m, double h, const double* numbers, double* rates);

// Rates after h, in place, from the forces at the state and the rows' targets at its end; the
// impulses of the rows are added to `impulse` (one per row of the maximal system).   [DCON (1)]
//   (H + h D) (u+ - u) = h (tau - c) + J^T f,    J u+ + C/h + (E/h^2) f = 0
// D: dampers and servos along columns, taken at the end of the step; in implicit steps what is sprung
// is too. Leaves H + h D factored when there are rows.
tml_status tml__gen_impulse(gen_motion* m, double h, const double* numbers, double* rates,
                            double* impulse);

// Move the numbers by the new rates over h and add what it takes, in impulses along the rows at the
// start, for the first r->leading rows to be closed where that leads to: the rates that made the move
// are those that are kept, so that no energy is lost on the way (SHAKE). Rows that stay open, where
// this does not converge, are left to tml__gen_settle. `r` is as the impulse left it.
void tml__gen_close(gen_motion* m, gen_rows* r, double h, double tolerance, const double* from,
                    double* rates, double* numbers, double* impulse);

// Close the rows by moving the position numbers, then take from the rates what opens them; both in
// the metric of the last factored mass matrix. Impulses are added as above.
tml_status tml__gen_settle(gen_motion* m, const newton_settings* settings, double* numbers,
                           double* rates, double* impulse, newton_report* report);

// Both halves of it. The second puts the motion at the state; the mass matrix that it takes is the one that
// is factored.
tml_status tml__gen_settle_numbers(gen_motion* m, const newton_settings* settings, double* numbers,
                                   newton_report* report);
void tml__gen_settle_rates(gen_motion* m, const double* numbers, double* rates, double* impulse);

// Put the tree at a pose, at rest, and the rows if there are any.
void tml__gen_stand(gen_motion* m, const double* numbers);

// Accelerations of the columns at a state, and the multipliers of the rows (those of the tree's
// own rows are left as they are).
tml_status tml__gen_accelerate(gen_motion* m, const double* numbers, const double* rates, double* a,
                               double* lambda);

// The same at the stages of a step: the first stands where rows are closed, and tells the others how many of them are
// independent. Elsewhere some that depend on others seem not to, and would push without bound.
tml_status tml__gen_accelerate_stage(gen_motion* m, int stage, const double* numbers,
                                     const double* rates, double* a, double* lambda);

// The tree's own multipliers at a state with accelerations a, to those of the other rows. Contacts push
// as the maximal system says.
void tml__gen_complete(gen_motion* m, const double* numbers, const double* rates, const double* a,
                       double* lambda);

// The sentence for a mass matrix without a factor.
tml_status tml__gen_describe_failure(const gen_motion* m, tml_status status, message* why);

#endif
