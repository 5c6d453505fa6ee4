// method/affine/ties.c - knife edges and rolling over a step.                          [COOK (196)]
//
// With u the move of the centre of mass over the step and c the Cayley vector of its turn, R+ - R =
// [c] (R + R+)/2, a force f and a torque t that are constant over the step do the work f . u + t . c. So
// where n and r belong to the body halfway (its mean position and the rotation nearest to the mean), the row
//
//     n . u + (r x n) . c = 0,      force lambda n, torque lambda r x n
//
// lets no work be done, exactly. Of a body that rolls the height over the plane is closed at the end of the
// step as it was at its start; the torque of its row is corrected along c, so that it does no work either.
// With forces at the end of the step rows tie the velocities there.
//
// n and r halfway follow a turn of the end by about one half: the matrix is exact but for what is of third
// order in the step.
#include "method/affine/equations.h"

// The body whose rows count, with its motion over the step in the place of velocities.
static rigid body_of(const affine_system* a, const affine_stage* stage, int i)
{
    const int node = a->s->model->bodies[i].node;
    const affine_body* b = &a->body[node];
    const rigid* at = &a->force_bodies[i];
    rigid out = a->s->bodies[i];
    if (stage->phi == 0.5) {
        out.c = at->c;
        out.R = tml__affine_polar(at->R);
        out.v = b->move;
        out.omega = tml__affine_cayley(b);
        return out;
    }
    const double span = affine_rate_of(stage).span;
    out.v = v3_scale(span, at->v);
    out.omega = v3_scale(span, at->omega);
    return out;
}

// How that motion's turning follows the end, transposed and applied: c for a mean, else span omega.
static vec3 lever_of(const affine_system* a, const affine_stage* stage, int node, vec3 t)
{
    const affine_body* b = &a->body[node];
    if (stage->phi != 0.5) {
        const mat3 turn = m3_mul_bt(b->R_end, tml__affine_past(b, stage));
        return v3_scale(0.5, m3_apply_t(affine_lever(turn), t));
    }
    // c = 2 tau(Q) / (1 + tr Q) with d tau = (tr Q I - Q) w and d tr Q = -tau . w
    const mat3 Q = m3_mul_bt(b->R_end, b->R);
    const double size = 1.0 + Q.m[0][0] + Q.m[1][1] + Q.m[2][2];
    const vec3 tau = affine_tau(Q);
    const vec3 by = m3_apply_t(affine_lever(Q), t);
    return v3_scale(2.0 / size, v3_axpy(by, v3_dot(tau, t) / size, tau));
}

// The correction of a height's torque, along the turn.
static vec3 correct(const tie_row* t, const rigid* body, double change)
{
    const double turn = v3_dot(body->omega, body->omega);
    if (!(turn > 1e-24)) return v3_zero();  // < 1e-12 rad: nothing is left to correct
    return v3_scale((change - tie_rate(t, body)) / turn, body->omega);
}

double tml__affine_tie_rows(affine_system* a, const affine_stage* stage)
{
    maximal_system* s = a->s;
    double largest = 0.0;
    int at = 0;
    for (int i = 0; i < s->model->all.nonholonomic_count; i++) {
        const nonholonomic_data* tie = &s->model->nonholonomics[i];
        const int count = tml__nonholonomic_rows(tie);
        if (s->model->bodies[tie->body].node < 0) {
            for (int k = 0; k < count; k++) s->C[s->first_tie + at++] = 0.0;
            continue;
        }
        const rigid body = body_of(a, stage, tie->body);
        tml__tie_rows(tie, &body, &a->ties[at]);
        for (int k = 0; k < count; k++, at++) {
            const tie_row* t = &a->ties[at];
            double* C = &s->C[s->first_tie + at];
            a->tie_torque[at] = v3_cross(t->r, t->n);
            if (t->is_velocity) {
                *C = tie_rate(t, &body);
                largest = tml__larger(largest, *C);
            } else if (stage->phi == 0.5) {
                const double change = *C - a->C_start[s->first_tie + at];
                a->tie_torque[at] = v3_add(a->tie_torque[at], correct(t, &body, change));
            }
        }
    }
    return largest;
}

void tml__affine_tie_forces(affine_system* a)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->tie_count; i++) {
        const int body = s->model->nonholonomics[s->tie_of[i]].body;
        const double f = a->lambda[s->first_tie + i];
        tml__affine_push(a, body, v3_scale(f, a->ties[i].n), v3_scale(f, a->tie_torque[i]));
    }
}

// ---- the matrix

// Row k of a tie: its multiplier pushes along one gradient, the end moves it along another.
static void add_tie(const joint_spots* to, int k, const double push[6], const double move[6])
{
    for (int i = 0; i < 6; i++) {
        to->Fr.at[(ptrdiff_t)k * to->Fr.stride + i] -= push[i];
        to->rF.at[(ptrdiff_t)i * to->rF.stride + k] += move[i];
    }
}

static void store6(double out[6], vec3 n, vec3 t)
{
    v3_store(out, n);
    v3_store(out + 3, t);
}

static bool is_off(const affine_system* a, int body, int row)
{
    return a->s->model->bodies[body].node < 0 || a->is_dropped[row];
}

void tml__affine_tie_blocks(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->tie_count; i++) {
        const nonholonomic_data* tie = &s->model->nonholonomics[s->tie_of[i]];
        const joint_spots* to = &a->tie_spots[s->tie_of[i]];
        const int row = s->first_tie + i;
        const int k = a->row_first[row] - a->node_first[a->tie_node[s->tie_of[i]]];
        if (is_off(a, tie->body, row)) {
            to->rr.at[(ptrdiff_t)k * to->rr.stride + k] += 1.0;
            continue;
        }
        const tie_row* t = &a->ties[i];
        const double share = stage->phi == 0.5 ? 0.5 : 1.0;
        double push[6];
        double move[6];
        store6(push, t->n, a->tie_torque[i]);
        if (t->is_velocity) {
            const rigid body = body_of(a, stage, tie->body);
            const vec3 slope = tml__tie_rate_slope(t, &body);
            const vec3 lever =
                lever_of(a, stage, s->model->bodies[tie->body].node, v3_cross(t->r, t->n));
            store6(move, t->n, v3_axpy(lever, share, slope));
        } else {
            store6(move, s->ties[i].n, v3_cross(s->ties[i].r, s->ties[i].n));
        }
        add_tie(to, k, push, move);
        const tie_bend bend = tml__tie_bend(t);
        const double f = -stage->beta * share * a->lambda[row];
        tml__affine_add3(to->FF, 0, 3, f, bend.force);
        tml__affine_add3(to->FF, 3, 3, f, bend.torque);
    }
}

void tml__affine_tie_mass(affine_system* a)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->tie_count; i++) {
        const int tie = s->tie_of[i];
        const int row = s->first_tie + i;
        const joint_spots* to = &a->tie_spots[tie];
        const int k = a->row_first[row] - a->node_first[a->tie_node[tie]];
        if (is_off(a, s->model->nonholonomics[tie].body, row)) {
            to->rr.at[(ptrdiff_t)k * to->rr.stride + k] += 1.0;
            continue;
        }
        double g[6];
        store6(g, s->ties[i].n, v3_cross(s->ties[i].r, s->ties[i].n));
        add_tie(to, k, g, g);
    }
}
