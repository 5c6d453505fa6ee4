// test/method/quaternion/scene.h - a scene with every element there is, at a state that is anywhere.
//
// Joints of all kinds and orders with any actuation, springs, servos, limits, compliances,
// couplings, tendons, wrenches and drag, some on the world and on a fixed body. The bodies stand
// where the joints' coordinates put them, and then a little off, so that every term counts.
#ifndef TRAMMEL_TEST_METHOD_QUATERNION_SCENE_H
#define TRAMMEL_TEST_METHOD_QUATERNION_SCENE_H

#include "method/quaternion/stage.h"
#include "model/catalogue.h"
#include "test/joint/sample.h"

enum {
    SCENE_BODIES = 13,  // one for each kind of joint, and one that is fixed
    SCENE_JOINTS = SCENE_BODIES + 1,
    LOOSE_BODY = 7,  // turns freely, so that the joint that closes a loop can be kept regular
};

typedef struct scene {
    random_source random;
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    double coordinates[SCENE_JOINTS][TML_AXES];
    double v_hat[SCENE_BODIES * POSE_WIDTH], q_hat[SCENE_BODIES * POSE_WIDTH];
    form_stage stage;
} scene;

static inline tml_control any_control(random_source* r, double size)
{
    if (random_below(r, 2) == 0) return tml_control_constant(random_between(r, -size, size));
    return tml_control_sine(random_between(r, -size, size), 0.1 * size, 0.5,
                            random_between(r, -3.0, 3.0));
}

// Something on every axis: springs and servos on free ones, compliance on some rows.
static inline void scene_fill_axes(tml_joint_def* def, const joint_case* c, random_source* r)
{
    const int same = random_below(r, 5);  // one actuation for all axes, or (3 and above) any mix
    for (int k = 0; k < TML_AXES; k++) {
        tml_joint_axis* a = &def->axis_of[k];
        if (random_below(r, 5) == 0) a->compliance = random_between(r, 0.01, 0.1);
        if (!case_is_free(c, k)) continue;
        a->actuation = (tml_actuation)(same < 3 ? same : random_below(r, 3));
        if (a->actuation == TML_FORCE) a->control = any_control(r, 3.0);
        if (a->actuation == TML_POSITION) a->control = any_control(r, 0.4);
        if (random_below(r, 2) == 0) a->stiffness = random_between(r, 1.0, 9.0);
        if (random_below(r, 2) == 0) a->damping = random_between(r, 1.0, 5.0);
        a->rest = random_between(r, -0.3, 0.3);
        if (random_below(r, 3) == 0 && a->actuation != TML_POSITION) {
            a->has_servo = 1;
            a->servo_target = any_control(r, 0.5);
            a->servo_stiffness = random_between(r, 1.0, 9.0);
            a->servo_damping = random_between(r, 1.0, 5.0);
        }
        if (a->actuation != TML_POSITION && random_below(r, 2) == 0) {
            a->has_limits = 1;
            a->lower = -0.5;
            a->upper = 0.5;
        }
    }
}

static inline void scene_add_bodies(scene* s)
{
    random_source* r = &s->random;
    for (int i = 0; i < SCENE_BODIES; i++) {
        tml_body_def def = tml_body_def_default();
        const mat3 J = random_inertia(r);
        const double moments[6] = {J.m[0][0], J.m[1][1], J.m[2][2],
                                   J.m[0][1], J.m[0][2], J.m[1][2]};
        memcpy(def.inertia, moments, sizeof moments);
        def.mass = random_between(r, 0.5, 2.0);
        def.com = random_vec3(r, 0.2);
        def.pose = (tml_pose){random_vec3(r, 0.5), random_quat(r)};
        def.is_fixed = i == SCENE_BODIES - 1;
        tml_spec_add_body(s->spec, &def);
    }
}

