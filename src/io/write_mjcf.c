// io/write_mjcf.c - a scene as MJCF.
//
// Bodies nest along the tree, each with its inertia and its coordinates as slides and hinges; the
// state at load is a keyframe. Loops are connects and welds between sites, couplings are equalities of
// joints or of fixed tendons, springs are spatial tendons, servos and forces are actuators.
#include "io/write_robot.h"
#include "model/sensor.h"

#include <math.h>
#include <string.h>

static void put_pose(writer* w, pose x)
{
    tml__xml_attribute_vector(w, "pos", x.p);
    tml__xml_attribute_numbers(w, "quat", (const double[]){x.q.w, x.q.x, x.q.y, x.q.z}, 4);
}

static void put_more(writer* w, double x)
{
    if (w->length > 0) tml__put(w, " ");
    tml__put_number(w, x);
}

// ---- shapes

static const tml_shape_def* shape_of(const definitions* all, int body, int index)
{
    return body < 0 ? &all->world_shapes[index] : &all->bodies[body].shapes[index];
}

static bool is_in_pair(const definitions* all, int body, int index, bool is_apart)
{
    for (int i = 0; i < all->pair_count; i++) {
        const tml_pair_def* p = &all->pairs[i];
        if (p->shape_a < 0 || p->is_apart != is_apart) continue;
        const bool is_a = p->a.index == body && p->shape_a == index;
        if (is_a || (p->b.index == body && p->shape_b == index)) return true;
    }
    return false;
}

// Its own name, or one by its place.
static void put_geom_name(robot_writer* t, int body, int index)
{
    writer* w = &t->w;
    const tml_shape_def* s = shape_of(t->all, body, index);
    if (s->name != NULL) {
        tml__xml_text(w, s->name);
        return;
    }
    tml__xml_text(w, tml__tree_body_name(t, body));
    tml__put(w, ".shape");
    tml__put_number(w, index);
}

// MJCF parts bodies, not geoms: a shape that does not touch another one has a body of its own, which
// is part of the other by having no joint.
static void put_geom_body(robot_writer* t, int body, int index)
{
    tml__xml_text(&t->w, tml__tree_body_name(t, body));
    tml__put(&t->w, ".alone");
    tml__put_number(&t->w, index);
}

// Where two shapes of another rule touch, MuJoCo takes the larger friction.
static void write_touch(robot_writer* t, const tml_shape_def* s)
{
    writer* w = &t->w;
    tml__xml_attribute_numbers(w, "friction", (const double[]){s->friction, s->torsion, s->rolling},
                               3);
    const double mask = s->collide ? s->mask : 0.0;
    const double groups = s->collide ? s->groups : 0.0;
    if (mask != 1.0) tml__xml_attribute_number(w, "contype", mask);
    if (groups != 1.0) tml__xml_attribute_number(w, "conaffinity", groups);
    if (s->priority != 0) tml__xml_attribute_number(w, "priority", s->priority);
    if (s->margin > 0.0) tml__xml_attribute_number(w, "margin", s->margin);
    if (s->dimensions != 3) tml__xml_attribute_number(w, "condim", s->dimensions);
}

static void write_geom(robot_writer* t, const tml_shape_def* s, int body, int index)
{
    writer* w = &t->w;
    const vec3 h = v3_scale(0.5, s->size);
    if (s->kind == TML_SHAPE_HEIGHTFIELD) {
        tml__tree_lint(t, "height field", "left out of the file");
        return;
    }
    const bool is_alone = is_in_pair(t->all, body, index, true);
    if (is_alone) {
        tml__put(w, "<body name=\"");
        put_geom_body(t, body, index);
        tml__put(w, "\">\n");
    }
    tml__put(w, "<geom");
    if (s->name != NULL || is_in_pair(t->all, body, index, false)) {
        tml__put(w, " name=\"");
        put_geom_name(t, body, index);
        tml__put(w, "\"");
    }
    tml__put(w, " type=\"");
    tml__put(w, tml_shape_kind_name(s->kind));
    tml__put(w, "\"");
    switch (s->kind) {
    case TML_SHAPE_SPHERE: tml__xml_attribute_number(w, "size", s->size.x); break;
    case TML_SHAPE_ELLIPSOID: tml__xml_attribute_vector(w, "size", s->size); break;
    case TML_SHAPE_CAPSULE:
    case TML_SHAPE_CYLINDER:
        tml__xml_attribute_numbers(w, "size", (const double[]){s->size.x, h.z}, 2);
        break;
    case TML_SHAPE_BOX: tml__xml_attribute_vector(w, "size", h); break;
    case TML_SHAPE_PLANE: tml__put(w, " size=\"10 10 0.1\""); break;
    case TML_SHAPE_MESH:
        tml__put(w, " mesh=\"mesh");
        tml__put_number(w, tml__tree_mesh(t, s));
        tml__put(w, "\"");
        break;
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_KINDS:
        tml__tree_refuse(t, "a shape '%s' is not written", tml_shape_kind_name(s->kind));
        break;
    }
    put_pose(w, s->pose);
    const double rgba[4] = {s->color[0] / 255.0, s->color[1] / 255.0, s->color[2] / 255.0, 1.0};
    tml__xml_attribute_numbers(w, "rgba", rgba, 4);
    write_touch(t, s);
    if (s->hidden) tml__put(w, " group=\"3\"");
    if (is_alone) tml__put(w, " mass=\"0\"");
    tml__put(w, is_alone ? "/>\n</body>\n" : "/>\n");
}

