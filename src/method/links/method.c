// method/links/method.c - steps of links: ball joints whose forces are eliminated one by one or by one factor; nothing
// is kept for each row.                                                               [notes 9.3 9.7]
#include "method/links/method.h"

#include "linalg/lanes.h"
#include "method/affine/method.h"
#include "method/links/contact.h"
#include "method/links/net.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"
#include "sim/lean.h"
#include "sim/lean_contact.h"

#include <stdio.h>
#include <string.h>

enum {
    CG_JOINTS = 150000,  // loops of so many and more are not factored
    FEW_LINKS = 64,  // fewer with springs and the like are left to `nodes`, which has derivatives
};

typedef struct links_work {
    link_system* links;
    // which state `links` holds: the flat positions that it was read from or written to, and their version
    const double* held;
    long long held_version;  // 0: none
} links_work;

static links_work* work_of(const tml_sim* sim) { return sim->work; }
static link_system* links_of(const tml_sim* sim) { return work_of(sim)->links; }

link_system* tml__links_of(const tml_sim* sim)
{
    return tml__is_lean(sim) ? work_of(sim)->links : NULL;
}

void tml__links_forget_state(tml_sim* sim) { work_of(sim)->held_version = 0; }

// ---- which models

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

// Links that answer by all of their 6 x 6 matrix, because they touch something or springs pull at them, are for chains,
// and for nets that take the dual; to be moored to what moves is for chains.
static bool takes_extras(const tml_sim* sim, const links_extras* extras)
{
    const tml_solver solver = sim->settings.solver;
    bool is_chain = false;
    if (sim->settings.contact.is_on && !tml__lean_can_touch(sim)) return false;
    if (!sim->settings.contact.is_on && !extras->has_springs && !extras->is_moored) return true;
    if (sim->model->loops > 0 || solver == TML_SOLVER_DUAL || solver == TML_SOLVER_CG) {
        return !extras->is_moored;
    }
    return (solver == TML_SOLVER_AUTO || solver == TML_SOLVER_CHAIN) &&
           tml__links_is_chain(sim->model, &sim->settings.allocator, &is_chain) == TML_OK &&
           is_chain;
}

// Ball joints, eliminated one by one or all at once; nothing is kept for each row.
static bool takes(const tml_sim* sim)
{
    links_extras extras;
    const bool fits = !tml__is_flex(sim) && sim->settings.solver != TML_SOLVER_NODES &&
                      sim->model->all.deformable_count == 0 &&
                      tml__links_fit(sim->model, &sim->settings.allocator, &extras);
    if (!fits || !is_worth(sim, &extras) || !takes_extras(sim, &extras)) return false;
    const bool is_dual = sim->model->loops > 0 || sim->settings.solver == TML_SOLVER_DUAL ||
                         sim->settings.solver == TML_SOLVER_CG;
    return !is_dual || fits_dual(sim);
}

// ---- creation

static tml_status make(tml_sim* sim, links_work* work)
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

static tml_status reserve(tml_sim* sim, int max_contacts)
{
    const tml_status status = tml__links_touch_create(links_of(sim), max_contacts);
    return status == TML_OK ? TML_OK : tml__fail(&sim->why, status, "out of memory");
}

