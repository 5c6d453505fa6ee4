// contact/problem_slope.h - how the rows of contacts in maximal coordinates follow the poses of the bodies.
//
// A row along d at the point p pushes a body with the force d and the torque (p - c) x d about its centre
// of mass c. Point, normal and tangents follow the poses of both bodies (geom/bend.h), the arm follows c.
// Poses and motions are 6 numbers a node; shapes stay with the frame of their body, so that they move back
// where its centre of mass moves in it (`com`, 3 a body, NULL: nothing does).
#ifndef TML_CONTACT_PROBLEM_SLOPE_H
#define TML_CONTACT_PROBLEM_SLOPE_H

#include "geom/bend.h"
#include "method/maximal.h"

// A contact of bodies as they are placed.
typedef struct touch_bend {
    contact_bend bend;
    int body[2], node[2];  // a, b; node -1: does not move
    vec3 c[2];             // centres of mass
    mat3 R[2];
} touch_bend;

// TML_SINGULAR: the features of the contact are degenerate. The first fills what the gap needs only.
tml_status tml__touch_bend_gap(const maximal_system* s, const contact* k, touch_bend* out);
tml_status tml__touch_bend(const maximal_system* s, const contact* k, touch_bend* out);

// Its twelve numbers by poses, and gradients the other way: those by poses and `com` grow.
void tml__touch_spread(const touch_bend* b, const double* pose, const double* com,
                       double z[TWIST_COLUMNS]);
void tml__touch_gather(const touch_bend* b, const double z[TWIST_COLUMNS], double* pose,
                       double* com);

// (dJ) m: how row r changes what it makes of a motion, for a change (pose, z) of poses; and the gradients
// by pose and z of g times that.
double tml__touch_bent_rate(const touch_bend* b, int r, const double* motion, const double* pose,
                            const double z[TWIST_COLUMNS]);
void tml__touch_bent_rate_transposed(const touch_bend* b, int r, const double* motion, double g,
                                     double* pose, double z[TWIST_COLUMNS]);

// out += f (dJ)^T.
void tml__touch_bent_push(const touch_bend* b, int r, double f, const double* pose,
                          const double z[TWIST_COLUMNS], double* out);

#endif
