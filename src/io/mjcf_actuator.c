// io/mjcf_actuator.c - actuators of MJCF as forces and servos on joints, and tension of tendons.
//
// Every actuator whose force is affine in its length l = gear q is
//     f = gain u + b0 + b1 l + b2 dl/dt,         on the joint: gear f
// which is a force, a spring towards a target (b1 < 0) and a damper (b2 < 0). The control u is that of the
// keyframe, zero when there is none. Force and target are controls of the joint (control.h): inputs that a
// caller may set. Where the actuator has a state of its own, u stands still, so the state's course is known.
#include "io/mjcf.h"
#include "math/scalar.h"

#include <string.h>

typedef struct affine {
    double gain;
    double bias[3];
    double ratio;  // of damping, dampratio; 0: bias[2] says
} affine;

// ---- the law

// With a control that stands still, a gain that is affine in length and speed is a bias too.
static void read_general(const mjcf_element* a, double u, affine* law)
{
    double gain[10] = {1.0};
    double bias[10] = {0.0};
    tml__mjcf_list(a, "gainprm", 0, 10, gain);
    tml__mjcf_list(a, "biasprm", 0, 10, bias);
    law->gain = gain[0];
    if (tml__mjcf_is(a, "biastype", "affine")) memcpy(law->bias, bias, sizeof law->bias);
    if (tml__mjcf_is(a, "gaintype", "affine")) {
        law->bias[1] += gain[1] * u;
        law->bias[2] += gain[2] * u;
        return;
    }
    const char* gaintype = tml__mjcf_get(a, "gaintype");
    if (gaintype != NULL && strcmp(gaintype, "fixed") != 0) {
        tml__robot_lint(a->m->r, a->e, "actuator whose gain depends on its state",
                        "its gain is taken at zero");
    }
    // MuJoCo reads a positive number here as a damping ratio, where gain and bias are those of a servo
    const bool is_servo = law->gain == -law->bias[1];
    if (is_servo && law->bias[2] > 0.0) {
        law->ratio = law->bias[2];
        law->bias[2] = 0.0;
    }
}

static void read_position(const mjcf_element* a, affine* law)
{
    double kp = 1.0;
    double kv = 0.0;
    double ratio = 0.0;
    tml__mjcf_number(a, "kp", &kp);
    tml__mjcf_number(a, "kv", &kv);
    tml__mjcf_number(a, "dampratio", &ratio);
    *law = (affine){kp, {0.0, -kp, -kv}, ratio};
}

// A piston: pressure times area.
static void read_cylinder(const mjcf_element* a, affine* law)
{
    double area = 1.0;
    double diameter = 0.0;
    double bias[3] = {0.0};
    tml__mjcf_number(a, "area", &area);
    if (tml__mjcf_number(a, "diameter", &diameter)) area = 0.25 * TML_PI * diameter * diameter;
    tml__mjcf_list(a, "bias", 0, 3, bias);
    *law = (affine){area, {bias[0], bias[1], bias[2]}, 0.0};
}

// The law of an actuator at its control; false when it is none of the affine ones.
static bool read_law(const mjcf_element* a, double u, affine* law)
{
    double kv = 1.0;
    *law = (affine){.gain = 1.0};
    if (tml__xml_is(a->e, "motor")) return true;
    if (tml__xml_is(a->e, "position") || tml__xml_is(a->e, "intvelocity")) {
        read_position(a, law);
        return true;
    }
    if (tml__xml_is(a->e, "velocity")) {
        tml__mjcf_number(a, "kv", &kv);
        *law = (affine){kv, {0.0, 0.0, -kv}, 0.0};
        return true;
    }
    if (tml__xml_is(a->e, "damper")) {
        tml__mjcf_number(a, "kv", &kv);
        *law = (affine){0.0, {0.0, 0.0, -kv * u}, 0.0};
        return true;
    }
    if (tml__xml_is(a->e, "cylinder")) {
        read_cylinder(a, law);
        return true;
    }
    if (tml__xml_is(a->e, "general")) {
        read_general(a, u, law);
        return true;
    }
    return false;
}

// Attributes that motors and servos share with the general actuator.
static bool get_list(const mjcf_element* a, const char* name, int most, double* out)
{
    if (tml__mjcf_list(a, name, 0, most, out) > 0) return true;
    const mjcf_element general = {a->m, a->e, a->defaults, "general"};
    return tml__mjcf_list(&general, name, 0, most, out) > 0;
}

