// test/sim/loads.c - what a joint transmits: force at, and moment about, the follower's joint point,
// on the follower, in the base's joint axes; rows, motors, springs, servos, limits and couplings.
//
// The proof is Newton's and Euler's law for every body: with all joint loads put where the
// convention says, and every applied force computed here from its definition,
//     m dv/dt = sum of forces        dL/dt = sum of torques about the centre of mass
// A sign, an axis or a point that is wrong in one joint leaves an error that no step makes small.
#include "model/model.h"
#include "test/check.h"
#include "test/sim/everything.h"
#include "test/sim/space.h"
#include "test/sim/world.h"

// ---- where joints are, from their definitions

// a_x as given, a_y = e x a_x with e the world axis along which a_x is smallest, a_z = a_x x a_y.
static void complete_axes(tml_vec3 x, tml_vec3 axes[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(component(x, k)) < fabs(component(x, least))) least = k;
    }
    const tml_vec3 e = {least == 0, least == 1, least == 2};
    axes[0] = times(1.0 / length(x), x);
    axes[1] = cross(e, axes[0]);
    axes[1] = times(1.0 / length(axes[1]), axes[1]);
    axes[2] = cross(axes[0], axes[1]);
}

static void initial_axes(const tml_joint_def* def, tml_vec3 axes[3])
{
    const tml_vec3 straight[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) axes[k] = def->has_axes ? def->axes[k] : straight[k];
    if (!def->has_axes && length(def->axis) > 0.0) complete_axes(def->axis, axes);
}

static tml_pose initial_pose(const tml_model* m, tml_body b)
{
    return b.index < 0 ? (tml_pose){.q = {1.0, 0.0, 0.0, 0.0}} : tml_model_body(m, b)->pose;
}

static tml_vec3 point_now(const tml_sim* sim, tml_body b, tml_vec3 in_body)
{
    const tml_pose pose = tml_sim_pose(sim, b);
    return plus(pose.p, turn(pose.q, in_body));
}

static tml_vec3 centre_now(const tml_sim* sim, tml_body b)
{
    return point_now(sim, b, tml_model_body(tml_sim_model(sim), b)->com);
}

// A point or direction given at load, where the body has carried it.
static tml_vec3 carried(const tml_sim* sim, tml_body b, tml_vec3 at_load)
{
    const tml_pose start = initial_pose(tml_sim_model(sim), b);
    return point_now(sim, b, turn_back(start.q, minus(at_load, start.p)));
}

static tml_vec3 carried_axis(const tml_sim* sim, tml_body b, tml_vec3 at_load)
{
    const tml_pose start = initial_pose(tml_sim_model(sim), b);
    return turn(tml_sim_pose(sim, b).q, turn_back(start.q, at_load));
}

// ---- sums of forces

enum {
    MAX_BODIES = 12
};

typedef struct balance {
    tml_vec3 force[MAX_BODIES];
    tml_vec3 torque[MAX_BODIES];  // about the centre of mass
} balance;

static void push(const tml_sim* sim, balance* sum, tml_body b, tml_vec3 at, tml_vec3 force)
{
    if (b.index < 0) return;
    const tml_vec3 arm = minus(at, centre_now(sim, b));
    sum->force[b.index] = plus(sum->force[b.index], force);
    sum->torque[b.index] = plus(sum->torque[b.index], cross(arm, force));
}

static void twist(balance* sum, tml_body b, tml_vec3 torque)
{
    if (b.index >= 0) sum->torque[b.index] = plus(sum->torque[b.index], torque);
}

static void add_joints(const tml_sim* sim, balance* sum)
{
    const tml_model* m = tml_sim_model(sim);
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        const tml_joint_def def = tml_model_joint(m, (tml_joint){j});
        const tml_load load = tml_sim_joint_load(sim, (tml_joint){j});
        const tml_vec3 at = carried(sim, def.follower,
                                    def.has_follower_frame ? def.follower_position : def.position);
        tml_vec3 axes[3];
        tml_vec3 force = {0.0, 0.0, 0.0};
        tml_vec3 moment = {0.0, 0.0, 0.0};
        initial_axes(&def, axes);
        for (int k = 0; k < 3; k++) {
            const tml_vec3 axis = carried_axis(sim, def.base, axes[k]);
            force = plus(force, times(component(load.force, k), axis));
            moment = plus(moment, times(component(load.moment, k), axis));
        }
        push(sim, sum, def.follower, at, force);
        push(sim, sum, def.base, at, times(-1.0, force));
        twist(sum, def.follower, moment);
        twist(sum, def.base, times(-1.0, moment));
    }
}

