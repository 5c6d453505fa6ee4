// test/sim/oddities.c - legal and illegal models at the edges: joints turned over, joints between
// bodies that never move, rows that give way and what they store, tendons beyond all sizes.
#include "test/check.h"
#include "test/sim/mechanisms.h"
#include "test/sim/space.h"
#include "test/sim/world.h"

// ---- turned over

static tml_joint_kind kind = TML_JOINT_REVOLUTE;

static void build_turned_over(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 1.0, origin);
    tml_joint_def joint = link_of("joint", kind, TML_WORLD, body, origin, origin);
    joint.has_follower_frame = 1;
    joint.has_follower_axes = 1;
    joint.follower_axes[0] = (tml_vec3){-1.0, 0.0, 0.0};
    joint.follower_axes[1] = (tml_vec3){0.0, -1.0, 0.0};
    joint.follower_axes[2] = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(spec, &joint);
    run->sim.step = 0.01;
}

// All rows are sines, and half a turn off they are zero: that is no closed joint.
TEST(a_joint_that_is_half_a_turn_off_is_open)
{
    const tml_joint_kind kinds[] = {TML_JOINT_FIXED, TML_JOINT_PRISMATIC, TML_JOINT_REVOLUTE,
                                    TML_JOINT_CARTESIAN};
    for (int i = 0; i < 4; i++) {
        double length = 1.0;
        double angle = 0.0;
        kind = kinds[i];
        world w = world_build(build_turned_over);
        CHECK(tml_model_joint_gap(w.model, (tml_joint){0}, &length, &angle) == TML_OK);
        CHECK(length == 0.0);
        CHECK_NEAR(angle, 3.14159265358979, 1e-14);
        CHECK(world_start(&w) == TML_BAD_ARGUMENT);
        CHECK_CONTAINS(tml_sim_message(w.sim), "'joint' 0 m 3.14 rad");
        world_end(&w);
    }
    kind = TML_JOINT_SPHERICAL;  // any orientation will do
    world w = world_build(build_turned_over);
    CHECK(world_start(&w) == TML_OK);
    world_end(&w);
}

// ---- between bodies that never move

static void build_idle(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    tml_body_def ground = tml_body_def_default();
    ground.name = "ground";
    ground.is_fixed = 1;
    const tml_body below = tml_spec_add_body(spec, &ground);
    const tml_body body = add_lump(spec, "body", 2.0, origin);
    tml_joint_def joint = link_of("foot", TML_JOINT_FIXED, TML_WORLD, below, origin, origin);
    joint.has_follower_frame = 1;
    joint.follower_position = (tml_vec3){5e-11, 0.0, 0.0};  // open by less than the tolerance
    tml_spec_add_joint(spec, &joint);
    joint = link_of("weld", TML_JOINT_FIXED, below, body, origin, origin);
    tml_spec_add_joint(spec, &joint);
    run->sim.step = 1e-3;
}

TEST(joints_between_bodies_that_never_move_carry_nothing_and_disturb_nobody)
{
    for (int i = 0; i < WORLD_INTEGRATORS; i++) {
        world w = world_build(build_idle);
        world_integrate(&w.settings, world_integrators[i]);
        CHECK(world_start(&w) == TML_OK);
        for (int k = 0; k < 20; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        const tml_load foot = tml_sim_joint_load(w.sim, (tml_joint){0});
        const tml_load weld = tml_sim_joint_load(w.sim, (tml_joint){1});
        CHECK(length(foot.force) == 0.0 && length(foot.moment) == 0.0);
        CHECK_NEAR(weld.force.z, 2.0 * 9.81, 1e-8);
        world_end(&w);
    }
}

// ---- rows that give way

static const double softness = 1e-3;

static void build_soft(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 2.0, origin);
    tml_joint_def joint = link_of("mount", TML_JOINT_FIXED, TML_WORLD, body, origin, origin);
    joint.axis_of[TML_AXIS_TZ].compliance = softness;
    tml_spec_add_joint(spec, &joint);
    run->sim.step = 5e-4;
}

