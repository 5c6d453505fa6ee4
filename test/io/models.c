// The public robot models against the numbers that MuJoCo computed for them, and what each lacks.
// Needs ../shared/models; skipped without it.
#include "test/check.h"
#include "test/io/oracle.h"

#define MODELS TEST_SOURCE_DIR "/../shared/models/"

typedef struct model_entry {
    const char* kind;  // folder and ending
    const char* folder;
    const char* file;     // without its ending
    const char* refusal;  // NULL: it loads
} model_entry;

static const model_entry entries[] = {
    {"urdf", "acrobot", "acrobot", NULL},
    {"urdf", "anymal_b", "anymal", NULL},
    {"urdf", "atlas", "atlas_convex_hull", NULL},
    {"urdf", "atlas", "atlas_minimal_contact", NULL},
    {"urdf", "cassie_like", "robot", NULL},
    {"urdf", "cassie_v2", "cassie_v2", NULL},
    {"urdf", "digit_like_2legs", "robot", NULL},
    {"urdf", "disney_robot", "robot", NULL},
    {"urdf", "dojo_fourbar", "fourbar", NULL},
    {"urdf", "double_pendulum", "double_pendulum", NULL},
    {"urdf", "double_pendulum", "double_pendulum_continuous", NULL},
    {"urdf", "double_pendulum", "double_pendulum_simple", NULL},
    {"urdf", "five_bar", "robot", NULL},
    {"urdf", "hyq", "hyq_no_sensors", NULL},
    {"urdf", "kangaroo_like_2legs", "robot", NULL},
    {"urdf", "minitaur", "minitaur", NULL},
    {"urdf", "panda", "panda", NULL},
    {"urdf", "pr2", "pr2_simplified", NULL},
    {"urdf", "quadruped_simple", "quadruped", NULL},
    {"urdf", "robot_delta", "robot", NULL},
    {"urdf", "romeo", "romeo_small", "triangle inequality"},
    {"urdf", "simple_humanoid", "simple_humanoid", NULL},
    {"urdf", "solo12", "solo12", NULL},
    {"urdf", "talos_like", "robot", NULL},
    {"urdf", "ur5", "ur5_robot", NULL},
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

// Every model is loaded, or refused for the reason that the README of the set gives. The oracle's
// numbers have 12 digits, so 1e-9 of the largest of a kind leaves room for sums over a robot.
TEST(every_public_model_loads_and_agrees_with_its_oracle)
{
    if (!has_models()) SKIP("../shared/models is not there");
    printf("%-52s %6s %6s %5s  %s\n", "model", "bodies", "joints", "notes", "worst difference");
    for (int i = 0; i < ENTRIES; i++) {
        const model_entry* e = &entries[i];
        const oracle_report r = compare(e);
        char name[120];
        snprintf(name, sizeof name, "%s/%s/%s", e->kind, e->folder, e->file);
        if (e->refusal != NULL) {
            printf("%-52s refused: %s\n", name, strstr(r.message, e->refusal) ? e->refusal : "?");
            CHECK_CONTAINS(r.message, e->refusal);
            continue;
        }
        if (r.compared > 0) {
            printf("%-52s %6d %6d %5d  %.1e of %d quantities\n", name, r.bodies, r.joints, r.lint,
                   worst_of(&r), r.compared);
        } else {
            printf("%-52s %6d %6d %5d  no oracle\n", name, r.bodies, r.joints, r.lint);
        }
        CHECK_TEXT(r.message, "");
        CHECK_NEAR(worst_of(&r), 0.0, 1e-9);
    }
}