// Every mesh by its file, before somebody asks for it.
static void write_assets(robot_writer* t)
{
    for (int b = -1; b < t->all->body_count; b++) {
        const int count = b < 0 ? t->all->world_shape_count : t->all->bodies[b].shape_count;
        const tml_shape_def* shapes = b < 0 ? t->all->world_shapes : t->all->bodies[b].shapes;
        for (int i = 0; i < count; i++) {
            if (shapes[i].kind == TML_SHAPE_MESH) tml__tree_mesh(t, &shapes[i]);
        }
    }
    if (t->mesh_count == 0) return;
    tml__put(&t->w, "<asset>\n");
    for (int i = 0; i < t->mesh_count; i++) {
        tml__put(&t->w, "<mesh name=\"mesh");
        tml__put_number(&t->w, i);
        tml__put(&t->w, "\"");
        tml__xml_attribute_mesh(t, "file", i);
        tml__put(&t->w, "/>\n");
    }
    tml__put(&t->w, "</asset>\n");
}

static bool is_drawn(const tml_shape_def* s)
{
    // a point is nothing to MJCF; meshes and height fields have other sizes
    return (int)s->kind >= (int)TML_SHAPE_PLANE || s->size.x > 0.0;
}

// ---- bodies

static void write_joint(robot_writer* t, int index, int k, const double* rates)
{
    writer* w = &t->w;
    const joint_chain* c = &t->chains[index];
    const tml_axis axis = c->axis[k];
    const tml_joint_axis* a = &t->joints[index].axis_of[axis];
    const bool is_slide = axis < TML_AXIS_RX;
    tml__put(w, "<joint name=\"");
    tml__xml_coordinate_name(t, w, index, k);
    tml__put(w, is_slide ? "\" type=\"slide\"" : "\" type=\"hinge\"");
    tml__xml_attribute_vector(w, "pos", c->follower.p);
    tml__xml_attribute_vector(w, "axis", m3_column(q_matrix(c->follower.q), (int)axis % 3));
    if (a->has_limits) {
        tml__xml_attribute_numbers(w, "range", (const double[]){a->lower, a->upper}, 2);
    }
    if (a->stiffness > 0.0) {
        tml__xml_attribute_number(w, "stiffness", a->stiffness);
        tml__xml_attribute_number(w, "springref", a->rest);
    }
    if (a->damping > 0.0) tml__xml_attribute_number(w, "damping", a->damping);
    if (a->armature > 0.0) tml__xml_attribute_number(w, "armature", a->armature);
    if (a->friction > 0.0) tml__xml_attribute_number(w, "frictionloss", a->friction);
    if (a->has_force_limits) {
        tml__xml_attribute_numbers(w, "actuatorfrcrange",
                                   (const double[]){a->force_lower, a->force_upper}, 2);
    }
    tml__put(w, "/>\n");
    put_more(&t->positions, c->value[k]);
    put_more(&t->rates, rates[k]);
}

static void write_inertial(writer* w, const tml_body_def* b)
{
    tml__put(w, "<inertial");
    tml__xml_attribute_vector(w, "pos", b->com);
    tml__xml_attribute_number(w, "mass", b->mass);
    tml__xml_attribute_numbers(w, "fullinertia", b->inertia, 6);
    tml__put(w, "/>\n");
}

// Where the body stands in its parent when its coordinates are zero.
static pose zero_pose(const robot_writer* t, int body)
{
    const int joint = t->parent_joint[body];
    if (joint < 0) return t->all->bodies[body].pose;
    const joint_chain* c = &t->chains[joint];
    if (c->count == 0) {
        const int base = t->joints[joint].base.index;
        const pose outer = base >= 0 ? t->all->bodies[base].pose : pose_identity();
        return pose_mul(pose_inverse(outer), t->all->bodies[body].pose);
    }
    return pose_mul(c->base, pose_inverse(c->follower));
}

