// joint/coordinate.c - translations along the base's axes and intrinsic rotation angles.
//
// Rotations are intrinsic, in the order of the letters: the relative rotation is
//     M = R_i(r1) R_j(r2) R_k(r3),      M_ab = b_a . f_b
// with b_a the axes of the base's marker and f_b those of the follower's. Each angle is the
// direction of a pair (S, C) of sums of such dots. p is the parity of (i, j, k): the formulas are
// those of (x, y, z), with the sign of every sine flipped for odd orders.
//
//   letters   angle   S                       C
//   i         r1      b_k.f_j - b_j.f_k       b_j.f_j + b_k.f_k    (p = 1 by construction)
//   i j       r1      p b_k.f_j               b_j.f_j
//             r2      p b_i.f_k               b_i.f_i
//   i j k     r1     -p b_j.f_k               b_k.f_k
//             r3     -p b_i.f_j               b_i.f_i
//             r2      asin(p b_i.f_k), between -pi/2 and pi/2
#include "joint/coordinate.h"

// One dot b_base . f_follower with its part in S and in C.
typedef struct term {
    int base, follower;
    double s, c;
} term;

static int position_of(const joint_data* j, tml_axis axis)
{
    int position = 0;
    while (j->turn[position] != (int)axis - 3) position++;
    return position;
}

// The terms of an angle; for the middle one of three only S is used. Returns how many.
static int angle_terms(const joint_data* j, int position, term out[4])
{
    const int i = j->turn[0];
    const int m = j->turn[1];
    const int k = j->turn[2];
    const double p = j->parity;

    if (j->turn_count == 1) {
        out[0] = (term){k, m, 1.0, 0.0};
        out[1] = (term){m, k, -1.0, 0.0};
        out[2] = (term){m, m, 0.0, 1.0};
        out[3] = (term){k, k, 0.0, 1.0};
        return 4;
    }
    if (j->turn_count == 2) {
        out[0] = position == 0 ? (term){k, m, p, 0.0} : (term){i, k, p, 0.0};
        out[1] = position == 0 ? (term){m, m, 0.0, 1.0} : (term){i, i, 0.0, 1.0};
        return 2;
    }
    if (position == 1) {
        out[0] = (term){i, k, p, 0.0};
        return 1;
    }
    out[0] = position == 0 ? (term){m, k, -p, 0.0} : (term){i, m, -p, 0.0};
    out[1] = position == 0 ? (term){k, k, 0.0, 1.0} : (term){i, i, 0.0, 1.0};
    return 2;
}

static double nearest_turn(double angle, double hint)
{
    const double turns = (hint - angle) / (2.0 * TML_PI);
    const double whole = floor(turns + 0.5);
    return angle + 2.0 * TML_PI * whole;
}

// First and second derivatives of atan2(S, C) over the terms.
static void direction(const term* t, int count, double S, double C, coordinate_value* out)
{
    // S^2 + C^2 = 0 only where the angle does not exist (gimbal lock): the caller sees infinities
    const double r2 = S * S + C * C;
    const double d_S = C / r2;
    const double d_C = -S / r2;
    const double d_SS = -2.0 * S * C / (r2 * r2);
    const double d_SC = (S * S - C * C) / (r2 * r2);

    for (int m = 0; m < count; m++) {
        out->weight[m] = d_S * t[m].s + d_C * t[m].c;
        for (int n = 0; n < count; n++) {
            out->cross[m][n] = d_SS * (t[m].s * t[n].s - t[m].c * t[n].c) +
                               d_SC * (t[m].s * t[n].c + t[m].c * t[n].s);
        }
    }
}

static bool is_middle(const joint_data* j, int position)
{
    return j->turn_count == 3 && position == 1;
}

static double angle_of(const joint_data* j, int position, double S, double C)
{
    return is_middle(j, position) ? tml__asin(S) : tml__atan2(S, C);
}

static void angle(const joint_data* j, int position, const marker* F, const marker* B, double hint,
                  coordinate_value* out)
{
    term t[4];
    const int count = angle_terms(j, position, t);
    double S = 0.0;
    double C = 0.0;

    for (int m = 0; m < count; m++) {
        const atom a = {.kind = ATOM_DOT, .f = t[m].follower, .b = t[m].base, .sign = 1.0};
        out->atom[m] = tml__atom_eval(&a, F, B, 0.0);
        S += t[m].s * out->atom[m].C;
        C += t[m].c * out->atom[m].C;
    }
    out->count = count;
    out->value = nearest_turn(angle_of(j, position, S, C), hint);
    if (is_middle(j, position)) {
        const double cosine = sqrt((1.0 - S) * (1.0 + S));  // 0 at gimbal lock, see above
        out->weight[0] = t[0].s / cosine;
        out->cross[0][0] = S / (cosine * cosine * cosine);
    } else {
        direction(t, count, S, C, out);
    }
}

void tml__coordinate_eval(const joint_data* j, tml_axis axis, const marker* F, const marker* B,
                          double hint, coordinate_value* out)
{
    if ((int)axis < 3) {
        const atom a = {.kind = ATOM_GAP, .b = (int)axis};
        out->count = 1;
        out->atom[0] = tml__atom_eval(&a, F, B, 0.0);
        out->weight[0] = 1.0;
        out->cross[0][0] = 0.0;
        out->value = out->atom[0].C;
        return;
    }
    angle(j, position_of(j, axis), F, B, hint, out);
}

double tml__coordinate_value(const joint_data* j, tml_axis axis, const marker* F, const marker* B,
                             double hint)
{
    if ((int)axis < 3) return v3_dot(B->axis[axis], v3_sub(F->point, B->point));

    const int position = position_of(j, axis);
    term t[4];
    const int count = angle_terms(j, position, t);
    double S = 0.0;
    double C = 0.0;
    for (int m = 0; m < count; m++) {
        const double value = v3_dot(B->axis[t[m].base], F->axis[t[m].follower]);
        S += t[m].s * value;
        C += t[m].c * value;
    }
    return nearest_turn(angle_of(j, position, S, C), hint);
}
