// model/spec.h - the inside of a spec: growing lists of definitions, each a deep copy.
//
// io/ reads these to write a scene back; everyone else goes through <trammel/model.h>.
#ifndef TML_MODEL_SPEC_H
#define TML_MODEL_SPEC_H

#include "base/message.h"
#include "base/pool.h"

#include <trammel/model.h>
#include <trammel/sensor.h>

// Two bodies that never touch.
typedef struct body_pair {
    tml_body a, b;
} body_pair;

// Where a joint's frames are not told by `position` and `axis` alone.
typedef struct joint_frames {
    int has_axes;
    tml_vec3 axes[3];
    int has_follower_frame;
    tml_vec3 follower_position;
    tml_vec3 follower_axis;
    int has_follower_axes;
    tml_vec3 follower_axes[3];
} joint_frames;

// A joint as it is kept: a tml_joint_def whose rare parts stand apart, so that a million plain joints
// are small. The names of the fields are those of tml_joint_def.
typedef struct joint_entry {
    const char* name;
    tml_joint_kind kind;
    char free_translation[4];
    char free_rotation[4];
    tml_body base;
    tml_body follower;
    int collide;
    tml_vec3 position;
    tml_vec3 axis;
    joint_frames* frames;     // NULL: no axes and no frame of the follower's own
    tml_joint_axis* axis_of;  // TML_AXES of them; NULL: all as in tml_joint_def_default
} joint_entry;

// Every pointer inside belongs to the pool of the spec or model that holds the lists.
typedef struct definitions {
    const char* name;
    tml_vec3 gravity;
    double rayleigh_mass;       // 1/s
    double rayleigh_stiffness;  // s
    int body_count;
    tml_body_def* bodies;
    int world_shape_count;
    tml_shape_def* world_shapes;
    int joint_count;
    joint_entry* joints;
    int coupling_count;
    tml_coupling_def* couplings;
    int nonholonomic_count;
    tml_nonholonomic_def* nonholonomics;
    int spring_count;
    tml_spring_def* springs;
    int wrench_count;
    tml_wrench_def* wrenches;
    int drag_count;
    tml_drag_def* drags;
    bool takes_larger_friction;
    int neighbours;  // bodies within so many joints do not touch; 0 is 1
    int exclude_count;
    struct body_pair* excludes;
    int pair_count;
    tml_pair_def* pairs;
    int deformable_count;
    tml_deformable_def* deformables;
    int sensor_count;
    tml_sensor_def* sensors;
} definitions;

struct tml_spec {
    definitions all;
    int body_capacity, world_shape_capacity, joint_capacity, coupling_capacity,
        nonholonomic_capacity, spring_capacity, wrench_capacity, drag_capacity, exclude_capacity,
        pair_capacity, deformable_capacity, sensor_capacity;
    struct name_table* body_names;  // name -> index
    struct name_table* joint_names;
    struct name_table* other_names;  // couplings, velocity rows and forces
    struct name_table* sensor_names;
    pool memory;
    tml_status status;  // the first refusal
    message why;
};

// Deep copies; NULL without memory. A count of 0 gives a valid pointer.
tml_shape_def* tml__shapes_copy(pool* memory, const tml_shape_def* shapes, int count);

// The same, or those of `last` where they are equal: a million equal links share one shape.
const tml_shape_def* tml__shapes_share(pool* memory, const tml_shape_def* shapes, int count,
                                       const tml_body_def* last);

// Into its small form and back. Controls are copied, tables and all; the name is only pointed to.
tml_status tml__joint_store(const tml_joint_def* def, pool* memory, joint_entry* out);
tml_joint_def tml__joint_expand(const joint_entry* entry);

// The joint frame as a rotation whose columns are a_x, a_y, a_z, and what is free.
// `where` is "base" or "follower" for the message.
tml_status tml__joint_axes(const tml_joint_def* def, int is_follower, tml_vec3 axes[3],
                           message* why);

#endif
