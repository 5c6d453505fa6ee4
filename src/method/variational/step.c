// method/variational/step.c - the balance of momenta of one step: residual, matrix, Newton.
//
// The discrete Euler-Lagrange equations in their form with momenta at the nodes of time. An interval
// of length h takes the momentum P at its first node and hands P' to its last:
//
//     m (c' - c) / h = m v + (h / 2) (F + D^T lambda)                              [VMAX (26)]
//     p(q, q')       = J w + (h / 2) (tau - t x tau + D^T lambda)                  [VMAX (33)]
//     C(c', q') = 0                                                                [VMAX (34)]
//     m v' = m (c' - c) / h + (h / 2) F,     J w' = p(q, q') + (h / 2) (tau + t x tau)
//
// with the row gradients D at the first node. Rows of the last node then push v', w' to where they
// must be (tml__maximal_settle). Adding the two halves that meet at a node gives the equations of
// the paper with one multiplier a row, so the positions are the paper's; the rates at the nodes are
// those of RATTLE: they meet the rows, and start a motion with half an impulse (notes, section 7).
//
// Forces F, tau other than weight act at the middle of the interval, at the pose half way and with
// the velocity of the chord: the midpoint rule for potentials and for what dissipates, second
// order and stable however stiff. Moving either end by (dc, dphi) moves the middle by
//
//     dc / 2,   (I + [t]) dphi / 2   and   dc' / 2,   (I - [t]) dphi' / 2
//
// where t is tan(a quarter of the turn) along its axis; the transposes are how a force at the middle
// reaches the ends. Compliant rows are potentials, C^2 / (2 compliance), so they act there too.
//
// Rows that tie velocities push at the nodes like all others, and ask the chord of an interval, at its
// middle, to keep to them: the discrete principle of Lagrange and d'Alembert.
//
// Everything is multiplied by h: c_q = h^2 / 2 stands before forces as in method/quaternion/stage.c.
#include "base/clock.h"
#include "method/variational/work.h"

#include <string.h>

static double clock_if(const maximal_system* s) { return s->is_measured ? tml__clock() : 0.0; }

// ---- creation

static bool has_forces(const maximal_system* s)
{
    const tml_model* m = s->model;
    return tml__maximal_has_compliance(s) || s->tie_count > 0 || s->forced_count > 0 ||
           m->all.spring_count > 0 || m->all.wrench_count > 0 || m->all.drag_count > 0 ||
           m->all.rayleigh_mass > 0.0;
}

// A hand may push at any time.
bool tml__var_looks_at_middle(const variational* w)
{
    return w->has_forces || w->system->push_count > 0;
}

void tml__var_destroy(variational* w)
{
    if (w == NULL) return;
    const tml_allocator memory = w->system->allocator;
    double* const arrays[] = {w->momentum, w->wrench,   w->own_push, w->bent, w->spin,
                              w->x_middle, w->C_middle, w->give,     w->hold};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) tml__release(&memory, arrays[i]);
    tml__release(&memory, w->turn);
    tml__release(&memory, w);
}

