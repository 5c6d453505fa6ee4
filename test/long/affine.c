// test/long/affine.c - the hard scenes of the affine formulation, in full.            [notes 9.5]
//
// Minutes of work, so they run only where TRAMMEL_TEST_LONG is set; test/scenario/affine_energy.c
// has them in short form. The tables of docs/affine.md are printed by this program.
#include "test/scenario/affine.h"

typedef struct long_scene {
    const char* name;
    const char* text;
    double step, duration;  // s
} long_scene;

// No accepted step may open a joint beyond the tolerance or raise the energy beyond what the
// acceptance test takes for rounding.
static void run_scenes(const long_scene* scenes, int count, tml_integrator integrator)
{
    for (int i = 0; i < count; i++) {
        const long_scene* s = &scenes[i];
        run r;
        CHECK(run_text(&r, s->text) == TML_OK);
        r.settings.integrator = integrator;
        r.settings.step = s->step;
        CHECK(run_start(&r) == TML_OK);
        const int steps = (int)(s->duration / s->step + 0.5);
        const affine_record out = run_record(&r, steps);
        print_record(s->name, &r, &out);
        CHECK(out.steps == steps);
        CHECK(out.gap <= 1e-10);
        CHECK(out.rise <= 1e-9 * (1e-3 + out.size) + 1e-13 * fabs(out.first));
        run_close(&r);
    }
}

// Each list with both integrators, as tests of their own: they can be run one by one.
#define RUN(name, list, with)                                                                      \
    TEST(name)                                                                                     \
    {                                                                                              \
        if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("set TRAMMEL_TEST_LONG to run it");          \
        run_scenes(list, (int)(sizeof(list) / sizeof *(list)), with);                              \
    }
#define RUN_BOTH(list)                                                                             \
    RUN(list##_by_energy, list, TML_TIME_ENERGY)                                                   \
    RUN(list##_damped, list, TML_TIME_ENERGY_DAMPED)

static const long_scene chains[] = {
    {"chain 64, coiled", CHAIN_TEXT(64, "spherical", "coil", ""), 0.01, 10.0},
    {"chain 64, horizontal", CHAIN_TEXT(64, "spherical", "horizontal", ""), 0.01, 10.0},
    {"chain 64, hinges", CHAIN_TEXT(64, "revolute", "horizontal", ""), 0.01, 10.0},
    {"chain 1024, horizontal", CHAIN_TEXT(1024, "spherical", "horizontal", ""), 0.01, 10.0},
    {"chain 1024, coiled", CHAIN_TEXT(1024, "spherical", "coil", ""), 0.01, 10.0},
    {"100 links, 1000 x, 1 ms", CHAIN_TEXT(100, "spherical", "zigzag", ", \"end_mass\": 100"),
     0.001, 10.0},
    {"100 links, 1000 x, 10 ms", CHAIN_TEXT(100, "spherical", "zigzag", ", \"end_mass\": 100"),
     0.01, 10.0},
};

static const long_scene kilometre[] = {
    {"chain 20000, horizontal", CHAIN_TEXT(20000, "spherical", "horizontal", ""), 0.01, 10.0},
};

static const long_scene coil[] = {
    {"chain 20000, coiled", CHAIN_TEXT(20000, "spherical", "coil", ""), 0.01, 10.0},
};

static const long_scene million[] = {
    {"chain 1076748, coiled", CHAIN_TEXT(1076748, "spherical", "coil", ""), 0.01, 1.0},
};

static const long_scene tree[] = {{"tree 21000", TREE_TEXT(21000), 0.01, 10.0}};

static const long_scene nets[] = {
    {"net 10 x 10, 1/30 s", NET_TEXT(10), 1.0 / 30.0, 10.0},
    {"net 20 x 20", NET_TEXT(20), 0.01, 10.0},
};

RUN_BOTH(chains)
RUN_BOTH(kilometre)
RUN_BOTH(coil)
RUN_BOTH(million)
RUN_BOTH(tree)
RUN_BOTH(nets)