static double control_now(const tml_control* c, double t)
{
    const double pi = 3.14159265358979323846;
    CHECK(c->kind <= TML_CONTROL_SINE);  // this test knows no others
    if (c->kind == TML_CONTROL_NONE) return 0.0;
    return c->value + c->amplitude * sin(2.0 * pi * c->frequency * t + c->phase);
}

static double law_now(const tml_spring_def* s, double x)
{
    if (s->law == TML_SPRING_LINEAR) return s->stiffness * x;
    if (s->law == TML_SPRING_QUADRATIC) return s->stiffness * x * fabs(x);
    int i = 0;
    while (i + 2 < s->table_count && s->table_extensions[i + 1] < x) i++;
    const double share =
        (x - s->table_extensions[i]) / (s->table_extensions[i + 1] - s->table_extensions[i]);
    return s->table_forces[i] + share * (s->table_forces[i + 1] - s->table_forces[i]);
}

static tml_vec3 velocity_at(const tml_sim* sim, const tml_point* p)
{
    const tml_velocity v = tml_sim_velocity(sim, p->body);
    return plus(v.linear, cross(v.angular, turn(tml_sim_pose(sim, p->body).q, p->position)));
}

static double initial_length(const tml_model* m, const tml_spring_def* s)
{
    double sum = 0.0;
    tml_vec3 last = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->point_count; i++) {
        const tml_pose pose = initial_pose(m, s->points[i].body);
        const tml_vec3 x = plus(pose.p, turn(pose.q, s->points[i].position));
        if (i > 0) sum += length(minus(x, last));
        last = x;
    }
    return sum;
}

static void add_spring(const tml_sim* sim, const tml_spring_def* s, balance* sum)
{
    tml_vec3 x[4];
    double path = 0.0;
    double rate = 0.0;
    for (int i = 0; i < s->point_count; i++) {
        x[i] = point_now(sim, s->points[i].body, s->points[i].position);
        if (i == 0) continue;
        const tml_vec3 d = minus(x[i], x[i - 1]);
        const tml_vec3 u =
            minus(velocity_at(sim, &s->points[i]), velocity_at(sim, &s->points[i - 1]));
        path += length(d);
        rate += dot(d, u) / length(d);
    }
    const double rest =
        s->rest_length < 0.0 ? initial_length(tml_sim_model(sim), s) : s->rest_length;
    const double tension =
        law_now(s, path - rest) + s->damping * rate + control_now(&s->force, tml_sim_time(sim));
    for (int i = 1; i < s->point_count; i++) {
        const tml_vec3 d = minus(x[i], x[i - 1]);
        const tml_vec3 pull = times(tension / length(d), d);
        push(sim, sum, s->points[i - 1].body, x[i - 1], pull);
        push(sim, sum, s->points[i].body, x[i], times(-1.0, pull));
    }
}

static tml_vec3 controls_now(const tml_control c[3], double t)
{
    return (tml_vec3){control_now(&c[0], t), control_now(&c[1], t), control_now(&c[2], t)};
}

static tml_velocity centre_velocity(const tml_sim* sim, tml_body b)
{
    tml_velocity v = tml_sim_velocity(sim, b);
    const tml_vec3 arm = turn(tml_sim_pose(sim, b).q, tml_model_body(tml_sim_model(sim), b)->com);
    v.linear = plus(v.linear, cross(v.angular, arm));
    return v;
}

static void add_applied(const tml_sim* sim, balance* sum)
{
    const tml_model* m = tml_sim_model(sim);
    const double t = tml_sim_time(sim);
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const double mass = tml_model_body(m, (tml_body){i})->mass;
        sum->force[i] = plus(sum->force[i], times(mass, tml_model_gravity(m)));
    }
    for (int i = 0; i < m->all.spring_count; i++) add_spring(sim, &m->all.springs[i], sum);
    for (int i = 0; i < m->all.wrench_count; i++) {
        const tml_wrench_def* w = &m->all.wrenches[i];
        push(sim, sum, w->body, point_now(sim, w->body, w->point), controls_now(w->force, t));
        twist(sum, w->body, controls_now(w->torque, t));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const tml_velocity v = centre_velocity(sim, d->body);
        push(sim, sum, d->body, centre_now(sim, d->body),
             times(-d->linear, minus(v.linear, d->wind)));
        twist(sum, d->body, times(-d->angular, v.angular));
    }
}

