// test/method/quaternion/matrix.c - the whole Newton matrix against differences of the residual.
#include "force/axis.h"
#include "test/difference.h"
#include "test/method/quaternion/scene.h"

#include <trammel/sim.h>

// The residual at the iterate: forces (6 a node, times c_q), then rows. No iteration is taken.
static void residual_at(scene* s, double* out)
{
    const newton_settings look = {.tolerance = 1e-10, .max_iterations = 0};
    newton_report report;
    CHECK(tml__quat_solve_stage(s->system, &s->stage, &look, &report) == TML_NOT_CONVERGED);
    memcpy(out, s->system->residual, 6 * (size_t)s->system->node_count * sizeof *out);
    memcpy(out + 6 * s->system->node_count, s->system->C,
           (size_t)s->system->row_count * sizeof *out);
}

// The matrix at the iterate: one iteration fills it, and the iterate is put back.
static void linearise(scene* s)
{
    maximal_system* q = s->system;
    const newton_settings once = {.tolerance = 1e-10, .max_iterations = 1, .min_consistency = -1.0};
    double x[SCENE_BODIES * POSE_WIDTH];
    double* lambda = malloc((size_t)q->row_count * sizeof *lambda);
    newton_report report;
    memcpy(x, q->x, sizeof(double) * POSE_WIDTH * (size_t)q->node_count);
    memcpy(lambda, q->lambda, (size_t)q->row_count * sizeof *lambda);
    (void)tml__quat_solve_stage(q, &s->stage, &once, &report);
    memcpy(q->x, x, sizeof(double) * POSE_WIDTH * (size_t)q->node_count);
    memcpy(q->lambda, lambda, (size_t)q->row_count * sizeof *lambda);
    free(lambda);
}

// Column k of the matrix, in the unknowns (dx, c_q dlambda).
static void column_of(const scene* s, int k, double* out)
{
    const maximal_system* q = s->system;
    const int forces = 6 * q->node_count;
    double* unit = calloc((size_t)(forces + q->row_count), sizeof *unit);
    unit[k] = 1.0;
    tml__kkt_apply(q->matrix, unit, unit + forces, out, out + forces);
    free(unit);
}

// The iterate moved along unknown k.
static void move_along(scene* s, int k, double amount)
{
    maximal_system* q = s->system;
    const int forces = 6 * q->node_count;
    if (k >= forces) {
        q->lambda[k - forces] += amount / s->stage.c_q;
        return;
    }
    double motion[6] = {0};
    double* at = &q->x[k / 6 * POSE_WIDTH];
    motion[k % 6] = 1.0;
    tml__maximal_displace(at, at, motion, amount);
}

// Forces of 100 N and rows of 1 m: 2e-14 of rounding over 0x1p-10, in a hundred entries.
static const double noise = 1e-9;

// e^4 / 480 = 2e-15 times fifth derivatives: 1e7 where an angle comes within 0.4 of gimbal lock
// with 100 N m on it.
static const double left = 1e-7;

static void check_column(scene* s, int k, double* memory)
{
    maximal_system* q = s->system;
    const int size = 6 * q->node_count + q->row_count;
    double* exact = memory;
    double* value[4] = {memory + size, memory + 2 * size, memory + 3 * size, memory + 4 * size};
    const double step = 0x1p-10;
    const double amounts[4] = {step, -step, 0.5 * step, -0.5 * step};
    double x[SCENE_BODIES * POSE_WIDTH];
    double* lambda = memory + 5 * size;

    column_of(s, k, exact);
    memcpy(x, q->x, sizeof(double) * POSE_WIDTH * (size_t)q->node_count);
    memcpy(lambda, q->lambda, sizeof *lambda * (size_t)q->row_count);
    for (int side = 0; side < 4; side++) {
        move_along(s, k, amounts[side]);
        residual_at(s, value[side]);
        memcpy(q->x, x, sizeof(double) * POSE_WIDTH * (size_t)q->node_count);
        memcpy(q->lambda, lambda, sizeof *lambda * (size_t)q->row_count);
    }
    slope column = {0};
    for (int i = 0; i < size; i++) {
        // rows that are switched off have a one on the diagonal, and no residual
        if (k == i && scene_is_off(q, k - 6 * q->node_count)) {
            CHECK(exact[i] == 1.0);
            continue;
        }
        slope_add(&column, exact[i], (value[0][i] - value[1][i]) / (2.0 * step),
                  (value[2][i] - value[3][i]) / step);
    }
    char name[80];
    snprintf(name, sizeof name, "column %d of %d nodes, %d rows", k, q->node_count, q->row_count);
    CHECK_SLOPE(name, &column, noise, left);
}

