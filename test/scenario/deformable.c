// test/scenario/deformable.c - deformables alone, through the library: motion, orders, energies, state.
#include "test/scenario/soft.h"

#include <complex.h>

static soft_box box;

// ---- particles

// Free fall is a parabola, which every formula of order 2 follows exactly.
TEST(a_particle_falls_along_its_parabola)
{
    static const tml_integrator exact[] = {
        TML_TIME_BDF2, TML_TIME_BDF6, TML_TIME_CRANK_NICOLSON, TML_TIME_NEWMARK, TML_TIME_SDIRK2,
        TML_TIME_HEUN, TML_TIME_RK4};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        const tml_vec3 start = {1.0, 2.0, 3.0};
        tml_spec* spec = tml_spec_create();
        tml_deformable_def def = tml_deformable_def_default();
        def.vertex_count = 1;
        def.vertices = &start;
        def.vertex_mass = 0.3;
        def.velocity = (tml_vec3){0.5, 0.0, 2.0};
        tml_spec_add_deformable(spec, &def);
        tml_model* model = soft_build(spec);
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = exact[i];
        tml_sim* sim = soft_sim(model, &settings);
        if (sim != NULL && soft_run(sim, 100)) {
            const tml_vec3 x = tml_sim_vertex(sim, 0, 0);
            // a hundred steps, each with the rounding of 3 m over a step of 0.01 s in its velocity
            CHECK_NEAR(x.x, 1.5, 1e-11);
            CHECK_NEAR(x.z, 3.0 + 2.0 - 0.5 * 9.81, 1e-11);
            CHECK_NEAR(tml_sim_vertex_velocity(sim, 0, 0).z, 2.0 - 9.81, 1e-11);
        }
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// ---- orders

static const tml_multistep adams_moulton_3 = {
    .steps = 2, .alpha = {1.0, -1.0, 0.0}, .beta = {5.0 / 12, 8.0 / 12, -1.0 / 12}};

typedef struct order_case {
    tml_integrator integrator;
    double gamma, beta;
    double order;
    int steps;  // the coarse ones
} order_case;

// A neo-Hookean tetrahedron that swings from one face, compared with a much finer rk4 run.
static tml_model* swinging(void)
{
    static const tml_vec3 vertices[] = {
        {0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}, {0.0, 0.3, 0.0}, {0.1, 0.1, -0.4}, {0.3, 0.3, -0.3}};
    static const int tetrahedra[] = {0, 1, 2, 3, 1, 2, 3, 4};
    static const int fixed[] = {0, 1, 2};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 5;
    def.vertices = vertices;
    def.tetrahedron_count = 2;
    def.tetrahedra = tetrahedra;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.young = 2e4;
    def.fixed = fixed;
    def.fixed_count = 3;
    def.velocity = (tml_vec3){0.8, 0.4, 0.0};
    tml_spec_add_deformable(spec, &def);
    tml_spec_set_rayleigh(spec, 0.2, 1e-4);
    return soft_build(spec);
}

// Places and velocities of the two free vertices, the places times 30/s, about the frequency.
typedef struct soft_state {
    double numbers[12];
} soft_state;

static soft_state after(const tml_model* model, const order_case* c, int steps)
{
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = c->integrator;
    settings.step = 0.2 / steps;
    settings.tolerance = 1e-13;
    if (c->integrator == TML_TIME_NEWMARK) {
        settings.implicit.newmark_gamma = c->gamma;
        settings.implicit.newmark_beta = c->beta;
    }
    if (c->integrator == TML_TIME_LINEAR_MULTISTEP) settings.implicit.multistep = adams_moulton_3;
    soft_state state = {{0.0}};
    tml_sim* sim = soft_sim(model, &settings);
    if (sim != NULL && soft_run(sim, steps)) {
        for (int k = 0; k < 2; k++) {
            const tml_vec3 x = tml_sim_vertex(sim, 0, 3 + k);
            const tml_vec3 v = tml_sim_vertex_velocity(sim, 0, 3 + k);
            const double numbers[6] = {30.0 * x.x, 30.0 * x.y, 30.0 * x.z, v.x, v.y, v.z};
            memcpy(&state.numbers[6 * k], numbers, sizeof numbers);
        }
    }
    tml_sim_destroy(sim);
    return state;
}

static double difference(const soft_state* a, const soft_state* b)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++) sum += pow(a->numbers[i] - b->numbers[i], 2.0);
    return sqrt(sum);
}

