// method/generalized/step_held.c - contacts among rows that hold: their products, one after the other.
#include "method/generalized/step_held.h"

#include "method/generalized/carry_product.h"
#include "method/generalized/step_contact.h"

#include <math.h>
#include <string.h>

// ---- which steps

// Does a limit's row move more than one column?
static bool is_bent(const gen_rows* r, int row)
{
    double largest = 0.0;
    int count = 0;
    for (size_t e = r->start[row]; e < r->start[row + 1]; e++)
        largest = fmax(largest, fabs(r->j[e]));
    for (size_t e = r->start[row]; e < r->start[row + 1]; e++) {
        count += fabs(r->j[e]) > 1e-9 * largest;  // rounding of a wrench that misses a column
    }
    return count > 1;
}

bool tml__gen_touch_is_held(const gen_touch* c, double h, double tolerance)
{
    if (c->motion->rows == NULL) return false;
    if (c->equal_count > 0) return true;
    for (int i = 0; i < c->limit_count; i++) {
        if (!(c->f[i] > 0.0)) continue;
        const double met = h * fabs(tml__gen_rows_rate(c->rows, i, c->rates_try));
        if (c->motion->carry != NULL) return true;  // it holds what is carried, too
        if (met > tolerance || is_bent(c->rows, i)) return true;
    }
    return false;
}

// ---- rows beside contacts

int tml__step_row_of(const gen_step_product* s, int row, double* sign)
{
    const gen_touch* c = s->touch;
    // a limit's row pushes inwards, its multiplier along the coordinate
    const bool is_upper =
        row >= c->equal_count && c->limit_side_of[row - c->equal_count] == LIMIT_UPPER;
    *sign = is_upper ? -1.0 : 1.0;
    return c->rows->row[row];
}

static int rows_beside(const gen_touch* c) { return c->equal_count + c->limit_count; }

void tml__step_list_pushes(gen_step_product* s, const double* f, double scale)
{
    memset(s->pushes, 0, (size_t)s->motion->s->row_count * sizeof *s->pushes);
    for (int row = 0; row < rows_beside(s->touch); row++) {
        double sign = 1.0;
        const int at = tml__step_row_of(s, row, &sign);
        s->pushes[at] += scale * sign * f[row];
    }
}

void tml__step_impulses(const gen_step_product* s, partial_direction way, double scale,
                        double* multipliers)
{
    const gen_border* b = &s->border;
    const bool is_forward = way == PARTIAL_FORWARD;
    const size_t bytes = (size_t)s->motion->s->row_count * sizeof *multipliers;
    if (is_forward) memset(multipliers, 0, bytes);
    for (int k = 0; k < b->count; k++) {
        int r = 0;
        double sign = 1.0;
        if (tml__step_contact_of(s, b->row[k], &r) >= 0) continue;
        if (gen_touch_is_dry(s->touch, b->row[k])) continue;
        const int at = tml__step_row_of(s, b->row[k], &sign);
        if (is_forward) {
            multipliers[at] += scale * sign * s->d_f[k];
        } else {
            s->d_f[k] += scale * sign * multipliers[at];
        }
    }
}

static gen_rows_point seen_point(const gen_step_product* s, const double* rates, int level)
{
    gen_rows_point at = {.numbers = s->record.numbers, .rates = rates, .is_held = true};
    at.view.level[level] = 1.0;
    return at;
}

void tml__step_rows_forward(gen_step_product* s, const gen_step_numbers* x, const double* rates)
{
    gen_step_rows* held = s->record.held;
    const size_t bytes = (size_t)s->motion->s->row_count * sizeof(double);
    const gen_column_change change = {.positions = x->positions};
    for (int level = 0; level < 2; level++) {
        const gen_rows_point at = seen_point(s, rates, level);
        tml__gen_rows_carry(held, PARTIAL_FORWARD, &at, &change, &x->in, 0.0, held->flow);
        memcpy(level == 0 ? s->row_value : s->row_rate, s->inverse->rows, bytes);
    }
}

