// linalg/klu.c - the one wrapper of KLU: sparse LU with pivoting of the whole saddle matrix.
//
// The pattern is ordered once. Within a step each factorisation first reuses the pivots of the last
// one; when that lets the factor grow or its condition fall, the pivots are chosen again. KLU
// allocates with malloc, so the promise of a step without allocation does not hold for this engine.
#include "linalg/saddle.h"

#ifdef TRAMMEL_KLU

#include <klu.h>

#include <math.h>

typedef struct sparse {
    saddle matrix;
    double* slot;       // scaled value of each slot
    int* position;      // of each slot in `value`
    int* column_start;  // size + 1
    int* row;           // compressed columns, rows ascending
    double* value;      // the scaled matrix
    double rcond;       // of the last factorisation with free pivots
    bool is_forgotten;  // its pivots must not be used again
    klu_common common;
    klu_symbolic* symbolic;
    klu_numeric* numeric;
} sparse;

// A pivot this far below the largest one is looked at more closely,
static const double suspicious = 1e-9;
// and the matrix is singular when the estimated condition of the scaled matrix is beyond this:
// redundant rows give 1e16 and more, mass ratios of 1e8 at most 1e11 (test/linalg/kkt.c).
static const double singular_condition = 1e14;
// Entries may grow this much before reused pivots are dropped.
static const double growth_limit = 1e4;

static void destroy(kkt* k)
{
    sparse* s = k->state;
    if (s == NULL) return;

    if (s->numeric != NULL) klu_free_numeric(&s->numeric, &s->common);
    if (s->symbolic != NULL) klu_free_symbolic(&s->symbolic, &s->common);
    tml__saddle_destroy(&s->matrix, &k->allocator);
    tml__release(&k->allocator, s->slot);
    tml__release(&k->allocator, s->position);
    tml__release(&k->allocator, s->column_start);
    tml__release(&k->allocator, s->row);
    tml__release(&k->allocator, s->value);
    tml__release(&k->allocator, s);
    k->state = NULL;
}

// Slots sorted by row, stably: order[] lists them so. `start` is scratch, size + 1.
static void sort_by_row(const saddle* m, int* start, int* order)
{
    for (int i = 0; i <= m->size; i++) start[i] = 0;
    for (int j = 0; j < m->slot_count; j++) start[m->row[j] + 1]++;
    for (int i = 0; i < m->size; i++) start[i + 1] += start[i];
    for (int j = 0; j < m->slot_count; j++) order[start[m->row[j]]++] = j;
}

// Compressed columns of the slots; slots of the same place share a position.
// scratch: slot_count + size + 1 ints.
static void compress(sparse* s, int* order, int* next)
{
    const saddle* m = &s->matrix;

    sort_by_row(m, next, order);
    // how many slots a column has, then where its first one would go
    for (int i = 0; i <= m->size; i++) next[i] = 0;
    for (int j = 0; j < m->slot_count; j++) next[m->column[j] + 1]++;
    for (int i = 0; i < m->size; i++) next[i + 1] += next[i];
    for (int i = 0; i <= m->size; i++) s->column_start[i] = next[i];
    // rows come in ascending order, so a repeated place is the last one of its column
    for (int o = 0; o < m->slot_count; o++) {
        const int j = order[o];
        const int column = m->column[j];
        const int last = next[column] - 1;
        if (last >= s->column_start[column] && s->row[last] == m->row[j]) {
            s->position[j] = last;
        } else {
            s->row[next[column]] = m->row[j];
            s->position[j] = next[column]++;
        }
    }
    // close the gaps that repeated places left; order[] now maps old positions to new ones
    int count = 0;
    for (int i = 0; i < m->size; i++) {
        const int first = s->column_start[i];
        s->column_start[i] = count;
        for (int p = first; p < next[i]; p++) {
            s->row[count] = s->row[p];
            order[p] = count++;
        }
    }
    s->column_start[m->size] = count;
    for (int j = 0; j < m->slot_count; j++) s->position[j] = order[s->position[j]];
}

