// test/scenario/attached.c - deformables that bodies carry: against rigid bodies, orders, momentum, loads.
#include "test/scenario/attached.h"

TEST(backward_differences_keep_their_order_with_bodies_and_joints)
{
    static const int coarse[6] = {1600, 400, 200, 250, 300, 160};
    for (int is_consistent = 0; is_consistent < 2; is_consistent++) {
        tml_model* model = clamped_with_block(is_consistent == 1);
        const outcome exact =
            run(model, TML_FORM_QUATERNION, TML_TIME_BDF6, is_consistent ? 2000 : 1200, 0.2);
        // consistent masses sound higher: formulas of high order would need steps near rounding
        for (int order = is_consistent ? 2 : 1; order <= (is_consistent ? 4 : 6);
             order += is_consistent ? 2 : 1) {
            const tml_integrator integrator = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
            double error[2];
            for (int r = 0; r < 2; r++) {
                const outcome got = run(model, TML_FORM_QUATERNION, integrator,
                                        (is_consistent ? 2 : 1) * coarse[order - 1] << r, 0.2);
                error[r] = difference(&got, &exact);
            }
            const double seen = log2(error[0] / error[1]);
            printf("%s, %s masses: order %.2f (%.1e m/s left)\n", tml_integrator_name(integrator),
                   is_consistent ? "consistent" : "lumped", seen, error[1]);
            // what the next term of the error adds at these steps
            CHECK_NEAR(seen, order, 0.2);
        }
        tml_model_destroy(model);
    }
}

// Formulas that look back on accelerations: a carried vertex is held as a joint holds, so that they must
// damp (gamma > 1/2; a beta that dies out).                                 [COOK (164) Sec 7.5]
TEST(newmark_and_multistep_keep_their_order_with_bodies_that_carry)
{
    // two steps, order 2, in beta a root of 0.34
    static const tml_multistep two_step = {
        .steps = 2, .alpha = {1.0, -1.5, 0.5}, .beta = {0.85, -0.45, 0.1}};
    tml_model* model = clamped_with_block(false);
    const outcome exact = run(model, TML_FORM_QUATERNION, TML_TIME_BDF6, 1200, 0.2);
    for (int i = 0; i < 2; i++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = i == 0 ? TML_TIME_NEWMARK : TML_TIME_LINEAR_MULTISTEP;
        if (i == 0) {
            settings.implicit.newmark_gamma = 0.6;
            settings.implicit.newmark_beta = 0.3025;
        } else {
            settings.implicit.multistep = two_step;
        }
        double error[2];
        for (int k = 0; k < 2; k++) {
            const outcome got = run_by(model, settings, (i == 0 ? 1600 : 400) << k, 0.2);
            error[k] = difference(&got, &exact);
        }
        const double seen = log2(error[0] / error[1]);
        printf("%s: order %.2f (%.1e m/s left)\n", tml_integrator_name(settings.integrator), seen,
               error[1]);
        CHECK_NEAR(seen, i == 0 ? 1.0 : 2.0, 0.2);  // as above
    }
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_NEWMARK;
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(sim), "gamma > 0.5");
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- rigid, seen from outside

