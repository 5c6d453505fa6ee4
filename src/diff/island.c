// diff/island.c - what was taken off the velocities of a step that touches, linearised.
//
// Of an island with the motion u, e = u - ubar within it, g = M e and T = e.g / 2 (sim/island.c):
//     u+ = ubar + s e,   s^2 = 1 - gain / T,   gain = E(end) - E(start)
//     ubar = B xi,   H xi = B^T M u,   H = B^T M B                 B: a rigid motion xi as one of the bodies
// With x = du - dB xi, what u changes by against the island as it moves:
//     H dxi = B^T (dM e + M x) + dB^T g,   dubar = B dxi + dB xi
//     dT = g.x + e.dM e / 2,   2 s ds = gain dT / T^2 - dgain / T
#include "diff/island.h"

#include "base/request.h"
#include "math/small.h"
#include "method/instant.h"
#include "sim/sim_internal.h"

// Numbers of one island in the linear map; backwards gradients.
struct island_slope {
    double gain;    // of the energy that was won
    double within;  // of T
    double share;   // of s
    double sum[6];  // what its motion as one body follows; that motion
};

// ---- memory

enum {
    REQUESTS = 11
};

static int list_requests(const tml_sim* sim, island_linear* t, request list[REQUESTS])
{
    const size_t nodes = (size_t)sim->model->node_count;
    double** const sixes[] = {&t->pose0,  &t->u0,      &t->pose1,  &t->u1,
                              &t->within, &t->momenta, &t->wrench, &t->more};
    int count = 0;
    for (size_t k = 0; k < sizeof sixes / sizeof *sixes; k++) {
        list[count++] = (request){sixes[k], 6 * nodes, sizeof(double)};
    }
    list[count++] = (request){&t->slot, nodes, sizeof *t->slot};
    list[count++] = (request){&t->energy, nodes, sizeof *t->energy};
    list[count++] = (request){&t->slopes, nodes, sizeof *t->slopes};
    return count;
}

tml_status tml__island_linear_take(const tml_sim* sim, island_linear* t)
{
    request list[REQUESTS];
    const int count = list_requests(sim, t, list);
    return tml__take_all(&sim->settings.allocator, list, count);
}

void tml__island_linear_release(const tml_sim* sim, island_linear* t)
{
    request list[REQUESTS];
    const int count = list_requests(sim, t, list);
    tml__release_all(&sim->settings.allocator, list, count);
}

// ---- where products stand

static island_slope* slope_of(const instant* i, const island_linear* t, const touch_island* of)
{
    return &t->slopes[of - i->sim->islands->all];
}

// Values: bodies at the end with velocities before anything was taken, e and g.
static void stand(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    tml__maximal_place(sim->system, t->q1, sim->islands->v_won);
    tml__islands_within(sim, t->won, t->within);
    clear(t->momenta, 6 * sim->model->node_count);
    tml__add_momenta(sim->system, 1.0, t->within, t->momenta);
}

static vec3 turning_of(const touch_island* of)
{
    return of->is_grounded ? v3_zero() : v3_load(of->motion + 3);
}

static void add_vec3(double* to, vec3 a) { v3_store(to, v3_add(v3_load(to), a)); }

// By the inertia of bodies: w->E by poses and parameters, or those from w->E.
static void inertia_product(const instant* i, const island_linear* t)
{
    linear_work* w = i->work;
    clear(w->rows, i->sim->system->row_count);
    clear(w->lambda_d, i->sim->system->row_count);
    tml__linear_kick_product(i, t->q1, t->within, w->lambda_d, t->pose1);
    stand(i, t);
}

// Energies at both ends of the step: gains by poses, velocities and parameters, or those from them.
static void gain_product(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    const sim_islands* w = sim->islands;
    const int parts = w->part_count;
    for (int n = 0; n < sim->model->node_count; n++) {
        t->slot[n] = w->island[w->part[n]];
    }
    const energy_slots end = {t->slot, t->pose1, t->u1};
    const energy_slots start = {t->slot, t->pose0, t->u0};
    // the start counts against the end: its turn comes with the signs of all values changed
    for (int p = 0; p < parts; p++) {
        t->energy[p] = i->way == PARTIAL_BACKWARD ? t->slopes[p].gain : 0.0;
    }
    tml__linear_energy(i, &end, t->energy);
    for (int p = 0; p < parts; p++) t->energy[p] = -t->energy[p];
    tml__maximal_place(sim->system, t->q0, t->v0);
    tml__linear_energy(i, &start, t->energy);
    for (int p = 0; p < parts && i->way == PARTIAL_FORWARD; p++) {
        t->slopes[p].gain = -t->energy[p];
    }
    stand(i, t);
}

