// method/generalized/joint_step.c - one step from a state that the caller gives, and its derivatives.
#include "diff/derivatives.h"
#include "diff/points.h"
#include "method/generalized/method.h"

#include <trammel/step.h>

#include <math.h>
#include <string.h>

struct tml_step {
    tml_allocator allocator;
    message why;
    bool is_dead;
    bool has_step;       // derivatives are those of the last one
    tml_derivatives* d;  // a run of one step
    int nq, nv, nu;
    double *first_q, *first_v;  // of the model
    int* driven;                // per control: the column that a position actuator drives, -1: none
    double *point, *motion;     // a state, and no change of it
    double *state, *next;       // a row each
    double *before, *now;       // controls, likewise
};

static const gen_tree* tree_of(const tml_step* s)
{
    return tml__generalized_motion(s->d->sim)->tree;
}

static generalized_kept state_of(const tml_step* s)
{
    return tml__generalized_parts_of(s->d->sim, s->d->sim->own);
}

// ---- creation

static double** arrays_of(tml_step* s, int i, size_t* count)
{
    const size_t nq = (size_t)s->nq;
    const size_t nv = (size_t)s->nv;
    const size_t nu = (size_t)s->nu;
    double** const all[] = {&s->first_q, &s->first_v, &s->point,  &s->motion,
                            &s->state,   &s->next,    &s->before, &s->now};
    const size_t counts[] = {nq, nv, nq + nv, 2 * nv, 2 * nv, 2 * nv, nu, nu};
    if (i >= (int)(sizeof all / sizeof *all)) return NULL;
    *count = counts[i];
    return all[i];
}

static tml_status take(tml_step* s)
{
    size_t count = 0;
    double** array = NULL;
    for (int i = 0; (array = arrays_of(s, i, &count)) != NULL; i++) {
        *array = tml__allocate(&s->allocator, count, sizeof **array);
        if (*array == NULL) return tml__fail(&s->why, TML_NO_MEMORY, "out of memory");
    }
    s->driven = tml__allocate(&s->allocator, (size_t)s->nu, sizeof *s->driven);
    return s->driven != NULL ? TML_OK : tml__fail(&s->why, TML_NO_MEMORY, "out of memory");
}

// Position numbers of slides and turns are the coordinates themselves.
static void find_driven(tml_step* s)
{
    const gen_tree* t = tree_of(s);
    const tml_model* m = s->d->sim->model;
    for (int c = 0; c < s->nu; c++) {
        const control_axis* id = &m->control_axes[c];
        s->driven[c] = -1;
        if (m->joints[id->joint].axis[id->axis].actuation != TML_POSITION) continue;
        for (int i = 0; i < t->link_count; i++) {
            const gen_link* link = &t->links[i];
            const bool is_its = t->bodies[t->column_body[link->column]].joint == id->joint;
            for (int k = 0; is_its && link->kind != LINK_BALL && k < link->count; k++) {
                const int axis = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
                if (axis == (int)id->axis) s->driven[c] = link->column + k;
            }
        }
    }
}

static tml_status create(tml_step* s, const tml_model* model, const tml_sim_settings* settings)
{
    if (settings->formulation != TML_FORM_GENERALIZED) {
        return tml__fail(&s->why, TML_UNSUPPORTED,
                         "steps from states of joint coordinates are those of formulation "
                         "'generalized', not '%s'",
                         tml_formulation_name(settings->formulation));
    }
    tml_status status = tml_derivatives_create(model, settings, 0, &s->d);
    if (status != TML_OK) {
        const char* why = s->d != NULL ? tml_derivatives_message(s->d) : "out of memory";
        return tml__fail(&s->why, status, "%.400s", why);
    }
    s->nq = tree_of(s)->number_count;
    s->nv = tree_of(s)->column_count;
    s->nu = model->control_count;
    status = take(s);
    if (status != TML_OK) return status;
    memcpy(s->first_q, state_of(s).numbers, (size_t)s->nq * sizeof(double));
    memcpy(s->first_v, state_of(s).rates, (size_t)s->nv * sizeof(double));
    find_driven(s);
    return TML_OK;
}

