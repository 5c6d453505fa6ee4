// method/affine/redundant.c - which rows of an affine step say what others say.
//
// Their multipliers are a choice, and the least-norm one is made when loads are reported; the matrix does
// without them. The doctor finds them, and takes rows that give way for rigid ones: what seems to follow from
// these does not. So rows of loops with a joint that gives way all stay, and so do all rows where couplings tie
// loops together.
//
// The doctor is dense in the loops that hang together: its work grows with the cube of their number. Where it
// would take long (nets that are pinned all around, lattices of hinges) one sparse elimination of the rows tells instead
// (linalg/rank.h). It takes fewer digits to tell a row that nearly follows; should that be wrong, the row
// opens and Newton takes it back.
#include "base/request.h"
#include "joint/tree.h"
#include "linalg/rank.h"
#include "method/affine/method.h"
#include "model/topology.h"

#include <trammel/doctor.h>

#include <string.h>

// ---- by the doctor

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

static tml_status ask_doctor(tml_sim* sim, affine_system* a)
{
    const maximal_system* s = sim->system;
    const tml_model* m = sim->model;
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

// ---- what that would cost

// Of the loops that hang together: rows that close them, and freedoms of the joints between.
typedef struct loop_size {
    double rows, freedoms;
} loop_size;

static const double dear_loops =
    2e8;  // products of the doctor's basis: about a quarter of a second,
static const double dear_search = 1e9;  // and of looking for what belongs together

// Couplings and ties reach across loops: then all of them are taken for one.
static tml_status size_loops(const tml_model* m, const joint_tree* tree,
                             const tml_allocator* memory, loop_size* size, loop_size* all)
{
    int* group = tml__allocate(memory, (size_t)m->all.joint_count, sizeof(int));
    if (group == NULL) return TML_NO_MEMORY;
    const bool is_one = m->all.coupling_count > 0 || m->all.nonholonomic_count > 0;
    const tml_status status = tml__topology_groups(m, memory, group);
    for (int j = 0; j < m->all.joint_count && status == TML_OK; j++) {
        loop_size* of = &size[is_one || group[j] < 0 ? 0 : group[j]];
        if (!is_one && group[j] < 0) continue;
        joint_rows rows;
        tml__joint_rows(&m->joints[j], &rows);
        of->rows += tree->is_in_tree[j] ? 0 : rows.count;
        of->freedoms += tree->is_in_tree[j] ? TML_AXES - rows.count : 0;
    }
    for (int g = 0; g <= m->all.body_count && status == TML_OK; g++) {
        const double rank = size[g].rows < size[g].freedoms ? size[g].rows : size[g].freedoms;
        all->freedoms += size[g].rows * rank * size[g].freedoms;
        all->rows += size[g].rows;
    }
    tml__release(memory, group);
    return status;
}

doctor_cost tml__affine_doctor_cost(const tml_model* m, const tml_allocator* memory)
{
    joint_tree tree = {0};
    loop_size all = {0};
    if (m->loops == 0) return DOCTOR_CHEAP;
    loop_size* size = tml__allocate(memory, (size_t)m->all.body_count + 1, sizeof *size);
    tml_status status = size != NULL ? tml__tree_create(m, NULL, memory, &tree) : TML_NO_MEMORY;
    if (status == TML_OK) status = size_loops(m, &tree, memory, size, &all);
    const double search = all.rows * tree.coordinate_count;
    tml__tree_destroy(&tree);
    tml__release(memory, size);
    if (status != TML_OK) return DOCTOR_CHEAP;  // who asks takes memory next, and says so
    if (all.freedoms > dear_loops) return DOCTOR_DEAR;
    return search > dear_search ? DOCTOR_SLOW : DOCTOR_CHEAP;
}

// ---- by one elimination

// What is left of an implied row is rounding: 2e-14 of its square at most in a net of 100 x 100, 2e-13 in a lattice of 40 x 40
// hinges. The least that was seen there of others is 7e-3 and 1e-5.
static const double implied = 1e-10;
static const double most_flops = 1e12;

static bool is_actuated(const joint_data* j, const joint_rows* rows, int r)
{
    return j->axis[rows->row[r].axis].is_free;
}

// Rows that give way imply nothing, and nothing implies them.
static bool counts(const maximal_system* s, const affine_system* a, int row)
{
    return a->row_first[row] >= 0 && !(s->compliance[row] > 0.0);
}

// Neighbouring rows of a joint, those that hold and those that drive apart: of two drives that say the same, or
// of a drive and a loop, the drive is left out.
static void group_joint(const maximal_system* s, const affine_system* a, int j, rank_rows* out,
                        int* group, bool* is_late)
{
    const joint_rows* rows = &s->rows[j];
    int last = -1;  // group of the row before
    for (int r = 0; r < rows->count; r++) {
        const int row = s->first_row[j] + r;
        const bool is_drive = is_actuated(&s->model->joints[j], rows, r);
        group[row] = -1;
        if (counts(s, a, row)) {
            if (last < 0 || is_late[last] != is_drive) last = out->group_count++;
            group[row] = last;
            is_late[last] = is_drive;
        } else {
            last = -1;
        }
    }
}

static void group_rows(const maximal_system* s, const affine_system* a, rank_rows* out, int* group,
                       bool* is_late)
{
    for (int row = 0; row < s->row_count; row++) group[row] = -1;
    for (int j = 0; j < s->model->all.joint_count; j++) group_joint(s, a, j, out, group, is_late);
    for (int row = s->first_coupling; row < s->first_limit; row++) {
        if (!counts(s, a, row)) continue;
        is_late[out->group_count] = row >= s->first_tie;
        group[row] = out->group_count++;
    }
}

// The rows of the matrix at the initial poses.
static void fill_rows(maximal_system* s)
{
    const tml_model* m = s->model;
    for (int n = 0; n < s->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        double* x = &s->x[n * POSE_WIDTH];
        v3_store(x, b->c);
        x[3] = b->q.w;
        x[4] = b->q.x;
        x[5] = b->q.y;
        x[6] = b->q.z;
    }
    tml__maximal_time(s, 0.0, NULL);
    tml__maximal_place(s, s->x, NULL);
    tml__maximal_rows(s);
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_rows(s, 1.0);
}

static tml_status eliminate(tml_sim* sim, affine_system* a)
{
    maximal_system* s = sim->system;
    const size_t rows = (size_t)s->row_count;
    int* group = NULL;
    bool* is_late = NULL;
    bool* is_implied = NULL;
    const request list[] = {{&group, rows, sizeof(int)},
                            {&is_late, rows + 1, sizeof(bool)},
                            {&is_implied, rows, sizeof(bool)}};
    tml_status status = tml__take_all(&s->allocator, list, 3);
    if (status == TML_OK) {
        fill_rows(s);
        const kkt_pattern pattern = tml__kkt_pattern(s->matrix);
        rank_rows of = {.node_count = pattern.node_count,
                        .row_count = pattern.row_count,
                        .row_start = pattern.row_start,
                        .row_node = pattern.row_node,
                        .value = tml__kkt_values(s->matrix)->row,
                        .group = group,
                        .is_late = is_late};
        rank_report report;
        group_rows(s, a, &of, group, is_late);
        status = tml__rank_find(&of, implied, most_flops, &s->allocator, is_implied, &report);
    }
    if (status == TML_OK) memcpy(a->is_redundant, is_implied, rows * sizeof *is_implied);
    tml__release_all(&s->allocator, list, 3);
    if (status == TML_UNSUPPORTED) return TML_OK;  // too many loops to tell: all rows are kept
    return status == TML_OK ? TML_OK : tml__fail(&sim->why, status, "out of memory");
}

tml_status tml__affine_drop_redundant(tml_sim* sim, affine_system* a, doctor_cost cost)
{
    if (!sim->system->may_be_redundant) return TML_OK;
    if (cost != DOCTOR_CHEAP && sim->system->matrix != NULL) return eliminate(sim, a);
    return a->has_own_rows ? TML_OK : ask_doctor(sim, a);
}
