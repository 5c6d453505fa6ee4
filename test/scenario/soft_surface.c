// test/scenario/soft_surface.c - surfaces inside tetrahedra that touch: forces reach the vertices through the
// barycentric mapping, J^T, with their moments and their power.                 [COOK (289) Sec 9]
#include "test/scenario/soft.h"

enum {
    SIDE = 4,  // cells of the fine surface along an edge
    FINE = (SIDE + 1) * (SIDE + 1) * (SIDE + 1)
};

static soft_box box;
static tml_vec3 points[FINE];
static int triangles[3];

// Points of a grid, those of its outside only; one triangle will do: points touch.
static int fill_points(tml_vec3 corner, double size)
{
    int count = 0;
    for (int k = 0; k < FINE; k++) {
        const int i = k / ((SIDE + 1) * (SIDE + 1));
        const int j = k / (SIDE + 1) % (SIDE + 1);
        const int n = k % (SIDE + 1);
        const bool is_inside = i > 0 && i < SIDE && j > 0 && j < SIDE && n > 0 && n < SIDE;
        if (is_inside) continue;
        points[count++] = (tml_vec3){corner.x + size * i / SIDE, corner.y + size * j / SIDE,
                                     corner.z + size * n / SIDE};
    }
    for (int k = 0; k < 3; k++) triangles[k] = k;
    return count;
}

static void give_surface(tml_deformable_def* def, int count)
{
    def->surface_vertex_count = count;
    def->surface_vertices = points;
    def->surface_triangle_count = 1;
    def->surface_triangles = triangles;
    def->touches_by_surface = 1;
}

static tml_sim_settings touching(tml_formulation formulation, tml_integrator integrator,
                                 double step)
{
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = formulation;
    settings.integrator = integrator;
    settings.step = step;
    settings.contact.is_on = 1;
    return settings;
}

// ---- the same contact on the vertices themselves

// A cube that turns falls on the floor. The surface is its outer vertices: weights of one.
static tml_model* falling(bool has_surface)
{
    soft_fill(&box, (const int[3]){SIDE, SIDE, SIDE}, (tml_vec3){-0.1, -0.1, 0.01},
              (tml_vec3){0.2, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.young = 3e4;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.velocity = (tml_vec3){0.4, 0.1, -1.0};
    if (has_surface) give_surface(&def, fill_points((tml_vec3){-0.1, -0.1, 0.01}, 0.2));
    tml_spec_add_deformable(spec, &def);
    soft_floor(spec, 0.3);
    tml_body_def far = tml_body_def_default();
    far.pose.p = (tml_vec3){5.0, 0.0, 1.0};
    tml_spec_add_body(spec, &far);
    return soft_build(spec);
}

TEST(a_surface_of_the_vertices_touches_as_they_do)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } cases[] = {{TML_FORM_QUATERNION, TML_TIME_BDF2},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED}};
    for (int i = 0; i < 3; i++) {
        tml_vec3 end[2];
        double force[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++) {
            tml_model* model = falling(k == 1);
            const tml_sim_settings settings =
                touching(cases[i].formulation, cases[i].integrator, 0.002);
            tml_sim* sim = soft_sim(model, &settings);
            if (sim == NULL || !soft_run(sim, 40)) return;
            end[k] = tml_sim_vertex(sim, 0, 7);
            for (int c = 0; c < tml_sim_contact_count(sim); c++) {
                const tml_contact at = tml_sim_contact(sim, c);
                CHECK(at.deformable == 0 && (at.vertex < 0) == (k == 1));
                CHECK((at.surface_point < 0) == (k == 0));
                force[k] += at.force.z;
            }
            tml_sim_destroy(sim);
            tml_model_destroy(model);
        }
        const double apart = soft_distance(end[0], end[1]);
        printf("%s: %.1e m apart, %.6f and %.6f N\n", tml_formulation_name(cases[i].formulation),
               apart, force[0], force[1]);
        // weights of one and places of the grid are exact but for rounding
        CHECK(apart < 1e-12);
        CHECK(force[0] > 1.0);
        CHECK_NEAR(force[1], force[0], 1e-9 * force[0]);
    }
}

// ---- balance

// Momenta that a step of implicit Euler has to find: of vertices by their lumps, at the end of the step.
typedef struct balance {
    double force[3], moment[3], power;
} balance;

