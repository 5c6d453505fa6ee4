// opt/ddp.c - differential dynamic programming without second derivatives of the steps (iLQR): the controls of
// every step by one linear-quadratic problem after the other, from exact step Jacobians.
//
//     x_k + dx = A_k dx_{k-1} + B_k du_k,     cost  l_x dx + dx l_xx dx / 2 + l_u du + du l_uu du / 2
//     Q_x = l_x + A' v,  Q_u = l_u + B' v,  Q_xx = l_xx + A' V A,  Q_uu = l_uu + B' V B,  Q_ux = B' V A
//     du = k + K dx,   k = -(Q_uu + mu)^-1 Q_u,   K = -(Q_uu + mu)^-1 Q_ux
//
// Terms with a target are squares: their curvature is g g' (Gauss-Newton). Steps that do not help raise mu,
// and shorten k. Controls are kept within their bounds as they are applied.
#include "diff/derivatives.h"
#include "math/small.h"
#include "opt/problem.h"

#include <math.h>
#include <string.h>

typedef struct ddp {
    tml_problem* p;
    tml_derivatives* d;
    size_t n;  // numbers in a state
    size_t m;  // controls that are chosen
    int steps;
    int* who;       // per chosen control: its index in the model
    int* variable;  // m a step: which variable; step 1 first
    void* memory;
    // per step, from step 1 on: A n x n and B n x controls, columns; k m, K m x n
    double *A, *B, *k, *K;
    double *l_x, *l_xx;      // per state, from 0 on
    double *points, *tried;  // states of the accepted run, and of the one that is tried
    size_t point;            // numbers in one
    double* u;               // m a step: accepted
    double* u_tried;
    // scratch
    double *V, *v, *VA, *Q_xx, *Q_ux, *Q_uu, *Q_u, *factor, *row, *dx, *column;
    double expected;  // decrease, to first order in the length of the step
    double largest;   // |Q_u| times the scale of its variable
} ddp;

// ---- memory

static size_t take(double** base, double** to, size_t count)
{
    if (base != NULL && *base != NULL) {
        *to = *base;
        *base += count;
    }
    return count;
}

static size_t lay_out(ddp* a, double* at)
{
    const size_t n = a->n;
    const size_t m = a->m;
    const size_t steps = (size_t)a->steps;
    const size_t controls = (size_t)a->p->control_count;
    size_t sum = 0;
    double** base = &at;
    sum += take(base, &a->A, steps * n * n);
    sum += take(base, &a->B, steps * n * controls);
    sum += take(base, &a->k, steps * m);
    sum += take(base, &a->K, steps * m * n);
    sum += take(base, &a->l_x, (steps + 1) * n);
    sum += take(base, &a->l_xx, (steps + 1) * n * n);
    sum += take(base, &a->points, (steps + 1) * a->point);
    sum += take(base, &a->tried, (steps + 1) * a->point);
    sum += take(base, &a->u, steps * m);
    sum += take(base, &a->u_tried, steps * m);
    double** const squares[4] = {&a->V, &a->VA, &a->Q_xx, &a->Q_ux};
    for (int i = 0; i < 4; i++) sum += take(base, squares[i], n * (n > m ? n : m));
    sum += take(base, &a->Q_uu, m * m);
    sum += take(base, &a->factor, m * m);
    sum += take(base, &a->Q_u, m);
    double** const rows[4] = {&a->v, &a->row, &a->dx, &a->column};
    for (int i = 0; i < 4; i++) sum += take(base, rows[i], n > m ? n : m);
    return sum;
}

static tml_status check(tml_problem* p)
{
    if (p->d->linear->way == NULL) {
        return tml__fail(&p->why, TML_UNSUPPORTED,
                         "method 'ddp' works on formulation 'generalized', this is '%s'",
                         tml_formulation_name(p->d->sim->settings.formulation));
    }
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        if (is_control(v) && v->knot_count == p->def.steps) continue;
        return tml__fail(
            &p->why, TML_BAD_ARGUMENT, "method 'ddp' chooses one control a step: variable %d is %s",
            i, is_control(v) ? "a control with another number of knots than steps" : "no control");
    }
    if (p->def.slopes == TML_SLOPES_COMPLEMENTARITY_AWARE) {
        return tml__fail(&p->why, TML_BAD_ARGUMENT,
                         "method 'ddp' needs forward slopes, which are not complementarity-aware");
    }
    return TML_OK;
}

