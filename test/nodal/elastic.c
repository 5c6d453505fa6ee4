// test/nodal/elastic.c - meshes of tetrahedra: derivatives, patch test, beams, frequencies.
#include "math/scalar.h"
#include "test/check.h"
#include "test/nodal/bar.h"
#include "test/random.h"

static const bool consistent = true;
static const newton_settings tight = {.tolerance = 1e-12, .max_iterations = 100};

// ---- derivatives of the whole

TEST(the_stiffness_of_a_mesh_is_the_derivative_of_its_forces)  // [COOK Sec 3]
{
    static int others[2][3] = {{5, 0, 7}, {9, 3, 7}};
    static double weights[2][3] = {{2.0, -0.4, -0.6}, {1.5, 0.3, -0.8}};
    static const bool is_carried[12] = {[5] = true, [9] = true};
    soft_tie ties[2] = {{.vertex = 5, .count = 3}, {.vertex = 9, .count = 3}};
    random_source r = random_start(41);
    for (int m = 0; m < 2 * TML_MATERIALS; m++) {
        bar b = bar_make(2, 1, 1, 1.0, 0.4, 0.4);
        b.material = tml__elastic((tml_material)(m / 2), 1e3, 0.3);
        b.is_held[0] = true;
        // every other time some vertices follow others, a held one among them, from where they rest
        for (int i = 0; i < 2; i++) {
            const double* w = weights[i];
            ties[i].others = others[i];
            ties[i].weights = weights[i];
            ties[i].place = v3_scale(1.0 / w[0], b.vertices[others[i][0]]);
            for (int k = 1; k < 3; k++) {
                ties[i].place = v3_axpy(ties[i].place, -w[k] / w[0], b.vertices[others[i][k]]);
            }
        }
        b.parts.tie_count = m % 2 == 0 ? 0 : 2;
        b.parts.ties = ties;
        b.parts.is_carried = m % 2 == 0 ? NULL : is_carried;
        nodal_system* s = bar_system(&b);
        const int width = tml__nodal_width(s);
        double* q = calloc((size_t)width, sizeof(double));
        double* up = calloc((size_t)width, sizeof(double));
        double* down = calloc((size_t)width, sizeof(double));
        double* K = calloc((size_t)width * (size_t)width, sizeof(double));
        tml__nodal_rest(s, q);
        for (int i = 0; i < width; i++) q[i] += random_between(&r, -0.03, 0.03);
        tml__nodal_stiffness(s, q, K);
        double size = 0.0;
        double worst[2] = {0.0, 0.0};
        for (int i = 0; i < width * width; i++) size = fabs(K[i]) > size ? fabs(K[i]) : size;
        for (int w = 0; w < 2; w++) {
            const double h = w == 0 ? 1e-4 : 1e-5;
            for (int c = 0; c < width; c++) {
                const double kept = q[c];
                q[c] = kept + h;
                tml__nodal_forces(s, q, NULL, up);
                q[c] = kept - h;
                tml__nodal_forces(s, q, NULL, down);
                q[c] = kept;
                for (int i = 0; i < width; i++) {
                    const double off =
                        fabs((up[i] - down[i]) / (2.0 * h) - K[i * width + c]) / size;
                    worst[w] = off > worst[w] ? off : worst[w];
                }
            }
        }
        // h^2 of the third derivative at one width, rounding over h at the other
        CHECK(worst[0] < 1e-5 && worst[1] < 1e-7);
        free(q);
        free(up);
        free(down);
        free(K);
        tml__nodal_destroy(s);
        bar_free(&b);
    }
}

// ---- patch test: boundary moved by an affine map, the inside must follow it exactly