static void write_site(robot_writer* t, const char* kind, int index, const char* side, pose at)
{
    writer* w = &t->w;
    tml__put(w, "<site name=\"");
    tml__put(w, kind);
    tml__put_number(w, index);
    tml__put(w, side);
    tml__put(w, "\"");
    put_pose(w, at);
    tml__put(w, "/>\n");
}

// A second point of a hinge that closes a loop, a tenth of a metre along its axis.
static pose along(pose x) { return pose_mul(x, (pose){v3(0.1, 0.0, 0.0), q_identity()}); }

static void write_sites(robot_writer* t, int body)
{
    for (int j = 0; j < t->all->joint_count; j++) {
        const tml_joint_def* def = &t->joints[j];
        const joint_chain* c = &t->chains[j];
        if (c->is_tree) continue;
        const bool is_hinge = def->kind == TML_JOINT_REVOLUTE;
        if (def->base.index == body) {
            write_site(t, "loop", j, "a", c->base);
            if (is_hinge) write_site(t, "loop", j, "c", along(c->base));
        }
        if (def->follower.index == body) {
            write_site(t, "loop", j, "b", c->follower);
            if (is_hinge) write_site(t, "loop", j, "d", along(c->follower));
        }
    }
    for (int s = 0; s < t->all->spring_count; s++) {
        const tml_spring_def* spring = &t->all->springs[s];
        for (int i = 0; i < spring->point_count; i++) {
            if (spring->points[i].body.index != body) continue;
            const char side[4] = {'p', (char)('a' + i / 26 % 26), (char)('a' + i % 26), '\0'};
            write_site(t, "spring", s, side, (pose){spring->points[i].position, q_identity()});
        }
    }
}

static bool has_frame(const tml_sensor_def* s)
{
    const sensor_needs needs = tml__sensor_needs(s->kind);
    return needs == SENSOR_FRAME || needs == SENSOR_CARRIED || needs == SENSOR_ZONE;
}

static void put_sensor_site(robot_writer* t, const char* key, const tml_sensor_def* s,
                            const char* side)
{
    writer* w = &t->w;
    tml__put(w, " ");
    tml__put(w, key);
    tml__put(w, "=\"");
    tml__xml_text(w, s->name);
    tml__put(w, side);
    tml__put(w, "\"");
}

// A site for every frame that a sensor has on the body.
static void write_sensor_sites(robot_writer* t, int body)
{
    writer* w = &t->w;
    for (int i = 0; i < t->all->sensor_count; i++) {
        const tml_sensor_def* s = &t->all->sensors[i];
        if (has_frame(s) && s->body.index == body) {
            tml__put(w, "<site");
            put_sensor_site(t, "name", s, ".site");
            put_pose(w, s->pose);
            if (tml__sensor_needs(s->kind) == SENSOR_ZONE) {
                const bool is_long = s->zone == TML_SHAPE_CAPSULE || s->zone == TML_SHAPE_CYLINDER;
                const bool is_box = s->zone == TML_SHAPE_BOX;
                const vec3 h = v3_scale(0.5, s->zone_size);
                const vec3 size = is_box    ? h
                                  : is_long ? v3(s->zone_size.x, h.z, h.z)
                                            : s->zone_size;
                tml__put(w, " type=\"");
                tml__put(w, tml_shape_kind_name(s->zone));
                tml__put(w, "\"");
                tml__xml_attribute_vector(w, "size", size);
            }
            tml__put(w, "/>\n");
        }
        if (s->has_reference && s->reference.index == body) {
            tml__put(w, "<site");
            put_sensor_site(t, "name", s, ".reference");
            put_pose(w, s->reference_pose);
            tml__put(w, "/>\n");
        }
    }
}

static void write_joints(robot_writer* t, int body, int joint)
{
    const tml_joint_def* def = &t->joints[joint];
    if (!tml__tree_is_ball(t, joint)) {
        double rates[TML_AXES] = {0.0};
        if (t->has_rates) tml__tree_rates(t, joint, rates);
        for (int k = 0; k < t->chains[joint].count; k++) write_joint(t, joint, k, rates);
        return;
    }
    const int base = def->base.index;
    const quat outer = base >= 0 ? t->all->bodies[base].pose.q : q_identity();
    const quat zero = q_mul(outer, zero_pose(t, body).q);
    const quat q = q_normalize(q_mul(q_conj(zero), t->all->bodies[body].pose.q));
    tml__put(&t->w, "<joint type=\"ball\"");
    tml__xml_attribute_text(&t->w, "name", def->name);
    tml__xml_attribute_vector(&t->w, "pos", t->chains[joint].follower.p);
    tml__put(&t->w, "/>\n");
    const double x[4] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; k++) put_more(&t->positions, x[k]);
    const vec3 spin = t->has_rates ? tml__tree_spin(t, joint) : v3_zero();
    for (int k = 0; k < 3; k++) put_more(&t->rates, v3_at(spin, k));
}

