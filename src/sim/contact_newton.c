// sim/contact_newton.c - contacts within the Newton iterations of a step in maximal coordinates.
//                                                          [notes, contact-newton]
// A step that is solved for with given forces may have no solution though contact has one: a chain that lies on a
// wheel under tension is pressed off it by forces that do not know where it is. So each iteration of the step's own
// Newton method asks the contacts, too:
//
//     (dx, dl)      the step that the equations make of the iterate, with the impulses f as they are
//     w             what rows are where that leads: gaps by their features there, slips by the way
//     w + A (f+ - f) obeys the laws of the rows: f+
//     (dx, dl) += K^-1 J^T (f+ - f)
//
// A is that of the start of the step, J G J^T (contact/problem_matrix.c), as long as it tells what the factor K of the
// iteration really answers. Where it does not (tension, links that turn) A is made of answers of K, a solve a row, and
// need not be symmetric; it serves for the iterations that follow as long as it tells what they answer. What comes out
// obeys the same equations as passes over whole steps do, which is the way where this one finds nothing.
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

// By how much of itself the answer of K may differ from that of A.
static const double close_enough = 0.05;

// Rows that hold and depend on each other do so where all contacts are met; an iterate is this far from there.
static const double near_dependence = 1e-5;

// Where the step leads, and what has become of the rows there.
static tml_status look_there(tml_sim* sim, const maximal_answer* by, const double* dx)
{
    const size_t bytes = POSE_WIDTH * (size_t)sim->system->node_count * sizeof(double);
    by->place(by->self, dx, sim->next.q);
    memcpy(sim->next.v, step_v(sim), bytes);
    tml__touch_see(sim);
    const tml_status status = tml__touch_follow_gaps(sim, true);
    tml__touch_see(sim);
    return status;
}

// What a motion within the step changes of the rows, m/s.
static void rates_there(const touch_set* t, const double* dx, double* out)
{
    tml__touch_rates_ahead(t, dx, out);
    for (int i = 0; i < t->row_count; i++) out[i] /= t->h;
}

// The step that impulses add, into w->dx and w->dl.
static tml_status answer(tml_sim* sim, const maximal_answer* by, const double* impulses)
{
    sim_touch* w = sim->touch;
    const double scale = w->reach * w->rows->h;
    tml__touch_push(w->rows, impulses, w->push);
    for (int i = 0; i < 6 * sim->system->node_count; i++) w->push[i] *= scale;
    return by->solve(by->self, w->push, w->dx, w->dl);
}

// f - f_start into `out`; the largest.
static double change(const touch_set* t, double* out)
{
    double largest = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        out[i] = t->f[i] - t->f_start[i];
        largest = fmax(largest, fabs(out[i]));
    }
    return largest;
}

// What A says that the change of impulses `more` makes of the rows, m/s.
static void tell(const tml_sim* sim, const double* more, double* out)
{
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const size_t count = (size_t)t->row_count;
    if (!w->has_matrix) tml__touch_respond(t, more, out);
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (size_t j = 0; w->has_matrix && j < count; j++)
            sum += w->matrix[i * count + j] * more[j];
        out[i] = (w->has_matrix ? sum : w->reach * out[i]) - w->reach * t->give[i] * more[i];
    }
}

// Has K answered as A said that it would? `more`: the change of impulses, whose answer is w->dx.
static bool is_as_told(const tml_sim* sim, const double* more)
{
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    double* really = w->total;  // free until the step is made
    double size = 0.0;
    double off = 0.0;
    rates_there(t, w->dx, really);
    tell(sim, more, t->response);
    for (int i = 0; i < t->row_count; i++) {
        if (t->labels[i] != LCP_HELD) continue;
        size = fmax(size, fabs(t->response[i]));
        off = fmax(off, fabs(really[i] - t->response[i]));
    }
    return off <= close_enough * size;
}

// A of the iterate, by a solve a row, into w->matrix.
static tml_status ask_all(tml_sim* sim, const maximal_answer* by)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    double* unit = w->asked;  // free until the step is made
    double* column = w->total;
    const int count = t->row_count;
    tml_status status = TML_OK;
    memset(unit, 0, (size_t)count * sizeof *unit);
    for (int j = 0; j < count && status == TML_OK; j++) {
        unit[j] = 1.0;
        status = answer(sim, by, unit);
        unit[j] = 0.0;
        rates_there(t, w->dx, column);
        column[j] += w->reach * t->give[j];
        for (int i = 0; i < count; i++)
            w->matrix[(size_t)i * (size_t)count + (size_t)j] = column[i];
    }
    return status;
}

// Impulses by that A.
static tml_status solve_there(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    const size_t count = (size_t)t->row_count;
    for (size_t i = 0; i < count; i++) {
        double sum = w->seen[i];
        for (size_t j = 0; j < count; j++) sum -= w->matrix[i * count + j] * t->f_start[j];
        t->b[i] = sum;
    }
    memcpy(t->guess, t->f_start, count * sizeof *t->guess);
    const lcp_problem problem = {.count = t->row_count,
                                 .A = w->matrix,
                                 .ld = t->row_count,
                                 .b = t->b,
                                 .rows = t->kinds,
                                 .guess = t->guess,
                                 .creep = t->creep,
                                 .dependence = near_dependence};
    const tml_status status =
        tml__lcp_solve(w->there, &problem, t->labels, t->f, t->w, NULL, &t->report, &sim->why);
    // an A that is none ends the attempt, not the run
    if (status != TML_OK) return TML_NOT_CONVERGED;
    for (size_t i = 0; i < count; i++) t->w[i] /= w->reach;  // as the other problem has it
    sim->report.contact_problems += t->report.islands;
    sim->report.contact_hits += t->report.solved_by[LCP_BY_PREVIOUS];
    return TML_OK;
}

static tml_status correct(void* self, const maximal_answer* by, double* dx, double* dl)
{
    tml_sim* sim = self;
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    maximal_system* s = sim->system;
    double* more = w->after;  // free until the step is made
    bool is_new = false;      // the matrix is that of this iteration

    tml_status status = look_there(sim, by, dx);
    if (status != TML_OK) return status;
    memcpy(t->f_start, t->f, (size_t)t->row_count * sizeof *t->f);
    bool is_told = false;
    while (!is_told && status == TML_OK) {
        status = w->has_matrix ? solve_there(sim) : tml__touch_solve_seen(sim, w->reach);
        if (status != TML_OK || !(change(t, more) > 0.0)) return status;
        status = answer(sim, by, more);
        is_told = is_new || t->row_count > LCP_FULL_ROWS || is_as_told(sim, more);
        if (is_told || status != TML_OK) break;
        memcpy(t->f, t->f_start, (size_t)t->row_count * sizeof *t->f);
        status = ask_all(sim, by);
        w->has_matrix = is_new = true;
    }
    if (status != TML_OK) return status;
    for (int i = 0; i < 6 * s->node_count; i++) dx[i] += w->dx[i];
    for (int i = 0; i < s->row_count; i++) dl[i] += w->dl[i];
    tml__touch_push(t, more, w->push);
    by->add(by->self, w->push);
    tml__touch_put_push(sim);
    return TML_OK;
}

tml_status tml__touch_step_together(tml_sim* sim, double reach)
{
    const maximal_partner partner = {sim, correct};
    sim->touch->reach = reach;
    sim->touch->has_matrix = false;
    sim->system->partner = &partner;
    const tml_status status = tml__touch_step_with_push(sim);
    sim->system->partner = NULL;
    return status;
}
