// test/scenes/placed.h - a model with its bodies somewhere: every row, and the matrix of their
// gradients, dense, straight from joint/, with no formulation and no solver in between.
//
// Rows come joint by joint, then couplings, as the library counts them. Columns are (dc, dphi) of
// each body that moves.
#ifndef TRAMMEL_TEST_SCENES_PLACED_H
#define TRAMMEL_TEST_SCENES_PLACED_H

#include "joint/tie.h"
#include "math/small.h"
#include "scenes/scenes.h"
#include "test/check.h"

typedef struct placed {
    tml_scene* scene;
    tml_model* model;
    int rows, columns;
    rigid* bodies;   // the world last
    double* C;       // rows
    double* C_t;     // rows: what moving targets add to the rate
    double* J;       // rows x columns
    double* spoilt;  // rows x columns: a copy that is factored
    double* tau;
    double* scratch;
    int* order;
} placed;

static inline void* test_array(int count, size_t size)
{
    void* memory = calloc((size_t)(count > 0 ? count : 1), size);
    CHECK(memory != NULL);
    if (memory == NULL) exit(1);
    return memory;
}

static inline void place_at_load(placed* p)
{
    for (int b = 0; b <= p->model->all.body_count; b++) {
        const body_data* d = &p->model->bodies[b];
        p->bodies[b] =
            (rigid){.c = d->c, .q = d->q, .R = q_matrix(d->q), .v = d->v, .omega = d->omega};
    }
}

// A filled scene, which now belongs to the result, at its initial poses and velocities.
static inline placed place(tml_scene* scene, const char* name)
{
    placed p = {.scene = scene};

    if (tml_scene_build(scene, &p.model) != TML_OK) {
        printf("%s: %s\n", name, tml_spec_message(tml_scene_spec(scene)));
        exit(1);
    }
    p.rows = p.model->row_count;
    p.columns = 6 * p.model->node_count;
    p.bodies = test_array(p.model->all.body_count + 1, sizeof *p.bodies);
    p.C = test_array(p.rows, sizeof *p.C);
    p.C_t = test_array(p.rows, sizeof *p.C_t);
    p.J = test_array(p.rows * p.columns, sizeof *p.J);
    p.spoilt = test_array(p.rows * p.columns, sizeof *p.spoilt);
    p.tau = test_array(p.rows + p.columns, sizeof *p.tau);
    p.scratch = test_array(p.rows + p.columns, sizeof *p.scratch);
    p.order = test_array(p.rows + p.columns, sizeof *p.order);
    place_at_load(&p);
    return p;
}

static inline placed place_scene(const char* name)
{
    tml_scene* scene = tml_scene_create();
    const scene_entry* entry = scenes_find(name);

    CHECK(scene != NULL && entry != NULL);
    if (scene == NULL || entry == NULL) exit(1);
    scenes_fill(scene, entry);
    return place(scene, name);
}

static inline void placed_free(placed* p)
{
    free(p->bodies);
    free(p->C);
    free(p->C_t);
    free(p->J);
    free(p->spoilt);
    free(p->tau);
    free(p->scratch);
    free(p->order);
    tml_model_destroy(p->model);
    tml_scene_destroy(p->scene);
}

// Add scale times a gradient to a row of the matrix.
static inline void add_gradient(placed* p, int row, const joint_data* j, const rigid_gradient* g,
                                double scale)
{
    const int nodes[2] = {p->model->bodies[j->follower].node, p->model->bodies[j->base].node};
    const vec3 parts[2][2] = {{g->n, g->t_F}, {v3_neg(g->n), g->t_B}};

    for (int b = 0; b < 2; b++) {
        if (nodes[b] < 0) continue;
        double* entry = p->J + (ptrdiff_t)row * p->columns + 6 * nodes[b];
        const vec3 n = v3_scale(scale, parts[b][0]);
        const vec3 t = v3_scale(scale, parts[b][1]);
        const double six[6] = {n.x, n.y, n.z, t.x, t.y, t.z};
        for (int i = 0; i < 6; i++) entry[i] += six[i];
    }
}

static inline int fill_joint(placed* p, int joint, double t, int row)
{
    const joint_data* j = &p->model->joints[joint];
    const rigid* F = &p->bodies[j->follower];
    const rigid* B = &p->bodies[j->base];
    drive targets[TML_AXES];
    joint_rows rows;
    joint_turn turn;
    joint_frame frame;

    for (int k = 0; k < TML_AXES; k++) targets[k] = tml__control_eval(&j->axis[k].control, t);
    tml__joint_rows(j, &rows);
    tml__joint_turn(j, &rows, targets, &turn);
    tml__joint_frame(j, &turn, F, B, &frame);
    for (int r = 0; r < rows.count; r++) {
        const drive* target = &targets[rows.row[r].axis];
        const row_value value = tml__row_eval(j, &rows.row[r], &frame, target);
        p->C[row + r] = value.C;
        p->C_t[row + r] = tml__row_motion(j, &rows.row[r], &turn, &frame, F, B, target).rate;
        add_gradient(p, row + r, j, &value.g, 1.0);
    }
    return row + rows.count;
}

