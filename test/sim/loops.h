// test/sim/loops.h - what the tests of assembling, targets and teleporting share.
#ifndef TRAMMEL_TEST_SIM_LOOPS_H
#define TRAMMEL_TEST_SIM_LOOPS_H

#include "scenes/scenes.h"
#include "test/random.h"

#include <stdio.h>
#include <stdlib.h>

// A built-in scene and its model.
typedef struct loop_scene {
    const char* name;
    tml_scene* scene;
    tml_model* model;
    int bodies;
    double size;  // m: farthest joint point or body from the origin
} loop_scene;

static inline double loop_size(const tml_model* m)
{
    double size = 0.0;
    for (int b = 0; b < tml_model_body_count(m); b++) {
        const double r = v3_norm(tml_model_body(m, (tml_body){b})->pose.p);
        if (r > size) size = r;
    }
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        const double r = v3_norm(tml_model_joint(m, (tml_joint){j}).position);
        if (r > size) size = r;
    }
    return size;
}

static inline loop_scene loop_open(const char* name)
{
    loop_scene s = {.name = name, .scene = tml_scene_create()};
    const scene_entry* entry = scenes_find(name);

    if (entry == NULL || scenes_fill(s.scene, entry) != TML_OK ||
        tml_scene_build(s.scene, &s.model) != TML_OK) {
        printf("scene %s is missing or refused\n", name);
        abort();
    }
    s.bodies = tml_model_body_count(s.model);
    s.size = loop_size(s.model);
    return s;
}

static inline void loop_close(loop_scene* s)
{
    tml_model_destroy(s->model);
    tml_scene_destroy(s->scene);
}

// Initial poses, each body shifted and turned at random.
static inline tml_pose* loop_scatter(const loop_scene* s, random_source* r, double length,
                                     double angle)
{
    tml_pose* poses = calloc((size_t)s->bodies, sizeof *poses);
    if (poses == NULL) abort();
    for (int b = 0; b < s->bodies; b++) {
        const tml_pose at = tml_model_body(s->model, (tml_body){b})->pose;
        poses[b].p = v3_add(at.p, random_vec3(r, length));
        poses[b].q = q_turn(q_normalize(at.q), random_vec3(r, angle));
    }
    return poses;
}

// The squared mass norm between poses, computed from the definitions.
static inline double loop_distance(const loop_scene* s, const tml_pose* a, const tml_pose* b)
{
    double sum = 0.0;
    for (int i = 0; i < s->bodies; i++) {
        const tml_body_def* def = tml_model_body(s->model, (tml_body){i});
        const double* J = def->inertia;
        const mat3 inertia = {{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
        const vec3 c_a = v3_add(a[i].p, q_rotate(a[i].q, def->com));
        const vec3 c_b = v3_add(b[i].p, q_rotate(b[i].q, def->com));
        const vec3 d = v3_sub(c_a, c_b);
        quat turn = q_mul(q_conj(a[i].q), b[i].q);  // in body axes
        if (turn.w < 0.0) turn = q_scale(-1.0, turn);
        const double sine = v3_norm(q_vec(turn));
        const vec3 phi =
            sine > 0.0 ? v3_scale(2.0 * atan2(sine, turn.w) / sine, q_vec(turn)) : v3_zero();
        if (def->is_fixed) continue;
        sum += def->mass * v3_dot(d, d) + v3_dot(phi, m3_apply(inertia, phi));
    }
    return sum;
}

// The largest |row| of the model with its bodies at these poses: a spec of its own, moved there, and
// asked for its gaps.
static inline double loop_gap(const loop_scene* s, const tml_pose* poses)
{
    tml_scene* copy = tml_scene_create();
    tml_model* model = NULL;
    double gap = HUGE_VAL;

    scenes_fill(copy, scenes_find(s->name));
    if (tml_spec_set_poses(tml_scene_spec(copy), poses) == TML_OK &&
        tml_scene_build(copy, &model) == TML_OK) {
        gap = tml_model_summarise(model).max_gap;
    }
    tml_model_destroy(model);
    tml_scene_destroy(copy);
    return gap;
}

#endif
