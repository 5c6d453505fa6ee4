// linalg/dissect.h - an elimination order for meshes: nested dissection by where the nodes are.
//
// A set of nodes is cut across its longest side where half of them lie; those on the cut are eliminated
// after both halves, which are cut in the same way. On a mesh in space the factor then has less than
// half of the entries that minimum degree leaves, and far fewer operations.
#ifndef TML_LINALG_DISSECT_H
#define TML_LINALG_DISSECT_H

#include "linalg/order.h"
#include "math/vec3.h"

// The nodes of a graph in their order of elimination. TML_NO_MEMORY is all that can fail.
tml_status tml__dissect(const graph* g, const vec3* place, const tml_allocator* allocator,
                        int* order);

#endif