static void write_body(robot_writer* t, int body, int depth)
{
    writer* w = &t->w;
    const tml_body_def* b = &t->all->bodies[body];
    const int joint = t->parent_joint[body];
    if (depth > TREE_MAX_DEPTH) {
        tml__tree_refuse(t, "body '%.120s' is more than %d joints from the root: too deep for XML",
                         b->name, TREE_MAX_DEPTH);
    }
    if (w->status != TML_OK) return;
    tml__put(w, "<body");
    tml__xml_attribute_text(w, "name", b->name);
    put_pose(w, zero_pose(t, body));
    tml__put(w, ">\n");
    write_inertial(w, b);
    if (joint == -1) {
        const pose x = b->pose;
        const double q[7] = {x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z};
        tml__put(w, "<freejoint/>\n");
        for (int k = 0; k < 7; k++) put_more(&t->positions, q[k]);
        const vec3 spin = q_rotate(q_conj(x.q), b->velocity.angular);
        for (int k = 0; k < 3; k++) put_more(&t->rates, v3_at(b->velocity.linear, k));
        for (int k = 0; k < 3; k++) put_more(&t->rates, v3_at(spin, k));
    }
    if (joint >= 0) write_joints(t, body, joint);
    for (int i = 0; i < b->shape_count; i++) {
        if (is_drawn(&b->shapes[i])) write_geom(t, &b->shapes[i], body, i);
    }
    write_sites(t, body);
    write_sensor_sites(t, body);
    for (int c = t->first_child[body]; c >= 0; c = t->next_child[c]) write_body(t, c, depth + 1);
    tml__put(w, "</body>\n");
}

// ---- loops and couplings

static void put_site_pair(writer* w, int index, const char* a, const char* b)
{
    tml__put(w, " site1=\"loop");
    tml__put_number(w, index);
    tml__put(w, a);
    tml__put(w, "\" site2=\"loop");
    tml__put_number(w, index);
    tml__put(w, b);
    tml__put(w, "\"/>\n");
}

static void write_loop(robot_writer* t, int index)
{
    writer* w = &t->w;
    const tml_joint_def* def = &t->joints[index];
    const bool is_point = def->kind == TML_JOINT_SPHERICAL || def->kind == TML_JOINT_REVOLUTE;
    if (!is_point && def->kind != TML_JOINT_FIXED) {
        tml__tree_refuse(t,
                         "joint '%.120s' closes a loop, which MJCF can only do by a spherical, "
                         "revolute or fixed joint",
                         def->name);
        return;
    }
    for (int k = 0; k < TML_AXES; k++) {
        const tml_joint_axis* a = &def->axis_of[k];
        if (a->actuation != TML_PASSIVE || a->has_servo || a->has_limits || a->stiffness > 0.0 ||
            a->damping > 0.0) {
            tml__tree_refuse(t, "joint '%.120s' closes a loop: MJCF cannot drive or spring it",
                             def->name);
        }
    }
    tml__put(w, is_point ? "<connect" : "<weld");
    tml__xml_attribute_text(w, "name", def->name);
    put_site_pair(w, index, "a", "b");
    if (def->kind == TML_JOINT_REVOLUTE) {
        tml__put(w, "<connect name=\"");
        tml__xml_text(w, def->name);
        tml__put(w, ".along\"");
        put_site_pair(w, index, "c", "d");
    }
}

static int chain_index(const robot_writer* t, int joint, tml_axis axis)
{
    for (int k = 0; k < t->chains[joint].count; k++) {
        if (t->chains[joint].axis[k] == axis) return k;
    }
    return 0;
}

static void put_joint_name(robot_writer* t, const char* key, int joint, tml_axis axis)
{
    writer* w = &t->w;
    tml__put(w, " ");
    tml__put(w, key);
    tml__put(w, "=\"");
    tml__xml_coordinate_name(t, w, joint, chain_index(t, joint, axis));
    tml__put(w, "\"");
}

static bool is_linear(const tml_coupling_def* c)
{
    for (int i = 0; i < c->term_count; i++) {
        for (int k = 1; k < c->terms[i].degree; k++) {
            if (c->terms[i].coefficient[k] != 0.0) return false;
        }
    }
    return true;
}