static bool is_limited(const mjcf_element* a, const char* flag)
{
    if (tml__mjcf_is(a, flag, "true")) return true;
    return !tml__mjcf_is(a, flag, "false") && a->m->is_auto_limited;
}

// ---- activation

// What the law is fed with: the control, or what becomes of it with time where the actuator has a state.
typedef struct activation {
    tml_control_kind kind;
    double end;   // where a filter leads: value (1 - exp(-t / time))
    double time;  // s, of a filter; 0: at once
    double rate;  // of an integrator, 1/s
    double low, high;
} activation;

static activation read_activation(const mjcf_element* a, double u)
{
    activation out = {.end = u, .low = -1e9, .high = 1e9};
    double time = 0.0;
    double range[2] = {0.0, 0.0};
    const char* dynamics = tml__mjcf_get(a, "dyntype");
    if (get_list(a, "actrange", 2, range) && range[0] < range[1]) {
        out.low = range[0];
        out.high = range[1];
    }
    if (tml__xml_is(a->e, "intvelocity")) {
        out.rate = u;
    } else if (tml__xml_is(a->e, "cylinder")) {
        out.time = tml__mjcf_number(a, "timeconst", &time) ? time : 1.0;
    } else if (dynamics != NULL && strcmp(dynamics, "integrator") == 0) {
        out.rate = u;
    } else if (dynamics != NULL && strncmp(dynamics, "filter", 6) == 0) {
        double prm[10] = {1.0};
        tml__mjcf_list(a, "dynprm", 0, 10, prm);
        out.time = prm[0];
    } else if (dynamics != NULL && strcmp(dynamics, "none") != 0) {
        tml__robot_lint(a->m->r, a->e, "activation dynamics of an actuator",
                        "its control acts at once");
    } else if (tml__mjcf_number(a, "timeconst", &time)) {
        out.time = time;
    }
    return out;
}

enum {
    FILTER_POINTS = 400
};

// scale times the activation, plus an offset, as a control. A control that stands still makes a course that is
// known: a ramp, or an exponential as a spline through points that lie denser at its start.
static tml_control course(robot* r, const activation* by, double scale, double offset)
{
    if (by->rate != 0.0) {
        const double bound = by->rate > 0.0 ? by->high : by->low;
        double* t = tml__robot_take(r, 4, sizeof *t);
        if (t == NULL) return tml_control_constant(offset);
        t[1] = fmin(1e6, bound / by->rate);
        t[2] = offset;
        t[3] = offset + scale * by->rate * t[1];
        return (tml_control){.kind = TML_CONTROL_TABLE, .count = 2, .times = t, .samples = t + 2};
    }
    if (!(by->time > 0.0) || by->end == 0.0) return tml_control_constant(offset + scale * by->end);
    double* t = tml__robot_take(r, 2 * FILTER_POINTS, sizeof *t);
    if (t == NULL) return tml_control_constant(offset);
    for (int i = 0; i < FILTER_POINTS; i++) {
        const double x = (double)i / (FILTER_POINTS - 1);
        t[i] = 36.0 * by->time * x * x;
        const double level = by->end * (1.0 - tml__exp(-t[i] / by->time));
        t[FILTER_POINTS + i] = offset + scale * fmin(fmax(level, by->low), by->high);
    }
    return (tml_control){.kind = TML_CONTROL_CUBIC,
                         .count = FILTER_POINTS,
                         .times = t,
                         .samples = t + FILTER_POINTS};
}

// ---- on a joint

// Of controls that both stand still, or where one says nothing.
static bool add_control(tml_control* to, tml_control more)
{
    if (to->kind == TML_CONTROL_NONE || (to->kind == TML_CONTROL_CONSTANT && to->value == 0.0)) {
        *to = more;
        return true;
    }
    if (more.kind != TML_CONTROL_CONSTANT) return false;
    if (to->kind != TML_CONTROL_CONSTANT) return more.value == 0.0;
    to->value += more.value;
    return true;
}

// Springs in parallel: stiffnesses add, and so do their forces.
static bool add_servo(movement* to, double stiffness, double damping, tml_control target)
{
    tml_joint_axis* d = &to->drive;
    const bool is_first = !d->has_servo || d->servo_stiffness == 0.0;
    if (!is_first && stiffness > 0.0 &&
        (d->servo_target.kind != TML_CONTROL_CONSTANT || target.kind != TML_CONTROL_CONSTANT)) {
        return false;
    }
    if (stiffness > 0.0 && !is_first) {
        target.value = (d->servo_stiffness * d->servo_target.value + stiffness * target.value) /
                       (d->servo_stiffness + stiffness);
    }
    if (stiffness > 0.0) d->servo_target = target;
    if (!d->has_servo && stiffness == 0.0) d->servo_target = tml_control_constant(0.0);
    d->has_servo = 1;
    d->servo_stiffness += stiffness;
    d->servo_damping += damping;
    return true;
}

