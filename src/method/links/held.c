// method/links/held.c - links that go in circles while Newton settles the others, held back one by one.
//
// Where a net or a chain lands on something a few links at a time go in circles, all others settle: friction of a light link that
// sticks and slides in turns, rods that are pressed along their axis and buckle to either side. Of such a link inertia
// counts twice, four times and so on in the matrix, not in the equations: its updates become smaller, what they lead to
// stays the same. To go but a part of the update of all links, as one would in a line search, takes longer: there is
// nearly always a link in some circle.

#include "linalg/lanes.h"
#include "method/links/contact.h"

#include <string.h>

// A link circles that would be turned by more than this, rad, or back by half of what the last update turned it.
static const double most_turn = 1.0;
static const double back_turn = 0.5;
static const double least_turn = 1e-3;  // what is less is rounding of what others do
// And what settles, rad, is let go at once.
static const double little_turn = 0.1;
static const double held_more = 2.0;
static const double held_less = 0.25;

static double held_next(double held, double square, double before, double along)
{
    const bool is_back = along < -back_turn * before && square > least_turn * least_turn;
    if (is_back || square > most_turn * most_turn) return held_more * held;
    if (square < little_turn * little_turn) return 1.0;
    const double next = 1.0 + held_less * (held - 1.0);
    return next < 1.1 ? 1.0 : next;
}

void tml__links_hold(double* held, const double* turn)
{
    for (int i = 0; i < LANES; i++) {
        double* last = held + HELD_TURN * LANES + i;
        double* share = held + HELD_SHARE * LANES + i;
        const double* now = turn + i;
        double square = 0.0;
        double before = 0.0;
        double along = 0.0;
        for (int k = 0; k < 3 * LANES; k += LANES) {
            square += now[k] * now[k];
            before += last[k] * last[k];
            along += now[k] * last[k];
        }
        *share = held_next(*share, square, before, along);
        // as far as it goes
        const double gone = square > 1.0 ? 1.0 / sqrt(square) : 1.0;
        for (int k = 0; k < 3 * LANES; k += LANES) last[k] = gone * now[k];
    }
}

void tml__links_let_go(const link_system* l)
{
    if (l->touch == NULL || l->touch->held == NULL) return;
    for (int row = 0; row < l->row_count; row++) {
        double* held = l->touch->held + (size_t)row * HELD_ROWS * LANES;
        memset(held, 0, HELD_ROWS * LANES * sizeof(double));
        for (int i = 0; i < LANES; i++) held[HELD_SHARE * LANES + i] = 1.0;
    }
}
