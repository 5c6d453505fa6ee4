// solve/lcp.c - islands of a complementarity problem, and the order in which they are solved.
#include "solve/lcp.h"

#include "base/memory.h"
#include "base/sets.h"
#include "solve/lcp_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char* const method_names[LCP_METHODS] = {
    "previous labels", "sweeps",          "pivoting",        "Lemke's method",
    "Newton's method", "interior points", "proximal points", "sweeps alone"};

enum {
    BLOCKS = 3,
    FIRST_SWEEPS = 20,  // of a large island, before anything dearer
    PACKED_PER_ROW = 8  // doubles beside twice the entries: rows that are laid out for sweeps
};

// Doubles that each factor of an island may take: half a gigabyte.
#define MOST_PROFILE ((size_t)1 << 26)

struct lcp {
    int max_rows;
    int full_rows;  // an island of more has no full matrix
    int max_lemke_rows;
    bool is_lifted;
    lcp_room room;
    tml_allocator allocator;
    lcp_island island;
    int* parent;   // max_rows: sets of coupled rows
    int* order;    // max_rows: rows, island by island
    int* owner;    // room.columns: the first row that moves each column, -1: none yet
    double* wide;  // room.columns, zero between calls
    // results until every island is solved
    double* f;
    double* w;
    unsigned char* label;
    unsigned char* is_independent;
    void* blocks[BLOCKS];  // one for each type, and those of lifted problems
};

// ---- life

// Pieces of one block; with no block they only count.
typedef struct cutter {
    unsigned char* at;
    size_t size;
} cutter;

static void* cut(cutter* c, size_t count, size_t size)
{
    const size_t aligned = (count * size + 15) / 16 * 16;
    void* p = c->at != NULL ? c->at + c->size : NULL;
    c->size += aligned;
    return p;
}

static void cut_rows(lcp* s, cutter* c)
{
    lcp_island* p = &s->island;
    const size_t n = (size_t)s->max_rows;
    double** lists[] = {&p->b,    &p->f,     &p->w,    &p->side,  &p->part,
                        &p->tau,  &p->spare, &p->base, &p->guess, &p->best,
                        &p->good, &s->f,     &s->w,    &p->creep, &p->creeping};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        *lists[k] = cut(c, n, sizeof(double));
    }
    p->proximal = cut(c, 9 * n, sizeof(double));
    p->rows = cut(c, n, sizeof *p->rows);
    p->held = cut(c, 2 * n, sizeof(int));
    p->pivot = cut(c, n, sizeof(int));
    s->parent = cut(c, n, sizeof(int));
    s->order = cut(c, n, sizeof(int));
    p->lemke_list = cut(c, 5 * n, sizeof(int));
    p->label = cut(c, n, 1);
    p->is_independent = cut(c, n, 1);
    p->kept_label = cut(c, n, 1);
    p->round_label = cut(c, n, 1);
    p->best_label = cut(c, 2 * n, 1);
    s->label = cut(c, n, 1);
    s->is_independent = cut(c, n, 1);
}

static void cut_matrices(lcp* s, cutter* c)
{
    lcp_island* p = &s->island;
    const size_t n = (size_t)s->full_rows;
    const size_t lemke = tml__lcp_lemke_size(s->max_lemke_rows);
    p->A = cut(c, n * n, sizeof(double));
    p->matrix = cut(c, n * n, sizeof(double));
    p->copy = cut(c, n * n, sizeof(double));
    p->tableau = cut(c, lemke > n * n ? lemke : n * n, sizeof(double));
}

