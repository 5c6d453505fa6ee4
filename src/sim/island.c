// sim/island.c - what touches wins no energy in a step.
//
// Impulses of contacts act along rows of the start of a step, of its end, or of both, and bodies turn in
// between: of what impulses move to and fro, a third power of that turn is won or lost; by steps in joint
// coordinates a second one. What an island of touching bodies has won when its step is done is taken off the
// motion within it,
//
//     u+ = ubar + s (u - ubar),   s^2 = 1 - gain / T,   T = (u - ubar)^T M (u - ubar) / 2
//
// with ubar the motion that the island would make as one rigid body with the same momenta; where it touches or
// is joined to the world, none. Every row between the bodies (joints, contacts, friction that sticks) is as
// well obeyed by s (u - ubar) as by u, the momenta of an island that floats stay what they are, and the energy
// of the island is that of the start of the step. `gain` is of third order, and so is the change: the order of
// a method of order 2 stays; of second order where the method is of order 1.
//
// Islands in which motors, servos, wrenches or wind do work are left alone, because what they win is no gain;
// so are rows that give way, which store.
#include "sim/island.h"

#include "base/request.h"
#include "base/sets.h"
#include "contact/problem.h"
#include "math/small.h"
#include "method/instant.h"
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

// ---- which parts are judged, fixed at creation

static void mark(const tml_model* m, const sim_islands* e, int body, bool* flags)
{
    const int node = m->bodies[body].node;
    if (node >= 0) flags[e->part[node]] = true;
}

static bool is_active(const axis_data* a) { return a->actuation != TML_PASSIVE || a->has_servo; }

static void mark_joints(const maximal_system* s, const sim_islands* e)
{
    const tml_model* m = s->model;
    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        bool is_driven = false;
        bool has_limits = false;
        for (int k = 0; k < TML_AXES; k++) {
            is_driven |= is_active(&j->axis[k]) || j->axis[k].compliance > 0.0;
            has_limits |= j->axis[k].has_limits;
        }
        if (is_driven) {
            mark(m, e, j->base, e->is_driven);
            mark(m, e, j->follower, e->is_driven);
        }
        const bool is_to_world = m->bodies[j->base].node < 0 || m->bodies[j->follower].node < 0;
        if (!is_to_world || (s->rows[i].count == 0 && !has_limits)) continue;
        mark(m, e, j->base, e->is_grounded);
        mark(m, e, j->follower, e->is_grounded);
    }
}

static bool is_pulled(const spring_data* s)
{
    return s->force.is_given || s->activation.is_given || s->muscle.force != 0.0;
}

static void judge_parts(const maximal_system* s, const sim_islands* e)
{
    const tml_model* m = s->model;
    mark_joints(s, e);
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        for (int k = 0; k < spring->point_count && is_pulled(spring); k++) {
            mark(m, e, spring->body[k], e->is_driven);
        }
    }
    for (int i = 0; i < m->all.wrench_count; i++) mark(m, e, m->wrenches[i].body, e->is_driven);
    for (int i = 0; i < m->all.drag_count; i++) {
        const vec3 wind = m->all.drags[i].wind;
        if (v3_dot(wind, wind) > 0.0) mark(m, e, m->all.drags[i].body.index, e->is_driven);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        for (int k = 0; k < c->term_count && c->compliance > 0.0; k++) {
            mark(m, e, m->joints[c->terms[k].joint.index].follower, e->is_driven);
        }
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        mark(m, e, m->nonholonomics[i].body, e->is_grounded);
    }
}

// ---- memory

enum {
    REQUESTS = 15
};

static int list_requests(const tml_sim* sim, sim_islands* e, request list[REQUESTS])
{
    const size_t nodes = (size_t)sim->model->node_count;
    const request all[REQUESTS] = {
        {&e->part, nodes, sizeof *e->part},
        {&e->is_driven, nodes, sizeof *e->is_driven},
        {&e->is_grounded, nodes, sizeof *e->is_grounded},
        {&e->kinetic0, nodes, sizeof *e->kinetic0},
        {&e->potential0, nodes, sizeof *e->potential0},
        {&e->kinetic1, nodes, sizeof *e->kinetic1},
        {&e->potential1, nodes, sizeof *e->potential1},
        {&e->is_touched, nodes, sizeof *e->is_touched},
        {&e->is_held, nodes, sizeof *e->is_held},
        {&e->island, nodes, sizeof *e->island},
        {&e->all, nodes, sizeof *e->all},
        {&e->v_won, POSE_WIDTH * nodes, sizeof(double)},
        {&e->motion, 6 * nodes, sizeof(double)},
        {&e->within, 6 * nodes, sizeof(double)},
        {&e->momenta, 6 * nodes, sizeof(double)},
    };
    for (int i = 0; i < REQUESTS; i++) list[i] = all[i];
    return REQUESTS;
}

void tml__islands_destroy(tml_sim* sim, sim_islands* e)
{
    if (e == NULL) return;
    request list[REQUESTS];
    const int count = list_requests(sim, e, list);
    tml__release_all(&sim->settings.allocator, list, count);
    tml__release(&sim->settings.allocator, e);
}

