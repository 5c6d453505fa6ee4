// model/catalogue.h - what each joint kind leaves free.
//
// The style guide places the catalogue in joint/; it lives here because the model must check what
// a joint says about its axes, and model/ may not look into joint/.
#ifndef TML_MODEL_CATALOGUE_H
#define TML_MODEL_CATALOGUE_H

#include <trammel/joint.h>

typedef struct joint_freedom {
    const char* slides;  // letters of x, y, z
    const char* turns;   // letters in the order of the intrinsic rotations
} joint_freedom;

// The strings of a kind, or of the definition itself for TML_JOINT_CUSTOM.
joint_freedom tml__joint_freedom(const tml_joint_def* def);

#endif
