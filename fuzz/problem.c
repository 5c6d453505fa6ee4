// fuzz/problem.c - any bytes as a PROBLEM about one pendulum: libFuzzer looks for those that crash.
#include <trammel/trammel.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tml_model* model;  // the same for all inputs
    char path[] = "fuzz-problem.json";  // in the folder that the fuzzer runs in
    char scene[256];
    char why[256];
    tml_problem_def def;
    FILE* file = fopen(path, "wb");
    if (model == NULL) model = pendulum();
    if (file == NULL || model == NULL) abort();
    fwrite(data, 1, size, file);
    fclose(file);
    (void)tml_problem_read_scene(path, scene, sizeof scene, why, sizeof why);
    if (tml_problem_read_file(path, model, 0.01, 0.1, &def, why, sizeof why) == TML_OK) {
        tml_problem_def_destroy(&def);
    }
    return 0;
}
