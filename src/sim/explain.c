// sim/explain.c - how a scene will be solved, told to people.
#include "sim/sim_internal.h"

#include <stdarg.h>
#include <stdio.h>

// A text that keeps counting after it is full.
typedef struct writer {
    char* text;
    size_t capacity;
    size_t used;
} writer;

__attribute__((format(printf, 2, 3))) static void say(writer* w, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = w->used < w->capacity ? w->capacity - w->used : 0;
    const int length = vsnprintf(room > 0 ? w->text + w->used : NULL, room, format, arguments);
    va_end(arguments);
    if (length > 0) w->used += (size_t)length;
}

static const char* kind_of(const joint_row* row)
{
    switch (row->kind) {
    case ROW_GAP: return "gap";
    case ROW_DOT: return "dot";
    case ROW_ANGLE: return "angle";
    }
    return "?";
}

static void say_joint(const tml_sim* sim, int j, writer* w)
{
    const joint_entry* def = &sim->model->all.joints[j];
    joint_rows own;
    const joint_rows* rows = &own;
    tml__joint_rows(&sim->model->joints[j], &own);

    say(w, "    %s (%s, %s -> %s):", def->name, tml_joint_kind_name(def->kind),
        tml_model_body_name(sim->model, def->base), tml_model_body_name(sim->model, def->follower));
    for (int r = 0; r < rows->count; r++) {
        const joint_row* row = &rows->row[r];
        const bool is_driven = sim->model->joints[j].axis[row->axis].is_free;
        say(w, " %s %s%s", tml_axis_name(row->axis), kind_of(row), is_driven ? "(driven)" : "");
    }
    say(w, rows->count == 0 ? " no rows\n" : "\n");
}

static void say_time(const tml_sim* sim, writer* w)
{
    const tml_integrator integrator = sim->settings.integrator;
    const int order = tml__bdf_order(integrator);

    say(w, "time      %s, step %g s", tml_integrator_name(integrator), sim->settings.step);
    if (order > 0) {
        say(w, ": one stage, v = v_hat + c_v a, q = q_hat + c_q a, looking back on %d state%s",
            order, order > 1 ? "s" : "");
    } else if (tml__dirk(integrator) != NULL) {
        say(w, ": two stages, solved one after the other");
    } else if (integrator == TML_TIME_VARIATIONAL || integrator == TML_TIME_VARIATIONAL4) {
        say(w,
            ": momenta balance over %s, rows hold at the end; then one linear solve for rates "
            "and loads there",
            integrator == TML_TIME_VARIATIONAL ? "the step"
                                               : "five substeps, one of them backwards");
    } else {
        say(w, ": %s at the start of the step",
            integrator == TML_TIME_HEUN ? "two slopes, explicit," : "one linear solve");
    }
    say(w, "\n");
    if (order > 1) {
        say(w, "start     %s\n",
            sim->settings.implicit.start == TML_START_ACCURATE
                ? "extrapolated midpoint rule on the acceleration-level equations"
                : "the two-stage SDIRK of the paper");
    }
}

// How stiff rows are while the augmented engine solves, and whether masses have asked for less.
static void say_penalties(const kkt_statistics* matrix, writer* w)
{
    const double* p = matrix->penalty;
    const bool is_lowered = p[0] < matrix->full_penalty || p[1] < matrix->full_penalty;
    say(w,
        "penalty   %.3g times the heaviest body for rows that shift, %.3g for rows that turn%s\n",
        p[0], p[1],
        is_lowered ? ": lowered, because masses differ so much; more passes make up for it" : "");
}

// Newton's equations in maximal coordinates.
static void say_matrix(const tml_sim* sim, writer* w)
{
    const maximal_system* s = sim->system;
    const kkt_statistics matrix = tml__kkt_statistics(s->matrix);

    say(w,
        "unknowns  %s: %d a body (centre of mass, rotation vector), %d rows, %d limits "
        "(rows of their own, switched on while they push)\n",
        tml_formulation_name(sim->settings.formulation), 6, s->first_limit, s->limit_count);
    say_time(sim, w);
    say(w, "newton    line search, rows and last update to %g (m, rad), at most %d iterations\n",
        sim->settings.tolerance, sim->settings.max_iterations);
    say(w, "matrix    %d unknowns, solved by %s", matrix.unknowns, tml_sim_get_report(sim).solver);
    if (matrix.factor_entries > 0) say(w, ", %lld numbers in the factor", matrix.factor_entries);
    if (matrix.factor_flops > 0.0) say(w, ", %.3g flops", matrix.factor_flops);
    say(w, "\n");
    if (matrix.full_penalty > 0.0) say_penalties(&matrix, w);
}

size_t tml_sim_explain(const tml_sim* sim, char* text, size_t capacity)
{
    if (text == NULL && capacity > 0) return 0;
    writer w = {text, capacity, 0};
    if (capacity > 0) text[0] = '\0';
    if (sim == NULL || sim->is_dead) return 0;
    const tml_model* m = sim->model;
    say(&w,
        "model     '%s': %d bodies (%d move), %d joints, %d couplings, %d springs, %d wrenches, "
        "%d drags\n",
        m->all.name, m->all.body_count, m->node_count, m->all.joint_count, m->all.coupling_count,
        m->all.spring_count, m->all.wrench_count, m->all.drag_count);
    if (sim->form->explain != NULL) {
        char own[1024];
        sim->form->explain(sim, own, sizeof own);
        say(&w, "%s", own);
    } else {
        say_matrix(sim, &w);
    }
    if (sim->pairing->remark[0] != '\0') say(&w, "remark    %s\n", sim->pairing->remark);
    say(&w, "rows of each joint\n");
    enum {
        SHOWN = 40
    };
    for (int j = 0; j < m->all.joint_count && j < SHOWN; j++) say_joint(sim, j, &w);
    if (m->all.joint_count > SHOWN) say(&w, "    and %d more\n", m->all.joint_count - SHOWN);
    return w.used;
}