void tml__step_rows_backward(gen_step_product* s, const gen_step_numbers* x, const double* rates)
{
    gen_step_rows* held = s->record.held;
    const size_t bytes = (size_t)s->motion->s->row_count * sizeof(double);
    const gen_column_change change = {.positions = x->positions};
    memset(held->flow, 0, (size_t)s->motion->tree->column_count * sizeof *held->flow);
    for (int level = 0; level < 2; level++) {
        double* gradient = level == 0 ? s->row_value : s->row_rate;
        const gen_rows_point at = seen_point(s, rates, level);
        memcpy(s->inverse->rows, gradient, bytes);
        tml__gen_rows_carry(held, PARTIAL_BACKWARD, &at, &change, &x->in, 0.0, held->flow);
        memset(gradient, 0, bytes);
    }
}

// ---- sides of limits: which of them are rows depends on which part of the step is looked at

typedef enum limits_shown {
    SHOW_NONE,    // closing along the new rates leaves them out
    SHOW_LABELS,  // those that hold in the push or in the shift
    SHOW_PUSHED,  // those that have pushed hold to the end
} limits_shown;

static void show_limits(const gen_step_product* s, limits_shown which)
{
    const gen_touch* c = s->touch;
    maximal_system* m = s->motion->s;
    for (int i = 0; i < m->limit_count; i++) m->sides[i] = LIMIT_OFF;
    for (int i = 0; i < c->limit_count; i++) {
        const int row = c->equal_count + i;
        const bool is_shifted = s->has_shift && s->shifted[row] == LCP_HELD;
        const bool is_labelled = c->labels[row] == LCP_HELD || is_shifted;
        const bool is_on = which == SHOW_LABELS ? is_labelled : c->f[row] > 0.0;
        if (is_on && which != SHOW_NONE) m->sides[c->limit_index[i]] = c->limit_side_of[i];
    }
}

// ---- where it stands

tml_status tml__gen_step_held_at(gen_step_product* s, gen_step_rows* rows, gen_touch* touch,
                                 const gen_step_record* step, gen_rows_record* record, message* why)
{
    gen_step_record here = *step;
    here.held = rows;
    here.rates_after = touch->rates_try;
    s->has_shift = false;
    s->touch = touch;
    show_limits(s, SHOW_LABELS);
    const tml_status status = tml__gen_step_product_at(s, touch, STEP_EXACT, &here, why);
    if (status != TML_OK) return status;
    tml__step_list_pushes(s, touch->f, 1.0);
    memcpy(s->impulse, s->pushes, (size_t)s->motion->s->row_count * sizeof *s->impulse);
    tml__gen_move(s->motion->tree, record->numbers,
                  record->has_new_rates ? record->rates_pushed : record->rates, record->h,
                  s->numbers);
    record->rates_touched = touch->rates_try;
    record->impulse_touched = s->impulse;
    record->numbers_pushed = s->numbers;
    rows->record = *record;
    return TML_OK;
}

// ---- forwards

static gen_rows_numbers rows_numbers(const gen_step_numbers* x)
{
    return (gen_rows_numbers){.positions = x->positions,
                              .rates = x->rates,
                              .positions_after = x->positions_after,
                              .rates_after = x->rates_after,
                              .multipliers = x->multipliers,
                              .in = x->in};
}

// From the rates that contacts leave to positions and rates after the step.
static tml_status end_forward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.held;
    const gen_tree* t = s->motion->tree;
    const size_t bytes = (size_t)t->column_count * sizeof(double);
    const gen_rows_record record = rows->record;
    const gen_rows_numbers numbers = rows_numbers(x);
    tml_status status = TML_OK;
    memcpy(rows->u1, x->rates_after, bytes);
    if (rows->carry != NULL) {
        show_limits(s, SHOW_PUSHED);
        status = tml__gen_carry_move_product(rows->carry, PARTIAL_FORWARD, &x->in, x->positions,
                                             rows->u1, rows->q1, why);
    } else if (record.has_new_rates) {
        show_limits(s, SHOW_NONE);
        status = tml__gen_close_product(rows, PARTIAL_FORWARD, &record, &numbers, why);
    } else {
        tml__gen_move_product(t, true, record.rates, record.h, x->positions, x->rates, rows->q1);
    }
    if (status != TML_OK) return status;
    memcpy(x->positions_after, rows->q1, bytes);
    memcpy(x->rates_after, rows->u1, bytes);
    if (s->parted.count > 0) {
        tml__gen_move_product(t, true, s->touch->shift, 1.0, rows->q1, s->there,
                              x->positions_after);
    }
    show_limits(s, SHOW_PUSHED);
    return tml__gen_settle_product(rows, PARTIAL_FORWARD, &record, &numbers, why);
}

