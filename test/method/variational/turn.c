// test/method/variational/turn.c - the momentum of an interval against the discrete action, the
// paper's own formula and differences.
#include "method/variational/turn.h"

#include "test/difference.h"
#include "test/random.h"

static const double h = 0.3;

// The discrete action of the turn, h w.J w / 2 with the chord velocity w = 2 u / h.   [VMAX (29)]
static double action(const mat3* J, quat from, quat to)
{
    const vec3 w = v3_scale(2.0 / h, q_vec(q_mul(q_conj(from), to)));
    return 0.5 * h * v3_dot(w, m3_apply(*J, w));
}

static quat turned(quat q, int axis, double amount)
{
    return q_turn(q, v3_scale(amount, v3_unit(axis)));
}

static quat next_of(quat q, random_source* r) { return q_turn(q, random_vec3(r, 0.5)); }

TEST(the_momentum_is_the_slope_of_the_discrete_action_at_both_ends)  // [VMAX (26) (33)]
{
    random_source r = random_start(51);
    for (int trial = 0; trial < 50; trial++) {
        const mat3 J = random_inertia(&r);
        const quat from = random_quat(&r);
        const quat to = next_of(from, &r);
        const double e = 0x1p-8;
        slope end = {0};
        slope start = {0};
        var_turn turn;
        tml__var_turn(&J, from, to, h, &turn);
        for (int k = 0; k < 3; k++) {
            const double momentum[3] = {turn.momentum.x, turn.momentum.y, turn.momentum.z};
            double at_end[2];
            double at_start[2];
            for (int level = 0; level < 2; level++) {
                const double d = level == 0 ? e : 0.5 * e;
                at_end[level] =
                    (action(&J, from, turned(to, k, d)) - action(&J, from, turned(to, k, -d))) /
                    (2.0 * d);
                at_start[level] =
                    (action(&J, turned(from, k, d), to) - action(&J, turned(from, k, -d), to)) /
                    (2.0 * d);
            }
            slope_add(&end, momentum[k], at_end[0], at_end[1]);
            slope_add(&start, -momentum[k], at_start[0], at_start[1]);
        }
        // actions of order 10: 1e-15 / e of rounding; e^4 / 480 times derivatives of order 1e3
        CHECK_SLOPE("end", &end, 1e-12, 1e-9);
        CHECK_SLOPE("start", &start, 1e-12, 1e-9);
    }
}

// (h / 2) (sqrt(4 / h^2 - w.w) J w +- w x J w), each in the body axes of its own end.
TEST(the_momentum_is_the_papers_at_both_ends)  // [VMAX (32) (33)]
{
    random_source r = random_start(52);
    for (int trial = 0; trial < 200; trial++) {
        const mat3 J = random_inertia(&r);
        const quat from = random_quat(&r);
        const quat to = next_of(from, &r);
        var_turn turn;
        tml__var_turn(&J, from, to, h, &turn);

        const vec3 w = m3_apply_t(q_matrix(from), turn.omega);
        const double root = sqrt(4.0 / (h * h) - v3_dot(w, w));
        const vec3 Jw = m3_apply(J, w);
        const vec3 plus = v3_scale(0.5 * h, v3_add(v3_scale(root, Jw), v3_cross(w, Jw)));
        const vec3 minus = v3_scale(0.5 * h, v3_sub(v3_scale(root, Jw), v3_cross(w, Jw)));
        // momenta of order 10 and a dozen roundings
        CHECK_NEAR(v3_norm(v3_sub(q_rotate(from, plus), turn.momentum)), 0.0, 1e-13);
        CHECK_NEAR(v3_norm(v3_sub(q_rotate(to, minus), turn.momentum)), 0.0, 1e-13);

        // q and -q are one pose
        var_turn other;
        tml__var_turn(&J, from, q_scale(-1.0, to), h, &other);
        CHECK(v3_norm(v3_sub(other.momentum, turn.momentum)) == 0.0);
        CHECK(v3_norm(v3_sub(other.omega, turn.omega)) == 0.0);
    }
}

