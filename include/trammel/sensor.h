// trammel/sensor.h - what a robot measures: frames, joints, forces, ranges. They are part of a model and
// change nothing of its motion.
#ifndef TRAMMEL_SENSOR_H
#define TRAMMEL_SENSOR_H

#include <trammel/shape.h>
#include <trammel/sim.h>

TML_BEGIN_C

typedef enum tml_sensor_kind {
    // of a frame, in the axes of the reference frame where there is one, else of the world
    TML_SENSOR_POSITION,          // m; from the reference's origin
    TML_SENSOR_QUATERNION,        // w x y z
    TML_SENSOR_X_AXIS,            //
    TML_SENSOR_Y_AXIS,            //
    TML_SENSOR_Z_AXIS,            //
    TML_SENSOR_LINEAR_VELOCITY,   // m/s; as seen from the reference, which may turn
    TML_SENSOR_ANGULAR_VELOCITY,  // rad/s
    TML_SENSOR_LINEAR_ACCELERATION,  // m/s^2, with gravity taken off: that of a frame at rest points up; world axes
    TML_SENSOR_ANGULAR_ACCELERATION,  // rad/s^2; world axes
    // of a frame, in its own axes
    TML_SENSOR_VELOCIMETER,    // m/s
    TML_SENSOR_GYRO,           // rad/s
    TML_SENSOR_ACCELEROMETER,  // m/s^2, with gravity taken off
    TML_SENSOR_MAGNETOMETER,   // `vector`, a field in world axes
    TML_SENSOR_FORCE,          // N: what the joint that carries the body pushes it with
    TML_SENSOR_TORQUE,         // N m: the same, about the frame's origin
    TML_SENSOR_TOUCH,          // N: sum of the normal forces that the body meets in `zone`
    TML_SENSOR_RANGE,  // m: along the frame's z axis to the nearest shape of another body; -1: none
    TML_SENSOR_INSIDE,  // 1 where the origin of the reference is inside `zone`, else 0
    // of an axis of a joint
    TML_SENSOR_COORDINATE,  // m or rad
    TML_SENSOR_RATE,        // m/s or rad/s
    TML_SENSOR_MOTOR,       // N or N m: what control and servo give
    // of a spring or tendon
    TML_SENSOR_LENGTH,       // m
    TML_SENSOR_LENGTH_RATE,  // m/s
    // of a body and of all that hangs on it by joints
    TML_SENSOR_SUBTREE_COM,               // m
    TML_SENSOR_SUBTREE_LINEAR_VELOCITY,   // m/s, of the centre of mass
    TML_SENSOR_SUBTREE_ANGULAR_MOMENTUM,  // kg m^2/s, about it
    // of all
    TML_SENSOR_TIME,       // s
    TML_SENSOR_KINETIC,    // J
    TML_SENSOR_POTENTIAL,  // J
    TML_SENSOR_KINDS,
} tml_sensor_kind;

enum {
    TML_SENSOR_WIDTH = 4  // numbers that a sensor answers at most
};

typedef struct tml_sensor_def {
    const char* name;  // NULL: "sensorN"
    tml_sensor_kind kind;
    tml_body body;  // that carries the frame; TML_WORLD: it stands
    tml_pose pose;  // of the frame, in the body frame
    bool has_reference;
    tml_body reference;
    tml_pose reference_pose;
    tml_shape_kind zone;  // about the frame: sphere, ellipsoid, capsule, cylinder or box
    tml_vec3 zone_size;   // as that of a shape
    tml_joint joint;
    tml_axis axis;
    int spring;
    tml_vec3 vector;
    double scale;   // what is measured is multiplied by it; 1
    double cutoff;  // and kept within it, where it is positive
} tml_sensor_def;

TML_API tml_sensor_def tml_sensor_def_default(void);  // the position of the world's origin
TML_API const char* tml_sensor_kind_name(tml_sensor_kind kind);             // "gyro"
TML_API bool tml_sensor_kind_find(const char* name, tml_sensor_kind* out);  // false: no such name
TML_API int tml_sensor_width(tml_sensor_kind kind);                         // 1, 3 or 4

TML_API tml_status tml_spec_add_sensor(tml_spec* spec, const tml_sensor_def* def);
TML_API int tml_model_sensor_count(const tml_model* model);
TML_API const tml_sensor_def* tml_model_sensor(const tml_model* model, int index);  // NULL: none
TML_API int tml_model_find_sensor(const tml_model* model, const char* name);        // -1: none

// What a sensor says of the accepted state; how many numbers, 0 where there is none. Accelerations are those
// of the last step, the change of velocities over it; before the first step they are those of rest. Forces are those of
// the last step, too.
TML_API int tml_sim_sensor(const tml_sim* sim, int index, double out[TML_SENSOR_WIDTH]);

TML_END_C

#endif
