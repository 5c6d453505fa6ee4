// contact/problem.h - contacts between bodies in maximal coordinates, as rows of one complementarity
// problem.                                                     [notes, contact section 6]
//
// A formulation of rigid bodies brings the poses, takes a push on every body, and tells how far its
// step moved them. Everything else is here: a contact is a normal row and two rows of friction, frozen
// where the step starts, and
//
//     w = J d / h + gap / h          what a step of displacement d makes of the row, m/s
//     d(w)/d(f) = A = J G J^T        G: inverse of the mass matrix that also keeps all joints closed
//
// G comes from the factor that sim->system->matrix holds anyway. Bodies that no joint, spring or
// coupling ties together do not answer each other, so that one solve serves a unit push on every such
// mechanism at once: a heap of small mechanisms costs a handful of solves whatever its size. What a
// mechanism answers where it is touched is a small matrix of its own, G_p = L L^T with as many columns
// as it has freedoms there, so that A = Y Y^T with the rows of Y over the columns of the one or two
// mechanisms that they push: room and products grow with the contacts, not with their square.
#ifndef TML_CONTACT_PROBLEM_H
#define TML_CONTACT_PROBLEM_H

#include "geom/contact.h"
#include "method/maximal.h"
#include "solve/lcp.h"

// A scalar row between two bodies: its rate is the sum of g . (v, omega) over both.
typedef struct touch_row {
    int node[2];     // -1: does not move
    double g[2][6];  // force and torque that a unit push puts on the node
} touch_row;

typedef struct touch_set {
    maximal_system* s;  // borrowed
    tml_allocator allocator;
    int max_contacts;
    int capacity;      // rows
    double stiffness;  // of every contact, N/m; 0: hard
    double slop;       // gaps and overlaps up to this are none, m
    int sweeps;        // see lcp_problem

    // which nodes answer each other, fixed at creation
    int* part;  // per node
    int part_count;
    int most_touched;  // nodes of one part that may be touched at once

    // the rows of a step
    double h;
    int contact_count;
    int row_count;
    int* contact_row;       // per contact: its normal row; friction rows follow
    int* friction_rows;     // per contact: 0 or 2
    touch_row* rows;        // where the step starts
    touch_row* rows_ahead;  // the same where it ends
    lcp_row* kinds;
    double* gap;   // per row: normal rows only, m
    double* give;  // per row: what a unit impulse opens, m/s/(N s)
    double*
        creep;  // per row: how fast friction that holds may creep where rows contradict each other, m/s
    double* f;  // impulses, N s
    double* w;  // m/s
    double* b;
    double* guess;
    unsigned char* labels;
    unsigned char* labels_before;  // of the step before: LCP_UNKNOWN for new contacts

    // the rows over the columns of the parts they push
    int column_count;
    size_t* start;       // capacity + 1
    int* column;         // per entry
    double* y;           // per entry
    size_t entry_limit;  // entries there is room for
    double* answer;      // per part: what its touched nodes answer, then the factor L
    size_t answer_limit;
    size_t* answer_first;  // per part
    int* part_rank;        // per part: its columns,
    int* part_column;      // and the first of them
    int* local;            // per touched node: its place in its part
    int* pivot_place;      // 6 per touched node: where the factor has its coordinate
    double* coordinate;    // 6 per touched node: scale of its coordinates
    int* pivot_order;      // 6 per node of the largest part
    double* wide;          // per column: scratch

    // scratch
    lcp* solver;
    lcp_report report;
    lcp_row* kinds_other;
    unsigned char* labels_other;
    double* f_other;
    double* w_other;
    double* f_start;
    int* node_slot;  // per node: its place among the touched, -1: not touched
    int* touched;    // nodes
    int touched_count;
    int* part_first;   // per part, and one more: its touched nodes in `part_order`
    int* part_order;   //
    double* response;  // per row
    double* rhs;       // 6 per node
    double* none;      // per row of the system: zero
    double* dx;        // 6 per node
    double* dl;        // per row of the system
} touch_set;

