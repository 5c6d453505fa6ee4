// trammel/assemble.h - put a mechanism together: close open joints, reach for targets.
//
// Real models arrive with loops that are open by millimetres, or by metres. Assembling moves the
// bodies to the nearest poses, in the mass norm, in which every joint, coupling and position
// actuator holds. Inverse kinematics does the same while points of bodies reach for targets.
// Setting a joint of a running simulation (see sim.h for the rest) re-assembles around it.
#ifndef TRAMMEL_ASSEMBLE_H
#define TRAMMEL_ASSEMBLE_H

#include <trammel/scene.h>

TML_BEGIN_C

// ---- closing open joints

typedef struct tml_assemble_settings {
    const tml_pose* start;  // one per body, borrowed during the call; NULL: the initial poses
    double tolerance;       // a row counts as closed below this, m or rad
    int max_iterations;     // of all linear solves
    tml_allocator allocator;
} tml_assemble_settings;

typedef struct tml_assemble_report {
    double gap_before;  // largest |row| at the start, m or dot value
    double gap_after;   // and at the end
    double moved;       // largest displacement of a centre of mass, m
    double turned;      // largest rotation of a body, rad
    tml_body most;      // the body whose centre of mass moved farthest
    double distance;    // sqrt of sum (m |dx|^2 + phi . J phi), m sqrt(kg)
    double slope;    // what is left of the way to the nearest poses, m or rad: 0 when it is there
    int iterations;  // linear solves
} tml_assemble_report;

TML_API tml_assemble_settings tml_assemble_settings_default(void);  // 1e-10, 2000 iterations

// The nearest assembled poses into `poses`, one per body. Controls count at t = 0; joint limits are
// respected; rows with compliance give way and are left alone. The nearest is a local one: of
// several ways to close a loop it takes the one that the start leads to.
// TML_INFEASIBLE: some rows stay open; `why` (capacity bytes, may be NULL) names them, `report` and
// `poses` say how near it came. TML_NOT_CONVERGED: the iterations ran out.
TML_API tml_status tml_model_assemble(const tml_model* model, const tml_assemble_settings* settings,
                                      tml_pose* poses, tml_assemble_report* report, char* why,
                                      size_t capacity);

// Move the initial poses of a spec; joints stay where they are in their bodies. Bodies that are
// fixed keep theirs.
TML_API tml_status tml_spec_set_poses(tml_spec* spec, const tml_pose* poses);

// Replace the control of an actuated axis.
TML_API tml_status tml_spec_set_control(tml_spec* spec, tml_joint joint, tml_axis axis,
                                        const tml_control* control);

// ---- targets

// What a body should reach. Weights compare square metres and square radians of all targets.
typedef struct tml_target {
    tml_body body;
    tml_vec3 point;  // body frame
    bool has_position;
    tml_control position[3];  // where the point should be, world, m
    bool has_orientation;
    tml_quat orientation;  // how the body frame should stand, body to world
    double weight;         // 1 by default
} tml_target;

TML_API tml_target tml_target_default(void);

typedef struct tml_ik tml_ik;  // opaque

// A solver for moving targets, at the model's initial poses (assembled first when they are open),
// with position actuators let go. The model is borrowed, the targets are copied. When the call
// fails, *ik is NULL or an object good only for tml_ik_message and tml_ik_destroy.
TML_API tml_status tml_ik_create(const tml_model* model, const tml_target* targets, int count,
                                 const tml_assemble_settings* settings, tml_ik** ik);
TML_API void tml_ik_destroy(tml_ik* ik);  // NULL is fine

// Move to the poses that meet the targets of time t best, from where the last call ended. All rows
// stay exact. Targets out of reach are met in the least-squares sense, which is no failure.
TML_API tml_status tml_ik_solve(tml_ik* ik, double t);

TML_API const char* tml_ik_message(const tml_ik* ik);
TML_API tml_pose tml_ik_pose(const tml_ik* ik, tml_body body);
TML_API double tml_ik_coordinate(const tml_ik* ik, tml_joint joint, tml_axis axis);  // unwrapped
TML_API void tml_ik_error(const tml_ik* ik, int target, double* length, double* angle);  // m, rad
TML_API double tml_ik_gap(const tml_ik* ik);
TML_API int tml_ik_iterations(const tml_ik* ik);  // linear solves so far

// Targets in a file, as the tool reads them (docs/assemble.md).
typedef struct tml_targets {
    int count;
    const tml_target* list;
    double duration;  // s
    double step;      // s
    void* memory;     // what the list lives in
} tml_targets;

// Bodies are looked up in the spec. The message is one line "FILE:LINE: ...".
TML_API tml_status tml_targets_read_file(const char* path, tml_spec* spec, tml_targets* out,
                                         char* why, size_t capacity);
TML_API void tml_targets_destroy(tml_targets* targets);

// ---- moving a simulation by hand. Each call restarts the multistep history, keeps the time, and
// takes the nearest velocities that the rows allow. On any status but TML_OK the state is exactly
// what it was. These calls allocate.

// Set one free coordinate; the rest of the mechanism follows, nearest in the mass norm and on the
// same branch. Velocities turn with their bodies. TML_BAD_ARGUMENT: the axis is held, driven by a position actuator, or the value is
// outside its limits. TML_INFEASIBLE: the mechanism cannot follow; the message says how far it can.
TML_API tml_status tml_sim_set_joint(tml_sim* sim, tml_joint joint, tml_axis axis, double value);

// Set all poses (one per body; fixed ones are ignored) and velocities (NULL: at rest). The poses
// must close: TML_BAD_ARGUMENT names the gap.
TML_API tml_status tml_sim_set_state(tml_sim* sim, const tml_pose* poses,
                                     const tml_velocity* velocities);

// The same from poses that need not close: they are assembled first.
TML_API tml_status tml_sim_set_nearest_state(tml_sim* sim, const tml_pose* poses,
                                             const tml_velocity* velocities);

TML_END_C

#endif
