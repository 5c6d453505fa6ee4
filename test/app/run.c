// test/app/run.c - `trammel run` from the outside: summaries, recordings, failures, Ctrl-C.
#include "test/app/tool.h"

#include <trammel/trammel.h>

// The scene of the contract: a rod of 1 kg on a hinge.
static const char pendulum[] =
    "{\n"
    "  \"trammel\": 1,\n"
    "  \"name\": \"pendulum\",\n"
    "  \"bodies\": [{\"name\": \"rod\", \"mass\": 1.0, \"inertia\": [0.01, 0.083, 0.083],\n"
    "               \"position\": [0.5, 0, 0]}],\n"
    "  \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\",\n"
    "               \"follower\": \"rod\", \"position\": [0, 0, 0], \"axis\": [0, 1, 0]}],\n"
    "  \"simulation\": {\"step\": 0.01, \"duration\": 1}\n"
    "}\n";

static void enter(void)
{
    enter_folder("app_run");
    write_text("p.json", pendulum);
}

TEST(json_summary_holds_the_keys_of_the_contract)
{
    static const char* const numbers[] = {
        "steps",       "time",        "wall_seconds",      "newton_iterations",
        "substeps",    "max_gap",     "energy_initial",    "energy_final",
        "energy_rise", "energy_work", "energy_unexplained"};
    int count = 0;

    enter();
    const tool_result* r = tool("run p.json --json");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");
    CHECK(is_json(r->out, &count));
    CHECK(count == 21);
    for (int i = 0; i < 11; i++) CHECK(isfinite(json_value(r->out, numbers[i])));
    CHECK_CONTAINS(r->out, "\"status\": \"ok\"");
    CHECK_CONTAINS(r->out, "\"formulation\": \"quaternion\"");
    CHECK_CONTAINS(r->out, "\"integrator\": \"bdf2\"");
    CHECK_CONTAINS(r->out, "\"solver\": \"");
    CHECK_NEAR(json_value(r->out, "steps"), 100.0, 0.0);
    CHECK_NEAR(json_value(r->out, "time"), 1.0, 1e-12);  // a hundred roundings
    CHECK(json_value(r->out, "max_gap") <= 1e-10);       // the tolerance
    CHECK(json_value(r->out, "newton_iterations") >= 100.0);
    CHECK_NEAR(json_value(r->out, "energy_initial"), 0.0, 1e-15);
    // the rod has passed its lowest point; BDF2 loses a little of the 4.9 J that were exchanged
    CHECK_NEAR(json_value(r->out, "energy_final"), 0.0, 0.02);
}

TEST(human_summary_says_what_happened)
{
    enter();
    const tool_result* r = tool("run p.json");
    CHECK(r->code == 0);
    CHECK_TEXT(r->err, "");  // no progress bar where there is no terminal
    CHECK_CONTAINS(r->out, "pendulum: 1 body, 1 joint, 5 rows");
    CHECK_CONTAINS(r->out, "quaternion, bdf2");
    CHECK_CONTAINS(r->out, "100 steps, 1 s simulated");
    CHECK_CONTAINS(r->out, "Newton iterations a step");
    CHECK_CONTAINS(r->out, "largest gap");
    CHECK(strstr(r->out, "initial velocities") == NULL);
    CHECK(strstr(r->out, "restart") == NULL);
}

// A ball falls to the ground and stays there: no joint, so no limit alone may be blamed.
TEST(a_contact_that_restarts_the_formula_is_named)
{
    enter();
    write_text(
        "ball.json",
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": "
        "\"plane\"}]}, {\"name\": \"ball\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], "
        "\"position\": [0, 0, 0.3], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}], "
        "\"simulation\": {\"contact\": true, \"duration\": 1}}");
    const tool_result* r = tool("run ball.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "1 restart of the time formula, where a limit or a contact engaged");
}

TEST(a_duration_takes_as_many_steps_as_reach_it)
{
    enter();
    CHECK_NEAR(json_value(tool("run p.json --json --duration 0.3 --step 0.1")->out, "steps"), 3.0,
               0.0);
    CHECK_NEAR(json_value(tool("run p.json --json --duration 0.31 --step 0.1")->out, "steps"), 4.0,
               0.0);
    CHECK_NEAR(json_value(tool("run p.json --json --duration 0")->out, "steps"), 0.0, 0.0);
}

TEST(a_scene_comes_from_standard_input)
{
    enter();
    const tool_result* r = tool_reading("p.json", "run - --json --duration 0.05");
    CHECK(r->code == 0);
    CHECK_NEAR(json_value(r->out, "steps"), 5.0, 0.0);
    CHECK(tool_reading("p.json", "info -")->code == 0);
    CHECK(tool_reading("p.json", "explain -")->code == 0);
    r = tool_reading("/dev/null", "run -");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "trammel: standard input:1");
}

