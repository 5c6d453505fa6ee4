// trammel/deformable.h - what soft things are made of.
#ifndef TRAMMEL_DEFORMABLE_H
#define TRAMMEL_DEFORMABLE_H

#include <trammel/base.h>

TML_BEGIN_C

typedef enum tml_material {
    TML_MATERIAL_LINEAR,       // small strains only: large rotations swell
    TML_MATERIAL_COROTATED,    // the strain of F beside its nearest rotation
    TML_MATERIAL_NEO_HOOKEAN,  // stable neo-Hookean: volumes resist, also from inside out
    TML_MATERIALS,
} tml_material;

TML_API const char* tml_material_name(tml_material material);
TML_API int tml_material_find(const char* name, tml_material* out);  // 1 when found

TML_END_C

#endif
