// scenes/panda.c - a manipulator picks up boxes and stacks them.                   [MABD Fig 21]
//
// An arm of seven hinges with the lengths and masses of a Franka Panda (the solids are capsules), and a
// hand with two fingers. Key frames say where the hand should be; inverse kinematics turns them into
// joint angles, and servos follow these. Weights are compensated, as the arm's own controller does.
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <math.h>
#include <stdio.h>

enum {
    HINGES = 7,
    HAND = HINGES,  // bodies: the links, the hand, two fingers
    FINGERS = HAND + 1,
    PARTS = FINGERS + 2,
    BOXES = 4,
    PHASES = 8,   // of one box
    SAMPLES = 8,  // of a phase
    TIMES = BOXES * PHASES * SAMPLES + 1,
};

static const double edge = 0.05;  // m, of a box
static const double gravity = 9.81;
static const double duration[PHASES] = {1.0, 0.6, 0.4, 0.6, 1.0, 0.6, 0.4, 0.5};  // s

// ---- the arm

typedef struct arm_shape {
    tml_vec3 point[PARTS];  // of the joint before each part
    tml_vec3 axis[PARTS];
    tml_vec3 tool;  // between the fingertips
} arm_shape;

// A turn by a number of eighths of a full one about an axis, 0 to 3 either way.
static tml_quat turn_eighths(tml_vec3 axis, int eighths)
{
    const double root = sqrt(2.0);
    const double c[4] = {1.0, 0.5 * sqrt(2.0 + root), 0.5 * root, 0.5 * sqrt(2.0 - root)};
    const int k = eighths < 0 ? -eighths : eighths;
    const double s = (eighths < 0 ? -1.0 : 1.0) * sqrt(1.0 - c[k] * c[k]);
    return (tml_quat){c[k], s * axis.x, s * axis.y, s * axis.z};
}

// Stretched upwards, hand down; then bent at three hinges, which leaves the hand as it was.
static arm_shape ready_arm(void)
{
    static const int eighths[HINGES] = {0, -1, 0, -3, 0, 2, 0};
    arm_shape a = {
        .point = {{0.0, 0.0, 0.333},
                  {0.0, 0.0, 0.333},
                  {0.0, 0.0, 0.649},
                  {0.0825, 0.0, 0.649},
                  {0.0, 0.0, 1.033},
                  {0.0, 0.0, 1.033},
                  {0.088, 0.0, 1.033},
                  {0.088, 0.0, 0.926},
                  {0.088, 0.045, 0.8676},
                  {0.088, -0.045, 0.8676}},
        .axis = {{0.0, 0.0, 1.0},
                 {0.0, 1.0, 0.0},
                 {0.0, 0.0, 1.0},
                 {0.0, -1.0, 0.0},
                 {0.0, 0.0, 1.0},
                 {0.0, -1.0, 0.0},
                 {0.0, 0.0, -1.0},
                 {0.0, 0.0, -1.0},
                 {0.0, -1.0, 0.0},
                 {0.0, 1.0, 0.0}},
        .tool = {0.088, 0.0, 0.8226},
    };
    for (int j = 0; j < HINGES; j++) {
        const tml_quat q = turn_eighths(a.axis[j], eighths[j]);
        const tml_vec3 about = a.point[j];
        for (int k = j + 1; k < PARTS; k++) {
            a.point[k] = sum(about, rotate(q, minus(a.point[k], about)));
            a.axis[k] = rotate(q, a.axis[k]);
        }
        a.tool = sum(about, rotate(q, minus(a.tool, about)));
    }
    return a;
}

// A body of a given mass: the shape is thinned until it weighs so much. The weight is held up.
static tml_body add_weightless(tml_spec* spec, const char* name, tml_shape_def* shape, double mass,
                               tml_vec3 at)
{
    const tml_body_def solid = body_of(name, shape, 1, 1.0, at);
    const tml_body_def def = body_of(name, shape, 1, mass / solid.mass, at);
    const tml_body body = tml_spec_add_body(spec, &def);
    tml_wrench_def lift = tml_wrench_def_default();
    char label[40];
    snprintf(label, sizeof label, "lift.%s", name);
    lift.name = label;
    lift.body = body;
    lift.point = def.com;
    lift.force[2] = tml_control_constant(gravity * def.mass);
    tml_spec_add_wrench(spec, &lift);
    return body;
}

