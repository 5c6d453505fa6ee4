// bench/scenes/affine_sweeps.c - forces in a net without a factor: block Gauss-Seidel and conjugate gradients.
//
//     bench/affine_sweeps [ROWS]    nets of 10 to ROWS (50) rows
//
// The matrix is that of the first Newton iteration of a step of 10 ms, from flat; the right-hand side is random
// gaps beside those that gravity opens. Gauss-Seidel goes from joint to joint, 3 x 3 at a time, as [MABD Sec 5] does for nets; both
// start from nothing and end where 1e-7 of the right-hand side is left. Processor time; beside it the factor
// and solve of fronts, which leave rounding only.                                           [notes 6]
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "bench/scenes/net_bench.h"
#include "method/links/net.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_SWEEPS = 20000,
    MOST_NEIGHBOURS = 16,  // of a joint of a net: itself, three on its cube, one on its rod
};

static const double left = 1e-7;

// Poses of the model, and the first iteration: its matrix, and the forces that solve it.
static tml_status first_iteration(const tml_model* m, link_system* l)
{
    const size_t width = (size_t)m->node_count * POSE_WIDTH;
    links_call call = {
        .l = l,
        .mode = LINKS_STEP,
        .stage = {0.01, 1.0, 1e-4, 0.5, AFFINE_MEAN},
        .gravity = m->all.gravity,
    };
    double* state = calloc(2 * width, sizeof *state);
    double update = 0.0;
    if (state == NULL) return TML_NO_MEMORY;
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        const double pose[POSE_WIDTH] = {b->c.x, b->c.y, b->c.z, b->q.w, b->q.x, b->q.y, b->q.z};
        memcpy(&state[n * POSE_WIDTH], pose, sizeof pose);
    }
    tml__links_load(l, state, state + width, l->net->force);
    (void)tml__net_start(&call);
    const tml_status status = tml__net_iterate(&call, &update);
    free(state);
    return status;
}

// ---- Gauss-Seidel

// A joint's row of the matrix: itself first.
typedef struct joint_row_blocks {
    int count;
    int joint[MOST_NEIGHBOURS];
    const double* block[MOST_NEIGHBOURS];
    mat3 inverse;
} joint_row_blocks;

static mat3 matrix_of(const double* by_columns)
{
    mat3 out;
    for (int k = 0; k < 9; k++) out.m[k % 3][k / 3] = by_columns[k];
    return out;
}

static void add_neighbour(krylov* k, joint_row_blocks* row, int joint)
{
    for (int i = 0; i < row->count; i++) {
        if (row->joint[i] == joint) return;
    }
    if (row->count == MOST_NEIGHBOURS) return;
    row->joint[row->count] = joint;
    row->block[row->count++] = tml__krylov_at(k, row->joint[0], joint);
}

static joint_row_blocks* list_rows(const tml_model* m, krylov* k)
{
    const int joints = m->all.joint_count;
    joint_row_blocks* rows = calloc((size_t)joints, sizeof *rows);
    int(*on)[8] = calloc((size_t)m->all.body_count, sizeof *on);  // joints of each body
    for (int j = 0; rows != NULL && on != NULL && j < joints; j++) {
        const int ends[2] = {m->joints[j].follower, m->joints[j].base};
        rows[j].joint[0] = j;
        rows[j].block[0] = tml__krylov_at(k, j, j);
        rows[j].inverse = m3_inverse(matrix_of(rows[j].block[0]));
        rows[j].count = 1;
        for (int e = 0; e < 2; e++) {
            int* list = ends[e] < m->all.body_count ? on[ends[e]] : NULL;
            for (int i = 1; list != NULL && i <= list[0]; i++) {
                add_neighbour(k, &rows[j], list[i]);
                add_neighbour(k, &rows[list[i]], j);
            }
            if (list != NULL && list[0] < 7) list[++list[0]] = j;
        }
    }
    free(on);
    return rows;
}

// b - A x of a joint.
static vec3 rest_of(const joint_row_blocks* row, const double* b, const double* x)
{
    vec3 out = v3_load(&b[3 * row->joint[0]]);
    for (int i = 0; i < row->count; i++) {
        out = v3_sub(out, m3_apply(matrix_of(row->block[i]), v3_load(&x[3 * row->joint[i]])));
    }
    return out;
}

static double rest_of_all(const joint_row_blocks* rows, int joints, const double* b,
                          const double* x)
{
    double sum = 0.0;
    for (int j = 0; j < joints; j++) {
        const vec3 r = rest_of(&rows[j], b, x);
        sum += v3_dot(r, r);
    }
    return sqrt(sum);
}