static void check_matrix(scene* s)
{
    const int size = 6 * s->system->node_count + s->system->row_count;
    double* memory = malloc(6 * (size_t)size * sizeof *memory);
    linearise(s);
    for (int k = 0; k < size; k++) check_column(s, k, memory);
    free(memory);
    scene_destroy(s);
}

TEST(the_matrix_of_a_scene_with_everything_matches_differences)  // [QRBD (12) (30)]
{
    for (uint64_t salt = 0; salt < 12 && check_failures == 0; salt++) {
        scene s;
        if (!scene_create(&s, 91 + salt)) return;
        check_matrix(&s);
    }
}

TEST(so_does_the_matrix_with_rayleigh_damping)  // [COOK Sec 4]
{
    for (uint64_t salt = 0; salt < 4 && check_failures == 0; salt++) {
        scene s;
        if (!scene_create_damped(&s, 91 + salt)) return;
        check_matrix(&s);
    }
}

TEST(so_does_the_two_sided_matrix_where_velocities_are_tied)  // [COOK (196)]
{
    for (uint64_t salt = 0; salt < 4 && check_failures == 0; salt++) {
        scene s;
        if (!scene_create_tied(&s, 91 + salt)) return;
        CHECK(s.system->tie_count == 14);
        check_matrix(&s);
    }
}

// What the scenes above contain, so that the test cannot lose an element without saying so.
TEST(the_scenes_with_everything_do_contain_everything)
{
    enum {
        BASE_TORQUE,
        ANGLE_ROW,
        DRIVEN_BY_ONE,
        DRIVEN_BY_THREE,
        COMPLIANT_ROW,
        LOWER_LIMIT,
        UPPER_LIMIT,
        SERVO,
        SPRUNG_MOTOR,
        THINGS
    };
    int seen[THINGS] = {0};
    for (uint64_t salt = 0; salt < 12; salt++) {
        scene s;
        if (!scene_create(&s, 91 + salt)) return;
        for (int i = 0; i < s.model->all.joint_count; i++) {
            const joint_data* j = &s.model->joints[i];
            const joint_rows* rows = &s.system->rows[i];
            seen[BASE_TORQUE] += tml__joint_has_base_torque(j);
            seen[DRIVEN_BY_ONE] += rows->base_letter >= 0 || rows->follower_letter >= 0;
            seen[DRIVEN_BY_THREE] += rows->turns_all;
            for (int k = 0; k < rows->count; k++) {
                seen[ANGLE_ROW] += rows->row[k].kind == ROW_ANGLE;
                seen[COMPLIANT_ROW] += j->axis[rows->row[k].axis].compliance > 0.0;
            }
            for (int k = 3; k < TML_AXES; k++) {
                seen[SERVO] += j->axis[k].has_servo;
                seen[SPRUNG_MOTOR] += tml__joint_has_base_torque(j) && j->axis[k].stiffness > 0.0;
            }
        }
        for (int i = 0; i < s.system->limit_count; i++) {
            seen[LOWER_LIMIT] += s.system->sides[i] == LIMIT_LOWER;
            seen[UPPER_LIMIT] += s.system->sides[i] == LIMIT_UPPER;
        }
        scene_destroy(&s);
    }
    for (int i = 0; i < THINGS; i++) {
        if (seen[i] == 0) printf("none of element %d\n", i);
        CHECK(seen[i] > 0);
    }
}

// Three driven rotations are a torque along the base's axes, which is regular everywhere; the
// coordinates, which are not, must stay out of it.
TEST(motors_along_the_base_axes_work_at_gimbal_lock)
{
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    const tml_body_def ball = tml_body_def_default();
    const tml_body body = tml_spec_add_body(spec, &ball);
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_SPHERICAL;
    def.follower = body;
    def.has_follower_frame = 1;
    def.has_follower_axes = 1;
    // the follower's z is the base's x to the last bit: r_y = pi / 2
    def.follower_axes[0] = (tml_vec3){0.0, 0.0, -1.0};
    def.follower_axes[1] = (tml_vec3){0.0, 1.0, 0.0};
    def.follower_axes[2] = (tml_vec3){1.0, 0.0, 0.0};
    for (int k = 3; k < TML_AXES; k++) def.axis_of[k].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);

    tml_model* model = NULL;
    tml_sim* sim = NULL;
    const tml_sim_settings settings = tml_sim_settings_default();
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 3; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    CHECK(tml_sim_joint_load(sim, (tml_joint){0}).moment.y == 0.0);

    // a torque about the lost direction turns the body there: omega = torque t / J after BDF2
    const double torque[3] = {0.0, 0.0, 1e-3};
    for (int k = 0; k < 4; k++) CHECK(tml_sim_step(sim, torque) == TML_OK);
    CHECK_NEAR(tml_sim_joint_load(sim, (tml_joint){0}).moment.z, 1e-3, 1e-15);
    CHECK(tml_sim_velocity(sim, body).angular.z > 1e-3);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
