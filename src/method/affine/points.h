// method/affine/points.h - Newton updates by the dual, where joints hold points and contacts give way.
//
// The matrix of matrix.c couples the two bodies of a joint, of a spring and of a contact; eliminating
// bodies then couples all their neighbours. Here bodies are coupled to nodes of three unknowns only, and
// to no other body, so that each is eliminated by itself and what is left is a matrix of 3 x 3 blocks for
// linalg/fronts:
//
//   joint     g, the change of its force in world axes, times beta. With f the force where forces act,
//             m the base's arm to the follower's point, + at the end of the step:
//                 g = sum b_k dl_k - beta phi [f+] w_B           instead of dl
//                 dx_F - [r+] w_F - dx_B + [m+] w_B = rho         the rows, in world axes
//             what couples the base's torque to the follower, -beta phi [f](dx_F - [r+] w_F - dx_B), is by
//             this row  -beta phi [f](rho - [m+] w_B), the base's own.
//   spring    y = w_B - w_F. Blocks a, b, c, d of both turns become a + b and d + c of the bodies, b and
//             -c of y.
//   cord      a spring between points of two bodies: y = dp_1 - dp_0, what stretches it; its force follows
//             nothing else.
//   contact   h = k beta times the way along its three axes, by both bodies: it pushes with h.
//
// All of this is exact: updates are those of the matrix. Patterns change with contacts; each is
// analysed within memory that was reserved.
#ifndef TML_METHOD_AFFINE_POINTS_H
#define TML_METHOD_AFFINE_POINTS_H

#include "linalg/fronts.h"
#include "method/affine/affine.h"

// Does the dual fit: do all joints hold points, and is there nothing else that couples bodies?
bool tml__points_fit(const affine_system* a);

// Room for so many contacts. On failure there is nothing to destroy.
tml_status tml__points_create(affine_system* a, int contacts, message* why, affine_points** out);
void tml__points_destroy(affine_points* p);

// The pattern of the contacts of a step of length h, which may grow as it is solved. TML_TOO_MANY_CONTACTS: more
// room is needed; `why` has the sentence then, also from tml__points_factor.
tml_status tml__points_pose(affine_points* p, double h, message* why);

// The factor at the iterate; and tml__affine_solve with it.
tml_status tml__points_factor(affine_points* p, const affine_stage* stage);
void tml__points_solve(affine_points* p);

// Of the pattern without contacts.
fronts_statistics tml__points_statistics(const affine_points* p);

#endif
