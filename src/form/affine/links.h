// form/affine/links.h - bodies held by ball joints only: the dual system of 3 x 3 blocks.
//                                                                              [notes 9.3 5 6]
// Where every joint is a passive ball, the gap vector in world axes serves as its rows, bodies
// couple through joints only, and the unknowns of bodies can be eliminated one by one. What
// is left is one force a joint. Chains and trees are eliminated from the tips to the root, with
// positions rebuilt from the root so that no gap ever opens; other graphs factor the dual
// matrix. Eight bodies are computed at once.
//
//   r, d      R+ x and A x for a joint's point x of the body: rows, and arms of forces
//   W_pq      (beta/m) I - [r_p] K^-1 [d_q]: how a force at q moves p
//   S, z      the same of a joint with all that hangs on it: motion = z + S force
#ifndef TML_FORM_AFFINE_LINKS_H
#define TML_FORM_AFFINE_LINKS_H

#include "form/affine/affine.h"

// What a link is: the same for all links of a chain, so groups of eight share it.
enum {
    LINK_MASS,
    LINK_S,                       // 6: second moments xx yy zz xy xz yz, body axes
    LINK_INNER = LINK_S + 6,      // 3: the point of the joint towards the root
    LINK_OUTER = LINK_INNER + 3,  // 3: of the first joint outwards
    LINK_DRAG = LINK_OUTER + 3,   // N s/m, and
    LINK_SPIN,                    // N m s: what resists motion
    LINK_WIND,                    // 3: the air's velocity
    LINK_CONSTANTS = LINK_WIND + 3,
};

// What a link remembers of a step, eight links a row.
enum {
    LINK_V = 0,        // 3
    LINK_OMEGA = 3,    // 3
    LINK_R = 6,        // 9
    LINK_END = 15,     // 9: R at the end
    LINK_MOVE = 24,    // 3
    LINK_FORCE = 27,   // 3: of the joint towards the root, on this link
    LINK_CHANGE = 30,  // 3: of that force, this iteration
    LINK_KINV = 33,    // 9
    LINK_KE = 42,      // 3: K^-1 E_w; once Newton is done, omega at the end
    LINK_EX = 45,      // 3: E_x beta/m; once Newton is done, v at the end
    LINK_L = 48,       // 9: change = y + L (change of the next joint inwards)
    LINK_Y = 57,       // 3
    LINK_STATE = 60,
};

typedef struct link_port {
    double S[9], z[3];
} link_port;

// A point of a link: arms as the rows and as the forces see it, and its motion without forces.
typedef struct scalar_port {
    vec3 r, d, u;
} scalar_port;

typedef struct link_system {
    maximal_system* s;  // borrowed
    tml_allocator allocator;
    int count;         // links: moving bodies, the root first
    int group_count;   // of eight
    bool is_chain;     // every link hangs on the one before
    int* node;         // per link
    int* link_of;      // per node
    int* parent;       // per link: -1 is the world, -2 none (floating)
    int* joint;        // per link: the joint towards the root; -1: none
    int* first_child;  // per link: links first_child .. first_child + child_count - 1
    int* child_count;  //
    double* outer;     // 3 per link: the point of its joint on the parent
    int type_count;    //
    double* types;     // LINK_CONSTANTS rows of eight
    int* group_type;   // per group
    double* state;     // LINK_STATE rows of eight per group
    double* x;         // 3 per link: position at the start
    double* sweep;     // SWEEP_ROWS rows of eight
    link_port* port;   // per link, or a few where links follow each other
    int port_mask;
    int most_children;
    double* scratch;     // of the link with the most children: n^2 + 4 n, n = 3 children
    int* pivot;          // n
    scalar_port* ports;  // per child
    const struct links_kernels* kernels;
} link_system;

// Are all joints passive balls between bodies, without loops and anything that acts on joints?
bool tml__links_fit(const tml_model* m);

tml_status tml__links_create(maximal_system* s, message* why, link_system** out);
void tml__links_destroy(link_system* l);

void tml__links_load(link_system* l, const double* q, const double* v, const double* lambda);
void tml__links_store(const link_system* l, double* q, double* v, double* lambda);
void tml__links_go_on(link_system* l);
void tml__links_forget_forces(link_system* l);

tml_status tml__links_step(link_system* l, const affine_stage* stage,
                           const newton_settings* settings, affine_report* report);

// The nearest velocities that the joints allow, at the start of the step; the largest change.
tml_status tml__links_project(link_system* l, double* change);

// Forces of the joints by the accelerations at the start of the step.
tml_status tml__links_forces(link_system* l);
void tml__links_forces_out(const link_system* l, double* lambda);  // 3 a joint, on the link, world

// The best instruction set of this machine is taken on creation. False: this machine lacks it.
bool tml__links_use(link_system* l, block_isa isa);

// ---- links_body.c: eight links at once

typedef enum links_mode {
    LINKS_STEP,     // Newton's equations of a step
    LINKS_PROJECT,  // velocities at the end of the step onto the joints
    LINKS_FORCES,   // accelerations at the start of the step
} links_mode;

// What the sweeps need of a group, eight links a row.
enum {
    SWEEP_AA = 0,       // 9: W of the inner joint
    SWEEP_AC = 9,       // 9: of the inner by the first outer one
    SWEEP_CA = 18,      //
    SWEEP_CC = 27,      //
    SWEEP_UA = 36,      // 3: motion of the inner joint's point without forces
    SWEEP_UC = 39,      // 3
    SWEEP_OUT_F = 42,   // 3: gathered: force of the first outer joint, or its change
    SWEEP_MORE_F = 45,  // 3: of all further ones together
    SWEEP_MORE_Q = 48,  // 9: sum of f x^T of the further ones; for changes 3: their torque
    SWEEP_GA = 57,      // 3: (R+ - R) x of the inner joint's point
    SWEEP_GC = 60,      // 3: of the first outer one
    SWEEP_ROWS = 63,
};

typedef struct links_call {
    link_system* l;
    int group;
    links_mode mode;
    affine_stage stage;
    vec3 gravity;
    bool has_more;  // a link of the group has more than one outer joint
    double* sweep;  // SWEEP_ROWS rows of eight
} links_call;

// Sums over the links of a group at the end of a step.
typedef struct links_sums {
    double before, after;    // kinetic energy, J
    double work, work_size;  // J
    double trace;            // the smallest of R^T R+
} links_sums;

typedef struct links_kernels {
    void (*assemble)(const links_call* c);
    double (*update)(const links_call* c);  // the largest turn, rad, or change of a velocity
    void (*predict)(const links_call* c);
    void (*close)(const links_call* c, links_sums* sums);
} links_kernels;

const links_kernels* tml__links_kernels(block_isa isa);  // NULL when the machine lacks it

// ---- links_sweep.c

// Where velocities lead, with joints closed.
void tml__links_start(links_call* call);

// All links assembled and eliminated, from the tips to the root.
tml_status tml__links_inwards(links_call* call);

// What a hand's push has done over the step, J.
double tml__links_push_work(const link_system* l);

// Forces and turns, from the root to the tips; the largest turn or change of a velocity.
double tml__links_outwards(links_call* call);

#endif