TEST(overrides_reach_the_simulation_and_the_scene_beside_the_recording)
{
    char text[8192];

    enter();
    const tool_result* r =
        tool("run p.json --json --integrator bdf3 --step 0.02 --duration 0.1 --tolerance 1e-9 "
             "--solver dense --out over.csv");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"integrator\": \"bdf3\"");
    CHECK_CONTAINS(r->out, "\"solver\": \"dense\"");
    CHECK_NEAR(json_value(r->out, "steps"), 5.0, 0.0);
    read_text("over.scene.json", text, sizeof text);
    CHECK_CONTAINS(text, "\"bdf3\"");
    CHECK_NEAR(json_value(text, "step"), 0.02, 0.0);
    CHECK_NEAR(json_value(text, "tolerance"), 1e-9, 0.0);
    // and the scene beside it repeats the run, bit for bit
    CHECK(tool("run over.scene.json --json --out again.csv")->code == 0);
    CHECK(is_same_text("over.csv", "again.csv"));
}

TEST(a_formulation_brings_its_integrator_where_the_scene_names_none)
{
    enter();
    const tool_result* r = tool("run p.json --json --formulation quaternion --duration 0.05");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "\"integrator\": \"bdf2\"");
}

TEST(recording_has_the_columns_of_the_contract)
{
    enter();
    CHECK(tool("run p.json --duration 0.05 --out a.csv")->code == 0);
    const csv* c = read_csv("a.csv");
    CHECK_TEXT(c->header, "t,rod.px,rod.py,rod.pz,rod.qw,rod.qx,rod.qy,rod.qz,"
                          "rod.vx,rod.vy,rod.vz,rod.wx,rod.wy,rod.wz\n");
    CHECK(c->is_regular);
    CHECK(c->rows == 6);  // the initial state first
    CHECK_NEAR(csv_first(c, "t"), 0.0, 0.0);
    CHECK_NEAR(csv_first(c, "rod.px"), 0.5, 0.0);
    CHECK_NEAR(csv_last(c, "t"), 0.05, 1e-15);
    CHECK(csv_last(c, "rod.pz") < 0.0);

    CHECK(tool("run p.json --duration 0.05 --out b.csv --record joints,energy,gap")->code == 0);
    c = read_csv("b.csv");
    CHECK_TEXT(c->header, "t,pin.fx,pin.fy,pin.fz,pin.mx,pin.my,pin.mz,pin.rx,pin.rx.rate,"
                          "energy.kinetic,energy.potential,energy.total,gap\n");
    CHECK(c->is_regular);
    CHECK_NEAR(csv_first(c, "pin.rx"), 0.0, 0.0);
    CHECK_NEAR(csv_last(c, "energy.total"),
               csv_last(c, "energy.kinetic") + csv_last(c, "energy.potential"), 1e-15);
}

TEST(every_records_every_nth_step_and_the_last)
{
    enter();
    const tool_result* r = tool("run p.json --duration 0.1 --every 4 --out e.csv");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "recorded 4 states in e.csv, the scene in e.scene.json");
    const csv* c = read_csv("e.csv");
    CHECK(c->rows == 4);  // 0, 4, 8 and the last, 10
    CHECK_NEAR(csv_last(c, "t"), 0.1, 1e-15);
    CHECK(tool("run p.json --duration 0.08 --every 4 --out e.csv")->code == 0);
    CHECK(read_csv("e.csv")->rows == 3);  // the last is not written twice
}

TEST(a_recording_never_overwrites_the_scene_it_reads)
{
    char before[8192];
    char after[8192];

    enter();
    write_text("own.scene.json", pendulum);
    read_text("own.scene.json", before, sizeof before);
    const tool_result* r = tool("run own.scene.json --duration 0.05 --out own.csv");
    CHECK(r->code == 2);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "would overwrite");
    read_text("own.scene.json", after, sizeof after);
    CHECK_TEXT(after, before);
}

TEST(initial_velocities_that_contradict_joints_are_named)
{
    enter();
    write_text("v.json", "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": 1,"
                         "\"inertia\": [0.01, 0.1, 0.1], \"position\": [0.5, 0, 0],"
                         "\"velocity\": [3, 0, 0]}], \"joints\": [{\"type\": \"revolute\","
                         "\"base\": \"world\", \"follower\": \"rod\", \"axis\": [0, 1, 0]}]}");
    const tool_result* r = tool("run v.json --duration 0.1");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "initial velocities changed by up to 3 ");
}

// ---- what cannot go on

