// method/generalized/linear.c - steps in joint coordinates as linear maps, with what touches.
//
// Its own state vector: motions of the columns (positions), then changes of their rates. What a
// step has left in the formulation (contacts, labels, impulses) is put back there from its record; a step that has
// kept none is taken once more from where it began, with the same bits. Then one product
// (method/generalized/step_product.h).
#include "diff/island.h"
#include "diff/start.h"
#include "method/generalized/contact_record.h"
#include "method/generalized/loads.h"
#include "method/generalized/method.h"
#include "method/generalized/step_held.h"
#include "method/generalized/step_stages.h"
#include "method/generalized/stiff.h"

#include <string.h>

typedef struct own_work {
    gen_step_product* step;
    gen_step_rows* rows;
    gen_step_stages* stages;  // NULL: something may touch
    double* flat;             // a flat state vector: of the start
    double* settled;          // per row
    twist *inner, *outer;
    // where islands gave back what they had won
    island_linear taken;
    double* velocity;  // values, 6 a node: before that
    double* columns;   // scratch, a state vector
} own_work;

static size_t columns_of(const tml_sim* sim)
{
    return (size_t)tml__generalized_motion(sim)->tree->column_count;
}

static size_t state_count(const tml_sim* sim) { return 2 * columns_of(sim); }

// Behind a state vector: accelerations of the columns over the last step, and multipliers; where something may
// touch forces and moments of contacts too, 6 a node.
static size_t load_count(const tml_sim* sim)
{
    return columns_of(sim) + (size_t)sim->system->row_count;
}

static size_t force_count(const tml_sim* sim)
{
    return sim->contacts != NULL ? 6 * (size_t)sim->model->node_count : 0;
}

static size_t extra_count(const tml_sim* sim) { return load_count(sim) + force_count(sim); }

static double* forces_of(const tml_sim* sim, double* state)
{
    return state + state_count(sim) + load_count(sim);
}

// ---- memory

static void destroy(tml_sim* sim, linear_work* work)
{
    if (work == NULL) return;
    const tml_allocator* allocator = &sim->settings.allocator;
    own_work* own = work->own;
    if (own != NULL) {
        tml__gen_step_product_destroy(own->step);
        tml__gen_step_stages_destroy(own->stages);
        tml__gen_step_rows_destroy(own->rows);
        tml__release(allocator, own->flat);
        tml__release(allocator, own->settled);
        tml__release(allocator, own->inner);
        tml__release(allocator, own->outer);
        tml__release(allocator, own->velocity);
        tml__release(allocator, own->columns);
        tml__island_linear_release(sim, &own->taken);
        tml__release(allocator, own);
    }
    tml__linear_work_destroy(sim, work);
}

static tml_status create(tml_sim* sim, linear_work** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    gen_motion* m = tml__generalized_motion(sim);
    const size_t bodies = (size_t)m->tree->body_count;
    tml_status status = tml__linear_work_create(sim, out);
    if (status != TML_OK) return status;
    own_work* own = tml__allocate(allocator, 1, sizeof *own);
    if (own == NULL) return TML_NO_MEMORY;
    (*out)->own = own;
    (*out)->leaves_multipliers = true;
    own->flat = tml__allocate(allocator, tml__flat_count(sim), sizeof(double));
    own->inner = tml__allocate(allocator, bodies, sizeof(twist));
    own->outer = tml__allocate(allocator, bodies, sizeof(twist));
    own->settled = tml__allocate(allocator, (size_t)sim->system->row_count, sizeof(double));
    if (own->flat == NULL || own->inner == NULL || own->outer == NULL || own->settled == NULL) {
        return TML_NO_MEMORY;
    }
    if (sim->islands != NULL) {
        own->velocity =
            tml__allocate(allocator, 6 * (size_t)sim->model->node_count, sizeof(double));
        own->columns = tml__allocate(allocator, state_count(sim), sizeof(double));
        status = tml__island_linear_take(sim, &own->taken);
        if (own->velocity == NULL || own->columns == NULL) status = TML_NO_MEMORY;
        if (status != TML_OK) return status;
    }
    status = tml__gen_step_product_create(m, allocator, &sim->why, &own->step);
    if (status != TML_OK) return status;
    status = tml__gen_step_rows_create(m, own->step->inverse, allocator, &sim->why, &own->rows);
    if (status != TML_OK || tml__generalized_touch(sim) != NULL) return status;
    return tml__gen_step_stages_create(own->rows, allocator, &sim->why, &own->stages);
}