tml_status tml_step_create(const tml_model* model, const tml_sim_settings* settings, tml_step** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL) return TML_BAD_ARGUMENT;
    tml_step* s = tml__allocate(&settings->allocator, 1, sizeof *s);
    if (s == NULL) return TML_NO_MEMORY;
    *out = s;
    s->allocator = settings->allocator;
    const tml_status status = create(s, model, settings);
    s->is_dead = status != TML_OK;
    return status;
}

void tml_step_destroy(tml_step* s)
{
    if (s == NULL) return;
    const tml_allocator a = s->allocator;
    size_t count = 0;
    double** array = NULL;
    for (int i = 0; (array = arrays_of(s, i, &count)) != NULL; i++) tml__release(&a, *array);
    tml__release(&a, s->driven);
    tml_derivatives_destroy(s->d);
    tml__release(&a, s);
}

static bool is_alive(const tml_step* s) { return s != NULL && !s->is_dead; }

const char* tml_step_message(const tml_step* s) { return s != NULL ? s->why.text : ""; }
int tml_step_position_count(const tml_step* s) { return is_alive(s) ? s->nq : 0; }
int tml_step_rate_count(const tml_step* s) { return is_alive(s) ? s->nv : 0; }
int tml_step_control_count(const tml_step* s) { return is_alive(s) ? s->nu : 0; }

void tml_step_initial(tml_step* s, double* q, double* v)
{
    if (!is_alive(s)) return;
    if (q != NULL) memcpy(q, s->first_q, (size_t)s->nq * sizeof *q);
    if (v != NULL) memcpy(v, s->first_v, (size_t)s->nv * sizeof *v);
}

// ---- a step

static tml_status check(tml_step* s, double time, const double* q, const double* v)
{
    for (int i = 0; i < s->nq + s->nv; i++) {
        const double number = i < s->nq ? q[i] : v[i - s->nq];
        if (isfinite(number)) continue;
        return tml__fail(&s->why, TML_BAD_ARGUMENT, "%s %d must be finite, but is %g",
                         i < s->nq ? "position number" : "rate", i < s->nq ? i : i - s->nq, number);
    }
    if (isfinite(time)) return TML_OK;
    return tml__fail(&s->why, TML_BAD_ARGUMENT, "the time must be finite, but is %g", time);
}

// Stand at a state with nothing of any other behind it.
static tml_status go(tml_step* s, double time, const double* q, const double* v)
{
    tml_sim* sim = s->d->sim;
    const gen_tree* t = tree_of(s);
    tml_derivatives_restart(s->d);
    memcpy(s->point, q, (size_t)s->nq * sizeof *q);
    memcpy(s->point + s->nq, v, (size_t)s->nv * sizeof *v);
    memset(s->motion, 0, 2 * (size_t)s->nv * sizeof *s->motion);
    tml__sim_clear(sim);
    const tml_status status = tml__sim_go(sim, s->point, s->motion);
    if (status != TML_OK) return tml__fail(&s->why, status, "%.400s", tml_sim_message(sim));
    sim->start_time = sim->time = time;
    sim->past_count = 1;
    for (int c = 0; c < s->nu; c++) {
        const int column = s->driven[c];
        sim->controls[c] = tml_model_control_value(sim->given_model, c, time);
        for (int i = 0; column >= 0 && i < t->link_count; i++) {
            const gen_link* link = &t->links[i];
            if (column < link->column || column >= link->column + link->count) continue;
            sim->controls[c] = q[link->number + column - link->column];
        }
    }
    return tml_derivatives_begin(s->d);
}

tml_status tml_step_take(tml_step* s, double time, const double* q, const double* v,
                         const double* controls, double* q1, double* v1)
{
    if (!is_alive(s) || q == NULL || v == NULL || q1 == NULL || v1 == NULL) return TML_BAD_ARGUMENT;
    s->has_step = false;
    tml_status status = check(s, time, q, v);
    if (status == TML_OK) status = go(s, time, q, v);
    if (status != TML_OK) return status;
    status = tml_derivatives_step(s->d, controls);
    if (status != TML_OK) {
        return tml__fail(&s->why, status, "%.400s", tml_derivatives_message(s->d));
    }
    memcpy(q1, state_of(s).numbers, (size_t)s->nq * sizeof *q1);
    memcpy(v1, state_of(s).rates, (size_t)s->nv * sizeof *v1);
    s->has_step = true;
    return TML_OK;
}