// Two targets a step apart that no time step this long can follow: the rod must turn by pi, but
// Newton may take a single iteration.
static const char impatient[] =
    "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": 1,"
    "\"inertia\": [0.01, 0.1, 0.1], \"position\": [0.5, 0, 0]}],"
    "\"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\","
    "\"follower\": \"rod\", \"axis\": [0, 1, 0], \"actuation\": \"position\","
    "\"control\": {\"table\": [[0, 0], [1, 0], [1.001, 3]], \"interpolation\": \"linear\"}}],"
    "\"simulation\": {\"step\": 0.1, \"duration\": 5, \"max_iterations\": 2}}";

TEST(a_failed_step_is_exit_status_1_and_keeps_the_recording)
{
    int count = 0;

    enter();
    write_text("i.json", impatient);
    const tool_result* r = tool("run i.json --json --out i.csv");
    CHECK(r->code == 1);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "trammel: i.json: step 11 at t = 1 s: ");
    CHECK(is_json(r->out, &count));
    CHECK_CONTAINS(r->out, "\"status\": \"failed\"");
    CHECK_CONTAINS(r->out, "\"message\": \"step 11 at t = 1 s: ");
    CHECK_NEAR(json_value(r->out, "steps"), 10.0, 0.0);
    const csv* c = read_csv("i.csv");
    CHECK(c->is_regular);
    CHECK(c->rows == 11);
}

