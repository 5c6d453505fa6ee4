// The sweep along an axis against looking at every pair.
#include "geom/axis_sweep.h"

#include "test/check.h"
#include "test/random.h"

enum {
    BOXES = 300
};

static aabb random_box(random_source* r, vec3 spread)
{
    const vec3 at = random_vec3(r, 1.0);
    const vec3 half =
        v3(random_between(r, 0.0, 0.5), random_between(r, 0.0, 0.5), random_between(r, 0.0, 0.5));
    const vec3 c = v3(spread.x * at.x, spread.y * at.y, spread.z * at.z);
    return (aabb){v3_sub(c, half), v3_add(c, half)};
}

// Every near pair is listed once, in rising order; nothing is listed that is farther than two margins.
static void check_pairs(const axis_sweep* s, const aabb* boxes, int stride, double margin)
{
    for (int i = 0; i < BOXES; i++) {
        const int* list;
        const int count = tml__axis_sweep_partners(s, i, &list);
        bool is_listed[BOXES] = {false};
        for (int k = 0; k < count; k++) {
            CHECK(list[k] > (k > 0 ? list[k - 1] : i));
            is_listed[list[k]] = true;
        }
        for (int j = 0; j < BOXES; j++) {
            const bool is_asked = j > i && i % stride == 0 && j % stride == 0;
            const aabb near = aabb_grown(boxes[i], margin);
            const aabb wide = aabb_grown(boxes[i], 2.0 * margin + 1e-12);  // roundings
            if (is_asked && aabb_overlap(&near, &boxes[j])) CHECK(is_listed[j]);
            if (is_listed[j]) CHECK(is_asked && aabb_overlap(&wide, &boxes[j]));
        }
    }
}

TEST(near_pairs_are_listed_whichever_axis_is_the_widest)
{
    random_source r = random_start(77);
    static aabb boxes[BOXES];
    axis_sweep* s = NULL;
    CHECK(tml__axis_sweep_create(BOXES, NULL, &s) == TML_OK);
    for (int round = 0; round < 40; round++) {
        const double wide[3] = {3.0, 4.0, 5.0};
        const vec3 spread = v3(wide[round % 3], wide[(round + 1) % 3], wide[(round + 2) % 3]);
        const bool is_new = round % 8 == 0;  // thrown about anew, else a little on
        const int stride = round % 5 == 4 ? 2 : 1;
        tml__axis_sweep_begin(s);
        for (int i = 0; i < BOXES; i++) {
            const vec3 step = random_vec3(&r, 0.1);
            if (is_new) boxes[i] = random_box(&r, spread);
            boxes[i] = (aabb){v3_add(boxes[i].low, step), v3_add(boxes[i].high, step)};
            if (i % stride == 0) tml__axis_sweep_add(s, i, &boxes[i]);
        }
        CHECK(tml__axis_sweep_find(s, 0.05));
        check_pairs(s, boxes, stride, 0.05);
    }
    tml__axis_sweep_destroy(s);
    tml__axis_sweep_destroy(NULL);
}

TEST(a_heap_in_one_place_is_refused)
{
    axis_sweep* s = NULL;
    CHECK(tml__axis_sweep_create(BOXES, NULL, &s) == TML_OK);
    tml__axis_sweep_begin(s);
    const aabb box = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < BOXES; i++) tml__axis_sweep_add(s, i, &box);
    CHECK(!tml__axis_sweep_find(s, 0.0));  // 44 850 pairs
    tml__axis_sweep_begin(s);
    CHECK(tml__axis_sweep_find(s, 0.0));
    tml__axis_sweep_destroy(s);
}

TEST(sticks_that_lie_side_by_side_are_refused_after_too_many_comparisons)
{
    enum {
        STICKS = 4000,
        ROW = 64
    };
    axis_sweep* s = NULL;
    CHECK(tml__axis_sweep_create(STICKS, NULL, &s) == TML_OK);
    // all of them overlap along x, on which their middles spread most, and none anywhere else
    for (int count = STICKS / 4; count <= STICKS; count *= 4) {
        tml__axis_sweep_begin(s);
        for (int i = 0; i < count; i++) {
            const double y = 0.1 * (i % ROW);
            const double z = 0.1 * (double)(i / ROW);
            const double x = 0.1 * (i % 400);
            const aabb box = {.low = v3(x - 1e3, y, z), .high = v3(x + 1e3, y + 0.05, z + 0.05)};
            tml__axis_sweep_add(s, i, &box);
        }
        // half a million comparisons are made, eight million are not
        CHECK(tml__axis_sweep_find(s, 0.0) == (count < STICKS));
    }
    tml__axis_sweep_destroy(s);
}

// Nothing is read behind the last box where one has no end; the sanitizers see it.
TEST(a_box_without_end_meets_all_that_are_beside_it)
{
    axis_sweep* s = NULL;
    CHECK(tml__axis_sweep_create(BOXES, NULL, &s) == TML_OK);
    for (int count = 1; count <= 41; count += 5) {
        tml__axis_sweep_begin(s);
        for (int i = 0; i < count; i++) {
            const double end = i == 0 ? HUGE_VAL : 10.0 * i + 1.0;
            const aabb box = {.low = v3(10.0 * i, 0.0, 0.0), .high = v3(end, 1.0, 1.0)};
            tml__axis_sweep_add(s, i, &box);
        }
        CHECK(tml__axis_sweep_find(s, 0.0));
        for (int i = 0; i < count; i++) {
            const int* list;
            CHECK(tml__axis_sweep_partners(s, i, &list) == (i == 0 ? count - 1 : 0));
        }
    }
    tml__axis_sweep_destroy(s);
}