static void clear_slopes(const instant* i, const island_linear* t)
{
    memset(t->slopes, 0, (size_t)i->sim->islands->part_count * sizeof *t->slopes);
}

// ---- forwards

// x into t->more, what follows of it into the slopes of islands.
static void gather_forward(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    const int nodes = sim->model->node_count;
    const double* E = i->work->E;
    double* x = t->more;
    copy(x, t->u1, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL) continue;
        add_vec3(&x[6 * n], v3_cross(v3_load(&t->pose1[6 * n]), turning_of(of)));
    }
    clear(t->wrench, 6 * nodes);
    tml__add_momenta(sim->system, 1.0, x, t->wrench);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL) continue;
        island_slope* to = slope_of(i, t, of);
        double push[6];
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            push[k] = E[at] + t->wrench[at];
            to->within += t->momenta[at] * x[at] + 0.5 * t->within[at] * E[at];
        }
        tml__island_gather(sim, of, n, push, to->sum);
        add_vec3(to->sum + 3, v3_cross(v3_load(&t->pose1[6 * n]), v3_load(&t->momenta[6 * n])));
    }
}

static void spread_forward(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL) continue;
        const island_slope* by = slope_of(i, t, of);
        double mean[6] = {0.0};
        if (!of->is_grounded) tml__island_spread(sim, of, n, by->sum, mean);
        add_vec3(mean, v3_cross(turning_of(of), v3_load(&t->pose1[6 * n])));
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            t->u1[at] =
                of->share * t->u1[at] + by->share * t->within[at] + (1.0 - of->share) * mean[k];
        }
    }
}

void tml__islands_forward(const instant* i, const island_linear* t)
{
    const sim_islands* w = i->sim->islands;
    const int nodes = i->sim->model->node_count;
    clear_slopes(i, t);
    stand(i, t);
    gain_product(i, t);
    clear(i->work->E, 6 * nodes);
    inertia_product(i, t);
    gather_forward(i, t);
    for (int p = 0; p < w->part_count; p++) {
        const touch_island* of = &w->all[p];
        if (w->island[p] != p || !of->has_gain) continue;
        island_slope* to = slope_of(i, t, of);
        if (!of->is_grounded) tml__ldlt_solve(6, of->inertia, 6, to->sum);
        to->share =
            (of->gain * to->within / of->within - to->gain) / (2.0 * of->share * of->within);
    }
    spread_forward(i, t);
}

// ---- backwards

// Gradients by the share of each island and by its motion as one body.
static void gather_backward(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    for (int n = 0; n < sim->model->node_count; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL) continue;
        island_slope* to = slope_of(i, t, of);
        double mean[6];
        for (int k = 0; k < 6; k++) {
            const int at = 6 * n + k;
            to->share += t->u1[at] * t->within[at];
            mean[k] = (1.0 - of->share) * t->u1[at];
        }
        tml__island_gather(sim, of, n, mean, to->sum);
        add_vec3(&t->pose1[6 * n], v3_cross(v3_load(mean), turning_of(of)));
    }
}

// t->u1 becomes the gradient by velocities before; w->E that by what inertia changes, and poses grow.
static void spread_backward(const instant* i, const island_linear* t)
{
    tml_sim* sim = i->sim;
    const int nodes = sim->model->node_count;
    double* E = i->work->E;
    clear(t->more, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL || of->is_grounded) continue;
        tml__island_spread(sim, of, n, slope_of(i, t, of)->sum, &t->more[6 * n]);
    }
    clear(t->wrench, 6 * nodes);
    tml__add_momenta(sim->system, 1.0, t->more, t->wrench);
    clear(E, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        const touch_island* of = tml__island_of(sim->islands, n);
        if (of == NULL) continue;
        const island_slope* by = slope_of(i, t, of);
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

void tml__islands_backward(const instant* i, const island_linear* t)
{
    const sim_islands* w = i->sim->islands;
    clear_slopes(i, t);
    stand(i, t);
    gather_backward(i, t);
    for (int p = 0; p < w->part_count; p++) {
        const touch_island* of = &w->all[p];
        if (w->island[p] != p || !of->has_gain) continue;
        island_slope* to = slope_of(i, t, of);
        if (!of->is_grounded) tml__ldlt_solve(6, of->inertia, 6, to->sum);
        to->gain = -to->share / (2.0 * of->share * of->within);
        to->within = -to->gain * of->gain / of->within;
    }
    spread_backward(i, t);
    inertia_product(i, t);
    gain_product(i, t);
}
