// form/quaternion/system.h - a model as the quaternion formulation sees it.      [QRBD Sec 3-6]
//
// Unknowns of a moving body (a node): centre of mass c and unit quaternion q, moved by (dc, dphi),
// dphi a world rotation vector. Flat states hold 7 numbers a node, c then q (w first); rates hold
// v then w = q'. Rows come joint by joint, then couplings, then limits.
#ifndef TML_FORM_QUATERNION_SYSTEM_H
#define TML_FORM_QUATERNION_SYSTEM_H

#include "base/memory.h"
#include "force/spring.h"
#include "form/quaternion/inertia.h"
#include "joint/rigid.h"
#include "linalg/kkt.h"
#include "solve/newton.h"

enum {
    QUAT_WIDTH = 7
};

// What the past says about the end of a stage; the twin of time/'s relation, so that form/ need
// not know integrators.
typedef struct quat_stage {
    double c_v, c_q;
    const double* v_hat;
    const double* q_hat;
} quat_stage;

typedef enum limit_side {
    LIMIT_OFF = 0,
    LIMIT_LOWER = -1,
    LIMIT_UPPER = 1,
} limit_side;

typedef struct limit_row {
    int joint;
    tml_axis axis;
    int row;
} limit_row;

typedef struct joint_axis_id {
    int joint;
    tml_axis axis;
} joint_axis_id;

typedef struct quat_system {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    kkt* matrix;

    // layout, fixed at creation
    joint_rows* rows;    // per joint
    int* first_row;      // per joint
    int* joint_pair;     // per joint: its coupling block, -1 when a body of it never moves
    int* joint_entry;    // per joint row and limit: first entry in the matrix' row values
    int first_coupling;  // row index
    int* term_entry;     // 2 per coupling term: entries of follower and base, -1: none
    int* first_term;     // per coupling, and one past the last
    int first_limit;     // row index
    int limit_count;
    limit_row* limits;
    int forced_count;
    joint_axis_id* forced;  // axes with a motor, spring, damper or servo
    int* spring_pair;       // per spring: start of its point x point table below
    int* point_pair;        // coupling block of two points, -1: same or fixed body
    int row_count;
    int node_count;
    double* weight;         // per row: least-norm weight
    double* compliance;     // per row: 0 is rigid
    bool may_be_redundant;  // loops or couplings: multipliers may not be unique

    // where things are: filled by tml__quat_place and tml__quat_rows
    double t;
    drives targets;
    joint_turn* turns;              // per joint
    rigid* bodies;                  // body_count + 1, the world last
    lift* lifts;                    // per body
    joint_frame* frames;            // per joint
    double* hints;                  // TML_AXES per joint: coordinates of the last accepted state
    limit_side* sides;              // per limit
    double* C;                      // per row
    rigid_gradient* gradient;       // per row (joint rows and limits)
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
    double* lambda;         // per row, in N and N m
    double* lambda_start;   //
    double* residual;       // 6 per node
    quat_inertia* inertia;  // per node
    drive* ahead;           // TML_AXES per joint: targets at the end of a semi-implicit step
    const quat_stage* stage;
    int iterations;             // of the stage in progress
    long long unsettled_loads;  // times the least-norm multipliers could not be told
    int bad_row;                // of the last failed factorisation, -1: unknown

    // clocks, when they are on
    int is_measured;
    double assembly_seconds, solver_seconds;
} quat_system;

tml_status tml__quat_create(const tml_model* model, kkt_method method,
                            const tml_allocator* allocator, message* why, quat_system** out);
void tml__quat_destroy(quat_system* s);

// ---- evaluating (evaluate.c)

// Targets at time t: of the model's controls, or given, one drive per actuated axis.
void tml__quat_time(quat_system* s, double t, const drive* given);

// Bodies at the flat state x; velocities from v when given (w / |q|^2 counts), else zero.
void tml__quat_place(quat_system* s, const double* x, const double* v);

// Joint frames, rows and their gradients at the placed bodies; the largest |row| that must vanish.
double tml__quat_rows(quat_system* s);

// Smallest consistency value of all joints.
double tml__quat_consistency(const quat_system* s);

// Applied forces and torques at the placed bodies.
void tml__quat_forces(quat_system* s);

// Subtract C^T lambda and forces from 6 numbers a node.
void tml__quat_subtract_rows(const quat_system* s, const double* lambda, double* residual);

// The value of a coordinate at the placed bodies, on the branch of its hint.
double tml__quat_coordinate(const quat_system* s, int joint, tml_axis axis);
double tml__quat_coordinate_rate(const quat_system* s, int joint, tml_axis axis);

// Kinetic and potential energy at the placed bodies.
void tml__quat_energy(const quat_system* s, double* kinetic, double* potential);

// What rows that give way have stored, C^2 / (2 compliance), with rows evaluated.
double tml__quat_row_energy(const quat_system* s);

// ---- matrix (matrix.c)

