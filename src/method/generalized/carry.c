// method/generalized/carry.c - reflect in the middle, project at the end.
#include "method/generalized/carry.h"

#include "base/request.h"
#include "method/generalized/motion.h"

#include <math.h>
#include <string.h>

// ---- memory

enum {
    REQUESTS = 10
};

// clang-format off
static int list_requests(gen_carry* c, const gen_tree* t, int rows, request list[REQUESTS])
{
    const size_t numbers = t != NULL ? (size_t)t->number_count : 0;
    const size_t columns = t != NULL ? (size_t)t->column_count : 0;
    const size_t bodies = t != NULL ? (size_t)t->body_count : 0;
    const request all[REQUESTS] = {
        {&c->numbers,     numbers, sizeof(double)},
        {&c->rates,       columns, sizeof(double)},
        {&c->numbers_mid, numbers, sizeof(double)},
        {&c->rates_mid,   columns, sizeof(double)},
        {&c->open,        (size_t)rows, sizeof(double)},
        {&c->impulse_mid, (size_t)rows, sizeof(double)},
        {&c->impulse_end, (size_t)rows, sizeof(double)},
        {&c->before,      bodies, sizeof(gen_carried)},
        {&c->mid,         bodies, sizeof(gen_carried)},
        {&c->turned,      bodies, sizeof(gen_carried)},
    };
    for (int i = 0; i < REQUESTS; i++) list[i] = all[i];
    return REQUESTS;
}
// clang-format on

tml_status tml__gen_carry_create(const gen_tree* t, int rows, const tml_allocator* allocator,
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
    *out = c;
    return TML_OK;
}

void tml__gen_carry_destroy(gen_carry* c, const tml_allocator* allocator)
{
    if (c == NULL) return;
    request list[REQUESTS];
    const int count = list_requests(c, NULL, 0, list);
    tml__release_all(allocator, list, count);
    tml__release(allocator, c);
}

// ---- free motion

// F(m) = I (m - w) + h/2 m x I m = 0 by Newton; its slope is I + h/2 ([m] I - [I m]).
bool tml__free_turn(mat3 inertia, vec3 w, double h, vec3* after)
{
    enum {
        MOST_PASSES = 30
    };
    vec3 m = w;
    const double size = v3_norm(m3_apply(inertia, w));
    for (int k = 0; k < MOST_PASSES; k++) {
        const vec3 L = m3_apply(inertia, m);
        const vec3 spin = v3_scale(0.5 * h, v3_cross(m, L));
        const vec3 F = v3_add(v3_sub(L, m3_apply(inertia, w)), spin);
        if (v3_norm(F) <= 1e-15 * size) {
            *after = v3_sub(v3_scale(2.0, m), w);
            return true;
        }
        const mat3 turn = m3_sub(m3_mul(m3_skew(m), inertia), m3_skew(L));
        const mat3 slope = m3_add(inertia, m3_scale(0.5 * h, turn));
        m = v3_sub(m, m3_apply(m3_inverse(slope), F));
    }
    *after = w;
    return false;
}

static void turn_freely(const gen_tree* t, double h, gen_carried* V)
{
    for (int at = 0; at < t->body_count; at++) {
        (void)tml__free_turn(t->bodies[at].inertia, V[at].w, h, &V[at].w);
    }
}

// ---- velocities of bodies

static vec3 arm_of(const gen_tree* t, int at) { return v3_sub(t->c[at], t->origin[at]); }

// scale times those of the placed tree at rates, added.
static void add_velocities(const gen_tree* t, double scale, const double* rates, gen_carried* V,
                           twist* motions)
{
    tml__gen_motions(t, rates, motions);
    for (int at = 0; at < t->body_count; at++) {
        const twist u = motions[at];
        const vec3 v = v3_add(u.v, v3_cross(u.omega, arm_of(t, at)));
        V[at].v = v3_axpy(V[at].v, scale, v);
        V[at].w = v3_axpy(V[at].w, scale, m3_apply_t(t->R[at], u.omega));
    }
}

tml_status tml__gen_project(gen_motion* m, const gen_carried* V, double* rates)
{
    gen_tree* t = m->tree;
    tml_status status = TML_OK;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const vec3 force = v3_scale(b->mass, V[at].v);
        const vec3 turn = m3_apply(t->R[at], m3_apply(b->inertia, V[at].w));
        t->applied[at] = (wrench){v3_add(turn, v3_cross(arm_of(t, at), force)), force};
    }
    t->is_still = true;
    if (t->mass_matrix == NULL) {
        status = tml__gen_forward(t, NULL, NULL, rates, &m->bad_column);
    } else {
        tml__gen_inverse(t, NULL, rates);
        for (int k = 0; k < t->column_count; k++) rates[k] = -rates[k];
        tml__gen_mass(t, NULL);
        status = tml__gen_factor(t, &m->bad_column);
        if (status == TML_OK) tml__gen_solve(t, rates);
    }
    t->is_still = false;
    return status;
}

// ---- rows on the way

