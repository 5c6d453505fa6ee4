// test/redundant/infeasible.c - more motors than freedoms: targets that agree run, targets that
// contradict each other are refused by name, with what could be reached, and leave no trace.
#include "model/model.h"
#include "test/check.h"
#include "test/sim/world.h"

enum {
    MAX_CONTROLS = 64
};

// What the model's own controls ask for at time t.
static int controls_at(const tml_model* m, double t, double out[MAX_CONTROLS])
{
    const int count = tml_model_control_count(m);
    CHECK(count <= MAX_CONTROLS);
    for (int i = 0; i < count; i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        CHECK(tml_model_control(m, i, &joint, &axis, &actuation) == TML_OK);
        out[i] = tml__control_eval(&m->joints[joint.index].axis[axis].control, t).value;
    }
    return count;
}

static int control_of(const tml_model* m, tml_joint wanted)
{
    for (int i = 0; i < tml_model_control_count(m); i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        tml_model_control(m, i, &joint, &axis, &actuation);
        if (joint.index == wanted.index) return i;
    }
    CHECK(0);  // the joint has a control
    return 0;
}

// ---- the leg: knee and ankle have two motors each, through parallelograms, so angles are equal

static void check_the_middle(tml_formulation formulation, tml_integrator integrator)
{
    world w = world_build(scenes_find("overactuated-leg")->build);
    double controls[MAX_CONTROLS];
    w.settings.formulation = formulation;
    w.settings.integrator = integrator;
    CHECK(world_start(&w) == TML_OK);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);

    blob before = world_snapshot(w.sim);
    controls_at(w.model, tml_sim_time(w.sim) + w.settings.step, controls);
    controls[control_of(w.model, tml_model_find_joint(w.model, "knee"))] = 0.2;
    controls[control_of(w.model, tml_model_find_joint(w.model, "knee_drive.motor"))] = 0.1;
    CHECK(tml_sim_step(w.sim, controls) == TML_INFEASIBLE);
    const char* text = tml_sim_message(w.sim);
    // both rows are sines of what is left, alike, so the least squares are in the middle
    CHECK_CONTAINS(text, "'knee' rx: target 0.2, nearest reachable 0.15");
    CHECK_CONTAINS(text, "'knee_drive.motor' rx: target 0.1, nearest reachable 0.15");
    CHECK_CONTAINS(text, "open by 0.05");
    CHECK(strstr(text, "ankle") == NULL);
    CHECK(strstr(text, "yaw") == NULL);
    CHECK(strstr(text, "'pitch'") == NULL);

    blob after = world_snapshot(w.sim);
    CHECK(blob_equal(&before, &after));
    blob_free(&before);
    blob_free(&after);
    world_end(&w);
}

