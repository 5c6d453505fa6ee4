// method/quaternion/partials.c - how a stage follows what the past says about it, and what bodies are
// made of.                                                                        [QRBD Sec 7]
//
//   E_lin = m (c - c_hat) / c_q        v = v_hat + g (c - c_hat)      g = c_v / c_q
// and the rotation as in inertia.c. Poses are held: the Newton matrix has what they do.
#include "method/quaternion/inertia.h"
#include "method/quaternion/stage.h"

static quat_relation relation_of(const form_stage* stage, int node)
{
    const double* q = &stage->q_hat[node * POSE_WIDTH];
    const double* v = &stage->v_hat[node * POSE_WIDTH];
    return (quat_relation){.c_v = stage->c_v,
                           .c_q = stage->c_q,
                           .q_hat = {q[3], q[4], q[5], q[6]},
                           .w_hat = {v[3], v[4], v[5], v[6]}};
}

static void carry(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

void tml__quat_hat_product(maximal_system* s, const form_stage* stage, partial_direction way,
                           double* q_hat, double* v_hat, double* E, double* velocities)
{
    const tml_model* m = s->model;
    const double g = stage->c_v / stage->c_q;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const quat_relation relation = relation_of(stage, n);
        hat_columns columns;
        double* q = &q_hat[n * POSE_WIDTH];
        double* v = &v_hat[n * POSE_WIDTH];

        for (int k = 0; k < 3; k++) {
            carry(way, &q[k], &E[6 * n + k], -m->bodies[b].mass / stage->c_q);
            carry(way, &q[k], &velocities[6 * n + k], -g);
            carry(way, &v[k], &velocities[6 * n + k], 1.0);
        }
        tml__quat_hat_columns(&m->bodies[b].inertia, s->bodies[b].q, &s->bodies[b].R, &relation,
                              &columns);
        for (int i = 0; i < 8; i++) {
            double* input = i < 4 ? &q[3 + i] : &v[3 + i - 4];
            for (int k = 0; k < 3; k++) {
                carry(way, input, &E[6 * n + 3 + k], v3_at(columns.torque[i], k));
                carry(way, input, &velocities[6 * n + 3 + k], v3_at(columns.omega[i], k));
            }
        }
    }
}

void tml__quat_inertia_columns(const void* self, int node, inertia_columns* out)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const quat_inertia_point* at = self;
    const maximal_system* s = at->system;
    const rigid* body = &s->bodies[s->model->node_body[node]];
    const quat_relation relation = relation_of(at->stage, node);
    const vec3 moved = v3_sub(body->c, v3_load(&at->stage->q_hat[node * POSE_WIDTH]));

    out->linear = v3_scale(1.0 / at->stage->c_q, moved);
    for (int i = 0; i < 6; i++) {
        // the torque is linear in the inertia
        mat3 unit = m3_zero();
        node_inertia one;
        unit.m[row[i]][column[i]] = 1.0;
        unit.m[column[i]][row[i]] = 1.0;
        tml__quat_motion(&unit, body->q, &body->R, &relation, &one);
        out->turn[i] = one.torque;
    }
}
