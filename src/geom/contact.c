// geom/contact.c - point, normal and gap of a contact from its feature, and their derivatives.
//
// A witness contact lies halfway between the two surfaces; where one of the elements is a face, on the
// surface of the other body, so that it does not slide as the face turns. Sharp points, and what is
// left of a clipped face, lie on the face instead: the contacts of a patch are then in one plane across
// its normal, and twelve friction and normal rows of four corners have the rank six of the motion
// between two bodies. Corners at heights of their own would add motions that friction can only just feel.
//
//     s = m . (b0 - a0) / (m . u),   c = a0 + s u,   gap = f . (c - f0) - r,   p = c - (gap + r) f
//
// line (a0, u), cutting plane (b0, m), face (f0, f), r the rounding of the line.   [DCON App C]
#include "geom/contact.h"

// ---- values

static bool is_sharp(const element* e) { return e->kind == ELEMENT_POINT && !(e->offset > 0.0); }

static vec3 witness_point(const contact_feature* f, vec3 n, vec3 a, vec3 b)
{
    const vec3 on_a = v3_axpy(a, -f->a.offset, n);
    const vec3 on_b = v3_axpy(b, f->b.offset, n);
    if (f->b.kind == ELEMENT_FACE) return is_sharp(&f->a) ? on_b : on_a;
    if (f->a.kind == ELEMENT_FACE) return is_sharp(&f->b) ? on_a : on_b;
    return v3_scale(0.5, v3_add(on_a, on_b));
}

static tml_status witness_value(const contact_feature* f, vec3 start, contact* out)
{
    witness w;
    const tml_status status = tml__witness(&f->a, &f->b, start, &w);
    if (status != TML_OK) return status;
    out->normal = w.n;
    out->gap = w.d - f->a.offset - f->b.offset;
    out->point = witness_point(f, w.n, w.a, w.b);
    return TML_OK;
}

static const element* cut_line(const contact_feature* f)
{
    return f->a.kind == ELEMENT_LINE ? &f->a : &f->b;
}

static const element* cut_plane(const contact_feature* f)
{
    return f->a.kind == ELEMENT_LINE ? &f->b : &f->a;
}

static tml_status cut_value(const contact_feature* f, contact* out)
{
    const element* line = cut_line(f);
    const element* plane = cut_plane(f);
    const double slope = v3_dot(plane->axis, line->axis);
    if (!(fabs(slope) > 1e-9)) return TML_SINGULAR;  // the line runs along the plane
    const double s = v3_dot(plane->axis, v3_sub(plane->point, line->point)) / slope;
    const vec3 c = v3_axpy(line->point, s, line->axis);
    out->normal = f->face_is_a ? v3_neg(f->face.axis) : f->face.axis;
    out->gap = v3_dot(f->face.axis, v3_sub(c, f->face.point)) - line->offset;
    out->point = v3_axpy(c, -(line->offset + out->gap), f->face.axis);
    return isfinite(out->gap) && v3_is_finite(out->point) ? TML_OK : TML_SINGULAR;
}

tml_status tml__feature_value(const contact_feature* feature, vec3 start, contact* out)
{
    return feature->kind == FEATURE_CUT ? cut_value(feature, out)
                                        : witness_value(feature, start, out);
}

// ---- ends of edges

static double clamp(double x, double high)
{
    if (!(x > 0.0)) return 0.0;
    return x < high ? x : high;
}

// An edge, or the end of one.
static bool has_end(const element* e)
{
    return (e->kind == ELEMENT_LINE || e->kind == ELEMENT_POINT) && e->radius > 0.0;
}

static double foot(const element* line, vec3 x)
{
    return v3_dot(line->axis, v3_sub(x, line->point));
}

// The edge itself, or its end where `at` is beyond it.
static void end_line(element* line, double at)
{
    const double within = clamp(at, line->radius);
    line->kind = ELEMENT_LINE;
    if (at > 0.0 && at < line->radius) return;
    *line = element_point(v3_axpy(line->point, within, line->axis), line->offset);
}

// Have the lines passed through each other, seen along `start`?
static bool have_crossed(const element* a, const element* b, vec3 start)
{
    const vec3 cross = v3_cross(a->axis, b->axis);
    const double apart = v3_dot(cross, v3_sub(a->point, b->point));
    return !((v3_dot(cross, start) < 0.0 ? -apart : apart) > 0.0);
}

static bool is_within(double at, const element* line) { return at > 0.0 && at < line->radius; }