// A link from its joint to the next; short ones get a short piece along their own axis.
static tml_shape_def link_shape(const arm_shape* a, int j)
{
    const tml_vec3 way = minus(a->point[j + 1], a->point[j]);
    const double least = 0.1;
    const tml_vec3 end = length_of(way) >= 0.5 * least ? way : scaled_by(-least, a->axis[j]);
    tml_shape_def shape = shape_strut(j < 4 ? 0.06 : 0.045, vec(0.0, 0.0, 0.0), end,
                                      j % 2 ? COLOR_LIGHT : COLOR_STEEL);
    shape.collide = 0;
    return shape;
}

static void servo(tml_joint_axis* axis, double stiffness, double damping, const tml_control* target)
{
    axis->has_servo = 1;
    axis->servo_stiffness = stiffness;
    axis->servo_damping = damping;
    axis->servo_target = target != NULL ? *target : tml_control_constant(0.0);
}

static void add_fingers(tml_spec* spec, const arm_shape* a, tml_body hand, const tml_control* grip,
                        tml_body* bodies)
{
    static const char* const names[2] = {"finger.left", "finger.right"};
    static const char* const slides[2] = {"slide.left", "slide.right"};
    for (int i = 0; i < 2; i++) {
        const int part = FINGERS + i;
        // tips about the tool's height, inner faces 4 cm from the middle
        const tml_vec3 size = vec(0.02, 0.01, 0.04);
        const tml_vec3 centre = vec(0.0, 0.0, a->tool.z - a->point[part].z);
        tml_shape_def pad = rough(shape_box(size, centre, COLOR_DARK), 1.0, 0.0);
        bodies[part] = add_weightless(spec, names[i], &pad, 0.015, a->point[part]);
        tml_joint_def slide = joint_of(slides[i], TML_JOINT_PRISMATIC, hand, bodies[part],
                                       a->point[part], a->axis[part]);
        tml_joint_axis* x = &slide.axis_of[TML_AXIS_TX];
        x->has_limits = 1;
        x->lower = -0.001;
        x->upper = 0.04;
        servo(x, 2000.0, 40.0, grip);
        tml_spec_add_joint(spec, &slide);
    }
}

// Without controls (NULL) the servos hold it where it stands.
static void add_arm(tml_spec* spec, const arm_shape* a, const tml_control* angles,
                    const tml_control* grip, tml_body* bodies)
{
    static const double masses[HINGES] = {4.970684, 0.646926, 3.228604, 3.587895,
                                          1.225946, 1.666555, 0.735522};
    static const double stiffness[HINGES] = {4500.0, 4500.0, 3500.0, 3500.0,
                                             2000.0, 2000.0, 2000.0};
    tml_body before = TML_WORLD;
    for (int j = 0; j < HINGES; j++) {
        char name[24];
        tml_shape_def shape = link_shape(a, j);
        snprintf(name, sizeof name, "link%d", j + 1);
        bodies[j] = add_weightless(spec, name, &shape, masses[j], a->point[j]);
        snprintf(name, sizeof name, "joint%d", j + 1);
        tml_joint_def hinge =
            joint_of(name, TML_JOINT_REVOLUTE, before, bodies[j], a->point[j], a->axis[j]);
        servo(&hinge.axis_of[TML_AXIS_RX], stiffness[j], 0.1 * stiffness[j],
              angles != NULL ? &angles[j] : NULL);
        tml_spec_add_joint(spec, &hinge);
        before = bodies[j];
    }
    tml_shape_def palm = shape_box(vec(0.05, 0.2, 0.05), vec(0.0, 0.0, -0.03), COLOR_LIGHT);
    palm.collide = 0;
    bodies[HAND] = add_weightless(spec, "hand", &palm, 0.73, a->point[HAND]);
    add_joint(spec, "flange", TML_JOINT_FIXED, before, bodies[HAND], a->point[HAND], a->axis[HAND]);
    add_fingers(spec, a, bodies[HAND], grip, bodies);
}

// ---- where the hand goes

static tml_vec3 start_of(int box) { return vec(0.5, -0.3 + 0.12 * box, 0.5 * edge); }
static tml_vec3 place_of(int box) { return vec(0.45, 0.24, (0.5 + box) * edge + 5e-4); }
static tml_vec3 above(tml_vec3 a) { return vec(a.x, a.y, a.z + 0.12); }

