// geom/element.c - closest points of two elements and how they move.             [DCON App C]
#include "geom/element.h"

#include "math/small.h"

#include <stdbool.h>

// ---- what an element looks like from a direction

// The support point of an element, how it turns, and where it is flat.
typedef struct local {
    vec3 x;
    mat3 H;
    int flat_count;
    vec3 flat[2];
} local;

// x = c + r m/|m|, m the part of the direction across the axis; H = r/|m| t t^T, t along the rim.
static bool describe_rim(const element* e, vec3 direction, local* out)
{
    const vec3 u = e->axis;
    const vec3 m = v3_axpy(direction, -v3_dot(direction, u), u);
    const double length = v3_norm(m);
    // |m| < 1e-9: seen along the axis, every point of the rim is as far
    if (!(length > 1e-9)) return false;
    const vec3 radial = v3_scale(1.0 / length, m);
    const vec3 t = v3_cross(u, radial);
    out->x = v3_axpy(e->point, e->radius, radial);
    out->H = m3_scale(e->radius / length, m3_outer(t, t));
    return true;
}

// x = c + S e / g, g = sqrt(e . S e), S = R diag(r^2) R^T; H = (S - (S e)(S e)^T / g^2) / g.
static bool describe_ellipsoid(const element* e, vec3 direction, local* out)
{
    const vec3 s = m3_apply(e->square, direction);
    const double g = sqrt(v3_dot(direction, s));
    if (!(g > 0.0)) return false;  // an ellipsoid without extent
    out->x = v3_axpy(e->point, 1.0 / g, s);
    out->H = m3_scale(1.0 / g, m3_sub(e->square, m3_scale(1.0 / (g * g), m3_outer(s, s))));
    return true;
}

// `direction` is the outward normal that the other element wants; false: no unique support point.
static bool describe(const element* e, vec3 direction, local* out)
{
    *out = (local){.x = e->point};
    switch (e->kind) {
    case ELEMENT_POINT: return true;
    case ELEMENT_LINE:
        out->flat_count = 1;
        out->flat[0] = e->axis;
        return true;
    case ELEMENT_FACE:
        out->flat_count = 2;
        tangent_frame(e->axis, &out->flat[0], &out->flat[1]);
        return true;
    case ELEMENT_RIM: return describe_rim(e, direction, out);
    case ELEMENT_ELLIPSOID: return describe_ellipsoid(e, direction, out);
    }
    return false;
}

// ---- the linear system of the pair

// Unknowns: the two tangential parts of dn, then the slides along the flat directions of A and of B
// in units of `length`, which makes every entry of order one.
typedef struct pair_system {
    int size;
    double matrix[16];
    int pivot[4];
    double length;
    vec3 e[2];  // tangents
    local A, B;
} pair_system;

static double largest_entry(mat3 m)
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double row = v3_max(m3_row(m, i));
        if (row > largest) largest = row;
    }
    return largest;
}

static void fill_system(pair_system* s, vec3 n, double d)
{
    const mat3 H = m3_add(s->A.H, s->B.H);
    const int N = s->size;
    const double size = largest_entry(H);
    s->length = size > fabs(d) ? size : fabs(d);
    if (!(s->length > 0.0)) s->length = 1.0;  // a point on a face: the slides decide alone
    tangent_frame(n, &s->e[0], &s->e[1]);

    for (int k = 0; k < N * N; k++) s->matrix[k] = 0.0;
    for (int i = 0; i < 2; i++) {
        const vec3 He = m3_apply(H, s->e[i]);
        for (int j = 0; j < 2; j++) {
            s->matrix[i * N + j] = (v3_dot(s->e[j], He) + (i == j ? d : 0.0)) / s->length;
        }
        for (int k = 0; k < s->A.flat_count; k++) {
            const double part = v3_dot(s->e[i], s->A.flat[k]);
            s->matrix[i * N + 2 + k] = -part;
            s->matrix[(2 + k) * N + i] = part;
        }
        for (int k = 0; k < s->B.flat_count; k++) {
            const int row = 2 + s->A.flat_count + k;
            const double part = v3_dot(s->e[i], s->B.flat[k]);
            s->matrix[i * N + row] = part;
            s->matrix[row * N + i] = part;
        }
    }
}