// The nearest points of two edges: along a as if b had no ends, along b from there, and along a again
// where b ends. Edges that have crossed stay lines: between points nobody could tell that they overlap. Rounded ones
// have only where the lines cross within both: the line of a rod that points away from a limb, and turns, passes
// through that of the limb far from the rod.
static void end_lines(element* a, element* b, vec3 start)
{
    const vec3 d = v3_sub(b->point, a->point);
    const double c = v3_dot(a->axis, b->axis);
    const double across = 1.0 - c * c;
    // without a nearest point of their own, parallel lines stay as they are
    if (!(across > 1e-12)) return;
    double s = (v3_dot(d, a->axis) - c * v3_dot(d, b->axis)) / across;
    const bool is_sharp_pair = !(a->offset + b->offset > 0.0);
    const bool is_inside = is_within(s, a) && is_within(foot(b, v3_axpy(a->point, s, a->axis)), b);
    if ((is_sharp_pair || is_inside) && have_crossed(a, b, start)) {
        a->kind = b->kind = ELEMENT_LINE;
        return;
    }
    const double t = foot(b, v3_axpy(a->point, clamp(s, a->radius), a->axis));
    const double on_b = clamp(t, b->radius);
    if (!is_within(t, b)) s = foot(a, v3_axpy(b->point, on_b, b->axis));
    end_line(a, s);
    end_line(b, t);
}

// The point of an edge that is nearest to a line without ends.
static void end_at_line(element* edge, const element* line, vec3 start)
{
    const vec3 d = v3_sub(line->point, edge->point);
    const double c = v3_dot(edge->axis, line->axis);
    const double across = 1.0 - c * c;
    if (!(across > 1e-12)) return;
    const double s = (v3_dot(d, edge->axis) - c * v3_dot(d, line->axis)) / across;
    if (is_within(s, edge) && have_crossed(edge, line, start)) {
        edge->kind = ELEMENT_LINE;
        return;
    }
    end_line(edge, s);
}

void tml__feature_end(contact_feature* f, vec3 start)
{
    if (f->kind != FEATURE_WITNESS) return;
    if (has_end(&f->a) && has_end(&f->b)) {
        end_lines(&f->a, &f->b, start);
    } else if (has_end(&f->a) && f->b.kind == ELEMENT_LINE) {
        end_at_line(&f->a, &f->b, start);
    } else if (has_end(&f->b) && f->a.kind == ELEMENT_LINE) {
        end_at_line(&f->b, &f->a, v3_neg(start));
    } else if (has_end(&f->a) && f->b.kind == ELEMENT_POINT) {
        end_line(&f->a, foot(&f->a, f->b.point));
    } else if (has_end(&f->b) && f->a.kind == ELEMENT_POINT) {
        end_line(&f->b, foot(&f->b, f->a.point));
    }
}

// ---- bodies that move on

static void move_element(element* e, vec3 from, const mat3* turn, vec3 to)
{
    e->point = v3_add(to, m3_apply(*turn, v3_sub(e->point, from)));
    e->axis = m3_apply(*turn, e->axis);
    if (e->kind != ELEMENT_ELLIPSOID) return;
    e->square = m3_mul_bt(m3_mul(*turn, e->square), *turn);
}

void tml__feature_move(contact_feature* f, bool is_a, vec3 from, const mat3* turn, vec3 to)
{
    move_element(is_a ? &f->a : &f->b, from, turn, to);
    if ((f->face_is_a != 0) == is_a) move_element(&f->face, from, turn, to);
}

// ---- derivatives

// Columns `first` to `last` - 1 are asked for.
typedef struct column_range {
    int first, last;
} column_range;

static void store_column(double out[CONTACT_ROWS][TWIST_COLUMNS], int column, double gap, vec3 n,
                         vec3 p)
{
    out[0][column] = gap;
    for (int i = 0; i < 3; i++) {
        out[1 + i][column] = v3_at(n, i);
        out[4 + i][column] = v3_at(p, i);
    }
}

static tml_status witness_columns(const contact* c, column_range of,
                                  double out[CONTACT_ROWS][TWIST_COLUMNS])
{
    const contact_feature* f = &c->feature;
    witness w;
    witness_slope slope;
    tml_status status = tml__witness(&f->a, &f->b, c->normal, &w);
    if (status == TML_OK) status = tml__witness_slope(&f->a, &f->b, &w, of.first, of.last, &slope);
    if (status != TML_OK) return status;
    for (int k = of.first; k < of.last; k++) {
        // the point is linear in n, a and b
        const vec3 p = witness_point(f, slope.n[k], slope.a[k], slope.b[k]);
        store_column(out, k, slope.d[k], slope.n[k], p);
    }
    return TML_OK;
}

// How a point or a direction of a body moves in one column.
typedef struct column_motion {
    vec3 omega, v;
    bool is_of_a;
} column_motion;

static column_motion motion_of(int column)
{
    const vec3 e = v3_unit(column % 3);
    const bool is_turn = column % 6 < 3;
    return (column_motion){is_turn ? e : v3_zero(), is_turn ? v3_zero() : e, column < 6};
}

static vec3 moved_point(const column_motion* m, bool is_of_a, vec3 x)
{
    return m->is_of_a == is_of_a ? v3_add(m->v, v3_cross(m->omega, x)) : v3_zero();
}

static vec3 moved_direction(const column_motion* m, bool is_of_a, vec3 x)
{
    return m->is_of_a == is_of_a ? v3_cross(m->omega, x) : v3_zero();
}

