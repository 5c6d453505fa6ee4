// analysis/closing_loops.c - loops that stand far open brought near to closed, tree joints kept closed.
//
// The unknowns are the coordinates of the tree's joints (and six of every floating root), so that
// nothing but loops can be open. Each loop joint asks for
//     gap      the held components of d, over the size of the mechanism
//     turn     the rotation vector from base to follower where all turns are held, and the one that
//              brings the axes together where one is free
// Unlike the rows of the joints, which are sines and have nothing to say at a right angle, these
// grow all the way to half a turn. Levenberg-Marquardt steps lower their sum of squares; what they
// leave is closed by the rows themselves afterwards.
//
//   r   residuals, m of them        J   m x n, their rates per coordinate
//   N   J^T J, once a step          mu  the damping, lowered after success, raised after failure
//   A   N + mu (D + 1)              D   the diagonal of N
// A loop knows only the coordinates on its way around, so N is summed up loop by loop.
#include "analysis/closing.h"
#include "base/memory.h"
#include "joint/tree.h"
#include "math/pose.h"
#include "math/small.h"

#include <string.h>

enum {
    MOST_COORDINATES = 600,  // dense normal equations
    MOST_STEPS = 200,
    MOST_STALLS = 5,  // steps in a row that hardly helped: it has come to rest
    LOOP_ROWS = 6,
};

// Of the sum of squares, what a step that hardly helps leaves.
static const double least_progress = 1.0 - 1e-4;

typedef struct loops {
    maximal_system* s;
    joint_tree* tree;
    int n, m;
    double size;    // m
    double* r;      // m
    double* trial;  // m
    double* J;      // m x n
    double* N;      // n x n, lower half
    double* A;      // n x n
    double* step;   // n
    double* sign;   // per body: of a loop, 1 on the way to its follower, -1 to its base, else 0
    int* touched;   // n: coordinates on the way around a loop
    rigid* kept;    // bodies before a step
    pose* motion;   // per body: what a step does to it, in world coordinates
} loops;

// ---- residuals

// What turns a towards b, both unit: any perpendicular axis where they are opposite.
static vec3 turn_towards(vec3 a, vec3 b)
{
    vec3 axis = v3_cross(a, b);
    double sine = v3_norm(axis);
    if (sine < 1e-12) {
        if (v3_dot(a, b) > 0.0) return v3_zero();
        axis = v3_cross(a, fabs(a.x) < 0.5 ? v3_unit(0) : v3_unit(1));
        return v3_scale(TML_PI / v3_norm(axis), axis);
    }
    return v3_scale(tml__atan2(sine, v3_dot(a, b)) / sine, axis);
}

static mat3 axes_of(const marker* m) { return m3_columns(m->axis[0], m->axis[1], m->axis[2]); }

// From base to follower, in the base's axes.
static vec3 turn_between(const joint_frame* f)
{
    return tml__q_log(tml__q_from_matrix(m3_mul(m3_transpose(axes_of(&f->B)), axes_of(&f->F))));
}

static void loop_residual(const loops* l, int joint, double* r)
{
    const joint_data* j = &l->s->model->joints[joint];
    const joint_frame* f = &l->tree->frames[joint];
    const vec3 d = v3_sub(f->F.point, f->B.point);
    vec3 turn = v3_zero();

    for (int k = 0; k < 3; k++) {
        r[k] = j->axis[k].is_free ? 0.0 : v3_dot(f->B.axis[k], d) / l->size;
    }
    if (j->turn_count == 0) {
        turn = turn_between(f);
    } else if (j->turn_count == 1) {
        turn = turn_towards(f->B.axis[j->turn[0]], f->F.axis[j->turn[0]]);
    } else if (j->turn_count == 2) {
        const double lean = v3_dot(f->B.axis[j->turn[0]], f->F.axis[j->turn[1]]);
        turn = v3_scale(lean, v3_unit(0));  // one number is all it asks for
    }
    v3_store(r + 3, turn);
}

static double residuals(const loops* l, double* r)
{
    int row = 0;
    double sum = 0.0;
    for (int j = 0; j < l->s->model->all.joint_count; j++) {
        if (l->tree->is_in_tree[j]) continue;
        loop_residual(l, j, r + row);
        row += LOOP_ROWS;
    }
    for (int i = 0; i < l->m; i++) sum += r[i] * r[i];
    return sum;
}

