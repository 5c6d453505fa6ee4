// method/generalized/step_contact.h - the part of a linearised step that touches.
#ifndef TML_METHOD_GENERALIZED_STEP_CONTACT_H
#define TML_METHOD_GENERALIZED_STEP_CONTACT_H

#include "method/generalized/step_product.h"

// scale f on body a, -scale f on body b, about the world's origin; `list`: per body of the tree, about its
// own.
void tml__step_push_pair(const gen_step_product* s, const contact* k, double scale, wrench f,
                         wrench* list);

// What contacts push with over the step, into s->outside.
void tml__step_list_outside(gen_step_product* s);

// Of body a of a contact against body b, about the world's origin; `list`: per body of the tree.
twist tml__step_relative(const gen_step_product* s, const twist* list, const contact* k);

// Which contact a row of the touch belongs to, and which of its rows it is; -1: a limit.
int tml__step_contact_of(const gen_step_product* s, int row, int* r);

// The twelve numbers of a contact by the displacements of its bodies, and gradients the other way.
void tml__step_spread(const gen_step_product* s, const contact* k, const double* com,
                      double z[TWIST_COLUMNS]);
void tml__step_gather(const gen_step_product* s, const contact* k, const double z[TWIST_COLUMNS],
                      double* com);

// Friction at its bound follows the coefficient: f_n d(mu) along the tangent.
void tml__step_friction(const gen_step_product* s, partial_direction way, double* contact_in,
                        double* r);

// All contacts and limits: changes of forces into s->inverse->dW, of what rows ask for into s->g; and
// gradients the other way.
void tml__step_contacts_forward(gen_step_product* s, const gen_step_numbers* x);
void tml__step_contacts_backward(gen_step_product* s, const gen_step_numbers* x);

// Where contacts slide and depend on each other, how the choice of the least forces turns with the rows:
// rates after the step into x->rates_after, or their gradients s->from the other way.
//                                                             [DCON (19) (22), the third term corrected]
void tml__step_least_forward(gen_step_product* s, const gen_step_numbers* x);
void tml__step_least_backward(gen_step_product* s,
                              const gen_step_numbers* x);  // sets s->is_elsewhere

// Mean forces of contacts over the step (step_force.c): x->forces from d_f, the impulses of the border's rows; and
// gradients by d_f, and everything else, from x->forces. False: all of these are zero, and nothing was done.
void tml__step_forces_forward(gen_step_product* s, const gen_step_numbers* x, const double* d_f);
bool tml__step_forces_backward(gen_step_product* s, const gen_step_numbers* x, double* d_f);

// The mass matrix of the start of the step, factored once more; everything stands there.
tml_status tml__step_factor(gen_step_product* s, message* why);

// The rates after the push: into x->rates_after, and impulses of the border's rows into s->d_f; and gradients by these
// rates, s->from, the other way.
void tml__step_push_forward(gen_step_product* s, const gen_step_numbers* x);
tml_status tml__step_push_backward(gen_step_product* s, const gen_step_numbers* x, message* why);

// The shift out of overlaps (step_shift.c): the shift itself into s->r, then positions after the step; backwards
// gradients by the positions before the shift into s->there (overwritten), by gaps into s->e, by rates after the step
// s->from grow.
void tml__step_shift_find(gen_step_product* s, const gen_step_numbers* x);
void tml__step_shift_forward(gen_step_product* s, const gen_step_numbers* x);
void tml__step_shift_backward(gen_step_product* s, const gen_step_numbers* x);

// ---- a motion u in place of the rates (s->least_u): step_least.c and step_shift.c

// M u less what s->outside pushes, as inverse dynamics of bodies at rest with accelerations u; then, once
// that is done with, the step as it was.
void tml__step_stand(gen_step_product* s);
void tml__step_stand_again(gen_step_product* s);

// Bodies moving with `rates`, by positions and markers: s->after, and gradients the other way.
void tml__step_walk_forward(gen_step_product* s, const double* rates, const gen_step_numbers* x);
void tml__step_walk_back(gen_step_product* s, const double* rates, const gen_step_numbers* x);

// What row r of contact k sees of the motion u, by displacements z.
double tml__step_seen_forward(const gen_step_product* s, int k, int r, const double* z);
void tml__step_seen_backward(const gen_step_product* s, int k, int r, double g, double* z);

// -d(h D) u of the dampers that count as mass: added to z, or gradients z by it. What stands is lost.
void tml__step_metric(gen_step_product* s, partial_direction way, const gen_step_numbers* x,
                      double* z);

// ---- rows that hold beside contacts (step_held.c)

// The row of the maximal system behind one of the touch that is no contact's, and how it is signed there.
int tml__step_row_of(const gen_step_product* s, int row, double* sign);

// By positions and parameters: rows as they are into s->row_value and what they see of a motion into s->row_rate; and
// gradients the other way, which are used up. What stands is lost.
void tml__step_rows_forward(gen_step_product* s, const gen_step_numbers* x, const double* rates);
void tml__step_rows_backward(gen_step_product* s, const gen_step_numbers* x, const double* rates);

// What they push with, `f` per row of the touch, into s->pushes.
void tml__step_list_pushes(gen_step_product* s, const double* f, double scale);

// Impulses of rows from s->d_f, times `scale` into `multipliers`, overwritten; or gradients by these to s->d_f, which
// grows.
void tml__step_impulses(const gen_step_product* s, partial_direction way, double scale,
                        double* multipliers);

// Gaps at the end of the step that the shift closes, into s->e: by what stands before the step and by
// x->rates_after; and gradients by s->e the other way, those by rates_after left out.
void tml__step_gaps_forward(gen_step_product* s, const gen_step_numbers* x);
void tml__step_gaps_backward(gen_step_product* s, const gen_step_numbers* x);

#endif