// Whatever the formulation: the sentence is about the mechanism.
TEST(two_motors_that_disagree_on_the_knee_are_told_the_middle)
{
    check_the_middle(TML_FORM_QUATERNION, TML_TIME_BDF2);
    check_the_middle(TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
    check_the_middle(TML_FORM_AFFINE, TML_TIME_ENERGY);
    check_the_middle(TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER);
}

TEST(two_pairs_that_disagree_are_both_told)
{
    world w = world_build(scenes_find("overactuated-leg")->build);
    double controls[MAX_CONTROLS];
    CHECK(world_start(&w) == TML_OK);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    controls_at(w.model, tml_sim_time(w.sim) + w.settings.step, controls);
    controls[control_of(w.model, tml_model_find_joint(w.model, "knee"))] = 0.03;
    controls[control_of(w.model, tml_model_find_joint(w.model, "ankle_drive.motor"))] = -0.02;
    CHECK(tml_sim_step(w.sim, controls) == TML_INFEASIBLE);
    const char* text = tml_sim_message(w.sim);
    CHECK_CONTAINS(text, "'knee' rx: target 0.03");
    CHECK_CONTAINS(text, "'knee_drive.motor' rx");
    CHECK_CONTAINS(text, "'ankle_pitch' rx");
    CHECK_CONTAINS(text, "'ankle_drive.motor' rx: target -0.02");
    world_end(&w);
}

// Moving both motors of a knee together contradicts nothing, however odd the rest.
TEST(targets_that_agree_run_wherever_they_lead)
{
    world w = world_build(scenes_find("overactuated-leg")->build);
    double controls[MAX_CONTROLS];
    CHECK(world_start(&w) == TML_OK);
    controls_at(w.model, 0.0, controls);
    const tml_joint knee = tml_model_find_joint(w.model, "knee");
    const int pair[2] = {control_of(w.model, knee),
                         control_of(w.model, tml_model_find_joint(w.model, "knee_drive.motor"))};
    for (int k = 1; k <= 40; k++) {
        double value[TML_AXES];
        const double angle = 0.02 * k;
        controls[pair[0]] = angle;
        controls[pair[1]] = angle;
        CHECK(tml_sim_step(w.sim, controls) == TML_OK);
        tml_sim_joint_coordinates(w.sim, knee, value);
        CHECK_NEAR(value[0], angle, 1e-10);  // the tolerance of rows
        CHECK(tml_sim_gap(w.sim) <= 1e-10);
    }
    world_end(&w);
}

// ---- every scene with more motors than freedoms, each such motor in turn

static const char* const scenes[] = {"overactuated-leg", "gazelle-like", "satellite-like"};

// One step with one target off; both simulations must then go on with the same bits.
static void check_one_motor(const world* w, tml_sim* tried, tml_sim* spotless, tml_row_id row,
                            double off)
{
    double controls[MAX_CONTROLS];
    char name[80];
    controls_at(w->model, tml_sim_time(tried) + w->settings.step, controls);
    controls[control_of(w->model, row.joint)] += off;
    const tml_status status = tml_sim_step(tried, controls);
    snprintf(name, sizeof name, "'%s' %s: target", tml_model_joint_name(w->model, row.joint),
             tml_axis_name(row.axis));
    if (status != TML_INFEASIBLE) {
        printf("%s %s off by %g: %s (%s)\n", tml_model_name(w->model), name, off,
               tml_status_name(status), tml_sim_message(tried));
    }
    CHECK(status == TML_INFEASIBLE);
    CHECK_CONTAINS(tml_sim_message(tried), name);
    CHECK_CONTAINS(tml_sim_message(tried), "nearest reachable");
    CHECK(world_agree(tried, spotless));
    CHECK(tml_sim_step(tried, NULL) == TML_OK);
    CHECK(tml_sim_step(spotless, NULL) == TML_OK);
    CHECK(world_agree(tried, spotless));
}

TEST(any_motor_that_contradicts_the_others_is_named_and_leaves_no_trace)
{
    static const double offsets[] = {0.05, -1e-5};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        world w = world_build(scenes_find(scenes[i])->build);
        tml_doctor* doctor = NULL;
        tml_sim* tried = NULL;
        tml_sim* spotless = NULL;
        CHECK(tml_doctor_create(w.model, &doctor) == TML_OK);
        CHECK(tml_sim_create(w.model, &w.settings, &tried) == TML_OK);
        CHECK(tml_sim_create(w.model, &w.settings, &spotless) == TML_OK);
        int motors = 0;
        for (int k = 0; k < tml_doctor_redundant_count(doctor); k++) {
            const tml_redundant_row* r = tml_doctor_redundant(doctor, k);
            if (!r->is_actuation) continue;
            for (int n = 0; n < 2; n++) check_one_motor(&w, tried, spotless, r->row, offsets[n]);
            motors++;
        }
        CHECK(motors == tml_doctor_get_report(doctor).overactuation);
        CHECK(motors >= 2);
        tml_sim_destroy(tried);
        tml_sim_destroy(spotless);
        tml_doctor_destroy(doctor);
        world_end(&w);
    }
}

// A contradiction is spread over all rows that take part in it, some ten of them here: rows that stay
// below the tolerance are no contradiction, and nothing else passes.
TEST(the_tolerance_decides_what_contradicts)
{
    static const double offsets[] = {5e-11, 1e-9, 1e-8, 1e-7, 1e-6};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        world w = world_build(scenes_find("overactuated-leg")->build);
        double controls[MAX_CONTROLS];
        CHECK(world_start(&w) == TML_OK);
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        controls_at(w.model, 2.0 * w.settings.step, controls);
        controls[control_of(w.model, tml_model_find_joint(w.model, "knee"))] += offsets[i];
        const tml_status status = tml_sim_step(w.sim, controls);
        printf("knee off by %g rad: %s\n", offsets[i], tml_status_name(status));
        CHECK(status >= TML_OK);
        CHECK(tml_sim_gap(w.sim) <= 1e-10);
        CHECK(status == (offsets[i] < 2e-9 ? TML_OK : TML_INFEASIBLE));
        world_end(&w);
    }
}

// The first steps of a multistep method have stages and substeps of their own; what is named are the
// targets that were asked for.
TEST(a_start_names_the_targets_of_the_end_of_its_step)
{
    world w = world_build(scenes_find("overactuated-leg")->build);
    double controls[MAX_CONTROLS];
    CHECK(world_start(&w) == TML_OK);
    controls_at(w.model, w.settings.step, controls);
    controls[control_of(w.model, tml_model_find_joint(w.model, "knee"))] = 0.2;
    controls[control_of(w.model, tml_model_find_joint(w.model, "knee_drive.motor"))] = 0.1;
    CHECK(tml_sim_step(w.sim, controls) == TML_INFEASIBLE);
    CHECK_CONTAINS(tml_sim_message(w.sim), "'knee' rx: target 0.2,");
    CHECK_CONTAINS(tml_sim_message(w.sim), "'knee_drive.motor' rx: target 0.1,");
    world_end(&w);
}