typedef struct plan {
    double time[TIMES];
    double hand[3][TIMES];
    double grip[TIMES];  // m, that each finger is told to close by
    double angle[HINGES][TIMES];
} plan;

// Smoothly from one key frame to the next: down, close, up, over, down, open, up, for each box.
static void fill_plan(plan* p, tml_vec3 from)
{
    double t = 0.0;
    int n = 0;
    double closed = 0.0;
    p->time[0] = 0.0;
    p->grip[0] = 0.0;
    for (int box = 0; box < BOXES; box++) {
        const tml_vec3 a = start_of(box);
        const tml_vec3 b = place_of(box);
        const tml_vec3 keys[PHASES] = {
            above(a), a, a, above(b).z > above(a).z ? vec(a.x, a.y, above(b).z) : above(a),
            above(b), b, b, above(b)};
        const double grips[PHASES] = {0.0, 0.0, 0.03, 0.03, 0.03, 0.03, 0.0, 0.0};
        for (int phase = 0; phase < PHASES; phase++) {
            for (int i = n == 0 ? 0 : 1; i <= SAMPLES; i++) {
                const double u = (double)i / SAMPLES;
                const double s = u * u * (3.0 - 2.0 * u);
                const tml_vec3 x = sum(scaled_by(1.0 - s, from), scaled_by(s, keys[phase]));
                p->time[n] = t + u * duration[phase];
                p->hand[0][n] = x.x;
                p->hand[1][n] = x.y;
                p->hand[2][n] = x.z;
                p->grip[n++] = closed + s * (grips[phase] - closed);
            }
            t += duration[phase];
            from = keys[phase];
            closed = grips[phase];
        }
    }
}

static tml_control table_of(const plan* p, const double* samples)
{
    tml_control c = {.kind = TML_CONTROL_CUBIC, .count = TIMES};
    c.times = p->time;
    c.samples = samples;
    return c;
}

// The angles by inverse kinematics, the hand upright all the way. A failure stays in the spec as a joint
// angle that is no number, which it refuses.
static tml_status solve_plan(const arm_shape* a, plan* p)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_ik* ik = NULL;
    tml_body bodies[PARTS];
    tml_target target = tml_target_default();
    const tml_assemble_settings settings = tml_assemble_settings_default();

    add_arm(spec, a, NULL, NULL, bodies);
    target.body = bodies[HAND];
    target.point = minus(a->tool, a->point[HAND]);
    target.has_position = target.has_orientation = 1;
    for (int k = 0; k < 3; k++) target.position[k] = table_of(p, p->hand[k]);
    target.orientation = turn_none();
    tml_status status = tml_spec_build(spec, &model);
    if (status == TML_OK) status = tml_ik_create(model, &target, 1, &settings, &ik);
    for (int i = 0; i < TIMES && status == TML_OK; i++) {
        status = tml_ik_solve(ik, p->time[i]);
        for (int j = 0; j < HINGES; j++) {
            p->angle[j][i] = tml_ik_coordinate(ik, (tml_joint){j}, TML_AXIS_RX);
        }
    }
    tml_ik_destroy(ik);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return status;
}

void scene_panda_stack(tml_spec* spec, tml_run_settings* settings)
{
    const arm_shape a = ready_arm();
    plan p;
    tml_control angles[HINGES];
    tml_body bodies[PARTS];
    fill_plan(&p, a.tool);
    if (solve_plan(&a, &p) != TML_OK) p.angle[0][0] = (double)NAN;
    for (int j = 0; j < HINGES; j++) angles[j] = table_of(&p, p.angle[j]);
    const tml_control grip = table_of(&p, p.grip);

    add_floor(spec, 0.8);
    add_arm(spec, &a, angles, &grip, bodies);
    for (int i = 0; i < BOXES; i++) {
        static const int colors[BOXES] = {COLOR_RED, COLOR_BRASS, COLOR_GREEN, COLOR_BLUE};
        char name[24];
        snprintf(name, sizeof name, "box.%d", i);
        const tml_vec3 size = vec(edge, edge, edge);
        add_resting_body(spec, name,
                         rough(shape_box(size, vec(0.0, 0.0, 0.0), colors[i]), 0.8, 0.0), 400.0,
                         start_of(i));
    }
    touch_for(settings, 2e-3, p.time[TIMES - 1] + 1.0);
}
