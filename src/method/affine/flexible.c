// method/affine/flexible.c - simulations of affine bodies of finite stiffness.                             [notes 9.6]
//
// An accepted state is told as poses and rates, those of the nearest rotation and of the same angular
// momentum. The shapes themselves, A and its rate, are kept beside them in sim->own, and whatever is asked
// of joints is asked of the shapes.
#include "method/affine/flexible.h"

#include "sim/advance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tml_status refuse(tml_sim* sim, const char* what)
{
    return tml__fail(&sim->why, TML_UNSUPPORTED, "bodies of finite stiffness (young) %s", what);
}

tml_status tml__flex_check(tml_sim* sim)
{
    if (!tml__is_flex(sim)) return TML_OK;
    const tml_sim_settings* s = &sim->settings;
    const bool is_bdf = s->integrator == TML_TIME_BDF1 || s->integrator == TML_TIME_BDF2;
    if (s->affine.strain == TML_STRAIN_COROTATED && !is_bdf) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "strain 'corotated' promises no energy: it goes with 'bdf1' and 'bdf2', "
                         "not with '%s'",
                         tml_integrator_name(s->integrator));
    }
    if (s->integrator == TML_TIME_SHAKE) return refuse(sim, "do not go with integrator 'shake'");
    if (s->solver != TML_SOLVER_AUTO && s->solver != TML_SOLVER_NODES) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "bodies of finite stiffness (young) are solved by 'nodes', not by '%s'",
                         tml_solver_name(s->solver));
    }
    if (s->contact.is_on) return refuse(sim, "do not touch: 'contact' is for rigid ones");
    if (sim->model->all.deformable_count > 0) {
        return refuse(sim, "carry no deformables");
    }
    if (sim->model->all.nonholonomic_count > 0) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "nonholonomic '%s': rows that tie velocities are for rigid bodies, not for "
            "those of finite stiffness (young)",
            sim->model->all.nonholonomics[0].name);
    }
    return TML_OK;
}

static affine_system* system_of(const tml_sim* sim) { return ((affine_work*)sim->work)->system; }

tml_status tml__flex_make(tml_sim* sim, affine_system** out)
{
    const tml_sim_settings* s = &sim->settings;
    const flex_material material = {s->affine.young, s->affine.poisson,
                                    s->affine.strain == TML_STRAIN_COROTATED};
    sim->system->may_be_redundant = false;  // what bodies give way by tells all loads apart
    return tml__flex_create(sim->system, &material, &sim->why, out);
}

void tml__flex_explain(const tml_sim* sim, char* text, size_t capacity)
{
    const tml_sim_settings* s = &sim->settings;
    if (!tml__is_flex(sim)) {
        snprintf(text, capacity, "affine, rigid links: 6 a body (centre of mass, rotation vector)");
        return;
    }
    snprintf(text, capacity,
             "affine, finite stiffness: 12 a body (centre of mass, three columns), young %g Pa, "
             "poisson %g, %s strain",
             s->affine.young, s->affine.poisson,
             s->affine.strain == TML_STRAIN_GREEN ? "Green's" : "co-rotated");
}

size_t tml__flex_width(const tml_sim* sim)
{
    return tml__is_flex(sim) ? FLEX_STATE * (size_t)sim->system->node_count : 0;
}

void tml__flex_place(tml_sim* sim, const double* own)
{
    if (tml__is_flex(sim)) tml__flex_shape(sim->system, own);
}

void tml__flex_add_energy(const tml_sim* sim, tml_energy* energy)
{
    double kinetic = 0.0;
    double stored = 0.0;
    if (!tml__is_flex(sim)) return;
    tml__flex_energy(system_of(sim), sim->own, &kinetic, &stored);
    energy->kinetic = kinetic;
    energy->potential += stored;
}

// The multipliers that the first step will have, so that it starts near them and loads can be told.
static void guess_multipliers(tml_sim* sim)
{
    const tml_sim_report before = sim->report;
    const message why = sim->why;
    const size_t rows = (size_t)sim->system->row_count;
    memset(sim->lambda, 0, rows * sizeof *sim->lambda);
    const step_ask ask = tml__step_ask(sim, NULL);
    if (tml__step_once(sim, &ask) == TML_OK) {
        memcpy(sim->lambda, sim->next.lambda, rows * sizeof *sim->lambda);
    }
    sim->report = before;
    sim->why = why;
}

tml_status tml__flex_start(tml_sim* sim, double* change)
{
    affine_system* a = system_of(sim);
    maximal_system* s = sim->system;
    double* q = sim->past_q[0];
    double* v = sim->past_v[0];
    const double h = sim->settings.step;
    const affine_stage here = {h, 1.0, h * h, 1.0, AFFINE_MEAN};

    tml__flex_begin(s, q, v, sim->own);
    tml__affine_load(a, q, v);
    tml__flex_load(a, sim->own);
    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        b->move = v3_zero();
        b->R_end = b->R;
        b->v_end = b->v;
        a->flex->body[n].U_end = a->flex->body[n].U;
    }
    memcpy(a->start_frames, s->frames, (size_t)s->model->all.joint_count * sizeof *s->frames);
    tml__affine_aim(a);
    tml__affine_evaluate(a, &here);
    tml__flex_stage(a, &here);
    s->bad_row = -1;
    const tml_status status = tml__flex_project(a, h * h);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    // rows that others imply whatever the bodies do are left out for good
    for (int row = 0; row < s->row_count; row++) {
        a->is_redundant[row] = a->is_dropped[row] && a->row_first[row] >= 0;
    }
    *change = 0.0;
    for (int i = 0; i < FLEX_WIDTH * s->node_count; i++) {
        *change = tml__larger(*change, a->flex->dx[i]);
    }
    tml__flex_store(a, sim->own, sim->own);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        tml__maximal_store_velocity(&q[n * POSE_WIDTH], b->v_end, b->omega_end, &v[n * POSE_WIDTH]);
    }
    guess_multipliers(sim);
    return TML_OK;
}
