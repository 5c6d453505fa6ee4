// sim/arrays.c - the accepted state as whole arrays, and the rates of joints.
#include "sim/sim_internal.h"

#include <trammel/state.h>

#include <string.h>

static bool is_alive(const tml_sim* sim) { return sim != NULL && !sim->is_dead; }

// A body where the accepted state has it: what rates of joints need.
typedef struct moving {
    vec3 c, v, omega;
    mat3 R;
} moving;

static moving moving_of(const tml_sim* sim, int body)
{
    const body_data* b = &sim->model->bodies[body];
    if (b->node < 0) return (moving){.c = b->c, .R = q_matrix(b->q)};
    const double* x = &sim->past_q[0][(size_t)b->node * POSE_WIDTH];
    const double* u = &sim->past_v[0][(size_t)b->node * POSE_WIDTH];
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {u[3], u[4], u[5], u[6]};
    return (moving){.c = v3_load(x),
                    .v = v3_load(u),
                    .omega = v3_scale(2.0 / q_dot(q, q), q_G(q, w)),
                    .R = q_matrix(q_normalize(q))};
}

// Rates of two or three angles. The relative angular velocity is the sum of each rate times its axis:
// the first is fixed in the base, the last in the follower, the middle one at right angles to both.
static void turn_rates(const joint_data* j, mat3 base, mat3 follower, vec3 omega,
                       double out[TML_AXES])
{
    const int n = j->turn_count;
    const vec3 first = m3_column(base, j->turn[0]);
    const vec3 last = m3_column(follower, j->turn[n - 1]);
    if (n == 1) {
        out[3 + j->turn[0]] = v3_dot(first, omega);
        return;
    }
    const double shared = v3_dot(first, last);  // the sine of the middle angle; 0 with two
    if (n == 2) {
        out[3 + j->turn[0]] = v3_dot(first, omega);
        out[3 + j->turn[1]] = v3_dot(last, omega);
        return;
    }
    const double a = v3_dot(first, omega);
    const double b = v3_dot(last, omega);
    const double square = (1.0 - shared) * (1.0 + shared);
    const vec3 across = v3_cross(last, first);  // the middle axis, up to its sign and length
    // square < 1e-14: first and last are one axis, which both turn about: each takes a half
    if (square < 1e-14) {
        out[3 + j->turn[0]] = 0.5 * a;
        out[3 + j->turn[2]] = 0.5 * b;
        out[3 + j->turn[1]] = 0.0;
        return;
    }
    out[3 + j->turn[0]] = (a - shared * b) / square;
    out[3 + j->turn[2]] = (b - shared * a) / square;
    out[3 + j->turn[1]] = j->parity * v3_dot(across, omega) / sqrt(square);
}

// Rates of all axes; those of held ones mean nothing.
static void axis_rates(const tml_sim* sim, int joint, double out[TML_AXES])
{
    const joint_data* j = &sim->model->joints[joint];
    const moving F = moving_of(sim, j->follower);
    const moving B = moving_of(sim, j->base);
    const mat3 base = m3_mul(B.R, j->axes_B);
    const vec3 point_F = m3_apply(F.R, j->point_F);
    const vec3 apart = v3_sub(v3_add(F.c, point_F), B.c);
    // the follower's point, seen by whoever turns with the base about its centre of mass
    const vec3 slide =
        v3_sub(v3_add(F.v, v3_cross(F.omega, point_F)), v3_add(B.v, v3_cross(B.omega, apart)));
    for (int k = 0; k < 3; k++) out[k] = v3_dot(m3_column(base, k), slide);
    for (int k = 3; k < TML_AXES; k++) out[k] = 0.0;
    if (j->turn_count == 0) return;
    turn_rates(j, base, m3_mul(F.R, j->axes_F), v3_sub(F.omega, B.omega), out);
}

static int joint_rates(const tml_sim* sim, int joint, double* out)
{
    double rates[TML_AXES];
    int count = 0;
    axis_rates(sim, joint, rates);
    for (int k = 0; k < TML_AXES; k++) {
        if (sim->model->joints[joint].axis[k].is_free) out[count++] = rates[k];
    }
    return count;
}

int tml_sim_joint_rates(const tml_sim* sim, tml_joint joint, double out[TML_AXES])
{
    if (out == NULL) return 0;
    const bool is_there =
        is_alive(sim) && joint.index >= 0 && joint.index < sim->model->all.joint_count;
    return is_there ? joint_rates(sim, joint.index, out) : 0;
}

void tml_sim_poses(const tml_sim* sim, tml_pose* out)
{
    if (out == NULL) return;
    for (int b = 0; is_alive(sim) && b < sim->model->all.body_count; b++) {
        out[b] = tml_sim_pose(sim, (tml_body){b});
    }
}

void tml_sim_velocities(const tml_sim* sim, tml_velocity* out)
{
    if (out == NULL) return;
    for (int b = 0; is_alive(sim) && b < sim->model->all.body_count; b++) {
        out[b] = tml_sim_velocity(sim, (tml_body){b});
    }
}

void tml_sim_coordinates(const tml_sim* sim, double* out)
{
    if (out == NULL) return;
    for (int j = 0; is_alive(sim) && j < sim->model->all.joint_count; j++) {
        double values[TML_AXES];
        const int count = tml_sim_joint_coordinates(sim, (tml_joint){j}, values);
        memcpy(out, values, (size_t)count * sizeof *out);
        out += count;
    }
}

void tml_sim_rates(const tml_sim* sim, double* out)
{
    if (out == NULL) return;
    for (int j = 0; is_alive(sim) && j < sim->model->all.joint_count; j++) {
        out += joint_rates(sim, j, out);
    }
}

void tml_sim_loads(const tml_sim* sim, tml_load* out)
{
    if (out == NULL) return;
    for (int j = 0; is_alive(sim) && j < sim->model->all.joint_count; j++) {
        out[j] = tml_sim_joint_load(sim, (tml_joint){j});
    }
}

void tml_sim_controls(const tml_sim* sim, double* out)
{
    if (out == NULL) return;
    if (!is_alive(sim)) return;
    memcpy(out, sim->controls, (size_t)sim->model->control_count * sizeof *out);
}

int tml_sim_contacts(const tml_sim* sim, tml_contact* out, int capacity)
{
    const int count = tml_sim_contact_count(sim);
    for (int i = 0; i < count && i < capacity; i++) out[i] = tml_sim_contact(sim, i);
    return count;
}
