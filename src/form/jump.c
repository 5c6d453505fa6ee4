// form/jump.c - is a change of velocities a jump to another branch?
#include "form/jump.h"

#include "math/scalar.h"

static const double jump_over_expected = 4.0;

static void raise(double* largest, vec3 u) { *largest = tml__larger(*largest, v3_norm(u)); }

void tml__jump_add(jump_sizes* s, const jump_body* b)
{
    raise(&s->speed[0], b->v_end);
    raise(&s->speed[1], b->omega_end);
    raise(&s->change[0], v3_sub(b->v_end, b->v));
    raise(&s->change[1], v3_sub(b->omega_end, b->omega));
    raise(&s->jump[0], b->dv);
    raise(&s->jump[1], b->domega);
}

bool tml__jump_is(const jump_sizes* s, double rate, double h, double least)
{
    const double turn = h * s->speed[1];
    double expected[2];
    for (int k = 0; k < 2; k++) {
        // accelerations may happen to vanish; the error of second order does not
        const double change = tml__larger(s->change[k], turn * turn * s->speed[k]);
        expected[k] = jump_over_expected * change + least;
    }
    if (rate > tml__larger(expected[0], expected[1])) return false;
    return s->jump[0] > expected[0] || s->jump[1] > expected[1];
}
