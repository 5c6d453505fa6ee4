// linalg/fronts_numeric.c - factorisation and solves by fronts, once for each instruction set.
//
// A front adds up its blocks of the matrix and what its children left, eliminates its own nodes by
// strips of 24 columns, and leaves the rest to its parent.
#include "linalg/fronts_kernels.h"

// ---- one strip

// x <- (I + L)^-1 x for columns of a strip's rows.
KERNEL void substitute(const double* low, int width, double* x, size_t ld, int columns,
                       block_isa isa)
{
    const int rows = padded(width);
    for (int c = 0; c < columns; c += NODE, x += NODE * ld) {
        for (int k = 0; k + NODE < width; k += NODE) {
            const int start = (k + NODE) / PAD * PAD;
            subtract_nine(x + start, ld, low + k * STRIP + start, STRIP, start - k, rows - start,
                          isa);
        }
    }
}

KERNEL int factor_strip(fronts* f, const front* at, int first, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const int own = NODE * at->own;
    const int width = own - first < STRIP ? own - first : STRIP;
    const int next = first + padded(width);  // the first row below the strip
    double* panel = f->factor + at->panel;
    double* right = f->factor + at->right;
    double* strip = panel + (size_t)first * ld;
    double* low = f->vector;
    double* pack = low + STRIP_SIZE;
    const int position = at->first + first / NODE;
    const int bad = factor_square(f, strip + first, ld, position, width, low, isa);
    if (bad >= 0) return bad;

    for (int k = 0; k < width; k += NODE) {
        double* column = strip + (size_t)k * ld;
        const product p = {
            column + next, strip + next, column + first, ld,   ld, ld, (int)ld - next, k,
            NODE,          pack,         false,          false};
        subtract_product(&p, isa);
        times_inverse(column + next, ld, f->inverse + NODE_SIZE * (size_t)(position + k / NODE),
                      (int)ld - next, isa);
    }
    if (first + width < own) {
        double* rest = strip + (size_t)width * ld;
        substitute(low, width, rest + first, ld, own - first - width, isa);
        const product p = {rest + next,    strip + next, rest + first,        ld,   ld,    ld,
                           (int)ld - next, width,        own - first - width, pack, false, false};
        subtract_product(&p, isa);
    }
    const size_t wide = (size_t)at->own_rows;
    substitute(low, width, right + first, wide, NODE * at->below, isa);
    const product p = {right + next,        strip + next, right + first,    wide, ld,    wide,
                       at->own_rows - next, width,        NODE * at->below, pack, false, false};
    subtract_product(&p, isa);
    return -1;
}

// ---- one front

// Where rows and columns of what a child left go: some runs of rows, a few nodes' columns.
typedef struct spread {
    double* to;      // row and column 0
    size_t ldto;     //
    int first_node;  // of the child's nodes below
    int last_node;
    int first_run;
    int last_run;
    int above;  // row of the parent that `to` begins with, and
    int left;   // place
} spread;

KERNEL void add_spread(const fronts* f, const front* child, const spread* s, block_isa isa)
{
    const size_t ld = (size_t)child->below_rows;
    for (int k = s->first_node; k < s->last_node; k++) {
        const double* from = f->scratch + child->rest + (size_t)(NODE * k) * ld;
        double* to = s->to + (size_t)(NODE * (f->map[child->map_at + k] - s->left)) * s->ldto;
        for (int r = s->first_run; r < s->last_run; r++) {
            const front_run* run = &f->runs[child->run_at + r];
            add_run(to + (run->to - s->above), s->ldto, from + run->from, ld, run->count, isa);
        }
    }
}

// What a child left of the nodes that are eliminated here: columns of the panel, rows right of it.
KERNEL void add_child(const fronts* f, const front* at, const front* child, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const spread panel = {f->factor + at->panel, ld, 0, child->taken, 0, child->runs, 0, 0};
    const spread right = {f->factor + at->right,
                          (size_t)at->own_rows,
                          child->taken,
                          child->below,
                          0,
                          child->runs_taken,
                          0,
                          at->own};
    add_spread(f, child, &panel, isa);
    add_spread(f, child, &right, isa);
}

// And of those further on.
KERNEL void pass_child(const fronts* f, const front* at, const front* child, block_isa isa)
{
    const spread rest = {f->scratch + at->rest, (size_t)at->below_rows,
                         child->taken,          child->below,
                         child->runs_taken,     child->runs,
                         at->own_rows,          at->own};
    add_spread(f, child, &rest, isa);
}

KERNEL int factor_some(fronts* f, int first_front, int last_front, double shift, block_isa isa)
{
    for (int k = first_front; k < last_front; k++) {
        const front* at = &f->all[k];
        load_front(f, at, shift);
        for (int c = at->child; c >= 0; c = f->all[c].next) add_child(f, at, &f->all[c], isa);
        for (int first = 0; first < NODE * at->own; first += STRIP) {
            const int bad = factor_strip(f, at, first, isa);
            if (bad >= 0) return bad;
        }
        const size_t ld = (size_t)(at->own_rows + at->below_rows);
        const product p = {f->scratch + at->rest,
                           f->factor + at->panel + at->own_rows,
                           f->factor + at->right,
                           (size_t)at->below_rows,
                           ld,
                           (size_t)at->own_rows,
                           at->below_rows,
                           NODE * at->own,
                           NODE * at->below,
                           f->vector + STRIP_SIZE,
                           false,
                           true};
        subtract_product(&p, isa);
        for (int c = at->child; c >= 0; c = f->all[c].next) pass_child(f, at, &f->all[c], isa);
    }
    return -1;
}

// ---- solves, by positions

KERNEL void backward(const fronts* f, const front* at, double* x, double* local, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const size_t wide = (size_t)at->own_rows;
    const double* panel = f->factor + at->panel;
    const double* right = f->factor + at->right;
    double* own = x + (size_t)NODE * (size_t)at->first;
    memset(local, 0, wide * sizeof(double));
    memcpy(local, own, (size_t)(NODE * at->own) * sizeof(double));
    subtract_places(local, right, wide, x, f->below + at->rows_at, at->below, at->own_rows, isa);
    for (int k = at->own - 1; k >= 0; k--) {
        const double* i = f->inverse + (size_t)NODE_SIZE * (size_t)(at->first + k);
        double* z = local + NODE * k;
        const double y[NODE] = {z[0], z[1], z[2]};
        for (int r = 0; r < NODE; r++) z[r] = (i[r] * y[0] + i[3 + r] * y[1]) + i[6 + r] * y[2];
        subtract_three_from(local, panel + (size_t)(NODE * k) * ld, ld, z, 0, NODE * k, isa);
    }
    memcpy(own, local, (size_t)(NODE * at->own) * sizeof(double));
}

KERNEL void solve_all(fronts* f, double* x, block_isa isa)
{
    double* local = f->vector + STRIP_SIZE + PACK_SIZE;
    gather(f, x);
    for (int k = 0; k < f->front_count; k++) forward(f, &f->all[k], f->x, local, isa);
    for (int k = f->front_count - 1; k >= 0; k--) backward(f, &f->all[k], f->x, local, isa);
    scatter(f, x);
}

FRONTS_FOR_EACH_SET(tml__fronts_kernels, factor_some, solve_all)
