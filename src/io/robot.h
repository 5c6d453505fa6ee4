// io/robot.h - what MJCF, URDF and SDF have in common: links in a tree, each with its movements.
//
// The readers of the three formats fill a `robot`; one lowering turns it into bodies, joints,
// couplings and forces of a spec. A link stands at `pose` in its parent when every movement is at
// its `reference`. Movements act one after the other, each about its point and axis in the link
// frame as the earlier ones have left it, which is how MJCF chains several joints on one body.
//
// Errors are sticky, as in the reader of scenes: the first is kept with its file and line, and
// everything after it does nothing.
#ifndef TML_IO_ROBOT_H
#define TML_IO_ROBOT_H

#include "base/message.h"
#include "io/lint.h"
#include "io/xml.h"
#include "math/pose.h"
#include "math/spatial.h"
#include "model/spec.h"

enum {
    ROBOT_MAX_ITEMS = 1 << 20
};  // of any list

enum {
    LINK_WORLD = -1,
    LINK_GONE = -2,
};

typedef enum movement_kind {
    MOVE_HINGE,
    MOVE_SLIDE,
    MOVE_BALL,
    MOVE_FREE,  // only alone, on a child of the world
} movement_kind;

// One joint element of the file.
typedef struct movement {
    const char* name;
    const xml* at;
    movement_kind kind;
    int link;
    vec3 point;        // link frame
    vec3 axis;         // link frame, unit
    double reference;  // coordinate at which the link stands at its pose
    double value;      // initial coordinate
    pose place;        // initial value of a free movement, and (q) of a ball
    double rate;       // of the coordinate, at the start
    double armature;   // kg m^2 or kg: only counted where a muscle is measured
    twist rates;       // of a free movement: v in world axes, omega (of a ball too) in the link's
    twist after;       // how the link moves with it and all before it, about the world's origin
    int actuators;     // that drive it
    tml_joint_axis drive;  // limits, spring, servo, actuation, in the coordinate of the file
    // filled by the lowering
    int moved_to;     // the movement that took its place; -1: none did
    tml_joint joint;  // index -1: it became rigid, or is the free motion of a body
    tml_axis letter;
} movement;

typedef struct robot_link {
    const char* name;
    const xml* at;
    int parent;  // -1: the world
    pose local;  // in the parent, movements at their references
    double mass;
    vec3 com;                     // link frame
    mat3 inertia;                 // about the centre of mass, link axes
    double gravity_compensation;  // part of its own weight that is taken off
    double own_mass;              // before welded links were added
    vec3 own_com;
    mat3 own_inertia;
    bool has_shapes;  // of its own
    int first_movement;
    int movement_count;
    int shape_count, shape_capacity;
    tml_shape_def* shapes;  // in the link frame
    int source_capacity;
    int* sources;  // per shape: the link that the file gives it to
    // filled by the lowering
    pose world;    // where it stands
    twist motion;  // how it moves, about the world's origin
    int into;      // the link that it is part of: itself, LINK_WORLD, or LINK_GONE into a joint
    pose offset;   // its frame in that of `into`
    tml_body body;
} robot_link;

// A joint that closes a loop: the frames on two links should meet, but for what the joint leaves free.
typedef struct closure {
    const char* name;
    const xml* at;
    tml_joint_kind kind;
    int base, follower;  // links, -1 the world
    pose frame_base;     // in the link frames
    pose frame_follower;
    tml_joint_axis turn;  // springs and the like of rx, for a hinge
} closure;

typedef struct tie_term {
    int movement;
    int degree;
    double coefficient[TML_COUPLING_DEGREE];
} tie_term;

// A row, or with a compliance a spring, on coordinates: sum of polynomials + offset = 0.
typedef struct tie {
    const char* name;
    const xml* at;
    int term_count;
    tie_term* terms;
    double offset;
    double compliance;
} tie;

typedef struct strand_point {
    int link;
    vec3 position;  // link frame
} strand_point;

// A spring or tendon along straight lines.
typedef struct strand {
    const char* name;
    const xml* at;
    int point_count;
    strand_point* points;
    double stiffness, damping, rest_length;  // negative: its initial length
    double tension;
    tml_muscle muscle;  // its force is 0: none
} strand;

typedef struct robot_sensor {
    const xml* at;
    tml_sensor_def def;  // but for what follows
    int link;            // of its frame, -1 the world
    pose local;          // in the link
    int reference;
    pose reference_local;
    int movement;  // -1: of none
    int strand;    // -1: of none
} robot_sensor;

