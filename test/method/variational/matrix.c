// test/method/variational/matrix.c - the whole matrix of a variational step against differences of its
// residual, with every element there is.
#include "method/variational/step.h"
#include "test/difference.h"
#include "test/method/quaternion/scene.h"

// A scene and a step through it.
typedef struct trial {
    scene s;
    variational* work;
    var_step step;
    double q[SCENE_BODIES * POSE_WIDTH], v[SCENE_BODIES * POSE_WIDTH];
} trial;

static const double h = 0.8;  // h^2 / 2 is about a half: inertia, damping, stiffness weigh alike

static void set_time(void* clock, double dt) { tml__maximal_time(clock, 0.37 - h + dt, NULL); }

// The step ends where the scene stands and starts a little before.
typedef bool (*making)(scene* s, uint64_t salt);

static bool trial_create(trial* t, uint64_t salt, var_push push, making make)
{
    *t = (trial){0};
    if (!make(&t->s, salt)) return false;
    random_source* r = &t->s.random;
    maximal_system* s = t->s.system;
    message why = {""};

    for (int n = 0; n < s->node_count; n++) {
        double motion[6];
        v3_store(motion, random_vec3(r, 0.2));
        v3_store(motion + 3, random_vec3(r, 0.2));
        tml__maximal_displace(&t->q[n * POSE_WIDTH], &s->x[n * POSE_WIDTH], motion, 1.0);
        tml__maximal_store_velocity(&t->q[n * POSE_WIDTH], random_vec3(r, 1.0), random_vec3(r, 1.0),
                                    &t->v[n * POSE_WIDTH]);
    }
    t->step = (var_step){.h = h, .push = push, .q = t->q, .v = t->v, .set_time = set_time};
    t->step.clock = s;
    const tml_status status = tml__var_create(s, &why, &t->work);
    CHECK(status == TML_OK);
    return status == TML_OK;
}

static void trial_destroy(trial* t)
{
    tml__var_destroy(t->work);
    scene_destroy(&t->s);
}

static void residual_at(trial* t, double* out)
{
    maximal_system* s = t->s.system;
    newton_merit merit;
    tml__var_residual(t->work, &t->step, &merit);
    memcpy(out, s->residual, 6 * (size_t)s->node_count * sizeof *out);
    memcpy(out + 6 * s->node_count, s->C, (size_t)s->row_count * sizeof *out);
}

// The iterate moved along unknown k of (dx, h^2 / 2 dlambda).
static void move_along(trial* t, int k, double amount)
{
    maximal_system* s = t->s.system;
    const int forces = 6 * s->node_count;
    if (k >= forces) {
        s->lambda[k - forces] += amount / (0.5 * h * h);
        return;
    }
    double motion[6] = {0};
    double* at = &s->x[k / 6 * POSE_WIDTH];
    motion[k % 6] = 1.0;
    tml__maximal_displace(at, at, motion, amount);
}

// Forces of 100 N and rows of 1 m: 2e-14 of rounding over 0x1p-10, in a hundred entries; and
// e^4 / 480 = 2e-15 times fifth derivatives: 1e7 where an angle comes close to gimbal lock.
static const double noise = 1e-9;
static const double left = 1e-7;

static void check_column(trial* t, int k, double* memory)
{
    maximal_system* s = t->s.system;
    const int size = 6 * s->node_count + s->row_count;
    double* exact = memory;
    double* value[4] = {memory + size, memory + 2 * size, memory + 3 * size, memory + 4 * size};
    double* unit = memory + 5 * size;
    double* lambda = memory + 6 * size;
    const double e = 0x1p-10;
    const double amounts[4] = {e, -e, 0.5 * e, -0.5 * e};
    double x[SCENE_BODIES * POSE_WIDTH];

    memset(unit, 0, (size_t)size * sizeof *unit);
    unit[k] = 1.0;
    tml__var_fill(t->work, &t->step);
    tml__kkt_apply(s->matrix, unit, unit + 6 * s->node_count, exact, exact + 6 * s->node_count);
    memcpy(x, s->x, sizeof(double) * POSE_WIDTH * (size_t)s->node_count);
    memcpy(lambda, s->lambda, sizeof *lambda * (size_t)s->row_count);
    for (int side = 0; side < 4; side++) {
        move_along(t, k, amounts[side]);
        residual_at(t, value[side]);
        memcpy(s->x, x, sizeof(double) * POSE_WIDTH * (size_t)s->node_count);
        memcpy(s->lambda, lambda, sizeof *lambda * (size_t)s->row_count);
    }
    slope column = {0};
    for (int i = 0; i < size; i++) {
        if (k == i && scene_is_off(s, k - 6 * s->node_count))
            continue;  // a one on the diagonal, and no residual
        slope_add(&column, exact[i], (value[0][i] - value[1][i]) / (2.0 * e),
                  (value[2][i] - value[3][i]) / e);
    }
    char name[80];
    snprintf(name, sizeof name, "column %d of %d nodes, %d rows", k, s->node_count, s->row_count);
    CHECK_SLOPE(name, &column, noise, left);
}

static void check_scenes(var_push push, making make)
{
    for (uint64_t salt = 0; salt < 4 && check_failures == 0; salt++) {
        trial t;
        if (!trial_create(&t, 91 + salt, push, make)) return;
        const int size = 6 * t.s.system->node_count + t.s.system->row_count;
        double* memory = malloc(7 * (size_t)size * sizeof *memory);
        for (int k = 0; k < size; k++) check_column(&t, k, memory);
        free(memory);
        trial_destroy(&t);
    }
}

TEST(the_matrix_of_tied_velocities_matches_differences)  // [COOK (196)]
{
    check_scenes(VAR_PUSH_START, scene_create_tied);
    check_scenes(VAR_PUSH_END, scene_create_tied);
}

TEST(the_matrix_of_a_scene_with_everything_matches_differences)  // [VMAX (38)]
{
    check_scenes(VAR_PUSH_START, scene_create);
}

TEST(so_does_the_matrix_with_rayleigh_damping)  // [COOK Sec 4]
{
    check_scenes(VAR_PUSH_START, scene_create_damped);
}

TEST(so_does_the_matrix_of_a_step_that_pushes_along_its_end)
{
    check_scenes(VAR_PUSH_END, scene_create);
}

TEST(filling_the_matrix_leaves_the_residual_alone)
{
    trial t;
    if (!trial_create(&t, 91, VAR_PUSH_START, scene_create)) return;
    const maximal_system* s = t.s.system;
    const size_t size = (size_t)(6 * s->node_count + s->row_count);
    double* before = malloc(size * sizeof *before);
    residual_at(&t, before);
    tml__var_fill(t.work, &t.step);
    CHECK(memcmp(before, s->residual, 6 * (size_t)s->node_count * sizeof *before) == 0);
    CHECK(memcmp(before + 6 * s->node_count, s->C, (size_t)s->row_count * sizeof *before) == 0);
    free(before);
    trial_destroy(&t);
}
