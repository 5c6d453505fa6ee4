// sim/flex.h - simulations of affine bodies of finite stiffness: what they keep beside poses.
#ifndef TML_SIM_FLEX_H
#define TML_SIM_FLEX_H

#include "method/affine/flex.h"
#include "method/links/links.h"
#include "sim/step_affine.h"

// Of the affine formulation (step_affine.c): one of the first two.
typedef struct affine_work {
    affine_system* system;  // any joints: rows are nodes of the block matrix
    link_system* links;     // ball joints: forces are eliminated joint by joint, or by one factor
    affine_touch touch;
    bool has_points;           // joints hold points and no row follows from others
    struct soft_affine* soft;  // NULL: there are no deformables
    affine_piece* kept;        // where the parts of a step are kept; NULL: nobody asks
    long long loaded;          // the version of the accepted state that `links` holds; 0: none
} affine_work;

// Is young finite?
bool tml__is_flex(const tml_sim* sim);

// TML_BAD_ARGUMENT: settings out of range. TML_UNSUPPORTED: what settings or model ask for and these bodies do not have, by name.
tml_status tml__flex_check(tml_sim* sim);

tml_status tml__flex_make(tml_sim* sim, affine_system** out);
void tml__flex_explain(const tml_sim* sim, char* text, size_t capacity);

// As form_parts wants them.
size_t tml__flex_width(const tml_sim* sim);
tml_status tml__flex_start(tml_sim* sim, double* change);
void tml__flex_place(tml_sim* sim, const double* own);
void tml__flex_add_energy(const tml_sim* sim, tml_energy* energy);

#endif
