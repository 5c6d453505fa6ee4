// test/long/redundant_singular.c - four seconds of Hoberman's sphere at 10 ms and at 1 ms.
#include "test/redundant/singular.h"

TEST(the_sphere_is_thrown_for_four_seconds_at_ten_milliseconds)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes a minute; set TRAMMEL_TEST_LONG");
    const sphere_run s = throw_sphere(0.01, 4.0);
    check_sphere(&s);
    CHECK_NEAR(s.before, s.first, 0.002 * s.first);  // of the notes: 0.2 % away from extension
    CHECK(s.after < 0.8 * s.before && s.after > 0.7 * s.before);  // 11.94 to 8.92 J
    CHECK(s.crossings >= 4);
}

TEST(the_sphere_is_thrown_for_four_seconds_at_one_millisecond)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    const sphere_run s = throw_sphere(0.001, 4.0);
    check_sphere(&s);
    CHECK_NEAR(s.before, s.first, 1e-4 * s.first);  // of the notes: 1e-5, the start's share apart
    CHECK_NEAR(s.after, 11.856, 0.01);              // J, of the notes
    CHECK(s.crossings >= 4);
}
