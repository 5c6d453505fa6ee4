// sim/pairing.c - the one table of which formulation goes with which integrator.
#include "sim/sim_internal.h"

#include <string.h>

#define ABOVE_TWO                                                                                  \
    "not unconditionally stable: BDF of order 3 and above needs a step well below the "            \
    "oscillations"
#define DRIFTS "drifting baseline, for comparison only: joints open as it runs"

// Rigid bodies are the same in 'quaternion' and 'affine', and so is a state between two steps.
#define AS_AFFINE "the step of 'affine', energy never grows, "

#define UNSTABLE                                                                                   \
    "order 2; with joints an unstable baseline, for comparison only: it explodes after a while"

// What pairings can do.
#define CAN(feature) (1u << TML_FEATURE_##feature)
#define CONTACT      CAN(CONTACT)
#define TOUCH        (CAN(CONTACT) | CAN(COMPLIANT_CONTACT))
#define JOINTS       (CAN(LIMITS) | CAN(COMPLIANT_JOINTS))
#define TIES         CAN(NONHOLONOMIC)
#define SOFT         CAN(DEFORMABLES)
#define ELASTIC      CAN(ELASTIC_BODIES)
#define STATICS      CAN(STATICS)
#define SLOPES       CAN(DERIVATIVES)
#define IMPLICIT     (JOINTS | TIES | SOFT | CAN(LEVELS) | STATICS | SLOPES)
#define MOTORS       CAN(ARMATURE)
#define DRY          CAN(JOINT_FRICTION)

#define QUATERNION     &tml__quaternion_parts
#define NEWMARK        &tml__newmark_parts
#define MULTISTEP      &tml__multistep_parts
#define VARIATIONAL    &tml__variational_parts
#define AFFINE         &tml__affine_parts
#define LINKS          &tml__links_parts
#define GENERALIZED    &tml__generalized_parts
#define NODAL          &tml__nodal_parts
#define NODAL_EXPLICIT &tml__nodal_explicit_parts

// clang-format off
static const pairing table[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF2, "", tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_BDF1, "strongly damped, order 1", tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_BDF3, ABOVE_TWO, tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_BDF4, ABOVE_TWO, tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_BDF5, ABOVE_TWO, tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_BDF6, ABOVE_TWO, tml__advance_bdf, false, IMPLICIT | TOUCH, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_SDIRK2, "order 1 on constrained motion, positions and velocities", tml__advance_dirk, false, IMPLICIT, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_SDIRK2_PARESCHI_RUSSO, "holds joints at its stages only: gaps are reported, not bounded", tml__advance_dirk, false, IMPLICIT, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_CRANK_NICOLSON, UNSTABLE, tml__advance_newmark, true, JOINTS | TIES | SOFT, NEWMARK, NULL},
    {TML_FORM_QUATERNION, TML_TIME_NEWMARK, "gamma > 1/2 (with joints it must be): damped, order 1; 1/2: order 2", tml__advance_newmark, true, JOINTS | TIES | SOFT, NEWMARK, NULL},
    {TML_FORM_QUATERNION, TML_TIME_LINEAR_MULTISTEP, "as good as its coefficients; with joints errors of forces must die out", tml__advance_multistep, true, JOINTS | TIES | SOFT, MULTISTEP, NULL},
    {TML_FORM_QUATERNION, TML_TIME_SEMI_IMPLICIT_EULER, DRIFTS, tml__advance_semi_implicit, true, JOINTS | TIES | STATICS, QUATERNION, NULL},
    {TML_FORM_QUATERNION, TML_TIME_ENERGY, AS_AFFINE "at any step", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | CONTACT, AFFINE, LINKS},
    {TML_FORM_QUATERNION, TML_TIME_ENERGY_DAMPED, AS_AFFINE "strongly damped, order 1", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | TOUCH, AFFINE, LINKS},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, "order 2, symplectic; steps that turn a body by more than 1 rad are divided", tml__advance_variational, false, JOINTS | TIES | SOFT | SLOPES | CONTACT, VARIATIONAL, NULL},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, "order 4 by five steps, one of them backwards: not for stiff dampers", tml__advance_variational4, false, JOINTS | TIES | SOFT | SLOPES | CONTACT, VARIATIONAL, NULL},
    {TML_FORM_VARIATIONAL, TML_TIME_HEUN, DRIFTS, tml__advance_heun, true, CAN(COMPLIANT_JOINTS) | TIES, VARIATIONAL, NULL},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, "energy never grows, at any step", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | ELASTIC | CONTACT, AFFINE, LINKS},
    {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, "energy never grows; strongly damped, order 1", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | ELASTIC | TOUCH, AFFINE, LINKS},
    {TML_FORM_AFFINE, TML_TIME_BDF1, "strongly damped, order 1", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | ELASTIC | TOUCH, AFFINE, NULL},
    {TML_FORM_AFFINE, TML_TIME_BDF2, "order 2; may gain energy where links whip", tml__advance_affine, false, JOINTS | TIES | SOFT | SLOPES | ELASTIC | CONTACT, AFFINE, NULL},
    {TML_FORM_AFFINE, TML_TIME_SHAKE, "keeps momentum; the step must be well below the oscillations", tml__advance_affine, false, JOINTS | CONTACT, AFFINE, NULL},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, "order 1; dampers and servos along joint axes are implicit", tml__advance_generalized_semi_implicit, false, JOINTS | MOTORS | SLOPES | DRY | TOUCH, GENERALIZED, NULL},
    {TML_FORM_GENERALIZED, TML_TIME_FORWARD_EULER, "order 1; positions advance with the old velocities", tml__advance_generalized_forward, true, JOINTS | MOTORS | SLOPES | DRY | TOUCH, GENERALIZED, NULL},
    {TML_FORM_GENERALIZED, TML_TIME_BDF1, "order 1; springs, dampers and servos are taken where the step ends, linearised", tml__advance_generalized_semi_implicit, false, JOINTS | MOTORS | SLOPES | DRY | TOUCH, GENERALIZED, NULL},
    {TML_FORM_GENERALIZED, TML_TIME_PROJECTED, "order 1; motion wins no energy at any step, springs and dampers are taken where the step ends", tml__advance_generalized_semi_implicit, false, JOINTS | MOTORS | SLOPES | DRY | TOUCH, GENERALIZED, NULL},
    {TML_FORM_GENERALIZED, TML_TIME_RK4, "order 4; explicit: the step must follow the fastest oscillation", tml__advance_generalized_rk4, false, JOINTS | MOTORS | SLOPES, GENERALIZED, NULL},
};

