// method/links/links.h - bodies held by ball joints: one force a joint.
//                                                                              [notes 9.3 5 6]
// Where every joint is a passive ball, the gap vector in world axes serves as its rows, bodies
// couple through joints only, and the unknowns of bodies can be eliminated one by one. What
// is left is one force a joint, eliminated from the tips to the root; positions are rebuilt from the
// root so that no gap ever opens. Eight bodies are computed at once, side by side in the lanes of a
// vector, and whatever is computed together does not depend on each other:
//
//   chain   cut into segments of equal length, eight of them to a block; lanes are segments. A
//           segment is reduced to its two ends, the ends are solved one after the other, and the
//           segment is eliminated again with the forces at its ends known: nothing but the state of
//           a link is kept. Blocks that have settled rest while others go on (links_chain.c).
//   tree    whole branches in stretches that fit the second cache, what carries them before all; in a stretch
//           links of equal depth, by eights (links_tree.c).
//   net     with loops: bodies with as many joints by eights, and the forces of all joints by one sparse
//           factorisation (net.h).
//
//   r, d      R+ x and A x for a joint's point x of the body: rows, and arms of forces
//   W_pq      (beta/m) I - [r_p] K^-1 [d_q]: how a force at q moves p
//   S, z      the same of a joint with all that hangs on it: motion = z + S force
#ifndef TML_METHOD_LINKS_LINKS_H
#define TML_METHOD_LINKS_LINKS_H

#include "base/team.h"
#include "method/affine/affine.h"

// What a link is: the same for all links of a chain, so rows of eight share it.
enum {
    LINK_MASS,
    LINK_S,                       // 6: second moments xx yy zz xy xz yz, body axes
    LINK_INNER = LINK_S + 6,      // 3: the point of the joint towards the root
    LINK_OUTER = LINK_INNER + 3,  // 3: chains: of the joint outwards
    LINK_DRAG = LINK_OUTER + 3,   // N s/m, and
    LINK_SPIN,                    // N m s: what resists motion
    LINK_WIND,                    // 3: the air's velocity
    LINK_JOINED = LINK_WIND + 3,  // chains: 1 where a joint leads outwards, trees: inwards; else 0
    LINK_CONSTANTS = LINK_JOINED + 1,
};

// What a link remembers of a step, eight links a row.
enum {
    LINK_V = 0,           // 3
    LINK_OMEGA = 3,       // 3
    LINK_R = 6,           // 9
    LINK_END = 15,        // 9: R at the end
    LINK_MOVE = 24,       // 3: of the centre of mass; in chains beyond that of the segment's start
    LINK_FORCE = 27,      // 3: of the joint towards the root, on this link
    LINK_V_END = 30,      // 3
    LINK_OMEGA_END = 33,  // 3
    LINK_STATE = 36,
};

// What is the same for all links of a kind, and what that saves.
typedef struct link_traits {
    bool is_symmetric;  // the outer point is opposite to the inner one
    bool is_principal;  // the second moments are diagonal
} link_traits;

// Sums over eight links, or eight segments, at the end of a step.
typedef struct links_sums {
    double before, after;    // kinetic energy, J
    double work, work_size;  // J
    double trace;            // the smallest of R^T R+
} links_sums;

struct links_call;
struct links_led;      // led.h
struct links_springs;  // springs.h
struct links_touch;    // contact.h

// What the first joint of a chain hangs on: a point of the world, or one that a led body or the joint's own drives take
// along. Where a part of the step starts and ends, and how it moves: at that end, or at the accepted state.
typedef struct links_anchor {
    vec3 from, to;
    vec3 rate, acceleration;
} links_anchor;

// All kernels have one shape: what they do to an item.
typedef void links_kernel(const struct links_call* call, int item);

