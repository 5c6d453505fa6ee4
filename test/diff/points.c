// test/diff/points.c - a simulation put at a point, and the chart that motions from a point make.
#include "diff/points.h"

#include "sim/linear.h"
#include "test/check.h"
#include "test/random.h"

#include <trammel/trammel.h>

enum {
    COLUMNS = 11,  // a flying body, a hinge, a slide, a ball
    POINT = 13 + COLUMNS,
    NUMBERS = 2 * COLUMNS
};

static tml_model* tree(void)
{
    static const tml_joint_kind kinds[3] = {TML_JOINT_REVOLUTE, TML_JOINT_PRISMATIC,
                                            TML_JOINT_SPHERICAL};
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body last = TML_WORLD;
    for (int i = 0; i < 4; i++) {
        tml_body_def body = tml_body_def_default();
        body.pose.p = (tml_vec3){0.3 * i, 0.1, 0.2 * i};
        const tml_body b = tml_spec_add_body(spec, &body);
        if (i > 0) {
            tml_joint_def joint = tml_joint_def_default();
            joint.kind = kinds[i - 1];
            joint.base = last;
            joint.follower = b;
            joint.position = (tml_vec3){0.3 * i - 0.1, 0.0, 0.1};
            joint.axis = (tml_vec3){0.6, 0.0, 0.8};
            tml_spec_add_joint(spec, &joint);
        }
        last = b;
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

static tml_sim* open_sim(const tml_model* m)
{
    tml_sim_settings s = tml_sim_settings_default();
    tml_sim* sim = NULL;
    s.formulation = TML_FORM_GENERALIZED;
    s.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    CHECK(tml_sim_create(m, &s, &sim) == TML_OK);
    return sim;
}

static const step_linear* linear_of(const tml_sim* sim) { return sim->form->linear; }

TEST(going_along_a_motion_and_asking_for_the_way_gives_the_motion)
{
    tml_model* m = tree();
    tml_sim* sim = open_sim(m);
    double point[POINT];
    double motion[NUMBERS];
    double way[NUMBERS];
    random_source r = random_start(3);
    CHECK(linear_of(sim)->point_count(sim) == POINT);
    linear_of(sim)->note(sim, point);
    for (int i = 0; i < NUMBERS; i++) motion[i] = random_between(&r, -1.2, 1.2);
    CHECK(tml__sim_go(sim, point, motion) == TML_OK);
    linear_of(sim)->way(sim, point, way);
    for (int i = 0; i < NUMBERS; i++) CHECK_NEAR(way[i], motion[i], 1e-13);
    // the bodies stand there too: the hinge and the slide have their motions as coordinates
    for (int k = 0; k < 2; k++) {
        double q[TML_AXES];
        CHECK(tml_sim_joint_coordinates(sim, (tml_joint){k}, q) == 1);
        CHECK_NEAR(q[0], motion[6 + k], 1e-13);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(m);
}

// T by differences of ways between neighbouring motions; then T^-1 (T x) = x and y . (T x) = (T^T y) . x.
TEST(the_chart_is_what_differences_say)
{
    tml_model* m = tree();
    tml_sim* sim = open_sim(m);
    double point[POINT], at[POINT];
    double motion[NUMBERS], x[NUMBERS], y[NUMBERS], moved[NUMBERS];
    double T_x[2][NUMBERS];
    random_source r = random_start(5);
    linear_of(sim)->note(sim, point);
    for (int i = 0; i < NUMBERS; i++) {
        motion[i] = random_between(&r, -1.0, 1.0);
        x[i] = random_between(&r, -1.0, 1.0);
        y[i] = random_between(&r, -1.0, 1.0);
    }
    CHECK(tml__sim_go(sim, point, motion) == TML_OK);
    linear_of(sim)->note(sim, at);
    for (int half = 0; half < 2; half++) {
        const double e = half ? 1e-3 : 2e-3;
        double up[NUMBERS], down[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) moved[i] = motion[i] + e * x[i];
        CHECK(tml__sim_go(sim, point, moved) == TML_OK);
        linear_of(sim)->way(sim, at, up);
        for (int i = 0; i < NUMBERS; i++) moved[i] = motion[i] - e * x[i];
        CHECK(tml__sim_go(sim, point, moved) == TML_OK);
        linear_of(sim)->way(sim, at, down);
        for (int i = 0; i < NUMBERS; i++) T_x[half][i] = (up[i] - down[i]) / (2.0 * e);
    }
    double back[NUMBERS], sum = 0.0, transposed = 0.0;
    for (int i = 0; i < NUMBERS; i++) {
        T_x[1][i] = back[i] = (4.0 * T_x[1][i] - T_x[0][i]) / 3.0;
        sum += y[i] * back[i];
    }
    tml__chart_inverse(sim, motion, back);
    tml__chart_transposed(sim, motion, y);
    for (int i = 0; i < NUMBERS; i++) transposed += y[i] * x[i];
    // e^4 and rounding over e
    for (int i = 0; i < NUMBERS; i++) CHECK_NEAR(back[i], x[i], 1e-10);
    CHECK_NEAR(transposed, sum, 1e-10);
    // what is called within reach turns by less than pi
    double reach[NUMBERS];
    tml__chart_reach(sim, reach);
    CHECK(sqrt(3.0) * reach[3] < 3.14159 && isinf(reach[0]) && isinf(reach[6]));
    double bent = 0.0;
    for (int i = 0; i < NUMBERS; i++) bent = fmax(bent, fabs(T_x[1][i] - x[i]));
    CHECK(bent > 0.05);  // balls do bend it
    tml_sim_destroy(sim);
    tml_model_destroy(m);
}
