// method/affine/couple.c - Newton updates where compliant contacts couple bodies that both move.
//                                                            [notes, contact section 6] [MABD Sec 6]
// The pattern of the matrix knows joints, not contacts. F, its factor, has the share of every contact in
// the blocks of its two bodies; O, what couples them, is kept apart as sums of push slope^T. With
// x = F^-1 (r + e) the system (F + O) x = r becomes
//
//     e + O F^-1 e = -O F^-1 r
//
// for wrenches e on the bodies that are coupled and nowhere else. GMRES finds them: one solve with the
// factor a vector, and vectors as long as the coupled bodies are many.
#include "method/affine/affine.h"

#include <string.h>

// What is left of the right-hand side: Newton corrects the rest.
static const double enough = 1e-8;

typedef struct gmres {
    affine_system* a;
    int n;          // numbers of a vector
    double* basis;  // AFFINE_KRYLOV + 1 vectors
    double h[(AFFINE_KRYLOV + 1) * AFFINE_KRYLOV];
    double cosine[AFFINE_KRYLOV], sine[AFFINE_KRYLOV], rest[AFFINE_KRYLOV + 1];
} gmres;

static double* vector_at(const gmres* g, int k) { return g->basis + (size_t)k * (size_t)g->n; }

static double dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// The nodes that are coupled, in the order in which contacts name them.
static int list_coupled(affine_system* a)
{
    const affine_touch* t = &a->touch;
    int count = 0;
    for (int n = 0; n < a->s->node_count; n++) t->slot[n] = -1;
    for (int i = 0; i < a->coupling_count; i++) {
        for (int side = 0; side < 2; side++) {
            const int node = t->couplings[i].node[side];
            if (t->slot[node] >= 0) continue;
            t->slot[node] = count;
            t->coupled[count++] = node;
        }
    }
    return count;
}

// out = O x for the motions in a->unknowns.
static void couple(const affine_system* a, int n, double* out)
{
    const affine_touch* t = &a->touch;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < a->coupling_count; i++) {
        const affine_coupling* k = &t->couplings[i];
        for (int side = 0; side < 2; side++) {
            const double* x = &a->unknowns[a->body_first[k->node[1 - side]]];
            const double way = k->scale * dot(k->slope[1 - side], x, 6);
            double* to = &out[6 * t->slot[k->node[side]]];
            for (int c = 0; c < 6; c++) to[c] += way * k->push[side][c];
        }
    }
}

// a->unknowns = F^-1 (r + e), r only on wish.
static void answer(const gmres* g, const double* e, bool has_side)
{
    affine_system* a = g->a;
    const size_t count = (size_t)a->node_first[a->matrix_nodes];
    if (has_side)
        memcpy(a->unknowns, a->touch.side, count * sizeof(double));
    else
        memset(a->unknowns, 0, count * sizeof(double));
    for (int i = 0; i < g->n; i++) {
        a->unknowns[a->body_first[a->touch.coupled[i / 6]] + i % 6] += e[i];
    }
    tml__block_solve(a->matrix, 1, a->unknowns);
}

static void rotate(double c, double s, double* x, double* y)
{
    const double to = c * *x + s * *y;
    *y = c * *y - s * *x;
    *x = to;
}

// Vector k + 1 made perpendicular to those before, and the column of the triangle that goes with it.
static void extend(gmres* g, int k)
{
    double* to = vector_at(g, k + 1);
    double* column = &g->h[(size_t)k * (AFFINE_KRYLOV + 1)];
    memset(column, 0, (AFFINE_KRYLOV + 1) * sizeof *column);
    for (int pass = 0; pass < 2; pass++) {  // twice is enough
        for (int i = 0; i <= k; i++) {
            const double* v = vector_at(g, i);
            const double part = dot(v, to, g->n);
            column[i] += part;
            for (int j = 0; j < g->n; j++) to[j] -= part * v[j];
        }
    }
    const double size = sqrt(dot(to, to, g->n));
    if (size > 0.0) {
        for (int j = 0; j < g->n; j++) to[j] /= size;
    }
    for (int i = 0; i < k; i++) rotate(g->cosine[i], g->sine[i], &column[i], &column[i + 1]);
    const double length = sqrt(column[k] * column[k] + size * size);
    g->cosine[k] = length > 0.0 ? column[k] / length : 1.0;
    g->sine[k] = length > 0.0 ? size / length : 0.0;
    column[k] = length;
    g->rest[k + 1] = 0.0;
    rotate(g->cosine[k], g->sine[k], &g->rest[k], &g->rest[k + 1]);
}

// The wrenches e, into vector AFFINE_KRYLOV (which is then free), from the right-hand side in vector 0.
static double* find_wrenches(gmres* g)
{
    double* first = vector_at(g, 0);
    double* out = vector_at(g, AFFINE_KRYLOV);
    const double size = sqrt(dot(first, first, g->n));
    int count = 0;
    for (int i = 0; i < g->n && size > 0.0; i++) first[i] /= size;
    g->rest[0] = size;
    while (count < AFFINE_KRYLOV - 1 && fabs(g->rest[count]) > enough * size) {
        const double* v = vector_at(g, count);
        double* to = vector_at(g, count + 1);
        answer(g, v, false);
        couple(g->a, g->n, to);
        for (int i = 0; i < g->n; i++) to[i] += v[i];
        extend(g, count);
        count++;
    }
    memset(out, 0, (size_t)g->n * sizeof *out);
    for (int i = count - 1; i >= 0; i--) {
        const double* column = &g->h[(size_t)i * (AFFINE_KRYLOV + 1)];
        const double y = column[i] > 0.0 ? g->rest[i] / column[i] : 0.0;
        for (int j = 0; j < i; j++) g->rest[j] -= column[j] * y;
        const double* v = vector_at(g, i);
        for (int j = 0; j < g->n; j++) out[j] += y * v[j];
    }
    return out;
}

void tml__affine_solve_coupled(affine_system* a)
{
    const maximal_system* s = a->s;
    if (a->contact_count == 0 || a->coupling_count == 0) {
        tml__affine_solve(a);
        return;
    }
    double* side = a->touch.side;
    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 6; k++) side[a->body_first[n] + k] = s->dx[6 * n + k];
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] >= 0) side[a->row_first[row]] = s->dl[row];
    }
    gmres g = {.a = a, .n = 6 * list_coupled(a), .basis = a->touch.krylov};
    double* first = vector_at(&g, 0);
    memset(first, 0, (size_t)g.n * sizeof *first);
    answer(&g, first, true);
    couple(a, g.n, first);
    for (int i = 0; i < g.n; i++) first[i] = -first[i];
    answer(&g, find_wrenches(&g), true);
    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 6; k++) s->dx[6 * n + k] = a->unknowns[a->body_first[n] + k];
    }
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = a->row_first[row] >= 0 ? a->unknowns[a->row_first[row]] : 0.0;
    }
}
