// Contacts of every pair of shapes: their gap against a sampled distance, their derivatives against
// differences of the whole detection, their ids against small motions, and degenerate placements.
#include "test/difference.h"
#include "test/geom/pieces.h"

static double least_gap(const manifold* m)
{
    double least = HUGE_VAL;
    for (int i = 0; i < m->count; i++) least = fmin(least, m->contacts[i].gap);
    return least;
}

static const contact* deepest_of(const manifold* m)
{
    const contact* c = &m->contacts[0];
    for (int i = 1; i < m->count; i++) c = m->contacts[i].gap < c->gap ? &m->contacts[i] : c;
    return c;
}

static void check_contact(const contact* c)
{
    CHECK(isfinite(c->gap) && v3_is_finite(c->point));
    CHECK_NEAR(v3_norm(c->normal), 1.0, 1e-12);
}

// Two pieces near each other, in any attitude.
static void random_pair(random_source* r, pool* memory, sample_kind ka, sample_kind kb,
                        sample_piece* a, sample_piece* b)
{
    sample_make(r, memory, ka, a);
    sample_make(r, memory, kb, b);
    sample_place(b, random_vec3(r, 0.3), random_quat(r));
    sample_place(a, v3_add(b->p.core.p, random_vec3(r, 0.9)), random_quat(r));
}

// The signed distance of two convex bodies is the largest separation of planes that touch them,
// over all directions. So the deepest contact is right when the planes across its own normal are its gap
// apart, and no sampled direction does better.
TEST(the_deepest_contact_of_every_pair_is_as_deep_as_any_direction_shows)
{
    random_source r = random_start(111);
    for (sample_kind ka = SAMPLE_SPHERE; ka < SAMPLE_KINDS; ka++) {
        for (sample_kind kb = SAMPLE_SPHERE; kb < SAMPLE_KINDS; kb++) {
            double clipped = 0.0;
            int faceted = 0;
            int touching = 0;
            for (int k = 0; k < 60; k++) {
                pool memory = {.first = NULL};
                sample_piece a;
                sample_piece b;
                random_pair(&r, &memory, ka, kb, &a, &b);
                manifold m;
                const tml_status status = tml__narrow(&a.p, &b.p, 0.2, &m);
                CHECK(status == TML_OK);
                const double distance = sample_distance(&a, &b);
                if (distance > 0.2) CHECK(m.count == 0);
                if (status == TML_OK && m.count > 0) {
                    const contact* c = deepest_of(&m);
                    touching++;
                    faceted += m.faceted;
                    const double planes = sample_separation(&a, &b, c->normal);
                    // a face within two degrees of the normal may stand for it; then its clipped
                    // contacts are measured along the face, and never miss depth
                    const int kind = (int)(c->id >> 36 & 15);
                    // the prism and the segment that stand for a cylinder lying flat miss up to
                    // 0.019 * 0.01 of its radius
                    const int is_stood_for =
                        kind != ID_CURVED && (ka == SAMPLE_CYLINDER || kb == SAMPLE_CYLINDER);
                    const double slack = is_stood_for ? 1.2e-4 : 1e-12;
                    const int is_clipped = kind >= ID_VERTEX_FACE && kind <= ID_CORNER_B;
                    if (is_clipped) {
                        clipped = fmax(clipped, distance - c->gap);
                        CHECK(c->gap >= planes - slack);
                    } else {
                        CHECK_NEAR(c->gap, planes, slack);
                        CHECK(distance <= c->gap + slack);
                    }
                }
                for (int i = 0; i < m.count; i++) check_contact(&m.contacts[i]);
                tml__pool_destroy(&memory);
            }
            if (faceted > 0 || clipped > 1e-8) {
                printf("%s - %s: %d touching, %d faceted, %.2g deeper along a face\n",
                       sample_names[ka], sample_names[kb], touching, faceted, clipped);
            }
            CHECK(clipped < 1e-3);  // 1 - cos(2 degrees), of a size of one
            CHECK(touching > 5);
        }
    }
}

// ---- derivatives of the whole detection

