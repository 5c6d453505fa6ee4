// method/generalized/motion.c - impulses, accelerations and projections of a tree with rows.
#include "method/generalized/motion.h"

#include "method/generalized/stiff.h"

#include <math.h>
#include <string.h>

// ---- memory

typedef struct request {
    void* where;
    size_t count;
} request;

enum {
    REQUESTS = 16
};

// clang-format off
static int list_requests(gen_motion* m, request list[REQUESTS])
{
    const size_t nodes = m->s != NULL ? (size_t)m->s->node_count : 0;
    const size_t rows = m->s != NULL ? (size_t)m->s->row_count : 0;
    const size_t columns = m->tree != NULL ? (size_t)m->tree->column_count : 0;
    const size_t numbers = m->tree != NULL ? (size_t)m->tree->number_count : 0;
    const request all[] = {
        {&m->x,             nodes * POSE_WIDTH},
        {&m->v,             nodes * POSE_WIDTH},
        {&m->damping,       columns},
        {&m->added,         columns},
        {&m->force,         columns},
        {&m->move,          columns},
        {&m->curve,         2 * rows},
        {&m->wrenches,      6 * nodes},
        {&m->numbers,       numbers},
        {&m->numbers_start, numbers},
        {&m->forced_column, m->s != NULL ? (size_t)m->s->forced_count : 0},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

static tml_status take(gen_motion* m)
{
    request list[REQUESTS];
    const int count = list_requests(m, list);
    for (int i = 0; i < count; i++) {
        void* memory = tml__allocate(&m->allocator, list[i].count, sizeof(double));
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

void tml__gen_motion_destroy(gen_motion* m)
{
    if (m == NULL) return;
    const tml_allocator allocator = m->allocator;
    request list[REQUESTS];
    const int count = list_requests(m, list);
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(&allocator, memory);
    }
    tml__gen_carry_destroy(m->carry, &allocator);
    tml__gen_rows_destroy(m->rows);
    tml__gen_destroy(m->tree);
    tml__release(&allocator, m);
}

// Dampers and servos of coordinates that are columns; those of balls are found at every step.
static void list_damping(gen_motion* m)
{
    const gen_tree* t = m->tree;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (link->kind == LINK_BALL || joint < 0) continue;
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
            const axis_data* a = &t->model->joints[joint].axis[axis];
            m->damping[link->column + k] = a->damping + (a->has_servo ? a->servo_damping : 0.0);
        }
    }
}

// Are there rows that columns must obey? The tree decides, so it is asked first.
static tml_status create_rows(gen_motion* m, bool has_contact, message* why)
{
    tml_status status = tml__gen_create(m->s->model, has_contact, &m->allocator, why, &m->tree);
    const bool has_stiff = status == TML_OK && tml__gen_has_stiff_rows(m);
    if (status != TML_OK || !(has_stiff || tml__gen_has_rows(m->tree, m->s))) return status;
    if (!has_contact) {
        tml__gen_destroy(m->tree);
        m->tree = NULL;
        status = tml__gen_create(m->s->model, true, &m->allocator, why, &m->tree);
    }
    if (status != TML_OK) return status;
    return tml__gen_rows_create(m->tree, m->s, 0, m->is_implicit, &m->allocator, why, &m->rows);
}

tml_status tml__gen_motion_create(maximal_system* s, const gen_motion_settings* settings,
                                  const tml_allocator* allocator, message* why, gen_motion** out)
{
    *out = NULL;
    gen_motion* m = tml__allocate(allocator, 1, sizeof *m);
    if (m == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    m->s = s;
    m->allocator = *allocator;
    m->is_implicit = settings->is_implicit;
    m->is_carried = settings->is_carried;
    m->step = settings->step;
    tml_status status = create_rows(m, settings->has_contact, why);
    if (status == TML_OK) {
        status = take(m);
        if (status == TML_OK && settings->is_carried) {
            status = tml__gen_carry_create(m->tree, s->row_count, allocator, &m->carry);
        }
        if (status != TML_OK) tml__fail(why, status, "out of memory");
    }
    if (status != TML_OK) {
        tml__gen_motion_destroy(m);
        return status;
    }
    list_damping(m);
    tml__gen_list_forced_columns(m);
    *out = m;
    return TML_OK;
}

// ---- looking

static void place(gen_motion* m, const double* numbers, const double* rates)
{
    tml__gen_place(m->tree, numbers, rates);
    tml__gen_flatten(m->tree, m->x, m->v);
    tml__maximal_place(m->s, m->x, m->v);
    tml__maximal_rows(m->s);
}

void tml__gen_stand(gen_motion* m, const double* numbers)
{
    if (m->rows == NULL) {
        tml__gen_place(m->tree, numbers, NULL);
        return;
    }
    tml__gen_place(m->tree, numbers, NULL);
    tml__gen_flatten(m->tree, m->x, NULL);
    tml__maximal_place(m->s, m->x, NULL);
    tml__maximal_rows(m->s);
}

void tml__gen_look(gen_motion* m, const double* numbers, const double* rates)
{
    place(m, numbers, rates);
    tml__maximal_forces(m->s);
    tml__gen_apply(m->tree, m->s->force, m->s->torque);
}

// The bodies as the tree has them, without the way through flat poses.
static void show_bodies(gen_motion* m)
{
    const gen_tree* t = m->tree;
    m->s->placements++;  // joints do not stand there yet
    for (int at = 0; at < t->body_count; at++) {
        const twist u = t->velocity[at];
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        rigid* body = &m->s->bodies[t->bodies[at].body];
        body->c = t->c[at];
        body->q = t->turn[at];
        body->R = t->R[at];
        body->v = v3_add(u.v, v3_cross(u.omega, arm));
        body->omega = u.omega;
    }
}

// The same where nothing asks for rows: a tree alone is held by its coordinates, and joints count only
// where a force acts along their axes.
static void look_at_forces(gen_motion* m, const double* numbers, const double* rates)
{
    if (m->rows != NULL) {
        tml__gen_look(m, numbers, rates);
        return;
    }
    tml__gen_place(m->tree, numbers, rates);
    show_bodies(m);
    if (m->s->forced_count > 0) tml__maximal_frames(m->s);
    tml__maximal_forces(m->s);
    tml__gen_apply(m->tree, m->s->force, m->s->torque);
}

static bool has_rows(gen_motion* m, bool has_compliant)
{
    if (m->rows == NULL) return false;
    tml__gen_rows_collect(m->rows, has_compliant);
    return m->rows->count > 0;
}

// (H + added) factored, and the accelerations of the tree alone under m->force less the bias.
static tml_status accelerate_tree(gen_motion* m, const double* added, double* a)
{
    gen_tree* t = m->tree;
    tml__gen_inverse(t, NULL, a);
    for (int k = 0; k < t->column_count; k++) a[k] = m->force[k] - a[k];
    tml__gen_mass(t, added);
    const tml_status status = tml__gen_factor(t, &m->bad_column);
    if (status == TML_OK) tml__gen_solve(t, a);
    return status;
}

// ---- a step

// What holds back a ball along a vector, d (gradient . omega), acts on all three columns: with g_k its rate when
// column k turns at 1 rad/s, D_kn = d g_k g_n.
static void add_along(gen_motion* m, const gen_link* link, vec3 gradient, double hd)
{
    gen_tree* t = m->tree;
    double g[3];
    for (int k = 0; k < 3; k++) g[k] = v3_dot(gradient, t->S[link->column + k].omega);
    for (int k = 0; k < 3; k++) {
        m->added[link->column + k] += hd * g[k] * g[k];
        for (int n = 0; n < k; n++)
            t->beside[2 * (link->column + k) + n] += hd * g[k] * g[k - 1 - n];
    }
}

// Springs, servos and the dampers of a gimbal along its angles; dampers of a ball along the base's axes.
static void add_ball(gen_motion* m, const gen_link* link, int joint, double h)
{
    const joint_data* j = &m->tree->model->joints[joint];
    for (int axis = TML_AXIS_RX; axis < TML_AXES; axis++) {
        const axis_data* a = &j->axis[axis];
        const double spring = a->stiffness + (a->has_servo ? a->servo_stiffness : 0.0);
        const double d = a->damping + (a->has_servo ? a->servo_damping : 0.0) +
                         (m->is_carried ? h * spring : 0.0);
        if (d > 0.0) {
            add_along(m, link, tml__maximal_coordinate_turn(m->s, joint, (tml_axis)axis), h * d);
        }
        if (!(a->spin_damping > 0.0)) continue;
        add_along(m, link, m->s->frames[joint].B.axis[axis - TML_AXIS_RX], h * a->spin_damping);
    }
}

void tml__gen_list_added(gen_motion* m, double h)
{
    gen_tree* t = m->tree;
    tml__gen_list_saturated(m);
    for (int k = 0; k < t->column_count; k++) m->added[k] = h * m->damping[k];
    if (m->is_implicit) tml__gen_soak(m, h);
    memset(t->beside, 0, 2 * (size_t)t->column_count * sizeof *t->beside);
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (link->kind == LINK_BALL && joint >= 0) add_ball(m, link, joint, h);
    }
}

// With everything looked at.
static tml_status free_rates(gen_motion* m, double h, double* rates)
{
    const int columns = m->tree->column_count;
    tml__gen_list_added(m, h);
    memset(m->force, 0, (size_t)columns * sizeof(double));
    if (m->pushed != NULL) memcpy(m->force, m->pushed, (size_t)columns * sizeof(double));
    if (m->is_implicit) tml__gen_stiffen(m, h, rates);
    m->tree->is_still = m->carry != NULL;
    const tml_status status = accelerate_tree(m, m->added, m->move);
    m->tree->is_still = false;
    for (int k = 0; k < columns && status == TML_OK; k++) rates[k] += h * m->move[k];
    return status;
}

tml_status tml__gen_free_rates(gen_motion* m, double h, const double* numbers, double* rates)
{
    tml__gen_look(m, numbers, rates);
    return free_rates(m, h, rates);
}

// Springs are no rows of the maximal system.
static void add_impulses(const gen_rows* r, int count, double* impulse)
{
    for (int i = 0; i < count; i++) {
        if (r->row[i] >= 0) impulse[r->row[i]] += r->side[i];
    }
}

tml_status tml__gen_impulse(gen_motion* m, double h, const double* numbers, double* rates,
                            double* impulse)
{
    gen_tree* t = m->tree;
    gen_rows* r = m->rows;
    look_at_forces(m, numbers, rates);
    const bool has_any = has_rows(m, true);
    if (m->is_implicit && r != NULL) tml__gen_append_stiff(m, r, h, rates);
    const bool has_drag = m->carry == NULL && tml__gen_soaks(m);
    if (!has_any && !has_drag && (r == NULL || r->count == 0)) {
        tml__gen_list_added(m, h);
        if (m->is_implicit) {
            memset(m->force, 0, (size_t)t->column_count * sizeof(double));
            tml__gen_stiffen(m, h, rates);
        }
        t->is_still = m->carry != NULL;
        const tml_status status = tml__gen_forward(t, m->added, m->is_implicit ? m->force : NULL,
                                                   m->move, &m->bad_column);
        t->is_still = false;
        for (int k = 0; k < t->column_count; k++) rates[k] += h * m->move[k];
        return status;
    }
    const tml_status status = free_rates(m, h, rates);
    if (status != TML_OK) return status;

    tml__gen_rows_lift(r, 1.0 / (h * h));
    tml__gen_rows_factor(r, r->count);
    for (int i = 0; i < r->count; i++) {
        const double open = r->row[i] >= 0 ? m->s->C[r->row[i]] / h : 0.0;
        r->side[i] = -(tml__gen_rows_rate(r, i, rates) + r->offset[i] + open);
    }
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, rates);
    add_impulses(r, r->count, impulse);
    return TML_OK;
}

