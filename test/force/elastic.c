// test/force/elastic.c - elastic tetrahedra: derivatives, rotations, small strains, inside out.
#include "force/elastic.h"

#include "test/check.h"
#include "test/random.h"

static const double young = 1000.0;
static const double poisson = 0.3;

static void random_rest(random_source* r, vec3 rest[4], tetrahedron* t)
{
    do {
        for (int a = 0; a < 4; a++) rest[a] = random_vec3(r, 1.0);
    } while (!tml__tetrahedron(rest, t) || t->volume < 0.05);
}

// The vertex positions as 12 numbers.
static vec3 moved(vec3 v, int k, double d)
{
    v3_set(&v, k, v3_at(v, k) + d);
    return v;
}

// Central differences at two widths h: an error of h^2 from the next derivative, of 1e-16/h from
// rounding; the smaller of the two is compared.
static double difference_error(const elastic* e, const tetrahedron* t, const vec3 x[4],
                               double* stiffness_error)
{
    vec3 force[4];
    double K[144];
    double worst = 0.0;
    double worst_K = 0.0;
    double size = 1e-3 * young;
    tml__elastic_eval(e, t, x, force, K);
    for (int i = 0; i < 144; i++) size = fabs(K[i]) > size ? fabs(K[i]) : size;
    for (int c = 0; c < 12; c++) {
        double best = 1e300;
        double best_K[12];
        for (int i = 0; i < 12; i++) best_K[i] = 1e300;
        for (int w = 0; w < 2; w++) {
            const double h = w == 0 ? 1e-4 : 1e-5;
            vec3 up[4];
            vec3 down[4];
            vec3 f_up[4];
            vec3 f_down[4];
            memcpy(up, x, sizeof up);
            memcpy(down, x, sizeof down);
            up[c / 3] = moved(up[c / 3], c % 3, h);
            down[c / 3] = moved(down[c / 3], c % 3, -h);
            const double slope =
                (tml__elastic_energy(e, t, up) - tml__elastic_energy(e, t, down)) / (2.0 * h);
            const double error = fabs(slope + v3_at(force[c / 3], c % 3)) / size;
            best = error < best ? error : best;
            tml__elastic_eval(e, t, up, f_up, NULL);
            tml__elastic_eval(e, t, down, f_down, NULL);
            for (int i = 0; i < 12; i++) {
                const double d =
                    (v3_at(f_up[i / 3], i % 3) - v3_at(f_down[i / 3], i % 3)) / (2.0 * h);
                const double off = fabs(d - K[12 * i + c]) / size;
                best_K[i] = off < best_K[i] ? off : best_K[i];
            }
        }
        worst = best > worst ? best : worst;
        for (int i = 0; i < 12; i++) worst_K = best_K[i] > worst_K ? best_K[i] : worst_K;
    }
    *stiffness_error = worst_K;
    return worst;
}

TEST(forces_and_stiffness_are_the_derivatives_of_the_energy)
{
    random_source r = random_start(21);
    for (int k = 0; k < 300; k++) {
        const elastic e = tml__elastic((tml_material)(k % TML_MATERIALS), young, poisson);
        vec3 rest[4];
        vec3 x[4];
        tetrahedron t;
        double stiffness_error = 0.0;
        random_rest(&r, rest, &t);
        const mat3 R = q_matrix(random_quat(&r));
        for (int a = 0; a < 4; a++) {
            x[a] = v3_add(m3_apply(R, rest[a]), random_vec3(&r, 0.1));
        }
        CHECK(difference_error(&e, &t, x, &stiffness_error) < 1e-7);
        CHECK(stiffness_error < 1e-6);
    }
}

