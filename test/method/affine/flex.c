// test/method/affine/flex.c - bodies of finite stiffness: stress, its matrix, and the whole Newton matrix
// against differences, closed forms and the energy they keep.                     [MABD Sec 3] [notes 9.6]
#include "method/affine/flex.h"

#include "test/method/affine/columns.h"

// Stiff enough to matter beside the forces of the scene, soft enough for differences.
static const flex_material soft = {40.0, 0.3, false};

static mat3 any_strain(random_source* r, double size)
{
    const vec3 d = random_vec3(r, size);
    const vec3 o = random_vec3(r, size);
    return (mat3){{{1.0 + d.x, o.x, o.y}, {o.x, 1.0 + d.y, o.z}, {o.y, o.z, 1.0 + d.z}}};
}

// A step from somewhere near to the scene's state, bodies strained, with every force acting.
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
        const mat3 R = q_matrix((quat){x[3], x[4], x[5], x[6]});
        b->R_end = m3_mul(R, any_strain(r, 0.05));
        b->R = m3_mul(m3_mul(q_matrix(q_exp(random_vec3(r, 0.1))), R), any_strain(r, 0.05));
        b->R_before = m3_mul(m3_mul(q_matrix(q_exp(random_vec3(r, 0.1))), R), any_strain(r, 0.05));
        b->move = random_vec3(r, 0.1);
        b->x = v3_sub(v3_load(x), b->move);
        b->x_before = v3_sub(b->x, random_vec3(r, 0.1));
        b->x_hat = random_vec3(r, 0.2);
        b->R_hat = m3_mul(m3_add(m3_identity(), m3_skew(random_vec3(r, 0.3))), b->R);
    }
    for (int row = 0; row < q->row_count; row++) {
        a->lambda[row] = a->row_first[row] < 0 ? 0.0 : q->lambda[row];
        a->C_start[row] = random_between(r, -0.1, 0.1);
    }
    for (int i = 0; i < q->forced_count; i++) a->axis_before[i] = random_between(r, -0.1, 0.1);
    for (int i = 0; i < s->model->all.spring_count; i++) {
        a->length_before[i] = random_between(r, 0.5, 1.0);
    }
    // frames at the start, as tml__affine_step marks them
    affine_stage start = *stage;
    start.phi = 0.0;
    tml__affine_place(a, &start);
    memcpy(a->start_frames, a->force_frames,
           (size_t)s->model->all.joint_count * sizeof *a->start_frames);
    tml__flex_stage(a, stage);
}

static void move_affine(affine_body* b, int part, double amount)
{
    if (part < 3)
        b->move = v3_add(b->move, v3_scale(amount, v3_unit(part)));
    else
        b->R_end.m[part % 3][part / 3 - 1] += amount;
}

// All joints and ways to drive them, springs, wrenches, drag, couplings, limits and both dampings; forces
// at the mean and at the end of the step, and at the end by three states; both strains.
TEST(the_matrix_of_a_scene_with_everything_matches_differences)
{
    for (uint64_t salt = 0; salt < 8 && check_failures == 0; salt++) {
        const int kind = (int)(salt % 4);
        const affine_stage stage = {.h = 0.7,
                                    .theta = kind == 0 ? 0.5 : 1.0,
                                    .beta = 0.4,
                                    .phi = kind < 2 ? 0.5 : 1.0,
                                    .rule = kind == 3 ? AFFINE_BDF2 : AFFINE_MEAN};
        flex_material material = soft;
        material.is_corotated = kind == 3;
        scene s;
        message why = {""};
        affine_system* a = NULL;
        if (!scene_prepare(&s, 191 + salt)) return;
        tml_spec_set_rayleigh(s.spec, 0.3, 0.2);
        if (!scene_finish(&s)) return;
        CHECK(tml__flex_create(s.system, &material, &why, &a) == TML_OK);
        set_step(&s, a, &stage);
        const int size = a->node_first[a->matrix_nodes];
        double* memory = malloc(5 * (size_t)size * sizeof *memory);
        tml__affine_evaluate(a, &stage);
        tml__flex_fill(a, &stage);
        for (int k = 0; k < size; k++) check_column(a, &stage, k, memory, move_affine);
        free(memory);
        tml__affine_destroy(a);
        scene_destroy(&s);
    }
}

// ---- one body

typedef struct one_body {
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    affine_system* a;
} one_body;

static bool one_create(one_body* o, const flex_material* material, random_source* r)
{
    const tml_allocator heap = {0};
    message why = {""};
    tml_body_def def = tml_body_def_default();
    const mat3 J = random_inertia(r);
    const double moments[6] = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]};
    memcpy(def.inertia, moments, sizeof moments);
    def.mass = 1.3;
    *o = (one_body){.spec = tml_spec_create()};
    tml_spec_add_body(o->spec, &def);
    tml_status status = tml_spec_build(o->spec, &o->model);
    if (status == TML_OK) status = tml__maximal_create(o->model, KKT_NONE, &heap, &why, &o->system);
    if (status == TML_OK) status = tml__flex_create(o->system, material, &why, &o->a);
    CHECK(status == TML_OK);
    return status == TML_OK;
}

