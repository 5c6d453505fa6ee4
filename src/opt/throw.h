// opt/throw.h - a velocity of all bodies as if they were one, as the sum of velocities of each.
#ifndef TML_OPT_THROW_H
#define TML_OPT_THROW_H

#include <trammel/problem.h>

#include <stdbool.h>

static inline bool is_throw_parameter(const tml_parameter* p)
{
    return p->kind == TML_PARAMETER_VELOCITY && p->index == TML_EVERY_BODY;
}

// Component k of a throw: `add` is called with every parameter that it moves, at most 3 a body, and
// how much of it.
typedef void (*throw_add)(void* self, tml_parameter parameter, double factor);
void tml__throw_parts(const tml_model* model, int k, throw_add add, void* self);

#endif
