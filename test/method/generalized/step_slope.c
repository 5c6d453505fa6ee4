// test/method/generalized/step_slope.c - derivatives of steps that touch, against central differences of the
// step itself: sticking, sliding, parting, bouncing, closing a gap, at rest; two trees with every kind
// of link, contacts with planes and between the trees.                       [DCON (6)-(16) (25)]
#include "method/generalized/step_slope.h"

#include "method/generalized/step_product.h"
#include "test/check.h"
#include "test/random.h"

enum {
    BODIES = 5,
    COLUMNS = 6 + 1 + 1 + 6 + 3,
    NUMBERS = COLUMNS + 3,
    CONTACTS = 4
};

static const gen_motion_settings with_contact = {.has_contact = true};

typedef struct scene {
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    gen_motion* motion;
    gen_touch* touch;
    gen_step_slope* slope;
    gen_step_product* product;
    double numbers[NUMBERS], rates[COLUMNS];
    drive controls[2];
    double h;
    // a ball of body a against a plane of the world or a ball of body b
    int body_a[CONTACTS], body_b[CONTACTS];
    vec3 centre_a[CONTACTS], centre_b[CONTACTS];  // body axes
    element plane[CONTACTS];
    double radius[CONTACTS], friction, restitution;
    vec3 seed[CONTACTS];
    contact contacts[CONTACTS];
} scene;

static void add_bodies(scene* s, random_source* r)
{
    for (int i = 0; i < BODIES; i++) {
        tml_body_def def = tml_body_def_default();
        def.mass = random_between(r, 0.5, 2.0);
        for (int k = 0; k < 3; k++) def.inertia[k] = def.mass * random_between(r, 0.02, 0.03);
        def.pose.p = v3(0.4 * i, 0.0, 1.0);
        tml_spec_add_body(s->spec, &def);
    }
    static const tml_joint_kind kinds[3] = {TML_JOINT_REVOLUTE, TML_JOINT_PRISMATIC,
                                            TML_JOINT_SPHERICAL};
    static const int base[3] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = kinds[i];
        def.base = (tml_body){base[i]};
        def.follower = (tml_body){base[i] + 1};
        def.position = v3(0.4 * base[i] + 0.2, 0.1, 1.0);
        def.axis = v3(0.3, 1.0, 0.2);
        tml_joint_axis* a = &def.axis_of[i == 0 ? TML_AXIS_RX : TML_AXIS_TX];
        if (i < 2) {
            a->actuation = TML_FORCE;
            a->control = tml_control_constant(1.0);
            a->damping = 0.3;
            a->stiffness = 2.0;
        }
        tml_spec_add_joint(s->spec, &def);
    }
}

static void open_scene(scene* s, random_source* r)
{
    const tml_allocator heap = {0};
    message why = {""};
    *s = (scene){.spec = tml_spec_create(), .h = 2e-2};
    add_bodies(s, r);
    CHECK(tml_spec_build(s->spec, &s->model) == TML_OK);
    CHECK(tml__maximal_create(s->model, KKT_NONE, &heap, &why, &s->system) == TML_OK);
    CHECK(tml__maximal_add_matrix(s->system, &why) == TML_OK);
    CHECK(tml__gen_motion_create(s->system, &with_contact, &heap, &why, &s->motion) == TML_OK);
    CHECK(tml__gen_step_product_create(s->motion, &heap, &why, &s->product) == TML_OK);
    // so wide that contacts at rest stay so while poses are varied
    const gen_touch_settings settings = {.max_contacts = CONTACTS, .margin = 50.0};
    CHECK(tml__gen_touch_create(s->motion, &settings, &heap, &why, &s->touch) == TML_OK);
    CHECK(tml__gen_step_slope_create(s->touch, &heap, &why, &s->slope) == TML_OK);
    CHECK(s->motion->tree->column_count == COLUMNS && s->motion->tree->number_count == NUMBERS);
    s->controls[0] = (drive){.value = random_between(r, -1.0, 1.0)};
    s->controls[1] = (drive){.value = random_between(r, -1.0, 1.0)};
    tml__maximal_time(s->system, 0.0, s->controls);
}

