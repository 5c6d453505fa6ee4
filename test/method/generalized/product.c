// test/method/generalized/product.c - inverse dynamics along one direction of change at linear cost: against
// central differences on random trees with springs, dampers, motors and drag, and forwards against
// backwards with every parameter. Then K and B of each kind of force, column by column.
//                                                          [DCON Sec V Alg 2 Alg 3] [COOK (39)-(53) Sec 4]
#include "method/generalized/product.h"

#include "test/difference.h"
#include "test/method/generalized/forest.h"

static const gen_motion_settings with_contact = {.has_contact = true};

typedef struct question {
    forest* f;
    gen_motion* motion;
    gen_product* product;
    double a[FOREST_COLUMNS];
    double dq[FOREST_COLUMNS], du[FOREST_COLUMNS], da[FOREST_COLUMNS];
    wrench outside[FOREST_BODIES];  // about the world's origin
} question;

static wrench about_origin(const gen_tree* t, int at, wrench w)
{
    return (wrench){v3_sub(w.moment, v3_cross(t->origin[at], w.force)), w.force};
}

// Generalized forces with everything moved by e along the direction.
static void ask(question* s, double e, double* tau)
{
    gen_tree* t = s->motion->tree;
    double numbers[7 * FOREST_BODIES];
    double rates[FOREST_COLUMNS];
    double a[FOREST_COLUMNS];
    tml__gen_move(t, s->f->numbers, s->dq, e, numbers);
    for (int k = 0; k < t->column_count; k++) {
        rates[k] = s->f->rates[k] + e * s->du[k];
        a[k] = s->a[k] + e * s->da[k];
    }
    tml__gen_look(s->motion, numbers, rates);
    for (int at = 0; at < t->body_count; at++) {
        t->applied[at] = wr_add(t->applied[at], about_origin(t, at, s->outside[at]));
    }
    tml__gen_inverse(t, a, tau);
}

static bool open_question_with(question* s, forest* f, int salt, void (*add)(tml_spec* spec))
{
    const tml_allocator heap = {0};
    message why = {""};
    if (!forest_create_with(f, salt, add)) return false;
    *s = (question){.f = f};
    CHECK(tml__gen_motion_create(f->system, &with_contact, &heap, &why, &s->motion) == TML_OK);
    CHECK(tml__gen_product_create(s->motion, &heap, &s->product) == TML_OK);
    if (s->motion == NULL || s->product == NULL) return false;
    for (int k = 0; k < f->tree->column_count; k++) {
        s->a[k] = random_between(&f->random, -3.0, 3.0);
        s->dq[k] = random_between(&f->random, -1.0, 1.0);
        s->du[k] = random_between(&f->random, -1.0, 1.0);
        s->da[k] = random_between(&f->random, -1.0, 1.0);
    }
    for (int at = 0; at < f->tree->body_count; at++) {
        s->outside[at] = (wrench){random_vec3(&f->random, 5.0), random_vec3(&f->random, 5.0)};
    }
    return true;
}

static bool open_question(question* s, forest* f, int salt)
{
    return open_question_with(s, f, salt, NULL);
}

static void close_question(question* s)
{
    tml__gen_product_destroy(s->product);
    tml__gen_motion_destroy(s->motion);
    forest_destroy(s->f);
}

static void stand(question* s)
{
    const gen_tree* t = s->motion->tree;
    wrench local[FOREST_BODIES];
    tml__gen_product_look(s->product, s->f->numbers, s->f->rates);
    for (int at = 0; at < t->body_count; at++) local[at] = about_origin(t, at, s->outside[at]);
    tml__gen_product_at(s->product, s->f->rates, s->a, local);
}

TEST(a_direction_of_change_carries_inverse_dynamics_along)
{
    for (int salt = 0; salt < 12; salt++) {
        forest f;
        question s;
        if (!open_question(&s, &f, salt)) return;
        const int n = f.tree->column_count;
        static const double e = 2e-4;
        double exact[FOREST_COLUMNS];
        double tau[4][FOREST_COLUMNS];
        ask(&s, e, tau[0]);
        ask(&s, -e, tau[1]);
        ask(&s, 0.5 * e, tau[2]);
        ask(&s, -0.5 * e, tau[3]);
        stand(&s);
        const gen_column_change change = {.positions = s.dq, .rates = s.du, .accelerations = s.da};
        tml__gen_product_move(s.product, &change, NULL);
        tml__gen_product_forward(s.product, NULL, exact);
        slope d = {0};
        for (int i = 0; i < n; i++) {
            slope_add(&d, exact[i], (tau[0][i] - tau[1][i]) / (2.0 * e),
                      (tau[2][i] - tau[3][i]) / e);
        }
        // forces near 100 N: rounding of 1e-14 over 1e-4; a direction through many columns bends more
        CHECK_SLOPE("direction", &d, 1e-9 * (1.0 + d.scale), 1e-8 * (1.0 + d.scale));
        close_question(&s);
    }
}

