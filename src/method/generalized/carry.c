// method/generalized/carry.c - reflect in the middle, project at the end.
#include "method/generalized/carry.h"

#include "base/request.h"
#include "method/generalized/motion.h"
#include "method/generalized/tension.h"

#include <math.h>
#include <string.h>

static const double miss = 0.1;     // of a motion: how far bodies may come from where it leads
static const double least = 1e-10;  // m, of a motion that is looked at: less is rounding and rest
static const double easy = 0.02;    // below this parts may be twice as long again

// ---- memory

enum {
    REQUESTS = 15
};

// clang-format off
static int list_requests(gen_carry* c, const gen_tree* t, int rows, request list[REQUESTS])
{
    const size_t numbers = t != NULL ? (size_t)t->number_count : 0;
    const size_t columns = t != NULL ? (size_t)t->column_count : 0;
    const size_t bodies = t != NULL ? (size_t)t->body_count : 0;
    const request all[REQUESTS] = {
        {&c->numbers_mid, numbers, sizeof(double)},
        {&c->rates_mid,   columns, sizeof(double)},
        {&c->open,        (size_t)rows, sizeof(double)},
        {&c->impulse_mid, (size_t)rows, sizeof(double)},
        {&c->impulse_end, (size_t)rows, sizeof(double)},
        {&c->impulse,     (size_t)rows, sizeof(double)},
        {&c->before,      bodies, sizeof(gen_carried)},
        {&c->mid,         bodies, sizeof(gen_carried)},
        {&c->turned,      bodies, sizeof(gen_carried)},
        {&c->from,        bodies, sizeof(vec3)},
        {&c->rest,        bodies, sizeof(gen_carried)},
        {&c->held,        bodies, sizeof(mat3)},
        {&c->numbers,     numbers, sizeof(double)},
        {&c->moved,       numbers, sizeof(double)},
        {&c->rates,       columns, sizeof(double)},
    };
    for (int i = 0; i < REQUESTS; i++) list[i] = all[i];
    return REQUESTS;
}
// clang-format on

tml_status tml__gen_carry_create(gen_tree* t, int rows, const tml_allocator* allocator,
                                 gen_carry** out)
{
    *out = NULL;
    gen_carry* c = tml__allocate(allocator, 1, sizeof *c);
    if (c == NULL) return TML_NO_MEMORY;
    request list[REQUESTS];
    const int count = list_requests(c, t, rows, list);
    if (tml__take_all(allocator, list, count) != TML_OK) {
        tml__gen_carry_destroy(c, allocator);
        return TML_NO_MEMORY;
    }
    tml__gen_tension_list(t, c->held);
    c->by_matrix = t->mass_matrix != NULL;
    *out = c;
    return TML_OK;
}

void tml__gen_carry_destroy(gen_carry* c, const tml_allocator* allocator)
{
    if (c == NULL) return;
    request list[REQUESTS];
    const int count = list_requests(c, NULL, 0, list);
    tml__release_all(allocator, list, count);
    tml__release(allocator, c->parts);
    tml__release(allocator, c->part_memory);
    tml__release(allocator, c);
}

tml_status tml__gen_carry_remember(gen_carry* c, const gen_tree* t, const tml_allocator* allocator)
{
    const size_t numbers = (size_t)t->number_count;
    const size_t width = numbers + (size_t)t->column_count;
    if (c->parts != NULL) return TML_OK;
    c->part_memory = tml__allocate(allocator, CARRY_MOST * width, sizeof(double));
    c->parts = tml__allocate(allocator, CARRY_MOST, sizeof *c->parts);
    if (c->parts == NULL || c->part_memory == NULL) {
        tml__release(allocator, c->parts);
        tml__release(allocator, c->part_memory);
        c->parts = NULL;
        c->part_memory = NULL;
        return TML_NO_MEMORY;
    }
    for (size_t k = 0; k < CARRY_MOST; k++) {
        double* at = c->part_memory + k * width;
        c->parts[k] = (gen_carry_part){.numbers = at, .rates = at + numbers};
    }
    return TML_OK;
}

