// io/write_robot.h - what the writers of MJCF and URDF share: the scene as a tree with loops.
//
// A tree joint hangs its follower on its base; joints that find their follower hanging already close
// loops. What neither format can say is refused by name, never left out.
#ifndef TML_IO_WRITE_ROBOT_H
#define TML_IO_WRITE_ROBOT_H

#include "base/pool.h"
#include "io/scene_internal.h"
#include "io/writer.h"
#include "math/pose.h"

enum {
    TREE_MAX_DEPTH = 100
};  // deeper trees nest deeper than XML readers go

// A joint as a chain of coordinates.
typedef struct joint_chain {
    pose base;      // its frame in the base's body frame
    pose follower;  // in the follower's
    int count;
    tml_axis axis[TML_AXES];  // slides first, then turns in their order
    double value[TML_AXES];   // at load
    bool is_tree;
} joint_chain;

typedef struct robot_writer {
    writer w;
    const definitions* all;
    const tml_run_settings* settings;
    lint_list* lint;   // of the scene
    const char* file;  // being written
    pool memory;
    tml_joint_def* joints;
    joint_chain* chains;  // per joint
    int* parent_joint;    // per body: the joint that hangs it, -1: free, -2: it never moves
    int* first_child;     // per body, the world last: a list of bodies
    int* next_child;      //
    writer positions;     // of a keyframe, gathered on the way
    writer rates;         // and of its velocities
    bool has_rates;       // some body moves at load
    writer controls;
    int mesh_count;
    const tml_shape_def** meshes;  // that the file names, each once
} robot_writer;

__attribute__((format(printf, 2, 3))) void tml__tree_refuse(robot_writer* t, const char* format,
                                                            ...);
// Note that something which moves nothing is left out.
void tml__tree_lint(robot_writer* t, const char* feature, const char* what);

bool tml__tree_begin(robot_writer* t, tml_scene* scene, const char* file);
void tml__tree_end(robot_writer* t);

const char* tml__tree_body_name(const robot_writer* t, int body);  // "world" for -1
void tml__xml_text(writer* w, const char* text);                   // escaped
void tml__xml_attribute_text(writer* w, const char* name, const char* text);
void tml__xml_attribute_numbers(writer* w, const char* name, const double* x, int count);
void tml__xml_attribute_number(writer* w, const char* name, double x);
void tml__xml_attribute_vector(writer* w, const char* name, vec3 a);

// The name of a joint's coordinate: the joint's own when it has one, its part of a name made of as
// many parts ("a+b"), else the joint's name and the axis.
void tml__xml_coordinate_name(robot_writer* t, writer* w, int joint, int index);

// A spherical joint with nothing on its coordinates: any axes will do.
bool tml__tree_is_ball(const robot_writer* t, int joint);

// A constant control; refuses what changes with time.
double tml__tree_constant(robot_writer* t, const tml_control* c, const char* what);

// Refuse what neither format knows: compliances, wrenches, drags.
void tml__tree_check(robot_writer* t);

// write_rates.c
bool tml__tree_moves(const robot_writer* t, int body);  // at load
// The rates of a joint's coordinates at load; refuses velocities that its rows forbid.
void tml__tree_rates(robot_writer* t, int joint, double out[TML_AXES]);
vec3 tml__tree_spin(const robot_writer* t, int joint);  // of the follower in the base, its own axes

// write_mesh.c
bool tml__tree_mesh_room(robot_writer* t);                                   // false without memory
int tml__tree_mesh(robot_writer* t, const tml_shape_def* s);                 // its number
void tml__xml_attribute_mesh(robot_writer* t, const char* name, int index);  // its file's name
void tml__tree_write_meshes(robot_writer* t);  // the files, beside that of the model

void tml__write_mjcf(robot_writer* t);  // write_mjcf.c
void tml__write_urdf(robot_writer* t);  // write_urdf.c

#endif
