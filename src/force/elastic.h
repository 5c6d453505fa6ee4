// force/elastic.h - elastic tetrahedra: energy, forces and stiffness of one element.
//
// F = D(x) D(X)^-1 is how the element maps its rest shape X onto its present shape x. A material says
// what energy a unit of rest volume holds at F; forces are minus its gradient, exact, and so is the
// stiffness. All three materials agree to second order in small strains.
#ifndef TML_FORCE_ELASTIC_H
#define TML_FORCE_ELASTIC_H

#include "base/message.h"
#include "math/mat3.h"

#include <trammel/deformable.h>

#include <stdbool.h>

typedef struct elastic {
    tml_material material;
    double mu, lambda;  // Lame's constants, Pa
} elastic;

// Lame's constants of Young's modulus (Pa) and Poisson's ratio, in (-1, 0.5).
elastic tml__elastic(tml_material material, double young, double poisson);

typedef struct tetrahedron {
    mat3 inverse;   // D(X)^-1, edges from vertex 0 as columns
    double volume;  // m^3, positive
} tetrahedron;

// False: the four points enclose no volume, or are listed inside out.
bool tml__tetrahedron(const vec3 rest[4], tetrahedron* out);

// What a unit of rest volume holds at the deformation gradient F, J/m^3; its derivative P; and, when
// `slope` is not NULL, dP/dF: 9 x 9, row-major over the entries of F, rows first.
double tml__elastic_density(const elastic* e, mat3 F);
mat3 tml__elastic_stress(const elastic* e, mat3 F, double* slope);

// Energy of the element, J.
double tml__elastic_energy(const elastic* e, const tetrahedron* t, const vec3 x[4]);

// Forces on its vertices, N; and, when `stiffness` is not NULL, dF/dx: 12 x 12, row-major, vertex by
// vertex, symmetric. Finite at any shape, inside out included.
void tml__elastic_eval(const elastic* e, const tetrahedron* t, const vec3 x[4], vec3 force[4],
                       double* stiffness);

#endif
