// sim/touch_energy.c - what touches wins no energy in a step.
//
// Impulses of contacts act along rows of the start of a step, of its end, or of both, and bodies turn in
// between: of what impulses move to and fro, a third power of that turn is won or lost. What an island of
// touching bodies has won when its step is done is taken off the motion within it,
//
//     u+ = ubar + s (u - ubar),   s^2 = 1 - gain / T,   T = (u - ubar)^T M (u - ubar) / 2
//
// with ubar the motion that the island would make as one rigid body with the same momenta; where it touches or
// is joined to the world, none. Every row between the bodies (joints, contacts, friction that sticks) is as
// well obeyed by s (u - ubar) as by u, the momenta of an island that floats stay what they are, and the energy
// of the island is that of the start of the step. `gain` is of third order, and so is the change: the order of
// a method of order 2 stays.
//
// Islands in which motors, servos, wrenches or wind do work are left alone, because what they win is no gain;
// so are rows that give way, which store.
#include "base/sets.h"
#include "form/instant.h"
#include "math/small.h"
#include "sim/flex.h"
#include "sim/sim_internal.h"
#include "sim/touch_internal.h"

#include <math.h>
#include <string.h>

// ---- which parts are judged, fixed at creation

static void mark(const sim_touch* w, int body, bool* flags)
{
    const int node = w->rows->s->model->bodies[body].node;
    if (node >= 0) flags[w->rows->part[node]] = true;
}

static bool is_active(const axis_data* a) { return a->actuation != TML_PASSIVE || a->has_servo; }

static void mark_joints(sim_touch* w)
{
    const maximal_system* s = w->rows->s;
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
            mark(w, j->base, w->is_driven);
            mark(w, j->follower, w->is_driven);
        }
        const bool is_to_world = m->bodies[j->base].node < 0 || m->bodies[j->follower].node < 0;
        if (!is_to_world || (s->rows[i].count == 0 && !has_limits)) continue;
        mark(w, j->base, w->is_grounded);
        mark(w, j->follower, w->is_grounded);
    }
}

static bool is_pulled(const spring_data* s)
{
    return s->force.is_given || s->activation.is_given || s->muscle.force != 0.0;
}

void tml__touch_judge_parts(sim_touch* w)
{
    const tml_model* m = w->rows->s->model;
    mark_joints(w);
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* s = &m->springs[i];
        for (int k = 0; k < s->point_count && is_pulled(s); k++) mark(w, s->body[k], w->is_driven);
    }
    for (int i = 0; i < m->all.wrench_count; i++) mark(w, m->wrenches[i].body, w->is_driven);
    for (int i = 0; i < m->all.drag_count; i++) {
        const vec3 wind = m->all.drags[i].wind;
        if (v3_dot(wind, wind) > 0.0) mark(w, m->all.drags[i].body.index, w->is_driven);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        for (int k = 0; k < c->term_count && c->compliance > 0.0; k++) {
            mark(w, m->joints[c->terms[k].joint.index].follower, w->is_driven);
        }
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        mark(w, m->nonholonomics[i].body, w->is_grounded);
    }
}

// ---- the energy of parts

static bool is_judged(const tml_sim* sim)
{
    const sim_touch* w = sim->touch;
    return sim->soft == NULL && !tml__is_flex(sim) && !(w->rows->stiffness > 0.0);
}

void tml__touch_note_energy(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const size_t bytes = (size_t)t->part_count * sizeof(double);
    memset(w->kinetic0, 0, bytes);
    memset(w->potential0, 0, bytes);
    if (is_judged(sim)) tml__maximal_add_energy(sim->system, t->part, w->kinetic0, w->potential0);
}

// ---- islands

static int part_of(const touch_set* t, int node) { return node >= 0 ? t->part[node] : -1; }

static bool pushes(const sim_touch* w, int row)
{
    return w->total[row] != 0.0 || (w->is_moved && w->shift_f[row] != 0.0);
}