TEST(the_stiffness_is_symmetric_and_shifting_meets_no_force)
{
    random_source r = random_start(22);
    for (int k = 0; k < 100; k++) {
        const elastic e = tml__elastic((tml_material)(k % TML_MATERIALS), young, poisson);
        vec3 rest[4];
        vec3 x[4];
        vec3 force[4];
        tetrahedron t;
        double K[144];
        random_rest(&r, rest, &t);
        for (int a = 0; a < 4; a++) x[a] = random_vec3(&r, 1.0);  // inside out as often as not
        tml__elastic_eval(&e, &t, x, force, K);
        double size = 0.0;
        for (int i = 0; i < 144; i++) size = fabs(K[i]) > size ? fabs(K[i]) : size;
        CHECK(isfinite(size));
        for (int i = 0; i < 12; i++) {
            double sum[3] = {0.0, 0.0, 0.0};
            for (int j = 0; j < 12; j++) {
                CHECK_NEAR(K[12 * i + j], K[12 * j + i], 1e-11 * size);
                sum[j % 3] += K[12 * i + j];
            }
            for (int c = 0; c < 3; c++) CHECK_NEAR(sum[c], 0.0, 1e-11 * size);
        }
        const vec3 total = v3_add(v3_add(force[0], force[1]), v3_add(force[2], force[3]));
        CHECK(v3_norm(total) <= 1e-11 * size);
    }
}

// Energy and forces do not care how the element is turned; the linear material does.
TEST(a_turned_element_is_at_rest_unless_it_is_linear)
{
    random_source r = random_start(23);
    for (int k = 0; k < 60; k++) {
        const elastic e = tml__elastic((tml_material)(k % TML_MATERIALS), young, poisson);
        vec3 rest[4];
        vec3 x[4];
        vec3 force[4];
        tetrahedron t;
        random_rest(&r, rest, &t);
        const mat3 R = q_matrix(random_quat(&r));
        for (int a = 0; a < 4; a++) x[a] = v3_add(m3_apply(R, rest[a]), v3(3.0, -2.0, 1.0));
        tml__elastic_eval(&e, &t, x, force, NULL);
        const double largest = v3_max(force[0]) + v3_max(force[1]) + v3_max(force[2]);
        if (e.material == TML_MATERIAL_LINEAR) {
            CHECK(largest > 1.0);
        } else {
            CHECK(largest < 1e-9 * young);
            CHECK(fabs(tml__elastic_energy(&e, &t, x)) < 1e-12 * young);
        }
        tml__elastic_eval(&e, &t, rest, force, NULL);
        CHECK(v3_max(force[0]) < 1e-11 * young);
    }
}

// At the rest shape all three have the stiffness of Hooke's law: the same matrix.
TEST(all_materials_agree_in_small_strains)
{
    random_source r = random_start(24);
    for (int k = 0; k < 50; k++) {
        vec3 rest[4];
        vec3 force[4];
        tetrahedron t;
        double K[TML_MATERIALS][144];
        random_rest(&r, rest, &t);
        for (int m = 0; m < TML_MATERIALS; m++) {
            const elastic e = tml__elastic((tml_material)m, young, poisson);
            tml__elastic_eval(&e, &t, rest, force, K[m]);
        }
        double size = 0.0;
        for (int i = 0; i < 144; i++) size = fabs(K[0][i]) > size ? fabs(K[0][i]) : size;
        for (int i = 0; i < 144; i++) {
            CHECK_NEAR(K[1][i], K[0][i], 1e-11 * size);
            CHECK_NEAR(K[2][i], K[0][i], 1e-11 * size);
        }
    }
}

// A bar pulled by a strain e with free sides: stress E e, so the energy is E e^2 / 2 a volume.
TEST(a_stretched_bar_holds_half_youngs_modulus_times_strain_squared)
{
    const vec3 rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double strain = 1e-5;
    tetrahedron t;
    vec3 x[4];
    CHECK(tml__tetrahedron(rest, &t));
    CHECK_NEAR(t.volume, 1.0 / 6.0, 1e-16);
    for (int a = 0; a < 4; a++) {
        x[a] = v3(rest[a].x * (1.0 + strain), rest[a].y * (1.0 - poisson * strain),
                  rest[a].z * (1.0 - poisson * strain));
    }
    for (int m = 0; m < TML_MATERIALS; m++) {
        const elastic e = tml__elastic((tml_material)m, young, poisson);
        // third order in the strain, and rounding of order one energies
        CHECK_NEAR(tml__elastic_energy(&e, &t, x) / t.volume, 0.5 * young * strain * strain,
                   1e-4 * young * strain * strain);
    }
}

TEST(flat_and_mirrored_rest_shapes_are_refused)
{
    const vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const vec3 mirrored[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    tetrahedron t;
    CHECK(!tml__tetrahedron(flat, &t));
    CHECK(!tml__tetrahedron(mirrored, &t));
}
