// sim/soft.h - the deformables of a simulation, beside its bodies.
//
// A flat state holds 7 numbers a body, then 3 a vertex that can move: the free ones, then those that
// bodies carry. A carried vertex keeps its place in the body frame exactly: its equation of motion,
// multiplier and all, is eliminated onto the body, J^T (M a - F) with J = [I, -[r]], so that bodies
// feel what is attached to them and nothing can come loose.
#ifndef TML_SIM_SOFT_H
#define TML_SIM_SOFT_H

#include "method/maximal.h"
#include "nodal/nodal.h"

#include <trammel/sim.h>

// The bodies of a step as its solver needs them: rows and residual (times beta) at system->x, bodies
// placed there; and their matrix.
typedef struct soft_bodies {
    void* self;
    void (*evaluate)(void* self, newton_merit* out);
    void (*fill)(void* self);
} soft_bodies;

// One step as deformables see it: end = hat + beta a. Their forces act at the places
// (1 - phi) start + phi end, and reach the bodies by the arms (1 - reach) start + reach end of the
// vertices that these carry, so that their work is what the step says it is:
//
//   quaternion   phi 1, reach 1: a stage of its own
//   variational  phi 1/2, reach 0: the momenta of the first node of time      [VMAX (26) (33)]
//   affine       phi of the step, reach the same: R' - R = [k] mean(R)         [notes 9.2]
typedef struct soft_step {
    soft_bodies bodies;
    nodal_stage nodal;  // of the places where forces act: c_q = phi beta
    double beta, phi, reach;
    double
        kick;  // 1; 2 where forces of contacts are impulses at the start, which move the end twice
               // as far as forces that last through the step
    const double* start;  // 3 a node; may be NULL where phi and reach are 1
    double t;             // s: the instant of forces
} soft_step;

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
    vec3* first_lever;  // the same where the step starts
    vec3* arm;          // the same where forces reach the body
    int* pair;          // carriers x carriers: their block in `own`, -1: nothing in common
    double** place;     // per block of `own`: where it is added in the matrix of the bodies
    int block_count;
    double* columns;  // 6 a carrier: what it does to the equations of the free vertices
    double* rows;     // the same by the arms: transposed, what free vertices do to it
    double* solved;   // the same behind the factor
    double* own;      // 36 a block

    // how stages are solved
    bool is_linearised;  // one Newton step, not tested
    bool has_velocity;   // velocities are the unknowns: updates count in m/s

    // the iterate of a stage
    const soft_step* progress;
    void* host;    // of a formulation whose iterations are its own
    double* x;     // where the step ends
    double* mean;  // where forces act
    double* hat;   // for callers: of a nodal stage
    double* x_start;
    double* step;
    double* residual;
    double* work;  // of width
    double* kept;  // 6 a body: its residual, set aside

    // momenta of all nodes at the end of a step, where they are still to be shared with the bodies
    bool has_momentum;
    double* momentum;

    struct soft_touch* touch;  // NULL: nothing touches (soft_contact.h)
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

// Only their velocities: q is as it should be.
void tml__soft_carry_velocities(const sim_soft* f, const double* q, double* v);

// Solve one implicit step of bodies and vertices from the guesses in system->x, system->lambda and
// f->x; leaves the solution there (soft_stage.c).
tml_status tml__soft_solve(sim_soft* f, const soft_step* step, const newton_settings* settings,
                           newton_report* report);

// The matrix of that step at these guesses, as it is for the bodies once the free vertices are eliminated:
// not factored, for tml__kkt_apply.
tml_status tml__soft_fill(sim_soft* f, const soft_step* step);

// ---- its pieces, for a formulation whose Newton iterations are its own (method/affine/attached.c). A step is
// opened with the guess in f->x.
void tml__soft_open(sim_soft* f, const soft_step* step);
void tml__soft_close(sim_soft* f);

// What is left of the equations at f->x and the placed bodies; `scale` times what that asks of the
// bodies is taken from `residual` (6 a node). The sum of squares of the free vertices, m^2.
double tml__soft_evaluate(sim_soft* f, double scale, double* residual);

// Factor the matrix of the free vertices and eliminate them: blocks in f->own.
tml_status tml__soft_factor(sim_soft* f);
void tml__soft_bend(const sim_soft* f, int carried, double out[9]);  // see add_bending
// Free vertices behind the factor, into z, and what that asks of the bodies, added to `to`.
void tml__soft_eliminate(sim_soft* f, double* z, double* to);
// z := scale z - A_ff^-1 A_fb dx; its largest part.
double tml__soft_follow_step(const sim_soft* f, const double* dx, double scale, double* z);

// What free vertices that stand behind their factor leave of a push on the bodies.
void tml__soft_pull_free(const sim_soft* f, const double* z, double* bodies);

// ---- the end of a step (soft_end.c)

// Momenta that the nodes bring to the end: M u of velocities u, and `force` (NULL: none) times `span`
// on the carried ones. The next projection of velocities shares them with the bodies.
void tml__soft_bring(sim_soft* f, const double* u, const double* force, double span);

// Levers and places (f->x) of the carried vertices at the placed bodies.
void tml__soft_place_carried(sim_soft* f);

// to (6 a node) += scale J^T of what acts on the carried vertices.                    [COOK (289)]
void tml__soft_pull(const sim_soft* f, const double* force, double scale, double* to);

// Columns, blocks and their elimination, for the factor of the free vertices at hand.
void tml__soft_condense(sim_soft* f, nodal_scales scales, const double* q);

// Accelerations of the vertices at flat states, given those of the bodies (6 a node).
tml_status tml__soft_accelerate(sim_soft* f, const double* q, const double* v,
                                const double* of_bodies, double* a);

// What the equations of the bodies alone ask about them: accelerations and projections.
maximal_guest tml__soft_guest(sim_soft* f);

// What deformables add to the energies.
void tml__soft_energy(sim_soft* f, const double* q, const double* v, tml_energy* sum);

// wrench (6 a node) += what bodies feel, at the state where they are placed, of forces on the nodes:
// those on what they carry, and what free vertices pass on by masses that belong to both.
void tml__soft_feel(sim_soft* f, const double* force, double* wrench);

// "vertex 12 of deformable 'bar'" for a vertex of the model, and for a number of the soft part of a
// flat state.
void tml__soft_vertex_name(const sim_soft* f, int vertex, char* text, size_t capacity);
void tml__soft_name(const sim_soft* f, int number, char* text, size_t capacity);

// The sentence for a stage that failed.
tml_status tml__soft_describe(sim_soft* f, tml_status status, const newton_report* report,
                              message* why);

#endif
