// geom/bend.h - how the wrenches of one contact's rows follow the poses of its two bodies.
//
// Twelve numbers z: the displacement of body a, then of body b, about the world's origin. A row along d
// at the point p has the wrench w = [p x d; d].
#ifndef TML_GEOM_BEND_H
#define TML_GEOM_BEND_H

#include "geom/contact.h"
#include "math/spatial.h"

typedef struct contact_bend {
    const contact* k;            // borrowed
    vec3 direction[3];           // normal and tangents
    double gap[TWIST_COLUMNS];   // of the gap
    double d[9][TWIST_COLUMNS];  // of the directions
    double p[3][TWIST_COLUMNS];  // of the point
} contact_bend;

// TML_SINGULAR: the features of the contact are degenerate.
tml_status tml__contact_bend(const contact* k, contact_bend* out);

wrench tml__contact_wrench(const contact_bend* b, int r);

// dw = [dp x d + p x dd; dd]                                          [DCON (25), order corrected]
wrench tml__contact_bent(const contact_bend* b, int r, const double z[TWIST_COLUMNS]);

// Gradients by z grow by those of row r's wrench.
void tml__contact_bent_transposed(const contact_bend* b, int r, twist gradient,
                                  double z[TWIST_COLUMNS]);

static inline double contact_bend_along(const double* row, const double* z)
{
    double sum = 0.0;
    for (int k = 0; k < TWIST_COLUMNS; k++) sum += row[k] * z[k];
    return sum;
}

#endif
