// Input that would hang the tool or take its memory: each is refused within a second and 200 MB.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own; wait4
#include "test/app/tool.h"

#include <sys/resource.h>

static void enter(void) { enter_folder("app_bombs"); }

typedef struct cost {
    double seconds;
    double megabytes;
} cost;

// Run the tool, at most ten seconds; what it took.
static const tool_result* run_measured(const char* line, cost* c)
{
    static tool_result r;
    struct rusage used;
    struct timespec start;
    struct timespec end;
    int status = 0;

    clock_gettime(CLOCK_MONOTONIC, &start);
    const pid_t child = start_program(TOOL, line, (streams){"/dev/null", "out.txt"});
    pid_t ended = 0;
    for (int i = 0; i < 1000 && ended == 0; i++) {
        const struct timespec moment = {0, 10000000};
        ended = wait4(child, &status, WNOHANG, &used);
        if (ended == 0) nanosleep(&moment, NULL);
    }
    if (ended == 0) {
        printf("%s: still runs\n", line);
        kill(child, SIGKILL);
        wait4(child, &status, 0, &used);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    // a machine that is busy is not the tool's fault: its own time counts once it has ended by itself
    c->seconds = ended == 0 ? (double)(end.tv_sec - start.tv_sec)
                            : (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    c->megabytes = 1e-6 * 1024.0 * (double)used.ru_maxrss;
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_text("out.txt", r.out, sizeof r.out);
    read_text("err.txt", r.err, sizeof r.err);
    return &r;
}

static void refuse(const char* line, const char* says)
{
    cost c;
    const tool_result* r = run_measured(line, &c);
    if (r->code != 2 || strstr(r->err, says) == NULL) printf("%s: %d %s\n", line, r->code, r->err);
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, says);
    CHECK(is_one_error_line(r->err));
    if (c.seconds > 0.3) printf("%s: %.2f s, %.0f MB\n", line, c.seconds, c.megabytes);
    // sanitizers watch every byte, and keep shadows of it
    CHECK(c.seconds < (CHECK_IS_SANITIZED ? 10.0 : 1.0));
    if (!CHECK_IS_SANITIZED) CHECK(c.megabytes < 200.0);
}

// ---- what is no plain file

TEST(pipes_devices_and_folders_are_refused_before_they_are_read)
{
    static const char* const lines[][2] = {
        {"info ", ".json"},
        {"run ", ".json"},
        {"view ", ".json --no-browser"},
        {"convert ", ".xml x.json"},
        {"report ", ".csv"},
        {"plot ", ".npz"},
        {"info ", ".urdf"},
        {"optimize ", ".json"},
        {"ik p.json ", ".json"},
        {"plot p.csv --scene ", ".json"},
    };
    static const char* const kinds[] = {"pipe", "device", "folder"};
    static const char* const endings[] = {".json", ".xml", ".csv", ".npz", ".urdf"};
    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    CHECK(tool("run p.json --duration 0.1 --out p.csv")->code == 0);
    for (int k = 0; k < 3; k++) {
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            char name[100];
            snprintf(name, sizeof name, "%s%s", kinds[k], endings[e]);
            remove(name);
            const int made = k == 0   ? mkfifo(name, 0666)
                             : k == 1 ? symlink("/dev/zero", name)
                                      : mkdir(name, 0777);
            CHECK(made == 0 || errno == EEXIST);
        }
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            char line[300];
            char says[100];
            snprintf(line, sizeof line, "%s%s%s", lines[i][0], kinds[k], lines[i][1]);
            snprintf(says, sizeof says, "it is a %s, not a plain file", kinds[k]);
            if (k == 2) snprintf(says, sizeof says, "cannot be read: Is a directory");
            refuse(line, says);
        }
    }
}

TEST(files_that_a_scene_names_are_looked_at_before_they_are_read)
{
    static const char* const scenes[] = {
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], "
        "\"shapes\": [{\"type\": \"mesh\", \"file\": \"pipe.stl\"}]}]}",
        "{\"trammel\": 1, \"bodies\": [], \"deformables\": [{\"name\": \"a\", \"file\": "
        "\"pipe.msh\", \"young\": 1e5, \"poisson\": 0.3, \"density\": 1000}]}",
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"base\": \"world\", "
        "\"follower\": \"a\", \"actuation\": \"force\", \"control\": {\"recording\": "
        "\"pipe.csv\", \"column\": \"x\"}}]}",
    };
    static const char* const pipes[] = {"pipe.stl", "pipe.msh", "pipe.csv"};
    enter();
    for (int i = 0; i < 3; i++) {
        remove(pipes[i]);
        CHECK(mkfifo(pipes[i], 0666) == 0);
        write_text("names.json", scenes[i]);
        refuse("info names.json", "it is a pipe, not a plain file");
    }
}

