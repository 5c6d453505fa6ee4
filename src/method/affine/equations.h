// method/affine/equations.h - forces along coordinates, shared by the residual and its matrix.
#ifndef TML_METHOD_AFFINE_EQUATIONS_H
#define TML_METHOD_AFFINE_EQUATIONS_H

#include "force/axis.h"
#include "force/spring.h"
#include "method/affine/affine.h"

// Bodies and joints of the iterate: at the end and where forces act.
void tml__affine_place(affine_system* a, const affine_stage* stage);

// The slope of c1 q + c2 q^2 + ... of a coupling's term between p and q, and its derivative by q.
void tml__affine_term_slope(const tml_coupling_term* term, double p, double q, double* slope,
                            double* bend);

// A coordinate over the step; `middle` is what forces along it push.
void tml__affine_coordinate(const affine_system* a, const affine_stage* stage, int joint,
                            tml_axis axis, coordinate_step* out);

// The wrenches of a coordinate's gradient about the centres of mass.
rigid_gradient tml__affine_pull(const joint_frame* frame, const coordinate_value* s);

// What acts along a coordinate, and in dQ_ds its derivative by the value at the end.
axis_force tml__affine_axis_force(const affine_system* a, const affine_stage* stage, int forced,
                                  const coordinate_step* q);

// Take a wrench away from the residual of a body.
void tml__affine_push(affine_system* a, int body, vec3 force, vec3 torque);
mat3 tml__affine_inertia(const affine_system* a, int node, double phi);

// Springs and tendons (spring.c): their forces, and their derivative added to the matrix.
void tml__affine_spring_forces(affine_system* a, const affine_stage* stage);
void tml__affine_spring_blocks(affine_system* a, const affine_stage* stage);

// Their parts: the path of a spring in a->path with its tension; the tension alone, of points that are placed (x, r and
// both at the end), with forces of `time` and the length `before` the start (AFFINE_BDF2); the sum of its directions at a
// point, along which it pulls with minus the tension; and how that force follows a point at the end.
spring_mean tml__affine_spring_path(const affine_system* a, const affine_stage* stage,
                                    const spring_data* spring);
spring_mean tml__affine_spring_tension(const spring_data* spring, const affine_stage* stage,
                                       double time, double before, path_point* path);
vec3 tml__affine_spring_pull(const path_point* path, int n, int i);
mat3 tml__affine_spring_slope(const path_point* path, int n, spring_mean T, int i, int k);

// How force and torque at point i follow the body of point k as its end is shifted and turned. What the arm adds where it
// turns with the body, i = k, counts by phi.
typedef struct spring_block {
    mat3 force_shift, force_turn;
    mat3 torque_shift, torque_turn;
    mat3 arm_turn;
} spring_block;

spring_block tml__affine_spring_block(const path_point* path, int n, spring_mean T, int i, int k);

// Their lengths where bodies are placed now, one step before the start.
void tml__affine_spring_before(affine_system* a);

// Ties between velocities (ties.c): rows of the iterate and the largest of them, forces, and what they add
// to the matrix of a step and to that of masses.
double tml__affine_tie_rows(affine_system* a, const affine_stage* stage);
void tml__affine_tie_forces(affine_system* a);
void tml__affine_tie_blocks(affine_system* a, const affine_stage* stage);
void tml__affine_tie_mass(affine_system* a);

// Add scale times a 3 x 3 matrix at (row, column) of a block.
void tml__affine_add3(spot to, int row, int column, double scale, mat3 m);

#endif
