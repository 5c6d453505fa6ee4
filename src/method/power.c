// method/power.c - what flows into bodies from outside.
#include "method/power.h"

#include "force/axis.h"

// Position drives: a row C(q, t) = 0 with the force lambda dC/dq on q takes -lambda dC/dt from its motor, also where
// it is compliant.
static double row_power(maximal_system* s, const double* lambda)
{
    double sum = 0.0;
    if (!s->has_targets) return 0.0;
    tml__maximal_row_motions(s, s->dl, s->lambda_start);
    for (int row = 0; row < s->row_count; row++) sum -= lambda[row] * s->dl[row];
    return sum;
}

// Force drives and servos. A servo towards a target that stands is a spring and a damper; one that moves works.
static void add_axes(const maximal_system* s, power_flow* to)
{
    for (int i = 0; i < s->forced_count; i++) {
        const joint_axis_id id = s->forced[i];
        if (tml__is_dot((int)id.axis)) continue;  // a damper
        const joint_data* j = &s->model->joints[id.joint];
        const axis_data* a = &j->axis[id.axis];
        const int at = id.joint * TML_AXES + (int)id.axis;
        const rigid* F = &s->bodies[j->follower];
        const rigid* B = &s->bodies[j->base];
        if (a->actuation == TML_FORCE && tml__axis_is_base_torque(j, (int)id.axis)) {
            const vec3 axis = s->frames[id.joint].B.axis[(int)id.axis - 3];
            to->active += s->targets.axis[at].value * v3_dot(axis, v3_sub(F->omega, B->omega));
            continue;
        }
        if (a->actuation != TML_FORCE && !a->has_servo) continue;
        const drive* target = &s->targets.servo[at];
        const double value = tml__maximal_coordinate(s, id.joint, id.axis);
        const double rate = tml__maximal_coordinate_rate(s, id.joint, id.axis);
        if (a->has_force_limits) {
            // cut off, a servo is no spring that would give anything back
            to->active += rate * tml__axis_drive(a, value, rate, &s->targets.axis[at], target);
            continue;
        }
        if (a->actuation == TML_FORCE) to->active += rate * s->targets.axis[at].value;
        if (!a->has_servo) continue;
        const double left = target->value - value;
        to->servo += 0.5 * a->servo_stiffness * left * left;
        to->active += target->rate * (a->servo_stiffness * left + a->servo_damping * rate);
    }
}

static double wrench_power(const rigid* b, vec3 point, vec3 force, vec3 torque)
{
    const vec3 v = v3_add(b->v, v3_cross(b->omega, m3_apply(b->R, point)));
    return v3_dot(force, v) + v3_dot(torque, b->omega);
}

static double given_power(const maximal_system* s)
{
    const tml_model* m = s->model;
    double sum = 0.0;
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        vec3 torque;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, s->load * tml__control_eval(&w->force[k], s->t).value);
            v3_set(&torque, k, s->load * tml__control_eval(&w->torque[k], s->t).value);
        }
        sum += wrench_power(&s->bodies[w->body], w->point, f, torque);
    }
    for (int i = 0; i < s->push_count; i++) {
        const hand_push* p = &s->pushes[i];
        sum += wrench_power(&s->bodies[p->body], p->point, p->force, p->torque);
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        sum += d->linear * v3_dot(d->wind, s->bodies[d->body.index].v);
    }
    return sum;
}

// What is driven in tendons: a force that is given, and muscles.
static double tendon_power(maximal_system* s)
{
    const tml_model* m = s->model;
    double sum = 0.0;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        if (!spring->force.is_given && spring->muscle.force == 0.0) continue;
        tml__spring_eval(spring, s->bodies, s->t, &s->spring);
        const double rate = s->spring.rate;
        const double given = tml__control_eval(&spring->force, s->t).value;
        sum -= (given + tml__spring_muscle(spring, s->spring.length, rate, s->t).force) * rate;
    }
    return sum;
}

power_flow tml__maximal_power(maximal_system* s, const double* lambda)
{
    power_flow flow = {.active = row_power(s, lambda)};
    add_axes(s, &flow);
    flow.active += given_power(s) + tendon_power(s);
    return flow;
}
