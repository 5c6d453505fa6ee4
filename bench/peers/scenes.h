// bench/peers/scenes.h - scenes that several benches run in every engine.
#ifndef TRAMMEL_BENCH_PEERS_SCENES_H
#define TRAMMEL_BENCH_PEERS_SCENES_H

#include "bench/peers/peer.h"

TML_BEGIN_C

// Links of 1 m and 1 kg along +x from the world's origin. Pinned at both ends they are a zigzag of +-45
// degrees, lying flat where joints are balls, standing where they are hinges, whose axes are all y.
void peer_add_chain(tml_spec* spec, tml_joint_kind kind, int links, int is_closed);

// Rhombic four-bars of such links, hinged at opposite corners, along +x from the world.  [VMAX Fig 6]
void peer_add_rhombi(tml_spec* spec, int segments);

// All of these answer NULL with a reason in `why`.

// Pairs of boxes of 20 x 10 x 10 cm and 2 kg, each pair held by a ball joint, falling in layers of 36
// into a container of 3.2 m, friction 0.5.
peer_scene* peer_scene_pile(int pairs, char* why);

// A robot model from a file, on its feet or floating; without drives, springs and limits.
peer_scene* peer_scene_robot(const char* path, int has_contact, char* why);

// A scene in JSON.
peer_scene* peer_scene_text(const char* text, int has_contact, char* why);

// What energies of a scene are stated in: its weight times half of its extent.
double peer_scene_scale(const peer_scene* scene);

TML_END_C

#endif
