// method/generalized/loads.c - what joints of the tree transmit, differentiated.
//
// With F the force and M the moment about the joint's point that the follower receives,
//     gaps    lambda = n . F                      n turns with the base
//     turns   G lambda = a . M,  G = a . a        a: torques of the rows, which turn with both bodies
#include "method/generalized/loads.h"

#include "joint/tangent.h"
#include "math/small.h"
#include "method/instant.h"

#include <string.h>

enum {
    MOST_ROWS = 6,
    MOST_TURNS = 3
};

// One joint of the tree where it stands.
typedef struct split_point {
    const maximal_system* s;
    int joint, at;
    double sign;  // -1: the tree runs from the follower to the base
    vec3 arm;     // of the joint's point, from the origin
    vec3 force, moment;
    joint_motion motion;
    int gap_count, turn_count;
    int gap[MOST_ROWS], turn[MOST_TURNS];  // rows of the joint
    vec3 about[MOST_TURNS];
    rigid_bend bend[MOST_TURNS];  // of a unit multiplier
    bool is_dot[MOST_TURNS];
    double lambda[MOST_TURNS];
    double gram[MOST_TURNS * MOST_TURNS];
    int pivot[MOST_TURNS];
} split_point;

static void list_rows(split_point* p)
{
    const maximal_system* s = p->s;
    const joint_rows* rows = &s->rows[p->joint];
    for (int r = 0; r < rows->count; r++) {
        const joint_row* row = &rows->row[r];
        const rigid_gradient* g = &s->gradient[s->first_row[p->joint] + r];
        if (p->motion.joint->axis[row->axis].is_free) continue;
        if (row->kind == ROW_GAP) {
            p->gap[p->gap_count++] = r;
            continue;
        }
        const int k = p->turn_count++;
        p->turn[k] = r;
        p->is_dot[k] = row->kind == ROW_DOT;
        p->about[k] = v3_sub(g->t_F, v3_cross(p->motion.frame->r_F, g->n));
        p->bend[k] = (rigid_bend){.force = v3_zero()};
        tml__bend_row(p->motion.joint, row, p->motion.frame, &p->motion.targets[row->axis], 1.0,
                      &p->bend[k]);
    }
}

static bool stand(const gen_product* product, int at, split_point* p)
{
    const gen_tree* t = product->motion->tree;
    const maximal_system* s = product->motion->s;
    const gen_body* b = &t->bodies[at];
    if (b->joint < 0) return false;
    const joint_data* j = &t->model->joints[b->joint];
    *p = (split_point){.s = s,
                       .joint = b->joint,
                       .at = at,
                       .sign = j->follower == b->body ? 1.0 : -1.0,
                       .arm = v3_sub(s->frames[b->joint].F.point, t->origin[at]),
                       .motion = {.joint = j,
                                  .rows = &s->rows[b->joint],
                                  .turn = &s->turns[b->joint],
                                  .frame = &s->frames[b->joint],
                                  .F = &s->bodies[j->follower],
                                  .B = &s->bodies[j->base],
                                  .targets = &s->targets.axis[b->joint * TML_AXES]}};
    p->force = v3_scale(p->sign, product->beyond[at].force);
    p->moment = v3_sub(v3_scale(p->sign, product->beyond[at].moment), v3_cross(p->arm, p->force));
    list_rows(p);
    const int n = p->turn_count;
    for (int i = 0; i < n; i++) {
        p->lambda[i] = v3_dot(p->about[i], p->moment);
        for (int k = 0; k < n; k++) p->gram[n * i + k] = v3_dot(p->about[i], p->about[k]);
    }
    // directions of the rows of a closed joint are perpendicular: the factor exists
    if (n == 0 || tml__lu_factor(n, p->gram, n, p->pivot) != TML_OK) return true;
    tml__lu_solve(n, p->gram, n, p->pivot, p->lambda);
    return true;
}

