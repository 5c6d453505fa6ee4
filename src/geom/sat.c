// geom/sat.c - the direction along which two polytopes are farthest apart, or overlap least.
//
// Candidates are the normals of the faces of both and the cross products of their edges. Two boxes
// have 15 of them. A face wins a tie: its contacts are the more stable ones.
#include "geom/gjk.h"

#include <stdbool.h>

// A candidate must beat what is known by this share of the size: rounding must not turn a face
// contact into one of edges.
#define CLEARLY 1e-9

static void offer(sat_result* best, double slack, sat_result candidate)
{
    if (candidate.separation > best->separation + slack) *best = candidate;
}

// ---- boxes

// The face of a box whose outward normal is sign * axis.
static int box_face(int axis, double sign) { return sign > 0.0 ? 2 * axis + 1 : 2 * axis; }

// Two boxes seen from a's axes: everything that the 15 directions need.
typedef struct box_pair {
    double h[3], k[3];  // half edges of a and b
    double t[3];        // from b's centre to a's, along the axes of a
    double s[3];        // and of b
    double C[3][3];     // axis i of a along axis j of b
    double size[3][3];  // |C|
} box_pair;

static box_pair box_pair_of(const convex* a, const convex* b)
{
    const vec3 d = v3_sub(a->p, b->p);
    const vec3 h = a->hull->half_size;
    const vec3 k = b->hull->half_size;
    box_pair p = {.h = {h.x, h.y, h.z}, .k = {k.x, k.y, k.z}};
    for (int i = 0; i < 3; i++) {
        const vec3 axis = m3_column(a->R, i);
        p.t[i] = v3_dot(axis, d);
        p.s[i] = v3_dot(m3_column(b->R, i), d);
        for (int j = 0; j < 3; j++) {
            p.C[i][j] = v3_dot(axis, m3_column(b->R, j));
            p.size[i][j] = fabs(p.C[i][j]);
        }
    }
    return p;
}

// Along axis i of a or of b: how far the boxes are apart.
static double gap_along_a(const box_pair* p, int i)
{
    return fabs(p->t[i]) - p->h[i] -
           (p->k[0] * p->size[i][0] + p->k[1] * p->size[i][1] + p->k[2] * p->size[i][2]);
}

static double gap_along_b(const box_pair* p, int j)
{
    return fabs(p->s[j]) - p->k[j] -
           (p->h[0] * p->size[0][j] + p->h[1] * p->size[1][j] + p->h[2] * p->size[2][j]);
}

// Along the cross product of axis i of a and axis j of b, times its length; *square is that of the
// length. The sum of two squares: what is left of one minus a square near one is only rounding.
static double gap_across(const box_pair* p, int i, int j, double* square)
{
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    const int j1 = (j + 1) % 3;
    const int j2 = (j + 2) % 3;
    *square = p->C[i][j1] * p->C[i][j1] + p->C[i][j2] * p->C[i][j2];
    const double apart = fabs(p->t[i2] * p->C[i1][j] - p->t[i1] * p->C[i2][j]);
    const double of_a = p->h[i1] * p->size[i2][j] + p->h[i2] * p->size[i1][j];
    const double of_b = p->k[j1] * p->size[i][j2] + p->k[j2] * p->size[i][j1];
    return apart - of_a - of_b;
}

// The edge along `axis` that lies farthest along n.
static int box_edge(const convex* c, int axis, vec3 n)
{
    const vec3 d = m3_apply_t(c->R, n);
    int corner = 0;
    for (int k = 0; k < 3; k++) {
        if (k != axis && v3_at(d, k) > 0.0) corner |= 1 << k;
    }
    const int other = corner | 1 << axis;
    for (int e = 0; e < c->hull->edge_count; e++) {
        const int* v = c->hull->edges[e].v;
        if (v[0] == corner && v[1] == other) return e;
    }
    return -1;
}

