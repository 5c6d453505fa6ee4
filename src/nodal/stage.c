// nodal/stage.c - one implicit stage, and statics: residual, matrix, Newton.
//
//   M a = F(q, v),  a = (q - q_hat)/c_q,  v = v_hat + (c_v/c_q)(q - q_hat)
//   (M - c_v B - c_q K) dq = c_q (F - M a),  K = dF/dq,  B = dF/dv = -alpha M + beta K
//                                                          [COOK (116) (127) (148)]
// The change of K itself in the damping force beta K v is left out of the matrix [COOK (123)]: with
// beta > 0 and large motions Newton converges linearly, the solution is the same.
#include "nodal/nodal_internal.h"

#include <math.h>
#include <string.h>

double tml__nodal_residual(nodal_system* s, const nodal_stage* stage, const double* q,
                           double* residual)
{
    const int width = tml__nodal_width(s);

    if (stage == NULL) {
        tml__nodal_forces(s, q, NULL, residual);
    } else {
        const double g = stage->c_v / stage->c_q;
        for (int i = 0; i < width; i++) {
            s->scratch[i] = (q[i] - stage->q_hat[i]) / stage->c_q;
            s->v[i] = stage->v_hat[i] + g * (q[i] - stage->q_hat[i]);
        }
        tml__nodal_mass(s, s->scratch, s->force);
        tml__nodal_forces(s, q, s->v, residual);
        for (int i = 0; i < width; i++) residual[i] = stage->c_q * (residual[i] - s->force[i]);
    }
    // forces over the masses at hand, so that the sum is in metres (statics: metres a square second)
    double sum = 0.0;
    for (int n = 0; n < s->free_count; n++) {
        const vec3 r = v3_load(&residual[3 * n]);
        sum += v3_dot(r, r) / (s->share[n] * s->share[n]);
    }
    return sum;
}

static void evaluate(void* self, newton_merit* out)
{
    nodal_system* s = self;
    const double sum = tml__nodal_residual(s, s->stage, s->q, s->residual);
    *out = (newton_merit){.merit = sum, .row = 0.0, .consistency = 1.0};
}

// M - c_v B - c_q K as multiples of M and of K; statics: -K and a shift.
nodal_scales tml__nodal_scales(const nodal_system* s, const nodal_stage* stage)
{
    if (stage == NULL) return (nodal_scales){s->shift, 1.0, 1.0, 0.0};
    return (nodal_scales){1.0 + stage->c_v * s->alpha, stage->c_q + stage->c_v * s->beta,
                          stage->c_q, stage->c_v};
}

void tml__nodal_assemble(nodal_system* s, nodal_scales scales, const double* q)
{
    tml__nodal_fill(s, &s->stiff, q, scales);
}

// A shape squeezed hard enough has directions of negative stiffness: L D L^T does not mind.
tml_status tml__nodal_factor(nodal_system* s, nodal_scales scales, const double* q)
{
    tml__nodal_fill(s, &s->stiff, q, scales);
    return tml__fronts_factor(s->stiff.fronts, 0.0, &s->bad_node);
}

void tml__nodal_back(nodal_system* s, int count, double* x)
{
    tml__fronts_solve(s->stiff.fronts, count, x);
}

// J = [I, -[r]]: how a carried node follows (dc, dphi).
static vec3 follow(vec3 lever, int column)
{
    return column < 3 ? v3_unit(column) : v3_cross(v3_unit(column - 3), lever);
}

// A block of the matrix between corners a and b of an element, row-major.
static void corner_block(const nodal_element* e, const double* K, int a, int b, double mass,
                         double stiffness, double out[9])
{
    for (int i = 0; i < 9; i++) {
        out[i] = -stiffness * K[12 * (3 * a + i / 3) + 3 * b + i % 3];
        if (i % 4 == 0 && e->is_consistent) out[i] += a == b ? 2.0 * mass : mass;
    }
}

static vec3 times(const double A[9], vec3 x)
{
    return v3(v3_dot(v3_load(A), x), v3_dot(v3_load(A + 3), x), v3_dot(v3_load(A + 6), x));
}

// Where the rest of the matrix goes.
typedef struct carried_parts {
    const nodal_carriers* by;
    double* columns;
    double* rows;
    double* own;
} carried_parts;

// A J into the columns of a carrier at a free node, or J_p^T A J into its block.
static void carry_block(const nodal_system* s, const carried_parts* to, const double A[9],
                        int row_node, int column_node)
{
    const nodal_carriers* by = to->by;
    const size_t width = (size_t)tml__nodal_free_width(s);
    const int column = column_node - s->free_count;
    const int from = row_node - s->free_count;
    for (int k = 0; k < 6; k++) {
        const vec3 force = times(A, follow(by->lever[column], k));
        const size_t at = (size_t)(6 * by->carrier[column] + k) * width + 3 * (size_t)row_node;
        if (from >= 0) {
            double* sum =
                &to->own[36 * by->pair[by->carrier[from] * by->count + by->carrier[column]]];
            for (int i = 0; i < 6; i++) sum[6 * i + k] += v3_dot(follow(by->arm[from], i), force);
            continue;
        }
        v3_store(&to->columns[at], v3_add(v3_load(&to->columns[at]), force));
        if (to->rows == NULL) continue;
        const vec3 pushed = times(A, follow(by->arm[column], k));
        v3_store(&to->rows[at], v3_add(v3_load(&to->rows[at]), pushed));
    }
}

