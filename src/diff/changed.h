// diff/changed.h - models with other numbers, for runs that nobody differentiates.
#ifndef TML_DIFF_CHANGED_H
#define TML_DIFF_CHANGED_H

#include "base/message.h"

#include <trammel/derivatives.h>

// Makes changed models, one at a time. Belongs to one thread.
typedef struct changer changer;

// The model is borrowed and must outlive what is made of it.
tml_status tml__changer_create(const tml_model* model, const tml_sim_settings* settings,
                               message* why, changer** out);
void tml__changer_destroy(changer* c);  // NULL is fine

// Check that these can be changed in this model; TML_BAD_ARGUMENT with the sentence.
tml_status tml__changer_check(changer* c, const tml_parameter* p, message* why);
tml_status tml__changer_check_quantity(changer* c, const tml_quantity* q, message* why);

// The model with its numbers changed (tml_derivatives_change says how). It is the changer's, and
// lasts until the next one.
tml_status tml__changer_make(changer* c, int count, const tml_parameter* parameters,
                             const double* change, message* why, const tml_model** out);

#endif
