// The state as whole arrays: rates of joints, setting coordinates, resetting and copying.
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// One body on each kind of joint that can turn or slide, orders of turns and frames of all sorts.
static const char* const zoo =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'a', 'mass': 1, 'inertia': [0.1, 0.2, 0.3], 'position': [1, 0, 0],"
    "  'com': [0.1, 0, 0.2], 'velocity': [0, 0.4, 0.2], 'angular_velocity': [0.3, 0.2, 0.9]},"
    " {'name': 'b', 'mass': 2, 'inertia': [0.1, 0.2, 0.3], 'position': [1, 1, 0],"
    "  'velocity': [0.3, 0, 0.2], 'angular_velocity': [-0.7, 0.2, 0.4]},"
    " {'name': 'c', 'mass': 1, 'inertia': [0.3, 0.2, 0.3], 'position': [1, 1, 1],"
    "  'velocity': [0.1, -0.4, 0.2], 'angular_velocity': [0.1, 0.8, 0.2]},"
    " {'name': 'd', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [2, 1, 1],"
    "  'velocity': [0.1, 0.4, 0.2], 'angular_velocity': [0.1, 0.3, -0.2]},"
    " {'name': 'e', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 1, 1],"
    "  'velocity': [0.1, 0.4, 0.5], 'angular_velocity': [0.1, 0.3, -0.2]}],"
    "'joints': ["
    " {'name': 'ball', 'type': 'slot', 'base': 'world', 'follower': 'a', 'position': [0.5, 0, 0],"
    "  'axis': [1, 2, 3]},"
    " {'name': 'cross', 'free': {'translation': 'y', 'rotation': 'zx'}, 'base': 'a',"
    "  'follower': 'b', 'position': [1, 0.5, 0]},"
    " {'name': 'odd', 'free': {'translation': '', 'rotation': 'zyx'}, 'base': 'b',"
    "  'follower': 'c', 'position': [1, 1, 0.5], 'axis': [1, 1, 0]},"
    " {'name': 'screw', 'type': 'cylindrical', 'base': 'd', 'follower': 'c',"
    "  'position': [1.5, 1, 1], 'axis': [0, 1, 1]},"
    " {'name': 'loose', 'type': 'free', 'base': 'c', 'follower': 'e', 'position': [0.5, 1, 1]}],"
    "'simulation': {'formulation': 'quaternion', 'integrator': 'bdf2', 'step': 0.001}}";

static const char* const four_bar =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'crank', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [0, 0, 0.5],"
    "  'orientation': [0.70710678118654757, 0, -0.70710678118654757, 0]},"
    " {'name': 'rod', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [1, 0, 1]},"
    " {'name': 'rocker', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [2, 0, 0.5],"
    "  'orientation': [0.70710678118654757, 0, -0.70710678118654757, 0]}],"
    "'joints': ["
    " {'name': 'motor', 'type': 'revolute', 'base': 'world', 'follower': 'crank',"
    "  'position': [0, 0, 0], 'axis': [0, 1, 0], 'actuation': 'position',"
    "  'control': {'sine': {'offset': 0, 'amplitude': 0.3, 'frequency': 1, 'phase': 0}}},"
    " {'name': 'left', 'type': 'revolute', 'base': 'crank', 'follower': 'rod',"
    "  'position': [0, 0, 1], 'axis': [0, 1, 0]},"
    " {'name': 'right', 'type': 'spherical', 'base': 'rod', 'follower': 'rocker',"
    "  'position': [2, 0, 1]},"
    " {'name': 'foot', 'type': 'revolute', 'base': 'world', 'follower': 'rocker',"
    "  'position': [2, 0, 0], 'axis': [0, 1, 0]}],"
    "'simulation': {'formulation': 'quaternion', 'integrator': 'bdf2', 'step': 0.01}}";

