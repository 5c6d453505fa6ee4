// method/links/linear.c - steps of links (ball joints without loops) as linear maps, in linear time and memory.
//
// Nothing is kept for each row: poses and velocities are all that goes from step to step, so joint loads have no
// derivatives here.
#include "diff/start.h"
#include "method/affine/method.h"
#include "method/links/links_back.h"
#include "method/links/method.h"
#include "sim/lean.h"

#include <string.h>

typedef struct own_work {
    link_tree* tree;
    links_back_room room;  // of chains
    double* rates;         // flat: of the start
    double* velocity;      // 6 a node, scratch
} own_work;

static int six_of(const tml_sim* sim) { return 6 * sim->model->node_count; }

static size_t state_count(const tml_sim* sim) { return 2 * (size_t)six_of(sim); }

// ---- memory

static void destroy(tml_sim* sim, linear_work* work)
{
    if (work == NULL) return;
    const tml_allocator* allocator = &sim->settings.allocator;
    own_work* own = work->own;
    if (own != NULL) {
        tml__link_tree_destroy(own->tree);
        tml__links_back_destroy(tml__links_of(sim), &own->room);
        tml__release(allocator, own->rates);
        tml__release(allocator, own->velocity);
        tml__release(allocator, own);
    }
    tml__release(allocator, work);
}

static tml_status create(tml_sim* sim, linear_work** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    linear_work* work = tml__allocate(allocator, 1, sizeof *work);
    *out = work;
    if (work == NULL) return TML_NO_MEMORY;
    own_work* own = tml__allocate(allocator, 1, sizeof *own);
    work->own = own;
    work->allocator = *allocator;
    if (own == NULL) return TML_NO_MEMORY;
    own->rates = tml__allocate(allocator, (size_t)sim->width, sizeof(double));
    own->velocity = tml__allocate(allocator, (size_t)six_of(sim), sizeof(double));
    if (own->rates == NULL || own->velocity == NULL) return TML_NO_MEMORY;
    const tml_status status = tml__links_back_create(tml__links_of(sim), &own->room);
    return status == TML_OK ? tml__link_tree_create(tml__links_of(sim), &own->tree) : status;
}

static tml_status check(tml_sim* sim, const tml_quantity* quantity)
{
    if (tml__links_of(sim)->net != NULL || sim->model->loops > 0) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps of solver '%s' have no derivatives in this version; those of "
                         "'nodes' have",
                         sim->form->solver_name(sim));
    }
    if (tml__links_of(sim)->led != NULL) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "steps of solver '%s' beside bodies that are led have no derivatives in this "
            "version; those of 'nodes' have",
            sim->form->solver_name(sim));
    }
    const link_system* l = tml__links_of(sim);
    if (l->springs != NULL || l->damping > 0.0 || l->is_moored) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps of solver '%s' with springs, with damping by mass or with a first "
                         "joint that is driven have no derivatives in this version; those of "
                         "'nodes' have",
                         sim->form->solver_name(sim));
    }
    const bool is_of_body =
        quantity == NULL || quantity->kind == TML_QUANTITY_POSITION ||
        quantity->kind == TML_QUANTITY_QUATERNION || quantity->kind == TML_QUANTITY_VELOCITY ||
        quantity->kind == TML_QUANTITY_ANGULAR_VELOCITY || quantity->kind == TML_QUANTITY_KINETIC ||
        quantity->kind == TML_QUANTITY_POTENTIAL;
    if (is_of_body) return TML_OK;
    return tml__fail(&sim->why, TML_UNSUPPORTED,
                     "loads and coordinates of joints have no derivatives with solver '%s' in this "
                     "version; with 'nodes' they have",
                     sim->form->solver_name(sim));
}

// ---- the flat state

static void flatten(tml_sim* sim, linear_work* work, partial_direction way, const run_inputs* in,
                    double* own, double* flat)
{
    (void)work;
    (void)in;
    const double* q = step_q(sim);
    const double* v = step_v(sim);
    const int n = sim->width;
    const int six = six_of(sim);

    for (int k = 0; k < sim->model->node_count; k++) {
        const double* at = &q[k * POSE_WIDTH];
        double* pose = &own[6 * k];
        double* rate = &own[six + 6 * k];
        double* flat_q = &flat[k * POSE_WIDTH];
        double* flat_v = &flat[n + k * POSE_WIDTH];
        double now[6] = {0.0};
        const quat turn = {at[3], at[4], at[5], at[6]};
        const double* w = &v[k * POSE_WIDTH + 3];
        v3_store(now + 3,
                 v3_scale(2.0 / q_dot(turn, turn), q_G(turn, (quat){w[0], w[1], w[2], w[3]})));
        if (way == PARTIAL_FORWARD) {
            tml__pose_to_flat(way, at, 1, pose, flat_q);
            tml__velocity_to_rate(way, at, now, 1, flat_q, rate, flat_v);
        } else {
            tml__velocity_to_rate(way, at, now, 1, flat_q, rate, flat_v);
            tml__pose_to_flat(way, at, 1, pose, flat_q);
        }
    }
}

// ---- the start

