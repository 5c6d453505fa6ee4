// analysis/closing.h - moving bodies until the rows of a model hold: what assembling, inverse kinematics
// and setting a joint by hand have in common.
//
// Rows may be redundant. The augmented engine keeps them as they are. Where it cannot solve (parts a
// million times lighter than others), the engine that pivots takes over; its rows carry a slack that
// is a tiny part of their own size, and what that leaves open the next iteration takes up: the slack
// is a step length, not a change of the problem.
#ifndef TML_ANALYSIS_CLOSING_H
#define TML_ANALYSIS_CLOSING_H

#include "analysis/derive.h"
#include "method/maximal.h"

typedef struct closing {
    tml_model* model;       // owned: geometry only, bodies and joints as in the model it came from
    maximal_system* s;      // owned; s->x is the iterate
    maximal_system* spare;  // owned: where the first engine was left; NULL while it serves
    tml_allocator allocator;
    double* from;      // 7 per node: where distances are measured from
    double* kept;      // 7 per node: the best iterate so far
    double* trial;     // 7 per node: where a line search starts
    double* size;      // per row: C M^-1 C^T, what a unit of its force does to it
    double* force;     // 6 per node
    double* step;      // 6 per node
    double* hints;     // TML_AXES per joint: with `kept`
    double tolerance;  // rows count as closed below this
    int budget;        // linear solves that may still be spent
    int patience;      // steps of one closing before it counts as at rest
    int passes;        // steps of one approach at most
    int spent;         //
    double slope;      // largest part of the last step towards `from`
} closing;

tml_status tml__closing_create(const tml_model* model, const derivation* how,
                               const tml_allocator* allocator, message* why, closing** out);
void tml__closing_destroy(closing* c);

// Poses of body frames to and from flat states. Bodies without a node are skipped.
void tml__closing_load(const tml_model* m, const tml_pose* poses, double* x);
void tml__closing_store(const tml_model* m, const double* x, tml_pose* poses);

// Targets at t of the model's controls, then bodies and rows at s->x; the largest |row|. Coordinates
// there become the reference for unwrapping angles.
double tml__closing_look(closing* c);
void tml__closing_remember(closing* c);

// Close the rows from s->x by damped Gauss-Newton steps in the mass norm. TML_INFEASIBLE: it came to
// rest with rows open, or a joint would have to flip. s->x is then the best that was found.
tml_status tml__closing_close(closing* c);

// Slide along the closed rows to where c->from is nearest.
tml_status tml__closing_approach(closing* c);

// Both, with joint limits: those that are passed engage, those that would pull let go.
tml_status tml__closing_assemble(closing* c);

// Move the placed bodies along the coordinates of the tree until its loops are nearly closed, however
// far they were open (closing_loops.c). The tree is left placed there.
struct joint_tree;
tml_status tml__closing_loops(maximal_system* s, struct joint_tree* tree);

// Poses from tree joint to tree joint, each joint closed in turn: a start when the given one leads
// nowhere. Into s->x.
tml_status tml__closing_tree_start(closing* c);

// All of it from c->from, hints set: from there, then from the tree (assemble.c). On failure s->x is
// the better of the two attempts.
tml_status tml__assemble(closing* c);

// Mass matrix, rows and the rows' sizes at the placed bodies, into the matrix.
void tml__closing_fill(closing* c);

// Smallest solution of  K d - C^T mu = force,  C d = c  with the node blocks as they stand, rows
// filled; `stiffness` is what multiplies M in K. The solution is in c->step and s->dl.
tml_status tml__closing_solve(closing* c, double stiffness, const double* rows, int refinements);

// Change to the engine that pivots, once and for good; the matrix must then be filled again. False:
// it serves already, or there is no memory for it.
bool tml__closing_switch(closing* c);

// s->x = base moved by fraction of c->step.
void tml__closing_move(closing* c, const double* base, double fraction);

// Which rows stay open and by how much, for people.
void tml__closing_describe(const closing* c, tml_status status, message* why);

#endif