// TML_SINGULAR: the pair has no unique normal here.
static tml_status factor_system(pair_system* s, const element* a, const element* b, vec3 n,
                                double d)
{
    if (!describe(a, v3_neg(n), &s->A) || !describe(b, n, &s->B)) return TML_SINGULAR;
    s->size = 2 + s->A.flat_count + s->B.flat_count;
    if (s->size > 4) return TML_SINGULAR;  // more flat directions than a plane has
    fill_system(s, n, d);
    if (tml__lu_factor(s->size, s->matrix, s->size, s->pivot) != TML_OK) return TML_SINGULAR;
    for (int k = 0; k < s->size; k++) {
        // entries are of order one; an angle of 1e-9 between two lines is not one to divide by
        if (!(fabs(s->matrix[k * s->size + k]) > 1e-9)) return TML_SINGULAR;
    }
    return TML_OK;
}

// Solve for a tangential right-hand side and the turns that the flat directions ask for; x: dn along
// the tangents, then the slides in metres.
static void solve_system(const pair_system* s, vec3 side, const double* flat_side, double* x)
{
    x[0] = v3_dot(s->e[0], side) / s->length;
    x[1] = v3_dot(s->e[1], side) / s->length;
    for (int k = 2; k < s->size; k++) x[k] = flat_side[k - 2];
    tml__lu_solve(s->size, s->matrix, s->size, s->pivot, x);
    for (int k = 2; k < s->size; k++) x[k] *= s->length;
}

static vec3 slid(vec3 x, const local* l, const double* slides)
{
    for (int k = 0; k < l->flat_count; k++) x = v3_axpy(x, slides[k], l->flat[k]);
    return x;
}

// ---- values

static tml_status finish(vec3 n, vec3 a, vec3 b, witness* out)
{
    *out = (witness){n, v3_dot(n, v3_sub(a, b)), a, b};
    return v3_is_finite(n) && v3_is_finite(a) && v3_is_finite(b) ? TML_OK : TML_SINGULAR;
}

// n = (a - b)/|a - b|. Below 1e-12 of the size of the coordinates the difference is mere rounding.
static tml_status between_points(vec3 a, vec3 b, witness* out)
{
    const vec3 y = v3_sub(a, b);
    const double d = v3_norm(y);
    if (!(d > 1e-14 * (v3_max(a) + v3_max(b)) && d > 1e-150)) return TML_SINGULAR;
    return finish(v3_scale(1.0 / d, y), a, b, out);
}

static vec3 foot_on_line(const element* line, vec3 x)
{
    return v3_axpy(line->point, v3_dot(line->axis, v3_sub(x, line->point)), line->axis);
}

// n along u x w, on the side of `start`; the feet by the 2 x 2 system of the common perpendicular.
static tml_status between_lines(const element* a, const element* b, vec3 start, witness* out)
{
    const vec3 cross = v3_cross(a->axis, b->axis);
    const double square = v3_dot(cross, cross);
    if (!(square > 1e-18)) return TML_SINGULAR;  // an angle below 1e-9: parallel
    const double side = v3_dot(cross, start) < 0.0 ? -1.0 : 1.0;
    const vec3 n = v3_scale(side / sqrt(square), cross);
    const vec3 y = v3_sub(b->point, a->point);
    const double s = v3_dot(v3_cross(y, b->axis), cross) / square;
    const double t = v3_dot(v3_cross(y, a->axis), cross) / square;
    return finish(n, v3_axpy(a->point, s, a->axis), v3_axpy(b->point, t, b->axis), out);
}

// A face gives the normal; the other element its support point. A line along a face has no
// unique closest point.
static tml_status with_face(const element* face, const element* other, bool face_is_a, witness* out)
{
    local l;
    if (!describe(other, v3_neg(face->axis), &l) || l.flat_count > 0) return TML_SINGULAR;
    const double height = v3_dot(face->axis, v3_sub(l.x, face->point));
    const vec3 foot = v3_axpy(l.x, -height, face->axis);
    return face_is_a ? finish(v3_neg(face->axis), foot, l.x, out)
                     : finish(face->axis, l.x, foot, out);
}

enum {
    MOST_ITERATIONS = 40
};

