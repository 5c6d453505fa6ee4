// contact/problem_matrix.c - what mechanisms answer where they are touched, and the rows of contacts over it.
//
// A push on a node moves the nodes of its own part only. With G_p what the touched nodes of part p
// answer to unit pushes on each other, scaled to what they would answer if they were free,
//
//     G_p = L L^T   (pivoted Cholesky: as many columns as the part has freedoms there)
//     y = g L       for each side of a row,   A = Y Y^T
//
// Joints are exact in it: they are in the factor that gives G_p.
#include "contact/problem.h"
#include "math/small.h"

#include <math.h>
#include <string.h>

// What is left of an answer below this share of the free one is rounding.
static const double rounding = 1e-10;

// ---- who is touched

// Touched nodes in rising order.
static void list_nodes(touch_set* t)
{
    const int nodes = t->s->node_count;
    for (int n = 0; n < nodes; n++) t->node_slot[n] = -1;
    for (int i = 0; i < t->row_count; i++) {
        for (int side = 0; side < 2; side++) {
            if (t->rows[i].node[side] >= 0) t->node_slot[t->rows[i].node[side]] = 0;
        }
    }
    t->touched_count = 0;
    for (int n = 0; n < nodes; n++) {
        if (t->node_slot[n] < 0) continue;
        t->node_slot[n] = t->touched_count;
        t->touched[t->touched_count++] = n;
    }
}

// The touched nodes of each part, in part_order from part_first on. Answers how many the most touched
// part has.
static int list_parts(touch_set* t)
{
    int most = 0;
    memset(t->part_first, 0, ((size_t)t->part_count + 1) * sizeof *t->part_first);
    for (int i = 0; i < t->touched_count; i++) {
        int* count = &t->part_first[t->part[t->touched[i]] + 1];
        t->local[i] = (*count)++;
        if (*count > most) most = *count;
    }
    for (int p = 0; p < t->part_count; p++) t->part_first[p + 1] += t->part_first[p];
    for (int i = 0; i < t->touched_count; i++) {
        t->part_order[t->part_first[t->part[t->touched[i]]] + t->local[i]] = i;
    }
    return most;
}

static int part_width(const touch_set* t, int p)
{
    return 6 * (t->part_first[p + 1] - t->part_first[p]);
}

// Where the answers of each part stand. False: there is no room for them.
static bool place_answers(touch_set* t)
{
    size_t end = 0;
    for (int p = 0; p < t->part_count; p++) {
        const size_t width = (size_t)part_width(t, p);
        t->answer_first[p] = end;
        end += width * width;
    }
    return end <= t->answer_limit;
}

// ---- answers

// The square roots of what the coordinates of a touched node would answer if it were free.
static void scale_node(touch_set* t, int slot)
{
    const tml_model* m = t->s->model;
    const int b = m->node_body[t->touched[slot]];
    const mat3 R = t->s->bodies[b].R;
    const mat3 inverse = m3_inverse(m->bodies[b].inertia);
    double* to = &t->coordinate[6 * slot];
    for (int k = 0; k < 3; k++) {
        const vec3 axis = m3_apply_t(R, v3_unit(k));
        to[k] = 1.0 / sqrt(m->bodies[b].mass);
        to[3 + k] = sqrt(v3_dot(axis, m3_apply(inverse, axis)));
    }
}

// Column 6 * round + axis of the answers of part p, from the solution in t->dx.
static void keep_column(touch_set* t, int p, int column)
{
    const size_t width = (size_t)part_width(t, p);
    double* to = t->answer + t->answer_first[p] + (size_t)column;
    for (int k = t->part_first[p]; k < t->part_first[p + 1]; k++) {
        const double* u = &t->dx[6 * t->touched[t->part_order[k]]];
        double* at = to + 6 * width * (size_t)(k - t->part_first[p]);
        for (int c = 0; c < 6; c++) at[(size_t)c * width] = u[c];
    }
}

// Push the node number `round` of every part along one axis, all at once.
static tml_status push_round(touch_set* t, int round, int axis)
{
    memset(t->rhs, 0, 6 * (size_t)t->s->node_count * sizeof *t->rhs);
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p] + round >= t->part_first[p + 1]) continue;
        t->rhs[6 * t->touched[t->part_order[t->part_first[p] + round]] + axis] = 1.0;
    }
    const tml_status status = tml__kkt_solve(t->s->matrix, t->rhs, t->none, t->dx, t->dl);
    if (status != TML_OK) return status;
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p] + round >= t->part_first[p + 1]) continue;
        keep_column(t, p, 6 * round + axis);
    }
    return TML_OK;
}

// Scale and factor the answers of part p.
static void factor_part(touch_set* t, int p)
{
    const int width = part_width(t, p);
    double* a = t->answer + t->answer_first[p];
    const int* slots = &t->part_order[t->part_first[p]];
    for (int i = 0; i < width; i++) {
        const double own = t->coordinate[6 * slots[i / 6] + i % 6];
        for (int j = 0; j <= i; j++) {
            const double other = t->coordinate[6 * slots[j / 6] + j % 6];
            double* low = &a[(ptrdiff_t)i * width + j];
            const double mean = 0.5 * (*low + a[(ptrdiff_t)j * width + i]);
            *low = mean / (own * other);
        }
    }
    t->part_rank[p] = tml__cholesky_pivoted(width, a, width, rounding, t->pivot_order);
    for (int k = 0; k < width; k++) {
        const int coordinate = t->pivot_order[k];
        t->pivot_place[6 * slots[coordinate / 6] + coordinate % 6] = k;
    }
}

// ---- rows

