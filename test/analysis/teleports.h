// test/analysis/teleports.h - random joints of the loop scenes set to random values.
#ifndef TRAMMEL_TEST_ANALYSIS_TELEPORTS_H
#define TRAMMEL_TEST_ANALYSIS_TELEPORTS_H

#include "model/spec.h"
#include "test/check.h"
#include "test/sim/loops.h"
#include "test/sim/world.h"

static const char* const teleport_scenes[] = {
    "showcase",          "four-bar",     "bricard",        "andrews",          "two-hinge-door",
    "four-legged-table", "scissor-lift", "jansen-leg",     "stewart-platform", "delta-robot",
    "rack-and-pinion",   "joint-zoo",    "satellite-like",
};

enum {
    TELEPORT_SCENES = sizeof teleport_scenes / sizeof teleport_scenes[0]
};

// Loops hold directions twice, so the solver is the one that keeps redundant rows.
static inline tml_sim* teleport_start(const loop_scene* s)
{
    tml_sim_settings settings = tml_scene_settings(s->scene)->sim;
    tml_sim* sim = NULL;

    settings.solver = TML_SOLVER_AUGMENTED;
    if (tml_sim_create(s->model, &settings, &sim) != TML_OK) {
        printf("%s: %s\n", s->name, tml_sim_message(sim));
        abort();
    }
    return sim;
}

// The scene with its position actuators let go: what they held can now be set by hand.
static inline loop_scene teleport_open(const char* name)
{
    loop_scene s = loop_open(name);
    definitions* all = &tml_scene_spec(s.scene)->all;

    for (int i = 0; i < all->joint_count * TML_AXES; i++) {
        tml_joint_axis* axes = all->joints[i / TML_AXES].axis_of;
        if (axes == NULL) continue;
        tml_joint_axis* axis = &axes[i % TML_AXES];
        if (axis->actuation != TML_POSITION) continue;
        axis->actuation = TML_PASSIVE;
        axis->control = (tml_control){.kind = TML_CONTROL_NONE};
    }
    tml_model_destroy(s.model);
    if (tml_scene_build(s.scene, &s.model) != TML_OK) abort();
    return s;
}

// 1 when the two axes of every hinge point the same way: a hinge that has flipped closes as well.
static inline int teleport_has_no_flip(const loop_scene* s, const tml_sim* sim)
{
    for (int j = 0; j < tml_model_joint_count(s->model); j++) {
        const tml_joint_def def = tml_model_joint(s->model, (tml_joint){j});
        const int bodies[2] = {def.base.index, def.follower.index};
        vec3 axis[2] = {def.axis, def.axis};
        if (def.kind != TML_JOINT_REVOLUTE || def.has_axes || def.has_follower_frame) continue;
        for (int side = 0; side < 2; side++) {
            if (bodies[side] < 0) continue;
            const quat then = tml_model_body(s->model, (tml_body){bodies[side]})->pose.q;
            const quat now = tml_sim_pose(sim, (tml_body){bodies[side]}).q;
            axis[side] = q_rotate(now, q_rotate(q_conj(q_normalize(then)), axis[side]));
        }
        if (!(v3_dot(axis[0], axis[1]) > 0.999 * v3_dot(def.axis, def.axis))) return 0;
    }
    return 1;
}

// The farthest that any point of the mechanism could be from the origin: all links in one line.
static inline double teleport_reach(const tml_model* m)
{
    double reach = 0.0;
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        const tml_joint_def def = tml_model_joint(m, (tml_joint){j});
        const tml_vec3 F = tml_model_body(m, def.follower)->pose.p;
        reach += v3_norm(v3_sub(def.position, F)) + v3_norm(def.position) + 0.5;
    }
    return reach;
}

// Whatever happens has a reason, keeps the rows and the sides of all joints, or changes nothing.
static inline void teleport_at_random(const char* name, int count)
{
    loop_scene s = teleport_open(name);
    tml_sim* sim = teleport_start(&s);
    random_source r = random_start(17);
    const double reach = teleport_reach(s.model);
    int done = 0;
    int refused = 0;
    const size_t bytes = tml_sim_state_size(sim);
    void* home = malloc(bytes);
    CHECK(home != NULL && tml_sim_save(sim, home) == TML_OK);

    for (int k = 0; k < count; k++) {
        // walks of a hundred: tangled mechanisms take a hundred times longer, and prove no more
        if (k % 100 == 0) CHECK(tml_sim_restore(sim, home, bytes) == TML_OK);
        const tml_joint joint = {random_below(&r, tml_model_joint_count(s.model))};
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(s.model, joint, axes);
        if (free_count == 0) continue;
        const int pick = random_below(&r, free_count);
        const double value = axes[pick] < TML_AXIS_RX ? random_between(&r, -0.5, 0.5)
                                                      : random_between(&r, -3.0, 3.0);
        blob before = world_snapshot(sim);
        const tml_status status = tml_sim_set_joint(sim, joint, axes[pick], value);
        if (status == TML_OK) {
            double q[TML_AXES];
            tml_sim_joint_coordinates(sim, joint, q);
            CHECK_NEAR(q[pick], value, 1e-9);
            CHECK(tml_sim_gap(sim) <= 1e-10);
            CHECK(teleport_has_no_flip(&s, sim));
            for (int b = 0; b < s.bodies; b++) {
                CHECK(v3_norm(tml_sim_pose(sim, (tml_body){b}).p) <= reach);
            }
            done++;
        } else {
            blob after = world_snapshot(sim);
            CHECK(status == TML_INFEASIBLE || status == TML_BAD_ARGUMENT);
            CHECK(tml_sim_message(sim)[0] != '\0');
            CHECK(blob_equal(&before, &after));
            blob_free(&after);
            refused++;
        }
        blob_free(&before);
    }
    free(home);
    printf("%s: %d teleports assembled, %d answered with a reason\n", name, done, refused);
    tml_sim_destroy(sim);
    loop_close(&s);
}

#endif