static tml_status open_ddp(tml_problem* p, ddp* a)
{
    *a = (ddp){.p = p, .d = p->d, .steps = p->def.steps, .n = p->d->state_count};
    a->point = p->d->linear->point_count(p->d->sim);
    a->m = (size_t)(p->def.variable_count / p->def.steps);
    const size_t chosen = a->m * (size_t)a->steps;
    a->who = tml__allocate(&p->allocator, a->m + chosen, sizeof *a->who);
    a->memory = tml__allocate(&p->allocator, lay_out(a, NULL), sizeof(double));
    if (a->who == NULL || a->memory == NULL) {
        return tml__fail(&p->why, TML_NO_MEMORY, "out of memory");
    }
    lay_out(a, a->memory);
    a->variable = a->who + a->m;
    size_t found = 0;
    for (int i = 0; i < p->def.variable_count; i++) {
        const tml_variable* v = &p->variables[i];
        if (v->knot == 0) a->who[found++] = v->parameter.index;
        a->variable[(size_t)v->knot * a->m + found - 1] = i;
    }
    return TML_OK;
}

static void close_ddp(ddp* a)
{
    tml__release(&a->p->allocator, a->who);
    tml__release(&a->p->allocator, a->memory);
}

// ---- running

// The run with `u` (m a step), and feedback on the way from the accepted run (length > 0); its objective.
// false: it failed.
static bool roll(ddp* a, double length, double* u, double* points, double* value)
{
    tml_problem* p = a->p;
    tml_derivatives* d = a->d;
    tml_derivatives_restart(d);
    for (int k = 1; k <= a->steps; k++) {
        const size_t at = (size_t)(k - 1) * a->m;
        d->linear->note(d->sim, points + (size_t)(k - 1) * a->point);
        if (length > 0.0) d->linear->way(d->sim, a->points + (size_t)(k - 1) * a->point, a->dx);
        for (size_t i = 0; i < a->m; i++) {
            const tml_variable* v = &p->variables[a->variable[at + i]];
            double now = a->u[at + i];
            if (length > 0.0) {
                now += length * a->k[at + i];
                for (size_t j = 0; j < a->n; j++) {
                    now += a->K[(at + i) * a->n + j] * a->dx[j];
                }
            }
            u[at + i] = fmin(v->upper, fmax(v->lower, now));
            p->controls[k * p->control_count + a->who[i]] = u[at + i];
        }
        if (tml_derivatives_step(d, &p->controls[k * p->control_count]) != TML_OK) return false;
    }
    d->linear->note(d->sim, points + (size_t)a->steps * a->point);
    if (tml_derivatives_values(d, p->quantity_count, p->quantities, p->values) != TML_OK) {
        return false;
    }
    *value = tml__problem_sum(p);
    return isfinite(*value);
}

// ---- the linear-quadratic problem

static tml_status expand_cost(ddp* a)
{
    tml_problem* p = a->p;
    const size_t n = a->n;
    int at = 0;
    memset(a->l_x, 0, ((size_t)a->steps + 1) * n * sizeof(double));
    memset(a->l_xx, 0, ((size_t)a->steps + 1) * n * n * sizeof(double));
    for (int i = 0; i < p->def.term_count; i++) {
        const tml_term* t = &p->terms[i];
        const double weight = t->weight / (t->last - t->first + 1);
        for (int k = t->first; k <= t->last && !t->is_effort; k++, at++) {
            const tml_status status = tml__quantity_row(a->d, &p->quantities[at], a->row);
            if (status != TML_OK) return status;
            double* l_x = a->l_x + (size_t)k * n;
            double* l_xx = a->l_xx + (size_t)k * n * n;
            for (size_t r = 0; r < n; r++) l_x[r] += p->weights[at] * a->row[r];
            for (size_t r = 0; r < n && t->has_target; r++) {
                for (size_t c = 0; c < n; c++) l_xx[r * n + c] += weight * a->row[r] * a->row[c];
            }
        }
    }
    return TML_OK;
}

// Slope and curvature of the efforts of chosen control i at step k.
static void effort_of(const ddp* a, int step, size_t i, double* slope, double* curvature)
{
    const tml_problem* p = a->p;
    *slope = *curvature = 0.0;
    for (int n = 0; n < p->def.term_count; n++) {
        const tml_term* t = &p->terms[n];
        if (!t->is_effort || t->quantity.index != a->who[i]) continue;
        for (int k = t->first; k <= t->last; k++) {
            if ((k > 0 ? k : 1) != step) continue;
            const double weight = t->weight / (t->last - t->first + 1);
            *slope += weight * a->u[(size_t)(step - 1) * a->m + i];
            *curvature += weight;
        }
    }
}