static void add_force(balance* sum, tml_vec3 x, tml_vec3 f, tml_vec3 v, double sign)
{
    sum->force[0] += sign * f.x;
    sum->force[1] += sign * f.y;
    sum->force[2] += sign * f.z;
    sum->moment[0] += sign * (x.y * f.z - x.z * f.y);
    sum->moment[1] += sign * (x.z * f.x - x.x * f.z);
    sum->moment[2] += sign * (x.x * f.y - x.y * f.x);
    sum->power += sign * (f.x * v.x + f.y * v.y + f.z * v.z);
}

static void add_vertices(const tml_sim* sim, const tml_vec3* before, double h, double density,
                         balance* sum)
{
    static double mass[SOFT_VERTICES];
    const double share = 0.25 * density * 0.3 * 0.3 * 0.3 / box.tetrahedron_count;
    memset(mass, 0, sizeof mass);
    for (int i = 0; i < 4 * box.tetrahedron_count; i++) mass[box.tetrahedra[i]] += share;
    for (int i = 0; i < box.vertex_count; i++) {
        const tml_vec3 v = tml_sim_vertex_velocity(sim, 0, i);
        const tml_vec3 f = {mass[i] * (v.x - before[i].x) / h, mass[i] * (v.y - before[i].y) / h,
                            mass[i] * ((v.z - before[i].z) / h + 9.81)};
        add_force(sum, tml_sim_vertex(sim, 0, i), f, v, 1.0);
    }
}

// What the contacts push, at the points of the surface where these are at the end.
static double take_contacts(const tml_sim* sim, balance* sum)
{
    static double x[3 * SOFT_VERTICES];
    static double v[3 * SOFT_VERTICES];
    static double x_out[3 * FINE];
    static double v_out[3 * FINE];
    double largest = 0.0;
    for (int i = 0; i < box.vertex_count; i++) {
        const tml_vec3 at = tml_sim_vertex(sim, 0, i);
        const tml_vec3 to = tml_sim_vertex_velocity(sim, 0, i);
        memcpy(&x[3 * i], (double[3]){at.x, at.y, at.z}, 3 * sizeof(double));
        memcpy(&v[3 * i], (double[3]){to.x, to.y, to.z}, 3 * sizeof(double));
    }
    tml_model_skin_places(tml_sim_model(sim), 0, x, x_out);
    tml_model_skin_places(tml_sim_model(sim), 0, v, v_out);  // weights are constant
    for (int c = 0; c < tml_sim_contact_count(sim); c++) {
        const tml_contact k = tml_sim_contact(sim, c);
        const double* at = &x_out[3 * k.surface_point];
        const double* to = &v_out[3 * k.surface_point];
        add_force(sum, (tml_vec3){at[0], at[1], at[2]}, k.force, (tml_vec3){to[0], to[1], to[2]},
                  -1.0);
        largest = fmax(largest, k.force.z);
        CHECK(at[2] >= -1e-9);  // ten tolerances
    }
    return largest;
}

// A fine surface inside of a cage of 2 x 2 x 2 cells strikes the floor, askew: in every step of implicit Euler
// what the vertices gain, in momentum and moment of momentum, is what the contacts push at the points
// of the surface, friction and all. Elastic forces add nothing to either. They do work; where there
// are next to none, the power of both sides is the same too.
TEST(forces_on_a_surface_reach_the_vertices_with_their_moment_and_power)
{
    for (int is_soft = 0; is_soft < 2; is_soft++) {
        const double h = 0.002;
        const double density = 400.0;
        static tml_vec3 before[SOFT_VERTICES];
        soft_fill(&box, (const int[3]){2, 2, 2}, (tml_vec3){-0.15, -0.15, -0.03},
                  (tml_vec3){0.3, 0.3, 0.3});
        tml_spec* spec = tml_spec_create();
        tml_deformable_def def = soft_def(&box);
        def.young = is_soft ? 1e-3 : 5e4;  // Pa
        def.density = density;
        def.material = TML_MATERIAL_NEO_HOOKEAN;
        def.velocity = (tml_vec3){0.7, -0.2, -2.0};
        give_surface(&def, fill_points((tml_vec3){-0.11, -0.12, 0.001}, 0.22));
        tml_spec_add_deformable(spec, &def);
        soft_floor(spec, 0.4);
        tml_model* model = soft_build(spec);
        const tml_sim_settings settings = touching(TML_FORM_QUATERNION, TML_TIME_BDF1, h);
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) return;
        double force = 0.0;
        double worst = 0.0;
        double power = 0.0;
        double worst_power = 0.0;
        for (int n = 0; n < (is_soft ? 3 : 25); n++) {
            balance sum = {{0.0}, {0.0}, 0.0};
            for (int i = 0; i < box.vertex_count; i++) {
                before[i] = tml_sim_vertex_velocity(sim, 0, i);
            }
            if (!soft_run(sim, 1)) break;
            add_vertices(sim, before, h, density, &sum);
            power = fmax(power, fabs(sum.power));
            force = fmax(force, take_contacts(sim, &sum));
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fmax(fabs(sum.force[k]), fabs(sum.moment[k])));
            }
            worst_power = fmax(worst_power, fabs(sum.power));
        }
        printf("young %g: forces to %.0f N at a point balance to %.1e N and N m", def.young, force,
               worst);
        if (is_soft) printf(", power of %.0f W to %.1e W", power, worst_power);
        printf("\n");
        CHECK(force > 50.0);
        // Newton ends quadratically, far below its tolerance: rounding of places over h^2, times 11 kg
        CHECK(worst < 1e-8);
        // 1e-3 Pa times a strain of some hundredths, on 0.1 m^2 at 2 m/s; the same tolerance at 2 m/s
        if (is_soft) CHECK(worst_power < 1e-3);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// ---- with bodies

