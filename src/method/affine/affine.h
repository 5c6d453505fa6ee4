// method/affine/affine.h - rigid links as affine bodies of infinite stiffness.          [MABD Sec 3]
//
// A body is x and the matrix R of its affine map, R orthonormal. Its inertia is linear in R (the
// second moments S of its mass), so a step can let every force act at a mean of two configurations,
// where R need not be a rotation. Rows are bilinear in x and R: with the forces of joints at the
// mean, their work over a step is exactly the change of the row, zero, and energy cannot grow
// [notes, section 9]. Newton moves R by world rotation vectors and its matrix is exact.
//
//   in the notes   here                meaning
//   x, R, v, w     x R v omega         start of the step (w = angular velocity, U = [w] R)
//   x+ - x, R+     move R_end          end of the step, the unknowns
//   A              force_bodies[].R    (1 - phi) R + phi R+
//   beta           beta                theta h^2
#ifndef TML_METHOD_AFFINE_AFFINE_H
#define TML_METHOD_AFFINE_AFFINE_H

#include "geom/contact.h"
#include "linalg/block.h"
#include "method/maximal.h"

// What the past says about a step, and how its velocities follow.
typedef enum affine_rule {
    AFFINE_MEAN,   // (q+ - q)/h = theta u+ + (1 - theta) u; implicit Euler with theta = phi = 1
    AFFINE_BDF2,   // 3/2 q+ = 2 q - q-/2 + h u+, and the same of u; beta = (2h/3)^2
    AFFINE_SHAKE,  // q+ = q + h u + h^2/2 a(q), u+ by the forces at both ends; beta = h^2/2
} affine_rule;

// The equations of one step.
typedef struct affine_stage {
    double h;      // s
    double theta;  // velocities: (q+ - q)/h = theta u+ + (1 - theta) u
    double beta;   // q+ - q_hat = beta a
    double phi;    // forces act at (1 - phi) start + phi end
    affine_rule rule;
} affine_stage;

// How fast something changes: by the difference over the step, or by AFFINE_BDF2 from three values,
//     rate = (end - start) / span - (start - before) / lag
typedef struct affine_rate {
    double span, lag;  // s; lag 0: without the last term
} affine_rate;

static inline affine_rate affine_rate_of(const affine_stage* stage)
{
    const bool is_bdf2 = stage->rule == AFFINE_BDF2;
    return (affine_rate){is_bdf2 ? 2.0 / 3.0 * stage->h : stage->h, is_bdf2 ? 2.0 * stage->h : 0.0};
}

typedef struct affine_body {
    vec3 x, v, omega;
    mat3 R;
    vec3 x_hat;  // where it would move to without forces, less x
    mat3 R_hat;
    vec3 move;
    mat3 R_end;
    vec3 v_end, omega_end;
    vec3 turned;                            // in the parts of the step before this one, see soft.c
    vec3 x_before, v_before, omega_before;  // one step before the start
    mat3 R_before;
} affine_body;

// Where a block of the matrix is added up, stored by columns.
typedef struct spot {
    double* at;  // NULL: a body that does not move
    int stride;
} spot;

// The blocks of a joint, a limit or a coupling's term: follower, base and rows.
typedef struct joint_spots {
    spot FF, FB, BF, BB;
    spot rF, rB, Fr, Br, rr;
} joint_spots;

// A point of a spring's path and the segment that starts there.
typedef struct path_point {
    vec3 x, x_end;  // where the step starts, and ends
    vec3 r, r_end;  // arm where forces act, and at the end
    double length, length_end;
    vec3 e, e_end;  // direction where forces act (a mean one), and at the end
    double bend;    // de = bend (I - e e_end^T) d(segment at the end)
} path_point;

