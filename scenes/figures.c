// scenes/figures.c - three figures with as many bodies, joints, rows and motors as the published
// ones, whose designs are not public.                                              [QRBD Tab 5]
//
//                   hinge  rod  four-bar  coupled  bracket  drive    bodies / joints / rows   rank
//   iron-man-like     2     22      3        22       30      0       151 / 198 / 981         906
//   gazelle-like     14      5      1         1        4      2        38 /  45 / 236         228
//   satellite-like    1      0      0        12        0      6        26 /  37 / 192         150
//
// x points forwards, y to the left and z up. Every motor swings by 0.2 rad twice in two seconds,
// one way or the other, starting at rest.
#include "scenes/builders.h"
#include "scenes/figure.h"

#include <stdio.h>

static const tml_vec3 x_axis = {1.0, 0.0, 0.0};
static const tml_vec3 y_axis = {0.0, 1.0, 0.0};
static const tml_vec3 z_axis = {0.0, 0.0, 1.0};
static const double amplitude = 0.2;  // rad

// A side of the body: +1 left, -1 right.
static const char* side_name(int side) { return side > 0 ? "left" : "right"; }

// The name of a part of one side. The text lives as long as the caller's `text`.
static const char* sided(char text[48], int side, const char* part)
{
    snprintf(text, 48, "%s_%s", side_name(side), part);
    return text;
}

static tml_vec3 mirrored(int side, double x, double y, double z) { return vec(x, side * y, z); }

// ---- the iron man: every limb on a crank and rod, fingers and flaps on parallelograms, plates
//      bolted on

// A limb of one side, driven by a rod: where it starts and ends, and where its crank sits from the
// hinge.
typedef struct rod_limb {
    const char* name;
    tml_vec3 hinge, tip, crank;  // of the left side
    tml_vec3 axis;
    double radius;
} rod_limb;

static limb add_rod_limb(figure* f, int side, tml_body base, const rod_limb* r, double swing_by)
{
    char name[48];
    const tml_vec3 hinge = mirrored(side, r->hinge.x, r->hinge.y, r->hinge.z);
    const limb_def def = {
        .name = sided(name, side, r->name),
        .base = base,
        .hinge = hinge,
        .tip = mirrored(side, r->tip.x, r->tip.y, r->tip.z),
        .axis = r->axis,
        .radius = r->radius,
        .amplitude = swing_by,
        .color = COLOR_RED,
    };

    return figure_add_rod(f, &def, sum(hinge, mirrored(side, r->crank.x, r->crank.y, r->crank.z)));
}

// A plate in front of a limb.
static void add_plate(figure* f, int side, const char* part, tml_body body, tml_vec3 centre)
{
    char name[48];

    figure_add_bracket(f, sided(name, side, part), body,
                       mirrored(side, centre.x, centre.y, centre.z), vec(0.02, 0.06, 0.08),
                       COLOR_BRASS);
}

// Two phalanges of each of four fingers, all moved by the knuckles.
static void add_fingers(figure* f, int side, const limb* knuckles)
{
    for (int finger = 0; finger < 4; finger++) {
        const double y = side * (0.27 + 0.02 * finger);
        char name[48];
        char part[32];
        snprintf(part, sizeof part, "finger.%d.middle", finger);
        const limb_def middle = {.name = sided(name, side, part),
                                 .hinge = {0.02, y, 0.79},
                                 .tip = {0.02, y, 0.76},
                                 .axis = y_axis,
                                 .radius = 0.006,
                                 .color = COLOR_BRASS};
        const limb first = figure_add_coupled(f, knuckles, &middle, 0.01, COUPLED_PASSIVE);
        snprintf(part, sizeof part, "finger.%d.tip", finger);
        const limb_def tip = {.name = sided(name, side, part),
                              .hinge = {0.02, y, 0.76},
                              .tip = {0.02, y, 0.735},
                              .axis = y_axis,
                              .radius = 0.006,
                              .color = COLOR_BRASS};
        figure_add_coupled(f, &first, &tip, 0.01, COUPLED_PASSIVE);
    }
}