TEST(gradients_are_the_directions_transposed)
{
    for (int salt = 0; salt < 12; salt++) {
        forest f;
        question s;
        if (!open_question(&s, &f, salt)) return;
        const int n = f.tree->column_count;
        const size_t count = tml__parameter_count(f.system);
        double* numbers = calloc(2 * count, sizeof *numbers);
        const parameter_set in = tml__parameter_set(f.system, numbers);
        const parameter_set back = tml__parameter_set(f.system, numbers + count);
        for (size_t i = 0; i < count; i++) numbers[i] = random_between(&f.random, -1.0, 1.0);
        double tau[FOREST_COLUMNS];
        double y[FOREST_COLUMNS];
        double gq[FOREST_COLUMNS] = {0};
        double gu[FOREST_COLUMNS] = {0};
        double ga[FOREST_COLUMNS] = {0};
        stand(&s);
        const gen_column_change change = {.positions = s.dq, .rates = s.du, .accelerations = s.da};
        tml__gen_product_move(s.product, &change, &in);
        tml__gen_product_forward(s.product, &in, tau);
        double forwards = 0.0;
        double size = 0.0;
        for (int k = 0; k < n; k++) {
            y[k] = random_between(&f.random, -1.0, 1.0);
            forwards += y[k] * tau[k];
            size += fabs(y[k] * tau[k]);
        }
        const gen_column_change gradient = {.positions = gq, .rates = gu, .accelerations = ga};
        tml__gen_product_pull(s.product, y);
        tml__gen_product_backward(s.product, &gradient, &back);
        double backwards = 0.0;
        for (int k = 0; k < n; k++) {
            backwards += s.dq[k] * gq[k] + s.du[k] * gu[k] + s.da[k] * ga[k];
        }
        for (size_t i = 0; i < count; i++) backwards += numbers[i] * numbers[count + i];
        // sums of some hundred terms in another order
        CHECK_NEAR(forwards / size, backwards / size, 1e-13);
        free(numbers);
        close_question(&s);
    }
}

// ---- each kind of force

// Stretched by about a metre, so that no law bends within the differences.
static tml_spring_def path(const tml_point* points, int count)
{
    tml_spring_def def = tml_spring_def_default();
    def.point_count = count;
    def.points = points;
    def.stiffness = 12.0;
    def.rest_length = 0.05;
    return def;
}

static const tml_point points[3] = {
    {{4}, {0.3, -0.2, 0.1}}, {{-1}, {0.4, 1.5, -0.8}}, {{9}, {-0.2, 0.5, 0.3}}};

static void add_linear(tml_spec* spec)
{
    const tml_spring_def def = path(points, 2);
    tml_spec_add_spring(spec, &def);
}

static void add_damper(tml_spec* spec)
{
    tml_spring_def def = path(points, 2);
    def.stiffness = 0.0;
    def.damping = 3.0;
    tml_spec_add_spring(spec, &def);
}

static void add_quadratic(tml_spec* spec)
{
    tml_spring_def def = path(points, 2);
    def.law = TML_SPRING_QUADRATIC;
    tml_spec_add_spring(spec, &def);
}

static void add_table(tml_spec* spec)
{
    static const double extensions[3] = {-5.0, 0.0, 50.0};
    static const double forces[3] = {-40.0, 0.0, 900.0};
    tml_spring_def def = path(points, 2);
    def.law = TML_SPRING_TABLE;
    def.table_count = 3;
    def.table_extensions = extensions;
    def.table_forces = forces;
    tml_spec_add_spring(spec, &def);
}

static void add_tendon(tml_spec* spec)
{
    tml_spring_def def = path(points, 3);
    def.damping = 2.0;
    def.force = tml_control_constant(7.0);
    tml_spec_add_spring(spec, &def);
}

static void add_muscle(tml_spec* spec)
{
    tml_spring_def def = path(points, 3);
    def.muscle = tml_muscle_default();
    def.muscle.force = 30.0;
    def.muscle.optimal_length = 2.5;
    def.muscle.activation = tml_control_constant(0.6);
    tml_spec_add_spring(spec, &def);
}

static void add_wrench(tml_spec* spec)
{
    tml_wrench_def def = tml_wrench_def_default();
    def.body = (tml_body){7};
    def.point = (tml_vec3){0.3, 0.2, -0.1};
    for (int k = 0; k < 3; k++) {
        def.force[k] = tml_control_constant(4.0 - 3.0 * k);
        def.torque[k] = tml_control_constant(k - 0.5);
    }
    tml_spec_add_wrench(spec, &def);
}