// q1 = -offset/c - p(q2)/c where the first of two terms is c q1 and p has a degree of at most 4.
static bool write_polynomial(robot_writer* t, const tml_coupling_def* c)
{
    writer* w = &t->w;
    if (c->term_count != 2) return false;
    for (int one = 0; one < 2; one++) {
        const tml_coupling_term* a = &c->terms[one];
        const tml_coupling_term* b = &c->terms[1 - one];
        const double lead = a->coefficient[0];
        if (a->degree != 1 || lead == 0.0 || b->degree > 4) continue;
        double p[5] = {-c->offset / lead, 0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < b->degree; k++) p[k + 1] = -b->coefficient[k] / lead;
        tml__put(w, "<joint");
        tml__xml_attribute_text(w, "name", c->name);
        put_joint_name(t, "joint1", a->joint.index, a->axis);
        put_joint_name(t, "joint2", b->joint.index, b->axis);
        tml__xml_attribute_numbers(w, "polycoef", p, 5);
        tml__put(w, "/>\n");
        return true;
    }
    return false;
}

static void write_coupling(robot_writer* t, const tml_coupling_def* c)
{
    writer* w = &t->w;
    if (c->compliance > 0.0 || write_polynomial(t, c)) return;
    if (!is_linear(c)) {
        tml__tree_refuse(t, "coupling '%.120s' is no polynomial of two joints, of degree 4 at most",
                         c->name);
        return;
    }
    tml__put(w, "<tendon");
    tml__xml_attribute_text(w, "name", c->name);
    tml__xml_attribute_text(w, "tendon1", c->name);
    tml__xml_attribute_numbers(w, "polycoef", (const double[]){-c->offset, 0.0, 0.0, 0.0, 0.0}, 5);
    tml__put(w, "/>\n");
}

static bool needs_tendon(const tml_coupling_def* c)
{
    return c->compliance > 0.0 || (c->term_count != 2 && is_linear(c));
}

static double length_at_load(const robot_writer* t, const tml_spring_def* s)
{
    double sum = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < s->point_count; i++) {
        const int b = s->points[i].body.index;
        const pose at = b >= 0 ? t->all->bodies[b].pose : pose_identity();
        const vec3 here = pose_apply(at, s->points[i].position);
        if (i > 0) sum += v3_norm(v3_sub(here, last));
        last = here;
    }
    return sum;
}

static void write_spring(robot_writer* t, int index)
{
    writer* w = &t->w;
    const tml_spring_def* s = &t->all->springs[index];
    if (s->law != TML_SPRING_LINEAR || s->point_count > 676) {
        tml__tree_refuse(t, "spring '%.120s' is not linear, or has more than 676 points", s->name);
        return;
    }
    tml__put(w, "<spatial");
    tml__xml_attribute_text(w, "name", s->name);
    tml__xml_attribute_number(w, "stiffness", s->stiffness);
    tml__xml_attribute_number(w, "damping", s->damping);
    tml__xml_attribute_number(w, "springlength",
                              s->rest_length >= 0.0 ? s->rest_length : length_at_load(t, s));
    tml__put(w, ">\n");
    for (int i = 0; i < s->point_count; i++) {
        const char side[4] = {'p', (char)('a' + i / 26), (char)('a' + i % 26), '\0'};
        tml__put(w, "<site site=\"spring");
        tml__put_number(w, index);
        tml__put(w, side);
        tml__put(w, "\"/>\n");
    }
    tml__put(w, "</spatial>\n");
}

static void write_tendons(robot_writer* t)
{
    writer* w = &t->w;
    tml__put(w, "<tendon>\n");
    for (int i = 0; i < t->all->coupling_count; i++) {
        const tml_coupling_def* c = &t->all->couplings[i];
        if (!needs_tendon(c)) continue;
        if (!is_linear(c)) {
            tml__tree_refuse(t, "coupling '%.120s' is a spring that is not linear", c->name);
        }
        tml__put(w, "<fixed");
        tml__xml_attribute_text(w, "name", c->name);
        if (c->compliance > 0.0) {
            tml__xml_attribute_number(w, "stiffness", 1.0 / c->compliance);
            if (c->offset > 0.0) {
                tml__tree_refuse(t, "coupling '%.120s': MJCF has no springs of negative length",
                                 c->name);
            }
            tml__xml_attribute_number(w, "springlength", -c->offset);
        }
        tml__put(w, ">\n");
        for (int k = 0; k < c->term_count; k++) {
            tml__put(w, "<joint");
            put_joint_name(t, "joint", c->terms[k].joint.index, c->terms[k].axis);
            tml__xml_attribute_number(w, "coef", c->terms[k].coefficient[0]);
            tml__put(w, "/>\n");
        }
        tml__put(w, "</fixed>\n");
    }
    for (int s = 0; s < t->all->spring_count; s++) write_spring(t, s);
    tml__put(w, "</tendon>\n");
}

// ---- actuators

