// form/quaternion/nearest.c - when rows contradict each other: how near can all of them be met?
//
// Levenberg-Marquardt on the sum of squared rows over their slack w, damped by the mass matrix. In
// the saddle form a compliant row is met in the least-squares sense, so the same matrix serves:
//     [ e M  -C^T ] [dx]   [ 0 ]
//     [ C     w   ] [dl] = [-C ]        dx = -(e M + C^T C / w)^-1 C^T C / w
// A target's slack is 1. A joint's starts there too and is taken away bit by bit, so that in the end
// joints are closed and what is left open is what the targets ask in vain.
// Targets out of reach stretch a mechanism straight, where C^T C says nothing about moving sideways
// while the rows stay open: without damping that grows, the steps overshoot for ever.
#include "form/quaternion/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The least damping: weak enough not to hold positions, strong enough to choose among free ones.
static const double least_damping = 1e-9;
static const double most_damping = 1e9;  // no step that small helps: this is the nearest

static const double least_slack = 1e-8;  // of a joint's row

// The axis a row drives, when it is a position actuator.
static bool driven_axis(const quat_system* s, int row, int* joint, tml_axis* axis)
{
    if (row >= s->first_coupling) return false;
    int j = 0;
    while (s->first_row[j + 1] <= row) j++;
    *joint = j;
    *axis = s->rows[j].row[row - s->first_row[j]].axis;
    return s->model->joints[j].axis[*axis].is_free;
}

static double slack_of(const quat_system* s, int row, double of_joints)
{
    int joint = 0;
    tml_axis axis = TML_AXIS_TX;
    return driven_axis(s, row, &joint, &axis) ? 1.0 : of_joints;
}

static double squares(const quat_system* s, double slack)
{
    double sum = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        sum += s->C[row] * s->C[row] / slack_of(s, row, slack);
    }
    return sum;
}

// The step at the iterate; its largest part (m, rad) in *update.
static tml_status step(quat_system* s, double slack, double damping, double* update)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    tml__quat_fill_mass(s);
    tml__quat_fill_rows(s, -1.0);
    for (int i = 0; i < 36 * s->node_count; i++) values->node[i] *= damping;
    for (int row = 0; row < s->row_count; row++) {
        // rows that are off have compliance 1 already, and no gradient
        if (values->compliance[row] != 0.0) s->C[row] = 0.0;
        values->compliance[row] = slack_of(s, row, slack);
        s->dl[row] = -s->C[row];
    }
    memset(s->residual, 0, (size_t)s->node_count * 6 * sizeof(double));
    tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);

    *update = 0.0;
    for (int i = 0; i < 6 * s->node_count && status == TML_OK; i++) {
        if (!(fabs(s->dx[i]) <= *update)) *update = fabs(s->dx[i]);
    }
    return status;
}

// Rows at the iterate; the largest of them.
static double look(quat_system* s)
{
    tml__quat_place(s, s->x, NULL);
    return tml__quat_rows(s);
}

// TML_NOT_CONVERGED when the steps did not come to rest.
static tml_status minimise(quat_system* s, double slack, double* residual)
{
    const size_t bytes = (size_t)s->node_count * QUAT_WIDTH * sizeof(double);
    double damping = least_damping;
    double update = 1.0;

    *residual = look(s);
    for (int pass = 0; pass < 100 && update > 1e-12 && damping < most_damping; pass++) {
        const double before = squares(s, slack);
        const tml_status status = step(s, slack, damping, &update);
        if (status != TML_OK) return status;

        memcpy(s->x_start, s->x, bytes);
        const double fraction = update > 1.0 ? 1.0 / update : 1.0;
        for (int n = 0; n < s->node_count; n++) {
            tml__quat_displace(&s->x[n * QUAT_WIDTH], &s->x_start[n * QUAT_WIDTH], &s->dx[6 * n],
                               fraction);
        }
        *residual = look(s);
        if (squares(s, slack) <= before) {
            damping = 0.1 * damping > least_damping ? 0.1 * damping : least_damping;
        } else {
            memcpy(s->x, s->x_start, bytes);
            *residual = look(s);
            damping *= 10.0;
        }
    }
    const bool is_at_rest = update <= 1e-12 || damping >= most_damping;
    return is_at_rest && isfinite(*residual) ? TML_OK : TML_NOT_CONVERGED;
}

// The largest row that no target asks for.
static double open_joint(const quat_system* s)
{
    double largest = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        const bool is_joint = slack_of(s, row, 0.0) == 0.0;
        if (is_joint && !(fabs(s->C[row]) <= largest)) largest = fabs(s->C[row]);
    }
    return largest;
}

tml_status tml__quat_nearest(quat_system* s, const double* x, double* residual)
{
    tml_status status = TML_OK;

    memcpy(s->x, x, (size_t)s->node_count * QUAT_WIDTH * sizeof(double));
    // on the way it need not come to rest
    for (double slack = 1.0; slack >= 0.5 * least_slack && status >= TML_OK; slack *= 0.01) {
        status = minimise(s, slack, residual);
    }
    // joints left open say nothing about targets: the search got lost (absurd targets do that)
    if (status == TML_OK && !(open_joint(s) <= 1e-6)) return TML_NOT_CONVERGED;
    return status;
}

void tml__quat_describe_infeasible(const quat_system* s, double residual, message* why)
{
    char text[sizeof why->text - 160];
    size_t used = 0;
    int shown = 0;
    text[0] = '\0';
    for (int row = 0; row < s->row_count && shown < 8; row++) {
        int joint = 0;
        tml_axis axis = TML_AXIS_TX;
        if (fabs(s->C[row]) < 0.01 * residual || !driven_axis(s, row, &joint, &axis)) continue;
        const double target = s->targets.axis[joint * TML_AXES + (int)axis].value;
        const double reached = tml__quat_coordinate(s, joint, axis);
        const int length =
            snprintf(text + used, sizeof text - used,
                     "%s'%.40s' %s: target %.6g, nearest reachable %.6g", shown > 0 ? "; " : "",
                     s->model->all.joints[joint].name, tml_axis_name(axis), target, reached);
        if (length < 0 || (size_t)length >= sizeof text - used) break;
        used += (size_t)length;
        shown++;
    }
    tml__fail(why, TML_INFEASIBLE,
              "the position targets contradict the joints: the best that can be done leaves a row "
              "open by %.3g; %s",
              residual, shown > 0 ? text : "no actuator is involved");
}
