// method/links/net.h - ball joints with loops: the forces of all joints by one sparse factorisation.
//                                                                              [notes 6 9.3 9.7]
// Bodies are eliminated by eights, each by itself; what is left is one force a joint,
//
//     D df = -(gap + motion without df)       D_pq = sum over the body of both: s_p s_q W_pq
//
// with s = 1 where the body is the joint's follower and -1 where it is its base. D has the pattern of the
// joints that share a body and is factored by fronts (linalg/fronts.h). Where rows imply each other D is
// singular: a small multiple of the identity is added and the solution refined, which leaves the
// least of the forces that fit.                                                      [notes 6]
//
// Where D is too large to factor it is solved by conjugate gradients (linalg/krylov.h), each Newton iteration
// only as far as it pays: what a solve leaves the next one takes up.
#ifndef TML_METHOD_LINKS_NET_H
#define TML_METHOD_LINKS_NET_H

#include "linalg/fronts.h"
#include "linalg/krylov.h"
#include "method/links/links.h"

// What a port is: a joint's point on eight bodies, rows of eight.
enum {
    PORT_POINT = 0,  // 3
    PORT_SIDE = 3,   // 1: follower, -1: base, 0: no joint
    PORT_ROWS = 4,
};

// What a row keeps from telling its joints to following them.
enum {
    NET_KINV = 0,  // 9
    NET_W = 9,     // 3: turn and
    NET_X = 12,    // 3: shift without further forces
    NET_MOBILITY = 15,
    NET_KEPT = 16,
};

typedef struct net {
    fronts* dual;  // NULL: by conjugate gradients
    krylov* large;
    krylov_report solved;  // of the last solve by these,
    long long gradients;   // and iterations of all of them
    int joint_count;
    int* first_port;    // per row and one more: its ports
    int* first_pair;    // per row: its pairs of ports, eight blocks each
    int* port_joint;    // eight per port; where there is no joint, one beyond the last
    double* port;       // PORT_ROWS rows of eight per port
    double** pair;      // eight per pair: where its block is added up; NULL: nowhere
    double* kept;       // NET_KEPT rows of eight per row
    double* force;      // 3 per joint and one more: on the follower, world axes
    double* change;     // the same: what opens a joint, then its change of force
    double* rest;       // the same: scratch, of gaps and of a refinement
    double* solution;   // 3 per joint: scratch of a refinement
    double* grounded;   // 3 per joint: the point of the world that it is held at, by its side
    bool is_redundant;  // of the last factorisation
    bool is_kept;       // the iteration solves by the factor of an earlier one
    double update;      // of the last iteration of this step; 1: of none
    double gain;        // what the last iteration left of the update before
} net;

// Has Newton settled? A factor that was kept no longer squares the update, it only shrinks it.
bool tml__net_is_settled(const net* n, double update);

// Where rows imply each other at the poses of the model: relative to a pivot before elimination.
static const double net_regular = 1e-9;

tml_status tml__net_create(link_system* l, bool is_iterated, message* why);
void tml__net_destroy(net* n, const tml_allocator* allocator);

void tml__net_put_forces(net* n, const double* lambda);  // NULL: none
void tml__net_get_forces(const net* n, double* lambda);

tml_status tml__net_start(links_call* call);  // what touches may have no normal there
tml_status tml__net_iterate(links_call* call, double* update);
void tml__net_store(links_call* call);

// The largest entry of a gap at the iterate, m.
double tml__net_gap(links_call* call);

#endif
