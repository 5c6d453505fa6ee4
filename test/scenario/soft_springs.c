// test/scenario/soft_springs.c - springs and tendons on vertices and embedded points: the same motion
// as between rigid bodies, forces that balance, and what is refused.
#include "force/spring.h"
#include "nodal/nodal.h"
#include "test/scenario/soft.h"

enum {
    LAWS = 4
};

// A linear spring with a damper, a quadratic one, a table, and a tendon over three points that is pulled.
static void set_law(tml_spring_def* def, int law)
{
    static const double extensions[] = {-0.2, 0.0, 0.3};
    static const double forces[] = {-30.0, 5.0, 9.0};
    def->stiffness = 40.0;
    def->rest_length = 0.5;
    if (law == 0) def->damping = 0.7;
    if (law == 1) def->law = TML_SPRING_QUADRATIC;
    if (law == 2) {
        def->law = TML_SPRING_TABLE;
        def->table_count = 3;
        def->table_extensions = extensions;
        def->table_forces = forces;
    }
    if (law == 3) {
        def->force.kind = TML_CONTROL_SINE;
        def->force.value = 2.0;
        def->force.amplitude = 1.0;
        def->force.frequency = 0.8;
    }
}

// A brick that tumbles and a lump, tied at a corner of the brick. The lump is a particle, or a body.
static tml_model* tied(int law, bool is_particle)
{
    const tml_vec3 place = {1.1, 0.3, 0.4};
    const tml_vec3 moving = {0.2, -0.5, 1.0};
    tml_spec* spec = tml_spec_create();
    tml_body_def brick = tml_body_def_default();
    brick.mass = 2.0;
    brick.inertia[0] = 0.05;
    brick.inertia[1] = 0.08;
    brick.inertia[2] = 0.11;
    brick.velocity.angular = (tml_vec3){1.0, 2.0, -0.5};
    const tml_body body = tml_spec_add_body(spec, &brick);
    tml_body lump = TML_WORLD;
    tml_vec3 end = {0.0, 0.0, 0.0};
    if (is_particle) {
        tml_deformable_def def = tml_deformable_def_default();
        def.vertex_count = 1;
        def.vertices = &place;
        def.vertex_mass = 0.6;
        def.velocity = moving;
        lump = tml_deformable_handle(tml_spec_add_deformable(spec, &def));
        end = place;
    } else {
        tml_body_def def = tml_body_def_default();
        def.mass = 0.6;
        def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
        def.pose.p = place;
        def.velocity.linear = moving;
        lump = tml_spec_add_body(spec, &def);
    }
    const tml_point points[3] = {
        {body, {0.3, 0.2, -0.1}}, {TML_WORLD, {0.5, 0.8, 0.6}}, {lump, end}};
    const tml_point ends[2] = {points[0], points[2]};
    tml_spring_def spring = tml_spring_def_default();
    set_law(&spring, law);
    spring.point_count = law == 3 ? 3 : 2;
    spring.points = law == 3 ? points : ends;
    CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
    return soft_build(spec);
}

// The largest distance between both ways over a second, and of the potential energies at its end.
static double compare_in(tml_formulation formulation, int law, tml_integrator integrator,
                         double step, double* energy)
{
    tml_model* model[2] = {tied(law, true), tied(law, false)};
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = formulation;
    settings.integrator = integrator;
    settings.step = step;
    settings.tolerance = 1e-13;
    tml_sim* sim[2] = {soft_sim(model[0], &settings), soft_sim(model[1], &settings)};
    CHECK_NEAR(tml_sim_energy(sim[0]).potential, tml_sim_energy(sim[1]).potential, 1e-13);
    double worst = 0.0;
    for (int k = 0; k < (int)(1.0 / step + 0.5); k++) {
        if (!soft_run(sim[0], 1) || !soft_run(sim[1], 1)) break;
        const tml_vec3 lump = tml_sim_vertex(sim[0], 0, 0);
        worst = fmax(worst, soft_distance(lump, tml_sim_pose(sim[1], (tml_body){1}).p));
        worst = fmax(worst, soft_distance(tml_sim_pose(sim[0], (tml_body){0}).p,
                                          tml_sim_pose(sim[1], (tml_body){0}).p));
    }
    *energy = fabs(tml_sim_energy(sim[0]).potential - tml_sim_energy(sim[1]).potential);
    for (int i = 0; i < 2; i++) {
        tml_sim_destroy(sim[i]);
        tml_model_destroy(model[i]);
    }
    return worst;
}

