// trammel/force.h - what pushes: springs, tendons, wrenches, drag. Each acts implicitly, with its
// exact derivatives, in every formulation.
#ifndef TRAMMEL_FORCE_H
#define TRAMMEL_FORCE_H

#include <trammel/joint.h>

TML_BEGIN_C

// A point fixed to a body, in its body frame; or one of a deformable, where `body` is the handle that
// tml_deformable_handle gives: then `position` is a place of its rest shape, in world coordinates. A
// place where a vertex is means that vertex, any other one the point of the tetrahedron around it.
typedef struct tml_point {
    tml_body body;
    tml_vec3 position;
} tml_point;

TML_API tml_body tml_deformable_handle(int deformable);

typedef enum tml_spring_law {
    TML_SPRING_LINEAR,     // stiffness * extension
    TML_SPRING_QUADRATIC,  // stiffness * extension * |extension|
    TML_SPRING_TABLE,      // piecewise linear through (extension, force), ends extended
} tml_spring_law;

// A muscle pulls with force (activation FL(l) FV(v) + FP(l)), where l = (length - tendon_length) /
// optimal_length and v = (rate of l) / vmax: the law of MuJoCo's muscles (docs/scene.md).
typedef struct tml_muscle {
    double force;            // N, the most it pulls actively at rest; 0: there is no muscle
    double optimal_length;   // m, of the muscle where it pulls most
    double tendon_length;    // m, the part of the path that never stretches; may be negative
    double lmin, lmax;       // where it pulls actively, in optimal lengths
    double vmax;             // shortening at which it pulls no more, optimal lengths a second
    double fpmax;            // passive force, in `force`: half of it halfway to lmax
    double fvmax;            // the most that lengthening gives, in `force`
    tml_control activation;  // 0 to 1
} tml_muscle;

// A spring and damper along a path of straight lines through points: two points make an ordinary
// spring. Tension is positive; it pulls when positive and pushes when negative.
typedef struct tml_spring_def {
    const char* name;  // NULL: "springN"
    int point_count;   // 2 or more
    const tml_point* points;
    double stiffness;    // N/m (N/m^2 for the quadratic law)
    double damping;      // N s/m, on the rate of the whole length
    double rest_length;  // m; negative: the initial length
    tml_spring_law law;
    int table_count;
    const double* table_extensions;  // strictly increasing, m
    const double* table_forces;      // N
    tml_control force;               // added tension, N
    tml_muscle muscle;               // along the same path; none by default
} tml_spring_def;

// A force at a point of a body and a torque, both in world axes.
typedef struct tml_wrench_def {
    const char* name;  // NULL: "wrenchN"
    tml_body body;
    tml_vec3 point;  // body frame
    tml_control force[3];
    tml_control torque[3];
} tml_wrench_def;

// Force -linear (v - wind) at the centre of mass and torque -angular omega.
typedef struct tml_drag_def {
    const char* name;  // NULL: "dragN"
    tml_body body;
    double linear;   // N s/m
    double angular;  // N m s/rad
    tml_vec3 wind;   // m/s
} tml_drag_def;

TML_API tml_muscle tml_muscle_default(void);  // the curves of MuJoCo, no force
TML_API tml_spring_def tml_spring_def_default(void);
TML_API tml_wrench_def tml_wrench_def_default(void);
TML_API tml_drag_def tml_drag_def_default(void);

TML_END_C

#endif
