// sim/soft_contact.h - contact of deformables with the shapes of bodies, within an implicit stage.
//
// The outer vertices of a deformable are points that touch. Contacts are found where a step starts
// (geom/collision) and stay as they are through it: a normal row and two of friction each. A stage is
// first solved as if nothing touched, then corrected: the compliance matrix W of the rows, by the
// factors that the stage has anyway, says what forces do to them, solve/lcp finds forces that obey the
// laws, and the stage is solved again with these, until the laws are met at its end. Steps that know
// velocities at nodes of time (variational) then stop what still approaches there, by impulses.
//                                                              [COOK (227) (266)-(272)]
#ifndef TML_SIM_SOFT_CONTACT_H
#define TML_SIM_SOFT_CONTACT_H

#include "sim/soft.h"

#include <stdint.h>

tml_status tml__soft_touch_create(sim_soft* f, const tml_sim_settings* settings, message* why);
void tml__soft_touch_destroy(sim_soft* f);

// Contacts at the flat states where a step of h starts; how many there are.
tml_status tml__soft_touch_begin(sim_soft* f, const double* q, const double* v, double h,
                                 int* count, message* why);
void tml__soft_touch_end(sim_soft* f);  // the step is over: nothing touches any more

// What was found between a vertex and a body in a step; no padding, because it is saved byte for byte.
typedef struct soft_kept {
    vec3 point, normal;  // the normal points to the vertex
    vec3 force;          // on the vertex, over the step, N
    vec3 arm;            // from the body's centre of mass, where the step starts
    double gap;          // m, at the start
    int body;            // the world, too
    int spot;            // the vertex, or the point of a surface (soft_points.h)
} soft_kept;

typedef struct soft_kept_set {
    int64_t count;
    int64_t capacity;
    soft_kept* list;
} soft_kept_set;

// The contacts of the step are those to be asked about once it is accepted; none where nothing is kept.
void tml__soft_touch_keep(sim_soft* f);
void tml__soft_touch_keep_none(sim_soft* f);
// Of a part of the step, this share of it long: forces become the mean of all parts.
tml_status tml__soft_touch_keep_part(sim_soft* f, double share, message* why);
void tml__soft_touch_accept(sim_soft* f);

// Those of the accepted step. NULL: no simulation of deformables that touch.
soft_kept_set* tml__soft_touch_kept(const sim_soft* f);

// What bodies feel of those (6 a node), beside `other` (NULL: nothing), which is the answer where they
// feel nothing.
const double* tml__soft_touch_felt(sim_soft* f, const double* other);

// Has something met in the step that was just solved, or come apart?
bool tml__soft_touch_has_changed(const sim_soft* f);

// ---- for soft_stage.c

int tml__soft_touch_rows(const sim_soft* f);  // 0: nothing to do

// No forces yet; those to come reach the vertices through the nodal system.
void tml__soft_touch_clear(sim_soft* f);

// The forces on the bodies as they stand, times -c_q, are added to their residual.
void tml__soft_touch_push(const sim_soft* f, double c_q, double* residual);

// Where the rows stand at f->x and the placed bodies. Answers how much the worst of them breaks its
// law, m; before the first forces are found, how far the deepest one is inside.
double tml__soft_touch_see(sim_soft* f, int* row);

enum {
    SOFT_BATCH = 12  // columns that are asked for at once, at most
};

// Answers pushes by the matrix of the stage: `count` columns of free vertices and of the bodies (6 a node
// each), times beta, in place.
typedef tml_status (*soft_respond)(sim_soft* f, int count, double* vertices, double* bodies);

// How a stage is solved again: with the forces as they stand, to a tolerance, from where it is; and its
// matrix factored there.
typedef struct soft_again {
    void* self;
    tml_status (*solve)(void* self, double tolerance);
    tml_status (*factor)(void* self);
    soft_respond respond;
    double beta;
    double tolerance;
} soft_again;

// By the matrices that the last stage, or tml__soft_touch_stop, has factored (soft_stage.c).
tml_status tml__soft_respond(sim_soft* f, int count, double* vertices, double* bodies);

// Corrections of a free motion, solved and seen from f->x, by the compliance of the rows until all laws
// are met to ten tolerances; f->bad_row tells where they are not.                       [COOK (227)]
tml_status tml__soft_touch_correct(sim_soft* f, const soft_again* again);

// ---- for steps whose contacts push by impulses at the start (soft_step.kick)

// Take h times the forces from momenta (3 a node) that count them twice.
void tml__soft_touch_take(const sim_soft* f, double h, double* momentum);

// Where rows are closed at the end of the step of h and velocities still approach there, impulses stop
// them: inelastic, with friction. q and v are flat.
tml_status tml__soft_touch_stop(sim_soft* f, double h, const double* q, double* v, message* why);

// What bodies feel of them, on average (6 a node), beside `other` (NULL: nothing). `other` itself where
// nothing touches.
const double* tml__soft_touch_wrench(sim_soft* f, const double* other);

// "vertex 12 of deformable 'bar' and 'floor'" for a row.
void tml__soft_touch_name(const sim_soft* f, int row, char* text, size_t capacity);

#endif
