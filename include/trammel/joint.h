// trammel/joint.h - how two bodies are held together, and how what is left free is driven.
#ifndef TRAMMEL_JOINT_H
#define TRAMMEL_JOINT_H

#include <trammel/control.h>

TML_BEGIN_C

// What each kind leaves free, as letters of the joint axes: slides along / turns about.
typedef enum tml_joint_kind {
    TML_JOINT_FIXED,        //  -   / -
    TML_JOINT_PRISMATIC,    //  x   / -
    TML_JOINT_REVOLUTE,     //  -   / x
    TML_JOINT_RECTANGULAR,  //  xy  / -
    TML_JOINT_CYLINDRICAL,  //  x   / x
    TML_JOINT_PIN_IN_SLOT,  //  x   / y
    TML_JOINT_UNIVERSAL,    //  -   / xy
    TML_JOINT_CARTESIAN,    //  xyz / -
    TML_JOINT_PLANAR,       //  xy  / z
    TML_JOINT_SPHERICAL,    //  -   / xyz
    TML_JOINT_SLOT,         //  x   / xyz
    TML_JOINT_FREE,         //  xyz / xyz
    TML_JOINT_KINDS,
    TML_JOINT_CUSTOM = TML_JOINT_KINDS,  // free_translation and free_rotation say what is free
} tml_joint_kind;

// The six axes of a joint, in the order of coordinates, loads and recordings.
typedef enum tml_axis {
    TML_AXIS_TX,
    TML_AXIS_TY,
    TML_AXIS_TZ,
    TML_AXIS_RX,
    TML_AXIS_RY,
    TML_AXIS_RZ,
    TML_AXES,
} tml_axis;

typedef enum tml_actuation {
    TML_PASSIVE,
    TML_POSITION,  // a row holds the coordinate at the control's value
    TML_FORCE,     // the control is a force (N) or torque (N m) along the axis
} tml_actuation;

// What can be said about one axis. Only `compliance` and `weight` make sense on a held axis.
typedef struct tml_joint_axis {
    tml_actuation actuation;
    tml_control control;       // m, rad, N or N m; zero when not given
    bool has_limits;           //
    double lower, upper;       // limits of the coordinate, m or rad
    double stiffness;          // spring about `rest`, N/m or N m/rad
    double damping;            // N s/m or N m s/rad
    double rest;               // m or rad
    bool has_servo;            // a PD drive towards a moving target
    tml_control servo_target;  // m or rad
    double servo_stiffness;    // N/m or N m/rad
    double servo_damping;      // acts on the difference of the rates
    // What the motor, control and servo together, can give: within these bounds, N or N m.
    int has_force_limits;
    double force_lower, force_upper;  // at most 0, at least 0
    // Inertia of a rotor that turns with the coordinate, times the square of its gear, kg or kg m^2: it adds
    // 1/2 armature rate^2 to the kinetic energy. Formulation `generalized` alone has it.
    double armature;
    // Dry friction, N or N m: what stops the coordinate as far as it can, and holds it where it stands as long as
    // it can. Formulation `generalized` alone has it, with the integrators that have contact.
    double friction;
    double compliance;  // of the row that holds this axis, m/N or rad/(N m); 0 is rigid
    double weight;      // least-norm weight of the row; 1 by default
} tml_joint_axis;

typedef struct tml_body {
    int index;
} tml_body;

static const tml_body TML_WORLD = {-1};  // the body that never moves

typedef struct tml_joint {
    int index;
} tml_joint;

// Frames are given in world coordinates in the initial poses of the bodies.
typedef struct tml_joint_def {
    const char* name;  // NULL: "jointN"
    tml_joint_kind kind;
    char free_translation[4];  // TML_JOINT_CUSTOM: letters of x, y, z
    char free_rotation[4];     // TML_JOINT_CUSTOM: letters in the order of the rotations
    tml_body base;
    tml_body follower;

    tml_vec3 position;  // joint point
    tml_vec3 axis;      // becomes a_x, see docs/conventions.md for a_y and a_z; zero: world axes
    bool has_axes;
    tml_vec3 axes[3];  // a_x, a_y, a_z, orthonormal to 1e-9; instead of `axis`

    bool has_follower_frame;  // the follower's frame where it differs from the base's
    tml_vec3 follower_position;
    tml_vec3 follower_axis;
    bool has_follower_axes;
    tml_vec3 follower_axes[3];

    tml_joint_axis axis_of[TML_AXES];
    bool collide;  // the two bodies may touch
} tml_joint_def;

// A fixed joint from the world, axes passive, weights 1. Set kind, follower, position and axis.
TML_API tml_joint_def tml_joint_def_default(void);

TML_API const char* tml_joint_kind_name(tml_joint_kind kind);             // "revolute"
TML_API bool tml_joint_kind_find(const char* name, tml_joint_kind* out);  // false: no such name
TML_API const char* tml_joint_kind_slides(tml_joint_kind kind);           // "x", "xy", ... or ""
TML_API const char* tml_joint_kind_turns(tml_joint_kind kind);
TML_API const char* tml_axis_name(tml_axis axis);  // "tx"

TML_END_C

#endif
