// test/method/generalized/dynamics.c - the recursions against each other, against the mass matrix, and
// against the same bodies in maximal coordinates.
#include "method/generalized/dynamics.h"

#include "test/method/generalized/forest.h"

enum {
    FORESTS = 40
};

// Coordinates are of order one and at most 14 bodies deep: a few hundred roundings.
static const double rounding = 1e-13;

TEST(placed_bodies_close_every_joint_of_the_tree)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        if (!forest_create(&f, salt)) return;
        for (int row = 0; row < f.system->row_count; row++) {
            CHECK_NEAR(f.system->C[row], 0.0, rounding);
        }
        CHECK(tml__maximal_consistency(f.system) > 0.99);
        forest_destroy(&f);
    }
}

TEST(rates_move_bodies_along_the_joints_and_nowhere_else)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        if (!forest_create(&f, salt)) return;
        for (int j = 0; j < f.model->all.joint_count; j++) {
            const joint_data* joint = &f.model->joints[j];
            for (int row = f.system->first_row[j]; row < f.system->first_row[j + 1]; row++) {
                const double rate =
                    rigid_rate(&f.system->gradient[row], &f.system->bodies[joint->follower],
                               &f.system->bodies[joint->base]);
                CHECK_NEAR(rate, 0.0, 100.0 * rounding);  // rates up to 2 in each of 6 x 14 columns
            }
        }
        forest_destroy(&f);
    }
}

TEST(position_numbers_and_rates_are_read_back)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double numbers[7 * FOREST_BODIES];
        double rates[FOREST_COLUMNS];
        if (!forest_create(&f, salt)) return;
        tml__gen_read(f.tree, f.system, numbers, rates);
        for (int i = 0; i < f.tree->link_count; i++) {
            const gen_link* link = &f.tree->links[i];
            const int count = link->kind == LINK_BALL ? 4 : link->count;
            const double* from = &f.numbers[link->number];
            // a quaternion and its negative are one rotation
            const double sign =
                link->kind == LINK_BALL && from[0] * numbers[link->number] < 0.0 ? -1.0 : 1.0;
            for (int k = 0; k < count; k++) {
                CHECK_NEAR(numbers[link->number + k], sign * from[k], 10.0 * rounding);
            }
        }
        for (int k = 0; k < f.tree->column_count; k++) {
            CHECK_NEAR(rates[k], f.rates[k], 1000.0 * rounding);
        }
        forest_destroy(&f);
    }
}

// A short move along the rates changes the numbers by their rates times the time.
TEST(number_rates_are_the_derivative_of_a_move)
{
    for (int salt = 0; salt < 8; salt++) {
        forest f;
        double rate[7 * FOREST_BODIES];
        double error[2] = {0.0, 0.0};
        if (!forest_create(&f, salt)) return;
        tml__gen_number_rates(f.tree, f.numbers, f.rates, rate);
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 2e-3 : 1e-3;
            double ahead[7 * FOREST_BODIES];
            double back[7 * FOREST_BODIES];
            tml__gen_move(f.tree, f.numbers, f.rates, h, ahead);
            tml__gen_move(f.tree, f.numbers, f.rates, -h, back);
            for (int i = 0; i < f.tree->number_count; i++) {
                const double change = (ahead[i] - back[i]) / (2.0 * h);
                error[k] = tml__larger(error[k], change - rate[i]);
            }
        }
        CHECK(error[1] < 1e-5);                              // h^2 rate^3 / 24
        CHECK(error[0] < 1e-11 || error[1] < error[0] / 3);  // falls fourfold, slides are exact
        forest_destroy(&f);
    }
}

// ---- inverse, mass matrix and forward

// Row and column of the full mass matrix.
static double mass_at(const gen_tree* t, int i, int j)
{
    if (j > i) return mass_at(t, j, i);
    for (int k = i; k >= 0; k = t->column_parent[k]) {
        if (k == j) return gen_mass_row(t, i)[t->depth[j]];
    }
    return 0.0;
}

TEST(mass_matrix_is_what_inverse_dynamics_says_column_by_column)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double bias[FOREST_COLUMNS];
        double tau[FOREST_COLUMNS];
        if (!forest_create(&f, salt)) return;
        tml__gen_mass(f.tree, NULL);
        tml__gen_inverse(f.tree, NULL, bias);
        for (int j = 0; j < f.tree->column_count; j++) {
            double unit[FOREST_COLUMNS] = {0.0};
            unit[j] = 1.0;
            tml__gen_inverse(f.tree, unit, tau);
            for (int i = 0; i < f.tree->column_count; i++) {
                // bias forces reach 1e2 N
                CHECK_NEAR(tau[i] - bias[i], mass_at(f.tree, i, j), 1e-12 * 100.0);
            }
        }
        forest_destroy(&f);
    }
}

TEST(mass_matrix_gives_the_kinetic_energy_of_the_bodies)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double kinetic = 0.0;
        double potential = 0.0;
        double sum = 0.0;
        if (!forest_create(&f, salt)) return;
        tml__gen_mass(f.tree, NULL);
        tml__maximal_energy(f.system, &kinetic, &potential);
        for (int i = 0; i < f.tree->column_count; i++) {
            for (int j = 0; j < f.tree->column_count; j++) {
                sum += 0.5 * f.rates[i] * mass_at(f.tree, i, j) * f.rates[j];
            }
        }
        CHECK_NEAR(sum, kinetic, 1e-12 * (1.0 + kinetic));
        forest_destroy(&f);
    }
}

