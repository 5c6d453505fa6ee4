// test/redundant/loads.c - joints that hold one thing together: how they share what it needs.
//
// Of all multipliers with the same force C^T lambda the reported ones have the smallest sum of
// weight lambda^2                                                                    [QRBD (32)]
// Judged by a dense pseudo-inverse: f is what the motion of the accepted step needs, computed with
// no multiplier at all, and lambda = W^-1/2 (W^-1/2 C)^+T f. And by closed forms at rest.
#include "method/affine/method.h"
#include "method/quaternion/stage.h"
#include "sim/sim_internal.h"
#include "test/redundant/dense.h"
#include "test/scenes/placed.h"

static double one(const tml_joint_def* joint, int index, int axis)
{
    (void)joint, (void)index, (void)axis;
    return 1.0;
}

static double one_to_three(const tml_joint_def* joint, int index, int axis)
{
    (void)joint, (void)axis;
    return index % 2 == 0 ? 1.0 : 3.0;
}

static double wide(const tml_joint_def* joint, int index, int axis)
{
    (void)joint, (void)axis;
    return index % 2 == 0 ? 1e5 : 1.0;
}

// Cheap motors, dear hinges, no two rows alike.
static double mixed(const tml_joint_def* joint, int index, int axis)
{
    const double own = 1.0 + 0.37 * axis + 0.11 * (index % 7);
    return joint->axis_of[axis].actuation == TML_POSITION ? 0.01 * own : own;
}

static const weight_rule rules[] = {one, one_to_three, wide, mixed};
static const char* const rule_names[] = {"1", "1:3", "1e5:1", "mixed"};
static const char* const scenes[] = {"two-hinge-door", "four-legged-table", "overactuated-leg"};

enum {
    RULES = sizeof rules / sizeof rules[0],
    SCENES = sizeof scenes / sizeof scenes[0]
};

// A mechanism that runs, the same one placed by hand, and a system that only states equations.
typedef struct shared_load {
    placed p;  // scene, model, dense rows
    tml_sim* sim;
    maximal_system* judge;
    double* root;    // per row: 1 / sqrt(weight)
    double* lambda;  // per row, as reported
    double* wanted;  // per row, as the pseudo-inverse says
    double* force;   // per column: what the motion needs
} shared_load;

static shared_load load_start(const char* scene, weight_rule rule, double step)
{
    shared_load s = {.p = place(weighted_scene(scene, rule), scene)};
    tml_sim_settings settings = tml_scene_settings(s.p.scene)->sim;
    message why = {{0}};

    if (step > 0.0) settings.step = step;
    CHECK(tml_sim_create(s.p.model, &settings, &s.sim) == TML_OK);
    CHECK(tml__maximal_create(s.p.model, KKT_DENSE, &settings.allocator, &why, &s.judge) == TML_OK);
    s.root = test_array(s.p.rows, sizeof(double));
    s.lambda = test_array(s.p.rows, sizeof(double));
    s.wanted = test_array(s.p.rows, sizeof(double));
    s.force = test_array(s.p.columns, sizeof(double));
    for (int i = 0; i < s.p.rows; i++) s.root[i] = 1.0 / sqrt(s.judge->weight[i]);
    return s;
}

static void load_end(shared_load* s)
{
    tml_sim_destroy(s->sim);
    tml__maximal_destroy(s->judge);
    free(s->root);
    free(s->lambda);
    free(s->wanted);
    free(s->force);
    placed_free(&s->p);
}

// The multipliers as the public header gives them, row by row.
static void read_multipliers(const tml_sim* sim, double* lambda)
{
    const tml_model* m = tml_sim_model(sim);
    int row = 0;
    for (int j = 0; j < m->all.joint_count; j++) {
        double of_axis[TML_AXES];
        joint_rows rows;
        tml__joint_rows(&m->joints[j], &rows);
        tml_sim_joint_multipliers(sim, (tml_joint){j}, of_axis);
        for (int r = 0; r < rows.count; r++) lambda[row++] = of_axis[rows.row[r].axis];
    }
    CHECK(row == m->row_count);
}

static void place_where_it_is(shared_load* s)
{
    for (int b = 0; b < s->p.model->all.body_count; b++) {
        const tml_pose pose = tml_sim_pose(s->sim, (tml_body){b});
        rigid* body = &s->p.bodies[b];
        body->q = pose.q;
        body->R = q_matrix(pose.q);
        body->c = v3_add(pose.p, m3_apply(body->R, s->p.model->bodies[b].com));
    }
    fill_rows(&s->p, tml_sim_time(s->sim));
}

