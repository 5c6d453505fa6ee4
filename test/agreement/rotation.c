// test/agreement/rotation.c - turning the whole world changes nothing but rounding.
//
// A model is taken apart into its definitions, every vector and orientation that is stated in
// world axes is turned by one random rotation, and both models run side by side. The turned run
// must be the other one, turned.
#include "model/model.h"
#include "test/check.h"
#include "test/math/random.h"
#include "test/scenario/run.h"

// ---- turning a model

static quat random_turn(random_source* random)
{
    quat q = {0.0, 0.0, 0.0, 0.0};
    do {
        q = (quat){random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0),
                   random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0)};
    } while (q_dot(q, q) > 1.0 || q_dot(q, q) < 0.01);
    return q_normalize(q);
}

static tml_body_def turned_body(const tml_body_def* def, quat turn)
{
    tml_body_def out = *def;
    out.pose.p = q_rotate(turn, def->pose.p);
    out.pose.q = q_normalize(q_mul(turn, def->pose.q));
    out.velocity.linear = q_rotate(turn, def->velocity.linear);
    out.velocity.angular = q_rotate(turn, def->velocity.angular);
    return out;
}

// Both frames in full: the rule that completes a single axis looks at the world's axes.
static tml_joint_def turned_joint(const tml_model* m, int index, quat turn)
{
    tml_joint_def out = tml__joint_expand(&m->all.joints[index]);
    const joint_data* j = &m->joints[index];
    const body_data* F = &m->bodies[j->follower];
    const body_data* B = &m->bodies[j->base];

    out.has_axes = out.has_follower_frame = out.has_follower_axes = 1;
    out.position = q_rotate(turn, v3_add(B->c, q_rotate(B->q, j->point_B)));
    out.follower_position = q_rotate(turn, v3_add(F->c, q_rotate(F->q, j->point_F)));
    for (int k = 0; k < 3; k++) {
        out.axes[k] = q_rotate(turn, q_rotate(B->q, m3_column(j->axes_B, k)));
        out.follower_axes[k] = q_rotate(turn, q_rotate(F->q, m3_column(j->axes_F, k)));
    }
    return out;
}

enum {
    MAX_POINTS = 8,
    MAX_SAMPLES = 256
};

static void add_turned_spring(tml_spec* spec, const tml_spring_def* def, quat turn)
{
    tml_point points[MAX_POINTS];
    tml_spring_def out = *def;
    CHECK(def->point_count <= MAX_POINTS);
    for (int i = 0; i < def->point_count && i < MAX_POINTS; i++) {
        points[i] = def->points[i];
        if (points[i].body.index < 0) points[i].position = q_rotate(turn, points[i].position);
    }
    out.points = points;
    tml_spec_add_spring(spec, &out);
}

static tml_control scaled(const tml_control* c, double factor, double samples[MAX_SAMPLES])
{
    tml_control out = *c;
    out.value *= factor;
    out.amplitude *= factor;
    if (c->kind != TML_CONTROL_TABLE && c->kind != TML_CONTROL_CUBIC) return out;
    CHECK(c->count <= MAX_SAMPLES);
    for (int i = 0; i < c->count && i < MAX_SAMPLES; i++) samples[i] = factor * c->samples[i];
    out.samples = samples;
    return out;
}

// A wrench whose components change with time becomes one for each axis, along the turned axis.
static void add_turned_wrench(tml_spec* spec, const tml_wrench_def* def, quat turn)
{
    static double samples[6][MAX_SAMPLES];
    for (int k = 0; k < 3; k++) {
        const vec3 axis = q_rotate(turn, v3_unit(k));
        tml_wrench_def out = *def;
        out.name = NULL;
        for (int i = 0; i < 3; i++) {
            out.force[i] = scaled(&def->force[k], v3_at(axis, i), samples[i]);
            out.torque[i] = scaled(&def->torque[k], v3_at(axis, i), samples[3 + i]);
        }
        tml_spec_add_wrench(spec, &out);
    }
}

static tml_spec* turned_model(const tml_model* m, quat turn)
{
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, q_rotate(turn, m->all.gravity));
    for (int i = 0; i < m->all.body_count; i++) {
        const tml_body_def body = turned_body(&m->all.bodies[i], turn);
        tml_spec_add_body(spec, &body);
    }
    for (int i = 0; i < m->all.joint_count; i++) {
        const tml_joint_def joint = turned_joint(m, i, turn);
        tml_spec_add_joint(spec, &joint);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        tml_spec_add_coupling(spec, &m->all.couplings[i]);
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        add_turned_spring(spec, &m->all.springs[i], turn);
    }
    for (int i = 0; i < m->all.wrench_count; i++) {
        add_turned_wrench(spec, &m->all.wrenches[i], turn);
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        tml_nonholonomic_def tie = m->all.nonholonomics[i];
        tie.plane_normal = q_rotate(turn, tie.plane_normal);  // a turn about the origin
        tml_spec_add_nonholonomic(spec, &tie);
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        tml_drag_def drag = m->all.drags[i];
        drag.wind = q_rotate(turn, drag.wind);
        tml_spec_add_drag(spec, &drag);
    }
    return spec;
}

