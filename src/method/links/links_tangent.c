// method/links/links_tangent.c - products with the derivatives of a step of links.
//
// The equations are those of equations.c for ball joints, with forces in world axes: bodies couple through
// joints only, and how a force's torque turns with its body belongs to that body alone.
#include "method/links/links_tangent.h"

#include <string.h>

// ---- memory

static void* take(link_tree* t, size_t count, size_t size, bool* is_whole)
{
    void* memory = tml__allocate(&t->allocator, count, size);
    *is_whole = *is_whole && memory != NULL;
    return memory;
}

void tml__link_tree_destroy(link_tree* t)
{
    if (t == NULL) return;
    const tml_allocator memory = t->allocator;
    void* const all[] = {t->order, t->parent, t->joint, t->is_child_F, t->drag,    t->R_end,
                         t->block, t->x,      t->c,     t->change,     t->impulse, t->omega};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tml__release(&memory, all[i]);
    tml__release(&memory, t);
}

// The joint of each node towards the root, and the node it hangs on there.
static void hang(link_tree* t, const link_system* l)
{
    const tml_model* m = t->model;
    for (int n = 0; n < t->count; n++) {
        const int joint = l->joint[l->place_of[n]];
        t->joint[n] = joint;
        t->parent[n] = -1;
        if (joint < 0) continue;
        const joint_data* j = &m->joints[joint];
        t->is_child_F[n] = m->bodies[j->follower].node == n;
        t->parent[n] = m->bodies[t->is_child_F[n] ? j->base : j->follower].node;
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const int node = m->bodies[m->all.drags[i].body.index].node;
        if (node < 0) continue;
        t->drag[2 * node] += m->all.drags[i].linear;
        t->drag[2 * node + 1] += m->all.drags[i].angular;
    }
}

// Roots first, then whatever hangs on what is listed. first, child: node_count + 1 and node_count, scratch.
static void sort_nodes(link_tree* t, int* first, int* child)
{
    int listed = 0;
    for (int n = 0; n < t->count; n++) {
        if (t->parent[n] >= 0) first[t->parent[n] + 1]++;
    }
    for (int n = 0; n < t->count; n++) first[n + 1] += first[n];
    for (int n = t->count - 1; n >= 0; n--) {
        // the count of a parent's children runs down to where they start
        if (t->parent[n] >= 0) child[--first[t->parent[n] + 1]] = n;
    }
    // first[p + 1] is now where the children of p start, and those of p + 1 follow
    for (int n = 0; n < t->count; n++) {
        if (t->parent[n] < 0) t->order[listed++] = n;
    }
    for (int at = 0; at < listed; at++) {
        const int n = t->order[at];
        for (int k = first[n + 1]; k < t->count && t->parent[child[k]] == n; k++) {
            t->order[listed++] = child[k];
        }
    }
}

tml_status tml__link_tree_create(const link_system* l, link_tree** out)
{
    const size_t nodes = (size_t)l->s->model->node_count;
    link_tree* t = tml__allocate(&l->allocator, 1, sizeof *t);
    bool is_whole = true;
    *out = t;
    if (t == NULL) return TML_NO_MEMORY;
    t->model = l->s->model;
    t->allocator = l->allocator;
    t->count = (int)nodes;
    t->order = take(t, nodes, sizeof(int), &is_whole);
    t->parent = take(t, nodes, sizeof(int), &is_whole);
    t->joint = take(t, nodes, sizeof(int), &is_whole);
    t->is_child_F = take(t, nodes, sizeof(bool), &is_whole);
    t->drag = take(t, 2 * nodes, sizeof(double), &is_whole);
    t->R_end = take(t, nodes, sizeof(mat3), &is_whole);
    t->block = take(t, nodes, sizeof(link_block), &is_whole);
    t->x = take(t, 6 * nodes, sizeof(double), &is_whole);
    t->c = take(t, 3 * nodes, sizeof(double), &is_whole);
    t->change = take(t, 6 * nodes, sizeof(double), &is_whole);
    t->impulse = take(t, nodes, sizeof(vec3), &is_whole);
    t->omega = take(t, nodes, sizeof(vec3), &is_whole);
    int* first = take(t, nodes + 2, sizeof(int), &is_whole);
    int* child = take(t, nodes, sizeof(int), &is_whole);
    if (is_whole) {
        hang(t, l);
        sort_nodes(t, first, child);
    }
    tml__release(&t->allocator, first);
    tml__release(&t->allocator, child);
    return is_whole ? TML_OK : TML_NO_MEMORY;
}