// Joint i holds body i, on the world, on the fixed body or on an earlier body; the last joint
// closes a loop and holds nothing.
static inline void scene_add_joints(scene* s)
{
    random_source* r = &s->random;
    for (int i = 0; i < SCENE_JOINTS; i++) {
        if (i == SCENE_BODIES - 1) continue;  // the fixed body needs none
        joint_case c = {.kind = (tml_joint_kind)i};
        if (i >= TML_JOINT_KINDS) c.kind = TML_JOINT_FREE;
        const bool is_custom = i < TML_JOINT_KINDS && random_below(r, 2) == 0;
        if (i == LOOSE_BODY) c.kind = TML_JOINT_SLOT;
        if (is_custom && i != LOOSE_BODY) {
            c = (joint_case){.kind = TML_JOINT_CUSTOM,
                             .slides = all_slides[random_below(r, 8)],
                             .turns = all_turns[random_below(r, 16)]};
        } else {
            c.slides = tml_joint_kind_slides(c.kind);
            c.turns = tml_joint_kind_turns(c.kind);
        }
        const int base = i == 0 ? -1 : i == 1 ? SCENE_BODIES - 1 : random_below(r, i);
        const int closing = i >= SCENE_BODIES;
        tml_joint_def def = case_definition(&c, (tml_body){closing ? 4 : base},
                                            (tml_body){closing ? LOOSE_BODY : i}, r);
        scene_fill_axes(&def, &c, r);
        for (int k = 0; (closing || i == LOOSE_BODY) && k < TML_AXES; k++) {
            if (def.axis_of[k].actuation == TML_POSITION) def.axis_of[k].actuation = TML_FORCE;
        }
        tml_spec_add_joint(s->spec, &def);
    }
}

static inline void scene_add_springs(scene* s)
{
    static const int bodies[5][4] = {
        {0, 1, 2, 3}, {4, -1, 5, 4}, {6, 6, 7, 8}, {9, 10, 9, 10}, {11, 12, 2, -1}};
    static const double extensions[3] = {-1.0, 0.0, 1.0};
    static const double forces[3] = {-8.0, 0.0, 20.0};
    random_source* r = &s->random;
    for (int i = 0; i < 5; i++) {
        tml_point points[4];
        for (int k = 0; k < 4; k++) {
            points[k] = (tml_point){{bodies[i][k]}, random_vec3(r, 0.6)};
        }
        tml_spring_def def = tml_spring_def_default();
        def.point_count = 2 + i % 3;
        def.points = points;
        def.stiffness = 12.0;
        def.damping = 2.0;
        def.law = (tml_spring_law)(i % 3);
        def.table_count = 3;
        def.table_extensions = extensions;
        def.table_forces = forces;
        def.rest_length = 0.1;  // stretched, so the corner of the table is far
        def.force = any_control(r, 2.0);
        tml_spec_add_spring(s->spec, &def);
    }
}

static inline void scene_add_forces(scene* s)
{
    random_source* r = &s->random;
    for (int i = 0; i < 4; i++) {
        tml_wrench_def wrench = tml_wrench_def_default();
        wrench.body = (tml_body){i == 3 ? SCENE_BODIES - 1 : 3 * i};
        wrench.point = random_vec3(r, 0.5);
        for (int k = 0; k < 3; k++) {
            wrench.force[k] = any_control(r, 5.0);
            wrench.torque[k] = any_control(r, 5.0);
        }
        tml_spec_add_wrench(s->spec, &wrench);

        tml_drag_def drag = tml_drag_def_default();
        drag.body = (tml_body){i == 3 ? SCENE_BODIES - 1 : 2 * i + 1};
        drag.linear = 1.5;
        drag.angular = 0.5;
        drag.wind = random_vec3(r, 2.0);
        tml_spec_add_drag(s->spec, &drag);
    }
}

// A free axis that no row of its joint holds.
static inline bool scene_may_couple(const joint_entry* entry, int axis)
{
    const tml_joint_def def = tml__joint_expand(entry);
    const joint_freedom freedom = tml__joint_freedom(&def);
    return strchr(axis < 3 ? freedom.slides : freedom.turns, "xyz"[axis % 3]) != NULL &&
           def.axis_of[axis].actuation != TML_POSITION;
}