TEST(results_of_a_sweep_go_into_plain_files_alone)
{
    enter();
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    write_text("sweep.json",
               "{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"grid\": [1]}], "
               "\"record\": [{\"quantity\": \"kinetic\"}], \"duration\": 0.02}");
    remove("pipe.npz");
    CHECK(mkfifo("pipe.npz", 0666) == 0);
    refuse("sweep p.json sweep.json --out pipe.npz", "pipe.npz: it is no plain file");
    remove("other.npz.part");
    CHECK(mkfifo("other.npz.part", 0666) == 0);
    refuse("sweep p.json sweep.json --out other.npz", "other.npz.part: it is no plain file");
}

TEST(standard_input_without_end_is_refused)
{
    enter();
    const tool_result* r = tool_reading("/dev/zero", "info -");
    CHECK(r->code == 2);
    CHECK_CONTAINS(r->err, "standard input: it is no text");
}

// ---- sizes

static void put_sparse(const char* name, const void* head, size_t length, off_t size)
{
    FILE* file = fopen(name, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    CHECK(fwrite(head, 1, length, file) == length);
    CHECK(fflush(file) == 0 && ftruncate(fileno(file), size) == 0);
    fclose(file);
}

static void put_mesh_scene(const char* name)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], "
             "\"shapes\": [{\"type\": \"mesh\", \"file\": \"%s\"}]}]}",
             name);
    write_text("mesh.json", text);
}

TEST(sparse_files_cost_nothing)
{
    static const off_t gigabyte = (off_t)1 << 30;
    unsigned char head[84] = {0};
    enter();
    // a binary mesh that is as long as its head says, all triangles without area
    const unsigned count = 4000000;
    memcpy(head + 80, &count, 4);
    put_sparse("hole.stl", head, sizeof head, 84 + (off_t)count * 50);
    put_mesh_scene("hole.stl");
    refuse("info mesh.json", "no triangle in it has an area");
    const unsigned more = 42949672;
    memcpy(head + 80, &more, 4);
    put_sparse("hole.stl", head, sizeof head, 84 + (off_t)more * 50);
    refuse("info mesh.json", "it is larger than 256 MiB");
    put_sparse("hole.stl", "solid x\n", 8, 200 << 20);
    refuse("info mesh.json", "it holds a byte of zero");
    put_sparse("hole.obj", "v 0 0 0\n", 8, 200 << 20);
    put_mesh_scene("hole.obj");
    refuse("info mesh.json", "it holds a byte of zero");
    put_sparse("hole.json", "{", 1, gigabyte);
    refuse("info hole.json", "hole.json:1: ");
    CHECK(tool("scene pendulum --out p.json")->code == 0);
    refuse("sweep p.json hole.json", "it is larger than 256 MiB");
    refuse("sweep hole.json hole.json", "hole.json:1: ");
    put_sparse("hole.json", "{", 1, 200 << 20);
    refuse("sweep p.json hole.json", "hole.json:1: ");
    put_sparse("hole.xml", "<mujoco>", 8, 60 << 20);
    refuse("info hole.xml", "it is not well-formed XML");
    put_sparse("hole.csv", "t,a.px\n0,1\n", 11, 3 * gigabyte);
    refuse("plot hole.csv", "it holds a byte of zero");
    put_sparse("hole.npz", "PK\3\4", 4, 3 * gigabyte);
    refuse("plot hole.npz", "this is no NPZ archive, or it is cut short");
    put_sparse("hole.npz", "PK\3\4", 4, 9 * gigabyte);
    refuse("plot hole.npz", "it is larger than 4 GiB");
}

static unsigned char* put(unsigned char* p, unsigned value, int bytes)
{
    for (int i = 0; i < bytes; i++) *p++ = (unsigned char)(value >> (8 * i));
    return p;
}