static void cut_lifted(lcp* s, cutter* c)
{
    lcp_island* p = &s->island;
    const size_t columns = (size_t)s->room.columns;
    const size_t rows = (size_t)s->max_rows;
    const size_t full = s->room.is_swept ? 0 : columns * (columns + 1) / 2;
    p->profile_limit = full < MOST_PROFILE ? full : MOST_PROFILE;
    s->owner = cut(c, columns, sizeof(int));
    s->wide = cut(c, columns, sizeof(double));
    p->start = cut(c, rows + 1, sizeof *p->start);
    p->column = cut(c, s->room.entries, sizeof(int));
    p->y = cut(c, s->room.entries, sizeof(double));
    p->give = cut(c, rows, sizeof(double));
    p->blocks = cut(c, rows, sizeof *p->blocks);
    p->moving = cut(c, rows, sizeof *p->moving);
    p->group = cut(c, s->room.entries, sizeof(int));
    p->spot = cut(c, columns, sizeof(int));
    p->packed_room = 2 * s->room.entries + PACKED_PER_ROW * rows;
    p->packed = cut(c, p->packed_room, sizeof(double));
    p->u = cut(c, LCP_SPACING * columns + LCP_SPACING, sizeof(double));
    p->u_size = cut(c, columns, sizeof(double));
    p->newton = cut(c, 4 * columns, sizeof(double));
    p->touch_start = cut(c, columns + 1, sizeof *p->touch_start);
    p->touch = cut(c, s->room.entries, sizeof(int));
    p->place = cut(c, columns, sizeof(int));
    p->rank_order = cut(c, columns, sizeof(int));
    p->row_seen = cut(c, rows, 1);
    p->first = cut(c, columns, sizeof(int));
    p->profile_row = cut(c, columns, sizeof *p->profile_row);
    if (s->max_rows > s->full_rows) {
        p->profile = cut(c, p->profile_limit, sizeof(double));
        p->profile_upper = cut(c, p->profile_limit, sizeof(double));
    }
}

static tml_status reserve(lcp* s)
{
    static void (*const parts[BLOCKS])(lcp*, cutter*) = {cut_rows, cut_matrices, cut_lifted};
    for (int k = 0; k < BLOCKS; k++) {
        cutter c = {NULL, 0};
        if (parts[k] == cut_lifted && !s->is_lifted) continue;
        parts[k](s, &c);
        s->blocks[k] = tml__allocate(&s->allocator, c.size, 1);
        if (s->blocks[k] == NULL) return TML_NO_MEMORY;
        c = (cutter){s->blocks[k], 0};
        parts[k](s, &c);
    }
    s->island.max_lemke_rows = s->max_lemke_rows;
    return TML_OK;
}

static tml_status create(const lcp_room* room, bool is_lifted, const tml_allocator* allocator,
                         message* why, lcp** out)
{
    *out = NULL;
    const int most = is_lifted ? 1000000 : 20000;
    if (room->rows < 0 || room->rows > most || room->columns < 0 || room->lemke_rows < 0 ||
        room->lemke_rows > 2000) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "room for %d contact rows (%d for Lemke's method) was asked for; at most "
                         "%d (2000) are possible",
                         room->rows, room->lemke_rows, most);
    }
    lcp* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    if (allocator != NULL) s->allocator = *allocator;
    s->room = *room;
    s->is_lifted = is_lifted;
    s->max_rows = room->rows;
    s->full_rows = is_lifted && room->rows > LCP_FULL_ROWS ? LCP_FULL_ROWS : room->rows;
    if (room->is_swept && s->full_rows > LCP_SWEPT_ROWS) s->full_rows = LCP_SWEPT_ROWS;
    s->max_lemke_rows = room->lemke_rows < s->full_rows ? room->lemke_rows : s->full_rows;
    if (reserve(s) != TML_OK) {
        tml__lcp_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory for %d contact rows", room->rows);
    }
    *out = s;
    return TML_OK;
}

tml_status tml__lcp_create(int max_rows, int max_lemke_rows, const tml_allocator* allocator,
                           message* why, lcp** out)
{
    const lcp_room room = {.rows = max_rows, .lemke_rows = max_lemke_rows};
    return create(&room, false, allocator, why, out);
}

tml_status tml__lcp_create_lifted(const lcp_room* room, const tml_allocator* allocator,
                                  message* why, lcp** out)
{
    return create(room, true, allocator, why, out);
}

void tml__lcp_destroy(lcp* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    for (int k = 0; k < BLOCKS; k++) tml__release(&allocator, s->blocks[k]);
    tml__release(&allocator, s);
}

// ---- checks