// A linear one, and polynomial ones that name the same joint and the same bodies again.
static inline void scene_add_couplings(scene* s)
{
    random_source* r = &s->random;
    const definitions* all = &s->spec->all;
    for (int i = 0; i < 4; i++) {
        tml_coupling_term terms[5];
        const int count = 2 + i % 3;
        for (int k = 0; k < count; k++) {
            int joint = 0;
            int axis = 0;
            const bool repeats = k > 0 && random_below(r, 3) == 0;  // that joint has such an axis
            do {
                joint = repeats ? terms[0].joint.index : random_below(r, all->joint_count);
                axis = random_below(r, TML_AXES);
            } while (!scene_may_couple(&all->joints[joint], axis));
            terms[k] = (tml_coupling_term){{joint}, (tml_axis)axis, i == 0 ? 1 : 1 + i, {0}};
            for (int d = 0; d < terms[k].degree; d++) {
                terms[k].coefficient[d] = random_between(r, -1.0, 1.0);
            }
        }
        tml_coupling_def def = tml_coupling_def_default();
        def.term_count = count;
        def.terms = terms;
        def.offset = 0.3;
        def.compliance = i == 2 ? 0.05 : 0.0;
        tml_spec_add_coupling(s->spec, &def);
    }
}

// Rayleigh damping, and rows that tie velocities, of every kind, one of them on the body that never
// moves. Only tests that know them ask for them, before scene_finish.
static inline void scene_add_ties(scene* s)
{
    random_source* r = &s->random;
    tml_spec_set_rayleigh(s->spec, 0.3, 0.2);
    for (int i = 0; i < 6; i++) {
        tml_nonholonomic_def def = tml_nonholonomic_def_default();
        def.kind = i % 3 == 0 ? TML_KNIFE_EDGE : TML_ROLLING;
        def.body = (tml_body){i == 5 ? SCENE_BODIES - 1 : 2 * i};
        def.point = random_vec3(r, 0.5);
        if (i % 3 != 2) def.axis = random_vec3(r, 1.0);
        def.radius = random_between(r, 0.3, 1.0);
        def.plane_normal = random_vec3(r, 2.0);
        def.plane_offset = random_between(r, -1.0, 1.0);
        tml_spec_add_nonholonomic(s->spec, &def);
    }
}

// Is a row switched off: a limit that nobody touches, a tie of a body that never moves?
static inline bool scene_is_off(const maximal_system* s, int row)
{
    const int tie = row - s->first_tie;
    if (row >= s->first_limit) return s->sides[row - s->first_limit] == LIMIT_OFF;
    return tie >= 0 && tml__maximal_is_idle_tie(s, tie);
}

// ---- the state

static inline void store_pose(double* x, const rigid* b)
{
    const double q[4] = {b->q.w, b->q.x, b->q.y, b->q.z};
    v3_store(x, b->c);
    memcpy(x + 3, q, sizeof q);
}

// Bodies along the tree of joints, then moved a little off; angles keep away from gimbal lock.
static inline void scene_place(scene* s)
{
    random_source* r = &s->random;
    maximal_system* q = s->system;
    const tml_model* m = s->model;
    rigid bodies[SCENE_BODIES + 1];

    for (int i = 0; i <= SCENE_BODIES; i++) bodies[i] = rigid_at(m->bodies[i].c, m->bodies[i].q);
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        for (int k = 0; k < TML_AXES; k++) {
            const bool is_loose = j->follower == LOOSE_BODY && k != 3 + j->turn[1] && k >= 3;
            const double range = is_loose ? 3.0 : 0.6;
            s->coordinates[i][k] = j->axis[k].is_free ? random_between(r, -range, range) : 0.0;
            if (j->axis[k].is_free && j->axis[k].actuation == TML_POSITION) {
                s->coordinates[i][k] = q->targets.axis[i * TML_AXES + k].value;
            }
        }
        const bool closes = i == m->all.joint_count - 1;
        if (!closes) bodies[j->follower] = follower_of(j, s->coordinates[i], &bodies[j->base]);
    }
    for (int n = 0; n < q->node_count; n++) {
        rigid* b = &bodies[m->node_body[n]];
        *b = rigid_moved(b, random_vec3(r, 0.05), random_vec3(r, 0.05));
        store_pose(&q->x[n * POSE_WIDTH], b);
    }
    tml__maximal_place(q, q->x, NULL);
    for (int i = 0; i < m->all.joint_count * TML_AXES; i++) {
        if (!m->joints[i / TML_AXES].axis[i % TML_AXES].is_free) continue;
        q->hints[i] = tml__maximal_coordinate(q, i / TML_AXES, (tml_axis)(i % TML_AXES));
    }
}

