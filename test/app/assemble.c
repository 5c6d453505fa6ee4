// test/app/assemble.c - `trammel assemble`, `trammel ik` and `run --assemble` from the outside.
#include "test/app/tool.h"

// A slider-crank of 0.3 and 1 m whose rod misses the slider's pin by 20 mm, sideways and along.
static const char open_scene[] =
    "{\n"
    "  \"trammel\": 1, \"name\": \"open\", \"gravity\": [0, -9.81, 0],\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"crank\", \"mass\": 1, \"inertia\": [0.01, 0.01, 0.01],\n"
    "     \"position\": [0.15, 0, 0]},\n"
    "    {\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.01, 0.1, 0.1], \"position\": [0.8, 0, "
    "0]},\n"
    "    {\"name\": \"slider\", \"mass\": 1, \"inertia\": [0.01, 0.01, 0.01],\n"
    "     \"position\": [1.3, 0, 0]}],\n"
    "  \"joints\": [\n"
    "    {\"name\": \"motor\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": "
    "\"crank\",\n"
    "     \"position\": [0, 0, 0], \"axis\": [0, 0, 1], \"actuation\": \"position\",\n"
    "     \"control\": 0.5},\n"
    "    {\"name\": \"pin\", \"type\": \"spherical\", \"base\": \"crank\", \"follower\": \"rod\",\n"
    "     \"position\": [0.3, 0, 0]},\n"
    "    {\"name\": \"end\", \"type\": \"universal\", \"base\": \"slider\", \"follower\": "
    "\"rod\",\n"
    "     \"position\": [1.3, 0, 0], \"axis\": [0, 1, 0],\n"
    "     \"follower_frame\": {\"position\": [1.32, 0.02, 0], \"axis\": [0, 1, 0]}},\n"
    "    {\"name\": \"rail\", \"type\": \"prismatic\", \"base\": \"world\", \"follower\": "
    "\"slider\",\n"
    "     \"position\": [1.3, 0, 0], \"axis\": [1, 0, 0]}],\n"
    "  \"simulation\": {\"step\": 0.01, \"duration\": 0.2}\n"
    "}\n";

static const char reach_targets[] =
    "{\"targets\": [{\"body\": \"slider\", \"position\": [{\"table\": [[0, 1.2], [1, 1.15]]}, 0, "
    "0]}],\n \"duration\": 1, \"step\": 0.1}\n";

static void enter(void)
{
    enter_folder("app_assemble");
    write_text("open.json", open_scene);
    write_text("targets.json", reach_targets);
}

TEST(an_open_scene_is_refused_then_closed_then_runs)
{
    enter();
    CHECK(tool("run open.json")->code == 2);
    const tool_result* r = tool("assemble open.json closed.json");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
    CHECK_CONTAINS(r->out, "gap ");
    CHECK_CONTAINS(r->out, "written to closed.json");
    r = tool("run closed.json --json");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "max_gap") <= 1e-10);
}

TEST(assemble_tells_programs_what_it_did)
{
    int count = 0;
    enter();
    const tool_result* r = tool("assemble open.json closed.json --json");
    CHECK(r->code == 0);
    CHECK(is_json(r->out, &count));
    CHECK(json_value(r->out, "gap_before") > 0.1);  // the motor is half a radian off
    CHECK(json_value(r->out, "gap_after") <= 1e-10);
    CHECK(json_value(r->out, "moved") > 0.01);
    CHECK(json_value(r->out, "iterations") >= 2.0);
}

TEST(run_refuses_open_joints_and_says_what_closes_them)
{
    enter();
    const tool_result* r = tool("run open.json");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "open at the start");
    CHECK_CONTAINS(r->err, "'run --assemble' and 'trammel assemble' close them");
}

TEST(run_assembles_on_the_fly)
{
    enter();
    const tool_result* r = tool("run open.json --assemble --json");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "gap_before") > 0.1);
    CHECK(json_value(r->out, "gap_after") <= 1e-10);
    CHECK(json_value(r->out, "steps") == 20.0);
    r = tool("run open.json --assemble");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "assembled: gap");
}

TEST(what_cannot_be_assembled_is_exit_status_1_with_the_rows)
{
    char text[4096];
    enter();
    // a rail 2 m aside is out of reach
    snprintf(text, sizeof text, "%s", open_scene);
    char* place = strstr(text, "\"position\": [1.3, 0, 0], \"axis\": [1, 0, 0]");
    CHECK(place != NULL);
    if (place == NULL) return;
    char changed[4096];
    snprintf(changed, sizeof changed,
             "%.*s\"position\": [1.3, 0, 2], \"axis\": [1, 0, 0], \"follower_frame\": "
             "{\"position\": [1.3, 0, 0], \"axis\": [1, 0, 0]}%s",
             (int)(place - text), text,
             place + strlen("\"position\": [1.3, 0, 0], \"axis\": [1, 0, 0]"));
    write_text("far.json", changed);
    const tool_result* r = tool("assemble far.json never.json");
    CHECK(r->code == 1);
    CHECK_CONTAINS(r->err, "trammel: far.json: ");
    CHECK_CONTAINS(r->err, "still open: joint '");
    CHECK(access("never.json", F_OK) != 0);
    r = tool("run far.json --assemble --json");
    CHECK(r->code == 1);
    CHECK_CONTAINS(r->out, "\"status\": \"failed\"");
}

