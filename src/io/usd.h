// io/usd.h - stages of USD, as text, with the schemas of UsdPhysics.
#ifndef TML_IO_USD_H
#define TML_IO_USD_H

#include "io/robot.h"

// Fill an empty robot from a stage that was read (usd_text.h).
void tml__usd_lower(robot* r, const xml* root);

#endif
