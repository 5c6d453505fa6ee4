// method/affine/flex.h - affine bodies of finite stiffness: 12 unknowns each.      [MABD Sec 3] [notes 9.6]
//
// A body is x and A, any matrix: its points are at x + A p. Its unknowns are the four columns of (x, A),
// so that the points, axes and rows of joints are linear and bilinear in them, and nothing bends. What
// holds A near a rotation is its stress
//
//     Sigma = V (2 mu G + lambda tr(G) I),      G = (A^T A - 1) / 2          Green
//     P     = V dW/dA                                                        co-rotated
//
// With Green's strain, which is quadratic, the force A_mean Sigma does exactly the work Sigma : (G+ - G)
// over a step, and energy cannot grow. How the two ends share in Sigma is chosen mode by mode: a vibration
// that the step follows is kept, one that it does not is damped.
//
//   in the notes   here          meaning
//   A, A+          R, R_end      of affine_body, as for rigid links
//   U, U+          U, U_end      their rates
//   b              1/2 + r/2     r = min(1, (h w)^4), w the frequency of a mode, rad/s
#ifndef TML_METHOD_AFFINE_FLEX_H
#define TML_METHOD_AFFINE_FLEX_H

#include "force/elastic.h"
#include "method/affine/equations.h"

enum {
    FLEX_WIDTH = 12,
    FLEX_STATE = 36,  // numbers kept beside a pose: A, U, and both one step before
};

typedef struct flex_material {
    double young, poisson;  // Pa, -
    bool is_corotated;
} flex_material;

// The derivative of something by the unknowns of a joint's two bodies.
typedef struct flex_gradient {
    double F[FLEX_WIDTH], B[FLEX_WIDTH];
} flex_gradient;

typedef struct flex_body {
    mat3 U, U_end, U_before;
    mat3 axes;      // columns: principal axes of the second moments, in body axes
    vec3 moments;   // along them, kg m^2
    double volume;  // m^3
    vec3 root;      // of the stage: sqrt(r) of the stretches along the principal axes
    vec3 shear;     // r of the shears, by the axis that takes no part
} flex_body;

struct affine_flex {
    elastic material;
    bool is_corotated;
    flex_body* body;                       // per node
    flex_gradient *push, *move;            // per row: where forces act, and at the end
    flex_gradient *push_term, *move_term;  // per term of a coupling
    int turned;                            // the body that tml__flex_has_turned has found
    double* dx;                            // FLEX_WIDTH per node: right-hand side and update
};

// TML_UNSUPPORTED: something in the model that these bodies do not take.
tml_status tml__flex_create(maximal_system* s, const flex_material* material, message* why,
                            affine_system** out);

// Material, volumes and principal axes of all bodies. TML_BAD_ARGUMENT: a body without volume.
tml_status tml__flex_measure(affine_system* a, const flex_material* material, message* why);

// Bodies from the numbers kept (FLEX_STATE a node), after tml__affine_load; and those of the end, where
// `start` has those of the start of a whole step.
void tml__flex_load(affine_system* a, const double* kept);
void tml__flex_store(const affine_system* a, const double* start, double* kept);

// The numbers of rigid bodies at flat poses and rates.
void tml__flex_begin(maximal_system* s, const double* q, const double* v, double* kept);

// The bodies of s, as placed, with the shapes they have; joints follow.
void tml__flex_shape(maximal_system* s, const double* kept);

// Kinetic energy of the numbers kept, and what the stress has stored.
void tml__flex_energy(const affine_system* a, const double* kept, double* kinetic, double* stored);

// ---- flex_body.c

// Which share of the stress is taken at the end of the step, mode by mode.
void tml__flex_stage(affine_system* a, const affine_stage* stage);

// The force of the stress on A, N m, and beta-free its derivative by A at the end: 9 x 9, column-major
// over the columns of A; NULL: not wanted.
mat3 tml__flex_stress(const affine_system* a, const affine_stage* stage, int node, double* slope);

// The same of the stress that rates make where the step does not follow them, by U.
mat3 tml__flex_drag(const affine_system* a, int node, mat3 U, double* slope);

// The rotation nearest to A, of any A.
mat3 tml__flex_rotation(mat3 A);

// The angular velocity with the angular momentum of U at A.
vec3 tml__flex_spin(const affine_system* a, int node, mat3 A, mat3 U);

// As tml__affine_predict and tml__affine_close.
void tml__flex_predict(affine_system* a, const affine_stage* stage, int node);
void tml__flex_close(affine_system* a, const affine_stage* stage, int node);

// Rates at the end without what the step does not follow; where rows are not projected.
tml_status tml__flex_settle(affine_system* a, const affine_stage* stage, int node);

// A force on A that is a torque: P with tau(P A^T) = torque and P A^T skew.
static inline mat3 flex_torque(vec3 torque, mat3 inverse_transposed)
{
    return m3_scale(0.5, m3_mul(m3_skew(torque), inverse_transposed));
}

// Has a body turned by more than 2.5 rad, or inside out?
bool tml__flex_has_turned(const affine_system* a);

// How much the energy, kinetic and stored, has grown beyond the work of the forces, as a share of both.
double tml__flex_gain(const affine_system* a);

// ---- flex_equations.c: as the functions of equations.c and step.c

double tml__flex_evaluate(affine_system* a, const affine_stage* stage);
double tml__flex_rest(const affine_system* a, const affine_stage* stage);
double tml__flex_move(affine_system* a, const affine_stage* stage);

// An atom of a row or coordinate, and the vectors of the bodies it is made of.
typedef struct flex_atom {
    atom_value value;
    bool is_gap;
    vec3 x_F, x_B;  // points, body axes
    vec3 f, b;      // axes, body axes
    double sign;    // of a dot
} flex_atom;

typedef struct flex_atoms {
    int count;
    flex_atom atom[4];
    double weight[4];
} flex_atoms;

// A row where forces act; a coordinate, of one of its two values over the step.
flex_atoms tml__flex_row(const affine_system* a, const affine_stage* stage, int joint, int row);
flex_atoms tml__flex_coordinate(const affine_system* a, int joint, tml_axis axis,
                                const coordinate_value* at);
flex_gradient tml__flex_gradient(const flex_atoms* atoms);

// ---- flex_matrix.c: as those of matrix.c. Motions are in flex->dx.

void tml__flex_fill(affine_system* a, const affine_stage* stage);
void tml__flex_fill_mass(affine_system* a, double drag);
void tml__flex_solve(affine_system* a);

// Velocities at the end: what the step does not follow dies out, and rows allow them.
tml_status tml__flex_project(affine_system* a, double drag);

#endif
