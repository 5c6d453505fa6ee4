// bench/scenes/step_parts.h - the parts of a Newton iteration: what each must cost, and what it does.
//
// Counted are the floating point operations of the formulas as they are written, and the bytes that a
// part has to read or write at least once. Measured is the fastest of many repeats at one state.
// Products of the block solver run eight lanes wide over six rows, and sums are never fused with
// products, so a core that starts two vector operations a cycle can reach 12 flops a cycle.
#ifndef TRAMMEL_BENCH_STEP_PARTS_H
#define TRAMMEL_BENCH_STEP_PARTS_H

#include "linalg/augmented.h"
#include "sim/sim_internal.h"

#include <stdio.h>
#include <time.h>

typedef struct step_part {
    const char* name;
    double times;  // a step
    double flops, bytes;
    void (*run)(maximal_system* s);
} step_part;

// Entries of the pattern that the counts are made of.
typedef struct part_sizes {
    double nodes, bodies, joints, rows, entries, pairs, outers;
    block_statistics factor;
    double below;  // blocks of L
    double
        share;  // of the flops and entries of LU that the factor takes: half where it is symmetric
} part_sizes;

static inline part_sizes sizes_of(const maximal_system* s)
{
    const kkt* k = s->matrix;
    const augmented* g = k->state;
    part_sizes n = {.nodes = k->node_count,
                    .bodies = s->model->all.body_count,
                    .joints = s->model->all.joint_count,
                    .rows = k->row_count,
                    .entries = k->entry_count,
                    .pairs = k->pair_count,
                    .factor = tml__block_statistics(g->a)};
    const bool is_symmetric = tml__kkt_statistics(k).is_symmetric;
    n.share = is_symmetric ? 0.5 : 1.0;
    for (int i = 0; i < g->group_count; i++) {
        const double nodes = g->group[i].node_count;
        n.outers +=
            g->group[i].row_count * (is_symmetric ? 0.5 * nodes * (nodes + 1.0) : nodes * nodes);
    }
    n.below = n.factor.blocks - n.nodes;
    return n;
}

static inline void run_evaluation(maximal_system* s)
{
    tml__maximal_place(s, s->x, NULL);
    tml__maximal_rows(s);
    tml__maximal_consistency(s);
    tml__maximal_forces(s);
    tml__maximal_subtract_rows(s, s->lambda, s->residual);
}

static inline void run_fill(maximal_system* s)
{
    tml__maximal_fill_mass(s);
    tml__maximal_fill_stiffness(s, s->lambda, 1e-4);
    tml__maximal_fill_rows(s, 1e4);
}

static inline void run_freeze(maximal_system* s) { tml__augmented_freeze(s->matrix); }

// All of the factorisation; the products C^T P C are measured apart and taken off by the reader.
static inline void run_factor(maximal_system* s)
{
    tml__kkt_set_passes(s->matrix, 2);
    tml__augmented_factor_system(s->matrix);
}

static inline void run_outer(maximal_system* s)
{
    const augmented* g = s->matrix->state;
    tml__augmented_add_rows(s->matrix, g->weight, g->a->factored_as);
}

static inline void run_solve(maximal_system* s)
{
    tml__kkt_set_passes(s->matrix, 2);
    tml__kkt_solve(s->matrix, s->residual, s->C, s->ahead_dx, s->ahead_dl);
}

static inline double part_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double fastest(const step_part* p, maximal_system* s)
{
    double best = 1e9;
    for (int repeat = 0; repeat < 50; repeat++) {
        const double before = part_clock();
        p->run(s);
        const double spent = part_clock() - before;
        if (spent < best) best = spent;
    }
    return best;
}

// A step's parts at the state that the simulation is in; the factor and the scratch of the system are
// lost, as after any step.
static inline void print_parts(const char* name, tml_sim* sim, double iterations,
                               double factorisations, double step_seconds)
{
    maximal_system* s = sim->system;
    const part_sizes n = sizes_of(s);
    const double k_blocks = n.nodes + 2.0 * n.pairs;
    const double solve_flops = 72.0 * (2.0 * n.below + n.nodes);
    const double pass_flops = solve_flops + 36.0 * n.entries + 10.0 * n.rows;
    const double pass_bytes = 8.0 * (double)n.factor.entries + 64.0 * n.entries;
    const step_part parts[] = {
        // frames: two products of matrices and two of vectors a joint; a gap row has three cross
        // products; the rows' forces on two bodies
        {"evaluation", iterations + 1.0, 132.0 * n.joints + 39.0 * n.rows + 18.0 * n.rows,
         (double)sizeof(rigid) * n.bodies + (double)sizeof(joint_frame) * n.joints +
             (double)(sizeof(rigid_gradient) + sizeof(double)) * n.rows,
         run_evaluation},
        // bending: two products of skew matrices a dot row, four blocks a joint
        {"fill", factorisations, 60.0 * n.rows + 150.0 * n.joints,
         8.0 * (36.0 * n.nodes + 72.0 * n.pairs + 6.0 * n.entries), run_fill},
        {"freeze", factorisations, 2.0 * 6.0 * n.entries, 384.0 * k_blocks + 64.0 * n.entries,
         run_freeze},
        {"outer products", factorisations, 78.0 * n.outers, 64.0 * n.entries + 384.0 * k_blocks,
         run_outer},
        {"factor with outer products", factorisations, n.share * n.factor.flops + 78.0 * n.outers,
         8.0 * n.share * (double)n.factor.entries, run_factor},
        // the sides of L are read one after the other, whether they are two or one; K once
        {"solve of two passes", iterations, 2.0 * pass_flops + 72.0 * k_blocks,
         2.0 * pass_bytes + 384.0 * k_blocks, run_solve},
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const step_part* p = &parts[i];
        const double spent = fastest(p, s);
        printf("%s,%s,%.2f,%.0f,%.0f,%.2f,%.2f,%.1f,%.1f\n", name, p->name, p->times, p->flops,
               p->bytes, 1e6 * spent, 1e-9 * p->flops / spent, 1e-9 * p->bytes / spent,
               100.0 * p->times * spent / step_seconds);
    }
}

static inline void print_parts_title(void)
{
    printf("case,part,times_a_step,flops,bytes,us,gflops,gbytes_s,percent_of_step\n");
}

#endif
