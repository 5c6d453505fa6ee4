// sim/soft_points.h - the points of deformables that touch, as sums of the numbers of a state.
//
// A free vertex is itself. One that follows others (model/attach.c) is a sum of these and of points
// that bodies carry, and a point of a surface (model/skin.c) one of the vertices of its tetrahedron: what
// pushes it reaches them all by the same weights.                                     [COOK (289)]
#ifndef TML_SIM_SOFT_POINTS_H
#define TML_SIM_SOFT_POINTS_H

#include "sim/soft.h"

typedef struct soft_points {
    int count;
    int* spot;       // per point: a vertex of the model, or behind these a point of a surface
    vec3* offset;    // per point: what held vertices add to it
    int* first;      // per point, and one more: its terms,
    int* node;       // the numbers of a state that it is the sum of
    double* weight;  //
} soft_points;

// What touches of a deformable: a vertex of it, or a point of its surface; the other is -1.
typedef struct soft_spot {
    int deformable, vertex, point;
} soft_spot;
soft_spot tml__points_spot(const tml_model* model, int spot);

// Vertices that are seen from outside, or points of surfaces where these touch, and that nothing holds;
// of particles all. `deformable` is per point.
tml_status tml__points_list(const sim_soft* f, pool* memory, soft_points* t, int** deformable);

int tml__points_find(const soft_points* t, int spot);  // -1: none

// A point at a state of the nodes; and its velocity, for what is held does not move.
vec3 tml__points_place(const soft_points* t, int point, const double* x);
vec3 tml__points_sum(const soft_points* t, int point, const double* v);

// How it moves where free vertices do by z and bodies, with what they carry, by dx (6 a node).
vec3 tml__points_moved(const sim_soft* f, const soft_points* t, int point, const double* z,
                       const double* dx);

// A push on it: on the free vertices (z) and the bodies (6 a node) that it belongs to; on the nodes.
void tml__points_push(const sim_soft* f, const soft_points* t, int point, vec3 g, double* z,
                      double* bodies);
void tml__points_spread(const soft_points* t, int point, vec3 g, double* to);

#endif
