// method/quaternion/levels.c - rows asked on the level of positions, velocities or accelerations, or of a
// sum of the three.                                                             [COOK (198)-(205)]
//
//   c = w_p C + w_v C' + w_a C''      C' = H V + C_t,   C'' = H A + (H' V + C_t')
//
// with the velocities and accelerations that the stage gives to a pose, V = v_hat + (c_v / c_q) (q - q_hat)
// and A = (q - q_hat) / c_q. Moving a body moves c by about (w_p + w_v c_v / c_q + w_a / c_q) H: divided
// by that, c is in metres like C itself, and H stays its gradient but for terms of the order of a step,
// which Newton makes up for.
#include "method/quaternion/stage.h"

#include <string.h>

// How fast rows open if velocities were the accelerations of the stage: H A.
static void row_accelerations(maximal_system* s, double* out)
{
    const tml_model* m = s->model;
    const form_stage* stage = s->stage;
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[m->node_body[n]];
        const double* x = &s->x[n * POSE_WIDTH];
        const double* hat = &stage->q_hat[n * POSE_WIDTH];
        const quat q = {x[3], x[4], x[5], x[6]};
        const quat a = {(x[3] - hat[3]) / stage->c_q, (x[4] - hat[4]) / stage->c_q,
                        (x[5] - hat[5]) / stage->c_q, (x[6] - hat[6]) / stage->c_q};
        v3_store(&s->ahead_dx[6 * n], b->v);
        v3_store(&s->ahead_dx[6 * n + 3], b->omega);
        b->v = v3_scale(1.0 / stage->c_q, v3_sub(v3_load(x), v3_load(hat)));
        b->omega = v3_scale(2.0 / q_dot(q, q), q_G(q, a));  // G(q') q' = 0
    }
    tml__maximal_row_rates(s, out);
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[m->node_body[n]];
        b->v = v3_load(&s->ahead_dx[6 * n]);
        b->omega = v3_load(&s->ahead_dx[6 * n + 3]);
    }
}

double tml__quat_level_rows(maximal_system* s)
{
    const row_level* w = &s->level;
    const form_stage* stage = s->stage;
    const double scale = w->position + (w->velocity * stage->c_v + w->acceleration) / stage->c_q;
    double* rate = s->level_rate;  // a line search still needs its own arrays
    double* bias = s->level_bias;
    double* opening = s->ahead_dl;
    double largest = 0.0;

    tml__maximal_row_motions(s, rate, bias);
    tml__maximal_row_rates(s, opening);
    // joints and couplings; ties are on velocities as they are, limits on positions
    for (int row = 0; row < s->first_tie; row++) rate[row] += opening[row];
    row_accelerations(s, opening);
    for (int row = 0; row < s->first_tie; row++) {
        if (s->compliance[row] > 0.0) continue;
        s->C[row] = (w->position * s->C[row] + w->velocity * rate[row] +
                     w->acceleration * (opening[row] + bias[row])) /
                    scale;
    }
    for (int row = 0; row < s->row_count; row++) {
        if (!(s->compliance[row] > 0.0)) largest = tml__larger(largest, s->C[row]);
    }
    return largest;
}
