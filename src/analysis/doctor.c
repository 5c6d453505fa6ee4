// analysis/doctor.c - mobility and redundancy of a mechanism, by name.                    [QRBD App B]
//
// The rows of the tree's joints are independent; every other row is written over the tree's free
// motions (joint/tree.h) and offered to a basis in the order: held rows joint by joint, couplings,
// ties, then actuators. What the basis refuses is redundant. Loops that share no freedom are looked at
// apart, so the dense work is per biconnected part of the mechanism.
//
//   which rows a redundant one depends on: the combination of rows whose wrenches cancel on every
//   body. The basis gives the part on loop rows; walking from the leaves to the roots, each tree
//   joint must carry what is left, which gives its rows' part.
#include "base/memory.h"
#include "joint/tie.h"
#include "joint/tree.h"
#include "math/small.h"
#include "solve/basis.h"

#include <trammel/doctor.h>

#include <string.h>

// A row that may be redundant.
typedef struct candidate {
    tml_row_id id;
    int is_actuation;
    double C;
    int part;  // one of the coordinates it touches (-1: none), then the part it belongs to
} candidate;

// A row of a tree joint.
typedef struct held_row {
    tml_row_id id;
    rigid_gradient g;
    double C;
} held_row;

struct tml_doctor {
    tml_doctor_report report;
    int redundant_count;
    tml_redundant_row* redundant;
    pool memory;
};

typedef struct analysis {
    tml_doctor* doctor;
    const tml_model* model;
    joint_tree tree;
    pool memory;
    double length;
    int candidate_count;
    candidate* candidates;
    int* first_tree_row;  // per joint, and one more
    held_row* tree_rows;
    int* group;    // per coordinate: union-find of parts
    int* column;   // per coordinate: its column inside its part
    double* full;  // per coordinate: one projected row
    int* path;     // per coordinate
    vec3* force;   // per body: wrench of a combination
    vec3* torque;
    double* tree_weight;  // per tree row
    double best_value;    // smallest singular value so far
} analysis;

static double larger(double a, double b) { return a > b ? a : b; }

// ---- what the rows are

static void evaluate_joint(const analysis* a, int joint, joint_rows* rows, row_value out[6])
{
    const joint_data* j = &a->model->joints[joint];
    drive targets[TML_AXES];
    joint_turn turn;
    joint_frame frame;

    for (int k = 0; k < TML_AXES; k++) targets[k] = tml__control_eval(&j->axis[k].control, 0.0);
    tml__joint_rows(j, rows);
    tml__joint_turn(j, rows, targets, &turn);
    tml__joint_frame(j, &turn, &a->tree.bodies[j->follower], &a->tree.bodies[j->base], &frame);
    for (int r = 0; r < rows->count; r++) {
        out[r] = tml__row_eval(j, &rows->row[r], &frame, &targets[rows->row[r].axis]);
    }
}

static double characteristic_length(const joint_tree* t)
{
    vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    vec3 high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int j = 0; j < t->model->all.joint_count; j++) {
        const vec3 p = t->frames[j].F.point;
        for (int k = 0; k < 3; k++) {
            if (v3_at(p, k) < v3_at(low, k)) v3_set(&low, k, v3_at(p, k));
            if (v3_at(p, k) > v3_at(high, k)) v3_set(&high, k, v3_at(p, k));
        }
    }
    const double size = t->model->all.joint_count > 1 ? 0.5 * v3_norm(v3_sub(high, low)) : 0.0;
    return size > 1e-9 ? size : 1.0;
}

static int find_group(int* group, int a)
{
    while (group[a] != a) {
        group[a] = group[group[a]];
        a = group[a];
    }
    return a;
}

// All coordinates that a row touches belong together. Answers one of them, -1 when there is none.
static int join_path(analysis* a, int body_a, int body_b, int with)
{
    const int count = tml__tree_path(&a->tree, body_a, body_b, a->path);
    for (int i = 0; i < count; i++) {
        const int root = find_group(a->group, a->path[i]);
        if (with >= 0)
            a->group[root] = find_group(a->group, with);
        else
            with = root;
    }
    return with;
}

