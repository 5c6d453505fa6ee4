// test/io/mujoco_motion.c - joints and actuators of MJCF move as they do in MuJoCo.
//
// Reference: test/mujoco/reference.h, integrated by MuJoCo's RK4 in steps of 0.1 ms. Here RK4 takes steps of 0.25 ms.
// Smooth forces leave less than 1e-9; where a force range cuts a force off, or a course is a spline, both
// integrators lose an order at the kink: 4e-6.
#include "test/check.h"
#include "test/mujoco/reference.h"
#include "test_paths.h"

#include <trammel/trammel.h>

typedef struct moving {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} moving;

static void stop(moving* m)
{
    tml_sim_destroy(m->sim);
    tml_model_destroy(m->model);
    tml_scene_destroy(m->scene);
}

// From a file into `m`; false, with a failure, when it does not run.
static bool begin(const char* path, double step, tml_integrator integrator, moving* m)
{
    *m = (moving){.scene = tml_scene_create()};
    bool is_good = tml_scene_read_file(m->scene, path) == TML_OK &&
                   tml_scene_build(m->scene, &m->model) == TML_OK;
    if (!is_good) printf("%s\n", tml_scene_message(m->scene));
    CHECK(is_good);
    if (!is_good) return false;
    tml_sim_settings settings = tml_scene_settings(m->scene)->sim;
    CHECK(settings.formulation == TML_FORM_GENERALIZED);
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = integrator;
    settings.contact.is_on = false;
    settings.step = step;
    is_good = tml_sim_create(m->model, &settings, &m->sim) == TML_OK;
    if (!is_good) printf("%s: %s\n", path, m->sim != NULL ? tml_sim_message(m->sim) : "?");
    CHECK(is_good);
    return is_good;
}

static void walk(moving* m, double time)
{
    const int steps = (int)lround(time / tml_sim_get_settings(m->sim)->step);
    tml_status status = TML_OK;
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_sim_step(m->sim, NULL);
    if (status != TML_OK) printf("%s\n", tml_sim_message(m->sim));
    CHECK(status == TML_OK);
}

// The coordinate that came from a joint of the file: several on one body are one joint, with a name of theirs
// joined by '+', in the order of its rotations. False: there is none.
static bool find_coordinate(const moving* m, const char* name, double* value)
{
    for (int j = 0; j < tml_model_joint_count(m->model); j++) {
        const tml_joint_def def = tml_model_joint(m->model, (tml_joint){j});
        const char* turns =
            def.kind == TML_JOINT_CUSTOM ? def.free_rotation : tml_joint_kind_turns(def.kind);
        const char* part = def.name;
        for (int k = 0; part != NULL; k++) {
            const size_t length = strcspn(part, "+");
            if (length == strlen(name) && strncmp(part, name, length) == 0) {
                tml_axis axes[TML_AXES];
                double q[TML_AXES] = {0.0};
                const int count = tml_model_joint_axes(m->model, (tml_joint){j}, axes);
                tml_sim_joint_coordinates(m->sim, (tml_joint){j}, q);
                *value = q[0];
                for (int i = 0; i < count && turns[0] != '\0'; i++) {
                    if ((int)axes[i] == TML_AXIS_RX + (turns[k] - 'x')) *value = q[i];
                }
                return true;
            }
            part = part[length] == '+' ? part + length + 1 : NULL;
        }
    }
    return false;
}

static void check_joints(const moving* m, const char* file, double tolerance)
{
    int count = 0;
    for (size_t i = 0; i < sizeof moved_joints / sizeof *moved_joints; i++) {
        const moved_joint* r = &moved_joints[i];
        if (strcmp(r->file, file) != 0) continue;
        double q = 0.0;
        const bool is_found = find_coordinate(m, r->joint, &q);
        CHECK(is_found);
        if (!is_found) continue;
        if (!(fabs(q - r->value) <= tolerance)) printf("%s, joint '%s':\n", file, r->joint);
        CHECK_NEAR(q, r->value, tolerance);
        count++;
    }
    CHECK(count > 0);
}

static const struct {
    const char* file;
    double tolerance;
} cases[] = {
    {"motion_free.xml", 1e-9},  {"motion_hip.xml", 1e-9},      {"motion_armature.xml", 1e-9},
    {"motion_servo.xml", 4e-6}, {"motion_velocity.xml", 4e-6}, {"motion_activation.xml", 4e-6},
    {"motion_gain.xml", 1e-9},
};

TEST(joints_and_actuators_move_as_in_mujoco)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[600];
        moving m;
        snprintf(path, sizeof path, "%s/test/mujoco/%s", TEST_SOURCE_DIR, cases[i].file);
        if (begin(path, 2.5e-4, TML_TIME_RK4, &m)) {
            walk(&m, 0.4);
            check_joints(&m, cases[i].file, cases[i].tolerance);
        }
        stop(&m);
    }
}

