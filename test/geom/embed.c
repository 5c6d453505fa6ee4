// test/geom/embed.c - points in tetrahedra: the right one, weights that give the point back, and that
// go with any affine motion.
#include "geom/embed.h"

#include "test/check.h"
#include "test/random.h"
#include "test/scenario/soft.h"

static soft_box box;

static embed_mesh fill(void)
{
    soft_fill(&box, (const int[3]){4, 3, 2}, (tml_vec3){-1.0, 0.5, 2.0}, (tml_vec3){2.0, 1.2, 0.9});
    return (embed_mesh){box.vertices, box.tetrahedron_count, box.tetrahedra};
}

static vec3 sum_of(const mapping_term* terms, const vec3* vertices)
{
    vec3 sum = v3_zero();
    for (int a = 0; a < 4; a++) sum = v3_axpy(sum, terms[a].weight, vertices[terms[a].input]);
    return sum;
}

static double smallest_weight(const mapping_term* terms)
{
    double least = terms[0].weight;
    for (int a = 1; a < 4; a++) least = fmin(least, terms[a].weight);
    return least;
}

// The largest smallest weight that any tetrahedron has for a point.
static double best_of_all(const embed_mesh* mesh, vec3 x)
{
    double best = -1e300;
    for (int i = 0; i < mesh->count; i++) {
        vec3 corner[4];
        double w[4];
        for (int a = 0; a < 4; a++) corner[a] = mesh->vertices[mesh->corners[4 * i + a]];
        if (!tml__barycentric(corner, x, w)) continue;
        best = fmax(best, fmin(fmin(w[0], w[1]), fmin(w[2], w[3])));
    }
    return best;
}

TEST(inner_points_lie_in_the_tetrahedron_that_is_found)
{
    const embed_mesh mesh = fill();
    random_source random = random_start(8);
    for (int k = 0; k < 500; k++) {
        const vec3 x = {random_between(&random, -1.0, 1.0), random_between(&random, 0.5, 1.7),
                        random_between(&random, 2.0, 2.9)};
        mapping_term terms[4];
        embed_worst worst;
        CHECK(tml__embed(&mesh, 1, &x, terms, &worst) == TML_OK);
        // a few roundings of numbers of size 3
        CHECK(v3_norm(v3_sub(sum_of(terms, box.vertices), x)) < 1e-14);
        CHECK(smallest_weight(terms) >= -1e-14 && worst.weight == smallest_weight(terms));
        // the best of all, however it was found
        CHECK(smallest_weight(terms) == best_of_all(&mesh, x));
    }
}

TEST(points_follow_every_affine_motion_exactly)
{
    const embed_mesh mesh = fill();
    const mat3 A = {{{1.3, -0.4, 0.2}, {0.1, 0.8, 0.5}, {-0.3, 0.2, -1.1}}};
    const vec3 shift = {0.4, -2.0, 0.7};
    static vec3 moved[SOFT_VERTICES];
    for (int i = 0; i < box.vertex_count; i++) {
        moved[i] = v3_add(m3_apply(A, box.vertices[i]), shift);
    }
    random_source random = random_start(8);
    for (int k = 0; k < 200; k++) {
        // a tenth of them lie outside
        const vec3 x = {random_between(&random, -1.05, 1.05), random_between(&random, 0.45, 1.75),
                        random_between(&random, 1.95, 2.95)};
        mapping_term terms[4];
        embed_worst worst;
        CHECK(tml__embed(&mesh, 1, &x, terms, &worst) == TML_OK);
        const vec3 there = v3_add(m3_apply(A, x), shift);
        // roundings of numbers of size 5
        CHECK(v3_norm(v3_sub(sum_of(terms, moved), there)) < 5e-14);
    }
}

TEST(points_outside_are_told_by_how_far)
{
    const embed_mesh mesh = fill();
    const vec3 points[4] = {{0.0, 1.0, 2.5}, {0.0, 1.0, 2.95}, {1e6, 0.0, 0.0}, {0.1, 0.6, 2.1}};
    mapping_term terms[16];
    embed_worst worst;
    CHECK(tml__embed(&mesh, 4, points, terms, &worst) == TML_OK);
    CHECK(worst.point == 2 && worst.weight < -1e5);
    CHECK(tml__embed(&mesh, 2, points, terms, &worst) == TML_OK);
    // 0.05 m above tetrahedra that are 0.45 m high
    CHECK(worst.point == 1);
    CHECK_NEAR(worst.weight, -0.05 / 0.45, 1e-13);
}
