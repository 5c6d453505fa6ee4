// test/long/mechanisms.c - the two largest mechanisms, where each dense factorisation takes seconds.
#include "test/scenes/placed.h"

// The numbers of the notes: 547 of 1980 rows are redundant, six rigid freedoms and one of opening.
TEST(hoberman_s_sphere_has_rank_1433_and_seven_freedoms)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes seconds; set TRAMMEL_TEST_LONG");
    placed p = place_scene("hoberman-sphere");

    fill_rows(&p, 0.0);
    const rank_report r = rank_of_rows(&p);
    CHECK(r.rank == 1433);
    CHECK(p.rows - r.rank == 547);
    CHECK(p.columns - r.rank == 7);
    CHECK(r.kept > 1e-3);      // 0.02 measured
    CHECK(r.dropped < 1e-12);  // 1e-14 measured
    placed_free(&p);
}

// All motors are farthest from load after one second, half of their period.
TEST(the_iron_man_reaches_its_farthest_pose)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes seconds; set TRAMMEL_TEST_LONG");
    placed p = place_scene("iron-man-like");
    for (int k = 1; k <= 4; k++) CHECK(follow_targets(&p, 0.25 * k) <= 1e-12);
    CHECK(rank_of_rows(&p).rank == 906);
    placed_free(&p);
}
