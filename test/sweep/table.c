// test/sweep/table.c - rows of a sweep: which numbers, which results, and that neither order nor threads show.
#include "test/check.h"

#include <trammel/trammel.h>

static const char scene_text[] =
    "{\"trammel\": 1, \"gravity\": [0, 0, 0], \"bodies\": ["
    "{\"name\": \"ball\", \"mass\": 2, \"inertia\": [0.1, 0.1, 0.1], \"velocity\": [1, 0, 0]},"
    "{\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.01, 0.083, 0.083], \"position\": [0.5, 5, "
    "0]}],"
    "\"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\", \"follower\": "
    "\"rod\", \"position\": [0, 5, 0], \"axis\": [0, 1, 0], \"actuation\": \"force\"}],"
    "\"simulation\": {\"step\": 0.01, \"duration\": 0.5}}";

typedef struct fixture {
    tml_scene* scene;
    tml_model* model;
    tml_sweep_def def;
    tml_sweep* sweep;
    char why[512];
} fixture;

static tml_status open(fixture* f, const char* scene, const char* text)
{
    *f = (fixture){.scene = tml_scene_create()};
    CHECK(tml_scene_read_text(f->scene, scene, strlen(scene), "scene") == TML_OK);
    CHECK(tml_scene_build(f->scene, &f->model) == TML_OK);
    const tml_run_settings* run = tml_scene_settings(f->scene);
    tml_status status =
        tml_sweep_read_text(text, strlen(text), "sweep.json", f->model, run->sim.step,
                            run->duration, &f->def, f->why, sizeof f->why);
    if (status != TML_OK) return status;
    status = tml_sweep_create(f->model, &run->sim, &f->def, &f->sweep);
    if (status != TML_OK) snprintf(f->why, sizeof f->why, "%s", tml_sweep_message(f->sweep));
    return status;
}

static void close(fixture* f)
{
    tml_sweep_destroy(f->sweep);
    tml_sweep_def_destroy(&f->def);
    tml_model_destroy(f->model);
    tml_scene_destroy(f->scene);
}

TEST(grids_go_through_all_pairs_and_lists_advance_together)
{
    fixture f;
    double v[4];
    const tml_status status = open(
        &f, scene_text,
        "{\"samples\": 2, \"parameters\": ["
        "{\"parameter\": \"mass\", \"of\": \"ball\", \"grid\": [1, 2, 3]},"
        "{\"parameter\": \"mass\", \"of\": \"rod\", \"list\": [10, 20]},"
        "{\"parameter\": \"gravity\", \"component\": \"z\", \"grid\": {\"from\": 1, \"to\": 4, "
        "\"count\": 3, \"spacing\": \"log\"}},"
        "{\"parameter\": \"velocity\", \"of\": \"ball\", \"component\": \"tx\", \"list\": [5, 6]}],"
        "\"record\": [{\"quantity\": \"kinetic\"}]}");
    CHECK(status == TML_OK);
    CHECK(tml_sweep_row_count(f.sweep) == 3 * 2 * 3 * 2);
    for (int row = 0; row < 36; row++) {
        tml_sweep_values(f.sweep, row, v);
        const int point = row / 2;
        CHECK_NEAR(v[1], point < 9 ? 10 : 20, 0.0);
        CHECK_NEAR(v[3], point < 9 ? 5 : 6, 0.0);
        CHECK_NEAR(v[0], 1 + point / 3 % 3, 0.0);
        CHECK_NEAR(v[2], 1 << point % 3, 4e-15);  // a logarithm to 3 ulp
    }
    close(&f);
}

