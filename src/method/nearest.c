// method/nearest.c - when targets contradict the joints: how near can they be met?
//
//   minimise the sum of C^2 over targets, subject to C = 0 on joints
// by multipliers: joints enter with a small slack w and what they pulled so far, y,
//   minimise  sum of C^2 over targets  +  sum of (C + w y)^2 / w over joints,   then y += C / w
// until the joints are closed. A lever of length L closes by w / (w + L^2) a round, so w shrinks until
// a round gains a digit: cranks of centimetres would never close under the first one. Each of these
// is a least-squares problem, solved by steps that are damped by the mass matrix, each body per unit
// of its mass (Levenberg-Marquardt). In the saddle form a compliant row is met in the least-squares
// sense, so the matrix of every step serves, whatever its solver:
//     [ e M  -C^T ] [dx]   [    0     ]
//     [ C     w   ] [dl] = [-(C + w y)]
// Targets out of reach stretch a mechanism straight, where C^T C says nothing about moving sideways
// while rows stay open: without damping that grows, the steps would overshoot for ever.
//
// scratch: s->lambda holds y, s->lambda_start what each row is
#include "method/maximal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The least damping: weak enough not to hold positions, strong enough for every linear solver.
static const double least_damping = 1e-3;
static const double most_damping = 1e9;  // no step that small helps: this is the nearest
static const double first_slack = 1e-2;
static const double last_slack = 1e-7;  // levers of a millimetre still outweigh it
static const double tight = 1e-12;      // m, rad: what joints are closed to where rounding allows
static const double closed = 1e-8;      // m, rad: and what is asked of them
static const double share = 100.0;      // of what a joint leaves open may show up in a target
static const double lost = 1.0;         // m, rad

enum {
    MAX_ROUNDS = 20,
    MAX_PASSES = 100
};

// What a row is: 0 when it has no say (it gives way, or is a limit that nobody touches).
static const double is_target = 1.0;
static const double is_joint = 2.0;

static void sort_rows(maximal_system* s)
{
    const tml_model* m = s->model;
    double* kind = s->lambda_start;

    for (int j = 0; j < m->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const axis_data* a = &m->joints[j].axis[s->rows[j].row[r].axis];
            kind[s->first_row[j] + r] = a->compliance > 0.0 ? 0.0
                                        : a->is_free        ? is_target
                                                            : is_joint;
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        kind[s->first_coupling + i] = m->all.couplings[i].compliance > 0.0 ? 0.0 : is_joint;
    }
    for (int i = 0; i < s->tie_count; i++) {
        kind[s->first_tie + i] = s->ties[i].is_velocity ? 0.0 : is_joint;
    }
    for (int i = 0; i < s->limit_count; i++) {
        kind[s->limits[i].row] = s->sides[i] == LIMIT_OFF ? 0.0 : is_joint;
    }
}

// C of a target, C + w y of a joint.
static double wanted(const maximal_system* s, int row, double w, double* slack)
{
    const double kind = s->lambda_start[row];
    *slack = kind == is_joint ? w : 1.0;
    if (kind == 0.0) return 0.0;
    return kind == is_joint ? s->C[row] + w * s->lambda[row] : s->C[row];
}

static double squares(const maximal_system* s, double w)
{
    double sum = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        double slack = 1.0;
        const double value = wanted(s, row, w, &slack);
        sum += value * value / slack;
    }
    return sum;
}

// The largest row of one kind.
static double largest_of(const maximal_system* s, double kind)
{
    double largest = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        if (s->lambda_start[row] == kind && !(fabs(s->C[row]) <= largest))
            largest = fabs(s->C[row]);
    }
    return largest;
}

