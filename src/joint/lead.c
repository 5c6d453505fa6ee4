// joint/lead.c - where a joint that leads puts its follower.
#include "joint/lead.h"

bool tml__joint_leads(const joint_data* j)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (j->axis[k].is_free && j->axis[k].actuation != TML_POSITION) return false;
    }
    return true;
}

void tml__find_led(const tml_model* m, bool* is_led)
{
    for (int b = 0; b <= m->all.body_count; b++) is_led[b] = m->bodies[b].node < 0;
    // there and back: a list of joints that leads one way or the other is done in two rounds
    const int last = m->all.joint_count - 1;
    bool is_back = false;
    for (bool has_grown = true; has_grown; is_back = !is_back) {
        has_grown = false;
        for (int k = 0; k <= last; k++) {
            const joint_data* j = &m->joints[is_back ? last - k : k];
            if (is_led[j->base] == is_led[j->follower] || !tml__joint_leads(j)) continue;
            is_led[j->base] = is_led[j->follower] = true;
            has_grown = true;
        }
    }
}

void tml__joint_drives(const joint_data* j, double t, const drive* given, drive out[TML_AXES])
{
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        const bool is_given = given != NULL && a->control_index >= 0;
        out[k] = is_given ? given[a->control_index] : tml__control_eval(&a->control, t);
    }
}

// What turning does to a point at an arm: alpha x r + w x (w x r).
static vec3 swept(vec3 angular, vec3 omega, vec3 arm)
{
    return v3_add(v3_cross(angular, arm), v3_cross(omega, v3_cross(omega, arm)));
}

point_motion tml__joint_lead_point(const joint_data* j, const drive axis[TML_AXES], const rigid* B,
                                   const rigid_acceleration* of_B)
{
    const mat3 axes = m3_mul(B->R, j->axes_B);
    const vec3 slide = m3_apply(axes, v3(axis[0].value, axis[1].value, axis[2].value));
    const vec3 slides = m3_apply(axes, v3(axis[0].rate, axis[1].rate, axis[2].rate));
    const vec3 arm = v3_add(m3_apply(B->R, j->point_B), slide);
    point_motion out = {.x = v3_add(B->c, arm),
                        .v = v3_add(v3_add(B->v, v3_cross(B->omega, arm)), slides)};
    if (of_B == NULL) return out;
    const vec3 gathers =
        m3_apply(axes, v3(axis[0].acceleration, axis[1].acceleration, axis[2].acceleration));
    out.a = v3_add(of_B->linear, swept(of_B->angular, B->omega, arm));
    out.a = v3_add(out.a, v3_axpy(gathers, 2.0, v3_cross(B->omega, slides)));
    return out;
}

// Turns are intrinsic, in the order of the joint's letters: R_F A_F = R_B A_B R_1 R_2 R_3, so that the
// axis of each is turned by those before it.
void tml__joint_lead(const joint_data* j, const drive axis[TML_AXES], const rigid* B, rigid* F)
{
    const point_motion point = tml__joint_lead_point(j, axis, B, NULL);
    mat3 turned = m3_mul(B->R, j->axes_B);
    F->omega = B->omega;
    for (int k = 0; k < 3; k++) {
        const int letter = j->turn[k];
        const drive* angle = &axis[TML_AXIS_RX + letter];
        F->omega = v3_axpy(F->omega, angle->rate, m3_column(turned, letter));
        turned = m3_mul(turned, q_matrix(q_about(letter, angle->value)));
    }
    F->q = q_normalize(tml__q_from_matrix(m3_mul_bt(turned, j->axes_F)));
    F->R = q_matrix(F->q);
    const vec3 arm_F = m3_apply(F->R, j->point_F);
    F->c = v3_sub(point.x, arm_F);
    F->v = v3_sub(point.v, v3_cross(F->omega, arm_F));
}

rigid_acceleration tml__joint_lead_acceleration(const joint_data* j, const drive axis[TML_AXES],
                                                const rigid* B, const rigid_acceleration* of_B,
                                                const rigid* F)
{
    const vec3 arm_F = m3_apply(F->R, j->point_F);
    rigid_acceleration out = *of_B;
    mat3 turned = m3_mul(B->R, j->axes_B);
    vec3 omega = B->omega;  // of what carries the axis
    for (int k = 0; k < 3; k++) {
        const int letter = j->turn[k];
        const drive* angle = &axis[TML_AXIS_RX + letter];
        const vec3 about = m3_column(turned, letter);
        out.angular = v3_axpy(out.angular, angle->acceleration, about);
        out.angular = v3_axpy(out.angular, angle->rate, v3_cross(omega, about));
        omega = v3_axpy(omega, angle->rate, about);
        turned = m3_mul(turned, q_matrix(q_about(letter, angle->value)));
    }
    const point_motion point = tml__joint_lead_point(j, axis, B, of_B);
    out.linear = v3_sub(point.a, swept(out.angular, omega, arm_F));
    return out;
}