static balance sum_all(const tml_sim* sim)
{
    balance sum = {0};
    add_joints(sim, &sum);
    add_applied(sim, &sum);
    return sum;
}

// ---- Newton and Euler along a motion

typedef struct record {
    balance sum;
    tml_vec3 v[MAX_BODIES];  // of the centres of mass
    tml_vec3 L[MAX_BODIES];  // angular momentum about them
} record;

static record look(const tml_sim* sim)
{
    const tml_model* m = tml_sim_model(sim);
    record r = {.sum = sum_all(sim)};
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_body_def* def = tml_model_body(m, (tml_body){i});
        const tml_velocity v = centre_velocity(sim, (tml_body){i});
        r.v[i] = v.linear;
        r.L[i] = spin_momentum(def->inertia, tml_sim_pose(sim, (tml_body){i}).q, v.angular);
    }
    return r;
}

typedef struct imbalance {
    double force, torque;  // largest |m a - F| and |dL/dt - T| by central differences
    double formula;        // largest |m a - F| with a by the formula of the integrator itself
    double scale;          // largest |F|, to see that there was something to balance
} imbalance;

static double larger(double a, double b) { return a > b ? a : b; }

// r[0], r[1], r[2], r[3] are four steps in a row; the law is looked at in r[2].
static void compare(const tml_model* m, const record* r, double h, imbalance* out)
{
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_body_def* def = tml_model_body(m, (tml_body){i});
        if (def->is_fixed) continue;
        const tml_vec3 a = times(0.5 / h, minus(r[3].v[i], r[1].v[i]));
        const tml_vec3 change = times(0.5 / h, minus(r[3].L[i], r[1].L[i]));
        // second-order backward differences: (3 v - 4 v' + v'') / 2 h
        const tml_vec3 back = plus(times(3.0, r[2].v[i]), plus(times(-4.0, r[1].v[i]), r[0].v[i]));
        const tml_vec3 F = r[2].sum.force[i];
        out->force = larger(out->force, length(minus(times(def->mass, a), F)));
        out->torque = larger(out->torque, length(minus(change, r[2].sum.torque[i])));
        out->formula = larger(out->formula, length(minus(times(0.5 * def->mass / h, back), F)));
        out->scale = larger(out->scale, length(F));
    }
}

// The largest imbalance between two times; nothing may engage or let go in between.
static imbalance balance_between(world_builder build, double h, double from, double to)
{
    world w = world_build(build);
    record r[4];
    imbalance out = {0};
    memset(r, 0, sizeof r);
    w.settings.step = h;
    CHECK(world_start(&w) == TML_OK);
    const long long first = (long long)(from / h + 0.5);
    const long long last = (long long)(to / h + 0.5);
    long long restarts = 0;
    for (long long k = 1; k <= last && check_failures == 0; k++) {
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        if (k == first) restarts = tml_sim_get_report(w.sim).restarts;
        if (k < first) continue;
        memmove(&r[0], &r[1], 3 * sizeof r[0]);
        r[3] = look(w.sim);
        if (k >= first + 3) compare(w.model, r, h, &out);
    }
    CHECK(tml_sim_get_report(w.sim).restarts == restarts);
    world_end(&w);
    return out;
}

static void check_order(double from, double to)
{
    const imbalance coarse = balance_between(build_everything, 1e-3, from, to);
    const imbalance fine = balance_between(build_everything, 5e-4, from, to);
    printf("from %g s: force %.2e -> %.2e N, torque %.2e -> %.2e N m, formula %.2e N of %.2g N\n",
           from, coarse.force, fine.force, coarse.torque, fine.torque, fine.formula, fine.scale);
    // central differences and the method are of order 2: half the step, a quarter of the error
    CHECK(fine.force < 0.3 * coarse.force);
    CHECK(fine.torque < 0.3 * coarse.torque);
    // a step solves its own formula to rounding, 1e-14 m or so, of which h^2 makes a force on 2 kg
    CHECK(fine.formula < 2.0 * 1e-14 / (5e-4 * 5e-4));
    CHECK(fine.scale > 1.0);
}

TEST(newton_and_euler_hold_for_every_body_in_free_motion) { check_order(0.02, 0.08); }

