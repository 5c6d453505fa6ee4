// opt/kink.c - a way down, or none, from a point where the slope jumps.
//
// On the crease of a valley the slope of either side points across it, so no step along it helps. Slopes of both sides
// together tell: the shortest vector p among all their weighted means (weights >= 0, sum 1) leads along the valley
// downwards, and p = 0 tells that there is no way down [Wolfe, conjugate subgradients, 1975]. Slopes are gathered one
// by one: where a step along -p does not help, the slope at its end is one that p did not know.
#include "opt/kink.h"

#include <math.h>
#include <string.h>

enum {
    MAX_SLOPES = 64,
    PAIRS = 16  // tried at most, times the square of how many slopes there are
};

// Steps that are tried, in typical changes.
static const double lengths[] = {1e-1, 1e-2, 1e-3, KINK_REACH};

typedef struct bundle {
    int n;
    int count;
    double* slopes;  // n each
    double gram[MAX_SLOPES][MAX_SLOPES];
    double weight[MAX_SLOPES];
    double* p;
    double *at, *g;  // where a step ends
} bundle;

// A slope, variables that their bounds hold left out.
static void add_slope(bundle* b, const objective* f, const double* x, const double* g)
{
    double* to = b->slopes + (size_t)b->count * (size_t)b->n;
    for (int i = 0; i < b->n; i++) to[i] = tml__is_held(f, i, x[i], g[i]) ? 0.0 : g[i];
    for (int k = 0; k <= b->count; k++) {
        b->gram[k][b->count] = b->gram[b->count][k] =
            dot(b->n, to, b->slopes + (size_t)k * (size_t)b->n);
    }
    b->weight[b->count] = b->count == 0 ? 1.0 : 0.0;
    b->count++;
}

// The shortest weighted mean: weight goes from the slope that lengthens p most to the one that shortens it most,
// until no such pair is left or what moves is lost in rounding.
static void find_shortest(bundle* b)
{
    const int most = PAIRS * b->count * b->count;
    for (int pair = 0; pair < most; pair++) {
        double along[MAX_SLOPES];
        int low = 0;
        int high = -1;
        for (int k = 0; k < b->count; k++) {
            along[k] = dot(b->count, b->gram[k], b->weight);
            if (along[k] < along[low]) low = k;
            if (b->weight[k] > 0.0 && (high < 0 || along[k] > along[high])) high = k;
        }
        if (high < 0) break;  // no weight is left: slopes that are no numbers
        const double gain = along[high] - along[low];
        const double bend = b->gram[low][low] + b->gram[high][high] - 2.0 * b->gram[low][high];
        if (!(gain > 1e-14 * b->gram[low][low]) || !(bend > 0.0)) break;
        const double moved = fmin(b->weight[high], gain / bend);
        const double more = b->weight[low] + moved;
        const double less = moved < b->weight[high] ? b->weight[high] - moved : 0.0;
        if (more == b->weight[low] || less == b->weight[high]) break;
        b->weight[low] = more;
        b->weight[high] = less;
    }
    memset(b->p, 0, (size_t)b->n * sizeof *b->p);
    for (int k = 0; k < b->count; k++) {
        const double* slope = b->slopes + (size_t)k * (size_t)b->n;
        for (int i = 0; i < b->n; i++) b->p[i] += b->weight[k] * slope[i];
    }
}

static double largest(int n, const double* p)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(p[i]));
    return most;
}

// Steps along -p, shorter and shorter: one that helps, or the slope where the shortest ends.
static kink_answer step(bundle* b, const objective* f, const double* x, double* value,
                        tml_optimize_report* report)
{
    const double norm = sqrt(dot(b->n, b->p, b->p));
    double now = 0.0;
    bool is_there = false;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int i = 0; i < b->n; i++) {
            b->at[i] = tml__clamp(f, i, x[i] - lengths[k] * b->p[i] / norm);
        }
        report->evaluations++;
        is_there = f->evaluate(f->self, b->at, &now, b->g) && isfinite(now);
        if (!is_there || !(now <= *value - 1e-4 * lengths[k] * norm)) continue;
        *value = now;
        return KINK_LEFT;
    }
    return is_there ? KINK_STATIONARY : KINK_LOST;
}

static kink_answer look_around(bundle* b, const objective* f, double tolerance, double* x,
                               double* value, double* gradient, double* least,
                               tml_optimize_report* report)
{
    const size_t bytes = (size_t)b->n * sizeof *x;
    add_slope(b, f, x, gradient);
    for (;;) {
        find_shortest(b);
        *least = largest(b->n, b->p);
        if (*least <= tolerance) return KINK_STATIONARY;
        const kink_answer answer = step(b, f, x, value, report);
        if (answer == KINK_LEFT) {
            memcpy(x, b->at, bytes);
            memcpy(gradient, b->g, bytes);
            return KINK_LEFT;
        }
        if (answer == KINK_LOST || b->count == MAX_SLOPES) return KINK_LOST;
        // each slope costs runs: whoever watches may end it here, x being the best point still
        if (f->progress != NULL && f->progress(f->self, report, x)) return KINK_LOST;
        add_slope(b, f, x, b->g);
    }
}

kink_answer tml__leave_kink(const objective* f, double tolerance, const tml_allocator* allocator,
                            double* x, double* value, double* gradient, double* least,
                            tml_optimize_report* report)
{
    const size_t n = (size_t)f->count;
    bundle* b = tml__allocate(allocator, 1, sizeof *b);
    double* memory = tml__allocate(allocator, (MAX_SLOPES + 3) * n, sizeof *memory);
    kink_answer answer = KINK_NO_MEMORY;
    if (b != NULL && memory != NULL) {
        b->n = f->count;
        b->slopes = memory;
        b->p = memory + MAX_SLOPES * n;
        b->at = b->p + n;
        b->g = b->at + n;
        answer = look_around(b, f, tolerance, x, value, gradient, least, report);
    }
    tml__release(allocator, memory);
    tml__release(allocator, b);
    return answer;
}