static void add_candidate(analysis* a, tml_row_id id, int is_actuation, double C, int touched)
{
    a->candidates[a->candidate_count++] = (candidate){id, is_actuation, C, touched};
}

// Rows of one joint that the first pass (held) or the second (actuated) looks at.
static void list_joint(analysis* a, int joint, int is_actuation)
{
    const joint_data* j = &a->model->joints[joint];
    joint_rows rows;
    row_value value[6];

    evaluate_joint(a, joint, &rows, value);
    for (int r = 0; r < rows.count; r++) {
        const tml_axis axis = rows.row[r].axis;
        const tml_row_id id = {{joint}, axis, -1, -1, 0};
        if ((j->axis[axis].is_free ? 1 : 0) != is_actuation) continue;
        if (!is_actuation && a->tree.is_in_tree[joint]) {
            held_row* row = &a->tree_rows[a->first_tree_row[joint + 1]++];
            *row = (held_row){id, value[r].g, value[r].C};
            continue;
        }
        add_candidate(a, id, is_actuation, value[r].C, join_path(a, j->follower, j->base, -1));
    }
}

static double coupling_value(const analysis* a, const tml_coupling_def* c)
{
    double sum = c->offset;
    for (int k = 0; k < c->term_count; k++) {
        const tml_coupling_term* term = &c->terms[k];
        const joint_frame* f = &a->tree.frames[term->joint.index];
        const double q = tml__coordinate_value(&a->model->joints[term->joint.index], term->axis,
                                               &f->F, &f->B, 0.0);
        double power = 1.0;
        for (int d = 0; d < term->degree; d++) {
            power *= q;
            sum += term->coefficient[d] * power;
        }
    }
    return sum;
}

// A tie as a row between its body and the world.
static row_value tie_value(const analysis* a, int tie, int k, joint_data* between)
{
    const nonholonomic_data* n = &a->model->nonholonomics[tie];
    tie_row rows[TIE_ROWS];
    tml__tie_rows(n, &a->tree.bodies[n->body], rows);
    *between = (joint_data){.follower = n->body, .base = tml__world(a->model)};
    const vec3 lever = v3_cross(rows[k].r, rows[k].n);
    return (row_value){.C = rows[k].C, .g = {.n = rows[k].n, .t_F = lever}};
}

static void list_ties(analysis* a)
{
    const tml_model* m = a->model;
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        for (int k = 0; k < tml__nonholonomic_rows(&m->nonholonomics[i]); k++) {
            joint_data between;
            const row_value value = tie_value(a, i, k, &between);
            add_candidate(a, (tml_row_id){{-1}, TML_AXIS_TX, -1, i, k}, 0, value.C,
                          join_path(a, between.follower, between.base, -1));
        }
    }
}

static void list_rows(analysis* a)
{
    const tml_model* m = a->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        a->first_tree_row[j + 1] = a->first_tree_row[j];
        list_joint(a, j, 0);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        int touched = -1;
        for (int k = 0; k < c->term_count; k++) {
            const joint_data* j = &m->joints[c->terms[k].joint.index];
            touched = join_path(a, j->follower, j->base, touched);
        }
        add_candidate(a, (tml_row_id){{-1}, TML_AXIS_TX, i, -1, 0}, 0, coupling_value(a, c),
                      touched);
    }
    list_ties(a);
    for (int j = 0; j < m->all.joint_count; j++) list_joint(a, j, 1);
}

// ---- rows over the tree's motions

// dC/ds of a coupling's term at the initial poses.
static double term_slope(const analysis* a, const tml_coupling_term* term, coordinate_rigid* q)
{
    const int joint = term->joint.index;
    *q = tml__coordinate_rigid(&a->model->joints[joint], term->axis, 0.0, &a->tree.frames[joint]);
    double slope = 0.0;
    double power = 1.0;
    for (int d = 0; d < term->degree; d++) {
        slope += (d + 1) * term->coefficient[d] * power;
        power *= q->value;
    }
    return slope;
}

