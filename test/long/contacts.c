// 200000 random pairs, most of them placed with care: parallel, touching, coincident, or a hair
// from that. Every answer is finite or a status, and no contact is missed that a sampled direction
// cannot explain.
#include "test/geom/pieces.h"

// A number of any size from 1e-16 to 1, or zero.
static double hair(random_source* r)
{
    const int digits = random_below(r, 18);
    double x = random_between(r, -1.0, 1.0);
    for (int k = 0; k < digits; k++) x *= 0.1;
    return digits == 17 ? 0.0 : x;
}

static vec3 hairs(random_source* r)
{
    const double x = hair(r);
    const double y = hair(r);
    return v3(x, y, hair(r));
}

// A quarter turn about any axis, or none.
static quat neat_turn(random_source* r)
{
    const quat q = q_about(random_below(r, 3), 0.25 * TML_PI * random_below(r, 8));
    return q_mul(q, q_about(random_below(r, 3), 0.5 * TML_PI * random_below(r, 4)));
}

static void check_answer(const sample_piece* a, const sample_piece* b, tml_status status,
                         const manifold* m)
{
    CHECK(status == TML_OK || status == TML_SINGULAR);
    for (int i = 0; i < m->count && status == TML_OK; i++) {
        const contact* c = &m->contacts[i];
        CHECK(isfinite(c->gap) && v3_is_finite(c->point) && fabs(v3_norm(c->normal) - 1.0) < 1e-12);
        CHECK(c->gap <= 0.05);
    }
    if (status != TML_OK || m->count > 0) return;
    // nothing within the margin: some direction must part them by more. Climbing stops on the ridges
    // of boxes and hulls up to a centimetre below the best direction.
    const vec3 d = v3_sub(a->p.core.p, b->p.core.p);
    vec3 n = v3_norm(d) > 0.0 ? v3_scale(1.0 / v3_norm(d), d) : v3(1.0, 0.0, 0.0);
    CHECK(sample_climb(a, b, &n) > 0.04 || sample_distance(a, b) > 0.04);
}

TEST(many_careful_pairs_answer)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes a minute; set TRAMMEL_TEST_LONG");
    random_source r = random_start(161);
    int singular = 0;
    for (int round = 0; round < 400; round++) {
        pool memory = {.first = NULL};
        sample_piece a;
        sample_piece b;
        sample_make(&r, &memory, (sample_kind)random_below(&r, SAMPLE_KINDS), &a);
        sample_make(&r, &memory, (sample_kind)random_below(&r, SAMPLE_KINDS), &b);
        for (int k = 0; k < 500; k++) {
            const vec3 step = v3(a.size.x + b.size.x, a.size.y + b.size.y, a.size.z + b.size.z);
            const int axis = random_below(&r, 4);
            vec3 at = axis < 3 ? v3_scale(v3_at(step, axis), v3_unit(axis)) : v3_zero();
            at = v3_add(at, hairs(&r));
            sample_place(&b, v3_zero(), neat_turn(&r));
            sample_place(&a, at, q_turn(neat_turn(&r), hairs(&r)));
            manifold m;
            const tml_status status = tml__narrow(&a.p, &b.p, 0.05, &m);
            check_answer(&a, &b, status, &m);
            singular += status == TML_SINGULAR;
        }
        tml__pool_destroy(&memory);
    }
    printf("%d of 200000 placements have no normal\n", singular);
}
