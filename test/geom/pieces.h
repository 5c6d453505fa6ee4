// test/geom/pieces.h - random convex pieces for tests of contacts, with support functions of their
// own that share nothing with the library's.
#ifndef TRAMMEL_TEST_GEOM_PIECES_H
#define TRAMMEL_TEST_GEOM_PIECES_H

#include "geom/hull.h"
#include "geom/narrow.h"
#include "test/check.h"
#include "test/random.h"

typedef enum sample_kind {
    SAMPLE_SPHERE,
    SAMPLE_CAPSULE,
    SAMPLE_BOX,
    SAMPLE_HULL,
    SAMPLE_CYLINDER,
    SAMPLE_ELLIPSOID,
    SAMPLE_KINDS,
    SAMPLE_PLANE,
} sample_kind;

static const char* const sample_names[] = {"sphere",   "capsule",   "box", "hull",
                                           "cylinder", "ellipsoid", "",    "plane"};

typedef struct sample_piece {
    sample_kind kind;
    vec3 size;  // sphere, capsule, cylinder: radius x, half length z; box: half edges; radii
    polytope hull, prism, segment;
    piece p;
} sample_piece;

static inline void sample_place(sample_piece* s, vec3 at, quat q)
{
    s->p.core.p = at;
    s->p.core.R = q_matrix(q);
}

static inline void sample_make(random_source* r, pool* memory, sample_kind kind, sample_piece* s)
{
    *s = (sample_piece){.kind = kind};
    s->size =
        v3(random_between(r, 0.2, 0.6), random_between(r, 0.2, 0.6), random_between(r, 0.2, 0.6));
    s->p.kind = PIECE_HULL;
    convex* c = &s->p.core;
    c->kind = CONVEX_POLYTOPE;
    c->hull = &s->hull;
    tml_status status = TML_OK;
    vec3 points[24];
    message why;
    switch (kind) {
    case SAMPLE_SPHERE:
        c->offset = s->size.x;
        status = tml__polytope_point(memory, &s->hull);
        break;
    case SAMPLE_CAPSULE:
        c->offset = s->size.x;
        status = tml__polytope_segment(memory, s->size.z, &s->hull);
        break;
    case SAMPLE_BOX: status = tml__polytope_box(memory, s->size, &s->hull); break;
    case SAMPLE_HULL:
        for (int i = 0; i < 24; i++) points[i] = random_vec3(r, 0.5);
        status = tml__hull(memory, 5 + random_below(r, 20), points, "hull", &why, &s->hull);
        break;
    case SAMPLE_CYLINDER:
        s->p.kind = PIECE_CYLINDER;
        c->kind = CONVEX_CYLINDER;
        c->size = s->size;
        s->p.prism = &s->prism;
        s->p.segment = &s->segment;
        status = tml__polytope_prism(memory, CYLINDER_SIDES, s->size.x, s->size.z, &s->prism);
        if (status == TML_OK) status = tml__polytope_segment(memory, s->size.z, &s->segment);
        break;
    case SAMPLE_ELLIPSOID:
        s->p.kind = PIECE_ELLIPSOID;
        c->kind = CONVEX_ELLIPSOID;
        c->size = s->size;
        break;
    case SAMPLE_PLANE: s->p.kind = PIECE_PLANE; break;
    case SAMPLE_KINDS: break;
    }
    CHECK(status == TML_OK);
    sample_place(s, v3_zero(), q_identity());
}

// max over the piece of n . x, rounding included; planes excepted
static inline double sample_reach(const sample_piece* s, vec3 n)
{
    const vec3 d = m3_apply_t(s->p.core.R, n);
    const vec3 h = s->size;
    double reach = 0.0;
    switch (s->kind) {
    case SAMPLE_SPHERE: reach = h.x * v3_norm(d); break;
    case SAMPLE_CAPSULE: reach = h.x * v3_norm(d) + h.z * fabs(d.z); break;
    case SAMPLE_BOX: reach = h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z); break;
    case SAMPLE_HULL:
        reach = -HUGE_VAL;
        for (int i = 0; i < s->hull.vertex_count; i++) {
            reach = fmax(reach, v3_dot(d, s->hull.vertices[i]));
        }
        break;
    case SAMPLE_CYLINDER: reach = h.x * sqrt(d.x * d.x + d.y * d.y) + h.z * fabs(d.z); break;
    case SAMPLE_ELLIPSOID:
        reach = sqrt(h.x * h.x * d.x * d.x + h.y * h.y * d.y * d.y + h.z * h.z * d.z * d.z);
        break;
    case SAMPLE_PLANE:
    case SAMPLE_KINDS: break;
    }
    return v3_dot(n, s->p.core.p) + reach;
}

// How far the planes across n that touch the two pieces are apart.
static inline double sample_separation(const sample_piece* a, const sample_piece* b, vec3 n)
{
    return -sample_reach(a, v3_neg(n)) - sample_reach(b, n);
}

// The signed distance of two convex pieces is the largest such separation: sampled on the sphere,
// then climbed from the best samples by steps that halve.
static inline double sample_climb(const sample_piece* a, const sample_piece* b, vec3* n)
{
    double best = sample_separation(a, b, *n);
    for (double step = 0.2; step > 1e-11; step *= 0.5) {
        for (int tries = 0; tries < 40; tries++) {
            vec3 u;
            vec3 v;
            tangent_frame(*n, &u, &v);
            vec3 better = *n;
            for (int k = 0; k < 8; k++) {
                const double angle = TML_PI / 4.0 * k;
                vec3 t = v3_axpy(v3_axpy(*n, step * cos(angle), u), step * sin(angle), v);
                t = v3_scale(1.0 / v3_norm(t), t);
                const double s = sample_separation(a, b, t);
                if (s > best) {
                    best = s;
                    better = t;
                }
            }
            if (v3_norm(v3_sub(better, *n)) <= 0.0) break;
            *n = better;
        }
    }
    return best;
}

static inline double sample_distance(const sample_piece* a, const sample_piece* b)
{
    enum {
        POINTS = 1200,
        KEPT = 4
    };
    double best = -HUGE_VAL;
    vec3 starts[KEPT];
    double values[KEPT] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < POINTS; i++) {
        // a spiral covers the sphere evenly
        const double z = 1.0 - (2.0 * i + 1.0) / POINTS;
        const double angle = 2.399963229728653 * i;
        const double r = sqrt(1.0 - z * z);
        const vec3 n = v3(r * cos(angle), r * sin(angle), z);
        const double s = sample_separation(a, b, n);
        int worst = 0;
        for (int k = 1; k < KEPT; k++) worst = values[k] < values[worst] ? k : worst;
        if (s > values[worst]) {
            values[worst] = s;
            starts[worst] = n;
        }
    }
    for (int k = 0; k < KEPT; k++) best = fmax(best, sample_climb(a, b, &starts[k]));
    return best;
}

#endif