static row_value joint_row_value(const analysis* a, tml_row_id id)
{
    joint_rows rows;
    row_value value[6];
    evaluate_joint(a, id.joint.index, &rows, value);
    int r = 0;
    while (rows.row[r].axis != id.axis) r++;
    return value[r];
}

// A translation counts in units of the characteristic length.
static double row_scale(const analysis* a, tml_row_id id)
{
    const bool is_shift = id.joint.index >= 0 ? (int)id.axis < 3 : id.coupling < 0;
    return is_shift ? 1.0 / a->length : 1.0;
}

static void project(analysis* a, tml_row_id id)
{
    const tml_model* m = a->model;
    memset(a->full, 0, (size_t)a->tree.coordinate_count * sizeof(double));
    if (id.joint.index >= 0) {
        const row_value value = joint_row_value(a, id);
        tml__tree_project(&a->tree, &m->joints[id.joint.index], &value.g, row_scale(a, id),
                          a->full);
        return;
    }
    if (id.coupling < 0) {
        joint_data between;
        const row_value value = tie_value(a, id.nonholonomic, id.tie_row, &between);
        tml__tree_project(&a->tree, &between, &value.g, row_scale(a, id), a->full);
        return;
    }
    const tml_coupling_def* c = &m->all.couplings[id.coupling];
    for (int k = 0; k < c->term_count; k++) {
        coordinate_rigid q;
        const double slope = term_slope(a, &c->terms[k], &q);
        tml__tree_project(&a->tree, &m->joints[c->terms[k].joint.index], &q.g, slope, a->full);
    }
}

// ---- what a redundant row depends on

static void push(analysis* a, const joint_data* j, const rigid_gradient* g, double weight)
{
    a->force[j->follower] = v3_axpy(a->force[j->follower], weight, g->n);
    a->torque[j->follower] = v3_axpy(a->torque[j->follower], weight, g->t_F);
    a->force[j->base] = v3_axpy(a->force[j->base], -weight, g->n);
    a->torque[j->base] = v3_axpy(a->torque[j->base], weight, g->t_B);
}

static void push_row(analysis* a, tml_row_id id, double weight)
{
    if (id.joint.index >= 0) {
        const row_value value = joint_row_value(a, id);
        push(a, &a->model->joints[id.joint.index], &value.g, weight);
        return;
    }
    if (id.coupling < 0) {
        joint_data between;
        const row_value value = tie_value(a, id.nonholonomic, id.tie_row, &between);
        push(a, &between, &value.g, weight);
        return;
    }
    const tml_coupling_def* c = &a->model->all.couplings[id.coupling];
    for (int k = 0; k < c->term_count; k++) {
        coordinate_rigid q;
        const double slope = term_slope(a, &c->terms[k], &q);
        push(a, &a->model->joints[c->terms[k].joint.index], &q.g, weight * slope);
    }
}

// The multipliers of a tree joint's rows that cancel the wrench on body b, by least squares.
static void balance(analysis* a, int b)
{
    const int joint = a->tree.parent_joint[b];
    if (joint < 0) return;
    const joint_data* j = &a->model->joints[joint];
    const int first = a->first_tree_row[joint];
    const int count = a->first_tree_row[joint + 1] - first;
    double N[36];
    double z[6];

    for (int i = 0; i < count; i++) {
        const rigid_gradient* gi = &a->tree_rows[first + i].g;
        const vec3 ti = v3_scale(1.0 / a->length, j->follower == b ? gi->t_F : gi->t_B);
        const double sign = j->follower == b ? 1.0 : -1.0;
        const vec3 torque = v3_scale(1.0 / a->length, a->torque[b]);
        z[i] = -sign * v3_dot(gi->n, a->force[b]) - v3_dot(ti, torque);
        for (int k = 0; k <= i; k++) {
            const rigid_gradient* gk = &a->tree_rows[first + k].g;
            const vec3 tk = v3_scale(1.0 / a->length, j->follower == b ? gk->t_F : gk->t_B);
            N[i * 6 + k] = v3_dot(gi->n, gk->n) + v3_dot(ti, tk);
        }
    }
    if (count == 0 || tml__ldlt_factor(count, N, 6) != TML_OK) return;
    tml__ldlt_solve(count, N, 6, z);
    for (int i = 0; i < count; i++) {
        a->tree_weight[first + i] = z[i];
        push(a, j, &a->tree_rows[first + i].g, z[i]);
    }
}

