// sim/soft_stage.c - one implicit stage of bodies and deformables together.
//
//   [ A_bb  A_bf  -C^T ] [db]   [-E_b]      b: bodies, with the vertices that they carry,
//   [ A_fb  A_ff       ] [df] = [-E_f]      f: free vertices
//   [ C            E   ] [dl]   [-C  ]
//
// The free vertices are eliminated first, with the factor of their own: the bodies' matrix receives -A_bf A_ff^-1 A_fb, six columns a body
// that carries something, and is solved as if there were no deformables.  [COOK (266)-(272)]
// What touches is corrected afterwards (soft_contact.h). The unknowns are places at the end of the step;
// where forces act, and by which arms they reach the bodies, the step says (soft.h).
#include "sim/soft.h"
#include "sim/soft_contact.h"

#include <math.h>
#include <string.h>

// ---- carried vertices

void tml__soft_place_carried(sim_soft* f)
{
    const double reach = f->progress != NULL ? f->progress->reach : 1.0;
    for (int i = 0; i < f->carried_count; i++) {
        const int vertex = f->carried_vertex[i];
        const rigid* b = &f->system->bodies[f->model->carrier[vertex]];
        f->lever[i] = m3_apply(b->R, f->model->carried_at[vertex]);
        f->arm[i] = f->lever[i];
        if (reach < 1.0) {
            f->arm[i] = v3_axpy(v3_scale(1.0 - reach, f->first_lever[i]), reach, f->lever[i]);
        }
        v3_store(&f->x[f->free_width + 3 * i], v3_add(b->c, f->lever[i]));
    }
}

void tml__soft_pull(const sim_soft* f, const double* force, double scale, double* to)
{
    for (int i = 0; i < f->carried_count; i++) {
        const vec3 g = v3_scale(scale, v3_load(&force[f->free_width + 3 * i]));
        double* r = &to[6 * f->carrier_node[f->carrier[i]]];
        v3_store(r, v3_add(v3_load(r), g));
        v3_store(r + 3, v3_add(v3_load(r + 3), v3_cross(f->arm[i], g)));
    }
}

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// ---- the matrix

void tml__soft_condense(sim_soft* f, nodal_scales scales, const double* q)
{
    const int count = 6 * f->by.count;
    const size_t width = (size_t)f->free_width;
    const size_t bytes = (size_t)count * width * sizeof(double);
    const bool has_arms = f->progress != NULL && f->progress->reach < 1.0;
    if (count == 0) return;

    memset(f->columns, 0, bytes);
    memset(f->own, 0, 36 * (size_t)f->block_count * sizeof(double));
    if (has_arms) memset(f->rows, 0, bytes);
    tml__nodal_carry(f->nodes, scales, q, &f->by, f->columns, has_arms ? f->rows : NULL, f->own);
    if (!has_arms) memcpy(f->rows, f->columns, bytes);
    memcpy(f->solved, f->columns, bytes);
    tml__nodal_back(f->nodes, count, f->solved);
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < count; column++) {
            const int at = f->pair[row / 6 * f->by.count + column / 6];
            if (at < 0) continue;
            f->own[36 * at + 6 * (row % 6) + column % 6] -= dot(
                &f->rows[(size_t)row * width], &f->solved[(size_t)column * width], f->free_width);
        }
    }
}

static void add_blocks(const sim_soft* f)
{
    for (int k = 0; k < f->block_count; k++) {
        for (int i = 0; i < 36; i++) f->place[k][i] += f->own[36 * k + i];
    }
}

// The bending of what carried vertices do: d(-arm x g)/dphi = -reach [g][r].          [COOK (290)]
void tml__soft_bend(const sim_soft* f, int carried, double out[9])
{
    const vec3 g = v3_load(&f->residual[f->free_width + 3 * carried]);
    const mat3 D = m3_skew_skew(g, f->lever[carried]);
    for (int k = 0; k < 9; k++) out[k] = -f->progress->reach * D.m[k / 3][k % 3];
}

static void add_bending(const sim_soft* f)
{
    for (int i = 0; i < f->carried_count && f->progress->reach > 0.0; i++) {
        double D[9];
        double* place = f->place[f->pair[f->carrier[i] * (f->by.count + 1)]];
        tml__soft_bend(f, i, D);
        for (int k = 0; k < 9; k++) place[6 * (3 + k / 3) + 3 + k % 3] += D[k];
    }
}

// ---- Newton

// Where forces act.
static const double* middle(const sim_soft* f) { return f->progress->phi < 1.0 ? f->mean : f->x; }

