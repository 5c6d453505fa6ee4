// test/method/affine/matrix.c - the whole Newton matrix of an affine step against differences.
#include "test/method/affine/columns.h"

// A step from somewhere near to the scene's state, with every force acting.
static void set_step(scene* s, affine_system* a, const affine_stage* stage)
{
    maximal_system* q = s->system;
    random_source* r = &s->random;

    tml__maximal_time(q, 0.31, NULL);
    tml__affine_aim(a);
    tml__maximal_time(q, 0.37, NULL);
    for (int n = 0; n < q->node_count; n++) {
        affine_body* b = &a->body[n];
        const double* x = &q->x[n * POSE_WIDTH];
        const quat turn = {x[3], x[4], x[5], x[6]};
        b->R_end = q_matrix(turn);
        b->R = m3_mul(q_matrix(q_exp(random_vec3(r, 0.1))), b->R_end);
        b->move = random_vec3(r, 0.1);
        b->x = v3_sub(v3_load(x), b->move);
        b->x_hat = random_vec3(r, 0.2);
        b->R_hat = m3_mul(m3_add(m3_identity(), m3_skew(random_vec3(r, 0.3))), b->R);
    }
    for (int row = 0; row < q->row_count; row++) {
        a->lambda[row] = q->lambda[row];
        a->C_start[row] = random_between(r, -0.1, 0.1);
        if (a->row_first[row] < 0) a->lambda[row] = 0.0;
    }
    // what AFFINE_BDF2 looks back on
    for (int n = 0; n < q->node_count; n++) {
        affine_body* b = &a->body[n];
        b->R_before = m3_mul(q_matrix(q_exp(random_vec3(r, 0.1))), b->R);
        b->x_before = v3_sub(b->x, random_vec3(r, 0.1));
    }
    for (int i = 0; i < q->forced_count; i++) a->axis_before[i] = random_between(r, -0.1, 0.1);
    for (int i = 0; i < s->model->all.spring_count; i++) {
        a->length_before[i] = random_between(r, 0.5, 1.0);
    }
    // frames at the start, as tml__affine_step marks them
    affine_stage start = *stage;
    start.phi = 0.0;
    tml__affine_evaluate(a, &start);
    memcpy(a->start_frames, a->force_frames,
           (size_t)s->model->all.joint_count * sizeof *a->start_frames);
}

static void move_rigid(affine_body* b, int part, double amount)
{
    const vec3 along = v3_scale(amount, v3_unit(part % 3));
    if (part < 3)
        b->move = v3_add(b->move, along);
    else
        b->R_end = m3_mul(q_matrix(q_exp(along)), b->R_end);
}

enum {
    SOFT = 3
};

// Compliant contacts of the first body with the world, deep enough to stay closed: one that sticks, one
// that slides along both axes, one without friction.
static void add_contacts(scene* s, affine_system* a, affine_contact list[SOFT])
{
    static const double frictions[SOFT] = {50.0, 0.05, 0.0};
    random_source* r = &s->random;
    for (int i = 0; i < SOFT; i++) {
        const mat3 axes = q_matrix(random_quat(r));
        list[i] = (affine_contact){
            .other = -1,
            .arm = random_vec3(r, 0.3),
            .gap = -2.0,
            .friction = frictions[i],
            .stiffness = 5.0,
            .x0 = a->body[0].x,
            .is_a = true,
        };
        for (int k = 0; k < 3; k++) {
            list[i].axis[k] = v3(axes.m[0][k], axes.m[1][k], axes.m[2][k]);
        }
        // a way before this step that friction has to work against
        list[i].x0 = v3_sub(list[i].x0, v3_scale(0.3, v3_add(list[i].axis[1], list[i].axis[2])));
    }
    a->touch.contacts = list;
    a->contact_count = SOFT;
}