static void write_actuator(robot_writer* t, int joint, int k)
{
    writer* w = &t->w;
    const tml_joint_def* def = &t->joints[joint];
    const tml_axis axis = t->chains[joint].axis[k];
    const tml_joint_axis* a = &def->axis_of[axis];
    if (a->has_servo) {
        const double target = tml__tree_constant(t, &a->servo_target, "the target of a servo");
        tml__put(w, "<position");
        put_joint_name(t, "joint", joint, axis);
        tml__xml_attribute_number(w, "kp", a->servo_stiffness);
        tml__xml_attribute_number(w, "kv", a->servo_damping);
        tml__put(w, "/>\n");
        put_more(&t->controls, target);
    }
    if (a->actuation == TML_FORCE) {
        const double force = tml__tree_constant(t, &a->control, "the force of a joint");
        tml__put(w, "<motor");
        put_joint_name(t, "joint", joint, axis);
        tml__put(w, "/>\n");
        put_more(&t->controls, force);
    }
}

// A muscle whose control is its activation, and a tension. Forces of MJCF lengthen a tendon.
static void write_pull(robot_writer* t, const tml_spring_def* s)
{
    writer* w = &t->w;
    const tml_muscle* m = &s->muscle;
    if (m->force > 0.0) {
        const double curve[9] = {0.0,     1.0,     m->force, 1.0,     m->lmin,
                                 m->lmax, m->vmax, m->fpmax, m->fvmax};
        const double length[2] = {m->tendon_length, m->tendon_length + m->optimal_length};
        tml__put(w, "<general dyntype=\"none\" gaintype=\"muscle\" biastype=\"muscle\"");
        tml__xml_attribute_text(w, "tendon", s->name);
        tml__xml_attribute_numbers(w, "gainprm", curve, 9);
        tml__xml_attribute_numbers(w, "biasprm", curve, 9);
        tml__xml_attribute_numbers(w, "lengthrange", length, 2);
        tml__put(w, "/>\n");
        put_more(&t->controls, tml__tree_constant(t, &m->activation, "the activation of a muscle"));
    }
    if (s->force.kind != TML_CONTROL_NONE) {
        tml__put(w, "<motor");
        tml__xml_attribute_text(w, "tendon", s->name);
        tml__put(w, "/>\n");
        put_more(&t->controls, -tml__tree_constant(t, &s->force, "the tension of a tendon"));
    }
}

static void write_equalities(robot_writer* t)
{
    writer* w = &t->w;
    tml__put(w, "<equality>\n");
    for (int j = 0; j < t->all->joint_count; j++) {
        const joint_chain* c = &t->chains[j];
        if (!c->is_tree) write_loop(t, j);
        for (int k = 0; c->is_tree && k < c->count; k++) {
            const tml_joint_axis* a = &t->joints[j].axis_of[c->axis[k]];
            if (a->actuation != TML_POSITION) continue;
            const double held = tml__tree_constant(t, &a->control, "a position-driven joint");
            tml__put(w, "<joint");
            put_joint_name(t, "joint1", j, c->axis[k]);
            tml__xml_attribute_numbers(w, "polycoef", (const double[]){held, 0.0, 0.0, 0.0, 0.0},
                                       5);
            tml__put(w, "/>\n");
        }
    }
    for (int i = 0; i < t->all->coupling_count; i++) write_coupling(t, &t->all->couplings[i]);
    tml__put(w, "</equality>\n");
}

// ---- the model

// Of the magnetometers: a file has one field.
static void write_field(robot_writer* t)
{
    const tml_sensor_def* first = NULL;
    for (int i = 0; i < t->all->sensor_count; i++) {
        const tml_sensor_def* s = &t->all->sensors[i];
        if (s->kind != TML_SENSOR_MAGNETOMETER) continue;
        if (first == NULL) {
            first = s;
            tml__xml_attribute_vector(&t->w, "magnetic", s->vector);
        } else if (v3_max(v3_sub(s->vector, first->vector)) > 0.0) {
            tml__tree_lint(t, "second magnetic field", "left out of the file");
        }
    }
}

static void write_settings(robot_writer* t)
{
    writer* w = &t->w;
    tml__put(w, "<mujoco");
    if (t->all->name != NULL && t->all->name[0] != '\0') {
        tml__xml_attribute_text(w, "model", t->all->name);
    }
    tml__put(w, ">\n<compiler angle=\"radian\" autolimits=\"true\"/>\n<option");
    tml__xml_attribute_vector(w, "gravity", t->all->gravity);
    tml__xml_attribute_number(w, "timestep", t->settings->sim.step);
    write_field(t);
    tml__put(w, "/>\n");
}

