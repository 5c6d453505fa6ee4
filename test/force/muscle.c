// test/force/muscle.c - muscles: the law of MuJoCo, its slopes, what stretching stores.
#include "force/muscle.h"

#include "test/difference.h"

// lengthrange 0.3 0.45, range 0.7 1.2: optimal length 0.15 / 0.5, tendon 0.3 - 0.7 * 0.3
static tml_muscle arm(void)
{
    return (tml_muscle){.force = 150.0,
                        .optimal_length = 0.3,
                        .tendon_length = 0.09,
                        .lmin = 0.4,
                        .lmax = 1.7,
                        .vmax = 2.0,
                        .fpmax = 1.1,
                        .fvmax = 1.3};
}

typedef struct sample {
    double length, rate, activation, force;
} sample;

// What MuJoCo 3.14.0 (npm @mujoco/mujoco) gives for that muscle on a tendon between two sites, at every
// piece of its curves.
static const sample samples[] = {
    {0.1, -0.7, 1, 0},
    {0.13, 0, 0.6, 0},
    {0.18, 0.3, 0.25, 0},
    {0.23, -0.1, 1, 2.5720164609053544},
    {0.28, 0.13, 0.6, 34.75874485596711},
    {0.31, -0.35, 0.25, 3.9384002057613183},
    {0.38, 0.05, 1, 170.46896433470508},
    {0.45, -0.7, 0.6, 26.93877551020406},
    {0.5, 0, 0.25, 107.36394557823127},
    {0.55, 0.3, 1, 191.0374149659863},
    {0.7, -0.1, 0.6, 404.64285714285694},
};

enum {
    SAMPLES = sizeof samples / sizeof *samples
};

TEST(muscles_pull_as_those_of_mujoco)
{
    const tml_muscle m = arm();
    for (int i = 0; i < SAMPLES; i++) {
        const sample* s = &samples[i];
        const double force = tml__muscle_active(&m, s->activation, s->length, s->rate).force +
                             tml__muscle_passive(&m, s->length).force;
        // rounding of a few hundred newtons, and of lengths of 1e-17 m times slopes of 1e4 N/m
        CHECK_NEAR(force, s->force, 2e-12);
    }
}

// Inside its pieces every curve is a parabola, for which central differences are exact.
TEST(the_slopes_of_a_muscle_match_differences)
{
    const tml_muscle m = arm();
    const double step = 0x1p-10;
    slope all = {0};
    slope stretched = {0};
    for (int i = 0; i < SAMPLES; i++) {
        const sample* s = &samples[i];
        if (s->rate == 0.0) continue;  // a corner of the slope
        const muscle_pull at = tml__muscle_active(&m, 1.0, s->length, s->rate);
        const muscle_stretch rest = tml__muscle_passive(&m, s->length);
        double q[5][2];
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            const muscle_pull a = tml__muscle_active(&m, 1.0, s->length - e, s->rate);
            const muscle_pull b = tml__muscle_active(&m, 1.0, s->length + e, s->rate);
            const muscle_pull c = tml__muscle_active(&m, 1.0, s->length, s->rate - e);
            const muscle_pull d = tml__muscle_active(&m, 1.0, s->length, s->rate + e);
            const muscle_stretch f = tml__muscle_passive(&m, s->length - e);
            const muscle_stretch g = tml__muscle_passive(&m, s->length + e);
            q[0][half] = (b.force - a.force) / (2.0 * e);
            q[1][half] = (d.force - c.force) / (2.0 * e);
            q[2][half] = (g.force - f.force) / (2.0 * e);
            q[3][half] = (g.energy - f.energy) / (2.0 * e);
            q[4][half] = (g.slope - f.slope) / (2.0 * e);
        }
        slope_add(&all, at.by_length, q[0][0], q[0][1]);
        slope_add(&all, at.by_rate, q[1][0], q[1][1]);
        slope_add(&all, rest.slope, q[2][0], q[2][1]);
        slope_add(&stretched, rest.force, q[3][0], q[3][1]);
        slope_add(&all, rest.bend, q[4][0], q[4][1]);
    }
    // forces of 400 N, slopes of 4e3 N/m rounded (5e-13) over 2^-11; energies of 60 J are cubic pieces
    CHECK_SLOPE("pull", &all, 1e-9, 0.0);
    CHECK_SLOPE("stored", &stretched, 2e-11, 1e-9);
}

// At the ends of the pieces nothing jumps, and neither do the slopes.
TEST(the_curves_of_a_muscle_meet)
{
    const tml_muscle m = arm();
    const double lengths[] = {0.4, 0.7, 1.0, 1.35, 1.7};
    const double rates[] = {-2.0, 0.0, 0.6};
    const double e = 1e-9;
    for (int i = 0; i < 5; i++) {
        const double x = 0.09 + 0.3 * lengths[i];
        const muscle_pull a = tml__muscle_active(&m, 1.0, x - e, -0.1);
        const muscle_pull b = tml__muscle_active(&m, 1.0, x + e, -0.1);
        const muscle_stretch f = tml__muscle_passive(&m, x - e);
        const muscle_stretch g = tml__muscle_passive(&m, x + e);
        // slopes of 2e3 N/m and bends of 2e4 N/m^2, over 2e-9 m
        CHECK_NEAR(a.force, b.force, 1e-5);
        CHECK_NEAR(a.by_length, b.by_length, 1e-4);
        CHECK_NEAR(f.force, g.force, 1e-5);
        CHECK_NEAR(f.slope, g.slope, 1e-4);
        CHECK_NEAR(f.energy, g.energy, 1e-6);
    }
    for (int i = 0; i < 3; i++) {
        const double v = 0.3 * rates[i];
        const muscle_pull a = tml__muscle_active(&m, 1.0, 0.4, v - e);
        const muscle_pull b = tml__muscle_active(&m, 1.0, 0.4, v + e);
        CHECK_NEAR(a.force, b.force, 1e-5);
        CHECK_NEAR(a.by_rate, b.by_rate, 1e-4);
    }
}
