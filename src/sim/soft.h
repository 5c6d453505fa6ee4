// sim/soft.h - the deformables of a simulation, beside its bodies.
//
// A flat state holds 7 numbers a body, then 3 a vertex that can move: the free ones, then those that
// bodies carry. A carried vertex keeps its place in the body frame exactly: its equation of motion,
// multiplier and all, is eliminated onto the body, J^T (M a - F) with J = [I, -[r]], so that bodies
// feel what is attached to them and nothing can come loose.
#ifndef TML_SIM_SOFT_H
#define TML_SIM_SOFT_H

#include "form/maximal.h"
#include "form/nodal/nodal.h"

#include <trammel/sim.h>

typedef struct sim_soft {
    const tml_model* model;
    maximal_system* system;  // the bodies
    nodal_system* nodes;
    pool memory;
    int first;       // of its numbers in a flat state
    int width;       // of them; the free vertices come first:
    int free_width;  //
    int carried_count;
    int* carried_vertex;  // per carried node

    // who carries: a few bodies, each once
    nodal_carriers by;
    int* carrier_node;  // node of a carrier among the bodies
    int* carrier;       // per carried node
    vec3* lever;        // per carried node: from the centre of mass, world axes
    int* pair;          // carriers x carriers: their block in `own`, -1: nothing in common
    double** place;     // per block of `own`: where it is added in the matrix of the bodies
    int block_count;
    double* columns;  // 6 a carrier: what it does to the equations of the free vertices
    double* solved;   // the same behind the factor
    double* own;      // 36 a block

    // how stages are solved
    bool is_linearised;  // one Newton step, not tested
    bool has_velocity;   // velocities are the unknowns: updates count in m/s

    // the iterate of a stage
    const form_stage* stage;
    nodal_stage nodal;
    double* x;
    double* x_start;
    double* step;
    double* residual;
    double* work;  // of width
    double* kept;  // 6 a body: its residual, set aside

    struct soft_touch* touch;  // NULL: nothing touches (soft_touch.h)
    int bad_row;               // of the contacts, where they stopped a stage; -1: they did not
    double bad_break;          // by how much it broke its law, m
} sim_soft;

typedef struct soft_touch soft_touch;

int tml__soft_width(const tml_model* model);  // numbers in a flat state

// NULL in *out where the model has no deformables. The system must have been created with a matrix.
tml_status tml__soft_create(const tml_model* model, maximal_system* system,
                            const tml_allocator* allocator, message* why, sim_soft** out);
void tml__soft_destroy(sim_soft* f);  // NULL is fine

// The initial state into flat ones.
void tml__soft_load(sim_soft* f, double* q, double* v);

// Carried vertices to where the bodies of the same flat states have them; v may be NULL.
void tml__soft_follow(sim_soft* f, double* q, double* v);

// Solve one implicit stage of bodies and vertices from the guesses in system->x, system->lambda and
// f->x; leaves the solution there (soft_stage.c).
tml_status tml__soft_solve_stage(sim_soft* f, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report);

// Accelerations of the vertices at flat states, given those of the bodies (6 a node).
tml_status tml__soft_accelerate(sim_soft* f, const double* q, const double* v,
                                const double* of_bodies, double* a);

// What the equations of the bodies alone ask about them: accelerations and projections.
maximal_guest tml__soft_guest(sim_soft* f);

// What deformables add to the energies.
void tml__soft_energy(sim_soft* f, const double* q, const double* v, tml_energy* sum);

// "vertex 12 of deformable 'bar'" for a number of the soft part of a flat state.
void tml__soft_name(const sim_soft* f, int number, char* text, size_t capacity);

// The sentence for a stage that failed.
tml_status tml__soft_describe(sim_soft* f, tml_status status, const newton_report* report,
                              message* why);

#endif