// A compliant contact of a body with another one (soft.c).
typedef struct affine_contact {
    int node, other;      // -1: never moves
    bool is_coupled;      // the step moves both
    vec3 axis[3];         // normal, out of the other body, and two tangents
    vec3 arm, arm_other;  // from the centres of mass where the step began
    double gap;           // m, there
    double friction;
    double stiffness;  // N/m
    vec3 x0, x0_other;
    bool is_a;     // the body is a of the contact
    bool is_near;  // may push in this step, by its speed or because it did
    int dual;      // its node of the dual (points.h); -1: none
    // of the last iterate
    double f[3];           // along its axes, N
    signed char slide[3];  // of the tangents: 0 sticks, else the sign of its force
    vec3 force;            // on the body
} affine_contact;

// One direction of a coupled contact in the Newton matrix: scale push slope^T over both bodies. (couple.c)
typedef struct affine_coupling {
    int node[2];
    int contact, axis;
    double push[2][6], slope[2][6];
    double scale;
} affine_coupling;

enum {
    AFFINE_KRYLOV = 80  // vectors of GMRES
};

// Room for contacts and what couples them; lists are the owner's.
typedef struct affine_touch {
    affine_contact* contacts;
    affine_coupling* couplings;  // 3 a contact
    double* krylov;              // (AFFINE_KRYLOV + 1) x 12 a contact
    double* side;                // per unknown: right-hand side
    int* slot;                   // per node: its place among the coupled, -1: none
    int* coupled;                // nodes
} affine_touch;

// Something that bodies carry along and that has unknowns of its own: deformables. It eliminates them
// from the Newton step of the bodies.
typedef struct affine_guest {
    void* self;  // NULL: there is none
    // at the iterate, bodies placed at the end of the step: what it asks of the bodies is taken from
    // `residual` (6 a node, N and N m); answers what is left of its own equations, m
    double (*evaluate)(void* self, double* residual);
    // its own factor, and what it adds to the matrix
    tml_status (*fill)(void* self);
    // what its own residual asks of the bodies, into the right-hand side (6 a node)
    void (*correct)(void* self, double* side);
    // its part of the step, moved by: the largest, m
    double (*move)(void* self, const double* dx);
    bool shares_momentum;  // velocities are settled with it, by the caller
} affine_guest;

typedef struct affine_report {
    int iterations;
    long long bodies;     // that took part, summed over them; 0: all of them in each
    double gap;           // largest row of the last iterate
    double update;        // largest part of the last update, m or rad
    bool has_kept;        // the last update was made with the factor of one before
    double rest;          // what the last iterate leaves of the equations of motion, m or rad
    bool has_turned;      // a body turned by more than 2.5 rad
    bool has_gained;      // energy appeared from nowhere
    bool has_won;         // with what contacts have stored it rises
    double gain;          // how much, of the kinetic energy and the work of the step
    bool is_unprojected;  // next to a singular pose: velocities are those of the step's own motion
} affine_report;

typedef struct affine_flex affine_flex;      // flex.h
typedef struct affine_points affine_points;  // points.h