// One part of the mechanism: its candidates in order, and a basis over its coordinates.
typedef struct part {
    int count;
    int* candidates;
    int width;
    row_basis basis;
    int* kept;  // candidate of each kept row
} part;

static tml_status note_dependence(analysis* a, const part* p, const candidate* c,
                                  const double* weight, tml_redundant_row* out)
{
    const tml_model* m = a->model;
    const size_t bodies = (size_t)m->all.body_count + 1;
    const int tree_rows = a->first_tree_row[m->all.joint_count];
    const double scale = row_scale(a, c->id);

    memset(a->force, 0, bodies * sizeof *a->force);
    memset(a->torque, 0, bodies * sizeof *a->torque);
    memset(a->tree_weight, 0, (size_t)tree_rows * sizeof(double));
    push_row(a, c->id, scale);
    double conflict = scale * c->C;
    for (int k = 0; k < p->basis.rank; k++) {
        const candidate* kept = &a->candidates[p->kept[k]];
        const double w = weight[k] * row_scale(a, kept->id);
        push_row(a, kept->id, -w);
        conflict -= w * kept->C;
    }
    for (int i = a->tree.order_count - 1; i >= 0; i--) balance(a, a->tree.order[i]);
    for (int r = 0; r < tree_rows; r++) conflict += a->tree_weight[r] * a->tree_rows[r].C;

    tml_row_id* list =
        tml__pool_take(&a->doctor->memory, (size_t)(p->basis.rank + tree_rows), sizeof *list);
    if (list == NULL) return TML_NO_MEMORY;
    *out = (tml_redundant_row){.row = c->id,
                               .is_actuation = c->is_actuation,
                               .conflict = fabs(conflict) / scale,
                               .depends_on = list};
    for (int r = 0; r < tree_rows; r++) {
        const double size = fabs(a->tree_weight[r]) / row_scale(a, a->tree_rows[r].id);
        if (size > 1e-6) list[out->depends_count++] = a->tree_rows[r].id;
    }
    for (int k = 0; k < p->basis.rank; k++) {
        if (fabs(weight[k]) > 1e-6) list[out->depends_count++] = a->candidates[p->kept[k]].id;
    }
    return TML_OK;
}

// ---- one part after the other

// Coordinates that slide count in units of the characteristic length too.
static double column_scale(const analysis* a, int coordinate)
{
    return v3_norm(a->tree.motion[coordinate].omega) > 0.0 ? 1.0 : a->length;
}

static void note_singular(analysis* a, const part* p, int root, double* motion, double* scratch)
{
    const double value = tml__basis_smallest(&p->basis, motion, scratch);
    if (p->basis.rank == 0 || value >= a->best_value) return;
    a->best_value = value;

    // the body that moves most: its largest own coordinate is the one to name
    double most = -1.0;
    for (int i = 0; i < a->tree.order_count; i++) {
        const int b = a->tree.order[i];
        for (int k = a->tree.first[b]; k < a->tree.first[b] + a->tree.count[b]; k++) {
            if (find_group(a->group, k) != root) continue;
            const double size = fabs(motion[a->column[k]]);
            if (size <= most) continue;
            most = size;
            a->doctor->report.moving = (tml_body){b};
        }
    }
}

