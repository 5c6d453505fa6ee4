// io/write_urdf.c - a scene as URDF, with the loop_joint of Dojo for loops.
//
// URDF knows joints with one coordinate and starts at zero. A joint with several is a chain of links
// without mass, one for each coordinate, and each starts turned or moved by its value at load; limits
// and rest positions are counted from there.
#include "io/write_robot.h"

#include <math.h>
#include <string.h>

// Angles about the fixed axes x, y, z of a rotation.
static void put_origin(writer* w, pose x)
{
    const mat3 R = q_matrix(x.q);
    double rpy[3] = {0.0, tml__asin(-R.m[2][0]), 0.0};
    // where pitch is a right angle only the difference of roll and yaw is seen
    if (fabs(R.m[2][0]) < 1.0 - 1e-14) {
        rpy[0] = tml__atan2(R.m[2][1], R.m[2][2]);
        rpy[2] = tml__atan2(R.m[1][0], R.m[0][0]);
        // the sine loses digits near a right angle; the cosine from the other entries does not
        const double c = sqrt(R.m[2][1] * R.m[2][1] + R.m[2][2] * R.m[2][2]);
        rpy[1] = tml__atan2(-R.m[2][0], c);
    } else {
        rpy[2] = tml__atan2(-R.m[0][1], R.m[1][1]);
    }
    tml__xml_attribute_vector(w, "xyz", x.p);
    tml__xml_attribute_numbers(w, "rpy", rpy, 3);
}

static void put_child(writer* w, const char* tag, pose x)
{
    tml__put(w, tag);
    put_origin(w, x);
    tml__put(w, "/>\n");
}

// ---- links

// What URDF calls a shape; NULL when it has none like it.
static const char* urdf_shape(tml_shape_kind kind)
{
    switch (kind) {
    case TML_SHAPE_SPHERE: return "<sphere";
    case TML_SHAPE_BOX: return "<box";
    case TML_SHAPE_CAPSULE: return "<capsule";
    case TML_SHAPE_CYLINDER: return "<cylinder";
    case TML_SHAPE_MESH: return "<mesh";
    case TML_SHAPE_ELLIPSOID:
    case TML_SHAPE_PLANE:
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_KINDS: break;
    }
    return NULL;
}

static void write_geometry(robot_writer* t, const tml_shape_def* s)
{
    writer* w = &t->w;
    tml__put(w, "<geometry>");
    tml__put(w, urdf_shape(s->kind));
    if (s->kind == TML_SHAPE_MESH) {
        tml__xml_attribute_mesh(t, "filename", tml__tree_mesh(t, s));
    } else if (s->kind == TML_SHAPE_BOX) {
        tml__xml_attribute_vector(w, "size", s->size);
    } else {
        tml__xml_attribute_number(w, "radius", s->size.x);
        if (s->kind != TML_SHAPE_SPHERE) tml__xml_attribute_number(w, "length", s->size.z);
    }
    tml__put(w, "/></geometry>\n");
}

static void write_shape(robot_writer* t, const char* tag, const tml_shape_def* s)
{
    writer* w = &t->w;
    const double rgba[4] = {s->color[0] / 255.0, s->color[1] / 255.0, s->color[2] / 255.0, 1.0};
    if (urdf_shape(s->kind) == NULL) {
        tml__tree_lint(t, "shape that URDF does not have", "left out of the file");
        return;
    }
    tml__put(w, "<");
    tml__put(w, tag);
    tml__put(w, ">");
    put_child(w, "<origin", s->pose);
    write_geometry(t, s);
    if (strcmp(tag, "visual") == 0) {
        tml__put(w, "<material><color");
        tml__xml_attribute_numbers(w, "rgba", rgba, 4);
        tml__put(w, "/></material>\n");
    }
    tml__put(w, "</");
    tml__put(w, tag);
    tml__put(w, ">\n");
}

static void write_link(robot_writer* t, int body)
{
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    writer* w = &t->w;
    const tml_body_def* b = &t->all->bodies[body];
    tml__put(w, "<link");
    tml__xml_attribute_text(w, "name", b->name);
    tml__put(w, ">\n<inertial>");
    put_child(w, "<origin", (pose){b->com, q_identity()});
    tml__put(w, "<mass");
    tml__xml_attribute_number(w, "value", b->mass);
    tml__put(w, "/><inertia");
    for (int k = 0; k < 6; k++) tml__xml_attribute_number(w, names[k], b->inertia[k]);
    tml__put(w, "/></inertial>\n");
    for (int i = 0; i < b->shape_count; i++) {
        if (!b->shapes[i].hidden) write_shape(t, "visual", &b->shapes[i]);
        if (b->shapes[i].collide) write_shape(t, "collision", &b->shapes[i]);
    }
    tml__put(w, "</link>\n");
}

