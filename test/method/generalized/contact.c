// test/method/generalized/contact.c - steps that touch, with contacts made by hand.
//
// A block stands with its corners on the plane z = 0; gravity is tilted where a slope is wanted.
// What happens then is known in closed form.                                 [DCON (1)-(4)]
#include "method/generalized/contact.h"

#include "test/check.h"
#include "test/random.h"

enum {
    MOST = 8
};

static const gen_motion_settings with_contact = {.has_contact = true};

typedef struct block {
    tml_spec* spec;
    tml_model* model;
    maximal_system* system;
    gen_motion* motion;
    gen_touch* touch;
    double numbers[7], rates[6], impulse[1];
    vec3 corner[MOST];
    int corner_count;
    double radius;  // > 0: a ball instead of corners
    double friction, restitution;
    bool is_mixed;  // every second corner does not bounce
    unsigned char labels[3 * MOST];
    double impulses[3 * MOST];
    contact contacts[MOST];
    int contact_count;
    double margin, h;
} block;

static const vec3 half = {0.2, 0.15, 0.1};

// A block of 2 kg, or a ball.
static void open_block(block* b, vec3 gravity, double radius, double friction, double restitution)
{
    const tml_allocator heap = {0};
    message why = {""};
    *b = (block){.spec = tml_spec_create(),
                 .radius = radius,
                 .friction = friction,
                 .restitution = restitution,
                 .margin = 0.02,
                 .h = 1e-3};
    tml_body_def def = tml_body_def_default();
    def.mass = 2.0;
    const double x = 4.0 * half.x * half.x;
    const double y = 4.0 * half.y * half.y;
    const double z = 4.0 * half.z * half.z;
    const double ball = 0.4 * radius * radius;
    const double moment[3] = {(y + z) / 12.0, (x + z) / 12.0, (x + y) / 12.0};
    for (int k = 0; k < 3; k++) def.inertia[k] = def.mass * (radius > 0.0 ? ball : moment[k]);
    def.pose.p = v3(0.0, 0.0, radius > 0.0 ? radius : half.z);
    tml_spec_add_body(b->spec, &def);
    tml_spec_set_gravity(b->spec, gravity);
    CHECK(tml_spec_build(b->spec, &b->model) == TML_OK);
    CHECK(tml__maximal_create(b->model, KKT_NONE, &heap, &why, &b->system) == TML_OK);
    CHECK(tml__gen_motion_create(b->system, &with_contact, &heap, &why, &b->motion) == TML_OK);
    const gen_touch_settings settings = {.max_contacts = MOST, .margin = b->margin};
    CHECK(tml__gen_touch_create(b->motion, &settings, &heap, &why, &b->touch) == TML_OK);
    tml__maximal_time(b->system, 0.0, NULL);
    b->numbers[2] = def.pose.p.z;
    b->numbers[3] = 1.0;
    for (int i = 0; i < 4; i++) {
        b->corner[i] = v3(i % 2 ? half.x : -half.x, i / 2 ? half.y : -half.y, -half.z);
    }
    b->corner_count = radius > 0.0 ? 1 : 4;
}

static void close_block(block* b)
{
    tml__gen_touch_destroy(b->touch);
    tml__gen_motion_destroy(b->motion);
    tml__maximal_destroy(b->system);
    tml_model_destroy(b->model);
    tml_spec_destroy(b->spec);
}

// Corners, or the lowest point of the ball, against the plane.
static void detect(block* b)
{
    const vec3 c = v3_load(b->numbers);
    const mat3 R =
        q_matrix(q_normalize((quat){b->numbers[3], b->numbers[4], b->numbers[5], b->numbers[6]}));
    b->contact_count = b->corner_count;
    for (int i = 0; i < b->corner_count; i++) {
        const vec3 point = b->radius > 0.0 ? v3_sub(c, v3_scale(b->radius, v3_unit(2)))
                                           : v3_add(c, m3_apply(R, b->corner[i]));
        b->contacts[i] = (contact){.body_a = 0,
                                   .body_b = 1,
                                   .point = point,
                                   .normal = v3_unit(2),
                                   .gap = point.z,
                                   .friction = b->friction,
                                   .restitution = b->is_mixed && i % 2 == 0 ? 0.0 : b->restitution,
                                   .tangent = {v3_unit(0), v3_unit(1)}};
    }
}