static tml_status check_row(const lcp_problem* problem, int i, message* why)
{
    const lcp_row* row = &problem->rows[i];
    switch (row->kind) {
    case LCP_FREE:
    case LCP_UNILATERAL: return TML_OK;
    case LCP_BOX:
        if (isfinite(row->lower) && isfinite(row->upper) && row->lower <= 0.0 &&
            row->upper >= 0.0) {
            return TML_OK;
        }
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "row %d: the bounds %g and %g are not finite or do not enclose 0", i,
                         row->lower, row->upper);
    case LCP_FRICTION:
        if (row->normal < 0 || row->normal >= problem->count ||
            problem->rows[row->normal].kind != LCP_UNILATERAL) {
            return tml__fail(why, TML_BAD_ARGUMENT, "row %d: %d is not the row of a normal force",
                             i, row->normal);
        }
        if (isfinite(row->mu) && row->mu >= 0.0) return TML_OK;
        return tml__fail(why, TML_BAD_ARGUMENT, "row %d: friction %g", i, row->mu);
    }
    return tml__fail(why, TML_BAD_ARGUMENT, "row %d: unknown kind %d", i, (int)row->kind);
}

// The row of Y that is row i of the problem.
static int picked(const lcp_lifted* l, int i) { return l->pick != NULL ? l->pick[i] : i; }

static size_t entries_of(const lcp_problem* problem)
{
    const lcp_lifted* l = problem->lifted;
    if (l->pick == NULL) return l->start[problem->count];
    size_t entries = 0;
    for (int i = 0; i < problem->count; i++) {
        entries += l->start[l->pick[i] + 1] - l->start[l->pick[i]];
    }
    return entries;
}

// Is there a number among them that is none? Zero times it is none either, and a sum keeps it; four sums
// need not wait for each other.
static bool are_finite(const double* y, size_t count)
{
    double nothing[4] = {0.0, 0.0, 0.0, 0.0};
    size_t e = 0;
    for (; e + 4 <= count; e += 4) {
        for (size_t k = 0; k < 4; k++) nothing[k] += 0.0 * y[e + k];
    }
    for (; e < count; e++) nothing[0] += 0.0 * y[e];
    return isfinite((nothing[0] + nothing[1]) + (nothing[2] + nothing[3]));
}

static bool are_inside(const int* column, size_t count, int columns)
{
    unsigned outside = 0;
    for (size_t e = 0; e < count; e++) outside |= (unsigned)column[e] >= (unsigned)columns;
    return outside == 0;
}

// Are all rows of Y sound, looked at in one go? Where they are not, somebody looks which one.
static bool are_all_sound(const lcp_problem* problem)
{
    const lcp_lifted* l = problem->lifted;
    if (l == NULL) return false;
    if (l->pick != NULL) return false;
    const size_t entries = l->start[problem->count];
    return are_finite(l->y, entries) && are_inside(l->column, entries, l->columns);
}

// The entries of row i of A or Y, and its diagonal.
static bool is_sound(const lcp_problem* problem, int i, bool is_known, double* diagonal)
{
    bool is_finite = isfinite(problem->b[i]);
    const lcp_lifted* l = problem->lifted;
    if (l == NULL) {
        const double* row = &problem->A[i * problem->ld];
        for (int j = 0; j < problem->count; j++) is_finite = is_finite && isfinite(row[j]);
        *diagonal = row[i];
        return is_finite;
    }
    const int row = picked(l, i);
    const size_t first = l->start[row];
    const size_t width = l->start[row + 1] - first;
    *diagonal = l->give[row];
    is_finite = is_finite && isfinite(l->give[row]);
    if (is_known || row < l->checked) return is_finite;
    return is_finite && are_finite(&l->y[first], width) &&
           are_inside(&l->column[first], width, l->columns);
}

static tml_status check(const lcp* s, const lcp_problem* problem, message* why)
{
    const lcp_lifted* l = problem->lifted;
    if (problem->count < 0 || problem->count > s->max_rows) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "%d contact rows, but room was reserved for %d", problem->count,
                         s->max_rows);
    }
    if (s->is_lifted != (l != NULL)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "room was made for %s, the problem comes with the other",
                         s->is_lifted ? "rows over columns" : "a full matrix");
    }
    if (problem->sweeps < 0 || s->room.is_swept != (problem->sweeps > 0)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "room was made for %s, the problem asks for %d",
                         s->room.is_swept ? "sweeps" : "exact solves", problem->sweeps);
    }
    if (l != NULL && (l->columns > s->room.columns || entries_of(problem) > s->room.entries)) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "contact rows of %zu entries over %d columns, but room was reserved for "
                         "%zu and %d",
                         entries_of(problem), l->columns, s->room.entries, s->room.columns);
    }
    const bool is_known = are_all_sound(problem);
    for (int i = 0; i < problem->count; i++) {
        const tml_status status = check_row(problem, i, why);
        if (status != TML_OK) return status;
        double diagonal = 0.0;
        if (!is_sound(problem, i, is_known, &diagonal) || diagonal < 0.0) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "row %d: its numbers are not finite or its diagonal is negative (%g)",
                             i, diagonal);
        }
    }
    return TML_OK;
}

