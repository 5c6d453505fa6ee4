// sim/sim_internal.h - the inside of a simulation.
#ifndef TML_SIM_INTERNAL_H
#define TML_SIM_INTERNAL_H

#include "base/team.h"
#include "contact/contacts.h"
#include "method/maximal.h"
#include "sim/contact_step.h"
#include "sim/island.h"
#include "sim/soft.h"
#include "sim/trace.h"
#include "time/relation.h"

#include <trammel/sim.h>

#include <math.h>

// A state that a step may accept.
typedef struct sim_state {
    double* q;          // positions, flat
    double* v;          // rates, flat
    double* lambda;     // per row
    limit_side* sides;  // per limit
    double* own;        // what the formulation keeps beside these
} sim_state;

// A state to look at. What the formulation keeps beside it is its own affair.
typedef struct state_view {
    const double *q, *v, *lambda;
    double* own;
} state_view;

// What a step starts from and what acts in it. Nothing in it changes while the step is made; who wants a step under
// other conditions (shorter, pushed, moved out of overlaps) asks anew (advance.c).
typedef struct step_ask {
    state_view from;  // the state where it starts
    double h;         // its length, s
    double offset,
        whole;  // where it starts in the step that the caller asked for, and how long that one is, s
    const double* controls;  // the caller's, at the end of the whole step; NULL: those of the model
    int count;               // substeps that the whole one is taken in; 1: this is it
    bool is_impact;          // something has changed: no formula looks back or goes in stages
    bool is_forced;          // nothing else has helped: what costs order and energy is allowed
    const double* wrench;    // 6 a node, held through the step; NULL: none
    const double* impulse;   // 6 a node, where the step starts; NULL: none
} step_ask;

// The energy account of a run (account.h); all in J, but for the power.
typedef struct energy_account {
    double is_open;  // 0: it begins where the next step starts
    double start;    // where it began,
    double work;     // and what motors, servos, tendons, wrenches, hands and wind have done since
    double slack;    // of that, what the quadrature may be off
    double energy, power;  // of the state; W
    double swing;          // the most kinetic energy so far that is explained
    double floor;          // what rounding and the tolerance of rows make of it
} energy_account;

// Scratch of the extrapolated start (start.c).
enum {
    START_COLUMNS = 6,
    START_PIECES = 4,
    START_WIDTH = 13
};

// How far steps since the last start are counted: the highest BDF leaves its start behind there.
enum {
    PAST_COUNTED = 2 * TIME_PAST
};

typedef struct start_scratch {
    int columns;                   // 0: the method needs no start
    int order;                     // of the method that follows
    int width;                     // numbers in its states: bodies, then vertices and their rates
    double* table[START_COLUMNS];  // extrapolation table, one row
    double* y;                     // state at the start of a substep
    double* before;                // the level before the last of the midpoint rule
    double* f0;                    // derivative at y
    double* f;                     // and in between
    double* acceleration;          // 6 a body
    double* soft_acceleration;     // 3 a vertex
} start_scratch;

// How a formulation takes contacts into its steps.
typedef enum form_contact {
    FORM_CONTACT_NONE,
    FORM_CONTACT_OWN,    // it solves for them itself
    FORM_CONTACT_FORCE,  // sim/contact_step.c does: by forces held through the step
    FORM_CONTACT_JOLT,   // the same, by impulses where the step starts
} form_contact;

