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
static void run_scenes(const long_scene* scenes, int count)
{
    static const tml_integrator both[2] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED};
    for (int i = 0; i < 2 * count; i++) {
        const long_scene* s = &scenes[i / 2];
        run r;
        CHECK(run_text(&r, s->text) == TML_OK);
        r.settings.integrator = both[i % 2];
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

#define RUN(scenes)                                                                                \
    do {                                                                                           \
        if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("set TRAMMEL_TEST_LONG to run it");          \
        run_scenes(scenes, (int)(sizeof scenes / sizeof *(scenes)));                               \
    } while (0)

TEST(chains_keep_closed_joints_and_falling_energy)
{
    static const long_scene scenes[] = {
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
    RUN(scenes);
}

TEST(one_kilometre_of_chain)
{
    static const long_scene scenes[] = {
        {"chain 20000, horizontal", CHAIN_TEXT(20000, "spherical", "horizontal", ""), 0.01, 10.0},
        {"chain 20000, coiled", CHAIN_TEXT(20000, "spherical", "coil", ""), 0.01, 10.0},
    };
    RUN(scenes);
}

TEST(fifty_four_kilometres_of_chain)
{
    static const long_scene scenes[] = {
        {"chain 1076748, coiled", CHAIN_TEXT(1076748, "spherical", "coil", ""), 0.01, 1.0},
    };
    RUN(scenes);
}

TEST(a_tree)
{
    static const long_scene scenes[] = {{"tree 21000", TREE_TEXT(21000), 0.01, 10.0}};
    RUN(scenes);
}

TEST(nets)
{
    static const long_scene scenes[] = {
        {"net 10 x 10, 1/30 s", NET_TEXT(10), 1.0 / 30.0, 10.0},
        {"net 20 x 20", NET_TEXT(20), 0.01, 10.0},
    };
    RUN(scenes);
}