// Linear couplings only: those of the built-in scenes.
static inline void fill_coupling(placed* p, const tml_coupling_def* def, int row)
{
    p->C[row] = def->offset;
    p->C_t[row] = 0.0;
    for (int i = 0; i < def->term_count; i++) {
        const tml_coupling_term* term = &def->terms[i];
        const joint_data* j = &p->model->joints[term->joint.index];
        const joint_turn no_turn = {.has_base = false};
        joint_frame frame;
        tml__joint_frame(j, &no_turn, &p->bodies[j->follower], &p->bodies[j->base], &frame);
        const coordinate_rigid s = tml__coordinate_rigid(j, term->axis, 0.0, &frame);
        CHECK(term->degree == 1);
        p->C[row] += term->coefficient[0] * s.value;
        add_gradient(p, row, j, &s.g, term->coefficient[0]);
    }
}

static inline int fill_tie(placed* p, int tie, int row)
{
    const nonholonomic_data* n = &p->model->nonholonomics[tie];
    const joint_data between = {.follower = n->body, .base = tml__world(p->model)};
    tie_row rows[TIE_ROWS];
    const int count = tml__tie_rows(n, &p->bodies[n->body], rows);
    for (int k = 0; k < count; k++) {
        const rigid_gradient g = {.n = rows[k].n, .t_F = v3_cross(rows[k].r, rows[k].n)};
        p->C[row + k] = rows[k].C;
        p->C_t[row + k] = 0.0;
        add_gradient(p, row + k, &between, &g, 1.0);
    }
    return row + count;
}

// Rows and gradients where the bodies are, with the targets of time t. Answers the largest |row|.
static inline double fill_rows(placed* p, double t)
{
    int row = 0;
    double worst = 0.0;

    memset(p->J, 0, (size_t)p->rows * (size_t)p->columns * sizeof *p->J);
    for (int j = 0; j < p->model->all.joint_count; j++) row = fill_joint(p, j, t, row);
    for (int c = 0; c < p->model->all.coupling_count; c++) {
        fill_coupling(p, &p->model->all.couplings[c], row++);
    }
    for (int i = 0; i < p->model->all.nonholonomic_count; i++) row = fill_tie(p, i, row);
    CHECK(row == p->rows);
    for (int r = 0; r < p->rows; r++) worst = fabs(p->C[r]) > worst ? fabs(p->C[r]) : worst;
    return worst;
}

// What a rank decision rests on: the last diagonal entry of R that counts and the first that does
// not, relative to the largest.
typedef struct rank_report {
    int rank;
    double kept, dropped;
} rank_report;

static inline pivoted_qr factor_rows(placed* p)
{
    pivoted_qr qr = {p->rows, p->columns, p->columns, p->spoilt, p->tau, p->order};

    memcpy(p->spoilt, p->J, (size_t)p->rows * (size_t)p->columns * sizeof *p->J);
    tml__qr_factor(&qr, p->scratch);
    return qr;
}

static inline rank_report rank_of_rows(placed* p)
{
    const pivoted_qr qr = factor_rows(p);
    const int s = p->rows < p->columns ? p->rows : p->columns;
    const int rank = tml__qr_rank(&qr, 1e-9);
    const double first = fabs(qr.a[0]);

    return (rank_report){
        .rank = rank,
        .kept = rank > 0 ? fabs(qr.a[(rank - 1) * qr.ld + rank - 1]) / first : 0.0,
        .dropped = rank < s ? fabs(qr.a[rank * qr.ld + rank]) / first : 0.0,
    };
}

// Gauss-Newton to the targets of time t: what is left of the largest row. Contradicting targets
// leave more than round-off.
static inline double follow_targets(placed* p, double t)
{
    double* dx = p->scratch;
    double left = fill_rows(p, t);

    for (int k = 0; k < 12 && left > 1e-13; k++) {
        const pivoted_qr qr = factor_rows(p);
        tml__qr_solve(&qr, tml__qr_rank(&qr, 1e-9), p->C, dx);
        for (int n = 0; n < p->model->node_count; n++) {
            rigid* b = &p->bodies[p->model->node_body[n]];
            b->c = v3_sub(b->c, v3_load(&dx[6 * n]));
            b->q = q_turn(b->q, v3_neg(v3_load(&dx[6 * n + 3])));
            b->R = q_matrix(b->q);
        }
        left = fill_rows(p, t);
    }
    return left;
}

#endif
