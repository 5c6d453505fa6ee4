// solve/lcp_pivot.c - labels by sweeps, and labels by exchanging those that the exact solve refutes.
//
// Principal pivoting with a label per row. All refuted rows are exchanged together while their
// number falls; when it has not fallen for a while, only the one of least index, which cannot cycle
// where A is a P-matrix (Murty). A friction row follows its normal: off with it, held when it comes.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// ---- projected Gauss-Seidel

enum {
    SWEEPS = 60,       // at most
    STEADY_SWEEPS = 4  // labels that did not change for so long are worth an exact solve
};

static double clamp(double x, double low, double high)
{
    if (x < low) return low;
    return x > high ? high : x;
}

// The label that the force of row i suggests.
static lcp_label suggested(const lcp_island* p, int i)
{
    const lcp_row* row = &p->rows[i];
    if (row->kind == LCP_FREE) return LCP_HELD;
    if (row->kind == LCP_UNILATERAL) return p->f[i] > 0.0 ? LCP_HELD : LCP_OFF;
    if (row->kind == LCP_FRICTION && !(p->f[row->normal] > 0.0)) return LCP_OFF;
    if (p->f[i] >= lcp_upper(p, i)) return LCP_UPPER;
    return p->f[i] <= lcp_lower(p, i) ? LCP_LOWER : LCP_HELD;
}

static void sweep_row(lcp_island* p, int i)
{
    const double* row = &p->A[(size_t)i * (size_t)p->n];
    // a row that moves nothing keeps no force
    if (!(row[i] > 0.0)) return;
    double w = p->b[i];
    for (int j = 0; j < p->n; j++) w += row[j] * p->f[j];
    const double f = p->f[i] - w / row[i];

    switch (p->rows[i].kind) {
    case LCP_FREE: p->f[i] = f; break;
    case LCP_UNILATERAL: p->f[i] = f > 0.0 ? f : 0.0; break;
    case LCP_BOX:
    case LCP_FRICTION: p->f[i] = clamp(f, lcp_lower(p, i), lcp_upper(p, i)); break;
    }
}

// Labels as the forces suggest them; false when none has changed.
static bool relabel(lcp_island* p)
{
    bool has_changed = false;
    for (int i = 0; i < p->n; i++) {
        const lcp_label label = suggested(p, i);
        if (p->label[i] != label) has_changed = true;
        p->label[i] = (unsigned char)label;
    }
    return has_changed;
}

static void start_sweeps(lcp_island* p)
{
    const size_t bytes = (size_t)p->n * sizeof *p->f;
    if (p->has_guess) {
        memcpy(p->f, p->guess, bytes);
    } else {
        memset(p->f, 0, bytes);
    }
}

void tml__lcp_sweep(lcp_island* p)
{
    int steady = 0;
    start_sweeps(p);
    memset(p->label, LCP_UNKNOWN, (size_t)p->n);
    for (int k = 0; k < SWEEPS && steady < STEADY_SWEEPS; k++) {
        for (int i = 0; i < p->n; i++) sweep_row(p, i);
        steady = relabel(p) ? 0 : steady + 1;
    }
    memcpy(p->base, p->f, (size_t)p->n * sizeof *p->f);
}

// ---- principal pivoting

enum {
    PATIENCE = 6  // exchanges of whole blocks without progress before single ones
};

// The label row i should have instead of its own; its own when the exact solve does not refute it.
static lcp_label exchanged(const lcp_island* p, int i)
{
    const double slack_w = LCP_TOLERANCE * p->velocity_scale;
    const double slack_f = LCP_TOLERANCE * p->force_scale;
    const lcp_label label = (lcp_label)p->label[i];
    const lcp_kind kind = p->rows[i].kind;

    if (kind == LCP_FREE) return label;
    if (label == LCP_HELD && kind == LCP_UNILATERAL) return p->f[i] < -slack_f ? LCP_OFF : label;
    if (label == LCP_HELD) {
        if (p->f[i] > lcp_upper(p, i) + slack_f) return LCP_UPPER;
        return p->f[i] < lcp_lower(p, i) - slack_f ? LCP_LOWER : label;
    }
    if (label == LCP_OFF) return kind == LCP_UNILATERAL && p->w[i] < -slack_w ? LCP_HELD : label;
    // between bounds that coincide nothing can hold
    const bool is_narrow = !(lcp_upper(p, i) - lcp_lower(p, i) > slack_f);
    if (label == LCP_UPPER && p->w[i] > slack_w) return is_narrow ? LCP_LOWER : LCP_HELD;
    if (label == LCP_LOWER && p->w[i] < -slack_w) return is_narrow ? LCP_UPPER : LCP_HELD;
    return label;
}

// Friction follows its normal.
static void follow_normals(lcp_island* p)
{
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind != LCP_FRICTION) continue;
        if (lcp_normal_is_off(p, i)) {
            p->label[i] = LCP_OFF;
        } else if (p->label[i] == LCP_OFF) {
            p->label[i] = LCP_HELD;
        }
    }
}

// Where the normal itself is refuted, its friction rows say nothing: their bounds are meaningless.
static bool is_refuted(const lcp_island* p, int i)
{
    if (p->rows[i].kind == LCP_FRICTION) {
        const int normal = p->rows[i].normal;
        if (exchanged(p, normal) != (lcp_label)p->label[normal]) return false;
    }
    return exchanged(p, i) != (lcp_label)p->label[i];
}

static int count_refuted(const lcp_island* p)
{
    int count = 0;
    for (int i = 0; i < p->n; i++) count += is_refuted(p, i) ? 1 : 0;
    return count;
}

static void exchange(lcp_island* p, bool is_single)
{
    memcpy(p->kept_label, p->label, (size_t)p->n);
    for (int i = 0; i < p->n; i++) {
        if (!is_refuted(p, i)) continue;
        p->kept_label[i] = (unsigned char)exchanged(p, i);
        if (is_single) break;
    }
    memcpy(p->label, p->kept_label, (size_t)p->n);
    follow_normals(p);
}

bool tml__lcp_pivot(lcp_island* p, int most, int* solves)
{
    int best = p->n + 1;
    int patience = PATIENCE;

    follow_normals(p);
    for (int k = 0; k < most; k++) {
        tml__lcp_exact(p);
        (*solves)++;
        if (tml__lcp_verify(p)) return true;
        const int refuted = count_refuted(p);
        if (refuted == 0) return false;  // rows that hold contradict each other
        const bool has_progress = refuted < best;
        if (has_progress) best = refuted;
        patience = has_progress ? PATIENCE : patience - 1;
        exchange(p, patience < 0);
    }
    return false;
}
