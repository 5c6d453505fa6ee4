// io/mjcf.h - what the files that read MJCF share.
//
// The tree of elements is expanded first (includes, attached models, replicas), so that everything
// behind sees one plain document. Attributes are asked through the classes of defaults.
#ifndef TML_IO_MJCF_H
#define TML_IO_MJCF_H

#include "io/robot.h"

struct name_table;

typedef struct mjcf_site {
    const char* name;
    int link;
    pose local;  // in the link
    tml_shape_kind zone;
    vec3 size;  // as that of a shape
} mjcf_site;

// A fixed tendon: a sum of joint coordinates.
typedef struct mjcf_tendon {
    const char* name;
    const xml* at;
    bool is_fixed;
    int first_term, term_count;  // of the list of terms
    int strand;                  // of a spatial one: its path of sites in the robot; -1
} mjcf_tendon;

typedef struct tendon_term {
    int movement;
    double coefficient;
} tendon_term;

typedef struct mjcf {
    robot* r;
    xml* root;
    const robot_source* source;

    // <compiler>
    double angle;  // what an angle of the file is multiplied with
    char eulerseq[4];
    bool is_auto_limited;
    int inertia_from_geom;  // 0 never, 1 always, 2 where there is no <inertial>
    double total_mass, least_mass, least_inertia;
    bool balances_inertia;

    vec3 magnetic;  // <option>

    struct name_table* classes;  // name -> index
    int class_count, class_capacity;
    const xml** class_nodes;

    struct name_table* site_names;
    int site_count, site_capacity;
    mjcf_site* sites;

    struct name_table* geom_names;  // name -> link + 1

    struct name_table* tendon_names;
    int tendon_count, tendon_capacity;
    mjcf_tendon* tendons;
    int term_count, term_capacity;
    tendon_term* terms;
    const double* controls;  // of the keyframe, one an actuator; NULL: zero
    int control_count;
    double muscle_work;  // that measuring muscles has taken, in steps over a link
} mjcf;

// An element and the class whose defaults it takes.
typedef struct mjcf_element {
    mjcf* m;
    const xml* e;
    const xml* defaults;  // <default>; NULL: only the top-level ones
    const char* tag;      // what the element is called among defaults
} mjcf_element;

// ---- mjcf_expand.c: one plain document. Includes first, because they may hold the <compiler> that
// says what the angles of replicas mean.
void tml__mjcf_include(mjcf* m);
void tml__mjcf_expand(mjcf* m);

// ---- mjcf_values.c
void tml__mjcf_list_classes(mjcf* m);
const xml* tml__mjcf_class(mjcf* m, const xml* at, const char* name);  // refuses unknown ones
// `scope` is the class that the elements around it pass on; NULL: none.
mjcf_element tml__mjcf_open(mjcf* m, const xml* e, const xml* scope, const char* tag);
const char* tml__mjcf_get(const mjcf_element* e, const char* name);  // NULL when nobody says
bool tml__mjcf_numbers(const mjcf_element* e, const char* name, int count, double* out);
// At least `least` numbers are set, the rest stay as they are; how many there were, 0: none.
int tml__mjcf_list(const mjcf_element* e, const char* name, int least, int most, double* out);
bool tml__mjcf_number(const mjcf_element* e, const char* name, double* out);
bool tml__mjcf_vector(const mjcf_element* e, const char* name, vec3* out);
bool tml__mjcf_is(const mjcf_element* e, const char* name, const char* value);
pose tml__mjcf_pose(const mjcf_element* e);         // pos, and whichever orientation is given
quat tml__mjcf_orientation(const mjcf_element* e);  // the identity when none is

// ---- mjcf_body.c, mjcf_geom.c
void tml__mjcf_bodies(mjcf* m, const xml* worldbody);
typedef struct geom_sum {
    int link;  // that the geoms belong to; -1: the world
    bool weighs;
    double mass;
    vec3 moment;  // sum of mass times position
    int count, capacity;
    solid* solids;  // in the link frame
} geom_sum;
void tml__mjcf_geom(mjcf* m, const xml* e, const xml* scope, pose frame, geom_sum* sum);
// mjcf_mesh.c; `shape` has its looks and friction already
void tml__mjcf_mesh_geom(mjcf* m, const mjcf_element* g, pose frame, tml_shape_def* shape,
                         geom_sum* sum);
void tml__mjcf_add_solid(mjcf* m, geom_sum* sum, const solid* s);

// ---- mjcf_equality.c, mjcf_tendon.c, mjcf_actuator.c, mjcf_key.c
void tml__mjcf_equality(mjcf* m, const xml* section);
void tml__mjcf_merge_connects(robot* r);  // those that make a hinge but for a rounding
void tml__mjcf_tendons(mjcf* m, const xml* section);
void tml__mjcf_actuators(mjcf* m, const xml* section, int* index);
void tml__mjcf_sensors(mjcf* m, const xml* section);  // mjcf_sensor.c
void tml__mjcf_keyframe(mjcf* m);
bool tml__mjcf_is_muscle(const mjcf_element* a);                                  // mjcf_muscle.c
void tml__mjcf_muscle(const mjcf_element* a, int tendon, double gear, double u);  // -1: no tendon
int tml__mjcf_find_site(const mjcf* m, const char* name);                         // -1: none
int tml__mjcf_find_tendon(const mjcf* m, const char* name);                       // -1: none

#endif