// Two links that never touch, or that touch in their own way.
typedef struct exclusion {
    int a, b;  // -1 the world
    const xml* at;
    bool touches;
    double friction;  // where they do; negative: that of their shapes
    const char*
        shape_a;  // where they do: names of two shapes, which touch whatever else says; NULL: all
    const char* shape_b;
} exclusion;

// Which bodies that a joint holds together may touch.
typedef enum joined_rule {
    JOINED_APART,        // none
    JOINED_TOUCH_WORLD,  // those that hang on the world touch it, as in MuJoCo
    JOINED_TOUCH,        // all
} joined_rule;

typedef struct robot {
    const char* file;
    const char* name;
    vec3 gravity;
    double step;     // s; 0: the file does not say
    bool has_rates;  // some movement starts with one
    bool is_without_armature;
    bool is_without_friction;  // of joints
    bool is_as_written;        // starts outside limits stay there
    joined_rule joined;
    bool takes_larger_friction;  // of two shapes that touch
    bool is_without_contact;     // the file switches it off
    int link_count, link_capacity;
    robot_link* links;  // parents first
    int movement_count, movement_capacity;
    movement* movements;  // those of a link stand together
    int closure_count, closure_capacity;
    closure* closures;
    int tie_count, tie_capacity;
    tie* ties;
    int strand_count, strand_capacity;
    strand* strands;
    int exclusion_count, exclusion_capacity;
    exclusion* exclusions;
    int sensor_count, sensor_capacity;
    robot_sensor* sensors;
    int world_shape_count, world_shape_capacity;
    tml_shape_def* world_shapes;
    int world_source_capacity;
    int* world_sources;  // per shape: the link that the file gives it to, -1 the world
    int mesh_count, mesh_capacity;
    struct robot_mesh* meshes;          // files that were read (robot_mesh.h)
    const struct robot_source* source;  // while it is read
    struct name_table* link_names;      // name -> index
    struct name_table* movement_names;
    struct name_table* joint_names;  // every joint of a URDF file, rigid ones too -> its child link
    lint_list* lint;
    pool memory;
    tml_status status;
    message why;
} robot;

// ---- robot.c: growing, refusing

__attribute__((format(printf, 4, 5))) void tml__robot_refuse(robot* r, const xml* at,
                                                             tml_status status, const char* format,
                                                             ...);

// Note that the file uses something that is not simulated. `feature` and `what` are borrowed texts
// that outlive the robot; the element is named by its `name`.
void tml__robot_lint(robot* r, const xml* at, const char* feature, const char* what);

// Memory of the robot; NULL, and a refusal, without any.
void* tml__robot_take(robot* r, size_t count, size_t size);

// A list with room for one more item; NULL, and a refusal, when it cannot grow. Items move.
void* tml__robot_grow(robot* r, void* list, int count, int* capacity, size_t size);

robot_link* tml__robot_add_link(robot* r, const xml* at, const char* name, int parent, pose local);
movement* tml__robot_add_movement(robot* r, const xml* at, const char* name, int link,
                                  movement_kind kind);
closure* tml__robot_add_closure(robot* r, const xml* at, const char* name);
tie* tml__robot_add_tie(robot* r, const xml* at, const char* name, int term_count);
strand* tml__robot_add_strand(robot* r, const xml* at, const char* name, int point_count);
void tml__robot_add_exclusion(robot* r, const exclusion* one);
void tml__robot_add_sensor(robot* r, const robot_sensor* one);
void tml__robot_add_shape(robot* r, int link, int source, const tml_shape_def* shape);
void tml__robot_add_mass(robot* r, int link, double mass, vec3 com, mat3 inertia);
int tml__robot_find_link(const robot* r, const char* name);      // -1 for "world", -2: none
int tml__robot_find_movement(const robot* r, const char* name);  // -1: none
void tml__robot_name_joint(robot* r, const xml* at, const char* name, int link);
int tml__robot_find_frame(const robot* r, const char* name);  // a link, or the child of a joint
void tml__robot_destroy(robot* r);

// ---- robot_values.c: attributes with their checks. A missing one leaves *out as it was.

bool tml__numbers_in(robot* r, const xml* at, const char* what, const char* text, int count,
                     double* out);
