// sim/soft_stage.c - one implicit stage of bodies and deformables together.
//
//   [ A_bb  A_bf  -C^T ] [db]   [-E_b]      b: bodies, with the vertices that they carry,
//   [ A_fb  A_ff       ] [df] = [-E_f]      f: free vertices
//   [ C            E   ] [dl]   [-C  ]
//
// The free vertices are eliminated first, with the block Cholesky factor of their own (LU where a
// squeezed shape is indefinite): the bodies' matrix receives -A_bf A_ff^-1 A_fb, six columns a body
// that carries something, and is solved as if there were no deformables.  [COOK (266)-(272)]
// What touches is corrected afterwards (soft_touch.h).
#include "form/quaternion/stage.h"
#include "sim/soft.h"
#include "sim/soft_touch.h"

#include <math.h>
#include <string.h>

// ---- carried vertices

// Levers and places of the carried vertices at the placed bodies.
static void place_carried(sim_soft* f)
{
    for (int i = 0; i < f->carried_count; i++) {
        const int vertex = f->carried_vertex[i];
        const rigid* b = &f->system->bodies[f->model->carrier[vertex]];
        f->lever[i] = m3_apply(b->R, f->model->carried_at[vertex]);
        v3_store(&f->x[f->free_width + 3 * i], v3_add(b->c, f->lever[i]));
    }
}

// to (6 a node) += scale J^T of what acts on the carried vertices.                    [COOK (289)]
static void pull(const sim_soft* f, const double* force, double scale, double* to)
{
    for (int i = 0; i < f->carried_count; i++) {
        const vec3 g = v3_scale(scale, v3_load(&force[f->free_width + 3 * i]));
        double* r = &to[6 * f->carrier_node[f->carrier[i]]];
        v3_store(r, v3_add(v3_load(r), g));
        v3_store(r + 3, v3_add(v3_load(r + 3), v3_cross(f->lever[i], g)));
    }
}

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// ---- the matrix

// Columns, blocks and their elimination at f->x, for the factor of the free vertices at hand.
static void condense(sim_soft* f, nodal_scales scales)
{
    const int count = 6 * f->by.count;
    const size_t width = (size_t)f->free_width;
    if (count == 0) return;

    memset(f->columns, 0, (size_t)count * width * sizeof(double));
    memset(f->own, 0, 36 * (size_t)f->block_count * sizeof(double));
    tml__nodal_carry(f->nodes, scales, f->x, &f->by, f->columns, f->own);
    memcpy(f->solved, f->columns, (size_t)count * width * sizeof(double));
    tml__nodal_back(f->nodes, count, f->solved);
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < count; column++) {
            const int at = f->pair[row / 6 * f->by.count + column / 6];
            if (at < 0) continue;
            f->own[36 * at + 6 * (row % 6) + column % 6] -=
                dot(&f->columns[(size_t)row * width], &f->solved[(size_t)column * width],
                    f->free_width);
        }
    }
}

static void add_blocks(const sim_soft* f)
{
    for (int k = 0; k < f->block_count; k++) {
        for (int i = 0; i < 36; i++) f->place[k][i] += f->own[36 * k + i];
    }
}

// The bending of what carried vertices do: d(-r x g)/dphi = -[g][r].                  [COOK (290)]
static void add_bending(const sim_soft* f)
{
    for (int i = 0; i < f->carried_count; i++) {
        const mat3 D = m3_skew_skew(v3_load(&f->residual[f->free_width + 3 * i]), f->lever[i]);
        double* place = f->place[f->pair[f->carrier[i] * (f->by.count + 1)]];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) place[6 * (3 + a) + 3 + b] -= D.m[a][b];
        }
    }
}

// ---- Newton

static void evaluate(void* self, newton_merit* out)
{
    sim_soft* f = self;
    maximal_system* s = f->system;
    tml__quat_residual(s, f->stage, out);
    place_carried(f);
    tml__nodal_set_time(f->nodes, s->t);
    const double sum = tml__nodal_residual(f->nodes, &f->nodal, f->x, f->residual);
    pull(f, f->residual, -1.0, s->residual);
    if (f->touch != NULL) tml__soft_touch_push(f, f->stage->c_q, s->residual);
    out->merit = tml__maximal_merit(s) + sum;
}

