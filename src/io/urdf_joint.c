// io/urdf_joint.c - joints, mimics, loops, transmissions and springs of URDF.
#include "io/urdf.h"

#include <stdio.h>
#include <string.h>

static const char* name_of(const xml* e)
{
    const char* name = tml__xml_attribute(e, "name");
    return name != NULL ? name : "";
}

// ---- what acts along a coordinate

static void read_limit(robot* r, const xml* joint, const char* type, tml_joint_axis* drive)
{
    const xml* e = tml__xml_child(joint, "limit");
    double lower = 0.0;
    double upper = 0.0;
    if (e == NULL) return;
    const bool has_lower = tml__attribute_number(r, e, "lower", &lower);
    const bool has_upper = tml__attribute_number(r, e, "upper", &upper);

    if (tml__xml_attribute(e, "effort") != NULL || tml__xml_attribute(e, "velocity") != NULL) {
        tml__robot_lint(r, joint, "effort and velocity limits of joints", "not enforced");
    }
    if (strcmp(type, "continuous") == 0 || (!has_lower && !has_upper)) return;
    if (lower > upper) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                          "joint '%.120s': limits must be lower <= upper, but are %g and %g",
                          name_of(joint), lower, upper);
        return;
    }
    if (!(lower < upper)) {
        tml__robot_lint(r, joint, "limits of no width", "taken as no limits");
        return;
    }
    drive->has_limits = 1;
    drive->lower = lower;
    drive->upper = upper;
}

static void read_dynamics(robot* r, const xml* joint, tml_joint_axis* drive)
{
    const xml* e = tml__xml_child(joint, "dynamics");
    if (e == NULL) return;
    tml__attribute_number(r, e, "damping", &drive->damping);
    tml__attribute_number(r, e, "friction", &drive->friction);
    if (drive->damping < 0.0) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "joint '%.120s': damping is negative (%g)",
                          name_of(joint), drive->damping);
    }
    tml__robot_keep_friction(r, joint, drive);
}

static void note_others(robot* r, const xml* joint)
{
    static const char* const known[] = {"parent", "child", "origin",   "axis",
                                        "limit",  "mimic", "dynamics", "joint_properties"};
    for (const xml* e = joint->first; e != NULL; e = e->next) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (tml__xml_is(e, known[k])) is_known = true;
        }
        if (is_known) continue;
        char feature[100];
        snprintf(feature, sizeof feature, "'%.60s' of a joint", e->name);
        tml__robot_lint(r, joint, feature, "not simulated");
    }
}

// ---- kinds

static vec3 read_axis(robot* r, const xml* joint)
{
    const xml* e = tml__xml_child(joint, "axis");
    vec3 axis = v3_unit(0);
    char what[160];
    if (e == NULL || !tml__attribute_vector(r, e, "xyz", &axis)) return axis;
    snprintf(what, sizeof what, "the axis of joint '%.120s'", name_of(joint));
    tml__robot_unit(r, e, what, &axis);
    return axis;
}

static movement* add(robot* r, const xml* joint, const char* suffix, int of, movement_kind kind,
                     vec3 axis)
{
    const size_t length = strlen(name_of(joint)) + strlen(suffix) + 1;
    char* name = tml__robot_take(r, length, 1);
    if (name == NULL) return NULL;
    snprintf(name, length, "%s%s", name_of(joint), suffix);
    movement* m = tml__robot_add_movement(r, joint, name, of, kind);
    if (m != NULL) m->axis = axis;
    return m;
}

static void add_scalar(robot* r, const xml* joint, const char* type, int of, movement_kind kind)
{
    movement* m = add(r, joint, "", of, kind, read_axis(r, joint));
    if (m == NULL) return;
    tml_joint_axis drive = m->drive;
    read_limit(r, joint, type, &drive);
    read_dynamics(r, joint, &drive);
    m->drive = drive;
}

// Two slides in the plane and a turn about its normal.
static void add_planar(robot* r, const xml* joint, int of)
{
    const vec3 normal = read_axis(r, joint);
    const mat3 A = q_matrix(tml__frame_about(normal));
    add(r, joint, ".x", of, MOVE_SLIDE, m3_column(A, 1));
    add(r, joint, ".y", of, MOVE_SLIDE, m3_column(A, 2));
    add(r, joint, ".turn", of, MOVE_HINGE, normal);
}

static void add_kind(robot* r, const xml* e, const char* type, int of)
{
    if (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0) {
        add_scalar(r, e, type, of, MOVE_HINGE);
    } else if (strcmp(type, "prismatic") == 0) {
        add_scalar(r, e, type, of, MOVE_SLIDE);
    } else if (strcmp(type, "planar") == 0) {
        add_planar(r, e, of);
    } else if (strcmp(type, "ball") == 0 || strcmp(type, "spherical") == 0) {
        add(r, e, "", of, MOVE_BALL, v3_unit(0));
    } else if (strcmp(type, "universal") == 0) {
        add(r, e, ".x", of, MOVE_HINGE, v3_unit(0));
        add(r, e, ".y", of, MOVE_HINGE, v3_unit(1));
    } else if (strcmp(type, "floating") == 0) {
        movement* m = add(r, e, "", of, MOVE_FREE, v3_unit(0));
        if (m != NULL) m->place = r->links[of].world;
    } else if (strcmp(type, "fixed") != 0 && strcmp(type, "weld") != 0) {
        tml__robot_refuse(r, e, TML_UNSUPPORTED, "joint '%.120s': unknown type '%.60s'", name_of(e),
                          type);
    }
}

