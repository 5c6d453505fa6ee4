// force/elastic.c - three materials for one tetrahedron, each with its exact second derivative.
//
//   symbol   meaning
//   F        deformation gradient, sum_a x_a b_a^T; b_a are the gradients of the shape functions
//   P        d(energy density)/dF;  force on vertex a: -volume P b_a
//   A        dP/dF, 9 x 9 over entries (row, column) of F
//   R, S     F = R S, R the rotation nearest to F
//
// linear       mu e:e + lambda/2 tr(e)^2,           e = (F + F^T)/2 - I
// corotated    mu |F - R|^2 + lambda/2 tr(S - I)^2
// neo-Hookean  mu'/2 (|F|^2 - 3) + lambda'/2 (J - alpha)^2 - mu'/2 log(|F|^2 + 1): Smith, de Goes and
//              Kim 2018, with mu' = 4/3 mu and lambda' = lambda + 5/6 mu, which make it agree with the
//              other two in small strains, and alpha such that the rest shape is at rest
#include "force/elastic.h"

#include "math/scalar.h"
#include "math/svd.h"

#include <string.h>

static const char* const names[TML_MATERIALS] = {"linear", "corotated", "neo_hookean"};

const char* tml_material_name(tml_material material)
{
    return (unsigned)material < TML_MATERIALS ? names[material] : "?";
}

bool tml_material_find(const char* name, tml_material* out)
{
    if (name == NULL) return false;
    for (int i = 0; i < TML_MATERIALS; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *out = (tml_material)i;
        return 1;
    }
    return 0;
}

elastic tml__elastic(tml_material material, double young, double poisson)
{
    return (elastic){
        .material = material,
        .mu = young / (2.0 * (1.0 + poisson)),
        .lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
    };
}

bool tml__tetrahedron(const vec3 rest[4], tetrahedron* out)
{
    const mat3 D =
        m3_columns(v3_sub(rest[1], rest[0]), v3_sub(rest[2], rest[0]), v3_sub(rest[3], rest[0]));
    const double volume = m3_determinant(D) / 6.0;
    const double size =
        v3_norm(m3_column(D, 0)) * v3_norm(m3_column(D, 1)) * v3_norm(m3_column(D, 2));
    // flat within rounding of its edges: no inverse worth the name
    if (!(volume > 1e-13 * size)) return false;
    *out = (tetrahedron){.inverse = m3_inverse(D), .volume = volume};
    return true;
}

// ---- the deformation gradient

static mat3 gradient_of(const tetrahedron* t, const vec3 x[4])
{
    const mat3 D = m3_columns(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]), v3_sub(x[3], x[0]));
    return m3_mul(D, t->inverse);
}

static void shape_gradients(const tetrahedron* t, vec3 b[4])
{
    b[1] = m3_row(t->inverse, 0);
    b[2] = m3_row(t->inverse, 1);
    b[3] = m3_row(t->inverse, 2);
    b[0] = v3_neg(v3_add(b[1], v3_add(b[2], b[3])));
}

static double square(mat3 a)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) sum += a.m[i][j] * a.m[i][j];
    }
    return sum;
}

static double trace(mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

// d(det F)/dF
static mat3 cofactors(mat3 F)
{
    const vec3 f[3] = {m3_column(F, 0), m3_column(F, 1), m3_column(F, 2)};
    return m3_columns(v3_cross(f[1], f[2]), v3_cross(f[2], f[0]), v3_cross(f[0], f[1]));
}

// ---- linear

static mat3 small_strain(mat3 F)
{
    return m3_sub(m3_scale(0.5, m3_add(F, m3_transpose(F))), m3_identity());
}

static void linear(const elastic* e, mat3 F, mat3* P, double* A)
{
    const mat3 strain = small_strain(F);
    *P = m3_add(m3_scale(2.0 * e->mu, strain), m3_scale(e->lambda * trace(strain), m3_identity()));
    if (A == NULL) return;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[9 * (3 * i + j) + 3 * i + j] += e->mu;
            A[9 * (3 * i + j) + 3 * j + i] += e->mu;
            A[9 * (4 * i) + 4 * j] += e->lambda;
        }
    }
}

// ---- corotated

// dR along dF = e_k e_l^T.
static mat3 rotation_rate(const mat3_svd* d, int k, int l)
{
    mat3 spin = m3_zero();
    const double s[3] = {d->s.x, d->s.y, d->s.z};
    const double size = fabs(s[0]) > 0.0 ? fabs(s[0]) : 1.0;
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            // where two stretches cancel the nearest rotation jumps and has no rate
            const double sum = s[i] + s[j];
            if (fabs(sum) < 1e-10 * size) continue;
            const double skew = d->U.m[k][i] * d->V.m[l][j] - d->U.m[k][j] * d->V.m[l][i];
            spin.m[i][j] = skew / sum;
            spin.m[j][i] = -skew / sum;
        }
    }
    return m3_mul_bt(m3_mul(d->U, spin), d->V);
}

static void corotated(const elastic* e, mat3 F, mat3* P, double* A)
{
    const mat3_svd d = tml__m3_svd(F);
    const mat3 R = m3_svd_rotation(&d);
    const double swell = d.s.x + d.s.y + d.s.z - 3.0;
    *P = m3_add(m3_scale(2.0 * e->mu, m3_sub(F, R)), m3_scale(e->lambda * swell, R));
    if (A == NULL) return;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            const mat3 dR = rotation_rate(&d, k, l);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    A[9 * (3 * i + j) + 3 * k + l] =
                        (e->lambda * swell - 2.0 * e->mu) * dR.m[i][j] +
                        e->lambda * R.m[i][j] * R.m[k][l];
                }
            }
            A[10 * (3 * k + l)] += 2.0 * e->mu;
        }
    }
}

