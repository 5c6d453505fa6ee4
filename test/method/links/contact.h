// test/method/links/contact.h - forces of contacts on links against differences, and runs that go on with the same bits.
#ifndef TRAMMEL_TEST_METHOD_LINKS_CONTACT_H
#define TRAMMEL_TEST_METHOD_LINKS_CONTACT_H

#include "linalg/lanes.h"
#include "method/links/contact.h"
#include "test/check.h"
#include "test/difference.h"
#include "test/scenario/affine.h"

// Shift the end of the step of a link along an axis, or turn it about one.
static inline void nudge(const link_system* l, int place, int column, double by)
{
    double* lane = tml__links_lane(l, place);
    if (column < 3) {
        lane[(LINK_MOVE + column) * LANES] += by;
        return;
    }
    const mat3 turn = q_matrix(q_about(column - 3, by));
    mat3 end;
    for (int k = 0; k < 9; k++) end.m[k / 3][k % 3] = lane[(LINK_END + k) * LANES];
    end = m3_mul(turn, end);
    for (int k = 0; k < 9; k++) lane[(LINK_END + k) * LANES] = end.m[k / 3][k % 3];
}

static inline void wrench_at(link_system* l, int link, int column, double by, double out[6])
{
    const int place = l->touch->links[link].place;
    double kept[LINK_STATE];
    double* lane = tml__links_lane(l, place);
    for (int k = 0; k < LINK_STATE; k++) kept[k] = lane[k * LANES];
    nudge(l, place, column, by);
    CHECK(tml__links_touch_evaluate(l) == TML_OK);
    memcpy(out, l->touch->links[link].wrench, 6 * sizeof(double));
    for (int k = 0; k < LINK_STATE; k++) lane[k * LANES] = kept[k];
}

static inline void add_column(link_system* l, int link, int column, slope* found)
{
    static const double e = 1e-6;  // m and rad; links lie half a millimetre deep
    double there[6], back[6], halfway[6], half_back[6];
    double exact[6];
    CHECK(tml__links_touch_evaluate(l) == TML_OK);
    for (int k = 0; k < 6; k++) exact[k] = -l->touch->links[link].slope[6 * k + column];
    wrench_at(l, link, column, e, there);
    wrench_at(l, link, column, -e, back);
    wrench_at(l, link, column, 0.5 * e, halfway);
    wrench_at(l, link, column, -0.5 * e, half_back);
    for (int k = 0; k < 6; k++) {
        slope_add(found, exact[k], (there[k] - back[k]) / (2.0 * e),
                  (halfway[k] - half_back[k]) / e);
    }
}

// One run goes on, one from its saved state with three threads, one is asked about contacts and a load on its way:
// questions move nothing, and all end with the same bits.
static inline void check_same_bits(tml_status (*start)(run*, const char*, tml_solver, double),
                                   const char* text, int steps, int contacts, int joint, int body)
{
    tml_pose last[3];
    for (int k = 0; k < 3; k++) {
        run r;
        CHECK(start(&r, text, TML_SOLVER_AUTO, 5e-3) == TML_OK);
        CHECK(run_steps(&r, steps) == TML_OK);
        if (k == 1) {
            const size_t bytes = tml_sim_state_size(r.sim);
            void* saved = malloc(bytes);
            CHECK(tml_sim_save(r.sim, saved) == TML_OK);
            r.settings.threads = 3;
            CHECK(run_start(&r) == TML_OK);
            CHECK(tml_sim_restore(r.sim, saved, bytes) == TML_OK);
            free(saved);
        }
        if (k == 2) {
            CHECK(tml_sim_contact_count(r.sim) > contacts);
            (void)tml_sim_joint_load(r.sim, (tml_joint){joint});
        }
        CHECK(run_steps(&r, steps) == TML_OK);
        last[k] = tml_sim_pose(r.sim, (tml_body){body});
        run_close(&r);
    }
    CHECK(memcmp(&last[0], &last[1], sizeof last[0]) == 0);
    CHECK(memcmp(&last[0], &last[2], sizeof last[0]) == 0);
}

#endif