static void close_scene(scene* s)
{
    tml__gen_step_slope_destroy(s->slope);
    tml__gen_step_product_destroy(s->product);
    tml__gen_touch_destroy(s->touch);
    tml__gen_motion_destroy(s->motion);
    tml__maximal_destroy(s->system);
    tml_model_destroy(s->model);
    tml_spec_destroy(s->spec);
}

static vec3 world_point(const scene* s, int body, vec3 local)
{
    const gen_tree* t = s->motion->tree;
    const int at = t->index[body];
    return v3_add(t->c[at], m3_apply(t->R[at], local));
}

static contact_feature feature_of(const scene* s, int i)
{
    contact_feature f = {.kind = FEATURE_WITNESS};
    f.a = element_point(world_point(s, s->body_a[i], s->centre_a[i]), s->radius[i]);
    f.b = s->plane[i];
    if (s->body_b[i] < BODIES) {
        f.b = element_point(world_point(s, s->body_b[i], s->centre_b[i]), 0.1);
    }
    return f;
}

static void detect(scene* s, const double* numbers)
{
    tml__gen_place(s->motion->tree, numbers, NULL);
    for (int i = 0; i < CONTACTS; i++) {
        contact* k = &s->contacts[i];
        *k = (contact){.body_a = s->body_a[i],
                       .body_b = s->body_b[i],
                       .shape_a = i,
                       .friction = s->friction,
                       .restitution = s->restitution,
                       .seed = s->seed[i],
                       .feature = feature_of(s, i)};
        CHECK(tml__feature_value(&k->feature, v3_unit(2), k) == TML_OK);
        tml__contact_tangents(k);
    }
}

// Any state, and contacts that are `gap` apart there.
static void scatter(scene* s, random_source* r, double gap)
{
    const gen_tree* t = s->motion->tree;
    double zero[NUMBERS] = {0};
    double motion[COLUMNS];
    for (int i = 0; i < t->link_count; i++) {
        if (t->links[i].kind == LINK_BALL) zero[t->links[i].number] = 1.0;
    }
    for (int k = 0; k < COLUMNS; k++) {
        motion[k] = random_between(r, -0.5, 0.5);
        s->rates[k] = random_between(r, -1.0, 1.0);
    }
    tml__gen_move(t, zero, motion, 1.0, s->numbers);
    tml__gen_place(s->motion->tree, s->numbers, NULL);
    static const int a[CONTACTS] = {2, 1, 3, 4};
    static const int b[CONTACTS] = {BODIES, BODIES, BODIES, 0};
    for (int i = 0; i < CONTACTS; i++) {
        s->body_a[i] = a[i];
        s->body_b[i] = b[i];
        s->centre_a[i] = random_vec3(r, 0.2);
        s->centre_b[i] = random_vec3(r, 0.2);
        s->radius[i] = random_between(r, 0.05, 0.1);
        const vec3 at = world_point(s, a[i], s->centre_a[i]);
        const vec3 n = q_rotate(random_quat(r), v3_unit(2));
        s->plane[i] = element_face(v3_axpy(at, -(s->radius[i] + gap), n), n);
        s->seed[i] = tml__contact_seed(n);
        if (b[i] == BODIES) continue;
        // the ball of the second body is as large as it takes
        const double d = v3_norm(v3_sub(at, world_point(s, b[i], s->centre_b[i])));
        s->radius[i] = d - 0.1 - gap;
        s->seed[i] = tml__contact_seed(v3_sub(at, world_point(s, b[i], s->centre_b[i])));
    }
}

static tml_status step(scene* s, const double* numbers, const double* rates, double* numbers_after,
                       double* rates_after)
{
    static const unsigned char unknown[3 * CONTACTS];
    static const double none[3 * CONTACTS];
    const gen_touch_past past = {.labels = unknown, .impulses = none};
    message why = {""};
    double impulse[64] = {0};
    detect(s, numbers);
    memcpy(rates_after, rates, COLUMNS * sizeof *rates);
    const tml_status status = tml__gen_touch_impulse(s->touch, s->contacts, CONTACTS, s->h, 0.02,
                                                     &past, numbers, rates_after, impulse, &why);
    if (status != TML_OK) printf("%s\n", why.text);
    tml__gen_move(s->motion->tree, numbers, rates_after, s->h, numbers_after);
    return status;
}

