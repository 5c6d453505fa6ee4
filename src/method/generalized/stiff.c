// method/generalized/stiff.c - springs taken where a step ends.                        [COOK Sec 7]
#include "method/generalized/stiff.h"

#include "force/axis.h"
#include "method/generalized/tension.h"

#include <math.h>
#include <string.h>

// The column of a joint's axis, -1: it has none of its own.
static int column_of(const gen_tree* t, int joint, int axis)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        if (link->kind == LINK_BALL) continue;
        if (t->bodies[t->column_body[link->column]].joint != joint) continue;
        for (int k = 0; k < link->count; k++) {
            if ((link->kind == LINK_TURN ? 3 : 0) + link->letter[k] == axis) {
                return link->column + k;
            }
        }
    }
    return -1;
}

void tml__gen_list_forced_columns(gen_motion* m)
{
    const maximal_system* s = m->s;
    for (int i = 0; i < s->forced_count; i++) {
        m->forced_column[i] = column_of(m->tree, s->forced[i].joint, (int)s->forced[i].axis);
    }
}

// A sprung coordinate at the placed bodies.
typedef struct sprung_axis {
    coordinate_rigid q;
    double stiffness, damping;
} sprung_axis;

static sprung_axis look_at(const maximal_system* s, joint_axis_id id)
{
    const joint_data* j = &s->model->joints[id.joint];
    const int at = tml__axis_slot(id.joint, (int)id.axis);
    const axis_data* a = tml__joint_axis(j, (int)id.axis);
    sprung_axis out = {0};
    if (!tml__axis_is_sprung(a)) return out;
    const double hint = tml__maximal_hint(s, id.joint, id.axis);
    out.q = tml__coordinate_rigid(j, id.axis, hint, &s->frames[id.joint]);
    const double rate = rigid_rate(&out.q.g, &s->bodies[j->follower], &s->bodies[j->base]);
    const axis_force f =
        tml__axis_force(a, out.q.value, rate, &s->targets.axis[at], &s->targets.servo[at]);
    if (f.dQ_ds < 0.0) out.stiffness = -f.dQ_ds;
    if (f.dQ_drate < 0.0) out.damping = -f.dQ_drate;
    return out;
}

double tml__gen_axis_stiffness(const gen_motion* m, int joint, tml_axis axis)
{
    return look_at(m->s, (joint_axis_id){joint, axis}).stiffness;
}

void tml__gen_list_saturated(gen_motion* m)
{
    const maximal_system* s = m->s;
    for (int i = 0; i < s->forced_count; i++) {
        const int k = m->forced_column[i];
        const joint_axis_id id = s->forced[i];
        const axis_data* a = tml__joint_axis(&s->model->joints[id.joint], (int)id.axis);
        if (k < 0 || !a->has_force_limits || !a->has_servo) continue;
        m->damping[k] = look_at(s, id).damping;
    }
}

// Those of a ball in the tree, whose part of H the dampers of balls have made (tml__gen_list_added).
static void stiffen_ball(gen_motion* m, joint_axis_id id, double h, const double* rates)
{
    const gen_tree* t = m->tree;
    const gen_body* b = &t->bodies[t->index[m->s->model->joints[id.joint].follower]];
    const gen_body* at =
        b->joint == id.joint ? b : &t->bodies[t->index[m->s->model->joints[id.joint].base]];
    const double stiffness = look_at(m->s, id).stiffness;
    const vec3 gradient = tml__maximal_coordinate_turn(m->s, id.joint, id.axis);
    for (int i = at->link; i < at->link + at->link_count; i++) {
        const gen_link* link = &t->links[i];
        double rate = 0.0;
        if (link->kind != LINK_BALL) continue;
        for (int k = link->column; k < link->column + 3; k++) {
            rate += v3_dot(gradient, t->S[k].omega) * rates[k];
        }
        for (int k = link->column; k < link->column + 3; k++) {
            m->force[k] -= h * stiffness * rate * v3_dot(gradient, t->S[k].omega);
        }
    }
}

// Is it one of three turns of a ball that the tree holds?
static bool is_of_ball(const gen_motion* m, joint_axis_id id)
{
    const joint_data* j = &m->s->model->joints[id.joint];
    return m->tree->is_held[id.joint] && j->turn_count == 3 && !gen_has_rotor(j) &&
           (int)id.axis >= TML_AXIS_RX;  // a dot, too
}

void tml__gen_stiffen(gen_motion* m, double h, const double* rates)
{
    const maximal_system* s = m->s;
    for (int i = 0; i < s->forced_count && m->is_carried; i++) {
        if (tml__is_dot((int)s->forced[i].axis)) continue;  // it stores nothing
        if (is_of_ball(m, s->forced[i])) stiffen_ball(m, s->forced[i], h, rates);
    }
    for (int i = 0; i < s->forced_count; i++) {
        const int k = m->forced_column[i];
        if (k < 0) continue;
        const double stiffness = look_at(s, s->forced[i]).stiffness;
        m->added[k] += h * h * stiffness;
        m->force[k] -= h * stiffness * rates[k];
    }
}

// The row just appended gives way like a spring and a damper.
static void set_offset(gen_rows* r, double h, double stiffness, double damping, const double* rates)
{
    const int i = r->count - 1;
    const double share = damping / (stiffness * h + damping);
    r->offset[i] = -share * tml__gen_rows_rate(r, i, rates);
}

// What a motion of 1 m/s along a path, or of 1 rad/s about an axis, moves at least: the sum of 1/m of the bodies.
static double lightness(const tml_model* model, int body, bool is_turn)
{
    const body_data* b = &model->bodies[body];
    if (b->node < 0) return 0.0;
    if (!is_turn) return 1.0 / b->mass;
    const double least = fmin(b->inertia.m[0][0], fmin(b->inertia.m[1][1], b->inertia.m[2][2]));
    return 1.0 / least;
}

