// time/relation.c - implicit formulas as relations: backward differences, diagonally implicit
// Runge-Kutta, Newmark, general multistep.
#include "time/relation.h"

#include <math.h>
#include <string.h>

// ---- backward differences

typedef struct bdf_row {
    double alpha[TIME_PAST];
    double beta;
} bdf_row;

// y_n = alpha_1 y_(n-1) + ... + beta h y'_n                                          [COOK (99)]
// clang-format off
static const bdf_row bdf_table[TIME_PAST] = {
    {{1.0}, 1.0},
    {{4.0 / 3, -1.0 / 3}, 2.0 / 3},
    {{18.0 / 11, -9.0 / 11, 2.0 / 11}, 6.0 / 11},
    {{48.0 / 25, -36.0 / 25, 16.0 / 25, -3.0 / 25}, 12.0 / 25},
    {{300.0 / 137, -300.0 / 137, 200.0 / 137, -75.0 / 137, 12.0 / 137}, 60.0 / 137},
    {{360.0 / 147, -450.0 / 147, 400.0 / 147, -225.0 / 147, 72.0 / 147, -10.0 / 147}, 60.0 / 147},
};
// clang-format on

int tml__bdf_order(tml_integrator integrator)
{
    const int order = (int)integrator - (int)TML_TIME_BDF1 + 1;
    return order >= 1 && order <= TIME_PAST ? order : 0;
}

void tml__bdf(const time_history* past, int order, int n, time_relation* out)
{
    const bdf_row* row = &bdf_table[order - 1];
    const double c = past->h * row->beta;

    for (int i = 0; i < n; i++) {
        double q_p = 0.0;
        double v_p = 0.0;
        for (int k = 0; k < order; k++) {
            q_p += row->alpha[k] * past->q[k][i];
            v_p += row->alpha[k] * past->v[k][i];
        }
        out->v_hat[i] = v_p;
        out->q_hat[i] = q_p + c * v_p;
    }
    out->c_v = c;
    out->c_q = c * c;
}

void tml__bdf_transposed(int order, double h, int n, const double* v_hat, const double* q_hat,
                         double* const* past_q, double* const* past_v)
{
    const bdf_row* row = &bdf_table[order - 1];
    const double c = h * row->beta;

    for (int k = 0; k < order; k++) {
        for (int i = 0; i < n; i++) {
            past_q[k][i] += row->alpha[k] * q_hat[i];
            past_v[k][i] += row->alpha[k] * (v_hat[i] + c * q_hat[i]);
        }
    }
}

// ---- extrapolation

// q_(n+1) = q_n + h (1 + D/2 + 5/12 D^2 + 3/8 D^3 + ...) v_n with D v_n = v_n - v_(n-1)
static const double adams[TIME_PAST] = {1.0, 1.0 / 2, 5.0 / 12, 3.0 / 8, 251.0 / 720, 95.0 / 288};

// Of the acceleration, how much it may change in a step. Measured on the sphere of Hoberman: 0.06 to 0.25
// between its singular poses, 0.35 and more where it passes them.
static const double steady = 0.3;

enum {
    LANES = 8  // entries looked at together
};

// The last velocities of entries first .. first + LANES - 1; zeros beyond the last entry.
static inline void load_lanes(const time_history* past, int count, int first, int n,
                              double v[TIME_PAST][LANES])
{
    const size_t some = n - first < LANES ? (size_t)(n - first) : LANES;
    if (some < LANES) memset(v, 0, (size_t)count * sizeof *v);
    for (int k = 0; k < count && k < TIME_PAST; k++) {
        const double* from = past->v[k] + first;
        if (some == LANES) {
            for (int i = 0; i < LANES; i++) v[k][i] = from[i];
        } else {
            memcpy(v[k], from, some * sizeof(double));
        }
    }
}

// v[k] = D v[k] for the velocities that have an earlier one; v[k + 1], v[k + 2], ... in their place.
static inline void difference(int order, int count, double v[TIME_PAST][LANES])
{
    for (int k = count - 1; k >= order; k--) {
        for (int i = 0; i < LANES; i++) v[k][i] = v[k - 1][i] - v[k][i];
    }
}

// |D^order v_(n - k + order)| of the entry where it is largest: it looks back on k + 1 states.
typedef struct difference_sizes {
    double of[TIME_PAST][TIME_PAST];
} difference_sizes;

static inline void measure_differences(const time_history* past, int count, int n,
                                       difference_sizes* out)
{
    double largest[TIME_PAST][TIME_PAST][LANES] = {{{0.0}}};

    for (int first = 0; first < n; first += LANES) {
        double v[TIME_PAST][LANES];
        load_lanes(past, count, first, n, v);
        for (int order = 0; order < count; order++) {
            if (order > 0) difference(order, count, v);
            for (int k = order; k < count; k++) {
                double* most = largest[order][k];
                for (int i = 0; i < LANES; i++) {
                    const double size = fabs(v[k][i]);
                    most[i] = size > most[i] ? size : most[i];
                }
            }
        }
    }
    for (int order = 0; order < count; order++) {
        for (int k = order; k < count; k++) {
            double most = 0.0;
            for (int i = 0; i < LANES; i++) {
                if (largest[order][k][i] > most) most = largest[order][k][i];
            }
            out->of[order][k] = most;
        }
    }
}

