// method/generalized/slope.c - derivatives of recursive Newton-Euler.             [DCON Sec V Alg 2 Alg 3]
//
// In the form of sums over what lies beyond a column, everything about one fixed point:
//
//     psi'_j = v_in x S_j,   psi''_j = a_in x S_j + v_in x psi'_j,   S'_j = v_out x S_j
//     2 B e = v x* (I e) - I (v x e) + e x* (I v),   f = I a + v x* I v
//     j inwards of i, or i itself and its link:
//         d tau_i/dq_j = S_i . (2 B_i psi'_j + I_i psi''_j + S_j x* F_i)
//         d tau_i/du_j = S_i . (2 B_i S_j + I_i (psi'_j + S'_j))
//     j strictly inwards of i:
//         d tau_j/dq_i = S_j . (2 B_i psi'_i + I_i psi''_i + S_i x* f_i)
//         d tau_j/du_i = S_j . (2 B_i S_i + I_i (psi'_i + S'_i))
#include "method/generalized/slope.h"

#include "base/request.h"
#include "math/mat6.h"

#include <string.h>

enum {
    REQUESTS = 9
};

static int list_requests(gen_slope* s, request list[REQUESTS])
{
    const size_t links = (size_t)s->tree->link_count;
    const size_t bodies = (size_t)s->tree->body_count;
    const size_t columns = (size_t)s->tree->column_count;
    const request all[] = {
        {&s->v_in, links, sizeof *s->v_in},       {&s->v_out, links, sizeof *s->v_out},
        {&s->a_in, links, sizeof *s->a_in},       {&s->I, bodies, sizeof *s->I},
        {&s->B, 36 * bodies, sizeof *s->B},       {&s->force, bodies, sizeof *s->force},
        {&s->fixed, bodies, sizeof *s->fixed},    {&s->link_of, columns, sizeof *s->link_of},
        {&s->column, columns, sizeof *s->column},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}

tml_status tml__gen_slope_create(gen_tree* t, const tml_allocator* allocator, message* why,
                                 gen_slope** out)
{
    *out = NULL;
    gen_slope* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->tree = t;
    if (allocator != NULL) s->allocator = *allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    if (tml__take_all(allocator, list, count) != TML_OK) {
        tml__gen_slope_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < t->link_count; i++) {
        for (int k = 0; k < t->links[i].count; k++) s->link_of[t->links[i].column + k] = i;
    }
    *out = s;
    return TML_OK;
}

void tml__gen_slope_destroy(gen_slope* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, s);
}

// ---- along the tree

static twist own_motion(const gen_tree* t, const gen_link* link, const double* rates)
{
    twist own = tw_zero();
    for (int k = link->column; k < link->column + link->count; k++) {
        own = tw_axpy(own, rates[k], t->S[k]);
    }
    return own;
}

// Motion beyond the last link of a body, zero for what never moves. Bodies without links follow
// their parents.
static twist beyond(const gen_slope* s, int at, const twist* list, twist at_root)
{
    while (at >= 0 && s->tree->bodies[at].link_count == 0) at = s->tree->bodies[at].parent;
    if (at < 0) return at_root;
    const gen_body* b = &s->tree->bodies[at];
    return list[b->link + b->link_count - 1];
}

void tml__gen_link_motions(gen_slope* s, const double* rates)
{
    const gen_tree* t = s->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist v = beyond(s, b->parent, s->v_out, tw_zero());
        for (int i = b->link; i < b->link + b->link_count; i++) {
            s->v_in[i] = v;
            v = tw_add(v, own_motion(t, &t->links[i], rates));
            s->v_out[i] = v;
        }
    }
}

// a_out = a_in + S a + v_out x S u; a_in of a root is minus gravity. The accelerations of bodies are
// kept in t->acceleration.
static void accelerate(gen_slope* s, const double* u, const double* a, vec3 gravity)
{
    gen_tree* t = s->tree;
    const twist root = {v3_zero(), v3_neg(gravity)};
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist acceleration = b->parent >= 0 ? t->acceleration[b->parent] : root;
        for (int i = b->link; i < b->link + b->link_count; i++) {
            const twist moved = own_motion(t, &t->links[i], u);
            s->a_in[i] = acceleration;
            acceleration = tw_add(acceleration, own_motion(t, &t->links[i], a));
            acceleration = tw_add(acceleration, tw_cross(s->v_out[i], moved));
        }
        t->acceleration[at] = acceleration;
    }
}

static void store_wrench(wrench f, double out[6])
{
    v3_store(out, f.moment);
    v3_store(out + 3, f.force);
}

static twist unit_twist(int k)
{
    return k < 3 ? (twist){v3_unit(k), v3_zero()} : (twist){v3_zero(), v3_unit(k - 3)};
}

// 2 B of one body, column by column.
static void fill_B(const spatial_inertia* I, twist v, double* B)
{
    const wrench momentum = si_apply(I, v);
    for (int k = 0; k < 6; k++) {
        const twist e = unit_twist(k);
        const wrench carried = tw_cross_wrench(v, si_apply(I, e));
        const wrench turned = si_apply(I, tw_cross(v, e));
        const wrench sum = wr_add(wr_sub(carried, turned), tw_cross_wrench(e, momentum));
        double column[6];
        store_wrench(sum, column);
        for (int i = 0; i < 6; i++) B[6 * i + k] = column[i];
    }
}

