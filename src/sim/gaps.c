// sim/gaps.c - what is open at the start, by name.
#include "sim/lean.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// A list that says how many found no room.
typedef struct gap_list {
    char text[400];
    size_t used;
    int listed, left_out;
} gap_list;

__attribute__((format(printf, 2, 3))) static void add(gap_list* list, const char* format, ...)
{
    char item[160];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(item, sizeof item, format, arguments);
    va_end(arguments);

    const size_t room = sizeof list->text - list->used;
    if (length < 0 || (size_t)length + 3 > room || list->left_out > 0) {
        list->left_out++;
        return;
    }
    const char* comma = list->listed > 0 ? ", " : "";
    list->used += (size_t)snprintf(list->text + list->used, room, "%s%s", comma, item);
    list->listed++;
}

static tml_status tell(tml_sim* sim, const gap_list* list, int joints, int others)
{
    const int count = joints + others;
    const char* what = others == 0 ? "joint" : joints == 0 ? "coupling" : "joint or coupling";
    char more[48] = "";

    if (list->left_out > 0) snprintf(more, sizeof more, " and %d more", list->left_out);
    return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                     "%d %s%s open at the start (tolerance %.1g): %s%s", count, what,
                     count == 1 ? " is" : "s are", sim->settings.tolerance, list->text, more);
}

static tml_status list_gaps(tml_sim* sim)
{
    const double tolerance = sim->settings.tolerance;
    const definitions* all = &sim->model->all;
    gap_list list = {.text = ""};
    int joints = 0;
    int couplings = 0;

    for (int j = 0; j < all->joint_count; j++) {
        double length = 0.0;
        double angle = 0.0;
        tml_model_joint_gap(sim->model, (tml_joint){j}, &length, &angle);
        if (length <= tolerance && angle <= tolerance) continue;
        add(&list, "'%.40s' %.3g m %.3g rad", all->joints[j].name, length, angle);
        joints++;
    }
    for (int i = 0; i < all->coupling_count; i++) {
        const double C = sim->system->C[sim->system->first_coupling + i];
        if (fabs(C) <= tolerance || all->couplings[i].compliance > 0.0) continue;
        add(&list, "coupling '%.40s' off by %.3g", all->couplings[i].name, C);
        couplings++;
    }
    for (int i = 0; i < sim->system->tie_count; i++) {
        const double C = sim->system->C[sim->system->first_tie + i];
        if (fabs(C) <= tolerance) continue;
        add(&list, "nonholonomic '%.40s' %.3g m over its plane",
            all->nonholonomics[sim->system->tie_of[i]].name, C);
        couplings++;
    }
    // lean: where a led body is some way beyond the tolerance, each row of its joint may be within
    if (tml__is_lean(sim) && joints == 0) return TML_OK;
    return tell(sim, &list, joints, couplings);
}

tml_status tml__sim_check_gaps(tml_sim* sim)
{
    const double tolerance = sim->settings.tolerance;
    const definitions* all = &sim->model->all;
    if (tml__is_lean(sim)) {
        if (tml__lean_gap(sim, sim->past_q[0]) <= tolerance) return TML_OK;
        return list_gaps(sim);
    }
    tml__maximal_time(sim->system, 0.0, NULL);
    tml__maximal_place(sim->system, sim->past_q[0], NULL);
    for (int i = 0; i < all->nonholonomic_count; i++) {
        const nonholonomic_data* tie = &sim->model->nonholonomics[i];
        if (!tml__tie_is_flat(tie, &sim->system->bodies[tie->body])) continue;
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "nonholonomic '%s': its disc lies flat on the plane, so that it has no "
                         "lowest point to roll on",
                         all->nonholonomics[i].name);
    }
    const double gap = tml__maximal_rows(sim->system);
    if (gap <= tolerance && tml__maximal_consistency(sim->system) > 0.0) return TML_OK;
    return list_gaps(sim);
}