// ---- rates

// How a unit of a coordinate moves the follower of a loop joint against its base.
static void loop_rates(const loops* l, int joint, int row, int k, double sign)
{
    const joint_data* j = &l->s->model->joints[joint];
    const joint_frame* f = &l->tree->frames[joint];
    const twist t = l->tree->motion[k];
    const vec3 omega = v3_scale(sign, t.omega);
    // the base's axes turn with the base; seen from it the follower's point moves like this
    const vec3 v = v3_scale(sign, v3_add(t.v, v3_cross(t.omega, f->F.point)));
    double* out = &l->J[(size_t)row * (size_t)l->n + (size_t)k];
    const size_t n = (size_t)l->n;

    for (int a = 0; a < 3; a++) {
        if (!j->axis[a].is_free) out[(size_t)a * n] += v3_dot(f->B.axis[a], v) / l->size;
    }
    vec3 turn = v3_zero();
    if (j->turn_count == 0) {
        turn = tml__q_log_rate(turn_between(f), m3_apply_t(axes_of(&f->B), omega));
    } else if (j->turn_count == 1) {
        const vec3 axis = f->F.axis[j->turn[0]];
        turn = v3_axpy(omega, -v3_dot(omega, axis), axis);
    } else if (j->turn_count == 2) {
        const vec3 b = f->B.axis[j->turn[0]];
        turn.x = v3_dot(omega, v3_cross(f->F.axis[j->turn[1]], b));
    }
    for (int a = 0; a < 3; a++) out[(size_t)(3 + a) * n] += v3_at(turn, a);
}

// `way` for all bodies that a body hangs on, itself included, on top of what is there.
static void mark_way(const loops* l, int body, double way)
{
    const joint_tree* t = l->tree;
    for (int b = body; b >= 0 && t->model->bodies[b].node >= 0; b = t->parent[b]) {
        l->sign[b] += way;
    }
}

// N += J^T J of the rows of one loop, which touch `count` coordinates.
static void add_squares(const loops* l, int row, int count)
{
    for (int k = row; k < row + LOOP_ROWS; k++) {
        const double* J = &l->J[(size_t)k * (size_t)l->n];
        for (int a = 0; a < count; a++) {
            const int i = l->touched[a];
            double* N = &l->N[(size_t)i * (size_t)l->n];
            for (int b = 0; b < count; b++) {
                if (l->touched[b] <= i) N[l->touched[b]] += J[i] * J[l->touched[b]];
            }
        }
    }
}

static void fill_rates(const loops* l)
{
    const tml_model* model = l->s->model;
    const size_t n = (size_t)l->n;
    int row = 0;
    memset(l->J, 0, (size_t)l->m * n * sizeof *l->J);
    memset(l->N, 0, n * n * sizeof *l->N);
    for (int j = 0; j < model->all.joint_count; j++) {
        if (l->tree->is_in_tree[j]) continue;
        int count = 0;
        mark_way(l, model->joints[j].follower, 1.0);
        mark_way(l, model->joints[j].base, -1.0);
        for (int i = 0; i < l->tree->order_count; i++) {
            const int b = l->tree->order[i];
            if (!(fabs(l->sign[b]) > 0.0)) continue;
            for (int k = l->tree->first[b]; k < l->tree->first[b] + l->tree->count[b]; k++) {
                loop_rates(l, j, row, k, l->sign[b]);
                l->touched[count++] = k;
            }
        }
        mark_way(l, model->joints[j].follower, -1.0);
        mark_way(l, model->joints[j].base, 1.0);
        add_squares(l, row, count);
        row += LOOP_ROWS;
    }
}

// ---- moving

