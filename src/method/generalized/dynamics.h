// method/generalized/dynamics.h - forces from motion and motion from forces, on a placed tree.
//
// With H the mass matrix (the armature of rotors on its diagonal included), c the forces of Coriolis and of what is applied, D an added diagonal
// (dampers that a step treats implicitly; drag and Rayleigh damping of bodies in the composite ones only):
//     tml__gen_inverse    tau = H a + c            from the leaves inwards, one pass each way
//     tml__gen_mass       H + D                    composite bodies, only the entries that exist
//     tml__gen_factor     H + D = L^T L            no fill, because columns inwards come first
//     tml__gen_forward    a = (H + D)^-1 (tau - c) articulated bodies, linear in the columns
// Applied wrenches (gravity included) are in t->applied: fill them with tml__gen_apply.
#ifndef TML_METHOD_GENERALIZED_DYNAMICS_H
#define TML_METHOD_GENERALIZED_DYNAMICS_H

#include "method/generalized/tree.h"

// Forces and torques about the centres of mass, one per body of the model, as what is applied.
void tml__gen_apply(gen_tree* t, const vec3* force, const vec3* torque);

// Generalized forces for accelerations `a` of the columns (NULL: zero). Leaves in t->carried what
// each joint transmits to its body, and in t->acceleration the bodies'.
void tml__gen_inverse(gen_tree* t, const double* a, double* tau);

// Accelerations of the columns under generalized forces (NULL: none); `added` may be NULL.
// TML_SINGULAR: *bad_column has no inertia behind it.
tml_status tml__gen_forward(gen_tree* t, const double* added, const double* tau, double* a,
                            int* bad_column);

// These need memory for the mass matrix. Row i of it, i's own entry last.
static inline double* gen_mass_row(const gen_tree* t, int i)
{
    return &t->mass_matrix[t->row_start[i]];
}

void tml__gen_mass(gen_tree* t, const double* added);
tml_status tml__gen_factor(gen_tree* t, int* bad_column);

// With the factor, in place: (L^T)^-1 b, L^-1 b, and both. `from` is the last column with an entry
// in b that may differ from zero, where only it and the columns inwards of it do.
void tml__gen_solve_outer(const gen_tree* t, double* b);
void tml__gen_solve_path(const gen_tree* t, int from, double* b);
void tml__gen_solve_inner(const gen_tree* t, double* b);
void tml__gen_solve(const gen_tree* t, double* b);

// The same for `wide` right-hand sides at once: b has a row of them per column of the tree.
void tml__gen_solve_many(const gen_tree* t, size_t wide, double* b);

#endif
