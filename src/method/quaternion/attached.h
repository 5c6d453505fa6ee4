// method/quaternion/attached.h - stages of the quaternion formulation with deformables attached to the bodies.
#ifndef TML_METHOD_QUATERNION_ATTACHED_H
#define TML_METHOD_QUATERNION_ATTACHED_H

#include "method/quaternion/stage.h"
#include "sim/soft.h"

// As tml__soft_solve and tml__soft_fill.
tml_status tml__soft_solve_stage(sim_soft* f, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report);
tml_status tml__soft_fill_stage(sim_soft* f, const form_stage* stage);

#endif