typedef struct affine_system {
    maximal_system* s;  // borrowed
    affine_flex* flex;  // NULL: rigid bodies
    int width;          // unknowns of a body: 6, or 12 of finite stiffness
    block* matrix;
    bool shares_factors;     // a factorisation costs so much that its factor is used again
    int matrix_nodes;        // nodes of the matrix: the bodies first
    int* node_first;         // per node of the matrix, and one more: its first unknown
    int* body_first;         // per node: its first unknown
    int* row_first;          // per row: its unknown; -1: between bodies that never move
    int* node_row;           // per node of the matrix: its first row, -1: none
    bool* is_dropped;        // per row: says nothing that others do not say, see tml__affine_step
    bool* is_redundant;      // per row: others implied it at the initial poses
    bool* was_dropped;       // per row: found to say so once
    double* trial;           // per row: how open it was when it was taken back; 0: it was not
    spot* bodies;            // per node: its own block
    joint_spots* joints;     // per joint
    joint_spots* limits;     // per limit
    joint_spots* terms;      // per term of a coupling
    joint_spots* tie_spots;  // per tie; its body is F
    int* tie_node;           // per tie: the node of its rows
    spot* springs;           // per pair of points of a spring
    int* spring_first;       // per spring: its first pair
    path_point* path;        // scratch: the longest spring
    double* unknowns;        // right-hand side and solution

    affine_body* body;               // per node
    mat3* S;                         // per node: second moments of the mass, body axes
    rigid* force_bodies;             // body_count + 1: where forces act
    joint_frame* start_frames;       // per joint
    joint_frame* force_frames;       //
    joint_turn* force_turns;         // per joint: targets where forces act
    drives force_targets;            //
    double force_time;               // s
    rigid_gradient* force_gradient;  // per row
    rigid_gradient* force_terms;     // per term of a coupling
    double* term_slope;              // per term: mean slope over the step
    double* term_bend;               // its derivative by the value at the end
    double* C_start;                 // per row
    double* axis_before;             // per forced axis: its coordinate one step before the start
    double* length_before;           // per spring: its length there
    tie_row* ties;                   // per row of a tie: where forces act
    vec3* tie_torque;                // the same: the torque of a unit multiplier
    double* lambda;                  // per row
    double* residual;                // `width` per node, N and N m
    bool* is_led;                    // per body and the world: the step cannot move it
    affine_touch touch;              // borrowed; compliant contacts
    affine_points* points;           // borrowed; Newton by the dual, NULL: by the matrix
    int contact_count;
    int coupling_count;  // of the iterate
    int corners;         // contacts that the last update has let part, meet, stick or slide
    int held;            // tangents that are taken to stick and would slide
    double share;        // of an update that is gone
    bool couples_apart;  // contacts between two bodies leave the blocks of these alone
    affine_guest guest;
    double guest_rest;  // m
    double work;        // of all forces over the step, J
    double work_size;   // and the sum of its parts' sizes
    bool has_own_rows;  // rows of joints are nodes of the matrix beside their bodies
} affine_system;

tml_status tml__affine_create(maximal_system* s, message* why, affine_system** out);

// The same where no row of a joint says what others say. Rows are then eliminated after their two bodies
// and nothing else; otherwise those that close a loop wait for all around it, where it shows whether
// they say anything, and loops of a net fill most of the matrix by that.
tml_status tml__affine_create_regular(maximal_system* s, message* why, affine_system** out);
void tml__affine_destroy(affine_system* a);

// The start of a step: bodies from flat poses and rates; rows are left out as at the beginning, so
// that a step depends on nothing but the state it starts from.
void tml__affine_load(affine_system* a, const double* q, const double* v);

// The state one step before, for AFFINE_BDF2.
void tml__affine_load_before(affine_system* a, const double* q, const double* v);

// The targets where forces act: as s->targets stand now.
void tml__affine_aim(affine_system* a);

// From here on the end of the last step is the start.
void tml__affine_go_on(affine_system* a);

// The end of the step as flat poses and rates.
void tml__affine_store(const affine_system* a, double* q, double* v);

// ---- body.c

// A body may not turn further than by 2.5 rad in a step: at half a turn the mean of both rotations is
// singular, where the equations have roots that are none of the motion's. 1 + 2 cos(2.5)
static const double affine_least_trace = -0.60228723;

// The rotation nearest to a matrix whose determinant is positive.
mat3 tml__affine_polar(mat3 a);

// tau(Y)_i = eps_ijk Y_kj: the torque of a matrix force, tau(f r^T) = r x f.
static inline vec3 affine_tau(mat3 y)
{
    return v3(y.m[2][1] - y.m[1][2], y.m[0][2] - y.m[2][0], y.m[1][0] - y.m[0][1]);
}

// tr(a) I - a
static inline mat3 affine_lever(mat3 a)
{
    const double trace = a.m[0][0] + a.m[1][1] + a.m[2][2];
    a = m3_scale(-1.0, a);
    for (int i = 0; i < 3; i++) a.m[i][i] += trace;
    return a;
}

// Second moments of the mass from the moments of inertia: S = tr(J)/2 I - J.
static inline mat3 affine_second_moments(mat3 J)
{
    const double half = 0.5 * (J.m[0][0] + J.m[1][1] + J.m[2][2]);
    J = m3_scale(-1.0, J);
    for (int i = 0; i < 3; i++) J.m[i][i] += half;
    return J;
}

