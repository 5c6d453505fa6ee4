// method/generalized/stiff.c - springs taken where a step ends.                        [COOK Sec 7]
#include "method/generalized/stiff.h"

#include "force/axis.h"

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
    const int at = id.joint * TML_AXES + (int)id.axis;
    const axis_data* a = &j->axis[id.axis];
    sprung_axis out = {0};
    if (!tml__axis_is_sprung(a)) return out;
    out.q = tml__coordinate_rigid(j, id.axis, s->hints[at], &s->frames[id.joint]);
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
        const axis_data* a = &s->model->joints[id.joint].axis[id.axis];
        if (k < 0 || !a->has_force_limits || !a->has_servo) continue;
        m->damping[k] = look_at(s, id).damping;
    }
}

void tml__gen_stiffen(gen_motion* m, double h, const double* rates)
{
    const maximal_system* s = m->s;
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

void tml__gen_append_stiff(gen_motion* m, gen_rows* r, double h, const double* rates)
{
    maximal_system* s = m->s;
    const tml_model* model = s->model;
    for (int i = 0; i < s->forced_count; i++) {
        if (m->forced_column[i] >= 0) continue;
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
void tml__gen_soak(gen_motion* m, double h)
{
    gen_tree* t = m->tree;
    const tml_model* model = m->s->model;
    t->has_drag = tml__gen_soaks(m);
    for (int at = 0; at < t->body_count && t->has_drag; at++) {
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
