// analysis/set_coordinates.c - all joint coordinates at once: bodies follow from joint to joint, loops close.
#include "base/memory.h"
#include "math/quat.h"
#include "sim/lean.h"

#include <trammel/assemble.h>
#include <trammel/state.h>

#include <math.h>
#include <string.h>

// A body on its way to where its joints put it.
typedef struct placed {
    vec3 c, v, omega;
    quat q;
    bool is_there;
} placed;

// Joints as neighbours of their bodies: those of body b are near[first[b]] to near[first[b + 1] - 1].
typedef struct spreading {
    const tml_model* m;
    placed* bodies;  // the world last
    int* first;
    int* near;
    int* queue;
    int* first_coordinate;  // per joint
    tml_pose* poses;
    tml_velocity* velocities;
} spreading;

static void release(const tml_allocator* a, spreading* w)
{
    tml__release(a, w->bodies);
    tml__release(a, w->first);
    tml__release(a, w->near);
    tml__release(a, w->queue);
    tml__release(a, w->first_coordinate);
    tml__release(a, w->poses);
    tml__release(a, w->velocities);
}

static bool take(const tml_model* m, const tml_allocator* a, spreading* w)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    const size_t joints = (size_t)m->all.joint_count;
    w->m = m;
    w->bodies = tml__allocate(a, bodies, sizeof *w->bodies);
    w->first = tml__allocate(a, bodies + 1, sizeof *w->first);
    w->near = tml__allocate(a, 2 * joints, sizeof *w->near);
    w->queue = tml__allocate(a, bodies, sizeof *w->queue);
    w->first_coordinate = tml__allocate(a, joints, sizeof *w->first_coordinate);
    w->poses = tml__allocate(a, bodies, sizeof *w->poses);
    w->velocities = tml__allocate(a, bodies, sizeof *w->velocities);
    return w->bodies != NULL && w->first != NULL && w->near != NULL && w->queue != NULL &&
           w->first_coordinate != NULL && w->poses != NULL && w->velocities != NULL;
}

static void list_neighbours(spreading* w)
{
    const tml_model* m = w->m;
    int coordinates = 0;
    for (int j = 0; j < m->all.joint_count; j++) {
        w->first[m->joints[j].base + 1]++;
        w->first[m->joints[j].follower + 1]++;
        w->first_coordinate[j] = coordinates;
        for (int k = 0; k < TML_AXES; k++) coordinates += m->joints[j].axis[k].is_free;
    }
    for (int b = 0; b <= m->all.body_count; b++) w->first[b + 1] += w->first[b];
    // filled from the back, so that `first` ends where it began
    for (int j = m->all.joint_count - 1; j >= 0; j--) {
        w->near[--w->first[m->joints[j].base + 1]] = j;
        w->near[--w->first[m->joints[j].follower + 1]] = j;
    }
    for (int b = 0; b <= m->all.body_count; b++) w->first[b] = w->first[b + 1];
    w->first[m->all.body_count + 1] = 2 * m->all.joint_count;
}

// How the follower's marker stands and moves in the axes of the base's.
typedef struct joint_motion {
    vec3 slide, slide_rate;
    quat turn;
    vec3 turn_rate;
} joint_motion;

static joint_motion motion_of(const joint_data* j, const double* coordinate, const double* rate)
{
    joint_motion out = {.turn = q_identity()};
    double value[TML_AXES] = {0.0};
    double speed[TML_AXES] = {0.0};
    for (int k = 0; k < TML_AXES; k++) {
        if (!j->axis[k].is_free) continue;
        value[k] = *coordinate++;
        if (rate != NULL) speed[k] = *rate++;
    }
    out.slide = v3_load(value);
    out.slide_rate = v3_load(speed);
    for (int i = 0; i < j->turn_count; i++) {
        const int k = j->turn[i];
        const vec3 axis = q_rotate(out.turn, v3_unit(k));  // turned by those before it
        out.turn_rate = v3_axpy(out.turn_rate, speed[3 + k], axis);
        out.turn = q_mul(out.turn, q_about(k, value[3 + k]));
    }
    return out;
}

