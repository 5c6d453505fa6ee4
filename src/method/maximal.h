// method/maximal.h - a model in maximal coordinates: what every formulation of rigid bodies shares.
//                                                                                 [QRBD Sec 3 Sec 6]
// A moving body (a node) is its centre of mass c and unit quaternion q, moved by (dc, dphi), dphi a
// world rotation vector. Flat states hold 7 numbers a node, c then q (w first); rates hold v then
// w = q'. Rows come joint by joint, then couplings, ties, then limits. Here are rows, forces, their
// derivatives, accelerations, projections and loads at a given state; how a state becomes the next
// one is the business of the formulations in the folders below.
#ifndef TML_METHOD_MAXIMAL_H
#define TML_METHOD_MAXIMAL_H

#include "base/memory.h"
#include "force/spring.h"
#include "joint/rigid.h"
#include "joint/tie.h"
#include "linalg/kkt.h"
#include "solve/newton.h"

enum {
    POSE_WIDTH = 7
};

// The inertial part of a node's residual, and how it and the velocity follow the pose.
typedef struct node_inertia {
    vec3 omega;   // angular velocity, world
    vec3 torque;  // rate of angular momentum as the discretisation sees it, world
    mat3 K;       // d(torque)/d(phi), world rotation vector
    mat3 W;       // d(omega)/d(phi)
} node_inertia;

// What the past says about the end of a stage; the twin of time/'s relation, so that method/ need
// not know integrators.
typedef struct form_stage {
    double c_v, c_q;
    const double* v_hat;
    const double* q_hat;
} form_stage;

typedef enum limit_side {
    LIMIT_OFF = 0,
    LIMIT_LOWER = -1,
    LIMIT_UPPER = 1,
} limit_side;

typedef struct limit_row {
    int joint;
    tml_axis axis;
    int row;
    tml_axis of;      // the coordinate that is limited: the axis itself, or a measure
    limit_side side;  // of a measure: the bound that it is of; LIMIT_OFF: both are here
} limit_row;

// How far it is to both bounds, m or rad; negative: beyond. HUGE_VAL: far away, or not of this row.
typedef struct limit_room {
    double lower, upper;
} limit_room;

typedef struct joint_axis_id {
    int joint;
    tml_axis axis;
} joint_axis_id;

// A force and a torque that a caller lets act on one body, beside those of the model.
typedef struct hand_push {
    int body;            // one that moves
    int place;           // where links keep it; of no meaning elsewhere
    vec3 point;          // from the centre of mass, body axes
    vec3 force, torque;  // world axes
} hand_push;

// Something that bodies carry along and that is no body itself: deformables. It adds its inertia, as
// bodies feel it, to a filled mass matrix, and its forces at a flat state to s->residual. Where
// velocities are projected it adds the momentum that it brings beside that of the placed velocities
// (N s, 6 a node), and is told the outcome: v holds its own numbers behind those of the bodies.
typedef struct maximal_guest {
    void* self;  // NULL: there is none
    void (*mass)(void* self);
    void (*push)(void* self, const double* x, const double* v);
    void (*bring)(void* self, double* momentum);
    void (*settled)(void* self, const double* x, double* v);
} maximal_guest;

// What the rows of joints and couplings ask of a stage: a sum of positions, velocities and
// accelerations. All zero is positions.                                              [COOK (203)]
typedef struct row_level {
    double position, velocity, acceleration;
} row_level;

// Rows of joints on loops, with a matrix of their own; see redundant.c.
typedef struct loop_rows loop_rows;

typedef struct jump_sizes jump_sizes;  // jump.h

// Whoever pushes on bodies and answers where they go while a step is solved for: contacts (sim/contact_newton.c). The
// step (dx, dl) of an iteration is known and its factor at hand: `correct` may change what pushes, and the step with it.
typedef struct maximal_answer {
    void* self;
    void (*place)(void* self, const double* dx,
                  double* q);  // where dx leads from the iterate: 7 a node
    // what a right-hand side (6 a node, as that of the iteration) changes of the step
    tml_status (*solve)(void* self, const double* side, double* dx, double* dl);
    void (*add)(void* self,
                const double* impulses);  // these (6 a node) act where the step starts, too
} maximal_answer;
typedef struct maximal_partner {
    void* self;
    tml_status (*correct)(void* self, const maximal_answer* by, double* dx, double* dl);
} maximal_partner;