tml_status tml__islands_create(tml_sim* sim, sim_islands** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    request list[REQUESTS];
    *out = NULL;
    sim_islands* e = tml__allocate(allocator, 1, sizeof *e);
    if (e == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    const int count = list_requests(sim, e, list);
    if (tml__take_all(allocator, list, count) != TML_OK) {
        tml__islands_destroy(sim, e);
        return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    e->part_count = tml__touch_list_parts(sim->system, e->part);
    judge_parts(sim->system, e);
    *out = e;
    return TML_OK;
}

// ---- the start of a step

static bool is_judged(const tml_sim* sim)
{
    return sim->soft == NULL && !tml__is_flex(sim) && !(sim->settings.contact.stiffness > 0.0);
}

void tml__islands_note(tml_sim* sim)
{
    sim_islands* e = sim->islands;
    const size_t parts = (size_t)e->part_count;
    e->is_noted = is_judged(sim);
    if (!e->is_noted) return;
    memset(e->kinetic0, 0, parts * sizeof *e->kinetic0);
    memset(e->potential0, 0, parts * sizeof *e->potential0);
    tml__maximal_add_energy(sim->system, e->part, e->kinetic0, e->potential0);
}

// ---- islands

static int part_of(const sim_islands* e, int node) { return node >= 0 ? e->part[node] : -1; }

void tml__islands_clear(sim_islands* e)
{
    const size_t parts = (size_t)e->part_count;
    e->is_pushed = false;
    memset(e->is_touched, 0, parts * sizeof *e->is_touched);
    memset(e->is_held, 0, parts * sizeof *e->is_held);
    sets_clear(e->island, e->part_count);
}

void tml__islands_push(sim_islands* e, int a, int b)
{
    const int one = part_of(e, a);
    const int other = part_of(e, b);
    if (!e->is_noted || (one < 0 && other < 0)) return;
    const int moved = one >= 0 ? one : other;
    sets_join(e->island, one, other);
    e->is_pushed = true;
    e->is_touched[moved] = true;
    e->is_held[moved] = e->is_held[moved] || one < 0 || other < 0;
}

// e->island: the island of every part, by a root; and what its parts say of it.
static void list_islands(const tml_sim* sim)
{
    sim_islands* e = sim->islands;
    for (int p = 0; p < e->part_count; p++) {
        const int root = sets_root(e->island, p);
        touch_island* to = &e->all[root];
        if (root == p) *to = (touch_island){.share = 1.0};
        e->island[p] = root;
        to->is_driven = to->is_driven || e->is_driven[p];
        to->is_grounded = to->is_grounded || e->is_grounded[p] || e->is_held[p];
        to->is_touched = to->is_touched || e->is_touched[p];
    }
    for (int i = 0; i < sim->system->push_count; i++) {
        const int held = part_of(e, sim->model->bodies[sim->system->pushes[i].body].node);
        if (held >= 0) e->all[e->island[held]].is_driven = true;
    }
}

// Of the energies that are compared: rounding, and what the tolerance of a step leaves.
static const double unnoticed = 1e-12;

// What touched islands have won since the start of the step. True: one of them has.
static bool find_gains(tml_sim* sim)
{
    sim_islands* e = sim->islands;
    const size_t bytes = (size_t)e->part_count * sizeof(double);
    bool has_gain = false;
    memset(e->kinetic1, 0, bytes);
    memset(e->potential1, 0, bytes);
    tml__maximal_place(sim->system, sim->next.q, sim->next.v);
    tml__maximal_add_energy(sim->system, e->part, e->kinetic1, e->potential1);
    for (int p = 0; p < e->part_count; p++) {
        touch_island* to = &e->all[e->island[p]];
        to->gain += e->kinetic1[p] - e->kinetic0[p] + (e->potential1[p] - e->potential0[p]);
        to->size +=
            e->kinetic1[p] + e->kinetic0[p] + fabs(e->potential1[p]) + fabs(e->potential0[p]);
    }
    for (int p = 0; p < e->part_count; p++) {
        touch_island* to = &e->all[p];
        if (e->island[p] != p) continue;
        to->has_gain = to->is_touched && !to->is_driven && to->gain > unnoticed * to->size;
        has_gain = has_gain || to->has_gain;
    }
    return has_gain;
}

// ---- the motion within an island

touch_island* tml__island_of(const sim_islands* e, int node)
{
    touch_island* to = &e->all[e->island[e->part[node]]];
    return to->has_gain ? to : NULL;
}

static vec3 arm_of(const tml_sim* sim, const touch_island* to, int node)
{
    return v3_sub(sim->system->bodies[sim->model->node_body[node]].c, to->at);
}

void tml__island_gather(const tml_sim* sim, const touch_island* to, int node, const double* push,
                        double* sum)
{
    const vec3 force = v3_load(push);
    const vec3 moment = v3_cross(arm_of(sim, to, node), force);
    for (int k = 0; k < 6; k++) sum[k] += push[k];
    v3_store(sum + 3, v3_add(v3_load(sum + 3), moment));
}

void tml__island_spread(const tml_sim* sim, const touch_island* to, int node, const double* motion,
                        double* out)
{
    const vec3 omega = v3_load(motion + 3);
    v3_store(out, v3_add(v3_load(motion), v3_cross(omega, arm_of(sim, to, node))));
    v3_store(out + 3, omega);
}

// Inertia of an island as one body about `at`, and its momenta by the motion u.
static void add_body(const tml_sim* sim, touch_island* to, int node)
{
    const int b = sim->model->node_body[node];
    const body_data* body = &sim->model->bodies[b];
    const mat3 R = sim->system->bodies[b].R;
    const mat3 I = m3_mul_bt(m3_mul(R, body->inertia), R);
    for (int column = 0; column < 6; column++) {
        double unit[6] = {0.0};
        double motion[6];
        double momenta[6];
        double sum[6] = {0.0};
        unit[column] = 1.0;
        tml__island_spread(sim, to, node, unit, motion);
        v3_store(momenta, v3_scale(body->mass, v3_load(motion)));
        v3_store(momenta + 3, m3_apply(I, v3_load(motion + 3)));
        tml__island_gather(sim, to, node, momenta, sum);
        for (int row = 0; row < 6; row++) to->inertia[6 * row + column] += sum[row];
    }
}

// The motion of each island as one body, where nothing grounds it.
static void find_means(tml_sim* sim, const double* momenta)
{
    sim_islands* e = sim->islands;
    for (int n = 0; n < sim->model->node_count; n++) {
        touch_island* to = tml__island_of(e, n);
        if (to == NULL || to->is_grounded) continue;
        // about one of its bodies: the point is held while all else is differentiated
        if (to->bodies++ == 0) to->at = sim->system->bodies[sim->model->node_body[n]].c;
        add_body(sim, to, n);
        tml__island_gather(sim, to, n, &momenta[6 * n], to->motion);
    }
    for (int p = 0; p < e->part_count; p++) {
        touch_island* to = &e->all[p];
        if (e->island[p] != p || !to->has_gain || to->is_grounded) continue;
        // bodies without a size in a row have no inertia about it: nothing is taken of them
        if (tml__ldlt_factor(6, to->inertia, 6) != TML_OK) to->has_gain = false;
        if (to->has_gain) tml__ldlt_solve(6, to->inertia, 6, to->motion);
    }
}

void tml__islands_within(const tml_sim* sim, const double* motion, double* within)
{
    const sim_islands* e = sim->islands;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* to = tml__island_of(e, n);
        double mean[6] = {0.0};
        if (to != NULL) tml__island_spread(sim, to, n, to->motion, mean);
        for (int k = 6 * n; k < 6 * n + 6; k++) {
            within[k] = to != NULL ? motion[k] - mean[k - 6 * n] : 0.0;
        }
    }
}

// Twice the energy of the motion within islands, and what share of it stays.
static void find_shares(tml_sim* sim, const double* within, const double* momenta)
{
    sim_islands* e = sim->islands;
    for (int n = 0; n < sim->model->node_count; n++) {
        touch_island* to = tml__island_of(e, n);
        for (int k = 6 * n; k < 6 * n + 6 && to != NULL; k++)
            to->within += 0.5 * within[k] * momenta[k];
    }
    for (int p = 0; p < e->part_count; p++) {
        touch_island* to = &e->all[p];
        if (e->island[p] != p || !to->has_gain) continue;
        // bodies at rest that an overlap has lifted have nothing to take it off
        to->has_gain = to->gain < to->within;
        if (!to->has_gain) continue;
        to->share = sqrt(1.0 - to->gain / to->within);
        sim->report.contact_removed += to->gain;
    }
}

bool tml__islands_withhold(tml_sim* sim)
{
    sim_islands* e = sim->islands;
    double* u = e->motion;
    const size_t six = 6 * (size_t)sim->model->node_count;
    e->has_withheld = false;
    if (!e->is_pushed) return false;
    list_islands(sim);
    if (!find_gains(sim)) return false;
    memcpy(e->v_won, sim->next.v, POSE_WIDTH * (size_t)sim->model->node_count * sizeof(double));
    tml__touch_velocities(sim, sim->next.q, sim->next.v, u);
    memset(e->momenta, 0, six * sizeof *e->momenta);
    tml__add_momenta(sim->system, 1.0, u, e->momenta);
    find_means(sim, e->momenta);
    tml__islands_within(sim, u, e->within);
    memset(e->momenta, 0, six * sizeof *e->momenta);
    tml__add_momenta(sim->system, 1.0, e->within, e->momenta);
    find_shares(sim, e->within, e->momenta);
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* to = tml__island_of(e, n);
        if (to == NULL) continue;
        for (int k = 6 * n; k < 6 * n + 6; k++) u[k] -= (1.0 - to->share) * e->within[k];
        e->has_withheld = true;
    }
    return e->has_withheld;
}
