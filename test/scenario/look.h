// test/scenario/look.h - what a run that touches looks like, to be compared byte by byte.
#ifndef TRAMMEL_TEST_SCENARIO_LOOK_H
#define TRAMMEL_TEST_SCENARIO_LOOK_H

#include "test/scenario/run.h"
#include "test/sim/world.h"

#include <trammel/contact.h>

// The whole state as bytes, contacts included, but for the reserved room.
static inline blob look_at(const run* r)
{
    blob b = {0};
    for (int i = 0; i < tml_model_body_count(r->model); i++) {
        const tml_pose p = tml_sim_pose(r->sim, (tml_body){i});
        const tml_velocity v = tml_sim_velocity(r->sim, (tml_body){i});
        blob_add(&b, &p, sizeof p);
        blob_add(&b, &v, sizeof v);
    }
    for (int i = 0; i < tml_sim_contact_count(r->sim); i++) {
        const tml_contact c = tml_sim_contact(r->sim, i);
        blob_add(&b, &c.point, sizeof c.point);
        blob_add(&b, &c.force, sizeof c.force);
    }
    return b;
}

#endif
