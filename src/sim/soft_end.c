// sim/soft_end.c - deformables at one instant: what bodies feel of the vertices that they carry,
// accelerations, and how the momenta of a step's end are shared.
#include "sim/soft.h"

#include <string.h>

// ---- accelerations

// Carried vertices move with their bodies: omega x (omega x r) without any acceleration of these.
static vec3 bias_of(const sim_soft* f, int i)
{
    const vec3 omega = f->system->bodies[f->model->carrier[f->carried_vertex[i]]].omega;
    return v3_cross(omega, v3_cross(omega, f->lever[i]));
}

// The inertia of what bodies carry, as they feel it when the free vertices follow.
static void guest_mass(void* self)
{
    sim_soft* f = self;
    const nodal_scales only_mass = {.mass = 1.0};
    if (f->by.count == 0) return;
    tml__soft_place_carried(f);
    // masses that were accepted always factor
    if (tml__nodal_factor(f->nodes, only_mass, f->x) != TML_OK) return;
    tml__soft_condense(f, only_mass, f->x);
    for (int k = 0; k < f->block_count; k++) {
        for (int i = 0; i < 36; i++) f->place[k][i] += f->own[36 * k + i];
    }
}

// Forces on the vertices less M b, where b are the accelerations that carried vertices have by `of`
// (6 a body, NULL: none); free ones behind M_ff^-1, into f->work and f->residual.
static void balance(sim_soft* f, const double* x, const double* v, const double* of)
{
    const double* q = x + f->first;
    memset(f->work, 0, (size_t)f->width * sizeof(double));
    for (int i = 0; i < f->carried_count; i++) {
        vec3 a = bias_of(f, i);
        if (of != NULL) {
            const double* body = &of[6 * f->carrier_node[f->carrier[i]]];
            a = v3_add(a, v3_add(v3_load(body), v3_cross(v3_load(body + 3), f->lever[i])));
        }
        v3_store(&f->work[f->free_width + 3 * i], a);
    }
    tml__nodal_mass(f->nodes, f->work, f->step);
    tml__nodal_set_time(f->nodes, f->system->t);
    tml__nodal_forces(f->nodes, q, v + f->first, f->residual);
    for (int i = 0; i < f->width; i++) f->residual[i] -= f->step[i];
}

static void guest_push(void* self, const double* x, const double* v)
{
    sim_soft* f = self;
    if (f->by.count == 0) return;
    tml__soft_place_carried(f);
    balance(f, x, v, NULL);
    if (tml__nodal_unmass(f->nodes, f->residual, f->work) != TML_OK) return;
    tml__nodal_mass(f->nodes, f->work, f->step);
    for (int i = f->free_width; i < f->width; i++) f->residual[i] -= f->step[i];
    tml__soft_pull(f, f->residual, 1.0, f->system->residual);
}

void tml__soft_feel(sim_soft* f, const double* force, double* wrench)
{
    tml__soft_place_carried(f);
    if (tml__nodal_unmass(f->nodes, force, f->work) != TML_OK) return;
    tml__nodal_mass(f->nodes, f->work, f->step);
    for (int i = f->free_width; i < f->width; i++) f->residual[i] = force[i] - f->step[i];
    tml__soft_pull(f, f->residual, 1.0, wrench);
}

tml_status tml__soft_accelerate(sim_soft* f, const double* q, const double* v,
                                const double* of_bodies, double* a)
{
    tml__maximal_place(f->system, q, v);
    tml__soft_place_carried(f);
    balance(f, q, v, of_bodies);
    for (int i = f->free_width; i < f->width; i++) f->x[i] = f->work[i];
    const tml_status status = tml__nodal_unmass(f->nodes, f->residual, a);
    for (int i = f->free_width; i < f->width; i++) a[i] = f->x[i];
    return status;
}

// ---- momenta

void tml__soft_bring(sim_soft* f, const double* u, const double* force, double span)
{
    tml__nodal_mass(f->nodes, u, f->momentum);
    for (int i = f->free_width; i < f->width && force != NULL; i++) {
        f->momentum[i] += span * force[i];
    }
    f->has_momentum = true;
}

// Momenta beyond those of carried vertices that move with the placed bodies, into f->step.
static void beyond(sim_soft* f)
{
    memset(f->work, 0, (size_t)f->width * sizeof(double));
    for (int i = 0; i < f->carried_count; i++) {
        const rigid* b = &f->system->bodies[f->model->carrier[f->carried_vertex[i]]];
        const vec3 v = v3_add(b->v, v3_cross(b->omega, f->lever[i]));
        v3_store(&f->work[f->free_width + 3 * i], v);
    }
    tml__nodal_mass(f->nodes, f->work, f->step);
    for (int i = 0; i < f->width; i++) f->step[i] = f->momentum[i] - f->step[i];
}

// The free vertices follow as they like, M_ff u_f = p_f - M_fc u_c; what is left is the bodies'.
static void guest_bring(void* self, double* momentum)
{
    sim_soft* f = self;
    if (!f->has_momentum || f->by.count == 0) return;
    tml__soft_place_carried(f);
    beyond(f);
    if (tml__nodal_unmass(f->nodes, f->step, f->work) != TML_OK) return;
    tml__nodal_mass(f->nodes, f->work, f->residual);
    for (int i = f->free_width; i < f->width; i++) f->step[i] -= f->residual[i];
    tml__soft_pull(f, f->step, 1.0, momentum);
}

static void guest_settled(void* self, const double* x, double* v)
{
    sim_soft* f = self;
    if (f->has_momentum) {
        tml__maximal_place(f->system, x, v);
        tml__soft_place_carried(f);
        beyond(f);
        if (tml__nodal_unmass(f->nodes, f->step, f->work) == TML_OK) {
            memcpy(v + f->first, f->work, (size_t)f->free_width * sizeof(double));
        }
    }
    f->has_momentum = false;
    tml__soft_carry_velocities(f, x, v);
}

maximal_guest tml__soft_guest(sim_soft* f)
{
    return (maximal_guest){.self = f,
                           .mass = guest_mass,
                           .push = guest_push,
                           .bring = guest_bring,
                           .settled = guest_settled};
}
