// The pipeline against all pairs one by one: filters, materials, order, reserves, identity.
#include "geom/collision.h"

#include "test/check.h"
#include "test/random.h"

enum {
    BODIES = 60,
    ROOM = 2000
};

static tml_shape_def shape_of(random_source* r, int k)
{
    tml_shape_def s = tml_shape_def_default();
    s.size =
        v3(random_between(r, 0.1, 0.4), random_between(r, 0.1, 0.4), random_between(r, 0.1, 0.4));
    s.kind = (tml_shape_kind)(k % 5);
    s.friction = random_between(r, 0.1, 1.0);
    s.restitution = random_between(r, 0.0, 1.0);
    s.pose.q = random_quat(r);
    s.pose.p = random_vec3(r, 0.1);
    return s;
}

typedef struct scene {
    tml_shape_def shapes[BODIES + 1];
    collider_def colliders[BODIES + 1];
    placement places[BODIES + 1];
} scene;

// Bodies in a heap over a plane; every seventh is fixed.
static void fill(random_source* r, scene* s)
{
    for (int i = 0; i <= BODIES; i++) {
        s->shapes[i] = shape_of(r, i);
        if (i == BODIES) {
            s->shapes[i] = tml_shape_def_default();
            s->shapes[i].kind = TML_SHAPE_PLANE;
        }
        s->colliders[i] = (collider_def){.body = i,
                                         .is_fixed = i == BODIES || i % 7 == 0,
                                         .body_name = i == BODIES ? "world" : "body",
                                         .shape = &s->shapes[i]};
        s->places[i] =
            (placement){v3_add(random_vec3(r, 1.0), v3(0.0, 0.0, 1.0)), q_matrix(random_quat(r))};
    }
    s->places[BODIES] = (placement){v3_zero(), m3_identity()};
}

static collision* make(const scene* s)
{
    const collision_def def = {.collider_count = BODIES + 1, .colliders = s->colliders};
    collision* c = NULL;
    message why = {{0}};
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_OK);
    return c;
}

static int detect(collision* c, const scene* s, contact* out)
{
    message why = {{0}};
    int count = 0;
    CHECK(tml__collision_detect(c, s->places, 0.02, ROOM, out, &count, &why) == TML_OK);
    return count;
}

// One pair alone, in a collision of its own.
static int contacts_alone(const scene* s, int i, int j, contact* out)
{
    const collider_def two[2] = {s->colliders[i], s->colliders[j]};
    const collision_def def = {.collider_count = 2, .colliders = two};
    collision* c = NULL;
    message why;
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_OK);
    const int count = detect(c, s, out);
    tml__collision_destroy(c);
    return count;
}

TEST(the_contacts_of_a_heap_are_those_of_its_pairs)
{
    random_source r = random_start(141);
    static scene s;
    static contact list[ROOM];
    static contact alone[ROOM];
    for (int round = 0; round < 3; round++) {
        fill(&r, &s);
        collision* c = make(&s);
        const int count = detect(c, &s, list);
        int at = 0;
        for (int i = 0; i <= BODIES; i++) {
            for (int j = i + 1; j <= BODIES; j++) {
                if (s.colliders[i].is_fixed && s.colliders[j].is_fixed) continue;
                const int n = contacts_alone(&s, i, j, alone);
                for (int k = 0; k < n; k++, at++) {
                    CHECK(at < count);
                    if (at >= count) break;
                    CHECK(list[at].shape_a == i && list[at].shape_b == j);
                    CHECK(list[at].id == alone[k].id);
                    CHECK(memcmp(&list[at].point, &alone[k].point, sizeof(vec3)) == 0);
                    CHECK(memcmp(&list[at].gap, &alone[k].gap, sizeof(double)) == 0);
                    CHECK(list[at].friction == fmin(s.shapes[i].friction, s.shapes[j].friction));
                    CHECK(list[at].restitution ==
                          fmax(s.shapes[i].restitution, s.shapes[j].restitution));
                    const vec3 cross = v3_cross(list[at].tangent[0], list[at].tangent[1]);
                    CHECK(v3_norm(v3_sub(cross, list[at].normal)) < 1e-14);
                }
            }
        }
        CHECK(at == count && count > 50);
        tml__collision_destroy(c);
    }
}

