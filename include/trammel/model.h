// trammel/model.h - what exists: a spec is filled, checked and frozen into a model.
//
// A spec is a growing list of definitions. tml_spec_build checks it and makes a model, which never
// changes again and may be shared by threads and simulations.
#ifndef TRAMMEL_MODEL_H
#define TRAMMEL_MODEL_H

#include <trammel/deformable.h>
#include <trammel/force.h>
#include <trammel/shape.h>

TML_BEGIN_C

typedef struct tml_spec tml_spec;    // opaque; made by tml_spec_create
typedef struct tml_model tml_model;  // opaque; made by tml_spec_build

typedef struct tml_body_def {
    const char* name;       // NULL: "bodyN"
    double mass;            // kg, positive
    double inertia[6];      // xx yy zz xy xz yz about the centre of mass, body axes, kg m^2
    tml_vec3 com;           // centre of mass in the body frame
    tml_pose pose;          // initial body frame
    tml_velocity velocity;  // initial, of the body frame's origin
    bool is_fixed;          // welded to the world
    int shape_count;
    const tml_shape_def* shapes;
} tml_body_def;

// 1 kg, inertia of a solid sphere of 0.1 m radius, at the origin, at rest.
TML_API tml_body_def tml_body_def_default(void);

// A row that ties joint coordinates: sum over terms of (c1 q + c2 q^2 + ...) + offset = 0.
enum {
    TML_COUPLING_DEGREE = 8
};

typedef struct tml_coupling_term {
    tml_joint joint;
    tml_axis axis;
    int degree;                               // number of coefficients, 1 is linear
    double coefficient[TML_COUPLING_DEGREE];  // c1, c2, ...
} tml_coupling_term;

typedef struct tml_coupling_def {
    const char* name;  // NULL: "couplingN"
    int term_count;
    const tml_coupling_term* terms;
    double offset;
    double compliance;  // 0 is rigid
    double weight;      // least-norm weight
} tml_coupling_def;

TML_API tml_coupling_def tml_coupling_def_default(void);

// A tie between velocities that no tie between positions could replace.          [COOK (196)]
typedef enum tml_nonholonomic_kind {
    TML_KNIFE_EDGE,  // the point has no velocity along the axis, which is fixed in the body
    TML_ROLLING,     // a disc or a sphere touches a plane and does not slip on it
} tml_nonholonomic_kind;

typedef struct tml_nonholonomic_def {
    const char* name;  // NULL: "nonholonomicN"
    tml_nonholonomic_kind kind;
    tml_body body;
    tml_vec3 point;  // body frame: the edge, or the centre of the disc or sphere
    tml_vec3 axis;   // body frame: across the edge, or of the disc; zero: a sphere
    double radius;   // of the disc or sphere
    tml_vec3 plane_normal;
    double plane_offset;  // the plane: all world points x with plane_normal . x = plane_offset
} tml_nonholonomic_def;

TML_API tml_nonholonomic_def tml_nonholonomic_def_default(void);

// A pair of bodies whose contacts have numbers of their own. TML_WORLD is a body here.
typedef struct tml_pair_def {
    tml_body a, b;
    int shape_a, shape_b;  // of these bodies; -1 and -1: all of them. Two shapes that are named
                           // touch whatever masks, exclusions and joints say,
    bool is_apart;         // or never touch
    double friction;       // negative: as the two shapes say
    double restitution;    // at most 1; negative: the larger of the two shapes
} tml_pair_def;

TML_API tml_pair_def tml_pair_def_default(void);

// ---- filling a spec. Definitions are copied, names and tables included. A bad definition is
// remembered with a sentence (tml_spec_message); the first one makes tml_spec_build fail. The
// answer is the id that the element has, or would have had.

TML_API tml_spec* tml_spec_create(void);  // NULL without memory
TML_API void tml_spec_destroy(tml_spec* spec);