// All vertices of a box are carried by one body: the two together are a rigid body whose mass, centre
// and inertia are sums over the vertices.
TEST(a_deformable_that_is_carried_whole_is_a_rigid_body)
{
    const int cells[3] = {1, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.2, -0.1, 0.0}, (tml_vec3){0.3, 0.2, 0.4});
    tml_body_def carrier = tml_body_def_default();
    carrier.mass = 2.0;
    for (int k = 0; k < 3; k++) carrier.inertia[k] = 0.03 + 0.01 * k;
    carrier.velocity.linear = (tml_vec3){0.3, 0.0, 2.0};
    carrier.velocity.angular = (tml_vec3){2.0, 5.0, -1.0};
    tml_spec* spec = tml_spec_create();
    const tml_body body = tml_spec_add_body(spec, &carrier);
    tml_deformable_def def = soft_def(&box);
    def.density = 0.0;
    def.vertex_mass = 0.1;
    for (int i = 0; i < box.vertex_count; i++)
        attachments[i] = (tml_attachment){.vertex = i, .body = body};
    def.attachments = attachments;
    def.attachment_count = box.vertex_count;
    tml_spec_add_deformable(spec, &def);
    tml_model* soft = soft_build(spec);

    // the same by hand
    tml_body_def sum = carrier;
    const double m = 0.1;
    sum.mass = carrier.mass + m * box.vertex_count;
    sum.com = (tml_vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < box.vertex_count; i++) {
        sum.com.x += m * box.vertices[i].x / sum.mass;
        sum.com.y += m * box.vertices[i].y / sum.mass;
        sum.com.z += m * box.vertices[i].z / sum.mass;
    }
    memset(sum.inertia, 0, sizeof sum.inertia);
    for (int i = -1; i < box.vertex_count; i++) {
        const double w = i < 0 ? carrier.mass : m;
        const tml_vec3 p = i < 0 ? (tml_vec3){0.0, 0.0, 0.0} : box.vertices[i];
        const tml_vec3 r = {p.x - sum.com.x, p.y - sum.com.y, p.z - sum.com.z};
        sum.inertia[0] += w * (r.y * r.y + r.z * r.z);
        sum.inertia[1] += w * (r.x * r.x + r.z * r.z);
        sum.inertia[2] += w * (r.x * r.x + r.y * r.y);
        sum.inertia[3] -= w * r.x * r.y;
        sum.inertia[4] -= w * r.x * r.z;
        sum.inertia[5] -= w * r.y * r.z;
    }
    for (int k = 0; k < 3; k++) sum.inertia[k] += carrier.inertia[k];
    spec = tml_spec_create();
    tml_spec_add_body(spec, &sum);
    tml_model* rigid = soft_build(spec);

    double off[2];
    for (int r = 0; r < 2; r++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = TML_TIME_BDF4;
        settings.step = r == 0 ? 0.004 : 0.002;
        tml_sim* a = soft_sim(soft, &settings);
        tml_sim* b = soft_sim(rigid, &settings);
        if (a == NULL || b == NULL) return;
        const tml_energy e = tml_sim_energy(a);
        const tml_energy f = tml_sim_energy(b);
        // sums of ten terms of about 20 J
        CHECK_NEAR(e.kinetic, f.kinetic, 1e-12);
        CHECK_NEAR(e.potential, f.potential, 1e-12);
        soft_run(a, 250 << r);
        soft_run(b, 250 << r);
        off[r] = soft_distance(tml_sim_pose(a, body).p, tml_sim_pose(b, body).p);
        const tml_vec3 w = tml_sim_velocity(a, body).angular;
        off[r] += 0.1 * soft_distance(w, tml_sim_velocity(b, body).angular);
        // carried vertices stay where they are in the body
        const tml_pose pose = tml_sim_pose(a, body);
        const double length = soft_distance(tml_sim_vertex(a, 0, 3), pose.p);
        CHECK_NEAR(length, soft_distance(box.vertices[3], (tml_vec3){0.0, 0.0, 0.0}), 1e-12);
        tml_sim_destroy(a);
        tml_sim_destroy(b);
    }
    printf("carried box and rigid body differ by %.2e, at half the step by %.2e\n", off[0], off[1]);
    // both are of order 4, with errors of their own
    CHECK(off[1] < 1e-5 && off[0] / off[1] > 13.0);
    tml_model_destroy(soft);
    tml_model_destroy(rigid);
}

// ---- momentum

// Two blocks on the ends of a bar, afloat: nothing outside acts, so momentum stays; the centre of mass
// moves evenly to rounding, the angular momentum at the order of the formula.
TEST(two_blocks_on_a_bar_keep_their_momentum)
{
    tml_model* model = two_blocks();
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.002;
    tml_sim* sim = soft_sim(model, &settings);
    if (sim == NULL) return;

    const momenta start = momenta_of(sim);
    soft_run(sim, 250);
    const momenta end = momenta_of(sim);
    printf("momentum %.12f kg m/s, after 250 steps %.12f\n", start.linear.z, end.linear.z);
    // rounding of places over the step, 250 times, times 26 kg
    CHECK_NEAR(end.linear.z, start.linear.z, 1e-8);
    CHECK(fabs(tml_sim_velocity(sim, (tml_body){0}).linear.z) > 0.05);  // the other has heard of it
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- loads

// At rest the joint above carries everything that hangs below, the bar and what it carries included.
TEST(a_joint_bears_what_hangs_on_soft_things)
{
    const int cells[3] = {2, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){0.5, 0.1, 0.1});
    tml_spec* spec = tml_spec_create();
    tml_body_def block = tml_body_def_default();
    block.mass = 2.0;
    block.pose.p = (tml_vec3){-0.1, 0.05, 0.05};
    const tml_body a = tml_spec_add_body(spec, &block);
    tml_joint_def weld = tml_joint_def_default();
    weld.kind = TML_JOINT_FIXED;
    weld.base = TML_WORLD;
    weld.follower = a;
    weld.position = block.pose.p;
    const tml_joint joint = tml_spec_add_joint(spec, &weld);
    tml_deformable_def def = soft_def(&box);
    def.young = 1e5;
    def.attachments = attachments;
    def.attachment_count = attach(0.0, a);
    tml_spec_add_deformable(spec, &def);
    tml_spec_set_rayleigh(spec, 20.0, 0.0);
    tml_model* model = soft_build(spec);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_BDF1;
    tml_sim* sim = soft_sim(model, &settings);
    if (sim == NULL) return;
    soft_run(sim, 2000);
    const double weight = 9.81 * (2.0 + 0.5 * 0.1 * 0.1 * 1000.0);
    const tml_load load = tml_sim_joint_load(sim, joint);
    printf("the weld bears %.9f N of %.9f\n", load.force.z, weight);
    CHECK_NEAR(load.force.z, weight, 1e-6);  // what is left of the motion after 20 s
    CHECK(tml_sim_energy(sim).kinetic < 1e-12);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(what_has_no_place_for_carried_deformables_refuses_them_by_name)
{
    tml_model* model = clamped_with_block(false);
    tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_RK4;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "'generalized'") != NULL);
    tml_sim_destroy(sim);
    settings.formulation = TML_FORM_AFFINE;
    settings.integrator = TML_TIME_SHAKE;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "'shake'") != NULL);
    tml_sim_destroy(sim);
    settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}
