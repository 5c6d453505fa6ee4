// scenes/cloak.c - a net that is worn: 11 781 links over a figure that walks.             [MABD Fig 17]
//
// The figure is eleven capsules on joints that are driven along all their axes, by key frames: it is led, and
// the cloak never moves it. It stands for a second while the cloak falls onto its shoulders and arms; then it
// walks, a step in half a second.
#include "scenes/builders.h"
#include "scenes/nets.h"
#include "scenes/touching.h"

enum {
    KEYS = 21,    // of the recording, one each quarter of a second: four to a pair of steps,
    AT_REST = 5,  // the first ones standing
};

static const tml_vec3 origin = {0.0, 0.0, 0.0};

// One motion of the figure: each pair of steps it goes to one side, back, to the other and back.
typedef struct recording {
    double times[KEYS];
    double samples[KEYS];
} recording;

static double time_of(int key) { return 0.25 * key; }

// The first pair of steps is half as wide.
static recording sway(double amplitude, int is_opposite)
{
    recording r;
    for (int k = 0; k < KEYS; k++) {
        const int phase = k < AT_REST ? 0 : k % 4;
        const double side = phase == 1 ? 1.0 : phase == 3 ? -1.0 : 0.0;
        const double size = k < AT_REST + 4 ? 0.5 * amplitude : amplitude;
        r.times[k] = time_of(k);
        r.samples[k] = is_opposite ? -side * size : side * size;
    }
    return r;
}

// Twice a pair of steps: up where the legs are together.
static recording bob(double amplitude)
{
    recording r;
    for (int k = 0; k < KEYS; k++) {
        r.times[k] = time_of(k);
        r.samples[k] = k >= AT_REST && k % 2 == 1 ? -amplitude : 0.0;
    }
    return r;
}

// Ahead, gathering speed over the first pair of steps.
static recording stroll(double speed)
{
    recording r;
    for (int k = 0; k < KEYS; k++) {
        const double t = time_of(k) - 1.0;
        r.times[k] = time_of(k);
        r.samples[k] = t <= 0.0 ? 0.0 : t < 1.0 ? 0.5 * speed * t * t : speed * (t - 0.5);
    }
    return r;
}

static tml_control follow(const recording* r)
{
    return (tml_control){
        .kind = TML_CONTROL_CUBIC, .count = KEYS, .times = r->times, .samples = r->samples};
}

// ---- the figure

// A capsule from one point to another, on a joint at `at` that is driven about `axis`.
typedef struct limb {
    const char* name;
    tml_vec3 from, to;
    double radius;
    tml_vec3 at, axis;
    double swing;  // rad
    int is_opposite;
} limb;

static tml_body add_part(tml_spec* spec, const limb* p)
{
    tml_shape_def shape =
        rough(shape_capsule(p->radius, length_of(minus(p->to, p->from)), origin,
                            turn_z_along(unit_of(minus(p->to, p->from))), COLOR_BLUE),
              0.6, 0.0);
    shape.group = 2;  // the parts of the figure do not touch each other
    return add_resting_body(spec, p->name, shape, 1000.0, middle_of(p->from, p->to));
}

static tml_body add_limb(tml_spec* spec, tml_body base, const limb* p)
{
    const recording r = sway(p->swing, p->is_opposite);
    const tml_body body = add_part(spec, p);
    tml_joint_def joint = joint_of(p->name, TML_JOINT_REVOLUTE, base, body, p->at, p->axis);
    joint.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    joint.axis_of[TML_AXIS_RX].control = follow(&r);
    tml_spec_add_joint(spec, &joint);
    return body;
}