// ---- islands

static bool have_same_columns(const lcp_lifted* l, int a, int b)
{
    const size_t width = l->start[a + 1] - l->start[a];
    return l->start[b + 1] - l->start[b] == width &&
           memcmp(l->column + l->start[a], l->column + l->start[b], width * sizeof *l->column) == 0;
}

static bool moves_anything(const lcp_lifted* l, int row)
{
    for (size_t e = l->start[row]; e < l->start[row + 1]; e++) {
        if (l->y[e] != 0.0) return true;
    }
    return false;
}

// Is row i friction of the normal row `whole`, right behind it?
static bool follows(const lcp_problem* problem, int i, int whole)
{
    return problem->rows[i].kind == LCP_FRICTION && problem->rows[i].normal == whole &&
           i <= whole + 2;
}

static void join_by_columns(lcp* s, const lcp_problem* problem)
{
    const lcp_lifted* l = problem->lifted;
    const int* column = l->column;
    const double* y = l->y;
    int* owners = s->owner;
    int whole =
        -1;  // the last row that moves all of its columns: the same ones are joined through it
    for (int c = 0; c < l->columns; c++) owners[c] = -1;
    for (int i = 0; i < problem->count; i++) {
        // friction belongs to the island of its normal anyway, which moves all that it moves
        if (l->is_together && whole >= 0 && follows(problem, i, whole)) continue;
        const int row = picked(l, i);
        const size_t end = l->start[row + 1];
        if (whole >= 0 && have_same_columns(l, row, picked(l, whole))) {
            if (moves_anything(l, row)) sets_join(s->parent, i, whole);
            continue;
        }
        bool is_whole = true;
        int last = -1;  // columns of one mechanism have one owner: it is joined once
        for (size_t e = l->start[row]; e < end; e++) {
            int* owner = &owners[column[e]];
            const bool is_known = *owner >= 0 && *owner == last;
            is_whole = is_whole && y[e] != 0.0;
            if (is_known || y[e] == 0.0) continue;
            if (*owner < 0) *owner = i;
            sets_join(s->parent, i, *owner);
            last = *owner;
        }
        if (is_whole && end > l->start[row]) whole = i;
    }
}

static void find_islands(lcp* s, const lcp_problem* problem)
{
    const int n = problem->count;
    sets_clear(s->parent, n);
    if (problem->lifted != NULL) join_by_columns(s, problem);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i && problem->lifted == NULL; j++) {
            const double a = problem->A[i * problem->ld + j];
            if (a < 0.0 || a > 0.0) sets_join(s->parent, i, j);
        }
        if (problem->rows[i].kind == LCP_FRICTION) sets_join(s->parent, i, problem->rows[i].normal);
    }
}

// Rows in the order of their islands: s->order lists them, an island's one after the other.
static void sort_rows(lcp* s, int count)
{
    int* next = s->island.lemke_list;  // free between islands
    memset(next, 0, (size_t)count * sizeof *next);
    for (int i = 0; i < count; i++) {
        s->parent[i] = sets_root(s->parent, i);
        next[s->parent[i]]++;
    }
    int end = 0;
    for (int i = 0; i < count; i++) {
        const int size = next[i];
        next[i] = end;
        end += size;
    }
    for (int i = 0; i < count; i++) s->order[next[s->parent[i]]++] = i;
}

void tml__lcp_sum_islands(lcp* s, const lcp_problem* problem, double* x)
{
    find_islands(s, problem);
    // the root is the smallest row: every other one adds to it before the sums are handed out
    for (int i = 0; i < problem->count; i++) {
        const int root = sets_root(s->parent, i);
        if (root != i) x[root] += x[i];
    }
    for (int i = 0; i < problem->count; i++) x[i] = x[sets_root(s->parent, i)];
}

static void gather_full(lcp_island* p, const lcp_problem* problem)
{
    for (int i = 0; i < p->n; i++) {
        const double* row = &problem->A[p->global[i] * problem->ld];
        double* to = &p->A[(size_t)i * (size_t)p->n];
        for (int j = 0; j < p->n; j++) to[j] = row[p->global[j]];
    }
}