static void add_arm(figure* f, int side, tml_body chest)
{
    static const rod_limb parts[5] = {
        {"shoulder", {0, 0.22, 1.45}, {0, 0.3, 1.45}, {-0.1, 0, 0.04}, {0, 1, 0}, 0.04},
        {"upper_arm", {0, 0.3, 1.45}, {0, 0.3, 1.15}, {0, -0.04, 0.1}, {1, 0, 0}, 0.04},
        {"forearm", {0, 0.3, 1.15}, {0.02, 0.3, 0.9}, {-0.02, 0, 0.15}, {0, 1, 0}, 0.035},
        {"palm", {0.02, 0.3, 0.9}, {0.02, 0.3, 0.82}, {-0.02, 0, 0.12}, {0, 1, 0}, 0.03},
        {"knuckles", {0.02, 0.3, 0.82}, {0.02, 0.3, 0.79}, {-0.01, 0, 0.06}, {0, 1, 0}, 0.015},
    };
    limb arm[5];
    tml_body base = chest;

    for (int i = 0; i < 5; i++) {
        arm[i] = add_rod_limb(f, side, base, &parts[i], i % 2 ? -amplitude : side * amplitude);
        base = arm[i].body;
    }
    add_fingers(f, side, &arm[4]);
    add_plate(f, side, "shoulder_plate", arm[0].body, vec(0.05, 0.26, 1.45));
    add_plate(f, side, "upper_arm_plate", arm[1].body, vec(0.05, 0.3, 1.3));
    add_plate(f, side, "forearm_plate", arm[2].body, vec(0.06, 0.3, 1.02));
    add_plate(f, side, "palm_plate", arm[3].body, vec(0.06, 0.3, 0.86));
    add_plate(f, side, "knuckle_plate", arm[4].body, vec(0.05, 0.3, 0.8));
}

static void add_leg(figure* f, int side, tml_body pelvis)
{
    static const rod_limb parts[5] = {
        {"hip", {0, 0.1, 0.95}, {0, 0.1, 0.9}, {0, 0.02, 0.1}, {1, 0, 0}, 0.05},
        {"thigh", {0, 0.1, 0.9}, {0, 0.1, 0.52}, {-0.1, 0, 0.04}, {0, 1, 0}, 0.06},
        {"shin", {0, 0.1, 0.52}, {0, 0.1, 0.12}, {-0.04, 0, 0.18}, {0, 1, 0}, 0.05},
        {"foot", {0, 0.1, 0.12}, {0.12, 0.1, 0.04}, {-0.04, 0, 0.15}, {0, 1, 0}, 0.03},
        {"toe", {0.12, 0.1, 0.04}, {0.2, 0.1, 0.03}, {-0.08, 0, 0.04}, {0, 1, 0}, 0.02},
    };
    static const struct {
        const char* name;
        int part;
        tml_vec3 centre;
    } plates[7] = {
        {"hip_plate", 0, {0.06, 0.1, 0.92}},         {"thigh_upper_plate", 1, {0.08, 0.1, 0.78}},
        {"thigh_lower_plate", 1, {0.08, 0.1, 0.62}}, {"shin_upper_plate", 2, {0.07, 0.1, 0.4}},
        {"shin_lower_plate", 2, {0.07, 0.1, 0.24}},  {"foot_plate", 3, {0.1, 0.1, 0.12}},
        {"toe_plate", 4, {0.18, 0.1, 0.08}},
    };
    limb leg[5];
    tml_body base = pelvis;

    for (int i = 0; i < 5; i++) {
        leg[i] = add_rod_limb(f, side, base, &parts[i], i % 2 ? side * amplitude : amplitude);
        base = leg[i].body;
    }
    for (int i = 0; i < 7; i++) {
        add_plate(f, side, plates[i].name, leg[plates[i].part].body, plates[i].centre);
    }
}

// A flap on a four-bar, and two more that fold out with it.
typedef struct flap_def {
    const char* name;
    tml_body base;
    tml_vec3 hinge, step, crank;  // step: from hinge to hinge; crank: from the hinge
} flap_def;

static void add_flaps(figure* f, const flap_def* flap)
{
    tml_vec3 hinge = flap->hinge;
    limb last = {{0}, {0}, {0, 0, 0}, {0, 0, 0}, 0.0};

    for (int i = 0; i < 3; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s.%d", flap->name, i);
        const limb_def def = {.name = name,
                              .base = flap->base,
                              .hinge = hinge,
                              .tip = sum(hinge, flap->step),
                              .axis = y_axis,
                              .radius = 0.012,
                              .amplitude = amplitude,
                              .color = COLOR_STEEL};
        last = i == 0 ? figure_add_four_bar(f, &def, sum(hinge, flap->crank))
                      : figure_add_coupled(f, &last, &def, 0.03, COUPLED_PASSIVE);
        hinge = def.tip;
    }
}