// Most are of one group and come first: the others are looked for alone, and what is found stays the same.
TEST(a_crowd_of_one_group_finds_all_others_and_none_of_its_own)
{
    enum {
        CROWD = 45
    };
    random_source r = random_start(146);
    static scene s;
    static contact list[ROOM];
    static contact alone[ROOM];
    for (int round = 0; round < 3; round++) {
        fill(&r, &s);
        for (int i = 0; i < CROWD; i++) s.shapes[i].group = 7;
        collision* c = make(&s);
        // what is asked a second time is what bodies that have moved find
        detect(c, &s, list);
        for (int i = 0; i < BODIES; i++) s.places[i].p.x += 0.1 * (i % 3);
        const int count = detect(c, &s, list);
        int at = 0;
        for (int i = 0; i <= BODIES; i++) {
            for (int j = i + 1; j <= BODIES; j++) {
                if (j < CROWD || (s.colliders[i].is_fixed && s.colliders[j].is_fixed)) continue;
                const int n = contacts_alone(&s, i, j, alone);
                for (int k = 0; k < n && at < count; k++, at++) {
                    CHECK(list[at].shape_a == i && list[at].shape_b == j);
                    CHECK(list[at].id == alone[k].id);
                    CHECK(memcmp(&list[at].gap, &alone[k].gap, sizeof(double)) == 0);
                }
            }
        }
        CHECK(at == count && count > 20);
        tml__collision_destroy(c);
    }
}

static void shake(random_source* r, scene* s, double size)
{
    for (int i = 0; i < BODIES; i++) {
        const mat3 turn = q_matrix(q_exp(random_vec3(r, size)));
        s->places[i].p = v3_add(s->places[i].p, random_vec3(r, size));
        s->places[i].R = m3_mul(turn, s->places[i].R);
    }
}

// What was detected before decides nothing.
TEST(contacts_do_not_depend_on_the_history)
{
    random_source r = random_start(142);
    static scene s;
    static contact x[ROOM];
    static contact y[ROOM];
    fill(&r, &s);
    collision* old = make(&s);
    for (int k = 0; k < 30; k++) {
        shake(&r, &s, 0.02);
        const int m = detect(old, &s, x);
        collision* fresh = make(&s);
        const int n = detect(fresh, &s, y);
        CHECK(m == n);
        for (int i = 0; i < m && m == n; i++) {
            CHECK(x[i].id == y[i].id && x[i].shape_a == y[i].shape_a);
            CHECK(memcmp(&x[i].point, &y[i].point, sizeof(vec3)) == 0);
            CHECK(memcmp(x[i].tangent, y[i].tangent, sizeof x[i].tangent) == 0);
        }
        tml__collision_destroy(fresh);
    }
    tml__collision_destroy(old);
}

TEST(contacts_keep_their_identity_through_small_motions)
{
    random_source r = random_start(143);
    static scene s;
    static contact x[ROOM];
    static contact y[ROOM];
    fill(&r, &s);
    collision* c = make(&s);
    const int m = detect(c, &s, x);
    shake(&r, &s, 1e-7);
    const int n = detect(c, &s, y);
    int old = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            old +=
                x[j].id == y[i].id && x[j].shape_a == y[i].shape_a && x[j].shape_b == y[i].shape_b;
        }
    }
    CHECK(old > 95 * m / 100);
    tml__collision_destroy(c);
}

