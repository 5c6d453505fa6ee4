// scenes/figure.h - the modules that large figures are made of, so that a figure has a known number
// of bodies, joints and rows.
//
//   module   bodies  joints  rows  redundant   what it is
//   hinge       1       1      6      0        a limb on a driven hinge
//   rod         3       4     18      0        crank (driven), rod (cross and ball), limb on a hinge
//   four-bar    3       4     21      3        crank (driven), coupler, limb, all on parallel hinges
//   coupled     2       3     15      3        a limb that a rod keeps parallel to the base of the
//                                              hinge before it
//   bracket     1       1      6      0        a plate that is fixed
//   drive       0       0      1      1        a second motor on a hinge of a coupled limb
//
// Loops are well conditioned: cranks and arms stand across their rods at load, and parallelograms
// have ratio one, so that long chains can be driven. Masses are log-uniform between 0.3 g and 10 kg.
#ifndef TRAMMEL_SCENES_FIGURE_H
#define TRAMMEL_SCENES_FIGURE_H

#include "scenes/links.h"

#include <stdint.h>

typedef struct figure {
    tml_spec* spec;
    uint64_t random;  // state of the masses
} figure;

// A limb from a hinge to its tip.
typedef struct limb_def {
    const char* name;
    tml_body base;  // ignored for a coupled limb, which hangs on the limb before it
    tml_vec3 hinge, tip;
    tml_vec3 axis;     // unit
    double radius;     // m
    double amplitude;  // of its motor: 0.2 or -0.2 rad; ignored where it has none
    int color;
} limb_def;

// A limb that was added, and what the next module needs to know of its hinge.
typedef struct limb {
    tml_body base, body;
    tml_vec3 hinge, axis;
    double amplitude;  // of the hinge's angle; 0: it has no simple one
} limb;

limb figure_add_hinge(figure* f, const limb_def* def);

// `crank` is the pivot of the crank on the base.
limb figure_add_rod(figure* f, const limb_def* def, tml_vec3 crank);
limb figure_add_four_bar(figure* f, const limb_def* def, tml_vec3 crank);

// Which hinges of a coupled limb have a motor of their own. The hinge turns by minus the angle of the
// one before it, the rod by the same angle.
typedef enum coupled_drive {
    COUPLED_PASSIVE = 0,
    COUPLED_HINGE = 1,
    COUPLED_ROD = 2,
    COUPLED_BOTH = 3,
} coupled_drive;

// A limb on the body of `before`, kept parallel to the base of `before`; the rod runs `aside` of
// the line between the two hinges.
limb figure_add_coupled(figure* f, const limb* before, const limb_def* def, double aside,
                        coupled_drive drive);

// A box that is fixed to a body, or to the world.
tml_body figure_add_bracket(figure* f, const char* name, tml_body base, tml_vec3 centre,
                            tml_vec3 size, int color);

// A box that nothing holds.
tml_body figure_add_box(figure* f, const char* name, tml_vec3 centre, tml_vec3 size, int color);

#endif
