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

// The surface of a definition (skin.c): acceptable, copied into `out`, turned into soft_data.
tml_status tml__check_skin(const tml_deformable_def* def, message* why);
tml_status tml__skin_copy(const tml_deformable_def* def, pool* memory, tml_deformable_def* out);
tml_status tml__derive_skin(const tml_deformable_def* def, pool* memory, soft_data* soft);

#endif