// The follower from the base.
static placed outwards(const joint_data* j, const placed* B, const joint_motion* motion)
{
    const quat frame = q_normalize(q_mul(B->q, tml__q_from_matrix(j->axes_B)));
    const quat own = q_conj(tml__q_from_matrix(j->axes_F));
    placed F = {.is_there = true};
    F.q = q_normalize(q_mul(q_mul(frame, motion->turn), own));
    F.omega = v3_add(B->omega, q_rotate(frame, motion->turn_rate));
    const vec3 arm = v3_add(q_rotate(B->q, j->point_B), q_rotate(frame, motion->slide));
    const vec3 back = q_rotate(F.q, j->point_F);
    F.c = v3_sub(v3_add(B->c, arm), back);
    F.v = v3_add(v3_add(B->v, v3_cross(B->omega, arm)),
                 v3_sub(q_rotate(frame, motion->slide_rate), v3_cross(F.omega, back)));
    return F;
}

// The base from the follower.
static placed inwards(const joint_data* j, const placed* F, const joint_motion* motion)
{
    const quat outer = q_normalize(q_mul(F->q, tml__q_from_matrix(j->axes_F)));
    const quat frame = q_normalize(q_mul(outer, q_conj(motion->turn)));
    placed B = {.is_there = true};
    B.q = q_normalize(q_mul(frame, q_conj(tml__q_from_matrix(j->axes_B))));
    B.omega = v3_sub(F->omega, q_rotate(frame, motion->turn_rate));
    const vec3 arm = v3_add(q_rotate(B.q, j->point_B), q_rotate(frame, motion->slide));
    const vec3 back = q_rotate(F->q, j->point_F);
    B.c = v3_sub(v3_add(F->c, back), arm);
    B.v = v3_sub(v3_add(F->v, v3_cross(F->omega, back)),
                 v3_add(v3_cross(B.omega, arm), q_rotate(frame, motion->slide_rate)));
    return B;
}

// All that hangs together with the bodies in the queue.
static void spread(spreading* w, int from, int queued, const double* coordinates,
                   const double* rates)
{
    for (; from < queued; from++) {
        const int body = w->queue[from];
        for (int i = w->first[body]; i < w->first[body + 1]; i++) {
            const joint_data* j = &w->m->joints[w->near[i]];
            const int at = w->first_coordinate[w->near[i]];
            const int other = j->base == body ? j->follower : j->base;
            if (w->bodies[other].is_there) continue;
            const joint_motion motion =
                motion_of(j, &coordinates[at], rates != NULL ? &rates[at] : NULL);
            w->bodies[other] = j->base == body ? outwards(j, &w->bodies[body], &motion)
                                               : inwards(j, &w->bodies[body], &motion);
            w->queue[queued++] = other;
        }
    }
}

static placed present(const tml_sim* sim, int body, bool is_moving)
{
    const body_data* b = &sim->model->bodies[body];
    if (b->node < 0) return (placed){.c = b->c, .q = b->q, .is_there = true};
    const double* x = &sim->past_q[0][(size_t)b->node * POSE_WIDTH];
    const double* u = &sim->past_v[0][(size_t)b->node * POSE_WIDTH];
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {u[3], u[4], u[5], u[6]};
    placed out = {.c = v3_load(x), .q = q_normalize(q), .is_there = true};
    if (!is_moving) return out;
    out.v = v3_load(u);
    out.omega = v3_scale(2.0 / q_dot(q, q), q_G(q, w));
    return out;
}

static void place_all(spreading* w, const tml_sim* sim, const double* coordinates,
                      const double* rates)
{
    const int world = tml__world(w->m);
    int queued = 0;
    list_neighbours(w);
    for (int b = world; b >= 0; b--) {
        if (w->m->bodies[b].node >= 0) continue;
        w->bodies[b] = present(sim, b, false);
        w->queue[queued++] = b;
    }
    spread(w, 0, queued, coordinates, rates);
    for (int b = 0; b < world; b++) {
        if (w->bodies[b].is_there) continue;
        w->bodies[b] = present(sim, b, rates != NULL);
        w->queue[0] = b;
        spread(w, 0, 1, coordinates, rates);
    }
    for (int b = 0; b < world; b++) {
        const placed* p = &w->bodies[b];
        const vec3 r = q_rotate(p->q, w->m->bodies[b].com);
        w->poses[b] = (tml_pose){v3_sub(p->c, r), p->q};
        w->velocities[b] = (tml_velocity){v3_sub(p->v, v3_cross(p->omega, r)), p->omega};
    }
}

