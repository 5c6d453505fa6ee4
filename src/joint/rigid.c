// joint/rigid.c - carrying rows and coordinates from markers to rigid bodies.
//
//   in the notes   here      meaning, world coordinates
//   r_F            r_F       R_F x_F
//   m_B            arm_B     r_F + c_F - c_B: the base feels forces at the follower's point
//   n, lambda n    b, force  gap axis, and the sum of gap forces
//   u, w           f, b      the two axes of a dot
#include "joint/rigid.h"

void tml__joint_frame(const joint_data* j, const joint_turn* turn, const rigid* F, const rigid* B,
                      joint_frame* out)
{
    out->r_F = m3_apply(F->R, j->point_F);
    out->r_B = m3_apply(B->R, j->point_B);
    out->F.point = v3_add(F->c, out->r_F);
    out->B.point = v3_add(B->c, out->r_B);
    out->arm_B = v3_sub(out->F.point, B->c);

    const mat3 axes_F = m3_mul(F->R, j->axes_F);
    const mat3 axes_B = m3_mul(B->R, j->axes_B);
    for (int k = 0; k < 3; k++) {
        out->F.axis[k] = m3_column(axes_F, k);
        out->B.axis[k] = m3_column(axes_B, k);
    }
    out->F_turned = turn->has_follower ? marker_turn(&out->F, &turn->follower) : out->F;
    out->B_turned = turn->has_base ? marker_turn(&out->B, &turn->base) : out->B;
}

// The wrench of an atom's gradient about the centres of mass.  [COOK (289)] [QRBD (17) (18) (20)]
// A gap pulls at points and at an axis of the base,
static inline rigid_gradient pull_gap(const joint_frame* frame, const atom_value* a)
{
    return (rigid_gradient){
        .n = a->point_F,
        .t_F = v3_cross(frame->r_F, a->point_F),
        .t_B = v3_add(v3_cross(frame->r_B, a->point_B), v3_cross(a->b, a->axis_B)),
    };
}

// and a dot turns two axes.
static inline rigid_gradient pull_dot(const atom_value* a)
{
    return (rigid_gradient){
        .n = v3_zero(),
        .t_F = v3_cross(a->f, a->axis_F),
        .t_B = v3_cross(a->b, a->axis_B),
    };
}

static rigid_gradient pull_coordinate(const joint_frame* frame, tml_axis axis,
                                      const coordinate_value* s)
{
    rigid_gradient g = {.n = v3_zero()};
    for (int m = 0; m < s->count; m++) {
        const rigid_gradient one =
            (int)axis < 3 ? pull_gap(frame, &s->atom[m]) : pull_dot(&s->atom[m]);
        g.n = v3_axpy(g.n, s->weight[m], one.n);
        g.t_F = v3_axpy(g.t_F, s->weight[m], one.t_F);
        g.t_B = v3_axpy(g.t_B, s->weight[m], one.t_B);
    }
    return g;
}

static inline void eval_row(const joint_data* j, const joint_row* row, const joint_frame* frame,
                            const drive* target, row_value* out)
{
    if (row->kind == ROW_GAP) {
        const atom_value a = atom_gap(frame->B.axis[row->a.b], &frame->F, &frame->B, target->value);
        out->C = a.C;
        out->g = pull_gap(frame, &a);
    } else if (row->kind == ROW_DOT) {
        const atom_value a =
            atom_dot(frame->F_turned.axis[row->a.f], frame->B_turned.axis[row->a.b], row->a.sign);
        out->C = a.C;
        out->g = pull_dot(&a);
    } else {
        // the branch nearest to the target: C is the shorter way round
        const coordinate_rigid s = tml__coordinate_rigid(j, row->axis, target->value, frame);
        out->C = s.value - target->value;
        out->g = s.g;
    }
}

row_value tml__row_eval(const joint_data* j, const joint_row* row, const joint_frame* frame,
                        const drive* target)
{
    row_value value;
    eval_row(j, row, frame, target, &value);
    return value;
}

void tml__rows_eval(const joint_data* j, const joint_rows* rows, const joint_frame* frame,
                    const drive targets[TML_AXES], double* C, rigid_gradient* g)
{
    for (int r = 0; r < rows->count; r++) {
        row_value value;
        eval_row(j, &rows->row[r], frame, &targets[rows->row[r].axis], &value);
        C[r] = value.C;
        g[r] = value.g;
    }
}

double tml__joint_consistency(const joint_rows* rows, const joint_frame* frame)
{
    double least = 1.0;
    for (int a = 0; a < 3; a++) {
        if (!rows->is_consistent[a]) continue;
        const double value = v3_dot(frame->F_turned.axis[a], frame->B_turned.axis[a]);
        least = tml__smaller(least, value);
    }
    return least;
}