// Newton on T (a - b) = 0 and u . n = 0, with the matrix of the derivative.
static tml_status iterate(const element* a, const element* b, vec3 n, witness* out)
{
    double d = 0.0;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        pair_system s;
        if (!describe(a, v3_neg(n), &s.A) || !describe(b, n, &s.B)) return TML_SINGULAR;
        vec3 y = v3_sub(s.A.x, s.B.x);
        if (k == 0) d = v3_dot(n, y);
        const tml_status status = factor_system(&s, a, b, n, d);
        if (status != TML_OK) return status;

        double flat_side[2] = {0.0, 0.0};
        for (int f = 0; f < s.A.flat_count; f++) flat_side[f] = -v3_dot(s.A.flat[f], n);
        for (int f = 0; f < s.B.flat_count; f++) {
            flat_side[s.A.flat_count + f] = -v3_dot(s.B.flat[f], n);
        }
        double x[4];
        solve_system(&s, y, flat_side, x);
        const double step = sqrt(x[0] * x[0] + x[1] * x[1]);
        if (!isfinite(step)) return TML_SINGULAR;
        // far from the answer a full step may turn the normal over
        const double share = step > 0.3 ? 0.3 / step : 1.0;
        n = v3_axpy(v3_axpy(n, share * x[0], s.e[0]), share * x[1], s.e[1]);
        n = v3_scale(1.0 / v3_norm(n), n);
        const vec3 foot_a = slid(s.A.x, &s.A, x + 2);
        const vec3 foot_b = slid(s.B.x, &s.B, x + 2 + s.A.flat_count);
        d = v3_dot(n, v3_sub(foot_a, foot_b));
        // the step of a converged normal is its rounding
        if (step > 1e-13) continue;
        if (!describe(a, v3_neg(n), &s.A) || !describe(b, n, &s.B)) return TML_SINGULAR;
        return finish(n, slid(s.A.x, &s.A, x + 2), slid(s.B.x, &s.B, x + 2 + s.A.flat_count), out);
    }
    return TML_NOT_CONVERGED;
}

tml_status tml__witness(const element* a, const element* b, vec3 start, witness* out)
{
    const bool a_is_point = a->kind == ELEMENT_POINT;
    const bool b_is_point = b->kind == ELEMENT_POINT;
    const bool a_is_line = a->kind == ELEMENT_LINE;
    const bool b_is_line = b->kind == ELEMENT_LINE;

    if (b->kind == ELEMENT_FACE) return with_face(b, a, false, out);
    if (a->kind == ELEMENT_FACE) return with_face(a, b, true, out);
    if (a_is_point && b_is_point) return between_points(a->point, b->point, out);
    if (a_is_point && b_is_line) {
        return between_points(a->point, foot_on_line(b, a->point), out);
    }
    if (a_is_line && b_is_point) {
        return between_points(foot_on_line(a, b->point), b->point, out);
    }
    if (a_is_line && b_is_line) return between_lines(a, b, start, out);
    return iterate(a, b, start, out);
}

// ---- derivatives

static vec3 moved(vec3 omega, vec3 v, vec3 x) { return v3_add(v, v3_cross(omega, x)); }

static void slope_column(const pair_system* s, const witness* w, int column, witness_slope* out)
{
    const bool is_of_A = column < 6;
    const int axis = column % 3;
    const vec3 omega = column % 6 < 3 ? v3_unit(axis) : v3_zero();
    const vec3 v = column % 6 < 3 ? v3_zero() : v3_unit(axis);
    const vec3 omega_A = is_of_A ? omega : v3_zero();
    const vec3 omega_B = is_of_A ? v3_zero() : omega;
    const vec3 turn_A = v3_cross(omega_A, w->n);
    const vec3 turn_B = v3_cross(omega_B, w->n);
    const vec3 at_a = is_of_A ? moved(omega, v, w->a) : v3_zero();
    const vec3 at_b = is_of_A ? v3_zero() : moved(omega, v, w->b);

    const vec3 side =
        v3_add(v3_sub(at_a, at_b), v3_add(m3_apply(s->A.H, turn_A), m3_apply(s->B.H, turn_B)));
    double flat_side[2] = {0.0, 0.0};
    for (int k = 0; k < s->A.flat_count; k++) {
        flat_side[k] = -v3_dot(w->n, v3_cross(omega_A, s->A.flat[k]));
    }
    for (int k = 0; k < s->B.flat_count; k++) {
        flat_side[s->A.flat_count + k] = -v3_dot(w->n, v3_cross(omega_B, s->B.flat[k]));
    }
    double x[4];
    solve_system(s, side, flat_side, x);
    const vec3 dn = v3_axpy(v3_scale(x[0], s->e[0]), x[1], s->e[1]);
    const vec3 turned_a = v3_sub(at_a, m3_apply(s->A.H, v3_sub(dn, turn_A)));
    const vec3 turned_b = v3_add(at_b, m3_apply(s->B.H, v3_sub(dn, turn_B)));

    out->n[column] = dn;
    out->a[column] = slid(turned_a, &s->A, x + 2);
    out->b[column] = slid(turned_b, &s->B, x + 2 + s->A.flat_count);
    // the closest points are stationary: only the bodies' own motion counts
    out->d[column] = v3_dot(w->n, v3_sub(at_a, at_b));
}

