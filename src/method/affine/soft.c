// method/affine/soft.c - compliant contacts within the Newton matrix.
//                                                            [notes, contact section 6] [MABD Sec 6]
// A contact of stiffness k with something that stands still, or is led, touches one body only: its
// force and its derivative belong to that body's own block, so that it costs what the body costs and
// the pattern of the matrix never changes. Of a contact between two bodies that move the blocks of both
// have their share, and what couples them is left to couple.c. With u the way of the contact's point since
// the step began, the other body's taken off,
//
//   f_n = k max(0, -(gap + n . u))        f_t = clamp(-k t . u, -mu f_n, mu f_n)     each tangent
//
// all at the end of the step: the work of f_n is never more than what its convex potential holds, and
// friction always acts against the way, so that energy never grows. A contact that sticks gives way by
// f_t / k in every step: it creeps, by as much less as it is stiffer.
#include "method/affine/equations.h"

#include <string.h>

// How far a body has moved and turned since the step began. A turn is twice the tangent of half its angle,
// along its axis, and that of the parts of a step is summed up: what a torque does work along
// (tml__affine_cayley), so that force times way is the work of a contact exactly. It grows with the angle as far
// as a part may turn a body; its sine has a rod that rolls by more than a quarter turn roll back.
typedef struct body_way {
    vec3 shift, turn;
} body_way;

static body_way way_of(const affine_system* a, int node, vec3 x0)
{
    if (node < 0) return (body_way){v3_zero(), v3_zero()};
    const affine_body* b = &a->body[node];
    const vec3 here = v3_add(b->x, b->move);
    return (body_way){v3_sub(here, x0), v3_add(b->turned, tml__affine_cayley(b))};
}

static vec3 point_way(const body_way* way, vec3 arm)
{
    return v3_add(way->shift, v3_cross(way->turn, arm));
}

void tml__affine_soft_pose(affine_system* a, const contact* from, int count, double stiffness)
{
    const maximal_system* s = a->s;
    a->contact_count = count;
    for (int i = 0; i < count; i++) {
        const contact* k = &from[i];
        const bool is_a = !a->is_led[k->body_a];
        const int body = is_a ? k->body_a : k->body_b;
        const int other = is_a ? k->body_b : k->body_a;
        const rigid* b = &s->bodies[body];
        const rigid* o = &s->bodies[other];
        affine_contact* to = &a->touch.contacts[i];
        *to = (affine_contact){
            .node = s->model->bodies[body].node,
            .other = s->model->bodies[other].node,
            .is_coupled = s->model->bodies[other].node >= 0 && !a->is_led[other],
            .axis = {is_a ? k->normal : v3_neg(k->normal), k->tangent[0], k->tangent[1]},
            .arm = v3_sub(k->point, b->c),
            .arm_other = v3_sub(k->point, o->c),
            .gap = k->gap,
            .friction = k->friction,
            .stiffness = stiffness,
            .x0 = b->c,
            .x0_other = o->c,
            .is_a = is_a,
            .dual = -1,
        };
    }
}

// What slid one way and would now slide the other has passed the narrow way in which it sticks: it is taken to
// stick for an iteration, however large its force, so that the next one sees where that leads.
static bool would_turn_back(const affine_contact* c, int axis, double f)
{
    return f > 0.0 ? c->slide[axis] < 0 : c->slide[axis] > 0;
}

// The force on the body along the three axes; which friction axes slide, and which way.
static void find_force(affine_system* a, affine_contact* c)
{
    const body_way own = way_of(a, c->node, c->x0);
    const body_way led = way_of(a, c->other, c->x0_other);
    const vec3 u = v3_sub(point_way(&own, c->arm), point_way(&led, c->arm_other));
    const double depth = -(c->gap + v3_dot(c->axis[0], u));
    const bool pushed = c->f[0] > 0.0;
    const signed char slid[3] = {0, c->slide[1], c->slide[2]};
    c->f[0] = c->f[1] = c->f[2] = 0.0;
    if (depth > 0.0) c->f[0] = c->stiffness * depth;
    for (int k = 1; k < 3; k++) {
        const double bound = c->friction * c->f[0];
        const double f = depth > 0.0 ? -c->stiffness * v3_dot(c->axis[k], u) : 0.0;
        const bool is_beyond = fabs(f) > bound;
        const bool is_held = is_beyond && would_turn_back(c, k, f);
        const signed char sign = f > 0.0 ? 1 : -1;
        c->slide[k] = 0;
        if (is_beyond && !is_held) c->slide[k] = sign;
        c->f[k] = c->slide[k] != 0 ? sign * bound : f;
        a->held += is_held;
    }
    const bool is_same =
        pushed == (c->f[0] > 0.0) && slid[1] == c->slide[1] && slid[2] == c->slide[2];
    if (!is_same) a->corners++;
}