// What the last step of BDF2 asks its rows for: mass times the formula's accelerations less applied
// forces.                                                                       [QRBD (25) Sec 5.1]
static void needed_force(shared_load* s)
{
    const double c = tml_sim_get_settings(s->sim)->step * 2.0 / 3.0;
    const int width = s->judge->node_count * POSE_WIDTH;
    double* const* q = s->sim->past_q;
    double* const* v = s->sim->past_v;
    double* v_hat = test_array(width, sizeof(double));
    double* q_hat = test_array(width, sizeof(double));
    newton_merit merit;

    for (int i = 0; i < width; i++) {
        v_hat[i] = (4.0 * v[1][i] - v[2][i]) / 3.0;
        q_hat[i] = (4.0 * q[1][i] - q[2][i]) / 3.0 + c * v_hat[i];
        s->judge->x[i] = q[0][i];
    }
    for (int i = 0; i < s->p.rows; i++) s->judge->lambda[i] = 0.0;
    const form_stage stage = {c, c * c, v_hat, q_hat};
    tml__maximal_time(s->judge, tml_sim_time(s->sim), NULL);
    tml__quat_residual(s->judge, &stage, &merit);
    for (int i = 0; i < s->p.columns; i++) s->force[i] = s->judge->residual[i] / (c * c);
    free(v_hat);
    free(q_hat);
}