// As many as there are, at most `most`; their number, 0 when the attribute is missing.
int tml__attribute_list(robot* r, const xml* e, const char* name, int most, double* out);
bool tml__attribute_numbers(robot* r, const xml* e, const char* name, int count, double* out);
bool tml__attribute_number(robot* r, const xml* e, const char* name, double* out);
bool tml__attribute_vector(robot* r, const xml* e, const char* name, vec3* out);
void tml__robot_color(robot* r, const xml* at, const char* text, unsigned char color[3]);
const char* tml__attribute_need(robot* r, const xml* e, const char* name);    // absent: refused, ""
bool tml__robot_unit(robot* r, const xml* at, const char* what, vec3* axis);  // makes it unit

// The frame of `xyz` and `rpy` of an element; the identity for what is missing, or for NULL.
pose tml__robot_origin(robot* r, const xml* e);

// Turns about the fixed axes x, y, z, in that order.
static inline quat q_from_rpy(const double rpy[3])
{
    return q_mul(q_about(2, rpy[2]), q_mul(q_about(1, rpy[1]), q_about(0, rpy[0])));
}

// What a motor may give, within what it may already; bounds that leave out zero are not possible here.
void tml__robot_limit_force(robot* r, const xml* at, tml_joint_axis* drive, double low,
                            double high);

// Dry friction of a joint as it was read: never negative, and none where it was asked away.
void tml__robot_keep_friction(robot* r, const xml* at, tml_joint_axis* drive);

// A frame whose x axis is the given unit vector.
quat tml__frame_about(vec3 axis);

quat tml__quat_from_z(vec3 to);  // the shortest turn that takes z to the unit vector

// Symmetric, from xx yy zz xy xz yz.
static inline mat3 m3_symmetric(const double i[6])
{
    return (mat3){{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
}

// ---- the lowering

// Place every link from the movements' values (robot_place.c). `before` of a movement, when given,
// is the pose of its link's frame just before it acts.
void tml__robot_place(robot* r, pose* before);

// Move every link as the movements' rates say, placed or not.
void tml__robot_set_off(robot* r);

// Rigid links join their parents, massless ones their joints (robot_reduce.c).
void tml__robot_reduce(robot* r);

// A joint made of a run of movements, frames in world coordinates; its two parts are not set.
// How many of the movements from `first` on, at most `count`, one joint can hold (robot_joint.c).
int tml__robot_run(const robot* r, int first, int count);
void tml__robot_joint(robot* r, int first, int count, pose before, pose after, tml_joint_def* out);

// A solid in its body frame (robot_lend.c).
typedef struct solid {
    double mass;
    vec3 com;
    mat3 inertia;  // about the centre of mass
} solid;

// Whether it can be a moving body: mass and principal moments positive, no moment larger than the
// other two together.
bool tml__solid_is_sound(const solid* s);

// A part of the robot on its way into the spec.
typedef struct part {
    const char* name;
    const xml* at;
    pose world;
    twist motion;
    solid own;
    int link;  // -1: a step between two joints of one link
} part;

typedef struct part_joint {
    tml_joint_def def;
    const xml* at;
    int base, follower;  // parts, -1 the world
} part_joint;

// Give mass to parts that have none, by moving what lies on a joint's axis from one side to the
// other: no motion changes. Returns the part that is still without, -1 when none is.
int tml__parts_lend(part* parts, int part_count, const part_joint* joints, int joint_count);

// Everything into a spec; line numbers of bodies and joints into the two lists (robot_lower.c).

struct reader;
void tml__robot_lower(robot* r, struct reader* into);

// ---- one file a format; each fills an empty robot from the root element

typedef struct robot_source {
    const char* path;    // of the model's file; NULL: it came as a text
    const char* folder;  // that relative names are seen from
    const struct tml_load_options* options;
} robot_source;

// Fill an empty robot from a text; `file` is what messages call it (model_read.c).
void tml__robot_read(robot* r, const char* text, size_t length, const char* path,
                     const struct tml_load_options* options);

void tml__urdf_read(robot* r, const xml* root, const robot_source* source);
void tml__mjcf_read(robot* r, xml* root, const robot_source* source);
void tml__sdf_read(robot* r, xml* root, const robot_source* source);
// Models of other files, put where <include> stands (sdf_include.c).
void tml__sdf_include(robot* r, xml* parent, const robot_source* source);

// The file of loops that the options name, or the one beside the model under its own name.
void tml__closures_beside(robot* r, const robot_source* source);

#endif