// Where no direction parts them by more than `reach`, faces come first and edges must beat them clearly.
static tml_status sat_boxes(const convex* a, const convex* b, double reach, sat_result* best)
{
    const box_pair p = box_pair_of(a, b);
    const double slack = CLEARLY * (a->hull->size + b->hull->size);
    for (int i = 0; i < 6; i++) {
        const int axis = i % 3;
        const double gap = i < 3 ? gap_along_a(&p, axis) : gap_along_b(&p, axis);
        if (!(gap > best->separation + (i == 0 ? 0.0 : slack))) continue;
        const double sign = (i < 3 ? p.t[axis] : p.s[axis]) < 0.0 ? -1.0 : 1.0;
        const vec3 n = v3_scale(sign, m3_column(i < 3 ? a->R : b->R, axis));
        // n points to a: it leaves the face of b and enters that of a
        const int face = i < 3 ? box_face(axis, -sign) : box_face(axis, sign);
        *best = (sat_result){n, gap, i < 3 ? SAT_FACE_A : SAT_FACE_B, face, face};
        if (gap > reach) return TML_OK;
    }
    for (int i = 0; i < 9; i++) {
        double square;
        const double scaled = gap_across(&p, i / 3, i % 3, &square);
        if (!(square > 1e-14)) continue;  // parallel edges: the faces say it all
        const double bound = best->separation + slack;
        if (bound >= 0.0 && !(scaled > 0.0)) continue;
        const double length = sqrt(square);
        if (!(scaled > bound * length)) continue;
        vec3 n = v3_cross(m3_column(a->R, i / 3), m3_column(b->R, i % 3));
        n = v3_scale((v3_dot(n, v3_sub(a->p, b->p)) < 0.0 ? -1.0 : 1.0) / v3_norm(n), n);
        *best = (sat_result){n, scaled / length, SAT_EDGES, box_edge(a, i / 3, v3_neg(n)),
                             box_edge(b, i % 3, n)};
        if (best->separation > reach) return TML_OK;
    }
    return TML_OK;
}

// ---- any two polytopes

static double along(const convex* c, vec3 n)
{
    int vertex;
    return v3_dot(n, tml__convex_support(c, n, &vertex));
}

static double separation(const convex* a, const convex* b, vec3 n)
{
    return -along(a, v3_neg(n)) - along(b, n);
}

static vec3 edge_direction(const convex* c, int e)
{
    const int* v = c->hull->edges[e].v;
    return m3_apply(c->R, v3_sub(c->hull->vertices[v[1]], c->hull->vertices[v[0]]));
}

static void try_edges(const convex* a, const convex* b, int i, int j, double slack,
                      sat_result* best)
{
    vec3 n = v3_cross(edge_direction(a, i), edge_direction(b, j));
    const double length = v3_norm(n);
    const double sizes = v3_norm(edge_direction(a, i)) * v3_norm(edge_direction(b, j));
    if (!(length > 1e-7 * sizes)) return;
    n = v3_scale(1.0 / length, n);
    const vec3 at_a = convex_vertex(a, a->hull->edges[i].v[0]);
    const vec3 at_b = convex_vertex(b, b->hull->edges[j].v[0]);
    for (int sign = 0; sign < 2; sign++, n = v3_neg(n)) {
        const double between = v3_dot(n, v3_sub(at_a, at_b));
        // a candidate only where both edges are on the planes that touch their bodies
        if (!(between > best->separation + slack)) continue;
        const double gap = separation(a, b, n);
        if (gap < between - slack) continue;
        offer(best, slack, (sat_result){n, gap, SAT_EDGES, i, j});
    }
}

tml_status tml__sat(const convex* a, const convex* b, double reach, sat_result* out)
{
    *out = (sat_result){.separation = -HUGE_VAL};
    if (a->hull->is_box && b->hull->is_box) return sat_boxes(a, b, reach, out);
    const double slack = CLEARLY * (a->hull->size + b->hull->size);
    for (int f = 0; f < a->hull->face_count; f++) {
        const vec3 n = v3_neg(m3_apply(a->R, a->hull->face_normal[f]));
        offer(out, f == 0 ? 0.0 : slack, (sat_result){n, separation(a, b, n), SAT_FACE_A, f, f});
    }
    for (int f = 0; f < b->hull->face_count; f++) {
        const vec3 n = m3_apply(b->R, b->hull->face_normal[f]);
        offer(out, slack, (sat_result){n, separation(a, b, n), SAT_FACE_B, f, f});
    }
    for (int i = 0; i < a->hull->edge_count; i++) {
        for (int j = 0; j < b->hull->edge_count; j++) try_edges(a, b, i, j, slack, out);
    }
    return out->separation > -HUGE_VAL ? TML_OK : TML_SINGULAR;
}
