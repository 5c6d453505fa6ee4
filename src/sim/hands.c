// sim/hands.c - hands on a running simulation: pushing bodies, other gravity, going on with another method.
#include "base/memory.h"
#include "sim/lean.h"

#include <trammel/assemble.h>

#include <string.h>

// ---- pushes

// Everything that can be wrong with a push; *out is what to keep of it.
static tml_status check_push(tml_sim* sim, tml_body body, const hand_push* given, hand_push* out)
{
    if (body.index < 0 || body.index >= sim->model->all.body_count) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "there is no body %d to push", body.index);
    }
    const char* name = sim->model->all.bodies[body.index].name;
    const body_data* b = &sim->model->bodies[body.index];
    if (b->node < 0) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "body '%.200s' is fixed; it cannot be pushed",
                         name);
    }
    if (!v3_is_finite(given->point) || !v3_is_finite(given->force) ||
        !v3_is_finite(given->torque)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the push on body '%.200s' is not finite",
                         name);
    }
    *out = *given;
    out->body = body.index;
    out->point = v3_sub(given->point, b->com);
    return TML_OK;
}

static tml_status make_room(tml_sim* sim, int count)
{
    const tml_status status = tml__maximal_reserve_pushes(sim->system, count);
    return status == TML_OK ? TML_OK
                            : tml__fail(&sim->why, status, "out of memory for %d pushes", count);
}

static void drop_pushes_on(maximal_system* s, int body)
{
    int kept = 0;
    for (int i = 0; i < s->push_count; i++) {
        if (s->pushes[i].body != body) s->pushes[kept++] = s->pushes[i];
    }
    s->push_count = kept;
}

static tml_status add_push(tml_sim* sim, tml_body body, const hand_push* given, bool is_alone)
{
    hand_push push;
    tml_status status = check_push(sim, body, given, &push);
    if (status == TML_OK) status = make_room(sim, sim->system->push_count + 1);
    if (status != TML_OK) return status;
    if (is_alone) drop_pushes_on(sim->system, body.index);
    sim->system->pushes[sim->system->push_count++] = push;
    return TML_OK;
}

tml_status tml_sim_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
                        tml_vec3 torque)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    if (body.index < 0) {
        sim->system->push_count = 0;
        return TML_OK;
    }
    return add_push(sim, body, &(hand_push){.point = point, .force = force, .torque = torque},
                    true);
}

tml_status tml_sim_add_push(tml_sim* sim, tml_body body, tml_vec3 point, tml_vec3 force,
                            tml_vec3 torque)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    return add_push(sim, body, &(hand_push){.point = point, .force = force, .torque = torque},
                    false);
}

tml_status tml_sim_set_wrenches(tml_sim* sim, const tml_load* wrenches)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    const tml_model* m = sim->model;
    hand_push push;
    if (wrenches == NULL) {
        sim->system->push_count = 0;
        return TML_OK;
    }
    tml_status status = make_room(sim, m->node_count);
    for (int n = 0; n < m->node_count && status == TML_OK; n++) {
        const tml_load* w = &wrenches[m->node_body[n]];
        const hand_push given = {.force = w->force, .torque = w->moment};
        status = check_push(sim, (tml_body){m->node_body[n]}, &given, &push);
    }
    if (status != TML_OK) return status;
    sim->system->push_count = 0;
    for (int n = 0; n < m->node_count; n++) {
        const int body = m->node_body[n];
        const tml_load* w = &wrenches[body];
        if (v3_max(w->force) == 0.0 && v3_max(w->moment) == 0.0) continue;
        sim->system->pushes[sim->system->push_count++] =
            (hand_push){.body = body, .force = w->force, .torque = w->moment};
    }
    return TML_OK;
}

int tml_sim_push_count(const tml_sim* sim)
{
    return sim != NULL && !sim->is_dead ? sim->system->push_count : 0;
}

// ---- gravity

tml_status tml_sim_set_gravity(tml_sim* sim, tml_vec3 gravity)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    if (!v3_is_finite(gravity)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "gravity must be finite");
    }
    sim->own_model.all.gravity = gravity;
    sim->account->is_open = 0.0;  // weights are others now
    if (sim->soft != NULL) tml__nodal_set_gravity(sim->soft->nodes, gravity);
    tml__sim_forget_answers(sim);
    return TML_OK;
}

tml_vec3 tml_sim_gravity(const tml_sim* sim)
{
    return sim != NULL && !sim->is_dead ? sim->model->all.gravity : v3_zero();
}

// ---- going on with another method

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
    if (other == NULL || other->is_dead || other->given_model != sim->given_model) {
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
