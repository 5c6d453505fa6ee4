// method/partials_product.h - one product in progress, between the files of partials.
#ifndef TML_METHOD_PARTIALS_PRODUCT_H
#define TML_METHOD_PARTIALS_PRODUCT_H

#include "method/partials.h"

typedef struct product {
    maximal_system* s;
    const partial_point* at;
    partial_direction way;
    double* E;
    double* rows;
} product;

static inline void emit(const product* p, double* input, double* output, double slope)
{
    if (p->way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// E of a body's node changes by minus a force and a torque.
static inline void emit_wrench(const product* p, double* input, int body, vec3 force, vec3 torque)
{
    const int node = p->s->model->bodies[body].node;
    if (node < 0) return;
    double* E = &p->E[6 * node];
    for (int k = 0; k < 3; k++) {
        emit(p, input, &E[k], -v3_at(force, k));
        emit(p, input, &E[3 + k], -v3_at(torque, k));
    }
}

// Of bodies that do not move by their coordinates.
static const lift no_lift = {0.0, {{{0.0}}}};

// Springs and wrenches (partials_force.c).
void tml__force_parameters(const product* p, const parameter_set* in);

#endif
