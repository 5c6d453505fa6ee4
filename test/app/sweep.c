// test/app/sweep.c - `trammel sweep`: one file, the same bytes from threads and from MPI, whatever killed it before.
#include "test/app/tool.h"

#include <trammel/sweep_results.h>

static const char sweep_text[] =
    "{\"samples\": 200, \"seed\": 7, \"duration\": 0.02, \"parameters\": ["
    "{\"parameter\": \"mass\", \"of\": \"crank\", \"normal\": [1, 0.1], \"relative\": true},"
    "{\"parameter\": \"gravity\", \"component\": \"y\", \"uniform\": [-10, -9.6]}],"
    "\"record\": [{\"quantity\": \"coordinate\", \"of\": \"O\", \"component\": \"rx\"},"
    "{\"quantity\": \"kinetic\", \"take\": \"max\"},"
    "{\"quantity\": \"position\", \"of\": \"crank\", \"take\": \"series\", \"every\": 10}]}";

#define MPIRUN "/usr/bin/mpirun"

static void enter(void)
{
    enter_folder("app_sweep");
    write_text("sweep.json", sweep_text);
    const char* const old[] = {"a.npz", "a.npz.part", "b.npz", "b.npz.part"};
    for (int i = 0; i < 4; i++) remove(old[i]);
}

// Not beside a sanitizer: OpenMPI keeps memory of its own to the end.
static int has_mpi(void)
{
    return !CHECK_IS_SANITIZED && access(MPIRUN, X_OK) == 0 &&
           access(TEST_BINARY_DIR "/libtrammel_mpi.so", R_OK) == 0;
}

static const tool_result* mpi(int ranks, const char* line)
{
    char words[4096];
    snprintf(words, sizeof words,
             "--allow-run-as-root --oversubscribe -np %d --mca plm isolated " TOOL " %s", ranks,
             line);
    return answer_of(MPIRUN, words, (streams){"/dev/null", "out.txt"});
}

static void check_complete(const tool_result* r)
{
    CHECK(r->code == 0);
    if (r->code != 0) printf("%s%s\n", r->out, r->err);
    CHECK(json_value(r->out, "done") == 200.0);
    CHECK(json_value(r->out, "missing") == 0.0);
}

TEST(threads_do_not_show)
{
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --threads 1 --json"));
    check_complete(tool("sweep scene:four-bar sweep.json --out b.npz --threads 3 --json"));
    CHECK(is_same_text("a.npz", "b.npz"));
    CHECK(access("a.npz.part", F_OK) != 0);
}

TEST(ranks_do_not_show)
{
    if (!has_mpi()) SKIP("no mpirun, or a build without MPI");
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --threads 2 --json"));
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        remove("b.npz");
        const tool_result* r = mpi(ranks, "sweep scene:four-bar sweep.json --out b.npz --json");
        check_complete(r);
        CHECK(json_value(r->out, "ranks") == ranks);
        CHECK(is_same_text("a.npz", "b.npz"));
    }
}

TEST(ranges_share_one_file_that_the_last_one_finishes)
{
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --json"));
    const tool_result* r = tool("sweep scene:four-bar sweep.json --out b.npz --range 50: --json");
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "computed") == 150.0);
    CHECK_CONTAINS(r->out, "\"complete\": false");
    CHECK(access("b.npz", F_OK) != 0);
    r = tool("sweep scene:four-bar sweep.json --out b.npz --range 0:60 --json");
    CHECK(json_value(r->out, "found") == 10.0);
    CHECK(json_value(r->out, "computed") == 50.0);
    CHECK_CONTAINS(r->out, "\"complete\": true");
    CHECK(is_same_text("a.npz", "b.npz"));
    // nothing is left to do
    r = tool("sweep scene:four-bar sweep.json --out b.npz --json");
    CHECK(json_value(r->out, "found") == 200.0);
    CHECK(json_value(r->out, "computed") == 0.0);
}

static void sleep_ms(long ms)
{
    const struct timespec pause = {0, ms * 1000000L};
    nanosleep(&pause, NULL);
}

// Rows of the growing file that are marked: its first member is the marks, one byte each.
static int marked_rows(const char* path, int rows)
{
    unsigned char head[1024] = {0};
    FILE* file = fopen(path, "rb");
    int count = 0;
    if (file == NULL) return 0;
    const size_t length = fread(head, 1, sizeof head, file);
    fclose(file);
    const unsigned char* end = memchr(head + 40, '\n', sizeof head - 40);
    for (int i = 0; end != NULL && i < rows && end + 1 + i < head + length; i++) {
        count += end[1 + i] != 0;
    }
    return count;
}

// Killed again and again, each row is made once but for those in hand.
TEST(a_killed_sweep_goes_on_where_it_was)
{
    enter();
    const char* line =
        "sweep scene:four-bar sweep.json --out b.npz --threads 2 --json --duration 1 "
        "--step 0.0005";
    char twin[200];
    // longer runs, so that there is time to kill them
    write_text("sweep.json",
               "{\"samples\": 120, \"parameters\": [{\"parameter\": \"mass\", \"of\": \"crank\", "
               "\"uniform\": [0.3, 0.5]}], \"record\": [{\"quantity\": \"kinetic\"}]}");
    int kills = 0;
    for (int i = 0; i < 3; i++) {
        remove("out.txt");
        const pid_t child = start_program(TOOL, line, (streams){"/dev/null", "out.txt"});
        for (int k = 0; k < 3000 && marked_rows("b.npz.part", 120) < 10 * (i + 1); k++)
            sleep_ms(10);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        kills += WIFSIGNALED(status);
    }
    CHECK(kills > 0);
    const tool_result* r = tool(line);
    CHECK(r->code == 0);
    CHECK(json_value(r->out, "done") == 120.0);
    CHECK(json_value(r->out, "found") >= 10.0);
    CHECK(json_value(r->out, "found") + json_value(r->out, "computed") == 120.0);
    snprintf(twin, sizeof twin, "%s", line);
    *strstr(twin, "b.npz") = 'a';
    CHECK(tool(twin)->code == 0);
    CHECK(is_same_text("a.npz", "b.npz"));
}

