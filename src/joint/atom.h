// joint/atom.h - the two scalar relations between markers that every joint is made of.
#ifndef TML_JOINT_ATOM_H
#define TML_JOINT_ATOM_H

#include "joint/marker.h"

typedef enum atom_kind {
    ATOM_GAP,  // b . d - target
    ATOM_DOT,  // sign (f . b)
} atom_kind;

typedef struct atom {
    atom_kind kind;
    int f;  // axis of the follower's marker (dot)
    int b;  // axis of the base's marker
    double sign;
} atom;

// The value and its gradient with respect to the two points and the two axes it uses.
typedef struct atom_value {
    double C;
    vec3 f, b;              // the axes themselves
    vec3 point_F, point_B;  // dC/d(point)
    vec3 axis_F, axis_B;    // dC/df, dC/db
} atom_value;

atom_value tml__atom_eval(const atom* a, const marker* F, const marker* B, double target);

#endif