static int sweep(const joint_row_blocks* rows, int joints, const double* b, double* x, double* rest)
{
    const double size = rest_of_all(rows, joints, b, x);
    int sweeps = 0;
    for (*rest = 1.0; *rest > left && sweeps < MOST_SWEEPS; sweeps++) {
        for (int j = 0; j < joints; j++) {
            const vec3 change = m3_apply(rows[j].inverse, rest_of(&rows[j], b, x));
            v3_store(&x[3 * j], v3_add(v3_load(&x[3 * j]), change));
        }
        if (sweeps % 10 == 9) *rest = rest_of_all(rows, joints, b, x) / size;
    }
    return sweeps;
}

// ---- the table

static void compare(const tml_model* m, int size, net* n, fronts* f)
{
    const int joints = n->joint_count;
    joint_row_blocks* rows = list_rows(m, n->large);
    double* b = calloc(6 * (size_t)joints, sizeof *b);
    if (rows == NULL || b == NULL) return;
    double* x = b + 3 * (size_t)joints;
    uint64_t dice = 1;
    for (int j = 0; j < joints; j++) {
        vec3 gap = v3_neg(rest_of(&rows[j], x, n->change));
        for (int k = 0; k < 3; k++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            v3_set(&gap, k, v3_at(gap, k) + 1e-3 * ((double)(dice >> 11) * 0x1p-53 - 0.5));
        }
        v3_store(&b[3 * j], gap);
    }
    for (int j = 0; j < joints; j++) {
        for (int i = 0; i < rows[j].count; i++) {
            memcpy(tml__fronts_at(f, j, rows[j].joint[i]), rows[j].block[i], 9 * sizeof(double));
        }
    }
    double rest = 0.0;
    double start = cpu_seconds();
    const int sweeps = sweep(rows, joints, b, x, &rest);
    printf("%d,%d,gauss-seidel,%d,%.1f,%.1e\n", size, joints, sweeps, 1e3 * (cpu_seconds() - start),
           rest);
    krylov_report report = {0};
    memcpy(x, b, 3 * (size_t)joints * sizeof *x);
    start = cpu_seconds();
    tml_status status = tml__krylov_prepare(n->large, NULL);
    if (status == TML_OK) status = tml__krylov_solve(n->large, left, MOST_SWEEPS, x, &report);
    printf("%d,%d,cg,%d,%.1f,%.1e\n", size, joints, report.iterations,
           1e3 * (cpu_seconds() - start), report.rest);
    memcpy(x, b, 3 * (size_t)joints * sizeof *x);
    start = cpu_seconds();
    if (status == TML_OK) status = tml__fronts_factor(f, 0.0, NULL);
    if (status == TML_OK) tml__fronts_solve(f, 1, x);
    const double used = cpu_seconds() - start;
    double sum = 0.0;
    for (int j = 0; j < joints; j++) sum += v3_dot(v3_load(&b[3 * j]), v3_load(&b[3 * j]));
    printf("%d,%d,factor,1,%.1f,%.1e\n", size, joints, 1e3 * used,
           rest_of_all(rows, joints, b, x) / sqrt(sum));
    fflush(stdout);
    free(rows);
    free(b);
}

static tml_status measure(int size)
{
    tml_model* model = NULL;
    maximal_system* s = NULL;
    link_system* l = NULL;
    link_system* factored = NULL;
    message why = {""};
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_status status = build_net(size, &model);
    if (status == TML_OK) status = tml__maximal_create_lean(model, &settings.allocator, &why, &s);
    if (status == TML_OK) status = tml__links_create(s, LINKS_NET_ITERATED, NULL, &why, &l);
    if (status == TML_OK) status = tml__links_create(s, LINKS_NET, NULL, &why, &factored);
    if (status == TML_OK) status = first_iteration(model, l);
    if (status == TML_OK) compare(model, size, l->net, factored->net->dual);
    if (status != TML_OK) printf("%d: %s\n", size, why.text);
    tml__links_destroy(l);
    tml__links_destroy(factored);
    tml__maximal_destroy(s);
    tml_model_destroy(model);
    return status;
}

int main(int argc, char** argv)
{
    static const int sizes[] = {10, 20, 50, 100};
    const int most = argc > 1 ? atoi(argv[1]) : 50;
    int failed = 0;
    printf("rows,joints,way,sweeps or iterations,ms,left of the right-hand side\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] <= most) failed |= measure(sizes[i]) != TML_OK;
    }
    return failed;
}
