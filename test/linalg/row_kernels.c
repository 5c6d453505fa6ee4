// test/linalg/row_kernels.c - rows and blocks times vectors: against plain sums over a dense matrix,
// and all instruction sets against each other, bit for bit.
#include "linalg/row_kernels.h"

#include "test/check.h"
#include "test/linalg/sample.h"

enum {
    NODES = 9,
    GROUPS = 12,
    MAX_ROWS = 9 * GROUPS,
    MAX_ENTRIES = 4 * MAX_ROWS,
    LENGTH = 8 * NODES,
    BLOCKS = 20,
};

// Groups of 1 to 9 rows on 0 to 4 different nodes each.
typedef struct rows {
    row_set set;
    row_group group[GROUPS];
    int at[MAX_ENTRIES];
    int row_count, entry_count;
    double gradient[8 * MAX_ENTRIES] __attribute__((aligned(64)));
    double push[8 * MAX_ENTRIES] __attribute__((aligned(64)));  // of a pass
} rows;

// Everything a pass reads and writes, and the results of the other kernels.
typedef struct numbers {
    double dx[LENGTH] __attribute__((aligned(64)));
    double force[LENGTH] __attribute__((aligned(64)));
    double next[LENGTH] __attribute__((aligned(64)));
    double scattered[LENGTH] __attribute__((aligned(64)));
    double subtracted[LENGTH] __attribute__((aligned(64)));
    double gathered[MAX_ROWS];
    double weight[MAX_ROWS], delta[MAX_ROWS], compliance[MAX_ROWS];
    double rest[MAX_ROWS], l[MAX_ROWS], step[MAX_ROWS], change[MAX_ROWS], pull[MAX_ROWS];
    double mu[MAX_ROWS], taken[MAX_ROWS];
    double lacking[LENGTH] __attribute__((aligned(64)));
} numbers;

static void rows_make(rows* r, dice* d)
{
    *r = (rows){0};
    for (int n = 0; n < GROUPS; n++) {
        row_group* g = &r->group[n];
        *g = (row_group){.row = r->row_count,
                         .row_count = 1 + dice_below(d, 9),
                         .node_count = n % 5,
                         .entry = r->entry_count};
        const int first = dice_below(d, NODES);
        for (int e = 0; e < g->row_count * g->node_count; e++) {
            const int at = r->entry_count++;
            r->at[at] = 8 * ((first + 2 * (e % g->node_count)) % NODES);
            for (int i = 0; i < 6; i++) r->gradient[8 * at + i] = dice_range(d, -1.0, 1.0);
            for (int i = 0; i < 6; i++) r->push[8 * at + i] = dice_range(d, -1.0, 1.0);
        }
        r->row_count += g->row_count;
    }
    // whether gradients are asked for early changes nothing
    r->set = (row_set){GROUPS, r->group, r->gradient, r->at, dice_below(d, 2) == 0};
}

static void fill_vector(double* v, dice* d)
{
    for (int i = 0; i < LENGTH; i++) v[i] = i % 8 < 6 ? dice_range(d, -1.0, 1.0) : 0.0;
}

static void numbers_make(numbers* n, dice* d)
{
    *n = (numbers){0};
    fill_vector(n->dx, d);
    fill_vector(n->force, d);
    fill_vector(n->next, d);
    fill_vector(n->scattered, d);
    fill_vector(n->subtracted, d);
    fill_vector(n->lacking, d);
    for (int i = 0; i < MAX_ROWS; i++) {
        n->delta[i] = dice_range(d, 0.5, 2.0);
        n->compliance[i] = i % 3 == 0 ? dice_range(d, 0.0, 1.0) : 0.0;
        n->weight[i] = 1.0 / (n->delta[i] + n->compliance[i]);
        n->rest[i] = dice_range(d, -1.0, 1.0);
        n->l[i] = dice_range(d, -1.0, 1.0);
        n->mu[i] = dice_range(d, -1.0, 1.0);
    }
}

static void blocks_make(double* values, block_product* product, dice* d)
{
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < 48; i++)
            values[48 * b + i] = i % 8 < 6 ? dice_range(d, -1.0, 1.0) : 0.0;
        product[b] =
            (block_product){values + 48 * b, 8 * dice_below(d, NODES), 8 * dice_below(d, NODES)};
    }
}

static void run_all(const row_kernels* kernels, const rows* r, const block_product* product,
                    bool is_last, numbers* n)
{
    const row_pass pass = {.push = r->push,
                           .dx = n->dx,
                           .weight = n->weight,
                           .delta = n->delta,
                           .compliance = n->compliance,
                           .rest = n->rest,
                           .l = n->l,
                           .step = n->step,
                           .change = n->change,
                           .pull = n->pull,
                           .force = is_last ? NULL : n->force,
                           .next = n->next};
    kernels->gather(&r->set, n->dx, n->gathered);
    kernels->scatter(&r->set, n->rest, n->scattered);
    kernels->subtract(product, BLOCKS, n->dx, n->subtracted);
    kernels->pass(&r->set, &pass);
    // scratch
    for (int i = 0; is_last && i < MAX_ROWS; i++) n->change[i] = 0.0;
    kernels->project(
        &r->set,
        &(row_projection){
            .x = n->dx, .q = n->weight, .mu = n->mu, .step = n->taken, .force = n->lacking});
}