// ---- points of joints

// The point of the inner joint in the link's own axes, and in those of what it hangs on.
static vec3 inner_point(const link_tree* t, int n)
{
    const joint_data* j = &t->model->joints[t->joint[n]];
    return t->is_child_F[n] ? j->point_F : j->point_B;
}

static vec3 outer_point(const link_tree* t, int n)
{
    const joint_data* j = &t->model->joints[t->joint[n]];
    return t->is_child_F[n] ? j->point_B : j->point_F;
}

// The body it hangs on; fixed ones and the world have no node.
static int outer_body(const link_tree* t, int n)
{
    const joint_data* j = &t->model->joints[t->joint[n]];
    return t->is_child_F[n] ? j->base : j->follower;
}

static mat3 outer_R(const link_tree* t, int n)
{
    if (t->parent[n] >= 0) return t->R_end[t->parent[n]];
    return q_matrix(t->model->bodies[outer_body(t, n)].q);
}

// Shifts of the joint's point among the parameters: of the link, and of what it hangs on.
static double* inner_marker(const link_tree* t, const parameter_set* in, int n)
{
    double* both = &in->marker[2 * MARKER_PARAMETERS * t->joint[n]];
    return t->is_child_F[n] ? both : both + MARKER_PARAMETERS;
}

static double* outer_marker(const link_tree* t, const parameter_set* in, int n)
{
    double* both = &in->marker[2 * MARKER_PARAMETERS * t->joint[n]];
    return t->is_child_F[n] ? both + MARKER_PARAMETERS : both;
}

// ---- the solver

static mat3 rows_cross(mat3 G, vec3 q)  // G [q]
{
    mat3 out;
    for (int r = 0; r < 3; r++) {
        const vec3 g = v3_cross(v3_load(G.m[r]), q);
        v3_store(out.m[r], g);
    }
    return out;
}

static mat3 skew_times(vec3 p, mat3 G)  // [p] G
{
    mat3 out;
    for (int c = 0; c < 3; c++) {
        out.m[0][c] = p.y * G.m[2][c] - p.z * G.m[1][c];
        out.m[1][c] = p.z * G.m[0][c] - p.x * G.m[2][c];
        out.m[2][c] = p.x * G.m[1][c] - p.y * G.m[0][c];
    }
    return out;
}

// Shift and turn of a link by the force of its inner joint, all that hangs on it included.
static void eliminate(link_block* b)
{
    const mat3 over = m3_inverse(b->A);
    const mat3 CA = m3_mul(b->C, over);
    const mat3 schur = m3_inverse(m3_sub(b->D, m3_mul(CA, b->B)));
    const mat3 turn = m3_mul(schur, m3_sub(m3_skew(b->push), CA));
    const mat3 shift = m3_mul(over, m3_sub(m3_identity(), m3_mul(b->B, turn)));
    const vec3 w = m3_apply(schur, v3_sub(b->k, m3_apply(CA, b->h)));
    const vec3 x = m3_apply(over, v3_sub(b->h, m3_apply(b->B, w)));

    b->z = v3_sub(x, v3_cross(b->row, w));
    b->A = m3_inverse(m3_sub(shift, skew_times(b->row, turn)));
    b->B = turn;
    b->C = shift;
    b->h = x;
    b->k = w;
}

