// method/redundant.c - multipliers that are not unique, and mechanisms that cannot move.
//
// Rows push against each other around loops only: what a joint that is on none of them transmits follows
// from what hangs on it. So the least norm is sought among the rows of joints on loops, in a matrix of
// their own where there are others. That is a matter of who is joined to whom, not of poses.
#include "base/memory.h"
#include "method/maximal.h"
#include "model/topology.h"

#include <math.h>

struct loop_rows {
    tml_allocator allocator;
    kkt* matrix;  // NULL: there are none
    int joint_count;
    int* joint;      // in the order of the model
    double* weight;  // per row of these
    double* lambda;
};

void tml__maximal_release_loops(loop_rows* loops)
{
    if (loops == NULL) return;
    const tml_allocator allocator = loops->allocator;
    tml__kkt_destroy(loops->matrix);
    tml__release(&allocator, loops->joint);
    tml__release(&allocator, loops->weight);
    tml__release(&allocator, loops->lambda);
    tml__release(&allocator, loops);
}

// What the matrix of the loops is laid out with.
typedef struct loop_layout {
    bool* is_on_loop;  // per joint
    int* place;        // per node: where it is among the bodies on loops, plus 1; 0: nowhere
    int* row_start;
    int* row_node;
    int node_count, row_count, entry_count;
} loop_layout;

static void add_node(const maximal_system* s, int body, loop_layout* to)
{
    const int node = s->model->bodies[body].node;
    if (node < 0) return;
    if (to->place[node] == 0) to->place[node] = ++to->node_count;
    to->row_node[to->entry_count++] = to->place[node] - 1;
}

// The rows of joints on loops, on bodies in the order in which they are met.
static void lay_loops(const maximal_system* s, loop_layout* to)
{
    for (int j = 0; j < s->model->all.joint_count; j++) {
        if (!to->is_on_loop[j]) continue;
        s->loops->joint[s->loops->joint_count++] = j;
        for (int r = 0; r < s->rows[j].count; r++) {
            to->row_start[to->row_count++] = to->entry_count;
            add_node(s, s->model->joints[j].follower, to);
            add_node(s, s->model->joints[j].base, to);
        }
    }
    to->row_start[to->row_count] = to->entry_count;
}

static tml_status create_loops(maximal_system* s, loop_layout* to, message* why)
{
    const tml_allocator* memory = &s->allocator;
    const size_t joints = (size_t)s->model->all.joint_count;
    const size_t rows = (size_t)s->row_count;
    loop_rows* loops = tml__allocate(memory, 1, sizeof *loops);
    if (loops == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->loops = loops;
    loops->allocator = *memory;
    loops->joint = tml__allocate(memory, joints, sizeof(int));
    loops->weight = tml__allocate(memory, rows, sizeof(double));
    loops->lambda = tml__allocate(memory, rows, sizeof(double));
    to->place = tml__allocate(memory, (size_t)s->node_count, sizeof(int));
    to->row_start = tml__allocate(memory, rows + 1, sizeof(int));
    to->row_node = tml__allocate(memory, 2 * rows, sizeof(int));
    if (!loops->joint || !loops->weight || !loops->lambda || !to->place || !to->row_start ||
        !to->row_node) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    lay_loops(s, to);
    if (to->row_count == 0) return TML_OK;
    const kkt_pattern pattern = {.node_count = to->node_count,
                                 .row_count = to->row_count,
                                 .row_start = to->row_start,
                                 .row_node = to->row_node};
    return tml__kkt_create(&pattern, KKT_AUGMENTED, memory, why, &loops->matrix);
}

tml_status tml__maximal_find_loops(maximal_system* s, message* why)
{
    const int joints = s->model->all.joint_count;
    int apart = 0;
    loop_layout to = {0};
    // couplings, limits and ties act across loops: then all rows count
    if (!s->may_be_redundant || !s->is_plain) return TML_OK;
    if (tml__kkt_method(s->matrix) != KKT_AUGMENTED) return TML_OK;

    to.is_on_loop = tml__allocate(&s->allocator, (size_t)joints, sizeof(bool));
    tml_status status = TML_NO_MEMORY;
    if (to.is_on_loop != NULL) {
        status = tml__topology_loops(s->model, &s->allocator, to.is_on_loop);
    }
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    for (int j = 0; j < joints && status == TML_OK; j++) apart += to.is_on_loop[j] ? 0 : 1;
    if (status == TML_OK && apart > 0) status = create_loops(s, &to, why);
    tml__release(&s->allocator, to.is_on_loop);
    tml__release(&s->allocator, to.place);
    tml__release(&s->allocator, to.row_start);
    tml__release(&s->allocator, to.row_node);
    return status;
}

static tml_status least_norm_of_loops(const maximal_system* s, double* lambda)
{
    const loop_rows* loops = s->loops;
    if (loops->matrix == NULL) return TML_OK;
    const kkt_pattern pattern = tml__kkt_pattern(loops->matrix);
    double* out = tml__kkt_values(loops->matrix)->row;
    int at = 0;

    for (int i = 0; i < loops->joint_count; i++) {
        const int j = loops->joint[i];
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++, at++) {
            tml__maximal_store_row(s, &s->model->joints[j], row, out + 6 * pattern.row_start[at]);
            loops->weight[at] = s->weight[row];
            loops->lambda[at] = lambda[row];
        }
    }
    const tml_status status = tml__kkt_least_norm(loops->matrix, loops->weight, loops->lambda);
    at = 0;
    for (int i = 0; i < loops->joint_count && status == TML_OK; i++) {
        const int j = loops->joint[i];
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++, at++) {
            lambda[row] = loops->lambda[at];
        }
    }
    return status;
}

