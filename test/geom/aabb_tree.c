// The tree of boxes against looking at every pair.
#include "geom/aabb_tree.h"

#include "test/check.h"
#include "test/random.h"

enum {
    LEAVES = 300
};

static aabb random_box(random_source* r)
{
    const vec3 at = random_vec3(r, 5.0);
    const vec3 half =
        v3(random_between(r, 0.0, 0.5), random_between(r, 0.0, 0.5), random_between(r, 0.0, 0.5));
    return (aabb){v3_sub(at, half), v3_add(at, half)};
}

TEST(queries_find_what_overlaps_while_boxes_move)
{
    random_source r = random_start(121);
    aabb_tree* t = NULL;
    static aabb boxes[LEAVES];
    int found[LEAVES];
    CHECK(tml__aabb_tree_create(LEAVES, NULL, &t) == TML_OK);
    CHECK(tml__aabb_tree_height(t) == -1);
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < LEAVES; i++) {
            const vec3 step = random_vec3(&r, round % 10 == 0 ? 5.0 : 0.05);
            if (round == 0) boxes[i] = random_box(&r);
            boxes[i] = (aabb){v3_add(boxes[i].low, step), v3_add(boxes[i].high, step)};
            tml__aabb_tree_place(t, i, &boxes[i], 0.1);
        }
        // AVL trees of 300 leaves are at most 1.44 log2(300) = 12 high
        CHECK(tml__aabb_tree_height(t) <= 12);
        for (int k = 0; k < 30; k++) {
            const aabb asked = random_box(&r);
            const int above = k % 3 == 0 ? 10 * k : -1;
            const int count = tml__aabb_tree_query(t, &asked, above, found, LEAVES);
            int seen[LEAVES] = {0};
            for (int i = 0; i < count; i++) seen[found[i]]++;
            for (int i = 0; i < LEAVES; i++) {
                const aabb fat = aabb_grown(boxes[i], 0.25);
                CHECK(seen[i] <= 1);
                // everything that overlaps is found; what is found is not farther than the fat boxes
                if (aabb_overlap(&boxes[i], &asked)) CHECK(seen[i] == (i > above ? 1 : 0));
                if (i <= above) CHECK(seen[i] == 0);
                if (seen[i]) CHECK(aabb_overlap(&fat, &asked));
            }
        }
    }
    // less room than there are leaves: the count still tells
    const aabb all = {{-100, -100, -100}, {100, 100, 100}};
    CHECK(tml__aabb_tree_query(t, &all, -1, found, 10) == LEAVES);
    tml__aabb_tree_destroy(t);
    tml__aabb_tree_destroy(NULL);
}

TEST(an_empty_tree_finds_nothing)
{
    aabb_tree* t = NULL;
    int found[1];
    const aabb all = {{-1, -1, -1}, {1, 1, 1}};
    CHECK(tml__aabb_tree_create(0, NULL, &t) == TML_OK);
    CHECK(tml__aabb_tree_query(t, &all, -1, found, 0) == 0);
    tml__aabb_tree_destroy(t);
}