static tml_status start(tml_sim* sim, linear_work* work, partial_direction way,
                        const run_inputs* in, double* state)
{
    const tml_model* m = sim->model;
    const step_numbers x = {.inputs = *in, .next = state};
    const instant i = {.sim = sim, .work = work, .way = way, .x = &x};
    own_work* own = work->own;
    const int six = six_of(sim);
    const link_inputs by = {.pose = state, .velocity = state + six, .in = &in->form};
    const double* q = step_q(sim);
    const bool is_forward = way == PARTIAL_FORWARD;

    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        tml__maximal_store_velocity(&q[POSE_WIDTH * n], b->v, b->omega,
                                    &own->rates[POSE_WIDTH * n]);
    }
    if (is_forward) {
        memset(state, 0, 2 * (size_t)six * sizeof *state);
    } else {
        tml__link_settle_product(own->tree, q, own->rates, way, &by);
        for (int n = 0; n < m->node_count; n++) {
            double* given = &in->initial[INITIAL_NUMBERS * m->node_body[n]];
            tml__linear_begin_body(&i, n, given, NULL, &by.pose[6 * n], &by.velocity[6 * n]);
        }
        tml__link_close_product(own->tree, q, way, &by);
    }
    for (int n = 0; n < m->node_count; n++) {
        double* given = &in->initial[INITIAL_NUMBERS * m->node_body[n]];
        tml__linear_begin_body(&i, n, given, &by.pose[6 * n], NULL, NULL);
    }
    if (!is_forward) return TML_OK;
    tml__link_close_product(own->tree, q, way, &by);
    for (int n = 0; n < m->node_count; n++) {
        double* given = &in->initial[INITIAL_NUMBERS * m->node_body[n]];
        tml__linear_begin_body(&i, n, given, NULL, &by.pose[6 * n], &by.velocity[6 * n]);
    }
    tml__link_settle_product(own->tree, q, own->rates, way, &by);
    return TML_OK;
}

// ---- a step

// Flat rates at the end of a part before any projection.
static void raw_rates(const tml_sim* sim, const link_part* part, double* rates)
{
    const tml_model* m = sim->model;
    for (int n = 0; n < m->node_count; n++) {
        const double* q = &part->q[n * POSE_WIDTH];
        const double* v = &part->v[n * POSE_WIDTH];
        const double* x = &part->x[n * POSE_WIDTH];
        const quat turn = {q[3], q[4], q[5], q[6]};
        const mat3 S = affine_second_moments(m->bodies[m->node_body[n]].inertia);
        affine_body b = {.x = v3_load(q),
                         .v = v3_load(v),
                         .R = q_matrix(q_normalize(turn)),
                         .R_end = q_matrix(q_normalize((quat){x[3], x[4], x[5], x[6]})),
                         .move = v3_sub(v3_load(x), v3_load(q))};
        b.omega = v3_scale(2.0 / q_dot(turn, turn), q_G(turn, (quat){v[3], v[4], v[5], v[6]}));
        tml__affine_close(&b, &S, &part->stage);
        tml__maximal_store_velocity(x, b.v_end, b.omega_end, &rates[n * POSE_WIDTH]);
    }
}

static tml_status step(tml_sim* sim, linear_work* work, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x)
{
    (void)controls;
    own_work* own = work->own;
    link_system* l = tml__links_of(sim);
    const int six = six_of(sim);
    const bool is_forward = way == PARTIAL_FORWARD;
    const link_inputs by = {.pose = x->next, .velocity = x->next + six, .in = &x->inputs.form};
    const link_part part = {.stage = tml__links_stage(sim),
                            .q = step_q(sim),
                            .v = step_v(sim),
                            .x = trace->x[0],
                            .lambda = trace->lambda[0]};
    const bool is_projected = part.stage.theta == 0.5;

    sim->why.text[0] = '\0';
    if (trace->kind != TRACE_AFFINE) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "a step ended next to a singular pose, where rows do not tell velocities: "
                         "it has no derivatives");
    }
    if (trace->has_touched) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "bodies touch in a step of solver '%s': compliant contacts have no "
                         "derivatives in formulation 'affine'",
                         sim->form->solver_name(sim));
    }
    if (is_forward) memcpy(x->next, x->past[0], 2 * (size_t)six * sizeof(double));
    if (!is_forward && l->is_chain) {
        tml__links_back(l, own->tree, &own->room, &part, &by);
    } else {
        if (is_projected) raw_rates(sim, &part, own->rates);
        if (is_forward) tml__link_part_product(own->tree, &part, way, &by);
        if (is_projected) tml__link_settle_product(own->tree, part.x, own->rates, way, &by);
        if (!is_forward) tml__link_part_product(own->tree, &part, way, &by);
    }
    for (int n = 0; n < 2 * six && !is_forward; n++) x->past[0][n] += x->next[n];
    tml__links_forget_state(sim);
    return TML_OK;
}

// Links end at what they solved for.
static int stage_count(const tml_sim* sim)
{
    (void)sim;
    return 0;
}

const step_linear tml__links_linear = {
    .state_count = state_count,
    .has_contact_forces = true,
    .stage_count = stage_count,
    .flatten = flatten,
    .check = check,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
};