static double largest(const double* a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// The largest difference to the pseudo-inverse, relative to the largest multiplier.
static double compare_with_dense(shared_load* s)
{
    place_where_it_is(s);
    needed_force(s);
    read_multipliers(s->sim, s->lambda);
    dense_svd d = dense_decompose(s->p.J, s->p.rows, s->p.columns, s->root);
    // weights of 1e5 : 1 spread singular values by 300; what is no part of the rank is 1e-15
    dense_least_norm(&d, 1e-9, s->force, s->wanted);
    double worst = 0.0;
    for (int i = 0; i < s->p.rows; i++) {
        s->wanted[i] *= s->root[i];
        worst = fmax(worst, fabs(s->lambda[i] - s->wanted[i]));
    }
    dense_free(&d);
    return worst / largest(s->wanted, s->p.rows);
}

TEST(multipliers_are_those_of_the_dense_weighted_pseudo_inverse)
{
    for (int i = 0; i < SCENES; i++) {
        for (int k = 0; k < RULES; k++) {
            shared_load s = load_start(scenes[i], rules[k], 0.0);
            double worst = 0.0;
            for (int step = 1; step <= 24 && check_failures == 0; step++) {
                CHECK(tml_sim_step(s.sim, NULL) == TML_OK);
                // the first steps take their multipliers from accelerations, not from the formula
                if (step % 6 == 0) worst = fmax(worst, compare_with_dense(&s));
            }
            printf("%-18s weights %-6s off by %.1e of %.3g\n", scenes[i], rule_names[k], worst,
                   largest(s.wanted, s.p.rows));
            CHECK(worst <= 1e-9);  // asked for; rounding of m / h^2 leaves about 1e-12
            CHECK(tml_sim_get_report(s.sim).unsettled_loads == 0);
            load_end(&s);
        }
    }
}

// A mechanism of loops and of joints beside them, which carry what hangs on them and have no choice: the
// least norm is sought among the rows on loops only, and yet it is that of all rows.
TEST(joints_beside_loops_carry_what_the_pseudo_inverse_says)
{
    shared_load s = load_start("gazelle-like", mixed, 0.0);
    for (int step = 1; step <= 12; step++) CHECK(tml_sim_step(s.sim, NULL) == TML_OK);
    const double worst = compare_with_dense(&s);
    printf("%-18s weights %-6s off by %.1e of %.3g\n", "gazelle-like", "mixed", worst,
           largest(s.wanted, s.p.rows));
    CHECK(worst <= 1e-9);  // asked for
    CHECK(s.sim->system->loops != NULL);
    CHECK(tml_sim_get_report(s.sim).unsettled_loads == 0);
    load_end(&s);
}

// Before the first step and in the steps of the start there is no formula to judge by, but weighted
// multipliers must lie in the range of C: nothing in them pushes against itself.
TEST(no_multiplier_of_any_step_pushes_against_another)
{
    for (int i = 0; i < SCENES; i++) {
        for (int k = 0; k < RULES; k++) {
            shared_load s = load_start(scenes[i], rules[k], 0.0);
            double worst = 0.0;
            for (int step = 0; step <= 5 && check_failures == 0; step++) {
                if (step > 0) CHECK(tml_sim_step(s.sim, NULL) == TML_OK);
                place_where_it_is(&s);
                read_multipliers(s.sim, s.lambda);
                for (int c = 0; c < s.p.columns; c++) {
                    s.force[c] = 0.0;
                    for (int r = 0; r < s.p.rows; r++) {
                        s.force[c] += s.p.J[(ptrdiff_t)r * s.p.columns + c] * s.lambda[r];
                    }
                }
                dense_svd d = dense_decompose(s.p.J, s.p.rows, s.p.columns, s.root);
                dense_least_norm(&d, 1e-9, s.force, s.wanted);
                for (int r = 0; r < s.p.rows; r++) {
                    const double off = s.lambda[r] - s.root[r] * s.wanted[r];
                    worst = fmax(worst, fabs(off) / largest(s.lambda, s.p.rows));
                }
                dense_free(&d);
            }
            if (worst > 1e-9) printf("%s, weights %s: %.1e\n", scenes[i], rule_names[k], worst);
            CHECK(worst <= 1e-9);  // the same round-off as above
            load_end(&s);
        }
    }
}

// ---- closed forms at rest

// A door at rest, 1.5 m between its hinges, both about the vertical: a_x = z, a_y = -y, a_z = x.
// Up and down each hinge carries its share m g / w. The moment M = m g 0.45 m tips the door about y:
// hinges pull +-f along x and twist by t1, t2, with 1.5 f + t1 + t2 = M, and the least of
// w1 (f^2 + t1^2) + w2 (f^2 + t2^2) has t_i = mu / w_i, f = 1.5 mu / (w1 + w2).
static void check_door(const double w[2])
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    tml_body_def door = tml_body_def_default();
    const double mass = 40.0;
    door.mass = mass;
    door.pose.p = (tml_vec3){0.45, 0.0, 1.0};
    const tml_body body = tml_spec_add_body(spec, &door);
    for (int i = 0; i < 2; i++) {
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.follower = body;
        hinge.position = (tml_vec3){0.0, 0.0, i == 0 ? 0.25 : 1.75};
        hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
        for (int k = 0; k < TML_AXES; k++) hinge.axis_of[k].weight = w[i];
        tml_spec_add_joint(spec, &hinge);
    }
    settings.step = 0.01;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);

    const double weight = mass * 9.81;
    const double mu = 0.45 * weight / (1.5 * 1.5 / (w[0] + w[1]) + 1.0 / w[0] + 1.0 / w[1]);
    const double f = 1.5 * mu / (w[0] + w[1]);
    for (int step = 0; step <= 10; step++) {
        if (step > 0) CHECK(tml_sim_step(sim, NULL) == TML_OK);
        for (int i = 0; i < 2; i++) {
            double l[TML_AXES];
            const double share = w[1 - i] / (w[0] + w[1]);
            tml_sim_joint_multipliers(sim, (tml_joint){i}, l);
            // a rounding of 1 m, 2e-16, on 40 kg over (2/3 h)^2 = 4e-5 s^2 is 2e-10 N
            CHECK_NEAR(l[TML_AXIS_TX], share * weight, 2e-9);
            CHECK_NEAR(l[TML_AXIS_TY], 0.0, 2e-9);
            CHECK_NEAR(l[TML_AXIS_TZ], i == 0 ? f : -f, 2e-9);  // the upper one pulls to the post
            // constraint moment -t about y is +t about a_y
            CHECK_NEAR(l[TML_AXIS_RY], mu / w[i], 2e-9);
            CHECK_NEAR(l[TML_AXIS_RZ], 0.0, 2e-9);
        }
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(two_hinges_share_a_door_at_rest_as_their_weights_say)
{
    static const double weights[][2] = {
        {1.0, 1.0}, {1.0, 3.0}, {3.0, 1.0}, {1e5, 1.0}, {7.0, 7e-5}};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) check_door(weights[i]);
}

