// method/affine/flexible.h - simulations of affine bodies of finite stiffness: what they keep beside poses.
#ifndef TML_METHOD_AFFINE_FLEXIBLE_H
#define TML_METHOD_AFFINE_FLEXIBLE_H

#include "method/affine/flex.h"
#include "method/affine/method.h"

// Of the affine formulation (method.c).
typedef struct affine_work {
    affine_system* system;
    affine_touch touch;
    bool has_points;           // joints hold points and no row follows from others
    struct soft_affine* soft;  // NULL: there are no deformables
} affine_work;

// TML_UNSUPPORTED: what settings or model ask for and these bodies do not have, by name.
tml_status tml__flex_check(tml_sim* sim);

tml_status tml__flex_make(tml_sim* sim, affine_system** out);
void tml__flex_explain(const tml_sim* sim, char* text, size_t capacity);

// As form_parts wants them.
size_t tml__flex_width(const tml_sim* sim);
tml_status tml__flex_start(tml_sim* sim, double* change);
void tml__flex_place(tml_sim* sim, const double* own);
void tml__flex_add_energy(const tml_sim* sim, tml_energy* energy);

#endif
