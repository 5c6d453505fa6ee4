// sim/step_affine.c - steps of the affine formulation.                            [notes 9.2 9.4]
//
// `energy` takes theta = 1/2 and projects velocities onto the rows: order 2, and energy never
// grows. What is refused (a link whips, Newton does not converge) is taken in halves, quarters and
// so on; below a sixteenth, of nets in all parts, theta = 1, whose damping is what a motion that fast
// needs to be followed.
// `energy_damped` takes theta = 1 throughout. `bdf1` and `bdf2` let forces act at the end of the
// step, `shake` at both ends, one half each; they are order 1, 2 and 2, and promise no energy.
#include "sim/step_affine.h"

#include "base/request.h"
#include "linalg/lanes.h"
#include "method/affine/points.h"
#include "method/links/contact.h"
#include "method/links/links.h"
#include "method/links/net.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"
#include "sim/flex.h"
#include "sim/limits.h"
#include "sim/links.h"
#include "sim/links_contact.h"
#include "sim/soft_affine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEVELS = 12,         // a step may be halved this often
    DAMPED_LEVEL = 4,    // from here on `energy` damps
    SHORT_LEVEL = 4,     // shorter parts are for where they are needed
    ITERATIONS = 20,     // of Newton before a step is halved
    CG_JOINTS = 150000,  // loops of so many and more are not factored
    FEW_LINKS = 64,  // fewer with springs and the like are left to `nodes`, which has derivatives
};

static affine_system* system_of(const tml_sim* sim) { return ((affine_work*)sim->work)->system; }
static link_system* links_of(const tml_sim* sim) { return ((affine_work*)sim->work)->links; }

// ---- creation

// Loads of redundant joints are the least in the user's weights: only equal ones are.
static bool has_weights(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (m->joints[j].axis[k].weight != 1.0) return true;
        }
    }
    return false;
}

// Is the dual to be solved by conjugate gradients: asked for, or larger than factors are good for?
static bool is_iterated(const tml_sim* sim)
{
    const tml_solver solver = sim->settings.solver;
    return solver == TML_SOLVER_CG || (solver == TML_SOLVER_AUTO && sim->model->loops > 0 &&
                                       sim->model->all.joint_count >= CG_JOINTS);
}

// Loops: unless it is asked for, the dual is taken only where no joint implies another, and in large nets, of which
// the factor of `nodes` takes a hundred times as long.
static bool fits_dual(const tml_sim* sim)
{
    const tml_allocator* memory = &sim->settings.allocator;
    if (has_weights(sim->model)) return false;
    if (sim->settings.solver == TML_SOLVER_DUAL || is_iterated(sim)) return true;
    if (sim->settings.solver != TML_SOLVER_AUTO) return false;
    return tml__net_is_regular(sim->model, memory) ||
           tml__affine_doctor_cost(sim->model, memory) == DOCTOR_DEAR;
}

// Steps of links with springs, with damping by mass or moored to what moves have no derivatives: unless links are asked
// for, they are taken where time counts more.
static bool is_worth(const tml_sim* sim, const links_extras* extras)
{
    const bool has_more = extras->has_springs || extras->has_damping || extras->is_moored;
    return !has_more || sim->settings.solver != TML_SOLVER_AUTO || extras->links >= FEW_LINKS;
}

// Ball joints, eliminated one by one or all at once; nothing is kept for each row.
static bool is_lean(const tml_sim* sim)
{
    const tml_integrator integrator = sim->settings.integrator;
    const bool is_mean = integrator == TML_TIME_ENERGY || integrator == TML_TIME_ENERGY_DAMPED;
    links_extras extras;
    const bool fits = is_mean && !tml__is_flex(sim) && sim->settings.solver != TML_SOLVER_NODES &&
                      sim->model->all.deformable_count == 0 &&
                      tml__links_fit(sim->model, &sim->settings.allocator, &extras);
    if (!fits || !is_worth(sim, &extras) || !tml__affine_links_take(sim, &extras)) return false;
    const bool is_dual = sim->model->loops > 0 || sim->settings.solver == TML_SOLVER_DUAL ||
                         sim->settings.solver == TML_SOLVER_CG;
    return !is_dual || fits_dual(sim);
}

