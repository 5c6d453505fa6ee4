// sim/affine_redundant.c - which rows of an affine step say what others say.
//
// Their multipliers are a choice, and the least-norm one is made when loads are reported; the matrix does
// without them. The doctor finds them, and takes rows that give way for rigid ones: what seems to follow from
// these does not. So rows of loops with a joint that gives way all stay, and so do all rows where couplings tie
// loops together.
#include "base/request.h"
#include "model/topology.h"
#include "sim/step_affine.h"

#include <trammel/doctor.h>

// Joints of loops, by the groups that hang together (topology.h), and which groups give way.
typedef struct soft_loops {
    int* group;     // per joint; -1: on no loop
    bool* is_soft;  // per group
} soft_loops;

static bool gives_way(const joint_data* j)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (j->axis[k].compliance > 0.0) return true;
    }
    return false;
}

static tml_status find_soft_loops(const tml_model* m, const tml_allocator* memory,
                                  soft_loops* loops)
{
    const tml_status status = tml__topology_groups(m, memory, loops->group);
    for (int j = 0; j < m->all.joint_count && status == TML_OK; j++) {
        const int group = loops->group[j];
        if (group >= 0 && gives_way(&m->joints[j])) loops->is_soft[group] = true;
    }
    return status;
}

static void mark_joint(const maximal_system* s, affine_system* a, const tml_row_id* id)
{
    const joint_rows* rows = &s->rows[id->joint.index];
    for (int r = 0; r < rows->count; r++) {
        if (rows->row[r].axis != id->axis) continue;
        a->is_redundant[s->first_row[id->joint.index] + r] = true;
    }
}

// A wheel's height where its deck stays level, the slip of the second wheel of an axle.
static void mark_tie(const maximal_system* s, affine_system* a, const tml_row_id* id)
{
    for (int i = 0; i < s->tie_count; i++) {
        if (s->tie_of[i] != id->nonholonomic) continue;
        a->is_redundant[s->first_tie + i + id->tie_row] = true;
        return;
    }
}

static void mark_rows(const maximal_system* s, const tml_doctor* doctor, const soft_loops* loops,
                      affine_system* a)
{
    for (int i = 0; i < tml_doctor_redundant_count(doctor); i++) {
        const tml_row_id id = tml_doctor_redundant(doctor, i)->row;
        const int group =
            loops->group != NULL && id.joint.index >= 0 ? loops->group[id.joint.index] : -1;
        if (group >= 0 && loops->is_soft[group]) continue;
        if (id.joint.index < 0 && id.coupling >= 0)
            a->is_redundant[s->first_coupling + id.coupling] = true;
        else if (id.joint.index >= 0)
            mark_joint(s, a, &id);
        else if (id.nonholonomic >= 0 && loops->group == NULL)
            mark_tie(s, a, &id);
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] < 0) a->is_redundant[row] = false;
    }
}

tml_status tml__affine_drop_redundant(tml_sim* sim, affine_system* a)
{
    const maximal_system* s = sim->system;
    const tml_model* m = sim->model;
    if (!s->may_be_redundant || a->has_own_rows) return TML_OK;
    const bool is_soft = tml__maximal_has_compliance(s);
    if (is_soft && m->all.coupling_count > 0) return TML_OK;

    soft_loops loops = {0};
    const request list[] = {{&loops.group, (size_t)m->all.joint_count, sizeof(int)},
                            {&loops.is_soft, (size_t)m->all.body_count + 1, sizeof(bool)}};
    tml_doctor* doctor = NULL;
    tml_status status = is_soft ? tml__take_all(&s->allocator, list, 2) : TML_OK;
    if (status == TML_OK && is_soft) status = find_soft_loops(m, &s->allocator, &loops);
    if (status == TML_OK) status = tml_doctor_create(m, &doctor);
    if (status == TML_OK) mark_rows(s, doctor, &loops, a);
    tml_doctor_destroy(doctor);
    if (is_soft) tml__release_all(&s->allocator, list, 2);
    if (status == TML_UNSUPPORTED) return TML_OK;  // too many loops to tell: all rows are kept
    return status == TML_OK ? TML_OK : tml__fail(&sim->why, status, "out of memory");
}
