// io/choice.h - parameters and quantities by their names in files: of what, and which components.
#ifndef TML_IO_CHOICE_H
#define TML_IO_CHOICE_H

#include "io/scene_internal.h"

#include <trammel/derivatives.h>

// The words of the components of a kind.
typedef struct words {
    const char* list[8];  // ends with NULL
} words;

extern const words tml__axis_words;  // tx ... rz

typedef enum subject {
    OF_NOTHING,
    OF_BODY,
    OF_JOINT,
    OF_SPRING,
} subject;

subject tml__parameter_subject(tml_parameter_kind kind);
subject tml__quantity_subject(tml_quantity_kind kind);
const words* tml__parameter_words(tml_parameter_kind kind);
const words* tml__quantity_words(tml_quantity_kind kind);

// The index that "of" names; 0 where nothing is to be named.
int tml__read_of(const element* e, const tml_model* model, subject of);

// Whether "of" is "*".
bool tml__names_every_body(const element* e);

// The components meant: one when it is named, else all; how many in *count, the first returned.
int tml__read_component(const element* e, const words* w, int* count);

// The control of an axis of a joint; refuses one that is not actuated.
int tml__read_control(const element* e, const tml_model* model, int joint, int axis);

#endif