// An archive whose members are all the same bytes: 120 kB were 16 GB to unpack.
static void put_overlaps(const char* name, const char* first, int count)
{
    static unsigned char bytes[1 << 17];
    unsigned char* p = bytes;
    const unsigned size = 4096;
    memcpy(p, "PK\3\4", 4);
    p = put(p + 4, 20, 2);
    memset(p, 0, 8);
    p = put(p + 8, 0, 4);
    p = put(put(p, size, 4), size, 4);
    p = put(put(p, 1, 2), 0, 2);
    *p++ = 'x';
    memset(p, 0, size);
    p += size;
    const unsigned at = (unsigned)(p - bytes);
    for (int i = 0; i < count; i++) {
        char text[40];
        const int length = i == 0 ? snprintf(text, sizeof text, "%s.npy", first)
                                  : snprintf(text, sizeof text, "a%d.px.npy", i);
        memcpy(p, "PK\1\2", 4);
        memset(p + 4, 0, 42);
        put(put(p + 20, size, 4), size, 4);
        put(put(p + 16, 0xc71c0011u, 4) + 8, (unsigned)length, 2);
        memcpy(p + 46, text, (size_t)length);
        p += 46 + length;
    }
    const unsigned end = (unsigned)(p - bytes);
    memcpy(p, "PK\5\6\0\0\0\0", 8);
    p = put(put(p + 8, (unsigned)count, 2), (unsigned)count, 2);
    p = put(put(put(p, end - at, 4), at, 4), 0, 2);
    FILE* file = fopen(name, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    CHECK(fwrite(bytes, 1, (size_t)(p - bytes), file) == (size_t)(p - bytes));
    fclose(file);
}

TEST(members_of_archives_that_share_bytes_are_refused)
{
    enter();
    put_overlaps("over.npz", "t", 1000);
    refuse("plot over.npz", "over.npz: its arrays overlap");
    put_overlaps("over.npz", "status", 1000);
    refuse("report over.npz", "overlap");
}

// ---- numbers

TEST(memory_without_bound_is_refused_before_it_is_taken)
{
    static const char head[] = "{\"trammel\": 1, \"bodies\": [], \"generate\": [\n";
    static const char chain[] =
        "{\"type\": \"chain\", \"name\": \"c%d\", \"links\": 1000000, \"joint\": \"spherical\", "
        "\"link\": {\"length\": 1, \"radius\": 0.1, \"mass\": 1}}%s\n";
    enter();
    FILE* file = fopen("many.json", "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs(head, file);
    for (int i = 0; i < 50; i++) fprintf(file, chain, i, i < 49 ? "," : "");
    fputs("]}", file);
    fclose(file);
    refuse("info many.json", "'generate' asks for 50000000 bodies, about 150 GB; at most 2000000");

    static const char* const forms[] = {"quaternion", "variational", "affine", "generalized"};
    write_text("contacts.json",
               "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, "
               "1], \"shapes\": [{\"type\": \"sphere\", \"radius\": 1}]}], \"simulation\": "
               "{\"contact\": {\"max_contacts\": 1000000}}}");
    for (int i = 0; i < 4; i++) {
        char line[200];
        snprintf(line, sizeof line, "run contacts.json --formulation %s", forms[i]);
        refuse(line, "max_contacts of contact must be a whole number from 1 to 333333");
    }
}

TEST(numbers_that_cannot_be_squared_are_refused)
{
    static const char* const keys[] = {"com", "position", "velocity", "angular_velocity"};
    enter();
    for (int i = 0; i < 4; i++) {
        char text[300];
        char says[100];
        snprintf(text, sizeof text,
                 "{\"trammel\": 1, \"bodies\": [\n{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, "
                 "1, 1], \"%s\": [-1e308, 0, 0]}]}",
                 keys[i]);
        snprintf(says, sizeof says, "far.json:2: body 'a': %s (-1e+308, 0, 0) is beyond", keys[i]);
        write_text("far.json", text);
        refuse("info far.json", says);
    }
}

// 2400 wheels in a row, each coupled with the next: the doctor took 11.9 s.
TEST(couplings_one_after_the_other_cost_their_square)
{
    enum {
        WHEELS = 2400
    };
    enter();
    FILE* file = fopen("coupled.json", "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs("{\"trammel\": 1, \"bodies\": [", file);
    for (int i = 0; i < WHEELS; i++) {
        fprintf(file, "%s{\"name\": \"b%d\", \"mass\": 1, \"inertia\": [1, 1, 1]}\n",
                i > 0 ? "," : "", i);
    }
    fputs("], \"joints\": [", file);
    for (int i = 0; i < WHEELS; i++) {
        fprintf(file,
                "%s{\"name\": \"j%d\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": "
                "\"b%d\"}\n",
                i > 0 ? "," : "", i, i);
    }
    fputs("], \"couplings\": [", file);
    for (int i = 1; i < WHEELS; i++) {
        fprintf(file, "%s{\"name\": \"c%d\", \"terms\": [[\"j%d.rx\", 1], [\"j%d.rx\", -1]]}\n",
                i > 1 ? "," : "", i, i - 1, i);
    }
    fputs("]}", file);
    fclose(file);
    cost c;
    const tool_result* r = run_measured("info coupled.json --json", &c);
    printf("%.2f s, %.0f MB\n", c.seconds, c.megabytes);
    CHECK(r->code == 0);
    CHECK_NEAR(json_value(r->out, "mobility"), 1.0, 0.0);
    CHECK_NEAR(json_value(r->out, "redundant_rows"), 0.0, 0.0);
    CHECK(c.seconds < (CHECK_IS_SANITIZED ? 20.0 : 2.0));
}

TEST(a_recording_given_as_a_scene_is_told_so)
{
    enter();
    refuse("run p.npz", "p.npz: this is a recording, not a scene");
}
