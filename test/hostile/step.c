// test/hostile/step.c - random mechanisms, wild numbers: a step succeeds with finite answers and
// closed joints, or it fails with a sentence and leaves everything as it was.
//
// Mechanisms are random trees with loops of springs, every joint kind, every actuation, limits,
// servos, couplings and compliance; masses from milligrams to a thousand tonnes, steps from a
// microsecond to a third of a second, controls from nothing to infinity.
#include "test/check.h"
#include "test/math/random.h"
#include "test/sim/mechanisms.h"
#include "test/sim/world.h"

static random_source source;

static double uniform(double low, double high) { return random_between(&source, low, high); }
static int chance(double probability) { return uniform(0.0, 1.0) < probability; }
static int pick(int count) { return (int)(random_bits(&source) % (uint64_t)count); }

// 10 to a random power.
static double decades(double low, double high) { return pow(10.0, uniform(low, high)); }

static tml_vec3 random_vector(double size)
{
    tml_vec3 v;
    v.x = uniform(-size, size);
    v.y = uniform(-size, size);
    v.z = uniform(-size, size);
    return v;
}

static tml_quat random_turn(void)
{
    double q[4];
    double square = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = uniform(-1.0, 1.0);
        square += q[k] * q[k];
    }
    const double s = 1.0 / sqrt(square);
    return (tml_quat){s * q[0], s * q[1], s * q[2], s * q[3]};
}

// ---- mechanisms

static tml_body add_random_body(tml_spec* spec)
{
    tml_body_def def = tml_body_def_default();
    def.mass = chance(0.15) ? decades(-6.0, 6.0) : decades(-1.0, 1.0);
    const double size = decades(-2.0, 0.0);
    // the moments of a box: never against the triangle inequality
    const double x = uniform(0.1, 1.0);
    const double y = uniform(0.1, 1.0);
    const double z = uniform(0.1, 1.0);
    const double unit = def.mass * size * size / 12.0;
    const double moments[3] = {y * y + z * z, x * x + z * z, x * x + y * y};
    for (int k = 0; k < 3; k++) def.inertia[k] = unit * moments[k];
    def.com = random_vector(0.1);
    def.pose.p = random_vector(1.0);
    def.pose.q = random_turn();
    def.is_fixed = chance(0.05);
    if (chance(0.3)) def.velocity = (tml_velocity){random_vector(3.0), random_vector(10.0)};
    return tml_spec_add_body(spec, &def);
}

static void free_at_random(tml_joint_def* def)
{
    const char* const orders[] = {"", "x", "y", "z", "xy", "yx", "zx", "yz", "xyz", "zyx", "yxz"};
    const char* const slides[] = {"", "x", "y", "z", "xz", "yz", "xyz"};
    def->kind = TML_JOINT_CUSTOM;
    snprintf(def->free_translation, 4, "%s", slides[pick(7)]);
    snprintf(def->free_rotation, 4, "%s", orders[pick(11)]);
}

static int is_free(const tml_joint_def* def, int axis)
{
    const int is_custom = def->kind == TML_JOINT_CUSTOM;
    const char* slides = is_custom ? def->free_translation : tml_joint_kind_slides(def->kind);
    const char* turns = is_custom ? def->free_rotation : tml_joint_kind_turns(def->kind);
    return strchr(axis < 3 ? slides : turns, "xyz"[axis % 3]) != NULL;
}

