// method/generalized/local.h - impulses found once more around rows that came late.
//
// A swept step poses contacts that its first impulses drive together after the others have been solved
// (reach.h). They are few, so only what shares a column with them is solved again, with all other impulses
// held: one step of Gauss-Seidel whose block is the neighbourhood.
#ifndef TML_METHOD_GENERALIZED_LOCAL_H
#define TML_METHOD_GENERALIZED_LOCAL_H

#include "method/generalized/contact.h"

// Solve the rows from `first` on and their neighbours by so many sweeps, from c->guess, whose Y^T f is
// c->pushed; impulses, labels, c->pushed and what is reported are brought up to date. The lists of the shift
// are used up.
tml_status tml__gen_solve_locally(gen_touch* c, int first, int sweeps, message* why);

#endif