static tml_status step_block(block* b)
{
    message why = {""};
    const gen_touch_past past = {.labels = b->labels, .impulses = b->impulses};
    detect(b);
    const tml_status status =
        tml__gen_touch_impulse(b->touch, b->contacts, b->contact_count, b->h, b->margin, &past,
                               b->numbers, b->rates, b->impulse, &why);
    if (status != TML_OK) printf("%s\n", why.text);
    const gen_tree* t = b->motion->tree;
    tml__gen_move(t, b->numbers, b->rates, b->h, b->numbers);
    tml__gen_move(t, b->numbers, b->touch->shift, 1.0, b->numbers);
    for (int i = 0; i < b->contact_count; i++) {
        const int at = b->touch->contact_row[i];
        for (int k = 0; k <= b->touch->friction_rows[i]; k++) {
            b->labels[3 * i + k] = b->touch->labels[at + k];
            b->impulses[3 * i + k] = b->touch->f[at + k];
        }
    }
    return status;
}

static vec3 total_force(const block* b)
{
    vec3 sum = v3_zero();
    for (int i = 0; i < b->contact_count; i++) {
        sum = v3_add(sum, tml__gen_touch_force(b->touch, b->contacts, i));
    }
    return v3_scale(1.0 / b->h, sum);
}

// Gravity as seen in the axes of a slope that falls along +x.
static vec3 tilted(double angle) { return v3(9.81 * sin(angle), 0.0, -9.81 * cos(angle)); }

TEST(a_block_at_rest_stays_and_carries_its_weight)
{
    block b;
    open_block(&b, tilted(0.0), 0.0, 0.5, 0.0);
    for (int k = 0; k < 200; k++) CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.numbers[2], half.z, 1e-14);
    for (int k = 0; k < 6; k++) CHECK_NEAR(b.rates[k], 0.0, 1e-13);
    CHECK_NEAR(total_force(&b).z, 2.0 * 9.81, 1e-10);
    CHECK(b.touch->report.residual < 1e-12);
    // four corners of one plane: six of the twelve rows depend on the others
    CHECK(b.touch->report.dependent_rows == 6);
    close_block(&b);
}

TEST(a_block_holds_below_the_friction_angle_and_slides_above_it)
{
    const double mu = 0.4;
    for (int k = 0; k < 2; k++) {
        const double angle = atan(mu) + (k == 0 ? -1e-6 : 1e-3);
        block b;
        open_block(&b, tilted(angle), 0.0, mu, 0.0);
        for (int i = 0; i < 500; i++) CHECK(step_block(&b) == TML_OK);
        // v = g (sin - mu cos) t, and no other motion
        const double speed = k == 0 ? 0.0 : 9.81 * (sin(angle) - mu * cos(angle)) * 0.5;
        CHECK_NEAR(b.rates[0], speed, 1e-12);
        CHECK_NEAR(b.numbers[2], half.z, 1e-12);
        CHECK_NEAR(total_force(&b).z, 2.0 * 9.81 * cos(angle), 1e-9);
        close_block(&b);
    }
}

// The deceleration is constant, so semi-implicit Euler stops at v0^2 / (2 mu g) up to v0 h / 2.
TEST(a_block_slides_to_rest)
{
    const double mu = 0.3;
    block b;
    open_block(&b, tilted(0.0), 0.0, mu, 0.0);
    b.rates[0] = 1.0;
    for (int i = 0; i < 600; i++) CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.rates[0], 0.0, 1e-13);
    CHECK_NEAR(b.numbers[0], 1.0 / (2.0 * mu * 9.81), 1.01 * 0.5 * 1.0 * b.h);
    close_block(&b);
}