// How many terms of this size are worth taking, 0 where they do not belong to a smooth motion.
static int cut_series(const double* term, int count)
{
    // near an impact or a singular pose a guess that overshoots may lead to another solution
    if (count < 3 || !(term[2] < steady * term[1])) return 0;
    int terms = 3;
    while (terms < count && term[terms] < 0.5 * term[terms - 1]) terms++;
    return terms;
}

// The same for the last `count` states. The terms of all of them are compared, or every turning point
// would look like a jump.
static int count_smooth(const difference_sizes* d, int count)
{
    double term[TIME_PAST] = {0.0};

    for (int order = 0; order < count; order++) {
        for (int k = order; k < count; k++) term[order] = fmax(term[order], d->of[order][k]);
    }
    return cut_series(term, count);
}

// Of `some` entries from `first` on: the positions that velocities v belong to.
static inline void place(const time_relation* relation, int first, size_t some, const double* v,
                         double* q)
{
    const double c = relation->c_q / relation->c_v;
    const double* q_hat = relation->q_hat + first;
    const double* v_hat = relation->v_hat + first;
    for (size_t i = 0; i < some; i++) q[first + (int)i] = q_hat[i] + c * (v[i] - v_hat[i]);
}

// The largest |D^order v| of all states, per order from 1 on: all that is asked of a motion that is smooth.
// On the way, unless `q` is NULL, the guess that takes all terms: it is nearly always the one that is wanted.
static inline void measure_terms(const time_history* past, int count, int n,
                                 const time_relation* relation, double* q, double term[TIME_PAST])
{
    double largest[TIME_PAST][LANES] = {{0.0}};

    for (int first = 0; first < n; first += LANES) {
        double v[TIME_PAST][LANES];
        double sum[LANES];
        load_lanes(past, count, first, n, v);
        for (int i = 0; i < LANES; i++) sum[i] = v[0][i];
        for (int order = 1; order < count; order++) {
            double most[LANES];
            difference(order, count, v);
            for (int i = 0; i < LANES; i++) most[i] = largest[order][i];
            for (int i = 0; i < LANES; i++) sum[i] += v[order][i];
            for (int k = order; k < count; k++) {
                for (int i = 0; i < LANES; i++) {
                    const double size = fabs(v[k][i]);
                    most[i] = size > most[i] ? size : most[i];
                }
            }
            for (int i = 0; i < LANES; i++) largest[order][i] = most[i];
        }
        if (q == NULL) continue;
        if (n - first >= LANES) {
            place(relation, first, LANES, sum, q);
        } else {
            place(relation, first, (size_t)(n - first), sum, q);
        }
    }
    for (int order = 1; order < count; order++) {
        term[order] = 0.0;
        for (int i = 0; i < LANES; i++) term[order] = fmax(term[order], largest[order][i]);
    }
}

// How many terms are worth taking, 0 where the motion is not smooth: the series is cut where a term is
// no longer less than half of the one before. Where the history has a jump in it, the states since then
// may do. `q`: see measure_terms.
static int count_terms(const time_history* past, int n, const time_relation* relation, double* q)
{
    double term[TIME_PAST] = {0.0};
    difference_sizes d;

    // a constant count makes short loops of the usual case
    if (past->count == TIME_PAST) {
        measure_terms(past, TIME_PAST, n, relation, q, term);
    } else {
        measure_terms(past, past->count, n, relation, q, term);
    }
    int terms = cut_series(term, past->count);
    if (terms > 0 || past->count <= 3) return terms;
    measure_differences(past, past->count, n, &d);
    for (int count = past->count - 1; count >= 3 && terms == 0; count--) {
        terms = count_smooth(&d, count);
    }
    return terms;
}

// sum of weight_k D^k v_n for entries first .. first + LANES - 1
static inline void add_terms(const time_history* past, int terms, const double* weight, int first,
                             int n, double sum[LANES])
{
    double v[TIME_PAST][LANES];
    load_lanes(past, terms, first, n, v);
    for (int i = 0; i < LANES; i++) sum[i] = 0.0;
    for (int order = 0; order < terms; order++) {
        if (order > 0) difference(order, terms, v);
        for (int i = 0; i < LANES; i++) sum[i] += weight[order] * v[order][i];
    }
}

// v = (1 + D + D^2 + ...) v_n, and q where the relation puts it: differences of positions know which
// velocities the formula makes of them, errors and all; the integral of the velocities would not.
bool tml__extrapolate(const time_history* past, const time_relation* relation, int n, double* q)
{
    static const double ones[TIME_PAST] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const int terms = count_terms(past, n, relation, q);

    for (int first = 0; terms > 0 && terms < past->count && first < n; first += LANES) {
        double v[LANES];
        add_terms(past, terms, ones, first, n, v);
        place(relation, first, n - first < LANES ? (size_t)(n - first) : LANES, v, q);
    }
    return terms > 0;
}

