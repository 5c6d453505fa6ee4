// diff/contact.h - steps that touch, of formulations in maximal coordinates, as linear maps.
//
// With its labels frozen (which rows of contacts hold, which slide, which part) a step of sim/contact_step.c is
// smooth. It solves, one after the other, with f the impulses of rows and J their gradients where the step
// starts:
//   shift   q_start = q + m,   M m - C^T l = J^T s,   gap + J m = 0          where bodies overlap
//   step    next = formula(past, push),   push = J^T f                        the formulation's own
//           gap at the end = 0 or as at the start,   J d = 0 where friction sticks, d the way made
//   end     u+ = u + du,   M du - C^T l = J^T f',   J u+ = what is asked      where something has met
// Friction at its bound is mu f_n along its tangent. Each is bordered by the rows that hold: the answer of
// the formula to a push along each of them is found by the factor that it has anyway, and
//     A df = -(dg + N dx),   A = N Z,   Z = answers                            [DCON (6)-(16), notes 1.2]
// so that the formula is asked for products only. Backwards the same, transposed.
#ifndef TML_DIFF_CONTACT_H
#define TML_DIFF_CONTACT_H

#include "contact/problem_slope.h"
#include "diff/island.h"
#include "diff/work.h"
#include "sim/contact_step.h"

// ---- rows that hold, as a border (diff/border.c)

// What a row does to the motions of its two nodes.
typedef struct row_pair {
    double g[2][6];
} row_pair;

// A row at one end of a step.
typedef struct border_ends {
    row_pair J;  // its gradient
    row_pair K;  // what a unit of its force pushes, friction at its bound included
} border_ends;

typedef struct border_row {
    int row, contact, r;      // of the touch; r: normal 0, tangents 1 and 2
    border_ends here, there;  // where the border is about, and at the other end of the step
    bool is_end;              // the gap at the end counts, not the way along the row
    row_pair N;               // the way, by the poses at the end
    const touch_bend* end;    // where is_end
} border_row;

typedef struct touch_border {
    touch_set* touch;  // borrowed
    tml_allocator allocator;
    size_t wide;  // numbers of an answer
    int count;
    border_row* rows;
    double* Z;       // count x wide: what the formula answers to each
    double* A;       // count x count, factored
    double* f;       // count
    double* by_end;  // count: gradients by f of what is pushed more at the end of the step
    int* pivot;
    int capacity;
    bool has_free_split;  // joints take up how rows share a push: motions do not tell, loads would
} touch_border;

void tml__border_release(touch_border* b);

// The rows that hold by these labels and kinds; those that depend on others are left out.
// TML_SINGULAR: rows that slide do, and their forces are not unique.
tml_status tml__border_list(touch_border* b, const unsigned char* labels, const lcp_row* kinds,
                            message* why);

// A as filled becomes its factor.
tml_status tml__border_factor(touch_border* b, message* why);

// What a row makes of a motion (6 a node), along K or along its own gradient.
double tml__border_along(const touch_border* b, int k, const row_pair* g, const double* motion);
void tml__border_add(const touch_border* b, int k, const row_pair* g, double scale, double* to);

// f = -A^-1 f, or f = -A^-T f.
void tml__border_solve(touch_border* b, partial_direction way);

// ---- a step

// What a formulation brings.
typedef struct touch_formula {
    bool is_force;  // it is pushed by forces through the step, not by jolts at its start
    // x->next by x->past, the inputs and i->push, without what contacts do in the end. With is_push_alone
    // nothing but i->push counts, and the factor of the last answer is at hand.
    tml_status (*body)(const instant* i);
    // poses (6 a node) at its end by a push alone; `is_first`: the factor is to be made
    tml_status (*respond)(const instant* i, bool is_first, double* pose);
    // multipliers before the end (NULL: none), and what comes after it: at the state as it then stands,
    // i->push in N and N m
    tml_status (*before)(const instant* i, const double* q, const double* v);
    tml_status (*after)(const instant* i, const double* q, const double* v);
} touch_formula;

tml_status tml__linear_touch(const instant* i, const touch_formula* formula);

// Behind a state vector: the mean forces of contacts over the step; zeros of a step that does not touch.
size_t tml__touch_force_count(const tml_sim* sim);
void tml__touch_forget_forces(const tml_sim* sim, partial_direction way, double* next);

void tml__touch_linear_destroy(tml_sim* sim, struct touch_linear* t);  // NULL is fine

// May this step's gradient go through labels of its own (slopes complementarity_aware)? Contacts in reach count
// there, pushed or not.
bool tml__touch_is_aware(const instant* i);

// ---- between the files of such a step

// What bounces in a step, where slopes are those of short steps (diff/contact_bounce.c).
typedef struct touch_impact {
    int count;      // contacts that bounce; of 1 the rest says where and when
    int row;        // of the border at the end
    double t;       // from the start of the step
    double speed;   // of the gap there, < 0
    double change;  // of t, or the gradient by it
} touch_impact;