// What has gathered at a link, its own part added: it is eliminated, and tells the one it hangs on. Gathered
// parts are zero where a solve begins.
static void solve_inward(link_tree* t, int n, double mass, mat3 K)
{
    link_block* b = &t->block[n];
    for (int k = 0; k < 3; k++) b->A.m[k][k] += mass;
    b->D = m3_add(b->D, K);
    b->h = v3_add(b->h, v3_load(&t->x[6 * n]));
    b->k = v3_add(b->k, v3_load(&t->x[6 * n + 3]));
    eliminate(b);
    if (t->parent[n] < 0) return;
    link_block* to = &t->block[t->parent[n]];
    const mat3 Gq = rows_cross(b->A, b->row_out);
    const vec3 f = m3_apply(b->A, v3_sub(v3_load(&t->c[3 * n]), b->z));
    to->A = m3_add(to->A, b->A);
    to->B = m3_sub(to->B, Gq);
    to->C = m3_add(to->C, skew_times(b->push_out, b->A));
    to->D = m3_sub(to->D, skew_times(b->push_out, Gq));
    to->h = v3_sub(to->h, f);
    to->k = v3_sub(to->k, v3_cross(b->push_out, f));
}

// t->x and t->c: motion of the link and force of its inner joint, out. Nothing is left gathered.
static void solve_outward(link_tree* t, int n)
{
    link_block* b = &t->block[n];
    vec3 f = v3_zero();
    if (t->joint[n] >= 0) {
        vec3 gap = v3_sub(v3_load(&t->c[3 * n]), b->z);
        if (t->parent[n] >= 0) {
            const double* p = &t->x[6 * t->parent[n]];
            gap = v3_add(gap, v3_sub(v3_load(p), v3_cross(b->row_out, v3_load(p + 3))));
        }
        f = m3_apply(b->A, gap);
    }
    v3_store(&t->c[3 * n], f);
    v3_store(&t->x[6 * n], v3_add(b->h, m3_apply(b->C, f)));
    v3_store(&t->x[6 * n + 3], v3_add(b->k, m3_apply(b->B, f)));
    b->A = b->B = b->C = b->D = m3_zero();
    b->h = b->k = v3_zero();
}

// ---- one direction through a product

typedef struct link_point {
    link_tree* t;
    const link_part* part;
    partial_direction way;
    const link_inputs* by;
} link_point;