static double compare(int law, tml_integrator integrator, double step, double* energy)
{
    return compare_in(TML_FORM_QUATERNION, law, integrator, step, energy);
}

TEST(a_particle_on_a_spring_moves_as_a_body_does)
{
    double energy;
    for (int law = 1; law < LAWS; law++) {
        // what is left by Newton's tolerance of both, summed over the steps
        CHECK(compare(law, TML_TIME_BDF1, 0.01, &energy) < 1e-10);
        CHECK(energy < 1e-8);
        CHECK(compare(law, TML_TIME_BDF2, 0.01, &energy) < 1e-10);
        CHECK(energy < 1e-8);
    }
}

// The velocity of a carried point is the formula's own, from its places; a body has it from its twist.
// Both tend to the same at the order of the formula, and so do dampers.
TEST(dampers_on_particles_and_on_bodies_tend_to_the_same)
{
    for (int order = 1; order <= 2; order++) {
        const tml_integrator integrator = order == 1 ? TML_TIME_BDF1 : TML_TIME_BDF2;
        double energy;
        const double step = order == 1 ? 0.0005 : 0.005;  // small enough to see the order
        const double coarse = compare(0, integrator, step, &energy);
        const double fine = compare(0, integrator, 0.5 * step, &energy);
        const double measured = log(coarse / fine) / log(2.0);
        printf("bdf%d with a damper: order %.2f (%.1e m left)\n", order, measured, fine);
        CHECK_NEAR(measured, order, 0.2);
    }
}

// Forces of bodies act at a pose half way, or along discrete gradients; those of vertices at the mean of
// places: both tend to the same at the order of the steps.
TEST(springs_tie_particles_to_bodies_in_every_maximal_formulation)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } cases[] = {{TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL}, {TML_FORM_AFFINE, TML_TIME_ENERGY}};
    for (int i = 0; i < 2; i++) {
        for (int law = 0; law < LAWS; law++) {
            double energy;
            const tml_formulation formulation = cases[i].formulation;
            const double coarse =
                compare_in(formulation, law, cases[i].integrator, 0.0025, &energy);
            const double fine = compare_in(formulation, law, cases[i].integrator, 0.00125, &energy);
            printf("%s, law %d: %.1e and %.1e m\n", tml_formulation_name(formulation), law, coarse,
                   fine);
            CHECK(fine < 1e-3);
            CHECK(coarse / fine > 3.5);
        }
    }
}

// ---- forces that change with time

// A particle of 1 kg between its spring (k = w^2) and a sinusoidal pull A sin(n t), from rest:
//     x(t) = A / (w^2 - n^2) (sin(n t) - (n / w) sin(w t))                       closed form
// The pull is a tendon to a far pin, so its direction is that of the motion.
static const double own_rate = 5.0;    // w, rad/s
static const double pull_rate = 3.0;   // n, rad/s
static const double pull_force = 4.0;  // A, N
static const double pull_offset =
    2.0;  // N, stretches the spring from the start: A0 (1 - cos w t) / w^2