double tml__soft_evaluate(sim_soft* f, double scale, double* residual)
{
    const soft_step* step = f->progress;
    const double phi = step->phi;
    tml__soft_place_carried(f);
    for (int i = 0; i < f->width && phi < 1.0; i++) {
        f->mean[i] = (1.0 - phi) * step->start[i] + phi * f->x[i];
    }
    tml__nodal_set_time(f->nodes, step->t);
    double sum = tml__nodal_residual(f->nodes, &step->nodal, middle(f), f->residual);
    // places at the end move the middle by phi only: phi beta (F - M a) is what the middle lacks
    for (int i = 0; i < f->width && phi < 1.0; i++) f->residual[i] /= phi;
    if (phi < 1.0) sum /= phi * phi;
    tml__soft_pull(f, f->residual, -scale, residual);
    if (f->touch != NULL) tml__soft_touch_push(f, scale * step->kick * step->beta, residual);
    return sum;
}

static void evaluate(void* self, newton_merit* out)
{
    sim_soft* f = self;
    maximal_system* s = f->system;
    f->progress->bodies.evaluate(f->progress->bodies.self, out);
    const double sum = tml__soft_evaluate(f, 1.0, s->residual);
    out->merit = tml__maximal_merit(s) + sum;
}

void tml__soft_eliminate(sim_soft* f, double* z, double* to)
{
    memcpy(z, f->residual, (size_t)f->free_width * sizeof(double));
    tml__nodal_back(f->nodes, 1, z);
    for (int k = 0; k < 6 * f->by.count; k++) {
        to[6 * f->carrier_node[k / 6] + k % 6] +=
            dot(&f->rows[(size_t)k * (size_t)f->free_width], z, f->free_width);
    }
}

// What a step in positions counts: itself, or the step in velocities that goes with it.
static double measure(const sim_soft* f)
{
    const nodal_stage* stage = &f->progress->nodal;
    return f->has_velocity ? stage->c_v / stage->c_q : 1.0;
}

double tml__soft_follow_step(const sim_soft* f, const double* dx, double scale, double* z)
{
    double largest = 0.0;
    for (int i = 0; i < f->free_width; i++) z[i] *= scale;
    for (int k = 0; k < 6 * f->by.count; k++) {
        const double* column = &f->solved[(size_t)k * (size_t)f->free_width];
        const double moved = dx[6 * f->carrier_node[k / 6] + k % 6];
        for (int i = 0; i < f->free_width; i++) z[i] -= moved * column[i];
    }
    for (int i = 0; i < f->free_width; i++) {
        if (!(fabs(z[i]) <= largest)) largest = fabs(z[i]);
    }
    return largest;
}

tml_status tml__soft_factor(sim_soft* f)
{
    const nodal_scales scales = tml__nodal_scales(f->nodes, &f->progress->nodal);
    const tml_status status = tml__nodal_factor(f->nodes, scales, middle(f));
    if (status == TML_OK) tml__soft_condense(f, scales, middle(f));
    return status;
}

static tml_status direct(void* self, double* update)
{
    sim_soft* f = self;
    maximal_system* s = f->system;
    tml_status status = tml__soft_factor(f);
    if (status != TML_OK) return status;

    tml__soft_eliminate(f, f->step, s->residual);
    *update = 0.0;
    s->shortened = 1.0;
    if (s->node_count > 0) {
        f->progress->bodies.fill(f->progress->bodies.self);
        add_blocks(f);
        add_bending(f);
        status = tml__maximal_direct(s, f->progress->beta, update);
        if (status != TML_OK) return status;
    }
    const double own = measure(f) * tml__soft_follow_step(f, s->dx, s->shortened, f->step);
    if (!(own <= *update)) *update = own;
    memcpy(f->x_start, f->x, (size_t)f->width * sizeof(double));
    return isfinite(*update) ? TML_OK : TML_SINGULAR;
}

static tml_status look_ahead(void* self, double* update)
{
    sim_soft* f = self;
    maximal_system* s = f->system;
    const size_t bytes = 6 * (size_t)s->node_count * sizeof(double);
    tml_status status = TML_OK;

    *update = 0.0;
    memcpy(f->kept, s->residual, bytes);
    tml__soft_eliminate(f, f->work, s->residual);
    if (s->node_count > 0) status = tml__maximal_look_ahead(s, update);
    memcpy(s->residual, f->kept, bytes);
    const double own = measure(f) * tml__soft_follow_step(f, s->ahead_dx, 1.0, f->work);
    if (!(own <= *update)) *update = own;
    return status;
}

static void move(void* self, double fraction)
{
    sim_soft* f = self;
    tml__maximal_move(f->system, fraction);
    for (int i = 0; i < f->free_width; i++) f->x[i] = f->x_start[i] + fraction * f->step[i];
}

// ---- contact

void tml__soft_pull_free(const sim_soft* f, const double* z, double* bodies)
{
    for (int k = 0; k < 6 * f->by.count; k++) {
        bodies[6 * f->carrier_node[k / 6] + k % 6] -=
            dot(&f->rows[(size_t)k * (size_t)f->free_width], z, f->free_width);
    }
}

