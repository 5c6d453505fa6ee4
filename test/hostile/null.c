// NULL where an object or an array is wanted: one rule for every exported function.
//
// A function that answers a status answers TML_BAD_ARGUMENT (a lack of memory leaves NULL objects behind, so
// what comes next must not crash); one that answers a number, 0 or -1; a name or a message, some text; one
// that answers nothing does nothing. The calls are made from the headers by tools/null_calls, so a function
// that is added is tested the day it is. Each call is made in a process of its own.
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER TEST_BINARY_DIR "/test/hostile_null.files"

typedef struct fixture {
    tml_scene* scene;
    tml_spec* spec;
    tml_model* model;
    tml_sim* sim;
    tml_ik* ik;
    tml_recorder* recorder;
    tml_recording* recording;
    tml_batch* batch;
    tml_derivatives* derivatives;
    tml_doctor* doctor;
    tml_dynamics* dynamics;
    tml_problem* problem;
    tml_problem_def problem_def;
    tml_sweep* sweep;
    tml_sweep_def sweep_def;
    tml_sweep_results* results;
    void* nothing;
    const char* text;
    char characters[4096];
    _Alignas(64) unsigned char room[1 << 16];
    _Alignas(64) unsigned char zeros[1 << 16];
} fixture;

#define VALID_tml_scene(f)         f->scene
#define VALID_tml_spec(f)          f->spec
#define VALID_tml_model(f)         f->model
#define VALID_tml_sim(f)           f->sim
#define VALID_tml_ik(f)            f->ik
#define VALID_tml_recorder(f)      f->recorder
#define VALID_tml_recording(f)     f->recording
#define VALID_tml_batch(f)         f->batch
#define VALID_tml_derivatives(f)   f->derivatives
#define VALID_tml_doctor(f)        f->doctor
#define VALID_tml_dynamics(f)      f->dynamics
#define VALID_tml_problem(f)       f->problem
#define VALID_tml_sweep(f)         f->sweep
#define VALID_tml_sweep_results(f) f->results

// A kind of object that this file does not make yet: its functions are tested with NULL all the same.
__attribute__((unused)) static void* lacking(const char* name)
{
    (void)name;
    return NULL;
}

typedef struct null_call {
    const char* name;
    int pointers;
    int is_method;  // its first argument is a pointer
    int (*call)(fixture* f, unsigned null, int n);
} null_call;

// ---- what an answer may be

static int first_is_null(unsigned null, int is_method) { return is_method && (null & 1) != 0; }

static inline int is_status(tml_status status, int is_null)
{
    return !is_null || status == TML_BAD_ARGUMENT;
}

static inline int is_number(double x, int is_null)
{
    return !is_null || isnan(x) || (x <= 0.0 && x >= -1.0);
}

static inline int is_text(const char* text, const char* name, int is_null)
{
    const size_t length = strlen(name);
    const int is_message =
        strstr(name, "_message") != NULL || strcmp(name + length - 5, "_name") == 0;
    volatile size_t read = text != NULL ? strlen(text) : 0;  // it can be read
    (void)read;
    return !is_null || !is_message || text != NULL;
}

static inline int is_object(const void* object, int is_null) { return !is_null || object == NULL; }

// Callbacks that end what calls them.
static tml_status watch_nothing(void* self, const tml_sim* sim)
{
    (void)self;
    (void)sim;
    return TML_CANCELLED;
}

static int stop_at_once(void* self, const tml_optimize_report* report, const double* x)
{
    (void)self;
    (void)report;
    (void)x;
    return 1;
}

#define VALID_tml_problem_watch     watch_nothing
#define VALID_tml_optimize_progress stop_at_once

#include "null_calls.h"

// Those that mean something by NULL: nothing is to be closed; no file, the usual columns.
static int takes_null(const char* name)
{
    return strcmp(name, "tml_recorder_close") == 0 || strcmp(name, "tml_record_usual") == 0;
}

enum {
    CALLS = sizeof null_calls / sizeof *null_calls
};

// ---- objects that are there

static const char scene_text[] =
    "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], "
    "\"position\": [1, 0, 0], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}, {\"name\": "
    "\"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 0]}], \"joints\": "
    "[{\"name\": "
    "\"x\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": \"a\", \"axis\": [0, 1, 0], "
    "\"actuation\": \"force\", \"control\": 0}, {\"name\": \"y\", \"type\": \"spherical\", "
    "\"base\": \"a\", \"follower\": \"b\", \"position\": [1, 0, 0]}], \"simulation\": "
    "{\"contact\": "
    "true}}";

static const char problem_text[] =
    "{\"scene\": \"s.json\", \"duration\": 0.02, \"variables\": [{\"parameter\": \"mass\", \"of\": "
    "\"b\", \"lower\": 0.1, \"upper\": 5}], \"objective\": [{\"quantity\": \"position\", \"of\": "
    "\"b\", \"target\": [1, 0, -1]}], \"iterations\": 1}";