// ---- joints

static void put_step_name(robot_writer* t, int joint, int k)
{
    tml__put(&t->w, "\"");
    tml__xml_coordinate_name(t, &t->w, joint, k);
    tml__put(&t->w, ".link\"");
}

static void open_joint(robot_writer* t, int joint, int k, const char* type)
{
    writer* w = &t->w;
    tml__put(w, "<joint name=\"");
    if (k >= 0)
        tml__xml_coordinate_name(t, w, joint, k);
    else
        tml__xml_text(w, t->joints[joint].name);
    tml__put(w, "\"");
    tml__xml_attribute_text(w, "type", type);
    tml__put(w, ">\n<parent link=");
    if (k > 0) {
        put_step_name(t, joint, k - 1);
    } else {
        tml__put(w, "\"");
        tml__xml_text(w, tml__tree_body_name(t, t->joints[joint].base.index));
        tml__put(w, "\"");
    }
    tml__put(w, "/><child link=");
}

// Two joints, both linear, exact: q1 = multiplier q2 + offset.
static bool is_mimic(const tml_coupling_def* c)
{
    return c->term_count == 2 && !(c->compliance > 0.0) && c->terms[0].degree == 1 &&
           c->terms[1].degree == 1 && c->terms[0].coefficient[0] != 0.0;
}

static int chain_index(const robot_writer* t, const tml_coupling_term* term)
{
    const joint_chain* c = &t->chains[term->joint.index];
    int k = 0;
    while (k + 1 < c->count && c->axis[k] != term->axis) k++;
    return k;
}

// The coordinates of the file start from zero where those of the scene have their values at load.
static void put_mimic(robot_writer* t, int joint, int k)
{
    writer* w = &t->w;
    for (int i = 0; i < t->all->coupling_count; i++) {
        const tml_coupling_def* c = &t->all->couplings[i];
        if (!is_mimic(c) || c->terms[0].joint.index != joint || chain_index(t, &c->terms[0]) != k) {
            continue;
        }
        const int other = c->terms[1].joint.index;
        const int m = chain_index(t, &c->terms[1]);
        const double lead = c->terms[0].coefficient[0];
        const double multiplier = -c->terms[1].coefficient[0] / lead;
        tml__put(w, "<mimic joint=\"");
        tml__xml_coordinate_name(t, w, other, m);
        tml__put(w, "\"");
        tml__xml_attribute_number(w, "multiplier", multiplier);
        tml__xml_attribute_number(w, "offset",
                                  -c->offset / lead + multiplier * t->chains[other].value[m] -
                                      t->chains[joint].value[k]);
        tml__put(w, "/>");
    }
}

static void put_drive(robot_writer* t, int joint, int k)
{
    writer* w = &t->w;
    const joint_chain* c = &t->chains[joint];
    const tml_joint_def* def = &t->joints[joint];
    const tml_joint_axis* a = &def->axis_of[c->axis[k]];
    const bool is_driven = a->actuation == TML_POSITION ||
                           tml__tree_constant(t, &a->control, "the force of a joint") != 0.0;
    if (a->has_servo || is_driven) {
        tml__tree_refuse(t, "joint '%.120s' is driven, which URDF cannot say", def->name);
    }
    if (a->has_limits) {
        tml__put(w, "<limit");
        tml__xml_attribute_number(w, "lower", a->lower - c->value[k]);
        tml__xml_attribute_number(w, "upper", a->upper - c->value[k]);
        tml__put(w, "/>");
    }
    if (a->damping > 0.0 || a->friction > 0.0) {
        tml__put(w, "<dynamics");
        tml__xml_attribute_number(w, "damping", a->damping);
        if (a->friction > 0.0) tml__xml_attribute_number(w, "friction", a->friction);
        tml__put(w, "/>");
    }
    if (a->armature > 0.0) tml__tree_lint(t, "joint armature", "left out of the file");
}

// One coordinate: from the joint frame to itself, moved by its value at load.
static pose step_of(const joint_chain* c, int k)
{
    const int letter = (int)c->axis[k] % 3;
    if (c->axis[k] < TML_AXIS_RX) {
        return (pose){v3_scale(c->value[k], v3_unit(letter)), q_identity()};
    }
    return (pose){v3_zero(), q_about(letter, c->value[k])};
}

// Whether the follower's own frame can be the child's: URDF turns about the origin of the child.
static bool is_at_origin(const joint_chain* c) { return !(v3_max(c->follower.p) > 0.0); }