static tml_status check(tml_sim* sim, const double* coordinates, const double* rates)
{
    const tml_model* m = sim->model;
    int i = 0;
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!m->joints[j].axis[k].is_free) continue;
            const bool is_fine = isfinite(coordinates[i]) && (rates == NULL || isfinite(rates[i]));
            if (!is_fine) {
                return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                                 "%s of joint '%.200s' (coordinate %d) must be finite",
                                 tml_axis_name((tml_axis)k), m->all.joints[j].name, i);
            }
            i++;
        }
    }
    return TML_OK;
}

// Angles count on from the coordinates given, and position actuators stand there.
static void aim_at(tml_sim* sim, const double* coordinates)
{
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &sim->model->joints[j].axis[k];
            if (!a->is_free) continue;
            sim->system->hints[j * TML_AXES + k] = *coordinates;
            if (a->actuation == TML_POSITION) sim->controls[a->control_index] = *coordinates;
            coordinates++;
        }
    }
}

static tml_status set_coordinates(tml_sim* sim, const double* coordinates, const double* rates)
{
    const tml_allocator* a = &sim->settings.allocator;
    const size_t bytes = tml_sim_state_size(sim);
    spreading w = {0};
    void* before = tml__allocate(a, bytes, 1);
    tml_status status = TML_NO_MEMORY;
    if (before != NULL && take(sim->model, a, &w)) status = tml_sim_save(sim, before);
    if (status == TML_OK) {
        place_all(&w, sim, coordinates, rates);
        aim_at(sim, coordinates);
        status = tml_sim_set_state(sim, w.poses, w.velocities);
        // loops and couplings are open there
        if (status == TML_BAD_ARGUMENT) {
            status = tml_sim_set_nearest_state(sim, w.poses, w.velocities);
        }
        if (status != TML_OK) (void)tml_sim_restore(sim, before, bytes);
    } else {
        tml__fail(&sim->why, status, "out of memory");
    }
    release(a, &w);
    tml__release(a, before);
    return status;
}

tml_status tml_sim_set_coordinates(tml_sim* sim, const double* coordinates, const double* rates)
{
    if (sim == NULL || sim->is_dead || coordinates == NULL) return TML_BAD_ARGUMENT;
    tml_status status = check(sim, coordinates, rates);
    if (status == TML_OK) status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = set_coordinates(sim, coordinates, rates);
    tml__lean_shut(sim);
    return status;
}

static tml_status set_state_at(tml_sim* sim, double time, const tml_pose* poses,
                               const tml_velocity* velocities)
{
    const tml_allocator* a = &sim->settings.allocator;
    const size_t bytes = tml_sim_state_size(sim);
    void* before = tml__allocate(a, bytes, 1);
    if (before == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    tml_status status = tml_sim_save(sim, before);
    if (status == TML_OK) {
        sim->start_time = sim->time = time;
        sim->step_index = 0;
        for (int i = 0; i < sim->model->control_count; i++) {
            sim->controls[i] = tml_model_control_value(sim->model, i, time);
        }
        status = tml_sim_set_state(sim, poses, velocities);
        if (status != TML_OK) (void)tml_sim_restore(sim, before, bytes);
    }
    tml__release(a, before);
    return status;
}

tml_status tml_sim_set_state_at(tml_sim* sim, double time, const tml_pose* poses,
                                const tml_velocity* velocities)
{
    if (sim == NULL || sim->is_dead || poses == NULL) return TML_BAD_ARGUMENT;
    if (!isfinite(time)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the time must be finite, but is %g", time);
    }
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = set_state_at(sim, time, poses, velocities);
    tml__lean_shut(sim);
    return status;
}