// Carried motions take at the end of the step what an explicit force could not follow; what is soft stays a force
// of the start, which has all derivatives. The model decides, so that nothing jumps on the way.
static bool is_stiff(const gen_motion* m, double stiffness, double damping, double light)
{
    static const double soft = 1.0;  // an explicit force is stable up to 4
    const double h = m->step;
    return !m->is_carried || h * (h * stiffness + damping) * light > soft;
}

static bool is_stiff_axis(const gen_motion* m, joint_axis_id id)
{
    const tml_model* model = m->s->model;
    const joint_data* j = &model->joints[id.joint];
    const axis_data* a = tml__joint_axis(j, (int)id.axis);
    if (m->is_carried && is_of_ball(m, id)) return false;  // no row: part of H
    const bool is_turn = (int)id.axis >= TML_AXIS_RX;
    const double servo = a->has_servo ? a->servo_stiffness : 0.0;
    const double damping = a->damping + (a->has_servo ? a->servo_damping : 0.0);
    const double light =
        lightness(model, j->follower, is_turn) + lightness(model, j->base, is_turn);
    return is_stiff(m, a->stiffness + servo, damping, light);
}

static bool is_stiff_path(const gen_motion* m, const spring_data* s)
{
    double stiffness = s->stiffness;
    double light = 0.0;
    for (int i = 1; i < s->table_count; i++) {
        const double run = s->table_extensions[i] - s->table_extensions[i - 1];
        stiffness = fmax(stiffness, (s->table_forces[i] - s->table_forces[i - 1]) / run);
    }
    for (int i = 0; i < s->point_count; i++) light += lightness(m->s->model, s->body[i], false);
    return is_stiff(m, stiffness, s->damping + s->rayleigh * stiffness, light);
}

bool tml__gen_has_stiff_rows(const gen_motion* m)
{
    const maximal_system* s = m->s;
    const definitions* all = &s->model->all;
    if (!m->is_implicit) return false;
    if (!m->is_carried) return tml__gen_soaks(m) || s->forced_count + all->spring_count > 0;
    for (int i = 0; i < s->forced_count; i++) {
        if (column_of(m->tree, s->forced[i].joint, (int)s->forced[i].axis) >= 0) continue;
        if (is_stiff_axis(m, s->forced[i])) return true;
    }
    for (int i = 0; i < all->spring_count; i++) {
        if (is_stiff_path(m, &s->model->springs[i])) return true;
    }
    return false;
}

void tml__gen_append_stiff(gen_motion* m, gen_rows* r, double h, const double* rates)
{
    maximal_system* s = m->s;
    const tml_model* model = s->model;
    for (int i = 0; i < s->forced_count; i++) {
        if (m->forced_column[i] >= 0 || !is_stiff_axis(m, s->forced[i])) continue;
        const joint_data* j = &model->joints[s->forced[i].joint];
        const sprung_axis a = look_at(s, s->forced[i]);
        // the dampers of a ball in the tree are part of H + h D
        const double damping = m->tree->is_held[s->forced[i].joint] ? 0.0 : a.damping;
        const double both = a.stiffness * h + damping;
        if (!(both > 0.0)) continue;
        tml__gen_rows_append(r, -1, j->follower, j->base, &a.q.g, h / both);
        set_offset(r, h, a.stiffness, damping, rates);
    }
    for (int i = 0; i < model->all.spring_count; i++) {
        const spring_data* spring = &model->springs[i];
        if (!is_stiff_path(m, spring)) continue;
        tml__spring_eval(spring, s->bodies, s->t, &s->spring);
        const double stiffness = s->spring.dT_dL > 0.0 ? s->spring.dT_dL : 0.0;
        const double damping = s->spring.dT_drate > 0.0 ? s->spring.dT_drate : 0.0;
        const double both = stiffness * h + damping;
        if (!(both > 0.0)) continue;
        tml__gen_rows_append_path(r, spring, &s->spring, h / both);
        set_offset(r, h, stiffness, damping, rates);
    }
}

bool tml__gen_soaks(const gen_motion* m)
{
    const definitions* all = &m->s->model->all;
    return m->is_implicit && (all->drag_count > 0 || all->rayleigh_mass > 0.0);
}

// Force -c v and torque -d omega at the end of a step of h hold back the change of rates like a mass h c
// and moments h d would, and -alpha times the momentum like h alpha times the body.
static void soak_drag(gen_motion* m, double h)
{
    gen_tree* t = m->tree;
    const tml_model* model = m->s->model;
    for (int at = 0; at < t->body_count; at++) {
        double linear = 0.0;
        double angular = 0.0;
        for (int i = 0; i < model->all.drag_count; i++) {
            const tml_drag_def* d = &model->all.drags[i];
            if (d->body.index != t->bodies[at].body) continue;
            linear += h * d->linear;
            angular += h * d->angular;
        }
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        t->drag[at] = si_add(si_of(linear, arm, m3_scale(angular, m3_identity())),
                             si_scale(h * model->all.rayleigh_mass, t->I[at]));
    }
}

void tml__gen_soak(gen_motion* m, double h)
{
    gen_tree* t = m->tree;
    const bool has_drag = tml__gen_soaks(m);
    t->has_drag = has_drag || m->carry != NULL;
    if (has_drag) {
        soak_drag(m, h);
    } else if (t->has_drag) {
        memset(t->drag, 0, (size_t)t->body_count * sizeof *t->drag);
    }
    if (m->carry != NULL) tml__gen_tension_add(t, m->carry->held, h);
}