static bool add_force(movement* to, tml_control force)
{
    to->drive.actuation = TML_FORCE;
    return add_control(&to->drive.control, force);
}

static bool is_on(const robot* r, int of, int ancestor)
{
    while (of >= 0 && of != ancestor) of = r->links[of].parent;
    return of == ancestor;
}

// What a movement has to move at the reference pose, the others at rest: its diagonal of the mass matrix.
static double inertia_at(const robot* r, int at)
{
    const movement* m = &r->movements[at];
    const robot_link* own = &r->links[m->link];
    const vec3 axis = q_rotate(own->world.q, m->axis);
    const vec3 point = pose_apply(own->world, m->point);
    double sum = m->drive.armature;
    for (int i = m->link; i < r->link_count; i++) {
        const robot_link* l = &r->links[i];
        if (!is_on(r, i, m->link)) continue;
        if (m->kind == MOVE_SLIDE) {
            sum += l->mass;
            continue;
        }
        const vec3 arm = v3_cross(axis, v3_sub(pose_apply(l->world, l->com), point));
        const vec3 inner = q_rotate(q_conj(l->world.q), axis);
        sum += l->mass * v3_dot(arm, arm) + v3_dot(inner, m3_apply(l->inertia, inner));
    }
    return sum;
}

// kv = 2 ratio sqrt(kp m), m the inertia seen through the gear, as MuJoCo has it.
static double damping_of(const affine* law, double inertia, double gear)
{
    if (!(law->ratio > 0.0)) return -law->bias[2];
    return 2.0 * law->ratio * sqrt(law->gain * inertia / (gear * gear));
}

static void limit_force(const mjcf_element* a, movement* to, double gear)
{
    double range[2] = {0.0, 0.0};
    if (!get_list(a, "forcerange", 2, range) || !is_limited(a, "forcelimited")) return;
    if (!(range[0] < range[1])) return;
    if (to->actuators > 0) {
        tml__robot_lint(a->m->r, a->e, "force range of one of several actuators of a joint",
                        "kept by their sum");
    }
    tml__robot_limit_force(a->m->r, a->e, &to->drive, fmin(gear * range[0], gear * range[1]),
                           fmax(gear * range[0], gear * range[1]));
}

static void drive_joint(const mjcf_element* a, int at, const affine* law, double gear,
                        const activation* by)
{
    robot* r = a->m->r;
    movement* to = &r->movements[at];
    const double stiffness = -gear * gear * law->bias[1];
    const double damping = gear * gear * damping_of(law, inertia_at(r, at), gear);
    if (stiffness < 0.0 || damping < 0.0) {
        tml__robot_lint(r, a->e, "actuator that drives a joint away", "left out");
        return;
    }
    limit_force(a, to, gear);
    to->actuators++;
    const double scale = gear * law->gain;
    const double offset = gear * law->bias[0];
    bool is_added = true;
    if (stiffness > 0.0) {
        // MuJoCo damps the joint's own rate; a servo here damps its difference to the target's
        const tml_control target = course(r, by, scale / stiffness, offset / stiffness);
        const bool is_still = target.kind == TML_CONTROL_CONSTANT;
        is_added = add_servo(to, stiffness, is_still ? damping : 0.0, target);
        if (is_added && !is_still) to->drive.damping += damping;
    } else {
        is_added = add_force(to, course(r, by, scale, offset));
        if (damping > 0.0) add_servo(to, 0.0, damping, tml_control_constant(0.0));
    }
    if (!is_added) {
        tml__robot_lint(r, a->e, "second actuator of a joint whose controls change with time",
                        "left out");
    }
}

// ---- on a tendon

// A positive force lengthens the tendon, so tension is its opposite.
static void pull_strand(const mjcf_element* a, strand* s, double constant, double stiffness,
                        double damping)
{
    if (s == NULL) return;
    s->damping += damping;
    if (stiffness > 0.0 && !(s->stiffness > 0.0)) {
        s->stiffness = stiffness;
        s->rest_length = constant / stiffness;
        if (s->rest_length >= 0.0) return;
        s->rest_length = 0.0;
        s->tension -= constant;
    } else if (stiffness > 0.0) {
        tml__robot_lint(a->m->r, a->e, "servo on a spatial tendon with a spring", "not simulated");
    } else {
        s->tension -= constant;
    }
}

