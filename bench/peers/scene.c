// bench/peers/scene.c - the common ground of a model: what every engine can be told.
#include "bench/peers/peer.h"
#include "math/mat3.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- bodies

// A diagonal inertia keeps its axes: a box stays a box along them.
static quat principal(const double* inertia, vec3* moments)
{
    if (inertia[3] == 0.0 && inertia[4] == 0.0 && inertia[5] == 0.0) {
        *moments = (vec3){inertia[0], inertia[1], inertia[2]};
        return q_identity();
    }
    const mat3 J = {{{inertia[0], inertia[3], inertia[4]},
                     {inertia[3], inertia[1], inertia[5]},
                     {inertia[4], inertia[5], inertia[2]}}};
    mat3 axes;
    tml__m3_eigen(J, moments, &axes);
    return tml__q_from_matrix(axes);
}

static void add_shapes(peer_scene* s, const tml_shape_def* shapes, int count, vec3 com, quat turn)
{
    for (int i = 0; i < count; i++) {
        tml_shape_def* to = &s->shapes[s->shape_count++];
        *to = shapes[i];
        const vec3 p = q_rotate(q_conj(turn), v3_sub(shapes[i].pose.p, com));
        to->pose.p = p;
        to->pose.q = q_mul(q_conj(turn), shapes[i].pose.q);
        if (to->collide && to->friction < s->friction) s->friction = to->friction;
    }
}

static void add_body(peer_scene* s, const tml_body_def* def)
{
    peer_body* b = &s->bodies[s->body_count++];
    const quat q = def->pose.q;
    const vec3 com = def->com;
    const vec3 arm = q_rotate(q, com);
    const vec3 omega = def->velocity.angular;
    vec3 moments;
    const quat turn = principal(def->inertia, &moments);

    *b = (peer_body){.mass = def->mass, .inertia = moments};
    b->pose.p = v3_add(def->pose.p, arm);
    b->pose.q = q_mul(q, turn);
    b->velocity.angular = def->velocity.angular;
    b->velocity.linear = v3_add(def->velocity.linear, v3_cross(omega, arm));
    b->shape_first = s->shape_count;
    b->shape_count = def->shape_count;
    b->parent = PEER_WORLD;
    b->joint = -1;
    add_shapes(s, def->shapes, def->shape_count, com, turn);
}

// ---- joints

static int letter(char c) { return c - 'x'; }

// The axes of a joint in world coordinates at the start.
static mat3 frame_of(const tml_model* model, int j)
{
    tml_pose in_base;
    tml_pose in_follower;
    const tml_joint_def def = tml_model_joint(model, (tml_joint){j});
    tml_model_joint_frames(model, (tml_joint){j}, &in_base, &in_follower);
    quat q = in_follower.q;
    if (def.follower.index >= 0) {
        q = q_mul(tml_model_body(model, def.follower)->pose.q, q);
    }
    return q_matrix(q);
}

static int number_of(const int* number, int body) { return body < 0 ? PEER_WORLD : number[body]; }

static int add_joint(peer_scene* s, const tml_model* model, int j, const int* number, int is_mixed,
                     char* why)
{
    const tml_joint_def def = tml_model_joint(model, (tml_joint){j});
    const int is_custom = def.kind == TML_JOINT_CUSTOM;
    const char* slides = is_custom ? def.free_translation : tml_joint_kind_slides(def.kind);
    const char* turns = is_custom ? def.free_rotation : tml_joint_kind_turns(def.kind);
    peer_joint to = {.base = number_of(number, def.base.index),
                     .follower = number_of(number, def.follower.index)};
    const mat3 frame = frame_of(model, j);
    const size_t slide_count = strlen(slides);
    const size_t turn_count = strlen(turns);

    to.point = def.has_follower_frame ? def.follower_position : def.position;
    if (to.base == to.follower) return 1;               // within the world
    if (slide_count == 3 && turn_count == 3) return 1;  // floating bodies need no joint here
    if (slide_count == 0 && turn_count == 3) {
        to.kind = PEER_BALL;  // three turns in a row are one, without limits
    } else if (slide_count == 0 && turn_count > 0) {
        to.kind = PEER_HINGE;
        for (size_t k = 0; k < turn_count; k++) {
            to.axis[to.axis_count++] = m3_column(frame, letter(turns[k]));
        }
    } else if (slide_count == 1 && turn_count == 0) {
        to.kind = PEER_SLIDE;
        to.axis[to.axis_count++] = m3_column(frame, letter(slides[0]));
    } else if (is_mixed && turn_count <= 1) {
        to.kind = PEER_MIXED;
        for (size_t k = 0; k < slide_count; k++) {
            to.slide[to.slide_count++] = m3_column(frame, letter(slides[k]));
        }
        for (size_t k = 0; k < turn_count; k++) {
            to.axis[to.axis_count++] = m3_column(frame, letter(turns[k]));
        }
    } else if (slide_count + turn_count > 0) {
        snprintf(why, PEER_WHY, "joint '%s' is of a kind that the engines do not share",
                 tml_model_joint_name(model, (tml_joint){j}));
        return 0;
    }
    s->joints[s->joint_count++] = to;
    return 1;
}