// The inertial torque tau(P A^T) of a body, P = (R_end - R_hat) S / beta, and its derivative by a
// world rotation vector of R_end.                                        [notes 9.2 9.3]
typedef struct affine_torque {
    vec3 torque;
    mat3 K;
} affine_torque;

affine_torque tml__affine_torque(const affine_body* b, const mat3* S, const affine_stage* stage);

// Twice the tangent of half the turn from R to R_end, along its axis: torque times this is work.
vec3 tml__affine_cayley(const affine_body* b);

// The matrix that R_end is compared with for the rate of R: the difference over the rate's span.
mat3 tml__affine_past(const affine_body* b, const affine_stage* stage);

// Where the past leads: x_hat, R_hat, and the iterate there.
void tml__affine_predict(affine_body* b, const affine_stage* stage);

// Velocities at the end of a step, the nearest rigid ones in the mass norm.
void tml__affine_close(affine_body* b, const mat3* S, const affine_stage* stage);

// ---- equations.c

// Rows, forces and what is left of the equations of motion at the iterate; the largest row.
double tml__affine_evaluate(affine_system* a, const affine_stage* stage);

// What the iterate leaves of the equations of motion, in m and rad.
double tml__affine_rest(const affine_system* a, const affine_stage* stage);

// ---- matrix.c

// The matrix of the iterate, beta times the equations of motion; and its factor.
void tml__affine_fill(affine_system* a, const affine_stage* stage);

// What is in it but rows: bodies, forces, contacts; added to the blocks of a->bodies and a->joints.
void tml__affine_fill_bodies(affine_system* a, const affine_stage* stage);
tml_status tml__affine_factor(affine_system* a, const affine_stage* stage);

// The factor of what was filled in. TML_NOT_CONVERGED: rows were dropped, fill and factor again.
tml_status tml__affine_factor_filled(affine_system* a);

// The matrix of masses and of the rows as s->gradient has them, and its factor. Compliant rows
// are off.
tml_status tml__affine_factor_mass(affine_system* a);

// Solve for motions (6 per node, in s->dx) and multipliers (s->dl); in place of the right-hand
// sides.
void tml__affine_solve(affine_system* a);

// The same of `count` pushes on the bodies (6 a node each, in place), rows as they are; `room` has that
// many right-hand sides of the matrix.
void tml__affine_respond(affine_system* a, int count, double* room, double* bodies);

// ---- soft.c

// Compliant contacts where the step begins: bodies as placed.
void tml__affine_soft_pose(affine_system* a, const contact* from, int count, double stiffness);

// Their forces, taken from the residual, and beta times their derivative, added to the matrix.
void tml__affine_soft_forces(affine_system* a);
void tml__affine_soft_blocks(affine_system* a, double beta);

// ---- couple.c

// tml__affine_solve with the factor of tml__affine_factor, and with what contacts between bodies that both
// move couple beside it.
void tml__affine_solve_coupled(affine_system* a);

// ---- step.c

// One step from the start to the end, or the reason why not (TML_NOT_CONVERGED, TML_SINGULAR).
tml_status tml__affine_step(affine_system* a, const affine_stage* stage,
                            const newton_settings* settings, affine_report* report);

// The same from the present iterate: something else has changed.
tml_status tml__affine_repeat(affine_system* a, const affine_stage* stage,
                              const newton_settings* settings, affine_report* report);

// The nearest velocities that the rows at the end allow.
tml_status tml__affine_project(affine_system* a);

// Accelerations (6 a node) and multipliers at a state: as tml__maximal_accelerate, by this matrix.
tml_status tml__affine_accelerate(affine_system* a, const double* q, const double* v,
                                  double* acceleration, double* lambda);

// Answered by method/links. Does every joint hold a point and no more, whatever turns it (links_fit.c)? Are there loops,
// and do such joints (and those that lead bodies, where links fit) hold without implying each other where the model
// stands (net.c)? One sparse factor tells. False also where there is no memory for it.
bool tml__links_hold_points(const tml_model* m);
bool tml__net_is_regular(const tml_model* m, const tml_allocator* allocator);

#endif
