// method/generalized/local.c - impulses found once more around rows that came late.
#include "method/generalized/local.h"

#include <math.h>
#include <string.h>

// The columns of the late rows: set, or cleared again.
static void mark_columns(gen_rows* r, int first, unsigned char mark)
{
    for (size_t e = r->start[first]; e < r->start[r->count]; e++) r->mark[r->column[e]] = mark;
}

static bool is_marked(const gen_rows* r, int row)
{
    for (size_t e = r->start[row]; e < r->start[row + 1]; e++) {
        if (r->mark[r->column[e]]) return true;
    }
    return false;
}

// Rows that share a column with the late ones; a contact's rows together, as friction refers to its normal.
static void pick_rows(gen_touch* c, int first)
{
    gen_rows* r = c->rows;
    mark_columns(r, first, 1);
    c->parting_count = 0;
    for (int row = 0; row < r->count; row += r->together[row]) {
        const bool is_local = is_marked(r, row);
        const int start = c->parting_count;
        for (int i = row; i < row + r->together[row] && is_local; i++) {
            const int k = c->parting_count++;
            c->parting[k] = i;
            c->parting_kinds[k] = c->kinds[i];
            if (c->kinds[i].kind == LCP_FRICTION) c->parting_kinds[k].normal = start;
            c->parting_labels[k] = c->labels[i];
            c->f_shift[k] = c->guess[i];
        }
    }
    mark_columns(r, first, 0);
}

// c->pushed without, or with, what the picked rows push by `f`.
static void push_picked(gen_touch* c, double sign, const double* f)
{
    const gen_rows* r = c->rows;
    for (int k = 0; k < c->parting_count; k++) {
        if (f[k] == 0.0) continue;
        const double push = sign * f[k];
        for (size_t e = r->start[c->parting[k]]; e < r->start[c->parting[k] + 1]; e++) {
            c->pushed[r->column[e]] += push * r->y[e];
        }
    }
}

// Velocities by the impulses of all rows but the picked ones, into c->parting_gap.
static void hold_others(gen_touch* c)
{
    const gen_rows* r = c->rows;
    push_picked(c, -1.0, c->f_shift);
    for (int k = 0; k < c->parting_count; k++) {
        const int i = c->parting[k];
        double sum = c->b[i];
        for (size_t e = r->start[i]; e < r->start[i + 1]; e++) {
            sum += r->y[e] * c->pushed[r->column[e]];
        }
        c->parting_gap[k] = sum;
    }
}

// Problems add up; what is left is the worst of both.
static void add_report(gen_touch* c, const lcp_report* more)
{
    lcp_report* all = &c->report;
    all->islands += more->islands;
    for (int k = 0; k < LCP_METHODS; k++) all->solved_by[k] += more->solved_by[k];
    all->unpolished += more->unpolished;
    all->pivots += more->pivots;
    all->dependent_rows += more->dependent_rows;
    all->tied_rows += more->tied_rows;
    all->kept_pivot = fmin(all->kept_pivot, more->kept_pivot);
    all->dropped_pivot = fmax(all->dropped_pivot, more->dropped_pivot);
    if (more->worst_row < 0 || !(more->residual > all->residual)) return;
    all->residual = more->residual;
    all->worst_row = c->parting[more->worst_row];
}

tml_status tml__gen_solve_locally(gen_touch* c, int first, int sweeps, message* why)
{
    gen_rows* r = c->rows;
    pick_rows(c, first);
    hold_others(c);
    const lcp_lifted lifted = {.columns = r->tree->column_count,
                               .start = r->start,
                               .column = r->column,
                               .y = r->y,
                               .give = r->compliance,
                               .pick = c->parting,
                               .checked = first,
                               .is_together = true,
                               .place = r->place,
                               .places = r->places};
    const lcp_problem problem = {.count = c->parting_count,
                                 .lifted = &lifted,
                                 .b = c->parting_gap,
                                 .rows = c->parting_kinds,
                                 .guess = c->f_shift,
                                 .sweeps = sweeps};
    lcp_report report;
    const tml_status status = tml__lcp_solve(c->solver, &problem, c->parting_labels, c->parting_f,
                                             c->w_shift, NULL, &report, why);
    add_report(c, &report);
    if (status != TML_OK) return status;
    push_picked(c, 1.0, c->parting_f);
    memset(c->is_independent + first, 0, (size_t)(r->count - first));
    for (int k = 0; k < c->parting_count; k++) {
        const int i = c->parting[k];
        c->f[i] = c->parting_f[k];
        c->w[i] = c->w_shift[k];
        c->labels[i] = c->parting_labels[k];
    }
    return TML_OK;
}
