// method/links/lean.c - questions to a simulation that keeps no rows, answered joint by joint.
#include "sim/lean.h"

#include "method/links/method.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"

#include <float.h>
#include <math.h>

// ---- bodies and joints at flat positions

static void place(const tml_model* m, const double* q, int body, rigid* out)
{
    const body_data* b = &m->bodies[body];
    *out = (rigid){.c = b->c, .q = b->q};
    if (b->node >= 0) {
        const double* p = &q[(size_t)b->node * POSE_WIDTH];
        out->c = v3_load(p);
        out->q = q_normalize((quat){p[3], p[4], p[5], p[6]});
    }
    out->R = q_matrix(out->q);
}

// Links fit where every body moves (tml__links_fit), so that bodies are numbered as their nodes are: to look into a body
// of a large tree for its node took longer than all the rest of an inspection.
static const double* pose_of(const tml_model* m, const double* q, int body)
{
    return body < m->node_count ? &q[(size_t)body * POSE_WIDTH] : NULL;
}

// The same without the quaternion: R of q over |q|^2 needs no root.
static void turn_to(const tml_model* m, const double* q, int body, rigid* out)
{
    const double* p = pose_of(m, q, body);
    if (p == NULL) {
        out->c = m->bodies[body].c;
        out->R = q_matrix(m->bodies[body].q);
        return;
    }
    const quat raw = {p[3], p[4], p[5], p[6]};
    const double scale = 1.0 / q_dot(raw, raw);
    out->c = v3_load(p);
    out->R = q_matrix(raw);
    for (int k = 0; k < 9; k++) out->R.m[k / 3][k % 3] *= scale;
}

void tml__lean_frame(const tml_sim* sim, const double* q, int joint, joint_frame* out)
{
    static const joint_turn none = {.has_base = false, .has_follower = false};
    const joint_data* j = &sim->model->joints[joint];
    rigid F;
    rigid B;
    place(sim->model, q, j->follower, &F);
    place(sim->model, q, j->base, &B);
    tml__joint_frame(j, &none, &F, &B, out);
}

// How far a body is from where its joint has it, m or rad: the whole angle, up to half a turn.
static double led_gap(const tml_sim* sim, const double* q, const joint_data* j)
{
    drive axis[TML_AXES];
    rigid F;
    rigid B;
    rigid there;
    place(sim->model, q, j->follower, &F);
    place(sim->model, q, j->base, &B);
    tml__joint_drives(j, sim->system->t, tml__lean_given(sim), axis);
    tml__joint_lead(j, axis, &B, &there);
    const quat off = q_mul(F.q, q_conj(there.q));
    const double angle = 2.0 * tml__atan2(v3_norm(q_vec(off)), fabs(off.w));
    return tml__larger(v3_max(v3_sub(F.c, there.c)), angle);
}

// The largest row of a ball, or of one whose slides are driven to `slide`.
static double gap_of(const joint_data* j, const rigid* F, const rigid* B, vec3 slide)
{
    const vec3 d =
        v3_sub(v3_add(F->c, m3_apply(F->R, j->point_F)), v3_add(B->c, m3_apply(B->R, j->point_B)));
    return v3_max(v3_sub(m3_apply_t(j->axes_B, m3_apply_t(B->R, d)), slide));
}

// Where the slides of a joint are driven to, at the instant that was aimed at.
static vec3 slide_of(const tml_sim* sim, const joint_data* j)
{
    drive axis[TML_AXES];
    tml__joint_drives(j, sim->system->t, tml__lean_given(sim), axis);
    return v3(axis[0].value, axis[1].value, axis[2].value);
}

double tml__lean_gap(const tml_sim* sim, const double* q)
{
    const tml_model* m = sim->model;
    const link_system* l = tml__links_of(sim);
    double largest = 0.0;
    rigid F;
    rigid B;
    int last = -1;  // the body that F is

    for (int i = 0; i < m->all.joint_count; i++) {
        const joint_data* j = &m->joints[i];
        // links of a chain follow each other
        if (j->base == last)
            B = F;
        else
            place(m, q, j->base, &B);
        place(m, q, j->follower, &F);
        last = j->follower;
        if (links_leads(l->led, i, j->follower)) {
            largest = tml__larger(largest, led_gap(sim, q, j));
            continue;
        }
        const vec3 d =
            v3_sub(v3_add(F.c, m3_apply(F.R, j->point_F)), v3_add(B.c, m3_apply(B.R, j->point_B)));
        vec3 row = m3_apply_t(m3_mul(B.R, j->axes_B), d);
        if (i == l->drawn) row = v3_sub(row, slide_of(sim, j));
        for (int k = 0; k < 3; k++) largest = tml__larger(largest, v3_at(row, k));
    }
    return largest;
}

// ---- angles
//
// An angle r1 or r3 is the direction of a pair (S, C). While C stays positive it stays within a
// quarter turn of zero, so it can cross the cut at half a turn only where C is or was negative: only
// there the two angles are compared.