static tml_model* forced_oscillator(void)
{
    const tml_vec3 place = {0.0, 0.0, 0.0};
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 1;
    def.vertices = &place;
    def.vertex_mass = 1.0;
    const tml_body grain = tml_deformable_handle(tml_spec_add_deformable(spec, &def));
    // as long as the other end is on the same side, a spring is linear in the place along its line
    const tml_point ends[2] = {{TML_WORLD, {-10.0, 0.0, 0.0}}, {grain, place}};
    tml_spring_def spring = tml_spring_def_default();
    spring.points = ends;
    spring.point_count = 2;
    spring.stiffness = own_rate * own_rate;
    spring.rest_length = 10.0;
    CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
    const tml_point pull_ends[2] = {{TML_WORLD, {10.0, 0.0, 0.0}}, {grain, place}};
    tml_spring_def pull = tml_spring_def_default();
    pull.points = pull_ends;
    pull.point_count = 2;
    pull.stiffness = 0.0;
    pull.force.kind = TML_CONTROL_SINE;
    pull.force.value = pull_offset;
    pull.force.amplitude = pull_force;
    pull.force.frequency = pull_rate / (2.0 * acos(-1.0));
    CHECK(tml_spec_add_spring(spec, &pull) == TML_OK);
    return soft_build(spec);
}

static double forced_place(double t)
{
    const double w2 = own_rate * own_rate;
    const double n2 = pull_rate * pull_rate;
    return pull_force / (w2 - n2) *
               (sin(pull_rate * t) - pull_rate / own_rate * sin(own_rate * t)) +
           pull_offset / w2 * (1.0 - cos(own_rate * t));
}

static double forced_error(const tml_model* model, tml_integrator integrator, int steps)
{
    static const tml_multistep adams_moulton_3 = {
        .steps = 2, .alpha = {1.0, -1.0, 0.0}, .beta = {5.0 / 12, 8.0 / 12, -1.0 / 12}};
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = integrator;
    settings.step = 2.0 / steps;
    settings.tolerance = 1e-13;
    if (integrator == TML_TIME_LINEAR_MULTISTEP) settings.implicit.multistep = adams_moulton_3;
    tml_sim* sim = soft_sim(model, &settings);
    soft_run(sim, steps);
    const double error = fabs(tml_sim_vertex(sim, 0, 0).x - forced_place(2.0));
    tml_sim_destroy(sim);
    return error;
}

// Explicit steps once took the force of the instant at which the step before had ended for all their
// stages, and those of Newmark's and of general multistep formulas that of their start.
TEST(a_force_that_changes_with_time_is_taken_at_the_instant_of_each_stage)
{
    static const struct {
        tml_integrator integrator;
        double order;
        int steps;
    } cases[] = {
        {TML_TIME_FORWARD_EULER, 1.0, 4000},
        {TML_TIME_SEMI_IMPLICIT_EULER, 1.0, 4000},
        {TML_TIME_HEUN, 2.0, 400},
        {TML_TIME_RK4, 4.0, 160},
        {TML_TIME_BDF1, 1.0, 4000},
        {TML_TIME_BDF2, 2.0, 800},
        {TML_TIME_BDF4, 4.0, 200},
        {TML_TIME_BDF6, 6.0, 160},
        {TML_TIME_SDIRK2, 2.0, 400},
        {TML_TIME_SDIRK2_PARESCHI_RUSSO, 2.0, 400},
        {TML_TIME_CRANK_NICOLSON, 2.0, 400},
        {TML_TIME_NEWMARK, 2.0, 400},
        {TML_TIME_LINEAR_MULTISTEP, 3.0, 200},
    };
    tml_model* model = forced_oscillator();
    printf("forced oscillator, measured orders:");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double coarse = forced_error(model, cases[i].integrator, cases[i].steps);
        const double fine = forced_error(model, cases[i].integrator, 2 * cases[i].steps);
        const double order = log(coarse / fine) / log(2.0);
        printf(" %s %.2f", tml_integrator_name(cases[i].integrator), order);
        CHECK_NEAR(order, cases[i].order, 0.15);
        CHECK(fine < 5e-3);  // it is this motion, at the least order
    }
    printf("\n");
    tml_model_destroy(model);
}