TEST(forward_dynamics_undoes_inverse_dynamics)  // [DCON Sec III]
{
    double worst_forward = 0.0;
    double worst_factor = 0.0;
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double given[FOREST_COLUMNS];
        double tau[FOREST_COLUMNS];
        double bias[FOREST_COLUMNS];
        double a[FOREST_COLUMNS];
        if (!forest_create(&f, salt)) return;
        const int n = f.tree->column_count;
        for (int k = 0; k < n; k++) given[k] = random_between(&f.random, -5.0, 5.0);
        tml__gen_inverse(f.tree, given, tau);
        CHECK(tml__gen_forward(f.tree, NULL, tau, a, NULL) == TML_OK);
        for (int k = 0; k < n; k++) worst_forward = tml__larger(worst_forward, a[k] - given[k]);

        tml__gen_inverse(f.tree, NULL, bias);
        tml__gen_mass(f.tree, NULL);
        CHECK(tml__gen_factor(f.tree, NULL) == TML_OK);
        for (int k = 0; k < n; k++) a[k] = tau[k] - bias[k];
        tml__gen_solve(f.tree, a);
        for (int k = 0; k < n; k++) worst_factor = tml__larger(worst_factor, a[k] - given[k]);
        forest_destroy(&f);
    }
    printf("forward after inverse: articulated bodies %.1e, factor %.1e\n", worst_forward,
           worst_factor);
    // relative to accelerations of 5
    CHECK(worst_forward < 5e-12);
    CHECK(worst_factor < 5e-12);
}

TEST(an_added_diagonal_counts_alike_in_both_forward_ways)
{
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double added[FOREST_COLUMNS];
        double bias[FOREST_COLUMNS];
        double a[FOREST_COLUMNS];
        double b[FOREST_COLUMNS];
        if (!forest_create(&f, salt)) return;
        const int n = f.tree->column_count;
        for (int k = 0; k < n; k++) added[k] = random_between(&f.random, 0.0, 1.0);
        for (int i = 0; i < f.tree->link_count; i++) {
            // a positive block on the three columns of a ball: below the diagonal by half
            const gen_link* link = &f.tree->links[i];
            if (link->kind != LINK_BALL) continue;
            for (int k = 1; k < 3; k++) {
                added[link->column + k] += 1.0;
                for (int m = 0; m < k; m++) {
                    f.tree->beside[2 * (link->column + k) + m] =
                        random_between(&f.random, -0.2, 0.2);
                }
            }
        }
        tml__gen_inverse(f.tree, NULL, bias);
        CHECK(tml__gen_forward(f.tree, added, NULL, a, NULL) == TML_OK);
        tml__gen_mass(f.tree, added);
        CHECK(tml__gen_factor(f.tree, NULL) == TML_OK);
        for (int k = 0; k < n; k++) b[k] = -bias[k];
        tml__gen_solve(f.tree, b);
        for (int k = 0; k < n; k++) CHECK_NEAR(a[k], b[k], 1e-11 * (1.0 + fabs(b[k])));
        forest_destroy(&f);
    }
}

// ---- against maximal coordinates: rows, multipliers and a dense LU, nothing in common

TEST(accelerations_are_those_of_the_same_bodies_in_maximal_coordinates)
{
    double worst = 0.0;
    for (int salt = 0; salt < FORESTS; salt++) {
        forest f;
        double a[FOREST_COLUMNS];
        double maximal[6 * FOREST_BODIES];
        double lambda[6 * FOREST_BODIES];
        if (!forest_create(&f, salt)) return;
        CHECK(tml__gen_forward(f.tree, NULL, NULL, a, NULL) == TML_OK);
        CHECK(tml__maximal_accelerate(f.system, f.x, f.v, maximal, lambda) == TML_OK);
        for (int at = 0; at < f.tree->body_count; at++) {
            const int node = f.model->bodies[f.tree->bodies[at].body].node;
            const twist u = f.tree->velocity[at];
            const twist g = f.tree->acceleration[at];
            const vec3 arm = v3_sub(f.tree->c[at], f.tree->origin[at]);
            // d/dt (v + omega x arm), the origin being fixed
            const vec3 speed = v3_add(u.v, v3_cross(u.omega, arm));
            const vec3 linear =
                v3_add(v3_add(g.v, v3_cross(g.omega, arm)), v3_cross(u.omega, speed));
            for (int k = 0; k < 3; k++) {
                const double scale = 1.0 + v3_max(linear) + v3_max(g.omega);
                worst = tml__larger(worst, (v3_at(linear, k) - maximal[6 * node + k]) / scale);
                worst = tml__larger(worst, (v3_at(g.omega, k) - maximal[6 * node + 3 + k]) / scale);
            }
        }
        forest_destroy(&f);
    }
    printf("largest difference to maximal coordinates, relative: %.1e\n", worst);
    CHECK(worst < 1e-10);  // the dense LU of 150 unknowns leaves 1e-12 or so
}
