// method/links/springs.h - springs between a link and what stands still or is led.
//
// Such a spring belongs to its link alone, as a contact does (contact.h): force and derivative join the link's own 6 x 6
// matrix, and links are eliminated as if nothing pulled. The law is that of spring.c, between both ends of a part of the
// step, so that the spring stores what it takes.
#ifndef TML_METHOD_LINKS_SPRINGS_H
#define TML_METHOD_LINKS_SPRINGS_H

#include "force/spring.h"
#include "method/links/links.h"

typedef struct link_spring {
    int spring;        // of the model
    path_point* path;  // its own
} link_spring;

typedef struct sprung_link {
    int place;
    int first, count;  // its springs, in links_springs.list
} sprung_link;

typedef struct links_springs {
    int count;
    link_spring* list;   // link by link; those that pull at none come last
    path_point* points;  // of all of them
    int link_count;
    sprung_link* links;
    affine_stage stage;  // of this part of the step,
    double time;         // and where in it forces act
    // springs at a state: room for one of them
    int* own_body;  // 0, 1, ...: each point has a body for itself
    rigid* ends;    // per point
    spring_state at;
    double* wrenches;  // 6 per node: what springs and whatever else push with
} links_springs;

// Where a link is over a part of the step: x and R where that starts.
typedef struct sprung_pose {
    vec3 x, shift;
    mat3 R, R_end;
} sprung_pose;

// For models that have springs.
tml_status tml__links_springs_create(link_system* l);
void tml__links_springs_destroy(link_system* l);

// What the springs of a sprung link do to it: added to a force and a torque about the centre of mass, and to how these
// fall as its end is shifted and turned (6 x 6, by rows).
void tml__links_springs_pull(const link_system* l, int sprung, const sprung_pose* at,
                             double wrench[6], double slope[36]);

// What springs push with at a flat state, 6 a node, with `others` added (NULL: none); and what they store, J.
const double* tml__links_springs_push(link_system* l, const double* q, const double* v, double time,
                                      const double* others);
double tml__links_springs_energy(link_system* l, const double* q, const double* v);

#endif