// A weight dropped onto a compliant row swings for ever: z = z0 (1 - cos(w t)), z0 = m g compliance.
// BDF2 at w h = 0.011 loses about (w h)^3 / 2 of its energy a radian, 2e-6 in all of 3.4 radians.
TEST(what_a_compliant_row_stores_is_potential_energy)
{
    world w = world_build(build_soft);
    CHECK(world_start(&w) == TML_OK);
    const double scale = 2.0 * 9.81 * 2.0 * 9.81 * softness;  // m g z0
    const double start = tml_sim_energy(w.sim).potential;     // the centre of mass lies beside
    for (int k = 0; k < 300; k++) {
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        const tml_energy e = tml_sim_energy(w.sim);
        const double z = tml_sim_pose(w.sim, (tml_body){0}).p.z;
        const double stored = 2.0 * 9.81 * z + 0.5 * z * z / softness;
        CHECK_NEAR(e.potential - start, stored, 1e-12 * scale);
        CHECK_NEAR(e.kinetic + e.potential, start, 1e-5 * scale);
    }
    world_end(&w);
}

// ---- sizes

enum {
    MANY = 50000
};

static void build_long_tendon(tml_spec* spec, tml_run_settings* run)
{
    const tml_body body = add_lump(spec, "body", 1.0, (tml_vec3){0.0, 0.0, 6.0});
    tml_point* points = calloc(MANY, sizeof *points);
    tml_spring_def tendon = tml_spring_def_default();
    for (int i = 0; points != NULL && i < MANY; i++) {
        points[i].body = i + 1 < MANY ? TML_WORLD : body;
        points[i].position.z = i + 1 < MANY ? 1e-4 * i : 0.0;
    }
    tendon.points = points;
    tendon.point_count = MANY;
    tendon.stiffness = 1.0;
    tml_spec_add_spring(spec, &tendon);
    free(points);
    run->sim.step = 0.01;
}

TEST(a_tendon_whose_tables_no_int_can_count_is_refused)
{
    world w = world_build(build_long_tendon);
    CHECK(world_start(&w) == TML_NO_MEMORY);
    CHECK_CONTAINS(tml_sim_message(w.sim), "too many points");
    world_end(&w);
}

// ---- turns

// A position control may begin on any turn: the coordinate is counted from there.
TEST(a_wheel_that_is_driven_from_its_second_turn_on_starts_there)
{
    static const double times[2] = {0.0, 1.0};
    const double two_pi = 2.0 * 3.14159265358979323846;
    const double samples[2] = {two_pi, two_pi + 1.0};
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.follower = tml_spec_add_body(spec, &def);
    hinge.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    hinge.axis_of[TML_AXIS_RX].control =
        (tml_control){.kind = TML_CONTROL_TABLE, .count = 2, .times = times, .samples = samples};
    const tml_joint joint = tml_spec_add_joint(spec, &hinge);
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    double q[TML_AXES] = {0.0};
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    tml_sim_joint_coordinates(sim, joint, q);
    CHECK_NEAR(q[0], two_pi, 1e-14);
    for (int k = 0; k < 10; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    tml_sim_joint_coordinates(sim, joint, q);
    CHECK_NEAR(q[0], two_pi + 0.1, 1e-10);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// ---- what a message names

static void build_crowd(tml_spec* spec, tml_run_settings* run)
{
    (void)run;
    for (int i = 0; i < 60; i++) {
        char name[64];
        const tml_vec3 at = {0.0, 0.0, 0.0};
        snprintf(name, sizeof name, "a_body_with_a_long_name_%d", i);
        const tml_body body = add_lump(spec, name, 1.0, at);
        tml_joint_def joint = link_of(name, TML_JOINT_FIXED, TML_WORLD, body, at, at);
        joint.has_follower_frame = 1;
        joint.follower_position = (tml_vec3){0.1, 0.0, 0.0};
        tml_spec_add_joint(spec, &joint);
    }
}

TEST(open_joints_beyond_the_room_are_counted)
{
    world w = world_build(build_crowd);
    int listed = 0;
    int more = 0;
    CHECK(tml_sim_create(w.model, &w.settings, &w.sim) == TML_BAD_ARGUMENT);
    const char* text = tml_sim_message(w.sim);
    CHECK_CONTAINS(text, "60 joints are open");
    for (const char* p = text; (p = strstr(p, "0.1 m")) != NULL; p++) listed++;
    const char*and = strstr(text, " and ");
    CHECK(and != NULL && sscanf(and, " and %d more", &more) == 1);
    CHECK(listed > 2 && listed + more == 60);
    world_end(&w);
}