tml_status tml__var_create(maximal_system* s, message* why, variational** out)
{
    const tml_allocator* memory = &s->allocator;
    const kkt_pattern pattern = tml__kkt_pattern(s->matrix);
    const size_t nodes = (size_t)s->node_count;
    const size_t rows = (size_t)s->row_count;
    const size_t entries = rows > 0 ? (size_t)pattern.row_start[rows] : 0;

    *out = NULL;
    variational* w = tml__allocate(memory, 1, sizeof *w);
    if (w == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    w->system = s;
    w->has_forces = has_forces(s);
    const bool has_own = tml__maximal_has_compliance(s) || s->tie_count > 0;
    w->momentum = tml__allocate(memory, 6 * nodes, sizeof(double));
    w->wrench = tml__allocate(memory, 6 * nodes, sizeof(double));
    w->turn = tml__allocate(memory, nodes, sizeof *w->turn);
    w->own_push = has_own ? tml__allocate(memory, 6 * entries, sizeof(double)) : NULL;
    w->push = has_own ? w->own_push : tml__kkt_values(s->matrix)->push;
    w->spin = tml__allocate(memory, 3 * nodes, sizeof(double));
    w->bent = tml__allocate(memory, 6 * entries, sizeof(double));
    w->x_middle = tml__allocate(memory, POSE_WIDTH * nodes, sizeof(double));
    w->C_middle = tml__allocate(memory, rows, sizeof(double));
    w->give = tml__allocate(memory, rows, sizeof(double));
    w->hold = tml__allocate(memory, rows, sizeof(double));
    if (!w->momentum || !w->wrench || !w->turn || !w->push || !w->bent || !w->spin ||
        !w->x_middle || !w->C_middle || !w->give || !w->hold) {
        tml__var_destroy(w);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    *out = w;
    return TML_OK;
}

// ---- the start of a step

static quat rotation_of(const double* x) { return (quat){x[3], x[4], x[5], x[6]}; }

// Multipliers push along the rows as evaluated; compliant ones elsewhere.
static void keep_push(variational* w)
{
    maximal_system* s = w->system;
    const kkt_pattern p = tml__kkt_pattern(s->matrix);

    if (s->row_count == 0) return;
    tml__maximal_fill_rows(s, -1.0);  // switches compliant rows off
    if (w->own_push == NULL) {
        tml__kkt_push_rows(s->matrix);  // the next matrix brings rows of its own
        w->push = tml__kkt_values(s->matrix)->push;
        return;
    }
    memcpy(w->push, tml__kkt_values(s->matrix)->row,
           6 * (size_t)p.row_start[s->row_count] * sizeof(double));
}

// Momenta and row gradients at the start.
static void look_at_start(variational* w)
{
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const bool has_weights =
        w->has_weights && memcmp(&w->gravity, &m->all.gravity, sizeof w->gravity) == 0;

    w->step->set_time(w->step->clock, 0.0);
    tml__maximal_stand(s, w->step->q, w->step->v);
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const rigid* b = &s->bodies[m->node_body[n]];
        const vec3 spin = m3_apply(body->inertia, m3_apply_t(b->R, b->omega));
        v3_store(&w->momentum[6 * n], v3_scale(body->mass, b->v));
        v3_store(&w->momentum[6 * n + 3], m3_apply(b->R, spin));
        if (has_weights) continue;
        v3_store(&w->wrench[6 * n], v3_scale(body->mass, m->all.gravity));
        v3_store(&w->wrench[6 * n + 3], v3_zero());
    }
    w->has_weights = true;
    w->gravity = m->all.gravity;
    for (int i = 0; i < 6 * s->node_count && w->step->jolt != NULL; i++) {
        w->momentum[i] += w->step->jolt[i];
    }
    keep_push(w);
    w->step->set_time(w->step->clock, w->step->h);
}

// ---- the middle

// Bodies half way, with the velocity of the chord and how that follows the pose there; compliant
// rows and forces evaluated.
void tml__var_look_at_middle(variational* w)
{
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const double h = w->step->h;

    for (int n = 0; n < s->node_count; n++) {
        const double* a = &w->step->q[n * POSE_WIDTH];
        const double* b = &s->x[n * POSE_WIDTH];
        double* to = &w->x_middle[n * POSE_WIDTH];
        const double sign = q_dot(rotation_of(a), rotation_of(b)) < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++) to[k] = 0.5 * (a[k] + b[k]);
        for (int k = 3; k < POSE_WIDTH; k++) to[k] = a[k] + sign * b[k];
    }
    w->step->set_time(w->step->clock, 0.5 * h);
    tml__maximal_place(s, w->x_middle, NULL);
    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const var_turn* turn = &w->turn[n];
        const vec3 moved =
            v3_sub(v3_load(&s->x[n * POSE_WIDTH]), v3_load(&w->step->q[n * POSE_WIDTH]));
        s->bodies[b].v = v3_scale(1.0 / h, moved);
        s->bodies[b].omega = turn->omega;
        // the inverse of (I - [t]) / 2
        const mat3 straight = m3_add(m3_add(m3_identity(), m3_skew(turn->t)),  //
                                     m3_outer(turn->t, turn->t));
        const double scale = 2.0 / (1.0 + v3_dot(turn->t, turn->t));
        s->lifts[b] = (lift){.g = 2.0 / h, .W = m3_mul(turn->W, m3_scale(scale, straight))};
    }
    tml__maximal_rows(s);
}

