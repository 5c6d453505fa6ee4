// method/affine/spring.c - springs and tendons over a step, with exact energy balance.
//
// A segment d of the path is linear in the bodies, so |d+| - |d| = e . (d+ - d) without error for
//     e = (d + d+) / (|d| + |d+|),     de = (I - e e+^T) / (|d| + |d+|) d(d+)
// and the mean tension of the law times the change of length is the energy stored. At the end
// (phi = 1) or at the start (phi = 0) of the step e is the segment's direction there.
//
//   f_i = -T (e_{i-1} - e_i)      T: mean of the law + damping (L+ - L)/h + force(t), and
//                                    rayleigh (law(L+) - law(L))/h, and the pull of a muscle;
//                                    by BDF2 rates are of three values
#include "method/affine/equations.h"

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

// The segments between points that are placed.
static void fill_path(path_point* path, int n, double phi, double* length, double* length_end)
{
    *length = 0.0;
    *length_end = 0.0;
    for (int i = 1; i < n; i++) {
        path_point* segment = &path[i - 1];
        fill_segment(segment, v3_sub(path[i].x, segment->x), v3_sub(path[i].x_end, segment->x_end),
                     phi);
        *length += segment->length;
        *length_end += segment->length_end;
    }
}

spring_mean tml__affine_spring_tension(const spring_data* spring, const affine_stage* stage,
                                       double time, double before, path_point* path)
{
    double length;
    double length_end;
    fill_path(path, spring->point_count, stage->phi, &length, &length_end);
    const double from = length - spring->rest_length;
    const double to = length_end - spring->rest_length;
    spring_mean T = stage->phi == 0.5   ? tml__spring_mean(spring, from, to)
                    : stage->phi == 1.0 ? tml__spring_law(spring, to)
                                        : tml__spring_law(spring, from);
    if (stage->phi == 0.0) T.slope = 0.0;
    const affine_rate by = affine_rate_of(stage);
    const double lag = by.lag > 0.0 ? (length - before) / by.lag : 0.0;
    T.force += spring->damping * (length_end - length) / by.span +
               tml__control_eval(&spring->force, time).value;
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
    const muscle_pull pull = tml__spring_muscle(spring, at, rate, time);
    T.force += pull.force;
    T.slope += stage->phi * pull.by_length + pull.by_rate / by.span;
    return T;
}

// The path of a spring; its tension, and the tension's derivative by the length at the end.
spring_mean tml__affine_spring_path(const affine_system* a, const affine_stage* stage,
                                    const spring_data* spring)
{
    path_point* path = a->path;
    for (int i = 0; i < spring->point_count; i++) {
        const int body = spring->body[i];
        const int node = a->s->model->bodies[body].node;
        const rigid* end = &a->s->bodies[body];
        const vec3 c = node >= 0 ? a->body[node].x : end->c;
        const mat3 R = node >= 0 ? a->body[node].R : end->R;
        path[i].r = m3_apply(a->force_bodies[body].R, spring->point[i]);
        path[i].r_end = m3_apply(end->R, spring->point[i]);
        path[i].x = v3_add(c, m3_apply(R, spring->point[i]));
        path[i].x_end = v3_add(end->c, path[i].r_end);
    }
    return tml__affine_spring_tension(spring, stage, a->force_time,
                                      a->length_before[spring - a->s->model->springs], path);
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

spring_block tml__affine_spring_block(const path_point* path, int n, spring_mean T, int i, int k)
{
    const mat3 arm = m3_skew(path[i].r);
    spring_block out = {.arm_turn = m3_zero()};
    // d(force at i) = H d(point k), point = x + w x r at the end
    out.force_shift = tml__affine_spring_slope(path, n, T, i, k);
    out.force_turn = m3_scale(-1.0, m3_mul(out.force_shift, m3_skew(path[k].r_end)));
    out.torque_shift = m3_mul(arm, out.force_shift);
    out.torque_turn = m3_mul(arm, out.force_turn);
    if (i != k) return out;
    const vec3 f = v3_scale(-T.force, tml__affine_spring_pull(path, n, i));
    out.arm_turn = m3_skew_skew(f, path[i].r_end);
    return out;
}

void tml__affine_spring_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const int n = spring->point_count;
        const spring_mean T = tml__affine_spring_path(a, stage, spring);
        for (int p = 0; p < n * n; p++) {
            const spot to = a->springs[a->spring_first[i] + p];
            const spring_block by = tml__affine_spring_block(a->path, n, T, p / n, p % n);
            tml__affine_add3(to, 0, 0, -stage->beta, by.force_shift);
            tml__affine_add3(to, 0, 3, -stage->beta, by.force_turn);
            tml__affine_add3(to, 3, 0, -stage->beta, by.torque_shift);
            tml__affine_add3(to, 3, 3, -stage->beta, by.torque_turn);
            if (p / n != p % n) continue;
            tml__affine_add3(to, 3, 3, -stage->beta * stage->phi, by.arm_turn);
        }
    }
}