// Deformables and no body that moves: every integrator that is not made for bodies.
#define ANY_FORM TML_FORM_QUATERNION
#define EXPLICIT "explicit: the step must be below the time that sound takes through the smallest tetrahedron"
static const pairing nodal_table[] = {
    {ANY_FORM, TML_TIME_BDF2, "", tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_BDF1, "strongly damped, order 1", tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_BDF3, ABOVE_TWO, tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_BDF4, ABOVE_TWO, tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_BDF5, ABOVE_TWO, tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_BDF6, ABOVE_TWO, tml__advance_bdf, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_SDIRK2, "", tml__advance_dirk, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_SDIRK2_PARESCHI_RUSSO, "", tml__advance_dirk, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_CRANK_NICOLSON, "keeps the energy of linear oscillations; fast ones ring on", tml__advance_newmark, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_NEWMARK, "order 2 for gamma = 1/2, damped and of order 1 above", tml__advance_newmark, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_LINEAR_MULTISTEP, "as good as its coefficients", tml__advance_multistep, false, 0, NODAL, NULL},
    {ANY_FORM, TML_TIME_FORWARD_EULER, "gains energy at any step, for comparison only", tml__advance_nodal_explicit, false, 0, NODAL_EXPLICIT, NULL},
    {ANY_FORM, TML_TIME_SEMI_IMPLICIT_EULER, EXPLICIT, tml__advance_nodal_explicit, false, 0, NODAL_EXPLICIT, NULL},
    {ANY_FORM, TML_TIME_HEUN, EXPLICIT, tml__advance_nodal_explicit, false, 0, NODAL_EXPLICIT, NULL},
    {ANY_FORM, TML_TIME_RK4, EXPLICIT, tml__advance_nodal_rk4, false, 0, NODAL_EXPLICIT, NULL},
};

static const char* const formulation_names[TML_FORMULATIONS] = {
    "quaternion", "variational", "affine", "generalized",
};

static const tml_integrator default_integrators[TML_FORMULATIONS] = {
    TML_TIME_BDF2, TML_TIME_VARIATIONAL, TML_TIME_ENERGY, TML_TIME_PROJECTED,
};