static void wait_seconds(double seconds)
{
    const struct timespec pause = {(time_t)seconds,
                                   (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&pause, NULL);
}

// Interrupt a run that would take hours once it has recorded something.
static void interrupt_run(int signal_number)
{
    static tool_result r;
    struct stat info = {0};

    enter();
    remove("long.csv");
    const pid_t child =
        start_program(TOOL, "run p.json --json --duration 5e4 --step 1e-3 --out long.csv",
                      (streams){"/dev/null", "out.txt"});
    for (int i = 0; i < 1000 && info.st_size < 100000; i++) {
        wait_seconds(0.01);
        if (stat("long.csv", &info) != 0) info.st_size = 0;
    }
    CHECK(info.st_size >= 100000);
    kill(child, signal_number);
    finish_program(child, &r);
    CHECK(r.code == 130);
    CHECK_TEXT(r.err, "");
    CHECK_CONTAINS(r.out, "\"status\": \"interrupted\"");
    const csv* c = read_csv("long.csv");
    CHECK(c->is_regular);
    CHECK_NEAR(c->rows, json_value(r.out, "steps") + 1.0, 0.0);
    CHECK_NEAR(csv_last(c, "t"), json_value(r.out, "time"), 0.0);
    remove("long.csv");
}

TEST(ctrl_c_ends_after_the_current_step_with_a_valid_recording) { interrupt_run(SIGINT); }

TEST(a_request_to_terminate_does_the_same) { interrupt_run(SIGTERM); }

TEST(a_terminal_that_closes_does_the_same) { interrupt_run(SIGHUP); }

TEST(a_run_under_nohup_goes_on_when_the_terminal_closes)
{
    static tool_result r;
    enter();
    signal(SIGHUP, SIG_IGN);
    const pid_t child = start_program(TOOL, "run p.json --json --duration 1500 --out nohup.csv",
                                      (streams){"/dev/null", "out.txt"});
    signal(SIGHUP, SIG_DFL);
    wait_seconds(0.1);
    kill(child, SIGHUP);
    finish_program(child, &r);
    CHECK(r.code == 0);
    CHECK_CONTAINS(r.out, "\"status\": \"ok\"");
    remove("nohup.csv");
}

// ---- killed

static long size_of(const char* path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

// Wait, at most a minute, until a file has grown `times` times.
static int has_grown(const char* path, int times)
{
    const struct timespec moment = {0, 20000000};
    long seen = size_of(path);
    for (int i = 0; i < 3000 && times > 0; i++) {
        nanosleep(&moment, NULL);
        if (size_of(path) > seen) times--;
        seen = size_of(path);
    }
    return times == 0;
}

TEST(a_killed_run_leaves_every_state_that_reached_the_file)
{
    tool_result r;
    char why[400];
    char line[200];
    tml_recording* killed = NULL;
    tml_recording* whole = NULL;

    enter();
    remove("killed.csv");
    const pid_t child = start_program(TOOL, "run p.json --duration 1e6 --every 50 --out killed.csv",
                                      (streams){"/dev/null", "out.txt"});
    CHECK(has_grown("killed.csv", 3));
    kill(child, SIGKILL);
    finish_program(child, &r);
    CHECK(r.code == -1);
    CHECK(tml_recording_read_file("killed.csv", why, sizeof why, &killed) == TML_OK);
    if (killed == NULL) return;
    const int rows = tml_recording_row_count(killed);
    CHECK(rows >= 2);

    // the same bits as a run that ends by itself there
    const double end = tml_recording_column(killed, 0)[rows - 1];
    snprintf(line, sizeof line, "run p.json --duration %.17g --every 50 --out whole.csv", end);
    CHECK(tool(line)->code == 0);
    CHECK(tml_recording_read_file("whole.csv", why, sizeof why, &whole) == TML_OK);
    if (whole == NULL) return;
    CHECK(tml_recording_row_count(whole) == rows);
    for (int i = 0; i < tml_recording_column_count(killed); i++) {
        CHECK(memcmp(tml_recording_column(killed, i), tml_recording_column(whole, i),
                     (size_t)rows * sizeof(double)) == 0);
    }
    tml_recording_destroy(killed);
    tml_recording_destroy(whole);
    // and the scene beside it is whole, so it can be looked at
    CHECK(tool("report killed.csv --out killed.html")->code == 0);
}

// Files that are written in one piece: the one that is there is always whole.
TEST(a_killed_run_leaves_a_whole_archive_and_a_whole_animation)
{
    tool_result r;
    char why[400];
    tml_recording* killed = NULL;

    enter();
    remove("killed.npz");
    remove("killed.glb");
    for (int k = 0; k < 2; k++) {
        const char* path = k == 0 ? "killed.npz" : "killed.glb";
        const pid_t child =
            start_program(TOOL,
                          k == 0 ? "run p.json --duration 1e6 --every 50 --out killed.npz"
                                 : "run p.json --duration 1e6 --every 50 --out killed.glb",
                          (streams){"/dev/null", "out.txt"});
        CHECK(has_grown(path, 3));
        kill(child, SIGKILL);
        finish_program(child, &r);
        CHECK(r.code == -1);
    }
    CHECK(tml_recording_read_file("killed.npz", why, sizeof why, &killed) == TML_OK);
    if (killed == NULL) return;
    // the third time there is more than the first state
    CHECK(tml_recording_row_count(killed) > 2);
    tml_recording_destroy(killed);
    // an animation says its length in its bytes 8 to 11
    FILE* file = fopen("killed.glb", "rb");
    unsigned char head[12] = {0};
    CHECK(file != NULL && fread(head, 1, 12, file) == 12 && memcmp(head, "glTF", 4) == 0);
    if (file != NULL) fclose(file);
    const long length = head[8] | (long)head[9] << 8 | (long)head[10] << 16 | (long)head[11] << 24;
    CHECK(length == size_of("killed.glb"));
    remove("killed.npz.part");
    remove("killed.glb.part");
}

// ---- broken scenes

typedef struct broken {
    const char* text;
    const char* piece;  // of the one line that answers it
} broken;

#define BALL "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}]"

static const broken broken_scenes[] = {
    {"", "b.json:1"},
    {"{", "b.json:1"},
    {"[]", "b.json:1"},
    {"{\"trammel\": 2, " BALL "}", "b.json:1"},
    {"{\"trammel\": 1,\n \"bodys\": []}", "b.json:2"},
    {"{\"trammel\": 1,\n\n \"bodies\": [{\"name\": \"a\", \"masss\": 1}]}", "b.json:3"},
    {"{\"trammel\": 1, " BALL ",\n \"simulation\": {\"step\": 0}}", "b.json:2"},
    {"{\"trammel\": 1, " BALL ",\n \"simulation\": {\"formulation\": \"x\"}}", "b.json:2"},
    {"{\"trammel\": 1, " BALL ",\n \"joints\": [{\"type\": \"revolute\", \"base\": \"world\","
     " \"follower\": \"nobody\"}]}",
     "nobody"},
};

TEST(broken_scenes_are_one_line_with_file_and_line)
{
    enter();
    for (size_t i = 0; i < sizeof broken_scenes / sizeof broken_scenes[0]; i++) {
        write_text("b.json", broken_scenes[i].text);
        const tool_result* r = tool("run b.json");
        CHECK(r->code == 2);
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, broken_scenes[i].piece);
        CHECK_TEXT(r->out, "");
    }
}

TEST(open_joints_are_refused_by_run_and_listed_by_info)
{
    enter();
    remove("open.csv");
    write_text("open.json",
               "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": 1,"
               "\"inertia\": [0.01, 0.1, 0.1], \"position\": [0.5, 0, 0]}],"
               "\"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\","
               "\"follower\": \"rod\", \"axis\": [0, 1, 0],"
               "\"follower_frame\": {\"position\": [0, 0.25, 0], \"axis\": [0, 1, 0]}}]}");
    const tool_result* r = tool("run open.json --out open.csv");
    CHECK(r->code == 2);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "open.json: ");
    CHECK_CONTAINS(r->err, "pin");
    CHECK(access("open.csv", F_OK) != 0);  // nothing is written for a run that cannot start
    r = tool("info open.json");
    CHECK(r->code == 0);
    CHECK_CONTAINS(r->out, "pin: 0.25 m, 0 rad");
}
