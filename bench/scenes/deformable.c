// bench/scenes/deformable.c - what a step of a soft block costs, and its factor beside CHOLMOD's.
//
//     bench/deformable [TETRAHEDRA]      blocks of up to so many, 100000 by default
//
// One line a block, as CSV: processor time of an implicit step (bdf2, 0.01 s, Newton to 1e-10) and how
// many make a second, Newton iterations and factorisations a step, the shares of assembly (forces and
// matrix) and of factor and solve; then, on the matrix M - c_q K of the bent block, the times of our
// factor and of CHOLMOD's (supernodal, its own ordering, one thread, the symbolic part left out of both),
// the operations of both, and how far the two solutions differ. Growth is the exponent between a line and
// the one before; the first of a line's steps, which has to be started, is not counted.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "nodal/nodal.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int check_failures;  // bar.h counts here what it cannot build
#include "test/nodal/bar.h"

#ifdef TRAMMEL_HAS_CHOLMOD
#include <cholmod.h>

// OpenBLAS, where it is what CHOLMOD works with: threads that wait for work would count as processor time.
extern void openblas_set_num_threads(int count) __attribute__((weak));
#endif

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct result {
    int tetrahedra, unknowns;
    double step, iterations, factorisations;
    double assembly, factor, solve;  // s
    double flops;                    // of our factor,
    double cholmod_flops;            // and of CHOLMOD's
    double cholmod;                  // s; negative: not built in
    double difference;               // relative, of the two solutions
} result;

// ---- steps

static void clamp(bar* b)
{
    for (int i = 0; i < b->vertex_count; i++) b->is_held[i] = b->vertices[i].x <= 0.0;
}

static tml_model* model_of(const bar* b)
{
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    int* fixed = calloc((size_t)b->vertex_count, sizeof *fixed);
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.vertex_count = b->vertex_count;
    def.vertices = b->vertices;
    def.tetrahedron_count = b->tetrahedron_count;
    def.tetrahedra = b->corners;
    for (int i = 0; i < b->vertex_count; i++) {
        if (b->is_held[i]) fixed[def.fixed_count++] = i;
    }
    def.fixed = fixed;
    tml_spec_add_deformable(spec, &def);
    tml_model* model = NULL;
    if (tml_spec_build(spec, &model) != TML_OK) printf("%s\n", tml_spec_message(spec));
    tml_spec_destroy(spec);
    free(fixed);
    return model;
}

static int time_steps(const bar* b, int steps, result* r)
{
    tml_model* model = model_of(b);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.implicit.start = TML_START_SDIRK2;
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);
    if (status == TML_OK) status = tml_sim_step(sim, NULL);
    const tml_sim_report before = tml_sim_get_report(sim);
    const double begin = cpu_seconds();
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
    r->step = (cpu_seconds() - begin) / steps;
    const tml_sim_report now = tml_sim_get_report(sim);
    r->iterations = (double)(now.newton_iterations - before.newton_iterations) / steps;
    r->factorisations = (double)(now.factorisations - before.factorisations) / steps;
    if (status != TML_OK) printf("%s\n", tml_sim_message(sim));
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status != TML_OK;
}

// ---- the matrix of a bent block

static const nodal_scales scales = {1.0, 4.4e-5, 4.4e-5, 0.0};  // c_q of bdf2 at 0.01 s

// The fastest of a few runs: the machine is never quite quiet.
static double fastest(double a, double b) { return a > 0.0 && a < b ? a : b; }

static void time_parts(nodal_system* s, const double* q, double* x, int runs, result* r)
{
    const int width = tml__nodal_free_width(s);
    double* v = calloc((size_t)width, sizeof *v);
    const nodal_stage stage = {0.0067, 4.4e-5, v, q};
    double* residual = calloc((size_t)width, sizeof *residual);
    double whole = 0.0;
    double fill = 0.0;
    double forces = 0.0;
    for (int k = 0; k < runs; k++) {
        double begin = cpu_seconds();
        tml__nodal_residual(s, &stage, q, residual);
        forces = fastest(forces, cpu_seconds() - begin);
        begin = cpu_seconds();
        tml__nodal_assemble(s, scales, q);
        fill = fastest(fill, cpu_seconds() - begin);
        begin = cpu_seconds();
        if (tml__nodal_factor(s, scales, q) != TML_OK) printf("the block is not definite\n");
        whole = fastest(whole, cpu_seconds() - begin);
        for (int i = 0; i < width; i++) x[i] = 1.0 + 0.1 * (i % 11);
        begin = cpu_seconds();
        tml__nodal_back(s, 1, x);
        r->solve = fastest(r->solve, cpu_seconds() - begin);
    }
    // tml__nodal_factor fills the matrix too
    r->assembly = forces + fill;
    r->factor = whole - fill;
    r->flops = tml__nodal_statistics(s).factor_flops;
    free(v);
    free(residual);
}

