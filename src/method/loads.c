// method/loads.c - what joints transmit, and sentences about what went wrong.
#include "force/axis.h"
#include "method/maximal.h"

#include <math.h>
#include <stdio.h>

// lambda along a gradient: its torque about the centre of mass, less the arm of its force.
static void carry(joint_load* to, const joint_frame* frame, const rigid_gradient* g, double lambda)
{
    const vec3 about_point = v3_sub(g->t_F, v3_cross(frame->r_F, g->n));
    to->force = v3_axpy(to->force, lambda, g->n);
    to->moment = v3_axpy(to->moment, lambda, about_point);
}

// Motors, springs, dampers and servos of one joint.
static void carry_axis_forces(const maximal_system* s, int joint, joint_load* to)
{
    const joint_data* j = &s->model->joints[joint];
    const joint_frame* frame = &s->frames[joint];

    for (int k = 0; k < COORDINATES; k = tml__next_force(j, k)) {
        const axis_data* a = tml__joint_axis(j, k);
        const int at = tml__axis_slot(joint, k);
        const drive none = {0};
        const drive* control = &s->targets.axis[at];
        if (!tml__axis_is_forced(a)) continue;
        if (tml__axis_is_base_torque(j, k)) {
            to->moment = v3_axpy(to->moment, control->value, frame->B.axis[k - 3]);
            control = &none;
            if (!tml__axis_is_sprung(a)) continue;
        }
        const double hint = tml__maximal_hint(s, joint, (tml_axis)k);
        const coordinate_rigid q = tml__coordinate_rigid(j, (tml_axis)k, hint, frame);
        const double rate = rigid_rate(&q.g, &s->bodies[j->follower], &s->bodies[j->base]);
        const axis_force f = tml__axis_force(a, q.value, rate, control, &s->targets.servo[at]);
        carry(to, frame, &q.g, f.Q);
    }
}

void tml__maximal_joint_loads(const maximal_system* s, const double* lambda, joint_load* out)
{
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        out[j] = (joint_load){.force = v3_zero()};
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            carry(&out[j], &s->frames[j], &s->gradient[row], lambda[row]);
        }
        carry_axis_forces(s, j, &out[j]);
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (s->sides[i] == LIMIT_OFF) continue;
        carry(&out[limit->joint], &s->frames[limit->joint], &s->gradient[limit->row],
              lambda[limit->row]);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        for (int k = 0; k < c->term_count; k++) {
            const int t = s->first_term[i] + k;
            const int j = c->terms[k].joint.index;
            carry(&out[j], &s->frames[j], &s->term_gradient[t],
                  lambda[s->first_coupling + i] * s->term_slope[t]);
        }
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_load world = out[j];
        for (int k = 0; k < 3; k++) {
            v3_set(&out[j].force, k, v3_dot(s->frames[j].B.axis[k], world.force));
            v3_set(&out[j].moment, k, v3_dot(s->frames[j].B.axis[k], world.moment));
        }
    }
}

// ---- sentences

void tml__maximal_row_name(const maximal_system* s, int row, char* text, size_t capacity)
{
    const definitions* all = &s->model->all;

    if (row >= s->first_limit) {
        const limit_row* limit = &s->limits[row - s->first_limit];
        snprintf(text, capacity, "joint '%s' (limit of %s)", all->joints[limit->joint].name,
                 tml_axis_name(limit->axis));
        return;
    }
    if (row >= s->first_tie) {
        static const char* const what[] = {"height", "first slip", "second slip"};
        const int tie = s->tie_of[row - s->first_tie];
        int k = 0;
        while (row - k > s->first_tie && s->tie_of[row - k - 1 - s->first_tie] == tie) k++;
        const bool is_edge = s->model->nonholonomics[tie].kind == TML_KNIFE_EDGE;
        snprintf(text, capacity, "nonholonomic '%s' (%s)", all->nonholonomics[tie].name,
                 is_edge ? "slip" : what[k]);
        return;
    }
    if (row >= s->first_coupling) {
        snprintf(text, capacity, "coupling '%s'", all->couplings[row - s->first_coupling].name);
        return;
    }
    int j = 0;
    while (s->first_row[j + 1] <= row) j++;
    const joint_row* r = &s->rows[j].row[row - s->first_row[j]];
    const char* what = (int)r->axis < 3 ? "gap along" : "turn about";
    snprintf(text, capacity, "joint '%s' (%s %s)", all->joints[j].name, what,
             tml_axis_name(r->axis));
}

