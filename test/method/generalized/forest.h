// test/method/generalized/forest.h - random trees with every kind of joint, at a state that is anywhere.
//
// Bodies hang on the world, on a fixed body, on an earlier body, or on nothing; the tree runs along
// a joint or against it. Springs, dampers, motors, drag and wrenches act. The state is random
// position numbers and rates, placed by the tree.
#ifndef TRAMMEL_TEST_METHOD_GENERALIZED_FOREST_H
#define TRAMMEL_TEST_METHOD_GENERALIZED_FOREST_H

#include "method/generalized/dynamics.h"
#include "test/joint/sample.h"

enum {
    FOREST_BODIES = 14,
    FOREST_COLUMNS = 6 * FOREST_BODIES,
};

typedef struct forest {
    random_source random;
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    gen_tree* tree;
    double numbers[7 * FOREST_BODIES];
    double rates[FOREST_COLUMNS];
    double x[7 * FOREST_BODIES], v[7 * FOREST_BODIES];
} forest;

static inline void forest_add_bodies(forest* f)
{
    random_source* r = &f->random;
    for (int i = 0; i < FOREST_BODIES; i++) {
        tml_body_def def = tml_body_def_default();
        const mat3 J = random_inertia(r);
        const double moments[6] = {J.m[0][0], J.m[1][1], J.m[2][2],
                                   J.m[0][1], J.m[0][2], J.m[1][2]};
        memcpy(def.inertia, moments, sizeof moments);
        def.mass = random_between(r, 0.5, 2.0);
        def.com = random_vec3(r, 0.2);
        def.pose = (tml_pose){random_vec3(r, 0.5), random_quat(r)};
        def.is_fixed = i == 0;
        tml_spec_add_body(f->spec, &def);
    }
}

// The joint of body i: kinds in turn, so that a few forests have them all, then any letters.
static inline joint_case forest_case(forest* f, int i, int salt)
{
    random_source* r = &f->random;
    const int kind = (i + 5 * salt) % (TML_JOINT_KINDS + 4);
    if (kind >= TML_JOINT_KINDS) {
        return (joint_case){.kind = TML_JOINT_CUSTOM,
                            .slides = all_slides[random_below(r, 8)],
                            .turns = all_turns[random_below(r, 16)]};
    }
    return (joint_case){.kind = (tml_joint_kind)kind,
                        .slides = tml_joint_kind_slides((tml_joint_kind)kind),
                        .turns = tml_joint_kind_turns((tml_joint_kind)kind)};
}

static inline void forest_add_joints(forest* f, int salt)
{
    random_source* r = &f->random;
    for (int i = 1; i < FOREST_BODIES; i++) {
        const int other = random_below(r, i + 1) - 1;
        if (random_below(r, 6) == 0) continue;  // flies, or holds what comes later
        const joint_case c = forest_case(f, i, salt);
        const bool is_turned = random_below(r, 2) == 0;
        tml_joint_def def = case_definition(&c, (tml_body){is_turned ? i : other},
                                            (tml_body){is_turned ? other : i}, r);
        for (int k = 0; k < TML_AXES; k++) {
            tml_joint_axis* a = &def.axis_of[k];
            if (!case_is_free(&c, k)) continue;
            if (random_below(r, 2) == 0) a->stiffness = random_between(r, 1.0, 9.0);
            if (random_below(r, 2) == 0) a->damping = random_between(r, 0.1, 0.5);
            if (random_below(r, 2) == 0) {
                a->actuation = TML_FORCE;
                a->control = tml_control_constant(random_between(r, -3.0, 3.0));
            }
        }
        tml_spec_add_joint(f->spec, &def);
    }
    tml_drag_def drag = tml_drag_def_default();
    drag.body = (tml_body){3};
    drag.linear = 1.5;
    drag.angular = 0.5;
    tml_spec_add_drag(f->spec, &drag);
}

// Any state: three turns stay away from gimbal lock, where springs along coordinates blow up.
static inline void forest_scatter(forest* f)
{
    const gen_tree* t = f->tree;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        double* n = &f->numbers[link->number];
        for (int k = 0; k < link->count; k++) n[k] = random_between(&f->random, -0.8, 0.8);
        if (link->kind != LINK_BALL) continue;
        const quat q = q_exp(v3_scale(0.8, v3_load(n)));
        n[0] = q.w;
        n[1] = q.x;
        n[2] = q.y;
        n[3] = q.z;
    }
    for (int k = 0; k < t->column_count; k++) {
        f->rates[k] = random_between(&f->random, -2.0, 2.0);
    }
}

// The tree placed, and the same bodies placed in maximal coordinates with their forces.
static inline void forest_place(forest* f)
{
    tml__gen_place(f->tree, f->numbers, f->rates);
    tml__gen_flatten(f->tree, f->x, f->v);
    tml__maximal_place(f->system, f->x, f->v);
    tml__maximal_rows(f->system);
    tml__maximal_forces(f->system);
    tml__gen_apply(f->tree, f->system->force, f->system->torque);
}

// `add`: what acts beside all that, or NULL.
static inline bool forest_create_with(forest* f, int salt, void (*add)(tml_spec* spec))
{
    const tml_allocator heap = {0};
    message why = {""};
    *f = (forest){.random = random_start((uint64_t)salt), .spec = tml_spec_create()};
    forest_add_bodies(f);
    forest_add_joints(f, salt);
    if (add != NULL) add(f->spec);
    tml_status status = tml_spec_build(f->spec, &f->model);
    if (status != TML_OK) printf("%s\n", tml_spec_message(f->spec));
    if (status == TML_OK) {
        status = tml__maximal_create(f->model, KKT_DENSE, &heap, &why, &f->system);
    }
    if (status == TML_OK) status = tml__gen_create(f->model, true, &heap, &why, &f->tree);
    CHECK(status == TML_OK);
    if (status != TML_OK) return false;
    tml__maximal_time(f->system, 0.0, NULL);
    forest_scatter(f);
    forest_place(f);
    return true;
}

static inline bool forest_create(forest* f, int salt) { return forest_create_with(f, salt, NULL); }

static inline void forest_destroy(forest* f)
{
    tml__gen_destroy(f->tree);
    tml__maximal_destroy(f->system);
    tml_model_destroy(f->model);
    tml_spec_destroy(f->spec);
}

#endif