// A_ff^-1 of the residual into `z`, and what it does to the bodies: into s->residual.
static void eliminate(sim_soft* f, double* z)
{
    memcpy(z, f->residual, (size_t)f->free_width * sizeof(double));
    tml__nodal_back(f->nodes, 1, z);
    for (int k = 0; k < 6 * f->by.count; k++) {
        f->system->residual[6 * f->carrier_node[k / 6] + k % 6] +=
            dot(&f->columns[(size_t)k * (size_t)f->free_width], z, f->free_width);
    }
}

// What a step in positions counts: itself, or the step in velocities that goes with it.
static double measure(const sim_soft* f)
{
    return f->has_velocity ? f->nodal.c_v / f->nodal.c_q : 1.0;
}

// z := scale z - A_ff^-1 A_fb dx; the largest part.
static double finish(const sim_soft* f, const double* dx, double scale, double* z)
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

static tml_status direct(void* self, double* update)
{
    sim_soft* f = self;
    maximal_system* s = f->system;
    const nodal_scales scales = tml__nodal_scales(f->nodes, &f->nodal);
    tml_status status = tml__nodal_factor(f->nodes, scales, f->x);
    if (status != TML_OK) return status;

    condense(f, scales);
    eliminate(f, f->step);
    *update = 0.0;
    s->shortened = 1.0;
    if (s->node_count > 0) {
        tml__quat_matrix(s, f->stage);
        add_blocks(f);
        add_bending(f);
        status = tml__maximal_direct(s, f->stage->c_q, update);
        if (status != TML_OK) return status;
    }
    const double own = measure(f) * finish(f, s->dx, s->shortened, f->step);
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
    eliminate(f, f->work);
    if (s->node_count > 0) status = tml__maximal_look_ahead(s, update);
    memcpy(s->residual, f->kept, bytes);
    const double own = measure(f) * finish(f, s->ahead_dx, 1.0, f->work);
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

enum {
    TOUCH_PASSES = 20
};

// Pushes on free vertices and bodies, times c_q, become motions by the matrix that `direct` factored.
static tml_status respond(sim_soft* f, int count, double* vertices, double* bodies)
{
    maximal_system* s = f->system;
    const size_t width = (size_t)f->free_width;
    const size_t body_width = 6 * (size_t)s->node_count;
    tml__nodal_back(f->nodes, count, vertices);
    for (int j = 0; j < count && s->node_count > 0; j++) {
        double* z = &vertices[(size_t)j * width];
        double* dx = &bodies[(size_t)j * body_width];
        for (int k = 0; k < 6 * f->by.count; k++) {
            dx[6 * f->carrier_node[k / 6] + k % 6] -=
                dot(&f->columns[(size_t)k * width], z, f->free_width);
        }
        memset(s->ahead_dl, 0, (size_t)s->row_count * sizeof(double));
        const tml_status status = tml__kkt_solve(s->matrix, dx, s->ahead_dl, dx, s->ahead_dl);
        if (status != TML_OK) return status;
        for (int k = 0; k < 6 * f->by.count; k++) {
            const double moved = dx[6 * f->carrier_node[k / 6] + k % 6];
            const double* column = &f->solved[(size_t)k * width];
            for (int i = 0; i < f->free_width; i++) z[i] -= moved * column[i];
        }
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
    *report = last;
    return status;
}

// Free motion, then corrections by the compliance of the rows until all laws are met.  [COOK (227)]
static tml_status solve_touching(sim_soft* f, const newton_problem* problem,
                                 const newton_settings* settings, newton_report* report)
{
    const double enough = 10.0 * settings->tolerance;
    int row = -1;
    tml__soft_touch_clear(f);
    tml_status status = solve_free(f, problem, settings, report);
    for (int pass = 0; pass < TOUCH_PASSES && status == TML_OK; pass++) {
        double update;
        message unused = {{0}};
        const double worst = tml__soft_touch_see(f, &row);
        if (worst <= enough) return TML_OK;
        f->bad_break = worst;
        status = direct(f, &update);
        report->factorisations++;
        if (status == TML_OK) {
            status = tml__soft_touch_solve(f, f->stage->c_q, respond, &unused);
            if (status != TML_OK) break;
            status = solve_free(f, problem, settings, report);
            if (status != TML_OK) return status;
        }
    }
    f->bad_row = row;
    return status == TML_OK ? TML_NOT_CONVERGED : status;
}

tml_status tml__soft_solve_stage(sim_soft* f, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report)
{
    const newton_problem problem = {
        .self = f, .evaluate = evaluate, .direct = direct, .look_ahead = look_ahead, .move = move};
    f->stage = stage;
    f->bad_row = -1;
    f->nodal =
        (nodal_stage){stage->c_v, stage->c_q, stage->v_hat + f->first, stage->q_hat + f->first};
    *report = (newton_report){0};
    const tml_status status = tml__soft_touch_rows(f) > 0
                                  ? solve_touching(f, &problem, settings, report)
                                  : solve_free(f, &problem, settings, report);
    tml__nodal_set_push(f->nodes, NULL);
    f->stage = NULL;
    return status;
}

// ---- accelerations

// Carried vertices move with their bodies: omega x (omega x r) without any acceleration of these.
static vec3 bias_of(const sim_soft* f, int i)
{
    const vec3 omega = f->system->bodies[f->model->carrier[f->carried_vertex[i]]].omega;
    return v3_cross(omega, v3_cross(omega, f->lever[i]));
}

// The inertia of what bodies carry, as they feel it when the free vertices follow.
static void guest_mass(void* self)
{
    sim_soft* f = self;
    const nodal_scales only_mass = {.mass = 1.0};
    if (f->by.count == 0) return;
    place_carried(f);
    // masses that were accepted always factor
    if (tml__nodal_factor(f->nodes, only_mass, f->x) != TML_OK) return;
    condense(f, only_mass);
    add_blocks(f);
}

// Forces on the vertices less M b, where b are the accelerations that carried vertices have by `of`
// (6 a body, NULL: none); free ones behind M_ff^-1, into f->work and f->residual.
static void balance(sim_soft* f, const double* x, const double* v, const double* of)
{
    const double* q = x + f->first;
    memset(f->work, 0, (size_t)f->width * sizeof(double));
    for (int i = 0; i < f->carried_count; i++) {
        vec3 a = bias_of(f, i);
        if (of != NULL) {
            const double* body = &of[6 * f->carrier_node[f->carrier[i]]];
            a = v3_add(a, v3_add(v3_load(body), v3_cross(v3_load(body + 3), f->lever[i])));
        }
        v3_store(&f->work[f->free_width + 3 * i], a);
    }
    tml__nodal_mass(f->nodes, f->work, f->step);
    tml__nodal_set_time(f->nodes, f->system->t);
    tml__nodal_forces(f->nodes, q, v + f->first, f->residual);
    for (int i = 0; i < f->width; i++) f->residual[i] -= f->step[i];
}

static void guest_push(void* self, const double* x, const double* v)
{
    sim_soft* f = self;
    if (f->by.count == 0) return;
    place_carried(f);
    balance(f, x, v, NULL);
    if (tml__nodal_unmass(f->nodes, f->residual, f->work) != TML_OK) return;
    tml__nodal_mass(f->nodes, f->work, f->step);
    for (int i = f->free_width; i < f->width; i++) f->residual[i] -= f->step[i];
    pull(f, f->residual, 1.0, f->system->residual);
}

tml_status tml__soft_accelerate(sim_soft* f, const double* q, const double* v,
                                const double* of_bodies, double* a)
{
    tml__maximal_place(f->system, q, v);
    place_carried(f);
    balance(f, q, v, of_bodies);
    for (int i = f->free_width; i < f->width; i++) f->x[i] = f->work[i];
    const tml_status status = tml__nodal_unmass(f->nodes, f->residual, a);
    for (int i = f->free_width; i < f->width; i++) a[i] = f->x[i];
    return status;
}

maximal_guest tml__soft_guest(sim_soft* f)
{
    return (maximal_guest){.self = f, .mass = guest_mass, .push = guest_push};
}