// Rows along some gradients written out, one dense row of LENGTH each.
static void write_dense(const rows* r, const double* gradient, double* dense)
{
    memset(dense, 0, MAX_ROWS * LENGTH * sizeof(double));
    for (int n = 0; n < GROUPS; n++) {
        const row_group* g = &r->group[n];
        for (int e = 0; e < g->row_count * g->node_count; e++) {
            double* to = dense + LENGTH * (g->row + e / g->node_count) + r->at[g->entry + e];
            for (int i = 0; i < 6; i++) to[i] += gradient[8 * (g->entry + e) + i];
        }
    }
}

// v + C^T y at place j
static double transposed(const rows* r, const double* dense, const double* y, int j, double v)
{
    for (int i = 0; i < r->row_count; i++) v += dense[LENGTH * i + j] * y[i];
    return v;
}

static const double rounding = 1e-14;  // sums of at most 50 products of size 1

static void check_rows(const rows* r, bool is_last, const numbers* before, const numbers* after)
{
    static double dense[MAX_ROWS * LENGTH];
    static double push[MAX_ROWS * LENGTH];
    write_dense(r, r->gradient, dense);
    write_dense(r, r->push, push);
    for (int i = 0; i < r->row_count; i++) {
        double reach = 0.0;
        for (int j = 0; j < LENGTH; j++) reach += dense[LENGTH * i + j] * before->dx[j];
        const double step = (before->rest[i] - reach) / (before->delta[i] + before->compliance[i]);
        CHECK_NEAR(after->gathered[i], reach, rounding);
        CHECK_NEAR(after->l[i], before->l[i] + step, 10.0 * rounding);
        // what the rows lack afterwards is rest - C dx - E step
        const double rest = before->rest[i] - reach - before->compliance[i] * step;
        CHECK_NEAR(after->rest[i], rest, 10.0 * rounding);
        CHECK_NEAR(after->step[i], step, 10.0 * rounding);
        CHECK_NEAR(after->pull[i], before->weight[i] * rest, 20.0 * rounding);
        CHECK_NEAR(after->change[i], is_last ? 0.0 : before->rest[i] - rest, 10.0 * rounding);
        CHECK_NEAR(after->mu[i], before->mu[i] + before->weight[i] * reach, 10.0 * rounding);
        CHECK_NEAR(after->taken[i], -before->weight[i] * reach, 10.0 * rounding);
    }
    for (int j = 0; j < LENGTH; j++) {
        CHECK_NEAR(after->scattered[j], transposed(r, dense, before->rest, j, before->scattered[j]),
                   rounding);
        CHECK_NEAR(after->next[j], transposed(r, push, after->pull, j, before->next[j]),
                   10.0 * rounding);
        if (!is_last) {
            CHECK_NEAR(after->force[j], transposed(r, push, after->step, j, before->force[j]),
                       10.0 * rounding);
        } else {
            CHECK(after->force[j] == before->force[j]);
        }
        CHECK_NEAR(after->lacking[j], transposed(r, dense, after->taken, j, before->lacking[j]),
                   10.0 * rounding);
        CHECK(j % 8 < 6 || (after->force[j] == 0.0 && after->next[j] == 0.0));
    }
}

static void check_products(const block_product* product, const numbers* before,
                           const numbers* after)
{
    double expected[LENGTH];
    memcpy(expected, before->subtracted, sizeof expected);
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < 36; i++) {
            expected[product[b].to + i % 6] -=
                product[b].block[8 * (i / 6) + i % 6] * before->dx[product[b].from + i / 6];
        }
    }
    for (int j = 0; j < LENGTH; j++) CHECK_NEAR(after->subtracted[j], expected[j], rounding);
}

TEST(rows_and_blocks_times_vectors_are_what_a_dense_matrix_says)
{
    static rows r;
    static numbers before, plain, after;
    static double values[48 * BLOCKS] __attribute__((aligned(64)));
    block_product product[BLOCKS];

    for (uint64_t seed = 0; seed < 30; seed++) {
        const bool is_last = seed % 2 == 1;
        dice d = {7000 + seed};
        rows_make(&r, &d);
        numbers_make(&before, &d);
        blocks_make(values, product, &d);
        for (int isa = BLOCK_PLAIN; isa <= BLOCK_AVX512; isa++) {
            const row_kernels* kernels = tml__row_kernels((block_isa)isa);
            if (kernels == NULL) continue;
            after = before;
            run_all(kernels, &r, product, is_last, &after);
            if (isa == BLOCK_PLAIN) plain = after;
            CHECK(memcmp(&after, &plain, sizeof plain) == 0);
            check_rows(&r, is_last, &before, &after);
            check_products(product, &before, &after);
        }
    }
}
