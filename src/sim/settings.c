// sim/settings.c - the settings of a simulation: their defaults, which formulation and integrator carry
// them out, and what does not go together.
#include "sim/sim_internal.h"

#include <trammel/contact.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

tml_sim_settings tml_sim_settings_default(void)
{
    return (tml_sim_settings){
        .formulation = TML_FORM_QUATERNION,
        .integrator = TML_TIME_BDF2,
        .step = 0.01,
        .tolerance = 1e-10,
        .max_iterations = 30,
        .solver = TML_SOLVER_AUTO,
        .implicit.start = TML_START_ACCURATE,
        .implicit.level = {1.0, 0.0, 0.0},
        .implicit.newmark_gamma = 0.5,
        .implicit.newmark_beta = 0.25,
        .affine.young = (double)INFINITY,
        .affine.poisson = 0.3,
        .threads = 1,
    };
}

static bool takes_solver(const form_parts* form, tml_solver solver)
{
    return form->solvers == 0 ? solver < TML_SOLVER_CHAIN : (form->solvers >> solver & 1u) != 0;
}

static bool can(const tml_sim* sim, tml_feature feature)
{
    return tml_pairing_supports(sim->settings.formulation, sim->settings.integrator, feature);
}

// Another pairing that does: of the same formulation if there is one, its default integrator first.
static bool find_pairing_with(const tml_sim* sim, tml_feature feature, tml_formulation* formulation,
                              tml_integrator* integrator)
{
    for (int k = 0; k <= TML_FORMULATIONS; k++) {
        *formulation = k == 0 ? sim->settings.formulation : (tml_formulation)(k - 1);
        *integrator = tml_formulation_default_integrator(*formulation);
        if (tml_pairing_supports(*formulation, *integrator, feature)) return true;
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            *integrator = (tml_integrator)i;
            if (tml_pairing_supports(*formulation, *integrator, feature)) return true;
        }
    }
    return false;
}

// `what` of the element `name` (NULL: it has none) is not for this pairing; `hint` may say what else can be done.
static tml_status refuse(tml_sim* sim, tml_feature feature, const char* what, const char* name,
                         const char* hint)
{
    const tml_sim_settings* s = &sim->settings;
    tml_formulation formulation = s->formulation;
    tml_integrator integrator = s->integrator;
    find_pairing_with(sim, feature, &formulation, &integrator);
    return tml__fail(&sim->why, TML_UNSUPPORTED,
                     "%s%s%.200s%s: not in formulation '%s' with integrator '%s', but for example "
                     "in '%s' with '%s'; `trammel list --support` shows where%s",
                     what, name != NULL ? " '" : "", name != NULL ? name : "",
                     name != NULL ? "'" : "", tml_formulation_name(s->formulation),
                     tml_integrator_name(s->integrator), tml_formulation_name(formulation),
                     tml_integrator_name(integrator), hint);
}

// Deformables and nothing else that moves.
static bool is_nodal_model(const tml_sim* sim)
{
    return sim->model->all.deformable_count > 0 && sim->model->node_count == 0;
}

static tml_status choose_pairing(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    message* why = &sim->why;

    if ((unsigned)s->formulation >= TML_FORMULATIONS ||
        (unsigned)s->integrator >= TML_INTEGRATORS) {
        return tml__fail(why, TML_BAD_ARGUMENT, "unknown formulation or integrator");
    }
    const bool is_nodal = is_nodal_model(sim);
    sim->pairing = is_nodal ? tml__pairing_find_nodal(s->integrator)
                            : tml__pairing_find(s->formulation, s->integrator);
    sim->form = sim->pairing != NULL ? sim->pairing->form : NULL;
    if (sim->pairing == NULL && is_nodal) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "deformables alone do not run with integrator '%s'; `trammel list` shows "
                         "what does",
                         tml_integrator_name(s->integrator));
    }
    if (sim->pairing == NULL) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "formulation '%s' does not run with integrator '%s' in this version; "
                         "`trammel list` shows what does",
                         tml_formulation_name(s->formulation), tml_integrator_name(s->integrator));
    }
    return TML_OK;
}

