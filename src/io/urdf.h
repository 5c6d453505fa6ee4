// io/urdf.h - what the files that read URDF share: one element into a robot.
#ifndef TML_IO_URDF_H
#define TML_IO_URDF_H

#include "io/robot.h"

void tml__urdf_link(robot* r, const xml* root, const xml* e, int link);  // urdf_link.c
void tml__urdf_joint(robot* r, const xml* e, int link);                  // urdf_joint.c
void tml__urdf_mimic(robot* r, const xml* joint);
void tml__urdf_loop(robot* r, const xml* e);
void tml__urdf_transmission(robot* r, const xml* e);
void tml__urdf_force(robot* r, const xml* e);

#endif