// to += g L for one side of a row.
static void lift_side(const touch_set* t, int p, int slot, const double g[6], double* to)
{
    const int width = part_width(t, p);
    const int rank = t->part_rank[p];
    for (int c = 0; c < 6; c++) {
        const int k = t->pivot_place[6 * slot + c];
        const double* line = t->answer + t->answer_first[p] + (ptrdiff_t)k * width;
        const double scaled = g[c] * t->coordinate[6 * slot + c];
        const int end = k < rank ? k + 1 : rank;
        for (int j = 0; j < end; j++) to[j] += scaled * line[j];
    }
}

// What a row would answer if its bodies were free.
static double free_response(const touch_set* t, const touch_row* row)
{
    double sum = 0.0;
    const tml_model* m = t->s->model;
    for (int side = 0; side < 2; side++) {
        const int node = row->node[side];
        if (node < 0) continue;
        const body_data* body = &m->bodies[m->node_body[node]];
        const mat3 R = t->s->bodies[m->node_body[node]].R;
        const vec3 force = v3_load(row->g[side]);
        const vec3 torque = m3_apply_t(R, v3_load(row->g[side] + 3));
        sum += v3_dot(force, force) / body->mass +
               v3_dot(torque, m3_apply(m3_inverse(body->inertia), torque));
    }
    return sum;
}

double tml__touch_turned(const touch_set* t, int i)
{
    touch_row change = t->rows[i];
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 6; k++) change.g[side][k] -= t->rows_ahead[i].g[side][k];
    }
    const double own = free_response(t, &t->rows[i]);
    return own > 0.0 ? sqrt(free_response(t, &change) / own) : 0.0;
}

// Row i over the columns of its parts, entries from *end on. False: there is no room for them.
static bool lift_row(touch_set* t, int i, size_t* end)
{
    const touch_row* row = &t->rows[i];
    int last = -1;
    size_t first = *end;
    t->start[i] = *end;
    for (int side = 0; side < 2; side++) {
        if (row->node[side] < 0) continue;
        const int p = t->part[row->node[side]];
        if (p != last) {
            first = *end;
            if (*end + (size_t)t->part_rank[p] > t->entry_limit) return false;
            for (int k = 0; k < t->part_rank[p]; k++) {
                t->column[*end] = t->part_column[p] + k;
                t->y[(*end)++] = 0.0;
            }
            last = p;
        }
        lift_side(t, p, t->node_slot[row->node[side]], row->g[side], &t->y[first]);
    }
    double own = 0.0;
    for (size_t e = t->start[i]; e < *end; e++) own += t->y[e] * t->y[e];
    t->response[i] = own > rounding * free_response(t, row) ? own : 0.0;
    if (t->response[i] == 0.0) *end = t->start[i];
    return true;
}

// Rows that nothing can move (both bodies are held or driven) carry nothing.
static void switch_off_fixed(touch_set* t)
{
    for (int i = 0; i < t->row_count; i++) {
        if (t->response[i] > 0.0 || t->kinds[i].kind == LCP_FRICTION) continue;
        t->kinds[i] = (lcp_row){.kind = LCP_BOX};
        t->labels[i] = LCP_LOWER;
    }
    for (int i = 0; i < t->row_count; i++) {
        const bool is_loose =
            t->kinds[i].kind == LCP_FRICTION && t->kinds[t->kinds[i].normal].kind == LCP_BOX;
        if (!is_loose) continue;
        t->kinds[i] = (lcp_row){.kind = LCP_BOX};
        t->labels[i] = LCP_LOWER;
    }
}

static tml_status refuse(const touch_set* t, const char* what, message* why)
{
    return tml__fail(why, TML_TOO_MANY_CONTACTS,
                     "%d contacts touch %d bodies, which is more than there is room for %s",
                     t->contact_count, t->touched_count, what);
}

tml_status tml__touch_matrix(touch_set* t, message* why)
{
    list_nodes(t);
    const int rounds = list_parts(t);
    if (rounds > t->most_touched || !place_answers(t)) return refuse(t, "in one mechanism", why);
    for (int i = 0; i < t->touched_count; i++) scale_node(t, i);
    for (int round = 0; round < rounds; round++) {
        for (int axis = 0; axis < 6; axis++) {
            const tml_status status = push_round(t, round, axis);
            if (status != TML_OK) return status;
        }
    }
    t->column_count = 0;
    for (int p = 0; p < t->part_count; p++) {
        if (t->part_first[p] == t->part_first[p + 1]) continue;
        factor_part(t, p);
        t->part_column[p] = t->column_count;
        t->column_count += t->part_rank[p];
    }
    const tml_status status = tml__touch_lift(t, why);
    if (status == TML_OK) switch_off_fixed(t);
    return status;
}

tml_status tml__touch_lift(touch_set* t, message* why)
{
    size_t end = 0;
    for (int i = 0; i < t->row_count; i++) {
        if (!lift_row(t, i, &end)) return refuse(t, "in rows over their freedoms", why);
    }
    t->start[t->row_count] = end;
    return TML_OK;
}

void tml__touch_respond(const touch_set* t, const double* f, double* out)
{
    memset(t->wide, 0, (size_t)t->column_count * sizeof *t->wide);
    for (int i = 0; i < t->row_count; i++) {
        for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
            t->wide[t->column[e]] += t->y[e] * f[i];
        }
    }
    for (int i = 0; i < t->row_count; i++) {
        double sum = t->give[i] * f[i];
        for (size_t e = t->start[i]; e < t->start[i + 1]; e++) {
            sum += t->y[e] * t->wide[t->column[e]];
        }
        out[i] = sum;
    }
}