static void add_drag(tml_spec* spec)
{
    const tml_drag_def def = {
        .body = {11}, .linear = 2.0, .angular = 0.7, .wind = {1.0, -0.5, 0.3}};
    tml_spec_add_drag(spec, &def);
}

static void damp_masses(tml_spec* spec) { tml_spec_set_rayleigh(spec, 1.7, 0.0); }

static void damp_springs(tml_spec* spec)
{
    add_quadratic(spec);
    tml_spec_set_rayleigh(spec, 0.0, 0.3);
}

// Across the tree: six freedoms have no row.
static void add_servos(tml_spec* spec)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_FREE;
    def.base = (tml_body){5};
    def.follower = (tml_body){12};
    for (int k = 0; k < 3; k++) {
        def.axis_of[k].has_servo = 1;
        def.axis_of[k].servo_stiffness = 8.0 + k;
        def.axis_of[k].servo_damping = 0.4;
        def.axis_of[k].servo_target = tml_control_constant(0.3);
    }
    tml_spec_add_joint(spec, &def);
}

// What is applied, over the columns, moved along the direction.
static void ask_forces(question* s, double e, double* tau)
{
    gen_tree* t = s->motion->tree;
    double at_rest[FOREST_COLUMNS];
    ask(s, e, tau);
    memset(t->applied, 0, (size_t)t->body_count * sizeof *t->applied);
    tml__gen_inverse(t, s->a, at_rest);
    for (int k = 0; k < t->column_count; k++) tau[k] -= at_rest[k];
}

// One column of K (dq) or B (du).
static void check_force_column(question* s, const char* what)
{
    static const double e = 2e-3;
    static const gen_view forces = {.is_forced = true};
    const int n = s->motion->tree->column_count;
    double exact[FOREST_COLUMNS];
    double tau[4][FOREST_COLUMNS];
    ask_forces(s, e, tau[0]);
    ask_forces(s, -e, tau[1]);
    ask_forces(s, 0.5 * e, tau[2]);
    ask_forces(s, -0.5 * e, tau[3]);
    tml__gen_look(s->motion, s->f->numbers, s->f->rates);
    tml__gen_product_view(s->product, s->f->rates, NULL, NULL, &forces);
    const gen_column_change change = {.positions = s->dq, .rates = s->du};
    tml__gen_product_move(s->product, &change, NULL);
    tml__gen_product_forward(s->product, NULL, exact);
    slope d = {0};
    for (int i = 0; i < n; i++) {
        slope_add(&d, exact[i], (tau[0][i] - tau[1][i]) / (2.0 * e), (tau[2][i] - tau[3][i]) / e);
    }
    // forces near 100 N beside as much inertia: rounding of 1e-13 over 1e-3; then e^4 times fifth derivatives
    CHECK_SLOPE(what, &d, 1e-10 * (1.0 + d.scale), 1e-8 * (1.0 + d.scale));
}

TEST(each_force_has_its_stiffness_and_damping_in_joint_coordinates)
{
    static const struct {
        const char* name;
        void (*add)(tml_spec* spec);
    } kinds[] = {{"axes and motors", NULL},
                 {"linear spring", add_linear},
                 {"damper", add_damper},
                 {"quadratic spring", add_quadratic},
                 {"spring by a table", add_table},
                 {"tendon", add_tendon},
                 {"muscle", add_muscle},
                 {"wrench", add_wrench},
                 {"drag", add_drag},
                 {"Rayleigh, mass", damp_masses},
                 {"Rayleigh, stiffness", damp_springs},
                 {"servos across", add_servos}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (int salt = 0; salt < 4; salt++) {
            forest f;
            question s;
            if (!open_question_with(&s, &f, salt, kinds[i].add)) return;
            memset(s.outside, 0, sizeof s.outside);
            memset(s.da, 0, sizeof s.da);
            // the kind does act, beside what the first row has
            static double plain[4][FOREST_COLUMNS];
            double tau[FOREST_COLUMNS];
            double most = 0.0;
            ask_forces(&s, 0.0, tau);
            for (int k = 0; k < f.tree->column_count; k++) {
                if (i == 0) plain[salt][k] = tau[k];
                most = tml__larger(most, fabs(tau[k] - plain[salt][k]));
            }
            CHECK(i == 0 || most > 0.1);
            for (int k = 0; k < 2 * f.tree->column_count; k++) {
                memset(s.dq, 0, sizeof s.dq);
                memset(s.du, 0, sizeof s.du);
                *(k % 2 == 0 ? &s.dq[k / 2] : &s.du[k / 2]) = 1.0;
                check_force_column(&s, kinds[i].name);
            }
            close_question(&s);
        }
    }
}
