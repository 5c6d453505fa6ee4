// model/control.c - constants, sines, tables and natural cubic splines, with derivatives.
#include "model/control.h"

#include "math/scalar.h"

#include <math.h>

tml_status tml__control_check(const tml_control* c, const char* what, message* why)
{
    const double numbers[] = {c->value, c->amplitude, c->frequency, c->phase};
    if ((unsigned)c->kind > TML_CONTROL_CUBIC) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: unknown kind of control (%d)", what,
                         (int)c->kind);
    }
    for (int i = 0; i < 4; i++) {
        if (!isfinite(numbers[i])) {
            return tml__fail(why, TML_BAD_ARGUMENT, "%s: a number of its control is not finite",
                             what);
        }
    }
    if (c->kind != TML_CONTROL_TABLE && c->kind != TML_CONTROL_CUBIC) return TML_OK;
    if (c->count < 1 || c->times == NULL || c->samples == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: its control table is empty", what);
    }
    for (int i = 0; i < c->count; i++) {
        if (!isfinite(c->times[i]) || !isfinite(c->samples[i])) {
            return tml__fail(why, TML_BAD_ARGUMENT, "%s: point %d of its control is not finite",
                             what, i);
        }
        if (i > 0 && !(c->times[i] > c->times[i - 1])) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "%s: the times of its control table must increase strictly, but point "
                             "%d is at %g s after %g s",
                             what, i, c->times[i], c->times[i - 1]);
        }
    }
    return TML_OK;
}

tml_status tml__control_copy(const tml_control* c, pool* memory, tml_control* out)
{
    *out = *c;
    if (c->kind != TML_CONTROL_TABLE && c->kind != TML_CONTROL_CUBIC) {
        out->count = 0;
        out->times = NULL;
        out->samples = NULL;
        return TML_OK;
    }
    const size_t count = (size_t)c->count;
    out->times = tml__pool_copy(memory, c->times, count, sizeof(double));
    out->samples = tml__pool_copy(memory, c->samples, count, sizeof(double));
    return out->times != NULL && out->samples != NULL ? TML_OK : TML_NO_MEMORY;
}

// The second derivatives of the natural spline: a tridiagonal system, solved forwards and back.
static tml_status solve_spline(const tml_control* c, pool* memory, const double** out)
{
    const int n = c->count;
    double* m = tml__pool_take(memory, (size_t)n, sizeof(double));
    double* u = tml__pool_take(memory, (size_t)n, sizeof(double));
    if (m == NULL || u == NULL) return TML_NO_MEMORY;

    for (int i = 1; i < n - 1; i++) {
        const double h0 = c->times[i] - c->times[i - 1];
        const double h1 = c->times[i + 1] - c->times[i];
        const double jump =
            (c->samples[i + 1] - c->samples[i]) / h1 - (c->samples[i] - c->samples[i - 1]) / h0;
        const double share = h0 / (h0 + h1);
        const double p = share * m[i - 1] + 2.0;
        // while sweeping, m holds the superdiagonal ratio and u the right-hand side
        m[i] = (share - 1.0) / p;
        u[i] = (6.0 * jump / (h0 + h1) - share * u[i - 1]) / p;
    }
    if (n > 0) m[n - 1] = 0.0;
    for (int i = n - 2; i > 0; i--) m[i] = m[i] * m[i + 1] + u[i];
    if (n > 0) m[0] = 0.0;
    *out = m;
    return TML_OK;
}

tml_status tml__control_prepare(const tml_control* c, pool* memory, control_data* out)
{
    *out = (control_data){.def = *c, .is_given = c->kind != TML_CONTROL_NONE};
    return c->kind == TML_CONTROL_CUBIC ? solve_spline(c, memory, &out->second) : TML_OK;
}

// The interval [times[i], times[i+1]] that holds t; the caller knows that t is inside the table.
static int interval(const tml_control* c, double t)
{
    int low = 0;
    int high = c->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (c->times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static drive table_eval(const control_data* c, double t)
{
    const tml_control* d = &c->def;
    const int last = d->count - 1;
    if (t < d->times[0] || last == 0) return (drive){.value = d->samples[0]};
    if (t >= d->times[last]) return (drive){.value = d->samples[last]};

    const int i = interval(d, t);
    const double h = d->times[i + 1] - d->times[i];
    const double b = (t - d->times[i]) / h;
    const double a = 1.0 - b;
    const double slope = (d->samples[i + 1] - d->samples[i]) / h;
    const double value = a * d->samples[i] + b * d->samples[i + 1];
    if (c->second == NULL) return (drive){.value = value, .rate = slope};

    const double m0 = c->second[i];
    const double m1 = c->second[i + 1];
    return (drive){
        .value = value + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0,
        .rate = slope + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0,
        .acceleration = a * m0 + b * m1,
    };
}

drive tml__control_eval(const control_data* c, double t)
{
    const tml_control* d = &c->def;

    switch (d->kind) {
    case TML_CONTROL_CONSTANT: return (drive){.value = d->value};
    case TML_CONTROL_SINE: {
        const double w = 2.0 * TML_PI * d->frequency;
        const double s = tml__sin(w * t + d->phase);
        return (drive){.value = d->value + d->amplitude * s,
                       .rate = d->amplitude * w * tml__cos(w * t + d->phase),
                       .acceleration = -d->amplitude * w * w * s};
    }
    case TML_CONTROL_TABLE:
    case TML_CONTROL_CUBIC: return table_eval(c, t);
    case TML_CONTROL_NONE: break;
    }
    return (drive){0};
}
