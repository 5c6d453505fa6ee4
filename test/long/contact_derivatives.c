// test/long/contact_derivatives.c - derivatives by joint kind, parameter, integrator, formulation and what contacts do:
// a jointed pair of every kind of joint, one of which touches the ground.            [DCON (6)-(16), notes 1.2 1.5]
//
//     TRAMMEL_TEST_LONG=1 build/test/long_contact_derivatives
//     TRAMMEL_TEST_LONG=1 TRAMMEL_TEST_PART=3 build/test/long_contact_derivatives     method 3 of 11 alone
#include "test/diff/touching.h"

typedef enum contact_mode {
    MODE_STICK,
    MODE_SLIDE,
    MODE_PART,    // lands and is pulled off again
    MODE_BOUNCE,  // slipping
    MODE_RANK,    // three feet in a line that slide: what one of them carries the others could
    MODES
} contact_mode;

static const char* const mode_names[MODES] = {"stick", "slide", "part", "bounce", "rank"};
static const int mode_steps[MODES] = {4, 4, 3, 3, 3};

enum {
    FEET = 3
};

static bool is_fast(contact_mode mode)
{
    return mode == MODE_SLIDE || mode == MODE_BOUNCE || mode == MODE_RANK;
}

static double friction_of(contact_mode mode) { return is_fast(mode) ? 0.2 : 1.0; }

// Does the end of a step decide what lands in it?
static bool is_end_decided(method by)
{
    return by.form == TML_FORM_QUATERNION ||
           (by.form == TML_FORM_AFFINE && by.integrator != TML_TIME_ENERGY);
}

// m; what is pulled off again must land in the first step, and not just reach the ground
static double gap_of(contact_mode mode, method by)
{
    if (mode != MODE_PART) return 0.0021;
    return is_end_decided(by) || by.form == TML_FORM_GENERALIZED ? 0.001 : 0.0015;
}

static tml_vec3 velocity_of(contact_mode mode)
{
    return is_fast(mode) ? v3(2.0, 1.0, -0.5) : v3(0.05, 0.02, -0.5);
}

static tml_body add_foot(tml_spec* spec, contact_mode mode, double gap)
{
    const double friction = friction_of(mode);
    tml_shape_def feet[FEET];
    for (int k = 0; k < FEET; k++) {
        feet[k] = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), friction);
        feet[k].restitution = mode == MODE_BOUNCE ? 0.6 : 0.0;
        if (mode == MODE_RANK) feet[k].pose.p.x = 0.15 * (k - 1);
    }
    tml_body_def body = tml_body_def_default();
    body.name = "foot";
    body.mass = 4.0;
    body.inertia[0] = 0.017;
    body.inertia[1] = 0.021;
    body.inertia[2] = 0.019;
    body.pose.p.z = 0.1 + gap;
    body.velocity.linear = velocity_of(mode);
    body.shapes = feet;
    body.shape_count = mode == MODE_RANK ? FEET : 1;
    return tml_spec_add_body(spec, &body);
}

// What the foot carries; three feet in a line rest with it, moving along: beside an impact that tilts them, forces of rows
// that depend on each other may not settle, which steps tell (unsettled_steps).
static tml_body add_load(tml_spec* spec, contact_mode mode)
{
    tml_body_def body = tml_body_def_default();
    if (mode != MODE_RANK) return add_rod(spec, "load", (tml_vec3){0.1, 0.05, 0.5}, 1.3);
    body.name = "load";
    body.mass = 1.3;
    body.inertia[0] = 0.03;
    body.inertia[1] = 0.04;
    body.inertia[2] = 0.05;
    body.inertia[3] = 0.004;
    body.pose.p = (tml_vec3){0.03, 0.02, 0.5};
    body.velocity.linear = velocity_of(mode);
    return tml_spec_add_body(spec, &body);
}

// A foot and what it carries, sprung and damped along whatever their joint leaves free.
static tml_model* pair_by(tml_joint_kind kind, contact_mode mode, method by)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, friction_of(mode), 0.0);
    if (mode == MODE_PART) tml_spec_set_gravity(spec, v3(0.5, 0.0, 20.0));
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = add_foot(spec, mode, gap_of(mode, by));
    def.follower = add_load(spec, mode);
    def.position = (tml_vec3){0.02, 0.03, 0.3};
    def.axis = (tml_vec3){0.3, 1.0, 0.4};
    for (int k = 0; k < TML_AXES; k++) {
        const char* free = k < 3 ? tml_joint_kind_slides(kind) : tml_joint_kind_turns(kind);
        if (kind == TML_JOINT_FREE || strchr(free, "xyz"[k % 3]) == NULL) continue;
        def.axis_of[k].stiffness = 20.0 + k;
        def.axis_of[k].damping = 0.3 + 0.1 * k;
        def.axis_of[k].rest = 0.02;
    }
    tml_spec_add_joint(spec, &def);
    return build(spec);
}

// What the centre of mass of the foot does has a kink where it rests by a step that its end decides: beside the middle
// of its ball it strikes on one side (docs/derivatives.md).
static bool is_smooth(method by, contact_mode mode, const tml_parameter* p)
{
    if (p->kind == TML_PARAMETER_COM && p->index == 0 && is_end_decided(by)) return false;
    return p->kind != TML_PARAMETER_RESTITUTION || mode == MODE_BOUNCE;
}