typedef struct maximal_system {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    kkt* matrix;
    bool is_lean;  // the arrays below are there only while it is unfolded

    // layout, fixed at creation
    joint_rows* rows;    // per joint
    int* first_row;      // per joint
    int* joint_pair;     // per joint: its coupling block, -1 when a body of it never moves
    int* joint_entry;    // per joint row and limit: first entry in the matrix' row values
    int first_coupling;  // row index
    int* term_entry;     // 2 per coupling term: entries of follower and base, -1: none
    int* first_term;     // per coupling, and one past the last
    int first_tie;       // row index
    int tie_count;       // rows of knife edges and of rolling
    int* tie_of;         // per such row: which of the model's nonholonomics
    int first_limit;     // row index
    int limit_count;
    limit_row* limits;
    int forced_count;
    joint_axis_id* forced;  // axes with a motor, spring, damper or servo
    int* spring_pair;       // per spring: start of its table below
    int* point_pair;        // its bodies, which of them each point is on, and body by body the
                            // coupling block, -1: same or fixed body
    int first_soft_pair;    // coupling blocks of bodies that carry the same deformable, to the last
    int row_count;
    int node_count;
    int mechanism_count;
    int* mechanism;         // per node
    jump_sizes* jumps;      // per mechanism
    double* weight;         // per row: least-norm weight
    double* compliance;     // per row: 0 is rigid
    bool may_be_redundant;  // loops or couplings: multipliers may not be unique
    loop_rows* loops;       // the rows for which that is so; NULL: as far as one knows, all

    // where things are: filled by tml__maximal_place and tml__maximal_rows
    double t;
    double load;  // share of gravity and wrenches that acts: 1, less while statics adds them
    row_level level;
    int push_count, push_room;
    hand_push* pushes;
    maximal_guest guest;
    const maximal_partner* partner;  // NULL: none
    double*
        momentum;  // 6 a node, where the step starts: impulses of a partner are added; NULL: it is asked anew
    const double* touching;  // 6 a node: force and torque of contacts, N and N m; NULL: none
    const bool* is_apart;    // per axis of every joint: its force is somebody else's; NULL: none is
    const double* jolt;      // 6 a node: impulses where a step starts, N s and N m s; NULL: none
    bool has_targets;        // an axis is actuated or has a servo
    bool is_aimed;           // the targets were evaluated once,
    bool is_given;           // with controls that a caller gave
    long long placements;    // how often bodies or targets were put somewhere
    // Rows follow from the pose alone, and nobody but tml__maximal_fill_rows writes them to the matrix.
    // Who puts bodies or frames somewhere by hand raises `placements`.
    bool is_plain;
    long long stood;   // `placements` when tml__maximal_stand had put all there,
    long long framed;  // with the frames of the joints,
    long long filled;  // and when the matrix had the rows of that pose; of the pose:
    double gap, consistency;
    drives targets;
    joint_turn* turns;              // per joint
    rigid* bodies;                  // body_count + 1, the world last
    lift* lifts;                    // per body
    joint_frame* frames;            // per joint
    double* hints;                  // TML_AXES per joint: coordinates of the last accepted state
    limit_side* sides;              // per limit
    double* C;                      // per row
    rigid_gradient* gradient;       // per row (joint rows and limits)
    tie_row* ties;                  // per row of a tie
    bool is_still;                  // only positions count: velocity rows are off
    rigid_gradient* term_gradient;  // per coupling term
    double* term_slope;             // per coupling term: dC/ds
    double* term_bend;              // per coupling term: d2C/ds2
    spring_state spring;            // scratch for the longest path
    vec3* force;                    // per body: applied force
    vec3* torque;                   // per body: applied torque about the centre of mass

    // the iterate of a solve
    double* x;              // 7 per node
    double* x_start;        // where the step began
    double* dx;             // 6 per node
    double* dl;             // per row
    double* ahead_dx;       // the step after the step
    double* ahead_dl;       //
    double* level_rate;     // per row, where rows are asked on other levels than positions
    double* level_bias;     //
    double* lambda;         // per row, in N and N m
    double* lambda_start;   //
    double* residual;       // 6 per node
    node_inertia* inertia;  // per node
    drive* ahead;           // TML_AXES per joint: targets at the end of a semi-implicit step
    const form_stage* stage;
    int iterations;             // of the stage in progress
    double shortened;           // what the last step was multiplied by, against large turns
    long long unsettled_loads;  // times the least-norm multipliers could not be told
    int bad_row;                // of the last failed factorisation, -1: unknown

    // clocks, when they are on
    int is_measured;
    double assembly_seconds, solver_seconds;
} maximal_system;