// w->island: the island of every part, by a root; and what its parts say of it.
static void find_islands(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    sets_clear(w->island, t->part_count);
    for (int i = 0; i < t->contact_count; i++) {
        const touch_row* row = &t->rows[t->contact_row[i]];
        if (!pushes(w, t->contact_row[i])) continue;
        sets_join(w->island, part_of(t, row->node[0]), part_of(t, row->node[1]));
    }
    for (int p = 0; p < t->part_count; p++) {
        const int root = sets_root(w->island, p);
        touch_island* to = &w->islands[root];
        if (root == p) *to = (touch_island){.share = 1.0};
        w->island[p] = root;
        to->is_driven = to->is_driven || w->is_driven[p];
        to->is_grounded = to->is_grounded || w->is_grounded[p];
    }
    for (int i = 0; i < t->contact_count; i++) {
        const touch_row* row = &t->rows[t->contact_row[i]];
        const int a = part_of(t, row->node[0]);
        const int b = part_of(t, row->node[1]);
        if (!pushes(w, t->contact_row[i]) || (a < 0 && b < 0)) continue;
        touch_island* to = &w->islands[w->island[a >= 0 ? a : b]];
        to->is_touched = true;
        to->is_grounded = to->is_grounded || a < 0 || b < 0;
    }
    const hand_push* hand = &sim->system->push;
    const int held = hand->is_on ? part_of(t, sim->model->bodies[hand->body].node) : -1;
    if (held >= 0) w->islands[w->island[held]].is_driven = true;
}

// Of the energies that are compared: rounding, and what the tolerance of a step leaves.
static const double unnoticed = 1e-12;

// What touched islands have won since the start of the step. True: one of them has.
static bool find_gains(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const size_t bytes = (size_t)t->part_count * sizeof(double);
    bool has_gain = false;
    memset(w->kinetic1, 0, bytes);
    memset(w->potential1, 0, bytes);
    tml__maximal_place(sim->system, sim->next.q, sim->next.v);
    tml__maximal_add_energy(sim->system, t->part, w->kinetic1, w->potential1);
    for (int p = 0; p < t->part_count; p++) {
        touch_island* to = &w->islands[w->island[p]];
        to->gain += w->kinetic1[p] - w->kinetic0[p] + (w->potential1[p] - w->potential0[p]);
        to->size +=
            w->kinetic1[p] + w->kinetic0[p] + fabs(w->potential1[p]) + fabs(w->potential0[p]);
    }
    for (int p = 0; p < t->part_count; p++) {
        touch_island* to = &w->islands[p];
        if (w->island[p] != p) continue;
        to->has_gain = to->is_touched && !to->is_driven && to->gain > unnoticed * to->size;
        has_gain = has_gain || to->has_gain;
    }
    return has_gain;
}

// ---- the motion within an island

touch_island* tml__touch_island_of(const sim_touch* w, int node)
{
    touch_island* to = &w->islands[w->island[w->rows->part[node]]];
    return to->has_gain ? to : NULL;
}

vec3 tml__touch_island_arm(const tml_sim* sim, const touch_island* to, int node)
{
    return v3_sub(sim->system->bodies[sim->model->node_body[node]].c, to->at);
}

void tml__touch_island_gather(const tml_sim* sim, const touch_island* to, int node,
                              const double* push, double* sum)
{
    const vec3 force = v3_load(push);
    const vec3 moment = v3_cross(tml__touch_island_arm(sim, to, node), force);
    for (int k = 0; k < 6; k++) sum[k] += push[k];
    v3_store(sum + 3, v3_add(v3_load(sum + 3), moment));
}

void tml__touch_island_spread(const tml_sim* sim, const touch_island* to, int node,
                              const double* motion, double* out)
{
    const vec3 omega = v3_load(motion + 3);
    v3_store(out, v3_add(v3_load(motion), v3_cross(omega, tml__touch_island_arm(sim, to, node))));
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
        tml__touch_island_spread(sim, to, node, unit, motion);
        v3_store(momenta, v3_scale(body->mass, v3_load(motion)));
        v3_store(momenta + 3, m3_apply(I, v3_load(motion + 3)));
        tml__touch_island_gather(sim, to, node, momenta, sum);
        for (int row = 0; row < 6; row++) to->inertia[6 * row + column] += sum[row];
    }
}