typedef struct touch_settings {
    int max_contacts;
    double stiffness;
    double margin;  // m
    int sweeps;     // see lcp_problem
} touch_settings;

tml_status tml__touch_create(maximal_system* s, const touch_settings* settings,
                             const tml_allocator* allocator, message* why, touch_set** out);
void tml__touch_destroy(touch_set* t);  // NULL is fine

// Rows of these contacts at the bodies as placed. `labels`: 3 a contact, of the step before.
void tml__touch_pose(touch_set* t, const contact* contacts, int count, double h,
                     const unsigned char* labels);

// The rows over columns, by the factor of mass matrix and rows that the system's matrix holds. Rows
// that nothing can move are switched off. TML_TOO_MANY_CONTACTS: more of one mechanism is touched than
// there is room for; other failures are those of the factor, and `why` is not written.
tml_status tml__touch_matrix(touch_set* t, message* why);

// The rows of contact i as they are where bodies have moved on to and are placed, into rows_ahead. They take the
// place of the others, and give it back, by a swap; tml__touch_lift then puts rows over their columns again, by what
// bodies answered where the step started.
void tml__touch_pose_ahead(touch_set* t, int i, const contact* there);
void tml__touch_swap_ends(touch_set* t);
tml_status tml__touch_lift(touch_set* t, message* why);

// By how much of itself row i changes from the start of the step to its end: by what it would push on free bodies.
double tml__touch_turned(const touch_set* t, int row);

// out = A f.
void tml__touch_respond(const touch_set* t, const double* f, double* out);

// How a motion (6 a node) changes each row, and what impulses push the nodes with (6 a node).
void tml__touch_rates(const touch_set* t, const double* motion, double* out);
void tml__touch_rates_ahead(const touch_set* t, const double* motion,
                            double* out);  // by rows_ahead
void tml__touch_push(const touch_set* t, const double* f, double* wrench);

// Find impulses such that w = start + reach A (f - f_start) obeys the laws of the rows, from what a
// step with the impulses t->f was seen to do (w_seen, gaps included). t->f, t->w and t->labels.
// `guess`: impulses near the answer, NULL: t->f.
tml_status tml__touch_solve(touch_set* t, const double* w_seen, double reach, const double* guess,
                            message* why);

// How fast friction may creep where bodies move so (6 a node), into t->creep.
void tml__touch_let_creep(touch_set* t, const double* motion);

// The largest violation of the laws by w with the impulses and labels as the last problem left them, m/s, and its row.
double tml__touch_violation(const touch_set* t, const double* w, double reach, int* row);

// Velocities at the end of a step: of contacts is_closed (at their normal rows) all rows count, with the labels of the
// step to begin with. Then `rate` is what rows have there with the impulses t->f_other, `after` what they must not fall
// below; t->f_other becomes impulses that see to it.
void tml__touch_close(touch_set* t, const unsigned char* is_closed);
tml_status tml__touch_bounce(touch_set* t, const double* rate, const double* after, message* why);

// Each x[i] becomes its sum over the island of row i: bodies that contacts, joints, springs and couplings
// tie together.
void tml__touch_sum_islands(touch_set* t, double* x);

// The part of every node, by number: what joints, springs and couplings tie together. Answers how many there are.
int tml__touch_list_parts(const maximal_system* s, int* part);

// The smallest motion in the metric of the mass matrix that parts what overlaps; impulses that would
// make it in t->f_other. False in *is_needed: nothing overlaps.
tml_status tml__touch_part(touch_set* t, bool* is_needed, message* why);

// Two bodies of a row, for messages.
void tml__touch_name(const touch_set* t, const contact* contacts, int row, char* text,
                     size_t capacity);

// The impulse on body a of a contact, world axes.
vec3 tml__touch_force(const touch_set* t, const contact* contacts, int i, const double* f);

#endif
