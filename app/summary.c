// app/summary.c - what a run did, for people and for programs.
#include "app/json.h"
#include "app/run.h"

#include <math.h>
#include <stdio.h>

// Changes of initial velocities below this are round-off of consistent ones, m/s and rad/s.
static const double noticeable = 1e-9;

static const char* plural(long long count) { return count == 1 ? "" : "s"; }
static const char* bodies(long long count) { return count == 1 ? "body" : "bodies"; }

static double total(tml_energy e) { return e.kinetic + e.potential; }

const char* rate_text(double rate, char text[RATE_CHARS])
{
    // no exponents for the sizes that occur
    snprintf(text, RATE_CHARS, rate >= 100.0 && rate < 1e15 ? "%.0f" : "%.3g", rate);
    return text;
}

// An error of accelerations along rows is multiplied by (gamma - 3/2) / (gamma + 1/2) in a step, and a joint that
// turns feeds it.                                                                  [COOK Sec 7.5]
double stable_turn(const tml_sim* sim)
{
    if (sim == NULL) return -1.0;
    const tml_sim_settings* s = tml_sim_get_settings(sim);
    const bool is_newmark = s->integrator == TML_TIME_NEWMARK;
    if (!is_newmark && s->integrator != TML_TIME_CRANK_NICOLSON) return -1.0;
    if (tml_model_row_count(tml_sim_model(sim)) == 0) return -1.0;
    const double gamma = is_newmark ? s->implicit.newmark_gamma : 0.5;
    return 2.0 * (gamma - 0.5) / (gamma + 0.5);
}

static void print_turn(const run* r)
{
    const double most = stable_turn(r->sim);
    if (most < 0.0 || r->turn <= most) return;
    printf(
        "warning: bodies on joints turned by up to %.3g rad in a step, but gamma damps only what "
        "turns by less than %.3g rad: joint forces swing, and the motion may explode; take a "
        "smaller step or a larger gamma\n",
        r->turn, most);
}

static void print_oddities(const tml_sim_report* report)
{
    if (report->velocity_correction > noticeable) {
        printf("initial velocities changed by up to %.3g (m/s, rad/s) to agree with the joints\n",
               report->velocity_correction);
    }
    if (report->restarts > 0) {
        printf("%lld restart%s of the time formula, where a limit or a contact engaged, changed or "
               "let go\n",
               report->restarts, plural(report->restarts));
    }
    if (report->substeps > 0) {
        printf("%lld pieces of divided steps\n", report->substeps);
    }
    if (report->fallback_steps > 0) {
        printf("%lld step%s next to a singular pose, taken at order 1 or without its rows for "
               "velocities\n",
               report->fallback_steps, plural(report->fallback_steps));
    }
    if (report->inexact_steps > 0) {
        printf(
            "%lld solution%s next to a singular pose, with rows closed but the last update above "
            "the tolerance\n",
            report->inexact_steps, plural(report->inexact_steps));
    }
    if (report->unsettled_limits > 0) {
        printf("limits pull in %lld step%s\n", report->unsettled_limits,
               plural(report->unsettled_limits));
    }
    if (report->fallback_starts > 0) {
        printf("%lld start%s too stiff for the accurate method, made with sdirk2\n",
               report->fallback_starts, plural(report->fallback_starts));
    }
}

static const char* name_of(const tml_model* model, tml_body body)
{
    return body.index < 0 ? "world" : tml_model_body(model, body)->name;
}

