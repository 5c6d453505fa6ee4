// method/affine/partials.h - how an affine step follows its start, the state before it and what bodies are
// made of. Products only, forwards and backwards, at linear cost.             [MABD Sec 3] [notes 9]
//
// All at a step that was solved and looked at again (tml__affine_look_again). How it follows its end is
// the Newton matrix of matrix.c.
#ifndef TML_METHOD_AFFINE_PARTIALS_H
#define TML_METHOD_AFFINE_PARTIALS_H

#include "method/affine/equations.h"
#include "method/partials.h"

// What a step follows: 6 numbers a node each, world axes. Those before the start count by AFFINE_BDF2.
typedef struct affine_inputs {
    double *pose, *velocity;                // at its start
    double *pose_before, *velocity_before;  //
    double* pose_end;                       // for tml__affine_close_product alone
    const parameter_set* in;
} affine_inputs;

// A direction through one product.
typedef struct affine_product {
    affine_system* a;
    const affine_stage* stage;
    partial_direction way;
    const affine_inputs* by;
    double* E;  // 6 a node
} affine_product;

// The step from the start that was loaded to the flat positions x with the multipliers lambda, as its
// solution left it: frames, forces, residual. Targets are aimed and set.
void tml__affine_look_again(affine_system* a, const affine_stage* stage, const double* x,
                            const double* lambda);

// What is left of the equations of motion, 6 a node, N and N m: E += its change, or the inputs grow.
void tml__affine_residual_product(const affine_product* p);

// Velocities at the end (6 a node), before any projection, by the poses of both ends, velocities and
// inertias: in E.
void tml__affine_close_product(const affine_product* p);

// Solve with the transposed factor: s->dx and s->dl in place.
void tml__affine_solve_transposed(affine_system* a);

// ---- parts of the residual (partials_force.c)

// Springs, wrenches, drag and Rayleigh damping.
void tml__affine_force_product(const affine_product* p);

static inline void affine_emit(const affine_product* p, double* input, double* output, double slope)
{
    if (p->way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// The residual of a body's node changes by minus a force and a torque.
static inline void affine_emit_wrench(const affine_product* p, double* input, int body, vec3 force,
                                      vec3 torque)
{
    const int node = p->a->s->model->bodies[body].node;
    if (node < 0) return;
    for (int k = 0; k < 3; k++) {
        affine_emit(p, input, &p->E[6 * node + k], -v3_at(force, k));
        affine_emit(p, input, &p->E[6 * node + 3 + k], -v3_at(torque, k));
    }
}

// Three numbers into a part of the output by a matrix.
static inline void affine_carry(const affine_product* p, mat3 M, double* input, double* output)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) affine_emit(p, &input[c], &output[r], M.m[r][c]);
    }
}

// The instants that a step knows.
typedef enum affine_end {
    AFFINE_START,
    AFFINE_END,
    AFFINE_BEFORE,
    AFFINE_ENDS,
} affine_end;

// A body there.
rigid tml__affine_body_at(const affine_system* a, int body, affine_end end);

// Which poses of a body are inputs at an instant; NULL: none.
double* tml__affine_pose_of(const affine_product* p, int body, affine_end end);

// ---- one body (tangent.c)

// How much of where forces act is an instant's.
double tml__affine_share(const affine_stage* stage, affine_end end);

// How a force and a torque, or a velocity and an angular one, follow the pose and the velocity of the body
// at one instant: shifts and speeds as they are, turns and spins by matrices.
typedef struct affine_slopes {
    double shift, speed;
    mat3 turn, spin;
} affine_slopes;

// Second moments of the mass seen from both ends: all that changes of its inertia are made of.
typedef struct affine_moments {
    mat3 start, end;  // R S R^T and R_end S R_end^T
    mat3 mixed;       // R S R_end^T
} affine_moments;

affine_moments tml__affine_moments(const affine_body* b, mat3 S);

// The inertial force and torque, by the start or the state before it.
affine_slopes tml__affine_inertia_slopes(const affine_body* b, mat3 S, const affine_moments* m,
                                         double mass, const affine_stage* stage, affine_end end);

// K of tml__affine_torque; not for AFFINE_BDF2.
mat3 tml__affine_torque_slope(const affine_body* b, const affine_moments* m,
                              const affine_stage* stage);

// tau(X S A^T) by the six moments of inertia that S is made of.
void tml__affine_torques(mat3 X, mat3 A, vec3 out[6]);

// The velocities at the end, before any projection.
typedef struct affine_closing {
    affine_slopes by[AFFINE_ENDS];
    mat3 U;      // the rate of R at the end
    mat3 R_end;  //
    mat3 over;   // the inverse of the inertia there, world axes
    vec3 omega;  // the angular velocity itself
} affine_closing;

affine_closing tml__affine_closing(const affine_body* b, mat3 S, const affine_moments* m,
                                   const affine_stage* stage);
void tml__affine_closing_by_inertia(const affine_closing* c, vec3 out[6]);

#endif
