// bench/peers/scenes.c - scenes that several benches run in every engine.
#include "bench/peers/scenes.h"

#include "math/vec3.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- chains

// The link that starts at `from` and goes `along`, a unit vector that `turn` makes of x.
static tml_body add_link(tml_spec* spec, tml_vec3 from, tml_vec3 along, tml_quat turn)
{
    const double radius = 0.05;
    tml_body_def def = tml_body_def_default();
    memset(def.inertia, 0, sizeof def.inertia);
    def.mass = 1.0;
    def.inertia[0] = 0.5 * radius * radius;
    def.inertia[1] = (3.0 * radius * radius + 1.0) / 12.0;
    def.inertia[2] = def.inertia[1];
    def.pose.p = (tml_vec3){from.x + 0.5 * along.x, from.y + 0.5 * along.y, from.z + 0.5 * along.z};
    def.pose.q = turn;
    return tml_spec_add_body(spec, &def);
}

static void add_pin(tml_spec* spec, tml_joint_kind kind, tml_body base, tml_body follower,
                    tml_vec3 point)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = point;
    if (kind == TML_JOINT_REVOLUTE) def.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_spec_add_joint(spec, &def);
}

void peer_add_chain(tml_spec* spec, tml_joint_kind kind, int links, int is_closed)
{
    const double c = is_closed ? sqrt(0.5) : 1.0;
    const double half[2] = {is_closed ? cos(atan(1.0) / 2.0) : 1.0,
                            is_closed ? sin(atan(1.0) / 2.0) : 0.0};
    const int is_hinge = kind == TML_JOINT_REVOLUTE;
    tml_vec3 at = {0.0, 0.0, 0.0};
    tml_body last = TML_WORLD;
    for (int i = 0; i < links; i++) {
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        const double across = is_closed ? side * c : 0.0;
        const tml_vec3 along = {c, is_hinge ? 0.0 : across, is_hinge ? across : 0.0};
        const tml_quat turn = {half[0], 0.0, is_hinge ? -side * half[1] : 0.0,
                               is_hinge ? 0.0 : side * half[1]};
        const tml_body link = add_link(spec, at, along, turn);
        add_pin(spec, kind, last, link, at);
        at = (tml_vec3){at.x + along.x, at.y + along.y, at.z + along.z};
        last = link;
    }
    if (is_closed) add_pin(spec, kind, TML_WORLD, last, at);
}

// A rhombus of links 0, 1 above and 2, 3 below, from its left corner to its right one; a link of the
// last one, or the world, holds the left corner.
static tml_body add_rhombus(tml_spec* spec, tml_body before, tml_vec3 left)
{
    const double c = sqrt(0.5);
    const double turn[2] = {cos(atan(1.0) / 2.0), sin(atan(1.0) / 2.0)};
    const tml_quat up = {turn[0], 0.0, -turn[1], 0.0};
    const tml_quat down = {turn[0], 0.0, turn[1], 0.0};
    const tml_vec3 rise = {c, 0.0, c};
    const tml_vec3 fall = {c, 0.0, -c};
    const tml_vec3 top = v3_add(left, rise);
    const tml_vec3 bottom = v3_add(left, fall);
    const tml_vec3 right = v3_add(top, fall);
    const tml_body link[4] = {add_link(spec, left, rise, up), add_link(spec, top, fall, down),
                              add_link(spec, left, fall, down), add_link(spec, bottom, rise, up)};
    add_pin(spec, TML_JOINT_REVOLUTE, before, link[0], left);
    add_pin(spec, TML_JOINT_REVOLUTE, link[0], link[2], left);
    add_pin(spec, TML_JOINT_REVOLUTE, link[0], link[1], top);
    add_pin(spec, TML_JOINT_REVOLUTE, link[2], link[3], bottom);
    add_pin(spec, TML_JOINT_REVOLUTE, link[1], link[3], right);
    return link[1];
}

void peer_add_rhombi(tml_spec* spec, int segments)
{
    tml_body last = TML_WORLD;
    for (int i = 0; i < segments; i++) {
        last = add_rhombus(spec, last, (tml_vec3){2.0 * sqrt(0.5) * i, 0.0, 0.0});
    }
}

// ---- the pile

enum {
    SIDE = 6  // pairs along each side of a layer
};

static tml_shape_def box(double x, double y, double z)
{
    tml_shape_def shape = tml_shape_def_default();
    shape.kind = TML_SHAPE_BOX;
    shape.size = (tml_vec3){x, y, z};
    shape.friction = 0.5;
    shape.collide = 1;
    return shape;
}