bool tml__integrate_past(const time_history* past, int n, double* q)
{
    const int terms = count_terms(past, n, NULL, NULL);

    for (int first = 0; terms > 0 && first < n; first += LANES) {
        double mean[LANES];
        add_terms(past, terms, adams, first, n, mean);
        for (int i = 0; i < LANES && first + i < n; i++) {
            q[first + i] = past->q[0][first + i] + past->h * mean[i];
        }
    }
    return terms > 0;
}

// ---- diagonally implicit Runge-Kutta

// gamma = 1 - sqrt(2)/2 makes both methods L-stable.
#define ROOT_HALF 0.70710678118654752440
#define GAMMA     (1.0 - ROOT_HALF)

// differs: [QRBD App A] prints a21 = b1 = sqrt(2) - 1 for this one; rows must sum to c, and only
// sqrt(2)/2 = 1 - gamma does
static const dirk stiffly_accurate = {
    .a = {{GAMMA, 0.0}, {ROOT_HALF, GAMMA}},
    .b = {ROOT_HALF, GAMMA},
    .c = {GAMMA, 1.0},
    .is_stiffly_accurate = 1,
};

static const dirk pareschi_russo = {
    .a = {{GAMMA, 0.0}, {1.0 - 2.0 * GAMMA, GAMMA}},
    .b = {0.5, 0.5},
    .c = {GAMMA, 1.0 - GAMMA},
};

const dirk* tml__dirk(tml_integrator integrator)
{
    if (integrator == TML_TIME_SDIRK2) return &stiffly_accurate;
    if (integrator == TML_TIME_SDIRK2_PARESCHI_RUSSO) return &pareschi_russo;
    return NULL;
}

void tml__dirk_stage(const dirk* method, int stage, double h, const double* q, const double* v,
                     const dirk_rates* k, int n, time_relation* out)
{
    const double c = h * method->a[stage][stage];

    for (int i = 0; i < n; i++) {
        double q_p = q[i];
        double v_p = v[i];
        for (int s = 0; s < stage; s++) {
            q_p += h * method->a[stage][s] * k->q[s][i];
            v_p += h * method->a[stage][s] * k->v[s][i];
        }
        out->v_hat[i] = v_p;
        out->q_hat[i] = q_p + c * v_p;
    }
    out->c_v = c;
    out->c_q = c * c;
}

void tml__relation_velocity(const time_relation* relation, const double* q, int n, double* v)
{
    const double g = relation->c_v / relation->c_q;
    for (int i = 0; i < n; i++) v[i] = relation->v_hat[i] + g * (q[i] - relation->q_hat[i]);
}

void tml__dirk_rate(const time_relation* relation, const double* q_stage, int n, double* k_q,
                    double* k_v)
{
    tml__relation_velocity(relation, q_stage, n, k_q);
    for (int i = 0; i < n; i++) k_v[i] = (k_q[i] - relation->v_hat[i]) / relation->c_v;
}

void tml__dirk_close(const dirk* method, double h, const double* q, const double* v,
                     const dirk_rates* k, int n, double* q1, double* v1)
{
    for (int i = 0; i < n; i++) {
        q1[i] = q[i] + h * (method->b[0] * k->q[0][i] + method->b[1] * k->q[1][i]);
        v1[i] = v[i] + h * (method->b[0] * k->v[0][i] + method->b[1] * k->v[1][i]);
    }
}

// ---- Newmark and general multistep

void tml__newmark(const newmark* method, double h, const double* q, const double* v,
                  const double* a, int n, time_relation* out)
{
    for (int i = 0; i < n; i++) {
        out->v_hat[i] = v[i] + h * (1.0 - method->gamma) * a[i];
        out->q_hat[i] = q[i] + h * v[i] + h * h * (0.5 - method->beta) * a[i];
    }
    out->c_v = method->gamma * h;
    out->c_q = method->beta * h * h;
}

void tml__multistep(const tml_multistep* method, const time_history* past, const double* const* a,
                    int n, time_relation* out)
{
    const double h = past->h;
    const double c = h * method->beta[0] / method->alpha[0];

    for (int i = 0; i < n; i++) {
        double q_p = 0.0;
        double v_p = 0.0;
        for (int j = 1; j <= method->steps; j++) {
            const double alpha = method->alpha[j] / method->alpha[0];
            const double beta = h * method->beta[j] / method->alpha[0];
            q_p += beta * past->v[j - 1][i] - alpha * past->q[j - 1][i];
            v_p += beta * a[j - 1][i] - alpha * past->v[j - 1][i];
        }
        out->v_hat[i] = v_p;
        out->q_hat[i] = q_p + c * v_p;
    }
    out->c_v = c;
    out->c_q = c * c;
}