// A full matrix from rows over columns.
static void multiply_out(lcp* s, const lcp_lifted* l)
{
    lcp_island* p = &s->island;
    for (int k = 0; k < p->n; k++) {
        const int g = picked(l, p->global[k]);
        for (size_t e = l->start[g]; e < l->start[g + 1]; e++) s->wide[l->column[e]] = l->y[e];
        for (int i = k; i < p->n; i++) {
            const int h = picked(l, p->global[i]);
            double sum = i == k ? l->give[g] : 0.0;
            for (size_t e = l->start[h]; e < l->start[h + 1]; e++) {
                sum += l->y[e] * s->wide[l->column[e]];
            }
            p->A[(size_t)i * (size_t)p->n + (size_t)k] = sum;
            p->A[(size_t)k * (size_t)p->n + (size_t)i] = sum;
        }
        for (size_t e = l->start[g]; e < l->start[g + 1]; e++) s->wide[l->column[e]] = 0.0;
    }
}

static bool is_zero(double x) { return !(x < 0.0 || x > 0.0); }

// Does entry k of row i of the island move anything, or of a row next to it with the same columns? Rows of
// a contact keep one list of columns, so that they can be taken together.
static bool is_wanted(const lcp_island* p, const lcp_lifted* l, int i, size_t k)
{
    const int row = picked(l, p->global[i]);
    if (!is_zero(l->y[l->start[row] + k])) return true;
    const int normal = p->rows[i].kind == LCP_FRICTION ? p->rows[i].normal : i;
    const size_t width = l->start[row + 1] - l->start[row];
    const int column = l->column[l->start[row] + k];
    for (int j = normal; j < p->n && j <= normal + 2; j++) {
        const int g = picked(l, p->global[j]);
        if (j != normal && (p->rows[j].kind != LCP_FRICTION || p->rows[j].normal != normal)) break;
        const size_t e = l->start[g] + k;
        if (l->start[g + 1] - l->start[g] != width || l->column[e] != column) continue;
        if (!is_zero(l->y[e])) return true;
    }
    return false;
}

// Rows that are only swept stay where they are: the layout of the sweeps is made of them.
static void lend_rows(lcp* s, const lcp_lifted* l)
{
    lcp_island* p = &s->island;
    for (int i = 0; i < p->n; i++) p->give[i] = l->give[picked(l, p->global[i])];
    p->source = l;
    p->local = s->owner;
    for (int c = 0; c < l->columns && l->place == NULL; c++) p->local[c] = -1;
}

// The rows themselves, over the columns that the island moves. False: no room for their profile.
static bool gather_lifted(lcp* s, const lcp_lifted* l)
{
    lcp_island* p = &s->island;
    size_t end = 0;
    int* local = s->owner;
    int columns = 0;
    p->source = NULL;
    for (int c = 0; c < l->columns; c++) local[c] = -1;
    for (int i = 0; i < p->n; i++) {
        const int g = picked(l, p->global[i]);
        p->start[i] = end;
        p->give[i] = l->give[g];
        for (size_t e = l->start[g]; e < l->start[g + 1]; e++) {
            const int c = l->column[e];
            if (!is_wanted(p, l, i, e - l->start[g])) continue;
            if (local[c] < 0) local[c] = columns++;
            p->column[end] = local[c];
            p->y[end++] = l->y[e];
        }
    }
    p->columns = columns;
    p->start[p->n] = end;
    return tml__lcp_number_columns(p);
}

// Copy the rows of an island, listed in p->global.
static bool gather(lcp* s, const lcp_problem* problem, const unsigned char* labels)
{
    lcp_island* p = &s->island;
    int* place = p->lemke_list + s->max_rows;
    for (int i = 0; i < p->n; i++) place[p->global[i]] = i;
    for (int i = 0; i < p->n; i++) {
        const int g = p->global[i];
        p->b[i] = problem->b[g];
        p->rows[i] = problem->rows[g];
        if (p->rows[i].kind == LCP_FRICTION) p->rows[i].normal = place[p->rows[i].normal];
        p->label[i] = labels[g];
        p->guess[i] = problem->guess != NULL ? problem->guess[g] : 0.0;
        p->creep[i] = problem->creep != NULL ? problem->creep[g] : 0.0;
        p->creeping[i] = 0.0;
    }
    p->has_guess = problem->guess != NULL;
    p->dependence = problem->dependence;
    p->is_lifted = p->n > s->full_rows;
    if (p->is_lifted && s->room.is_swept) {
        lend_rows(s, problem->lifted);
        return true;
    }
    if (p->is_lifted) return gather_lifted(s, problem->lifted);
    if (problem->lifted != NULL) {
        multiply_out(s, problem->lifted);
    } else {
        gather_full(p, problem);
    }
    return true;
}

