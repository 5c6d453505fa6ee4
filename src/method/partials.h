// method/partials.h - how the equations of bodies in maximal coordinates follow what the model is made
// of: masses, inertias, gravity, joint markers, targets, springs; and what the bodies' velocities
// and poses add. Products only, forwards (J v) and backwards (J^T w), each at linear cost.
//
// The equations are those of a stage, of an instant or of a projection:
//     E = inertia - forces - C^T lambda        6 numbers a node
//     C, or its first or second time derivative, one number a row
#ifndef TML_METHOD_PARTIALS_H
#define TML_METHOD_PARTIALS_H

#include "method/maximal.h"

enum {
    BODY_PARAMETERS = 7,    // mass, then inertia xx yy zz xy xz yz
    MARKER_PARAMETERS = 6,  // shift of the point, turn of the axes, both in body axes
    AXIS_PARAMETERS = 9,    // of a joint axis, see axis_parameter
    SPRING_PARAMETERS = 3,  // stiffness, damping, rest length
};

typedef enum axis_parameter {
    AXIS_STIFFNESS,
    AXIS_DAMPING,
    AXIS_REST,
    AXIS_SERVO_STIFFNESS,
    AXIS_SERVO_DAMPING,
    AXIS_WEIGHT,  // of the row in least-norm loads
    AXIS_TARGET,  // the control: value, rate and acceleration at this instant
    AXIS_TARGET_RATE,
    AXIS_TARGET_ACCELERATION,
} axis_parameter;

// Which parameters count; the others are left alone, which saves most of the work.
typedef enum parameter_group {
    WANT_BODIES = 1,  // and gravity
    WANT_MARKERS = 2,
    WANT_AXES = 4,  // targets included
    WANT_SPRINGS = 8,
    WANT_POINTS = 16,
    WANT_ALL = 31,
} parameter_group;

// One number for each parameter: a direction (forwards), or a gradient that grows (backwards).
typedef struct parameter_set {
    unsigned wants;   // of parameter_group
    double* gravity;  // 3
    double* body;     // BODY_PARAMETERS a body
    double* marker;   // 2 MARKER_PARAMETERS a joint: follower's, then base's
    double* axis;     // TML_AXES * AXIS_PARAMETERS a joint
    double* spring;   // SPRING_PARAMETERS a spring
    double*
        point;  // 3 a point of all springs, then of all wrenches: from the centre of mass, body axes
} parameter_set;

size_t tml__parameter_count(const maximal_system* s);
parameter_set tml__parameter_set(const maximal_system* s, double* numbers);
int tml__first_spring_point(const maximal_system* s, int spring);  // of `point`, /3
int tml__first_wrench_point(const maximal_system* s);

typedef enum partial_direction {
    PARTIAL_FORWARD,   // outputs += J inputs
    PARTIAL_BACKWARD,  // inputs += J^T outputs
} partial_direction;

// The inertial part of a node at unit mass, and at a unit of each inertia.
typedef struct inertia_columns {
    vec3 linear;
    vec3 turn[6];
} inertia_columns;

// R U R^T x for a unit U of each inertia: moments of momentum where x is an angular velocity.
void tml__unit_moments(mat3 R, vec3 x, vec3 out[6]);

// Where the equations stand: bodies placed, rows and forces evaluated there.
typedef struct partial_point {
    int level;                   // of the rows: 0, 1 or 2
    bool has_forces;             // E contains them
    const double* lambda;        // in E
    const double* acceleration;  // 6 a node, level 2; NULL: zeros
    bool has_yielding_rates;  // rows that give way have rates too; else they have positions alone
    const void* self;
    void (*inertia)(const void* self, int node, inertia_columns* out);
} partial_point;

// E (6 a node) and rows by the parameters.
void tml__parameter_product(maximal_system* s, const partial_point* at, partial_direction way,
                            const parameter_set* inputs, double* E, double* rows);

// Rows of the given level by poses (6 a node) and velocities (6 a node; level 1 and 2).
void tml__row_product(maximal_system* s, const partial_point* at, partial_direction way,
                      double* poses, double* velocities, double* rows);

// Does any force depend on velocities?
bool tml__has_damping(const tml_model* m);

// E by velocities (6 a node) through the forces alone. Uses the values of s->matrix.
void tml__damping_product(maximal_system* s, partial_direction way, double* velocities, double* E);

#endif
