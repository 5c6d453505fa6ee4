// test/app/optimize.c - `trammel gradient` and `trammel optimize` on the problems of examples/.
#include "test/app/tool.h"

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