static void carry_springs(nodal_system* s, nodal_scales scales, const double* q,
                          const carried_parts* to)
{
    for (int i = 0; i < s->line_count && scales.place != 0.0; i++) {
        const nodal_line* line = &s->lines[i];
        if (!line->is_carrying) continue;
        tml__nodal_spring_blocks(s, line, scales, q);
        for (int k = 0; k < line->count * line->count; k++) {
            const int row = line->nodes[k / line->count].node;
            const int column = line->nodes[k % line->count].node;
            double A[9];
            if (row < 0 || column < s->free_count) continue;
            tml__nodal_end_block(s, line, k / line->count, k % line->count, A);
            carry_block(s, to, A, row, column);
        }
    }
}

static void carry_bent(nodal_system* s, nodal_scales scales, const double* q,
                       const carried_parts* to)
{
    if (scales.stiffness != 0.0) tml__nodal_gather(s, q, s->held, s->tied_x);
    for (int i = 0; i < s->bent_count; i++) {
        const nodal_bent* b = &s->bent[i];
        double A[144];
        tml__nodal_bent_matrix(s, b, scales, q, A);
        for (int k = 0; k < b->count * b->count; k++) {
            double part[9];
            if (b->node[k % b->count] < s->free_count) continue;
            tml__nodal_bent_block(b, A, k / b->count, k % b->count, part);
            carry_block(s, to, part, b->node[k / b->count], b->node[k % b->count]);
        }
    }
}

void tml__nodal_carry(nodal_system* s, nodal_scales scales, const double* q,
                      const nodal_carriers* by, double* columns, double* rows, double* own)
{
    const carried_parts to = {by, columns, rows, own};
    for (int i = 0; i < s->carrying_count; i++) {
        const nodal_element* e = &s->elements[s->carrying[i]];
        const double share = scales.mass * s->densities[e->material] * e->shape.volume / 20.0;
        vec3 x[4];
        vec3 f[4];
        double K[144] = {0};
        if (scales.stiffness != 0.0) {
            tml__nodal_corners(s, e, q, x);
            tml__elastic_eval(&s->materials[e->material], &e->shape, x, f, K);
        }
        for (int k = 0; k < 16; k++) {
            const int row = e->node[k / 4];
            const int column = e->node[k % 4];
            double A[9];
            if (row < 0 || column < s->free_count) continue;
            corner_block(e, K, k / 4, k % 4, share, scales.stiffness, A);
            carry_block(s, &to, A, row, column);
        }
    }
    carry_bent(s, scales, q, &to);
    carry_springs(s, scales, q, &to);
    for (int n = s->free_count; n < s->node_count; n++) {
        const double m = scales.mass * s->lump[n];
        const double A[9] = {m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m};
        carry_block(s, &to, A, n, n);
    }
}

static tml_status direct(void* self, double* update)
{
    nodal_system* s = self;
    const int width = tml__nodal_free_width(s);

    const tml_status status = tml__nodal_factor(s, tml__nodal_scales(s, s->stage), s->q);
    if (status != TML_OK) return status;
    memcpy(s->step, s->residual, (size_t)width * sizeof(double));
    tml__nodal_back(s, 1, s->step);
    memcpy(s->q_start, s->q, (size_t)width * sizeof(double));
    *update = 0.0;
    for (int i = 0; i < width; i++) {
        if (!(fabs(s->step[i]) <= *update)) *update = fabs(s->step[i]);
    }
    return isfinite(*update) ? TML_OK : TML_SINGULAR;
}

static tml_status look_ahead(void* self, double* update)
{
    nodal_system* s = self;
    const int width = tml__nodal_free_width(s);
    memcpy(s->scratch, s->residual, (size_t)width * sizeof(double));
    tml__nodal_back(s, 1, s->scratch);
    *update = 0.0;
    for (int i = 0; i < width; i++) {
        if (!(fabs(s->scratch[i]) <= *update)) *update = fabs(s->scratch[i]);
    }
    return TML_OK;
}

static void adopt(void* self)
{
    nodal_system* s = self;
    const size_t bytes = (size_t)tml__nodal_free_width(s) * sizeof(double);
    memcpy(s->step, s->scratch, bytes);
    memcpy(s->q_start, s->q, bytes);
}

