// form/affine/spring.c - springs and tendons over a step, with exact energy balance.
//
// A segment d of the path is linear in the bodies, so |d+| - |d| = e . (d+ - d) without error for
//     e = (d + d+) / (|d| + |d+|),     de = (I - e e+^T) / (|d| + |d+|) d(d+)
// and the mean tension of the law times the change of length is the energy stored. At the end
// (phi = 1) or at the start (phi = 0) of the step e is the segment's direction there.
//
//   f_i = -T (e_{i-1} - e_i)      T: mean of the law + damping (L+ - L)/h + force(t), and
//                                    rayleigh (law(L+) - law(L))/h, and the pull of a muscle;
//                                    by BDF2 rates are of three values
#include "form/affine/equations.h"

// One segment, which starts at the point of the same index.
static void fill_segment(path_point* p, vec3 start, vec3 end, double phi)
{
    const double length = v3_norm(start);
    const double length_end = v3_norm(end);

    p->length = length;
    p->length_end = length_end;
    p->e = v3_zero();
    p->e_end = v3_zero();
    p->bend = 0.0;
    // < 1e-12 m: no direction, so this segment neither pulls nor turns
    if (length_end > 1e-12) p->e_end = v3_scale(1.0 / length_end, end);
    if (phi == 0.5 && length + length_end > 1e-12) {
        p->bend = 1.0 / (length + length_end);
        p->e = v3_scale(p->bend, v3_add(start, end));
    } else if (phi == 1.0 && length_end > 1e-12) {
        p->bend = 1.0 / length_end;
        p->e = p->e_end;
    } else if (phi == 0.0 && length > 1e-12) {
        p->e = v3_scale(1.0 / length, start);
    }
}

// The path of a spring; its tension, and the tension's derivative by the length at the end.
spring_mean tml__affine_spring_path(const affine_system* a, const affine_stage* stage,
                                    const spring_data* spring)
{
    path_point* path = a->path;
    const int n = spring->point_count;
    vec3 last_start = v3_zero();
    vec3 last_end = v3_zero();
    double length = 0.0;
    double length_end = 0.0;

    for (int i = 0; i < n; i++) {
        const int body = spring->body[i];
        const int node = a->s->model->bodies[body].node;
        const rigid* end = &a->s->bodies[body];
        const vec3 c = node >= 0 ? a->body[node].x : end->c;
        const mat3 R = node >= 0 ? a->body[node].R : end->R;
        path[i].r = m3_apply(a->force_bodies[body].R, spring->point[i]);
        path[i].r_end = m3_apply(end->R, spring->point[i]);
        const vec3 x = v3_add(c, m3_apply(R, spring->point[i]));
        const vec3 x_end = v3_add(end->c, path[i].r_end);
        if (i > 0) {
            fill_segment(&path[i - 1], v3_sub(x, last_start), v3_sub(x_end, last_end), stage->phi);
            length += path[i - 1].length;
            length_end += path[i - 1].length_end;
        }
        last_start = x;
        last_end = x_end;
    }
    const double from = length - spring->rest_length;
    const double to = length_end - spring->rest_length;
    spring_mean T = stage->phi == 0.5   ? tml__spring_mean(spring, from, to)
                    : stage->phi == 1.0 ? tml__spring_law(spring, to)
                                        : tml__spring_law(spring, from);
    if (stage->phi == 0.0) T.slope = 0.0;
    const affine_rate by = affine_rate_of(stage);
    const double before = a->length_before[spring - a->s->model->springs];
    const double lag = by.lag > 0.0 ? (length - before) / by.lag : 0.0;
    T.force += spring->damping * (length_end - length) / by.span +
               tml__control_eval(&spring->force, a->force_time).value;
    if (by.lag > 0.0) T.force -= spring->damping * lag;
    T.slope += spring->damping / by.span;
    if (spring->rayleigh > 0.0) {  // times the rate of the law's force
        const spring_mean start = tml__spring_law(spring, from);
        const spring_mean end = tml__spring_law(spring, to);
        T.force += spring->rayleigh * (end.force - start.force) / by.span;
        T.slope += spring->rayleigh * end.slope / by.span;
        if (by.lag > 0.0) {
            const spring_mean past = tml__spring_law(spring, before - spring->rest_length);
            T.force -= spring->rayleigh * (start.force - past.force) / by.lag;
        }
    }
    // the pull of a muscle at the length and rate of the stage
    const double rate = (length_end - length) / by.span - lag;
    const double at = length + stage->phi * (length_end - length);
    const muscle_pull pull = tml__spring_muscle(spring, at, rate, a->force_time);
    T.force += pull.force;
    T.slope += stage->phi * pull.by_length + pull.by_rate / by.span;
    return T;
}