static tml_status create_links(tml_sim* sim, affine_work* work)
{
    const tml_solver solver = sim->settings.solver;
    const bool is_net = sim->model->loops > 0 || solver == TML_SOLVER_DUAL;
    const links_shape shape = is_iterated(sim)            ? LINKS_NET_ITERATED
                              : is_net                    ? LINKS_NET
                              : solver == TML_SOLVER_TREE ? LINKS_TREE
                                                          : LINKS_CHAIN_OR_TREE;
    tml_status status = tml__links_create(sim->system, shape, sim->team, &sim->why, &work->links);
    if (status == TML_OK && sim->model->all.spring_count > 0) {
        status = tml__links_springs_create(work->links);
        if (status == TML_OK) status = tml__links_touch_create(work->links, 0);
        if (status != TML_OK) tml__fail(&sim->why, status, "out of memory");
    }
    if (status != TML_OK || solver != TML_SOLVER_CHAIN || work->links->is_chain) return status;
    return tml__fail(&sim->why, TML_UNSUPPORTED,
                     "solver 'chain' needs links that each hang on the one before; 'tree' takes "
                     "any mechanism of ball joints without loops");
}

static tml_status create(tml_sim* sim)
{
    const tml_solver solver = sim->settings.solver;
    affine_work* work = tml__allocate(&sim->settings.allocator, 1, sizeof *work);
    sim->work = work;
    if (work == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    if (tml__is_lean(sim)) {
        const tml_status status = create_links(sim, work);
        if (status != TML_OK || sim->contacts == NULL) return status;
        return tml__affine_reserve(sim, sim->contacts->capacity);
    }
    if (solver == TML_SOLVER_DUAL || solver == TML_SOLVER_CG) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "solver '%s' needs 'energy' or 'energy_damped' and passive ball joints of "
            "equal weights without wrenches, welds and springs between links, of which none "
            "touches but the world and bodies that are led (one group of shapes, contacts with a "
            "stiffness) and none hangs on such a body; 'nodes' takes everything",
            tml_solver_name(solver));
    }
    if (solver == TML_SOLVER_CHAIN || solver == TML_SOLVER_TREE) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "solver '%s' needs 'energy' or 'energy_damped' and passive ball joints "
            "without loops, wrenches, welds and springs, but that a chain may touch the world and "
            "bodies that are led (one group of shapes, contacts with a stiffness), have springs to "
            "them, and hang on them by its first joint, which may be driven; 'nodes' takes "
            "everything",
            tml_solver_name(solver));
    }
    if (sim->model->all.nonholonomic_count > 0 && sim->settings.integrator == TML_TIME_SHAKE) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "nonholonomic '%s': 'shake' has no place for rows that tie velocities; "
                         "'energy' has",
                         sim->model->all.nonholonomics[0].name);
    }
    if (tml__is_flex(sim)) return tml__flex_make(sim, &work->system);
    const bool is_regular = tml__links_hold_points(sim->model) &&
                            tml__net_is_regular(sim->model, &sim->settings.allocator);
    const doctor_cost cost =
        is_regular ? DOCTOR_CHEAP : tml__affine_doctor_cost(sim->model, &sim->settings.allocator);
    // rows of many loops are nodes of their own, with those left out that others imply
    tml_status status = is_regular || cost == DOCTOR_DEAR
                            ? tml__affine_create_regular(sim->system, &sim->why, &work->system)
                            : tml__affine_create(sim->system, &sim->why, &work->system);
    if (status == TML_OK && sim->contacts != NULL && sim->settings.contact.stiffness > 0.0) {
        sim->contacts->is_led = work->system->is_led;
        work->has_points =
            is_regular || (sim->model->loops == 0 && tml__links_hold_points(sim->model));
        status = tml__affine_reserve(sim, sim->contacts->capacity);
    }
    if (status == TML_OK && sim->soft != NULL) {
        status = tml__soft_affine_create(sim, work->system, &work->soft);
    }
    return status == TML_OK ? tml__affine_drop_redundant(sim, work->system, cost) : status;
}