// ---- comparing

typedef struct difference {
    double place, rate, load, coordinate;
} difference;

static void compare(const run* a, const run* b, quat turn, difference* out)
{
    for (int i = 0; i < tml_model_body_count(a->model); i++) {
        const tml_pose p = tml_sim_pose(a->sim, (tml_body){i});
        const tml_pose q = tml_sim_pose(b->sim, (tml_body){i});
        const tml_velocity u = tml_sim_velocity(a->sim, (tml_body){i});
        const tml_velocity v = tml_sim_velocity(b->sim, (tml_body){i});
        const mat3 R = m3_sub(q_matrix(q_mul(turn, p.q)), q_matrix(q.q));
        out->place = larger_of(v3_max(v3_sub(q_rotate(turn, p.p), q.p)), out->place);
        for (int k = 0; k < 3; k++) out->place = larger_of(v3_max(m3_column(R, k)), out->place);
        out->rate = larger_of(v3_max(v3_sub(q_rotate(turn, u.linear), v.linear)), out->rate);
        out->rate = larger_of(v3_max(v3_sub(q_rotate(turn, u.angular), v.angular)), out->rate);
    }
    for (int j = 0; j < tml_model_joint_count(a->model); j++) {
        const tml_load f = tml_sim_joint_load(a->sim, (tml_joint){j});
        const tml_load g = tml_sim_joint_load(b->sim, (tml_joint){j});
        double x[TML_AXES];
        double y[TML_AXES];
        const int count = tml_sim_joint_coordinates(a->sim, (tml_joint){j}, x);
        CHECK(tml_sim_joint_coordinates(b->sim, (tml_joint){j}, y) == count);
        for (int k = 0; k < count; k++) {
            out->coordinate = larger_of(fabs(x[k] - y[k]), out->coordinate);
        }
        out->load = larger_of(v3_max(v3_sub(f.force, g.force)), out->load);
        out->load = larger_of(v3_max(v3_sub(f.moment, g.moment)), out->load);
    }
}

// ---- how far rounding may take two runs apart

// The same model with gravity and velocities larger by a tiny part.
static const double push = 1e-8;

static tml_spec* pushed_model(const tml_model* m)
{
    tml_spec* spec = turned_model(m, q_identity());
    spec->all.gravity = v3_scale(1.0 + push, spec->all.gravity);
    for (int i = 0; i < spec->all.body_count; i++) {
        tml_velocity* v = &spec->all.bodies[i].velocity;
        v->linear = v3_scale(1.0 + push, v->linear);
        v->angular = v3_scale(1.0 + push, v->angular);
    }
    return spec;
}

typedef struct method_noise {
    tml_integrator integrator;
    double weights;  // (1 + sum |alpha|) / beta: how a formula's differences enlarge a rounding
} method_noise;

static const method_noise methods[] = {
    {TML_TIME_BDF2, 4.0},   // (1 + 4/3 + 1/3) / (2/3)
    {TML_TIME_BDF4, 10.7},  // (25 + 48 + 36 + 16 + 3) / 12
    // the second stage looks back on q, on h a21 k and on h gamma v of the first, whose rates are
    // differences themselves: (1 + 1 + 4.8 + 9.7) / gamma
    {TML_TIME_SDIRK2, 56.0},
};

static double total_mass(const tml_model* m) { return tml_model_summarise(m).mass; }

// A rounding u of a position is W u / h of a velocity and W^2 u / h^2 of an acceleration. Each step
// adds one, and the motion carries them on the way it carries a push (growth, per unit of it).
// Lengths go down to centimetres, over which a rounding of a metre is a hundred of an angle; the
// penalties of the augmented engine cost as much again.
static void check_rounding(const run* a, const difference* d, const difference* growth,
                           const method_noise* method, int steps)
{
    const double u = 200.0 * 2.2e-16;
    const double h = a->settings.step;
    const double W = method->weights;
    const double carried = steps * W * u;
    const double mass = larger_of(total_mass(a->model), 1.0);

    CHECK_NEAR(d->place, 0.0, carried * (1.0 + growth->place / push));
    CHECK_NEAR(d->coordinate, 0.0, carried * (1.0 + growth->coordinate / push));
    CHECK_NEAR(d->rate, 0.0, W * u / h + carried * growth->rate / push);
    CHECK_NEAR(d->load, 0.0, W * W * u * mass / (h * h) + carried * growth->load / push);
}