void tml__affine_spring_before(affine_system* a)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        vec3 last = v3_zero();
        a->length_before[i] = 0.0;
        for (int p = 0; p < spring->point_count; p++) {
            const rigid* b = &a->s->bodies[spring->body[p]];
            const vec3 x = v3_add(b->c, m3_apply(b->R, spring->point[p]));
            if (p > 0) a->length_before[i] += v3_norm(v3_sub(x, last));
            last = x;
        }
    }
}

// The sum of segments at point i, where forces act and at the end.
vec3 tml__affine_spring_pull(const path_point* path, int n, int i)
{
    const vec3 before = i > 0 ? path[i - 1].e : v3_zero();
    return i < n - 1 ? v3_sub(before, path[i].e) : before;
}

static vec3 pull_at_end(const path_point* path, int n, int i)
{
    const vec3 before = i > 0 ? path[i - 1].e_end : v3_zero();
    return i < n - 1 ? v3_sub(before, path[i].e_end) : before;
}

void tml__affine_spring_forces(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const spring_mean T = tml__affine_spring_path(a, stage, spring);
        for (int p = 0; p < spring->point_count; p++) {
            const vec3 f =
                v3_scale(-T.force, tml__affine_spring_pull(a->path, spring->point_count, p));
            tml__affine_push(a, spring->body[p], f, v3_cross(a->path[p].r, f));
        }
    }
}

// d(pull at i) / d(point k at the end)
static mat3 turn_between(const path_point* path, int n, int i, int k)
{
    mat3 H = m3_zero();
    for (int segment = 0; segment < n - 1; segment++) {
        const bool has_i = segment == i || segment == i - 1;
        const bool has_k = segment == k || segment == k - 1;
        if (!has_i || !has_k) continue;
        const path_point* p = &path[segment];
        const mat3 P = m3_sub(m3_identity(), m3_outer(p->e, p->e_end));
        H = m3_add(H, m3_scale(i == k ? p->bend : -p->bend, P));
    }
    return H;
}

// d(force at point i) / d(point k at the end)
mat3 tml__affine_spring_slope(const path_point* path, int n, spring_mean T, int i, int k)
{
    const vec3 g = tml__affine_spring_pull(path, n, i);
    mat3 H = m3_scale(-T.slope, m3_outer(g, pull_at_end(path, n, k)));
    if (i - k <= 1 && k - i <= 1) {
        H = m3_sub(H, m3_scale(T.force, turn_between(path, n, i, k)));
    }
    return H;
}

void tml__affine_spring_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const int n = spring->point_count;
        const spring_mean T = tml__affine_spring_path(a, stage, spring);
        for (int p = 0; p < n * n; p++) {
            const int row = p / n;
            const int column = p % n;
            const spot to = a->springs[a->spring_first[i] + p];
            const path_point* at = &a->path[row];
            const path_point* by = &a->path[column];
            const vec3 g = tml__affine_spring_pull(a->path, n, row);
            // d(force at row) = H d(point), point = x + w x r at the end
            const mat3 H = tml__affine_spring_slope(a->path, n, T, row, column);
            const mat3 H_turn = m3_scale(-1.0, m3_mul(H, m3_skew(by->r_end)));
            tml__affine_add3(to, 0, 0, -stage->beta, H);
            tml__affine_add3(to, 0, 3, -stage->beta, H_turn);
            tml__affine_add3(to, 3, 0, -stage->beta, m3_mul(m3_skew(at->r), H));
            tml__affine_add3(to, 3, 3, -stage->beta, m3_mul(m3_skew(at->r), H_turn));
            if (row != column) continue;
            // the arm turns with the body
            const vec3 f = v3_scale(-T.force, g);
            tml__affine_add3(to, 3, 3, -stage->beta * stage->phi, m3_skew_skew(f, at->r_end));
        }
    }
}