TEST(a_file_of_another_sweep_is_not_touched)
{
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --json"));
    const tool_result* r =
        tool("sweep scene:four-bar sweep.json --out a.npz --integrator bdf3 --json");
    CHECK(r->code == 2);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "a.npz is of another sweep, scene, setting or version");
    write_text("b.npz.part", "not ours");
    r = tool("sweep scene:four-bar sweep.json --out b.npz");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "b.npz.part is of another sweep");
    char kept[16];
    read_text("b.npz.part", kept, sizeof kept);
    CHECK_TEXT(kept, "not ours");
}

static double number(const tml_sweep_results* r, const char* name, long long row, int k)
{
    return tml_sweep_results_number(r, tml_sweep_results_find(r, name), row, k);
}

TEST(a_row_runs_alone_as_it_ran_in_the_sweep)
{
    tml_sweep_results* results = NULL;
    char why[300];
    static char table[TOOL_TEXT];
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --json"));
    const tool_result* r =
        tool("sweep scene:four-bar sweep.json --row 17 --out row.csv --record pose");
    CHECK(r->code == 0);
    CHECK(tml_sweep_results_read("a.npz", why, sizeof why, &results) == TML_OK);
    char expected[64];
    snprintf(expected, sizeof expected, "%.17g", number(results, "crank.position.x.series", 17, 2));
    read_text("row.csv", table, sizeof table);
    const char* last = table;
    for (const char* p = strchr(table, '\n'); p != NULL && p[1] != '\0'; p = strchr(p + 1, '\n')) {
        last = p + 1;
    }
    CHECK(strchr(last, ',') != NULL &&
          strncmp(strchr(last, ',') + 1, expected, strlen(expected)) == 0);
    CHECK(tml_sweep_results_row_count(results) == 200);
    CHECK(number(results, "crank.position.x.series.time", 2, 0) == 0.02);
    size_t length = 0;
    const char* text = tml_sweep_results_text(results, "sweep.json", &length);
    CHECK(length == strlen(sweep_text) && memcmp(text, sweep_text, length) == 0);
    tml_sweep_results_destroy(results);
}

// Somebody else's readers: Python's zip and, where it is installed, numpy.
TEST(python_reads_the_results)
{
    static const char script[] =
        "import zipfile, sys\n"
        "z = zipfile.ZipFile('a.npz')\n"
        "assert z.testzip() is None\n"
        "assert z.read('sweep.json').startswith(b'{')\n"
        "try:\n"
        "    import numpy\n"
        "except ImportError:\n"
        "    sys.exit(77)\n"
        "r = numpy.load('a.npz')\n"
        "assert r['status'].dtype == numpy.int8 and (r['status'] == 1).all()\n"
        "assert r['crank.position.x.series'].shape == (200, 3)\n"
        "assert abs(r['crank.mass'].mean() - 0.4) < 0.02\n"
        "assert abs(r['gravity.y'] + 9.8).max() < 0.2\n"
        "assert (r['kinetic.max'] > 0).all()\n";
    if (access("/usr/bin/python3", X_OK) != 0) SKIP("no python3");
    enter();
    check_complete(tool("sweep scene:four-bar sweep.json --out a.npz --json"));
    write_text("check.py", script);
    const tool_result* r =
        answer_of("/usr/bin/python3", "check.py", (streams){"/dev/null", "out.txt"});
    CHECK(r->code == 0 || r->code == 77);
    if (r->code == 77) SKIP("the archive is good; no numpy for the rest");
    if (r->code != 0) printf("%s\n", r->err);
}

TEST(a_stop_at_a_failure_leaves_what_is_done)
{
    enter();
    write_text("sweep.json",
               "{\"on_failure\": \"stop\", \"duration\": 0.01, \"parameters\": [{\"parameter\": "
               "\"mass\", \"of\": \"crank\", \"list\": [0.4, 0.5, -1, 0.6]}], \"record\": "
               "[{\"quantity\": \"kinetic\"}]}");
    const tool_result* r = tool("sweep scene:four-bar sweep.json --out a.npz --threads 1 --json");
    CHECK(r->code == 1);
    CHECK_CONTAINS(r->err, "row 2: body 'crank' would have a mass of -1 kg");
    CHECK(json_value(r->out, "done") == 2.0);
    CHECK(json_value(r->out, "failed") == 1.0);
    CHECK(json_value(r->out, "missing") == 1.0);
}

TEST(wrong_words_are_told)
{
    enter();
    const tool_result* r = tool("sweep scene:four-bar sweep.json --out a.csv");
    CHECK(r->code == 2 && is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "results of a sweep are a .npz");
    r = tool("sweep scene:four-bar sweep.json --range 5:900");
    CHECK(r->code == 2 && is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "0 <= FIRST < END <= 200");
    r = tool("sweep scene:four-bar missing.json");
    CHECK(r->code == 2 && is_one_error_line(r->err));
    r = tool("sweep scene:four-bar sweep.json --row 200 --out x.csv");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "the last is 199");
}
