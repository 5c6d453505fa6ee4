// method/generalized/rows.h - what the tree does not hold by itself, as rows over its columns.
//
// Joints that close loops, free axes driven to a position, couplings, and limits that act are rows
// of the maximal system; here they are seen through the columns of the tree. With H = L^T L the
// mass matrix, a row j has y = L^-T j^T, whose entries lie on the paths inwards of its bodies, and
// all rows together A = J H^-1 J^T = Y^T Y. Rows may depend on each other: the independent ones do
// the work (a pivoted Cholesky of A scaled to a unit diagonal chooses them), the others carry
// nothing, and a caller who wants the least loads asks for them afterwards.
#ifndef TML_METHOD_GENERALIZED_ROWS_H
#define TML_METHOD_GENERALIZED_ROWS_H

#include "method/generalized/dynamics.h"

typedef struct gen_rows {
    gen_tree* tree;     // borrowed
    maximal_system* s;  // borrowed
    tml_allocator allocator;
    int capacity;        // rows that may act at once
    int full_capacity;   // of them: those that may be in the factor, contacts are not
    size_t entry_limit;  // entries they may have together
    bool* is_candidate;  // per row of the maximal system: not held by the tree
    int count;           // rows that act
    int* row;            // their rows in the maximal system, -1: a contact or a spring
    double* give;        // their compliances
    double* offset;      // what is added to their rates, m/s or rad/s
    size_t* start;       // count + 1, into the entries
    int* column;         // per entry, outer columns first
    double* j;           // per entry
    double* size;    // per entry: what j would be without cancellation, for scale; not of sure rows
    double* y;       // per entry
    double* A;       // full_capacity x full_capacity, unscaled
    double* factor;  // the same, scaled and factored
    bool* is_sure;   // per row: a contact's that can be moved whatever cancels; in no factor
    unsigned char* together;  // per row: so many from here move the same columns; 0: see one before
    double* natural;          // per row: A_ii if nothing cancelled; 0: a sure row
    double* scale;       // per row: 1 / sqrt(A_ii), 0 where nothing moves the row; of a sure one 1
    double* compliance;  // per row: added to A_ii
    int* order;          // of the factor
    int leading, rank;   // rows in the factor, and those of them that are independent
    int closed_rank;     // how many were where all of them were closed; -1: not known
    double* side;        // per row: right-hand side and solution
    double* scratch;     // per row
    double* wide;        // per column, zero between calls
    double* wide_size;   // the same
    double*
        wide_many;  // ROW_LANES per column: of rows that are lifted together, zero between calls
    int* place;     // per column: where sweeps put it, a mechanism's from a multiple of four on
    int places;     //
    bool* is_straight;    // per column: those inwards of it have the numbers next below its own
    double* length;       // 2 per column: of what it turns and of what it moves by
    unsigned char* mark;  // per column, zero between calls
} gen_rows;

// Which rows of the maximal system act through columns: all that may ever do, limits included.
bool tml__gen_has_rows(const gen_tree* t, const maximal_system* s);

// `extra`: room for so many rows beside those, between any two bodies each. `has_stiff`: and for all that
// is sprung (stiff.h).
tml_status tml__gen_rows_create(gen_tree* t, maximal_system* s, int extra, bool has_stiff,
                                const tml_allocator* allocator, message* why, gen_rows** out);
void tml__gen_rows_destroy(gen_rows* r);  // NULL is fine

// The rows that act at the placed tree and the evaluated rows of s; compliant ones on wish.
void tml__gen_rows_collect(gen_rows* r, bool has_compliant);

// One row more: a gradient on a follower and a base (bodies of the model).
void tml__gen_rows_append(gen_rows* r, int row, int follower, int base, const rigid_gradient* g,
                          double give);

// The same for up to ROWS_TOGETHER gradients on the same two bodies, without compliance but for the first.
enum {
    ROWS_TOGETHER = 3,
    ROW_LANES = 4  // three rows, and one that is idle
};
void tml__gen_rows_append_together(gen_rows* r, int follower, int base, int count,
                                   const rigid_gradient g[ROWS_TOGETHER], double give);

// The rows of a contact, a normal alone or with two tangents; what surely moves has its y at once, by the
// factor of the tree. How fast the normal opens at the rates `start`, and each row at `rates`, into `out`.
typedef struct contact_push {
    int follower, base;  // bodies of the model
    int count;           // 1 or ROWS_TOGETHER
    vec3 ways[ROWS_TOGETHER];
    vec3 point;
    double give;
} contact_push;

typedef struct contact_rates {
    double before;
    double after[ROWS_TOGETHER];
} contact_rates;

void tml__gen_rows_append_contact(gen_rows* r, const contact_push* p, const double* start,
                                  const double* rates, contact_rates* out);

// The same for the length of a path, evaluated at the placed bodies.
void tml__gen_rows_append_path(gen_rows* r, const spring_data* spring, const spring_state* state,
                               double give);

// y with the factor of the tree, and `compliance_scale` times the compliances; then A of the first
// `leading` rows and its factor.
void tml__gen_rows_lift(gen_rows* r, double compliance_scale);
void tml__gen_rows_lift_from(gen_rows* r, int first, double compliance_scale);  // only later rows
void tml__gen_rows_factor(gen_rows* r, int leading);

// A f = r->side for the factored rows, in place.
void tml__gen_rows_solve(gen_rows* r);

// The rate of an acting row at rates of the columns.
double tml__gen_rows_rate(const gen_rows* r, int i, const double* rates);

// out += J^T f, out += Y^T f, and out += H^-1 J^T f.
void tml__gen_rows_spread(const gen_rows* r, const double* f, double* out);
void tml__gen_rows_pull(const gen_rows* r, const double* f, double* out);
void tml__gen_rows_push(gen_rows* r, const double* f, double* out);

// The second time derivative of each acting row, into r->side, for the accelerations of the bodies
// in the tree. scratch: 2 per row of the maximal system.
void tml__gen_rows_curve(gen_rows* r, double* scratch);

// Multipliers of the rows that the tree holds by itself, from what its joints transmit
// (t->carried, after tml__gen_inverse at the state of s).
void tml__gen_tree_multipliers(const gen_tree* t, const maximal_system* s, double* lambda);

#endif