static void carry(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// output += M input, or input += M^T output; three numbers each.
static void carry3(partial_direction way, const mat3* M, double* input, double* output)
{
    if (way == PARTIAL_FORWARD) {
        v3_store(output, v3_add(v3_load(output), m3_apply(*M, v3_load(input))));
    } else {
        v3_store(input, v3_add(v3_load(input), m3_apply_t(*M, v3_load(output))));
    }
}

static void carry_same(partial_direction way, double slope, double* input, double* output)
{
    for (int k = 0; k < 3; k++) carry(way, &input[k], &output[k], slope);
}

// output += scale (vector x R input): of a shift in a body's own axes.
static void carry_shift(partial_direction way, double scale, vec3 vector, mat3 R, double* input,
                        double* output)
{
    const mat3 M = m3_scale(scale, skew_times(vector, R));
    carry3(way, &M, input, output);
}

static mat3 rotation_of(const double* q)
{
    return q_matrix(q_normalize((quat){q[3], q[4], q[5], q[6]}));
}

static vec3 spin_of(const double* q, const double* v)
{
    const quat at = {q[3], q[4], q[5], q[6]};
    return v3_scale(2.0 / q_dot(at, at), q_G(at, (quat){v[3], v[4], v[5], v[6]}));
}

// ---- a part of a step

// One link over the part.
typedef struct link_now {
    affine_body b;
    mat3 A;             // where forces act
    mat3 S;             // second moments, body axes,
    affine_moments m;   // and seen from both ends
    mat3 R_out, A_out;  // of what it hangs on, at the end and where forces act
    vec3 f;             // of its inner joint
    vec3 r, d;          // arms of that on the link, at the end and where forces act,
    vec3 r_out, d_out;  // and on what it hangs on
    vec3 r_start, r_out_start;
} link_now;

static mat3 mean_of(const link_point* p, mat3 R, mat3 R_end)
{
    const double phi = p->part->stage.phi;
    return m3_add(m3_scale(1.0 - phi, R), m3_scale(phi, R_end));
}

static mat3 outer_rotation(const link_tree* t, int n, const double* q)
{
    if (t->parent[n] >= 0) return rotation_of(&q[t->parent[n] * POSE_WIDTH]);
    return q_matrix(t->model->bodies[outer_body(t, n)].q);
}

static void look_at(const link_point* p, int n, link_now* out)
{
    const link_tree* t = p->t;
    const double* q = &p->part->q[n * POSE_WIDTH];
    const double* v = &p->part->v[n * POSE_WIDTH];
    const double* x = &p->part->x[n * POSE_WIDTH];
    const double h = p->part->stage.h;
    affine_body* b = &out->b;

    b->x = v3_load(q);
    b->v = v3_load(v);
    b->R = rotation_of(q);
    b->R_end = rotation_of(x);
    b->omega = spin_of(q, v);
    b->x_hat = v3_scale(h, b->v);
    b->R_hat = m3_add(b->R, skew_times(v3_scale(h, b->omega), b->R));
    b->move = v3_sub(v3_load(x), b->x);
    out->A = mean_of(p, b->R, b->R_end);
    out->S = affine_second_moments(t->model->bodies[t->model->node_body[n]].inertia);
    out->m = tml__affine_moments(b, out->S);
    if (t->joint[n] < 0) return;
    const vec3 in = inner_point(t, n);
    const vec3 outer = outer_point(t, n);
    const mat3 R_out = outer_rotation(t, n, p->part->q);
    out->R_out = outer_rotation(t, n, p->part->x);
    out->A_out = mean_of(p, R_out, out->R_out);
    out->f = v3_load(&p->part->lambda[3 * t->joint[n]]);
    out->r = m3_apply(b->R_end, in);
    out->d = m3_apply(out->A, in);
    out->r_start = m3_apply(b->R, in);
    out->r_out = m3_apply(out->R_out, outer);
    out->d_out = m3_apply(out->A_out, outer);
    out->r_out_start = m3_apply(R_out, outer);
}

// The part of the Newton matrix, or of its transpose, that is the link's, and of what it hangs on that is the
// joint's.
static void eliminate_link(const link_point* p, int n, const link_now* now)
{
    link_tree* t = p->t;
    const affine_stage* stage = &p->part->stage;
    const bool is_forward = p->way == PARTIAL_FORWARD;
    const double bend = stage->beta * stage->phi;
    const double mass = t->model->bodies[t->model->node_body[n]].mass;
    link_block* to = &t->block[n];
    mat3 K = m3_scale(stage->beta, tml__affine_torque_slope(&now->b, &now->m, stage));

    if (t->drag[2 * n + 1] != 0.0) {
        const mat3 turn = affine_lever(m3_mul_bt(now->b.R_end, now->b.R));
        K = m3_add(K, m3_scale(0.5 * stage->beta / stage->h * t->drag[2 * n + 1], turn));
    }
    to->push = to->row = to->push_out = to->row_out = v3_zero();
    if (t->joint[n] >= 0) {
        K = m3_sub(K, m3_scale(bend, m3_skew_skew(now->f, now->r)));
        to->push = is_forward ? now->d : now->r;
        to->row = is_forward ? now->r : now->d;
        to->push_out = is_forward ? now->d_out : now->r_out;
        to->row_out = is_forward ? now->r_out : now->d_out;
    }
    if (t->parent[n] >= 0) {
        const mat3 outer = m3_scale(bend, m3_skew_skew(now->f, now->r_out));
        mat3* D = &t->block[t->parent[n]].D;
        *D = m3_add(*D, is_forward ? outer : m3_transpose(outer));
    }
    solve_inward(t, n, mass + stage->beta / stage->h * t->drag[2 * n],
                 is_forward ? K : m3_transpose(K));
}

// Inertia and drag by the start, and what the link is made of.
static void body_product(const link_point* p, int n, const link_now* now, double* E)
{
    const tml_model* m = p->t->model;
    const int body = m->node_body[n];
    const double mass = m->bodies[body].mass;
    const affine_stage* stage = &p->part->stage;
    const affine_body* b = &now->b;
    affine_slopes s = tml__affine_inertia_slopes(b, now->S, &now->m, mass, stage, AFFINE_START);
    double* pose = &p->by->pose[6 * n];
    double* velocity = &p->by->velocity[6 * n];

    s.shift -= p->t->drag[2 * n] / stage->h;
    if (p->t->drag[2 * n + 1] != 0.0) {
        const mat3 turn = affine_lever(m3_mul_bt(b->R, b->R_end));
        s.turn = m3_sub(s.turn, m3_scale(0.5 / stage->h * p->t->drag[2 * n + 1], turn));
    }
    carry_same(p->way, s.shift, pose, E);
    carry_same(p->way, s.speed, velocity, E);
    carry3(p->way, &s.turn, pose + 3, E + 3);
    carry3(p->way, &s.spin, velocity + 3, E + 3);
    if ((p->by->in->wants & WANT_BODIES) == 0) return;
    double* mine = &p->by->in->body[BODY_PARAMETERS * body];
    const mat3 change = m3_scale(1.0 / stage->beta, m3_sub(b->R_end, b->R_hat));
    const vec3 pull = v3_scale(1.0 / stage->beta, v3_sub(b->move, b->x_hat));
    vec3 torque[6];
    tml__affine_torques(change, now->A, torque);
    for (int k = 0; k < 3; k++) {
        carry(p->way, &mine[0], &E[k], v3_at(pull, k) - v3_at(m->all.gravity, k));
        carry(p->way, &p->by->in->gravity[k], &E[k], -mass);
        for (int i = 0; i < 6; i++) carry(p->way, &mine[1 + i], &E[3 + k], v3_at(torque[i], k));
    }
}

// Torques and rows of the inner joint by both sides' poses at the start and by where its points are.
static void joint_product(const link_point* p, int n, const link_now* now, double* E,
                          double* outer_E, double* row)
{
    const link_tree* t = p->t;
    const double share = 1.0 - p->part->stage.phi;
    const int parent = t->parent[n];
    if (t->joint[n] < 0) return;
    const mat3 inner = m3_scale(-share, m3_skew_skew(now->f, now->r_start));
    const mat3 outer = m3_scale(share, m3_skew_skew(now->f, now->r_out_start));

    carry3(p->way, &inner, &p->by->pose[6 * n + 3], E + 3);
    if (parent >= 0) carry3(p->way, &outer, &p->by->pose[6 * parent + 3], outer_E + 3);
    if ((p->by->in->wants & WANT_MARKERS) == 0) return;
    double* mine = inner_marker(t, p->by->in, n);
    double* other = outer_marker(t, p->by->in, n);
    const mat3 minus = m3_scale(-1.0, now->R_out);
    // -(A d) x f = f x (A d)
    carry_shift(p->way, 1.0, now->f, now->A, mine, E + 3);
    carry3(p->way, &now->b.R_end, mine, row);
    carry3(p->way, &minus, other, row);
    if (parent < 0) return;
    carry_shift(p->way, -1.0, now->f, now->A_out, other, outer_E + 3);
}

// Velocities at the end by poses of both ends (`end` and by->pose), the velocity at the start, inertias.
static void close_body(const link_point* p, int n, const link_now* now, double* end, double* out)
{
    const tml_model* m = p->t->model;
    const int body = m->node_body[n];
    const affine_closing c = tml__affine_closing(&now->b, now->S, &now->m, &p->part->stage);
    double* pose = &p->by->pose[6 * n];
    double* velocity = &p->by->velocity[6 * n];

    carry_same(p->way, c.by[AFFINE_END].shift, end, out);
    carry_same(p->way, c.by[AFFINE_START].shift, pose, out);
    carry3(p->way, &c.by[AFFINE_END].turn, end + 3, out + 3);
    carry3(p->way, &c.by[AFFINE_START].turn, pose + 3, out + 3);
    if (c.by[AFFINE_START].speed != 0.0) {
        carry_same(p->way, c.by[AFFINE_START].speed, velocity, out);
        carry3(p->way, &c.by[AFFINE_START].spin, velocity + 3, out + 3);
    }
    if ((p->by->in->wants & WANT_BODIES) == 0) return;
    double* mine = &p->by->in->body[BODY_PARAMETERS * body];
    vec3 spin[6];
    tml__affine_closing_by_inertia(&c, spin);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) carry(p->way, &mine[1 + i], &out[3 + k], v3_at(spin[i], k));
    }
}