TML_API void tml_spec_set_name(tml_spec* spec, const char* name);
TML_API void tml_spec_set_gravity(tml_spec* spec, tml_vec3 gravity);  // (0, 0, -9.81) by default
// Bodies that so many joints or fewer lead from one to the other do not touch: 1 (unless said) or 2,
// for nets and chains whose links meet at a common neighbour. The world is no way between two bodies.
TML_API tml_status tml_spec_set_neighbours(tml_spec* spec, int joints);
// Of two shapes that touch the smaller friction counts, unless the larger is asked for here. Where one
// has the higher priority its own counts.
typedef enum tml_friction_rule {
    TML_FRICTION_SMALLER,
    TML_FRICTION_LARGER,
} tml_friction_rule;
TML_API void tml_spec_set_friction_rule(tml_spec* spec, tml_friction_rule rule);
// Rayleigh damping: forces -mass M v on every body (1/s), and of every spring, of joints too, beside its
// own damping `stiffness` times the rate of its force (s); of deformables the same, (-mass M + stiffness
// dF/dx) v. Zero by default. Servos and limits have none.
TML_API void tml_spec_set_rayleigh(tml_spec* spec, double mass, double stiffness);
TML_API tml_body tml_spec_add_body(tml_spec* spec, const tml_body_def* def);
TML_API tml_status tml_spec_add_world_shape(tml_spec* spec, const tml_shape_def* shape);
TML_API tml_joint tml_spec_add_joint(tml_spec* spec, const tml_joint_def* def);
TML_API tml_status tml_spec_add_coupling(tml_spec* spec, const tml_coupling_def* def);
TML_API tml_status tml_spec_add_nonholonomic(tml_spec* spec, const tml_nonholonomic_def* def);
TML_API tml_status tml_spec_add_spring(tml_spec* spec, const tml_spring_def* def);
TML_API tml_status tml_spec_add_wrench(tml_spec* spec, const tml_wrench_def* def);
TML_API tml_status tml_spec_add_drag(tml_spec* spec, const tml_drag_def* def);
// The index that the deformable has, or would have had. Bodies that it names come first.
TML_API int tml_spec_add_deformable(tml_spec* spec, const tml_deformable_def* def);
TML_API tml_status tml_spec_add_exclusion(tml_spec* spec, tml_body a, tml_body b);  // never touch
TML_API tml_status tml_spec_add_pair(tml_spec* spec, const tml_pair_def* def);

TML_API int tml_spec_body_count(const tml_spec* spec);     // the world is not counted
TML_API tml_status tml_spec_status(const tml_spec* spec);  // TML_OK while nothing was refused
TML_API const char* tml_spec_message(const tml_spec* spec);

// Look up by name; index -1 for "world", -2 when there is none.
TML_API tml_body tml_spec_find_body(const tml_spec* spec, const char* name);
TML_API tml_joint tml_spec_find_joint(const tml_spec* spec, const char* name);

// Check and freeze. The caller owns *model; the spec stays usable.
TML_API tml_status tml_spec_build(tml_spec* spec, tml_model** model);
TML_API void tml_model_destroy(tml_model* model);

// ---- asking a model. Strings and arrays are borrowed and live as long as the model.

TML_API const char* tml_model_name(const tml_model* model);
TML_API int tml_model_body_count(const tml_model* model);  // the world is not counted
TML_API int tml_model_joint_count(const tml_model* model);
TML_API int tml_model_row_count(
    const tml_model* model);  // position-actuated rows and couplings too
TML_API tml_vec3 tml_model_gravity(const tml_model* model);
TML_API const char* tml_model_body_name(const tml_model* model, tml_body body);  // "world" for -1
TML_API const char* tml_model_joint_name(const tml_model* model, tml_joint joint);
TML_API int tml_model_coupling_count(const tml_model* model);
TML_API const char* tml_model_coupling_name(const tml_model* model, int coupling);  // "?": none
TML_API int tml_model_nonholonomic_count(const tml_model* model);
TML_API const char* tml_model_nonholonomic_name(const tml_model* model, int index);  // "?": none
TML_API tml_body tml_model_find_body(const tml_model* model, const char* name);
TML_API tml_joint tml_model_find_joint(const tml_model* model, const char* name);