// ---- free motion

// F(m) = I (m - w) + h/2 m x I m = 0 by Newton; its slope is I + h/2 ([m] I - [I m]).
bool tml__free_turn(mat3 inertia, vec3 w, double h, vec3* m)
{
    enum {
        MOST_PASSES = 30
    };
    const double size = v3_norm(m3_apply(inertia, w));
    bool is_close = false;
    *m = w;
    for (int k = 0; k < MOST_PASSES && !is_close; k++) {
        const vec3 L = m3_apply(inertia, *m);
        const vec3 spin = v3_scale(0.5 * h, v3_cross(*m, L));
        const vec3 F = v3_add(m3_apply(inertia, v3_sub(*m, w)), spin);
        if (v3_dot(F, F) == 0.0) return true;  // about a principal axis
        const mat3 turn = m3_sub(m3_mul(m3_skew(*m), inertia), m3_skew(L));
        const mat3 slope = m3_add(inertia, m3_scale(0.5 * h, turn));
        *m = v3_sub(*m, m3_apply(m3_inverse(slope), F));
        is_close = v3_norm(F) <= 1e-8 * size;  // what the last pass squares
    }
    if (!is_close) *m = w;
    return is_close;
}

static void turn_freely(const gen_tree* t, double h, gen_carried* V)
{
    for (int at = 0; at < t->body_count; at++) {
        vec3 m;
        // one that is not found leaves the angular velocity in body axes: its energy stays
        (void)tml__free_turn(t->bodies[at].inertia, V[at].w, h, &m);
        V[at].w = v3_sub(v3_scale(2.0, m), V[at].w);
    }
}

// ---- velocities of bodies

static vec3 arm_of(const gen_tree* t, int at) { return v3_sub(t->c[at], t->origin[at]); }

// scale times those of the placed tree at rates, added. t->acceleration is used up.
static void add_velocities(gen_tree* t, double scale, const double* rates, gen_carried* V)
{
    tml__gen_motions(t, rates, t->acceleration);
    for (int at = 0; at < t->body_count; at++) {
        const twist u = t->acceleration[at];
        const vec3 v = v3_add(u.v, v3_cross(u.omega, arm_of(t, at)));
        V[at].v = v3_axpy(V[at].v, scale, v);
        V[at].w = v3_axpy(V[at].w, scale, m3_apply_t(t->R[at], u.omega));
    }
}

wrench tml__gen_momentum(const gen_tree* t, int at, gen_carried V)
{
    const gen_body* b = &t->bodies[at];
    const vec3 force = v3_scale(b->mass, V.v);
    const vec3 turn = m3_apply(t->R[at], m3_apply(b->inertia, V.w));
    return (wrench){v3_add(turn, v3_cross(arm_of(t, at), force)), force};
}

// u with H u = J^T M V at the placed tree, whose mass matrix is factored where there is memory for it. `rates` are
// near it already: only what they miss goes through the factor, and little is lost to rounding.
static tml_status project(gen_motion* m, const gen_carried* V, double* rates)
{
    gen_tree* t = m->tree;
    gen_carry* c = m->carry;
    tml_status status = TML_OK;
    memcpy(c->rest, V, (size_t)t->body_count * sizeof *V);
    add_velocities(t, -1.0, rates, c->rest);
    for (int at = 0; at < t->body_count; at++)
        t->applied[at] = tml__gen_momentum(t, at, c->rest[at]);
    t->is_still = true;
    if (!c->by_matrix) {
        status = tml__gen_forward(t, NULL, NULL, m->move, &m->bad_column);
    } else {
        tml__gen_inverse(t, NULL, m->move);
        for (int k = 0; k < t->column_count; k++) m->move[k] = -m->move[k];
        tml__gen_mass(t, NULL);
        status = tml__gen_factor(t, &m->bad_column);
        if (status == TML_OK) tml__gen_solve(t, m->move);
    }
    t->is_still = false;
    for (int k = 0; k < t->column_count && status == TML_OK; k++) rates[k] += m->move[k];
    return status;
}