// Are rows asked on other levels than positions?
static inline bool tml__maximal_has_levels(const maximal_system* s)
{
    return s->level.velocity + s->level.acceleration > 0.0;
}

tml_status tml__maximal_create(const tml_model* model, kkt_method method,
                               const tml_allocator* allocator, message* why, maximal_system** out);
void tml__maximal_destroy(maximal_system* s);

// The matrix of a system that was created without one: whoever linearises its states needs it.
tml_status tml__maximal_add_matrix(maximal_system* s, message* why);

// A system that keeps nothing for each body, joint and row: only for models without couplings,
// limits, springs and targets. Unfolded it is like any other, without a matrix, until it is folded
// again; hints begin at zero.
tml_status tml__maximal_create_lean(const tml_model* model, const tml_allocator* allocator,
                                    message* why, maximal_system** out);
tml_status tml__maximal_unfold(maximal_system* s, message* why);
void tml__maximal_fold(maximal_system* s);

// ---- evaluating (evaluate.c)

// Room for so many pushes; those there are stay.
tml_status tml__maximal_reserve_pushes(maximal_system* s, int count);

// Targets at time t: of the model's controls, or given, one drive per actuated axis.
void tml__maximal_time(maximal_system* s, double t, const drive* given);

// Bodies at the flat state x; velocities from v when given (w / |q|^2 counts), else zero. And one of them.
void tml__maximal_load_body(const double* x, const double* v, rigid* out);
void tml__maximal_place(maximal_system* s, const double* x, const double* v);
void tml__maximal_hasten(maximal_system* s, const double* x, const double* v);  // velocities alone
void tml__maximal_frames(maximal_system* s);  // its second half: joints at the placed bodies

// Joint frames, rows and their gradients at the placed bodies; the largest |row| that must vanish.
double tml__maximal_rows(maximal_system* s);

// How the targets move each row (its rate at fixed positions), and its second time derivative at
// zero accelerations; rows, frames and velocities as they stand (accelerate.c).
void tml__maximal_row_motions(const maximal_system* s, double* rate, double* bias);

// How the targets turn a joint, and the drives of its axes; nothing where nothing is driven.
const joint_turn* tml__maximal_turn(const maximal_system* s, int joint);
const drive* tml__maximal_targets(const maximal_system* s, int joint);

// Both: bodies at x, then rows. Where they stand at x already (the end of a step, which is looked at from
// several sides) only velocities are set. Answers the same bits as the two.
double tml__maximal_stand(maximal_system* s, const double* x, const double* v);

// The same at rest, for whoever asks for rows and their gradients alone: the frames of joints are what
// they were, until tml__maximal_stand or tml__maximal_frames.
double tml__maximal_stand_briefly(maximal_system* s, const double* x);

// Smallest consistency value of all joints.
double tml__maximal_consistency(const maximal_system* s);

// Applied forces and torques at the placed bodies.
void tml__maximal_forces(maximal_system* s);

// Subtract C^T lambda and forces from 6 numbers a node.
void tml__maximal_subtract_rows(const maximal_system* s, const double* lambda, double* residual);

// Measures need no hint: they are sums.
static inline double tml__maximal_hint(const maximal_system* s, int joint, tml_axis axis)
{
    return (int)axis < TML_AXES ? s->hints[joint * TML_AXES + (int)axis] : 0.0;
}

limit_room tml__maximal_limit_room(const maximal_system* s, int limit);

// The value of a coordinate at the placed bodies, on the branch of its hint.
double tml__maximal_coordinate(const maximal_system* s, int joint, tml_axis axis);
double tml__maximal_coordinate_rate(const maximal_system* s, int joint, tml_axis axis);
// Its gradient on the follower's rotation, world axes.
vec3 tml__maximal_coordinate_turn(const maximal_system* s, int joint, tml_axis axis);

// Kinetic and potential energy at the placed bodies.
void tml__maximal_energy(const maximal_system* s, double* kinetic, double* potential);

