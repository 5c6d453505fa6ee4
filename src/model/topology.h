// model/topology.h - the graph of bodies and joints. The world is a node; fixed bodies are part of it.
#ifndef TML_MODEL_TOPOLOGY_H
#define TML_MODEL_TOPOLOGY_H

#include "model/model.h"

typedef struct topology {
    int components;  // the world and what hangs on it is one
    int loops;       // joints - moving bodies - 1 + components
    int max_depth;   // joints between a body and the root of its tree
} topology;

// TML_NO_MEMORY when the scratch cannot be had. `parent_joint` (one per body, may be NULL) receives
// the joint that holds each body in the spanning tree, -1 for roots.
tml_status tml__topology(const tml_model* m, int* parent_joint, topology* out);

// Which joints are on a loop (one per joint): the others carry what hangs on them, and nothing else.
tml_status tml__topology_loops(const tml_model* m, const tml_allocator* memory, bool* is_on_loop);

// Which loops hang together by more than a body: per joint a number that joints on the same ones share, -1 where
// it is on none. What holds in one group says nothing about another.
tml_status tml__topology_groups(const tml_model* m, const tml_allocator* memory, int* group);

#endif
