// Derivatives of links (ball joints without loops) in linear time: against differences, forwards against
// backwards, and against the general solver of the same steps.                   [notes 9.3 5]
#include "test/diff/touching.h"

#include <stdbool.h>

// Links of ball joints, each on the one before (chain) or on the one half as far down (tree), in air.
static tml_model* links(int count, bool is_tree, bool is_hung)
{
    tml_spec* spec = tml_spec_create();
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        const tml_vec3 at = {0.3 * i, 0.05 * i, 0.02 * i * i};
        const tml_body body = add_rod(spec, name, at, 0.5 + 0.1 * i);
        const int hangs_on = is_tree ? (i - 1) / 2 : i - 1;
        const tml_vec3 point = {at.x - 0.15, at.y + 0.01, at.z};
        if (i > 0) {
            // every second one the other way round
            const tml_body other = {hangs_on};
            add_joint(spec, TML_JOINT_SPHERICAL, i % 2 == 0 ? other : body,
                      i % 2 == 0 ? body : other, point, (tml_vec3){0.3, 1.0, 0.2 * i});
        } else if (is_hung) {
            add_joint(spec, TML_JOINT_SPHERICAL, TML_WORLD, body, point, (tml_vec3){0, 0, 1});
        }
    }
    tml_drag_def drag = tml_drag_def_default();
    drag.body = (tml_body){2};
    drag.linear = 0.2;
    drag.angular = 0.05;
    tml_spec_add_drag(spec, &drag);
    return build(spec);
}

static tml_model* hung_chain(void) { return links(5, false, true); }
static tml_model* floating_chain(void) { return links(4, false, false); }
static tml_model* hung_tree(void) { return links(6, true, true); }
static tml_model* floating_tree(void) { return links(5, true, false); }

static const builder builders[4] = {hung_chain, floating_chain, hung_tree, floating_tree};
static const char* const names[4] = {"chain", "floating chain", "tree", "floating tree"};

static method by(bool is_damped)
{
    return (method){TML_FORM_AFFINE, is_damped ? TML_TIME_ENERGY_DAMPED : TML_TIME_ENERGY,
                    TML_START_ACCURATE};
}

// A bent chain of equal links.
static tml_model* links_of(int count, bool is_hung)
{
    tml_spec* spec = tml_spec_create();
    tml_vec3 at = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        const tml_vec3 step = {0.1, 0.05 * sin(0.1 * i), 0.05 * cos(0.07 * i)};
        const tml_vec3 middle = {at.x + 0.5 * step.x, at.y + 0.5 * step.y, at.z + 0.5 * step.z};
        const tml_body body = add_rod(spec, name, middle, 0.2);
        if (i > 0 || is_hung) {
            const tml_body other = i > 0 ? (tml_body){i - 1} : TML_WORLD;
            add_joint(spec, TML_JOINT_SPHERICAL, i % 3 == 0 ? other : body,
                      i % 3 == 0 ? body : other, at, (tml_vec3){0.0, 0.0, 1.0});
        }
        at = (tml_vec3){at.x + step.x, at.y + step.y, at.z + step.z};
    }
    return build(spec);
}

// Physics and design together.
static void everything_of_links(const tml_model* m, everything* e, int steps)
{
    memset(e, 0, sizeof *e);
    bodies_by_physics(m, e);
    everything_by_design(m, e);
    motions(m, e, steps);
    want_quantities(e, TML_QUANTITY_KINETIC, 0, 1, steps);
    want_quantities(e, TML_QUANTITY_POTENTIAL, 0, 1, steps);
}