TEST(newton_and_euler_hold_for_every_body_at_a_stop) { check_order(0.12, 0.2); }

// ---- closed forms

static const double g = 9.81;

// The load that keeps a body of this mass at rest, its joint point at `at`, in the given axes.
static void check_at_rest(const tml_sim* sim, tml_joint joint, tml_body body, tml_vec3 at,
                          const tml_vec3 axes[3], double tolerance)
{
    const double mass = tml_model_body(tml_sim_model(sim), body)->mass;
    const tml_vec3 force = {0.0, 0.0, mass * g};
    const tml_vec3 moment = cross(minus(centre_now(sim, body), at), force);
    const tml_load load = tml_sim_joint_load(sim, joint);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(component(load.force, k), dot(axes[k], force), tolerance);
        CHECK_NEAR(component(load.moment, k), dot(axes[k], moment), tolerance);
    }
}

// A body welded to the world in oblique axes.
static const tml_vec3 weld_point = {0.3, -0.2, 0.5};
static const tml_vec3 oblique[2] = {{0.48, 0.64, 0.6}, {-0.8, 0.6, 0.0}};  // a_x, a_y

static void build_cantilever(tml_spec* spec, tml_run_settings* run)
{
    const tml_body body = add_lump(spec, "body", 3.0, (tml_vec3){1.0, 0.4, 0.2});
    tml_joint_def weld = link_of("weld", TML_JOINT_FIXED, TML_WORLD, body, weld_point, weld_point);
    weld.has_axes = 1;
    weld.axes[0] = oblique[0];
    weld.axes[1] = oblique[1];
    weld.axes[2] = cross(oblique[0], oblique[1]);
    tml_spec_add_joint(spec, &weld);
    run->sim.step = 0.01;
}

TEST(a_weld_carries_the_weight_and_its_moment_from_the_first_moment_on)
{
    const tml_vec3 axes[3] = {oblique[0], oblique[1], cross(oblique[0], oblique[1])};
    for (int n = 0; n < WORLD_INTEGRATORS; n++) {
        world w = world_build(build_cantilever);
        world_integrate(&w.settings, world_integrators[n]);
        CHECK(world_start(&w) == TML_OK);
        check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, weld_point, axes, 1e-12);
        // later: a rounding of a metre, 2e-16, on 3 kg over the shortest stage squared, (0.0029 s)^2,
        // is 1e-10 N; there are some of them
        for (int k = 0; k < 20; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, weld_point, axes, 1e-9);
        world_end(&w);
    }
}

// A slider whose follower stands 0.3 m beside the base's point: loads are stated at the follower.
static const tml_vec3 slid_point = {0.3, 0.0, 0.0};

static void build_slid(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 2.0, (tml_vec3){0.5, 0.1, 0.0});
    tml_joint_def rail = link_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, body, origin, origin);
    rail.has_follower_frame = 1;
    rail.follower_position = slid_point;
    rail.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    rail.axis_of[TML_AXIS_TX].control = tml_control_constant(0.3);
    tml_spec_add_joint(spec, &rail);
    run->sim.step = 0.01;
}

TEST(a_load_is_stated_at_the_follower_s_point)
{
    const tml_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    world w = world_build(build_slid);
    double q[TML_AXES];
    CHECK(world_start(&w) == TML_OK);
    CHECK(tml_sim_joint_coordinates(w.sim, (tml_joint){0}, q) == 1);
    CHECK_NEAR(q[0], 0.3, 1e-15);
    check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, slid_point, axes, 1e-12);
    for (int k = 0; k < 10; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, slid_point, axes, 1e-10);
    world_end(&w);
}

// ---- an arm that is held level in five ways must load its hinge in one

enum {
    BY_POSITION,
    BY_FORCE,
    BY_SPRING,
    BY_SERVO,
    BY_LIMIT,
    WAYS
};

static int way;
static const double arm_mass = 1.5;
static const double arm_reach = 0.4;  // of the centre of mass along x

