// test/app/statics.c - `trammel statics` as a shell meets it.
#include "test/app/tool.h"

static void enter(void) { enter_folder("app_statics"); }

TEST(the_pendulum_hangs_with_its_weight_on_the_pin)
{
    enter();
    CHECK(tool("scene pendulum --out s.json")->code == 0);
    const tool_result* r = tool("statics s.json --json --out rest.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"stable\"");
    CHECK_NEAR(json_value(r->out, "freedoms"), 1.0, 0.0);
    CHECK_NEAR(json_value(r->out, "softest"), 1.5 * 9.81, 1e-9);  // 3 g / 2 l of a rod of 1 m
    // what was written is at rest: nothing to do, no further to go
    const tool_result* again = tool("statics rest.json --json");
    CHECK(again->code == 0);
    CHECK(json_value(again->out, "moved") < 1e-9);
    CHECK_CONTAINS(tool("statics s.json")->out, "stable equilibrium");
}

TEST(what_falls_for_ever_is_an_answer_with_exit_status_1)
{
    enter();
    CHECK(tool("scene t-handle --out s.json")->code == 0);
    write_text("stone.json", "{\"trammel\": 1, \"bodies\": [{\"name\": \"stone\", \"mass\": 1, "
                             "\"inertia\": [1, 1, 1]}]}");
    const tool_result* r = tool("statics stone.json --json");
    CHECK(r->code == 1);
    CHECK_CONTAINS(r->err, "'stone' still accelerates");
    CHECK_CONTAINS(r->out, "\"failed\"");
    CHECK(tool("statics stone.json --load-steps 0")->code == 2);
    CHECK(tool("statics missing.json")->code == 2);
}