// The table: of all forces at four feet with one sum F and moment M about their middle the smallest
// are f_i = F / 4 + theta x r_i, with sum of r_i x (theta x r_i) = M: the feet are a rectangle in
// z = 0, so that tensor is diagonal.
TEST(four_feet_carry_a_table_as_statics_and_the_least_norm_say)
{
    static const double feet[4][2] = {{-0.7, -0.4}, {0.7, -0.4}, {0.7, 0.4}, {-0.7, 0.4}};
    shared_load s = load_start("four-legged-table", one, 0.0);
    const tml_model* m = s.p.model;
    const double xx = 4.0 * 0.7 * 0.7;
    const double yy = 4.0 * 0.4 * 0.4;

    for (int step = 0; step <= 60; step++) {
        if (step > 0) CHECK(tml_sim_step(s.sim, NULL) == TML_OK);
        if (step % 20 != 0) continue;
        const double push = 100.0 * sin(2.0 * TML_PI * 0.5 * tml_sim_time(s.sim));
        vec3 F = {-push, 0.0, 0.0};
        vec3 M = v3_neg(v3_cross((vec3){-0.8, 0.0, 0.72}, (vec3){push, 0.0, 0.0}));
        for (int b = 0; b < 2; b++) {
            const vec3 up = {0.0, 0.0, m->bodies[b].mass * 9.81};
            F = v3_add(F, up);
            M = v3_add(M, v3_cross(m->bodies[b].c, up));
        }
        const vec3 theta = {M.x / yy, M.y / xx, M.z / (xx + yy)};
        for (int i = 0; i < 4; i++) {
            const vec3 r = {feet[i][0], feet[i][1], 0.0};
            const vec3 f = v3_add(v3_scale(0.25, F), v3_cross(theta, r));
            double l[TML_AXES];
            tml_sim_joint_multipliers(s.sim, (tml_joint){i}, l);
            // some roundings of a metre on 80 kg over (2/3 h)^2
            CHECK_NEAR(l[0], f.x, 5e-9);
            CHECK_NEAR(l[1], f.y, 5e-9);
            CHECK_NEAR(l[2], f.z, 5e-9);
        }
    }
    load_end(&s);
}

// ---- no jumps

// The largest change of a multiplier from one step to the next, start included.
static double largest_change(const char* scene, weight_rule rule, double step, double duration)
{
    shared_load s = load_start(scene, rule, step);
    double most = 0.0;
    const int steps = (int)(duration / step + 0.5);

    read_multipliers(s.sim, s.wanted);
    for (int k = 0; k < steps && check_failures == 0; k++) {
        CHECK(tml_sim_step(s.sim, NULL) == TML_OK);
        read_multipliers(s.sim, s.lambda);
        for (int i = 0; i < s.p.rows; i++) {
            most = fmax(most, fabs(s.lambda[i] - s.wanted[i]));
            s.wanted[i] = s.lambda[i];
        }
    }
    load_end(&s);
    return most;
}

// A continuous load changes by about half as much in half the time; a jump stays what it is.
TEST(no_multiplier_jumps_along_a_run)
{
    for (int i = 0; i < SCENES; i++) {
        for (int k = 0; k < RULES; k++) {
            const double coarse = largest_change(scenes[i], rules[k], 0.01, 1.0);
            const double fine = largest_change(scenes[i], rules[k], 0.005, 1.0);
            printf("%-18s weights %-6s change %.3g N at 10 ms, %.3g N at 5 ms\n", scenes[i],
                   rule_names[k], coarse, fine);
            CHECK(fine < 0.6 * coarse);
            CHECK(coarse > 0.0);
        }
    }
}

