// test/scenario/touching.h - bodies that touch, built in a few lines.
#ifndef TRAMMEL_TEST_SCENARIO_TOUCHING_H
#define TRAMMEL_TEST_SCENARIO_TOUCHING_H

#include "sim/island.h"
#include "sim/sim_internal.h"
#include "test/random.h"
#include "test/scenario/run.h"

#include <trammel/contact.h>

#include <stdbool.h>

static inline tml_shape_def shape_of(tml_shape_kind kind, tml_vec3 size, double friction)
{
    tml_shape_def shape = tml_shape_def_default();
    shape.kind = kind;
    shape.size = size;
    shape.friction = friction;
    return shape;
}

// A solid body of 1000 kg/m^3 and one shape at its centre of mass.
static inline tml_body add_solid(tml_spec* spec, const char* name, tml_shape_def shape, tml_vec3 at)
{
    tml_body_def body = tml_body_def_default();
    tml_mass_properties mass = {0};
    shape.density = 1000.0;
    tml_shapes_mass(&shape, 1, &mass);
    body.name = name;
    body.pose.p = at;
    body.mass = mass.mass;
    for (int i = 0; i < 6; i++) body.inertia[i] = mass.inertia[i];
    body.shapes = &shape;
    body.shape_count = 1;
    return tml_spec_add_body(spec, &body);
}

// The plane z = 0 of the world, and gravity tilted as on a slope that falls along +x.
static inline void add_ground(tml_spec* spec, double friction, double slope)
{
    const tml_shape_def plane = shape_of(TML_SHAPE_PLANE, v3_zero(), friction);
    tml_spec_add_world_shape(spec, &plane);
    tml_spec_set_gravity(spec, v3(9.81 * sin(slope), 0.0, -9.81 * cos(slope)));
}

static inline tml_status touch_start(run* r, tml_spec* spec, double step)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = TML_FORM_GENERALIZED;
    r->settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    r->settings.step = step;
    r->settings.contact.is_on = 1;
    return run_start(r);
}

static inline vec3 force_on(const run* r, tml_body body)
{
    vec3 sum = v3_zero();
    for (int i = 0; i < tml_sim_contact_count(r->sim); i++) {
        const tml_contact c = tml_sim_contact(r->sim, i);
        if (c.a.index == body.index) sum = v3_add(sum, c.force);
        if (c.b.index == body.index) sum = v3_sub(sum, c.force);
    }
    return sum;
}

// ---- heaps

enum {
    HEAP_MOST = 8  // bodies
};

static inline tml_shape_def heap_shape(int i)
{
    static const tml_shape_kind kinds[5] = {TML_SHAPE_BOX, TML_SHAPE_SPHERE, TML_SHAPE_CAPSULE,
                                            TML_SHAPE_CYLINDER, TML_SHAPE_ELLIPSOID};
    tml_shape_def shape = shape_of(kinds[i % 5], v3(0.1, 0.12, 0.2), 0.5);
    shape.restitution = i % 3 == 0 ? 0.3 : 0.0;
    shape.density = 1000.0;
    return shape;
}

static inline tml_mass_properties heap_mass(int i)
{
    const tml_shape_def shape = heap_shape(i);
    tml_mass_properties mass = {0};
    CHECK(tml_shapes_mass(&shape, 1, &mass) == TML_OK);
    return mass;
}

// Any shapes from any pose, each second one tied to the one below by a ball joint.
static inline tml_spec* heap_of(int salt, int bodies)
{
    random_source r = random_start((uint64_t)salt);
    tml_spec* spec = tml_spec_create();
    tml_body last = {0};
    add_ground(spec, 0.6, 0.0);
    for (int i = 0; i < bodies; i++) {
        const tml_shape_def shape = heap_shape(i);
        const tml_mass_properties mass = heap_mass(i);
        tml_body_def body = tml_body_def_default();
        char name[24];
        snprintf(name, sizeof name, "body.%d", i);
        body.name = name;
        body.pose = (tml_pose){random_vec3(&r, 0.15), random_quat(&r)};
        body.pose.p.z = 0.3 + 0.35 * i;
        body.mass = mass.mass;
        for (int k = 0; k < 6; k++) body.inertia[k] = mass.inertia[k];
        body.velocity.angular = random_vec3(&r, 3.0);
        body.shapes = &shape;
        body.shape_count = 1;
        const tml_body b = tml_spec_add_body(spec, &body);
        if (i % 2 == 1) {
            tml_joint_def ball = tml_joint_def_default();
            ball.name = name;
            ball.kind = TML_JOINT_SPHERICAL;
            ball.base = last;
            ball.follower = b;
            ball.position = v3(0.0, 0.0, 0.3 + 0.35 * (i - 0.5));
            tml_spec_add_joint(spec, &ball);
        }
        last = b;
    }
    return spec;
}

// Kinetic and potential energy of every body of a heap.
static inline void heap_energies(const run* r, int bodies, double* out)
{
    for (int i = 0; i < bodies; i++) {
        const tml_mass_properties m = heap_mass(i);
        const tml_pose at = tml_sim_pose(r->sim, (tml_body){i});
        const tml_velocity u = tml_sim_velocity(r->sim, (tml_body){i});
        const vec3 w = q_rotate(q_conj(at.q), u.angular);
        const double turning = m.inertia[0] * w.x * w.x + m.inertia[1] * w.y * w.y +
                               m.inertia[2] * w.z * w.z + 2.0 * m.inertia[3] * w.x * w.y +
                               2.0 * m.inertia[4] * w.x * w.z + 2.0 * m.inertia[5] * w.y * w.z;
        out[i] = 0.5 * (m.mass * v3_dot(u.linear, u.linear) + turning) + 9.81 * m.mass * at.p.z;
    }
}

// The largest rise of energy in the last step of an island that contacts push: bodies that impulses, or shifts out of
// overlaps, which nobody tells, tie together are as the step itself has found them; energies are our own. Where steps are
// taken in parts islands are those of the last one, and nobody can tell. *lifted, where it is given: the same of islands
// next to rest that a shift out of an overlap has lifted by more than all their motion could pay for.
static inline double heap_touched_rise(const run* r, int bodies, const double* before,
                                       const double* after, double* lifted)
{
    const sim_islands* e = r->sim->islands;
    double rise[HEAP_MOST] = {0.0};
    double most = 0.0;
    bool is_pushed = false;
    for (int i = 0; i < tml_sim_contact_count(r->sim); i++) {
        is_pushed = is_pushed || v3_norm(tml_sim_contact(r->sim, i).force) > 0.0;
    }
    if (!is_pushed) return 0.0;
    for (int i = 0; i < bodies; i++) {
        rise[e->island[e->part[r->model->bodies[i].node]]] += after[i] - before[i];
    }
    for (int p = 0; p < e->part_count; p++) {
        const touch_island* at = &e->all[p];
        if (e->island[p] != p || !at->is_touched) continue;
        const bool is_lifted = at->within > 0.0 && at->gain >= at->within;
        if (!is_lifted) most = fmax(most, rise[p]);
        if (is_lifted && lifted != NULL) *lifted = fmax(*lifted, rise[p]);
    }
    return most;
}

// Freeze and start by a method, with contact.
static inline tml_status start_touching(run* r, tml_spec* spec, tml_formulation formulation,
                                        tml_integrator integrator, double step)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = formulation;
    r->settings.integrator = integrator;
    r->settings.step = step;
    r->settings.contact.is_on = 1;
    return run_start(r);
}

#endif
