// geom/sat.c - the direction along which two polytopes are farthest apart, or overlap least.
//
// Candidates are the normals of the faces of both and the cross products of their edges. Two boxes
// have 15 of them. A face wins a tie: its contacts are the more stable ones.
#include "geom/gjk.h"
#include "math/lanes.h"

#include <stdbool.h>
#include <stdint.h>

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

// Four numbers that go through the same operations; what three axes have in common fills three of them.
typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_bits __attribute__((vector_size(32)));

// Two boxes seen from each other's axes: everything that the 15 directions need. Lane i of what is a's
// belongs to its axis i, and so of b's.
typedef struct box_pair {
    lanes h, k;                    // half edges of a and b
    lanes t;                       // from b's centre to a's, along the axes of a
    lanes s;                       // and of b
    lanes along_b[3], along_a[3];  // axis i of a along those of b, axis j of b along those of a
    lanes size_b[3], size_a[3];    // their sizes
    double gap[6];                 // along the axes of a, then of b: how far the boxes are apart
} box_pair;

KERNEL void sizes(const lanes* x, lanes* out)
{
    const int64_t all = INT64_MAX;
    *out = (lanes)((lane_bits)*x & (lane_bits){all, all, all, all});
}

// The rows of R, so that lane i holds a component of axis i.
KERNEL void rows_of(const mat3* R, lanes out[3])
{
    for (int k = 0; k < 3; k++) out[k] = (lanes){R->m[k][0], R->m[k][1], R->m[k][2], R->m[k][2]};
}

KERNEL void look_along(const lanes rows[3], vec3 d, lanes* out)
{
    *out = rows[0] * d.x + rows[1] * d.y + rows[2] * d.z;
}

KERNEL void gaps_along(const lanes* between, const lanes* own, const double other[3],
                       const lanes size[3], double out[3])
{
    lanes apart;
    sizes(between, &apart);
    const lanes gap = apart - *own - (other[0] * size[0] + other[1] * size[1] + other[2] * size[2]);
    for (int k = 0; k < 3; k++) out[k] = gap[k];
}

KERNEL void find_box_pair(const convex* a, const convex* b, box_pair* p)
{
    const vec3 d = v3_sub(a->p, b->p);
    const vec3 h = a->hull->half_size;
    const vec3 k = b->hull->half_size;
    lanes rows_a[3];
    lanes rows_b[3];
    rows_of(&a->R, rows_a);
    rows_of(&b->R, rows_b);
    p->h = (lanes){h.x, h.y, h.z, h.z};
    p->k = (lanes){k.x, k.y, k.z, k.z};
    look_along(rows_a, d, &p->t);
    look_along(rows_b, d, &p->s);
    for (int i = 0; i < 3; i++) {
        look_along(rows_b, m3_column(a->R, i), &p->along_b[i]);
        look_along(rows_a, m3_column(b->R, i), &p->along_a[i]);
        sizes(&p->along_b[i], &p->size_b[i]);
        sizes(&p->along_a[i], &p->size_a[i]);
    }
    gaps_along(&p->t, &p->h, (const double[3]){k.x, k.y, k.z}, p->size_a, p->gap);
    gaps_along(&p->s, &p->k, (const double[3]){h.x, h.y, h.z}, p->size_b, p->gap + 3);
}

// Each lane has what the next of three had.
KERNEL void next_lanes(const lanes* x, lanes* out)
{
    *out = (lanes){(*x)[1], (*x)[2], (*x)[0], (*x)[0]};
}

// Along the cross products of axis i of a and those of b, times their lengths; `square` is that of the
// lengths. The sum of two squares: what is left of one minus a square near one is only rounding.
KERNEL void gaps_across(const box_pair* p, int i, double scaled[3], double square[3])
{
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    lanes c1;
    lanes c2;
    lanes size1;
    lanes size2;
    lanes k1;
    lanes k2;
    lanes apart;
    next_lanes(&p->along_b[i], &c1);
    next_lanes(&c1, &c2);
    sizes(&c1, &size1);
    sizes(&c2, &size2);
    next_lanes(&p->k, &k1);
    next_lanes(&k1, &k2);
    const lanes squares = c1 * c1 + c2 * c2;
    const lanes between = p->t[i2] * p->along_b[i1] - p->t[i1] * p->along_b[i2];
    sizes(&between, &apart);
    const lanes of_a = p->h[i1] * p->size_b[i2] + p->h[i2] * p->size_b[i1];
    const lanes of_b = k1 * size2 + k2 * size1;
    const lanes gap = apart - of_a - of_b;
    for (int j = 0; j < 3; j++) {
        scaled[j] = gap[j];
        square[j] = squares[j];
    }
}

