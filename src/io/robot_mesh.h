// io/robot_mesh.h - meshes that a robot model names by a file.
#ifndef TML_IO_ROBOT_MESH_H
#define TML_IO_ROBOT_MESH_H

#include "io/mesh.h"
#include "io/robot.h"

// A file that was read: several shapes may use it.
struct robot_mesh {
    const char* path;
    mesh_data data;
};

// From the points of a file to those of a shape: x -> scale * (origin^-1 x), component by component.
typedef struct mesh_frame {
    const char* folder;  // below that of the model; "": none
    vec3 scale;
    pose origin;
} mesh_frame;

static inline mesh_frame mesh_frame_plain(void)
{
    return (mesh_frame){"", v3(1.0, 1.0, 1.0), pose_identity()};
}

// The mesh that an element names, into a shape. A file that cannot be had is a line of lint and false;
// one that is damaged is refused.
bool tml__robot_mesh(robot* r, const xml* at, const char* name, const mesh_frame* frame,
                     tml_shape_def* shape);

// Triangles that are there already, scaled and moved.
bool tml__robot_mesh_place(robot* r, const mesh_data* data, const mesh_frame* frame,
                           tml_shape_def* shape);

#endif
