// Disks that fill while a run goes on: what is said to be recorded is what a reader finds.
#define _GNU_SOURCE  // NOLINT: the name is glibc's own; unshare
#include "test/app/tool.h"

#include <trammel/recording.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

enum {
    KIB = 1024
};

static void enter(void)
{
    enter_folder("app_full");
    if (access("p.json", R_OK) != 0) CHECK(tool("scene pendulum --out p.json")->code == 0);
}

static long size_of(const char* path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

// ---- counted by a reader

static long rows_of_glb(const char* path)
{
    // the number of keys of the animation: the count of its first accessor with bounds
    static char text[1 << 20];
    FILE* file = fopen(path, "rb");
    const size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    if (length < 20 || memcmp(text, "glTF", 4) != 0) return -1;
    unsigned total = 0;
    memcpy(&total, text + 8, 4);
    if ((long)total != size_of(path)) return -1;
    text[length] = '\0';
    const char* scalar = strstr(text + 20, "\"type\":\"SCALAR\",\"min\":[0]");
    if (scalar == NULL) return -1;
    const char* count = scalar;
    while (count > text && strncmp(count, "\"count\":", 8) != 0) count--;
    return strtol(count + 8, NULL, 10);
}

static long rows_of(const char* path)
{
    if (strstr(path, ".glb") != NULL) return rows_of_glb(path);
    char why[400];
    tml_recording* recording = NULL;
    const tml_status status = tml_recording_read_file(path, why, sizeof why, &recording);
    if (status != TML_OK) printf("%s\n", why);
    CHECK(status == TML_OK);
    const long rows = recording != NULL ? tml_recording_row_count(recording) : -1;
    tml_recording_destroy(recording);
    return rows;
}

// A recording that ends early: the exit status, one sentence, and the truth about how much there is.
static void check_claim(const tool_result* r, const char* path, long at_least)
{
    const double claimed = json_value(r->out, "recorded");
    CHECK(r->code == 1);
    CHECK(is_one_error_line(r->err));
    CHECK_CONTAINS(r->err, "failed: ");
    CHECK_CONTAINS(r->out, "\"status\": \"failed\"");
    CHECK_NEAR(claimed, (double)rows_of(path), 0.0);
    printf("%s: %.0f states\n", path, claimed);
    CHECK(claimed >= (double)at_least);
    char part[200];
    snprintf(part, sizeof part, "%s.part", path);
    CHECK(size_of(part) < 0);
}

// ---- a file that may not grow

static void run_below(long bytes, const char* ending, long at_least)
{
    char line[300];
    char path[100];
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    snprintf(path, sizeof path, "limit%s", ending);
    snprintf(line, sizeof line, "run p.json --json --duration 200 --out %s", path);
    remove(path);
    const struct rlimit small = {(rlim_t)bytes, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const tool_result* r = tool(line);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    check_claim(r, path, at_least);
    // an error of an archive speaks of archives
    const int is_npz = strcmp(ending, ".npz") == 0;
    CHECK((strstr(r->err, "an NPZ archive holds 4 GiB at most") != NULL) == is_npz);
}

// 20001 states of 14 doubles are 2.2 MB; most of the numbers of a pendulum are zeros in text.
TEST(a_recording_that_may_not_grow_says_how_much_of_it_there_is)
{
    enter();
    run_below(700 * KIB, ".csv", 1000);
    run_below(700 * KIB, ".npz", 1000);
    run_below(700 * KIB, ".glb", 1000);
}

// ---- a full disk

// A disk of its own for what a child does: 0 when it is mounted.
static int mount_small(const char* folder, int kib)
{
    char options[40];
    snprintf(options, sizeof options, "size=%dk", kib);
    mkdir(folder, 0777);
    const unsigned user = (unsigned)getuid();
    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
        char map[40];
        snprintf(map, sizeof map, "0 %u 1", user);
        write_text("/proc/self/uid_map", map);
    }
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
    return mount("tmpfs", folder, "tmpfs", 0, options);
}

enum {
    NO_MOUNT = 77
};

// Run `test` in a child whose folder "disk" is a small disk.
static int on_small_disk(int kib, void (*test)(void))
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (mount_small("disk", kib) != 0) _exit(NO_MOUNT);
        check_failures = 0;
        test();
        fflush(stdout);
        _exit(check_failures > 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void fill_disk(void)
{
    // as long as the check at the start still lets through
    const tool_result* r = tool("run p.json --json --duration 200 --out disk/full.csv");
    check_claim(r, "disk/full.csv", 1000);
    remove("disk/full.csv");
    r = tool("run p.json --json --duration 88 --out disk/full.npz");
    check_claim(r, "disk/full.npz", 1000);
    remove("disk/full.npz");
    r = tool("run p.json --json --duration 155 --out disk/full.glb");
    check_claim(r, "disk/full.glb", 1000);
    remove("disk/full.glb");
}

TEST(a_disk_that_fills_leaves_what_was_promised)
{
    enter();
    const int code = on_small_disk(2000, fill_disk);
    if (code == NO_MOUNT) SKIP("no disk may be mounted here");
    CHECK(code == 0);
}

// What cannot fit is refused before the first step.
static void ask_too_much(void)
{
    static const char* const endings[] = {"csv", "npz", "glb"};
    for (int i = 0; i < 3; i++) {
        char line[200];
        snprintf(line, sizeof line, "run p.json --json --duration 100000 --out disk/much.%s",
                 endings[i]);
        const tool_result* r = tool(line);
        CHECK(r->code == 2);
        CHECK(is_one_error_line(r->err));
        CHECK_CONTAINS(r->err, "and the disk has");
        CHECK_TEXT(r->out, "");
    }
}

TEST(a_recording_that_cannot_fit_the_disk_is_refused_at_the_start)
{
    enter();
    const int code = on_small_disk(1000, ask_too_much);
    if (code == NO_MOUNT) SKIP("no disk may be mounted here");
    CHECK(code == 0);
}

// ---- other files of the tool on a device that is always full

TEST(no_command_claims_a_file_that_a_full_disk_did_not_take)
{
    static const struct {
        const char* line;
        int code;
    } cases[] = {
        {"convert p.json full.json", 2},
        {"scene pendulum --out full.json", 2},
        {"assemble p.json full.json", 2},
        {"plot short.csv --out full.svg", 1},
        {"plot short.csv --out full.png", 1},
        {"report short.csv --out full.html", 1},
        {"run p.json --duration 0.1 --out full.npz", 1},
        {"run p.json --duration 0.1 --out full.glb", 1},
        {"run p.json --duration 0.1 --out full.csv", 2},
    };
    enter();
    CHECK(tool("run p.json --duration 0.1 --out short.csv")->code == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char* name = strstr(cases[i].line, "full.");
        remove(name);
        if (symlink("/dev/full", name) != 0) SKIP("no symbolic links here");
        const tool_result* r = tool(cases[i].line);
        if (r->code != cases[i].code) printf("%s: %d %s\n", cases[i].line, r->code, r->err);
        CHECK(r->code == cases[i].code);
        CHECK_CONTAINS(r->err, "No space left on device");
        remove(name);
    }
}
