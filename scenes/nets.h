// scenes/nets.h - nets of balls and rods, for scenes that let them fall onto things.
#ifndef TRAMMEL_SCENES_NETS_H
#define TRAMMEL_SCENES_NETS_H

#include "scenes/parts.h"

typedef struct net_def {
    const char* name;
    int rows, columns;  // along y and x
    tml_vec3 corner;    // of point (0, 0)
    double pitch;       // m, between points
    double ball, rod;   // radii, m
    double density;     // kg/m^3
    double friction;
    int group;  // of its shapes: they do not touch each other; 0: they do
} net_def;

// Answers its first ball; point (i, j) is ball i * columns + j from there.
tml_body add_net(tml_spec* spec, const net_def* net);

// Contacts of nets give way and belong to the equations of the links.      [docs/contact.md]
void touch_softly(tml_run_settings* settings, double stiffness, double step, double duration);

#endif
