// Recordings: the columns of the contract, values that read back with the same bits, and errors.
#include "io/number.h"
#define _XOPEN_SOURCE 700  // symlink, setrlimit

#include "test/io/scene_text.h"
#include "test_paths.h"

#include <trammel/record.h>
#include <trammel/state.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH TEST_BINARY_DIR "/io_record.csv"

static const char* const pendulum =
    "{'trammel': 1, 'bodies': [{'name': 'rod', 'mass': 1, 'inertia': [0.01, 0.083, 0.083],"
    " 'position': [0.5, 0, 0]}, {'name': 'post, \\\"tall\\\"', 'fixed': true, 'position': [2, 0, "
    "0]}],"
    " 'joints': [{'name': 'pin', 'type': 'revolute', 'base': 'world', 'follower': 'rod',"
    " 'axis': [0, 1, 0]}]}";

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} run;

static run start_with(const char* text)
{
    run r = {.scene = scene_from(text)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    const tml_status status = tml_sim_create(r.model, &tml_scene_settings(r.scene)->sim, &r.sim);
    CHECK(status == TML_OK);
    return r;
}

static run start(void) { return start_with(pendulum); }

static void finish(run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
    remove(PATH);
}

static tml_recorder* create(const run* r, int columns)
{
    char why[200] = "";
    tml_recorder* recorder = NULL;
    CHECK(tml_recorder_create(r->sim, PATH, columns, why, sizeof why, &recorder) == TML_OK);
    CHECK_TEXT(why, "");
    return recorder;
}

// The next line of the recording, without its end.
static char* next_line(FILE* file, char* line, int capacity)
{
    CHECK(fgets(line, capacity, file) != NULL);
    CHECK(strchr(line, '\n') != NULL);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

// The number in cell `index`, read by this library's own reader.
static double cell(const char* line, int index)
{
    for (; index > 0; index--) line = strchr(line, ',') + 1;
    double value = 0.0;
    const char* stop = NULL;
    CHECK(tml__number_read(line, &value, &stop) == NUMBER_OK);
    CHECK(*stop == ',' || *stop == '\0');
    return value;
}

static int is_bit_equal(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

TEST(every_column_has_the_name_and_the_place_of_the_contract)
{
    static char line[4000];
    run r = start();
    const int all = TML_RECORD_POSE | TML_RECORD_VELOCITY | TML_RECORD_JOINTS | TML_RECORD_ENERGY |
                    TML_RECORD_GAP;
    CHECK(tml_recorder_close(create(&r, all)) == TML_OK);

    FILE* file = fopen(PATH, "r");
    CHECK_TEXT(next_line(file, line, sizeof line),
               "t,rod.px,rod.py,rod.pz,rod.qw,rod.qx,rod.qy,rod.qz,"
               "rod.vx,rod.vy,rod.vz,rod.wx,rod.wy,rod.wz,"
               "\"post, \"\"tall\"\".px\",\"post, \"\"tall\"\".py\",\"post, \"\"tall\"\".pz\","
               "\"post, \"\"tall\"\".qw\",\"post, \"\"tall\"\".qx\",\"post, \"\"tall\"\".qy\","
               "\"post, \"\"tall\"\".qz\",\"post, \"\"tall\"\".vx\",\"post, \"\"tall\"\".vy\","
               "\"post, \"\"tall\"\".vz\",\"post, \"\"tall\"\".wx\",\"post, \"\"tall\"\".wy\","
               "\"post, \"\"tall\"\".wz\","
               "pin.fx,pin.fy,pin.fz,pin.mx,pin.my,pin.mz,pin.rx,pin.rx.rate,"
               "energy.kinetic,energy.potential,energy.total,gap");
    CHECK(fgetc(file) == EOF);
    fclose(file);
    finish(&r);
}

TEST(recorded_numbers_read_back_with_the_bits_of_the_simulation)
{
    static char line[4000];
    run r = start();
    tml_recorder* recorder = create(&r, TML_RECORD_POSE | TML_RECORD_VELOCITY | TML_RECORD_JOINTS |
                                            TML_RECORD_ENERGY | TML_RECORD_GAP);
    for (int k = 0; k < 7; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_recorder_write(recorder, r.sim) == TML_OK);
    CHECK(tml_recorder_close(recorder) == TML_OK);

    FILE* file = fopen(PATH, "r");
    next_line(file, line, sizeof line);
    next_line(file, line, sizeof line);
    const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
    const tml_velocity velocity = tml_sim_velocity(r.sim, (tml_body){0});
    const tml_load load = tml_sim_joint_load(r.sim, (tml_joint){0});
    const tml_energy energy = tml_sim_energy(r.sim);
    double q[TML_AXES];
    double rate[TML_AXES];
    CHECK(tml_sim_joint_coordinates(r.sim, (tml_joint){0}, q) == 1);
    CHECK(tml_sim_joint_rates(r.sim, (tml_joint){0}, rate) == 1);
    const double expected[] = {tml_sim_time(r.sim),
                               pose.p.x,
                               pose.p.y,
                               pose.p.z,
                               pose.q.w,
                               pose.q.x,
                               pose.q.y,
                               pose.q.z,
                               velocity.linear.x,
                               velocity.linear.y,
                               velocity.linear.z,
                               velocity.angular.x,
                               velocity.angular.y,
                               velocity.angular.z};
    for (int k = 0; k < 14; k++) CHECK(is_bit_equal(cell(line, k), expected[k]));
    CHECK_NEAR(cell(line, 14), 2.0, 0.0);  // the post
    const double behind[] = {load.force.x,
                             load.force.y,
                             load.force.z,
                             load.moment.x,
                             load.moment.y,
                             load.moment.z,
                             q[0],
                             rate[0],
                             energy.kinetic,
                             energy.potential,
                             energy.kinetic + energy.potential,
                             tml_sim_gap(r.sim)};
    for (int k = 0; k < 12; k++) CHECK(is_bit_equal(cell(line, 27 + k), behind[k]));
    CHECK(fabs(pose.p.z) > 1e-4);  // it did move
    CHECK(fgetc(file) == EOF);
    fclose(file);
    finish(&r);
}

TEST(only_the_columns_that_were_asked_for_are_written)
{
    static char line[400];
    run r = start();
    tml_recorder* recorder = create(&r, TML_RECORD_GAP | TML_RECORD_ENERGY);
    CHECK(tml_recorder_write(recorder, r.sim) == TML_OK);
    CHECK(tml_recorder_close(recorder) == TML_OK);
    FILE* file = fopen(PATH, "r");
    CHECK_TEXT(next_line(file, line, sizeof line),
               "t,energy.kinetic,energy.potential,energy.total,gap");
    next_line(file, line, sizeof line);
    CHECK_NEAR(cell(line, 0), 0.0, 0.0);
    CHECK_NEAR(cell(line, 2), 0.0, 1e-15);  // at z = 0
    fclose(file);
    finish(&r);
}

// Two turns of a rod, begun from the other one of its two quaternions: in every formulation each
// line lies on the side of the line before (docs/conventions.md).
TEST(a_quaternion_never_jumps_to_its_negative)
{
    static const char* const formulations[] = {"quaternion", "variational", "affine",
                                               "generalized"};
    static char line[400];
    static char text[600];
    for (size_t f = 0; f < sizeof formulations / sizeof *formulations; f++) {
        snprintf(text, sizeof text,
                 "{'trammel': 1, 'bodies': [{'name': 'rod', 'mass': 1, 'inertia': [0.01, 0.083, "
                 "0.083], 'orientation': [-1, 0, 0, 0], 'angular_velocity': [0, 12.6, 0]}],"
                 " 'joints': [{'name': 'pin', 'type': 'revolute', 'base': 'world', 'follower': "
                 "'rod', 'axis': [0, 1, 0]}], 'simulation': {'formulation': '%s'}}",
                 formulations[f]);
        run r = start_with(text);
        tml_recorder* recorder = create(&r, TML_RECORD_POSE);
        CHECK(tml_recorder_write(recorder, r.sim) == TML_OK);
        for (int k = 0; k < 100; k++) {
            CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
            CHECK(tml_recorder_write(recorder, r.sim) == TML_OK);
        }
        CHECK(tml_recorder_close(recorder) == TML_OK);

        FILE* file = fopen(PATH, "r");
        next_line(file, line, sizeof line);
        double before[4] = {-1.0, 0.0, 0.0, 0.0};  // as the scene says
        for (int k = 0; k <= 100; k++) {
            double along = 0.0;
            next_line(file, line, sizeof line);
            for (int c = 0; c < 4; c++) along += before[c] * cell(line, 4 + c);
            for (int c = 0; c < 4; c++) before[c] = cell(line, 4 + c);
            CHECK(along > 0.99);  // cos 0.063, half of the turn in a step
        }
        fclose(file);
        finish(&r);
    }
}

// More lines than the buffer holds.
TEST(long_recordings_keep_every_line)
{
    enum {
        LINES = 12000
    };
    static char line[4000];
    run r = start();
    tml_recorder* recorder = create(&r, TML_RECORD_POSE | TML_RECORD_VELOCITY);
    for (int k = 0; k < LINES; k++) {
        if (k % 100 == 0) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        CHECK(tml_recorder_write(recorder, r.sim) == TML_OK);
    }
    CHECK(tml_recorder_close(recorder) == TML_OK);

    FILE* file = fopen(PATH, "r");
    next_line(file, line, sizeof line);
    long bytes = 0;
    for (int k = 0; k < LINES; k++) {
        next_line(file, line, sizeof line);
        bytes += (long)strlen(line);
        int commas = 0;
        for (const char* p = line; *p != '\0'; p++) commas += *p == ',';
        CHECK(commas == 26);
        CHECK_NEAR(cell(line, 0), 0.01 * (k / 100 + 1), 1e-12);  // a sum of at most 120 steps
    }
    CHECK(bytes > 1 << 20);
    CHECK(fgetc(file) == EOF);
    fclose(file);
    finish(&r);
}

TEST(unknown_endings_are_refused)
{
    static const struct {
        const char* path;
        tml_status status;
        const char* why;
    } cases[] = {
        {"x.txt", TML_BAD_ARGUMENT, "x.txt: the ending says how to record"},
        {"x", TML_BAD_ARGUMENT, "x: the ending"},
        {".csv", TML_BAD_ARGUMENT, "the ending"},
        {TEST_BINARY_DIR "/no/such/x.csv", TML_BAD_FILE, "cannot be written: No such file"}};
    run r = start();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[300] = "";
        tml_recorder* recorder = NULL;
        CHECK(tml_recorder_create(r.sim, cases[i].path, TML_RECORD_GAP, why, sizeof why,
                                  &recorder) == cases[i].status);
        CHECK(recorder == NULL);
        CHECK_CONTAINS(why, cases[i].why);
    }
    finish(&r);
}

// A link to a device that is always full: already the header does not fit.
TEST(a_full_disk_is_reported_when_the_recording_starts)
{
    const char* path = TEST_BINARY_DIR "/io_record_full.csv";
    remove(path);
    if (symlink("/dev/full", path) != 0) SKIP("no symbolic links here");
    FILE* full = fopen(path, "wb");
    if (full == NULL) SKIP("there is no /dev/full");
    fclose(full);

    run r = start();
    char why[300] = "";
    tml_recorder* recorder = NULL;
    CHECK(tml_recorder_create(r.sim, path, TML_RECORD_POSE, why, sizeof why, &recorder) ==
          TML_BAD_FILE);
    CHECK(recorder == NULL);
    CHECK_CONTAINS(why, "io_record_full.csv: cannot be written: No space left");
    remove(path);
    finish(&r);
}

// The system refuses to let the file grow beyond 4 KiB.
TEST(a_file_that_cannot_grow_is_reported_and_leaves_its_reason_in_errno)
{
    run r = start();
    tml_recorder* recorder = create(&r, TML_RECORD_POSE | TML_RECORD_VELOCITY);
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit small = {4096, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);

    tml_status status = TML_OK;
    for (int k = 0; k < 20000 && status == TML_OK; k++)
        status = tml_recorder_write(recorder, r.sim);
    CHECK(status == TML_BAD_FILE && errno == EFBIG);
    errno = 0;
    CHECK(tml_recorder_write(recorder, r.sim) == TML_BAD_FILE && errno == EFBIG);
    errno = 0;
    CHECK(tml_recorder_close(recorder) == TML_BAD_FILE && errno == EFBIG);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    finish(&r);
}

TEST(words_of_the_record_list_become_columns)
{
    int columns = 0;
    const char* bad = NULL;
    CHECK(tml_record_find("pose,velocity", &columns, &bad));
    CHECK(columns == (TML_RECORD_POSE | TML_RECORD_VELOCITY));
    CHECK(tml_record_find("gap", &columns, &bad) && columns == TML_RECORD_GAP);
    CHECK(tml_record_find("energy,joints,energy", &columns, &bad));
    CHECK(columns == (TML_RECORD_ENERGY | TML_RECORD_JOINTS));

    static const struct {
        const char* list;
        int place;
    } wrong[] = {{"", 0},          {"pose,", 5}, {"pose,speed", 5},
                 {"pose,,gap", 5}, {"pos", 0},   {"poses", 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bad = NULL;
        CHECK(!tml_record_find(wrong[i].list, &columns, &bad));
        CHECK(bad == wrong[i].list + wrong[i].place);
    }
}
