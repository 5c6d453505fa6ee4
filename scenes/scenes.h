// scenes/scenes.h - the built-in scenes, for the tool, the tests, the examples and the benchmarks.
//
// A scene is written once, here, with the public headers only. `trammel scene NAME` prints it.
#ifndef TRAMMEL_SCENES_SCENES_H
#define TRAMMEL_SCENES_SCENES_H

#include <trammel/trammel.h>

typedef struct scene_entry {
    const char* name;
    const char* description;                                    // one line
    void (*build)(tml_spec* spec, tml_run_settings* settings);  // NULL: scenes/data/NAME.json
} scene_entry;

int scenes_count(void);
int scenes_untouched_count(void);  // of these, the first ones, in which nothing touches
int scenes_small_count(void);      // the first ones: the others have a thousand bodies and more
const scene_entry* scenes_at(int index);
const scene_entry* scenes_find(const char* name);  // NULL when there is none

// Fill an empty scene: name, bodies, joints, forces and how to run it. The status and the message
// are those of the scene's spec, or of the scene where it was read from JSON.
tml_status scenes_fill(tml_scene* scene, const scene_entry* entry);

// The text of a scene that is kept as generators, which are shorter than what they make; NULL for others.
const char* scenes_text(const scene_entry* entry);

// A chain of solid cylinders along body x, joined at their ends: "NAME.0", "NAME.1", ... Spherical
// joints, or revolute ones about y. The first hangs on `base` (TML_WORLD, or a body).
typedef enum chain_direction {
    CHAIN_HORIZONTAL,  // along +x
    CHAIN_HANGING,     // along -z
} chain_direction;

typedef struct scene_chain {
    const char* name;
    int links;
    tml_joint_kind joint;
    double length, radius, mass;  // of a link: m, m, kg
    tml_body base;
    tml_vec3 start;
    chain_direction direction;
} scene_chain;

tml_body scenes_add_chain(tml_spec* spec, const scene_chain* chain);  // answers the last link

#endif