// Boxes that fall on the floor, with a limit and a joint among them.
static const char* const heap =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'world', 'shapes': [{'type': 'plane'}]},"
    " {'name': 'a', 'mass': 1, 'position': [0, 0, 0.11], 'velocity': [0.5, 0, 0],"
    "  'shapes': [{'type': 'box', 'size': [0.2, 0.2, 0.2], 'friction': 0.4}]},"
    " {'name': 'b', 'mass': 1, 'position': [0.3, 0, 0.2],"
    "  'shapes': [{'type': 'box', 'size': [0.2, 0.2, 0.2], 'friction': 0.4}]}],"
    "'joints': [{'name': 'pin', 'type': 'revolute', 'base': 'a', 'follower': 'b',"
    "  'position': [0.15, 0, 0.15], 'axis': [0, 1, 0], 'limits': {'rx': [-0.2, 0.2]}}],"
    "'simulation': {'formulation': 'quaternion', 'integrator': 'bdf1', 'step': 0.005,"
    "  'contact': true}}";

static const char* const links =
    "{'trammel': 1, 'bodies': [], 'generate': [{'type': 'chain', 'name': 'l', 'links': 20, "
    "'joint': 'spherical',"
    "  'link': {'length': 0.1, 'radius': 0.01, 'mass': 0.1}, 'pose': 'coil'}],"
    "'simulation': {'formulation': 'affine', 'step': 0.005}}";

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} run;

static tml_sim* another(const run* r)
{
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(r->model, &tml_scene_settings(r->scene)->sim, &sim) == TML_OK);
    return sim;
}

static run start(const char* text)
{
    run r = {.scene = scene_from(text)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    r.sim = another(&r);
    return r;
}

static void finish(run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static void walk(tml_sim* sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        const tml_status status = tml_sim_step(sim, NULL);
        if (status != TML_OK) printf("%s\n", tml_sim_message(sim));
        CHECK(status == TML_OK);
    }
}

static bool is_same_state(const tml_sim* a, const tml_sim* b)
{
    const size_t bytes = tml_sim_state_size(a);
    unsigned char* x = malloc(bytes);
    unsigned char* y = malloc(bytes);
    bool is_same = tml_sim_state_size(b) == bytes && tml_sim_save(a, x) == TML_OK &&
                   tml_sim_save(b, y) == TML_OK && memcmp(x, y, bytes) == 0;
    free(x);
    free(y);
    return is_same;
}

enum {
    MOST = 64
};

TEST(coordinates_are_numbered_joint_by_joint)
{
    run r = start(zoo);
    const char* const names[] = {"ball tx",  "ball rx",  "ball ry",  "ball rz",  "cross ty",
                                 "cross rx", "cross rz", "odd rx",   "odd ry",   "odd rz",
                                 "screw tx", "screw rx", "loose tx", "loose ty", "loose tz",
                                 "loose rx", "loose ry", "loose rz"};
    CHECK(tml_model_coordinate_count(r.model) == 18);
    for (int i = 0; i < 18; i++) {
        tml_joint joint;
        tml_axis axis;
        char name[64];
        CHECK(tml_model_coordinate(r.model, i, &joint, &axis) == TML_OK);
        snprintf(name, sizeof name, "%s %s", tml_model_joint_name(r.model, joint),
                 tml_axis_name(axis));
        CHECK_TEXT(name, names[i]);
        CHECK(tml_model_find_coordinate(r.model, joint, axis) == i);
    }
    tml_joint joint;
    tml_axis axis;
    CHECK(tml_model_coordinate(r.model, 18, &joint, &axis) == TML_BAD_ARGUMENT);
    CHECK(tml_model_coordinate(r.model, -1, &joint, &axis) == TML_BAD_ARGUMENT);
    CHECK(tml_model_find_coordinate(r.model, (tml_joint){3}, TML_AXIS_TY) == -1);
    finish(&r);
}

// Against the coordinates of steps before and after, at two step lengths: the error falls fourfold.
TEST(rates_are_those_of_the_coordinates)
{
    double error[2] = {0.0, 0.0};
    for (int round = 0; round < 2; round++) {
        run r = start(zoo);
        tml_sim_destroy(r.sim);
        tml_scene_settings(r.scene)->sim.step = round == 0 ? 2e-3 : 1e-3;
        tml_scene_settings(r.scene)->sim.formulation = TML_FORM_GENERALIZED;
        tml_scene_settings(r.scene)->sim.integrator = TML_TIME_RK4;
        r.sim = another(&r);
        const double h = tml_scene_settings(r.scene)->sim.step;
        const int n = tml_model_coordinate_count(r.model);
        double before[MOST], rates[MOST], after[MOST];
        walk(r.sim, round == 0 ? 49 : 99);
        tml_sim_coordinates(r.sim, before);
        walk(r.sim, 1);
        tml_sim_rates(r.sim, rates);
        for (int i = 0; i < n; i++) {  // and against the quantity that derivatives know
            tml_joint joint;
            tml_axis axis;
            double one[TML_AXES];
            tml_axis axes[TML_AXES];
            CHECK(tml_model_coordinate(r.model, i, &joint, &axis) == TML_OK);
            const int count = tml_sim_joint_rates(r.sim, joint, one);
            CHECK(tml_model_joint_axes(r.model, joint, axes) == count);
            for (int k = 0; k < count; k++) {
                if (axes[k] == axis) CHECK_NEAR(one[k], rates[i], 0.0);
            }
        }
        walk(r.sim, 1);
        tml_sim_coordinates(r.sim, after);
        for (int i = 0; i < n; i++) {
            const double slope = (after[i] - before[i]) / (2.0 * h);
            CHECK(fabs(rates[i]) > 1e-3);  // each of them moves
            error[round] = fmax(error[round], fabs(slope - rates[i]));
        }
        finish(&r);
    }
    CHECK(error[1] < 1e-4);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.5);
}

