// scenes/scenes.c - the table of built-in scenes.
#include "scenes/scenes.h"

#include "scenes/builders.h"
#include "scenes/files.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const scene_entry entries[] = {
    {"pendulum",           "a rod on a hinge, released level; frame at its centre",          scene_pendulum},
    {"double-pendulum",    "two rods on hinges, chaotic; frames at their centres",           scene_double_pendulum},
    {"universal-pendulum", "a body on a universal joint; frame at its centre of mass",       scene_universal_pendulum},
    {"free-pendulum",      "the rod without gravity, turning ten degrees a step",            scene_free_pendulum},
    {"t-handle",           "a free body that flips over, turning about its middle axis",     scene_t_handle},
    {"heavy-top",          "a spinning top on its tip; frame at the centre of mass",         scene_heavy_top},
    {"heavy-top-150",      "a 15 kg top at 150 rad/s; frame at the centre of mass",          scene_heavy_top_150},
    {"flyball-governor",   "rods, slider and stiff springs on a free shaft; slider.pz rises", scene_flyball_governor},
    {"spherical-chain",    "20 links on spherical joints, released level",                   scene_spherical_chain},
    {"revolute-chain",     "20 links on hinges, released level",                             scene_revolute_chain},
    {"robot-arm",          "six driven hinges following smooth controls",                    scene_robot_arm},
    {"showcase",           "a motor drives a spatial slider-crank that swings a chain",      scene_showcase},
    {"gears",              "two wheels tied by a coupling, driven by a torque",              scene_gears},
    {"joint-zoo",          "one body for each of the twelve joints, side by side",           scene_joint_zoo},
    {"spring-net",         "a grid of bodies held by springs, no joints at all",             scene_spring_net},
    {"flap",               "a flap that swings between two stops",                           scene_flap},
    {"chaplygin-sleigh",   "a body on a blade that cannot slip: spinning, it runs straight",    scene_chaplygin_sleigh},
    {"rolling-disc",       "a tilted disc that rolls without slipping; its path wanders",      scene_rolling_disc},
    {"four-bar",            "a crank and rocker in a plane: 20 rows, 3 of them redundant",       scene_four_bar},
    {"bricard",             "six hinges around a cube: one freedom where counting says none",    scene_bricard},
    {"n-four-bar",          "forty parallelograms side by side, through their dead points",      scene_n_four_bar},
    {"andrews",             "Andrews' squeezer: seven plates, ten hinges, spring and motor",     scene_andrews},
    {"two-hinge-door",      "a door on two hinges that share its weight",                        scene_two_hinge_door},
    {"four-legged-table",   "a table on four feet, a weight near one corner",                    scene_four_legged_table},
    {"parallelogram-chain", "six parallelograms below each other; every plate stays level",      scene_parallelogram_chain},
    {"scissor-lift",        "two stacks of crossed bars under one platform, one foot driven",    scene_scissor_lift},
    {"jansen-leg",          "Theo Jansen's walking leg, driven by its crank",                    scene_jansen_leg},
    {"overactuated-leg",    "eight motors on the six freedoms of a leg",                         scene_overactuated_leg},
    {"stewart-platform",    "a platform on six legs of driven length",                           scene_stewart_platform},
    {"delta-robot",         "three driven arms and six rods; the platform only shifts",          scene_delta_robot},
    {"gear-train",          "a train 1 : 27 and a belt that says the same, lifting a weight",    scene_gear_train},
    {"rack-and-pinion",     "a steering: pinion, rack, tie rods and two wheels",                 scene_rack_and_pinion},
    {"hoberman-ring",       "twenty scissors in a ring that open as one",                        scene_hoberman_ring},
    {"hoberman-sphere",     "six rings, 240 bars, 547 redundant rows; thrown with a spin",       scene_hoberman_sphere},
    {"iron-man-like",       "151 bodies, 27 motors on rods, four-bars and parallelograms",       scene_iron_man_like},
    {"gazelle-like",        "a gazelle with 22 motors on 20 freedoms",                           scene_gazelle_like},
    {"satellite-like",      "a floating chain of thirteen panels, 7 motors on one freedom",      scene_satellite_like},
    // bodies that touch come last: scenes_untouched_count
    {"rolling-ball",        "thrown without spin it slides, then rolls at 5/7 of its speed",     scene_rolling_ball},
    {"bouncing-balls",      "four restitutions side by side",                                    scene_bouncing_balls},
    {"box-stack",           "ten boxes on each other, at rest",                                  scene_box_stack},
    {"slope",               "three boxes on a slope of 1 in 2; only the rough one holds",        scene_slope},
    {"dominoes",            "sixteen in a row, the first one pushed",                            scene_dominoes},
    {"newtons-cradle",      "five balls on rods, the first one lifted",                          scene_newtons_cradle},
    {"spinning-box",        "a box that slides and turns on its four corners",                   scene_spinning_box},
    {"gripper",             "two jaws close on a box and lift it",                               scene_gripper},
    {"jump-worm",           "a root that slides in a plane and three driven links",              scene_jump_worm},
    {"catapult",            "three driven links throw a box",                                    scene_catapult},
    {"ragdoll",             "a figure of ten limbs falls down a flight of stairs",               scene_ragdoll},
    {"jointed-pairs",       "eighteen pairs of boxes on ball joints fall into a container",      scene_jointed_pairs},
    {"pair-pile",           "two hundred such pairs",                                            scene_pair_pile},
    {"half-cheetah",        "a runner in a plane, 9 freedoms; falls onto its feet",              NULL},
    {"panda-stack",         "an arm led by inverse kinematics and servos stacks four boxes",     scene_panda_stack},
    {"atlas",               "a humanoid of 33 freedoms, held upright on twelve points",          NULL},
    // large ones: scenes_small_count
    {"falling-joints",      "720 pairs of boxes on four kinds of joints fall into a bowl",       scene_falling_joints},
    {"pulley",              "a chain of 1500 links over sheaves lifts an anchor and lets it go",  NULL},
    {"pulley-million",      "a weight falls on a chain of 1076748 links over 1961 sheaves",         NULL},
    {"backbone",            "14000 links are drawn from one key frame of ik to the next",           NULL},
    {"net-on-cylinder",     "a net of 10 x 10 points falls over a level cylinder",               scene_net_on_cylinder},
    {"cloak",               "a cloak of 11781 links on a figure that walks by key frames",       scene_cloak},
    {"net-catch",           "a net of 175 links catches a soft figure, then its ends are turned",  scene_net_catch},
    {"ragdolls",            "27 figures of 11 links fall on a net of 1160 links",                scene_ragdolls},
};
// clang-format on