static void clear(double* x, int count) { memset(x, 0, (size_t)count * sizeof *x); }

static void scale_all(double* x, int count, double by)
{
    for (int i = 0; i < count; i++) x[i] *= by;
}

// Inwards the change of the equations, outwards the motion that meets them and the velocities there.
static void part_forward(const link_point* p)
{
    link_tree* t = p->t;
    const int six = 6 * t->count;
    link_now now = {.f = v3_zero()};

    clear(t->x, six);
    clear(t->c, 3 * t->count);
    for (int i = t->count - 1; i >= 0; i--) {
        const int n = t->order[i];
        const int outer = t->parent[n] >= 0 ? t->parent[n] : n;
        look_at(p, n, &now);
        body_product(p, n, &now, &t->x[6 * n]);
        joint_product(p, n, &now, &t->x[6 * n], &t->x[6 * outer], &t->c[3 * n]);
        scale_all(&t->x[6 * n], 6, -p->part->stage.beta);
        scale_all(&t->c[3 * n], 3, -1.0);
        eliminate_link(p, n, &now);
    }
    for (int i = 0; i < t->count; i++) {
        const int n = t->order[i];
        double out[6] = {0.0};
        look_at(p, n, &now);
        solve_outward(t, n);
        close_body(p, n, &now, &t->x[6 * n], out);
        memcpy(&p->by->velocity[6 * n], out, sizeof out);
        memcpy(&p->by->pose[6 * n], &t->x[6 * n], sizeof out);
    }
}