TEST(steps_of_links_follow_everything)
{
    static everything e;
    for (int k = 0; k < 8; k++) {
        char text[64];
        tml_model* m = builders[k / 2]();
        const tml_sim_settings s = settings_for(by(k % 2 == 1));
        const int steps = 3;
        tml_derivatives* d = remembered(m, &s, steps);
        CHECK_CONTAINS(tml_sim_get_report(tml_derivatives_sim(d)).solver, k < 4 ? "chain" : "tree");
        everything_of_links(m, &e, steps);
        snprintf(text, sizeof text, "%s, %s", names[k / 2], tml_integrator_name(s.integrator));
        // 1 %: poses turn short links by much
        check_by(d, 1e-2, &e, 1e-6, 1e-12, text);
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

// Newton is not given the iterations that a fast chain takes: halves are told part by part.
TEST(halved_steps_of_links_follow_everything)
{
    static everything e;
    tml_model* m = hung_chain();
    tml_sim_settings s = settings_for(by(true));
    s.step = 0.05;
    s.max_iterations = 3;
    tml_derivatives* d = remembered(m, &s, 2);
    CHECK(tml_sim_get_report(tml_derivatives_sim(d)).substeps > 0);
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    motions(m, &e, 2);
    check_by(d, 1e-2, &e, 1e-6, 1e-12, "halved chain");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// The gradient of a weighted sum of everything, by one solver.
static void gradient_by(const tml_model* m, tml_solver solver, size_t memory, double* gradient,
                        int* count)
{
    static everything e;
    enum {
        STEPS = 30
    };
    tml_sim_settings s = settings_for(by(false));
    tml_derivatives* d = NULL;
    double weights[MANY];
    s.solver = solver;
    CHECK(tml_derivatives_create(m, &s, memory, &d) == TML_OK);
    for (int k = 0; k < STEPS; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
    everything_of_links(m, &e, STEPS);
    for (int i = 0; i < e.quantity_count; i++) weights[i] = 1.0 - 0.01 * i;
    *count = e.parameter_count;
    CHECK(tml_derivatives_gradient(d, e.quantity_count, e.quantities, weights, e.parameter_count,
                                   e.parameters, gradient) == TML_OK);
    tml_derivatives_destroy(d);
}

TEST(links_have_the_gradient_of_the_general_solver_whatever_the_memory)
{
    for (int k = 0; k < 4; k++) {
        double lean[MANY], tight[MANY], general[MANY];
        int count = 0;
        double largest = 0.0;
        double apart = 0.0;
        tml_model* m = builders[k]();
        gradient_by(m, TML_SOLVER_AUTO, 0, lean, &count);
        gradient_by(m, TML_SOLVER_AUTO, 8000, tight, &count);
        gradient_by(m, TML_SOLVER_NODES, 0, general, &count);
        for (int i = 0; i < count; i++) {
            largest = fmax(largest, fabs(general[i]));
            apart = fmax(apart, fabs(general[i] - lean[i]));
        }
        printf("%s: gradients of both solvers differ by %.2e of %.3g\n", names[k], apart, largest);
        CHECK(memcmp(lean, tight, (size_t)count * sizeof *lean) == 0);
        // both runs are solved to 1e-12, and thirty steps make more of it
        CHECK(apart <= 1e-8 * largest);
        tml_model_destroy(m);
    }
}

static int list_parameters(const tml_model* m, tml_parameter* p)
{
    static const struct {
        tml_parameter_kind kind;
        int components;
    } kinds[5] = {{TML_PARAMETER_POSE, 6},
                  {TML_PARAMETER_VELOCITY, 6},
                  {TML_PARAMETER_MASS, 1},
                  {TML_PARAMETER_INERTIA, 6},
                  {TML_PARAMETER_JOINT_POSITION, 3}};
    int count = 0;
    for (int k = 0; k < 5; k++) {
        const bool is_joint = kinds[k].kind == TML_PARAMETER_JOINT_POSITION;
        const int things = is_joint ? tml_model_joint_count(m) : tml_model_body_count(m);
        for (int i = 0; i < things; i++) {
            // the world among the bodies does not move
            if (!is_joint && tml_model_body(m, (tml_body){i})->is_fixed) continue;
            for (int c = 0; c < kinds[k].components; c++) {
                p[count++] = (tml_parameter){kinds[k].kind, i, c, 0};
            }
        }
    }
    return count;
}

// Backwards links go by eights and by segments, forwards one by one: long chains have several blocks of both.
TEST(long_chains_agree_forwards_and_backwards)
{
    enum {
        LINKS = 1300,
        STEPS = 2
    };
    for (int k = 0; k < 4; k++) {
        tml_model* m = links_of(LINKS, k % 2 == 0);
        const tml_sim_settings s = settings_for(by(k / 2 == 0));
        tml_derivatives* d = remembered(m, &s, STEPS);
        const int most = LINKS * 22;
        tml_parameter* p = malloc((size_t)most * sizeof *p);
        double* change = malloc((size_t)most * sizeof *change);
        double* gradient = malloc((size_t)most * sizeof *gradient);
        const int count = list_parameters(m, p);
        for (int i = 0; i < count; i++) change[i] = sin(1.7 * i);
        const tml_quantity sum[3] = {{TML_QUANTITY_KINETIC, 0, 0, STEPS},
                                     {TML_QUANTITY_POTENTIAL, 0, 0, STEPS},
                                     {TML_QUANTITY_POSITION, LINKS - 1, 1, STEPS}};
        const double weights[3] = {1.0, 0.5, 3.0};
        double out[3];
        double forwards = 0.0, backwards = 0.0, size = 0.0;
        CHECK(tml_derivatives_forward(d, count, p, change, 3, sum, out) == TML_OK);
        CHECK(tml_derivatives_gradient(d, 3, sum, weights, count, p, gradient) == TML_OK);
        for (int i = 0; i < 3; i++) forwards += weights[i] * out[i];
        for (int i = 0; i < count; i++) {
            backwards += gradient[i] * change[i];
            size += fabs(gradient[i] * change[i]);
        }
        printf("%d links, %s, %s: %.15g and %.15g\n", LINKS, k % 2 == 0 ? "hung" : "floating",
               tml_integrator_name(s.integrator), forwards, backwards);
        // sums of 25 000 numbers, each after solves of 1300 links
        CHECK(fabs(forwards - backwards) <= 1e-12 * size);
        free(p);
        free(change);
        free(gradient);
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

TEST(loads_of_links_are_refused_by_name)
{
    tml_model* m = hung_chain();
    const tml_sim_settings s = settings_for(by(true));
    tml_derivatives* d = remembered(m, &s, 1);
    const tml_quantity load = {TML_QUANTITY_FORCE, 0, 0, 1};
    const tml_parameter gravity = {TML_PARAMETER_GRAVITY, 0, 2, 0};
    double value = 1.0;
    CHECK(tml_derivatives_forward(d, 1, &gravity, &value, 1, &load, &value) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "solver 'chain'");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Two links of balls, 0.9 mm over the ground.
static tml_model* links_over_the_ground(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_body last = TML_WORLD;
    for (int i = 0; i < 2; i++) {
        tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.0491, 0, 0), 0.3);
        shape.group = 1;
        tml_body_def def = tml_body_def_default();
        def.mass = 0.1;
        def.inertia[0] = def.inertia[1] = def.inertia[2] = 1e-4;
        def.pose.p = (tml_vec3){0.05 + 0.1 * i, 0.0, 0.05};
        def.shapes = &shape;
        def.shape_count = 1;
        const tml_body body = tml_spec_add_body(spec, &def);
        add_joint(spec, TML_JOINT_SPHERICAL, last, body, (tml_vec3){0.1 * i, 0, 0.05},
                  (tml_vec3){0, 0, 1});
        last = body;
    }
    return build(spec);
}

// Contacts within the margin that do not push are no contacts.
TEST(links_that_touch_are_refused_and_links_that_nearly_do_are_not)
{
    tml_model* m = links_over_the_ground();
    for (int nodes = 0; nodes < 2; nodes++) {
        tml_sim_settings s = settings_for(by(true));
        s.contact.is_on = 1;
        s.contact.stiffness = 1e4;
        s.contact.margin = 0.005;
        s.step = 0.002;
        if (nodes) s.solver = TML_SOLVER_NODES;
        tml_derivatives* d = remembered(m, &s, 3);  // it falls by 0.2 mm
        tml_quantity height = {TML_QUANTITY_POSITION, 1, 2, 3};
        const tml_parameter gravity = {TML_PARAMETER_GRAVITY, 0, 2, 0};
        const double one = 1.0;
        double slope = 0.0;
        CHECK(tml_derivatives_gradient(d, 1, &height, &one, 1, &gravity, &slope) == TML_OK);
        CHECK(slope > 0.0);
        for (int k = 0; k < 17; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
        height.step = 20;
        CHECK(tml_derivatives_gradient(d, 1, &height, &one, 1, &gravity, &slope) ==
              TML_UNSUPPORTED);
        CHECK_CONTAINS(tml_derivatives_message(d), "compliant contacts have no derivatives");
        tml_derivatives_destroy(d);
    }
    tml_model_destroy(m);
}
