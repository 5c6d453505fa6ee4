// geom/narrow.c - which code answers for which pair of pieces, and planes.
#include "geom/narrow.h"

// ---- planes

typedef struct plane_job {
    element face;
    bool plane_is_a;
    double margin;
    manifold* m;
} plane_job;

static tml_status add_on_plane(const plane_job* job, element e, int number)
{
    const contact_feature f = {.kind = FEATURE_WITNESS,
                               .a = job->plane_is_a ? job->face : e,
                               .b = job->plane_is_a ? e : job->face};
    const uint64_t id = job->plane_is_a ? feature_id(ID_FACE_VERTEX, 0, number)
                                        : feature_id(ID_VERTEX_FACE, number, 0);
    return tml__manifold_add(job->m, &f, job->face.axis, id, job->margin);
}

static tml_status hull_on_plane(const plane_job* job, const convex* c)
{
    for (int v = 0; v < c->hull->vertex_count; v++) {
        const vec3 x = convex_vertex(c, v);
        const double height = v3_dot(job->face.axis, v3_sub(x, job->face.point)) - c->offset;
        if (!(height <= job->margin)) continue;
        const tml_status status = add_on_plane(job, element_point(x, c->offset), v);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

// Four points of the lower rim, fixed in the cylinder; `uphill` leaves out those near the lowest.
static tml_status cap_points(const plane_job* job, const convex* c, double lower, vec3 uphill)
{
    const vec3 u = m3_column(c->R, 2);
    const vec3 centre = v3_axpy(c->p, lower * c->size.z, u);
    tml_status status = TML_OK;
    for (int k = 0; k < 4 && status == TML_OK; k++) {
        const vec3 way = v3_scale(k < 2 ? 1.0 : -1.0, m3_column(c->R, k % 2));
        if (v3_dot(way, uphill) < -0.5) continue;
        const vec3 point = v3_axpy(centre, c->size.x, way);
        status = add_on_plane(job, element_point(point, 0.0), (lower > 0.0 ? 4 : 0) + k);
    }
    return status;
}

// Tilted, the lowest point of each rim. Where all of the lower rim is near, also points that are fixed
// in the cylinder: a disc that rocks over strikes with them, when the lowest point would only then
// pass to the other side. Standing flat, those alone: below a tilt of a thousandth the lowest point
// runs around the rim too fast.
static tml_status cylinder_on_plane(const plane_job* job, const convex* c)
{
    const vec3 u = m3_column(c->R, 2);
    const vec3 n = job->face.axis;
    const double along = v3_dot(u, n);
    const double lower = along > 0.0 ? -1.0 : 1.0;
    const vec3 rise = v3_axpy(n, -along, u);
    const double tilt = v3_norm(rise);
    if (tilt < 1e-3) return cap_points(job, c, lower, v3_zero());
    tml_status status = TML_OK;
    for (int top = 0; top < 2 && status == TML_OK; top++) {
        const vec3 centre = v3_axpy(c->p, top ? c->size.z : -c->size.z, u);
        status = add_on_plane(job, element_rim(centre, u, c->size.x), 8 + top);
    }
    const vec3 uphill = v3_scale(1.0 / tilt, rise);
    const vec3 highest = v3_axpy(v3_axpy(c->p, lower * c->size.z, u), c->size.x, uphill);
    const bool is_near = v3_dot(n, v3_sub(highest, job->face.point)) <= job->margin;
    return status == TML_OK && is_near ? cap_points(job, c, lower, uphill) : status;
}

static tml_status ellipsoid_on_plane(const plane_job* job, const convex* c)
{
    const vec3 r = c->size;
    const mat3 square = m3_mul_bt(m3_mul(c->R, m3_diagonal(r.x * r.x, r.y * r.y, r.z * r.z)), c->R);
    return add_on_plane(job, element_ellipsoid(c->p, square), 0);
}

tml_status tml__plane_contacts(const piece* plane, const piece* other, bool plane_is_a,
                               double margin, manifold* m)
{
    const plane_job job = {element_face(plane->core.p, m3_column(plane->core.R, 2)), plane_is_a,
                           margin, m};
    switch (other->kind) {
    case PIECE_HULL: return hull_on_plane(&job, &other->core);
    case PIECE_CYLINDER: return cylinder_on_plane(&job, &other->core);
    case PIECE_ELLIPSOID: return ellipsoid_on_plane(&job, &other->core);
    case PIECE_PLANE: break;
    }
    return TML_UNSUPPORTED;
}

// ---- the pair

static bool is_point(const piece* p)
{
    return p->kind == PIECE_HULL && p->core.hull->vertex_count == 1;
}

static tml_status point_contacts(const convex* a, const convex* b, double margin, manifold* m)
{
    const contact_feature f = {.kind = FEATURE_WITNESS,
                               .a = element_point(convex_vertex(a, 0), a->offset),
                               .b = element_point(convex_vertex(b, 0), b->offset)};
    return tml__manifold_add(m, &f, v3_zero(), feature_id(ID_VERTEX_VERTEX, 0, 0), margin);
}

static tml_status touch(const piece* a, const piece* b, double margin, manifold* out)
{
    if (a->kind == PIECE_PLANE) return tml__plane_contacts(a, b, true, margin, out);
    if (b->kind == PIECE_PLANE) return tml__plane_contacts(b, a, false, margin, out);
    if (is_point(a) && is_point(b)) return point_contacts(&a->core, &b->core, margin, out);
    if (a->kind != PIECE_HULL || b->kind != PIECE_HULL) {
        return tml__curved_contacts(a, b, margin, out);
    }
    nearest_pair near;
    bool is_near;
    const tml_status status = tml__nearest_direction(&a->core, &b->core, margin, &near, &is_near);
    if (status != TML_OK || !is_near) return status;
    return tml__hull_contacts(&a->core, &b->core, &near, margin, out);
}

static void shift(contact* c, vec3 by)
{
    c->point = v3_add(c->point, by);
    c->feature.a.point = v3_add(c->feature.a.point, by);
    c->feature.b.point = v3_add(c->feature.b.point, by);
    c->feature.face.point = v3_add(c->feature.face.point, by);
}

tml_status tml__narrow(const piece* a, const piece* b, double margin, manifold* out)
{
    out->count = 0;
    out->faceted = 0;
    // about a point of the bodies: far from the origin the digits that decide would be lost
    const vec3 origin = a->kind == PIECE_PLANE ? b->core.p : a->core.p;
    piece near_a = *a;
    piece near_b = *b;
    near_a.core.p = v3_sub(a->core.p, origin);
    near_b.core.p = v3_sub(b->core.p, origin);
    const tml_status status = touch(&near_a, &near_b, margin, out);
    if (status != TML_OK) return status;
    for (int i = 0; i < out->count; i++) shift(&out->contacts[i], origin);
    out->count = tml__contacts_reduce(out->contacts, out->count, MANIFOLD_MOST);
    return TML_OK;
}
