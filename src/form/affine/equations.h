// form/affine/equations.h - forces along coordinates, shared by the residual and its matrix.
#ifndef TML_FORM_AFFINE_EQUATIONS_H
#define TML_FORM_AFFINE_EQUATIONS_H

#include "force/axis.h"
#include "form/affine/affine.h"

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

// Their lengths where bodies are placed now, one step before the start.
void tml__affine_spring_before(affine_system* a);

// Add scale times a 3 x 3 matrix at (row, column) of a block.
void tml__affine_add3(spot to, int row, int column, double scale, mat3 m);

#endif