// Make the caller's labels fit the kinds of the rows; false when none of them says anything. A
// contact that is new beside known ones holds when it would otherwise close.
static bool complete_labels(lcp_island* p)
{
    bool is_known = false;
    for (int i = 0; i < p->n; i++) {
        unsigned char* label = &p->label[i];
        const lcp_kind kind = p->rows[i].kind;
        const bool is_bound = *label == LCP_LOWER || *label == LCP_UPPER;
        const bool fits = *label == LCP_HELD ||
                          (*label == LCP_OFF && kind != LCP_BOX && kind != LCP_FREE) ||
                          (is_bound && (kind == LCP_BOX || kind == LCP_FRICTION));
        if (fits && kind != LCP_FREE) is_known = true;
        if (kind == LCP_FREE || (!fits && kind != LCP_UNILATERAL)) {
            *label = LCP_HELD;
        } else if (!fits) {
            *label = p->b[i] < 0.0 ? LCP_HELD : LCP_OFF;
        }
    }
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind != LCP_FRICTION) continue;
        if (lcp_normal_is_off(p, i)) {
            p->label[i] = LCP_OFF;
        } else if (p->label[i] == LCP_OFF) {
            p->label[i] = LCP_HELD;
        }
    }
    return is_known;
}

static bool try_labels(lcp_island* p, lcp_report* report)
{
    tml__lcp_exact(p);
    report->pivots++;
    return tml__lcp_verify(p);
}

// The last resort, which also says what is left where no labels stand the test.
static lcp_method solve_by_rounds(lcp_island* p, lcp_report* report)
{
    if (tml__lcp_proximal(p, false, &report->pivots)) return LCP_BY_PROXIMAL;
    if (!(p->residual <= LCP_UNPOLISHED)) return LCP_METHODS;
    report->unpolished++;
    return LCP_BY_PROXIMAL;
}

// Forces near an answer by an interior point, then the answer itself. Wider starts lead elsewhere.
static bool solve_from_inside(lcp_island* p, lcp_report* report)
{
    static const double widths[] = {10.0, 1000.0, 1.0};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        tml__lcp_relax(p, FIRST_SWEEPS);
        tml__lcp_interior(p, widths[k], &report->pivots);
        if (tml__lcp_newton(p, 2, &report->pivots)) return true;
        if (tml__lcp_proximal(p, true, &report->pivots)) return true;
    }
    return false;
}

// Labels and forces of the step before come first.
static lcp_method solve_large(lcp_island* p, lcp_report* report)
{
    if (complete_labels(p)) {
        memcpy(p->base, p->guess, (size_t)p->n * sizeof *p->base);
        p->has_base = p->has_guess;
        const bool is_solved = try_labels(p, report);
        p->has_base = false;
        if (is_solved) return LCP_BY_PREVIOUS;
    }
    tml__lcp_relax(p, FIRST_SWEEPS);
    if (tml__lcp_newton(p, 6, &report->pivots)) return LCP_BY_NEWTON;
    if (solve_from_inside(p, report)) return LCP_BY_INTERIOR;
    return solve_by_rounds(p, report);
}

// As good as so many sweeps make it.
static lcp_method solve_roughly(lcp_island* p, int sweeps, lcp_report* report)
{
    tml__lcp_relax(p, sweeps);
    report->unpolished += tml__lcp_verify(p) ? 0 : 1;
    return LCP_BY_RELAXATION;
}