static int worst_row(const maximal_system* s)
{
    int worst = -1;
    double largest = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        if (fabs(s->C[row]) <= largest) continue;
        largest = fabs(s->C[row]);
        worst = row;
        if (!(largest >= 0.0)) return worst;  // not a number: no comparison with it holds
    }
    return worst;
}

// The body with the largest entry of the residual, -1 when nothing moves.
static int worst_body(const maximal_system* s, double* largest)
{
    int worst = -1;
    *largest = -1.0;
    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 6; k++) {
            const double value = fabs(s->residual[6 * n + k]);
            if (value <= *largest) continue;
            *largest = value;  // a NaN wins at once: no comparison with it holds
            worst = s->model->node_body[n];
            if (!(value >= 0.0)) return worst;
        }
    }
    return worst;
}

// What else may be behind a stall: a joint about to turn over, or a spring without a direction.
static void add_suspects(const maximal_system* s, char* text, size_t capacity)
{
    const tml_model* m = s->model;
    double least = 0.5;  // of 1: a joint that is off by more than 60 degrees
    int joint = -1;
    text[0] = '\0';
    const bool is_brief = s->is_plain && s->stood == s->placements && s->framed != s->placements;
    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_data* data = &m->joints[j];
        joint_frame frame;  // where a solve has not kept them
        if (is_brief) {
            tml__joint_frame(data, tml__maximal_turn(s, j), &s->bodies[data->follower],
                             &s->bodies[data->base], &frame);
        }
        const double consistency =
            tml__joint_consistency(&s->rows[j], is_brief ? &frame : &s->frames[j]);
        if (consistency >= least) continue;
        least = consistency;
        joint = j;
    }
    if (joint >= 0) {
        snprintf(text, capacity, "; joint '%.60s' is about to turn over (consistency %.2g)",
                 m->all.joints[joint].name, least);
        return;
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        for (int p = 1; p < spring->point_count; p++) {
            const rigid* a = &s->bodies[spring->body[p - 1]];
            const rigid* b = &s->bodies[spring->body[p]];
            const vec3 from = v3_add(a->c, m3_apply(a->R, spring->point[p - 1]));
            const vec3 to = v3_add(b->c, m3_apply(b->R, spring->point[p]));
            if (v3_norm(v3_sub(to, from)) > 1e-6) continue;  // m
            snprintf(text, capacity, "; spring '%.60s' has no length, hence no direction",
                     m->all.springs[i].name);
            return;
        }
    }
}

tml_status tml__maximal_describe_failure(const maximal_system* s, tml_status status,
                                         const newton_report* report, message* why)
{
    char name[256] = "no row";
    double imbalance = 0.0;
    const int row = worst_row(s);
    const int body = worst_body(s, &imbalance);

    const char* where = body >= 0 ? s->model->all.bodies[body].name : "none";

    if (status < TML_OK) return tml__fail(why, status, "the linear equations could not be solved");
    if (row >= 0) tml__maximal_row_name(s, row, name, sizeof name);
    if (row >= 0 && !isfinite(s->C[row])) {
        return tml__fail(why, TML_NOT_CONVERGED, "the equations are not finite: %g in %s",
                         s->C[row], name);
    }
    if (!isfinite(imbalance)) {
        return tml__fail(why, TML_NOT_CONVERGED, "the equations are not finite: %g on body '%s'",
                         imbalance, where);
    }
    if (status == TML_SINGULAR && s->bad_row >= 0) {
        tml__maximal_row_name(s, s->bad_row, name, sizeof name);
        return tml__fail(why, status,
                         "the equations have no unique solution: %s depends on other rows or "
                         "contradicts them",
                         name);
    }
    if (status == TML_SINGULAR || report == NULL) {
        return tml__fail(why, status,
                         "the equations have no unique solution: no row can be blamed; largest row "
                         "%.2g in %s, largest force %.2g on body '%s'",
                         row >= 0 ? fabs(s->C[row]) : 0.0, name, imbalance, where);
    }
    char suspects[200];
    add_suspects(s, suspects, sizeof suspects);
    // what rounded places leave open, where no motion closes it any more
    if (suspects[0] == '\0' && s->may_be_redundant && sqrt(report->last.merit) < 1e-6) {
        snprintf(suspects, sizeof suspects,
                 "; the loops close no further: joints whose places were rounded contradict each "
                 "other, give one of them compliance");
    }
    return tml__fail(
        why, status,
        "Newton stalled after %d iterations: residual %.2g m or rad, last update %.2g; largest "
        "row %.2g in %s, largest force imbalance on body '%s'%s",
        report->iterations, sqrt(report->last.merit), report->update,
        row >= 0 ? fabs(s->C[row]) : 0.0, name, where, suspects);
}