static tml_body add_pelvis(tml_spec* spec)
{
    const limb pelvis = {
        .name = "pelvis", .from = {0.0, -0.08, 0.95}, .to = {0.0, 0.08, 0.95}, .radius = 0.13};
    const recording ahead = stroll(0.4);
    const recording aside = sway(0.03, 0);
    const recording up = bob(0.03);
    const recording turn = sway(0.15, 0);
    const tml_body body = add_part(spec, &pelvis);
    tml_joint_def joint =
        joint_of("root", TML_JOINT_FREE, TML_WORLD, body, vec(0.0, 0.0, 0.95), vec(1.0, 0.0, 0.0));
    for (int k = 0; k < TML_AXES; k++) {
        joint.axis_of[k].actuation = TML_POSITION;
        joint.axis_of[k].control = tml_control_constant(0.0);
    }
    joint.axis_of[TML_AXIS_TX].control = follow(&ahead);
    joint.axis_of[TML_AXIS_TY].control = follow(&aside);
    joint.axis_of[TML_AXIS_TZ].control = follow(&up);
    joint.axis_of[TML_AXIS_RZ].control = follow(&turn);
    tml_spec_add_joint(spec, &joint);
    return body;
}

static void add_side(tml_spec* spec, tml_body pelvis, tml_body chest, int is_left)
{
    static const char* const names[2][4] = {
        {"upper_arm.right", "lower_arm.right", "upper_leg.right", "lower_leg.right"},
        {"upper_arm.left", "lower_arm.left", "upper_leg.left", "lower_leg.left"}};
    const char* const* name = names[is_left];
    const double s = is_left ? 1.0 : -1.0;
    const tml_vec3 up = {0.0, 0.0, 1.0};
    const tml_vec3 across = {0.0, 1.0, 0.0};
    // arms are held out to the sides and sweep to and fro, against the legs
    const limb upper_arm = {
        name[0], {0.0, 0.2 * s, 1.42}, {0.0, 0.45 * s, 1.38}, 0.05, {0.0, 0.2 * s, 1.42}, up, 0.35,
        !is_left};
    const limb lower_arm = {name[1],
                            {0.0, 0.45 * s, 1.38},
                            {0.0, 0.68 * s, 1.34},
                            0.045,
                            {0.0, 0.45 * s, 1.38},
                            up,
                            0.25,
                            !is_left};
    const limb upper_leg = {
        name[2], {0.0, 0.1 * s, 0.88}, {0.0, 0.1 * s, 0.5}, 0.08, {0.0, 0.1 * s, 0.88}, across, 0.4,
        is_left};
    const limb lower_leg = {
        name[3], {0.0, 0.1 * s, 0.5}, {0.0, 0.1 * s, 0.1}, 0.06, {0.0, 0.1 * s, 0.5}, across, 0.2,
        is_left};
    add_limb(spec, add_limb(spec, chest, &upper_arm), &lower_arm);
    add_limb(spec, add_limb(spec, pelvis, &upper_leg), &lower_leg);
}

static void add_figure(tml_spec* spec)
{
    const limb chest = {
        "chest", {0.0, 0.0, 1.1}, {0.0, 0.0, 1.35}, 0.14, {0.0, 0.0, 1.05}, {0.0, 0.0, 1.0}, 0.3,
        1};
    const limb head = {
        "head", {0.0, 0.0, 1.6}, {0.0, 0.0, 1.66}, 0.1, {0.0, 0.0, 1.5}, {0.0, 1.0, 0.0}, 0.1, 0};
    const tml_body pelvis = add_pelvis(spec);
    const tml_body trunk = add_limb(spec, pelvis, &chest);
    add_limb(spec, trunk, &head);
    add_side(spec, pelvis, trunk, 0);
    add_side(spec, pelvis, trunk, 1);
}

void scene_cloak(tml_spec* spec, tml_run_settings* settings)
{
    // rods are thin enough to hang between balls that touch: a rod that is touched is a roller, and spins
    const net_def net = {.name = "net",
                         .rows = 63,
                         .columns = 63,
                         .corner = {-0.775, -0.775, 1.78},
                         .pitch = 0.025,
                         .ball = 0.005,
                         .rod = 0.0025,
                         .density = 1000.0,
                         .friction = 0.6,
                         .group = 1};
    add_figure(spec);
    add_net(spec, &net);
    settings->sim.contact.max_contacts = 6000;
    settings->sim.contact.margin = 0.004;
    touch_softly(settings, 1e3, 0.01, 5.0);
}