// What a formulation brings beside its steps. Whatever its unknowns are, an accepted state is told
// as poses and rates of the bodies and one multiplier a row, so that every question about it is
// answered by the same code. Functions may be NULL where there is nothing to do.
typedef struct form_parts {
    int past_kept;       // accepted states it looks back on; where it is multistep its order says
    bool has_matrix;     // sim->system->matrix is created: start, loads and projections use it
    bool prefers_nodes;  // of trees: rows as nodes are the faster matrix for its steps
    bool is_multistep;   // wants the extrapolated start
    bool is_explicit;    // no equations are solved
    bool solves_kinematics;  // of mechanisms without a freedom left: positions first, then forces
    bool notes_start;        // of each part of a step, in q_hat and v_hat
    form_contact contact;
    bool takes_contacts;         // its Newton method asks sim->system->partner
    bool has_ties;               // takes rows that tie velocities
    bool owns_limits;            // limits are decided within its steps, not by repeating them
    bool judges_limits_by_step;  // by limit_push, not by next.lambda
    bool keeps_branch;  // its short steps go on where the motion was going, also at a singular pose
    bool can_be_forced;     // step_ask.is_forced makes a difference
    bool touches_in_parts;  // contacts of deformables are found where each part of its steps starts
    size_t (*own_width)(const tml_sim* sim);  // numbers in sim->own, saved with the state
    tml_status (*create)(tml_sim* sim);       // its workspace, sim->work
    void (*destroy)(tml_sim* sim);            // also of a half-made one
    // velocities that the rows allow and multipliers at the accepted state, with the largest change
    // of a velocity; NULL: by sim->system->matrix
    tml_status (*start)(tml_sim* sim, double* change);
    // its own state from poses and rates: at the start, after a teleport and after an impact
    tml_status (*begin)(tml_sim* sim, const sim_state* from, double* own);
    // multipliers of the accepted state for reporting, at its targets; NULL: those of the step
    tml_status (*multipliers)(tml_sim* sim, double* lambda);
    unsigned solvers;  // bit k: takes tml_solver k; 0: those of sim->system->matrix
    const char* (*solver_name)(const tml_sim* sim);  // NULL: that of sim->system->matrix
    // what the unknowns and the work of a step are, for `explain`; NULL: those of the matrix
    void (*explain)(const tml_sim* sim, char* text, size_t capacity);
    // what is to be told again once the contacts of a step are known (sim->system->touching)
    tml_status (*touched)(tml_sim* sim, const double* controls);
    // contacts of c->found with bodies that are led (sim_contacts.is_led), which the formulation's
    // own step takes; bodies are placed where the step starts. And their forces after it.
    void (*lead)(tml_sim* sim, const contact* contacts, int count);
    vec3 (*led_force)(const tml_sim* sim, int i);
    // of lean ones: how deep it is where the step ends, m; not below 0
    double (*led_depth)(const tml_sim* sim, int i);
    // room for more contacts of its own
    tml_status (*reserve)(tml_sim* sim, int max_contacts);
    // nothing is kept for each joint and row (lean.h): `create` then finds sim->system folded; and of which
    // models it takes the steps (pairing.lean)
    bool is_lean;
    bool (*takes)(const tml_sim* sim);
    // NULL: that of the pairing
    tml_status (*advance)(tml_sim* sim, const double* controls);
    tml_status (*check)(tml_sim* sim);  // settings and model; NULL: they have been
    // without has_matrix: for these models an augmented one is made, to report least-norm loads
    bool (*wants_matrix)(const tml_sim* sim);
    // bodies whose shape is not told by their poses: sim->system, placed at these, as `own` has them; and
    // the energy of that shape and its rates, at the accepted state
    void (*shape)(tml_sim* sim, const double* own);
    void (*shape_energy)(const tml_sim* sim, tml_energy* energy);
    // its steps as linear maps (linear.h); NULL: they have no derivatives in this version
    const struct step_linear* linear;
} form_parts;

typedef struct pairing {
    tml_formulation formulation;
    tml_integrator integrator;
    const char* remark;
    // compute sim->next at sim->time + h with the limits as they stand in sim->system->sides
    tml_status (*advance)(tml_sim* sim, const double* controls);
    bool is_baseline;        // for comparison only: it may gain energy
    unsigned can;            // bit k: tml_feature k
    const form_parts* form;  // what carries it out;
    const form_parts* lean;  // of the models that this takes, this does; NULL: of none
} pairing;

