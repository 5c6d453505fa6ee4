// trammel/sim.h - move a model through time.
//
// A simulation pairs one frozen model with one formulation (which unknowns?) and one
// integrator (which time formula?), and owns everything that changes as time passes.
// Any number of simulations may share a model. A simulation belongs to one thread at a time.
#ifndef TRAMMEL_SIM_H
#define TRAMMEL_SIM_H

#include <trammel/model.h>
#include <trammel/time.h>

TML_BEGIN_C

typedef struct tml_sim tml_sim;  // opaque; made by tml_sim_create

typedef enum tml_solver {
    TML_SOLVER_AUTO,
    TML_SOLVER_DENSE,
    TML_SOLVER_KLU,
    TML_SOLVER_AUGMENTED,
    TML_SOLVER_NODES,     // rows as unknowns of the block matrix: trees in linear time
    TML_SOLVER_TWO_STEP,  // free motion, then correction by the compliance of the rows; without a
                          // freedom left: positions, then forces
    TML_SOLVER_CHAIN,     // affine links of ball joints, each hanging on the one before
    TML_SOLVER_TREE,      // affine links of ball joints without loops
    TML_SOLVER_DUAL,      // affine links of ball joints with loops: nets
    TML_SOLVER_CG,        // the same where the factor would be too large: conjugate gradients
    TML_SOLVERS,
} tml_solver;

typedef enum tml_start {
    TML_START_ACCURATE,  // extrapolated start values at the order of the method, or better
    TML_START_SDIRK2,    // the start of [QRBD Sec 8]: three wrong joint forces, order 2 at most
} tml_start;

typedef enum tml_unknowns {
    TML_UNKNOWN_POSITION,  // the last update is measured in m
    TML_UNKNOWN_VELOCITY,  // in m/s
} tml_unknowns;

// How the strain of affine bodies is measured.
typedef enum tml_strain {
    TML_STRAIN_GREEN,      // quadratic: energy cannot grow with `energy` and `energy_damped`
    TML_STRAIN_COROTATED,  // the energy of [MABD Sec 3]; `bdf1` and `bdf2`
    TML_STRAINS,
} tml_strain;

// Bodies that touch and push each other (trammel/contact.h).
typedef struct tml_contact_settings {
    bool is_on;
    int max_contacts;    // reserved on creation: stepping never allocates; 0: by the shapes
    double margin;       // m, nearer pairs are seen; 0: by the shapes
    double stiffness;    // N/m of every contact; 0: hard
    int pgs_iterations;  // projected Gauss-Seidel, of heaps too large for exact forces; 0: exact
} tml_contact_settings;

// What only formulas over positions, velocities and accelerations read: those of `quaternion` and of deformables.
typedef struct tml_implicit_settings {
    tml_start start;
    tml_unknowns unknowns;    // what a stage is solved for
    bool is_linearised;       // one Newton step a stage, tolerance not tested
    double newmark_gamma;     // integrator newmark: 1/2 and 1/4 are the trapezoidal rule; with
    double newmark_beta;      // joints gamma > 1/2, beta >= (gamma + 1/2)^2 / 4
    tml_multistep multistep;  // integrator linear_multistep: no steps by default
    double
        level[3];  // what rows ask of a stage: weights of positions, rates (s), accelerations (s^2)
    double baumgarte;  // alpha of [QRBD (49)], semi_implicit_euler only
} tml_implicit_settings;

// What only `affine` reads.
typedef struct tml_affine_settings {
    double young;    // Pa; infinite by default: rigid
    double poisson;  // between -1 and 0.5
    tml_strain strain;
} tml_affine_settings;

typedef struct tml_sim_settings {
    tml_formulation formulation;
    tml_integrator integrator;  // `trammel list` shows which go with which formulation
    double step;                // s
    double tolerance;           // accepted when every row and the last update (m, rad) are below
    int max_iterations;         // Newton iterations before TML_NOT_CONVERGED
    tml_solver solver;
    int threads;  // 1 by default; the result does not depend on it
    tml_contact_settings contact;
    tml_implicit_settings implicit;
    tml_affine_settings affine;
    tml_allocator allocator;  // every allocation of this simulation goes through it
} tml_sim_settings;

