// model/model.h - the frozen model: the definitions, and what formulations need of them.
//
// Bodies are numbered as they were added; the world comes last, at index body_count, so that
// every body index names an entry of the state arrays. Bodies that move have a node; the world and
// fixed bodies have none.
#ifndef TML_MODEL_MODEL_H
#define TML_MODEL_MODEL_H

#include "geom/mapping.h"
#include "math/quat.h"
#include "model/control.h"
#include "model/names.h"
#include "model/spec.h"

#include <stdbool.h>

typedef struct body_data {
    double mass;   // kg
    mat3 inertia;  // about the centre of mass, body axes
    vec3 com;      // in the body frame
    int node;      // index among the moving bodies; -1: never moves
    vec3 c;        // initial centre of mass
    quat q;        // initial orientation
    vec3 v;        // initial velocity of the centre of mass
    vec3 omega;    // initial angular velocity, world axes
} body_data;

// One joint axis, ready to be evaluated.
typedef struct axis_data {
    bool is_free;
    tml_actuation actuation;
    int control_index;  // into the caller's controls; -1: not actuated
    control_data control;
    bool has_servo;
    control_data servo_target;
    double servo_stiffness, servo_damping;
    double stiffness, damping, rest;
    double
        spin_damping;  // of one of three turns: against the angular velocity along the base's axis, `damping` is 0
    bool is_dot;  // none of the six: b . f, whose damper is part of such
    bool has_force_limits;
    double force_lower, force_upper;
    double armature;
    double friction;  // dry
    bool has_limits;
    double lower, upper;
    double compliance, weight;
} axis_data;

// Does dry friction act on it?
static inline bool axis_is_dry(const axis_data* a)
{
    return a->friction > 0.0 && a->is_free && a->actuation != TML_POSITION;
}

typedef struct joint_data {
    int base;      // body index; body_count is the world
    int follower;  //
    vec3 point_B;  // joint point from the centre of mass, body axes
    vec3 point_F;
    mat3 axes_B;  // columns a_x, a_y, a_z in body axes
    mat3 axes_F;
    int turn_count;         // free rotations
    int turn[3];            // their letters (0, 1, 2) in order, then the remaining ones
    double parity;          // +1 when turn[] is an even permutation of x, y, z
    const axis_data* axis;  // TML_AXES of them; plain joints share theirs
    const axis_data*
        dots;  // of three turns of which one is sprung or damped: one a base axis; NULL
} joint_data;

// Coordinates behind the six axes, of joints with three turns.
//
// Measures tell whether a turn is beyond a bound: angles lose their meaning where the middle one is a quarter of a turn;
// r sin(angle - bound) is zero on the same poses, is a sum of dots everywhere, and its slope is 1 on the bound.
//
// Dots b_a . f_c carry dampers of turns, torque -sum c_a b_a b_a . omega. As sum_c (d/dt b_a . f_c)^2 is
// omega^2 - (b_a . omega)^2, dampers (c_x + c_y + c_z)/2 - c_a on the three dots of each base axis a add up to that at
// every pose, in finite steps too.
enum {
    MEASURE_LOWER = TML_AXES,  // of rx, ry, rz
    MEASURE_UPPER = MEASURE_LOWER + 3,
    DOT_FIRST = MEASURE_UPPER + 3,  // 3 (base axis) + follower axis
    COORDINATES = DOT_FIRST + 9
};

static inline bool tml__is_dot(int axis) { return axis >= DOT_FIRST; }

// What acts along a coordinate; of dots and axes.
static inline const axis_data* tml__joint_axis(const joint_data* j, int axis)
{
    return tml__is_dot(axis) ? &j->dots[(axis - DOT_FIRST) / 3] : &j->axis[axis];
}

// The coordinate after k along which something may act: axes, then dots.
static inline int tml__next_force(const joint_data* j, int k)
{
    if (k + 1 != TML_AXES) return k + 1;
    return j->dots != NULL ? DOT_FIRST : COORDINATES;
}

// Where its targets are among those of all joints; what has none is given some that it does not read.
static inline int tml__axis_slot(int joint, int axis)
{
    return joint * TML_AXES + (axis < TML_AXES ? axis : 0);
}

// By how much the damper on the dots of a base axis grows with that of a turn.
static inline double tml__dot_share(int base_axis, int letter)
{
    return base_axis == letter ? -0.5 : 0.5;
}