// ---- one part

// Rows keep in the middle the rates that close them over what is left of the step: J u_m + C/left = 0.
static void keep_rows(gen_motion* m, double left, double* rates)
{
    gen_rows* r = m->rows;
    gen_carry* c = m->carry;
    memset(c->impulse_mid, 0, (size_t)m->s->row_count * sizeof *c->impulse_mid);
    tml__gen_rows_collect(r, false);
    if (r->count == 0) return;
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    for (int i = 0; i < r->count; i++) {
        r->side[i] = -(tml__gen_rows_rate(r, i, rates) + c->open[r->row[i]] / left);
    }
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, rates);
    for (int i = 0; i < r->count; i++) c->impulse_mid[r->row[i]] = r->side[i];
}

// The tree at a pose, and the rows if there are any. `is_placed`: the tree stands there already.
static void stand(gen_motion* m, const double* numbers, bool is_placed)
{
    if (m->rows != NULL || !is_placed) tml__gen_stand(m, numbers);
}

static tml_status reflect(gen_motion* m, double h, double left, const double* numbers,
                          const double* rates, bool is_placed)
{
    gen_tree* t = m->tree;
    gen_carry* c = m->carry;
    const size_t bodies = (size_t)t->body_count;
    c->h = h;
    c->is_placed = false;
    memset(c->before, 0, bodies * sizeof *c->before);
    stand(m, numbers, is_placed);
    if (m->rows != NULL) memcpy(c->open, m->s->C, (size_t)m->s->row_count * sizeof *c->open);
    add_velocities(t, 1.0, rates, c->before);
    memcpy(c->from, t->c, bodies * sizeof *c->from);

    memcpy(c->mid, c->before, bodies * sizeof *c->mid);
    turn_freely(t, 0.5 * h, c->mid);
    tml__gen_move(t, numbers, rates, 0.5 * h, c->numbers_mid);
    tml__gen_stand(m, c->numbers_mid);
    memcpy(c->rates_mid, rates, (size_t)t->column_count * sizeof *rates);
    const tml_status status = project(m, c->mid, c->rates_mid);
    if (status != TML_OK) return status;
    if (m->rows != NULL) keep_rows(m, left, c->rates_mid);

    for (size_t at = 0; at < bodies; at++) {
        c->turned[at] = (gen_carried){v3_neg(c->mid[at].v), v3_neg(c->mid[at].w)};
    }
    add_velocities(t, 2.0, c->rates_mid, c->turned);
    return TML_OK;
}

// How far the centres of mass are from where the velocities of the middle lead, of the way there, both in the
// metric of the masses.
static double missed(gen_carry* c, gen_tree* t, const double* numbers_after)
{
    double wrong = 0.0;
    double way = 0.0;
    double all = 0.0;
    tml__gen_place(t, numbers_after, NULL);
    c->is_placed = true;
    for (int at = 0; at < t->body_count; at++) {
        const double mass = t->bodies[at].mass;
        const vec3 d = v3_scale(0.5 * c->h, v3_add(c->turned[at].v, c->mid[at].v));
        const vec3 e = v3_sub(v3_add(c->from[at], d), t->c[at]);
        wrong += mass * v3_dot(e, e);
        way += mass * v3_dot(d, d);
        all += mass;
    }
    return way > all * least * least ? sqrt(wrong / way) : 0.0;
}

