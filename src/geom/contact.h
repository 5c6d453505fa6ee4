// geom/contact.h - one touching point, as every formulation sees it.
//
// The normal points from body b to body a, the gap is positive while the bodies are apart. A contact
// keeps what it was made of (its *feature*), so that its derivatives with respect to the motion of
// the two bodies can be asked for at any time until the next detection.
#ifndef TML_GEOM_CONTACT_H
#define TML_GEOM_CONTACT_H

#include "geom/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum feature_kind {
    FEATURE_WITNESS,  // closest points of the elements a and b
    FEATURE_CUT,      // where a line of one body meets a plane of the other, seen along a face
} feature_kind;

// FEATURE_CUT comes from clipping the faces of two polytopes against each other. One of a and b is
// ELEMENT_LINE, the other ELEMENT_FACE and cuts it; the gap is measured along the normal of `face`,
// which belongs to a or to b.
typedef struct contact_feature {
    feature_kind kind;
    element a, b;
    element face;
    int face_is_a;  // FEATURE_CUT: whose face it is
} contact_feature;

typedef struct contact {
    int body_a, body_b;    // as the caller of the detection numbers them
    int shape_a, shape_b;  // colliders
    uint64_t id;           // of the touching features: equal ids in two steps are one contact
    vec3 point;            // m, world
    vec3 normal;           // from b to a
    double gap;            // m
    double friction;       // the smaller of the two shapes
    double restitution;    // the larger
    vec3 seed;             // fixes the tangents; kept while the contact lives
    vec3 tangent[2];       // normal, tangent[0], tangent[1] are right-handed
    contact_feature feature;
} contact;

// Who goes through a long list asks in good time for what comes later, all but its feature: contacts are farther
// apart than the processor looks ahead by itself.
static inline void contact_fetch(const contact* list, int i, int count)
{
    enum {
        AHEAD_OF_USE = 6,  // contacts
        LINE_BYTES = 64
    };
    if (i + AHEAD_OF_USE >= count) return;
    const char* from = (const char*)&list[i + AHEAD_OF_USE];
    for (size_t k = 0; k < offsetof(contact, feature); k += LINE_BYTES) {
        __builtin_prefetch(from + k);
    }
}

// Point, normal and gap of a feature. `start`: see tml__witness.
tml_status tml__feature_value(const contact_feature* feature, vec3 start, contact* out);

// The elements of body a, or of body b, as the body turns about `from` and goes from there to `to`.
void tml__feature_move(contact_feature* feature, bool is_a, vec3 from, const mat3* turn, vec3 to);

// Where the bodies have moved on since their contact was found, the nearest points of lines may lie beyond the
// ends of their edges: such a line becomes the point at that end. And a point that is the end of an edge becomes
// that line where the nearest point now lies inside: a link comes onto a sheave by its end and lies on its side
// when the step ends. Gap, normal and point change without a jump as they do. Two lines that have passed through
// each other along `start` stay lines.
void tml__feature_end(contact_feature* feature, vec3 start);

// d(gap, normal, point)/d(omega_a, v_a, omega_b, v_b): rows gap, n_x, n_y, n_z, p_x, p_y, p_z; columns
// as in geom/element.h. For FEATURE_WITNESS the first row is the row [p x n; n] of the contact; for
// FEATURE_CUT it is not, because the point slides.                            [DCON App C]
enum {
    CONTACT_ROWS = 7
};
tml_status tml__contact_slope(const contact* c, double out[CONTACT_ROWS][TWIST_COLUMNS]);

// Those of one body alone: a's six columns, or b's.
tml_status tml__contact_slope_of(const contact* c, bool of_a,
                                 double out[CONTACT_ROWS][TWIST_COLUMNS]);

// The tangents from seed and normal:  t1 = (e x n)/|e x n|,  t2 = n x t1.
// A seed that became parallel to the normal is replaced.
void tml__contact_tangents(contact* c);
bool tml__contact_has_seed(const contact* c);  // it would not be replaced

// The seed of a new contact: the world axis with the smallest share of the normal.
vec3 tml__contact_seed(vec3 normal);

// d(t1, t2)/d(...) from d(n): rows t1_x .. t1_z, t2_x .. t2_z.
void tml__contact_tangent_slope(const contact* c, double slope[CONTACT_ROWS][TWIST_COLUMNS],
                                double out[6][TWIST_COLUMNS]);

#endif
