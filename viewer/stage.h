// viewer/stage.h - what is on show: a simulation that goes on, or a recording, and its history.
//
// The stage keeps frames: all that the page can draw of a state, as floats. A clock walks over them;
// where it reaches the newest frame of a live simulation, the simulation takes steps. Memory is
// bounded: when the history is full every second frame goes, and from then on fewer steps are kept.
// Nothing here knows about sockets.
//
// The numbers of a frame (the page's twin of this list is page/src/layout.js):
//   kinetic, potential, gap; per body 7 (position, quaternion w x y z);
//   with detail: per body 6 velocities, per joint 6 loads, all joint coordinates, per wrench of the
//   scene 6;
//   per point of the skins of deformables 3;
//   with a ghost: per body 7 and per point 3 again.
#ifndef TRAMMEL_VIEWER_STAGE_H
#define TRAMMEL_VIEWER_STAGE_H

#include <trammel/trammel.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    STAGE_ENERGY = 0,
    STAGE_GAP = 2,
    STAGE_POSES = 3,
    STAGE_CONTACT = 8,         // numbers of a contact
    STAGE_DETAIL_MOST = 2000,  // bodies and joints; beyond, frames hold poses only
    STAGE_MESSAGE = 1200,
};

typedef struct stage_frame {
    double time;
    int contact_count;
    float values[];  // the numbers above, then 8 a contact: point, force on a, world axes; bodies
                     // a and b (-1 the world, -2 a deformable)
} stage_frame;

typedef struct stage_push {
    int body;  // -1: nothing is pushed
    tml_vec3 point, force, torque;
} stage_push;

typedef struct stage {
    const tml_model* model;          // borrowed
    const tml_recording* recording;  // borrowed; NULL: live
    tml_sim* sim;                    // NULL: a recording
    tml_sim* ghost;                  // NULL: none
    bool ghost_has_failed;           // it stays where it is
    tml_sim_settings settings;
    tml_sim_settings ghost_settings;

    // frames
    bool has_detail, has_velocity, has_joints, has_energy, has_gap, has_contacts;
    int* coordinate_first;  // per joint, and the total behind the last
    int loads_at, coordinates_at, wrenches_at, skins_at, ghost_at, width;
    int point_count;        // of the skins of all deformables
    double* soft_vertices;  // of the largest deformable, 3 a vertex,
    double* soft_points;    // and of the largest skin
    stage_frame** frames;
    int frame_count, frame_capacity;
    size_t budget;    // bytes for frames
    int stride;       // steps of the simulation per kept frame
    long long taken;  // steps of the simulation since the start
    double head;      // time of the newest state of the simulation
    float* scratch;   // a frame's worth

    // the clock
    bool is_playing;
    double cursor;  // s, what is shown
    double speed;
    double rate;  // simulated seconds per second, as achieved lately
    int shown;    // index of the frame on show

    // hands
    stage_push push;
    double* controls;          // wanted values; NULL: the model has no actuators
    double* given;             // what the next step gets
    unsigned char* is_driven;  // per control: the slider holds it
    int driven_count;
    double* inputs;  // the same of servos, tendons, muscles and wrenches (trammel/inputs.h)
    double* given_inputs;
    unsigned char* is_input_driven;
    int driven_input_count;

    int contact_room;  // asked for beyond what the simulation had
    bool has_failed;
    char message[STAGE_MESSAGE];
    unsigned version;  // counts changes that viewers should hear about
} stage;

// Show a simulation of `model`, or a recording of it. The stage borrows both.
tml_status stage_open_live(stage* s, const tml_model* model, const tml_sim_settings* settings,
                           size_t budget);
tml_status stage_open_recording(stage* s, const tml_model* model, const tml_recording* recording,
                                size_t budget);
void stage_close(stage* s);

// Let `elapsed` seconds of real time pass, with at most about `allowed` seconds of work.
void stage_advance(stage* s, double elapsed, double allowed);

// Commands. Those that cannot be honoured leave a sentence in s->message.
void stage_play(stage* s, bool is_playing);
void stage_seek(stage* s, double time);
void stage_step(stage* s, int count);  // negative: back
void stage_set_speed(stage* s, double speed);
void stage_restart(stage* s);
void stage_set_method(stage* s, tml_formulation formulation, tml_integrator integrator,
                      double step);
void stage_set_ghost(stage* s, bool is_on, tml_formulation formulation, tml_integrator integrator);
void stage_set_push(stage* s, const stage_push* push);  // body -1 lets go
void stage_set_control(stage* s, int index, bool is_driven, double value);
void stage_set_input(stage* s, int index, bool is_driven, double value);

// A number for every bit of the states that were shown, for tests: equal runs, equal numbers.
unsigned long long stage_hash(const stage* s);

// At most `most` points of the whole history: times, then one list per offset (-1: total energy).
// `out` holds (count + 1) * most floats; answers how many points.
int stage_series(const stage* s, const int* offsets, int count, int most, float* out);

double stage_clock(void);  // monotonic, s

#endif
