// joint/summary.c - what a model says about itself before any formulation touches it.
#include "joint/rigid.h"

// A joint at the initial poses and the controls' first targets.
static void initial_frame(const tml_model* m, int joint, joint_rows* rows, drive targets[TML_AXES],
                          joint_frame* frame)
{
    const joint_data* j = &m->joints[joint];
    const int index[2] = {j->follower, j->base};
    joint_turn turn;
    rigid bodies[2];

    for (int k = 0; k < TML_AXES; k++) targets[k] = tml__control_eval(&j->axis[k].control, 0.0);
    for (int b = 0; b < 2; b++) {
        const body_data* body = &m->bodies[index[b]];
        bodies[b] = (rigid){.c = body->c, .q = body->q, .R = q_matrix(body->q)};
    }
    tml__joint_rows(j, rows);
    tml__joint_turn(j, rows, targets, &turn);
    tml__joint_frame(j, &turn, &bodies[0], &bodies[1], frame);
}

// The rows of one joint at the initial poses and the controls' first targets. Returns the joint's
// consistency.
static double initial_rows(const tml_model* m, int joint, joint_rows* rows, double C[6])
{
    const joint_data* j = &m->joints[joint];
    drive targets[TML_AXES];
    joint_frame frame;
    initial_frame(m, joint, rows, targets, &frame);
    for (int r = 0; r < rows->count; r++) {
        C[r] = tml__row_eval(j, &rows->row[r], &frame, &targets[rows->row[r].axis]).C;
        if (j->axis[rows->row[r].axis].compliance > 0.0) C[r] = 0.0;
    }
    return tml__joint_consistency(rows, &frame);
}

static double larger(double a, double b) { return a > b ? a : b; }

tml_status tml_model_joint_gap(const tml_model* model, tml_joint joint, double* length,
                               double* angle)
{
    if (model == NULL || length == NULL || angle == NULL) return TML_BAD_ARGUMENT;
    if (joint.index < 0 || joint.index >= model->all.joint_count) return TML_BAD_ARGUMENT;
    joint_rows rows;
    double C[6];
    const double consistency = initial_rows(model, joint.index, &rows, C);

    *length = 0.0;
    *angle = 0.0;
    for (int r = 0; r < rows.count; r++) {
        if ((int)rows.row[r].axis < 3)
            *length = larger(*length, fabs(C[r]));
        else if (rows.row[r].kind == ROW_ANGLE)
            *angle = larger(*angle, fabs(C[r]));
        else
            *angle = larger(*angle, fabs(tml__asin(C[r])));
    }
    // beyond a quarter turn the sines of the rows fall again: half a turn off, they are all zero
    if (consistency < 0.0) {
        const double sine = sqrt((1.0 - consistency) * (1.0 + consistency));
        *angle = larger(*angle, tml__atan2(sine, consistency));
    }
    return TML_OK;
}

// The row of a coupling at the initial poses; angles on the turn of their targets.
static double initial_coupling(const tml_model* m, int coupling)
{
    const tml_coupling_def* c = &m->all.couplings[coupling];
    double sum = c->offset;
    for (int t = 0; t < c->term_count; t++) {
        const tml_coupling_term* term = &c->terms[t];
        const int joint = term->joint.index;
        drive targets[TML_AXES];
        joint_rows rows;
        joint_frame frame;
        initial_frame(m, joint, &rows, targets, &frame);
        const double q =
            tml__coordinate_rigid(&m->joints[joint], term->axis, targets[term->axis].value, &frame)
                .value;
        double power = 1.0;
        for (int k = 0; k < term->degree; k++) {
            power *= q;
            sum += term->coefficient[k] * power;
        }
    }
    return sum;
}

static void count_axes(const tml_model* m, tml_model_summary* out)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (!a->is_free) continue;
            if (a->actuation == TML_POSITION) out->position_actuators++;
            if (a->actuation == TML_FORCE) out->force_actuators++;
            if (a->has_limits) out->limits++;
        }
    }
}

tml_model_summary tml_model_summarise(const tml_model* model)
{
    if (model == NULL) return (tml_model_summary){0};
    tml_model_summary out = {
        .bodies = model->all.body_count,
        .fixed_bodies = model->all.body_count - model->node_count,
        .joints = model->all.joint_count,
        .rows = model->row_count,
        .couplings = model->all.coupling_count,
        .loops = model->loops,
        .forces = model->all.spring_count + model->all.wrench_count + model->all.drag_count,
    };
    for (int n = 0; n < model->node_count; n++) out.mass += model->bodies[model->node_body[n]].mass;
    for (int j = 0; j < model->all.joint_count; j++) {
        joint_rows rows;
        double C[6];
        const double consistency = initial_rows(model, j, &rows, C);
        for (int r = 0; r < rows.count; r++) out.max_gap = larger(out.max_gap, fabs(C[r]));
        // rows are sines: a joint half a turn off has none left, and is as open as can be
        if (consistency < 0.0) out.max_gap = larger(out.max_gap, 1.0);
    }
    for (int i = 0; i < model->all.coupling_count; i++) {
        if (model->all.couplings[i].compliance > 0.0) continue;
        out.max_gap = larger(out.max_gap, fabs(initial_coupling(model, i)));
    }
    count_axes(model, &out);
    return out;
}
