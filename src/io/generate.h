// io/generate.h - what the generators of large systems share.
//
// A generator works in two passes: bodies when the list is read, joints when those of the file have
// been added. In between it keeps its parameters.
#ifndef TML_IO_GENERATE_H
#define TML_IO_GENERATE_H

#include "io/scene_internal.h"

typedef enum generator_type {
    GENERATE_CHAIN,
    GENERATE_NET,
    GENERATE_TREE,
    GENERATE_PULLEY,
} generator_type;

typedef enum chain_pose {
    POSE_HORIZONTAL,
    POSE_HANGING,
    POSE_ZIGZAG,
    POSE_COIL,
} chain_pose;

typedef enum net_pins {
    PINNED_EDGE,
    PINNED_CORNERS,
    PINNED_NONE,
} net_pins;

// A link is a solid cylinder along body x.
typedef struct link_size {
    double length;  // m
    double radius;  // m
    double mass;    // kg
} link_size;

typedef struct generator {
    struct generator* next;
    generator_type type;
    const json* at;
    const char* name;
    link_size link;
    int first_body;
    int links;  // chain and tree

    tml_joint_kind joint;  // chain: spherical or revolute
    tml_vec3 start;
    chain_pose pose;
    bool is_anchored, is_closed;
    double end_mass;  // kg; 0: none

    int rows, columns;  // net
    double pitch;       // m, between node centres
    net_pins pins;

    int sheaves;  // pulley
    double sheave_radius, height, friction;
    double start_mass;        // kg, of the first link, which nothing holds; 0: it is held
    double start_sink, sink;  // m: how deep the chain lies in the first and in the last sheave
    tml_control drive;        // of the start
    const tml_vec3* points;   // of the joints, the last the anchor's

    double seed;        // tree
    const int* parent;  // tree: link that carries each link; -1 for the first
} generator;

enum {
    MAX_GENERATED = 2000000,  // bodies of all generators of a scene
    BODY_BYTES = 3000,        // about, of each with its joint in the spec and the model
};

// A link or a joint of a generator, named NAME.INDEX and added with its line.
tml_body tml__add_link(reader* r, const generator* g, int index, double mass, tml_pose pose);
tml_joint tml__add_generated_joint(reader* r, const generator* g, int index, tml_joint_def* def);
tml_body tml__add_generated_body(reader* r, const generator* g, int index, tml_body_def* def);

void tml__chain_bodies(reader* r, generator* g);  // generate_chain.c
void tml__chain_joints(reader* r, const generator* g);
void tml__net_bodies(reader* r, generator* g);  // generate_net.c
void tml__net_joints(reader* r, const generator* g);
void tml__tree_bodies(reader* r, generator* g);  // generate_tree.c
void tml__tree_joints(reader* r, const generator* g);
void tml__pulley_bodies(reader* r, generator* g);  // generate_pulley.c
void tml__pulley_joints(reader* r, const generator* g);

#endif
