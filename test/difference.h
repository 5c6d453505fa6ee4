// test/difference.h - a derivative against central differences at two step sizes.
//
// Central differences are off by A e^2 + B e^4 + ..., so halving the step divides their distance
// from the true derivative by four, and (4 D(e/2) - D(e)) / 3 has only the e^4 part left. A wrong
// derivative fails both: its distance does not fall, and the extrapolated value misses it.
#ifndef TRAMMEL_TEST_DIFFERENCE_H
#define TRAMMEL_TEST_DIFFERENCE_H

#include "test/check.h"

#include <stdbool.h>

// Distances collected over the entries of one gradient or matrix.
typedef struct slope {
    double coarse, fine;  // sums of squares at the steps e and e / 2
    double extrapolated;  // largest
    double scale;         // largest |derivative|
} slope;

static inline void slope_add(slope* s, double exact, double at_e, double at_half)
{
    const double coarse = at_e - exact;
    const double fine = at_half - exact;
    const double rest = fabs((4.0 * at_half - at_e) / 3.0 - exact);

    s->coarse += coarse * coarse;
    s->fine += fine * fine;
    if (!(rest <= s->extrapolated)) s->extrapolated = rest;
    if (!(fabs(exact) <= s->scale)) s->scale = fabs(exact);
}

// `noise`: what rounding may leave in a difference quotient at the smaller step.
// `rest`: what the extrapolated quotient may keep besides that, A e^4.
static inline bool slope_is_right(const slope* s, double noise, double rest)
{
    const double coarse = sqrt(s->coarse);
    const double fine = sqrt(s->fine);
    const bool is_lost_in_noise = coarse <= 200.0 * noise;
    // fourfold: 4 (1 + O(e^2)); at 200 times the noise the ratio is good to 4 * 4 / 200 = 0.08
    const bool falls_fourfold = coarse > 3.8 * fine && coarse < 4.2 * fine;

    return (is_lost_in_noise || falls_fourfold) && s->extrapolated <= 4.0 * noise + rest;
}

static inline void slope_print(const char* what, const slope* s)
{
    printf("%s: coarse %.3g, fine %.3g (ratio %.3f), extrapolated %.3g, scale %.3g\n", what,
           sqrt(s->coarse), sqrt(s->fine), sqrt(s->coarse / s->fine), s->extrapolated, s->scale);
}

#define CHECK_SLOPE(what, s, noise, rest)                                                          \
    do {                                                                                           \
        if (!slope_is_right((s), (noise), (rest))) {                                               \
            printf("%s:%d: ", __FILE__, __LINE__);                                                 \
            slope_print((what), (s));                                                              \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#endif
