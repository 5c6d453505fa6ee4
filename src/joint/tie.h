// joint/tie.h - rows that tie the velocities of one body: knife edges, and discs and spheres that roll
// on a plane.                                                                         [COOK (196)]
//
// All of them say that a point at r from the centre of mass has no velocity along n:
//
//     a . V = n . (v + omega x r) = 0,     a = (n, r x n)
//
// and push along a. n and r follow the body's turning, dn = P dphi and dr = Q dphi. Of a rolling body
// the row along the plane's normal has a value, the height over the plane, and is closed like the row
// of a joint; the others exist between velocities only.
#ifndef TML_JOINT_TIE_H
#define TML_JOINT_TIE_H

#include "joint/rigid.h"
#include "model/model.h"

enum {
    TIE_ROWS = 3
};

typedef struct tie_row {
    bool is_velocity;  // no position of the body would satisfy it for good
    double C;          // the height over the plane; 0 of velocity rows
    vec3 n, r;
    mat3 P, Q;
} tie_row;

// At a placed body; answers how many rows.
int tml__tie_rows(const nonholonomic_data* tie, const rigid* body, tie_row out[TIE_ROWS]);

// A disc that lies flat on its plane touches nowhere in particular.
bool tml__tie_is_flat(const nonholonomic_data* tie, const rigid* body);

// n . (v + omega x r)
static inline double tie_rate(const tie_row* t, const rigid* b)
{
    return v3_dot(t->n, v3_add(b->v, v3_cross(b->omega, t->r)));
}

// How turning the body changes that, with velocities as they are: d(a . V) = g . dphi.
vec3 tml__tie_rate_slope(const tie_row* t, const rigid* body);

// The derivative of the torque r x n (in the lower half) and of the force n by dphi.
typedef struct tie_bend {
    mat3 force, torque;
} tie_bend;

tie_bend tml__tie_bend(const tie_row* t);

#endif