coordinate_rigid tml__coordinate_rigid(const joint_data* j, tml_axis axis, double hint,
                                       const joint_frame* frame)
{
    coordinate_value s;
    tml__coordinate_eval(j, axis, &frame->F, &frame->B, hint, &s);
    return (coordinate_rigid){.value = s.value, .g = pull_coordinate(frame, axis, &s)};
}

// ---- second derivatives

// d(lambda f x b) with f turning with the follower and b with the base.
static void bend_dot(vec3 f, vec3 b, double lambda, rigid_bend* bend)
{
    bend->D_F = m3_add(bend->D_F, m3_scale(lambda, m3_skew_skew(b, f)));
    bend->D_B = m3_sub(bend->D_B, m3_scale(lambda, m3_skew_skew(f, b)));
}

void tml__bend_coordinate(const joint_data* j, tml_axis axis, double hint, const joint_frame* frame,
                          double force, rigid_bend* bend)
{
    coordinate_value s;
    tml__coordinate_eval(j, axis, &frame->F, &frame->B, hint, &s);
    if ((int)axis < 3) {
        bend->force = v3_axpy(bend->force, force, s.atom[0].b);
        return;
    }
    vec3 torque[4];
    for (int m = 0; m < s.count; m++) {
        torque[m] = v3_cross(s.atom[m].f, s.atom[m].b);
        bend_dot(s.atom[m].f, s.atom[m].b, force * s.weight[m], bend);
    }
    for (int m = 0; m < s.count; m++) {
        for (int n = 0; n < s.count; n++) {
            const mat3 outer = m3_scale(force * s.cross[m][n], m3_outer(torque[m], torque[n]));
            bend->D_F = m3_add(bend->D_F, outer);
            bend->D_B = m3_sub(bend->D_B, outer);
        }
    }
}

void tml__bend_row(const joint_data* j, const joint_row* row, const joint_frame* frame,
                   const drive* target, double lambda, rigid_bend* bend)
{
    switch (row->kind) {
    case ROW_GAP: bend->force = v3_axpy(bend->force, lambda, frame->B.axis[row->a.b]); break;
    case ROW_DOT:
        bend_dot(frame->F_turned.axis[row->a.f], frame->B_turned.axis[row->a.b],
                 row->a.sign * lambda, bend);
        break;
    case ROW_ANGLE: tml__bend_coordinate(j, row->axis, target->value, frame, lambda, bend); break;
    }
}

// Add a 3 x 3 matrix into a 6 x 6 block at (row, column).
static void add3(double* block, int row, int column, double scale, mat3 a)
{
    if (block == NULL) return;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) block[(row + i) * 6 + column + k] += scale * a.m[i][k];
    }
}

// The blocks of the notes, section 3, with lambda n summed to one force.
//   f_F: -[f] dphi_B          t_F: ([f][r_F] + D_F) dphi_F + (-[r_F][f] + D_B) dphi_B
//   f_B = -f_F                t_B: [f] (dc_F - dc_B) - ([f][r_F] + D_F) dphi_F
//                                  + ([m_B][f] - D_B) dphi_B
void tml__bend_blocks(const joint_frame* frame, const rigid_bend* bend, double scale, double* FF,
                      double* FB, double* BF, double* BB)
{
    const vec3 f = bend->force;
    const mat3 skew = m3_skew(f);
    const mat3 t_F = m3_add(m3_skew_skew(f, frame->r_F), bend->D_F);
    const mat3 t_FB = m3_sub(bend->D_B, m3_skew_skew(frame->r_F, f));
    const mat3 t_BB = m3_sub(m3_skew_skew(frame->arm_B, f), bend->D_B);

    add3(FF, 3, 3, scale, t_F);
    add3(FB, 0, 3, -scale, skew);
    add3(FB, 3, 3, scale, t_FB);
    add3(BF, 3, 0, scale, skew);
    add3(BF, 3, 3, -scale, t_F);
    add3(BB, 0, 3, scale, skew);
    add3(BB, 3, 0, -scale, skew);
    add3(BB, 3, 3, scale, t_BB);
}