static void destroy(tml_sim* sim)
{
    affine_work* work = sim->work;
    if (work == NULL) return;
    tml__affine_release_touch(sim);
    tml__affine_destroy(work->system);
    tml__links_destroy(work->links);
    tml__release(&sim->settings.allocator, work);
    sim->work = NULL;
}

static bool wants_matrix(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    if (tml__is_flex(sim)) return false;  // what is redundant between rigid bodies is not here
    // only to report the least of many possible loads
    return m->loops > 0 || m->all.coupling_count > 0 || m->node_count < m->all.body_count;
}

static const char* solver_name(const tml_sim* sim)
{
    const link_system* l = links_of(sim);
    if (l == NULL) return "nodes";
    if (l->net != NULL) return l->net->dual != NULL ? "dual" : "cg";
    return l->is_chain ? "chain" : "tree";
}

static int iterations_allowed(const tml_sim* sim)
{
    return sim->settings.max_iterations < ITERATIONS ? sim->settings.max_iterations : ITERATIONS;
}

// What links have beside balls.
static void add_extras(const tml_sim* sim, char* text, size_t capacity)
{
    const link_system* l = links_of(sim);
    const size_t used = strlen(text);
    char springs[64] = "";
    if (l->springs != NULL) {
        snprintf(springs, sizeof springs, "; %d springs at %d of them", l->springs->count,
                 l->springs->link_count);
    }
    snprintf(text + used, capacity - used, "%s%s", springs,
             l->is_moored ? "; the first joint is led" : "");
}

static void explain_dual(const tml_sim* sim, char* text, size_t capacity)
{
    const net* n = links_of(sim)->net;
    if (n->dual == NULL) {
        snprintf(text, capacity,
                 "one force a joint, all by conjugate gradients (cg): all %d joints are passive "
                 "balls, %d loops; an incomplete factor of %lld blocks; %s",
                 sim->model->all.joint_count, sim->model->loops, tml__krylov_blocks(n->large),
                 sim->settings.solver == TML_SOLVER_CG ? "as asked for"
                                                       : "a factor would be too large");
        return;
    }
    const fronts_statistics f = tml__fronts_statistics(n->dual);
    snprintf(
        text, capacity,
        "one force a joint, all by one factor (dual): all %d joints are passive balls, %d loops; "
        "%d fronts of up to %d unknowns by %s, %lld numbers in the factor, %.3g flops",
        sim->model->all.joint_count, sim->model->loops, f.fronts, f.largest,
        f.is_dissected ? "nested dissection" : "minimum degree", f.entries, f.flops);
    if (!(f.shared > 0.0)) return;
    const size_t used = strlen(text);
    snprintf(text + used, capacity - used, ", %.0f %% of which %d threads share",
             100.0 * f.shared / f.flops, sim->settings.threads);
}

static void explain_solver(const tml_sim* sim, char* text, size_t capacity)
{
    const link_system* l = links_of(sim);
    if (l == NULL && system_of(sim)->points != NULL) {
        const fronts_statistics f = tml__points_statistics(system_of(sim)->points);
        snprintf(text, capacity,
                 "nodes; Newton by the dual: all %d joints hold points, contacts and springs are "
                 "unknowns beside their forces; without contacts %d fronts of up to %d unknowns, "
                 "%lld numbers in the factor, %.3g flops",
                 sim->model->all.joint_count, f.fronts, f.largest, f.entries, f.flops);
        return;
    }
    if (l == NULL) {
        const block_statistics matrix = tml__block_statistics(system_of(sim)->matrix);
        snprintf(text, capacity,
                 "%d unknowns, solved by nodes (rows %s), %lld numbers in the factor, %.3g flops",
                 matrix.unknowns,
                 system_of(sim)->has_own_rows ? "after the bodies they tie"
                                              : "beside the body they carry",
                 matrix.entries, matrix.flops);
        return;
    }
    if (l->net != NULL) {
        explain_dual(sim, text, capacity);
        add_extras(sim, text, capacity);
        return;
    }
    const int led = l->led != NULL ? l->led->count : 0;
    snprintf(text, capacity,
             "one force a joint, eliminated by %s: all %d joints are passive balls, %s; %d %s of "
             "%d, %d kinds of links by eights",
             solver_name(sim), sim->model->all.joint_count - led,
             l->is_chain ? "each link hangs on the one before" : "no loop",
             l->is_chain ? l->segment_count : l->depth, l->is_chain ? "segments" : "levels",
             l->is_chain ? l->length : l->row_count * LANES, l->type_count);
    add_extras(sim, text, capacity);
}

