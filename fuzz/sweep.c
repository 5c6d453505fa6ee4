// fuzz/sweep.c - any bytes as a SWEEP of one pendulum, or as the results of one: libFuzzer looks for those that crash.
#include <trammel/sweep_results.h>
#include <trammel/trammel.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
    STEPS_MOST = 20,
    NUMBERS_MOST = 1000,
    ROWS = 2  // that are run
};

static tml_model* pendulum(void)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body_def rod = tml_body_def_default();
    tml_joint_def pin = tml_joint_def_default();
    rod.name = "rod";
    pin.name = "pin";
    pin.kind = TML_JOINT_REVOLUTE;
    pin.base = TML_WORLD;
    pin.follower = tml_spec_add_body(spec, &rod);
    pin.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &pin);
    (void)tml_spec_build(spec, &model);
    tml_spec_destroy(spec);
    return model;
}

// The first rows; one that is run again has the same bits.
static void run(tml_sweep* sweep)
{
    const int width = tml_sweep_number_count(sweep);
    const long long rows = tml_sweep_row_count(sweep) < ROWS ? tml_sweep_row_count(sweep) : ROWS;
    double* numbers = calloc(2 * ROWS * (size_t)width + 1, sizeof *numbers);
    tml_row first[ROWS];
    tml_row second[ROWS];
    if (numbers == NULL) return;
    double* again = numbers + ROWS * (size_t)width;
    if (tml_sweep_run(sweep, 0, rows, 1, first, numbers) == TML_OK) {
        if (tml_sweep_run(sweep, 0, rows, 1, second, again) != TML_OK) abort();
        if (memcmp(numbers, again, (size_t)rows * (size_t)width * sizeof *numbers) != 0) abort();
    }
    free(numbers);
}

static void read_results(const uint8_t* data, size_t size)
{
    char path[] = "fuzz-sweep.npz";  // in the folder that the fuzzer runs in
    char why[256];
    tml_sweep_results* r = NULL;
    FILE* file = fopen(path, "wb");
    if (file == NULL) abort();
    fwrite(data, 1, size, file);
    fclose(file);
    if (tml_sweep_results_read(path, why, sizeof why, &r) == TML_OK) {
        for (int i = 0; i < tml_sweep_results_count(r); i++) {
            const tml_sweep_array a = tml_sweep_results_array(r, i);
            (void)tml_sweep_results_number(r, i, a.rows - 1, a.width - 1);
        }
    }
    tml_sweep_results_destroy(r);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tml_model* model;  // the same for all inputs
    char why[256];
    tml_sweep_def def;
    if (size > 1 && data[0] == 'P' && data[1] == 'K') {
        read_results(data, size);
        return 0;
    }
    if (model == NULL) model = pendulum();
    if (model == NULL) abort();
    if (tml_sweep_read_text((const char*)data, size, "fuzz", model, 0.01, 0.1, &def, why,
                            sizeof why) != TML_OK) {
        return 0;
    }
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_sweep* sweep = NULL;
    if (tml_sweep_create(model, &settings, &def, &sweep) == TML_OK && def.steps <= STEPS_MOST &&
        def.halvings <= 3 && tml_sweep_number_count(sweep) <= NUMBERS_MOST) {
        run(sweep);
    }
    tml_sweep_destroy(sweep);
    tml_sweep_def_destroy(&def);
    return 0;
}
