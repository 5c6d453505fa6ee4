// test/long/redundant_references.c - forty windows through their singular poses.
#include "test/redundant/windows.h"

TEST(forty_windows_pass_their_singular_pose_as_parallelograms)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes seconds; set TRAMMEL_TEST_LONG");
    check_windows_order(40, 0.4, 500);
    check_windows_order(40, 1.0, 500);
}
