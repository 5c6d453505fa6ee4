// analysis/teleport.c - moving a simulation by hand: one joint, with the rest re-assembled around it, or
// the whole state.
//
// A joint goes to its value in small steps, each assembled from a prediction: the poses then follow
// the branch they are on, and a mechanism that cannot follow is found out where it ends.
#include "analysis/closing.h"
#include "base/memory.h"
#include "method/affine/flexible.h"
#include "sim/lean.h"
#include "sim/soft_contact.h"

#include <trammel/assemble.h>

#include <math.h>
#include <string.h>

static const double most_turn = 0.2;    // rad a step of the driven axis
static const double most_slide = 0.05;  // of the mechanism's size
static const double most_jump = 0.7;    // rad or sizes that a body may move in one step

// Where the vertices of deformables would go nobody can say.
static tml_status refuse_deformables(tml_sim* sim)
{
    if (sim->soft == NULL) return TML_OK;
    return tml__fail(&sim->why, TML_UNSUPPORTED,
                     "a simulation with deformables cannot be moved by hand in this version");
}

// ---- taking over a state

// Velocities that the rows allow at the positions taken over, and the multipliers there.
static tml_status settle(tml_sim* sim)
{
    double change = 0.0;

    tml__sim_forget_answers(sim);
    tml__sim_answer(sim);  // targets of the instant, bodies placed, rows evaluated
    if (!(sim->gap <= sim->settings.tolerance)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "these poses do not close: the largest row is %.3g, the tolerance %.1g",
                         sim->gap, sim->settings.tolerance);
    }
    const tml_status status = tml__sim_begin(sim, &change);
    if (status != TML_OK) return status;

    sim->past_count = 1;
    sim->report.restarts++;
    tml__sim_forget_answers(sim);
    return TML_OK;
}

tml_status tml__sim_adopt(tml_sim* sim, const double* x, const double* v, const double* hints,
                          const limit_side* sides)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    const size_t joints = (size_t)sim->model->all.joint_count;
    const size_t saved = tml_sim_state_size(sim);
    void* before = tml__allocate(&sim->settings.allocator, saved, 1);
    if (before == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");

    tml_status status = tml_sim_save(sim, before);
    if (status == TML_OK) {
        memcpy(sim->past_q[0], x, bytes);
        memcpy(sim->past_v[0], v, bytes);
        memcpy(sim->system->hints, hints, joints * TML_AXES * sizeof(double));
        for (int i = 0; i < sim->system->limit_count; i++) {
            sim->sides[i] = sides != NULL ? sides[i] : LIMIT_OFF;
            sim->system->sides[i] = sim->sides[i];
        }
        if (tml__is_flex(sim)) {  // bodies that are put somewhere have their rest shape
            tml__flex_begin(sim->system, sim->past_q[0], sim->past_v[0], sim->own);
        }
        if (sim->contacts != NULL) {  // what touched where the bodies were
            tml__contacts_clear_next(sim->contacts);
            tml__contacts_accept(sim->contacts);
        }
        tml__soft_touch_keep_none(sim->soft);
        tml__soft_touch_accept(sim->soft);
        status = settle(sim);
        if (status != TML_OK) tml_sim_restore(sim, before, saved);
    }
    tml__release(&sim->settings.allocator, before);
    return status;
}

// Slower than this is at rest: the linear solvers compare with what they are given, and numbers
// without all their digits compare badly.
static vec3 without_dust(vec3 v) { return v3_max(v) < 1e-100 ? v3_zero() : v; }

// The present velocities, turned with their bodies to other positions, into sim->next.v.
static void carry_velocities(tml_sim* sim, const double* x)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* p = &sim->past_q[0][(size_t)n * POSE_WIDTH];
        const double* to = &x[(size_t)n * POSE_WIDTH];
        const double* u = &sim->past_v[0][(size_t)n * POSE_WIDTH];
        const quat q = {p[3], p[4], p[5], p[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        const vec3 omega = v3_scale(2.0 / q_dot(q, q), q_G(q, w));
        const quat turn = q_normalize(q_mul((quat){to[3], to[4], to[5], to[6]}, q_conj(q)));
        tml__maximal_store_velocity(to, without_dust(q_rotate(turn, v3_load(u))),
                                    without_dust(q_rotate(turn, omega)),
                                    &sim->next.v[(size_t)n * POSE_WIDTH]);
    }
}

// ---- one joint