// ---- what is covered

// Dry friction that does not stand along one column of the tree, which nothing bends: its joint; -1: none.
static int bent_friction(const gen_tree* t)
{
    const tml_model* m = t->model;
    for (int j = 0; j < m->all.joint_count && m->dry_count > 0; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (axis_is_dry(&m->joints[j].axis[k]) && !t->is_held[j]) return j;
        }
    }
    for (int i = 0; i < t->link_count && m->dry_count > 0; i++) {
        const int joint = t->bodies[t->column_body[t->links[i].column]].joint;
        for (int k = 0; k < TML_AXES && joint >= 0 && t->links[i].kind == LINK_BALL; k++) {
            if (axis_is_dry(&m->joints[joint].axis[k])) return joint;
        }
    }
    return -1;
}

static tml_status check(tml_sim* sim, const tml_quantity* quantity)
{
    const bool has_springs = sim->system->forced_count + sim->system->model->all.spring_count > 0;
    if (sim->settings.integrator == TML_TIME_BDF1 && sim->contacts != NULL && has_springs) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps by 'bdf1' in joint coordinates with contact and springs have no "
                         "derivatives in this version");
    }
    const gen_motion* m = tml__generalized_motion(sim);
    if (m->is_carried && sim->contacts != NULL && tml__gen_has_stiff_rows(m)) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "springs along paths or across loops that are too stiff for a force of "
                         "the start of a step have no derivatives beside contact in "
                         "'projected': try a smaller step, or 'semi_implicit_euler'");
    }
    const int bent = bent_friction(m->tree);
    if (bent >= 0) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "joint '%s' closes a loop or is a ball and has dry friction: there it has "
                         "no derivatives",
                         sim->model->all.joints[bent].name);
    }
    (void)quantity;
    return TML_OK;
}

// ---- between columns and bodies

// The tree placed where the simulation stands.
static generalized_kept place(tml_sim* sim)
{
    const generalized_kept now = tml__generalized_parts_of(sim, step_own(sim));
    tml__gen_place(tml__generalized_motion(sim)->tree, now.numbers, now.rates);
    return now;
}

// Displacements by markers, or NULL arrays where none are asked for.
static gen_column_change change_of(own_work* own, const gen_tree* t, partial_direction way,
                                   const run_inputs* in, double* state)
{
    gen_column_change x = {.positions = state, .rates = state + t->column_count};
    if ((in->form.wants & WANT_MARKERS) == 0) return x;
    x.inner = own->inner;
    x.outer = own->outer;
    if (way == PARTIAL_FORWARD) {
        tml__gen_marker_product(t, way, &in->form, own->inner, own->outer);
    } else {
        memset(own->inner, 0, (size_t)t->body_count * sizeof *own->inner);
        memset(own->outer, 0, (size_t)t->body_count * sizeof *own->outer);
    }
    return x;
}

static void give_markers(own_work* own, const gen_tree* t, const run_inputs* in)
{
    if ((in->form.wants & WANT_MARKERS) == 0) return;
    tml__gen_marker_product(t, PARTIAL_BACKWARD, &in->form, own->inner, own->outer);
}

// Flat velocities of the state where the simulation stands: 6 a node.
static const double* velocities(tml_sim* sim, linear_work* work)
{
    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    tml__linear_velocities(sim->system, work->acceleration);
    return work->acceleration;
}