// Settings for a metre-sized mechanism. Start here; a zeroed struct is not valid.
TML_API tml_sim_settings tml_sim_settings_default(void);
TML_API const char* tml_solver_name(tml_solver solver);
TML_API bool tml_solver_find(const char* name, tml_solver* out);  // false: no such name

// Create a simulation at the model's initial state. Initial velocities that contradict the joints
// are replaced by the nearest consistent ones in the mass norm (tml_sim_report says so).
// The model is borrowed and must outlive it; the settings are copied. The caller owns *sim. When
// the call fails, *sim is NULL or an object good only for tml_sim_message and tml_sim_destroy.
// TML_UNSUPPORTED: formulation, integrator and settings do not go together.
// TML_BAD_ARGUMENT: a setting is out of range, or joints are open (the message lists the gaps).
// TML_SINGULAR: rows are redundant or contradict each other.
TML_API tml_status tml_sim_create(const tml_model* model, const tml_sim_settings* settings,
                                  tml_sim** sim);
TML_API void tml_sim_destroy(tml_sim* sim);  // NULL is fine

// Advance one step. `controls` holds one value per actuated axis, at the end of the step; NULL
// takes the controls of the model, zero where it gives none. Recording is the caller's business.
// On any status but TML_OK the state is exactly what it was before the call.
TML_API tml_status tml_sim_step(tml_sim* sim, const double* controls);

TML_API const char* tml_sim_message(const tml_sim* sim);  // why the last call failed

// ---- asking. All of these describe the last accepted state. A body or joint that does not exist,
// and a simulation that is NULL or was not created, answer zeros and unit rotations.

TML_API const tml_model* tml_sim_model(const tml_sim* sim);
TML_API const tml_sim_settings* tml_sim_get_settings(const tml_sim* sim);
TML_API double tml_sim_time(const tml_sim* sim);                           // s
TML_API tml_pose tml_sim_pose(const tml_sim* sim, tml_body body);          // body to world
TML_API tml_velocity tml_sim_velocity(const tml_sim* sim, tml_body body);  // of the body frame

// Where a vertex of a deformable is and how fast it moves, in world axes.
TML_API tml_vec3 tml_sim_vertex(const tml_sim* sim, int deformable, int vertex);           // m
TML_API tml_vec3 tml_sim_vertex_velocity(const tml_sim* sim, int deformable, int vertex);  // m/s

// Everything a joint transmits: force at, and moment about, the follower's joint point, on the
// follower, in the base's joint axes. N and N m.
typedef struct tml_load {
    tml_vec3 force;
    tml_vec3 moment;
} tml_load;

TML_API tml_load tml_sim_joint_load(const tml_sim* sim, tml_joint joint);

// The free coordinates in the order tx ty tz rx ry rz, angles unwrapped; returns how many.
TML_API int tml_sim_joint_coordinates(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);

// The multiplier of each row of a joint by axis (force or torque on the follower); zero where the
// axis has no row.
TML_API void tml_sim_joint_multipliers(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);

typedef struct tml_energy {
    double kinetic;    // J
    double potential;  // gravity, springs, joint springs and deformables
} tml_energy;

TML_API tml_energy tml_sim_energy(const tml_sim* sim);
TML_API double tml_sim_gap(const tml_sim* sim);  // largest |row|