// Rows keep in the middle the rates that close them over the step: J u_m + C/h = 0.
static void keep_rows(gen_motion* m, double h, double* rates, double* impulse)
{
    gen_rows* r = m->rows;
    gen_carry* c = m->carry;
    memset(c->impulse_mid, 0, (size_t)m->s->row_count * sizeof *c->impulse_mid);
    tml__gen_rows_collect(r, false);
    if (r->count == 0) return;
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    for (int i = 0; i < r->count; i++) {
        r->side[i] = -(tml__gen_rows_rate(r, i, rates) + c->open[r->row[i]] / h);
    }
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, rates);
    for (int i = 0; i < r->count; i++) {
        c->impulse_mid[r->row[i]] = r->side[i];
        impulse[r->row[i]] += 2.0 * r->side[i];  // the reflection takes them twice
    }
}


#include <stdlib.h>
#include <stdio.h>
static double rt_(void){ static double a=-1; if(a<0) a=getenv("RT")?atof(getenv("RT")):0.1; return a;}
static int md_(void){ static int a=-1; if(a<0) a=getenv("MD")?atoi(getenv("MD")):6; return a;}
long subs_=0, steps_=0;
__attribute__((destructor)) static void tell_(void){ if(getenv("RR")) fprintf(stderr,"substeps %.3f\n",(double)subs_/(double)steps_);}

// One transport over h: from numbers, rates to numbers_after; V* in c->turned.
static tml_status carry_once(gen_motion* m, double h, double left, const double* numbers,
                             const double* rates, double* numbers_after, double* impulse, double* ratio)
{
    gen_tree* t = m->tree;
    gen_carry* c = m->carry;
    const size_t bodies = (size_t)t->body_count;
    const size_t rows = (size_t)m->s->row_count * sizeof(double);
    static vec3 x0[20000];
    c->h = h;
    memset(c->before, 0, bodies * sizeof *c->before);
    tml__gen_stand(m, numbers);
    if (m->rows != NULL) memcpy(c->open, m->s->C, rows);
    add_velocities(t, 1.0, rates, c->before, t->acceleration);
    for (size_t at = 0; at < bodies; at++) x0[at] = t->c[at];

    memcpy(c->mid, c->before, bodies * sizeof *c->mid);
    turn_freely(t, 0.5 * h, c->mid);
    tml__gen_move(t, numbers, rates, 0.5 * h, c->numbers_mid);
    tml__gen_stand(m, c->numbers_mid);
    const tml_status status = tml__gen_project(m, c->mid, c->rates_mid);
    if (status != TML_OK) return status;
    if (m->rows != NULL) keep_rows(m, left, c->rates_mid, impulse);

    for (size_t at = 0; at < bodies; at++) {
        c->turned[at] = (gen_carried){v3_neg(c->mid[at].v), v3_neg(c->mid[at].w)};
    }
    add_velocities(t, 2.0, c->rates_mid, c->turned, t->acceleration);
    tml__gen_move(t, numbers, c->rates_mid, h, numbers_after);
    tml__gen_place(t, numbers_after, NULL);
    double num=0,den=0;
    for (size_t at = 0; at < bodies; at++) {
        const vec3 v = v3_scale(0.5, v3_add(c->turned[at].v, c->mid[at].v));
        const vec3 d = v3_sub(v3_axpy(x0[at], h, v), t->c[at]);
        num += t->bodies[at].mass * v3_dot(d, d);
        den += t->bodies[at].mass * h * h * v3_dot(v, v);
    }
    *ratio = den > 0 ? sqrt(num / den) : 0;
    return TML_OK;
}

tml_status tml__gen_carry_move(gen_motion* m, double h, const double* numbers, const double* rates,
                               double* numbers_after, double* impulse)
{
    gen_tree* t = m->tree;
    static double q[10000], u[10000], q2[10000];
    memcpy(q, numbers, (size_t)t->number_count * sizeof *q);
    memcpy(u, rates, (size_t)t->column_count * sizeof *u);
    int depth = 0; unsigned done = 0; const unsigned all = 1u << md_();
    steps_++;
    while (done < all) {
        double ratio;
        const unsigned part = all >> depth;
        const double hs = h * part / all;
        tml_status status = carry_once(m, hs, h*(all-done)/all, q, u, q2, impulse, &ratio);
        if (status != TML_OK) return status;
        if (ratio > rt_() && depth < md_()) { depth++; continue; }
        subs_++;
        done += part;
        memcpy(q, q2, (size_t)t->number_count * sizeof *q);
        if (done < all) {
            status = tml__gen_carry_end(m, q, u, impulse);
            if (status != TML_OK) return status;
            while (depth > 0 && done % (all >> (depth-1)) == 0 && ratio < 0.2*rt_()) depth--;
        }
    }
    memcpy(numbers_after, q, (size_t)t->number_count * sizeof *q);
    return TML_OK;
}

tml_status tml__gen_carry_end(gen_motion* m, const double* numbers_after, double* rates_after,
                              double* impulse)
{
    gen_carry* c = m->carry;
    const size_t rows = (size_t)m->s->row_count;
    turn_freely(m->tree, 0.5 * c->h, c->turned);
    tml__gen_stand(m, numbers_after);
    const tml_status status = tml__gen_project(m, c->turned, rates_after);
    if (status != TML_OK || m->rows == NULL) return status;
    memset(c->impulse_end, 0, rows * sizeof *c->impulse_end);
    tml__gen_settle_rates(m, numbers_after, rates_after, c->impulse_end);
    for (size_t i = 0; i < rows; i++) impulse[i] += c->impulse_end[i];
    return TML_OK;
}