static void build_level_arm(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    tml_body_def arm = tml_body_def_default();
    arm.mass = arm_mass;
    arm.com = (tml_vec3){arm_reach, 0.05, 0.0};
    const tml_body body = tml_spec_add_body(spec, &arm);
    // about -y: a positive turn lifts the arm
    tml_joint_def hinge =
        link_of("hinge", TML_JOINT_REVOLUTE, TML_WORLD, body, origin, (tml_vec3){0.0, -1.0, 0.0});
    tml_joint_axis* a = &hinge.axis_of[TML_AXIS_RX];
    const double torque = arm_mass * g * arm_reach;
    a->actuation = way == BY_POSITION ? TML_POSITION : way == BY_FORCE ? TML_FORCE : TML_PASSIVE;
    if (way == BY_FORCE) a->control = tml_control_constant(torque);
    a->stiffness = way == BY_SPRING ? 50.0 : 0.0;
    a->rest = way == BY_SPRING ? torque / 50.0 : 0.0;
    a->has_servo = way == BY_SERVO;
    a->servo_target = tml_control_constant(torque / 80.0);
    a->servo_stiffness = 80.0;
    a->servo_damping = 3.0;
    a->has_limits = way == BY_LIMIT;
    a->lower = 0.0;
    a->upper = 1.0;
    tml_spec_add_joint(spec, &hinge);
    run->sim.step = 0.01;
}

TEST(whatever_holds_an_arm_its_hinge_carries_the_same)
{
    // a_x = -y; the smallest component is that along x, so a_y = x x a_x = -z; a_z = a_x x a_y = x
    const tml_vec3 axes[3] = {{0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}};
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    for (way = 0; way < WAYS; way++) {
        world w = world_build(build_level_arm);
        double multipliers[TML_AXES];
        CHECK(world_start(&w) == TML_OK);
        // a limit acts once a step has met it
        if (way != BY_LIMIT) {
            check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, origin, axes, 1e-12);
        }
        for (int k = 0; k < 10; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        check_at_rest(w.sim, (tml_joint){0}, (tml_body){0}, origin, axes, 1e-9);
        CHECK_NEAR(tml_sim_joint_load(w.sim, (tml_joint){0}).moment.x, arm_mass * g * arm_reach,
                   1e-9);
        // only a position drive has a row there, and its multiplier is that torque
        tml_sim_joint_multipliers(w.sim, (tml_joint){0}, multipliers);
        CHECK_NEAR(multipliers[TML_AXIS_RX], way == BY_POSITION ? arm_mass * g * arm_reach : 0.0,
                   1e-9);
        if (check_failures > 0) printf("held in way %d\n", way);
        world_end(&w);
    }
}

// ---- a rod that is let go

TEST(a_level_rod_that_is_let_go_loads_its_hinge_with_a_quarter_of_its_weight)
{
    world w = world_build(scenes_find("pendulum")->build);
    double multipliers[TML_AXES];
    CHECK(world_start(&w) == TML_OK);
    // hinge about z, gravity along -y: a_y = x x z = -y, so that up is -a_y
    tml_load load = tml_sim_joint_load(w.sim, (tml_joint){0});
    CHECK_NEAR(load.force.x, 0.0, 1e-12);
    CHECK_NEAR(load.force.y, -0.25 * g, 1e-12);
    CHECK_NEAR(load.force.z, 0.0, 1e-12);
    CHECK_NEAR(length(load.moment), 0.0, 1e-12);

    // the multiplier of a row is the load along or about its axis, at every moment
    for (int k = 0; k < 50; k++) {
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        load = tml_sim_joint_load(w.sim, (tml_joint){0});
        tml_sim_joint_multipliers(w.sim, (tml_joint){0}, multipliers);
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(component(load.force, a), multipliers[a], 1e-12);
            CHECK_NEAR(component(load.moment, a), multipliers[3 + a], 1e-12);
        }
    }
    world_end(&w);
}

// ---- a chain that hangs

TEST(a_joint_of_a_hanging_chain_carries_all_that_hangs_below_it)
{
    tml_spec* spec = tml_spec_create();
    const scene_chain chain = {"link", 12,        TML_JOINT_SPHERICAL, 0.1,          0.01,
                               0.25,   TML_WORLD, {0.0, 0.0, 2.0},     CHAIN_HANGING};
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    const tml_sim_settings settings = tml_sim_settings_default();
    scenes_add_chain(spec, &chain);
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < chain.links; j++) {
            const tml_load load = tml_sim_joint_load(sim, (tml_joint){j});
            // 1e-10: 3 kg times 1e-15 m over (0.01 s)^2
            CHECK_NEAR(length(load.force), (chain.links - j) * 0.25 * g, 1e-10);
            CHECK_NEAR(length(load.moment), 0.0, 1e-12);
        }
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
