// Inputs: targets of servos, forces of tendons, activations and wrenches as numbers that a caller sets.
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// All of them are asked for as %s; what is there says the model.
#define ARM                                                                                        \
    "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [0.02, 0.2, 0.2],"              \
    " 'position': [0.5, 0, 0]}, {'name': 'b', 'mass': 1, 'inertia': [0.02, 0.1, 0.1],"             \
    " 'position': [1.5, 0, 0]}],"                                                                  \
    " 'joints': [{'name': 'shoulder', 'type': 'universal', 'base': 'world', 'follower': 'a',"      \
    "  'axes': [[0, 1, 0], [0, 0, 1], [1, 0, 0]],"                                                 \
    "  'servo': {'rx': {'target': %s, 'stiffness': 30, 'damping': 2},"                             \
    "            'ry': {'target': %s, 'stiffness': 20, 'damping': 1}}},"                           \
    " {'name': 'elbow', 'type': 'revolute', 'base': 'a', 'follower': 'b', 'position': [1, 0, 0],"  \
    "  'axis': [0, 1, 0], 'actuation': 'force', 'control': 0.5}],"                                 \
    " 'forces': [{'type': 'tendon', 'name': 'rope', 'stiffness': 0, 'force': %s,"                  \
    "   'points': [['world', [0, 0, 0.5]], ['b', [0, 0, 0.1]]]},"                                  \
    "  {'type': 'wrench', 'name': 'wind', 'body': 'b', 'force': [0, %s, 0]}]}"

static tml_model* build(const char* servo_x, const char* servo_y, const char* rope,
                        const char* wind)
{
    char text[4096];
    tml_model* model = NULL;
    snprintf(text, sizeof text, ARM, servo_x, servo_y, rope, wind);
    tml_scene* scene = scene_from(text);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    tml_scene_destroy(scene);
    return model;
}

static tml_model* moving(void)
{
    return build("{'sine': {'offset': 0, 'amplitude': 0.5, 'frequency': 1, 'phase': 1}}",
                 "{'table': [[0, 0.25], [1, 2]]}", "{'table': [[0, 3], [1, 0]]}", "-2");
}

TEST(inputs_are_listed_with_their_names_and_values)
{
    static const struct {
        tml_input_kind kind;
        int component;
        const char* name;
        double value;
    } expected[] = {
        {TML_INPUT_SERVO, TML_AXIS_RX, "shoulder", 0.42073549240394825},  // sin(1) / 2
        {TML_INPUT_SERVO, TML_AXIS_RY, "shoulder", 0.25},
        {TML_INPUT_TENDON, 0, "rope", 3.0},
        {TML_INPUT_FORCE, 0, "wind", 0.0},
        {TML_INPUT_FORCE, 1, "wind", -2.0},
        {TML_INPUT_FORCE, 2, "wind", 0.0},
        {TML_INPUT_TORQUE, 0, "wind", 0.0},
        {TML_INPUT_TORQUE, 1, "wind", 0.0},
        {TML_INPUT_TORQUE, 2, "wind", 0.0},
    };
    tml_model* model = moving();
    CHECK(tml_model_input_count(model) == 9);
    for (int i = 0; i < 9; i++) {
        tml_input input;
        CHECK(tml_model_input(model, i, &input) == TML_OK);
        CHECK(input.kind == expected[i].kind && input.component == expected[i].component);
        CHECK_TEXT(input.name, expected[i].name);
        CHECK_NEAR(tml_model_input_value(model, i, 0.0), expected[i].value, 1e-15);
    }
    tml_input input;
    CHECK(tml_model_input(model, 9, &input) == TML_BAD_ARGUMENT);
    CHECK(tml_model_input(model, -1, &input) == TML_BAD_ARGUMENT);
    CHECK_NEAR(tml_model_input_value(model, 2, 0.5), 1.5, 1e-15);
    tml_model_destroy(model);
}

static bool is_same_pose(const tml_sim* a, const tml_sim* b)
{
    const tml_pose p = tml_sim_pose(a, (tml_body){1});
    const tml_pose q = tml_sim_pose(b, (tml_body){1});
    return memcmp(&p, &q, sizeof p) == 0;
}

// Held inputs are a model with these constants, bit for bit in every formulation; and let go, they are the
// model's own again.
TEST(held_inputs_are_constants_of_a_model)
{
    tml_model* model = moving();
    tml_model* still = build("0.75", "-0.5", "4", "1.5");
    const double values[9] = {0.75, -0.5, 4.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0};
    int runs = 0;
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = (tml_formulation)f;
        settings.integrator = tml_formulation_default_integrator(settings.formulation);
        tml_sim* a = NULL;
        tml_sim* b = NULL;
        tml_sim* c = NULL;
        CHECK(tml_sim_create(model, &settings, &a) == TML_OK);
        CHECK(tml_sim_create(still, &settings, &b) == TML_OK);
        CHECK(tml_sim_create(model, &settings, &c) == TML_OK);
        CHECK(tml_sim_set_inputs(a, values) == TML_OK);
        double now[9];
        tml_sim_inputs(a, now);
        CHECK(memcmp(now, values, sizeof now) == 0);
        CHECK(tml_sim_reset(a) == TML_OK);
        for (int k = 0; k < 30; k++) {
            CHECK(tml_sim_step(a, NULL) == TML_OK);
            CHECK(tml_sim_step(b, NULL) == TML_OK);
            CHECK(tml_sim_step(c, NULL) == TML_OK);
        }
        CHECK(is_same_pose(a, b));
        CHECK(!is_same_pose(a, c));
        CHECK(tml_sim_set_inputs(a, NULL) == TML_OK);
        CHECK(tml_sim_reset(a) == TML_OK);
        for (int k = 0; k < 30; k++) CHECK(tml_sim_step(a, NULL) == TML_OK);
        CHECK(is_same_pose(a, c));
        tml_sim_inputs(a, now);
        CHECK_NEAR(now[2], 3.0 * (1.0 - tml_sim_time(a)), 1e-14);
        runs++;
        tml_sim_destroy(a);
        tml_sim_destroy(b);
        tml_sim_destroy(c);
    }
    CHECK(runs == TML_FORMULATIONS);
    tml_model_destroy(model);
    tml_model_destroy(still);
}

TEST(an_input_that_is_no_number_is_refused_by_name)
{
    tml_model* model = moving();
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    double values[9] = {0.0};
    values[2] = (double)NAN;
    CHECK(tml_sim_set_inputs(sim, values) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(sim), "'rope'");
    double now[9];
    tml_sim_inputs(sim, now);
    CHECK_NEAR(now[2], 3.0, 0.0);
    CHECK(tml_sim_set_inputs(NULL, values) == TML_BAD_ARGUMENT);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}