static void add_container(tml_spec* spec)
{
    tml_shape_def floor = box(4.0, 4.0, 0.2);
    floor.pose.p.z = -0.1;
    tml_spec_add_world_shape(spec, &floor);
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        tml_shape_def wall = k < 2 ? box(0.2, 3.6, 3.0) : box(3.6, 0.2, 3.0);
        wall.pose.p = k < 2 ? (tml_vec3){1.7 * side, 0.0, 1.5} : (tml_vec3){0.0, 1.7 * side, 1.5};
        tml_spec_add_world_shape(spec, &wall);
    }
}

static tml_body add_box(tml_spec* spec, tml_vec3 at)
{
    const tml_shape_def shape = box(0.2, 0.1, 0.1);
    tml_body_def def = tml_body_def_default();
    def.mass = 2.0;
    memset(def.inertia, 0, sizeof def.inertia);
    def.inertia[0] = 2.0 / 12.0 * (0.01 + 0.01);
    def.inertia[1] = 2.0 / 12.0 * (0.04 + 0.01);
    def.inertia[2] = def.inertia[1];
    def.pose.p = at;
    def.shape_count = 1;
    def.shapes = &shape;
    return tml_spec_add_body(spec, &def);
}

// Each layer is moved a little against the one below, so that pairs tumble.
static void add_pair(tml_spec* spec, int i)
{
    const int layer = i / (SIDE * SIDE);
    const double x = 0.5 * (i % SIDE) - 1.25 + 0.05 * (layer % 3 - 1);
    const double y = 0.5 * (i / SIDE % SIDE) - 1.25 + 0.04 * (layer % 2);
    const double z = 0.3 + 0.25 * layer;
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_SPHERICAL;
    joint.base = add_box(spec, (tml_vec3){x - 0.1, y, z});
    joint.follower = add_box(spec, (tml_vec3){x + 0.1, y, z});
    joint.position = (tml_vec3){x, y, z};
    tml_spec_add_joint(spec, &joint);
}

peer_scene* peer_scene_pile(int pairs, char* why)
{
    tml_model* model = NULL;
    peer_scene* out = NULL;
    tml_spec* spec = tml_spec_create();
    snprintf(why, PEER_WHY, "no memory");
    if (spec == NULL) return NULL;
    add_container(spec);
    for (int i = 0; i < pairs; i++) add_pair(spec, i);
    if (tml_spec_build(spec, &model) == TML_OK) {
        out = peer_scene_create(model, 1, why);
    } else {
        snprintf(why, PEER_WHY, "%s", tml_spec_message(spec));
    }
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return out;
}

// ---- files and texts

static peer_scene* build(tml_scene* scene, tml_status status, int has_contact, char* why)
{
    tml_model* model = NULL;
    peer_scene* out = NULL;
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    if (status == TML_OK) {
        out = peer_scene_create(model, has_contact, why);
    } else {
        snprintf(why, PEER_WHY, "%s", tml_scene_message(scene));
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return out;
}

peer_scene* peer_scene_robot(const char* path, int has_contact, char* why)
{
    tml_scene* scene = tml_scene_create();
    tml_load_options options = tml_load_options_default();
    snprintf(why, PEER_WHY, "no memory");
    if (scene == NULL) return NULL;
    options.float_base = 1;
    tml_scene_set_load_options(scene, &options);
    return build(scene, tml_scene_read_file(scene, path), has_contact, why);
}

peer_scene* peer_scene_text(const char* text, int has_contact, char* why)
{
    tml_scene* scene = tml_scene_create();
    snprintf(why, PEER_WHY, "no memory");
    if (scene == NULL) return NULL;
    return build(scene, tml_scene_read_text(scene, text, strlen(text), "bench"), has_contact, why);
}

double peer_scene_scale(const peer_scene* s)
{
    vec3 least = s->bodies[0].pose.p;
    vec3 most = least;
    double mass = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        const vec3 p = s->bodies[i].pose.p;
        mass += s->bodies[i].mass;
        least = (vec3){p.x < least.x ? p.x : least.x, p.y < least.y ? p.y : least.y,
                       p.z < least.z ? p.z : least.z};
        most = (vec3){p.x > most.x ? p.x : most.x, p.y > most.y ? p.y : most.y,
                      p.z > most.z ? p.z : most.z};
    }
    const vec3 size = v3_sub(most, least);
    const double extent = size.x > size.y ? size.x : size.y;
    return 0.5 * mass * v3_norm(s->gravity) * (extent > size.z ? extent : size.z);
}
