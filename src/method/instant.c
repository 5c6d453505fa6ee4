// method/instant.c - inertial forces of an instant and their changes.
#include "method/instant.h"

void tml__inertia_columns(const void* self, int node, inertia_columns* out)
{
    const inertia_point* at = self;
    const rigid* body = &at->s->bodies[at->s->model->node_body[node]];

    *out = (inertia_columns){.linear = v3_zero()};
    if (at->motion == NULL) return;
    out->linear = v3_load(&at->motion[6 * node]);
    tml__unit_moments(body->R, v3_load(&at->motion[6 * node + 3]), out->turn);
    if (!at->has_gyro) return;
    vec3 moment[6];
    tml__unit_moments(body->R, body->omega, moment);
    for (int i = 0; i < 6; i++) {
        out->turn[i] = v3_add(out->turn[i], v3_cross(body->omega, moment[i]));
    }
}

// d(I x) = (I [x] - [I x]) dphi for a vector x that stays
static mat3 turned_inertia(mat3 I, vec3 x)
{
    return m3_sub(m3_mul(I, m3_skew(x)), m3_skew(m3_apply(I, x)));
}

static void carry3(partial_direction way, const mat3* M, double* input, double* output)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            if (way == PARTIAL_FORWARD) {
                output[r] += M->m[r][c] * input[c];
            } else {
                input[c] += M->m[r][c] * output[r];
            }
        }
    }
}

void tml__inertia_product(const inertia_point* at, partial_direction way, double* pose,
                          double* velocity, double* E)
{
    const tml_model* m = at->s->model;

    for (int n = 0; n < at->s->node_count; n++) {
        const int b = m->node_body[n];
        const rigid* body = &at->s->bodies[b];
        const mat3 I = m3_mul_bt(m3_mul(body->R, m->bodies[b].inertia), body->R);
        mat3 by_pose = turned_inertia(I, v3_load(&at->motion[6 * n + 3]));
        if (at->has_gyro) {
            const mat3 spin = m3_skew(body->omega);
            by_pose = m3_add(by_pose, m3_mul(spin, turned_inertia(I, body->omega)));
            const mat3 by_omega = m3_sub(m3_mul(spin, I), m3_skew(m3_apply(I, body->omega)));
            carry3(way, &by_omega, &velocity[6 * n + 3], &E[6 * n + 3]);
        }
        carry3(way, &by_pose, &pose[6 * n + 3], &E[6 * n + 3]);
    }
}

void tml__add_momenta(const maximal_system* s, double scale, const double* motion, double* out)
{
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const mat3 R = s->bodies[b].R;
        const vec3 spin = m3_apply_t(R, v3_load(&motion[6 * n + 3]));
        const vec3 turning = m3_apply(R, m3_apply(m->bodies[b].inertia, spin));
        for (int k = 0; k < 3; k++) {
            out[6 * n + k] += scale * m->bodies[b].mass * motion[6 * n + k];
            out[6 * n + 3 + k] += scale * v3_at(turning, k);
        }
    }
}
