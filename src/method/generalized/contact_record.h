// method/generalized/contact_record.h - what a step that touches leaves for its derivatives, as bytes.
//
// Contacts, rows, labels and impulses of the last step, so that a pass over a run need not take its steps again.
// What is put back serves the products (step_product.h), not another step.
#ifndef TML_METHOD_GENERALIZED_CONTACT_RECORD_H
#define TML_METHOD_GENERALIZED_CONTACT_RECORD_H

#include "method/generalized/contact.h"

// `contacts`: those that the step was given, room for c->max_contacts.
size_t tml__gen_touch_record_bytes(const gen_touch* c);
void tml__gen_touch_record_take(gen_touch* c, contact* contacts, void* bytes);
// Answers how many contacts there were.
int tml__gen_touch_record_put(gen_touch* c, contact* contacts, const void* bytes);

#endif
