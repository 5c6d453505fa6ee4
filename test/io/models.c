// The public robot models against the numbers that MuJoCo computed for them, and what each lacks.
// Needs ../shared/models; skipped without it.
#include "test/check.h"
#include "test/io/oracle.h"
#include "test_paths.h"

#define MODELS TEST_SOURCE_DIR "/../shared/models/"

typedef struct model_entry {
    const char* kind;  // folder and ending
    const char* folder;
    const char* file;     // without its ending
    const char* refusal;  // NULL: it loads
    bool weighs_meshes;   // its masses come from mesh files
} model_entry;

static const model_entry entries[] = {
    {"mjcf", "agility_cassie", "cassie", NULL, false},
    {"mjcf", "aloha", "aloha", NULL, false},
    {"mjcf", "dm_control_suite", "acrobot", NULL, false},
    {"mjcf", "dm_control_suite", "ball_in_cup", NULL, false},
    {"mjcf", "dm_control_suite", "cartpole", NULL, false},
    {"mjcf", "dm_control_suite", "cheetah", NULL, false},
    {"mjcf", "dm_control_suite", "finger", NULL, false},
    {"mjcf", "dm_control_suite", "fish", NULL, false},
    {"mjcf", "dm_control_suite", "hopper", NULL, false},
    {"mjcf", "dm_control_suite", "humanoid", NULL, false},
    {"mjcf", "dm_control_suite", "manipulator", NULL, false},
    {"mjcf", "dm_control_suite", "pendulum", NULL, false},
    {"mjcf", "dm_control_suite", "point_mass", NULL, false},
    {"mjcf", "dm_control_suite", "reacher", NULL, false},
    {"mjcf", "dm_control_suite", "stacker", NULL, false},
    {"mjcf", "dm_control_suite", "walker", NULL, false},
    {"mjcf", "franka_emika_panda", "panda", NULL, false},
    {"mjcf", "gymnasium", "ant", NULL, false},
    {"mjcf", "gymnasium", "half_cheetah", NULL, false},
    {"mjcf", "gymnasium", "hopper", NULL, false},
    {"mjcf", "gymnasium", "humanoid", NULL, false},
    {"mjcf", "gymnasium", "inverted_double_pendulum", NULL, false},
    {"mjcf", "gymnasium", "inverted_pendulum", NULL, false},
    {"mjcf", "gymnasium", "reacher", NULL, false},
    {"mjcf", "gymnasium", "swimmer", NULL, false},
    {"mjcf", "gymnasium", "walker2d_v5", NULL, false},
    {"mjcf", "iit_softfoot", "softfoot", NULL, false},
    {"mjcf", "kuka_iiwa_14", "iiwa14", NULL, false},
    {"mjcf", "mujoco_car", "car", NULL, false},
    {"mjcf", "mujoco_dominos", "dominos", NULL, false},
    {"mjcf", "mujoco_humanoid", "22_humanoids", NULL, false},
    {"mjcf", "mujoco_humanoid", "humanoid", NULL, false},
    {"mjcf", "mujoco_newton_cradle", "newton_cradle", NULL, false},
    {"mjcf", "mujoco_slider_crank", "slider_crank", NULL, false},
    {"mjcf", "mujoco_tendon_arm", "arm26", NULL, false},
    {"mjcf", "newton_constraints", "constraints", NULL, false},
    {"mjcf", "pal_talos", "talos", NULL, false},
    {"mjcf", "robotiq_2f85", "2f85", NULL, true},
    {"mjcf", "skydio_x2", "x2", NULL, false},
    {"mjcf", "trossen_wx250s", "wx250s", NULL, false},
    {"mjcf", "unitree_go2", "go2", NULL, false},
    {"mjcf", "unitree_h1", "h1", NULL, false},
    {"mjcf", "universal_robots_ur5e", "ur5e", NULL, false},
    {"mjcf", "wonik_allegro", "left_hand", NULL, true},
    {"mjcf", "wonik_allegro", "right_hand", NULL, true},
    {"sdf", "drake_four_bar", "four_bar", NULL, false},
    {"sdf", "pinocchio_parallel", "parallel", NULL, false},
    {"urdf", "acrobot", "acrobot", NULL, false},
    {"urdf", "anymal_b", "anymal", NULL, false},
    {"urdf", "atlas", "atlas_convex_hull", NULL, false},
    {"urdf", "atlas", "atlas_minimal_contact", NULL, false},
    {"urdf", "cassie_like", "robot", NULL, false},
    {"urdf", "cassie_v2", "cassie_v2", NULL, false},
    {"urdf", "digit_like_2legs", "robot", NULL, false},
    {"urdf", "disney_robot", "robot", NULL, false},
    {"urdf", "dojo_fourbar", "fourbar", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum_continuous", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum_simple", NULL, false},
    {"urdf", "five_bar", "robot", NULL, false},
    {"urdf", "hyq", "hyq_no_sensors", NULL, false},
    {"urdf", "kangaroo_like_2legs", "robot", NULL, false},
    {"urdf", "minitaur", "minitaur", NULL, false},
    {"urdf", "panda", "panda", NULL, false},
    {"urdf", "pr2", "pr2_simplified", NULL, false},
    {"urdf", "quadruped_simple", "quadruped", NULL, false},
    {"urdf", "robot_delta", "robot", NULL, false},
    {"urdf", "romeo", "romeo_small", "triangle inequality", false},
    {"urdf", "simple_humanoid", "simple_humanoid", NULL, false},
    {"urdf", "solo12", "solo12", NULL, false},
    {"urdf", "talos_like", "robot", NULL, false},
    {"urdf", "ur5", "ur5_robot", NULL, false},
};