static tml_status build_pattern(sparse* s, const kkt* k, message* why)
{
    const size_t slots = (size_t)s->matrix.slot_count;
    const size_t columns = (size_t)s->matrix.size + 1;
    tml_status status = TML_OK;

    s->slot = tml__allocate(&k->allocator, slots, sizeof(double));
    s->value = tml__allocate(&k->allocator, slots, sizeof(double));
    s->position = tml__allocate(&k->allocator, slots, sizeof(int));
    s->row = tml__allocate(&k->allocator, slots, sizeof(int));
    s->column_start = tml__allocate(&k->allocator, columns, sizeof(int));
    int* order = tml__allocate(&k->allocator, slots, sizeof(int));
    int* next = tml__allocate(&k->allocator, columns, sizeof(int));
    if (s->slot && s->value && s->position && s->row && s->column_start && order && next) {
        compress(s, order, next);
    } else {
        status = tml__fail(why, TML_NO_MEMORY, "no memory for %zu entries of the matrix", slots);
    }
    tml__release(&k->allocator, order);
    tml__release(&k->allocator, next);
    return status;
}

static tml_status create(kkt* k, message* why)
{
    sparse* s = tml__allocate(&k->allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a sparse solver");
    k->state = s;

    tml_status status = tml__saddle_create(&s->matrix, k, why);
    if (status == TML_OK) status = build_pattern(s, k, why);
    if (status != TML_OK || s->matrix.size == 0) return status;

    klu_defaults(&s->common);
    s->common.tol =
        0.1;  // the diagonal only where it is not small: less growth, a little more fill
    s->common.scale = 0;             // scaled already
    s->common.halt_if_singular = 0;  // so that the pivots can be looked at
    s->symbolic = klu_analyze(s->matrix.size, s->column_start, s->row, &s->common);
    if (s->symbolic == NULL) {
        return tml__fail(why, TML_NO_MEMORY,
                         "KLU cannot analyse a matrix of %d unknowns (status %d)", s->matrix.size,
                         s->common.status);
    }
    return TML_OK;
}

static void assemble(sparse* s, const kkt* k)
{
    tml__saddle_values(&s->matrix, k, s->slot);
    for (int p = 0; p < s->column_start[s->matrix.size]; p++) s->value[p] = 0.0;
    for (int j = 0; j < s->matrix.slot_count; j++) s->value[s->position[j]] += s->slot[j];
}

// With the pivots of the last time; false when they have become bad.
static bool refactor(sparse* s)
{
    klu_common* c = &s->common;

    return s->numeric != NULL && !s->is_forgotten &&
           klu_refactor(s->column_start, s->row, s->value, s->symbolic, s->numeric, c) &&
           c->status == KLU_OK &&
           klu_rgrowth(s->column_start, s->row, s->value, s->symbolic, s->numeric, c) &&
           c->rgrowth > 1.0 / growth_limit && klu_rcond(s->symbolic, s->numeric, c) &&
           c->rcond > 1e-3 * s->rcond && c->rcond > suspicious;
}

static tml_status factor_freely(sparse* s)
{
    if (s->numeric != NULL) klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->column_start, s->row, s->value, s->symbolic, &s->common);
    s->is_forgotten = false;
    if (s->numeric == NULL) return TML_NO_MEMORY;

    const bool is_exactly_singular = s->common.status == KLU_SINGULAR;
    klu_rcond(s->symbolic, s->numeric, &s->common);
    s->rcond = s->common.rcond;
    if (is_exactly_singular) return TML_SINGULAR;
    if (s->rcond > suspicious) return TML_OK;

    klu_condest(s->column_start, s->value, s->symbolic, s->numeric, &s->common);
    return s->common.condest < singular_condition ? TML_OK : TML_SINGULAR;
}