int scenes_count(void) { return (int)(sizeof entries / sizeof entries[0]); }

int scenes_untouched_count(void)
{
    int count = 0;
    while (entries[count].build != scene_rolling_ball) count++;
    return count;
}

int scenes_small_count(void)
{
    int count = 0;
    while (entries[count].build != scene_falling_joints) count++;
    return count;
}

const scene_entry* scenes_at(int index) { return &entries[index]; }

const scene_entry* scenes_find(const char* name)
{
    for (int i = 0; i < scenes_count(); i++) {
        if (strcmp(entries[i].name, name) == 0) return &entries[i];
    }
    return NULL;
}

// A scene in JSON. Its name in the file is its name here.
static const scene_file* file_of(const char* name)
{
    char file[64];

    snprintf(file, sizeof file, "%s.json", name);
    for (int i = 0; i < scene_files_count; i++) {
        if (strcmp(scene_files[i].name, file) == 0) return &scene_files[i];
    }
    return NULL;
}

static tml_status fill_from_file(tml_scene* scene, const char* name)
{
    const scene_file* found = file_of(name);
    // an entry without its file: test/scenes builds them all
    if (found == NULL) return TML_BAD_ARGUMENT;
    return tml_scene_read_text(scene, (const char*)found->data, found->length, found->name);
}

const char* scenes_text(const scene_entry* entry)
{
    const scene_file* found = entry->build == NULL ? file_of(entry->name) : NULL;
    const char* text = found != NULL ? (const char*)found->data : NULL;
    return text != NULL && strstr(text, "\"generate\"") != NULL ? text : NULL;
}

tml_status scenes_fill(tml_scene* scene, const scene_entry* entry)
{
    tml_spec* spec = tml_scene_spec(scene);

    if (entry->build == NULL) return fill_from_file(scene, entry->name);
    tml_spec_set_name(spec, entry->name);
    entry->build(spec, tml_scene_settings(scene));
    return tml_spec_status(spec);
}
