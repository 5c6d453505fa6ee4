// method/generalized/stiff.c - springs taken where a step ends.                        [COOK Sec 7]
#include "method/generalized/stiff.h"

#include "force/axis.h"

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
    const int at = id.joint * TML_AXES + (int)id.axis;
    const axis_data* a = &j->axis[id.axis];
    const drive none = {0};
    sprung_axis out = {0};
    if (!tml__axis_is_sprung(a)) return out;
    out.q = tml__coordinate_rigid(j, id.axis, s->hints[at], &s->frames[id.joint]);
    const axis_force f = tml__axis_force(a, out.q.value, 0.0, &none, &s->targets.servo[at]);
    if (f.dQ_ds < 0.0) out.stiffness = -f.dQ_ds;
    if (f.dQ_drate < 0.0) out.damping = -f.dQ_drate;
    return out;
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

#include <stdlib.h>
static mat3 tense(vec3 force, vec3 l)
{
    static double c=-1; if(c<0) c=getenv("KC")?atof(getenv("KC")):0.25;
    const double length = v3_norm(l);
    if (!(length > 0.0)) return m3_scale(0.0, m3_identity());
    const vec3 e = v3_scale(1.0 / length, l);
    const double k = 0.5 * (v3_norm(force) * length + v3_dot(force, l));
    return m3_scale(-c * k, m3_skew_skew(e, e));
}

void tml__gen_soak(gen_motion* m, double h)
{
    gen_tree* t = m->tree;
    const bool has_drag = tml__gen_soaks(m);
    t->has_drag = has_drag || m->carry != NULL;
    if (!t->has_drag) return;
    if (has_drag) soak_drag(m, h);
    else memset(t->drag, 0, (size_t)t->body_count * sizeof *t->drag);
    if (m->carry == NULL) return;
    static double mass[100000];
    const vec3 g = m->s->model->all.gravity;
    for (int at = 0; at < t->body_count; at++) mass[at] = t->bodies[at].mass;
    for (int at = t->body_count - 1; at >= 0; at--) {
        const gen_body* b = &t->bodies[at];
        const vec3 pivot = b->joint < 0 ? t->c[at] : v3_add(t->c[at], m3_apply(t->R[at], b->outer.point));
        mat3 K = tense(v3_scale(b->mass, g), v3_sub(t->c[at], pivot));
        t->drag[at].second = m3_add(t->drag[at].second, m3_scale(h * h, K));
        if (b->parent < 0) continue;
        mass[b->parent] += mass[at];
        const gen_body* p = &t->bodies[b->parent];
        const vec3 base = p->joint < 0 ? t->c[b->parent] : v3_add(t->c[b->parent], m3_apply(t->R[b->parent], p->outer.point));
        const vec3 tip = v3_add(t->c[b->parent], m3_apply(t->R[b->parent], b->inner.point));
        K = tense(v3_scale(mass[at], g), v3_sub(tip, base));
        t->drag[b->parent].second = m3_add(t->drag[b->parent].second, m3_scale(h * h, K));
    }
}
