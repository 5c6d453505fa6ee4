// viewer/describe.h - a stage in words: the JSON that the page builds its picture from.
#ifndef TRAMMEL_VIEWER_DESCRIBE_H
#define TRAMMEL_VIEWER_DESCRIBE_H

#include "viewer/meshes.h"
#include "viewer/stage.h"
#include "viewer/text.h"

// What does not change: bodies, shapes, joints, methods, actuators. `note` is shown to the user;
// meshes are named by their numbers in the list.
void describe_model(const stage* s, const char* note, const mesh_list* meshes, text* out);

// What does: the clock, the method, messages.
void describe_state(const stage* s, text* out);

// The whole recording for a page without a server, thinned to about `most` bytes of frames.
// Answers how many frames it holds.
int describe_replay(const stage* s, const char* note, size_t most, text* out);

#endif