// Which method solved the island; LCP_METHODS: none.
static lcp_method solve_island(lcp_island* p, int sweeps, lcp_report* report)
{
    if (p->is_lifted && sweeps > 0) return solve_roughly(p, sweeps, report);
    if (p->is_lifted) return solve_large(p, report);
    if (complete_labels(p)) {
        memcpy(p->base, p->guess, (size_t)p->n * sizeof *p->base);
        if (try_labels(p, report)) return LCP_BY_PREVIOUS;
    }
    tml__lcp_sweep(p);
    if (try_labels(p, report)) return LCP_BY_SWEEPS;
    const int exchanges = p->dependence > 0.0 ? LCP_EXCHANGES_NEAR : LCP_EXCHANGES;
    if (tml__lcp_pivot(p, exchanges, &report->pivots)) return LCP_BY_PIVOTING;
    if (tml__lcp_lemke(p)) {
        if (try_labels(p, report) || tml__lcp_pivot(p, LCP_EXCHANGES, &report->pivots))
            return LCP_BY_LEMKE;
    }
    tml__lcp_sweep(p);
    return solve_by_rounds(p, report);
}

static void count_ties(const lcp_island* p, lcp_report* report)
{
    for (int i = 0; i < p->n; i++) {
        const bool is_normal = p->rows[i].kind == LCP_UNILATERAL;
        const bool is_tied = is_normal && fabs(p->w[i]) <= LCP_TOLERANCE * p->velocity_scale &&
                             fabs(p->f[i]) <= LCP_TOLERANCE * p->force_scale;
        report->tied_rows += is_tied ? 1 : 0;
    }
}

static void keep_island(lcp* s, lcp_report* report)
{
    const lcp_island* p = &s->island;
    report->dependent_rows += p->held_count - p->rank;
    if (p->kept_pivot < report->kept_pivot) report->kept_pivot = p->kept_pivot;
    if (p->dropped_pivot > report->dropped_pivot) report->dropped_pivot = p->dropped_pivot;
    count_ties(p, report);
    if (p->worst >= 0 && p->residual > report->residual) {
        report->residual = p->residual;
        report->worst_row = p->global[p->worst];
    }
    for (int i = 0; i < p->n; i++) {
        const int g = p->global[i];
        s->f[g] = p->f[i];
        s->w[g] = p->w[i];
        s->label[g] = p->label[i];
        s->is_independent[g] = p->is_independent[i];
    }
}

static tml_status fail_island(const lcp_island* p, lcp_report* report, message* why)
{
    const int worst = p->worst >= 0 ? p->global[p->worst] : -1;
    report->residual = p->residual;
    report->worst_row = worst;
    return tml__fail(why, TML_NOT_CONVERGED,
                     "no forces satisfy the %d contact rows that start with row %d: %s, %s, %s%s "
                     "were tried; the last left a residual of %.3g in row %d",
                     p->n, p->global[0], method_names[LCP_BY_PREVIOUS], method_names[LCP_BY_SWEEPS],
                     method_names[LCP_BY_PIVOTING],
                     p->n <= p->max_lemke_rows ? " and Lemke's method" : "", p->residual, worst);
}

tml_status tml__lcp_solve(lcp* s, const lcp_problem* problem, unsigned char* labels, double* f,
                          double* w, unsigned char* is_independent, lcp_report* report,
                          message* why)
{
    lcp_report unused;
    if (report == NULL) report = &unused;
    *report = (lcp_report){.worst_row = -1, .kept_pivot = 1.0};
    const tml_status status = check(s, problem, why);
    if (status != TML_OK) return status;

    find_islands(s, problem);
    sort_rows(s, problem->count);
    for (int at = 0; at < problem->count; at += s->island.n) {
        lcp_island* p = &s->island;
        p->global = &s->order[at];
        p->n = 1;
        while (at + p->n < problem->count &&
               s->parent[s->order[at + p->n]] == s->parent[s->order[at]]) {
            p->n++;
        }
        if (!gather(s, problem, labels)) {
            return tml__fail(why, TML_NO_MEMORY,
                             "an island of %d contact rows over %d columns needs too wide a factor",
                             p->n, p->columns);
        }
        const lcp_method method = solve_island(p, problem->sweeps, report);
        if (method == LCP_METHODS) return fail_island(p, report, why);
        report->islands++;
        report->solved_by[method]++;
        keep_island(s, report);
    }
    const size_t n = (size_t)problem->count;
    if (n == 0) return TML_OK;
    memcpy(f, s->f, n * sizeof *f);
    memcpy(w, s->w, n * sizeof *w);
    memcpy(labels, s->label, n);
    if (is_independent != NULL) memcpy(is_independent, s->is_independent, n);
    return TML_OK;
}