static void print_contacts(const tml_model* model, const tml_sim_report* report)
{
    if (report->contact_problems == 0 && report->max_penetration > 0.0) {
        printf("deepest overlap %.2g m\n", report->max_penetration);
    }
    if (report->contact_problems == 0) return;
    const double share = (double)report->contact_hits / (double)report->contact_problems;
    printf("%lld contact problem%s, %.3g %% solved by the labels of the step before, "
           "complementarity to %.2g; deepest overlap %.2g m\n",
           report->contact_problems, plural(report->contact_problems), 100.0 * share,
           report->max_complementarity, report->max_penetration + 0.0);
    if (report->contact_unpolished > 0) {
        printf("%lld of them without an exact solution, see max_complementarity\n",
               report->contact_unpolished);
    }
    if (report->contact_removed > 0.0) {
        printf("contacts would have won %.2g J in all, which they were not left\n",
               report->contact_removed);
    }
    if (report->fast_contacts > 0) {
        printf("%lld contact%s met faster than margin / step, the fastest between '%s' and '%s' at "
               "%.3g m/s: others may have been missed\n",
               report->fast_contacts, plural(report->fast_contacts), name_of(model, report->fast_a),
               name_of(model, report->fast_b), report->fast_speed);
    }
}

static void print_speed(const run* r, long long steps)
{
    const double time = tml_sim_time(r->sim);

    printf("%lld step%s, %.6g s simulated in %.3g s", steps, plural(steps), time, r->wall);
    if (steps > 0 && r->wall > 0.0) {
        char per_second[RATE_CHARS];
        char times[RATE_CHARS];
        printf(": %s steps/s, %s times real time", rate_text((double)steps / r->wall, per_second),
               rate_text(time / r->wall, times));
    }
    printf("\n");
}

// Does the method refuse energy from nowhere? Then it knows the work of all forces.
static bool balances_energy(const tml_sim* sim)
{
    if (sim == NULL) return false;
    const tml_integrator with = tml_sim_get_settings(sim)->integrator;
    return with == TML_TIME_ENERGY || with == TML_TIME_ENERGY_DAMPED;
}

// Where Newton is local, most bodies rest in most iterations.
static void print_share(const tml_model* model, const tml_sim_report* report)
{
    const double all = (double)report->newton_iterations * tml_model_body_count(model);
    const double share = all > 0.0 ? (double)report->newton_bodies / all : 1.0;
    if (share < 0.95) printf(", %.2g of the bodies in each", share);
}

void summary_print(const run* r)
{
    const tml_model* model = r->input.model;
    const tml_sim_settings* s = tml_sim_get_settings(r->sim);
    const tml_sim_report report = tml_sim_get_report(r->sim);
    const tml_energy last = tml_sim_energy(r->sim);

    printf("%s: %d %s, %d joint%s, %d row%s\n", tml_model_name(model), tml_model_body_count(model),
           bodies(tml_model_body_count(model)), tml_model_joint_count(model),
           plural(tml_model_joint_count(model)), tml_model_row_count(model),
           plural(tml_model_row_count(model)));
    printf("%s, %s, solver %s, step %g s\n", tml_formulation_name(s->formulation),
           tml_integrator_name(s->integrator), report.solver, s->step);
    if (r->is_assembled) {
        printf("assembled: gap %.3g -> %.2g, bodies moved by up to %.3g m and %.3g rad\n",
               r->assembly.gap_before, r->assembly.gap_after, r->assembly.moved,
               r->assembly.turned);
    }
    print_speed(r, report.steps);
    if (report.steps > 0) {
        printf("%.3g Newton iterations a step",
               (double)report.newton_iterations / (double)report.steps);
        print_share(model, &report);
        if (report.substeps > 0) printf(", %lld substeps", report.substeps);
        printf("\n");
    }
    printf("energy %.6g J -> %.6g J (kinetic %.6g -> %.6g, potential %.6g -> %.6g)\n",
           total(r->first), total(last), r->first.kinetic, last.kinetic, r->first.potential,
           last.potential);
    printf("largest rise of energy in a step %.3g J\n", r->energy_rise);
    if (balances_energy(r->sim)) {
        printf("beyond the work of all forces at most %.2g of kinetic energy and work\n",
               report.max_gain);
    }
    printf("largest gap %.2g\n", report.max_gap);
    printf("memory at most %.4g MB", peak_megabytes());
    if (tml_model_body_count(model) >= 1000) {
        printf(", %.0f bytes a body", 1e6 * peak_megabytes() / tml_model_body_count(model));
    }
    printf("\n");
    print_contacts(model, &report);
    print_oddities(&report);
    print_turn(r);
    if (r->out != NULL) {
        printf("recorded %lld state%s in %s, the scene in %s\n", r->recorded, plural(r->recorded),
               r->out, r->scene_out);
    }
    if (r->outcome == RUN_INTERRUPTED) {
        printf("interrupted after %lld of %lld steps\n", report.steps, r->step_count);
    }
}