// ---- the spanning tree: joints in their order, from the world outward

static int reached(const char* is_placed, int body) { return body < 0 || is_placed[body]; }

static void place(peer_scene* s, char* is_placed, int body, int parent, int joint)
{
    peer_body* b = &s->bodies[body];
    b->parent = parent;
    b->joint = joint;
    b->reversed = joint >= 0 && s->joints[joint].base == body;
    is_placed[body] = 1;
}

// One sweep over the joints; how many bodies it reached. Chains are listed from the root, so that one
// sweep does for them.
static int sweep(peer_scene* s, char* is_placed, char* is_used, int placed)
{
    for (int j = 0; j < s->joint_count; j++) {
        const peer_joint* joint = &s->joints[j];
        const int base = reached(is_placed, joint->base);
        const int follower = reached(is_placed, joint->follower);
        if (is_used[j] || base == follower) continue;
        const int body = base ? joint->follower : joint->base;
        place(s, is_placed, body, base ? joint->base : joint->follower, j);
        is_used[j] = 1;
        s->order[placed++] = body;
    }
    return placed;
}

static int span(peer_scene* s)
{
    char* is_placed = calloc((size_t)s->body_count + 1, 1);
    char* is_used = calloc((size_t)s->joint_count + 1, 1);
    int placed = 0;
    int next = 0;
    if (is_placed == NULL || is_used == NULL) {
        free(is_placed);
        free(is_used);
        return 0;
    }
    while (placed < s->body_count) {
        const int before = placed;
        placed = sweep(s, is_placed, is_used, placed);
        if (placed > before) continue;
        while (is_placed[next]) next++;  // nothing is left that hangs on what is placed: it floats
        place(s, is_placed, next, PEER_WORLD, -1);
        s->order[placed++] = next;
    }
    for (int j = 0; j < s->joint_count; j++) s->joints[j].closes_loop = !is_used[j];
    free(is_placed);
    free(is_used);
    return 1;
}

void peer_scene_destroy(peer_scene* s)
{
    if (s == NULL) return;
    free(s->bodies);
    free(s->joints);
    free(s->shapes);
    free(s->order);
    free(s);
}

// Bodies that can move, in their order; `number` says which each became. Those that are welded to the
// world lend it their shapes.
static int add_bodies(peer_scene* s, const tml_model* model, int* number, char* why)
{
    const int count = tml_model_body_count(model);
    for (int i = 0; i < count; i++) {
        const tml_body_def* def = tml_model_body(model, (tml_body){i});
        number[i] = def->is_fixed ? PEER_WORLD : s->body_count;
        if (def->is_fixed) continue;
        add_body(s, def);
        const peer_body* b = &s->bodies[number[i]];
        if (v3_norm(b->velocity.linear) > 0.0 || v3_norm(b->velocity.angular) > 0.0) {
            snprintf(why, PEER_WHY, "body '%s' starts in motion", def->name);
            return 0;
        }
    }
    s->world_first = s->shape_count;
    const tml_shape_def* world = tml_model_world_shapes(model, &s->world_count);
    add_shapes(s, world, s->world_count, v3_zero(), q_identity());
    for (int i = 0; i < count; i++) {
        const tml_body_def* def = tml_model_body(model, (tml_body){i});
        if (!def->is_fixed) continue;
        const vec3 origin = v3_neg(q_rotate(q_conj(def->pose.q), def->pose.p));
        add_shapes(s, def->shapes, def->shape_count, origin, q_conj(def->pose.q));
    }
    s->world_count = s->shape_count - s->world_first;
    return 1;
}