// The same from the scene and the MJCF that are written from it; a control with a course is no number, which MJCF cannot say.
TEST(joints_and_actuators_survive_the_way_through_a_scene_and_through_mjcf)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 2; k++) {
            char path[600];
            char written[700];
            const bool has_course = strcmp(cases[i].file, "motion_activation.xml") == 0;
            if (k == 1 && has_course) continue;
            snprintf(path, sizeof path, "%s/test/mujoco/%s", TEST_SOURCE_DIR, cases[i].file);
            snprintf(written, sizeof written, "%s/%s.again.%s", TEST_BINARY_DIR, cases[i].file,
                     k == 0 ? "json" : "xml");
            tml_scene* scene = tml_scene_create();
            CHECK(tml_scene_read_file(scene, path) == TML_OK);
            const tml_status status = tml_scene_write_file(scene, written);
            if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
            CHECK(status == TML_OK);
            tml_scene_destroy(scene);
            moving m;
            if (begin(written, 2.5e-4, TML_TIME_RK4, &m)) {
                walk(&m, 0.4);
                check_joints(&m, cases[i].file, cases[i].tolerance);
            }
            stop(&m);
            remove(written);
        }
    }
}

// The step that robots take by default converges to the same motion with its order.
TEST(the_default_step_converges_to_the_same_motion)
{
    static const char* const files[] = {"motion_armature.xml", "motion_servo.xml"};
    for (int f = 0; f < 2; f++) {
        double error[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++) {
            char path[600];
            moving m;
            snprintf(path, sizeof path, "%s/test/mujoco/%s", TEST_SOURCE_DIR, files[f]);
            if (begin(path, k == 0 ? 4e-4 : 2e-4, TML_TIME_SEMI_IMPLICIT_EULER, &m)) {
                walk(&m, 0.4);
                for (size_t i = 0; i < sizeof moved_joints / sizeof *moved_joints; i++) {
                    double q[TML_AXES] = {0.0};
                    if (strcmp(moved_joints[i].file, files[f]) != 0) continue;
                    tml_sim_joint_coordinates(
                        m.sim, tml_model_find_joint(m.model, moved_joints[i].joint), q);
                    error[k] = fmax(error[k], fabs(q[0] - moved_joints[i].value));
                }
            }
            stop(&m);
        }
        CHECK_NEAR(error[1] / error[0], 0.5, 0.05);
        CHECK(error[1] < 2e-3);
    }
}

// Rotors carry kinetic energy: without losses the sum stays, to RK4's error of h^4.
TEST(energy_of_rotors_is_counted)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0' "
        "armature='0.4'/><geom type='capsule' "
        "size='0.03' fromto='0 0 0 0.4 0 0'/><body pos='0.4 0 0'>"
        "<joint axis='0 0 1' armature='0.02'/><joint axis='0 1 0' armature='0.03'/>"
        "<joint axis='1 0 0'/>"
        "<geom type='box' size='0.1 0.05 0.02' pos='0.1 0.02 "
        "0'/></body></body></worldbody></mujoco>";
    moving m = {.scene = tml_scene_create()};
    CHECK(tml_scene_read_text(m.scene, text, strlen(text), "rotor.xml") == TML_OK);
    CHECK(tml_scene_build(m.scene, &m.model) == TML_OK);
    tml_sim_settings settings = tml_scene_settings(m.scene)->sim;
    settings.integrator = TML_TIME_RK4;
    settings.contact.is_on = false;
    settings.step = 1e-3;
    CHECK(tml_sim_create(m.model, &settings, &m.sim) == TML_OK);
    const tml_energy first = tml_sim_energy(m.sim);
    walk(&m, 0.5);
    const tml_energy last = tml_sim_energy(m.sim);
    CHECK(last.kinetic > 1.0);
    CHECK_NEAR(last.kinetic + last.potential, first.kinetic + first.potential, 1e-8);
    stop(&m);
}

TEST(other_formulations_refuse_an_armature_by_name)
{
    static const char text[] = "<mujoco><worldbody><body><joint name='hip' armature='0.4'/><geom "
                               "size='0.1'/></body></worldbody></mujoco>";
    for (int is_left_out = 0; is_left_out < 2; is_left_out++) {
        moving m = {.scene = tml_scene_create()};
        tml_load_options options = tml_load_options_default();
        options.without_armature = is_left_out;
        CHECK(tml_scene_set_load_options(m.scene, &options) == TML_OK);
        CHECK(tml_scene_read_text(m.scene, text, strlen(text), "rotor.xml") == TML_OK);
        CHECK(tml_scene_build(m.scene, &m.model) == TML_OK);
        tml_sim_settings settings = tml_scene_settings(m.scene)->sim;
        settings.formulation = TML_FORM_QUATERNION;
        settings.integrator = TML_TIME_BDF2;
        settings.contact.is_on = false;
        const tml_status status = tml_sim_create(m.model, &settings, &m.sim);
        CHECK(status == (is_left_out ? TML_OK : TML_UNSUPPORTED));
        if (!is_left_out) CHECK_CONTAINS(tml_sim_message(m.sim), "armature of joint 'hip'");
        CHECK((tml_scene_lint_count(m.scene) > 0) == (is_left_out != 0));
        stop(&m);
    }
}
