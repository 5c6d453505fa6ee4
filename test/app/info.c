// test/app/info.c - `trammel info`, `explain` and `list`.
#include "test/app/tool.h"

#include <trammel/trammel.h>

static void enter(void) { enter_folder("app_info"); }

// Counts that can be made by hand from the definition of each scene.
typedef struct counts {
    const char* scene;
    double bodies, joints, rows, loops, position_actuators, force_actuators, mobility;
} counts;

static const counts expected[] = {
    {"pendulum", 1, 1, 5, 0, 0, 0, 1},
    {"double-pendulum", 2, 2, 10, 0, 0, 0, 2},
    {"universal-pendulum", 1, 1, 4, 0, 0, 0, 2},
    {"t-handle", 1, 0, 0, 0, 0, 0, 6},
    {"heavy-top", 1, 1, 3, 0, 0, 0, 3},
    {"spherical-chain", 20, 20, 60, 0, 0, 0, 60},
    {"revolute-chain", 20, 20, 100, 0, 0, 0, 20},
    {"robot-arm", 6, 6, 36, 0, 6, 0, 0},     // 5 held and 1 driven row a hinge
    {"showcase", 12, 13, 44, 1, 0, 0, 28},   // 17 of the slider-crank, 9 balls of 3
    {"gears", 2, 2, 11, 0, 0, 1, 1},         // two hinges and a coupling
    {"joint-zoo", 12, 12, 43, 0, 0, 0, 29},  // 6 5 5 4 4 4 4 3 3 3 2 0
    {"spring-net", 25, 0, 0, 0, 0, 0, 150},
    {"flap", 1, 1, 5, 0, 0, 0, 1},
    {"flyball-governor", 4, 4, 20, 0, 0, 0, 4},
};

TEST(json_counts_are_those_made_by_hand)
{
    enter();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const counts* c = &expected[i];
        char line[128];
        snprintf(line, sizeof line, "scene %s --out s.json", c->scene);
        CHECK(tool(line)->code == 0);
        const tool_result* r = tool("info s.json --json");
        CHECK(r->code == 0);
        CHECK_NEAR(json_value(r->out, "bodies"), c->bodies, 0.0);
        CHECK_NEAR(json_value(r->out, "joints"), c->joints, 0.0);
        CHECK_NEAR(json_value(r->out, "rows"), c->rows, 0.0);
        CHECK_NEAR(json_value(r->out, "loops"), c->loops, 0.0);
        CHECK_NEAR(json_value(r->out, "position_actuators"), c->position_actuators, 0.0);
        CHECK_NEAR(json_value(r->out, "force_actuators"), c->force_actuators, 0.0);
        CHECK_NEAR(json_value(r->out, "mobility"), c->mobility, 0.0);
        CHECK_NEAR(json_value(r->out, "redundant_rows"), 0.0, 0.0);
        CHECK_NEAR(json_value(r->out, "overactuation"), 0.0, 0.0);
        CHECK_CONTAINS(r->out, c->mobility > 0.0 ? "passive/none" : "full/none");
        CHECK(json_value(r->out, "mass") > 0.0);
        CHECK(json_value(r->out, "max_gap") <= 1e-12);
    }
}

TEST(text_lists_joints_with_bodies_rows_and_free_axes)
{
    enter();
    CHECK(tool("scene robot-arm --out arm.json")->code == 0);
    const tool_result* r = tool("info arm.json --step 0.25");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "robot-arm\n");
    CHECK_CONTAINS(r->out, "bodies 6 (0 fixed)");
    CHECK_CONTAINS(r->out, "step 0.25 s");
    CHECK_CONTAINS(r->out, "shoulder  revolute     turret    -> upper_arm          6  rx*\n");
    CHECK(strstr(r->out, "open joints") == NULL);
}