static tml_status analyse_part(analysis* a, part* p, int root)
{
    tml_doctor_report* report = &a->doctor->report;
    pool scratch = {.first = NULL};
    const int capacity = p->count < p->width ? p->count : p->width;
    double* row = tml__pool_take(&scratch, (size_t)p->width, sizeof(double));
    double* weight = tml__pool_take(&scratch, (size_t)capacity, sizeof(double));
    double* work = tml__pool_take(&scratch, 2 * (size_t)(p->width + capacity), sizeof(double));
    p->kept = tml__pool_take(&scratch, (size_t)capacity, sizeof(int));
    tml_status status = tml__basis_create(&scratch, p->width, capacity, &p->basis);
    if (!row || !weight || !work || !p->kept) status = TML_NO_MEMORY;

    for (int i = 0; i < p->count && status == TML_OK; i++) {
        const candidate* c = &a->candidates[p->candidates[i]];
        project(a, c->id);
        for (int k = 0; k < a->tree.coordinate_count; k++) {
            if (find_group(a->group, k) == root) {
                row[a->column[k]] = a->full[k] * column_scale(a, k);
            }
        }
        if (tml__basis_add(&p->basis, row, 1e-9, weight, work)) {
            p->kept[p->basis.rank - 1] = p->candidates[i];
            report->rank++;
            continue;
        }
        report->overactuation += c->is_actuation;
        status =
            note_dependence(a, p, c, weight, &a->doctor->redundant[a->doctor->redundant_count++]);
    }
    if (status == TML_OK) {
        note_singular(a, p, root, row, work);
        if (p->basis.kept < report->kept) report->kept = p->basis.kept;
        report->dropped = larger(report->dropped, p->basis.dropped);
    }
    tml__pool_destroy(&scratch);
    return status;
}

enum {
    MAX_ENTRIES = 1 << 27
};  // of one part's dense rows: a gigabyte

static tml_status analyse_all(analysis* a)
{
    const int n = a->tree.coordinate_count;
    pool scratch = {.first = NULL};
    int* of = tml__pool_take(&scratch, (size_t)a->candidate_count, sizeof(int));
    int* width = tml__pool_take(&scratch, (size_t)n + 1, sizeof(int));
    bool* has = tml__pool_take(&scratch, (size_t)n + 1, sizeof(bool));
    tml_status status = of != NULL && width != NULL && has != NULL ? TML_OK : TML_NO_MEMORY;

    for (int k = 0; k < n && status == TML_OK; k++) a->column[k] = width[find_group(a->group, k)]++;
    for (int i = 0; i < a->candidate_count && status == TML_OK; i++) {
        const int touched = a->candidates[i].part;
        a->candidates[i].part = touched >= 0 ? find_group(a->group, touched) : n;
        has[a->candidates[i].part] = true;
    }
    // a row that touches no freedom at all is a part of its own with no columns: root n
    for (int root = 0; root <= n && status == TML_OK; root++) {
        if (!has[root]) continue;
        part p = {.candidates = of, .width = width[root]};
        for (int i = 0; i < a->candidate_count; i++) {
            if (a->candidates[i].part == root) of[p.count++] = i;
        }
        if ((long long)p.count * p.width > MAX_ENTRIES)
            status = TML_UNSUPPORTED;
        else
            status = analyse_part(a, &p, root);
    }
    tml__pool_destroy(&scratch);
    return status;
}

// ---- the report

static const char* class_of(const tml_doctor_report* r)
{
    static const char* const names[2][3] = {
        {"full/none", "full/redundant", "full/overactuated"},
        {"passive/none", "passive/redundant", "passive/overactuated"},
    };
    const int column = r->overactuation > 0 ? 2 : r->redundant_rows > 0 ? 1 : 0;
    return names[r->mobility > 0 ? 1 : 0][column];
}

static int compare_rows(const tml_redundant_row* a, const tml_redundant_row* b)
{
    if (a->is_actuation != b->is_actuation) return a->is_actuation - b->is_actuation;
    // couplings come after joints
    const int ja = a->row.joint.index >= 0 ? a->row.joint.index : 1 << 30;
    const int jb = b->row.joint.index >= 0 ? b->row.joint.index : 1 << 30;
    return ja != jb ? (ja < jb ? -1 : 1) : (int)a->row.axis - (int)b->row.axis;
}