static const char* where_forces_act(tml_integrator integrator)
{
    if (integrator == TML_TIME_SHAKE) return "the start";
    const bool is_end = integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2;
    return is_end ? "the end" : "the mean of start and end";
}

static void explain(const tml_sim* sim, char* text, size_t capacity)
{
    const maximal_system* s = sim->system;
    char solver[384];
    char bodies[256];
    tml__flex_explain(sim, bodies, sizeof bodies);
    explain_solver(sim, solver, sizeof solver);
    snprintf(
        text, capacity,
        "unknowns  %s, %d rows, %d limits\n"
        "time      %s, step %g s: rows at the end, forces at %s; refused steps are halved, up to "
        "%d times\n"
        "newton    full steps, each body's turn held to 1 rad, rows and last update to %g (m, "
        "rad), at most %d iterations\n"
        "matrix    %s\n",
        bodies, s->first_limit, s->limit_count, tml_integrator_name(sim->settings.integrator),
        step_h(sim), where_forces_act(sim->settings.integrator), LEVELS, sim->settings.tolerance,
        iterations_allowed(sim), solver);
}

// ---- where a history begins

// Where Newton went last, by name.
static tml_status describe_links(tml_sim* sim, tml_status status, const affine_report* report)
{
    const char* name = sim->model->all.bodies[tml__links_worst(links_of(sim))].name;
    const net* n = links_of(sim)->net;
    if (n != NULL && n->large != NULL && n->solved.rest > 1e-4) {
        return tml__fail(
            &sim->why, status,
            "conjugate gradients leave %.2g of the right-hand side after %d iterations, "
            "near body '%s'; solver 'dual' factors",
            n->solved.rest, n->solved.iterations, name);
    }
    if (report == NULL) {
        return tml__fail(&sim->why, status, "the equations have no finite solution near body '%s'",
                         name);
    }
    return tml__fail(&sim->why, status,
                     "Newton stalled after %d iterations, last update %.2g rad, near body '%s'",
                     report->iterations, report->update, name);
}

static tml_status start_links(tml_sim* sim, double* change)
{
    link_system* l = links_of(sim);
    double* q = sim->past_q[0];
    double* v = sim->past_v[0];

    ((affine_work*)sim->work)->loaded = 0;
    const double led = tml__affine_start_led(sim, q, v);  // a chain may hang on what is led
    tml__links_load(l, q, v, sim->lambda);
    tml_status status = tml__links_project(l, change);
    if (status == TML_OK) tml__links_store(l, q, v, sim->lambda);
    *change = tml__larger(*change, led);
    if (status == TML_OK) {
        const tml_status touched = tml__lean_touch_begin(sim);
        if (touched != TML_OK) return touched;
        sim->system->touching = tml__lean_felt(sim, sim->system->touching);
        tml__lean_move_led(sim);
        status = tml__links_forces(l);
        sim->system->touching = NULL;
    }
    if (status == TML_OK) tml__links_forces_out(l, sim->lambda);
    return status == TML_OK ? TML_OK : describe_links(sim, status, NULL);
}

// With deformables the matrix of the bodies knows what they carry.
static tml_status start_soft(tml_sim* sim, double* change)
{
    const tml_status status = tml__limits_begin(sim, change);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
}

static tml_status start(tml_sim* sim, double* change)
{
    if (links_of(sim) != NULL) return start_links(sim, change);
    if (tml__is_flex(sim)) return tml__flex_start(sim, change);
    if (sim->soft != NULL) return start_soft(sim, change);
    affine_system* a = system_of(sim);
    maximal_system* s = sim->system;
    double* q = sim->past_q[0];
    double* v = sim->past_v[0];

    tml__affine_load(a, q, v);
    tml__maximal_rows(s);
    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        b->v_end = b->v;
        b->omega_end = b->omega;
    }
    s->bad_row = -1;
    tml_status status = tml__affine_project(a);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    *change = 0.0;
    for (int i = 0; i < 6 * s->node_count; i++) *change = tml__larger(*change, s->dx[i]);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        tml__maximal_store_velocity(&q[n * POSE_WIDTH], b->v_end, b->omega_end, &v[n * POSE_WIDTH]);
    }
    status = tml__affine_accelerate(a, q, v, sim->start.acceleration, sim->lambda);
    return status == TML_OK ? TML_OK : tml__maximal_describe_failure(s, status, NULL, &sim->why);
}