// Gradients of the end go to t->x, and what the start is left with grows in their place.
static void part_backward(const link_point* p)
{
    link_tree* t = p->t;
    const double beta = p->part->stage.beta;
    link_now now = {.f = v3_zero()};

    clear(t->c, 3 * t->count);
    for (int i = t->count - 1; i >= 0; i--) {
        const int n = t->order[i];
        double out[6];
        memcpy(&t->x[6 * n], &p->by->pose[6 * n], sizeof out);
        memcpy(out, &p->by->velocity[6 * n], sizeof out);
        clear(&p->by->pose[6 * n], 6);
        clear(&p->by->velocity[6 * n], 6);
        look_at(p, n, &now);
        close_body(p, n, &now, &t->x[6 * n], out);
        eliminate_link(p, n, &now);
    }
    for (int i = 0; i < t->count; i++) {
        const int n = t->order[i];
        const int outer = t->parent[n] >= 0 ? t->parent[n] : n;
        double E[6];
        double outer_E[6];
        look_at(p, n, &now);
        solve_outward(t, n);
        for (int k = 0; k < 6; k++) {
            E[k] = -beta * t->x[6 * n + k];
            outer_E[k] = -beta * t->x[6 * outer + k];
        }
        // the force that comes out is minus the multiplier of the rows
        body_product(p, n, &now, E);
        joint_product(p, n, &now, E, outer_E, &t->c[3 * n]);
    }
}

void tml__link_part_product(link_tree* t, const link_part* part, partial_direction way,
                            const link_inputs* by)
{
    const link_point p = {t, part, way, by};
    if (way == PARTIAL_FORWARD) {
        part_forward(&p);
    } else {
        part_backward(&p);
    }
}

// ---- onto the joints

// Arms of the joints at the poses of t->R_end.
static void fill_arms(link_tree* t)
{
    for (int n = 0; n < t->count; n++) {
        link_block* to = &t->block[n];
        to->push = to->row = to->push_out = to->row_out = v3_zero();
        if (t->joint[n] < 0) continue;
        to->push = to->row = m3_apply(t->R_end[n], inner_point(t, n));
        to->push_out = to->row_out = m3_apply(outer_R(t, n), outer_point(t, n));
    }
}