static tml_status forward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.held;
    const size_t bytes = (size_t)s->motion->tree->column_count * sizeof(double);
    show_limits(s, SHOW_LABELS);
    if (rows->carry != NULL) {
        const tml_status stood = tml__step_factor(s, why);
        if (stood != TML_OK) return stood;
    }
    memset(rows->multipliers, 0, (size_t)s->motion->s->row_count * sizeof *rows->multipliers);
    tml__step_push_forward(s, x);
    tml__step_impulses(s, PARTIAL_FORWARD, 1.0, rows->multipliers);
    if (s->parted.count > 0) {
        tml__step_shift_find(s, x);
        memcpy(s->there, s->r, bytes);
    }
    const tml_status status = end_forward(s, x, why);
    for (int i = 0; i < s->motion->s->row_count && x->multipliers != NULL; i++) {
        x->multipliers[i] = rows->multipliers[i] / s->record.h;
    }
    return status;
}

// ---- backwards

// Gradients by the rates that contacts leave into s->from, by impulses into those of the rows.
static tml_status end_backward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.held;
    const gen_tree* t = s->motion->tree;
    const size_t bytes = (size_t)t->column_count * sizeof(double);
    const gen_rows_record record = rows->record;
    const gen_rows_numbers numbers = rows_numbers(x);
    show_limits(s, SHOW_PUSHED);
    tml_status status = tml__gen_settle_product(rows, PARTIAL_BACKWARD, &record, &numbers, why);
    if (status != TML_OK) return status;
    memset(s->from, 0, bytes);
    s->is_shifting = s->parted.count > 0;
    double* moved = x->positions_after;
    if (s->is_shifting) {
        show_limits(s, SHOW_LABELS);
        if (rows->carry != NULL) status = tml__step_factor(s, why);
        if (status != TML_OK) return status;
        tml__step_shift_backward(s, x);
        moved = s->there;
    }
    memcpy(rows->q1, moved, bytes);
    memcpy(rows->u1, x->rates_after, bytes);
    if (rows->carry != NULL) {
        show_limits(s, SHOW_PUSHED);
        status = tml__gen_carry_move_product(rows->carry, PARTIAL_BACKWARD, &x->in, x->positions,
                                             rows->u1, rows->q1, why);
    } else if (record.has_new_rates) {
        show_limits(s, SHOW_NONE);
        status = tml__gen_close_product(rows, PARTIAL_BACKWARD, &record, &numbers, why);
    } else {
        tml__gen_move_product(t, false, record.rates, record.h, x->positions, x->rates, rows->q1);
    }
    for (int k = 0; k < t->column_count; k++) s->from[k] += rows->u1[k];
    return status;
}

static tml_status backward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.held;
    const size_t count = (size_t)s->motion->s->row_count;
    memset(s->row_value, 0, count * sizeof *s->row_value);
    memset(s->row_rate, 0, count * sizeof *s->row_rate);
    for (size_t i = 0; i < count; i++) {
        rows->multipliers[i] = x->multipliers != NULL ? x->multipliers[i] / s->record.h : 0.0;
    }
    tml_status status = end_backward(s, x, why);
    if (status != TML_OK) return status;
    show_limits(s, SHOW_LABELS);
    if (rows->carry != NULL) status = tml__step_factor(s, why);
    if (status != TML_OK) return status;
    tml__step_stand_again(s);
    const tml_status pushed = tml__step_push_backward(s, x, why);
    show_limits(s, SHOW_PUSHED);
    return pushed;
}

tml_status tml__gen_step_held_product(gen_step_product* s, partial_direction way,
                                      const gen_step_numbers* x, message* why)
{
    return way == PARTIAL_FORWARD ? forward(s, x, why) : backward(s, x, why);
}
