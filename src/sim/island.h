// sim/island.h - islands of touching bodies, and what they win in a step.
#ifndef TML_SIM_ISLAND_H
#define TML_SIM_ISLAND_H

#include "method/maximal.h"

// Bodies that contacts push in a step, with what joints and springs tie to them.
typedef struct touch_island {
    bool is_touched, is_driven, is_grounded;
    bool has_gain;       // more energy than at the start of the step, and it is to be taken
    int bodies;          // counted where it floats
    double gain;         // J
    double size;         // of the energies that are compared, J
    double within;       // energy of the motion within it, before anything was taken, J
    double share;        // of velocities that stays of that motion
    vec3 at;             // a point,
    double motion[6];    // its motion there as one body,
    double inertia[36];  // and inertia as such, factored
} touch_island;

typedef struct sim_islands {
    int* part;          // per node: what joints, springs and couplings tie together
    int part_count;     //
    bool* is_driven;    // per part: something does work there
    bool* is_grounded;  // per part: rows tie it to the world

    // the step in progress, or the last one
    bool is_noted;       // energies at its start are known,
    double* kinetic0;    // per part, J
    double* potential0;  //
    double* kinetic1;    // and where it ends
    double* potential1;  //
    bool is_pushed;      // contacts push: which parts,
    bool* is_touched;    // per part,
    bool* is_held;       // per part: and if the world does
    int* island;         // per part: the one that stands for its island,
    touch_island* all;   // which is here
    bool has_withheld;   // velocities were changed for it,
    double* v_won;       // 7 a node: and were flat rates before that
    double* motion;      // 6 a node: velocities after it,
    double* within;      // 6 a node: and what was within islands before it
    double* momenta;     // 6 a node: scratch
} sim_islands;

typedef struct tml_sim tml_sim;

tml_status tml__islands_create(tml_sim* sim, sim_islands** out);
void tml__islands_destroy(tml_sim* sim, sim_islands* e);  // NULL is fine

// Where a step starts: energies of bodies as placed.
void tml__islands_note(tml_sim* sim);

// Nothing pushes. Then: a contact between two nodes pushes; -1: the world.
void tml__islands_clear(sim_islands* e);
void tml__islands_push(sim_islands* e, int a, int b);

// Where it ends, at sim->next: what touched islands have won since, and in e->motion the velocities that are left when
// it is taken off them. False: nothing was won.
bool tml__islands_withhold(tml_sim* sim);

// ---- islands of which something was taken; bodies stand where the step ends

touch_island* tml__island_of(const sim_islands* e, int node);  // NULL: nothing was

// A push on a node as one on the whole island about its point, added; and a motion of that as one of the node.
void tml__island_gather(const tml_sim* sim, const touch_island* to, int node, const double* push,
                        double* sum);
void tml__island_spread(const tml_sim* sim, const touch_island* to, int node, const double* motion,
                        double* out);

// Of a motion (6 a node) what is within islands; 0 elsewhere.
void tml__islands_within(const tml_sim* sim, const double* motion, double* within);

#endif
