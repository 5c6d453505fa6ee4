// One allocation of a command fails, whichever, or every Nth one: the command does its work all the same, or says so and leaves
// no half of a file.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own; setenv
#include "test/app/tool.h"

#include <trammel/recording.h>

#define PRELOAD TEST_BINARY_DIR "/libtrammel_starve.so"

typedef struct order {
    const char* line;
    const char* out;  // what it writes; NULL: nothing
    int is_recording;
} order;

static const order orders[] = {
    {"convert robot.xml out.json", "out.json", 0},
    {"convert robot.urdf out.xml", "out.xml", 0},
    {"convert model.sdf out.json", "out.json", 0},
    {"convert p.json out.json", "out.json", 0},
    {"info robot.xml", NULL, 0},
    {"info loop.json --json", NULL, 0},
    {"explain p.json", NULL, 0},
    {"list", NULL, 0},
    {"scene pendulum --out out.json", "out.json", 0},
    {"run p.json --duration 0.05", NULL, 0},
    {"run p.json --duration 0.05 --formulation affine --json", NULL, 0},
    {"run p.json --duration 0.05 --formulation generalized", NULL, 0},
    {"run p.json --duration 0.05 --formulation variational", NULL, 0},
    {"run fall.json --duration 0.1 --out out.csv --record pose,contacts,joints", "out.csv", 1},
    {"run fall.json --duration 0.1 --out out.npz --record pose,contacts,joints", "out.npz", 1},
    {"run p.json --duration 0.05 --out out.glb", "out.glb", 1},
    {"run p.json --duration 0.05 --out out.mcap", "out.mcap", 1},
    {"statics p.json --json", NULL, 0},
    {"compare p.json --duration 0.02", NULL, 0},
    {"assemble loop.json out.json", "out.json", 0},
    {"ik p.json targets.json --out out.json", "out.json", 0},
    {"plot kept.csv --out out.svg", "out.svg", 0},
    {"plot kept.npz --out out.png", "out.png", 0},
    {"report kept.csv --out out.html", "out.html", 0},
    {"gradient problem.json", NULL, 0},
    {"optimize problem.json --json", NULL, 0},
    {"sweep p.json sweep.json --out out.npz --threads 1", "out.npz", 0},
    {"sweep p.json sweep.json --row 1 --out out.csv", "out.csv", 1},
    {"report swept.npz --out out.html", "out.html", 0},
    {"export p.json out.fmu", "out.fmu", 0},
};
enum {
    ORDERS = sizeof orders / sizeof *orders,
    USUAL = 12,  // injections of a command where no time is given for all
    WHOLE = 1000,
};

#if CHECK_IS_SANITIZED || !defined(__GLIBC__)
#define CAN_STARVE 0
#else
#define CAN_STARVE 1
#endif

static void copy(const char* from, const char* to)
{
    static char text[1 << 18];
    read_text(from, text, sizeof text);
    CHECK(text[0] != '\0');
    write_text(to, text);
}

static void enter(void)
{
    enter_folder("app_starve");
    copy(TEST_SOURCE_DIR "/fuzz/corpus/mjcf/joints.xml", "robot.xml");
    copy(TEST_SOURCE_DIR "/fuzz/corpus/urdf/robot.urdf", "robot.urdf");
    copy(TEST_SOURCE_DIR "/fuzz/corpus/sdf/model.sdf", "model.sdf");
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    CHECK(tool("scene four-bar --out loop.json")->code == 0);
    write_text("fall.json",
               "{\"trammel\": 1, \"bodies\": [{\"name\": \"world\", \"shapes\": [{\"type\": "
               "\"plane\"}]}, {\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": "
               "[0, 0, 0.1], \"shapes\": [{\"type\": \"box\", \"size\": [0.2, 0.2, 0.2]}]}], "
               "\"simulation\": {\"contact\": true}}");
    write_text("targets.json", "{\"targets\": [{\"body\": \"rod\", \"point\": [0.5, 0, 0], "
                               "\"position\": [0.6, -0.8, 0]}]}");
    write_text("problem.json",
               "{\"scene\": \"p.json\", \"duration\": 0.02, \"variables\": [{\"parameter\": "
               "\"mass\", \"of\": \"rod\", \"lower\": 0.1, \"upper\": 5, \"start\": 0.8}], "
               "\"objective\": [{\"quantity\": \"position\", \"of\": \"rod\", \"target\": [1, 0, "
               "-1]}], \"iterations\": 3}");
    write_text("sweep.json", "{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", "
                             "\"grid\": {\"from\": 1, \"to\": 2, \"count\": 2}}], \"record\": "
                             "[{\"quantity\": \"position\", \"of\": \"rod\", \"component\": "
                             "\"x\"}], \"duration\": 0.02}");
    CHECK(tool("run p.json --duration 0.05 --out kept.csv --record pose,energy,joints")->code == 0);
    CHECK(tool("run p.json --duration 0.05 --out kept.npz --record pose,energy,joints")->code == 0);
    remove("swept.npz");
    CHECK(tool("sweep p.json sweep.json --out swept.npz")->code == 0);
}

