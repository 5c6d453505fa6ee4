// joint/atom.h - the two scalar relations between markers that every joint is made of.
//
// A joint never sees coordinates. It sees two markers, one on the base body B and one on the
// follower F, and relates their points and axes. Each formulation supplies the markers and
// carries the gradients below back to its own unknowns by F_in = J^T F_out [COOK (289)].
// So joint geometry is differentiated here and nowhere else. Both atoms are bilinear: their second
// derivatives are plus and minus identity blocks, d2(b.d) = db.(dF - dB), d2(f.b) = df.db.
//
//   in [QRBD]   here     meaning, all in world coordinates
//   d           d        from the base point to the follower point, m
//   R(q^B) a    b        axis fixed to the base
//   R(q^F) a    f        axis fixed to the follower
//   p           target   commanded travel of an actuated joint, m
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

// How far the follower point has moved along a base axis.
//   C = b . d - target                                                  [QRBD (15) (16) (21)]
static inline atom_value atom_gap(vec3 b, const marker* F, const marker* B, double target)
{
    const vec3 d = v3_sub(F->point, B->point);

    return (atom_value){
        .C = v3_dot(b, d) - target,
        .b = b,
        .point_F = b,  // the multiplier is a force along b                     [QRBD (17)]
        .point_B = v3_neg(b),
        .axis_B = d,  // b x d completes the base's moment arm                   [QRBD (18)]
    };
}

// How far a follower axis leans towards a base axis; zero when they are perpendicular.
//   C = sign * (f . b)                                                          [QRBD (19)]
static inline atom_value atom_dot(vec3 f, vec3 b, double sign)
{
    return (atom_value){
        .C = sign * v3_dot(f, b),
        .f = f,
        .b = b,
        .axis_F = v3_scale(sign, b),  // the multiplier is a torque along f x b  [QRBD (20)]
        .axis_B = v3_scale(sign, f),
    };
}

atom_value tml__atom_eval(const atom* a, const marker* F, const marker* B, double target);

#endif