struct tml_sim {
    const tml_model* given_model;  // borrowed
    // What all else looks at: the same arrays with numbers of the simulation's own, gravity and, once they were
    // set, inputs (inputs.c).
    const tml_model* model;  // own_model
    tml_model own_model;
    struct sim_inputs* inputs;  // NULL: those of the model
    tml_sim_settings settings;
    const pairing* pairing;
    message why;
    int is_dead;  // creation failed; only the message is good

    const form_parts* form;
    maximal_system* system;
    sim_soft* soft;          // NULL: there are no deformables
    void* work;              // of the formulation
    team* team;              // its threads; NULL: the caller alone
    size_t own_width;        // numbers in `own`
    sim_contacts* contacts;  // NULL: nothing touches
    sim_touch* touch;        // NULL: nothing touches, or the formulation solves for contacts itself
    sim_islands* islands;    // NULL: nothing touches, or only links do that keep no bodies
    rigid* placed_links;     // lean, with contacts: all bodies and the world (lean_contact.h)
    bool owns_limits;        // limits are decided within the steps
    double* limit_push;      // per limit: the multiplier that moved positions in the step
    int is_kinematic;        // no freedom is left: positions do not depend on forces
    bool is_stiff;           // for a symplectic formula (account.h)
    bool has_drives;         // motors move positions
    bool is_driven;          // and leave no freedom: what it does is theirs to do
    int width;               // numbers in a flat state

    // the last accepted state and those before it
    long long step_index;
    double start_time;  // where step_index counts from; 0 but after tml_sim_follow
    double time;
    double* past_q[TIME_PAST];  // ring by shifting pointers, newest first
    double* past_v[TIME_PAST];
    int past_kept;   // how many of them are looked back on, 1 to TIME_PAST
    int past_count;  // states since the last start, at most PAST_COUNTED
    double* lambda;
    limit_side* sides;
    double* own;             // what the formulation keeps beside these
    double* tried_controls;  // the same of a step that was tried and not kept
    double* controls;  // where the actuated axes stood: the caller's last values, or the model's

    // lean simulations: how often the first and the last angle of each joint have gone round
    double* stretch_gap;  // lean: per stretch of joints, the largest gap of the last inspection
    int* turns;
    long long version;  // of the accepted state: grows whenever it changes
    int lean_depth;     // how often the arrays of `system` were opened

    energy_account* account;       // of the accepted state,
    energy_account first_account;  // the same, begun where there was none,
    energy_account next_account;   // and of the next,
    double *drive_rates,
        *next_rates;  // of targets at the ends of the steps that led to both, one a control
    double next_gap;  // whose largest row this is; below 0: nobody has looked

    // the step in progress
    sim_state next;
    drive* given;  // the caller's controls at an instant of the step
    double *sub_q, *sub_v, *sub_own, *sub_lambda;  // where a substep starts (advance.c)
    limit_side* sub_sides;
    double *whole_q, *whole_v;  // where the whole of it ended (branch.h); NULL: not watched
    int suspect;  // the mechanism whose velocities are watched from substep to substep; -1: none
    const step_ask*
        ask;  // what is asked of it, by tml__step_once alone; NULL: no step is in progress
    double* v_hat;
    double* q_hat;
    dirk_rates rates;
    start_scratch start;

    // answers about the accepted state, computed when first asked
    int has_answers;
    int has_loads;
    long long placed;     // `placements` of the system while it stands at the accepted state; or -1
    double* before;       // velocities before the last step (sim/sensor.h); empty: nobody asks
    double* reported;     // per row: the least-norm multipliers
    joint_load* loads;    // per joint
    double* coordinates;  // TML_AXES per joint
    tml_energy energy;
    double gap;

    tml_sim_report report;
    step_trace* trace;     // borrowed; NULL: nobody asks how steps go
    bool has_lent_matrix;  // system->matrix is there for derivatives only: steps do without it
};