// The column whose pivot is the first that is nothing but round-off. Later ones may be smaller
// still, or not numbers: dividing by the first has spoilt them.
static int first_lost_column(const sparse* s)
{
    const double* pivot = s->numeric->Udiag;
    double limit = 0.0;
    int first = 0;

    for (int i = 0; i < s->matrix.size; i++) {
        if (!(fabs(pivot[i]) > limit)) return s->symbolic->Q[i];
        if (limit < fabs(pivot[i]) / singular_condition)
            limit = fabs(pivot[i]) / singular_condition;
        if (fabs(pivot[i]) < fabs(pivot[first])) first = i;
    }
    return s->symbolic->Q[first];
}

static tml_status factor(kkt* k, int* bad_row)
{
    sparse* s = k->state;
    if (s->matrix.size == 0) return TML_OK;

    assemble(s, k);
    if (refactor(s)) return TML_OK;

    const tml_status status = factor_freely(s);
    if (status == TML_SINGULAR) {
        const int column = first_lost_column(s);
        if (column >= KKT_WIDTH * k->node_count) *bad_row = column - KKT_WIDTH * k->node_count;
    }
    if (status != TML_OK && s->numeric != NULL) klu_free_numeric(&s->numeric, &s->common);
    return status;
}

static void forget(kkt* k)
{
    sparse* s = k->state;
    s->is_forgotten = true;
}

static bool apply(sparse* s, kkt_side side, double* x)
{
    const int n = s->matrix.size;

    return side == KKT_PLAIN ? klu_solve(s->symbolic, s->numeric, n, 1, x, &s->common)
                             : klu_tsolve(s->symbolic, s->numeric, n, 1, x, &s->common);
}

// residual = b - (matrix or its transpose) x
static void find_residual(sparse* s, kkt_side side)
{
    const double* x = s->matrix.x;
    double* residual = s->matrix.residual;

    for (int i = 0; i < s->matrix.size; i++) residual[i] = s->matrix.b[i];
    for (int j = 0; j < s->matrix.size; j++) {
        for (int p = s->column_start[j]; p < s->column_start[j + 1]; p++) {
            if (side == KKT_PLAIN)
                residual[s->row[p]] -= s->value[p] * x[j];
            else
                residual[j] -= s->value[p] * x[s->row[p]];
        }
    }
}

static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    sparse* s = k->state;
    saddle* m = &s->matrix;
    if (m->size == 0) return TML_OK;

    tml__saddle_load(m, k, r, c);
    for (int i = 0; i < m->size; i++) m->x[i] = m->b[i];
    if (!apply(s, side, m->x)) return TML_NO_MEMORY;

    find_residual(s, side);
    if (!apply(s, side, m->residual)) return TML_NO_MEMORY;
    for (int i = 0; i < m->size; i++) m->x[i] += m->residual[i];
    return tml__saddle_store(m, k, dx, dl) ? TML_OK : TML_SINGULAR;
}

static kkt_statistics statistics(const kkt* k)
{
    const sparse* s = k->state;
    kkt_statistics out = {.unknowns = s->matrix.size, .passes = 2};

    if (s->numeric != NULL) {
        out.factor_entries = (long long)s->numeric->lnz + s->numeric->unz;
    } else if (s->symbolic != NULL) {
        out.factor_entries = (long long)(s->symbolic->lnz + s->symbolic->unz);
    }
    return out;
}

#else

static tml_status create(kkt* k, message* why)
{
    (void)k;
    return tml__fail(why, TML_UNSUPPORTED, "this build has no KLU (TRAMMEL_KLU is off)");
}

static void destroy(kkt* k) { (void)k; }

static tml_status factor(kkt* k, int* bad_row)
{
    (void)k;
    (void)bad_row;
    return TML_UNSUPPORTED;
}

static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    (void)k;
    (void)side;
    (void)r;
    (void)c;
    (void)dx;
    (void)dl;
    return TML_UNSUPPORTED;
}

static kkt_statistics statistics(const kkt* k)
{
    (void)k;
    return (kkt_statistics){0};
}

static void forget(kkt* k) { (void)k; }

#endif

const kkt_engine tml__kkt_klu = {.create = create,
                                 .destroy = destroy,
                                 .factor = factor,
                                 .solve = solve,
                                 .statistics = statistics,
                                 .forget = forget};