// Masses and arms as they are there: symmetric, so for both directions.
static void solve_mass(link_tree* t)
{
    for (int i = t->count - 1; i >= 0; i--) {
        const int n = t->order[i];
        const body_data* body = &t->model->bodies[t->model->node_body[n]];
        const mat3 I = m3_mul_bt(m3_mul(t->R_end[n], body->inertia), t->R_end[n]);
        solve_inward(t, n, body->mass, I);
    }
    for (int i = 0; i < t->count; i++) solve_outward(t, t->order[i]);
}

// How fast velocities (6 a node) open the inner joint of a link, its arms as filled.
static vec3 opening(const link_tree* t, int n, const double* velocity)
{
    const double* mine = &velocity[6 * n];
    vec3 open = v3_sub(v3_load(mine), v3_cross(t->block[n].row, v3_load(mine + 3)));
    if (t->parent[n] < 0) return open;
    const double* other = &velocity[6 * t->parent[n]];
    open = v3_sub(open, v3_load(other));
    return v3_add(open, v3_cross(t->block[n].row_out, v3_load(other + 3)));
}

// The projection itself: changes of velocities, impulses, and angular velocities after it.
static void settle_again(link_tree* t, const double* x, const double* v)
{
    for (int n = 0; n < t->count; n++) {
        t->R_end[n] = rotation_of(&x[n * POSE_WIDTH]);
        v3_store(&t->change[6 * n], v3_load(&v[n * POSE_WIDTH]));
        v3_store(&t->change[6 * n + 3], spin_of(&x[n * POSE_WIDTH], &v[n * POSE_WIDTH]));
    }
    fill_arms(t);
    clear(t->x, 6 * t->count);
    clear(t->c, 3 * t->count);
    for (int n = 0; n < t->count; n++) {
        if (t->joint[n] >= 0) v3_store(&t->c[3 * n], v3_neg(opening(t, n, t->change)));
    }
    solve_mass(t);
    for (int n = 0; n < t->count; n++) {
        t->omega[n] = v3_add(v3_load(&t->change[6 * n + 3]), v3_load(&t->x[6 * n + 3]));
        t->impulse[n] = v3_load(&t->c[3 * n]);
    }
    memcpy(t->change, t->x, 6 * (size_t)t->count * sizeof(double));
}

static void settle_body(const link_point* p, int n, double* E)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const link_tree* t = p->t;
    const int body = t->model->node_body[n];
    const mat3 R = t->R_end[n];
    const mat3 I = m3_mul_bt(m3_mul(R, t->model->bodies[body].inertia), R);
    const vec3 change = v3_load(&t->change[6 * n + 3]);
    // d(I x) = (I [x] - [I x]) dphi
    const mat3 turned = m3_sub(m3_mul(I, m3_skew(change)), m3_skew(m3_apply(I, change)));

    carry3(p->way, &turned, &p->by->pose[6 * n + 3], E + 3);
    if ((p->by->in->wants & WANT_BODIES) == 0) return;
    double* mine = &p->by->in->body[BODY_PARAMETERS * body];
    const vec3 alpha = m3_apply_t(R, change);
    for (int k = 0; k < 3; k++) carry(p->way, &mine[0], &E[k], t->change[6 * n + k]);
    for (int i = 0; i < 6; i++) {
        vec3 L = v3_scale(v3_at(alpha, column[i]), m3_column(R, row[i]));
        if (i >= 3) L = v3_axpy(L, v3_at(alpha, row[i]), m3_column(R, column[i]));
        for (int k = 0; k < 3; k++) carry(p->way, &mine[1 + i], &E[3 + k], v3_at(L, k));
    }
}

