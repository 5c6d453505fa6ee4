// joint/rows.c - from what a joint leaves free and what is driven to its rows.   [QRBD Tab 3 Tab 7]
//
// With (i, j, k) the joint's letters completed to all three axes and p their parity, f_a and b_a
// the turned axes of follower and base:
//
//   free letters   held about          driven about
//   none           x: f_y.b_z  y: f_z.b_x  z: f_x.b_y
//   i              j: -f_i.b_k  k: f_i.b_j      i: f_j.b_k
//   i j            k: -p f_j.b_i                i: p f_j.b_k   j: p f_k.b_i
//   i j k          all driven: as none; one or two driven: the angle itself
//
// The sign makes a positive multiplier a positive torque about the axis on the follower. The
// two-letter rows follow the corrected table of the notes: the paper's C1 is misprinted.
#include "joint/rows.h"

static void add(joint_rows* out, row_kind kind, int axis, atom a)
{
    out->row[out->count++] = (joint_row){.kind = kind, .axis = (tml_axis)axis, .a = a};
}

static void add_dot(joint_rows* out, int about, int f, int b, double sign)
{
    add(out, ROW_DOT, 3 + about, (atom){.kind = ATOM_DOT, .f = f, .b = b, .sign = sign});
}

static bool is_driven(const joint_data* j, int letter)
{
    return j->axis[3 + letter].is_free && j->axis[3 + letter].actuation == TML_POSITION;
}

static void hold_all(joint_rows* out)
{
    for (int a = 0; a < 3; a++) {
        add_dot(out, a, (a + 1) % 3, (a + 2) % 3, 1.0);
        out->is_consistent[a] = true;
    }
}

static void one_letter(const joint_data* j, joint_rows* out)
{
    const int i = j->turn[0];
    const int m = j->turn[1];
    const int k = j->turn[2];

    out->is_consistent[i] = true;
    add_dot(out, m, i, k, -1.0);
    add_dot(out, k, i, m, 1.0);
    if (!is_driven(j, i)) return;
    out->follower_letter = i;
    out->is_consistent[m] = true;
    out->is_consistent[k] = true;
    add_dot(out, i, m, k, 1.0);
}

static void two_letters(const joint_data* j, joint_rows* out)
{
    const int i = j->turn[0];
    const int m = j->turn[1];
    const int k = j->turn[2];
    const double p = j->parity;

    add_dot(out, k, m, i, -p);
    if (is_driven(j, i)) {
        out->base_letter = i;
        out->is_consistent[m] = true;
        add_dot(out, i, m, k, p);
    }
    if (is_driven(j, m)) {
        out->follower_letter = m;
        out->is_consistent[i] = true;
        add_dot(out, m, k, i, p);
    }
    if (is_driven(j, i) && is_driven(j, m)) out->is_consistent[k] = true;
}

static void three_letters(const joint_data* j, joint_rows* out)
{
    const int driven = is_driven(j, 0) + is_driven(j, 1) + is_driven(j, 2);
    if (driven == 3) {
        out->turns_all = true;
        hold_all(out);
        return;
    }
    for (int a = 0; a < 3; a++) {
        if (is_driven(j, a)) add(out, ROW_ANGLE, 3 + a, (atom){.kind = ATOM_DOT});
    }
}

void tml__joint_rows(const joint_data* j, joint_rows* out)
{
    *out = (joint_rows){.base_letter = -1, .follower_letter = -1};

    for (int a = 0; a < 3; a++) {
        if (!j->axis[a].is_free || j->axis[a].actuation == TML_POSITION) {
            add(out, ROW_GAP, a, (atom){.kind = ATOM_GAP, .b = a});
        }
    }
    switch (j->turn_count) {
    case 0: hold_all(out); break;
    case 1: one_letter(j, out); break;
    case 2: two_letters(j, out); break;
    default: three_letters(j, out); break;
    }
}

// The rotation by the letters in order, its angular velocity and acceleration in the fixed frame.
static mat3 spin_of(const int* letters, int count, const drive* targets, vec3* spin, vec3* change)
{
    mat3 R = m3_identity();
    *spin = v3_zero();
    *change = v3_zero();
    for (int n = 0; n < count; n++) {
        const drive* d = &targets[3 + letters[n]];
        const vec3 axis = m3_column(R, letters[n]);  // of this rotation, after the earlier ones
        const vec3 own = v3_scale(d->rate, axis);

        *change = v3_add(*change, v3_axpy(v3_cross(*spin, own), d->acceleration, axis));
        *spin = v3_add(*spin, own);
        R = m3_mul(R, q_matrix(q_about(letters[n], d->value)));
    }
    return R;
}

void tml__joint_turn(const joint_data* j, const joint_rows* rows, const drive targets[TML_AXES],
                     joint_turn* out)
{
    *out = (joint_turn){.has_base = rows->base_letter >= 0,
                        .has_follower = rows->follower_letter >= 0 || rows->turns_all};
    if (out->has_base) {
        out->base = spin_of(&rows->base_letter, 1, targets, &out->base_spin, &out->base_change);
    }
    if (!out->has_follower) return;

    // F' = F T^T, so its axes lag behind the follower by T's own spin
    const int count = rows->turns_all ? 3 : 1;
    const int* letters = rows->turns_all ? j->turn : &rows->follower_letter;
    const mat3 T = spin_of(letters, count, targets, &out->follower_spin, &out->follower_change);
    out->follower = m3_transpose(T);
}