// The edge along `axis` that lies farthest along n.
static int box_edge(const convex* c, int axis, vec3 n)
{
    const vec3 d = m3_apply_t(c->R, n);
    int corner = 0;
    for (int k = 0; k < 3; k++) {
        if (k != axis && v3_at(d, k) > 0.0) corner |= 1 << k;
    }
    return box_edge_between(corner, corner | 1 << axis);
}

// The faces of both; true: a direction that parts them by more than `reach` was found.
KERNEL bool try_faces(const convex* a, const convex* b, const box_pair* p, double slack,
                      double reach, sat_result* best)
{
    for (int i = 0; i < 6; i++) {
        const int axis = i % 3;
        const double gap = p->gap[i];
        if (!(gap > best->separation + (i == 0 ? 0.0 : slack))) continue;
        const double sign = (i < 3 ? p->t[axis] : p->s[axis]) < 0.0 ? -1.0 : 1.0;
        const vec3 n = v3_scale(sign, m3_column(i < 3 ? a->R : b->R, axis));
        // n points to a: it leaves the face of b and enters that of a
        const int face = i < 3 ? box_face(axis, -sign) : box_face(axis, sign);
        *best = (sat_result){n, gap, i < 3 ? SAT_FACE_A : SAT_FACE_B, face, face};
        if (gap > reach) return true;
    }
    return false;
}

// The cross product of axis i of a and axis j of b, where it is farther apart than what is known.
KERNEL void try_cross(const convex* a, const convex* b, int i, int j, double scaled, double square,
                      double slack, sat_result* best)
{
    if (!(square > 1e-14)) return;  // parallel edges: the faces say it all
    const double bound = best->separation + slack;
    if (bound >= 0.0 && !(scaled > 0.0)) return;
    const double length = sqrt(square);
    if (!(scaled > bound * length)) return;
    vec3 n = v3_cross(m3_column(a->R, i), m3_column(b->R, j));
    n = v3_scale((v3_dot(n, v3_sub(a->p, b->p)) < 0.0 ? -1.0 : 1.0) / v3_norm(n), n);
    *best =
        (sat_result){n, scaled / length, SAT_EDGES, box_edge(a, i, v3_neg(n)), box_edge(b, j, n)};
}

// Where no direction parts them by more than `reach`, faces come first and edges must beat them clearly.
KERNEL void try_boxes(const convex* a, const convex* b, double reach, sat_result* best)
{
    box_pair p;
    find_box_pair(a, b, &p);
    const double slack = CLEARLY * (a->hull->size + b->hull->size);
    if (try_faces(a, b, &p, slack, reach, best)) return;
    for (int i = 0; i < 3; i++) {
        double scaled[3];
        double square[3];
        gaps_across(&p, i, scaled, square);
        for (int j = 0; j < 3; j++) {
            try_cross(a, b, i, j, scaled[j], square[j], slack, best);
            if (best->separation > reach) return;
        }
    }
}

static void boxes_plain(const convex* a, const convex* b, double reach, sat_result* best)
{
    try_boxes(a, b, reach, best);
}

#if defined(__x86_64__)
FOR_AVX2 static void boxes_avx2(const convex* a, const convex* b, double reach, sat_result* best)
{
    try_boxes(a, b, reach, best);
}
#endif

static tml_status sat_boxes(const convex* a, const convex* b, double reach, sat_result* best)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        boxes_avx2(a, b, reach, best);
        return TML_OK;
    }
#endif
    boxes_plain(a, b, reach, best);
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
