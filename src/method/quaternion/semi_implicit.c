// method/quaternion/semi_implicit.c - the drifting baseline of the paper.            [QRBD App D]
//
//   [ M  C^T ] [ u      ]   [ M u_0 - h (gyro - forces)                 ]
//   [ C   0  ] [-h lambda ] = [ -C_t - (alpha / h) C                      ]     [QRBD (48)-(50)]
// everything evaluated at the start of the step; then c += h v, q = exp(h omega) q, the rotation
// vector acting from the left. [QRBD (52)] prints exp(h omega) without saying of what.
#include "method/quaternion/stage.h"

#include <string.h>

// Rates of the targets as the paper takes them: differences over the step.
static void difference_targets(maximal_system* s, double h)
{
    for (int i = 0; i < s->model->all.joint_count * TML_AXES; i++) {
        drive* now = &s->targets.axis[i];
        now->rate = (s->ahead[i].value - now->value) / h;
        now->acceleration = 0.0;
    }
    for (int j = 0; j < s->model->all.joint_count; j++) {
        tml__joint_turn(&s->model->joints[j], &s->rows[j], &s->targets.axis[j * TML_AXES],
                        &s->turns[j]);
    }
    s->is_aimed = false;  // no longer what time says
}

// Given targets already carry the rate over the step: go back to where they started.
static void step_back(maximal_system* s, double h)
{
    for (int i = 0; i < s->model->all.joint_count * TML_AXES; i++) {
        drive* now = &s->targets.axis[i];
        now->value -= h * now->rate;
        now->acceleration = 0.0;
    }
    for (int j = 0; j < s->model->all.joint_count; j++) {
        tml__joint_turn(&s->model->joints[j], &s->rows[j], &s->targets.axis[j * TML_AXES],
                        &s->turns[j]);
    }
    s->is_aimed = false;  // no longer what time says
}

tml_status tml__quat_semi_implicit(maximal_system* s, const quat_explicit* step, double* x,
                                   double* v, double* lambda)
{
    const double h = step->h;
    const size_t targets = (size_t)s->model->all.joint_count * TML_AXES;

    tml__maximal_time(s, step->t + h, step->given);
    memcpy(s->ahead, s->targets.axis, targets * sizeof *s->ahead);
    if (step->given == NULL) {
        tml__maximal_time(s, step->t, NULL);
        difference_targets(s, h);
    } else {
        step_back(s, h);
    }

    // M (u - u_0) = h (forces - gyro + C^T lambda): the accelerations with the rows' velocities
    // prescribed instead of their accelerations
    tml__maximal_place(s, x, v);
    const tml_status status = tml__maximal_impulse(s, h, step->baumgarte, s->dx, lambda);
    if (status != TML_OK) return status;

    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        const vec3 linear = v3_add(b->v, v3_load(&s->dx[6 * n]));
        const vec3 omega = v3_add(b->omega, v3_load(&s->dx[6 * n + 3]));
        double motion[6];
        double* at = &x[n * POSE_WIDTH];
        v3_store(motion, linear);
        v3_store(motion + 3, omega);
        tml__maximal_displace(at, at, motion, h);
        tml__maximal_store_velocity(at, linear, omega, &v[n * POSE_WIDTH]);
    }
    return TML_OK;
}
