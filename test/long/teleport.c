// test/long/teleport.c - ten thousand joints set by hand.
//
//   TRAMMEL_TEST_LONG=1 build/test/long_teleport
//   TRAMMEL_TEST_LONG=1 TRAMMEL_TEST_SCENE=delta-robot build/test/long_teleport      one scene of them
//
// Processor time of 770 teleports each: delta-robot 46 s, satellite-like 38 s, rack-and-pinion 8 s,
// joint-zoo 2 s.
#include "test/analysis/teleports.h"
#include "test/check.h"

TEST(ten_thousand_random_teleports_assemble_or_say_why)
{
    const char* only = getenv("TRAMMEL_TEST_SCENE");
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    for (int i = 0; i < TELEPORT_SCENES; i++) {
        if (only != NULL && strcmp(only, teleport_scenes[i]) != 0) continue;
        teleport_at_random(teleport_scenes[i], 10000 / TELEPORT_SCENES + 1);
        fflush(stdout);
    }
}
