// method/generalized/rows_contact.c - the rows of a contact, made side by side.
//
// Most rows of a heap are a normal and two tangents between the same two bodies. They go through the
// numbers that each of them would meet alone, in the same order, but in the lanes of a vector: their
// wrenches on both bodies, their entries j, their rates, and y = L^-T j^T.
#include "math/lanes.h"
#include "method/generalized/rows.h"

#include <string.h>

// Four rows; at any address.
typedef double lanes __attribute__((vector_size(32), aligned(8), may_alias));

// Vectors of the rows, lane l of each component being that of row l.
typedef struct vec3_lanes {
    lanes x, y, z;
} vec3_lanes;

typedef struct wrench_lanes {
    vec3_lanes moment, force;
} wrench_lanes;

KERNEL vec3_lanes add(vec3_lanes a, vec3_lanes b)
{
    return (vec3_lanes){a.x + b.x, a.y + b.y, a.z + b.z};
}

KERNEL vec3_lanes negative(vec3_lanes a) { return (vec3_lanes){-a.x, -a.y, -a.z}; }

KERNEL vec3_lanes cross(vec3 a, vec3_lanes b)
{
    return (vec3_lanes){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// What a column does along the wrenches of the rows, into *out.
KERNEL void along(const twist* s, const wrench_lanes* f, lanes* out)
{
    const lanes turned =
        s->omega.x * f->moment.x + s->omega.y * f->moment.y + s->omega.z * f->moment.z;
    *out = turned + (s->v.x * f->force.x + s->v.y * f->force.y + s->v.z * f->force.z);
}

// A torque about a body's centre of mass and a force there, about the origin of its tree.
KERNEL wrench_lanes wrench_on(const gen_tree* t, int at, vec3_lanes force, vec3_lanes torque)
{
    if (at < 0) return (wrench_lanes){0};
    const vec3 arm = v3_sub(t->c[at], t->origin[at]);
    return (wrench_lanes){add(torque, cross(arm, force)), force};
}

// Both bodies' wrenches: [0] the follower's.
KERNEL void find_wrenches(const gen_rows* r, const contact_push* p, wrench_lanes out[2])
{
    const vec3* w = p->ways;
    const vec3_lanes way = {{w[0].x, w[1].x, w[2].x, w[2].x},
                            {w[0].y, w[1].y, w[2].y, w[2].y},
                            {w[0].z, w[1].z, w[2].z, w[2].z}};
    const vec3 arm_F = v3_sub(p->point, r->s->bodies[p->follower].c);
    const vec3 arm_B = v3_sub(p->point, r->s->bodies[p->base].c);
    out[0] = wrench_on(r->tree, r->tree->index[p->follower], way, cross(arm_F, way));
    out[1] =
        wrench_on(r->tree, r->tree->index[p->base], negative(way), negative(cross(arm_B, way)));
}

KERNEL void store_lanes(double* to, size_t stride, int count, const lanes* value)
{
    to[0] = (*value)[0];
    if (count < ROWS_TOGETHER) return;
    to[stride] = (*value)[1];
    to[2 * stride] = (*value)[2];
}

// What is found for column k is taken out of those inwards.
KERNEL void take_out(gen_rows* r, int k, const lanes* value)
{
    const gen_tree* t = r->tree;
    const double* row = gen_mass_row(t, k);
    if (r->is_straight[k]) {
        double* to = &r->wide_many[ROW_LANES * (k - t->depth[k])];
        for (int d = 0; d < t->depth[k]; d++) *(lanes*)(to + ROW_LANES * d) -= row[d] * *value;
        return;
    }
    for (int c = t->column_parent[k]; c >= 0; c = t->column_parent[c]) {
        *(lanes*)&r->wide_many[ROW_LANES * c] -= row[t->depth[c]] * *value;
    }
}

// y of rows whose j stands in r->wide_many, which is zero again afterwards.
KERNEL void lift_lanes(gen_rows* r, const int* column, size_t n, int count, double* y)
{
    const gen_tree* t = r->tree;
    for (size_t e = 0; e < n; e++) {
        const int k = column[e];
        lanes* own = (lanes*)&r->wide_many[ROW_LANES * k];
        const lanes value = *own / gen_mass_row(t, k)[t->depth[k]];
        *own = (lanes){0.0, 0.0, 0.0, 0.0};
        store_lanes(y + e, n, count, &value);
        take_out(r, k, &value);
    }
}

// Entries of the rows outwards in, and what they come to at two sets of rates. No column moves both bodies.
KERNEL void fill(gen_rows* r, const contact_push* p, size_t n, const double* start,
                 const double* rates, contact_rates* out)
{
    const gen_tree* t = r->tree;
    const size_t first = r->start[r->count];
    int F = gen_last_column(t, t->index[p->follower]);
    int B = gen_last_column(t, t->index[p->base]);
    wrench_lanes on[2];
    find_wrenches(r, p, on);
    lanes before = {0.0, 0.0, 0.0, 0.0};
    lanes after = before;
    for (size_t e = first; e < first + n; e++) {
        const bool is_F = F > B;
        const int k = is_F ? F : B;
        const wrench_lanes* w = &on[is_F ? 0 : 1];
        lanes j;
        along(&t->S[k], w, &j);
        r->column[e] = k;
        *(lanes*)&r->wide_many[ROW_LANES * k] = j;
        store_lanes(r->j + e, n, p->count, &j);
        before += j * start[k];
        after += j * rates[k];
        F = is_F ? t->column_parent[F] : F;
        B = is_F ? B : t->column_parent[B];
    }
    out->before = before[0];
    for (int i = 0; i < ROWS_TOGETHER; i++) out->after[i] = after[i];
    lift_lanes(r, r->column + first, n, p->count, r->y + first);
}

static void fill_plain(gen_rows* r, const contact_push* p, size_t n, const double* start,
                       const double* rates, contact_rates* out)
{
    fill(r, p, n, start, rates, out);
}

#if defined(__x86_64__)
FOR_AVX2 static void fill_avx2(gen_rows* r, const contact_push* p, size_t n, const double* start,
                               const double* rates, contact_rates* out)
{
    fill(r, p, n, start, rates, out);
}
#endif

static void run(gen_rows* r, const contact_push* p, size_t n, const double* start,
                const double* rates, contact_rates* out)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        fill_avx2(r, p, n, start, rates, out);
        return;
    }
#endif
    fill_plain(r, p, n, start, rates, out);
}