// Multipliers of the tree's own rows follow from the state and from what the step has left behind it.
static void load_product(tml_sim* sim, linear_work* work, partial_direction way,
                         const run_inputs* in, double* state, double* flat)
{
    own_work* own = work->own;
    const size_t n = columns_of(sim);
    const generalized_kept now = tml__generalized_parts_of(sim, step_own(sim));
    const gen_load_point at = {.numbers = now.numbers,
                               .rates = now.rates,
                               .accelerations = now.accelerations,
                               .lambda = step_lambda(sim),
                               .other = work->lambda,
                               .six = work->raw};
    const gen_load_numbers x = {.positions = state,
                                .rates = state + n,
                                .accelerations = state + 2 * n,
                                .given = state + 3 * n,
                                .all = flat + 2 * (size_t)sim->width,
                                .pose = work->pose,
                                .touching = sim->contacts != NULL ? forces_of(sim, state) : NULL,
                                .in = in->form};
    tml__sim_forget_answers(sim);
    tml__sim_answer(sim);  // targets of the accepted state
    if (sim->contacts != NULL) sim->system->touching = sim->contacts->now.wrenches;
    if (sim->settings.integrator == TML_TIME_RK4 && own->rows->motion->rows == NULL) {
        // such a step leaves them to whoever asks; a mass matrix that had no factor had no state either
        (void)tml__gen_accelerate(own->rows->motion, now.numbers, now.rates, now.accelerations,
                                  work->lambda);
    }
    tml__gen_load_product(own->step->inverse, way, &at, &x);
    sim->system->touching = NULL;
}

// Forces stand behind both vectors.
static void carry_forces(const tml_sim* sim, partial_direction way, double* state, double* flat)
{
    double* own = forces_of(sim, state);
    double* told = flat + tml__flat_count(sim);
    for (size_t k = 0; k < force_count(sim); k++) {
        if (way == PARTIAL_FORWARD) {
            told[k] = own[k];
        } else {
            own[k] += told[k];
        }
    }
}

static void flatten(tml_sim* sim, linear_work* work, partial_direction way, const run_inputs* in,
                    double* state, double* flat)
{
    own_work* own = work->own;
    gen_product* p = own->step->inverse;
    const gen_tree* t = p->motion->tree;
    const int nodes = sim->model->node_count;
    const double* q = step_q(sim);
    if (in->wants_forces) carry_forces(sim, way, state, flat);
    const generalized_kept now = place(sim);
    const gen_walk_point at = {.rates = now.rates};
    const gen_column_change x = change_of(own, t, way, in, state);
    double* dq = flat;
    double* dv = flat + sim->width;

    if (way == PARTIAL_FORWARD) {
        tml__gen_tangent_forward(p->walk, &at, &x);
        tml__gen_product_tell(p);
        tml__pose_to_flat(way, q, nodes, p->pose, dq);
        tml__velocity_to_rate(way, q, velocities(sim, work), nodes, dq, p->velocity, dv);
        memset(dv + sim->width, 0, (size_t)sim->system->row_count * sizeof *dv);
        if (in->wants_loads) load_product(sim, work, way, in, state, flat);
        return;
    }
    memset(p->pose, 0, 6 * (size_t)nodes * sizeof(double));
    memset(p->velocity, 0, 6 * (size_t)nodes * sizeof(double));
    if (in->wants_loads) {
        load_product(sim, work, way, in, state, flat);
        memcpy(p->pose, work->pose, 6 * (size_t)nodes * sizeof(double));
        memset(p->velocity, 0, 6 * (size_t)nodes * sizeof(double));
        place(sim);
    }
    tml__velocity_to_rate(way, q, velocities(sim, work), nodes, dq, p->velocity, dv);
    tml__pose_to_flat(way, q, nodes, p->pose, dq);
    tml__gen_product_ask(p);
    tml__gen_tangent_backward(p->walk, &at, &x);
    give_markers(own, t, in);
}

// Accelerations and multipliers of the first state.
static tml_status start_loads(tml_sim* sim, linear_work* work, partial_direction way,
                              const run_inputs* in, double* state)
{
    own_work* own = work->own;
    const size_t n = columns_of(sim);
    const generalized_kept now = tml__generalized_parts_of(sim, step_own(sim));
    const step_numbers x = {.inputs = *in};
    const instant i = {.sim = sim, .work = work, .way = way, .x = &x};
    const gen_instant at = {now.numbers, now.rates, work->acceleration, work->lambda};
    const gen_instant_numbers numbers = {.positions = state,
                                         .rates = state + n,
                                         .accelerations = state + 2 * n,
                                         .multipliers = state + 3 * n,
                                         .in = &in->form};
    tml__instant_targets(&i);
    tml_status status = tml__gen_instant_at(own->rows, &at, &sim->why);
    if (status == TML_OK) {
        status = tml__gen_instant_product(own->rows, way, &at, &numbers, &sim->why);
    }
    tml__instant_controls(&i);
    return status;
}