static tml_status least_norm_of_all(maximal_system* s, double* lambda)
{
    // the blocks of the matrix stay as they are: only rows are asked for
    tml__kkt_values(s->matrix)->is_two_sided = false;
    tml__maximal_fill_rows(s, 1.0);
    return tml__kkt_least_norm(s->matrix, s->weight, lambda);
}

tml_status tml__maximal_least_norm(maximal_system* s, double* lambda)
{
    if (!s->may_be_redundant || tml__kkt_method(s->matrix) != KKT_AUGMENTED) return TML_OK;
    const tml_status status =
        s->loops != NULL ? least_norm_of_loops(s, lambda) : least_norm_of_all(s, lambda);
    if (status != TML_NOT_CONVERGED) return status;
    // at a singular pose rows lose their independence, and with it the least norm its meaning: the
    // multipliers stay the ones that were found, which balance as well
    s->unsettled_loads++;
    return TML_OK;
}

static tml_status factor_mass(maximal_system* s)
{
    tml__maximal_fill_mass(s);
    tml__maximal_fill_rows(s, -1.0);
    return tml__kkt_factor(s->matrix, &s->bad_row);
}

// A push in every direction at once moves something unless nothing can move.
bool tml__maximal_is_fully_constrained(maximal_system* s, const double* x)
{
    const tml_model* m = s->model;
    // what ties velocities leaves positions undetermined
    if (s->node_count == 0 || s->limit_count > 0 || s->tie_count > 0) return false;

    tml__maximal_place(s, x, NULL);
    tml__maximal_rows(s);
    if (factor_mass(s) != TML_OK) return false;
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = 0.0;
        if (s->compliance[row] > 0.0) return false;  // it gives way
    }
    // accelerations of order 1 on every body, in no special direction
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const vec3 push = {1.0, 0.7 - 0.01 * (n % 13), -0.4 + 0.02 * (n % 7)};
        const vec3 turn = {-0.5 + 0.03 * (n % 5), 0.9, 0.3 - 0.02 * (n % 11)};
        v3_store(&s->residual[6 * n], v3_scale(body->mass, push));
        v3_store(&s->residual[6 * n + 3],
                 m3_apply(s->bodies[m->node_body[n]].R, m3_apply(body->inertia, turn)));
    }
    if (tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl) != TML_OK) return false;
    double largest = 0.0;
    for (int i = 0; i < 6 * s->node_count; i++) {
        if (!(fabs(s->dx[i]) <= largest)) largest = fabs(s->dx[i]);
    }
    return largest < 1e-7;
}