// A ball that nothing pushes: m v^2 / 2, v t; their slopes are m v and t.
TEST(results_and_gradients_are_those_of_closed_forms)
{
    fixture f;
    double v[2];
    CHECK(open(&f, scene_text,
               "{\"samples\": 5, \"seed\": 3, \"parameters\": ["
               "{\"parameter\": \"mass\", \"of\": \"ball\", \"normal\": [1, 0.05], \"relative\": "
               "true},"
               "{\"parameter\": \"velocity\", \"of\": \"ball\", \"component\": \"tx\", "
               "\"uniform\": [1, 3]}],"
               "\"record\": [{\"quantity\": \"kinetic\", \"gradient\": true},"
               "{\"quantity\": \"position\", \"of\": \"ball\", \"component\": \"x\", \"take\": "
               "\"max\", \"gradient\": true},"
               "{\"quantity\": \"position\", \"of\": \"ball\", \"component\": \"x\", \"take\": "
               "\"mean\", \"gradient\": true},"
               "{\"quantity\": \"position\", \"of\": \"ball\", \"component\": \"x\", \"take\": "
               "\"series\", \"every\": 10}]}") == TML_OK);
    const int width = tml_sweep_number_count(f.sweep);
    CHECK(width == 3 * 3 + 6);
    tml_row rows[5];
    double numbers[5 * 15];
    CHECK(tml_sweep_run(f.sweep, 0, 5, 2, rows, numbers) == TML_OK);
    for (int i = 0; i < 5; i++) {
        const double* n = &numbers[i * width];
        tml_sweep_values(f.sweep, i, v);
        CHECK(rows[i].status == TML_ROW_DONE);
        CHECK_NEAR(rows[i].end, 0.5, 1e-12);
        CHECK(v[0] > 1.5 && v[0] < 2.5 && v[1] > 1 && v[1] < 3);
        // roundings of fifty steps
        CHECK_NEAR(n[0], 0.5 * v[0] * v[1] * v[1], 1e-10);
        CHECK_NEAR(n[1], 0.5 * v[1] * v[1], 1e-10);
        CHECK_NEAR(n[2], v[0] * v[1], 1e-10);
        CHECK_NEAR(n[3], 0.5 * v[1], 1e-10);
        CHECK_NEAR(n[4], 0.0, 1e-10);
        CHECK_NEAR(n[5], 0.5, 1e-10);
        CHECK_NEAR(n[6], 0.25 * v[1], 1e-10);
        CHECK_NEAR(n[8], 0.25, 1e-10);
        for (int k = 0; k < 6; k++) CHECK_NEAR(n[9 + k], 0.1 * k * v[1], 1e-10);
    }
    close(&f);
}

// The other way to the same numbers: a scene that has them, and a simulation of it.
TEST(a_row_is_the_run_of_a_scene_with_its_numbers)
{
    fixture f;
    fixture own;
    double v[3];
    tml_row row;
    double numbers[2];
    char text[1200];
    CHECK(open(&f, scene_text,
               "{\"samples\": 4, \"parameters\": ["
               "{\"parameter\": \"mass\", \"of\": \"rod\", \"uniform\": [0.5, 2]},"
               "{\"parameter\": \"gravity\", \"component\": \"z\", \"uniform\": [-12, -8]},"
               "{\"parameter\": \"control\", \"of\": \"pin\", \"component\": \"rx\", \"uniform\": "
               "[-1, 1]}],"
               "\"record\": [{\"quantity\": \"coordinate\", \"of\": \"pin\", \"component\": "
               "\"rx\"}, {\"quantity\": \"angular_velocity\", \"of\": \"rod\", \"component\": "
               "\"y\", \"take\": \"max\"}]}") == TML_OK);
    CHECK(tml_sweep_run(f.sweep, 2, 1, 1, &row, numbers) == TML_OK);
    tml_sweep_values(f.sweep, 2, v);
    snprintf(
        text, sizeof text,
        "{\"trammel\": 1, \"gravity\": [0, 0, %.17g], \"bodies\": [{\"name\": \"rod\", "
        "\"mass\": %.17g, \"inertia\": [0.01, 0.083, 0.083], \"position\": [0.5, 5, 0]}],"
        "\"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\", "
        "\"follower\": \"rod\", \"position\": [0, 5, 0], \"axis\": [0, 1, 0], \"actuation\": "
        "\"force\", \"control\": %.17g}], \"simulation\": {\"step\": 0.01, \"duration\": 0.5}}",
        v[1], v[0], v[2]);
    own = (fixture){.scene = tml_scene_create()};
    CHECK(tml_scene_read_text(own.scene, text, strlen(text), "own") == TML_OK);
    CHECK(tml_scene_build(own.scene, &own.model) == TML_OK);
    tml_sim* sim = NULL;
    double q[TML_AXES];
    double most = 0.0;
    CHECK(tml_sim_create(own.model, &tml_scene_settings(own.scene)->sim, &sim) == TML_OK);
    for (int k = 0; k < 50; k++) {
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
        most = fmax(most, tml_sim_velocity(sim, (tml_body){0}).angular.y);
    }
    tml_sim_joint_coordinates(sim, (tml_joint){0}, q);
    // the same equations, other roundings
    CHECK_NEAR(numbers[0], q[0], 1e-11);
    CHECK(fabs(numbers[0]) > 0.1);
    CHECK_NEAR(numbers[1], most, 1e-11);
    CHECK(most > 0.1);
    tml_sim_destroy(sim);
    close(&own);
    close(&f);
}

