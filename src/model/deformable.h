// model/deformable.h - checking, copying and numbering deformables.
#ifndef TML_MODEL_DEFORMABLE_H
#define TML_MODEL_DEFORMABLE_H

#include "model/model.h"

tml_status tml__check_deformable(const definitions* all, const tml_deformable_def* def,
                                 message* why);

// The lists of a definition, copied; the name is only pointed to.
tml_status tml__deformable_copy(const tml_deformable_def* def, pool* memory,
                                tml_deformable_def* out);

// Number the vertices of all deformables, say who carries them, and find the triangles outside.
tml_status tml__derive_deformables(tml_model* m);

// Points that bodies carry (attach.c): the vertices that follow from them, in the numbering of the
// deformable. `is_taken` marks those that are fixed or attached themselves.
tml_status tml__find_ties(const tml_deformable_def* def, const unsigned char* is_taken,
                          pool* memory, message* why, soft_tie** ties, int* count);

// Springs on deformables (soft_spring.c). Checked when they are added: `points` of them must lie in
// what they name. Counted before vertices are numbered, derived after.
tml_status tml__check_soft_point(const definitions* all, const tml_point* p, const char* spring,
                                 int index, message* why);
// All of a spring but its points, which lie `length` apart when all begins (build.c).
tml_status tml__spring_law_of(tml_model* m, const tml_spring_def* def, double length,
                              spring_data* s);
int tml__count_anchors(const tml_model* m);
tml_status tml__derive_soft_springs(tml_model* m, int first_anchor);

// Deformables that springs tie together share their carriers: the first of them has them all.
tml_status tml__join_carriers(tml_model* m);

// The surface of a definition (skin.c): acceptable, copied into `out`, turned into soft_data.
tml_status tml__check_skin(const tml_deformable_def* def, message* why);
tml_status tml__skin_copy(const tml_deformable_def* def, pool* memory, tml_deformable_def* out);
tml_status tml__derive_skin(const tml_deformable_def* def, pool* memory, soft_data* soft);

#endif