enum {
    BEHIND = 1,  // C was negative at the accepted state; the turns are counted in twos
};

// The axis of the first or the last angle.
static tml_axis watched_axis(const joint_data* j, int which)
{
    return (tml_axis)(TML_AXIS_RX + j->turn[which == 0 ? 0 : 2]);
}

static double principal(const tml_sim* sim, const double* q, int joint, tml_axis axis)
{
    joint_frame f;
    tml__lean_frame(sim, q, joint, &f);
    return tml__coordinate_value(&sim->model->joints[joint], axis, &f.F, &f.B, 0.0);
}

static int whole_turns(double angle) { return (int)floor(angle / (2.0 * TML_PI) + 0.5); }

// C of the first angle is b_k . f_k, of the last one b_i . f_i.
static bool is_behind(const joint_data* j, const mat3* R_F, const mat3* R_B, int which)
{
    const int letter = j->turn[which == 0 ? 2 : 0];
    const vec3 f = m3_apply(*R_F, m3_column(j->axes_F, letter));
    const vec3 b = m3_apply(*R_B, m3_column(j->axes_B, letter));
    return !(v3_dot(f, b) > 0.0);
}

static void watch_joint(tml_sim* sim, const double* to, int joint, const mat3* R_F, const mat3* R_B)
{
    const joint_data* j = &sim->model->joints[joint];
    for (int k = 0; k < 2; k++) {
        int* turns = &sim->turns[2 * joint + k];
        const int is_now = is_behind(j, R_F, R_B, k) ? BEHIND : 0;
        if (is_now == 0 && (*turns & BEHIND) == 0) continue;
        const tml_axis axis = watched_axis(j, k);
        const double from = principal(sim, sim->past_q[0], joint, axis);
        const double now = principal(sim, to, joint, axis);
        *turns = ((*turns & ~BEHIND) + 2 * whole_turns(from - now)) | is_now;
    }
}

enum {
    STRETCH = 512  // joints that a thread looks at in one go
};

typedef struct inspection {
    tml_sim* sim;
    const double* to;
    double farthest;
} inspection;

enum {
    AHEAD = 8  // joints: as long as memory takes
};

// In a tree the bodies that a joint ties are anywhere: ask for them early.
static void ask_ahead(const tml_model* m, const double* q, int joint)
{
    const int last = m->all.joint_count - 1;
    const joint_data* j = &m->joints[joint + AHEAD < last ? joint + AHEAD : last];
    const double* ends[2] = {pose_of(m, q, j->base), pose_of(m, q, j->follower)};
    for (int k = 0; k < 2; k++) {
        if (ends[k] == NULL) continue;
        __builtin_prefetch(ends[k]);
        __builtin_prefetch(ends[k] + POSE_WIDTH - 1);
    }
}

// One stretch of joints; what it finds is its own.
static void inspect_stretch(void* context, int item, int thread)
{
    (void)thread;
    const inspection* in = context;
    tml_sim* sim = in->sim;
    const tml_model* m = sim->model;
    const link_system* l = tml__links_of(sim);
    const int first = item * STRETCH;
    const int last = first + STRETCH < m->all.joint_count ? first + STRETCH : m->all.joint_count;
    double largest = 0.0;
    rigid F;
    rigid B;
    int placed = -1;  // the body that F is
    for (int i = first; i < last; i++) {
        const joint_data* j = &m->joints[i];
        ask_ahead(m, in->to, i);
        if (j->base == placed)
            B = F;
        else
            turn_to(m, in->to, j->base, &B);
        turn_to(m, in->to, j->follower, &F);
        placed = j->follower;
        const vec3 slide = i == l->drawn ? slide_of(sim, j) : v3_zero();
        const double gap = links_leads(l->led, i, j->follower) ? led_gap(sim, in->to, j)
                                                               : gap_of(j, &F, &B, slide);
        largest = tml__larger(largest, gap);
        watch_joint(sim, in->to, i, &F.R, &B.R);
    }
    sim->stretch_gap[item] = largest;
}

int tml__lean_stretches(const tml_model* m) { return (m->all.joint_count + STRETCH - 1) / STRETCH; }

double tml__lean_inspect(tml_sim* sim, const double* to)
{
    const int stretches = tml__lean_stretches(sim->model);
    inspection in = {.sim = sim, .to = to};
    double largest = 0.0;
    tml__team_run(sim->team, 0, stretches, inspect_stretch, &in);
    for (int i = 0; i < stretches; i++) largest = tml__larger(largest, sim->stretch_gap[i]);
    return largest;
}

// Stretch `item` of so many numbers, shared among all stretches.
static bool is_within(const double* numbers, long long count, int item, int stretches, double bound)
{
    const long long from = count * item / stretches;
    const long long to = count * (item + 1) / stretches;
    bool is_fine = true;
    for (long long i = from; i < to; i++) is_fine = is_fine && fabs(numbers[i]) <= bound;
    return is_fine;
}

