// test/linalg/two_sided.c - systems whose multipliers push along other gradients than their rows'.
//
// The oracles: tml__kkt_apply checked against the blocks themselves, residuals of solves, and the
// identity y . M x = M^T y . x for the transposed ones.
#include "linalg/kkt.h"
#include "test/check.h"
#include "test/linalg/sample.h"

static const kkt_method methods[] = {
    KKT_DENSE,
#ifdef TRAMMEL_KLU
    KKT_KLU,
#endif
    KKT_AUGMENTED,
    KKT_NODES,
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

static sample sample_of(int kind, dice* d)
{
    switch (kind) {
    case 0: return sample_chain(1, 3);
    case 1: return sample_chain(5, 5);
    case 2: return sample_chain(40, 3);
    default: return sample_loops(30, 40, 3, d);
    }
}

enum {
    KINDS = 4
};

// Rows turned a little: how far apart the gradients of two steps in a row are.
static kkt* make(const sample* s, kkt_method method, dice* d)
{
    message why = {""};
    kkt* k = NULL;
    const kkt_pattern p = sample_pattern(s);
    CHECK(tml__kkt_create(&p, method, NULL, &why, &k) == TML_OK);
    if (k == NULL) return NULL;
    kkt_values* v = tml__kkt_values(k);
    sample_fill(s, v, d);
    v->is_two_sided = true;
    for (int i = 0; i < 6 * s->entry_count; i++) v->push[i] = v->row[i] + dice_range(d, -0.1, 0.1);
    return k;
}

static double farthest(const double* a, const double* b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// Right-hand side, solution, product.
typedef struct trial {
    int n, m;
    double *r, *c, *dx, *dl, *out_r, *out_c;
} trial;

static trial trial_make(const sample* s, dice* d)
{
    trial t = {.n = 6 * s->node_count, .m = s->row_count};
    double** const all[] = {&t.r, &t.c, &t.dx, &t.dl, &t.out_r, &t.out_c};
    for (int i = 0; i < 6; i++) {
        *all[i] = sample_take((size_t)(i % 2 == 0 ? t.n : t.m), sizeof(double));
    }
    sample_random(t.r, (size_t)t.n, 1.0, d);
    sample_random(t.c, (size_t)t.m, 1.0, d);
    return t;
}

static void trial_free(trial* t)
{
    double* const all[] = {t->r, t->c, t->dx, t->dl, t->out_r, t->out_c};
    for (int i = 0; i < 6; i++) free(all[i]);
}

TEST(apply_pushes_along_push_and_closes_along_row)
{
    dice d = {7};
    sample s = sample_chain(2, 3);
    kkt* k = make(&s, KKT_DENSE, &d);
    trial t = trial_make(&s, &d);
    const kkt_values* v = tml__kkt_values(k);
    t.dl[1] = 1.0;
    tml__kkt_apply(k, t.dx, t.dl, t.out_r, t.out_c);
    for (int e = s.row_start[1]; e < s.row_start[2]; e++) {
        for (int j = 0; j < 6; j++) {
            CHECK(t.out_r[6 * s.row_node[e] + j] == -v->push[6 * e + j]);
        }
    }
    t.dl[1] = 0.0;
    t.dx[4] = 1.0;
    tml__kkt_apply(k, t.dx, t.dl, t.out_r, t.out_c);
    CHECK(t.out_c[1] == v->row[6 * s.row_start[1] + 4]);
    tml__kkt_clear(k);
    CHECK(!tml__kkt_values(k)->is_two_sided);
    trial_free(&t);
    tml__kkt_destroy(k);
    sample_free(&s);
}

TEST(every_engine_solves_two_sided_systems_both_ways)  // [VMAX Alg 1-4]
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < METHODS; i++) {
            dice d = {(uint64_t)(100 + kind)};
            sample s = sample_of(kind, &d);
            kkt* k = make(&s, methods[i], &d);
            trial t = trial_make(&s, &d);
            int bad = -1;
            CHECK(tml__kkt_factor(k, &bad) == TML_OK);
            CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
            tml__kkt_apply(k, t.dx, t.dl, t.out_r, t.out_c);
            // solutions of order 1e3 on blocks of order 1: 1e3 eps, and as much for the elimination
            CHECK_NEAR(farthest(t.out_r, t.r, t.n), 0.0, 1e-10);
            CHECK_NEAR(farthest(t.out_c, t.c, t.m), 0.0, 1e-10);

            // y = M^-T (r, c), x = M^-1 (r', c'): y . (r', c') = (r, c) . x
            double dot = 0.0;
            double other = 0.0;
            double size = 0.0;
            CHECK(tml__kkt_solve_transposed(k, t.r, t.c, t.out_r, t.out_c) == TML_OK);
            trial u = trial_make(&s, &d);
            CHECK(tml__kkt_solve(k, u.r, u.c, u.dx, u.dl) == TML_OK);
            for (int j = 0; j < t.n; j++) {
                dot += t.out_r[j] * u.r[j];
                other += t.r[j] * u.dx[j];
                size += fabs(t.out_r[j] * u.r[j]) + fabs(t.r[j] * u.dx[j]);
            }
            for (int j = 0; j < t.m; j++) {
                dot += t.out_c[j] * u.c[j];
                other += t.c[j] * u.dl[j];
                size += fabs(t.out_c[j] * u.c[j]) + fabs(t.c[j] * u.dl[j]);
            }
            CHECK_NEAR(dot, other, 1e-11 * size);  // condition 1e4 of the largest samples
            trial_free(&u);
            trial_free(&t);
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

TEST(a_push_that_is_not_a_number_is_singular_and_names_its_row)
{
    for (int i = 0; i < METHODS; i++) {
        dice d = {9};
        sample s = sample_chain(3, 3);
        kkt* k = make(&s, methods[i], &d);
        int bad = -1;
        tml__kkt_values(k)->push[6 * s.row_start[4] + 2] = (double)NAN;
        CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR && bad == 4);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}