// The definitions as they were given, defaults filled in.
TML_API const tml_body_def* tml_model_body(const tml_model* model, tml_body body);
// A joint's is put together for the caller (the default one where there is none); its name and its
// control tables live as long as the model.
TML_API tml_joint_def tml_model_joint(const tml_model* model, tml_joint joint);

// The free axes of a joint in the order tx ty tz rx ry rz; returns how many (0 to 6).
TML_API int tml_model_joint_axes(const tml_model* model, tml_joint joint, tml_axis out[TML_AXES]);

// The actuated axes in the order of `controls` of tml_sim_step: joint by joint, tx to rz.
TML_API int tml_model_control_count(const tml_model* model);
TML_API tml_status tml_model_control(const tml_model* model, int index, tml_joint* joint,
                                     tml_axis* axis, tml_actuation* actuation);

// Springs (tendons and muscles among them) and wrenches, as they were given; NULL: there is none.
// Values of a wrench at a time: force in N, torque in N m, world axes.
TML_API int tml_model_spring_count(const tml_model* model);
TML_API const tml_spring_def* tml_model_spring(const tml_model* model, int spring);
TML_API int tml_model_wrench_count(const tml_model* model);
TML_API const tml_wrench_def* tml_model_wrench(const tml_model* model, int wrench);
TML_API tml_status tml_model_wrench_value(const tml_model* model, int wrench, double time,
                                          tml_vec3* force, tml_vec3* torque);

// What the model's own control of that axis says at a time; zero when it has none.
TML_API double tml_model_control_value(const tml_model* model, int index, double time);

// The two frames of a joint, axes as columns, each in the frame of its own body.
TML_API tml_status tml_model_joint_frames(const tml_model* model, tml_joint joint,
                                          tml_pose* in_base, tml_pose* in_follower);

// The shapes that belong to the world; returns the list, its length in *count.
TML_API const tml_shape_def* tml_model_world_shapes(const tml_model* model, int* count);

TML_API int tml_model_deformable_count(const tml_model* model);
TML_API const tml_deformable_def* tml_model_deformable(const tml_model* model,
                                                       int deformable);           // NULL: none
TML_API int tml_model_find_deformable(const tml_model* model, const char* name);  // -2: none
// The triangles that one sees, three vertices each, outwards; returns the list, its length in *count.
TML_API const int* tml_model_deformable_surface(const tml_model* model, int deformable, int* count);

// What is drawn of a deformable: points that follow its vertices, and triangles over them. They are
// the surface that it was given, or else the vertices of its outside; of particles, all of them.
typedef struct tml_skin {
    int point_count;
    int triangle_count;
    const int* triangles;  // 3 points each, outwards
} tml_skin;

TML_API tml_skin tml_model_skin(const tml_model* model, int deformable);

// Where these points are while the vertices are at `vertices`; both three numbers each.
TML_API void tml_model_skin_places(const tml_model* model, int deformable, const double* vertices,
                                   double* points);

typedef struct tml_soft_summary {
    int deformables;
    int vertices;
    int tetrahedra;
    int fixed;     // vertices that never move
    int attached;  // vertices that a moving body carries
    double mass;   // kg
} tml_soft_summary;

TML_API tml_soft_summary tml_model_summarise_deformables(const tml_model* model);

// What `trammel info` prints.
typedef struct tml_model_summary {
    int bodies;
    int fixed_bodies;
    double mass;  // kg, of the bodies that can move
    int joints;
    int rows;
    int couplings;
    int loops;  // joints - bodies - 1 + components, the world a node and its component counted; a
                // fixed body is part of the world
    int position_actuators;
    int force_actuators;
    int limits;
    int forces;
    double max_gap;  // at the initial poses: largest |row|
} tml_model_summary;

TML_API tml_model_summary tml_model_summarise(const tml_model* model);

// The open part of a joint at the initial poses: largest |gap row| in m, and the largest angle
// that a rotation row is off, in rad.
TML_API tml_status tml_model_joint_gap(const tml_model* model, tml_joint joint, double* length,
                                       double* angle);

TML_END_C

#endif
