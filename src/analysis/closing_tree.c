// analysis/closing_tree.c - a start for assembling: bodies put one after the other along a spanning tree,
// every joint of the tree closed at the coordinates it shows now. Only loops stay open, and they are
// brought as near to closed as the tree's coordinates allow (closing_loops.c).
#include "analysis/closing.h"
#include "joint/tree.h"

// The frame of the follower in the base's: slides along the base's axes, then turns in order.
typedef struct joint_shift {
    vec3 slide;
    mat3 turn;
} joint_shift;

static double held_within(const axis_data* axis, double value)
{
    if (!axis->has_limits) return value;
    if (value < axis->lower) return axis->lower;
    return value > axis->upper ? axis->upper : value;
}

// The coordinates that joint j shows at the placed bodies; driven axes stand at their targets.
static joint_shift shift_of(const maximal_system* s, int j)
{
    const joint_data* joint = &s->model->joints[j];
    joint_shift out = {.slide = v3_zero(), .turn = m3_identity()};

    for (int k = 0; k < 3; k++) {
        const axis_data* axis = &joint->axis[k];
        const double target = s->targets.axis[j * TML_AXES + k].value;
        if (!axis->is_free) continue;
        v3_set(&out.slide, k,
               axis->actuation == TML_POSITION
                   ? target
                   : held_within(axis, tml__maximal_coordinate(s, j, (tml_axis)k)));
    }
    for (int i = 0; i < joint->turn_count; i++) {
        const int k = 3 + joint->turn[i];
        const axis_data* axis = &joint->axis[k];
        const double angle = axis->actuation == TML_POSITION
                                 ? s->targets.axis[j * TML_AXES + k].value
                                 : held_within(axis, tml__maximal_coordinate(s, j, (tml_axis)k));
        out.turn = m3_mul(out.turn, q_matrix(q_about(joint->turn[i], angle)));
    }
    return out;
}

static void put(rigid* body, vec3 joint_point, mat3 R, vec3 local_point)
{
    body->R = R;
    body->q = tml__q_from_matrix(R);
    body->c = v3_sub(joint_point, m3_apply(R, local_point));
}

// Put the body beyond joint j where the joint wants it, its other body being in place.
static void hang(maximal_system* s, int j, int body)
{
    const joint_data* joint = &s->model->joints[j];
    const joint_shift shift = shift_of(s, j);
    rigid* F = &s->bodies[joint->follower];
    rigid* B = &s->bodies[joint->base];

    s->placements++;  // joints do not stand there yet
    if (body == joint->follower) {
        const mat3 axes = m3_mul(B->R, joint->axes_B);
        const vec3 point =
            v3_add(v3_add(B->c, m3_apply(B->R, joint->point_B)), m3_apply(axes, shift.slide));
        put(F, point, m3_mul_bt(m3_mul(axes, shift.turn), joint->axes_F), joint->point_F);
    } else {
        const mat3 axes = m3_mul_bt(m3_mul(F->R, joint->axes_F), shift.turn);
        const vec3 point =
            v3_sub(v3_add(F->c, m3_apply(F->R, joint->point_F)), m3_apply(axes, shift.slide));
        put(B, point, m3_mul_bt(axes, joint->axes_B), joint->point_B);
    }
}

tml_status tml__closing_tree_start(closing* c)
{
    maximal_system* s = c->s;
    joint_tree tree;
    const tml_status status = tml__tree_create(s->model, NULL, NULL, &tree);
    if (status != TML_OK) return status;

    // frames stay as they are here while bodies move: coordinates are read from where things were
    tml__maximal_place(s, c->from, NULL);
    for (int i = 0; i < tree.order_count; i++) {
        const int body = tree.order[i];
        if (tree.parent_joint[body] >= 0) hang(s, tree.parent_joint[body], body);
    }
    const tml_status near = tml__closing_loops(s, &tree);
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        double* x = &s->x[(size_t)n * POSE_WIDTH];
        v3_store(x, b->c);
        x[3] = b->q.w;
        x[4] = b->q.x;
        x[5] = b->q.y;
        x[6] = b->q.z;
    }
    tml__tree_destroy(&tree);
    tml__closing_look(c);
    tml__closing_remember(c);
    return near;
}