// The dampers of dots, from those of the turns.
static inline void tml__damp_dots(const axis_data axis[TML_AXES], axis_data dots[3])
{
    for (int a = 0; a < 3; a++) {
        dots[a].damping = 0.0;
        for (int k = 0; k < 3; k++) {
            dots[a].damping += tml__dot_share(a, k) * axis[TML_AXIS_RX + k].spin_damping;
        }
    }
}

// The axis that a control drives.
typedef struct control_axis {
    int joint;
    tml_axis axis;
} control_axis;

typedef struct spring_data {
    int point_count;
    int* body;    // per point
    vec3* point;  // per point, from the centre of mass, body axes
    double stiffness, damping, rest_length;
    double rayleigh;  // s: this times the rate of the law's force is damping too
    tml_spring_law law;
    int table_count;
    const double* table_extensions;
    const double* table_forces;
    control_data force;
    tml_muscle muscle;        // its force is 0 where there is none
    control_data activation;  // of the muscle
} spring_data;

// A point of a deformable, or of a body that a spring ties to one: the weighted sum of vertices.
typedef struct soft_point {
    int count;
    int vertex[4];  // of the model's numbering
    double weight[4];
} soft_point;

// A vertex that follows from a point of its tetrahedron, which a body carries: in a state its numbers
// are those of the point, and the vertex is the weighted sum of such numbers (attach.c).
typedef struct soft_tie {
    int vertex;
    int attachment;  // of its deformable
    vec3 place;      // of the point at rest
    int count;
    int* others;  // vertices, this one among them
    double* weights;
} soft_tie;

// A spring that ends on a deformable somewhere; its twin in `springs` has no points.
typedef struct soft_spring {
    spring_data law;  // point i is at the origin of "body" i, which is points[i]
    soft_point* points;
} soft_spring;

typedef struct wrench_data {
    int body;
    vec3 point;  // from the centre of mass, body axes
    control_data force[3];
    control_data torque[3];
} wrench_data;

// A deformable among the others.
typedef struct soft_data {
    int first;  // its first vertex
    double mass;
    int carrier_count;     // bodies that move and carry some of its vertices
    int* carriers;         // body indices, each once
    int triangle_count;    // of its outside
    const int* triangles;  // 3 vertices each, of its own numbering
    mapping skin;          // points that are drawn, from its own vertices
    int skin_triangle_count;
    const int* skin_triangles;  // 3 points each
} soft_data;

enum {
    VERTEX_FREE = -1
};

typedef struct nonholonomic_data {
    tml_nonholonomic_kind kind;
    int body;
    vec3 point;  // from the centre of mass, body axes
    vec3 axis;   // body axes, unit length
    bool is_sphere;
    double radius;
    vec3 normal, across[2];  // of the plane, world
    double offset;
} nonholonomic_data;

// Across the edge; or height over the plane, then the two slips.
static inline int tml__nonholonomic_rows(const nonholonomic_data* n)
{
    return n->kind == TML_KNIFE_EDGE ? 1 : 3;
}

struct tml_model {
    definitions all;
    name_table* body_names;
    name_table* joint_names;
    body_data* bodies;  // body_count + 1, the world last
    int node_count;
    int* node_body;  // body of each node
    joint_data* joints;
    const axis_data* plain_axes[1 << TML_AXES];  // by freedom, where a plain joint needed one
    spring_data* springs;
    wrench_data* wrenches;
    bool has_armature;      // of some axis
    int dry_count;          // axes with dry friction
    double* contact_shift;  // 2 a body, added to friction and restitution of its contacts; or NULL
    soft_data* soft;        // per deformable
    int vertex_count;  // of all deformables, and behind them the points of bodies that springs tie
                       // to these
    int soft_spring_count;
    soft_spring* soft_springs;
    int* carrier;      // per vertex: the body that carries it, or VERTEX_FREE
    vec3* carried_at;  // per carried vertex: from the centre of mass, body axes
    int tie_count;
    soft_tie* ties;  // vertices that follow from carried points, which `carrier` then means
    nonholonomic_data* nonholonomics;
    int row_count;      // of joints (held and position-actuated), couplings and nonholonomics
    int control_count;  // actuated axes
    control_axis* control_axes;
    int loops;  // joints - bodies - 1 + components
    pool memory;
};

static inline int tml__world(const tml_model* m) { return m->all.body_count; }

// The deformable behind a handle; -1: the handle is that of a body.
int tml__handle_deformable(tml_body handle);
bool tml__is_soft_spring(const tml_spring_def* def);

#endif