// The first state: as bodies tell it (diff/start.c), then read off them.
static tml_status start(tml_sim* sim, linear_work* work, partial_direction way,
                        const run_inputs* in, double* state)
{
    own_work* own = work->own;
    gen_product* p = own->step->inverse;
    const gen_tree* t = p->motion->tree;
    const int nodes = sim->model->node_count;
    const double* q = step_q(sim);
    const double* v = step_v(sim);
    double* flat = own->flat;
    const size_t bytes = 6 * (size_t)nodes * sizeof(double);

    memset(flat, 0, tml__flat_count(sim) * sizeof *flat);
    if (way == PARTIAL_FORWARD) {
        const tml_status status = tml__linear_begin(sim, work, way, in, flat);
        if (status != TML_OK) return status;
        const generalized_kept now = place(sim);
        const gen_column_change x = change_of(own, t, way, in, state);
        tml__flat_to_pose(way, q, nodes, flat, p->pose);
        tml__rate_to_velocity(way, q, v, nodes, flat, flat + sim->width, p->velocity);
        tml__gen_product_hear(p);
        tml__gen_tangent_read(p->walk, now.rates, &x);
        return in->wants_loads ? start_loads(sim, work, way, in, state) : TML_OK;
    }
    if (in->wants_loads) {
        const tml_status status = start_loads(sim, work, way, in, state);
        if (status != TML_OK) return status;
    }
    const generalized_kept now = place(sim);
    const gen_column_change x = change_of(own, t, way, in, state);
    tml__gen_tangent_read_back(p->walk, now.rates, &x);
    give_markers(own, t, in);
    memset(p->pose, 0, bytes);
    memset(p->velocity, 0, bytes);
    tml__gen_product_answer(p);
    tml__rate_to_velocity(way, q, v, nodes, flat, flat + sim->width, p->velocity);
    tml__flat_to_pose(way, q, nodes, flat, p->pose);
    return tml__linear_begin(sim, work, way, in, flat);
}

// ---- states as points

static size_t point_count(const tml_sim* sim)
{
    const gen_tree* t = tml__generalized_motion(sim)->tree;
    return (size_t)t->number_count + (size_t)t->column_count;
}

static void note(const tml_sim* sim, double* point)
{
    memcpy(point, step_own(sim), point_count(sim) * sizeof *point);
}

static void way(const tml_sim* sim, const double* point, double* state)
{
    const gen_tree* t = tml__generalized_motion(sim)->tree;
    const generalized_kept now = tml__generalized_parts_of(sim, step_own(sim));
    tml__gen_way(t, point, now.numbers, state);
    for (int k = 0; k < t->column_count; k++) {
        state[t->column_count + k] = now.rates[k] - point[t->number_count + k];
    }
}

// ---- a step

static bool is_carried(const tml_sim* sim) { return tml__generalized_motion(sim)->carry != NULL; }

static bool is_impact(const tml_sim* sim, const step_trace* trace)
{
    return trace->has_restarted && sim->settings.integrator != TML_TIME_SEMI_IMPLICIT_EULER &&
           !is_carried(sim);
}

static tml_status repeat(tml_sim* sim, const step_trace* trace, const double* controls)
{
    memcpy(sim->system->sides, trace->sides,
           (size_t)sim->system->limit_count * sizeof *trace->sides);
    // where a limit has changed the velocities are those that the rows allow already, and the new history
    // begins with them
    step_ask ask = *sim->ask;
    (void)controls;
    ask.is_impact = is_impact(sim, trace);
    return tml__step_once(sim, &ask);
}