#ifdef TRAMMEL_HAS_CHOLMOD
static cholmod_sparse* matrix_of(const bar* b, const nodal_system* s, const double* q,
                                 cholmod_common* c)
{
    const size_t most = 144 * (size_t)b->tetrahedron_count + (size_t)tml__nodal_width(s);
    const size_t width = (size_t)tml__nodal_width(s);
    cholmod_triplet* t = cholmod_allocate_triplet(width, width, most, -1, CHOLMOD_REAL, c);
    int* row = t->i;
    int* column = t->j;
    double* value = t->x;
    for (int i = 0; i < b->tetrahedron_count; i++) {
        const int* corner = &b->corners[4 * i];
        vec3 x[4];
        vec3 rest[4];
        vec3 f[4];
        double K[144];
        tetrahedron shape;
        for (int a = 0; a < 4; a++) {
            rest[a] = b->vertices[corner[a]];
            x[a] = tml__nodal_vertex(s, q, corner[a]);
        }
        tml__tetrahedron(rest, &shape);
        tml__elastic_eval(&b->material, &shape, x, f, K);
        for (int k = 0; k < 144; k++) {
            const int p = tml__nodal_node(s, corner[k / 36]);
            const int o = tml__nodal_node(s, corner[k % 12 / 3]);
            const int at_row = 3 * p + k / 12 % 3;
            const int at_column = 3 * o + k % 3;
            if (p < 0 || o < 0 || at_row < at_column) continue;
            row[t->nnz] = at_row;
            column[t->nnz] = at_column;
            value[t->nnz] = -scales.stiffness * K[k];
            if (at_row == at_column) {
                value[t->nnz] += scales.mass * 0.25 * b->density * shape.volume;
            }
            t->nnz++;
        }
    }
    cholmod_sparse* A = cholmod_triplet_to_sparse(t, 0, c);
    cholmod_free_triplet(&t, c);
    return A;
}

static void time_cholmod(const bar* b, const nodal_system* s, const double* q, const double* ours,
                         int runs, result* r)
{
    cholmod_common c;
    cholmod_start(&c);
    cholmod_sparse* A = matrix_of(b, s, q, &c);
    cholmod_dense* rhs = cholmod_ones(A->nrow, 1, CHOLMOD_REAL, &c);
    double* from = rhs->x;
    for (size_t i = 0; i < A->nrow; i++) from[i] = 1.0 + 0.1 * (double)(i % 11);
    c.supernodal = CHOLMOD_SUPERNODAL;
    if (openblas_set_num_threads != NULL) openblas_set_num_threads(1);
    cholmod_factor* L = cholmod_analyze(A, &c);
    for (int k = 0; k < runs; k++) {
        const double begin = cpu_seconds();
        cholmod_factorize(A, L, &c);
        r->cholmod = fastest(r->cholmod, cpu_seconds() - begin);
    }
    r->cholmod_flops = c.fl;
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, L, rhs, &c);
    const double* theirs = x->x;
    double size = 0.0;
    for (size_t i = 0; i < A->nrow; i++) {
        size = fmax(size, fabs(theirs[i]));
        r->difference = fmax(r->difference, fabs(theirs[i] - ours[i]));
    }
    r->difference /= size;
    cholmod_free_dense(&x, &c);
    cholmod_free_dense(&rhs, &c);
    cholmod_free_factor(&L, &c);
    cholmod_free_sparse(&A, &c);
    cholmod_finish(&c);
}
#endif

// ---- one block

static int measure(const int cells[3], const result* before, result* r)
{
    bar b = bar_make(cells[0], cells[1], cells[2], 1.0, 0.4, 0.4);
    b.material = tml__elastic(TML_MATERIAL_NEO_HOOKEAN, 1e6, 0.3);
    clamp(&b);
    nodal_system* s = bar_system(&b);
    const int width = tml__nodal_width(s);
    const int runs = b.tetrahedron_count > 50000 ? 2 : 10;
    double* q = calloc((size_t)width, sizeof *q);
    double* x = calloc((size_t)width, sizeof *x);
    tml__nodal_rest(s, q);
    for (int i = 2; i < width; i += 3) q[i] -= 0.1 * q[i - 2] * q[i - 2];  // bent
    *r = (result){.tetrahedra = b.tetrahedron_count, .unknowns = width, .cholmod = -1.0};
    time_parts(s, q, x, runs, r);
#ifdef TRAMMEL_HAS_CHOLMOD
    time_cholmod(&b, s, q, x, runs, r);
#endif
    const int failed = time_steps(&b, b.tetrahedron_count > 50000 ? 2 : 10, r);
    const double parts = r->assembly + r->factor + r->solve;
    const double growth =
        before != NULL
            ? log(r->step / before->step) / log((double)r->tetrahedra / (double)before->tetrahedra)
            : 0.0;
    printf("%d,%d,%.4g,%.4g,%.2f,%.2f,%.3f,%.3f,", r->tetrahedra, r->unknowns, 1e3 * r->step,
           1.0 / r->step, r->iterations, r->factorisations, r->assembly / parts,
           (r->factor + r->solve) / parts);
    printf("%.4g,%.4g,%.2f,%.3g,%.3g,%.1e,%.2f\n", 1e3 * r->factor, 1e3 * r->cholmod,
           r->factor / r->cholmod, r->flops, r->cholmod_flops, r->difference, growth);
    fflush(stdout);
    tml__nodal_destroy(s);
    free(q);
    free(x);
    bar_free(&b);
    return failed;
}

int main(int argc, char** argv)
{
    static const int blocks[][3] = {{11, 4, 4}, {23, 8, 9}, {46, 19, 19}};
    const long most = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
    result results[3];
    int failed = 0;
    printf(
        "tetrahedra,unknowns,step_ms,steps_per_second,newton,factors,assembly_share,factor_share,"
        "factor_ms,cholmod_ms,ratio,flops,cholmod_flops,difference,growth\n");
    for (int i = 0; i < 3; i++) {
        if (6L * blocks[i][0] * blocks[i][1] * blocks[i][2] > most + most / 5) break;
        failed |= measure(blocks[i], i > 0 ? &results[i - 1] : NULL, &results[i]);
    }
    return failed || check_failures > 0;
}