// The motion of each island as one body, where nothing grounds it.
static void find_means(tml_sim* sim, const double* momenta)
{
    sim_touch* w = sim->touch;
    for (int n = 0; n < sim->model->node_count; n++) {
        touch_island* to = tml__touch_island_of(w, n);
        if (to == NULL || to->is_grounded) continue;
        // about one of its bodies: the point is held while all else is differentiated
        if (to->bodies++ == 0) to->at = sim->system->bodies[sim->model->node_body[n]].c;
        add_body(sim, to, n);
        tml__touch_island_gather(sim, to, n, &momenta[6 * n], to->motion);
    }
    for (int p = 0; p < w->rows->part_count; p++) {
        touch_island* to = &w->islands[p];
        if (w->island[p] != p || !to->has_gain || to->is_grounded) continue;
        // bodies without a size in a row have no inertia about it: nothing is taken of them
        if (tml__ldlt_factor(6, to->inertia, 6) != TML_OK) to->has_gain = false;
        if (to->has_gain) tml__ldlt_solve(6, to->inertia, 6, to->motion);
    }
}

void tml__touch_within(const tml_sim* sim, const double* motion, double* within)
{
    const sim_touch* w = sim->touch;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* to = tml__touch_island_of(w, n);
        double mean[6] = {0.0};
        if (to != NULL) tml__touch_island_spread(sim, to, n, to->motion, mean);
        for (int k = 6 * n; k < 6 * n + 6; k++) {
            within[k] = to != NULL ? motion[k] - mean[k - 6 * n] : 0.0;
        }
    }
}

// Twice the energy of the motion within islands, and what share of it stays.
static void find_shares(tml_sim* sim, const double* within, const double* momenta)
{
    sim_touch* w = sim->touch;
    for (int n = 0; n < sim->model->node_count; n++) {
        touch_island* to = tml__touch_island_of(w, n);
        for (int k = 6 * n; k < 6 * n + 6 && to != NULL; k++)
            to->within += 0.5 * within[k] * momenta[k];
    }
    for (int p = 0; p < w->rows->part_count; p++) {
        touch_island* to = &w->islands[p];
        if (w->island[p] != p || !to->has_gain) continue;
        // bodies at rest that an overlap has lifted have nothing to take it off
        to->has_gain = to->gain < to->within;
        if (!to->has_gain) continue;
        to->share = sqrt(1.0 - to->gain / to->within);
        sim->report.contact_withheld += to->gain;
    }
}

void tml__touch_withhold(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    double* u = w->motion;
    double* within = w->acceleration;
    double* momenta = w->wrench;
    const size_t six = 6 * (size_t)sim->model->node_count;
    w->has_withheld = false;
    if (!is_judged(sim)) return;
    find_islands(sim);
    if (!find_gains(sim)) return;
    memcpy(w->v_won, sim->next.v, POSE_WIDTH * (size_t)sim->model->node_count * sizeof(double));
    tml__touch_velocities(sim, sim->next.q, sim->next.v, u);
    memset(momenta, 0, six * sizeof *momenta);
    tml__add_momenta(sim->system, 1.0, u, momenta);
    find_means(sim, momenta);
    tml__touch_within(sim, u, within);
    memset(momenta, 0, six * sizeof *momenta);
    tml__add_momenta(sim->system, 1.0, within, momenta);
    find_shares(sim, within, momenta);
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* to = tml__touch_island_of(w, n);
        for (int k = 6 * n; k < 6 * n + 6 && to != NULL; k++) u[k] -= (1.0 - to->share) * within[k];
        if (to == NULL) continue;
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(&u[6 * n]),
                                    v3_load(&u[6 * n + 3]), &sim->next.v[n * POSE_WIDTH]);
        w->has_withheld = true;
    }
}
