// method/generalized/reach.c - which contacts a step that is swept can meet.
#include "method/generalized/reach.h"

gen_spot tml__gen_spot_of(const gen_tree* t, const contact* k)
{
    return (gen_spot){k->point, k->normal, k->gap, t->index[k->body_a], t->index[k->body_b]};
}

static vec3 velocity_at(const gen_tree* t, const twist* motions, int at, vec3 point)
{
    if (at < 0) return v3_zero();
    return v3_add(motions[at].v, v3_cross(motions[at].omega, v3_sub(point, t->origin[at])));
}

double tml__gen_opening(const gen_tree* t, const twist* motions, const gen_spot* k)
{
    const vec3 a = velocity_at(t, motions, k->a, k->point);
    const vec3 b = velocity_at(t, motions, k->b, k->point);
    return v3_dot(k->normal, v3_sub(a, b));
}

bool tml__gen_may_meet(const gen_tree* t, const gen_spot* k, const twist* start, const twist* free,
                       double h, double slop)
{
    static const double part = 0.5;  // of the gap: pushes of others do the rest more often than not
    if (k->gap <= slop) return true;
    const double before = tml__gen_opening(t, start, k);
    const double after = tml__gen_opening(t, free, k);
    return part * k->gap + h * (before < after ? before : after) <= 0.0;
}
