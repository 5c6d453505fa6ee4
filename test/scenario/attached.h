// test/scenario/attached.h - bodies that carry deformables, for the tests of all formulations.
#ifndef TRAMMEL_TEST_SCENARIO_ATTACHED_H
#define TRAMMEL_TEST_SCENARIO_ATTACHED_H

#include "test/scenario/soft.h"

static soft_box box;
static int ends[SOFT_VERTICES];
static tml_attachment attachments[SOFT_VERTICES];

// ---- a bar between the world and a body with a pendulum on it

static inline int attach(double x, tml_body body)
{
    const int count = soft_at(&box, x, ends);
    for (int i = 0; i < count; i++)
        attachments[i] = (tml_attachment){.vertex = ends[i], .body = body};
    return count;
}

// What a body carries of the box, into `attachments`: how many.
typedef int (*carrying)(tml_body body);

static inline int carry_end(tml_body body) { return attach(1.0, body); }

// A bar clamped at x = 0 that carries a block at or near x = 1, on which a rod is hinged.
static inline tml_model* clamped_by(carrying carry, bool is_consistent)
{
    static int held[SOFT_VERTICES];
    const int cells[3] = {3, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.3, 0.3});
    tml_spec* spec = tml_spec_create();
    tml_body_def block = tml_body_def_default();
    block.name = "block";
    block.mass = 8.0;
    for (int k = 0; k < 3; k++) block.inertia[k] = 0.1 + 0.02 * k;
    block.com = (tml_vec3){0.02, 0.01, -0.03};
    block.pose.p = (tml_vec3){1.1, 0.15, 0.15};
    const tml_body a = tml_spec_add_body(spec, &block);
    tml_body_def rod = tml_body_def_default();
    rod.name = "rod";
    rod.mass = 2.0;
    for (int k = 0; k < 3; k++) rod.inertia[k] = k == 0 ? 0.002 : 0.06;
    rod.pose.p = (tml_vec3){1.5, 0.15, 0.15};
    rod.velocity.angular = (tml_vec3){0.0, 1.0, 0.0};
    const tml_body b = tml_spec_add_body(spec, &rod);
    tml_joint_def pin = tml_joint_def_default();
    pin.kind = TML_JOINT_REVOLUTE;
    pin.base = a;
    pin.follower = b;
    pin.position = (tml_vec3){1.2, 0.15, 0.15};
    pin.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_spec_add_joint(spec, &pin);
    tml_deformable_def def = soft_def(&box);
    def.young = 1e5;
    def.density = 200.0;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.is_consistent = is_consistent;
    def.fixed = held;
    def.fixed_count = soft_at(&box, 0.0, held);
    def.attachments = attachments;
    def.attachment_count = carry(a);
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

static inline tml_model* clamped_with_block(bool is_consistent)
{
    return clamped_by(carry_end, is_consistent);
}

typedef struct outcome {
    double numbers[14];
} outcome;

static inline outcome run_by(const tml_model* model, tml_sim_settings settings, int steps,
                             double time)
{
    outcome out = {{0.0}};
    settings.step = time / steps;
    settings.tolerance = 1e-13;
    tml_sim* sim = soft_sim(model, &settings);
    if (sim != NULL && soft_run(sim, steps)) {
        const tml_pose p = tml_sim_pose(sim, (tml_body){1});
        const tml_velocity v = tml_sim_velocity(sim, (tml_body){1});
        const tml_vec3 x = tml_sim_vertex(sim, 0, 6);
        // places times 30/s, about the lowest frequency
        const double numbers[14] = {30 * p.p.x,  30 * p.p.y, 30 * p.p.z, 30 * p.q.w, 30 * p.q.x,
                                    30 * p.q.y,  30 * p.q.z, v.linear.x, v.linear.y, v.linear.z,
                                    v.angular.y, 30 * x.x,   30 * x.y,   30 * x.z};
        memcpy(out.numbers, numbers, sizeof numbers);
        CHECK(tml_sim_get_report(sim).fallback_starts == 0);
    }
    tml_sim_destroy(sim);
    return out;
}

static inline outcome run(const tml_model* model, tml_formulation formulation,
                          tml_integrator integrator, int steps, double time)
{
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = formulation;
    settings.integrator = integrator;
    return run_by(model, settings, steps, time);
}

static inline double difference(const outcome* a, const outcome* b)
{
    double sum = 0.0;
    for (int i = 0; i < 14; i++) sum += pow(a->numbers[i] - b->numbers[i], 2.0);
    return sqrt(sum);
}

// ---- two blocks on the ends of a bar, afloat

static inline tml_model* two_blocks(void)
{
    const int cells[3] = {4, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_body_def block = tml_body_def_default();
    block.mass = 3.0;
    for (int k = 0; k < 3; k++) block.inertia[k] = 0.05;
    block.pose.p = (tml_vec3){-0.1, 0.1, 0.1};
    const tml_body a = tml_spec_add_body(spec, &block);
    block.pose.p.x = 1.1;
    block.velocity.linear = (tml_vec3){0.2, 0.0, 1.0};
    const tml_body b = tml_spec_add_body(spec, &block);
    tml_deformable_def def = soft_def(&box);
    def.young = 2e5;
    def.density = 500.0;
    const int left = attach(0.0, a);
    const int right = soft_at(&box, 1.0, ends);
    for (int i = 0; i < right; i++)
        attachments[left + i] = (tml_attachment){.vertex = ends[i], .body = b};
    def.attachments = attachments;
    def.attachment_count = left + right;
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

typedef struct momenta {
    tml_vec3 linear, angular;  // about the origin
} momenta;

static inline void add_momentum(momenta* sum, double mass, tml_vec3 x, tml_vec3 v)
{
    sum->linear.x += mass * v.x;
    sum->linear.y += mass * v.y;
    sum->linear.z += mass * v.z;
    sum->angular.x += mass * (x.y * v.z - x.z * v.y);
    sum->angular.y += mass * (x.z * v.x - x.x * v.z);
    sum->angular.z += mass * (x.x * v.y - x.y * v.x);
}

// Of two_blocks(): moments of inertia are 0.05 about every axis.
static inline momenta momenta_of(tml_sim* sim)
{
    const double share = 500.0 * 1.0 * 0.2 * 0.2;
    momenta sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        const tml_velocity v = tml_sim_velocity(sim, (tml_body){i});
        add_momentum(&sum, 3.0, tml_sim_pose(sim, (tml_body){i}).p, v.linear);
        sum.angular.x += 0.05 * v.angular.x;
        sum.angular.y += 0.05 * v.angular.y;
        sum.angular.z += 0.05 * v.angular.z;
    }
    // lumps: a sixth of the volume of a cell to each of its tetrahedra, a quarter to each corner
    for (int t = 0; t < 4 * box.tetrahedron_count; t++) {
        const int v = box.tetrahedra[t];
        add_momentum(&sum, share / box.tetrahedron_count / 4.0, tml_sim_vertex(sim, 0, v),
                     tml_sim_vertex_velocity(sim, 0, v));
    }
    return sum;
}

#endif
