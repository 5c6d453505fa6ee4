// method/generalized/contact.h - the step that touches: contacts, limits and loops as one
// complementarity problem.                                                    [DCON (1)-(4)]
//
//   (H + h D) (u+ - u) = h (tau - c) + J^T f
//   normal row    w = J u+ + offset,   0 <= f,  0 <= w,  f w = 0
//   friction row  |f_t| <= mu f_n; slides only along its bound
//   limit         as a normal row; loops, drives and couplings hold, w = 0
//   dry friction  of a joint: |f| <= h F, w = J u+ = 0 where it sticks
//
// The offset of a normal row is gap/h while the bodies are apart, so that they may just touch; zero
// where they overlap: what is left of the overlap is taken out by a shift of the positions that
// adds no velocity; e J u where they bounce. What the step was made of stays until the next one.
#ifndef TML_METHOD_GENERALIZED_CONTACT_H
#define TML_METHOD_GENERALIZED_CONTACT_H

#include "geom/contact.h"
#include "method/generalized/motion.h"
#include "method/generalized/reach.h"
#include "solve/lcp.h"

// What stands in the offset of a normal row.
typedef enum touch_offset {
    OFFSET_NONE,    // nothing, or a number that does not depend on the state
    OFFSET_GAP,     // gap / h
    OFFSET_BOUNCE,  // e J u, u before the step
} touch_offset;

typedef struct gen_touch {
    gen_motion* motion;  // borrowed
    tml_allocator allocator;
    int max_contacts;
    double stiffness;  // of every contact, N/m; 0: hard
    double slop;       // gaps and overlaps up to this are left alone, m
    int sweeps;        // see lcp_problem

    // the record of the last step
    gen_rows* rows;    // loops, drives and couplings, then limits, dry friction, contacts
    int equal_count;   // of the first kind
    int limit_count;   // of the second
    int* limit_index;  // per limit row: which limit of the maximal system
    limit_side* limit_side_of;
    int dry_count;  // of the third
    int contact_count;
    int left_out;             // of the contacts: a swept step does not meet them (reach.h)
    int* waiting;             // which these are, in their order,
    gen_spot* waiting_spot;   // and what is known of each
    int* contact_row;         // per contact: its normal row; friction rows follow; -1: left out
    int* friction_rows;       // per contact: 0 or 2
    touch_offset* offset_of;  // per contact
    lcp_row* kinds;
    double* b;
    double* guess;  // of the impulses, by the step before
    double* f;      // impulses
    double* w;      // velocities with their offsets
    unsigned char* labels;
    unsigned char* is_independent;
    double* rates_start;  // u
    double* pushed;       // per column: Y^T f of the impulses found so far
    double* rates_try;    // and the rates that they lead to
    twist* motions;       // 2 per body of the tree: at the start, and later on
    double* shift;        // per column: how positions are moved out of overlaps
    lcp_report report;
    int fast_contacts;  // approached faster than the margin allows

    lcp* solver;
    lcp_row* kinds_shift;  // the problem of the shift, over all rows
    double* gap;           // per row: room before the step, then at its end
    double* f_shift;
    double* w_shift;
    unsigned char* labels_shift;
    int parting_count;  // and the rows that take part in it
    int* parting;
    lcp_row* parting_kinds;
    double* parting_gap;
    double* parting_f;
    unsigned char* parting_labels;
} gen_touch;

typedef struct gen_touch_settings {
    int max_contacts;
    double stiffness;
    double margin;  // m
    int sweeps;     // see lcp_problem
} gen_touch_settings;

tml_status tml__gen_touch_create(gen_motion* m, const gen_touch_settings* settings,
                                 const tml_allocator* allocator, message* why, gen_touch** out);
void tml__gen_touch_destroy(gen_touch* c);  // NULL is fine

// What is known from the step before.
typedef struct gen_touch_past {
    const unsigned char* labels;  // 3 per contact; LCP_UNKNOWN for a new one
    const limit_side* sides;      // per limit
    const double* impulses;       // 3 per contact: along the normal and the tangents, N s
    const double* multipliers;    // per row of the maximal system, N or N m
} gen_touch_past;

// Rates after h, in place; impulses of rows of the maximal system are added to `impulse`, the sides
// of limits that push are set in the system, and c->shift says how to move positions beside the
// rates. Contacts name bodies of the model. On a failure `why` names the contact or row.
tml_status tml__gen_touch_impulse(gen_touch* c, const contact* contacts, int count, double h,
                                  double margin, const gen_touch_past* past, const double* numbers,
                                  double* rates, double* impulse, message* why);

// Is a row the dry friction of a joint?
static inline bool gen_touch_is_dry(const gen_touch* c, int row)
{
    const int first = c->equal_count + c->limit_count;
    return row >= first && row < first + c->dry_count;
}

// The impulse on body a of a contact of the last step, world axes.
vec3 tml__gen_touch_force(const gen_touch* c, const contact* contacts, int i);

#endif