static void write_coordinate(robot_writer* t, int joint, int k)
{
    writer* w = &t->w;
    const joint_chain* c = &t->chains[joint];
    const bool is_body = k == c->count - 1 && is_at_origin(c);
    const bool is_slide = c->axis[k] < TML_AXIS_RX;
    const bool has_limits = t->joints[joint].axis_of[c->axis[k]].has_limits != 0;
    open_joint(t, joint, k, is_slide ? "prismatic" : has_limits ? "revolute" : "continuous");
    if (is_body) {
        tml__put(w, "\"");
        tml__xml_text(w, tml__tree_body_name(t, t->joints[joint].follower.index));
        tml__put(w, "\"");
    } else {
        put_step_name(t, joint, k);
    }
    tml__put(w, "/>\n");
    // a body stands in its own frame, links in between in the joint frame
    pose origin = step_of(c, k);
    if (k == 0) origin = pose_mul(c->base, origin);
    vec3 axis = v3_unit((int)c->axis[k] % 3);
    if (is_body) {
        origin = pose_mul(origin, pose_inverse(c->follower));
        axis = q_rotate(c->follower.q, axis);
    }
    put_child(w, "<origin", origin);
    tml__put(w, "<axis");
    tml__xml_attribute_vector(w, "xyz", axis);
    tml__put(w, "/>");
    put_drive(t, joint, k);
    put_mimic(t, joint, k);
    tml__put(w, "\n</joint>\n");
    if (!is_body) {
        tml__put(w, "<link name=");
        put_step_name(t, joint, k);
        tml__put(w, "/>\n");
    }
}

// From the link at the joint point to the body that hangs there.
static void write_end(robot_writer* t, int joint)
{
    writer* w = &t->w;
    const joint_chain* c = &t->chains[joint];
    if (is_at_origin(c)) return;
    tml__put(w, "<joint name=\"");
    tml__xml_text(w, t->joints[joint].name);
    tml__put(w, ".end\" type=\"fixed\">\n<parent link=");
    put_step_name(t, joint, c->count - 1);
    tml__put(w, "/><child link=\"");
    tml__xml_text(w, tml__tree_body_name(t, t->joints[joint].follower.index));
    tml__put(w, "\"/>\n");
    put_child(w, "<origin", pose_inverse(c->follower));
    tml__put(w, "</joint>\n");
}

static pose relative(const robot_writer* t, int body, int base)
{
    const pose outer = base >= 0 ? t->all->bodies[base].pose : pose_identity();
    return pose_mul(pose_inverse(outer), t->all->bodies[body].pose);
}

// Three turns are read back as one joint where their axes meet at right angles. The middle one tilts the
// last against the first, so a ball is written with axes of its own, and others must start straight.
static void straighten(robot_writer* t, int joint)
{
    joint_chain* c = &t->chains[joint];
    const int first = c->count - 3;
    if (first < 0 || c->axis[first] < TML_AXIS_RX) return;
    if (tml__tree_is_ball(t, joint)) {
        for (int k = first; k < c->count; k++) {
            c->base = pose_mul(c->base, step_of(c, k));
            c->value[k] = 0.0;
        }
    } else if (fabs(c->value[first + 1]) > 1e-9) {
        tml__tree_refuse(
            t,
            "joint '%.120s' has three turns and starts with the second at %g rad, where "
            "the axes of the others are not at right angles: links without mass cannot "
            "say that",
            t->joints[joint].name, c->value[first + 1]);
    }
}

static void write_tree_joint(robot_writer* t, int body)
{
    writer* w = &t->w;
    const int joint = t->parent_joint[body];
    const bool is_plain = joint < 0 || t->chains[joint].count == 0;
    if (!is_plain) straighten(t, joint);
    for (int k = 0; !is_plain && k < t->chains[joint].count; k++) write_coordinate(t, joint, k);
    if (!is_plain) {
        write_end(t, joint);
        return;
    }
    const int base = joint >= 0 ? t->joints[joint].base.index : -1;
    tml__put(w, "<joint name=\"");
    tml__xml_text(w, joint >= 0 ? t->joints[joint].name : t->all->bodies[body].name);
    tml__put(w, joint == -1 ? ".free\" type=\"floating\">\n<parent link=\""
                            : "\" type=\"fixed\">\n<parent link=\"");
    tml__xml_text(w, tml__tree_body_name(t, base));
    tml__put(w, "\"/><child link=\"");
    tml__xml_text(w, t->all->bodies[body].name);
    tml__put(w, "\"/>\n");
    put_child(w, "<origin", relative(t, body, base));
    tml__put(w, "</joint>\n");
}

