// sim/lean_led.c - what joints that lead bodies transmit, in simulations that keep no rows.
//
// Where a body is led, its acceleration follows from the controls, so Newton and Euler say what its joint
// must carry: from the tips inwards, what contacts push with taken off.
#include "form/affine/led.h"
#include "form/affine/links.h"
#include "sim/lean.h"
#include "sim/step_affine.h"

// Force and torque on a body, about its centre of mass.
typedef struct body_wrench {
    vec3 force, torque;
} body_wrench;

typedef struct led_state {
    rigid at;
    rigid_acceleration by;
} led_state;

static led_state ground(const tml_model* m, int body)
{
    const body_data* b = &m->bodies[body];
    return (led_state){.at = {.c = b->c, .q = b->q, .R = q_matrix(b->q)}};
}

// A led body and whatever it hangs on, at the instant that was aimed at.
static led_state state_of(const tml_sim* sim, const links_led* led, int body)
{
    const tml_model* m = sim->model;
    if (!links_is_led(led, body)) return ground(m, body);
    const joint_data* j = &m->joints[led->list[led->of_body[body] - 1].joint];
    const led_state base = state_of(sim, led, j->base);
    drive axis[TML_AXES];
    led_state out;
    tml__joint_drives(j, sim->system->t, tml__lean_given(sim), axis);
    tml__joint_lead(j, axis, &base.at, &out.at);
    out.by = tml__joint_lead_acceleration(j, axis, &base.at, &base.by, &out.at);
    return out;
}

// What moves a body so, without what its contacts give.
static body_wrench needed(const tml_sim* sim, int body, const led_state* s)
{
    const body_data* b = &sim->model->bodies[body];
    const double* touching = sim->contacts != NULL ? sim->contacts->now.wrenches : NULL;
    const mat3 inertia = m3_mul_bt(m3_mul(s->at.R, b->inertia), s->at.R);
    const vec3 spin = m3_apply(inertia, s->at.omega);
    body_wrench out = {
        v3_scale(b->mass, v3_sub(s->by.linear, sim->model->all.gravity)),
        v3_add(m3_apply(inertia, s->by.angular), v3_cross(s->at.omega, spin)),
    };
    if (touching == NULL) return out;
    out.force = v3_sub(out.force, v3_load(&touching[6 * b->node]));
    out.torque = v3_sub(out.torque, v3_load(&touching[6 * b->node + 3]));
    return out;
}

// The same with all that hangs on the body, from the tips: what its joint gives.
static body_wrench carried(const tml_sim* sim, const links_led* led, int body, const led_state* s)
{
    const tml_model* m = sim->model;
    body_wrench out = needed(sim, body, s);
    for (int i = 0; i < led->count; i++) {
        const led_body* b = &led->list[i];
        if (m->joints[b->joint].base != body) continue;
        const led_state outer = state_of(sim, led, b->body);
        const body_wrench by = carried(sim, led, b->body, &outer);
        const vec3 arm = v3_sub(outer.at.c, s->at.c);
        out.force = v3_add(out.force, by.force);
        out.torque = v3_add(out.torque, v3_add(by.torque, v3_cross(arm, by.force)));
    }
    return out;
}

bool tml__lean_led_load(const tml_sim* sim, int joint, tml_load* out)
{
    const links_led* led = tml__links_of(sim)->led;
    const joint_data* j = &sim->model->joints[joint];
    if (!links_is_led(led, j->follower)) return false;
    const led_state s = state_of(sim, led, j->follower);
    const led_state base = state_of(sim, led, j->base);
    const body_wrench by = carried(sim, led, j->follower, &s);
    const vec3 arm = m3_apply(s.at.R, j->point_F);
    const mat3 axes = m3_mul(base.at.R, j->axes_B);
    out->force = m3_apply_t(axes, by.force);
    out->moment = m3_apply_t(axes, v3_sub(by.torque, v3_cross(arm, by.force)));
    return true;
}