// Sliding ends at 5/7 of the speed whatever the friction; then the ball rolls on.
TEST(a_sliding_ball_rolls_at_five_sevenths)
{
    block b;
    open_block(&b, tilted(0.0), 0.1, 0.3, 0.0);
    b.rates[0] = 2.0;
    // it rolls after 2 v0 / (7 mu g) = 0.194 s
    for (int i = 0; i < 150; i++) CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.rates[0], 2.0 - 0.3 * 9.81 * 0.15, 1e-12);
    for (int i = 0; i < 150; i++) CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.rates[0], 2.0 * 5.0 / 7.0, 1e-12);  // exact: angular momentum about the ground
    CHECK_NEAR(b.rates[0], 0.1 * v3_norm(v3_load(&b.rates[3])), 1e-12);
    close_block(&b);
}

// Heights of bounces fall by e^2; the error of the step is v h in the height.
TEST(a_ball_bounces_to_e_squared_of_its_height)
{
    const double e = 0.8;
    double error[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        block b;
        open_block(&b, tilted(0.0), 0.1, 0.0, e);
        b.h = k == 0 ? 1e-3 : 5e-4;
        b.numbers[2] = 1.1;
        double top = 0.0;
        int bounces = 0;
        double before = 0.0;
        for (int i = 0; i < (int)(2.5 / b.h) && bounces < 4; i++) {
            CHECK(step_block(&b) == TML_OK);
            if (before < 0.0 && b.rates[2] > 0.0) {
                // the speed right after the bounce says how high it goes
                bounces++;
                top = b.rates[2] * b.rates[2] / (2.0 * 9.81) + b.numbers[2] - 0.1;
                error[k] = tml__larger(error[k], top - pow(e, 2.0 * bounces));
            }
            before = b.rates[2];
        }
        CHECK(bounces == 4);
        close_block(&b);
    }
    printf("bounce heights off by %.1e m, %.1e m at half the step\n", error[0], error[1]);
    CHECK(error[0] < 3.0 * 4.43 * 1e-3);  // a few v h, v = sqrt(2 g)
    CHECK(error[1] < 0.75 * error[0]);
}

// Bodies that overlap are parted, and no energy comes of it.
TEST(an_overlap_is_taken_out_without_velocity)
{
    block b;
    open_block(&b, tilted(0.0), 0.0, 0.5, 0.0);
    b.numbers[2] = half.z - 0.01;
    CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.numbers[2], half.z, 1e-12);
    for (int k = 0; k < 6; k++) CHECK_NEAR(b.rates[k], 0.0, 1e-12);
    for (int k = 0; k < 50; k++) CHECK(step_block(&b) == TML_OK);
    CHECK_NEAR(b.numbers[2], half.z, 1e-12);
    for (int k = 0; k < 6; k++) CHECK_NEAR(b.rates[k], 0.0, 1e-12);
    close_block(&b);
}

// A block thrown on its edge with any spin loses energy until it lies still; nothing is ever won.
TEST(a_tumbling_block_never_gains_energy_by_contact)
{
    random_source r = random_start(7);
    for (int trial = 0; trial < 6; trial++) {
        block b;
        open_block(&b, tilted(0.0), 0.0, 0.4, 0.0);
        b.corner_count = 8;
        for (int i = 4; i < 8; i++) {
            b.corner[i] = b.corner[i - 4];
            b.corner[i].z = half.z;
        }
        const quat q = random_quat(&r);
        const double pose[7] = {0.0, 0.0, 0.4, q.w, q.x, q.y, q.z};
        memcpy(b.numbers, pose, sizeof pose);
        for (int k = 0; k < 6; k++) b.rates[k] = random_between(&r, -2.0, 2.0);
        double deepest = 0.0;
        double largest = 0.0;
        for (int i = 0; i < 3000; i++) {
            double kinetic = 0.0;
            double potential = 0.0;
            CHECK(step_block(&b) == TML_OK);
            tml__maximal_energy(b.system, &kinetic, &potential);
            if (i == 0) largest = kinetic + potential;
            // semi-implicit Euler itself wins and loses some thousandths over a flight
            CHECK(kinetic + potential < largest * 1.02);
            for (int k = 0; k < 8; k++) deepest = fmin(deepest, b.contacts[k].gap);
        }
        CHECK(deepest > -1e-4);  // corners turn away from their tangent: (omega h)^2 / 2 of 0.27 m
        for (int k = 0; k < 6; k++) CHECK_NEAR(b.rates[k], 0.0, 1e-9);
        close_block(&b);
    }
}

