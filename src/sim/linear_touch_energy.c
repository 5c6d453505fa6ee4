// sim/linear_touch_energy.c - what was taken off the velocities of a step that touches, linearised.
//
// Of an island with the motion u, e = u - ubar within it, g = M e and T = e.g / 2 (sim/touch_energy.c):
//     u+ = ubar + s e,   s^2 = 1 - gain / T,   gain = E(end) - E(start)
//     ubar = B xi,   H xi = B^T M u,   H = B^T M B                 B: a rigid motion xi as one of the bodies
// With x = du - dB xi, what u changes by against the island as it moves:
//     H dxi = B^T (dM e + M x) + dB^T g,   dubar = B dxi + dB xi
//     dT = g.x + e.dM e / 2,   2 s ds = gain dT / T^2 - dgain / T
#include "form/instant.h"
#include "math/small.h"
#include "sim/linear_touch.h"
#include "sim/sim_internal.h"

// Numbers of one island in the linear map; backwards gradients.
typedef struct island_slope {
    double gain;    // of the energy that was won
    double within;  // of T
    double share;   // of s
    double sum[6];  // what its motion as one body follows; that motion
} island_slope;

static island_slope* slope_of(const instant* i, const touch_island* of)
{
    return &((island_slope*)i->work->touch->slopes)[of - i->sim->touch->islands];
}

size_t tml__touch_slope_bytes(void) { return sizeof(island_slope); }

// Values: bodies at the end with velocities before anything was taken, e and g.
static void stand(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    tml__maximal_place(sim->system, t->q1, sim->touch->v_won);
    tml__touch_within(sim, t->after, t->within);
    clear(t->momenta, 6 * sim->model->node_count);
    tml__add_momenta(sim->system, 1.0, t->within, t->momenta);
}

static vec3 turning_of(const touch_island* of)
{
    return of->is_grounded ? v3_zero() : v3_load(of->motion + 3);
}

static void add_vec3(double* to, vec3 a) { v3_store(to, v3_add(v3_load(to), a)); }

// By the inertia of bodies: w->E by poses and parameters, or those from w->E.
static void inertia_product(const instant* i)
{
    linear_work* w = i->work;
    clear(w->rows, i->sim->system->row_count);
    clear(w->lambda_d, i->sim->system->row_count);
    tml__linear_kick_product(i, w->touch->q1, w->touch->within, w->lambda_d, w->touch->pose1);
    stand(i);
}

// Energies at both ends of the step: gains by poses, velocities and parameters, or those from them.
static void gain_product(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const sim_touch* w = sim->touch;
    const int parts = w->rows->part_count;
    for (int n = 0; n < sim->model->node_count; n++) {
        t->slot[n] = w->island[w->rows->part[n]];
    }
    const energy_slots end = {t->slot, t->pose1, t->u1};
    const energy_slots start = {t->slot, t->pose0, t->u0};
    // the start counts against the end: its turn comes with the signs of all values changed
    for (int p = 0; p < parts; p++) {
        t->energy[p] = i->way == PARTIAL_BACKWARD ? ((island_slope*)t->slopes)[p].gain : 0.0;
    }
    tml__linear_energy(i, &end, t->energy);
    for (int p = 0; p < parts; p++) t->energy[p] = -t->energy[p];
    tml__maximal_place(sim->system, t->q0, sim->past_v[0]);
    tml__linear_energy(i, &start, t->energy);
    for (int p = 0; p < parts && i->way == PARTIAL_FORWARD; p++) {
        ((island_slope*)t->slopes)[p].gain = -t->energy[p];
    }
    stand(i);
}

static void clear_slopes(const instant* i)
{
    memset(i->work->touch->slopes, 0,
           (size_t)i->sim->touch->rows->part_count * sizeof(island_slope));
}

// ---- forwards

