// joint/coordinate.h - what a joint leaves free, as numbers with gradient and curvature.
//
// A coordinate is a function of at most four atoms, so its derivatives are stated over atoms and
// every formulation carries them back the way it carries rows:
//     gradient   sum_m weight[m] grad(atom m)
//     curvature  sum_m weight[m] curv(atom m) + sum_mn cross[m][n] grad(atom m) grad(atom n)^T
#ifndef TML_JOINT_COORDINATE_H
#define TML_JOINT_COORDINATE_H

#include "joint/atom.h"
#include "model/model.h"

typedef struct coordinate_value {
    double value;  // m or rad, on the branch nearest to the hint
    int count;
    atom_value atom[4];
    double weight[4];
    double cross[4][4];
} coordinate_value;

// `hint` picks the turn of an angle: the value returned differs from it by at most pi.
void tml__coordinate_eval(const joint_data* j, tml_axis axis, const marker* F, const marker* B,
                          double hint, coordinate_value* out);

// The same, value only.
double tml__coordinate_value(const joint_data* j, tml_axis axis, const marker* F, const marker* B,
                             double hint);

// One dot b_base . f_follower with its part in S and in C, whose direction an angle is.
typedef struct angle_term {
    int base, follower;
    double s, c;
} angle_term;

// What is made of the sums.
typedef enum angle_law {
    LAW_DIRECTION,  // the angle of (S, C)
    LAW_ASIN,       // of S: the middle one of three
    LAW_SUM,        // S itself less a number: measures
} angle_law;

// The terms of a rotation axis; returns how many.
int tml__angle_terms(const joint_data* j, tml_axis axis, angle_term out[4], angle_law* law);

// A joint's two markers at one instant.
typedef struct marker_pair {
    const marker *F, *B;
} marker_pair;

// A coordinate over a step, for forces that must balance energy exactly. The atoms are those of
// `middle`, whose points and axes are the means of both ends. Atoms are bilinear, so
//     end - start = sum_m weight[m] (gradient of atom m at the middle) . (motion)
// holds without error; cross[m][n] is the derivative of weight[m] by atom n at the end.
typedef struct coordinate_step {
    double start, end;  // `start` on the branch nearest to the hint, `end` within half a turn of it
    coordinate_value middle;
    coordinate_value last;  // at the end: how `end` follows the bodies
} coordinate_step;

void tml__coordinate_step(const joint_data* j, tml_axis axis, const marker_pair at[3], double hint,
                          coordinate_step* out);  // at: start, middle, end

#endif
