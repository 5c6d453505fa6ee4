// test/scenario/room.h - joints with little room: limits on every free axis.
#ifndef TRAMMEL_TEST_SCENARIO_ROOM_H
#define TRAMMEL_TEST_SCENARIO_ROOM_H

#include "test/math/random.h"

#include <trammel/joint.h>

#include <string.h>

// Limits around zero on all that the joint leaves free, each side between `least` and `most` (m, rad) away.
static inline void room_limit(tml_joint_def* joint, random_source* random, double least,
                              double most)
{
    for (int k = 0; k < TML_AXES; k++) {
        const char* letters =
            k < 3 ? tml_joint_kind_slides(joint->kind) : tml_joint_kind_turns(joint->kind);
        if (strchr(letters, 'x' + k % 3) == NULL) continue;
        joint->axis_of[k].has_limits = 1;
        joint->axis_of[k].lower = -random_between(random, least, most);
        joint->axis_of[k].upper = random_between(random, least, most);
    }
}

#endif