typedef struct links_kernels {
    links_kernel* reduce;   // chains: a block to its ends
    links_kernel* resolve;  // and back
    links_kernel* inward;   // trees: a row of links
    links_kernel* outward;  //
    links_kernel* predict_chain;
    links_kernel* predict_tree;
    links_kernel* close_chain;
    links_kernel* close_tree;
    links_kernel* open_net;     // nets: what a row tells its joints
    links_kernel* follow_net;   // and how it follows them
    links_kernel* predict_net;  //
    links_kernel* gaps_net;     // a row's share of the gaps
    links_kernel* load;         // a row, from a flat state
    links_kernel* chord;        // chains: how far a segment's end is from its start
    links_kernel* store_chain;
    links_kernel* store_tree;
    links_kernel* store_net;
    links_kernel* load_end;    // chains backwards: the end of a part, a row
    links_kernel* back_rates;  // its velocities before they are projected
    links_kernel* back_press;  // gradients of projected velocities as motions
    links_kernel* back_settle;
    links_kernel* back_close;
    links_kernel* back_finish;
} links_kernels;

// How links are eliminated.
typedef enum links_shape {
    LINKS_CHAIN_OR_TREE,  // a chain where it is one
    LINKS_TREE,
    LINKS_NET,
    LINKS_NET_ITERATED,  // the same, its forces by conjugate gradients
} links_shape;

typedef struct link_system {
    maximal_system* s;  // borrowed
    tml_allocator allocator;
    int count;            // links
    int row_count;        // of eight places each
    bool is_chain;        // every link hangs on the one before
    bool has_air;         // something resists motion,
    bool has_spin;        // and turns of themselves
    double damping;       // 1/s: of momenta (rayleigh)
    int* node;            // per place: -1 is empty
    int* place_of;        // per node
    int* joint;           // per place: the joint towards the root; -1: none
    int type_count;       //
    double* types;        // LINK_CONSTANTS rows of eight
    link_traits* traits;  // per type
    int* row_type;        // per row
    int* row_axis;        // per row: the body axis that all joints of its links are on; -1: none
    double* state;        // LINK_STATE rows of eight, per row
    double* x;            // 3 per place of a root: its position at the start of the step
    int root_places;      // how many of the first places may be roots
    vec3
        root_move;  // of a chain over the step: of its first link where it floats, else of its anchor
    links_anchor anchor;  // of a chain that does not float
    bool is_moored;       // it moves,
    int drawn;            // by the slides of this joint; -1: none

    team* team;        // borrowed; NULL: the caller alone
    int item_count;    // what a thread takes at a time: blocks of segments, or rows
    int last_bodies;   // links that took part in the last iteration
    double* largest;   // per item: the largest update
    links_sums* sums;  // per item

    // chains
    int length;           // places of a segment
    int segment_count;    // that have links
    double* ends;         // END_ROWS rows of eight per block: the reduced segments
    double* head_force;   // 3 per segment and one more: the force of its first joint,
    double* head_change;  // its change,
    double* head_next;    // and both
    double* steepness;    // per block: the most that a link turns by a unit of force
    double* pending;      // per block: changes of forces at its ends that it has not followed
    bool* has_rested;     // per block: in the last iteration
    double* offset;       // 3 per segment: how far its start has moved
    double* span;         // 3 per segment: how far its end has moved beyond that
    double* start;        // 3 per segment: where it starts at the end of the step
    double* thomas;       // 12 per segment: elimination of the ends
    double* scratch;      // of a block, for each thread
    // trees: stretch 0 carries the others, each of which is whole branches
    int depth;           // levels of the tree
    int stretch_count;   //
    int* stretch_level;  // per stretch and one more: its first level
    int* level_row;      // per level of a stretch and one more: its first row
    int* first_child;    // per place, and one more: into `children`
    int* children;       // places
    double* up;          // UP per place: what it tells the link it hangs on,
    double* down;        // DOWN per place: and what it is told
    double* hung;        // 3 per place of a root: where it hangs
    int* first_branch;   // per row: into `branches`
    double* branches;    // 3 rows of eight, for as many outer joints as a link of the row has: from
                         // the inner joint to this one, on the link
    double* response;    // RESPONSE_ROWS rows of eight, per row
    int* row_children;   // per row: the most outer joints of a link
    struct net* net;     // NULL: a chain or a tree
    struct links_touch* touch;  // chains and nets: what touches or is pulled at; NULL: nothing may
    struct links_springs* springs;  // chains and nets: what pulls; NULL: nothing
    struct links_led* led;  // bodies that have no place, because joints lead them; NULL: none
    links_kernels kernels;
} link_system;

