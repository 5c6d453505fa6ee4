// test/long/teleport.c - ten thousand joints set by hand.
#include "test/check.h"
#include "test/sim/teleports.h"

TEST(ten_thousand_random_teleports_assemble_or_say_why)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    for (int i = 0; i < TELEPORT_SCENES; i++) {
        teleport_at_random(teleport_scenes[i], 10000 / TELEPORT_SCENES + 1);
    }
}
