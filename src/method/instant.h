// method/instant.h - the inertial part of one instant's equations, and how it changes with poses,
// velocities and inertias. Shared by whoever linearises an instant: 6 numbers a node, forces and torques
// about the centres of mass.
#ifndef TML_METHOD_INSTANT_H
#define TML_METHOD_INSTANT_H

#include "method/partials.h"

// Where the inertial part stands: velocities or accelerations times mass, with or without the
// gyroscopic torque.
typedef struct inertia_point {
    const maximal_system* s;
    const double* motion;  // 6 a node; NULL: zeros
    bool has_gyro;
} inertia_point;

// The callback of a partial_point; `self` is an inertia_point.
void tml__inertia_columns(const void* self, int node, inertia_columns* out);

// The inertial part by poses, and by velocities where it is gyroscopic.
void tml__inertia_product(const inertia_point* at, partial_direction way, double* pose,
                          double* velocity, double* E);

// out += scale M motion, 6 a node, at the bodies as placed.
void tml__add_momenta(const maximal_system* s, double scale, const double* motion, double* out);

#endif
