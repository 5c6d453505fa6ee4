// nodal/nodal_internal.h - the inside of a nodal system.
#ifndef TML_NODAL_NODAL_INTERNAL_H
#define TML_NODAL_NODAL_INTERNAL_H

#include "base/pool.h"
#include "force/spring.h"
#include "linalg/fronts.h"
#include "nodal/nodal.h"

// A matrix and where the blocks of every tetrahedron go.
typedef struct nodal_matrix {
    fronts* fronts;
    double** slots;       // 16 per tetrahedron, corner by corner: where a 3 x 3 block is added up;
                          // NULL: a corner is held, or only the other side is stored
    double** diagonal;    // per free node
    double** line_slots;  // the same of springs, a square of its ends each
    double** bent_slots;  // and of bent parts, a square of their nodes each
} nodal_matrix;

// Where a spring reaches a vertex.
typedef struct nodal_end {
    int node;  // -1: held
    int vertex;
    int point;  // of the spring
    double weight;
} nodal_end;

typedef struct nodal_line {
    const spring_data* law;
    int count;
    nodal_end* nodes;
    bool is_carrying;
    size_t first_slot;
} nodal_line;

typedef struct nodal_element {
    int corner[4];
    int node[4];  // -1: held; node_count + i: vertex i of those that follow others
    int material;
    bool is_consistent;
    tetrahedron shape;
} nodal_element;

// An element, or a lump of mass, with a vertex that follows others (tie.c).
typedef struct nodal_bent {
    const nodal_element* element;  // NULL: a lump
    double lump;                   // kg
    int corners;                   // 4 or 1
    int count;
    int* node;       // that its corners follow
    double* weight;  // count x corners
    size_t first_slot;
} nodal_bent;

struct nodal_system {
    tml_allocator allocator;
    pool memory;
    int vertex_count;
    int node_count;  // free and carried
    int free_count;
    int* node;    // per vertex
    int* vertex;  // per node
    vec3* rest;   // per vertex
    vec3* held;   // per vertex: where it is while it is held
    int element_count;
    nodal_element* elements;
    int carrying_count;  // elements with a carried corner
    int* carrying;
    int line_count;
    nodal_line* lines;
    size_t line_slots;      // of all
    rigid* spring_points;   // scratch of one spring
    lift* spring_lifts;     //
    double* spring_blocks;  // 9 per pair of its points: what stands in the matrix
    spring_state spring;    //
    double t;               // s, of the controls of springs
    const double* push;     // 3 a node; NULL: none
    int tie_count;          // vertices that follow others
    const soft_tie* ties;   //
    int* tie_of;            // per vertex; -1: its numbers are its own
    double* tied_x;         // 3 a tie: where they are,
    double* tied_v;         // how fast,
    double* tied_force;     // what acts on them
    int bent_count;
    nodal_bent* bent;
    size_t bent_slots;  // of all
    elastic* materials;
    double* densities;
    double* lump;          // per node, and behind them per tie: mass on the diagonal of M
    double* share;         // the same and its quarter of consistent tetrahedra
    bool is_consistent;    // some tetrahedra are
    bool has_mass_matrix;  // M is more than its diagonal
    vec3 gravity;
    double load;
    double alpha, beta;

    nodal_matrix stiff;   // of a stage, or of statics
    nodal_matrix masses;  // M, consistent masses only
    bool has_masses;      // factored

    // the solve in progress
    const nodal_stage* stage;  // NULL: statics
    double* q;                 // iterate
    double* q_start;           //
    double* v;                 //
    double* force;             //
    double* residual;          //
    double* step;              //
    double* scratch;           //
    double shift;              // statics: mass added to the stiffness, 1/s^2
    int bad_node;
};

// Ties (tie.c): numbers of vertices that follow those of a state; what they follow may be held, which
// counts where `held` is given (NULL: as zero). All of them; and the transpose, added.
vec3 tml__nodal_follow(const nodal_system* s, int i, const double* q, const vec3* held);
void tml__nodal_gather(const nodal_system* s, const double* q, const vec3* held, double* out);
void tml__nodal_scatter(const nodal_system* s, const double* force, double* out);
tml_status tml__nodal_lay_ties(nodal_system* s, const nodal_parts* parts, message* why);
bool tml__nodal_is_bent(const nodal_system* s, const nodal_element* e);
tml_status tml__nodal_lay_bent(nodal_system* s, message* why);
int tml__nodal_bent_pairs(const nodal_system* s, int* pair);
tml_status tml__nodal_bent_slots(nodal_system* s, nodal_matrix* m);
// What a bent part adds to the matrix between its corners, row-major, at the gathered state q; and
// between two of its nodes.
void tml__nodal_bent_matrix(nodal_system* s, const nodal_bent* b, nodal_scales scales,
                            const double* q, double A[144]);
void tml__nodal_bent_block(const nodal_bent* b, const double* A, int row, int column,
                           double out[9]);

// Three numbers of a node, or of a vertex that follows others.
static inline double* tml__nodal_at(const nodal_system* s, double* nodes, double* tied, int node)
{
    return node < s->node_count ? &nodes[3 * node] : &tied[3 * (node - s->node_count)];
}

static inline vec3 tml__nodal_read(const nodal_system* s, const double* nodes, const double* tied,
                                   int node)
{
    return v3_load(node < s->node_count ? &nodes[3 * node] : &tied[3 * (node - s->node_count)]);
}

// Where the corners of an element are, at the gathered state q.
void tml__nodal_corners(const nodal_system* s, const nodal_element* e, const double* q, vec3 x[4]);

// F at q and v without the mass part of damping when v is NULL; into s->force.
void tml__nodal_add_elastic(nodal_system* s, const double* q, const double* v, double* force);

// mass M - stiffness dF/dx into a matrix at q, springs as nodal_scales says.
void tml__nodal_fill(nodal_system* s, nodal_matrix* m, const double* q, nodal_scales scales);

// Springs (spring.c): ends, pairs of free nodes that they couple (at most (ends)^2 / 2), slots.
tml_status tml__nodal_lay_springs(nodal_system* s, const nodal_parts* parts, message* why);
int tml__nodal_spring_pairs(const nodal_system* s, int* pair);
tml_status tml__nodal_spring_slots(nodal_system* s, nodal_matrix* m);
void tml__nodal_add_springs(nodal_system* s, const double* q, const double* v, double* force);
double tml__nodal_spring_energy(nodal_system* s, const double* q);

// What a spring adds to the matrix, point by point into s->spring_blocks; then between two ends of it.
void tml__nodal_spring_blocks(nodal_system* s, const nodal_line* line, nodal_scales scales,
                              const double* q);
void tml__nodal_end_block(const nodal_system* s, const nodal_line* line, int a, int b,
                          double out[9]);

#endif