// Where the end of the step went, as a motion along the columns from `from`.
static void tangent(const gen_tree* t, const double* from, const double* to, double* out)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const double* a = &from[link->number];
        const double* b = &to[link->number];
        if (link->kind != LINK_BALL) {
            for (int k = 0; k < link->count; k++) out[link->column + k] = b[k] - a[k];
            continue;
        }
        const quat d =
            q_mul(q_conj((quat){a[0], a[1], a[2], a[3]}), (quat){b[0], b[1], b[2], b[3]});
        v3_store(&out[link->column], v3(2.0 * d.x, 2.0 * d.y, 2.0 * d.z));
    }
}

// The step with column `column` of kind (0 position, 1 rate, 2 control) varied by e: where it ends.
// 0 when other labels came out.
static int vary(scene* s, int kind, int column, double e, const double* end,
                const unsigned char* labels, int rows, double* dq, double* v)
{
    double motion[COLUMNS] = {0};
    double numbers[NUMBERS];
    double rates[COLUMNS];
    double after[NUMBERS];
    memcpy(rates, s->rates, sizeof rates);
    if (kind == 0) motion[column] = e;
    if (kind == 1) rates[column] += e;
    drive controls[2] = {s->controls[0], s->controls[1]};
    if (kind == 2) controls[column].value += e;
    tml__maximal_time(s->system, 0.0, controls);
    tml__gen_move(s->motion->tree, s->numbers, motion, 1.0, numbers);
    const tml_status status = step(s, numbers, rates, after, v);
    tml__maximal_time(s->system, 0.0, s->controls);
    tangent(s->motion->tree, end, after, dq);
    return status == TML_OK && s->touch->rows->count == rows &&
           memcmp(labels, s->touch->labels, (size_t)rows) == 0;
}

// The largest error relative to the largest entry; -1 when labels changed on the way.
static double check_column(scene* s, int kind, int column, const double* q_slope,
                           const double* v_slope, int at, const double* end,
                           const unsigned char* labels, int rows)
{
    static const double e = 4e-4;
    double q[4][COLUMNS];
    double v[4][COLUMNS];
    static const double share[4] = {1.0, -1.0, 0.5, -0.5};
    for (int k = 0; k < 4; k++) {
        if (!vary(s, kind, column, e * share[k], end, labels, rows, q[k], v[k])) return -1.0;
    }
    double worst = 0.0;
    double scale = 1.0;
    for (int i = 0; i < COLUMNS; i++) {
        const double exact[2] = {q_slope[i * COLUMNS + at], v_slope[i * COLUMNS + at]};
        const double coarse[2] = {(q[0][i] - q[1][i]) / (2.0 * e), (v[0][i] - v[1][i]) / (2.0 * e)};
        const double fine[2] = {(q[2][i] - q[3][i]) / e, (v[2][i] - v[3][i]) / e};
        for (int k = 0; k < 2; k++) {
            worst = fmax(worst, fabs((4.0 * fine[k] - coarse[k]) / 3.0 - exact[k]));
            scale = fmax(scale, fabs(exact[k]));
        }
    }
    return worst / scale;
}

// Columns of the two motors.
static int motor_column(const scene* s, int which)
{
    const gen_tree* t = s->motion->tree;
    return t->bodies[t->index[which + 1]].column;
}

typedef struct coverage {
    int held, sliding, off, bounced, gaps, rests, columns, skipped;
    double worst;
    double apart;  // of matrices and products
} coverage;