static void write_pair(robot_writer* t, const tml_pair_def* p)
{
    writer* w = &t->w;
    if (p->restitution >= 0.0) {
        tml__tree_lint(t, "restitution of a pair", "left out of the file");
    }
    if (p->is_apart) {
        tml__put(w, "<exclude body1=\"");
        put_geom_body(t, p->a.index, p->shape_a);
        tml__put(w, "\" body2=\"");
        put_geom_body(t, p->b.index, p->shape_b);
        tml__put(w, "\"/>\n");
        return;
    }
    if (p->shape_a < 0) {
        tml__tree_lint(t, "friction and restitution of pairs of bodies", "left out of the file");
        return;
    }
    tml__put(w, "<pair geom1=\"");
    put_geom_name(t, p->a.index, p->shape_a);
    tml__put(w, "\" geom2=\"");
    put_geom_name(t, p->b.index, p->shape_b);
    tml__put(w, "\"");
    if (p->friction == 0.0) {
        tml__put(w, " condim=\"1\"");
    } else if (p->friction > 0.0) {
        tml__xml_attribute_numbers(w, "friction", (const double[]){p->friction, p->friction}, 2);
    }
    tml__put(w, "/>\n");
}

// The body itself for an index of -1, else the one of a shape that stands alone.
static void put_body_part(robot_writer* t, const char* key, tml_body body, int index)
{
    writer* w = &t->w;
    tml__put(w, " ");
    tml__put(w, key);
    tml__put(w, "=\"");
    if (index < 0) {
        tml__xml_text(w, tml__tree_body_name(t, body.index));
    } else {
        put_geom_body(t, body.index, index);
    }
    tml__put(w, "\"");
}

static int shapes_of(const definitions* all, tml_body body)
{
    return body.index < 0 ? all->world_shape_count : all->bodies[body.index].shape_count;
}

static void write_exclusion(robot_writer* t, tml_body a, tml_body b)
{
    for (int i = -1; i < shapes_of(t->all, a); i++) {
        if (i >= 0 && !is_in_pair(t->all, a.index, i, true)) continue;
        for (int k = -1; k < shapes_of(t->all, b); k++) {
            if (k >= 0 && !is_in_pair(t->all, b.index, k, true)) continue;
            tml__put(&t->w, "<exclude");
            put_body_part(t, "body1", a, i);
            put_body_part(t, "body2", b, k);
            tml__put(&t->w, "/>\n");
        }
    }
}

static void write_exclusions(robot_writer* t)
{
    writer* w = &t->w;
    tml__put(w, "<contact>\n");
    for (int i = 0; i < t->all->exclude_count; i++) {
        write_exclusion(t, t->all->excludes[i].a, t->all->excludes[i].b);
    }
    for (int i = 0; i < t->all->pair_count; i++) write_pair(t, &t->all->pairs[i]);
    tml__put(w, "</contact>\n");
}

static const char* sensor_tag(tml_sensor_kind kind)
{
    static const char* const tags[TML_SENSOR_KINDS] = {
        [TML_SENSOR_POSITION] = "framepos",
        [TML_SENSOR_QUATERNION] = "framequat",
        [TML_SENSOR_X_AXIS] = "framexaxis",
        [TML_SENSOR_Y_AXIS] = "frameyaxis",
        [TML_SENSOR_Z_AXIS] = "framezaxis",
        [TML_SENSOR_LINEAR_VELOCITY] = "framelinvel",
        [TML_SENSOR_ANGULAR_VELOCITY] = "frameangvel",
        [TML_SENSOR_LINEAR_ACCELERATION] = "framelinacc",
        [TML_SENSOR_ANGULAR_ACCELERATION] = "frameangacc",
        [TML_SENSOR_VELOCIMETER] = "velocimeter",
        [TML_SENSOR_GYRO] = "gyro",
        [TML_SENSOR_ACCELEROMETER] = "accelerometer",
        [TML_SENSOR_MAGNETOMETER] = "magnetometer",
        [TML_SENSOR_FORCE] = "force",
        [TML_SENSOR_TORQUE] = "torque",
        [TML_SENSOR_TOUCH] = "touch",
        [TML_SENSOR_RANGE] = "rangefinder",
        [TML_SENSOR_INSIDE] = "insidesite",
        [TML_SENSOR_COORDINATE] = "jointpos",
        [TML_SENSOR_RATE] = "jointvel",
        [TML_SENSOR_MOTOR] = "jointactuatorfrc",
        [TML_SENSOR_LENGTH] = "tendonpos",
        [TML_SENSOR_LENGTH_RATE] = "tendonvel",
        [TML_SENSOR_SUBTREE_COM] = "subtreecom",
        [TML_SENSOR_SUBTREE_LINEAR_VELOCITY] = "subtreelinvel",
        [TML_SENSOR_SUBTREE_ANGULAR_MOMENTUM] = "subtreeangmom",
        [TML_SENSOR_TIME] = "clock",
        [TML_SENSOR_KINETIC] = "e_kinetic",
        [TML_SENSOR_POTENTIAL] = "e_potential",
    };
    return tags[kind];
}