static tml_status linearise(ddp* a)
{
    const size_t controls = (size_t)a->p->control_count;
    tml_status status = expand_cost(a);
    for (int k = 1; k <= a->steps && status == TML_OK; k++) {
        status = tml__step_matrix(a->d, k, a->A + (size_t)(k - 1) * a->n * a->n,
                                  a->B + (size_t)(k - 1) * a->n * controls);
    }
    tml__moments_leave(a->d);
    return status;
}

// out = V column, V symmetric
static void apply_V(const ddp* a, const double* column, double* out)
{
    for (size_t r = 0; r < a->n; r++) out[r] = dot((int)a->n, a->V + r * a->n, column);
}

// Q of one step, from V and v behind it.
static void fill_Q(ddp* a, int step, double* Q_x)
{
    const size_t n = a->n;
    const size_t m = a->m;
    const double* A = a->A + (size_t)(step - 1) * n * n;
    const double* B = a->B + (size_t)(step - 1) * n * (size_t)a->p->control_count;
    const double* l_x = a->l_x + (size_t)(step - 1) * n;
    const double* l_xx = a->l_xx + (size_t)(step - 1) * n * n;
    for (size_t c = 0; c < n; c++) apply_V(a, A + c * n, a->VA + c * n);
    for (size_t r = 0; r < n; r++) {
        Q_x[r] = l_x[r] + dot((int)n, A + r * n, a->v);
        for (size_t c = 0; c < n; c++) {
            a->Q_xx[r * n + c] = l_xx[r * n + c] + dot((int)n, A + r * n, a->VA + c * n);
        }
    }
    for (size_t i = 0; i < m; i++) {
        const double* own = B + (size_t)a->who[i] * n;
        double slope = 0.0;
        double curvature = 0.0;
        effort_of(a, step, i, &slope, &curvature);
        a->Q_u[i] = slope + dot((int)n, own, a->v);
        for (size_t c = 0; c < n; c++) a->Q_ux[i * n + c] = dot((int)n, own, a->VA + c * n);
        apply_V(a, own, a->column);
        for (size_t j = 0; j < m; j++) {
            a->Q_uu[j * m + i] = dot((int)n, B + (size_t)a->who[j] * n, a->column);
        }
        a->Q_uu[i * m + i] += curvature;
    }
}

// k and K of one step; false: Q_uu + mu has no Cholesky factor.
static bool find_gains(ddp* a, int step, double mu)
{
    const size_t n = a->n;
    const size_t m = a->m;
    const size_t at = (size_t)(step - 1) * m;
    memcpy(a->factor, a->Q_uu, m * m * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        const double scale = a->p->variables[a->variable[at + i]].scale;
        a->factor[i * m + i] += mu / (scale * scale);
    }
    if (tml__ldlt_factor((int)m, a->factor, (ptrdiff_t)m) != TML_OK) return false;
    for (size_t i = 0; i < m; i++) {
        if (!(a->factor[i * m + i] > 0.0)) return false;
        a->k[at + i] = -a->Q_u[i];
    }
    tml__ldlt_solve((int)m, a->factor, (ptrdiff_t)m, a->k + at);
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < m; i++) a->column[i] = -a->Q_ux[i * n + c];
        tml__ldlt_solve((int)m, a->factor, (ptrdiff_t)m, a->column);
        for (size_t i = 0; i < m; i++) a->K[(at + i) * n + c] = a->column[i];
    }
    return true;
}

// V = Q_xx + K' Q_uu K + K' Q_ux + Q_xu K,  v = Q_x + K' (Q_uu k + Q_u) + Q_xu k
static void fold(ddp* a, int step, const double* Q_x)
{
    const size_t n = a->n;
    const size_t m = a->m;
    const size_t at = (size_t)(step - 1) * m;
    const double* K = a->K + at * n;
    const double* k = a->k + at;
    for (size_t r = 0; r < n; r++) {
        double slope = Q_x[r];
        for (size_t i = 0; i < m; i++) {
            slope += K[i * n + r] * (a->Q_u[i] + dot((int)m, a->Q_uu + i * m, k));
            slope += a->Q_ux[i * n + r] * k[i];
        }
        a->v[r] = slope;
    }
    for (size_t c = 0; c < n; c++) {
        for (size_t r = 0; r < n; r++) {
            double sum = a->Q_xx[r * n + c];
            for (size_t i = 0; i < m; i++) {
                double bent = a->Q_ux[i * n + c];
                for (size_t j = 0; j < m; j++) bent += a->Q_uu[i * m + j] * K[j * n + c];
                sum += K[i * n + r] * bent + a->Q_ux[i * n + r] * K[i * n + c];
            }
            a->V[r * n + c] = sum;
        }
    }
    // rounding would let the two halves drift apart
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < r; c++) {
            const double mean = 0.5 * (a->V[r * n + c] + a->V[c * n + r]);
            a->V[r * n + c] = a->V[c * n + r] = mean;
        }
    }
}