static const tool_result* starve(const char* line, const char* how, long at)
{
    static tool_result r;
    char number[32];
    snprintf(number, sizeof number, "%ld", at);
    setenv("LD_PRELOAD", PRELOAD, 1);
    unsetenv("STARVE_AT");
    unsetenv("STARVE_EVERY");
    setenv(how, number, 1);
    setenv("STARVE_COUNT", "count.txt", 1);
    const pid_t child = start_program(TOOL, line, (streams){"/dev/null", "out.txt"});
    unsetenv("LD_PRELOAD");
    finish_program(child, &r);
    return &r;
}

static long count_of(void)
{
    char text[40];
    read_text("count.txt", text, sizeof text);
    return strtol(text, NULL, 10);
}

static int is_readable(const char* path)
{
    char why[400];
    tml_recording* recording = NULL;
    if (strstr(path, ".csv") == NULL && strstr(path, ".npz") == NULL) return 1;
    const tml_status status = tml_recording_read_file(path, why, sizeof why, &recording);
    const int rows = recording != NULL ? tml_recording_row_count(recording) : 0;
    tml_recording_destroy(recording);
    return status == TML_OK && rows > 0;
}

// What was written, beside what is written where nothing fails: the same bytes, or nothing; of a recording
// the states before the failure.
static void check_file(const order* o, const tool_result* r, const char* how, long at)
{
    if (o->out == NULL) return;
    const int is_there = access(o->out, F_OK) == 0;
    const int is_good = r->code == 0 ? is_same_text(o->out, "reference")
                                     : !is_there || (o->is_recording && is_readable(o->out));
    if (!is_good) printf("%s, %s=%ld: exit %d, %s\n", o->line, how, at, r->code, r->err);
    CHECK(is_good);
}

// What it says where all goes well; runs tell how long they took.
static char said[1 << 16];

static int starve_once(const order* o, const char* how, long at)
{
    if (o->out != NULL) remove(o->out);
    const tool_result* r = starve(o->line, how, at);
    const int is_answered = r->code == 0 || ((r->code == 1 || r->code == 2) && r->err[0] != '\0');
    if (!is_answered) printf("%s, %s=%ld: exit %d, %s\n", o->line, how, at, r->code, r->err);
    CHECK(is_answered);
    const int is_timed = strncmp(o->line, "run ", 4) == 0 || strncmp(o->line, "sweep ", 6) == 0;
    if (r->code == 0 && !is_timed && strcmp(said, r->out) != 0) {
        printf("%s, %s=%ld: it says something else\n", o->line, how, at);
        CHECK(strcmp(said, r->out) == 0);
    }
    check_file(o, r, how, at);
    return r->code != 0;
}

static void starve_order(const order* o, int index, int is_whole)
{
    if (o->out != NULL) remove(o->out);
    const tool_result* whole = starve(o->line, "STARVE_AT", 0);
    if (whole->code != 0) printf("%s: %s\n", o->line, whole->err);
    CHECK(whole->code == 0);
    keep_text(whole->out, said, sizeof said);
    const long count = count_of();
    CHECK(count > 3);
    if (o->out != NULL) CHECK(rename(o->out, "reference") == 0);
    const long most = is_whole ? WHOLE : USUAL;
    const long step = count < most ? 1 : count / most;
    int injected = 0;
    int told = 0;
    for (long at = 1 + index % step; at <= count; at += step, injected++) {
        told += starve_once(o, "STARVE_AT", at);
    }
    // every Nth: fewer and fewer of them
    for (long every = 1; every <= count;
         every += is_whole ? 1 + every / 16 : 2 * every, injected++) {
        told += starve_once(o, "STARVE_EVERY", every);
    }
    printf("%-70s %5ld allocations, %4d failed, %4d told\n", o->line, count, injected, told);
    // most of what a command takes it cannot do without; a few are buffers of streams
    CHECK(2 * told > injected || count < 40);
}

static void starve_all(int is_whole)
{
    enter();
    if (access(PRELOAD, R_OK) != 0) SKIP("the library that fails allocations was not built");
    for (int i = 0; i < ORDERS; i++) starve_order(&orders[i], i, is_whole);
}

TEST(commands_that_lack_memory_say_so_and_leave_no_half_file)
{
    if (!CAN_STARVE) SKIP("the sanitizer or the C library brings its own allocator");
    starve_all(0);
}

TEST(commands_say_so_whichever_allocation_fails)
{
    if (!CAN_STARVE) SKIP("the sanitizer or the C library brings its own allocator");
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG=1");
    starve_all(1);
}