static bool is_velocity_row(const maximal_system* s, int row)
{
    const int tie = row - s->first_tie;
    return tie >= 0 && tie < s->tie_count && s->ties[tie].is_velocity;
}

// Rows whose value is that of the middle.
static bool is_of_middle(const maximal_system* s, int row)
{
    return s->compliance[row] > 0.0 || is_velocity_row(s, row);
}

static void forces_of_middle(variational* w)
{
    maximal_system* s = w->system;

    tml__var_look_at_middle(w);
    for (int row = 0; row < s->row_count; row++) {
        w->C_middle[row] = s->C[row];
        w->give[row] = s->compliance[row] > 0.0 ? s->lambda[row] : 0.0;
        if (!is_velocity_row(s, row)) continue;
        const int tie = row - s->first_tie;
        const rigid* body = &s->bodies[s->model->nonholonomics[s->tie_of[tie]].body];
        w->C_middle[row] = 0.5 * w->step->h * tie_rate(&s->ties[tie], body);
    }
    tml__maximal_forces(s);
    w->has_weights = false;
    memset(w->wrench, 0, 6 * (size_t)s->node_count * sizeof(double));
    tml__maximal_subtract_rows(s, w->give, w->wrench);
    for (int i = 0; i < 6 * s->node_count; i++) w->wrench[i] = -w->wrench[i];
    w->step->set_time(w->step->clock, w->step->h);
}

// ---- residual

// Rows at the end of the step, but compliant ones as they were in the middle; the largest of those
// that must vanish. Bodies are left at the end.
static double rows_of_step(variational* w)
{
    maximal_system* s = w->system;

    double largest =
        w->is_brief ? tml__maximal_stand_briefly(s, s->x) : tml__maximal_stand(s, s->x, NULL);
    if (s->is_plain) return largest;
    for (int row = 0; row < s->row_count; row++) {
        if (is_of_middle(s, row)) s->C[row] = w->C_middle[row];
        if (is_velocity_row(s, row)) largest = tml__larger(largest, s->C[row]);
    }
    tml__maximal_give_way(s);
    return largest;
}

static void subtract_push(variational* w, double c_q)
{
    maximal_system* s = w->system;
    const kkt_pattern p = tml__kkt_pattern(s->matrix);

    for (int row = 0; row < s->row_count; row++) {
        for (int e = p.row_start[row]; e < p.row_start[row + 1]; e++) {
            double* to = &s->residual[6 * p.row_node[e]];
            for (int k = 0; k < 6; k++) to[k] -= c_q * s->lambda[row] * w->push[6 * e + k];
        }
    }
}

void tml__var_turn_all(variational* w)
{
    const maximal_system* s = w->system;
    const tml_model* m = s->model;
    for (int n = 0; n < s->node_count; n++) {
        tml__var_turn(&m->bodies[m->node_body[n]].inertia,
                      q_normalize(rotation_of(&w->step->q[n * POSE_WIDTH])),
                      q_normalize(rotation_of(&s->x[n * POSE_WIDTH])), w->step->h, &w->turn[n]);
    }
}