TEST(neither_threads_nor_order_show)
{
    enum {
        ROWS = 60
    };
    fixture f;
    static tml_row rows[3][ROWS];
    static double numbers[3][ROWS * 2];
    CHECK(open(&f, scene_text,
               "{\"samples\": 60, \"duration\": 0.1, \"parameters\": ["
               "{\"parameter\": \"mass\", \"of\": \"rod\", \"log_normal\": [1, 0.2]},"
               "{\"parameter\": \"velocity\", \"of\": \"*\", \"component\": \"tz\", "
               "\"log_uniform\": [0.1, 10]}],"
               "\"record\": [{\"quantity\": \"kinetic\"}, {\"quantity\": \"position\", \"of\": "
               "\"rod\", \"component\": \"z\"}]}") == TML_OK);
    CHECK(tml_sweep_run(f.sweep, 0, ROWS, 1, rows[0], numbers[0]) == TML_OK);
    CHECK(tml_sweep_run(f.sweep, 0, ROWS, 3, rows[1], numbers[1]) == TML_OK);
    for (int i = ROWS - 1; i >= 0; i--) {
        CHECK(tml_sweep_run(f.sweep, i, 1, 1, &rows[2][i], &numbers[2][2 * i]) == TML_OK);
    }
    for (int k = 1; k < 3; k++) {
        CHECK(memcmp(rows[0], rows[k], sizeof rows[0]) == 0);
        CHECK(memcmp(numbers[0], numbers[k], sizeof numbers[0]) == 0);
    }
    close(&f);
}

// A negative mass is no body's; a big step is too much for a fast rod, half of it is not.
TEST(failures_are_told_by_row_and_retried_with_half_the_step)
{
    fixture f;
    tml_row rows[2];
    double numbers[2];
    CHECK(open(&f, scene_text,
               "{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"list\": [1, -1]}],"
               "\"record\": [{\"quantity\": \"kinetic\"}]}") == TML_OK);
    CHECK(tml_sweep_run(f.sweep, 0, 2, 1, rows, numbers) == TML_OK);
    CHECK(rows[0].status == TML_ROW_DONE && rows[1].status == TML_ROW_FAILED);
    CHECK_CONTAINS(rows[1].reason, "body 'rod' would have a mass of -1 kg");
    CHECK(isnan(numbers[1]));
    close(&f);

    CHECK(open(&f, scene_text,
               "{\"on_failure\": \"stop\", \"parameters\": [{\"parameter\": \"mass\", \"of\": "
               "\"rod\", \"list\": [-1, 1]}], \"record\": [{\"quantity\": \"kinetic\"}]}") ==
          TML_OK);
    CHECK(tml_sweep_run(f.sweep, 0, 2, 1, rows, numbers) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sweep_message(f.sweep), "row 0: body 'rod' would have a mass of -1 kg");
    CHECK(rows[1].status == TML_ROW_MISSING);
    close(&f);
}

TEST(what_is_wrong_in_a_file_is_told_with_its_line)
{
    static const struct {
        const char *text, *sentence;
    } wrong[] = {
        {"{\"record\": []}", "sweep.json:1: sweep needs 'parameters'"},
        {"{\"parameters\": [\n{\"parameter\": \"weight\"}], \"record\": []}",
         "sweep.json:2: parameter 0: 'parameter' is not one of docs/problem.md"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\"}], \"record\": []}",
         "parameter 0 needs one of 'grid', 'list', 'uniform'"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"grid\": [1], \"list\": "
         "[1]}], \"record\": []}",
         "parameter 0 needs one of 'grid', 'list', 'uniform'"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"stone\", \"grid\": [1]}], "
         "\"record\": []}",
         "there is no body 'stone'"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"log_normal\": [0, 1]}], "
         "\"record\": []}",
         "'log_normal' needs two numbers above 0"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"list\": [1, 2]}, "
         "{\"parameter\": \"mass\", \"of\": \"ball\", \"list\": [1]}], \"record\": "
         "[{\"quantity\": \"kinetic\"}]}",
         "its list has 1 values, the list before it 2"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"list\": [1]}], "
         "\"record\": "
         "[{\"quantity\": \"kinetic\"}, {\"quantity\": \"kinetic\"}]}",
         "two columns would be called 'kinetic.final'"},
        {"{\"parameters\": [{\"parameter\": \"mass\", \"of\": \"rod\", \"list\": [1]}], "
         "\"record\": "
         "[{\"quantity\": \"kinetic\", \"take\": \"series\", \"gradient\": true}]}",
         "a series has no gradient"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fixture f;
        CHECK(open(&f, scene_text, wrong[i].text) != TML_OK);
        CHECK_CONTAINS(f.why, wrong[i].sentence);
        close(&f);
    }
}
