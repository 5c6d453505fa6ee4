// form/generalized/bend.h - how the wrenches of one contact's rows follow the poses of its two bodies.
//
// Twelve numbers z: the displacement of body a, then of body b, about the world's origin. A row along d
// at the point p has the wrench w = [p x d; d].
#ifndef TML_FORM_GENERALIZED_BEND_H
#define TML_FORM_GENERALIZED_BEND_H

#include "geom/contact.h"
#include "math/spatial.h"

typedef struct gen_bend {
    const contact* k;            // borrowed
    vec3 direction[3];           // normal and tangents
    double gap[TWIST_COLUMNS];   // of the gap
    double d[9][TWIST_COLUMNS];  // of the directions
    double p[3][TWIST_COLUMNS];  // of the point
} gen_bend;

// TML_SINGULAR: the features of the contact are degenerate.
tml_status tml__gen_bend(const contact* k, gen_bend* out);

wrench tml__gen_bend_row(const gen_bend* b, int r);

// dw = [dp x d + p x dd; dd]                                          [DCON (25), order corrected]
wrench tml__gen_bent(const gen_bend* b, int r, const double z[TWIST_COLUMNS]);

// Gradients by z grow by those of row r's wrench.
void tml__gen_bent_transposed(const gen_bend* b, int r, twist gradient, double z[TWIST_COLUMNS]);

static inline double gen_bend_along(const double* row, const double* z)
{
    double sum = 0.0;
    for (int k = 0; k < TWIST_COLUMNS; k++) sum += row[k] * z[k];
    return sum;
}

#endif