static bool is_held(const tml_sim* sim)
{
    const gen_touch* touch = tml__generalized_touch(sim);
    return touch != NULL && tml__gen_touch_is_held(touch, step_h(sim), sim->settings.tolerance);
}

// What touches leaves a record: rates after the step, then contacts and rows. Other steps are short, and those that rows
// hold beside contacts are taken again; so are those of which islands gave something back.
static size_t record_bytes(tml_sim* sim)
{
    const gen_touch* touch = tml__generalized_touch(sim);
    if (touch == NULL || is_held(sim) || is_carried(sim) || sim->islands->has_withheld) return 0;
    return columns_of(sim) * sizeof(double) + tml__gen_touch_record_bytes(touch);
}

static void record_take(tml_sim* sim, void* bytes)
{
    gen_touch* touch = tml__generalized_touch(sim);
    const size_t rates = columns_of(sim) * sizeof(double);
    if (touch == NULL) return;
    memcpy(bytes, tml__generalized_parts_of(sim, step_own(sim)).rates, rates);
    tml__gen_touch_record_take(touch, sim->contacts->found, (unsigned char*)bytes + rates);
}

static tml_status recall(tml_sim* sim, const step_trace* trace, const void* bytes)
{
    const size_t rates = columns_of(sim) * sizeof(double);
    memcpy(sim->system->sides, trace->sides,
           (size_t)sim->system->limit_count * sizeof *trace->sides);
    memcpy(tml__generalized_parts_of(sim, sim->next.own).rates, bytes, rates);
    sim->contacts->found_count = tml__gen_touch_record_put(
        tml__generalized_touch(sim), sim->contacts->found, (const unsigned char*)bytes + rates);
    return TML_OK;
}

static gen_step_mode mode_of(tml_contact_slopes slopes)
{
    switch (slopes) {
    case TML_SLOPES_CONTINUOUS_BOUNCE: return STEP_CONTINUOUS_BOUNCE;
    case TML_SLOPES_COMPLEMENTARITY_AWARE: return STEP_AWARE;
    case TML_SLOPES_EXACT:
    case TML_SLOPES: break;
    }
    return STEP_EXACT;
}

static gen_rows_record rows_record(const instant* i, const generalized_kept* now,
                                   const generalized_kept* next)
{
    tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    const generalized_record kept = tml__generalized_record_of(sim);
    const double h = step_h(sim);
    for (int row = 0; row < sim->system->row_count; row++) {
        own->settled[row] = h * sim->next.lambda[row] - kept.impulse[row];
    }
    return (gen_rows_record){
        .h = h,
        .tolerance = sim->settings.tolerance,
        .has_new_rates = !is_carried(sim) && (sim->settings.integrator != TML_TIME_FORWARD_EULER ||
                                              is_impact(sim, i->trace)),
        .numbers = now->numbers,
        .rates = now->rates,
        .numbers_moved = kept.numbers,
        .rates_pushed = kept.rates,
        .impulse = kept.impulse,
        .numbers_after = next->numbers,
        .rates_after = next->rates,
        .impulse_settled = own->settled,
    };
}

// A step whose rows hold it, where nothing touches.
static tml_status step_with_rows(const instant* i, const generalized_kept* now,
                                 const generalized_kept* next)
{
    tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    const step_numbers* x = i->x;
    const size_t n = columns_of(sim);
    const gen_rows_numbers numbers = {.positions = x->past[0],
                                      .rates = x->past[0] + n,
                                      .positions_after = x->next,
                                      .rates_after = x->next + n,
                                      .multipliers = x->inputs.wants_loads ? x->next + 3 * n : NULL,
                                      .in = x->inputs.form};
    if (!x->is_again) {
        const gen_rows_record record = rows_record(i, now, next);
        const tml_status status = tml__gen_step_rows_at(own->rows, &record, &sim->why);
        if (status != TML_OK) return status;
    }
    return i->way == PARTIAL_FORWARD ? tml__gen_step_rows_forward(own->rows, &numbers, &sim->why)
                                     : tml__gen_step_rows_backward(own->rows, &numbers, &sim->why);
}