static const char* const integrator_names[TML_INTEGRATORS] = {
    "forward_euler", "semi_implicit_euler", "heun", "rk4", "bdf1", "bdf2", "bdf3", "bdf4", "bdf5",
    "bdf6", "sdirk2", "sdirk2_pareschi_russo", "crank_nicolson", "newmark", "linear_multistep",
    "variational", "variational4", "energy", "energy_damped", "shake", "projected",
};

static const char* const solver_names[TML_SOLVERS] = {"auto", "dense", "klu", "augmented",
                                                           "nodes", "two_step", "chain", "tree", "dual", "cg"};
// clang-format on

const pairing* tml__pairing_find(tml_formulation formulation, tml_integrator integrator)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].formulation == formulation && table[i].integrator == integrator) {
            return &table[i];
        }
    }
    return NULL;
}

const pairing* tml__pairing_find_nodal(tml_integrator integrator)
{
    for (size_t i = 0; i < sizeof nodal_table / sizeof *nodal_table; i++) {
        if (nodal_table[i].integrator == integrator) return &nodal_table[i];
    }
    return NULL;
}

bool tml_pairing_exists_nodal(tml_integrator integrator)
{
    return tml__pairing_find_nodal(integrator) != NULL;
}

const char* tml_pairing_remark_nodal(tml_integrator integrator)
{
    const pairing* p = tml__pairing_find_nodal(integrator);
    return p != NULL ? p->remark : "";
}

bool tml_pairing_has_contact(tml_formulation formulation, tml_integrator integrator)
{
    return tml_pairing_supports(formulation, integrator, TML_FEATURE_CONTACT);
}

static const char* const feature_names[TML_FEATURES] = {
    "contact",        "compliant contact", "limits",   "compliant joints",
    "nonholonomic",   "deformables",       "armature", "joint friction",
    "elastic bodies", "constraint level",  "statics",  "derivatives",
};

const char* tml_feature_name(tml_feature feature)
{
    return (unsigned)feature < TML_FEATURES ? feature_names[feature] : "?";
}

bool tml_pairing_supports(tml_formulation formulation, tml_integrator integrator,
                          tml_feature feature)
{
    const pairing* p = tml__pairing_find(formulation, integrator);
    return p != NULL && (unsigned)feature < TML_FEATURES && (p->can >> feature & 1u) != 0;
}

bool tml_pairing_exists(tml_formulation formulation, tml_integrator integrator)
{
    return tml__pairing_find(formulation, integrator) != NULL;
}

const char* tml_pairing_remark(tml_formulation formulation, tml_integrator integrator)
{
    const pairing* p = tml__pairing_find(formulation, integrator);
    return p != NULL ? p->remark : "";
}

// Position of a name in a list, -1 when it is not there.
static int find(const char* const* names, int count, const char* name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    return -1;
}

const char* tml_formulation_name(tml_formulation formulation)
{
    return (unsigned)formulation < TML_FORMULATIONS ? formulation_names[formulation] : "?";
}

bool tml_formulation_find(const char* name, tml_formulation* out)
{
    if (name == NULL) return false;
    const int i = find(formulation_names, TML_FORMULATIONS, name);
    if (i >= 0) *out = (tml_formulation)i;
    return i >= 0;
}

const char* tml_integrator_name(tml_integrator integrator)
{
    return (unsigned)integrator < TML_INTEGRATORS ? integrator_names[integrator] : "?";
}

bool tml_integrator_find(const char* name, tml_integrator* out)
{
    if (name == NULL) return false;
    const int i = find(integrator_names, TML_INTEGRATORS, name);
    if (i >= 0) *out = (tml_integrator)i;
    return i >= 0;
}

tml_integrator tml_formulation_default_integrator(tml_formulation formulation)
{
    return (unsigned)formulation < TML_FORMULATIONS ? default_integrators[formulation]
                                                    : TML_TIME_BDF2;
}

const char* tml_solver_name(tml_solver solver)
{
    return (unsigned)solver < TML_SOLVERS ? solver_names[solver] : "?";
}

bool tml_solver_find(const char* name, tml_solver* out)
{
    if (name == NULL) return false;
    const int i = find(solver_names, TML_SOLVERS, name);
    if (i >= 0) *out = (tml_solver)i;
    return i >= 0;
}