static void move_piece(sample_piece* s, int column, double step)
{
    const vec3 e = v3_scale(step, v3_unit(column % 3));
    if (column % 6 < 3) {
        const mat3 R = q_matrix(q_exp(e));
        s->p.core.p = m3_apply(R, s->p.core.p);
        s->p.core.R = m3_mul(R, s->p.core.R);
    } else {
        s->p.core.p = v3_add(s->p.core.p, e);
    }
}

// gap, normal and point of the contact with this id after a motion; 0 when it is gone
static int values_after(const sample_piece* a, const sample_piece* b, uint64_t id, int column,
                        double step, double out[CONTACT_ROWS])
{
    sample_piece moved[2] = {*a, *b};
    // the pieces point at their own tables
    for (int k = 0; k < 2; k++) {
        sample_piece* s = &moved[k];
        if (s->p.core.hull != NULL) s->p.core.hull = k ? &b->hull : &a->hull;
    }
    move_piece(&moved[column < 6 ? 0 : 1], column, step);
    manifold m;
    if (tml__narrow(&moved[0].p, &moved[1].p, 0.3, &m) != TML_OK) return 0;
    for (int i = 0; i < m.count; i++) {
        if (m.contacts[i].id != id) continue;
        out[0] = m.contacts[i].gap;
        v3_store(out + 1, m.contacts[i].normal);
        v3_store(out + 4, m.contacts[i].point);
        return 1;
    }
    return 0;
}

// 1 when all differences could be taken
static int check_slopes(const char* what, const sample_piece* a, const sample_piece* b,
                        const contact* c)
{
    const double e = 2e-4;
    double exact[CONTACT_ROWS][TWIST_COLUMNS];
    if (tml__contact_slope(c, exact) != TML_OK) return 0;
    slope s = {0};
    for (int k = 0; k < TWIST_COLUMNS; k++) {
        double x[4][CONTACT_ROWS];
        static const double share[4] = {1.0, -1.0, 0.5, -0.5};
        for (int i = 0; i < 4; i++) {
            if (!values_after(a, b, c->id, k, share[i] * e, x[i])) return 0;
        }
        for (int i = 0; i < CONTACT_ROWS; i++) {
            slope_add(&s, exact[i][k], (x[0][i] - x[1][i]) / (2.0 * e), (x[2][i] - x[3][i]) / e);
        }
    }
    if (s.scale > 5.0) return 0;  // strongly curved: e is too large for it
    // rounding of 1e-15 over 1e-4; the fourth derivative of order 1e5, times e^4
    CHECK_SLOPE(what, &s, 2e-11, 1e-7);
    return 1;
}

TEST(contacts_of_every_pair_move_as_their_derivatives_say)
{
    random_source r = random_start(112);
    for (sample_kind ka = SAMPLE_SPHERE; ka < SAMPLE_KINDS; ka++) {
        for (sample_kind kb = SAMPLE_SPHERE; kb <= SAMPLE_PLANE; kb++) {
            if (kb == SAMPLE_KINDS) continue;
            int checked = 0;
            for (int k = 0; k < 60 && checked < 12; k++) {
                pool memory = {.first = NULL};
                sample_piece a;
                sample_piece b;
                random_pair(&r, &memory, ka, kb, &a, &b);
                manifold m;
                CHECK(tml__narrow(&a.p, &b.p, 0.2, &m) == TML_OK);
                for (int i = 0; i < m.count; i++) {
                    char what[64];
                    snprintf(what, sizeof what, "%s - %s, id %llx", sample_names[ka],
                             sample_names[kb], (unsigned long long)m.contacts[i].id);
                    checked += check_slopes(what, &a, &b, &m.contacts[i]);
                }
                tml__pool_destroy(&memory);
            }
            CHECK(checked >= 10);
        }
    }
}