static void emit(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// All rows of the joint by one input: slopes of gaps, and right-hand sides of the turns.
static void emit_rows(const split_point* p, partial_direction way, double* input,
                      const double gaps[MOST_ROWS], double turns[MOST_TURNS], double* all)
{
    double* out = &all[p->s->first_row[p->joint]];
    const int n = p->turn_count;
    for (int i = 0; i < p->gap_count; i++) emit(way, input, &out[p->gap[i]], gaps[i]);
    if (n == 0) return;
    tml__lu_solve(n, p->gram, n, p->pivot, turns);
    for (int i = 0; i < n; i++) emit(way, input, &out[p->turn[i]], turns[i]);
}

// By a change of F and of M about the joint's point.
static void emit_wrench(const split_point* p, partial_direction way, double* input, vec3 force,
                        vec3 moment, double* all)
{
    const rigid_gradient* g = &p->s->gradient[p->s->first_row[p->joint]];
    double gaps[MOST_ROWS];
    double turns[MOST_TURNS];
    for (int i = 0; i < p->gap_count; i++) gaps[i] = v3_dot(g[p->gap[i]].n, force);
    for (int i = 0; i < p->turn_count; i++) turns[i] = v3_dot(p->about[i], moment);
    emit_rows(p, way, input, gaps, turns, all);
}

// By a change of bodies, markers or targets, at a fixed wrench about a fixed point.
static void emit_tangent(const split_point* p, partial_direction way, double* input,
                         const joint_tangent* d, double* all)
{
    const rigid_gradient* g = &p->s->gradient[p->s->first_row[p->joint]];
    const vec3 turn_F = v3_add(d->F.phi, d->F.turning);
    const vec3 turn_B = v3_add(d->B.phi, d->B.turning);
    const vec3 shift = v3_add(v3_add(d->F.c, d->F.point), v3_cross(d->F.phi, p->motion.frame->r_F));
    const vec3 moment = v3_neg(v3_cross(shift, p->force));
    vec3 target_F, target_B;
    double gaps[MOST_ROWS];
    double turns[MOST_TURNS];
    vec3 change[MOST_TURNS];
    tml__turn_tangent(&p->motion, d, &target_F, &target_B);
    for (int i = 0; i < p->gap_count; i++) {
        gaps[i] = v3_dot(v3_cross(turn_B, g[p->gap[i]].n), p->force);
    }
    for (int i = 0; i < p->turn_count; i++) {
        const rigid_bend* b = &p->bend[i];
        const vec3 by_F = p->is_dot[i] ? v3_add(turn_F, target_F) : turn_F;
        const vec3 by_B = p->is_dot[i] ? v3_add(turn_B, target_B) : turn_B;
        change[i] = v3_add(m3_apply(b->D_F, by_F), m3_apply(b->D_B, by_B));
    }
    for (int i = 0; i < p->turn_count; i++) {
        turns[i] = v3_dot(change[i], p->moment) + v3_dot(p->about[i], moment);
        for (int k = 0; k < p->turn_count; k++) {
            const double gram = v3_dot(change[i], p->about[k]) + v3_dot(p->about[i], change[k]);
            turns[i] -= gram * p->lambda[k];
        }
    }
    emit_rows(p, way, input, gaps, turns, all);
}

// ---- all inputs of one joint

static void by_bodies(const split_point* p, partial_direction way, double* pose,
                      const gen_load_numbers* x)
{
    const joint_data* j = p->motion.joint;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? j->follower : j->base;
        const int node = p->s->model->bodies[body].node;
        double* markers =
            x->in.marker + 2 * MARKER_PARAMETERS * p->joint + side * MARKER_PARAMETERS;
        for (int k = 0; k < 6 + MARKER_PARAMETERS; k++) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            side_tangent* t = side == 0 ? &d.F : &d.B;
            vec3* const parts[4] = {&t->c, &t->phi, &t->point, &t->turning};
            const bool is_marker = k >= 6;
            if (is_marker ? (x->in.wants & WANT_MARKERS) == 0 : node < 0) continue;
            *parts[k / 3] = is_marker ? m3_column(p->s->bodies[body].R, k % 3) : v3_unit(k % 3);
            emit_tangent(p, way, is_marker ? &markers[k - 6] : &pose[6 * node + k], &d, x->all);
        }
    }
}

static void by_targets(const split_point* p, partial_direction way, const gen_load_numbers* x)
{
    if ((x->in.wants & WANT_AXES) == 0) return;
    for (int k = 0; k < TML_AXES; k++) {
        joint_tangent d = {.F = {.c = v3_zero()}};
        if (p->motion.joint->axis[k].actuation != TML_POSITION) continue;
        d.target[k].value = 1.0;
        double* in = &x->in.axis[(p->joint * TML_AXES + k) * AXIS_PARAMETERS];
        emit_tangent(p, way, &in[AXIS_TARGET], &d, x->all);
    }
}

// By what everything beyond the joint takes, six numbers: moment about the origin, force.
static void by_wrench(const split_point* p, partial_direction way, double six[6],
                      const gen_load_numbers* x)
{
    for (int k = 0; k < 3; k++) {
        const vec3 unit = v3_scale(p->sign, v3_unit(k));
        emit_wrench(p, way, &six[k], v3_zero(), unit, x->all);
        emit_wrench(p, way, &six[3 + k], unit, v3_neg(v3_cross(p->arm, unit)), x->all);
    }
}

// ---- rows that the tree does not hold

static bool is_of_tree(const gen_tree* t, const maximal_system* s, int joint, int r)
{
    return t->is_held[joint] && !s->model->joints[joint].axis[s->rows[joint].row[r].axis].is_free;
}

// The tree's own rows set to zero.
static void drop_own(const gen_tree* t, const maximal_system* s, double* rows)
{
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            if (is_of_tree(t, s, j, r)) rows[s->first_row[j] + r] = 0.0;
        }
    }
}