TEST(an_affine_map_of_the_boundary_is_followed_inside)
{
    const mat3 A = {{{1.1, 0.05, 0.0}, {-0.02, 0.95, 0.03}, {0.04, 0.0, 1.02}}};
    for (int m = 0; m < TML_MATERIALS; m++) {
        bar b = bar_make(4, 3, 3, 1.0, 0.8, 0.7);
        b.material = tml__elastic((tml_material)m, 1e5, 0.3);
        vec3* kept = calloc((size_t)b.vertex_count, sizeof *kept);
        memcpy(kept, b.vertices, (size_t)b.vertex_count * sizeof *kept);
        for (int i = 0; i <= 4; i++) {
            for (int j = 0; j <= 3; j++) {
                for (int k = 0; k <= 3; k++) {
                    const bool is_inside = i > 0 && i < 4 && j > 0 && j < 3 && k > 0 && k < 3;
                    b.is_held[bar_vertex(&b, i, j, k)] = !is_inside;
                }
            }
        }
        nodal_system* s = bar_system(&b);
        const int width = tml__nodal_width(s);
        double* q = calloc((size_t)width, sizeof(double));
        newton_report report;
        for (int v = 0; v < b.vertex_count; v++) tml__nodal_hold(s, v, m3_apply(A, kept[v]));
        tml__nodal_rest(s, q);
        CHECK(tml__nodal_settle(s, &tight, 0.0, q, &report) == TML_OK);
        for (int v = 0; v < b.vertex_count; v++) {
            if (b.is_held[v]) continue;
            const vec3 off = v3_sub(tml__nodal_vertex(s, q, v), m3_apply(A, kept[v]));
            CHECK(v3_max(off) < 1e-11);
        }
        free(q);
        free(kept);
        tml__nodal_destroy(s);
        bar_free(&b);
    }
}

// ---- masses

TEST(both_mass_matrices_weigh_the_volume)  // [COOK (6)]
{
    for (int is_consistent = 0; is_consistent < 2; is_consistent++) {
        bar b = bar_make(3, 2, 2, 1.0, 0.5, 0.4);
        b.parts.is_consistent = is_consistent ? &consistent : NULL;
        nodal_system* s = bar_system(&b);
        const int width = tml__nodal_width(s);
        double* u = calloc((size_t)width, sizeof(double));
        double* Mu = calloc((size_t)width, sizeof(double));
        double sum = 0.0;
        for (int i = 0; i < width; i += 3) u[i] = 1.0;
        tml__nodal_mass(s, u, Mu);
        for (int i = 0; i < width; i++) sum += Mu[i];
        CHECK_NEAR(sum, 1000.0 * 0.2, 1e-10);
        for (int i = 0; i < width; i++) u[i] = sin(1.0 + i);
        tml__nodal_mass(s, u, Mu);
        CHECK(tml__nodal_unmass(s, Mu, Mu) == TML_OK);
        for (int i = 0; i < width; i++) CHECK_NEAR(Mu[i], u[i], 1e-12);
        free(u);
        free(Mu);
        tml__nodal_destroy(s);
        bar_free(&b);
    }
}

// ---- a bar clamped at x = 0

static void clamp(bar* b)
{
    for (int j = 0; j <= b->ny; j++) {
        for (int k = 0; k <= b->nz; k++) b->is_held[bar_vertex(b, 0, j, k)] = true;
    }
}

// How far the end of a cantilever under its own weight comes down.
static double tip_deflection(int n, double gravity)
{
    bar b = bar_make(4 * n, n, n, 0.4, 0.1, 0.1);
    newton_report report;
    b.material = tml__elastic(TML_MATERIAL_COROTATED, 1e7, 0.0);
    b.parts.gravity = v3(0.0, 0.0, -gravity);
    clamp(&b);
    nodal_system* s = bar_system(&b);
    double* q = calloc((size_t)tml__nodal_width(s), sizeof(double));
    tml__nodal_rest(s, q);
    CHECK(tml__nodal_settle(s, &tight, 1.0, q, &report) == TML_OK);
    double sum = 0.0;
    for (int j = 0; j <= n; j++) {
        for (int k = 0; k <= n; k++) {
            const int v = bar_vertex(&b, 4 * n, j, k);
            sum += b.vertices[v].z - tml__nodal_vertex(s, q, v).z;
        }
    }
    free(q);
    tml__nodal_destroy(s);
    bar_free(&b);
    return sum / ((n + 1) * (n + 1));
}

// w L^4 / 8 E I of Euler and Bernoulli, plus w L^2 / 2 k G A of shear (k = 5/6). Linear tetrahedra are
// too stiff in bending by O(h^2): each refinement must come closer, by about four times.
TEST(a_cantilever_comes_down_as_beam_theory_says)
{
    const double g = 0.01;  // deflections of a thousandth of the length: no geometry in it
    const double w = 1000.0 * 0.01 * g;
    const double I = 0.1 * 0.1 * 0.1 * 0.1 / 12.0;
    const double L = 0.4;
    const double beam =
        w * L * L * L * L / (8.0 * 1e7 * I) + w * L * L / (2.0 * 5.0 / 6.0 * 5e6 * 0.01);
    double error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = 1.0 - tip_deflection(2 << i, g) / beam;
        printf("cantilever, %d cells high: %.1f %% too stiff\n", 2 << i, 100.0 * error[i]);
    }
    CHECK(error[0] > error[1] && error[1] > error[2] && error[2] > 0.0);
    CHECK(error[1] / error[2] > 3.0);
    // what is left after extrapolation: the next order, and the beam's own approximations
    CHECK(fabs(error[2] - (error[1] - error[2]) / 3.0) < 0.03);
}