// How far the mechanism reaches: between centres of mass, or from them to joints.
static double mechanism_size(const maximal_system* s, const double* x)
{
    vec3 low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    vec3 high = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    double size = 0.0;

    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 3; k++) {
            const double value = x[n * POSE_WIDTH + k];
            if (value < v3_at(low, k)) v3_set(&low, k, value);
            if (value > v3_at(high, k)) v3_set(&high, k, value);
        }
    }
    if (s->node_count > 0) size = v3_norm(v3_sub(high, low));
    for (int j = 0; j < s->model->all.joint_count; j++) {
        const joint_data* joint = &s->model->joints[j];
        if (s->model->bodies[joint->follower].node >= 0 && v3_norm(joint->point_F) > size) {
            size = v3_norm(joint->point_F);
        }
        if (s->model->bodies[joint->base].node >= 0 && v3_norm(joint->point_B) > size) {
            size = v3_norm(joint->point_B);
        }
    }
    return size > 0.0 ? size : 1.0;
}

// The motion of a node from a to b.
static void motion_between(const double* a, const double* b, double motion[6])
{
    const quat p = {a[3], a[4], a[5], a[6]};
    const quat q = {b[3], b[4], b[5], b[6]};
    quat d = q_mul(q_normalize(q), q_conj(q_normalize(p)));
    if (d.w < 0.0) d = q_scale(-1.0, d);
    const double sine = v3_norm(q_vec(d));
    const double factor = sine > 0.0 ? 2.0 * tml__atan2(sine, d.w) / sine : 0.0;

    v3_store(motion, v3_sub(v3_load(b), v3_load(a)));
    v3_store(motion + 3, v3_scale(factor, q_vec(d)));
}

// The walk of one coordinate from where it is (t = 0) to where it shall be (t = 1).
typedef struct walk {
    closing* c;
    const axis_change* change;
    double size;     // of the mechanism, m
    double t;        // reached
    double last_dt;  // of the step before; 0: none
    double* motion;  // 6 per node: of the step before
} walk;

// The row of a driven angle repeats with every turn, and on the way to where it closes a joint may pass
// close to where its angles jump: how many turns it has made the walk knows, not the pose.
static void count_turns(const walk* w)
{
    const axis_change* a = w->change;
    w->c->s->hints[a->joint * TML_AXES + (int)a->axis] = a->from + w->t * (a->to - a->from);
    tml__closing_remember(w->c);
}

// Assemble at t + dt from a prediction; c->from is where the mechanism stands. False: it stays.
static bool walk_to(walk* w, double dt)
{
    closing* c = w->c;
    maximal_system* s = c->s;
    const size_t bytes = (size_t)s->node_count * POSE_WIDTH * sizeof(double);
    const double ratio = w->last_dt > 0.0 ? dt / w->last_dt : 0.0;

    memcpy(c->step, w->motion, (size_t)s->node_count * 6 * sizeof(double));
    tml__closing_move(c, c->from, ratio);
    tml__maximal_time(s, w->t + dt, NULL);
    if (tml__closing_assemble(c) != TML_OK) return false;

    double jump = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        double motion[6];
        motion_between(&c->from[(size_t)n * POSE_WIDTH], &s->x[(size_t)n * POSE_WIDTH], motion);
        const double slide = v3_norm(v3_load(motion)) / w->size;
        const double turn = v3_norm(v3_load(motion + 3));
        if (!(slide <= jump)) jump = slide;
        if (!(turn <= jump)) jump = turn;
    }
    if (!(jump <= most_jump)) return false;

    for (int n = 0; n < s->node_count; n++) {
        motion_between(&c->from[(size_t)n * POSE_WIDTH], &s->x[(size_t)n * POSE_WIDTH],
                       &w->motion[6 * (size_t)n]);
    }
    memcpy(c->from, s->x, bytes);
    w->t = w->t + dt;
    w->last_dt = dt;
    count_turns(w);
    return true;
}

// Steps that halve where the way is hard and double where it is easy again.
static tml_status walk_all(walk* w, double first)
{
    closing* c = w->c;
    const size_t hints = (size_t)c->s->model->all.joint_count * TML_AXES * sizeof(double);
    const size_t sides = (size_t)c->s->limit_count * sizeof *c->s->sides;
    double dt = first;

    while (w->t < 1.0 && c->budget > 0) {
        // the last piece ends on 1 exactly
        const bool is_last = w->t + dt > 1.0 - 1e-9;
        const double step = is_last ? 1.0 - w->t : dt;
        memcpy(w->motion + 6 * (size_t)c->s->node_count, c->s->hints, hints);
        // on the way it need not be the very nearest
        c->passes = is_last ? 300 : 10;
        if (walk_to(w, step)) {
            if (is_last) return TML_OK;
            dt = 2.0 * dt < first ? 2.0 * dt : first;
            continue;
        }
        memcpy(c->s->hints, w->motion + 6 * (size_t)c->s->node_count, hints);
        memset(c->s->sides, 0, sides);
        dt = 0.5 * step;
        if (dt < first / 256.0) return TML_INFEASIBLE;
    }
    return w->t < 1.0 ? TML_NOT_CONVERGED : TML_OK;
}