// One side of the inner joint of link n: the body with node `node` (-1: fixed) feels sign times its impulse.
static void settle_side(const link_point* p, int n, int node, double sign, double* E, double* rows)
{
    const link_tree* t = p->t;
    const bool is_inner = node == n;
    const vec3 r = is_inner ? t->block[n].row : t->block[n].row_out;
    const mat3 R = is_inner ? t->R_end[n] : outer_R(t, n);
    const vec3 l = t->impulse[n];
    const vec3 omega = node >= 0 ? t->omega[node] : v3_zero();

    if (node >= 0) {
        const mat3 torque = m3_scale(-sign, m3_skew_skew(l, r));
        const mat3 swung = m3_scale(-sign, m3_skew_skew(omega, r));
        const mat3 spun = m3_scale(-sign, m3_skew(r));
        carry3(p->way, &torque, &p->by->pose[6 * node + 3], &E[6 * node + 3]);
        carry3(p->way, &swung, &p->by->pose[6 * node + 3], &rows[3 * n]);
        carry_same(p->way, sign, &p->by->velocity[6 * node], &rows[3 * n]);
        carry3(p->way, &spun, &p->by->velocity[6 * node + 3], &rows[3 * n]);
    }
    if ((p->by->in->wants & WANT_MARKERS) == 0) return;
    double* shifted = is_inner ? inner_marker(t, p->by->in, n) : outer_marker(t, p->by->in, n);
    carry_shift(p->way, sign, omega, R, shifted, &rows[3 * n]);
    if (node >= 0) carry_shift(p->way, sign, l, R, shifted, &E[6 * node + 3]);
}

static void settle_product(const link_point* p)
{
    link_tree* t = p->t;
    for (int n = 0; n < t->count; n++) {
        settle_body(p, n, &t->x[6 * n]);
        if (t->joint[n] < 0) continue;
        settle_side(p, n, n, 1.0, t->x, t->c);
        settle_side(p, n, t->parent[n], -1.0, t->x, t->c);
    }
}

void tml__link_settle_product(link_tree* t, const double* x, const double* v, partial_direction way,
                              const link_inputs* by)
{
    const link_point p = {.t = t, .way = way, .by = by};
    const int six = 6 * t->count;

    settle_again(t, x, v);
    if (way == PARTIAL_FORWARD) {
        clear(t->x, six);
        clear(t->c, 3 * t->count);
        settle_product(&p);
        scale_all(t->x, six, -1.0);
        scale_all(t->c, 3 * t->count, -1.0);
        solve_mass(t);
        for (int i = 0; i < six; i++) by->velocity[i] += t->x[i];
        return;
    }
    memcpy(t->x, by->velocity, (size_t)six * sizeof(double));
    clear(t->c, 3 * t->count);
    solve_mass(t);
    scale_all(t->x, six, -1.0);
    settle_product(&p);
}

// ---- closing

void tml__link_close_product(link_tree* t, const double* x, partial_direction way,
                             const link_inputs* by)
{
    const int six = 6 * t->count;
    const mat3 one = m3_identity();

    for (int n = 0; n < t->count; n++) t->R_end[n] = rotation_of(&x[n * POSE_WIDTH]);
    fill_arms(t);
    clear(t->x, six);
    clear(t->c, 3 * t->count);
    if (way == PARTIAL_BACKWARD) {
        memcpy(t->x, by->pose, (size_t)six * sizeof(double));
        solve_mass(t);
    }
    for (int n = 0; n < t->count; n++) {
        if (t->joint[n] < 0) continue;
        const int sides[2] = {n, t->parent[n]};
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1.0 : -1.0;
            const vec3 r = side == 0 ? t->block[n].row : t->block[n].row_out;
            const mat3 R = side == 0 ? t->R_end[n] : outer_R(t, n);
            const mat3 turn = m3_scale(-sign, m3_skew(r));
            const mat3 shift = m3_scale(sign, m3_mul(one, R));
            if (sides[side] >= 0) {
                double* pose = &by->pose[6 * sides[side]];
                carry_same(way, sign, pose, &t->c[3 * n]);
                carry3(way, &turn, pose + 3, &t->c[3 * n]);
            }
            if ((by->in->wants & WANT_MARKERS) == 0) continue;
            double* shifted = side == 0 ? inner_marker(t, by->in, n) : outer_marker(t, by->in, n);
            carry3(way, &shift, shifted, &t->c[3 * n]);
        }
    }
    if (way == PARTIAL_BACKWARD) return;
    scale_all(t->c, 3 * t->count, -1.0);
    solve_mass(t);
    for (int i = 0; i < six; i++) by->pose[i] += t->x[i];
}