double tml__bend_velocity(const joint_frame* frame, const rigid_bend* bend, const rigid* F,
                          const rigid* B)
{
    const vec3 f = bend->force;
    const vec3 f_F = v3_neg(v3_cross(f, B->omega));
    const vec3 fr = v3_cross(f, v3_cross(frame->r_F, F->omega));
    const vec3 t_F = v3_add(fr, m3_apply(bend->D_F, F->omega));
    const vec3 t_FB =
        v3_sub(m3_apply(bend->D_B, B->omega), v3_cross(frame->r_F, v3_cross(f, B->omega)));
    const vec3 t_BB =
        v3_sub(v3_cross(frame->arm_B, v3_cross(f, B->omega)), m3_apply(bend->D_B, B->omega));
    const vec3 t_B = v3_add(v3_cross(f, v3_sub(F->v, B->v)), v3_sub(t_BB, t_F));

    return v3_dot(f_F, v3_sub(F->v, B->v)) + v3_dot(v3_add(t_F, t_FB), F->omega) +
           v3_dot(t_B, B->omega);
}

// ---- rows in motion

static vec3 combine(const marker* m, vec3 a)
{
    vec3 sum = v3_scale(a.x, m->axis[0]);
    sum = v3_axpy(sum, a.y, m->axis[1]);
    return v3_axpy(sum, a.z, m->axis[2]);
}

// C = b . d - p, with b fixed to the base: second derivative at zero accelerations.
static row_motion gap_motion(int axis, const joint_frame* frame, const rigid* F, const rigid* B,
                             const drive* target)
{
    const vec3 b = frame->B.axis[axis];
    const vec3 b1 = v3_cross(B->omega, b);
    const vec3 b2 = v3_cross(B->omega, b1);
    const vec3 d = v3_sub(frame->F.point, frame->B.point);
    const vec3 u_F = v3_cross(F->omega, frame->r_F);
    const vec3 u_B = v3_cross(B->omega, frame->r_B);
    const vec3 d1 = v3_sub(v3_add(F->v, u_F), v3_add(B->v, u_B));
    const vec3 d2 = v3_sub(v3_cross(F->omega, u_F), v3_cross(B->omega, u_B));

    return (row_motion){
        .rate = -target->rate,
        .bias = v3_dot(b2, d) + 2.0 * v3_dot(b1, d1) + v3_dot(b, d2) - target->acceleration,
    };
}

// C = s f . b, where f turns with the follower less the follower's target spin, and b with the
// base plus the base's target spin.
static row_motion dot_motion(const joint_row* row, const joint_turn* turn, const joint_frame* frame,
                             const rigid* F, const rigid* B)
{
    const vec3 f = frame->F_turned.axis[row->a.f];
    const vec3 b = frame->B_turned.axis[row->a.b];
    const double s = row->a.sign;
    const vec3 own_F = v3_neg(combine(&frame->F_turned, turn->follower_spin));
    const vec3 own_B = combine(&frame->B, turn->base_spin);
    const vec3 omega_f = v3_add(F->omega, own_F);
    const vec3 omega_b = v3_add(B->omega, own_B);

    // angular accelerations of the turned axes that the targets and the frames' turning make
    const vec3 alpha_f =
        v3_sub(v3_cross(omega_f, own_F), combine(&frame->F_turned, turn->follower_change));
    const vec3 alpha_b = v3_add(v3_cross(B->omega, own_B), combine(&frame->B, turn->base_change));

    const vec3 normal = v3_cross(f, b);
    const vec3 moving =
        v3_add(v3_cross(v3_cross(omega_f, f), b), v3_cross(f, v3_cross(omega_b, b)));
    return (row_motion){
        .rate = s * v3_dot(normal, v3_sub(own_F, own_B)),
        .bias = s * (v3_dot(moving, v3_sub(omega_f, omega_b)) +
                     v3_dot(normal, v3_sub(alpha_f, alpha_b))),
    };
}

row_motion tml__row_motion(const joint_data* j, const joint_row* row, const joint_turn* turn,
                           const joint_frame* frame, const rigid* F, const rigid* B,
                           const drive* target)
{
    if (row->kind == ROW_GAP) return gap_motion(row->a.b, frame, F, B, target);
    if (row->kind == ROW_DOT) return dot_motion(row, turn, frame, F, B);

    rigid_bend bend = {.force = v3_zero()};
    tml__bend_coordinate(j, row->axis, target->value, frame, 1.0, &bend);
    return (row_motion){
        .rate = -target->rate,
        .bias = tml__bend_velocity(frame, &bend, F, B) - target->acceleration,
    };
}

void tml__drives_eval(const tml_model* m, double t, const drive* given, drives* out)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            drive* d = &out->axis[j * TML_AXES + k];
            const bool is_given = given != NULL && a->control_index >= 0;
            *d = is_given ? given[a->control_index] : tml__control_eval(&a->control, t);
            out->servo[j * TML_AXES + k] = tml__control_eval(&a->servo_target, t);
        }
    }
}