void scene_iron_man_like(tml_spec* spec, tml_run_settings* settings)
{
    static const rod_limb pad = {"pad",           {-0.02, 0.2, 1.54}, {-0.02, 0.3, 1.57},
                                 {0, -0.1, 0.03}, {1, 0, 0},          0.03};
    figure f = {spec, 1};
    const tml_vec3 plate = vec(0.02, 0.16, 0.16);

    const tml_body pelvis = figure_add_bracket(&f, "pelvis", TML_WORLD, vec(0.0, 0.0, 1.0),
                                               vec(0.16, 0.3, 0.16), COLOR_DARK);
    const limb_def chest_def = {"chest", pelvis, {0.0, 0.0, 1.1}, {0.0, 0.0, 1.5},
                                z_axis,  0.12,   amplitude,       COLOR_RED};
    const limb chest = figure_add_hinge(&f, &chest_def);
    const limb_def head_def = {"head", chest.body, {0.0, 0.0, 1.55}, {0.0, 0.0, 1.75},
                               z_axis, 0.08,       -amplitude,       COLOR_RED};
    const limb head = figure_add_hinge(&f, &head_def);
    for (int side = 1; side >= -1; side -= 2) {
        add_arm(&f, side, chest.body);
        add_rod_limb(&f, side, chest.body, &pad, side * amplitude);
        add_leg(&f, side, pelvis);
    }

    const flap_def flaps[3] = {
        {"left_flap", chest.body, {-0.14, 0.1, 1.45}, {-0.03, 0.0, -0.12}, {0.08, 0.0, -0.06}},
        {"right_flap", chest.body, {-0.14, -0.1, 1.45}, {-0.03, 0.0, -0.12}, {0.08, 0.0, -0.06}},
        {"mask", head.body, {0.09, 0.0, 1.74}, {0.01, 0.0, -0.06}, {-0.08, 0.0, 0.03}}};
    for (int i = 0; i < 3; i++) add_flaps(&f, &flaps[i]);

    figure_add_bracket(&f, "chest_plate", chest.body, vec(0.14, 0.0, 1.4), plate, COLOR_BRASS);
    figure_add_bracket(&f, "belly_plate", chest.body, vec(0.14, 0.0, 1.2), plate, COLOR_RED);
    figure_add_bracket(&f, "back_plate", chest.body, vec(-0.13, 0.0, 1.2), plate, COLOR_RED);
    figure_add_bracket(&f, "crown", head.body, vec(0.0, 0.0, 1.84), vec(0.1, 0.1, 0.02), COLOR_RED);
    figure_add_bracket(&f, "nape", head.body, vec(-0.09, 0.0, 1.65), vec(0.02, 0.1, 0.12),
                       COLOR_RED);
    run_for(settings, 0.033, 10.0);
}

// ---- the gazelle: legs of three driven hinges and a hoof on a crank and rod; a neck whose
//      parallelogram keeps the head level and has two more motors than it needs

static void add_gazelle_leg(figure* f, tml_body trunk, const char* name, tml_vec3 hip,
                            double stride)
{
    static const char* const parts[3] = {"hip", "thigh", "shin"};
    static const double ends[4] = {0.0, -0.08, -0.4, -0.75};  // below the hip, m
    static const double radii[3] = {0.04, 0.035, 0.025};
    // outwards, forwards, and the shin back against it
    const double motion[3] = {hip.y > 0.0 ? amplitude : -amplitude, stride, -stride};
    tml_body base = trunk;
    char text[48];

    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s.%s", name, parts[i]);
        const limb_def def = {.name = text,
                              .base = base,
                              .hinge = sum(hip, vec(0.0, 0.0, ends[i])),
                              .tip = sum(hip, vec(0.0, 0.0, ends[i + 1])),
                              .axis = i == 0 ? x_axis : y_axis,
                              .radius = radii[i],
                              .amplitude = motion[i],
                              .color = i == 0 ? COLOR_STEEL : COLOR_BRASS};
        base = figure_add_hinge(f, &def).body;
    }
    snprintf(text, sizeof text, "%s.hoof", name);
    const limb_def hoof = {.name = text,
                           .base = base,
                           .hinge = sum(hip, vec(0.0, 0.0, ends[3])),
                           .tip = sum(hip, vec(0.05, 0.0, -0.84)),
                           .axis = y_axis,
                           .radius = 0.02,
                           .amplitude = stride,
                           .color = COLOR_DARK};
    figure_add_rod(f, &hoof, sum(hoof.hinge, vec(-0.03, 0.0, 0.15)));
}