static void run_beside(run* a, const method_noise* method, quat turn, const char* name)
{
    run b;
    run c;
    difference d = {0.0, 0.0, 0.0, 0.0};
    difference growth = {0.0, 0.0, 0.0, 0.0};
    const int steps = tml_model_body_count(a->model) > 15 ? 30 : 100;

    a->settings.integrator = method->integrator;
    CHECK(run_start(a) == TML_OK);
    CHECK(run_freeze(&b, turned_model(a->model, turn)) == TML_OK);
    CHECK(run_freeze(&c, pushed_model(a->model)) == TML_OK);
    b.settings = c.settings = a->settings;
    CHECK(run_start(&b) == TML_OK);
    CHECK(run_start(&c) == TML_OK);
    for (int k = 0; k < steps; k++) {
        CHECK(run_step(a) == TML_OK && run_step(&b) == TML_OK && run_step(&c) == TML_OK);
        compare(a, &b, turn, &d);
        compare(a, &c, q_identity(), &growth);
    }
    printf("%-20s %-7s %3d steps: place %.1e, rate %.1e, load %.1e\n", name,
           tml_integrator_name(method->integrator), steps, d.place, d.rate, d.load);
    check_rounding(a, &d, &growth, method, steps);
    run_close(&b);
    run_close(&c);
}

static void run_all_methods(run* a, random_source* random, const char* name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const quat turn = random_turn(random);
        run_beside(a, &methods[i], turn, name);
    }
}

TEST(turning_a_scene_changes_its_motion_by_rounding_only)
{
    random_source random = random_start(1);
    int count = 0;
    for (int s = 0; s < scenes_untouched_count(); s++) {
        run a;
        CHECK(run_open(&a, scenes_at(s)->name) == TML_OK);
        // the largest scenes are a matter of other tests
        const int is_small = tml_model_body_count(a.model) <= 40;
        if (is_small && tml_sim_create(a.model, &a.settings, &a.sim) == TML_OK) {
            run_all_methods(&a, &random, scenes_at(s)->name);
            count++;
        }
        run_close(&a);
    }
    CHECK(count >= 16);
}

// ---- everything that scenes do not use

static tml_spec* crowded_model(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.com = v3(0.02, -0.05, 0.03);
    body.inertia[3] = 4e-4;
    body.velocity = (tml_velocity){{0.3, -0.2, 0.5}, {1.0, -2.0, 0.7}};
    const tml_body a = tml_spec_add_body(spec, &body);
    body.pose.p = v3(0.4, 0.1, -0.3);
    body.mass = 0.6;
    const tml_body b = tml_spec_add_body(spec, &body);

    // given by one axis only, the two frames apart along a free axis
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_CYLINDRICAL;
    joint.base = a;
    joint.follower = b;
    joint.position = v3(0.2, 0.0, -0.1);
    joint.axis = v3(0.48, 0.6, 0.64);
    joint.has_follower_frame = 1;
    joint.follower_position = v3(0.2 + 0.048, 0.06, -0.1 + 0.064);
    joint.follower_axis = joint.axis;
    joint.axis_of[TML_AXIS_TX].stiffness = 40.0;
    joint.axis_of[TML_AXIS_TX].has_limits = 1;
    joint.axis_of[TML_AXIS_TX].lower = -0.05;
    joint.axis_of[TML_AXIS_TX].upper = 0.12;
    joint.axis_of[TML_AXIS_RX].has_servo = 1;
    joint.axis_of[TML_AXIS_RX].servo_target = tml_control_sine(0.0, 0.5, 1.0, 0.0);
    joint.axis_of[TML_AXIS_RX].servo_stiffness = 2.0;
    joint.axis_of[TML_AXIS_RX].servo_damping = 0.1;
    tml_spec_add_joint(spec, &joint);

    const tml_point path[3] = {
        {TML_WORLD, {0.1, 0.5, 0.9}}, {a, {0.1, 0.0, 0.05}}, {b, {0.0, 0.1, 0.0}}};
    tml_spring_def tendon = tml_spring_def_default();
    tendon.point_count = 3;
    tendon.points = path;
    tendon.stiffness = 30.0;
    tendon.damping = 0.4;
    tendon.rest_length = 0.7;
    tendon.force = tml_control_sine(1.0, 0.5, 2.0, 0.3);
    tml_spec_add_spring(spec, &tendon);

    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = b;
    wrench.point = v3(0.05, 0.02, -0.04);
    for (int k = 0; k < 3; k++) {
        wrench.force[k] = tml_control_constant(0.7 - 0.4 * k);
        wrench.torque[k] = tml_control_constant(0.02 * k - 0.01);
    }
    tml_spec_add_wrench(spec, &wrench);

    tml_drag_def drag = tml_drag_def_default();
    drag.body = a;
    drag.linear = 0.8;
    drag.angular = 0.02;
    drag.wind = v3(1.0, -0.5, 0.2);
    tml_spec_add_drag(spec, &drag);
    return spec;
}

TEST(turning_springs_wrenches_drag_limits_and_servos_changes_nothing)
{
    random_source random = random_start(2);
    run a;
    CHECK(run_freeze(&a, crowded_model()) == TML_OK);
    a.settings.step = 0.005;
    run_all_methods(&a, &random, "crowded");
    run_close(&a);
}