// Between points and lines in closed form. With k = n . (u x w), A along u and B along w,
//     dn = -(n . du) (w x n) / k - (n . dw) (n x u) / k
// and the slides follow along w x n and n x u; a point has none, and its normal turns as it goes around.
typedef struct bare_pair {
    bool a_is_line, b_is_line;
    vec3 u, w, by_u, by_w;  // by_u: w x n / k, by_w: n x u / k
} bare_pair;

static bool is_bare(const element* e)
{
    return e->kind == ELEMENT_POINT || e->kind == ELEMENT_LINE;
}

static tml_status bare_system(const element* a, const element* b, const witness* w, bare_pair* out)
{
    *out = (bare_pair){.a_is_line = a->kind == ELEMENT_LINE,
                       .b_is_line = b->kind == ELEMENT_LINE,
                       .u = a->axis,
                       .w = b->axis};
    if (!(out->a_is_line && out->b_is_line)) return w->d != 0.0 ? TML_OK : TML_SINGULAR;
    const double k = v3_dot(w->n, v3_cross(out->u, out->w));
    if (!(fabs(k) > 1e-9)) return TML_SINGULAR;
    out->by_u = v3_scale(1.0 / k, v3_cross(out->w, w->n));
    out->by_w = v3_scale(1.0 / k, v3_cross(w->n, out->u));
    return TML_OK;
}

static void bare_column(const bare_pair* p, const witness* w, int column, witness_slope* out)
{
    const bool is_of_A = column < 6;
    const vec3 e = v3_unit(column % 3);
    const bool is_turn = column % 6 < 3;
    const vec3 n = w->n;
    const vec3 zero = v3_zero();
    const vec3 shift = is_turn ? v3_cross(e, is_of_A ? w->a : w->b) : e;
    const vec3 rel = is_of_A ? shift : v3_neg(shift);
    const double du = is_turn && is_of_A && p->a_is_line ? v3_dot(n, v3_cross(e, p->u)) : 0.0;
    const double dw = is_turn && !is_of_A && p->b_is_line ? v3_dot(n, v3_cross(e, p->w)) : 0.0;
    const double d = v3_dot(n, rel);
    double s = 0.0;
    double t = 0.0;
    vec3 dn;
    if (p->a_is_line && p->b_is_line) {
        dn = v3_axpy(v3_scale(-du, p->by_u), -dw, p->by_w);
        const vec3 open = v3_axpy(v3_neg(rel), w->d, dn);
        s = v3_dot(open, p->by_u);
        t = -v3_dot(open, p->by_w);
    } else {
        if (p->a_is_line) s = -v3_dot(p->u, rel) - w->d * du;
        if (p->b_is_line) t = v3_dot(p->w, rel) + w->d * dw;
        const vec3 across = v3_axpy(v3_axpy(v3_axpy(rel, -d, n), s, p->u), -t, p->w);
        dn = v3_scale(1.0 / w->d, across);
    }
    out->n[column] = dn;
    out->a[column] = v3_axpy(is_of_A ? shift : zero, s, p->u);
    out->b[column] = v3_axpy(is_of_A ? zero : shift, t, p->w);
    out->d[column] = d;
}

tml_status tml__witness_slope(const element* a, const element* b, const witness* w, int first,
                              int last, witness_slope* out)
{
    if (is_bare(a) && is_bare(b)) {
        bare_pair p;
        const tml_status bare = bare_system(a, b, w, &p);
        for (int column = first; column < last && bare == TML_OK; column++) {
            bare_column(&p, w, column, out);
        }
        return bare;
    }
    pair_system s;
    const tml_status status = factor_system(&s, a, b, w->n, w->d);
    if (status != TML_OK) return status;
    for (int column = first; column < last; column++) slope_column(&s, w, column, out);
    return TML_OK;
}
