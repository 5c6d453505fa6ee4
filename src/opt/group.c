// opt/group.c - one objective over many trajectories, each a problem of its own, on threads and on ranks.
//
// Every trajectory leaves its value and its gradient in a place of its own; the sum is made over these places, in
// order, by everybody. Ranks add up places that only one of them has filled: x + 0 is x.
#include "base/memory.h"
#include "base/team.h"
#include "opt/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct problem_group {
    tml_problem** list;  // p is the first
    int count;
    const tml_ranks* ranks;  // borrowed; NULL: this process is alone
    team* threads;
    double* results;  // of each: failed, value, gradient
    int width;
    // of the evaluation in progress
    const double* x;
    bool wants_gradient;
} problem_group;

static bool has_same_variables(const tml_problem* a, const tml_problem* b)
{
    if (a->def.variable_count != b->def.variable_count) return false;
    for (int i = 0; i < a->def.variable_count; i++) {
        const tml_variable* u = &a->variables[i];
        const tml_variable* v = &b->variables[i];
        if (u->parameter.kind != v->parameter.kind ||
            u->parameter.component != v->parameter.component || u->knot != v->knot ||
            u->knot_count != v->knot_count) {
            return false;
        }
    }
    return true;
}

void tml__group_destroy(tml_problem* p)
{
    problem_group* g = p->group;
    if (g == NULL) return;
    tml__team_destroy(g->threads);
    tml__release(&p->allocator, g->list);
    tml__release(&p->allocator, g->results);
    tml__release(&p->allocator, g);
    p->group = NULL;
}

tml_status tml_problem_join(tml_problem* p, int count, tml_problem* const* others, int threads,
                            const tml_ranks* ranks)
{
    if (p == NULL || p->d == NULL || count < 0 || (count > 0 && others == NULL) || threads < 1) {
        return TML_BAD_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        if (others[i] != NULL && others[i]->d != NULL && others[i] != p &&
            others[i]->group == NULL && has_same_variables(p, others[i])) {
            continue;
        }
        return tml__fail(&p->why, TML_BAD_ARGUMENT,
                         "trajectory %d: its variables are not those of the first: as many, of the "
                         "same kinds and components, in the same order",
                         i + 1);
    }
    tml__group_destroy(p);
    problem_group* g = tml__allocate(&p->allocator, 1, sizeof *g);
    if (g == NULL) return tml__fail(&p->why, TML_NO_MEMORY, "out of memory");
    p->group = g;
    g->count = count + 1;
    g->width = 2 + p->def.variable_count;
    g->ranks = ranks;
    g->list = tml__allocate(&p->allocator, (size_t)g->count, sizeof(tml_problem*));
    g->results = tml__allocate(&p->allocator, (size_t)g->count * (size_t)g->width, sizeof(double));
    tml_status status = g->list != NULL && g->results != NULL ? TML_OK : TML_NO_MEMORY;
    if (status == TML_OK) status = tml__team_create(threads, &p->allocator, &g->threads);
    if (status != TML_OK) {
        tml__group_destroy(p);
        return tml__fail(&p->why, status, "out of memory");
    }
    g->list[0] = p;
    for (int i = 0; i < count; i++) g->list[i + 1] = others[i];
    return TML_OK;
}

static bool is_mine(const problem_group* g, int trajectory)
{
    return g->ranks == NULL || trajectory % g->ranks->count == g->ranks->rank;
}

static void evaluate_one(void* context, int trajectory, int thread)
{
    const problem_group* g = context;
    double* at = &g->results[(size_t)trajectory * (size_t)g->width];
    (void)thread;
    if (!is_mine(g, trajectory)) return;
    const tml_status status = tml__problem_evaluate_own(g->list[trajectory], g->x, &at[1],
                                                        g->wants_gradient ? &at[2] : NULL);
    // a sum over ranks must not meet what is no number, which 0 does not let alone
    for (int i = 1; i < g->width; i++) {
        if (status == TML_OK && isfinite(at[i])) continue;
        if (status == TML_OK) at[0] = (double)TML_NOT_CONVERGED;
        at[i] = 0.0;
    }
    if (status != TML_OK) at[0] = (double)status;
}

tml_status tml__group_evaluate(tml_problem* p, const double* x, double* value, double* gradient)
{
    problem_group* g = p->group;
    const int n = p->def.variable_count;
    memset(g->results, 0, (size_t)g->count * (size_t)g->width * sizeof(double));
    g->x = x;
    g->wants_gradient = gradient != NULL;
    tml__team_run(g->threads, 0, g->count, evaluate_one, g);
    if (g->ranks != NULL && g->ranks->add(g->ranks->self, g->results, g->count * g->width) != 0) {
        return tml__fail(&p->why, TML_BAD_FILE, "the other processes cannot be reached");
    }
    *value = 0.0;
    for (int i = 0; i < n && gradient != NULL; i++) gradient[i] = 0.0;
    for (int k = 0; k < g->count; k++) {
        const double* at = &g->results[(size_t)k * (size_t)g->width];
        if (at[0] != 0.0) {
            const message why = g->list[k]->why;
            return tml__fail(&p->why, (tml_status)at[0], "trajectory %d: %.900s", k,
                             is_mine(g, k) ? why.text : "failed in another process");
        }
        *value += at[1];
        for (int i = 0; i < n && gradient != NULL; i++) gradient[i] += at[2 + i];
    }
    return TML_OK;
}

bool tml__group_agree(const tml_problem* p, bool is_stopped)
{
    const problem_group* g = p->group;
    double flag = is_stopped;
    if (g == NULL || g->ranks == NULL) return is_stopped;
    return g->ranks->add(g->ranks->self, &flag, 1) != 0 || flag != 0.0;
}