// Of the step in progress, or of the next whole one where none is: how long it is, and where it starts.
static inline double step_h(const tml_sim* sim)
{
    return sim->ask != NULL ? sim->ask->h : sim->settings.step;
}
static inline const double* step_q(const tml_sim* sim)
{
    return sim->ask != NULL ? sim->ask->from.q : sim->past_q[0];
}
static inline const double* step_v(const tml_sim* sim)
{
    return sim->ask != NULL ? sim->ask->from.v : sim->past_v[0];
}
// The states it looks back on, newest first.
static inline const double* step_past_q(const tml_sim* sim, int k)
{
    return k == 0 ? step_q(sim) : sim->past_q[k];
}
static inline const double* step_past_v(const tml_sim* sim, int k)
{
    return k == 0 ? step_v(sim) : sim->past_v[k];
}
static inline double* step_own(const tml_sim* sim)
{
    return sim->ask != NULL ? sim->ask->from.own : sim->own;
}
static inline const double* step_lambda(const tml_sim* sim)
{
    return sim->ask != NULL ? sim->ask->from.lambda : sim->lambda;
}
static inline bool step_is_impact(const tml_sim* sim)
{
    return sim->ask != NULL && sim->ask->is_impact;
}

// The whole step from the accepted state.
step_ask tml__step_ask(const tml_sim* sim, const double* controls);

// One step of the formulation and integrator as they are, into sim->next. The same ask gives the same answer.
tml_status tml__step_once(tml_sim* sim, const step_ask* ask);

// The simulation stands where this step starts, for whoever looks at it again (diff/). Answers what it stood at before,
// to go back to; NULL: the accepted state.
const step_ask* tml__ask_stand(tml_sim* sim, const step_ask* ask);

const pairing* tml__pairing_find(tml_formulation formulation, tml_integrator integrator);
// Choose the pairing and what carries it out, and refuse settings that they or the model cannot honour
// (settings.c).
tml_status tml__sim_check_settings(tml_sim* sim);

// Steps of the quaternion formulation (implicit.c, start.c).
tml_status tml__advance_bdf(tml_sim* sim, const double* controls);
tml_status tml__advance_dirk(tml_sim* sim, const double* controls);
tml_status tml__advance_semi_implicit(tml_sim* sim, const double* controls);
tml_status tml__advance_accurate(tml_sim* sim, const double* controls);

// The equations that an accurate start integrates (start.c). y has START_WIDTH numbers a node: c, q, v,
// omega; y' at time t into f.
void tml__start_pack(const tml_sim* sim, const double* q, const double* v, double* y);
void tml__start_unpack(const tml_sim* sim, const double* y, double* q, double* v);
tml_status tml__start_derivative(tml_sim* sim, double t, const double* y, const double* controls,
                                 double* f);

// Are bodies elastic?
static inline bool tml__is_flex(const tml_sim* sim)
{
    return sim->settings.formulation == TML_FORM_AFFINE && isfinite(sim->settings.affine.young);
}

extern const form_parts tml__quaternion_parts;
// Steps of the quaternion formulation as linear maps (method/quaternion/linear.c).
extern const struct step_linear tml__quaternion_linear;

// Steps in joint coordinates as linear maps (method/generalized/linear.c).
extern const struct step_linear tml__generalized_linear;

// Steps of the affine formulation (method/affine/method.c), and of models of ball joints (method/links/method.c).
extern const form_parts tml__affine_parts;
extern const form_parts tml__links_parts;
tml_status tml__advance_affine(tml_sim* sim, const double* controls);

// Steps of the variational formulation (method/variational/method.c), and what it brings.
tml_status tml__advance_variational(tml_sim* sim, const double* controls);
tml_status tml__advance_variational4(tml_sim* sim, const double* controls);
tml_status tml__advance_heun(tml_sim* sim, const double* controls);
extern const form_parts tml__variational_parts;

