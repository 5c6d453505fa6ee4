// Every public model with loops assembles and runs ten seconds with its loops closed to 1e-10. Needs
// ../shared/models, and TRAMMEL_TEST_LONG=1 because it takes minutes.
#include "math/quat.h"
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#define MODELS   TEST_SOURCE_DIR "/../shared/models/"
#define CLOSURES TEST_SOURCE_DIR "/scenes/closures/"

typedef struct loop_model {
    const char* file;
    const char* closures;  // NULL: those beside it
    double step;           // s
    double bent;           // rad: its motors are turned so far before it is assembled
} loop_model;

static const loop_model models[] = {
    {"mjcf/agility_cassie/cassie.xml", NULL, 0.005, 0.0},
    {"mjcf/robotiq_2f85/2f85.xml", NULL, 0.005, 0.0},
    {"mjcf/iit_softfoot/softfoot.xml", NULL, 0.01, 0.0},
    {"urdf/five_bar/robot.urdf", NULL, 0.01, 0.0},
    {"urdf/robot_delta/robot.urdf", NULL, 0.01, 0.0},
    {"urdf/digit_like_2legs/robot.urdf", NULL, 0.01, 0.0},
    {"urdf/disney_robot/robot.urdf", NULL, 0.01, 0.0},
    {"urdf/cassie_like/robot.urdf", NULL, 0.01, 0.0},
    {"urdf/dojo_fourbar/fourbar.urdf", NULL, 0.01, 0.0},
    // light rods on heavy legs fall fast: a shorter step
    {"urdf/kangaroo_like_2legs/robot.urdf", CLOSURES "kangaroo_like_2legs.yaml", 0.002, 0.0},
    // in its file the legs are stretched and stand still, in a pose where their rows lose rank
    {"urdf/minitaur/minitaur.urdf", CLOSURES "minitaur.yaml", 0.005, 0.6},
    // two rods without mass of their own spin at 50 rad/s near 1.4 s: half a radian in 10 ms is too
    // much for Newton's method, which says so (TML_SINGULAR)
    {"urdf/talos_like/robot.urdf", NULL, 0.005, 0.0},
    {"mjcf/newton_constraints/constraints.xml", NULL, 0.005, 0.0},
    {"mjcf/aloha/aloha.xml", NULL, 0.005, 0.0},
    {"mjcf/pal_talos/talos.xml", NULL, 0.005, 0.0},
    {"mjcf/trossen_wx250s/wx250s.xml", NULL, 0.005, 0.0},
    {"sdf/drake_four_bar/four_bar.sdf", NULL, 0.005, 0.0},
    {"sdf/pinocchio_parallel/parallel.sdf", NULL, 0.005, 0.0},
};

// Turn the bodies that are called motors about their z axes; their joints open.
static tml_status bend(tml_spec* spec, const tml_model* model, double angle, tml_pose* poses)
{
    for (int i = 0; i < tml_model_body_count(model); i++) {
        poses[i] = tml_model_body(model, (tml_body){i})->pose;
        if (strncmp(tml_model_body_name(model, (tml_body){i}), "motor_", 6) != 0) continue;
        poses[i].q = q_mul(poses[i].q, q_exp(v3(0.0, 0.0, angle)));
    }
    return tml_spec_set_poses(spec, poses);
}

static int has_models(void)
{
    FILE* file = fopen(MODELS "README.md", "rb");
    if (file != NULL) fclose(file);
    return file != NULL;
}

// Read, assemble, take the closed poses; NULL when one of them fails.
static tml_model* assemble(const loop_model* m, tml_scene* scene)
{
    char path[400];
    char why[512] = "";
    tml_load_options options = tml_load_options_default();
    tml_model* model = NULL;
    tml_model* closed = NULL;
    tml_assemble_report report;
    const tml_assemble_settings settings = tml_assemble_settings_default();
    snprintf(path, sizeof path, MODELS "%s", m->file);
    options.closures = m->closures;
    options.without_armature = true;  // which `quaternion` does not simulate
    tml_scene_set_load_options(scene, &options);
    if (tml_scene_read_file(scene, path) != TML_OK || tml_scene_build(scene, &model) != TML_OK) {
        printf("%s\n", tml_scene_message(scene));
        return NULL;
    }
    tml_pose* poses = calloc((size_t)tml_model_body_count(model) + 1, sizeof *poses);
    if (m->bent > 0.0 && bend(tml_scene_spec(scene), model, m->bent, poses) == TML_OK) {
        tml_model_destroy(model);
        model = NULL;
        tml_scene_build(scene, &model);
    }
    const tml_status status =
        model != NULL ? tml_model_assemble(model, &settings, poses, &report, why, sizeof why)
                      : TML_BAD_ARGUMENT;
    if (status == TML_OK && tml_spec_set_poses(tml_scene_spec(scene), poses) == TML_OK) {
        tml_scene_build(scene, &closed);
    } else {
        printf("%s: %s\n", m->file, why);
    }
    free(poses);
    tml_model_destroy(model);
    return closed;
}

TEST(every_loop_model_runs_ten_seconds_closed)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG=1");
    if (!has_models()) SKIP("../shared/models is not there");
    const char* only = getenv("TRAMMEL_TEST_MODEL");  // a piece of its name
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const loop_model* m = &models[i];
        if (only != NULL && strstr(m->file, only) == NULL) continue;
        tml_scene* scene = tml_scene_create();
        tml_model* model = assemble(m, scene);
        tml_sim* sim = NULL;
        double gap = 0.0;
        int steps = 0;
        CHECK(model != NULL);
        tml_sim_settings settings = tml_scene_settings(scene)->sim;
        settings.step = m->step;
        settings.formulation = TML_FORM_QUATERNION;
        settings.integrator = TML_TIME_BDF2;
        settings.contact.is_on = false;
        tml_status status =
            model != NULL ? tml_sim_create(model, &settings, &sim) : TML_BAD_ARGUMENT;
        for (; status == TML_OK && steps * m->step < 10.0; steps++) {
            status = tml_sim_step(sim, NULL);
            const double now = tml_sim_gap(sim);
            if (!(now <= gap)) gap = now;
        }
        printf("%-40s %5d steps, gap %.1e, kinetic energy %.2e J\n", m->file, steps, gap,
               sim != NULL ? tml_sim_energy(sim).kinetic : 0.0);
        if (status != TML_OK && sim != NULL) printf("%s\n", tml_sim_message(sim));
        CHECK(status == TML_OK);
        CHECK_NEAR(gap, 0.0, 1e-10);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}