typedef struct tml_sim_report {
    long long steps;              // accepted
    long long newton_iterations;  // over all of them
    long long newton_bodies;      // that took part in these: fewer than all where Newton is local
    long long factorisations;     // of Newton matrices: fewer, where a factor has served again
    long long substeps;           // 0 where the method has none
    long long restarts;           // of the multistep history: limits and contacts that change
    long long fallback_starts;    // accurate starts that were too stiff and fell back to SDIRK2
    long long fallback_steps;  // next to singular poses: variational ones taken at order 1, energy
                               // and shake: velocities are those of the motion, not of the rows
    long long start_evaluations;   // times accurate starts solved the equations of motion
    long long unsettled_loads;     // steps at singular poses whose least-norm loads do not exist
    long long inexact_steps;       // next to singular poses: rows hold, the last update was longer
    long long unsettled_limits;    // steps in which a limit pulls: passes went in circles
    long long contact_problems;    // islands of touching bodies solved, over all steps
    long long contact_hits;        // of these, solved by the labels of the step before
    long long contact_unpolished;  // of these, whose forces are good to max_complementarity only
    long long fast_contacts;       // contacts met faster than margin / step: others may be missed
    tml_body fast_a, fast_b;       // the two of them that met fastest,
    double fast_speed;             // and how fast, m/s
    double max_penetration;        // deepest overlap met, m
    double max_complementarity;    // largest relative residual of contact forces
    double contact_removed;        // energy that contacts would have gained, removed, all steps, J
    double max_gap;                // over all accepted steps
    double max_gain;  // energy, energy_damped: the most that energy grew in a step beyond the
                      // work of all forces, as a share of kinetic energy and work
    double
        energy_work;  // of motors, servos, tendons, wrenches, hands and wind since the account began, J
    double
        energy_unexplained;  // what stands above energy at its beginning and that work, J; below 0: lost
    double velocity_correction;  // largest change of an initial velocity by projection
    const char* solver;          // what `auto` became
    double assembly_seconds;     // processor time in assembly and in the linear solver, where
    double solver_seconds;       // tml_sim_measure switched the clocks on
} tml_sim_report;

TML_API tml_sim_report tml_sim_get_report(const tml_sim* sim);
TML_API void tml_sim_measure(tml_sim* sim, bool is_on);

// A paragraph for people: stages, sizes, joints and their rows, the matrix and its solver. Writes
// at most `capacity` bytes, always terminated, and answers how many characters the whole text has.
TML_API size_t tml_sim_explain(const tml_sim* sim, char* text, size_t capacity);

// ---- hands on a running simulation

// Let a force at a point of a body (body frame) and a torque act, both in world axes, from the next
// step on until that body is pushed otherwise; a body below 0 lets go of all bodies. Pushes are no part of
// a saved state. The first ones allocate.
TML_API tml_status tml_sim_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
                                tml_vec3 torque);
// The same beside those that act on the body already, as many as wanted.
TML_API tml_status tml_sim_add_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
                                    tml_vec3 torque);
// In place of all pushes: one force at the centre of mass and one torque a body, world axes; those of fixed
// bodies are ignored. NULL lets go of all.
TML_API tml_status tml_sim_set_wrenches(tml_sim* sim, const tml_load* wrenches);
TML_API int tml_sim_push_count(const tml_sim* sim);

// Other gravity from the next step on, for this simulation alone; the model stays. It is no part of a saved
// state either.
TML_API tml_status tml_sim_set_gravity(tml_sim* sim, tml_vec3 gravity);
TML_API tml_vec3 tml_sim_gravity(const tml_sim* sim);

// Go on from where another simulation of the same model stands, with this one's own formulation,
// integrator and step: time, poses, velocities, angles as they are unwrapped, and controls. Where the
// joints of the other have drifted open, the nearest poses that close them. On any status but TML_OK
// the state is exactly what it was. This call allocates.
TML_API tml_status tml_sim_follow(tml_sim* sim, const tml_sim* other);

// ---- saving and restoring: everything that the next step depends on, so that a restored
// simulation continues with the same bits.

TML_API size_t tml_sim_state_size(const tml_sim* sim);             // bytes
TML_API tml_status tml_sim_save(const tml_sim* sim, void* state);  // into that many bytes
TML_API tml_status tml_sim_restore(tml_sim* sim, const void* state, size_t bytes);

TML_END_C

#endif