void tml__urdf_joint(robot* r, const xml* e, int of)
{
    add_kind(r, e, tml__attribute_need(r, e, "type"), of);
    note_others(r, e);
}

// ---- ties

// q = multiplier q_other + offset
void tml__urdf_mimic(robot* r, const xml* joint)
{
    const xml* e = tml__xml_child(joint, "mimic");
    double multiplier = 1.0;
    double offset = 0.0;
    if (e == NULL) return;
    tml__attribute_number(r, e, "multiplier", &multiplier);
    tml__attribute_number(r, e, "offset", &offset);
    const char* other = tml__attribute_need(r, e, "joint");
    const int follower = tml__robot_find_movement(r, name_of(joint));
    const int leader = tml__robot_find_movement(r, other);
    if (r->status != TML_OK) return;
    if (leader < 0 && follower >= 0 && other[0] != '\0') {
        // as other readers have it: nobody says where the other joint is
        tml__robot_lint(r, e, "mimic of a joint that does not move or is not there",
                        "left out: the joint is free");
        return;
    }
    const bool is_scalar = follower >= 0 && leader >= 0 &&
                           r->movements[leader].kind <= MOVE_SLIDE &&
                           r->movements[follower].kind <= MOVE_SLIDE;
    if (!is_scalar || follower == leader) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT,
                          "joint '%.120s' mimics '%.120s', which is no other joint with one "
                          "coordinate",
                          name_of(joint), other);
        return;
    }
    tie* t = tml__robot_add_tie(r, e, NULL, 2);
    if (t == NULL) return;
    t->terms[0] = (tie_term){follower, 1, {1.0}};
    t->terms[1] = (tie_term){leader, 1, {-multiplier}};
    t->offset = -offset;
}

static int loop_side(robot* r, const xml* loop, const char* role, quat turn, pose* frame)
{
    const xml* e = tml__xml_child(loop, role);
    if (e == NULL) {
        tml__robot_refuse(r, loop, TML_BAD_ARGUMENT, "loop_joint '%.120s' needs '%s'",
                          name_of(loop), role);
        return -1;
    }
    const int of = tml__robot_find_link(r, tml__attribute_need(r, e, "link"));
    if (of == -2) {
        tml__robot_refuse(r, e, TML_BAD_ARGUMENT, "loop_joint '%.120s': there is no link '%.120s'",
                          name_of(loop), tml__attribute_need(r, e, "link"));
    }
    *frame = pose_mul(tml__robot_origin(r, e), (pose){v3_zero(), turn});
    return of == -2 ? -1 : of;
}

void tml__urdf_loop(robot* r, const xml* e)
{
    static const struct {
        const char* type;
        tml_joint_kind kind;
    } kinds[] = {{"revolute", TML_JOINT_REVOLUTE},   {"continuous", TML_JOINT_REVOLUTE},
                 {"prismatic", TML_JOINT_PRISMATIC}, {"ball", TML_JOINT_SPHERICAL},
                 {"spherical", TML_JOINT_SPHERICAL}, {"fixed", TML_JOINT_FIXED}};
    const char* type = tml__attribute_need(r, e, "type");
    int kind = -1;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(type, kinds[k].type) == 0) kind = (int)kinds[k].kind;
    }
    if (kind < 0) {
        tml__robot_refuse(r, e, TML_UNSUPPORTED, "loop_joint '%.120s': unknown type '%.60s'",
                          name_of(e), type);
        return;
    }
    const quat turn = tml__frame_about(read_axis(r, e));
    closure* c = tml__robot_add_closure(r, e, tml__xml_attribute(e, "name"));
    if (c == NULL) return;
    c->kind = (tml_joint_kind)kind;
    c->base = loop_side(r, e, "link1", turn, &c->frame_base);
    c->follower = loop_side(r, e, "link2", turn, &c->frame_follower);
    read_dynamics(r, e, &c->turn);
}

// ---- drives

// A transmission drives its joints: their forces are controls, zero until someone sets them.
void tml__urdf_transmission(robot* r, const xml* e)
{
    for (const xml* j = tml__xml_child(e, "joint"); j != NULL; j = tml__xml_next(j, "joint")) {
        const char* name = tml__xml_attribute(j, "name");
        const int m = name != NULL ? tml__robot_find_movement(r, name) : -1;
        if (m < 0 || r->movements[m].kind > MOVE_SLIDE) {
            tml__robot_lint(r, e, "transmission to no joint with one coordinate", "left out");
            continue;
        }
        r->movements[m].drive.actuation = TML_FORCE;
    }
}

void tml__urdf_force(robot* r, const xml* e)
{
    const xml* spring = tml__xml_child(e, "torsional_spring");
    const xml* joint = spring != NULL ? tml__xml_child(spring, "joint") : NULL;
    const int m =
        joint != NULL ? tml__robot_find_movement(r, tml__attribute_need(r, joint, "name")) : -1;
    if (m < 0 || r->movements[m].kind > MOVE_SLIDE) {
        tml__robot_lint(r, e, "force_element other than a spring on a joint", "not simulated");
        return;
    }
    tml_joint_axis* drive = &r->movements[m].drive;
    tml__attribute_number(r, spring, "stiffness", &drive->stiffness);
    tml__attribute_number(r, spring, "rest_angle", &drive->rest);
    if (drive->stiffness < 0.0) {
        tml__robot_refuse(r, spring, TML_BAD_ARGUMENT, "joint '%.120s': stiffness is negative (%g)",
                          r->movements[m].name, drive->stiffness);
    }
}