static bool takes_stages(const tml_sim* sim, const step_trace* trace)
{
    return sim->settings.integrator == TML_TIME_RK4 && !is_impact(sim, trace);
}

static void aim(void* self, double dt)
{
    instant i = *(const instant*)self;
    i.dt = dt;
    tml__instant_targets(&i);
}

static void hand_on(void* self, double dt)
{
    instant i = *(const instant*)self;
    i.dt = dt;
    tml__instant_controls(&i);
}

// A step by four accelerations.
static tml_status step_by_stages(instant* i, const generalized_kept* now,
                                 const generalized_kept* next)
{
    tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    const step_numbers* x = i->x;
    const generalized_record kept = tml__generalized_record_of(sim);
    const size_t n = columns_of(sim);
    const bool wants_loads = x->inputs.wants_loads;
    gen_stages_record record = {
        .h = step_h(sim),
        .tolerance = sim->settings.tolerance,
        .numbers = now->numbers,
        .rates = now->rates,
        .numbers_moved = kept.numbers,
        .rates_pushed = kept.rates,
        .numbers_after = next->numbers,
        .rates_after = next->rates,
        .impulse_settled = kept.settled,
        .aim = {.self = i, .begin = aim, .end = hand_on},
    };
    for (int k = 0; k < GEN_STAGES; k++) {
        record.slope_q[k] = kept.slope_q[k];
        record.slope_v[k] = kept.slope_v[k];
    }
    const gen_stages_numbers numbers = {
        .positions = x->past[0],
        .rates = x->past[0] + n,
        .positions_after = x->next,
        .rates_after = x->next + n,
        .accelerations = wants_loads ? x->next + 2 * n : NULL,
        .multipliers = wants_loads ? x->next + 3 * n : NULL,
        .in = x->inputs.form,
    };
    own->stages->record.aim = record.aim;
    if (!x->is_again) {
        const tml_status status = tml__gen_step_stages_at(own->stages, &record, &sim->why);
        if (status != TML_OK) return status;
    }
    return i->way == PARTIAL_FORWARD
               ? tml__gen_step_stages_forward(own->stages, &numbers, &sim->why)
               : tml__gen_step_stages_backward(own->stages, &numbers, &sim->why);
}

// Accelerations over the step: (u+ - u)/h.
static void accelerations(const tml_sim* sim, partial_direction way, const step_numbers* x)
{
    const size_t n = columns_of(sim);
    const double h = step_h(sim);
    double* before = x->past[0] + n;
    double* after = x->next + n;
    double* a = x->next + 2 * n;
    if (!x->inputs.wants_loads) return;
    for (size_t k = 0; k < n; k++) {
        if (way == PARTIAL_FORWARD) {
            a[k] = (after[k] - before[k]) / h;
        } else {
            after[k] += a[k] / h;
            before[k] -= a[k] / h;
        }
    }
}