static int fill(peer_scene* s, const tml_model* model, int is_mixed, char* why)
{
    int* number = calloc((size_t)tml_model_body_count(model) + 1, sizeof *number);
    int is_good = number != NULL && add_bodies(s, model, number, why);

    for (int j = 0; j < tml_model_joint_count(model) && is_good; j++) {
        is_good = add_joint(s, model, j, number, is_mixed, why);
    }
    free(number);
    return is_good && span(s);
}

static peer_scene* create(const tml_model* model, int has_contact, int is_mixed, char* why)
{
    int shapes = 0;
    tml_model_world_shapes(model, &shapes);
    for (int i = 0; i < tml_model_body_count(model); i++) {
        shapes += tml_model_body(model, (tml_body){i})->shape_count;
    }
    snprintf(why, PEER_WHY, "no memory");
    peer_scene* s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->name = tml_model_name(model);
    s->gravity = tml_model_gravity(model);
    s->has_contact = has_contact;
    s->friction = 1.0;
    s->bodies = calloc((size_t)tml_model_body_count(model) + 1, sizeof *s->bodies);
    s->joints = calloc((size_t)tml_model_joint_count(model) + 1, sizeof *s->joints);
    s->shapes = calloc((size_t)shapes + 1, sizeof *s->shapes);
    s->order = calloc((size_t)tml_model_body_count(model) + 1, sizeof *s->order);
    if (!s->bodies || !s->joints || !s->shapes || !s->order || !fill(s, model, is_mixed, why)) {
        peer_scene_destroy(s);
        return NULL;
    }
    return s;
}

peer_scene* peer_scene_create(const tml_model* model, int has_contact, char* why)
{
    return create(model, has_contact, 0, why);
}

peer_scene* peer_scene_create_mixed(const tml_model* model, int has_contact, char* why)
{
    return create(model, has_contact, 1, why);
}

// ---- elsewhere

// The motion of a body frame from its pose in the model: x -> turn x + shift.
typedef struct motion {
    quat turn;
    vec3 shift;
} motion;

static motion motion_of(const tml_model* model, int body, const tml_pose* now)
{
    if (body < 0) return (motion){q_identity(), v3_zero()};
    const tml_pose was = tml_model_body(model, (tml_body){body})->pose;
    const quat turn = q_mul(now[body].q, q_conj(was.q));
    return (motion){turn, v3_sub(now[body].p, q_rotate(turn, was.p))};
}

// Of a body of the scene: those that are fixed have no number there.
static motion motion_of_peer(const tml_model* model, int peer, const tml_pose* now)
{
    int number = 0;
    for (int i = 0; i < tml_model_body_count(model) && peer >= 0; i++) {
        if (tml_model_body(model, (tml_body){i})->is_fixed) continue;
        if (number++ == peer) return motion_of(model, i, now);
    }
    return motion_of(model, -1, now);
}

void peer_scene_follow(peer_scene* s, const tml_model* model, const tml_pose* now)
{
    for (int i = 0; i < s->body_count; i++) {
        const motion m = motion_of_peer(model, i, now);
        tml_pose* at = &s->bodies[i].pose;
        at->p = v3_add(q_rotate(m.turn, at->p), m.shift);
        at->q = q_mul(m.turn, at->q);
    }
    for (int j = 0; j < s->joint_count; j++) {
        peer_joint* joint = &s->joints[j];
        const motion base = motion_of_peer(model, joint->base, now);
        const motion follower = motion_of_peer(model, joint->follower, now);
        joint->point = v3_add(q_rotate(follower.turn, joint->point), follower.shift);
        for (int k = 0; k < joint->axis_count; k++) {
            joint->axis[k] = q_rotate(follower.turn, joint->axis[k]);
        }
        for (int k = 0; k < joint->slide_count; k++) {
            joint->slide[k] = q_rotate(base.turn, joint->slide[k]);
        }
    }
}
