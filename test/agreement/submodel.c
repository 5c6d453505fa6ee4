// test/agreement/submodel.c - a part of a mechanism, driven as it moved in the whole, feels the same
// forces.                                                                          [QRBD Sec 6.3]
//
// The whole: a post hangs on the world, a trunk on the post, an arm and a hand on the trunk. The part:
// trunk, arm and hand, the trunk's `free` joint position-actuated on all six axes by cubic tables of
// what it did in the whole. The joints of arm and hand must carry what they carried there, and the
// drive of the trunk what the post gave it.
#include "model/spec.h"
#include "test/check.h"
#include "test/scenario/run.h"

#include <stdbool.h>

enum {
    MAX_STEPS = 1024,
    PARTS = 3  // trunk, arm, hand: the first bodies of both models
};

static const double lead = 0.3;  // s that the whole moves before the part joins in: no table begins
    // where it is used, because natural splines are straight at their ends
static const double together = 0.3;  // s that both are compared
static const tml_joint pose = {0};   // the trunk's free joint
static const tml_joint shoulder = {1};
static const tml_joint wrist = {2};
static const tml_joint hip = {3};  // what the trunk hangs on, in the whole only

// An oblique inertia and the centre of mass beside the frame: nothing cancels.
static tml_body add_lump(tml_spec* spec, const char* name, double mass, tml_vec3 place)
{
    static const double inertia[6] = {0.011, 0.014, 0.009, 0.001, -0.0007, 0.0012};
    tml_body_def def = tml_body_def_default();
    def.name = name;
    def.mass = mass;
    for (int k = 0; k < 6; k++) def.inertia[k] = mass * inertia[k];
    def.com = v3(0.02, -0.03, 0.04);
    def.pose.p = place;
    def.pose.q = (tml_quat){0.5, 0.5, -0.5, 0.5};
    return tml_spec_add_body(spec, &def);
}

static tml_joint_def link_of(const char* name, tml_joint_kind kind, tml_body base,
                             tml_body follower, tml_vec3 place, tml_vec3 axis)
{
    tml_joint_def def = tml_joint_def_default();
    def.name = name;
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = place;
    def.axis = axis;
    return def;
}

