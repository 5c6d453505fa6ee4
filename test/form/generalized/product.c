// test/form/generalized/product.c - inverse dynamics along one direction of change at linear cost: against
// central differences on random trees with springs, dampers, motors and drag, and forwards against
// backwards with every parameter.                                    [DCON Sec V Alg 2 Alg 3]
#include "form/generalized/product.h"

#include "test/difference.h"
#include "test/form/generalized/forest.h"

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

static bool open_question(question* s, forest* f, int salt)
{
    const tml_allocator heap = {0};
    message why = {""};
    if (!forest_create(f, salt)) return false;
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
    tml__gen_look(s->motion, s->f->numbers, s->f->rates);
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
