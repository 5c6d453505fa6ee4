// method/links/contact.h - links that touch something that stands still or is led, or are pulled at by springs from
// there (springs.h).                                                                [notes, contact section 6]
//
// A compliant contact of a link with the world, or with a body that is led, belongs to that link alone: its force and the derivative
// of it join the link's own 6 x 6 matrix, and links are eliminated as if nothing touched. Gap, normal and
// point are those of the touching features where the iterate has the link: a link that rolls on a sheave
// of radius S feels a stiffness f_n S about its middle, hundreds of times its inertia in a step, and
// planes that are kept from the start of the step know nothing of it.
//
//   f_n = k max(0, -gap+)     along n, the mean of both normals, at the mean of both arms
//   f_t = clamp(-k t . u, -mu f_n, mu f_n)      u: the way of the point that touched at the start, beyond
//                                               that of the point of the other body there
//
// + is the end of the step. With the means the work of f_n is k depth+ times the change of the depth but
// for third powers of the motion, at most what the contact stores; friction always acts against the way.
#ifndef TML_METHOD_LINKS_CONTACT_H
#define TML_METHOD_LINKS_CONTACT_H

#include "method/links/links.h"

#include <stdint.h>

typedef struct link_contact {
    int place;  // -1: no link takes part
    int led;    // what it touches, in the list of led bodies and one more; 0: stands still
    bool is_a;  // the link is body a of the contact
    const contact* from;  // where the step began; borrowed
    vec3 x0;              // the link there
    mat3 R0;
    vec3 normal,
        arm;  // where this part of the step began: out of the other body; from the centre of mass
    double gap;                // m, there
    vec3 normal_end, arm_end;  // of the iterate
    double gap_end;            // m; 0 where it is just apart
    unsigned char kind;        // open, and which ways it slides: bits
    bool has_turned;           // into another kind by the last evaluation
    vec3 force;                // on the link, N
} link_contact;

typedef struct touched_link {
    int place;
    int first, count;  // its contacts, in links_touch.list
    int sprung;        // among links that springs pull at, and one more; 0: none
    bool is_loose;  // chains, nearly there: what is just apart stands no longer in the derivative
    vec3 x;         // where this part of the step began
    double wrench[6];  // of the iterate: force and torque about the centre of mass
    double slope[36];  // how they fall as the end of the step is shifted and turned; by rows
    int64_t answered;  // the evaluation that its answer was made for; -1: none
} touched_link;

// The factored 6 x 6 matrix of a link.
typedef struct six {
    double matrix[36];
    int pivot[6];
} six;

// How a touched link of a net answers in an iteration: its matrix, and its motion without further forces.
typedef struct touched_answer {
    six matrix;
    vec3 shift, turn;
} touched_answer;

// Links of a net or a chain that touches whose updates go in circles are held back, each by itself (held.c).
enum {
    HELD_SHARE = 0,  // how many times its inertia counts in the matrix
    HELD_TURN = 1,   // 3: by the last iteration, rad
    HELD_ROWS = 4,
};

typedef struct links_touch {
    int capacity;  // of contacts
    int contact_count, link_count;
    int corners;       // contacts that opened, closed, stuck or slid anew in the last evaluation
    double stiffness;  // N/m
    bool is_loose;  // nets, past their start: what is just apart stands no longer in the derivative
    bool
        is_start;  // chains: what pushed where this part of the step began may pull in the first iteration
    link_contact* contacts;
    int* list;  // contacts, link by link
    touched_link* links;
    touched_answer* answers;  // nets: per touched link
    double* held;             // HELD_ROWS rows of eight per row
    double* ports;          // chains: what a link answered when its block was reduced, TOUCHED_ROWS
    int64_t evaluation;     // changes when all links are to answer anew
    int* of_place;          // per place: its touched link and one more; 0: none
    unsigned char* in_row;  // per row: one of its eight links touches
    unsigned char* in_item;
    // chains
    int* by_item;   // links that touch, block by block,
    int* first_of;  // per block and one more: into them
    int*
        item_corners;  // per block: contacts that opened, closed, stuck or slid anew in its last evaluation
} links_touch;

tml_status tml__links_touch_create(link_system* l, int capacity);
void tml__links_touch_destroy(link_system* l);

// The contacts of a step, bodies where it starts.
void tml__links_touch_pose(link_system* l, const contact* from, int count, double stiffness,
                           const rigid* bodies);

// The links of a step that springs pull at, at a flat state where it starts; after its contacts if it has any.
void tml__links_touch_springs(link_system* l, const double* q);

// Forces and their derivatives at the iterate. TML_NOT_CONVERGED: features have no unique normal there.
tml_status tml__links_touch_evaluate(link_system* l);

// The same of one block of a chain, after the update `largest` of it, which is NAN where they have no normal; how many
// contacts opened, closed, stuck or slid anew. And then how many of all blocks did.
int tml__links_touch_item(link_system* l, int item);
void tml__links_touch_count(link_system* l);

// What the contacts have done over the step, J.
double tml__links_touch_work(const link_system* l);

// What they have stored at the end beyond what they had where this part of the step began, J. Without what is led,
// which may do work on them, a step that is accepted wins no more than it lost by that.
double tml__links_touch_stored(const link_system* l);

// The next part of the step begins where this one ends.
void tml__links_touch_go_on(link_system* l);

// Touched links of a row of a net, one after the other: what they tell their joints, and how they follow the
// changes of forces (rows of eight: TOUCH_ROWS of the bodies; force and torque in, shift and turn out).
void tml__net_touch_tell(const link_system* l, int row, const double* body);
void tml__net_touch_follow(const link_system* l, int row, double* motion);

// How far a row's links are held back in the next iteration, by how the last one would turn them; and none is.
void tml__links_hold(double* held, const double* turn);
void tml__links_let_go(const link_system* l);

static inline bool links_are_touched(const link_system* l)
{
    return l->touch != NULL && l->touch->link_count > 0;
}

#endif