static void check_stretch(void* context, int item, int thread)
{
    (void)thread;
    tml_sim* sim = ((const inspection*)context)->sim;
    const sim_state* next = &sim->next;
    const int stretches = tml__lean_stretches(sim->model);
    const bool is_fine =
        is_within(next->q, sim->width, item, stretches, ((const inspection*)context)->farthest) &&
        is_within(next->v, sim->width, item, stretches, DBL_MAX) &&
        is_within(next->lambda, sim->system->row_count, item, stretches, DBL_MAX);
    sim->stretch_gap[item] = is_fine ? 0.0 : 1.0;
}

bool tml__lean_is_fine(tml_sim* sim, double farthest)
{
    const int stretches = tml__lean_stretches(sim->model);
    inspection in = {.sim = sim, .farthest = farthest};
    bool is_fine = stretches > 0;
    tml__team_run(sim->team, 0, stretches, check_stretch, &in);
    for (int i = 0; i < stretches; i++) is_fine = is_fine && sim->stretch_gap[i] < 0.5;
    return is_fine;
}

// The turns on which the angles of a joint are where its axes have them, `value` each.
static void count_turns(tml_sim* sim, int joint, const double value[TML_AXES])
{
    const joint_data* j = &sim->model->joints[joint];
    rigid F;
    rigid B;
    place(sim->model, sim->past_q[0], j->follower, &F);
    place(sim->model, sim->past_q[0], j->base, &B);
    for (int k = 0; k < 2; k++) {
        const tml_axis axis = watched_axis(j, k);
        const double angle = principal(sim, sim->past_q[0], joint, axis);
        const int behind = is_behind(j, &F.R, &B.R, k) ? BEHIND : 0;
        sim->turns[2 * joint + k] = 2 * whole_turns(value[axis] - angle) + behind;
    }
}

void tml__lean_choose_turns(tml_sim* sim)
{
    const tml_model* m = sim->model;
    const links_led* led = tml__links_of(sim)->led;
    for (int i = 0; i < m->all.joint_count; i++) {
        double value[TML_AXES];
        if (!links_leads(led, i, m->joints[i].follower)) continue;
        for (int k = 0; k < TML_AXES; k++) {
            value[k] = tml__control_eval(&m->joints[i].axis[k].control, 0.0).value;
        }
        count_turns(sim, i, value);
    }
}

static int turns_of(const tml_sim* sim, int joint, int which)
{
    const int turns = sim->turns[2 * joint + which];
    return (turns - (turns & BEHIND)) / 2;
}

double tml__lean_coordinate(const tml_sim* sim, int joint, tml_axis axis)
{
    const joint_data* j = &sim->model->joints[joint];
    double value = principal(sim, sim->past_q[0], joint, axis);
    for (int k = 0; k < 2; k++) {
        if (axis == watched_axis(j, k)) value += 2.0 * TML_PI * turns_of(sim, joint, k);
    }
    return value;
}

// ---- energy

tml_energy tml__lean_energy(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    tml_energy sum = {0.0, 0.0};
    for (int n = 0; n < m->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const double* p = &sim->past_q[0][(size_t)n * POSE_WIDTH];
        const double* u = &sim->past_v[0][(size_t)n * POSE_WIDTH];
        const quat q = {p[3], p[4], p[5], p[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        const vec3 turn = v3_scale(2.0 / q_dot(q, q), q_G(q, w));
        const vec3 omega = m3_apply_t(q_matrix(q_normalize(q)), turn);
        const vec3 v = v3_load(u);
        sum.kinetic +=
            0.5 * body->mass * v3_dot(v, v) + 0.5 * v3_dot(omega, m3_apply(body->inertia, omega));
        sum.potential -= body->mass * v3_dot(m->all.gravity, v3_load(p));
    }
    link_system* l = tml__links_of(sim);
    if (l->springs != NULL) {
        sum.potential += tml__links_springs_energy(l, sim->past_q[0], sim->past_v[0]);
    }
    return sum;
}

// ---- the arrays, while they are needed

tml_status tml__lean_open(tml_sim* sim)
{
    if (!tml__is_lean(sim) || sim->lean_depth++ > 0) return TML_OK;
    const tml_status status = tml__maximal_unfold(sim->system, &sim->why);
    if (status != TML_OK) {
        sim->lean_depth--;
        return status;
    }
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
            sim->system->hints[j * TML_AXES + k] = tml__lean_coordinate(sim, j, (tml_axis)k);
        }
    }
    return TML_OK;
}

void tml__lean_shut(tml_sim* sim)
{
    if (!tml__is_lean(sim) || --sim->lean_depth > 0) return;
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        count_turns(sim, j, &sim->system->hints[j * TML_AXES]);
    }
    tml__maximal_fold(sim->system);
}