// ---- loops, ties, springs

static void put_side(robot_writer* t, const char* tag, int body, pose frame)
{
    writer* w = &t->w;
    tml__put(w, tag);
    tml__xml_attribute_text(w, "link", tml__tree_body_name(t, body));
    put_origin(w, frame);
    tml__put(w, "/>\n");
}

static void write_loop(robot_writer* t, int joint)
{
    writer* w = &t->w;
    const tml_joint_def* def = &t->joints[joint];
    const char* type = def->kind == TML_JOINT_REVOLUTE    ? "continuous"
                       : def->kind == TML_JOINT_PRISMATIC ? "prismatic"
                       : def->kind == TML_JOINT_SPHERICAL ? "spherical"
                       : def->kind == TML_JOINT_FIXED     ? "fixed"
                                                          : NULL;
    if (type == NULL) {
        tml__tree_refuse(t, "joint '%.120s' closes a loop by a kind that loop_joint lacks",
                         def->name);
        return;
    }
    tml__put(w, "<loop_joint");
    tml__xml_attribute_text(w, "name", def->name);
    tml__xml_attribute_text(w, "type", type);
    tml__put(w, ">\n<axis xyz=\"1 0 0\"/>\n");
    put_side(t, "<link1", def->base.index, t->chains[joint].base);
    put_side(t, "<link2", def->follower.index, t->chains[joint].follower);
    const double damping = def->axis_of[TML_AXIS_RX].damping;
    if (def->kind == TML_JOINT_REVOLUTE && damping > 0.0) {
        tml__put(w, "<dynamics");
        tml__xml_attribute_number(w, "damping", damping);
        tml__put(w, "/>\n");
    }
    tml__put(w, "</loop_joint>\n");
}

static void check_rest(robot_writer* t)
{
    const definitions* all = t->all;
    for (int b = 0; b < all->body_count; b++) {
        if (!tml__tree_moves(t, b)) continue;
        tml__tree_refuse(t, "body '%.120s' moves at load, which URDF cannot say",
                         all->bodies[b].name);
    }
    for (int i = 0; i < all->coupling_count; i++) {
        if (!is_mimic(&all->couplings[i])) {
            tml__tree_refuse(t,
                             "coupling '%.120s' is no linear relation of two joints, which is all "
                             "that URDF has",
                             all->couplings[i].name);
        }
    }
    if (all->exclude_count + all->pair_count > 0) {
        tml__tree_lint(t, "bodies that never touch, or touch in their own way",
                       "left out of the file");
    }
    if (all->spring_count > 0) {
        tml__tree_refuse(t, "spring '%.120s' is a force that URDF cannot say",
                         all->springs[0].name);
    }
    if (v3_max(v3_sub(all->gravity, v3(0.0, 0.0, -9.81))) > 0.0) {
        tml__tree_refuse(t, "URDF cannot say a gravity other than (0, 0, -9.81)");
    }
}

static void write_spring(robot_writer* t, int joint, int k)
{
    writer* w = &t->w;
    const joint_chain* c = &t->chains[joint];
    const tml_joint_axis* a = &t->joints[joint].axis_of[c->axis[k]];
    if (!(a->stiffness > 0.0)) return;
    tml__put(w, "<force_element><torsional_spring");
    tml__xml_attribute_number(w, "stiffness", a->stiffness);
    tml__xml_attribute_number(w, "rest_angle", a->rest - c->value[k]);
    tml__put(w, "><joint name=\"");
    tml__xml_coordinate_name(t, w, joint, k);
    tml__put(w, "\"/></torsional_spring></force_element>\n");
}

void tml__write_urdf(robot_writer* t)
{
    writer* w = &t->w;
    const char* name = t->all->name;
    check_rest(t);
    tml__put(w, "<robot");
    tml__xml_attribute_text(w, "name", name != NULL && name[0] != '\0' ? name : "robot");
    tml__put(w, ">\n<link name=\"world\">\n");
    for (int i = 0; i < t->all->world_shape_count; i++) {
        const tml_shape_def* s = &t->all->world_shapes[i];
        write_shape(t, "visual", s);
        if (s->collide) write_shape(t, "collision", s);
    }
    tml__put(w, "</link>\n");
    for (int b = 0; b < t->all->body_count; b++) {
        write_link(t, b);
        write_tree_joint(t, b);
    }
    for (int j = 0; j < t->all->joint_count; j++) {
        if (!t->chains[j].is_tree) write_loop(t, j);
        for (int k = 0; t->chains[j].is_tree && k < t->chains[j].count; k++) write_spring(t, j, k);
    }
    tml__put(w, "</robot>\n");
}