static void json_contacts(json_object* o, const tml_model* model, const tml_sim_report* report)
{
    json_whole(o, "contact_problems", report->contact_problems);
    json_whole(o, "contact_hits", report->contact_hits);
    json_whole(o, "contact_unpolished", report->contact_unpolished);
    json_number(o, "max_complementarity", report->max_complementarity);
    json_number(o, "max_penetration", report->max_penetration + 0.0);  // never -0
    json_number(o, "contact_removed", report->contact_removed);
    json_whole(o, "fast_contacts", report->fast_contacts);
    if (report->fast_contacts == 0) return;
    json_text(o, "fast_a", name_of(model, report->fast_a));
    json_text(o, "fast_b", name_of(model, report->fast_b));
    json_number(o, "fast_speed", report->fast_speed);
}

void summary_print_json(const run* r)
{
    static const char* const outcomes[] = {"ok", "failed", "interrupted"};
    const tml_sim_settings* s = &loaded_settings(&r->input)->sim;
    // a simulation that could not be created has no state: zero steps, energies unknown
    const bool is_alive = r->sim != NULL;
    const tml_sim_report report = is_alive ? tml_sim_get_report(r->sim) : (tml_sim_report){0};
    json_object o = json_open();

    json_text(&o, "status", outcomes[r->outcome]);
    json_whole(&o, "steps", report.steps);
    json_number(&o, "time", is_alive ? tml_sim_time(r->sim) : 0.0);
    json_number(&o, "wall_seconds", r->wall);
    json_whole(&o, "newton_iterations", report.newton_iterations);
    json_whole(&o, "newton_bodies", report.newton_bodies);
    json_whole(&o, "substeps", report.substeps);
    json_number(&o, "max_gap", report.max_gap);
    json_number(&o, "energy_initial", is_alive ? total(r->first) : (double)NAN);
    json_number(&o, "energy_final", is_alive ? total(tml_sim_energy(r->sim)) : (double)NAN);
    json_number(&o, "energy_rise", r->energy_rise);
    if (balances_energy(r->sim)) json_number(&o, "energy_gain", report.max_gain);
    json_number(&o, "energy_work", report.energy_work);
    json_number(&o, "energy_unexplained", report.energy_unexplained);
    json_text(&o, "formulation", tml_formulation_name(s->formulation));
    json_text(&o, "integrator", tml_integrator_name(s->integrator));
    json_text(&o, "solver", is_alive ? report.solver : tml_solver_name(s->solver));
    json_number(&o, "velocity_correction", report.velocity_correction);
    json_whole(&o, "restarts", report.restarts);
    json_number(&o, "peak_memory_bytes", 1e6 * peak_megabytes());
    json_whole(&o, "fallback_starts", report.fallback_starts);
    json_whole(&o, "fallback_steps", report.fallback_steps);
    if (report.inexact_steps > 0) json_whole(&o, "inexact_steps", report.inexact_steps);
    if (report.unsettled_limits > 0) {
        json_whole(&o, "unsettled_limits", report.unsettled_limits);
    }
    if (stable_turn(r->sim) >= 0.0) {
        json_number(&o, "largest_turn", r->turn);
        json_number(&o, "stable_turn", stable_turn(r->sim));
    }
    if (report.contact_problems > 0 || report.max_penetration > 0.0)
        json_contacts(&o, r->input.model, &report);
    if (r->out != NULL) json_whole(&o, "recorded", r->recorded);
    if (r->is_assembled) {
        json_number(&o, "gap_before", r->assembly.gap_before);
        json_number(&o, "gap_after", r->assembly.gap_after);
    }
    if (r->outcome == RUN_FAILED) json_text(&o, "message", r->why);
    json_close(&o);
}