static void add_gazelle_head(figure* f, tml_body trunk)
{
    const limb_def neck_def = {"neck", trunk, {0.5, 0.0, 1.0}, {0.65, 0.0, 1.3},
                               y_axis, 0.05,  amplitude,       COLOR_BRASS};
    const limb neck = figure_add_hinge(f, &neck_def);
    const limb_def poll_def = {"poll", trunk, {0.65, 0.0, 1.3}, {0.72, 0.0, 1.34}, y_axis,
                               0.04,   0.0,   COLOR_STEEL};
    const limb poll = figure_add_coupled(f, &neck, &poll_def, 0.06, COUPLED_BOTH);
    const limb_def head_def = {"head", poll.body, {0.72, 0.0, 1.34}, {0.9, 0.0, 1.3},
                               z_axis, 0.05,      -amplitude,        COLOR_BRASS};
    const limb head = figure_add_hinge(f, &head_def);
    const limb_def jaw_def = {"jaw",  head.body, {0.75, 0.0, 1.27}, {0.9, 0.0, 1.22},
                              y_axis, 0.02,      amplitude,         COLOR_DARK};

    figure_add_four_bar(f, &jaw_def, vec(0.76, 0.0, 1.37));
    figure_add_bracket(f, "horns", head.body, vec(0.74, 0.0, 1.48), vec(0.03, 0.12, 0.2),
                       COLOR_DARK);
}

void scene_gazelle_like(tml_spec* spec, tml_run_settings* settings)
{
    figure f = {spec, 2};
    const tml_body trunk = figure_add_bracket(&f, "trunk", TML_WORLD, vec(0.1, 0.0, 0.95),
                                              vec(0.8, 0.26, 0.28), COLOR_BRASS);
    const tml_body rump = figure_add_bracket(&f, "rump", trunk, vec(-0.4, 0.0, 0.95),
                                             vec(0.22, 0.24, 0.26), COLOR_LIGHT);
    const limb_def tail = {"tail", rump,  {-0.52, 0.0, 1.02}, {-0.6, 0.0, 0.88},
                           y_axis, 0.015, -amplitude,         COLOR_DARK};

    add_gazelle_leg(&f, trunk, "front_left", vec(0.4, 0.12, 0.88), amplitude);
    add_gazelle_leg(&f, trunk, "front_right", vec(0.4, -0.12, 0.88), -amplitude);
    add_gazelle_leg(&f, rump, "hind_left", vec(-0.4, 0.12, 0.88), -amplitude);
    add_gazelle_leg(&f, rump, "hind_right", vec(-0.4, -0.12, 0.88), amplitude);
    add_gazelle_head(&f, trunk);
    figure_add_rod(&f, &tail, vec(-0.44, 0.0, 1.06));
    figure_add_bracket(&f, "saddle", trunk, vec(0.1, 0.0, 1.12), vec(0.2, 0.28, 0.04), COLOR_RED);
    run_for(settings, 0.01, 10.0);
}

// ---- the satellite: a bus that floats and thirteen panels. The first is driven; a rod keeps each
//      of the others parallel to the one before the last. Six of their hinges have motors as well.

void scene_satellite_like(tml_spec* spec, tml_run_settings* settings)
{
    figure f = {spec, 3};
    const tml_body bus =
        figure_add_box(&f, "bus", vec(-0.4, 0.0, 0.0), vec(0.8, 0.6, 0.6), COLOR_BRASS);
    limb_def def = {"panel.0", bus,  {0.05, 0.0, 0.0}, {0.45, 0.0, 0.3},
                    y_axis,    0.02, amplitude,        COLOR_BLUE};
    limb last = figure_add_hinge(&f, &def);

    tml_spec_set_gravity(spec, vec(0.0, 0.0, 0.0));
    for (int i = 1; i <= 12; i++) {
        char name[48];
        snprintf(name, sizeof name, "panel.%d", i);
        def.name = name;
        def.hinge = def.tip;
        // up and down by turns, 3 : 4
        def.tip = sum(def.hinge, vec(0.4, 0.0, i % 2 ? -0.3 : 0.3));
        last = figure_add_coupled(&f, &last, &def, 0.12, i % 2 ? COUPLED_HINGE : COUPLED_PASSIVE);
    }
    run_for(settings, 0.033, 10.0);
}