// The same added up in slots, one number a node; what springs and joints tie together must share one.
void tml__maximal_add_energy(const maximal_system* s, const int* slot, double* kinetic,
                             double* potential);

// What rows that give way have stored, C^2 / (2 compliance), with rows evaluated.
double tml__maximal_row_energy(const maximal_system* s);

// ---- ties between velocities (ties.c): what the functions of evaluate.c, matrix.c and accelerate.c
// do of them. In a stage (s->stage) a velocity row is a . V over c_v / c_q, in metres like the others,
// and is closed along another gradient than it pushes by: such stages are two-sided.

double tml__maximal_tie_rows(maximal_system* s);  // the largest that must vanish
void tml__maximal_tie_forces(const maximal_system* s, const double* lambda, double* residual);
void tml__maximal_tie_motions(const maximal_system* s, double* rate, double* bias);
void tml__maximal_tie_rates(const maximal_system* s, double* out);
void tml__maximal_fill_ties(maximal_system* s);
void tml__maximal_fill_tie_bending(maximal_system* s, const double* lambda, double c_q);
bool tml__maximal_is_idle_tie(const maximal_system* s, int tie);

// How a velocity row, over g, follows the pose of its body: 6 numbers.
void tml__maximal_tie_gradient(const maximal_system* s, int tie, double out[6]);

// ---- matrix (matrix.c)

// Row gradients into the matrix; rows that do not act (limits nobody touches) are switched off.
// `scale` multiplies compliances: 1 / c_q for a stage; negative: compliant rows are off too.
void tml__maximal_fill_rows(maximal_system* s, double scale);

// Does a joint tie two bodies that never move? Nothing can open or close its rows, so they are
// switched off: no load is the least of all that would do.
bool tml__maximal_is_idle(const maximal_system* s, int joint);
bool tml__maximal_is_idle_coupling(const maximal_system* s, int coupling);  // the same of all terms

// c_q times the derivative of applied forces and of C^T lambda, subtracted from the blocks.
void tml__maximal_fill_stiffness(maximal_system* s, const double* lambda, double c_q);

// The part of it that is C^T lambda, and the part that is applied forces.
void tml__maximal_fill_bending(maximal_system* s, const double* lambda, double c_q);
void tml__maximal_fill_forces(maximal_system* s, double c_q);

// m I and R J R^T.
void tml__maximal_fill_mass(maximal_system* s);

// ---- Newton iterations (iterate.c), on s->x, s->lambda, s->residual and s->C

// Rows that give way: C + compliance lambda. Rows that nothing can close ask for no multiplier.
void tml__maximal_give_way(maximal_system* s);

// Everything in metres and radians: forces over mass, torques over the mean moment of inertia.
double tml__maximal_merit(const maximal_system* s);

// The step of the filled matrix, whose multipliers are in units of 1 / c_q; its largest part
// (m, rad) in *update. The residual is lost.
tml_status tml__maximal_direct(maximal_system* s, double c_q, double* update);

// What the factor of the last step makes of the residual here, by the same measure.
tml_status tml__maximal_look_ahead(void* self, double* update);

// Take that as the step from here; only steps far too short to turn a body by radians.
void tml__maximal_adopt(maximal_system* s, double c_q);

// The iterate of the last step, and `fraction` of the step.
void tml__maximal_move(void* self, double fraction);

// ---- solving

// Close the rows from s->x, in place, in the metric of the mass matrix.
tml_status tml__maximal_close(maximal_system* s, const newton_settings* settings,
                              newton_report* report);

// The same from a guess close by: factors serve again, so that the last one need not be of the pose it
// ends at. tml__maximal_factor_position factors that one: mass matrix and rows as evaluated.
tml_status tml__maximal_close_nearby(maximal_system* s, const newton_settings* settings,
                                     newton_report* report);
tml_status tml__maximal_factor_position(maximal_system* s);

// Do the rows at x leave no freedom at all?
bool tml__maximal_is_fully_constrained(maximal_system* s, const double* x);

// Does any row give way?
bool tml__maximal_has_compliance(const maximal_system* s);

// Replace multipliers by the weighted least-norm ones that make the same forces, at the rows as
// evaluated; nothing to do where rows cannot be redundant. Only for reporting: steps go on from the
// multipliers that Newton found.                                [QRBD (32)]
tml_status tml__maximal_least_norm(maximal_system* s, double* lambda);