TEST(rates_are_the_quantity_that_derivatives_know)
{
    run r = start(zoo);
    tml_derivatives* d = NULL;
    tml_sim_settings settings = tml_scene_settings(r.scene)->sim;
    CHECK(tml_derivatives_create(r.model, &settings, 0, &d) == TML_OK);
    for (int k = 0; k < 20; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
    double rates[MOST];
    tml_sim_rates(tml_derivatives_sim(d), rates);
    for (int i = 0; i < tml_model_coordinate_count(r.model); i++) {
        tml_joint joint;
        tml_axis axis;
        double value = 0.0;
        CHECK(tml_model_coordinate(r.model, i, &joint, &axis) == TML_OK);
        const tml_quantity q = {TML_QUANTITY_RATE, joint.index, (int)axis, 20};
        CHECK(tml_derivatives_values(d, 1, &q, &value) == TML_OK);
        CHECK_NEAR(rates[i], value, 1e-9);  // rows hold to 1e-10 only
    }
    tml_derivatives_destroy(d);
    finish(&r);
}

TEST(arrays_hold_what_is_asked_one_by_one)
{
    run r = start(heap);
    walk(r.sim, 20);
    tml_pose poses[2];
    tml_velocity velocities[2];
    tml_load load;
    tml_contact contacts[32];
    tml_sim_poses(r.sim, poses);
    tml_sim_velocities(r.sim, velocities);
    tml_sim_loads(r.sim, &load);
    for (int b = 0; b < 2; b++) {
        const tml_pose p = tml_sim_pose(r.sim, (tml_body){b});
        const tml_velocity v = tml_sim_velocity(r.sim, (tml_body){b});
        CHECK(memcmp(&p, &poses[b], sizeof p) == 0);
        CHECK(memcmp(&v, &velocities[b], sizeof v) == 0);
    }
    const tml_load one = tml_sim_joint_load(r.sim, (tml_joint){0});
    CHECK(memcmp(&one, &load, sizeof one) == 0);
    const int count = tml_sim_contacts(r.sim, contacts, 32);
    CHECK(count == tml_sim_contact_count(r.sim) && count >= 4 && count <= 32);
    CHECK(tml_sim_contacts(r.sim, NULL, 0) == count);
    for (int i = 0; i < count; i++) {
        const tml_contact k = tml_sim_contact(r.sim, i);
        CHECK(k.a.index == contacts[i].a.index && k.gap == contacts[i].gap);
        CHECK(memcmp(&k.force, &contacts[i].force, sizeof k.force) == 0);
    }
    finish(&r);
}

TEST(what_is_set_as_coordinates_is_read_back)
{
    run r = start(zoo);
    const int n = tml_model_coordinate_count(r.model);
    double q[MOST], u[MOST], got[MOST];
    for (int i = 0; i < n; i++) {
        q[i] = 0.31 * sin(1.0 + 3.0 * i);
        u[i] = 0.7 * cos(2.0 + 5.0 * i);
    }
    q[1] = 7.5;  // the turns of an angle count
    CHECK(tml_sim_set_coordinates(r.sim, q, u) == TML_OK);
    tml_sim_coordinates(r.sim, got);
    for (int i = 0; i < n; i++) CHECK_NEAR(got[i], q[i], 1e-12);
    tml_sim_rates(r.sim, got);
    for (int i = 0; i < n; i++) CHECK_NEAR(got[i], u[i], 1e-11);
    CHECK(tml_sim_gap(r.sim) < 1e-12);

    CHECK(tml_sim_set_coordinates(r.sim, q, NULL) == TML_OK);
    tml_sim_rates(r.sim, got);
    for (int i = 0; i < n; i++) CHECK_NEAR(got[i], 0.0, 1e-13);
    q[3] = (double)NAN;
    tml_sim* as_it_was = another(&r);
    CHECK(tml_sim_copy(as_it_was, r.sim) == TML_OK);
    CHECK(tml_sim_set_coordinates(r.sim, q, u) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(r.sim), "ball");
    CHECK(is_same_state(as_it_was, r.sim));
    tml_sim_destroy(as_it_was);
    finish(&r);
}

// A crank of one metre, a rod of two and a rocker of one form a parallelogram: all turn alike.
TEST(loops_close_where_coordinates_are_set)
{
    run r = start(four_bar);
    double q[8], u[8];
    CHECK(tml_model_coordinate_count(r.model) == 6);  // motor, left, three of right, foot
    tml_sim_coordinates(r.sim, q);
    q[0] = 0.4;
    CHECK(tml_sim_set_coordinates(r.sim, q, NULL) == TML_OK);
    CHECK(tml_sim_gap(r.sim) < 1e-9);
    tml_sim_coordinates(r.sim, q);
    CHECK_NEAR(q[0], 0.4, 1e-9);  // a position actuator: its control is the coordinate
    CHECK_NEAR(q[5], 0.4, 1e-8);
    tml_sim_controls(r.sim, u);
    CHECK_NEAR(u[0], 0.4, 0.0);
    finish(&r);
}

TEST(poses_of_another_time_are_set_with_it)
{
    run r = start(four_bar);
    tml_pose first[3];
    tml_velocity moving[3];
    tml_sim_poses(r.sim, first);
    tml_sim_velocities(r.sim, moving);
    walk(r.sim, 20);
    CHECK(tml_sim_set_state(r.sim, first, moving) == TML_BAD_ARGUMENT);  // the motor is elsewhere
    CHECK(tml_sim_set_state_at(r.sim, 0.0, first, moving) == TML_OK);
    CHECK(tml_sim_time(r.sim) == 0.0);
    tml_sim* fresh = another(&r);
    walk(r.sim, 20);
    walk(fresh, 20);
    const tml_pose a = tml_sim_pose(r.sim, (tml_body){1});
    const tml_pose b = tml_sim_pose(fresh, (tml_body){1});
    CHECK_NEAR(a.p.x, b.p.x, 1e-9);  // driven: the motion is that of the motor to the tolerance
    CHECK_NEAR(a.p.z, b.p.z, 1e-9);
    const double late = tml_sim_time(r.sim);
    CHECK(tml_sim_set_state_at(r.sim, 0.1, first, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_time(r.sim) == late);
    tml_sim_destroy(fresh);
    finish(&r);
}

TEST(a_reset_simulation_is_a_new_one_bit_for_bit)
{
    const char* const scenes[] = {zoo, four_bar, heap, links};
    int runs = 0;
    for (int i = 0; i < 4; i++) {
        run r = start(scenes[i]);
        tml_sim_settings settings = tml_scene_settings(r.scene)->sim;
        for (int f = 0; f < TML_FORMULATIONS; f++) {
            for (int k = 0; k < TML_INTEGRATORS; k++) {
                tml_sim* sim = NULL;
                tml_sim* fresh = NULL;
                settings.formulation = (tml_formulation)f;
                settings.integrator = (tml_integrator)k;
                if (!tml_pairing_exists(settings.formulation, settings.integrator) ||
                    tml_sim_create(r.model, &settings, &sim) != TML_OK) {
                    tml_sim_destroy(sim);
                    continue;
                }
                CHECK(tml_sim_create(r.model, &settings, &fresh) == TML_OK);
                bool has_stepped = true;
                for (int n = 0; n < 8; n++) has_stepped &= tml_sim_step(sim, NULL) == TML_OK;
                CHECK(!has_stepped || !is_same_state(sim, fresh));
                CHECK(tml_sim_reset(sim) == TML_OK);
                CHECK(is_same_state(sim, fresh));
                for (int n = 0; n < 8; n++) {
                    CHECK(tml_sim_step(sim, NULL) == tml_sim_step(fresh, NULL));
                }
                CHECK(is_same_state(sim, fresh));
                runs += has_stepped;
                tml_sim_destroy(fresh);
                tml_sim_destroy(sim);
            }
        }
        finish(&r);
    }
    CHECK(runs > 40);
}

TEST(a_copy_goes_on_with_the_same_bits)
{
    const char* const scenes[] = {zoo, four_bar, heap, links};
    for (int i = 0; i < 4; i++) {
        run r = start(scenes[i]);
        tml_sim* other = another(&r);
        walk(other, 3);
        walk(r.sim, 12);
        CHECK(tml_sim_copy(other, r.sim) == TML_OK);
        CHECK(is_same_state(other, r.sim));
        walk(r.sim, 10);
        walk(other, 10);
        CHECK(is_same_state(other, r.sim));
        tml_sim_destroy(other);
        finish(&r);
    }
}

TEST(a_copy_makes_room_and_refuses_strangers)
{
    run r = start(heap);
    run s = start(four_bar);
    tml_sim_settings settings = tml_scene_settings(r.scene)->sim;
    settings.contact.max_contacts = 1;
    tml_sim* small = NULL;
    CHECK(tml_sim_create(r.model, &settings, &small) == TML_OK);
    walk(r.sim, 12);
    CHECK(tml_sim_contact_count(r.sim) > 1);
    CHECK(tml_sim_copy(small, r.sim) == TML_OK);
    CHECK(tml_sim_contact_count(small) == tml_sim_contact_count(r.sim));
    CHECK(tml_sim_copy(s.sim, r.sim) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(s.sim), "same model");
    settings.step = 0.002;
    tml_sim* other = NULL;
    CHECK(tml_sim_create(r.model, &settings, &other) == TML_OK);
    CHECK(tml_sim_copy(other, r.sim) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_copy(other, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_copy(NULL, r.sim) == TML_BAD_ARGUMENT);
    tml_sim_destroy(small);
    tml_sim_destroy(other);
    finish(&r);
    finish(&s);
}