enum {
    ENTRIES = sizeof entries / sizeof *entries
};

static int has_models(void)
{
    FILE* file = fopen(MODELS "README.md", "rb");
    if (file != NULL) fclose(file);
    return file != NULL;
}

static double worst_of(const oracle_report* r)
{
    double worst = tml__larger(r->mass, r->inertia);
    worst = tml__larger(worst, r->pose);
    worst = tml__larger(worst, r->matrix);
    return tml__larger(worst, r->bias);
}

static oracle_report compare(const model_entry* e)
{
    char model[300];
    char oracle[300];
    const char* ending = strcmp(e->kind, "mjcf") == 0 ? "xml" : e->kind;
    snprintf(model, sizeof model, MODELS "%s/%s/%s.%s", e->kind, e->folder, e->file, ending);
    snprintf(oracle, sizeof oracle, MODELS "oracle/%s/%s--%s.json", e->kind, e->folder, e->file);
    return oracle_compare(model, oracle);
}

static void print_row(const model_entry* e, const oracle_report* r)
{
    char result[120];
    if (e->refusal != NULL) {
        snprintf(result, sizeof result, "refused: %s", e->refusal);
    } else if (r->compared > 0) {
        snprintf(result, sizeof result, "%.1e", worst_of(r));
    } else {
        snprintf(result, sizeof result, "no oracle");
    }
    printf("| %s/%s/%s | %d | %d | %s | %s |\n", e->kind, e->folder, e->file, r->bodies, r->joints,
           result, r->lint);
}

// Every model is loaded, or refused for the reason that the README of the set gives. The oracle's
// numbers have 12 digits, so 1e-9 of the largest of a kind leaves room for sums over a robot.
TEST(every_public_model_loads_and_agrees_with_its_oracle)
{
    if (!has_models()) SKIP("../shared/models is not there");
    printf("| model | bodies | joints | worst difference | not simulated, or taken otherwise |\n"
           "|---|---|---|---|---|\n");
    for (int i = 0; i < ENTRIES; i++) {
        const model_entry* e = &entries[i];
        const oracle_report r = compare(e);
        print_row(e, &r);
        if (e->refusal != NULL) {
            CHECK_CONTAINS(r.message, e->refusal);
            continue;
        }
        CHECK_TEXT(r.message, "");
        // where a mesh gives the inertia of a body it differs by up to 7e-8, and why is not verified
        // (docs/models.md); masses, mass matrix and bias forces agree like the others
        oracle_report exact = r;
        if (e->weighs_meshes) {
            CHECK_NEAR(r.inertia, 0.0, 1e-7);
            exact.inertia = 0.0;
        }
        CHECK_NEAR(worst_of(&exact), 0.0, 1e-9);
        if (r.equalities > 0) {
            printf("equalities of %s: %d, off by %.1e\n", e->file, r.equalities, r.equality);
        }
        CHECK_NEAR(r.equality, 0.0, 1e-9);
    }
}