static void list_parameters(const tml_model* m, method by, contact_mode mode, everything* e)
{
    memset(e, 0, sizeof *e);
    bodies_by_physics(m, e);
    everything_by_design(m, e);
    want_parameters(e, TML_PARAMETER_FRICTION, 0, 1);
    want_parameters(e, TML_PARAMETER_RESTITUTION, 0, 1);
    int kept = 0;
    for (int i = 0; i < e->parameter_count; i++) {
        if (is_smooth(by, mode, &e->parameters[i])) e->parameters[kept++] = e->parameters[i];
    }
    e->parameter_count = kept;
}

typedef struct tally {
    double error, dot;
    int worst;  // joint kind
    int left_out;
    long long pairs;
} tally;

// Where rows that depend on each other do not settle a step obeys its laws to what it reports, and differences of such
// steps are no reference: they are counted.
static void add_up(tml_derivatives* d, const everything* e, double change, tml_joint_kind kind,
                   contact_mode mode, const char* what, tally* t)
{
    tml_derivatives_report r;
    const tml_status status =
        tml_derivatives_check(d, change, e->parameter_count, e->parameters, e->quantity_count,
                              e->quantities, &r, table, sizeof table);
    if (status != TML_OK) printf("%s: %s\n", what, tml_derivatives_message(d));
    CHECK(status == TML_OK);
    if (status != TML_OK) return;
    t->dot = fmax(t->dot, r.dot_product);
    if (mode == MODE_RANK && tml_derivatives_last_flags(d).unsettled_steps > 0) {
        t->left_out++;
        return;
    }
    if (r.largest_error > 1e-6 && getenv("TRAMMEL_TEST_PRINT") != NULL) {
        printf("%s\n%s\n", what, table);
    }
    t->pairs += r.pair_count;
    if (!(r.largest_error > t->error)) return;
    t->error = r.largest_error;
    t->worst = (int)kind;
}

// Differences of what iterated contacts leave, 1e-14 m in a step, show below 1e-3; what lands, parts and bounces does so in
// another way beyond.
static double change_of(method by, contact_mode mode)
{
    if (by.form == TML_FORM_GENERALIZED || mode == MODE_RANK) return 1e-4;
    return mode == MODE_PART || mode == MODE_BOUNCE ? 2e-4 : 1e-3;
}

// Motions, energies and coordinates; and forces of contacts, which iterated contacts know to what they leave of a gap
// over h^2.
static void compare(tml_joint_kind kind, contact_mode mode, method by, tally* motion, tally* force)
{
    static everything e;
    char what[128];
    const int steps = mode_steps[mode];
    const bool is_iterated = by.form != TML_FORM_GENERALIZED;
    tml_model* m = pair_by(kind, mode, by);
    tml_sim_settings s = settings_for(by);
    snprintf(what, sizeof what, "%s, %s, %s %s", tml_joint_kind_name(kind), mode_names[mode],
             tml_formulation_name(by.form), tml_integrator_name(by.integrator));
    s.contact.is_on = 1;
    s.tolerance = is_iterated ? 1e-15 : 1e-12;
    tml_derivatives* d = remembered(m, &s, steps);
    list_parameters(m, by, mode, &e);
    motions(m, &e, steps);
    energies_and_coordinates(m, &e, steps);
    add_up(d, &e, change_of(by, mode), kind, mode, what, motion);
    e.quantity_count = 0;
    want_quantities(&e, TML_QUANTITY_CONTACT_FORCE, 0, 3, steps);
    if (mode != MODE_PART) add_up(d, &e, change_of(by, mode), kind, mode, what, force);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

static const char* worst_of(const tally* t)
{
    return t->worst >= 0 ? tml_joint_kind_name((tml_joint_kind)t->worst) : "none";
}

static const method methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_BDF3, TML_START_ACCURATE},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, TML_START_ACCURATE},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE},
    {TML_FORM_GENERALIZED, TML_TIME_FORWARD_EULER, TML_START_ACCURATE},
};

TEST(every_joint_that_touches_has_its_table)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("set TRAMMEL_TEST_LONG=1");
    const char* part = getenv("TRAMMEL_TEST_PART");
    long long pairs = 0;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (part != NULL && atoi(part) != (int)i) continue;
        for (int mode = 0; mode < MODES; mode++) {
            tally motion = {.worst = -1};
            tally force = {.worst = -1};
            for (int kind = 0; kind < TML_JOINT_KINDS; kind++) {
                compare((tml_joint_kind)kind, (contact_mode)mode, methods[i], &motion, &force);
            }
            pairs += motion.pairs + force.pairs;
            printf(
                "%s %s, %s: error %.1e (%s), contact forces %.1e (%s), dot product %.1e, %d left "
                "out\n",
                tml_formulation_name(methods[i].form), tml_integrator_name(methods[i].integrator),
                mode_names[mode], motion.error, worst_of(&motion), force.error, worst_of(&force),
                fmax(motion.dot, force.dot), motion.left_out);
            CHECK(motion.error <= (mode == MODE_PART ? 5e-6 : 2e-6));
            CHECK(force.error <= 2e-5);
            CHECK(motion.left_out < TML_JOINT_KINDS);
            CHECK(motion.dot <= 1e-12 && force.dot <= 1e-9);
        }
    }
    printf("%lld pairs\n", pairs);
}
