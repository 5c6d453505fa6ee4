// test/app/optimize.c - `trammel gradient` and `trammel optimize` on the problems of examples/.
#include "test/app/tool.h"

#include <sys/stat.h>

static void enter(void) { enter_folder("app_optimize"); }

TEST(the_swing_finds_its_target)
{
    enter();
    const tool_result* r = tool("optimize " TEST_SOURCE_DIR "/examples/problems/swing.json --json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
}

// The recording was made with 3 rad/s, 1.1 kg, an elbow 0.07 m higher and 0.12 N m s/rad.
TEST(a_recording_tells_what_it_was_made_with)
{
    enter();
    const tool_result* r =
        tool("optimize " TEST_SOURCE_DIR "/examples/problems/identify.json --json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    CHECK(json_value(r->out, "objective") < 1e-12);
}

// A ball a millimetre in the ground: the flag says that a shift parted them; slopes are exact, so nothing is printed.
TEST(slopes_through_a_shift_are_told)
{
    static const char scene[] =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": \"plane\"}]}, "
        "{\"name\": \"a\", \"mass\": 1, \"inertia\": [0.004, 0.004, 0.004], \"position\": [0, 0, "
        "0.099], "
        "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}], \"simulation\": {\"step\": "
        "0.005, "
        "\"duration\": 0.02, \"contact\": true}}";
    static const char problem[] =
        "{\"scene\": \"shift.scene.json\", \"variables\": [{\"parameter\": \"velocity\", \"of\": "
        "\"a\", "
        "\"component\": \"tx\"}], \"objective\": [{\"quantity\": \"position\", \"of\": \"a\", "
        "\"component\": \"x\"}]}";
    enter();
    write_text("shift.scene.json", scene);
    write_text("shift.json", problem);
    static const char* const methods[2] = {
        "--formulation generalized --integrator semi_implicit_euler",
        "--formulation quaternion --integrator bdf1"};
    for (int i = 0; i < 2; i++) {
        char words[256];
        snprintf(words, sizeof words, "gradient shift.json %s", methods[i]);
        const tool_result* r = tool(words);
        CHECK(r->code == 0);
        CHECK(strstr(r->out, "overlaps") == NULL);
        snprintf(words, sizeof words, "gradient shift.json --json %s", methods[i]);
        r = tool(words);
        CHECK_CONTAINS(r->out, "\"flag\": \"shift\", \"steps\": 1, \"first_step\": 1");
    }
}

// ---- small versions of the examples of docs/problem.md

static const tool_result* example(const char* name, const char* more)
{
    char words[512];
    snprintf(words, sizeof words,
             "optimize " TEST_SOURCE_DIR "/examples/problems/%s.json --json %s", name, more);
    return tool(words);
}

// On the ground the true slopes are zero; those that look beyond the contact lead off it.     [DCON Fig 8]
TEST(a_drone_takes_off_from_rest)
{
    enter();
    const tool_result* r = example("drone", "");
    CHECK(r->code == 0);
    CHECK_NEAR(json_value(r->out, "first"), 53.0, 1e-9);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    // the least effort for that way, found by two methods (docs/problem.md)
    CHECK(json_value(r->out, "objective") < 0.49);
    r = example("drone", "--method random --iterations 100");
    CHECK(r->code == 0);
    CHECK_NEAR(json_value(r->out, "objective"), 53.0, 1e-9);
}

TEST(the_catapult_throws_further_with_every_iteration)
{
    enter();
    const tool_result* r = example("catapult", "--iterations 6");
    if (r->code == 2 && strstr(r->err, "IPOPT") != NULL) SKIP("no IPOPT");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "objective") < 0.8 * json_value(r->out, "first"));
    CHECK_CONTAINS(r->out, "\"defect\"");
}

TEST(worm_atlas_gazelle_and_two_poles_improve)
{
    enter();
    const tool_result* r = example("jump-worm", "");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    CHECK(json_value(r->out, "objective") < 0.1 * json_value(r->out, "first"));
    r = example("atlas-jump", "--iterations 2");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "objective") < 0.8 * json_value(r->out, "first"));
    r = example("gazelle", "--iterations 2");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "objective") < 0.8 * json_value(r->out, "first"));
    r = example("double-cartpole", "--iterations 20");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "objective") < 0.5 * json_value(r->out, "first"));
}

// Slow with a sanitizer: 240 bars by the adjoint, and a chain of 1000 links.
TEST(a_sphere_is_thrown_and_a_chain_is_steered)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("TRAMMEL_TEST_LONG=1 runs it");
    enter();
    const tool_result* r = example("hoberman-2", "");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    // targets have five digits, and the slope ends at 1e-3 of curvatures of about ten
    CHECK(json_value(r->out, "objective") < 1e-6);
    r = example("chain", "");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"converged\": true");
    CHECK(json_value(r->out, "objective") < 1e-6);
}

TEST(a_search_leaves_its_history_and_its_best_run)
{
    enter();
    const tool_result* r = example("swing", "--iterations 3 --history search.csv --out best.csv");
    static char text[1 << 20];
    CHECK(r->code == 0);
    read_text("search.csv", text, sizeof text);
    CHECK_CONTAINS(text, "t,objective,gradient,seconds");
    read_text("best.csv", text, sizeof text);
    CHECK_CONTAINS(text, "lower.px");
    // 1.5 s in steps of 0.01 s: a line of names, the first state, 150 more
    int lines = 0;
    for (const char* c = text; *c != '\0'; c++) lines += *c == '\n';
    CHECK(lines == 152);
    read_text("best.scene.json", text, sizeof text);
    CHECK_CONTAINS(text, "shoulder");
}

