// test/diff/touching.h - bodies that stick, slide, part and bounce, and the one comparison of derivatives
// of their runs with differences of whole runs.
#ifndef TRAMMEL_TEST_DIFF_TOUCHING_H
#define TRAMMEL_TEST_DIFF_TOUCHING_H

#include "test/diff/mechanisms.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

static inline tml_derivatives* driven_run(const tml_model* m, const tml_sim_settings* s, int steps,
                                          double amplitude)
{
    tml_derivatives* d = NULL;
    tml_status status = tml_derivatives_create(m, s, 0, &d);
    const int count = tml_model_control_count(m);
    for (int k = 1; k <= steps && status == TML_OK; k++) {
        double controls[32];
        for (int c = 0; c < count; c++) controls[c] = amplitude * sin(0.3 * k + c);
        status = tml_derivatives_step(d, count > 0 ? controls : NULL);
    }
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    CHECK(status == TML_OK);
    return d;
}

// All but loads, which are compared by themselves.
static inline void energies_and_coordinates(const tml_model* m, everything* e, int step)
{
    const int first = e->quantity_count;
    loads_and_energies(m, e, step);
    int kept = first;
    for (int i = first; i < e->quantity_count; i++) {
        const tml_quantity q = e->quantities[i];
        if (q.kind == TML_QUANTITY_FORCE || q.kind == TML_QUANTITY_MOMENT) continue;
        e->quantities[kept++] = q;
    }
    e->quantity_count = kept;
}

// ---- bodies that stick, slide, part and bounce

// A body of one shape, moving; its centre of mass is where it is said to be.
static inline tml_body add_leaden(tml_spec* spec, const char* name, tml_shape_def shape,
                                  tml_pose pose, tml_vec3 velocity, tml_vec3 spin, tml_vec3 com)
{
    tml_body_def body = tml_body_def_default();
    tml_mass_properties mass = {0};
    shape.density = 1000.0;
    tml_shapes_mass(&shape, 1, &mass);
    body.name = name;
    body.pose = pose;
    body.mass = mass.mass;
    for (int i = 0; i < 6; i++) body.inertia[i] = mass.inertia[i];
    body.velocity = (tml_velocity){.linear = velocity, .angular = spin};
    body.shapes = &shape;
    body.shape_count = 1;
    body.com = com;
    return tml_spec_add_body(spec, &body);
}

static inline tml_body add_moving(tml_spec* spec, const char* name, tml_shape_def shape,
                                  tml_pose pose, tml_vec3 velocity, tml_vec3 spin)
{
    return add_leaden(spec, name, shape, pose, velocity, spin, v3_zero());
}

static const tml_pose upright = {{0.0, 0.0, 0.1}, {1.0, 0.0, 0.0, 0.0}};

// A ball that lands, slides and begins to roll.
static inline tml_model* sliding_ball(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_pose pose = upright;
    pose.p.z = 0.1021;
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    add_moving(spec, "ball", shape, pose, (tml_vec3){2.0, 0.5, -0.4}, (tml_vec3){1.0, 2.0, 0.5});
    return build(spec);
}

// The same with restitution: it bounces, slipping.
static inline tml_model* bouncing_ball(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_pose pose = upright;
    pose.p.z = 0.1021;
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    shape.restitution = 0.6;
    add_moving(spec, "ball", shape, pose, (tml_vec3){2.0, 0.5, -0.8}, (tml_vec3){1.0, 2.0, 0.5});
    return build(spec);
}

// A ball thrown at the ceiling, which gravity slows down on its way.
static inline tml_model* ball_at_the_ceiling(void)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def slab = shape_of(TML_SHAPE_BOX, v3(4.0, 4.0, 0.2), 0.3);
    slab.pose.p.z = 0.3;
    tml_spec_add_world_shape(spec, &slab);
    tml_pose pose = upright;
    pose.p.z = 0.0979;
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    shape.restitution = 0.6;
    add_moving(spec, "ball", shape, pose, (tml_vec3){2.0, 0.5, 0.8}, (tml_vec3){1.0, 2.0, 0.5});
    return build(spec);
}

// A box that lands flat and slides on four corners: their rows depend on each other.
static inline tml_model* landing_box(tml_vec3 velocity, tml_vec3 spin)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_pose pose = upright;
    pose.p.z = 0.1021;
    add_moving(spec, "box", shape_of(TML_SHAPE_BOX, v3(0.4, 0.3, 0.2), 0.3), pose, velocity, spin);
    return build(spec);
}