TEST(too_little_room_says_so_and_what_fits_is_enough)
{
    random_source r = random_start(144);
    static scene s;
    static contact list[ROOM];
    fill(&r, &s);
    collision* c = make(&s);
    const int needed = detect(c, &s, list);
    message why = {{0}};
    int count = 0;
    CHECK(tml__collision_detect(c, s.places, 0.02, needed, list, &count, &why) == TML_OK);
    CHECK(count == needed);
    CHECK(tml__collision_detect(c, s.places, 0.02, needed - 1, list, &count, &why) ==
          TML_TOO_MANY_CONTACTS);
    CHECK_CONTAINS(why.text, "more than");
    CHECK(tml__collision_detect(c, s.places, 0.02, needed, list, &count, &why) == TML_OK);
    CHECK(count == needed);
    CHECK(tml__collision_moving(c) == BODIES - (BODIES + 6) / 7);
    CHECK(tml__collision_smallest(c) >= 0.1 && tml__collision_smallest(c) < 0.4);
    tml__collision_destroy(c);
}

TEST(filters_and_pairs_are_obeyed)
{
    tml_shape_def ball = tml_shape_def_default();
    tml_shape_def ghost = ball;
    ghost.collide = 0;
    const collider_def colliders[] = {
        {.body = 0, .body_name = "a", .shape = &ball},
        {.body = 1, .body_name = "b", .shape = &ball},
        {.body = 2, .body_name = "c", .shape = &ghost},
        {.body = 3, .body_name = "d", .shape = &ball},
        {.body = 1, .body_name = "b", .shape = &ball, .shape_index = 1},
    };
    // all in nearly one place
    placement places[4];
    for (int i = 0; i < 4; i++) places[i] = (placement){v3(0.01 * i, 0.0, 0.0), m3_identity()};
    const int exclude[] = {3, 0, 1, 0};
    const collision_pair pairs[] = {{3, 1, -1, -1, false, 0.25, -1.0},
                                    {0, 2, -1, -1, false, 0.1, 0.1}};
    collision_def def = {.collider_count = 5,
                         .colliders = colliders,
                         .exclude_count = 1,
                         .exclude = exclude,
                         .pair_count = 2,
                         .pairs = pairs};
    collision* c = NULL;
    message why;
    contact list[20];
    int count = 0;
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_OK);
    CHECK(tml__collision_detect(c, places, 0.0, 20, list, &count, &why) == TML_OK);
    CHECK(count == 4);  // a with both of b, d with both of b
    for (int i = 0; i < count; i++) {
        const int has_d = list[i].body_a == 3 || list[i].body_b == 3;
        CHECK(list[i].friction == (has_d ? 0.25 : 0.5));
        CHECK(list[i].restitution == 0.0);
    }
    tml__collision_destroy(c);
    def.exclude_count = 2;
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_OK);
    CHECK(tml__collision_detect(c, places, 0.0, 20, list, &count, &why) == TML_OK);
    CHECK(count == 2);
    // two balls in one place have no normal
    places[3].p = places[1].p;
    CHECK(tml__collision_detect(c, places, 0.0, 20, list, &count, &why) == TML_SINGULAR);
    CHECK_CONTAINS(why.text, "coincide");
    CHECK_CONTAINS(why.text, "'d'");
    tml__collision_destroy(c);
}

TEST(shapes_that_cannot_touch_are_refused_by_name)
{
    const double heights[4] = {0.0, 0.0, 0.0, 0.0};
    tml_shape_def s = tml_shape_def_default();
    s.kind = TML_SHAPE_HEIGHTFIELD;
    s.size = v3(1.0, 1.0, 0.0);
    s.rows = s.columns = 2;
    s.heights = heights;
    const collider_def moving = {.body = 0, .body_name = "hill", .shape = &s};
    const collision_def def = {.collider_count = 1, .colliders = &moving};
    collision* c = NULL;
    message why;
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_BAD_ARGUMENT && c == NULL);
    CHECK_CONTAINS(why.text, "'hill'");
    // a flat mesh that moves has no hull
    const tml_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const int triangles[6] = {0, 1, 2, 1, 3, 2};
    s.kind = TML_SHAPE_MESH;
    s.vertex_count = 4;
    s.vertices = vertices;
    s.triangle_count = 2;
    s.triangles = triangles;
    CHECK(tml__collision_create(&def, NULL, &why, &c) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "'hill'");
    tml__collision_destroy(NULL);
}