// A job that runs out of time hears SIGTERM: the best point until then is told, and Ctrl-C and a closed terminal are no
// different. The target of a random search without end is never met.
TEST(a_search_that_is_interrupted_tells_its_best_point)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    static tool_result r;
    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    write_text(
        "endless.json",
        "{\"scene\": \"p.json\", \"duration\": 0.02, \"method\": \"random\", \"iterations\": "
        "1000000000, \"variables\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"lower\": "
        "0.1, \"upper\": 5, \"start\": 0.8}], \"objective\": [{\"quantity\": \"position\", "
        "\"of\": \"rod\", \"target\": [1, 0, -1]}]}");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        remove("endless.csv");
        const pid_t child =
            start_program(TOOL, "optimize endless.json --json --history endless.csv",
                          (streams){"/dev/null", "out.txt"});
        struct stat info = {0};
        for (int k = 0; k < 1000 && info.st_size < 100; k++) {
            const struct timespec moment = {0, 10000000};
            nanosleep(&moment, NULL);
            if (stat("endless.csv", &info) != 0) info.st_size = 0;
        }
        CHECK(info.st_size >= 100);
        kill(child, signals[i]);
        finish_program(child, &r);
        CHECK(r.code == 130);
        CHECK_TEXT(r.err, "");
        CHECK_CONTAINS(r.out, "\"status\": \"interrupted\"");
        CHECK(json_value(r.out, "objective") <= json_value(r.out, "first"));
    }
}

TEST(a_built_in_scene_is_named_by_its_name)
{
    enter();
    const tool_result* r = tool("run scene:four-bar --duration 0.02");
    CHECK(r->code == 0);
    r = tool("run scene:five-bar");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "'five-bar'");
}

TEST(a_gradient_is_printed_for_every_knot)
{
    enter();
    const tool_result* r = tool("gradient " TEST_SOURCE_DIR "/examples/problems/swing.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "objective ");
    CHECK_CONTAINS(r->out, "control of rx of joint 'shoulder', knot 15");
}

TEST(what_is_wrong_with_a_problem_is_told_with_its_line)
{
    enter();
    write_text("bad.json", "{\n  \"scene\": \"s.json\",\n  \"variable\": []\n}\n");
    const tool_result* r = tool("optimize bad.json");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "bad.json:3");
    CHECK_CONTAINS(r->err, "variable");
}

// The scene of the swing beside the test, the text of its problem to be changed.
static void take_swing(char* text, size_t capacity)
{
    read_text(TEST_SOURCE_DIR "/examples/problems/swing.scene.json", text, capacity);
    write_text("swing.scene.json", text);
    read_text(TEST_SOURCE_DIR "/examples/problems/swing.json", text, capacity);
}

TEST(memory_bounds_a_run_and_not_its_bits)
{
    enter();
    static char text[1 << 16];
    static char whole[1 << 16];
    take_swing(text, sizeof text);
    // longer, so that a megabyte does not hold it
    char* rest = strstr(text, "\"variables\"");
    CHECK(rest != NULL);
    if (rest == NULL) return;
    snprintf(whole, sizeof whole, "{ \"scene\": \"swing.scene.json\", \"duration\": 6, %s", rest);
    write_text("long.json", whole);
    snprintf(whole, sizeof whole,
             "{ \"scene\": \"swing.scene.json\", \"duration\": 6, \"memory\": 1, %s", rest);
    write_text("small.json", whole);
    const tool_result* r = tool("gradient long.json");
    CHECK(r->code == 0);
    snprintf(whole, sizeof whole, "%.60000s", r->out);
    r = tool("gradient small.json");
    CHECK(r->code == 0);
    CHECK(strcmp(whole, r->out) == 0);
}

TEST(impossible_memory_and_polish_are_refused)
{
    enter();
    static char text[1 << 16];
    static char whole[1 << 16];
    take_swing(text, sizeof text);
    const char* rest = strchr(text, '{');
    CHECK(rest != NULL);
    if (rest == NULL) return;
    static const char* const wrong[][2] = {
        {"\"memory\": 0", "memory"}, {"\"memory\": 1e30", "memory"}, {"\"polish\": -1", "polish"}};
    for (int i = 0; i < 3; i++) {
        snprintf(whole, sizeof whole, "{ %s, %s", wrong[i][0], rest + 1);
        write_text("wrong.json", whole);
        const tool_result* r = tool("optimize wrong.json");
        CHECK(r->code == 2);
        CHECK_CONTAINS(r->err, wrong[i][1]);
        CHECK_CONTAINS(r->err, "wrong.json:1");
    }
}

TEST(an_unknown_method_is_told_which_there_are)
{
    enter();
    const tool_result* r =
        tool("optimize " TEST_SOURCE_DIR "/examples/problems/swing.json --method simplex");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "'simplex'");
    CHECK_CONTAINS(r->err, "shooting");
    CHECK_CONTAINS(r->err, "nlopt_slsqp");
}