static mat3 orientation(const tml_sim* sim, int body)
{
    const body_data* b = &sim->model->bodies[body];
    if (b->node < 0) return q_matrix(b->q);
    const double* q = &sim->past_q[0][(size_t)b->node * POSE_WIDTH];
    return q_matrix(q_normalize((quat){q[3], q[4], q[5], q[6]}));
}

// Forces of links are in world axes, on the link itself, in nets on the follower; multipliers are in
// the base's axes, on the follower.
static void turn_multipliers(tml_sim* sim, double* lambda)
{
    const link_system* l = links_of(sim);
    const tml_model* m = sim->model;
    for (int j = 0; j < m->all.joint_count && l->net != NULL; j++) {
        const mat3 axes = m3_mul(orientation(sim, m->joints[j].base), m->joints[j].axes_B);
        const vec3 f = v3_load(&lambda[3 * j]);
        v3_store(&lambda[3 * j], m3_apply_t(axes, f));
    }
    for (int k = 0; k < l->row_count * LANES; k++) {
        if (l->node[k] < 0 || l->joint[k] < 0) continue;
        const joint_data* j = &m->joints[l->joint[k]];
        const mat3 axes = m3_mul(orientation(sim, j->base), j->axes_B);
        double* row = &lambda[3 * l->joint[k]];
        const vec3 f = v3_load(row);
        const bool is_follower = m->bodies[j->follower].node == l->node[k];
        const vec3 turned = m3_apply_t(axes, is_follower ? f : v3_neg(f));
        v3_store(row, turned);
    }
}

// A step's own multipliers act at its middle; those at its end follow from the accelerations there.
static tml_status multipliers(tml_sim* sim, double* lambda)
{
    link_system* l = links_of(sim);
    if (tml__is_flex(sim)) return TML_OK;  // those of the step
    if (sim->soft != NULL) {
        return tml__maximal_accelerate(sim->system, sim->past_q[0], sim->past_v[0],
                                       sim->start.acceleration, lambda);
    }
    if (l == NULL) {
        return tml__affine_accelerate(system_of(sim), sim->past_q[0], sim->past_v[0],
                                      sim->start.acceleration, lambda);
    }
    ((affine_work*)sim->work)->loaded = 0;
    tml__links_load(l, sim->past_q[0], sim->past_v[0], sim->lambda);
    const tml_status status = tml__links_forces(l);
    if (status != TML_OK) return status;
    tml__links_forces_out(l, lambda);
    turn_multipliers(sim, lambda);
    return TML_OK;
}

// ---- stepping

// Backward differences of order 2 look back one whole step: only whole steps take them.
static bool looks_back(const tml_sim* sim, int level)
{
    return sim->settings.integrator == TML_TIME_BDF2 && level == 0 && sim->past_count > 1 &&
           !step_is_impact(sim);
}

// In a net every part that is not damped leads to smaller ones: 22 iterations a step of 10 x 10 instead
// of 7, and more energy lost in the end. A chain that whips loses less by following.  [notes 9.4]
static bool is_net(const tml_sim* sim)
{
    return links_of(sim) != NULL && links_of(sim)->net != NULL;
}

static affine_stage stage_of(const tml_sim* sim, double h, int level)
{
    const tml_integrator integrator = sim->settings.integrator;
    if (looks_back(sim, level)) {
        return (affine_stage){h, 1.0, 4.0 / 9.0 * h * h, 1.0, AFFINE_BDF2};
    }
    if (integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2) {
        return (affine_stage){h, 1.0, h * h, 1.0, AFFINE_MEAN};
    }
    if (integrator == TML_TIME_SHAKE) {
        return (affine_stage){h, 1.0, 0.5 * h * h, 0.0, AFFINE_SHAKE};
    }
    const bool is_damped =
        integrator == TML_TIME_ENERGY_DAMPED || level >= (is_net(sim) ? 1 : DAMPED_LEVEL);
    const double theta = is_damped ? 1.0 : 0.5;
    return (affine_stage){h, theta, theta * h * h, 0.5, AFFINE_MEAN};
}