// The step at the iterate; its largest part (m, rad) in *update.
static tml_status step(maximal_system* s, double w, double damping, double* update)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    s->is_still = true;
    tml__maximal_fill_mass(s);
    tml__maximal_fill_rows(s, -1.0);
    s->is_still = false;
    for (int n = 0; n < s->node_count; n++) {
        // per unit of mass: where to look does not depend on what a body weighs
        const double scale = damping / s->model->bodies[s->model->node_body[n]].mass;
        for (int i = 0; i < 36; i++) values->node[36 * n + i] *= scale;
    }
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = -wanted(s, row, w, &values->compliance[row]);
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

static void look(maximal_system* s)
{
    tml__maximal_place(s, s->x, NULL);
    tml__maximal_rows(s);
}

// One least-squares problem, from the iterate in s->x. TML_NOT_CONVERGED: not yet at rest.
static tml_status minimise(maximal_system* s, double w)
{
    const size_t bytes = (size_t)s->node_count * POSE_WIDTH * sizeof(double);
    double damping = least_damping;
    double update = 1.0;
    bool is_at_rest = false;

    for (int pass = 0; pass < MAX_PASSES && update > 1e-11 && damping < most_damping; pass++) {
        const double before = squares(s, w);
        const tml_status status = step(s, w, damping, &update);
        if (status != TML_OK) return status;
        // at rest: the step is small, and so is the slope that damping alone holds it against
        is_at_rest = is_at_rest || (update <= 1e-9 && damping * update <= 1e-6);

        memcpy(s->x_start, s->x, bytes);
        const double fraction = update > 1.0 ? 1.0 / update : 1.0;
        for (int n = 0; n < s->node_count; n++) {
            tml__maximal_displace(&s->x[n * POSE_WIDTH], &s->x_start[n * POSE_WIDTH], &s->dx[6 * n],
                                  fraction);
        }
        look(s);
        if (squares(s, w) <= before) {
            damping = 0.1 * damping > least_damping ? 0.1 * damping : least_damping;
        } else {
            memcpy(s->x, s->x_start, bytes);
            look(s);
            damping *= 10.0;
        }
    }
    return is_at_rest ? TML_OK : TML_NOT_CONVERGED;
}

tml_status tml__maximal_nearest(maximal_system* s, const double* x, double* residual)
{
    memcpy(s->x, x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    memset(s->lambda, 0, (size_t)s->row_count * sizeof(double));
    look(s);
    sort_rows(s);
    tml_status status = TML_NOT_CONVERGED;
    double w = first_slack;
    double open = HUGE_VAL;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        status = minimise(s, w);
        if (status != TML_OK && status != TML_NOT_CONVERGED) return status;
        for (int row = 0; row < s->row_count; row++) {
            if (s->lambda_start[row] == is_joint) s->lambda[row] += s->C[row] / w;
        }
        // joints left open say nothing about targets: the search got lost (absurd targets do that)
        if (!(largest_of(s, is_joint) <= lost)) return TML_NOT_CONVERGED;
        const double now = largest_of(s, is_joint);
        if (status == TML_OK && now <= tight) break;
        // closed well enough, and rounding lets them close no further
        if (status == TML_OK && now <= closed && now > 0.5 * open && w <= last_slack) break;
        if (now > 0.1 * open && w > last_slack) w *= 0.1;
        open = now;
    }
    *residual = largest_of(s, is_target);
    if (!isfinite(*residual) || !(largest_of(s, is_joint) <= closed)) return TML_NOT_CONVERGED;
    if (*residual <= share * largest_of(s, is_joint)) *residual = 0.0;
    return status;
}

// The axis a row drives, when it is a position actuator.
static bool driven_axis(const maximal_system* s, int row, int* joint, tml_axis* axis)
{
    if (s->lambda_start[row] != is_target) return false;
    int j = 0;
    while (s->first_row[j + 1] <= row) j++;
    *joint = j;
    *axis = s->rows[j].row[row - s->first_row[j]].axis;
    return true;
}

void tml__maximal_describe_infeasible(const maximal_system* s, double residual, message* why)
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
        const double reached = tml__maximal_coordinate(s, joint, axis);
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