// Parts were looked at one by one; people read joints in the order of the file.
static void sort_redundant(tml_doctor* d)
{
    for (int i = 1; i < d->redundant_count; i++) {
        const tml_redundant_row row = d->redundant[i];
        int k = i;
        for (; k > 0 && compare_rows(&row, &d->redundant[k - 1]) < 0; k--) {
            d->redundant[k] = d->redundant[k - 1];
        }
        d->redundant[k] = row;
    }
}

static tml_status prepare(analysis* a)
{
    const tml_model* m = a->model;
    const size_t rows = (size_t)m->row_count;
    const size_t bodies = (size_t)m->all.body_count + 1;
    const size_t n = (size_t)a->tree.coordinate_count;
    pool* p = &a->memory;

    a->candidates = tml__pool_take(p, rows, sizeof *a->candidates);
    a->tree_rows = tml__pool_take(p, rows, sizeof *a->tree_rows);
    a->tree_weight = tml__pool_take(p, rows, sizeof(double));
    a->first_tree_row = tml__pool_take(p, (size_t)m->all.joint_count + 1, sizeof(int));
    a->group = tml__pool_take(p, n, sizeof(int));
    a->column = tml__pool_take(p, n, sizeof(int));
    a->full = tml__pool_take(p, n, sizeof(double));
    a->path = tml__pool_take(p, n, sizeof(int));
    a->force = tml__pool_take(p, bodies, sizeof *a->force);
    a->torque = tml__pool_take(p, bodies, sizeof *a->torque);
    a->doctor->redundant = tml__pool_take(&a->doctor->memory, rows, sizeof *a->doctor->redundant);
    if (!a->candidates || !a->tree_rows || !a->tree_weight || !a->first_tree_row || !a->group ||
        !a->column || !a->full || !a->path || !a->force || !a->torque || !a->doctor->redundant) {
        return TML_NO_MEMORY;
    }
    for (size_t k = 0; k < n; k++) a->group[k] = (int)k;
    a->length = characteristic_length(&a->tree);
    a->best_value = HUGE_VAL;
    return TML_OK;
}

tml_status tml_doctor_create(const tml_model* model, tml_doctor** out)
{
    if (model == NULL || out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    tml_doctor* d = tml__allocate(NULL, 1, sizeof *d);
    if (d == NULL) return TML_NO_MEMORY;
    analysis a = {.doctor = d, .model = model};
    d->report = (tml_doctor_report){.rows = model->row_count, .kept = 1.0, .moving = {-1}};

    tml_status status = tml__tree_create(model, NULL, NULL, &a.tree);
    if (status == TML_OK) status = prepare(&a);
    if (status == TML_OK) {
        list_rows(&a);
        status = analyse_all(&a);
    }
    if (status == TML_OK) {
        tml_doctor_report* r = &d->report;
        const int tree_rows = a.first_tree_row[model->all.joint_count];
        // every kept row takes one of the tree's freedoms
        r->mobility = a.tree.coordinate_count - r->rank;
        r->rank += tree_rows;
        r->redundant_rows = r->rows - r->rank;
        r->loops = tml_model_summarise(model).loops;
        r->length = a.length;
        r->singular_value = r->loops > 0 ? a.best_value : 0.0;
        r->motion_class = class_of(r);
        sort_redundant(d);
    }
    tml__tree_destroy(&a.tree);
    tml__pool_destroy(&a.memory);
    if (status != TML_OK)
        tml_doctor_destroy(d);
    else
        *out = d;
    return status;
}

void tml_doctor_destroy(tml_doctor* doctor)
{
    if (doctor == NULL) return;
    tml__pool_destroy(&doctor->memory);
    tml__release(NULL, doctor);
}

tml_doctor_report tml_doctor_get_report(const tml_doctor* doctor)
{
    return doctor != NULL ? doctor->report : (tml_doctor_report){0};
}
int tml_doctor_redundant_count(const tml_doctor* doctor)
{
    return doctor != NULL ? doctor->redundant_count : 0;
}

const tml_redundant_row* tml_doctor_redundant(const tml_doctor* doctor, int index)
{
    if (doctor == NULL) return NULL;
    return index >= 0 && index < doctor->redundant_count ? &doctor->redundant[index] : NULL;
}