// A step that touches, or that nothing holds.
static tml_status step_with_contacts(const instant* i, const generalized_kept* now,
                                     const generalized_kept* next)
{
    tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    const step_numbers* x = i->x;
    const size_t n = columns_of(sim);
    gen_touch* touch = tml__generalized_touch(sim);
    // what left a record was held by nothing; limits that are met know the slopes of the step alone
    const bool is_exact = x->slopes == TML_SLOPES_EXACT;
    const bool wants_loads = x->inputs.wants_loads;
    const bool wants_forces = touch != NULL && (x->inputs.wants_forces || wants_loads);
    const bool holds = x->record == NULL && is_exact && is_held(sim);
    const gen_step_record record = {
        .h = step_h(sim),
        .numbers = now->numbers,
        .rates = now->rates,
        .rates_after = is_carried(sim) ? tml__generalized_record_of(sim).rates : next->rates,
        .carrier = is_carried(sim) ? own->rows : NULL,
        .numbers_after = next->numbers,
        .has_new_rates = sim->settings.integrator != TML_TIME_FORWARD_EULER,
        .contacts = sim->contacts != NULL ? sim->contacts->found : NULL,
    };
    const gen_step_numbers numbers = {
        .positions = x->past[0],
        .rates = x->past[0] + n,
        .positions_after = x->next,
        .rates_after = x->next + n,
        .in = x->inputs.form,
        .contact = x->inputs.contact,
        .com = x->inputs.com,
        .forces = wants_forces ? forces_of(sim, x->next) : NULL,
        .multipliers = x->inputs.wants_loads ? x->next + 3 * n : NULL,
    };
    tml_status status = TML_OK;
    if (wants_forces && !is_exact) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "contact forces and joint loads beside them have derivatives by the steps "
                         "as they are alone: slopes 'exact'");
    }
    if (!x->is_again && holds) {
        gen_rows_record rows = rows_record(i, now, next);
        status = tml__gen_step_held_at(own->step, own->rows, touch, &record, &rows, &sim->why);
    } else if (!x->is_again) {
        status = tml__gen_step_product_at(own->step, touch, mode_of(x->slopes), &record, &sim->why);
    }
    if (status != TML_OK) return status;
    const bool has_free_split = wants_forces && tml__step_has_free_split(own->step, wants_loads);
    status = holds ? tml__gen_step_held_product(own->step, i->way, &numbers, &sim->why)
             : i->way == PARTIAL_FORWARD
                 ? tml__gen_step_product_forward(own->step, &numbers, &sim->why)
                 : tml__gen_step_product_backward(own->step, &numbers, &sim->why);
    if (x->flags == NULL) return status;
    *x->flags = (step_flags){.is_tied = own->step->is_tied,
                             .is_rank_doubtful = own->step->is_rank_doubtful,
                             .has_shift = own->step->has_shift,
                             .is_unsettled = touch != NULL && touch->contact_count > 0 &&
                                             touch->report.unpolished > 0,
                             .has_free_split = has_free_split,
                             .took_other_labels = own->step->took_other_labels};
    return status;
}

// ---- what islands gave back

static bool has_withheld(const instant* i)
{
    return i->sim->islands != NULL && i->x->record == NULL && i->sim->islands->has_withheld;
}

// By the limit of short steps nothing is won about a bounce.
static bool withholds(const instant* i)
{
    const gen_touch* c = tml__generalized_touch(i->sim);
    if (!has_withheld(i)) return false;
    if (i->x->slopes != TML_SLOPES_CONTINUOUS_BOUNCE) return true;
    for (int k = 0; k < c->contact_count; k++) {
        const int row = c->contact_row[k];
        if (row >= 0 && c->offset_of[k] == OFFSET_BOUNCE && c->labels[row] == LCP_HELD)
            return false;
    }
    return true;
}

// Poses and velocities (6 a node) of a state by its columns.
static void body_product(const instant* i, const double* numbers, const double* rates,
                         double* columns, double* pose, double* velocity)
{
    own_work* own = i->work->own;
    gen_product* p = own->step->inverse;
    gen_tree* t = p->motion->tree;
    const int six = 6 * i->sim->model->node_count;
    const gen_walk_point at = {.rates = rates};
    tml__gen_place(t, numbers, rates);
    const gen_column_change x = change_of(own, t, i->way, &i->x->inputs, columns);
    if (i->way == PARTIAL_FORWARD) {
        tml__gen_tangent_forward(p->walk, &at, &x);
        tml__gen_product_tell(p);
        copy(pose, p->pose, six);
        copy(velocity, p->velocity, six);
        return;
    }
    copy(p->pose, pose, six);
    copy(p->velocity, velocity, six);
    tml__gen_product_ask(p);
    tml__gen_tangent_backward(p->walk, &at, &x);
    give_markers(own, t, &i->x->inputs);
}

