// test/scenario/atlas.c - the Atlas robot on its feet: 33 freedoms, 12 contacts, servos in every joint.
//                                                                                   [DCON Sec VII]
// The base flies, `neck_ay`, `l_arm_lwy` and `r_arm_lwy` are fixed, each foot has six points.
// Needs ../shared/models; skipped without it.
#include "model/spec.h"
#include "test/check.h"
#include "test/scenario/touching.h"
#include "test_paths.h"

#define ATLAS TEST_SOURCE_DIR "/../shared/models/urdf/atlas/atlas_minimal_contact.urdf"

enum {
    POINTS = 6
};

static tml_body_def* find_body(definitions* all, const char* name)
{
    for (int i = 0; i < all->body_count; i++) {
        if (strcmp(all->bodies[i].name, name) == 0) return &all->bodies[i];
    }
    return NULL;
}

// Six points of a sole instead of its meshes.
static void put_points(tml_body_def* foot, tml_shape_def points[POINTS])
{
    static const double x[3] = {-0.0876, 0.0426, 0.1728};
    for (int i = 0; i < POINTS; i++) {
        points[i] = shape_of(TML_SHAPE_SPHERE, v3_zero(), 0.8);
        points[i].pose.p = v3(x[i % 3], i < 3 ? -0.0626 : 0.0626, -0.07645);
    }
    foot->shapes = points;
    foot->shape_count = POINTS;
}

static int is_stiff(const char* name)
{
    return strcmp(name, "neck_ay") == 0 || strcmp(name, "l_arm_lwy") == 0 ||
           strcmp(name, "r_arm_lwy") == 0;
}

// Servos hold every hinge where it is; three hinges are welded.
static int hold_joints(tml_spec* spec)
{
    int hinges = 0;
    for (int j = 0; j < spec->all.joint_count; j++) {
        joint_entry* entry = &spec->all.joints[j];
        tml_joint_def joint = tml__joint_expand(entry);
        tml_joint_axis* axis = &joint.axis_of[TML_AXIS_RX];
        if (joint.kind != TML_JOINT_REVOLUTE) continue;
        *axis = tml_joint_def_default().axis_of[TML_AXIS_RX];
        if (is_stiff(joint.name)) {
            joint.kind = TML_JOINT_FIXED;
        } else {
            hinges++;
            axis->has_servo = 1;
            axis->servo_target = tml_control_constant(0.0);
            axis->servo_stiffness = 5000.0;
            axis->servo_damping = 150.0;
        }
        CHECK(tml__joint_store(&joint, &spec->memory, entry) == TML_OK);
    }
    return hinges;
}

TEST(atlas_stands_on_twelve_points)
{
    tml_load_options options = tml_load_options_default();
    options.float_base = 1;
    static tml_shape_def points[2][POINTS];
    run r = {.scene = tml_scene_create()};
    CHECK(tml_scene_set_load_options(r.scene, &options) == TML_OK);
    if (tml_scene_read_file(r.scene, ATLAS) != TML_OK) {
        printf("%s\n", tml_scene_message(r.scene));
        run_close(&r);
        SKIP("../shared/models/urdf/atlas is not there");
    }
    definitions* all = &tml_scene_spec(r.scene)->all;
    for (int i = 0; i < all->body_count; i++) {
        tml_body_def* body = &all->bodies[i];
        body->shape_count = 0;
    }
    tml_body_def* left = find_body(all, "l_foot");
    tml_body_def* right = find_body(all, "r_foot");
    CHECK(left != NULL && right != NULL);
    if (left == NULL || right == NULL) return;
    put_points(left, points[0]);
    put_points(right, points[1]);
    CHECK(hold_joints(tml_scene_spec(r.scene)) == 27);
    tml_shape_def floor = shape_of(TML_SHAPE_PLANE, v3_zero(), 0.8);
    floor.pose.p.z = left->pose.p.z - 0.07645;
    tml_spec_add_world_shape(tml_scene_spec(r.scene), &floor);
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);

    r.settings = tml_sim_settings_default();
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    r.settings.step = 1e-3;
    r.settings.has_contact = 1;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 300) == TML_OK);
    double mass = 0.0;
    for (int b = 0; b < tml_model_body_count(r.model); b++) {
        mass += tml_model_body(r.model, (tml_body){b})->mass;
    }
    CHECK_NEAR(mass, 175.1, 0.1);
    CHECK(tml_sim_contact_count(r.sim) == 12);
    vec3 force = v3_zero();
    for (int i = 0; i < 12; i++) force = v3_add(force, tml_sim_contact(r.sim, i).force);
    // it still sways on its servos: the force is the weight within a part in ten
    CHECK_NEAR(force.z, mass * 9.81, 0.1 * mass * 9.81);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%.1f %% of %lld problems by the labels before, residual %.1e, overlap %.1e m\n",
           100.0 * (double)report.contact_hits / (double)report.contact_problems,
           report.contact_problems, report.max_complementarity, report.max_penetration);
    CHECK(report.max_gap < 1e-10);
    CHECK(report.max_penetration < 1e-6);
    CHECK(report.contact_unpolished > 0 || report.max_complementarity < 1e-10);
    run_close(&r);
}
