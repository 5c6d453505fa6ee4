// viewer/frames.h - the frames of a stage: their layout, keeping, finding and thinning them.
#ifndef TRAMMEL_VIEWER_FRAMES_H
#define TRAMMEL_VIEWER_FRAMES_H

#include "viewer/stage.h"

// Work out the layout and take memory for one frame.
tml_status frames_prepare(stage* s);

// Keep the simulation's present state. False without memory.
bool frames_keep(stage* s);

// Give every frame room for a ghost, which stands where the bodies are, or take that room away.
// False without memory; then nothing has changed.
bool frames_reshape(stage* s, bool has_ghost);

// All frames of the recording, thinned to the budget.
tml_status frames_read(stage* s);

// The last frame that is not later than a time.
int frames_find(const stage* s, double time);

void frames_clear(stage* s);

#endif
