// test/scenes/motion.c - driven mechanisms can do what their controls ask for, and move as their
// geometry says; scenes with a reference start where the reference does.
#include "test/scenes/placed.h"

// ---- following the controls, without a solver of the library

typedef struct driven {
    const char* scene;
    double duration, step;  // s: over a period of its controls, or half of it
} driven;

static const driven driven_scenes[] = {
    {"scissor-lift", 10.0, 0.25},   {"jansen-leg", 3.5, 0.025}, {"overactuated-leg", 2.0, 0.1},
    {"stewart-platform", 4.0, 0.1}, {"delta-robot", 4.0, 0.1},  {"rack-and-pinion", 2.0, 0.1},
    {"hoberman-ring", 2.0, 0.5},    {"gazelle-like", 2.0, 0.1}, {"satellite-like", 2.0, 0.1},
};

// Targets of joints that are driven twice would leave a residual if they contradicted each other;
// a rank that falls would mean a dead point on the way.
TEST(driven_mechanisms_follow_their_controls_through_a_period)
{
    for (size_t i = 0; i < sizeof driven_scenes / sizeof driven_scenes[0]; i++) {
        const driven* d = &driven_scenes[i];
        placed p = place_scene(d->scene);
        fill_rows(&p, 0.0);
        const int rank = rank_of_rows(&p).rank;
        double worst = 0.0;
        double kept = 1.0;

        for (int k = 1; k * d->step <= d->duration; k++) {
            worst = fmax(worst, follow_targets(&p, k * d->step));
            if (k % 4 != 0) continue;  // the rank costs as much as the step
            const rank_report r = rank_of_rows(&p);
            kept = fmin(kept, r.kept);
            CHECK(r.rank == rank);
        }
        if (worst > 1e-12 || kept < 1e-3) printf("%s: %g, %g\n", d->scene, worst, kept);
        CHECK(worst <= 1e-12);  // lengths of a few metres, targets of hundreds of radians
        CHECK(kept > 1e-3);
        placed_free(&p);
    }
}

static const rigid* body_named(const placed* p, const char* name)
{
    const tml_body body = tml_model_find_body(p->model, name);
    CHECK(body.index >= 0);
    return &p->bodies[body.index >= 0 ? body.index : 0];
}

static mat3 turn_since_load(const placed* p, const rigid* body)
{
    return m3_mul(body->R, m3_transpose(q_matrix(p->model->bodies[body - p->bodies].q)));
}

// How far a body has turned since load: the largest entry of its turn less the identity.
static double turned(const placed* p, const char* name)
{
    const mat3 R = m3_sub(turn_since_load(p, body_named(p, name)), m3_identity());
    double worst = 0.0;

    for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(R.m[i / 3][i % 3]));
    return worst;
}

static vec3 joint_point(const placed* p, const char* name)
{
    const tml_joint joint = tml_model_find_joint(p->model, name);
    CHECK(joint.index >= 0);
    const joint_data* j = &p->model->joints[joint.index >= 0 ? joint.index : 0];
    const rigid* F = &p->bodies[j->follower];

    return v3_add(F->c, m3_apply(F->R, j->point_F));
}

// Bars of 1 m with the feet w apart: each of the four stages is sqrt(1 - w^2) high.
TEST(the_scissor_lift_is_as_high_as_its_triangles_say)
{
    placed p = place_scene("scissor-lift");
    for (int k = 1; k <= 10; k++) {
        const double t = 0.5 * k;
        const double w = 0.9 - 0.15 * (1.0 - cos(2.0 * TML_PI * 0.1 * t));
        CHECK(follow_targets(&p, t) <= 1e-12);
        // the table stands on its hinges
        CHECK_NEAR(joint_point(&p, "front.hinge.4").z, 4.0 * sqrt(1.0 - w * w), 1e-12);
        CHECK(turned(&p, "platform") <= 1e-12);
    }
    placed_free(&p);
}

TEST(the_platform_of_the_delta_robot_never_turns)
{
    placed p = place_scene("delta-robot");
    double moved = 0.0;
    for (int k = 1; k <= 20; k++) {
        CHECK(follow_targets(&p, 0.1 * k) <= 1e-12);
        CHECK(turned(&p, "platform") <= 1e-12);
        const rigid* platform = body_named(&p, "platform");
        moved = fmax(moved, v3_norm(v3_sub(platform->c, p.model->bodies[platform - p.bodies].c)));
    }
    CHECK(moved > 0.05);
    placed_free(&p);
}

// Odd panels stay parallel to the bus, even ones to the first panel.
TEST(panels_of_the_satellite_stay_parallel_to_the_one_before_the_last)
{
    placed p = place_scene("satellite-like");
    for (int k = 1; k <= 10; k++) CHECK(follow_targets(&p, 0.1 * k) <= 1e-12);

    const rigid* bus = body_named(&p, "bus");
    const rigid* first = body_named(&p, "panel.0");
    for (int i = 1; i <= 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "panel.%d", i);
        const mat3 turn = turn_since_load(&p, body_named(&p, name));
        const mat3 wanted = turn_since_load(&p, i % 2 ? bus : first);
        for (int e = 0; e < 9; e++) CHECK_NEAR(turn.m[e / 3][e % 3], wanted.m[e / 3][e % 3], 1e-12);
    }
    placed_free(&p);
}