// How far the rows are from their equation at the end of the step, into r->side.
static double row_errors(const gen_motion* m, gen_rows* r, double h, const double* impulse)
{
    double worst = 0.0;
    for (int i = 0; i < r->leading; i++) {
        const int row = r->row[i];
        r->side[i] = row >= 0 ? -(m->s->C[row] / h + r->compliance[i] * impulse[row]) : 0.0;
        worst = tml__larger(worst, h * r->side[i]);
    }
    return worst;
}

void tml__gen_close(gen_motion* m, gen_rows* r, double h, double tolerance, const double* from,
                    double* rates, double* numbers, double* impulse)
{
    enum {
        MOST_PASSES = 20
    };
    double before = HUGE_VAL;
    tml__gen_move(m->tree, from, rates, h, numbers);
    if (r->leading == 0) return;
    for (int k = 0; k < MOST_PASSES; k++) {
        place(m, numbers, rates);
        const double worst = row_errors(m, r, h, impulse);
        // rounding, or poses where the rows at the start say too little about those at the end
        if (worst <= 0.01 * tolerance || !(worst < 0.5 * before)) return;
        before = worst;
        tml__gen_rows_solve(r);
        for (int i = r->leading; i < r->count; i++) r->side[i] = 0.0;
        tml__gen_rows_push(r, r->side, rates);
        add_impulses(r, r->leading, impulse);
        tml__gen_move(m->tree, from, rates, h, numbers);
    }
}