// The motion of a joint's follower for steps of its coordinates, in world coordinates as of now: turns
// about the follower's point, the last letter first, then slides. Exact, so the joint stays closed.
static pose joint_motion(const joint_tree* t, int joint, const double* step, double sign)
{
    const joint_data* j = &t->model->joints[joint];
    const joint_frame* f = &t->frames[joint];
    const int body = t->parent_joint[j->follower] == joint ? j->follower : j->base;
    const twist* own = &t->motion[t->first[body]];
    vec3 slide = v3_zero();
    quat turn = q_identity();
    int k = 0;
    for (int a = 0; a < 3; a++) {
        if (!j->axis[a].is_free) continue;
        slide = v3_axpy(slide, sign * step[k], own[k].v);
        k++;
    }
    for (int i = 0; i < j->turn_count; i++, k++) {
        turn = q_mul(turn, q_exp(v3_scale(sign * step[k], own[k].omega)));
    }
    const vec3 p = f->F.point;
    return (pose){v3_add(slide, v3_sub(p, q_rotate(turn, p))), q_normalize(turn)};
}

static pose root_motion(const joint_tree* t, int body, const double* step)
{
    const vec3 c = t->bodies[body].c;
    const quat turn = q_exp(v3(step[3], step[4], step[5]));
    return (pose){v3_add(v3(step[0], step[1], step[2]), v3_sub(c, q_rotate(turn, c))), turn};
}

static void move(const loops* l)
{
    joint_tree* t = l->tree;
    const tml_model* model = l->s->model;
    for (int b = 0; b <= model->all.body_count; b++) l->motion[b] = pose_identity();
    for (int i = 0; i < t->order_count; i++) {
        const int b = t->order[i];
        const int joint = t->parent_joint[b];
        const double* step = &l->step[t->first[b]];
        pose own = joint < 0 ? root_motion(t, b, step) : pose_identity();
        if (joint >= 0 && model->joints[joint].follower == b) {
            own = joint_motion(t, joint, step, 1.0);
        } else if (joint >= 0) {
            // the motions of a base are those of its follower, backwards
            own = pose_inverse(joint_motion(t, joint, step, -1.0));
        }
        l->motion[b] = joint >= 0 ? pose_mul(l->motion[t->parent[b]], own) : own;
    }
    l->s->placements++;  // joints do not stand there yet
    for (int i = 0; i < t->order_count; i++) {
        const int b = t->order[i];
        rigid* body = &l->s->bodies[b];
        body->c = pose_apply(l->motion[b], l->kept[b].c);
        body->q = q_normalize(q_mul(l->motion[b].q, l->kept[b].q));
        body->R = q_matrix(body->q);
    }
    tml__tree_place(t, l->s->bodies);
}

// Axes that a control holds do not take part.
static void hold_driven(const loops* l)
{
    const tml_model* model = l->s->model;
    for (int i = 0; i < l->tree->order_count; i++) {
        const int b = l->tree->order[i];
        const int joint = l->tree->parent_joint[b];
        if (joint < 0) continue;
        const joint_data* j = &model->joints[joint];
        int k = l->tree->first[b];
        for (int a = 0; a < 3; a++) {
            if (!j->axis[a].is_free) continue;
            if (j->axis[a].actuation == TML_POSITION) l->step[k] = 0.0;
            k++;
        }
        for (int a = 0; a < j->turn_count; a++, k++) {
            if (j->axis[3 + j->turn[a]].actuation == TML_POSITION) l->step[k] = 0.0;
        }
    }
}

// ---- the steps

// (J^T J + mu (D + 1)) step = -J^T r, D the diagonal of J^T J: the one keeps coordinates that no loop
// sees where they are.
static bool solve_step(const loops* l, double mu)
{
    const int n = l->n;
    for (int i = 0; i < n; i++) {
        double right = 0.0;
        for (int k = 0; k < l->m; k++) right -= l->J[k * n + i] * l->r[k];
        l->step[i] = right;
        for (int j = 0; j <= i; j++) l->A[i * n + j] = l->N[i * n + j];
        l->A[i * n + i] += mu * (l->N[i * n + i] + 1.0);
    }
    if (tml__ldlt_factor(n, l->A, n) != TML_OK) return false;
    tml__ldlt_solve(n, l->A, n, l->step);
    hold_driven(l);
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = tml__larger(largest, l->step[i]);
    if (!isfinite(largest)) return false;
    // beyond half a radian (or metre) a linear step says nothing
    const double scale = largest > 0.5 ? 0.5 / largest : 1.0;
    for (int i = 0; i < n; i++) l->step[i] *= scale;
    return true;
}