static tml_status check_axis(tml_sim* sim, tml_joint joint, tml_axis axis, double value)
{
    const definitions* all = &sim->model->all;
    if (joint.index < 0 || joint.index >= all->joint_count || (unsigned)axis >= TML_AXES) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "there is no such joint or axis");
    }
    const char* name = all->joints[joint.index].name;
    const axis_data* a = &sim->model->joints[joint.index].axis[axis];
    if (!a->is_free) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "joint '%.200s' holds %s; it cannot be set",
                         name, tml_axis_name(axis));
    }
    if (a->actuation == TML_POSITION) {
        return tml__fail(
            &sim->why, TML_BAD_ARGUMENT,
            "%s of joint '%.200s' is driven by a position actuator; change its control "
            "instead",
            tml_axis_name(axis), name);
    }
    if (!isfinite(value)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "%s of joint '%.200s': %g is no value",
                         tml_axis_name(axis), name, value);
    }
    if (a->has_limits && !(value >= a->lower && value <= a->upper)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "%s of joint '%.200s': %g is outside its limits [%g, %g]",
                         tml_axis_name(axis), name, value, a->lower, a->upper);
    }
    return TML_OK;
}

static tml_status walk_joint(tml_sim* sim, closing* c, const axis_change* change)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    const size_t joints = (size_t)sim->model->all.joint_count * TML_AXES;
    const size_t count = (size_t)c->s->node_count * 6 + joints;
    walk w = {.c = c, .change = change};

    w.motion = tml__allocate(&sim->settings.allocator, count, sizeof(double));
    if (w.motion == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    c->tolerance = sim->settings.tolerance < 1e-10 ? sim->settings.tolerance : 1e-10;
    c->budget = 100000;
    c->patience = 40;  // small steps close soon or not at all
    memcpy(c->from, sim->past_q[0], bytes);
    memcpy(c->s->x, sim->past_q[0], bytes);
    memcpy(c->s->hints, sim->system->hints, joints * sizeof(double));
    w.size = mechanism_size(c->s, c->from);

    const double most = (int)change->axis < 3 ? most_slide * w.size : most_turn;
    const double steps = ceil(fabs(change->to - change->from) / most);
    tml_status status = TML_OK;
    if (!(steps <= 1e4)) {
        status = tml__fail(&sim->why, TML_BAD_ARGUMENT,
                           "%g is too far from %g to be reached by hand", change->to, change->from);
    } else {
        status = walk_all(&w, steps > 1.0 ? 1.0 / steps : 1.0);
        if (status != TML_OK) {
            tml__fail(&sim->why, status,
                      "%s of joint '%.200s' cannot be set to %.6g: from %.6g the mechanism follows "
                      "as far as %.6g",
                      tml_axis_name(change->axis), sim->model->all.joints[change->joint].name,
                      change->to, change->from, change->from + w.t * (change->to - change->from));
        }
    }
    tml__release(&sim->settings.allocator, w.motion);
    return status;
}

static tml_status set_joint(tml_sim* sim, tml_joint joint, tml_axis axis, double value)
{
    tml_status status = refuse_deformables(sim);
    if (status == TML_OK) status = check_axis(sim, joint, axis, value);
    if (status != TML_OK) return status;

    const double now = sim->system->hints[joint.index * TML_AXES + (int)axis];
    const derivation how = {
        .actuators = DERIVE_HELD, .held = sim->controls, .change = {joint.index, axis, now, value}};
    closing* c = NULL;
    status = tml__closing_create(sim->model, &how, &sim->settings.allocator, &sim->why, &c);
    if (status == TML_OK) status = walk_joint(sim, c, &how.change);
    if (status == TML_OK) {
        carry_velocities(sim, c->s->x);
        status = tml__sim_adopt(sim, c->s->x, sim->next.v, c->s->hints, NULL);
    }
    tml__closing_destroy(c);
    return status;
}

tml_status tml_sim_set_joint(tml_sim* sim, tml_joint joint, tml_axis axis, double value)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = set_joint(sim, joint, axis, value);
    tml__lean_shut(sim);
    return status;
}

// ---- the whole state