static void drive_at_random(tml_joint_axis* a)
{
    a->actuation = chance(0.5) ? TML_PASSIVE : chance(0.5) ? TML_POSITION : TML_FORCE;
    if (a->actuation == TML_POSITION && chance(0.5)) {
        a->control = tml_control_sine(0.0, decades(-3.0, 0.0), decades(-1.0, 1.0), 0.0);
    }
    if (a->actuation == TML_FORCE) a->control = tml_control_constant(decades(-2.0, 2.0));
    if (chance(0.3)) a->stiffness = decades(-1.0, 5.0);
    if (chance(0.3)) a->damping = decades(-2.0, 3.0);
    if (chance(0.3)) a->rest = uniform(-1.0, 1.0);
    if (chance(0.2) && a->actuation != TML_POSITION) {
        a->has_servo = 1;
        a->servo_target = tml_control_sine(uniform(-1.0, 1.0), 0.5, 1.0, 0.0);
        a->servo_stiffness = decades(0.0, 4.0);
        a->servo_damping = decades(-1.0, 2.0);
    }
    if (a->actuation != TML_POSITION && chance(0.3)) {
        a->has_limits = 1;
        a->lower = chance(0.2) ? 0.0 : -decades(-4.0, 0.0);
        a->upper = chance(0.2) ? 0.0 : decades(-4.0, 0.0);
    }
}

static tml_joint add_random_joint(tml_spec* spec, tml_body base, tml_body follower)
{
    tml_joint_def def = tml_joint_def_default();
    def.base = base;
    def.follower = follower;
    def.position = random_vector(1.0);
    def.axis = random_vector(1.0);
    def.kind = (tml_joint_kind)pick(TML_JOINT_KINDS);
    if (chance(0.3)) free_at_random(&def);
    for (int k = 0; k < TML_AXES; k++) {
        if (is_free(&def, k)) {
            drive_at_random(&def.axis_of[k]);
        } else if (chance(0.05)) {
            def.axis_of[k].compliance = decades(-9.0, -3.0);
        }
    }
    return tml_spec_add_joint(spec, &def);
}

static void add_random_spring(tml_spec* spec, const tml_body* body, int count)
{
    tml_point points[3];
    tml_spring_def def = tml_spring_def_default();
    def.point_count = 2 + pick(2);
    def.points = points;
    for (int i = 0; i < def.point_count; i++) {
        // the same body twice, and the world only, are allowed too
        points[i].body = chance(0.2) ? TML_WORLD : body[pick(count)];
        points[i].position = random_vector(0.5);
    }
    def.stiffness = decades(-1.0, 6.0);
    def.damping = chance(0.5) ? decades(-2.0, 4.0) : 0.0;
    def.rest_length = chance(0.5) ? -1.0 : uniform(0.0, 2.0);
    def.law = chance(0.5) ? TML_SPRING_LINEAR : TML_SPRING_QUADRATIC;
    tml_spec_add_spring(spec, &def);
}

// Ties two free axes of which both start at zero.
static void add_random_coupling(tml_spec* spec, const tml_model* model)
{
    tml_coupling_term terms[2];
    int found = 0;
    for (int j = 0; j < tml_model_joint_count(model) && found < 2; j++) {
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        if (count == 0) continue;
        terms[found++] =
            (tml_coupling_term){{j}, axes[pick(count)], 2, {uniform(0.2, 1.0), uniform(-0.1, 0.1)}};
    }
    if (found < 2) return;
    tml_coupling_def def = tml_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    def.compliance = chance(0.3) ? decades(-8.0, -2.0) : 0.0;
    tml_spec_add_coupling(spec, &def);
}