static void write_sensor(robot_writer* t, const tml_sensor_def* s)
{
    writer* w = &t->w;
    const sensor_needs needs = tml__sensor_needs(s->kind);
    const bool is_object = s->kind <= TML_SENSOR_ANGULAR_ACCELERATION;
    if (needs == SENSOR_AXIS && !t->chains[s->joint.index].is_tree) {
        tml__tree_lint(t, "sensor of a joint that closes a loop", "left out of the file");
        return;
    }
    if (fabs(s->scale - 1.0) > 0.0) {
        tml__tree_lint(t, "scale of a sensor", "left out of the file");
    }
    tml__put(w, "<");
    tml__put(w, sensor_tag(s->kind));
    put_sensor_site(t, "name", s, "");
    if (is_object) {
        tml__put(w, " objtype=\"site\"");
        put_sensor_site(t, "objname", s, ".site");
        if (s->has_reference) {
            tml__put(w, " reftype=\"site\"");
            put_sensor_site(t, "refname", s, ".reference");
        }
    } else if (has_frame(s)) {
        put_sensor_site(t, "site", s, ".site");
        if (s->kind == TML_SENSOR_INSIDE) {
            tml__put(w, " objtype=\"site\"");
            put_sensor_site(t, "objname", s, ".reference");
        }
    } else if (needs == SENSOR_AXIS) {
        put_joint_name(t, "joint", s->joint.index, s->axis);
    } else if (needs == SENSOR_SPRING) {
        tml__put(w, " tendon=\"");
        tml__xml_text(w, t->all->springs[s->spring].name);
        tml__put(w, "\"");
    } else if (needs == SENSOR_BODY) {
        tml__put(w, " body=\"");
        tml__xml_text(w, tml__tree_body_name(t, s->body.index));
        tml__put(w, "\"");
    }
    if (s->cutoff > 0.0) tml__xml_attribute_number(w, "cutoff", s->cutoff);
    tml__put(w, "/>\n");
}

static void write_sensors(robot_writer* t)
{
    if (t->all->sensor_count == 0) return;
    tml__put(&t->w, "<sensor>\n");
    for (int i = 0; i < t->all->sensor_count; i++) write_sensor(t, &t->all->sensors[i]);
    tml__put(&t->w, "</sensor>\n");
}

void tml__write_mjcf(robot_writer* t)
{
    writer* w = &t->w;
    for (int b = 0; b < t->all->body_count; b++) {
        if (tml__tree_moves(t, b)) t->has_rates = true;
    }
    write_settings(t);
    write_assets(t);
    tml__put(w, "<worldbody>\n");
    for (int i = 0; i < t->all->world_shape_count; i++) {
        if (is_drawn(&t->all->world_shapes[i])) write_geom(t, &t->all->world_shapes[i], -1, i);
    }
    write_sites(t, -1);
    write_sensor_sites(t, -1);
    for (int b = t->first_child[t->all->body_count]; b >= 0; b = t->next_child[b]) {
        write_body(t, b, 1);
    }
    tml__put(w, "</worldbody>\n");
    write_exclusions(t);
    write_tendons(t);
    write_equalities(t);
    tml__put(w, "<actuator>\n");
    for (int j = 0; j < t->all->joint_count; j++) {
        for (int k = 0; t->chains[j].is_tree && k < t->chains[j].count; k++)
            write_actuator(t, j, k);
    }
    for (int s = 0; s < t->all->spring_count; s++) write_pull(t, &t->all->springs[s]);
    // what gathered beside the text may have failed on its own
    const writer* const beside[] = {&t->positions, &t->rates, &t->controls};
    for (int i = 0; i < 3; i++) {
        if (w->status != TML_OK || beside[i]->status == TML_OK) continue;
        w->status = beside[i]->status;
        w->why = beside[i]->why;
    }
    tml__put(w, "</actuator>\n");
    write_sensors(t);
    tml__put(w, "<keyframe>\n<key name=\"load\" qpos=\"");
    if (t->positions.data != NULL) tml__put(w, t->positions.data);
    if (t->has_rates && t->rates.data != NULL) {
        tml__put(w, "\" qvel=\"");
        tml__put(w, t->rates.data);
    }
    tml__put(w, "\" ctrl=\"");
    if (t->controls.data != NULL) tml__put(w, t->controls.data);
    tml__put(w, "\"/>\n</keyframe>\n</mujoco>\n");
}