// ---- embedded points: derivatives

static soft_box box;

static tml_model* cube_model(tml_spring_law law, double damping)
{
    soft_fill(&box, (const int[3]){1, 1, 1}, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 1.0, 1.0});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    const tml_deformable_def cube = def;
    tml_vec3 grain = {2.0, 0.5, 0.5};
    tml_spec_add_deformable(spec, &cube);
    def = tml_deformable_def_default();
    def.name = "grain";
    def.vertex_count = 1;
    def.vertices = &grain;
    def.vertex_mass = 1.0;
    tml_spec_add_deformable(spec, &def);
    const tml_point points[3] = {{tml_deformable_handle(0), {0.3, 0.6, 0.2}},
                                 {tml_deformable_handle(1), grain},
                                 {tml_deformable_handle(0), {0.8, 0.1, 0.4}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 3;
    spring.points = points;
    spring.stiffness = 3e4;
    spring.damping = damping;
    spring.rest_length = 2.0;
    spring.law = law;
    CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
    return soft_build(spec);
}

// The system of a model as sim/ would make it, springs only: a soft material hides nothing.
static nodal_system* system_of(const tml_model* m, pool* memory)
{
    static const tml_allocator plain;
    static const double extra[9] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    vec3* vertices = tml__pool_take(memory, 9, sizeof *vertices);
    for (int i = 0; i < 8; i++) vertices[i] = box.vertices[i];
    vertices[8] = v3(2.0, 0.5, 0.5);
    const nodal_parts parts = {.vertex_count = 9,
                               .vertices = vertices,
                               .extra = extra,
                               .spring_count = m->soft_spring_count,
                               .springs = m->soft_springs};
    nodal_system* s = NULL;
    message why = {{0}};
    CHECK(tml__nodal_create(&parts, &plain, &why, &s) == TML_OK);
    CHECK_TEXT(why.text, "");
    return s;
}

TEST(the_stiffness_of_springs_on_embedded_points_is_the_derivative_of_their_forces)
{
    for (int law = 0; law < 2; law++) {
        tml_model* model = cube_model(law == 0 ? TML_SPRING_LINEAR : TML_SPRING_QUADRATIC, 0.0);
        pool memory = {0};
        nodal_system* s = system_of(model, &memory);
        double q[27];
        double K[27 * 27];
        double error[2];
        tml__nodal_rest(s, q);
        for (int i = 0; i < 27; i++) q[i] += 0.05 * (i % 5) - 0.07 * (i % 3);
        tml__nodal_stiffness(s, q, K);
        for (int k = 0; k < 2; k++) {
            const double e = k == 0 ? 2e-3 : 1e-3;
            error[k] = 0.0;
            for (int j = 0; j < 27; j++) {
                const double kept = q[j];
                double up[27];
                double down[27];
                q[j] = kept + e;
                tml__nodal_forces(s, q, NULL, up);
                q[j] = kept - e;
                tml__nodal_forces(s, q, NULL, down);
                q[j] = kept;
                for (int i = 0; i < 27; i++) {
                    error[k] = fmax(error[k], fabs((up[i] - down[i]) / (2.0 * e) - K[27 * i + j]));
                }
            }
        }
        // differences of second order: a quarter of the error at half the step
        CHECK(error[0] < 1.0 && error[0] / error[1] > 3.9 && error[0] / error[1] < 4.1);
        tml__nodal_destroy(s);
        tml__pool_destroy(&memory);
        tml_model_destroy(model);
    }
}

// No force from outside: momentum stays, whatever the spring does to tetrahedra and particle.
TEST(springs_among_deformables_keep_momentum)
{
    tml_model* model = cube_model(TML_SPRING_LINEAR, 300.0);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.002;
    tml_sim* sim = soft_sim(model, &settings);
    const tml_vec3 g = tml_model_gravity(model);
    soft_run(sim, 50);
    // 1000 kg of cube and 1 kg of grain, all at rest before; lumps by tetrahedra
    double mass[8] = {0};
    double p[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4 * box.tetrahedron_count; i++) {
        mass[box.tetrahedra[i]] += 0.25 * 1000.0 / 6.0;
    }
    for (int i = 0; i < 9; i++) {
        const tml_vec3 v =
            i < 8 ? tml_sim_vertex_velocity(sim, 0, i) : tml_sim_vertex_velocity(sim, 1, 0);
        const double m = i < 8 ? mass[i] : 1.0;
        p[0] += m * v.x;
        p[1] += m * v.y;
        p[2] += m * v.z;
    }
    const double t = tml_sim_time(sim);
    // Newton's tolerance of 1e-10 m in steps of 2 ms, times 1001 kg
    CHECK_NEAR(p[0], 1001.0 * g.x * t, 1e-4);
    CHECK_NEAR(p[1], 1001.0 * g.y * t, 1e-4);
    CHECK_NEAR(p[2], 1001.0 * g.z * t, 1e-4);
    // the grain was pulled towards the cube, which gravity alone would not do
    CHECK(tml_sim_vertex(sim, 1, 0).x < 1.9);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- statics

TEST(a_weight_hangs_where_its_spring_says)
{
    const tml_vec3 place = {0.0, 0.0, -1.0};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 1;
    def.vertices = &place;
    def.vertex_mass = 2.0;
    const int grain = tml_spec_add_deformable(spec, &def);
    const tml_point points[2] = {{TML_WORLD, {0.0, 0.0, 0.0}},
                                 {tml_deformable_handle(grain), place}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    spring.stiffness = 400.0;
    spring.law = TML_SPRING_QUADRATIC;
    spring.rest_length = 1.0;
    CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
    tml_model* model = soft_build(spec);
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = soft_sim(model, &settings);
    tml_statics_report report;
    const tml_statics_settings how = tml_statics_settings_default();
    CHECK(tml_sim_settle(sim, &how, &report) == TML_OK);
    // 400 N/m^2 x^2 = 2 kg 9.81 m/s^2
    CHECK_NEAR(tml_sim_vertex(sim, 0, 0).z, -1.0 - sqrt(2.0 * 9.81 / 400.0), 1e-9);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- refusals

TEST(points_that_are_nowhere_are_refused)
{
    tml_vec3 grains[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    static const struct {
        int deformable;
        tml_vec3 place;
        const char* words;
    } cases[] = {
        {3, {0.0, 0.0, 0.0}, "point 1 is on deformable 3, but there are 1"},
        {0, {0.5, 0.0, 0.0}, "is no vertex of deformable 'grains' and lies in none"},
        {0, {1.0, 0.0, 0.0}, "vertices 1 and 2 of deformable 'grains' are both where point 1 is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tml_spec* spec = tml_spec_create();
        tml_deformable_def def = tml_deformable_def_default();
        def.name = "grains";
        def.vertex_count = 3;
        def.vertices = grains;
        def.vertex_mass = 1.0;
        tml_spec_add_deformable(spec, &def);
        const tml_point points[2] = {{TML_WORLD, {0.0, 0.0, 1.0}},
                                     {tml_deformable_handle(cases[i].deformable), cases[i].place}};
        tml_spring_def spring = tml_spring_def_default();
        spring.point_count = 2;
        spring.points = points;
        spring.stiffness = 1.0;
        CHECK(tml_spec_add_spring(spec, &spring) == TML_BAD_ARGUMENT);
        const bool is_told = strstr(tml_spec_message(spec), cases[i].words) != NULL;
        if (!is_told) printf("%s\n", tml_spec_message(spec));
        CHECK(is_told);
        tml_spec_destroy(spec);
    }
}