static inline tml_model* sliding_box(void)
{
    return landing_box((tml_vec3){2.0, 0.5, -0.4}, v3_zero());
}

// With a spin its corners slide in different directions, so that their forces, of which the least are
// taken, do not push it the same way whatever they are.
static inline tml_model* spinning_box(void)
{
    return landing_box((tml_vec3){0.2, 0.1, -0.4}, (tml_vec3){0.0, 0.0, 3.0});
}

// Two balls with a driven hinge between them: one lands and sticks, the other swings; fast into its limit,
// where there is a range.
static inline tml_model* pair_of(double height, double range, tml_vec3 com)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 1.0, 0.0);
    const tml_body a = add_leaden(spec, "left", shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 1.0),
                                  (tml_pose){{-0.3, 0.0, height}, {1, 0, 0, 0}},
                                  (tml_vec3){0.1, 0.05, -0.5}, v3_zero(), com);
    const tml_body b =
        add_moving(spec, "right", shape_of(TML_SHAPE_SPHERE, v3(0.12, 0, 0), 0.1),
                   (tml_pose){{0.3, 0.1, 0.222}, {1, 0, 0, 0}}, (tml_vec3){0.1, 0.05, -0.5},
                   range > 0.0 ? (tml_vec3){0.0, 12.0, 0.0} : v3_zero());
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_REVOLUTE;
    def.base = a;
    def.follower = b;
    def.position = (tml_vec3){0.0, 0.05, 0.25};
    def.axis = (tml_vec3){0.1, 1.0, 0.0};
    def.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    def.axis_of[TML_AXIS_RX].damping = 0.2;
    def.axis_of[TML_AXIS_RX].has_limits = range > 0.0;
    def.axis_of[TML_AXIS_RX].lower = -range;
    def.axis_of[TML_AXIS_RX].upper = range;
    tml_spec_add_joint(spec, &def);
    return build(spec);
}

static inline tml_model* pair_within(double height, double range)
{
    return pair_of(height, range, v3_zero());
}

static inline tml_model* pair_at(double height, tml_vec3 com) { return pair_of(height, 0.0, com); }
static inline tml_model* landing_pair(void) { return pair_at(0.102, v3_zero()); }

// A millimetre in the ground: a shift parts them. The centre of mass is beside that of the ball: just there the
// shift neither leaves a gap nor an overlap, and the end of the step has a kink.
static inline tml_model* deep_pair(void)
{
    return pair_at(0.1 - 1e-3, (tml_vec3){0.004, -0.003, 0.01});
}

// Parameters at which a run has a kink are left out: tilts of a box that stands on four corners, and
// restitution where nothing bounces. So are motions of the box that the ground forbids: they are zero, and
// so are their derivatives.
typedef struct kinks {
    bool has_flat_box, has_restitution;
    bool has_overlap;
    // a resting ball is neither struck nor parted at the end of an affine step that its end decides: where
    // its centre of mass moves it is struck on one side only
    bool has_balance;
    bool has_spin;     // corners change between sliding and sticking nearby
    bool is_slippery;  // without friction: less of it would pull
    double change;     // of a parameter, in differences; 0: as usual
    bool
        is_guided;  // a joint keeps it flat: it tilts with the joint, which shares what its feet carry
} kinks;

static inline bool is_kink(const kinks* k, const tml_parameter* p)
{
    const bool is_tilt = p->kind == TML_PARAMETER_POSE && (p->component == 3 || p->component == 4);
    const bool is_spin =
        p->kind == TML_PARAMETER_VELOCITY && (p->component == 3 || p->component == 4);
    if (p->kind == TML_PARAMETER_RESTITUTION && !k->has_restitution) return true;
    if (p->kind == TML_PARAMETER_FRICTION && k->is_slippery) return true;
    if (k->has_balance && p->kind == TML_PARAMETER_COM) return true;
    if (k->is_guided && p->kind == TML_PARAMETER_JOINT_TURN) return true;
    return k->has_flat_box && (is_tilt || is_spin);
}