// Rates of the new state by poses and velocities there.
static void rate_product(const instant* i, const generalized_kept* next, double* rates)
{
    own_work* own = i->work->own;
    gen_product* p = own->step->inverse;
    gen_tree* t = p->motion->tree;
    const int n = t->column_count;
    const int six = 6 * i->sim->model->node_count;
    tml__gen_place(t, next->numbers, next->rates);
    const gen_column_change x = change_of(own, t, i->way, &i->x->inputs, own->columns);
    if (i->way == PARTIAL_FORWARD) {
        copy(p->pose, own->taken.pose1, six);
        copy(p->velocity, own->taken.u1, six);
        tml__gen_product_hear(p);
        tml__gen_tangent_read(p->walk, next->rates, &x);
        copy(rates, x.rates, n);
        return;
    }
    clear(x.positions, n);
    copy(x.rates, rates, n);
    clear(rates, n);
    tml__gen_tangent_read_back(p->walk, next->rates, &x);
    give_markers(own, t, &i->x->inputs);
    tml__gen_product_answer(p);
    copy(own->taken.pose1, p->pose, six);
    copy(own->taken.u1, p->velocity, six);
}

// The rates of x->next from before to after it, or the other way; by way of the bodies (diff/island.c).
static void withhold(const instant* i, const generalized_kept* now, const generalized_kept* next)
{
    tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    island_linear* t = &own->taken;
    const double* won = tml__generalized_won(sim);
    const int six = 6 * sim->model->node_count;
    double* rates = i->x->next + columns_of(sim);
    t->q0 = step_q(sim);
    t->v0 = step_v(sim);
    t->q1 = sim->next.q;
    t->won = own->velocity;
    tml__maximal_place(sim->system, t->q1, sim->islands->v_won);
    tml__linear_velocities(sim->system, own->velocity);
    if (i->way == PARTIAL_FORWARD) {
        body_product(i, now->numbers, now->rates, i->x->past[0], t->pose0, t->u0);
        body_product(i, next->numbers, won, i->x->next, t->pose1, t->u1);
        tml__islands_forward(i, t);
        rate_product(i, next, rates);
        tml__instant_targets(i);  // as the step has them
    } else {
        rate_product(i, next, rates);
        clear(t->pose0, six);
        clear(t->u0, six);
        tml__islands_backward(i, t);
        body_product(i, next->numbers, won, i->x->next, t->pose1, t->u1);
        body_product(i, now->numbers, now->rates, i->x->past[0], t->pose0, t->u0);
    }
    place(sim);  // where the step starts, as its products will ask in another direction
    own->step->is_elsewhere = true;
}

static tml_status step(tml_sim* sim, linear_work* work, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x)
{
    own_work* own = work->own;
    instant i = {.sim = sim,
                 .work = work,
                 .way = way,
                 .trace = trace,
                 .controls = controls,
                 .dt = step_h(sim),
                 .x = x};
    sim->why.text[0] = '\0';
    tml_status status = TML_OK;
    if (!x->is_again) {
        status = x->record != NULL ? recall(sim, trace, x->record) : repeat(sim, trace, controls);
    }
    if (status != TML_OK) return status;
    const generalized_kept now = tml__generalized_parts_of(sim, step_own(sim));
    const generalized_kept end = tml__generalized_parts_of(sim, sim->next.own);
    const bool may_touch = tml__generalized_touch(sim) != NULL;
    generalized_kept next = end;  // before islands gave anything back
    if (has_withheld(&i)) next.rates = tml__generalized_won(sim);
    if (way == PARTIAL_BACKWARD && withholds(&i)) withhold(&i, &now, &end);
    tml__instant_targets(&i);
    if (takes_stages(sim, trace)) return step_by_stages(&i, &now, &next);
    if (way == PARTIAL_BACKWARD) accelerations(sim, way, x);
    status = !may_touch && own->rows->motion->rows != NULL ? step_with_rows(&i, &now, &next)
                                                           : step_with_contacts(&i, &now, &next);
    tml__instant_controls(&i);
    if (way == PARTIAL_FORWARD) accelerations(sim, way, x);
    if (status == TML_OK && way == PARTIAL_FORWARD && withholds(&i)) withhold(&i, &now, &end);
    return status;
}

const step_linear tml__generalized_linear = {
    .state_count = state_count,
    .extra_count = extra_count,
    .has_contact_forces = true,
    .has_step_loads = true,
    .flatten = flatten,
    .point_count = point_count,
    .note = note,
    .way = way,
    .check = check,
    .create = create,
    .destroy = destroy,
    .record_bytes = record_bytes,
    .record_take = record_take,
    .start = start,
    .step = step,
};