// A door of 2 kg, its centre of mass 0.5 m beside the hinges, the first of which gives way: at first it is
// not bent, so the rigid one carries all. What the rank of rigid rows would call redundant is needed.
static tml_model* half_soft_door(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def door = tml_body_def_default();
    door.mass = 2.0;
    door.pose.p = (tml_vec3){0.5, 0.0, 0.5};
    const tml_body body = tml_spec_add_body(spec, &door);
    for (int i = 0; i < 2; i++) {
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.base = TML_WORLD;
        hinge.follower = body;
        hinge.position = (tml_vec3){0.0, 0.0, (double)i};
        hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
        for (int k = 0; k < TML_AXES && i == 0; k++) hinge.axis_of[k].compliance = 1e-6;
        hinge.axis_of[TML_AXIS_RX].compliance = 0.0;  // it turns freely
        tml_spec_add_joint(spec, &hinge);
    }
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

TEST(a_rigid_hinge_carries_what_one_that_gives_way_does_not)
{
    tml_model* m = half_soft_door();
    for (int f = 0; f < 4; f++) {
        static const tml_formulation forms[4] = {TML_FORM_QUATERNION, TML_FORM_VARIATIONAL,
                                                 TML_FORM_AFFINE, TML_FORM_GENERALIZED};
        static const tml_integrator integrators[4] = {
            TML_TIME_BDF2, TML_TIME_VARIATIONAL, TML_TIME_ENERGY, TML_TIME_SEMI_IMPLICIT_EULER};
        tml_sim_settings settings = tml_sim_settings_default();
        tml_sim* sim = NULL;
        settings.formulation = forms[f];
        settings.integrator = integrators[f];
        settings.step = 1e-3;
        CHECK(tml_sim_create(m, &settings, &sim) == TML_OK);
        for (int n = 0; n <= 20; n++) {
            const tml_load soft = tml_sim_joint_load(sim, (tml_joint){0});
            const tml_load stiff = tml_sim_joint_load(sim, (tml_joint){1});
            // the hinge's own x axis points up; along the others lie the moment and what is not there
            CHECK_NEAR(fabs(stiff.force.x), 2.0 * 9.81, 1e-9);
            CHECK_NEAR(hypot(stiff.moment.y, stiff.moment.z), 2.0 * 9.81 * 0.5, 1e-9);
            CHECK_NEAR(hypot(stiff.force.y, stiff.force.z), 0.0, 1e-9);
            CHECK_NEAR(hypot(soft.force.x, hypot(soft.force.y, soft.force.z)), 0.0, 1e-9);
            CHECK_NEAR(hypot(soft.moment.x, hypot(soft.moment.y, soft.moment.z)), 0.0, 1e-9);
            CHECK(tml_sim_step(sim, NULL) == TML_OK);
        }
        CHECK(tml_sim_get_report(sim).max_gap <= 1e-12);
        tml_sim_destroy(sim);
    }
    tml_model_destroy(m);
}

// ---- a joint that gives way keeps the rows of its own loops only

// Two doors on two hinges each; the first hinge of the first door gives way. Five rows of the second door say
// what others say, and are left out; those of the first stay.
TEST(rows_of_loops_that_give_way_stay_and_others_are_left_out)
{
    tml_spec* spec = tml_spec_create();
    for (int d = 0; d < 2; d++) {
        tml_body_def door = tml_body_def_default();
        door.mass = 2.0;
        door.pose.p = (tml_vec3){0.5, 3.0 * d, 0.5};
        const tml_body body = tml_spec_add_body(spec, &door);
        for (int i = 0; i < 2; i++) {
            tml_joint_def hinge = tml_joint_def_default();
            hinge.kind = TML_JOINT_REVOLUTE;
            hinge.base = TML_WORLD;
            hinge.follower = body;
            hinge.position = (tml_vec3){0.0, 3.0 * d, (double)i};
            hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
            for (int k = 0; k < TML_AXES && d + i == 0; k++) hinge.axis_of[k].compliance = 1e-6;
            hinge.axis_of[TML_AXIS_RX].compliance = 0.0;  // it turns freely
            tml_spec_add_joint(spec, &hinge);
        }
    }
    tml_model* m = NULL;
    CHECK(tml_spec_build(spec, &m) == TML_OK);
    tml_spec_destroy(spec);
    tml_sim* sims[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = k == 0 ? TML_FORM_AFFINE : TML_FORM_QUATERNION;
        settings.integrator = k == 0 ? TML_TIME_ENERGY : TML_TIME_BDF2;
        settings.step = 1e-3;
        CHECK(tml_sim_create(m, &settings, &sims[k]) == TML_OK);
    }
    const affine_system* a = tml__affine_of(sims[0]);
    int left_out[2] = {0, 0};
    for (int row = 0; row < a->s->row_count; row++) {
        const int door = row >= a->s->first_row[2] ? 1 : 0;
        left_out[door] += a->is_redundant[row] ? 1 : 0;
    }
    CHECK(left_out[0] == 0 && left_out[1] == 5);
    for (int n = 0; n <= 20; n++) {
        for (int j = 0; j < 4; j++) {
            const tml_load x = tml_sim_joint_load(sims[0], (tml_joint){j});
            const tml_load y = tml_sim_joint_load(sims[1], (tml_joint){j});
            const double f = v3_norm(v3_sub(x.force, y.force));
            const double t = v3_norm(v3_sub(x.moment, y.moment));
            // rounding of multipliers of 20 N over h^2, as above
            CHECK_NEAR(f, 0.0, 1e-8);
            CHECK_NEAR(t, 0.0, 1e-8);
        }
        for (int k = 0; k < 2; k++) CHECK(tml_sim_step(sims[k], NULL) == TML_OK);
    }
    for (int k = 0; k < 2; k++) tml_sim_destroy(sims[k]);
    tml_model_destroy(m);
}