// ---- back onto the rows

static void settle_merit(void* self, newton_merit* out)
{
    gen_motion* m = self;
    const maximal_system* s = m->s;
    tml__gen_place(m->tree, m->numbers, NULL);
    tml__gen_flatten(m->tree, m->x, NULL);
    tml__maximal_place(m->s, m->x, NULL);
    out->row = tml__maximal_rows(m->s);
    out->consistency = tml__maximal_consistency(s);
    out->merit = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        if (!(s->compliance[row] > 0.0)) out->merit += s->C[row] * s->C[row];
    }
}

static tml_status settle_direct(void* self, double* update)
{
    gen_motion* m = self;
    gen_rows* r = m->rows;
    const int columns = m->tree->column_count;

    tml__gen_rows_collect(r, false);
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    for (int i = 0; i < r->count; i++) r->side[i] = -m->s->C[r->row[i]];
    tml__gen_rows_solve(r);
    memset(m->move, 0, (size_t)columns * sizeof(double));
    tml__gen_rows_push(r, r->side, m->move);
    *update = 0.0;
    for (int k = 0; k < columns; k++) *update = tml__larger(*update, m->move[k]);
    memcpy(m->numbers_start, m->numbers, (size_t)m->tree->number_count * sizeof(double));
    return TML_OK;
}

