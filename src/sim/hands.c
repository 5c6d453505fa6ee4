// sim/hands.c - hands on a running simulation: pushing a body, and going on with another method.
#include "base/memory.h"
#include "sim/links.h"

#include <trammel/assemble.h>

#include <string.h>

tml_status tml_sim_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
                        tml_vec3 torque)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    hand_push* push = &sim->system->push;
    if (body.index < 0) {
        *push = (hand_push){0};
        return TML_OK;
    }
    if (body.index >= sim->model->all.body_count) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "there is no body %d to push", body.index);
    }
    const char* name = sim->model->all.bodies[body.index].name;
    const body_data* b = &sim->model->bodies[body.index];
    if (b->node < 0) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "body '%.200s' is fixed; it cannot be pushed",
                         name);
    }
    if (!v3_is_finite(point) || !v3_is_finite(force) || !v3_is_finite(torque)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the push on body '%.200s' is not finite",
                         name);
    }
    *push = (hand_push){true, body.index, v3_sub(point, b->com), force, torque};
    return TML_OK;
}

// The poses and velocities of another simulation, assembled where they are open.
static tml_status adopt_nearest(tml_sim* sim, const tml_sim* other)
{
    const size_t count = (size_t)sim->model->all.body_count + 1;
    tml_pose* poses = tml__allocate(&sim->settings.allocator, count, sizeof *poses);
    tml_velocity* velocities = tml__allocate(&sim->settings.allocator, count, sizeof *velocities);
    tml_status status = TML_NO_MEMORY;

    if (poses != NULL && velocities != NULL) {
        for (int b = 0; b < sim->model->all.body_count; b++) {
            poses[b] = tml_sim_pose(other, (tml_body){b});
            velocities[b] = tml_sim_velocity(other, (tml_body){b});
        }
        status = tml_sim_set_nearest_state(sim, poses, velocities);
    }
    tml__release(&sim->settings.allocator, poses);
    tml__release(&sim->settings.allocator, velocities);
    return status;
}

static tml_status follow(tml_sim* sim, const tml_sim* other)
{
    const size_t bytes = tml_sim_state_size(sim);
    void* before = tml__allocate(&sim->settings.allocator, bytes, 1);
    if (before == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    tml_status status = tml_sim_save(sim, before);

    if (status == TML_OK) {
        sim->start_time = sim->time = other->time;
        sim->step_index = 0;
        memcpy(sim->controls, other->controls,
               (size_t)sim->model->control_count * sizeof *sim->controls);
        status = tml__sim_adopt(sim, other->past_q[0], other->past_v[0], other->system->hints,
                                other->sides);
        if (status == TML_BAD_ARGUMENT) status = adopt_nearest(sim, other);
        if (status != TML_OK) (void)tml_sim_restore(sim, before, bytes);
    }
    tml__release(&sim->settings.allocator, before);
    return status;
}

tml_status tml_sim_follow(tml_sim* sim, const tml_sim* other)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    if (other == NULL || other->is_dead || other->model != sim->model) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "a simulation can follow only one of the same model");
    }
    union {
        const tml_sim* given;
        tml_sim* own;
    } cast = {.given = other};
    tml_status status = tml__lean_open(cast.own);
    if (status != TML_OK) return tml__fail(&sim->why, status, "out of memory");
    status = tml__lean_open(sim);
    if (status == TML_OK) {
        status = follow(sim, other);
        tml__lean_shut(sim);
    }
    tml__lean_shut(cast.own);
    return status;
}