static void one_destroy(one_body* o)
{
    tml__affine_destroy(o->a);
    tml__maximal_destroy(o->system);
    tml_model_destroy(o->model);
    tml_spec_destroy(o->spec);
}

static double stored_at(one_body* o, mat3 A)
{
    double kept[FLEX_STATE] = {0.0};
    double kinetic = 0.0;
    double stored = 0.0;
    for (int k = 0; k < 9; k++) kept[k] = A.m[k / 3][k % 3];
    tml__flex_energy(o->a, kept, &kinetic, &stored);
    return stored;
}

// P = d(energy)/dA for both strains, and the derivative of P is symmetric.      [MABD (15)] [notes 1]
TEST(the_stress_is_the_gradient_of_the_energy)
{
    random_source r = random_start(17);
    for (int i = 0; i < 20; i++) {
        flex_material material = soft;
        material.is_corotated = i % 2 != 0;
        one_body o;
        if (!one_create(&o, &material, &r)) return;
        const affine_stage end = {0.1, 1.0, 0.01, 1.0, AFFINE_MEAN};
        const mat3 A = m3_mul(q_matrix(random_quat(&r)), any_strain(&r, 0.2));
        o.a->body[0].R = o.a->body[0].R_end = A;
        double K[81] = {0.0};
        const mat3 P = tml__flex_stress(o.a, &end, 0, K);
        slope sum = {0};
        for (int c = 0; c < 9; c++) {
            double value[4];
            for (int side = 0; side < 4; side++) {
                const double step = side < 2 ? 0x1p-8 : 0x1p-9;
                mat3 moved = A;
                moved.m[c % 3][c / 3] += side % 2 == 0 ? step : -step;
                value[side] = stored_at(&o, moved);
            }
            slope_add(&sum, P.m[c % 3][c / 3], (value[0] - value[1]) / 0x1p-7,
                      (value[2] - value[3]) / 0x1p-8);
            for (int d = 0; d < c; d++) CHECK_NEAR(K[9 * c + d], K[9 * d + c], 1e-12);
        }
        // energies of some joules over the step; fifth derivatives of the co-rotated energy
        CHECK_SLOPE("stress", &sum, 1e-11, 1e-6);
        one_destroy(&o);
    }
}

// A_mean Sigma : (A+ - A) is what the energy stored grows by, and what is damped beside it: at most that.
//                                                                                   [notes 9.6]
TEST(the_work_of_the_stress_over_a_step_is_never_less_than_what_it_stores)
{
    random_source r = random_start(23);
    for (int i = 0; i < 50; i++) {
        one_body o;
        if (!one_create(&o, &soft, &r)) return;
        // hardly followed, or not at all: r between 0 and 1
        const double h = i % 2 == 0 ? 1e-9 : random_between(&r, 0.01, 1.0);
        const affine_stage stage = {h, 0.5, 0.5 * h * h, 0.5, AFFINE_MEAN};
        affine_body* b = &o.a->body[0];
        b->R = m3_mul(q_matrix(random_quat(&r)), any_strain(&r, 0.3));
        b->R_end = m3_mul(q_matrix(q_exp(random_vec3(&r, 1.5))), m3_mul(b->R, any_strain(&r, 0.3)));
        tml__flex_stage(o.a, &stage);
        const mat3 P = tml__flex_stress(o.a, &stage, 0, NULL);
        double work = 0.0;
        for (int c = 0; c < 9; c++)
            work += P.m[c / 3][c % 3] * (b->R_end.m[c / 3][c % 3] - b->R.m[c / 3][c % 3]);
        const double grown = stored_at(&o, b->R_end) - stored_at(&o, b->R);
        // sums of some ten joules
        if (i % 2 == 0) CHECK_NEAR(work, grown, 1e-12);
        CHECK(work >= grown - 1e-12);
        one_destroy(&o);
    }
}