// An edge is one edge, whichever of its ends the search met first, which rounding decides.
TEST(a_billionth_of_a_metre_changes_no_name)
{
    static const sample_kind flat[] = {SAMPLE_BOX, SAMPLE_HULL};
    static const sample_kind curved[] = {SAMPLE_CYLINDER, SAMPLE_ELLIPSOID};
    random_source r = random_start(113);
    int compared = 0;
    int renamed = 0;
    for (int k = 0; k < 400; k++) {
        pool memory = {.first = NULL};
        sample_piece a;
        sample_piece b;
        random_pair(&r, &memory, flat[k % 2], curved[k / 2 % 2], &a, &b);
        manifold m;
        CHECK(tml__narrow(&a.p, &b.p, 0.2, &m) == TML_OK);
        for (int n = 0; n < 8 && m.count == 1; n++) {
            const vec3 at = a.p.core.p;
            manifold other;
            a.p.core.p = v3_add(at, random_vec3(&r, 1e-9));
            CHECK(tml__narrow(&a.p, &b.p, 0.2, &other) == TML_OK);
            a.p.core.p = at;
            // where two features are equally near either may be it
            if (other.count != 1 ||
                v3_norm(v3_sub(other.contacts[0].point, m.contacts[0].point)) > 1e-6) {
                continue;
            }
            compared++;
            renamed += other.contacts[0].id != m.contacts[0].id;
        }
        tml__pool_destroy(&memory);
    }
    printf("%d of %d contacts got another name\n", renamed, compared);
    CHECK(compared > 500 && renamed == 0);
}

// ---- manifolds

TEST(a_box_on_a_box_rests_on_four_points_that_keep_their_ids)
{
    random_source r = random_start(113);
    pool memory = {.first = NULL};
    sample_piece low;
    sample_piece high;
    sample_make(&r, &memory, SAMPLE_BOX, &low);
    sample_make(&r, &memory, SAMPLE_BOX, &high);
    for (int k = 0; k < 300; k++) {
        const double turn = random_between(&r, 0.0, 3.0);
        const double height = low.size.z + high.size.z - 1e-4;
        const vec3 at = v3(random_between(&r, -0.1, 0.1), random_between(&r, -0.1, 0.1), height);
        sample_place(&high, at, q_about(2, turn));
        manifold m;
        CHECK(tml__narrow(&high.p, &low.p, 0.01, &m) == TML_OK);
        CHECK(m.count == 4);
        for (int i = 0; i < m.count; i++) {
            CHECK_NEAR(m.contacts[i].gap, -1e-4, 1e-14);
            CHECK_NEAR(m.contacts[i].normal.z, 1.0, 1e-14);
        }
        // a tilt of a millionth moves no contact
        manifold n;
        sample_place(&high, at, q_turn(q_about(2, turn), random_vec3(&r, 1e-6)));
        CHECK(tml__narrow(&high.p, &low.p, 0.01, &n) == TML_OK);
        int same = 0;
        for (int i = 0; i < m.count; i++) {
            for (int j = 0; j < n.count; j++) same += m.contacts[i].id == n.contacts[j].id;
        }
        CHECK(same == 4);
    }
    tml__pool_destroy(&memory);
}

TEST(rods_and_cylinders_rest_on_two_points_and_stand_on_four)
{
    random_source r = random_start(114);
    pool memory = {.first = NULL};
    sample_piece floor;
    sample_make(&r, &memory, SAMPLE_BOX, &floor);
    floor.size = v3(3.0, 3.0, 0.5);
    CHECK(tml__polytope_box(&memory, floor.size, &floor.hull) == TML_OK);
    sample_piece plane;
    sample_make(&r, &memory, SAMPLE_PLANE, &plane);
    sample_place(&plane, v3(0.0, 0.0, 0.5), q_identity());
    for (int k = 0; k < 8; k++) {
        sample_piece s;
        sample_make(&r, &memory, k % 2 ? SAMPLE_CAPSULE : SAMPLE_CYLINDER, &s);
        const piece* below = k & 2 ? &plane.p : &floor.p;
        manifold m;
        sample_place(&s, v3(0.3, 0.2, 0.5 + s.size.x - 1e-5), q_about(0, 0.5 * TML_PI));
        CHECK(tml__narrow(&s.p, below, 0.01, &m) == TML_OK);
        CHECK(m.count == 2);
        for (int i = 0; i < m.count; i++) CHECK_NEAR(m.contacts[i].gap, -1e-5, 1e-14);
        if (k % 2) continue;
        sample_place(&s, v3(0.3, 0.2, 0.5 + s.size.z - 1e-5), q_about(0, TML_PI));
        CHECK(tml__narrow(&s.p, below, 0.01, &m) == TML_OK);
        CHECK(m.count == 4);
        for (int i = 0; i < m.count; i++) CHECK_NEAR(m.contacts[i].gap, -1e-5, 1e-14);
    }
    tml__pool_destroy(&memory);
}