static tml_spec* build(bool is_whole)
{
    const tml_vec3 at_hip = {0.0, 0.0, -0.4};
    const tml_vec3 at_shoulder = {0.3, 0.1, -0.6};
    const tml_vec3 at_wrist = {0.6, 0.2, -0.7};
    tml_spec* spec = tml_spec_create();
    const tml_body trunk = add_lump(spec, "trunk", 3.0, (tml_vec3){0.1, 0.0, -0.5});
    const tml_body arm = add_lump(spec, "arm", 1.0, (tml_vec3){0.45, 0.15, -0.65});
    const tml_body hand = add_lump(spec, "hand", 0.5, (tml_vec3){0.7, 0.2, -0.75});

    tml_joint_def joint = link_of("pose", TML_JOINT_FREE, TML_WORLD, trunk, at_hip, v3_zero());
    for (int k = 0; k < TML_AXES && !is_whole; k++) joint.axis_of[k].actuation = TML_POSITION;
    tml_spec_add_joint(spec, &joint);
    joint = link_of("shoulder", TML_JOINT_REVOLUTE, trunk, arm, at_shoulder, v3(0.0, 1.0, 0.3));
    tml_spec_add_joint(spec, &joint);
    joint = link_of("wrist", TML_JOINT_UNIVERSAL, arm, hand, at_wrist, v3(1.0, 0.0, 0.0));
    tml_spec_add_joint(spec, &joint);
    if (!is_whole) return spec;

    const tml_body post = add_lump(spec, "post", 2.0, (tml_vec3){0.0, 0.1, -0.2});
    joint = link_of("hip", TML_JOINT_SPHERICAL, post, trunk, at_hip, v3_zero());
    tml_spec_add_joint(spec, &joint);
    joint = link_of("root", TML_JOINT_REVOLUTE, TML_WORLD, post, v3_zero(), v3(1.0, 0.2, 0.0));
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// What the whole did: six coordinates of the trunk, and the state where the part joins in.
typedef struct recording {
    double times[MAX_STEPS];  // s, from where the part joins in
    double values[TML_AXES][MAX_STEPS];
    tml_load loads[3][MAX_STEPS];  // of shoulder, wrist and hip
    tml_pose poses[PARTS];
    tml_velocity velocities[PARTS];
    int count, join;
} recording;

static void record(run* whole, recording* out)
{
    const double h = whole->settings.step;
    out->join = (int)(lead / h + 0.5);
    out->count = out->join + (int)((together + lead) / h + 0.5) + 1;
    CHECK(out->count <= MAX_STEPS);
    for (int k = 0; k < out->count; k++) {
        double q[TML_AXES];
        CHECK(tml_sim_joint_coordinates(whole->sim, pose, q) == TML_AXES);
        out->times[k] = (k - out->join) * h;
        for (int i = 0; i < TML_AXES; i++) out->values[i][k] = q[i];
        out->loads[0][k] = tml_sim_joint_load(whole->sim, shoulder);
        out->loads[1][k] = tml_sim_joint_load(whole->sim, wrist);
        out->loads[2][k] = tml_sim_joint_load(whole->sim, hip);
        for (int b = 0; b < PARTS && k == out->join; b++) {
            out->poses[b] = tml_sim_pose(whole->sim, (tml_body){b});
            out->velocities[b] = tml_sim_velocity(whole->sim, (tml_body){b});
        }
        CHECK(run_step(whole) == TML_OK);
    }
}

// The part at the state in which it joins in, driven by the recording.
static tml_spec* driven(const recording* from)
{
    tml_spec* spec = build(false);
    CHECK(tml_spec_set_poses(spec, from->poses) == TML_OK);
    for (int b = 0; b < PARTS; b++) spec->all.bodies[b].velocity = from->velocities[b];
    for (int i = 0; i < TML_AXES; i++) {
        const tml_control table = {.kind = TML_CONTROL_CUBIC,
                                   .count = from->count,
                                   .times = from->times,
                                   .samples = from->values[i]};
        CHECK(tml_spec_set_control(spec, pose, (tml_axis)i, &table) == TML_OK);
    }
    return spec;
}

static double apart(tml_vec3 a, tml_vec3 b) { return v3_max(v3_sub(a, b)); }

typedef struct difference {
    double force, moment;  // of shoulder and wrist, N and N m
    double hip, turn;      // of what drives the trunk: force by its size, moment
    double pull;           // the largest force of the hip, to compare with
} difference;

static difference compare(tml_integrator integrator, double h)
{
    static recording whole_did;
    difference largest = {0.0, 0.0, 0.0, 0.0, 0.0};
    run whole;
    run part;
    CHECK(run_freeze(&whole, build(true)) == TML_OK);
    whole.settings.integrator = integrator;
    whole.settings.step = h;
    CHECK(run_start(&whole) == TML_OK);
    record(&whole, &whole_did);
    CHECK(run_freeze(&part, driven(&whole_did)) == TML_OK);
    part.settings = whole.settings;
    CHECK(run_start(&part) == TML_OK);

    for (int k = 0; k * h < together; k++) {
        const int at = whole_did.join + k;
        const tml_load loads[2] = {tml_sim_joint_load(part.sim, shoulder),
                                   tml_sim_joint_load(part.sim, wrist)};
        const tml_load drive = tml_sim_joint_load(part.sim, pose);
        for (int j = 0; j < 2; j++) {
            const tml_load* was = &whole_did.loads[j][at];
            largest.force = larger_of(apart(loads[j].force, was->force), largest.force);
            largest.moment = larger_of(apart(loads[j].moment, was->moment), largest.moment);
        }
        // in other axes than the hip's, which turn with the post
        const double pull = v3_norm(whole_did.loads[2][at].force);
        largest.hip = larger_of(fabs(v3_norm(drive.force) - pull), largest.hip);
        largest.turn = larger_of(v3_norm(drive.moment), largest.turn);
        largest.pull = larger_of(pull, largest.pull);
        CHECK(run_step(&part) == TML_OK);
    }
    run_close(&whole);
    run_close(&part);
    return largest;
}

TEST(a_part_driven_as_it_moved_in_the_whole_feels_the_same_forces)
{
    const difference coarse = compare(TML_TIME_BDF2, 1.0 / 400.0);
    const difference fine = compare(TML_TIME_BDF2, 1.0 / 800.0);

    printf("shoulder and wrist: %.1e, %.1e N and %.1e, %.1e N m\n", coarse.force, fine.force,
           coarse.moment, fine.moment);
    printf("hip: %.1e, %.1e N and %.1e, %.1e N m, of %.1f N\n", coarse.hip, fine.hip, coarse.turn,
           fine.turn, fine.pull);
    // both runs are of order 2, and so are second derivatives of a cubic spline
    CHECK_NEAR(log2(coarse.force / fine.force), 2.0, 0.3);
    CHECK_NEAR(log2(coarse.moment / fine.moment), 2.0, 0.3);
    CHECK_NEAR(log2(coarse.hip / fine.hip), 2.0, 0.3);
    CHECK_NEAR(log2(coarse.turn / fine.turn), 2.0, 0.3);
    CHECK(fine.pull > 20.0);
    CHECK(fine.hip < 5e-4 * fine.pull && fine.force < 5e-4 * fine.pull);
    CHECK(fine.turn < 5e-4 * fine.pull * 0.3);  // over arms of 0.3 m
}