// ---- neo-Hookean

typedef struct stable {
    double mu, lambda, alpha;
} stable;

static stable stable_of(const elastic* e)
{
    const double mu = 4.0 / 3.0 * e->mu;
    const double lambda = e->lambda + 5.0 / 6.0 * e->mu;
    return (stable){mu, lambda, 1.0 + 0.75 * mu / lambda};
}

static void neo_hookean(const elastic* e, mat3 F, mat3* P, double* A)
{
    const stable m = stable_of(e);
    const double I = square(F);
    const double J = m3_determinant(F);
    const mat3 g = cofactors(F);
    const double stretch = m.mu * (1.0 - 1.0 / (I + 1.0));
    const double pressure = m.lambda * (J - m.alpha);
    *P = m3_add(m3_scale(stretch, F), m3_scale(pressure, g));
    if (A == NULL) return;

    const double bend = 2.0 * m.mu / ((I + 1.0) * (I + 1.0));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    A[9 * (3 * i + j) + 3 * k + l] +=
                        bend * F.m[i][j] * F.m[k][l] + m.lambda * g.m[i][j] * g.m[k][l];
                }
            }
            A[10 * (3 * i + j)] += stretch;
        }
    }
    // column j of the cofactors is f_{j+1} x f_{j+2}
    for (int j = 0; j < 3; j++) {
        const mat3 first = m3_skew(m3_column(F, (j + 1) % 3));
        const mat3 second = m3_skew(m3_column(F, (j + 2) % 3));
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                A[9 * (3 * i + j) + 3 * k + (j + 2) % 3] += pressure * first.m[i][k];
                A[9 * (3 * i + j) + 3 * k + (j + 1) % 3] -= pressure * second.m[i][k];
            }
        }
    }
}

// ---- the element

double tml__elastic_density(const elastic* e, mat3 F)
{
    double density = 0.0;
    switch (e->material) {
    case TML_MATERIAL_LINEAR: {
        const mat3 strain = small_strain(F);
        density = e->mu * square(strain) + 0.5 * e->lambda * trace(strain) * trace(strain);
        break;
    }
    case TML_MATERIAL_COROTATED: {
        const mat3_svd d = tml__m3_svd(F);
        const vec3 s = v3_sub(d.s, v3(1.0, 1.0, 1.0));
        const double swell = s.x + s.y + s.z;
        density = e->mu * v3_dot(s, s) + 0.5 * e->lambda * swell * swell;
        break;
    }
    case TML_MATERIAL_NEO_HOOKEAN: {
        const stable m = stable_of(e);
        const double I = square(F);
        const double J = m3_determinant(F);
        const double rest = 1.0 - m.alpha;
        density = 0.5 * m.mu * (I - 3.0 - tml__log(0.25 * (I + 1.0))) +
                  0.5 * m.lambda * ((J - m.alpha) * (J - m.alpha) - rest * rest);
        break;
    }
    case TML_MATERIALS: break;
    }
    return density;
}

double tml__elastic_energy(const elastic* e, const tetrahedron* t, const vec3 x[4])
{
    return t->volume * tml__elastic_density(e, gradient_of(t, x));
}

mat3 tml__elastic_stress(const elastic* e, mat3 F, double* slope)
{
    mat3 P = m3_zero();
    if (slope != NULL) memset(slope, 0, 81 * sizeof *slope);
    switch (e->material) {
    case TML_MATERIAL_LINEAR: linear(e, F, &P, slope); break;
    case TML_MATERIAL_COROTATED: corotated(e, F, &P, slope); break;
    case TML_MATERIAL_NEO_HOOKEAN: neo_hookean(e, F, &P, slope); break;
    case TML_MATERIALS: break;
    }
    return P;
}

void tml__elastic_eval(const elastic* e, const tetrahedron* t, const vec3 x[4], vec3 force[4],
                       double* stiffness)
{
    double A[81];
    const mat3 P = tml__elastic_stress(e, gradient_of(t, x), stiffness != NULL ? A : NULL);
    vec3 b[4];
    shape_gradients(t, b);
    for (int a = 0; a < 4; a++) force[a] = v3_scale(-t->volume, m3_apply(P, b[a]));
    if (stiffness == NULL) return;

    for (int a = 0; a < 4; a++) {
        // A contracted with b_a: rows i, columns (k, l)
        double half[3][9];
        for (int i = 0; i < 3; i++) {
            for (int c = 0; c < 9; c++) {
                half[i][c] = A[9 * (3 * i) + c] * b[a].x + A[9 * (3 * i + 1) + c] * b[a].y +
                             A[9 * (3 * i + 2) + c] * b[a].z;
            }
        }
        for (int d = 0; d < 4; d++) {
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++) {
                    const double sum = half[i][3 * k] * b[d].x + half[i][3 * k + 1] * b[d].y +
                                       half[i][3 * k + 2] * b[d].z;
                    stiffness[12 * (3 * a + i) + 3 * d + k] = -t->volume * sum;
                }
            }
        }
    }
}