// Rates at the end of a part; impulses into c->impulse_end.
static tml_status end_part(gen_motion* m, const double* numbers, double* rates, bool is_placed)
{
    gen_carry* c = m->carry;
    turn_freely(m->tree, 0.5 * c->h, c->turned);
    stand(m, numbers, is_placed);
    memcpy(rates, c->rates_mid, (size_t)m->tree->column_count * sizeof *rates);
    const tml_status status = project(m, c->turned, rates);
    if (status != TML_OK || m->rows == NULL) return status;
    memset(c->impulse_end, 0, (size_t)m->s->row_count * sizeof *c->impulse_end);
    tml__gen_settle_rates(m, numbers, rates, c->impulse_end);
    return TML_OK;
}

// ---- all of them

static void remember(gen_carry* c, const gen_tree* t, double h, double left)
{
    if (c->parts == NULL) return;
    gen_carry_part* part = &c->parts[c->part_count];
    part->h = h;
    part->left = left;
    memcpy(part->numbers, c->numbers, (size_t)t->number_count * sizeof(double));
    memcpy(part->rates, c->rates, (size_t)t->column_count * sizeof(double));
}

static void add_impulses(gen_carry* c, int rows, double share, const double* impulse)
{
    for (int i = 0; i < rows; i++) c->impulse[i] += share * impulse[i];
}

tml_status tml__gen_carry_move(gen_motion* m, double h, const double* numbers, const double* rates,
                               double* numbers_after)
{
    gen_tree* t = m->tree;
    gen_carry* c = m->carry;
    const int rows = m->s->row_count;
    const size_t bytes = (size_t)t->number_count * sizeof(double);
    int done = 0;
    int size = CARRY_MOST;  // of a part
    bool is_again = false;  // with a shorter one
    c->part_count = 0;
    memset(c->impulse, 0, (size_t)rows * sizeof *c->impulse);
    memcpy(c->numbers, numbers, bytes);
    memcpy(c->rates, rates, (size_t)t->column_count * sizeof(double));
    while (done < CARRY_MOST) {
        const double part = h * size / CARRY_MOST;
        const double left = h * (CARRY_MOST - done) / CARRY_MOST;
        // the impulses of the step have put the tree where it starts, the end of a part where the next one does
        tml_status status = reflect(m, part, left, c->numbers, c->rates, !is_again);
        if (status != TML_OK) return status;
        tml__gen_move(t, c->numbers, c->rates_mid, part, c->moved);
        const double wrong = missed(c, t, c->moved);
        if (wrong > miss && size > 1) {
            size /= 2;
            is_again = true;
            continue;
        }
        is_again = false;
        remember(c, t, part, left);
        c->part_count++;
        done += size;
        if (m->rows != NULL) add_impulses(c, rows, 2.0, c->impulse_mid);  // reflected
        memcpy(c->numbers, c->moved, bytes);
        if (done == CARRY_MOST) break;
        status = end_part(m, c->numbers, c->rates, true);
        if (status != TML_OK) return status;
        if (m->rows != NULL) add_impulses(c, rows, 1.0, c->impulse_end);
        while (wrong < easy && size < CARRY_MOST && done % (2 * size) == 0) size *= 2;
    }
    memcpy(numbers_after, c->numbers, bytes);
    return TML_OK;
}

tml_status tml__gen_carry_end(gen_motion* m, const double* numbers_after, double* rates_after,
                              double* impulse)
{
    gen_carry* c = m->carry;
    const size_t bytes = (size_t)m->tree->number_count * sizeof(double);
    const bool is_placed = c->is_placed && memcmp(numbers_after, c->moved, bytes) == 0;
    const tml_status status = end_part(m, numbers_after, rates_after, is_placed);
    if (status != TML_OK || m->rows == NULL) return status;
    add_impulses(c, m->s->row_count, 1.0, c->impulse_end);
    for (int i = 0; i < m->s->row_count; i++) impulse[i] += c->impulse[i];
    return TML_OK;
}

tml_status tml__gen_carry_again(gen_motion* m, const gen_carry_part* part)
{
    return reflect(m, part->h, part->left, part->numbers, part->rates, false);
}