static const char sweep_text[] =
    "{\"parameters\": [{\"name\": \"m\", \"parameter\": \"mass\", \"of\": \"b\", \"grid\": [1, "
    "2]}], \"record\": [{\"name\": \"x\", \"quantity\": \"position\", \"of\": \"b\", "
    "\"component\": "
    "\"x\"}], \"duration\": 0.02}";

static void put(const char* name, const char* text)
{
    FILE* file = fopen(name, "wb");
    CHECK(file != NULL);
    if (file == NULL) return;
    fputs(text, file);
    fclose(file);
}

static void make_files(fixture* f)
{
    char why[400] = "";
    put("p.json", problem_text);
    put("r.csv", "t,a.px\n0,1\n1,2\n");
    CHECK(tml_recording_read_file("r.csv", why, sizeof why, &f->recording) == TML_OK);
    CHECK(tml_recorder_create(f->sim, "w.csv", TML_RECORD_POSE, why, sizeof why, &f->recorder) ==
          TML_OK);
    CHECK(tml_problem_read_file("p.json", f->model, 0.01, 0.02, &f->problem_def, why, sizeof why) ==
          TML_OK);
    if (why[0] != '\0') printf("%s\n", why);
    CHECK(tml_problem_create(f->model, &tml_scene_settings(f->scene)->sim, &f->problem_def,
                             &f->problem) == TML_OK);
    put("sweep.json", sweep_text);
    const tml_status status =
        tml_sweep_read_file("sweep.json", f->model, 0.01, 0.02, &f->sweep_def, why, sizeof why);
    if (status != TML_OK) printf("%s\n", why);
    CHECK(status == TML_OK);
    CHECK(tml_sweep_create(f->model, &tml_scene_settings(f->scene)->sim, &f->sweep_def,
                           &f->sweep) == TML_OK);
}

static fixture* make_fixture(void)
{
    static fixture f;
    mkdir(FOLDER, 0777);
    CHECK(chdir(FOLDER) == 0);
    f.text = "x";
    f.scene = tml_scene_create();
    CHECK(tml_scene_read_text(f.scene, scene_text, strlen(scene_text), "s.json") == TML_OK);
    CHECK(tml_scene_build(f.scene, &f.model) == TML_OK);
    f.spec = tml_scene_spec(f.scene);
    const tml_sim_settings* settings = &tml_scene_settings(f.scene)->sim;
    const tml_assemble_settings assembly = tml_assemble_settings_default();
    tml_target target = tml_target_default();
    target.body = (tml_body){1};
    target.has_position = 1;
    for (int k = 0; k < 3; k++) target.position[k].kind = TML_CONTROL_CONSTANT;
    target.position[0].value = 2.0;
    CHECK(tml_sim_create(f.model, settings, &f.sim) == TML_OK);
    CHECK(tml_ik_create(f.model, &target, 1, &assembly, &f.ik) == TML_OK);
    CHECK(tml_batch_create(f.model, settings, 2, &f.batch) == TML_OK);
    CHECK(tml_derivatives_create(f.model, settings, 0, &f.derivatives) == TML_OK);
    CHECK(tml_doctor_create(f.model, &f.doctor) == TML_OK);
    CHECK(tml_dynamics_create(f.model, NULL, &f.dynamics) == TML_OK);
    make_files(&f);
    return &f;
}

// ---- the calls

enum {
    FINE,
    WRONG,
    CRASHED
};

// A child of its own, which a call may spoil.
static int try_call(const null_call* c, fixture* f, unsigned null, int n)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        (void)!freopen("/dev/null", "w", stderr);
        _exit(c->call(f, null, n) ? FINE : WRONG);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) <= WRONG ? WEXITSTATUS(status) : CRASHED;
}

static int check_call(const null_call* c, fixture* f, unsigned null, int n)
{
    const int result = try_call(c, f, null, n);
    if (result == FINE) return 1;
    printf("%s with pointers 0x%x NULL and counts of %d: %s\n", c->name, null, n,
           result == WRONG ? "a wrong answer" : "a crash");
    return 0;
}

TEST(no_function_crashes_on_null)
{
    fixture* f = make_fixture();
    int tried = 0;
    int bad = 0;
    for (int i = 0; i < CALLS; i++) {
        const null_call* c = &null_calls[i];
        int is_good = 1;
        for (int n = 0; n < 2 && c->pointers > 0 && !takes_null(c->name); n++) {
            // what an index of 1 or arrays of zeros do is another test's question
            if (n == 1 && try_call(c, f, 0, 1) == CRASHED) continue;
            for (int k = 0; k <= c->pointers; k++, tried++) {
                const unsigned all = (1u << c->pointers) - 1;
                const unsigned null = k < c->pointers ? 1u << k : all;
                if (is_good) is_good = check_call(c, f, null, n);
            }
        }
        bad += !is_good;
    }
    printf("%d functions, %d calls with NULL\n", (int)CALLS, tried);
    CHECK(bad == 0);
    CHECK(CALLS > 300);
}
