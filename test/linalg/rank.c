// test/linalg/rank.c - rows that follow from others, against plain Gram-Schmidt.
#include "linalg/rank.h"

#include "test/check.h"
#include "test/linalg/sample.h"

enum {
    MOST_ROWS = 240,
    MOST_NODES = 40,
};

typedef struct example {
    rank_rows of;
    int start[MOST_ROWS + 1];
    int node[2 * MOST_ROWS];
    double value[12 * MOST_ROWS];
    int group[MOST_ROWS];
    bool is_late[MOST_ROWS];
} example;

static void add_entry(example* e, int node, dice* d, double size)
{
    const int k = e->start[e->of.row_count + 1]++;
    e->node[k] = node;
    for (int i = 0; i < 6; i++) e->value[6 * k + i] = size * dice_range(d, -1.0, 1.0);
}

// A group of rows between two nodes, or one node and the world.
static void add_group(example* e, int a, int b, int width, dice* d)
{
    for (int r = 0; r < width; r++) {
        e->start[e->of.row_count + 1] = e->start[e->of.row_count];
        // sizes of lengths and of angles, so that scales differ
        add_entry(e, a, d, r % 2 == 0 ? 1.0 : 20.0);
        if (b >= 0) add_entry(e, b, d, r % 2 == 0 ? 1.0 : 20.0);
        e->group[e->of.row_count++] = e->of.group_count;
    }
    e->is_late[e->of.group_count++] = dice_below(d, 4) == 0;
}

// Row `to` becomes a combination of two others of the same nodes.
static void imply(example* e, int to, int a, int b, dice* d)
{
    const double x = dice_range(d, 0.5, 2.0);
    const double y = dice_range(d, 0.5, 2.0);
    const int count = e->start[to + 1] - e->start[to];
    for (int i = 0; i < 6 * count; i++) {
        e->value[6 * e->start[to] + i] =
            x * e->value[6 * e->start[a] + i] + y * e->value[6 * e->start[b] + i];
    }
}

static void close_example(example* e, int nodes)
{
    e->of.node_count = nodes;
    e->of.row_start = e->start;
    e->of.row_node = e->node;
    e->of.value = e->value;
    e->of.group = e->group;
    e->of.is_late = e->is_late;
}

// A random tree of nodes with chords, and dependent rows inside of groups and across two of the same nodes.
static void random_example(example* e, dice* d)
{
    const int nodes = 2 + dice_below(d, MOST_NODES - 2);
    *e = (example){0};
    for (int n = 0; n < nodes; n++) {
        add_group(e, n, n > 0 ? dice_below(d, n) : -1, 1 + dice_below(d, 5), d);
    }
    for (int k = 0; k < nodes / 4; k++) {
        const int a = 1 + dice_below(d, nodes - 1);
        add_group(e, a, dice_below(d, a), 3, d);
        const int last = e->of.row_count - 1;
        if (k % 2 == 0) imply(e, last, last - 1, last - 2, d);
    }
    close_example(e, nodes);
}

// How many rows are independent: Gram-Schmidt twice, dense. `leave`: rows that do not count; NULL: none.
static int dense_rank(const example* e, const bool* leave)
{
    static double q[MOST_ROWS][6 * MOST_NODES];
    int rank = 0;
    for (int row = 0; row < e->of.row_count; row++) {
        if (leave != NULL && leave[row]) continue;
        double* x = q[rank];
        double size = 0.0;
        memset(x, 0, sizeof q[0]);
        for (int k = e->start[row]; k < e->start[row + 1]; k++) {
            for (int i = 0; i < 6; i++) x[6 * e->node[k] + i] = e->value[6 * k + i];
        }
        for (int i = 0; i < 6 * MOST_NODES; i++) size += x[i] * x[i];
        double left = size;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < rank; k++) {
                double dot = 0.0;
                for (int i = 0; i < 6 * MOST_NODES; i++) dot += x[i] * q[k][i];
                for (int i = 0; i < 6 * MOST_NODES; i++) x[i] -= dot * q[k][i];
            }
        }
        left = 0.0;
        for (int i = 0; i < 6 * MOST_NODES; i++) left += x[i] * x[i];
        if (left <= 1e-20 * size) continue;
        for (int i = 0; i < 6 * MOST_NODES; i++) x[i] /= sqrt(left);
        rank++;
    }
    return rank;
}

TEST(what_is_left_is_independent_and_says_everything)
{
    static example e;
    const tml_allocator memory = {0};
    dice d = {11};
    int implied = 0;
    double kept = 1.0;
    double dropped = 0.0;
    for (int k = 0; k < 60; k++) {
        bool is_implied[MOST_ROWS];
        rank_report report;
        random_example(&e, &d);
        CHECK(tml__rank_find(&e.of, 1e-10, 1e12, &memory, is_implied, &report) == TML_OK);
        const int rank = dense_rank(&e, NULL);
        CHECK(rank == e.of.row_count - report.implied);
        CHECK(dense_rank(&e, is_implied) == rank);
        implied += report.implied;
        kept = fmin(kept, report.kept);
        dropped = fmax(dropped, report.dropped);
    }
    printf("%d of the rows were implied; parts squared: kept %.1e, dropped %.1e\n", implied, kept,
           dropped);
    CHECK(implied > 60);
}

TEST(rows_that_do_not_count_imply_nothing)
{
    static example e;
    const tml_allocator memory = {0};
    dice d = {5};
    bool is_implied[MOST_ROWS];
    rank_report report;
    e = (example){0};
    add_group(&e, 0, -1, 1, &d);
    add_group(&e, 0, -1, 1, &d);
    memcpy(e.value + 6, e.value, 6 * sizeof(double));  // the same row twice
    close_example(&e, 1);
    CHECK(tml__rank_find(&e.of, 1e-10, 1e12, &memory, is_implied, &report) == TML_OK);
    CHECK(report.implied == 1);
    e.group[0] = -1;
    e.group[1] = 0;
    e.of.group_count = 1;
    CHECK(tml__rank_find(&e.of, 1e-10, 1e12, &memory, is_implied, &report) == TML_OK);
    CHECK(report.implied == 0 && !is_implied[0] && !is_implied[1]);
    // too much to do is said, not done
    CHECK(tml__rank_find(&e.of, 1e-10, 0.0, &memory, is_implied, &report) == TML_UNSUPPORTED);
}