static void move(void* self, double fraction)
{
    nodal_system* s = self;
    const int width = tml__nodal_free_width(s);
    for (int i = 0; i < width; i++) s->q[i] = s->q_start[i] + fraction * s->step[i];
}

static newton_problem problem_of(nodal_system* s)
{
    return (newton_problem){.self = s,
                            .evaluate = evaluate,
                            .direct = direct,
                            .look_ahead = look_ahead,
                            .adopt = adopt,
                            .move = move};
}

tml_status tml__nodal_solve_stage(nodal_system* s, const nodal_stage* stage,
                                  const newton_settings* settings, bool is_linearised, double* q,
                                  newton_report* report)
{
    const newton_problem problem = problem_of(s);
    tml_status status = TML_OK;
    *report = (newton_report){0};
    if (s->free_count == 0) return TML_OK;
    s->stage = stage;
    s->q = q;
    if (is_linearised) {
        evaluate(s, &report->last);
        status = direct(s, &report->update);
        if (status == TML_OK) move(s, 1.0);
        report->iterations = 1;
    } else {
        status = tml__newton(&problem, settings, report);
    }
    s->stage = NULL;
    s->q = NULL;
    return status;
}

// Statics: mass is added to the stiffness and taken away again as the forces fade, so that the first
// steps go downhill like a damped motion and the last ones are Newton's.
tml_status tml__nodal_settle(nodal_system* s, const newton_settings* settings, double load,
                             double* q, newton_report* report)
{
    newton_merit now;
    *report = (newton_report){0};
    if (s->free_count == 0) return TML_OK;
    s->stage = NULL;
    s->q = q;
    s->load = load;
    evaluate(s, &now);
    const double first = sqrt(now.merit);
    tml_status status = isfinite(now.merit) ? TML_OK : TML_NOT_CONVERGED;
    double trust = 1.0;  // shift relative to what the forces ask for
    while (status == TML_OK) {
        const newton_merit before = now;
        if (report->iterations++ >= settings->max_iterations) {
            status = TML_NOT_CONVERGED;
            break;
        }
        s->shift = first > 0.0 && trust > 1e-12 ? trust * sqrt(now.merit) : 0.0;
        status = direct(s, &report->update);
        if (status != TML_OK) break;
        move(s, 1.0);
        evaluate(s, &now);
        if (report->update <= settings->tolerance && s->shift <= 1e-6 * (1.0 + first)) break;
        if (now.merit < before.merit || report->update <= settings->tolerance) {
            trust *= 0.1;
            continue;
        }
        memcpy(q, s->q_start, (size_t)tml__nodal_free_width(s) * sizeof(double));
        evaluate(s, &now);
        report->backtracks++;
        trust = trust > 1e-12 ? 10.0 * trust : 1e-6;
        if (trust > 1e12) status = TML_NOT_CONVERGED;
    }
    report->last = now;
    s->load = 1.0;
    s->q = NULL;
    return status;
}

// ---- analysis

void tml__nodal_set_load(nodal_system* s, double load) { s->load = load; }

bool tml__nodal_is_definite(nodal_system* s, double shift, const double* q)
{
    const nodal_scales scales = {shift, 1.0, 1.0, 0.0};
    return tml__nodal_factor(s, scales, q) == TML_OK && tml__fronts_is_definite(s->stiff.fronts);
}

// Inverse iteration with the factor at hand: the mode grows out of any start that is not blind to it.
double tml__nodal_softest(nodal_system* s, double* mode, double* work)
{
    const int width = tml__nodal_free_width(s);
    double value = 0.0;
    memset(work, 0, (size_t)tml__nodal_width(s) * sizeof(double));
    for (int i = 0; i < width; i++) mode[i] = 1.0 + 0.37 * (i % 7) - 0.21 * (i % 5);
    for (int i = width; i < tml__nodal_width(s); i++) mode[i] = 0.0;
    for (int round = 0; round < 500; round++) {
        // x = K^-1 M u; u.M x / x.M x tends to the eigenvalue from above
        tml__nodal_mass(s, mode, work);
        memcpy(s->step, work, (size_t)width * sizeof(double));
        tml__nodal_back(s, 1, s->step);
        double top = 0.0;
        for (int i = 0; i < width; i++) top += s->step[i] * work[i];
        memset(s->scratch, 0, (size_t)tml__nodal_width(s) * sizeof(double));
        memcpy(s->scratch, s->step, (size_t)width * sizeof(double));
        tml__nodal_mass(s, s->scratch, work);
        double bottom = 0.0;
        for (int i = 0; i < width; i++) bottom += s->scratch[i] * work[i];
        if (!(bottom > 0.0)) return value;
        const double before = value;
        value = top / bottom;
        for (int i = 0; i < width; i++) mode[i] = s->scratch[i] / sqrt(bottom);
        if (fabs(value - before) <= 1e-13 * value) break;
    }
    return value;
}
