// test/method/affine/columns.h - the Newton matrix of an affine step, column by column, against differences.
#ifndef TRAMMEL_TEST_METHOD_AFFINE_COLUMNS_H
#define TRAMMEL_TEST_METHOD_AFFINE_COLUMNS_H

#include "method/affine/affine.h"
#include "test/difference.h"
#include "test/method/quaternion/scene.h"

// The end of the step moved along one of a body's a->width unknowns.
typedef void move_body(affine_body* b, int part, double amount);

static inline void residual_at(affine_system* a, const affine_stage* stage, double* out)
{
    maximal_system* s = a->s;
    tml__affine_evaluate(a, stage);
    memset(out, 0, (size_t)a->node_first[a->matrix_nodes] * sizeof *out);
    for (int i = 0; i < a->width * s->node_count; i++) {
        out[a->body_first[i / a->width] + i % a->width] = stage->beta * a->residual[i];
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] >= 0) out[a->row_first[row]] = s->C[row];
    }
}

// The unfactored entry of two unknowns.
static inline double entry_of(affine_system* a, int i, int k)
{
    int row = 0;
    int column = 0;
    while (a->node_first[row + 1] <= i) row++;
    while (a->node_first[column + 1] <= k) column++;
    const double* at = tml__block_at(a->matrix, row, column);
    const int stride = tml__block_stride(a->node_first[row + 1] - a->node_first[row]);
    if (at == NULL) return 0.0;
    return at[(k - a->node_first[column]) * stride + i - a->node_first[row]];
}

// The iterate moved along unknown k; true when it is a motion or the multiplier of a row that acts.
static inline bool move_along(affine_system* a, const affine_stage* stage, int k, double amount,
                              move_body* move)
{
    maximal_system* s = a->s;
    for (int n = 0; n < s->node_count; n++) {
        const int part = k - a->body_first[n];
        if (part < 0 || part >= a->width) continue;
        move(&a->body[n], part, amount);
        return true;
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] != k) continue;
        a->lambda[row] += amount / stage->beta;
        const int limit = row - s->first_limit;
        return limit < 0 || s->sides[limit] != LIMIT_OFF;
    }
    return false;
}

static inline void check_column(affine_system* a, const affine_stage* stage, int k, double* memory,
                                move_body* move)
{
    maximal_system* s = a->s;
    const int size = a->node_first[a->matrix_nodes];
    const size_t bodies = (size_t)s->node_count * sizeof(affine_body);
    const size_t rows = (size_t)s->row_count * sizeof(double);
    double* value[4] = {memory, memory + size, memory + 2 * size, memory + 3 * size};
    double* lambda = memory + 4 * size;
    affine_body* kept = malloc(bodies);
    const double step = 0x1p-10;
    const double amounts[4] = {step, -step, 0.5 * step, -0.5 * step};
    bool is_on = true;

    memcpy(kept, a->body, bodies);
    memcpy(lambda, a->lambda, rows);
    for (int side = 0; side < 4; side++) {
        is_on = move_along(a, stage, k, amounts[side], move);
        residual_at(a, stage, value[side]);
        memcpy(a->body, kept, bodies);
        memcpy(a->lambda, lambda, rows);
    }
    free(kept);
    slope column = {0};
    for (int i = 0; i < size; i++) {
        const double exact = entry_of(a, i, k);
        if (i == k && !is_on) {
            CHECK(exact == 1.0);  // a limit that nobody touches
            continue;
        }
        slope_add(&column, exact, (value[0][i] - value[1][i]) / (2.0 * step),
                  (value[2][i] - value[3][i]) / step);
    }
    char name[80];
    snprintf(name, sizeof name, "phi %g: column %d of %d", stage->phi, k, size);
    // as in test/method/quaternion/matrix.c: rounding of 100 N over the step, here through the nine dots of each damped
    // ball, too (4e-12 N by clang), and e^4 times fifth derivatives near gimbal lock
    CHECK_SLOPE(name, &column, 2e-9, 1e-7);
}

#endif