// At rest the inverse of M + beta K has a closed form in principal axes: pairs of shears, a 3 x 3 of
// stretches, and the mass.                                                [MABD (19)] [notes 1]
TEST(the_matrix_at_rest_has_the_closed_form_inverse)
{
    random_source r = random_start(29);
    one_body o;
    const flex_material stiff = {1e5, 0.25, false};
    if (!one_create(&o, &stiff, &r)) return;
    const double h = 0.01;
    const affine_stage stage = {h, 1.0, h * h, 1.0, AFFINE_MEAN};
    const flex_body* f = &o.a->flex->body[0];
    affine_body* b = &o.a->body[0];
    b->R = b->R_end = m3_transpose(f->axes);  // the world's axes are principal
    b->R_hat = b->R;
    tml__affine_evaluate(o.a, &stage);
    CHECK(tml__affine_factor(o.a, &stage) == TML_OK);

    const double s[3] = {f->moments.x, f->moments.y, f->moments.z};
    const double k = o.a->flex->material.mu * f->volume;
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            // a force on A_ij of the principal frame; its columns are those of A axes
            const double alpha[2] = {s[i] / (h * h), s[j] / (h * h)};
            const double den = alpha[0] * alpha[1] / k + alpha[0] + alpha[1];
            mat3 P = m3_zero();
            P.m[i][j] = 1.0;
            P = m3_mul_bt(P, f->axes);
            memset(o.a->flex->dx, 0, FLEX_WIDTH * sizeof(double));
            for (int c = 0; c < 9; c++) o.a->flex->dx[3 + c] = h * h * P.m[c % 3][c / 3];
            tml__flex_solve(o.a);
            mat3 dA;
            for (int c = 0; c < 9; c++) dA.m[c % 3][c / 3] = o.a->flex->dx[3 + c];
            dA = m3_mul(dA, f->axes);
            // rounding of the ratio of both stiffnesses, 1e3
            CHECK_NEAR(dA.m[i][j] * den / (alpha[0] / k + 1.0), 1.0, 1e-11);
            CHECK_NEAR(dA.m[j][i] * den, -1.0, 1e-11);
            CHECK_NEAR(dA.m[i][i] * den, 0.0, 1e-11);
        }
    }
    one_destroy(&o);
}

// A negative determinant included: the nearest rotation is found, where Newton-Schulz would not.
TEST(the_rotation_of_any_matrix_is_found)
{
    random_source r = random_start(31);
    for (int i = 0; i < 100; i++) {
        const mat3 R = q_matrix(random_quat(&r));
        mat3 U = any_strain(&r, 0.3);
        if (i % 3 == 1) U = m3_scale(50.0, U);
        // flattened to nothing along z: both sides of it belong to the same rotation
        if (i % 3 == 2) U = m3_diagonal(1.2, 0.7, i % 2 == 0 ? 1e-9 : -1e-9);
        const mat3 found = tml__flex_rotation(m3_mul(R, U));
        for (int k = 0; k < 9; k++) {
            CHECK_NEAR(found.m[k / 3][k % 3], R.m[k / 3][k % 3], 1e-13);  // some roundings
        }
    }
}

// A tumbling body that vibrates keeps its angular momentum, at steps that follow it and at steps that do not.
//                                                                                   [notes 9.2]
TEST(a_free_body_keeps_its_angular_momentum_and_loses_energy_only)
{
    random_source r = random_start(37);
    one_body o;
    if (!one_create(&o, &soft, &r)) return;
    affine_system* a = o.a;
    o.model->all.gravity = v3_zero();
    a->body[0].R = m3_mul(q_matrix(random_quat(&r)), any_strain(&r, 0.1));
    a->flex->body[0].U = m3_mul(m3_skew(v3(0.5, 2.0, -1.0)), a->body[0].R);
    const vec3 first = affine_tau(m3_mul_bt(m3_mul(a->flex->body[0].U, a->S[0]), a->body[0].R));
    double energy = (double)INFINITY;
    double away = 0.0;
    double risen = 0.0;
    for (int k = 0; k < 300; k++) {
        const double h = k % 2 == 0 ? 0.002 : 0.1;
        const affine_stage stage = {h, 0.5, 0.5 * h * h, 0.5, AFFINE_MEAN};
        const newton_settings settings = {.tolerance = 1e-12, .max_iterations = 30};
        affine_report report;
        CHECK(tml__affine_step(a, &stage, &settings, &report) == TML_OK);
        tml__affine_go_on(a);
        const mat3 U = a->flex->body[0].U;
        const vec3 now = affine_tau(m3_mul_bt(m3_mul(U, a->S[0]), a->body[0].R));
        away = tml__larger(away, v3_max(v3_sub(now, first)));
        double kinetic = 0.0;
        for (int c = 0; c < 9; c++) {
            kinetic += 0.5 * m3_mul(U, a->S[0]).m[c / 3][c % 3] * U.m[c / 3][c % 3];
        }
        const double total = kinetic + stored_at(&o, a->body[0].R);
        if (total > energy) risen = tml__larger(risen, total - energy);
        energy = total;
    }
    printf("momentum %.3g away, energy %.3g up at most\n", away, risen);
    // a last update of 1e-7 leaves its square, times curvatures of some hundred: 1e-11 in each of 300 steps
    CHECK(away < 1e-8);
    CHECK(risen < 1e-9);
    one_destroy(&o);
}