static void count_labels(const scene* s, coverage* c)
{
    for (int i = 0; i < CONTACTS; i++) {
        const int at = s->touch->contact_row[i];
        const bool is_held = s->touch->labels[at] == LCP_HELD;
        c->off += !is_held;
        c->held += is_held;
        c->bounced += is_held && s->touch->offset_of[i] == OFFSET_BOUNCE;
        c->gaps += is_held && s->touch->offset_of[i] == OFFSET_GAP;
        c->rests += is_held && s->touch->offset_of[i] == OFFSET_NONE;
        for (int k = 1; is_held && k <= s->touch->friction_rows[i]; k++) {
            c->sliding += s->touch->labels[at + k] != LCP_HELD;
        }
    }
}

static void note(coverage* c, double error)
{
    c->columns++;
    if (error < 0.0) c->skipped++;
    if (error > c->worst) c->worst = error;
    CHECK(error < 1e-6);
}

// The same step by products, one column after the other: the two ways to one derivative, the matrices of
// step_slope.c and the walks of step_product.c, differ by rounding.
static double compare_products(scene* s, const double* after)
{
    const gen_step_slope* d = s->slope;
    const gen_step_record record = {.h = s->h,
                                    .numbers = s->numbers,
                                    .rates = s->rates,
                                    .rates_after = after,
                                    .has_new_rates = true,
                                    .contacts = s->contacts};
    message why = {""};
    double worst = 0.0;
    double scale = 1.0;
    CHECK(tml__gen_step_product_at(s->product, s->touch, STEP_EXACT, &record, &why) == TML_OK);
    for (int j = 0; j < 2 * COLUMNS; j++) {
        double in[2][COLUMNS] = {{0.0}};
        double q[COLUMNS];
        double v[COLUMNS];
        const gen_step_numbers x = {
            .positions = in[0], .rates = in[1], .positions_after = q, .rates_after = v};
        const bool is_rate = j >= COLUMNS;
        const int k = j % COLUMNS;
        in[is_rate][k] = 1.0;
        CHECK(tml__gen_step_product_forward(s->product, &x, &why) == TML_OK);
        for (int i = 0; i < COLUMNS; i++) {
            const double by_q = (is_rate ? d->q_v : d->q_q)[i * COLUMNS + k];
            const double by_v = (is_rate ? d->v_v : d->v_q)[i * COLUMNS + k];
            worst = fmax(worst, fmax(fabs(q[i] - by_q), fabs(v[i] - by_v)));
            scale = fmax(scale, fmax(fabs(by_q), fabs(by_v)));
        }
    }
    return worst / scale;
}

static void check_state(scene* s, coverage* c)
{
    double after[COLUMNS];
    double end[NUMBERS];
    message why = {""};
    CHECK(step(s, s->numbers, s->rates, end, after) == TML_OK);
    CHECK(tml__gen_step_slope(s->slope, SLOPE_EXACT, s->contacts, s->h, s->numbers, after, &why) ==
          TML_OK);
    count_labels(s, c);
    c->apart = fmax(c->apart, compare_products(s, after));
    unsigned char labels[3 * CONTACTS];
    const int rows = s->touch->rows->count;
    memcpy(labels, s->touch->labels, (size_t)rows);
    const gen_step_slope* d = s->slope;
    for (int j = 0; j < COLUMNS; j++) {
        note(c, check_column(s, 0, j, d->q_q, d->v_q, j, end, labels, rows));
        note(c, check_column(s, 1, j, d->q_v, d->v_v, j, end, labels, rows));
    }
    for (int k = 0; k < 2; k++) {
        note(c, check_column(s, 2, k, d->q_f, d->v_f, motor_column(s, k), end, labels, rows));
    }
}

TEST(a_step_that_touches_has_its_derivatives)
{
    random_source r = random_start(71);
    coverage c = {0};
    for (int trial = 0; trial < 60; trial++) {
        scene s;
        open_scene(&s, &r);
        s.friction = trial % 4 == 0 ? 0.0 : trial % 4 == 1 ? 5.0 : 0.3;
        s.restitution = trial % 3 == 0 ? 0.6 : 0.0;
        scatter(&s, &r, trial % 3 == 1 ? 1e-2 : 1e-7);
        check_state(&s, &c);
        close_scene(&s);
    }
    printf("held %d, friction at its bound %d, parted %d, bounced %d, gaps %d, at rest %d: error "
           "%.1e\n",
           c.held, c.sliding, c.off, c.bounced, c.gaps, c.rests, c.worst);
    printf("%d of %d columns met other labels\n", c.skipped, c.columns);
    CHECK(c.held > 30 && c.sliding > 10 && c.off > 30 && c.bounced > 10 && c.gaps > 3);
    printf("matrices and products apart by %.1e\n", c.apart);
    CHECK(c.apart < 1e-12);  // rounding, times the condition of the rows that hold
    CHECK(c.rests > 10 && c.skipped * 20 < c.columns);
}