void tml__var_evaluate(void* self, newton_merit* out)
{
    variational* w = self;
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const double h = w->step->h;
    const double c_q = 0.5 * h * h;
    const double begin = clock_if(s);

    const bool has_middle = tml__var_looks_at_middle(w);
    if (has_middle) {
        tml__var_turn_all(w);
        forces_of_middle(w);
    }
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const double* from = &w->step->q[n * POSE_WIDTH];
        const double* to = &s->x[n * POSE_WIDTH];
        const vec3 spin = tml__var_momentum(&body->inertia, q_normalize(rotation_of(from)),
                                            q_normalize(rotation_of(to)), h);
        const vec3 moved = v3_sub(v3_load(to), v3_load(from));
        const vec3 linear = v3_axpy(v3_scale(body->mass, moved), -h, v3_load(&w->momentum[6 * n]));
        const vec3 angular = v3_sub(spin, v3_load(&w->momentum[6 * n + 3]));
        const vec3 torque = v3_load(&w->wrench[6 * n + 3]);
        // only forces at the middle have torques: weight has none
        const vec3 there = has_middle ? v3_sub(torque, v3_cross(w->turn[n].t, torque)) : v3_zero();
        v3_store(&w->spin[3 * n], spin);
        v3_store(&s->residual[6 * n], v3_axpy(linear, -c_q, v3_load(&w->wrench[6 * n])));
        v3_store(&s->residual[6 * n + 3], v3_axpy(v3_scale(h, angular), -c_q, there));
    }
    out->row = rows_of_step(w);
    if (w->step->push == VAR_PUSH_END) keep_push(w);
    subtract_push(w, c_q);
    out->consistency = tml__maximal_consistency(s);
    out->merit = tml__maximal_merit(s);
    s->assembly_seconds += clock_if(s) - begin;
}

// ---- matrix

// How a wrench at the middle acts at the start (twice, for c_q has a half): the torque's part.
static mat3 to_start(const var_turn* turn) { return m3_sub(m3_identity(), m3_skew(turn->t)); }

// How the end moves the middle: the rotation's part.
static mat3 from_end(const var_turn* turn)
{
    return m3_scale(0.5, m3_sub(m3_identity(), m3_skew(turn->t)));
}

// block <- diag(I, A) block diag(I / 2, B)
static void carry(double* block, mat3 A, mat3 B)
{
    double half[36];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) half[6 * i + k] = 0.5 * block[6 * i + k];
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int l = 0; l < 3; l++) sum += block[6 * i + 3 + l] * B.m[l][k];
            half[6 * i + 3 + k] = sum;
        }
    }
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3; i++) {
            block[6 * i + k] = half[6 * i + k];
            double sum = 0.0;
            for (int l = 0; l < 3; l++) sum += A.m[i][l] * half[6 * (3 + l) + k];
            block[6 * (3 + i) + k] = sum;
        }
    }
}

// Stiffness and damping at the middle, as the end feels them.
static void fill_middle(variational* w, double c_q)
{
    maximal_system* s = w->system;
    kkt_values* values = tml__kkt_values(s->matrix);
    const kkt_pattern p = tml__kkt_pattern(s->matrix);

    tml__var_look_at_middle(w);
    tml__maximal_fill_stiffness(s, w->give, c_q);
    for (int n = 0; n < s->node_count; n++) {
        carry(&values->node[36 * n], to_start(&w->turn[n]), from_end(&w->turn[n]));
    }
    for (int i = 0; i < p.pair_count; i++) {
        const var_turn* a = &w->turn[p.pair_node[2 * i]];
        const var_turn* b = &w->turn[p.pair_node[2 * i + 1]];
        carry(&values->pair[72 * i], to_start(a), from_end(b));
        carry(&values->pair[72 * i + 36], to_start(b), from_end(a));
    }
    tml__maximal_fill_rows(s, 1.0 / c_q);
    if (s->row_count > 0) {
        memcpy(w->bent, values->row, 6 * (size_t)p.row_start[s->row_count] * sizeof(double));
    }
    for (int i = 0; i < s->tie_count; i++) {
        if (!s->ties[i].is_velocity || tml__maximal_is_idle_tie(s, i)) continue;
        tml__maximal_tie_gradient(s, i, &w->bent[6 * s->joint_entry[s->first_tie + i]]);
    }
    w->step->set_time(w->step->clock, w->step->h);
    rows_of_step(w);
}

