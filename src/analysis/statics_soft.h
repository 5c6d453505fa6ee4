// analysis/statics_soft.h - equilibrium of simulations with deformables.
#ifndef TML_ANALYSIS_STATICS_SOFT_H
#define TML_ANALYSIS_STATICS_SOFT_H

#include "sim/sim_internal.h"

#include <trammel/statics.h>

// Settings were checked. On any status but TML_OK the accepted state is as it was.
tml_status tml__soft_settle(tml_sim* sim, const tml_statics_settings* settings,
                            tml_statics_report* report);

#endif
