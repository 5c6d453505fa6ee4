// test/method/generalized/slope.c - derivatives of inverse dynamics against central differences, on random
// trees of every joint, with wrenches fixed in the world.            [DCON Sec V Alg 2 Alg 3]
#include "method/generalized/slope.h"

#include "test/difference.h"
#include "test/method/generalized/forest.h"

typedef struct question {
    forest* f;
    double a[FOREST_COLUMNS];
    wrench fixed[FOREST_BODIES];  // about the world's origin
    vec3 gravity;
} question;

// Generalized forces with position numbers moved by e along column q (-1: none) and the rate of
// column u changed by e (-1: none).
static void ask(question* s, int q, int u, double e, double* tau)
{
    const gen_tree* t = s->f->tree;
    double motion[FOREST_COLUMNS] = {0};
    double numbers[7 * FOREST_BODIES];
    double rates[FOREST_COLUMNS];
    if (q >= 0) motion[q] = e;
    tml__gen_move(t, s->f->numbers, motion, 1.0, numbers);
    memcpy(rates, s->f->rates, sizeof rates);
    if (u >= 0) rates[u] += e;
    tml__gen_place(s->f->tree, numbers, rates);
    for (int at = 0; at < t->body_count; at++) {
        const vec3 weight = v3_scale(t->bodies[at].mass, s->gravity);
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        const wrench w = s->fixed[at];
        const vec3 moment = v3_sub(w.moment, v3_cross(t->origin[at], w.force));
        t->applied[at] = (wrench){v3_add(moment, v3_cross(arm, weight)), v3_add(w.force, weight)};
    }
    tml__gen_inverse(s->f->tree, s->a, tau);
}

static void check_column(question* s, int q, int u, int column, const double* exact)
{
    const int n = s->f->tree->column_count;
    static const double e = 2e-3;
    double tau[4][FOREST_COLUMNS];
    ask(s, q, u, e, tau[0]);
    ask(s, q, u, -e, tau[1]);
    ask(s, q, u, 0.5 * e, tau[2]);
    ask(s, q, u, -0.5 * e, tau[3]);
    slope d = {0};
    for (int i = 0; i < n; i++) {
        slope_add(&d, exact[i * n + column], (tau[0][i] - tau[1][i]) / (2.0 * e),
                  (tau[2][i] - tau[3][i]) / e);
    }
    // forces near 100 N: rounding of 1e-13 over 1e-3; the fourth order is e^4 times fifth derivatives
    CHECK_SLOPE(q >= 0 ? "dq" : "du", &d, 1e-10 * (1.0 + d.scale), 1e-8 * (1.0 + d.scale));
}

TEST(inverse_dynamics_has_its_derivatives)
{
    for (int salt = 0; salt < 12; salt++) {
        forest f;
        if (!forest_create(&f, salt)) return;
        const int n = f.tree->column_count;
        question s = {.f = &f, .gravity = v3(0.5, -1.0, -9.81)};
        for (int k = 0; k < n; k++) s.a[k] = random_between(&f.random, -3.0, 3.0);
        wrench local[FOREST_BODIES];
        tml__gen_place(f.tree, f.numbers, f.rates);
        for (int at = 0; at < f.tree->body_count; at++) {
            const vec3 force = random_vec3(&f.random, 5.0);
            s.fixed[at] = (wrench){random_vec3(&f.random, 5.0), force};
            local[at] =
                (wrench){v3_sub(s.fixed[at].moment, v3_cross(f.tree->origin[at], force)), force};
        }
        message why;
        gen_slope* work = NULL;
        static double dq[FOREST_COLUMNS * FOREST_COLUMNS];
        static double du[FOREST_COLUMNS * FOREST_COLUMNS];
        CHECK(tml__gen_slope_create(f.tree, NULL, &why, &work) == TML_OK);
        tml__gen_inverse_slope(work, f.rates, s.a, s.gravity, local, dq, du);
        for (int k = 0; k < n; k++) {
            check_column(&s, k, -1, k, dq);
            check_column(&s, -1, k, k, du);
        }
        tml__gen_slope_destroy(work);
        forest_destroy(&f);
    }
}