// The part of a step from `from`, in units of the smallest part.
static tml_status substep(tml_sim* sim, const double* controls, int from, int level,
                          affine_report* report)
{
    affine_system* a = system_of(sim);
    const double unit = step_h(sim) / (1 << LEVELS);
    const int length = 1 << (LEVELS - level);
    const affine_stage stage = stage_of(sim, unit * length, level);
    const newton_settings settings = {
        .tolerance = sim->settings.tolerance,
        .max_iterations = iterations_allowed(sim),
    };
    if (a == NULL) {
        links_springs* springs = links_of(sim)->springs;
        if (springs != NULL) {
            tml__sim_time(sim, unit * (from + stage.phi * length), controls);
            springs->time = sim->system->t;
            tml__sim_time(sim, unit * (from + length), controls);
        }
        tml__affine_lead_bodies(sim, unit * from, controls, false);
        tml__affine_lead_bodies(sim, unit * (from + length), controls, true);
        return tml__links_step(links_of(sim), &stage, &settings, report);
    }

    tml__sim_time(sim, unit * (from + stage.phi * length), controls);
    tml__affine_aim(a);
    tml__sim_time(sim, unit * (from + length), controls);
    soft_affine* soft = ((affine_work*)sim->work)->soft;
    if (soft == NULL) return tml__affine_step(a, &stage, &settings, report);
    return tml__soft_affine_step(sim, soft, &stage, a->force_time, &settings, report);
}

// Multipliers that went astray are no guess; those of rows left out are all there is.
static void forget_multipliers(tml_sim* sim)
{
    affine_system* a = system_of(sim);
    // what lies on something under tension would leave it without, and return whipping
    if (a == NULL && links_are_touched(links_of(sim))) {
        tml__links_put_forces(links_of(sim), step_lambda(sim));
        return;
    }
    if (a == NULL) {
        tml__links_forget_forces(links_of(sim));
        return;
    }
    for (int row = 0; row < sim->system->row_count; row++) {
        if (!a->was_dropped[row]) a->lambda[row] = 0.0;
    }
}

static void load(tml_sim* sim)
{
    affine_system* a = system_of(sim);
    if (a == NULL) {
        affine_work* work = sim->work;
        if (work->loaded != sim->version || work->loaded == 0) {
            tml__links_load(links_of(sim), step_q(sim), step_v(sim), step_lambda(sim));
        }
        work->loaded = 0;  // from here on it is the step's
        tml__links_touch_springs(links_of(sim), step_q(sim));
        return;
    }
    if (looks_back(sim, 0)) tml__affine_load_before(a, sim->past_q[1], sim->past_v[1]);
    tml__affine_load(a, step_q(sim), step_v(sim));
    if (a->flex != NULL) tml__flex_load(a, step_own(sim));
    if (sim->soft != NULL) tml__soft_affine_load(sim);
    memcpy(a->lambda, step_lambda(sim), (size_t)sim->system->row_count * sizeof(double));
}

static void store(tml_sim* sim)
{
    const affine_system* a = system_of(sim);
    if (a == NULL) {
        tml__links_store(links_of(sim), sim->next.q, sim->next.v, sim->next.lambda);
        const links_led* led = links_of(sim)->led;
        if (led != NULL) tml__links_led_store(led, sim->next.q, sim->next.v);
        ((affine_work*)sim->work)->loaded = sim->version + 1;  // once it is accepted
        return;
    }
    tml__affine_store(a, sim->next.q, sim->next.v);
    if (a->flex != NULL) tml__flex_store(a, step_own(sim), sim->next.own);
    memcpy(sim->next.lambda, a->lambda, (size_t)sim->system->row_count * sizeof(double));
}

static void go_on(tml_sim* sim)
{
    if (system_of(sim) != NULL)
        tml__affine_go_on(system_of(sim));
    else
        tml__links_go_on(links_of(sim));
}