static void settle_move(void* self, double fraction)
{
    gen_motion* m = self;
    tml__gen_move(m->tree, m->numbers_start, m->move, fraction, m->numbers);
}

// J u + C_t = 0 at the state.
void tml__gen_settle_rates(gen_motion* m, const double* numbers, double* rates, double* impulse)
{
    gen_rows* r = m->rows;
    double* rate = m->curve;
    place(m, numbers, rates);
    tml__gen_rows_collect(r, false);
    if (r->count == 0) return;
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    tml__maximal_row_motions(m->s, rate, rate + m->s->row_count);
    for (int i = 0; i < r->count; i++) {
        r->side[i] = -(tml__gen_rows_rate(r, i, rates) + rate[r->row[i]]);
    }
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, rates);
    for (int i = 0; i < r->count; i++) impulse[r->row[i]] += r->side[i];
}

tml_status tml__gen_settle_numbers(gen_motion* m, const newton_settings* settings, double* numbers,
                                   newton_report* report)
{
    const size_t bytes = (size_t)m->tree->number_count * sizeof(double);
    *report = (newton_report){0};
    if (!has_rows(m, false)) return TML_OK;

    const newton_problem problem = {
        .self = m, .evaluate = settle_merit, .direct = settle_direct, .move = settle_move};
    memcpy(m->numbers, numbers, bytes);
    const tml_status status = tml__newton(&problem, settings, report);
    if (status == TML_OK) memcpy(numbers, m->numbers, bytes);
    return status;
}