// The lowest longitudinal vibration of a clamped bar without Poisson's effect is a quarter wave,
// (pi / 2 L)^2 E / rho; Rayleigh's quotient of that shape on the mesh is off by O(h^2).
TEST(a_bar_sounds_its_quarter_wave)
{
    const double exact = 0.25 * TML_PI * TML_PI * 1e6 / 1000.0;
    double error[2];
    for (int r = 0; r < 2; r++) {
        const int n = r == 0 ? 16 : 32;
        bar b = bar_make(n, 1, 1, 1.0, 0.1, 0.1);
        b.material = tml__elastic(TML_MATERIAL_NEO_HOOKEAN, 1e6, 0.0);
        b.parts.is_consistent = &consistent;
        clamp(&b);
        nodal_system* s = bar_system(&b);
        const int width = tml__nodal_width(s);
        double* q = calloc((size_t)width, sizeof(double));
        double* u = calloc((size_t)width, sizeof(double));
        double* Mu = calloc((size_t)width, sizeof(double));
        double* K = calloc((size_t)width * (size_t)width, sizeof(double));
        tml__nodal_rest(s, q);
        for (int i = 0; i < width; i += 3) u[i] = sin(0.5 * TML_PI * q[i]);
        tml__nodal_mass(s, u, Mu);
        tml__nodal_stiffness(s, q, K);
        double stiffness = 0.0;
        double mass = 0.0;
        for (int i = 0; i < width; i++) {
            mass += u[i] * Mu[i];
            for (int j = 0; j < width; j++) stiffness -= u[i] * K[i * width + j] * u[j];
        }
        error[r] = stiffness / mass / exact - 1.0;
        free(q);
        free(u);
        free(Mu);
        free(K);
        tml__nodal_destroy(s);
        bar_free(&b);
    }
    CHECK(fabs(error[1]) < 1e-3);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.1);
}

// ---- inside out

// One vertex pushed through the opposite face comes back to the rest shape.
TEST(a_tetrahedron_turned_inside_out_comes_back)
{
    for (int m = TML_MATERIAL_COROTATED; m < TML_MATERIALS; m++) {
        bar b = bar_make(1, 1, 1, 1.0, 1.0, 1.0);
        newton_report report;
        b.material = tml__elastic((tml_material)m, 1e4, 0.3);
        for (int v = 0; v < 7; v++) b.is_held[v] = true;
        nodal_system* s = bar_system(&b);
        double q[3] = {-0.4, -0.3, -0.35};  // vertex 7 belongs at (1, 1, 1)
        const newton_settings patient = {.tolerance = 1e-12, .max_iterations = 300};
        CHECK(tml__nodal_settle(s, &patient, 0.0, q, &report) == TML_OK);
        for (int k = 0; k < 3; k++) CHECK_NEAR(q[k], 1.0, 1e-9);
        tml__nodal_destroy(s);
        bar_free(&b);
    }
}

// ---- refusals

TEST(bad_meshes_are_refused_by_element)
{
    static const tml_allocator allocator = {0};
    nodal_system* s = NULL;
    message why;
    bar b = bar_make(1, 1, 1, 1.0, 1.0, 1.0);
    tml__nodal_destroy(bar_system(&b));
    b.corners[5] = 99;
    CHECK(tml__nodal_create(&b.parts, &allocator, &why, &s) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "tetrahedron 1 names vertex 99");
    b.corners[5] = b.corners[4];
    CHECK(tml__nodal_create(&b.parts, &allocator, &why, &s) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "flat or inside out");
    bar_free(&b);
    b = bar_make(1, 1, 1, 1.0, 1.0, 1.0);
    b.density = 0.0;
    tml__nodal_destroy(s);
    b.parts.materials = &b.material;
    b.parts.densities = &b.density;
    b.parts.material_count = 1;
    b.parts.vertex_count = b.vertex_count;
    b.parts.vertices = b.vertices;
    b.parts.corners = b.corners;
    b.parts.tetrahedron_count = b.tetrahedron_count;
    CHECK(tml__nodal_create(&b.parts, &allocator, &why, &s) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "has no mass");
    bar_free(&b);
}
