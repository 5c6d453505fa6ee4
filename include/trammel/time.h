// trammel/time.h - formulations and integrators, by name, and which go together.
#ifndef TRAMMEL_TIME_H
#define TRAMMEL_TIME_H

#include <trammel/base.h>

TML_BEGIN_C

typedef enum tml_formulation {
    TML_FORM_QUATERNION,   // maximal coordinates, additive quaternions  [QRBD]
    TML_FORM_VARIATIONAL,  // maximal coordinates, discrete least action [VMAX]
    TML_FORM_AFFINE,       // co-rotated affine bodies                   [MABD]
    TML_FORM_GENERALIZED,  // joint coordinates, complementarity contact [DCON]
    TML_FORMULATIONS,
} tml_formulation;

// A general implicit linear multistep formula over `steps` states before the new one:
//   sum_j alpha_j y_(n-j) = h sum_j beta_j y'_(n-j),  j = 0 the new state, j = 1 the newest old one
enum {
    TML_MULTISTEP_MOST = 6
};

typedef struct tml_multistep {
    int steps;  // 1 to TML_MULTISTEP_MOST
    double alpha[TML_MULTISTEP_MOST + 1];
    double beta[TML_MULTISTEP_MOST + 1];
} tml_multistep;

typedef enum tml_integrator {
    TML_TIME_FORWARD_EULER,
    TML_TIME_SEMI_IMPLICIT_EULER,
    TML_TIME_HEUN,
    TML_TIME_RK4,
    TML_TIME_BDF1,
    TML_TIME_BDF2,
    TML_TIME_BDF3,
    TML_TIME_BDF4,
    TML_TIME_BDF5,
    TML_TIME_BDF6,
    TML_TIME_SDIRK2,
    TML_TIME_SDIRK2_PARESCHI_RUSSO,
    TML_TIME_CRANK_NICOLSON,
    TML_TIME_NEWMARK,
    TML_TIME_LINEAR_MULTISTEP,
    TML_TIME_VARIATIONAL,
    TML_TIME_VARIATIONAL4,
    TML_TIME_ENERGY,
    TML_TIME_ENERGY_DAMPED,
    TML_TIME_SHAKE,
    TML_TIME_PROJECTED,
    TML_INTEGRATORS,
} tml_integrator;

TML_API const char* tml_formulation_name(tml_formulation formulation);
TML_API bool tml_formulation_find(const char* name, tml_formulation* out);  // false: no such name
TML_API const char* tml_integrator_name(tml_integrator integrator);
TML_API bool tml_integrator_find(const char* name, tml_integrator* out);

// Whether this build can run the pair, and what to know about it ("" when nothing).
TML_API bool tml_pairing_exists(tml_formulation formulation, tml_integrator integrator);
// Does it also let bodies touch?
TML_API bool tml_pairing_has_contact(tml_formulation formulation, tml_integrator integrator);

// What a model or its settings may ask for and not every pairing has; `trammel list --support` prints the table.
typedef enum tml_feature {
    TML_FEATURE_CONTACT,
    TML_FEATURE_COMPLIANT_CONTACT,  // contact.stiffness
    TML_FEATURE_LIMITS,             // of joints
    TML_FEATURE_COMPLIANT_JOINTS,   // axes with a compliance
    TML_FEATURE_NONHOLONOMIC,       // edges that cannot slip, bodies that roll
    TML_FEATURE_DEFORMABLES,        // beside bodies
    TML_FEATURE_ARMATURE,
    TML_FEATURE_JOINT_FRICTION,
    TML_FEATURE_ELASTIC_BODIES,  // affine.young
    TML_FEATURE_LEVELS,          // implicit.level on velocities and accelerations
    TML_FEATURE_STATICS,         // tml_sim_settle
    TML_FEATURE_DERIVATIVES,     // of steps of rigid bodies on joints, tml_derivatives
    TML_FEATURES,
} tml_feature;

TML_API const char* tml_feature_name(tml_feature feature);
TML_API bool tml_pairing_supports(tml_formulation formulation, tml_integrator integrator,
                                  tml_feature feature);
// The same for models that have deformables and no body that moves.
TML_API bool tml_pairing_exists_nodal(tml_integrator integrator);
TML_API const char* tml_pairing_remark_nodal(tml_integrator integrator);
TML_API const char* tml_pairing_remark(tml_formulation formulation, tml_integrator integrator);
TML_API tml_integrator tml_formulation_default_integrator(tml_formulation formulation);

TML_END_C

#endif