// A relation with numbers around one, so that inertia, damping and stiffness weigh alike.
static inline void scene_relate(scene* s)
{
    random_source* r = &s->random;
    maximal_system* q = s->system;
    for (int i = 0; i < q->node_count * POSE_WIDTH; i++) {
        s->q_hat[i] = q->x[i] + random_between(r, -0.2, 0.2);
        s->v_hat[i] = random_between(r, -0.5, 0.5);
    }
    s->stage = (form_stage){.c_v = 0.6, .c_q = 0.4, .v_hat = s->v_hat, .q_hat = s->q_hat};
    for (int i = 0; i < q->row_count; i++) q->lambda[i] = random_between(r, -3.0, 3.0);
    for (int i = 0; i < q->limit_count; i++) {
        const limit_row* limit = &q->limits[i];
        q->sides[i] = (limit_side)(random_below(r, 3) - 1);
        if (limit->side == LIMIT_OFF || q->sides[i] == LIMIT_OFF) continue;
        // the row of one bound of an angle; nobody is at both
        const bool is_other = i > 0 && q->sides[i - 1] != LIMIT_OFF &&
                              q->limits[i - 1].joint == limit->joint &&
                              q->limits[i - 1].axis == limit->axis;
        q->sides[i] = is_other ? LIMIT_OFF : limit->side;
    }
}

// The last joint closes a loop, so its three angles are what they are: is it near gimbal lock?
static inline bool scene_is_locked(const scene* s)
{
    const int last = s->model->all.joint_count - 1;
    const int middle = 3 + s->model->joints[last].turn[1];
    return fabs(tml__maximal_coordinate(s->system, last, (tml_axis)middle)) > 1.0;
}

// Everything but the model, for tests that change a definition first.
static inline bool scene_prepare(scene* s, uint64_t salt)
{
    *s = (scene){.random = random_start(salt), .spec = tml_spec_create()};
    scene_add_bodies(s);
    scene_add_joints(s);
    scene_add_springs(s);
    scene_add_forces(s);
    scene_add_couplings(s);
    if (tml_spec_status(s->spec) != TML_OK) printf("%s\n", tml_spec_message(s->spec));
    CHECK(tml_spec_status(s->spec) == TML_OK);
    return tml_spec_status(s->spec) == TML_OK;
}

static inline bool scene_finish(scene* s)
{
    const tml_allocator heap = {0};
    message why = {""};
    tml_status status = tml_spec_build(s->spec, &s->model);
    if (status == TML_OK) {
        status = tml__maximal_create(s->model, KKT_DENSE, &heap, &why, &s->system);
    }
    if (status != TML_OK) printf("%s\n", why.text);
    CHECK(status == TML_OK);
    if (status != TML_OK) return false;
    tml__maximal_time(s->system, 0.37, NULL);
    do scene_place(s);
    while (scene_is_locked(s));
    scene_relate(s);
    return true;
}

static inline bool scene_create(scene* s, uint64_t salt)
{
    return scene_prepare(s, salt) && scene_finish(s);
}

// The same with Rayleigh damping, by masses and by every stiffness.                   [COOK Sec 4]
static inline bool scene_create_damped(scene* s, uint64_t salt)
{
    if (!scene_prepare(s, salt)) return false;
    tml_spec_set_rayleigh(s->spec, 0.3, 0.2);
    return scene_finish(s);
}

// The same with rows that tie velocities.
static inline bool scene_create_tied(scene* s, uint64_t salt)
{
    if (!scene_prepare(s, salt)) return false;
    scene_add_ties(s);
    return scene_finish(s);
}

static inline void scene_destroy(scene* s)
{
    tml__maximal_destroy(s->system);
    tml_model_destroy(s->model);
    tml_spec_destroy(s->spec);
}

#endif