// What deformables ask of the rest, and settings that only they honour.
static tml_status check_deformables(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    const definitions* all = &sim->model->all;
    const bool is_nodal = is_nodal_model(sim);
    message* why = &sim->why;

    if (!is_nodal && all->deformable_count > 0 && !can(sim, TML_FEATURE_DEFORMABLES)) {
        return refuse(sim, TML_FEATURE_DEFORMABLES, "deformables beside bodies", NULL, "");
    }
    if (all->deformable_count > 0 && s->contact.is_on && s->contact.stiffness > 0.0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "contact of deformables is hard in this version: leave out 'stiffness'");
    }
    if (is_nodal && s->contact.is_on && tml__bdf_order(s->integrator) == 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "contact of deformables is for the bdf integrators, not for '%s'",
                         tml_integrator_name(s->integrator));
    }
    if (!is_nodal && (s->implicit.is_linearised || s->implicit.unknowns != TML_UNKNOWN_POSITION)) {
        return tml__fail(
            why, TML_UNSUPPORTED,
            "linearised steps and velocity unknowns are for deformables without bodies "
            "in this version");
    }
    return TML_OK;
}

// Rows on velocities or accelerations: where stages are implicit, and nothing else asks for positions.
static tml_status check_level(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    message* why = &sim->why;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(s->implicit.level[k] >= 0.0 && isfinite(s->implicit.level[k]))) sum = -1.0;
        if (sum >= 0.0) sum += s->implicit.level[k];
    }
    if (!(sum > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "constraint_level needs three finite weights, none negative and not all "
                         "zero, but has %g, %g and %g",
                         s->implicit.level[0], s->implicit.level[1], s->implicit.level[2]);
    }
    if (s->implicit.level[1] <= 0.0 && s->implicit.level[2] <= 0.0) return TML_OK;
    if (!can(sim, TML_FEATURE_LEVELS) || s->contact.is_on) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "constraint_level: rows are asked on velocities or accelerations in "
                         "formulation 'quaternion' with the bdf and sdirk2 integrators and without "
                         "contact, not in '%s' with '%s'%s",
                         tml_formulation_name(s->formulation), tml_integrator_name(s->integrator),
                         s->contact.is_on ? " and contact" : "");
    }
    return TML_OK;
}

// Does anything say where a body or a vertex must be? Joints do, and bodies that carry vertices.
static bool has_rows(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    if (is_nodal_model(sim)) return false;
    for (int i = 0; i < m->vertex_count; i++) {
        if (m->carrier[i] != VERTEX_FREE && m->bodies[m->carrier[i]].node >= 0) return true;
    }
    return m->row_count > 0;
}

// With rows on positions Newmark's formulas grow without bound at gamma = 1/2 (method/quaternion/newmark.c), and
// most damping of what is fast needs beta = (gamma + 1/2)^2 / 4.                   [COOK Sec 7.5]
static tml_status check_newmark(tml_sim* sim)
{
    const double gamma = sim->settings.implicit.newmark_gamma;
    const double beta = sim->settings.implicit.newmark_beta;
    // beta = 1/12 (Fox and Goodwin), if written with two digits, is the smallest in use: below it
    // accelerations are differences of positions so small that rounding and tolerance speak
    if (!(gamma >= 0.5 && gamma <= 1.0) || !(beta >= 0.08 && beta <= 1.0)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "newmark needs gamma in [0.5, 1] and beta in [0.08, 1], but has %g and %g",
                         gamma, beta);
    }
    if (sim->settings.integrator != TML_TIME_NEWMARK || !has_rows(sim)) return TML_OK;
    const double least = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    // numbers may be written with four digits
    if (gamma > 0.5 && beta >= least * (1.0 - 1e-3)) return TML_OK;
    return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                     "integrator 'newmark' with joints, or with vertices that bodies carry, is "
                     "unstable unless gamma > 0.5 and beta >= (gamma + 0.5)^2 / 4, but gamma is %g "
                     "and beta %g; write \"newmark\": "
                     "{\"gamma\": 0.6, \"beta\": 0.3025} under \"simulation\"",
                     gamma, beta);
}

enum {
    REPEATS = 4096
};

// How a recurrence sum_j c_j e_(n-j) = 0 goes on from any start: its largest number after REPEATS steps,
// in units of the largest after a quarter of them (`late`) and of the start (`all`).
typedef struct repeated {
    double late, all;
} repeated;

static repeated repeat(const double* c, int steps)
{
    repeated out = {0.0, 0.0};
    for (int first = 0; first < steps; first++) {
        double e[TML_MULTISTEP_MOST] = {0.0};  // newest first
        double size = 0.0;
        double quarter = 1.0;
        e[first] = 1.0;
        for (int n = 1; n <= REPEATS && size < 1e100; n++) {
            double next = 0.0;
            for (int j = 1; j <= steps; j++) next -= c[j] / c[0] * e[j - 1];
            size = fabs(next);
            for (int j = steps - 1; j > 0; j--) size = fmax(size, fabs(e[j] = e[j - 1]));
            e[0] = next;
            if (n == REPEATS / 4) quarter = size;
        }
        out.all = fmax(out.all, size);
        if (quarter > 1e-12) out.late = fmax(out.late, size / quarter);
    }
    return out;
}