// The two orders of a pair give the same contacts with the normal turned round.
TEST(swapping_the_pieces_turns_the_normal_round)
{
    random_source r = random_start(115);
    for (int k = 0; k < 600; k++) {
        pool memory = {.first = NULL};
        sample_piece a;
        sample_piece b;
        const sample_kind ka = (sample_kind)random_below(&r, SAMPLE_KINDS);
        const sample_kind kb = (sample_kind)random_below(&r, SAMPLE_KINDS);
        random_pair(&r, &memory, ka, kb, &a, &b);
        manifold m;
        manifold n;
        CHECK(tml__narrow(&a.p, &b.p, 0.1, &m) == TML_OK);
        CHECK(tml__narrow(&b.p, &a.p, 0.1, &n) == TML_OK);
        CHECK((m.count > 0) == (n.count > 0));
        // faces that are as well aligned may change roles; the deepest gap may not
        if (m.count > 0) CHECK_NEAR(least_gap(&m), least_gap(&n), 1e-2);
        if (m.count == 1 && n.count == 1) {
            const vec3 sum = v3_add(m.contacts[0].normal, n.contacts[0].normal);
            CHECK(v3_norm(sum) < 0.05);
        }
        tml__pool_destroy(&memory);
    }
}

// ---- degenerate placements: an answer or a status, never a number that is none

TEST(coincident_parallel_and_touching_pieces_answer)
{
    random_source r = random_start(116);
    static const vec3 offsets[] = {{0, 0, 0},   {0.4, 0, 0},   {0.8, 0, 0}, {0, 0.8, 0},
                                   {0, 0, 0.8}, {0.8, 0.8, 0}, {0, 0, 1.2}, {1e-13, 0, 0}};
    int singular = 0;
    for (sample_kind ka = SAMPLE_SPHERE; ka <= SAMPLE_PLANE; ka++) {
        for (sample_kind kb = SAMPLE_SPHERE; kb <= SAMPLE_PLANE; kb++) {
            if (ka == SAMPLE_KINDS || kb == SAMPLE_KINDS) continue;
            for (int k = 0; k < 8 * 4; k++) {
                pool memory = {.first = NULL};
                sample_piece a;
                sample_piece b;
                sample_make(&r, &memory, ka, &a);
                sample_make(&r, &memory, kb, &b);
                const quat turns[] = {q_identity(), q_about(0, 0.5 * TML_PI),
                                      q_about(1, 0.25 * TML_PI), q_about(1, 0.5 * TML_PI)};
                sample_place(&a, offsets[k % 8], turns[k / 8]);
                manifold m;
                const tml_status status = tml__narrow(&a.p, &b.p, 0.05, &m);
                const int are_planes = ka == SAMPLE_PLANE && kb == SAMPLE_PLANE;
                CHECK(are_planes ? status == TML_UNSUPPORTED
                                 : status == TML_OK || status == TML_SINGULAR);
                singular += status == TML_SINGULAR;
                for (int i = 0; i < m.count && status == TML_OK; i++) {
                    check_contact(&m.contacts[i]);
                    double d[CONTACT_ROWS][TWIST_COLUMNS];
                    const tml_status known = tml__contact_slope(&m.contacts[i], d);
                    CHECK(known == TML_OK || known == TML_SINGULAR);
                    for (int j = 0; j < 84 && known == TML_OK; j++)
                        CHECK(isfinite(d[j / 12][j % 12]));
                }
                tml__pool_destroy(&memory);
            }
        }
    }
    printf("placements without a normal: %d\n", singular);
}