// Row gradients into the matrix; rows that do not act (limits nobody touches) are switched off.
// `scale` multiplies compliances: 1 / c_q for a stage; negative: compliant rows are off too.
void tml__quat_fill_rows(quat_system* s, double scale);

// Does a joint tie two bodies that never move? Nothing can open or close its rows, so they are
// switched off: no load is the least of all that would do.
bool tml__quat_is_idle(const quat_system* s, int joint);

// c_q times the derivative of applied forces and of C^T lambda, subtracted from the blocks.
void tml__quat_fill_stiffness(quat_system* s, const double* lambda, double c_q);

// m I and R J R^T.
void tml__quat_fill_mass(quat_system* s);

// ---- solving

// Solve one implicit stage from the guess in s->x and s->lambda (stage.c). On success s->x,
// s->lambda hold the solution and the bodies are placed there with the stage's velocities.
tml_status tml__quat_solve_stage(quat_system* s, const quat_stage* stage,
                                 const newton_settings* settings, newton_report* report);

// The same for a mechanism whose rows leave no freedom (kinematic.c): positions from the rows alone,
// then multipliers from what the motion needs. TML_NOT_CONVERGED also when the forces do not
// balance, which means that a freedom is left after all.                            [QRBD (33) Sec 6.3]
tml_status tml__quat_solve_kinematic(quat_system* s, const quat_stage* stage,
                                     const newton_settings* settings, newton_report* report);

// The residual of a stage at s->x and s->lambda: forces in s->residual (times c_q), rows in s->C.
void tml__quat_residual(quat_system* s, const quat_stage* stage, newton_merit* out);

// Close the rows from s->x, in place, in the metric of the mass matrix.
tml_status tml__quat_close(quat_system* s, const newton_settings* settings, newton_report* report);

// Do the rows at x leave no freedom at all?
bool tml__quat_is_fully_constrained(quat_system* s, const double* x);

// Replace multipliers by the weighted least-norm ones that make the same forces, at the rows as
// evaluated; nothing to do where rows cannot be redundant. Only for reporting: steps go on from the
// multipliers that Newton found.                                [QRBD (32)]
tml_status tml__quat_least_norm(quat_system* s, double* lambda);

// Accelerations (6 a node: linear, angular, world) and multipliers at a state with velocities, for
// the targets of s->t (accelerate.c). Leaves rows and forces evaluated there.
tml_status tml__quat_accelerate(quat_system* s, const double* x, const double* v,
                                double* acceleration, double* lambda);

// The nearest velocities, in the mass norm, that the rows allow; v (7 a node) in place. The largest
// change is returned in *change.
tml_status tml__quat_project_velocity(quat_system* s, const double* x, double* v, double* change);

// The nearest positions, in the mass norm, that the rows allow; x (7 a node) in place.
tml_status tml__quat_project_position(quat_system* s, double* x, double tolerance);

// The positions that meet all rows best, in the least-squares sense, from x (nearest.c). Leaves the
// bodies placed there; *residual is the largest row that stays open.
tml_status tml__quat_nearest(quat_system* s, const double* x, double* residual);

// The sentence after tml__quat_nearest has left rows open: which actuators, and what they reach.
void tml__quat_describe_infeasible(const quat_system* s, double residual, message* why);

// Velocity changes (6 a node) over h at the placed bodies, with the rows' velocities prescribed:
// C_x u + C_t + (baumgarte / h) C = 0.
tml_status tml__quat_impulse(quat_system* s, double h, double baumgarte, double* dv,
                             double* lambda);

// Shift and turn a node of the flat state by fraction times a motion (dc, dphi).
void tml__quat_displace(double* x, const double* from, const double* motion, double fraction);

// Write v and omega of a node at x into the flat rates, w = G^T omega / 2.
void tml__quat_store_velocity(const double* x, vec3 linear, vec3 omega, double* v);

// One step of the semi-implicit baseline, x, v and lambda in place (semi_implicit.c). [QRBD App D]
typedef struct quat_explicit {
    double t, h, baumgarte;
    const drive* given;  // targets at the end of the step, NULL: the model's
} quat_explicit;

tml_status tml__quat_semi_implicit(quat_system* s, const quat_explicit* step, double* x, double* v,
                                   double* lambda);

// ---- loads (loads.c)

// A wrench on a joint's follower at its joint point.
typedef struct quat_load {
    vec3 force, moment;
} quat_load;

// Everything each joint transmits at the placed bodies, with rows evaluated there: force at, and
// moment about, the follower's joint point, in the base's joint axes.
void tml__quat_joint_loads(const quat_system* s, const double* lambda, quat_load* out);

// The sentence for a failed stage or solve: what was worst, by name. Answers the status; equations
// that are not finite are TML_NOT_CONVERGED whatever the solver made of them.
tml_status tml__quat_describe_failure(const quat_system* s, tml_status status,
                                      const newton_report* report, message* why);

// The name of a row: joint and axis, coupling, or limit.
void tml__quat_row_name(const quat_system* s, int row, char* text, size_t capacity);

#endif