// ---- rows that something may not move

static bool flies(const gen_tree* t, int body)
{
    const int at = t->index[body];
    return at >= 0 && t->bodies[t->bodies[at].root].joint < 0;
}

static int mechanism_of(const gen_tree* t, int body)
{
    return t->index[body] >= 0 ? t->bodies[t->index[body]].root : -1;
}

// Can any push between two bodies move something? A mechanism that flies can be pushed as a whole, by
// everything that does not belong to it.
static bool is_surely_moved(const gen_tree* t, int follower, int base)
{
    if (mechanism_of(t, follower) == mechanism_of(t, base)) return false;
    return flies(t, follower) || flies(t, base);
}

static void append_unsure(gen_rows* r, const contact_push* p, const double* start,
                          const double* rates, contact_rates* out)
{
    const vec3 arm_F = v3_sub(p->point, r->s->bodies[p->follower].c);
    const vec3 arm_B = v3_sub(p->point, r->s->bodies[p->base].c);
    const int at = r->count;
    rigid_gradient g[ROWS_TOGETHER];
    for (int i = 0; i < p->count; i++) {
        const vec3 way = p->ways[i];
        g[i] = (rigid_gradient){way, v3_cross(arm_F, way), v3_neg(v3_cross(arm_B, way))};
    }
    tml__gen_rows_append_together(r, p->follower, p->base, p->count, g, p->give);
    out->before = tml__gen_rows_rate(r, at, start);
    for (int i = 0; i < p->count; i++) out->after[i] = tml__gen_rows_rate(r, at + i, rates);
}

// ---- the contact

static size_t path_length(const gen_tree* t, int body)
{
    const int last = gen_last_column(t, t->index[body]);
    return last >= 0 ? (size_t)t->depth[last] + 1 : 0;
}

void tml__gen_rows_append_contact(gen_rows* r, const contact_push* p, const double* start,
                                  const double* rates, contact_rates* out)
{
    const gen_tree* t = r->tree;
    if (!is_surely_moved(t, p->follower, p->base)) {
        append_unsure(r, p, start, rates, out);
        return;
    }
    const size_t n = path_length(t, p->follower) + path_length(t, p->base);
    const size_t first = r->start[r->count];
    run(r, p, n, start, rates, out);
    for (int i = 0; i < p->count; i++) {
        const int at = r->count++;
        r->row[at] = -1;
        r->give[at] = i == 0 ? p->give : 0.0;
        r->offset[at] = 0.0;
        r->is_sure[at] = true;
        r->together[at] = (unsigned char)(i == 0 ? p->count : 0);
        r->start[at + 1] = first + (size_t)(i + 1) * n;
        if (i > 0) memcpy(r->column + r->start[at], r->column + first, n * sizeof *r->column);
    }
}