// What the impulses of the last step did: T after them less T before them, at the poses of its start.
//     f . (J u+ + J u_free) / 2,   J u_free = J u+ - A f,   A f = w - b
static double work_of_impulses(const block* b)
{
    const gen_touch* c = b->touch;
    double work = 0.0;
    for (int i = 0; i < c->rows->count; i++) {
        const double after = tml__gen_rows_rate(c->rows, i, b->rates);
        work += c->f[i] * (after - 0.5 * (c->w[i] - c->b[i]));
    }
    return work;
}

// f . w <= 0 by the laws and offsets are >= 0 without restitution, so that the work f . (w - offset) -
// f . A f / 2 cannot be positive, whatever the friction, the spin and the step are. A block that turns by
// 0.3 rad a step wins energy all the same, because c is that of the start of the step: not by contact.
TEST(impulses_without_restitution_never_do_positive_work)
{
    random_source r = random_start(11);
    double most = 0.0;
    double least = 0.0;
    for (int trial = 0; trial < 12; trial++) {
        block b;
        open_block(&b, tilted(0.0), 0.0, 0.1 * trial, 0.0);
        b.h = trial % 2 == 0 ? 8e-3 : 2e-3;
        b.corner_count = 8;
        for (int i = 4; i < 8; i++) {
            b.corner[i] = b.corner[i - 4];
            b.corner[i].z = half.z;
        }
        const quat q = random_quat(&r);
        const double pose[7] = {0.0, 0.0, 0.5, q.w, q.x, q.y, q.z};
        memcpy(b.numbers, pose, sizeof pose);
        for (int k = 0; k < 6; k++) b.rates[k] = random_between(&r, -10.0, 10.0);
        for (int i = 0; i < 400; i++) {
            CHECK(step_block(&b) == TML_OK);
            const double work = work_of_impulses(&b);
            most = fmax(most, work);
            least = fmin(least, work);
        }
        close_block(&b);
    }
    printf("work of the impulses of a step: %.1e to %.1e J\n", least, most);
    CHECK(least < -1.0);   // it hits hard
    CHECK(most <= 1e-13);  // rounding of sums of some joules
}

// Newton's restitution wins energy where corners that bounce and corners that do not are held by much
// friction; the step then leaves the bounces out.
TEST(impulses_with_restitution_never_do_positive_work_either)
{
    random_source r = random_start(13);
    double most = 0.0;
    int bounces = 0;
    for (int trial = 0; trial < 60; trial++) {
        block b;
        open_block(&b, tilted(0.0), 0.0, 0.05 * trial, 1.0);
        b.is_mixed = true;
        b.h = 2e-3;
        b.corner_count = 8;
        for (int i = 4; i < 8; i++) {
            b.corner[i] = b.corner[i - 4];
            b.corner[i].z = half.z;
        }
        const quat q = random_quat(&r);
        const double pose[7] = {0.0, 0.0, 0.3, q.w, q.x, q.y, q.z};
        memcpy(b.numbers, pose, sizeof pose);
        for (int k = 0; k < 6; k++) b.rates[k] = random_between(&r, -10.0, 10.0);
        for (int i = 0; i < 200; i++) {
            CHECK(step_block(&b) == TML_OK);
            most = fmax(most, work_of_impulses(&b));
            for (int k = 0; k < b.contact_count; k++) {
                bounces += b.touch->offset_of[k] == OFFSET_BOUNCE ? 1 : 0;
            }
        }
        close_block(&b);
    }
    printf("%d bounces, work at most %.1e J\n", bounces, most);
    CHECK(bounces > 20);
    CHECK(most <= 1e-10);  // 1e-12 of what impulses of a hundred joules change
}