// Forces at the mean, at the end and at the start of the step; and at the end by three states; with rows
// beside the bodies they carry, and, from the twelfth scene on, as nodes of their own.
//                                                                                   [notes 9.3]
TEST(the_matrix_of_a_scene_with_everything_matches_differences)  // [MABD Sec 3]
{
    static const double phis[4] = {0.5, 1.0, 0.0, 1.0};
    for (uint64_t salt = 0; salt < 24 && check_failures == 0; salt++) {
        const affine_stage stage = {.h = 0.7,
                                    .theta = 1.0,
                                    .beta = 0.4,
                                    .phi = phis[salt % 4],
                                    .rule = salt % 4 == 3 ? AFFINE_BDF2 : AFFINE_MEAN};
        scene s;
        message why = {""};
        affine_system* a = NULL;
        if (!scene_prepare(&s, 91 + salt)) return;
        tml_spec_set_rayleigh(s.spec, 0.3, 0.2);
        if (!scene_finish(&s)) return;
        CHECK((salt < 12 ? tml__affine_create : tml__affine_create_regular)(s.system, &why, &a) ==
              TML_OK);
        set_step(&s, a, &stage);
        affine_contact contacts[SOFT];
        add_contacts(&s, a, contacts);
        const int size = a->node_first[a->matrix_nodes];
        double* memory = malloc(5 * (size_t)size * sizeof *memory);
        tml__affine_evaluate(a, &stage);
        tml__affine_fill(a, &stage);
        for (int k = 0; k < size; k++) check_column(a, &stage, k, memory, move_rigid);
        free(memory);
        tml__affine_destroy(a);
        scene_destroy(&s);
    }
}

// ---- one body

static mat3 any_rotation(random_source* r) { return q_matrix(random_quat(r)); }

TEST(the_nearest_rotation_is_found_of_small_and_large_matrices)
{
    random_source r = random_start(3);
    for (int i = 0; i < 200; i++) {
        // R (I + sym): the polar factor is R
        const mat3 R = any_rotation(&r);
        const vec3 d = random_vec3(&r, 0.3);
        const vec3 o = random_vec3(&r, 0.1);
        const mat3 U = {{{1.0 + d.x, o.x, o.y}, {o.x, 1.0 + d.y, o.z}, {o.y, o.z, 1.0 + d.z}}};
        const double scale = i % 2 == 0 ? 1.0 : 5.0;
        const mat3 found = tml__affine_polar(m3_scale(scale, m3_mul(R, U)));
        for (int k = 0; k < 9; k++) {
            // a handful of roundings
            CHECK_NEAR(found.m[k / 3][k % 3], R.m[k / 3][k % 3], 1e-14);
        }
    }
}

TEST(second_moments_give_back_the_moments_of_inertia)
{
    random_source r = random_start(4);
    const mat3 J = random_inertia(&r);
    const mat3 back = affine_lever(affine_second_moments(J));
    for (int k = 0; k < 9; k++) CHECK_NEAR(back.m[k / 3][k % 3], J.m[k / 3][k % 3], 1e-14);
}

// With no force, theta = 1/2 keeps the energy, and theta = 1 loses |u+ - u|^2_M / 2 before the
// velocity is made rigid.                                                          [notes 9.2]
TEST(work_is_torque_times_the_cayley_vector)
{
    random_source r = random_start(5);
    affine_body b = {.R = any_rotation(&r)};
    const vec3 turn = {0.7, -1.1, 0.4};
    b.R_end = m3_mul(q_matrix(q_exp(turn)), b.R);
    const double angle = v3_norm(turn);
    const double expected = 2.0 * tan(0.5 * angle) / angle;
    const vec3 found = tml__affine_cayley(&b);
    CHECK_NEAR(found.x, expected * turn.x, 1e-14);
    CHECK_NEAR(found.y, expected * turn.y, 1e-14);
    CHECK_NEAR(found.z, expected * turn.z, 1e-14);

    // a force f at the body's point p: f . (R+ p - R p) = ((R + R+) p / 2) x f . c
    const vec3 p = random_vec3(&r, 1.0);
    const vec3 f = random_vec3(&r, 1.0);
    const vec3 mean = v3_scale(0.5, v3_add(m3_apply(b.R, p), m3_apply(b.R_end, p)));
    const vec3 moved = v3_sub(m3_apply(b.R_end, p), m3_apply(b.R, p));
    CHECK_NEAR(v3_dot(v3_cross(mean, f), found), v3_dot(f, moved), 1e-14);
}
