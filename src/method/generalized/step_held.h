// method/generalized/step_held.h - a step that touches while rows hold it: loops, drives, couplings, limits that are met.
//
// Contacts and rows are one problem with the rows of the start (contact.h); then the rows are closed along the new rates,
// overlaps are parted, and closing and settling end the step as where nothing touches (step_rows.h). Each of these is
// differentiated as it stands, one after the other.
#ifndef TML_METHOD_GENERALIZED_STEP_HELD_H
#define TML_METHOD_GENERALIZED_STEP_HELD_H

#include "method/generalized/step_product.h"

// Do rows beside contacts take part in the last step of a touch? Limits along one column that are at rest do not ask
// for it: nothing is left to close or to settle.
bool tml__gen_touch_is_held(const gen_touch* c, double h, double tolerance);

// Stand at a step that was just taken: `record` says how it went on once contacts and rows had pushed, and `step` what
// it began with. Everything pointed to stays until the products are done.
tml_status tml__gen_step_held_at(gen_step_product* s, gen_step_rows* rows, gen_touch* touch,
                                 const gen_step_record* step, gen_rows_record* record,
                                 message* why);

// As in step_product.h, exact slopes only.
tml_status tml__gen_step_held_product(gen_step_product* s, partial_direction way,
                                      const gen_step_numbers* x, message* why);

#endif