// A cube whose surface rests on a plate that a joint holds, half of its cage below the plate's top: contacts bear
// the cube and the weld bears both, in every maximal formulation. More points of one tetrahedron touch
// than it has freedoms.
TEST(a_plate_bears_a_surface_in_every_formulation)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } cases[] = {{TML_FORM_QUATERNION, TML_TIME_BDF2},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY},
                 {TML_FORM_AFFINE, TML_TIME_BDF1}};
    for (int i = 0; i < 4; i++) {
        soft_fill(&box, (const int[3]){1, 1, 1}, (tml_vec3){-0.1, -0.1, 0.03},
                  (tml_vec3){0.2, 0.2, 0.2});
        tml_spec* spec = tml_spec_create();
        tml_shape_def board = tml_shape_def_default();
        board.kind = TML_SHAPE_BOX;
        board.size = (tml_vec3){1.0, 1.0, 0.1};
        tml_body_def plate = tml_body_def_default();
        plate.mass = 2.0;
        plate.shape_count = 1;
        plate.shapes = &board;
        tml_joint_def weld = tml_joint_def_default();
        weld.kind = TML_JOINT_FIXED;
        weld.base = TML_WORLD;
        weld.follower = tml_spec_add_body(spec, &plate);
        const tml_joint joint = tml_spec_add_joint(spec, &weld);
        tml_deformable_def def = soft_def(&box);
        def.young = 2e5;
        give_surface(&def, fill_points((tml_vec3){-0.08, -0.08, 0.05}, 0.16));
        tml_spec_add_deformable(spec, &def);
        tml_spec_set_rayleigh(spec, 30.0, 0.0);
        tml_model* model = soft_build(spec);
        const tml_sim_settings settings =
            touching(cases[i].formulation, cases[i].integrator, 0.005);
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL || !soft_run(sim, 300)) return;
        const double weight = 0.2 * 0.2 * 0.2 * 1000.0 * 9.81;
        double sum = 0.0;
        for (int c = 0; c < tml_sim_contact_count(sim); c++) sum += tml_sim_contact(sim, c).force.z;
        const tml_load load = tml_sim_joint_load(sim, joint);
        printf("%s: contacts bear %.7f N of %.7f, the weld %.7f; the cage is at %.4f m\n",
               tml_formulation_name(cases[i].formulation), sum, weight, load.force.z,
               tml_sim_vertex(sim, 0, 0).z);
        // what still swings after 1.5 s with 30 / s: exp(-22)
        CHECK_NEAR(sum, weight, 1e-6 * weight);
        CHECK_NEAR(load.force.z, weight + 2.0 * 9.81, 1e-6 * weight);
        CHECK(tml_sim_vertex(sim, 0, 0).z < 0.04);  // in the plate, where nothing of it touches
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

TEST(a_surface_that_is_not_there_cannot_touch)
{
    soft_fill(&box, (const int[3]){1, 1, 1}, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 1.0, 1.0});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.touches_by_surface = 1;
    tml_spec_add_deformable(spec, &def);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "its surface is to touch, but it has none");
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}