static tml_status cut_columns(const contact* c, column_range of,
                              double out[CONTACT_ROWS][TWIST_COLUMNS])
{
    const contact_feature* f = &c->feature;
    const element* line = cut_line(f);
    const element* plane = cut_plane(f);
    const bool line_is_a = line == &f->a;
    const bool face_is_a = f->face_is_a != 0;
    const double slope = v3_dot(plane->axis, line->axis);
    if (!(fabs(slope) > 1e-9)) return TML_SINGULAR;
    const vec3 between = v3_sub(plane->point, line->point);
    const double s = v3_dot(plane->axis, between) / slope;
    const vec3 cut = v3_axpy(line->point, s, line->axis);
    const double height = v3_dot(f->face.axis, v3_sub(cut, f->face.point));

    for (int k = of.first; k < of.last; k++) {
        const column_motion m = motion_of(k);
        const vec3 da = moved_point(&m, line_is_a, line->point);
        const vec3 du = moved_direction(&m, line_is_a, line->axis);
        const vec3 db = moved_point(&m, !line_is_a, plane->point);
        const vec3 dm = moved_direction(&m, !line_is_a, plane->axis);
        const vec3 df = moved_point(&m, face_is_a, f->face.point);
        const vec3 dn = moved_direction(&m, face_is_a, f->face.axis);

        const double ds = (v3_dot(dm, between) + v3_dot(plane->axis, v3_sub(db, da)) -
                           s * (v3_dot(dm, line->axis) + v3_dot(plane->axis, du))) /
                          slope;
        const vec3 dc = v3_axpy(v3_axpy(da, s, du), ds, line->axis);
        const double gap =
            v3_dot(dn, v3_sub(cut, f->face.point)) + v3_dot(f->face.axis, v3_sub(dc, df));
        const vec3 dp = v3_axpy(v3_axpy(dc, -height, dn), -gap, f->face.axis);
        store_column(out, k, gap, face_is_a ? v3_neg(dn) : dn, dp);
    }
    return TML_OK;
}

static tml_status columns_of(const contact* c, column_range of,
                             double out[CONTACT_ROWS][TWIST_COLUMNS])
{
    return c->feature.kind == FEATURE_CUT ? cut_columns(c, of, out) : witness_columns(c, of, out);
}

tml_status tml__contact_slope(const contact* c, double out[CONTACT_ROWS][TWIST_COLUMNS])
{
    return columns_of(c, (column_range){0, TWIST_COLUMNS}, out);
}

tml_status tml__contact_slope_of(const contact* c, bool of_a,
                                 double out[CONTACT_ROWS][TWIST_COLUMNS])
{
    const int first = of_a ? 0 : TWIST_COLUMNS / 2;
    return columns_of(c, (column_range){first, first + TWIST_COLUMNS / 2}, out);
}

// ---- tangents

vec3 tml__contact_seed(vec3 normal)
{
    const double x = fabs(normal.x);
    const double y = fabs(normal.y);
    const double z = fabs(normal.z);
    return v3_unit(x <= y && x <= z ? 0 : y <= z ? 1 : 2);
}

// Closer than 6 degrees to the normal tangents would turn ten times as fast as the normal.
static const double too_near = 0.1;

bool tml__contact_has_seed(const contact* c)
{
    return v3_norm(v3_cross(c->seed, c->normal)) > too_near;
}

void tml__contact_tangents(contact* c)
{
    vec3 across = v3_cross(c->seed, c->normal);
    double length = v3_norm(across);
    if (!(length > too_near)) {
        c->seed = tml__contact_seed(c->normal);
        across = v3_cross(c->seed, c->normal);
        length = v3_norm(across);
    }
    c->tangent[0] = v3_scale(1.0 / length, across);
    c->tangent[1] = v3_cross(c->normal, c->tangent[0]);
}

// dt1 = (I - t1 t1^T)(e x dn)/|e x n|,  dt2 = dn x t1 + n x dt1
void tml__contact_tangent_slope(const contact* c, double slope[CONTACT_ROWS][TWIST_COLUMNS],
                                double out[6][TWIST_COLUMNS])
{
    const vec3 t1 = c->tangent[0];
    const double length = v3_norm(v3_cross(c->seed, c->normal));
    for (int k = 0; k < TWIST_COLUMNS; k++) {
        const vec3 dn = v3(slope[1][k], slope[2][k], slope[3][k]);
        const vec3 across = v3_scale(1.0 / length, v3_cross(c->seed, dn));
        const vec3 dt1 = v3_axpy(across, -v3_dot(t1, across), t1);
        const vec3 dt2 = v3_add(v3_cross(dn, t1), v3_cross(c->normal, dt1));
        for (int i = 0; i < 3; i++) {
            out[i][k] = v3_at(dt1, i);
            out[3 + i][k] = v3_at(dt2, i);
        }
    }
}