static tml_status describe(tml_sim* sim, tml_status status, const affine_report* report,
                           const double* controls)
{
    const double h = step_h(sim) / (1 << LEVELS);
    if (report->has_turned && tml__is_flex(sim)) {
        return tml__fail(
            &sim->why, TML_NOT_CONVERGED,
            "body '%s' turns by more than 2.5 rad, or inside out (young %g Pa), within "
            "%.3g s, the smallest part of a step of %g s",
            sim->model->all.bodies[system_of(sim)->flex->turned].name, sim->settings.affine.young,
            h, step_h(sim));
    }
    if (report->has_turned) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "a body turns by more than 2.5 rad within %.3g s, the smallest part of a "
                         "step of %g s",
                         h, step_h(sim));
    }
    if (report->has_gained) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "no solution keeps the energy within %.3g s, the smallest part of a step "
                         "of %g s",
                         h, step_h(sim));
    }
    if (links_of(sim) != NULL) return describe_links(sim, status, report);
    const newton_report newton = {
        .iterations = report->iterations,
        .update = report->update,
        // rows that contradict each other may end in a factor before they show as open
        .last = {.merit = report->rest * report->rest,
                 .row = status == TML_SINGULAR ? (double)HUGE_VAL : report->gap},
    };
    if (sim->soft != NULL && report->gap <= sim->settings.tolerance) {
        return tml__soft_describe(sim->soft, status, &newton, &sim->why);
    }
    // the smallest part of the step has failed; targets are told for the whole one
    tml__sim_time(sim, step_h(sim), controls);
    return tml__sim_describe_stall(sim, status, &newton);
}

// A part of the step was accepted.
static void keep_piece(tml_sim* sim, int from, int level)
{
    affine_work* work = sim->work;
    const double unit = step_h(sim) / (1 << LEVELS);
    if (sim->trace != NULL) sim->trace->pieces++;
    if (work->kept == NULL) return;
    affine_piece* to = work->kept++;
    to->stage = stage_of(sim, unit * (1 << (LEVELS - level)), level);
    to->from = unit * from;
    if (work->links != NULL) {
        tml__links_show(work->links, to->x, to->v, to->lambda);
        return;
    }
    tml__affine_store(work->system, to->x, to->v);
    memcpy(to->lambda, work->system->lambda, (size_t)sim->system->row_count * sizeof(double));
}

static void note_step(tml_sim* sim, int unprojected)
{
    step_trace* trace = sim->trace;
    sim->report.fallback_steps += unprojected > 0;
    if (trace == NULL) return;
    trace->kind = unprojected > 0 ? TRACE_UNKNOWN : TRACE_AFFINE;
    trace->order = step_is_impact(sim);
    if (trace->stages == 0) return;
    memcpy(trace->x[0], sim->next.q, (size_t)sim->width * sizeof(double));
    memcpy(trace->lambda[0], sim->next.lambda, (size_t)sim->system->row_count * sizeof(double));
}

// A net that lands on something is refused the same long part again and again, at a factor an iteration: within
// the step parts stay as short as they had to be, and what was refused twice is not tried again. A sixteenth is
// short enough: what asks for less is rare and soon over.
static bool stays_short(const tml_sim* sim)
{
    return is_net(sim) && links_are_touched(links_of(sim));
}

tml_status tml__advance_affine(tml_sim* sim, const double* controls)
{
    const int whole = 1 << LEVELS;
    int level = 0;
    int unprojected = 0;  // parts that end next to a singular pose
    int least = 0;        // level of the longest part that is tried

    load(sim);
    if (system_of(sim) != NULL && system_of(sim)->points != NULL) {
        const tml_status status = tml__points_pose(system_of(sim)->points, step_h(sim), &sim->why);
        if (status != TML_OK) return status;
    }
    if (sim->trace != NULL) sim->trace->pieces = 0;
    for (int at = 0; at < whole;) {
        affine_report report;
        const tml_status status = substep(sim, controls, at, level, &report);
        sim->report.newton_iterations += report.iterations;
        sim->report.newton_bodies += report.bodies;
        if (status < TML_OK) return status;
        if (status != TML_OK && level == LEVELS) return describe(sim, status, &report, controls);
        if (status != TML_OK) {
            forget_multipliers(sim);
            if (stays_short(sim) && level < SHORT_LEVEL) least = least == level ? level + 1 : level;
            level++;
            continue;
        }
        keep_piece(sim, at, level);
        unprojected += report.is_unprojected;
        if (report.gain > sim->report.max_gain) sim->report.max_gain = report.gain;
        at += 1 << (LEVELS - level);
        if (level > 0) sim->report.substeps++;
        // two halves done: on with the longer part
        while (level > least && at % (1 << (LEVELS - level + 1)) == 0) level--;
        if (at < whole) go_on(sim);
    }
    store(sim);
    note_step(sim, unprojected);
    return TML_OK;
}