// Gradients at the end close the rows, those at the start carry the multipliers; compliant rows
// have both from the middle, velocity rows the first.
static void fill_rows(variational* w, double c_q)
{
    maximal_system* s = w->system;
    kkt_values* values = tml__kkt_values(s->matrix);
    const kkt_pattern p = tml__kkt_pattern(s->matrix);

    tml__maximal_fill_rows(s, 1.0 / c_q);
    values->is_two_sided = true;
    if (s->row_count > 0 && w->own_push != NULL) {
        memcpy(values->push, w->push, 6 * (size_t)p.row_start[s->row_count] * sizeof(double));
    }
    for (int row = 0; row < s->row_count; row++) {
        if (!is_of_middle(s, row)) continue;
        for (int e = p.row_start[row]; e < p.row_start[row + 1]; e++) {
            const var_turn* turn = &w->turn[p.row_node[e]];
            const vec3 force = v3_load(&w->bent[6 * e]);
            const vec3 torque = v3_load(&w->bent[6 * e + 3]);
            v3_store(&values->row[6 * e], v3_scale(0.5, force));
            v3_store(&values->row[6 * e + 3], m3_apply_t(from_end(turn), torque));
            if (!(s->compliance[row] > 0.0)) continue;
            v3_store(&values->push[6 * e], force);
            v3_store(&values->push[6 * e + 3], m3_apply(to_start(turn), torque));
        }
    }
}

static void add_inertia(double* block, double mass, const mat3* K)
{
    for (int i = 0; i < 3; i++) {
        block[7 * i] += mass;
        for (int k = 0; k < 3; k++) block[(3 + i) * 6 + 3 + k] += K->m[i][k];
    }
}

// Inertia, and how the lever of the torques at the middle turns.
static void fill_inertia(variational* w, double c_q)
{
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const double h = w->step->h;
    kkt_values* values = tml__kkt_values(s->matrix);

    for (int n = 0; n < s->node_count; n++) {
        const var_turn* turn = &w->turn[n];
        const mat3 lever = m3_mul(m3_skew(v3_load(&w->wrench[6 * n + 3])), turn->T);
        const mat3 K = m3_sub(m3_scale(h, turn->K), m3_scale(c_q, lever));
        add_inertia(&values->node[36 * n], m->bodies[m->node_body[n]].mass, &K);
    }
}

// Where weight alone acts, inertia is all that a node has: every block is written once, from the poses.
static void fill_inertia_alone(variational* w)
{
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const double h = w->step->h;
    kkt_values* values = tml__kkt_values(s->matrix);

    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3 K =
            m3_scale(h, tml__var_stiffness(&body->inertia,
                                           q_normalize(rotation_of(&w->step->q[n * POSE_WIDTH])),
                                           q_normalize(rotation_of(&s->x[n * POSE_WIDTH])), h));
        double* block = &values->node[36 * n];
        memset(block, 0, 36 * sizeof *block);
        add_inertia(block, body->mass, &K);
    }
}

static void fill_blocks(variational* w, double c_q)
{
    maximal_system* s = w->system;
    const bool has_middle = tml__var_looks_at_middle(w);

    if (!s->is_plain)
        tml__kkt_clear(s->matrix);
    else if (has_middle)
        tml__kkt_clear_blocks(s->matrix);
    else
        tml__kkt_clear_pairs(s->matrix);
    if (has_middle) {
        fill_middle(w, c_q);
        fill_inertia(w, c_q);
    } else {
        fill_inertia_alone(w);
    }
}

void tml__var_matrix(void* self)
{
    variational* w = self;
    maximal_system* s = w->system;
    const double h = w->step->h;
    const double c_q = 0.5 * h * h;
    kkt_values* values = tml__kkt_values(s->matrix);

    fill_blocks(w, c_q);
    if (w->step->push == VAR_PUSH_END) {
        for (int row = 0; row < s->row_count; row++) {
            w->hold[row] = s->compliance[row] > 0.0 ? 0.0 : s->lambda[row];
        }
        tml__maximal_fill_bending(s, w->hold, c_q);
    }
    fill_rows(w, c_q);
    // deformables couple the bodies that carry them
    values->is_pairless = !tml__var_looks_at_middle(w) && w->step->push == VAR_PUSH_START &&
                          s->model->all.deformable_count == 0;
}

// ---- solving

static tml_status direct(void* self, double* update)
{
    variational* w = self;
    const double begin = clock_if(w->system);

    tml__var_matrix(w);
    w->system->assembly_seconds += clock_if(w->system) - begin;
    return tml__maximal_direct(w->system, 0.5 * w->step->h * w->step->h, update);
}