// Numbers of one step; 6 a node unless something else is said. Backwards they are gradients.
typedef struct touch_linear {
    touch_border shift, step, end;
    touch_border rest;  // rows that hold beside a bounce
    touch_impact impact;
    unsigned char* labels;      // per row: of another choice,
    unsigned char* labels_end;  // and at the end of the step
    touch_bend* bends;          // per contact, where the step starts,
    touch_bend* bends_end;      // and where it ends, of those that could be followed;
    int room;                   // contacts there is room for
    double *q0, *q1;            // 7 a node: where it begins (before any shift) and ends,
    double* v1;                 // and its rates there
    double *pose0, *u0;         // there: poses and velocities; borrowed of `taken`
    double *pose_start, *move;  // after the shift; of the shift
    double *pose1, *u1;         // at the end, velocities before what has met had its say; too
    double *way, *before, *delta, *after;  // values: the way made, u0, u+ - u, u+
    double *a0, *da;                       // acceleration at the start as if nothing touched
    double *push, *mean;                   // of contacts, as the formula takes it; mean force
    double *more, *wrench;                 // scratch
    double *past, *next;                   // state vectors: after the shift, scratch
    double* none;  // zeros: a state vector and all inputs, changed and cleared
    double* pi;    // per row of the system: impulses that go with delta
    double *a_in, *a_out,
        *u_in;            // values: accelerations before and after a bounce, velocities before it
    double* late;         // what a bounce makes of poses at the end
    double* moved;        // a state vector: the past as it is where bodies meet
    double* trial;        // of a gradient that is tried
    double* last;         // values: velocities after what was won was taken off them
    island_linear taken;  // that, with its own numbers
} touch_linear;

// Rows (diff/contact_rows.c): contacts where the step starts, as they bend, and what each row of t->step looks
// at where it ends.
tml_status tml__touch_note_bends(const instant* i);
void tml__touch_note_ends(const instant* i);

// Row k of t->step by poses at the end, and by t->pose0, t->pose_start and t->move; g times that, backwards.
double tml__touch_end_forward(const touch_border* b, int k, const double* pose1, const double* com);
void tml__touch_end_backward(const touch_border* b, int k, double g, double* pose1, double* com);
double tml__touch_start_forward(const instant* i, int k);
void tml__touch_start_backward(const instant* i, int k, double g);

// A contact at one end of the step, and changes or gradients of the poses that it follows there.
typedef enum touch_end {
    AT_START,
    AT_END
} touch_end;
typedef struct touch_view {
    const touch_bend* bend;
    double* pose;
} touch_view;
touch_view tml__touch_view(const instant* i, int which, touch_end end);

// Impulses of rows at one end of the step, by labels.
typedef struct touch_push {
    touch_end end;
    const double* f;
    const unsigned char* labels;  // NULL: normal ones alone
} touch_push;

// out += scale (dJ^T f + what friction's own change pushes), or gradients from those by `out`.
void tml__touch_push_product(const instant* i, const touch_push* push, double scale, double* out);

// The wrenches of all contacts of the step, as they act at its start.
static inline const double* tml__touch_jolt(const tml_sim* sim)
{
    tml__touch_push(sim->touch->rows, sim->touch->rows->f, sim->touch->wrench);
    return sim->touch->wrench;
}

// What either body changes in a pair: `which` 0 friction, 1 restitution.
double tml__touch_pair_forward(const tml_sim* sim, const contact* k, const double* in, int which);
void tml__touch_pair_backward(const tml_sim* sim, const contact* k, double g, int which,
                              double* in);

// By the mass matrix and the rows of a pose: what a unit of each row of a border moves.
tml_status tml__touch_fill_border(const instant* at, const double* q, touch_border* b);

// The restitution of a row that bounces in the step; 0: it does not.
double tml__touch_bounce_of(const instant* i, int which);

// Bounces by the limit of short steps (diff/contact_bounce.c): what bounces, and where. Then t->pose0 and u0 to
// where bodies meet, with t->moved; and t->pose1 and u1 from there to the end of the step. Backwards the other
// way round: the second from x->next and t->u1 to t->late and u1, the first to x->past[0].
tml_status tml__touch_find_impact(const instant* i);
tml_status tml__touch_impact_forward(const instant* i);
tml_status tml__touch_impact_backward(const instant* i);
tml_status tml__touch_fly_forward(const instant* i);
tml_status tml__touch_fly_backward(const instant* i);

// Borders by the labels of the step (0) or by others: those that a gradient asks for (1), everything held (2),
// nothing (3).
tml_status tml__touch_use_labels(const instant* i, int which);

// Both ends (diff/contact_ends.c): t->pose_start and t->move from t->pose0, and gradients back.
tml_status tml__touch_shift_forward(const instant* i);
tml_status tml__touch_shift_backward(const instant* i);

// t->u1 from velocities before to velocities after what has met, t->mean grows by what pushed; backwards
// t->mean is the gradient by the mean force, and t->pose1, pose0 and u0 grow.
tml_status tml__touch_met_forward(const instant* i);
tml_status tml__touch_met_backward(const instant* i);

#endif
