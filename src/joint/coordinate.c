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
//
// A measure of a bound b is S cos b - C sin b = r sin(angle - b), for r2 (S - sin b)/cos b.
#include "joint/coordinate.h"

#include <string.h>

typedef angle_term term;

static int position_of(const joint_data* j, tml_axis axis)
{
    const int letter = (int)axis % 3;
    int position = 0;
    while (j->turn[position] != letter) position++;
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

// The bound that a measure is of.
static double bound_of(const joint_data* j, tml_axis axis)
{
    const axis_data* a = &j->axis[TML_AXIS_RX + (int)axis % 3];
    return (int)axis < MEASURE_UPPER ? a->lower : a->upper;
}

int tml__angle_terms(const joint_data* j, tml_axis axis, angle_term out[4], angle_law* law)
{
    if (tml__is_dot((int)axis)) {
        const int dot = (int)axis - DOT_FIRST;
        out[0] = (angle_term){dot / 3, dot % 3, 1.0, 0.0};
        *law = LAW_SUM;
        return 1;
    }
    const int position = position_of(j, axis);
    const int count = angle_terms(j, position, out);
    *law = is_middle(j, position) ? LAW_ASIN : LAW_DIRECTION;
    if ((int)axis < TML_AXES) return count;
    const double b = bound_of(j, axis);
    for (int m = 0; m < count; m++) {
        out[m].s = *law == LAW_ASIN ? out[m].s / tml__cos(b)
                                    : out[m].s * tml__cos(b) - out[m].c * tml__sin(b);
        out[m].c = 0.0;
    }
    *law = LAW_SUM;
    return count;
}

static double value_of(const joint_data* j, tml_axis axis, angle_law law, double S, double C,
                       double hint)
{
    if (law == LAW_SUM) {
        if (tml__is_dot((int)axis) || !is_middle(j, position_of(j, axis))) return S;
        return S - tml__sin(bound_of(j, axis)) / tml__cos(bound_of(j, axis));
    }
    return nearest_turn(law == LAW_ASIN ? tml__asin(S) : tml__atan2(S, C), hint);
}

static void angle(const joint_data* j, tml_axis axis, const marker* F, const marker* B, double hint,
                  coordinate_value* out)
{
    term t[4];
    angle_law law;
    const int count = tml__angle_terms(j, axis, t, &law);
    double S = 0.0;
    double C = 0.0;

    for (int m = 0; m < count; m++) {
        const atom a = {.kind = ATOM_DOT, .f = t[m].follower, .b = t[m].base, .sign = 1.0};
        out->atom[m] = tml__atom_eval(&a, F, B, 0.0);
        S += t[m].s * out->atom[m].C;
        C += t[m].c * out->atom[m].C;
    }
    out->count = count;
    out->value = value_of(j, axis, law, S, C, hint);
    if (law == LAW_SUM) {
        for (int m = 0; m < count; m++) out->weight[m] = t[m].s;
        memset(out->cross, 0, sizeof out->cross);
    } else if (law == LAW_ASIN) {
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
    angle(j, axis, F, B, hint, out);
}

double tml__coordinate_value(const joint_data* j, tml_axis axis, const marker* F, const marker* B,
                             double hint)
{
    if ((int)axis < 3) return v3_dot(B->axis[axis], v3_sub(F->point, B->point));

    term t[4];
    angle_law law;
    const int count = tml__angle_terms(j, axis, t, &law);
    double S = 0.0;
    double C = 0.0;
    for (int m = 0; m < count; m++) {
        const double value = v3_dot(B->axis[t[m].base], F->axis[t[m].follower]);
        S += t[m].s * value;
        C += t[m].c * value;
    }
    return value_of(j, axis, law, S, C, hint);
}

// ---- over a step

// The mean slope of an angle between (S, C) and (S1, C1), by S and by C, and its derivative by S1
// and C1. With d the angle between the two directions and r, r1 their lengths,
//     d = w_S (S1 - S) + w_C (C1 - C),   w_S = k (C + C1)/2,  w_C = -k (S + S1)/2,
//     k = (d / sin d) / (r r1),   for  C S1 - S C1 = r r1 sin d.
typedef struct mean_slope {
    double turn;  // d
    double w[2];
    double slope[2][2];
} mean_slope;

static mean_slope slope_of_direction(double S, double C, double S1, double C1)
{
    const double cross = C * S1 - S * C1;
    const double d = tml__atan2(cross, C * C1 + S * S1);
    const double r2 = S1 * S1 + C1 * C1;
    const double product = sqrt((S * S + C * C) * r2);
    const double sine = tml__sin(d);
    // |d| < 1e-4: the series of d / sin d and of its derivative, exact to the last bit
    const bool is_small = fabs(d) < 1e-4;
    const double g = is_small ? 1.0 + d * d / 6.0 : d / sine;
    const double g1 = is_small ? d / 3.0 : (1.0 - g * tml__cos(d)) / sine;
    const double k = g / product;
    const double k_S = (g1 * C1 / r2 - g * S1 / r2) / product;
    const double k_C = (-g1 * S1 / r2 - g * C1 / r2) / product;
    const double mean_C = 0.5 * (C + C1);
    const double mean_S = 0.5 * (S + S1);

    return (mean_slope){
        .turn = d,
        .w = {k * mean_C, -k * mean_S},
        .slope = {{k_S * mean_C, k_C * mean_C + 0.5 * k}, {-k_S * mean_S - 0.5 * k, -k_C * mean_S}},
    };
}

// The same for asin(S): a divided difference. Below 1e-4 its value at the middle and the
// correction of second order, both exact to rounding.
static mean_slope slope_of_asin(double S, double S1)
{
    const double step = S1 - S;
    const double middle = 0.5 * (S + S1);
    const double rest = (1.0 - middle) * (1.0 + middle);
    const double cosine = sqrt(rest);
    mean_slope out = {.turn = tml__asin(S1) - tml__asin(S)};

    if (fabs(step) < 1e-4 * rest) {
        const double curve = (1.0 + 2.0 * middle * middle) / (24.0 * rest * rest * cosine);
        out.w[0] = 1.0 / cosine + curve * step * step;
        out.slope[0][0] = 0.5 * middle / (rest * cosine) + 2.0 * curve * step;
    } else {
        out.w[0] = out.turn / step;
        out.slope[0][0] = (1.0 / sqrt((1.0 - S1) * (1.0 + S1)) - out.w[0]) / step;
    }
    return out;
}

static void sums(const term* t, int count, const marker_pair* at, double* S, double* C)
{
    *S = 0.0;
    *C = 0.0;
    for (int m = 0; m < count; m++) {
        const double value = v3_dot(at->B->axis[t[m].base], at->F->axis[t[m].follower]);
        *S += t[m].s * value;
        *C += t[m].c * value;
    }
}

void tml__coordinate_step(const joint_data* j, tml_axis axis, const marker_pair at[3], double hint,
                          coordinate_step* out)
{
    tml__coordinate_eval(j, axis, at[1].F, at[1].B, hint, &out->middle);
    out->start = tml__coordinate_value(j, axis, at[0].F, at[0].B, hint);
    if ((int)axis < 3) {
        tml__coordinate_eval(j, axis, at[2].F, at[2].B, hint, &out->last);
        out->end = out->last.value;
        return;
    }
    term t[4];
    angle_law law;
    const int count = tml__angle_terms(j, axis, t, &law);
    double S, C, S1, C1;
    sums(t, count, &at[0], &S, &C);
    sums(t, count, &at[2], &S1, &C1);
    if (law == LAW_SUM) {  // linear: the slopes are the same everywhere
        out->end = out->start + (S1 - S);
        tml__coordinate_eval(j, axis, at[2].F, at[2].B, out->end, &out->last);
        return;
    }
    const mean_slope mean =
        law == LAW_ASIN ? slope_of_asin(S, S1) : slope_of_direction(S, C, S1, C1);

    out->end = out->start + mean.turn;
    tml__coordinate_eval(j, axis, at[2].F, at[2].B, out->end, &out->last);
    for (int m = 0; m < count; m++) {
        const double by_S = mean.slope[0][0] * t[m].s + mean.slope[1][0] * t[m].c;
        const double by_C = mean.slope[0][1] * t[m].s + mean.slope[1][1] * t[m].c;
        out->middle.weight[m] = mean.w[0] * t[m].s + mean.w[1] * t[m].c;
        for (int n = 0; n < count; n++) out->middle.cross[m][n] = by_S * t[n].s + by_C * t[n].c;
    }
}