// A parallelogram on four parallel hinges: the last hinge holds the plane once more.
static const char parallelogram[] =
    "{\"trammel\": 1, \"bodies\": ["
    "{\"name\": \"left\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0.5, 0]},"
    "{\"name\": \"top\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 1, 0]},"
    "{\"name\": \"right\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0.5, 0]}],"
    "\"joints\": ["
    "{\"name\": \"O\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": \"left\","
    " \"axis\": [0, 0, 1]},"
    "{\"name\": \"A\", \"type\": \"revolute\", \"base\": \"left\", \"follower\": \"top\","
    " \"position\": [0, 1, 0], \"axis\": [0, 0, 1]},"
    "{\"name\": \"B\", \"type\": \"revolute\", \"base\": \"top\", \"follower\": \"right\","
    " \"position\": [2, 1, 0], \"axis\": [0, 0, 1]},"
    "{\"name\": \"D\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": \"right\","
    " \"position\": [2, 0, 0], \"axis\": [0, 0, 1]}]}";

TEST(redundant_rows_are_named)
{
    int count = 0;

    enter();
    write_text("four.json", parallelogram);
    const tool_result* r = tool("info four.json --json");
    CHECK(r->code == 0);
    CHECK(is_json(r->out, &count));
    CHECK(count == 13);
    CHECK_NEAR(json_value(r->out, "rows"), 20.0, 0.0);
    CHECK_NEAR(json_value(r->out, "redundant_rows"), 3.0, 0.0);
    CHECK_NEAR(json_value(r->out, "mobility"), 1.0, 0.0);
    CHECK_NEAR(json_value(r->out, "loops"), 1.0, 0.0);
    CHECK_CONTAINS(r->out, "\"class\": \"passive/redundant\"");
    // three hinges in a plane leave three motions in it, so all that D adds are two gaps in the
    // plane; what it holds out of the plane is the fourth of its kind
    CHECK_CONTAINS(r->out, "{\"joint\": \"D\", \"axis\": \"tx\", \"depends_on\": [\"");
    CHECK_CONTAINS(r->out, "{\"joint\": \"D\", \"axis\": \"ry\", "
                           "\"depends_on\": [\"O.ry\", \"A.ry\", \"B.ry\"]}");
    CHECK_CONTAINS(r->out, "{\"joint\": \"D\", \"axis\": \"rz\", "
                           "\"depends_on\": [\"O.rz\", \"A.rz\", \"B.rz\"]}");
    r = tool("info four.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "mobility 1, redundant rows 3, class passive/redundant");
    CHECK_CONTAINS(r->out, "  D.rz follows from O.rz A.rz B.rz\n");
}

TEST(large_scenes_are_cut_unless_all_is_asked_for)
{
    enter();
    write_text("chain.json", "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"chain\","
                             "\"name\": \"c\", \"links\": 200, \"joint\": \"spherical\","
                             "\"link\": {\"length\": 0.1, \"radius\": 0.01, \"mass\": 0.1},"
                             "\"start\": [0, 0, 0], \"pose\": \"horizontal\"}]}");
    const tool_result* r = tool("info chain.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "... and 140 more; --all lists them");
    CHECK(count_lines(r->out) < 80);
    CHECK(count_lines(tool("info chain.json --all")->out) > 200);
}

TEST(explain_tells_the_sizes_and_the_solver)
{
    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    const tool_result* r = tool("explain p.json");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
    CHECK_CONTAINS(r->out, "hinge");
    CHECK_CONTAINS(r->out, "quaternion");
    CHECK_CONTAINS(r->out, "bdf2");
    CHECK_CONTAINS(tool("explain p.json --integrator sdirk2")->out, "sdirk2");
}

// Grams on tons: the solver lowers its penalty, and both commands say so.
TEST(masses_that_differ_by_1e8_are_told_and_what_the_solver_makes_of_them)
{
    static const char* const scene =
        "{\"trammel\": 1, \"bodies\": ["
        "{\"name\": \"pin\", \"mass\": 1e-3, \"inertia\": [1e-6, 1e-6, 1e-6]},"
        "{\"name\": \"hull\", \"mass\": 1e5, \"inertia\": [1e4, 1e4, 1e4],"
        " \"position\": [0, 0, -1]}],"
        "\"joints\": [{\"type\": \"spherical\", \"base\": \"world\", \"follower\": \"pin\"},"
        "{\"type\": \"spherical\", \"base\": \"pin\", \"follower\": \"hull\"}],"
        "\"simulation\": {\"solver\": \"augmented\"}}";
    enter();
    write_text("tons.json", scene);
    CHECK_CONTAINS(tool("info tons.json")->out,
                   "masses from 0.001 kg ('pin') to 1e+05 kg ('hull'), a ratio of 1e+08");
    CHECK_CONTAINS(tool("explain tons.json")->out, "lowered, because masses differ so much");
    CHECK(tool("run tons.json --duration 0.1 --json")->code == 0);

    CHECK(tool("scene pendulum --out p.json")->code == 0);
    CHECK(strstr(tool("info p.json")->out, "a ratio of") == NULL);
    const tool_result* r = tool("explain p.json --solver augmented");
    CHECK_CONTAINS(r->out, "penalty   1e+06 times");
    CHECK(strstr(r->out, "lowered") == NULL);
}

// With joints newmark's defaults are refused in one line; the numbers that it names run.
static void check_newmark(void)
{
    static const char numbers[] = "\"newmark\": {\"gamma\": 0.6, \"beta\": 0.3025}";
    static const char begin[] = "\"simulation\": {";
    static char scene[TOOL_TEXT];
    static char damped[TOOL_TEXT + 64];

    const tool_result* r = tool("run p.json --duration 0.02 --integrator newmark");
    CHECK(r->code == 2 && is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, numbers);
    read_text("p.json", scene, sizeof scene);
    char* rest = strstr(scene, begin);
    CHECK(rest != NULL);
    if (rest == NULL) return;
    *rest = '\0';
    snprintf(damped, sizeof damped, "%s%s%s, %s", scene, begin, numbers, rest + strlen(begin));
    write_text("n.json", damped);
    CHECK(tool("run n.json --duration 0.02 --integrator newmark")->code == 0);
    // the trapezoidal rule damps nothing, and gamma = 0.6 turns below 2 (0.1) / 1.1 = 0.18 rad a step
    CHECK_CONTAINS(tool("run p.json --duration 0.5 --integrator crank_nicolson")->out,
                   "turns by less than 0 rad");
    CHECK(strstr(tool("run n.json --duration 0.5 --integrator newmark")->out, "warning") == NULL);
    CHECK_CONTAINS(tool("run n.json --duration 2 --step 0.1 --integrator newmark")->out,
                   "turns by less than 0.182 rad");
    CHECK_CONTAINS(tool("run n.json --duration 0.02 --integrator newmark --json")->out,
                   "\"stable_turn\": 0.18");
}

// Every pair that the library names runs; every other is refused in one line.
static void check_pair(tml_formulation f, tml_integrator i, const char* list)
{
    const char* integrator = tml_integrator_name(i);
    char line[128];

    snprintf(line, sizeof line, "run p.json --duration 0.02 --formulation %s --integrator %s",
             tml_formulation_name(f), integrator);
    const tool_result* r = tool(line);
    if (tml_pairing_exists(f, i)) {
        // which need numbers
        CHECK(r->code == 0 || i == TML_TIME_NEWMARK || i == TML_TIME_LINEAR_MULTISTEP);
        CHECK_CONTAINS(list, integrator);
    } else {
        CHECK(r->code == 2);
        CHECK(is_one_error_line(r->err));
    }
}

TEST(list_and_run_agree_on_which_integrators_go_with_which_formulation)
{
    static char list[TOOL_TEXT];

    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    keep_text(tool("list")->out, list, sizeof list);
    for (int i = 0; i < TML_JOINT_KINDS; i++) {
        CHECK_CONTAINS(list, tml_joint_kind_name((tml_joint_kind)i));
    }
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            check_pair((tml_formulation)f, (tml_integrator)i, list);
        }
    }
    check_newmark();
}