static tml_model* random_model(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body body[6];
    tml_model* model = NULL;
    const int count = 1 + pick(6);

    if (chance(0.2)) tml_spec_set_gravity(spec, random_vector(100.0));
    for (int i = 0; i < count; i++) {
        body[i] = add_random_body(spec);
        const int parent = pick(i + 1) - 1;
        if (chance(0.9)) add_random_joint(spec, parent < 0 ? TML_WORLD : body[parent], body[i]);
    }
    for (int i = pick(3); i > 0; i--) add_random_spring(spec, body, count);
    if (chance(0.2)) add_random_joint(spec, TML_WORLD, body[pick(count)]);  // often redundant
    if (chance(0.3) && tml_spec_build(spec, &model) == TML_OK) {
        add_random_coupling(spec, model);
        tml_model_destroy(model);
        model = NULL;
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    if (model == NULL) printf("refused: %s\n", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return model;
}

static tml_sim_settings random_settings(void)
{
    const tml_solver solvers[] = {TML_SOLVER_AUTO, TML_SOLVER_DENSE, TML_SOLVER_AUGMENTED};
    tml_sim_settings s = tml_sim_settings_default();
    world_integrate(&s, world_integrators[pick(WORLD_INTEGRATORS)]);
    s.solver = solvers[pick(3)];
    s.step = chance(0.7) ? decades(-4.0, -2.0) : decades(-6.0, -0.5);
    s.max_iterations = chance(0.1) ? 1 + pick(4) : 30;
    s.implicit.start = chance(0.8) ? TML_START_ACCURATE : TML_START_SDIRK2;
    // only multistep formulas have a choice of start
    if (s.formulation != TML_FORM_QUATERNION) s.implicit.start = TML_START_ACCURATE;
    return s;
}

// ---- steps

// Mostly close to where the model is; now and then anything that fits into a double.
static double random_control(void)
{
    const double wild[] = {(double)NAN, (double)INFINITY, 1e308, -1e308, 1e300, 1e20, -1e9,
                           1e6,         5e-324,           -0.0};
    return chance(0.05) ? wild[pick(10)] : uniform(-0.05, 0.05);
}

// The largest |number| of a run of doubles; NaN when one is not a number.
static double largest_in(const void* data, size_t bytes)
{
    double largest = 0.0;
    for (size_t i = 0; i + sizeof(double) <= bytes; i += sizeof(double)) {
        double value;
        memcpy(&value, (const unsigned char*)data + i, sizeof value);
        if (!(fabs(value) <= largest)) largest = fabs(value);
        if (isnan(value)) return value;
    }
    return largest;
}

// The largest part of the motion itself: poses and velocities.
static double largest_of_state(const tml_sim* sim)
{
    const tml_model* m = tml_sim_model(sim);
    blob b = {0};
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_pose pose = tml_sim_pose(sim, (tml_body){i});
        const tml_velocity velocity = tml_sim_velocity(sim, (tml_body){i});
        blob_add(&b, &pose, sizeof pose);
        blob_add(&b, &velocity, sizeof velocity);
    }
    const double largest = largest_in(b.data, b.used);
    blob_free(&b);
    return largest;
}

static int has_drift(tml_integrator integrator)
{
    return integrator == TML_TIME_SEMI_IMPLICIT_EULER ||
           integrator == TML_TIME_SDIRK2_PARESCHI_RUSSO;
}

typedef struct tally {
    int models, refused, steps, failed;
    int of_status[4];  // failed steps by positive status
} tally;

static void check_accepted(const tml_sim* sim, long long before)
{
    const tml_sim_settings* s = tml_sim_get_settings(sim);
    const double largest = largest_of_state(sim);
    CHECK(isfinite(largest));
    // what is computed from it may still overflow: energies and loads are its square and more
    if (largest < 1e100) {
        blob answers = {0};
        blob_add_answers(&answers, sim);
        CHECK(isfinite(largest_in(answers.data, answers.used)));
        blob_free(&answers);
    }
    CHECK(tml_sim_get_report(sim).steps == before + 1);
    CHECK(tml_sim_time(sim) == (double)(before + 1) * s->step);
    if (!has_drift(s->integrator)) CHECK(tml_sim_gap(sim) <= s->tolerance);
}

static void check_failed(const tml_sim* sim, tml_status status, const blob* before, tally* t)
{
    blob after = world_snapshot(sim);
    CHECK(blob_equal(before, &after));
    blob_free(&after);
    CHECK(status == TML_BAD_ARGUMENT || status > TML_OK);
    if (status > TML_OK) t->of_status[status]++;
    // names a joint, a coupling or a body
    CHECK_CONTAINS(tml_sim_message(sim), "'");
}

static void take_steps(tml_sim* sim, int count, tally* t)
{
    double controls[64];
    for (int k = 0; k < count && check_failures == 0; k++) {
        const long long before = tml_sim_get_report(sim).steps;
        blob snapshot = world_snapshot(sim);
        const int is_given = chance(0.5);
        for (int i = 0; i < 64; i++) controls[i] = random_control();
        const tml_status status = tml_sim_step(sim, is_given ? controls : NULL);
        t->steps++;
        t->failed += status != TML_OK;
        if (status == TML_OK) {
            check_accepted(sim, before);
        } else {
            check_failed(sim, status, &snapshot, t);
        }
        blob_free(&snapshot);
    }
}

static void try_one(int seed, tally* t)
{
    source = random_start((uint64_t)seed);
    tml_model* model = random_model();
    if (model == NULL) return;
    const tml_sim_settings settings = random_settings();
    tml_sim* sim = NULL;
    const tml_status status = tml_sim_create(model, &settings, &sim);
    t->models++;
    if (status == TML_OK) {
        take_steps(sim, 8, t);
    } else {
        // redundant rows of a solver that refuses them, and limits that a start violates
        t->refused++;
        CHECK(status == TML_SINGULAR || status == TML_BAD_ARGUMENT || status == TML_NOT_CONVERGED);
        CHECK_CONTAINS(tml_sim_message(sim), "'");
    }
    if (check_failures > 0) {
        printf("model %d, %s, %s, step %g: %s\n", seed, tml_integrator_name(settings.integrator),
               tml_solver_name(settings.solver), settings.step, tml_sim_message(sim));
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(random_mechanisms_step_soundly_or_say_why_not)
{
    const int count = getenv("TRAMMEL_TEST_LONG") != NULL ? 6000 : 100;
    tally t = {0};
    for (int seed = 0; seed < count && check_failures == 0; seed++) try_one(seed, &t);
    printf("%d models, %d refused; %d steps, %d failed (%d not converged, %d singular, %d "
           "infeasible)\n",
           t.models, t.refused, t.steps, t.failed, t.of_status[TML_NOT_CONVERGED],
           t.of_status[TML_SINGULAR], t.of_status[TML_INFEASIBLE]);
    // the wildest third may fail, the rest must not
    CHECK(t.refused < t.models / 3);
    CHECK(t.failed < t.steps / 2);
}

// ---- mechanisms with nothing in them

static void check_runs(tml_spec* spec)
{
    for (int n = 0; n < WORLD_INTEGRATORS; n++) {
        for (int solver = 0; solver < TML_SOLVERS; solver++) {
            tml_sim_settings s = tml_sim_settings_default();
            tml_model* model = NULL;
            tml_sim* sim = NULL;
            world_integrate(&s, world_integrators[n]);
            s.solver = (tml_solver)solver;
            CHECK(tml_spec_build(spec, &model) == TML_OK);
            const tml_status status = tml_sim_create(model, &s, &sim);
            // a build without KLU, and a path that wants a driven mechanism, may say so
            CHECK(status == TML_OK || status == TML_UNSUPPORTED);
            for (int k = 0; k < 3 && status == TML_OK; k++) {
                CHECK(tml_sim_step(sim, NULL) == TML_OK);
                CHECK(tml_sim_gap(sim) == 0.0);
            }
            tml_sim_destroy(sim);
            tml_model_destroy(model);
        }
    }
    tml_spec_destroy(spec);
}

TEST(a_model_without_bodies_runs) { check_runs(tml_spec_create()); }

TEST(a_model_of_fixed_bodies_runs)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.is_fixed = 1;
    tml_spec_add_body(spec, &def);
    tml_spec_add_body(spec, &def);
    check_runs(spec);
}

TEST(a_lone_body_without_joints_falls)
{
    tml_spec* spec = tml_spec_create();
    add_lump(spec, "stone", 1.0, (tml_vec3){0.0, 0.0, 0.0});
    check_runs(spec);
}