// Two balls on a line, alike and 1 to 3: rows (0, 1), (1, 0) and (-.35, 1.35), (.45, .55).
//                                                     [DCON App E; closed form of the impact]
TEST(two_balls_exchange_their_derivatives)
{
    for (int unequal = 0; unequal < 2; unequal++) {
        const tml_allocator heap = {0};
        message why = {""};
        tml_spec* spec = tml_spec_create();
        tml_model* model = NULL;
        maximal_system* system = NULL;
        gen_motion* motion = NULL;
        gen_touch* touch = NULL;
        gen_step_slope* slope = NULL;
        tml_spec_set_gravity(spec, v3_zero());
        for (int i = 0; i < 2; i++) {
            tml_body_def def = tml_body_def_default();
            def.mass = i == 1 && unequal ? 3.0 : 1.0;
            for (int k = 0; k < 3; k++) def.inertia[k] = 0.01;
            def.pose.p = v3(i, 0.0, 0.0);
            tml_spec_add_body(spec, &def);
        }
        CHECK(tml_spec_build(spec, &model) == TML_OK);
        CHECK(tml__maximal_create(model, KKT_NONE, &heap, &why, &system) == TML_OK);
        CHECK(tml__gen_motion_create(system, &with_contact, &heap, &why, &motion) == TML_OK);
        const gen_touch_settings settings = {.max_contacts = 1, .margin = 0.02};
        CHECK(tml__gen_touch_create(motion, &settings, &heap, &why, &touch) == TML_OK);
        CHECK(tml__gen_step_slope_create(touch, &heap, &why, &slope) == TML_OK);
        tml__maximal_time(system, 0.0, NULL);
        const double e = unequal ? 0.8 : 1.0;
        double numbers[14] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
        double rates[12] = {1.0};  // the first hits the second
        contact k = {.body_a = 1, .body_b = 0, .restitution = e};
        k.feature.a = element_point(v3_unit(0), 0.5);
        k.feature.b = element_point(v3_zero(), 0.5);
        CHECK(tml__feature_value(&k.feature, v3_unit(0), &k) == TML_OK);
        k.seed = tml__contact_seed(k.normal);
        tml__contact_tangents(&k);
        static const unsigned char unknown[3];
        static const double none[3];
        const gen_touch_past past = {.labels = unknown, .impulses = none};
        double impulse[8] = {0};
        double after[12];
        memcpy(after, rates, sizeof after);
        CHECK(tml__gen_touch_impulse(touch, &k, 1, 1e-3, 0.02, &past, numbers, after, impulse,
                                     &why) == TML_OK);
        CHECK(tml__gen_step_slope(slope, SLOPE_CONTINUOUS_BOUNCE, &k, 1e-3, numbers, after, &why) ==
              TML_OK);
        const double wanted[2][2] = {{unequal ? -0.35 : 0.0, unequal ? 1.35 : 1.0},
                                     {unequal ? 0.45 : 1.0, unequal ? 0.55 : 0.0}};
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                CHECK_NEAR(slope->q_q[6 * i * 12 + 6 * j], wanted[i][j], 1e-15);
                CHECK_NEAR(slope->v_v[6 * i * 12 + 6 * j], wanted[i][j], 1e-15);
            }
        }
        tml__gen_step_slope_destroy(slope);
        tml__gen_touch_destroy(touch);
        tml__gen_motion_destroy(motion);
        tml__maximal_destroy(system);
        tml_model_destroy(model);
        tml_spec_destroy(spec);
    }
}
