// form/generalized/reach.c - which contacts a step that is swept can meet.
#include "form/generalized/reach.h"

// Where the two bodies of a contact stand in the tree (-1: fixed), and the arms of its point there.
typedef struct contact_spot {
    int a, b;
    vec3 arm_a, arm_b;
} contact_spot;

static contact_spot spot_of(const gen_tree* t, const contact* k)
{
    contact_spot s = {.a = t->index[k->body_a], .b = t->index[k->body_b]};
    if (s.a >= 0) s.arm_a = v3_sub(k->point, t->origin[s.a]);
    if (s.b >= 0) s.arm_b = v3_sub(k->point, t->origin[s.b]);
    return s;
}

static vec3 velocity_at(const twist* motions, int at, vec3 arm)
{
    if (at < 0) return v3_zero();
    return v3_add(motions[at].v, v3_cross(motions[at].omega, arm));
}

static double opening(const contact_spot* s, const twist* motions, vec3 normal)
{
    const vec3 a = velocity_at(motions, s->a, s->arm_a);
    const vec3 b = velocity_at(motions, s->b, s->arm_b);
    return v3_dot(normal, v3_sub(a, b));
}

double tml__gen_opening(const gen_tree* t, const twist* motions, const contact* k)
{
    const contact_spot s = spot_of(t, k);
    return opening(&s, motions, k->normal);
}

bool tml__gen_may_meet(const gen_tree* t, const contact* k, const twist* start, const twist* free,
                       double h, double slop)
{
    static const double part = 0.5;  // of the gap: pushes of others do the rest more often than not
    if (k->gap <= slop) return true;
    const contact_spot s = spot_of(t, k);
    const double before = opening(&s, start, k->normal);
    const double after = opening(&s, free, k->normal);
    return part * k->gap + h * (before < after ? before : after) <= 0.0;
}
