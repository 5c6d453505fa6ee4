// method/links/links_back.h - gradients back through a part of a step of a chain, eight links at once.
//
// The same products as those of links_tangent.c backwards, in lanes and by the segments of links_chain.c.
#ifndef TML_METHOD_LINKS_LINKS_BACK_H
#define TML_METHOD_LINKS_LINKS_BACK_H

#include "method/links/links_tangent.h"

// What rows of eight links remember of a projection.
enum {
    BACK_OMEGA = 0,    // 3: the angular velocity after it
    BACK_IMPULSE = 3,  // 3: of the inner joint
    BACK_ROWS = 6,
};

// Room for it; of one chain.
typedef struct links_back_room {
    double* kept;     // BACK_ROWS rows of eight, per row
    double* heads;    // 3 per segment and one more: impulses of their first joints
    double* gravity;  // 3 per row
} links_back_room;

// What the kernels see.
typedef struct links_back {
    const link_tree* tree;
    const link_inputs* by;
    const double* x;  // flat positions at the end
    links_back_room* room;
    bool is_projected;
} links_back;

tml_status tml__links_back_create(const link_system* l, links_back_room* out);
void tml__links_back_destroy(const link_system* l, links_back_room* room);

// Gradients of the end become those of the start, those by the parameters grow. The state of the links is
// lost.
void tml__links_back(link_system* l, const link_tree* tree, links_back_room* room,
                     const link_part* part, const link_inputs* by);

#endif