static tml_status create(tml_sim* sim)
{
    links_work* work = tml__allocate(&sim->settings.allocator, 1, sizeof *work);
    sim->work = work;
    if (work == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    const tml_status status = make(sim, work);
    if (status != TML_OK || sim->contacts == NULL) return status;
    return reserve(sim, sim->contacts->capacity);
}

static void destroy(tml_sim* sim)
{
    if (sim->work == NULL) return;
    tml__links_destroy(links_of(sim));
    tml__release(&sim->settings.allocator, sim->work);
    sim->work = NULL;
}

static const char* solver_name(const tml_sim* sim)
{
    const link_system* l = links_of(sim);
    if (l->net != NULL) return l->net->dual != NULL ? "dual" : "cg";
    return l->is_chain ? "chain" : "tree";
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

static void explain(const tml_sim* sim, char* text, size_t capacity)
{
    char solver[384];
    explain_solver(sim, solver, sizeof solver);
    tml__affine_explain(sim, solver, text, capacity);
}

// ---- prescribed bodies

// Prescribed bodies, and what a chain is moored to, at the instant that was aimed at.
static void place_led(tml_sim* sim, bool is_end)
{
    link_system* l = links_of(sim);
    const double t = sim->system->t;
    if (l->led != NULL) tml__links_led_place(l->led, t, tml__lean_given(sim), is_end);
    if (!l->is_moored) return;
    const point_motion at =
        tml__links_led_point(sim->model, l->led, l->joint[0], t, tml__lean_given(sim), is_end);
    if (!is_end) l->anchor.from = at.x;
    if (is_end) l->anchor.to = at.x;
    if (is_end) l->anchor.rate = at.v;
}

// The same, where the step has them `dt` after it has begun.
static void lead_bodies(tml_sim* sim, double dt, const double* controls, bool is_end)
{
    const link_system* l = links_of(sim);
    if (l->led == NULL && !l->is_moored) return;
    tml__sim_time(sim, dt, controls);
    place_led(sim, is_end);
}

static double start_led(tml_sim* sim, double* q, double* v)
{
    const link_system* l = links_of(sim);
    if (l->led == NULL && !l->is_moored) return 0.0;
    tml__sim_aim(sim);
    place_led(sim, true);
    if (l->led == NULL) return 0.0;
    const double change = tml__links_led_change(l->led, q, v);
    tml__links_led_store(l->led, q, v);
    return change;
}

// ---- where a history begins

// Where Newton went last, by name.
static tml_status describe(tml_sim* sim, tml_status status, const affine_report* report)
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

static tml_status start(tml_sim* sim, double* change)
{
    link_system* l = links_of(sim);
    double* q = sim->past_q[0];
    double* v = sim->past_v[0];

    tml__links_forget_state(sim);
    const double led = start_led(sim, q, v);  // a chain may hang on what is led
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
    return status == TML_OK ? TML_OK : describe(sim, status, NULL);
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

static tml_status multipliers(tml_sim* sim, double* lambda)
{
    link_system* l = links_of(sim);
    tml__links_forget_state(sim);
    tml__links_load(l, sim->past_q[0], sim->past_v[0], sim->lambda);
    const tml_status status = tml__links_forces(l);
    if (status != TML_OK) return status;
    tml__links_forces_out(l, lambda);
    turn_multipliers(sim, lambda);
    return TML_OK;
}

// ---- a step

// Links may hold the state already: the accepted one, or where the substep before has ended.
static void load(tml_sim* sim)
{
    links_work* work = work_of(sim);
    const double* q = step_q(sim);
    const long long version = sim->version + (q == sim->next.q ? 1 : 0);
    if (work->held != q || work->held_version != version) {
        tml__links_load(work->links, q, step_v(sim), step_lambda(sim));
    }
    work->held_version = 0;  // from here on it is the step's
    tml__links_touch_springs(work->links, q);
}

static void store(tml_sim* sim)
{
    links_work* work = work_of(sim);
    tml__links_store(work->links, sim->next.q, sim->next.v, sim->next.lambda);
    if (work->links->led != NULL) {
        tml__links_led_store(work->links->led, sim->next.q, sim->next.v);
    }
    work->held = sim->next.q;
    work->held_version = sim->version + 1;  // once it is accepted
}

// In a net every part that is not damped leads to smaller ones: 22 iterations a step of 10 x 10 instead
// of 7, and more energy lost in the end. A chain that whips loses less by following.  [notes 9.4]
static int damped_count(const tml_sim* sim)
{
    return links_of(sim)->net != NULL ? 2 : AFFINE_DAMPED;
}

affine_stage tml__links_stage(const tml_sim* sim)
{
    return tml__affine_stage(sim, damped_count(sim));
}

static tml_status advance(tml_sim* sim, const double* controls)
{
    link_system* l = links_of(sim);
    const double h = step_h(sim);
    const affine_stage stage = tml__links_stage(sim);
    const newton_settings settings = tml__affine_newton(sim);
    affine_report report;

    load(sim);
    if (l->springs != NULL) {
        tml__sim_time(sim, stage.phi * h, controls);
        l->springs->time = sim->system->t;
        tml__sim_time(sim, h, controls);
    }
    lead_bodies(sim, 0.0, controls, false);
    lead_bodies(sim, h, controls, true);
    const tml_status status = tml__links_step(l, &stage, &settings, &report);
    sim->report.newton_iterations += report.iterations;
    sim->report.newton_bodies += report.bodies;
    if (status < TML_OK) return status;
    if (report.has_turned || report.has_gained) {
        return tml__affine_describe(sim, &report);
    }
    if (status != TML_OK) return describe(sim, status, &report);
    if (report.gain > sim->report.max_gain) sim->report.max_gain = report.gain;
    store(sim);
    tml__affine_note(sim, report.is_unprojected);
    return TML_OK;
}

// ---- contacts

// Compliant contacts are part of the step's own equations.
static void lead(tml_sim* sim, const contact* contacts, int count)
{
    tml__links_touch_pose(links_of(sim), contacts, count, sim->settings.contact.stiffness,
                          sim->placed_links);
}

static vec3 led_force(const tml_sim* sim, int i)
{
    const link_contact* k = &links_of(sim)->touch->contacts[i];
    return k->is_a ? k->force : v3_neg(k->force);
}

// The normal has turned since the step began: the force along the old one tells a little less.
static double led_depth(const tml_sim* sim, int i)
{
    const double gap = links_of(sim)->touch->contacts[i].gap_end;
    return gap < 0.0 ? -gap : 0.0;
}

const form_parts tml__links_parts = {
    .past_kept = 1,
    .has_ties = true,
    .is_lean = true,
    .takes = takes,
    .create = create,
    .destroy = destroy,
    .start = start,
    .multipliers = multipliers,
    .solver_name = solver_name,
    .explain = explain,
    .advance = advance,
    .keeps_branch = true,
    .contact = FORM_CONTACT_JOLT,
    .reserve = reserve,
    .lead = lead,
    .led_force = led_force,
    .led_depth = led_depth,
    .linear = &tml__links_linear,
};