static void add_vector(slope* s, vec3 exact, vec3 plus[2], vec3 minus[2], double e)
{
    const vec3 coarse = v3_scale(0.5 / e, v3_sub(plus[0], minus[0]));
    const vec3 fine = v3_scale(1.0 / e, v3_sub(plus[1], minus[1]));
    slope_add(s, exact.x, coarse.x, fine.x);
    slope_add(s, exact.y, coarse.y, fine.y);
    slope_add(s, exact.z, coarse.z, fine.z);
}

TEST(the_derivatives_of_a_turn_match_differences)  // [VMAX (38)]
{
    random_source r = random_start(53);
    for (int trial = 0; trial < 50; trial++) {
        const mat3 J = random_inertia(&r);
        const quat from = random_quat(&r);
        const quat to = next_of(from, &r);
        const double e = 0x1p-8;
        slope K = {0};
        slope W = {0};
        slope T = {0};
        var_turn turn;
        tml__var_turn(&J, from, to, h, &turn);
        for (int k = 0; k < 3; k++) {
            vec3 plus[3][2];
            vec3 minus[3][2];
            for (int level = 0; level < 2; level++) {
                const double d = level == 0 ? e : 0.5 * e;
                var_turn a;
                var_turn b;
                tml__var_turn(&J, from, turned(to, k, d), h, &a);
                tml__var_turn(&J, from, turned(to, k, -d), h, &b);
                plus[0][level] = a.momentum;
                minus[0][level] = b.momentum;
                plus[1][level] = a.omega;
                minus[1][level] = b.omega;
                plus[2][level] = a.t;
                minus[2][level] = b.t;
            }
            add_vector(&K, m3_column(turn.K, k), plus[0], minus[0], e);
            add_vector(&W, m3_column(turn.W, k), plus[1], minus[1], e);
            add_vector(&T, m3_column(turn.T, k), plus[2], minus[2], e);
        }
        // values of order 10: 1e-15 / e of rounding; e^4 / 480 times derivatives of order 1e2
        CHECK_SLOPE("momentum", &K, 1e-12, 1e-9);
        CHECK_SLOPE("omega", &W, 1e-12, 1e-9);
        CHECK_SLOPE("t", &T, 1e-12, 1e-9);
    }
}

// The middle is the half of the turn, and moves with the ends as step.c says.
TEST(t_tells_how_the_middle_follows_the_ends)
{
    random_source r = random_start(54);
    for (int trial = 0; trial < 50; trial++) {
        const mat3 J = random_inertia(&r);
        const quat from = random_quat(&r);
        const quat to = next_of(from, &r);
        const double e = 0x1p-9;
        var_turn turn;
        tml__var_turn(&J, from, to, h, &turn);
        const quat middle = q_normalize(q_add(from, to));
        slope start = {0};
        slope end = {0};
        for (int k = 0; k < 3; k++) {
            vec3 plus[2][2];
            vec3 minus[2][2];
            for (int level = 0; level < 2; level++) {
                const double d = level == 0 ? e : 0.5 * e;
                // the turn from the middle to where it goes, as a rotation vector to third order
                plus[0][level] =
                    v3_scale(2.0, q_G(middle, q_normalize(q_add(turned(from, k, d), to))));
                minus[0][level] =
                    v3_scale(2.0, q_G(middle, q_normalize(q_add(turned(from, k, -d), to))));
                plus[1][level] =
                    v3_scale(2.0, q_G(middle, q_normalize(q_add(from, turned(to, k, d)))));
                minus[1][level] =
                    v3_scale(2.0, q_G(middle, q_normalize(q_add(from, turned(to, k, -d)))));
            }
            const vec3 unit = v3_unit(k);
            const vec3 lever = v3_cross(turn.t, unit);
            add_vector(&start, v3_scale(0.5, v3_add(unit, lever)), plus[0], minus[0], e);
            add_vector(&end, v3_scale(0.5, v3_sub(unit, lever)), plus[1], minus[1], e);
        }
        CHECK_SLOPE("start", &start, 1e-13, 1e-11);  // 1e-16 / e; e^4 / 480
        CHECK_SLOPE("end", &end, 1e-13, 1e-11);
    }
}