// A formula must follow straight lines, and what it forgets must not come back: errors of what is
// integrated go on as sum_j alpha_j e_(n-j) = 0 (zero-stability), those of what rows prescribe as
// sum_j beta_j e_(n-j) = 0, twice.                                                  [COOK (164)]
static tml_status check_multistep(tml_sim* sim)
{
    const tml_multistep* m = &sim->settings.implicit.multistep;
    message* why = &sim->why;
    bool is_finite = m->steps >= 1 && m->steps <= TML_MULTISTEP_MOST && fabs(m->alpha[0]) > 0.0;
    double sum = 0.0;
    double size = 0.0;
    double slope = 0.0;
    for (int j = 0; is_finite && j <= m->steps; j++) {
        // a formula means the same at any scale, but sums of large numbers overflow
        const double a = m->alpha[j] / m->alpha[0];
        const double b = m->beta[j] / m->alpha[0];
        sum += a;
        size += fabs(a);
        slope += j * a + b;
        is_finite = isfinite(size) && isfinite(slope);
    }
    const bool is_formula =
        is_finite && m->beta[0] / m->alpha[0] > 0.0 && fabs(sum) <= 1e-12 * size;
    if (!is_formula) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "linear_multistep needs 1 to %d steps, finite alpha that sum to zero and "
                         "beta_0 / alpha_0 > 0 (an implicit formula)",
                         (int)TML_MULTISTEP_MOST);
    }
    if (fabs(slope) > 1e-9 * size) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "linear_multistep: the formula does not follow a straight line: the sum "
                         "of (j alpha_j + beta_j) / alpha_0 is %g, not 0",
                         slope);
    }
    if (repeat(m->alpha, m->steps).late > 2.0) {  // a double root on the circle: 4
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "linear_multistep: the formula is not zero-stable: alpha alone lets "
                         "errors grow without bound");
    }
    if (has_rows(sim) && repeat(m->beta, m->steps).all > 1e-3) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "linear_multistep with joints, or with vertices that bodies carry: errors of their "
            "forces do not die out, because the polynomial of beta has a root outside of the unit "
            "circle or near to it; backward differences have none");
    }
    return TML_OK;
}

static tml_status check_formulas(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    message* why = &sim->why;
    const tml_status status = check_newmark(sim);
    if (status != TML_OK) return status;
    const bool is_trapezoidal =
        s->implicit.newmark_gamma <= 0.5 && fabs(s->implicit.newmark_beta - 0.25) <= 0.0;
    if (s->integrator != TML_TIME_NEWMARK && !is_trapezoidal) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "newmark's gamma and beta are for integrator 'newmark', not '%s'",
                         tml_integrator_name(s->integrator));
    }
    if (s->integrator != TML_TIME_LINEAR_MULTISTEP && s->implicit.multistep.steps != 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "multistep's coefficients are for integrator 'linear_multistep', not '%s'",
                         tml_integrator_name(s->integrator));
    }
    if (sim->form->is_explicit &&
        (s->implicit.is_linearised || s->implicit.unknowns != TML_UNKNOWN_POSITION)) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "linearised and unknowns say how implicit stages are solved; integrator "
                         "'%s' has none",
                         tml_integrator_name(s->integrator));
    }
    return s->integrator == TML_TIME_LINEAR_MULTISTEP ? check_multistep(sim) : TML_OK;
}

static const char* dry_joint(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (axis_is_dry(&m->joints[j].axis[k])) return m->all.joints[j].name;
        }
    }
    return "?";
}

static const char* armed_joint(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (m->joints[j].axis[k].armature > 0.0) return m->all.joints[j].name;
        }
    }
    return "?";
}

