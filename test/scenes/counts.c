// test/scenes/counts.c - the built-in mechanisms have the sizes and ranks that are published or can
// be counted by hand, and stand closed and consistent at load.
#include "scenes/builders.h"
#include "test/scenes/placed.h"

typedef struct counted {
    const char* scene;
    int bodies, joints, rows, rank, loops, motors;
} counted;

// Ranks by hand: 6 a body less the freedoms that are left.
static const counted mechanisms[] = {
    {"four-bar", 3, 4, 20, 17, 1, 0},  // one freedom
    {"bricard", 5, 6, 30, 29, 1, 0},   // one freedom, against the count
    {"n-four-bar", 81, 121, 605, 485, 40, 0},
    {"andrews", 7, 10, 50, 41, 3, 0},
    {"two-hinge-door", 1, 2, 10, 5, 1, 0},
    {"four-legged-table", 2, 5, 18, 12, 3, 0},
    {"parallelogram-chain", 18, 24, 120, 102, 6, 0},  // one freedom a cell
    {"scissor-lift", 17, 28, 137, 102, 11, 1},
    {"jansen-leg", 7, 10, 51, 42, 3, 1},
    {"overactuated-leg", 10, 12, 68, 60, 2, 8},
    {"stewart-platform", 13, 18, 78, 78, 5, 6},
    {"delta-robot", 10, 15, 60, 60, 5, 3},
    {"gear-train", 5, 5, 30, 29, 0, 0},
    {"rack-and-pinion", 6, 8, 36, 36, 2, 1},
    {"hoberman-ring", 40, 61, 306, 239, 21, 1},  // it can still swing
    {"iron-man-like", 151, 198, 981, 906, 47, 27},
    {"gazelle-like", 38, 45, 236, 228, 7, 22},
    {"satellite-like", 26, 37, 192, 150, 12, 7},  // floats: the world is a component of its own
};

enum {
    MECHANISMS = sizeof mechanisms / sizeof mechanisms[0]
};

static void check_counts(const placed* p, const counted* c)
{
    const tml_model_summary s = tml_model_summarise(p->model);

    if (s.bodies != c->bodies || s.joints != c->joints || s.rows != c->rows) {
        printf("%s: %d bodies, %d joints, %d rows\n", c->scene, s.bodies, s.joints, s.rows);
    }
    CHECK(s.bodies == c->bodies);
    CHECK(s.joints == c->joints);
    CHECK(s.rows == c->rows);
    CHECK(s.loops == c->loops);
    CHECK(s.position_actuators == c->motors);
}

TEST(mechanisms_have_the_bodies_joints_rows_and_loops_that_are_published)
{
    for (int i = 0; i < MECHANISMS; i++) {
        placed p = place_scene(mechanisms[i].scene);
        check_counts(&p, &mechanisms[i]);
        placed_free(&p);
    }
}

TEST(hoberman_s_sphere_has_240_bars_420_joints_and_1980_rows)
{
    const counted sphere = {"hoberman-sphere", 240, 420, 1980, 1433, 181, 0};
    placed p = place_scene(sphere.scene);
    int revolutes = 0;

    check_counts(&p, &sphere);
    for (int j = 0; j < p.model->all.joint_count; j++) {
        revolutes += p.model->all.joints[j].kind == TML_JOINT_REVOLUTE;
    }
    CHECK(revolutes == 360);
    placed_free(&p);
}

// The gap between what counts and what does not is eight orders wide at least, so the tolerance of
// the rank does not decide.
TEST(ranks_at_load_are_those_of_the_freedoms_left)
{
    for (int i = 0; i < MECHANISMS; i++) {
        placed p = place_scene(mechanisms[i].scene);
        fill_rows(&p, 0.0);
        const rank_report r = rank_of_rows(&p);
        if (r.rank != mechanisms[i].rank) {
            printf("%s: rank %d, %.2g kept, %.2g dropped\n", mechanisms[i].scene, r.rank, r.kept,
                   r.dropped);
        }
        CHECK(r.rank == mechanisms[i].rank);
        CHECK(r.kept > 1e-4);
        CHECK(r.dropped < 1e-12);
        placed_free(&p);
    }
}

TEST(any_number_of_windows_has_15_n_plus_5_rows_of_rank_12_n_plus_5)
{
    static const int windows[4] = {1, 2, 3, 10};

    for (int i = 0; i < 4; i++) {
        const int n = windows[i];
        tml_scene* scene = tml_scene_create();
        scenes_add_four_bars(tml_scene_spec(scene), n);
        placed p = place(scene, "windows");
        fill_rows(&p, 0.0);
        CHECK(p.model->node_count == 2 * n + 1);
        CHECK(p.rows == 15 * n + 5);
        CHECK(rank_of_rows(&p).rank == 12 * n + 5);
        placed_free(&p);
    }
}

TEST(every_scene_is_closed_at_load)
{
    for (int i = 0; i < scenes_small_count(); i++) {
        placed p = place_scene(scenes_at(i)->name);
        // positions of a few metres: some ten roundings
        CHECK(tml_model_summarise(p.model).max_gap <= 1e-14);
        CHECK(fill_rows(&p, 0.0) <= 1e-14);
        placed_free(&p);
    }
}

// The rate of a row: gradient times velocities, and what a moving target adds.
static double row_rate(const placed* p, int row)
{
    double rate = p->C_t[row];

    for (int n = 0; n < p->model->node_count; n++) {
        const rigid* b = &p->bodies[p->model->node_body[n]];
        const double* g = p->J + (ptrdiff_t)row * p->columns + 6 * n;
        rate += v3_dot(v3_load(g), b->v) + v3_dot(v3_load(g + 3), b->omega);
    }
    return rate;
}

TEST(every_scene_starts_with_velocities_that_its_rows_and_targets_allow)
{
    for (int i = 0; i < scenes_small_count(); i++) {
        placed p = place_scene(scenes_at(i)->name);
        double worst = 0.0;
        fill_rows(&p, 0.0);
        for (int r = 0; r < p.rows; r++) worst = fmax(worst, fabs(row_rate(&p, r)));
        if (worst > 1e-12) printf("%s: %g\n", scenes_at(i)->name, worst);
        // speeds up to 250 rad/s, a thousand roundings in a sum
        CHECK(worst <= 1e-12);
        placed_free(&p);
    }
}
