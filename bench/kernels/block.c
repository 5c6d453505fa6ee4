// bench/kernels/block.c - what the linear algebra of a step costs, and how exact it is.
//
//     bench/block [LARGEST]      also chains of 100000 and 1000000 nodes, up to LARGEST
//
// Two tables, as CSV. First the block engine alone, by instruction set: analysis, factorisation and
// solve of a matrix of 6 x 6 blocks. Then whole KKT systems, as a Newton iteration poses them:
// KKT_AUGMENTED beside KLU on the saddle matrix of the same values, with the residual each leaves
// (relative to the largest term of each equation), and how many times faster the first is. A solve
// of KKT_AUGMENTED is stated twice: to rounding, and with the two passes that Newton asks for.
// Times are processor time of the thread, the best of several repetitions.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "linalg/block.h"

#include "linalg/kkt.h"
#include "test/linalg/sample.h"

#include <stdio.h>
#include <time.h>

typedef struct bench_case {
    const char* name;
    int nodes;
    int joints;  // 0: a chain
    int rows;    // per joint
} bench_case;

// 240 nodes and 420 joints are those of a Hoberman sphere; three rows a joint stay independent, so
// that KLU can take part.
static const bench_case cases[] = {
    {"chain", 100, 0, 5},     {"chain", 1000, 0, 5},    {"chain", 10000, 0, 5},
    {"loops", 240, 420, 3},   {"loops", 1000, 1700, 3}, {"chain", 100000, 0, 5},
    {"chain", 1000000, 0, 5},
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Enough repetitions for a stable minimum, few enough for a short run.
static int repetitions(int nodes) { return nodes <= 1000 ? 100 : nodes <= 10000 ? 10 : 3; }

static double lesser(double a, double b) { return a < b ? a : b; }

static sample make_sample(const bench_case* c)
{
    dice d = {2024};
    return c->joints == 0 ? sample_chain(c->nodes, c->rows)
                          : sample_loops(c->nodes, c->joints, c->rows, &d);
}

// ---- the block engine

static int* pairs_of(const sample* s, int* count)
{
    int* pair = sample_take(2 * (size_t)s->row_count, sizeof(int));
    *count = 0;
    for (int i = 0; i < s->row_count; i++) {
        if (s->row_start[i + 1] - s->row_start[i] != 2) continue;
        pair[2 * *count] = s->row_node[s->row_start[i]];
        pair[2 * *count + 1] = s->row_node[s->row_start[i] + 1];
        (*count)++;
    }
    return pair;
}

static void add_random(double* to, double diagonal, dice* d)
{
    for (int i = 0; to != NULL && i < 36; i++) {
        to[8 * (i % 6) + i / 6] += i % 7 == 0 ? diagonal : dice_range(d, -0.1, 0.1);
    }
}

static void fill_block(block* b, int nodes, int pairs, const int* pair)
{
    dice d = {7};
    tml__block_clear(b);
    for (int a = 0; a < nodes; a++) add_random(tml__block_at(b, a, a), 30.0, &d);
    for (int p = 0; p < pairs; p++) {
        add_random(tml__block_at(b, pair[2 * p], pair[2 * p + 1]), 0.1, &d);
        add_random(tml__block_at(b, pair[2 * p + 1], pair[2 * p]), 0.1, &d);
    }
}

static void time_block(const bench_case* c, block_kind kind, block_isa isa)
{
    const char* kinds[] = {"LU", "Cholesky"};
    const char* isas[] = {"plain", "AVX2", "AVX-512"};
    sample s = make_sample(c);
    int pairs = 0;
    int* pair = pairs_of(&s, &pairs);
    double* x = sample_take(6 * (size_t)c->nodes, sizeof(double));
    const block_pattern pattern = {c->nodes, NULL, pairs, pair, NULL};
    message why = {""};
    block* b = NULL;

    const double begin = seconds();
    if (tml__block_create(&pattern, kind, NULL, &why, &b) != TML_OK) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    const double analysis = seconds() - begin;
    if (tml__block_use(b, isa)) {
        double factor = 1e9;
        double solve = 1e9;
        for (int i = 0; i < repetitions(c->nodes); i++) {
            fill_block(b, c->nodes, pairs, pair);
            double start = seconds();
            if (tml__block_factor(b, NULL) != TML_OK) exit(1);
            factor = lesser(factor, seconds() - start);
            for (int j = 0; j < 6 * c->nodes; j++) x[j] = 1.0;
            start = seconds();
            tml__block_solve(b, 1, x);
            solve = lesser(solve, seconds() - start);
        }
        const block_statistics t = tml__block_statistics(b);
        printf("%s,%d,%s,%s,%.3f,%.2f,%.1f,%.2f,%.2f,%d,%d\n", c->name, c->nodes, kinds[kind],
               isas[isa], 1e3 * analysis, 1e6 * factor, 1e9 * factor / c->nodes,
               1e-9 * t.flops / factor, 1e6 * solve, t.blocks, t.fill);
    }
    tml__block_destroy(b);
    free(x);
    free(pair);
    sample_free(&s);
}

// ---- KKT systems

typedef struct timing {
    double analysis, factor, solve, quick;  // s
    double residual;
    int passes;
    tml_status status;
} timing;

typedef struct vectors {
    double *r, *c, *x, *l, *out_r, *out_c;
} vectors;

static vectors vectors_make(const sample* s)
{
    const size_t n = 6 * (size_t)s->node_count;
    const size_t m = (size_t)s->row_count;
    return (vectors){sample_take(n, sizeof(double)), sample_take(m, sizeof(double)),
                     sample_take(n, sizeof(double)), sample_take(m, sizeof(double)),
                     sample_take(n, sizeof(double)), sample_take(m, sizeof(double))};
}

static void vectors_free(vectors* v)
{
    free(v->r);
    free(v->c);
    free(v->x);
    free(v->l);
    free(v->out_r);
    free(v->out_c);
}

// Forces against the largest load or multiplier, rows against the largest |c| or |x|.
static double residual(const kkt* k, const sample* s, vectors* v)
{
    const size_t n = 6 * (size_t)s->node_count;
    const size_t m = (size_t)s->row_count;

    tml__kkt_apply(k, v->x, v->l, v->out_r, v->out_c);
    for (size_t i = 0; i < n; i++) v->out_r[i] -= v->r[i];
    for (size_t i = 0; i < m; i++) v->out_c[i] -= v->c[i];
    const double force = largest(v->out_r, n) / fmax(largest(v->r, n), largest(v->l, m));
    return m == 0 ? force
                  : fmax(force, largest(v->out_c, m) / fmax(largest(v->c, m), largest(v->x, n)));
}

static timing time_kkt(const bench_case* c, kkt_method method)
{
    timing t = {.factor = 1e9, .solve = 1e9, .quick = 1e9};
    dice d = {99};
    sample s = make_sample(c);
    vectors v = vectors_make(&s);
    const kkt_pattern pattern = sample_pattern(&s);
    message why = {""};
    kkt* k = NULL;

    double start = seconds();
    t.status = tml__kkt_create(&pattern, method, NULL, &why, &k);
    t.analysis = seconds() - start;
    if (t.status == TML_OK) sample_fill(&s, tml__kkt_values(k), &d);
    sample_random(v.r, 6 * (size_t)s.node_count, 1.0, &d);
    sample_random(v.c, (size_t)s.row_count, 1e-3, &d);
    for (int i = 0; t.status == TML_OK && i < repetitions(c->nodes); i++) {
        start = seconds();
        t.status = tml__kkt_factor(k, NULL);
        t.factor = lesser(t.factor, seconds() - start);
        if (t.status != TML_OK) break;
        tml__kkt_set_passes(k, 2);
        start = seconds();
        t.status = tml__kkt_solve(k, v.r, v.c, v.x, v.l);
        t.quick = lesser(t.quick, seconds() - start);
        tml__kkt_set_passes(k, 30);
        start = seconds();
        t.status = tml__kkt_solve(k, v.r, v.c, v.x, v.l);
        t.solve = lesser(t.solve, seconds() - start);
    }
    if (t.status == TML_OK) {
        t.residual = residual(k, &s, &v);
        t.passes = tml__kkt_statistics(k).passes;
    }
    tml__kkt_destroy(k);
    vectors_free(&v);
    sample_free(&s);
    return t;
}

static void compare(const bench_case* c)
{
    const timing a = time_kkt(c, KKT_AUGMENTED);
    const timing k = time_kkt(c, KKT_KLU);

    printf("%s,%d,%.3f,%.2f,%.2f,%.2f,%d,%.1e,", c->name, c->nodes, 1e3 * a.analysis,
           1e6 * a.factor, 1e6 * a.quick, 1e6 * a.solve, a.passes, a.residual);
    if (k.status == TML_OK) {
        printf("%.3f,%.2f,%.2f,%.1e,%.1f,%.1f\n", 1e3 * k.analysis, 1e6 * k.factor, 1e6 * k.solve,
               k.residual, k.factor / a.factor, (k.factor + k.solve) / (a.factor + a.quick));
    } else {
        printf(",,,%s,,\n", tml_status_name(k.status));
    }
}

int main(int argc, char** argv)
{
    const int count = (int)(sizeof cases / sizeof cases[0]);
    const int most = argc > 1 ? atoi(argv[1]) : 10000;

    printf("case,nodes,factor,kernels,analysis ms,factor us,factor ns/node,Gflop/s,solve us,blocks,"
           "fill\n");
    for (int i = 0; i < count; i++) {
        for (int kind = BLOCK_LU; kind <= BLOCK_CHOLESKY; kind++) {
            for (int isa = BLOCK_PLAIN; isa <= BLOCK_AVX512; isa++) {
                if (cases[i].nodes <= most) time_block(&cases[i], (block_kind)kind, (block_isa)isa);
            }
        }
    }
    printf("\ncase,nodes,augmented: analysis ms,factor us,two passes us,solve us,passes,residual,"
           "KLU: analysis ms,factor us,solve us,residual,factor ratio,iteration ratio\n");
    for (int i = 0; i < count; i++) {
        if (cases[i].nodes <= most) compare(&cases[i]);
    }
    return 0;
}
