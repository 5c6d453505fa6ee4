// method/links/lean_loads.c - what joints that lead bodies transmit, and where links are moored, in simulations that keep no rows.
//
// Where a body is led, its acceleration follows from the controls, so Newton and Euler say what its joint
// must carry: from the tips inwards, what contacts, springs and links push with taken off. The list of led bodies has whatever
// one hangs on before it: motions are found forwards, forces backwards.
#include "linalg/lanes.h"
#include "method/links/method.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"
#include "sim/lean.h"

// Where a body is and how it moves that a joint hangs on.
static led_load base_of(const tml_sim* sim, int body)
{
    const links_led* led = tml__links_of(sim)->led;
    if (links_is_led(led, body)) return led->load[led->of_body[body] - 1];
    const body_data* b = &sim->model->bodies[body];
    return (led_load){.at = {.c = b->c, .q = b->q, .R = q_matrix(b->q)}};
}

// A led body at the instant that was aimed at; what it hangs on is known.
static void move(const tml_sim* sim, const links_led* led, int i)
{
    const joint_data* j = &led->model->joints[led->list[i].joint];
    const led_load base = base_of(sim, j->base);
    led_load* out = &led->load[i];
    drive axis[TML_AXES];
    tml__joint_drives(j, sim->system->t, tml__lean_given(sim), axis);
    tml__joint_lead(j, axis, &base.at, &out->at);
    out->by = tml__joint_lead_acceleration(j, axis, &base.at, &base.by, &out->at);
}

// The anchor of a chain, which hangs on a led body or is drawn by its joint.
static void moor(const tml_sim* sim, link_system* l)
{
    const joint_data* j = &sim->model->joints[l->joint[0]];
    const bool is_reversed = links_is_led(l->led, j->follower);
    const led_load base = base_of(sim, is_reversed ? j->follower : j->base);
    drive axis[TML_AXES] = {{0.0, 0.0, 0.0}};
    joint_data ball = *j;
    if (is_reversed) ball.point_B = j->point_F;
    if (!is_reversed) tml__joint_drives(j, sim->system->t, tml__lean_given(sim), axis);
    const point_motion to = tml__joint_lead_point(&ball, axis, &base.at, &base.by);
    l->anchor.to = to.x;
    l->anchor.rate = to.v;
    l->anchor.acceleration = to.a;
}

void tml__lean_move_led(tml_sim* sim)
{
    link_system* l = tml__links_of(sim);
    for (int i = 0; l->led != NULL && i < l->led->count; i++) move(sim, l->led, i);
    if (l->is_moored) moor(sim, l);
}

const double* tml__lean_felt(tml_sim* sim, const double* touching)
{
    link_system* l = tml__links_of(sim);
    if (l->springs == NULL) return touching;
    return tml__links_springs_push(l, sim->past_q[0], sim->past_v[0], sim->time, touching);
}

// What moves a body so, without what contacts and springs give.
static void need(const tml_sim* sim, const body_data* b, led_load* out)
{
    const double* felt = sim->system->touching;
    const double damping = sim->model->all.rayleigh_mass;
    const mat3 inertia = m3_mul_bt(m3_mul(out->at.R, b->inertia), out->at.R);
    const vec3 spin = m3_apply(inertia, out->at.omega);
    out->force = v3_scale(b->mass, v3_sub(out->by.linear, sim->model->all.gravity));
    out->torque = v3_add(m3_apply(inertia, out->by.angular), v3_cross(out->at.omega, spin));
    out->force = v3_axpy(out->force, damping * b->mass, out->at.v);
    out->torque = v3_axpy(out->torque, damping, spin);
    if (felt == NULL) return;
    out->force = v3_sub(out->force, v3_load(&felt[6 * b->node]));
    out->torque = v3_sub(out->torque, v3_load(&felt[6 * b->node + 3]));
}

// A chain hangs on a led body by the force that its first link was found to get.
static void carry_chain(const link_system* l)
{
    const joint_data* j = &l->s->model->joints[l->joint[0]];
    const int body = links_is_led(l->led, j->follower) ? j->follower : j->base;
    if (!links_is_led(l->led, body)) return;
    const double* lane = tml__links_lane(l, 0);
    const vec3 f = v3(lane[LINK_FORCE * LANES], lane[(LINK_FORCE + 1) * LANES],
                      lane[(LINK_FORCE + 2) * LANES]);
    led_load* out = &l->led->load[l->led->of_body[body] - 1];
    out->force = v3_add(out->force, f);
    out->torque = v3_add(out->torque, v3_cross(v3_sub(l->anchor.to, out->at.c), f));
}

// What a body gets, with all that hangs on it, the one that it hangs on gives.
static void pass_inwards(const links_led* led, int i)
{
    const int inner = led->of_body[led->model->joints[led->list[i].joint].base] - 1;
    if (inner < 0) return;
    const led_load* by = &led->load[i];
    led_load* out = &led->load[inner];
    const vec3 arm = v3_sub(by->at.c, out->at.c);
    out->force = v3_add(out->force, by->force);
    out->torque = v3_add(out->torque, v3_add(by->torque, v3_cross(arm, by->force)));
}

void tml__lean_find_led_loads(tml_sim* sim)
{
    const link_system* l = tml__links_of(sim);
    const links_led* led = l->led;
    if (led == NULL) return;
    for (int i = 0; i < led->count; i++) {
        need(sim, &led->model->bodies[led->list[i].body], &led->load[i]);
    }
    if (l->is_moored) carry_chain(l);
    for (int i = led->count - 1; i >= 0; i--) pass_inwards(led, i);
}

bool tml__lean_led_load(const tml_sim* sim, int joint, tml_load* out)
{
    const links_led* led = tml__links_of(sim)->led;
    const joint_data* j = &sim->model->joints[joint];
    if (!links_leads(led, joint, j->follower)) return false;
    const led_load* by = &led->load[led->of_body[j->follower] - 1];
    const led_load base = base_of(sim, j->base);
    const vec3 arm = m3_apply(by->at.R, j->point_F);
    const mat3 axes = m3_mul(base.at.R, j->axes_B);
    out->force = m3_apply_t(axes, by->force);
    out->moment = m3_apply_t(axes, v3_sub(by->torque, v3_cross(arm, by->force)));
    return true;
}