// What a model has beside passive balls that not all ways to eliminate links take.
typedef struct links_extras {
    int links;
    bool has_springs;  // between one link and what stands still or is led
    bool has_damping;  // of momenta (rayleigh)
    bool is_moored;  // a link hangs on a led body, or on a point that its joint drives: for chains
} links_extras;

// Are all joints passive balls between bodies, without anything that acts on joints, but for those that lead
// bodies (led.h) and those that draw a link along by a point, and does each spring pull at one link? Chains and trees
// must also be without loops. False also where there is no memory to tell.
bool tml__links_fit(const tml_model* m, const tml_allocator* allocator, links_extras* out);

// Does each link hang on the one before? Only for what fits and has no loops.
tml_status tml__links_is_chain(const tml_model* m, const tml_allocator* allocator, bool* out);

tml_status tml__links_create(maximal_system* s, links_shape shape, team* threads, message* why,
                             link_system** out);
void tml__links_destroy(link_system* l);

// Where a joint is on a body, from its centre of mass.
vec3 tml__links_point(const tml_model* m, int joint, int body);
void tml__links_find_axes(link_system* l);  // row_axis

void tml__links_load(link_system* l, const double* q, const double* v, const double* lambda);
void tml__links_store(link_system* l, double* q, double* v, double* lambda);
void tml__links_show(link_system* l, double* q, double* v,
                     double* lambda);  // and goes on from the start
void tml__links_go_on(link_system* l);
void tml__links_forget_forces(link_system* l);
void tml__links_put_forces(link_system* l, const double* lambda);  // of chains and nets

tml_status tml__links_step(link_system* l, const affine_stage* stage,
                           const newton_settings* settings, affine_report* report);

// The nearest velocities that the joints allow, at the start of the step; the largest change.
tml_status tml__links_project(link_system* l, double* change);

// Forces of the joints by the accelerations at the start of the step.
tml_status tml__links_forces(link_system* l);
void tml__links_forces_out(const link_system* l, double* lambda);  // 3 a joint, on the link, world

// A body at or near the largest change of the last iteration.
int tml__links_worst(const link_system* l);

// The best instruction set of this machine is taken on creation. False: this machine lacks it.
bool tml__links_use(link_system* l, block_isa isa);

// ---- between the files

typedef enum links_mode {
    LINKS_STEP,     // Newton's equations of a step
    LINKS_PROJECT,  // velocities at the end of the step onto the joints
    LINKS_FORCES,   // accelerations at the start of the step
    LINKS_BACK,     // the transposed equations of a step, by gradients (links_back.c)
} links_mode;

// What is told of a row of links that touch, rows of eight, and what they answer (contact.c).
enum {
    TOUCH_K = 0,
    TOUCH_R = 9,
    TOUCH_A = 18,
    TOUCH_EX = 27,
    TOUCH_EW = 30,
    TOUCH_INERTIA = 33,
    TOUCH_ROWS = 34,
    TOUCHED_AA = 0,
    TOUCHED_AC = 9,
    TOUCHED_CA = 18,
    TOUCHED_CC = 27,
    TOUCHED_NA = 36,
    TOUCHED_NC = 45,
    TOUCHED_UA = 54,
    TOUCHED_UC = 57,
    TOUCHED_KE = 60,
    TOUCHED_ROWS = 63,
};
void tml__links_touch_answer(const link_system* l, int row, const double* body, double* ports);