TEST(every_integrator_has_its_order)  // [COOK (91) (94) (151) Sec 6 Sec 7]
{
    static const order_case cases[] = {
        {TML_TIME_FORWARD_EULER, 0, 0, 1.0, 4000},
        {TML_TIME_SEMI_IMPLICIT_EULER, 0, 0, 1.0, 2000},
        {TML_TIME_HEUN, 0, 0, 2.0, 400},
        {TML_TIME_RK4, 0, 0, 4.0, 200},
        {TML_TIME_BDF1, 0, 0, 1.0, 4000},
        {TML_TIME_BDF2, 0, 0, 2.0, 800},
        {TML_TIME_BDF3, 0, 0, 3.0, 800},
        {TML_TIME_BDF4, 0, 0, 4.0, 400},
        {TML_TIME_BDF5, 0, 0, 5.0, 200},
        {TML_TIME_BDF6, 0, 0, 6.0, 160},
        {TML_TIME_SDIRK2, 0, 0, 2.0, 400},
        {TML_TIME_SDIRK2_PARESCHI_RUSSO, 0, 0, 2.0, 400},
        {TML_TIME_CRANK_NICOLSON, 0, 0, 2.0, 400},
        {TML_TIME_NEWMARK, 0.5, 0.25, 2.0, 400},
        {TML_TIME_NEWMARK, 0.6, 0.3025, 1.0, 2000},
        {TML_TIME_LINEAR_MULTISTEP, 0, 0, 3.0, 400},
    };
    tml_model* model = swinging();
    const order_case fine = {TML_TIME_RK4, 0, 0, 4.0, 0};
    const soft_state exact = after(model, &fine, 20000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order_case* c = &cases[i];
        double error[2];
        for (int r = 0; r < 2; r++) {
            const soft_state state = after(model, c, c->steps << r);
            error[r] = difference(&state, &exact);
        }
        const double order = log2(error[0] / error[1]);
        printf("%-22s order %.2f (%.1e m/s left)\n", tml_integrator_name(c->integrator), order,
               error[1]);
        // what the next term of the error adds at these steps
        CHECK_NEAR(order, c->order, 0.15);
    }
    tml_model_destroy(model);
}

// ---- energies

