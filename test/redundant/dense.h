// test/redundant/dense.h - the weighted pseudo-inverse by one-sided Jacobi rotations, and scenes with
// weights of the test's choice. Nothing here is shared with the solvers of the library.
#ifndef TRAMMEL_TEST_REDUNDANT_DENSE_H
#define TRAMMEL_TEST_REDUNDANT_DENSE_H

#include "model/model.h"
#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// B (rows x columns, column-major) = U S V^T, kept as B V = U S beside V.
typedef struct dense_svd {
    int rows, columns;
    double* product;  // U S, column-major
    double* V;        // column-major
    double* sigma;    // per column, in no order
    double largest;
} dense_svd;

static inline double* dense_array(size_t count)
{
    double* memory = calloc(count > 0 ? count : 1, sizeof *memory);
    if (memory == NULL) abort();
    return memory;
}

static inline double dense_dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static inline void dense_turn(double* a, double* b, int count, double c, double s)
{
    for (int i = 0; i < count; i++) {
        const double x = a[i];
        a[i] = c * x - s * b[i];
        b[i] = s * x + c * b[i];
    }
}

// Make columns p and q of the product orthogonal; answers their cosine before.
static inline double dense_rotate(dense_svd* d, int p, int q)
{
    double* a = d->product + (size_t)p * (size_t)d->rows;
    double* b = d->product + (size_t)q * (size_t)d->rows;
    const double aa = dense_dot(a, a, d->rows);
    const double bb = dense_dot(b, b, d->rows);
    const double ab = dense_dot(a, b, d->rows);
    // columns that are rounding beside the largest have no direction worth turning
    if (aa <= 1e-28 * d->largest || bb <= 1e-28 * d->largest) return 0.0;
    const double cosine = fabs(ab) / sqrt(aa * bb);
    if (cosine < 1e-15) return cosine;

    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + t * t);
    dense_turn(a, b, d->rows, c, c * t);
    dense_turn(d->V + (size_t)p * (size_t)d->columns, d->V + (size_t)q * (size_t)d->columns,
               d->columns, c, c * t);
    return cosine;
}

// J is row-major; row i is multiplied by scale[i].
static inline dense_svd dense_decompose(const double* J, int rows, int columns, const double* scale)
{
    dense_svd d = {rows,
                   columns,
                   dense_array((size_t)rows * (size_t)columns),
                   dense_array((size_t)columns * (size_t)columns),
                   dense_array((size_t)columns),
                   0.0};
    for (int k = 0; k < columns; k++) {
        double* column = d.product + (size_t)k * (size_t)rows;
        for (int i = 0; i < rows; i++)
            column[i] = scale[i] * J[(size_t)i * (size_t)columns + (size_t)k];
        d.V[(size_t)k * (size_t)columns + (size_t)k] = 1.0;
        d.largest = fmax(d.largest, dense_dot(column, column, rows));
    }
    double worst = 1.0;
    for (int sweep = 0; sweep < 30 && worst > 1e-14; sweep++) {
        worst = 0.0;
        for (int p = 0; p < columns; p++) {
            for (int q = p + 1; q < columns; q++) worst = fmax(worst, dense_rotate(&d, p, q));
        }
    }
    d.largest = 0.0;
    for (int k = 0; k < columns; k++) {
        const double* column = d.product + (size_t)k * (size_t)rows;
        d.sigma[k] = sqrt(dense_dot(column, column, rows));
        d.largest = fmax(d.largest, d.sigma[k]);
    }
    return d;
}

static inline void dense_free(dense_svd* d)
{
    free(d->product);
    free(d->V);
    free(d->sigma);
}

static inline int dense_rank(const dense_svd* d, double tolerance)
{
    int rank = 0;
    for (int k = 0; k < d->columns; k++) rank += d->sigma[k] > tolerance * d->largest;
    return rank;
}

// The smallest y with B^T y = f, where there is one.
static inline void dense_least_norm(const dense_svd* d, double tolerance, const double* f,
                                    double* y)
{
    for (int i = 0; i < d->rows; i++) y[i] = 0.0;
    for (int k = 0; k < d->columns; k++) {
        if (!(d->sigma[k] > tolerance * d->largest)) continue;
        const double* v = d->V + (size_t)k * (size_t)d->columns;
        const double* u = d->product + (size_t)k * (size_t)d->rows;
        const double z = dense_dot(v, f, d->columns) / (d->sigma[k] * d->sigma[k]);
        for (int i = 0; i < d->rows; i++) y[i] += z * u[i];
    }
}

// ---- weights

typedef double (*weight_rule)(const tml_joint_def* joint, int index, int axis);

// The mechanism of a built-in scene once more, each row with the weight that the rule gives it.
static inline tml_scene* weighted_scene(const char* name, weight_rule rule)
{
    tml_scene* first = tml_scene_create();
    tml_scene* scene = tml_scene_create();
    tml_model* m = NULL;
    const scene_entry* entry = scenes_find(name);
    if (entry == NULL || scenes_fill(first, entry) != TML_OK ||
        tml_scene_build(first, &m) != TML_OK) {
        printf("scene %s is missing or refused\n", name);
        abort();
    }
    tml_spec* spec = tml_scene_spec(scene);
    *tml_scene_settings(scene) = *tml_scene_settings(first);
    tml_spec_set_gravity(spec, tml_model_gravity(m));
    for (int b = 0; b < m->all.body_count; b++) tml_spec_add_body(spec, &m->all.bodies[b]);
    for (int j = 0; j < m->all.joint_count; j++) {
        tml_joint_def def = tml__joint_expand(&m->all.joints[j]);
        for (int k = 0; k < TML_AXES; k++) def.axis_of[k].weight = rule(&def, j, k);
        tml_spec_add_joint(spec, &def);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        tml_spec_add_coupling(spec, &m->all.couplings[i]);
    }
    for (int i = 0; i < m->all.spring_count; i++) tml_spec_add_spring(spec, &m->all.springs[i]);
    for (int i = 0; i < m->all.wrench_count; i++) tml_spec_add_wrench(spec, &m->all.wrenches[i]);
    for (int i = 0; i < m->all.drag_count; i++) tml_spec_add_drag(spec, &m->all.drags[i]);
    tml_model_destroy(m);
    tml_scene_destroy(first);
    return scene;
}

#endif
