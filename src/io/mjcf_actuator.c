// io/mjcf_actuator.c - actuators of MJCF as forces and servos on joints, and tension of tendons.
//
// Every actuator whose force is affine in its length l = gear q is
//     f = gain u + b0 + b1 l + b2 dl/dt,         on the joint: gear f
// which is a constant force, a spring towards a target (b1 < 0) and a damper (b2 < 0). The control u
// is that of the keyframe, zero when there is none.
#include "io/mjcf.h"

#include <string.h>

typedef struct affine {
    double gain;
    double bias[3];
} affine;

// ---- the law

static void read_general(const mjcf_element* a, affine* law)
{
    double gain[10] = {1.0};
    double bias[10] = {0.0};
    tml__mjcf_list(a, "gainprm", 0, 10, gain);
    tml__mjcf_list(a, "biasprm", 0, 10, bias);
    law->gain = gain[0];
    if (tml__mjcf_is(a, "biastype", "affine")) memcpy(law->bias, bias, sizeof law->bias);
    const char* gaintype = tml__mjcf_get(a, "gaintype");
    if (gaintype != NULL && strcmp(gaintype, "fixed") != 0) {
        tml__robot_lint(a->m->r, a->e, "actuator whose gain depends on its state",
                        "its gain is taken at zero");
    }
}

static void read_position(const mjcf_element* a, affine* law)
{
    double kp = 1.0;
    double kv = 0.0;
    double ratio = 0.0;
    tml__mjcf_number(a, "kp", &kp);
    tml__mjcf_number(a, "kv", &kv);
    if (tml__mjcf_number(a, "dampratio", &ratio)) {
        tml__robot_lint(a->m->r, a->e, "dampratio of a servo", "the servo has no damping");
    }
    *law = (affine){kp, {0.0, -kp, -kv}};
}

// The law of an actuator; false when it is none of the affine ones.
static bool read_law(const mjcf_element* a, affine* law)
{
    double kv = 1.0;
    *law = (affine){1.0, {0.0, 0.0, 0.0}};
    if (tml__xml_is(a->e, "motor")) return true;
    if (tml__xml_is(a->e, "position") || tml__xml_is(a->e, "intvelocity")) {
        read_position(a, law);
        return tml__xml_is(a->e, "position");
    }
    if (tml__xml_is(a->e, "velocity")) {
        tml__mjcf_number(a, "kv", &kv);
        *law = (affine){kv, {0.0, 0.0, -kv}};
        return true;
    }
    if (tml__xml_is(a->e, "damper")) {
        tml__mjcf_number(a, "kv", &kv);
        *law = (affine){0.0, {0.0, 0.0, 0.0}};
        tml__robot_lint(a->m->r, a->e, "damper driven by its control", "without effect");
        return true;
    }
    if (tml__xml_is(a->e, "general")) {
        read_general(a, law);
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

static void note(const mjcf_element* a)
{
    double x[10] = {0.0};
    if (get_list(a, "ctrlrange", 2, x)) {
        tml__robot_lint(a->m->r, a->e, "control range of an actuator",
                        "kept by the control of the file, not by others that are given");
    }
    if (get_list(a, "forcerange", 2, x)) {
        tml__robot_lint(a->m->r, a->e, "force range of an actuator", "not enforced");
    }
    if (tml__mjcf_is_muscle(a)) return;  // whose activation is simulated
    const char* dynamics = tml__mjcf_get(a, "dyntype");
    if (dynamics != NULL && strcmp(dynamics, "none") != 0) {
        tml__robot_lint(a->m->r, a->e, "activation dynamics of an actuator",
                        "its control acts at once");
    }
    double time = 0.0;
    if (tml__mjcf_number(a, "timeconst", &time) && time != 0.0) {
        tml__robot_lint(a->m->r, a->e, "activation dynamics of an actuator",
                        "its control acts at once");
    }
}

// ---- on a joint

// Springs in parallel: stiffnesses add, and so do their forces.
static void add_servo(movement* to, double stiffness, double damping, double force)
{
    tml_joint_axis* d = &to->drive;
    const double before = d->has_servo ? d->servo_stiffness * d->servo_target.value : 0.0;
    d->has_servo = 1;
    d->servo_stiffness += stiffness;
    d->servo_damping += damping;
    const double target = d->servo_stiffness > 0.0 ? (before + force) / d->servo_stiffness : 0.0;
    d->servo_target = tml_control_constant(target);
}

static void add_force(movement* to, double force)
{
    tml_joint_axis* d = &to->drive;
    d->actuation = TML_FORCE;
    const double before = d->control.kind == TML_CONTROL_CONSTANT ? d->control.value : 0.0;
    if (before + force != 0.0) d->control = tml_control_constant(before + force);
}

static void drive_joint(const mjcf_element* a, int at, const affine* law, double gear, double u)
{
    movement* to = &a->m->r->movements[at];
    const double constant = gear * (law->gain * u + law->bias[0]);
    const double stiffness = -gear * gear * law->bias[1];
    const double damping = -gear * gear * law->bias[2];
    if (stiffness < 0.0 || damping < 0.0) {
        tml__robot_lint(a->m->r, a->e, "actuator that drives a joint away", "left out");
        return;
    }
    if (stiffness > 0.0) {
        add_servo(to, stiffness, damping, constant);
        return;
    }
    add_force(to, constant);
    to->drive.damping += damping;
}

// ---- on a tendon

static void drive_tendon(const mjcf_element* a, int tendon, const affine* law, double gear,
                         double u)
{
    mjcf* m = a->m;
    const mjcf_tendon* t = &m->tendons[tendon];
    const double constant = gear * (law->gain * u + law->bias[0]);
    const double stiffness = -gear * gear * law->bias[1];
    if (law->bias[2] != 0.0) {
        tml__robot_lint(m->r, a->e, "damping of a servo on a tendon", "not simulated");
    }
    if (!t->is_fixed) {
        strand* s = t->strand >= 0 ? &m->r->strands[t->strand] : NULL;
        if (s != NULL) s->tension -= constant;  // a positive force lengthens the tendon
        if (stiffness != 0.0) {
            tml__robot_lint(m->r, a->e, "servo on a spatial tendon", "not simulated");
        }
        return;
    }
    if (!(stiffness > 0.0)) {
        for (int i = 0; i < t->term_count; i++) {
            const tendon_term* term = &m->terms[t->first_term + i];
            add_force(&m->r->movements[term->movement], constant * term->coefficient);
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
    const bool is_asked = tml__mjcf_is(a, "ctrllimited", "true");
    const bool is_refused = tml__mjcf_is(a, "ctrllimited", "false") || !m->is_auto_limited;
    if (is_refused && !is_asked) return u;
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
        note(&a);
        const int at = tendon != NULL ? find_tendon(m, e, tendon) : -1;
        if (m->r->status == TML_OK) tml__mjcf_muscle(&a, at, gear[0], u);
        return;
    }
    if (!read_law(&a, &law)) {
        tml__robot_lint(m->r, e, "actuator of another kind", "left out: its force is zero");
        return;
    }
    note(&a);
    if (joint != NULL) {
        const int at = tml__robot_find_movement(m->r, joint);
        if (at < 0) {
            tml__robot_refuse(m->r, e, TML_BAD_ARGUMENT, "there is no joint '%.120s'", joint);
        } else if (m->r->movements[at].kind > MOVE_SLIDE) {
            tml__robot_lint(m->r, e, "actuator of a ball or free joint", "not simulated");
        } else {
            drive_joint(&a, at, &law, gear[0], u);
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