affine_system* tml__affine_of(const tml_sim* sim) { return system_of(sim); }
link_system* tml__links_of(const tml_sim* sim) { return links_of(sim); }

static tml_status take_again(tml_sim* sim, const double* controls, const step_trace* trace,
                             affine_piece* pieces)
{
    affine_work* work = sim->work;
    step_trace* noted = sim->trace;
    const tml_sim_report before = sim->report;
    step_ask ask = sim->ask != NULL ? *sim->ask : tml__step_ask(sim, controls);
    ask.is_impact = trace->order != 0;
    const step_ask* outer = tml__ask_stand(sim, &ask);
    tml_status status = TML_OK;

    if (trace->pieces == 1) {
        pieces[0].stage = stage_of(sim, step_h(sim), 0);
    } else {
        sim->trace = NULL;
        work->kept = pieces;
        status = tml__advance_affine(sim, controls);
        work->kept = NULL;
        work->loaded = 0;  // nothing was accepted
        sim->trace = noted;
    }
    tml__ask_stand(sim, outer);
    sim->report = before;
    return status;
}

tml_status tml__affine_take_pieces(tml_sim* sim, const double* controls, const step_trace* trace,
                                   affine_pieces* out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t width = (size_t)sim->width;
    const size_t each = 2 * width + (size_t)sim->system->row_count;
    *out = (affine_pieces){.count = trace->pieces};
    out->list = tml__allocate(allocator, (size_t)out->count, sizeof *out->list);
    if (out->list == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    if (out->count == 1) {
        out->list[0] = (affine_piece){.x = trace->x[0], .lambda = trace->lambda[0]};
        return take_again(sim, controls, trace, out->list);
    }
    out->memory = tml__allocate(allocator, (size_t)out->count * each, sizeof(double));
    if (out->memory == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    for (int k = 0; k < out->count; k++) {
        double* at = out->memory + (size_t)k * each;
        out->list[k] = (affine_piece){.x = at, .v = at + width, .lambda = at + 2 * width};
    }
    return take_again(sim, controls, trace, out->list);
}

void tml__affine_release_pieces(tml_sim* sim, affine_pieces* pieces)
{
    tml__release(&sim->settings.allocator, pieces->list);
    tml__release(&sim->settings.allocator, pieces->memory);
}

void tml__affine_forget_state(tml_sim* sim) { ((affine_work*)sim->work)->loaded = 0; }

const form_parts tml__affine_parts = {
    .past_kept = 2,
    .has_ties = true,
    .is_lean = is_lean,
    .wants_matrix = wants_matrix,
    .create = create,
    .destroy = destroy,
    .start = start,
    .multipliers = multipliers,
    .solvers = 1 << TML_SOLVER_AUTO | 1 << TML_SOLVER_NODES | 1 << TML_SOLVER_CHAIN |
               1 << TML_SOLVER_TREE | 1 << TML_SOLVER_DUAL | 1 << TML_SOLVER_CG,
    .solver_name = solver_name,
    .explain = explain,
    .divides_itself = true,
    .contact = FORM_CONTACT_JOLT,
    .reserve = tml__affine_reserve,
    .own_width = tml__flex_width,
    .shape = tml__flex_place,
    .shape_energy = tml__flex_add_energy,
    .lead = tml__affine_lead,
    .led_force = tml__affine_led_force,
    .led_depth = tml__affine_led_depth,
    .linear = &tml__affine_linear,
};