void tml__affine_soft_forces(affine_system* a)
{
    const tml_model* m = a->s->model;
    a->corners = a->held = 0;
    for (int i = 0; i < a->contact_count; i++) {
        affine_contact* c = &a->touch.contacts[i];
        find_force(a, c);
        vec3 force = v3_zero();
        for (int k = 0; k < 3; k++) force = v3_axpy(force, c->f[k], c->axis[k]);
        c->force = force;
        tml__affine_push(a, m->node_body[c->node], force, v3_cross(c->arm, force));
        if (c->other < 0) continue;
        tml__affine_push(a, m->node_body[c->other], v3_neg(force),
                         v3_neg(v3_cross(c->arm_other, force)));
    }
}

// block += scale a b^T
static void add_outer(spot to, double scale, const double left[6], const double right[6])
{
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 6; i++) {
            to.at[(ptrdiff_t)k * to.stride + i] += scale * left[i] * right[k];
        }
    }
}

// How the end of the step moves the way of a body's point along an axis. To the turn c of this part of the
// step a further turn w adds (I - [c]/2 + c c^T/4) w: the product of two rotations by their half tangents.
static void slope_of(const affine_body* b, vec3 arm, vec3 axis, double out[6])
{
    const vec3 c = tml__affine_cayley(b);
    const vec3 g = v3_cross(arm, axis);
    v3_store(out, axis);
    v3_store(out + 3, v3_axpy(v3_axpy(g, 0.5, v3_cross(c, g)), 0.25 * v3_dot(c, g), c));
}

// What one axis of a contact pushes its bodies with, and how they move it.
static affine_coupling axis_of(const affine_system* a, const affine_contact* c, int n)
{
    affine_coupling out = {.node = {c->node, c->is_coupled ? c->other : -1}};
    const vec3 back = v3_neg(c->axis[n]);
    v3_store(out.push[0], c->axis[n]);
    v3_store(out.push[0] + 3, v3_cross(c->arm, c->axis[n]));
    slope_of(&a->body[c->node], c->arm, c->axis[n], out.slope[0]);
    if (!c->is_coupled) return out;
    v3_store(out.push[1], back);
    v3_store(out.push[1] + 3, v3_cross(c->arm_other, back));
    slope_of(&a->body[c->other], c->arm_other, back, out.slope[1]);
    return out;
}

static void add_coupling(affine_system* a, const affine_coupling* k)
{
    // nodes of the dual have all of a contact
    if (a->couples_apart && k->node[1] >= 0) {
        a->touch.couplings[a->coupling_count++] = *k;
        return;
    }
    add_outer(a->bodies[k->node[0]], k->scale, k->push[0], k->slope[0]);
    if (k->node[1] < 0) return;
    add_outer(a->bodies[k->node[1]], k->scale, k->push[1], k->slope[1]);
    a->touch.couplings[a->coupling_count++] = *k;
}

void tml__affine_soft_blocks(affine_system* a, double beta)
{
    a->coupling_count = 0;
    for (int i = 0; i < a->contact_count; i++) {
        const affine_contact* c = &a->touch.contacts[i];
        if (c->f[0] == 0.0) continue;
        affine_coupling normal = axis_of(a, c, 0);
        normal.contact = i;
        normal.scale = beta * c->stiffness;
        add_coupling(a, &normal);
        for (int n = 1; n < 3; n++) {
            affine_coupling k = axis_of(a, c, n);
            k.contact = i;
            k.axis = n;
            k.scale = normal.scale;
            // what sticks is a spring; what slides follows the normal force
            if (c->slide[n] != 0) {
                k.scale *= c->slide[n] * c->friction;
                memcpy(k.slope, normal.slope, sizeof k.slope);
            }
            add_coupling(a, &k);
        }
    }
}