static tml_status check_settings(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    message* why = &sim->why;

    if (!isfinite(s->step) || !(s->step > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "step must be positive, but is %g s", s->step);
    }
    if (!(s->tolerance >= 1e-15 && s->tolerance <= 1e-2)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "tolerance must be in [1e-15, 1e-2], but is %g",
                         s->tolerance);
    }
    if (s->max_iterations < 1) {
        return tml__fail(why, TML_BAD_ARGUMENT, "max_iterations must be 1 or more, but is %d",
                         s->max_iterations);
    }
    if ((unsigned)s->solver >= TML_SOLVERS) {
        return tml__fail(why, TML_BAD_ARGUMENT, "unknown solver");
    }
    if (!takes_solver(sim->form, s->solver)) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "formulation '%s' with integrator '%s' has no solver '%s'",
                         tml_formulation_name(s->formulation), tml_integrator_name(s->integrator),
                         tml_solver_name(s->solver));
    }
    if (s->threads < 1) {
        return tml__fail(why, TML_BAD_ARGUMENT, "threads must be 1 or more, but is %d", s->threads);
    }
    if (!(s->implicit.baumgarte >= 0.0 && s->implicit.baumgarte <= 1.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "baumgarte must be in [0, 1], but is %g",
                         s->implicit.baumgarte);
    }
    if (s->contact.is_on && !is_nodal_model(sim) && !can(sim, TML_FEATURE_CONTACT)) {
        return refuse(sim, TML_FEATURE_CONTACT, "contact", NULL, "");
    }
    if (sim->model->has_armature && !can(sim, TML_FEATURE_ARMATURE)) {
        return refuse(sim, TML_FEATURE_ARMATURE, "the armature of joint", armed_joint(sim->model),
                      " (--no-armature leaves those of a robot model out)");
    }
    if (sim->model->dry_count > 0 && !can(sim, TML_FEATURE_JOINT_FRICTION)) {
        return refuse(sim, TML_FEATURE_JOINT_FRICTION, "dry friction of joint",
                      dry_joint(sim->model),
                      " (--no-joint-friction leaves that of a robot model out)");
    }
    if (sim->model->all.nonholonomic_count > 0 && !can(sim, TML_FEATURE_NONHOLONOMIC)) {
        return refuse(sim, TML_FEATURE_NONHOLONOMIC, "nonholonomic",
                      sim->model->all.nonholonomics[0].name, "");
    }
    if (s->contact.is_on && s->contact.stiffness > 0.0 && !is_nodal_model(sim) &&
        !can(sim, TML_FEATURE_COMPLIANT_CONTACT)) {
        return refuse(sim, TML_FEATURE_COMPLIANT_CONTACT,
                      "compliant contact (contact.stiffness), which would ring", NULL, "");
    }
    if (s->contact.max_contacts > TML_CONTACTS_MOST) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "max_contacts (%d) of contact is at most %d: each takes about 3 kB",
                         s->contact.max_contacts, TML_CONTACTS_MOST);
    }
    if (s->contact.max_contacts < 0 || !(s->contact.margin >= 0.0 && s->contact.margin <= 1.0) ||
        !(s->contact.stiffness >= 0.0 && isfinite(s->contact.stiffness)) ||
        s->contact.pgs_iterations < 0) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "max_contacts (%d), margin (%g, at most 1), stiffness (%g) and "
                         "pgs_iterations (%d) of contact must not be negative",
                         s->contact.max_contacts, s->contact.margin, s->contact.stiffness,
                         s->contact.pgs_iterations);
    }
    if (s->implicit.baumgarte > 0.0 && s->integrator != TML_TIME_SEMI_IMPLICIT_EULER) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "baumgarte is honoured by integrator 'semi_implicit_euler' only, not '%s'",
                         tml_integrator_name(s->integrator));
    }
    if (s->implicit.start != TML_START_ACCURATE && !sim->form->is_multistep) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "start 'sdirk2' is for multistep formulas, not for formulation '%s'",
                         tml_formulation_name(s->formulation));
    }
    return TML_OK;
}

static tml_status check_stiffness(tml_sim* sim)
{
    const tml_sim_settings* s = &sim->settings;
    message* why = &sim->why;
    const bool is_corotated = s->affine.strain == TML_STRAIN_COROTATED;
    if (!(s->affine.young > 0.0) || !(s->affine.poisson > -1.0 && s->affine.poisson < 0.5)) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "young must be positive and poisson between -1 and 0.5, but they are %g Pa "
            "and %g",
            s->affine.young, s->affine.poisson);
    }
    if ((unsigned)s->affine.strain >= TML_STRAINS || (is_corotated && !isfinite(s->affine.young))) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "strain 'corotated' is for bodies of finite stiffness: it needs young");
    }
    if (!isfinite(s->affine.young)) return TML_OK;
    if (s->formulation != TML_FORM_AFFINE || sim->model->node_count == 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "young makes bodies of formulation 'affine' elastic, not those of '%s'",
                         tml_formulation_name(s->formulation));
    }
    return TML_OK;
}

tml_status tml__sim_check_settings(tml_sim* sim)
{
    tml_status status = choose_pairing(sim);
    if (status == TML_OK) status = check_settings(sim);
    if (status == TML_OK) status = check_formulas(sim);
    if (status == TML_OK) status = check_level(sim);
    if (status == TML_OK) status = check_deformables(sim);
    if (status == TML_OK) status = check_stiffness(sim);
    if (status == TML_OK && sim->form->check != NULL) status = sim->form->check(sim);
    return status;
}