static tml_status check_poses(tml_sim* sim, const tml_pose* poses, const tml_velocity* velocities)
{
    for (int b = 0; b < sim->model->all.body_count; b++) {
        const double square = q_dot(poses[b].q, poses[b].q);
        if (sim->model->bodies[b].node < 0) continue;
        if (!v3_is_finite(poses[b].p) || !(fabs(square - 1.0) <= 1e-6)) {
            return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the pose of body '%.200s' is not a pose",
                             sim->model->all.bodies[b].name);
        }
        if (velocities == NULL) continue;
        if (!v3_is_finite(velocities[b].linear) || !v3_is_finite(velocities[b].angular)) {
            return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                             "the velocity of body '%.200s' is not finite",
                             sim->model->all.bodies[b].name);
        }
    }
    return TML_OK;
}

static void load_velocities(tml_sim* sim, const double* x, const tml_velocity* velocities)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const int b = sim->model->node_body[n];
        const double* p = &x[(size_t)n * POSE_WIDTH];
        const quat q = {p[3], p[4], p[5], p[6]};
        vec3 v = v3_zero();
        vec3 omega = v3_zero();
        if (velocities != NULL) {
            omega = velocities[b].angular;
            v = v3_add(velocities[b].linear,
                       v3_cross(omega, q_rotate(q, sim->model->bodies[b].com)));
        }
        tml__maximal_store_velocity(p, v, omega, &sim->next.v[(size_t)n * POSE_WIDTH]);
    }
}

static tml_status set_state(tml_sim* sim, const tml_pose* poses, const tml_velocity* velocities)
{
    tml_status status = refuse_deformables(sim);
    if (status == TML_OK) status = check_poses(sim, poses, velocities);
    if (status != TML_OK) return status;

    maximal_system* s = sim->system;
    const int joints = sim->model->all.joint_count;
    double* hints =
        tml__allocate(&sim->settings.allocator, (size_t)joints * TML_AXES, sizeof *hints);
    if (hints == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    tml__closing_load(sim->model, poses, sim->next.q);
    load_velocities(sim, sim->next.q, velocities);
    tml__sim_forget_answers(sim);
    tml__maximal_place(s, sim->next.q, NULL);
    for (int i = 0; i < joints * TML_AXES; i++) {
        if (!sim->model->joints[i / TML_AXES].axis[i % TML_AXES].is_free) continue;
        hints[i] = tml__maximal_coordinate(s, i / TML_AXES, (tml_axis)(i % TML_AXES));
    }
    const tml_status adopted = tml__sim_adopt(sim, sim->next.q, sim->next.v, hints, NULL);
    tml__release(&sim->settings.allocator, hints);
    return adopted;
}

tml_status tml_sim_set_state(tml_sim* sim, const tml_pose* poses, const tml_velocity* velocities)
{
    if (sim == NULL || sim->is_dead || poses == NULL) return TML_BAD_ARGUMENT;
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = set_state(sim, poses, velocities);
    tml__lean_shut(sim);
    return status;
}

static tml_status set_nearest_state(tml_sim* sim, const tml_pose* poses,
                                    const tml_velocity* velocities)
{
    tml_status status = refuse_deformables(sim);
    if (status == TML_OK) status = check_poses(sim, poses, velocities);
    if (status != TML_OK) return status;

    const derivation how = {
        .actuators = DERIVE_HELD, .held = sim->controls, .change = {.joint = -1}};
    closing* c = NULL;
    status = tml__closing_create(sim->model, &how, &sim->settings.allocator, &sim->why, &c);
    if (status != TML_OK) return status;
    c->tolerance = sim->settings.tolerance < 1e-10 ? sim->settings.tolerance : 1e-10;
    memcpy(c->s->hints, sim->system->hints,
           (size_t)sim->model->all.joint_count * TML_AXES * sizeof(double));
    tml__closing_load(sim->model, poses, c->from);
    status = tml__assemble(c);
    if (status != TML_OK) tml__closing_describe(c, status, &sim->why);
    if (status == TML_OK) {
        load_velocities(sim, c->s->x, velocities);
        status = tml__sim_adopt(sim, c->s->x, sim->next.v, c->s->hints, NULL);
    }
    tml__closing_destroy(c);
    return status;
}

tml_status tml_sim_set_nearest_state(tml_sim* sim, const tml_pose* poses,
                                     const tml_velocity* velocities)
{
    if (sim == NULL || sim->is_dead || poses == NULL) return TML_BAD_ARGUMENT;
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = set_nearest_state(sim, poses, velocities);
    tml__lean_shut(sim);
    return status;
}