static void drive_tendon(const mjcf_element* a, int tendon, const affine* law, double gear,
                         double u)
{
    mjcf* m = a->m;
    const mjcf_tendon* t = &m->tendons[tendon];
    const double constant = gear * (law->gain * u + law->bias[0]);
    const double stiffness = -gear * gear * law->bias[1];
    double range[2];
    if (get_list(a, "forcerange", 2, range)) {
        tml__robot_lint(m->r, a->e, "force range of an actuator of a tendon", "not enforced");
    }
    if (!t->is_fixed) {
        pull_strand(a, t->strand >= 0 ? &m->r->strands[t->strand] : NULL, constant, stiffness,
                    -gear * gear * law->bias[2]);
        return;
    }
    if (law->bias[2] != 0.0 || law->ratio > 0.0) {
        tml__robot_lint(m->r, a->e, "damping of a servo on a tendon", "not simulated");
    }
    if (!(stiffness > 0.0)) {
        for (int i = 0; i < t->term_count; i++) {
            const tendon_term* term = &m->terms[t->first_term + i];
            movement* to = &m->r->movements[term->movement];
            add_force(to, tml_control_constant(constant * term->coefficient));
        }
        return;
    }
    tie* servo = tml__robot_add_tie(m->r, a->e, tml__xml_attribute(a->e, "name"), t->term_count);
    if (servo == NULL) return;
    for (int i = 0; i < t->term_count; i++) {
        const tendon_term* term = &m->terms[t->first_term + i];
        servo->terms[i] = (tie_term){term->movement, 1, {term->coefficient}};
    }
    servo->offset = -constant / stiffness;
    servo->compliance = 1.0 / stiffness;
}

// The control of the file, kept within its range.
static double control_of(const mjcf_element* a, int index)
{
    const mjcf* m = a->m;
    double u = index < m->control_count ? m->controls[index] : 0.0;
    double range[2] = {0.0, 0.0};
    if (!is_limited(a, "ctrllimited")) return u;
    if (!get_list(a, "ctrlrange", 2, range) || !(range[0] < range[1])) return u;
    if (u < range[0]) u = range[0];
    return u > range[1] ? range[1] : u;
}

static int find_tendon(mjcf* m, const xml* e, const char* name)
{
    const int at = tml__mjcf_find_tendon(m, name);
    if (at < 0) {
        tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no tendon '%.120s'", name);
    }
    return at;
}

static void read_actuator(mjcf* m, const xml* e, int index)
{
    const mjcf_element a = tml__mjcf_open(m, e, NULL, e->name);
    const char* joint = tml__xml_attribute(e, "joint");
    const char* tendon = tml__xml_attribute(e, "tendon");
    affine law;
    double gear[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const double u = control_of(&a, index);
    if (joint == NULL) joint = tml__xml_attribute(e, "jointinparent");
    get_list(&a, "gear", 6, gear);
    if (tml__mjcf_is_muscle(&a)) {
        const int at = tendon != NULL ? find_tendon(m, e, tendon) : -1;
        if (m->r->status == TML_OK) tml__mjcf_muscle(&a, at, gear[0], u);
        return;
    }
    if (!read_law(&a, u, &law)) {
        tml__robot_lint(m->r, e, "actuator of another kind", "left out: its force is zero");
        return;
    }
    const activation by = read_activation(&a, u);
    if (joint != NULL) {
        const int at = tml__robot_find_movement(m->r, joint);
        if (at < 0) {
            tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no joint '%.120s'", joint);
        } else if (m->r->movements[at].kind > MOVE_SLIDE) {
            tml__robot_lint(m->r, e, "actuator of a ball or free joint", "not simulated");
        } else {
            drive_joint(&a, at, &law, gear[0], &by);
        }
    } else if (tendon != NULL) {
        const int at = find_tendon(m, e, tendon);
        if (at >= 0) drive_tendon(&a, at, &law, gear[0], u);
    } else {
        tml__robot_lint(m->r, e, "actuator at a site, on a body or through a slider-crank",
                        "not simulated");
    }
}

void tml__mjcf_actuators(mjcf* m, const xml* section, int* index)
{
    for (const xml* e = section->first; e != NULL && m->r->status == TML_OK; e = e->next) {
        read_actuator(m, e, (*index)++);
    }
}