// ---- derivatives

static tml_status need_step(tml_step* s)
{
    if (!is_alive(s)) return TML_BAD_ARGUMENT;
    if (s->has_step) return TML_OK;
    return tml__fail(&s->why, TML_BAD_ARGUMENT, "no step was taken to ask about");
}

// A driven coordinate of the state is also where its actuator comes from.
static void lend_driven(const tml_step* s)
{
    for (int c = 0; c < s->nu; c++) s->before[c] = s->driven[c] >= 0 ? s->state[s->driven[c]] : 0.0;
}

static void give_back_driven(const tml_step* s)
{
    for (int c = 0; c < s->nu; c++) {
        if (s->driven[c] >= 0) s->state[s->driven[c]] += s->before[c];
    }
}

static tml_status product(tml_step* s, partial_direction way, bool is_first)
{
    const step_product p = {s->state, s->before, s->now, s->next};
    if (way == PARTIAL_FORWARD) lend_driven(s);
    const tml_status status = tml__step_product(s->d, 1, way, is_first, &p);
    if (status != TML_OK) {
        return tml__fail(&s->why, status, "%.400s", tml_derivatives_message(s->d));
    }
    if (way == PARTIAL_BACKWARD) give_back_driven(s);
    return TML_OK;
}

static void put(const double* from, size_t row, size_t width, double* to)
{
    if (from != NULL) memcpy(to, from + row * width, width * sizeof *to);
    if (from == NULL) memset(to, 0, width * sizeof *to);
}

tml_status tml_step_jvp(tml_step* s, int count, const double* state, const double* controls,
                        double* out)
{
    tml_status status = need_step(s);
    const size_t n = is_alive(s) ? 2 * (size_t)s->nv : 0;
    for (int i = 0; i < count && status == TML_OK; i++) {
        put(state, (size_t)i, n, s->state);
        put(controls, (size_t)i, (size_t)s->nu, s->now);
        status = product(s, PARTIAL_FORWARD, i == 0);
        if (status == TML_OK) memcpy(out + (size_t)i * n, s->next, n * sizeof *out);
    }
    return status;
}

tml_status tml_step_vjp(tml_step* s, int count, const double* weights, double* state,
                        double* controls)
{
    tml_status status = need_step(s);
    const size_t n = is_alive(s) ? 2 * (size_t)s->nv : 0;
    const size_t nu = is_alive(s) ? (size_t)s->nu : 0;
    for (int i = 0; i < count && status == TML_OK; i++) {
        put(weights, (size_t)i, n, s->next);
        status = product(s, PARTIAL_BACKWARD, i == 0);
        if (status != TML_OK) break;
        if (state != NULL) memcpy(state + (size_t)i * n, s->state, n * sizeof *state);
        if (controls != NULL) memcpy(controls + (size_t)i * nu, s->now, nu * sizeof *controls);
    }
    return status;
}

tml_status tml_step_jacobian(tml_step* s, double* A, double* B)
{
    tml_status status = need_step(s);
    const int n = is_alive(s) ? 2 * s->nv : 0;
    const int nu = is_alive(s) ? s->nu : 0;
    for (int c = 0; c < n + nu && status == TML_OK; c++) {
        memset(s->state, 0, (size_t)n * sizeof *s->state);
        memset(s->now, 0, (size_t)nu * sizeof *s->now);
        *(c < n ? &s->state[c] : &s->now[c - n]) = 1.0;
        status = product(s, PARTIAL_FORWARD, c == 0);
        for (int i = 0; i < n && status == TML_OK; i++) {
            if (c < n && A != NULL) A[(size_t)i * (size_t)n + (size_t)c] = s->next[i];
            if (c >= n && B != NULL) B[(size_t)i * (size_t)nu + (size_t)(c - n)] = s->next[i];
        }
    }
    return status;
}

tml_derivatives_flags tml_step_last_flags(const tml_step* s)
{
    return is_alive(s) ? s->d->flags : (tml_derivatives_flags){.first_tied = -1};
}