static bool go_back(ddp* a, double mu)
{
    const size_t n = a->n;
    memcpy(a->V, a->l_xx + (size_t)a->steps * n * n, n * n * sizeof(double));
    memcpy(a->v, a->l_x + (size_t)a->steps * n, n * sizeof(double));
    a->expected = 0.0;
    a->largest = 0.0;
    for (int step = a->steps; step >= 1; step--) {
        fill_Q(a, step, a->row);
        if (!find_gains(a, step, mu)) return false;
        for (size_t i = 0; i < a->m; i++) {
            const size_t at = (size_t)(step - 1) * a->m + i;
            const tml_variable* v = &a->p->variables[a->variable[at]];
            const bool is_held = (a->u[at] <= v->lower && a->Q_u[i] > 0.0) ||
                                 (a->u[at] >= v->upper && a->Q_u[i] < 0.0);
            if (!isfinite(a->Q_u[i])) return false;  // too large to tell: no minimum either
            a->expected -= a->k[at] * a->Q_u[i];
            if (!is_held) a->largest = fmax(a->largest, v->scale * fabs(a->Q_u[i]));
        }
        fold(a, step, a->row);
    }
    return true;
}

// ---- the search

static void swap(double** x, double** y)
{
    double* kept = *x;
    *x = *y;
    *y = kept;
}

static void tell(const ddp* a, double* x)
{
    for (size_t i = 0; i < a->m * (size_t)a->steps; i++) x[a->variable[i]] = a->u[i];
}

// A run along k and K that is better; its objective in *value.
static bool improve(ddp* a, double* value, tml_optimize_report* report)
{
    enum {
        HALVINGS = 10
    };
    double length = 1.0;
    for (int i = 0; i < HALVINGS; i++, length *= 0.5) {
        double tried = 0.0;
        report->evaluations++;
        if (!roll(a, length, a->u_tried, a->tried, &tried)) continue;
        if (!(tried < *value - 1e-4 * length * a->expected)) continue;
        *value = tried;
        swap(&a->u, &a->u_tried);
        swap(&a->points, &a->tried);
        return true;
    }
    return false;
}

static tml_status search(ddp* a, double* x, tml_optimize_report* report)
{
    static const double least = 1e-8;
    static const double most = 1e10;
    tml_problem* p = a->p;
    double mu = 1e-3;
    double value = 0.0;
    tml__problem_controls(p, x);
    for (size_t i = 0; i < a->m * (size_t)a->steps; i++) a->u[i] = x[a->variable[i]];
    if (!roll(a, 0.0, a->u, a->points, &value)) {
        return tml__fail(&p->why, TML_NOT_CONVERGED, "%s", tml_derivatives_message(p->d));
    }
    *report = (tml_optimize_report){.evaluations = 1, .first = value, .value = value};
    bool is_known = false;
    while (report->iterations < p->def.iterations) {
        if (!is_known) {
            const tml_status status = linearise(a);
            if (status != TML_OK) {
                return tml__fail(&p->why, status, "%s", tml_derivatives_message(p->d));
            }
            is_known = true;
        }
        const bool is_convex = go_back(a, mu);
        report->gradient = a->largest;
        report->has_converged = is_convex && a->largest <= p->def.tolerance;
        if (report->has_converged) break;
        report->iterations++;
        if (is_convex && improve(a, &value, report)) {
            is_known = false;
            mu = fmax(least, 0.2 * mu);
            report->value = value;
            tell(a, x);
            if (p->progress != NULL && p->progress(p->self, report, x) != 0) break;
            continue;
        }
        // the accepted run again: Jacobians stay, the way back is another
        mu *= 10.0;
        if (mu > most) break;
        if (!roll(a, 0.0, a->u, a->points, &value)) break;
    }
    tell(a, x);
    return TML_OK;
}

tml_status tml__minimise_ddp(tml_problem* p, double* x, tml_optimize_report* report)
{
    ddp a;
    tml_status status = check(p);
    if (status != TML_OK) return status;
    status = open_ddp(p, &a);
    if (status == TML_OK) status = search(&a, x, report);
    close_ddp(&a);
    return status;
}