tml_status tml__gen_settle(gen_motion* m, const newton_settings* settings, double* numbers,
                           double* rates, double* impulse, newton_report* report)
{
    const bool has_any = has_rows(m, false);
    const tml_status status = tml__gen_settle_numbers(m, settings, numbers, report);
    if (status == TML_OK && has_any) tml__gen_settle_rates(m, numbers, rates, impulse);
    return status;
}

// ---- an instant

tml_status tml__gen_accelerate(gen_motion* m, const double* numbers, const double* rates, double* a,
                               double* lambda)
{
    gen_tree* t = m->tree;
    gen_rows* r = m->rows;

    look_at_forces(m, numbers, rates);
    if (!has_rows(m, true)) return tml__gen_forward(t, NULL, NULL, a, &m->bad_column);

    // rows that give way are springs here
    memset(m->force, 0, (size_t)t->column_count * sizeof(double));
    for (int i = 0; i < r->count; i++) {
        const int row = r->row[i];
        const double give = m->s->compliance[row];
        r->side[i] = give > 0.0 ? -m->s->C[row] / give : 0.0;
        lambda[row] = r->side[i];
    }
    tml__gen_rows_pull(r, r->side, m->force);
    const tml_status status = accelerate_tree(m, NULL, a);
    if (status != TML_OK || !has_rows(m, false)) return status;

    tml__gen_inverse(t, a, m->move);
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    tml__gen_rows_curve(r, m->curve);
    for (int i = 0; i < r->count; i++) r->side[i] = -r->side[i];
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, a);
    for (int i = 0; i < r->count; i++) lambda[r->row[i]] = r->side[i];
    return TML_OK;
}

tml_status tml__gen_accelerate_stage(gen_motion* m, int stage, const double* numbers,
                                     const double* rates, double* a, double* lambda)
{
    gen_rows* r = m->rows;
    if (r == NULL) return tml__gen_accelerate(m, numbers, rates, a, lambda);
    r->closed_rank = stage > 0 ? m->closed_rank : -1;
    const tml_status status = tml__gen_accelerate(m, numbers, rates, a, lambda);
    r->closed_rank = -1;
    if (stage == 0) m->closed_rank = r->count > 0 ? r->rank : -1;
    return status;
}

void tml__gen_complete(gen_motion* m, const double* numbers, const double* rates, const double* a,
                       double* lambda)
{
    maximal_system* s = m->s;
    gen_tree* t = m->tree;

    tml__gen_look(m, numbers, rates);
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const bool is_driven = s->model->joints[j].axis[s->rows[j].row[r].axis].is_free;
            if (t->is_held[j] && !is_driven) lambda[s->first_row[j] + r] = 0.0;
        }
    }
    // all that acts on the bodies but the tree's own rows
    memset(m->wrenches, 0, 6 * (size_t)s->node_count * sizeof(double));
    tml__maximal_subtract_rows(s, lambda, m->wrenches);
    for (int i = 0; i < 6 * s->node_count; i++) {
        m->wrenches[i] = -m->wrenches[i];
    }
    for (int at = 0; at < t->body_count; at++) {
        const double* w = &m->wrenches[6 * s->model->bodies[t->bodies[at].body].node];
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        const vec3 force = v3_load(w);
        t->applied[at] = (wrench){v3_add(v3_load(w + 3), v3_cross(arm, force)), force};
    }
    tml__gen_inverse(t, a, m->move);
    tml__gen_tree_multipliers(t, s, lambda);
}

tml_status tml__gen_describe_failure(const gen_motion* m, tml_status status, message* why)
{
    if (status != TML_SINGULAR) return status;
    const gen_tree* t = m->tree;
    const int body = t->bodies[t->column_body[m->bad_column]].body;
    return tml__fail(
        why, status,
        "the mass matrix has no factor at body '%s': nothing that it moves has inertia, "
        "or a number is not finite",
        t->model->all.bodies[body].name);
}