// A segment seen from its ends, rows of eight: with forces f at its first joint and g at the joint
// beyond its last,
//     first point moves by z + S f + Q g,   last point by y + B f + T g
enum {
    END_S = 0,
    END_Q = 9,
    END_B = 18,
    END_T = 27,
    END_Z = 36,
    END_Y = 39,
    END_ROWS = 42,
};

// What a link of a tree tells the one it hangs on, and what it is told, in pieces of eight numbers.
enum {
    UP_W = 0,   // 9: how the joint's force goes with its motion, W m - y
    UP_Y = 9,   // 3
    UP_F = 12,  // 3: its force on the link; 1 unused
    UP = 16,
    DOWN_M = 0,  // 3: how the joint moves by this iteration; where the joint is, in the end
    DOWN_G = 3,  // 3: how far the joint has moved over the step; 2 unused
    DOWN = 8,
};

// How a link of a tree turns as its inner joint moves by m, all that hangs on it included: t + N m.
enum {
    RESPONSE_N = 0,
    RESPONSE_T = 9,
    RESPONSE_ROWS = 12,
};

typedef struct links_call {
    link_system* l;
    links_mode mode;
    affine_stage stage;
    vec3 gravity;
    double* scratch;      // of this thread
    const double* heads;  // chains: forces of the segments' first joints
    bool is_reduced;      // trees: branches are ready for the next iteration
    double last_update;   // trees: of the iteration before; 0: none
    int push_count;       // what a caller lets act, by the places of its links
    const hand_push* pushes;
    const double* wrenches;                 // of accelerations: 6 a node, N and N m; NULL: none
    const double *q_in, *v_in, *lambda_in;  // a flat state to load
    double *q, *v, *lambda;                 // and one to store
    const struct links_back* back;          // LINKS_BACK
} links_call;

// A kernel on items first .. first + count - 1, by all threads.
void tml__links_run(const links_call* call, links_kernel* kernel, int first, int count);

// Once the last update was this small, the next would be its square: below rounding.
static const double links_quadratic = 1e-7;

// One Newton iteration, or the one solve that velocities and forces need; the largest change of a
// turn or of a velocity (links_chain.c, links_tree.c).
tml_status tml__chain_iterate(links_call* call, double* update);
tml_status tml__tree_iterate(links_call* call, double* update);

// Between the reduced segments: head_change.
void tml__chain_solve_ends(const links_call* call);

// The place of link k of a chain.
int tml__chain_place(const link_system* l, int k);

// Where velocities lead, with joints closed.
tml_status tml__chain_start(links_call* call);
void tml__tree_start(links_call* call);

// Poses, rates and forces to the flat state of the call.
void tml__chain_store(links_call* call);
void tml__tree_store(links_call* call);

// All blocks take part in the next iteration, settled or not.
void tml__chain_wake(links_call* call);

// The end of the step is its start, at rest.
void tml__links_rest(link_system* l);

// What a hand's push has done over the step, and what the anchor of a chain has, J.
double tml__links_push_work(const link_system* l);
double tml__links_anchor_work(const link_system* l);

// Numbers of a place: entry k of its rows is [k * LANES].
double* tml__links_lane(const link_system* l, int place);

enum {
    CHAIN_KEPT = 24,   // rows of a place while a segment is resolved
    MOST_LENGTH = 64,  // links of a segment: what is kept of eight of them fits the second cache
};

// The kernels of each file for an instruction set.
void tml__chain_kernels(block_isa isa, links_kernels* out);
void tml__tree_kernels(block_isa isa, links_kernels* out);
void tml__body_kernels(block_isa isa, links_kernels* out);
void tml__net_kernels(block_isa isa, links_kernels* out);
void tml__back_kernels(block_isa isa, links_kernels* out);

#endif