static tml_model* clamped_bar(const int cells[3], tml_material material, bool is_consistent)
{
    static int held[SOFT_VERTICES];
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.material = material;
    def.is_consistent = is_consistent;
    def.fixed = held;
    def.fixed_count = soft_at(&box, 0.0, held);
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

// With a linear material the bar is a linear oscillator under a constant load.  [COOK Sec 7.5]
TEST(trapezoidal_formulas_keep_the_energy_of_a_linear_bar)
{
    static const tml_integrator keeping[] = {TML_TIME_CRANK_NICOLSON, TML_TIME_NEWMARK};
    for (int i = 0; i < 2; i++) {
        const int cells[3] = {6, 2, 2};
        tml_model* model = clamped_bar(cells, TML_MATERIAL_LINEAR, i == 1);
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = keeping[i];
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) continue;
        const tml_energy first = tml_sim_energy(sim);
        double worst = 0.0;
        double most = 0.0;
        for (int k = 0; k < 200; k++) {
            if (!soft_run(sim, 1)) break;
            const tml_energy e = tml_sim_energy(sim);
            const double change = fabs(e.kinetic + e.potential - first.kinetic - first.potential);
            if (change > worst) worst = change;
            if (e.kinetic > most) most = e.kinetic;
        }
        printf("%s: energy kept to %.1e J, of up to %.2g J of motion\n",
               tml_integrator_name(keeping[i]), worst, most);
        CHECK(most > 0.1);
        // the potential is a difference of two numbers near 200 J: 200 steps of their roundings
        CHECK(worst <= 1e-10);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// One corner of a tetrahedron above its fixed face: w^2 = 4 (lambda + 2 mu) / (density b^2).
static tml_model* oscillator(double* frequency)
{
    static const tml_vec3 vertices[] = {
        {0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}, {0.0, 0.2, 0.0}, {0.0, 0.0, 0.5}};
    static const int corners[] = {0, 1, 2, 3};
    static const int fixed[] = {0, 1, 2};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.material = TML_MATERIAL_LINEAR;
    def.vertex_count = 4;
    def.vertices = vertices;
    def.tetrahedron_count = 1;
    def.tetrahedra = corners;
    def.fixed_count = 3;
    def.fixed = fixed;
    def.velocity = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_spec_add_deformable(spec, &def);
    const double mu = def.young / (2.0 * (1.0 + def.poisson));
    const double lambda = 2.0 * mu * def.poisson / (1.0 - 2.0 * def.poisson);
    *frequency = sqrt(4.0 * (lambda + 2.0 * mu) / (def.density * 0.25));
    return soft_build(spec);
}

static double total(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

// On y' = i w y a step multiplies by a root z of the formula, and the energy by |z|^2: implicit Euler
// z = 1 / (1 - i h w); BDF2 the larger root of (3/2 - i h w) z^2 - 2 z + 1/2 = 0.
TEST(bdf_damps_an_oscillation_as_predicted)
{
    const double h = 1e-3;
    double w = 0.0;
    tml_model* model = oscillator(&w);
    const double complex a = 1.5 - h * w * (double complex)I;
    const double complex root = (1.0 + csqrt(1.0 - 0.5 * a)) / a;
    const double complex other = (1.0 - csqrt(1.0 - 0.5 * a)) / a;
    const double square[2] = {1.0 / (1.0 + h * w * h * w),
                              fmax(pow(cabs(root), 2.0), pow(cabs(other), 2.0))};
    for (int k = 0; k < 2; k++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = k == 0 ? TML_TIME_BDF1 : TML_TIME_BDF2;
        settings.step = h;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) continue;
        soft_run(sim, 100);  // the smaller root has died away
        const double before = total(sim);
        soft_run(sim, 50);
        const double seen = pow(total(sim) / before, 1.0 / 50.0);
        printf("%s at h w = %.3f: energy times %.12f a step, %.12f predicted\n",
               tml_integrator_name(settings.integrator), h * w, seen, square[k]);
        // 50 steps of rounding of positions over the step
        CHECK_NEAR(seen, square[k], 1e-11);
        tml_sim_destroy(sim);
    }
    tml_model_destroy(model);
}

// Explicit formulas on the same oscillation: semi-implicit Euler is stable up to h w = 2, rk4 up to
// sqrt(8), forward Euler never is; implicit ones are at any step.
TEST(stability_ends_where_theory_says)
{
    static const struct {
        tml_integrator integrator;
        double reach;  // h w that is still stable; 0: none, HUGE_VAL: all
    } cases[] = {{TML_TIME_SEMI_IMPLICIT_EULER, 2.0}, {TML_TIME_RK4, 2.8284271247461903},
                 {TML_TIME_FORWARD_EULER, 0.0},       {TML_TIME_BDF1, HUGE_VAL},
                 {TML_TIME_BDF2, HUGE_VAL},           {TML_TIME_CRANK_NICOLSON, HUGE_VAL},
                 {TML_TIME_SDIRK2, HUGE_VAL}};
    double w = 0.0;
    tml_model* model = oscillator(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double middle = cases[i].reach > 0.0 && cases[i].reach < 10.0 ? cases[i].reach : 1.0;
        for (int side = 0; side < 2; side++) {
            double z = middle * (side == 0 ? 0.98 : 1.02);
            if (cases[i].reach > 10.0) z = side == 0 ? 0.5 : 50.0;
            const bool is_stable = z < cases[i].reach;
            tml_sim_settings settings = tml_sim_settings_default();
            settings.integrator = cases[i].integrator;
            settings.step = z / w;
            tml_sim* sim = soft_sim(model, &settings);
            if (sim == NULL) continue;
            const double before = total(sim);
            soft_run(sim, 400);
            // semi-implicit Euler keeps an energy of its own, up to 2 / (2 - h w) away from the real one
            CHECK(is_stable == (total(sim) < 150.0 * before));
            tml_sim_destroy(sim);
        }
    }
    tml_model_destroy(model);
}

// ---- saving

TEST(a_saved_deformable_goes_on_with_the_same_bits)
{
    static const tml_integrator some[] = {TML_TIME_BDF3, TML_TIME_NEWMARK,
                                          TML_TIME_LINEAR_MULTISTEP, TML_TIME_RK4};
    const int cells[3] = {3, 1, 1};
    tml_model* model = clamped_bar(cells, TML_MATERIAL_NEO_HOOKEAN, true);
    for (int i = 0; i < 4; i++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = some[i];
        settings.step = 0.001;
        if (some[i] == TML_TIME_LINEAR_MULTISTEP) settings.implicit.multistep = adams_moulton_3;
        tml_sim* a = soft_sim(model, &settings);
        tml_sim* b = soft_sim(model, &settings);
        void* state = malloc(tml_sim_state_size(a));
        if (soft_run(a, 7) && tml_sim_save(a, state) == TML_OK && soft_run(a, 5)) {
            CHECK(tml_sim_restore(b, state, tml_sim_state_size(a)) == TML_OK);
            soft_run(b, 5);
            for (int v = 0; v < box.vertex_count; v++) {
                const tml_vec3 x = tml_sim_vertex(a, 0, v);
                const tml_vec3 y = tml_sim_vertex(b, 0, v);
                CHECK(memcmp(&x, &y, sizeof x) == 0);
            }
        }
        free(state);
        tml_sim_destroy(a);
        tml_sim_destroy(b);
    }
    tml_model_destroy(model);
}

// ---- one Newton step

// Forces linearised where the step begins: the same order, less work; and for a linear material the
// same numbers, whatever the unknowns are.                                        [COOK (116) (148)]
TEST(a_linearised_step_is_exact_for_a_linear_material)
{
    const int cells[3] = {3, 1, 1};
    tml_model* model = clamped_bar(cells, TML_MATERIAL_LINEAR, false);
    tml_vec3 tip[4];
    for (int way = 0; way < 4; way++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.implicit.is_linearised = way % 2;
        settings.implicit.unknowns = way / 2 == 1 ? TML_UNKNOWN_VELOCITY : TML_UNKNOWN_POSITION;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim != NULL) soft_run(sim, 40);
        tip[way] = tml_sim_vertex(sim, 0, box.vertex_count - 1);
        tml_sim_destroy(sim);
    }
    // forty steps of rounding, from first guesses that differ
    for (int way = 1; way < 4; way++) CHECK(soft_distance(tip[way], tip[0]) <= 1e-11);
    tml_model_destroy(model);
}

// ---- what is refused

TEST(what_cannot_be_honoured_is_refused_by_name)
{
    const int cells[3] = {1, 1, 1};
    tml_model* model = clamped_bar(cells, TML_MATERIAL_LINEAR, false);
    tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;

    settings.integrator = TML_TIME_ENERGY;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "'energy'") != NULL);
    tml_sim_destroy(sim);

    settings = tml_sim_settings_default();
    settings.contact.is_on = 1;
    settings.integrator = TML_TIME_CRANK_NICOLSON;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "contact") != NULL);
    tml_sim_destroy(sim);

    settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_LINEAR_MULTISTEP;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_BAD_ARGUMENT);
    tml_sim_destroy(sim);

    settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_RK4;
    settings.implicit.is_linearised = 1;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "linearised") != NULL);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(a_flat_tetrahedron_and_a_massless_vertex_are_refused)
{
    static const tml_vec3 vertices[] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
    static const int flat[] = {0, 1, 2, 3};
    tml_deformable_def def = tml_deformable_def_default();
    def.name = "sheet";
    def.vertex_count = 4;
    def.vertices = vertices;
    for (int k = 0; k < 2; k++) {
        tml_spec* spec = tml_spec_create();
        def.tetrahedron_count = k == 0 ? 1 : 0;
        def.tetrahedra = flat;
        tml_spec_add_deformable(spec, &def);
        CHECK(tml_spec_status(spec) == TML_BAD_ARGUMENT);
        CHECK(strstr(tml_spec_message(spec), k == 0 ? "tetrahedron 0" : "vertex 0") != NULL);
        CHECK(strstr(tml_spec_message(spec), "'sheet'") != NULL);
        tml_spec_destroy(spec);
    }
}

// An explicit step far beyond the stable one ends with a sentence and the state of before.
TEST(an_exploding_step_leaves_the_last_state)
{
    const int cells[3] = {2, 1, 1};
    tml_model* model = clamped_bar(cells, TML_MATERIAL_NEO_HOOKEAN, false);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_FORWARD_EULER;
    settings.step = 0.5;
    tml_sim* sim = soft_sim(model, &settings);
    tml_status status = TML_OK;
    tml_vec3 x = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2000 && status == TML_OK; k++) {
        x = tml_sim_vertex(sim, 0, box.vertex_count - 1);
        status = tml_sim_step(sim, NULL);
    }
    CHECK(status == TML_NOT_CONVERGED);
    CHECK(strstr(tml_sim_message(sim), "deformable 'soft'") != NULL);
    const tml_vec3 y = tml_sim_vertex(sim, 0, box.vertex_count - 1);
    CHECK(memcmp(&x, &y, sizeof x) == 0);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}
