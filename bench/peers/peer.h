// bench/peers/peer.h - other engines, and Trammel itself, behind one plain C interface.
//
// A bench builds one description of a scene and hands it to every engine. All that is said about the
// result (energy, joint gaps, overlaps) is computed by the same code from the poses and velocities that
// the engine answers: no engine marks its own work.
//
// The description is the common ground of the engines: rigid bodies in their principal frames, ball,
// hinge, slide and weld joints, convex shapes, gravity and one coefficient of friction, at rest at the
// start. Springs, dampers, limits, drives and armatures of a model are left out for every engine alike.
#ifndef TRAMMEL_BENCH_PEERS_PEER_H
#define TRAMMEL_BENCH_PEERS_PEER_H

#include <trammel/model.h>

TML_BEGIN_C

enum {
    PEER_WORLD = -1,
    PEER_TURNS = 2,
    PEER_WHY = 200  // bytes of a reason
};

typedef enum peer_joint_kind {
    PEER_WELD,
    PEER_HINGE,  // one turn, or two, one after the other, about axes through one point
    PEER_BALL,
    PEER_SLIDE,  // along the axis
    PEER_MIXED,  // slides, then one turn: of scenes that only MuJoCo is given
} peer_joint_kind;

typedef struct peer_body {
    double mass;
    tml_vec3 inertia;  // about the centre of mass
    tml_pose pose;     // at the start: centre of mass, principal axes
    tml_velocity velocity;
    int shape_first, shape_count;  // of the scene's shapes; their poses are in the principal frame
    int parent;                    // of the spanning tree; PEER_WORLD also where the body floats
    int joint;                     // that holds it there; -1: it floats
    int reversed;                  // that joint names the body as its base
} peer_body;

typedef struct peer_joint {
    peer_joint_kind kind;
    int base, follower;  // PEER_WORLD or a body
    tml_vec3 point;      // world, at the start
    int axis_count;      // PEER_HINGE: 1 or 2; PEER_SLIDE: 1
    tml_vec3 axis[PEER_TURNS];
    int slide_count;  // PEER_MIXED
    tml_vec3 slide[3];
    int closes_loop;  // no part of the spanning tree
} peer_joint;

typedef struct peer_scene {
    const char* name;
    tml_vec3 gravity;
    int body_count;
    peer_body* bodies;
    int joint_count;
    peer_joint* joints;
    int shape_count;
    tml_shape_def* shapes;
    int world_first, world_count;  // shapes that never move; poses in world axes
    int* order;                    // bodies, each after its parent
    int has_contact;
    int has_motors;    // forces along every hinge and slide are controls (MuJoCo)
    int settle_steps;  // taken before a kernel is timed
    double friction;
} peer_scene;

// Where a body is and how it moves: centre of mass, principal axes, world.
typedef struct peer_state {
    tml_pose pose;
    tml_velocity velocity;
} peer_state;

// The recursions of an articulated engine, one call each, at the state of the moment.
typedef enum peer_kernel {
    PEER_INVERSE,     // forces from accelerations (RNEA), positions and velocities placed anew
    PEER_MASS,        // the joint-space mass matrix (CRBA)
    PEER_FORWARD,     // accelerations from forces
    PEER_TRANSITION,  // Jacobians of one step by state and controls, by central differences
} peer_kernel;

// One way of running one engine.
typedef struct peer_engine {
    const char* name;
    const char* engine;  // the library, with its version where it says it
    // NULL where the engine cannot run this: `why` says what is missing
    void* (*create)(const struct peer_engine* self, const peer_scene* scene, double step,
                    char* why);
    int (*step)(void* run);  // 0: it refused; see why
    void (*read)(void* run, peer_state* states);
    const char* (*why)(const void* run);  // NULL: nothing to say
    // NULL: the engine has none. Answers 0 when it does not offer this one.
    int (*kernel)(void* run, peer_kernel which);
    void (*destroy)(void* run);
    int choice[4];  // what the adapter reads
    double number;
} peer_engine;

// ---- scene.c

// The common ground of a model; NULL, with a reason, where it has joints that the engines do not share.
peer_scene* peer_scene_create(const tml_model* model, int has_contact, char* why);
// The same with joints that slide and turn, which no engine but MuJoCo is told here.
peer_scene* peer_scene_create_mixed(const tml_model* model, int has_contact, char* why);
void peer_scene_destroy(peer_scene* scene);

// Bodies where a simulation of the same model has moved them, joints along with them.
void peer_scene_follow(peer_scene* scene, const tml_model* model, const tml_pose* now);

// ---- table.c: which engines this program was built with

int peer_engine_count(void);
const peer_engine* peer_engine_at(int index);
void peer_print_engines(void);  // and which are left out

// ---- measure.c: the same yardstick for everyone

typedef struct peer_yardstick peer_yardstick;

peer_yardstick* peer_yardstick_create(const peer_scene* scene);
void peer_yardstick_destroy(peer_yardstick* y);
double peer_energy(const peer_scene* scene, const peer_state* states);
// The largest distance of the two points of a joint, m; of slides across their axis.
double peer_gap(const peer_yardstick* y, const peer_state* states);
// The deepest overlap of two bodies, m, and how many pairs of features are nearer than 1 mm; negative
// where the geometry could not tell.
double peer_overlap(peer_yardstick* y, const peer_state* states, int* touching);

// A run and what came out of it.
typedef struct peer_run {
    double step;       // s
    double duration;   // s, of simulated time
    double budget;     // s of processor time; a run that needs more is cut
    double scale;      // J, what energies are stated in
    int sample_steps;  // look at the state this often; 0: at every step
    int is_piled;      // contact dissipates: energy may fall; overlaps are looked at
} peer_run;

typedef enum peer_verdict {
    PEER_RAN,
    PEER_CUT,      // out of time: gap and energy are of the time that was reached
    PEER_BLEW_UP,  // energy rose by more than 10 scales, or there are no numbers left
    PEER_TORN,     // a joint is open by more than the longest link
    PEER_GAINS,    // energy rose by more than a scale
    PEER_STOPPED,  // the engine said so
    PEER_REFUSED,  // it cannot run this scene
} peer_verdict;

typedef struct peer_result {
    peer_verdict verdict;
    double reached;          // s
    double step_ms;          // median processor time of a step
    double mean_ms;          // mean
    double gap;              // largest, m
    double energy;           // change of largest magnitude, over the scale
    double rise;             // largest rise above the start, over the scale
    double overlap;          // deepest, m
    double settled_overlap;  // at the end
    int touching;            // at the end
    char why[PEER_WHY];
} peer_result;

peer_result peer_measure(const peer_engine* engine, const peer_scene* scene, const peer_run* run);
const char* peer_verdict_name(peer_verdict verdict);

// The best of several repetitions, us; negative, with a reason, where the engine has no such recursion.
double peer_time_kernel(const peer_engine* engine, const peer_scene* scene, peer_kernel which,
                        char* why);

TML_END_C

#endif