// x into t->more, what follows of it into the slopes of islands.
static void gather_forward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int nodes = sim->model->node_count;
    const double* E = i->work->E;
    double* x = t->more;
    copy(x, t->u1, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL) continue;
        add_vec3(&x[6 * n], v3_cross(v3_load(&t->pose1[6 * n]), turning_of(of)));
    }
    clear(t->wrench, 6 * nodes);
    tml__add_momenta(sim->system, 1.0, x, t->wrench);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL) continue;
        island_slope* to = slope_of(i, of);
        double push[6];
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            push[k] = E[at] + t->wrench[at];
            to->within += t->momenta[at] * x[at] + 0.5 * t->within[at] * E[at];
        }
        tml__touch_island_gather(sim, of, n, push, to->sum);
        add_vec3(to->sum + 3, v3_cross(v3_load(&t->pose1[6 * n]), v3_load(&t->momenta[6 * n])));
    }
}

static void spread_forward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL) continue;
        const island_slope* by = slope_of(i, of);
        double mean[6] = {0.0};
        if (!of->is_grounded) tml__touch_island_spread(sim, of, n, by->sum, mean);
        add_vec3(mean, v3_cross(turning_of(of), v3_load(&t->pose1[6 * n])));
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            t->u1[at] =
                of->share * t->u1[at] + by->share * t->within[at] + (1.0 - of->share) * mean[k];
        }
    }
}

void tml__touch_withhold_forward(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    const int nodes = i->sim->model->node_count;
    clear_slopes(i);
    stand(i);
    gain_product(i);
    clear(i->work->E, 6 * nodes);
    inertia_product(i);
    gather_forward(i);
    for (int p = 0; p < w->rows->part_count; p++) {
        const touch_island* of = &w->islands[p];
        if (w->island[p] != p || !of->has_gain) continue;
        island_slope* to = slope_of(i, of);
        if (!of->is_grounded) tml__ldlt_solve(6, of->inertia, 6, to->sum);
        to->share =
            (of->gain * to->within / of->within - to->gain) / (2.0 * of->share * of->within);
    }
    spread_forward(i);
}

// ---- backwards

// Gradients by the share of each island and by its motion as one body.
static void gather_backward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL) continue;
        island_slope* to = slope_of(i, of);
        double mean[6];
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            to->share += t->u1[at] * t->within[at];
            mean[k] = (1.0 - of->share) * t->u1[at];
        }
        tml__touch_island_gather(sim, of, n, mean, to->sum);
        add_vec3(&t->pose1[6 * n], v3_cross(v3_load(mean), turning_of(of)));
    }
}

// t->u1 becomes the gradient by velocities before; w->E that by what inertia changes, and poses grow.
static void spread_backward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int nodes = sim->model->node_count;
    double* E = i->work->E;
    clear(t->more, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL || of->is_grounded) continue;
        tml__touch_island_spread(sim, of, n, slope_of(i, of)->sum, &t->more[6 * n]);
    }
    clear(t->wrench, 6 * nodes);
    tml__add_momenta(sim->system, 1.0, t->more, t->wrench);
    clear(E, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__touch_island_of(sim->touch, n);
        if (of == NULL) continue;
        const island_slope* by = slope_of(i, of);
        double x[6];
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            x[k] = t->wrench[at] + by->within * t->momenta[at];
            E[at] = t->more[at] + 0.5 * by->within * t->within[at];
            t->u1[at] = of->share * t->u1[at] + x[k];
        }
        double* pose = &t->pose1[6 * n];
        add_vec3(pose, v3_cross(turning_of(of), v3_load(x)));
        add_vec3(pose, v3_cross(v3_load(&t->momenta[6 * n]), v3_load(&t->more[6 * n + 3])));
    }
}

void tml__touch_withhold_backward(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    clear_slopes(i);
    stand(i);
    gather_backward(i);
    for (int p = 0; p < w->rows->part_count; p++) {
        const touch_island* of = &w->islands[p];
        if (w->island[p] != p || !of->has_gain) continue;
        island_slope* to = slope_of(i, of);
        if (!of->is_grounded) tml__ldlt_solve(6, of->inertia, 6, to->sum);
        to->gain = -to->share / (2.0 * of->share * of->within);
        to->within = -to->gain * of->gain / of->within;
    }
    spread_backward(i);
    inertia_product(i);
    gain_product(i);
}
