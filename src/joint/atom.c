// joint/atom.c - an atom by its description.
#include "joint/atom.h"

atom_value tml__atom_eval(const atom* a, const marker* F, const marker* B, double target)
{
    const vec3 b = B->axis[a->b];

    return a->kind == ATOM_GAP ? atom_gap(b, F, B, target) : atom_dot(F->axis[a->f], b, a->sign);
}