// ---- bodies that move on

// Contacts of even ids, and how often it was asked.
typedef struct questions {
    double margin;
    int* asked;
} questions;

static bool is_even(const void* with, const contact* k)
{
    const questions* q = with;
    (*q->asked)++;
    CHECK(k->gap > q->margin && k->body_a >= 0 && k->body_b <= BODIES);
    return k->id % 2 == 0;
}

TEST(what_is_seen_beyond_the_margin_may_be_refused_and_nothing_else)
{
    random_source r = random_start(146);
    static scene s;
    static contact all[ROOM];
    static contact some[ROOM];
    double reach[BODIES + 1];
    fill(&r, &s);
    for (int i = 0; i <= BODIES; i++) reach[i] = 0.1;
    collision* c = make(&s);
    const int near = detect(c, &s, all);
    tml__collision_set_reach(c, reach, NULL);
    const int count = detect(c, &s, all);
    CHECK(count > near);
    int asked = 0;
    const questions q = {0.02, &asked};
    tml__collision_set_reach(c, reach, &(contact_filter){is_even, &q});
    const int kept = detect(c, &s, some);
    int at = 0;
    int beyond = 0;
    for (int i = 0; i < count; i++) {
        beyond += all[i].gap > 0.02;
        if (all[i].gap > 0.02 && all[i].id % 2 != 0) continue;
        CHECK(at < kept && some[at].id == all[i].id && some[at].shape_a == all[i].shape_a);
        CHECK(memcmp(&some[at].point, &all[i].point, sizeof(vec3)) == 0);
        CHECK(some[at].gap == all[i].gap && some[at].friction == all[i].friction);
        at++;
    }
    CHECK(at == kept && kept > near && kept < count && asked == beyond);
    tml__collision_set_reach(c, NULL, NULL);
    CHECK(detect(c, &s, some) == near);
    tml__collision_destroy(c);
}

// ---- memory

typedef struct counter {
    int left;
    int out;
    int taken;
} counter;

static void* count_allocate(void* context, size_t bytes)
{
    counter* c = context;
    c->taken++;
    if (c->left-- <= 0) return NULL;
    c->out++;
    return malloc(bytes);
}

static void count_release(void* context, void* memory)
{
    ((counter*)context)->out--;
    free(memory);
}

TEST(each_allocation_may_fail_and_detection_makes_none)
{
    random_source r = random_start(145);
    static scene s;
    fill(&r, &s);
    static contact list[ROOM];
    double heights[9] = {0.0};
    s.shapes[0].kind = TML_SHAPE_HEIGHTFIELD;
    s.shapes[0].size = v3(3.0, 3.0, 0.0);
    s.shapes[0].rows = s.shapes[0].columns = 3;
    s.shapes[0].heights = heights;
    tml_status status = TML_NO_MEMORY;
    for (int tries = 0; status != TML_OK && tries < 100; tries++) {
        counter count = {.left = tries};
        const tml_allocator allocator = {count_allocate, count_release, &count};
        const collision_def def = {.collider_count = BODIES + 1, .colliders = s.colliders};
        collision* c = NULL;
        message why;
        status = tml__collision_create(&def, &allocator, &why, &c);
        CHECK(status == TML_OK || (status == TML_NO_MEMORY && c == NULL));
        if (status == TML_OK) {
            const int before = count.taken;
            for (int k = 0; k < 5; k++) detect(c, &s, list);
            CHECK(count.taken == before);
        }
        tml__collision_destroy(c);
        CHECK(count.out == 0);
    }
    CHECK(status == TML_OK);
}