// C^T rows into 6 numbers a node, or rows = C motion.
static void push_product(maximal_system* s, partial_direction way, double* six, double* rows)
{
    const inertia_point still = {.s = s};
    const partial_point flat = {.lambda = rows, .self = &still, .inertia = tml__inertia_columns};
    tml__row_product(s, &flat, way, six, NULL, rows);
}

static vec3 arm_of(const gen_tree* t, int at) { return v3_sub(t->c[at], t->origin[at]); }

static size_t first_of(const gen_tree* t, int at)
{
    return 6 * (size_t)t->model->bodies[t->bodies[at].body].node;
}

// ---- both ways

static void forward(gen_product* p, const gen_load_point* at, const gen_load_numbers* x)
{
    const gen_tree* t = p->motion->tree;
    maximal_system* s = p->motion->s;
    const size_t six = 6 * (size_t)s->node_count * sizeof(double);
    const size_t rows = (size_t)s->row_count * sizeof(double);
    const gen_column_change change = {
        .positions = x->positions, .rates = x->rates, .accelerations = x->accelerations};
    tml__gen_product_move(p, &change, &x->in);
    memcpy(x->all, x->given, rows);
    drop_own(t, s, x->all);
    memset(at->six, 0, six);
    push_product(s, PARTIAL_BACKWARD, at->six, x->all);
    for (int k = 0; k < 6 * s->node_count && x->touching != NULL; k++) {
        at->six[k] += x->touching[k];
    }
    for (int b = 0; b < t->body_count; b++) {
        const double* push = &at->six[first_of(t, b)];
        const vec3 force = v3_load(push);
        const wrench on = {v3_add(v3_load(push + 3), v3_cross(arm_of(t, b), force)), force};
        p->dW[b] = wr_sub(p->dW[b], on);
    }
    // the generalized forces themselves are of no interest
    tml__gen_product_forward(p, &x->in, p->accelerations);
    for (int b = 0; b < t->body_count; b++) {
        split_point split;
        double taken[6];
        if (!stand(p, b, &split)) continue;
        v3_store(taken, p->dW[b].moment);
        v3_store(taken + 3, p->dW[b].force);
        by_wrench(&split, PARTIAL_FORWARD, taken, x);
        by_bodies(&split, PARTIAL_FORWARD, p->pose, x);
        by_targets(&split, PARTIAL_FORWARD, x);
    }
}

static void backward(gen_product* p, const gen_load_point* at, const gen_load_numbers* x)
{
    const gen_tree* t = p->motion->tree;
    maximal_system* s = p->motion->s;
    memset(x->pose, 0, 6 * (size_t)s->node_count * sizeof(double));
    for (int b = 0; b < t->body_count; b++) {
        split_point split;
        double six[6] = {0.0};
        const int parent = t->bodies[b].parent;
        if (stand(p, b, &split)) {
            by_wrench(&split, PARTIAL_BACKWARD, six, x);
            by_bodies(&split, PARTIAL_BACKWARD, x->pose, x);
            by_targets(&split, PARTIAL_BACKWARD, x);
        }
        const twist Y = parent >= 0 ? p->Y[parent] : tw_zero();
        p->Y[b] = tw_add(Y, (twist){v3_load(six), v3_load(six + 3)});
        double* motion = &at->six[first_of(t, b)];
        v3_store(motion, v3_add(p->Y[b].v, v3_cross(p->Y[b].omega, arm_of(t, b))));
        v3_store(motion + 3, p->Y[b].omega);
    }
    for (int k = 0; k < 6 * s->node_count && x->touching != NULL; k++) {
        x->touching[k] -= at->six[k];
    }
    memset(at->other, 0, (size_t)s->row_count * sizeof *at->other);
    push_product(s, PARTIAL_FORWARD, at->six, at->other);
    for (int row = 0; row < s->row_count; row++) at->other[row] = x->all[row] - at->other[row];
    drop_own(t, s, at->other);
    for (int row = 0; row < s->row_count; row++) x->given[row] += at->other[row];
    // what pushes is read again below
    memcpy(at->other, at->lambda, (size_t)s->row_count * sizeof *at->other);
    drop_own(t, s, at->other);
    const gen_column_change gradient = {
        .positions = x->positions, .rates = x->rates, .accelerations = x->accelerations};
    tml__gen_product_backward(p, &gradient, &x->in);
}

void tml__gen_load_product(gen_product* p, partial_direction way, const gen_load_point* at,
                           const gen_load_numbers* x)
{
    const maximal_system* s = p->motion->s;
    const gen_view view = {.has_inertia = true, .is_forced = true, .lambda = at->other};
    memcpy(at->other, at->lambda, (size_t)s->row_count * sizeof *at->other);
    drop_own(p->motion->tree, s, at->other);
    tml__gen_look(p->motion, at->numbers, at->rates);
    tml__gen_product_view(p, at->rates, at->accelerations, NULL, &view);
    if (way == PARTIAL_FORWARD) {
        forward(p, at, x);
    } else {
        backward(p, at, x);
    }
}