// The same pairs far from the origin: the same contacts, moved, but for the rounding of the places.
TEST(far_from_the_origin_the_contacts_are_the_same)
{
    random_source r = random_start(117);
    const vec3 far = v3(8192.0, -4096.0, 2048.0);  // sums with these round to 1e-12
    for (int k = 0; k < 800; k++) {
        pool memory = {.first = NULL};
        sample_piece a;
        sample_piece b;
        const sample_kind ka = (sample_kind)random_below(&r, SAMPLE_KINDS);
        const sample_kind kb = (sample_kind)random_below(&r, SAMPLE_KINDS);
        random_pair(&r, &memory, ka, kb, &a, &b);
        // places that are exact near and far
        a.p.core.p = v3_sub(v3_add(a.p.core.p, far), far);
        b.p.core.p = v3_sub(v3_add(b.p.core.p, far), far);
        manifold m;
        manifold n;
        CHECK(tml__narrow(&a.p, &b.p, 0.1, &m) == TML_OK);
        a.p.core.p = v3_add(a.p.core.p, far);
        b.p.core.p = v3_add(b.p.core.p, far);
        CHECK(tml__narrow(&a.p, &b.p, 0.1, &n) == TML_OK);
        CHECK(m.count == n.count);
        for (int i = 0; i < m.count && m.count == n.count; i++) {
            CHECK(m.contacts[i].id == n.contacts[i].id);
            CHECK(memcmp(&m.contacts[i].gap, &n.contacts[i].gap, sizeof(double)) == 0);
            CHECK(memcmp(&m.contacts[i].normal, &n.contacts[i].normal, sizeof(vec3)) == 0);
        }
        tml__pool_destroy(&memory);
    }
}

// ---- rods and balls on the side of a cylinder

// The distance of a point from a cylinder of any length, whose axis is that of z.
static double from_side(const sample_piece* cylinder, vec3 x)
{
    const vec3 at = m3_apply_t(cylinder->p.core.R, v3_sub(x, cylinder->p.core.p));
    return sqrt(at.x * at.x + at.y * at.y) - cylinder->size.x;
}

// A rod across a cylinder is one contact with one id, whether its end or its side is nearest, and its gap is
// that of the nearest of a thousand points.
TEST(a_rod_on_the_side_of_a_cylinder_keeps_its_contact_as_it_tilts)
{
    random_source r = random_start(116);
    pool memory = {.first = NULL};
    sample_piece rod;
    sample_piece cylinder;
    sample_make(&r, &memory, SAMPLE_CAPSULE, &rod);
    sample_make(&r, &memory, SAMPLE_CYLINDER, &cylinder);
    sample_place(&cylinder, v3(3.0, -2.0, 1.0), random_quat(&r));
    const mat3 R = cylinder.p.core.R;
    uint64_t id = 0;
    for (int k = 0; k < 400; k++) {
        const double tilt = random_between(&r, -1.0, 1.0);
        const double height = cylinder.size.x + rod.size.x + rod.size.z * fabs(sin(tilt));
        const vec3 at = v3(height - 0.1 * rod.size.x, random_between(&r, -0.1, 0.1), 0.0);
        sample_place(&rod, v3_add(cylinder.p.core.p, m3_apply(R, at)), q_identity());
        // z of the rod across z of the cylinder, tilted towards it
        const mat3 across = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
        rod.p.core.R = m3_mul(R, m3_mul(q_matrix(q_about(2, tilt)), across));
        manifold m;
        CHECK(tml__narrow(&rod.p, &cylinder.p, 1.0, &m) == TML_OK);
        CHECK(m.count == 1);
        if (k == 0) id = m.contacts[0].id;
        CHECK(m.contacts[0].id == id);
        double least = HUGE_VAL;
        for (int i = 0; i <= 1000; i++) {
            const vec3 x =
                v3_axpy(rod.p.core.p, (i - 500) / 500.0 * rod.size.z, m3_column(rod.p.core.R, 2));
            least = fmin(least, from_side(&cylinder, x) - rod.size.x);
        }
        CHECK(m.contacts[0].gap <= least + 1e-12 && m.contacts[0].gap > least - 1e-5);
        manifold swapped;
        CHECK(tml__narrow(&cylinder.p, &rod.p, 1.0, &swapped) == TML_OK);
        CHECK(swapped.count == 1);
        CHECK_NEAR(swapped.contacts[0].gap, m.contacts[0].gap, 1e-14);
    }
    tml__pool_destroy(&memory);
}
