// test/long/redundant_doctor.c - the doctor on the largest mechanism.
#include "test/scenes/placed.h"

#include <trammel/doctor.h>

// 547 of 1980 rows are redundant; six freedoms are rigid and one opens the sphere.
TEST(the_doctor_finds_rank_1433_and_seven_freedoms_of_the_sphere)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes seconds; set TRAMMEL_TEST_LONG");
    placed p = place_scene("hoberman-sphere");
    tml_doctor* d = NULL;
    CHECK(tml_doctor_create(p.model, &d) == TML_OK);
    const tml_doctor_report r = tml_doctor_get_report(d);
    printf("rank %d of %d rows, mobility %d, kept %.1e, dropped %.1e, singular value %.2e\n",
           r.rank, r.rows, r.mobility, r.kept, r.dropped, r.singular_value);
    CHECK(r.rows == 1980);
    CHECK(r.rank == 1433);
    CHECK(r.redundant_rows == 547);
    CHECK(r.mobility == 7);
    CHECK(r.overactuation == 0);
    CHECK(r.loops == 181);
    CHECK_TEXT(r.motion_class, "passive/redundant");
    CHECK(r.kept > 1e3 * r.dropped);  // the gap that a rank may rest on
    for (int k = 0; k < tml_doctor_redundant_count(d); k++) {
        CHECK(tml_doctor_redundant(d, k)->conflict <= 1e-12);  // hundreds of roundings of a metre
        CHECK(tml_doctor_redundant(d, k)->depends_count > 0);
    }
    tml_doctor_destroy(d);
    placed_free(&p);
}
