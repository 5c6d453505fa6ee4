// force/muscle.c - the force law of a muscle, with its exact derivatives.
//
//   l = (length - tendon_length) / optimal_length      v = l' / vmax
//   T = force (a FL(l) FV(v) + FP(l))
//
// The three curves are pieces of parabolas that meet with equal slopes, those of MuJoCo's muscles:
// FL is a bell from lmin over 1 to lmax; FV falls to zero at v = -1 (the muscle shortens as fast as it
// can), is 1 at rest and rises to fvmax; FP is zero up to the optimal length, and straight from halfway
// to lmax on.
#include "force/muscle.h"

#include <math.h>

typedef struct curve {
    double value, slope;
} curve;

// A parabola from 0 at `from` to 1/2 at `to`, flat where it starts.
static curve foot(double x, double from, double to)
{
    const double u = (x - from) / (to - from);
    return (curve){0.5 * u * u, u / (to - from)};
}

static curve by_length(const tml_muscle* m, double l)
{
    const double low = 0.5 * (m->lmin + 1.0);
    const double high = 0.5 * (1.0 + m->lmax);
    if (l <= m->lmin || l >= m->lmax) return (curve){0.0, 0.0};
    if (l <= low) return foot(l, m->lmin, low);
    if (l > high) return foot(l, m->lmax, high);
    const curve c = foot(l, 1.0, l <= 1.0 ? low : high);
    return (curve){1.0 - c.value, -c.slope};
}

static curve by_rate(const tml_muscle* m, double v)
{
    const double more = m->fvmax - 1.0;
    if (v <= -1.0) return (curve){0.0, 0.0};
    if (v <= 0.0) return (curve){(v + 1.0) * (v + 1.0), 2.0 * (v + 1.0)};
    if (v >= more) return (curve){m->fvmax, 0.0};
    const double u = (more - v) / more;
    return (curve){m->fvmax - more * u * u, 2.0 * u};
}

muscle_pull tml__muscle_active(const tml_muscle* m, double activation, double length, double rate)
{
    const double scale = 1.0 / m->optimal_length;
    const double speed = scale / m->vmax;
    const curve l = by_length(m, scale * (length - m->tendon_length));
    const curve v = by_rate(m, speed * rate);
    const double force = activation * m->force;
    return (muscle_pull){force * l.value * v.value, force * l.slope * v.value * scale,
                         force * l.value * v.slope * speed};
}

muscle_stretch tml__muscle_passive(const tml_muscle* m, double length)
{
    const double width = 0.5 * (m->lmax - 1.0) * m->optimal_length;
    const double x = (length - m->tendon_length - m->optimal_length) / width;
    const double force = m->force * m->fpmax;
    if (x <= 0.0) return (muscle_stretch){0.0, 0.0, 0.0, 0.0};
    if (x <= 1.0) {
        return (muscle_stretch){force * 0.5 * x * x, force * x / width, force / (width * width),
                                force * width * x * x * x / 6.0};
    }
    return (muscle_stretch){force * (x - 0.5), force / width, 0.0,
                            force * width * (0.5 * x * (x - 1.0) + 1.0 / 6.0)};
}