// The sum of squares that the linear model promises after the step.
static double promised(const loops* l)
{
    double sum = 0.0;
    for (int k = 0; k < l->m; k++) {
        double r = l->r[k];
        for (int i = 0; i < l->n; i++) r += l->J[k * l->n + i] * l->step[i];
        sum += r * r;
    }
    return sum;
}

// Trust follows how much of what was promised came true: less damping after a good step, more after
// a poor one, twice as much more each time in a row. Loops that cannot close come to rest at what they
// lack, in ever smaller steps: nothing is gained by going on.
static void descend(loops* l)
{
    const size_t bytes = ((size_t)l->s->model->all.body_count + 1) * sizeof *l->kept;
    double cost = residuals(l, l->r);
    double mu = 1e-2;
    int stalls = 0;
    for (int k = 0; k < MOST_STEPS && cost > 1e-16 && stalls < MOST_STALLS; k++) {
        const double before = cost;
        fill_rates(l);
        memcpy(l->kept, l->s->bodies, bytes);
        bool is_lower = false;
        double raise = 2.0;
        for (int tries = 0; tries < 20 && !is_lower; tries++) {
            double gain = -1.0;
            if (solve_step(l, mu)) {
                const double hope = cost - promised(l);
                move(l);
                const double now = residuals(l, l->trial);
                is_lower = now < cost;
                gain = hope > 0.0 ? (cost - now) / hope : -1.0;
                if (is_lower) cost = now;
            }
            if (is_lower) {
                const double t = 2.0 * gain - 1.0;
                const double factor = 1.0 - t * t * t;
                mu *= factor < 1.0 / 3.0 ? 1.0 / 3.0 : factor > 2.0 ? 2.0 : factor;
            } else {
                mu *= raise;
                raise *= 2.0;
                memcpy(l->s->bodies, l->kept, bytes);
                tml__tree_place(l->tree, l->s->bodies);
            }
        }
        if (!is_lower) return;
        stalls = cost > least_progress * before ? stalls + 1 : 0;
        memcpy(l->r, l->trial, (size_t)l->m * sizeof *l->r);
    }
}

// A length to weigh gaps against turns with: how far the bodies are from each other on average.
static double size_of(const maximal_system* s)
{
    vec3 mean = v3_zero();
    double sum = 0.0;
    const int count = s->model->all.body_count;
    for (int b = 0; b < count; b++) mean = v3_axpy(mean, 1.0 / count, s->bodies[b].c);
    for (int b = 0; b < count; b++) sum += v3_norm(v3_sub(s->bodies[b].c, mean)) / count;
    return sum > 1e-9 ? sum : 1.0;
}

tml_status tml__closing_loops(maximal_system* s, joint_tree* tree)
{
    loops l = {.s = s, .tree = tree};
    tml__tree_place(tree, s->bodies);
    l.n = tree->coordinate_count;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        if (!tree->is_in_tree[j]) l.m += LOOP_ROWS;
    }
    if (l.m == 0 || l.n == 0 || l.n > MOST_COORDINATES) return TML_OK;

    pool memory = {0};
    const size_t n = (size_t)l.n;
    const size_t m = (size_t)l.m;
    const size_t bodies = (size_t)s->model->all.body_count + 1;
    l.size = size_of(s);
    l.r = tml__pool_take(&memory, m, sizeof(double));
    l.trial = tml__pool_take(&memory, m, sizeof(double));
    l.J = tml__pool_take(&memory, m * n, sizeof(double));
    l.N = tml__pool_take(&memory, n * n, sizeof(double));
    l.A = tml__pool_take(&memory, n * n, sizeof(double));
    l.step = tml__pool_take(&memory, n, sizeof(double));
    l.sign = tml__pool_take(&memory, bodies, sizeof(double));
    l.touched = tml__pool_take(&memory, n, sizeof(int));
    l.kept = tml__pool_take(&memory, bodies, sizeof *l.kept);
    l.motion = tml__pool_take(&memory, bodies, sizeof *l.motion);
    const bool has_matrices = l.r && l.trial && l.J && l.N && l.A && l.step;
    const bool has_memory = has_matrices && l.sign && l.touched && l.kept && l.motion;
    if (has_memory) descend(&l);
    tml__pool_destroy(&memory);
    return has_memory ? TML_OK : TML_NO_MEMORY;
}
