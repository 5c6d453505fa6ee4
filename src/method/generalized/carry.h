// method/generalized/carry.h - velocities of bodies carried from one pose of a tree to the next.
//
// Between two impulses nothing pushes, and a tree should move on along its own inertia. Instead of forces
// that depend on velocities (Coriolis, which no linearisation keeps from winning energy where chains fold),
// every body keeps its velocity V: that of its centre of mass in world axes, and its angular velocity in its
// own. What joints and rows do to it is a projection, in the metric of the masses M, on the motions that
// they allow at another pose:
//
//     P_q V = J u,   H(q) u = J^T M V,   rows kept
//
//     q_m = q (+) h/2 u,   J u_m = P_m V,   V* = 2 J u_m - V,   q+ = q (+) h u_m,   J u+ = P_+ V*
//
// A reflection 2 P - 1 changes no energy and a projection only takes some, so that none is won at any step,
// whatever the mechanism; what is taken is of higher order. Momentum along the world's axes of what floats
// is kept exactly. A free body turns by its own gyroscopic motion meanwhile (implicit midpoint), which
// changes no energy either.
//
// Where links whip, joints turn so far that bodies do not come where their velocities lead; forces would do
// work that nobody accounts for. Such a motion is made in up to CARRY_MOST parts, each with a reflection of
// its own, until it is followed to CARRY_MISS of itself.
#ifndef TML_METHOD_GENERALIZED_CARRY_H
#define TML_METHOD_GENERALIZED_CARRY_H

#include "method/generalized/rows.h"

typedef struct gen_motion gen_motion;

enum {
    CARRY_MOST = 64  // parts, a power of two
};

// Velocity that a body keeps: of its centre of mass in world axes, angular in its own axes.
typedef struct gen_carried {
    vec3 v, w;
} gen_carried;

// One part of a motion: where it started, how long it was, and how much of the step was left.
typedef struct gen_carry_part {
    double h, left;
    double *numbers, *rates;
} gen_carry_part;

typedef struct gen_carry {
    // the last part
    double h;
    double *numbers_mid, *rates_mid;     // where it reflects
    double* open;                        // per row: how open it was where the part started
    double *impulse_mid, *impulse_end;   // per row, N s
    gen_carried *before, *mid, *turned;  // per body: V, at the middle, and V*; before projections

    mat3* held;  // per body: how weights hold back its turning (tension.h)

    // the whole motion
    double* impulse;  // per row: all of its rows
    int part_count;
    bool is_placed;  // the tree stands where it led to
    bool
        by_matrix;  // projections go through the mass matrix: as created, whoever asks for one later (derivatives do)

    // scratch
    vec3* from;                       // per body: its centre of mass
    gen_carried* rest;                // per body
    double *numbers, *rates, *moved;  // of the part in progress
    gen_carry_part* parts;            // CARRY_MOST, where somebody wants to know them; NULL
    double* part_memory;
} gen_carry;

tml_status tml__gen_carry_create(gen_tree* t, int rows, const tml_allocator* allocator,
                                 gen_carry** out);
void tml__gen_carry_destroy(gen_carry* c, const tml_allocator* allocator);  // NULL is fine

// From now on parts are remembered: derivatives ask for them.
tml_status tml__gen_carry_remember(gen_carry* c, const gen_tree* t, const tml_allocator* allocator);

// From numbers and rates over h, by way of the middle: where it leads to. Leaves the mass matrix of the last
// middle factored where there is memory for it.
tml_status tml__gen_carry_move(gen_motion* m, double h, const double* numbers, const double* rates,
                               double* numbers_after);

// Rates there, or where rows have been closed next to it; they settle on the rows, and the impulses of all
// rows on the way are added.
tml_status tml__gen_carry_end(gen_motion* m, const double* numbers_after, double* rates_after,
                              double* impulse);

// One part once more, as it was: c is as it left it.
tml_status tml__gen_carry_again(gen_motion* m, const gen_carry_part* part);

// How a body turns freely over h: I (w+ - w) + h m x I m = 0, m = (w + w+)/2. False: no m was found, and it is w.
bool tml__free_turn(mat3 inertia, vec3 w, double h, vec3* m);

// What V pushes a body with as an impulse: momentum, and moment of it about the tree's origin.
wrench tml__gen_momentum(const gen_tree* t, int at, gen_carried V);

#endif
