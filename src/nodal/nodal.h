// nodal/nodal.h - free points: particles and deformables made of tetrahedra.
//
// A vertex is a point with mass: free, held where it is, or carried along by something that is not
// part of this system. States are flat, three numbers a node: first the free vertices, which are the
// unknowns, then the carried ones, both in the order of the vertices. Forces are gravity, elasticity and
// Rayleigh damping, (-alpha M + beta dF/dx) v.                         [COOK Sec 3 Sec 6 Sec 7]
#ifndef TML_NODAL_NODAL_H
#define TML_NODAL_NODAL_H

#include "force/elastic.h"
#include "model/model.h"
#include "solve/newton.h"

enum {
    NODE_WIDTH = 3
};

// What the past says about the end of a stage: v = v_hat + c_v a, q = q_hat + c_q a; the twin of
// time/'s relation, so that method/ need not know integrators.
typedef struct nodal_stage {
    double c_v, c_q;
    const double* v_hat;
    const double* q_hat;
} nodal_stage;

// What a nodal system is made of. Borrowed during creation.
typedef struct nodal_parts {
    int vertex_count;
    const vec3* vertices;    // at rest
    const bool* is_held;     // per vertex; NULL: none is
    const bool* is_carried;  // per vertex that is not held; NULL: none is
    const double* extra;     // per vertex: mass beside that of the tetrahedra, kg; NULL: none
    int tetrahedron_count;
    const int* corners;  // 4 per tetrahedron
    const int* part;     // per tetrahedron: which material; NULL: the first
    int material_count;
    const elastic* materials;
    const double* densities;    // per material, kg/m^3
    const bool* is_consistent;  // per material: the mass matrix of the shape functions; NULL: lumps
    vec3 gravity;
    double damping_mass;       // alpha, 1/s
    double damping_stiffness;  // beta, s
    int spring_count;
    const soft_spring* springs;  // kept, not copied; their vertices are those of above
    int tie_count;
    const soft_tie*
        ties;  // kept, not copied; vertices that are carried or held by a point of theirs
} nodal_parts;

typedef struct nodal_system nodal_system;  // opaque

// TML_BAD_ARGUMENT: a tetrahedron is flat, inside out or names no vertex; a free vertex has no mass.
tml_status tml__nodal_create(const nodal_parts* parts, const tml_allocator* allocator, message* why,
                             nodal_system** out);
void tml__nodal_destroy(nodal_system* s);  // NULL is fine
void tml__nodal_set_gravity(nodal_system* s, vec3 gravity);

int tml__nodal_width(const nodal_system* s);             // numbers in a flat state,
int tml__nodal_free_width(const nodal_system* s);        // and of them, unknowns: the first ones
int tml__nodal_node(const nodal_system* s, int vertex);  // -1: held
int tml__nodal_vertex_of(const nodal_system* s, int node);
void tml__nodal_rest(const nodal_system* s, double* q);  // the rest shape as a state
// Where a held vertex is; only held ones may be moved.
void tml__nodal_hold(nodal_system* s, int vertex, vec3 place);
// More forces on the nodes, 3 a node, borrowed; NULL: none.
void tml__nodal_set_push(nodal_system* s, const double* push);
void tml__nodal_set_time(nodal_system* s, double t);  // of the controls of springs
vec3 tml__nodal_vertex(const nodal_system* s, const double* q, int vertex);
vec3 tml__nodal_vertex_velocity(const nodal_system* s, const double* v, int vertex);

// Forces on the nodes at a state, N; elastic and gravity, and damping with v (NULL: at rest).
void tml__nodal_forces(nodal_system* s, const double* q, const double* v, double* force);

// M u.
void tml__nodal_mass(const nodal_system* s, const double* u, double* out);

// Solve M a = force for the free nodes, the carried ones standing still. TML_SINGULAR cannot happen
// with masses that were accepted.
tml_status tml__nodal_unmass(nodal_system* s, const double* force, double* a);

void tml__nodal_energy(nodal_system* s, const double* q, const double* v, double* kinetic,
                       double* potential);

// c_q (F - M a) at the end of a stage, for all nodes; answers the sum of squares of the free ones
// over their masses, m^2.
double tml__nodal_residual(nodal_system* s, const nodal_stage* stage, const double* q,
                           double* residual);

// A matrix as a sum, mass M - stiffness dF/dx: that of a stage, or one of a caller's own. Springs
// damp by themselves and count as place dF/dx + rate dF/dv.
typedef struct nodal_scales {
    double mass, stiffness;
    double place, rate;
} nodal_scales;

nodal_scales tml__nodal_scales(const nodal_system* s, const nodal_stage* stage);

// Add up the matrix of the free nodes there: what tml__nodal_factor does first.
void tml__nodal_assemble(nodal_system* s, nodal_scales scales, const double* q);

// Factor the matrix of the free nodes there, and solve with it: `count` right-hand sides in place.
tml_status tml__nodal_factor(nodal_system* s, nodal_scales scales, const double* q);
void tml__nodal_back(nodal_system* s, int count, double* x);

// Who carries the carried nodes: a few rigid things, each moved by (dc, dphi). Steps whose forces act
// elsewhere than at their end push by other arms J_p than they move by, J.
typedef struct nodal_carriers {
    int count;
    const int* carrier;  // per carried node
    const vec3* lever;   // per carried node: from the carrier's reference point at the end, world
    const vec3* arm;     // the same where forces reach the carrier; may be `lever`
    const int* pair;     // count x count, rows first: which 6 x 6 block of `own`; -1: none
} nodal_carriers;

// The rest of that matrix, seen from the carriers (row-major, 6 a carrier): `columns` A J of the
// equations of the free nodes (of free width each), `rows` the same with J_p (their transpose is what
// free nodes do to carriers, for A is symmetric; NULL: not wanted), and blocks `own` of J_p^T A J.
//                                                                              [COOK (289) (290)]
void tml__nodal_carry(nodal_system* s, nodal_scales scales, const double* q,
                      const nodal_carriers* by, double* columns, double* rows, double* own);

// Solve one implicit stage from the guess in q, in place: M a = F(q, v), both following a by the
// relation. `is_linearised`: one Newton step and no test. On failure q is wherever it got to.
tml_status tml__nodal_solve_stage(nodal_system* s, const nodal_stage* stage,
                                  const newton_settings* settings, bool is_linearised, double* q,
                                  newton_report* report);

// Solve F(q) = 0 from the guess in q, in place, gravity times `load`: statics.
tml_status tml__nodal_settle(nodal_system* s, const newton_settings* settings, double load,
                             double* q, newton_report* report);

// Gravity times `load` from now on: statics adds it little by little.
void tml__nodal_set_load(nodal_system* s, double load);

// Is shift M - dF/dx positive definite at q?
bool tml__nodal_is_definite(nodal_system* s, double shift, const double* q);

// The smallest eigenvalue of -dF/dx over M, 1/s^2, after tml__nodal_is_definite has said yes without
// a shift; its mode into `mode`, which like `work` has room for a state.
double tml__nodal_softest(nodal_system* s, double* mode, double* work);

// Entry (i, j) blocks of dF/dx as a dense row-major width x width matrix, for tests and analyses.
void tml__nodal_stiffness(nodal_system* s, const double* q, double* dense);

typedef struct nodal_statistics {
    int unknowns;
    long long factor_entries;
    double factor_flops;
} nodal_statistics;

nodal_statistics tml__nodal_statistics(const nodal_system* s);

#endif
