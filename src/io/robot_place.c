// io/robot_place.c - where the links stand when every movement has its value.
#include "io/robot.h"

// Turn a frame by dq (its own axes) about one of its points.
static pose turned(pose x, quat dq, vec3 point)
{
    const vec3 anchor = pose_apply(x, point);
    const quat q = q_normalize(q_mul(x.q, dq));
    return (pose){v3_sub(anchor, q_rotate(q, point)), q};
}

static pose moved(const movement* m, pose x)
{
    const double amount = m->value - m->reference;
    switch (m->kind) {
    case MOVE_HINGE: return turned(x, q_exp(v3_scale(amount, m->axis)), m->point);
    case MOVE_SLIDE: return (pose){v3_axpy(x.p, amount, q_rotate(x.q, m->axis)), x.q};
    case MOVE_BALL: return turned(x, m->place.q, m->point);
    case MOVE_FREE: return m->place;
    }
    return x;
}

// How a movement moves its link, which stands at x once it has acted, about the world's origin.
static twist rate_of(const movement* m, pose x)
{
    const vec3 point = pose_apply(x, m->kind == MOVE_FREE ? v3_zero() : m->point);
    vec3 omega = v3_zero();
    vec3 v = v3_zero();
    switch (m->kind) {
    case MOVE_HINGE: omega = v3_scale(m->rate, q_rotate(x.q, m->axis)); break;
    case MOVE_SLIDE: v = v3_scale(m->rate, q_rotate(x.q, m->axis)); break;
    case MOVE_BALL: omega = q_rotate(x.q, m->rates.omega); break;
    case MOVE_FREE:
        omega = q_rotate(x.q, m->rates.omega);
        v = m->rates.v;
        break;
    }
    return (twist){omega, v3_add(v, v3_cross(point, omega))};
}

void tml__robot_set_off(robot* r)
{
    for (int i = 0; i < r->link_count; i++) {
        robot_link* l = &r->links[i];
        pose x = l->parent < 0 ? l->local : pose_mul(r->links[l->parent].world, l->local);
        twist t = l->parent < 0 ? tw_zero() : r->links[l->parent].motion;
        for (int k = 0; k < l->movement_count; k++) {
            movement* m = &r->movements[l->first_movement + k];
            x = moved(m, x);
            t = tw_add(t, rate_of(m, x));
            m->after = t;
        }
        l->world = x;
        l->motion = t;
    }
}

void tml__robot_place(robot* r, pose* before)
{
    for (int i = 0; i < r->link_count; i++) {
        robot_link* l = &r->links[i];
        pose x = l->parent < 0 ? l->local : pose_mul(r->links[l->parent].world, l->local);
        for (int k = 0; k < l->movement_count; k++) {
            const int m = l->first_movement + k;
            if (before != NULL) before[m] = x;
            x = moved(&r->movements[m], x);
        }
        l->world = x;
    }
}
