// test/app/compare.c - `trammel compare`.
#include "test/app/tool.h"

static void enter(void) { enter_folder("app_compare"); }

TEST(formulations_come_closer_as_the_step_shrinks)
{
    enter();
    CHECK(tool("scene double-pendulum --out s.json")->code == 0);
    double apart[2];
    for (int k = 0; k < 2; k++) {
        char line[200];
        snprintf(line, sizeof line,
                 "compare s.json --formulations quaternion,variational --duration 0.2 --step %g "
                 "--json",
                 k == 0 ? 0.002 : 0.001);
        const tool_result* r = tool(line);
        CHECK(r->code == 0);
        CHECK_CONTAINS(r->out, "\"status\": \"ok\"");
        CHECK_CONTAINS(r->out, "\"body\": \"lower\"");
        // the first run is not apart from itself; the second number of its kind is the other run's
        const char* second = strstr(r->out, "\"integrator\": \"variational\"");
        CHECK(second != NULL);
        apart[k] = second != NULL ? strtod(strstr(second, "\"distance\": ") + 12, NULL) : 0.0;
    }
    CHECK(apart[1] > 0.0);
    CHECK(apart[0] / apart[1] > 3.5 && apart[0] / apart[1] < 4.5);  // both are of order 2
}

TEST(text_names_runs_and_bodies)
{
    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    const tool_result* r =
        tool("compare p.json --duration 0.1 --integrators bdf1,bdf2,variational");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "bdf1");
    CHECK_CONTAINS(r->out, "variational");
    CHECK_CONTAINS(r->out, "largest difference of 2 from 1");
    CHECK_CONTAINS(r->out, "rad");
}

TEST(what_cannot_be_compared_is_said)
{
    enter();
    CHECK(tool("scene flap --out f.json")->code == 0);
    CHECK(tool("compare f.json --formulations quaternion,quaternions")->code == 2);
    CHECK_CONTAINS(tool("compare f.json --formulations quaternion,quaternions")->err,
                   "unknown name 'quaternions'");
    const tool_result* one = tool("compare f.json --formulations quaternion");
    CHECK(one->code == 2);
    CHECK_CONTAINS(one->err, "needs two");
    const tool_result* heun =
        tool("compare f.json --formulations quaternion,variational --integrators bdf2,heun");
    CHECK(heun->code == 2);
    CHECK_CONTAINS(heun->err, "heun");
    CHECK(tool("compare nothing.json")->code == 2);
}

TEST(a_run_that_fails_is_named_and_the_exit_code_says_so)
{
    enter();
    CHECK(tool("scene t-handle --out t.json")->code == 0);
    const tool_result* r =
        tool("compare t.json --formulations quaternion,variational --step 1000 --duration 2000");
    CHECK(r->code == 1);
    CHECK_CONTAINS(r->err, "variational");
    CHECK_CONTAINS(r->err, "turns by");
}