// Opposite joints of the ring are two radii apart: r = p sin(theta +- alpha/2) / sin(alpha/2),
// theta = 0.8 + half of the scissor's angle.
TEST(the_ring_opens_as_its_radii_say)
{
    placed p = place_scene("hoberman-ring");
    const double half = TML_PI / 20.0;
    for (int k = 1; k <= 4; k++) {
        const double t = 0.5 * k;
        const double theta = 0.8 + 0.2 * (1.0 - cos(2.0 * TML_PI * 0.25 * t));
        CHECK(follow_targets(&p, t) <= 1e-12);
        const vec3 outer = v3_sub(joint_point(&p, "outer.0.0"), joint_point(&p, "outer.0.10"));
        const vec3 inner = v3_sub(joint_point(&p, "inner.0.3"), joint_point(&p, "inner.0.13"));
        CHECK_NEAR(v3_norm(outer), 0.2 * sin(theta + half) / sin(half), 1e-11);
        CHECK_NEAR(v3_norm(inner), 0.2 * sin(theta - half) / sin(half), 1e-11);
    }
    placed_free(&p);
}

// ---- lengths, masses, energies

// Theo Jansen's numbers between the joints that they belong to, in centimetres.
TEST(the_leg_has_the_thirteen_lengths_of_jansen)
{
    static const struct {
        const char* from;
        const char* to;
        double length;
    } numbers[] = {
        {"motor", "crank.j", 15.0},       {"crank.j", "upper.j", 50.0},
        {"crank.k", "lower.k", 61.9},     {"upper.pivot", "upper.j", 41.5},
        {"upper.pivot", "upper.f", 40.1}, {"upper.j", "upper.f", 55.8},
        {"c.pivot", "lower.c", 39.3},     {"upper.f", "lower.f", 39.4},
        {"lower.c", "lower.f", 36.7},
    };
    placed p = place_scene("jansen-leg");

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const vec3 d = v3_sub(joint_point(&p, numbers[i].to), joint_point(&p, numbers[i].from));
        CHECK_NEAR(100.0 * v3_norm(d), numbers[i].length, 1e-12);
    }
    const vec3 ground = v3_sub(joint_point(&p, "upper.pivot"), joint_point(&p, "motor"));
    CHECK_NEAR(-100.0 * ground.x, 38.0, 1e-12);
    CHECK_NEAR(-100.0 * ground.z, 7.8, 1e-12);

    // the foot is no joint: the far end of the last two struts of the lower triangle, seen from
    // its frame at rod k's joint
    const tml_body_def* lower = tml_model_body(p.model, tml_model_find_body(p.model, "lower"));
    const double lengths[2] = {lower->shapes[1].size.z, lower->shapes[2].size.z};
    CHECK_NEAR(100.0 * lengths[0], 65.7, 1e-12);
    CHECK_NEAR(100.0 * lengths[1], 49.0, 1e-12);
    placed_free(&p);
}

static double kinetic_about(const placed* p, vec3 velocity)
{
    double energy = 0.0;

    for (int b = 0; b < p->model->all.body_count; b++) {
        const body_data* d = &p->model->bodies[b];
        const vec3 v = v3_sub(d->v, velocity);
        const vec3 w = m3_apply(m3_transpose(q_matrix(d->q)), d->omega);
        energy += 0.5 * d->mass * v3_dot(v, v) + 0.5 * v3_dot(w, m3_apply(d->inertia, w));
    }
    return energy;
}

// Measured with another program: 12.015 J of spin at 6 rad/s, four digits.
TEST(the_spin_of_hoberman_s_sphere_has_the_published_energy)
{
    placed p = place_scene("hoberman-sphere");
    const vec3 thrown = {0.0, 0.0, 19.62};
    CHECK_NEAR(kinetic_about(&p, thrown), 12.015, 1e-3);
    CHECK_NEAR(tml_model_summarise(p.model).mass, 4.8, 1e-12);
    placed_free(&p);
}

// Log-uniform: every third of the decades holds its share of the bodies.
TEST(masses_of_the_figures_spread_from_a_gram_to_ten_kilograms)
{
    placed p = place_scene("iron-man-like");
    int thirds[3] = {0, 0, 0};
    for (int b = 0; b < p.model->all.body_count; b++) {
        const double u = log(p.model->bodies[b].mass / 3e-4) / log(10.0 / 3e-4);
        CHECK(u >= 0.0 && u < 1.0);
        thirds[(int)(3.0 * fmin(fmax(u, 0.0), 0.999))]++;
    }
    for (int i = 0; i < 3; i++) CHECK(thirds[i] >= 151 / 5);
    placed_free(&p);
}

// ---- starting where the references start: centres of mass at t = 0, from the files' first lines

typedef struct start {
    const char* scene;
    const char* body;
    double x, y;
} start;

static const start starts[] = {
    {"four-bar", "crank", 0.0, 0.2},
    {"four-bar", "coupler", 0.462376220141279, 0.590284605388517},
    {"four-bar", "rocker", 1.01237622014128, 0.390284605388517},
    {"andrews", "body.1", 0.000918248598030761, -5.67407456290548e-05},
    {"andrews", "body.2", -0.00449143335993307, 0.00027753625579429},
    {"andrews", "body.3", -0.0187421866703155, 0.0204851067890739},
    {"andrews", "body.4", -0.0302229398301589, 0.0120711823566639},
    {"andrews", "body.5", -0.0532368281557041, 0.0166318479666163},
    {"andrews", "body.6", -0.0285432685367836, -0.0107222547072523},
    {"andrews", "body.7", -0.0562655817857574, -0.00213550702962614},
};

TEST(scenes_with_a_reference_start_where_it_does)
{
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        placed p = place_scene(starts[i].scene);
        const rigid* b = body_named(&p, starts[i].body);
        // fifteen digits are given
        CHECK_NEAR(b->c.x, starts[i].x, 5e-15 * fabs(starts[i].x) + 1e-17);
        CHECK_NEAR(b->c.y, starts[i].y, 5e-15 * fabs(starts[i].y) + 1e-17);
        placed_free(&p);
    }
}
