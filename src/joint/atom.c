// joint/atom.c - the two scalar constraints that every joint is made of.
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
#include "joint/atom.h"

// How far the follower point has moved along a base axis.
//   C = b . d - target                                                  [QRBD (15) (16) (21)]
static atom_value gap(vec3 b, const marker* F, const marker* B, double target)
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
static atom_value dot(vec3 f, vec3 b, double sign)
{
    return (atom_value){
        .C = sign * v3_dot(f, b),
        .f = f,
        .b = b,
        .axis_F = v3_scale(sign, b),  // the multiplier is a torque along f x b  [QRBD (20)]
        .axis_B = v3_scale(sign, f),
    };
}

atom_value tml__atom_eval(const atom* a, const marker* F, const marker* B, double target)
{
    const vec3 b = B->axis[a->b];

    return a->kind == ATOM_GAP ? gap(b, F, B, target) : dot(F->axis[a->f], b, a->sign);
}
