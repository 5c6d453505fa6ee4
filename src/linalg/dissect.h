// linalg/dissect.h - nested dissection: an order of elimination for graphs like nets.
//
// A few nodes that cut a graph into two halves come last, after all of both halves; and so on within
// each half. Where separators are small (nets, grids) this leaves about half of the work of a minimum
// degree order. Nodes are placed by their distances from a few that are far apart, so that no
// coordinates are needed.
#ifndef TML_LINALG_DISSECT_H
#define TML_LINALG_DISSECT_H

#include "linalg/order.h"

// order[k]: the node at place k. `g` without late and last nodes.
tml_status tml__dissect(const graph* g, const tml_allocator* allocator, int* order);

#endif