tml_status tml__soft_respond(sim_soft* f, int count, double* vertices, double* bodies)
{
    maximal_system* s = f->system;
    const size_t width = (size_t)f->free_width;
    const size_t body_width = 6 * (size_t)s->node_count;
    tml__nodal_back(f->nodes, count, vertices);
    for (int j = 0; j < count && s->node_count > 0; j++) {
        double* z = &vertices[(size_t)j * width];
        double* dx = &bodies[(size_t)j * body_width];
        tml__soft_pull_free(f, z, dx);
        memset(s->ahead_dl, 0, (size_t)s->row_count * sizeof(double));
        const tml_status status = tml__kkt_solve(s->matrix, dx, s->ahead_dl, dx, s->ahead_dl);
        if (status != TML_OK) return status;
        tml__soft_follow_step(f, dx, 1.0, z);
    }
    return TML_OK;
}

static tml_status solve_free(sim_soft* f, const newton_problem* problem,
                             const newton_settings* settings, newton_report* report)
{
    newton_report last = {0};
    tml_status status = TML_OK;
    f->system->bad_row = -1;
    f->system->iterations = 0;
    memset(f->step, 0, (size_t)f->width * sizeof(double));
    if (f->is_linearised) {
        last = (newton_report){.iterations = 1, .factorisations = 1};
        evaluate(f, &last.last);
        status = direct(f, &last.update);
        if (status == TML_OK) move(f, 1.0);
        if (status == TML_OK) evaluate(f, &last.last);  // leaves everything placed there
    } else {
        status = tml__newton(problem, settings, &last);
    }
    last.iterations += report->iterations;
    last.factorisations += report->factorisations;
    last.is_loose = last.is_loose || report->is_loose;
    *report = last;
    return status;
}

// A stage whose contacts are corrected.
typedef struct touching {
    sim_soft* soft;
    const newton_problem* problem;
    newton_settings settings;
    newton_report* report;
} touching;

static tml_status solve_again(void* self, double tolerance)
{
    touching* t = self;
    newton_settings settings = t->settings;
    settings.tolerance = tolerance;
    return solve_free(t->soft, t->problem, &settings, t->report);
}

static tml_status factor_again(void* self)
{
    touching* t = self;
    double update;
    t->report->factorisations++;
    return direct(t->soft, &update);
}

// Free motion, then corrections by the compliance of the rows until all laws are met.  [COOK (227)]
static tml_status solve_touching(sim_soft* f, const newton_problem* problem,
                                 const newton_settings* settings, newton_report* report)
{
    touching t = {f, problem, *settings, report};
    const soft_again again = {.self = &t,
                              .solve = solve_again,
                              .factor = factor_again,
                              .respond = tml__soft_respond,
                              .beta = f->progress->kick * f->progress->beta,
                              .tolerance = settings->tolerance};
    tml__soft_touch_clear(f);
    const tml_status status = solve_free(f, problem, settings, report);
    return status == TML_OK ? tml__soft_touch_correct(f, &again) : status;
}

// Levers where the step starts: carried vertices are there already.
static void place_first(sim_soft* f)
{
    for (int i = 0; i < f->carried_count && f->progress->reach < 1.0; i++) {
        const int vertex = f->carried_vertex[i];
        const rigid* b = &f->system->bodies[f->model->carrier[vertex]];
        f->first_lever[i] = m3_apply(b->R, f->model->carried_at[vertex]);
    }
}

void tml__soft_open(sim_soft* f, const soft_step* step)
{
    f->progress = step;
    f->bad_row = -1;
    place_first(f);
}

void tml__soft_close(sim_soft* f)
{
    tml__nodal_set_push(f->nodes, NULL);
    f->progress = NULL;
}

tml_status tml__soft_solve(sim_soft* f, const soft_step* step, const newton_settings* settings,
                           newton_report* report)
{
    const newton_problem problem = {
        .self = f, .evaluate = evaluate, .direct = direct, .look_ahead = look_ahead, .move = move};
    tml__soft_open(f, step);
    *report = (newton_report){0};
    const tml_status status = tml__soft_touch_rows(f) > 0
                                  ? solve_touching(f, &problem, settings, report)
                                  : solve_free(f, &problem, settings, report);
    tml__soft_close(f);
    return status;
}

tml_status tml__soft_fill(sim_soft* f, const soft_step* step)
{
    newton_merit unused;
    tml__soft_open(f, step);
    evaluate(f, &unused);
    const tml_status status = tml__soft_factor(f);
    if (status == TML_OK) {
        step->bodies.fill(step->bodies.self);
        add_blocks(f);
        add_bending(f);
    }
    tml__soft_close(f);
    return status;
}