static tml_status look_ahead(void* self, double* update)
{
    return tml__maximal_look_ahead(((variational*)self)->system, update);
}

static void adopt(void* self)
{
    const variational* w = self;
    tml__maximal_adopt(w->system, 0.5 * w->step->h * w->step->h);
}

static void move(void* self, double fraction)
{
    tml__maximal_move(((variational*)self)->system, fraction);
}

// The rates that the interval hands to its last node. Its momenta are taken as what came in at the
// first node and what was pushed since, which is what the poses say but for the rest that Newton
// left: differences of poses over h would lose the digits that positions do not have.
static void hand_over(variational* w, double* v)
{
    maximal_system* s = w->system;
    const tml_model* m = s->model;
    const double h = w->step->h;
    const bool has_middle = tml__var_looks_at_middle(w);

    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3 R = s->bodies[m->node_body[n]].R;
        const double* x = &s->x[n * POSE_WIDTH];
        const vec3 moved = v3_sub(v3_load(x), v3_load(&w->step->q[n * POSE_WIDTH]));
        const vec3 rest = v3_load(&s->residual[6 * n]);
        const vec3 push = v3_axpy(v3_scale(body->mass, moved), -1.0, rest);
        const vec3 linear = v3_axpy(v3_scale(1.0 / h, push), 0.5 * h, v3_load(&w->wrench[6 * n]));

        const vec3 torque = v3_load(&w->wrench[6 * n + 3]);
        const vec3 there = has_middle ? v3_add(torque, v3_cross(w->turn[n].t, torque)) : v3_zero();
        const vec3 spin =
            v3_axpy(v3_load(&w->spin[3 * n]), -1.0 / h, v3_load(&s->residual[6 * n + 3]));
        const vec3 L = m3_apply_t(R, v3_axpy(spin, 0.5 * h, there));
        const vec3 omega = m3_apply(R, m3_apply(m3_inverse(body->inertia), L));
        tml__maximal_store_velocity(x, v3_scale(1.0 / body->mass, linear), omega,
                                    &v[n * POSE_WIDTH]);
    }
}

void tml__var_open(variational* w, const var_step* step)
{
    w->step = step;
    w->system->bad_row = -1;
    w->system->iterations = 0;
    look_at_start(w);
}

void tml__var_close(variational* w, double* v)
{
    if (v != NULL) hand_over(w, v);
    w->step = NULL;
}

tml_status tml__var_solve(variational* w, const var_step* step, const newton_settings* settings,
                          newton_report* report, double* v)
{
    const newton_problem problem = {
        .self = w,
        .evaluate = tml__var_evaluate,
        .direct = direct,
        .look_ahead = w->system->partner == NULL ? look_ahead : NULL,
        .adopt = w->system->partner == NULL ? adopt : NULL,
        .move = move,
        .is_changing = w->system->partner != NULL,
    };
    tml__var_open(w, step);
    w->is_brief = !tml__var_looks_at_middle(w) && step->push == VAR_PUSH_START;
    w->system->momentum = w->momentum;
    const tml_status status = tml__newton(&problem, settings, report);
    w->is_brief = false;
    w->system->momentum = NULL;
    tml__var_close(w, status == TML_OK ? v : NULL);
    return status;
}

void tml__var_residual(variational* w, const var_step* step, newton_merit* out)
{
    w->step = step;
    look_at_start(w);
    tml__var_evaluate(w, out);
    w->step = NULL;
}

void tml__var_end(variational* w, const var_step* step, double* v)
{
    newton_merit merit;
    w->step = step;
    look_at_start(w);
    tml__var_evaluate(w, &merit);
    tml__var_turn_all(w);  // for partials.c
    hand_over(w, v);
    w->step = NULL;
}

void tml__var_fill(variational* w, const var_step* step)
{
    newton_merit merit;
    w->step = step;
    look_at_start(w);
    tml__var_evaluate(w, &merit);
    tml__var_matrix(w);
    tml__var_turn_all(w);  // for partials.c
    w->step = NULL;
}