TEST(ik_writes_a_scene_that_repeats_the_motion)
{
    enter();
    const tool_result* r = tool("ik open.json targets.json --out moving.json --json");
    int count = 0;
    CHECK(r->code == 0);
    CHECK(is_json(r->out, &count));
    CHECK(json_value(r->out, "max_error") <= 1e-9);
    CHECK_CONTAINS(r->out, "\"joint\": \"motor\", \"axis\": \"rx\"");
    r = tool("run moving.json --out moving.csv --json");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "time") == 1.0);
    CHECK(json_value(r->out, "max_gap") <= 1e-10);

    // the slider begins at 1.2 m and ends at 1.15 m
    static char recording[1 << 20];
    read_text("moving.csv", recording, sizeof recording);
    const char* first = strchr(recording, '\n');
    CHECK(first != NULL);
    const char* last = first;
    for (const char* p = first; p != NULL && p[1] != '\0'; p = strchr(p + 1, '\n')) last = p;
    double px[2] = {0.0, 0.0};
    const char* lines[2] = {first + 1, last + 1};
    for (int i = 0; i < 2; i++) {
        const char* p = lines[i];
        // t, then 13 numbers a body; the slider is the third
        for (int comma = 0; comma < 1 + 2 * 13 && p != NULL; comma++) p = strchr(p + 1, ',');
        CHECK(p != NULL);
        if (p != NULL) px[i] = strtod(p + 1, NULL);
    }
    CHECK_NEAR(px[0], 1.2, 1e-9);
    CHECK_NEAR(px[1], 1.15, 1e-9);
    r = tool("ik open.json targets.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "motor.rx");
}

TEST(a_scene_assembled_to_standard_output_runs)
{
    static char scene[1 << 16];
    enter();
    const tool_result* r = tool("assemble open.json -");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->err, "gap ");
    keep_text(r->out, scene, sizeof scene);
    CHECK(scene[0] == '{');
    write_text("piped.json", scene);
    CHECK(tool("run piped.json")->code == 0);
}

TEST(targets_out_of_reach_are_no_success)
{
    int count = 0;
    enter();
    write_text("targets.json", "{\"targets\": [{\"body\": \"slider\", \"position\": [9, 0, 0]}]}");
    const tool_result* r = tool("ik open.json targets.json --json");
    CHECK(r->code == 1);
    CHECK(is_json(r->out, &count));
    CHECK_CONTAINS(r->out, "\"reached\": false");
    CHECK(json_value(r->out, "max_error") > 1.0);
    CHECK_CONTAINS(r->err, "out of reach");
    write_text("targets.json", reach_targets);
    CHECK_CONTAINS(tool("ik open.json targets.json --json")->out, "\"reached\": true");
}

TEST(assemble_with_targets_moves_the_control_too)
{
    enter();
    const tool_result* r = tool("assemble open.json there.json --targets targets.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "targets missed by");
    r = tool("run there.json --json");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "max_gap") <= 1e-10);
}

TEST(bad_targets_files_are_refused_by_line)
{
    static const struct {
        const char* text;
        const char* piece;
    } cases[] = {
        {"{\"targets\": [\n{\"body\": \"slide\", \"position\": [0, 0, 0]}]}",
         "did you mean 'slider'"},
        {"{\"targets\": [\n{\"body\": \"world\", \"position\": [0, 0, 0]}]}", "never moves"},
        {"{\"targets\": [\n{\"body\": \"slider\"}]}", "needs a position or an orientation"},
        {"{\"targets\": [\n{\"body\": \"slider\", \"position\": [0, 0]}]}", "a list of 3"},
        {"{\"targets\": [\n{\"body\": \"slider\", \"place\": [0, 0, 0]}]}", "place"},
        {"{\"targets\": []}", "1 to"},
        {"{\"targets\": [\n{\"body\": \"slider\", \"position\": [0, 0, 0]}], \"step\": 0}", "step"},
        {"{\"targets\": [", "targets.json:1"},
        {"[]", "must be an object"},
    };
    enter();
    for (int i = 0; i < 9; i++) {
        write_text("targets.json", cases[i].text);
        const tool_result* r = tool("ik open.json targets.json");
        CHECK(r->code == 2);
        CHECK_CONTAINS(r->err, "trammel: targets.json:");
        CHECK_CONTAINS(r->err, cases[i].piece);
    }
}