// Once, for that: find the joints on loops. And give their matrix back; NULL is fine.
tml_status tml__maximal_find_loops(maximal_system* s, message* why);
void tml__maximal_release_loops(loop_rows* loops);

// The gradients of a row, 6 numbers for each moving body of its joint, follower first.
void tml__maximal_store_row(const maximal_system* s, const joint_data* j, int row, double* out);

// How fast the velocities of the placed bodies open each row.
void tml__maximal_row_rates(const maximal_system* s, double* out);

// Accelerations (6 a node: linear, angular, world) and multipliers at a state with velocities, for
// the targets of s->t (accelerate.c). Leaves rows and forces evaluated there.
tml_status tml__maximal_accelerate(maximal_system* s, const double* x, const double* v,
                                   double* acceleration, double* lambda);

// The same at a state within an explicit step, which meets its rows only nearly. There redundant rows
// contradict each other a little, and a solver that insisted on all of them would answer with
// accelerations beyond all measure: they are met softly. Multipliers are not to be used.
tml_status tml__maximal_accelerate_nearby(maximal_system* s, const double* x, const double* v,
                                          double* acceleration, double* lambda);

// The angular velocity of a node with the flat pose x and the rates v, world.
vec3 tml__maximal_spin(const double* x, const double* v);

// The nearest velocities, in the mass norm, that the rows allow; v (7 a node) in place. The largest
// change is returned in *change.
tml_status tml__maximal_project_velocity(maximal_system* s, const double* x, double* v,
                                         double* change);

// What led to a state: where and how fast a step of h began, and the tolerance it was solved to.
typedef struct maximal_past {
    const double* x;
    const double* v;
    double h;
    double tolerance;
} maximal_past;

// Both at once, with one factorisation: the nearest velocities that the rows allow (v in place), the
// impulses of the rows that make them so, then accelerations and multipliers there. Next to a singular
// pose where that would be a jump to another branch (jump.h) nothing is touched, impulses are none, and
// *is_left is true.
tml_status tml__maximal_settle(maximal_system* s, const maximal_past* past, const double* x,
                               double* v, double* acceleration, double* lambda, double* impulse,
                               bool* is_left);

// The nearest positions, in the mass norm, that the rows allow; x (7 a node) in place.
tml_status tml__maximal_project_position(maximal_system* s, double* x, double tolerance);

// The positions that meet all rows best, in the least-squares sense, from x (nearest.c). Leaves the
// bodies placed there; *residual is the largest row that stays open.
tml_status tml__maximal_nearest(maximal_system* s, const double* x, double* residual);

// The sentence after tml__maximal_nearest has left rows open: which actuators, and what they reach.
void tml__maximal_describe_infeasible(const maximal_system* s, double residual, message* why);

// Velocity changes (6 a node) over h at the placed bodies, with the rows' velocities prescribed:
// C_x u + C_t + (baumgarte / h) C = 0.
tml_status tml__maximal_impulse(maximal_system* s, double h, double baumgarte, double* dv,
                                double* lambda);

// Shift and turn a node of the flat state by fraction times a motion (dc, dphi).
void tml__maximal_displace(double* x, const double* from, const double* motion, double fraction);

// Write v and omega of a node at x into the flat rates, w = G^T omega / 2.
void tml__maximal_store_velocity(const double* x, vec3 linear, vec3 omega, double* v);

// ---- loads (loads.c)

// A wrench on a joint's follower at its joint point.
typedef struct joint_load {
    vec3 force, moment;
} joint_load;

// Everything each joint transmits at the placed bodies, with rows evaluated there: force at, and
// moment about, the follower's joint point, in the base's joint axes.
void tml__maximal_joint_loads(const maximal_system* s, const double* lambda, joint_load* out);

// The sentence for a failed stage or solve: what was worst, by name. Answers the status; equations
// that are not finite are TML_NOT_CONVERGED whatever the solver made of them.
tml_status tml__maximal_describe_failure(const maximal_system* s, tml_status status,
                                         const newton_report* report, message* why);

// The name of a row: joint and axis, coupling, or limit.
void tml__maximal_row_name(const maximal_system* s, int row, char* text, size_t capacity);

#endif