// Steps of deformables alone (step_nodal.c); backward differences and SDIRK are those of above.
extern const form_parts tml__nodal_parts, tml__nodal_explicit_parts;
const pairing* tml__pairing_find_nodal(tml_integrator integrator);
tml_status tml__advance_nodal_explicit(tml_sim* sim, const double* controls);
tml_status tml__advance_nodal_rk4(tml_sim* sim, const double* controls);
// Newmark's and general multistep formulas, for bodies too (method/quaternion/newmark.c): what they keep beside a state,
// and how that begins.
extern const form_parts tml__newmark_parts;
extern const form_parts tml__multistep_parts;
size_t tml__accelerations_width(const tml_sim* sim);
tml_status tml__accelerations_begin(tml_sim* sim, const sim_state* from, double* own);
tml_status tml__advance_newmark(tml_sim* sim, const double* controls);
tml_status tml__advance_multistep(tml_sim* sim, const double* controls);

// Bodies and joints of sim->system at a state.
void tml__sim_place(tml_sim* sim, const double* q, const double* v, const double* own);

// The same and the rows there; the largest of them.
double tml__sim_stand(tml_sim* sim, const double* q, const double* v, const double* own);

// A stage as its solver sees it, and solving it: positions into sim->next.q, where nothing else is
// touched (implicit.c).
typedef struct stage_problem {
    const time_relation* relation;
    double dt;                 // from the accepted state
    const time_history* past;  // NULL: only the accepted state counts
} stage_problem;

tml_status tml__sim_solve_stage(tml_sim* sim, const stage_problem* p, const double* controls);

// One step of a start: the accurate one, or SDIRK2 where it is too stiff for that or asked for.
tml_status tml__sim_start(tml_sim* sim, const double* controls);

// What Newton is asked for.
newton_settings tml__sim_newton(const tml_sim* sim);

// Steps of the generalized formulation (step_generalized.c).
extern const form_parts tml__generalized_parts;
tml_status tml__advance_generalized_semi_implicit(tml_sim* sim, const double* controls);
tml_status tml__advance_generalized_forward(tml_sim* sim, const double* controls);
tml_status tml__advance_generalized_rk4(tml_sim* sim, const double* controls);

// The sentence for a Newton iteration that stalled; TML_INFEASIBLE where the targets of actuators
// contradict each other (implicit.c).
// What Newton took, and whether it ended loosely, into the report.
void tml__sim_count_newton(tml_sim* sim, const newton_report* report);

tml_status tml__sim_describe_stall(tml_sim* sim, tml_status status, const newton_report* report);

// Set the targets for the instant `dt` after the accepted state. Controls given by the caller are
// values at the end of the step: positions move there linearly, forces act from the start.
void tml__sim_time(tml_sim* sim, double dt, const double* controls);

// Replace the accepted velocities by the nearest that the rows allow, and find the multipliers and
// the formulation's own state that go with them: where a history begins.
tml_status tml__sim_begin(tml_sim* sim, double* change);

// Positions and rates (flat), coordinates and limits that push (NULL: none) become the state, and a
// new history begins there; or nothing changes.
tml_status tml__sim_adopt(tml_sim* sim, const double* x, const double* v, const double* hints,
                          const limit_side* sides);

// Are joints or couplings open at the accepted poses at t = 0? The message lists them (gaps.c).
tml_status tml__sim_check_gaps(tml_sim* sim);

// Put the bodies at the accepted state and compute what can be asked.
void tml__sim_answer(tml_sim* sim);

// One step into sim->next that is not accepted: the state, the report and the message stay as they are, the
// limits that push (sides of the system) are those of the step.
tml_status tml__sim_try_step(tml_sim* sim);

// Do bodies touch before the first step? Then joint loads are those of that step (answer.c).
bool tml__sim_touches_at_start(tml_sim* sim);

// The accepted state is another one now.
static inline void tml__sim_forget_answers(tml_sim* sim)
{
    sim->has_answers = 0;
    sim->has_loads = 0;
    sim->placed = -1;
}

// What tml_sim_set_inputs has taken (inputs.c).
void tml__inputs_destroy(tml_sim* sim);

// Memory of a simulation: one list for taking and releasing (memory.c).
tml_status tml__sim_take_memory(tml_sim* sim);
void tml__sim_release_memory(tml_sim* sim);

#endif
