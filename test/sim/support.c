// test/sim/support.c - the table of what each pairing can do says what models and settings find.
#include "test/check.h"

#include <trammel/trammel.h>

#include <stdio.h>

// A rod on a hinge, with what the feature needs.
static tml_model* model_with(tml_feature feature)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.name = "rod";
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    const tml_body rod = tml_spec_add_body(spec, &body);
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.follower = rod;
    hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_joint_axis* turn = &hinge.axis_of[TML_AXIS_RX];
    if (feature == TML_FEATURE_LIMITS) {
        turn->has_limits = true;
        turn->lower = -1.0;
        turn->upper = 1.0;
    }
    if (feature == TML_FEATURE_ARMATURE) turn->armature = 0.1;
    if (feature == TML_FEATURE_JOINT_FRICTION) turn->friction = 0.1;
    if (feature == TML_FEATURE_COMPLIANT_JOINTS) hinge.axis_of[TML_AXIS_TX].compliance = 1e-4;
    tml_spec_add_joint(spec, &hinge);
    if (feature == TML_FEATURE_NONHOLONOMIC) {
        tml_nonholonomic_def blade = tml_nonholonomic_def_default();
        blade.body = rod;
        blade.axis = (tml_vec3){0.0, 1.0, 0.0};
        CHECK(tml_spec_add_nonholonomic(spec, &blade) == TML_OK);
    }
    if (feature == TML_FEATURE_DEFORMABLES) {
        static const tml_vec3 corners[4] = {{2, 0, 0}, {3, 0, 0}, {2, 1, 0}, {2, 0, 1}};
        static const int tetrahedron[4] = {0, 1, 2, 3};
        tml_deformable_def soft = tml_deformable_def_default();
        soft.vertex_count = 4;
        soft.vertices = corners;
        soft.tetrahedron_count = 1;
        soft.tetrahedra = tetrahedron;
        soft.young = 1e5;
        tml_spec_add_deformable(spec, &soft);
    }
    tml_model* m = NULL;
    CHECK(tml_spec_build(spec, &m) == TML_OK);
    tml_spec_destroy(spec);
    return m;
}

static tml_sim_settings settings_for(tml_formulation f, tml_integrator i, tml_feature feature)
{
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = f;
    s.integrator = i;
    if (i == TML_TIME_NEWMARK) {
        s.implicit.newmark_gamma = 0.6;
        s.implicit.newmark_beta = 0.3025;
    }
    if (i == TML_TIME_LINEAR_MULTISTEP) {  // backward Euler
        s.implicit.multistep = (tml_multistep){1, {1.0, -1.0}, {1.0, 0.0}};
    }
    s.contact.is_on = feature == TML_FEATURE_CONTACT || feature == TML_FEATURE_COMPLIANT_CONTACT;
    if (feature == TML_FEATURE_COMPLIANT_CONTACT) s.contact.stiffness = 1e5;
    if (feature == TML_FEATURE_ELASTIC_BODIES) s.affine.young = 1e7;
    if (feature == TML_FEATURE_LEVELS) s.implicit.level[1] = 1.0;
    return s;
}

// What happens to somebody who tries.
static tml_status attempt(const tml_model* m, const tml_sim_settings* s, tml_feature feature)
{
    tml_sim* sim = NULL;
    tml_derivatives* d = NULL;
    tml_status status = tml_sim_create(m, s, &sim);
    if (status == TML_OK) status = tml_sim_step(sim, NULL);
    if (status == TML_OK && feature == TML_FEATURE_STATICS) {
        tml_statics_report report;
        const tml_statics_settings how = tml_statics_settings_default();
        status = tml_sim_settle(sim, &how, &report);
    }
    tml_sim_destroy(sim);
    if (status != TML_OK || feature != TML_FEATURE_DERIVATIVES) return status;
    status = tml_derivatives_create(m, s, 0, &d);
    if (status == TML_OK) status = tml_derivatives_step(d, NULL);
    if (status == TML_OK) {
        const tml_parameter mass = {TML_PARAMETER_MASS, 0, 0, 0};
        const double weight = 1.0;
        const tml_quantity height = {.kind = TML_QUANTITY_POSITION, .component = 2, .step = 1};
        double slope = 0.0;
        status = tml_derivatives_gradient(d, 1, &height, &weight, 1, &mass, &slope);
    }
    tml_derivatives_destroy(d);
    return status;
}

TEST(a_pairing_does_what_the_table_says_and_refuses_the_rest)
{
    for (int f = 0; f < TML_FEATURES; f++) {
        const tml_feature feature = (tml_feature)f;
        tml_model* m = model_with(feature);
        for (int k = 0; k < TML_FORMULATIONS * TML_INTEGRATORS; k++) {
            const tml_formulation formulation = (tml_formulation)(k / TML_INTEGRATORS);
            const tml_integrator integrator = (tml_integrator)(k % TML_INTEGRATORS);
            if (!tml_pairing_exists(formulation, integrator)) continue;
            const tml_sim_settings s = settings_for(formulation, integrator, feature);
            const tml_status status = attempt(m, &s, feature);
            const bool can = tml_pairing_supports(formulation, integrator, feature);
            const tml_status expected = can ? TML_OK : TML_UNSUPPORTED;
            if (status != expected) {
                printf("%s, %s, %s: the table says %d, and it is %s\n",
                       tml_formulation_name(formulation), tml_integrator_name(integrator),
                       tml_feature_name(feature), can, tml_status_name(status));
            }
            CHECK(status == expected);
        }
        tml_model_destroy(m);
    }
}
