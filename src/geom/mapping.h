// geom/mapping.h - points that follow other things: x_out = F(q_in).               [COOK Sec 9]
//
// Two kinds do for all of them. Points follow points by fixed weights: vertices of a fine mesh inside
// tetrahedra, a subset, a centre of mass. Points follow frames: attached to a rigid body, or to several
// with weights (linear skinning). Affine frames are four points each, so they are points too.
//
// What a mapping carries, with J = dF/dq and "in" and "out" flat, three numbers a point, thirteen a
// frame (seven of its pose, six of its motion: linear velocity, then the angular one, world axes):
//   positions   x_out = F(q_in)                         stiffness   K_in u = J^T K_out J u + (dJ^T f) u
//   velocities  v_out = J v_in                          bias        J' v_in, what a_out has beside J a_in
//   forces      f_in = J^T f_out, and momenta alike     mass        M_in u = J^T M_out J u
#ifndef TML_GEOM_MAPPING_H
#define TML_GEOM_MAPPING_H

#include "base/message.h"
#include "math/quat.h"

#include <stdbool.h>

typedef enum mapping_kind {
    MAPPING_POINTS,  // inputs are points: 3 numbers of place, 3 of velocity each
    MAPPING_FRAMES,  // inputs are rigid frames: 7 numbers of pose (place, unit quaternion), 6 of motion
} mapping_kind;

// One output point is the sum of its terms.
typedef struct mapping_term {
    int input;
    double weight;
    vec3 point;  // MAPPING_FRAMES: in the frame
} mapping_term;

// Borrows its lists. The output of one may be the input of another of MAPPING_POINTS.
typedef struct mapping {
    mapping_kind kind;
    int input_count;
    int output_count;
    const int* first;  // output_count + 1: where the terms of each output begin
    const mapping_term* terms;
} mapping;

int tml__mapping_places(const mapping* m);   // numbers of place of all inputs
int tml__mapping_motions(const mapping* m);  // numbers of motion

void tml__mapping_apply(const mapping* m, const double* q, double* x);
void tml__mapping_push(const mapping* m, const double* q, const double* v, double* out);
void tml__mapping_pull(const mapping* m, const double* q, const double* f, double* out);

// J' v: zero for points.
void tml__mapping_bias(const mapping* m, const double* q, const double* v, double* out);

// out = (dJ^T/dq f) u, the geometric stiffness times a motion u: zero for points.    [COOK (290)]
void tml__mapping_bend(const mapping* m, const double* q, const double* f, const double* u,
                       double* out);

// The terms of a point inside a tetrahedron: its barycentric coordinates. False: the tetrahedron is
// flat. Weights are negative outside.
bool tml__barycentric(const vec3 corner[4], vec3 x, double weight[4]);

#endif
