// test/app/usage.c - how the tool answers to words: help, exit codes, options that are wrong.
#include "test/app/tool.h"

static const char pendulum[] =
    "{\"trammel\": 1, \"name\": \"p\",\n"
    " \"bodies\": [{\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.01, 0.1, 0.1],\n"
    "              \"position\": [0.5, 0, 0]}],\n"
    " \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\",\n"
    "              \"follower\": \"rod\", \"position\": [0, 0, 0], \"axis\": [0, 1, 0]}]}\n";

static void enter(void)
{
    enter_folder("app_usage");
    write_text("p.json", pendulum);
}

TEST(version_is_one_line)
{
    enter();
    const tool_result* r = tool("--version");
    CHECK(r->code == 0);
    CHECK(strncmp(r->out, "trammel ", 8) == 0);
    CHECK(count_lines(r->out) == 1);
}

TEST(help_names_every_command_and_says_nothing_on_stderr)
{
    static const char* const lines[] = {"", "help", "--help", "-h"};

    enter();
    for (int i = 0; i < 4; i++) {
        const tool_result* r = tool(lines[i]);
        CHECK(r->code == (i == 0 ? 2 : 0));  // a command that was forgotten is bad usage
        CHECK_TEXT(r->err, "");
        CHECK_CONTAINS(r->out, "run SCENE");
        CHECK_CONTAINS(r->out, "info SCENE");
        CHECK_CONTAINS(r->out, "explain SCENE");
        CHECK_CONTAINS(r->out, "scene NAME");
        CHECK_CONTAINS(r->out, "list");
        CHECK_CONTAINS(r->out, "gradient PROBLEM");
        CHECK_CONTAINS(r->out, "optimize PROBLEM");
        CHECK(strstr(r->out, "reproduce") == NULL);  // promised later, so not offered now
    }
}

TEST(each_command_explains_itself_in_two_ways)
{
    static const char* const commands[] = {"run",  "info",     "explain", "scene",
                                           "list", "gradient", "optimize"};

    enter();
    for (int i = 0; i < 7; i++) {
        char line[64];
        char first[8192];
        snprintf(line, sizeof line, "help %s", commands[i]);
        const tool_result* r = tool(line);
        CHECK(r->code == 0);
        CHECK_CONTAINS(r->out, commands[i]);
        keep_text(r->out, first, sizeof first);
        snprintf(line, sizeof line, "%s --help", commands[i]);
        r = tool(line);
        CHECK(r->code == 0);
        CHECK_TEXT(r->out, first);
    }
    CHECK_CONTAINS(tool("help run")->out, "--tolerance");
}

TEST(commands_of_later_versions_say_so)
{
    static const char* const later[] = {"reproduce"};

    enter();
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        const tool_result* r = tool(later[i]);
        CHECK(r->code == 2);
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, later[i]);
        CHECK_CONTAINS(r->err, "not part of version");
        CHECK_TEXT(r->out, "");
    }
}

// What is typed, and a piece of the one line that must answer it with exit status 2.
typedef struct refusal {
    const char* line;
    const char* piece;
} refusal;

static const refusal refusals[] = {
    {"rum p.json", "did you mean 'run'?"},
    {"qqqqqq", "unknown command 'qqqqqq'"},
    {"help rum", "did you mean 'run'?"},
    {"run", "SCENE, which is missing"},
    {"run p.json q.json", "'run' takes SCENE"},
    {"run p.json --stp 0.1", "unknown option '--stp'; did you mean '--step'?"},
    {"run p.json --stp=0.1", "unknown option '--stp'; did you mean '--step'?"},
    {"run p.json -s 0.1", "unknown option '-s'"},
    {"run p.json --step", "--step needs a value, SECONDS"},
    {"run p.json --step=", "--step needs a number"},
    {"run p.json --step fast", "--step needs a number, not 'fast'"},
    {"run p.json --step 0.01s", "--step needs a number, not '0.01s'"},
    {"run p.json --step 0,01", "--step needs a number, not '0,01'"},
    {"run p.json --step 0x1p-4", "--step needs a number"},
    {"run p.json --step nan", "--step needs a number"},
    {"run p.json --step inf", "--step needs a number"},
    {"run p.json --step 1e400", "--step must be between"},
    {"run p.json --step 0", "--step must be between"},
    {"run p.json --step -0.01", "--step must be between"},
    {"run p.json --duration -1", "--duration must be between"},
    {"run p.json --duration 1e12 --step 1e-9", "too many steps"},
    {"run p.json --tolerance 0", "--tolerance must be between"},
    {"run p.json --threads 0", "--threads must be between"},
    {"run p.json --threads 1.5", "--threads must be a whole number"},
    {"run p.json --every 0", "--every must be between"},
    {"run p.json --json=yes", "--json takes no value"},
    {"run p.json --formulation quaternions", "did you mean 'quaternion'?"},
    {"run p.json --integrator bdf7", "--integrator: unknown name 'bdf7'"},
    {"run p.json --solver magic", "--solver: unknown name 'magic'"},
    {"run p.json --record pose,speed", "speed"},
    {"assemble p.json - --json", "do not go together"},
    {"ik p.json targets.json --out -", "name a file for the scene"},
    {"assemble p.json", "IN OUT, which is missing"},
    {"ik p.json nowhere.json", "nowhere.json"},
    {"run p.json --out p.xyz", "p.xyz"},
    {"run p.json --out no/such/folder/p.csv", "no/such/folder/p.csv"},
    {"run nowhere.json", "nowhere.json"},
    {"run .", "trammel: .:"},
    {"info", "SCENE, which is missing"},
    {"info nowhere.json", "nowhere.json"},
    {"explain nowhere.json", "nowhere.json"},
    {"explain p.json --integrator forward_euler", "p.json: "},
    {"scene", "takes the name"},
    {"scene pendulm", "did you mean 'pendulum'?"},
    {"scene pendulum --out no/such/folder/p.json", "no/such/folder/p.json"},
    {"run double-pendulum", "'trammel scene double-pendulum' prints"},
    {"list everything", "takes no argument"},
};

TEST(what_is_wrong_is_one_line_and_exit_status_2)
{
    enter();
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const tool_result* r = tool(refusals[i].line);
        if (r->code != 2 || !is_one_error_line(r->err)) {
            printf("trammel %s: exit %d, \"%s\"\n", refusals[i].line, r->code, r->err);
        }
        CHECK(r->code == 2);
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, refusals[i].piece);
        CHECK_TEXT(r->out, "");
    }
}

TEST(values_may_follow_an_equals_sign_and_dashes_end_options)
{
    enter();
    CHECK(tool("run p.json --step=0.02 --duration=.1 --json")->code == 0);
    CHECK_NEAR(json_value(tool("run --json --duration 1e-1 --step 2E-2 -- p.json")->out, "steps"),
               5.0, 0.0);
}

TEST(a_full_disc_is_reported)
{
    enter();
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full");
    const tool_result* r = answer_of(TOOL, "list", (streams){"/dev/null", "/dev/full"});
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "trammel: standard output: ");
}