static inline bool is_forbidden(const kinks* k, const tml_quantity* q)
{
    if (!k->has_flat_box) return false;
    const bool is_motion = q->kind == TML_QUANTITY_POSITION || q->kind == TML_QUANTITY_VELOCITY;
    if (q->kind == TML_QUANTITY_CONTACT_FORCE) return k->is_guided;
    return is_motion ? q->component == 2 : q->kind != TML_QUANTITY_KINETIC;
}

// One comparison with differences of `small`.
static inline void compare_touching(tml_derivatives* d, const everything* e, double small,
                                    double error, bool has_shift, const char* what)
{
    tml_derivatives_report r;
    const tml_status status =
        tml_derivatives_check(d, small, e->parameter_count, e->parameters, e->quantity_count,
                              e->quantities, &r, table, sizeof table);
    if (status != TML_OK) printf("%s: %s\n", what, tml_derivatives_message(d));
    CHECK(status == TML_OK);
    const tml_derivatives_flags f = tml_derivatives_last_flags(d);
    printf("%s: %d pairs, error %.2e, dot product %.2e; tied %d, rank %d, shifted %d, unsettled %d "
           "steps\n",
           what, r.pair_count, r.largest_error, r.dot_product, f.tied_steps, f.rank_steps,
           f.shift_steps, f.unsettled_steps);
    if (!(r.largest_error <= error) || getenv("TRAMMEL_TEST_PRINT") != NULL) puts(table);
    CHECK(r.largest_error <= error);
    CHECK(r.dot_product <= 1e-12);
    CHECK((f.shift_steps > 0) == has_shift);
    CHECK((f.unsettled_steps > 0) == (f.first_unsettled > 0));
}

// Loads of joints, compared by themselves: what iterated contacts leave, 1e-14 m in a step, is 1e-10 m/s^2
// of backward differences, and times 7 kg and over the change, 1e-3, some 1e-6 of a load's slope.
static inline void compare_loads(tml_derivatives* d, const tml_model* m, everything* e, int steps,
                                 double small, double error, const kinks* k, const char* what)
{
    char name[96];
    e->quantity_count = 0;
    for (int j = 0; j < tml_model_joint_count(m) && !k->is_guided; j++) {
        want_quantities(e, TML_QUANTITY_FORCE, j, 3, steps);
        want_quantities(e, TML_QUANTITY_MOMENT, j, 3, steps);
    }
    if (e->quantity_count == 0) return;
    snprintf(name, sizeof name, "%s, loads", what);
    compare_touching(d, e, small, error, k->has_overlap, name);
}

static inline void check_touching(builder make, method by, kinks k, int steps, const char* what)
{
    tml_model* m = make();
    tml_sim_settings s = settings_for(by);
    s.contact.is_on = 1;
    s.tolerance =
        by.form == TML_FORM_GENERALIZED ? 1e-12 : 1e-15;  // so that differences see no noise
    tml_derivatives* d = driven_run(m, &s, steps, 2.0);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_parameters(&e, TML_PARAMETER_FRICTION, b, 1);
        want_parameters(&e, TML_PARAMETER_RESTITUTION, b, 1);
    }
    if (tml_model_control_count(m) > 0) {
        e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, 0, 0, 1};
    }
    int kept = 0;
    for (int i = 0; i < e.parameter_count; i++) {
        if (!is_kink(&k, &e.parameters[i])) e.parameters[kept++] = e.parameters[i];
    }
    e.parameter_count = kept;
    motions(m, &e, steps);
    energies_and_coordinates(m, &e, steps);
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_quantities(&e, TML_QUANTITY_CONTACT_FORCE, b, 3, steps);
    }
    kept = 0;
    for (int i = 0; i < e.quantity_count; i++) {
        if (!is_forbidden(&k, &e.quantities[i])) e.quantities[kept++] = e.quantities[i];
    }
    e.quantity_count = kept;
    const double error = 1e-6;
    // differences of 1e-4, of 1e-5 of what spins: what rests stays within the slop of contacts, and labels
    // stay; of 1e-3 where contacts are iterated, which leaves 1e-14 m in a step
    const bool is_iterated = by.form != TML_FORM_GENERALIZED;
    const double small = is_iterated && !k.has_restitution ? 1e-3 : 1e-4;
    const double change = k.change > 0.0 ? k.change : k.has_spin ? 1e-5 : small;
    compare_touching(d, &e, change, error, k.has_overlap, what);
    compare_loads(d, m, &e, steps, change, is_iterated ? 1e-5 : 1e-6, &k, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

#endif