static void gather(gen_slope* s, const wrench* fixed)
{
    const gen_tree* t = s->tree;
    for (int at = 0; at < t->body_count; at++) {
        const twist v = beyond(s, at, s->v_out, tw_zero());
        const wrench momentum = si_apply(&t->I[at], v);
        s->I[at] = t->I[at];
        s->force[at] =
            wr_add(si_apply(&t->I[at], t->acceleration[at]), tw_cross_wrench(v, momentum));
        s->fixed[at] = fixed != NULL ? fixed[at] : wr_zero();
        fill_B(&t->I[at], v, &s->B[36 * at]);
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const int parent = t->bodies[at].parent;
        if (parent < 0) continue;
        s->I[parent] = si_add(s->I[parent], s->I[at]);
        s->force[parent] = wr_add(s->force[parent], s->force[at]);
        s->fixed[parent] = wr_add(s->fixed[parent], s->fixed[at]);
        m6_add(&s->B[36 * at], &s->B[36 * parent]);
    }
}

// ---- the sums

static wrench apply_B(const gen_slope* s, int at, twist m)
{
    double x[6];
    double y[6];
    v3_store(x, m.omega);
    v3_store(x + 3, m.v);
    m6_apply(&s->B[36 * at], x, y);
    return (wrench){v3_load(y), v3_load(y + 3)};
}

static column_rates rates_of(const gen_slope* s, int k)
{
    const int link = s->link_of[k];
    const twist S = s->tree->S[k];
    const twist first = tw_cross(s->v_in[link], S);
    const twist carried = tw_cross(s->v_out[link], S);
    return (column_rates){.S = S,
                          .first = first,
                          .second =
                              tw_add(tw_cross(s->a_in[link], S), tw_cross(s->v_in[link], first)),
                          .carried = carried,
                          .both = tw_add(first, carried)};
}

// What changes beyond column i's body when column i itself moves (q) or its rate changes (u).
static wrench change_q(const gen_slope* s, int at, const column_rates* c, const wrench* carried)
{
    const wrench sum = wr_add(apply_B(s, at, c->first), si_apply(&s->I[at], c->second));
    return wr_add(sum, tw_cross_wrench(c->S, *carried));
}

static wrench change_u(const gen_slope* s, int at, const column_rates* c)
{
    return wr_add(apply_B(s, at, c->S), si_apply(&s->I[at], tw_add(c->first, c->carried)));
}

// S_i . (2 B m) as a wrench on m
static wrench pull_B(const gen_slope* s, int at, twist S)
{
    const double* B = &s->B[36 * at];
    double x[6];
    double y[6] = {0.0};
    v3_store(x, S.omega);
    v3_store(x + 3, S.v);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) y[k] += x[i] * B[6 * i + k];
    }
    return (wrench){v3_load(y), v3_load(y + 3)};
}

// One row and one column of both matrices. Along the row everything is linear in what belongs to column
// j, so that three wrenches of column i do:  S_i . (2 B m),  S_i . (I m),  S_i . (m x* F) = -m . (S_i x* F).
static void fill_column(const gen_slope* s, int i, double* dq, double* du)
{
    const gen_tree* t = s->tree;
    const size_t n = (size_t)t->column_count;
    const int at = t->column_body[i];
    const gen_link* link = &t->links[s->link_of[i]];
    const column_rates* own = &s->column[i];
    const wrench own_q = change_q(s, at, own, &s->force[at]);
    const wrench own_u = change_u(s, at, own);
    const wrench by_B = pull_B(s, at, own->S);
    const wrench by_I = si_apply(&s->I[at], own->S);
    const wrench by_S = tw_cross_wrench(own->S, s->fixed[at]);
    // columns of the same link stand beside i, whichever was listed first
    for (int j = link->column + link->count - 1; j >= 0; j = t->column_parent[j]) {
        const column_rates* other = &s->column[j];
        dq[(size_t)i * n + (size_t)j] =
            sv_dot(other->first, by_B) + sv_dot(other->second, by_I) - sv_dot(other->S, by_S);
        du[(size_t)i * n + (size_t)j] = sv_dot(other->S, by_B) + sv_dot(other->both, by_I);
        if (j >= link->column) continue;
        dq[(size_t)j * n + (size_t)i] = sv_dot(other->S, own_q);
        du[(size_t)j * n + (size_t)i] = sv_dot(other->S, own_u);
    }
}

void tml__gen_inverse_slope(gen_slope* s, const double* u, const double* a, vec3 gravity,
                            const wrench* fixed, double* dq, double* du)
{
    const gen_tree* t = s->tree;
    const size_t n = (size_t)t->column_count;
    tml__gen_link_motions(s, u);
    accelerate(s, u, a, gravity);
    gather(s, fixed);
    memset(dq, 0, n * n * sizeof *dq);
    memset(du, 0, n * n * sizeof *du);
    for (int i = 0; i < t->column_count; i++) s->column[i] = rates_of(s, i);
    for (int i = 0; i < t->column_count; i++) fill_column(s, i, dq, du);
}
